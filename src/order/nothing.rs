//! What people and programs write for a value that nobody had.

use super::characters::HYPHENS;
use super::columns::{Field, Form};

/// Of a value that there is none.
const NONE: [&str; 12] = [
    "n/a",
    "n.a.",
    "n\\a",
    "<na>",
    "(na)",
    "(none)",
    "(null)",
    "\\n",
    "null",
    "undefined",
    "undefined undefined",
    "(blank)",
];

/// That it stands elsewhere. What stands above a row may be of another order.
const ELSEWHERE: [&str; 15] = [
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
];

/// That it stands in what was written besides, or before: of a part of an address that is no more than a word for nothing, but
/// of what is to be printed it says where to look.
const WRITTEN_ELSEWHERE: [&str; 30] = [
    "see email",
    "see e-mail",
    "see mail",
    "see message",
    "see messages",
    "see msg",
    "see comment",
    "see comments",
    "see attached",
    "see attachment",
    "in email",
    "in message",
    "on file",
    "address on file",
    "as before",
    "same as before",
    "same as last",
    "same as last time",
    "same as last order",
    "as last time",
    "see previous order",
    "siehe e-mail",
    "siehe email",
    "siehe mail",
    "siehe nachricht",
    "siehe anhang",
    "wie vorher",
    "wie zuvor",
    "wie immer",
    "wie gehabt",
];

/// That it is not known yet, or not to the program.
const NOT_KNOWN: [&str; 3] = ["unknown", "tbd", "[object object]"];

/// The same as [`NONE`], where nothing is called so: `None` and `Nan` are towns.
const NONE_IF_NO_TOWN: [&str; 4] = ["none", "na", "nan", "default"];

/// That a cell is blank, where a link, a place or a code is asked for.
const BLANK: [&str; 8] = [
    "kein", "keine", "keines", "leer", "empty", "blank", "nothing", "nil",
];

/// Of an order's id that there is none, as programs write it.
const NO_ID: [&str; 6] = ["n/a", "na", "null", "none", "nan", "undefined"];

/// That a cell says what the one above it says, in words and in the letters of the East; marks for it have no letters.
const DITTO: [&str; 14] = [
    "ditto",
    "dito",
    "idem",
    "id.",
    "do.",
    "same",
    "same as above",
    "as above",
    "see above",
    "wie oben",
    "siehe oben",
    "s.o.",
    "々",
    "仝",
];

/// What such marks are made of: `"`, `''`, `-"-`, `〃`, an arrow.
const DITTO_MARKS: &str = "\"'`´^″“”„‟〃〻↑⇑";

fn is_one_of(text: &str, words: &[&str]) -> bool {
    words.iter().any(|word| text.eq_ignore_ascii_case(word))
}

/// Whether a text is a word for nothing.
pub(crate) fn is_word_for_nothing(text: &str) -> bool {
    is_one_of(text, &NONE) || is_one_of(text, &NOT_KNOWN) || is_one_of(text, &ELSEWHERE)
}

/// Whether a text says that what belongs in its cell stands in another one.
pub(crate) fn points_elsewhere(text: &str) -> bool {
    is_one_of(text, &ELSEWHERE) || is_one_of(text, &WRITTEN_ELSEWHERE) || is_ditto(text)
}

/// Whether a text holds the place of a value that need not be there: a dash, a zero or a word for nothing.
pub(crate) fn says_nothing(text: &str) -> bool {
    !text.contains(|c: char| c.is_alphanumeric() && c != '0')
        || is_word_for_nothing(text)
        || is_one_of(text, &NONE_IF_NO_TOWN)
}

/// Whether a text says that a cell says what the one above it says.
pub(super) fn is_ditto(text: &str) -> bool {
    let is_mark = || text.contains(|c| DITTO_MARKS.contains(c)) && !text.contains(char::is_alphanumeric);
    is_one_of(text, &DITTO) || is_mark()
}

/// Whether a text stands where nobody wrote an order's id: a dash, the 0 of a formula, a program's word for nothing, or a
/// mark for what stands above.
pub(crate) fn stands_for_no_id(id: &str) -> bool {
    let is_none = || id == "0" || is_one_of(id, &NO_ID) || is_one_of(id, &DITTO);
    !id.is_empty() && (!id.contains(char::is_alphanumeric) || is_none())
}

/// Whether a text in a cell that may be blank means that it is. One that points elsewhere does not; an action of `none` may
/// be that nothing is to be done, a note of `0` a number that is printed, and a total of `0` is one; a thing is made in `NA`.
pub(super) fn is_blank_in(field: Field, text: &str) -> bool {
    /// The longest of the words.
    const MOST: usize = 19;
    let form = field.column().form;
    if !may_be_blank(field) || text.len() > MOST {
        return false;
    }
    let counts_zeros = !matches!(form, Form::Text | Form::Amount | Form::Word);
    let is_mark = |c: char| "-–—_./ ".contains(c) || HYPHENS.contains(&c) || (counts_zeros && c == '0');
    let is_made_in = field == Field::MadeInLocation;
    let is_asked_for = match form {
        Form::Url => is_one_of(text, &BLANK) || is_one_of(text, &["no", "nein"]),
        Form::Service => is_one_of(text, &BLANK) || is_one_of(text, &["any"]),
        Form::Amount => is_one_of(text, &BLANK),
        _ if is_made_in => is_one_of(text, &BLANK) || is_one_of(text, &["any"]),
        _ => false,
    };
    let is_none = || match form {
        Form::Word => text.eq_ignore_ascii_case("nan"),
        _ => is_one_of(text, &NONE_IF_NO_TOWN) && !(is_made_in && text.eq_ignore_ascii_case("na")),
    };
    text.chars().all(is_mark) || is_one_of(text, &NONE) || is_asked_for || is_none()
}

fn may_be_blank(field: Field) -> bool {
    let optional = [
        Field::ShippingAddress2,
        Field::ShippingPhone,
        Field::ShippingService,
        Field::ProductName,
        Field::MadeInLocation,
        Field::VariantNote,
        Field::MockupUrl,
        Field::ExpectedTotal,
        Field::Action,
    ];
    optional.contains(&field) || Field::ARTWORK.contains(&field)
}

/// Whether a text was left by a program that had nothing to put there, or not yet.
pub(crate) fn is_unfilled(text: &str) -> bool {
    const WORDS: [&str; 4] = ["loading...", "loading…", "[redacted]", "<redacted>"];
    let is_field = || text.contains("{{") && text.contains("}}");
    is_one_of(text, &WORDS) || is_field()
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
    fn what_stands_for_no_id_is_a_dash_a_zero_a_program_s_word_or_a_mark_for_what_stands_above() {
        for (id, is_none) in [
            ("-", true),
            ("***", true),
            ("0", true),
            ("N/A", true),
            ("null", true),
            ("\"", true),
            ("//", true),
            ("Ditto", true),
            ("same", true),
            ("", false),
            ("0-0", false),
            ("00", false),
            ("NA-1", false),
            ("7", false),
            ("Same-7", false),
        ] {
            assert_eq!(stands_for_no_id(id), is_none, "{id}");
        }
        for text in ["\"", "''", "- \" -", "〃", "↑", "dito", "as above"] {
            assert!(is_ditto(text), "{text}");
        }
        for text in ["", "-", "0", "n/a", "6\"", "TBD"] {
            assert!(!is_ditto(text), "{text}");
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
    fn what_points_at_a_message_is_no_part_of_an_address_and_something_of_a_print() {
        for text in ["see email", "See message", "as before", "on file", "wie immer"] {
            assert!(points_elsewhere(text), "{text}");
            assert!(!says_nothing(text) && !stands_for_no_id(text), "{text}");
        }
        for text in ["On File Road", "12 Email Street", "See", "As", ""] {
            assert!(!points_elsewhere(text), "{text}");
        }
    }

    #[test]
    fn a_cell_that_may_be_blank_is_by_a_word_that_says_so_and_not_by_one_that_points_elsewhere() {
        let all = [
            "-",
            "–",
            "--",
            "n/a",
            "N/A",
            "n.a.",
            "null",
            "NULL",
            "nan",
            "NaN",
            "undefined",
        ];
        let optional: Vec<Field> = Field::ALL
            .into_iter()
            .filter(|field| may_be_blank(*field))
            .collect();
        for (field, text) in optional.iter().flat_map(|field| all.map(|text| (*field, text))) {
            assert!(is_blank_in(field, text), "{field:?} {text}");
        }
        let (line2, phone, note) = (Field::ShippingAddress2, Field::ShippingPhone, Field::VariantNote);
        let (link, made_in, action) = (Field::ArtworkBack, Field::MadeInLocation, Field::Action);
        for (field, text) in [
            (line2, "0"),
            (line2, "none"),
            (phone, "0"),
            (note, "None"),
            (link, "no"),
            (link, "kein"),
            (link, "leer"),
            (link, "0"),
            (Field::MockupUrl, "none"),
            (made_in, "any"),
            (Field::ShippingService, "0"),
            (Field::ExpectedTotal, "none"),
        ] {
            assert!(is_blank_in(field, text), "{field:?} {text}");
        }
        for (field, text) in [
            (line2, "No"),
            (line2, "No. 4"),
            (line2, "ditto"),
            (line2, "#"),
            (line2, "???"),
            (note, "0"),
            (note, "00"),
            (note, "No"),
            (note, "♥"),
            (link, "tbd"),
            (link, "same as above"),
            (link, "yes"),
            (made_in, "NA"),
            (made_in, "NO"),
            (made_in, "Any Town"),
            (action, "none"),
            (action, "no"),
            (action, "0"),
            (Field::ExpectedTotal, "0.00"),
            (Field::ShippingCity, "n/a"),
            (Field::ShippingZip, "0"),
            (Field::ItemSku, "-"),
            (Field::Quantity, "0"),
        ] {
            assert!(!is_blank_in(field, text), "{field:?} {text}");
        }
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
