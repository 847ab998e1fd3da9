//! The audit: an order that ever had a create without an answer is counted at the service again, soon and long after
//! its latest create. A service that carries a request out later than its absence was believed makes a second order:
//! it is found here, told, and never canceled by itself.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use tokio::time::Instant;

use super::look::unread;
use super::{Blocked, SubmitError, Submitter};
use crate::clock::{Now, credible};
use crate::ledger::record::ListedRecord;
use crate::ledger::{Audit, Counted};
use crate::reconcile::{is_in_another_writing, is_same_id};
use crate::service::Failure;
use crate::sync;

/// The longest pause between two counts that do not show the order itself.
const LONGEST_PAUSE: Duration = Duration::from_hours(1);

/// How long after the last round's time such counts are made again.
const PATIENCE: Duration = Duration::from_hours(7 * 24);

/// What a count has shown that a person has to know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Audited {
    /// The service has more of an order than there should be.
    Several {
        /// Its id as sent.
        order_id: String,
        /// How many there are too many.
        others: u32,
    },
    /// The service has an order, by its id as sent, that it had refused or that a person had given up.
    AfterAll(String),
}

impl Submitter {
    /// Counts every order whose time has come, until `give_up`; what is left is counted the next time. Gives what was not
    /// known before and needs a person.
    pub async fn audit(&self, give_up: Option<Instant>) -> Result<Vec<Audited>, SubmitError> {
        let now = self.now();
        let open = self.ledger.read(|store| store.open_audits(self.account))?;
        let mut found = Vec::new();
        for audit in open {
            if give_up.is_some_and(|give_up| Instant::now() >= give_up) {
                break;
            }
            let Some(due) = due(&audit, &self.config.audit, &now) else {
                continue;
            };
            let looked = match self.look_for_count(&audit, &now).await {
                Err(blocked) => {
                    tracing::debug!(blocked = blocked.code().name(), "orders are counted later");
                    break;
                }
                Ok(Err(failure)) => {
                    tracing::debug!(%failure, order_id = audit.order_id, "it is counted later");
                    continue;
                }
                Ok(Ok(looked)) => looked,
            };
            let due = if shows_it(&audit, &looked) || audit.is_missing {
                due
            } else {
                in_vain(&audit, due, &self.config.audit, &now)
            };
            let counted = self.count(&audit, due, looked).await?;
            tracing::debug!(order_id = audit.order_id, ?counted, "counted at the service");
            if counted.is_news {
                tracing::error!(
                    order_id = audit.order_id,
                    others = counted.others,
                    "the service has more of this order than there should be; none is canceled: ask the print service"
                );
                found.push(Audited::Several {
                    order_id: audit.order_id.clone(),
                    others: counted.others,
                });
            }
            if counted.after_all {
                tracing::warn!(
                    order_id = audit.order_id,
                    "the service has an order after all that it has refused, or that a person has given up; it is not canceled"
                );
                found.push(Audited::AfterAll(audit.order_id));
            }
        }
        Ok(found)
    }

    /// Looks for the orders of the name of one that is to be counted. Where the search does not even show the one that is
    /// known, it is blind to it: then the whole list is read.
    async fn look_for_count(
        &self,
        audit: &Audit,
        now: &Now,
    ) -> Result<Result<sync::Looked, Failure>, Blocked> {
        let (name, from) = (audit.name.as_str(), audit.first_intended_at);
        let look = async || match sync::look_up(self.list_for_one(), name, from, now).await {
            Err(sync::ReadError::FailsFor(_)) => Ok(None),
            looked => looked.map(Some).map_err(unread),
        };
        match self.health.ask_for_one(look).await? {
            Ok(Some(looked)) if shows_it(audit, &looked) => return Ok(Ok(looked)),
            Ok(_blind) => {}
            Err(failure) => return Ok(Err(failure)),
        }
        let look = async || {
            sync::look_through(self.list_for_one(), (name, sync::by_name_alone), from, now)
                .await
                .map_err(unread)
        };
        Ok(self.health.ask_for_one(look).await?.map(sync::Looked::from))
    }

    async fn count(
        &self,
        audit: &Audit,
        due: (u32, bool),
        looked: sync::Looked,
    ) -> Result<Counted, SubmitError> {
        let now = self.now();
        let mut audit = audit.clone();
        // Our clock may be ahead of the service's: an order of ours then looks older than its attempt.
        let ahead = looked
            .service_date
            .and_then(credible)
            .map_or(SignedDuration::ZERO, |date| date.duration_since(now.wall));
        audit.first_intended_at = audit
            .first_intended_at
            .checked_add(ahead.min(SignedDuration::ZERO))
            .unwrap_or(Timestamp::MIN);
        // A service that came to keep names in another writing has made the second one under that.
        let mut alike = self.of_nobody(looked.alike)?;
        let names = [&audit.order_id, &audit.name];
        alike.retain(|one| {
            names
                .iter()
                .any(|name| is_in_another_writing(name, &one.order_name))
        });
        let there = looked.orders.iter().chain(&alike);
        let orders: Vec<ListedRecord> = there.map(sync::to_listed).collect();
        let counted = self
            .ledger
            .write(move |store| store.count_at_service(&audit, due, &orders, &now));
        Ok(counted.await?)
    }
}

/// How many rounds are made with a count at this moment, and whether they are all; none while none is due. Rounds whose
/// times have passed together, while nothing ran, are made by one count.
fn due(audit: &Audit, times: &[Duration], now: &Now) -> Option<(u32, bool)> {
    let waited = waited(audit, now);
    if is_put_off(audit, waited, now) {
        return None;
    }
    let passed = times.iter().filter(|time| **time <= waited).count();
    let passed = u32::try_from(passed).unwrap_or(u32::MAX);
    let is_last = usize::try_from(passed).is_ok_and(|passed| passed >= times.len());
    (passed > audit.rounds).then_some((passed, is_last))
}

/// How long ago the order's latest create ended. Across a boot by the wall clock: set back, it makes the audit late, and
/// set forth, early by as much.
fn waited(audit: &Audit, now: &Now) -> Duration {
    now.boot.since(&audit.since).unwrap_or_else(|| {
        Duration::try_from(now.wall.duration_since(audit.since_at)).unwrap_or(Duration::ZERO)
    })
}

/// Whether it was counted in vain a moment ago: the longer it has been there, the longer the list has time to catch up.
fn is_put_off(audit: &Audit, waited: Duration, now: &Now) -> bool {
    let pause = (waited / 8).min(LONGEST_PAUSE);
    let since = audit.in_vain_at.map(|at| now.wall.duration_since(at));
    // A clock that was set back puts nothing off.
    let since = since.and_then(|since| Duration::try_from(since).ok());
    since.is_some_and(|since| since < pause)
}

/// Whether the list shows the order that the ledger knows; so it does where that has none.
fn shows_it(audit: &Audit, looked: &sync::Looked) -> bool {
    let mut there = looked.orders.iter().chain(&looked.alike);
    let own = audit.pw_order_id.as_ref();
    own.is_none_or(|own| there.any(|listed| is_same_id(&listed.pw_order_id, own)))
}

/// What is made by a count that does not show the order which is known to be there: no round, so that it is counted again,
/// until nothing is to be hoped for.
fn in_vain(audit: &Audit, due: (u32, bool), times: &[Duration], now: &Now) -> (u32, bool) {
    let last = times.last().copied().unwrap_or_default();
    if waited(audit, now) < last.saturating_add(PATIENCE) {
        return (audit.rounds, false);
    }
    tracing::warn!(
        order_id = audit.order_id,
        "the service's list does not show this order, which it has: whether there is a second one is not known"
    );
    due
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::BootTime;
    use crate::ledger::record::OrderRef;

    const TIMES: [Duration; 2] = [Duration::from_mins(15), Duration::from_hours(24)];

    fn at(minutes: i64, boot: &str) -> Now {
        Now {
            wall: Timestamp::from_second(1_790_000_000 + minutes * 60).unwrap(),
            boot: BootTime {
                id: boot.into(),
                millis: minutes * 60_000,
            },
        }
    }

    fn audit(rounds: u32, in_vain_at: Option<i64>) -> Audit {
        Audit {
            id: OrderRef(1),
            order_id: "1001".to_owned(),
            name: "1001".to_owned(),
            since_at: at(0, "b1").wall,
            since: at(0, "b1").boot,
            rounds,
            first_intended_at: at(0, "b1").wall,
            pw_order_id: Some("PW1".to_owned()),
            is_missing: false,
            in_vain_at: in_vain_at.map(|minutes| at(minutes, "b1").wall),
        }
    }

    fn after(rounds: u32, minutes: i64, boot: &str) -> Option<(u32, bool)> {
        due(&audit(rounds, None), &TIMES, &at(minutes, boot))
    }

    #[test]
    fn a_count_that_does_not_show_the_order_itself_makes_no_round_and_is_made_again_ever_more_seldom_for_a_week()
     {
        let again =
            |in_vain: i64, minutes: i64| due(&audit(0, Some(in_vain)), &TIMES, &at(minutes, "b1")).is_some();
        assert_eq!([again(80, 89), again(80, 92)], [false, true]);
        let day = 24 * 60;
        assert_eq!([again(day, day + 59), again(day, day + 61)], [false, true]);
        assert!(again(day + 120, day), "the clock was set back");
        let made = |minutes: i64| in_vain(&audit(0, None), (2, true), &TIMES, &at(minutes, "b1"));
        assert_eq!(made(day), (0, false));
        assert_eq!(made(8 * day), (2, true));
    }

    #[test]
    fn an_order_is_counted_once_in_each_round() {
        for (rounds, minutes, expected) in [
            (0, 14, None),
            (0, 15, Some((1, false))),
            (1, 16, None),
            (1, 24 * 60, Some((2, true))),
            (0, 3 * 24 * 60, Some((2, true))),
            (2, 3 * 24 * 60, None),
        ] {
            assert_eq!(
                after(rounds, minutes, "b1"),
                expected,
                "{rounds} rounds, {minutes} minutes"
            );
        }
    }

    #[test]
    fn across_a_boot_the_wall_clock_tells() {
        assert_eq!(after(0, 15, "b2"), Some((1, false)));
        assert_eq!(after(0, -120, "b2"), None, "set back");
    }
}
