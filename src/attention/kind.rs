//! What a person is needed for.

use serde::Serialize;

/// What a person is needed for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// The service's own words name a trouble.
    Problem,
    /// The service does not know the order any more.
    Missing,
    /// The service has several orders of this id.
    Duplicate,
    /// The service has an order that it had refused, or that a person had given up.
    AfterAll,
    /// No answer came to its create.
    Unresolved,
    /// A cancel is asked for and is not confirmed.
    Canceling,
    /// The service refused a cancel.
    NotCanceled,
    /// The shop has canceled it since it was sent.
    CanceledInShop,
    /// It waits for approval.
    Held,
    /// It was approved, or may have to be sent again, and nobody sends it: the config does not have its inbox for its account.
    Stranded,
    /// The service said no.
    Refused,
    /// The service charges something else than it quoted.
    TotalDiffers,
    /// A sheet has rows to fix.
    ToFix,
    /// A sheet has orders that are known already with something else.
    Changed,
    /// A sheet could not be read.
    Rejected,
    /// A workbook has other sheets with orders, which were not read.
    UnreadTab,
    /// A sheet was worked after the backup was made that the ledger was put back from, or by a ledger that is lost.
    Forgotten,
}

impl Kind {
    /// A word or two for a person.
    pub fn word(self) -> &'static str {
        match self {
            Self::Problem => "problem",
            Self::Missing => "missing",
            Self::Duplicate => "duplicate",
            Self::AfterAll => "there after all",
            Self::Unresolved => "unresolved",
            Self::Canceling => "canceling",
            Self::NotCanceled => "not canceled",
            Self::CanceledInShop => "canceled in the shop",
            Self::Held => "held",
            Self::Stranded => "not sent",
            Self::Refused => "refused",
            Self::TotalDiffers => "total differs",
            Self::ToFix => "to fix",
            Self::Changed => "changed",
            Self::Rejected => "rejected",
            Self::UnreadTab => "tab not read",
            Self::Forgotten => "forgotten",
        }
    }
}
