//! What the service shows of an order where its list does not show what is in it, or a search for it fails.

use jiff::Timestamp;

use super::look::{LookUp, told};
use super::{Blocked, Submitter, with_words};
use crate::clock::Now;
use crate::ledger::record::OrderRecord;
use crate::reconcile::is_same_id;
use crate::service::{Failure, ListedOrder};
use crate::sync;

impl Submitter {
    /// Asks for the orders of our name by their ids where the list does not show what is in them. Where that does not show it
    /// either, the order is ours by what else is shown: our id, which nobody else was given, since our create, to our
    /// address. To leave it to a person would be safe too, and make one look at every order of such a service that had no
    /// answer; nothing is sent either way. One that goes to another name, street or city than ours is for a person.
    pub(super) async fn complete(&self, order: &OrderRecord, listed: &mut [ListedOrder]) {
        for one in listed.iter_mut().filter(|one| one.items.is_empty()) {
            match self.client.order(&one.pw_order_id, &one.order_name).await {
                Ok(detail) if is_same_id(&detail.pw_order_id, &one.pw_order_id) => fill(one, detail),
                Ok(_another) => {}
                Err(failure) => tracing::debug!(%failure, "the list does not show what is in an order"),
            }
            if one.items.is_empty() && goes_elsewhere(one, order) {
                // Then its zip says nothing.
                one.zip = None;
            }
        }
    }

    /// Looks for an order in the whole list where the service fails at a search for it. What is shown there is there. What is
    /// not proves nothing: there is something about this order that it cannot show.
    pub(super) async fn look_where_the_search_fails(
        &self,
        order: &OrderRecord,
        failure: &Failure,
        from: Timestamp,
        now: &Now,
    ) -> Result<LookUp, Blocked> {
        let words = with_words(failure);
        tracing::debug!(%failure, order_id = order.order_id, "the service fails at this order alone");
        let wanted = (order.order_id.as_str(), sync::by_name_alone);
        // One that fails at the list that this order is in is there all the same.
        let look = async || match sync::look_through(self.list_for_one(), wanted, from, now).await {
            Err(sync::ReadError::Failed(failure)) if failure.is_answered() => Ok(None),
            read => told(read),
        };
        let mut orders = match self.health.ask_for_one(look).await? {
            Ok(Some(whole)) => whole.orders,
            Ok(None) => Vec::new(),
            // It has gone away meanwhile: nothing is known of this order.
            Err(failure) => return Ok(LookUp::unanswered(&failure)),
        };
        self.complete(order, &mut orders).await;
        Ok(LookUp::at_a_failing_search(
            orders,
            words,
            self.client.service_now(),
        ))
    }
}

/// Fills in what the list does not show.
fn fill(listed: &mut ListedOrder, detail: ListedOrder) {
    fn text(shown: &mut String, detail: String) {
        if shown.is_empty() {
            *shown = detail;
        }
    }
    listed.items = detail.items;
    listed.zip = listed.zip.take().or(detail.zip);
    listed.country_code = listed.country_code.take().or(detail.country_code);
    listed.entered_at = listed.entered_at.or(detail.entered_at);
    if listed.street.is_empty() {
        listed.second_line = detail.second_line;
    }
    text(&mut listed.name, detail.name);
    text(&mut listed.street, detail.street);
    text(&mut listed.city, detail.city);
}

fn goes_elsewhere(listed: &ListedOrder, order: &OrderRecord) -> bool {
    let addressee = sync::to_listed(listed).addressee;
    let content = order.content.as_ref();
    content.is_some_and(|content| addressee.difference(content).is_some())
}
