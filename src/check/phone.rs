//! Whether the phone is one: a shop may no longer show it, and a spreadsheet may have calculated it.

use super::Subject;
use crate::finding::{Code, Finding};
use crate::order::{Field, quoted};

/// Why a phone is none: what has happened to it, and how it is mended.
type Why = (&'static str, &'static str);

const STARRED: Why = (
    "the shop has put stars in place of digits",
    "Nothing has to be done where the carrier needs none; else write the whole phone before the order is sent.",
);

/// Of `+1-555-010-0101` it makes a formula, whose result is -665.
const CALCULATED: Why = (
    "it is what a spreadsheet has calculated of a phone that begins with a plus",
    "Nothing has to be done where the carrier needs none; else format the column as text (Format Cells, Text) and type the \
     phone anew, or type an apostrophe before its plus, before the order is sent.",
);

/// The phone as it is sent: one that the shop no longer shows is none, nor is the result of a formula.
pub(super) fn as_sent(phone: &str) -> &str {
    if why_none(phone).is_some() { "" } else { phone }
}

/// A phone that is not sent for it has stars in place of digits, or was calculated.
pub(super) fn is_whole(subject: &Subject<'_>) -> Vec<Finding> {
    let draft = subject.draft;
    let phone = draft.value(Field::ShippingPhone);
    let finding = |(what, hint): Why| {
        let message = format!("The phone {} is left out: {what}.", quoted(phone.text));
        draft.finding(
            Code::PhoneLeftOut,
            (Field::ShippingPhone, phone.row),
            message,
            hint,
        )
    };
    why_none(phone.text).map(finding).into_iter().collect()
}

fn why_none(phone: &str) -> Option<Why> {
    let of = |why: Why, is_so: bool| is_so.then_some(why);
    of(STARRED, is_starred(phone)).or_else(|| of(CALCULATED, is_negative(phone)))
}

/// Whether a phone has stars in place of digits. One alone may belong to an extension.
fn is_starred(phone: &str) -> bool {
    phone.contains("**")
}

/// Whether a phone is a negative number, be it shown with decimals. None is dialled with a minus, and in a CSV the result
/// of a formula is text.
fn is_negative(phone: &str) -> bool {
    let is_of_number = |c: char| c.is_ascii_digit() || c == '.' || c == ',';
    let number = phone.strip_prefix(['-', '\u{2212}']);
    number.is_some_and(|number| {
        number.starts_with(|c: char| c.is_ascii_digit()) && number.chars().all(is_of_number)
    })
}
