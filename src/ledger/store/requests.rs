//! What commands ask of the process that works the ledger, and its answers.

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, Row, params};

use super::{Store, get, millis, moment};
use crate::ledger::LedgerError;

/// Names a request in the ledger.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RequestRef(pub i64);

/// Something that a command asks for.
#[derive(Clone, Debug)]
pub struct Request {
    /// Its name here.
    pub id: RequestRef,
    /// JSON of what is asked for.
    pub asked: String,
    /// When.
    pub asked_at: Timestamp,
}

impl Store<'_> {
    /// The requests without an answer, oldest first.
    pub fn open_requests(&self) -> Result<Vec<Request>, LedgerError> {
        let sql = "SELECT id, asked, asked_at FROM request WHERE answered_at IS NULL ORDER BY id";
        self.all("list requests", sql, [], |row: &Row<'_>| {
            Ok(Request {
                id: RequestRef(get(row, "id")?),
                asked: get(row, "asked")?,
                asked_at: moment(row, "request", "asked_at")?,
            })
        })
    }

    /// A request is being done: it can no longer be withdrawn. False where it was withdrawn meanwhile.
    pub fn take_request(&self, id: RequestRef, at: Timestamp) -> Result<bool, LedgerError> {
        let sql = "UPDATE request SET taken_at = ?2 WHERE id = ?1 AND answered_at IS NULL";
        Ok(self.run("take a request", sql, params![id.0, millis(at)])? > 0)
    }

    /// Answers a request.
    pub fn answer_request(&self, id: RequestRef, answer: &str, at: Timestamp) -> Result<(), LedgerError> {
        let sql = "UPDATE request SET answer = ?2, answered_at = ?3 WHERE id = ?1";
        self.run("answer a request", sql, params![id.0, answer, millis(at)])?;
        Ok(())
    }

    /// Forgets the requests that were answered before a moment.
    pub fn sweep_requests(&self, before: Timestamp) -> Result<(), LedgerError> {
        let sql = "DELETE FROM request WHERE answered_at < ?1";
        self.run("forget requests", sql, [millis(before)])?;
        Ok(())
    }
}

/// Writes a request down, from beside whoever works the ledger.
pub(in crate::ledger) fn put_request(
    db: &Connection,
    asked: &str,
    at: Timestamp,
) -> rusqlite::Result<RequestRef> {
    db.execute(
        "INSERT INTO request (asked, asked_at) VALUES (?1, ?2)",
        params![asked, millis(at)],
    )?;
    Ok(RequestRef(db.last_insert_rowid()))
}

/// A request's answer, once it has one.
pub(in crate::ledger) fn answer_of(db: &Connection, id: RequestRef) -> rusqlite::Result<Option<String>> {
    let sql = "SELECT answer FROM request WHERE id = ?1";
    Ok(db.query_row(sql, [id.0], |row| row.get(0)).optional()?.flatten())
}

/// Takes a request back that nobody has begun to do; false where somebody has.
pub(in crate::ledger) fn withdraw_request(db: &Connection, id: RequestRef) -> rusqlite::Result<bool> {
    let sql = "DELETE FROM request WHERE id = ?1 AND taken_at IS NULL AND answered_at IS NULL";
    Ok(db.execute(sql, [id.0])? > 0)
}
