//! Products, their variants and SKUs on the wire (`Product`, `SkuCatalogEntry` in `schema/print-service.openapi.json`).

use serde::Serialize;

use crate::sandbox::amount::Amount;
use crate::sandbox::catalog::{self, Product};

/// A product in a list; the interface shows no fields.
#[derive(Debug, Serialize)]
pub(crate) struct ProductBrief<'a> {
    product_name: &'a str,
    code: &'a str,
    mockup_url: String,
}

/// A product in the SKU list (`SkuCatalogEntry` in `schema/print-service.openapi.json`).
#[derive(Debug, Serialize)]
pub(crate) struct SkusWire<'a> {
    product_name: &'a str,
    code: &'a str,
    variants: Vec<SkuWire<'a>>,
}

#[derive(Debug, Serialize)]
struct SkuWire<'a> {
    title: &'a str,
    sku: &'a str,
    variant_id: &'a str,
}

/// A product in detail (`Product` in `schema/print-service.openapi.json`).
#[derive(Debug, Serialize)]
pub(crate) struct ProductWire<'a> {
    product_name: &'a str,
    code: &'a str,
    mockup_url: String,
    description: String,
    variants: Vec<VariantWire<'a>>,
}

#[derive(Debug, Serialize)]
struct VariantWire<'a> {
    variant_title: &'a str,
    item_sku: &'a str,
    variant_id: &'a str,
    locations: Vec<LocationWire<'a>>,
    attributes: Vec<AttributeWire<'a>>,
    availability: &'a str,
}

#[derive(Debug, Serialize)]
struct LocationWire<'a> {
    name: &'a str,
    base_cost: Amount,
    tier_cost: Amount,
    print_areas: Vec<AreaWire<'a>>,
}

#[derive(Debug, Serialize)]
struct AreaWire<'a> {
    key: &'a str,
    width: u32,
    height: u32,
    resolution: String,
}

#[derive(Debug, Serialize)]
struct AttributeWire<'a> {
    name: &'a str,
    value: &'a str,
    #[serde(rename = "hexColor")]
    hex_color: Option<&'a str>,
}

fn mockup_url(code: &str) -> String {
    format!("https://cdn.example.com/mockups/{}.png", code.to_lowercase())
}

impl<'a> ProductBrief<'a> {
    pub(crate) fn new(product: &'a Product) -> Self {
        Self {
            product_name: &product.name,
            code: &product.code,
            mockup_url: mockup_url(&product.code),
        }
    }
}

impl<'a> SkusWire<'a> {
    pub(crate) fn new(product: &'a Product) -> Self {
        let variants = product.variants.iter().map(|variant| SkuWire {
            title: &variant.title,
            sku: &variant.sku,
            variant_id: &variant.id,
        });
        Self {
            product_name: &product.name,
            code: &product.code,
            variants: variants.collect(),
        }
    }
}

impl<'a> ProductWire<'a> {
    pub(crate) fn new(product: &'a Product) -> Self {
        Self {
            product_name: &product.name,
            code: &product.code,
            mockup_url: mockup_url(&product.code),
            description: format!("<p>{}, printed to order.</p>", product.name),
            variants: product
                .variants
                .iter()
                .map(|variant| variant_wire(product, variant))
                .collect(),
        }
    }
}

fn variant_wire<'a>(product: &'a Product, variant: &'a catalog::Variant) -> VariantWire<'a> {
    let color = variant.color.map(|(value, hex)| AttributeWire {
        name: "color",
        value,
        hex_color: Some(hex),
    });
    let size = AttributeWire {
        name: "size",
        value: variant.size,
        hex_color: None,
    };
    let locations = variant.costs.iter().map(|cost| LocationWire {
        name: cost.location,
        base_cost: cost.base,
        tier_cost: cost.tier,
        print_areas: areas(product.kind),
    });
    VariantWire {
        variant_title: &variant.title,
        item_sku: &variant.sku,
        variant_id: &variant.id,
        locations: locations.collect(),
        attributes: color.into_iter().chain([size]).collect(),
        availability: if variant.in_stock {
            "in_stock"
        } else {
            "out_of_stock"
        },
    }
}

fn areas(kind: catalog::Kind) -> Vec<AreaWire<'static>> {
    let areas = catalog::print_areas(kind).iter();
    areas
        .map(|area| AreaWire {
            key: area.key,
            width: area.width,
            height: area.height,
            resolution: format!("{} ppi", area.ppi),
        })
        .collect()
}
