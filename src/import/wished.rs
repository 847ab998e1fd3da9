//! The cancels that a sheet asks for, and the orders that its shop has canceled, or that a row of it calls off, heard before
//! it has its turn: an older sheet that waits may still have to send such an order. From then on it is not sent; and where
//! the older sheet is under way, waiting for an absent service, the order ends in it at once. What is at the service is not
//! touched by the word of a shop, or of such a row.

use std::fs::File;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use tokio::sync::mpsc;

use super::cancel_row::{Asks, asks_for_cancel};
use super::drafts::drafts_ahead;
use super::pass::{Pass, Task};
use super::read::{How, open, read_opened};
use super::sku_map::Map;
use super::{ImportError, Importer, sends};
use crate::clock::Now;
use crate::config::Inbox;
use crate::finding::Rejection;
use crate::inbox::spool;
use crate::ledger::record::{CancelWish, Claim};
use crate::ledger::{Ledger, LedgerError};
use crate::order::{Action, Draft, Field, Layout};
use crate::refresh::Served;
use crate::sheet::{Row, Sheet};

/// Cancels that are written together.
const BATCH: usize = 256;

impl Importer {
    /// Writes down which orders a taken sheet asks to cancel, where an older one may still have them to send, or they are
    /// held or without an answer. What is wrong with the sheet is said when it has its turn. Gives whether its copy could be opened.
    pub async fn hear_cancels(&self, claim: &Claim, inbox: &Inbox) -> Result<bool, ImportError> {
        let account = self.submitter.account;
        let may_cancel =
            |ledger: &Ledger| ledger.read(|store| store.may_cancel_unsent(account, &inbox.name, claim.id));
        if !sends(claim.new.purpose) || !may_cancel(&self.submitter.ledger)? {
            return Ok(true);
        }
        let (ledger, scratch) = (Arc::clone(&self.submitter.ledger), self.spool.clone());
        let (path, now) = (self.spool.join(&claim.new.hash), self.submitter.now());
        let (claim, inbox) = (claim.clone(), inbox.clone());
        let hearing = tokio::task::spawn_blocking(move || {
            let file = match spool::open_whole(&path, &claim.new.hash) {
                Ok(file) => file,
                Err(error) => {
                    let sheet = &claim.new.sheet_name;
                    tracing::debug!(%error, sheet, "what the sheet asks to cancel is not heard yet");
                    return Ok(false);
                }
            };
            let how = How {
                limits: inbox.limits,
                profiles: &inbox.profiles,
                map: &Map::default().map,
                order_prefix: &inbox.order_prefix,
                scratch: &scratch,
                early: None,
            };
            let asks = Asks {
                account,
                inbox: &inbox.name,
                order_prefix: &inbox.order_prefix,
                claim: claim.id,
            };
            let write = |wishes| write(&ledger, wishes, now.clone());
            match hear(file, &claim.new.sheet_name, how, (asks, &write)) {
                Ok(written) => written.map(|()| true),
                Err(rejection) => {
                    tracing::debug!(
                        sheet = claim.new.sheet_name,
                        "no cancels are heard: {}",
                        rejection.message
                    );
                    Ok(true)
                }
            }
        });
        Ok(hearing.await.map_err(|_panic| ImportError::Panicked)??)
    }
}

impl Importer {
    /// Ends those orders of a sheet under way that younger sheets ask to cancel, by the catalog as it was last read: nobody
    /// is asked. What cannot be ended so is when the sheet comes to it.
    pub async fn end_canceled(
        &self,
        claim: &Claim,
        inbox: &Inbox,
        stop: &Arc<AtomicBool>,
    ) -> Result<(), ImportError> {
        let Ok(Some(snapshot)) = self.catalog.kept() else {
            return Ok(());
        };
        let map = self.map(inbox).await?;
        let read = self.read_with(claim, inbox, &map, None).await?;
        let served = Served { snapshot, old: None };
        let pass = Pass::of(self, (claim, inbox), &read, (&served, map), stop);
        let (tasks, mut to_end) = mpsc::channel(1);
        let judging = tokio::task::spawn_blocking(move || pass.run_canceled(read, &tasks));
        while let Some(task) = to_end.recv().await {
            if let Task::CancelUnsent(job) = task
                && job.asks_nobody()
            {
                self.submitter.cancel_unsent(&job).await?;
            }
        }
        judging.await.map_err(|_panic| ImportError::Panicked)?
    }
}

/// Reads a sheet's cancels and has them written, some at a time.
fn hear(
    file: File,
    name: &str,
    how: How<'_>,
    (asks, write): (Asks<'_>, &dyn Fn(Vec<CancelWish>) -> Result<(), LedgerError>),
) -> Result<Result<(), LedgerError>, Rejection> {
    let (sheet, layout) = open(file, name, how)?;
    if !may_ask_for_cancels(&layout) && !calls_orders_off(&sheet, &layout)? {
        return Ok(Ok(()));
    }
    let read = read_opened((sheet, layout), name, how)?;
    let heard = drafts_ahead(&read.sheet, (&read.layout, read.index), |drafts| {
        let mut wishes = Vec::new();
        for batch in drafts {
            wishes.extend(batch?.iter().flat_map(|draft| wishes_of(draft, asks)));
            if wishes.len() >= BATCH
                && let Err(error) = write(std::mem::take(&mut wishes))
            {
                return Ok(Err(error));
            }
        }
        Ok(if wishes.is_empty() { Ok(()) } else { write(wishes) })
    });
    let (heard, _index) = heard?;
    crate::crash::point("cancels-heard");
    heard
}

fn write(ledger: &Ledger, wishes: Vec<CancelWish>, now: Now) -> Result<(), LedgerError> {
    ledger.write_blocking(move |store| wishes.iter().try_for_each(|wish| store.wish_cancel(wish, &now)))
}

/// Most sheets of one's own have no column for it, and need not be read for it.
fn may_ask_for_cancels(layout: &Layout) -> bool {
    layout.column(Field::Action).is_some() || layout.tells_of_canceled()
}

/// Whether a row of it may say of an order, beside its id, that it is called off.
fn calls_orders_off(sheet: &Sheet, layout: &Layout) -> Result<bool, Rejection> {
    let (mut rows, mut row) = (sheet.rows()?, Row::default());
    while rows.next(&mut row)? {
        if layout.has_marked_id(&row) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// What rows of an order say that an older sheet must not send.
fn wishes_of(draft: &Draft, asks: Asks<'_>) -> Vec<CancelWish> {
    if asks_for_cancel(draft) {
        return asks.cancels(draft);
    }
    // Whatever else is wrong with it, it is not to be printed. Where rows are missing, others may be.
    let is_whole = draft.left_out() == 0 && draft.rows_without_id().next().is_none();
    let is_canceled = draft.action() == Action::Create && draft.is_canceled();
    if !is_whole || draft.order_id().is_empty() {
        return Vec::new();
    }
    if is_canceled {
        return vec![asks.word_of_shop(draft)];
    }
    asks.calling_off(draft)
}
