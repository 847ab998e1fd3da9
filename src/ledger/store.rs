//! The ledger's statements: with its submodules the only place with SQL. Runs inside the writer's transactions, and on
//! read-only connections.

/// The columns of an order in the order in which `find::order` reads them: by name, each would be looked for among
/// forty at every order.
macro_rules! order_columns {
    () => {
        "id, account_id, order_id, inbox, sheet_order_id, state, came_from, claim_id, fingerprint, \
         coalesce((SELECT hashes FROM field_hash WHERE field_hash.order_id = orders.id), '[]'), \
         (SELECT json FROM content WHERE content.order_id = orders.id), \
         signature, country_code, quote, holds, hold_number, held_at, approved_total, note, reason, pw_order_id, others, sends, \
         unanswered, entered_at, service, service_read_at, order_status, payment_status, trackings, trouble_at, \
         differs_at, missing_at, noticed_at, changed_at, service_name, approved_waits, \
         CASE WHEN state = 'unresolved' THEN \
         (SELECT CASE WHEN tells = 'doubted' THEN why END FROM event \
          WHERE event.order_id = orders.id AND old IN ('sending', 'created') ORDER BY event.id DESC LIMIT 1) END"
    };
}

/// Whether a row that was to be fixed, `own` of the sheet `claim`, no longer is: a later sheet of its inbox has said
/// something of its order, or it was sent or canceled since. What an earlier sheet sent is not enough: a wrong row of it may
/// be the cancel that somebody counts on. An order of this id that another inbox has is another order, and a sheet that is
/// only tried decides nothing. Who follows an order, or speaks of it, is looked for by that, and not by the many sheets of
/// the inbox.
macro_rules! mended {
    () => {
        "(EXISTS (SELECT 1 FROM outcome AS later INDEXED BY outcome_of_none
                      CROSS JOIN claim AS its ON its.id = later.claim_id
                  WHERE later.order_ref IS NULL AND later.order_id = own.order_id
                    AND own.order_id <> '' AND later.claim_id > own.claim_id
                    AND its.account_id = claim.account_id AND its.inbox = claim.inbox AND its.purpose = 'send')
          OR EXISTS (SELECT 1 FROM orders
                     WHERE orders.account_id = claim.account_id AND orders.order_id = own.order_id
                       AND NOT EXISTS (SELECT 1 FROM json_each(own.whole_skus) AS whole
                                       WHERE NOT EXISTS (SELECT 1 FROM json_each(orders.signature, '$.items') AS item
                                                         WHERE item.key = whole.value))
                       AND (EXISTS (SELECT 1 FROM outcome AS later INDEXED BY outcome_order
                                        CROSS JOIN claim AS its ON its.id = later.claim_id
                                    WHERE later.order_ref = orders.id AND later.claim_id > own.claim_id
                                      AND its.inbox = claim.inbox AND its.purpose = 'send')
                            OR (own.status <> 'changed' AND orders.inbox = claim.inbox
                                AND (orders.claim_id >= own.claim_id
                                     OR (orders.state IN ('canceling', 'canceled', 'declined')
                                         AND orders.changed_at >= claim.taken_at))))))"
    };
}

/// The same as [`OrderRecord::was_decided`](crate::ledger::record::OrderRecord::was_decided), turned round: whether an order
/// that counts as refused, abandoned or declined was taken anew by a sheet whose create did not leave, and is still to be sent.
macro_rules! undecided {
    () => {
        "(orders.state IN ('refused', 'abandoned') AND orders.sends = 0
          OR orders.state = 'declined' AND coalesce(orders.holds, '[]') = '[]')"
    };
}

mod absence;
mod accounts;
mod answers;
mod archived;
mod as_held;
mod attention;
mod audits;
mod backups;
mod browse;
mod claims;
mod confirm;
mod content;
mod costs;
mod day;
mod doorbell;
mod entered;
mod find;
mod forgotten;
mod gone_on;
mod guards;
mod held;
mod in_shop;
mod help;
mod inboxes;
mod keep;
mod listed;
mod meta;
mod months;
mod not_told;
mod operator;
mod orders;
mod others;
mod outcomes;
mod own_id;
mod papers;
mod proofs;
mod requests;
mod seen;
mod shown;
mod sightings;
mod sums;
mod there;
mod verify;
mod waits;
mod wishes;

pub use accounts::Walked;
pub use answers::Made;
pub use archived::Archived;
pub use as_held::AsHeld;
pub use audits::{Audit, Counted};
pub use browse::Wanted;
pub use costs::Cost;
pub use gone_on::LatelyCanceled;
pub use guards::Guards;
pub use held::{DecisionResult, HeldSheet, ListedHeld};
pub use months::{ClosedMonth, ToldOrder};
pub use not_told::NotTold;
pub use orders::AttemptEnd;
pub use others::{Alarm, LookAtOthers};
pub use proofs::Proof;
pub use requests::{Request, RequestRef};
pub use seen::Watched;
pub use verify::{Damage, Flaw};

pub(super) use requests::{answer_of, put_request, withdraw_request};

use std::cell::RefCell;
use std::str::FromStr;

use jiff::Timestamp;
use rusqlite::{Connection, Params, Row};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::LedgerError;
use super::record::NotARecord;
use crate::causes;
use crate::clock::BootTime;

/// A connection with the ledger's statements.
#[derive(Debug)]
pub struct Store<'a> {
    db: &'a Connection,
    broken: RefCell<Option<String>>,
    sums: RefCell<sums::Sums>,
}

impl<'a> Store<'a> {
    pub(super) fn new(db: &'a Connection) -> Self {
        Self {
            db,
            broken: RefCell::default(),
            sums: RefCell::default(),
        }
    }

    /// The first statement that should have changed something and failed, or work that failed halfway, with why: the
    /// transaction must not be committed.
    pub(super) fn broken(&self) -> Option<String> {
        self.broken.borrow().clone()
    }

    /// How many rows were written through this connection so far.
    pub(super) fn changes(&self) -> u64 {
        self.db.total_changes()
    }

    /// The work of somebody has failed halfway: nothing of the transaction is committed.
    pub(super) fn break_off(&self, error: &LedgerError) {
        self.broken
            .borrow_mut()
            .get_or_insert_with(|| causes::chain(error));
    }

    /// Runs a statement that changes something. After one that has failed none does: SQLite may have undone the whole
    /// transaction by itself, and each would be committed alone.
    fn run(&self, operation: &'static str, sql: &str, params: impl Params) -> Result<usize, LedgerError> {
        if let Some(detail) = self.broken() {
            return Err(LedgerError::Failed { detail });
        }
        let done = self
            .db
            .prepare_cached(sql)
            .and_then(|mut statement| statement.execute(params));
        done.map_err(|source| {
            let error = LedgerError::Statement { operation, source };
            self.break_off(&error);
            error
        })
    }

    /// Reads at most one row.
    fn one<T>(
        &self,
        operation: &'static str,
        sql: &str,
        params: impl Params,
        read: impl Fn(&Row<'_>) -> Result<T, LedgerError>,
    ) -> Result<Option<T>, LedgerError> {
        let failed = |source| LedgerError::Statement { operation, source };
        let mut statement = self.db.prepare_cached(sql).map_err(failed)?;
        let mut rows = statement.query(params).map_err(failed)?;
        rows.next().map_err(failed)?.map(read).transpose()
    }

    /// Reads every row.
    fn all<T>(
        &self,
        operation: &'static str,
        sql: &str,
        params: impl Params,
        read: impl Fn(&Row<'_>) -> Result<T, LedgerError>,
    ) -> Result<Vec<T>, LedgerError> {
        let failed = |source| LedgerError::Statement { operation, source };
        let mut statement = self.db.prepare_cached(sql).map_err(failed)?;
        let mut rows = statement.query(params).map_err(failed)?;
        let mut found = Vec::new();
        while let Some(row) = rows.next().map_err(failed)? {
            found.push(read(row)?);
        }
        Ok(found)
    }
}

/// Holds what is read to one state of the ledger, and spares a lock a statement.
pub(super) fn begin_snapshot(db: &Connection) -> Result<(), LedgerError> {
    db.execute_batch("BEGIN")
        .map_err(|source| LedgerError::Statement {
            operation: "begin reading",
            source,
        })
}

/// Runs `work` on one state of the ledger.
pub(super) fn at_once<T>(
    db: &Connection,
    work: impl FnOnce(&Store<'_>) -> Result<T, LedgerError>,
) -> Result<T, LedgerError> {
    let failed = |source| LedgerError::Statement {
        operation: "read at once",
        source,
    };
    let reading = db.unchecked_transaction().map_err(failed)?;
    let done = work(&Store::new(&reading))?;
    reading.commit().map_err(failed)?;
    Ok(done)
}

const OWN_NAME: &str = "read its own name";

/// The ledger's own name; none where it has not got one yet.
pub(super) fn known_id(db: &Connection) -> Result<Option<String>, LedgerError> {
    Store::new(db).meta(OWN_NAME, "ledger_id")
}

/// The ledger's own name, made up when it is new.
pub(super) fn ledger_id(db: &Connection) -> Result<String, LedgerError> {
    if let Some(id) = known_id(db)? {
        return Ok(id);
    }
    db.execute(
        "INSERT OR IGNORE INTO meta (key, value) VALUES ('ledger_id', lower(hex(randomblob(16))))",
        [],
    )
    .map_err(nameless)?;
    known_id(db)?.ok_or_else(|| nameless(rusqlite::Error::QueryReturnedNoRows))
}

fn nameless(source: rusqlite::Error) -> LedgerError {
    LedgerError::Statement {
        operation: OWN_NAME,
        source,
    }
}

/// A column's value, or what is wrong with it.
fn get<T: rusqlite::types::FromSql>(row: &Row<'_>, column: &'static str) -> Result<T, LedgerError> {
    row.get(column).map_err(|source| LedgerError::Statement {
        operation: "read a column",
        source,
    })
}

fn parsed<T: FromStr>(row: &Row<'_>, table: &'static str, column: &'static str) -> Result<T, LedgerError> {
    let text: String = get(row, column)?;
    text.parse()
        .map_err(|_unknown_word| unreadable(table, column, &text))
}

fn parsed_or_null<T: FromStr>(
    row: &Row<'_>,
    table: &'static str,
    column: &'static str,
) -> Result<Option<T>, LedgerError> {
    let text: Option<String> = get(row, column)?;
    text.map(|text| {
        text.parse()
            .map_err(|_unknown_word| unreadable(table, column, &text))
    })
    .transpose()
}

fn json<T: DeserializeOwned>(
    row: &Row<'_>,
    table: &'static str,
    column: &'static str,
) -> Result<T, LedgerError> {
    let text: String = get(row, column)?;
    serde_json::from_str(&text).map_err(|_not_ours| unreadable(table, column, &text))
}

fn json_or_null<T: DeserializeOwned>(
    row: &Row<'_>,
    table: &'static str,
    column: &'static str,
) -> Result<Option<T>, LedgerError> {
    let text: Option<String> = get(row, column)?;
    text.map(|text| serde_json::from_str(&text).map_err(|_not_ours| unreadable(table, column, &text)))
        .transpose()
}

fn unreadable(table: &'static str, column: &'static str, value: &str) -> LedgerError {
    LedgerError::Record(NotARecord {
        table,
        column,
        value: value.chars().take(60).collect(),
    })
}

fn to_json(value: &impl Serialize) -> Result<String, LedgerError> {
    serde_json::to_string(value).map_err(|source| LedgerError::Statement {
        operation: "write a value as JSON",
        source: rusqlite::Error::ToSqlConversionFailure(source.into()),
    })
}

fn millis(at: Timestamp) -> i64 {
    at.as_millisecond()
}

fn moment(row: &Row<'_>, table: &'static str, column: &'static str) -> Result<Timestamp, LedgerError> {
    let at: i64 = get(row, column)?;
    Timestamp::from_millisecond(at).map_err(|_out_of_range| unreadable(table, column, &at.to_string()))
}

fn moment_or_null(
    row: &Row<'_>,
    table: &'static str,
    column: &'static str,
) -> Result<Option<Timestamp>, LedgerError> {
    let at: Option<i64> = get(row, column)?;
    at.map(|at| {
        Timestamp::from_millisecond(at).map_err(|_out_of_range| unreadable(table, column, &at.to_string()))
    })
    .transpose()
}

fn boot_or_null(
    row: &Row<'_>,
    id: &'static str,
    millis: &'static str,
) -> Result<Option<BootTime>, LedgerError> {
    let name: Option<String> = get(row, id)?;
    let millis: Option<i64> = get(row, millis)?;
    Ok(name.zip(millis).map(|(id, millis)| BootTime {
        id: id.into(),
        millis,
    }))
}

fn count(row: &Row<'_>, column: &'static str) -> Result<u32, LedgerError> {
    get(row, column)
}
