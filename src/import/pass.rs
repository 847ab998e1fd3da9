//! The second pass: rows become drafts, each draft is judged by what is known of it, and checked. What ends here gets
//! its outcome at once; the rest is handed on, one order at a time. Runs in a thread that may wait.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use tokio::sync::mpsc::Sender;

use super::judge::{Judged, judge, listed_is_same};
use super::read::Read;
use super::{ImportError, Progress, blank_outcome, sends};
use crate::catalog::Snapshot;
use crate::check::{Limits, check};
use crate::config::Inbox;
use crate::finding::{Code, Finding, Level};
use crate::ledger::record::{AccountRef, AtShop, ClaimRef, OrderRecord, Outcome, Purpose};
use crate::ledger::{Ledger, LedgerError};
use crate::order::{Action, Draft, Grouper, Order};
use crate::outcome::Status;
use crate::quote::{Hold, Terms};
use crate::sheet::Row;
use crate::submit::{Job, NewOrderParts};

/// Outcomes that are written together.
const BATCH: usize = 256;

/// What is left to do for an order after the second pass.
#[derive(Debug)]
pub enum Task {
    /// Create it.
    Send(Box<Job>),
    /// Price it.
    Price(Box<Job>),
    /// Cancel a known order.
    Cancel(Box<OrderRecord>, ClaimRef, Box<Outcome>),
    /// Cancel an order that the service listed and the ledger did not make.
    CancelListed(Box<Outcome>),
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
    /// Set while the inbox sends nothing.
    pub stop: Arc<AtomicBool>,
    /// How far the sheet is.
    pub progress: Arc<Progress>,
    /// Whether artwork is looked at before it is sent.
    pub preflight: bool,
}

impl Pass {
    /// Reads the sheet for the second time. Gives it back for the third.
    pub fn run(&self, read: Read, tasks: &Sender<Task>) -> Result<Read, ImportError> {
        let Read {
            sheet,
            layout,
            index,
            skus,
        } = read;
        let header = sheet.header().number();
        let mut grouper = Grouper::new(layout.clone(), index);
        let mut rows = sheet.rows().map_err(ImportError::Rejected)?;
        let mut row = Row::default();
        let mut ended = Vec::new();
        while rows.next(&mut row).map_err(ImportError::Rejected)? {
            if row.number() <= header {
                continue;
            }
            let Some(draft) = grouper.push(&row) else { continue };
            let handed_on = match self.judge(&draft)? {
                Next::Ended(outcome) => {
                    ended.push(*outcome);
                    self.progress.end(1);
                    Ok(())
                }
                Next::Task(task) => tasks.blocking_send(task),
            };
            if handed_on.is_err() {
                // Whoever carries the tasks out has stopped, and says why.
                break;
            }
            if ended.len() >= BATCH {
                self.write(std::mem::take(&mut ended))?;
            }
        }
        self.write(ended)?;
        Ok(Read {
            sheet,
            layout,
            index: grouper.into_index(),
            skus,
        })
    }

    fn write(&self, outcomes: Vec<Outcome>) -> Result<(), LedgerError> {
        if outcomes.is_empty() {
            return Ok(());
        }
        self.ledger
            .write_blocking(move |store| outcomes.iter().try_for_each(|outcome| store.put_outcome(outcome)))
    }

    fn judge(&self, draft: &Draft) -> Result<Next, ImportError> {
        let first_row = draft.rows().first().copied().unwrap_or_default();
        let sent_id = format!("{}{}", self.limits.order_prefix, draft.order_id());
        let mut outcome = blank_outcome(self.claim, first_row, sent_id.clone());
        outcome.findings = draft.findings().to_vec();
        if draft.is_footer() {
            return Ok(Next::Ended(Box::new(footer(outcome))));
        }
        if draft.order_id().is_empty() {
            outcome.order_id.clear();
            return self.check(draft, outcome, None);
        }
        if has_unclear_action(draft) {
            return self.check(draft, outcome, None);
        }
        let known = find(
            &self.ledger,
            self.account,
            &sent_id,
            &self.inbox.name,
            draft.order_id(),
        )?;
        if draft.action() == Action::Cancel {
            return Ok(self.cancel(draft, known, outcome)?);
        }
        match judge(
            |kept| draft.fingerprint_like(kept),
            &self.inbox.name,
            Some(self.claim),
            known,
        ) {
            Judged::New => self.check(draft, outcome, None),
            Judged::Anew(order) => self.check(draft, outcome, Some(order)),
            Judged::Follow(order) => Ok(Next::Ended(Box::new(follow(outcome, &order)))),
            Judged::Changed(order, message) => {
                outcome.first_sheet = self.ledger.read(|store| store.stem_of(order.claim))?;
                Ok(Next::Ended(Box::new(changed(outcome, &order, message))))
            }
        }
    }

    fn check(
        &self,
        draft: &Draft,
        mut outcome: Outcome,
        known: Option<Box<OrderRecord>>,
    ) -> Result<Next, ImportError> {
        let checked = check(draft, &self.catalog, &self.limits);
        outcome.findings = checked.findings;
        if let Some(message) = &self.old_catalog {
            let code = Code::CatalogOld;
            outcome
                .findings
                .push(finding(code, outcome.first_row, message.clone(), ""));
        }
        let Some(order) = checked.order else {
            outcome.status = Status::Invalid;
            return Ok(Next::Ended(Box::new(outcome)));
        };
        outcome.country_code = Some(order.ship_to.country_code.clone());
        // An order of this name may be at the service that the ledger did not make.
        let listed = self
            .ledger
            .read(|store| store.listed(self.account, &order.order_id))?;
        if existing(&listed, &order, &mut outcome) {
            return Ok(Next::Ended(Box::new(outcome)));
        }
        Ok(self.task(draft, order, outcome, known))
    }

    fn task(&self, draft: &Draft, order: Order, outcome: Outcome, known: Option<Box<OrderRecord>>) -> Next {
        let mut holds = Vec::new();
        if draft.repeated_rows() {
            let message = "Rows of this order are equal in every cell: were they pasted twice?".to_owned();
            holds.push(Hold {
                code: Code::RepeatedRow,
                message,
            });
        }
        let artworks = if self.preflight {
            draft.artworks(&order)
        } else {
            Vec::new()
        };
        let job = Box::new(Job {
            artworks,
            new: NewOrderParts {
                inbox: self.inbox.name.clone(),
                sheet_order_id: draft.order_id().to_owned(),
                claim: self.claim,
                fingerprint: draft.fingerprint(),
                content: order,
                at_shop: AtShop::default(),
            },
            outcome,
            terms: Terms {
                approval_required: self.inbox.approval_required,
                max_order_total: self.inbox.max_order_total,
                hold_zero: self.inbox.hold_zero,
                expected_total: draft.expected_total(),
            },
            holds,
            known,
            stop: Arc::clone(&self.stop),
        });
        Next::Task(if sends(self.purpose) {
            Task::Send(job)
        } else {
            Task::Price(job)
        })
    }
}

/// A row that says neither what is to be done with an order, nor an order.
pub(super) fn has_unclear_action(draft: &Draft) -> bool {
    draft
        .findings()
        .iter()
        .any(|finding| matches!(finding.code, Code::UnknownAction | Code::MixedActions))
}

/// The outcome of a row that is no order line.
pub(super) fn footer(mut outcome: Outcome) -> Outcome {
    outcome.status = Status::Skipped;
    outcome.order_id.clear();
    let message = "This row is no order line: it has neither a SKU nor an address.".to_owned();
    outcome.findings = vec![finding(Code::NotToPrint, outcome.first_row, message, "")];
    outcome
}

/// What follows from judging an order.
pub(super) enum Next {
    Ended(Box<Outcome>),
    Task(Task),
}

/// The order that the ledger has under an id, whichever prefix it was sent with.
fn find(
    ledger: &Ledger,
    account: AccountRef,
    sent_id: &str,
    inbox: &str,
    sheet_id: &str,
) -> Result<Option<OrderRecord>, LedgerError> {
    ledger.read(|store| store.find_either(account, sent_id, (inbox, sheet_id)))
}

/// Judges an order again that another sheet was quicker with, or that a look-up has found; none where that other
/// sheet has given way again.
pub(super) fn judge_again(
    ledger: &Ledger,
    account: AccountRef,
    job: &Job,
) -> Result<Option<Outcome>, LedgerError> {
    let new = &job.new;
    let mut outcome = job.outcome.clone();
    let known = find(
        ledger,
        account,
        &new.content.order_id,
        &new.inbox,
        &new.sheet_order_id,
    )?;
    Ok(
        match judge(
            |_kept| new.fingerprint.clone(),
            &new.inbox,
            Some(new.claim),
            known,
        ) {
            Judged::Follow(order) => Some(follow(outcome, &order)),
            Judged::Changed(order, message) => {
                outcome.first_sheet = ledger.read(|store| store.stem_of(order.claim))?;
                Some(changed(outcome, &order, message))
            }
            Judged::New | Judged::Anew(_) => {
                let listed = ledger.read(|store| store.listed(account, &new.content.order_id))?;
                existing(&listed, &new.content, &mut outcome).then_some(outcome)
            }
        },
    )
}

pub(super) fn follow(mut outcome: Outcome, order: &OrderRecord) -> Outcome {
    outcome.order = Some(order.id);
    // Whatever was wrong with its cells, it was sent with them: only mends are worth repeating.
    outcome.findings.retain(|finding| finding.level() != Level::Error);
    outcome
}

fn changed(mut outcome: Outcome, order: &OrderRecord, message: String) -> Outcome {
    outcome.status = Status::Changed;
    outcome.pw_order_id.clone_from(&order.pw_order_id);
    outcome.country_code = Some(order.country_code.clone());
    let hint = "The result of the sheet in result_first_sheet shows the order as it is known.";
    outcome
        .findings
        .push(finding(Code::ContentChanged, outcome.first_row, message, hint));
    outcome
}

/// Completes the outcome of an order whose name is at the service already, made by somebody else; false where there
/// is none.
fn existing(listed: &[crate::ledger::record::Listed], order: &Order, outcome: &mut Outcome) -> bool {
    let Some(first) = listed.first() else { return false };
    let same = listed.iter().find(|one| listed_is_same(one, order));
    let found = same.unwrap_or(first);
    outcome.pw_order_id = Some(found.pw_order_id.clone());
    let row = outcome.first_row;
    let id = &order.order_id;
    let (status, code, message) = match same {
        Some(one) => (
            Status::AlreadyCreated,
            Code::ListedAtService,
            format!(
                "The service has this order already as {}, and this ledger did not make it; nothing was sent.",
                one.pw_order_id
            ),
        ),
        None => (
            Status::Changed,
            Code::ContentChanged,
            format!(
                "The service has an order {id} already as {} with other content, and this ledger did not make it; nothing was sent.",
                first.pw_order_id
            ),
        ),
    };
    outcome.status = status;
    outcome.findings.push(finding(
        code,
        row,
        message,
        "If you mean another order, give it another id.",
    ));
    true
}

pub(super) fn finding(code: Code, row: u32, message: String, hint: &str) -> Finding {
    Finding {
        code,
        row,
        column: None,
        message,
        hint: hint.to_owned(),
    }
}
