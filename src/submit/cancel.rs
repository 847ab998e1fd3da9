//! Cancels: asked for by a row or a person, of an order that is there, or as soon as it is found.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use tokio::sync::{Mutex as AsyncMutex, OwnedMutexGuard};

use super::{Blocked, Settled, SubmitError, Submitter, words_of};
use crate::clock::Now;
use crate::ledger::record::{ClaimRef, OrderRecord, OrderRef, Outcome};
use crate::ledger::state::State;
use crate::ledger::{LedgerError, Store};
use crate::reconcile::{PERSON_PAUSE, Reason};
use crate::service::{Failure, Heard, Verdict};
use crate::standing;
use crate::sync;

/// A cancel that was not answered is asked for again after this time.
const AGAIN: Duration = Duration::from_secs(30);

/// Why a cancel is asked for that no sheet asks for.
pub const BY_PERSON: &str = "a cancel is asked for by a person";

/// What the service said to the cancel of an order that the ledger did not make.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Canceled {
    /// It is canceled; the service's own words.
    Confirmed(String),
    /// The service refuses, and shows the order as one that is not canceled; its own words.
    Refused(String),
    /// The service refuses, and shows no such order: whether it is canceled is not known; its own words.
    Undecided(String),
    /// No answer that can be believed: it is asked again.
    Unanswered,
}

/// Locks by order, so that one order's cancel is asked for once at a time. There is one as long as somebody has it or waits
/// for it.
#[derive(Debug, Default)]
pub(super) struct Locks(Mutex<HashMap<OrderRef, Weak<AsyncMutex<()>>>>);

impl Locks {
    pub(super) async fn of(&self, order: OrderRef) -> OwnedMutexGuard<()> {
        let lock = {
            let mut locks = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            locks.retain(|_order, lock| lock.strong_count() > 0);
            let lock: Arc<AsyncMutex<()>> = locks.get(&order).and_then(Weak::upgrade).unwrap_or_default();
            locks.insert(order, Arc::downgrade(&lock));
            lock
        };
        lock.lock_owned().await
    }
}

impl Submitter {
    /// A row asks for a cancel of a known order: writes the wish and its outcome, then asks. False while the order's
    /// create is under way: the row waits.
    pub async fn cancel(
        &self,
        id: OrderRef,
        claim: ClaimRef,
        mut outcome: Outcome,
    ) -> Result<bool, SubmitError> {
        outcome.order = Some(id);
        let why = format!("a cancel is asked for by sheet {}", claim.0);
        let wished = self.wish_cancel(id, why, Some(outcome)).await?;
        Ok(wished.is_some())
    }

    /// A person asks for a cancel of a known order. Gives the order as it then is; none while its create is under way.
    pub async fn cancel_for_person(&self, id: OrderRef) -> Result<Option<OrderRecord>, SubmitError> {
        if self.wish_cancel(id, BY_PERSON.to_owned(), None).await?.is_none() {
            return Ok(None);
        }
        Ok(self.ledger.read(|store| store.order(id))?)
    }

    /// Writes a person's wish down, and asks nobody yet. Gives the order as it then is; none while its create is under way,
    /// when nothing is written.
    pub async fn wish_for_person(&self, id: OrderRef) -> Result<Option<OrderRecord>, SubmitError> {
        self.write_wish(id, BY_PERSON.to_owned(), None).await
    }

    /// Writes the wish down, with its outcome in a sheet, and asks the service where that is possible now.
    async fn wish_cancel(
        &self,
        id: OrderRef,
        why: String,
        outcome: Option<Outcome>,
    ) -> Result<Option<OrderRecord>, SubmitError> {
        let Some(order) = self.write_wish(id, why, outcome).await? else {
            return Ok(None);
        };
        if let (State::Canceling, Some(pw_order_id)) = (order.state, &order.pw_order_id)
            && let Err(blocked) = self.ask_cancel(&order, pw_order_id).await?
        {
            tracing::info!(
                blocked = blocked.code().name(),
                order_id = order.order_id,
                "the cancel is asked for later"
            );
        }
        Ok(Some(order))
    }

    /// Writes the wish down, with its outcome in a sheet. Gives the order as it then is; none while its create is under
    /// way.
    async fn write_wish(
        &self,
        id: OrderRef,
        why: String,
        outcome: Option<Outcome>,
    ) -> Result<Option<OrderRecord>, SubmitError> {
        let (now, account) = (self.now(), self.account);
        let written = self.ledger.write(move |store| {
            // Its state now, not when it was read: its create may have been answered meanwhile.
            let Some(order) = store.order(id)? else {
                return Ok(None);
            };
            // Another account may have a stranger's order under the same id of the service's.
            let in_vain = order.is_canceled_in_vain();
            if order.account != account && (in_vain || !order.state.is_canceled_here()) {
                return Ok(None);
            }
            match order.state {
                State::Sending => return Ok(None),
                // The list has come to show it: it is that one which is to be canceled.
                State::Held if order.account == account && !store.meant_instead_of(&order)?.is_empty() => {
                    return Ok(None);
                }
                State::Canceled if in_vain => {
                    store.ask_cancel_again(id, &why, &now)?;
                }
                State::New | State::Held | State::Unresolved | State::Created => {
                    store.ask_cancel(id, &why, &now)?;
                }
                State::Canceling | State::Canceled | State::Refused | State::Abandoned | State::Declined => {}
            }
            if let Some(outcome) = &outcome {
                store.put_outcome(outcome)?;
            }
            store.order(id)
        });
        Ok(written.await?)
    }

    /// Asks for a cancel of an order that the service listed and the ledger did not make, and notes one that is confirmed;
    /// in the inner error, why the service cannot be asked now. Once it has said its word, nothing is left to approve of a
    /// held order of that name.
    pub async fn cancel_listed(
        &self,
        order_id: &str,
        pw_order_id: &str,
    ) -> Result<Result<Canceled, Blocked>, SubmitError> {
        let asked = self.ask_cancel_of_listed(order_id, pw_order_id).await;
        if matches!(asked, Ok(Canceled::Confirmed(_))) {
            let (account, pw_order_id) = (self.account, pw_order_id.to_owned());
            self.ledger
                .write(move |store| store.listed_is_canceled(account, &pw_order_id))
                .await?;
        }
        match asked {
            Ok(Canceled::Confirmed(_) | Canceled::Refused(_) | Canceled::Undecided(_)) => {
                self.held_gives_way(order_id, pw_order_id).await?;
            }
            Ok(Canceled::Unanswered) | Err(_) => {}
        }
        Ok(asked)
    }

    async fn ask_cancel_of_listed(&self, order_id: &str, pw_order_id: &str) -> Result<Canceled, Blocked> {
        let request = async || {
            self.client
                .cancel(pw_order_id, order_id)
                .await
                .map_err(of_one_order)
        };
        let refusal = match self.health.ask(request).await? {
            Ok(message) => return Ok(Canceled::Confirmed(message)),
            Err(failure) if failure.verdict == Verdict::Refused => failure,
            Err(failure) => {
                tracing::warn!(%failure, order_id, "a cancel has no answer");
                return Ok(Canceled::Unanswered);
            }
        };
        // An earlier request, whose answer was lost, may have canceled it already.
        Ok(match self.client.order(pw_order_id, order_id).await {
            Ok(listed) if standing::says_canceled(sync::seen(&listed).order_status.as_deref()) => {
                Canceled::Confirmed("it was canceled already".to_owned())
            }
            Ok(_) => Canceled::Refused(words_of(&refusal)),
            Err(failure) if says_not_there(&failure) => Canceled::Undecided(words_of(&refusal)),
            Err(_no_answer) => Canceled::Unanswered,
        })
    }

    /// Asks the service to cancel an order whose id is known. Asking twice does no harm: it is the same id.
    pub(super) async fn ask_cancel(
        &self,
        order: &OrderRecord,
        pw_order_id: &str,
    ) -> Result<Result<Settled, Blocked>, SubmitError> {
        match self.ask_wished(order, pw_order_id).await {
            // Its cancel has ended in another way while the service was asked.
            Err(SubmitError::Ledger(error @ LedgerError::Illegal { .. })) => {
                tracing::info!(%error, order_id = order.order_id, "the answer to a cancel comes too late");
                Ok(Ok(Settled::Known))
            }
            asked => asked,
        }
    }

    async fn ask_wished(
        &self,
        order: &OrderRecord,
        pw_order_id: &str,
    ) -> Result<Result<Settled, Blocked>, SubmitError> {
        let id = order.id;
        // A row and the settler may want the same: whoever comes second finds it asked.
        let _one_at_a_time = self.canceling.of(id).await;
        let wished = self
            .ledger
            .read(|store| store.order(id))?
            .is_some_and(|order| order.state == State::Canceling);
        if !wished {
            return Ok(Ok(Settled::Known));
        }
        if let Some(settled) = self.is_given_away(order, pw_order_id).await? {
            return Ok(Ok(settled));
        }
        let ask = async |name: &str| self.client.cancel(pw_order_id, name).await.map_err(of_one_order);
        let request = async || {
            let asked = ask(order.name_at_service()).await;
            let mut names = order.names().skip(1);
            match (asked, names.next()) {
                // What was said to the first name is said; of the other one a yes is news, and that nothing was heard.
                (Err(refusal), Some(name)) if refusal.verdict == Verdict::Refused => ask(name)
                    .await
                    .map_err(|other| if is_heard(&other) { refusal } else { other }),
                (asked, _) => asked,
            }
        };
        let asked = match self.health.ask(request).await {
            Err(blocked) => return Ok(Err(blocked)),
            Ok(asked) => asked,
        };
        crate::crash::point("cancel-answered");
        let now = self.now();
        match asked {
            Ok(message) => {
                let asked_of = pw_order_id.to_owned();
                self.ledger
                    .write(move |store| confirmed(store, (id, &asked_of), &message, &now))
                    .await?;
                Ok(Ok(Settled::Known))
            }
            Err(refusal) if refusal.verdict == Verdict::Refused => {
                Ok(Ok(self.refused_cancel(order, pw_order_id, &refusal).await?))
            }
            Err(failure) => {
                tracing::warn!(%failure, order_id = order.order_id, "the cancel is asked for again");
                Ok(Ok(Settled::Again(AGAIN)))
            }
        }
    }

    /// What follows where the service has answered for two orders with one id: a cancel of the one that it has forgotten would
    /// end the other. None where it shows the id as this order's, which may then be canceled.
    async fn is_given_away(
        &self,
        order: &OrderRecord,
        pw_order_id: &str,
    ) -> Result<Option<Settled>, SubmitError> {
        let Some(other) = self.ledger.read(|store| store.shares_its_id(order))? else {
            return Ok(None);
        };
        let id = order.id;
        match self.client.order(pw_order_id, order.name_at_service()).await {
            Ok(shown) if order.names().any(|name| name == shown.order_name) => return Ok(None),
            Err(failure) if !says_not_there(&failure) => {
                tracing::warn!(%failure, order_id = order.order_id, "whose id this is, is asked again");
                return Ok(Some(Settled::Again(AGAIN)));
            }
            Ok(_) | Err(_) => {}
        }
        let why = Reason::GivenAway { to: other };
        self.ledger
            .write(move |store| store.cancel_is_undecided(id, &why))
            .await?;
        Ok(Some(Settled::Again(PERSON_PAUSE)))
    }

    /// A cancel may be refused because an earlier request, whose answer was lost, has canceled the order already: its
    /// own words tell. Without them nothing is decided.
    async fn refused_cancel(
        &self,
        order: &OrderRecord,
        pw_order_id: &str,
        refusal: &Failure,
    ) -> Result<Settled, SubmitError> {
        let (id, mut listed) = (order.id, None);
        for name in order.names() {
            match self.client.order(pw_order_id, name).await {
                Ok(shown) => listed = Some(shown),
                Err(failure) if says_not_there(&failure) => continue,
                Err(failure) if is_heard(&failure) && name != order.name_at_service() => continue,
                Err(failure) => {
                    tracing::warn!(%failure, order_id = order.order_id, "a refused cancel is looked into again");
                    return Ok(Settled::Again(AGAIN));
                }
            }
            break;
        }
        let (message, now) = (words_of(refusal), self.now());
        let Some(listed) = listed else {
            // It may have been canceled by a request whose answer was lost, or it may be printed: nobody here can tell.
            let why = Reason::UnknownThere { words: message };
            self.ledger
                .write(move |store| store.cancel_is_undecided(id, &why))
                .await?;
            return Ok(Settled::Again(PERSON_PAUSE));
        };
        let canceled = standing::says_canceled(sync::seen(&listed).order_status.as_deref());
        self.ledger
            .write(move |store| {
                if canceled {
                    store.cancel_confirmed(id, &message, &now)
                } else {
                    store.cancel_refused(id, &message, &now)
                }
            })
            .await?;
        Ok(Settled::Known)
    }
}

/// Writes down that a cancel is confirmed, of the id that it was asked for by: that may have come to be known meanwhile for
/// another order's, and then this one is looked up.
fn confirmed(
    store: &Store<'_>,
    (id, asked_of): (OrderRef, &str),
    message: &str,
    now: &Now,
) -> Result<(), LedgerError> {
    let order = store.order(id)?;
    if order.is_some_and(|order| order.pw_order_id.as_deref() != Some(asked_of)) {
        return Ok(());
    }
    store.cancel_confirmed(id, message, now)
}

/// Whether the service itself has answered, be it with an error.
fn is_heard(failure: &Failure) -> bool {
    matches!(failure.heard, Heard::Said(_))
}

/// A cancel that is answered 404, or with another code of the caller's fault in the service's own form, speaks of its
/// order: not of the account's setup, and not of a service that does not work. So does a 200 that does not say that it
/// was done. What was done is looked up before it is believed, and to ask again would do no harm either. A page of
/// somebody else's says nothing of the order.
fn of_one_order(failure: Failure) -> Failure {
    let is_said = matches!(failure.heard, Heard::Said(_));
    let verdict = match failure.verdict {
        Verdict::Misconfigured if is_said => Verdict::Refused,
        Verdict::Misconfigured => Verdict::Unknown,
        Verdict::Unknown => match failure.heard {
            // These speak of the login, of time and of how much was asked, whatever the order.
            Heard::Said(401 | 403 | 408 | 429)
            | Heard::Nothing
            | Heard::Unread
            | Heard::Odd(_)
            | Heard::NoToken
            | Heard::Denied => Verdict::Unknown,
            Heard::Said(200 | 400..=499) => Verdict::Refused,
            Heard::Said(_) => Verdict::Unknown,
        },
        Verdict::NotSent | Verdict::TryLater(_) | Verdict::Credentials | Verdict::Refused => failure.verdict,
    };
    Failure { verdict, ..failure }
}

/// Whether the service says that it has no such order.
fn says_not_there(failure: &Failure) -> bool {
    match failure.verdict {
        Verdict::Refused => true,
        Verdict::Misconfigured => matches!(failure.heard, Heard::Said(_)),
        Verdict::NotSent | Verdict::TryLater(_) | Verdict::Credentials | Verdict::Unknown => false,
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    #[tokio::test]
    async fn one_order_s_cancel_is_asked_for_once_at_a_time_and_keeps_no_other_order_waiting() {
        let locks = Locks::default();
        let first = locks.of(OrderRef(1)).await;
        assert!(locks.of(OrderRef(1)).now_or_never().is_none());
        for other in 2..=100 {
            assert!(locks.of(OrderRef(other)).now_or_never().is_some(), "{other}");
        }
        drop(first);
        assert!(locks.of(OrderRef(1)).now_or_never().is_some());
        assert_eq!(
            locks.0.lock().unwrap().len(),
            1,
            "what nobody waits for is forgotten"
        );
    }

    #[test]
    fn what_the_service_says_against_a_cancel_is_its_order_s_refusal() {
        for (heard, before, after) in [
            (Heard::Said(409), Verdict::Unknown, Verdict::Refused),
            (Heard::Said(410), Verdict::Unknown, Verdict::Refused),
            (Heard::Said(200), Verdict::Unknown, Verdict::Refused),
            (Heard::Odd(200), Verdict::Unknown, Verdict::Unknown),
            (Heard::Said(404), Verdict::Misconfigured, Verdict::Refused),
            (Heard::Odd(404), Verdict::Misconfigured, Verdict::Unknown),
            (Heard::Said(408), Verdict::Unknown, Verdict::Unknown),
            (Heard::Said(403), Verdict::Credentials, Verdict::Credentials),
            (Heard::Said(500), Verdict::Unknown, Verdict::Unknown),
            (Heard::Odd(409), Verdict::Unknown, Verdict::Unknown),
            (Heard::Nothing, Verdict::Unknown, Verdict::Unknown),
        ] {
            let failure = Failure {
                operation: "orders/cancel-order",
                verdict: before,
                heard,
                has_status: false,
                detail: "no".to_owned(),
                service_message: Some("Order is in production".to_owned()),
                service_date: None,
                made: None,
            };
            assert_eq!(of_one_order(failure).verdict, after, "{heard:?}");
        }
    }

    #[test]
    fn a_page_of_somebody_else_s_does_not_say_that_an_order_is_not_there() {
        for (heard, is_said) in [(Heard::Said(404), true), (Heard::Odd(404), false)] {
            let failure = Failure {
                operation: "orders/detail",
                verdict: Verdict::Misconfigured,
                heard,
                has_status: false,
                detail: "no".to_owned(),
                service_message: None,
                service_date: None,
                made: None,
            };
            assert_eq!(says_not_there(&failure), is_said, "{heard:?}");
        }
    }
}
