//! When the ledger was last backed up by itself, and why not; why the catalog is not kept beside it.

use jiff::Timestamp;

use super::Store;
use crate::ledger::LedgerError;

/// The key of the moment at which the ledger was last backed up by itself.
const BACKED_UP: &str = "backed_up_at";
const NOT_BACKED_UP: &str = "not_backed_up";
/// The key of a backup's number, which stands in the backup alone.
const NUMBER: &str = "backup_number";
const CATALOG_NOT_KEPT: &str = "catalog_not_kept";

impl Store<'_> {
    /// When the ledger was last backed up by itself.
    pub fn backed_up_at(&self) -> Result<Option<Timestamp>, LedgerError> {
        self.meta_moment("read when it was backed up", BACKED_UP)
    }

    /// Writes down that the ledger was backed up.
    pub fn set_backed_up(&self, at: Timestamp) -> Result<(), LedgerError> {
        self.set_meta_moment("write when it was backed up", BACKED_UP, Some(at))?;
        self.set_not_backed_up("")
    }

    /// Why the newest try to back the ledger up failed; none where it did not.
    pub fn not_backed_up(&self) -> Result<Option<String>, LedgerError> {
        let noted = self.meta("read why it is not backed up", NOT_BACKED_UP)?;
        Ok(noted.filter(|why| !why.is_empty()))
    }

    /// Notes why the ledger could not be backed up.
    pub fn set_not_backed_up(&self, why: &str) -> Result<(), LedgerError> {
        self.set_meta("note why it is not backed up", NOT_BACKED_UP, why)
    }

    /// The number that this backup has among those of its ledger; none in a ledger, or in one of an earlier dropsheet.
    pub(in crate::ledger) fn backup_number(&self) -> Result<Option<i64>, LedgerError> {
        let noted = self.meta("read the number of a backup", NUMBER)?;
        Ok(noted.and_then(|number| number.parse().ok()))
    }

    /// Gives this backup its number.
    pub(in crate::ledger) fn set_backup_number(&self, number: i64) -> Result<(), LedgerError> {
        self.set_meta("number a backup", NUMBER, &number.to_string())
    }

    /// Why the catalog is not kept on the disk; none where it is.
    pub fn catalog_not_kept(&self) -> Result<Option<String>, LedgerError> {
        let noted = self.meta("read why the catalog is not kept", CATALOG_NOT_KEPT)?;
        Ok(noted.filter(|why| !why.is_empty()))
    }

    /// Notes why the catalog is not kept on the disk.
    pub fn set_catalog_not_kept(&self, why: &str) -> Result<(), LedgerError> {
        self.set_meta("note why the catalog is not kept", CATALOG_NOT_KEPT, why)
    }
}
