//! The to-fix sheet put beside its result, once.

use std::path::PathBuf;

use super::{FinishError, Finisher, Place, Worked, scratch_in};
use crate::files;
use crate::ledger::record::{Claim, Purpose};
use crate::result::{self, Source, Title};

impl Finisher<'_> {
    /// Writes the to-fix sheet where there is something to fix and none was written before.
    pub(super) fn write_to_fix(
        &self,
        claim: &Claim,
        worked: &Worked,
        (title, rows): (&Title, &[u32]),
        place: &Place<'_>,
    ) -> Result<Option<PathBuf>, FinishError> {
        let Place { folder, name, suffix } = *place;
        let path = folder.join(format!("{name}.{suffix}"));
        if claim.new.purpose == Purpose::Try || path.exists() {
            return Ok(path.exists().then_some(path));
        }
        let catalog = self.catalog();
        let source = Source {
            sheet: &worked.sheet,
            layout: &worked.layout,
            index: &worked.index,
            catalog: catalog.as_deref(),
        };
        let scratch = scratch_in(folder)?;
        let new = scratch.path().join("to-fix");
        let rows = self
            .with_views(claim, worked, &mut |views| {
                result::write_to_fix(&source, views, title, rows, &new)
            })
            .map_err(|source| FinishError::Result {
                sheet: claim.new.sheet_name.clone(),
                folder: folder.to_owned(),
                source: Box::new(source),
            })?;
        if rows == 0 {
            return Ok(None);
        }
        let path = files::free_name(folder, name, suffix);
        files::move_new(&new, &path).map_err(|error| FinishError::place(&path, error))?;
        Ok(Some(path))
    }
}
