//! From rows to orders: columns, grouping, mended cells. A [`Draft`] is what the rows say; an [`Order`] has passed
//! every check and can be sent. Knows nothing of files.

mod amount;
mod artwork;
mod cells;
mod characters;
mod columns;
mod cut;
mod day;
mod draft;
mod feet;
mod fingerprint;
mod group;
mod header;
mod index;
mod instead;
mod layout;
mod lost;
mod mend;
mod nothing;
mod numbers;
mod packed;
mod places;
pub mod profile;
mod recent;
mod row;
mod same_line;
mod service;
mod shop;
pub mod sku_map;
mod standing;
mod stated;
mod sums;
mod unheeded;
mod writings;
mod zip;

use serde::{Deserialize, Serialize};

use crate::money::Money;

pub use artwork::Artwork;
pub use columns::NEVER_ORDERED;
pub use day::Day;
pub use draft::{Action, Draft, MapLine};
pub use fingerprint::Fingerprint;
pub use group::Grouper;
pub use index::{Ids, Index, RowKey};
pub use layout::Layout;
pub use places::countries;
pub use profile::{Profile, Profiles};
pub use sku_map::SkuMap;
pub use standing::Why;

pub(crate) use cells::Cells;
pub(crate) use characters::{folded_sku, ids_meant};
pub(crate) use columns::{Field, Form, Level};
pub(crate) use draft::At;
pub(crate) use index::{IdHash, id_hash};
pub(crate) use lost::{Lost, lost_in};
pub(crate) use mend::{is_digits, quoted};
pub(crate) use nothing::{
    is_example, is_unfilled, is_word_for_nothing, points_elsewhere, says_nothing, stands_for_no_id,
};
pub(crate) use places::{Country, Province, country, know_countries};
pub(crate) use same_line::KnownLines;
pub(crate) use service::{SERVICES, is_standard};
pub(crate) use stated::{
    Ends, Mark, beginnings_before_an_id, ids_beside_a_mark, is_said_apart, numbers_in, says_not_to_send,
};
pub(crate) use unheeded::Asked;
pub(crate) use writings::{behind_prefix, forms_in_inbox, plain_form, runs_on, writings_in_inbox};
pub(crate) use zip::restored_elsewhere;

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
    /// The only total at which its sheet has it sent: kept with the order for a second create, and never sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected_total: Option<Money>,
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

#[cfg(test)]
pub(crate) mod tests;
