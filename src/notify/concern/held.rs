//! Orders that have waited long for approval.

use std::collections::BTreeMap;
use std::time::Duration;

use jiff::Timestamp;

use super::{Concern, Kind, Needed, Situation, lasting};
use crate::status::text::span;

/// What waits for a person in each account where the oldest has waited long. An order that is approved, and only not sent
/// yet, is `held` in the ledger too, and waits for nobody.
pub(super) fn told(seen: &Situation<'_>) -> Vec<Concern> {
    let attention = &seen.status.attention;
    let mut accounts: BTreeMap<&str, (u64, Timestamp)> = BTreeMap::new();
    for need in attention.needs.iter().filter(|need| need.kind == Needed::Held) {
        let (orders, oldest) = accounts.entry(&need.account).or_insert((0, need.since));
        *orders += 1;
        *oldest = need.since.min(*oldest);
    }
    let is_old = |since: Timestamp| {
        let waited = seen.status.at.duration_since(since);
        Duration::try_from(waited).is_ok_and(|waited| waited >= seen.patience)
    };
    let old = accounts
        .into_iter()
        .filter(|(_account, (_orders, oldest))| is_old(*oldest));
    let tell = |(account, (orders, _oldest)): (&str, (u64, Timestamp))| {
        let waiting = match orders {
            1 => format!("1 order of account {account} waits"),
            // Of very many not all are read.
            _ if attention.more => format!("At least {orders} orders of account {account} wait"),
            _ => format!("{orders} orders of account {account} wait"),
        };
        lasting(
            format!("held:{account}"),
            (Kind::Held, account),
            format!(
                "{waiting} for approval, the oldest for {} or longer.",
                span(seen.patience)
            ),
            "`dropsheet status` lists what waits: approve or decline it.",
        )
    };
    old.map(tell).collect()
}
