//! The second reading of a sheet: rows become drafts, each given out when its last row has come, so that only the
//! open orders are held in memory.

use std::borrow::{Borrow, Cow};
use std::hash::{BuildHasher, Hash, Hasher, RandomState};
use std::sync::Arc;

use crate::finding::Finding;
use crate::sheet::Row;

use super::cells::Cells;
use super::columns::Field;
use super::cut::{Piece, fields_behind};
use super::day::DayOrder;
use super::draft::Draft;
use super::index::{ByOrder, IdHash, Index, RowKey, RowPlace, id_hash};
use super::layout::Layout;
use super::mend::mend;
use super::stated::{Heading, Mark, speaks_of_one_like, struck_through};

/// The most lines that are read of one order: ten times as many as can be sent, for those that are no lines to print. A
/// sheet whose rows all have one id, filled down by a slip, would be held in memory whole.
const MOST_LINES: usize = 5_000;

/// What was read of an order so far.
#[derive(Debug, Default)]
pub(crate) struct Gathered {
    /// Its rows, in order.
    pub(crate) lines: Vec<Cells>,
    /// What mending said of them.
    pub(crate) findings: Vec<Finding>,
    /// What each row says, to know lines that are there twice.
    pub(crate) contents: Vec<Content>,
    /// How many more rows it has, which were not read.
    pub(crate) left_out: usize,
    /// Whether it is the sheet's header once more; such a row stands alone.
    pub(crate) repeats_header: bool,
    /// What the sheet tells of how a spreadsheet read its days.
    pub(crate) order_of_days: DayOrder,
}

/// What a row says, as far as rows of an order are compared.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Content {
    /// The row's whole text, hashed in a way of this reading alone.
    pub(crate) text: u64,
    /// Whether its item is the cells of a row above, merged down to it.
    pub(crate) is_merged: bool,
}

/// Collects rows into drafts and gives each draft out when its last row has come.
#[derive(Debug)]
pub struct Grouper<I = Index> {
    layout: Arc<Layout>,
    index: I,
    open: ByOrder<Gathered>,
    /// The id of the last row that has one, and its hash: most orders' rows follow each other.
    above: (String, IdHash),
    /// How rows are hashed, by keys that nobody can know.
    hashing: RandomState,
    /// The heading that the rows stand below.
    heading: Heading,
}

impl<I: Borrow<Index>> Grouper<I> {
    /// Starts a second reading of the sheet that `index` has read first.
    pub fn new(layout: Layout, index: I) -> Self {
        Self {
            heading: layout.heading(),
            layout: Arc::new(layout),
            index,
            open: ByOrder::default(),
            above: (String::new(), id_hash("")),
            hashing: RandomState::new(),
        }
    }

    /// Takes a row below the header; gives the order that it completes.
    pub fn push(&mut self, row: &Row) -> Option<Draft> {
        let place = self.place(row)?;
        let is_heading = |text: &&str| {
            let index = self.index.borrow();
            let is_rest = matches!(index.piece(row.number()), Some(Piece::RestOf(_)));
            let is_of_one = speaks_of_one_like(text, [self.above.0.as_str(), index.newest_id()]);
            !is_rest && !is_of_one && !index.calls_off(&self.layout, row)
        };
        if let Some(text) = self.layout.heading_in(row).filter(is_heading) {
            self.heading.go_on(text);
        } else if place.order.is_some() {
            self.heading.note_order();
        }
        let (first, last) = place.span;
        let mut gathered = match place.order {
            Some(order) if first != last => self.gather(order, row, last)?,
            Some(_) | None => {
                let mut alone = Gathered::default();
                alone.add(&self.layout, row, self.index.borrow());
                alone.stand_below(self.heading.mark(), row);
                alone
            }
        };
        gathered.order_of_days = self.index.borrow().order_of_days();
        let draft = Draft::new(&self.layout, gathered);
        let index = self.index.borrow();
        let has_alike = index.has_in_another_writing(draft.order_id());
        let called_off = index.called_off(draft.order_id());
        let of_another = index.marks_another(draft.order_id());
        let is_prefilled = place.order.is_none() && index.is_prefilled(&self.layout, row);
        Some(
            draft
                .beside_one_alike(has_alike)
                .called_off_in(called_off)
                .marking(of_another)
                .prefilled(is_prefilled),
        )
    }

    /// Where a row belongs; none where it is blank.
    fn place(&mut self, row: &Row) -> Option<RowPlace> {
        let key = RowKey::of(&self.layout, row);
        let RowKey::Order(id) = key else {
            return self.index.borrow().place(&key, row.number());
        };
        if self.above.0 != id {
            let hash = id_hash(&id);
            self.above = (id, hash);
        }
        Some(self.index.borrow().place_of(Some(self.above.1), row.number()))
    }

    /// The index, back for a third reading.
    pub fn into_index(self) -> I {
        self.index
    }

    /// Adds a row to its order; gives the order when it was the last.
    fn gather(&mut self, hash: IdHash, row: &Row, last: u32) -> Option<Gathered> {
        let gathered = self.open.entry(hash).or_default();
        if gathered.lines.len() < MOST_LINES {
            gathered.add(&self.layout, row, self.index.borrow());
            gathered.stand_below(self.heading.mark(), row);
            let above = gathered.contents.last().copied();
            let merged = above.filter(|_| self.layout.has_merged_item(row));
            gathered.contents.push(Content {
                text: merged.map_or_else(
                    || content_hash(&self.hashing, &self.layout, row),
                    |above| above.text,
                ),
                is_merged: merged.is_some(),
            });
        } else {
            gathered.left_out += 1;
        }
        if row.number() < last {
            return None;
        }
        self.open.remove(&hash)
    }
}

impl Gathered {
    fn add(&mut self, layout: &Layout, row: &Row, index: &Index) {
        self.repeats_header = layout.repeats_header(row);
        let before = self.lines.len();
        let piece = index.piece(row.number());
        self.findings
            .extend(piece.map(|piece| piece.finding(layout, row)));
        if let Some(Piece::RestOf(_)) = piece {
            self.lines.push(Cells::unread(row));
            return;
        }
        if layout.packs_lines() {
            self.lines
                .extend(Cells::read_lines(layout, row, &mut self.findings));
        } else {
            self.lines.push(Cells::read(layout, row, &mut self.findings));
        }
        if index.is_filled(row.number()) {
            let lines = self.lines.iter_mut().skip(before);
            lines.for_each(Cells::take_id_for_none);
        }
        if piece.is_some() {
            let lines = self.lines.iter_mut().skip(before);
            lines.for_each(|line| fields_behind(layout, row).for_each(|field| line.spoil(field)));
        }
        let read = self.lines.get(before).map_or(&[][..], Cells::all_elsewhere);
        let struck = struck_through(layout, row, read);
        for line in self.lines.iter_mut().skip(before) {
            if let Some(mark) = &struck {
                line.hold(mark.clone());
            }
        }
        let lines = self.lines.iter_mut().skip(before);
        let remade: Vec<Finding> = lines
            .filter_map(|line| line.note_remade_id(layout, row, index))
            .collect();
        // The lines that are packed into a row have one id.
        self.findings.extend(remade.into_iter().take(1));
    }
}

impl Gathered {
    /// Notes that a row stands below a heading which says that it has ended.
    fn stand_below(&mut self, mark: Option<&Mark>, row: &Row) {
        let Some(mark) = mark else { return };
        let lines = self.lines.iter_mut().rev();
        for line in lines.take_while(|line| line.row() == row.number()) {
            line.hold(mark.clone());
        }
    }
}

/// A hash of everything that the sheet itself says in a row, or of what tells its line from the others of its order.
fn content_hash(hashing: &RandomState, layout: &Layout, row: &Row) -> u64 {
    if let Some(id) = layout.shop().and_then(|shop| shop.line_id(row)) {
        return hashing.hash_one(id);
    }
    let mut hasher = hashing.build_hasher();
    for column in layout.own_columns() {
        as_compared(layout, row, *column).hash(&mut hasher);
    }
    hasher.finish()
}

/// A cell as it is compared with that of another row of the order, or of its row on another tab: what spreadsheets make of an id and of a count, and the
/// writing of a SKU, tell no two rows apart.
pub(super) fn as_compared<'a>(layout: &Layout, row: &'a Row, column: usize) -> Cow<'a, str> {
    let text = row.text(column).trim();
    let is = |field| layout.column(field) == Some(column);
    if text.is_empty() {
        return text.into();
    }
    if is(Field::OrderId) {
        // The rows of one order have one id, however it is written.
        return "its id".into();
    }
    if is(Field::Quantity) {
        return mend(Field::Quantity, text, row.kind(column)).text.into();
    }
    if is(Field::ItemSku) {
        return text.to_uppercase().into();
    }
    text.into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Code;
    use crate::order::Field;
    use crate::order::tests::{drafts, drafts_of};
    use crate::sheet::CellKind;

    #[test]
    fn of_a_very_long_order_so_many_lines_are_read_and_the_rest_is_counted() {
        let ids = std::iter::repeat_n("1001", MOST_LINES + 2).chain(["1002", "1001"]);
        let rows: Vec<Vec<String>> = ids.map(|id| vec![id.to_owned(), "cancel".to_owned()]).collect();
        let drafts = drafts(&["order_id", "action"], &rows);
        let read: Vec<(&str, usize, usize)> = drafts
            .iter()
            .map(|draft| (draft.order_id(), draft.rows().len(), draft.left_out()))
            .collect();
        assert_eq!(read, [("1002", 1, 0), ("1001", MOST_LINES, 3)]);
    }

    #[test]
    fn an_id_that_may_be_a_day_is_lost_and_one_that_may_be_rounded_unless_another_shows_that_none_is() {
        let lost = |ids: &[&str]| -> Vec<String> {
            let rows = ids
                .iter()
                .map(|id| [id, "cancel"].map(|text| (*text).to_owned()).to_vec());
            let rows: Vec<Vec<String>> = rows.collect();
            let read = drafts(&["order_id", "action"], &rows);
            let lost = read.iter().filter(|draft| draft.is_spoiled(Field::OrderId));
            lost.map(|draft| draft.order_id().to_owned()).collect()
        };
        let (rounded, whole) = ("576461234567890000", "576461234567890123");
        assert_eq!(lost(&[rounded, "1001"]), [rounded]);
        assert_eq!(lost(&[rounded, "576461234567891000"]).len(), 2);
        assert_eq!(lost(&[rounded, whole]), [""; 0]);
        assert_eq!(lost(&[whole, rounded]), [""; 0]);
        assert_eq!(lost(&["'576461234567890000"]), [""; 0]);
        // A day shows nothing of digits.
        assert_eq!(lost(&["5-Dec", whole, "12-6"]), ["5-Dec"]);
        assert_eq!(lost(&["#5-Dec"]), [""; 0]);
        // Of `12-45` a month is made, but ids may run by months too.
        for runs in [["Nov-31", "Nov-32"], ["Nov-45", "1001"], ["Nov 26", "Jan 27"]] {
            assert_eq!(lost(&runs), [""; 0]);
        }
        assert_eq!(lost(&["Dec-45", "13-45"]), ["Dec-45"]);
        assert_eq!(lost(&["5-Dec", "Dec-45"]), ["5-Dec", "Dec-45"]);
        let days = ["12/5/2026", "05.12.2026", "2026-12-05 00:00:00"];
        assert_eq!(lost(&days), days);
        assert_eq!(lost(&["#12/5/2026", "2026-12-05", "12-5-2026"]), [""; 0]);
        // The twelfth order of May, and the forty-fifth.
        assert_eq!(lost(&["12/5/2026", "45/5/2026", "05.12.2026"]), ["05.12.2026"]);
    }

    #[test]
    fn a_row_whose_item_and_quantity_are_merged_with_those_above_may_be_no_line_of_its_own() {
        let header = [
            "order_id",
            "SKU",
            "Qty",
            "Note",
            "artwork_front",
            "City",
            "action",
        ];
        let mut row = Row::default();
        row.start(1);
        for name in header {
            row.push(name, CellKind::Text);
        }
        // `^` stands before what is merged with the cell above.
        let push = |row: &mut Row, text: &str| match text.strip_prefix('^') {
            Some(merged) => row.push_merged(merged, CellKind::Text),
            None => row.push(text, CellKind::Text),
        };
        let fill = |row: &mut Row, cells: &[&str; 5]| {
            for text in cells {
                push(row, text);
            }
        };
        let repeated = |rows: &[[&str; 5]]| -> Vec<u32> {
            let rows: Vec<Row> = (2..)
                .zip(rows)
                .map(|(number, cells)| {
                    let mut row = Row::default();
                    row.start(number);
                    fill(&mut row, cells);
                    row
                })
                .collect();
            let drafts = drafts_of(Layout::read(&row).unwrap(), &rows);
            let findings = drafts.iter().flat_map(|draft| draft.findings());
            findings
                .filter(|finding| finding.code == Code::RepeatedRow)
                .map(|finding| finding.row)
                .collect()
        };
        let order = ["1001", "A", "2", "blue ribbon", "https://example.com/1.png"];
        let of_order = |cells: [&'static str; 4]| [order, ["^1001", cells[0], cells[1], cells[2], cells[3]]];
        let art = order[4];
        assert_eq!(
            repeated(&of_order(["^A", "^2", "gift wrap", "^https://example.com/1.png"])),
            [3]
        );
        assert_eq!(
            repeated(&of_order(["^A", "^2", "", "https://example.com/2.png"])),
            [3]
        );
        assert_eq!(repeated(&of_order(["^A", "1", "gift wrap", art])), [0; 0]);
        assert_eq!(repeated(&of_order(["B", "^2", "gift wrap", art])), [0; 0]);
        assert_eq!(repeated(&of_order(["A", "2", "gift wrap", art])), [0; 0]);
        // Cells that are merged over several orders are each order's own.
        assert_eq!(
            repeated(&[order, ["1002", "^A", "^2", "^blue ribbon", art]]),
            [0; 0]
        );
    }

    #[test]
    fn a_row_with_an_item_and_no_id_directly_below_an_order_may_be_a_line_of_it() {
        let read = |rows: &[[&str; 4]]| {
            let rows: Vec<Vec<String>> = rows
                .iter()
                .map(|cells| cells.map(str::to_owned).to_vec())
                .collect();
            drafts(&["order_id", "City", "SKU", "Qty", "action"], &rows)
        };
        let together = |rows: &[[&str; 4]]| -> Vec<Vec<u32>> {
            read(rows).iter().map(|draft| draft.rows().to_vec()).collect()
        };
        let order = ["1001", "Albany", "A", "1"];
        let line = ["", "", "B", "2"];
        assert_eq!(together(&[order, line, line]), [vec![2, 3, 4]]);
        let like_a_sum = ["", "", "SUM-TEE-01", "2"];
        assert_eq!(together(&[order, like_a_sum]), [vec![2, 3]]);
        let open: Vec<u32> = read(&[order, line])[0].rows_without_id().collect();
        assert_eq!(open, [3]);
        let (blank, sum, other) = ([""; 4], ["", "", "Total", "3"], ["", "Boston", "B", "2"]);
        for apart in [
            &[order, blank, line][..],
            &[order, sum, line],
            &[order, other, line],
            &[line],
        ] {
            assert!(together(apart).iter().all(|rows| rows.len() == 1), "{apart:?}");
        }
    }

    #[test]
    fn a_row_with_a_product_and_a_quantity_directly_below_an_order_may_be_a_line_of_it_and_a_sum_is_none() {
        let header = [
            "order_id",
            "SKU",
            "product_name",
            "Qty",
            "variant_note",
            "City",
            "action",
        ];
        let order = ["1001", "A", "Tee", "1", "", "Albany"];
        let read = |rows: &[[&str; 6]]| {
            let rows = rows.iter().map(|cells| cells.map(str::to_owned).to_vec());
            drafts(&header, &rows.collect::<Vec<_>>())
        };
        for (name, pieces) in [("Mug", "3"), ("Tee, black", "2.0"), ("Mug 11oz", " 1 ")] {
            let line = ["", "", name, pieces, "", ""];
            let drafts = read(&[order, line]);
            assert_eq!(drafts.len(), 1, "{name}");
            assert_eq!(drafts[0].rows_without_id().collect::<Vec<_>>(), [3], "{name}");
            assert!(
                read(&[order, [""; 6], line])[1].is_footer(),
                "not directly below one"
            );
        }
        for sum in [
            ["", "", "Total", "3", "", ""],
            ["", "", "Total pieces:", "3", "", ""],
            ["", "", "Subtotal Mugs", "3", "", ""],
            ["", "", "Mug Total", "3", "", ""],
            ["", "", "Mug", "3", "Subtotal", ""],
            ["", "", "Gesamtmenge", "3", "", ""],
            ["", "", "29 Bestellungen", "29", "", ""],
            ["", "", "Mug", "", "", ""],
            ["", "", "Mug", "0", "", ""],
            ["", "", "Mug", "as above", "", ""],
            ["", "", "", "3", "", ""],
            ["", "", "-", "3", "", ""],
            ["Total", "", "Mug", "3", "", ""],
        ] {
            let drafts = read(&[order, sum]);
            assert_eq!(drafts.len(), 2, "{sum:?}");
            assert!(drafts[1].is_footer(), "{sum:?}");
        }
    }

    #[test]
    fn a_row_with_a_mark_for_the_id_above_it_is_one_of_that_order_whose_id_is_left_open() {
        let header = ["order_id", "Name", "City", "SKU", "Qty", "action"];
        let read = |rows: &[[&str; 5]]| -> Vec<(String, Vec<u32>, Vec<u32>)> {
            let rows: Vec<Vec<String>> = rows
                .iter()
                .map(|cells| cells.map(str::to_owned).to_vec())
                .collect();
            let drafts = drafts(&header, &rows);
            let said = |draft: &Draft| {
                let open: Vec<u32> = draft.rows_without_id().collect();
                (draft.order_id().to_owned(), draft.rows().to_vec(), open)
            };
            drafts.iter().map(said).collect()
        };
        let order = ["1001", "Ada", "Albany", "A", "1"];
        for id in ["\"", "''", "〃", "-", "//", "↑", "ditto", "Same", "idem", "n/a"] {
            let below = [id, "", "", "B", "2"];
            let open = vec![("1001".to_owned(), vec![2, 3, 4], vec![3, 4])];
            assert_eq!(read(&[order, below, below]), open, "{id}");
            // Whoever marks the id marks the rest as well.
            assert_eq!(
                read(&[order, [id, "\"", "\"", "B", "2"], ["", "", "", "\"", "2"]])[0].2,
                [3, 4]
            );
        }
        for apart in [
            ["-", "", "", "", "3"],
            ["-", "-", "-", "-", "-"],
            ["---", "", "", "---", "---"],
            ["0", "0", "0", "0", "0"],
            ["-", "", "", "Total", "3"],
            ["-", "Bob", "Boston", "B", "2"],
            ["1002", "", "", "B", "2"],
        ] {
            assert_eq!(read(&[order, apart])[0].1, [2], "{apart:?}");
        }
        assert_eq!(read(&[order, [""; 5], ["-", "", "", "B", "2"]])[1].0, "-");
    }

    #[test]
    fn a_row_with_artwork_and_no_id_is_a_line_of_the_order_above_it_and_no_footer() {
        let read = |below: &[&[&str; 4]]| {
            let rows = [&["1001", "A", "1", "https://example.com/1.png"]].into_iter();
            let rows = rows.chain(below.iter().copied());
            let rows: Vec<Vec<String>> = rows.map(|cells| cells.map(str::to_owned).to_vec()).collect();
            drafts(&["order_id", "SKU", "Qty", "artwork_back", "action"], &rows)
        };
        let back = ["", "", "", "https://example.com/back.png"];
        let with_back = read(&[&back]);
        assert_eq!(with_back.len(), 1);
        assert_eq!(with_back[0].rows_without_id().collect::<Vec<_>>(), [3]);
        let apart = read(&[&[""; 4], &back]);
        assert!(!apart[1].is_footer(), "{apart:?}");
        for footer in [["", "", "1", ""], ["Total:", "", "1", "see above"]] {
            let below = read(&[&footer]);
            assert!(below[1].is_footer(), "{below:?}");
        }
    }
}
