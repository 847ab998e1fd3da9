//! Result sheets: the sheet as it came, row for row, with what became of each order at its right. Asks nobody; it is
//! fed with the rows and with one [`View`] an order.

pub(crate) mod amounts;
mod columns;
mod csv;
pub mod held;
mod message;
mod pointing;
#[cfg(test)]
mod read_back;
#[cfg(test)]
mod samples;
mod shape;
mod tally;
#[cfg(test)]
mod tests;
mod unsaved;
mod walk;
mod workbook;

use std::path::Path;

use jiff::{Timestamp, tz::TimeZone};

use crate::catalog::Snapshot;
use crate::finding::{Code, Finding};
use crate::order::{Index, Layout};
use crate::outcome::Status;
use crate::quote::{Quote, ServiceAmounts};
use crate::sheet::Sheet;

pub use self::unsaved::is_unsaved;
pub use self::workbook::list::{ListCell, ListColumn, ListPage};

use self::csv::Csv;
use self::shape::Shape;
use self::walk::walk;
pub use self::workbook::sku_map;

pub use self::workbook::scratch_panic;
use self::workbook::to_fix::ToFix;

pub use self::workbook::tables;

/// What a result says of its own sheet.
#[derive(Clone, Debug)]
pub struct Title {
    /// The sheet's name as it was dropped: `monday.csv`.
    pub sheet_name: String,
    /// `TIME_NAME`, which all of the sheet's files carry: `2026-11-21_0914_monday`.
    pub stem: String,
    /// When it was taken.
    pub taken_at: Timestamp,
    /// When this result is written.
    pub written_at: Timestamp,
    /// The zone of shown dates and times.
    pub zone: TimeZone,
    /// The inbox's name; none for `check`, `quote` and `import`.
    pub inbox: Option<String>,
    /// The account's name.
    pub account: String,
    /// A label for amounts. Config: `account.X.currency`.
    pub currency: Option<String>,
    /// Whether its orders are priced alone, so that there is no to-fix sheet beside it and nothing is sent.
    pub only_priced: bool,
    /// The name of its held sheet, without its ending; another than `stem` where the result lies outside an inbox.
    pub held: String,
    /// As which shop's export it was read, and why; none for native columns.
    pub read_as: Option<String>,
    /// The name of the to-fix sheet beside it, where it gets one; none where there is only this file to fix.
    pub to_fix: Option<String>,
    /// The name of the SKU-map sheet beside it, which asks for what is unknown of the shop's own SKUs.
    pub sku_map: Option<String>,
    /// The names of earlier results of the sheet that were left as they are, open or edited by a person: this one has
    /// their amounts too.
    pub replaces: Vec<String>,
}

/// Everything that a result says of one order (or of one row that belongs to no order).
#[derive(Clone, Debug)]
pub struct View {
    /// Its first row, as the spreadsheet shows it. Views come in this order.
    pub first_row: u32,
    /// What became of it here.
    pub status: Status,
    /// Findings, each with its row; one whose row is not the order's is shown on the first row.
    pub findings: Vec<Finding>,
    /// Sentences on every row of the order, before those of the findings.
    pub message: String,
    /// `result_order_id`: the id that was, or would be, sent; empty where there is none.
    pub order_id: String,
    /// `result_pw_order_id`: the service's id.
    pub pw_order_id: Option<String>,
    /// `result_created_at`: the service's `dtime_entered`.
    pub created_at: Option<Timestamp>,
    /// `result_first_sheet`: the sheet that sent it, where that is another.
    pub first_sheet: Option<String>,
    /// The name of the held sheet that lists it, before its ending, where that is another sheet's: a held sheet has the time
    /// of its sheet in its name, though the results of one that is in no inbox have not.
    pub held_in: Option<String>,
    /// The quote, where this sheet sent the order or priced it; none otherwise, so that amounts stand in one sheet.
    pub quote: Option<Quote>,
    /// The service's own amounts, by the same rule.
    pub service: Option<ServiceAmounts>,
    /// When the service's amounts and states were read.
    pub read_at: Option<Timestamp>,
    /// `result_order_status`: the service's own words.
    pub order_status: Option<String>,
    /// `result_payment_status`: the service's own words.
    pub payment_status: Option<String>,
    /// `result_tracking`.
    pub tracking: Option<String>,
    /// The destination, for the page Orders.
    pub country_code: Option<String>,
    /// What a person has to look at, of an order that the service has; each is said in the message or a finding.
    pub troubles: Vec<OrderTrouble>,
}

/// What is wrong with an order that was created well, whatever was asked of it since.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum OrderTrouble {
    /// The service's own words for it name a trouble, or it sent a notice of one.
    Named,
    /// It is canceled, and the service goes on with it all the same: it counts among the costs.
    GoesOn,
    /// It was canceled as not being there, and the service has it after all.
    ThereAfterAll,
    /// The service does not know it any more.
    Missing,
    /// The service has more than one of it.
    Several,
    /// The service charges something else than it quoted.
    Charge,
}

impl View {
    /// What is said of a row in which nothing stands. It is skipped for a reason, as every other skipped row is: who counts
    /// rows, codes or findings comes to the same number wherever they stand.
    fn of_blank_row(row: u32) -> Self {
        Self {
            first_row: row,
            status: Status::Skipped,
            findings: vec![Finding {
                code: Code::NotToPrint,
                row,
                column: None,
                message: "Not printed: the row is blank.".to_owned(),
                hint: String::new(),
            }],
            message: String::new(),
            order_id: String::new(),
            pw_order_id: None,
            created_at: None,
            first_sheet: None,
            held_in: None,
            quote: None,
            service: None,
            read_at: None,
            order_status: None,
            payment_status: None,
            tracking: None,
            country_code: None,
            troubles: Vec::new(),
        }
    }

    /// Whether its shop has canceled it since it was sent: there is nothing to fix, and something to cancel.
    pub(crate) fn is_canceled_in_shop(&self) -> bool {
        let says = |finding: &Finding| finding.code == Code::CanceledInShop;
        self.status == Status::Changed && self.findings.iter().any(says)
    }

    /// Whether it has errors here, and a later sheet has brought it since: there is nothing to fix.
    pub(crate) fn is_mended(&self) -> bool {
        let says = |finding: &Finding| finding.code == Code::BroughtSince;
        self.status == Status::Invalid && self.findings.iter().any(says)
    }

    /// Whether its rows make up the to-fix sheet.
    pub(crate) fn is_to_fix(&self) -> bool {
        self.status.is_to_fix() && !self.is_mended()
    }

    /// Whether it is only priced, and would be held for a person if it were sent.
    pub(crate) fn would_be_held(&self) -> bool {
        self.status == Status::Quoted && self.findings.iter().any(|finding| finding.code.holds())
    }

    /// Whether it is of an order, and not of a row that was no order line: a footer, a row of a SKU map.
    pub(crate) fn is_of_order(&self) -> bool {
        self.status != Status::Skipped || !self.order_id.is_empty()
    }

    /// The rows of the order that are no lines of it: footers, summaries, lines that are not printed.
    pub(crate) fn asides(&self) -> impl Iterator<Item = u32> {
        let is_order = self.status != Status::Skipped;
        let says_so = |finding: &&Finding| finding.code == Code::NotToPrint && finding.column.is_none();
        let saying = self.findings.iter().filter(says_so).filter(move |_| is_order);
        saying.map(|finding| finding.row)
    }
}

/// The kind of file to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The workbook with Summary, Results, Orders and Findings.
    Workbook,
    /// Separated text in the delimiter given.
    Csv(u8),
}

/// Rows and orders by status, in the order of [`Status::ALL`], without those that are zero.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Rows by status.
    pub rows: Vec<(Status, u64)>,
    /// Orders by status.
    pub orders: Vec<(Status, u64)>,
    /// How many of the orders that are only priced would be held for a person, were they sent.
    pub would_be_held: u64,
    /// The numbers of the rows to fix (see [`Status::is_to_fix`]), without those of orders that a later sheet has brought, ascending.
    pub to_fix: Vec<u32>,
    /// What is said of other sheets of the workbook, which were not read.
    pub unread: Option<String>,
}

/// Why a result could not be written. The result is written again later; nothing is sent again.
#[derive(Debug, thiserror::Error)]
pub enum ResultError {
    /// The spooled sheet could not be read again.
    #[error("cannot read the sheet again")]
    Sheet(#[source] crate::finding::Rejection),
    /// The file could not be written.
    #[error("cannot write the result {path}")]
    Write {
        /// The file.
        path: std::path::PathBuf,
        /// Why.
        #[source]
        source: std::io::Error,
    },
    /// The folder takes no new file.
    #[error("no file can be made there")]
    Folder(#[source] std::io::Error),
    /// The workbook library refused.
    #[error("cannot write the workbook {path}")]
    Workbook {
        /// The file.
        path: std::path::PathBuf,
        /// Why.
        #[source]
        source: rust_xlsxwriter::XlsxError,
    },
    /// The orders' views and the sheet's rows do not agree: a bug.
    #[error("row {0} of the sheet has no outcome")]
    NoOutcome(u32),
    /// An order's outcome could not be read.
    #[error("cannot read an order's outcome")]
    View(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// An amount left the range of 28 digits.
    #[error("cannot add up the amounts")]
    Sum(#[from] crate::money::TooLarge),
}

/// Where a result's rows come from.
#[derive(Debug)]
pub struct Source<'a> {
    /// The sheet.
    pub sheet: &'a Sheet,
    /// Its columns.
    pub layout: &'a Layout,
    /// Which rows belong together.
    pub index: &'a Index,
    /// The catalog, where one is known: it names products and says what may stand in a cell to fix.
    pub catalog: Option<&'a Snapshot>,
}

/// The views of a sheet's orders, by first row.
pub type Views<'a> = dyn Iterator<Item = Result<View, ResultError>> + 'a;

/// Writes the result to `path`, a new file, and syncs it. The workbook's scratch files lie in `path`'s folder.
///
/// # Errors
/// See [`ResultError`]; the file at `path` is then of no use.
pub fn write(
    source: &Source<'_>,
    views: &mut Views<'_>,
    title: &Title,
    kind: Kind,
    path: &Path,
) -> Result<Counts, ResultError> {
    let tally = match kind {
        Kind::Workbook => workbook::guarded(path, || workbook::write(source, views, title, path))?,
        Kind::Csv(delimiter) => {
            let shape = Shape::of(source.layout, source.sheet.header());
            let mut csv = Csv::new(shape, title, delimiter, path)?;
            let tally = walk(source, views, &mut csv)?;
            csv.finish()?;
            tally
        }
    };
    Ok(tally.counts())
}

/// Writes the to-fix sheet, a workbook with just the rows that [`Counts::to_fix`] names, their findings as notes at the
/// cells, and drop-downs where the catalog knows what may stand there, to `path`, a new file. Gives the number of rows
/// written; with none, no file is made.
///
/// # Errors
/// See [`ResultError`].
pub fn write_to_fix(
    source: &Source<'_>,
    views: &mut Views<'_>,
    title: &Title,
    rows: &[u32],
    path: &Path,
) -> Result<u64, ResultError> {
    if rows.is_empty() {
        return Ok(0);
    }
    workbook::guarded(path, || {
        let mut to_fix = ToFix::new(source, rows, title, path)?;
        walk(source, views, &mut to_fix)?;
        to_fix.finish()
    })
}
