//! `dropsheet orders sync`, `cancel` and `resolve`: which orders a person means, and what is asked for.

use anyhow::Context;
use clap::Args;

use super::ask::ask;
use super::{Names, find_meant};
use crate::cli::args::Listing;
use crate::cli::exit::{Exit, UsageError};
use crate::cli::work::{account_of, inbox_of};
use crate::cli::{print, shown};
use crate::config::Config;
use crate::daemon::requests::{RequestKind, STILL_IN_A_SHEET, Target};
use crate::ledger::record::{AccountRef, ListedRecord, OrderRecord};
use crate::ledger::state::State;
use crate::ledger::{LedgerError, Reader, Store};
use crate::submit::Resolution;

/// Which of several orders of one name is meant.
#[derive(Clone, Debug, Default, Args)]
pub struct Which {
    /// The inbox that sent it
    #[arg(long, value_name = "NAME")]
    pub inbox: Option<String>,
    /// The account that has it
    #[arg(long, value_name = "NAME")]
    pub account: Option<String>,
}

/// `orders cancel`
#[derive(Debug, Args)]
pub struct Cancel {
    /// Their ids as sent or as in the sheet, or the service's PW… ids
    #[arg(required = true, value_name = "ORDER")]
    pub orders: Vec<String>,
    /// Which of several.
    #[command(flatten)]
    pub which: Which,
    /// Only say what would be asked for
    #[arg(long)]
    pub dry_run: bool,
    /// How it is printed.
    #[command(flatten)]
    pub listing: Listing,
}

/// `orders resolve`
#[derive(Debug, Args)]
pub struct Resolve {
    /// Its id as sent or as in the sheet
    #[arg(value_name = "ORDER")]
    pub order: String,
    /// What was found out.
    #[command(flatten)]
    pub decided: Decided,
    /// Which of several.
    #[command(flatten)]
    pub which: Which,
    /// How it is printed.
    #[command(flatten)]
    pub listing: Listing,
}

/// What a person has found out about an order without an answer.
#[derive(Clone, Debug, Args)]
#[group(required = true, multiple = false)]
pub struct Decided {
    /// The service has it, under this id; it must be there, with this order's name
    #[arg(long, value_name = "PW_ORDER_ID")]
    pub created: Option<String>,
    /// The service does not have it: send it once more; refused where the service shows it
    #[arg(long)]
    pub resend: bool,
    /// Give it up; where the service shows it, it is taken as created
    #[arg(long)]
    pub abandon: bool,
}

/// What a name means to the ledger.
enum Found {
    Order(Box<OrderRecord>),
    Listed(AccountRef, Box<ListedRecord>),
}

pub(super) async fn sync(config: &Config, json: bool) -> anyhow::Result<Exit> {
    ask(config, &RequestKind::Sync, json).await
}

pub(super) async fn cancel(config: &Config, args: &Cancel) -> anyhow::Result<Exit> {
    let reader = open(config, &args.which)?;
    let found: Vec<Found> = args
        .orders
        .iter()
        .map(|name| {
            find(config, &reader, name, &args.which)?
                .ok_or_else(|| unknown(name, &args.which, &format!(". {STILL_IN_A_SHEET}")))
        })
        .collect::<anyhow::Result<_>>()?;
    // It would keep the ledger from forgetting what the daemon has written since.
    drop(reader);
    if args.dry_run {
        return dry_run(&found, args.listing.json);
    }
    let targets = found.iter().map(target).collect();
    ask(config, &RequestKind::Cancel(targets), args.listing.json).await
}

pub(super) async fn resolve(config: &Config, args: &Resolve) -> anyhow::Result<Exit> {
    let reader = open(config, &args.which)?;
    let order = match find(config, &reader, &args.order, &args.which)? {
        None => return Err(unknown(&args.order, &args.which, "")),
        Some(Found::Order(order)) => order,
        Some(Found::Listed(_, listed)) => anyhow::bail!(
            "the ledger did not make `{}`, which the service lists as {}: there is nothing to settle",
            listed.order_id,
            listed.pw_order_id
        ),
    };
    drop(reader);
    let decision = match (&args.decided.created, args.decided.resend) {
        (Some(pw_order_id), _) => Resolution::Created(pw_order_id.trim().to_owned()),
        (None, true) => Resolution::Resend { sends: order.sends },
        (None, false) => Resolution::Abandon,
    };
    let asked = RequestKind::Resolve {
        order: order.id.0,
        claim: order.claim.0,
        decision,
    };
    ask(config, &asked, args.listing.json).await
}

fn open(config: &Config, which: &Which) -> anyhow::Result<Reader> {
    match Reader::open(&config.ledger) {
        Ok(reader) => Ok(reader),
        Err(missing @ LedgerError::Missing { .. }) => {
            are_known(config, which)?;
            Err(missing.into())
        }
        Err(error) => Err(error.into()),
    }
}

/// Wrong usage where the config has no inbox or account of the name.
fn are_known(config: &Config, which: &Which) -> Result<(), UsageError> {
    if let Some(name) = which.inbox.as_deref() {
        inbox_of(config, Some(name))?;
    }
    if let Some(name) = which.account.as_deref() {
        account_of(config, name)?;
    }
    Ok(())
}

fn unknown(name: &str, which: &Which, advice: &str) -> anyhow::Error {
    anyhow::anyhow!(
        "the ledger knows no order `{name}`{}; `dropsheet orders list` shows those it knows{advice}",
        of(which)
    )
}

/// The one order that a name means; none where the ledger knows none of it.
fn find(config: &Config, reader: &Reader, name: &str, which: &Which) -> anyhow::Result<Option<Found>> {
    let candidates = reader.read(|store| find_meant(name, |id| candidates(store, id, which)));
    let mut candidates = candidates.context("cannot look the order up in the ledger")?;
    if candidates.is_empty() {
        // An inbox that was taken out of the config since is known by the orders that it has sent.
        are_known(config, which)?;
    }
    match candidates.len() {
        0 | 1 => Ok(candidates.pop().map(|(_place, found)| found)),
        _ => {
            let places: Vec<String> = candidates.into_iter().map(|(place, _found)| place).collect();
            Err(UsageError(format!(
                "`{name}` may be one of several: {}; say which with --inbox, --account or its PW… id",
                places.join("; ")
            ))
            .into())
        }
    }
}

fn of(which: &Which) -> String {
    let inbox = which.inbox.iter().map(|inbox| format!(" of the inbox `{inbox}`"));
    let account = which
        .account
        .iter()
        .map(|account| format!(" of the account `{account}`"));
    inbox.chain(account).collect()
}

/// Every order that a name may mean, each with where it is. Those that the ledger made come before those that the
/// service listed.
fn candidates(store: &Store<'_>, name: &str, which: &Which) -> Result<Vec<(String, Found)>, LedgerError> {
    let names = Names::read(store)?;
    let wanted = |account: &str| which.account.as_deref().is_none_or(|named| named == account);
    let mut found = Vec::new();
    for order in store.orders_called(name)? {
        let account = names.of(order.account);
        let inbox = which.inbox.as_deref().is_none_or(|inbox| inbox == order.inbox);
        if !(inbox && wanted(&account)) {
            continue;
        }
        // What came to nothing here, or is held, may be at the service all the same, made by somebody else.
        let at_service = store.meant_instead_of(&order)?;
        if at_service.is_empty() {
            let place = format!(
                "{} of inbox `{}`, account `{account}`",
                order.order_id, order.inbox
            );
            found.push((place, Found::Order(Box::new(order))));
        } else {
            found.extend(
                at_service
                    .into_iter()
                    .map(|one| listed((order.account, &account), one)),
            );
        }
    }
    if !found.is_empty() || which.inbox.is_some() {
        return Ok(found);
    }
    for (account, account_name) in names.all().iter().filter(|(_, name)| wanted(name)) {
        let called = store.listed_called(*account, name)?;
        found.extend(
            called
                .into_iter()
                .map(|one| listed((*account, account_name), one)),
        );
    }
    Ok(found)
}

/// An order that the service lists, with where it is.
fn listed((account, name): (AccountRef, &str), listed: ListedRecord) -> (String, Found) {
    let place = format!("{} of account `{name}`", listed.pw_order_id);
    (place, Found::Listed(account, Box::new(listed)))
}

fn target(found: &Found) -> Target {
    match found {
        Found::Order(order) => Target::Order {
            id: order.id.0,
            claim: order.claim.0,
        },
        Found::Listed(account, listed) => Target::Listed {
            account: account.0,
            order_id: listed.order_id.clone(),
            pw_order_id: listed.pw_order_id.clone(),
        },
    }
}

fn dry_run(found: &[Found], json: bool) -> anyhow::Result<Exit> {
    let rows: Vec<[String; 4]> = found.iter().map(would).collect();
    if json {
        let values = rows.iter().map(|[order_id, state, pw_order_id, would]| {
            serde_json::json!({"order_id": order_id, "state": state, "pw_order_id": pw_order_id, "would": would})
        });
        print::json(&values.collect::<Vec<_>>())?;
    } else {
        print::text(&shown::table(
            ["order", "state", "service id", "what would happen"],
            rows,
        ))?;
    }
    Ok(Exit::Done)
}

fn would(found: &Found) -> [String; 4] {
    let order = match found {
        Found::Order(order) => order,
        Found::Listed(_, listed) => {
            return [
                listed.order_id.clone(),
                String::new(),
                listed.pw_order_id.clone(),
                "the service is asked to cancel it; this ledger did not make it".to_owned(),
            ];
        }
    };
    let would = match order.state {
        State::Created => "the service is asked to cancel it",
        State::Canceling => "the service is asked to cancel it, again",
        State::Held => "it is declined; nothing was sent",
        State::New => "it is never sent",
        State::Sending => "the service is asked to cancel it when its create has ended",
        State::Unresolved => "it is canceled when it is found, and never sent again",
        State::Canceled if order.gone_on_since().is_some() => {
            "the service is asked to cancel it, again: it goes on with it"
        }
        State::Canceled if order.is_there_all_the_same() => {
            "the service is asked to cancel it: its list shows it after all"
        }
        State::Canceled => "nothing: it is canceled already",
        State::Refused | State::Declined | State::Abandoned if !order.was_decided() => {
            "nothing: a sheet is about to send it anew, and only a sheet with `cancel` under action cancels it"
        }
        State::Refused | State::Declined | State::Abandoned => "nothing: there is nothing to cancel",
    };
    [
        order.order_id.clone(),
        order.state.word().to_owned(),
        order.pw_order_id.clone().unwrap_or_default(),
        would.to_owned(),
    ]
}
