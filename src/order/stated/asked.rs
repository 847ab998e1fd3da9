//! What a column tells by its name, without case, spaces and punctuation. Those in which a merchant ticks what was done with
//! an order, or is to be, are composed: a word for it, with others before and behind: `Sent to printer`, `Is order cancelled?`.

use super::By;
use super::ends::{COMPLETE, ENDED};
use super::names::{
    ANSWERS, APPROVED, AROUND_APPROVED, AROUND_ENDED, AROUND_PAID, AROUND_SENT, AROUND_TO_DO, COUNTED,
    COUNTED_AS_SENT, ENDINGS, FILLED, FILLED_AS_SENT, FORBIDDEN, HANDED_OVER, NOTES, OF_A_STEP, OF_OTHERS,
    OF_OTHERS_WITHIN, OF_PAYMENT, PARCELS, PAYEES, STATES, TAGS, TO_PRINTER, WORDED,
};
use super::paid::{PAID, UNPAID};
use super::words::{AFTER_NO, SENT, STOPPED, TO_DO};
use crate::order::columns::normalized;

/// What may stand before a word in a name, and what behind it.
pub(super) type Around = (&'static [&'static str], &'static [&'static [&'static str]]);

/// What a column tells by its heading.
pub(super) fn by_heading(heading: &str) -> Option<By> {
    let name = normalized(heading);
    // A bare `Order` has its id.
    let asks_whether_to_order = || name == "order" && heading.trim_end().ends_with('?');
    by_name(&name).or_else(|| asks_whether_to_order().then_some(By::Go))
}

/// What a column tells by its name, with or without the answers that it takes.
pub(super) fn by_name(name: &str) -> Option<By> {
    by_bare_name(name).or_else(|| {
        let mut asked = ANSWERS.iter().filter_map(|answers| name.strip_suffix(answers));
        let is_asked = |by: &By| {
            matches!(
                by,
                By::Filling | By::FillingOfSent | By::Paid | By::Go | By::GoOrCost
            )
        };
        asked.find_map(|asked| by_bare_name(asked).filter(is_asked))
    })
}

fn by_bare_name(name: &str) -> Option<By> {
    by_word(name)
        .or_else(|| by_list(name))
        .or_else(|| by_question(name))
}

/// In a column that holds a word for how something stands.
fn by_word(name: &str) -> Option<By> {
    let is_of_the_order = || {
        let is_within = OF_OTHERS_WITHIN.iter().any(|other| name.contains(other));
        !is_within && !OF_OTHERS.iter().any(|other| name.starts_with(other))
    };
    let is_of_payment = OF_PAYMENT.iter().any(|word| name.contains(word))
        && !PAYEES.iter().any(|payee| name.starts_with(payee));
    let is_state = || {
        STATES
            .iter()
            .any(|word| name.starts_with(word) || name.ends_with(word))
    };
    let is_worded = WORDED.contains(&name)
        || is_of_the_order() && (name.ends_with("status") || is_of_payment && is_state());
    if !is_worded {
        None
    } else if is_of_payment {
        Some(By::WordOfPayment)
    } else if name == "refundstatus" {
        Some(By::WordOfRefund)
    } else if OF_A_STEP.iter().any(|step| name.contains(step)) {
        Some(By::Word)
    } else {
        Some(By::WordOfOrder)
    }
}

/// In a column of which each name is known.
fn by_list(name: &str) -> Option<By> {
    let lists: [(&[&str], By); 5] = [
        (&COUNTED, By::Count),
        (&COUNTED_AS_SENT, By::CountOfSent),
        (&PARCELS, By::Parcel),
        (&TAGS, By::Tags),
        (&NOTES, By::Note),
    ];
    let known = lists.iter().find(|(names, _)| names.contains(&name));
    known.map(|(_, by)| *by)
}

/// In a column that a day, a tick or a `no` answers, by its composed name.
fn by_question(name: &str) -> Option<By> {
    // None is longer, and a heading may be.
    const LONGEST: usize = 48;
    if name.len() > LONGEST {
        return None;
    }
    if is_composed(name, AROUND_ENDED, &is_of_an_end) || forbids(name) {
        Some(By::Filling)
    } else if is_composed(name, AROUND_SENT, &is_of_what_is_sent) {
        Some(By::FillingOfSent)
    } else if is_composed(name, AROUND_PAID, &|word| PAID.contains(&word)) {
        Some(By::Paid)
    } else if name == "ship" {
        // It may hold what sending costs, which may be nothing.
        Some(By::GoOrCost)
    } else {
        let is_go = is_composed(name, AROUND_TO_DO, &|word| TO_DO.contains(&word))
            || is_composed(name, AROUND_APPROVED, &|word| APPROVED.contains(&word));
        is_go.then_some(By::Go)
    }
}

/// Whether a name is a word with some of what may stand around it.
fn is_composed(name: &str, around: Around, is_word: &dyn Fn(&str) -> bool) -> bool {
    let (before, behind) = around;
    let mut rests = before.iter().filter_map(|word| name.strip_prefix(word));
    begins_with_a_word(name, behind, is_word) || rests.any(|rest| is_composed(rest, around, is_word))
}

fn begins_with_a_word(name: &str, behind: &[&[&str]], is_word: &dyn Fn(&str) -> bool) -> bool {
    let rests = behind.iter().copied().flatten();
    let mut rests = rests.filter_map(|word| name.strip_suffix(word));
    is_word(name) || rests.any(|rest| begins_with_a_word(rest, behind, is_word))
}

/// Whether a word is one of these with an ending: `anulad` and `anulado`. `Printed logo` says what is printed.
fn is_one_of(word: &str, stems: &[&str]) -> bool {
    let mut endings = stems.iter().filter_map(|stem| word.strip_prefix(stem));
    endings.any(|ending| ENDINGS.contains(&ending))
}

fn is_of_an_end(word: &str) -> bool {
    // A draft may be one of the artwork.
    let is_stopped = || is_one_of(word, &STOPPED) && word != "draft";
    FILLED.contains(&word) || is_stopped() || is_squeezed(word, &UNPAID)
}

fn is_of_what_is_sent(word: &str) -> bool {
    let mut handed = TO_PRINTER.iter().filter_map(|to| word.strip_suffix(to));
    // A bare `Stop` may be one of a tour.
    let is_phrase = || {
        ENDED
            .iter()
            .any(|phrase| phrase.contains(' ') && is_squeezed(word, &[phrase]))
    };
    let is_known = FILLED_AS_SENT.contains(&word) || COMPLETE.contains(&word) || is_one_of(word, &SENT);
    is_known || handed.any(|word| HANDED_OVER.contains(&word)) || is_phrase()
}

/// Whether a word is one of these without its spaces.
fn is_squeezed(word: &str, phrases: &[&str]) -> bool {
    phrases.iter().any(|phrase| {
        let squeezed = phrase.chars().filter(|c| *c != ' ');
        squeezed.eq(word.chars())
    })
}

/// Whether a name forbids to print or send: `Don't print`.
fn forbids(name: &str) -> bool {
    let name = name.strip_prefix("please").unwrap_or(name);
    let mut forbidden = FORBIDDEN.iter().filter_map(|no| name.strip_prefix(no));
    let after_no = name
        .strip_prefix("no")
        .is_some_and(|word| AFTER_NO.contains(&word));
    let (_, behind) = AROUND_TO_DO;
    after_no || forbidden.any(|word| begins_with_a_word(word, behind, &|word| TO_DO.contains(&word)))
}
