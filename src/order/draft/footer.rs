//! Rows that are no orders: footers, sums, notes and drawn lines.

use super::{Action, Draft};
use crate::order::columns::Field;
use crate::order::feet::is_foot;
use crate::order::layout::is_link;
use crate::order::standing;
use crate::order::sums::{is_a_note, is_count, is_sum};

impl Draft {
    /// Whether it is no order but a footer, a summary row or a note: without SKU, artwork and address, and without an id,
    /// with a word for a sum in the place of either or a colon behind it, or with words in the place of an id and nothing
    /// else.
    pub fn is_footer(&self) -> bool {
        const NEEDED: [Field; 6] = [
            Field::ItemSku,
            Field::ShippingAddress1,
            Field::ShippingCity,
            Field::ShippingZip,
            Field::ShippingCountry,
            Field::ShippingCountryCode,
        ];
        // A sum is named in any of these columns.
        let is_nothing = |text: &str| text.is_empty() || is_count(text);
        let is_blank = |field| is_nothing(self.value(field).text) && !self.is_spoiled(field);
        let id = self.order_id();
        let is_no_id = || {
            id.is_empty()
                || id.ends_with(':')
                || is_sum(id)
                || ((is_a_note(id) || self.is_foot()) && self.has_lines() && self.has_only_an_id())
        };
        let has_artwork = || {
            let mut artwork = Field::ARTWORK.into_iter();
            artwork.any(|field| is_link(self.value(field).text))
        };
        self.action == Action::Create
            && (self.is_drawn() || is_no_id() && NEEDED.into_iter().all(is_blank) && !has_artwork())
    }

    /// The same as no order, where its row is one of several that somebody has filled in beforehand.
    #[must_use]
    pub(in crate::order) fn prefilled(mut self, is_prefilled: bool) -> Self {
        if is_prefilled {
            self.aside
                .extend(standing::were_filled_in_beforehand(&mut self.lines));
            self.findings.clear();
        }
        self
    }

    /// Whether it is a line that is drawn with dashes through every column.
    fn is_drawn(&self) -> bool {
        let is_bare =
            |field| !self.value(field).text.contains(char::is_alphanumeric) && !self.is_spoiled(field);
        Field::ALL.into_iter().all(is_bare)
    }

    /// Whether its id is what stands alone at the foot of a list, without a number of pieces beside it.
    fn is_foot(&self) -> bool {
        let is_blank = self.value(Field::Quantity).text.is_empty() && !self.is_spoiled(Field::Quantity);
        is_blank && is_foot(self.order_id())
    }

    /// Whether nothing stands beside its id, but for a count.
    fn has_only_an_id(&self) -> bool {
        let beside = Field::ALL.into_iter();
        let mut beside =
            beside.filter(|field| !matches!(field, Field::OrderId | Field::Quantity | Field::Action));
        beside.all(|field| self.value(field).text.is_empty() && !self.is_spoiled(field))
    }
}

#[cfg(test)]
mod tests {
    use crate::order::tests::{NATIVE, drafts};

    #[test]
    fn a_row_whose_first_cell_ends_in_a_colon_is_a_footer_where_it_has_no_item_and_no_address() {
        let is_footer = |id: &str, field: &str, text: &str| {
            let cells = NATIVE.map(|name| match name {
                "order_id" => id.to_owned(),
                _ if name == field => text.to_owned(),
                _ => String::new(),
            });
            drafts(&NATIVE, &[cells.to_vec()]).remove(0).is_footer()
        };
        assert!(is_footer("Printed:", "shipping_name", "26.11.2026"));
        assert!(is_footer("Prepared by:", "shipping_name", "Ada"));
        for (id, field, text) in [
            ("", "item_sku", "Total pieces"),
            ("", "shipping_zip", "Total"),
            ("", "shipping_country", "TOTAL (pcs)"),
            ("Week 48", "", ""),
            ("2 orders", "", ""),
            ("29 Bestellungen", "", ""),
            ("Anzahl: 2", "", ""),
            ("27.11.2026", "", ""),
            ("5.12. fertig", "", ""),
            ("---", "item_sku", "---"),
        ] {
            assert!(is_footer(id, field, text), "{id} {text}");
        }
        for (id, field, text) in [
            ("1001:", "item_sku", "TEE"),
            ("1001:", "shipping_city", "Columbus"),
            ("1001", "shipping_name", "Ada"),
            ("A:1001", "shipping_name", "Ada"),
            ("", "item_sku", "Total Recall Tee"),
            ("---", "item_sku", "TEE"),
            ("Week 48", "shipping_name", "Ada"),
            ("29 Bestellungen", "quantity", "29"),
            ("29 Bestellungen", "item_sku", "TEE"),
            ("27.11.2026", "quantity", "1"),
            ("27.11.2026", "item_sku", "TEE"),
            ("27.11.2026", "shipping_city", "Columbus"),
            ("27.11.2026", "shipping_phone", "030 123456"),
            ("27.11.2026", "artwork_front", "https://example.com/a.png"),
            ("Bestellung 1001", "", ""),
        ] {
            assert!(!is_footer(id, field, text), "{id} {text}");
        }
    }
}
