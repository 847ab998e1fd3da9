//! The first pass: the whole sheet is read once, before anything is sent, so that what rejects it is known.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use super::two_tabs::{ReadTab, TwoTabs};
use super::unread::{Unread, behind_an_empty_one, beside_an_example, is_never_ordered, unread};
use super::{own_page, sends};
use crate::config::Inbox;
use crate::finding::{Code, Rejection};
use crate::ledger::record::Claim;
use crate::order::sku_map::{MapLayout, NOT_PRINTED_HERE};
use crate::order::{Draft, Grouper, Index, Layout, Profiles, SkuMap, is_example};
use crate::result::held;
use crate::sheet::ahead::{RowsAhead, read_ahead_checked};
use crate::sheet::{Format, Limits, Row, Sheet, unreadable};
use crate::template::{EXAMPLE, ORDERS};

/// Different SKUs that are looked at before the second pass; a sheet with more has its catalog refreshed by age alone.
const MOST_SKUS: usize = 20_000;

/// After so many rows, most of the products that a sheet names have been seen.
const EARLY_ROWS: usize = 256;

/// They are fewer where they are more bytes: a row may have some megabytes, and these are held until they are worked.
const EARLY_BYTES: usize = 1 << 20;

/// A sheet that was read once.
#[derive(Debug)]
pub struct Read {
    /// The sheet.
    pub sheet: Sheet,
    /// Its columns.
    pub layout: Layout,
    /// Which rows belong together.
    pub index: Index,
    /// The different SKUs in it as the SKU map has them, as far as they are looked at.
    pub skus: BTreeSet<String>,
    /// What is to be said of other sheets of its workbook.
    pub unread: Unread,
}

impl Read {
    /// Whether the sheet is taken into the SKU map of its inbox.
    pub fn extends_map(&self, claim: &Claim, inbox: &Inbox) -> bool {
        self.layout.is_sku_map() && sends(claim.new.purpose) && inbox.sku_map.is_some()
    }
}

/// What a sheet's first rows say, so that what depends on it can be asked for while the rest is read.
#[derive(Clone, Debug)]
pub enum Early {
    /// The id of its first order, as in the sheet.
    Order(String),
    /// The rows themselves.
    Rows(Box<FirstRows>),
}

/// The first rows of a sheet.
#[derive(Clone, Debug)]
pub struct FirstRows {
    /// The sheet's columns.
    layout: Layout,
    rows: Vec<Row>,
    /// The SKUs that the rows name.
    pub skus: BTreeSet<String>,
}

impl FirstRows {
    /// The first few orders, as they are where none of their rows stands further down.
    pub fn drafts(&self, most: usize) -> Vec<Draft> {
        let mut index = Index::default();
        for row in &self.rows {
            index.note(&self.layout, row);
        }
        let mut grouper = Grouper::new(self.layout.clone(), index);
        let drafts = self.rows.iter().filter_map(|row| grouper.push(row));
        drafts.take(most).collect()
    }
}

/// How a sheet is read.
#[derive(Clone, Copy)]
pub struct How<'a> {
    /// What it may cost.
    pub limits: Limits,
    /// The layouts that are known.
    pub profiles: &'a Profiles,
    /// The merchant's own SKUs.
    pub map: &'a SkuMap,
    /// What the inbox puts before each id.
    pub order_prefix: &'a str,
    /// A folder on a local disk for unpacked rows.
    pub scratch: &'a Path,
    /// Told what the first rows say.
    pub early: Option<&'a dyn Fn(Early)>,
}

impl std::fmt::Debug for How<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("How")
            .field("limits", &self.limits)
            .field("scratch", &self.scratch)
            .finish_non_exhaustive()
    }
}

/// Reads a sheet from its first row to its last.
///
/// # Errors
/// Why it cannot be worked.
pub fn read(file: File, name: &str, how: How<'_>) -> Result<Read, Rejection> {
    read_opened(open(file, name, how)?, name, how)
}

/// Opens a sheet and reads its columns.
///
/// # Errors
/// Why it cannot be worked.
pub fn open(file: File, name: &str, how: How<'_>) -> Result<(Sheet, Layout), Rejection> {
    let again = file.try_clone().map_err(|error| unreadable(&error))?;
    let sheet = open_sheet(file, name, how).map_err(|why| own_page::instead(why, again, name, how))?;
    let layout = if MapLayout::is_header(sheet.header()) {
        Layout::of_sku_map(sheet.header())?
    } else {
        let known = how.profiles.layout(sheet.header());
        known.map_err(|why| {
            let ours = held_sheet(sheet.header()).or_else(|| own_page::of(sheet.header()));
            ours.unwrap_or_else(|| in_another_tab(&sheet, why, how.profiles))
        })?
    };
    let titles = titles(&sheet, &layout)?;
    let layout = layout.in_tab(&sheet.tabs().read, &titles);
    Ok((sheet, layout))
}

/// What stands above the header in a row of its own.
///
/// # Errors
/// An order stands there.
pub(super) fn titles(sheet: &Sheet, layout: &Layout) -> Result<Vec<String>, Rejection> {
    let header = sheet.header().number();
    let (mut titles, mut row) = (Vec::new(), Row::default());
    // Most sheets begin with their header.
    if header == 1 {
        return Ok(titles);
    }
    let mut rows = sheet.rows()?;
    while rows.next(&mut row)? && row.number() < header {
        if layout.reads_as_an_order(&row) && !row.iter().any(is_example) {
            return Err(order_above(row.number(), header));
        }
        let mut texts = row.iter().map(str::trim).filter(|text| !text.is_empty());
        if let (Some(title), None) = (texts.next(), texts.next()) {
            titles.push(title.to_owned());
        }
    }
    Ok(titles)
}

/// What is said of a sheet whose header was sorted in among the orders.
fn order_above(row: u32, header: u32) -> Rejection {
    Rejection {
        code: Code::NoHeader,
        message: format!(
            "Row {row} reads as an order and stands above the header, which is row {header}: it would not be sent."
        ),
        hint: "Put the row with the names of the columns above all orders, and drop the sheet again."
            .to_owned(),
    }
}

/// Opens a sheet at its header: the first row that looks like one or, where that cannot be worked, one further down in the
/// same tab that can; a line above a table may look like a header too. The template's example has one as well, and is passed
/// over.
fn open_sheet(file: File, name: &str, how: How<'_>) -> Result<Sheet, Rejection> {
    let is_header = |row: &Row| how.profiles.is_header(row) || MapLayout::is_header(row);
    let is_known = |row: &Row| match how.profiles.layout(row) {
        Ok(_layout) => true,
        Err(why) => why.code == Code::OtherExport || held_sheet(row).is_some(),
    };
    let is_worked = |row: &Row| is_header(row) && (MapLayout::is_header(row) || is_known(row));
    let again = file.try_clone().map_err(|error| unreadable(&error))?;
    let first = open_at(file, name, how, &is_header)?;
    if is_worked(first.header()) {
        return Ok(first);
    }
    match open_at(again, name, how, &is_worked) {
        Ok(better) if better.tabs().read == first.tabs().read => Ok(better),
        // Of another tab it would be other orders: what is wrong with the first is told.
        Ok(_of_another_tab) => Ok(first),
        Err(why) if why.code == Code::UnreadableFile => Err(why),
        Err(_no_better_one) => Ok(first),
    }
}

/// Opens a sheet at the first row that is asked for and stands on a page that is ordered.
fn open_at(
    file: File,
    name: &str,
    how: How<'_>,
    is_wanted: &dyn Fn(&Row) -> bool,
) -> Result<Sheet, Rejection> {
    let search = Search {
        is_wanted,
        last: Cell::new(0),
        is_of_example: Cell::new(false),
        has_passed: Cell::new(false),
    };
    let found = Sheet::open(file, name, how.limits, how.scratch, &|row| search.finds(row));
    found.map_err(|why| match why.code {
        Code::NoHeader | Code::EmptySheet if search.has_passed.get() => example_alone(),
        _ => why,
    })
}

/// A search for a header, tab by tab, each from its first row.
struct Search<'a> {
    is_wanted: &'a dyn Fn(&Row) -> bool,
    /// The row that was looked at last.
    last: Cell<u32>,
    /// Whether that stands on a page that is never ordered.
    is_of_example: Cell<bool>,
    /// Whether a header was passed over, for it stands on such a page.
    has_passed: Cell<bool>,
}

impl Search<'_> {
    fn finds(&self, row: &Row) -> bool {
        let goes_on = row.number() > self.last.replace(row.number());
        let is_of_example = (goes_on && self.is_of_example.get()) || is_never_ordered(row);
        self.is_of_example.set(is_of_example);
        let is_wanted = (self.is_wanted)(row);
        if is_wanted && is_of_example {
            self.has_passed.set(true);
        }
        is_wanted && !is_of_example
    }
}

/// What is said of a sheet that has nothing but the template's example.
fn example_alone() -> Rejection {
    Rejection {
        code: Code::EmptySheet,
        message: format!(
            "This is the template's page {EXAMPLE}, which is never ordered, and no other page that can be seen has orders."
        ),
        hint: format!("Your orders belong on the page {ORDERS}: write them there, and drop that."),
    }
}

/// Why a sheet cannot be worked, with the tab that could be.
fn in_another_tab(sheet: &Sheet, why: Rejection, profiles: &Profiles) -> Rejection {
    match behind_an_empty_one(sheet.tabs(), profiles) {
        Some(advice) if why.code != Code::OtherExport => Rejection {
            hint: format!("{advice} {}", why.hint),
            ..why
        },
        Some(_) | None => why,
    }
}

/// What is said of a list of held orders: it is known by the column that names them, and is no order sheet.
fn held_sheet(header: &Row) -> Option<Rejection> {
    let is_one = header.iter().any(|name| name.trim() == held::KEY);
    is_one.then(|| Rejection {
        code: Code::HeldSheet,
        message: "This is a list of held orders, as dropsheet writes them into held/, and no order sheet.".to_owned(),
        hint: "Move it into approved/ to approve the orders that are listed in it, or into declined/ to decline them."
            .to_owned(),
    })
}

/// Reads a sheet that is open from its first row to its last.
///
/// # Errors
/// Why it cannot be worked.
pub fn read_opened((sheet, layout): (Sheet, Layout), name: &str, how: How<'_>) -> Result<Read, Rejection> {
    let header = sheet.header().number();
    let check = |row: &Row| {
        if row.number() > header && layout.is_other_header(row) {
            return Err(other_header(row.number(), header));
        }
        Ok(())
    };
    let index = match sheet.format() {
        Format::Csv { .. } => Index::of_text(),
        Format::Workbook => Index::default(),
    };
    let index = index.with_prefix(how.order_prefix);
    let note = |rows: &mut RowsAhead| note_all(rows, (header, index), &layout, &how);
    let (index, skus, first) = read_ahead_checked(sheet.rows()?, &check, note)?;
    let Some(first) = first else {
        let elsewhere = behind_an_empty_one(sheet.tabs(), how.profiles);
        let elsewhere = elsewhere.or_else(|| beside_an_example(sheet.tabs()));
        return Err(Rejection {
            code: Code::EmptySheet,
            message: format!("`{name}` has a header and no order below it."),
            hint: elsewhere.unwrap_or_else(|| "Add the orders and drop it again.".to_owned()),
        });
    };
    let told = unread(sheet.tabs(), how.profiles, (&layout, first));
    let read = ReadTab {
        sheet: &sheet,
        layout: &layout,
        index: &index,
    };
    let orders = match told {
        Some(_) => TwoTabs::find(read, &how)?,
        None => TwoTabs::default(),
    };
    Ok(Read {
        unread: Unread {
            told,
            orders: Arc::new(orders),
        },
        sheet,
        layout,
        index,
        skus,
    })
}

/// What is said of a sheet that was put together from two whose columns stand in another order.
fn other_header(row: u32, header: u32) -> Rejection {
    Rejection {
        code: Code::RepeatedColumn,
        message: format!(
            "Row {row} is another header: it names other columns than row {header}, or in another order, and the rows below it \
             would be read by row {header}."
        ),
        hint:
            "Drop the rows below each header as a sheet of their own, or bring their columns into one order."
                .to_owned(),
    }
}

/// Notes every row below the header; gives the first one with text too.
fn note_all(
    rows: &mut RowsAhead,
    (header, mut index): (u32, Index),
    layout: &Layout,
    how: &How<'_>,
) -> Result<(Index, BTreeSet<String>, Option<u32>), Rejection> {
    let mut first_row = None;
    let mut skus = BTreeSet::new();
    let mut first = how.early.map(First::new);
    while let Some(row) = rows.next_row()? {
        if row.number() <= header {
            continue;
        }
        let before = index.rows();
        index.note(layout, row);
        note_skus(layout, row, how.map, &mut skus);
        if index.rows() == before {
            continue;
        }
        first_row = first_row.or(Some(row.number()));
        if let Some(gathering) = first.take() {
            first = gathering.note(row, &index, layout, &skus);
        }
    }
    Ok((index, skus, first_row))
}

/// The first rows with text, while they are gathered.
struct First<'a> {
    tell: &'a dyn Fn(Early),
    rows: Vec<Row>,
    bytes: usize,
}

impl<'a> First<'a> {
    fn new(tell: &'a dyn Fn(Early)) -> Self {
        Self {
            tell,
            rows: Vec::new(),
            bytes: 0,
        }
    }

    /// Gathers a row that was noted; none once all are told of.
    fn note(mut self, row: &Row, index: &Index, layout: &Layout, skus: &BTreeSet<String>) -> Option<Self> {
        if self.rows.is_empty() && !index.newest_id().is_empty() {
            (self.tell)(Early::Order(index.newest_id().to_owned()));
        }
        self.rows.push(row.clone());
        self.bytes += row.bytes();
        if self.rows.len() < EARLY_ROWS && self.bytes <= EARLY_BYTES {
            return Some(self);
        }
        (self.tell)(Early::Rows(Box::new(FirstRows {
            layout: layout.clone(),
            rows: self.rows,
            skus: skus.clone(),
        })));
        None
    }
}

fn note_skus(layout: &Layout, row: &Row, map: &SkuMap, skus: &mut BTreeSet<String>) {
    if skus.len() >= MOST_SKUS {
        return;
    }
    if layout.is_native() && map.is_empty() {
        let sku = layout.sku_column().map_or("", |column| row.text(column).trim());
        if !sku.is_empty() && !skus.contains(sku) {
            skus.insert(sku.to_owned());
        }
        return;
    }
    let named = layout.skus(row).into_iter();
    let named = named.map(|sku| {
        if layout.is_sku_map() {
            sku
        } else {
            map.item_sku(&sku)
        }
    });
    skus.extend(named.filter(|sku| !sku.is_empty() && sku != NOT_PRINTED_HERE));
}
