//! Whose costs are told: accounts of the config, and those that have left it and have orders in the ledger.

use crate::cli::work::{account_of, ledger_meaning};
use crate::config::{Account, Config};
use crate::ledger::record::{AccountRef, KnownAccount};
use crate::ledger::{LedgerError, Reader, Store};
use crate::report::Span;

/// An account whose costs are told.
#[derive(Debug)]
pub(super) enum Subject<'a> {
    /// One of the config.
    Configured(&'a Account),
    /// One that the ledger alone knows: its service cannot be asked.
    Left(KnownAccount),
}

impl Subject<'_> {
    pub(super) fn name(&self) -> &str {
        match self {
            Self::Configured(account) => &account.name,
            Self::Left(known) => &known.name,
        }
    }

    /// The service's address, and whose the account is there.
    pub(super) fn identity(&self) -> (&str, &str) {
        match self {
            Self::Configured(account) => (&account.base_url, &account.email),
            Self::Left(known) => (&known.base_url, &known.email),
        }
    }

    pub(super) fn currency(&self) -> Option<&str> {
        match self {
            Self::Configured(account) => account.currency.as_deref(),
            Self::Left(_) => None,
        }
    }

    pub(super) fn in_ledger(&self, store: &Store<'_>) -> Result<Option<AccountRef>, LedgerError> {
        match self {
            Self::Configured(account) => in_ledger(store, account),
            Self::Left(known) => Ok(Some(known.id)),
        }
    }
}

/// The account that is named, else each of the config, and of those that have left it each that has orders of the span.
///
/// # Errors
/// No such account; or the ledger knows one of the config otherwise: what it has of one is found by its name and by whose
/// it is.
pub(super) fn wanted<'a>(
    config: &'a Config,
    reader: Option<&Reader>,
    named: Option<&str>,
    span: Span,
) -> anyhow::Result<Vec<Subject<'a>>> {
    let all = || config.accounts.iter().collect::<Vec<&Account>>();
    let checked = named.and_then(|name| config.account(name));
    let checked = checked.map_or_else(all, |account| vec![account]);
    let read = |store: &Store<'_>| {
        for account in checked {
            in_ledger(store, account)?;
        }
        left(store, config, span, named)
    };
    let left = match reader {
        Some(reader) => reader.read(read).map_err(ledger_meaning)?,
        None => Vec::new(),
    };
    let configured = match named {
        Some(name) if left.is_empty() => vec![account_of(config, name)?],
        Some(_left) => Vec::new(),
        None => all(),
    };
    let configured = configured.into_iter().map(Subject::Configured);
    Ok(configured.chain(left.into_iter().map(Subject::Left)).collect())
}

fn in_ledger(store: &Store<'_>, account: &Account) -> Result<Option<AccountRef>, LedgerError> {
    store.known_account(&account.name, &account.base_url, &account.email)
}

/// Of the accounts that the ledger alone knows, the one that is named, else those that have orders of the span.
fn left(
    store: &Store<'_>,
    config: &Config,
    span: Span,
    named: Option<&str>,
) -> Result<Vec<KnownAccount>, LedgerError> {
    let (from, until) = span.moments(&config.zone);
    let mut left = Vec::new();
    for known in store.known_accounts()? {
        if config.account(&known.name).is_some() {
            continue;
        }
        let is_meant = match named {
            Some(name) => known.name == name,
            None => {
                !store.costs(known.id, from, until)?.is_empty()
                    || !store.strangers(known.id, from, until)?.is_empty()
            }
        };
        if is_meant {
            left.push(known);
        }
    }
    Ok(left)
}
