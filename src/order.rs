//! From rows to orders: columns, grouping, mended cells. A [`Draft`] is what the rows say; an [`Order`] has passed
//! every check and can be sent. Knows nothing of files.

use serde::{Deserialize, Serialize};

use crate::finding::Finding;
use crate::money::Money;
use crate::sheet::Row;

/// Which column of a sheet holds which field.
#[derive(Clone, Debug)]
pub struct Layout {}

impl Layout {
    /// Whether a row is an order sheet's header: it has a column for `order_id` and at least one more known column,
    /// or three known columns at least.
    pub fn is_header(_row: &Row) -> bool {
        todo!()
    }

    /// Reads a header.
    ///
    /// # Errors
    /// Findings of level error where the sheet as a whole cannot be worked: a missing column, a field named twice.
    pub fn read(_header: &Row) -> Result<Self, Vec<Finding>> {
        todo!()
    }

    /// How many of the sheet's columns, counted from the left, are its own; ignored `result_*` columns are not.
    pub fn own_columns(&self) -> &[usize] {
        todo!()
    }

    /// The cell's column of `item_sku`, counted from 0.
    pub fn sku_column(&self) -> usize {
        todo!()
    }
}

/// What a row is to an order sheet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RowKey {
    /// Nothing stands in it.
    Blank,
    /// A line of the order with this id, mended as it will be in the draft.
    Order(String),
    /// A row with text but without an order_id: an order of its own that cannot be sent.
    NoId,
}

/// What a first reading of the whole sheet knows: which rows belong together, and where each order ends. It keeps a
/// few bytes an order, not the rows.
#[derive(Debug, Default)]
pub struct Index {}

impl Index {
    /// Notes a row that stands below the header; rows come in order.
    pub fn note(&mut self, _layout: &Layout, _row: &Row) {
        todo!()
    }

    /// How many orders the sheet has; rows without an id count one each.
    pub fn orders(&self) -> u64 {
        todo!()
    }

    /// How many rows below the header have text.
    pub fn rows(&self) -> u64 {
        todo!()
    }

    /// The first row and the last row of the order that a row belongs to; none for a blank row.
    pub fn span(&self, _layout: &Layout, _row: &Row) -> Option<(u32, u32)> {
        todo!()
    }
}

/// Collects rows into drafts and gives each draft out when its last row has come.
#[derive(Debug)]
pub struct Grouper {}

impl Grouper {
    /// Starts a second reading of the sheet that `index` has read first.
    pub fn new(_layout: Layout, _index: Index) -> Self {
        todo!()
    }

    /// Takes a row below the header; gives the order that it completes.
    pub fn push(&mut self, _row: &Row) -> Option<Draft> {
        todo!()
    }

    /// The index, back for a third reading.
    pub fn into_index(self) -> Index {
        todo!()
    }
}

/// What is to be done with an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Create it: the default.
    Create,
    /// Cancel it.
    Cancel,
}

/// An order as its rows say it: cells mended where that is certain, nothing checked against the catalog.
#[derive(Clone, Debug)]
pub struct Draft {
    // order_id, rows, action, expected_total, fields with their cells, lines, findings of mending and grouping
}

impl Draft {
    /// The order's id as in the sheet, mended; empty where it is missing.
    pub fn order_id(&self) -> &str {
        todo!()
    }

    /// The rows of its lines, as the spreadsheet shows them, in order; never empty.
    pub fn rows(&self) -> &[u32] {
        todo!()
    }

    /// What is to be done with it.
    pub fn action(&self) -> Action {
        todo!()
    }

    /// The total that the merchant expects.
    pub fn expected_total(&self) -> Option<Money> {
        todo!()
    }

    /// The SKUs of its lines, in order, mended; empty where one is missing.
    pub fn skus(&self) -> impl Iterator<Item = &str> {
        std::iter::empty()
    }

    /// Findings of mending and grouping.
    pub fn findings(&self) -> &[Finding] {
        todo!()
    }

    /// The merchant's own content.
    pub fn fingerprint(&self) -> Fingerprint {
        todo!()
    }
}

/// A versioned hash of the merchant's own cells after mending (address, every line's SKU, quantity, artwork),
/// independent of the order of the rows, with a hash a field so that a difference can be named after the content
/// itself is erased.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fingerprint {
    /// The hash of everything, with the version of the method in front: `1:9f86d0…`.
    pub whole: String,
    /// A field's name and the hash of its value; the lines count as one field, `order lines`.
    pub fields: Vec<(String, String)>,
}

impl Fingerprint {
    /// The names of the fields that differ.
    pub fn differing(&self, _other: &Self) -> Vec<String> {
        todo!()
    }
}

/// A checked order, as it is sent: every required field is there and within its limits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Order {
    /// The id as it is sent: the sheet's with the inbox's prefix.
    pub order_id: String,
    /// Where the parcel goes.
    pub ship_to: ShipTo,
    /// How it goes; none is standard.
    pub shipping_service: Option<String>,
    /// What is printed, in the order of the rows; never empty.
    pub lines: Vec<Line>,
}

/// An address. Optional fields are empty where the sheet has none.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShipTo {
    /// `shipping_name`
    pub name: String,
    /// `shipping_phone`, optional
    pub phone: String,
    /// `shipping_address1`
    pub address1: String,
    /// `shipping_address2`, optional
    pub address2: String,
    /// `shipping_city`
    pub city: String,
    /// `shipping_province`
    pub province: String,
    /// `shipping_province_code`
    pub province_code: String,
    /// `shipping_zip`
    pub zip: String,
    /// `shipping_country`, a name
    pub country: String,
    /// `shipping_country_code`, ISO 3166-1 alpha-2
    pub country_code: String,
}

/// One line of an order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Line {
    /// The catalog's SKU, in the catalog's own case.
    pub item_sku: String,
    /// Pieces, at least one.
    pub quantity: u32,
    /// The sheet's name of the product, else the catalog's.
    pub product_name: String,
    /// Where it is made; empty leaves it to the service.
    pub made_in_location: String,
    /// A note for the item; may be empty.
    pub variant_note: String,
    /// A picture of the finished item.
    pub mockup_url: Option<String>,
    /// Artwork for the front.
    pub artwork_front: Option<String>,
    /// Artwork for the back.
    pub artwork_back: Option<String>,
    /// `artwork_2` to `artwork_5`.
    pub artwork_more: [Option<String>; 4],
}
