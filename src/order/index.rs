//! The first reading of a sheet: which rows belong together and where each order ends, in a few bytes an order.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::LazyLock;

use rustc_hash::FxHashMap;
use siphasher::sip128::{Hasher128, SipHasher13};

use crate::sheet::{CellKind, Row};

use super::columns::Field;
use super::cut::{CutRows, Piece};
use super::day::DayOrder;
use super::layout::{Layout, Prefilled};
use super::mend::{
    NoDays, is_a_pair, may_be_a_day, may_be_a_month, may_be_a_whole_day, mend, shows_every_digit,
};
use super::stated::{Ends, ends_beside_an_id, ids_beside_a_mark, ids_called_off, is_marked};
use super::sums::is_sum;
use super::writings::plain_writing_in_inbox;

/// What a row is to an order sheet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RowKey {
    /// Nothing stands in it.
    Blank,
    /// A line of the order with this id, mended as it will be in the draft.
    Order(String),
    /// A row with text but without an `order_id`, or with a mark for the one above in its place, or the header once more: an
    /// order of its own that cannot be sent.
    NoId,
}

impl RowKey {
    /// What a row below the header is. A row that only has text in `result_*` columns is blank.
    pub fn of(layout: &Layout, row: &Row) -> Self {
        let has_text = |column: &usize| row.has_text(*column) || row.kind(*column) == CellKind::NoValue;
        let beyond = || (layout.width()..row.len()).any(|column| has_text(&column));
        if !layout.own_columns().iter().any(has_text) && !beyond() {
            return Self::Blank;
        }
        let id = layout.column(Field::OrderId).map_or_else(String::new, |column| {
            mend(Field::OrderId, row.text(column), row.kind(column)).text
        });
        if id.is_empty() || layout.repeats_header(row) || layout.may_stand_below(row, &id) {
            Self::NoId
        } else {
            Self::Order(id)
        }
    }
}

/// 128 bits that stand for an id while the program runs, by a key that nobody knows: ids that share them do not happen, and
/// nobody can make such. As bytes, which lie closer in a map than a number of that size. Never stored.
pub(crate) type IdHash = [u8; 16];

/// Something for each of a sheet's orders. Its keys are hashes that nobody can choose: they need no strong hash of their own.
pub(super) type ByOrder<T> = FxHashMap<IdHash, T>;

/// Where a row belongs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RowPlace {
    /// Its order; none where it has no id and is none of an order above it.
    pub(crate) order: Option<IdHash>,
    /// That order's first and last row. A row that the first reading has not seen stands for itself.
    pub(crate) span: (u32, u32),
}

/// The hash that stands for an id.
pub(crate) fn id_hash(id: &str) -> IdHash {
    /// Drawn anew by each process: the standard library's own random keys, made into one.
    static KEYED: LazyLock<SipHasher13> = LazyLock::new(|| {
        let key = || RandomState::new().hash_one(());
        SipHasher13::new_with_keys(key(), key())
    });
    let mut hasher = *KEYED;
    hasher.write(id.as_bytes());
    hasher.finish128().as_bytes()
}

/// The ids of a sheet's orders, to tell whether another sheet has one of them.
#[derive(Debug)]
pub struct Ids(Vec<IdHash>);

impl Ids {
    /// These ids.
    pub fn of<'a>(ids: impl IntoIterator<Item = &'a str>) -> Self {
        Self::sorted(ids.into_iter().map(id_hash).collect())
    }

    fn sorted(mut ids: Vec<IdHash>) -> Self {
        ids.sort_unstable();
        Self(ids)
    }

    /// Whether both have an id.
    pub fn shares(&self, other: &Self) -> bool {
        let (few, many) = if self.0.len() < other.0.len() {
            (self, other)
        } else {
            (other, self)
        };
        few.0.iter().any(|id| many.0.binary_search(id).is_ok())
    }
}

/// What a first reading of the whole sheet knows: which rows belong together, and where each order ends. It keeps a
/// few bytes an order, not the rows.
#[derive(Debug, Default)]
pub struct Index {
    /// The first and the last row of each order.
    spans: ByOrder<(u32, u32)>,
    /// Rows without an id that belong to the order above them, in the exports that leave it out there, or may belong to
    /// it.
    filled: HashMap<u32, IdHash>,
    /// Whether the row before has text and is one of that order.
    is_directly_above: bool,
    /// The order of the row before, and its id: most orders' rows follow each other.
    above: Option<IdHash>,
    above_id: String,
    /// What the sheet's inbox puts before each id.
    prefix: String,
    /// By plain writing, the first id that is written otherwise.
    plain: ByOrder<IdHash>,
    /// Those of them in which several ids are.
    alike: HashSet<IdHash>,
    /// The ids of which a row says that their order has ended, each with that row and what it means.
    called_off: ByOrder<(u32, Ends)>,
    rows: u64,
    rows_without_id: u64,
    order_of_days: DayOrder,
    /// Whether an id has digits that no spreadsheet has rounded.
    shows_every_digit: bool,
    /// Whether an id is a pair of numbers, or a day that a spreadsheet has made of one.
    has_pairs: bool,
    /// Ids that look like days and are none.
    no_days: NoDays,
    /// Rows that a line break has cut.
    cuts: CutRows,
    /// Rows that may have been filled in beforehand.
    prefilled: Prefilled,
}

impl Index {
    /// One of separated text, in which a line break may have cut a row.
    pub fn of_text() -> Self {
        Self {
            cuts: CutRows::of_text(),
            ..Self::default()
        }
    }

    /// One of a sheet whose inbox puts this before each id: with it, results show the order of the id behind it.
    #[must_use]
    pub fn with_prefix(self, prefix: &str) -> Self {
        Self {
            prefix: prefix.to_owned(),
            ..self
        }
    }

    /// Notes a row that stands below the header; rows come in order.
    pub fn note(&mut self, layout: &Layout, row: &Row) {
        match RowKey::of(layout, row) {
            RowKey::Blank => {
                self.is_directly_above = false;
                return;
            }
            RowKey::NoId => {
                let is_line = layout.fills_down(row) || (self.is_directly_above && layout.may_continue(row));
                // A header names an item and a quantity too.
                let belongs = is_line && !layout.repeats_header(row);
                let order = self.above.filter(|_| belongs);
                self.cuts.note(layout, row, order.is_some());
                if let Some(order) = order {
                    self.filled.insert(row.number(), order);
                    self.extend(order, row.number());
                    self.prefilled.note_order(row);
                } else {
                    self.prefilled.note(layout, row);
                    self.is_directly_above = false;
                    self.rows_without_id += 1;
                }
            }
            RowKey::Order(id) => {
                self.cuts.note(layout, row, true);
                if !is_sum(&id) {
                    self.prefilled.note_order(row);
                }
                self.shows_every_digit = self.shows_every_digit || is_text_with_every_digit(layout, row, &id);
                let order = match self.above {
                    Some(above) if self.above_id == id => above,
                    _ => {
                        let order = id_hash(&id);
                        self.note_id(&id, order);
                        order
                    }
                };
                self.above = Some(order);
                self.above_id = id;
                self.is_directly_above = true;
                self.extend(order, row.number());
            }
        }
        self.rows += 1;
        for (order, ends) in called_off_in(layout, row) {
            let said = self.called_off.entry(order).or_insert((row.number(), ends));
            // Of `1001 done` and `1001 CANCELED` the graver counts.
            if ends > said.1 {
                *said = (row.number(), ends);
            }
        }
        if let Some(shop) = layout.shop() {
            self.order_of_days = self.order_of_days.and(shop.order_of_days(row));
        }
    }

    /// Notes how an id is written that the row before does not have.
    fn note_id(&mut self, id: &str, order: IdHash) {
        self.has_pairs = self.has_pairs || is_a_pair(id);
        self.no_days.note(id);
        let Some(plain) = plain_writing_in_inbox(id, &self.prefix) else {
            return;
        };
        let plain = id_hash(&plain);
        if *self.plain.entry(plain).or_insert(order) != order {
            self.alike.insert(plain);
        }
    }

    /// Whether another order of the sheet has an id that differs from this one in writing alone, as `po-1` from `PO-1`.
    pub(crate) fn has_in_another_writing(&self, id: &str) -> bool {
        match plain_writing_in_inbox(id, &self.prefix) {
            Some(plain) => {
                let plain = id_hash(&plain);
                self.alike.contains(&plain) || self.spans.contains_key(&plain)
            }
            None => !self.plain.is_empty() && self.plain.contains_key(&id_hash(id)),
        }
    }

    /// The row that says of an order, by its id, that it has ended, and how.
    pub(crate) fn called_off(&self, id: &str) -> Option<(u32, Ends)> {
        // Hardly any sheet has such a row.
        let order = (!self.called_off.is_empty()).then(|| id_hash(id))?;
        self.called_off.get(&order).copied()
    }

    /// Whether a row says so of an order of the sheet.
    pub(crate) fn calls_off(&self, layout: &Layout, row: &Row) -> bool {
        let mut orders = called_off_in(layout, row);
        !self.called_off.is_empty() && orders.any(|(order, _)| self.spans.contains_key(&order))
    }

    /// The first row of the order of the sheet that an id speaks of which has a word for an end beside it.
    pub(crate) fn marks_another(&self, id: &str) -> Option<u32> {
        // As above.
        let ids = if self.called_off.is_empty() {
            Vec::new()
        } else {
            ids_beside_a_mark(id)
        };
        let mut spans = ids.iter().filter_map(|id| self.spans.get(&id_hash(id)));
        spans.next().map(|(first, _last)| *first)
    }

    /// What a row is of one that a line break has cut; none where it is whole.
    pub(super) fn piece(&self, row: u32) -> Option<Piece> {
        self.cuts.piece(row)
    }

    /// Whether a row without an id is no order line, as others like it that were filled in beforehand.
    pub(super) fn is_prefilled(&self, layout: &Layout, row: &Row) -> bool {
        self.prefilled.has(layout, row) && self.piece(row.number()).is_none()
    }

    /// Whether a row has no id of its own, and is one of the order above it, or may be.
    pub(super) fn is_filled(&self, row: u32) -> bool {
        self.filled.contains_key(&row)
    }

    fn extend(&mut self, order: IdHash, row: u32) {
        self.spans.entry(order).or_insert((row, row)).1 = row;
    }

    /// How many orders the sheet has; rows without an id count one each.
    pub fn orders(&self) -> u64 {
        // A sheet has at most as many orders as rows, and those fit.
        u64::try_from(self.spans.len())
            .unwrap_or(u64::MAX)
            .saturating_add(self.rows_without_id)
    }

    /// How many orders have an id.
    pub(crate) fn ids_seen(&self) -> usize {
        self.spans.len()
    }

    /// What the rows tell of how a spreadsheet read the sheet's days.
    pub(crate) fn order_of_days(&self) -> DayOrder {
        self.order_of_days
    }

    /// Whether the sheet shows that its ids were not rounded by a spreadsheet.
    pub(crate) fn shows_every_digit(&self) -> bool {
        self.shows_every_digit
    }

    /// Whether a spreadsheet may have made a day, or a month, of what an id was, by its text and by the other ids.
    pub(crate) fn may_be_remade(&self, raw: &str) -> bool {
        may_be_a_day(raw)
            || (self.has_pairs && may_be_a_month(raw))
            || (may_be_a_whole_day(raw) && !self.no_days.are_like(raw))
    }

    /// Whether the sheet has an order.
    pub(crate) fn has(&self, order: &IdHash) -> bool {
        self.spans.contains_key(order)
    }

    /// The ids of its orders. One counts in its plain writing too: it may be the same one.
    pub fn ids(&self) -> Ids {
        Ids::sorted(self.spans.keys().chain(self.plain.keys()).copied().collect())
    }

    /// The id of the order that was noted last, mended; empty where no row had one.
    pub fn newest_id(&self) -> &str {
        &self.above_id
    }

    /// How many rows below the header have text.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// The first row and the last row of the order that a row belongs to; none for a blank row.
    pub fn span(&self, layout: &Layout, row: &Row) -> Option<(u32, u32)> {
        self.place(&RowKey::of(layout, row), row.number())
            .map(|place| place.span)
    }

    /// Where a row whose key is known belongs; none for a blank row.
    pub(crate) fn place(&self, key: &RowKey, row: u32) -> Option<RowPlace> {
        let order = match key {
            RowKey::Blank => return None,
            RowKey::NoId => self.filled.get(&row).copied(),
            RowKey::Order(id) => Some(id_hash(id)),
        };
        Some(self.place_of(order, row))
    }

    /// Where a row of an order belongs, or one of none.
    pub(super) fn place_of(&self, order: Option<IdHash>, row: u32) -> RowPlace {
        let span = order.and_then(|order| self.spans.get(&order));
        RowPlace {
            order,
            span: span.copied().unwrap_or((row, row)),
        }
    }
}

/// The orders of which a row says that they have ended, if there are such.
fn called_off_in<'r>(layout: &Layout, row: &'r Row) -> impl Iterator<Item = (IdHash, Ends)> + use<'r> {
    let column = layout.column(Field::OrderId);
    let of_a_heading = layout.heading_in(row).map(|text| {
        let ids = ids_called_off(text).into_iter();
        let mended = ids.map(|id| mend(Field::OrderId, id, CellKind::Text).text);
        (text, mended.collect())
    });
    let of_an_id = || {
        let id = column.map(|column| row.text(column)).filter(|id| is_marked(id))?;
        Some((id, ids_beside_a_mark(id)))
    };
    let said: Option<(&str, Vec<String>)> = of_a_heading.or_else(of_an_id);
    said.into_iter().flat_map(|(text, ids)| {
        let ends = ends_beside_an_id(text);
        ids.into_iter().map(move |id| (id_hash(&id), ends))
    })
}

/// A workbook's own numbers show nothing: they are rounded, and end in other digits than zeros all the same.
fn is_text_with_every_digit(layout: &Layout, row: &Row, id: &str) -> bool {
    let is_text = |column| row.kind(column) == CellKind::Text;
    shows_every_digit(id) && layout.column(Field::OrderId).is_some_and(is_text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::order::tests::text_row;

    #[test]
    fn rows_with_the_same_mended_id_are_one_order_adjacent_or_not() {
        let layout = Layout::read(&text_row(1, &["order_id", "action", "result_status"])).unwrap();
        let rows = [
            (["#1001", "", ""], Some((2, 6))),
            (["1002", "", ""], Some((3, 3))),
            (["", "", "created"], None),
            (["", "x", ""], Some((5, 5))),
            ([" 1001.0", "", ""], Some((2, 6))),
            (["", "y", ""], Some((7, 7))),
            (["", " ", ""], None),
        ];
        let mut index = Index::default();
        let rows: Vec<(Row, _)> = (2..)
            .zip(rows)
            .map(|(number, (cells, span))| (text_row(number, &cells), span))
            .collect();
        for (row, _) in &rows {
            index.note(&layout, row);
        }
        for (row, span) in &rows {
            assert_eq!(index.span(&layout, row), *span, "row {}", row.number());
        }
        assert_eq!((index.orders(), index.rows()), (4, 5));
    }

    #[test]
    fn sheets_share_an_id_that_one_has_in_another_writing() {
        let layout = Layout::read(&text_row(1, &["order_id", "action"])).unwrap();
        let ids = |id: &str| {
            let mut index = Index::default();
            index.note(&layout, &text_row(2, &[id, "create"]));
            index.ids()
        };
        for (one, other, shares) in [
            ("00123", "123", true),
            ("123", "00123", true),
            ("40,011", "40011", true),
            ("123", "124", false),
            ("00A", "A", false),
            ("po-1", "PO-1", true),
            ("Po-1", "po-1", true),
            ("0", "00", false),
            ("1001", "1001,", true),
            ("(1001)", "1001", true),
            ("1001", "1001-2", false),
        ] {
            assert_eq!(ids(one).shares(&ids(other)), shares, "{one} {other}");
        }
    }

    #[test]
    fn an_id_with_the_prefix_of_the_inbox_counts_as_the_one_behind_it() {
        let layout = Layout::read(&text_row(1, &["order_id", "action"])).unwrap();
        let index = |ids: &[&str]| {
            let mut index = Index::default().with_prefix("S-");
            for (number, id) in (2..).zip(ids) {
                index.note(&layout, &text_row(number, &[id, "create"]));
            }
            index
        };
        assert!(index(&["1001"]).ids().shares(&index(&["S-1001"]).ids()));
        assert!(index(&["s-01001"]).ids().shares(&index(&["1001"]).ids()));
        assert!(!index(&["1001"]).ids().shares(&index(&["S-1002"]).ids()));
        let both = index(&["1001", "S-1001", "S-1002"]);
        let alike = ["1001", "S-1001", "S-1002"].map(|id| both.has_in_another_writing(id));
        assert_eq!(alike, [true, true, false]);
    }

    #[test]
    fn an_id_that_another_of_the_sheet_differs_from_in_writing_alone_is_known_on_both_sides() {
        let layout = Layout::read(&text_row(1, &["order_id", "action"])).unwrap();
        for (ids, alike) in [
            (&["PO-1", "po-1", "PO-2"][..], &["PO-1", "po-1"][..]),
            (&["po-1", "x", "Po-1", "x"], &["po-1", "Po-1"]),
            (&["00123", "123"], &["00123", "123"]),
            (&["1001", "Order #1001", "1002."], &["1001", "Order #1001"]),
            (&["1001.", "x", "(1001)"], &["1001.", "(1001)"]),
            (&["po-1", "x", "po-1"], &[]),
        ] {
            let mut index = Index::default();
            for (number, id) in (2..).zip(ids) {
                index.note(&layout, &text_row(number, &[id, "create"]));
            }
            let mut found = ids.to_vec();
            found.retain(|id| index.has_in_another_writing(id));
            assert_eq!(found, alike, "{ids:?}");
        }
    }

    #[test]
    fn a_row_of_formulas_without_results_is_not_blank() {
        let layout = Layout::read(&text_row(1, &["order_id", "action"])).unwrap();
        let mut row = Row::default();
        row.start(2);
        row.push("", CellKind::NoValue);
        assert_eq!(RowKey::of(&layout, &row), RowKey::NoId);
    }
}
