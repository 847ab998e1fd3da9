//! `dropsheet orders`: the ledger's orders, read beside whoever works it, and what is asked for about them. What names a person is never printed.

mod ask;
pub mod change;
mod not_ours;
mod show;

use std::path::Path;

use anyhow::Context;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde::Serialize;

use self::not_ours::NotOurs;
use super::args::{Orders, OrdersCommand};
use super::exit::{Exit, UsageError};
use super::work::account_of;
use super::{print, shown};
use crate::config::nearest::nearest;
use crate::config::{self, Config};
use crate::ledger::record::{AccountRef, OrderRecord};
use crate::ledger::state::State;
use crate::ledger::{LedgerError, Reader, Store, Wanted};
use crate::money::Money;
use crate::order::ids_meant;

/// Most orders of a list that a person reads, where they do not say otherwise.
const SHOWN: u32 = 100;

/// Lists or shows orders, or has something done about them.
pub(super) async fn run(args: &Orders, given: Option<&Path>) -> anyhow::Result<Exit> {
    let config = config::load(given)?;
    match &args.command {
        OrdersCommand::List {
            state,
            account,
            not_ours,
            limit,
            listing,
        } => {
            let list = List {
                state: state.as_deref().map(state_of).transpose()?,
                account: account.as_deref(),
                // A program that reads the list does not see that it was cut.
                most: limit.unwrap_or(if listing.json { u32::MAX } else { SHOWN }),
            };
            if *not_ours {
                list.print_not_ours(&config, listing.json)?;
            } else {
                list.print(&config, listing.json)?;
            }
            Ok(Exit::Done)
        }
        OrdersCommand::Show { order, listing } => show::run(&config, order, listing.json),
        OrdersCommand::Sync { listing } => change::sync(&config, listing.json).await,
        OrdersCommand::Cancel(cancel) => change::cancel(&config, cancel).await,
        OrdersCommand::Resolve(resolve) => change::resolve(&config, resolve).await,
    }
}

/// An order in a list, as `--json` prints it.
#[derive(Serialize)]
struct Listed {
    order_id: String,
    /// The id as in the sheet.
    sheet_order_id: String,
    account: String,
    inbox: String,
    state: &'static str,
    pw_order_id: Option<String>,
    /// The total up to which a held order is approved: it is sent without a person.
    approved_total: Option<Money>,
    quoted_total: Option<Money>,
    service_total: Option<Money>,
    /// The stem of the sheet whose content it has.
    sheet: Option<String>,
    /// The service's word, or why a person is needed.
    note: String,
    changed_at: Timestamp,
}

impl Listed {
    fn of(order: OrderRecord, names: &Names, store: &Store<'_>) -> Result<Self, LedgerError> {
        let approved_total = to_be_sent(&order);
        let noted = order.noted().into_owned();
        Ok(Self {
            account: names.of(order.account),
            state: order.state.word(),
            approved_total,
            quoted_total: order.quote.map(|quote| quote.total),
            service_total: order.service.map(|(amounts, _read_at)| amounts.total),
            sheet: store.stem_of(order.claim)?,
            order_id: order.order_id,
            sheet_order_id: order.sheet_order_id,
            inbox: order.inbox,
            pw_order_id: order.pw_order_id,
            note: match approved_total {
                Some(most) if noted.is_empty() => approved(most),
                Some(_) | None => noted,
            },
            changed_at: order.changed_at,
        })
    }
}

/// The total up to which an order is approved that is not sent yet; none of any other.
fn to_be_sent(order: &OrderRecord) -> Option<Money> {
    order.approved_total.filter(|_| order.state == State::Held)
}

/// What is said of an approved order that is not sent yet.
fn approved(most: Money) -> String {
    format!("approved, at most at {most}; not sent yet")
}

/// The names of the ledger's accounts.
pub(super) struct Names(Vec<(AccountRef, String)>);

impl Names {
    pub(super) fn read(store: &Store<'_>) -> Result<Self, LedgerError> {
        store.accounts().map(Self)
    }

    pub(super) fn of(&self, account: AccountRef) -> String {
        let known = self.0.iter().find(|(id, _name)| *id == account);
        known.map_or_else(String::new, |(_id, name)| name.clone())
    }

    pub(super) fn all(&self) -> &[(AccountRef, String)] {
        &self.0
    }
}

/// What is found under an id, in the first of its writings under which anything is.
fn find_meant<T>(
    typed: &str,
    mut find: impl FnMut(&str) -> Result<Vec<T>, LedgerError>,
) -> Result<Vec<T>, LedgerError> {
    for id in ids_meant(typed) {
        let found = find(&id)?;
        if !found.is_empty() {
            return Ok(found);
        }
    }
    Ok(Vec::new())
}

fn state_of(word: &str) -> Result<State, UsageError> {
    let wanted = word.trim().to_lowercase();
    wanted.parse().map_err(|_unknown| {
        let words = State::ALL.map(State::word);
        let near = nearest(&wanted, words.into_iter());
        let advice = near
            .first()
            .map_or_else(|| ".".to_owned(), |word| format!("; did you mean {word}?"));
        UsageError(format!(
            "`{word}` is no state{advice} The states are {}",
            words.join(", ")
        ))
    })
}

/// Which orders are listed, and how many at most.
struct List<'a> {
    state: Option<State>,
    account: Option<&'a str>,
    most: u32,
}

impl List<'_> {
    fn print(&self, config: &Config, json: bool) -> anyhow::Result<()> {
        let orders = |store: &Store<'_>, names: &Names, account| {
            let state = self.state;
            let listed = store.newest_orders(Wanted { account, state }, self.most)?;
            let listed: Result<Vec<Listed>, LedgerError> = listed
                .into_iter()
                .map(|order| Listed::of(order, names, store))
                .collect();
            let others = match state {
                None if !json => store.strangers_listed(account)?,
                Some(_) | None => 0,
            };
            Ok((listed?, others))
        };
        let (listed, others) = self.read(config, orders)?;
        if json {
            return Ok(print::json(&listed)?);
        }
        let mut text = text(&listed, &config.zone);
        text.extend(self.more(listed.len()));
        if others > 0 {
            text.push_str(&not_ours::others(others));
        }
        Ok(print::text(&text)?)
    }

    fn print_not_ours(&self, config: &Config, json: bool) -> anyhow::Result<()> {
        let newest =
            |store: &Store<'_>, names: &Names, account| NotOurs::newest(store, names, account, self.most);
        let listed = self.read(config, newest)?;
        if json {
            return Ok(print::json(&listed)?);
        }
        let mut text = not_ours::text(&listed, &config.zone);
        text.extend(self.more(listed.len()));
        Ok(print::text(&text)?)
    }

    /// Reads orders of the account that is meant, or of all; nothing where there are none.
    fn read<T: Default>(
        &self,
        config: &Config,
        orders: impl FnOnce(&Store<'_>, &Names, Option<AccountRef>) -> Result<T, LedgerError>,
    ) -> anyhow::Result<T> {
        if let Some(name) = self.account {
            account_of(config, name)?;
        }
        let reader = match Reader::open(&config.ledger) {
            Ok(reader) => reader,
            // Nothing was ever taken: there are no orders, which is no failure.
            Err(LedgerError::Missing { .. }) => return Ok(T::default()),
            Err(error) => return Err(error.into()),
        };
        let listed = reader.read(|store| {
            let names = Names::read(store)?;
            let of = self
                .account
                .map(|name| names.all().iter().find(|(_id, known)| known == name));
            let account = match of {
                None => None,
                Some(Some((id, _name))) => Some(*id),
                Some(None) => return Ok(T::default()),
            };
            orders(store, &names, account)
        });
        listed.context("cannot list the orders")
    }

    /// How a list ends that was cut.
    fn more(&self, listed: usize) -> Option<String> {
        let most = self.most;
        let is_cut = u32::try_from(listed).is_ok_and(|n| n >= most);
        is_cut.then(|| format!("the newest {most}; --limit lists more\n"))
    }
}

fn text(listed: &[Listed], zone: &TimeZone) -> String {
    if listed.is_empty() {
        return "no orders\n".to_owned();
    }
    let amount = |amount: Option<Money>| amount.map_or_else(String::new, |amount| amount.to_string());
    shown::table(
        [
            "order",
            "state",
            "service id",
            "quoted",
            "charged",
            "changed",
            "sheet",
            "note",
        ],
        listed.iter().map(|order| {
            [
                order.order_id.clone(),
                order.state.to_owned(),
                order.pw_order_id.clone().unwrap_or_default(),
                amount(order.quoted_total),
                amount(order.service_total),
                shown::moment(order.changed_at, zone),
                order.sheet.clone().unwrap_or_default(),
                order.note.clone(),
            ]
        }),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_is_known_in_any_case_and_a_misspelt_one_is_suggested() {
        assert_eq!(state_of("Unresolved").unwrap(), State::Unresolved);
        let error = state_of("unresolve").unwrap_err().to_string();
        assert!(error.contains("did you mean unresolved?"), "{error}");
        assert!(
            state_of("zzz")
                .unwrap_err()
                .to_string()
                .contains("The states are new, held")
        );
    }
}
