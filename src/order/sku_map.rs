//! The merchant's own SKUs as the catalog's: a table with the columns `sku`, `item_sku`, artwork, `made_in_location`,
//! `product_name` and `variant_note`.

mod alike;
mod layout;

use std::collections::HashMap;

use crate::finding::{CellRef, Code};
use crate::sheet::Row;

use super::columns::Field;
pub(crate) use alike::Alike;
pub use layout::{MapLayout, column_of};

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
