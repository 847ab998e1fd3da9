//! What the orders of a span cost, for the cost workbook. Only reads; it needs nothing that is erased when an order is
//! final: a line's SKU and amounts stand in the quote, its pieces in the signature.

use jiff::Timestamp;
use rusqlite::{Row, params};

use super::browse::total;
use super::{Store, get, json, json_or_null, millis, moment, moment_or_null, parsed};
use crate::ledger::LedgerError;
use crate::ledger::record::{AccountRef, ListedRecord, OrderRef};
use crate::ledger::state::State;
use crate::quote::{Quote, ServiceAmounts};
use crate::reconcile::Signature;

/// An order that the service has or had, with its amounts.
#[derive(Clone, Debug)]
pub struct Cost {
    /// The order.
    pub id: OrderRef,
    /// The id as sent.
    pub order_id: String,
    /// The service's id.
    pub pw_order_id: String,
    /// The inbox it came by.
    pub inbox: String,
    /// The stem of the sheet that sent it.
    pub sheet: String,
    /// `created`, `canceling` or `canceled`.
    pub state: State,
    /// Whether it is canceled, and the service does not go on with it all the same.
    pub is_canceled: bool,
    /// Where it goes.
    pub country_code: String,
    /// Its SKUs with their pieces.
    pub signature: Signature,
    /// The quote that it was sent with.
    pub quote: Option<Quote>,
    /// The service's own amounts, and when they were read.
    pub service: Option<(ServiceAmounts, Timestamp)>,
    /// The service's own words.
    pub order_status: Option<String>,
    /// The service's own words.
    pub payment_status: Option<String>,
    /// The service's `dtime_entered` where it was read, else when the ledger knew that it was created.
    pub dated_at: Timestamp,
}

/// Of what the service listed, the orders that the ledger did not make.
const STRANGERS: &str = "FROM listed
    WHERE NOT EXISTS (SELECT 1 FROM orders WHERE orders.account_id = listed.account_id
                        AND orders.order_id = listed.order_id AND orders.pw_order_id = listed.pw_order_id)";

/// The orders of account `?1` that the service has or had.
pub(super) const COSTS: &str = "SELECT orders.*, claim.stem,
           orders.state = 'canceled' AND NOT coalesce(trouble_at >= changed_at, 0) AS is_canceled,
           coalesce(entered_at,
                    (SELECT min(at) FROM event WHERE event.order_id = orders.id AND new = 'created'),
                    changed_at) AS dated_at
    FROM orders JOIN claim ON claim.id = orders.claim_id
    WHERE orders.account_id = ?1 AND pw_order_id IS NOT NULL
      AND orders.state IN ('created', 'canceling', 'canceled')";

impl Store<'_> {
    /// The orders of an account that were entered from a moment until before another, oldest first.
    pub fn costs(
        &self,
        account: AccountRef,
        from: Timestamp,
        until: Timestamp,
    ) -> Result<Vec<Cost>, LedgerError> {
        let sql = format!("{COSTS} AND dated_at >= ?2 AND dated_at < ?3 ORDER BY dated_at, orders.id");
        let span = params![account.0, millis(from), millis(until)];
        self.all("read what orders cost", &sql, span, cost)
    }

    /// The orders that the service listed in a span and the ledger did not make, oldest first.
    pub fn strangers(
        &self,
        account: AccountRef,
        from: Timestamp,
        until: Timestamp,
    ) -> Result<Vec<ListedRecord>, LedgerError> {
        let sql = format!(
            "SELECT * {STRANGERS} AND account_id = ?1 AND entered_at >= ?2 AND entered_at < ?3
             ORDER BY entered_at, pw_order_id"
        );
        let span = params![account.0, millis(from), millis(until)];
        self.all(
            "read the service's other orders",
            &sql,
            span,
            super::listed::listed,
        )
    }

    /// The orders that the service listed and the ledger did not make, each with its account, newest first.
    pub fn newest_strangers(
        &self,
        account: Option<AccountRef>,
        most: u32,
    ) -> Result<Vec<(AccountRef, ListedRecord)>, LedgerError> {
        let sql = format!(
            "SELECT * {STRANGERS} AND (?1 IS NULL OR account_id = ?1)
             ORDER BY entered_at DESC, pw_order_id DESC LIMIT ?2"
        );
        let values = params![account.map(|account| account.0), most];
        self.all("list the service's other orders", &sql, values, stranger)
    }

    /// How many orders the service listed that the ledger did not make.
    pub fn strangers_listed(&self, account: Option<AccountRef>) -> Result<u64, LedgerError> {
        let sql = format!("SELECT count(*) AS n {STRANGERS} AND (?1 IS NULL OR account_id = ?1)");
        let account = account.map(|account| account.0);
        let counted = self.one("count the service's other orders", &sql, [account], total)?;
        Ok(counted.unwrap_or_default())
    }
}

fn stranger(row: &Row<'_>) -> Result<(AccountRef, ListedRecord), LedgerError> {
    Ok((AccountRef(get(row, "account_id")?), super::listed::listed(row)?))
}

pub(super) fn cost(row: &Row<'_>) -> Result<Cost, LedgerError> {
    let amounts = json_or_null(row, "orders", "service")?;
    let read_at = moment_or_null(row, "orders", "service_read_at")?;
    Ok(Cost {
        id: OrderRef(get(row, "id")?),
        order_id: get(row, "order_id")?,
        pw_order_id: get(row, "pw_order_id")?,
        inbox: get(row, "inbox")?,
        sheet: get(row, "stem")?,
        state: parsed(row, "orders", "state")?,
        is_canceled: get(row, "is_canceled")?,
        country_code: get(row, "country_code")?,
        signature: json(row, "orders", "signature")?,
        quote: json_or_null(row, "orders", "quote")?,
        service: amounts.zip(read_at),
        order_status: get(row, "order_status")?,
        payment_status: get(row, "payment_status")?,
        dated_at: moment(row, "orders", "dated_at")?,
    })
}
