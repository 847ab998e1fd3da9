//! The texts of a sheet's header, to know a row that repeats them: sheets that were put together from several have each
//! one's header between the orders.

use crate::sheet::Row;

use super::columns::{Field, Fit, is_result};
use super::layout::{Layout, clarity, has_two_addresses};

/// So many cells of a row must be as in the header; fewer may be so by chance.
const AT_LEAST: usize = 3;

/// A header.
#[derive(Clone, Debug, Default)]
pub(super) struct Header {
    /// Its number.
    row: u32,
    /// Its texts, each with its column, counted from 0.
    texts: Vec<(usize, String)>,
    /// The column in which an earlier result says what is wrong with a row.
    said: Option<usize>,
}

/// What that column is called.
const MESSAGE: &str = "result_message";

impl Header {
    /// Of the columns that are the sheet's own.
    pub(super) fn of(header: &Row, own: &[usize]) -> Self {
        let texts = own
            .iter()
            .map(|column| (*column, header.text(*column).trim().to_owned()));
        Self {
            row: header.number(),
            said: header.iter().position(|text| bare(text) == MESSAGE),
            texts: texts.filter(|(_, text)| !text.is_empty()).collect(),
        }
    }

    /// Whether each cell of the row that is not blank says what the header says there.
    pub(super) fn is_repeated_by(&self, row: &Row) -> bool {
        let mut same = 0_usize;
        for (column, text) in &self.texts {
            let cell = bare(row.text(*column));
            if cell.eq_ignore_ascii_case(text) {
                same += 1;
            } else if !cell.is_empty() {
                return false;
            }
        }
        same >= AT_LEAST
    }

    /// Whether the header says this in a column.
    pub(super) fn says(&self, column: usize, text: &str) -> bool {
        self.text(column).eq_ignore_ascii_case(text)
    }

    /// What the header says in a column; nothing in one that is not the sheet's own.
    pub(super) fn text(&self, column: usize) -> &str {
        let said = self.texts.iter().find(|(own, _)| *own == column);
        said.map_or("", |(_, said)| said.as_str())
    }

    /// Whether at least half of a row's cells say what the header says there.
    fn is_mostly(&self, row: &Row) -> bool {
        let is_same = |(column, text): &&(usize, String)| bare(row.text(*column)).eq_ignore_ascii_case(text);
        let same = self.texts.iter().filter(is_same).count();
        let cells = row.iter().filter(|cell| !bare(cell).is_empty()).count();
        same.saturating_mul(2) >= cells
    }

    /// Whether a row holds the header's texts in other columns: what stands below it would be read by the first header all
    /// the same, and a city be taken for a street. Where its id stands, such a row has one of the texts.
    fn is_said_otherwise_by(&self, row: &Row, id_column: usize) -> bool {
        let is_text = |cell: &str| self.texts.iter().any(|(_, text)| cell.eq_ignore_ascii_case(text));
        if !is_text(bare(row.text(id_column))) || self.is_repeated_by(row) {
            return false;
        }
        // One header may have a column renamed that the other has in the same place.
        let own = |column: usize| self.texts.iter().find(|(own, _)| *own == column);
        let is_elsewhere = |(column, cell): (usize, &str)| {
            let stays = own(column).is_some_and(|(_, text)| cell.eq_ignore_ascii_case(text));
            !stays && is_text(cell)
        };
        if !row.iter().map(bare).enumerate().any(is_elsewhere) {
            return false;
        }
        let texts = row.iter().map(bare).filter(|cell| is_text(cell));
        let others = row.iter().map(bare).filter(|cell| !cell.is_empty());
        let (texts, cells) = (texts.count(), others.count());
        texts >= AT_LEAST && texts.saturating_mul(2) > cells
    }
}

/// A cell without what stands around it: a file that was put behind another one begins with a mark of its own.
fn bare(cell: &str) -> &str {
    cell.trim_start_matches('\u{feff}').trim()
}

impl Layout {
    /// What an earlier result says of a row; none where the sheet was no result.
    pub(super) fn said_before<'r>(&self, row: &'r Row) -> Option<&'r str> {
        self.header.said.map(|column| row.text(column))
    }

    /// Whether a row below the header says the same again, in whatever writing.
    pub(crate) fn repeats_header(&self, row: &Row) -> bool {
        let is_like = || {
            self.is_native()
                && self
                    .named(row)
                    .is_some_and(|named| self.is_named_alike(row, &named))
        };
        self.header.is_repeated_by(row) || is_like()
    }

    /// Whether a row below the header is another header, with the same names in other columns, or with other names.
    pub(crate) fn is_other_header(&self, row: &Row) -> bool {
        if self.header.is_repeated_by(row) {
            return false;
        }
        let moved = self
            .column(Field::OrderId)
            .is_some_and(|column| self.header.is_said_otherwise_by(row, column));
        // A shop names its columns as it likes: one of them may be called otherwise in another export.
        let is_own = || !self.is_native() && self.header.is_mostly(row);
        let is_unlike = |named| !self.is_named_alike(row, &named);
        moved || (self.named(row).is_some_and(is_unlike) && !is_own())
    }

    /// The fields that a row names, each with the column that names it best; none where the row is no header of orders.
    fn named(&self, row: &Row) -> Option<Named> {
        // No name of a column begins with a digit, and few orders have three cells that do not.
        let begins_with_digit = |field| {
            let text = self.column(field).map(|column| bare(row.text(column)));
            text.is_some_and(|text| text.starts_with(|c: char| c.is_ascii_digit()))
        };
        let data = [Field::Quantity, Field::ShippingZip, Field::OrderId];
        if self.is_sku_map() || data.into_iter().any(begins_with_digit) {
            return None;
        }
        let mut best = [None; Field::COUNT];
        let (mut known, mut cells) = (0_usize, 0_usize);
        let has_two_addresses = has_two_addresses(row);
        for (column, text) in row.iter().map(bare).enumerate() {
            if text.is_empty() || is_result(text) {
                continue;
            }
            cells += 1;
            let Some((field, fit)) = Field::named(text) else {
                continue;
            };
            known += 1;
            // As the header itself is read.
            let is_of_both = matches!(field, Field::ShippingName | Field::ShippingPhone);
            let is_payers = has_two_addresses && fit == Fit::Weak && field.is_address() && !is_of_both;
            let fit = (fit, clarity(field, fit, text));
            if let Some(slot) = best.get_mut(field.index()).filter(|_| !is_payers)
                && slot.is_none_or(|(other, _)| fit < other)
            {
                *slot = Some((fit, column));
            }
        }
        let named: Named = best.map(|found| found.map(|(_, column)| column));
        let has = |field: Field| named.get(field.index()).is_some_and(Option::is_some);
        let is_of_orders = has(Field::OrderId)
            || (has(Field::ItemSku) && Field::ALL.into_iter().any(|field| field.is_place() && has(field)));
        let fields = named.iter().flatten().count();
        (is_of_orders && fields >= AT_LEAST && known.saturating_mul(2) > cells).then_some(named)
    }

    /// Whether what stands below another header is read as it says: each field that it names is read from there, and
    /// each that is read is called so there, or as in the first header. Directly below that, a row may say it once more
    /// in another language, of which not every word is known.
    fn is_named_alike(&self, row: &Row, named: &Named) -> bool {
        let is_directly_below = row.number() == self.header.row + 1;
        let named_at = |field: Field| named.get(field.index()).copied().flatten();
        let is_alike = |field: Field| {
            let read = self.column(field);
            match (read, named_at(field)) {
                (Some(read), Some(named)) => read == named,
                (Some(read), None) => {
                    let text = bare(row.text(read));
                    let is_twin = field.twin().and_then(named_at) == Some(read);
                    let is_unknown = Field::named(text).is_none();
                    let says_so = text.is_empty() || self.header.says(read, text);
                    says_so || is_twin || (is_directly_below && is_unknown)
                }
                (None, Some(named)) => {
                    let twin = field.twin().and_then(|twin| self.column(twin));
                    !field.must_be_named_once() || twin == Some(named)
                }
                (None, None) => true,
            }
        };
        Field::ALL.into_iter().all(is_alike)
    }
}

/// By [`Field::index`]: the column that names it.
type Named = [Option<usize>; Field::COUNT];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::order::tests::text_row;

    fn row(cells: &[&str]) -> Row {
        text_row(1, cells)
    }

    #[test]
    fn a_row_repeats_the_header_where_every_cell_does() {
        let names = row(&["Order ID", "SKU", "", "Qty", "Note"]);
        let header = Header::of(&names, &[0, 1, 2, 3, 4]);
        for (cells, repeats) in [
            (&["Order ID", "SKU", "", "Qty", "Note"][..], true),
            (&["order id ", "sku", "", "qty"], true),
            (&["Order ID", "SKU"], false),
            (&["1001", "SKU", "", "Qty", "Note"], false),
            (&["Order ID", "SKU", "", "2", "Note"], false),
            (&["", "", "", "", ""], false),
            (&["\u{feff}Order ID", "SKU", "", "Qty", "Note"], true),
        ] {
            assert_eq!(header.is_repeated_by(&row(cells)), repeats, "{cells:?}");
        }
    }

    #[test]
    fn a_row_that_has_the_names_in_other_columns_is_another_header() {
        let names = row(&["Order ID", "SKU", "City", "Qty", "Note"]);
        let header = Header::of(&names, &[0, 1, 2, 3, 4]);
        for (cells, is_other) in [
            (&["Order ID", "City", "SKU", "Qty", "Note"][..], true),
            (&["SKU", "Order ID", "Qty", "Colour"], true),
            (&["Order ID", "SKU", "City", "Qty", "Note"], false),
            (&["1001", "City", "SKU", "Qty", "Note"], false),
            (&["Order ID", "SKU", "City", "Qty", "Notes"], false),
            (&["Note", "Qty"], false),
            (&["Note", "A", "B", "C", "D", "Qty", "City", "E"], false),
        ] {
            assert_eq!(header.is_said_otherwise_by(&row(cells), 0), is_other, "{cells:?}");
        }
    }

    #[test]
    fn another_header_is_known_in_any_writing_and_one_that_says_the_same_is_skipped() {
        let cells = |text: &'static str| row(&text.split(',').collect::<Vec<_>>());
        let layout = Layout::read(&cells(
            "order_id,name,address,city,zip,country,sku,qty,artwork,Weight",
        ))
        .unwrap();
        let (same, other, none) = ((true, false), (false, true), (false, false));
        for (text, expected) in [
            (
                "Order No,Recipient,Street Address,Town,Postcode,Country,SKU,Quantity",
                same,
            ),
            (
                "Order No,Recipient,Town,Street Address,Postcode,Country,SKU,Quantity",
                other,
            ),
            (",Name,City,Address,Zip,Country,SKU,Qty,Artwork", other),
            (
                "Order No,Name,Address,City,Zip,Country,SKU,Weight,Artwork,Qty",
                other,
            ),
            (
                "Bestellnummer,Empfänger,Ort,Straße und Hausnummer,PLZ,Land,SKU,Menge",
                other,
            ),
            ("1001,Name,City,Address,Zip,Country,SKU,Qty,Artwork", none),
            ("A-1,Ada,Front 1,City,43004,US,TEE,1,", none),
            ("A-1,,,,,,,,,Note", none),
            // What is read must be named: else it is another's address, or another number.
            (
                "Order No,Name,Billing Address,Billing City,Billing Zip,Country,SKU,Qty,Artwork",
                other,
            ),
            ("Order No,Name,Address,City,Zip,Country,SKU,Stock,Artwork", other),
            // A small table below the orders is none of them.
            ("SKU,Product,Qty", none),
            // A note is printed: below such a header it would be lost.
            (
                "order_id,name,address,city,zip,country,sku,qty,artwork,variant_note",
                other,
            ),
        ] {
            let row = cells(text);
            assert_eq!(
                (layout.repeats_header(&row), layout.is_other_header(&row)),
                expected,
                "{text}"
            );
        }
    }

    #[test]
    fn a_header_in_another_language_directly_below_is_skipped_and_one_that_is_repeated_never_rejects() {
        let read = |header: &'static str, below: (u32, &'static str)| {
            let row = |number, text: &'static str| text_row(number, &text.split(',').collect::<Vec<_>>());
            let layout = Layout::read(&row(1, header)).unwrap();
            let row = row(below.0, below.1);
            (layout.repeats_header(&row), layout.is_other_header(&row))
        };
        let native = "order_id,shipping_name,shipping_address1,shipping_city,shipping_province_code,shipping_zip,\
                      shipping_country_code,item_sku,quantity,artwork_front";
        let german =
            "Bestellnummer,Empfänger,Straße und Hausnummer,Ort,Bundesland,PLZ,Land,SKU,Menge,Druckdatei";
        assert_eq!(read(native, (2, german)), (true, false));
        assert_eq!(
            read(native, (7, german)),
            (false, true),
            "`Druckdatei` may be anything"
        );
        let two = "Order ID,Shipping Name,Shipping Address,Shipping City,Shipping Zip,Shipping Country,City,State,SKU,Qty";
        assert_eq!(read(two, (4, two)), (true, false));
        let lines = "Order ID,Shipping Name,Shipping Address 1,Shipping City,Shipping Zip,Shipping Country,Address 1,Address 2,City,SKU,Qty";
        let again = "Order No.,Shipping Name,Shipping Address 1,Shipping City,Shipping Zip,Shipping Country,Address 1,Address 2,City,SKU,Qty";
        assert_eq!(read(lines, (7, again)), (true, false));
    }

    #[test]
    fn a_header_in_another_writing_names_what_is_read_by_its_clearest_name() {
        let row = |number, text: &'static str| text_row(number, &text.split(',').collect::<Vec<_>>());
        let layout = Layout::read(&row(
            1,
            "order_id,name,address,suburb,city,county,state,zip,country,sku,qty",
        ))
        .unwrap();
        let again = row(
            5,
            "Order No.,Name,Address,Suburb,City,County,State,Zip,Country,SKU,Qty",
        );
        assert_eq!(
            (layout.repeats_header(&again), layout.is_other_header(&again)),
            (true, false)
        );
    }
}
