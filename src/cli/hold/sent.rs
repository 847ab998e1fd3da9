//! What is said of a held sheet that is approved or declined: the same that its receipt will say.

use std::path::Path;

use crate::config::{Config, Inbox};
use crate::filing::approve::{Decision, Foreseen, foresee};
use crate::ledger::Reader;

/// What becomes of the orders of a held sheet that is approved; none where that cannot be known now, as where who decides
/// may not read the ledger.
pub(super) fn foreseen(path: &Path, (config, inbox): (&Config, &Inbox)) -> Option<Foreseen> {
    let foreseen = Reader::open(&config.ledger)
        .and_then(|ledger| foresee(path, (inbox, &config.zone), &ledger, &std::env::temp_dir()));
    foreseen.unwrap_or_else(|error| {
        tracing::debug!(%error, "what becomes of the orders is not known");
        None
    })
}

/// What a moved file comes to. What is approved is not sent while `stop` is there.
pub(super) fn done(
    decision: Decision,
    foreseen: Option<Foreseen>,
    (stop, inbox, receipt): (Option<&Path>, &str, &Path),
) -> String {
    let follows = "A running dropsheet follows it within seconds, else the next `dropsheet run`.";
    if decision == Decision::Decline {
        return format!("declined; the orders listed in it are not sent. {follows}");
    }
    let (what, but) = match foreseen {
        Some(foreseen) if foreseen.sent() == foreseen.listed => {
            ("the orders listed in it".to_owned(), String::new())
        }
        Some(foreseen) => (
            match foreseen.sent() {
                0 => "none of the orders listed in it".to_owned(),
                1 => format!("1 of the {} orders listed in it", foreseen.listed),
                n => format!("{n} of the {} orders listed in it", foreseen.listed),
            },
            format!(" {}", not_sent(foreseen, receipt)),
        ),
        None => (
            "the orders listed in it".to_owned(),
            format!(
                " Where one of them waits no more or the service has it already, {} says so.",
                receipt.display()
            ),
        ),
    };
    let sent = foreseen.map_or(usize::MAX, Foreseen::sent);
    let is = if sent < 2 && !but.is_empty() { "is" } else { "are" };
    match stop {
        Some(stop) if sent > 0 => {
            format!(
                "approved; {what} {is} not sent before {} is gone: `dropsheet resume {inbox}` removes it.{but}",
                stop.display()
            )
        }
        Some(_) | None => format!("approved; {what} {is} sent.{but} {follows}"),
    }
}

/// What of an approved sheet is not sent, and where that is told in full.
fn not_sent(foreseen: Foreseen, receipt: &Path) -> String {
    let there = match foreseen.there {
        0 => None,
        n => Some(format!("{n} the service has already")),
    };
    let others = match foreseen.others {
        0 => None,
        n => Some(format!("with {n} nothing is done")),
    };
    let why: Vec<String> = there.into_iter().chain(others).collect();
    format!(
        "Not sent: {}; {} says which, and why.",
        why.join(", "),
        receipt.display()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_approved_is_said_to_be_sent_as_far_as_its_receipt_will_say_it() {
        let foreseen = |listed, there, others| {
            Some(Foreseen {
                listed,
                there,
                others,
            })
        };
        let stop = Path::new("STOP");
        for (foreseen, stop, says) in [
            (
                foreseen(1, 0, 0),
                None,
                "approved; the orders listed in it are sent. A running",
            ),
            (
                foreseen(3, 1, 0),
                None,
                "approved; 2 of the 3 orders listed in it are sent. Not sent: 1 the service has already; a.approved.txt says \
                 which, and why. A running",
            ),
            (
                foreseen(3, 1, 1),
                None,
                "approved; 1 of the 3 orders listed in it is sent. Not sent: 1 the service has already, with 1 nothing is \
                 done; a.approved.txt",
            ),
            (
                foreseen(1, 1, 0),
                Some(stop),
                "approved; none of the orders listed in it is sent. Not sent: 1 the service has",
            ),
            (
                foreseen(3, 0, 1),
                Some(stop),
                "approved; 2 of the 3 orders listed in it are not sent before STOP is gone: `dropsheet resume main` removes \
                 it. Not sent: with 1 nothing is done; a",
            ),
            (
                None,
                None,
                "approved; the orders listed in it are sent. Where one of them waits no more or the service has it already, \
                 a.approved.txt says so. A running",
            ),
        ] {
            let said = done(
                Decision::Approve,
                foreseen,
                (stop, "main", Path::new("a.approved.txt")),
            );
            assert!(said.starts_with(says), "{said}");
        }
    }
}
