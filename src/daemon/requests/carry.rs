//! Carrying a request out.

use std::sync::Arc;

use super::{Came, Line, RequestKind, Told, cancel, unworked};
use crate::causes::chain;
use crate::daemon::sync::sync_now;
use crate::daemon::{DaemonError, Desks};
use crate::import::Importer;
use crate::ledger::record::{AccountRef, ClaimRef, OrderRecord, OrderRef};
use crate::ledger::state::State;
use crate::submit::{Blocked, Resolution, Resolved};
use crate::sync::Days;

/// What became of a request.
pub(super) enum Carried<T = Told> {
    /// It was done, or could not be done; this is to be told.
    Told(T),
    /// The program ends before it is done. What of it is done already is not done twice.
    Ending,
}

pub(super) async fn out(desks: &Desks, asked: &RequestKind) -> Result<Carried, DaemonError> {
    match asked {
        RequestKind::Sync => sync(desks).await,
        RequestKind::Cancel(targets) => cancel::all(desks, targets).await,
        RequestKind::Resolve {
            order,
            claim,
            decision,
        } => resolve(desks, (OrderRef(*order), ClaimRef(*claim)), decision).await,
    }
}

async fn sync(desks: &Desks) -> Result<Carried, DaemonError> {
    let mut told = Told::default();
    for (name, importer) in &desks.accounts {
        let news = match sync_now(importer, Days::All).await? {
            Ok(news) => news,
            Err(Blocked::Ending) => return Ok(Carried::Ending),
            // One account's trouble is no other's.
            Err(blocked) => {
                told.troubles
                    .push(format!("account `{name}`: {}", why(&blocked, importer)));
                continue;
            }
        };
        told.read = told.read.saturating_add(news.read);
        if let Some(error) = news.unread {
            told.troubles.push(format!(
                "account `{name}`: some days could not be read: {}",
                chain(&error)
            ));
        }
        for (id, said) in news.changes {
            if let Some(order) = order(desks, id)? {
                told.lines.push(line(&order, said, came_of(&order)));
            }
        }
        let after_all = news.after_all.into_iter().map(|id| (id, THERE_AFTER_ALL));
        let missing = news.missing.into_iter().map(|id| (id, NOT_KNOWN));
        for (id, said) in after_all.chain(missing) {
            if let Some(order) = order(desks, id)? {
                told.lines.push(line(&order, said.to_owned(), Came::Open));
            }
        }
        for id in news.several {
            if let Some(order) = order(desks, id)?
                && let Some(said) = order.others_told()
            {
                told.lines.push(line(&order, said, Came::Open));
            }
        }
    }
    Ok(Carried::Told(told))
}

/// What is said of an order that was refused or given up, and that the service has.
const THERE_AFTER_ALL: &str = "the service has it after all; it is not canceled by itself";

/// What is said of an order that is another by now than the person saw: a request that a killed process had done already is
/// not done of that one.
pub(super) const COME_AGAIN: &str =
    "nothing was done: a sheet has brought it again since that was asked for; look at it, and ask again";

/// What is said of an order that the service does not show.
const NOT_KNOWN: &str = "the service does not know it any more";

/// An order in trouble needs a person.
fn came_of(order: &OrderRecord) -> Came {
    if order.trouble_at.is_some() || order.differs_at.is_some() {
        Came::Open
    } else {
        Came::Done
    }
}

async fn resolve(
    desks: &Desks,
    (id, claim): (OrderRef, ClaimRef),
    decision: &Resolution,
) -> Result<Carried, DaemonError> {
    let Some(before) = order(desks, id)? else {
        let why = "the ledger does not know the order any more";
        return Ok(Carried::Told(Told::trouble(why)));
    };
    if before.claim != claim {
        let again = line(&before, COME_AGAIN.to_owned(), Came::Failed);
        return Ok(Carried::Told(Told::of(again)));
    }
    let Some(importer) = account(desks, before.account) else {
        let told = if *decision == Resolution::Abandon && unworked::abandon(desks, id).await? {
            let after = order(desks, id)?.unwrap_or(before);
            Told::of(line(&after, unworked::GIVEN_UP.to_owned(), Came::Done))
        } else {
            Told::trouble(unworked::not_asked(desks, before.account)?)
        };
        return Ok(Carried::Told(told));
    };
    let resolved = importer.submitter.resolve(id, decision).await?;
    let after = order(desks, id)?.unwrap_or(before);
    let (said, came) = match resolved {
        Err(Blocked::Ending) => return Ok(Carried::Ending),
        Err(blocked) => (format!("{} Nothing was changed.", why(&blocked, importer)), Came::Failed),
        Ok(Resolved::Refused(why)) => (why, Came::Failed),
        Ok(Resolved::Adopted(pw)) if *decision == Resolution::Abandon => {
            (format!("not given up: the service has it as {pw}"), Came::Done)
        }
        Ok(Resolved::Adopted(pw)) => (format!("the service has it as {pw}"), Came::Done),
        Ok(Resolved::Abandoned) => (
            "given up; when it is dropped again it is looked up first".to_owned(),
            Came::Done,
        ),
        Ok(Resolved::RuledOut) => (
            "canceled: it is not in the service's list; should it come to be there all the same, `dropsheet status` \
             says so"
                .to_owned(),
            Came::Done,
        ),
        Ok(Resolved::AtYourWord) => (
            "canceled at your word: the service was not asked again".to_owned(),
            Came::Done,
        ),
        Ok(Resolved::Canceled) => ("the service has canceled it meanwhile".to_owned(), Came::Done),
        Ok(Resolved::Sent) => match after.state {
            State::Created => ("sent once more, and created".to_owned(), Came::Done),
            State::Refused => (format!("sent once more, and refused: {}", after.note), Came::Open),
            State::New
            | State::Held
            | State::Sending
            | State::Unresolved
            | State::Canceling
            | State::Canceled
            | State::Declined
            | State::Abandoned => (
                "sent once more, without an answer; it is looked up".to_owned(),
                Came::Open,
            ),
        },
    };
    Ok(Carried::Told(Told::of(line(&after, said, came))))
}

pub(super) fn why(blocked: &Blocked, importer: &Importer) -> String {
    blocked.told(&importer.zone).1
}

pub(super) fn order(desks: &Desks, id: OrderRef) -> Result<Option<OrderRecord>, DaemonError> {
    Ok(desks.ledger.read(|store| store.order(id))?)
}

pub(super) fn account(desks: &Desks, account: AccountRef) -> Option<&Arc<Importer>> {
    let mut all = desks.accounts.values();
    all.find(|importer| importer.submitter.account == account)
}

pub(super) fn line(order: &OrderRecord, said: String, came: Came) -> Line {
    Line {
        order_id: order.order_id.clone(),
        pw_order_id: order.pw_order_id.clone(),
        state: order.state.word().to_owned(),
        said,
        came,
    }
}

pub(super) fn nameless(said: &str) -> Line {
    Line {
        order_id: String::new(),
        pw_order_id: None,
        state: String::new(),
        said: said.to_owned(),
        came: Came::Failed,
    }
}
