//! Who works what, as the config has it.

use std::collections::{BTreeMap, BTreeSet};

use crate::config::{Account, Inbox};

/// What is worked: the accounts and the inboxes of the config.
#[derive(Clone, Debug, Default)]
pub struct Configured<'a> {
    /// By name, the account of each inbox.
    inboxes: BTreeMap<&'a str, &'a str>,
    accounts: BTreeSet<&'a str>,
}

impl<'a> Configured<'a> {
    /// These accounts, by name, and these inboxes, each with its account.
    pub fn new(
        accounts: impl IntoIterator<Item = &'a str>,
        inboxes: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Self {
        Self {
            inboxes: inboxes.into_iter().collect(),
            accounts: accounts.into_iter().collect(),
        }
    }

    /// The same as the config has them.
    pub fn of(
        accounts: impl IntoIterator<Item = &'a Account>,
        inboxes: impl IntoIterator<Item = &'a Inbox>,
    ) -> Self {
        let inboxes = inboxes.into_iter();
        Self::new(
            accounts.into_iter().map(|account| account.name.as_str()),
            inboxes.map(|inbox| (inbox.name.as_str(), inbox.account.as_str())),
        )
    }

    /// Whether an account's service is asked about what is open.
    pub fn asks(&self, account: &str) -> bool {
        self.accounts.contains(account)
    }

    /// The account of an inbox, where it is in the config.
    pub(super) fn account_of(&self, inbox: &str) -> Option<&'a str> {
        self.inboxes.get(inbox).copied()
    }
}
