//! What became of each order in each taken sheet.

use crate::ledger::LedgerError;
use jiff::Timestamp;
use rusqlite::{Row, params};

use super::{Store, count, get, json, json_or_null, moment_or_null, parsed, to_json};
use crate::ledger::record::{
    AccountRef, ClaimRef, FileNames, OrderRecord, OrderRef, Outcome, name_of_results, numbered,
};

impl Store<'_> {
    /// Writes an outcome; the same again replaces it.
    pub fn put_outcome(&self, outcome: &Outcome) -> Result<(), LedgerError> {
        let findings = if outcome.findings.is_empty() {
            "[]".to_owned()
        } else {
            to_json(&outcome.findings)?
        };
        let whole_skus = match &outcome.whole_skus[..] {
            [] => None,
            skus => Some(to_json(&skus)?),
        };
        self.run(
            "write an outcome",
            "INSERT OR REPLACE INTO outcome
             (claim_id, first_row, order_ref, status, order_id, pw_order_id, message, findings, quote, country_code,
              first_sheet, apart, whole_skus)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)",
            params![
                outcome.claim.0,
                outcome.first_row,
                outcome.order.map(|order| order.0),
                outcome.status.word(),
                outcome.order_id,
                outcome.pw_order_id,
                outcome.message,
                findings,
                outcome.quote.as_ref().map(to_json).transpose()?,
                outcome.country_code,
                outcome.first_sheet,
                outcome.apart.as_ref().map(to_json).transpose()?,
                whole_skus,
            ],
        )?;
        self.note_outcome(outcome.claim);
        Ok(())
    }

    /// The next outcomes of a sheet after a row, by first row, each with the order that it follows.
    pub fn outcomes_after(
        &self,
        claim: ClaimRef,
        row: u32,
        most: u32,
    ) -> Result<Vec<(Outcome, Option<OrderRecord>)>, LedgerError> {
        let found = self.all(
            "read outcomes",
            "SELECT * FROM outcome WHERE claim_id = ?1 AND first_row > ?2 ORDER BY first_row LIMIT ?3",
            params![claim.0, row, most],
            outcome,
        )?;
        found
            .into_iter()
            .map(|outcome| {
                let order = outcome
                    .order
                    .map(|order| self.order(order))
                    .transpose()?
                    .flatten();
                Ok((outcome, order))
            })
            .collect()
    }

    /// What was said of a sheet's row.
    pub fn outcome_of(&self, claim: ClaimRef, first_row: u32) -> Result<Option<Outcome>, LedgerError> {
        let sql = "SELECT * FROM outcome WHERE claim_id = ?1 AND first_row = ?2";
        self.one("read an outcome", sql, params![claim.0, first_row], outcome)
    }

    /// What the newest sheet of an inbox, before another one, said of an order with this id as sent, where that follows no
    /// order.
    pub fn said_of(
        &self,
        (account, inbox): (AccountRef, &str),
        order_id: &str,
        before: Option<ClaimRef>,
    ) -> Result<Option<Outcome>, LedgerError> {
        self.one(
            "read what was said of an order",
            "SELECT own.* FROM outcome AS own INDEXED BY outcome_of_none
                 CROSS JOIN claim ON claim.id = own.claim_id
             WHERE own.order_ref IS NULL AND own.order_id = ?1 AND claim.account_id = ?2 AND claim.inbox = ?3
                   AND (?4 IS NULL OR own.claim_id < ?4)
             ORDER BY own.claim_id DESC LIMIT 1",
            params![order_id, account.0, inbox, before.map(|claim| claim.0)],
            outcome,
        )
    }

    /// The rows of a sheet of which something was said.
    pub fn outcome_rows(&self, claim: ClaimRef) -> Result<Vec<u32>, LedgerError> {
        let sql = "SELECT first_row FROM outcome WHERE claim_id = ?1";
        self.all("read a sheet's rows", sql, [claim.0], |row| {
            count(row, "first_row")
        })
    }

    /// Forgets what was said of a sheet's row.
    pub fn forget_outcome(&self, claim: ClaimRef, first_row: u32) -> Result<(), LedgerError> {
        self.run(
            "forget an outcome",
            "DELETE FROM outcome WHERE claim_id = ?1 AND first_row = ?2",
            params![claim.0, first_row],
        )?;
        self.note_outcome(claim);
        Ok(())
    }

    /// The outcomes that follow an order, in all its sheets.
    pub(super) fn followers_of(&self, order: OrderRef) -> Result<Vec<Outcome>, LedgerError> {
        let sql = "SELECT * FROM outcome WHERE order_ref = ?1";
        self.all("read an order's outcomes", sql, [order.0], outcome)
    }

    /// Whether an order in the ledger is a sheet's.
    pub fn has_orders(&self, claim: ClaimRef) -> Result<bool, LedgerError> {
        let sql = "SELECT 1 FROM outcome WHERE claim_id = ?1 AND order_ref IS NOT NULL LIMIT 1";
        Ok(self
            .one("look for a sheet's orders", sql, [claim.0], |_row| Ok(()))?
            .is_some())
    }

    /// Whether an order of a sheet's own is not at its end: its fate is still to be known, or a person's to decide.
    pub fn has_open_orders(&self, claim: ClaimRef) -> Result<bool, LedgerError> {
        let sql = "SELECT 1 FROM orders INDEXED BY orders_claim WHERE claim_id = ?1
                   AND state IN ('new', 'held', 'sending', 'unresolved', 'canceling') LIMIT 1";
        let open = self.one("look for a sheet's open orders", sql, [claim.0], |_row| Ok(()))?;
        Ok(open.is_some())
    }

    /// When the order was entered that the service listed, and the ledger did not make, and that an outcome speaks of.
    pub fn listed_entered_at(&self, outcome: &Outcome) -> Result<Option<Timestamp>, LedgerError> {
        let Some(pw_order_id) = &outcome.pw_order_id else {
            return Ok(None);
        };
        let sql =
            "SELECT entered_at FROM listed WHERE account_id = (SELECT account_id FROM claim WHERE id = ?1)
                     AND order_id = ?2 AND pw_order_id = ?3";
        let values = params![outcome.claim.0, outcome.order_id, pw_order_id];
        let found = self.one("find a listed order", sql, values, |row| {
            moment_or_null(row, "listed", "entered_at")
        })?;
        Ok(found.flatten())
    }

    /// What a sheet's results are called, for whoever knows its inbox.
    pub fn stem_of(&self, claim: ClaimRef) -> Result<Option<String>, LedgerError> {
        self.stem_in(claim, None)
    }

    /// The same as told in another sheet, if in one.
    pub fn stem_in(&self, claim: ClaimRef, told_in: Option<ClaimRef>) -> Result<Option<String>, LedgerError> {
        Ok(self.names_of(claim, told_in)?.map(|names| names.results))
    }

    /// What a sheet's files are called, as told in another sheet, if in one.
    pub fn names_of(
        &self,
        claim: ClaimRef,
        told_in: Option<ClaimRef>,
    ) -> Result<Option<FileNames>, LedgerError> {
        let Some((inbox, names)) = self.own_names(claim)? else {
            return Ok(None);
        };
        let beside = match told_in {
            Some(other) if other != claim => self.own_names(other)?,
            _ => None,
        };
        Ok(Some(match beside {
            Some((other, own)) if other != inbox => {
                let is_there = [
                    self.is_called(&other, &names.results)?,
                    self.is_called(&other, &names.held)?,
                ];
                names.told_beside(&own, &inbox, is_there)
            }
            _ => names,
        }))
    }

    /// Whether a sheet of an inbox has this stem.
    fn is_called(&self, inbox: &str, stem: &str) -> Result<bool, LedgerError> {
        let sql = "SELECT 1 FROM claim WHERE inbox = ?1 AND stem = ?2";
        let found = self.one("look for a stem", sql, [inbox, stem], |_row| Ok(()))?;
        Ok(found.is_some())
    }

    /// A sheet's inbox, and what its files are called within that.
    fn own_names(&self, claim: ClaimRef) -> Result<Option<(String, FileNames)>, LedgerError> {
        self.one(
            "read a stem",
            "SELECT inbox, stem, sheet_name, out_path, result_path FROM claim WHERE id = ?1",
            [claim.0],
            |row| {
                let (stem, sheet): (String, String) = (get(row, "stem")?, get(row, "sheet_name")?);
                let out: Option<String> = get(row, "out_path")?;
                let name = name_of_results(&stem, (&sheet, out.as_deref()));
                let result: Option<String> = get(row, "result_path")?;
                // Elsewhere than in an inbox two sheets may have one name: that of the result tells them apart.
                let results = result
                    .filter(|_| out.is_some())
                    .and_then(|result| numbered(&name, &result))
                    .unwrap_or(name);
                Ok((get(row, "inbox")?, FileNames { results, held: stem }))
            },
        )
    }
}

fn outcome(row: &Row<'_>) -> Result<Outcome, LedgerError> {
    let order: Option<i64> = get(row, "order_ref")?;
    Ok(Outcome {
        claim: ClaimRef(get(row, "claim_id")?),
        first_row: count(row, "first_row")?,
        order: order.map(OrderRef),
        status: parsed(row, "outcome", "status")?,
        order_id: get(row, "order_id")?,
        pw_order_id: get(row, "pw_order_id")?,
        first_sheet: get(row, "first_sheet")?,
        message: get(row, "message")?,
        findings: json(row, "outcome", "findings")?,
        quote: json_or_null(row, "outcome", "quote")?,
        country_code: get(row, "country_code")?,
        apart: json_or_null(row, "outcome", "apart")?,
        whole_skus: json_or_null(row, "outcome", "whole_skus")?.unwrap_or_default(),
    })
}
