//! The way for a command to ask something of the process that works the ledger. It writes into the table of requests
//! and nowhere else, and holds no lock for longer than that takes.

use std::path::Path;

use jiff::Timestamp;
use rusqlite::Connection;

use super::store::{RequestRef, answer_of, put_request, withdraw_request};
use super::{LedgerError, schema};

/// Requests to a running dropsheet.
#[derive(Debug)]
pub struct Mailbox {
    db: Connection,
}

impl Mailbox {
    /// Opens the mailbox of a ledger that somebody works, with the same version of dropsheet.
    pub fn open(path: &Path) -> Result<Self, LedgerError> {
        schema::open_beside(path).map(|db| Self { db })
    }

    /// Asks for something, as JSON. It is durable when this returns: a process that is killed does it when it is
    /// started again.
    pub fn ask(&self, asked: &str, at: Timestamp) -> Result<RequestRef, LedgerError> {
        put_request(&self.db, asked, at).map_err(|source| failed("take a request", source))
    }

    /// The answer, as JSON, once there is one.
    pub fn answer(&self, id: RequestRef) -> Result<Option<String>, LedgerError> {
        answer_of(&self.db, id).map_err(|source| failed("be asked for an answer", source))
    }

    /// Takes a request back. False where it is being done, or is done.
    pub fn withdraw(&self, id: RequestRef) -> Result<bool, LedgerError> {
        withdraw_request(&self.db, id).map_err(|source| failed("give a request back", source))
    }
}

fn failed(operation: &'static str, source: rusqlite::Error) -> LedgerError {
    LedgerError::Statement { operation, source }
}
