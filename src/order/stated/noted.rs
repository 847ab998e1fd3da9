//! What a note says by which an order has ended, is to end or to wait: in words for a person, of which some speak of
//! another order, or of what is to be printed.

use super::ends::THE_ORDER;
use super::notes::{
    ALSO_NAMES, ASKS_FOR_AN_END, ASKS_TO_WAIT, AWAITED, AWAITS, BEFORE_AN_ID, BEHIND_AN_END, ENDS_IN_A_NOTE,
    FIRST, JOINS, LEADS, OF_A_PRINT, REPLACEMENTS, REPLACES, SHORT, WHAT_FOR, WHOLE_NOTES,
};
use super::unknown::is_so_already;
use super::words::{
    AFTER_NO, BESIDE_THIS, CONTRACTED, GOES_ON, NO, OF_THIS, SUBJECTS, TO_BE_DONE, TO_DO, YET,
};
use super::{clauses, starts_with};

/// What stands between two things that a note says. What is in brackets belongs to what stands before them.
const APART: [char; 7] = [',', ';', ':', '/', '|', '\u{2013}', '\u{2014}'];

/// Whether a note, in small letters, says that its order has ended, or asks for that or to wait.
pub(super) fn is_ended_in_a_note(text: &str) -> bool {
    let said = said(text);
    asks(&said) || is_so_already(text) || said.iter().any(|words| tells_of_an_end(words))
}

/// Whether a note, in small letters, is one word by which its order is sent or done, and no other.
pub(super) fn is_all_of_a_note(text: &str) -> bool {
    matches!(clauses(text).concat().as_slice(), [word] if WHOLE_NOTES.contains(word))
}

/// Whether a text, in small letters, asks for an end or to wait, or says in a sentence that its order has ended.
pub(super) fn is_called_off(text: &str) -> bool {
    let said = said(text);
    asks(&said) || said.iter().any(|words| is_sentence_of_an_end(words))
}

/// Whether a text forbids that the order is printed or sent: `Do not ship`, `nicht drucken`.
pub(super) fn says_not_to(text: &str) -> bool {
    let mut clauses: Vec<Vec<&str>> = sentences(text).flat_map(clauses).collect();
    clauses.retain(|words| !words.is_empty());
    let is_all = clauses.len() == 1;
    let is_not_to_be = || clauses.iter().any(|words| is_all && is_not_to_be_done(words));
    is_not_to_be()
        || clauses
            .iter()
            .any(|words| (0..words.len()).any(|at| forbids_at(words, at, is_all)))
}

pub(super) fn sentences(text: &str) -> impl Iterator<Item = &str> {
    text.split(". ")
        .flat_map(|part| part.split(['!', '?', '\n', '\r']))
}

/// The words of each thing that a text says of its own order.
fn said(text: &str) -> Vec<Vec<&str>> {
    let parts = sentences(text).flat_map(|sentence| sentence.split(" - "));
    let own = parts.flat_map(|part| part.split(APART)).flat_map(of_its_own);
    own.filter(|words| !words.is_empty()).collect()
}

/// Without what stands behind words for an order that this one replaces: that one is canceled, and this one is to be made.
fn of_its_own(part: &str) -> Vec<Vec<&str>> {
    let mut clauses = clauses(part);
    let mut is_own = true;
    for words in &mut clauses {
        let replaces = (0..words.len()).find(|at| replaces_at(words, *at));
        let own = if is_own { replaces } else { Some(0) };
        words.truncate(own.unwrap_or(words.len()));
        is_own &= replaces.is_none();
    }
    clauses
}

/// Whether words say from here on what an order replaces: `instead of`, `replacement order for`. One that was itself
/// `replaced`, or a replacement that is canceled, is another matter.
fn replaces_at(words: &[&str], at: usize) -> bool {
    let is_for = |word: Option<&&str>| word.is_some_and(|word| WHAT_FOR.contains(word));
    match words.get(at..).unwrap_or_default() {
        [word, next, behind @ ..] => {
            let is_noun = REPLACEMENTS.iter().any(|stem| word.starts_with(stem));
            let is_for = is_for(Some(next)) || (THE_ORDER.contains(next) && is_for(behind.first()));
            (is_noun && is_for) || (REPLACES.contains(word) && !JOINS.contains(next))
        }
        _ => false,
    }
}

/// Whether one of the things that are said asks for an end or to wait. What may be something else counts as the first alone.
fn asks(said: &[Vec<&str>]) -> bool {
    let mut is_first = true;
    let mut before = None;
    said.iter().any(|words| {
        let core = core(words);
        let may_be_a_name = matches!(words.as_slice(), [word] if ALSO_NAMES.contains(word));
        let may_ask = is_first || !(may_be_a_name || is_of_a_print(before));
        is_first &= core.is_empty();
        before = words.last().copied();
        may_ask && asks_in(core)
    })
}

/// Whether what follows a word may be printed: `Back: on hold`.
fn is_of_a_print(before: Option<&str>) -> bool {
    before.is_some_and(|word| OF_A_PRINT.iter().any(|stem| word.starts_with(stem)))
}

/// Words without those around them that only say who asks, and how urgently.
fn core<'w, 't>(mut words: &'w [&'t str]) -> &'w [&'t str] {
    while let [first, behind @ ..] = words
        && LEADS.contains(first)
    {
        words = behind;
    }
    while let [before @ .., last] = words
        && LEADS.contains(last)
    {
        words = before;
    }
    words
}

fn asks_in(core: &[&str]) -> bool {
    let said = core.join(" ");
    ASKS_FOR_AN_END.contains(&said.as_str())
        || ASKS_TO_WAIT.iter().any(|phrase| starts_with(&said, phrase))
        || awaits(&said)
        || is_a_duplicate(core)
}

/// Whether words say for what an order is to wait: `hold for address confirmation`. A parcel is held for pickup.
fn awaits(said: &str) -> bool {
    const MOST: usize = 4;
    let awaited = AWAITS.iter().find_map(|phrase| said.strip_prefix(phrase));
    awaited.is_some_and(|awaited| {
        let mut words = awaited.split(' ');
        words.clone().count() <= MOST && words.any(|word| AWAITED.contains(&word))
    })
}

/// Whether words say of which order this one is a duplicate: `duplicate of #1001`.
fn is_a_duplicate(words: &[&str]) -> bool {
    const MOST: usize = 3;
    let ["duplicate", "of", id @ ..] = words else {
        return false;
    };
    let has_digit = |word: &&str| word.bytes().any(|byte| byte.is_ascii_digit());
    let is_id = |first: &&str| has_digit(first) || BEFORE_AN_ID.contains(first);
    id.len() <= MOST && id.first().is_some_and(is_id) && id.iter().any(has_digit)
}

/// Whether words say that the order has ended: in few of them, or in a sentence.
fn tells_of_an_end(words: &[&str]) -> bool {
    let is_denied = |at: usize| {
        let before = words.get(..at).unwrap_or_default().iter().rev();
        before.take(2).any(|before| NO.contains(before))
    };
    let mut first = words.iter().take(FIRST).enumerate();
    let is_short = words.len() <= SHORT && first.any(|(at, word)| is_end(word) && !is_denied(at));
    is_short || is_sentence_of_an_end(words)
}

/// Whether words are a sentence of the order, or of who called it off: `This order was canceled by …`.
fn is_sentence_of_an_end(words: &[&str]) -> bool {
    let mut words = words
        .iter()
        .skip_while(|word| LEADS.contains(word) || **word == "the");
    let is_told = words.next().is_some_and(|word| is_end(word));
    is_told && words.next().is_none_or(|next| BEHIND_AN_END.contains(next))
}

fn is_end(word: &str) -> bool {
    ENDS_IN_A_NOTE.iter().any(|end| word.starts_with(end))
}

/// Whether a word of a clause forbids it, by what stands around it; the clause may be all that is said.
fn forbids_at(words: &[&str], at: usize, is_all: bool) -> bool {
    let (before, from) = words.split_at(at);
    let Some((word, behind)) = from.split_first() else {
        return false;
    };
    let is_no = match before {
        // `Back: no print` speaks of a place.
        [.., "no"] => AFTER_NO.contains(word) || (words.len() == 2 && is_all),
        [.., of, "t"] => CONTRACTED.contains(of),
        [.., no] => NO.contains(no) || *no == "dont",
        [] => false,
    };
    let is_make_it = *word == "make" && behind.first() == Some(&"it");
    let fails = matches!(before, [.., who, _, "t" | "not"] if SUBJECTS.contains(who));
    TO_DO.contains(word) && is_no && is_of_this(behind) && !(is_make_it && fails)
}

/// Whether words say as a whole that the order is not to be printed or sent: `Not to be printed`. A price may be named before
/// that.
fn is_not_to_be_done(words: &[&str]) -> bool {
    match core(words) {
        ["not", "to", "be", word, behind @ ..] | ["must" | "should", "not", "be", word, behind @ ..] => {
            TO_BE_DONE.contains(word)
                && (behind.iter().all(|word| BESIDE_THIS.contains(word))
                    || behind.first().is_some_and(|word| YET.contains(word)))
        }
        _ => false,
    }
}

/// Whether it is the order that is not to be printed or sent, by what stands behind that.
fn is_of_this(behind: &[&str]) -> bool {
    let Some(first) = behind.first() else {
        return true;
    };
    let is_beside = |word: &&&str| OF_THIS.contains(*word) || BESIDE_THIS.contains(*word);
    let next = behind.iter().find(|word| !is_beside(word));
    YET.contains(first) || (OF_THIS.contains(first) && next.is_none_or(|next| GOES_ON.contains(next)))
}
