//! The native columns as the template explains them, and what it shows as an example.

use serde::Deserialize;

use crate::result::tables::Value;

use super::TemplateError;

/// The published description of an order sheet: the template says what it says.
const SCHEMA: &str = include_str!("../../schema/order-sheet.schema.json");

/// What stands above the explanations of the columns.
pub(super) const HOW_IT_WORKS: [&str; 6] = [
    "One row is one line of an order. Rows with the same order_id are one order; the address may be left out on its \
     later rows.",
    "Instead of its code, a country or a province may be given by its name; instead of artwork_front, any other artwork \
     does.",
    "Choose a product_name first: the drop-down of item_sku then offers the SKUs of that product. All SKUs are on the \
     page Catalog.",
    "Columns that you do not need may be removed, and columns of your own may be added: they come back untouched in \
     the result.",
    "Save the file and drop it into the folder inbox/. The answer comes into results/: every row with its status, its \
     price and what to fix.",
    "An order_id is sent once. Dropping the same file again sends nothing twice; a reprint needs an order_id of its \
     own, like 1001-R1.",
];

/// An order of two lines, and one of one line.
pub(super) const FIRST_LINE: &[(&str, &str)] = &[
    ("order_id", "EXAMPLE-1"),
    ("shipping_name", "Ada Example"),
    ("shipping_phone", "+1 555 010 0101"),
    ("shipping_address1", "12 Maple Street"),
    ("shipping_city", "Columbus"),
    ("shipping_province", "Ohio"),
    ("shipping_province_code", "OH"),
    ("shipping_zip", "43004"),
    ("shipping_country", "United States"),
    ("shipping_country_code", "US"),
    ("item_sku", "TEE-CLASSIC-BLK-S"),
    ("quantity", "2"),
    ("product_name", "Classic Tee"),
    ("mockup_url", "https://example.com/mockups/fox.png"),
    ("artwork_front", "https://example.com/art/fox.png"),
];
pub(super) const SECOND_LINE: &[(&str, &str)] = &[
    ("order_id", "EXAMPLE-1"),
    ("item_sku", "MUG-CERAMIC-BLK-11OZ"),
    ("quantity", "1"),
    ("product_name", "Ceramic Mug"),
    ("mockup_url", "https://example.com/mockups/mug.png"),
    ("artwork_front", "https://example.com/art/fox.png"),
];
pub(super) const OTHER_ORDER: &[(&str, &str)] = &[
    ("order_id", "EXAMPLE-2"),
    ("shipping_name", "Ben Sample"),
    ("shipping_address1", "Beispielweg 5"),
    ("shipping_city", "Berlin"),
    ("shipping_province", "Berlin"),
    ("shipping_province_code", "BE"),
    ("shipping_zip", "10115"),
    ("shipping_country", "Germany"),
    ("shipping_country_code", "DE"),
    ("item_sku", "TEE-CLASSIC-BLK-S"),
    ("quantity", "1"),
    ("product_name", "Classic Tee"),
    ("artwork_front", "https://example.com/art/wave.png"),
];

/// A native column.
#[derive(Debug, Deserialize)]
pub(super) struct Native {
    /// Its name.
    pub(super) name: String,
    description: String,
    #[serde(default)]
    constraints: Constraints,
}

#[derive(Debug, Default, Deserialize)]
struct Constraints {
    #[serde(default)]
    required: bool,
}

#[derive(Deserialize)]
struct Schema {
    fields: Vec<Native>,
}

impl Native {
    /// The note at its header.
    pub(super) fn note(&self) -> String {
        if self.is_needed() {
            format!("Needed. {}", self.description)
        } else {
            self.description.clone()
        }
    }

    /// Its row on the page that explains.
    pub(super) fn explained(&self) -> Vec<Value> {
        let needed = if self.is_needed() { "yes" } else { "" };
        vec![
            Value::text(self.name.as_str()),
            Value::text(needed),
            Value::text(self.description.as_str()),
        ]
    }

    /// Whether an order needs it, or the column that says the same in another way (`shipping_country`,
    /// `shipping_province`, another artwork). The published description asks for the id alone, for a row that cancels needs
    /// no more.
    fn is_needed(&self) -> bool {
        const NEEDED: [&str; 9] = [
            "shipping_name",
            "shipping_address1",
            "shipping_city",
            "shipping_province_code",
            "shipping_zip",
            "shipping_country_code",
            "item_sku",
            "quantity",
            "artwork_front",
        ];
        self.constraints.required || NEEDED.contains(&self.name.as_str())
    }
}

/// The native columns, in order.
///
/// # Errors
/// [`TemplateError::Columns`] where the program was built with a broken table.
pub(super) fn native() -> Result<Vec<Native>, TemplateError> {
    let schema: Schema = serde_json::from_str(SCHEMA).map_err(TemplateError::Columns)?;
    Ok(schema.fields)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_every_order_needs_is_said_and_the_examples_have_it() {
        let native = native().unwrap();
        let needed: Vec<&str> = native
            .iter()
            .filter(|column| column.is_needed())
            .map(|column| column.name.as_str())
            .collect();
        assert_eq!(
            needed,
            [
                "order_id",
                "shipping_name",
                "shipping_address1",
                "shipping_city",
                "shipping_province_code",
                "shipping_zip",
                "shipping_country_code",
                "item_sku",
                "quantity",
                "artwork_front"
            ]
        );
        for example in [FIRST_LINE, OTHER_ORDER] {
            for name in &needed {
                assert!(example.iter().any(|(column, _text)| column == name), "{name}");
            }
        }
    }
}
