//! Whether a text says that an order has ended, and nothing else: in a column that may hold what something is called,
//! `Canceled by buyer` does and `Delivered from evil` does not.

use super::periods::is_of_a_period;
use super::words::{IN_A_HEADING, TO_DO};
use super::{clauses, has_ended, is_number, is_sent, is_stopped, says_not_to};

/// What may stand beside the words for it.
pub(super) const BESIDE_AN_END: [&str; 34] = [
    "yes",
    "is",
    "was",
    "has",
    "been",
    "in",
    "at",
    "of",
    "for",
    "this",
    "it",
    "full",
    "fully",
    "partially",
    "partly",
    "again",
    "now",
    "please",
    "buyer",
    "seller",
    "client",
    "us",
    "me",
    "request",
    "requested",
    "issued",
    "bitte",
    "am",
    "vom",
    "von",
    "kunde",
    "kunden",
    "le",
    "el",
];

/// Whether a text, in small letters, says so in each of its words.
pub(super) fn is_all_of_an_end(text: &str) -> bool {
    let words = clauses(text).concat();
    let is_end = |word: &str| is_stopped(word) || is_sent(word);
    let is_beside =
        |word: &str| IN_A_HEADING.contains(&word) || TO_DO.contains(&word) || BESIDE_AN_END.contains(&word);
    let is_known = |(at, word): (usize, &&str)| {
        is_end(word) || is_beside(word) || is_number(word) || is_of_a_period(&words, at)
    };
    words.iter().enumerate().all(is_known) && (has_ended(text) || says_not_to(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_called_like_an_end_and_goes_on_otherwise_is_none() {
        for ended in [
            "refunded",
            "cancelled by buyer",
            "canceled 12.11.2026",
            "already printed",
            "yes, shipped 12 nov",
            "do not print",
            "on hold",
        ] {
            assert!(is_all_of_an_end(ended), "{ended}");
        }
        for other in [
            "cancel culture",
            "delivered from evil",
            "shipped with love",
            "printed heart",
            "return to sender",
            "yes",
            "12",
            "not shipped yet",
            "",
        ] {
            assert!(!is_all_of_an_end(other), "{other}");
        }
    }
}
