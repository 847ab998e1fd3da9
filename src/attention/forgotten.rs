//! What is told of sheets that a ledger has forgotten which was put back from a backup, or made anew.

use super::{Configured, Kind, Need};
use crate::ledger::record::{Forgotten, Recall};

/// An original that no sheet of the ledger accounts for.
pub(super) fn sheet(sheet: Forgotten, account: String) -> Need {
    Need {
        kind: Kind::Forgotten,
        since: sheet.found_at,
        account,
        inbox: sheet.inbox,
        sheet: sheet.name,
        order_id: None,
        pw_order_id: None,
        what: "It lies in done/ and was worked after the backup was made that the ledger was put back from, or by a ledger \
               that is lost: what became of its orders is not known."
            .to_owned(),
        todo: "Delete the rows of orders that were declined or given up since, then move it from done/ into inbox/: its \
               orders are checked against the service again, and those that it has are not ordered again."
            .to_owned(),
    }
}

/// An inbox of which it cannot be told; none where that is not in the config.
pub(super) fn inbox(recall: Recall, worked: &Configured) -> Option<Need> {
    let account = worked.account_of(&recall.inbox)?.to_owned();
    let (why, since) = recall.trouble?;
    Some(Need {
        kind: Kind::Forgotten,
        since,
        account,
        inbox: recall.inbox,
        sheet: "done/".to_owned(),
        order_id: None,
        pw_order_id: None,
        what: format!(
            "The ledger was put back from a backup, or made anew, and which sheets it does not know of cannot be told. {why}"
        ),
        todo: "Mend that; it is tried again by itself.".to_owned(),
    })
}
