//! Sheets that a person is needed for.

use jiff::Timestamp;

use super::{AccountRef, ClaimRef};

/// Why a person is needed for a sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SheetNeed {
    /// So many orders of it are to be fixed.
    ToFix(u64),
    /// So many orders of it are known already with something else.
    Changed(u64),
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

/// An order that is at the service, or may be, and that its shop has canceled since.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CanceledInShop {
    /// The account.
    pub account: AccountRef,
    /// The inbox of the sheet that says so.
    pub inbox: String,
    /// That sheet's name as it was dropped.
    pub sheet_name: String,
    /// `TIME_NAME` of it.
    pub stem: String,
    /// When it was taken.
    pub taken_at: Timestamp,
    /// The order's id as it was sent.
    pub order_id: String,
    /// The service's id.
    pub pw_order_id: Option<String>,
}
