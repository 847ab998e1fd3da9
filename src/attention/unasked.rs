//! Orders that nobody asks a service about: their account is not in the config any more.

use super::{Configured, Kind, Told};
use crate::ledger::record::OrderRecord;

/// What is told of an order that has no answer, or a cancel that is not confirmed, where nobody asks for it; none where its
/// account is worked.
pub(super) fn unasked(
    order: &OrderRecord,
    kind: Kind,
    account: &str,
    worked: &Configured<'_>,
) -> Option<Told> {
    let what = if kind == Kind::Canceling {
        "Its cancel is not confirmed"
    } else {
        "No answer came when it was ordered"
    };
    let give_up = if kind == Kind::Canceling {
        String::new()
    } else {
        format!(
            " Where that account is not to come back, have the operator ask its print service, and give it up with `dropsheet \
             orders resolve {} --abandon`.",
            order.order_id
        )
    };
    (!worked.asks(account)).then(|| Told {
        kind,
        since: order.changed_at,
        what: format!(
            "{what}, and nobody asks the service: its account `{account}` is not in the config any more."
        ),
        todo: format!(
            "Put [account.{account}] back, as it was, and start dropsheet again. Until then do not order it again.{give_up}"
        ),
    })
}
