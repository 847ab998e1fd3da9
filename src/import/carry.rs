//! One order of a sheet brought to its outcome: its artwork looked at, then sent, priced or canceled.

use std::sync::Arc;

use super::cancel_row::known_after_all;
use super::decide;
use super::pass::{self, Task};
use crate::catalog::Snapshot;
use crate::finding::{Code, Level};
use crate::ledger::record::Outcome;
use crate::outcome::Status;
use crate::preflight::Preflight;
use crate::quote::{holds, would_be_held};
use crate::submit::{Canceled, Job, Sent, SubmitError, Submitter, quote_refused};

/// Why an order has to wait, if it has.
pub(super) type Carried = Result<Option<(Code, String)>, SubmitError>;

/// What brings a sheet's orders to their outcomes.
pub(super) struct By {
    pub(super) submitter: Arc<Submitter>,
    pub(super) preflight: Option<Preflight>,
    pub(super) catalog: Arc<Snapshot>,
}

/// Brings one order to its outcome; gives why it has to wait.
pub(super) async fn carry_out(by: &By, task: Task) -> Carried {
    let submitter = &by.submitter;
    match task {
        Task::Send(job) => send(by, *job).await,
        Task::Price(job) => match by.preflight(*job).await? {
            Some(job) => price(submitter, job).await,
            None => Ok(None),
        },
        Task::HoldBesides(order, hold, outcome) => {
            let now = submitter.now();
            let written = submitter.ledger.write(move |store| {
                store.hold_besides(order, hold, &now)?;
                store.put_outcome(&outcome)
            });
            written.await?;
            Ok(None)
        }
        Task::Cancel(order, claim, outcome) => {
            let asked = submitter.cancel(order.id, claim, *outcome).await?;
            Ok((!asked).then(|| (Code::CancelAsked, "the order to cancel is under way.".to_owned())))
        }
        Task::CancelListed(outcome) => cancel_listed(submitter, *outcome).await,
        Task::CancelUnknown(outcome) => cancel_unknown(submitter, *outcome).await,
        Task::CancelUnsent(job) => match submitter.look_before_end(&job).await? {
            Some(why) => Ok(Some(why)),
            None => end_or_judge_again(submitter, &job).await,
        },
        Task::Later(wish) => {
            // In a sheet of another inbox it may be another order: that one is sent, and told from this row's then.
            let why = if wish.is_of_its_inbox {
                "an older sheet that waits may have the order; from one of this inbox it is not sent."
            } else {
                "an older sheet that waits may have the order; then it is not sent."
            };
            submitter.wish_cancel_ahead(*wish).await?;
            Ok(Some((Code::CancelAsked, why.to_owned())))
        }
        Task::MapLater(why) => Ok(Some(why)),
    }
}

impl By {
    /// Has an order's artwork looked at, and gives the order back with what is to be said of it; none where that is
    /// an error: its outcome is written.
    async fn preflight(&self, mut job: Job) -> Result<Option<Job>, SubmitError> {
        let Some(preflight) = &self.preflight else {
            return Ok(Some(job));
        };
        let findings = preflight.findings(&job.artworks, &self.catalog).await;
        let is_wrong = findings.iter().any(|finding| finding.level() == Level::Error);
        job.outcome.findings.extend(findings);
        if !is_wrong {
            return Ok(Some(job));
        }
        let mut outcome = job.outcome;
        outcome.status = Status::Invalid;
        self.submitter
            .ledger
            .write(move |store| store.put_outcome(&outcome))
            .await?;
        Ok(None)
    }
}

async fn send(by: &By, job: Job) -> Carried {
    // Before its artwork is fetched: its sheet comes here at every look while nothing may be sent.
    if let Some(why) = by.submitter.holds_back(&job)? {
        return Ok(Some(why));
    }
    let Some(job) = by.preflight(job).await? else {
        return Ok(None);
    };
    match by.submitter.send(&job).await? {
        Sent::Done => Ok(None),
        // The list may have come to show it while it was waited for.
        Sent::Waiting(Code::LedgerBehind, _) if is_known_by_now(&by.submitter, &job).await? => Ok(None),
        Sent::Waiting(code, why) => Ok(Some((code, why))),
        Sent::Raced => end_or_judge_again(&by.submitter, &job).await,
    }
}

/// Ends an order whose cancel is asked for before it was sent; any other is judged by what is known of it now.
async fn end_or_judge_again(submitter: &Submitter, job: &Job) -> Carried {
    if submitter.cancel_unsent(job).await? {
        return Ok(None);
    }
    let is_known = is_known_by_now(submitter, job).await?;
    Ok((!is_known).then(|| (Code::Known, "Another sheet has it under way.".to_owned())))
}

/// Judges an order by what is known of it now, and writes its outcome where that tells what becomes of it.
async fn is_known_by_now(submitter: &Submitter, job: &Job) -> Result<bool, SubmitError> {
    let Some(outcome) = pass::judge_again(&submitter.ledger, submitter.account, job)? else {
        return Ok(false);
    };
    submitter
        .ledger
        .write(move |store| store.put_outcome(&outcome))
        .await?;
    Ok(true)
}

/// Cancels an order that the ledger did not make; its outcome is written when the service has said its word.
async fn cancel_listed(submitter: &Submitter, mut outcome: Outcome) -> Carried {
    let pw_order_id = outcome.pw_order_id.clone().unwrap_or_default();
    match submitter.cancel_listed(&outcome.order_id, &pw_order_id).await? {
        Err(blocked) => return Ok(Some(blocked.told(&submitter.zone))),
        Ok(Canceled::Unanswered) => {
            let why = "the service has not answered to the cancel.".to_owned();
            return Ok(Some((Code::CancelAsked, why)));
        }
        Ok(Canceled::Confirmed(message)) => {
            outcome.status = Status::Canceled;
            outcome.message = message;
        }
        Ok(Canceled::Refused(message)) => {
            let message = format!("It is still printing: the service refused the cancel with “{message}”");
            not_canceled(&mut outcome, message, "Ask the print service.");
        }
        Ok(Canceled::Undecided(message)) => {
            let message = format!(
                "It may be canceled, or printing: the service refused the cancel with “{message}”, and shows no such order"
            );
            not_canceled(
                &mut outcome,
                message,
                "Ask the print service whether it is canceled.",
            );
        }
    }
    submitter
        .ledger
        .write(move |store| store.put_outcome(&outcome))
        .await?;
    Ok(None)
}

fn not_canceled(outcome: &mut Outcome, message: String, hint: &'static str) {
    outcome.status = Status::NotCanceled;
    let finding = decide::finding(Code::CancelRefused, outcome.first_row, message, hint);
    outcome.findings.push(finding);
}

/// Ends the cancel of an order that nobody knows, once the service's list was read as far as it goes: somebody may have made
/// the order elsewhere, or before the ledger was lost.
async fn cancel_unknown(submitter: &Submitter, outcome: Outcome) -> Carried {
    if let Err(blocked) = submitter.read_lately().await? {
        return Ok(Some(blocked.told(&submitter.zone)));
    }
    let account = submitter.account;
    let listed = submitter
        .ledger
        .read(|store| store.listed(account, &outcome.order_id))?;
    let outcome = if listed.is_empty() {
        outcome
    } else {
        let order_id = outcome.order_id.clone();
        match known_after_all(outcome, &listed, &order_id) {
            Ok(one) => return cancel_listed(submitter, *one).await,
            Err(several) => *several,
        }
    };
    submitter
        .ledger
        .write(move |store| store.put_outcome(&outcome))
        .await?;
    Ok(None)
}

async fn price(submitter: &Submitter, job: Job) -> Carried {
    let mut outcome = job.outcome;
    match submitter.price(&job.new.content).await {
        Err(blocked) => return Ok(Some(blocked.told(&submitter.zone))),
        Ok(Err(refusal)) => {
            outcome.status = Status::Refused;
            outcome.findings.push(quote_refused(outcome.first_row, &refusal));
        }
        Ok(Ok(quote)) => {
            outcome.status = Status::Quoted;
            let mut holds = holds(&quote, &job.terms);
            holds.extend(job.holds);
            outcome.message = would_be_held(holds, outcome.first_row, &mut outcome.findings);
            outcome.quote = Some(quote);
        }
    }
    submitter
        .ledger
        .write(move |store| store.put_outcome(&outcome))
        .await?;
    Ok(None)
}
