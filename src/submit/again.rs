//! An order that is sent once more: what it costs, for what was agreed to was the price of its first create, and the
//! create itself, where its absence is proved.

use std::time::Duration;

use super::create::Attempt;
use super::settle::Settled;
use super::{Blocked, STALE, SubmitError, Submitter, words_of};
use crate::clock::{BootTime, Now};
use crate::ledger::record::{Intent, OrderRecord, ResendIntent};
use crate::ledger::state::State;
use crate::ledger::{LedgerError, Store};
use crate::money::Money;
use crate::order::Order;
use crate::quote::{Quote, is_odd};
use crate::reconcile::{Reason, Step};

/// An order whose create did not leave is looked for again after this time, and then sent.
const NOT_SENT: Duration = Duration::from_secs(2);

/// How often an order is looked for whose absence is proved, while a person is asked whether it is sent again, or its inbox
/// sends nothing: each time the whole list is read.
const ASKED: Duration = Duration::from_hours(1);

/// An order that must not be sent again now is only looked for.
const NOT_NOW: Duration = Duration::from_mins(1);

/// Whether an order may be sent once more at its price of now.
#[derive(Debug)]
pub(super) enum Again {
    /// It may, at this price.
    At(Quote),
    /// A person decides, and the price where there is one.
    Ask(Reason, Option<Quote>),
}

/// What a person or a limit has agreed to when an order was first sent.
struct Agreed {
    /// What a person has approved: it covers what is less.
    approved: Option<Money>,
    /// The total that it was sent at.
    sent_at: Option<Money>,
    /// The only total at which its sheet has it sent.
    expected: Option<Money>,
    /// Whether its inbox sends nothing for nothing.
    holds_zero: bool,
}

impl Agreed {
    /// What was agreed to, where it is not that total. One that has fallen is as good, unless its first create would have
    /// been held at it.
    fn not_covering(&self, total: Money) -> Option<Money> {
        let is_odd = is_odd(total, self.holds_zero);
        let is_unexpected =
            self.approved.is_none() && self.expected.is_some_and(|expected| total != expected);
        let agreed = self.approved.or(self.sent_at)?;
        (total > agreed || (total < agreed && (is_odd || is_unexpected))).then_some(agreed)
    }
}

/// What an order costs that is to be sent once more.
struct Cost {
    total: Money,
    /// What was agreed to, where that does not cover it.
    agreed: Option<Money>,
    /// The limit of the day, where it does not let it pass.
    limit: Option<Money>,
}

impl Cost {
    /// Why a person decides; none where nobody has to.
    fn asks(&self) -> Option<Reason> {
        (self.agreed.is_some() || self.limit.is_some()).then_some(Reason::Price {
            total: self.total,
            agreed: self.agreed,
            limit: self.limit,
        })
    }
}

impl Submitter {
    /// Prices an order that is not at the service anew. What a person or a limit has agreed to is the total that was
    /// approved, else the one that it was sent at, and not what is held at its first create; and it has to fit into the
    /// day.
    pub(super) async fn price_again(
        &self,
        order: &OrderRecord,
        content: &Order,
    ) -> Result<Result<Again, Blocked>, LedgerError> {
        self.quotes.forget(content);
        let quote = match self.price(content).await {
            Err(blocked) => {
                return match self.said_of_it_alone(&blocked) {
                    // No wait for the service would ever end this.
                    Some(words) => Ok(Ok(Again::Ask(Reason::Unpriced { words }, None))),
                    None => Ok(Err(blocked)),
                };
            }
            Ok(Ok(quote)) => quote,
            Ok(Err(refusal)) => {
                let words = words_of(&refusal);
                return Ok(Ok(Again::Ask(Reason::PriceRefused { words }, None)));
            }
        };
        let agreed = Agreed {
            approved: order.approved_total,
            sent_at: order.quote.as_ref().map(|quote| quote.total),
            expected: content.expected_total,
            holds_zero: self.holds_zero(&order.inbox),
        };
        let day = self.day(&order.inbox, &self.now());
        let is_over = match &day {
            None => None,
            Some(day) => self
                .ledger
                .read(|store| store.over_day((order.id, quote.total), day))?,
        };
        let cost = Cost {
            total: quote.total,
            agreed: agreed.not_covering(quote.total),
            limit: is_over.and(day.map(|day| day.limit)),
        };
        Ok(Ok(match cost.asks() {
            None => Again::At(quote),
            Some(why) => Again::Ask(why, Some(quote)),
        }))
    }

    /// When an order was last seen to be absent: its price may be long in coming, and then its absence has to be proved once
    /// more, by all that proved it before. None where that shows anything else.
    async fn still_absent_since(
        &self,
        order: &OrderRecord,
        looked_at: BootTime,
    ) -> Result<Result<Option<BootTime>, Blocked>, SubmitError> {
        if !self.is_older(&looked_at, STALE) {
            return Ok(Ok(Some(looked_at)));
        }
        let Some(absence) = self.ledger.read(|store| store.absence(order.id))? else {
            return Ok(Ok(None));
        };
        let next = self.next_step(order, &absence, &self.now()).await?;
        Ok(next.map(|(step, _looked)| (step == Step::SendAgain).then(|| self.now().boot)))
    }

    /// Sends an order once more whose absence is proved.
    pub(super) async fn send_again(
        &self,
        order: &OrderRecord,
    ) -> Result<Result<Settled, Blocked>, SubmitError> {
        let Some(content) = order.content.clone() else {
            return Ok(Ok(self.ask_before_again(order, Reason::NotKept).await?));
        };
        if self.is_stopped(&order.inbox) {
            return Ok(Ok(Settled::Again(ASKED)));
        }
        if self.ledger.read(|store| store.is_canceled_in_shop(order))? {
            return Ok(Ok(self.ask_before_again(order, Reason::CanceledInShop).await?));
        }
        let looked_at = self.now().boot;
        if let Err(blocked) = self.walked_and_quiet().await? {
            return Ok(Err(blocked));
        }
        // The others are looked for meanwhile.
        if !self.proved_now(&content).await {
            return Ok(Ok(Settled::Again(NOT_NOW)));
        }
        let quote = match self.price_again(order, &content).await? {
            Err(blocked) => return Ok(Err(blocked)),
            Ok(Again::At(quote)) => quote,
            Ok(Again::Ask(asked, _)) => return Ok(Ok(self.ask_before_again(order, asked).await?)),
        };
        let looked_at = match self.still_absent_since(order, looked_at).await? {
            Err(blocked) => return Ok(Err(blocked)),
            Ok(None) => return Ok(Ok(Settled::Again(NOT_NOW))),
            Ok(Some(looked_at)) => looked_at,
        };
        let is_stopped = || self.is_stopped(&order.inbox);
        let leave = match self.leave_while_fresh(&looked_at, &is_stopped).await {
            Ok(Some(leave)) => leave,
            Ok(None) => return Ok(Ok(Settled::Again(Duration::ZERO))),
            Err(blocked) => return Ok(Err(blocked)),
        };
        match self.intend_again(order, quote).await? {
            IntendedAgain::Written => {}
            IntendedAgain::Not => return Ok(Ok(Settled::Again(Duration::ZERO))),
            IntendedAgain::Ask(asked) => return Ok(Ok(self.ask_before_again(order, asked).await?)),
        }
        tracing::warn!(
            order_id = order.order_id,
            "its absence is proved; it is sent once more"
        );
        match self.attempt(order.id, &content, leave, &is_stopped).await? {
            Attempt::Created | Attempt::Ended => Ok(Ok(Settled::Again(Duration::ZERO))),
            Attempt::NotSent => Ok(Ok(Settled::Again(NOT_SENT))),
        }
    }

    async fn ask_before_again(&self, order: &OrderRecord, asked: Reason) -> Result<Settled, LedgerError> {
        let look = order.at_look();
        self.ledger
            .write(move |store| store.ask_person(look, &asked))
            .await?;
        Ok(Settled::Again(ASKED))
    }

    /// Commits the intent to send an order once more, unless a sheet speaks of its cancel.
    async fn intend_again(&self, order: &OrderRecord, quote: Quote) -> Result<IntendedAgain, LedgerError> {
        let (id, now, leaving) = (order.id, self.now(), self.leaving_now());
        let again = ResendIntent {
            sends: order.sends,
            fingerprint: order.fingerprint.clone(),
            quote: Some(quote),
            day: self.day(&order.inbox, &now),
            is_let_pass: false,
            why: "its absence is proved",
        };
        let intended = self.ledger.write(move |store| {
            if let Some(order) = store.order(id)?.filter(|order| order.state == State::Unresolved)
                && let Some(instead) = cancel_instead(store, &order, &now)?
            {
                return Ok(instead);
            }
            Ok(match store.intend_resend(id, &again, &leaving)? {
                Intent::Written(_) => IntendedAgain::Written,
                // The day has filled up meanwhile: it is priced again, and a person asked.
                Intent::OverDay { .. } => IntendedAgain::Not,
                // It was not listed when it was first sent: it may be this one, under its name in another writing.
                Intent::Beside => IntendedAgain::Ask(Reason::Alike { one: None }),
            })
        });
        intended.await
    }
}

/// What came of the intent to send an order once more.
enum IntendedAgain {
    /// It is committed.
    Written,
    /// Something has come between: the order is looked at anew.
    Not,
    /// A person decides.
    Ask(Reason),
}

/// Does what follows for an order without an answer from a younger sheet that speaks of its cancel; none where no sheet
/// does.
fn cancel_instead(
    store: &Store<'_>,
    order: &OrderRecord,
    now: &Now,
) -> Result<Option<IntendedAgain>, LedgerError> {
    // A sheet that asks for its cancel waits for its turn: nothing is sent again meanwhile.
    if let Some(wish) = store.cancel_asked(order)? {
        let why = format!("a cancel is asked for by sheet {}", wish.claim.0);
        store.ask_cancel(order.id, &why, now)?;
        return Ok(Some(IntendedAgain::Not));
    }
    // Nobody asks for a cancel, which would be asked of the service if it has the order after all.
    let in_shop = store.is_canceled_in_shop(order)?;
    Ok(in_shop.then_some(IntendedAgain::Ask(Reason::CanceledInShop)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_person_is_asked_about_a_price_that_has_risen_about_a_day_that_is_full_and_about_both_at_once() {
        let money = |text: &str| text.parse::<Money>().unwrap();
        let total = money("14.00");
        for (agreed, limit) in [
            (None, None),
            (Some("13.00"), None),
            (Some("13.00"), Some("50")),
            (None, Some("50")),
        ] {
            let (agreed, limit) = (agreed.map(money), limit.map(money));
            let asks = Cost { total, agreed, limit }.asks();
            let asked = Reason::Price { total, agreed, limit };
            let is_asked = agreed.is_some() || limit.is_some();
            assert_eq!(asks, is_asked.then_some(asked));
        }
    }

    #[test]
    fn a_price_that_has_fallen_to_what_the_first_create_would_have_been_held_at_is_a_persons_to_say() {
        let money = |text: &str| text.parse::<Money>().unwrap();
        let sent = || Agreed {
            approved: None,
            sent_at: Some(money("13.00")),
            expected: None,
            holds_zero: true,
        };
        let expected = || Agreed {
            expected: Some(money("13.00")),
            ..sent()
        };
        let approved = || Agreed {
            approved: Some(money("20.00")),
            expected: Some(money("1.00")),
            ..sent()
        };
        for (agreed, total, asks_from) in [
            (sent(), "13.01", Some("13.00")),
            (sent(), "13.00", None),
            (sent(), "0.01", None),
            (sent(), "0.00", Some("13.00")),
            (sent(), "-1.00", Some("13.00")),
            (expected(), "13.00", None),
            (expected(), "12.99", Some("13.00")),
            (approved(), "20.00", None),
            (approved(), "12.00", None),
            (approved(), "0.00", Some("20.00")),
        ] {
            assert_eq!(agreed.not_covering(money(total)), asks_from.map(money), "{total}");
        }
        let sends_zero = Agreed {
            holds_zero: false,
            ..sent()
        };
        assert_eq!(sends_zero.not_covering(Money::ZERO), None);
        assert!(sends_zero.not_covering(money("-1.00")).is_some());
        let sent_for_nothing = Agreed {
            sent_at: Some(Money::ZERO),
            ..sent()
        };
        assert_eq!(
            sent_for_nothing.not_covering(Money::ZERO),
            None,
            "that was agreed to"
        );
        let cost = Cost {
            total: money("0.00"),
            agreed: Some(money("13.00")),
            limit: None,
        };
        assert_eq!(
            cost.asks(),
            Some(Reason::Price {
                total: money("0.00"),
                agreed: Some(money("13.00")),
                limit: None
            })
        );
    }
}
