//! An order without an answer, settled by a person. The service is asked once more before the person is believed, but of a
//! cancel for an order that it does not show.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::again::Again;
use super::create::Attempt;
use super::look::{first_attempt, is_of_another_name, look_from, told};
use super::{Blocked, STALE, SubmitError, Submitter, seen_of};
use crate::clock::BootTime;
use crate::ledger::record::{AbsenceRecord, Intent, OrderRecord, OrderRef, ResendIntent};
use crate::ledger::state::State;
use crate::ledger::{LedgerError, Store};
use crate::order::Order;
use crate::quote::Quote;
use crate::reconcile::{Liveness, is_ours_behind_something, of_the_attempt};
use crate::service::{ListedOrder, Verdict};
use crate::sync;

/// What a person has decided.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Resolution {
    /// The service has it, under this id.
    Created(String),
    /// The service does not have it: it is sent once more. Only while it was sent so often: asked for twice, it is
    /// done once.
    Resend {
        /// How often the order had been sent when the person decided.
        sends: u32,
    },
    /// It is given up.
    Abandon,
}

/// What came of a decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Resolved {
    /// The service has it, as this id.
    Adopted(String),
    /// It was sent once more; the order's state tells what came of that.
    Sent,
    /// It is given up.
    Abandoned,
    /// A cancel of it was wished, and it is not at the service as far as can be seen: it is canceled.
    RuledOut,
    /// It is canceled because a person says so: nobody was asked.
    AtYourWord,
    /// The service has confirmed its cancel meanwhile.
    Canceled,
    /// Nothing was changed, and why.
    Refused(String),
}

impl Submitter {
    /// Settles an unresolved order as a person has decided, after one more look.
    ///
    /// # Errors
    /// In the inner result where the service cannot be asked: then nothing was changed.
    pub async fn resolve(
        &self,
        id: OrderRef,
        decision: &Resolution,
    ) -> Result<Result<Resolved, Blocked>, SubmitError> {
        match self.try_to_resolve(id, decision).await {
            Ok(resolved) => Ok(Ok(resolved)),
            Err(Not::Done(why)) => Ok(Ok(Resolved::Refused(why))),
            Err(Not::Asked(blocked)) => Ok(Err(blocked)),
            Err(Not::Kept(error)) => Err(error),
        }
    }

    async fn try_to_resolve(&self, id: OrderRef, decision: &Resolution) -> Result<Resolved, Not> {
        if *decision == Resolution::Abandon
            && let Some(ended) = self.end_cancel_at_word(id).await?
        {
            return Ok(ended);
        }
        let Some(order) = self.ledger.read(|store| store.order(id))? else {
            return Err(not("the ledger does not know it"));
        };
        if let Some(done) = done_already(&order, decision) {
            return done;
        }
        self.look_and_decide(order, decision).await
    }

    async fn look_and_decide(&self, order: OrderRecord, decision: &Resolution) -> Result<Resolved, Not> {
        let id = order.id;
        let waits = order.state == State::Canceling && order.pw_order_id.is_none();
        if order.state != State::Unresolved && !waits {
            let why = format!(
                "it is `{}`: only an unresolved order is settled by hand",
                order.state
            );
            return Err(Not::Done(why));
        }
        let Found {
            orders,
            alike,
            first,
            is_told,
        } = self.look_for_person(&order, decision).await?;
        let looked_at = self.now().boot;
        let ours = |listed: &&ListedOrder| of_the_attempt(&sync::to_named(listed), order.ours(), first);
        let there = orders.iter().filter(ours).min_by_key(|listed| listed.entered_at);
        match (decision, there) {
            (Resolution::Created(pw), _) => self.believe(&order, pw, orders, alike).await,
            (Resolution::Abandon, Some(found)) => {
                let pw = found.pw_order_id.clone();
                self.adopt(&order, &pw, &orders).await
            }
            (Resolution::Resend { .. }, Some(found)) => Err(Not::Done(format!(
                "the service has it as {}; settle it with --created {}",
                found.pw_order_id, found.pw_order_id
            ))),
            (Resolution::Resend { .. }, None) if !orders.is_empty() => {
                let ids: Vec<&str> = orders.iter().map(|listed| listed.pw_order_id.as_str()).collect();
                Err(Not::Done(format!(
                    "the service has another order of this id ({}): a second one is not made; give the order a new id",
                    ids.join(", ")
                )))
            }
            (Resolution::Resend { .. } | Resolution::Abandon, None) if !alike.is_empty() => {
                let ids: Vec<String> = alike
                    .iter()
                    .map(|listed| format!("{} (`{}`)", listed.pw_order_id, listed.order_name))
                    .collect();
                Err(Not::Done(format!(
                    "the service has the same under another id, or one that is written in another way: {}; settle it with \
                     --created, or give the order a new id",
                    ids.join(", ")
                )))
            }
            (Resolution::Resend { .. }, None) if !is_told => Err(not(CANNOT_TELL)),
            (Resolution::Resend { .. }, None) if waits => {
                Err(not("a cancel of it is wished: it is not sent again"))
            }
            (Resolution::Resend { .. }, None) => self.send_for_person(&order, looked_at).await,
            (Resolution::Abandon, None) if waits => {
                let now = self.now();
                let rule_out = move |store: &Store<'_>| store.ruled_out(id, "a person gave it up", &now);
                self.settled(id, rule_out, Resolved::RuledOut).await
            }
            (Resolution::Abandon, None) => {
                let now = self.now();
                self.settled(id, move |store| store.abandon(id, &now), Resolved::Abandoned)
                    .await
            }
        }
    }

    /// Whether the list is shown to be live, by an order that it shows under our name of it.
    async fn is_shown_live(&self, order: &OrderRecord) -> Result<bool, Not> {
        let Some(absence) = self.ledger.read(|store| store.absence(order.id))? else {
            return Ok(false);
        };
        let liveness = self.liveness(&absence, &self.now()).await??;
        Ok(matches!(liveness, Liveness::Live { .. }))
    }

    /// Looks through the whole list for the order, and for what nobody here has sent that is the same but for the writing
    /// of its id.
    async fn look_for_person(&self, order: &OrderRecord, decision: &Resolution) -> Result<Found, Not> {
        let absence = self.ledger.read(|store| store.absence(order.id))?;
        let now = self.now();
        let from = look_from(order, absence.as_ref(), self.client.service_now(), &now);
        let wanted = (order.order_id.as_str(), |listed: &ListedOrder| {
            is_of_another_name(listed, order)
        });
        let look = async || told(sync::look_through(self.list(), wanted, from, &now).await);
        let whole = self.health.ask(look).await?.map_err(|failure| {
            Not::Done(format!(
                "the service's list cannot be read now ({failure}); nothing was changed"
            ))
        })?;
        // It may never tell: what a person knows from elsewhere counts.
        let Some(whole) = whole else {
            return Ok(Found {
                orders: Vec::new(),
                alike: Vec::new(),
                first: first_attempt(order, absence.as_ref(), self.client.service_now(), &now),
                is_told: false,
            });
        };
        let first = first_attempt(order, absence.as_ref(), whole.service_date, &now);
        let mut alike = self.of_nobody(whole.alike)?;
        alike.retain(|listed| sync::to_named(listed).is_like(order.ours()));
        let (same, mut alike): (Vec<_>, Vec<_>) = alike.into_iter().partition(|listed| {
            !is_ours_behind_something(&order.order_id, &listed.order_name)
                && is_of_another_name(listed, order)
        });
        // Where the list shows none of ours under its name, any of another name may be this one.
        let counts = match decision {
            Resolution::Created(_) => true,
            Resolution::Resend { .. } => !same.is_empty() && !self.is_shown_live(order).await?,
            Resolution::Abandon => false,
        };
        let may_be = |listed: &ListedOrder| of_the_attempt(&sync::to_named(listed), order.ours(), first);
        alike.extend(same.into_iter().filter(|listed| counts && may_be(listed)));
        Ok(Found {
            orders: whole.orders,
            alike,
            is_told: true,
            first,
        })
    }

    /// A person says that the service has it as this id: it must be there, with our name or one like it.
    async fn believe(
        &self,
        order: &OrderRecord,
        pw_order_id: &str,
        mut orders: Vec<ListedOrder>,
        alike: Vec<ListedOrder>,
    ) -> Result<Resolved, Not> {
        let is_it = |listed: &ListedOrder| listed.pw_order_id.eq_ignore_ascii_case(pw_order_id);
        if let Some(it) = alike.into_iter().find(is_it) {
            return self.adopt(order, &it.pw_order_id.clone(), &[it]).await;
        }
        if !orders.iter().any(is_it) {
            match self.client.order(pw_order_id, &order.order_id).await {
                Ok(listed) if is_it(&listed) && listed.order_name == order.order_id => orders.push(listed),
                Ok(listed) => {
                    return Err(Not::Done(format!(
                        "{pw_order_id} is the order `{}` at the service, not `{}`",
                        listed.order_name, order.order_id
                    )));
                }
                Err(failure) if matches!(failure.verdict, Verdict::Refused | Verdict::Misconfigured) => {
                    return Err(Not::Done(format!(
                        "the service does not know {pw_order_id} with the order_id `{}`",
                        order.order_id
                    )));
                }
                Err(failure) => {
                    return Err(Not::Done(format!(
                        "the service cannot be asked for {pw_order_id} now ({failure}); nothing was changed"
                    )));
                }
            }
        }
        let found = orders.iter().find(|listed| is_it(listed));
        let pw_order_id = found.map_or_else(|| pw_order_id.to_owned(), |listed| listed.pw_order_id.clone());
        self.adopt(order, &pw_order_id, &orders).await
    }

    async fn adopt(
        &self,
        order: &OrderRecord,
        pw_order_id: &str,
        orders: &[ListedOrder],
    ) -> Result<Resolved, Not> {
        let (id, seen, now) = (order.id, seen_of(orders, pw_order_id), self.now());
        let others = u32::try_from(orders.len().saturating_sub(1)).unwrap_or(u32::MAX);
        self.write_others(orders, pw_order_id).await?;
        self.settled(
            id,
            move |store| store.found(id, &seen, others, &now),
            Resolved::Adopted(pw_order_id.to_owned()),
        )
        .await
    }

    /// Sends it once more. The list must not be known to hide orders: else its silence tells nothing.
    async fn send_for_person(&self, order: &OrderRecord, looked_at: BootTime) -> Result<Resolved, Not> {
        let (Some(content), Some(absence)) = (
            order.content.clone(),
            self.ledger.read(|store| store.absence(order.id))?,
        ) else {
            return Err(not(
                "what it holds is kept no longer: if it is not at the service, give it up with --abandon and drop it again",
            ));
        };
        if self.is_stopped(&order.inbox) {
            return Err(not("its inbox sends nothing now (STOP, or its folder is away)"));
        }
        match self.liveness(&absence, &self.now()).await?? {
            Liveness::Live { .. } | Liveness::Unproven => {}
            Liveness::Dead | Liveness::Young => {
                return Err(not(
                    "the service's list does not show an order that the service has confirmed, so that its silence \
                     tells nothing; try again later",
                ));
            }
        }
        self.may_create(&content).await??;
        let priced = self.price_for_person(order, &content, &absence).await?;
        let looked_at = self.still_absent_for_person(order, looked_at).await?;
        let is_stopped = || self.is_stopped(&order.inbox);
        let Some(leave) = self.leave_while_fresh(&looked_at, &is_stopped).await? else {
            return Err(not(
                "its look-up has grown old: the service was slow, away or stopped; try again",
            ));
        };
        match self.intend_for_person(order, priced).await {
            Ok(Some(Intent::Written(_))) => {}
            Ok(Some(Intent::OverDay { .. })) => {
                return Err(not("the day has filled up just now; try again"));
            }
            Ok(Some(Intent::Beside)) => return Err(not(SHOWN_BY_NOW)),
            Ok(None) => return Err(not("a sheet asks for its cancel: it is not sent again")),
            Err(LedgerError::Illegal { .. }) => return Err(not(SETTLED_MEANWHILE)),
            Err(error) => return Err(error.into()),
        }
        match self.attempt(order.id, &content, leave, &is_stopped).await? {
            Attempt::Created | Attempt::Ended => Ok(Resolved::Sent),
            Attempt::NotSent => Err(not("the create did not reach the service; it is looked up again")),
        }
    }

    /// When an order was last seen to be absent: where what came after the look took long, it is looked up once more.
    async fn still_absent_for_person(
        &self,
        order: &OrderRecord,
        looked_at: BootTime,
    ) -> Result<BootTime, Not> {
        if !self.is_older(&looked_at, STALE) {
            return Ok(looked_at);
        }
        let found = self
            .look_for_person(order, &Resolution::Resend { sends: order.sends })
            .await?;
        if !found.orders.is_empty() || !found.alike.is_empty() {
            Err(not(SHOWN_BY_NOW))
        } else if found.is_told {
            Ok(self.now().boot)
        } else {
            Err(not(CANNOT_TELL))
        }
    }

    /// Prices an order that a person has sent once more. Where the person has to know something first, it is not sent.
    async fn price_for_person(
        &self,
        order: &OrderRecord,
        content: &Order,
        absence: &AbsenceRecord,
    ) -> Result<Priced, Not> {
        match self.price_again(order, content).await?? {
            Again::At(quote) => Ok(Priced {
                quote: Some(quote),
                was_told: false,
            }),
            // Who was told of it and says so again means it.
            Again::Ask(asked, quote) if absence.asked.as_ref().is_some_and(|told| told.is_again(&asked)) => {
                Ok(Priced {
                    quote,
                    was_told: true,
                })
            }
            Again::Ask(asked, _) => {
                let look = order.at_look();
                let why = format!(
                    "{}; say it once more to have it sent all the same",
                    asked.words(&order.order_id)
                );
                self.ledger
                    .write(move |store| store.ask_person(look, &asked))
                    .await?;
                Err(Not::Done(why))
            }
        }
    }

    /// Commits the intent of what a person sends once more; none where a sheet asks for its cancel.
    async fn intend_for_person(
        &self,
        order: &OrderRecord,
        priced: Priced,
    ) -> Result<Option<Intent>, LedgerError> {
        let (id, now) = (order.id, self.leaving_now());
        let again = ResendIntent {
            sends: order.sends,
            fingerprint: order.fingerprint.clone(),
            quote: priced.quote,
            day: self.day(&order.inbox, &self.now()),
            is_let_pass: priced.was_told,
            why: "a person says that it is not at the service",
        };
        let intent = self.ledger.write(move |store| {
            if let Some(order) = store.order(id)?
                && store.cancel_asked(&order)?.is_some()
            {
                return Ok(None);
            }
            store.intend_resend(id, &again, &now).map(Some)
        });
        intent.await
    }

    /// Writes a decision down; the order may have been settled by itself meanwhile.
    async fn settled(
        &self,
        id: OrderRef,
        write: impl FnOnce(&Store<'_>) -> Result<(), LedgerError> + Send + 'static,
        resolved: Resolved,
    ) -> Result<Resolved, Not> {
        match self.ledger.write(write).await {
            Ok(()) => {
                tracing::info!(order = id.0, ?resolved, "settled by a person");
                Ok(resolved)
            }
            Err(LedgerError::Illegal { .. }) => Err(not(SETTLED_MEANWHILE)),
            Err(error) => Err(error.into()),
        }
    }
}

/// What an order costs that a person sends once more.
struct Priced {
    /// None where the service refuses to say it.
    quote: Option<Quote>,
    /// The person was told what is the matter with that, and has said it again.
    was_told: bool,
}

/// What the whole list has shown of an order.
struct Found {
    /// Those of exactly its name.
    orders: Vec<ListedOrder>,
    /// Those of nobody here that are the same but for the writing of their name, or under another where that counts.
    alike: Vec<ListedOrder>,
    /// When its first create was intended, by the service's clock.
    first: Timestamp,
    /// Whether the list tells anything: it may have an order that cannot be told from this one.
    is_told: bool,
}

const CANNOT_TELL: &str = "the service's list has an order of which it cannot be told whether it is this one: settle it with --created, or \
                           give it up with --abandon and drop it under another id";

const SHOWN_BY_NOW: &str =
    "the service shows an order of this id by now: nothing was sent; look at it and decide again";

const SETTLED_MEANWHILE: &str = "it was settled by itself just now; see `dropsheet orders show`";

/// Why a decision is not carried out.
enum Not {
    /// Nothing was changed, and why.
    Done(String),
    /// The service cannot be asked.
    Asked(Blocked),
    /// The ledger cannot be kept.
    Kept(SubmitError),
}

impl From<Blocked> for Not {
    fn from(blocked: Blocked) -> Self {
        Self::Asked(blocked)
    }
}

impl From<SubmitError> for Not {
    fn from(error: SubmitError) -> Self {
        Self::Kept(error)
    }
}

impl From<LedgerError> for Not {
    fn from(error: LedgerError) -> Self {
        Self::Kept(error.into())
    }
}

fn not(why: &str) -> Not {
    Not::Done(why.to_owned())
}

/// What was done already, by the same request before a crash, or by itself.
fn done_already(order: &OrderRecord, decision: &Resolution) -> Option<Result<Resolved, Not>> {
    match decision {
        Resolution::Created(pw) => order
            .pw_order_id
            .as_ref()
            .filter(|own| own.eq_ignore_ascii_case(pw))
            .cloned()
            .map(|own| Ok(Resolved::Adopted(own))),
        Resolution::Resend { sends } => {
            (order.sends != *sends).then(|| Err(not("it was sent again since that was decided")))
        }
        Resolution::Abandon => match order.state {
            State::Abandoned => Some(Ok(Resolved::Abandoned)),
            State::Canceled if order.pw_order_id.is_none() && order.sends > 0 => Some(Ok(Resolved::RuledOut)),
            State::New
            | State::Held
            | State::Sending
            | State::Unresolved
            | State::Created
            | State::Canceling
            | State::Canceled
            | State::Refused
            | State::Declined => None,
        },
    }
}
