//! What a shop's export says of a draft beside its lines, and the SKU map that is laid over them.

use std::collections::HashSet;

use jiff::civil::Date;

use super::{Action, Draft};
use crate::finding::{Code, Finding};
use crate::order::cells::{Cells, GIVE_BOTH_SIDES, MOVE_TO_THE_BACK};
use crate::order::columns::{Field, Level};
use crate::order::day::Day;
use crate::order::fingerprint;
use crate::order::layout::{Unread, column_ref};
use crate::order::mend::quoted;
use crate::order::sku_map::{SkuMap, Target};
use crate::order::standing::{UnprintedRow, Why};
use crate::order::stated::{Ends, Mark, ids_called_off_alone};
use crate::order::unheeded::{Asked, Unheeded};

/// A line as the SKU map is asked for it.
#[derive(Clone, Copy, Debug)]
pub struct OwnSku<'a> {
    /// The merchant's own SKU, or what stands for it.
    pub own: &'a str,
    /// The SKU that would be sent.
    pub item_sku: &'a str,
    /// What the shop calls the product.
    pub name: &'a str,
    /// Whether artwork is given, by the sheet or by the map.
    pub has_artwork: bool,
}

/// A line as the SKU map has it, or one that the map does not print.
#[derive(Clone, Copy, Debug)]
pub struct MapLine<'a> {
    /// Its row.
    pub row: u32,
    /// The merchant's own SKU.
    pub own: &'a str,
    /// The SKU that would be sent; the merchant's own where none would be.
    pub sku: &'a str,
    /// The pieces to send.
    pub pieces: u64,
    /// The pieces that were ordered.
    pub ordered: u64,
    /// Whether the map gives its SKU.
    pub is_mapped: bool,
}

impl Draft {
    /// The shop's own name or number of the order, such as `#1001`; empty where the sheet has none.
    pub fn shop_order(&self) -> &str {
        &self.standing.shop_order
    }

    /// The service's id of the order that the rows are of, where they are those of a result; empty where they are not.
    pub fn made_as(&self) -> &str {
        let mut says = self.lines.iter().filter_map(Cells::says);
        let made_as = says.find_map(|says| Some(&*says.made_as).filter(|id| !id.is_empty()));
        made_as.unwrap_or_default()
    }

    /// The shop's own number of each line to print that has one, and its pieces.
    pub fn shop_lines(&self) -> impl Iterator<Item = (&str, u32)> {
        self.lines.iter().filter_map(|line| {
            let id = line.says().map_or("", |says| says.shop_line.as_str());
            let pieces = line.text(Field::Quantity).parse().ok()?;
            (!id.is_empty()).then_some((id, pieces))
        })
    }

    /// Why the order is canceled in the shop as a whole, as the end of a sentence.
    pub fn canceled(&self) -> Option<&str> {
        self.standing.canceled.as_deref()
    }

    /// Whether nothing of the order is left to print, because the shop has canceled it: as a whole, or each of its lines.
    pub fn is_canceled(&self) -> bool {
        let mut lines = self
            .aside
            .iter()
            .filter(|aside| !aside.why.is_lasting())
            .peekable();
        let each = self.lines.is_empty() && lines.peek().is_some();
        self.canceled().is_some() || each && lines.all(|aside| aside.why == Why::Canceled)
    }

    /// Why nothing of the order is to be printed yet, as the end of a sentence.
    pub fn unpaid(&self) -> Option<&str> {
        self.standing.unpaid.as_deref()
    }

    /// The same order of a sheet in which a row with nothing but its id says that it has ended, or of one without.
    #[must_use]
    pub(in crate::order) fn called_off_in(mut self, row: Option<(u32, Ends)>) -> Self {
        let mark = row.map(|(row, ends)| Mark::of_a_row(row, ends));
        self.standing
            .holds
            .extend(mark.iter().map(|mark| mark.why.clone()));
        self.standing.marks.extend(mark);
        self
    }

    /// The same order of a sheet that has, in this row, the order whose id is its own without a word for an end beside it;
    /// or of one without.
    #[must_use]
    pub(in crate::order) fn marking(self, of_another: Option<u32>) -> Self {
        Self { of_another, ..self }
    }

    /// The first row of the order of this sheet that its id speaks of: `1001 CANCELED` of the order `1001`.
    pub fn of_another(&self) -> Option<u32> {
        self.of_another
    }

    /// The ids that the order may have which its rows call off, where they say nothing else: `1003 CANCELED` of `1003`.
    pub(crate) fn calls_off(&self) -> Vec<String> {
        if self.action == Action::Create && self.left_out == 0 && !self.has_content() {
            ids_called_off_alone(self.order_id())
        } else {
            Vec::new()
        }
    }

    /// Why the order is to wait by what is said in columns of the sheet's own, beside its id or over its rows.
    pub(crate) fn marks(&self) -> &[Mark] {
        &self.standing.marks
    }

    /// Whether its sheet is no shop's export.
    pub fn is_native(&self) -> bool {
        self.layout.is_native()
    }

    /// Why the order is to wait for a person, by the shop's own word; each is the end of a sentence.
    pub fn shop_holds(&self) -> &[String] {
        &self.standing.holds
    }

    /// Why it has no address, where it has none, as the end of a sentence: `picked up by the buyer`.
    pub(crate) fn no_address(&self) -> Option<&str> {
        self.standing.no_address.as_deref()
    }

    /// What its rows ask for that is not sent: those that hold a line to print, and of the others what they say of the whole
    /// order.
    pub(crate) fn unheeded(&self) -> impl Iterator<Item = &Unheeded> {
        let printed = self.lines.iter().map(|cells| (cells, true));
        let aside = self.aside.iter().map(|aside| (&aside.cells, false));
        printed.chain(aside).flat_map(|(cells, is_printed)| {
            let of_row = cells.says().into_iter().flat_map(|says| &says.unheeded);
            of_row.filter(move |unheeded| is_printed || unheeded.asked != Asked::TextOfLine)
        })
    }

    /// What its rows say of days before which it is not to be sent, where those are still to come.
    pub fn too_early(&self, today: Date) -> Vec<Finding> {
        let days = self.standing.not_before.iter();
        days.filter_map(|day| day.still_to_come(today)).collect()
    }

    /// The day on which the order was placed.
    pub fn day(&self) -> &Day {
        self.standing.day.as_ref().unwrap_or(&Day::NotAsked)
    }

    /// The rows that are no lines to print: row, why, and the same as the end of a sentence.
    pub fn aside(&self) -> impl Iterator<Item = (u32, Why, &str)> {
        self.aside
            .iter()
            .map(|aside| (aside.cells.row(), aside.why, aside.reason.as_str()))
    }

    /// The rows that hold a line to print.
    pub fn printed_rows(&self) -> Vec<u32> {
        self.lines.iter().map(Cells::row).collect()
    }

    /// The lines to print, as the SKU map is asked for them.
    pub fn own_skus(&self) -> impl Iterator<Item = OwnSku<'_>> {
        self.lines.iter().map(|line| OwnSku {
            own: line
                .own()
                .map_or(line.text(Field::ItemSku), |own| own.sku.as_str()),
            item_sku: line.text(Field::ItemSku),
            name: line.text(Field::ProductName),
            has_artwork: Field::ARTWORK.iter().any(|field| !line.text(*field).is_empty()),
        })
    }

    /// Whether it is no order at all: each of its rows is a footer, a summary or an explanation.
    pub fn is_no_order(&self) -> bool {
        self.lines.is_empty() && self.aside.iter().all(|aside| aside.why == Why::NoLine)
    }

    /// Whether a line of the order is to be printed.
    pub fn has_lines(&self) -> bool {
        !self.lines.is_empty()
    }

    /// The column that a finding about a packed line points at; none where a row is a line.
    pub fn packed_column(&self) -> Option<u16> {
        let columns = self.layout.shop()?.packed_columns();
        columns.first().and_then(|column| u16::try_from(*column).ok())
    }

    /// Row, SKU and pieces of its lines to print, as the SKU map has them.
    pub fn pieces(&self) -> impl Iterator<Item = (u32, &str, u64)> {
        self.lines.iter().map(pieces)
    }

    /// The same, of the rows of a cancel that ask for it: those that say so, and those that leave what is said of the whole
    /// order to another row.
    pub fn pieces_to_cancel(&self) -> impl Iterator<Item = (u32, &str, u64)> {
        let asks = |line: &&Cells| {
            let is_blank = |field| line.text(field).is_empty();
            !is_blank(Field::Action) || is_blank(Field::ShippingAddress1)
        };
        self.lines.iter().filter(asks).map(pieces)
    }

    /// The first row of a cancel that says what is to be printed and where, and no action, where those that ask for the cancel
    /// name no line: it may be what the order is to be replaced by.
    pub fn row_beside_a_bare_cancel(&self) -> Option<u32> {
        let mut named = self.pieces_to_cancel();
        if named.any(|(_, sku, _)| !sku.is_empty()) {
            return None;
        }
        let mut lines = self.lines.iter();
        let beside = lines.find(|line| {
            let is_filled = |field| !line.text(field).is_empty();
            !is_filled(Field::Action) && is_filled(Field::ShippingAddress1) && is_filled(Field::ItemSku)
        });
        beside.map(Cells::row)
    }

    /// Its lines to print, as the SKU map has them.
    pub fn map_lines(&self) -> impl Iterator<Item = MapLine<'_>> {
        self.lines.iter().map(map_line)
    }

    /// The lines that the SKU map does not print.
    pub fn lines_not_printed_here(&self) -> impl Iterator<Item = MapLine<'_>> {
        let aside = self.aside.iter();
        let by_map = aside.filter(|aside| aside.why == Why::NotPrintedHere);
        by_map.map(|aside| map_line(&aside.cells))
    }

    /// SKU and pieces of its lines to print, as they would be sent; none where a line does not say, or its SKU is a map's.
    pub fn pieces_to_send(&self) -> Option<Vec<(&str, u32)>> {
        let said = self.lines.iter().map(|line| {
            let sku = line.text(Field::ItemSku);
            let is_its_own = line.own().is_none() && !line.is_spoiled(Field::ItemSku);
            let pieces: u32 = line.text(Field::Quantity).parse().ok()?;
            (is_its_own && !sku.is_empty() && pieces > 0).then_some((sku, pieces))
        });
        said.collect()
    }

    /// What [`Draft::pieces`] gives, of the rows set aside that may have been printed before.
    pub fn pieces_aside(&self) -> impl Iterator<Item = (u32, &str, u64)> {
        let aside = self.aside.iter().filter(|aside| !aside.why.is_lasting());
        aside.map(|aside| pieces(&aside.cells))
    }

    /// Lays the SKU map over the lines. What the sheet itself says of artwork, location and note stays; what the
    /// merchant's own cells were is kept for the fingerprint.
    pub fn map(&mut self, map: &SkuMap) {
        let mut lines = Vec::with_capacity(self.lines.len());
        for mut cells in std::mem::take(&mut self.lines) {
            if self.say_what_the_map_says_twice(&mut cells, map) {
                lines.push(cells);
                continue;
            }
            if lay_over(&mut cells, map) {
                self.say_what_the_map_lost(&mut cells, map);
                lines.push(cells);
                continue;
            }
            let reason = format!(
                "the SKU map says that {} is not printed here",
                quoted(cells.text(Field::ItemSku))
            );
            self.aside.push(UnprintedRow {
                cells,
                why: Why::NotPrintedHere,
                reason,
            });
        }
        self.lines = lines;
        for aside in self.aside.iter_mut().filter(|aside| !aside.why.is_lasting()) {
            lay_over(&mut aside.cells, map);
        }
        self.drop_what_the_map_answers();
        self.keep_findings_of_lines();
    }

    /// Asks nothing about artwork in a column that is not read where the map gives what is printed there: the column may
    /// hold a preview of it.
    fn drop_what_the_map_answers(&mut self) {
        let lines = &self.lines;
        let is_given = |row: u32, field: Field| {
            let mut of_row = lines.iter().filter(|line| line.row() == row).peekable();
            of_row.peek().is_some() && of_row.all(|line| !line.text(field).is_empty())
        };
        let is_given_twice = |row: u32| {
            let has_two = |line: &Cells| {
                let given = Field::ARTWORK
                    .iter()
                    .filter(|field| !line.text(**field).is_empty());
                given.count() > 1
            };
            lines.iter().filter(|line| line.row() == row).all(has_two)
        };
        let unread = self.layout.unread_artworks();
        self.findings.retain(|finding| {
            let is_unreadable = matches!(finding.code, Code::CellError | Code::NoCachedValue);
            let asks_about = |unread: &&Unread| {
                let is_asked = finding.code == Code::PartLeftOut || is_unreadable && !unread.is_in_words;
                is_asked && column_ref(unread.column) == finding.column
            };
            let Some(unread) = unread.iter().find(asks_about) else {
                return true;
            };
            if unread.is_in_words && finding.hint == GIVE_BOTH_SIDES {
                return !is_given_twice(finding.row);
            }
            if unread.is_in_words && finding.hint != MOVE_TO_THE_BACK {
                return !Field::ARTWORK
                    .into_iter()
                    .skip(2)
                    .any(|field| is_given(finding.row, field));
            }
            !unread.field.is_some_and(|field| is_given(finding.row, field))
        });
    }

    /// Says of a line that rows of the SKU map contradict each other about it; false where none do.
    fn say_what_the_map_says_twice(&mut self, cells: &mut Cells, map: &SkuMap) -> bool {
        let own = cells.text(Field::ItemSku).to_owned();
        let said = map.contradiction(&own);
        let Some((one, other)) = said.filter(|_| self.action() == Action::Create) else {
            return false;
        };
        let sku = cells.elsewhere(Field::ItemSku);
        cells.keep_own(fingerprint::own(cells, other));
        cells.spoil(Field::ItemSku);
        self.findings.push(Finding {
            code: Code::SkuAnsweredTwice,
            row: cells.row(),
            column: sku.or_else(|| self.layout.column_ref(Field::ItemSku)),
            message: format!(
                "Rows {one} and {other} of the SKU map say different things of {}: which of them is meant cannot be told.",
                quoted(&own)
            ),
            hint: "Leave one row for this SKU in the SKU map, then drop the sheet again.".to_owned(),
        });
        true
    }

    /// Says of a line what the SKU map ought to say of it and does not: a shirt is not printed without its back because
    /// a cell of the map was broken.
    fn say_what_the_map_lost(&mut self, cells: &mut Cells, map: &SkuMap) {
        let own = cells.own().map(|own| own.sku.clone());
        // A cancel says nothing of lines.
        let Some(own) = own.filter(|_| self.action() == Action::Create) else {
            return;
        };
        let sku = cells.elsewhere(Field::ItemSku);
        let column = sku.or_else(|| self.layout.column_ref(Field::ItemSku));
        for lost in map.entry(&own).into_iter().flat_map(|entry| &entry.lost) {
            if !takes_from_map(cells, lost.field) {
                continue;
            }
            cells.spoil(lost.field);
            self.findings.push(Finding {
                code: lost.code,
                row: cells.row(),
                column,
                message: format!(
                    "Row {} of the SKU map says what {} is, and its cell {} cannot be read: {}",
                    lost.cell.row,
                    quoted(&own),
                    lost.cell,
                    lost.message
                ),
                hint: "Mend that cell of the SKU map, then drop the sheet again.".to_owned(),
            });
        }
    }

    /// What is wrong with a row's own line matters only where that is printed; what the row says of the whole order does
    /// too where the row sums it up.
    pub(super) fn keep_findings_of_lines(&mut self) {
        if self.aside.is_empty() {
            return;
        }
        let speaks_for_all = |field: &Field| field.column().level == Level::Order;
        let own = Field::ALL.into_iter().filter(speaks_for_all);
        let own = own.filter_map(|field| self.layout.column_ref(field));
        let elsewhere = self.cells().flat_map(Cells::all_elsewhere);
        let elsewhere = elsewhere.filter(|(field, _)| speaks_for_all(field));
        let of_order: HashSet<u16> = own.chain(elsewhere.map(|(_, column)| *column)).collect();
        let printed: HashSet<u32> = self.lines.iter().map(Cells::row).collect();
        let counts = |aside: &&UnprintedRow| aside.why != Why::NoLine || !printed.is_empty();
        let aside = self.aside.iter().filter(counts);
        let aside: HashSet<u32> = aside.map(|aside| aside.cells.row()).collect();
        self.findings.retain(|finding| {
            let is_of_order = || finding.column.is_some_and(|column| of_order.contains(&column));
            printed.contains(&finding.row) || (aside.contains(&finding.row) && is_of_order())
        });
    }
}

fn map_line(cells: &Cells) -> MapLine<'_> {
    let (row, sku, ordered) = pieces(cells);
    let own = cells.own();
    MapLine {
        row,
        own: own.map_or(sku, |own| own.sku.as_str()),
        sku,
        pieces: cells.text(Field::Quantity).parse().unwrap_or(ordered),
        ordered,
        is_mapped: own.is_some(),
    }
}

fn pieces(cells: &Cells) -> (u32, &str, u64) {
    (
        cells.row(),
        cells.text(Field::ItemSku),
        cells.pieces_ordered().unwrap_or(0),
    )
}

/// Lays the SKU map over a line; false where it says that the line is not printed.
fn lay_over(cells: &mut Cells, map: &SkuMap) -> bool {
    let sku = cells.text(Field::ItemSku).to_owned();
    let Some(entry) = map.entry(&sku) else {
        cells.keep_alike(map.alike(&sku).cloned());
        return true;
    };
    let Target::Printed(texts) = &entry.target else {
        return false;
    };
    cells.keep_own(fingerprint::own(cells, entry.row));
    for (field, text) in texts {
        cells.take_as_written(*field);
        if takes_from_map(cells, *field) {
            cells.replace(*field, text.clone());
        }
    }
    let said: Vec<Field> = texts.iter().map(|(field, _)| *field).collect();
    cells.take_as_meant(&said);
    true
}

/// Whether what the map says of a field counts for a line: artwork, location and note of its own stay.
fn takes_from_map(cells: &Cells, field: Field) -> bool {
    matches!(field, Field::ItemSku | Field::ProductName) || cells.text(field).is_empty()
}
