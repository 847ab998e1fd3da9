//! What lies beside a taken sheet's result, and what the ledger calls it among its own files.

use super::ClaimRef;

/// What lies beside a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beside {
    /// It has just the rows to fix.
    ToFix,
    /// It asks for what is unknown of the shop's own SKUs.
    SkuMap,
    /// Earlier results of the same sheet, which were left to whoever had opened or edited them.
    Replaced,
}

impl Beside {
    /// What names a taken sheet's among an inbox's own files.
    pub fn key(self, claim: ClaimRef) -> String {
        let what = match self {
            Self::ToFix => "to-fix",
            Self::SkuMap => "sku-map",
            Self::Replaced => "results before that",
        };
        format!("{what} of {}", claim.0)
    }
}
