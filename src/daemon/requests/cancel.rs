//! Carrying out the cancels that people ask for by a command.

use std::collections::BTreeMap;
use std::time::Duration;

use futures_util::stream::{self, Stream, StreamExt};
use tokio::time::Instant;

use super::carry::{COME_AGAIN, Carried, account, line, nameless, order, why};
use super::{Came, Line, Target, Told, unworked};
use crate::daemon::{DaemonError, Desks};
use crate::ledger::record::{AccountRef, Claim, ClaimRef, ClaimState, OrderRecord, OrderRef, Purpose};
use crate::ledger::state::State;
use crate::submit::{Blocked, Canceled};

/// How long a cancel waits for a create that is under way.
const UNDER_WAY: Duration = Duration::from_secs(30);

/// How long it does so behind the time for answers.
const LAST_WISHES: Duration = Duration::from_secs(15);

/// How often it looks whether that has ended.
const LOOK: Duration = Duration::from_millis(200);

/// Orders of one request and account that are canceled at once: one that is not answered keeps the others waiting no
/// longer.
const CANCELS: usize = 8;

/// How long a cancel waits for the service's answer. It is asked again by itself then, and who asks hears of the others.
/// A little longer than a request's own time is by default, so that its failure is heard.
const ANSWER: Duration = Duration::from_secs(35);

/// How long a request's cancels wait for answers in all, however many there are: who asks waits two minutes.
const ANSWERS: Duration = Duration::from_secs(90);

pub(super) async fn all(desks: &Desks, targets: &[Target]) -> Result<Carried, DaemonError> {
    let mut told = Told::default();
    // All of them whose creates are not under way are wished before the first is asked for: one that is not answered lets
    // none leave meanwhile.
    let mut wished = Vec::new();
    for target in targets {
        wished.push(wish(desks, target).await?);
    }
    let until = Instant::now() + ANSWERS;
    let each = wished
        .into_iter()
        .map(|wished| (wished.account(), cancel(desks, wished, until)));
    let mut canceled = by_account(each);
    let mut lines = BTreeMap::new();
    while let Some((place, one)) = canceled.next().await {
        match one? {
            Carried::Told(line) => drop(lines.insert(place, line)),
            Carried::Ending => return Ok(Carried::Ending),
        }
    }
    told.lines.extend(lines.into_values());
    Ok(Carried::Told(told))
}

/// Does what is to be done for each account, of all accounts at once and of each a few at once: one whose service is
/// away keeps no other waiting. Gives what comes with its place, as it comes.
fn by_account<F: Future>(
    each: impl Iterator<Item = (Option<AccountRef>, F)>,
) -> impl Stream<Item = (usize, F::Output)> + Unpin {
    let mut accounts: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for (place, (account, one)) in each.enumerate() {
        let own = accounts.entry(account).or_default();
        own.push(async move { (place, one.await) });
    }
    let accounts = accounts.into_values();
    stream::select_all(accounts.map(|own| Box::pin(stream::iter(own).buffer_unordered(CANCELS))))
}

/// What is said of a held order that the service turns out to have.
const SHOWN_SINCE: &str =
    "nothing was done: the service's list shows since that it has this order; ask again";

/// An order whose cancel is wished.
enum Wished<'a> {
    /// One of the ledger's, as it was before.
    Order(Option<Box<OrderRecord>>),
    /// One that a sheet has brought again since.
    Again(Box<OrderRecord>),
    /// One that is held, and that the service's list has come to show since.
    Shown(Box<OrderRecord>),
    /// One that only the service's list knows.
    Listed(AccountRef, &'a str, &'a str),
}

impl Wished<'_> {
    fn account(&self) -> Option<AccountRef> {
        match self {
            Self::Order(before) => before.as_ref().map(|before| before.account),
            Self::Again(now) | Self::Shown(now) => Some(now.account),
            Self::Listed(account, ..) => Some(*account),
        }
    }
}

async fn wish<'a>(desks: &Desks, target: &'a Target) -> Result<Wished<'a>, DaemonError> {
    let (id, claim) = match target {
        Target::Order { id, claim } => (OrderRef(*id), ClaimRef(*claim)),
        Target::Listed {
            account,
            order_id,
            pw_order_id,
        } => return Ok(Wished::Listed(AccountRef(*account), order_id, pw_order_id)),
    };
    let Some(before) = order(desks, id)? else {
        return Ok(Wished::Order(None));
    };
    if before.claim != claim {
        return Ok(Wished::Again(Box::new(before)));
    }
    if before.state == State::Held
        && !desks
            .ledger
            .read(|store| store.meant_instead_of(&before))?
            .is_empty()
    {
        return Ok(Wished::Shown(Box::new(before)));
    }
    if let Some(importer) = account(desks, before.account) {
        importer.submitter.wish_for_person(id).await?;
    }
    Ok(Wished::Order(Some(Box::new(before))))
}

async fn cancel(desks: &Desks, wished: Wished<'_>, until: Instant) -> Result<Carried<Line>, DaemonError> {
    match wished {
        Wished::Order(Some(before)) => cancel_order(desks, *before, until).await,
        Wished::Order(None) => Ok(Carried::Told(nameless(
            "the ledger does not know the order any more",
        ))),
        Wished::Again(now) => Ok(Carried::Told(line(&now, COME_AGAIN.to_owned(), Came::Failed))),
        Wished::Shown(now) => Ok(Carried::Told(line(&now, SHOWN_SINCE.to_owned(), Came::Failed))),
        Wished::Listed(account, order_id, pw_order_id) => {
            cancel_listed(desks, account, (order_id, pw_order_id), until).await
        }
    }
}

/// What is answered in time, and at the latest when the whole request is; what is not begun by then is not begun.
async fn in_time<F: Future>(answer: F, until: Instant) -> Option<F::Output> {
    let now = Instant::now();
    if now >= until {
        return None;
    }
    tokio::time::timeout_at(until.min(now + ANSWER), answer)
        .await
        .ok()
}

async fn cancel_order(
    desks: &Desks,
    before: OrderRecord,
    until: Instant,
) -> Result<Carried<Line>, DaemonError> {
    let id = before.id;
    let Some(importer) = account(desks, before.account) else {
        let declined = unworked::decline(desks, id).await?;
        let told = match declined {
            Some(after) => told_of_cancel(desks, &before, &after)?,
            None => line(&before, unworked::not_asked(desks, before.account)?, Came::Failed),
        };
        return Ok(Carried::Told(told));
    };
    let give_up = (Instant::now() + UNDER_WAY).min(until + LAST_WISHES);
    let after = loop {
        let asked = match in_time(importer.submitter.cancel_for_person(id), until).await {
            Some(asked) => asked,
            // It is asked for by itself, once its wish stands in the ledger.
            None => importer.submitter.wish_for_person(id).await,
        };
        match asked? {
            Some(after) => break after,
            None if importer.submitter.health.stopped() == Some(Blocked::Ending) => {
                return Ok(Carried::Ending);
            }
            None if Instant::now() > give_up => {
                let said = "its create is under way; cancel it when that has ended".to_owned();
                return Ok(Carried::Told(line(&before, said, Came::Failed)));
            }
            None => tokio::time::sleep(LOOK).await,
        }
    };
    Ok(Carried::Told(told_of_cancel(desks, &before, &after)?))
}

/// What is told of a cancel, from the order before and after it.
fn told_of_cancel(desks: &Desks, before: &OrderRecord, after: &OrderRecord) -> Result<Line, DaemonError> {
    let (mut said, came) = said_of_cancel(before, after);
    if before.state == State::Held {
        let left = desks.ledger.read(|store| store.left_there(before))?;
        let left = left.iter().map(|one| one.called(&before.order_id));
        let left: Vec<String> = left.collect();
        if !left.is_empty() {
            said = format!(
                "{said}, and the service lists an order that holds the same, which is not canceled by this: {}",
                left.join(", ")
            );
        }
    }
    if !after.state.is_taken_anew() || !may_be_sent(desks, after)? {
        return Ok(line(after, said, came));
    }
    let (said, came) = if after.was_decided() {
        (format!("{said}. {STILL_IN_A_SHEET}"), came)
    } else {
        let said = format!("a sheet has it again, and waits to send it. {STILL_IN_A_SHEET}");
        (said, Came::Failed)
    };
    Ok(line(after, said, came))
}

/// What to do about an order that no transaction has promised yet.
pub const STILL_IN_A_SHEET: &str = "One that waits in a sheet and was not sent yet is canceled by a sheet with a row of its \
                                    order_id and `cancel` under action";

/// Whether an order that came to an end may be sent all the same: a sheet has taken it anew, or a younger one that is not at
/// its end may.
fn may_be_sent(desks: &Desks, order: &OrderRecord) -> Result<bool, DaemonError> {
    if !order.was_decided() {
        return Ok(true);
    }
    // One that is worked through has no order left to send.
    let may_have = |claim: &&Claim| {
        let new = &claim.new;
        let is_younger = claim.id > order.claim && claim.state == ClaimState::Taken;
        is_younger && new.account == order.account && new.purpose == Purpose::Send
    };
    Ok(desks.ledger.read(|store| {
        for claim in store.open_claims()?.iter().filter(may_have) {
            // Its orders get their outcomes one after the other.
            if !store.has_outcome_of(claim.id, order)? {
                return Ok(true);
            }
        }
        Ok(false)
    })?)
}

/// What a cancel has come to, from the order before and after it.
fn said_of_cancel(before: &OrderRecord, after: &OrderRecord) -> (String, Came) {
    let words = match after.noted() {
        none if none.is_empty() => String::new(),
        noted => format!(": {noted}"),
    };
    match after.state {
        State::Canceled if before.is_there_all_the_same() && after.pw_order_id.is_none() => (
            "it is canceled already, and so is what the service has shown of it, or that is another one".to_owned(),
            Came::Done,
        ),
        State::Canceled if before.state == State::Canceled && !before.is_canceled_in_vain() => {
            ("it is canceled already".to_owned(), Came::Done)
        }
        State::Canceled => (format!("canceled{words}"), Came::Done),
        State::Declined if before.state == State::Held => {
            ("it was held and is declined; nothing was sent".to_owned(), Came::Done)
        }
        State::Canceling if after.pw_order_id.is_some() => (
            "the service has not confirmed the cancel yet; it is asked again by itself".to_owned(),
            Came::Open,
        ),
        State::Canceling => (
            "it is not known yet whether the service has it: it is canceled as soon as it is found, and not sent again"
                .to_owned(),
            Came::Open,
        ),
        State::Created => (
            format!("the service refused the cancel, it is still printing{words}"),
            Came::Open,
        ),
        State::Declined => ("nothing to cancel: it was declined".to_owned(), Came::Done),
        State::Refused => ("nothing to cancel: the service refused it".to_owned(), Came::Failed),
        State::Abandoned => (
            "nothing is known to cancel: a person gave it up; drop it again to have it looked up".to_owned(),
            Came::Failed,
        ),
        State::New | State::Held | State::Sending | State::Unresolved => {
            (format!("it is `{}`", after.state), Came::Failed)
        }
    }
}

async fn cancel_listed(
    desks: &Desks,
    of: AccountRef,
    (order_id, pw_order_id): (&str, &str),
    until: Instant,
) -> Result<Carried<Line>, DaemonError> {
    let told = |said: String, came| {
        Carried::Told(Line {
            order_id: order_id.to_owned(),
            pw_order_id: Some(pw_order_id.to_owned()),
            state: String::new(),
            said,
            came,
        })
    };
    let Some(importer) = account(desks, of) else {
        return Ok(told(unworked::not_asked(desks, of)?, Came::Failed));
    };
    let unanswered = Ok(Ok(Canceled::Unanswered));
    let asked = in_time(importer.submitter.cancel_listed(order_id, pw_order_id), until).await;
    Ok(match asked.unwrap_or(unanswered)? {
        Ok(Canceled::Confirmed(words)) if words.is_empty() => told("canceled".to_owned(), Came::Done),
        Ok(Canceled::Confirmed(words)) => told(format!("canceled: {words}"), Came::Done),
        Ok(Canceled::Refused(words)) => told(
            format!("the service refused the cancel, it is still printing: {words}"),
            Came::Open,
        ),
        Ok(Canceled::Undecided(words)) => told(
            format!(
                "the service refused the cancel and shows no such order; ask the print service whether it is canceled: {words}"
            ),
            Came::Open,
        ),
        Ok(Canceled::Unanswered) => told(
            "the service did not answer to the cancel; ask again".to_owned(),
            Came::Open,
        ),
        Err(Blocked::Ending) => Carried::Ending,
        Err(blocked) => told(why(&blocked, importer), Came::Failed),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const DEAD: Option<AccountRef> = Some(AccountRef(1));
    const WELL: Option<AccountRef> = Some(AccountRef(2));

    async fn answer(account: Option<AccountRef>) {
        if account == DEAD {
            std::future::pending::<()>().await;
        }
    }

    #[tokio::test(start_paused = true)]
    async fn an_account_whose_service_does_not_answer_keeps_no_other_waiting_and_nobody_for_longer_than_all_may()
     {
        let begun = Instant::now();
        let until = begun + ANSWERS;
        let dead = std::iter::repeat_n(DEAD, CANCELS * 10);
        let accounts = dead.chain([WELL, None, WELL]);
        let each = accounts.map(|account| (account, in_time(answer(account), until)));
        let mut canceled = by_account(each);
        let mut answered = Vec::new();
        let mut unanswered = Vec::new();
        while let Some((place, one)) = canceled.next().await {
            match one {
                Some(()) => answered.push((place, begun.elapsed())),
                None => unanswered.push(begun.elapsed()),
            }
        }
        answered.sort();
        assert_eq!(answered, [80, 81, 82].map(|place| (place, Duration::ZERO)));
        assert_eq!(unanswered.len(), CANCELS * 10, "each is told");
        let longest = unanswered.iter().max();
        assert_eq!(
            (unanswered[0], longest),
            (ANSWER, Some(&ANSWERS)),
            "{unanswered:?}"
        );
    }
}
