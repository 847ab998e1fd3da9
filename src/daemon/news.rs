//! Results that are written again when news come: an unanswered order settled, a service total, a tracking.

use std::io;
use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};

use super::desk::{is_ledger, unfinished};
use super::{DaemonError, Desk};
use crate::causes::chain;
use crate::filing::finish::{WrittenResult, rejection};
use crate::finding::Code;
use crate::import::{ImportError, Read, Worked};
use crate::ledger::LedgerError;
use crate::ledger::record::{Claim, ClaimRef, ClaimState};

/// Results that were written again, how many were not, and what a person has to know of those, as sentences.
#[derive(Debug, Default)]
pub(super) struct News {
    pub(super) written: Vec<(ClaimRef, WrittenResult)>,
    pub(super) left: usize,
    pub(super) troubles: Vec<String>,
}

/// What became of a result that has news.
enum Rewritten {
    /// It tells them.
    Written(WrittenResult),
    /// There is nothing to write.
    AsItIs,
    /// It is written later; with why, where a person has to know it.
    Later(Option<String>),
}

impl Desk {
    /// Writes the results again that have news, and gives what they say. A folder that is away keeps its news until it
    /// is back: then only those `outside` of it are written.
    pub(super) async fn write_news(self: &Arc<Self>, outside: bool) -> Result<News, DaemonError> {
        let stale: Vec<Claim> = self.ledger().read(|store| store.stale_claims())?;
        let mut news = News::default();
        let meant =
            |claim: &&Claim| claim.new.inbox == self.inbox.name && (!outside || claim.new.out_path.is_some());
        for claim in stale.iter().filter(meant) {
            match self.rewrite(claim).await? {
                Rewritten::Written(written) => news.written.push((claim.id, written)),
                Rewritten::AsItIs => news.left += 1,
                Rewritten::Later(trouble) => {
                    news.left += 1;
                    news.troubles.extend(trouble);
                }
            }
        }
        Ok(news)
    }

    /// Writes the result of a done sheet again that has news.
    async fn rewrite(self: &Arc<Self>, claim: &Claim) -> Result<Rewritten, DaemonError> {
        if claim.state != ClaimState::Done {
            return Ok(Rewritten::AsItIs);
        }
        let read = match self.read_or_mend(claim).await? {
            Ok(read) => read,
            Err(ImportError::Spool { source, .. })
                if source.kind() == io::ErrorKind::NotFound && !self.is_away().await? =>
            {
                tracing::info!(
                    sheet = claim.new.sheet_name,
                    "its copy is no longer kept: its result stays as it is"
                );
                let id = claim.id;
                self.ledger().write(move |store| store.forget_news(id)).await?;
                self.say_written(id).await?;
                return Ok(Rewritten::AsItIs);
            }
            Err(error) => {
                let told = self.not_read_again(claim, &error);
                // That is told of an import too: its folder has nothing to do with it.
                let trouble = rejection(&error).is_some().then(|| told.clone());
                let later = self.is_later(claim, told).await?;
                return Ok(Rewritten::Later(later.or(trouble)));
            }
        };
        let worked = Worked::of(read, None);
        let (of, now) = (claim.clone(), self.importer.submitter.now().wall);
        let writing = self.for_result(claim, move |desk| desk.finisher().write(&of, &worked, now));
        match writing.await? {
            Ok(written) => {
                self.say_written(claim.id).await?;
                tracing::info!(sheet = claim.new.sheet_name, result = %written.path.display(), "its result has news");
                Ok(Rewritten::Written(written))
            }
            Err(error) if is_ledger(&error) => Err(unfinished(claim, error)),
            Err(error) => {
                let told = format!("{}; it is tried again", chain(&error));
                Ok(Rewritten::Later(self.is_later(claim, told).await?))
            }
        }
    }

    /// Reads a sheet's copy, which is made anew from the original where it is not what was taken, or gone before its time.
    async fn read_or_mend(self: &Arc<Self>, claim: &Claim) -> Result<Result<Read, ImportError>, DaemonError> {
        let read = self.importer.read(claim, &self.inbox).await;
        let Err(ImportError::Spool { source, .. }) = &read else {
            return Ok(read);
        };
        if source.kind() == io::ErrorKind::NotFound && !self.keeps_copy(claim)? {
            return Ok(read);
        }
        if !self.mend_copy(claim).await? {
            return Ok(read);
        }
        tracing::info!(
            sheet = claim.new.sheet_name,
            "its copy is made anew from the original"
        );
        Ok(self.importer.read(claim, &self.inbox).await)
    }

    /// Whether the inbox's folder is away: an original in it may be there all the same.
    async fn is_away(self: &Arc<Self>) -> Result<bool, DaemonError> {
        let trouble = self.by_hand("look", Self::look_for_trouble).await?;
        Ok(trouble.is_some())
    }

    /// Whether the copy of a sheet is still to be there: `keep.spool` has not passed, or an order of it is not at its end.
    fn keeps_copy(&self, claim: &Claim) -> Result<bool, LedgerError> {
        let Some(keep) = self.importer.keep_spool else {
            return Ok(true);
        };
        let now = self.importer.submitter.now().wall;
        let keep = SignedDuration::try_from(keep).unwrap_or(SignedDuration::MAX);
        let since = now.checked_sub(keep).unwrap_or(Timestamp::MIN);
        self.ledger()
            .read(|store| store.copy_is_needed(&claim.new.hash, since))
    }

    /// Why the copy of a sheet that was worked does not give its result any more, and what is to be done.
    fn not_read_again(&self, claim: &Claim, error: &ImportError) -> String {
        let sheet = &claim.new.sheet_name;
        let begin = format!("The result of {sheet} cannot be written again with the news of its orders");
        match rejection(error) {
            Some(why) if why.code != Code::UnreadableFile => format!(
                "{begin}: {} The sheet could be read before: set back what was changed since in the config for inbox `{}`, \
                 as its profile. The result is written then by itself.",
                why.message, self.inbox.name
            ),
            Some(why) => format!("{begin}: {why} It is tried again."),
            None => format!("{begin}: {}; it is tried again", chain(error)),
        }
    }

    /// Says why a result with news is not written yet: once until that changes, for the folder of an import may be gone
    /// for good. At once, for a single pass makes no later look; gives it where it is the inbox's trouble.
    async fn is_later(self: &Arc<Self>, claim: &Claim, told: String) -> Result<Option<String>, DaemonError> {
        if self.looks.not_written(claim, &told) {
            tracing::warn!(
                sheet = claim.new.sheet_name,
                "its result is written again later: {told}"
            );
        }
        // Of several the inbox says one, and the same one each time.
        if let Some(first) = self.looks.trouble_of_results() {
            self.say_stuck(claim, &first).await?;
        }
        Ok(claim.new.out_path.is_none().then_some(told))
    }
}
