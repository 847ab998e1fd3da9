//! Who works what, as the config has it.

use std::collections::{BTreeMap, BTreeSet};

use crate::config::{Account, Inbox};

/// What is worked: the accounts and the inboxes of the config.
#[derive(Clone, Debug, Default)]
pub struct Configured {
    /// By name, the account of each inbox.
    inboxes: BTreeMap<String, String>,
    accounts: BTreeSet<String>,
}

impl Configured {
    /// These accounts, by name, and these inboxes, each with its account.
    pub fn new<'a>(
        accounts: impl IntoIterator<Item = &'a str>,
        inboxes: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Self {
        let inboxes = inboxes.into_iter();
        Self {
            inboxes: inboxes
                .map(|(inbox, account)| (inbox.to_owned(), account.to_owned()))
                .collect(),
            accounts: accounts.into_iter().map(str::to_owned).collect(),
        }
    }

    /// The same as the config has them.
    pub fn of<'a>(
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
    pub fn account_of(&self, inbox: &str) -> Option<&str> {
        self.inboxes.get(inbox).map(String::as_str)
    }
}
