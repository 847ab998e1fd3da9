//! What people and programs write for a value that nobody had.

/// `None`, `Nan` and `Same` are towns. What stands above a row may be of another order.
const WORDS: [&str; 24] = [
    "ditto",
    "dito",
    "idem",
    "as above",
    "see above",
    "same as above",
    "same address",
    "same as billing",
    "same as billing address",
    "see billing address",
    "see notes",
    "see note",
    "wie oben",
    "siehe oben",
    "s.o.",
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

/// Whether a text was left by a program that had nothing to put there, or not yet.
pub(crate) fn is_unfilled(text: &str) -> bool {
    const WORDS: [&str; 4] = ["loading...", "loading…", "[redacted]", "<redacted>"];
    let is_field = || text.contains("{{") && text.contains("}}");
    WORDS.iter().any(|word| text.eq_ignore_ascii_case(word)) || is_field()
}

/// Whether a text is the example of a form: `e.g. Jane Doe`. Whose initials are these writes them in capitals.
pub(crate) fn is_example(text: &str) -> bool {
    const BEGINS: [&str; 8] = [
        "e.g. ", "e.g., ", "eg. ", "z.B. ", "z. B. ", "p. ex. ", "p.ex. ", "bijv. ",
    ];
    BEGINS.iter().any(|begin| text.starts_with(begin))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_program_left_is_no_value_and_what_people_write_is() {
        for text in [
            "Loading...",
            "[REDACTED]",
            "{{shipping.address1}}",
            "Dear {{ name }}",
        ] {
            assert!(is_unfilled(text), "{text}");
        }
        for text in ["Loading Bay 4", "Nan", "{Ada}", "Redacted Street 1"] {
            assert!(!is_unfilled(text), "{text}");
        }
    }

    #[test]
    fn what_only_points_at_another_row_says_nothing_and_names_of_towns_do() {
        for text in ["Ditto", "same as above", "wie oben", "-", "0", "TBD"] {
            assert!(says_nothing(text), "{text}");
        }
        for town in ["Same", "None such", "Idemu", "12 Above Street"] {
            assert!(!says_nothing(town), "{town}");
        }
        assert!(says_nothing("Same as billing") && !says_nothing("12 Billing Street"));
    }

    #[test]
    fn the_example_of_a_form_is_known_by_how_it_begins() {
        for text in ["e.g. Jane Doe", "z. B. Musterweg 3", "p. ex. Paris"] {
            assert!(is_example(text), "{text}");
        }
        for text in ["E.G. Smith", "Eg. Smith", "Egton", "egg street", ""] {
            assert!(!is_example(text), "{text}");
        }
    }
}
