//! The create of an order.

use super::pace::Slot;
use super::wire::{self, CreatedAnswer};
use super::{Answer, Client, CreatedOrder, Failure, operation, read, unreadable};
use crate::order::Order;

/// The turn of a create among the requests; free again when it is dropped.
#[derive(Debug)]
pub struct Place(Slot);

impl Client {
    /// `orders/create-new-order`. Sent at most once by every layer below; the caller has committed the intent. An
    /// answer that turns the token away did nothing, so the order then leaves again, with another token, a few times at most.
    pub async fn create(&self, order: &Order) -> Result<Answer<CreatedOrder>, Failure> {
        self.create_if(order, None, &|| true).await
    }

    /// Waits for a create's turn among the requests, where they are counted, before its intent is written: an order that
    /// stands there for long is not one that may have been sent. None where its turn comes as soon as it is sent.
    ///
    /// # Errors
    /// The service asks for a pause, or the program is ending.
    pub async fn place_for_create(&self) -> Result<Option<Place>, Failure> {
        let place = self.http.enter_where_counted(&operation::CREATE).await?;
        Ok(place.map(Place))
    }

    /// The same as [`Client::create`], at a place that was waited for where there is one, unless `may_leave` says no when its
    /// turn has come: then it is not sent.
    pub async fn create_if(
        &self,
        order: &Order,
        place: Option<Place>,
        may_leave: &(dyn Fn() -> bool + Sync),
    ) -> Result<Answer<CreatedOrder>, Failure> {
        let operation = &operation::CREATE;
        let params = wire::NewOrder::new(order);
        let turn = place.map(|Place(slot)| slot);
        let reply = self.call_if(operation, Some(&params), turn, may_leave).await;
        let reply = reply.map_err(|failure| of_its_own(failure, order))?;
        let ids = read::<CreatedAnswer>(operation, &reply)?.data;
        let made = CreatedOrder {
            pw_order_id: ids.pw_order_id,
            order_id: ids.order_id.text,
        };
        if made.pw_order_id.trim().is_empty() {
            return Err(unreadable(
                operation,
                &reply,
                "`data.pwOrderId` in the answer is empty".to_owned(),
            ));
        }
        if made.order_id != order.order_id {
            let failure = unreadable(operation, &reply, "the answer speaks of another order".to_owned());
            // A number may be ours all the same, without the zeros that it began with.
            let made = (!ids.order_id.is_number).then(|| Box::new(made));
            return Err(Failure { made, ..failure });
        }
        Ok(Answer {
            value: made,
            service_date: reply.service_date,
        })
    }
}

/// A failure without the order that it names, where that is the one that was to be made: it is looked up, as what has no
/// answer is. Another one's name is for a person to compare.
fn of_its_own(failure: Failure, order: &Order) -> Failure {
    let is_other = |made: &CreatedOrder| made.order_id != order.order_id;
    Failure {
        made: failure.made.filter(|made| is_other(made)),
        ..failure
    }
}
