//! What a shop's export says of an order beside what is to be printed: canceled, paid, sent already, how old. Whether
//! it matters depends on what is known of the order; that is judged elsewhere.

use super::cells::Cells;
use super::columns::Field;
use super::day::{self, Day, DayOrder};
use super::layout::Layout;
use super::profile::written::Means;
use super::shop::{RowSays, Shop};
use super::stated::{Mark, NotBefore};

/// Why a row of an order is no line that is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// Canceled or refunded in the shop.
    Canceled,
    /// Sent already.
    Fulfilled,
    /// Not paid yet.
    Unpaid,
    /// Nothing to print.
    NotPhysical,
    /// A footer, a summary or an explanation.
    NoLine,
    /// The SKU map says so.
    NotPrintedHere,
}

impl Why {
    /// Whether the row is no line of the order whatever becomes of it in the shop; other rows may have been printed
    /// before they came to be what they are.
    pub fn is_lasting(self) -> bool {
        match self {
            Self::NotPhysical | Self::NoLine | Self::NotPrintedHere => true,
            Self::Canceled | Self::Fulfilled | Self::Unpaid => false,
        }
    }
}

impl From<Means> for Why {
    fn from(means: Means) -> Self {
        match means {
            Means::Canceled => Self::Canceled,
            Means::Fulfilled => Self::Fulfilled,
            Means::Unpaid => Self::Unpaid,
            Means::NotPhysical => Self::NotPhysical,
            Means::NoLine | Means::Summary => Self::NoLine,
        }
    }
}

/// A row of an order that is no line to print.
#[derive(Clone, Debug)]
pub(crate) struct UnprintedRow {
    /// The row's cells.
    pub(crate) cells: Cells,
    /// Why it is not printed.
    pub(crate) why: Why,
    /// The same for a person, as the end of a sentence.
    pub(crate) reason: String,
}

/// What the shop says of the whole order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Standing {
    /// Canceled or refunded, and how that is said.
    pub(crate) canceled: Option<String>,
    /// Not paid yet, and how that is said.
    pub(crate) unpaid: Option<String>,
    /// Why it is to wait for a person.
    pub(crate) holds: Vec<String>,
    /// What of that the sheet says in columns of its own, beside the id or over the rows.
    pub(crate) marks: Vec<Mark>,
    /// The days before which it is not to be sent.
    pub(crate) not_before: Vec<NotBefore>,
    /// Why it has no address.
    pub(crate) no_address: Option<String>,
    /// The day it was placed.
    pub(crate) day: Option<Day>,
    /// The shop's own number of the order.
    pub(crate) shop_order: String,
}

impl Standing {
    /// Has the order wait for what a row says, each reason and each day said once.
    fn wait_for(&mut self, says: &RowSays) {
        for reason in &says.holds {
            if !self.holds.contains(reason) {
                self.holds.push(reason.clone());
            }
        }
        for mark in &says.marks {
            if !self.marks.contains(mark) {
                self.marks.push(mark.clone());
            }
        }
        for day in &says.not_before {
            if !self.not_before.iter().any(|other| other.is_like(day)) {
                self.not_before.push(day.clone());
            }
        }
    }
}

/// The day of an order: what the first of its rows says that has one.
fn day_of(rows: &[RowSays], formats: &[String], order_of_days: DayOrder) -> Day {
    match rows.iter().find(|says| !says.date.is_empty()) {
        None => day::read("", formats),
        Some(says) if says.is_date_cell => day::read_cell(&says.date, formats, order_of_days),
        Some(says) => day::read(&says.date, formats),
    }
}

/// Sets aside the rows that are no lines to print, and gives what the shop says of the order.
///
/// `order_of_days`: what the sheet tells of how a spreadsheet read its days.
pub(super) fn sort_out(
    layout: &Layout,
    lines: &mut Vec<Cells>,
    order_of_days: DayOrder,
) -> (Vec<UnprintedRow>, Standing) {
    let Some(shop) = layout.shop() else {
        let mut standing = Standing::default();
        for says in lines.iter().filter_map(Cells::says) {
            standing.wait_for(says);
        }
        return (Vec::new(), standing);
    };
    let says: Vec<RowSays> = lines.iter().filter_map(|line| line.says().cloned()).collect();
    if says.is_empty() {
        // Nothing of its rows could be read: a cell that seems blank says nothing.
        return (Vec::new(), Standing::default());
    }
    let first = |text: fn(&RowSays) -> &String| {
        let found = says.iter().map(text).find(|text| !text.is_empty());
        found.cloned().unwrap_or_default()
    };
    let mut standing = Standing {
        day: shop
            .date_formats()
            .map(|formats| day_of(&says, formats, order_of_days)),
        shop_order: first(|says| &says.shop_order),
        ..Standing::default()
    };
    for says in &says {
        standing.wait_for(says);
    }
    standing.no_address = says.iter().find_map(|says| says.no_address.clone());
    let mut of_all = None;
    for (means, reason) in shop.says_of_order(&says) {
        match means {
            Means::Canceled => standing.canceled = standing.canceled.or(Some(reason)),
            Means::Unpaid => standing.unpaid = standing.unpaid.or(Some(reason)),
            Means::Fulfilled | Means::NotPhysical | Means::NoLine | Means::Summary => {
                of_all = of_all.or(Some((means, reason)));
            }
        }
    }
    let sums_up = summaries(lines);
    let of_lines = lines.iter().zip(&sums_up).filter(|(_, sums_up)| **sums_up);
    let of_lines = of_lines.filter_map(|(cells, _)| cells.says()?.aside.clone());
    // What is canceled, sent or not paid may come to be something else; what is no line at all says nothing of others.
    let mut of_lines = of_lines.filter(|(means, _)| !Why::from(*means).is_lasting());
    of_all = of_all.or_else(|| of_lines.next());
    let mut aside = Vec::new();
    for (cells, sums_up) in std::mem::take(lines).into_iter().zip(sums_up) {
        let own = cells.says().and_then(|says| {
            let summary = || says.summary.clone().map(|reason| (Means::Summary, reason));
            if sums_up { summary() } else { says.aside.clone() }
        });
        match own.or_else(|| of_all.clone()) {
            None => lines.push(cells),
            Some((means, reason)) => aside.push(UnprintedRow {
                cells,
                why: means.into(),
                reason,
            }),
        }
    }
    (aside, standing)
}

/// Which rows sum up item rows below them. A row that looks like a summary and has a SKU may be an item whose number is
/// missing: it sums up whole item rows alone.
fn summaries(lines: &[Cells]) -> Vec<bool> {
    let (mut whole_below, mut item_below) = (false, false);
    let mut sums_up: Vec<bool> = lines
        .iter()
        .rev()
        .map(|cells| {
            let is_summary = cells.says().is_some_and(|says| says.summary.is_some());
            let has_sku = !cells.text(Field::ItemSku).is_empty();
            let sums_up = is_summary && (whole_below || (item_below && !has_sku));
            whole_below |= !is_summary;
            item_below |= !is_summary || has_sku;
            sums_up
        })
        .collect();
    sums_up.reverse();
    sums_up
}

/// Sets aside the rows that say what the header says.
pub(super) fn repeats_header(lines: &mut Vec<Cells>) -> Vec<UnprintedRow> {
    no_lines(lines, "the row repeats the header")
}

/// Sets aside the rows that have no more than a list is filled in with beforehand.
pub(super) fn were_filled_in_beforehand(lines: &mut Vec<Cells>) -> Vec<UnprintedRow> {
    no_lines(
        lines,
        "the row is no order line: as others at the end of the list, it has no more than what was filled in beforehand, and \
         neither an id nor a SKU nor an address",
    )
}

fn no_lines(lines: &mut Vec<Cells>, reason: &str) -> Vec<UnprintedRow> {
    let aside = |cells| UnprintedRow {
        cells,
        why: Why::NoLine,
        reason: reason.to_owned(),
    };
    std::mem::take(lines).into_iter().map(aside).collect()
}

impl Layout {
    /// Whether a sheet says of orders that their shop has canceled them.
    pub fn tells_of_canceled(&self) -> bool {
        self.shop().is_some_and(Shop::tells_of_canceled)
    }
}

impl Cells {
    /// Pieces as they were ordered, whatever of them is left to send; none where that is no number.
    pub(crate) fn pieces_ordered(&self) -> Option<u64> {
        let ordered = self.says().map_or("", |says| says.ordered.as_str());
        let text = if ordered.is_empty() {
            self.text(Field::Quantity)
        } else {
            ordered
        };
        text.parse().ok()
    }
}
