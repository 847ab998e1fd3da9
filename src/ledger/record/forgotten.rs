//! What a ledger that was put back from before has forgotten.

use jiff::Timestamp;

use super::{AccountRef, ClaimRef};

/// An inbox's `done/` is to be gone through for originals that the ledger does not know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recall {
    /// The inbox.
    pub inbox: String,
    /// What was taken before this is known; none where nobody can tell.
    pub since: Option<Timestamp>,
    /// The newest sheet that the ledger knew when it was found to be older.
    pub newest: ClaimRef,
    /// Why it could not be gone through, or not all of it, and since when.
    pub trouble: Option<(String, Timestamp)>,
}

/// An original that no sheet of the ledger accounts for, and that was not dropped again since.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Forgotten {
    /// The inbox.
    pub inbox: String,
    /// Its name in `done/`.
    pub name: String,
    /// The account of the inbox.
    pub account: AccountRef,
    /// SHA-256 of its bytes.
    pub hash: String,
    /// The newest sheet when it was found.
    pub newest: ClaimRef,
    /// When it was found.
    pub found_at: Timestamp,
}
