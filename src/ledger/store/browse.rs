//! What people ask of the ledger: orders by state, the newest ones, one order's whole trail, what went wrong lately.
//! Only reads.

use jiff::Timestamp;
use rusqlite::{Row, params};

use super::find::order;
use super::{
    Store, count, get, json, json_or_null, millis, moment, moment_or_null, parsed, parsed_or_null, unreadable,
};
use crate::ledger::LedgerError;
use crate::ledger::record::{
    AccountRef, AttemptRecord, ClaimRef, EventRecord, KnownAccount, OrderRecord, OrderRef, Problem, Tells,
};
use crate::ledger::state::State;
use crate::outcome::Status;
use crate::quote::Quote;

/// How many of the newest sheets are searched for problems.
const SEARCHED: u32 = 10;

/// The problems of the newest sheets. Each half has an index that holds little else, so that a sheet's good orders are
/// not read.
const PROBLEMS: &str = concat!(
    "WITH newest AS MATERIALIZED (SELECT * FROM claim WHERE purpose = 'send' ORDER BY id DESC LIMIT ?1)
    SELECT claim.id AS sheet, inbox, sheet_name, taken_at, first_row, own.order_id, findings, own.status, '' AS note
        FROM newest AS claim CROSS JOIN outcome AS own INDEXED BY outcome_to_fix ON own.claim_id = claim.id
        WHERE order_ref IS NULL
              AND (status = 'not_canceled' OR status IN ('invalid', 'changed', 'refused') AND NOT ",
    mended!(),
    ")
    UNION ALL
    SELECT newest.id AS sheet, newest.inbox, sheet_name, taken_at, first_row, outcome.order_id, findings,
           'refused' AS status, orders.note
        FROM newest CROSS JOIN orders ON orders.claim_id = newest.id AND orders.state = 'refused'
        CROSS JOIN outcome ON outcome.order_ref = orders.id AND outcome.claim_id = newest.id
        WHERE NOT ",
    undecided!(),
    " ORDER BY sheet DESC, first_row LIMIT ?2"
);

/// Which orders are listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// Of this account alone.
    pub account: Option<AccountRef>,
    /// In this state alone.
    pub state: Option<State>,
}

impl Store<'_> {
    /// The accounts that the ledger knows, each with its name in the config, by name.
    pub fn accounts(&self) -> Result<Vec<(AccountRef, String)>, LedgerError> {
        let sql = "SELECT id, name FROM account ORDER BY name";
        self.all("list accounts", sql, [], |row| {
            Ok((AccountRef(get(row, "id")?), get(row, "name")?))
        })
    }

    /// The same with whose they are.
    pub fn known_accounts(&self) -> Result<Vec<KnownAccount>, LedgerError> {
        let sql = "SELECT id, name, base_url, email FROM account ORDER BY name";
        self.all("list accounts", sql, [], |row| {
            Ok(KnownAccount {
                id: AccountRef(get(row, "id")?),
                name: get(row, "name")?,
                base_url: get(row, "base_url")?,
                email: get(row, "email")?,
            })
        })
    }

    /// Orders, newest change first.
    pub fn newest_orders(&self, wanted: Wanted, most: u32) -> Result<Vec<OrderRecord>, LedgerError> {
        // The inner query is answered by the index alone; only what is listed is read.
        let sql = concat!("SELECT ", order_columns!(), " FROM orders WHERE id IN
                       (SELECT id FROM orders WHERE (?1 IS NULL OR state = ?1) AND (?2 IS NULL OR account_id = ?2)
                        ORDER BY changed_at DESC, id DESC LIMIT ?3)
                   ORDER BY changed_at DESC, id DESC");
        let state = wanted.state.map(State::word);
        let account = wanted.account.map(|account| account.0);
        self.all("list orders", sql, params![state, account, most], order)
    }

    /// The ids, as they were sent, of the orders that changed last.
    pub fn newest_order_ids(&self, most: u32) -> Result<Vec<String>, LedgerError> {
        let sql = "SELECT order_id FROM orders ORDER BY changed_at DESC LIMIT ?1";
        self.all("list order ids", sql, [most], |row| get(row, "order_id"))
    }

    /// The orders that a person names: by the id as sent or as in the sheet, else by the service's id.
    pub fn orders_called(&self, name: &str) -> Result<Vec<OrderRecord>, LedgerError> {
        let by_ours = concat!(
            "SELECT ",
            order_columns!(),
            " FROM orders WHERE id IN
                (SELECT o.id FROM account CROSS JOIN orders o ON o.account_id = account.id AND o.order_id = ?1
                 UNION
                 SELECT o.id FROM (SELECT DISTINCT inbox FROM claim) AS boxes
                     CROSS JOIN orders o ON o.inbox = boxes.inbox AND o.sheet_order_id = ?1)
            ORDER BY id"
        );
        let found = self.all("find orders", by_ours, [name], order)?;
        if !found.is_empty() {
            return Ok(found);
        }
        // No index: a person asks once, an order is written many times.
        let by_theirs = concat!(
            "SELECT ",
            order_columns!(),
            " FROM orders WHERE pw_order_id = ?1 COLLATE NOCASE ORDER BY id"
        );
        self.all("find orders", by_theirs, [name], order)
    }

    /// How many orders are in each state, of those that have any.
    pub fn orders_by_state(&self) -> Result<Vec<(State, u64)>, LedgerError> {
        let sql = "SELECT state, orders AS n FROM tally WHERE orders > 0 ORDER BY state";
        self.all("count orders", sql, [], |row| {
            Ok((parsed(row, "orders", "state")?, total(row)?))
        })
    }

    /// What is asked for the held orders of an account, one quote an order.
    pub fn held_quotes(&self, account: AccountRef) -> Result<Vec<Option<Quote>>, LedgerError> {
        let sql = "SELECT quote FROM orders WHERE account_id = ?1 AND state = 'held'";
        self.all("read held orders", sql, [account.0], |row| {
            json_or_null(row, "orders", "quote")
        })
    }

    /// Of how many orders a sheet's outcome is known.
    pub fn outcomes_of(&self, claim: ClaimRef) -> Result<u64, LedgerError> {
        let sql = "SELECT count(*) AS n FROM outcome WHERE claim_id = ?1";
        Ok(self.one("count outcomes", sql, [claim.0], total)?.unwrap_or(0))
    }

    /// Whether a sheet has said what it makes of an order.
    pub fn has_outcome_of(&self, claim: ClaimRef, order: &OrderRecord) -> Result<bool, LedgerError> {
        let sql = "SELECT 1 FROM outcome WHERE claim_id = ?1 AND (order_ref = ?2 OR order_id = ?3) LIMIT 1";
        let values = params![claim.0, order.id.0, order.order_id];
        Ok(self.one("find an outcome", sql, values, |_row| Ok(()))?.is_some())
    }

    /// How many of a sheet's outcomes are of rows that belong to no order: footers, rows of a SKU map.
    pub fn outcomes_of_no_order(&self, claim: ClaimRef) -> Result<u64, LedgerError> {
        let sql = "SELECT count(*) AS n FROM outcome
                   WHERE claim_id = ?1 AND status = ?2 AND order_id = '' AND order_ref IS NULL";
        let values = params![claim.0, Status::Skipped.word()];
        let found = self.one("count outcomes of no order", sql, values, total)?;
        Ok(found.unwrap_or(0))
    }

    /// Of how many of a sheet's orders an outcome was written since a moment though nothing has come of them yet: their
    /// creates are under way, or have not left and are tried again.
    pub fn not_sent_since(&self, claim: ClaimRef, since: Timestamp) -> Result<u64, LedgerError> {
        // Of a large sheet far fewer have changed than it has: no index has the sheet and the state.
        let sql = "SELECT count(*) AS n FROM orders INDEXED BY orders_newest
                   WHERE changed_at >= ?2 AND state IN ('new', 'sending') AND claim_id = ?1";
        let found = self.one(
            "count orders that are not sent",
            sql,
            params![claim.0, millis(since)],
            total,
        )?;
        Ok(found.unwrap_or(0))
    }

    /// An order's creates, oldest first.
    pub fn attempts(&self, id: OrderRef) -> Result<Vec<AttemptRecord>, LedgerError> {
        let sql = "SELECT * FROM attempt WHERE order_id = ?1 ORDER BY number";
        self.all("read an order's attempts", sql, [id.0], |row| {
            Ok(AttemptRecord {
                number: count(row, "number")?,
                intended_at: moment(row, "attempt", "intended_at")?,
                ended_at: moment_or_null(row, "attempt", "ended_at")?,
                service_date: moment_or_null(row, "attempt", "service_date_at")?,
                answer: get(row, "answer")?,
            })
        })
    }

    /// An order's trail, oldest first.
    pub fn events(&self, id: OrderRef) -> Result<Vec<EventRecord>, LedgerError> {
        let sql = "SELECT * FROM event WHERE order_id = ?1 ORDER BY id";
        self.all("read an order's trail", sql, [id.0], |row| {
            Ok(EventRecord {
                at: moment(row, "event", "at")?,
                old: get(row, "old")?,
                new: get(row, "new")?,
                tells: parsed_or_null(row, "event", "tells")?,
                words: get(row, "why")?,
            })
        })
    }

    /// The service's words to the latest create of an order, where it refused that.
    pub fn last_refusal(&self, id: OrderRef) -> Result<Option<String>, LedgerError> {
        self.last_told(id, Tells::Refused)
    }

    /// What came to the latest create of an order, where that was an answer which proves nothing.
    pub fn last_doubted(&self, id: OrderRef) -> Result<Option<String>, LedgerError> {
        self.last_told(id, Tells::Doubted)
    }

    /// What the service said at the end of the latest create of an order, where that tells this.
    fn last_told(&self, id: OrderRef, tells: Tells) -> Result<Option<String>, LedgerError> {
        let events = self.events(id)?;
        let last = events.iter().rev().find(|event| {
            [State::Sending, State::Created]
                .map(State::word)
                .contains(&&*event.old)
        });
        let said = last.and_then(|event| event.told(tells));
        Ok(said.map(str::to_owned))
    }

    /// How far the ledger is: its newest event, and by how much others of its name had been ahead of it in whose place it
    /// was put back; 0 where it has no event.
    pub fn position(&self) -> Result<i64, LedgerError> {
        let sql = "SELECT coalesce((SELECT max(id) FROM event), 0)
                        + coalesce((SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'lead'), 0) AS position";
        let position = self.one("read how far the ledger is", sql, [], |row| {
            get::<i64>(row, "position")
        })?;
        Ok(position.unwrap_or(0))
    }

    /// Puts the ledger ahead of one of its name that was here: put back once more, or that one in its place, either is
    /// known to be older.
    pub fn overtake(&self, other: i64) -> Result<(), LedgerError> {
        let sql = "INSERT INTO meta (key, value) VALUES ('lead', CAST(?1 AS TEXT))
                   ON CONFLICT (key) DO UPDATE SET value = CAST(CAST(value AS INTEGER) + ?1 AS TEXT)";
        let behind = other.saturating_sub(self.position()?).saturating_add(1);
        if behind > 0 {
            self.run("put the ledger ahead of another", sql, [behind])?;
        }
        Ok(())
    }

    /// The orders of the newest sheets that need a person: the newest sheet first, by row. What was mended
    /// since is no problem any more.
    pub fn newest_problems(&self, most: u32) -> Result<Vec<Problem>, LedgerError> {
        self.all("find problems", PROBLEMS, params![SEARCHED, most], |row| {
            Ok(Problem {
                inbox: get(row, "inbox")?,
                sheet_name: get(row, "sheet_name")?,
                taken_at: moment(row, "claim", "taken_at")?,
                first_row: count(row, "first_row")?,
                order_id: get(row, "order_id")?,
                status: parsed::<Status>(row, "outcome", "status")?,
                note: get(row, "note")?,
                findings: json(row, "outcome", "findings")?,
            })
        })
    }
}

pub(super) fn total(row: &Row<'_>) -> Result<u64, LedgerError> {
    let n: i64 = get(row, "n")?;
    u64::try_from(n).map_err(|_negative| unreadable("orders", "count", &n.to_string()))
}
