//! What is asked for one order, by who asks again by himself: a failure of it says little of the service.

use std::time::Duration;

use tokio::time::Instant;

use super::{Blocked, Health, Inner, Permit};
use crate::clock::Clock;
use crate::service::{Answers, Failure, Verdict};

impl Health {
    /// The same, of a service whose answers are counted there, on a machine with these clocks.
    #[must_use]
    pub fn counting(self, answers: Answers, clock: Clock) -> Self {
        Self {
            answers,
            clock: Some(clock),
            ..self
        }
    }

    /// Whether the service is not known to be away.
    pub fn is_there(&self) -> bool {
        self.inner().away_since.is_none()
    }

    /// As [`Health::away`], whatever creates have come to: for where none is to leave.
    pub fn away_but_for_creates(&self) -> Option<(Duration, Blocked)> {
        let inner = self.inner();
        let (since, failure) = inner.failing()?;
        Some((since.elapsed(), failure.clone()))
    }

    /// As [`Health::ask`], for who has a pause of his own after a failure, and whom nobody waits for. Where the service has
    /// answered anything since this left, be it the page before or somebody else, it is there, and no one has to wait: of a
    /// service that harms every third answer, everybody would wait ever longer for look-ups of a few pages each.
    pub async fn ask_for_one<T>(
        &self,
        request: impl AsyncFnOnce() -> Result<T, Failure>,
    ) -> Result<Result<T, Failure>, Blocked> {
        let permit = self.permit().await?;
        let before = self.answers.count();
        let answer = request().await;
        let is_lost = |failure: &Failure| failure.verdict == Verdict::Unknown;
        if answer.as_ref().is_err_and(is_lost) && self.answers.count() > before {
            if permit.is_news() {
                self.inner().recovered();
                self.changed.notify_waiters();
            }
        } else {
            permit.note(answer.as_ref().err());
        }
        Ok(answer)
    }
}

impl Inner {
    /// Since when what is asked has had no answer, and what came of it last.
    pub(super) fn failing(&self) -> Option<(Instant, &Blocked)> {
        self.away_since.zip(self.last_failure.as_ref())
    }
}

impl Permit<'_> {
    /// Whether the service was not found away since it was given.
    fn is_news(&self) -> bool {
        self.health.inner().closings == self.closings
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::time::Instant;

    use super::super::super::breaker::tests::lost;
    use super::*;

    /// A look that fails, after so many pages of it, or requests of others, were answered.
    async fn fails(health: &Health, answered: u32) {
        let look = async || {
            (0..answered).for_each(|_| health.answers.note());
            Err::<(), _>(lost())
        };
        health.ask_for_one(look).await.unwrap().unwrap_err();
    }

    #[tokio::test(start_paused = true)]
    async fn looks_that_fail_amid_what_is_answered_make_nobody_wait() {
        let health = Health::new(None);
        let begun = Instant::now();
        for _ in 0..20 {
            fails(&health, 1).await;
        }
        assert_eq!(begun.elapsed(), Duration::ZERO);
        assert!(health.away().is_none());
    }

    #[tokio::test(start_paused = true)]
    async fn looks_of_which_nothing_is_answered_find_the_service_away_and_a_page_that_comes_finds_it_there() {
        let health = Health::new(None);
        let begun = Instant::now();
        for _ in 0..5 {
            fails(&health, 0).await;
        }
        assert_eq!(begun.elapsed(), Duration::from_millis(100 + 200 + 400 + 800));
        assert!(health.away().is_some());
        fails(&health, 1).await;
        assert!(health.away().is_none());
    }

    #[tokio::test(start_paused = true)]
    async fn what_was_answered_before_the_service_went_away_does_not_open_it() {
        let health = Health::new(None);
        let look = async || {
            health.answers.note();
            health.permit_at_once().note(Some(&lost()));
            Err::<(), _>(lost())
        };
        health.ask_for_one(look).await.unwrap().unwrap_err();
        assert!(health.away().is_some());
    }

    #[tokio::test(start_paused = true)]
    async fn an_answer_from_before_lets_all_go_on_while_the_one_that_tries_has_none() {
        let health = Health::new(None);
        let before = health.permit_at_once();
        health.permit_at_once().note(Some(&lost()));
        let begun = Instant::now();
        let tries = health.ask(async || {
            tokio::time::sleep(Duration::from_secs(30)).await;
            Err::<(), _>(lost())
        });
        let others = async {
            tokio::time::sleep(Duration::from_secs(2)).await;
            before.note(None);
        };
        let waits = async {
            // After the one that tries.
            tokio::time::sleep(Duration::from_secs(1)).await;
            health.ask(async || Ok(())).await.unwrap().unwrap();
            assert_eq!(begun.elapsed(), Duration::from_secs(2));
        };
        let (tried, (), ()) = tokio::join!(tries, others, waits);
        tried.unwrap().unwrap_err();
    }
}
