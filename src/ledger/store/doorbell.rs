//! Notifications as they came, and the orders that they ring for.

use std::collections::{BTreeMap, HashSet};

use jiff::Timestamp;
use rusqlite::params;
use sha2::{Digest, Sha256};

use super::{Store, count, get, millis, parsed};
use crate::files::hex_digest;
use crate::ledger::LedgerError;
use crate::ledger::record::{AccountRef, NoticeKind, Notification, OrderRef, Rung};

impl Store<'_> {
    /// Keeps a notification as it came; one that came before is counted and rings again. Gives whether it is kept:
    /// not, where so many wait to be looked at that something is wrong.
    pub fn keep_notification(
        &self,
        brought: &Notification,
        at: Timestamp,
        most_unread: u64,
    ) -> Result<bool, LedgerError> {
        let sql = "SELECT count(*) AS n FROM notification WHERE unread = 1";
        let unread = self.one("count notifications", sql, [], |row| count(row, "n"))?;
        if u64::from(unread.unwrap_or(0)) >= most_unread {
            return Ok(false);
        }
        let hash = hex_digest(Sha256::digest(&brought.body));
        self.run(
            "keep a notification",
            "INSERT INTO notification (account_id, kind, hash, body, first_at, last_at) VALUES (?1, ?2, ?3, ?4, ?5, ?5)
             ON CONFLICT (account_id, kind, hash) DO UPDATE SET last_at = ?5, times = times + 1, unread = 1",
            params![brought.account.0, brought.kind.word(), hash, brought.body, millis(at)],
        )?;
        Ok(true)
    }

    /// Notifications that were not looked at yet, eldest first, with their row's number.
    pub fn unread_notifications(&self, most: u32) -> Result<Vec<(i64, Notification)>, LedgerError> {
        let sql = "SELECT id, account_id, kind, body FROM notification INDEXED BY notification_unread
                   WHERE unread = 1 ORDER BY id LIMIT ?1";
        self.all("list notifications", sql, [most], |row| {
            let brought = Notification {
                account: AccountRef(get(row, "account_id")?),
                kind: parsed(row, "notification", "kind")?,
                body: get(row, "body")?,
            };
            Ok((get(row, "id")?, brought))
        })
    }

    /// The orders of an account with this id as sent, or of the service's, and whether it is the service's.
    pub fn orders_with_id(
        &self,
        account: AccountRef,
        id: &str,
    ) -> Result<Vec<(OrderRef, bool)>, LedgerError> {
        let sql = "SELECT id, 0 AS exact FROM orders WHERE account_id = ?1 AND order_id = ?2
                   UNION SELECT id, 1 FROM orders WHERE account_id = ?1 AND pw_order_id = ?2";
        self.all("find an order", sql, params![account.0, id], |row| {
            Ok((OrderRef(get(row, "id")?), get(row, "exact")?))
        })
    }

    /// A notification was looked at: the orders that it names by one of these texts are to be read. Gives how many. They
    /// are looked for in the transaction that notes it: an order that is given its id later has it looked at again.
    ///
    /// Where one that tells of a problem has ids of the service's, it speaks of those orders: another one's `order_id` in it
    /// may be any word or number, and only has that order read.
    pub fn ring(
        &self,
        notification: i64,
        (account, kind): (AccountRef, NoticeKind),
        texts: &HashSet<String>,
    ) -> Result<usize, LedgerError> {
        let mut orders: BTreeMap<OrderRef, bool> = BTreeMap::new();
        for text in texts {
            for (order, by_the_service_s_id) in self.orders_with_id(account, text)? {
                *orders.entry(order).or_default() |= by_the_service_s_id;
            }
        }
        let is_named_exactly = orders.values().any(|is_exact| *is_exact);
        let named = i64::try_from(orders.len()).unwrap_or(i64::MAX);
        self.run(
            "note a notification",
            "UPDATE notification SET unread = 0, orders = ?2 WHERE id = ?1",
            params![notification, named],
        )?;
        for (order, is_exact) in &orders {
            let is_problem = kind == NoticeKind::OrderProblem && (*is_exact || !is_named_exactly);
            self.run(
                "ring for an order",
                "INSERT INTO doorbell (order_id, account_id, is_problem) VALUES (?1, ?2, ?3)
                 ON CONFLICT (order_id) DO UPDATE SET rings = rings + 1, is_problem = max(is_problem, ?3)",
                params![order.0, account.0, is_problem],
            )?;
        }
        Ok(orders.len())
    }

    /// Orders of an account that have rung since they were last read, and were not read since `quiet`: the next after one,
    /// by their place in the ledger.
    pub fn rung(
        &self,
        account: AccountRef,
        quiet: Timestamp,
        (after, most): (OrderRef, u32),
    ) -> Result<Vec<Rung>, LedgerError> {
        let sql = "SELECT order_id, rings, is_problem FROM doorbell
                   WHERE account_id = ?1 AND order_id > ?4
                     AND rings > answered AND (read_at IS NULL OR read_at <= ?2)
                   ORDER BY order_id LIMIT ?3";
        self.all(
            "list rung orders",
            sql,
            params![account.0, millis(quiet), most, after.0],
            |row| {
                Ok(Rung {
                    order: OrderRef(get(row, "order_id")?),
                    rings: get(row, "rings")?,
                    is_problem: get(row, "is_problem")?,
                })
            },
        )
    }

    /// An order that rang was read; what has rung meanwhile stays.
    pub fn answered_bell(&self, bell: &Rung, at: Timestamp) -> Result<(), LedgerError> {
        self.run(
            "note that an order was read",
            "UPDATE doorbell SET read_at = ?3, answered = ?2,
                                 is_problem = CASE WHEN rings = ?2 THEN 0 ELSE is_problem END
             WHERE order_id = ?1",
            params![bell.order.0, bell.rings, millis(at)],
        )?;
        self.note_notice(bell, at)
    }

    /// Notes that a notification has told of a problem of an order, where it has: a person is told, whatever the order
    /// itself shows. Of an order without the service's id it is told as soon as that is known.
    pub fn note_notice(&self, bell: &Rung, at: Timestamp) -> Result<(), LedgerError> {
        if !bell.is_problem {
            return Ok(());
        }
        let noted = self.run(
            "note a notice of a problem",
            "UPDATE orders SET noticed_at = ?2
             WHERE id = ?1 AND noticed_at IS NULL
               AND state IN ('sending', 'unresolved', 'abandoned', 'created', 'canceling')",
            params![bell.order.0, millis(at)],
        )?;
        if noted > 0 {
            self.mark_sheets_of(bell.order)?;
        }
        Ok(())
    }

    /// The service's id of an order has come to be known: notices of problems that have named it since its first create are
    /// looked at again. They may name it by that id alone.
    pub(super) fn look_at_notices_again(
        &self,
        order: OrderRef,
        pw_order_id: &str,
    ) -> Result<(), LedgerError> {
        self.run(
            "look at notices again",
            "UPDATE notification INDEXED BY notification_problems SET unread = 1
             WHERE kind = 'order-problem' AND account_id = (SELECT account_id FROM orders WHERE id = ?1)
               AND last_at >= (SELECT min(intended_at) FROM attempt WHERE order_id = ?1)
               AND unread = 0 AND instr(body, CAST(?2 AS BLOB)) > 0",
            params![order.0, pw_order_id],
        )?;
        Ok(())
    }

    /// Forgets notifications that were looked at and came last before `oldest`, with the bells that nobody needs.
    pub fn forget_notifications(&self, oldest: Timestamp) -> Result<(), LedgerError> {
        self.run(
            "forget notifications",
            "DELETE FROM notification WHERE unread = 0 AND last_at < ?1",
            [millis(oldest)],
        )?;
        self.run(
            "forget doorbells",
            "DELETE FROM doorbell WHERE rings = answered AND read_at < ?1",
            [millis(oldest)],
        )?;
        Ok(())
    }
}
