//! Orders that wait for a person's word.

use std::collections::{BTreeSet, HashMap};
use std::path::Path;

use super::{Kind, Told};
use crate::ledger::record::{ClaimRef, OrderRecord, OrderRef};
use crate::ledger::{LedgerError, Store};

/// How dropsheet names such lists.
pub(super) const ENDING: &str = ".held.xlsx";

/// Of held orders, those whose id the service has already by somebody else's hand, with its own ids: a ledger that was put
/// back from a backup does not know what was approved since.
pub(super) fn there_already(
    store: &Store<'_>,
    orders: &[OrderRecord],
) -> Result<HashMap<OrderRef, String>, LedgerError> {
    let mut there = HashMap::new();
    for order in orders {
        let listed = store.there_already(order)?.into_iter();
        let ids: Vec<String> = listed.map(|one| one.called(&order.order_id)).collect();
        if !ids.is_empty() {
            there.insert(order.id, ids.join(", "));
        }
    }
    Ok(there)
}

/// What the lists of held orders are called, by the sheets that have them: who reads of an order is to know which of the
/// files in `held/` has it.
pub(super) fn files_of(
    store: &Store<'_>,
    orders: &[OrderRecord],
) -> Result<HashMap<ClaimRef, String>, LedgerError> {
    let claims: BTreeSet<ClaimRef> = orders.iter().map(|order| order.claim).collect();
    let mut files = HashMap::new();
    for claim in claims {
        let placed = store.held_sheet(claim)?.own;
        let name = placed.and_then(|(path, _hash)| Some(Path::new(&path).file_name()?.to_str()?.to_owned()));
        // It is about to be written.
        let of_stem = || Ok(store.stem_of(claim)?.map(|stem| format!("{stem}{ENDING}")));
        let name = name.map_or_else(of_stem, |name| Ok(Some(name)))?;
        files.extend(name.map(|name| (claim, name)));
    }
    Ok(files)
}

pub(super) fn held(order: &OrderRecord, file: Option<&String>, there: Option<&String>) -> Told {
    let file = file.map_or("the sheet's file", String::as_str);
    let why: Vec<&str> = order.holds.iter().map(|hold| hold.message.as_str()).collect();
    if let Some(ids) = there {
        return Told {
            kind: Kind::Held,
            since: order.changed_at,
            what: format!(
                "It waits for approval, and the service has an order of this id already, {ids}, of which this ledger does not know."
            ),
            todo: format!(
                "If that one is it, move {file} from held/ to approved/: nothing is sent, and its row says so. Else to declined/, \
                 and drop it under another id."
            ),
        };
    }
    Told {
        kind: Kind::Held,
        since: order.changed_at,
        what: format!("It waits for approval: {}", why.join(" ")),
        todo: format!("Move {file} from held/ to approved/ or declined/."),
    }
}
