//! What a result says of an order: its outcome in this sheet, and the order's state in the ledger. Pure.

mod canceled;
mod held;
mod nobody;

use super::superseded::End;
use crate::attention::LeftToNobody;
use crate::finding::{Code, Finding};
use crate::ledger::record::{ClaimRef, OrderRecord, Outcome, told};
use crate::ledger::state::State;
use crate::outcome::Status;
use crate::reconcile::Reason;
use crate::result::{OrderTrouble, View};
use crate::tracking;
use canceled::{canceling, granted, stays_canceled, unsent};
use held::hold;

/// The status of an order's row, in the sheet that has this outcome.
pub fn status(outcome: &Outcome, order: Option<&OrderRecord>) -> Status {
    let Some(order) = order else { return outcome.status };
    let wants_cancel = outcome.status == Status::Canceling;
    match order.state {
        // What was canceled while it was held, and was taken anew since: the cancel spoke of what was declined.
        State::Held | State::Sending | State::Unresolved if wants_cancel => Status::Declined,
        State::Created if wants_cancel && order.claim > outcome.claim && order.note.is_empty() => {
            Status::Declined
        }
        State::New => Status::Waiting,
        State::Held => Status::Held,
        State::Sending | State::Unresolved => Status::Unresolved,
        State::Created if wants_cancel => Status::NotCanceled,
        State::Created if order.claim == outcome.claim => Status::Created,
        State::Created => Status::AlreadyCreated,
        State::Canceling => Status::Canceling,
        State::Canceled => Status::Canceled,
        State::Refused | State::Abandoned | State::Declined
            if order.claim == outcome.claim && !order.was_decided() =>
        {
            Status::Waiting
        }
        State::Refused => Status::Refused,
        State::Abandoned => Status::Abandoned,
        State::Declined => Status::Declined,
    }
}

/// The view of an order that has an outcome. `first_sheet` is the stem of the sheet that sent it; `nobody` is what is told
/// of one that nobody carries on.
pub fn view(
    outcome: Outcome,
    order: Option<OrderRecord>,
    first_sheet: Option<String>,
    nobody: Option<&LeftToNobody>,
) -> View {
    let status = status(&outcome, order.as_ref());
    // What was said of an order that was not sent anew holds for as long as nothing else has become of it.
    let says_its_own = order.as_ref().is_none_or(|order| order.state.is_taken_anew());
    let mut view = View {
        first_row: outcome.first_row,
        status,
        findings: outcome.findings,
        message: if says_its_own {
            outcome.message
        } else {
            String::new()
        },
        order_id: outcome.order_id,
        pw_order_id: outcome.pw_order_id,
        created_at: None,
        first_sheet: outcome.first_sheet,
        held_in: None,
        quote: outcome.quote,
        service: None,
        read_at: None,
        order_status: None,
        payment_status: None,
        tracking: None,
        country_code: outcome.country_code,
        troubles: Vec::new(),
    };
    if let Some(order) = order {
        let asks_for_cancel = outcome.status == Status::Canceling;
        let own = order.claim == outcome.claim && !asks_for_cancel;
        if order.state == State::Canceled && !own && !asks_for_cancel {
            stays_canceled(&mut view, &order);
        } else if let Some(words) = granted(&order) {
            view.message = words;
        }
        follow(&mut view, order, own, (first_sheet, nobody));
    }
    view
}

fn refused(words: &str) -> String {
    format!("The service refused this order: {words}")
}

/// The view of an order that a later sheet has taken anew with other content: what became of it here stands.
pub(super) fn ended(outcome: Outcome, end: End, later: Option<&str>) -> View {
    let (status, code, became) = match end {
        End::Declined => (
            Status::Declined,
            Code::DeclinedByPerson,
            "It was declined.".to_owned(),
        ),
        End::Abandoned => (
            Status::Abandoned,
            Code::AbandonedByPerson,
            "It was given up by a person.".to_owned(),
        ),
        End::Refused(words) => (Status::Refused, Code::RefusedByService, refused(&words)),
    };
    let message = String::new();
    let outcome = Outcome {
        status,
        message,
        ..outcome
    };
    let mut view = view(outcome, None, None, None);
    let later = later.unwrap_or("another sheet");
    let since = format!("Since then {later} has brought this order with other content.");
    note(&mut view, code, became, since);
    view
}

fn follow(
    view: &mut View,
    order: OrderRecord,
    own: bool,
    (first_sheet, nobody): (Option<String>, Option<&LeftToNobody>),
) {
    let sheet = first_sheet.as_deref().unwrap_or("another sheet");
    let elsewhere = (!own).then_some(sheet);
    if !nobody.is_some_and(|nobody| nobody::explain(view, &order, elsewhere, nobody)) {
        explain(view, &order, own, sheet);
    }
    if view.status == Status::NotCanceled {
        // Nothing was canceled with it, and what is dropped again would be printed twice.
        view.findings.retain(|finding| finding.code != Code::CancelsAll);
    }
    if matches!(view.status, Status::Created | Status::AlreadyCreated) {
        are_ordered(view);
        look_at(view, &order);
    } else if order.gone_on_since().is_some() {
        say_that_it_goes_on(view, &order);
    }
    view.order_id = order.order_id;
    view.pw_order_id = order.pw_order_id;
    view.created_at = order.entered_at;
    view.country_code = Some(order.country_code);
    view.order_status = order.order_status;
    view.payment_status = order.payment_status;
    view.tracking = order.trackings.as_deref().and_then(tracking::shown);
    if own {
        view.quote = order.quote;
        if let Some((amounts, read_at)) = order.service {
            view.service = Some(amounts);
            view.read_at = Some(read_at);
        }
    } else {
        view.first_sheet = first_sheet;
    }
}

/// Says why the row has its status, as a code and a sentence.
fn explain(view: &mut View, order: &OrderRecord, own: bool, first_sheet: &str) {
    let (code, message, hint) = match view.status {
        Status::AlreadyCreated => (
            Code::Known,
            format!("{first_sheet} has sent this order; nothing was sent again."),
            String::new(),
        ),
        Status::Waiting => (
            Code::ServiceAway,
            "It is not sent yet; it will be sent without you.".to_owned(),
            String::new(),
        ),
        Status::Unresolved => unresolved(order),
        Status::Held => {
            hold(view, order, (!own).then_some(first_sheet), None);
            return;
        }
        Status::Refused => (
            Code::RefusedByService,
            refused(&order.note),
            "Fix what it names and drop the order again.".to_owned(),
        ),
        Status::Canceling => canceling(order),
        Status::NotCanceled if order.note.is_empty() => (
            Code::CancelRefused,
            "It is printing: the service came to have it after this cancel had ended.".to_owned(),
            "Drop the cancel again if you still want it canceled.".to_owned(),
        ),
        Status::NotCanceled => (
            Code::CancelRefused,
            format!(
                "It is still printing: the service refused the cancel with “{}”",
                order.note
            ),
            "Ask the print service.".to_owned(),
        ),
        Status::Declined => (
            Code::DeclinedByPerson,
            "It was declined.".to_owned(),
            String::new(),
        ),
        Status::Abandoned => (
            Code::AbandonedByPerson,
            "It was given up by a person.".to_owned(),
            String::new(),
        ),
        Status::Canceled if order.sends == 0 && order.pw_order_id.is_none() => {
            (Code::CanceledUnsent, unsent(&order.note), String::new())
        }
        Status::Canceled
        | Status::Created
        | Status::Quoted
        | Status::Invalid
        | Status::Skipped
        | Status::Changed => return several(view, order, own),
    };
    note(view, code, message, hint);
    several(view, order, own);
}

fn unresolved(order: &OrderRecord) -> (Code, String, String) {
    let came = order.came_told();
    let Some(reason) = &order.reason else {
        let asking = format!(
            "{came}: do not order this again; we are asking the service; this sheet will be updated."
        );
        return (
            Code::NoAnswer,
            asking,
            order.came_hint().unwrap_or_default().to_owned(),
        );
    };
    (
        Code::PersonNeeded,
        format!(
            "{came}, and a person has to decide: {}. Do not order this again.",
            reason.words(&order.order_id)
        ),
        asking(&order.order_id, reason),
    )
}

/// What to do where a person has to decide about an order without an answer.
fn asking(order_id: &str, reason: &Reason) -> String {
    let ask = "Ask the print service whether it has the order.";
    reason.may_be().map_or_else(
        || ask.to_owned(),
        |one| {
            format!("{ask} Where it is {one}, `dropsheet orders resolve {order_id} --created {one}` says so.")
        },
    )
}

fn several(view: &mut View, order: &OrderRecord, own: bool) {
    let is_there = matches!(order.state, State::Created | State::Canceling);
    let is_canceled = order.state == State::Canceled;
    // Who cancels it takes it for gone, in whatever sheet that was asked for.
    if order.is_there_all_the_same() {
        view.troubles.push(OrderTrouble::ThereAfterAll);
        let hint = "Drop the cancel again: it is canceled there then.".to_owned();
        let told = order.others_told().unwrap_or_default();
        note(view, Code::SeveralAtService, told, hint);
    } else if order.others > 0 && (own || is_canceled) {
        if is_there || is_canceled {
            view.troubles.push(OrderTrouble::Several);
        }
        let message = if is_canceled {
            format!(
                "It is canceled; the service had {} more of this id, which a cancel leaves as they are.",
                order.others
            )
        } else if order.pw_order_id.is_some() {
            format!("The service has {} more of this id.", order.others)
        } else {
            format!(
                "The service has {} of this order, though it was taken not to have it.",
                order.others
            )
        };
        note(
            view,
            Code::SeveralAtService,
            message,
            "Look at them at the service, and have the surplus canceled there; results/attention.xlsx names them."
                .to_owned(),
        );
    }
    // Of an order that is over, the service is right to charge something else, or nothing. What it has charged is told with
    // the refund.
    let is_owed = is_there || order.gone_on_since().is_some();
    if own
        && is_owed
        && let Some(message) = order.charge_told()
    {
        view.troubles.push(OrderTrouble::Charge);
        note(
            view,
            Code::TotalDiffers,
            message,
            "Ask the print service.".to_owned(),
        );
    }
}

/// Of rows that say the same and are ordered none can be taken out of the sheet any more.
fn are_ordered(view: &mut View) {
    let repeated = |finding: &&mut Finding| finding.code == Code::RepeatedRow;
    for finding in view.findings.iter_mut().filter(repeated) {
        "Both are ordered. If one was pasted twice, cancel the order.".clone_into(&mut finding.hint);
    }
}

/// Says of a canceled order that it is printed all the same.
fn say_that_it_goes_on(view: &mut View, order: &OrderRecord) {
    view.troubles.push(OrderTrouble::GoesOn);
    let hint = "Ask the print service, or drop the cancel again.".to_owned();
    note(view, Code::OrderProblem, order.gone_on_told(), hint);
}

/// Says what a person has to look at, of an order that the service has.
fn look_at(view: &mut View, order: &OrderRecord) {
    let named = order.trouble_told().map(|said| (said, told::MEND));
    let noticed = || order.noticed_at.map(|_at| (told::NOTICED.to_owned(), told::LOOK));
    if let Some((message, hint)) = named.or_else(noticed) {
        view.troubles.push(OrderTrouble::Named);
        note(view, Code::OrderProblem, message, hint.to_owned());
    }
    if order.missing_at.is_some() {
        view.troubles.push(OrderTrouble::Missing);
        let (message, hint) = (told::MISSING.to_owned(), told::ASK.to_owned());
        note(view, Code::OrderMissing, message, hint);
    }
}

fn note(view: &mut View, code: Code, message: String, hint: String) {
    view.findings.push(Finding {
        code,
        row: view.first_row,
        column: None,
        message,
        hint,
    });
}

/// What a sheet waits for.
#[derive(Clone, Copy, Debug)]
pub struct Wait<'a> {
    /// What hinders it.
    pub code: Code,
    /// The same as a sentence.
    pub why: &'a str,
    /// Whether the sheet is only checked and priced: nothing of it is ever sent.
    pub only_priced: bool,
    /// What the inbox puts before each id that it sends.
    pub order_prefix: &'a str,
}

/// A view as it is while its sheet waits: an order that has an outcome and was not sent after all waits for the same as
/// the others.
pub fn because(mut view: View, wait: Wait<'_>) -> View {
    if view.status == Status::Waiting {
        for finding in view
            .findings
            .iter_mut()
            .filter(|found| found.code == Code::ServiceAway)
        {
            finding.code = wait.code;
            finding.message = not_yet(wait.code, wait);
        }
    }
    view
}

/// What a row says that waits: of a cancel, of what nobody has checked, or where nothing is sent, it must not sound like
/// the promise to send.
fn not_yet(code: Code, wait: Wait<'_>) -> String {
    let why = wait.why;
    if code == Code::CatalogMissing {
        let then = if wait.only_priced {
            "It is checked and priced without you when there is one, and not sent."
        } else {
            "It is checked without you when there is one, and sent where nothing is wrong."
        };
        return format!("Not checked yet, for want of a catalog. {why} {then}");
    }
    if wait.only_priced {
        return format!("Not priced yet. {why} It will be priced without you, and not sent.");
    }
    if code != Code::CancelAsked {
        return format!("Not sent yet. {why} It will be sent without you.");
    }
    // What a cancel alone waits for goes on from these words; what its whole sheet waits for is a sentence.
    let stop = if wait.code == Code::CancelAsked { ':' } else { '.' };
    format!("Not canceled yet{stop} {why} The cancel is asked for without you.")
}

/// The id that will be sent; a row without one gets none.
fn as_sent(order_id: &str, order_prefix: &str) -> String {
    if order_id.is_empty() {
        return String::new();
    }
    format!("{order_prefix}{order_id}")
}

/// The view of an order that has no outcome yet: it waits, and why. Its row, known by its number and its order's id, may
/// ask for something else than its sheet waits for: `code` is what the row's own finding says.
pub fn waiting((first_row, order_id): (u32, &str), code: Code, wait: Wait<'_>) -> View {
    let outcome = Outcome {
        findings: vec![Finding {
            code,
            row: first_row,
            column: None,
            message: not_yet(code, wait),
            hint: String::new(),
        }],
        ..Outcome::blank(ClaimRef(0), first_row, as_sent(order_id, wait.order_prefix))
    };
    view(outcome, None, None, None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_canceled_or_only_priced_does_not_sound_like_the_promise_to_send() {
        let waits = |own, code, only_priced| {
            let why = "Why.";
            let wait = Wait {
                code,
                why,
                only_priced,
                order_prefix: "S-",
            };
            let mut view = waiting((2, "1001"), own, wait);
            assert_eq!(view.order_id, "S-1001");
            let said = view.findings.remove(0);
            assert_eq!(said.code, own);
            said.message
        };
        let said = |code| waits(code, code, false);
        assert_eq!(
            waits(Code::CancelAsked, Code::ServiceAway, false),
            "Not canceled yet. Why. The cancel is asked for without you."
        );
        assert_eq!(
            waits(Code::ServiceAway, Code::ServiceAway, true),
            "Not priced yet. Why. It will be priced without you, and not sent."
        );
        assert_eq!(
            said(Code::CancelAsked),
            "Not canceled yet: Why. The cancel is asked for without you."
        );
        assert_eq!(
            said(Code::ServiceAway),
            "Not sent yet. Why. It will be sent without you."
        );
        let unchecked = "Not checked yet, for want of a catalog. Why. It is checked";
        assert_eq!(
            said(Code::CatalogMissing),
            format!("{unchecked} without you when there is one, and sent where nothing is wrong.")
        );
        assert_eq!(
            waits(Code::CatalogMissing, Code::CatalogMissing, true),
            format!("{unchecked} and priced without you when there is one, and not sent.")
        );
    }

    #[test]
    fn where_it_is_known_which_order_it_may_be_the_command_that_says_so_is_named() {
        let made = crate::reconcile::AlikeOrder {
            pw_order_id: "PW-3".to_owned(),
            order_name: "#1001".to_owned(),
        };
        let ask = "Ask the print service whether it has the order.";
        for (reason, then) in [
            (Reason::Contradicted, ""),
            (
                Reason::NamedOtherwise(made),
                " Where it is PW-3, `dropsheet orders resolve 1001 --created PW-3` says so.",
            ),
        ] {
            assert_eq!(asking("1001", &reason), format!("{ask}{then}"));
        }
    }
}
