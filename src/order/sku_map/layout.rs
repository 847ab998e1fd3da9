//! The columns of a SKU map: which they are, how they may be called, and what a row says in them.

use crate::finding::{CellRef, Code, Rejection};
use crate::order::columns::{Field, Fit, normalized};
use crate::order::mend::mend;
use crate::sheet::Row;

use super::{Lost, MAPPED, NOT_PRINTED_HERE, OWN_SKU, Target};

/// The columns of a map's header.
#[derive(Clone, Debug)]
pub struct MapLayout {
    own: usize,
    mapped: Vec<(Field, usize)>,
    /// Those columns of artwork that are called otherwise: only what looks like a web address is taken for it.
    aliased: Vec<usize>,
}

/// Whether a map's column for a field may be called as an order sheet's may be, where none has the field's own name: who
/// maps a back print, or where it is made, under another name would have it left out.
fn may_be_aliased(field: Field) -> bool {
    Field::ARTWORK.contains(&field) || field == Field::MadeInLocation
}

/// Where a map's column stands among the names of a header, written as headers may be, `Artwork Front`, or called as in an
/// order sheet, `Location`.
pub fn column_of<'a>(header: impl Iterator<Item = &'a str> + Clone, name: &str) -> Option<usize> {
    named_so(header.clone(), name).or_else(|| alias_of(header, name))
}

fn named_so<'a>(mut header: impl Iterator<Item = &'a str>, name: &str) -> Option<usize> {
    let name = normalized(name);
    header.position(|cell| normalized(cell) == name)
}

fn alias_of<'a>(header: impl Iterator<Item = &'a str>, name: &str) -> Option<usize> {
    let found = header.enumerate().filter_map(|(column, cell)| {
        let (field, fit) = Field::named(cell)?;
        (field.name() == name && may_be_aliased(field)).then_some((fit, column))
    });
    found.min_by_key(|(fit, _)| *fit).map(|(_, column)| column)
}

impl MapLayout {
    /// Whether a row is a map's header: it has a column `sku` and a column `item_sku`, by just these names, and none that
    /// makes it an order sheet's, however that is written.
    pub fn is_header(row: &Row) -> bool {
        let has = |name: &str| row.iter().any(|cell| cell.trim().eq_ignore_ascii_case(name));
        let named = |fields: &[Field]| {
            row.iter().any(|cell| {
                Field::named(cell).is_some_and(|(field, fit)| fit != Fit::Weak && fields.contains(&field))
            })
        };
        let line = [Field::Quantity, Field::ShippingAddress1, Field::ShippingZip];
        let is_of_orders = has(Field::OrderId.name()) || (named(&[Field::OrderId]) && named(&line));
        has(OWN_SKU) && has(Field::ItemSku.name()) && !is_of_orders
    }

    /// Whether a row of a file that is known to be a map is its header: its two columns may be written as headers may be.
    pub fn is_header_of_map(row: &Row) -> bool {
        [OWN_SKU, Field::ItemSku.name()]
            .iter()
            .all(|name| named_so(row.iter(), name).is_some())
    }

    /// Reads a map's header.
    ///
    /// # Errors
    /// Which column is missing.
    pub fn read(header: &Row) -> Result<Self, Rejection> {
        let column = |name: &str| column_of(header.iter(), name);
        let missing = |name: &str| Rejection {
            code: Code::MissingColumn,
            message: format!("The SKU map has no column `{name}`."),
            hint: "Its columns are sku, item_sku, artwork_front and the others that a line of an order has."
                .to_owned(),
        };
        let own = column(OWN_SKU).ok_or_else(|| missing(OWN_SKU))?;
        let mapped: Vec<(Field, usize)> = MAPPED
            .into_iter()
            .filter_map(|field| Some((field, column(field.name())?)))
            .collect();
        // What is called a location is one; a note may stand under what is called an artwork.
        let is_alias = |(field, at): &&(Field, usize)| {
            *field != Field::MadeInLocation && named_so(header.iter(), field.name()) != Some(*at)
        };
        let aliased = mapped.iter().filter(is_alias).map(|(_, at)| *at).collect();
        if !mapped.iter().any(|(field, _)| *field == Field::ItemSku) {
            return Err(missing(Field::ItemSku.name()));
        }
        Ok(Self { own, mapped, aliased })
    }

    /// The column of the own SKU, counted from 0.
    pub fn own_column(&self) -> usize {
        self.own
    }

    /// The own SKU of a row; empty where it has none.
    pub fn own_sku(&self, row: &Row) -> String {
        mend(Field::ItemSku, row.text(self.own), row.kind(self.own)).text
    }

    /// The own SKU of a row where its value is lost: a date that a spreadsheet has made of it, say, is that of no order.
    pub(crate) fn own_lost(&self, row: &Row) -> Option<Lost> {
        lost_in(row, (Field::ItemSku, self.own)).map(|lost| Lost {
            message: lost.message.replace(Field::ItemSku.name(), OWN_SKU),
            ..lost
        })
    }

    /// What a row says of its SKU; none where `item_sku` is blank.
    pub(crate) fn target(&self, row: &Row) -> Option<Target> {
        let texts: Vec<(Field, String)> = self
            .mapped
            .iter()
            .filter(|(_, column)| self.is_read(row, *column))
            .map(|(field, column)| (*field, mend(*field, row.text(*column), row.kind(*column))))
            .filter(|(_, mended)| !mended.is_lost() && !mended.text.is_empty())
            .map(|(field, mended)| (field, mended.text))
            .collect();
        let sku = texts.iter().find(|(field, _)| *field == Field::ItemSku);
        if sku.is_some_and(|(_, sku)| sku.eq_ignore_ascii_case(NOT_PRINTED_HERE)) {
            return Some(Target::NotPrintedHere);
        }
        let is_said = sku.is_some() || self.lost(row).iter().any(|lost| lost.field == Field::ItemSku);
        is_said.then_some(Target::Printed(texts))
    }

    /// Whether what a column says is taken for the field: under another name it may be a note. What looks like an address,
    /// and is none, is told where it is used.
    fn is_read(&self, row: &Row, column: usize) -> bool {
        let text = row.text(column).trim();
        let is_word = !text.contains(char::is_whitespace);
        !self.aliased.contains(&column) || text.contains("://") || (is_word && text.contains('.'))
    }

    /// The cells of a row, beside its own SKU, whose values are lost.
    pub(crate) fn lost(&self, row: &Row) -> Vec<Lost> {
        let mapped = self.mapped.iter();
        mapped.filter_map(|at| lost_in(row, *at)).collect()
    }

    /// The `item_sku` of a row as it is written, and its column.
    pub fn item_sku<'r>(&self, row: &'r Row) -> (&'r str, usize) {
        let column = self.mapped.iter().find(|(field, _)| *field == Field::ItemSku);
        let column = column.map_or(0, |(_, column)| *column);
        (row.text(column).trim(), column)
    }

    /// What a row says of its SKU beside `item_sku`: each field with its column and its text.
    pub(crate) fn values(&self, row: &Row) -> impl Iterator<Item = (Field, usize, String)> {
        let others = self.mapped.iter().filter(|(field, _)| *field != Field::ItemSku);
        let read = others.filter(|(_, column)| self.is_read(row, *column));
        read.map(|(field, column)| {
            let text = mend(*field, row.text(*column), row.kind(*column)).text;
            (*field, *column, text)
        })
    }

    /// The texts of a row in the order of [`columns`](super::columns).
    pub fn texts(&self, row: &Row) -> Vec<String> {
        let mapped = MAPPED.into_iter().map(|field| {
            let column = self.mapped.iter().find(|(known, _)| *known == field);
            let column = column.filter(|(_, column)| self.is_read(row, *column));
            column.map_or_else(String::new, |(_, column)| {
                mend(field, row.text(*column), row.kind(*column)).text
            })
        });
        std::iter::once(self.own_sku(row)).chain(mapped).collect()
    }
}

/// What is lost in the cell of a column; none where its value is whole.
fn lost_in(row: &Row, (field, column): (Field, usize)) -> Option<Lost> {
    let mended = mend(field, row.text(column), row.kind(column));
    let is_lost = mended.is_lost();
    mended.remark.filter(|_| is_lost).map(|remark| Lost {
        field,
        cell: CellRef {
            row: row.number(),
            column: u16::try_from(column).unwrap_or(u16::MAX),
        },
        code: remark.code,
        message: remark.message,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::order::tests::text_row;

    #[test]
    fn a_map_is_known_by_its_two_columns_and_an_order_sheet_is_none() {
        for (header, is) in [
            (vec!["sku", "item_sku"], true),
            (vec!["SKU ", "item_sku", "artwork_front", "in the shop"], true),
            (vec!["sku", "artwork_front"], false),
            (vec!["order_id", "sku", "item_sku"], false),
            (vec!["Order ID", "SKU", "item_sku", "Qty"], false),
            (vec!["sku", "item_sku", "ID", "Units", "Reference"], true),
            (vec!["order_id", "item_sku", "quantity"], false),
        ] {
            assert_eq!(MapLayout::is_header(&text_row(1, &header)), is, "{header:?}");
        }
    }

    #[test]
    fn a_column_of_a_map_may_be_called_as_in_an_order_sheet_but_for_the_skus() {
        let header = [
            "sku",
            "item_sku",
            "Artwork URL",
            "Back Design",
            "Design 2",
            "SKU Code",
            "Note",
        ];
        let layout = MapLayout::read(&text_row(1, &header)).unwrap();
        let columns = [
            Field::ItemSku,
            Field::ArtworkFront,
            Field::ArtworkBack,
            Field::Artwork2,
        ];
        let mapped: Vec<(Field, usize)> = columns.into_iter().zip([1, 2, 3, 4]).collect();
        assert_eq!(layout.mapped, mapped);
        let link = "https://example.com/b.png";
        let row = text_row(2, &["FOX", "TEE", "see Ann", link, "blue", "", "no rush"]);
        let target = layout.target(&row);
        let mapped = [
            (Field::ItemSku, "TEE".to_owned()),
            (Field::ArtworkBack, link.to_owned()),
        ];
        assert_eq!(
            target,
            Some(Target::Printed(mapped.to_vec())),
            "a note is no artwork"
        );
        let row = text_row(2, &["FOX", "TEE", "drive.example.com/a.png", "", "", "", ""]);
        let front = (Field::ArtworkFront, "drive.example.com/a.png".to_owned());
        let mapped = [(Field::ItemSku, "TEE".to_owned()), front];
        assert_eq!(layout.target(&row), Some(Target::Printed(mapped.to_vec())));
        let own = MapLayout::read(&text_row(1, &["sku", "item_sku", "Artwork", "artwork_front"])).unwrap();
        assert_eq!(own.mapped, [(Field::ItemSku, 1), (Field::ArtworkFront, 3)]);
    }

    #[test]
    fn where_it_is_made_is_read_under_each_name_that_an_order_sheet_has_for_it() {
        for name in [
            "made_in_location",
            "Made in location",
            "location",
            "Location",
            "Made in",
            "Production location",
        ] {
            let layout = MapLayout::read(&text_row(1, &["sku", "item_sku", name])).unwrap();
            let target = layout.target(&text_row(2, &["FOX", "TEE", "EU"]));
            let mapped = [
                (Field::ItemSku, "TEE".to_owned()),
                (Field::MadeInLocation, "EU".to_owned()),
            ];
            assert_eq!(target, Some(Target::Printed(mapped.to_vec())), "{name}");
        }
        let own = ["sku", "item_sku", "Location", "made_in_location"];
        let own = MapLayout::read(&text_row(1, &own)).unwrap();
        assert_eq!(own.mapped, [(Field::ItemSku, 1), (Field::MadeInLocation, 3)]);
    }

    #[test]
    fn a_file_that_is_the_map_may_write_the_names_of_its_two_columns_as_headers_are_written() {
        for (header, is) in [
            (["sku", "Item SKU"], true),
            (["SKU", "item-sku"], true),
            (["Sku ", "Item_Sku"], true),
            (["sku", "title"], false),
            (["title", "item_sku"], false),
        ] {
            assert_eq!(
                MapLayout::is_header_of_map(&text_row(1, &header)),
                is,
                "{header:?}"
            );
        }
    }
}
