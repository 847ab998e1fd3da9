//! A plain workbook of tables, for what belongs to no sheet: costs, a blank order sheet, a catalog.
//!
//! Each page has a title, lines that explain, a frozen header with filters, typed cells, columns as wide as what stands
//! in them, and prints in landscape with its header on every page. Rows stream to a scratch file, so a page may be as
//! long as a spreadsheet can be.
//!
//! ```no_run
//! use dropsheet::result::tables::{About, Book, Column, Table, Value};
//! # fn main() -> Result<(), dropsheet::result::ResultError> {
//! # let (path, now) = (std::path::Path::new("print-costs.xlsx"), jiff::Timestamp::UNIX_EPOCH);
//! let about = About { title: "Print costs", subject: "main", written_at: now };
//! let costs = Table {
//!     title: "Print costs by product".to_owned(),
//!     lines: vec!["Canceled orders are not among them.".to_owned()],
//!     ..Table::new("By product", vec![Column::text("Product"), Column::count("Pieces"), Column::amount("Quoted")])
//! };
//! let rows = vec![vec![Value::text("Classic Tee"), Value::Count(2), Value::amount("24.20".parse().ok())]];
//! let mut book = Book::new(&about, path)?;
//! book.page(&costs, rows)?;
//! book.save()
//! # }
//! ```

mod writer;

use std::path::{Path, PathBuf};

use jiff::Timestamp;
use jiff::civil::{Date, DateTime};
use rust_xlsxwriter::Workbook;

use crate::files;
use crate::money::Money;
use crate::outcome::Status;
use crate::result::ResultError;

use self::writer::Writer;
use super::page::column_number;
use super::styles::Styles;
use super::{BookError, Properties, begin, guarded, write_out};

/// What the properties of a workbook say.
#[derive(Clone, Copy, Debug)]
pub struct About<'a> {
    /// Its title: `Print costs of 2026-10`.
    pub title: &'a str,
    /// What it belongs to: a sheet's stem, an account.
    pub subject: &'a str,
    /// When it is written: the same content at the same moment gives the same bytes.
    pub written_at: Timestamp,
}

/// A page with one table.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// The page's name, at most 31 characters.
    pub name: String,
    /// The heading above the table; none where it is empty, and then no lines either: the header is row 1.
    pub title: String,
    /// Sentences below the heading.
    pub lines: Vec<String>,
    /// The columns, from left to right.
    pub columns: Vec<Column>,
    /// How many columns stay in view when it is scrolled to the right.
    pub frozen_columns: u16,
    /// Whether a last row sums the amounts and counts that the filter shows.
    pub has_totals: bool,
    /// How many rows below the header people fill in: the columns' drop-downs reach so far.
    pub entry_rows: u32,
    /// A chart at the right of the table.
    pub chart: Option<Columns>,
    /// Whether people do not see the page: it holds what drop-downs offer.
    pub is_hidden: bool,
}

impl Table {
    /// A page with a table and nothing above it.
    pub fn new(name: &str, columns: Vec<Column>) -> Self {
        Self {
            name: name.to_owned(),
            columns,
            ..Self::default()
        }
    }

    fn last_column(&self) -> u16 {
        column_number(self.columns.len().saturating_sub(1))
    }
}

/// A chart of upright columns, one a row of its table.
#[derive(Clone, Debug)]
pub struct Columns {
    /// What stands above it.
    pub title: String,
    /// The table's column with the names below the chart's columns, counted from 0.
    pub names: u16,
    /// The table's columns with their heights.
    pub heights: Vec<u16>,
}

/// How a column looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Look {
    Text,
    /// Wrapped text in a column so many characters wide.
    Sentence(u16),
    Number,
}

/// A column of a table.
#[derive(Clone, Debug)]
pub struct Column {
    heading: String,
    note: String,
    look: Look,
    offers: Offers,
}

/// What the drop-downs of a column that people fill in offer. Other text is allowed too.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Offers {
    /// The column has none.
    #[default]
    Nothing,
    /// A few texts.
    Texts(Vec<String>),
    /// What stands in other cells, as a formula that is read relative to the first row below the header:
    /// `=Lists!$A$1:$A$40`.
    Cells(String),
}

impl Column {
    /// Texts, dates, links, statuses.
    pub fn text(heading: &str) -> Self {
        Self::of(heading, Look::Text)
    }

    /// Sentences, wrapped in a column so many characters wide.
    pub fn sentence(heading: &str, width: u16) -> Self {
        Self::of(heading, Look::Sentence(width))
    }

    /// Amounts; summed in the totals.
    pub fn amount(heading: &str) -> Self {
        Self::of(heading, Look::Number)
    }

    /// Whole numbers; summed in the totals.
    pub fn count(heading: &str) -> Self {
        Self::of(heading, Look::Number)
    }

    /// The column with a note at its heading.
    #[must_use]
    pub fn noted(mut self, note: &str) -> Self {
        note.clone_into(&mut self.note);
        self
    }

    /// The column with drop-downs in the rows that people fill in.
    #[must_use]
    pub fn offering(mut self, offers: Offers) -> Self {
        self.offers = offers;
        self
    }

    fn of(heading: &str, look: Look) -> Self {
        Self {
            heading: heading.to_owned(),
            note: String::new(),
            look,
            offers: Offers::Nothing,
        }
    }
}

/// What stands in a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// Nothing.
    Blank,
    /// Text: ids, zips and phones keep every digit.
    Text(String),
    /// A whole number.
    Count(u64),
    /// An amount.
    Amount(Money),
    /// A date.
    Date(Date),
    /// A date and a time.
    Moment(DateTime),
    /// A status in its colour.
    Status(Status),
    /// A link to a cell of the same workbook, `Orders!A4`, and what is shown.
    Link {
        /// Where to.
        target: String,
        /// What stands in the cell.
        shown: String,
    },
    /// Text with a drop-down of what may stand there; other text is allowed too.
    Choice {
        /// What stands in the cell; may be empty.
        text: String,
        /// What the drop-down offers, the best first.
        among: Vec<String>,
    },
}

impl Value {
    /// Text, or a blank cell where there is none.
    pub fn text(text: impl Into<String>) -> Self {
        let text = text.into();
        if text.is_empty() {
            Self::Blank
        } else {
            Self::Text(text)
        }
    }

    /// An amount, or a blank cell where there is none.
    pub fn amount(amount: Option<Money>) -> Self {
        amount.map_or(Self::Blank, Self::Amount)
    }

    /// A date, or a blank cell where there is none.
    pub fn date(date: Option<Date>) -> Self {
        date.map_or(Self::Blank, Self::Date)
    }

    /// A date and a time, or a blank cell where there are none.
    pub fn moment(moment: Option<DateTime>) -> Self {
        moment.map_or(Self::Blank, Self::Moment)
    }
}

/// A workbook of tables that is being written; nothing stands at its path before [`Book::save`].
pub struct Book {
    pub(super) workbook: Workbook,
    pub(super) styles: Styles,
    path: PathBuf,
}

impl std::fmt::Debug for Book {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Book")
            .field("path", &self.path)
            .finish_non_exhaustive()
    }
}

/// Where the rows of a page's table stand, counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// The row of the header.
    pub header: u32,
    /// The last row with a value, the header's where there is none.
    pub last: u32,
}

impl Book {
    /// Begins a workbook that will be written to `path`, a new file; its scratch files, which have no name, lie in
    /// that folder.
    ///
    /// # Errors
    /// When there is no room for scratch files.
    pub fn new(about: &About<'_>, path: &Path) -> Result<Self, ResultError> {
        let properties = Properties {
            title: about.title,
            subject: about.subject,
            written_at: about.written_at,
        };
        Ok(Self {
            workbook: begin(&properties, path).map_err(|error| BookError::from(error).at(path))?,
            styles: Styles::new(),
            path: path.to_owned(),
        })
    }

    /// Writes a page with these rows; cells beyond the columns are left out.
    ///
    /// # Errors
    /// When the disk is full, or the library refuses.
    pub fn page(
        &mut self,
        table: &Table,
        rows: impl IntoIterator<Item = Vec<Value>>,
    ) -> Result<Extent, ResultError> {
        self.stream(table, rows.into_iter().map(Ok::<_, ResultError>))
    }

    /// The same with rows that may fail to come.
    ///
    /// # Errors
    /// The rows' own; when the disk is full, or the library refuses.
    pub fn stream<E: From<ResultError>>(
        &mut self,
        table: &Table,
        rows: impl Iterator<Item = Result<Vec<Value>, E>>,
    ) -> Result<Extent, E> {
        let path = self.path.clone();
        let at = |error: BookError| error.at(&path);
        // Each row that is begun writes out the one before: the title, the headings and the totals do too.
        let mut writer = guarded(&path, || Writer::begin(self, table).map_err(at))?;
        for row in rows {
            let row = row?;
            guarded(&path, || writer.row(&row).map_err(at))?;
        }
        let (page, extent) = guarded(&path, || writer.end().map_err(at))?;
        let sheet = page.finish().map_err(|error| at(error.into()))?;
        self.workbook.push_worksheet(sheet);
        Ok(extent)
    }

    /// Saves the workbook and syncs it: it appears whole.
    ///
    /// # Errors
    /// When something stands at its path already, or the disk refuses.
    pub fn save(mut self) -> Result<(), ResultError> {
        let failed = |source| ResultError::Write {
            path: self.path.clone(),
            source,
        };
        let staged = files::stage(&self.path).map_err(failed)?;
        guarded(&self.path, || {
            write_out(&mut self.workbook, staged.as_file(), &self.path)
        })?;
        files::place(staged, &self.path).map_err(failed)
    }
}

#[cfg(test)]
mod tests {
    use calamine::{Data, Reader, Xlsx, open_workbook};

    use super::*;
    use crate::result::samples::money;

    fn about() -> About<'static> {
        About {
            title: "Held orders",
            subject: "monday",
            written_at: "2026-11-21T09:14:00Z".parse().unwrap(),
        }
    }

    fn held() -> (Table, Vec<Vec<Value>>) {
        let columns = vec![
            Column::text("order_id").noted("The id as it will be sent."),
            Column::text("item_sku"),
            Column::text("Status"),
            Column::text("Taken"),
            Column::count("Lines"),
            Column::amount("Total"),
            Column::sentence("Why it waits", 50),
        ];
        let table = Table {
            title: "2 orders wait for approval".to_owned(),
            lines: vec![
                "Delete the rows that are not to be sent, then move this file to approved/. ".repeat(3),
            ],
            frozen_columns: 1,
            has_totals: true,
            ..Table::new("Held", columns)
        };
        let row = |id: &str, total: &str| {
            vec![
                Value::text(id),
                Value::Choice {
                    text: "TEE".to_owned(),
                    among: vec!["TEE-S".to_owned(), "TEE-M".to_owned()],
                },
                Value::Status(Status::Held),
                Value::date(Some(jiff::civil::date(2026, 11, 21))),
                Value::Count(2),
                Value::amount(Some(money(total))),
                Value::text("The quote is over the limit of 100.00 an order. ".repeat(2)),
            ]
        };
        (table, vec![row("0012", "1012.10"), row("1002", "-0.30")])
    }

    fn written(folder: &Path) -> PathBuf {
        let path = folder.join("monday.held.xlsx");
        let (table, rows) = held();
        let mut book = Book::new(&about(), &path).unwrap();
        let extent = book.page(&table, rows).unwrap();
        assert_eq!(extent, Extent { header: 3, last: 5 });
        assert!(!path.exists(), "nothing stands there before it is whole");
        book.save().unwrap();
        path
    }

    #[test]
    fn a_table_has_typed_cells_below_its_lines_and_totals_that_are_right() {
        let folder = tempfile::tempdir().unwrap();
        let mut workbook: Xlsx<_> = open_workbook(written(folder.path())).unwrap();
        let range = workbook.worksheet_range("Held").unwrap();
        let cell = |row, column| range.get_value((row, column)).unwrap().clone();
        assert_eq!(cell(0, 0), Data::String("2 orders wait for approval".to_owned()));
        assert_eq!(cell(3, 0), Data::String("order_id".to_owned()));
        assert_eq!(
            cell(4, 0),
            Data::String("0012".to_owned()),
            "an id keeps its zeros"
        );
        assert!(matches!(cell(4, 3), Data::DateTime(_)));
        assert_eq!((cell(4, 4), cell(4, 5)), (Data::Float(2.0), Data::Float(1012.1)));
        assert_eq!(cell(6, 0), Data::String("Total".to_owned()));
        assert_eq!((cell(6, 4), cell(6, 5)), (Data::Float(4.0), Data::Float(1011.8)));
    }

    #[test]
    fn the_same_tables_are_the_same_bytes_and_replace_nothing() {
        let (one, two) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let path = written(one.path());
        let bytes = std::fs::read(&path).unwrap();
        assert_eq!(bytes, std::fs::read(written(two.path())).unwrap());
        let (table, rows) = held();
        let mut book = Book::new(&about(), &path).unwrap();
        book.page(&table, rows.into_iter().take(1)).unwrap();
        assert!(matches!(book.save(), Err(ResultError::Write { .. })));
        assert_eq!(std::fs::read(&path).unwrap(), bytes);
    }

    #[test]
    fn rows_that_fail_to_come_stop_the_page() {
        let folder = tempfile::tempdir().unwrap();
        let mut book = Book::new(&about(), &folder.path().join("a.xlsx")).unwrap();
        let rows = [Ok(vec![Value::text("1")]), Err(ResultError::NoOutcome(7))];
        let table = Table::new("A", vec![Column::text("a")]);
        let stopped = book.stream(&table, rows.into_iter()).unwrap_err();
        assert!(matches!(stopped, ResultError::NoOutcome(7)));
    }
}
