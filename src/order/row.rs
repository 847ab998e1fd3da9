//! What a row says by itself, before it is read as a part of its order. What is to be said of its cells is said then.

use crate::sheet::Row;

use super::cells::Cells;
use super::columns::Field;
use super::layout::Layout;
use super::places::agreed_country;

impl Layout {
    /// The id of a row's order as in the sheet, mended; empty where it has none.
    pub fn order_id(&self, row: &Row) -> String {
        if self.repeats_header(row) {
            return String::new();
        }
        let lines = Cells::read_lines(self, row, &mut Vec::new());
        lines
            .first()
            .map_or_else(String::new, |line| line.text(Field::OrderId).to_owned())
    }

    /// Whether a row says in the columns of each that which every order has to say, with a SKU in one word and a number of
    /// pieces: by chance no other one does.
    pub fn reads_as_an_order(&self, row: &Row) -> bool {
        let needed = [
            Field::OrderId,
            Field::ShippingName,
            Field::ShippingAddress1,
            Field::ShippingCity,
            Field::ItemSku,
            Field::Quantity,
        ];
        if self.is_sku_map() || needed.iter().any(|field| self.column(*field).is_none()) {
            return false;
        }
        let cells = Cells::read(self, row, &mut Vec::new());
        let is_counted = cells
            .text(Field::Quantity)
            .parse::<u32>()
            .is_ok_and(|pieces| pieces > 0);
        let is_word = !cells.text(Field::ItemSku).contains(char::is_whitespace);
        is_counted && is_word && needed.iter().all(|field| !cells.text(*field).is_empty())
    }

    /// The code of the country that a row's order goes to, as far as this row says it; none where it means none, or two.
    pub fn country_code(&self, row: &Row) -> Option<&'static str> {
        let cells = Cells::read(self, row, &mut Vec::new());
        let [code, name] =
            [Field::ShippingCountryCode, Field::ShippingCountry].map(|field| cells.text(field));
        agreed_country(code, name).map(|country| country.code.as_str())
    }

    /// Whether a row, the first of its order, asks to cancel it.
    pub fn asks_to_cancel(&self, row: &Row) -> bool {
        self.column(Field::Action)
            .is_some_and(|column| row.text(column).trim().eq_ignore_ascii_case("cancel"))
    }

    /// The SKUs that a row names, in the merchant's own words.
    pub fn skus(&self, row: &Row) -> Vec<String> {
        if self.repeats_header(row) {
            return Vec::new();
        }
        if self.shop().is_none() {
            let column = self.sku_column();
            return column
                .map(|column| row.text(column).trim().to_owned())
                .into_iter()
                .collect();
        }
        let lines = Cells::read_lines(self, row, &mut Vec::new());
        lines
            .iter()
            .map(|line| line.text(Field::ItemSku).to_owned())
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sheet::CellKind;

    fn row(number: u32, cells: &[&str]) -> Row {
        let mut row = Row::default();
        row.start(number);
        for cell in cells {
            row.push(cell, CellKind::Text);
        }
        row
    }

    #[test]
    fn a_row_says_its_country_by_a_code_a_name_or_both_that_agree() {
        let header = ["order_id", "shipping_country_code", "shipping_country", "action"];
        let layout = Layout::read(&row(1, &header)).unwrap();
        for (code, name, country) in [
            ("us", "", Some("US")),
            ("", "Germany", Some("DE")),
            ("DE", "Allemagne", Some("DE")),
            ("US", "Germany", None),
            ("XX", "Germany", None),
            ("", "Atlantis", None),
            ("", "", None),
        ] {
            let cells = row(2, &["1", code, name, ""]);
            assert_eq!(layout.country_code(&cells), country, "{code} {name}");
        }
    }

    #[test]
    fn an_id_is_mended_and_a_header_between_the_orders_has_none() {
        let header = ["order_id", "action", "note"];
        let layout = Layout::read(&row(1, &header)).unwrap();
        for (cells, id) in [
            (["1001.0", "cancel", ""], "1001"),
            (["", "cancel", ""], ""),
            (header, ""),
        ] {
            assert_eq!(layout.order_id(&row(2, &cells)), id, "{cells:?}");
        }
    }
}
