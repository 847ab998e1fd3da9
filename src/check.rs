//! The checks: pure, named, all run on every order, all their findings collected.

use crate::catalog::Snapshot;
use crate::finding::Finding;
use crate::order::{Draft, Order};

/// What an order may have at most; each is told in the finding.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Put before every order_id sent. Config: `order_prefix`.
    pub order_prefix: String,
    /// Most pieces of one line: more is far more likely a slip of the keyboard.
    pub max_quantity: u32,
    /// Most lines of one order.
    pub max_lines: usize,
    /// What to send where an address has no province. Config: `province_when_blank`.
    pub province_when_blank: Option<ProvinceWhenBlank>,
}

/// What to send, as name and code, where an address has no province.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProvinceWhenBlank {
    /// The city's name.
    City,
    /// This text.
    Text(String),
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            order_prefix: String::new(),
            max_quantity: 1_000,
            max_lines: 500,
            province_when_blank: None,
        }
    }
}

/// What the checks say of a draft.
#[derive(Clone, Debug)]
pub struct Checked {
    /// Every finding: those of the draft, then those of the checks, by row and column.
    pub findings: Vec<Finding>,
    /// The order, when no finding is an error. Never given for a cancel.
    pub order: Option<Order>,
}

/// Runs every check.
pub fn check(_draft: &Draft, _catalog: &Snapshot, _limits: &Limits) -> Checked {
    todo!()
}
