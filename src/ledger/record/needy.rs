//! Sheets that a person is needed for.

use jiff::Timestamp;

use super::{AccountRef, ClaimRef};

/// Why a person is needed for a sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SheetNeed {
    /// So many orders of it are to be fixed.
    ToFix(u64),
    /// It was rejected.
    Rejected,
    /// Its workbook has other sheets with orders, which were not read.
    UnreadTab,
}

/// A sheet that a person is needed for.
#[derive(Clone, Debug)]
pub struct NeedySheet {
    /// Its name here.
    pub claim: ClaimRef,
    /// Where it was imported from, for a sheet that is in no inbox.
    pub imported: Option<String>,
    /// Where its to-fix sheet was put, where that is known.
    pub to_fix: Option<String>,
    /// The account.
    pub account: AccountRef,
    /// The inbox.
    pub inbox: String,
    /// The sheet's name as it was dropped.
    pub sheet_name: String,
    /// `TIME_NAME`.
    pub stem: String,
    /// When it was taken.
    pub taken_at: Timestamp,
    /// What for.
    pub need: SheetNeed,
}
