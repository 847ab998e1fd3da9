//! What the ledger has and the config does not: accounts that are others there or are called otherwise, orders that
//! nobody sends or asks about, and sheets that nobody works.

use std::collections::BTreeMap;

use jiff::Timestamp;

use super::Line;
use super::machine;
use crate::attention::{self, Configured, Kind, Need};
use crate::causes::chain;
use crate::config::{Config, Inbox};
use crate::ledger::{LedgerError, Reader, Store};
use crate::status::{NotFollowed, refused};

/// Compares the ledger with the config. `former` has, by the names that markers have for them, the inboxes that the config
/// calls otherwise.
pub(super) fn lines(config: &Config, former: &BTreeMap<String, &Inbox>, now: Timestamp) -> Vec<Line> {
    let reader = match Reader::open(&config.ledger) {
        Ok(reader) => reader,
        // The ledger's own line says why.
        Err(_told) => return Vec::new(),
    };
    let compared = reader.read(|store| {
        let mut lines = accounts(store, config)?;
        let mut renamed = BTreeMap::new();
        for (name, inbox) in former {
            // It goes on under its new name with the next pass, unless that has sheets of its own.
            if !store.knows_inbox(&inbox.name)? {
                renamed.insert(name.as_str(), *inbox);
            }
        }
        lines.extend(orders(store, (config, &renamed), now)?);
        lines.extend(sheets(store, config, &renamed)?);
        Ok(lines)
    });
    compared.unwrap_or_else(|error| {
        vec![Line::wrong(
            "ledger: config",
            chain(&error),
            machine::advice(&error),
        )]
    })
}

/// Accounts that the ledger knows otherwise.
fn accounts(store: &Store<'_>, config: &Config) -> Result<Vec<Line>, LedgerError> {
    let line = |(account, why): (&str, String)| {
        let then = "Until then `dropsheet run` does not start, and nothing is sent.";
        Line::wrong(format!("account {account}: ledger"), why, then)
    };
    Ok(refused(store, config)?.into_iter().map(line).collect())
}

/// Orders that nobody sends or asks about, a line for those of which the same is so; and how many are not followed.
fn orders(
    store: &Store<'_>,
    (config, renamed): (&Config, &BTreeMap<&str, &Inbox>),
    now: Timestamp,
) -> Result<Vec<Line>, LedgerError> {
    let own = config.inboxes.iter().map(|inbox| (inbox.name.as_str(), inbox));
    let inboxes = renamed.iter().map(|(name, inbox)| (*name, *inbox)).chain(own);
    let worked = Configured::new(
        config.accounts.iter().map(|account| account.name.as_str()),
        inboxes.map(|(name, inbox)| (name, inbox.account.as_str())),
    );
    let needs = attention::needs(store, &worked, now)?;
    let mut alike: BTreeMap<(&str, &str), Vec<&Need>> = BTreeMap::new();
    for need in needs.seen_to_by_nobody(&worked) {
        alike.entry((&need.inbox, &need.what)).or_default().push(need);
    }
    let mut lines: Vec<Line> = alike.into_values().filter_map(|needs| unseen(&needs)).collect();
    for (account, name) in store.accounts()? {
        if config.account(&name).is_some() {
            continue;
        }
        let not_followed = NotFollowed::of(store, (account, &name), now)?;
        lines.extend(not_followed.map(|of| Line::warning(format!("account {name}"), of.what(), of.todo())));
    }
    Ok(lines)
}

/// The line of orders of which the same is so.
fn unseen(needs: &[&Need]) -> Option<Line> {
    let (first, others) = needs.split_first()?;
    let part = match first.kind {
        Kind::Stranded => format!("inbox {}: orders", first.inbox),
        _unasked => format!("account {}: orders", first.account),
    };
    let more = match others.len() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let order_id = first.order_id.as_deref().unwrap_or_default();
    let found = format!("{order_id}{more}: {}", first.what);
    Some(Line::wrong(part, found, first.todo.as_str()))
}

/// Sheets that are not at their end and whose inbox is not in the config, a line an inbox.
fn sheets(
    store: &Store<'_>,
    config: &Config,
    renamed: &BTreeMap<&str, &Inbox>,
) -> Result<Vec<Line>, LedgerError> {
    let mut counts: BTreeMap<String, u32> = BTreeMap::new();
    for claim in store.open_claims()? {
        let inbox = claim.new.inbox;
        if config.inbox(&inbox).is_none() && !renamed.contains_key(inbox.as_str()) {
            *counts.entry(inbox).or_default() += 1;
        }
    }
    let line = |(inbox, n): (String, u32)| {
        let wait = if n == 1 { "sheet waits" } else { "sheets wait" };
        Line::wrong(
            format!("inbox {inbox}: sheets"),
            format!("{n} {wait} in inbox `{inbox}`, which is not in the config"),
            format!("Put [inbox.{inbox}] back to have them finished."),
        )
    };
    Ok(counts.into_iter().map(line).collect())
}
