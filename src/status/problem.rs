//! An order of a taken sheet that somebody has to look at, as it is shown.

use jiff::Timestamp;
use serde::Serialize;

use crate::ledger::record::Problem;

/// An order of a new sheet that needs a person.
#[derive(Debug, Serialize)]
pub struct ProblemOrder {
    /// The inbox.
    pub inbox: String,
    /// The sheet.
    pub sheet: String,
    /// When that was taken.
    pub taken_at: Timestamp,
    /// The order's first row.
    pub row: u32,
    /// The order.
    pub order_id: String,
    /// Its status in the sheet.
    pub status: &'static str,
    /// The codes of its findings.
    pub codes: Vec<&'static str>,
    /// The service's word.
    pub note: String,
}

impl ProblemOrder {
    pub(super) fn of(problem: Problem) -> Self {
        let mut codes: Vec<&'static str> = Vec::new();
        for finding in &problem.findings {
            if !codes.contains(&finding.code.name()) {
                codes.push(finding.code.name());
            }
        }
        Self {
            inbox: problem.inbox,
            sheet: problem.sheet_name,
            taken_at: problem.taken_at,
            row: problem.first_row,
            order_id: problem.order_id,
            status: problem.status.word(),
            codes,
            note: problem.note,
        }
    }
}
