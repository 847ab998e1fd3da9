//! Originals that are looked at again for a while after they were archived. They stand among the sightings, for they are
//! files that may still change; the name of their sheet stands before how they stood.

use rusqlite::{Row, params};

use super::{Store, boot_or_null, get};
use crate::clock::BootTime;
use crate::ledger::LedgerError;
use crate::ledger::record::ClaimRef;

/// An archived original.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Archived {
    /// Where it lies.
    pub place: String,
    /// Its sheet.
    pub claim: ClaimRef,
    /// How it stood when its bytes were last read; empty where that is not known.
    pub stamp: String,
    /// Since when it lies there.
    pub since: BootTime,
}

impl Store<'_> {
    /// Notes that an original is archived, or how it stands now.
    pub fn put_archived(&self, archived: &Archived) -> Result<(), LedgerError> {
        let stamp = format!("{} {}", archived.claim.0, archived.stamp);
        self.put_sighting(
            "note an archived original",
            &archived.place,
            &stamp,
            &archived.since,
        )
    }

    /// The archived originals in a folder that are still to be looked at again, eldest first.
    pub fn archived(&self, below: &str, most: u32) -> Result<Vec<Archived>, LedgerError> {
        let found = self.all(
            "list archived originals",
            "SELECT * FROM sighting WHERE substr(place, 1, length(?1)) = ?1 ORDER BY since_boot LIMIT ?2",
            params![below, most],
            archived,
        )?;
        Ok(found.into_iter().flatten().collect())
    }

    /// Looks no more at an archived original.
    pub fn forget_archived(&self, place: &str) -> Result<(), LedgerError> {
        let sql = "DELETE FROM sighting WHERE place = ?1";
        self.run("forget an archived original", sql, [place])?;
        Ok(())
    }
}

/// None where a row is no such note.
fn archived(row: &Row<'_>) -> Result<Option<Archived>, LedgerError> {
    let kept: String = get(row, "stamp")?;
    let since = boot_or_null(row, "since_boot_id", "since_boot")?;
    let claim = kept
        .split_once(' ')
        .and_then(|(claim, stamp)| Some((claim.parse().ok()?, stamp)));
    let (Some((claim, stamp)), Some(since)) = (claim, since) else {
        return Ok(None);
    };
    Ok(Some(Archived {
        place: get(row, "place")?,
        claim: ClaimRef(claim),
        stamp: stamp.to_owned(),
        since,
    }))
}
