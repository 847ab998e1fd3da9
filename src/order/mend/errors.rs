//! What spreadsheets show where a formula has no value.

use super::{is_digits, quoted};
use crate::finding::Code;

/// What spreadsheets show for an error, in English, German, French, Spanish, Dutch, Italian and Portuguese.
#[rustfmt::skip]
const ERRORS: [&str; 43] = [
    "#N/A", "#REF!", "#VALUE!", "#NAME?", "#DIV/0!", "#NULL!", "#NUM!", "#SPILL!", "#CALC!", "#ERROR!",
    "#NV", "#BEZUG!", "#WERT!", "#ZAHL!", "#ÜBERLAUF!", "#KALK!",
    "#VALEUR!", "#NOM?", "#NOM ?", "#NOMBRE!", "#NUL!", "#PROPAGATION!",
    "#N/D", "#¡REF!", "#¡VALOR!", "#¿NOMBRE?", "#¡DIV/0!", "#¡NULO!", "#¡NUM!", "#¡DESBORDAMIENTO!",
    "#N/B", "#VERW!", "#WAARDE!", "#NAAM?", "#GETAL!", "#LEEG!", "#DEEL/0!",
    "#RIF!", "#VALORE!", "#NOME?", "#NULLO!", "#VALOR!", "#NÚM!",
];

/// Whether a text is what a spreadsheet shows for an error.
pub(super) fn is_error_text(text: &str) -> bool {
    if let Some(hidden) = text.strip_prefix('#') {
        // A column that is too narrow shows nothing else, and some programs save what they show.
        let too_narrow = hidden.len() >= 2 && hidden.bytes().all(|byte| byte == b'#');
        return too_narrow || ERRORS.contains(&text);
    }
    text.strip_prefix("Err:")
        .is_some_and(|number| number.len() == 3 && is_digits(number))
}

/// What is said of a cell that holds an error.
pub(super) fn cell_error(name: &str, text: &str) -> (Code, String, &'static str) {
    (
        Code::CellError,
        format!("The cell for {name} holds the error {}.", quoted(text)),
        "Mend the formula, or write the value itself.",
    )
}
