//! A note that gives another address for its order: `Ship to new address: 5 Oak St`. Nobody reads an address out of a
//! sentence, and the one in the row's own columns would get the parcel.

use super::noted::sentences;

/// What stands before it; behind these something has to show that the address itself follows.
const BEFORE: [&str; 14] = [
    "new address",
    "new shipping address",
    "new delivery address",
    "correct address",
    "correct shipping address",
    "correct delivery address",
    "corrected address",
    "updated address",
    "updated shipping address",
    "neue adresse",
    "neue anschrift",
    "neue lieferadresse",
    "richtige adresse",
    "richtige lieferadresse",
];

/// The same, where it cannot but follow.
const TO: [&str; 11] = [
    "change address to",
    "change the address to",
    "change my address to",
    "change shipping address to",
    "change the shipping address to",
    "change my shipping address to",
    "change delivery address to",
    "change the delivery address to",
    "address changed to",
    "adresse ändern auf",
    "adresse ändern in",
];

/// How the words before begin where what follows is printed: `Front text: new address 5 Oak St`.
const OF_A_PRINT: [&str; 12] = [
    "print", "text", "front", "back", "say", "read", "engrav", "write", "design", "aufdruck", "druck",
    "motiv",
];

/// Whether a note, in small letters, gives another address.
pub(super) fn gives_another_address(text: &str) -> bool {
    // The lines of an address stand below each other.
    let text = text.replace(['\n', '\r'], " ");
    let gives = |sentence| {
        BEFORE
            .into_iter()
            .any(|phrase| gives(sentence, phrase, begins_an_address))
            || TO.into_iter().any(|phrase| gives(sentence, phrase, |_| true))
    };
    sentences(&text).any(gives)
}

/// Whether an address stands behind a phrase: it has a number.
fn gives(sentence: &str, phrase: &str, begins: fn(&str) -> bool) -> bool {
    let Some((before, behind)) = sentence.split_once(phrase) else {
        return false;
    };
    let mut words = before.split(|c: char| !c.is_alphanumeric());
    let is_printed = words.any(|word| OF_A_PRINT.iter().any(|stem| word.starts_with(stem)));
    let is_word = !behind.starts_with(char::is_alphanumeric) && !before.ends_with(char::is_alphanumeric);
    let is_address = behind.contains(|c: char| c.is_ascii_digit()) && behind.contains(char::is_alphabetic);
    is_word && is_address && !is_printed && begins(behind.trim_start())
}

/// Whether what stands behind such words is an address: its number, or what leads to it.
fn begins_an_address(behind: &str) -> bool {
    const LEADS: [&str; 5] = ["is ", "ist ", "lautet ", "will be ", "should be "];
    let is_mark = |c: char| c.is_ascii_digit() || [':', '-', '=', '\u{2013}', '\u{2014}'].contains(&c);
    behind.starts_with(is_mark) || LEADS.iter().any(|lead| behind.starts_with(lead))
}
