//! What holds an account's creates back, where the ledger may be older than it thinks.

use jiff::{SignedDuration, Timestamp};
use rusqlite::{Row, params};

use super::{Store, boot_or_null, millis, moment_or_null};
use crate::clock::{BootTime, Now};
use crate::ledger::LedgerError;
use crate::ledger::record::AccountRef;

/// How long each order is looked up before its first create after the list has shown an unknown name.
const SUSPICION: SignedDuration = SignedDuration::from_hours(24);

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
