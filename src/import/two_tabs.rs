//! Orders that go on in another tab of their workbook: of a file one tab is read, and they would be sent without the
//! lines that stand elsewhere.
//!
//! Most workbooks with an order on two tabs have the same list there twice: a backup, an older state, all orders beside those
//! to print. Such a tab has most lines of the other one, or of the order at least one, and no order has to wait for it. Neither
//! for a tab that says what is printed in other columns, as the shop's own export does that a sheet was made of; nor for
//! lines of another person's order, which has the same number; nor for lines that are not to be printed there either, on a tab
//! called `Shipped` say.
//!
//! Where a tab has few of the other one's orders, and more of its own, it is no copy of that: an order that has a line on
//! both, and another one there alone, is most likely put together of the two. It may as well be an order whose other lines
//! were printed before, so that a person decides.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, RandomState};

use super::brought::skus_of;
use super::by_shop::kept_back;
use super::decide::Decided;
use super::read::{How, titles};
use super::said_before::waits_then;
use super::unread::{goes_on, holds_orders, is_worked};
use crate::finding::{Code, Finding, Rejection};
use crate::order::{Draft, Field, Grouper, IdHash, Index, KnownLines, Layout, id_hash, quoted};
use crate::quote::Hold;
use crate::sheet::{HEADER_ROWS, Row, Sheet, Tab};

/// The orders of a sheet that have lines on other tabs which it lacks.
#[derive(Debug, Default)]
pub(super) struct TwoTabs {
    /// The tab that is read.
    read: String,
    /// The others.
    tabs: Vec<String>,
    hashing: RandomState,
    orders: HashMap<IdHash, Elsewhere>,
}

/// A line that the tab which is read lacks.
#[derive(Debug)]
struct Elsewhere {
    /// Its tab's place among the others.
    tab: usize,
    row: u32,
    to: [Option<u64>; 2],
    /// Whether a person decides if it is to be printed with the order.
    is_asked: bool,
}

/// What another tab has beyond the orders of the one that is read.
struct Beyond {
    /// What a first reading of it knows.
    index: Index,
    /// Its rows with lines that these orders lack, and the order of each.
    rows: HashMap<u32, IdHash>,
    /// The orders of which a person is asked.
    asked: HashSet<IdHash>,
}

/// The sheet that is read, as it was read once.
#[derive(Clone, Copy)]
pub(super) struct ReadTab<'a> {
    pub(super) sheet: &'a Sheet,
    pub(super) layout: &'a Layout,
    pub(super) index: &'a Index,
}

impl ReadTab<'_> {
    fn lines(&self) -> Result<KnownLines, Rejection> {
        let mut lines = KnownLines::default();
        each_row(self.sheet, self.sheet.header().number(), |row| {
            if let Some(order) = self.index.order_of(self.layout, row) {
                lines.note(self.layout, row, &order);
            }
        })?;
        Ok(lines)
    }
}

impl TwoTabs {
    /// Reads every other tab of the workbook that holds orders to its end.
    ///
    /// # Errors
    /// The file cannot be read now. A tab that cannot be worked by itself says nothing.
    pub(super) fn find(read: ReadTab<'_>, how: &How<'_>) -> Result<Self, Rejection> {
        let tabs = read.sheet.tabs();
        let mut found = Self {
            read: tabs.read.clone(),
            ..Self::default()
        };
        let mut lines = None;
        for tab in &tabs.others {
            match found.look_at(tab, read, (how, &mut lines)) {
                Ok(()) => {}
                Err(why) if why.code == Code::UnreadableFile => return Err(why),
                Err(_not_to_be_worked) => {}
            }
        }
        Ok(found)
    }

    fn look_at(
        &mut self,
        tab: &Tab,
        read: ReadTab<'_>,
        (how, lines): (&How<'_>, &mut Option<KnownLines>),
    ) -> Result<(), Rejection> {
        let has_header = holds_orders(tab, how.profiles);
        if !has_header && !goes_on(tab, read.layout, how.profiles) {
            return Ok(());
        }
        let begins = |row: &Row| {
            if has_header {
                is_worked(row, how.profiles)
            } else {
                row.number() <= HEADER_ROWS && read.layout.reads_as_an_order(row)
            }
        };
        let sheet = read.sheet.another(&tab.name, how.limits, how.scratch, &begins)?;
        let (layout, header) = if has_header {
            (how.profiles.layout(sheet.header())?, sheet.header().number())
        } else {
            (read.layout.clone(), sheet.header().number().saturating_sub(1))
        };
        if !layout.has_lines_like(read.layout) {
            return Ok(());
        }
        let titles = if has_header {
            titles(&sheet, &layout)?
        } else {
            Vec::new()
        };
        let layout = layout.in_tab(&tab.name, &titles);
        let beyond = lacking((&sheet, header), &layout, read, lines)?;
        if !beyond.rows.is_empty() {
            self.tabs.push(tab.name.clone());
            self.note((&sheet, header), &layout, beyond)?;
        }
        Ok(())
    }

    /// Notes the orders of another tab of which lines in these rows are to be printed.
    fn note(
        &mut self,
        (sheet, header): (&Sheet, u32),
        layout: &Layout,
        beyond: Beyond,
    ) -> Result<(), Rejection> {
        let tab = self.tabs.len().saturating_sub(1);
        let mut grouper = Grouper::new(layout.clone(), beyond.index);
        each_row(sheet, header, |row| {
            let Some(draft) = grouper.push(row).filter(Draft::is_open) else {
                return;
            };
            let mut rows = draft.lines().iter().map(|line| line.row());
            if let Some(row) = rows.find(|row| beyond.rows.contains_key(row)) {
                let order = id_hash(draft.order_id());
                let elsewhere = Elsewhere {
                    tab,
                    row,
                    to: self.addressee(&draft),
                    is_asked: beyond.asked.contains(&order),
                };
                self.put(order, elsewhere);
            }
        })
    }

    /// Of what two tabs say of an order, what is certain counts, then what the first of them says.
    fn put(&mut self, order: IdHash, elsewhere: Elsewhere) {
        let is_better = |known: &Elsewhere| known.is_asked && !elsewhere.is_asked;
        if self.orders.get(&order).is_none_or(is_better) {
            self.orders.insert(order, elsewhere);
        }
    }

    /// Keeps an order back that has lines elsewhere, or has a person asked about it.
    pub(super) fn keep_back(&self, mut decided: Decided, draft: &Draft) -> Decided {
        let Some(elsewhere) = self.elsewhere(draft) else {
            return decided;
        };
        if !elsewhere.is_asked {
            let (had, notes) = match &decided {
                Decided::Ready(ready) => (skus_of(&ready.order), waits_then(draft, &ready.holds)),
                _ => <_>::default(),
            };
            let mut decided = kept_back(decided, self.finding(draft, elsewhere).into_iter().collect());
            if let Some(outcome) = decided.outcome().filter(|_| !had.is_empty()) {
                outcome.whole_skus = had;
                outcome.findings.extend(notes);
            }
            return decided;
        }
        if let Decided::Ready(ready) = &mut decided {
            ready.holds.extend(self.hold(draft, elsewhere));
        }
        decided
    }

    /// The line of an order that stands elsewhere, unless that is of another person's order.
    fn elsewhere(&self, draft: &Draft) -> Option<&Elsewhere> {
        // Hardly any workbook has such an order.
        let order = (!self.orders.is_empty()).then(|| id_hash(draft.order_id()))?;
        let elsewhere = self.orders.get(&order)?;
        let own = self.addressee(draft);
        let mut pairs = own.iter().zip(&elsewhere.to);
        let is_of_another = pairs.all(|(own, other)| own.is_some() && other.is_some() && own != other);
        (!is_of_another).then_some(elsewhere)
    }

    fn hold(&self, draft: &Draft, elsewhere: &Elsewhere) -> Option<Hold> {
        let (read, tab) = (quoted(&self.read), self.tabs.get(elsewhere.tab)?);
        let (tab, row) = (quoted(tab), elsewhere.row);
        Some(Hold {
            code: Code::ShopHold,
            message: format!(
                "Row {row} of the tab {tab} has a line of the order {} that the tab {read} does not have, and only {read} is \
                 read. Approve it if it is to be printed without that line; if that line belongs to it, decline it, put all \
                 its lines onto {read} and drop the workbook again.",
                draft.order_id()
            ),
        })
    }

    fn finding(&self, draft: &Draft, elsewhere: &Elsewhere) -> Option<Finding> {
        let (read, tab) = (quoted(&self.read), self.tabs.get(elsewhere.tab)?);
        let (id, tab, row) = (draft.order_id(), quoted(tab), elsewhere.row);
        Some(Finding {
            code: Code::OnTwoTabs,
            row: draft.rows().first().copied()?,
            column: None,
            message: format!(
                "Row {row} of the tab {tab} has a line of the order {id} that the tab {read} does not have; only {read} is \
                 read, and the order would be sent without it."
            ),
            hint: format!(
                "Put all lines of the order onto {read} and drop the workbook again. Where what stands on {tab} is not to be \
                 ordered, as that of an older list is not, delete or hide that tab."
            ),
        })
    }

    /// To whom an order goes: the letters and digits of a name and of a street, hashed; none of what is blank.
    fn addressee(&self, draft: &Draft) -> [Option<u64>; 2] {
        [Field::ShippingName, Field::ShippingAddress1].map(|field| {
            let text = draft.value(field).text.to_lowercase();
            let plain: String = text.chars().filter(|c| c.is_alphanumeric()).collect();
            (!plain.is_empty()).then(|| self.hashing.hash_one(plain))
        })
    }
}

/// What another tab has beyond the orders of the one that is read.
fn lacking(
    (sheet, header): (&Sheet, u32),
    layout: &Layout,
    read: ReadTab<'_>,
    lines: &mut Option<KnownLines>,
) -> Result<Beyond, Rejection> {
    let mut index = Index::default();
    let (mut beyond, mut shared, mut same) = (HashMap::new(), HashSet::new(), 0);
    let mut trouble = None;
    each_row(sheet, header, |row| {
        index.note(layout, row);
        let order = index.order_of(layout, row);
        let Some(order) = order.filter(|order| read.index.has(order) && trouble.is_none()) else {
            return;
        };
        // Most workbooks have no order on two tabs: only then the one that was read is read again.
        if lines.is_none() {
            match read.lines() {
                Ok(read) => *lines = Some(read),
                Err(why) => trouble = Some(why),
            }
        }
        if lines.as_ref().is_some_and(|lines| lines.has(layout, row, &order)) {
            shared.insert(order);
            same += 1;
        } else {
            beyond.insert(row.number(), order);
        }
    })?;
    if let Some(why) = trouble {
        return Err(why);
    }
    // Most of it is the same list.
    let is_alike = same >= beyond.len();
    let is_unclear = |order: &IdHash| is_alike || shared.contains(order);
    let orders: HashSet<IdHash> = shared.iter().chain(beyond.values()).copied().collect();
    let mut asked = HashSet::new();
    if is_its_own_list(orders.len(), read.index.ids_seen(), index.ids_seen()) {
        asked.extend(beyond.values().filter(|order| is_unclear(order)));
    } else {
        beyond.retain(|_row, order| !is_unclear(order));
    }
    Ok(Beyond {
        index,
        rows: beyond,
        asked,
    })
}

/// Whether a tab is no copy of the one that is read, by how many orders both have, that one has and it has: a backup, an older
/// or newer list, and a list of all orders beside those to print have most of its orders, and a list of some of them, to be
/// packed say, has hardly others.
fn is_its_own_list(both: usize, read: usize, other: usize) -> bool {
    both.saturating_mul(2) < read && both <= other.saturating_sub(both)
}

/// Goes through the rows below a header.
fn each_row(sheet: &Sheet, header: u32, mut take: impl FnMut(&Row)) -> Result<(), Rejection> {
    let (mut rows, mut row) = (sheet.rows()?, Row::default());
    while rows.next(&mut row)? {
        if row.number() > header {
            take(&row);
        }
    }
    Ok(())
}
