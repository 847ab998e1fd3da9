//! What an account's orders of a month, or of any span of days, cost: a workbook for accountants, from the ledger.
//!
//! An order counts in the month in which the service says that it was entered, in the config's zone. Canceled orders
//! are never in a sum with the others: whether they are paid back, the service does not state.

mod figures;
mod months;
mod pages;
mod span;

use std::path::Path;

use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::catalog::Snapshot;
use crate::ledger::Cost;
use crate::ledger::record::ListedRecord;
use crate::money::TooLarge;
use crate::result::ResultError;

pub use self::figures::{Figures, Part, Sums};
pub use self::months::{Changes, Delta, LateChange, Said, next as next_month, told};
pub use self::span::{BadSpan, Span};

/// Everything that a cost workbook is made from.
#[derive(Clone, Debug)]
pub struct Costs {
    /// The account's name.
    pub account: String,
    /// A label for amounts. Config: `account.X.currency`.
    pub currency: Option<String>,
    /// The days.
    pub span: Span,
    /// The zone of days and shown times.
    pub zone: TimeZone,
    /// The service's order list is known up to here; none where it was never read.
    pub as_of: Option<Timestamp>,
    /// Why the service was not read just now, as a sentence; none where it was.
    pub not_read: Option<String>,
    /// When the workbook is written.
    pub written_at: Timestamp,
    /// The account's orders of these days, oldest first.
    pub orders: Vec<Cost>,
    /// The orders that the service listed in these days and the ledger did not make.
    pub strangers: Vec<ListedRecord>,
    /// Which workbook of the same month it stands in for, as a sentence; none where there is no other.
    pub stands_in: Option<String>,
    /// What has changed in earlier months since they were written; none in a workbook that a person asked for, which
    /// tells how the orders of its days stand.
    pub earlier: Option<Changes>,
}

/// Why a cost workbook could not be written.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// The workbook.
    #[error("cannot write the cost workbook")]
    Workbook(#[from] ResultError),
    /// An amount left the range of 28 digits.
    #[error("cannot add up the amounts")]
    Sum(#[from] TooLarge),
}

/// Writes the workbook to `path`, a new file, and gives what it says. Products are called as the catalog calls them.
///
/// # Errors
/// The file is there already, or cannot be written.
pub fn write(costs: &Costs, catalog: Option<&Snapshot>, path: &Path) -> Result<Figures, ReportError> {
    let figures = Figures::of(costs, catalog)?;
    pages::write(costs, &figures, catalog, path)?;
    Ok(figures)
}
