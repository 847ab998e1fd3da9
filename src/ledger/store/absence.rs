//! How attempts ended; and where one has no answer, how long its order has been absent, and what a person is asked of it.

use std::time::Duration;

use super::orders::AttemptEnd;
use crate::ledger::LedgerError;
use jiff::Timestamp;
use rusqlite::params;

use super::{
    Store, boot_or_null, count, get, json_or_null, millis, moment, moment_or_null, to_json, unreadable,
};
use crate::clock::Now;
use crate::ledger::record::{AbsenceRecord, AccountRef, AtLook, EndedCreate, OrderRef};
use crate::reconcile::Reason;

/// Orders among which the newest creates are looked for: so many as have come to be held or canceled since, say, hide them.
const RECENT: u32 = 200;

impl Store<'_> {
    /// Notes how the newest attempt ended.
    pub(super) fn end_attempt(
        &self,
        id: OrderRef,
        ending: AttemptEnd,
        service: Option<Timestamp>,
        now: &Now,
    ) -> Result<(), LedgerError> {
        self.run(
            "write an attempt's end",
            "UPDATE attempt SET ended_at = ?2, ended_boot_id = ?3, ended_boot = ?4, service_date_at = ?5, answer = ?6
             WHERE order_id = ?1 AND number = (SELECT max(number) FROM attempt WHERE order_id = ?1)",
            params![
                id.0,
                millis(now.wall),
                &*now.boot.id,
                now.boot.millis,
                service.map(millis),
                ending_word(ending)
            ],
        )?;
        Ok(())
    }

    /// How the newest creates of an account have ended, newest first. One that never left, and one that the end of the program
    /// cut off, tells nothing of the service. One whose order was found there was carried out, whatever its answer was.
    pub fn newest_creates(&self, account: AccountRef, most: u32) -> Result<Vec<EndedCreate>, LedgerError> {
        self.all(
            "list the newest creates",
            "SELECT answer IN ('created', 'refused') OR is_there AS is_answered, ended_boot_id, ended_boot
             FROM (SELECT id, pw_order_id IS NOT NULL AS is_there FROM orders INDEXED BY orders_newest WHERE account_id = ?1
                   ORDER BY changed_at DESC LIMIT ?3) AS recent
                  JOIN attempt ON attempt.order_id = recent.id
             WHERE answer IN ('created', 'refused', 'unknown', 'contradicted')
             ORDER BY ended_at DESC, recent.id DESC, number DESC LIMIT ?2",
            params![account.0, most, RECENT],
            |row| {
                Ok(EndedCreate {
                    is_answered: get(row, "is_answered")?,
                    at: boot_or_null(row, "ended_boot_id", "ended_boot")?
                        .ok_or_else(|| unreadable("attempt", "ended_boot", "nothing"))?,
                })
            },
        )
    }

    /// Begins the wait of an attempt that has just ended without an answer.
    pub(super) fn begin_absence(
        &self,
        id: OrderRef,
        service: Option<Timestamp>,
        now: &Now,
    ) -> Result<(), LedgerError> {
        self.run(
            "begin a wait",
            "INSERT OR REPLACE INTO absence (order_id, looks, since_boot_id, since_boot, since_service_at)
             VALUES (?1, 0, ?2, ?3, ?4)",
            params![id.0, &*now.boot.id, now.boot.millis, service.map(millis)],
        )?;
        // What a person was asked was about the create before, and may no longer be so: this one may be on its way.
        self.run(
            "forget what a person was asked",
            "UPDATE orders SET note = '', reason = NULL WHERE id = ?1 AND (note <> '' OR reason IS NOT NULL)",
            [id.0],
        )?;
        Ok(())
    }

    /// Whether an order is as it was when it was looked at. What a look has shown of a create says nothing of the next one,
    /// nor of an order that was given up meanwhile.
    fn is_as_looked_at(&self, look: AtLook) -> Result<bool, LedgerError> {
        let sql = "SELECT 1 FROM orders WHERE id = ?1 AND state = ?2 AND sends = ?3";
        let params = params![look.order.0, look.state.word(), look.sends];
        let found = self.one("see whether an order is as it was", sql, params, |_row| Ok(()))?;
        Ok(found.is_some())
    }

    /// Begins a wait anew where it cannot be carried over (another boot, and no clock of the service's).
    pub fn restart_wait(
        &self,
        look: AtLook,
        service: Option<Timestamp>,
        now: &Now,
    ) -> Result<(), LedgerError> {
        if !self.is_as_looked_at(look)? {
            return Ok(());
        }
        self.run(
            "begin a wait anew",
            "UPDATE absence SET since_boot_id = ?2, since_boot = ?3, since_service_at = ?4 WHERE order_id = ?1",
            params![look.order.0, &*now.boot.id, now.boot.millis, service.map(millis)],
        )?;
        Ok(())
    }

    /// Keeps the service's own clock with a wait that has none: it serves after a reboot.
    pub fn date_wait(&self, look: AtLook, service: Timestamp) -> Result<(), LedgerError> {
        if !self.is_as_looked_at(look)? {
            return Ok(());
        }
        self.run(
            "date a wait",
            "UPDATE absence SET since_service_at = ?2 WHERE order_id = ?1 AND since_service_at IS NULL",
            params![look.order.0, millis(service)],
        )?;
        Ok(())
    }

    /// A look-up answered and saw none.
    pub fn seen_absent(&self, look: AtLook, now: &Now) -> Result<(), LedgerError> {
        if !self.is_as_looked_at(look)? {
            return Ok(());
        }
        self.run(
            "count a look-up",
            "UPDATE absence SET looks = looks + 1, looked_at = ?2, looked_boot_id = ?3, looked_boot = ?4
             WHERE order_id = ?1",
            params![look.order.0, millis(now.wall), &*now.boot.id, now.boot.millis],
        )?;
        Ok(())
    }

    /// What a person was asked is of no account any more; where it still is, the next look asks again.
    pub(super) fn ask_nobody(&self, id: OrderRef) -> Result<(), LedgerError> {
        let sql = "UPDATE absence SET reason = NULL WHERE order_id = ?1";
        self.run("ask nobody", sql, [id.0])?;
        self.note(id, "")
    }

    /// A person has to decide, as a look has shown.
    pub fn ask_person(&self, look: AtLook, why: &Reason) -> Result<(), LedgerError> {
        if !self.is_as_looked_at(look)? {
            return Ok(());
        }
        let id = look.order;
        let reason = to_json(why)?;
        let sql = "UPDATE absence SET reason = ?2 WHERE order_id = ?1 AND reason IS NOT ?2";
        if self.run("ask a person", sql, params![id.0, reason])? > 0 {
            let sql = "UPDATE orders SET reason = ?2, note = '' WHERE id = ?1";
            self.run("write why a person is asked", sql, params![id.0, reason])?;
            self.mark_sheets_of(id)?;
        }
        Ok(())
    }

    /// The service neither confirms a cancel nor shows the order; `why` is for a person, and news of its sheets.
    pub fn cancel_is_undecided(&self, id: OrderRef, why: &Reason) -> Result<(), LedgerError> {
        let sql = "UPDATE orders SET reason = ?2, note = '' WHERE id = ?1 AND state = 'canceling' AND reason IS NOT ?2";
        if self.run(
            "write why a cancel is not decided",
            sql,
            params![id.0, to_json(why)?],
        )? > 0
        {
            self.mark_sheets_of(id)?;
        }
        Ok(())
    }

    /// Notes how late the list was when it first showed an order that was sent after this one's attempt.
    pub fn set_lag(&self, look: AtLook, lag: Duration) -> Result<(), LedgerError> {
        if !self.is_as_looked_at(look)? {
            return Ok(());
        }
        self.run(
            "note the list's lag",
            "UPDATE absence SET lag = ?2 WHERE order_id = ?1 AND lag IS NULL",
            params![look.order.0, i64::try_from(lag.as_millis()).unwrap_or(i64::MAX)],
        )?;
        Ok(())
    }

    pub(super) fn forget_absence(&self, id: OrderRef) -> Result<(), LedgerError> {
        self.run("end a wait", "DELETE FROM absence WHERE order_id = ?1", [id.0])?;
        Ok(())
    }

    /// What is known of an unanswered order's absence.
    pub fn absence(&self, id: OrderRef) -> Result<Option<AbsenceRecord>, LedgerError> {
        let sql =
            "SELECT absence.*, min(attempt.intended_at) AS first_at, max(attempt.intended_at) AS last_at,
                          first.intended_boot_id AS first_boot_id, first.intended_boot AS first_boot,
                          max(coalesce(attempt.answer = 'contradicted', 0)) AS contradicted
                   FROM absence JOIN attempt USING (order_id)
                        JOIN attempt AS first ON first.order_id = absence.order_id AND first.number = 1
                   WHERE absence.order_id = ?1 GROUP BY absence.order_id";
        self.one("read a wait", sql, [id.0], |row| {
            let since = boot_or_null(row, "since_boot_id", "since_boot")?
                .ok_or_else(|| unreadable("absence", "since_boot", "nothing"))?;
            Ok(AbsenceRecord {
                looks: count(row, "looks")?,
                looked: boot_or_null(row, "looked_boot_id", "looked_boot")?,
                since,
                since_service: moment_or_null(row, "absence", "since_service_at")?,
                asked: json_or_null(row, "absence", "reason")?,
                lag: get::<Option<i64>>(row, "lag")?
                    .map(|lag| Duration::from_millis(u64::try_from(lag).unwrap_or(0))),
                first_intended_at: moment(row, "attempt", "first_at")?,
                first_intended: boot_or_null(row, "first_boot_id", "first_boot")?
                    .ok_or_else(|| unreadable("attempt", "intended_boot", "nothing"))?,
                last_intended_at: moment(row, "attempt", "last_at")?,
                contradicted: get(row, "contradicted")?,
            })
        })
    }
}

fn ending_word(ending: AttemptEnd) -> &'static str {
    match ending {
        AttemptEnd::Created => "created",
        AttemptEnd::Refused => "refused",
        AttemptEnd::NotSent => "not-sent",
        AttemptEnd::Unknown => "unknown",
        AttemptEnd::Contradicted => "contradicted",
        AttemptEnd::Crashed => "crashed",
    }
}
