//! What the creates of an order have come to, as far as the ledger can tell.

use super::{OrderRecord, OrderRef};
use crate::clock::BootTime;
use crate::ledger::state::State;
use crate::reconcile::Ours;

/// How a create that left has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EndedCreate {
    /// Whether the service answered: with an id, or no, or in a way that was of no use, and has the order.
    pub is_answered: bool,
    /// When.
    pub at: BootTime,
}

/// An order as it is when the service is asked about it: what is heard is written of that alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AtLook {
    /// The order.
    pub order: OrderRef,
    /// Its state.
    pub state: State,
    /// How often it was sent.
    pub sends: u32,
}

impl OrderRecord {
    /// The order as it is now.
    pub fn at_look(&self) -> AtLook {
        AtLook {
            order: self.id,
            state: self.state,
            sends: self.sends,
        }
    }

    /// Whether a refused, abandoned or declined order came to that with the content that it has. Taken anew by a sheet
    /// whose create did not leave, it is back in the state of before, and still to be sent.
    pub fn was_decided(&self) -> bool {
        if self.state == State::Declined {
            !self.holds.is_empty()
        } else {
            self.sends > 0
        }
    }

    /// Whether the service may have an order of its name from a create of ours, whatever it has come to since: it was
    /// held, say, and declined. The service is asked before another create leaves.
    pub fn may_be_made(&self) -> bool {
        let was_left = matches!(self.state, State::Refused | State::Abandoned);
        was_left || self.sends > 0 || self.unanswered > 0
    }

    /// Whether nothing of it is at the service, as far as the ledger knows: what the service's list shows of its name is meant
    /// where it is to be canceled.
    pub fn gives_way(&self) -> bool {
        self.state.is_taken_anew() || self.state == State::Held
    }

    /// What its creates were of; none where the content was taken since, and was not sent yet.
    pub fn sent(&self) -> Option<Ours<'_>> {
        (self.sends > 0).then(|| self.ours())
    }

    /// What tells it from another order of its name. Where it goes is erased with its content.
    pub fn ours(&self) -> Ours<'_> {
        Ours {
            signature: &self.signature,
            zip: self.content.as_ref().map(|content| content.ship_to.zip.as_str()),
        }
    }

    /// What the service calls it: it is asked for by this and its id at once.
    pub fn name_at_service(&self) -> &str {
        self.service_name.as_deref().unwrap_or(&self.order_id)
    }

    /// The names that it is asked for by, the service's own first: it may list an order under another one than it matches.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let sent = (self.name_at_service() != self.order_id).then_some(self.order_id.as_str());
        std::iter::once(self.name_at_service()).chain(sent)
    }

    /// Whether each of its creates was answered: nothing is on its way.
    pub fn is_answered(&self) -> bool {
        self.unanswered == 0 && self.state != State::Abandoned
    }
}
