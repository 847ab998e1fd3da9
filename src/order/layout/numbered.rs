//! Columns that a table has numbered because it has them twice, or has once a size: a second item, which one row has no
//! place for.

use crate::sheet::Row;

use super::super::columns::{Field, normalized};
use super::beside::{Role, Twin};

/// What a table writes behind a column's name, or before it, that it has more than once.
const NUMBERS: [&str; 10] = ["2", "3", "4", "5", "6", "7", "8", "9", "second", "third"];

/// Sizes, each with pieces in a column of its own.
const SIZES: [&str; 14] = [
    "xs", "s", "m", "l", "xl", "xxl", "xxxl", "2xl", "3xl", "4xl", "5xl", "small", "medium", "large",
];

/// Columns that a table has numbered because it has them twice, `City2` beside `City`, or has once a size: a second address,
/// or a second item, which one row has no place for.
pub(super) fn numbered(header: &Row, columns: &[Option<usize>; Field::COUNT]) -> Vec<Twin> {
    let twin = |column: usize| {
        let text = header.text(column);
        let field = numbered_field(text)?;
        let is_read = columns.get(field.index()).is_some_and(Option::is_some);
        (is_read && Field::named(text).is_none()).then_some(Twin {
            field,
            column,
            role: Role::Never,
        })
    };
    (0..header.len()).filter_map(twin).collect()
}

fn numbered_field(header: &str) -> Option<Field> {
    let name = normalized(header);
    let named = |name: &str| Field::named(name).map(|(field, _fit)| field);
    let numbered = |mark: &&str| {
        let name = name.strip_suffix(*mark).or_else(|| name.strip_prefix(*mark))?;
        // Of a zip the four digits behind it are no second one.
        named(name).filter(|field| match field {
            Field::ShippingZip => *mark != "4",
            Field::ShippingCity | Field::ShippingCountry | Field::ItemSku | Field::Quantity => true,
            _ => false,
        })
    };
    let sized = || {
        // `Qty S`, and not the plural `Qtys`.
        let (before, size) = header.trim().rsplit_once(|c: char| !c.is_alphanumeric())?;
        let is_size = SIZES.contains(&normalized(size).as_str());
        named(before).filter(|field| is_size && *field == Field::Quantity)
    };
    NUMBERS.iter().find_map(numbered).or_else(sized)
}

#[cfg(test)]
mod tests {
    use super::*;

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
