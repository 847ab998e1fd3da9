//! The end of a single pass for one account: approved orders sent, unsettled ones looked for, its list read.

use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::daemon::sync::sync_if_due;
use crate::daemon::{DaemonError, held, pause_until};
use crate::import::Importer;
use crate::submit::{Audited, Blocked, Settler, Submitter, Unsent};

/// What the end of a pass came to for an account.
#[derive(Debug, Default)]
pub(super) struct Ended {
    /// Approved orders that were sent.
    pub(super) approved: usize,
    /// Orders that still have no answer.
    pub(super) unresolved: usize,
    /// Those of them that a person has to decide.
    pub(super) undecided: usize,
    /// Cancels that are not confirmed yet.
    pub(super) canceling: usize,
    /// What a person has to know, as sentences.
    pub(super) troubles: Vec<String>,
}

/// Looks for an account's orders without an answer for a while, and counts what is left.
pub(super) async fn end(importer: &Importer, ending: &CancellationToken) -> Result<Ended, DaemonError> {
    let submitter = &importer.submitter;
    let (approved, mut troubles) = send_approved(importer, ending).await?;
    troubles.extend(unsent_troubles(
        &submitter.config.name,
        &submitter.unsent_approved()?,
    ));
    let settling = submitter.config.settle_for;
    let give_up = Instant::now() + settling;
    // Beside each other: a cancel that is not answered takes no look-up's time.
    let ((unresolved, undecided), (canceling, _)) = tokio::try_join!(
        settle(Settler::of_unresolved(), submitter, give_up, ending),
        settle(Settler::of_cancels(), submitter, give_up, ending),
    )?;
    // As often as a daemon would: totals, states and trackings of earlier sheets.
    sync_if_due(importer).await?;
    let audited = submitter.audit(Some(Instant::now() + settling)).await?;
    troubles.extend(audited.iter().map(audit_trouble));
    troubles.extend(account_trouble(submitter)?);
    Ok(Ended {
        approved,
        unresolved,
        undecided,
        canceling,
        troubles,
    })
}

/// Looks for an account's orders without an answer, or asks for its cancels, until `give_up`. Gives how many are left by then,
/// and how many of them a person has to decide: what was sent again in the last round may have its answer.
async fn settle(
    mut settler: Settler,
    submitter: &Submitter,
    give_up: Instant,
    ending: &CancellationToken,
) -> Result<(usize, usize), DaemonError> {
    loop {
        let (open, due) = settler.round(submitter, Some(give_up)).await?;
        let next = next_round(due, Instant::now(), give_up);
        let Some(next) = next.filter(|_next| open > 0) else {
            break;
        };
        if ending.is_cancelled() || submitter.health.stopped().is_some() {
            break;
        }
        pause_until(next, ending).await;
    }
    Ok(settler.left(submitter)?)
}

/// When the next round of look-ups begins; none where it would begin past `give_up`. A round that took longer than there
/// was time leaves orders behind that were due long ago.
fn next_round(due: Option<Instant>, now: Instant, give_up: Instant) -> Option<Instant> {
    let next = due.map_or(now, |due| due.max(now));
    (next < give_up).then_some(next)
}

/// Sends what a person has approved. Gives how many orders, and what was held again or refused, as sentences.
async fn send_approved(
    importer: &Importer,
    ending: &CancellationToken,
) -> Result<(usize, Vec<String>), DaemonError> {
    let (mut sent, mut troubles) = (0, Vec::new());
    loop {
        let released = held::send_approved(importer).await?;
        sent += released.sent;
        if released.held_again > 0 {
            troubles.push(format!(
                "account `{}`: approved orders that are held again, for their price has risen, or has fallen to \
                 nothing, or the service refuses them: {}; look into held/",
                importer.submitter.config.name, released.held_again
            ));
        }
        if released.refused > 0 {
            troubles.push(format!(
                "account `{}`: approved orders that the service refused: {}; their sheets' results say why",
                importer.submitter.config.name, released.refused
            ));
        }
        if !released.more || ending.is_cancelled() {
            return Ok((sent, troubles));
        }
    }
}

/// Which approved orders are not sent yet, as sentences.
fn unsent_troubles(account: &str, unsent: &Unsent) -> Vec<String> {
    let of_inbox = |(inbox, orders): (&String, &usize)| {
        format!(
            "inbox `{inbox}`: approved orders that wait while a file named STOP lies in its folder, or the folder cannot be \
             worked: {orders}; they are sent without you when that is over"
        )
    };
    let mut troubles: Vec<String> = unsent.stopped.iter().map(of_inbox).collect();
    if unsent.waiting > 0 {
        troubles.push(format!(
            "account `{account}`: approved orders that could not be sent yet: {}; the next run goes on",
            unsent.waiting
        ));
    }
    troubles
}

/// What an audit has shown, as a sentence.
fn audit_trouble(audited: &Audited) -> String {
    match audited {
        Audited::Several { order_id, others } => format!(
            "order {order_id}: the service has {others} more of it than there should be; see `dropsheet status`"
        ),
        Audited::AfterAll(order_id) => format!(
            "order {order_id}: it was refused or given up, and the service has it after all; see `dropsheet status`"
        ),
    }
}

/// Why an account's orders wait, as a sentence; none when its service answers, or where nothing waits for it.
fn account_trouble(submitter: &Submitter) -> Result<Option<String>, DaemonError> {
    let blocked = match submitter.health.stopped() {
        Some(Blocked::Ending) => None,
        None if !submitter.has_to_send()? => None,
        None => submitter.health.away().map(|(_since, blocked)| blocked),
        stopped => stopped,
    };
    Ok(blocked.map(|blocked| told_waiting(submitter, &blocked)))
}

/// What an account's orders wait for, as a sentence.
fn told_waiting(submitter: &Submitter, blocked: &Blocked) -> String {
    // The operator is told what failed; the merchant is not.
    let (code, told) = blocked.told(&submitter.zone);
    let why = match blocked {
        Blocked::Away(failure) => format!("the service is away ({failure})."),
        Blocked::Slowed(_)
        | Blocked::Unusable(_)
        | Blocked::Quiet(_)
        | Blocked::Credentials(_)
        | Blocked::Token(_)
        | Blocked::Denied(_)
        | Blocked::Setup(_)
        | Blocked::Ending => told,
    };
    format!(
        "account `{}`: {why} Its orders wait; see `dropsheet explain {}`.",
        submitter.config.name,
        code.name()
    )
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn rounds_come_when_an_order_is_due_and_none_begins_when_the_time_is_over() {
        let begun = Instant::now();
        let at = |seconds| begun + Duration::from_secs(seconds);
        assert_eq!(next_round(Some(at(5)), at(1), at(20)), Some(at(5)));
        assert_eq!(next_round(Some(at(5)), at(9), at(20)), Some(at(9)), "overdue");
        assert_eq!(next_round(None, at(1), at(20)), Some(at(1)));
        assert_eq!(next_round(Some(at(21)), at(1), at(20)), None);
        assert_eq!(next_round(Some(at(19)), at(20), at(20)), None, "left behind");
        assert_eq!(next_round(None, at(20), at(20)), None);
    }
}
