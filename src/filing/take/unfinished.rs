//! What is said of a file whose end is missing, or seems to be.

use std::borrow::Cow;

use crate::finding::{Code, Rejection};
use crate::sheet::Ending;

/// Why a file whose end is missing is not taken yet.
const NOT_WHOLE: &str =
    "its end is missing, as while it is copied or saved; save it again if that is long over";

/// The same of one whose last row may go on.
const DOUBTFUL: &str = "its last row has fewer cells than the one above it and no line end, as while it is copied; it is taken as it \
                        is when it has stayed so for a quarter of an hour";

/// Why a file that ends so is not taken yet.
pub(super) fn not_whole(ending: Ending) -> Cow<'static, str> {
    match ending {
        Ending::Doubtful => DOUBTFUL.into(),
        Ending::Whole | Ending::Missing => NOT_WHOLE.into(),
        Ending::InQuotes { line } => format!(
            "its end is missing, as while it is copied or saved, or the quotation mark that begins a cell in line {line} is \
             never closed; if that is text, take it out or write it twice in a quoted cell, and save it again"
        )
        .into(),
    }
}

/// Why it is not taken at all, once it has stayed so for long.
pub(in crate::filing) fn incomplete(name: &str, ending: Ending) -> Rejection {
    let (message, hint) = match ending {
        Ending::InQuotes { line } => (
            format!(
                "`{name}` has stayed incomplete for 15 minutes: the quotation mark that begins a cell in line {line} is never \
                 closed, so that what follows it is one cell, or the file's end is missing."
            ),
            format!(
                "If that mark is text, take it out in line {line}, or quote its cell and write it twice there; else close the \
                 cell. If the file was cut while it was copied, copy or save it again. Then drop it once more."
            ),
        ),
        Ending::Whole | Ending::Doubtful | Ending::Missing => (
            format!("`{name}` has stayed incomplete for 15 minutes: its end is missing."),
            "Copy or save it again and drop it once more.".to_owned(),
        ),
    };
    Rejection {
        code: Code::IncompleteSheet,
        message,
        hint,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_that_is_never_closed_is_named_with_its_line_before_and_when_the_file_is_rejected() {
        let ending = Ending::InQuotes { line: 3 };
        let waits = not_whole(ending);
        assert!(
            waits.contains("quotation mark that begins a cell in line 3"),
            "{waits}"
        );
        assert!(waits.contains("its end is missing"), "{waits}");
        let why = incomplete("orders.csv", ending);
        assert_eq!(why.code, Code::IncompleteSheet);
        assert!(
            why.message
                .contains("quotation mark that begins a cell in line 3"),
            "{why}"
        );
        for remedy in ["take it out in line 3", "write it twice", "copy or save it again"] {
            assert!(why.hint.contains(remedy), "{why}");
        }
        for other in [not_whole(Ending::Missing), not_whole(Ending::Doubtful)] {
            assert!(!other.contains("quotation mark"), "{other}");
        }
        let cut = incomplete("orders.xlsx", Ending::Missing);
        assert!(!cut.message.contains("quotation mark"), "{cut}");
    }
}
