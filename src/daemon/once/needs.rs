//! What has come to need a person during a pass, beside its sheets: the service says something of an order that was sent
//! before, or charges another total.

use std::collections::BTreeSet;

use crate::attention::{self, Kind};
use crate::daemon::Desks;
use crate::ledger::LedgerError;

/// What needs a person by what the service says, by keys.
pub(super) fn by_the_service(desks: &Desks) -> Result<BTreeSet<String>, LedgerError> {
    let now = desks.clock.now().wall;
    let needs = desks
        .ledger
        .read(|store| attention::needs(store, &desks.worked, now))?;
    let said = needs.needs.iter().filter(|need| match need.kind {
        Kind::Problem | Kind::Missing | Kind::Duplicate | Kind::AfterAll | Kind::TotalDiffers => true,
        // What comes of a sheet, an answer or a person is told where it comes.
        Kind::Unresolved
        | Kind::Canceling
        | Kind::NotCanceled
        | Kind::CanceledInShop
        | Kind::Held
        | Kind::Stranded
        | Kind::Refused
        | Kind::ToFix
        | Kind::Changed
        | Kind::Rejected
        | Kind::UnreadTab
        | Kind::Forgotten => false,
    });
    Ok(said.map(attention::Need::key).collect())
}

/// How many orders of the inboxes in the config wait for approval.
pub(super) fn held(desks: &Desks) -> Result<u64, LedgerError> {
    desks.ledger.read(|store| {
        let held = desks.inboxes.iter().map(|desk| store.held_of(&desk.inbox.name));
        held.sum()
    })
}

/// What has been added, as a sentence; none where nothing has.
pub(super) fn added(before: &BTreeSet<String>, after: &BTreeSet<String>) -> Option<String> {
    let added = after.difference(before).count();
    (added > 0).then(|| {
        format!(
            "orders that need a person by what the service says of them: {added} more than before; see `dropsheet status` \
             and results/attention.xlsx"
        )
    })
}
