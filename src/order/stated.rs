//! What a sheet says of its orders' standing in columns that are no known shop's: `Status`, `Payment Status` or
//! `Cancelled at`. Nobody has said how they are written, so that nothing is left out by them; an order that may be
//! canceled, refunded or sent already waits for a person.

mod alone;
mod asked;
mod called_off;
mod days;
mod elsewhere;
mod ends;
mod heading;
mod headings;
mod id;
mod in_part;
mod label;
mod mark;
mod names;
mod noted;
mod notes;
mod paid;
mod periods;
mod province;
mod readdressed;
mod struck;
mod unknown;
mod unreadable;
mod unwanted;
mod words;

use std::borrow::Cow;

use super::mend::quoted;
use super::recent::Recent;
use crate::sheet::Row;
use asked::by_heading;
pub(super) use called_off::{ids_called_off, speaks_of_one_like};
pub(super) use days::NotBefore;
use ends::{COMPLETE, ENDED, FALLEN_THROUGH, MONEY, NOT_PAID, THE_ORDER, WAITS};
pub(super) use heading::{
    Heading, heads_what_has_ended, heads_what_is_open, says_that_it_is_sent, titles_what_has_ended,
};
pub(crate) use id::{beginnings_before_an_id, ids_beside_a_mark, ids_called_off_alone, numbers_in};
pub(super) use id::{ends_beside_an_id, is_marked, mark_by_id};
use in_part::says_in_part;
pub(super) use label::marks_on_a_label;
pub(crate) use mark::{Ends, Mark, is_said_apart};
use mark::{Place, ends_of};
use noted::{is_all_of_a_note, is_ended_in_a_note, says_not_to};
use paid::{answers_no, says_no, says_not_now, says_unpaid};
use readdressed::gives_another_address;
pub(super) use struck::struck_through;
pub(crate) use unwanted::says_not_to_send;
use words::{
    BESIDE, BETWEEN, MARKS, NO, NOT_SO, NOT_YET, PAPERS, SENT, SENT_WORDS, STILL_NO, STILL_TO_COME, STOPPED,
    UNDONE,
};

/// What a column tells of an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum By {
    Word,
    WordOfOrder,
    WordOfPayment,
    WordOfRefund,
    Filling,
    /// The same of what is sent or done.
    FillingOfSent,
    Count,
    /// Pieces that are sent, not taken back.
    CountOfSent,
    Paid,
    /// Whether it is to be printed at all, or may be yet.
    Go,
    /// The same, in a column that may also hold what sending costs.
    GoOrCost,
    /// A parcel's number, which in a sheet of one's own an order has that is sent.
    Parcel,
    Note,
    /// Several words, each of which stands for itself.
    Tags,
    /// A province, or how the order stands: both are called `State`.
    Province,
    /// Anything: its name is not known.
    Unknown,
    /// A day before which it is not to be sent.
    NotBefore,
}

/// The columns of a header that tell how an order stands.
#[derive(Clone, Debug, Default)]
pub(super) struct Stated(Vec<(usize, By, String)>);

impl Stated {
    /// Of the columns that are the sheet's own.
    pub(super) fn of(header: &Row, own: &[usize]) -> Self {
        let told = own.iter().filter_map(|column| {
            let text = header.text(*column);
            if is_margin(header, *column) {
                return Some((*column, By::Word, MARGIN.to_owned()));
            }
            let is_day = days::is_headed_so(text).then_some(By::NotBefore);
            let by = is_day.or_else(|| by_heading(text))?;
            Some((*column, by, text.trim().to_owned()))
        });
        Self(told.collect())
    }

    /// With the columns of provinces, in which a sheet may say how its orders stand.
    pub(super) fn with_provinces(mut self, header: &Row, own: &[usize]) -> Self {
        for column in own {
            let heading = header.text(*column);
            let is_known = self.0.iter().any(|(known, ..)| known == column);
            if !is_known && province::is_headed_so(heading) {
                self.0.push((*column, By::Province, heading.trim().to_owned()));
            }
        }
        self
    }

    /// With those columns that are not known by their names, where nothing else is `read` in them.
    pub(super) fn with_unknown(mut self, header: &Row, own: &[usize], read: &[usize]) -> Self {
        for column in own {
            let is_known = read.contains(column) || self.0.iter().any(|(known, ..)| known == column);
            let heading = header.text(*column).trim();
            if !is_known && unknown::may_speak_of_the_order(heading) {
                self.0.push((*column, By::Unknown, heading.to_owned()));
            }
        }
        self
    }

    /// Without the columns that the rules of a shop's profile look at.
    pub(super) fn without(mut self, known: &[usize]) -> Self {
        self.0.retain(|(column, ..)| !known.contains(column));
        self
    }

    /// Without the columns that count the pieces which are sent: where what is left to send is read, those are not in it.
    pub(super) fn without_pieces_sent(mut self) -> Self {
        self.0.retain(|(_, by, _)| *by != By::CountOfSent);
        self
    }

    /// Without the columns that hold the numbers of parcels: of a shop's orders they are there as soon as a label is bought.
    pub(super) fn without_parcels(mut self) -> Self {
        self.0.retain(|(_, by, _)| *by != By::Parcel);
        self
    }

    /// Why the order with this id is to wait by what a row of it says.
    pub(super) fn marks(&self, row: &Row, id: &str) -> Vec<Mark> {
        let told = self.0.iter().filter_map(|(column, by, name)| {
            let text = row.text(*column).trim();
            let unreadable = unreadable::mark_by(*by, name, (text, row.kind(*column)));
            unreadable.or_else(|| tells(*by, text).then(|| mark_by_text(id, (*by, name), text)))
        });
        told.collect()
    }

    /// The days before which a row says that its order is not to be sent.
    pub(super) fn not_before(&self, row: &Row) -> Vec<NotBefore> {
        let columns = self.0.iter().filter(|(_, by, _)| *by == By::NotBefore);
        columns
            .filter_map(|(column, _, name)| NotBefore::read(name, row, *column))
            .collect()
    }
}

/// Why the order with this id is to wait by the text of a column.
fn mark_by_text(id: &str, (by, name): (By, &str), text: &str) -> Mark {
    let said = format!("{} says {}", quoted(name), quoted(text));
    Mark {
        why: match by {
            By::Parcel => said + ", as of an order that is sent already",
            _ => said,
        },
        ends: ends_of(id, (by, name), text),
        place: Place::Words,
    }
}

/// What stands between two tags.
const BETWEEN_TAGS: [char; 5] = [',', ';', '|', '\n', '\r'];

/// What a column is called that has no heading.
const MARGIN: &str = "(no heading)";

/// Whether a column stands left of all that have a heading, and has none: a person marks the rows there.
fn is_margin(header: &Row, column: usize) -> bool {
    (0..=column).all(|column| header.text(column).trim().is_empty())
}

fn is_number(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_digit())
}

fn tells(by: By, text: &str) -> bool {
    thread_local! {
        static RECENT: Recent<By, bool> = Recent::default();
    }
    RECENT.with(|recent| recent.find(by, text, |text| tells_anew(by, text)))
}

fn tells_anew(by: By, text: &str) -> bool {
    let has_number = || text.bytes().any(|byte| matches!(byte, b'1'..=b'9'));
    let text = spread(text).to_lowercase();
    let fell_through = || begins_with(&text, &FALLEN_THROUGH);
    match by {
        // `-`, `0` and `0000-00-00` hold the place of a number of pieces, or of a day.
        By::Count | By::CountOfSent => has_number(),
        By::Filling => has_number() || says_yes(&text),
        By::FillingOfSent => !is_still_to_come(&text) && tells(By::Filling, &text),
        By::Paid => answers_no(&text),
        By::Go => text == "0" || says_not_now(&text),
        By::GoOrCost => says_not_now(&text),
        By::Parcel => is_number_of_a_parcel(&text),
        By::WordOfPayment => says_no(&text) || says_in_part(&text) || tells(By::WordOfRefund, &text),
        By::WordOfRefund => begins_with(&text, &NOT_PAID) || fell_through() || has_ended(&text),
        By::WordOfOrder => fell_through() || tells(By::Word, &text),
        By::Word => is_complete(&text) || has_ended(&text) || says_not_to(&text),
        By::Note => says_in_a_note(&text) || is_all_of_a_note(&text) || gives_another_address(&text),
        // A shop's own program tags what it has sent, and an order may have other lines to send.
        By::Tags => text.split(BETWEEN_TAGS).any(|tag| says_in_a_note(tag.trim())),
        By::Province => province::is_a_standing(&text),
        By::Unknown => unknown::is_whole_cell_of_an_end(&text),
        By::NotBefore => days::is_in_words(&text),
    }
}

/// Whether a note or a tag, in small letters, says that its order has ended or is not to be printed.
fn says_in_a_note(text: &str) -> bool {
    is_ended_in_a_note(text) || says_not_to(text)
}

/// The words of a program's own name for something, apart: `PartiallyShipped`.
fn spread(text: &str) -> Cow<'_, str> {
    let is_seam = |pair: (char, char)| pair.0.is_lowercase() && pair.1.is_uppercase();
    let is_name = !text.contains(char::is_whitespace) && text.chars().zip(text.chars().skip(1)).any(is_seam);
    if !is_name {
        return text.into();
    }
    let mut apart = String::with_capacity(text.len().saturating_mul(2));
    let mut before = ' ';
    for c in text.chars() {
        if is_seam((before, c)) {
            apart.push(' ');
        }
        apart.push(c);
        before = c;
    }
    apart.into()
}

/// Whether a text without a number says that it is so. `0.00 EUR` does not, and `No: canceled by the buyer` does.
fn says_yes(text: &str) -> bool {
    let first = text
        .split(|c: char| !c.is_alphanumeric())
        .find(|word| !word.is_empty());
    if first.is_none() && text.contains(MARKS) {
        return true;
    }
    let is_no =
        |first: &str| NOT_SO.contains(&first) || UNDONE.contains(&first) || begins_with(text, &STILL_NO);
    !text.contains(|c: char| c.is_ascii_digit()) && first.is_some_and(|first| !is_no(first) || is_told(text))
}

/// Whether a text, in small letters, says of an order that it is still to be sent or done.
fn is_still_to_come(text: &str) -> bool {
    begins_with_one_of(text, &STILL_TO_COME) && !is_told(text)
}

/// Whether what a text says first begins with one of these, whatever follows.
fn begins_with_one_of(text: &str, phrases: &[&str]) -> bool {
    let said = first_clause(text).join(" ");
    phrases.iter().any(|phrase| starts_with(&said, phrase))
}

/// Whether words begin with these.
fn starts_with(said: &str, phrase: &str) -> bool {
    let rest = said.strip_prefix(phrase);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
}

/// Whether a text may be the number of a parcel, and no word such as `Tracked 48`. A spreadsheet may have rounded it.
fn is_number_of_a_parcel(text: &str) -> bool {
    const DIGITS: usize = 6;
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    digits >= DIGITS || (digits > 0 && text.contains("e+"))
}

/// Whether a text, in small letters, says that an order is canceled, refunded, stopped or sent.
fn is_told(text: &str) -> bool {
    let is_told = |words: &Vec<&str>| (0..words.len()).any(|at| tells_at(words, at));
    clauses(text).iter().any(is_told)
}

/// Whether a word says so, by what stands before it.
fn tells_at(words: &[&str], at: usize) -> bool {
    let Some((word, before)) = words.get(..=at).and_then(<[&str]>::split_last) else {
        return false;
    };
    let follows = |before: &[&str], words: &[&str]| {
        let counts = before.iter().rev().find(|word| !BESIDE.contains(word));
        counts.is_some_and(|word| words.contains(word))
    };
    match before.split_last() {
        Some((&"on", before)) if *word == "hold" => return !follows(before, &NO),
        None if *word == "hold" => return words.len() == 1,
        _ if is_stopped(word) => return !follows(before, &NO),
        _ => {}
    }
    is_sent(word) && !follows(before, &PAPERS) && !before.iter().any(|word| NOT_YET.contains(word))
}

/// Whether a word, in small letters, means that an order is canceled, refunded or stopped.
fn is_stopped(word: &str) -> bool {
    STOPPED.iter().any(|stem| word.starts_with(stem))
}

/// Whether a word, in small letters, means that an order is sent.
fn is_sent(word: &str) -> bool {
    SENT.iter().any(|stem| word.starts_with(stem)) || SENT_WORDS.contains(&word)
}

/// Whether a text, in small letters, says that an order is done.
fn is_complete(text: &str) -> bool {
    clauses(text).iter().any(|words| {
        let behind = words.split_first().filter(|(first, _)| THE_ORDER.contains(first));
        let words = behind.map_or(words.as_slice(), |(_, behind)| behind);
        let is_at = |at: usize, of: &[&str]| words.get(at).is_some_and(|word| of.contains(word));
        is_at(0, &COMPLETE) && !is_at(1, &MONEY)
    })
}

/// Whether what a text says first is one of these, and no more than that.
fn begins_with(text: &str, phrases: &[&str]) -> bool {
    phrases.contains(&first_clause(text).join(" ").as_str())
}

fn has_ended(text: &str) -> bool {
    is_told(text) || begins_with(text, &ENDED) || begins_with(text, &WAITS) || says_unpaid(text)
}

/// The words of what a text says first.
fn first_clause(text: &str) -> Vec<&str> {
    let mut clauses = clauses(text).into_iter();
    clauses.find(|words| !words.is_empty()).unwrap_or_default()
}

/// The words of each thing that a text says.
fn clauses(text: &str) -> Vec<Vec<&str>> {
    let words = |clause| {
        let words = str::split(clause, |c: char| !c.is_alphanumeric());
        words.filter(|word| !word.is_empty()).collect()
    };
    let parts = text.split(" - ").flat_map(|part| part.split(BETWEEN));
    parts.map(words).collect()
}

#[cfg(test)]
mod tests;
