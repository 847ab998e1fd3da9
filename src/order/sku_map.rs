//! The merchant's own SKUs as the catalog's: a table with the columns `sku`, `item_sku`, artwork, `made_in_location`,
//! `product_name` and `variant_note`.

mod alike;

use std::collections::HashMap;

use crate::finding::{CellRef, Code, Rejection};
use crate::sheet::Row;

use super::columns::{Field, Fit, normalized};
use super::mend::mend;
pub(crate) use alike::Alike;

/// What stands in `item_sku` for a line that is not printed by this service.
pub const NOT_PRINTED_HERE: &str = "not-printed-here";

/// The header of the own SKU.
pub const OWN_SKU: &str = "sku";

/// The columns of the map beside `sku`, as the order sheet has them.
pub(crate) const MAPPED: [Field; 10] = [
    Field::ItemSku,
    Field::ArtworkFront,
    Field::ArtworkBack,
    Field::Artwork2,
    Field::Artwork3,
    Field::Artwork4,
    Field::Artwork5,
    Field::MadeInLocation,
    Field::ProductName,
    Field::VariantNote,
];

/// The names of the map's columns, `sku` first.
pub fn columns() -> impl Iterator<Item = &'static str> {
    std::iter::once(OWN_SKU).chain(MAPPED.map(Field::name))
}

/// A merchant's SKU map.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SkuMap {
    /// By [`key`]: the entries of its rows, the newest last.
    by_sku: HashMap<String, Vec<Entry>>,
    /// Its own SKUs by what is left of them when they are written otherwise; the newest.
    by_meaning: HashMap<String, Alike>,
}

/// What the map says of an own SKU.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// The row of the map.
    pub(crate) row: u32,
    /// The own SKU as it stands there.
    own: String,
    /// What it stands for.
    pub(crate) target: Target,
    /// The cells of the row whose values are lost: the map says something there, and nobody can tell what.
    pub(crate) lost: Vec<Lost>,
}

/// A cell of the map whose value is lost: a spreadsheet's error, say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Lost {
    /// What the cell is for.
    pub(crate) field: Field,
    /// Where it stands in the map.
    pub(crate) cell: CellRef,
    /// What was lost.
    pub(crate) code: Code,
    /// The same as a sentence.
    pub(crate) message: String,
}

/// What an own SKU stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// It is not printed by this service.
    NotPrintedHere,
    /// The cells that are filled from the map.
    Printed(Vec<(Field, String)>),
}

/// The columns of a map's header.
#[derive(Clone, Debug)]
pub struct MapLayout {
    own: usize,
    mapped: Vec<(Field, usize)>,
    /// Those columns that are called otherwise than the field: only what looks like a web address is taken for it.
    aliased: Vec<usize>,
}

/// Where a map's column stands among the names of a header, written as headers may be: `Artwork Front`.
pub fn column_of<'a>(mut header: impl Iterator<Item = &'a str>, name: &str) -> Option<usize> {
    let name = normalized(name);
    header.position(|cell| normalized(cell) == name)
}

/// The column that means an artwork in an order sheet, where none has its own name: who maps a back print under another
/// name would have it left out.
fn alias_of(header: &Row, field: Field) -> Option<usize> {
    let found = header.iter().enumerate().filter_map(|(column, cell)| {
        let (named, fit) = Field::named(cell)?;
        (named == field && Field::ARTWORK.contains(&field)).then_some((fit, column))
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
            .filter_map(|field| Some((field, column(field.name()).or_else(|| alias_of(header, field))?)))
            .collect();
        let is_alias = |(field, at): &&(Field, usize)| column(field.name()) != Some(*at);
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

    /// The texts of a row in the order of [`columns`].
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

impl SkuMap {
    /// Takes a row below the header; a later row of the same SKU counts, as the merchant's newest word.
    pub fn note(&mut self, layout: &MapLayout, row: &Row) {
        let sku = layout.own_sku(row);
        let Some(target) = layout.target(row) else { return };
        if !sku.is_empty() {
            if let Some(meaning) = alike::meaning(&sku) {
                let alike = Alike {
                    row: row.number(),
                    sku: sku.clone(),
                };
                self.by_meaning.insert(meaning, alike);
            }
            let entry = Entry {
                row: row.number(),
                own: sku,
                target,
                lost: layout.lost(row),
            };
            self.by_sku.entry(key(&entry.own)).or_default().push(entry);
        }
    }

    /// How many SKUs it has.
    pub fn len(&self) -> usize {
        self.by_sku.len()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.by_sku.is_empty()
    }

    /// The catalog's SKU for an own one, where the map has it; the own one else. Empty for what is not printed.
    pub fn item_sku(&self, sku: &str) -> String {
        match self.entry(sku).map(|entry| &entry.target) {
            None => sku.to_owned(),
            Some(Target::NotPrintedHere) => String::new(),
            Some(Target::Printed(texts)) => {
                let text = texts.iter().find(|(field, _)| *field == Field::ItemSku);
                text.map_or_else(String::new, |(_, text)| text.clone())
            }
        }
    }

    /// What the map has of an own SKU beside it, in the order of [`columns`]; blank where it has nothing.
    pub fn texts(&self, sku: &str) -> [String; MAPPED.len()] {
        let entry = self.entry(sku);
        MAPPED.map(|field| match entry.map(|entry| &entry.target) {
            Some(Target::NotPrintedHere) if field == Field::ItemSku => NOT_PRINTED_HERE.to_owned(),
            Some(Target::NotPrintedHere) | None => String::new(),
            Some(Target::Printed(texts)) => {
                let text = texts.iter().find(|(known, _)| *known == field);
                text.map_or_else(String::new, |(_, text)| text.clone())
            }
        })
    }

    /// What the map says of an own SKU: of just this one, else without regard to case.
    pub(crate) fn entry(&self, sku: &str) -> Option<&Entry> {
        if self.by_sku.is_empty() || sku.is_empty() {
            return None;
        }
        let alike = self.by_sku.get(&key(sku))?;
        let just_this = alike.iter().rfind(|entry| entry.own == sku.trim());
        just_this.or_else(|| alike.last())
    }

    /// The own SKU of the map that is this one in another writing, as a spreadsheet writes a number: `123` for `00123`. It
    /// may be another product's, and stands for nothing.
    pub(crate) fn alike(&self, sku: &str) -> Option<&Alike> {
        if self.by_meaning.is_empty() {
            return None;
        }
        self.by_meaning.get(&alike::meaning(sku)?)
    }

    /// Two rows that say different things of an own SKU, where both are of just this one, or neither is: nobody can tell
    /// which product is meant.
    pub(crate) fn contradiction(&self, sku: &str) -> Option<(u32, u32)> {
        let counts = self.entry(sku)?;
        let is_just_this = |entry: &Entry| entry.own == sku.trim();
        let mut others = self.by_sku.get(&key(sku))?.iter();
        let other = others.find(|other| {
            is_just_this(other) == is_just_this(counts) && contradict(&other.target, &counts.target)
        });
        other.map(|other| (other.row, counts.row))
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

/// Whether two rows cannot both be meant: what only one of them says is no contradiction.
fn contradict(one: &Target, other: &Target) -> bool {
    let (Target::Printed(one), Target::Printed(other)) = (one, other) else {
        return one != other;
    };
    // Its name is told to nobody.
    let counts = |(field, _): &&(Field, String)| *field != Field::ProductName;
    one.iter().filter(counts).any(|(field, text)| {
        let same = |known: &str| known == text || (*field == Field::ItemSku && key(known) == key(text));
        other.iter().any(|(known, other)| known == field && !same(other))
    })
}

/// What an own SKU is looked up by: its case makes no difference.
pub(crate) fn key(sku: &str) -> String {
    sku.trim().to_lowercase()
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
    fn the_last_row_of_a_sku_counts_and_a_blank_one_says_nothing() {
        let layout = MapLayout::read(&text_row(1, &["sku", "item_sku", "artwork_front"])).unwrap();
        let mut map = SkuMap::default();
        for (number, cells) in (2..).zip([
            ["AB-1", "TEE-S", "https://example.com/a.png"],
            ["ab-1", "TEE-M", ""],
            ["AB-2", "", "https://example.com/b.png"],
            ["GIFT", "Not-Printed-Here", ""],
        ]) {
            map.note(&layout, &text_row(number, &cells));
        }
        assert_eq!(map.len(), 2);
        assert_eq!(map.item_sku("Ab-1"), "TEE-M");
        assert_eq!(map.item_sku("AB-1"), "TEE-S", "just this one counts first");
        assert_eq!(map.item_sku("ab-1"), "TEE-M");
        assert_eq!(map.item_sku("AB-2"), "AB-2");
        assert_eq!(map.entry("gift").unwrap().target, Target::NotPrintedHere);
        assert_eq!(
            (map.contradiction("AB-1"), map.contradiction("ab-1")),
            (None, None)
        );
        assert_eq!(map.contradiction("Ab-1"), Some((2, 3)), "either may be meant");
    }

    #[test]
    fn rows_that_say_different_things_of_a_sku_contradict_each_other() {
        let layout = MapLayout::read(&text_row(
            1,
            &["sku", "item_sku", "artwork_front", "product_name"],
        ))
        .unwrap();
        for (first, second, contradict) in [
            (["TEE-S", "a.png", ""], ["TEE-M", "a.png", ""], true),
            (["TEE-S", "a.png", ""], ["TEE-S", "b.png", ""], true),
            (["TEE-S", "a.png", ""], ["not-printed-here", "", ""], true),
            (["TEE-S", "a.png", ""], ["tee-s", "a.png", "Fox"], false),
            (["TEE-S", "", ""], ["TEE-S", "a.png", ""], false),
        ] {
            let mut map = SkuMap::default();
            for (number, cells) in [(2, first), (3, second)] {
                let [sku, art, name] = cells;
                map.note(&layout, &text_row(number, &["FOX", sku, art, name]));
            }
            let expected = contradict.then_some((2, 3));
            assert_eq!(map.contradiction("FOX"), expected, "{first:?} {second:?}");
        }
    }

    #[test]
    fn a_cell_whose_value_is_lost_is_no_blank_one() {
        let layout = MapLayout::read(&text_row(1, &["sku", "item_sku", "artwork_back"])).unwrap();
        let mut map = SkuMap::default();
        map.note(&layout, &text_row(2, &["A", "TEE-S", "#N/A"]));
        map.note(&layout, &text_row(3, &["B", "#REF!", ""]));
        let lost = |sku: &str| -> Vec<(Field, String)> {
            let lost = &map.entry(sku).unwrap().lost;
            lost.iter()
                .map(|lost| (lost.field, lost.cell.to_string()))
                .collect()
        };
        assert_eq!(lost("A"), [(Field::ArtworkBack, "C2".to_owned())]);
        assert_eq!(lost("B"), [(Field::ItemSku, "B3".to_owned())]);
    }
}
