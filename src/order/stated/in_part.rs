//! How a column of payment says of an order that it is paid in part, or is still to be paid, in words that mean nothing of it
//! elsewhere: `half`, `deposit`, `50%`, `invoice sent`.

use super::{clauses, first_clause, starts_with};

/// What such a column says as a whole, but for numbers and currencies.
const WHOLE: [&str; 42] = [
    "partial",
    "partially",
    "partly",
    "part",
    "half",
    "half paid",
    "paid half",
    "half now",
    "deposit",
    "deposit only",
    "only deposit",
    "deposit paid",
    "paid deposit",
    "deposit received",
    "deposit made",
    "down payment",
    "downpayment",
    "later",
    "will pay later",
    "pays later",
    "to pay later",
    "invoice sent",
    "sent invoice",
    "invoiced",
    "invoice open",
    "invoice due",
    "teilweise",
    "teil",
    "teilzahlung",
    "halb",
    "hälfte",
    "hälfte bezahlt",
    "anzahlung",
    "nur anzahlung",
    "anzahlung bezahlt",
    "anzahlung erhalten",
    "angezahlt",
    "später",
    "zahlt später",
    "rechnung gesendet",
    "rechnung verschickt",
    "rechnung offen",
];

/// What begins it where something is owed.
const OWED: [&str; 5] = ["owes", "still owes", "owing", "owed", "schuldet"];

/// What stands beside a part in a hundred that is paid.
const PAID: [&str; 10] = [
    "paid",
    "deposit",
    "down",
    "upfront",
    "now",
    "received",
    "bezahlt",
    "angezahlt",
    "anzahlung",
    "erhalten",
];

/// What is paid by then, of an order that was paid in part.
const THE_REST: [&str; 5] = ["balance", "rest", "remainder", "restbetrag", "full"];

/// Whether a column of payment, in small letters, says that an order is paid in part, or not yet.
pub(super) fn says_in_part(text: &str) -> bool {
    let first = first_clause(text);
    let said = first.iter().copied().filter(|word| !is_amount(word));
    let said = said.collect::<Vec<&str>>().join(" ");
    let is_part = WHOLE.contains(&said.as_str()) || owes(text, &said) || is_less_than_all(text);
    is_part && !is_paid_since(&clauses(text))
}

/// Whether what a text says behind that is that it is paid since.
fn is_paid_since(clauses: &[Vec<&str>]) -> bool {
    let is_paid = |word: &&str| ["paid", "bezahlt"].contains(word);
    let says_paid = |words: &Vec<&str>| match words.as_slice() {
        [first, ..] if is_paid(first) => true,
        [first, words @ ..] => THE_REST.contains(first) && words.iter().any(is_paid),
        [] => false,
    };
    clauses.iter().skip(1).any(says_paid)
}

/// Whether a word is a number, or the currency behind it.
fn is_amount(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_digit()) || ["usd", "eur", "gbp", "euro"].contains(&word)
}

fn owes(text: &str, said: &str) -> bool {
    let is_owed = OWED.into_iter().any(|phrase| starts_with(said, phrase));
    let is_none = text.contains('0') && !text.contains(|c: char| matches!(c, '1'..='9'));
    is_owed && !is_none && !said.contains("nothing") && !said.contains("nichts")
}

/// Whether a text is a part in a hundred, less than all of it: `50%`, `paid 50%`. `19% VAT` is of something else.
fn is_less_than_all(text: &str) -> bool {
    const ALL: u8 = 100;
    let Some((before, behind)) = text.split_once('%') else {
        return false;
    };
    let before = before.trim_end();
    let word = before.trim_end_matches(|c: char| c.is_ascii_digit());
    let number = before.strip_prefix(word).unwrap_or_default();
    let is_of_money = |text: &str| {
        let mut words = text
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty());
        words.next().is_none_or(|word| PAID.contains(&word))
    };
    number.parse::<u8>().is_ok_and(|number| number < ALL) && is_of_money(word) && is_of_money(behind)
}
