//! What the orders of an account wait for, since when its service is away, and which orders nobody carries on, as whoever
//! works them last knew: for who asks beside them, and for the next single pass.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;

use super::{Store, to_json, unreadable};
use crate::ledger::LedgerError;
use crate::ledger::record::{AccountRef, OrderRef};

/// Where it stands which orders nobody carries on.
const LEFT: &str = "orders that nobody carries on";

impl Store<'_> {
    /// What the orders of an account wait for; none where they do not.
    pub fn waits_for(&self, account: &str) -> Result<Option<String>, LedgerError> {
        let noted = self.meta("read what orders wait for", &key(account))?;
        Ok(noted.filter(|why| !why.is_empty()))
    }

    /// Notes what they wait for; none where they do not.
    pub fn set_waits_for(&self, account: &str, why: Option<&str>) -> Result<(), LedgerError> {
        self.set_meta(
            "note what orders wait for",
            &key(account),
            why.unwrap_or_default(),
        )
    }

    /// Whether an account has anything that waits to be sent: a sheet that is not at its end, an approved order, one without
    /// an answer, which may have to be sent again, or a wished cancel.
    pub fn has_to_send(&self, account: AccountRef) -> Result<bool, LedgerError> {
        // The index's own words besides: SQLite does not see that one state is among two.
        let sql = "SELECT 1 FROM claim INDEXED BY claim_open
                   WHERE state IN ('taken', 'worked') AND state = 'taken' AND account_id = ?1
                   UNION ALL
                   SELECT 1 FROM orders
                   WHERE account_id = ?1 AND (state = 'unresolved' OR state = 'sending' OR state = 'canceling')
                   UNION ALL
                   SELECT 1 FROM orders
                   WHERE account_id = ?1 AND state = 'held' AND approved_total IS NOT NULL
                   LIMIT 1";
        let waits = self.one("look for what is to be sent", sql, [account.0], |_row| Ok(()))?;
        Ok(waits.is_some())
    }

    /// Since when an account's service was found away, time after time, and when last; none where it was not.
    pub fn away(&self, account: &str) -> Result<Option<(Timestamp, Timestamp)>, LedgerError> {
        let read = |since| self.meta_moment("read since when a service is away", &away(account, since));
        Ok(read(true)?.zip(read(false)?))
    }

    /// Notes since when it was found away, and when last; none where it is not.
    pub fn set_away(&self, account: &str, found: Option<(Timestamp, Timestamp)>) -> Result<(), LedgerError> {
        let moments = found.map_or([None; 2], |(since, last)| [Some(since), Some(last)]);
        for (since, moment) in [true, false].into_iter().zip(moments) {
            self.set_meta_moment("note since when a service is away", &away(account, since), moment)?;
        }
        Ok(())
    }

    /// The orders that nobody carries on, each with why, as was last noted.
    pub fn left_to_nobody(&self) -> Result<BTreeMap<OrderRef, String>, LedgerError> {
        let noted = self.meta("read which orders nobody carries on", LEFT)?;
        let left: Option<Vec<(i64, String)>> = noted
            .map(|noted| {
                serde_json::from_str(&noted).map_err(|_not_ours| unreadable("meta", "value", &noted))
            })
            .transpose()?;
        let left = left.unwrap_or_default().into_iter();
        Ok(left.map(|(order, why)| (OrderRef(order), why)).collect())
    }

    /// Notes which they are. The sheets of those that have come to be among them, are so for another reason, or are no
    /// longer, have news.
    pub fn put_left_to_nobody(&self, left: &BTreeMap<OrderRef, String>) -> Result<(), LedgerError> {
        let before = self.left_to_nobody()?;
        let is_news = |order: &&OrderRef| before.get(order) != left.get(order);
        let orders: BTreeSet<&OrderRef> = before.keys().chain(left.keys()).filter(is_news).collect();
        for order in orders {
            self.mark_sheets_of(*order)?;
        }
        let noted: Vec<(i64, &String)> = left.iter().map(|(order, why)| (order.0, why)).collect();
        self.set_meta("note which orders nobody carries on", LEFT, &to_json(&noted)?)
    }
}

fn away(account: &str, since: bool) -> String {
    let which = if since { "since" } else { "still at" };
    format!("service of {account} is away {which}")
}

fn key(account: &str) -> String {
    format!("orders of {account} wait for")
}
