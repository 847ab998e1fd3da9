//! The receiver of the service's notifications. A notification is a doorbell, never a fact: it is kept as it came, the
//! ids of our orders are looked for anywhere in it, and each such order is read from the service, once however often
//! it rang.

mod door;
mod ids;
pub mod registration;

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use secrecy::SecretString;
use tokio::net::TcpListener;
use tokio::sync::Notify;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::clock::Clock;
use crate::config::{ConfigError, Webhook};
use crate::ledger::record::{OrderRef, Rung};
use crate::ledger::{Ledger, LedgerError, Store};
use crate::service::Verdict;
use crate::serving;
use crate::submit::Submitter;
use crate::sync::{self, One, ReadError, WalkError};

use door::Door;

/// How often unread orders are tried again that the service did not show.
const AGAIN: Duration = Duration::from_secs(30);

/// The longest pause before an order is tried again that the service does not show.
const LONGEST: Duration = Duration::from_mins(10);

/// An order that was read for a notification is not read for another one within this time.
const QUIET: SignedDuration = SignedDuration::from_mins(1);

/// How long notifications are kept once they were looked at.
const KEPT: SignedDuration = SignedDuration::from_hours(24 * 30);

/// Notifications that are in memory at once; each may have a megabyte.
const LOOKED_AT_ONCE: u32 = 10;

/// Orders that are read between two looks at the doorbells.
const BATCH: u32 = 100;

/// Why notifications cannot be received.
#[derive(Debug, thiserror::Error)]
pub enum WebhookError {
    /// The access key cannot be read.
    #[error("cannot receive notifications")]
    Key(#[source] ConfigError),
    /// The address cannot be listened at.
    #[error("cannot listen at {address} for notifications (webhook.listen)")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// Why.
        #[source]
        source: std::io::Error,
    },
    /// The ledger cannot be kept.
    #[error("cannot keep notifications")]
    Ledger(#[from] LedgerError),
}

/// A receiver that listens.
#[derive(Debug)]
pub struct Receiver {
    listener: TcpListener,
    key: SecretString,
    header: Option<String>,
}

impl Receiver {
    /// Reads the key and listens; nothing is answered yet.
    ///
    /// # Errors
    /// The key cannot be read, or the address is taken.
    pub async fn open(config: &Webhook) -> Result<Self, WebhookError> {
        let address = config.listen;
        let key = config.key().map_err(WebhookError::Key)?;
        let listener = TcpListener::bind(address)
            .await
            .map_err(|source| WebhookError::Listen { address, source })?;
        let header = config.header.clone();
        Ok(Self {
            listener,
            key,
            header,
        })
    }

    /// Where it listens.
    ///
    /// # Errors
    /// The socket does not say.
    pub fn address(&self) -> std::io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Receives notifications and reads what they ring for, until the program ends.
    ///
    /// # Errors
    /// The ledger cannot be kept.
    pub async fn run(
        self,
        ledger: &Arc<Ledger>,
        accounts: &[Arc<Submitter>],
        (clock, ending): (&Clock, &CancellationToken),
    ) -> Result<(), WebhookError> {
        let bell = Arc::new(Notify::new());
        let names = accounts.iter().map(|one| (one.config.name.clone(), one.account));
        let door = Arc::new(Door {
            ledger: Arc::clone(ledger),
            accounts: names.collect(),
            key: self.key,
            header: self.header,
            clock: clock.clone(),
            bell: Arc::clone(&bell),
        });
        let serving = async {
            serving::serve(self.listener, door::router(door), ending).await;
            Ok(())
        };
        let answering = async {
            let answered = answer_the_door((ledger, accounts), (clock, &bell), ending).await;
            answered.map_err(WebhookError::Ledger)
        };
        tokio::try_join!(serving, answering).map(|((), ())| ())
    }
}

/// Looks at what was brought and reads the orders that it names, whenever the bell rings and every so often.
async fn answer_the_door(
    (ledger, accounts): (&Ledger, &[Arc<Submitter>]),
    (clock, bell): (&Clock, &Notify),
    ending: &CancellationToken,
) -> Result<(), LedgerError> {
    let mut later = Later::default();
    while !ending.is_cancelled() {
        while look_at_notifications(ledger, clock.now().wall).await? {}
        for account in accounts {
            read_orders(account, &mut later, ending).await?;
        }
        tokio::select! {
            () = bell.notified() => {}
            () = tokio::time::sleep(AGAIN) => {}
            () = ending.cancelled() => {}
        }
    }
    Ok(())
}

/// Looks for ids of our orders in some notifications that were not looked at yet; gives whether there may be more.
async fn look_at_notifications(ledger: &Ledger, now: Timestamp) -> Result<bool, LedgerError> {
    let unread = ledger.read(|store| store.unread_notifications(LOOKED_AT_ONCE))?;
    let looked = unread.len();
    for (id, brought) in unread {
        let texts = ids::candidates(&brought.body);
        let whose = (brought.account, brought.kind);
        let ring = move |store: &Store<'_>| store.ring(id, whose, &texts);
        let orders = ledger.write(ring).await?;
        tracing::info!(
            kind = brought.kind.word(),
            orders,
            "the service has sent a notification"
        );
    }
    if looked == 0 {
        let oldest = now.checked_sub(KEPT).unwrap_or(now);
        ledger
            .write(move |store| store.forget_notifications(oldest))
            .await?;
    }
    Ok(looked > 0)
}

/// The orders that could not be read, each with how often and the moment before which it is not tried again: however
/// often it rings, and so that it holds up none of the others.
#[derive(Debug, Default)]
struct Later(HashMap<OrderRef, (u32, Instant)>);

impl Later {
    fn is_due(&self, order: OrderRef) -> bool {
        let later = self.0.get(&order);
        later.is_none_or(|(_times, until)| Instant::now() >= *until)
    }

    /// For twice as long as the last time.
    fn put_off(&mut self, order: OrderRef) {
        let times = self.0.get(&order).map_or(0, |(times, _until)| *times);
        let pause = AGAIN.saturating_mul(2_u32.saturating_pow(times.min(16)));
        let until = Instant::now() + pause.min(LONGEST);
        self.0.insert(order, (times.saturating_add(1), until));
    }
}

/// What came of reading an order.
#[derive(Debug, PartialEq, Eq)]
enum Reading {
    Done,
    /// The service answers, and may come to show it.
    Late,
    /// The service did not show it.
    NotShown,
    /// It shows none now.
    NoneShown,
}

/// Reads the orders of an account that notifications have named, each once. What cannot be read now stays for the next
/// time, and what rings meanwhile rings the bell.
async fn read_orders(
    submitter: &Submitter,
    later: &mut Later,
    ending: &CancellationToken,
) -> Result<(), LedgerError> {
    let account = submitter.account;
    let mut after = OrderRef(0);
    // Whether it is the order or the service is told by another one.
    let mut last_was_shown = true;
    loop {
        let now = submitter.now();
        let quiet = now.wall.checked_sub(QUIET).unwrap_or(now.wall);
        let mut rung = submitter
            .ledger
            .read(|store| store.rung(account, quiet, (after, BATCH)))?;
        // However many there are that are read later: the next ones lie behind them.
        let Some(last) = rung.last() else {
            return Ok(());
        };
        after = last.order;
        if ending.is_cancelled() || submitter.health.turns_away() {
            return Ok(());
        }
        rung.retain(|bell| later.is_due(bell.order));
        for bell in rung {
            let order = bell.order;
            if ending.is_cancelled() {
                return Ok(());
            }
            match read_order(submitter, bell).await? {
                Reading::Done => {
                    later.0.remove(&order);
                    last_was_shown = true;
                }
                Reading::Late => {
                    later.put_off(order);
                    last_was_shown = true;
                }
                Reading::NotShown if last_was_shown => {
                    later.put_off(order);
                    last_was_shown = false;
                }
                Reading::NotShown | Reading::NoneShown => {
                    later.put_off(order);
                    return Ok(());
                }
            }
        }
    }
}

/// Reads one order.
async fn read_order(submitter: &Submitter, bell: Rung) -> Result<Reading, LedgerError> {
    let Some(order) = submitter.ledger.read(|store| store.order(bell.order))? else {
        return Ok(Reading::Done);
    };
    let now = submitter.now();
    match sync::read_one(submitter.list(), &submitter.ledger, &order, &now).await {
        Ok(One::Changed(told)) => {
            tracing::info!(inbox = order.inbox, order_id = order.order_id, "{told}");
        }
        Ok(One::Same | One::Gone | One::NoId) => {}
        Ok(One::Late) => {
            let at = now.wall;
            submitter
                .ledger
                .write(move |store| store.note_notice(&bell, at))
                .await?;
            return Ok(Reading::Late);
        }
        Err(WalkError::Ledger(error)) => return Err(error),
        Err(WalkError::Read(error)) => {
            tracing::warn!(order_id = order.order_id, %error, "an order that a notification names is read later");
            return Ok(match &error {
                ReadError::Failed(failure) | ReadError::FailsFor(failure)
                    if failure.verdict == Verdict::Unknown =>
                {
                    Reading::NotShown
                }
                ReadError::Failed(_)
                | ReadError::FailsFor(_)
                | ReadError::Endless
                | ReadError::WithoutId
                | ReadError::Hidden => Reading::NoneShown,
            });
        }
    }
    let at = now.wall;
    submitter
        .ledger
        .write(move |store| store.answered_bell(&bell, at))
        .await?;
    Ok(Reading::Done)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Seconds until an order is tried again.
    async fn waits(later: &Later, order: OrderRef) -> u64 {
        let begun = Instant::now();
        while !later.is_due(order) {
            tokio::time::advance(Duration::from_secs(10)).await;
        }
        begun.elapsed().as_secs()
    }

    #[tokio::test(start_paused = true)]
    async fn an_order_that_is_not_shown_is_tried_ever_more_rarely_and_no_other_one_waits_for_it() {
        let mut later = Later::default();
        let mut pauses = Vec::new();
        for _ in 0..7 {
            later.put_off(OrderRef(1));
            assert!(later.is_due(OrderRef(2)));
            pauses.push(waits(&later, OrderRef(1)).await);
        }
        assert_eq!(pauses, [30, 60, 120, 240, 480, 600, 600]);
    }
}
