//! What can be ordered: products, their variants, where each is made and at what cost. Built from the table in
//! `catalog/table.rs`, the same at every start; tests may change costs and stock afterwards.

mod table;

use std::collections::HashMap;

use super::amount::Amount;

pub(crate) use table::print_areas;

/// Everything that is for sale.
#[derive(Clone, Debug)]
pub(crate) struct Catalog {
    pub(crate) products: Vec<Product>,
    /// SKU → its product's and its variant's position.
    by_sku: HashMap<String, (usize, usize)>,
}

/// A product: what its variants have in common.
#[derive(Clone, Debug)]
pub(crate) struct Product {
    pub(crate) code: String,
    pub(crate) name: String,
    pub(crate) kind: Kind,
    pub(crate) variants: Vec<Variant>,
}

/// What a product is: decides its print areas and what shipping it costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Garment,
    Warm,
    Mug,
    Poster,
    Canvas,
    Bag,
    Cap,
    Case,
    Blanket,
    Paper,
}

/// Something that has a SKU.
#[derive(Clone, Debug)]
pub(crate) struct Variant {
    pub(crate) sku: String,
    /// The interface's `variant_id`.
    pub(crate) id: String,
    pub(crate) title: String,
    pub(crate) color: Option<(&'static str, &'static str)>,
    pub(crate) size: &'static str,
    pub(crate) in_stock: bool,
    /// Whether its price is told; where it is not, whoever asks for it is answered with a server error.
    pub(crate) has_price: bool,
    pub(crate) costs: Vec<Cost>,
}

/// What a variant costs at a location.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cost {
    pub(crate) location: &'static str,
    pub(crate) base: Amount,
    /// A piece's cost on lines of [`super::prices::TIER_FROM`] pieces or more.
    pub(crate) tier: Amount,
}

/// Where a print goes; pixels at the given resolution.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PrintArea {
    pub(crate) key: &'static str,
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) ppi: u32,
}

impl Catalog {
    /// The built-in catalog.
    pub(crate) fn built_in() -> Self {
        let products = table::products();
        let by_sku = products
            .iter()
            .enumerate()
            .flat_map(|(p, product)| {
                let skus = product.variants.iter().enumerate();
                skus.map(move |(v, variant)| (variant.sku.clone(), (p, v)))
            })
            .collect();
        Self { products, by_sku }
    }

    /// Changes what a piece costs, at every location and at every tier. False where there is no such SKU.
    pub(crate) fn set_cost(&mut self, sku: &str, cost: Amount) -> bool {
        self.variant_mut(sku).is_some_and(|variant| {
            for at in &mut variant.costs {
                (at.base, at.tier) = (cost, cost);
            }
            true
        })
    }

    /// Puts a SKU in or out of stock. False where there is no such SKU.
    pub(crate) fn set_stock(&mut self, sku: &str, in_stock: bool) -> bool {
        self.variant_mut(sku).is_some_and(|variant| {
            variant.in_stock = in_stock;
            true
        })
    }

    /// Has a SKU's price told or not. False where there is no such SKU.
    pub(crate) fn set_has_price(&mut self, sku: &str, has_price: bool) -> bool {
        self.variant_mut(sku).is_some_and(|variant| {
            variant.has_price = has_price;
            true
        })
    }

    /// Takes a SKU out of the catalog for good. False where there is no such SKU.
    pub(crate) fn remove(&mut self, sku: &str) -> bool {
        let Some((p, _)) = self.by_sku.remove(sku) else {
            return false;
        };
        if let Some(product) = self.products.get_mut(p) {
            product.variants.retain(|variant| variant.sku != sku);
            for (v, variant) in product.variants.iter().enumerate() {
                self.by_sku.insert(variant.sku.clone(), (p, v));
            }
        }
        true
    }

    fn variant_mut(&mut self, sku: &str) -> Option<&mut Variant> {
        let &(p, v) = self.by_sku.get(sku)?;
        self.products.get_mut(p)?.variants.get_mut(v)
    }

    /// The variant of a SKU, with its product.
    pub(crate) fn find(&self, sku: &str) -> Option<(&Product, &Variant)> {
        let &(p, v) = self.by_sku.get(sku)?;
        let product = self.products.get(p)?;
        Some((product, product.variants.get(v)?))
    }

    /// The product of a code.
    pub(crate) fn product(&self, code: &str) -> Option<&Product> {
        self.products.iter().find(|product| product.code == code)
    }
}

impl Variant {
    /// What it costs at a location; none where it is not made there.
    pub(crate) fn cost_at(&self, location: &str) -> Option<Cost> {
        self.costs.iter().copied().find(|cost| cost.location == location)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::table::LOCATIONS;
    use super::*;

    #[test]
    fn the_catalog_has_the_size_that_tests_expect() {
        let catalog = Catalog::built_in();
        assert!(
            catalog.products.len() >= 40,
            "{} products",
            catalog.products.len()
        );
        let variants = catalog.by_sku.len();
        assert!((580..=640).contains(&variants), "{variants} variants");
        assert!(catalog.find("TEE-CLASSIC-BLK-S").is_some());
    }

    #[test]
    fn skus_codes_and_variant_ids_are_unique_and_shaped_as_the_interface_says() {
        let catalog = Catalog::built_in();
        let (mut seen, mut count) = (HashSet::new(), 0);
        for product in &catalog.products {
            assert!(seen.insert(product.code.clone()), "{}", product.code);
            for variant in &product.variants {
                count += 2;
                assert!(seen.insert(variant.sku.clone()), "{}", variant.sku);
                assert!(seen.insert(variant.id.clone()), "{}", variant.id);
                let digits = variant.id.strip_prefix(&format!("{}-", product.code)).unwrap();
                assert!(digits.bytes().all(|byte| byte.is_ascii_digit()), "{digits}");
                assert!(
                    (1..=LOCATIONS.len()).contains(&variant.costs.len()),
                    "{}",
                    variant.sku
                );
            }
        }
        assert_eq!(seen.len(), count + catalog.products.len());
    }

    #[test]
    fn some_are_out_of_stock_and_most_are_not() {
        let catalog = Catalog::built_in();
        let variants = catalog.products.iter().flat_map(|product| &product.variants);
        let out = variants.filter(|variant| !variant.in_stock).count();
        assert!((5..60).contains(&out), "{out} out of stock");
        assert!(catalog.find("TEE-CLASSIC-BLK-S").unwrap().1.in_stock);
    }

    #[test]
    fn a_removed_sku_leaves_the_others_in_place() {
        let mut catalog = Catalog::built_in();
        assert!(catalog.remove("TEE-CLASSIC-BLK-S"));
        assert!(!catalog.remove("TEE-CLASSIC-BLK-S"));
        assert!(catalog.find("TEE-CLASSIC-BLK-S").is_none());
        for sku in ["TEE-CLASSIC-BLK-M", "TEE-CLASSIC-WHT-XL", "HOODIE-CLASSIC-BLK-M"] {
            assert_eq!(catalog.find(sku).unwrap().1.sku, sku);
        }
    }

    #[test]
    fn a_changed_cost_holds_everywhere() {
        let mut catalog = Catalog::built_in();
        assert!(catalog.set_cost("TEE-CLASSIC-BLK-S", Amount::cents(999)));
        assert!(!catalog.set_cost("NO-SUCH-SKU", Amount::cents(999)));
        let (_, variant) = catalog.find("TEE-CLASSIC-BLK-S").unwrap();
        assert!(variant.costs.iter().all(|cost| cost.base == Amount::cents(999)));
    }
}
