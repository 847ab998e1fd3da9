//! One row's known cells, mended.

mod another;
mod apartment;
mod joined;
mod key;
mod meant;
mod packed;
mod said;
mod twin;
mod unsplit;
mod whereabouts;

use std::collections::HashSet;

use crate::finding::{Finding, Level};
use crate::sheet::{CellKind, Row};

use super::columns::{Field, Part, Texts, is_a_carrier, is_of_a_room, is_of_a_unit};
use super::draft::former_id;
use super::index::Index;
use super::layout::{Layout, column_ref};
use super::mend::{Mended, Remark, day_for_id, may_be_rounded, mend, rounded_id};
use super::nothing::says_nothing;
use super::packed::PackedLine;
use super::shop::{RowSays, Shop};
use super::sku_map::Alike;
use super::stated::{Mark, marks_on_a_label};
use joined::{Piece, is_joined};
pub(super) use said::{GIVE_BOTH_SIDES, MOVE_TO_THE_BACK, is_tick};
use said::{beyond_the_header, left_out, of_sizes, under_no_heading, unread_artwork, unreadable_beside};
pub(super) use unsplit::unsplit;

/// One row's known cells, mended.
#[derive(Clone, Debug)]
pub(crate) struct Cells {
    row: u32,
    texts: [String; Field::COUNT],
    /// What is written for a field, where its text is what is meant by that.
    written: Vec<(Field, String)>,
    /// A bit a field: its value was lost, and a finding says so.
    spoiled: u32,
    /// A bit a field: its cell is a number to the workbook, not a text.
    numbers: u32,
    /// The columns of a field whose text is not of the field's own alone.
    elsewhere: Vec<(Field, u16)>,
    /// What each cell has of a field that is read from several.
    pieces: Vec<Piece>,
    /// What stands in the columns that the phone and the name may be read from besides their own.
    instead: Vec<Instead>,
    /// The id as it was read before ids that look the same were taken for one, where that is another.
    former_id: Option<Box<str>>,
    /// What the row of a shop's export says besides.
    says: Option<Box<RowSays>>,
    /// The merchant's own cells, where the SKU map has replaced some.
    own: Option<Box<Own>>,
    /// The own SKU of the SKU map that is its own in another writing, where the map does not have that.
    alike: Option<Box<Alike>>,
    /// The columns of what stands for a SKU that is not given.
    key_columns: Box<[u16]>,
}

/// What a line was before the SKU map.
#[derive(Clone, Debug)]
pub(crate) struct Own {
    /// Its own SKU, or what stands for it.
    pub(crate) sku: String,
    /// What it said of each field, as it was written, where that was something.
    pub(crate) texts: Vec<(Field, String)>,
    /// What was meant by that, where that was something else.
    pub(crate) meant: Vec<(Field, String)>,
    /// The row of the map.
    pub(crate) map_row: u32,
}

impl Own {
    /// Whether what the line has in a field is the map's word: its own cell is blank there, or is the own SKU.
    pub(crate) fn has_from_map(&self, field: Field) -> bool {
        field == Field::ItemSku || self.texts.iter().all(|(own, _text)| *own != field)
    }
}

/// What a column says in which a field may stand, where those before it say nothing.
#[derive(Clone, Debug)]
pub(crate) struct Instead {
    /// The field.
    pub(crate) field: Field,
    /// Its place among those columns.
    pub(crate) rank: usize,
    column: usize,
    mended: Mended,
}

/// The bits of [`Cells::spoiled`] and [`Cells::numbers`] are enough.
const _: () = assert!(Field::COUNT <= 32);

impl Cells {
    /// Mends a row's cells; what is to be said of them goes to `findings`.
    pub(crate) fn read(layout: &Layout, row: &Row, findings: &mut Vec<Finding>) -> Self {
        if let Some(finding) = unsplit(layout, row) {
            findings.push(finding);
            return Self::unread(row);
        }
        let mut cells = Self {
            spoiled: 0,
            former_id: layout
                .column(Field::OrderId)
                .and_then(|id| former_id(row.text(id))),
            ..Self::unread(row)
        };
        let joined = |field| {
            let by_shop = layout.shop().is_some_and(|shop| shop.joins(field));
            by_shop || layout.joined().iter().any(|source| source.field == field)
        };
        let known = Field::ALL
            .into_iter()
            .filter(|field| !joined(*field))
            .filter_map(|field| Some((field, layout.column(field)?)));
        for (field, column) in known {
            if layout.is_a_name(field, row) {
                continue;
            }
            let mended = mend(field, row.text(column), row.kind(column));
            let mut text = cells.noted(field, column_ref(column), mended, findings);
            // Of one that is too long no more is held than tells so: an order waits for its last row with all its texts.
            text.truncate(text.floor_char_boundary(field.column().most_bytes()));
            cells.replace(field, text);
            cells.numbers |= u32::from(row.kind(column) == CellKind::Number) << field.index();
        }
        for source in layout.joined() {
            cells.join_two(source, row, findings);
        }
        findings.extend(beyond_the_header(layout, row));
        findings.extend(under_no_heading(layout, row));
        if layout.shop().is_none() {
            cells.take_twins((layout, row), findings);
        }
        let customer = cells.customer(layout, row);
        cells.instead.extend(customer);
        findings.extend(cells.other_addresses(layout, row));
        findings.extend(of_sizes(layout, cells.text(Field::Quantity), row));
        let unread = layout.unread_artworks().iter();
        findings.extend(unread.filter_map(|unread| unread_artwork(*unread, (layout, row))));
        let parts = layout.parts().iter();
        let parts = parts.filter(|(_, column)| !is_joined(layout, *column));
        findings.extend(parts.filter_map(|part| cells.left_out(*part, (layout, row))));
        if let Some(shop) = layout.shop() {
            cells.read_as_shop(shop, row, findings);
            findings.extend(cells.packed_wrongly(layout, shop, row));
            // What is read from several cells has to be read before it is compared.
            cells.take_twins((layout, row), findings);
        }
        cells.read_as_meant(layout);
        let on_the_label = marks_on_a_label(|field| cells.text(field));
        let told = layout.marks(row).into_iter().chain(on_the_label);
        told.for_each(|mark| cells.hold(mark));
        cells.note_what_is_said_besides(layout, row);
        cells
    }

    /// The customer's name, where the row does not say who gets the parcel. Of two that differ nobody knows which one it is.
    fn customer(&self, layout: &Layout, row: &Row) -> Option<Instead> {
        let text = |column: usize| row.text(column).trim();
        let columns = layout.recipients().customers.iter().copied();
        let mut columns = columns.filter(|column| !says_nothing(text(*column)));
        let first = columns
            .next()
            .filter(|_| self.text(Field::ShippingName).is_empty())?;
        let is_one = columns.all(|other| text(other).eq_ignore_ascii_case(text(first)));
        let customer = is_one.then_some((0, first))?;
        instead(Field::ShippingName, customer, row)
    }

    fn note_what_is_said_besides(&mut self, layout: &Layout, row: &Row) {
        let days = layout.not_before(row);
        if !days.is_empty() && !self.is_aside() {
            self.says.get_or_insert_default().not_before = days;
        }
        let unheeded = layout.unheeded().of((layout, row), self);
        if !unheeded.is_empty() {
            self.says.get_or_insert_default().unheeded = unheeded;
        }
        let made_as = layout.made_as(row);
        if !made_as.is_empty() {
            made_as.clone_into(&mut self.says.get_or_insert_default().made_as);
        }
    }

    /// Those of a row of which nothing can be read, as a finding says.
    pub(super) fn unread(row: &Row) -> Self {
        Self {
            row: row.number(),
            texts: Default::default(),
            written: Vec::new(),
            spoiled: u32::MAX,
            numbers: 0,
            elsewhere: Vec::new(),
            pieces: Vec::new(),
            instead: Vec::new(),
            former_id: None,
            says: None,
            own: None,
            alike: None,
            key_columns: Box::default(),
        }
    }

    /// Notes why the order is to wait, but for a row that is no line to print.
    pub(super) fn hold(&mut self, mark: Mark) {
        if !self.is_aside() {
            let says = self.says.get_or_insert_default();
            says.holds.push(mark.why.clone());
            says.marks.push(mark);
        }
    }

    /// Whether the row is no line to print, by the rules that look at it alone.
    fn is_aside(&self) -> bool {
        self.says.as_ref().is_some_and(|says| says.aside.is_some())
    }

    /// A part of a name or an address in a column of its own: what the field itself does not say would not be sent.
    fn left_out(&self, (part, column): (Part, usize), (layout, row): (&Layout, &Row)) -> Option<Finding> {
        let (text, field) = (row.text(column).trim(), part.field);
        let has_number = has_digit(self.text(field)) || has_digit(self.text(Field::ShippingAddress2));
        let unreadable = unreadable_beside(layout, column, row);
        let is_one = match part.texts {
            Texts::WithDigitWhereNoneIs if has_number => false,
            // A product's would be as unreadable.
            Texts::OfAUnit | Texts::OfARoom if unreadable.is_some() => false,
            _ if unreadable.is_some() => true,
            Texts::All => true,
            Texts::WithDigit | Texts::WithDigitWhereNoneIs => has_digit(text),
            Texts::NoCarrier => !is_a_carrier(text),
            Texts::OfAUnit => is_of_a_unit(text),
            Texts::OfARoom => is_of_a_room(text),
        };
        if !is_one {
            return None;
        }
        let mut said: HashSet<String> = words(self.text(field)).collect();
        if field == Field::ShippingAddress2 {
            said.extend(words(self.text(Field::ShippingAddress1)));
        }
        if field == Field::ShippingAddress2 && !said.is_empty() {
            said.extend(words(self.text(Field::ShippingName)));
        }
        // A place may be the city's, and a number of the post the zip.
        if field == Field::ShippingAddress2
            && !said.is_empty()
            && (!part.has_digit() || text == self.text(Field::ShippingZip))
        {
            let place = [Field::ShippingCity, Field::ShippingProvince, Field::ShippingZip];
            said.extend(place.into_iter().flat_map(|field| words(self.text(field))));
        }
        // A row without an address leaves that to the order's first row.
        if unreadable.is_some() && !said.is_empty() {
            return unreadable;
        }
        if said.is_empty() || says_nothing(text) || words(text).all(|word| said.contains(&word)) {
            return None;
        }
        Some(left_out(text, field, (column, self.row)))
    }

    /// Mends a row's cells; a row whose cells pack whole lines is as many lines.
    pub(crate) fn read_lines(layout: &Layout, row: &Row, findings: &mut Vec<Finding>) -> Vec<Self> {
        let cells = Self::read(layout, row, findings);
        let lines = layout.shop().map_or_else(Vec::new, |shop| shop.unpacked(row));
        if lines.is_empty() {
            return vec![cells];
        }
        let line = |packed: PackedLine| {
            let mut line = cells.clone();
            line.put(packed, findings);
            line
        };
        lines.into_iter().map(line).collect()
    }

    fn read_as_shop(&mut self, shop: &Shop, row: &Row, findings: &mut Vec<Finding>) {
        for source in shop.sources_of(row) {
            self.join(source, row, findings);
        }
        if self.text(Field::ItemSku).is_empty() && !self.is_spoiled(Field::ItemSku) {
            self.read_key(shop, row, findings);
        }
        let phones = shop.other_phones();
        self.instead = phones
            .filter_map(|at| instead(Field::ShippingPhone, at, row))
            .collect();
        self.says = Some(Box::new(shop.says(row)));
    }

    /// What stands in the columns that a field may be read from besides its own.
    pub(crate) fn instead(&self) -> &[Instead] {
        &self.instead
    }

    /// Reads a field from another of its columns, where something stands in that; gives what is to be said of it.
    pub(crate) fn take_instead(&mut self, field: Field, rank: usize) -> Vec<Finding> {
        let mut findings = Vec::new();
        let mut others = self.instead.extract_if(.., |other| other.field == field);
        let found = others.find(|other| other.rank == rank);
        others.for_each(drop);
        if let Some(found) = found {
            let column = column_ref(found.column);
            let text = self.noted(field, column, found.mended, &mut findings);
            self.elsewhere.retain(|(other, _)| *other != field);
            self.elsewhere.extend(column.map(|column| (field, column)));
            self.replace(field, text);
        }
        findings
    }

    /// Puts a packed line's texts into their fields.
    fn put(&mut self, packed: PackedLine, findings: &mut Vec<Finding>) {
        let column = column_ref(packed.column);
        for (field, text) in packed.texts {
            let text = self.noted(field, column, mend(field, &text, CellKind::Text), findings);
            self.elsewhere.extend(column.map(|column| (field, column)));
            self.written.retain(|(known, _)| *known != field);
            if field == Field::ItemSku {
                self.key_columns = Box::default();
            }
            self.replace(field, text);
        }
        self.take_as_meant(&[]);
    }

    /// A mended text, after what is to be said of it is said.
    fn noted(
        &mut self,
        field: Field,
        column: Option<u16>,
        mended: Mended,
        findings: &mut Vec<Finding>,
    ) -> String {
        if let Some(remark) = mended.remark {
            if remark.code.level() == Level::Error {
                self.spoil(field);
            }
            findings.push(remark.at(self.row, column));
        }
        mended.text
    }

    /// What the row of a shop's export says besides.
    pub(crate) fn says(&self) -> Option<&RowSays> {
        self.says.as_deref()
    }

    /// What the line was before the SKU map, where that has replaced something.
    pub(crate) fn own(&self) -> Option<&Own> {
        self.own.as_deref()
    }

    /// Keeps what the line was before the SKU map replaces something.
    pub(crate) fn keep_own(&mut self, own: Own) {
        self.own = Some(Box::new(own));
    }

    /// What the SKU map has that is the line's own SKU in another writing.
    pub(crate) fn alike(&self) -> Option<&Alike> {
        self.alike.as_deref()
    }

    /// Keeps that.
    pub(crate) fn keep_alike(&mut self, alike: Option<Alike>) {
        self.alike = alike.map(Box::new);
    }

    /// The row, as the spreadsheet shows it.
    pub(crate) fn row(&self) -> u32 {
        self.row
    }

    /// A field's text; empty where it is blank.
    pub(crate) fn text(&self, field: Field) -> &str {
        self.texts.get(field.index()).map_or("", String::as_str)
    }

    /// The column to point at for a field whose text is not of the field's own alone.
    pub(crate) fn elsewhere(&self, field: Field) -> Option<u16> {
        let mut found = self.elsewhere.iter().filter(|(other, _)| *other == field);
        found.next().map(|(_, column)| *column)
    }

    /// The fields whose texts are not of their own column alone, with each of their columns.
    pub(crate) fn all_elsewhere(&self) -> &[(Field, u16)] {
        &self.elsewhere
    }

    /// Whether the field's value was lost on the way: a finding says so already.
    pub(crate) fn is_spoiled(&self, field: Field) -> bool {
        self.spoiled & (1 << field.index()) != 0
    }

    /// Whether the field's cell is a number to the workbook: only a text can be read in two ways.
    pub(crate) fn is_number(&self, field: Field) -> bool {
        self.numbers & (1 << field.index()) != 0
    }

    /// Notes the id as lost, where a spreadsheet may have made a day of it, or have rounded it, before the row was text;
    /// gives what is to be said of it. Nothing is rounded where another id shows every digit; a month was made of none
    /// where ids may run by months, `Nov-31` and `Nov-32`, for none is a pair of numbers; and a whole day of none beside
    /// `45/5/2026`.
    pub(crate) fn note_remade_id(&mut self, layout: &Layout, row: &Row, index: &Index) -> Option<Finding> {
        let column = layout.column(Field::OrderId)?;
        let raw = row.text(column);
        if row.kind(column) != CellKind::Text {
            return None;
        }
        let id = self.text(Field::OrderId);
        let remark = if index.may_be_remade(raw) {
            day_for_id(id)
        } else if !index.shows_every_digit() && may_be_rounded(raw) {
            rounded_id(id)
        } else {
            return None;
        };
        self.spoil(Field::OrderId);
        Some(remark.at(self.row, column_ref(column)))
    }

    /// The id as it was read before ids that look the same were taken for one; none where it was the same.
    pub(crate) fn former_id(&self) -> Option<&str> {
        self.former_id.as_deref()
    }

    /// Notes that a field's value was lost, which a finding says.
    pub(crate) fn spoil(&mut self, field: Field) {
        self.spoiled |= 1 << field.index();
    }

    /// Puts a better text in a field's place.
    pub(crate) fn replace(&mut self, field: Field, text: String) {
        if let Some(slot) = self.texts.get_mut(field.index()) {
            *slot = text;
        }
    }
}

impl Remark {
    fn at(self, row: u32, column: Option<u16>) -> Finding {
        Finding {
            code: self.code,
            row,
            column,
            message: self.message,
            hint: self.hint,
        }
    }
}

fn instead(field: Field, (rank, column): (usize, usize), row: &Row) -> Option<Instead> {
    let mended = mend(field, row.text(column), row.kind(column));
    let is_one = !mended.text.is_empty() || mended.remark.is_some();
    is_one.then_some(Instead {
        field,
        rank,
        column,
        mended,
    })
}

fn words(text: &str) -> impl Iterator<Item = String> {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
}

fn has_digit(text: &str) -> bool {
    text.contains(|c: char| c.is_ascii_digit())
}
