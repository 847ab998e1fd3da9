//! What a person is told of an order by what the service has of it: the same sentences in a sheet's result and wherever
//! else it is told.

use std::borrow::Cow;

use super::OrderRecord;
use crate::ledger::state::State;
use crate::reconcile::Reason;
use crate::standing;

/// What came of a create whose answer proves nothing, as the beginning of a sentence.
const NOT_SAID: &str = "The service's answer does not say whether it has the order";

/// What to do about an answer to a create that proves nothing.
const PUT_RIGHT: &str = "Where the answer names what is wrong, have that put right at the print service; the order need not be \
                         dropped again for it.";

/// What to do about an order whose words name a trouble.
pub const MEND: &str =
    "Look at the order at the print service, or ask its support; cancel it if it cannot be mended.";

/// A notice told of a trouble that the order's own words do not name.
pub const NOTICED: &str =
    "The service sent a notice that this order has a problem; its own words for it name none.";

/// What to do about that.
pub const LOOK: &str = "Look at the order at the print service, or ask its support.";

/// The service has made the order and does not show it.
pub const MISSING: &str = "The service does not know this order any more.";

/// What to do about that.
pub const ASK: &str = "Ask the print service what became of it. A new order needs another order_id.";

impl OrderRecord {
    /// What is noted of it in words: why a person is asked, or else the service's word; blank where there is neither.
    pub fn noted(&self) -> Cow<'_, str> {
        match &self.reason {
            Some(reason) => reason.words(&self.order_id).into(),
            None => self.note.as_str().into(),
        }
    }

    /// What came when it was ordered, of one whose create has no answer that can be believed, as the beginning of a sentence.
    pub fn came_told(&self) -> Cow<'_, str> {
        let is_told_besides = matches!(
            self.reason,
            Some(Reason::DoubtedTwice { .. } | Reason::RefusedAgain { .. })
        );
        // An answer that the reason tells of, be it one of which no more is kept.
        if self.reason.as_ref().is_some_and(Reason::is_of_an_answer) {
            return NOT_SAID.into();
        }
        match &self.doubted {
            Some(answer) if !is_told_besides => format!("{NOT_SAID} ({answer})").into(),
            Some(_) | None => "No answer came".into(),
        }
    }

    /// What to do besides waiting where an answer came that proves nothing.
    pub fn came_hint(&self) -> Option<&'static str> {
        self.doubted.is_some().then_some(PUT_RIGHT)
    }

    /// The trouble that the service's words name; none where they name none.
    pub fn trouble_told(&self) -> Option<String> {
        self.trouble_at?;
        let mut words = [&self.order_status, &self.payment_status].into_iter();
        let word = words.find_map(|word| standing::trouble(word.as_deref()));
        Some(format!(
            "The service says `{}` of this order.",
            word.unwrap_or("trouble")
        ))
    }

    /// That it is printed all the same, of an order that is canceled here.
    pub fn gone_on_told(&self) -> String {
        format!(
            "It is canceled here, but the service goes on with it: {}.",
            self.gone_on_by()
        )
    }

    /// That the service has more of it than it should; none where it has not.
    pub fn others_told(&self) -> Option<String> {
        let others = self.others;
        let told = match self.state {
            State::Created | State::Canceling | State::Sending | State::Unresolved => {
                format!("The service has {others} more of this id.")
            }
            State::New
            | State::Held
            | State::Canceled
            | State::Refused
            | State::Abandoned
            | State::Declined => {
                format!(
                    "The service has {others} of this order, which is `{}` here.",
                    self.state
                )
            }
        };
        (others > 0).then_some(told)
    }

    /// What the service charges, where that is not what it has quoted.
    pub fn charge_told(&self) -> Option<String> {
        let (quote, (service, _read_at)) = (self.quote.as_ref()?, self.service.as_ref()?);
        (quote.total != service.total).then(|| {
            format!(
                "The service charges {}, the quote was {}.",
                service.total, quote.total
            )
        })
    }
}
