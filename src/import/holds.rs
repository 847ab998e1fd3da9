//! Why an order waits for a person, whatever its price.

use crate::finding::Code;
use crate::quote::Hold;

/// What its shop says of it.
pub(super) fn shop_hold(why: &str) -> Hold {
    Hold {
        code: Code::ShopHold,
        message: format!("By the shop's own word it needs a look: {why}."),
    }
}

/// Another order of the sheet has nearly its id.
pub(super) fn alike_id() -> Hold {
    Hold {
        code: Code::ShopHold,
        message: "The sheet has another order whose id differs from this one in letters, zeros, dashes or spaces alone. \
                  Approve both if they are two orders; decline one if they are one."
            .to_owned(),
    }
}

/// Rows of it that are equal in every cell.
pub(super) fn repeated_rows() -> Hold {
    Hold {
        code: Code::RepeatedRow,
        message: "Rows of this order say the same: are they in the sheet twice?".to_owned(),
    }
}
