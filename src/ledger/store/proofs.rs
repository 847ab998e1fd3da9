//! Answered orders that can prove that the service's list is live: it has to show them.

use std::time::Duration;

use jiff::Timestamp;
use rusqlite::{Row, params};

use super::{Store, get, millis, moment};
use crate::clock::{BootTime, Now};
use crate::ledger::LedgerError;
use crate::ledger::record::AccountRef;
use crate::reconcile::is_alike;

/// The columns that make a [`Proof`], of orders under this name joined to their attempts.
macro_rules! proof_columns {
    ($orders:literal) => {
        concat!(
            $orders,
            ".order_id AS name, service_name, pw_order_id, intended_at, intended_boot_id, intended_boot"
        )
    };
}

/// In milliseconds. A clock that was wrong by more is set right by hand, with the program stopped.
const A_DAY: i64 = 24 * 60 * 60 * 1000;

/// Orders among which the newest is looked for: a clock that was set back does not hide it behind more.
const RECENT: i64 = 10_000;

/// So many answered orders are looked at for one that the service has under our name: a person may have renamed one there.
/// Of those before the newest none serves: the service may give names of its own since.
const PROOFS: u32 = 8;

/// An order of ours whose create was answered: the list has to show it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// Its id as sent.
    pub order_id: String,
    /// The service's name of it; none where that is the id as sent.
    pub service_name: Option<String>,
    /// The service's id.
    pub pw_order_id: String,
    /// When its create was intended (wall clock).
    pub intended_at: Timestamp,
    /// The same on the boot clock.
    pub intended: BootTime,
}

impl Store<'_> {
    /// The eldest answered order whose create was intended after a moment: later in the same boot, or in this boot, where
    /// the moment is of an earlier one. The wall clock only narrows the search, to a day where it may have been set back.
    pub fn proof_after(
        &self,
        account: AccountRef,
        (at, since): (Timestamp, &BootTime),
        now: &BootTime,
    ) -> Result<Option<Proof>, LedgerError> {
        let sql = concat!(
            "SELECT ",
            proof_columns!("orders"),
            " FROM orders JOIN attempt ON attempt.order_id = orders.id AND attempt.answer = 'created'
              WHERE account_id = ?1 AND state = 'created' AND changed_at >= ?2
                AND (intended_boot_id = ?3 AND intended_boot >= ?4
                     OR intended_boot_id <> ?3 AND intended_boot_id = ?5)
              ORDER BY changed_at LIMIT ?6"
        );
        for earliest in [millis(at), millis(at).saturating_sub(A_DAY)] {
            let params = params![account.0, earliest, &*since.id, since.millis, &*now.id, PROOFS];
            let found = foremost(self.all("find a proof", sql, params, proof)?);
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }

    /// The newest answered order whose create was intended before a moment.
    pub fn proof_before(&self, account: AccountRef, at: Timestamp) -> Result<Option<Proof>, LedgerError> {
        let sql = concat!(
            "SELECT ",
            proof_columns!("orders"),
            " FROM orders JOIN attempt ON attempt.order_id = orders.id AND attempt.answer = 'created'
              WHERE account_id = ?1 AND state = 'created' AND changed_at < ?2
              ORDER BY changed_at DESC LIMIT 1"
        );
        self.one("find a proof", sql, params![account.0, millis(at)], proof)
    }

    /// The newest answered order whose create was intended at least so long ago by the boot clock. One of an earlier boot
    /// is at least as old as this boot, and may be older by the wall clock. Which of those is the newest the order of
    /// the rows tells: orders were written down in it, and no clock can change it.
    pub fn newest_proof(
        &self,
        account: AccountRef,
        age: Duration,
        now: &Now,
    ) -> Result<Option<Proof>, LedgerError> {
        let sql = concat!(
            "SELECT ",
            proof_columns!("recent"),
            " FROM (SELECT * FROM orders WHERE account_id = ?1 AND state = 'created'
                    ORDER BY changed_at DESC LIMIT ?5) AS recent
                   JOIN attempt ON attempt.order_id = recent.id AND attempt.answer = 'created'
              WHERE iif(intended_boot_id = ?2, intended_boot <= ?3, ?3 >= 0 OR intended_at <= ?4)
              ORDER BY intended_boot_id = ?2 DESC, iif(intended_boot_id = ?2, intended_boot, recent.id) DESC
              LIMIT 1"
        );
        let age = i64::try_from(age.as_millis()).unwrap_or(i64::MAX);
        let boot = now.boot.millis.saturating_sub(age);
        let wall = millis(now.wall).saturating_sub(age);
        self.one(
            "find a proof",
            sql,
            params![account.0, &*now.boot.id, boot, wall, RECENT],
            proof,
        )
    }
}

/// The first that the service has under our name, else the first.
fn foremost(proofs: Vec<Proof>) -> Option<Proof> {
    let at = proofs.iter().position(Proof::is_under_our_name).unwrap_or(0);
    proofs.into_iter().nth(at)
}

impl Proof {
    /// The name that it is looked for by.
    pub fn name(&self) -> &str {
        self.service_name.as_deref().unwrap_or(&self.order_id)
    }

    /// Whether the service has it under our name, in whatever writing: only then does it show that the list shows orders
    /// by our names.
    pub fn is_under_our_name(&self) -> bool {
        self.name() == self.order_id || is_alike(&self.order_id, self.name())
    }
}

fn proof(row: &Row<'_>) -> Result<Proof, LedgerError> {
    let id: String = get(row, "intended_boot_id")?;
    Ok(Proof {
        order_id: get(row, "name")?,
        service_name: get(row, "service_name")?,
        pw_order_id: get(row, "pw_order_id")?,
        intended_at: moment(row, "attempt", "intended_at")?,
        intended: BootTime {
            id: id.into(),
            millis: get(row, "intended_boot")?,
        },
    })
}
