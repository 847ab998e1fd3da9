//! The second pass: rows become drafts, each draft is judged by what is known of it, and checked. What ends here gets
//! its outcome at once; the rest is handed on, one order at a time. Runs in a thread that may wait.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use jiff::civil::Date;
use jiff::tz::TimeZone;
use tokio::sync::mpsc::Sender;

use super::at_shop::at_shop;
use super::cancel_row::{Asks, not_asked};
use super::decide::{By, Decided, Memory, Ready, finding, follow, in_the_way};
use super::drafts::{Drafts, drafts_ahead};
use super::instead::{Instead, changed};
use super::judge::{Judged, judge};
use super::kept::{as_known_now, first_row, forget_others};
use super::ledgered::Ledgered;
use super::read::Read;
use super::sku_map::{Map, Unmapped};
use super::unread::Unread;
use super::{ImportError, Importer, Progress, check_limits, sends, too_many};
use crate::catalog::Snapshot;
use crate::check::Limits;
use crate::config::Inbox;
use crate::finding::Code;
use crate::ledger::record::{
    AccountRef, CancelWish, Claim, ClaimRef, OrderRecord, OrderRef, Outcome, Purpose,
};
use crate::ledger::{Ledger, LedgerError, Store, Writing};
use crate::order::{Action, Draft};
use crate::outcome::Status;
use crate::quote::{Hold, Terms};
use crate::refresh::Served;
use crate::submit::{Job, NewOrderParts, existing};

/// Outcomes that are written together.
const BATCH: usize = 256;

/// What is left to do for an order after the second pass.
#[derive(Debug)]
pub enum Task {
    /// Create it.
    Send(Box<Job>),
    /// Price it.
    Price(Box<Job>),
    /// Hold an order besides that its shop has canceled since it was held, with the outcome of its row.
    HoldBesides(OrderRef, Hold, Box<Outcome>),
    /// Cancel a known order.
    Cancel(Box<OrderRecord>, ClaimRef, Box<Outcome>),
    /// Cancel an order that the service listed and the ledger did not make.
    CancelListed(Box<Outcome>),
    /// Look once more whether the service lists an order that nobody knows, and cancel it then.
    CancelUnknown(Box<Outcome>),
    /// End an order whose cancel a younger sheet asks for: it is not sent.
    CancelUnsent(Box<Job>),
    /// A cancel that waits for an older sheet, which may have its order.
    Later(Box<CancelWish>),
    /// An order that waits for an older sheet of this inbox, which is still to change the SKU map.
    MapLater((Code, String)),
}

/// What the second pass needs.
#[derive(Debug)]
pub struct Pass {
    /// The ledger.
    pub ledger: Arc<Ledger>,
    /// The account.
    pub account: AccountRef,
    /// The sheet.
    pub claim: ClaimRef,
    /// What it is for.
    pub purpose: Purpose,
    /// Its inbox.
    pub inbox: Inbox,
    /// The catalog.
    pub catalog: Arc<Snapshot>,
    /// What to say of a catalog that is old.
    pub old_catalog: Option<String>,
    /// The limits of the checks.
    pub limits: Limits,
    /// The merchant's own SKUs.
    pub map: Map,
    /// Set while the inbox sends nothing.
    pub stop: Arc<AtomicBool>,
    /// How far the sheet is.
    pub progress: Arc<Progress>,
    /// The zone of the days.
    pub zone: TimeZone,
    /// The day when it began.
    pub today: Date,
    /// Why every order of the sheet is held, if it is.
    pub whole: Option<Hold>,
    /// Whether artwork is looked at before it is sent.
    pub preflight: bool,
    /// What is to be said of other sheets of its workbook.
    pub unread: Unread,
    /// Whether an earlier pass has said something of it.
    pub reworked: bool,
}

impl Pass {
    /// The second pass over a sheet that was read.
    pub(super) fn of(
        importer: &Importer,
        (claim, inbox): (&Claim, &Inbox),
        read: &Read,
        (served, map): (&Served, Map),
        stop: &Arc<AtomicBool>,
    ) -> Self {
        Self {
            ledger: Arc::clone(&importer.submitter.ledger),
            account: importer.submitter.account,
            claim: claim.id,
            purpose: claim.new.purpose,
            inbox: inbox.clone(),
            catalog: Arc::clone(&served.snapshot),
            old_catalog: served.old.clone(),
            limits: check_limits(inbox),
            map,
            stop: Arc::clone(stop),
            progress: Arc::clone(&importer.progress),
            zone: importer.zone.clone(),
            today: importer.today(),
            whole: too_many(&read.index, inbox),
            preflight: importer.preflight.is_some(),
            unread: read.unread.clone(),
            reworked: false,
        }
    }

    /// Reads the sheet for the second time. Gives it back for the third, with the own SKUs that nothing is known of.
    pub fn run(&self, read: Read, tasks: &Sender<Task>) -> Result<(Read, Unmapped), ImportError> {
        let Read {
            sheet,
            layout,
            index,
            skus,
            unread,
        } = read;
        let mut unmapped = Unmapped::new(self.inbox.sku_map.is_some(), &self.catalog);
        let judged = drafts_ahead(&sheet, (&layout, index), |drafts| {
            self.judge_all(drafts, &mut unmapped, tasks)
        });
        let (done, index) = judged.map_err(ImportError::Rejected)?;
        done?;
        let read = Read {
            sheet,
            layout,
            index,
            skus,
            unread,
        };
        Ok((read, unmapped))
    }

    fn judge_all(
        &self,
        drafts: Drafts,
        unmapped: &mut Unmapped,
        tasks: &Sender<Task>,
    ) -> Result<(), ImportError> {
        let mut ended = Vec::new();
        let mut writing = None;
        let (mut begins, mut stopped) = (Vec::new(), false);
        for batch in drafts {
            let batch = batch.map_err(ImportError::Rejected)?;
            if self.reworked {
                begins.extend(batch.iter().map(first_row));
            }
            let (outcomes, next) = self.judge_batch(batch, unmapped)?;
            ended.extend(outcomes);
            let mut next = next.into_iter();
            if next.any(|task| tasks.blocking_send(task).is_err()) {
                // Whoever carries the tasks out has stopped, and says why.
                stopped = true;
                break;
            }
            if ended.len() >= BATCH {
                // Synced while the next ones are judged.
                let before = writing.replace(self.write(std::mem::take(&mut ended)));
                before.map_or(Ok(()), Writing::done)?;
            }
        }
        let last = (!ended.is_empty()).then(|| self.write(ended));
        let mut writing = writing.into_iter().chain(last);
        writing.try_for_each(Writing::done)?;
        if self.reworked && !stopped {
            let claim = self.claim;
            self.ledger
                .write_blocking(move |store| forget_others(store, claim, &mut begins))?;
        }
        Ok(())
    }

    /// Judges those orders alone whose cancel a younger sheet asks for, and hands on what is not to be sent. Whatever else
    /// is in the sheet has its own pass.
    pub fn run_canceled(&self, read: Read, tasks: &Sender<Task>) -> Result<(), ImportError> {
        let Read {
            sheet, layout, index, ..
        } = read;
        let judged = drafts_ahead(&sheet, (&layout, index), |drafts| {
            self.judge_canceled(drafts, tasks)
        });
        let (done, _index) = judged.map_err(ImportError::Rejected)?;
        done
    }

    fn judge_canceled(&self, drafts: Drafts, tasks: &Sender<Task>) -> Result<(), ImportError> {
        for batch in drafts {
            let canceled = self.canceled_of(batch.map_err(ImportError::Rejected)?)?;
            let mut canceled = canceled.into_iter();
            if canceled.any(|task| tasks.blocking_send(task).is_err()) {
                // Whoever ends them has stopped, and says why.
                break;
            }
        }
        Ok(())
    }

    fn canceled_of(&self, drafts: Vec<Draft>) -> Result<Vec<Task>, LedgerError> {
        self.ledger.read_at_once(|store| {
            let memory = self.memory(store);
            let canceled = |draft| self.canceled(draft, &memory).transpose();
            drafts.into_iter().filter_map(canceled).collect()
        })
    }

    /// What is left to do for an order, where a younger sheet asks for its cancel and nothing else became of it.
    fn canceled(&self, mut draft: Draft, memory: &Ledgered<'_>) -> Result<Option<Task>, LedgerError> {
        let sent_id = self.limits.sent_id(draft.order_id());
        if !memory.is_canceled_ahead(&sent_id, draft.order_id(), self.claim)? {
            return Ok(None);
        }
        Ok(match self.judge(&mut draft, memory)? {
            Next::Task(task @ Task::CancelUnsent(_)) => Some(task),
            Next::Task(_) | Next::Ended(_) => None,
        })
    }

    /// Judges some drafts by one state of the ledger; what it comes to know meanwhile is seen when an intent is written.
    /// Gives the outcomes of those that end here, and what is left to do for the others.
    fn judge_batch(
        &self,
        drafts: Vec<Draft>,
        unmapped: &mut Unmapped,
    ) -> Result<(Vec<Outcome>, Vec<Task>), LedgerError> {
        let judged = self.ledger.read_at_once(|store| {
            let memory = self.memory(store);
            let judge = |mut draft: Draft| Ok((self.judge(&mut draft, &memory)?, draft));
            drafts.into_iter().map(judge).collect::<Result<Vec<_>, _>>()
        })?;
        let (mut ended, mut tasks) = (Vec::new(), Vec::new());
        for (next, draft) in judged {
            match next {
                Next::Task(task) => tasks.push(task),
                Next::Ended(outcome) => {
                    unmapped.note(&draft, &outcome, &self.map.map);
                    self.progress.end(1);
                    ended.push(*outcome);
                }
            }
        }
        Ok((ended, tasks))
    }

    fn memory<'a>(&'a self, store: &'a Store<'a>) -> Ledgered<'a> {
        Ledgered::new(store, self.account, &self.inbox.name)
    }

    fn write(&self, outcomes: Vec<Outcome>) -> Writing<'_, ()> {
        self.ledger
            .begin_write(move |store| outcomes.iter().try_for_each(|outcome| store.put_outcome(outcome)))
    }

    fn judge(&self, draft: &mut Draft, memory: &Ledgered<'_>) -> Result<Next, LedgerError> {
        let by = By {
            catalog: &self.catalog,
            limits: &self.limits,
            inbox: &self.inbox,
            map: &self.map,
            claim: Some(self.claim),
            memory,
            artworks: self.preflight,
            zone: &self.zone,
            today: self.today,
        };
        let decided = self.unread.tell(by.decide(draft)?, draft);
        if let Some(said) = self.said_before(memory.store, draft, &decided)? {
            return Ok(Next::Ended(Box::new(as_known_now(said, decided))));
        }
        Ok(match decided {
            Decided::Ended(mut outcome, _order) => {
                if outcome.status == Status::Invalid && draft.action() == Action::Create {
                    self.note_old_catalog(&mut outcome);
                }
                Next::Ended(outcome)
            }
            Decided::HoldBesides(order, hold, outcome) if sends(self.purpose) => {
                Next::Task(Task::HoldBesides(order.id, hold, outcome))
            }
            Decided::CancelUnknown(outcome) if sends(self.purpose) => {
                Next::Task(Task::CancelUnknown(outcome))
            }
            Decided::HoldBesides(_, _, outcome) | Decided::CancelUnknown(outcome) => Next::Ended(outcome),
            // A sheet that is worked again after a crash has asked already.
            Decided::Cancel(order, outcome) if sends(self.purpose) => {
                Next::Task(Task::Cancel(order, self.claim, outcome))
            }
            Decided::Cancel(order, outcome) => Next::Ended(Box::new(not_asked(*outcome, Some(&order)))),
            Decided::CancelListed(outcome) if sends(self.purpose) => Next::Task(Task::CancelListed(outcome)),
            Decided::CancelListed(outcome) => Next::Ended(Box::new(not_asked(*outcome, None))),
            Decided::CancelLater => self.cancel_later(draft),
            Decided::MapLater(why) => Next::Task(Task::MapLater(why)),
            Decided::CancelUnsent(ready) if sends(self.purpose) => {
                Next::Task(Task::CancelUnsent(self.job(draft, *ready)))
            }
            Decided::Ready(ready) | Decided::CancelUnsent(ready) => {
                let job = self.job(draft, *ready);
                Next::Task(if sends(self.purpose) {
                    Task::Send(job)
                } else {
                    Task::Price(job)
                })
            }
        })
    }

    /// A cancel of an order that an older sheet may have.
    fn cancel_later(&self, draft: &Draft) -> Next {
        let asks = Asks {
            account: self.account,
            inbox: &self.inbox.name,
            order_prefix: &self.limits.order_prefix,
            claim: self.claim,
        };
        let wish = asks.wish(draft);
        if sends(self.purpose) {
            Next::Task(Task::Later(Box::new(wish)))
        } else {
            let outcome = Outcome::blank(self.claim, wish.first_row, wish.order_id);
            Next::Ended(Box::new(not_asked(outcome, None)))
        }
    }

    fn note_old_catalog(&self, outcome: &mut Outcome) {
        if let Some(message) = &self.old_catalog {
            let row = outcome.first_row;
            outcome
                .findings
                .push(finding(Code::CatalogOld, row, message.clone(), ""));
        }
    }

    fn job(&self, draft: &Draft, mut ready: Ready) -> Box<Job> {
        self.note_old_catalog(&mut ready.outcome);
        Box::new(Job {
            ticket: None,
            artworks: ready.artworks,
            new: NewOrderParts {
                inbox: self.inbox.name.clone(),
                sheet_order_id: draft.order_id().to_owned(),
                claim: self.claim,
                fingerprint: draft.fingerprint(),
                content: ready.order,
                at_shop: at_shop(draft),
            },
            outcome: ready.outcome,
            terms: Terms {
                approval_required: self.inbox.approval_required,
                max_order_total: self.inbox.max_order_total,
                hold_zero: self.inbox.hold_zero,
                expected_total: draft.expected_total(),
                daily: self.inbox.daily(&self.zone),
            },
            holds: self.whole.iter().cloned().chain(ready.holds).collect(),
            as_kept: ready
                .known
                .as_ref()
                .map(|known| draft.fingerprint_like(&known.fingerprint)),
            known: ready.known,
            stop: Arc::clone(&self.stop),
        })
    }
}

/// What follows from judging an order.
enum Next {
    Ended(Box<Outcome>),
    Task(Task),
}

/// Judges an order again that another sheet was quicker with, or that a look-up has found; none where that other
/// sheet has given way again.
pub(super) fn judge_again(
    ledger: &Ledger,
    account: AccountRef,
    job: &Job,
) -> Result<Option<Outcome>, LedgerError> {
    ledger.read_at_once(|store| judge_by(&Ledgered::new(store, account, &job.new.inbox), job))
}

fn judge_by(memory: &Ledgered<'_>, job: &Job) -> Result<Option<Outcome>, LedgerError> {
    let new = &job.new;
    let mut outcome = job.outcome.clone();
    let known = memory.find(&new.content.order_id, &new.sheet_order_id)?;
    Ok(
        match judge(
            |kept| {
                let as_kept = job.as_kept.as_ref().filter(|as_kept| as_kept.is_like(kept));
                as_kept.unwrap_or(&new.fingerprint).clone()
            },
            (&new.inbox, &new.sheet_order_id),
            Some(new.claim),
            known,
        ) {
            Judged::Follow(order) => Some(follow(outcome, &order)),
            Judged::Changed(order, difference) => {
                let stem = memory.stem(order.claim, Some(new.claim))?;
                Some(changed(
                    outcome,
                    &order,
                    Instead::of(None, difference, None),
                    stem,
                ))
            }
            judged @ (Judged::New | Judged::Anew(_)) => {
                let known = match &judged {
                    Judged::Anew(order) => Some(&**order),
                    Judged::New | Judged::Follow(_) | Judged::Changed(..) => None,
                };
                let ids = (&*new.content.order_id, &*new.sheet_order_id);
                if let Some((other, message)) = in_the_way(memory, known, &new.inbox, ids)? {
                    let stem = memory.stem(other.claim, Some(new.claim))?;
                    let instead = Instead::InTheWay(message);
                    return Ok(Some(changed(outcome, &other, instead, stem)));
                }
                let listed = memory.at_service(&new.content, &new.sheet_order_id)?;
                existing(&listed, &new.content, known, &mut outcome).then_some(outcome)
            }
        },
    )
}
