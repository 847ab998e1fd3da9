//! What stands beside an order's id: `1001 CANCELED` speaks of the order `1001`, as a person marks one. It would be another
//! order by that.

use super::alone::is_all_of_an_end;
use super::called_off::ids_called_off;
use super::ends::{CALLED_OFF, ENDED};
use super::mark::{Ends, Mark, ends_in_words};
use super::noted::says_not_to;
use super::paid::{CROSSES, says_unpaid};
use super::periods::is_of_a_period;
use super::words::{BEFORE_IDS, CANCELED, MARKS, MARKS_OF_IDS};
use super::{clauses, is_told};
use crate::order::columns::Field;
use crate::order::mend::mend;
use crate::sheet::CellKind;

/// What stands between the words of an id and those beside it.
const BETWEEN_WORDS: &str = "()[],;:!?";

/// Why an order is to wait by what stands beside its id.
pub(in crate::order) fn mark_by_id(id: &str) -> Option<Mark> {
    is_marked(id).then(|| Mark::of_the_id(id))
}

/// Whether a word beside an id says that its order has ended.
pub(in crate::order) fn is_marked(id: &str) -> bool {
    // Nearly every id is one word, and most have few letters; this is asked of each row.
    if is_too_short(id) {
        return false;
    }
    if !id.contains(is_between) {
        return id_joined(id).is_some();
    }
    let id = id.to_lowercase();
    let words = words_of(&id).filter(|word| word.contains(|c: char| c.is_alphanumeric() || is_sign(c)));
    let (marks, others): (Vec<&str>, Vec<&str>) = words.partition(|word| is_mark(word));
    let (numbers, rest): (Vec<&str>, Vec<&str>) = others.iter().partition(|word| has_digit(word));
    let forbids = || !numbers.is_empty() && says_not_to(&rest.join(" "));
    (!marks.is_empty() && !others.is_empty()) || forbids()
}

/// Whether an id is one word, with fewer letters than any that a cancel begins with.
fn is_too_short(id: &str) -> bool {
    const LEAST: usize = 3;
    let is_of_a_word = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'#');
    let letters = id.bytes().filter(u8::is_ascii_alphabetic);
    id.bytes().all(is_of_a_word) && letters.take(LEAST).count() < LEAST
}

/// What the words beside an id mean, that has such.
pub(in crate::order) fn ends_beside_an_id(id: &str) -> Ends {
    let text = id.to_lowercase();
    let mut words = clauses(&text).concat();
    words.retain(|word| !has_digit(word));
    let has = |of: &[&str]| words.iter().any(|word| of.contains(word));
    match ends_in_words(&words.join(" ")) {
        Ends::Open if has(&CALLED_OFF) || (text.contains(CROSSES) && !text.contains(MARKS)) => {
            Ends::CalledOff
        }
        Ends::Open | Ends::Done if has(&["hold", "onhold"]) => Ends::OnHold,
        Ends::Open if words.iter().any(|word| says_unpaid(word)) => Ends::Open,
        // `1001 done`, or a tick.
        Ends::Open => Ends::Done,
        ends @ (Ends::CalledOff | Ends::OnHold | Ends::Done) => ends,
    }
}

/// The ids, mended, that an order's id may be with a word beside it for an end: `1001 CANCELED` speaks of `1001`, and
/// `1008 duplicate of 1007` of `1008`. The likeliest comes first.
pub(crate) fn ids_beside_a_mark(id: &str) -> Vec<String> {
    if !is_marked(id) || (ends_beside_an_id(id) <= Ends::Done && !is_nothing_else(id)) {
        return Vec::new();
    }
    let mut ids: Vec<String> = candidates(id)
        .into_iter()
        .map(|of| mend(Field::OrderId, of, CellKind::Text).text)
        .filter(|plain| !plain.is_empty() && plain != id)
        .collect();
    ids.sort_by_key(|id| std::cmp::Reverse(id.len()));
    ids.dedup();
    ids
}

/// The same of a text that stands alone, where no other number and no month in it may be what its number belongs to.
pub(crate) fn ids_called_off_alone(id: &str) -> Vec<String> {
    let text = id.to_lowercase();
    let words = clauses(&text).concat();
    let mut times = (0..words.len()).filter(|at| is_of_a_period(&words, *at));
    let ids = ids_beside_a_mark(id);
    // Alone beside such a word, a year is an id like any other.
    let is_an_id = |at: usize| ids.len() == 1 && words.get(at).is_some_and(|word| has_digit(word));
    let tells_a_time = times.any(|at| !is_an_id(at));
    if tells_a_time || numbers_in(id).len() != 1 || ends_beside_an_id(id) != Ends::CalledOff {
        return Vec::new();
    }
    ids
}

/// Whether nothing stands beside an id but that its order is sent, done or not paid: `1001 reprint (delivered damaged)` is an
/// order of its own.
fn is_nothing_else(id: &str) -> bool {
    let id = id.to_lowercase();
    let is_known = |word: &str| {
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
        bare.is_empty() || MARKS_OF_IDS.contains(&bare)
    };
    let beside: Vec<&str> = words_of(&id).filter(|word| !has_digit(word)).collect();
    let text = beside.join(" ");
    let is_phrase = || ENDED.contains(&text.trim_matches(|c: char| !c.is_alphanumeric()));
    beside.iter().all(|word| is_known(word)) || is_all_of_an_end(&text) || is_phrase() || says_unpaid(&text)
}

/// The ids, mended, that each number in an id may be.
pub(crate) fn numbers_in(id: &str) -> Vec<String> {
    let words = words_of(id).filter(|word| has_digit(word));
    words
        .map(|word| mend(Field::OrderId, word, CellKind::Text).text)
        .collect()
}

/// The parts of an id that stand first in it, or first behind the words for an end.
fn candidates(id: &str) -> Vec<&str> {
    if let Some(of) = id_joined(id) {
        return vec![of];
    }
    // Behind it stands a day, or another order.
    let number = |text: &'_ str| words_of(text).find(|word| has_digit(word)).map(str::to_owned);
    let first = number(id);
    let mut whole = ids_called_off(id);
    whole.retain(|of| number(of) == first);
    // `1001 not paid, canceled`
    let mut words = words_of(id);
    let leads = words.next().filter(|word| has_digit(word));
    whole.extend(leads.filter(|_leads| !words.any(has_digit)));
    if !whole.is_empty() {
        return whole;
    }
    // `1001 cancelled by Ada`
    words_of(id).filter(|word| has_digit(word)).take(1).collect()
}

/// The id of one with a word for a cancel joined to it, by whatever sign: `1001-CANCELED`.
fn id_joined(id: &str) -> Option<&str> {
    if id.contains(char::is_whitespace) {
        return None;
    }
    let is_stem = |at: usize| {
        let begins = |stem: &&str| {
            let word = id.as_bytes().get(at..at.saturating_add(stem.len()));
            word.is_some_and(|word| word.eq_ignore_ascii_case(stem.as_bytes()))
        };
        CANCELED.iter().any(begins)
    };
    let mut is_within = false;
    let mut places = id.char_indices().filter(|(_, c)| {
        let begins = c.is_alphabetic() && !is_within;
        is_within = c.is_alphabetic();
        begins
    });
    let (at, _) = places.find(|(at, _)| is_stem(*at))?;
    let is_sign = |c: char| !c.is_alphanumeric();
    let (before, from) = id.split_at_checked(at)?;
    let behind = from.trim_start_matches(char::is_alphabetic);
    [
        before.trim_end_matches(is_sign),
        behind.trim_start_matches(is_sign),
    ]
    .into_iter()
    .find(|of| has_digit(of))
}

/// What an id with such words before it begins with, as people write it: what stands behind an id is found by how it begins.
pub(crate) fn beginnings_before_an_id() -> impl Iterator<Item = String> {
    BEFORE_IDS.into_iter().flat_map(|word| {
        let mut letters = word.chars();
        let capital: String = letters.next().into_iter().flat_map(char::to_uppercase).collect();
        let capital = capital + letters.as_str();
        [word.to_owned(), word.to_uppercase(), capital].map(|word| word + " ")
    })
}

fn words_of(id: &str) -> impl Iterator<Item = &str> {
    id.split(is_between).filter(|word| !word.is_empty())
}

fn is_between(c: char) -> bool {
    c.is_whitespace() || (c.is_ascii_punctuation() && BETWEEN_WORDS.contains(c))
}

fn is_mark(word: &str) -> bool {
    let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
    MARKS_OF_IDS.contains(&bare) || CALLED_OFF.contains(&bare) || word.contains(is_sign) || is_told(word)
}

fn is_sign(c: char) -> bool {
    MARKS.contains(&c) || CROSSES.contains(&c)
}

fn has_digit(text: &str) -> bool {
    text.contains(|c: char| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_with_a_word_beside_it_that_its_order_has_ended_is_asked_about() {
        for (marked, of) in [
            ("1001 CANCELLED", "1001"),
            ("CANCELED 1001", "1001"),
            ("CANCELED #5", "5"),
            ("1001 - refunded", "1001"),
            ("8 - cancelled", "8"),
            ("1001 HOLD", "1001"),
            ("1001 - already printed", "1001"),
            ("1001 (duplicate)", "1001"),
            ("1001 done", "1001"),
            ("1001 \u{2713}", "1001"),
            ("1001 \u{274c}", "1001"),
            ("1001 unpaid", "1001"),
            ("1001 stop!", "1001"),
            ("1001 FRAUD", "1001"),
            ("DO NOT PRINT 1001", "1001"),
            ("1001 nicht drucken", "1001"),
            ("1001-CANCELED", "1001"),
            ("PO-1001_canceled", "PO-1001"),
            ("storno/1001", "1001"),
            ("1001\u{2013}CANCELED", "1001"),
            ("1001CANCELED", "1001"),
            ("1001-canceled-2026-11-26", "1001"),
            ("1001=cancelled", "1001"),
            ("1001 cancelled by Ada", "1001"),
            ("1001 - cancel pls", "1001"),
            ("1001(canceled)", "1001"),
            ("please cancel order #1001", "1001"),
            ("1008 duplicate of 1007", "1008"),
            ("2107 canceled 26 Nov 2026", "2107"),
            ("7 canceled 12 Nov", "7"),
            ("1001 unpaid - cancel", "1001"),
            ("1001 not paid, canceled", "1001"),
            ("1001: CANCELED", "1001"),
        ] {
            assert!(is_marked(marked), "{marked}");
            let ids = ids_beside_a_mark(marked);
            let is_of_it = ids.iter().all(|id| id.contains(of));
            assert!(is_of_it && ids.iter().any(|id| id == of), "{marked}: {ids:?}");
        }
        assert_eq!(ids_beside_a_mark("PO 1001 canceled"), ["PO 1001"]);
        for id in [
            "1001",
            "PRINTED-1001",
            "VOID-1001",
            "CANCELED-",
            "cancel-culture",
            "VOID",
            "Hold",
            "PO 1001",
            "Ada 1001 b",
            "# 1001",
            "",
        ] {
            assert!(!is_marked(id), "{id}");
            assert_eq!(ids_beside_a_mark(id), [""; 0], "{id}");
        }
        for own in [
            "1001 reprint (delivered damaged)",
            "1001 exchange (S sent, M wanted)",
            "1001 remake (printed wrong)",
            "1001 not delivered, resend",
        ] {
            assert_eq!(ids_beside_a_mark(own), [""; 0], "{own}");
        }
        assert_eq!(numbers_in("26 Nov: cancel #1001"), ["26", "1001"]);
        for begins in ["CANCELED ", "Hold ", "DO ", "don't "] {
            assert!(beginnings_before_an_id().any(|known| known == begins), "{begins}");
        }
    }

    #[test]
    fn no_word_for_a_cancel_is_too_short_to_be_looked_for() {
        for stem in CANCELED {
            assert!(!is_too_short(stem), "{stem}");
        }
        for id in ["1001", "P0000001", "AB-1001", "#1001", ""] {
            assert!(is_too_short(id), "{id}");
        }
        for id in ["1001 x", "1001 \u{2713}", "1001!", "ABC-1001"] {
            assert!(!is_too_short(id), "{id}");
        }
    }

    #[test]
    fn a_text_that_stands_alone_calls_off_the_order_of_its_only_number() {
        for text in [
            "1001 CANCELED",
            "canceled #1001",
            "do not print 1001",
            "1001-CANCELED",
        ] {
            assert!(ids_called_off_alone(text).contains(&"1001".to_owned()), "{text}");
        }
        assert_eq!(ids_called_off_alone("2026 CANCELED"), ["2026"]);
        for text in [
            "1001 HOLD",
            "1001 done",
            "26 Nov: 1009 canceled",
            "Canceled 26 Nov",
            "Canceled orders 2026",
            "CANCELED",
            "1001",
        ] {
            assert_eq!(ids_called_off_alone(text), [""; 0], "{text}");
        }
    }

    #[test]
    fn what_is_called_off_beside_an_id_is_told_from_what_is_done_and_from_what_waits() {
        for (id, ends) in [
            ("1001 CANCELED", Ends::CalledOff),
            ("1001-canceled", Ends::CalledOff),
            ("skip 1001", Ends::CalledOff),
            ("1001 \u{274c}", Ends::CalledOff),
            ("do not print 1001", Ends::CalledOff),
            ("1001 (on hold)", Ends::OnHold),
            ("1001 HOLD", Ends::OnHold),
            ("1001 unpaid", Ends::Open),
            ("1001 done", Ends::Done),
            ("1001 \u{2713}", Ends::Done),
            ("1001 shipped", Ends::Done),
        ] {
            assert_eq!(ends_beside_an_id(id), ends, "{id}");
        }
    }
}
