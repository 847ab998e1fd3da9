//! What is going on, in one look: inboxes, sheets under way with their pace, orders by state, and what needs a person.
//! A pure view of the ledger, shown by `dropsheet status`, in each inbox's `STATUS.txt`, and to Prometheus.

pub mod catalogs;
mod not_followed;
pub mod not_told;
mod problem;
mod refused;
pub mod text;
mod unresolved;

use std::path::PathBuf;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use serde::Serialize;

use self::catalogs::CatalogNews;
use crate::attention::{self, Needs};
use crate::config::{self, Config};
use crate::ledger::record::{
    Claim, ClaimState, Fate, LookRecord, NotTaken, OrderRecord, Purpose, WorkRecord,
};
use crate::ledger::state::State;
use crate::ledger::{LedgerError, NotTold, Store};
use crate::money::Money;

pub use not_followed::NotFollowed;
pub use problem::ProblemOrder;
pub use refused::refused;
pub use unresolved::Unresolved;

/// The newest ended sheets that are looked through, and of those and of problems the most that are shown.
const SHEETS: u32 = 30;
const SHOWN: usize = 10;
/// The most unresolved and held orders that are shown of each account, the eldest first.
const ORDERS: u32 = 20;
const PROBLEMS: u32 = 10;

/// All of it, as `--json` prints it.
#[derive(Debug, Serialize)]
pub struct Status {
    /// When this was so.
    pub at: Timestamp,
    /// When the newest backup of the ledger was made; null where there is none.
    pub backed_up_at: Option<Timestamp>,
    /// Why the newest try to make one failed; null where it did not.
    pub not_backed_up: Option<String>,
    /// Why the catalog is not kept on the disk; null where it is.
    pub catalog_not_kept: Option<String>,
    /// The ways of telling a person that failed when they were last used.
    pub not_told: Vec<NotTold>,
    /// By name, in the order of the config.
    pub inboxes: Vec<InboxStatus>,
    /// Sheets that are taken and not at their end, oldest first.
    pub under_way: Vec<SheetStatus>,
    /// The newest ended sheets, newest first.
    pub done: Vec<SheetStatus>,
    /// Orders by state, of those states that have any.
    pub orders: Vec<StateCount>,
    /// How many unresolved orders there are is in `orders`; these are the eldest.
    pub unresolved: Vec<Unresolved>,
    /// What nobody follows, of each account that is not in the config and has such orders.
    pub not_followed: Vec<NotFollowed>,
    /// The eldest held orders.
    pub held: Vec<Held>,
    /// What is held in each account that has held orders.
    pub held_totals: Vec<HeldTotal>,
    /// What went wrong in the newest sheets and waits for a person.
    pub problems: Vec<ProblemOrder>,
    /// Everything that needs a person.
    pub attention: Needs,
    /// What refreshes have changed in the catalogs in these days, where that was looked up besides.
    pub catalogs: Vec<CatalogNews>,
}

/// An inbox, as its last look has shown it.
#[derive(Debug, Serialize)]
pub struct InboxStatus {
    /// `[inbox.NAME]`
    pub name: String,
    /// Its folder.
    pub path: PathBuf,
    /// The account that its orders go to.
    pub account: String,
    /// When it was last looked at; null where it never was.
    pub looked_at: Option<Timestamp>,
    /// What was wrong with its folder then, and what to do.
    pub trouble: Option<String>,
    /// What the orders of its account wait for, as whoever works them last knew; null where they do not.
    pub waits_for: Option<String>,
    /// Files that were still changing or not whole.
    pub waiting: u32,
    /// The first of those, and why.
    pub waiting_files: Vec<LeftAlone>,
    /// Files that were left alone, and why.
    pub left_alone: Vec<LeftAlone>,
    /// Sheets that could not be read, and why.
    pub unreadable: Vec<LeftAlone>,
    /// Files that were rejected by their names or because they stayed incomplete, and why.
    pub rejected: Vec<LeftAlone>,
    /// Whether its disk has little room left.
    pub nearly_full: bool,
    /// The folder as it is at this moment, where somebody looked besides.
    #[serde(flatten)]
    pub folder: Option<FolderStatus>,
}

/// An inbox's folder at this moment.
#[derive(Debug, Serialize)]
pub struct FolderStatus {
    /// `ours`, `missing`, `other`, `unreadable`, or `silent`.
    pub marker: &'static str,
    /// Whether a `STOP` file forbids creates.
    pub stopped: bool,
    /// What is wrong, and what to do.
    pub advice: Option<String>,
    /// Why its STATUS.txt is not written; null where it is.
    pub untold: Option<String>,
}

/// A file that is not taken.
#[derive(Debug, Serialize)]
pub struct LeftAlone {
    /// Where it lies.
    pub path: String,
    /// Why.
    pub why: String,
}

/// A taken sheet.
#[derive(Debug, Serialize)]
pub struct SheetStatus {
    /// The inbox.
    pub inbox: String,
    /// Its name.
    pub sheet: String,
    /// The name that its files carry.
    pub stem: String,
    /// `send` or `try`.
    pub purpose: &'static str,
    /// When it was taken.
    pub taken_at: Timestamp,
    /// `taken`, `worked`, `done` or `rejected`.
    pub state: &'static str,
    /// Of how many orders the outcome is known.
    pub orders: u64,
    /// How far it is, while it is worked.
    pub pace: Option<Pace>,
    /// Where its result is.
    pub result: Option<String>,
    /// Whether its inbox is not in the config, so that nobody works it.
    pub stranded: bool,
}

/// How fast a sheet is worked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Pace {
    /// The orders in the sheet.
    pub of: u64,
    /// Orders a minute since this work began; null until there is something to measure.
    pub per_minute: Option<u64>,
    /// When it is done at that rate.
    pub ends_at: Option<Timestamp>,
}

/// How many orders are in a state.
#[derive(Debug, Serialize)]
pub struct StateCount {
    /// The state.
    pub state: &'static str,
    /// Orders in it.
    pub orders: u64,
}

/// An order that waits for approval, or is approved and not sent yet.
#[derive(Debug, Serialize)]
pub struct Held {
    /// Its id as it would be sent.
    pub order_id: String,
    /// The account.
    pub account: String,
    /// The inbox that it came from.
    pub inbox: String,
    /// What was quoted for it.
    pub total: Option<Money>,
    /// At most at what a person has approved it, where it only waits to be sent; null where it waits for a person.
    pub approved: Option<Money>,
    /// Why it is not sent yet, where it is approved and something keeps it.
    pub waits: Option<String>,
    /// Since when.
    pub since: Timestamp,
    /// Why it is held.
    pub why: String,
}

/// What is held in an account.
#[derive(Debug, Serialize)]
pub struct HeldTotal {
    /// The account.
    pub account: String,
    /// How many orders.
    pub orders: usize,
    /// Null where an order has no quote, or the sum is beyond all amounts.
    pub total: Option<Money>,
    /// The label of the account's amounts.
    pub currency: Option<String>,
}

impl Status {
    /// What is so before anything was ever taken.
    pub fn blank(config: &Config, now: Timestamp) -> Self {
        Self {
            at: now,
            backed_up_at: None,
            not_backed_up: None,
            catalog_not_kept: None,
            not_told: Vec::new(),
            inboxes: config
                .inboxes
                .iter()
                .map(|inbox| InboxStatus::of(inbox, None))
                .collect(),
            under_way: Vec::new(),
            done: Vec::new(),
            orders: Vec::new(),
            unresolved: Vec::new(),
            not_followed: Vec::new(),
            held: Vec::new(),
            held_totals: Vec::new(),
            problems: Vec::new(),
            attention: Needs::default(),
            catalogs: Vec::new(),
        }
    }

    /// What is so now, by the ledger.
    pub fn read(store: &Store<'_>, config: &Config, now: Timestamp) -> Result<Self, LedgerError> {
        let mut status = Self::blank(config, now);
        status.inboxes.clear();
        for inbox in &config.inboxes {
            let mut of_inbox = InboxStatus::of(inbox, store.last_look(&inbox.name)?);
            of_inbox.waits_for = store.waits_for(&inbox.account)?;
            status.inboxes.push(of_inbox);
        }
        status.attention = attention::needs(
            store,
            &attention::Configured::of(&config.accounts, &config.inboxes),
            now,
        )?;
        status.fill(store, config)?;
        Ok(status)
    }

    /// The inbox with this name.
    pub fn inbox(&self, name: &str) -> Option<&InboxStatus> {
        self.inboxes.iter().find(|inbox| inbox.name == name)
    }

    /// Says what is wrong of those inboxes whose folder was looked at and showed nothing worse.
    pub fn advise(&mut self, of: impl Fn(&InboxStatus) -> bool, why: &str) {
        for inbox in self.inboxes.iter_mut().filter(|inbox| of(inbox)) {
            if let Some(folder) = &mut inbox.folder {
                folder.advice.get_or_insert_with(|| why.to_owned());
            }
        }
    }

    fn fill(&mut self, store: &Store<'_>, config: &Config) -> Result<(), LedgerError> {
        self.backed_up_at = store.backed_up_at()?;
        self.not_backed_up = store.not_backed_up()?;
        self.catalog_not_kept = store.catalog_not_kept()?;
        self.not_told = not_told::read(store, config.notify.as_ref())?;
        for claim in store.open_claims()? {
            let mut sheet = SheetStatus::of(claim, self.at, store)?;
            sheet.stranded = config.inboxes.iter().all(|inbox| inbox.name != sheet.inbox);
            self.under_way.push(sheet);
        }
        let newest = store.newest_claims(SHEETS)?.into_iter();
        let ended = newest.filter(|claim| matches!(claim.state, ClaimState::Done | ClaimState::Rejected));
        for claim in ended.take(SHOWN) {
            self.done.push(SheetStatus::of(claim, self.at, store)?);
        }
        let counts = store.orders_by_state()?.into_iter();
        self.orders = counts
            .map(|(state, orders)| StateCount {
                state: state.word(),
                orders,
            })
            .collect();
        self.problems = store
            .newest_problems(PROBLEMS)?
            .into_iter()
            .map(ProblemOrder::of)
            .collect();
        for (account, name) in &store.accounts()? {
            let is_asked = config.account(name).is_some();
            let unresolved = Unresolved::all(store, (*account, name), is_asked, self.at)?;
            self.unresolved.extend(unresolved);
            if !is_asked {
                let not_followed = NotFollowed::of(store, (*account, name), self.at)?;
                self.not_followed.extend(not_followed);
            }
            let held = store.orders_in(*account, State::Held, ORDERS)?;
            self.held
                .extend(held.into_iter().map(|order| Held::of(order, name)));
            let quotes = store.held_quotes(*account)?;
            if !quotes.is_empty() {
                let totals: Option<Vec<Money>> =
                    quotes.iter().map(|quote| Some(quote.as_ref()?.total)).collect();
                self.held_totals.push(HeldTotal {
                    account: name.clone(),
                    orders: quotes.len(),
                    total: totals.and_then(|totals| Money::sum(totals).ok()),
                    currency: config.account(name).and_then(|account| account.currency.clone()),
                });
            }
        }
        Ok(())
    }
}

impl InboxStatus {
    fn of(inbox: &config::Inbox, look: Option<LookRecord>) -> Self {
        let mut status = Self {
            name: inbox.name.clone(),
            path: inbox.path.clone(),
            account: inbox.account.clone(),
            looked_at: None,
            trouble: None,
            waits_for: None,
            waiting: 0,
            waiting_files: Vec::new(),
            left_alone: Vec::new(),
            unreadable: Vec::new(),
            rejected: Vec::new(),
            nearly_full: false,
            folder: None,
        };
        if let Some(look) = look {
            status.looked_at = Some(look.looked_at);
            status.trouble = look.trouble;
            status.waiting = look.waiting;
            for NotTaken { path, why, fate } in look.not_taken {
                let of_fate = match fate {
                    Fate::LeftAlone => &mut status.left_alone,
                    Fate::Unreadable => &mut status.unreadable,
                    Fate::Waiting => &mut status.waiting_files,
                    Fate::Rejected => &mut status.rejected,
                };
                of_fate.push(LeftAlone { path, why });
            }
            status.nearly_full = look.room.is_some_and(crate::files::Room::is_nearly_full);
        }
        status
    }
}

impl Pace {
    /// The pace of work that has brought `done` orders to an outcome by now.
    fn of(work: WorkRecord, done: u64, now: Timestamp) -> Self {
        let own = done.saturating_sub(work.known);
        let took = age(work.begun_at, now);
        let unknown = Self {
            of: work.orders,
            per_minute: None,
            ends_at: None,
        };
        let Some(took_ms) = u64::try_from(took.as_millis())
            .ok()
            .filter(|ms| *ms > 0 && own > 0)
        else {
            return unknown;
        };
        let left = work.orders.saturating_sub(done);
        let left_ms = left.saturating_mul(took_ms) / own;
        let left_for = SignedDuration::from_millis(i64::try_from(left_ms).unwrap_or(i64::MAX));
        Self {
            per_minute: Some(own.saturating_mul(60_000) / took_ms),
            ends_at: now.checked_add(left_for).ok(),
            ..unknown
        }
    }
}

/// How long ago something was; nothing for what is still to come, after a clock was set back.
pub fn age(at: Timestamp, now: Timestamp) -> Duration {
    Duration::try_from(now.duration_since(at)).unwrap_or(Duration::ZERO)
}

impl SheetStatus {
    fn of(claim: Claim, now: Timestamp, store: &Store<'_>) -> Result<Self, LedgerError> {
        let is_open = matches!(claim.state, ClaimState::Taken | ClaimState::Worked);
        let work = if is_open { store.work(claim.id)? } else { None };
        // An outcome is written with the intent, before anything has left.
        let not_sent = match &work {
            Some(work) => store.not_sent_since(claim.id, work.begun_at)?,
            None => 0,
        };
        let outcomes = store.outcomes_of(claim.id)?.saturating_sub(not_sent);
        // They are worked as the orders are, and counted with them until then.
        let of_no_order = store.outcomes_of_no_order(claim.id)?;
        let pace = work.map(|work| Pace::of(work, outcomes, now));
        Ok(Self {
            orders: outcomes.saturating_sub(of_no_order),
            pace: pace.map(|pace| Pace {
                of: pace.of.saturating_sub(of_no_order),
                ..pace
            }),
            inbox: claim.new.inbox,
            sheet: claim.new.sheet_name,
            stem: claim.new.stem,
            purpose: match claim.new.purpose {
                Purpose::Send => "send",
                Purpose::Try => "try",
            },
            taken_at: claim.new.taken_at,
            state: match claim.state {
                ClaimState::Taken => "taken",
                ClaimState::Worked => "worked",
                ClaimState::Done => "done",
                ClaimState::Rejected => "rejected",
            },
            result: claim.result.map(|(path, _hash)| path),
            stranded: false,
        })
    }
}

impl Held {
    fn of(order: OrderRecord, account: &str) -> Self {
        let why: Vec<String> = order.holds.into_iter().map(|hold| hold.message).collect();
        Self {
            order_id: order.order_id,
            account: account.to_owned(),
            inbox: order.inbox,
            total: order.quote.map(|quote| quote.total),
            approved: order.approved_total,
            waits: order
                .approved_total
                .map(|_most| order.approved_waits)
                .filter(|why| !why.is_empty()),
            since: order.changed_at,
            why: why.join(" "),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sheet_ends_when_the_rest_is_done_at_the_rate_so_far() {
        let at = |second: i64| Timestamp::from_second(second).unwrap();
        let work = |known| WorkRecord {
            orders: 1000,
            known,
            begun_at: at(1000),
        };
        let pace = |known, done, now| {
            let pace = Pace::of(work(known), done, at(now));
            (pace.per_minute, pace.ends_at.map(Timestamp::as_second))
        };
        assert_eq!(pace(0, 0, 1000), (None, None), "nothing is measured yet");
        assert_eq!(pace(0, 250, 1060), (Some(250), Some(1060 + 180)));
        assert_eq!(
            pace(500, 500, 1060),
            (None, None),
            "what an earlier run did says nothing of this one"
        );
        assert_eq!(pace(500, 750, 1060), (Some(250), Some(1060 + 60)));
        assert_eq!(pace(0, 1000, 1010), (Some(6000), Some(1010)));
        assert_eq!(pace(0, 10, 900), (None, None), "a clock that was set back");
    }
}
