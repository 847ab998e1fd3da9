//! What the service's own words for an order's items say. Which words there are is not stated, so nothing is assumed:
//! every word is shown as it came, and a few beginnings of words count as trouble.

/// Beginnings of words that stand for an order that somebody has to look at.
const TROUBLE: [&str; 17] = [
    "problem",
    "error",
    "fail",
    "hold",
    "held",
    "reject",
    "refus",
    "declin",
    "invalid",
    "cancel",
    "refund",
    "dispute",
    "exception",
    "return",
    "undeliver",
    "block",
    "suspend",
];

/// Whole words that do: `issued` is no `issue`.
const TROUBLE_WHOLE: [&str; 5] = ["issue", "issues", "lost", "action", "stopped"];

/// Joins the different words of an order's items, in order.
pub fn words<'a>(each: impl Iterator<Item = Option<&'a str>>) -> Option<String> {
    let mut different: Vec<&str> = Vec::new();
    for word in each.flatten().filter(|word| !word.is_empty()) {
        if !different.contains(&word) {
            different.push(word);
        }
    }
    (!different.is_empty()).then(|| different.join(SEPARATOR))
}

const SEPARATOR: &str = ", ";

/// The first of joined words that names a trouble.
pub fn trouble(joined: Option<&str>) -> Option<&str> {
    joined?.split(SEPARATOR).find(|word| names_trouble(word))
}

fn names_trouble(word: &str) -> bool {
    let apart = apart(word);
    apart
        .split(|c: char| !c.is_alphanumeric())
        .any(|part| TROUBLE_WHOLE.contains(&part) || begins(part, &TROUBLE))
}

/// In small letters, with words apart that capitals alone set off: `OnHold`.
fn apart(word: &str) -> String {
    let mut apart = String::with_capacity(word.len());
    let mut before = ' ';
    for c in word.chars() {
        if before.is_lowercase() && c.is_uppercase() {
            apart.push(' ');
        }
        apart.extend(c.to_lowercase());
        before = c;
    }
    apart
}

/// Whether the items of an order have come equally far.
pub fn items_agree(joined: Option<&str>) -> bool {
    joined.is_none_or(|joined| !joined.contains(SEPARATOR))
}

/// Beginnings of words that deny what stands beside them: `cancel_failed`.
const DENYING: [&str; 12] = [
    "fail",
    "reject",
    "refus",
    "deni",
    "deny",
    "declin",
    "error",
    "invalid",
    "unable",
    "unsuccess",
    "undo",
    "partial",
];

/// Whole words that do. Where one of them means no more than that nothing was charged, a person looks once too often:
/// what is printed and taken to be canceled costs more.
const DENYING_WHOLE: [&str; 8] = ["not", "no", "non", "never", "un", "cannot", "can", "partly"];

/// Beginnings of words that defer it: `cancellation requested`.
const DEFERRING: [&str; 5] = ["request", "pend", "await", "wait", "unconfirm"];

/// Whole words that do.
const DEFERRING_WHOLE: [&str; 4] = ["be", "being", "will", "until"];

/// Beginnings of words that do not stand for work on an order: it waits, is stopped, or has ended.
const IDLE: [&str; 18] = [
    "wait", "await", "pend", "new", "draft", "unpaid", "unful", "unship", "unproc", "unstart", "refund",
    "void", "close", "archiv", "delet", "remov", "expir", "stop",
];

/// Words for a trouble that comes after the work.
const UNDER_WAY: [&str; 4] = ["return", "undeliver", "lost", "exception"];

/// Whether the service's own word for every item says that it is canceled, in either spelling: alone, or as one word of
/// several of which none denies or defers it. What only begins so, `cancel_failed`, says nothing of the kind.
pub fn says_canceled(joined: Option<&str>) -> bool {
    joined.is_some_and(|joined| joined.split(SEPARATOR).all(is_canceled))
}

fn is_canceled(word: &str) -> bool {
    says(word, &["canceled", "cancelled"])
}

/// Whether the service's own word for every item says that it is paid back, all of it.
pub fn says_refunded(joined: Option<&str>) -> bool {
    joined.is_some_and(|joined| joined.split(SEPARATOR).all(|word| says(word, &["refunded"])))
}

/// Whether one of a word's parts is one of these, and none denies or defers it.
fn says(word: &str, these: &[&str]) -> bool {
    let apart = apart(word);
    let mut parts = apart.split(|c: char| !c.is_alphanumeric());
    parts.clone().any(|part| these.contains(&part)) && !parts.any(|part| denies(part) || defers(part))
}

fn denies(part: &str) -> bool {
    DENYING_WHOLE.contains(&part) || begins(part, &DENYING)
}

fn defers(part: &str) -> bool {
    DEFERRING_WHOLE.contains(&part) || begins(part, &DEFERRING)
}

fn begins(part: &str, with: &[&str]) -> bool {
    with.iter().any(|beginning| part.starts_with(beginning))
}

/// The first of joined words by which the service goes on with an order of which it has confirmed a cancel: neither that
/// it is canceled, or is to be, nor that it waits, is stopped, or has ended otherwise.
pub fn goes_on(joined: Option<&str>) -> Option<&str> {
    joined?
        .split(SEPARATOR)
        .find(|word| !is_canceled(word) && is_of_work(&apart(word)))
}

fn is_of_work(apart: &str) -> bool {
    let parts = || {
        apart
            .split(|c: char| !c.is_alphanumeric())
            .filter(|part| !part.is_empty())
    };
    if parts().any(|part| part.starts_with("cancel")) {
        return parts().any(denies);
    }
    let is_idle = |part: &str| {
        begins(part, &IDLE)
            || DENYING_WHOLE.contains(&part)
            || names_trouble(part) && !begins(part, &UNDER_WAY)
    };
    parts().next().is_some() && !parts().any(is_idle)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_counts_as_trouble_by_its_beginning_and_unknown_ones_do_not() {
        for (joined, found) in [
            ("problem", Some("problem")),
            ("waiting, ON-HOLD", Some("ON-HOLD")),
            ("payment_failed", Some("payment_failed")),
            ("Action required", Some("Action required")),
            ("artwork issue", Some("artwork issue")),
            ("Cancelled", Some("Cancelled")),
            ("OnHold", Some("OnHold")),
            ("paymentFailed", Some("paymentFailed")),
            ("labelIssued", None),
            ("waiting", None),
            ("in_production, fulfilled", None),
            ("label_issued", None),
            ("unpaid", None),
            ("transaction_done", None),
            ("beyond the threshold", None),
            ("", None),
            ("zpracovává se", None),
        ] {
            assert_eq!(trouble(Some(joined)), found, "{joined}");
        }
        assert_eq!(trouble(None), None);
    }

    #[test]
    fn refunded_is_what_every_item_says_in_a_word_that_nothing_denies() {
        for (joined, expected) in [
            ("refunded", true),
            ("Refunded, fully_refunded", true),
            ("partially_refunded", false),
            ("refunded, paid", false),
            ("refund_pending", false),
            ("not refunded", false),
            ("refund", false),
            ("paid", false),
        ] {
            assert_eq!(says_refunded(Some(joined)), expected, "{joined}");
        }
        assert!(!says_refunded(None));
    }

    #[test]
    fn canceled_is_what_every_item_says_in_a_word_that_nothing_denies() {
        for canceled in [
            "canceled",
            "Cancelled",
            "CANCELED",
            "order_canceled",
            "canceled_by_customer",
            "OrderCancelled",
            "canceled (unpaid)",
            "canceled_in_shop",
            "is canceled",
            "canceled, Cancelled",
        ] {
            assert!(says_canceled(Some(canceled)), "{canceled}");
        }
        for other in [
            "",
            "waiting",
            "canceled, waiting",
            "cancel",
            "canceling",
            "cancel_failed",
            "canceled_failed",
            "cancellation_rejected",
            "cancellation rejected",
            "cancel_requested",
            "CancelRequested",
            "canceled_requested",
            "cancellation_denied",
            "cancel_refused",
            "cancel_pending",
            "pending: canceled",
            "not_canceled",
            "notCanceled",
            "un-canceled",
            "uncanceled",
            "cannot be canceled",
            "can't be cancelled",
            "waiting to be canceled",
            "partially_canceled",
            "cancelable",
        ] {
            assert!(!says_canceled(Some(other)), "{other}");
        }
        assert!(!says_canceled(None));
    }

    #[test]
    fn the_service_goes_on_by_a_word_of_work_and_not_by_one_of_waiting_or_of_an_end() {
        for (joined, found) in [
            ("in_production", Some("in_production")),
            ("shipped", Some("shipped")),
            ("canceled, Fulfilled", Some("Fulfilled")),
            ("processing", Some("processing")),
            ("returned", Some("returned")),
            ("cancel_failed", Some("cancel_failed")),
            ("cancellation_rejected", Some("cancellation_rejected")),
            ("not canceled", Some("not canceled")),
            ("waiting", None),
            ("under_production", Some("under_production")),
            ("waiting_for_payment", None),
            ("unfulfilled", None),
            ("not shipped", None),
            ("pending", None),
            ("new", None),
            ("on_hold", None),
            ("canceled", None),
            ("order_cancelled", None),
            ("canceling", None),
            ("cancel_requested", None),
            ("cancellation in progress", None),
            ("refunded", None),
            ("voided", None),
            ("closed", None),
            ("error: artwork missing", None),
            ("rejected", None),
            ("-", None),
        ] {
            assert_eq!(goes_on(Some(joined)), found, "{joined}");
        }
        assert_eq!(goes_on(None), None);
    }

    #[test]
    fn different_words_are_joined_once_each() {
        let each = ["waiting", "", "waiting", "fulfilled"].map(Some);
        assert_eq!(words(each.into_iter()).as_deref(), Some("waiting, fulfilled"));
        assert_eq!(words([None].into_iter()), None);
        assert!(items_agree(Some("waiting")) && !items_agree(Some("waiting, fulfilled")));
    }
}
