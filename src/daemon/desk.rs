//! One inbox at work: whether its folder can be trusted, what lies in it, and one sheet after the other.

mod cancels;
mod heed;
mod in_time;
mod leave;
mod named;
mod outside;
mod statuses;
mod stuck;
mod totals;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time::Instant;

use self::cancels::Canceled;
pub(super) use self::stuck::{is_ledger, unfinished};
use self::totals::Totals;
use super::hand::Hand;
use super::keep::Awaited;
use super::looks::Looks;
use super::{DaemonError, SheetReport};
use crate::attention;
use crate::clock::{BootTime, Now};
use crate::config::Inbox;
use crate::filing::approve::Decider;
use crate::filing::finish::{Finisher, WrittenResult, rejection};
use crate::filing::forgotten;
use crate::filing::grown::Places;
use crate::filing::leftovers;
use crate::filing::take::{TakeError, Taken, Taker};
use crate::finding::{Code, Rejection};
use crate::import::turns::{Turn, Turns};
use crate::import::{ImportError, Importer, Worked};
use crate::inbox::marker::{self, Marker};
use crate::inbox::{Folder, look::Found};
use crate::ledger::record::{Claim, ClaimRef, Purpose};
use crate::ledger::{Ledger, LedgerError};
use crate::notify::concern::Untaken;
use crate::outcome::Status;
use crate::submit::Blocked;

/// How long orders wait for an absent service before the result says so.
const INTERIM: Duration = Duration::from_mins(5);

/// How often `STOP` is looked for while a sheet is worked: who puts it there means the next order.
const HEED: Duration = Duration::from_millis(100);

/// How often what younger sheets cancel, and the totals, are looked at meanwhile.
const LOOK: Duration = Duration::from_secs(1);

/// How soon it is tried again to put away an original, where that failed though this user may write there.
const PUT_AWAY_AGAIN: Duration = Duration::from_mins(15);

/// What is said of a sheet that the end of the program comes upon.
const TOLD_TO_END: &str = "dropsheet was told to end before all of it was sent; the next run goes on.";

/// An inbox, and who works it.
#[derive(Debug)]
pub struct Desk {
    /// The inbox.
    pub inbox: Inbox,
    /// Its folders.
    pub folder: Folder,
    /// What the config has worked.
    pub worked: Arc<attention::Configured>,
    /// Who works its sheets.
    pub importer: Arc<Importer>,
    /// Set while a file named `STOP` forbids creates.
    pub stop: Arc<AtomicBool>,
    /// What a killed process left in `processing/` was seen to.
    pub recovered: AtomicBool,
    /// What it left there was taken for a sign that the ledger is older than it thinks.
    pub distrusted: AtomicBool,
    /// Whether all that the ledger knows of the folder goes by the inbox's name.
    pub goes_by_its_name: AtomicBool,
    /// What its last look has shown.
    pub looks: Looks,
    /// Does its file calls.
    pub hand: Hand,
    /// Looks for `STOP` beside it: a large result takes its time.
    pub lookout: Hand,
    /// Writes results that lie in no inbox: their folders may be silent while the inbox's own answers.
    pub outside: Hand,
    /// Those beside which it was not looked yet for what a killed process left.
    pub unswept: Mutex<BTreeSet<ClaimRef>>,
    /// Sheets of which it is not known what they ask to cancel: their copies could not be opened.
    pub unheard: Mutex<BTreeSet<ClaimRef>>,
    /// When it was last tried to put away originals that could not be put away at once.
    pub put_away_at: Mutex<Option<BootTime>>,
    /// Who waits for whom among the sheets of all inboxes.
    pub turns: Arc<Turns>,
    /// Whose first files the inboxes of an account wait for.
    pub(in crate::daemon) awaited: Arc<Awaited>,
    /// `STOP` is looked for now, for a sheet under way.
    pub heeding: AtomicBool,
    /// It was looked how far back parcels are still to be told.
    pub told_parcels: AtomicBool,
}

impl Desk {
    pub(super) fn ledger(&self) -> &Ledger {
        &self.importer.submitter.ledger
    }

    /// Has the inbox's hand do something with its files.
    pub(super) async fn by_hand<T: Send + 'static>(
        self: &Arc<Self>,
        what: &'static str,
        work: impl FnOnce(&Self) -> T + Send + 'static,
    ) -> Result<T, DaemonError> {
        let desk = Arc::clone(self);
        let done = self.hand.run(what, move || work(&desk)).await;
        done.ok_or(DaemonError::Panicked)
    }

    /// Why nothing may be created in this folder now, as a sentence; none when it can be worked. Waits for the disk.
    pub fn trouble(&self) -> Option<String> {
        let trouble = self.look_for_trouble();
        if let Some(why) = &trouble {
            self.stop.store(true, Ordering::Relaxed);
            if let Err(error) = self.note_trouble(why) {
                // The next write of somebody who can stop the program says it too.
                tracing::error!(%error, "the ledger does not take what is wrong with a folder");
            }
        }
        trouble
    }

    /// A trouble with the inbox's name.
    pub(super) fn with_name(&self, trouble: &str) -> String {
        format!("inbox `{}`: {trouble}", self.inbox.name)
    }

    /// Notes what keeps sheets from being taken, for who asks how the inbox does. Waits for the disk.
    pub(super) fn note_trouble(&self, why: &str) -> Result<(), LedgerError> {
        let now = self.importer.submitter.now();
        self.looks.trouble(self.ledger(), (&self.inbox.name, why), &now)
    }

    /// The same, of a sheet in a folder that is worked. Waits for the disk.
    fn note_stuck(&self, why: &str) -> Result<(), LedgerError> {
        let now = self.importer.submitter.now();
        self.looks.stuck(self.ledger(), (&self.inbox.name, why), &now)
    }

    /// The newest files that were rejected without being taken.
    pub(super) fn rejected(&self) -> Vec<Untaken> {
        let of = |(name, place)| Untaken {
            inbox: self.inbox.name.clone(),
            name,
            place,
        };
        self.looks.rejected().into_iter().map(of).collect()
    }

    pub(super) fn look_for_trouble(&self) -> Option<String> {
        let root = self.folder.root().display();
        match marker::read(self.folder.root(), self.ledger().id()) {
            Ok(marker) => {
                let wrong = self.wrongly_marked(&marker);
                if let Some(why) = wrong.or_else(|| self.go_on_under_its_name()) {
                    return Some(why);
                }
            }
            Err(error) => return Some(format!("{root} cannot be read: {error}")),
        }
        if let Err(error) = self.folder.make() {
            return Some(format!(
                "a folder of the inbox cannot be made: {error}; is a file or a link in its place, or the right to write missing?"
            ));
        }
        match self.folder.is_stopped() {
            Ok(stopped) => {
                self.stop.store(stopped, Ordering::Relaxed);
                None
            }
            Err(error) => Some(format!("{root} cannot be listed: {error}")),
        }
    }

    fn wrongly_marked(&self, marker: &Marker) -> Option<String> {
        let (what, remedy) = marker.wrong()?;
        // What is said of a folder goes on behind it.
        let remedy = remedy.trim_end_matches('.');
        Some(format!("{}: {what}. {remedy}", self.folder.root().display()))
    }

    /// Why nothing may be sent with the inbox's settings, be it of sheets that lie elsewhere: its folder is another ledger's,
    /// which knows what was sent.
    pub(super) fn is_anothers(&self) -> Option<String> {
        match marker::read(self.folder.root(), self.ledger().id()) {
            Ok(marker @ Marker::Other(_)) => self.wrongly_marked(&marker),
            Ok(Marker::Ours) => self.go_on_under_its_name(),
            Ok(Marker::Missing) | Err(_) => None,
        }
    }

    /// The place of one of its sheets among those under way.
    pub(super) fn turn(&self, claim: &Claim) -> Turn {
        self.turns.begin(claim.id, &self.inbox)
    }

    fn taker<'a>(&'a self, changed_until: Option<&'a BootTime>) -> Taker<'a> {
        Taker {
            ledger: self.ledger(),
            account: self.importer.submitter.account,
            inbox: &self.inbox,
            spool: &self.importer.spool,
            zone: &self.importer.zone,
            folder: &self.folder,
            changed_until,
        }
    }

    pub(super) fn finisher(&self) -> Finisher<'_> {
        Finisher {
            importer: &self.importer,
            inbox: &self.inbox,
            folder: &self.folder,
            worked: &self.worked,
        }
    }

    /// Looks at `inbox/` and `try/` and takes what is ready. Waits for the disk.
    pub fn look(&self) -> Result<Taken, DaemonError> {
        self.look_at_older(None)
    }

    /// The same, where files that have changed after a moment are left as if they were not there.
    pub fn look_at_older(&self, changed_until: Option<&BootTime>) -> Result<Taken, DaemonError> {
        let now = self.importer.submitter.now();
        self.note_catalog()?;
        let taker = self.taker(changed_until);
        if !self.is_recovered() {
            self.see_to_leftovers()?;
        }
        // Before the look: what comes back is seen by it.
        let not_back = self.looks.at_archived(self.archived(), self.inbox.look, &now)?;
        forgotten::end_gone(self.ledger(), &self.inbox.name, &self.folder)?;
        let mut taken = taker.look(Purpose::Send, &now)?;
        taken.left_alone.extend(not_back);
        let tried = taker.look(Purpose::Try, &now)?;
        taken.claims.extend(tried.claims);
        taken.waiting += tried.waiting;
        taken.open += tried.open;
        taken.unreadable.extend(tried.unreadable);
        taken.waiting_files.extend(tried.waiting_files);
        taken.ready_in = taken.ready_in.into_iter().chain(tried.ready_in).min();
        taken.rejected.extend(tried.rejected);
        taken.left_alone.extend(tried.left_alone);
        taken.moved.extend(tried.moved);
        leftovers::archive_done(&self.finisher(), &taken.moved)?;
        taken.left_alone.extend(self.put_away_late(&now)?);
        let decided = self.decider().look(&now)?;
        taken.decisions_waiting = decided.waiting + decided.unread;
        taken.ready_in = taken.ready_in.into_iter().chain(decided.ready_in).min();
        taken.rejected.extend(decided.rejected);
        taken.troubles = decided.troubles;
        taken.unreadable.extend(decided.unreadable);
        taken.left_alone.extend(decided.left_alone);
        let of = (self.inbox.name.as_str(), &self.folder);
        self.looks.seen(self.ledger(), of, &taken, &now)?;
        Ok(taken)
    }

    /// The originals that could not be put away, and why. To try one again costs a reading of it, over a network too, so that
    /// this is done once a quarter of an hour where it was tried in vain.
    fn put_away_late(&self, now: &Now) -> Result<Vec<(PathBuf, String)>, TakeError> {
        let mut tried = self.put_away_at.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = tried.as_ref().and_then(|at| now.boot.since(at));
        let left = leftovers::not_archived(&self.finisher())?;
        let is_tried = waited.is_some_and(|waited| waited < PUT_AWAY_AGAIN);
        if left.is_empty() || is_tried || !leftovers::archive(&self.finisher())? {
            return Ok(left);
        }
        *tried = Some(now.boot.clone());
        leftovers::not_archived(&self.finisher())
    }

    fn archived(&self) -> Places<'_> {
        Places {
            ledger: self.ledger(),
            folder: &self.folder,
            spool: &self.importer.spool,
        }
    }

    fn decider(&self) -> Decider<'_> {
        Decider {
            ledger: self.ledger(),
            inbox: &self.inbox,
            folder: &self.folder,
            scratch: &self.importer.spool,
            zone: &self.importer.zone,
        }
    }

    /// Takes a file that is in no inbox; its results go to `out`. Waits for the disk.
    pub fn take_outside(&self, found: &Found, out: String) -> Result<ClaimRef, DaemonError> {
        let now = self.importer.submitter.now();
        Ok(self.taker(None).take(found, Purpose::Send, &now, Some(out))?)
    }

    /// The inbox's taken sheets that are not done, oldest first.
    pub fn open_claims(&self) -> Result<Vec<Claim>, LedgerError> {
        let open = self.ledger().read(|store| store.open_claims())?;
        Ok(open
            .into_iter()
            .filter(|claim| claim.new.inbox == self.inbox.name)
            .collect())
    }

    /// Works one taken sheet to its end, or as far as it goes now.
    pub async fn work(
        self: &Arc<Self>,
        claim: &Claim,
        turn: Option<&Turn>,
    ) -> Result<SheetReport, DaemonError> {
        let mut report = SheetReport {
            claim: Some(claim.id),
            inbox: self.inbox.name.clone(),
            sheet: claim.new.sheet_name.clone(),
            ..SheetReport::default()
        };
        let mut totals = Totals::new(self, claim);
        let worked = match self.work_or_tell((claim, turn), &mut totals).await {
            Ok(worked) => worked,
            Err(error) => {
                let Some(why) = rejection(&error) else {
                    return self.not_worked(claim, report, error).await;
                };
                // With orders of it under way it is not the sheet that is broken, but what it is read from.
                let begun = self.ledger().read(|store| store.has_orders(claim.id))?;
                if begun || why.code == Code::UnreadableFile {
                    return self.not_read(claim, report, (why, begun)).await;
                }
                return self.end_rejected(claim, report, why).await;
            }
        };
        if worked.waiting.is_none() && claim.new.purpose == Purpose::Send {
            totals.end().await?;
        }
        if worked.waiting.is_some() && self.importer.submitter.health.stopped() == Some(Blocked::Ending) {
            // The next start goes on; a result of what waits for it would only take time that there is not.
            report.orders = self.statuses(claim.id).await?;
            let ended = self.ledger().read(|store| store.outcomes_of(claim.id))?;
            // What it did not come to has no outcome yet.
            let rest = worked.index.orders().saturating_sub(ended);
            *report.orders.entry(Status::Waiting).or_insert(0) += rest;
            report.trouble = Some(TOLD_TO_END.to_owned());
            return Ok(report);
        }
        let stuck = worked
            .waiting
            .clone()
            .filter(|(code, _why)| *code == Code::SkuMapWaits);
        let report = Box::pin(self.tell_of(claim, worked, report)).await?;
        if let Some((_code, why)) = stuck.filter(|_stuck| report.result.is_some()) {
            self.say_stuck(claim, &why).await?;
        }
        Ok(report)
    }

    /// Has the result of a sheet written, and tells of it.
    async fn tell_of(
        self: &Arc<Self>,
        claim: &Claim,
        worked: Worked,
        mut report: SheetReport,
    ) -> Result<SheetReport, DaemonError> {
        match self.finish(claim, worked).await {
            Ok(written) => report.tell(written),
            // The orders are safe in the ledger; the result is written when the folder can be written again.
            Err(DaemonError::Finish { source, .. }) if !is_ledger(&source) => {
                report.trouble = Some(self.not_written(claim, &source).await?);
                report.orders = self.statuses(claim.id).await?;
            }
            Err(error) => return Err(error),
        }
        Ok(report)
    }

    /// Works a sheet; when its orders wait for an absent service for minutes, the result says so meanwhile. The folder is
    /// seen to beside the work: one that does not answer holds nothing up.
    async fn work_or_tell(
        self: &Arc<Self>,
        (claim, turn): (&Claim, Option<&Turn>),
        totals: &mut Totals,
    ) -> Result<Worked, ImportError> {
        let mut work = std::pin::pin!(self.importer.work(claim, &self.inbox, &self.stop, turn));
        let mut next_tell = Instant::now() + INTERIM;
        let mut next_look = Instant::now() + LOOK;
        let mut telling = JoinSet::new();
        let mut canceled = Canceled::new(self, claim);
        loop {
            tokio::select! {
                worked = &mut work => {
                    // An interim result must not come after the last one.
                    while telling.join_next().await.is_some() {}
                    canceled.end().await;
                    return worked;
                }
                () = tokio::time::sleep(HEED) => {}
            }
            self.heed(turn.is_none());
            if Instant::now() < next_look {
                continue;
            }
            next_look = Instant::now() + LOOK;
            canceled.look()?;
            totals.look()?;
            let is_telling = telling.try_join_next().is_none() && !telling.is_empty();
            if Instant::now() < next_tell || is_telling {
                continue;
            }
            next_tell = Instant::now() + INTERIM;
            let away = self.importer.submitter.health.away();
            if let Some((_for, why)) = away.filter(|(away_for, _)| *away_for >= INTERIM) {
                telling.spawn(Arc::clone(self).tell_or_say(claim.clone(), why));
            }
        }
    }

    async fn tell_or_say(self: Arc<Self>, claim: Claim, why: Blocked) {
        if let Err(error) = self.tell(&claim, &why).await {
            tracing::warn!(%error, sheet = claim.new.sheet_name, "its result cannot be written yet");
        }
    }

    async fn tell(self: &Arc<Self>, claim: &Claim, why: &Blocked) -> Result<(), DaemonError> {
        let read = self
            .importer
            .read(claim, &self.inbox)
            .await
            .map_err(|source| DaemonError::Import {
                sheet: claim.new.sheet_name.clone(),
                source: Box::new(source),
            })?;
        let waits = self.importer.waits_for(why).map_err(DaemonError::Cache)?;
        let worked = Worked::of(read, Some(waits));
        self.finish(claim, worked).await.map(drop)
    }

    async fn finish(self: &Arc<Self>, claim: &Claim, worked: Worked) -> Result<WrittenResult, DaemonError> {
        let (of, now) = (claim.clone(), self.importer.submitter.now().wall);
        let finished = self
            .for_result(claim, move |desk| desk.finisher().finish(&of, &worked, now))
            .await?;
        let written = finished.map_err(|source| unfinished(claim, source))?;
        self.say_written(claim.id).await?;
        Ok(written)
    }

    async fn reject(self: &Arc<Self>, claim: &Claim, why: Rejection) -> Result<(), DaemonError> {
        let of = claim.clone();
        let rejected = self
            .for_result(claim, move |desk| desk.finisher().reject(&of, &why))
            .await?;
        rejected.map_err(|source| unfinished(claim, source))?;
        self.say_written(claim.id).await?;
        Ok(())
    }
}
