//! What it means that a sheet says how an order stands: whether it is called off, or has ended well. It matters once the
//! order is known: one that is at the printer is `shipped` some day, and whoever waits for an approval writes `on hold`.

use super::ends::{CALLED_OFF, ENDED};
use super::paid::{is_crossed, says_unpaid};
use super::words::PLAIN_NO;
use super::{By, begins_with, clauses, is_complete, is_sent, is_stopped, says_not_to, spread};
use super::{ids_called_off, is_marked, tells_at};
use crate::order::columns::{Field, normalized};
use crate::order::mend::{mend, quoted};
use crate::sheet::CellKind;

/// What is said where a word for an end stands beside an order's id.
const OF_THE_ID: &str = "its id says ";
/// The same at the order that it speaks of.
const OF_A_ROW: &str = "says that it is canceled, sent or not to be printed";

/// What is said of an order by what has it wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ends {
    /// It is canceled, refunded, or not to be printed.
    CalledOff,
    /// It is to be stopped for now.
    OnHold,
    /// It is sent or done.
    Done,
    /// It is not paid, or waits for something.
    Open,
}

/// Why an order is to wait by what its sheet says of it, as the end of a sentence, and what that means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mark {
    pub(crate) why: String,
    pub(crate) ends: Ends,
}

impl Mark {
    /// That a word for an end stands beside its id.
    pub(super) fn of_the_id(id: &str) -> Self {
        Self {
            why: format!("{OF_THE_ID}{}", quoted(id.trim())),
            ends: ends_beside_an_id(id),
        }
    }

    /// That it does so in another row.
    pub(in crate::order) fn of_a_row(row: u32, ends: Ends) -> Self {
        let why = format!("row {row} {OF_A_ROW}");
        Self { why, ends }
    }

    /// Whether a message says the same, wherever the row stands now.
    pub(crate) fn is_said_in(&self, message: &str) -> bool {
        // Of its id it may be told at the order's own row, and at the other.
        let is_of_the_id = |text: &str| text.contains(OF_THE_ID) || text.contains(OF_A_ROW);
        if is_of_the_id(&self.why) && is_of_the_id(message) {
            return true;
        }
        let is_of_a_place = self.why.starts_with("row ") || self.why.ends_with("struck through");
        let without_numbers = |text: &str| text.replace(|c: char| c.is_ascii_digit(), "");
        if is_of_a_place {
            without_numbers(message).contains(&without_numbers(&self.why))
        } else {
            message.contains(&self.why)
        }
    }
}

/// What a column's text means that has an order wait.
pub(super) fn ends_by(by: By, heading: &str, text: &str) -> Ends {
    let text = spread(text).to_lowercase();
    match by {
        By::Filling => {
            let name = normalized(heading);
            let is_of_money = says_unpaid(&heading.to_lowercase()) || name.contains("unpaid");
            match (is_of_money, name.contains("hold")) {
                (true, _) => Ends::Open,
                (false, true) => Ends::OnHold,
                (false, false) => Ends::CalledOff,
            }
        }
        By::Count => Ends::CalledOff,
        By::FillingOfSent | By::CountOfSent | By::Parcel => Ends::Done,
        By::Go | By::GoOrCost => {
            // Who has not approved it yet has not called it off.
            let asks_to_print = !["approv", "proof", "freigegeben", "freigabe", "ready"]
                .iter()
                .any(|word| normalized(heading).contains(word));
            let is_no = text == "0" || is_crossed(&text) || begins_with(&text, &PLAIN_NO);
            if asks_to_print && is_no {
                Ends::CalledOff
            } else {
                ends_in_words(&text)
            }
        }
        By::NotBefore => Ends::Open,
        By::Word
        | By::WordOfOrder
        | By::WordOfPayment
        | By::WordOfRefund
        | By::Paid
        | By::Note
        | By::Tags
        | By::Unknown => ends_in_words(&text),
    }
}

/// What a text, in small letters, means that says how an order stands.
pub(super) fn ends_in_words(text: &str) -> Ends {
    let clauses = clauses(text);
    let tells = |is_word: &dyn Fn(&str) -> bool| {
        clauses.iter().any(|words| {
            let mut words_at = words.iter().enumerate();
            words_at.any(|(at, word)| is_word(word) && tells_at(words, at))
        })
    };
    let is_hold = |word: &str| word == "hold" || word == "onhold" || word.starts_with("wstrzyman");
    if tells(&|word| is_stopped(word) && !is_hold(word))
        || begins_with(text, &CALLED_OFF)
        || says_not_to(text)
    {
        Ends::CalledOff
    } else if tells(&is_hold) {
        Ends::OnHold
    } else if tells(&is_sent) || is_complete(text) || begins_with(text, &ENDED) {
        Ends::Done
    } else {
        Ends::Open
    }
}

/// What the words beside an id mean, that has such.
pub(in crate::order) fn ends_beside_an_id(id: &str) -> Ends {
    let text = id.to_lowercase();
    match ends_in_words(&text) {
        Ends::Open
            if clauses(&text)
                .concat()
                .iter()
                .any(|word| CALLED_OFF.contains(word)) =>
        {
            Ends::CalledOff
        }
        // `1001 done`, or a tick.
        Ends::Open => Ends::Done,
        ends @ (Ends::CalledOff | Ends::OnHold | Ends::Done) => ends,
    }
}

/// The ids, mended, that an order's id may be one of with a word beside it for an end: `1001 CANCELED` speaks of `1001`.
pub(crate) fn ids_beside_a_mark(id: &str) -> Vec<String> {
    let ids = if is_marked(id) {
        ids_called_off(id)
    } else {
        Vec::new()
    };
    let ids = ids
        .into_iter()
        .map(|id| mend(Field::OrderId, id, CellKind::Text).text);
    let mut ids: Vec<String> = ids.filter(|plain| !plain.is_empty() && plain != id).collect();
    ids.sort_unstable();
    ids.dedup();
    ids
}

/// An id with such a word before it, as people write them: what stands behind an id is found by how it begins.
pub(crate) fn with_a_mark_before(id: &str) -> Vec<String> {
    const WORDS: [&str; 8] = [
        "cancel",
        "canceled",
        "cancelled",
        "refunded",
        "void",
        "stop",
        "storno",
        "storniert",
    ];
    let written = |word: &str| {
        let (first, behind) = word.split_at(1);
        let capital = first.to_uppercase() + behind;
        [word.to_owned(), word.to_uppercase(), capital].map(|word| format!("{word} {id}"))
    };
    WORDS.into_iter().flat_map(written).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_called_off_is_told_from_what_is_done_and_from_what_waits() {
        for (text, ends) in [
            ("canceled", Ends::CalledOff),
            ("canceled by customer, was on hold", Ends::CalledOff),
            ("refunded", Ends::CalledOff),
            ("do not print", Ends::CalledOff),
            ("stop", Ends::CalledOff),
            ("on hold", Ends::OnHold),
            ("shipped", Ends::Done),
            ("complete", Ends::Done),
            ("in production", Ends::Done),
            ("partially paid", Ends::Open),
            ("awaiting approval", Ends::Open),
        ] {
            assert_eq!(ends_in_words(text), ends, "{text}");
        }
        for (by, heading, text, ends) in [
            (By::Filling, "Cancelled at", "2026-11-26", Ends::CalledOff),
            (By::Filling, "On hold", "x", Ends::OnHold),
            (By::Filling, "Unpaid", "yes", Ends::Open),
            (By::FillingOfSent, "Sent to printer", "yes", Ends::Done),
            (By::Parcel, "Tracking number", "1Z99", Ends::Done),
            (By::Go, "Print?", "no", Ends::CalledOff),
            (By::Go, "Print?", "not yet", Ends::Open),
            (By::Go, "Approved", "no", Ends::Open),
            (By::Paid, "Paid", "no", Ends::Open),
            (By::Paid, "Paid", "Refunded", Ends::CalledOff),
        ] {
            assert_eq!(ends_by(by, heading, text), ends, "{heading}: {text}");
        }
        for (id, ends) in [
            ("1001 CANCELED", Ends::CalledOff),
            ("skip 1001", Ends::CalledOff),
            ("1001 (on hold)", Ends::OnHold),
            ("1001 done", Ends::Done),
            ("1001 \u{2713}", Ends::Done),
        ] {
            assert_eq!(ends_beside_an_id(id), ends, "{id}");
        }
    }

    #[test]
    fn an_id_beside_a_mark_is_found_and_a_mark_that_was_said_is_known_by_its_words() {
        assert_eq!(ids_beside_a_mark("8 - cancelled"), ["8"]);
        assert_eq!(ids_beside_a_mark("CANCELED #5"), ["5"]);
        assert_eq!(ids_beside_a_mark("1001"), [""; 0]);
        assert_eq!(ids_beside_a_mark("PO 1001"), [""; 0]);
        assert!(with_a_mark_before("5").contains(&"CANCELED 5".to_owned()));
        let mark = |why: &str| Mark {
            why: why.to_owned(),
            ends: Ends::CalledOff,
        };
        assert!(mark("row 5 is struck through").is_said_in("It needs a look: row 12 is struck through."));
        let of_its_own = "It needs a look: row 2 says that it is canceled, sent or not to be printed.";
        assert!(mark("its id says `5 CANCELED`").is_said_in(of_its_own));
        assert!(!mark("`Status` says `2`").is_said_in(of_its_own));
        assert!(!mark("`Status` says `2`").is_said_in("It needs a look: `Status` says `1`."));
    }
}
