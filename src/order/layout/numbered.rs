//! Columns that a table has numbered because it has them twice, or has once a size: a second item, which one row has no
//! place for.

use crate::sheet::Row;

use super::super::columns::{Field, normalized};
use super::beside::{Role, Twin};
use super::corrected;

/// What a table writes behind a column's name, or before it, that it has more than once.
const NUMBERS: [&str; 12] = [
    "2", "3", "4", "5", "6", "7", "8", "9", "second", "third", "2nd", "3rd",
];

/// Letters that count items from the second on.
const LETTERS: [&str; 3] = ["b", "c", "d"];

/// What stands before the name of a column for an item that comes on top.
const ON_TOP: [&str; 10] = [
    "addon",
    "extra",
    "upsell",
    "crosssell",
    "orderbump",
    "freegift",
    "free",
    "gift",
    "bonus",
    "additional",
];

/// Sizes, each with pieces in a column of its own.
const SIZES: [&str; 14] = [
    "xs", "s", "m", "l", "xl", "xxl", "xxxl", "2xl", "3xl", "4xl", "5xl", "small", "medium", "large",
];

/// What an item is called whose column has its SKU, or what else it is known by. Not a `Description`, which may go over two.
const ITEMS: [&str; 11] = [
    "item",
    "itemname",
    "product",
    "productname",
    "produkt",
    "produit",
    "producto",
    "artikel",
    "article",
    "artículo",
    "articulo",
];

/// Columns that a table has numbered because it has them twice, `City2` beside `City`, or has once a size: a second address,
/// or a second item, which one row has no place for. And those that correct an item's: `New SKU`.
pub(super) fn numbered(header: &Row, columns: &[Option<usize>; Field::COUNT]) -> Vec<Twin> {
    let twin = |column: usize| {
        let text = header.text(column);
        let never = numbered_field(text).map(|field| (field, Role::Never));
        let (field, role) = never
            .or_else(|| is_second_item(text).then_some((Field::ItemSku, Role::Codes)))
            .or_else(|| Some((corrected::of_the_item(text)?, Role::Corrects)))?;
        let is_read = columns.get(field.index()).is_some_and(Option::is_some);
        (is_read && Field::named(text).is_none()).then_some(Twin { field, column, role })
    };
    (0..header.len()).filter_map(twin).collect()
}

fn numbered_field(header: &str) -> Option<Field> {
    let name = normalized(header);
    let named = |name: &str| Field::named(name).map(|(field, _fit)| field);
    let numbered = |mark: &&str| {
        let name = name.strip_suffix(*mark).or_else(|| name.strip_prefix(*mark))?;
        // Of a zip the four digits behind it are no second one.
        named(name).filter(|field| is_counted(*field) && (*field != Field::ShippingZip || *mark != "4"))
    };
    let sized = || {
        // `Qty S`, and not the plural `Qtys`.
        let (before, size) = header.trim().rsplit_once(|c: char| !c.is_alphanumeric())?;
        let is_size = SIZES.contains(&normalized(size).as_str());
        named(before).filter(|field| is_size && *field == Field::Quantity)
    };
    let lettered = || {
        let (before, letter) = header.trim().rsplit_once(|c: char| !c.is_alphanumeric())?;
        let is_letter = LETTERS.contains(&normalized(letter).as_str());
        named(before).filter(|field| is_letter && *field == Field::ItemSku)
    };
    // `SKU.1` is the second one of two, as programs number them that count from 0.
    let counted_from_0 = || named(header.trim().strip_suffix(".1")?).filter(|field| is_counted(*field));
    let on_top = |word: &&str| named(name.strip_prefix(*word)?).filter(|field| *field == Field::ItemSku);
    NUMBERS
        .iter()
        .find_map(numbered)
        .or_else(sized)
        .or_else(lettered)
        .or_else(counted_from_0)
        .or_else(|| ON_TOP.iter().find_map(on_top))
        .or_else(|| numbered_within(header))
}

fn is_second_item(header: &str) -> bool {
    let name = normalized(header);
    let mut bare = NUMBERS
        .iter()
        .filter_map(|mark| name.strip_suffix(mark).or_else(|| name.strip_prefix(mark)));
    bare.any(|name| ITEMS.contains(&name))
}

/// Whether one row has a place for one alone of what a field says.
fn is_counted(field: Field) -> bool {
    matches!(
        field,
        Field::ShippingZip | Field::ShippingCity | Field::ShippingCountry | Field::ItemSku | Field::Quantity
    )
}

/// The field of a column that is numbered within its name: `Item 2 SKU`.
fn numbered_within(header: &str) -> Option<Field> {
    let words = header.split(|c: char| !c.is_alphanumeric()).map(normalized);
    let (numbers, others): (Vec<String>, Vec<String>) =
        words.partition(|word| NUMBERS.contains(&word.as_str()));
    let (field, _fit) = Field::named(&others.concat())?;
    let is_of_an_item = matches!(field, Field::ItemSku | Field::Quantity);
    (numbers.len() == 1 && is_of_an_item).then_some(field)
}

/// Columns that are called by a size alone, where there are several of them beside the one that counts the pieces.
pub(super) fn sizes(header: &Row, columns: &[Option<usize>; Field::COUNT]) -> Vec<usize> {
    let is_size = |column: &usize| SIZES.contains(&normalized(header.text(*column)).as_str());
    let sizes: Vec<usize> = (0..header.len()).filter(is_size).collect();
    let is_counted = columns.get(Field::Quantity.index()).is_some_and(Option::is_some);
    if is_counted && sizes.len() > 1 {
        sizes
    } else {
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::finding::Code;
    use crate::order::tests::drafts;

    /// Which columns of a row are told of as a field once more.
    fn told(more: &[&str], texts: &[&str]) -> Vec<Option<u16>> {
        let header = [&["order_id", "action", "SKU", "Qty"], more].concat();
        let row = [&["1", "", "TEE", "2"], texts].concat();
        let draft = drafts(&header, &[row.into_iter().map(str::to_owned).collect()]).remove(0);
        let findings = draft.findings().iter();
        let again = findings.filter(|finding| finding.code == Code::RepeatedColumn);
        again.map(|finding| finding.column).collect()
    }

    #[test]
    fn a_second_item_of_a_row_is_an_error_however_its_column_is_called() {
        for name in [
            "SKU.1",
            "2nd SKU",
            "Item 2 SKU",
            "SKU B",
            "SKU_b",
            "Add-on SKU",
            "Extra SKU",
            "Upsell SKU",
            "Free gift SKU",
            "SKU 2",
            "SKU (2)",
        ] {
            assert_eq!(told(&[name], &["MUG"]), [Some(4)], "{name}");
            assert_eq!(told(&[name], &[""]), [], "{name}");
        }
        for name in ["Qty.1", "Item 2 Qty", "2nd Qty"] {
            assert_eq!(told(&[name], &["3"]), [Some(4)], "{name}");
        }
        for name in [
            "Stock SKU",
            "Parent SKU",
            "SKU Label",
            "Extra",
            "Gift note",
            "Plan B",
            "Item 2",
        ] {
            assert_eq!(told(&[name], &["MUG"]), [], "{name}");
        }
    }

    #[test]
    fn a_code_beside_a_code_is_a_second_item_under_an_item_that_is_numbered() {
        let codes = |name: &str, sku: &str, text: &str| {
            let row = ["1", "", sku, "2", text].map(str::to_owned).to_vec();
            let draft = drafts(&["order_id", "action", "SKU", "Qty", name], &[row]).remove(0);
            let codes = draft.findings().iter().map(|finding| finding.code);
            codes.collect::<Vec<Code>>()
        };
        for name in ["Item 2", "2nd item", "Product #2", "Product Name 3", "Artikel 2"] {
            assert_eq!(
                codes(name, "TEE-BLK-S", "TEE-BLK-M"),
                [Code::RepeatedColumn],
                "{name}"
            );
            assert_eq!(codes(name, "G5000", "G6000"), [Code::RepeatedColumn], "{name}");
            for text in [
                "",
                "-",
                "TEE-BLK-S",
                "Classic Mug",
                "Mug",
                "24.00",
                "2",
                "yes",
                "t-shirt",
            ] {
                assert_eq!(codes(name, "TEE-BLK-S", text), [], "{name}: {text}");
            }
        }
        for name in [
            "Item 1",
            "Item total",
            "Item count",
            "Item price 2",
            "Description 2",
        ] {
            assert_eq!(codes(name, "TEE-BLK-S", "TEE-BLK-M"), [], "{name}");
        }
        assert_eq!(codes("Item 2", "tee-s", "mug-11"), [Code::RepeatedColumn]);
    }

    #[test]
    fn numbers_under_several_sizes_are_an_error() {
        let sizes = ["S", "M", "L", "XL"];
        for (texts, columns) in [
            (["1", "1", "", ""], &[Some(4)][..]),
            (["", "2", "2", ""], &[Some(5)]),
            (["", "3", "", ""], &[Some(5)]),
            (["", "3.0", "0", "-"], &[Some(5)]),
            // One size of all the pieces is that of the SKU.
            (["", "2", "", ""], &[]),
            (["", "", "", ""], &[]),
            (["0", "0", "0", "0"], &[]),
            (["", "x", "", ""], &[]),
        ] {
            assert_eq!(told(&sizes, &texts), columns, "{texts:?}");
        }
        assert_eq!(told(&["M"], &["3"]), [], "a single letter may mean anything");
    }

    #[test]
    fn pieces_of_a_size_and_numbered_columns_are_a_fields_once_more() {
        for (name, field) in [
            ("Qty M", Some(Field::Quantity)),
            ("Qty-2XL", Some(Field::Quantity)),
            ("Quantity (large)", None),
            ("SKU3", Some(Field::ItemSku)),
            ("Second SKU", Some(Field::ItemSku)),
            ("City2", Some(Field::ShippingCity)),
            ("Qty shipped", None),
            ("Qtys", None),
            ("Address2", None),
            ("ZIP+4", None),
            ("Zip 2", Some(Field::ShippingZip)),
            ("SKUs", None),
        ] {
            assert_eq!(numbered_field(name), field, "{name}");
        }
    }
}
