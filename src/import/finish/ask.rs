//! The SKU-map sheet beside a result: it asks for what is unknown of the shop's own SKUs.

use std::path::PathBuf;

use super::{FinishError, Place, scratch_in};
use crate::files;
use crate::import::Worked;
use crate::ledger::record::Claim;
use crate::result::{self, Title};

/// Writes the SKU-map sheet where own SKUs are unknown and none was written before.
pub(super) fn write_sku_map(
    claim: &Claim,
    worked: &Worked,
    title: &Title,
    place: &Place<'_>,
) -> Result<Option<PathBuf>, FinishError> {
    let Place { folder, name, suffix } = *place;
    let path = folder.join(format!("{name}.{suffix}"));
    let Some((asked, catalog)) = worked.unmapped.asked() else {
        return Ok(None);
    };
    if path.exists() {
        return Ok(Some(path));
    }
    let scratch = scratch_in(folder)?;
    let new = scratch.path().join("sku-map");
    result::sku_map::write(asked, catalog, title, &new).map_err(|source| FinishError::Result {
        sheet: claim.new.sheet_name.clone(),
        folder: folder.to_owned(),
        source: Box::new(source),
    })?;
    files::move_new(&new, &path).map_err(|error| FinishError::place(&path, error))?;
    Ok(Some(path))
}
