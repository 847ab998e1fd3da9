//! `dropsheet status`: what is going on, in one look beside whoever works the ledger. It takes no lock and asks nobody.

mod page;

use std::path::{Path, PathBuf};

use jiff::Timestamp;
use serde::Serialize;

use super::args;
use super::exit::Exit;
use super::orders::Names;
use super::{print, shown};
use crate::attention::{self, Need};
use crate::clock::Clock;
use crate::config::{self, Config};
use crate::inbox::Folder;
use crate::inbox::marker::{self, Marker};
use crate::ledger::record::{Claim, ClaimState, OrderRecord, Problem, Purpose};
use crate::ledger::state::State;
use crate::ledger::{self, LedgerError, Reader, Store};
use crate::money::Money;

/// The newest ended sheets that are looked through, and of those and of problems the most that are shown.
const SHEETS: u32 = 30;
const SHOWN: usize = 10;
/// The most unresolved and held orders that are shown of each account, the eldest first.
const ORDERS: u32 = 20;
const PROBLEMS: u32 = 10;

/// Prints the state of everything.
pub(super) fn run(args: &args::Status, given: Option<&Path>) -> anyhow::Result<Exit> {
    let config = config::load(given)?;
    let now = Clock::system().now().wall;
    let status = Status::read(&config, now)?;
    if args.listing.json {
        print::json(&status)?;
    } else {
        print::text(&page::text(&status, &config.zone))?;
    }
    Ok(Exit::Done)
}

/// All of it, as `--json` prints it.
#[derive(Debug, Serialize)]
struct Status {
    at: Timestamp,
    ledger: LedgerStatus,
    inboxes: Vec<InboxStatus>,
    under_way: Vec<SheetStatus>,
    done: Vec<SheetStatus>,
    /// Orders by state, of those states that have any.
    orders: Vec<StateCount>,
    /// How many unresolved orders there are is in `orders`; these are the eldest.
    unresolved: Vec<Unresolved>,
    held: Vec<Held>,
    held_totals: Vec<HeldTotal>,
    problems: Vec<Trouble>,
    /// Everything that needs a person now, oldest first.
    attention: Vec<Need>,
}

#[derive(Debug, Serialize)]
struct LedgerStatus {
    path: PathBuf,
    exists: bool,
    /// Who works it: the words of its lock file; null where nobody does.
    held_by: Option<String>,
    /// Why that cannot be told.
    trouble: Option<String>,
}

#[derive(Debug, Serialize)]
struct InboxStatus {
    name: String,
    path: PathBuf,
    account: String,
    /// `ours`, `missing`, `other`, or `unreadable`.
    marker: &'static str,
    /// Whether a `STOP` file forbids creates.
    stopped: bool,
    /// What is wrong, and what to do.
    advice: Option<String>,
}

#[derive(Debug, Serialize)]
struct SheetStatus {
    inbox: String,
    sheet: String,
    stem: String,
    /// `send` or `try`.
    purpose: &'static str,
    taken_at: Timestamp,
    /// `taken`, `worked`, `done` or `rejected`.
    state: &'static str,
    /// Of how many orders the outcome is known.
    orders: u64,
    result: Option<String>,
}

#[derive(Debug, Serialize)]
struct StateCount {
    state: &'static str,
    orders: u64,
}

#[derive(Debug, Serialize)]
struct Unresolved {
    order_id: String,
    account: String,
    since: Timestamp,
    age_seconds: u64,
    /// Look-ups that answered and saw none.
    looks: u32,
    /// Whether a person has to decide.
    needs_person: bool,
    why: String,
}

#[derive(Debug, Serialize)]
struct Held {
    order_id: String,
    account: String,
    inbox: String,
    total: Option<Money>,
    since: Timestamp,
    why: String,
}

#[derive(Debug, Serialize)]
struct HeldTotal {
    account: String,
    orders: usize,
    /// Null where an order has no quote, or the sum is beyond all amounts.
    total: Option<Money>,
    /// The label of the account's amounts.
    currency: Option<String>,
}

#[derive(Debug, Serialize)]
struct Trouble {
    inbox: String,
    sheet: String,
    taken_at: Timestamp,
    row: u32,
    order_id: String,
    status: &'static str,
    codes: Vec<&'static str>,
    /// The service's word.
    note: String,
}

impl Status {
    fn read(config: &Config, now: Timestamp) -> anyhow::Result<Self> {
        let reader = match Reader::open(&config.ledger) {
            Ok(reader) => Some(reader),
            Err(LedgerError::Missing { .. }) => None,
            Err(error) => return Err(error.into()),
        };
        let id = reader.as_ref().map(Reader::id);
        let mut status = Self {
            at: now,
            ledger: LedgerStatus::of(&config.ledger, reader.is_some()),
            inboxes: config
                .inboxes
                .iter()
                .map(|inbox| InboxStatus::of(inbox, id))
                .collect(),
            under_way: Vec::new(),
            done: Vec::new(),
            orders: Vec::new(),
            unresolved: Vec::new(),
            held: Vec::new(),
            held_totals: Vec::new(),
            problems: Vec::new(),
            attention: Vec::new(),
        };
        if let Some(reader) = reader {
            reader.read(|store| status.fill(store, config))?;
        }
        Ok(status)
    }

    fn fill(&mut self, store: &Store<'_>, config: &Config) -> Result<(), LedgerError> {
        for claim in store.open_claims()? {
            self.under_way.push(SheetStatus::of(claim, store)?);
        }
        let newest = store.newest_claims(SHEETS)?.into_iter();
        let ended = newest.filter(|claim| matches!(claim.state, ClaimState::Done | ClaimState::Rejected));
        for claim in ended.take(SHOWN) {
            self.done.push(SheetStatus::of(claim, store)?);
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
            .map(Trouble::of)
            .collect();
        self.attention = attention::needs(store, self.at)?.needs;
        for (account, name) in Names::read(store)?.all() {
            for order in store.orders_in(*account, State::Unresolved, ORDERS)? {
                self.unresolved.push(Unresolved::of(order, name, self.at, store)?);
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

impl LedgerStatus {
    fn of(path: &Path, exists: bool) -> Self {
        let (held_by, trouble) = match ledger::holder(path) {
            Ok(holder) => (holder, None),
            Err(error) => (None, Some(format!("its lock file cannot be looked at: {error}"))),
        };
        Self {
            path: path.to_owned(),
            exists,
            held_by,
            trouble,
        }
    }
}

impl InboxStatus {
    fn of(inbox: &config::Inbox, ledger: Option<&str>) -> Self {
        let folder = Folder::new(inbox.path.clone());
        // Without a ledger every name is another's.
        let (marker, mut advice) = match marker::read(folder.root(), ledger.unwrap_or_default()) {
            Ok(Marker::Ours) => ("ours", None),
            Ok(Marker::Missing) => (
                "missing",
                Some(
                    "its marker file `.dropsheet` is missing, so nothing is taken: is the share mounted? For a new \
                     folder run `dropsheet init`"
                        .to_owned(),
                ),
            ),
            Ok(Marker::Other(named)) => (
                "other",
                Some(format!(
                    "it belongs to another ledger ({named}), so nothing is taken: set `ledger.path` to that ledger"
                )),
            ),
            Err(error) => ("unreadable", Some(format!("its marker file cannot be read: {error}"))),
        };
        let stopped = match folder.is_stopped() {
            Ok(stopped) => stopped,
            Err(error) => {
                advice.get_or_insert_with(|| format!("the folder cannot be listed: {error}"));
                false
            }
        };
        Self {
            name: inbox.name.clone(),
            path: inbox.path.clone(),
            account: inbox.account.clone(),
            marker,
            stopped,
            advice,
        }
    }
}

impl SheetStatus {
    fn of(claim: Claim, store: &Store<'_>) -> Result<Self, LedgerError> {
        Ok(Self {
            orders: store.outcomes_of(claim.id)?,
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
        })
    }
}

impl Unresolved {
    fn of(order: OrderRecord, account: &str, now: Timestamp, store: &Store<'_>) -> Result<Self, LedgerError> {
        let absence = store.absence(order.id)?;
        let why = if order.note.is_empty() {
            let newest = store.events(order.id)?.pop();
            newest.map_or_else(String::new, |event| event.why)
        } else {
            order.note
        };
        Ok(Self {
            order_id: order.order_id,
            account: account.to_owned(),
            since: order.changed_at,
            age_seconds: shown::age(order.changed_at, now).as_secs(),
            looks: absence.as_ref().map_or(0, |absence| absence.looks),
            needs_person: absence.is_some_and(|absence| absence.person.is_some()),
            why,
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
            since: order.changed_at,
            why: why.join(" "),
        }
    }
}

impl Trouble {
    fn of(problem: Problem) -> Self {
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
