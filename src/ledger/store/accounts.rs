//! Accounts, how far their lists are known, and files seen but not yet taken.

use std::collections::HashSet;

use crate::clock::BootTime;
use crate::ledger::LedgerError;
use jiff::{SignedDuration, Timestamp};
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

/// How long each order is looked up before its first create after the list has shown an unknown name.
const SUSPICION: SignedDuration = SignedDuration::from_hours(24);

/// The key of the moment at which the ledger was last backed up by itself.
const BACKED_UP: &str = "backed_up_at";
const NOT_BACKED_UP: &str = "not_backed_up";

/// What holds an account's creates back, where the ledger may be older than it thinks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Guards {
    /// Since when nothing is sent, if a sign of a lost claim was seen.
    pub quiet_since: Option<BootTime>,
    /// Since when, and until when by this machine's clock, each order is looked up before its first create: the list has
    /// shown what the ledger did not know. Before a boot clock was kept with it there is only the latter.
    pub suspect: Option<(Option<BootTime>, Timestamp)>,
    /// From where on the list has shown an order without an id: while it may, each order is looked up too.
    pub without_id_from: Option<Timestamp>,
}

impl Guards {
    /// Whether the list has shown, not long ago, what the ledger did not know. The machine's clock may have been set since:
    /// it counts where there was a boot between.
    pub fn is_suspect(&self, now: &Now) -> bool {
        self.suspect.as_ref().is_some_and(|(since, until)| {
            match since.as_ref().and_then(|since| now.boot.since(since)) {
                Some(ago) => SignedDuration::try_from(ago).is_ok_and(|ago| ago < SUSPICION),
                None => *until >= now.wall,
            }
        })
    }
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

    /// When the ledger was last backed up by itself.
    pub fn backed_up_at(&self) -> Result<Option<Timestamp>, LedgerError> {
        self.meta_moment("read when it was backed up", BACKED_UP)
    }

    /// Writes down that the ledger was backed up.
    pub fn set_backed_up(&self, at: Timestamp) -> Result<(), LedgerError> {
        self.set_meta_moment("write when it was backed up", BACKED_UP, Some(at))?;
        self.set_not_backed_up("")
    }

    /// Why the newest try to back the ledger up failed; none where it did not.
    pub fn not_backed_up(&self) -> Result<Option<String>, LedgerError> {
        let noted = self.meta("read why it is not backed up", NOT_BACKED_UP)?;
        Ok(noted.filter(|why| !why.is_empty()))
    }

    /// Notes why the ledger could not be backed up.
    pub fn set_not_backed_up(&self, why: &str) -> Result<(), LedgerError> {
        self.set_meta("note why it is not backed up", NOT_BACKED_UP, why)
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

    /// What holds an account's creates back.
    pub fn guards(&self, account: AccountRef) -> Result<Guards, LedgerError> {
        let sql = "SELECT quiet_boot_id, quiet_boot, suspect_until_at, suspect_boot_id, suspect_boot, without_id_from_at
                   FROM account WHERE id = ?1";
        let read = |row: &Row<'_>| {
            Ok(Guards {
                quiet_since: boot_or_null(row, "quiet_boot_id", "quiet_boot")?,
                suspect: match moment_or_null(row, "account", "suspect_until_at")? {
                    Some(until) => Some((boot_or_null(row, "suspect_boot_id", "suspect_boot")?, until)),
                    None => None,
                },
                without_id_from: moment_or_null(row, "account", "without_id_from_at")?,
            })
        };
        Ok(self
            .one("read an account", sql, [account.0], read)?
            .unwrap_or_default())
    }

    /// Has each order looked up before its first create for a day.
    pub fn suspect(&self, account: AccountRef, now: &Now) -> Result<(), LedgerError> {
        let until = now.wall.checked_add(SUSPICION).unwrap_or(Timestamp::MAX);
        let sql =
            "UPDATE account SET suspect_until_at = ?2, suspect_boot_id = ?3, suspect_boot = ?4 WHERE id = ?1";
        self.run(
            "write a suspicion",
            sql,
            params![account.0, millis(until), &*now.boot.id, now.boot.millis],
        )?;
        self.note_guards();
        Ok(())
    }

    /// Notes from where on the list has shown an order without an id; none where each has one again.
    pub fn set_without_id(&self, account: AccountRef, from: Option<Timestamp>) -> Result<(), LedgerError> {
        let sql = "UPDATE account SET without_id_from_at = ?2 WHERE id = ?1";
        self.run(
            "note an order without an id",
            sql,
            params![account.0, from.map(millis)],
        )?;
        self.note_guards();
        Ok(())
    }

    /// A sign of a lost claim was seen: the account sends nothing for a while; none ends that.
    pub fn set_quiet(&self, account: AccountRef, since: Option<&BootTime>) -> Result<(), LedgerError> {
        let sql = "UPDATE account SET quiet_boot_id = ?2, quiet_boot = ?3 WHERE id = ?1";
        let (id, millis) = (since.map(|s| s.id.to_string()), since.map(|s| s.millis));
        self.run("write a quiet time", sql, params![account.0, id, millis])?;
        self.note_guards();
        Ok(())
    }

    /// Ends a quiet time, unless another one has begun meanwhile.
    pub fn end_quiet(&self, account: AccountRef, since: &BootTime) -> Result<(), LedgerError> {
        let sql = "UPDATE account SET quiet_boot_id = NULL, quiet_boot = NULL
                   WHERE id = ?1 AND quiet_boot_id = ?2 AND quiet_boot = ?3";
        self.run(
            "end a quiet time",
            sql,
            params![account.0, &*since.id, since.millis],
        )?;
        self.note_guards();
        Ok(())
    }

    /// A sign was seen that the ledger is older than it thinks: nothing leaves for a while, and for a day each order is
    /// looked up before its first create.
    pub fn distrust(&self, account: AccountRef, now: &Now) -> Result<(), LedgerError> {
        self.set_quiet(account, Some(&now.boot))?;
        self.suspect(account, now)
    }

    /// When the file at a place was first seen as it stands now; writes the sighting down where it is new or other.
    pub fn sight(&self, place: &str, stamp: &str, now: &BootTime) -> Result<BootTime, LedgerError> {
        let known = self.one(
            "find a sighting",
            "SELECT stamp, since_boot_id, since_boot FROM sighting WHERE place = ?1",
            [place],
            |row| {
                Ok((
                    get::<String>(row, "stamp")?,
                    boot_or_null(row, "since_boot_id", "since_boot")?,
                ))
            },
        )?;
        // A sighting of another boot starts anew: the time in between cannot be measured.
        if let Some((_, Some(since))) = known.filter(|(known, _)| known == stamp)
            && since.id == now.id
        {
            return Ok(since);
        }
        self.put_sighting("write a sighting", place, stamp, now)?;
        Ok(now.clone())
    }

    /// Notes how a file stands, and since when.
    pub(super) fn put_sighting(
        &self,
        operation: &'static str,
        place: &str,
        stamp: &str,
        since: &BootTime,
    ) -> Result<(), LedgerError> {
        self.run(
            operation,
            "INSERT INTO sighting (place, stamp, since_boot_id, since_boot) VALUES (?1, ?2, ?3, ?4)
             ON CONFLICT DO UPDATE SET stamp = ?2, since_boot_id = ?3, since_boot = ?4",
            params![place, stamp, &*since.id, since.millis],
        )?;
        Ok(())
    }

    /// Forgets the sightings below a folder whose places are not among `there`.
    pub fn forget_sightings(&self, folder: &str, there: &[String]) -> Result<(), LedgerError> {
        let below = format!("{folder}/");
        let known = self.all(
            "list sightings",
            "SELECT place FROM sighting WHERE substr(place, 1, length(?1)) = ?1",
            [below],
            |row| get::<String>(row, "place"),
        )?;
        let there: HashSet<&str> = there.iter().map(String::as_str).collect();
        for place in known.iter().filter(|place| !there.contains(place.as_str())) {
            self.run(
                "forget a sighting",
                "DELETE FROM sighting WHERE place = ?1",
                [place],
            )?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_of_suspicion_lasts_a_day_whatever_becomes_of_the_machine_s_clock() {
        let at = |boot: &str, boot_hours: i64, wall_hours: i64| Now {
            wall: Timestamp::from_second(1_790_000_000 + wall_hours * 3600).unwrap(),
            boot: BootTime {
                id: boot.into(),
                millis: boot_hours * 3_600_000,
            },
        };
        let since = at("one", 1, 0);
        let guards = Guards {
            suspect: Some((Some(since.boot), at("one", 0, 24).wall)),
            ..Guards::default()
        };
        for (now, is_suspect) in [
            (at("one", 2, 1), true),
            (at("one", 2, 30_000), true),
            (at("one", 26, -30_000), false),
            (at("two", 0, 23), true),
            (at("two", 0, 25), false),
        ] {
            assert_eq!(guards.is_suspect(&now), is_suspect, "{now:?}");
        }
        assert!(!Guards::default().is_suspect(&at("one", 0, 0)));
    }
}
