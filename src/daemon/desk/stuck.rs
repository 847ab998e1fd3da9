//! A sheet that could not be brought to its end through no fault of its own: it is tried again, and until then its inbox
//! says what is wrong.

use std::io;
use std::sync::Arc;

use super::super::{DaemonError, SheetReport};
use super::Desk;
use crate::causes::chain;
use crate::filing::finish::FinishError;
use crate::finding::{Code, Rejection};
use crate::import::ImportError;
use crate::ledger::LedgerError;
use crate::ledger::record::{Claim, ClaimRef, ClaimState};
use crate::refresh::CatalogError;

impl Desk {
    /// What the work ended with, where it is not the sheet's fault.
    pub(super) async fn not_worked(
        self: &Arc<Self>,
        claim: &Claim,
        mut report: SheetReport,
        error: ImportError,
    ) -> Result<SheetReport, DaemonError> {
        if let ImportError::Catalog(_) | ImportError::Spool { .. } | ImportError::SkuMap(_) = &error {
            let mut told = chain(&error);
            let is_mended = matches!(&error, ImportError::Spool { .. }) && self.mend_copy(claim).await?;
            if is_mended {
                told.push_str("; the copy is made anew from the original");
            } else if self.is_lost(claim, &error).await? {
                match self.begun(claim)? {
                    Begun::None => return self.end_rejected(claim, report, &lost()).await,
                    Begun::Ended => return self.end_lost(claim, report).await,
                    Begun::Open => told.push_str(OPEN),
                }
            }
            // Of a service that does not answer others tell.
            let is_own = !matches!(&error, ImportError::Catalog(catalog) if !matches!(catalog, CatalogError::Cache(_)));
            let is_stuck = !is_mended && is_own;
            if !is_stuck || self.looks.not_written(claim, &told) {
                tracing::error!(sheet = claim.new.sheet_name, "{told}; it is tried again");
            }
            if is_stuck {
                self.say_stuck(claim, &told).await?;
            }
            report.trouble = Some(told);
            return Ok(report);
        }
        Err(DaemonError::Import {
            sheet: claim.new.sheet_name.clone(),
            source: Box::new(error),
        })
    }

    /// Rejects a sheet, or says why it cannot be rejected.
    pub(super) async fn end_rejected(
        self: &Arc<Self>,
        claim: &Claim,
        mut report: SheetReport,
        why: &Rejection,
    ) -> Result<SheetReport, DaemonError> {
        match self.reject(claim, why.clone()).await {
            Ok(()) => report.rejected = Some(why.to_string()),
            Err(DaemonError::Finish { source, .. }) if !is_ledger(&source) => {
                report.trouble = Some(self.not_rejected(claim, why, &source).await?);
            }
            Err(error) => return Err(error),
        }
        Ok(report)
    }

    /// Ends a sheet that is lost with orders of it sent, or says why that cannot be told.
    async fn end_lost(
        self: &Arc<Self>,
        claim: &Claim,
        mut report: SheetReport,
    ) -> Result<SheetReport, DaemonError> {
        let (of, sheet) = (claim.clone(), &claim.new.sheet_name);
        report.orders = self.statuses(claim.id).await?;
        let ended = self.for_result(claim, move |desk| desk.finisher().end_lost(&of));
        let told = match ended.await? {
            Ok(told_in) => {
                self.say_written(claim.id).await?;
                let place = told_in.display();
                format!("{sheet} is lost: {place} says what was sent of it; nothing else of it is")
            }
            Err(error) if is_ledger(&error) => return Err(unfinished(claim, error)),
            Err(error) => {
                let why = chain(&error);
                self.say_stuck(claim, &why).await?;
                why
            }
        };
        tracing::error!(sheet, "{told}");
        report.trouble = Some(told);
        Ok(report)
    }

    /// What has begun of a sheet.
    fn begun(&self, claim: &Claim) -> Result<Begun, LedgerError> {
        self.ledger().read(|store| {
            if !store.has_orders(claim.id)? {
                return Ok(Begun::None);
            }
            Ok(if store.has_open_orders(claim.id)? {
                Begun::Open
            } else {
                Begun::Ended
            })
        })
    }

    /// Whether nobody will ever read a sheet: its copy is gone, or other bytes, and no original is there any more. In a folder
    /// that is away it may be there all the same.
    async fn is_lost(self: &Arc<Self>, claim: &Claim, error: &ImportError) -> Result<bool, DaemonError> {
        let ImportError::Spool { source, .. } = error else {
            return Ok(false);
        };
        // A disk that fails may read it the next time.
        let is_broken = matches!(
            source.kind(),
            io::ErrorKind::NotFound | io::ErrorKind::InvalidData
        );
        if !is_broken || claim.state != ClaimState::Taken {
            return Ok(false);
        }
        let of = claim.clone();
        let is_gone = move |desk: &Self| {
            let has_spool = desk.importer.spool.is_dir();
            has_spool && !desk.finisher().has_original(&of) && desk.look_for_trouble().is_none()
        };
        // A folder that does not answer tells nothing.
        Ok(self.in_time("look", is_gone).await?.unwrap_or(false))
    }

    /// Notes why the catalog is not kept on the disk, for who asks; that it is again too. Waits for the disk.
    pub(in crate::daemon) fn note_catalog(&self) -> Result<(), LedgerError> {
        let why = self.importer.catalog.not_kept();
        if self.ledger().read(|store| store.catalog_not_kept())? == why {
            return Ok(());
        }
        let why = why.unwrap_or_default();
        self.ledger()
            .write_blocking(move |store| store.set_catalog_not_kept(&why))
    }

    /// The same where it cannot be read now, or not any more though orders of it have `begun`.
    pub(super) async fn not_read(
        self: &Arc<Self>,
        claim: &Claim,
        mut report: SheetReport,
        (why, begun): (&Rejection, bool),
    ) -> Result<SheetReport, DaemonError> {
        let sheet = claim.new.sheet_name.as_str();
        // Its bytes are what was read then: what is said of a new sheet, to split it say, would mislead.
        let told = if begun && why.code != Code::UnreadableFile {
            format!(
                "{} It could be read before, and a part of it was sent: set back what was changed since in the config for \
                 inbox `{}`, as its profile, max_rows or max_bytes. The rest goes on then by itself.",
                why.message, self.inbox.name
            )
        } else {
            format!("{why} It is tried again.")
        };
        tracing::error!(sheet, "{told}");
        self.say_stuck(claim, &format!("{sheet}: {told}")).await?;
        report.orders = self.statuses(claim.id).await?;
        report.trouble = Some(told);
        Ok(report)
    }

    /// Makes a sheet's copy in the spool anew, where its original is still as it was taken.
    pub(in crate::daemon) async fn mend_copy(self: &Arc<Self>, claim: &Claim) -> Result<bool, DaemonError> {
        let of = claim.clone();
        let mending = self.by_hand("spool", move |desk| desk.finisher().copy_anew(&of));
        Ok(mending.await?.unwrap_or_else(|error| {
            tracing::error!(sheet = claim.new.sheet_name, "{}", chain(&error));
            false
        }))
    }

    /// Says that a sheet's result cannot be written; gives why. Its orders are safe in the ledger, and it is tried again.
    pub(super) async fn not_written(
        self: &Arc<Self>,
        claim: &Claim,
        error: &FinishError,
    ) -> Result<String, DaemonError> {
        let why = chain(error);
        tracing::error!(sheet = claim.new.sheet_name, "{why}; it is tried again");
        self.say_stuck(claim, &why).await?;
        Ok(why)
    }

    /// Says why a sheet was not worked, and that it cannot be rejected: the reason lies nowhere else until it can be. Gives
    /// both.
    pub(super) async fn not_rejected(
        self: &Arc<Self>,
        claim: &Claim,
        why: &Rejection,
        error: &FinishError,
    ) -> Result<String, DaemonError> {
        let sheet = claim.new.sheet_name.as_str();
        let told = format!("{why} {}", chain(error));
        tracing::error!(sheet, "{told}; it is tried again");
        self.say_stuck(claim, &format!("{sheet} was not worked: {told}"))
            .await?;
        Ok(told)
    }

    /// Has the inbox say what is wrong until the sheet is where it belongs.
    pub(in crate::daemon) async fn say_stuck(
        self: &Arc<Self>,
        claim: &Claim,
        why: &str,
    ) -> Result<(), DaemonError> {
        // The folder of a sheet that is in no inbox is not the inbox's trouble.
        if claim.new.out_path.is_some() {
            return Ok(());
        }
        self.looks.not_written(claim, why);
        let noted = why.to_owned();
        self.by_hand("result", move |desk| desk.note_stuck(&noted))
            .await??;
        Ok(())
    }

    /// Has the inbox say no more what was wrong with a sheet, whose result is where it belongs, or is no longer owed.
    pub(in crate::daemon) async fn say_written(self: &Arc<Self>, claim: ClaimRef) -> Result<(), DaemonError> {
        let Some(why) = self.looks.written(claim) else {
            return Ok(());
        };
        let mended = move |desk: &Self| {
            let now = desk.importer.submitter.now();
            desk.looks.mended(desk.ledger(), (&why, &desk.folder), &now)
        };
        self.by_hand("result", mended).await??;
        Ok(())
    }
}

/// What has begun of a sheet that is lost.
enum Begun {
    /// No order: it can be dropped again.
    None,
    /// Orders that are not at their end: they come to it without the sheet, or by a person's word.
    Open,
    /// Orders that are.
    Ended,
}

/// What to do about a lost sheet with orders that are not at their end.
const OPEN: &str = ", and the file itself is not there either: drop the same file again, and it goes on; else it ends when each \
    order of it is decided (`dropsheet status` tells which need a person)";

/// What is said of a sheet that is lost.
fn lost() -> Rejection {
    Rejection {
        code: Code::UnreadableFile,
        message: "The copy that dropsheet made of the sheet is damaged or gone, and the sheet was taken away. No order of it \
                  was sent."
            .to_owned(),
        hint: "Drop it again.".to_owned(),
    }
}

pub(in crate::daemon) fn unfinished(claim: &Claim, source: FinishError) -> DaemonError {
    DaemonError::Finish {
        sheet: claim.new.sheet_name.clone(),
        source: Box::new(source),
    }
}

pub(in crate::daemon) fn is_ledger(error: &FinishError) -> bool {
    matches!(error, FinishError::Ledger(_))
}
