//! Held sheets: `held/TIME_NAME.held.xlsx` lists the orders of a sheet that wait for a person. It is written again when
//! they change, only while it is byte for byte as dropsheet wrote it; one that a person has edited or moved is theirs.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};

use jiff::Timestamp;

use super::aside::{self, Owner};
use super::finish::{FinishError, Finisher, scratch_in};
use crate::files;
use crate::inbox::spool;
use crate::ledger::record::{Claim, ClaimRef, HoldKey, Shown};
use crate::ledger::{Ledger, LedgerError, ListedHeld};
use crate::result::ResultError;
use crate::result::held::{HeldRow, items_of, why_with, write};

/// Held orders that are read from the ledger at once.
const BATCH: u32 = 500;

/// How the names of held sheets end.
pub const ENDING: &str = "held.xlsx";

impl Finisher<'_> {
    /// Writes the held sheet of a taken sheet where its held orders are not as the last one lists them. Gives it, where
    /// orders are listed.
    pub fn write_held(&self, claim: &Claim, now: Timestamp) -> Result<Option<PathBuf>, FinishError> {
        let folder = self.folder.part("held");
        let known = self.ledger().read(|store| store.held_sheet(claim.id))?;
        if known.stale == 0 {
            return Ok(known.own.map(|(path, _hash)| files::now_in(&folder, &path)));
        }
        let sheet = &claim.new.sheet_name;
        let failed = |source| FinishError::result(sheet, &folder, source);
        let scratch = scratch_in(&folder, sheet)?;
        let new = scratch.path().join("held");
        let mut rows = HeldRows::new(self.ledger(), claim.id);
        let listed = write(&mut rows, &self.title(claim, now), &new).map_err(failed)?;
        if let Some((path, hash)) = &known.own {
            // One that a person has edited or has open stays.
            let _is_gone: bool = aside::remove(&files::now_in(&folder, path), hash, Owner::Claim(claim.id))?;
        }
        crate::crash::point("held-sheet-away");
        let placed = if listed > 0 {
            Some(self.place_held(claim, &new, &folder)?)
        } else {
            self.ledger().write_blocking({
                let id = claim.id;
                move |store| store.set_held_sheet(id, None)
            })?;
            None
        };
        let (id, news) = (claim.id, known.stale);
        self.ledger()
            .write_blocking(move |store| store.held_sheet_told(id, news))?;
        Ok(placed)
    }

    /// Puts a held sheet in its place, under a name that is free. What is about to be there is in the ledger before.
    fn place_held(&self, claim: &Claim, new: &Path, folder: &Path) -> Result<PathBuf, FinishError> {
        let hash = spool::hash_of(new).map_err(|error| FinishError::place(new, error))?;
        loop {
            let path = files::free_name(folder, &claim.new.stem, ENDING);
            let (id, place, hash) = (claim.id, path.to_string_lossy().into_owned(), hash.clone());
            self.ledger()
                .write_blocking(move |store| store.set_held_sheet(id, Some((&place, &hash))))?;
            match files::move_new(new, &path) {
                Ok(()) => return Ok(path),
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(FinishError::place(&path, error)),
            }
        }
    }
}

/// The rows of a held sheet, read from the ledger as they are needed.
#[derive(Debug)]
struct HeldRows<'a> {
    ledger: &'a Ledger,
    claim: ClaimRef,
    after: u32,
    ready: VecDeque<ListedHeld>,
    ended: bool,
}

impl<'a> HeldRows<'a> {
    fn new(ledger: &'a Ledger, claim: ClaimRef) -> Self {
        Self {
            ledger,
            claim,
            after: 0,
            ready: VecDeque::new(),
            ended: false,
        }
    }

    fn fill(&mut self) -> Result<(), LedgerError> {
        let found = self
            .ledger
            .read(|store| store.held_after(self.claim, self.after, BATCH))?;
        match found.last() {
            Some(last) => self.after = last.first_row,
            None => self.ended = true,
        }
        self.ready = found.into();
        Ok(())
    }

    fn row(&self, held: ListedHeld) -> HeldRow {
        let (pieces, items) = items_of(&held.signature);
        let shown = Shown {
            ledger: self.ledger.id(),
            order_id: &held.order_id,
            fingerprint: &held.fingerprint,
            total: held.total,
        };
        let key = HoldKey::new(held.order, held.hold_number, &shown);
        HeldRow {
            order_id: held.order_id,
            total: held.total,
            why: why_with(&held.holds, &held.there),
            held_since: held.held_at,
            country: held.country_code,
            pieces,
            items,
            sheet_row: held.first_row,
            key: key.to_string(),
        }
    }
}

impl Iterator for HeldRows<'_> {
    type Item = Result<HeldRow, ResultError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ready.is_empty()
            && !self.ended
            && let Err(error) = self.fill()
        {
            self.ended = true;
            return Some(Err(ResultError::View(Box::new(error))));
        }
        let held = self.ready.pop_front()?;
        Some(Ok(self.row(held)))
    }
}
