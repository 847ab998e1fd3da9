//! A sheet's header: which column holds which field.

use std::sync::Arc;

use crate::finding::{CellRef, Code, Finding, Rejection};
use crate::sheet::Row;

use super::columns::{Field, Fit, Part, is_result, normalized, part_of};
use super::header::Header;
use super::profile::Profile;
use super::shop::Shop;
use super::sku_map::MapLayout;
use super::stated::Stated;
use super::sums::is_sum;

/// Which column of a sheet holds which field.
#[derive(Clone, Debug)]
pub struct Layout {
    /// By [`Field::index`]: the column, counted from 0.
    columns: [Option<usize>; Field::COUNT],
    own: Vec<usize>,
    pub(super) header: Header,
    /// Columns with a part of a field's text, which the field's own does not have: with that field.
    parts: Vec<(Part, usize)>,
    /// Columns that hold a field once more, with that field.
    twins: Vec<(Field, usize)>,
    /// What the sheet says of how an order stands, where no shop's export does.
    stated: Stated,
    width: usize,
    /// How a shop's export is read; none for native columns.
    shop: Option<Arc<Shop>>,
    is_sku_map: bool,
}

/// Where a field was found, and how well the header fits it.
#[derive(Clone, Copy, Debug)]
struct Found {
    column: usize,
    fit: Fit,
}

/// Without one of these no order of the sheet can pass.
const REQUIRED: [Field; 7] = [
    Field::OrderId,
    Field::ShippingName,
    Field::ShippingAddress1,
    Field::ShippingCity,
    Field::ShippingZip,
    Field::ItemSku,
    Field::Quantity,
];

impl Layout {
    /// Reads a header.
    ///
    /// # Errors
    /// Findings of level error where the sheet as a whole cannot be worked: a missing column, a field named twice.
    pub fn read(header: &Row) -> Result<Self, Vec<Finding>> {
        let mut findings = Vec::new();
        let mut columns = [None; Field::COUNT];
        let mut name = None;
        let has_two_addresses = has_two_addresses(header);
        for (slot, field) in columns.iter_mut().zip(Field::ALL) {
            let mut found = candidates(header, field);
            if has_two_addresses && field.is_address() && field != Field::ShippingPhone {
                drop_weak(&mut found, field);
            }
            let Some(best) = found.iter().copied().min_by_key(|found| found.fit) else {
                continue;
            };
            *slot = Some(best.column);
            if field == Field::ShippingName {
                name = Some(best.fit);
            }
            findings.extend(
                found
                    .iter()
                    .filter(|other| field.must_be_named_once() && is_same_name(other.fit, best.fit))
                    .filter(|other| other.column != best.column)
                    .map(|other| repeated(header, field, best.column, other.column)),
            );
        }
        let own = own_columns(header);
        let street = columns.get(Field::ShippingAddress1.index()).copied().flatten();
        let is_beside = |column: usize| street.is_some_and(|street| street.abs_diff(column) == 1);
        let part = |column: &usize| {
            let part = part_of(header.text(*column), name)?;
            (!part.where_none_is || is_beside(*column)).then_some((part, *column))
        };
        let layout = Self {
            columns,
            parts: own.iter().filter_map(part).collect(),
            twins: twins(header, &columns),
            header: Header::of(header, &own),
            stated: Stated::of(header, &own),
            own,
            width: header.len(),
            shop: None,
            is_sku_map: false,
        };
        findings.extend(layout.missing_columns(header));
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
        Self {
            columns,
            header: Header::of(header, &own),
            stated: Stated::of(header, &own).without(&shop.judged_columns()),
            own,
            parts: Vec::new(),
            twins: Vec::new(),
            width: header.len(),
            shop: Some(Arc::new(shop)),
            is_sku_map: false,
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
            header: Header::of(header, &own),
            own,
            parts: Vec::new(),
            twins: Vec::new(),
            stated: Stated::default(),
            width: header.len(),
            shop: None,
            is_sku_map: true,
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
    pub(crate) fn holds(&self, row: &Row) -> Vec<String> {
        self.stated.holds(row)
    }

    /// How a shop's export is read; none for native columns.
    pub(crate) fn shop(&self) -> Option<&Shop> {
        self.shop.as_deref()
    }

    /// Whether a row without an id belongs to the order above it: such an export leaves the id out there, and the row
    /// has an item.
    pub(crate) fn fills_down(&self, row: &Row) -> bool {
        let has = |field| self.has_text(row, field);
        self.shop.as_ref().is_some_and(|shop| shop.fills_down())
            && (has(Field::ItemSku) || has(Field::ProductName))
            && has(Field::Quantity)
    }

    /// Whether a row without an id, directly below an order, may be a line of it: it has an item and no address of its
    /// own, as where the cells of an id were merged and the sheet was saved as CSV.
    pub(crate) fn may_continue(&self, row: &Row) -> bool {
        let has = |field| self.has_text(row, field);
        // A shop's line may have no SKU; what it is called tells it from a footer.
        let has_item = has(Field::ItemSku) || (!self.is_native() && has(Field::ProductName));
        self.names_each_row()
            && has_item
            && !self.sku_column().is_some_and(|column| is_sum(row.text(column)))
            && !self.repeats_header(row)
            && !Field::ALL.into_iter().filter(|field| field.is_address()).any(has)
    }

    /// Whether each row of an order has its id: all sheets do but the exports that leave it out below the first.
    pub(crate) fn names_each_row(&self) -> bool {
        self.shop
            .as_ref()
            .is_none_or(|shop| !shop.fills_down() && shop.packed_columns().is_empty())
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
        self.column(field)
            .is_some_and(|column| !row.text(column).trim().is_empty())
    }

    /// Whether a row is an order sheet's header: it has a column for `order_id` and at least one more known column,
    /// or three known columns at least.
    pub fn is_header(row: &Row) -> bool {
        let mut known: Vec<Field> = row
            .iter()
            .filter(|header| !is_result(header))
            .filter_map(Field::named)
            .map(|(field, _)| field)
            .collect();
        known.sort_unstable();
        known.dedup();
        known.len() >= if known.contains(&Field::OrderId) { 2 } else { 3 }
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
        self.columns.get(field.index()).copied().flatten()
    }

    /// The column of a field as a finding names it.
    pub(crate) fn column_ref(&self, field: Field) -> Option<u16> {
        self.column(field).and_then(column_ref)
    }

    /// The columns with a part of a field's text, each with that field.
    pub(super) fn parts(&self) -> &[(Part, usize)] {
        &self.parts
    }

    /// The columns that hold a field once more, each with that field.
    pub(super) fn twins(&self) -> &[(Field, usize)] {
        &self.twins
    }

    /// How many columns the header has.
    pub(crate) fn width(&self) -> usize {
        self.width
    }

    fn missing_columns(&self, header: &Row) -> Vec<Finding> {
        let has = |field: &Field| self.column(*field).is_some();
        // A sheet with an `action` column may only cancel: what its creates miss is said at each of them.
        let required = if has(&Field::Action) {
            &[Field::OrderId]
        } else {
            REQUIRED.as_slice()
        };
        let mut missing: Vec<&str> = required
            .iter()
            .filter(|field| !has(field))
            .map(|field| field.name())
            .collect();
        let country = [Field::ShippingCountryCode, Field::ShippingCountry];
        if required.len() > 1 && !country.iter().any(has) {
            missing.push(Field::ShippingCountryCode.name());
        }
        let mut findings: Vec<Finding> = missing
            .into_iter()
            .map(|name| missing_column(header, name))
            .collect();
        if let Some(last) = findings.last_mut() {
            last.hint.push_str(&columns_found(header));
        }
        findings
    }
}

/// Findings about the header reject the sheet as a whole: each of its orders would have them.
pub(super) fn rejection(findings: &[Finding]) -> Rejection {
    let code = findings
        .first()
        .map_or(Code::MissingColumn, |finding| finding.code);
    let joined = |part: fn(&Finding) -> &str| {
        let mut parts: Vec<&str> = findings
            .iter()
            .map(part)
            .filter(|text| !text.is_empty())
            .collect();
        parts.dedup();
        parts.join(" ")
    };
    Rejection {
        code,
        message: joined(|f| &f.message),
        hint: joined(|f| &f.hint),
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

fn own_columns(header: &Row) -> Vec<usize> {
    (0..header.len())
        .filter(|column| !is_result(header.text(*column)))
        .collect()
}

/// Whether two columns of one field have the same name, but for case, spaces and punctuation where it is the native one.
fn is_same_name(fit: Fit, best: Fit) -> bool {
    fit == best || (fit == Fit::Native && best == Fit::Exact)
}

/// Whether a header has a part of an address that says whose it is, as `Shipping City`, and one that does not, as `City`:
/// what else does not say it, `State` or `Country`, is of the other one, a payer's say. A name does not tell: a buyer has
/// one without an address.
pub(super) fn has_two_addresses(header: &Row) -> bool {
    let has = |field, is_weak| {
        let found = candidates(header, field);
        found.iter().any(|found| (found.fit == Fit::Weak) == is_weak)
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

/// Columns that a table has numbered because it has them twice, `City2` beside `City`: a second address, or a second item,
/// which one row has no place for.
fn twins(header: &Row, columns: &[Option<usize>; Field::COUNT]) -> Vec<(Field, usize)> {
    let twin = |column: usize| {
        let text = header.text(column);
        let name = normalized(text);
        let (field, _fit) = Field::named(name.strip_suffix('2')?)?;
        let is_once = matches!(
            field,
            Field::ShippingCity
                | Field::ShippingZip
                | Field::ShippingCountry
                | Field::ItemSku
                | Field::Quantity
        );
        let is_read = columns.get(field.index()).is_some_and(Option::is_some);
        (is_once && is_read && Field::named(text).is_none()).then_some((field, column))
    };
    (0..header.len()).filter_map(twin).collect()
}

fn candidates(header: &Row, field: Field) -> Vec<Found> {
    (0..header.len())
        .filter(|column| !is_result(header.text(*column)))
        .filter_map(|column| {
            let (named, fit) = Field::named(header.text(column))?;
            (named == field).then_some(Found { column, fit })
        })
        .collect()
}

/// A column as a finding names it; none beyond what a spreadsheet can have.
pub(crate) fn column_ref(column: usize) -> Option<u16> {
    u16::try_from(column).ok()
}

fn repeated(header: &Row, field: Field, first: usize, second: usize) -> Finding {
    let named = |column: usize| {
        let text = header.text(column).trim();
        let row = header.number();
        let cell = column_ref(column).map(|column| CellRef { row, column });
        cell.map_or_else(|| format!("`{text}`"), |cell| format!("{cell} (`{text}`)"))
    };
    let name = field.name();
    Finding {
        code: Code::RepeatedColumn,
        row: header.number(),
        column: column_ref(second),
        message: format!(
            "The columns {} and {} both mean {name}.",
            named(first),
            named(second)
        ),
        hint: format!("Name the one that counts `{name}`, and rename or remove the other."),
    }
}

/// What the header has, for who looks for what it lacks: often a column is there under another name.
fn columns_found(header: &Row) -> String {
    const SHOWN: usize = 20;
    let named: Vec<String> = (0..header.len())
        .map(|column| header.text(column).trim())
        .filter(|name| !name.is_empty())
        .map(|name| format!("`{name}`"))
        .collect();
    let more = match named.len().saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let shown: Vec<&str> = named.iter().take(SHOWN).map(String::as_str).collect();
    format!(" The columns found are {}{more}.", shown.join(", "))
}

fn missing_column(header: &Row, name: &str) -> Finding {
    Finding {
        code: Code::MissingColumn,
        row: header.number(),
        column: None,
        message: format!("The sheet has no column for {name}."),
        hint: format!("Add a column with the header `{name}`."),
    }
}

#[cfg(test)]
mod tests;
