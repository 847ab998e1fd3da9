//! Rows at the end of a list that somebody has filled in beforehand, down to its last line: a country, a number of pieces,
//! the number of the line. They wait for orders, and are none.

use std::collections::BTreeMap;

use super::Layout;
use crate::order::columns::Field;
use crate::order::mend::{is_digits, whole_number};
use crate::order::sums::is_sum;
use crate::sheet::Row;

/// What may stand in such a row, each the same in all of them.
const BEFOREHAND: [Field; 4] = [
    Field::ShippingCountry,
    Field::ShippingCountryCode,
    Field::ShippingService,
    Field::Quantity,
];

/// The rows of a sheet that may be such, below its last order.
#[derive(Debug, Default)]
pub(in crate::order) struct Prefilled {
    /// The row of the last order, or of what may be one.
    below: u32,
    /// How many rows say the same.
    alike: BTreeMap<String, u32>,
}

impl Prefilled {
    /// Takes a row of an order.
    pub(in crate::order) fn note_order(&mut self, row: &Row) {
        self.below = row.number();
        self.alike.clear();
    }

    /// Takes a row that is none of an order with an id.
    pub(in crate::order) fn note(&mut self, layout: &Layout, row: &Row) {
        if let Some(said) = layout.filled_in_beforehand(row) {
            *self.alike.entry(said).or_default() += 1;
        } else if layout.has_more_than_a_sum(row) {
            self.note_order(row);
        }
    }

    /// Whether a row without an id says what another one says, and stands below the last order. One by itself may be an
    /// order of which the rest was forgotten.
    pub(in crate::order) fn has(&self, layout: &Layout, row: &Row) -> bool {
        const LEAST: u32 = 2;
        let alike = |said: &String| self.alike.get(said).is_some_and(|rows| *rows >= LEAST);
        // Hardly any sheet has such rows.
        !self.alike.is_empty()
            && row.number() > self.below
            && layout.filled_in_beforehand(row).as_ref().is_some_and(alike)
    }
}

impl Layout {
    /// What a row of a sheet of one's own says that has no more than may be filled in beforehand; none of any other. A number
    /// in a column that is not read is that of the line, and tells no two apart.
    fn filled_in_beforehand(&self, row: &Row) -> Option<String> {
        /// The most digits of such a number: those of a parcel or a phone has more.
        const MOST: usize = 6;
        let of = |column: usize| {
            Field::ALL
                .into_iter()
                .find(|field| self.column(*field) == Some(column))
        };
        let is_beforehand = |column: usize, text: &str| match of(column) {
            // More pieces somebody has asked for.
            Some(Field::Quantity) => whole_number(text).unwrap_or(text) == "1",
            Some(field) => BEFOREHAND.contains(&field),
            None => is_digits(text) && text.len() <= MOST,
        };
        let mut said = String::new();
        for column in self.own_columns() {
            let text = row.text(*column).trim();
            if text.is_empty() {
                continue;
            }
            if !is_beforehand(*column, text) {
                return None;
            }
            if of(*column).is_some() {
                said.push_str(text);
                said.push('\n');
            }
        }
        (self.is_native() && !said.is_empty()).then_some(said)
    }

    /// Whether a row has something of a line or of an address, and no word for a sum in its place.
    fn has_more_than_a_sum(&self, row: &Row) -> bool {
        const OF_AN_ORDER: [Field; 6] = [
            Field::ItemSku,
            Field::ProductName,
            Field::ShippingName,
            Field::ShippingAddress1,
            Field::ShippingCity,
            Field::ShippingZip,
        ];
        let fields = OF_AN_ORDER.into_iter().chain(Field::ARTWORK);
        let mut texts = fields
            .filter_map(|field| self.column(field))
            .map(|column| row.text(column).trim());
        texts.any(|text| !text.is_empty() && !is_sum(text))
    }
}

#[cfg(test)]
mod tests {
    use crate::order::Draft;
    use crate::order::tests::drafts;

    const HEADER: [&str; 12] = [
        "order_id",
        "Name",
        "Street",
        "City",
        "State",
        "Zip",
        "Country",
        "SKU",
        "Qty",
        "artwork_front",
        "No.",
        "Memo",
    ];
    const ORDER: &str = "1|Ada|12 Maple|Columbus|OH|43004|US|TEE|1|https://example.com/a.png||";

    /// Of the rows below an order, which are no order lines.
    fn skipped(rows: &[&str]) -> Vec<bool> {
        let rows: Vec<Vec<String>> = std::iter::once(&ORDER)
            .chain(rows)
            .map(|row| row.split('|').map(str::to_owned).collect())
            .collect();
        let drafts = drafts(&HEADER, &rows);
        let is_none = |draft: &Draft| draft.is_no_order() && draft.findings().is_empty();
        drafts.iter().skip(1).map(is_none).collect()
    }

    #[test]
    fn rows_that_were_filled_in_beforehand_are_no_order_lines() {
        for rows in [
            &["||||||US||1|||", "||||||US||1|||"][..],
            &["||||||US|||||", "||||||US|||||", "||||||US|||||"],
            &["||||||US||1||2|", "||||||US||1||3|"],
            &["||||||US||1.0|||", "||||||US||1.0|||"],
        ] {
            assert!(skipped(rows).iter().all(|is| *is), "{rows:?}");
        }
        let below_are_sums = [
            "||||||US||1|||",
            "||||||US||1|||",
            "||||||||42|||",
            "|||||||Total|42|||",
        ];
        assert_eq!(skipped(&below_are_sums)[..2], [true, true]);
    }

    #[test]
    fn one_alone_or_with_anything_else_or_above_an_order_stays_what_it_is() {
        for rows in [
            &["||||||US||1|||"][..],
            &["||||||US||1|||", "||||||CA||1|||"],
            &["||||||US||2|||", "||||||US||2|||"],
            &["||||||US|TEE|1|||", "||||||US|TEE|1|||"],
            &["|Ada|||||US||1|||", "|Ada|||||US||1|||"],
            &["|||Columbus|||US||1|||", "|||Columbus|||US||1|||"],
            &["||||||US||1|||x", "||||||US||1|||x"],
            &["||||||US||1||1Z999|", "||||||US||1||1Z999|"],
            &[
                "||||||US||1|https://example.com/a.png||",
                "||||||US||1|https://example.com/a.png||",
            ],
        ] {
            assert!(skipped(rows).iter().all(|is| !*is), "{rows:?}");
        }
        let order = ORDER.replacen('1', "2", 1);
        for last in [order.as_str(), "||||||US|TEE|1|||"] {
            let above = skipped(&["||||||US||1|||", "||||||US||1|||", last]);
            assert!(above.iter().all(|is| !*is), "{last}");
        }
    }
}
