//! Rows without an id of their own, and whether they go on with the order above them.

use super::{Layout, is_link};
use crate::order::columns::Field;
use crate::order::feet::is_foot;
use crate::order::mend::whole_number;
use crate::order::nothing::{is_ditto, says_nothing, stands_for_no_id};
use crate::order::shop::Shop;
use crate::order::sums::{is_sum_alone, is_sum_and_no_code, names_a_sum};
use crate::sheet::{CellKind, Row};

impl Layout {
    /// Whether a row without an id belongs to the order above it: such an export leaves the id out there, and the row
    /// has an item.
    pub(crate) fn fills_down(&self, row: &Row) -> bool {
        let has = |field| self.has_text(row, field);
        let shop = self.shop.as_ref().filter(|shop| shop.fills_down());
        shop.is_some_and(|shop| {
            (has(Field::ItemSku) || has(Field::ProductName))
                && has(Field::Quantity)
                && !self.is_sum_in_shop(shop, row)
        })
    }

    /// Whether a row of a shop's export has a word for a sum in the place of an item. Something may be called so: then a
    /// number stands beside its name.
    fn is_sum_in_shop(&self, shop: &Shop, row: &Row) -> bool {
        let text = |field| self.column(field).map_or("", |column| row.text(column).trim());
        let key = shop.key(row);
        let named = [text(Field::ItemSku), key.as_str(), text(Field::ProductName)];
        named
            .into_iter()
            .find(|text| !text.is_empty())
            .is_some_and(is_sum_alone)
    }

    /// Whether a row without an id, directly below an order, may be a line of it: it has an item, or artwork, or the name of
    /// a product with a number of pieces, and no address of its own, as where the cells of an id were merged and the sheet
    /// was saved as CSV.
    pub(crate) fn may_continue(&self, row: &Row) -> bool {
        let has = |field| self.has_text(row, field);
        // A shop's line may have no SKU; what it is called tells it from a footer.
        let has_item = has(Field::ItemSku)
            || (!self.is_native() && has(Field::ProductName))
            || self.has_artwork(row)
            || self.counts_a_product(row);
        self.names_each_row()
            && has_item
            && !self
                .sku_column()
                .is_some_and(|column| is_sum_and_no_code(row.text(column)))
            && self.has_no_address(row)
    }

    /// Whether a row whose id is a dash, or a mark for what stands above, may be a line of an order above it, by the rest of
    /// its cells: a line that is drawn, or zeros of formulas, is none.
    pub(crate) fn may_stand_below(&self, row: &Row, id: &str) -> bool {
        stands_for_no_id(id) && self.names_an_item(row) && (self.fills_down(row) || self.may_continue(row))
    }

    /// Whether a row says what is printed, itself or by a mark for what stands above.
    fn names_an_item(&self, row: &Row) -> bool {
        let says = |field| {
            let text = self.column(field).map_or("", |column| row.text(column).trim());
            !says_nothing(text) || is_ditto(text)
        };
        says(Field::ItemSku) || (!self.is_native() && says(Field::ProductName)) || self.has_artwork(row)
    }

    /// Whether a row has the name of a product and how many pieces of it there are. Beside a sum stands a number too, and in
    /// a row that has a word for one anywhere the name may be of the group that is summed up.
    fn counts_a_product(&self, row: &Row) -> bool {
        let text = |field| self.column(field).map_or("", |column| row.text(column).trim());
        let (name, pieces) = (text(Field::ProductName), text(Field::Quantity));
        let number = whole_number(pieces).unwrap_or(pieces).parse::<u32>();
        let has_formula = || {
            let column = self.column(Field::Quantity);
            column.is_some_and(|column| row.kind(column) == CellKind::NoValue)
        };
        let is_summed = || {
            let mut texts = self.own_columns().iter().map(|column| row.text(*column));
            texts.any(|text| names_a_sum(text) || is_foot(text))
        };
        !says_nothing(name) && (number.is_ok_and(|number| number > 0) || has_formula()) && !is_summed()
    }

    fn has_artwork(&self, row: &Row) -> bool {
        let mut columns = Field::ARTWORK.into_iter().filter_map(|field| self.column(field));
        columns.any(|column| is_link(row.text(column).trim()))
    }

    /// Whether a row has nothing of an address, or, beside an item, what says no more than that it is as above.
    fn has_no_address(&self, row: &Row) -> bool {
        let columns = Field::ALL.into_iter().filter(|field| field.is_address());
        let mut texts = columns
            .filter_map(|field| self.column(field))
            .filter(|column| row.has_text(*column))
            .map(|column| row.text(column).trim())
            .peekable();
        texts.peek().is_none() || (self.names_an_item(row) && texts.all(says_nothing))
    }

    /// Whether each row of an order has its id: all sheets do but the exports that leave it out below the first.
    pub(crate) fn names_each_row(&self) -> bool {
        self.shop
            .as_ref()
            .is_none_or(|shop| !shop.fills_down() && shop.packed_columns().is_empty())
    }
}
