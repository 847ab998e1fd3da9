//! The SKU-map sheet beside a result: it asks for what is unknown of the shop's own SKUs.

use std::path::PathBuf;

use super::beside::Spot;
use super::{Destination, FinishError, Finisher, scratch_in};
use crate::import::Worked;
use crate::ledger::record::Claim;
use crate::result::{self, Title};

impl Finisher<'_> {
    /// Writes the SKU-map sheet where own SKUs are unknown and none was written before.
    pub(super) fn write_sku_map(
        &self,
        claim: &Claim,
        (worked, title): (&Worked, &Title),
        spot: &Spot,
        place: &Destination<'_>,
    ) -> Result<Option<PathBuf>, FinishError> {
        let Some((asked, catalog)) = worked.unmapped.asked() else {
            return Ok(None);
        };
        if spot.is_there {
            return Ok(Some(spot.path.clone()));
        }
        let (folder, sheet) = (place.folder, &claim.new.sheet_name);
        let scratch = scratch_in(folder, sheet)?;
        let new = scratch.path().join("sku-map");
        result::sku_map::write(asked, catalog, title, &new)
            .map_err(|source| FinishError::result(sheet, folder, source))?;
        self.put_beside(claim, spot, &new, place).map(Some)
    }
}
