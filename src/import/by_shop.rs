//! What the word of a shop or of a sheet does to an order that nothing was sent of: why it waits for a person, or for a
//! day.

use super::decide::Decided;
use crate::finding::{Code, Finding};
use crate::ledger::record::OrderRecord;
use crate::order::{Draft, quoted};
use crate::outcome::Status;
use crate::quote::Hold;

/// Why an order waits for a person by what its sheet says.
pub(super) fn holds_of(draft: &Draft) -> Vec<Hold> {
    let said = draft.shop_holds().iter().map(|why| shop_hold(why));
    said.chain(draft.has_alike().then(alike_hold)).collect()
}

const NEEDS_A_LOOK: &str = "By the shop's own word it needs a look: ";

/// A hold by the end of a sentence.
pub(super) fn shop_hold(why: &str) -> Hold {
    Hold {
        code: Code::ShopHold,
        message: format!("{NEEDS_A_LOOK}{why}."),
    }
}

/// The end of the sentence of a hold.
pub(super) fn why_of(message: &str) -> Option<&str> {
    message.strip_prefix(NEEDS_A_LOOK)?.strip_suffix('.')
}

fn alike_hold() -> Hold {
    Hold {
        code: Code::ShopHold,
        message: "The sheet has another order whose id differs from this one in letters, zeros, dashes, quotation marks or spaces alone, or \
                  in the inbox's prefix. \
                  Approve both if they are two orders; decline one if they are one."
            .to_owned(),
    }
}

/// Beside an order that has its id with a mark.
pub(super) fn marked_hold(other: &OrderRecord) -> Hold {
    let (name, became) = (quoted(&other.sheet_order_id), other.state);
    Hold {
        code: Code::ShopHold,
        message: format!(
            "An earlier order has this id with a word beside it, {name}, and is {became}. Approve this one if it is to be printed \
             beside that; decline it if it is not."
        ),
    }
}

/// Rows of it that are equal in every cell.
pub(super) fn repeated_rows() -> Hold {
    Hold {
        code: Code::RepeatedRow,
        message: "Rows of this order say the same: are they in the sheet twice?".to_owned(),
    }
}

/// Has an order that would be sent end for now, where something keeps it back: it is too early for it, say. It is no hold:
/// what is held stays so when its sheet comes again, and this order is to be sent then.
pub(super) fn kept_back(decided: Decided, by: Vec<Finding>) -> Decided {
    if by.is_empty() {
        return decided;
    }
    match decided {
        Decided::Ready(ready) => {
            let mut outcome = ready.outcome;
            outcome.status = Status::Invalid;
            outcome.findings.extend(by);
            Decided::Ended(Box::new(outcome), None)
        }
        Decided::Ended(mut outcome, order) => {
            if outcome.status == Status::Invalid {
                outcome.findings.extend(by);
            }
            Decided::Ended(outcome, order)
        }
        Decided::HoldBesides(..)
        | Decided::Cancel(..)
        | Decided::CancelListed(_)
        | Decided::CancelUnknown(_)
        | Decided::CancelLater
        | Decided::MapLater(_)
        | Decided::CancelUnsent(_) => decided,
    }
}
