//! What a person is told of: sheets that need one, and what keeps dropsheet from working. Pure. It names orders and
//! files, and counts; never a customer's name or address, nor the service's words, which could hold them.

mod folders;
mod held;

use std::collections::BTreeMap;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use serde::Serialize;

use crate::attention::{Kind as Needed, Need};
use crate::outcome;
use crate::status::Status;
use crate::status::text::span;

/// Sheets that ended longer ago are not told of.
const NEWS: SignedDuration = SignedDuration::from_hours(7 * 24);

/// A service that is away for less is not worth a person's time.
const AWAY: Duration = Duration::from_hours(1);

/// The most orders that are told of one by one at once.
const ORDERS: usize = 50;

/// What a concern is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// A sheet is done, and rows of it need a person.
    Sheet,
    /// A file or a sheet was rejected.
    Rejected,
    /// Orders have waited long for approval.
    Held,
    /// An order without an answer needs a person's decision.
    Unresolved,
    /// Something is wrong with an order at the service.
    Order,
    /// The service refuses an account's password, or the account is set up wrongly.
    Account,
    /// The service does not answer.
    Away,
    /// An inbox cannot be worked: its share is away, say.
    Folder,
    /// A disk is nearly full.
    Disk,
    /// The ledger cannot be backed up.
    Backup,
    /// The program has stopped by itself: its ledger cannot be kept, say.
    Stopped,
}

/// Something that a person is told of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Concern {
    /// Names it, the same for as long as it is the same.
    pub key: String,
    /// What it is about.
    pub kind: Kind,
    /// The inbox or the account; empty where it is neither's.
    pub place: String,
    /// What is so, in a sentence.
    pub what: String,
    /// What to do about it.
    pub advice: String,
    /// Orders by status, of a sheet.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub orders: BTreeMap<&'static str, u64>,
    /// Whether it goes on until somebody does something; else it has happened, and is told once.
    #[serde(skip)]
    pub lasts: bool,
    /// What has told it already, unless that was told before this happened.
    #[serde(skip)]
    pub after: Option<After>,
}

/// Something came after another concern was told; where that one was not, it tells this too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct After {
    /// The other concern's key.
    pub key: String,
    /// When it came.
    pub since: Timestamp,
}

/// A sheet at its end.
#[derive(Clone, Debug)]
pub struct Ended {
    /// The inbox.
    pub inbox: String,
    /// The sheet.
    pub sheet: String,
    /// Names it among the inbox's sheets.
    pub stem: String,
    /// When it was taken.
    pub taken_at: Timestamp,
    /// Whether it was rejected as a whole.
    pub rejected: bool,
    /// Its orders by status.
    pub orders: Vec<(outcome::Status, u64)>,
}

/// A file that was rejected without being taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Untaken {
    /// The inbox.
    pub inbox: String,
    /// Its name as it came.
    pub name: String,
    /// Its name in `rejected/`, which no other file has.
    pub place: String,
}

/// How an account's service does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Service {
    /// It answers, or nobody has asked.
    Well,
    /// It has been away for so long.
    Away(Duration),
    /// It refuses the credentials.
    Credentials,
    /// It accepts them, and refuses what is asked with them.
    Denied,
    /// The account is set up wrongly.
    Setup,
}

/// All that concerns are made from.
#[derive(Debug)]
pub struct Situation<'a> {
    /// What is so by the ledger.
    pub status: &'a Status,
    /// The sheets that have ended lately.
    pub ended: &'a [Ended],
    /// Files that were rejected without being taken.
    pub rejected: &'a [Untaken],
    /// Each account and its service.
    pub services: &'a [(String, Service)],
    /// Whether the ledger's own disk is nearly full.
    pub disk_is_full: bool,
    /// Since when anybody is told at all.
    pub began: Timestamp,
    /// What has waited for so long is told.
    pub patience: Duration,
}

/// Everything that a person should know now.
pub fn concerns(seen: &Situation<'_>) -> Vec<Concern> {
    let mut all = Vec::new();
    let newest = seen
        .status
        .at
        .checked_sub(NEWS)
        .unwrap_or(seen.began)
        .max(seen.began);
    let ended = seen.ended.iter().filter(|sheet| sheet.taken_at >= newest);
    all.extend(ended.filter_map(sheet));
    let needs = seen.status.attention.needs.iter();
    let needs = needs.filter(|need| need.since >= newest);
    all.extend(needs.filter_map(|need| unread(need).or_else(|| refused(need))));
    all.extend(
        seen.rejected
            .iter()
            .map(|file| rejected(&file.inbox, &file.name, &file.place)),
    );
    all.extend(
        seen.services
            .iter()
            .filter_map(|(account, is)| service(account, is)),
    );
    all.extend(folders::told(seen));
    all.extend(waiting(seen));
    all
}

/// Leaves as many orders among what is to be told as are told of one by one, the first; gives what is said of the others.
pub fn shorten(due: &mut Vec<&Concern>) -> Option<Concern> {
    let before = due.len();
    let mut orders = 0_usize;
    due.retain(|concern| match concern.kind {
        Kind::Order | Kind::Unresolved => {
            orders = orders.saturating_add(1);
            orders <= ORDERS
        }
        Kind::Sheet
        | Kind::Rejected
        | Kind::Held
        | Kind::Account
        | Kind::Away
        | Kind::Folder
        | Kind::Disk
        | Kind::Backup
        | Kind::Stopped => true,
    });
    let what = match before.saturating_sub(due.len()) {
        0 => return None,
        1 => "1 more order needs a person.".to_owned(),
        others => format!("{others} more orders need a person."),
    };
    let advice = "`dropsheet status` and the attention.xlsx of each inbox list them.";
    Some(lasting("more-orders".to_owned(), (Kind::Order, ""), what, advice))
}

/// What has stopped the program.
pub fn stopped(why: &str) -> Concern {
    lasting(
        "stopped".to_owned(),
        (Kind::Stopped, ""),
        format!("dropsheet has stopped: {why}."),
        "Until that is mended and it is started again, nothing is taken and nothing is sent. Nothing is lost: it goes \
         on where it was.",
    )
}

fn sheet(sheet: &Ended) -> Option<Concern> {
    if sheet.rejected {
        return Some(rejected(&sheet.inbox, &sheet.sheet, &sheet.stem));
    }
    let orders: BTreeMap<&'static str, u64> = sheet
        .orders
        .iter()
        .filter(|(status, n)| status.needs_a_person() && *n > 0)
        .map(|(status, n)| (status.word(), *n))
        .collect();
    if orders.is_empty() {
        return None;
    }
    let counts: Vec<String> = orders.iter().map(|(word, n)| format!("{n} {word}")).collect();
    Some(Concern {
        key: key_of_sheet(&sheet.inbox, &sheet.stem),
        kind: Kind::Sheet,
        place: sheet.inbox.clone(),
        what: format!(
            "{} is done, and orders of it need a person: {}.",
            sheet.sheet,
            counts.join(", ")
        ),
        advice: format!(
            "Open the files of {} in results/; the first page says what to do.",
            sheet.stem
        ),
        orders,
        lasts: false,
        after: None,
    })
}

fn key_of_sheet(inbox: &str, stem: &str) -> String {
    format!("sheet:{inbox}/{stem}")
}

/// An order that the service refused after its sheet was told of: one that was approved later, say.
fn refused(need: &Need) -> Option<Concern> {
    let order = need
        .order_id
        .as_deref()
        .filter(|_| need.kind == Needed::Refused)?;
    Some(Concern {
        key: need.key(),
        kind: Kind::Order,
        place: need.inbox.clone(),
        what: format!("The service refused order {order} of inbox {}.", need.inbox),
        advice: format!(
            "Open the files of {} in results/, fix what the service names, and drop the order again.",
            need.sheet
        ),
        orders: BTreeMap::new(),
        lasts: false,
        after: Some(After {
            key: key_of_sheet(&need.inbox, &need.sheet),
            since: need.since,
        }),
    })
}

/// A workbook of which one sheet was read alone, while others hold orders too.
fn unread(need: &Need) -> Option<Concern> {
    (need.kind == Needed::UnreadTab).then(|| Concern {
        key: format!("unread-tab:{}/{}", need.inbox, need.sheet),
        kind: Kind::Sheet,
        place: need.inbox.clone(),
        what: need.what.clone(),
        advice: need.todo.clone(),
        orders: BTreeMap::new(),
        lasts: false,
        after: None,
    })
}

/// A file of the same name may be rejected again: it is another by `place`, what names it in `rejected/`.
fn rejected(inbox: &str, name: &str, place: &str) -> Concern {
    Concern {
        key: format!("rejected:{inbox}/{place}"),
        kind: Kind::Rejected,
        place: inbox.to_owned(),
        what: format!("{name} was rejected; nothing of it was sent."),
        advice: "Read the text file beside it in rejected/.".to_owned(),
        orders: BTreeMap::new(),
        lasts: false,
        after: None,
    }
}

fn service(account: &str, service: &Service) -> Option<Concern> {
    let (kind, word, what, advice) = match service {
        Service::Well => return None,
        Service::Away(since) if *since < AWAY => return None,
        Service::Away(since) => (
            Kind::Away,
            "away",
            format!(
                "The service of account {account} has not answered for {}.",
                span(*since)
            ),
            "Orders wait and are sent when it answers; ask the service what is wrong.",
        ),
        Service::Credentials => (
            Kind::Account,
            "credentials",
            format!("The service refuses the password of account {account}: nothing is sent."),
            "Correct the password where the config says it is: it is tried as soon as it is another one.",
        ),
        Service::Denied => (
            Kind::Account,
            "denied",
            format!(
                "The service accepts the login of account {account} and refuses the rest: nothing is sent."
            ),
            "Look into STATUS.txt for its words: another program may use the account, or the account may be blocked. \
             Settle that; it is tried again now and then.",
        ),
        Service::Setup => (
            Kind::Account,
            "setup",
            format!("Account {account} is set up wrongly: nothing is sent."),
            "Check base_url in the config and start dropsheet again; `dropsheet doctor` says more.",
        ),
    };
    Some(lasting(
        format!("{word}:{account}"),
        (kind, account),
        what,
        advice,
    ))
}

fn lasting(key: String, (kind, place): (Kind, &str), what: String, advice: &str) -> Concern {
    Concern {
        key,
        kind,
        place: place.to_owned(),
        what,
        advice: advice.to_owned(),
        orders: BTreeMap::new(),
        lasts: true,
        after: None,
    }
}

/// What is wrong with an order at the service, without the service's words. What its sheet tells is told with that.
fn at_service(need: &Need) -> Option<Concern> {
    match need.kind {
        Needed::Problem
        | Needed::Missing
        | Needed::Duplicate
        | Needed::AfterAll
        | Needed::Canceling
        | Needed::NotCanceled
        | Needed::Stranded
        | Needed::TotalDiffers => {}
        Needed::Unresolved
        | Needed::CanceledInShop
        | Needed::Held
        | Needed::Refused
        | Needed::ToFix
        | Needed::Changed
        | Needed::Rejected
        | Needed::UnreadTab
        | Needed::Forgotten => return None,
    }
    let order = need.order_id.as_deref()?;
    Some(lasting(
        need.key(),
        (Kind::Order, &need.inbox),
        format!(
            "Order {order} of inbox {} needs a person: {}.",
            need.inbox,
            need.kind.word()
        ),
        &format!("`dropsheet orders show {order}` and the inbox's STATUS.txt tell more."),
    ))
}

/// What a ledger that was put back from a backup has forgotten, once an inbox: there may be many sheets.
fn forgotten(needs: &[Need]) -> Vec<Concern> {
    let mut counts = BTreeMap::new();
    for need in needs.iter().filter(|need| need.kind == Needed::Forgotten) {
        *counts.entry(need.inbox.as_str()).or_insert(0_u32) += 1;
    }
    let tell = |(inbox, _n): (&str, u32)| {
        lasting(
            format!("forgotten:{inbox}"),
            (Kind::Sheet, inbox),
            format!(
                "The ledger was put back from a backup, and does not know what became of sheets of inbox {inbox}."
            ),
            "The inbox's STATUS.txt and `dropsheet status` name them, and say what to do.",
        )
    };
    counts.into_iter().map(tell).collect()
}

fn waiting(seen: &Situation<'_>) -> Vec<Concern> {
    let mut all: Vec<Concern> = seen
        .status
        .unresolved
        .iter()
        .filter(|order| order.needs_person)
        .map(|order| {
            lasting(
                format!("person:{}/{}", order.account, order.order_id),
                (Kind::Unresolved, &order.account),
                format!("Order {} has no answer of the service, and a person has to decide.", order.order_id),
                &format!(
                    "Ask the print service whether it has the order; `dropsheet orders show {}` tells what is known.",
                    order.order_id
                ),
            )
        })
        .collect();
    all.extend(seen.status.attention.needs.iter().filter_map(at_service));
    all.extend(forgotten(&seen.status.attention.needs));
    all.extend(held::told(seen));
    all
}

#[cfg(test)]
mod tests;
