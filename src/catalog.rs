//! The print service's catalog at a moment: which SKUs there are, and where they are made. Pure; the cache on disk
//! is [`cache`], filled by `refresh`.

pub mod cache;
pub mod changes;
mod detail;
mod likeness;

use std::collections::{BTreeSet, HashMap, HashSet};

use jiff::Timestamp;

pub use detail::{Attribute, Detail, Location, PrintArea};
use likeness::Likeness;

use crate::order::folded_sku;

/// One variant as the SKU list names it (`SkuCatalogEntry` in `schema/print-service.openapi.json`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The SKU used when ordering.
    pub sku: String,
    /// The product's code, the key of its detail.
    pub product_code: String,
    /// The product's name.
    pub product_name: String,
    /// The variant's title.
    pub title: String,
    /// The variant's id.
    pub variant_id: String,
}

/// The catalog at a moment.
#[derive(Clone, Debug)]
pub struct Snapshot {
    read_at: Timestamp,
    entries: Vec<Entry>,
    /// Positions in `entries` by SKU.
    by_sku: HashMap<String, usize>,
    /// The same by SKU as [`folded_sku`]; none where two SKUs are one then.
    by_folded_sku: HashMap<String, Option<usize>>,
    details: HashMap<String, Detail>,
    likeness: Likeness,
}

impl Snapshot {
    /// A snapshot of entries read at `read_at`, with the details that are known. Of two entries with one SKU the
    /// first counts.
    pub fn new(read_at: Timestamp, mut entries: Vec<Entry>, details: Vec<Detail>) -> Self {
        let mut seen = HashSet::new();
        entries.retain(|entry| seen.insert(entry.sku.clone()));
        entries.sort_by(|a, b| (&a.product_name, &a.sku).cmp(&(&b.product_name, &b.sku)));
        let mut by_sku = HashMap::with_capacity(entries.len());
        let mut by_folded_sku = HashMap::with_capacity(entries.len());
        for (at, entry) in entries.iter().enumerate() {
            by_sku.insert(entry.sku.clone(), at);
            by_folded_sku
                .entry(folded_sku(&entry.sku))
                .and_modify(|taken| *taken = None)
                .or_insert(Some(at));
        }
        let likeness = Likeness::new(entries.iter().map(|entry| entry.sku.as_str()));
        let details = details
            .into_iter()
            .map(|detail| (detail.sku.clone(), detail))
            .collect();
        Self {
            read_at,
            entries,
            by_sku,
            by_folded_sku,
            details,
            likeness,
        }
    }

    /// When the SKU list was read from the service.
    pub fn read_at(&self) -> Timestamp {
        self.read_at
    }

    /// The entry of a SKU, where that is unambiguous without regard to case and to which of the hyphens it has.
    pub fn entry(&self, sku: &str) -> Option<&Entry> {
        let at = match self.by_sku.get(sku) {
            Some(at) => *at,
            None => (*self.by_folded_sku.get(&folded_sku(sku))?)?,
        };
        self.entries.get(at)
    }

    /// The detail of a SKU in the catalog's own case; none where the product's detail was not read.
    pub fn detail(&self, sku: &str) -> Option<&Detail> {
        self.details.get(sku)
    }

    /// The names of all locations that make anything, as far as products' details were read, by name.
    pub fn locations(&self) -> Vec<&str> {
        let details = self.details.values();
        let names: BTreeSet<&str> = details
            .flat_map(|detail| detail.locations.iter().map(|location| location.name.as_str()))
            .collect();
        names.into_iter().collect()
    }

    /// The SKUs most like `sku`, nearest first, at most `most`; none that is nothing like it.
    pub fn nearest(&self, sku: &str, most: usize) -> Vec<&Entry> {
        self.likeness
            .nearest(sku, most)
            .into_iter()
            .filter_map(|at| self.entries.get(at))
            .collect()
    }

    /// The SKUs in whose entry most of the words occur as words, at most `most`; none where no word does.
    pub fn by_words(&self, text: &str, most: usize) -> Vec<&Entry> {
        let words_of = |text: &str| -> HashSet<String> {
            let lower = text.to_lowercase();
            let words = lower
                .split(|c: char| !c.is_alphanumeric())
                .filter(|word| !word.is_empty());
            words.map(str::to_owned).collect()
        };
        let wanted = words_of(text);
        let mut found: Vec<(usize, &Entry)> = self
            .entries
            .iter()
            .map(|entry| {
                let words = words_of(&format!("{} {} {}", entry.sku, entry.product_name, entry.title));
                (wanted.intersection(&words).count(), entry)
            })
            .filter(|(shared, _)| *shared > 0)
            .collect();
        // By product and SKU among equals, as the entries stand.
        found.sort_by_key(|(shared, _)| std::cmp::Reverse(*shared));
        found.into_iter().take(most).map(|(_, entry)| entry).collect()
    }

    /// Entries whose SKU, product name, code, title or attributes (colour, size) have every word, without regard to case.
    pub fn search<'a>(&'a self, words: &'a [String]) -> impl Iterator<Item = &'a Entry> {
        let words: Vec<String> = words.iter().map(|word| word.to_lowercase()).collect();
        self.entries.iter().filter(move |entry| {
            let own = [&entry.sku, &entry.product_name, &entry.product_code, &entry.title];
            let attributes = self.detail(&entry.sku).map(|detail| detail.attributes.as_slice());
            let attributes = attributes
                .unwrap_or_default()
                .iter()
                .map(|attribute| &attribute.value);
            let texts: Vec<String> = own
                .into_iter()
                .chain(attributes)
                .map(|text| text.to_lowercase())
                .collect();
            words
                .iter()
                .all(|word| texts.iter().any(|text| text.contains(word)))
        })
    }

    /// Every entry, by product and SKU.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(sku: &str, product: &str) -> Entry {
        Entry {
            sku: sku.to_owned(),
            product_code: product.to_uppercase(),
            product_name: product.to_owned(),
            title: "Black / S".to_owned(),
            variant_id: format!("{product}-1"),
        }
    }

    fn snapshot(skus: &[&str]) -> Snapshot {
        let entries = skus.iter().map(|sku| entry(sku, "Tee")).collect();
        Snapshot::new(Timestamp::UNIX_EPOCH, entries, Vec::new())
    }

    fn found<'a>(entries: impl IntoIterator<Item = &'a Entry>) -> Vec<&'a str> {
        entries.into_iter().map(|entry| entry.sku.as_str()).collect()
    }

    #[test]
    fn case_matters_only_where_it_tells_two_skus_apart() {
        let catalog = snapshot(&["TEE-S", "mug-a", "MUG-A"]);
        for (sku, own) in [
            ("TEE-S", Some("TEE-S")),
            ("tee-s", Some("TEE-S")),
            ("mug-a", Some("mug-a")),
            ("MUG-A", Some("MUG-A")),
            ("Mug-A", None),
            ("TEE", None),
        ] {
            assert_eq!(catalog.entry(sku).map(|entry| entry.sku.as_str()), own, "{sku}");
        }
    }

    #[test]
    fn entries_stand_by_product_and_sku_each_once() {
        let entries = vec![entry("Z", "A"), entry("B", "C"), entry("A", "C"), entry("Z", "D")];
        let catalog = Snapshot::new(Timestamp::UNIX_EPOCH, entries, Vec::new());
        assert_eq!(found(catalog.entries()), ["Z", "A", "B"]);
    }

    #[test]
    fn a_products_name_finds_the_skus_that_share_its_words() {
        let catalog = Snapshot::new(
            Timestamp::UNIX_EPOCH,
            vec![
                entry("TEE-L", "Classic Tee"),
                entry("TEE-M", "Classic Tee"),
                entry("MUG-1", "Mug"),
            ],
            Vec::new(),
        );
        assert_eq!(found(catalog.by_words("Hare tee - L", 5)), ["TEE-L", "TEE-M"]);
        assert_eq!(found(catalog.by_words("Poster", 5)), [""; 0]);
    }

    #[test]
    fn a_search_finds_every_word_in_any_text() {
        let catalog = Snapshot::new(
            Timestamp::UNIX_EPOCH,
            vec![entry("TEE-S", "Classic Tee"), entry("MUG-1", "Mug")],
            Vec::new(),
        );
        let search = |words: &[&str]| -> Vec<String> {
            let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
            catalog.search(&words).map(|entry| entry.sku.clone()).collect()
        };
        assert_eq!(search(&["classic", "BLACK"]), ["TEE-S"]);
        assert_eq!(search(&["black"]).len(), 2);
        assert_eq!(search(&["classic", "mug"]), [""; 0]);
        assert_eq!(search(&[]).len(), 2);
    }

    #[test]
    fn the_nearest_skus_come_first_and_nothing_unlike_comes() {
        let catalog = snapshot(&[
            "TEE-CLASSIC-BLK-S",
            "TEE-CLASSIC-BLK-M",
            "TEE-CLASSIC-WHT-S",
            "MUG-11OZ",
            "HOOD-RED-XL",
        ]);
        for (sku, nearest) in [
            ("TEE-CLASIC-BLK-S", Some("TEE-CLASSIC-BLK-S")),
            ("tee classic blk m", Some("TEE-CLASSIC-BLK-M")),
            ("TEE-CLASSIC-S-WHT", Some("TEE-CLASSIC-WHT-S")),
            ("MUG11OZ", Some("MUG-11OZ")),
            ("XL-RED-HOOD", Some("HOOD-RED-XL")),
            ("POSTER-A2", None),
            ("", None),
        ] {
            assert_eq!(found(catalog.nearest(sku, 3)).first().copied(), nearest, "{sku}");
        }
        assert_eq!(catalog.nearest("TEE-CLASSIC-BLK-X", 2).len(), 2);
    }
}
