//! What stands in the ledger, as values.

mod apart;
mod approval;
mod beside;
mod creates;
mod forgotten;
mod known;
mod named;
mod needy;
mod notice;
mod outcome;
#[cfg(test)]
mod samples;
pub mod told;
mod trail;
mod unsettled;
mod wish;

mod look;

use std::time::Duration;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::clock::BootTime;
use crate::finding::Finding;
use crate::money::Money;
use crate::order::{Fingerprint, Order};
use crate::outcome::Status;
use crate::quote::{Hold, Quote, ServiceAmounts};
use crate::reconcile::{Addressee, Named, Ours, Reason, Signature};
use crate::tracking::Parcel;

use super::state::State;

pub use look::{Fate, LookRecord, NotTaken};

pub use super::hold_key::{HoldKey, Shown};
pub use apart::Apart;
pub use approval::Approved;
pub use beside::Beside;
pub use creates::{AtLook, EndedCreate};
pub use forgotten::{Forgotten, Recall};
pub use known::KnownAccount;
pub use named::{FileNames, out_ending};
pub(in crate::ledger) use named::{name_of_results, numbered};
pub use needy::{CanceledInShop, NeedySheet, SheetNeed};
pub use notice::{NotANotice, NoticeKind, Notification, Rung};
pub use outcome::Outcome;
pub(in crate::ledger) use trail::Why;
pub use trail::{AttemptRecord, EventRecord, Tells, TellsNothing};
pub use unsettled::Unsettled;
pub use wish::CancelWish;

/// Names an order in the ledger.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct OrderRef(pub i64);

/// Names a taken sheet in the ledger.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ClaimRef(pub i64);

/// Names an account in the ledger.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AccountRef(pub i64);

/// A column holds what this program never wrote there.
#[derive(Debug, thiserror::Error)]
#[error("column `{column}` of `{table}` holds `{value}`")]
pub struct NotARecord {
    /// The table.
    pub table: &'static str,
    /// The column.
    pub column: &'static str,
    /// What stands there, shortened.
    pub value: String,
}

/// What a taken sheet is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Its orders are created.
    Send,
    /// It is checked and priced.
    Try,
}

/// How far a taken sheet is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClaimState {
    /// Its bytes are in the spool.
    Taken,
    /// Every order has an outcome; the result is being written and the original moved.
    Worked,
    /// Result and original are in their places.
    Done,
    /// It could not be read.
    Rejected,
}

/// A sheet about to be taken.
#[derive(Clone, Debug)]
pub struct NewClaim {
    /// Whose orders it holds.
    pub account: AccountRef,
    /// The inbox.
    pub inbox: String,
    /// What it is for.
    pub purpose: Purpose,
    /// The path it was taken from.
    pub place: String,
    /// Its name.
    pub sheet_name: String,
    /// `TIME_NAME`, unique in its inbox.
    pub stem: String,
    /// SHA-256 of its bytes.
    pub hash: String,
    /// Size, times and inode of the original when it was copied.
    pub stamp: String,
    /// When it was taken.
    pub taken_at: Timestamp,
    /// Where its results go, if not to the inbox's folder.
    pub out_path: Option<String>,
}

/// A taken sheet.
#[derive(Clone, Debug)]
pub struct Claim {
    /// Its name here.
    pub id: ClaimRef,
    /// What was written when it was taken.
    pub new: NewClaim,
    /// How far it is.
    pub state: ClaimState,
    /// The original could not be moved away; it is not taken again.
    pub left_in_place: bool,
    /// The newest result: where it was put, and the SHA-256 it had.
    pub result: Option<(String, String)>,
    /// When that was written.
    pub result_at: Option<Timestamp>,
    /// Another number whenever its orders' statuses may be others.
    pub changes: i64,
}

/// An order's own content, when it is first promised or taken anew.
#[derive(Clone, Debug)]
pub struct NewOrder {
    /// The account.
    pub account: AccountRef,
    /// The inbox.
    pub inbox: String,
    /// The id as in the sheet.
    pub sheet_order_id: String,
    /// The sheet whose content this is.
    pub claim: ClaimRef,
    /// The merchant's own content.
    pub fingerprint: Fingerprint,
    /// What is sent.
    pub content: Order,
    /// What the service asks for it; none of one that is not to be sent, which nobody has priced.
    pub quote: Option<Quote>,
    /// What its shop calls it.
    pub at_shop: AtShop,
}

impl NewOrder {
    /// What it takes of a day's money.
    pub fn total(&self) -> Money {
        self.quote.as_ref().map_or(Money::ZERO, |quote| quote.total)
    }
}

/// What a shop calls an order and its items, to tell the shop of the parcels.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AtShop {
    /// The shop's own order number; empty where the sheet gives none but the order's id.
    pub order: String,
    /// The items that the shop wants to hear of one by one; most want none.
    pub items: Vec<AtShopItem>,
}

/// An item of an order, as its shop knows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AtShopItem {
    /// The shop's own id of it: Amazon's `order-item-id`.
    pub id: String,
    /// Pieces.
    pub quantity: u32,
}

/// An order as the ledger has it.
#[derive(Clone, Debug)]
pub struct OrderRecord {
    /// Its name here.
    pub id: OrderRef,
    /// The account.
    pub account: AccountRef,
    /// The id as it is sent.
    pub order_id: String,
    /// The inbox.
    pub inbox: String,
    /// The id as in the sheet.
    pub sheet_order_id: String,
    /// What is promised.
    pub state: State,
    /// The state before `sending`.
    pub came_from: State,
    /// The sheet whose content this is.
    pub claim: ClaimRef,
    /// Of the merchant's own content: `whole` of a [`Fingerprint`].
    pub fingerprint: String,
    /// JSON of [`Fingerprint::fields`]: read only where a difference has to be named.
    pub field_hashes: String,
    /// What is sent; erased when it is final.
    pub content: Option<Order>,
    /// What a candidate at the service must have.
    pub signature: Signature,
    /// ISO 3166-1 alpha-2.
    pub country_code: String,
    /// The quote it was sent, or held, with.
    pub quote: Option<Quote>,
    /// Why it is held.
    pub holds: Vec<Hold>,
    /// How often it was held: an approval names one of these.
    pub hold_number: u32,
    /// When it was held last.
    pub held_at: Option<Timestamp>,
    /// A person lets it be sent, at most at this total.
    pub approved_total: Option<Money>,
    /// Why it is not sent yet, where it is approved; blank where nothing has kept it.
    pub approved_waits: String,
    /// The service's word, or who has canceled it; blank where a person is asked.
    pub note: String,
    /// Why a person is asked.
    pub reason: Option<Reason>,
    /// The service's id.
    pub pw_order_id: Option<String>,
    /// Further orders of this id seen at the service.
    pub others: u32,
    /// Creates that may have left since this content was taken.
    pub sends: u32,
    /// Creates without an answer that can be believed, of every content that the order ever had.
    pub unanswered: u32,
    /// `dtime_entered`
    pub entered_at: Option<Timestamp>,
    /// The service's own amounts, and when they were read.
    pub service: Option<(ServiceAmounts, Timestamp)>,
    /// The service's words for the items' state, joined where they differ.
    pub order_status: Option<String>,
    /// The same for their payment.
    pub payment_status: Option<String>,
    /// The trackings as they came: a JSON list.
    pub trackings: Option<String>,
    /// Since when the service's words name a trouble; of a canceled order, that it goes on all the same.
    pub trouble_at: Option<Timestamp>,
    /// Since when the service's total is not the quoted one.
    pub differs_at: Option<Timestamp>,
    /// Since when the service does not know it any more.
    pub missing_at: Option<Timestamp>,
    /// Since when a notice of the service says that it has a problem; none once it has its tracking.
    pub noticed_at: Option<Timestamp>,
    /// When its state last changed.
    pub changed_at: Timestamp,
    /// The service's name of it, where that is another writing of `order_id`.
    pub service_name: Option<String>,
    /// What came to its latest create, where that was an answer which proves nothing and its state is not known yet.
    pub doubted: Option<String>,
}

/// An attempt whose answer is missing, and what has been seen of the order since.
#[derive(Clone, Debug)]
pub struct AbsenceRecord {
    /// Look-ups that answered and saw none.
    pub looks: u32,
    /// The newest of them.
    pub looked: Option<BootTime>,
    /// When the wait began.
    pub since: BootTime,
    /// The same by the service's own clock.
    pub since_service: Option<Timestamp>,
    /// What a person has to decide, if one has.
    pub asked: Option<Reason>,
    /// How late the list was when it first showed an order that was sent afterwards.
    pub lag: Option<Duration>,
    /// When the first create of the order was intended (wall clock), whatever its content was, and whether it left.
    pub first_intended_at: Timestamp,
    /// The same on the boot clock.
    pub first_intended: BootTime,
    /// When the latest one was.
    pub last_intended_at: Timestamp,
    /// A create of it was answered with an id, but for an order of another name that is none of ours.
    pub contradicted: bool,
}

/// What the service told of an order that it has.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    /// The service's id.
    pub pw_order_id: String,
    /// The service's name of it; empty where it has none.
    pub order_name: String,
    /// `dtime_entered`
    pub entered_at: Option<Timestamp>,
    /// Its amounts.
    pub amounts: Option<ServiceAmounts>,
    /// The service's words for the items' state, joined where they differ.
    pub order_status: Option<String>,
    /// The same for their payment.
    pub payment_status: Option<String>,
    /// The trackings as they came: a JSON list.
    pub trackings: Option<String>,
}

/// An order that the service listed and the ledger did not make.
#[derive(Clone, Debug)]
pub struct ListedRecord {
    /// Its name at the service: our `order_id`.
    pub order_id: String,
    /// The service's id.
    pub pw_order_id: String,
    /// What it holds.
    pub signature: Signature,
    /// Where it goes.
    pub zip: Option<String>,
    /// To whom it goes.
    pub addressee: Addressee,
    /// When it was entered.
    pub entered_at: Option<Timestamp>,
    /// Whether it is canceled there; none where the service said neither that it is nor that it goes on with it.
    pub canceled: Option<bool>,
}

impl ListedRecord {
    /// Whether it is known to be canceled at the service.
    pub fn is_canceled(&self) -> bool {
        self.canceled == Some(true)
    }

    /// The service's id of it, with its name where that is not this one, and whether it is canceled.
    pub fn called(&self, order_id: &str) -> String {
        let name = if self.order_id == order_id {
            String::new()
        } else {
            format!(" under the id `{}`", self.order_id)
        };
        let canceled = if self.is_canceled() { " (canceled)" } else { "" };
        format!("{}{name}{canceled}", self.pw_order_id)
    }

    /// As `reconcile` judges it.
    pub fn to_named(&self) -> Named {
        Named {
            pw_order_id: self.pw_order_id.clone(),
            signature: self.signature.clone(),
            zip: self.zip.clone(),
            entered_at: self.entered_at,
        }
    }

    /// Whether it may be what the creates of an order of its name were of; where nobody knows what that was, it may be.
    pub fn may_be(&self, order: &OrderRecord) -> bool {
        order.sent().is_none_or(|sent| self.to_named().is_like(sent))
    }

    /// Whether it is an order of a sheet over again, whatever name it has: the same pieces to the same country and zip.
    pub fn is_same(&self, order: &Order) -> bool {
        self.to_named().is_like(Ours {
            signature: &Signature::of(order),
            zip: Some(&order.ship_to.zip),
        })
    }
}

/// An order of a taken sheet that somebody has to look at.
#[derive(Clone, Debug)]
pub struct Problem {
    /// The inbox.
    pub inbox: String,
    /// The sheet's name.
    pub sheet_name: String,
    /// When it was taken.
    pub taken_at: Timestamp,
    /// The order's first row.
    pub first_row: u32,
    /// The id that was, or would be, sent.
    pub order_id: String,
    /// What became of it.
    pub status: Status,
    /// The service's word, where that is why.
    pub note: String,
    /// Its findings.
    pub findings: Vec<Finding>,
}

/// How large a sheet under way is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WorkRecord {
    /// Its orders.
    pub orders: u64,
    /// Of those, with an outcome when the work began.
    pub known: u64,
    /// When it began.
    pub begun_at: Timestamp,
}

/// A day of the config's `zone`, whose money an inbox limits.
#[derive(Clone, Debug)]
pub struct DayLimit {
    /// The inbox.
    pub inbox: String,
    /// `2026-11-21`
    pub name: String,
    /// When it begins.
    pub begins: Timestamp,
    /// The most that may be sent on it. Config: `daily_limit`.
    pub limit: Money,
}

/// An unresolved order that is to be sent once more.
#[derive(Clone, Debug)]
pub struct ResendIntent {
    /// How often it had been sent when its absence was looked into.
    pub sends: u32,
    /// The fingerprint of its content then: settled and taken anew meanwhile, it may have been sent as often.
    pub fingerprint: String,
    /// What it costs now; none where the service has not said that.
    pub quote: Option<Quote>,
    /// Where its money counts.
    pub day: Option<DayLimit>,
    /// A person lets it pass, whatever the day's limit says.
    pub is_let_pass: bool,
    /// Why it is sent, for its trail.
    pub why: &'static str,
}

/// What became of an intent that could not be taken for granted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Intent {
    /// It is written.
    Written(OrderRef),
    /// It would pass the day's limit; nothing is written.
    OverDay {
        /// What is reserved of the day.
        spent: Money,
    },
    /// The list has come to show one that it would be made beside; nothing is written.
    Beside,
}

/// A parcel that a tracking has told of, with the order that it brings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParcelRecord {
    /// The order's id as in the sheet.
    pub sheet_order_id: String,
    /// What its shop calls it.
    pub at_shop: AtShop,
    /// The service's id.
    pub pw_order_id: String,
    /// The parcel.
    pub parcel: Parcel,
    /// When it was first told of.
    pub known_at: Timestamp,
    /// Whether another parcel of the order had a number before the time that was asked for, and has it still.
    pub is_followed: bool,
    /// Whether the service shows the order with other parcels by now.
    pub is_replaced: bool,
}

/// A file of dropsheet's own that is written again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OwnFile {
    /// Where it was put.
    pub path: String,
    /// The SHA-256 that it had.
    pub hash: String,
    /// The SHA-256 of what it tells, empty while it is on its way; of [`Beside::Replaced`] the names of the results, a line
    /// each.
    pub content: String,
}
