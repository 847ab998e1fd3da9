//! The end of a sheet of which nothing is left to read, though orders of it were sent: what the ledger knows of its rows is
//! told in place of its result.

use std::io;
use std::path::{Path, PathBuf};

use super::{FinishError, Finisher};
use crate::files::{self, plain};
use crate::import::write::LedgerViews;
use crate::ledger::Reader;
use crate::ledger::record::{Claim, ClaimState};
use crate::outcome::Status;
use crate::result::{ResultError, View};

impl Finisher<'_> {
    /// Ends it; gives where it is told what was sent of it. Waits for the disk.
    pub fn end_lost(&self, claim: &Claim) -> Result<PathBuf, FinishError> {
        // It says that the sheet will be sent.
        self.take_back_result(claim)?;
        let (folder, name) = self.place_of_results(claim);
        let path = folder.join(format!("{name}.lost.txt"));
        let text = self
            .known_of(claim)
            .map_err(|source| FinishError::result(&claim.new.sheet_name, &folder, source))?;
        match files::write_new(&path, text.as_bytes()) {
            // Killed behind it, the next start comes here again.
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
                return Err(FinishError::place(&path, error));
            }
            Ok(()) | Err(_) => {}
        }
        forget_copy(&self.importer.spool.join(&claim.new.hash))?;
        let id = claim.id;
        self.ledger().write_blocking(move |store| {
            store.set_claim_state(id, ClaimState::Worked)?;
            store.set_claim_state(id, ClaimState::Done)?;
            store.forget_news(id)
        })?;
        Ok(path)
    }

    fn known_of(&self, claim: &Claim) -> Result<String, ResultError> {
        let failed = |error| ResultError::View(Box::new(error));
        let reader = Reader::open(self.ledger().path()).map_err(failed)?;
        let mut lines = vec![
            format!(
                "{} has no result: the copy that dropsheet made of it is damaged or gone, and the file itself was taken away, \
                 before all of it was worked.",
                plain(&claim.new.sheet_name)
            ),
            String::new(),
            "This is known of its rows:".to_owned(),
        ];
        for view in LedgerViews::states(&reader, claim.id) {
            lines.push(line(&view?));
        }
        lines.extend([
            String::new(),
            "Nothing else of it was sent. Drop the sheet again for the rest: what was sent is not sent again."
                .to_owned(),
            String::new(),
        ]);
        Ok(lines.join("\r\n"))
    }
}

/// Of a copy that holds other bytes no result is ever written again.
fn forget_copy(copy: &Path) -> Result<(), FinishError> {
    match std::fs::remove_file(copy) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(FinishError::place(copy, error)),
        Ok(()) | Err(_) => Ok(()),
    }
}

fn line(view: &View) -> String {
    let status = match view.status {
        Status::Waiting => "not sent",
        status => status.word(),
    };
    let order_id = plain(&view.order_id);
    let id = view.pw_order_id.as_ref().map(|id| format!(" ({})", plain(id)));
    format!(
        "  row {}: {order_id}: {status}{}",
        view.first_row,
        id.unwrap_or_default()
    )
}
