//! The audit: an order that ever had a create without an answer is counted at the service again, soon and long after
//! its latest create. A service that carries a request out later than its absence was believed makes a second order:
//! it is found here, told, and never canceled by itself.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use tokio::time::Instant;

use super::before::unread;
use super::{SubmitError, Submitter};
use crate::clock::Now;
use crate::ledger::record::Listed;
use crate::ledger::{Audit, Counted};
use crate::sync;

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
            let look = async || {
                sync::look_up(self.list(), &audit.order_id, audit.first_intended_at, &now)
                    .await
                    .map_err(unread)
            };
            let looked = match self.health.ask(look).await {
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
            .map_or(SignedDuration::ZERO, |date| date.duration_since(now.wall));
        audit.first_intended_at = audit
            .first_intended_at
            .checked_add(ahead.min(SignedDuration::ZERO))
            .unwrap_or(Timestamp::MIN);
        let orders: Vec<Listed> = looked.orders.iter().map(sync::to_listed).collect();
        let counted = self
            .ledger
            .write(move |store| store.count_at_service(&audit, due, &orders, &now));
        Ok(counted.await?)
    }
}

/// How many rounds are made with a count at this moment, and whether they are all; none while none is due. Rounds whose
/// times have passed together, while nothing ran, are made by one count.
fn due(audit: &Audit, times: &[Duration], now: &Now) -> Option<(u32, bool)> {
    // Across a boot by the wall clock: set back, it makes the audit late, and set forth, early by as much.
    let waited = now.boot.since(&audit.since).unwrap_or_else(|| {
        Duration::try_from(now.wall.duration_since(audit.since_at)).unwrap_or(Duration::ZERO)
    });
    let passed = times.iter().filter(|time| **time <= waited).count();
    let passed = u32::try_from(passed).unwrap_or(u32::MAX);
    let is_last = usize::try_from(passed).is_ok_and(|passed| passed >= times.len());
    (passed > audit.rounds).then_some((passed, is_last))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::BootTime;
    use crate::ledger::record::OrderRef;

    const TIMES: [Duration; 2] = [Duration::from_mins(15), Duration::from_hours(24)];

    fn after(rounds: u32, minutes: i64, boot: &str) -> Option<(u32, bool)> {
        let at = |minutes: i64, boot: &str| Now {
            wall: Timestamp::from_second(1_790_000_000 + minutes * 60).unwrap(),
            boot: BootTime {
                id: boot.into(),
                millis: minutes * 60_000,
            },
        };
        let audit = Audit {
            id: OrderRef(1),
            order_id: "1001".to_owned(),
            since_at: at(0, "b1").wall,
            since: at(0, "b1").boot,
            rounds,
            first_intended_at: at(0, "b1").wall,
        };
        due(&audit, &TIMES, &at(minutes, boot))
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
