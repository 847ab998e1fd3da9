//! Accounts, and how far their lists are known.

use crate::clock::BootTime;
use crate::ledger::LedgerError;
use jiff::Timestamp;
use rusqlite::{Row, params};

use super::{Store, boot_or_null, get, millis, moment_or_null};
use crate::clock::Now;
use crate::ledger::record::AccountRef;

/// How far an account's order list is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Walked {
    /// Everything entered before this is known.
    pub to: Timestamp,
    /// When that was found out.
    pub ended: BootTime,
}

impl Store<'_> {
    /// Finds an account, or writes it down. One at which the service was never reached takes the identity that the config has
    /// by now: its `base_url` or e-mail was written wrong.
    ///
    /// # Errors
    /// As of [`Store::known_account`].
    pub fn account(&self, name: &str, base_url: &str, email: &str) -> Result<AccountRef, LedgerError> {
        if let Some(known) = self.known_account(name, base_url, email)? {
            self.run(
                "correct an account",
                "UPDATE account SET base_url = ?2, email = ?3
                 WHERE id = ?1 AND (base_url <> ?2 OR email <> ?3 COLLATE NOCASE)",
                params![known.0, base_url, email],
            )?;
            return Ok(known);
        }
        self.run(
            "write an account",
            "INSERT INTO account (name, base_url, email) VALUES (?1, ?2, ?3)",
            [name, base_url, email],
        )?;
        Ok(AccountRef(self.db.last_insert_rowid()))
    }

    /// Finds an account of the config; none where it was never worked.
    ///
    /// # Errors
    /// Where its name or its identity stands in the ledger otherwise: two names for one account would make an order
    /// twice.
    pub fn known_account(
        &self,
        name: &str,
        base_url: &str,
        email: &str,
    ) -> Result<Option<AccountRef>, LedgerError> {
        let by_name = self.one(
            "find an account",
            "SELECT id, base_url, email FROM account WHERE name = ?1",
            [name],
            |row| {
                Ok((
                    AccountRef(get(row, "id")?),
                    get::<String>(row, "base_url")?,
                    get::<String>(row, "email")?,
                ))
            },
        )?;
        if let Some((account, url, mail)) = &by_name {
            // A mail server may tell capitals apart; none that anybody uses does, and the config does not either.
            if url == base_url && mail.eq_ignore_ascii_case(email) {
                return Ok(Some(*account));
            }
            if self.was_reached(*account)? {
                return Err(LedgerError::OtherAccount {
                    name: name.to_owned(),
                    known: format!("{mail} at {url}"),
                    configured: format!("{email} at {base_url}"),
                });
            }
        }
        let renamed = self.one(
            "find an account",
            "SELECT name FROM account WHERE base_url = ?1 AND email = ?2 COLLATE NOCASE AND name <> ?3",
            [base_url, email, name],
            |row| get::<String>(row, "name"),
        )?;
        match renamed {
            None => Ok(by_name.map(|(account, ..)| account)),
            Some(known) => Err(LedgerError::RenamedAccount {
                name: name.to_owned(),
                known,
            }),
        }
    }

    /// Whether the service was ever reached as this account, as far as an order may be there, or may wait for it: its list
    /// was read, or the ledger has an order of it.
    fn was_reached(&self, account: AccountRef) -> Result<bool, LedgerError> {
        let sql = "SELECT 1 FROM account WHERE id = ?1
                   AND (walked_to_at IS NOT NULL OR synced_boot_id IS NOT NULL
                        OR EXISTS (SELECT 1 FROM orders WHERE account_id = ?1)
                        OR EXISTS (SELECT 1 FROM listed WHERE account_id = ?1)
                        OR EXISTS (SELECT 1 FROM notification WHERE account_id = ?1))";
        let reached = self.one(
            "look what is known of an account",
            sql,
            [account.0],
            |_row| Ok(()),
        );
        Ok(reached?.is_some())
    }

    /// The account of this identity, under whatever name.
    pub fn find_account(&self, base_url: &str, email: &str) -> Result<Option<AccountRef>, LedgerError> {
        let sql = "SELECT id FROM account WHERE base_url = ?1 AND email = ?2 COLLATE NOCASE";
        self.one("find an account", sql, [base_url, email], |row| {
            Ok(AccountRef(get(row, "id")?))
        })
    }

    /// How far the account's order list is known; none for a new ledger.
    pub fn walked(&self, account: AccountRef) -> Result<Option<Walked>, LedgerError> {
        let read = |row: &Row<'_>| {
            let to = moment_or_null(row, "account", "walked_to_at")?;
            let ended = boot_or_null(row, "walked_boot_id", "walked_boot")?;
            Ok(to.zip(ended).map(|(to, ended)| Walked { to, ended }))
        };
        let sql = "SELECT walked_to_at, walked_boot_id, walked_boot FROM account WHERE id = ?1";
        Ok(self.one("read the last walk", sql, [account.0], read)?.flatten())
    }

    /// Writes down that everything entered before `to` is known. The first walk reads all that a sync would.
    pub fn set_walked(&self, account: AccountRef, to: Timestamp, now: &Now) -> Result<(), LedgerError> {
        self.run(
            "write the walk's end",
            "UPDATE account SET walked_to_at = ?2, walked_boot_id = ?3, walked_boot = ?4,
                                synced_boot = iif(synced_boot_id IS NULL, ?4, synced_boot),
                                synced_boot_id = coalesce(synced_boot_id, ?3)
             WHERE id = ?1",
            params![account.0, millis(to), &*now.boot.id, now.boot.millis],
        )?;
        Ok(())
    }

    /// When the list was last read for news of every order that is still to have some; none where it was never read. A walk
    /// reads of the newest orders alone.
    pub fn synced(&self, account: AccountRef) -> Result<Option<BootTime>, LedgerError> {
        let sql = "SELECT synced_boot_id, synced_boot FROM account WHERE id = ?1";
        let read = |row: &Row<'_>| boot_or_null(row, "synced_boot_id", "synced_boot");
        Ok(self.one("read the last sync", sql, [account.0], read)?.flatten())
    }

    /// Notes that it was read so.
    pub fn set_synced(&self, account: AccountRef, at: &BootTime) -> Result<(), LedgerError> {
        let sql = "UPDATE account SET synced_boot_id = ?2, synced_boot = ?3 WHERE id = ?1";
        self.run("write a sync's end", sql, params![account.0, &*at.id, at.millis])?;
        Ok(())
    }

    /// When the days of orders that are older than a week were last read.
    pub fn old_days_read(&self, account: AccountRef) -> Result<Option<BootTime>, LedgerError> {
        let sql = "SELECT old_days_boot_id, old_days_boot FROM account WHERE id = ?1";
        let read = |row: &Row<'_>| boot_or_null(row, "old_days_boot_id", "old_days_boot");
        Ok(self.one("read an account", sql, [account.0], read)?.flatten())
    }

    /// Notes that they were read.
    pub fn set_old_days_read(&self, account: AccountRef, at: &BootTime) -> Result<(), LedgerError> {
        let sql = "UPDATE account SET old_days_boot_id = ?2, old_days_boot = ?3 WHERE id = ?1";
        self.run("write a sync's end", sql, params![account.0, &*at.id, at.millis])?;
        Ok(())
    }

    /// When it was last seen to, by the wall clock, that no order grew too old to be followed without being read once more;
    /// none where it never was.
    pub fn late_read(&self, account: AccountRef) -> Result<Option<Timestamp>, LedgerError> {
        self.meta_moment("read when old orders were read", &late(account))
    }

    /// Notes that it was seen to.
    pub fn set_late_read(&self, account: AccountRef, at: Timestamp) -> Result<(), LedgerError> {
        self.set_meta_moment("note when old orders were read", &late(account), Some(at))
    }
}

fn late(account: AccountRef) -> String {
    format!("old orders of account {} were read", account.0)
}
