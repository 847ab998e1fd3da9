//! Goes through an inbox's `done/` for sheets that a ledger has forgotten which was put back from a backup, and says
//! which there are. It is done by the inbox's own hand, a piece after the other, so that its looks come in between. That
//! it is due, and what was found, is kept in the ledger: after a run that was killed amid it the next one begins anew.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::{DaemonError, Desk};
use crate::filing::forgotten::{Search, suspects};
use crate::ledger::record::Recall;
use crate::ledger::{LedgerError, Store};

/// How long the hand is kept from other work at a time, where one file takes no longer.
const PIECE: Duration = Duration::from_secs(1);

/// How long before it was what a ledger has forgotten may seem to have been taken: the zone of names and the machine's
/// clock may have been others.
pub(super) const SLACK: SignedDuration = SignedDuration::from_hours(24);

/// What became of a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Searched {
    /// The ledger has forgotten nothing that is not told.
    NotDue,
    /// It is to be tried again.
    Later,
    /// All was gone through.
    Done,
}

/// Who goes through an inbox's `done/`.
#[derive(Debug, Default)]
pub(super) struct Searcher {
    /// What was looked at: where something else could not be, this is not read once more.
    settled: BTreeSet<String>,
}

/// Some originals that were looked at.
#[derive(Default)]
struct Piece {
    rest: BTreeSet<String>,
    settled: Vec<String>,
    /// Why some could not be read.
    unread: Vec<String>,
}

/// Has inboxes gone through for what was taken since the newest sheet that the ledger knows, of one inbox or of all.
pub(super) fn begin(
    store: &Store<'_>,
    inboxes: &[String],
    newest_of: Option<&str>,
    now: Timestamp,
) -> Result<(), LedgerError> {
    // One from the future tells of a clock that was set back: nobody knows when the others were taken.
    let newest = store.newest_taken(newest_of)?.filter(|newest| *newest <= now);
    let since = newest.and_then(|newest| newest.checked_sub(SLACK).ok());
    inboxes
        .iter()
        .try_for_each(|inbox| store.begin_recall(inbox, since))
}

/// Goes through an inbox whenever that is due, until the program ends.
pub(super) async fn keep(desk: &Arc<Desk>, ending: &CancellationToken) -> Result<(), DaemonError> {
    let mut searcher = Searcher::default();
    while !ending.is_cancelled() {
        searcher.round(desk, ending).await?;
        super::pause(desk.inbox.look, ending).await;
    }
    Ok(())
}

impl Searcher {
    /// Goes through an inbox where that is due.
    pub(super) async fn round(
        &mut self,
        desk: &Arc<Desk>,
        ending: &CancellationToken,
    ) -> Result<Searched, DaemonError> {
        let inbox = &desk.inbox.name;
        let Some(recall) = desk.ledger().read(|store| store.recall(inbox))? else {
            return Ok(Searched::NotDue);
        };
        let of = recall.clone();
        let listed = desk.by_hand("recall", move |desk| {
            desk.trouble().is_none().then(|| suspects(&desk.folder, &of))
        });
        let mut rest = match listed.await? {
            // The inbox itself says what is wrong.
            None => return Ok(Searched::Later),
            Some(Ok(suspects)) => suspects,
            Some(Err(error)) => {
                return not_now(desk, format!("done/ cannot be gone through: {error}.")).await;
            }
        };
        rest.retain(|name| !self.settled.contains(name));
        let mut unread = Vec::new();
        while !rest.is_empty() {
            if ending.is_cancelled() {
                return Ok(Searched::Later);
            }
            let of = recall.clone();
            let piece = desk
                .by_hand("recall", move |desk| desk.look_at_some(rest, &of))
                .await??;
            self.settled.extend(piece.settled);
            unread.extend(piece.unread);
            rest = piece.rest;
        }
        if let Some(first) = unread.into_iter().next() {
            return not_now(desk, first).await;
        }
        desk.ledger()
            .write(move |store| store.end_recall(&recall))
            .await?;
        Ok(Searched::Done)
    }
}

impl Searched {
    /// What a single pass says of it; nothing where nothing is left to say.
    pub(super) fn told(self, desk: &Desk) -> Result<Option<String>, LedgerError> {
        let inbox = &desk.inbox.name;
        let said = match self {
            Self::NotDue => None,
            Self::Later => {
                let recall = desk.ledger().read(|store| store.recall(inbox))?;
                recall.and_then(|recall| recall.trouble).map(|(why, _since)| why)
            }
            Self::Done => {
                let names = desk.ledger().read(|store| store.forgotten_in(inbox))?;
                let sheets = match names.len() {
                    0 => return Ok(None),
                    1 => "1 sheet in done/ was".to_owned(),
                    n => format!("{n} sheets in done/ were"),
                };
                Some(format!(
                    "{sheets} worked after the backup was made that the ledger was put back from, or by one that is \
                     lost; `dropsheet status` names them and says what to do."
                ))
            }
        };
        Ok(said.map(|said| format!("inbox `{inbox}`: {said}")))
    }
}

impl Desk {
    fn search(&self) -> Search<'_> {
        Search {
            ledger: self.ledger(),
            inbox: &self.inbox,
            account: self.importer.submitter.account,
            folder: &self.folder,
            scratch: &self.importer.spool,
        }
    }

    /// Looks at originals until there are none or it was long enough. Waits for the disk.
    fn look_at_some(&self, mut rest: BTreeSet<String>, recall: &Recall) -> Result<Piece, LedgerError> {
        let (begun, now) = (Instant::now(), self.importer.submitter.now().wall);
        let mut piece = Piece::default();
        while let Some(name) = rest.pop_first() {
            match self.search().look_at(&name, recall, now)? {
                Ok(()) => piece.settled.push(name),
                Err(error) => piece.unread.push(format!("done/{name} cannot be read: {error}.")),
            }
            if begun.elapsed() >= PIECE {
                break;
            }
        }
        piece.rest = rest;
        Ok(piece)
    }
}

/// Notes why not all could be gone through, and says it where that is news.
async fn not_now(desk: &Desk, why: String) -> Result<Searched, DaemonError> {
    let (inbox, now) = (desk.inbox.name.clone(), desk.importer.submitter.now().wall);
    let noted = why.clone();
    let is_news = desk
        .ledger()
        .write(move |store| store.set_recall_trouble(&inbox, &noted, now))
        .await?;
    if is_news {
        tracing::error!(
            inbox = desk.inbox.name,
            "{why} Which sheets were worked after the backup was made that the ledger was put back from, or by one that is \
             lost, is not known; it is tried again"
        );
    }
    Ok(Searched::Later)
}
