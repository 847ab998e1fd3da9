//! The create of an order.

use super::wire::{self, CreatedAnswer};
use super::{Answer, Client, CreatedOrder, Failure, operation, read, unreadable};
use crate::order::Order;

impl Client {
    /// `orders/create-new-order`. Sent at most once by every layer below; the caller has committed the intent. An
    /// answer that turns the token away did nothing, so the order then leaves again, with another token, a few times at most.
    pub async fn create(&self, order: &Order) -> Result<Answer<CreatedOrder>, Failure> {
        self.create_if(order, &|| true).await
    }

    /// The same, unless `may_leave` says no when its turn has come: then it is not sent.
    pub async fn create_if(
        &self,
        order: &Order,
        may_leave: &(dyn Fn() -> bool + Sync),
    ) -> Result<Answer<CreatedOrder>, Failure> {
        let operation = &operation::CREATE;
        let params = wire::NewOrder::new(order);
        let reply = self.call_if(operation, Some(&params), may_leave).await?;
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
