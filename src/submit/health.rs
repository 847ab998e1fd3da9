//! Whether an account's service can be asked now: everybody waits together while it is away, one at a time tries
//! again; refused credentials stop the account until they are others, or the program is started anew; a wrong setup
//! stops it too, and is tried again after long pauses, for a gateway that is being set up looks the same. So is an account
//! that is turned away after an accepted login: another program may have logged in at the worst moment.

mod begun;
mod blocked;
mod closed;
mod one;
mod trial;

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use jiff::Timestamp;
use tokio::sync::{Mutex as AsyncMutex, MutexGuard as AsyncMutexGuard, Notify};
use tokio::time::Instant;

use super::breaker::{Breaker, ProbeDue, pause_after};
use crate::clock::Clock;
use crate::service::{Answers, Failure, Heard, LONGEST_PAUSE, Verdict};

pub use blocked::Blocked;

/// How often in a row nothing of the service's may be there before the account counts as set up wrongly.
const MOMENTS: u32 = 2;

/// So many times in a row the pause is the one that the service asks for: it knows best. Who asks for the same one for ever
/// may be a gateway that knows nothing.
const AS_ASKED: u32 = 8;

/// The least pause after a service has asked for one of this length, and after so many failures before: a service that asks
/// for none, time after time, gets one all the same.
fn own_pause(asked: Duration, failures: u32) -> Duration {
    let as_asked = if asked.is_zero() { 0 } else { AS_ASKED };
    match failures.checked_sub(as_asked) {
        Some(beyond) => pause_after(beyond),
        None => Duration::ZERO,
    }
}

/// The pause after an account was found to be set up wrongly, which it was so many times before: two and four seconds,
/// in which a gateway that is being set up comes back; then from a minute up to a quarter of an hour.
fn setup_pause(before: u32) -> Duration {
    if before < MOMENTS {
        return Duration::from_secs(2) * (before + 1);
    }
    let doubled = Duration::from_mins(1).saturating_mul(2_u32.saturating_pow((before - MOMENTS).min(16)));
    doubled.min(Duration::from_mins(15))
}

/// An account's health, shared by all who talk to its service.
#[derive(Debug, Default)]
pub struct Health {
    inner: Mutex<Inner>,
    /// One at a time tries while the service is away.
    probe: AsyncMutex<()>,
    /// One at a time proves that creates may leave again.
    proving: AsyncMutex<()>,
    /// One create at a time leaves then, until one is answered.
    trial: AsyncMutex<()>,
    changed: Notify,
    /// What the service has answered.
    answers: Answers,
    /// This machine's clocks, for who has to say when it is asked again.
    clock: Option<Clock>,
}

#[derive(Debug, Default)]
struct Inner {
    failures: u32,
    closings: u64,
    away_since: Option<Instant>,
    closed_until: Option<Instant>,
    last_failure: Option<Blocked>,
    /// The pause that the service asked for when it last took no more requests; it may be longer than it is kept.
    asked: Option<Duration>,
    /// When that was, by this machine's clock.
    wall: Option<Timestamp>,
    stopped: Option<Blocked>,
    /// How often in a row the account was found to be set up wrongly.
    misplaced: u32,
    /// When an account that was stopped may be tried again, where it may.
    again_at: Option<Instant>,
    /// How often in a row it was turned away after an accepted login.
    times_turned_away: u32,
    breaker: Breaker,
    patience: Option<Duration>,
}

impl Health {
    /// With a patience, who waits longer than that for the service is told that it is away; without, all wait.
    pub fn new(patience: Option<Duration>) -> Self {
        Self {
            inner: Mutex::new(Inner {
                patience,
                ..Inner::default()
            }),
            ..Self::default()
        }
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs a request when the service can be asked. What the answer says of the service's health is noted.
    pub async fn ask<T>(
        &self,
        request: impl AsyncFnOnce() -> Result<T, Failure>,
    ) -> Result<Result<T, Failure>, Blocked> {
        let permit = self.permit().await?;
        let answer = request().await;
        permit.note(answer.as_ref().err());
        Ok(answer)
    }

    /// The permit to ask without waiting, for who can do without an answer. Its failure counts like any other that
    /// left then: not at all where the service has been found away since.
    pub fn permit_at_once(&self) -> Permit<'_> {
        Permit {
            health: self,
            closings: self.inner().closings,
            _probe: None,
        }
    }

    /// Waits until the service can be asked.
    pub async fn permit(&self) -> Result<Permit<'_>, Blocked> {
        self.permit_with(false).await
    }

    /// The same for who asks what the service has answered badly before, though it may answer the others: of those who waited
    /// to try, one at a time asks it, also where the service is there.
    pub async fn permit_one_by_one(&self) -> Result<Permit<'_>, Blocked> {
        self.permit_with(true).await
    }

    async fn permit_with(&self, keeps_turn: bool) -> Result<Permit<'_>, Blocked> {
        let mut probe = None;
        loop {
            // Listened for before the look, so that no change is missed in between.
            let mut changed = std::pin::pin!(self.changed.notified());
            changed.as_mut().enable();
            let until = match self.gate()? {
                Gate::Open => {
                    // Another one has tried: who waited for that turn goes beside all others.
                    probe = probe.filter(|_turn| keeps_turn);
                    break;
                }
                Gate::Probe if probe.is_some() => break,
                Gate::Probe if keeps_turn => {
                    probe = Some(self.probe.lock().await);
                    continue;
                }
                Gate::Probe => {
                    // Whoever was under way before may be answered while the one that tries is not.
                    tokio::select! {
                        turn = self.probe.lock() => probe = Some(turn),
                        () = changed => {}
                    }
                    continue;
                }
                Gate::Closed(until) => until,
            };
            tokio::select! {
                () = tokio::time::sleep_until(until) => {}
                () = changed => {}
            }
        }
        let closings = self.inner().closings;
        Ok(Permit {
            health: self,
            closings,
            _probe: probe,
        })
    }

    /// Notes what an answer says of the service's health. Requests that were under way when it went away fail
    /// together: they are one failure, not many.
    fn note(&self, failure: Option<&Failure>, closings: u64) {
        let mut inner = self.inner();
        // Whoever stood in the queue then was sent away by nobody but the end.
        let was_sent_away = |failure: &Failure| {
            matches!(failure.verdict, Verdict::TryLater(_)) && failure.heard == Heard::Nothing
        };
        if inner.stopped == Some(Blocked::Ending) && failure.is_some_and(was_sent_away) {
            return;
        }
        match failure.map(|failure| (failure, failure.verdict)) {
            None | Some((_, Verdict::Refused)) => {
                self.answers.note();
                // What left before the pause that the service has asked for since says nothing of its end.
                if closings == inner.closings || !inner.is_parked() {
                    inner.recovered();
                }
            }
            // It was noted already, or it speaks of credentials that are others by now.
            Some((
                _,
                Verdict::Credentials | Verdict::Misconfigured | Verdict::NotSent | Verdict::Unknown,
            )) if closings != inner.closings => {}
            Some((failure, Verdict::Credentials)) => match failure.heard {
                Heard::NoToken => inner.turned_away_with(Blocked::Token(failure.to_string())),
                Heard::Denied => inner.turned_away_with(Blocked::Denied(failure.to_string())),
                Heard::Nothing | Heard::Unread | Heard::Said(_) | Heard::Odd(_) => {
                    inner.stop(Blocked::Credentials(failure.detail.clone()));
                }
            },
            Some((failure, Verdict::Misconfigured)) => inner.misplaced(failure),
            // One of many that left together: its pause is kept, and it is no further failure.
            Some((failure, Verdict::TryLater(asked))) if closings != inner.closings => {
                self.heed_pause(&mut inner);
                inner.keep_closed(asked.min(LONGEST_PAUSE), failure);
            }
            Some((failure, Verdict::TryLater(asked))) => {
                self.heed_pause(&mut inner);
                let asked = asked.min(LONGEST_PAUSE);
                let pause = asked.max(own_pause(asked, inner.failures));
                inner.close(pause, failure);
            }
            Some((failure, Verdict::NotSent | Verdict::Unknown)) => {
                let pause = pause_after(inner.failures);
                inner.close(pause, failure);
            }
        }
        drop(inner);
        self.changed.notify_waiters();
    }

    /// Waits until creates may leave. Where they are stopped, the turn to prove that the service works is given to one
    /// at a time of those who wait, after pauses that grow; none where nothing is to be proved.
    pub async fn turn_to_prove(&self) -> Result<Option<Prover<'_>>, Blocked> {
        if !self.creates_are_stopped() {
            return Ok(None);
        }
        let turn = self.proving.lock().await;
        loop {
            let mut changed = std::pin::pin!(self.changed.notified());
            changed.as_mut().enable();
            let proof = self.inner().proof()?;
            let until = match proof {
                ProbeDue::NotNeeded => return Ok(None),
                ProbeDue::Now => break,
                ProbeDue::At(until) => until,
            };
            tokio::select! {
                () = tokio::time::sleep_until(until) => {}
                () = changed => {}
            }
        }
        Ok(Some(Prover {
            health: self,
            _turn: turn,
        }))
    }

    /// The same for who waits for nobody: none too where it is not to be proved yet, or another proves it.
    pub fn turn_to_prove_now(&self) -> Option<Prover<'_>> {
        let turn = self.proving.try_lock().ok()?;
        let is_due = matches!(self.inner().proof(), Ok(ProbeDue::Now));
        is_due.then_some(Prover {
            health: self,
            _turn: turn,
        })
    }

    /// Since when the service has been away, or has answered only what sends nothing, and what it last said.
    pub fn away(&self) -> Option<(Duration, Blocked)> {
        let inner = self.inner();
        let failing = inner.failing().into_iter().chain(inner.breaker.failing());
        let (since, failure) = failing.min_by_key(|(since, _failure)| *since)?;
        Some((since.elapsed(), failure.clone()))
    }

    /// How long the service takes no more requests, by its own word; none where it does.
    pub fn pause_left(&self) -> Option<Duration> {
        let inner = self.inner();
        let is_slowed = matches!(inner.last_failure, Some(Blocked::Slowed(_)));
        let until = inner.closed_until.filter(|_until| is_slowed)?;
        let left = until.saturating_duration_since(Instant::now());
        Some(left).filter(|left| !left.is_zero())
    }

    /// Why the account is stopped, if it is.
    pub fn stopped(&self) -> Option<Blocked> {
        self.inner().stopped.clone()
    }

    /// Whether who asks now is turned away at once: it is stopped, and not due to be tried again.
    pub fn turns_away(&self) -> bool {
        self.inner().turned_away().is_some()
    }

    /// Wakes everybody who waits and turns them away: the program is ending.
    pub fn end(&self) {
        let mut inner = self.inner();
        // What may pass turns away only until it is to be tried again.
        if inner.stopped.as_ref().is_none_or(Blocked::may_pass) {
            inner.stopped = Some(Blocked::Ending);
        }
        drop(inner);
        self.changed.notify_waiters();
    }

    /// Lets an account that was stopped for its credentials be asked again: they are others by now.
    pub fn credentials_changed(&self) {
        let mut inner = self.inner();
        if let Some(Blocked::Credentials(_) | Blocked::Token(_) | Blocked::Denied(_)) = inner.stopped {
            inner.stopped = None;
            // What is under way still speaks of the old ones.
            inner.closings += 1;
        }
        drop(inner);
        self.changed.notify_waiters();
    }

    fn gate(&self) -> Result<Gate, Blocked> {
        let inner = self.inner();
        if let Some(stopped) = inner.turned_away() {
            return Err(stopped.clone());
        }
        let Some(until) = inner.closed_until else {
            // Whoever tries a stopped account again tries alone.
            return Ok(if inner.stopped.is_some() {
                Gate::Probe
            } else {
                Gate::Open
            });
        };
        // Who tries a wrong setup again may find the service away: that has pauses of its own, and its own patience.
        if inner.stopped.is_some() && until <= Instant::now() {
            return Ok(Gate::Probe);
        }
        let too_long = |patience| {
            // A pause that the service asks for may be longer than anybody here waits.
            inner.away_since.is_some_and(|since| since.elapsed() > patience)
                || until.saturating_duration_since(Instant::now()) > patience
        };
        if inner.patience.is_some_and(too_long) {
            let failure = inner.last_failure.clone();
            return Err(failure.unwrap_or_else(|| Blocked::Away(String::new())));
        }
        Ok(if Instant::now() < until {
            Gate::Closed(until)
        } else {
            Gate::Probe
        })
    }
}

/// The permit to send one request. While the service is away only one is given at a time.
#[derive(Debug)]
pub struct Permit<'a> {
    health: &'a Health,
    /// How often the service had been away when it was given.
    closings: u64,
    _probe: Option<AsyncMutexGuard<'a, ()>>,
}

impl Permit<'_> {
    /// Whether it still holds: the service was not found away since it was given, and nothing has ended. A pause that the
    /// service has asked for was waited for by then, and one in which nothing of it is there may be but a moment.
    pub fn still_holds(&self) -> bool {
        let inner = self.health.inner();
        let is_closed_since = inner.closings != self.closings;
        let is_away = matches!(inner.last_failure, Some(Blocked::Away(_) | Blocked::Unusable(_)));
        let is_moment = |blocked: &Blocked| matches!(blocked, Blocked::Setup(_));
        !(is_closed_since && is_away) && inner.turned_away().is_none_or(is_moment)
    }

    /// Gives the leave back with what the answer says of the service's health.
    pub fn note(self, failure: Option<&Failure>) {
        self.health.note(failure, self.closings);
    }
}

/// The turn to prove that creates may leave again.
#[derive(Debug)]
pub struct Prover<'a> {
    health: &'a Health,
    _turn: AsyncMutexGuard<'a, ()>,
}

impl Prover<'_> {
    /// Gives the turn back with what came of it.
    pub fn note(self, failure: Option<&Failure>) {
        match failure {
            None => {
                self.health.inner().breaker.proved();
                self.health.changed.notify_waiters();
            }
            Some(failure) => self.health.inner().breaker.failed(failure, Instant::now()),
        }
    }
}

enum Gate {
    Open,
    /// It was away; whoever comes next tries, alone.
    Probe,
    Closed(Instant),
}

impl Inner {
    /// What is to be done before a create may leave.
    fn proof(&self) -> Result<ProbeDue, Blocked> {
        if let Some(stopped) = self.turned_away() {
            return Err(stopped.clone());
        }
        let now = Instant::now();
        let due = self.breaker.proof(now);
        let left = match due {
            ProbeDue::At(until) => until.saturating_duration_since(now),
            ProbeDue::NotNeeded | ProbeDue::Now => Duration::ZERO,
        };
        match (self.breaker.failing(), self.patience) {
            (Some((since, failure)), Some(patience)) if since.elapsed().max(left) > patience => {
                Err(failure.clone())
            }
            _ => Ok(due),
        }
    }

    /// Why who asks now is turned away at once.
    fn turned_away(&self) -> Option<&Blocked> {
        let is_due = self.again_at.is_some_and(|at| at <= Instant::now());
        self.stopped.as_ref().filter(|why| !(is_due && why.may_pass()))
    }

    /// What is asked is turned away though the login is accepted.
    fn turned_away_with(&mut self, why: Blocked) {
        let pause = setup_pause(MOMENTS + self.times_turned_away);
        self.times_turned_away += 1;
        self.closings += 1;
        self.again_at = Some(Instant::now() + pause);
        self.stop(why);
    }

    /// Nothing of the service's is there: it may be a moment's, so that the account stops when it stays so.
    fn misplaced(&mut self, failure: &Failure) {
        let pause = setup_pause(self.misplaced);
        self.misplaced += 1;
        if self.misplaced <= MOMENTS {
            self.close(pause, failure);
            return;
        }
        self.closings += 1;
        self.again_at = Some(Instant::now() + pause);
        if self.stopped.is_none() {
            tracing::error!(%failure, "nothing of the service is there");
        }
        self.stop(Blocked::of(failure));
    }

    fn stop(&mut self, why: Blocked) {
        // What is under way when the program ends opens nothing again.
        if matches!(self.stopped, Some(Blocked::Ending)) {
            return;
        }
        if self.stopped.is_none() {
            let advice = match &why {
                Blocked::Credentials(_) => "correct the account's password",
                Blocked::Token(_) => {
                    "see whether another program uses the account; it is tried again now and then"
                }
                Blocked::Denied(_) => "settle that with the service; it is tried again now and then",
                Blocked::Setup(_)
                | Blocked::Away(_)
                | Blocked::Slowed(_)
                | Blocked::Unusable(_)
                | Blocked::Quiet(_)
                | Blocked::Ending => "correct the config and start dropsheet again",
            };
            // Not what it heard in full: the service's own words may name anybody.
            tracing::error!(why = why.code().name(), "nothing is sent: {advice}");
        }
        self.stopped = Some(why);
    }

    fn recovered(&mut self) {
        self.failures = 0;
        self.misplaced = 0;
        self.times_turned_away = 0;
        if self.stopped.as_ref().is_some_and(Blocked::may_pass) {
            self.stopped = None;
        }
        if self.away_since.take().is_some() {
            tracing::info!("the service answers again");
        }
        self.closed_until = None;
        self.last_failure = None;
    }
}

#[cfg(test)]
mod tests;
