//! The product operations.

use super::super::catalog::Product;
use super::super::request::Refusal;
use super::super::wire::{ProductBrief, ProductWire, Reply, SkusWire};
use super::{Asked, Outcome, good};
use crate::sandbox::options::Length;
use crate::sandbox::paging::Page;

/// products/list
pub(super) fn list(asked: &Asked<'_>) -> Outcome {
    let params = asked.params()?;
    let options = &asked.service.options;
    let page = Page::read(&params, options.first_page)?;
    let search = params.text("search")?.map(|part| part.to_lowercase());
    let catalog = asked.service.catalog();
    let found: Vec<&Product> = catalog
        .products
        .iter()
        .filter(|product| search.as_deref().is_none_or(|part| matches(product, part)))
        .collect();
    let shown = found.iter().skip(page.skip()).take(page.limit);
    let products: Vec<_> = shown.map(|product| ProductBrief::new(product)).collect();
    let length = match options.length {
        Length::Page => products.len(),
        Length::All => found.len(),
    };
    good("products", Reply::Products { length, products })
}

fn matches(product: &Product, part: &str) -> bool {
    product.name.to_lowercase().contains(part) || product.code.to_lowercase().contains(part)
}

/// products/detail
pub(super) fn detail(asked: &Asked<'_>) -> Outcome {
    let code = asked.params()?.text("code")?;
    let code = code.ok_or_else(|| Refusal::bad("required: code"))?;
    let catalog = asked.service.catalog();
    let product = catalog
        .product(&code)
        .ok_or_else(|| Refusal::bad(format!("there is no product {code}")))?;
    good(
        "product",
        Reply::Product {
            product: ProductWire::new(product),
        },
    )
}

/// products/list-sku-catalogs
pub(super) fn skus(asked: &Asked<'_>) -> Outcome {
    let catalog = asked.service.catalog();
    let products: Vec<_> = catalog.products.iter().map(SkusWire::new).collect();
    good(
        "SKUs",
        Reply::Skus {
            length: products.len(),
            products,
        },
    )
}
