//! Results of sheets that are in no inbox. Their folders may be away, or silent, while the inbox's own answers: they have a
//! hand of their own.

use std::io;
use std::path::PathBuf;
use std::sync::{Arc, PoisonError};

use super::Desk;
use crate::daemon::DaemonError;
use crate::daemon::hand::NotDone;
use crate::filing::finish::FinishError;
use crate::filing::leftovers;
use crate::filing::take::TakeError;
use crate::ledger::LedgerError;
use crate::ledger::record::{Claim, ClaimRef};
use crate::result::ResultError;

impl Desk {
    /// Has files of a sheet's result written. Where it lies in no inbox, a folder that does not answer is given up: what it
    /// does at last stands all the same, and else it is tried again.
    pub(in crate::daemon) async fn for_result<T: Send + 'static>(
        self: &Arc<Self>,
        claim: &Claim,
        work: impl FnOnce(&Self) -> Result<T, FinishError> + Send + 'static,
    ) -> Result<Result<T, FinishError>, DaemonError> {
        let Some(out) = claim.new.out_path.clone() else {
            return self.by_hand("result", work).await;
        };
        let (desk, of, place) = (Arc::clone(self), claim.clone(), PathBuf::from(&out));
        // What it has says nothing yet; that it answers does.
        let answers = self.outside.run_in_time("look", move || place.is_dir()).await;
        let write = move || {
            desk.sweep_beside(&of)?;
            work(&desk)
        };
        let written = match answers {
            Ok(_is_there) => self.outside.write_in_time("result", write).await,
            Err(not_done) => Err(not_done),
        };
        match written {
            Ok(written) => Ok(written),
            Err(NotDone::Panicked) => Err(DaemonError::Panicked),
            Err(NotDone::Silent) => {
                let why = "the folder does not answer: is the share away?";
                let silent = io::Error::new(io::ErrorKind::TimedOut, why);
                Ok(Err(FinishError::Result {
                    sheet: claim.new.sheet_name.clone(),
                    folder: out.into(),
                    source: Box::new(ResultError::Folder(silent)),
                }))
            }
        }
    }

    /// Notes beside which results a killed process may have left something, without looking there.
    pub(super) fn note_unswept(&self) -> Result<(), LedgerError> {
        let claims = self.ledger().read(|store| {
            let mut claims = store.open_claims()?;
            claims.extend(store.stale_claims()?);
            Ok::<_, LedgerError>(claims)
        })?;
        let outside = claims
            .iter()
            .filter(|claim| claim.new.inbox == self.inbox.name && claim.new.out_path.is_some());
        let unswept: Vec<ClaimRef> = outside.map(|claim| claim.id).collect();
        let mut all = self.unswept.lock().unwrap_or_else(PoisonError::into_inner);
        all.extend(unswept);
        Ok(())
    }

    /// Sees once to what a killed process left beside a result, before that is written.
    fn sweep_beside(&self, claim: &Claim) -> Result<(), LedgerError> {
        let mut unswept = self.unswept.lock().unwrap_or_else(PoisonError::into_inner);
        let is_unswept = unswept.remove(&claim.id);
        drop(unswept);
        if !is_unswept {
            return Ok(());
        }
        match leftovers::sweep_beside(self.ledger(), claim) {
            Err(TakeError::Ledger(error)) => Err(error),
            Err(error) => {
                // It keeps nothing from its end, and is no news: the folder is not the inbox's.
                tracing::warn!(
                    error = crate::causes::chain(&error),
                    "what a killed process left stays"
                );
                Ok(())
            }
            Ok(()) => Ok(()),
        }
    }
}
