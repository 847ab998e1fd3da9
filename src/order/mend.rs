//! What spreadsheets and copying break in a cell, and what of it is certain enough to be fixed. A fix that nobody
//! could object to is silent; one that changes what is sent leaves a remark; what cannot be restored is an error.

use crate::finding::Code;
use crate::sheet::CellKind;

use super::columns::{Field, Form};

/// What mending says of a cell; its place is the caller's to know.
#[derive(Clone, Debug)]
pub(crate) struct Remark {
    pub(crate) code: Code,
    pub(crate) message: String,
    pub(crate) hint: String,
}

/// A mended cell.
#[derive(Clone, Debug, Default)]
pub(crate) struct Mended {
    /// The text; empty where the cell is blank or its value is lost for good.
    pub(crate) text: String,
    /// What is to be said of it.
    pub(crate) remark: Option<Remark>,
}

/// Mends one cell of a known column.
pub(crate) fn mend(field: Field, raw: &str, kind: CellKind) -> Mended {
    let form = field.column().form;
    let text = cleaned(raw, form);
    if let Some(remark) = lost(field, &text, kind) {
        return Mended {
            text,
            remark: Some(remark),
        }
        .without_unreadable();
    }
    match form {
        Form::Id => mended_id(&text),
        Form::Count => Mended::silent(whole_number(&text).unwrap_or(&text)),
        Form::Zip => Mended::silent(
            &text
                .strip_suffix(".0")
                .filter(|d| is_digits(d))
                .unwrap_or(&text)
                .to_uppercase(),
        ),
        Form::Phone => Mended::silent(text.strip_suffix(".0").filter(|d| is_digits(d)).unwrap_or(&text)),
        Form::Place if text.len() <= 3 => Mended::silent(&text.to_uppercase()),
        Form::Service => Mended::silent(&text.to_uppercase()),
        Form::Line => Mended::silent(&one_line(&text)),
        Form::Place | Form::Word | Form::Amount | Form::Text | Form::Url => Mended::silent(&text),
    }
}

/// A value as a message shows it: in backticks, control characters visible, shortened.
pub(crate) fn quoted(value: &str) -> String {
    /// Longer values are cut: a message is for reading.
    const SHOWN: usize = 60;
    let mut shown: String = value
        .chars()
        .take(SHOWN)
        .flat_map(|c| {
            let visible = if c.is_control() {
                c.escape_default().to_string()
            } else {
                c.to_string()
            };
            visible.chars().collect::<Vec<_>>()
        })
        .collect();
    if value.chars().nth(SHOWN).is_some() {
        shown.push('…');
    }
    format!("`{shown}`")
}

impl Mended {
    fn silent(text: &str) -> Self {
        Self {
            text: text.to_owned(),
            remark: None,
        }
    }

    /// An error's or an unstored formula's text stands for nothing: it is never sent, not compared.
    fn without_unreadable(mut self) -> Self {
        let unreadable = |remark: &Remark| matches!(remark.code, Code::CellError | Code::NoCachedValue);
        if self.remark.as_ref().is_some_and(unreadable) {
            self.text.clear();
        }
        self
    }
}

/// Without what nobody typed: no-break and zero-width characters, white space at the ends, text guards.
fn cleaned(raw: &str, form: Form) -> String {
    let prose = matches!(form, Form::Line | Form::Text);
    let plain: String = if raw.is_ascii() {
        raw.to_owned()
    } else {
        raw.chars().filter_map(|c| visible(c, prose)).collect()
    };
    unguarded(plain.trim(), prose).trim().to_owned()
}

/// A character that may stay, no-break spaces as spaces. Joiners belong to the letters of some scripts: in prose they
/// stay.
fn visible(c: char, prose: bool) -> Option<char> {
    match c {
        '\u{a0}' | '\u{2007}' | '\u{202f}' | '\u{3000}' => Some(' '),
        '\u{200c}' | '\u{200d}' if prose => Some(c),
        '\u{200b}'..='\u{200f}'
        | '\u{202a}'..='\u{202e}'
        | '\u{2060}'
        | '\u{2066}'..='\u{2069}'
        | '\u{feff}'
        | '\u{ad}' => None,
        other => Some(other),
    }
}

/// Without the marks that keep a spreadsheet from changing a text: `'02134` and `="02134"`. Names may begin with an
/// apostrophe (`'s-Hertogenbosch`), so that in prose it goes only before what a spreadsheet would change.
fn unguarded(text: &str, prose: bool) -> &str {
    if let Some(inner) = text.strip_prefix("=\"").and_then(|rest| rest.strip_suffix('"')) {
        return inner;
    }
    match text.strip_prefix('\'') {
        Some(rest) if !prose || rest.starts_with(|c: char| c.is_ascii_digit() || "=+-@".contains(c)) => rest,
        _ => text,
    }
}

fn one_line(text: &str) -> String {
    if !text.contains(['\n', '\r', '\t', '\u{2028}', '\u{2029}']) {
        return text.to_owned();
    }
    text.replace('\t', " ")
        .split(['\n', '\r', '\u{2028}', '\u{2029}'])
        .map(|line| line.trim().trim_end_matches(','))
        .filter(|line| !line.is_empty())
        .collect::<Vec<_>>()
        .join(", ")
}

fn mended_id(text: &str) -> Mended {
    let text = text.strip_prefix('#').unwrap_or(text).trim_start();
    let Some(digits) = text.strip_suffix(".0").filter(|digits| is_digits(digits)) else {
        return Mended::silent(text);
    };
    let remark = Remark {
        code: Code::FixedId,
        message: format!("The order_id {} is read as `{digits}`.", quoted(text)),
        hint: "Format the column as text before you save the sheet.".to_owned(),
    };
    Mended {
        text: digits.to_owned(),
        remark: Some(remark),
    }
}

/// `2.0`, `2.00` and `2,0` are 2.
fn whole_number(text: &str) -> Option<&str> {
    let (digits, zeros) = text.split_once(['.', ','])?;
    let short = matches!(zeros, "0" | "00");
    (short && is_digits(digits)).then_some(digits)
}

/// What a spreadsheet lost for good.
fn lost(field: Field, text: &str, kind: CellKind) -> Option<Remark> {
    let name = field.name();
    let (code, message, hint) = match kind {
        CellKind::NoValue => (
            Code::NoCachedValue,
            format!("The formula in {name} has no stored result."),
            "Open the sheet in a spreadsheet program, save it, and drop it again; or write the value itself.",
        ),
        CellKind::Error => cell_error(name, text),
        _ if is_error_text(text) => cell_error(name, text),
        CellKind::LostDigits => lost_digits(name, text),
        _ if is_identifier(field) && is_scientific(text) => lost_digits(name, text),
        CellKind::Date | CellKind::Bool if is_identifier(field) && !text.is_empty() => (
            Code::LostDigits,
            format!("The spreadsheet has turned {name} into {}.", quoted(text)),
            "Format the column as text, write the value anew, and drop the sheet again.",
        ),
        CellKind::Blank | CellKind::Text | CellKind::Number | CellKind::Date | CellKind::Bool => return None,
    };
    Some(Remark {
        code,
        message,
        hint: hint.to_owned(),
    })
}

fn cell_error(name: &str, text: &str) -> (Code, String, &'static str) {
    (
        Code::CellError,
        format!("The cell for {name} holds the error {}.", quoted(text)),
        "Mend the formula, or write the value itself.",
    )
}

fn lost_digits(name: &str, text: &str) -> (Code, String, &'static str) {
    (
        Code::LostDigits,
        format!(
            "The spreadsheet has rounded {name} to {}: digits are lost.",
            quoted(text)
        ),
        "Copy the whole number from where it came from into a column formatted as text.",
    )
}

/// Whether every digit of the field counts.
fn is_identifier(field: Field) -> bool {
    matches!(
        field,
        Field::OrderId | Field::ItemSku | Field::ShippingZip | Field::ShippingPhone
    )
}

fn is_error_text(text: &str) -> bool {
    matches!(
        text,
        "#N/A" | "#REF!" | "#VALUE!" | "#NAME?" | "#DIV/0!" | "#NULL!" | "#NUM!" | "#SPILL!" | "#CALC!"
    )
}

/// `1.23457E+12`, as spreadsheets write a long number; they always write the sign.
fn is_scientific(text: &str) -> bool {
    text.split_once("E+")
        .or_else(|| text.split_once("e+"))
        .is_some_and(|(number, exponent)| {
            let mut parts = number.splitn(2, ['.', ',']);
            parts.all(is_digits) && is_digits(exponent)
        })
}

/// Whether a text is one ASCII digit or more, and nothing else.
pub(crate) fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(field: Field, raw: &str) -> (String, Option<Code>) {
        let mended = mend(field, raw, CellKind::Text);
        (mended.text, mended.remark.map(|remark| remark.code))
    }

    #[test]
    fn what_is_certain_is_fixed() {
        for (field, raw, fixed) in [
            (Field::OrderId, " 1001\t", "1001"),
            (Field::OrderId, "#1001", "1001"),
            (Field::OrderId, "\u{feff}10\u{200b}01\u{a0}", "1001"),
            (Field::OrderId, "'1001", "1001"),
            (Field::OrderId, "=\"001001\"", "001001"),
            (Field::OrderId, "A-1.0", "A-1.0"),
            (Field::OrderId, "1001.5", "1001.5"),
            (Field::OrderId, "12E4", "12E4"),
            (Field::ShippingZip, "'02134", "02134"),
            (Field::ShippingZip, "90210.0", "90210"),
            (Field::ShippingZip, "k1a 0b1", "K1A 0B1"),
            (Field::Quantity, "2.0", "2"),
            (Field::Quantity, "2,0", "2"),
            (Field::Quantity, "2.5", "2.5"),
            (Field::Quantity, "2,000", "2,000"),
            (Field::ShippingCity, "'s-Hertogenbosch", "'s-Hertogenbosch"),
            (Field::ShippingAddress1, "'12 Main St", "12 Main St"),
            (
                Field::ShippingAddress1,
                "12 Main St,\r\nApt 4",
                "12 Main St, Apt 4",
            ),
            (Field::ShippingName, "Ann\u{a0}Example", "Ann Example"),
            (Field::ShippingName, "نیم\u{200c}فاصله", "نیم\u{200c}فاصله"),
            (Field::ShippingCountryCode, "us", "US"),
            (Field::ShippingProvinceCode, "California", "California"),
            (Field::ShippingService, "auex", "AUEX"),
            (Field::VariantNote, "two\nlines", "two\nlines"),
        ] {
            assert_eq!(text(field, raw), (fixed.to_owned(), None), "{raw:?}");
        }
        assert_eq!(
            text(Field::OrderId, "1001.0"),
            ("1001".to_owned(), Some(Code::FixedId))
        );
    }

    #[test]
    fn what_is_lost_is_an_error() {
        for (field, raw, kind, code) in [
            (
                Field::OrderId,
                "1.23457E+12",
                CellKind::Text,
                Some(Code::LostDigits),
            ),
            (
                Field::OrderId,
                "1,23457E+12",
                CellKind::Text,
                Some(Code::LostDigits),
            ),
            (Field::OrderId, "1E+12", CellKind::Text, Some(Code::LostDigits)),
            (Field::OrderId, "1E12", CellKind::Text, None),
            (
                Field::OrderId,
                "577000000000000000",
                CellKind::LostDigits,
                Some(Code::LostDigits),
            ),
            (Field::OrderId, "577000000000000000", CellKind::Number, None),
            (
                Field::ItemSku,
                "2026-11-21",
                CellKind::Date,
                Some(Code::LostDigits),
            ),
            (Field::ProductName, "2026-11-21", CellKind::Date, None),
            (Field::ShippingZip, "#N/A", CellKind::Error, Some(Code::CellError)),
            (Field::ShippingZip, "#N/A", CellKind::Text, Some(Code::CellError)),
            (
                Field::ShippingCity,
                "",
                CellKind::NoValue,
                Some(Code::NoCachedValue),
            ),
            (Field::ShippingCity, "", CellKind::Blank, None),
        ] {
            let mended = mend(field, raw, kind);
            assert_eq!(mended.remark.map(|remark| remark.code), code, "{raw} {kind:?}");
        }
    }

    #[test]
    fn a_quoted_value_is_short_and_visible() {
        assert_eq!(quoted("a\tb"), "`a\\tb`");
        assert_eq!(quoted(&"x".repeat(61)), format!("`{}…`", "x".repeat(60)));
    }
}
