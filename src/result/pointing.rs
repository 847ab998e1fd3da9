//! Where a message points: a result has its sheet's own rows, the to-fix sheet has only some of them, under other
//! numbers.

use std::borrow::Cow;

use crate::finding::{CellRef, Code, Finding};

use super::shape::Shape;

/// The most letters of a column's name, and the most digits of a row's number.
const MOST_LETTERS: usize = 3;
const MOST_DIGITS: usize = 7;

/// How a file points at the cells of its sheet.
#[derive(Clone, Copy, Debug)]
pub(super) enum Pointing<'a> {
    /// It has the sheet's own row numbers.
    SameRows,
    /// It has a header and just these rows of the sheet, in ascending order.
    OnlyRows(&'a [u32]),
}

impl Pointing<'_> {
    /// The number that a row of the sheet has in the file; none where it is not in it.
    pub(super) fn row(self, row: u32) -> Option<u32> {
        match self {
            Self::SameRows => Some(row),
            Self::OnlyRows(rows) => {
                let place = rows.binary_search(&row).ok()?;
                // The first of them stands below the header.
                u32::try_from(place).ok()?.checked_add(2)
            }
        }
    }

    /// A finding's cell in the file; none where it speaks of a whole row, or of what is not in the file.
    pub(super) fn cell(self, finding: &Finding, shape: &Shape) -> Option<CellRef> {
        let cell = shape.cell(finding)?;
        Some(CellRef {
            row: self.row(cell.row)?,
            column: cell.column,
        })
    }

    /// A finding's message, with the file's own rows where it names other rows of its order.
    pub(super) fn message(self, finding: &Finding) -> Cow<'_, str> {
        let names_rows = matches!(
            finding.code,
            Code::DifferingValues | Code::RepeatedRow | Code::RaggedRow
        );
        match self {
            Self::OnlyRows(_) if names_rows => Cow::Owned(self.in_own_rows(&finding.message)),
            Self::SameRows | Self::OnlyRows(_) => Cow::Borrowed(&finding.message),
        }
    }

    /// A text in which cells, `F16`, and rows, `row 16`, have the file's own numbers. What stands between back quotes
    /// is a value of the sheet and stays.
    fn in_own_rows(self, text: &str) -> String {
        let parts = text.split('`').enumerate().map(|(place, part)| {
            if place % 2 == 1 {
                return part.to_owned();
            }
            let mut before = "";
            let words = part.split(' ').map(|word| {
                let own = self.word(word, before == "row");
                before = word;
                own
            });
            words.collect::<Vec<_>>().join(" ")
        });
        parts.collect::<Vec<_>>().join("`")
    }

    fn word(self, word: &str, is_row: bool) -> Cow<'_, str> {
        let end = word.trim_end_matches(['.', ',', ';', ':', ')']);
        let letters = end.bytes().take_while(u8::is_ascii_uppercase).count();
        let Some((column, digits)) = end.split_at_checked(letters) else {
            return Cow::Borrowed(word);
        };
        let is_cell = (1..=MOST_LETTERS).contains(&letters);
        let is_number =
            (1..=MOST_DIGITS).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit());
        let named = is_number && (is_cell || is_row && column.is_empty());
        let row = digits
            .parse()
            .ok()
            .filter(|_| named)
            .and_then(|row| self.row(row));
        let Some(row) = row else {
            return Cow::Borrowed(word);
        };
        let rest = word.get(end.len()..).unwrap_or_default();
        Cow::Owned(format!("{column}{row}{rest}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::result::samples::finding;

    #[test]
    fn a_file_with_some_rows_points_at_them_by_its_own_numbers() {
        let pointing = Pointing::OnlyRows(&[11, 16, 1040]);
        for (row, own) in [(11, Some(2)), (16, Some(3)), (1040, Some(4)), (12, None)] {
            assert_eq!(pointing.row(row), own);
        }
        for (code, message, said) in [
            (
                Code::DifferingValues,
                "shipping_zip is `F16` here, but `B11 x` in AF1040.",
                "shipping_zip is `F16` here, but `B11 x` in AF4.",
            ),
            (
                Code::RepeatedRow,
                "This row is equal to row 16 in every cell: pasted twice?",
                "This row is equal to row 3 in every cell: pasted twice?",
            ),
            (Code::DifferingValues, "`a` in F12.", "`a` in F12."),
            (Code::UnknownSku, "Not F16.", "Not F16."),
        ] {
            let finding = finding(code, 16, None, message);
            assert_eq!(pointing.message(&finding), said);
            assert_eq!(Pointing::SameRows.message(&finding), message);
        }
    }
}
