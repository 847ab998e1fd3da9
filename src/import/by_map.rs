//! The SKU map of a sheet: as it is when it is the sheet's turn, or extended by the sheet.

use std::sync::Arc;

use super::read::Read;
use super::sku_map::{self, Map};
use super::turns::{Contents, Turn};
use super::{ImportError, Importer, Worked, sends};
use crate::clock::STAMP;
use crate::config::Inbox;
use crate::inbox::{NO_ANSWER, SILENT_FOR_GOOD};
use crate::ledger::record::Claim;
use crate::refresh::Served;

impl Importer {
    /// Waits for a sheet's turn, and gives it with the SKU map as it is then.
    pub(super) async fn in_turn(
        &self,
        claim: &Claim,
        inbox: &Inbox,
        turn: &Turn,
        (read, before): (Read, Map),
    ) -> Result<(Read, Map), ImportError> {
        let contents = Contents {
            ids: read.index.ids(),
            extends_map: read.extends_map(claim, inbox),
        };
        let owed_by = turn.wait(contents).await;
        let owed = owed_by.as_deref().map(sku_map::waits);
        let map = self.map(inbox).await?;
        turn.has_map();
        let read = if map == before {
            read
        } else {
            // Which products the sheet is about is another thing now.
            self.read_with(claim, inbox, &map, None).await?
        };
        let wait = owed.or_else(|| map.wait.clone());
        Ok((read, Map { wait, ..map }))
    }

    /// Reads the SKU map as it is now.
    pub(super) async fn map(&self, inbox: &Inbox) -> Result<Map, ImportError> {
        let Some(path) = &inbox.sku_map else {
            return Ok(Map::default());
        };
        let (inbox, scratch) = (inbox.clone(), self.spool.clone());
        let load = move || sku_map::load(&inbox, &scratch);
        let read = self.map_files.work_within(NO_ANSWER, path, load).await;
        let read = read.map_err(|_panic| ImportError::Panicked)?;
        Ok(read.unwrap_or_else(|| sku_map::silent(path)))
    }

    /// Takes a SKU-map sheet into the inbox's map; every row of it has an outcome then.
    pub(super) async fn extend_map(
        &self,
        claim: &Claim,
        inbox: &Inbox,
        (read, map): (Read, Map),
        served: Served,
    ) -> Result<Worked, ImportError> {
        let Some(path) = inbox.sku_map.clone() else {
            return Err(ImportError::Rejected(sku_map::no_map(&inbox.name)));
        };
        let time = claim
            .new
            .taken_at
            .to_zoned(self.zone.clone())
            .strftime(STAMP)
            .to_string();
        let (ledger, scratch, claim) = (
            Arc::clone(&self.submitter.ledger),
            self.spool.clone(),
            claim.clone(),
        );
        let file = path.clone();
        let extend = move || {
            let extension = sku_map::Extension::read(&read, claim.id, (&served.snapshot, &map.map));
            let extension = extension.map_err(ImportError::Rejected)?;
            // The map first: killed in between, the same is done again to the same end. Only its result is still to be
            // written where its rows have outcomes: the map may have been changed since.
            let is_taken = ledger.read(|store| store.outcomes_of(claim.id))? > 0;
            if sends(claim.new.purpose) && !is_taken {
                sku_map::extend(&path, &extension, &time, &scratch).map_err(ImportError::SkuMap)?;
            }
            let outcomes = if sends(claim.new.purpose) {
                extension.outcomes
            } else {
                extension.only_tried().outcomes
            };
            ledger.write_blocking(move |store| {
                outcomes.iter().try_for_each(|outcome| store.put_outcome(outcome))
            })?;
            Ok(Worked::of(read, None))
        };
        let extended = self.map_files.work_within(SILENT_FOR_GOOD, &file, extend).await;
        let extended = extended.map_err(|_panic| ImportError::Panicked)?;
        extended.unwrap_or_else(|| Err(ImportError::SkuMap(sku_map::ExtendError::Silent(file))))
    }
}
