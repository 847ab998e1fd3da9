//! A SKU's page: all that is known of it, as a person wants to read it.

use crate::catalog::{Attribute, Detail, Entry, Location, PrintArea};
use crate::cli::{print, shown};

/// The page of an entry; what is not known is told from what the service does not tell.
pub(super) fn of(entry: &Entry, detail: Option<&Detail>) -> String {
    let mut page = format!(
        "{}\n  product       {} ({})\n  variant       {}\n  variant id    {}\n",
        print::bold(&shown::plain(&entry.sku)),
        shown::plain(&entry.product_name),
        shown::plain(&entry.product_code),
        said(&entry.title),
        said(&entry.variant_id),
    );
    let Some(detail) = detail else {
        page.push_str("  availability  not known\n  made in       not known\n");
        return page;
    };
    for attribute in &detail.attributes {
        page.push_str(&line(&attribute.name, &value(attribute)));
    }
    page.push_str(&line(
        "availability",
        &said(detail.availability.as_deref().unwrap_or_default()),
    ));
    if detail.locations.is_empty() {
        page.push_str(&line("made in", "not told"));
    }
    for location in &detail.locations {
        page.push_str(&line("made in", &made(location)));
        for area in &location.print_areas {
            page.push_str(&line("", &format!("  {}", printed(area))));
        }
    }
    page
}

fn line(name: &str, text: &str) -> String {
    format!("  {:<13} {text}\n", shown::plain(name))
}

fn said(text: &str) -> String {
    if text.is_empty() {
        "not told".to_owned()
    } else {
        shown::plain(text)
    }
}

fn value(attribute: &Attribute) -> String {
    let value = said(&attribute.value);
    match &attribute.hex_color {
        Some(colour) => format!("{value} ({})", shown::plain(colour)),
        None => value,
    }
}

fn made(location: &Location) -> String {
    let name = shown::plain(&location.name);
    match (location.base_cost, location.tier_cost) {
        (Some(base), Some(tier)) if base != tier => format!("{name}, {tier} (base cost {base})"),
        (Some(cost), _) | (None, Some(cost)) => format!("{name}, {cost}"),
        (None, None) => format!("{name}, cost not told"),
    }
}

fn printed(area: &PrintArea) -> String {
    let key = shown::plain(&area.key);
    let size = area.size().map(|(width, height)| format!(" {width} × {height}"));
    let resolution = area
        .resolution
        .as_deref()
        .map(|text| format!(" at {}", shown::plain(text)));
    format!(
        "{key}{}{}",
        size.unwrap_or_default(),
        resolution.unwrap_or_default()
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::money::Money;

    fn entry() -> Entry {
        Entry {
            sku: "TEE-BLK-S".to_owned(),
            product_code: "TEE".to_owned(),
            product_name: "Classic Tee".to_owned(),
            title: "Black / S".to_owned(),
            variant_id: "TEE-1".to_owned(),
        }
    }

    #[test]
    fn a_page_tells_what_is_not_known_from_what_the_service_does_not_tell() {
        assert!(of(&entry(), None).contains("availability  not known"));
        let silent = Detail::default();
        assert!(of(&entry(), Some(&silent)).contains("availability  not told\n  made in       not told"));
    }

    #[test]
    fn a_page_has_attributes_costs_and_print_areas() {
        let detail = Detail {
            attributes: vec![Attribute {
                name: "color".to_owned(),
                value: "Black".to_owned(),
                hex_color: Some("#000000".to_owned()),
            }],
            locations: vec![Location {
                name: "US".to_owned(),
                base_cost: Some(Money::from_hundredths(950)),
                tier_cost: Some(Money::from_hundredths(900)),
                print_areas: vec![PrintArea {
                    key: "front".to_owned(),
                    width: "12".parse().ok(),
                    height: "16".parse().ok(),
                    resolution: Some("300 ppi".to_owned()),
                }],
            }],
            ..Detail::default()
        };
        let page = of(&entry(), Some(&detail));
        for part in [
            "  color         Black (#000000)\n",
            "  made in       US, 9.00 (base cost 9.50)\n",
            "    front 12 × 16 at 300 ppi\n",
        ] {
            assert!(page.contains(part), "{part:?} in {page}");
        }
    }
}
