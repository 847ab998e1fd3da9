//! What needs a person now: one view for `status`, STATUS.txt, the mails and `results/attention.xlsx`.
//!
//! It is read from the ledger alone, so it always tells the present. What nobody can settle in the ledger (a total
//! unlike its quote, rows to fix) is left out after a while, or it would stay for ever.

mod at_service;
mod changed;
mod forgotten;
mod held;
mod in_shop;
mod kind;
mod nobody;
mod not_taken;
mod unseen;
mod worked;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;

use jiff::{SignedDuration, Timestamp};
use serde::Serialize;

use crate::files;
use crate::ledger::record::{AccountRef, ClaimRef, NeedySheet, OrderRecord, SheetNeed};
use crate::ledger::state::State;
use crate::ledger::{LedgerError, Store};

pub use at_service::troubles;
use at_service::{after_all, others_of, remarkable};
use held::{ENDING, files_of, held, there_already};
pub use kind::Kind;
use nobody::nobody;
pub use nobody::{LeftToNobody, by_nobody, left_to_nobody};
pub use worked::Configured;

/// Most orders that are told of each kind, of an inbox where they may be many; that there are more is told too.
const MOST: u32 = 500;

/// Refused orders and cancels, and totals unlike quotes, are told for so long.
const ORDERS_TOLD: SignedDuration = SignedDuration::from_hours(24 * 30);

/// Sheets with rows to fix, and rejected ones, are told for so long.
const SHEETS_TOLD: SignedDuration = SignedDuration::from_hours(24 * 14);

/// A cancel that is not confirmed for so long needs a person.
const CANCEL_PATIENCE: SignedDuration = SignedDuration::from_hours(1);

/// One thing that needs a person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Need {
    /// What for.
    pub kind: Kind,
    /// Since when.
    pub since: Timestamp,
    /// The account's name in the config.
    pub account: String,
    /// The inbox.
    pub inbox: String,
    /// The sheet that it came with: `TIME_NAME`; with its ending where only the original is known.
    pub sheet: String,
    /// The order, as it is sent; none where a whole sheet is meant.
    pub order_id: Option<String>,
    /// The service's id.
    pub pw_order_id: Option<String>,
    /// What happened, as a sentence.
    pub what: String,
    /// What to do, as a sentence.
    pub todo: String,
}

impl Need {
    /// The same for the same thing, however often it is asked, and another when it happens again.
    pub fn key(&self) -> String {
        let order = self.order_id.as_deref().unwrap_or_default();
        format!(
            "{}/{}/{}/{}/{order}/{}",
            self.account,
            self.inbox,
            self.kind.word(),
            self.sheet,
            self.since.as_millisecond()
        )
    }
}

/// Everything that needs a person now.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Needs {
    /// Oldest first.
    pub needs: Vec<Need>,
    /// Whether there are more than are told, of some kind.
    pub more: bool,
    /// Of which inboxes; none stands for any.
    #[serde(skip)]
    cut: BTreeSet<Option<String>>,
}

impl Needs {
    /// Those of one inbox.
    #[must_use]
    pub fn of(&self, inbox: &str) -> Self {
        let own = self.needs.iter().filter(|need| need.inbox == inbox);
        let cut = self.cut.iter();
        let cut = cut.filter(|of| of.as_deref().is_none_or(|of| of == inbox));
        let cut: BTreeSet<Option<String>> = cut.cloned().collect();
        Self {
            needs: own.cloned().collect(),
            more: !cut.is_empty(),
            cut,
        }
    }

    /// Puts the oldest first.
    fn sort(&mut self) {
        self.needs.sort_by(|a, b| {
            (a.since, &a.inbox, &a.sheet, &a.order_id).cmp(&(b.since, &b.inbox, &b.sheet, &b.order_id))
        });
    }
}

/// Reads what needs a person at this moment.
pub fn needs(store: &Store<'_>, worked: &Configured, now: Timestamp) -> Result<Needs, LedgerError> {
    let ago = |time: SignedDuration| now.checked_sub(time).unwrap_or(Timestamp::MIN);
    let mut gathered = Gathered::new(store)?;
    let accounts = gathered.accounts.clone();
    let flagged = store.flagged_orders(ago(ORDERS_TOLD), MOST)?;
    let others = others_of(store, &flagged)?;
    gathered.cut_at_most(flagged.len());
    gathered.take(flagged, |order| {
        remarkable(order, others.get(&order.id).map_or("", String::as_str), now)
    })?;
    let there_after_all = store.there_after_all(ago(ORDERS_TOLD), MOST)?;
    gathered.cut_at_most(there_after_all.len());
    for (order, was, since) in there_after_all {
        gathered.take(vec![order], |order| vec![after_all(order, was, since)])?;
    }
    gathered.take_of_each(
        store.orders_since(State::Unresolved, Timestamp::MIN, MOST)?,
        |order| {
            let nobody = nobody(order, name_of(&accounts, order.account), worked);
            vec![nobody.unwrap_or_else(|| unresolved(order))]
        },
    )?;
    gathered.take_of_each(
        store.orders_since(State::Canceling, Timestamp::MIN, MOST)?,
        |order| {
            let nobody = nobody(order, name_of(&accounts, order.account), worked);
            nobody.or_else(|| canceling(order, now)).into_iter().collect()
        },
    )?;
    let not_done = store.not_canceled(ago(ORDERS_TOLD), MOST)?;
    gathered.cut_at_most(not_done.len());
    gathered.take(not_done, |order| vec![not_canceled(order)])?;
    let waiting = store.orders_since(State::Held, Timestamp::MIN, MOST)?;
    let (there, files) = (there_already(store, &waiting)?, files_of(store, &waiting)?);
    gathered.take_of_each(waiting, |order| {
        // What is approved waits for no person: it is sent when its inbox sends again.
        let nobody = nobody(order, name_of(&accounts, order.account), worked);
        let waits = || {
            order
                .approved_total
                .is_none()
                .then(|| held(order, files.get(&order.claim), there.get(&order.id)))
        };
        nobody.or_else(waits).into_iter().collect()
    })?;
    gathered.take_of_each(
        store.orders_since(State::Refused, ago(ORDERS_TOLD), MOST)?,
        // One that was taken anew, and waits to be sent, is under way in its sheet.
        |order| order.was_decided().then(|| refused(order)).into_iter().collect(),
    )?;
    for sheet in store.sheets_to_fix(ago(SHEETS_TOLD))? {
        gathered.sheet(sheet);
    }
    let canceled = store.canceled_in_shop(ago(SHEETS_TOLD), MOST)?;
    gathered.cut_at_most(canceled.len());
    for one in canceled {
        let account = gathered.account(one.account);
        gathered.found.needs.push(in_shop::told(one, account));
    }
    for sheet in store.rejected_sheets(ago(SHEETS_TOLD))? {
        gathered.sheet(sheet);
    }
    for sheet in store.sheets_with_unread_tabs(ago(SHEETS_TOLD))? {
        gathered.sheet(sheet);
    }
    gathered.forgotten(worked)?;
    Ok(gathered.finish())
}

/// What is read so far, and the names that it needs.
struct Gathered<'a> {
    store: &'a Store<'a>,
    accounts: Vec<(AccountRef, String)>,
    stems: HashMap<ClaimRef, String>,
    found: Needs,
}

/// What is told of an order, without the names that only the ledger knows.
struct Told {
    kind: Kind,
    since: Timestamp,
    what: String,
    todo: String,
}

impl<'a> Gathered<'a> {
    fn new(store: &'a Store<'a>) -> Result<Self, LedgerError> {
        Ok(Self {
            accounts: store.accounts()?,
            store,
            stems: HashMap::new(),
            found: Needs::default(),
        })
    }

    /// Takes orders of which so many of each inbox were read.
    fn take_of_each(
        &mut self,
        orders: Vec<OrderRecord>,
        tell: impl Fn(&OrderRecord) -> Vec<Told>,
    ) -> Result<(), LedgerError> {
        let mut read: BTreeMap<&str, u32> = BTreeMap::new();
        for order in &orders {
            *read.entry(&order.inbox).or_default() += 1;
        }
        let full = read.into_iter().filter(|(_inbox, n)| *n >= MOST);
        let cut = full.map(|(inbox, _n)| Some(inbox.to_owned()));
        self.found.cut.extend(cut);
        self.take(orders, tell)
    }

    /// Notes that there may be more of a kind than the so many that were read of all inboxes.
    fn cut_at_most(&mut self, read: usize) {
        if u32::try_from(read).is_ok_and(|n| n >= MOST) {
            self.found.cut.insert(None);
        }
    }

    fn take(
        &mut self,
        orders: Vec<OrderRecord>,
        tell: impl Fn(&OrderRecord) -> Vec<Told>,
    ) -> Result<(), LedgerError> {
        for order in orders {
            let sheet = self.stem(order.claim)?;
            let account = self.account(order.account);
            for told in tell(&order) {
                self.found.needs.push(Need {
                    kind: told.kind,
                    since: told.since,
                    account: account.clone(),
                    inbox: order.inbox.clone(),
                    sheet: sheet.clone(),
                    order_id: Some(order.order_id.clone()),
                    pw_order_id: order.pw_order_id.clone(),
                    what: told.what,
                    todo: told.todo,
                });
            }
        }
        Ok(())
    }

    fn sheet(&mut self, sheet: NeedySheet) {
        let (kind, what, todo) = match sheet.need {
            SheetNeed::ToFix(n) => (
                Kind::ToFix,
                format!(
                    "{} of {} cannot be sent as {}.",
                    orders(n),
                    sheet.sheet_name,
                    if n == 1 { "it is" } else { "they are" }
                ),
                format!(
                    "Fix the rows in {} and {} that file.",
                    to_fix_of(&sheet),
                    again(&sheet)
                ),
            ),
            SheetNeed::Changed(n) => {
                let (what, todo) = changed::told(&sheet, n);
                (Kind::Changed, what, todo)
            }
            SheetNeed::Rejected => (
                Kind::Rejected,
                format!("{} could not be read; nothing of it was sent.", sheet.sheet_name),
                after_rejection(&sheet),
            ),
            SheetNeed::UnreadTab => (
                Kind::UnreadTab,
                format!(
                    "{} has more than one tab with orders; only the first was read.",
                    sheet.sheet_name
                ),
                format!(
                    "The result {} names the others. Save each as a file of its own and drop that.",
                    sheet.stem
                ),
            ),
        };
        self.found.needs.push(Need {
            kind,
            since: sheet.taken_at,
            account: self.account(sheet.account),
            inbox: sheet.inbox,
            sheet: sheet.stem,
            order_id: None,
            pw_order_id: None,
            what,
            todo,
        });
    }

    /// Originals that the ledger has forgotten, and inboxes of which that cannot be told, as far as they are worked.
    fn forgotten(&mut self, worked: &Configured) -> Result<(), LedgerError> {
        let sheets = self.store.forgotten(MOST)?;
        self.cut_at_most(sheets.len());
        let sheets = sheets.into_iter().map(|sheet| {
            let account = self.account(sheet.account);
            forgotten::sheet(sheet, account)
        });
        let sheets: Vec<Need> = sheets.collect();
        let recalls = self.store.recalls_in_trouble()?.into_iter();
        let inboxes = recalls.filter_map(|recall| forgotten::inbox(recall, worked));
        let told = sheets.into_iter().chain(inboxes);
        let told = told.filter(|need| worked.account_of(&need.inbox).is_some());
        self.found.needs.extend(told);
        Ok(())
    }

    fn stem(&mut self, claim: ClaimRef) -> Result<String, LedgerError> {
        if let Some(stem) = self.stems.get(&claim) {
            return Ok(stem.clone());
        }
        let stem = self.store.stem_of(claim)?.unwrap_or_default();
        self.stems.insert(claim, stem.clone());
        Ok(stem)
    }

    fn account(&self, account: AccountRef) -> String {
        name_of(&self.accounts, account).to_owned()
    }

    fn finish(mut self) -> Needs {
        self.found.more = !self.found.cut.is_empty();
        self.found.sort();
        self.found
    }
}

fn name_of(accounts: &[(AccountRef, String)], account: AccountRef) -> &str {
    let known = accounts.iter().find(|(id, _name)| *id == account);
    known.map_or("", |(_id, name)| name.as_str())
}

/// The to-fix sheet of a sheet, so that a person finds it: those of an inbox lie in its `results/`.
fn to_fix_of(sheet: &NeedySheet) -> String {
    match (&sheet.to_fix, &sheet.imported) {
        (Some(path), Some(_)) => path.clone(),
        (Some(path), None) => files::name_of(Path::new(path)),
        (None, _) => format!("{}.to-fix.xlsx", sheet.stem),
    }
}

/// How the file comes back to dropsheet.
fn again(sheet: &NeedySheet) -> &'static str {
    if sheet.imported.is_some() {
        "import"
    } else {
        "drop"
    }
}

fn orders(n: u64) -> String {
    if n == 1 {
        "1 order".to_owned()
    } else {
        format!("{n} orders")
    }
}

fn unresolved(order: &OrderRecord) -> Told {
    let came = order.came_told();
    let (what, todo) = match (&order.reason, order.came_hint()) {
        (None, None) => (
            format!("{came} when it was ordered; the service is being asked."),
            "Do not order it again. Most are settled without you; this line goes away then.".to_owned(),
        ),
        (None, Some(hint)) => (
            format!("{came}; it is being asked."),
            format!("Do not order it again. Most are settled without you; this line goes away then. {hint}"),
        ),
        (Some(reason), _) => (
            format!(
                "{came}, and a person has to decide: {}.",
                reason.words(&order.order_id)
            ),
            format!(
                "Ask the print service whether it has the order, then have the operator run `dropsheet orders resolve {} \
                 --created {}`, `--resend` or `--abandon`.",
                order.order_id,
                reason.may_be().unwrap_or("PW…")
            ),
        ),
    };
    Told {
        kind: Kind::Unresolved,
        since: order.changed_at,
        what,
        todo,
    }
}

fn canceling(order: &OrderRecord, now: Timestamp) -> Option<Told> {
    let reason = order.reason.as_ref();
    if let Some(reason) = reason.filter(|reason| reason.is_unknown_there()) {
        return Some(Told {
            kind: Kind::Canceling,
            since: order.changed_at,
            what: format!(
                "Its cancel is not confirmed, and a person has to decide: {}.",
                reason.words(&order.order_id)
            ),
            todo: format!(
                "Ask the print service whether it is canceled; if it is, have the operator run `dropsheet orders resolve {} \
                 --abandon`, which ends it.",
                order.order_id
            ),
        });
    }
    if let Some(reason) = reason.filter(|_| order.pw_order_id.is_none()) {
        return Some(Told {
            kind: Kind::Canceling,
            since: order.changed_at,
            what: format!(
                "A cancel waits until it is known whether the service has the order, and a person has to decide: {}.",
                reason.words(&order.order_id)
            ),
            todo: format!(
                "Ask the print service whether it has the order, then have the operator run `dropsheet orders resolve {} \
                 --created PW…`, which has it canceled, or `--abandon`, which ends it.",
                order.order_id
            ),
        });
    }
    (now.duration_since(order.changed_at) >= CANCEL_PATIENCE).then(|| Told {
        kind: Kind::Canceling,
        since: order.changed_at,
        what: match order.pw_order_id {
            Some(_) => "A cancel is asked for again and again, and the service does not answer.".to_owned(),
            None => "A cancel waits until it is known whether the service has the order.".to_owned(),
        },
        todo: "Ask the print service to cancel it.".to_owned(),
    })
}

fn not_canceled(order: &OrderRecord) -> Told {
    Told {
        kind: Kind::NotCanceled,
        since: order.changed_at,
        what: format!("The service refused to cancel it: {}", order.note),
        todo: "It is still printing. Ask the print service, or let it be delivered.".to_owned(),
    }
}

fn refused(order: &OrderRecord) -> Told {
    Told {
        kind: Kind::Refused,
        since: order.changed_at,
        what: format!("The service refused it: {}", order.note),
        todo: "Fix what it names and drop the order again.".to_owned(),
    }
}

/// What to do about a rejected sheet. A list of held orders is known by its name: mending it would be of no use.
fn after_rejection(sheet: &NeedySheet) -> String {
    match &sheet.imported {
        Some(path) => format!("`dropsheet check {path}` says why. Mend the sheet and import it again."),
        None if sheet.sheet_name.ends_with(ENDING) => {
            "A list of held orders belongs in approved/ or declined/: move it there from rejected/, where the reason lies \
             beside it."
                .to_owned()
        }
        None => "The reason lies beside it in rejected/. Mend the sheet and drop it again.".to_owned(),
    }
}

#[cfg(test)]
mod tests;
