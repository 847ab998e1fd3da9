//! What people and programs write for a value that nobody had.

/// `None` and `Nan` are towns.
const WORDS: [&str; 9] = [
    "n/a",
    "n.a.",
    "null",
    "undefined",
    "undefined undefined",
    "unknown",
    "tbd",
    "(blank)",
    "[object object]",
];

/// Whether a text is a word for nothing.
pub(crate) fn is_word_for_nothing(text: &str) -> bool {
    WORDS.iter().any(|word| text.eq_ignore_ascii_case(word))
}

/// Whether a text holds the place of a value that need not be there: a dash, a zero or a word for nothing.
pub(crate) fn says_nothing(text: &str) -> bool {
    const MORE: [&str; 3] = ["none", "na", "default"];
    let is_word = || MORE.iter().any(|word| text.eq_ignore_ascii_case(word));
    !text.contains(|c: char| c.is_alphanumeric() && c != '0') || is_word_for_nothing(text) || is_word()
}
