//! The to-fix sheet put beside its result, once.

use std::path::PathBuf;

use super::beside::Spot;
use super::{FinishError, Finisher, Place, Worked, scratch_in, source_of};
use crate::ledger::record::Claim;
use crate::result::{self, Title};

impl Finisher<'_> {
    /// Writes the to-fix sheet where there is something to fix and none was written before.
    pub(super) fn write_to_fix(
        &self,
        claim: &Claim,
        (worked, title, rows): (&Worked, &Title, &[u32]),
        spot: &Spot,
        place: &Place<'_>,
    ) -> Result<Option<PathBuf>, FinishError> {
        if spot.is_there {
            return Ok(Some(spot.path.clone()));
        }
        let (folder, sheet) = (place.folder, &claim.new.sheet_name);
        let catalog = self.catalog();
        let source = source_of(worked, catalog.as_deref());
        let scratch = scratch_in(folder, sheet)?;
        let new = scratch.path().join("to-fix");
        let rows = self
            .with_views(claim, worked, &mut |views| {
                result::write_to_fix(&source, views, title, rows, &new)
            })
            .map_err(|source| FinishError::result(sheet, folder, source))?;
        if rows == 0 {
            return Ok(None);
        }
        self.put_beside(claim, spot, &new, place).map(Some)
    }
}
