//! Why an order is held, and what it waits for.

use super::note;
use crate::finding::Code;
use crate::ledger::record::OrderRecord;
use crate::result::View;

/// Says why an order is held; `elsewhere` is the sheet that it was held with, where that is not this one, and `instead` what
/// is said in place of what it waits for. Gives whether what it waits for was said: a reason that stands at its own row is
/// not told again.
pub(super) fn hold(
    view: &mut View,
    order: &OrderRecord,
    elsewhere: Option<&str>,
    instead: Option<&str>,
) -> bool {
    let before = view.findings.len();
    for hold in order.holds.clone() {
        // Already said at its own row.
        if view.findings.iter().all(|finding| finding.code != hold.code) {
            let hint = instead.map_or_else(|| hint(order, hold.code, elsewhere), str::to_owned);
            let message = elsewhere.map_or_else(|| hold.message.clone(), |sheet| hold.said_elsewhere(sheet));
            note(view, hold.code, message, hint);
        }
    }
    view.findings.len() > before
}

fn hint(order: &OrderRecord, held_for: Code, elsewhere: Option<&str>) -> String {
    let Some(most) = order.approved_total else {
        return awaits(held_for, elsewhere).to_owned();
    };
    let approved = format!("It is approved, at most at {most}, and will be sent without you.");
    match order.approved_waits.as_str() {
        "" => approved,
        why => format!("{approved} Not yet: {why}"),
    }
}

/// What a held order waits for. Another amount in a later sheet releases none, and who corrects one must know that.
fn awaits(held_for: Code, elsewhere: Option<&str>) -> &'static str {
    match (held_for, elsewhere) {
        (Code::UnexpectedTotal, Some(_)) => {
            "It waits for a person's approval, whatever this sheet expects: approve it; or decline it, and drop it again."
        }
        _ => "It waits for a person's approval.",
    }
}
