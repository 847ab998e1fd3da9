//! Files that were seen and are not taken yet.

use std::collections::HashSet;

use rusqlite::params;

use super::{Store, boot_or_null, get};
use crate::clock::BootTime;
use crate::ledger::LedgerError;

impl Store<'_> {
    /// When the file at a place was first seen as it stands now; writes the sighting down where it is new or other.
    pub fn sight(&self, place: &str, stamp: &str, now: &BootTime) -> Result<BootTime, LedgerError> {
        let known = self.one(
            "find a sighting",
            "SELECT stamp, since_boot_id, since_boot FROM sighting WHERE place = ?1",
            [place],
            |row| {
                Ok((
                    get::<String>(row, "stamp")?,
                    boot_or_null(row, "since_boot_id", "since_boot")?,
                ))
            },
        )?;
        // A sighting of another boot starts anew: the time in between cannot be measured.
        if let Some((_, Some(since))) = known.filter(|(known, _)| known == stamp)
            && since.id == now.id
        {
            return Ok(since);
        }
        self.put_sighting("write a sighting", place, stamp, now)?;
        Ok(now.clone())
    }

    /// Notes how a file stands, and since when.
    pub(super) fn put_sighting(
        &self,
        operation: &'static str,
        place: &str,
        stamp: &str,
        since: &BootTime,
    ) -> Result<(), LedgerError> {
        self.run(
            operation,
            "INSERT INTO sighting (place, stamp, since_boot_id, since_boot) VALUES (?1, ?2, ?3, ?4)
             ON CONFLICT DO UPDATE SET stamp = ?2, since_boot_id = ?3, since_boot = ?4",
            params![place, stamp, &*since.id, since.millis],
        )?;
        Ok(())
    }

    /// Forgets the sightings below a folder whose places are not among `there`.
    pub fn forget_sightings(&self, folder: &str, there: &[String]) -> Result<(), LedgerError> {
        let below = format!("{folder}/");
        let known = self.all(
            "list sightings",
            "SELECT place FROM sighting WHERE substr(place, 1, length(?1)) = ?1",
            [below],
            |row| get::<String>(row, "place"),
        )?;
        let there: HashSet<&str> = there.iter().map(String::as_str).collect();
        for place in known.iter().filter(|place| !there.contains(place.as_str())) {
            self.run(
                "forget a sighting",
                "DELETE FROM sighting WHERE place = ?1",
                [place],
            )?;
        }
        Ok(())
    }
}
