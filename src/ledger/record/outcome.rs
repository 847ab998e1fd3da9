//! What became of an order in one sheet.

use super::{Apart, ClaimRef, OrderRef};
use crate::finding::Finding;
use crate::outcome::Status;
use crate::quote::Quote;

/// What became of an order in one sheet.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The sheet.
    pub claim: ClaimRef,
    /// The order's first row.
    pub first_row: u32,
    /// The order whose state the status follows; without it the status stands as it is.
    pub order: Option<OrderRef>,
    /// The status, where it follows none; `canceling` on a row that asks for a cancel.
    pub status: Status,
    /// The id that was, or would be, sent.
    pub order_id: String,
    /// The service's id of an order that the ledger did not make.
    pub pw_order_id: Option<String>,
    /// The sheet that it is known from, where it follows no order.
    pub first_sheet: Option<String>,
    /// Sentences for a person.
    pub message: String,
    /// Its findings.
    pub findings: Vec<Finding>,
    /// What was asked for an order that was only priced.
    pub quote: Option<Quote>,
    /// ISO 3166-1 alpha-2, where it is known.
    pub country_code: Option<String>,
    /// How it differs from the order that it speaks of, where it is `changed`.
    pub apart: Option<Apart>,
    /// The SKUs, in upper case, of its lines with which nothing is wrong, where it is `invalid`.
    pub whole_skus: Vec<String>,
}

impl Outcome {
    /// An outcome to be completed: the order waits, and nothing is known of it yet.
    pub fn blank(claim: ClaimRef, first_row: u32, order_id: String) -> Self {
        Self {
            claim,
            first_row,
            order: None,
            status: Status::Waiting,
            order_id,
            pw_order_id: None,
            first_sheet: None,
            message: String::new(),
            findings: Vec::new(),
            quote: None,
            country_code: None,
            apart: None,
            whole_skus: Vec::new(),
        }
    }
}
