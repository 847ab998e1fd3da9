//! What it means that a sheet says how an order stands: whether it is called off, or has ended well. It matters once the
//! order is known: one that is at the printer is `shipped` some day, and whoever waits for an approval writes `on hold`.

use super::alone::is_all_of_an_end;
use super::elsewhere::{
    Stopped, is_denied_answer, is_hold, is_of_a_part, is_refund, is_released, stopped_in,
    stops_another_order, was_on_hold,
};
use super::ends::ENDED;
use super::id::ends_beside_an_id;
use super::paid::{is_crossed, says_unpaid};
use super::words::PLAIN_NO;
use super::{By, begins_with, clauses, is_complete, is_sent, spread, tells_at};
use crate::order::amount;
use crate::order::columns::normalized;
use crate::order::mend::quoted;

/// What is said where a word for an end stands beside an order's id.
const OF_THE_ID: &str = "its id says ";
/// The same at the order that it speaks of.
const OF_A_ROW: &str = "says that it is ";

/// What is said of a title or a heading, of the name of a tab, and of a row or a cell that is crossed out.
pub(super) const STANDS_BELOW: &str = "it stands below";
pub(super) const IN_TAB: &str = "its tab is called";
pub(super) const STRUCK: &str = "is struck through";

/// What stands between the name of a column and what it says, and before that.
const SAYS: &str = " says `";

/// So many characters of what a cell says of its order are read at a time: words are held against each other, and a status is
/// short.
const AT_A_TIME: usize = 400;

/// What is said of an order by what has it wait; the gravest is the greatest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Ends {
    /// It is not paid, or waits for something.
    Open,
    /// It is sent or done.
    Done,
    /// It is to be stopped for now.
    OnHold,
    /// It is canceled, refunded, or not to be printed.
    CalledOff,
}

impl Ends {
    fn in_words(self) -> &'static str {
        match self {
            Self::CalledOff => "canceled or not to be printed",
            Self::OnHold => "on hold",
            Self::Done => "sent or done",
            Self::Open => "not paid",
        }
    }
}

/// Where a sheet says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// Beside the order's id.
    Id,
    /// Beside the same id in another row.
    IdOfARow,
    /// In how one of its rows is written.
    Row,
    /// In a column of the sheet's own, or over the order's rows.
    Words,
}

/// Why an order is to wait by what its sheet says of it, as the end of a sentence, and what that means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mark {
    pub(crate) why: String,
    pub(crate) ends: Ends,
    pub(in crate::order) place: Place,
}

impl Mark {
    /// That a word for an end stands beside its id.
    pub(super) fn of_the_id(id: &str) -> Self {
        Self {
            why: format!("{OF_THE_ID}{}", quoted(id.trim())),
            ends: ends_beside_an_id(id),
            place: Place::Id,
        }
    }

    /// That it does so in another row.
    pub(in crate::order) fn of_a_row(row: u32, ends: Ends) -> Self {
        Self {
            why: format!("row {row} {OF_A_ROW}{}", ends.in_words()),
            ends,
            place: Place::IdOfARow,
        }
    }

    /// Why, of an order that its id may not name alone.
    pub(crate) fn why_of(&self, order_id: &str) -> String {
        match self.place {
            Place::Id => format!("{} of the order {order_id}", self.why),
            Place::IdOfARow | Place::Row | Place::Words => self.why.clone(),
        }
    }

    /// Whether it stands beside its id, or beside the same id in another row.
    pub(crate) fn is_beside_an_id(&self) -> bool {
        matches!(self.place, Place::Id | Place::IdOfARow)
    }

    /// Whether a message says the same, wherever the row stands now.
    pub(crate) fn is_said_in(&self, message: &str) -> bool {
        let without_numbers = |text: &str| text.replace(|c: char| c.is_ascii_digit(), "");
        match self.place {
            // Of its id it may be told at the order's own row, and at the other, by another word.
            Place::Id | Place::IdOfARow => ends_said(message) == Some(self.ends),
            Place::Row => without_numbers(message).contains(&without_numbers(&self.why)),
            Place::Words => message.contains(&self.why) || self.is_said_of_its_amount_in(message),
        }
    }

    /// Whether a message says the same amount of the same column, however it is written: a spreadsheet makes `10` of `10.00`.
    fn is_said_of_its_amount_in(&self, message: &str) -> bool {
        let amount_before = |behind: &str| amount::read(behind.split_once('`')?.0);
        let amount_now = || {
            let (says, behind) = self.why.split_once(SAYS)?;
            Some((format!("{says}{SAYS}"), amount_before(behind)?))
        };
        amount_now().is_some_and(|(says, now)| {
            let mut others = message.split(says.as_str()).skip(1);
            others.any(|behind| amount_before(behind) == Some(now))
        })
    }
}

/// Whether it is said of an order by what is not in its own cells: a sheet that has those alone, as a result or a to-fix
/// sheet has, does not say it again.
pub(crate) fn is_said_apart(why: &str) -> bool {
    [STANDS_BELOW, IN_TAB, STRUCK, OF_A_ROW]
        .iter()
        .any(|said| why.contains(said))
}

/// What a message says that stands beside an order's id.
fn ends_said(message: &str) -> Option<Ends> {
    let of_a_row = || {
        let all = [Ends::CalledOff, Ends::OnHold, Ends::Done, Ends::Open];
        let is_said = |ends: &Ends| message.contains(&format!("{OF_A_ROW}{}", ends.in_words()));
        all.into_iter().find(is_said)
    };
    let (_, behind) = message.split_once(OF_THE_ID).unwrap_or_default();
    match behind.split('`').nth(1) {
        Some(id) => Some(ends_beside_an_id(id)),
        None => of_a_row(),
    }
}

/// What a column's text means that has the order with this id wait.
pub(super) fn ends_of(id: &str, (by, heading): (By, &str), text: &str) -> Ends {
    parts(text)
        .map(|text| ends_of_a_part(id, (by, heading), text))
        .max()
        .unwrap_or(Ends::Open)
}

/// A text in parts that are read by themselves; all of it, where it is short. The gravest that one of them says counts.
fn parts(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest.take()?;
        let end = text.char_indices().nth(AT_A_TIME).map(|(end, _)| end);
        let (part, behind) = end.and_then(|end| text.split_at_checked(end)).unzip();
        rest = behind;
        Some(part.unwrap_or(text))
    })
}

fn ends_of_a_part(id: &str, (by, heading): (By, &str), text: &str) -> Ends {
    let ends = ends_by(by, heading, text);
    let is_in_words = || !matches!(by, By::Filling | By::Count | By::Go | By::GoOrCost);
    let is_another = || is_in_words() && stops_another_order(&text.to_lowercase(), id);
    match ends {
        Ends::CalledOff if is_another() => Ends::Done,
        ends => ends,
    }
}

/// The same, whatever its id.
fn ends_by(by: By, heading: &str, text: &str) -> Ends {
    let text = spread(text).to_lowercase();
    match by {
        By::Filling => ends_by_filling(heading, &text),
        By::Count => Ends::CalledOff,
        By::FillingOfSent | By::CountOfSent | By::Parcel => Ends::Done,
        By::Go | By::GoOrCost => ends_by_answer(heading, &text),
        By::NotBefore => Ends::Open,
        By::WordOfRefund if is_denied_answer(&text) => Ends::Done,
        By::Word
        | By::WordOfOrder
        | By::WordOfPayment
        | By::WordOfRefund
        | By::Paid
        | By::Note
        | By::Tags
        | By::Province
        | By::Unknown => ends_in_words(&text),
    }
}

/// What a day, a tick or an amount means in a column of what is canceled, refunded or on hold.
fn ends_by_filling(heading: &str, text: &str) -> Ends {
    let name = normalized(heading);
    let is_of_money = says_unpaid(&heading.to_lowercase()) || name.contains("unpaid");
    let says_amount = [
        "amount", "total", "betrag", "montant", "importe", "importo", "bedrag",
    ]
    .iter()
    .any(|word| name.contains(word));
    // A day may be written like an amount: `26.11`.
    let is_of_money_back = match written_amount(text) {
        Some(Written::WithDecimals) => says_amount || (is_refund(&name) && text.contains(is_of_currency)),
        // `10.00` that a spreadsheet has saved.
        Some(Written::Whole) => says_amount,
        None => false,
    };
    match (is_of_money, name.contains("hold")) {
        (true, _) => Ends::Open,
        (false, true) if is_released(text) => Ends::Open,
        (false, true) => Ends::OnHold,
        // What it is of does not show: of the order, or of what sending costs.
        (false, false) if is_of_money_back => Ends::Done,
        (false, false) if is_of_a_part(text) => Ends::Done,
        (false, false) if (name.contains("request") || is_refund(&name)) && is_denied_answer(text) => {
            Ends::Done
        }
        (false, false) => Ends::CalledOff,
    }
}

/// How an amount is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Written {
    WithDecimals,
    Whole,
}

/// How a text is written that is an amount, with or without its currency: no tick and no day.
fn written_amount(text: &str) -> Option<Written> {
    let digits = text.trim_matches(|c: char| c.is_whitespace() || is_of_currency(c));
    let decimals = digits.rsplit_once(['.', ',']).map(|(_, decimals)| decimals.len());
    let is_plain = |c: char| c.is_ascii_digit() || ".,'".contains(c);
    match decimals {
        _ if digits.is_empty() || !digits.chars().all(is_plain) => None,
        None => Some(Written::Whole),
        Some(1..=2) => Some(Written::WithDecimals),
        Some(_) => None,
    }
}

fn is_of_currency(c: char) -> bool {
    c.is_alphabetic() || "$€£".contains(c)
}

/// What the answer means whether to print or send an order. Who has not approved it yet has not called it off.
fn ends_by_answer(heading: &str, text: &str) -> Ends {
    let name = normalized(heading);
    let asks_to_print = !["approv", "proof", "freigegeben", "freigabe", "ready"]
        .iter()
        .any(|word| name.contains(word));
    // How many are left to print.
    let is_none_left = text == "0" && name.starts_with("to") && !heading.contains('?');
    let is_no = text == "0" || is_crossed(text) || begins_with(text, &PLAIN_NO);
    let is_done = || {
        clauses(text)
            .get(1..)
            .is_some_and(|behind| behind.iter().any(is_told_as_done))
    };
    match (asks_to_print && is_no, is_none_left) {
        (true, true) => Ends::Done,
        (true, false) if is_done() => Ends::Done,
        (true, false) => Ends::CalledOff,
        (false, _) => ends_in_words(text),
    }
}

/// Whether words say that an order is sent or done, and nothing else: behind `No` it is not called off.
fn is_told_as_done(words: &Vec<&str>) -> bool {
    let text = words.join(" ");
    stopped_in(&text).is_none() && is_all_of_an_end(&text) && ends_in_words(&text) == Ends::Done
}

/// What a text, in small letters, means that says how an order stands.
pub(super) fn ends_in_words(text: &str) -> Ends {
    parts(text).map(ends_in_a_part).max().unwrap_or(Ends::Open)
}

fn ends_in_a_part(text: &str) -> Ends {
    let clauses = clauses(text);
    let tells = |is_word: &dyn Fn(&[&str], usize) -> bool| {
        let at = |words: &Vec<&str>| (0..words.len()).any(|at| is_word(words, at) && tells_at(words, at));
        clauses.iter().any(at)
    };
    let is_at = |words: &[&str], at: usize, is_word: fn(&str) -> bool| {
        words.get(at).is_some_and(|word| is_word(word))
    };
    match stopped_in(text) {
        Some(Stopped::Order) => Ends::CalledOff,
        Some(Stopped::Else) => Ends::Done,
        None if tells(&|words, at| is_at(words, at, is_hold) && !was_on_hold(words, at)) => Ends::OnHold,
        None if tells(&|words, at| is_at(words, at, is_sent))
            || is_complete(text)
            || begins_with(text, &ENDED) =>
        {
            Ends::Done
        }
        None => Ends::Open,
    }
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
            ("on hold until it is released", Ends::OnHold),
            ("was on hold, now ok", Ends::Open),
            ("hold -> on hold released", Ends::Open),
            ("verschickt, rechnung storniert", Ends::Done),
            ("partially refunded", Ends::Done),
            ("cancel request declined", Ends::Done),
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
            (By::Filling, "Refunded amount", "3.50", Ends::Done),
            (By::Filling, "Refunded amount", "10", Ends::Done),
            (By::Filling, "Refunded amount", "1234 EUR", Ends::Done),
            (By::Filling, "Refunded amount", "x", Ends::CalledOff),
            (By::Filling, "Refunded", "10", Ends::CalledOff),
            (By::Filling, "Refunded", "5,00 EUR", Ends::Done),
            (By::Filling, "Refunded", "2026-11-26", Ends::CalledOff),
            (By::Filling, "Refunded?", "yes", Ends::CalledOff),
            (By::Filling, "Refunded?", "partially", Ends::Done),
            (By::Filling, "Cancel request", "declined by us", Ends::Done),
            (By::Filling, "Cancelled", "payment declined", Ends::CalledOff),
            (By::Filling, "Hold", "released 25.11.", Ends::Open),
            (By::Go, "Print?", "no - already printed", Ends::Done),
            (By::Go, "Print?", "no, shipped", Ends::Done),
            (By::Go, "Print?", "no - canceled", Ends::CalledOff),
            (By::Go, "Print?", "no, complete address missing", Ends::CalledOff),
            (By::WordOfRefund, "Refund status", "declined", Ends::Done),
            (By::WordOfRefund, "Refund status", "refunded", Ends::CalledOff),
            (By::Go, "Print?", "0", Ends::CalledOff),
            (By::Go, "To print", "0", Ends::Done),
        ] {
            assert_eq!(ends_by(by, heading, text), ends, "{heading}: {text}");
        }
    }

    #[test]
    fn a_mark_that_was_said_is_known_by_its_words() {
        let mark = |why: &str, place| Mark {
            why: why.to_owned(),
            ends: Ends::CalledOff,
            place,
        };
        let struck = mark("row 5 is struck through", Place::Row);
        assert!(struck.is_said_in("It needs a look: row 12 is struck through."));
        let canceled = Mark::of_the_id("5 CANCELED");
        let of_a_row = |ends| format!("It needs a look: {}.", Mark::of_a_row(2, ends).why);
        assert!(canceled.is_said_in(&of_a_row(Ends::CalledOff)));
        assert!(canceled.is_said_in("It needs a look: its id says `CANCEL 5`."));
        assert!(!canceled.is_said_in(&of_a_row(Ends::OnHold)));
        assert!(!canceled.is_said_in("It needs a look: its id says `5 done`."));
        assert!(Mark::of_a_row(9, Ends::Done).is_said_in("It needs a look: its id says `5 done`."));
        assert_eq!(canceled.why_of("5"), "its id says `5 CANCELED` of the order 5");
        let status = mark("`Status` says `2`", Place::Words);
        assert!(status.is_said_in("It needs a look: `Status` says `2`."));
        assert!(!status.is_said_in("It needs a look: `Status` says `1`."));
        assert!(!status.is_said_in(&of_a_row(Ends::CalledOff)));
        let amount = mark("`Refunded Amount` says `10`", Place::Words);
        for same in ["10", "10.00", "10.0", "10,00", "$10.00"] {
            let said = format!("It needs a look: `Status` says `2`; `Refunded Amount` says `{same}`.");
            assert!(amount.is_said_in(&said), "{same}");
        }
        for other in ["11.00", "100", "10 CANCELED", "", "1,000"] {
            let said = format!("It needs a look: `Refunded Amount` says `{other}`, `Total` says `10`.");
            assert!(!amount.is_said_in(&said), "{other}");
        }
    }

    #[test]
    fn a_cell_of_a_thousand_words_is_read_in_no_time_and_to_its_end() {
        let long = format!("{}{}", "the ".repeat(4000), "rejected x ".repeat(2000));
        assert_eq!(ends_in_words(&long), Ends::CalledOff);
        for canceled in [
            format!("canceled {}", "and ".repeat(8000)),
            format!("{}- canceled", "please wrap it well ".repeat(400)),
        ] {
            assert_eq!(ends_in_words(&canceled), Ends::CalledOff);
            assert_eq!(ends_of("1001", (By::Note, "Notes"), &canceled), Ends::CalledOff);
        }
        let text = "\u{e9}".repeat(900);
        let lengths: Vec<usize> = parts(&text).map(|part| part.chars().count()).collect();
        assert_eq!(lengths, [AT_A_TIME, AT_A_TIME, 100]);
        assert_eq!(parts("").count(), 1);
    }
}
