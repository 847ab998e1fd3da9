//! Orders that the service lists and the ledger did not make.

use jiff::Timestamp;
use rusqlite::{Row, params};

use super::forgotten::HAS_FORGOTTEN;
use super::{Store, get, json, json_or_null, millis, moment, moment_or_null, to_json};
use crate::ledger::LedgerError;
use crate::ledger::record::{AccountRef, ListedRecord, OrderRecord};
use crate::order::Order;
use crate::reconcile::{beginnings, has_something_in_front, plain, plain_ascii};

impl Store<'_> {
    /// Writes down an order that the service lists and the ledger did not make; true where it was not known yet.
    pub fn put_listed(&self, account: AccountRef, listed: &ListedRecord) -> Result<bool, LedgerError> {
        let known = self.one(
            "find a listed order",
            "SELECT 1 FROM listed WHERE account_id = ?1 AND order_id = ?2 AND pw_order_id = ?3",
            params![account.0, listed.order_id, listed.pw_order_id],
            |_row| Ok(()),
        )?;
        self.run(
            "write a listed order",
            "INSERT INTO listed (account_id, order_id, pw_order_id, signature, zip, entered_at, plain, canceled, addressee,
                                 backwards)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
             ON CONFLICT DO UPDATE SET signature = excluded.signature, zip = excluded.zip, plain = excluded.plain,
                                       canceled = coalesce(excluded.canceled, canceled), addressee = excluded.addressee,
                                       backwards = excluded.backwards",
            params![
                account.0,
                listed.order_id,
                listed.pw_order_id,
                to_json(&listed.signature)?,
                listed.zip,
                listed.entered_at.map(millis),
                plain(&listed.order_id),
                listed.canceled,
                to_json(&listed.addressee)?,
                backwards(&listed.order_id),
            ],
        )?;
        Ok(known.is_none())
    }

    /// Whether the ledger knows of no order of an account at the service, and has forgotten none: one that is being made anew
    /// is in the place of one that did.
    pub fn knows_no_order(&self, account: AccountRef) -> Result<bool, LedgerError> {
        if self
            .meta("read whether the ledger has forgotten", HAS_FORGOTTEN)?
            .is_some()
            || self.is_rebuilding()?
        {
            return Ok(false);
        }
        let sql = "SELECT EXISTS (SELECT 1 FROM orders WHERE account_id = ?1 AND pw_order_id IS NOT NULL)
                       OR EXISTS (SELECT 1 FROM listed WHERE account_id = ?1) AS any";
        let any = self.one("look whether an order is known", sql, [account.0], |row| {
            get::<bool>(row, "any")
        })?;
        Ok(any == Some(false))
    }

    /// The newest of an account's listed orders that was entered before a moment and is not canceled: the service's id, and
    /// when it was entered.
    pub fn newest_listed(
        &self,
        account: AccountRef,
        before: Timestamp,
    ) -> Result<Option<(String, Timestamp)>, LedgerError> {
        let sql = "SELECT pw_order_id, entered_at FROM listed
                   WHERE account_id = ?1 AND entered_at < ?2 AND canceled IS NOT 1
                   ORDER BY entered_at DESC LIMIT 1";
        self.one(
            "find a listed order",
            sql,
            params![account.0, millis(before)],
            |row| Ok((get(row, "pw_order_id")?, moment(row, "listed", "entered_at")?)),
        )
    }

    /// Notes that the service has confirmed the cancel of an order that the ledger did not make.
    pub fn listed_is_canceled(&self, account: AccountRef, pw_order_id: &str) -> Result<(), LedgerError> {
        // The first of the two is what the index has.
        self.run(
            "note a listed order's cancel",
            "UPDATE listed INDEXED BY listed_called SET canceled = 1
             WHERE account_id = ?1 AND pw_order_id = ?2 COLLATE NOCASE AND pw_order_id = ?2",
            params![account.0, pw_order_id],
        )?;
        Ok(())
    }

    /// The orders of a name that the service listed and the ledger did not make, eldest first.
    pub fn listed(&self, account: AccountRef, order_id: &str) -> Result<Vec<ListedRecord>, LedgerError> {
        let sql =
            "SELECT * FROM listed WHERE account_id = ?1 AND order_id = ?2 ORDER BY entered_at, pw_order_id";
        self.all("find listed orders", sql, params![account.0, order_id], listed)
    }

    /// What the service listed that is meant where this order is to be canceled: it came to nothing here, or is held, and the
    /// service has one of its name, unless that is another order than was sent.
    pub fn meant_instead_of(&self, order: &OrderRecord) -> Result<Vec<ListedRecord>, LedgerError> {
        if !order.gives_way() {
            return Ok(Vec::new());
        }
        let mut listed = self.listed(order.account, &order.order_id)?;
        listed.retain(|one| one.may_be(order));
        Ok(listed)
    }

    /// What the service listed, and the ledger did not make, that an order of a sheet would be made a second time beside:
    /// whatever has its name, or else the same order under its name in another writing, as a service may keep it, or under
    /// the id that it has in its sheet: a ledger that is lost may have sent it before there was an `order_prefix`. One that
    /// was put back from a backup, or made anew, may have sent it with another prefix as well.
    pub fn at_service(
        &self,
        account: AccountRef,
        order: &Order,
        sheet_id: &str,
    ) -> Result<Vec<ListedRecord>, LedgerError> {
        // One statement, for it is asked of each order twice and finds nothing. No name in another writing is empty.
        let found = self.all(
            "find listed orders",
            "SELECT * FROM listed WHERE account_id = ?1 AND order_id = ?2
             UNION ALL SELECT * FROM listed WHERE account_id = ?1 AND plain = ?3 AND order_id <> ?2 AND plain <> ''
             UNION ALL SELECT * FROM listed WHERE account_id = ?1 AND plain = ?4 AND plain <> ?3 AND plain <> ''
             UNION ALL SELECT * FROM listed WHERE account_id = ?1 AND order_id = ?5 AND plain = '' AND order_id <> ?2
             UNION ALL SELECT * FROM listed WHERE account_id = ?1 AND plain = ?6 AND plain NOT IN (?3, ?4) AND plain <> ''
             UNION ALL SELECT * FROM listed WHERE account_id = ?1 AND backwards > ?7 AND backwards < ?7 || ?8
                                              AND order_id <> ?2 AND plain NOT IN (?3, ?4, ?6)
                                              AND EXISTS (SELECT 1 FROM meta WHERE key = ?9)",
            params![
                account.0,
                order.order_id,
                plain(&order.order_id),
                plain(sheet_id),
                sheet_id,
                // A service may show others in the place of letters that no ASCII has. Of most names that is the same.
                plain_ascii(&order.order_id),
                backwards(sheet_id),
                String::from(char::MAX),
                HAS_FORGOTTEN,
            ],
            listed,
        )?;
        let (mut named, mut alike): (Vec<ListedRecord>, Vec<ListedRecord>) =
            found.into_iter().partition(|one| one.order_id == order.order_id);
        if named.is_empty() {
            alike.retain(|one| one.is_same(order) && is_not_another_shop_s(one, order, sheet_id));
            named = alike;
        }
        if named.is_empty() {
            named = self.listed_cut(account, order)?;
        }
        named.sort_by(|a, b| (a.entered_at, &a.pw_order_id).cmp(&(b.entered_at, &b.pw_order_id)));
        Ok(named)
    }

    /// The same of a service that keeps the first letters of a long name alone: what has such a beginning for its name, and is
    /// the same order to the same person.
    fn listed_cut(&self, account: AccountRef, order: &Order) -> Result<Vec<ListedRecord>, LedgerError> {
        let beginnings = beginnings(&order.order_id);
        // Of most ids there is none.
        if beginnings.is_empty() {
            return Ok(Vec::new());
        }
        // Where nothing is listed, no beginning is looked for.
        let mut cut = self.all(
            "find listed orders of a cut name",
            "SELECT listed.* FROM (SELECT 1 FROM listed WHERE account_id = ?1 LIMIT 1)
                 CROSS JOIN json_each(?2) AS beginning
                 CROSS JOIN listed ON listed.account_id = ?1 AND listed.order_id = beginning.value",
            params![account.0, to_json(&beginnings)?],
            listed,
        )?;
        cut.retain(|one| one.is_same(order) && goes_there(one, order));
        Ok(cut)
    }

    /// Whether there is such a one for an order that the ledger has, as it is to be sent.
    pub fn is_at_service(&self, order: &OrderRecord) -> Result<bool, LedgerError> {
        let listed = order
            .content
            .as_ref()
            .map(|content| self.at_service(order.account, content, &order.sheet_order_id))
            .transpose()?;
        Ok(listed.is_some_and(|listed| !listed.is_empty()))
    }

    /// The same for a person, who may name one by the service's id.
    pub fn listed_called(&self, account: AccountRef, name: &str) -> Result<Vec<ListedRecord>, LedgerError> {
        let named = self.listed(account, name)?;
        if !named.is_empty() {
            return Ok(named);
        }
        // Named: SQLite would rather go through all of the account than look up a row.
        let sql = "SELECT * FROM listed INDEXED BY listed_called WHERE account_id = ?1 AND pw_order_id = ?2 COLLATE NOCASE";
        self.all("find listed orders", sql, params![account.0, name], listed)
    }
}

pub(super) fn listed(row: &Row<'_>) -> Result<ListedRecord, LedgerError> {
    Ok(ListedRecord {
        order_id: get(row, "order_id")?,
        pw_order_id: get(row, "pw_order_id")?,
        signature: json(row, "listed", "signature")?,
        zip: get(row, "zip")?,
        addressee: json_or_null(row, "listed", "addressee")?.unwrap_or_default(),
        entered_at: moment_or_null(row, "listed", "entered_at")?,
        canceled: get(row, "canceled")?,
    })
}

/// A name from its last character to its first, in small letters: names that end alike stand beside each other.
fn backwards(name: &str) -> String {
    name.to_lowercase().chars().rev().collect()
}

/// Of an order under its sheet's id with something in front, whether it is this one: another shop on the same account may
/// have the same number, and sell the same. Where the list does not show where it goes, nothing tells them apart.
fn is_not_another_shop_s(listed: &ListedRecord, order: &Order, sheet_id: &str) -> bool {
    let names = [
        plain(&order.order_id),
        plain(sheet_id),
        plain_ascii(&order.order_id),
    ];
    let is_by_its_name = listed.order_id == sheet_id || names.contains(&plain(&listed.order_id));
    is_by_its_name || (has_something_in_front(sheet_id, &listed.order_id) && goes_there(listed, order))
}

/// Whether the list shows where an order goes, and that is where this one does.
fn goes_there(listed: &ListedRecord, order: &Order) -> bool {
    listed.zip.is_some() && listed.addressee.difference(order).is_none()
}
