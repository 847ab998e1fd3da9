//! Orders that their shop has canceled since they were sent: nothing is to be fixed in them.

use super::Kind;
use super::Need;
use crate::ledger::record::CanceledInShop;

/// What is told of an order that was sent and is canceled in its shop, as a sheet says.
pub(super) fn told(canceled: CanceledInShop, account: String) -> Need {
    let where_it_is = match &canceled.pw_order_id {
        Some(pw_order_id) => format!("and it is still at the printer as {pw_order_id}"),
        None => "and it was sent".to_owned(),
    };
    Need {
        kind: Kind::CanceledInShop,
        since: canceled.taken_at,
        account,
        inbox: canceled.inbox,
        what: format!(
            "It is canceled, refunded, on hold or not to be printed, as {} says, {where_it_is}.",
            canceled.sheet_name
        ),
        todo: format!(
            "Write `cancel` into a column `action` of its rows and drop the sheet, or have the operator run \
             `dropsheet orders cancel {}`; or let it be printed.",
            canceled.order_id
        ),
        sheet: canceled.stem,
        order_id: Some(canceled.order_id),
        pw_order_id: canceled.pw_order_id,
    }
}
