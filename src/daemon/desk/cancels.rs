//! The cancels of sheets that have not had their turn, and what becomes of the orders of older sheets by them.

use std::collections::BTreeSet;
use std::sync::{Arc, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time::Instant;

use super::super::{DaemonError, SheetReport};
use super::Desk;
use crate::causes::chain;
use crate::filing::take::is_open;
use crate::finding::Code;
use crate::import::turns::Turn;
use crate::import::{Worked, sends};
use crate::ledger::LedgerError;
use crate::ledger::record::{Claim, ClaimRef};
use crate::submit::Blocked;

impl Desk {
    /// Hears what taken sheets ask to cancel, before any of them is worked: an older sheet that waits does not send it.
    /// Gives those whose copies could not be opened: older sheets wait until they are heard.
    pub(in crate::daemon) async fn hear_cancels(
        &self,
        claims: &[Claim],
    ) -> Result<Vec<ClaimRef>, DaemonError> {
        let mut unheard = Vec::new();
        for claim in claims {
            if self.importer.submitter.health.stopped() == Some(Blocked::Ending) {
                break;
            }
            let heard = self.importer.hear_cancels(claim, &self.inbox).await;
            let is_heard = heard.map_err(|source| DaemonError::Import {
                sheet: claim.new.sheet_name.clone(),
                source: Box::new(source),
            })?;
            let mut all = self.unheard();
            if is_heard {
                all.remove(&claim.id);
            } else {
                all.insert(claim.id);
                unheard.push(claim.id);
            }
        }
        Ok(unheard)
    }

    /// The same for who comes to these sheets but once: a copy that cannot be opened is made anew from its original.
    pub(in crate::daemon) async fn hear_cancels_once(
        self: &Arc<Self>,
        claims: &[Claim],
    ) -> Result<(), DaemonError> {
        let unheard = self.hear_cancels(claims).await?;
        for claim in claims.iter().filter(|claim| unheard.contains(&claim.id)) {
            if self.mend_copy(claim).await? {
                tracing::warn!(
                    sheet = claim.new.sheet_name,
                    "its copy could not be opened, and is made anew from the original"
                );
                self.hear_cancels(std::slice::from_ref(claim)).await?;
            }
        }
        Ok(())
    }

    /// Works a sheet, unless a younger one may ask to cancel orders of it and could not be heard.
    pub(in crate::daemon) async fn work_if_all_are_heard(
        self: &Arc<Self>,
        claim: &Claim,
        turn: &Turn,
    ) -> Result<SheetReport, DaemonError> {
        match self.unheard_behind(claim).await? {
            Some(younger) => Box::pin(self.wait_for(claim, &younger)).await,
            None => Box::pin(self.work(claim, Some(turn))).await,
        }
    }

    /// The eldest of the younger sheets that could not be heard. One whose original is not there any more either was taken
    /// away: nobody will ever read it.
    async fn unheard_behind(self: &Arc<Self>, claim: &Claim) -> Result<Option<Claim>, DaemonError> {
        if !sends(claim.new.purpose) {
            return Ok(None);
        }
        for id in self.younger_unheard(claim) {
            let Some(younger) = self.ledger().read(|store| store.claim(id))?.filter(is_open) else {
                continue;
            };
            let of = younger.clone();
            let is_there = move |desk: &Self| desk.finisher().has_original(&of);
            // A folder that does not answer tells nothing.
            if self.in_time("look", is_there).await?.unwrap_or(true) {
                return Ok(Some(younger));
            }
        }
        Ok(None)
    }

    fn younger_unheard(&self, claim: &Claim) -> Vec<ClaimRef> {
        let all = self.unheard();
        all.iter().copied().filter(|id| *id > claim.id).collect()
    }

    fn unheard(&self) -> MutexGuard<'_, BTreeSet<ClaimRef>> {
        self.unheard.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sends nothing of a sheet, and says that it waits for a younger one.
    async fn wait_for(self: &Arc<Self>, claim: &Claim, younger: &Claim) -> Result<SheetReport, DaemonError> {
        let sheet = claim.new.sheet_name.as_str();
        let why = format!(
            "The younger sheet {} cannot be read now, and may ask to cancel orders of this one. Take it out of processing/ \
             and drop it again; this one then goes on by itself.",
            younger.new.sheet_name
        );
        let told = format!("{sheet} waits. {why}");
        // Once until that changes: it may lie there for days.
        if self.looks.not_written(claim, &told) {
            tracing::error!(sheet, "it waits: {why}");
        }
        let mut report = SheetReport {
            claim: Some(claim.id),
            inbox: self.inbox.name.clone(),
            sheet: sheet.to_owned(),
            trouble: Some(why.clone()),
            ..SheetReport::default()
        };
        match self.importer.read(claim, &self.inbox).await {
            Ok(read) => {
                let waits = Worked::of(read, Some((Code::CancelsUnheard, why.clone())));
                report = self.tell_of(claim, waits, report).await?;
            }
            // What is wrong with it is said, and done, when it goes on.
            Err(error) => tracing::debug!(sheet, why = chain(&error), "no result says that it waits"),
        }
        self.say_stuck(claim, &told).await?;
        Ok(report)
    }
}

/// What could not be ended is tried again after this time: a map that cannot be read now, say.
const AGAIN: Duration = Duration::from_secs(30);

/// Ends the orders of a sheet under way that younger sheets ask to cancel, one round at a time.
pub(super) struct Canceled {
    desk: Arc<Desk>,
    claim: Claim,
    rounds: Rounds,
    round: JoinSet<bool>,
}

impl Canceled {
    pub(super) fn new(desk: &Arc<Desk>, claim: &Claim) -> Self {
        Self {
            desk: Arc::clone(desk),
            claim: claim.clone(),
            rounds: Rounds::default(),
            round: JoinSet::new(),
        }
    }

    /// Begins a round where there are further cancels.
    pub(super) fn look(&mut self) -> Result<(), LedgerError> {
        let now = Instant::now();
        match self.round.try_join_next() {
            Some(ended) => self.rounds.ended(matches!(ended, Ok(true)), now),
            None if !self.round.is_empty() => return Ok(()),
            None => {}
        }
        if !sends(self.claim.new.purpose) {
            return Ok(());
        }
        let id = self.claim.id;
        let asked = self.desk.ledger().read(|store| store.cancels_after(id))?;
        if self.rounds.begins(asked, now) {
            self.round
                .spawn(end_canceled(Arc::clone(&self.desk), self.claim.clone()));
        }
        Ok(())
    }

    /// Waits for the end of the newest round.
    pub(super) async fn end(mut self) {
        while self.round.join_next().await.is_some() {}
    }
}

/// How many cancels there are, and the youngest of the sheets that ask for them: one may be withdrawn as another comes.
type Asked = (u32, Option<ClaimRef>);

/// Which cancels the rounds have come to.
#[derive(Debug, Default)]
struct Rounds {
    /// Those of the newest round that did not fail.
    known: Asked,
    /// Those of the one under way.
    asked: Asked,
    /// None begins before this.
    not_before: Option<Instant>,
}

impl Rounds {
    /// Whether a round begins, where these cancels are asked for.
    fn begins(&mut self, asked: Asked, now: Instant) -> bool {
        let (known, youngest) = self.known;
        if asked.0 <= known && asked.1 <= youngest {
            self.known = asked;
            return false;
        }
        let is_due = self.not_before.is_none_or(|at| at <= now);
        if is_due {
            self.asked = asked;
        }
        is_due
    }

    /// Notes that one has ended.
    fn ended(&mut self, is_done: bool, now: Instant) {
        self.not_before = (!is_done).then(|| now + AGAIN);
        if is_done {
            self.known = self.asked;
        }
    }
}

/// Gives whether what could be ended was.
async fn end_canceled(desk: Arc<Desk>, claim: Claim) -> bool {
    let ended = desk.importer.end_canceled(&claim, &desk.inbox, &desk.stop);
    // The sheet comes to them by itself, and says what is wrong.
    let Err(error) = ended.await else { return true };
    let why = chain(&error);
    tracing::debug!(sheet = claim.new.sheet_name, why, "canceled orders end later");
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_round_that_failed_is_made_again_after_a_while_and_one_that_did_not_waits_for_further_cancels() {
        let (mut rounds, now) = (Rounds::default(), Instant::now());
        let asked = |count, youngest: i64| (count, (youngest > 0).then_some(ClaimRef(youngest)));
        assert!(!rounds.begins(asked(0, 0), now));
        assert!(rounds.begins(asked(2, 7), now));
        rounds.ended(false, now);
        assert!(!rounds.begins(asked(2, 7), now) && !rounds.begins(asked(3, 7), now));
        assert!(rounds.begins(asked(3, 7), now + AGAIN));
        rounds.ended(true, now + AGAIN);
        assert!(!rounds.begins(asked(3, 7), now + AGAIN));
        // Some are forgotten, and others come.
        assert!(!rounds.begins(asked(1, 7), now + AGAIN));
        assert!(rounds.begins(asked(2, 7), now + AGAIN));
        rounds.ended(true, now + AGAIN);
        // Between two looks.
        assert!(rounds.begins(asked(2, 8), now + AGAIN));
        rounds.ended(true, now + AGAIN);
        assert!(!rounds.begins(asked(1, 7), now + AGAIN) && !rounds.begins(asked(0, 0), now + AGAIN));
    }
}
