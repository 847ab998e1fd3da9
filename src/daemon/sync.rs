//! The sync of an account at work: when it is due, what is said of it, and that what stays wrong is said once.

use std::time::Duration;

use tokio::time::Instant;

use super::DaemonError;
use crate::causes::chain;
use crate::import::Importer;
use crate::ledger::LedgerError;
use crate::ledger::record::OrderRef;
use crate::submit::Blocked;
use crate::sync::{self, Days, News, ReadError};

/// A sync that could not be done is tried again after this time, or sooner where `account.sync` is shorter.
const AGAIN: Duration = Duration::from_mins(5);

/// After so many syncs a list that has shown an order without an id is read from there on again: that may be months of it.
const SYNCS_BETWEEN: u32 = 6;

/// When an account's next sync is due, and what was said of the last.
#[derive(Debug)]
pub(super) struct Syncing {
    next: Instant,
    syncs: u32,
    said: Option<String>,
}

impl Syncing {
    /// The first is due as soon as the last one is older than `account.sync`.
    pub(super) fn new(importer: &Importer) -> Result<Self, LedgerError> {
        let submitter = &importer.submitter;
        let now = submitter.now();
        let synced = submitter.ledger.read(|store| store.synced(submitter.account))?;
        let ago = synced.and_then(|synced| now.boot.since(&synced));
        let wait = ago.map_or(submitter.config.sync, |ago| {
            submitter.config.sync.saturating_sub(ago)
        });
        Ok(Self {
            next: Instant::now() + wait,
            syncs: 0,
            said: None,
        })
    }

    /// Reads the account's list when that is due.
    pub(super) async fn round(&mut self, importer: &Importer) -> Result<(), DaemonError> {
        if Instant::now() < self.next {
            return Ok(());
        }
        let period = importer.submitter.config.sync;
        let trouble = match sync_now(importer, Days::Due).await? {
            Ok(News {
                unread: Some(error @ ReadError::Failed(_)),
                ..
            }) => {
                self.next = Instant::now() + period.min(AGAIN);
                Some(chain(&error))
            }
            Ok(news) => {
                self.next = Instant::now() + period;
                self.syncs = self.syncs.wrapping_add(1);
                let again = if self.syncs.is_multiple_of(SYNCS_BETWEEN) {
                    importer.submitter.read_again().await?
                } else {
                    Ok(())
                };
                news.unread.or(again.err()).map(|error| chain(&error))
            }
            Err(blocked) => {
                self.next = Instant::now() + period.min(AGAIN);
                Some(in_log(&blocked))
            }
        };
        let account = &importer.submitter.config.name;
        match &trouble {
            Some(why) if self.said.as_ref() != Some(why) => {
                tracing::warn!(account, "the order list is read later: {why}");
            }
            None if self.said.is_some() => tracing::info!(account, "the order list is read again"),
            Some(_) | None => {}
        }
        self.said = trouble;
        Ok(())
    }
}

/// Reads the account's list when the last sync is older than `account.sync`.
pub(super) async fn sync_if_due(importer: &Importer) -> Result<(), DaemonError> {
    let submitter = &importer.submitter;
    let now = submitter.now();
    let synced = submitter.ledger.read(|store| store.synced(submitter.account))?;
    // Where nothing was ever read, nothing was ever sent.
    let is_due = synced.is_some_and(|synced| {
        now.boot
            .since(&synced)
            .is_none_or(|ago| ago >= submitter.config.sync)
    });
    if !is_due || submitter.health.turns_away() {
        return Ok(());
    }
    let account = &submitter.config.name;
    match sync_now(importer, Days::Due).await? {
        Ok(News { unread: None, .. }) => {}
        Ok(News {
            unread: Some(error), ..
        }) => tracing::warn!(
            account,
            "some days of the order list are read later: {}",
            chain(&error)
        ),
        Err(blocked) => {
            tracing::warn!(account, "the order list is read later: {}", in_log(&blocked));
        }
    }
    Ok(())
}

/// Why nothing is asked, for the log: the service's own words may name anybody.
fn in_log(blocked: &Blocked) -> String {
    blocked.code().name().to_owned()
}

/// Reads what is new of an account's orders. In the inner error, why that is not possible now.
pub(super) async fn sync_now(importer: &Importer, days: Days) -> Result<Result<News, Blocked>, DaemonError> {
    let submitter = &importer.submitter;
    if let Some(blocked) = submitter
        .health
        .stopped()
        .filter(|_| submitter.health.turns_away())
    {
        return Ok(Err(blocked));
    }
    let walked = submitter.ledger.read(|store| store.walked(submitter.account))?;
    // The first walk of a ledger reaches further back than any other: without it nothing may count as walked.
    if walked.is_none()
        && let Err(blocked) = submitter.walked().await?
    {
        return Ok(Err(blocked));
    }
    let now = submitter.now();
    let read = sync::read_news(submitter.list(), &submitter.ledger, submitter.account, days, &now);
    let news = read.await?;
    let account = &submitter.config.name;
    for (id, told) in &news.changes {
        tracing::info!(
            account,
            order_id = name(importer, *id)?,
            "the service's word is new: {told}"
        );
    }
    for id in &news.missing {
        tracing::error!(
            account,
            order_id = name(importer, *id)?,
            "the service does not know this order any more"
        );
    }
    tracing::debug!(account, orders = news.read, "the order list is read");
    Ok(Ok(news))
}

fn name(importer: &Importer, id: OrderRef) -> Result<String, LedgerError> {
    let order = importer.submitter.ledger.read(|store| store.order(id))?;
    Ok(order.map_or_else(String::new, |order| order.order_id))
}
