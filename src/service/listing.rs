//! A page of the order list, and what an answer means that holds none.

use super::http::Reply;
use super::wire::{self, NoOrdersAnswer, OrdersAnswer, SomeOrdersAnswer};
use super::{Answer, Client, Failure, Heard, ListOrders, OrderPage, Verdict, operation, read, unreadable};

impl Client {
    /// `orders/list`: one page.
    pub async fn list_orders(&self, query: &ListOrders<'_>) -> Result<Answer<OrderPage>, Failure> {
        let page = self.page_of_orders(query).await;
        if page
            .as_ref()
            .err()
            .is_none_or(|failure| failure.verdict == Verdict::Refused)
        {
            self.answers.note();
        }
        page
    }

    async fn page_of_orders(&self, query: &ListOrders<'_>) -> Result<Answer<OrderPage>, Failure> {
        let operation = &operation::LIST_ORDERS;
        let reply = self.call(operation, Some(&wire::OrderQuery::new(query))).await?;
        let value = match read::<OrdersAnswer>(operation, &reply) {
            Ok(answer) => answer.into_page(),
            // An order without an id keeps no other from being read. Where several are there, and none of them has a place
            // for one, it is not their records that are broken: what was wrong is said.
            Err(failure) => {
                match read::<SomeOrdersAnswer>(operation, &reply).map(SomeOrdersAnswer::into_page) {
                    Ok(page) if page.is_unreadable() && query.search.is_none() => {
                        return Err(failure);
                    }
                    Ok(page) => page,
                    Err(_no_list) => {
                        let none = read::<NoOrdersAnswer>(operation, &reply);
                        let none = none.ok().and_then(NoOrdersAnswer::into_page);
                        none.ok_or_else(|| without_list(failure, &reply))?
                    }
                }
            }
        };
        // An empty list proves that an order is not there. One that could not be read may be empty too.
        if value.shown() == 0 && wire::names_error(&reply.bytes) {
            let detail = "the answer has a code of success and no order, and names an error";
            return Err(unreadable(operation, &reply, detail.to_owned()));
        }
        Ok(Answer {
            value,
            service_date: reply.service_date,
        })
    }
}

/// What an answer of success says that holds no list: the service has nothing to show there, and says so in its own way.
/// A list that cannot be read is another thing.
fn without_list(failure: Failure, reply: &Reply) -> Failure {
    let heard = if wire::lacks_orders(&reply.bytes) {
        Heard::Said(200)
    } else {
        failure.heard
    };
    Failure { heard, ..failure }
}
