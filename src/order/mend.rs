//! What spreadsheets and copying break in a cell, and what of it is certain enough to be fixed. A fix that nobody
//! could object to is silent; one that changes what is sent leaves a remark; what cannot be restored is an error.

mod days;
mod errors;

use crate::finding::{Code, Level};
use crate::sheet::CellKind;

use super::characters::{cleaned, repaired};
use super::columns::{Field, Form};
use super::service::in_capitals;
use super::zip::without_blank_part;

pub(crate) use days::{
    NoDays, day_for_id, is_a_pair, may_be_a_day, may_be_a_month, may_be_a_whole_day, same_months,
};
use days::{is_remade, remade};
use errors::{cell_error, is_error_text};

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
    let is_id = field.column().form == Form::Id && kind == CellKind::Text;
    if is_id && is_plain_id(raw) {
        return Mended::silent(raw);
    }
    looked_through(field, raw, kind)
}

/// The same of a cell that may have anything.
fn looked_through(field: Field, raw: &str, kind: CellKind) -> Mended {
    let form = field.column().form;
    let repaired = repaired(raw);
    let text = cleaned(repaired.as_deref().unwrap_or(raw), form);
    if let Some(remark) = lost(field, &text, kind) {
        return Mended {
            text: text.into_owned(),
            remark: Some(remark),
        }
        .without_unreadable();
    }
    let mut mended = in_form(field, &text);
    if repaired.is_some() {
        mended.remark.get_or_insert_with(|| Remark {
            code: Code::FixedText,
            message: format!(
                "{} {} is read as {}: it was saved in one encoding and read in another.",
                field.name(),
                quoted(raw),
                quoted(&mended.text)
            ),
            hint: "Check it. Save CSV files as UTF-8, or save a workbook.".to_owned(),
        });
    }
    mended
}

/// A clean text as texts of its field are written.
pub(super) fn in_form(field: Field, text: &str) -> Mended {
    match field.column().form {
        Form::Id => mended_id(text),
        Form::Count | Form::Phone => Mended::silent(whole_number(text).unwrap_or(text)),
        Form::Zip => Mended::silent(&without_blank_part(whole_number(text).unwrap_or(text)).to_uppercase()),
        Form::Place if text.len() <= 3 => Mended::silent(&text.to_uppercase()),
        Form::Service => Mended::silent(&in_capitals(text)),
        Form::Line => Mended::silent(&one_line(text, between_lines(field))),
        Form::Place | Form::Word | Form::Amount | Form::Text | Form::Url => Mended::silent(text),
    }
}

/// A value as a message shows it: in backticks, which it has none of itself, control characters visible as line breaks and
/// tabs are often written, others by their number, shortened.
pub(crate) fn quoted(value: &str) -> String {
    /// Longer values are cut: a message is for reading.
    const SHOWN: usize = 60;
    let mut shown = String::from('`');
    for c in value.chars().take(SHOWN) {
        match c {
            '\n' | '\r' | '\t' => shown.extend(c.escape_default()),
            '`' => shown.push('\''),
            _ if c.is_control() => shown.extend(format!("(U+{:04X})", u32::from(c)).chars()),
            _ => shown.push(c),
        }
    }
    if value.chars().nth(SHOWN).is_some() {
        shown.push('…');
    }
    shown.push('`');
    shown
}

impl Mended {
    /// Whether what the cell was cannot be known.
    pub(crate) fn is_lost(&self) -> bool {
        let remark = self.remark.as_ref();
        remark.is_some_and(|remark| remark.code.level() == Level::Error)
    }

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

/// What stands between the lines of a cell in one line: a place whose name is broken in two is one place.
fn between_lines(field: Field) -> &'static str {
    match field {
        Field::ShippingCity | Field::ShippingProvince | Field::ShippingCountry => " ",
        _ => ", ",
    }
}

fn one_line(text: &str, between: &str) -> String {
    if !text.contains(['\n', '\r', '\t', '\u{2028}', '\u{2029}']) {
        return text.to_owned();
    }
    text.replace('\t', " ")
        .split(['\n', '\r', '\u{2028}', '\u{2029}'])
        .map(|line| line.trim().trim_end_matches(','))
        .filter(|line| !line.is_empty())
        .collect::<Vec<_>>()
        .join(between)
}

/// Whether a cell has nothing that could be mended, as most ids: letters, digits and dashes, and no number but a whole one.
fn is_plain_id(raw: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    let begins_with_letter = raw.as_bytes().first().is_some_and(u8::is_ascii_alphabetic);
    (begins_with_letter && raw.bytes().all(is_plain)) || is_digits(raw)
}

fn mended_id(text: &str) -> Mended {
    let text = text.strip_prefix('#').unwrap_or(text).trim_start();
    let Some(digits) = whole_number(text) else {
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

/// `2.0`, `2.00` and `2,0` are 2: a spreadsheet that shows a column with decimals saves them too.
pub(super) fn whole_number(text: &str) -> Option<&str> {
    if !text.ends_with('0') {
        return None;
    }
    let (digits, zeros) = text.split_once(['.', ','])?;
    let short = matches!(zeros, "0" | "00");
    (short && is_digits(digits)).then_some(digits)
}

/// What a spreadsheet lost for good.
fn lost(field: Field, text: &str, kind: CellKind) -> Option<Remark> {
    let name = field.name();
    let (code, message, hint) = match kind {
        _ if is_unreadable(text, kind) => return Some(unreadable(name, text, kind)),
        CellKind::LostDigits => lost_digits(name, text),
        _ if is_identifier(field) && is_scientific(text) => lost_digits(name, text),
        // `3/4` in an address, too, is a date to a spreadsheet.
        CellKind::Date | CellKind::Bool if field.is_no_date() && !text.is_empty() => remade(name, text),
        // A CSV has the text of one alone.
        CellKind::Text if is_of_label(field) && is_remade(text) => remade(name, text),
        CellKind::Blank
        | CellKind::Text
        | CellKind::Number
        | CellKind::Date
        | CellKind::Bool
        | CellKind::Error
        | CellKind::NoValue => return None,
    };
    Some(Remark {
        code,
        message,
        hint: hint.to_owned(),
    })
}

/// Whether a cell has a formula whose result was never stored, or an error of one.
pub(crate) fn is_unreadable(text: &str, kind: CellKind) -> bool {
    matches!(kind, CellKind::NoValue | CellKind::Error) || is_error_text(text)
}

/// What is said of such a cell; `name`: what it is of.
pub(super) fn unreadable(name: &str, text: &str, kind: CellKind) -> Remark {
    let (code, message, hint) = if kind == CellKind::NoValue {
        (
            Code::NoCachedValue,
            format!("The formula in {name} has no stored result."),
            "Open the sheet in a spreadsheet program, save it, and drop it again; or write the value itself.",
        )
    } else {
        cell_error(name, text)
    };
    Remark {
        code,
        message,
        hint: hint.to_owned(),
    }
}

fn lost_digits(name: &str, text: &str) -> (Code, String, &'static str) {
    (
        Code::LostDigits,
        format!(
            "The spreadsheet has rounded {name} to {}: digits are lost.",
            quoted(text)
        ),
        "In the spreadsheet, format the column as text (Format Cells, Text), copy the whole number into it from where \
         it came from, and drop the sheet again.",
    )
}

/// The digits that a spreadsheet keeps of a number: those behind them are zeros.
const KEPT_DIGITS: usize = 15;

/// What stands behind the digits that a spreadsheet keeps, of an id that could be a number.
fn beyond_kept(id: &str) -> Option<&str> {
    let is_long = is_digits(id) && id.len() > KEPT_DIGITS;
    id.get(KEPT_DIGITS..).filter(|_| is_long)
}

/// Whether an id has digits that no spreadsheet has rounded: then neither are those beside it that end in zeros.
pub(crate) fn shows_every_digit(id: &str) -> bool {
    beyond_kept(id).is_some_and(|beyond| beyond.bytes().any(|digit| digit != b'0'))
}

/// Whether a cell's text is what a spreadsheet saves of a longer id that it has read as a number. Zeros in front it
/// would have dropped, and what has a text guard (an apostrophe, a tab) or a `#` beside it was never a number to it.
pub(crate) fn may_be_rounded(raw: &str) -> bool {
    let text = raw.trim_matches(' ');
    let id = whole_number(text).unwrap_or(text);
    let is_rounded = |beyond: &str| beyond.bytes().all(|digit| digit == b'0');
    !id.starts_with('0') && beyond_kept(id).is_some_and(is_rounded)
}

/// What is said of an id that may be rounded.
pub(crate) fn rounded_id(id: &str) -> Remark {
    let (code, message, _) = lost_digits(Field::OrderId.name(), id);
    let hint = format!(
        "Export the sheet anew and drop it as it comes, without opening it in a spreadsheet; or format the column as text \
         before you paste the whole number into it. If the order's number does end in these zeros, write `#` before \
         it: `#{id}`."
    );
    Remark { code, message, hint }
}

impl Field {
    /// Whether a date, or a truth, in the field is what a spreadsheet has made of an id or of a line of the address.
    pub(crate) fn is_no_date(self) -> bool {
        is_identifier(self) || is_of_label(self)
    }
}

/// Whether every digit of the field counts.
fn is_identifier(field: Field) -> bool {
    matches!(
        field,
        Field::OrderId | Field::ItemSku | Field::ShippingZip | Field::ShippingPhone
    )
}

/// Whether the field is text of the address label.
fn is_of_label(field: Field) -> bool {
    matches!(
        field,
        Field::ShippingName
            | Field::ShippingAddress1
            | Field::ShippingAddress2
            | Field::ShippingCity
            | Field::ShippingProvince
    )
}

/// `1.23457E+12`, as spreadsheets write a long number, and `1.23457E12`, as other programs do. Without a sign it needs
/// its decimals: `12E10` may be a SKU.
fn is_scientific(text: &str) -> bool {
    if !text.as_bytes().first().is_some_and(u8::is_ascii_digit) {
        return false;
    }
    let Some((number, exponent)) = text.split_once(['E', 'e']) else {
        return false;
    };
    let decimals = number.split_once(['.', ',']);
    let is_number = match decimals {
        Some((whole, decimals)) => is_digits(whole) && is_digits(decimals),
        None => is_digits(number),
    };
    let signed = exponent.strip_prefix('+');
    is_number && is_digits(signed.unwrap_or(exponent)) && (signed.is_some() || decimals.is_some())
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
            (Field::OrderId, "1001.000", "1001.000"),
            (Field::OrderId, "1,001", "1,001"),
            (Field::OrderId, "12E4", "12E4"),
            (Field::ShippingZip, "'02134", "02134"),
            (Field::ShippingZip, "90210.0", "90210"),
            (Field::ShippingPhone, "5550100.00", "5550100"),
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
            (Field::ShippingCity, "New\nYork", "New York"),
            (Field::ShippingCountry, "United\r\nStates", "United States"),
            (Field::ShippingName, "Ann\u{a0}Example", "Ann Example"),
            (Field::ShippingName, "نیم\u{200c}فاصله", "نیم\u{200c}فاصله"),
            (Field::ShippingCountryCode, "us", "US"),
            (Field::ShippingProvinceCode, "California", "California"),
            (Field::ShippingService, "auex", "AUEX"),
            (Field::VariantNote, "two\nlines", "two\nlines"),
        ] {
            assert_eq!(text(field, raw), (fixed.to_owned(), None), "{raw:?}");
        }
        for with_decimals in ["1001.0", "1001.00", "1001,0", "1001,00"] {
            let fixed = ("1001".to_owned(), Some(Code::FixedId));
            assert_eq!(text(Field::OrderId, with_decimals), fixed, "{with_decimals}");
        }
        assert_eq!(
            text(Field::ShippingCity, "MÃ¼nchen"),
            ("München".to_owned(), Some(Code::FixedText))
        );
        assert_eq!(text(Field::Quantity, "２"), ("2".to_owned(), None));
        assert_eq!(text(Field::ItemSku, "“tee-1”"), ("tee-1".to_owned(), None));
    }

    proptest::proptest! {
        #[test]
        fn an_id_with_nothing_to_mend_is_what_looking_through_it_gives(raw in "[A-Z0-9aeE_.,'# +-]{0,8}") {
            let (quick, slow) = (mend(Field::OrderId, &raw, CellKind::Text), looked_through(Field::OrderId, &raw, CellKind::Text));
            assert_eq!(quick.text, slow.text);
            assert_eq!(quick.remark.map(|remark| remark.code), slow.remark.map(|remark| remark.code));
        }
    }

    fn all_are(code: Option<Code>, cells: &[(Field, &str, CellKind)]) {
        for (field, raw, kind) in cells {
            let mended = mend(*field, raw, *kind);
            assert_eq!(mended.remark.map(|remark| remark.code), code, "{raw} {kind:?}");
        }
    }

    #[test]
    fn what_is_lost_is_an_error() {
        let lost = [
            (Field::OrderId, "1.23457E+12", CellKind::Text),
            (Field::OrderId, "1,23457E+12", CellKind::Text),
            (Field::OrderId, "1E+12", CellKind::Text),
            (Field::OrderId, "1.23457E12", CellKind::Text),
            (Field::OrderId, "577000000000000000", CellKind::LostDigits),
            (Field::ItemSku, "2026-11-21", CellKind::Date),
            (Field::ShippingAddress2, "2026-03-04", CellKind::Date),
            (Field::ShippingAddress1, "1/2/2003", CellKind::Text),
            (Field::ShippingAddress2, "2003-01-02", CellKind::Text),
            (Field::ShippingAddress2, "3-Apr", CellKind::Text),
            (Field::ShippingAddress2, "May-48", CellKind::Text),
            (Field::ShippingAddress1, "04. Mär", CellKind::Text),
            (Field::ShippingAddress2, "1.20E+01", CellKind::Text),
            (Field::ShippingCity, "TRUE", CellKind::Text),
        ];
        all_are(Some(Code::LostDigits), &lost);
        let errors = [
            (Field::ShippingZip, "#N/A", CellKind::Error),
            (Field::ShippingZip, "#N/A", CellKind::Text),
            (Field::ShippingZip, "Err:508", CellKind::Text),
            (Field::OrderId, "#NV", CellKind::Text),
            (Field::ShippingCity, "#BEZUG!", CellKind::Text),
            (Field::ShippingAddress2, "########", CellKind::Text),
        ];
        all_are(Some(Code::CellError), &errors);
        all_are(
            Some(Code::NoCachedValue),
            &[(Field::ShippingCity, "", CellKind::NoValue)],
        );
        let fine = [
            (Field::OrderId, "1E12", CellKind::Text),
            (Field::ItemSku, "12E10", CellKind::Text),
            (Field::OrderId, "577000000000000000", CellKind::Number),
            (Field::OrderId, "#1001", CellKind::Text),
            (Field::ShippingAddress2, "#4", CellKind::Text),
            (Field::ShippingAddress1, "1-2-3", CellKind::Text),
            (Field::ShippingAddress1, "12/5 High Street", CellKind::Text),
            (Field::ShippingAddress2, "3/4", CellKind::Text),
            (Field::ShippingCity, "Truesdale", CellKind::Text),
            (Field::ProductName, "2026-11-21", CellKind::Date),
            (Field::ShippingCity, "", CellKind::Blank),
        ];
        all_are(None, &fine);
    }

    #[test]
    fn an_id_that_ends_as_a_spreadsheet_rounds_may_be_rounded() {
        for raw in [
            "576461234567890000",
            " 1234567890123450 ",
            "576461234567890000.00",
        ] {
            assert!(may_be_rounded(raw), "{raw}");
        }
        for raw in [
            "576461234567890123",
            "576461234567890000\t",
            "'576461234567890000",
            "#576461234567890000",
            "=\"576461234567890000\"",
            "000461234567890000",
            "A576461234567890000",
            "123456789012300",
            "",
        ] {
            assert!(!may_be_rounded(raw), "{raw:?}");
        }
        assert!(shows_every_digit("576461234567890100"));
        for id in ["576461234567890000", "123456789012345", "A576461234567890123"] {
            assert!(!shows_every_digit(id), "{id}");
        }
    }

    #[test]
    fn a_quoted_value_is_short_and_visible() {
        assert_eq!(quoted("a\tb"), "`a\\tb`");
        assert_eq!(quoted("A\u{7}B"), "`A(U+0007)B`");
        assert_eq!(quoted(&"x".repeat(61)), format!("`{}…`", "x".repeat(60)));
    }
}
