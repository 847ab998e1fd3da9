//! How a sheet differs from a known order that it speaks of and does not follow.

use serde::{Deserialize, Serialize};

/// What a row that is `changed` says of its order. The sentence about it is made of this and of the order as it is then.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Apart {
    /// It came with other content.
    Content {
        /// What differs, as within a sentence: `shipping_zip, quantity`.
        what: String,
        /// Which SKUs have other pieces, as a sentence of its own, where that can be told.
        pieces: Option<String>,
        /// Whether only a note differs, and says by itself that the order is sent or done.
        #[serde(default)]
        is_sent_by_note: bool,
    },
    /// Its shop has taken it back since it was sent.
    TakenBack {
        /// Why, as the end of a sentence.
        reason: String,
    },
}
