//! An account as the ledger has it.

use super::AccountRef;

/// An account that the ledger knows, be it in the config or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownAccount {
    /// The account.
    pub id: AccountRef,
    /// Its name.
    pub name: String,
    /// Its service's address.
    pub base_url: String,
    /// Whose it is there.
    pub email: String,
}
