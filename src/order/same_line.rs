//! Whether rows of two tabs are one line of an order: the tabs of a workbook are copies of each other, or an order goes on
//! from one to the other. Pure.

use std::borrow::Cow;
use std::collections::HashSet;
use std::hash::{BuildHasher, Hash, Hasher, RandomState};

use crate::sheet::Row;

use super::columns::Field;
use super::draft::{Action, Draft};
use super::group::as_compared;
use super::index::{IdHash, Index, RowKey};
use super::layout::Layout;

/// What is printed by a line, and how often. A note for people or a picture of it tells no two lines apart.
fn of_a_line() -> impl Iterator<Item = Field> {
    [Field::ItemSku, Field::Quantity, Field::VariantNote]
        .into_iter()
        .chain(Field::ARTWORK)
}

/// The lines of a sheet's orders, in a few bytes each.
#[derive(Debug, Default)]
pub(crate) struct KnownLines {
    hashing: RandomState,
    lines: HashSet<u64>,
}

impl KnownLines {
    /// Notes a row of an order.
    pub(crate) fn note(&mut self, layout: &Layout, row: &Row, order: &IdHash) {
        let line = self.line(layout, row, order);
        self.lines.insert(line);
    }

    /// Whether the order has the line of a row.
    pub(crate) fn has(&self, layout: &Layout, row: &Row, order: &IdHash) -> bool {
        self.lines.contains(&self.line(layout, row, order))
    }

    fn line(&self, layout: &Layout, row: &Row, order: &IdHash) -> u64 {
        let mut hasher = self.hashing.build_hasher();
        order.hash(&mut hasher);
        if let Some(id) = layout.shop().and_then(|shop| shop.line_id(row)) {
            id.hash(&mut hasher);
            return hasher.finish();
        }
        let text = |field| {
            let column = layout.column(field);
            column.map_or(Cow::Borrowed(""), |column| as_compared(layout, row, column))
        };
        of_a_line().for_each(|field| text(field).hash(&mut hasher));
        if text(Field::ItemSku).is_empty() {
            text(Field::ProductName).hash(&mut hasher);
        }
        for column in layout.shop().map_or(&[][..], |shop| shop.packed_columns()) {
            row.text(*column).trim().hash(&mut hasher);
        }
        hasher.finish()
    }
}

impl Layout {
    /// Whether two tabs say in the same columns what is printed. Where they do not, one is made of the other, and nothing
    /// can be said of a line by comparing them.
    pub(crate) fn has_lines_like(&self, other: &Self) -> bool {
        let name = |layout: &Self| layout.shop().map(|shop| shop.name().to_owned());
        let has = |layout: &Self, field| layout.column(field).is_some();
        !self.is_sku_map()
            && !other.is_sku_map()
            && name(self) == name(other)
            && of_a_line().all(|field| has(self, field) == has(other, field))
    }
}

impl Index {
    /// The order that a row which was noted belongs to; none where it is blank or of no order.
    pub(crate) fn order_of(&self, layout: &Layout, row: &Row) -> Option<IdHash> {
        self.place(&RowKey::of(layout, row), row.number())?.order
    }
}

impl Draft {
    /// Whether nothing that its sheet says keeps it from being printed.
    pub(crate) fn is_open(&self) -> bool {
        let is_order = !self.is_footer() && !self.is_no_order() && self.has_lines();
        is_order
            && self.action() == Action::Create
            && self.canceled().or(self.unpaid()).is_none()
            && self.shop_holds().is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::order::id_hash;
    use crate::order::tests::text_row;

    const HEADER: [&str; 8] = [
        "order_id",
        "item_sku",
        "quantity",
        "variant_note",
        "artwork_front",
        "product_name",
        "mockup_url",
        "Remarks",
    ];

    #[test]
    fn a_copy_of_a_line_is_that_line_and_whatever_prints_something_else_is_another() {
        let layout = Layout::of_lines(&HEADER);
        let line = [
            "1001",
            "TEE-S",
            "1",
            "",
            "https://example.com/a.png",
            "Tee",
            "",
            "",
        ];
        let mut known = KnownLines::default();
        known.note(&layout, &text_row(2, &line), &id_hash("1001"));
        for (column, text, is_known) in [
            (0, "#1001", true),
            (1, "tee-s", true),
            (1, "TEE-M", false),
            (2, " 1 ", true),
            (2, "1.0", true),
            (2, "2", false),
            (3, "Ada", false),
            (4, "https://example.com/b.png", false),
            (5, "A tee", true),
            (6, "https://example.com/mockup.png", true),
            (7, "a gift", true),
        ] {
            let mut other = line;
            other[column] = text;
            let row = text_row(9, &other);
            assert_eq!(known.has(&layout, &row, &id_hash("1001")), is_known, "{text}");
        }
        assert!(!known.has(&layout, &text_row(2, &line), &id_hash("1002")));
    }

    #[test]
    fn tabs_that_say_in_other_columns_what_is_printed_are_not_compared() {
        let all = Layout::of_lines(&HEADER);
        assert!(all.has_lines_like(&Layout::of_lines(&HEADER[..5])));
        assert!(!all.has_lines_like(&Layout::of_lines(&HEADER[..4])));
        assert!(!all.has_lines_like(&Layout::of_lines(&HEADER[..3])));
    }

    impl Layout {
        /// Of a sheet that need not say where its orders go.
        fn of_lines(header: &[&str]) -> Self {
            let mut header = header.to_vec();
            header.push("action");
            Self::read(&text_row(1, &header)).unwrap()
        }
    }
}
