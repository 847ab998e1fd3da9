//! A sheet's header: which column holds which field.

mod again;
mod another;
mod beside;
mod continued;
mod corrected;
mod elsewhere;
mod heading;
mod in_one_cell;
mod named;
mod numbered;
mod passed_over;
mod prefilled;
mod spoken;
mod unnamed;
mod unread;
mod vague;
mod wrong;

use std::sync::Arc;

use crate::finding::{Finding, Rejection};
use crate::sheet::Row;

use super::columns::{Field, Fit, Part, counts_last, is_made_as, is_result, normalized};
use super::header::Header;
use super::profile::Profile;
use super::shop::{Shop, Source};
use super::sku_map::MapLayout;
use super::stated::{Heading, Mark, NotBefore, Stated, mark_by_id};
use super::unheeded::UnheededColumns;

pub(super) use another::Recipients;
pub(super) use beside::{Role, Twin};
pub(super) use elsewhere::{Elsewhere, is_elsewhere};
pub(super) use in_one_cell::InOneCell;
pub(super) use named::is_only_a_name;
pub(super) use prefilled::Prefilled;
pub(super) use unnamed::Unnamed;
pub(super) use unread::{Unread, is_link};
pub(super) use vague::clarity;
pub(super) use wrong::rejection;
use wrong::{missing_columns, repeated};

/// Which column of a sheet holds which field.
#[derive(Clone, Debug)]
pub struct Layout {
    /// By [`Field::index`]: the column, counted from 0.
    columns: [Option<usize>; Field::COUNT],
    own: Vec<usize>,
    /// The column of a result in which the service's id of an order stands.
    made_as: Option<usize>,
    pub(super) header: Header,
    /// Columns with a part of a field's text, which the field's own does not have: with that field.
    parts: Vec<(Part, usize)>,
    /// Columns that hold a field once more.
    twins: Vec<Twin>,
    /// Who else may get the parcel than the one whose address is read.
    recipients: Recipients,
    /// Columns that count pieces of a size each.
    sizes: Vec<usize>,
    /// Columns that hold artwork of places that are not read.
    unread_artworks: Vec<Unread>,
    /// Columns without a heading, beside those that are read.
    unnamed: Vec<Unnamed>,
    /// Fields that are read from two columns of a sheet that is no shop's export.
    joined: Vec<Source>,
    /// What the sheet says of how an order stands, where no shop's export does.
    stated: Stated,
    /// Where a row may ask for what is not sent.
    unheeded: UnheededColumns,
    /// The heading that the first rows stand below: a title, or the name of their tab.
    heading: Heading,
    width: usize,
    /// How a shop's export is read; none for native columns.
    shop: Option<Arc<Shop>>,
    is_sku_map: bool,
    /// The fields whose columns may hold what a design is called, or a word, by their names: `Design 1`, `Mockup`.
    may_be_names: Vec<Field>,
}

/// Where a field was found, and how well the header fits it.
#[derive(Clone, Copy, Debug)]
struct Found {
    column: usize,
    fit: Fit,
    /// The less, the clearer.
    clarity: u8,
}

impl Layout {
    /// Reads a header.
    ///
    /// # Errors
    /// Findings of level error where the sheet as a whole cannot be worked: a missing column, a field named twice.
    pub fn read(header: &Row) -> Result<Self, Vec<Finding>> {
        let (mut findings, mut twins, mut joined) = (Vec::new(), Vec::new(), Vec::new());
        let mut columns = [None; Field::COUNT];
        let mut name = None;
        let has_two_addresses = has_two_addresses(header);
        for (slot, field) in columns.iter_mut().zip(Field::ALL) {
            let mut found = candidates(header, field);
            if has_two_addresses && field.is_address() && field != Field::ShippingPhone {
                drop_weak(&mut found, field);
            }
            let best = found
                .iter()
                .copied()
                .min_by_key(|found| (found.fit, found.clarity));
            let (source, of_parts) = beside::joined(header, field, best).unzip();
            *slot = match &source {
                Some(source) => source.columns.first().copied(),
                None => best.map(|best| best.column),
            };
            if field == Field::ShippingName {
                name = of_parts.or(best.map(|best| best.fit));
            }
            if let (None, Some(best)) = (&source, best)
                && field.must_be_named_once()
            {
                let (same, others) = beside::others(header, (field, &found), best);
                findings.extend(
                    same.iter()
                        .map(|other| repeated(header, field, best.column, other.column)),
                );
                twins.extend(others);
            }
            joined.extend(source);
        }
        twins.extend(numbered::numbered(header, &columns));
        twins.extend(beside::left_to_send(header, &columns));
        twins.extend(vague::twins(header, &columns, has_two_addresses));
        let own = own_columns(header);
        let read: Vec<usize> = columns.iter().copied().flatten().collect();
        let layout = Self {
            columns,
            may_be_names: named::may_be_names(header, &columns),
            parts: beside::parts(header, &own, (&columns, name)),
            twins,
            recipients: Recipients::read(header, &columns),
            sizes: numbered::sizes(header, &columns),
            unread_artworks: unread::unread_artworks(header, &own, &columns),
            unnamed: unnamed::unnamed(header, |column| {
                let is_joined = joined.iter().any(|source| source.columns.contains(&column));
                is_joined || columns.contains(&Some(column))
            }),
            joined,
            made_as: made_as(header),
            header: Header::of(header, &own),
            stated: Stated::of(header, &own)
                .with_provinces(header, &own)
                .with_unknown(header, &own, &read),
            unheeded: UnheededColumns::of_own(header, &own, &columns),
            own,
            heading: Heading::default(),
            width: header.len(),
            shop: None,
            is_sku_map: false,
        };
        findings.extend(missing_columns(&layout, header));
        if findings.is_empty() {
            Ok(layout)
        } else {
            Err(findings)
        }
    }

    /// Reads the header of a shop's export. Columns with a native name that the profile does not read from elsewhere
    /// count too: a merchant may add `action` or `Artwork Front` to an export.
    pub(super) fn of_profile(profile: &Arc<Profile>, header: &Row) -> Self {
        let shop = Shop::new(profile, header);
        let mut columns = [None; Field::COUNT];
        for (slot, field) in columns.iter_mut().zip(Field::ALL) {
            *slot = shop.column(field).or_else(|| added(header, field));
        }
        let own = own_columns(header);
        let mut read = shop.named_columns();
        read.extend(columns.iter().copied().flatten());
        let stated = Stated::of(header, &own).with_unknown(header, &own, &read);
        let mut stated = stated.without_parcels().without(&shop.judged_columns());
        let quantity = column_of(&columns, Field::Quantity);
        let is_of_what_is_left = quantity.is_some_and(|column| beside::is_left_to_send(header.text(column)));
        if shop.reads_what_is_left() || is_of_what_is_left {
            stated = stated.without_pieces_sent();
        }
        Self {
            columns,
            made_as: made_as(header),
            header: Header::of(header, &own),
            stated,
            parts: Vec::new(),
            twins: again::in_shop(header, &shop, &columns),
            sizes: Vec::new(),
            recipients: Recipients::default(),
            unread_artworks: unread::unread_in_shop(
                header,
                &own,
                (&shop.read_columns(), &columns),
                shop.may_be_own(),
            ),
            unheeded: UnheededColumns::of_shop(header, &own, (&shop, &columns)),
            own,
            unnamed: Vec::new(),
            joined: Vec::new(),
            heading: Heading::default(),
            width: header.len(),
            shop: Some(Arc::new(shop)),
            is_sku_map: false,
            may_be_names: Vec::new(),
        }
    }

    /// Reads the header of a SKU map that was dropped as a sheet: each row stands for itself.
    ///
    /// # Errors
    /// Which column is missing.
    pub fn of_sku_map(header: &Row) -> Result<Self, Rejection> {
        let layout = MapLayout::read(header)?;
        let mut columns = [None; Field::COUNT];
        if let Some(slot) = columns.get_mut(Field::ItemSku.index()) {
            *slot = Some(layout.item_sku(header).1);
        }
        let own = own_columns(header);
        Ok(Self {
            columns,
            made_as: made_as(header),
            header: Header::of(header, &own),
            own,
            parts: Vec::new(),
            twins: Vec::new(),
            sizes: Vec::new(),
            recipients: Recipients::default(),
            unread_artworks: Vec::new(),
            unnamed: Vec::new(),
            joined: Vec::new(),
            stated: Stated::default(),
            unheeded: UnheededColumns::default(),
            heading: Heading::default(),
            width: header.len(),
            shop: None,
            is_sku_map: true,
            may_be_names: Vec::new(),
        })
    }

    /// Whether the sheet is a SKU map, not orders.
    pub fn is_sku_map(&self) -> bool {
        self.is_sku_map
    }

    /// Whether the sheet has dropsheet's own columns.
    pub fn is_native(&self) -> bool {
        self.shop.is_none() && !self.is_sku_map
    }

    /// As what the sheet is read, and why, for a person; none for native columns.
    pub fn read_as(&self) -> Option<String> {
        if self.is_sku_map {
            return Some("a SKU map, because it has the columns sku, item_sku".to_owned());
        }
        let shop = self.shop.as_ref()?;
        let columns = shop.recognised_by().join(", ");
        Some(format!("{}, because it has the columns {columns}", shop.name()))
    }

    /// Whether a row may hold several lines of an order.
    pub fn packs_lines(&self) -> bool {
        self.shop
            .as_ref()
            .is_some_and(|shop| !shop.packed_columns().is_empty())
    }

    /// Why an order is to wait, by what a row of a sheet that is no known shop's says of how it stands.
    pub(crate) fn marks(&self, row: &Row) -> Vec<Mark> {
        let id = self.column(Field::OrderId).map_or("", |column| row.text(column));
        let told = self.stated.marks(row, id).into_iter();
        told.chain(mark_by_id(id)).collect()
    }

    /// The days before which a row says that its order is not to be sent.
    pub(super) fn not_before(&self, row: &Row) -> Vec<NotBefore> {
        self.stated.not_before(row)
    }

    /// Where a row may ask for what is not sent.
    pub(super) fn unheeded(&self) -> &UnheededColumns {
        &self.unheeded
    }

    /// How a shop's export is read; none for native columns.
    pub(crate) fn shop(&self) -> Option<&Shop> {
        self.shop.as_deref()
    }

    /// Whether a row's item and its number of pieces stand in cells that are merged with those above: a person sees one
    /// item there, beside something that goes over two rows.
    pub(crate) fn has_merged_item(&self, row: &Row) -> bool {
        let is_merged = |field| self.column(field).is_some_and(|column| row.is_merged(column));
        let item = if self.has_text(row, Field::ItemSku) {
            Field::ItemSku
        } else {
            Field::ProductName
        };
        is_merged(item) && is_merged(Field::Quantity)
    }

    fn has_text(&self, row: &Row, field: Field) -> bool {
        self.column(field).is_some_and(|column| row.has_text(column))
    }

    /// Whether a row is an order sheet's header: it has a column for `order_id` and at least one more known column,
    /// or three known columns at least.
    pub fn is_header(row: &Row) -> bool {
        let mut known: Vec<Field> = row
            .iter()
            .filter(|header| !is_result(header) && !counts_last(&normalized(header)))
            .filter_map(Field::named)
            .map(|(field, _)| field)
            .collect();
        known.sort_unstable();
        known.dedup();
        known.len() >= if known.contains(&Field::OrderId) { 2 } else { 3 }
    }

    /// The service's id of the order that a row of a result is of; empty in any other sheet.
    pub(super) fn made_as<'r>(&self, row: &'r Row) -> &'r str {
        self.made_as.map_or("", |column| row.text(column).trim())
    }

    /// The sheet's own columns, counted from 0, from the left; ignored `result_*` columns are not.
    pub fn own_columns(&self) -> &[usize] {
        &self.own
    }

    /// The columns that hold counts and amounts, as against ids and zips, whose digits are text.
    pub fn count_columns(&self) -> Vec<usize> {
        [Field::Quantity, Field::ExpectedTotal]
            .into_iter()
            .filter_map(|field| self.column(field))
            .collect()
    }

    /// Those of the own columns that are no field of an order: carried through untouched.
    pub fn foreign_columns(&self) -> Vec<usize> {
        self.own
            .iter()
            .copied()
            .filter(|column| !self.columns.contains(&Some(*column)))
            .collect()
    }

    /// The column of `item_sku`, counted from 0; none in a sheet that only cancels.
    pub fn sku_column(&self) -> Option<usize> {
        self.column(Field::ItemSku)
    }

    /// The column of a field, counted from 0.
    pub(crate) fn column(&self, field: Field) -> Option<usize> {
        column_of(&self.columns, field)
    }

    /// The column of a field as a finding names it.
    pub(crate) fn column_ref(&self, field: Field) -> Option<u16> {
        self.column(field).and_then(column_ref)
    }

    /// The columns with a part of a field's text, each with that field.
    pub(super) fn parts(&self) -> &[(Part, usize)] {
        &self.parts
    }

    /// The columns that hold a field once more.
    pub(super) fn twins(&self) -> &[Twin] {
        &self.twins
    }

    /// Who else may get the parcel than the one whose address is read.
    pub(super) fn recipients(&self) -> &Recipients {
        &self.recipients
    }

    /// The columns that count pieces of a size each.
    pub(super) fn sizes(&self) -> &[usize] {
        &self.sizes
    }

    /// The columns that hold artwork of places that are not read.
    pub(super) fn unread_artworks(&self) -> &[Unread] {
        &self.unread_artworks
    }

    /// The columns without a heading, beside those that are read.
    pub(super) fn unnamed(&self) -> &[Unnamed] {
        &self.unnamed
    }

    /// Where a field is read from two columns.
    pub(super) fn joined(&self) -> &[Source] {
        &self.joined
    }

    /// How many columns the header has.
    pub(crate) fn width(&self) -> usize {
        self.width
    }
}

/// The column that a person has added to a shop's export for a field. However it is written where no shop has such a
/// column; `Shipping Service` may be the shop's own, with words of its own in it.
fn added(header: &Row, field: Field) -> Option<usize> {
    let find = |is_it: &dyn Fn(&str) -> bool| (0..header.len()).find(|column| is_it(header.text(*column)));
    let name = normalized(field.name());
    find(&|text| text.trim() == field.name())
        .or_else(|| find(&|text| field.is_no_shops() && normalized(text) == name))
}

fn column_of(columns: &[Option<usize>; Field::COUNT], field: Field) -> Option<usize> {
    columns.get(field.index()).copied().flatten()
}

/// The column of `result_pw_order_id`.
fn made_as(header: &Row) -> Option<usize> {
    (0..header.len()).find(|column| is_made_as(header.text(*column)))
}

fn own_columns(header: &Row) -> Vec<usize> {
    (0..header.len())
        .filter(|column| !is_result(header.text(*column)))
        .collect()
}

/// Whether a header has a part of an address that says whose it is, as `Shipping City`, and one that does not, as `City`:
/// what else does not say it, `State` or `Country`, is of the other one, a payer's say. A name does not tell: a buyer has
/// one without an address.
pub(super) fn has_two_addresses(header: &Row) -> bool {
    let has = |field, is_weak| {
        let found = candidates(header, field);
        // A street that may be but a part of an address is none by itself.
        let of_a_whole = |found: &&Found| field != Field::ShippingAddress1 || found.clarity == 0;
        let mut found = found.iter().filter(of_a_whole);
        found.any(|found| (found.fit == Fit::Weak) == is_weak)
    };
    let is_twice = |field: &Field| has(*field, true) && has(*field, false);
    let twice = Field::ALL
        .into_iter()
        .filter(|field| field.is_place() && is_twice(field));
    // One column more does not make an address: `Region` beside `shipping_province`.
    let is_whole = has(Field::ShippingAddress1, false)
        || (has(Field::ShippingCity, false) && has(Field::ShippingZip, false));
    is_twice(&Field::ShippingAddress1) || (is_whole && (is_twice(&Field::ShippingCity) || twice.count() > 1))
}

/// Leaves those columns that say whose address they are of. A name stands for both addresses where there is but one.
fn drop_weak(found: &mut Vec<Found>, field: Field) {
    let has_own = found.iter().any(|found| found.fit != Fit::Weak);
    if has_own || field != Field::ShippingName {
        found.retain(|found| found.fit != Fit::Weak);
    }
}

fn candidates(header: &Row, field: Field) -> Vec<Found> {
    (0..header.len())
        .filter(|column| !is_result(header.text(*column)))
        .filter_map(|column| {
            let (named, fit) = Field::named(header.text(column))?;
            let clarity = clarity(field, fit, header.text(column));
            (named == field).then_some(Found { column, fit, clarity })
        })
        .collect()
}

/// A column as a finding names it; none beyond what a spreadsheet can have.
pub(crate) fn column_ref(column: usize) -> Option<u16> {
    u16::try_from(column).ok()
}

#[cfg(test)]
mod tests;
