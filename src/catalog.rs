//! The print service's catalog at a moment: which SKUs there are, and where they are made. Pure; the cache on disk
//! is [`cache`], filled by `refresh`.

pub mod cache;

use jiff::Timestamp;

/// One variant as the SKU list names it (interface 2.7).
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

/// What a product's detail says of one SKU (interface 2.3 and 2.4).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Detail {
    /// The SKU.
    pub sku: String,
    /// `in_stock`, or any other word the service uses; none where it says nothing.
    pub availability: Option<String>,
    /// The names of the locations that make it; empty where the service says nothing.
    pub locations: Vec<String>,
}

/// The catalog at a moment.
#[derive(Clone, Debug)]
pub struct Snapshot {}

impl Snapshot {
    /// A snapshot of entries read at `read_at`, with the details that are known.
    pub fn new(_read_at: Timestamp, _entries: Vec<Entry>, _details: Vec<Detail>) -> Self {
        todo!()
    }

    /// When the SKU list was read from the service.
    pub fn read_at(&self) -> Timestamp {
        todo!()
    }

    /// The entry of a SKU, without regard to case where that is unambiguous.
    pub fn entry(&self, _sku: &str) -> Option<&Entry> {
        todo!()
    }

    /// The detail of a SKU in the catalog's own case; none where the product's detail was not read.
    pub fn detail(&self, _sku: &str) -> Option<&Detail> {
        todo!()
    }

    /// The SKUs most like `sku`, nearest first, at most `most`; none that is nothing like it.
    pub fn nearest(&self, _sku: &str, _most: usize) -> Vec<&Entry> {
        todo!()
    }

    /// Entries whose SKU, product name, code or title has every word, without regard to case.
    pub fn search<'a>(&'a self, _words: &'a [String]) -> impl Iterator<Item = &'a Entry> {
        std::iter::empty()
    }

    /// Every entry, by product and SKU.
    pub fn entries(&self) -> &[Entry] {
        todo!()
    }
}
