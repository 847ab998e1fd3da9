//! What is wrong with, or worth knowing of, a cell, a row, an order or a sheet, as a value with a stable code.
//!
//! The codes and their levels are a contract with the people who filter by them; [`Code::page`] is what
//! `dropsheet explain` prints.

mod codes;

use std::fmt;

use serde::{Deserialize, Serialize};

pub use codes::{Code, Page, UnknownCode};

/// What a finding does to its order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// The order is not sent.
    Error,
    /// The order is sent all the same.
    Warning,
    /// Nothing is wrong: it says why the row has its status.
    Note,
}

impl Level {
    /// `error`, `warning` or `note`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Note => "note",
        }
    }
}

/// A cell as a spreadsheet names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct CellRef {
    /// The row number that the spreadsheet shows; the first row is 1.
    pub row: u32,
    /// The column, counted from 0: 0 is `A`.
    pub column: u16,
}

/// The name that a spreadsheet shows: `F12`.
impl fmt::Display for CellRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", column_letters(self.column), self.row)
    }
}

/// The letters of a column counted from 0: 0 is `A`, 26 is `AA`.
pub fn column_letters(column: u16) -> String {
    let mut letters = Vec::new();
    let mut rest = u32::from(column) + 1;
    while rest > 0 {
        rest -= 1;
        letters.push(
            char::from_digit(rest % 26 + 10, 36)
                .unwrap_or('?')
                .to_ascii_uppercase(),
        );
        rest /= 26;
    }
    letters.iter().rev().collect()
}

impl Code {
    /// Whether it says why an order is held for a person, or would be if it were sent.
    pub fn holds(self) -> bool {
        matches!(
            self,
            Self::ZeroQuote
                | Self::OverOrderTotal
                | Self::UnexpectedTotal
                | Self::NeedsApproval
                | Self::OverSheetOrders
                | Self::OverDailyLimit
                | Self::PriceRisen
                | Self::RepeatedRow
                | Self::ShopHold
        )
    }
}

/// One thing to know of an order, with the place it was seen at and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// The stable code; it decides the level.
    pub code: Code,
    /// The row that it speaks of, as the spreadsheet shows it.
    pub row: u32,
    /// The column that it speaks of, counted from 0; none where the whole row is meant or the column is missing.
    pub column: Option<u16>,
    /// A sentence for a person: what is wrong, with the value.
    pub message: String,
    /// A sentence for a person: how to fix it. May be empty where there is nothing to do.
    pub hint: String,
}

impl Finding {
    /// The level of the finding's code.
    pub fn level(&self) -> Level {
        self.code.level()
    }

    /// The cell, where one is meant.
    pub fn cell(&self) -> Option<CellRef> {
        self.column.map(|column| CellRef {
            row: self.row,
            column,
        })
    }

    /// The same of another column of its row, where that is known.
    #[must_use]
    pub(crate) fn in_column(self, column: Option<u16>) -> Self {
        Self {
            column: column.or(self.column),
            ..self
        }
    }
}

/// Why a whole sheet cannot be worked. Nothing of a rejected sheet is sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{message} {hint}")]
pub struct Rejection {
    /// The stable code.
    pub code: Code,
    /// A sentence for a person: what is wrong with the sheet.
    pub message: String,
    /// A sentence for a person: what to do about it.
    pub hint: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_named_as_spreadsheets_name_them() {
        for (column, letters) in [
            (0, "A"),
            (5, "F"),
            (25, "Z"),
            (26, "AA"),
            (701, "ZZ"),
            (702, "AAA"),
            (16_383, "XFD"),
        ] {
            assert_eq!(column_letters(column), letters);
        }
    }
}
