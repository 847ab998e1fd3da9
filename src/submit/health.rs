//! Whether an account's service can be asked now: everybody waits together while it is away, one at a time tries
//! again, and refused credentials stop the account until they are others, or the program is started anew.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{Mutex as AsyncMutex, MutexGuard as AsyncMutexGuard, Notify};
use tokio::time::Instant;

use crate::finding::Code;
use crate::service::{Failure, Verdict};

/// The first pause after a failure; each further one is twice as long.
const FIRST_PAUSE: Duration = Duration::from_millis(100);

/// The longest pause: one request in half a minute while the service is away.
const LONGEST_PAUSE: Duration = Duration::from_secs(30);

/// Unanswered creates in a row after which no more leave until a look-up and a quote have succeeded.
const BREAKER: u32 = 3;

/// What a merchant is told while the service is away.
const AWAY: &str = "The print service cannot be reached or does not answer.";

/// Why nothing can be asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Blocked {
    /// The service is away, or asks for a pause, for longer than this run waits.
    Away(String),
    /// The credentials are refused.
    Credentials(String),
    /// The account is set up wrongly.
    Setup(String),
    /// The program is ending.
    Ending,
}

impl Blocked {
    /// Why orders wait, as a code and a sentence for the merchant. What exactly failed is in the log, for the operator.
    pub fn told(&self) -> (Code, String) {
        match self {
            Self::Away(_failure) => (Code::ServiceAway, AWAY.to_owned()),
            Self::Credentials(detail) => (
                Code::BadCredentials,
                format!("The service refuses the account's password ({detail})."),
            ),
            Self::Setup(detail) => (
                Code::WrongSetup,
                format!("The account is set up wrongly ({detail})."),
            ),
            Self::Ending => (Code::ServiceAway, "dropsheet was stopped.".to_owned()),
        }
    }
}

/// An account's health, shared by all who talk to its service.
#[derive(Debug, Default)]
pub struct Health {
    inner: Mutex<Inner>,
    /// One at a time tries while the service is away.
    probe: AsyncMutex<()>,
    changed: Notify,
}

#[derive(Debug, Default)]
struct Inner {
    failures: u32,
    closings: u64,
    away_since: Option<Instant>,
    closed_until: Option<Instant>,
    last_failure: String,
    stopped: Option<Blocked>,
    unanswered_creates: u32,
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
        let leave = self.leave().await?;
        let answer = request().await;
        leave.note(answer.as_ref().err());
        Ok(answer)
    }

    /// The leave to ask without waiting, for who can do without an answer. Its failure counts like any other that
    /// left then: not at all where the service has been found away since.
    pub fn leave_at_once(&self) -> Leave<'_> {
        Leave {
            health: self,
            closings: self.inner().closings,
            _probe: None,
        }
    }

    /// Waits until the service can be asked.
    pub async fn leave(&self) -> Result<Leave<'_>, Blocked> {
        let mut probe = None;
        loop {
            // Listened for before the look, so that no change is missed in between.
            let mut changed = std::pin::pin!(self.changed.notified());
            changed.as_mut().enable();
            let until = match self.gate()? {
                Gate::Open => break,
                Gate::Probe if probe.is_some() => break,
                Gate::Probe => {
                    probe = Some(self.probe.lock().await);
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
        Ok(Leave {
            health: self,
            closings,
            _probe: probe,
        })
    }

    /// Notes what an answer says of the service's health. Requests that were under way when it went away fail
    /// together: they are one failure, not many.
    fn note(&self, failure: Option<&Failure>, closings: u64) {
        let mut inner = self.inner();
        match failure.map(|failure| (failure, failure.verdict)) {
            None | Some((_, Verdict::Refused)) => inner.recovered(),
            // It was noted already, or it speaks of credentials that are others by now.
            Some((_, Verdict::Credentials | Verdict::NotSent | Verdict::Unknown))
                if closings != inner.closings => {}
            Some((failure, Verdict::Credentials)) => {
                inner.stop(Blocked::Credentials(failure.detail.clone()));
            }
            Some((failure, Verdict::Misconfigured)) => {
                inner.stop(Blocked::Setup(failure.to_string()));
            }
            Some((failure, Verdict::TryLater(pause))) => inner.close(pause, failure),
            Some((failure, Verdict::NotSent | Verdict::Unknown)) => {
                let pause = FIRST_PAUSE.saturating_mul(2_u32.saturating_pow(inner.failures.min(16)));
                inner.close(pause.min(LONGEST_PAUSE), failure);
            }
        }
        drop(inner);
        self.changed.notify_waiters();
    }

    /// Notes whether a create was answered. After three in a row that were not, [`Health::creates_are_stopped`].
    pub fn create_answered(&self, answered: bool) {
        let mut inner = self.inner();
        inner.unanswered_creates = if answered { 0 } else { inner.unanswered_creates + 1 };
    }

    /// Whether no create may leave until a look-up and a quote have succeeded.
    pub fn creates_are_stopped(&self) -> bool {
        self.inner().unanswered_creates >= BREAKER
    }

    /// Since when the service has been away, and what it last said.
    pub fn away(&self) -> Option<(Duration, String)> {
        let inner = self.inner();
        inner
            .away_since
            .map(|since| (since.elapsed(), inner.last_failure.clone()))
    }

    /// Why the account is stopped, if it is.
    pub fn stopped(&self) -> Option<Blocked> {
        self.inner().stopped.clone()
    }

    /// Wakes everybody who waits and turns them away: the program is ending.
    pub fn end(&self) {
        self.inner().stopped.get_or_insert(Blocked::Ending);
        self.changed.notify_waiters();
    }

    /// Lets an account that was stopped for its credentials be asked again: they are others by now.
    pub fn credentials_changed(&self) {
        let mut inner = self.inner();
        if let Some(Blocked::Credentials(_)) = inner.stopped {
            inner.stopped = None;
            // What is under way still speaks of the old ones.
            inner.closings += 1;
        }
        drop(inner);
        self.changed.notify_waiters();
    }

    fn gate(&self) -> Result<Gate, Blocked> {
        let inner = self.inner();
        if let Some(stopped) = &inner.stopped {
            return Err(stopped.clone());
        }
        let Some(until) = inner.closed_until else {
            return Ok(Gate::Open);
        };
        if let (Some(since), Some(patience)) = (inner.away_since, inner.patience)
            // A pause that the service asks for may be longer than anybody here waits.
            && (since.elapsed() > patience || until.saturating_duration_since(Instant::now()) > patience)
        {
            return Err(Blocked::Away(inner.last_failure.clone()));
        }
        Ok(if Instant::now() < until {
            Gate::Closed(until)
        } else {
            Gate::Probe
        })
    }
}

/// The leave to send one request. While the service is away only one is given at a time.
#[derive(Debug)]
pub struct Leave<'a> {
    health: &'a Health,
    /// How often the service had been away when it was given.
    closings: u64,
    _probe: Option<AsyncMutexGuard<'a, ()>>,
}

impl Leave<'_> {
    /// Gives the leave back with what the answer says of the service's health.
    pub fn note(self, failure: Option<&Failure>) {
        self.health.note(failure, self.closings);
    }
}

enum Gate {
    Open,
    /// It was away; whoever comes next tries, alone.
    Probe,
    Closed(Instant),
}

impl Inner {
    fn stop(&mut self, why: Blocked) {
        if self.stopped.is_none() {
            let advice = match &why {
                Blocked::Credentials(_) => "correct the account's password",
                Blocked::Setup(_) | Blocked::Away(_) | Blocked::Ending => {
                    "correct the config and start dropsheet again"
                }
            };
            tracing::error!(?why, "nothing is sent any more: {advice}");
        }
        self.stopped = Some(why);
    }

    fn recovered(&mut self) {
        self.failures = 0;
        if self.away_since.take().is_some() {
            tracing::info!("the service answers again");
        }
        self.closed_until = None;
    }

    fn close(&mut self, pause: Duration, failure: &Failure) {
        let now = Instant::now();
        self.failures += 1;
        self.closings += 1;
        if self.away_since.is_none() {
            tracing::warn!(%failure, "the service is away; it is asked again until it answers");
            self.away_since = Some(now);
        }
        self.closed_until = Some(self.closed_until.unwrap_or(now).max(now + pause));
        self.last_failure = failure.to_string();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    fn failure(verdict: Verdict) -> Failure {
        Failure {
            operation: "test",
            verdict,
            detail: "no".into(),
            service_message: None,
            service_date: None,
        }
    }

    #[tokio::test(start_paused = true)]
    async fn while_the_service_is_away_the_pauses_grow_and_one_at_a_time_asks() {
        let health = Health::new(None);
        let mut moments = Vec::new();
        let start = Instant::now();
        for _ in 0..10 {
            let answer = health
                .ask(async || Err::<(), _>(failure(Verdict::NotSent)))
                .await
                .unwrap();
            assert!(answer.is_err());
            moments.push(start.elapsed());
        }
        let pauses: Vec<_> = moments
            .windows(2)
            .map(|w| w[1].saturating_sub(w[0]).as_millis() / 100)
            .collect();
        assert_eq!(pauses, [1, 2, 4, 8, 16, 32, 64, 128, 256]);
        health.ask(async || Ok(())).await.unwrap().unwrap();
        assert!(health.away().is_none());
    }

    /// Asks a service that is away for half an hour until it answers, and notes when.
    async fn ask_on(health: Arc<Health>, asked: Arc<Mutex<Vec<Duration>>>, start: Instant) {
        let request = async || {
            asked.lock().unwrap().push(start.elapsed());
            // An answer takes its time, and so does a refusal.
            tokio::time::sleep(Duration::from_millis(20)).await;
            if start.elapsed() < Duration::from_mins(30) {
                Err(failure(Verdict::NotSent))
            } else {
                Ok(())
            }
        };
        while health.ask(request).await.unwrap().is_err() {}
    }

    #[tokio::test(start_paused = true)]
    async fn half_an_hour_away_costs_ten_requests_in_the_first_minute_and_two_in_each_after_it() {
        let (health, start) = (Arc::new(Health::new(None)), Instant::now());
        let asked = Arc::new(Mutex::new(Vec::new()));
        let workers: Vec<_> = (0..500)
            .map(|_| tokio::spawn(ask_on(Arc::clone(&health), Arc::clone(&asked), start)))
            .collect();
        for worker in workers {
            worker.await.unwrap();
        }
        let asked = asked.lock().unwrap();
        let in_minute = |n: u32| {
            let minute = Duration::from_mins(1) * n..Duration::from_mins(1) * (n + 1);
            asked.iter().filter(|at| minute.contains(at)).count()
        };
        // The first 500 left together, before anybody knew.
        assert!(in_minute(0) <= 500 + 10, "{}", in_minute(0));
        for n in 1..30 {
            assert!(in_minute(n) <= 2, "minute {n}: {}", in_minute(n));
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_failure_from_before_the_service_went_away_does_not_close_it_again() {
        let health = Health::new(None);
        let (first, second) = (health.leave_at_once(), health.leave_at_once());
        first.note(Some(&failure(Verdict::NotSent)));
        health.ask(async || Ok(())).await.unwrap().unwrap();
        second.note(Some(&failure(Verdict::NotSent)));
        assert!(health.away().is_none());
    }

    #[tokio::test(start_paused = true)]
    async fn with_a_patience_who_waits_longer_is_told() {
        let health = Health::new(Some(Duration::from_secs(5)));
        let fails = async || Err::<(), _>(failure(Verdict::Unknown));
        let mut asked = health.ask(fails).await;
        while asked.is_ok() {
            asked = health.ask(fails).await;
        }
        let blocked = asked.unwrap_err();
        assert!(matches!(blocked, Blocked::Away(_)));
    }

    #[tokio::test]
    async fn refused_credentials_stop_the_account() {
        let health = Health::new(None);
        assert!(
            health
                .ask(async || Err::<(), _>(failure(Verdict::Credentials)))
                .await
                .unwrap()
                .is_err()
        );
        let blocked = health.ask(async || Ok(())).await.unwrap_err();
        assert!(matches!(blocked, Blocked::Credentials(_)));
    }

    #[tokio::test]
    async fn credentials_that_were_changed_are_asked_with_whatever_is_still_said_of_the_old_ones() {
        let health = Health::new(None);
        let (first, late) = (health.leave_at_once(), health.leave_at_once());
        first.note(Some(&failure(Verdict::Credentials)));
        assert!(health.stopped().is_some());
        health.credentials_changed();
        late.note(Some(&failure(Verdict::Credentials)));
        health.ask(async || Ok(())).await.unwrap().unwrap();
        let refused = health.ask(async || Err::<(), _>(failure(Verdict::Credentials)));
        assert!(refused.await.unwrap().is_err());
        assert!(health.stopped().is_some(), "the others are refused too");
        // What stops an account otherwise is not mended by a password.
        let ending = Health::new(None);
        ending.end();
        ending.credentials_changed();
        assert_eq!(ending.stopped(), Some(Blocked::Ending));
    }

    #[tokio::test]
    async fn three_unanswered_creates_in_a_row_stop_creates() {
        let health = Health::new(None);
        for answered in [false, false, true, false, false] {
            health.create_answered(answered);
            assert!(!health.creates_are_stopped());
        }
        health.create_answered(false);
        assert!(health.creates_are_stopped());
        health.create_answered(true);
        assert!(!health.creates_are_stopped());
    }
}
