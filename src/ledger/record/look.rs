//! What the last look at an inbox has shown, as the ledger keeps it for those who ask from outside.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::files::Room;

/// What a look at an inbox has shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LookRecord {
    /// The inbox.
    pub inbox: String,
    /// When it was looked at.
    pub looked_at: Timestamp,
    /// Why its folder cannot be worked, if it cannot.
    pub trouble: Option<String>,
    /// Since when that is so; kept by the ledger over looks with trouble.
    pub trouble_since: Option<Timestamp>,
    /// Files that are still changing or not whole.
    pub waiting: u32,
    /// Files that are not taken, and why.
    pub not_taken: Vec<NotTaken>,
    /// The room on the folder's disk, where it could be told.
    pub room: Option<Room>,
}

/// A file of an inbox that is not taken.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "StoredNotTaken", into = "StoredNotTaken")]
pub struct NotTaken {
    /// Where it lies.
    pub path: String,
    /// Why.
    pub why: String,
    /// What becomes of it.
    pub fate: Fate,
}

/// What becomes of a file that is not taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fate {
    /// It is left alone.
    #[default]
    LeftAlone,
    /// It is still changing or not whole, and looked at again.
    Waiting,
    /// It is a sheet that cannot be read.
    Unreadable,
    /// It was rejected, and lies among such files.
    Rejected,
}

/// As the ledger keeps it: older ones have no fate.
#[derive(Serialize, Deserialize)]
struct StoredNotTaken(String, String, #[serde(default)] Fate);

impl From<StoredNotTaken> for NotTaken {
    fn from(StoredNotTaken(path, why, fate): StoredNotTaken) -> Self {
        Self { path, why, fate }
    }
}

impl From<NotTaken> for StoredNotTaken {
    fn from(NotTaken { path, why, fate }: NotTaken) -> Self {
        Self(path, why, fate)
    }
}
