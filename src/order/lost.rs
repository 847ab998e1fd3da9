//! Letters that a text has lost on its way, by what stands in their place.

use super::columns::Field;

/// What stands in the place of letters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lost {
    /// Question marks, in that of all letters or of all that a word has.
    Words,
    /// A question mark, within a word.
    Letter,
    /// The stars of a shop that no longer shows them.
    Stars,
}

/// What the parcel cannot come without: of other texts nobody knows whether a question mark is meant.
const ON_THE_LABEL: [Field; 3] = [Field::ShippingName, Field::ShippingAddress1, Field::ShippingCity];

/// Which letters the text of a field has lost.
pub(crate) fn lost_in(field: Field, text: &str) -> Option<Lost> {
    // Nearly no text has either.
    if !text.contains(['?', '*']) {
        return None;
    }
    if is_question_marks(text) {
        return Some(Lost::Words);
    }
    if !ON_THE_LABEL.contains(&field) {
        return None;
    }
    if is_within_a_word(text, ('?', 1), 2) {
        return Some(Lost::Letter);
    }
    if has_a_word_of_question_marks(field, text) {
        return Some(Lost::Words);
    }
    is_within_a_word(text, ('*', 2), 1).then_some(Lost::Stars)
}

/// Whether a text of a field says what it says no longer: letters of it were lost, or characters that no reader knew.
pub(super) fn has_lost_any(field: Field, text: &str) -> bool {
    text.contains(char::REPLACEMENT_CHARACTER) || lost_in(field, text).is_some()
}

/// Whether nothing but question marks and spaces stands in a text, and as many that nobody means them.
fn is_question_marks(text: &str) -> bool {
    const FEWEST: usize = 3;
    text.bytes().all(|byte| matches!(byte, b'?' | b' '))
        && text.bytes().filter(|byte| *byte == b'?').count() >= FEWEST
}

/// Whether a mark stands so often or more within a word: with letters on so many of its sides.
fn is_within_a_word(text: &str, (mark, least): (char, usize), sides: usize) -> bool {
    let letters = |c: Option<char>| usize::from(c.is_some_and(char::is_alphabetic));
    text.match_indices(mark).any(|(at, _)| {
        let (before, rest) = text.split_at(at);
        let after = rest.trim_start_matches(mark);
        rest.len() - after.len() >= least * mark.len_utf8()
            && letters(before.chars().next_back()) + letters(after.chars().next()) >= sides
    })
}

/// Whether several question marks stand in the place of a word, beside something that is left. One alone is a doubt (`c/o ?`),
/// and so are several behind letters (`Who??`) or a number, and two behind a street or a city (`12 Main St ??`).
fn has_a_word_of_question_marks(field: Field, text: &str) -> bool {
    let said = if field == Field::ShippingName {
        text
    } else {
        text.strip_suffix(" ??").unwrap_or(text)
    };
    let mut words = said.split(|c: char| !c.is_alphanumeric() && c != '?');
    let is_lost = |word: &str| word.starts_with("??") && !word.contains(char::is_alphabetic);
    text.contains(char::is_alphanumeric) && words.any(is_lost)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_of_question_marks_was_one_of_letters_and_a_doubt_is_none() {
        for text in [
            "Anna ???????",
            "??. ??????? 12",
            "12 ??????? ???????",
            "????? 5",
            "Kim ???",
            "?? Kim",
            "12 (??????)",
            "???-?????, 5",
            "??????12",
            "Anna \"???\"",
        ] {
            for field in ON_THE_LABEL {
                assert_eq!(lost_in(field, text), Some(Lost::Words), "{text}");
            }
            assert_eq!(lost_in(Field::ShippingAddress2, text), None, "{text}");
            assert_eq!(lost_in(Field::VariantNote, text), None, "{text}");
        }
        for text in [
            "Who?",
            "Who??",
            "c/o ?",
            "? Ada",
            "12? Maple Street",
            "12?? Maple Street",
            "12 Maple Street (2nd floor?)",
            "Really?! Ltd",
            "? ? Maple",
            "??",
            "?",
            "",
        ] {
            assert_eq!(lost_in(Field::ShippingName, text), None, "{text}");
        }
        assert_eq!(lost_in(Field::ShippingAddress1, "12 Main St ??"), None);
        assert_eq!(lost_in(Field::ShippingName, "Kim ??"), Some(Lost::Words));
    }
}
