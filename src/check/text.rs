//! Whether the texts themselves can be sent: no broken characters, nothing over-long.

use crate::finding::{Code, Finding};
use crate::order::{At, Draft, Field, Form, Level, Lost, lost_in, quoted};

use super::Subject;
use super::lines::wrong_value;
use super::value;

/// Control characters, the mark that a reader leaves where it could not read a character, and words of question marks,
/// which a program leaves of letters that its encoding has not.
pub(super) fn has_no_broken_character(subject: &Subject<'_>) -> Vec<Finding> {
    let draft = subject.draft;
    texts(draft)
        .filter_map(|(at, text)| {
            let form = at.field().column().form;
            if form == Form::Line
                && let Some((why, hint)) = lost_letters(at.field(), text)
            {
                let message = format!("{} is {}: {why}.", at.field().name(), quoted(text));
                let piece = draft.piece_at(at, |piece| lost_letters(at.field(), piece).is_some());
                return Some(
                    draft
                        .finding(Code::BadCharacter, at, message, hint)
                        .in_column(piece),
                );
            }
            let (message, hint) = broken(at.field(), text)?;
            let piece = draft.piece_at(at, |piece| broken(at.field(), piece).is_some());
            Some(
                draft
                    .finding(Code::BadCharacter, at, message, hint)
                    .in_column(piece),
            )
        })
        .collect()
}

/// The first broken character of a text, and what is to be done.
fn broken(field: Field, text: &str) -> Option<(String, &'static str)> {
    // Most are plain, and need not be taken apart into characters.
    if text.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
        return None;
    }
    let notes = field.column().form == Form::Text;
    let broken = text.chars().find(|c| is_broken(*c, notes))?;
    let (what, hint) = if broken == char::REPLACEMENT_CHARACTER {
        (
            "a character that was lost when the file was saved (shown as \u{fffd})".to_owned(),
            SAVE_AS_UTF8,
        )
    } else {
        let number = u32::from(broken);
        (
            format!("an invisible character (U+{number:04X})"),
            "Write the value anew, without line breaks.",
        )
    };
    Some((format!("{} {} holds {what}.", field.name(), quoted(text)), hint))
}

/// Why a text cannot be sent in a field, as a sentence.
pub(super) fn unfit(field: Field, text: &str) -> Option<String> {
    let broken = broken(field, text).map(|(message, _hint)| message);
    broken.or_else(|| value::length(field, text).map(|wrong| wrong.message))
}

pub(super) fn is_not_too_long(subject: &Subject<'_>) -> Vec<Finding> {
    let draft = subject.draft;
    texts(draft)
        .filter_map(|(at, text)| {
            let wrong = value::length(at.field(), text)?;
            Some(match at {
                At::Line(field, line) => wrong_value(subject, (field, line), wrong),
                At::Row(..) => draft.finding(wrong.code, at, wrong.message, &wrong.hint),
            })
        })
        .collect()
}

/// Every text that is sent, but for the id, with its place: one an order for what speaks of the whole order.
fn texts(draft: &Draft) -> impl Iterator<Item = (At<'_>, &str)> {
    Field::ALL
        .into_iter()
        .filter(|field| !matches!(field, Field::OrderId | Field::ExpectedTotal | Field::Action))
        .flat_map(move |field| {
            let (value, lines) = match field.column().level {
                Level::Order => (Some(draft.value(field)), Default::default()),
                Level::Line => (None, draft.lines()),
            };
            let value = value.map(|value| (At::Row(field, value.row), value.text));
            let lines = lines
                .iter()
                .map(move |line| (At::Line(field, line), line.text(field)));
            value
                .into_iter()
                .chain(lines)
                .filter(|(_, text)| !text.is_empty())
        })
}

/// How letters that a program has lost come back.
const SAVE_AS_UTF8: &str = "Write the value anew, and save the file as UTF-8 or as a workbook.";

/// How the letters of a text were lost for which something else stands now, and how they come back.
fn lost_letters(field: Field, text: &str) -> Option<(&'static str, &'static str)> {
    Some(match lost_in(field, text)? {
        Lost::Words => ("its letters were lost when the file was saved", SAVE_AS_UTF8),
        Lost::Letter => (
            "a letter was lost when the file was saved, and has become a question mark",
            SAVE_AS_UTF8,
        ),
        Lost::Stars => (
            "the shop has put stars in place of letters",
            "Export the order again while the shop still shows its whole address, or write it.",
        ),
    })
}

fn is_broken(c: char, notes: bool) -> bool {
    let fine = notes && matches!(c, '\n' | '\r' | '\t');
    c == char::REPLACEMENT_CHARACTER || (c.is_control() && !fine)
}
