//! The status as a page for a person: what is wrong is said with what to do about it.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::Shown;
use crate::attention::{Kind, Need};
use crate::cli::{print, shown};
use crate::status::catalogs::CatalogNews;
use crate::status::{FolderStatus, InboxStatus, NotFollowed, SheetStatus, Status, not_told};

/// The most files left alone that are shown of an inbox.
const LEFT_ALONE: usize = 5;

pub(super) fn text(shown: &Shown, zone: &TimeZone) -> String {
    let status = &shown.status;
    let parts = [
        ledger(shown, zone),
        inboxes(&status.inboxes, status.at),
        under_way(status, shown.ledger.is_idle(), zone),
        stranded(&status.under_way),
        not_sent(&status.attention.needs),
        forgotten(&status.attention.needs, zone),
        at_service(&status.attention.needs, zone),
        orders(shown),
        unresolved(status),
        not_followed(&status.not_followed),
        held(status),
        problems(status, zone),
        ended(&status.done, zone),
        catalogs(&status.catalogs),
    ];
    let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    parts.join("\n")
}

fn ledger(shown: &Shown, zone: &TimeZone) -> String {
    let path = shown.ledger.path.display();
    let at = shown::moment(shown.status.at, zone);
    let who = match (&shown.ledger.held_by, &shown.ledger.trouble) {
        (Some(holder), _) if shown.config_changed => format!(
            "at work: {}; its config was changed since it began, which does not count yet: end it and start it again",
            shown::plain(holder)
        ),
        (Some(holder), _) => format!("at work: {}", shown::plain(holder)),
        (None, Some(trouble)) => format!("whether dropsheet runs is not known: {trouble}"),
        (None, None) => "not at work: start it with `dropsheet run`".to_owned(),
    };
    if shown.ledger.exists {
        let backed_up = shown.status.backed_up_at.map_or_else(String::new, |at| {
            format!(", backed up at {}", shown::moment(at, zone))
        });
        let full = if shown.ledger.nearly_full {
            "The ledger's disk is nearly full: make room, or dropsheet stops; where it has stopped, start it again then.\n"
        } else {
            ""
        };
        let failed = shown
            .status
            .not_backed_up
            .as_ref()
            .map_or_else(String::new, |why| {
                format!("Its daily backup failed: {}\n", shown::plain(why))
            });
        let mut not_told = String::new();
        for failed in &shown.status.not_told {
            not_told.push_str(&shown::plain(&not_told::told(failed, zone)));
            not_told.push_str(".\n");
        }
        format!("{at}  ledger {path}{backed_up}\ndropsheet is {who}\n{full}{failed}{not_told}")
    } else if shown.ledger.lost {
        format!(
            "{at}  the ledger {path} is gone\nOne was worked here. Do not start dropsheet: put the newest backup in its place, \
             or run `dropsheet ledger rebuild` where there is none; \"What is kept where\" in the README has each step.\n"
        )
    } else {
        format!(
            "{at}  there is no ledger at {path} yet\nMake the inboxes with `dropsheet init`, then start `dropsheet \
             run`; `dropsheet demo` shows the whole job without either.\n"
        )
    }
}

/// What has changed in the catalogs.
fn catalogs(news: &[CatalogNews]) -> String {
    let line = |news: &CatalogNews| {
        let changed = shown::plain(&news.changed);
        format!(
            "The catalog of {} in the last seven days: {changed}\n",
            news.account
        )
    };
    news.iter().map(line).collect()
}

/// Sheets that nobody works, by inbox.
fn stranded(sheets: &[SheetStatus]) -> String {
    let mut counts = BTreeMap::new();
    for sheet in sheets.iter().filter(|sheet| sheet.stranded) {
        *counts.entry(sheet.inbox.as_str()).or_insert(0_u32) += 1;
    }
    let line = |(inbox, n): (&str, u32)| {
        format!(
            "{n} of them wait in inbox `{inbox}`, which is not in the config: put [inbox.{inbox}] back to have them \
             finished\n"
        )
    };
    counts.into_iter().map(line).collect()
}

/// Orders that are to be sent, or may have to be sent again, and that nobody sends, by what is to be done.
fn not_sent(needs: &[Need]) -> String {
    let mut orders: BTreeMap<(&str, &str), Vec<&str>> = BTreeMap::new();
    for need in needs.iter().filter(|need| need.kind == Kind::Stranded) {
        let order_id = need.order_id.as_deref().unwrap_or_default();
        orders.entry((&need.what, &need.todo)).or_default().push(order_id);
    }
    let line = |((what, todo), orders): ((&str, &str), Vec<&str>)| {
        let first = orders.first().copied().unwrap_or_default();
        let more = match orders.len() {
            0 | 1 => String::new(),
            several => format!(" and {} more", several - 1),
        };
        shown::plain(&format!("Order {first}{more}: {what} {todo}")) + "\n"
    };
    orders.into_iter().map(line).collect()
}

/// What a ledger that was put back from a backup has forgotten.
fn forgotten(needs: &[Need], zone: &TimeZone) -> String {
    let forgotten: Vec<&Need> = needs.iter().filter(|need| need.kind == Kind::Forgotten).collect();
    if forgotten.is_empty() {
        return String::new();
    }
    let mut text = shown::table(
        ["Forgotten", "inbox", "found"],
        forgotten.iter().take(SHEETS).map(|need| {
            [
                need.sheet.clone(),
                need.inbox.clone(),
                shown::moment(need.since, zone),
            ]
        }),
    );
    if forgotten.len() > SHEETS {
        let more = format!(
            "and {} more; attention.xlsx has them all\n",
            forgotten.len() - SHEETS
        );
        text.push_str(&more);
    }
    let said: BTreeSet<(&str, &str)> = forgotten
        .iter()
        .map(|need| (need.what.as_str(), need.todo.as_str()))
        .collect();
    for (what, todo) in said {
        text.push_str(&shown::plain(&format!("{what} {todo}")));
        text.push('\n');
    }
    text
}

/// The most forgotten sheets that are shown.
const SHEETS: usize = 20;

/// The most orders at the service that are shown; all are in `attention.xlsx`.
const AT_SERVICE: usize = 10;

/// What needs a person of orders that the service has; the rest has tables of its own.
fn at_service(needs: &[Need], zone: &TimeZone) -> String {
    let is_there = |need: &&Need| match need.kind {
        Kind::Problem
        | Kind::Missing
        | Kind::Duplicate
        | Kind::AfterAll
        | Kind::Canceling
        | Kind::NotCanceled
        | Kind::CanceledInShop
        | Kind::TotalDiffers => true,
        Kind::Unresolved
        | Kind::Held
        | Kind::Stranded
        | Kind::Refused
        | Kind::ToFix
        | Kind::Changed
        | Kind::Rejected
        | Kind::UnreadTab
        | Kind::Forgotten => false,
    };
    let there: Vec<&Need> = needs.iter().filter(is_there).collect();
    if there.is_empty() {
        return String::new();
    }
    let mut text = shown::table(
        ["At the service", "what", "since", "service id", "what happened"],
        there.iter().take(AT_SERVICE).map(|need| {
            [
                need.order_id.clone().unwrap_or_default(),
                need.kind.word().to_owned(),
                shown::moment(need.since, zone),
                need.pw_order_id.clone().unwrap_or_default(),
                need.what.clone(),
            ]
        }),
    );
    if there.len() > AT_SERVICE {
        let more = format!(
            "and {} more; attention.xlsx has them all\n",
            there.len() - AT_SERVICE
        );
        text.push_str(&more);
    }
    text
}

fn inboxes(inboxes: &[InboxStatus], now: Timestamp) -> String {
    if inboxes.is_empty() {
        return "The config has no inbox: add [inbox.main] with path = \"orders\".\n".to_owned();
    }
    let mut text = shown::table(
        ["inbox", "state", "last look", "folder"],
        inboxes.iter().map(|inbox| {
            let look = inbox.looked_at.map_or_else(
                || "never".to_owned(),
                |at| format!("{} ago", shown::span(shown::age(at, now))),
            );
            let state = state(inbox).to_owned();
            [inbox.name.clone(), state, look, inbox.path.display().to_string()]
        }),
    );
    for inbox in inboxes {
        for note in notes(inbox) {
            let line = format!("  {}: {}\n", inbox.name, shown::plain(&note));
            text.push_str(&line);
        }
    }
    text
}

fn state(inbox: &InboxStatus) -> &'static str {
    match &inbox.folder {
        Some(folder) if folder.advice.is_some() => "NOT WORKED",
        Some(folder) if folder.stopped => "STOPPED",
        Some(_) | None => "ready",
    }
}

/// What is to be said of an inbox, a line each.
fn notes(inbox: &InboxStatus) -> Vec<String> {
    let mut notes = Vec::new();
    if let Some(folder) = &inbox.folder {
        notes.extend(folder.advice.clone());
        if folder.stopped {
            notes.push(
                "a file named STOP lies in its folder, so nothing is sent; remove it to go on".to_owned(),
            );
        }
        notes.extend(
            folder
                .untold
                .as_ref()
                .map(|why| format!("its STATUS.txt is not written: {why}; rename what lies there")),
        );
    }
    // What its folder shows now is newer than what the last look has said of it.
    let folder = inbox.folder.as_ref();
    if folder.is_none_or(|folder| folder.advice.is_none()) {
        notes.extend(inbox.trouble.clone());
    }
    notes.extend(
        inbox
            .waits_for
            .as_ref()
            .map(|why| format!("its orders wait: {why}")),
    );
    if inbox.nearly_full {
        notes.push("its disk is nearly full; make room".to_owned());
    }
    if inbox.waiting > 0 {
        notes.push(format!("files still changing or not whole: {}", inbox.waiting));
        let named = inbox.waiting_files.iter();
        notes.extend(named.map(|file| format!("not taken yet: {}: {}", file.path, file.why)));
        let more = shown::more_waiting(inbox);
        notes.extend((more > 0).then(|| format!("not taken yet: {more} more")));
    }
    let unreadable = inbox.unreadable.iter();
    notes.extend(unreadable.map(|file| format!("cannot be read: {}: {}", file.path, file.why)));
    let rejected = inbox.rejected.iter();
    notes.extend(rejected.map(|file| format!("rejected: {}: {}", file.path, file.why)));
    let left = inbox.left_alone.iter().take(LEFT_ALONE);
    notes.extend(left.map(|file| format!("left alone: {}: {}", file.path, file.why)));
    if let Some(more) = inbox
        .left_alone
        .len()
        .checked_sub(LEFT_ALONE)
        .filter(|more| *more > 0)
    {
        notes.push(format!("left alone: {more} more; --json has them all"));
    }
    notes
}

/// Whether the orders of an inbox wait: the rate until then says nothing of when they go on.
fn waits(inbox: &InboxStatus) -> bool {
    let is_stopped = |folder: &FolderStatus| folder.stopped || folder.advice.is_some();
    inbox.waits_for.is_some() || inbox.folder.as_ref().is_some_and(is_stopped)
}

fn under_way(status: &Status, is_idle: bool, zone: &TimeZone) -> String {
    let sheets = &status.under_way;
    if sheets.is_empty() {
        return String::new();
    }
    shown::table(
        [
            "Sheets under way",
            "inbox",
            "taken",
            "orders",
            "a minute",
            "done at",
        ],
        sheets.iter().map(|sheet| {
            let of = sheet
                .pace
                .map_or_else(String::new, |pace| format!(" of {}", pace.of));
            let waits = is_idle || status.inbox(&sheet.inbox).is_some_and(waits);
            let pace = sheet.pace.filter(|_| !waits);
            let rate = pace.and_then(|pace| pace.per_minute);
            let end = pace.and_then(|pace| pace.ends_at);
            let end = end.map_or_else(String::new, |end| shown::moment(end, zone));
            [
                sheet.sheet.clone(),
                sheet.inbox.clone(),
                shown::moment(sheet.taken_at, zone),
                format!("{}{of}", sheet.orders),
                rate.map_or_else(String::new, |rate| rate.to_string()),
                if waits { "it waits".to_owned() } else { end },
            ]
        }),
    )
}

fn ended(sheets: &[SheetStatus], zone: &TimeZone) -> String {
    if sheets.is_empty() {
        return String::new();
    }
    shown::table(
        ["Newest sheets", "inbox", "taken", "state", "orders", "result"],
        sheets.iter().map(|sheet| {
            [
                sheet.sheet.clone(),
                sheet.inbox.clone(),
                shown::moment(sheet.taken_at, zone),
                sheet.state.to_owned(),
                sheet.orders.to_string(),
                sheet.result.clone().unwrap_or_default(),
            ]
        }),
    )
}

fn orders(shown: &Shown) -> String {
    if !shown.ledger.exists {
        return String::new();
    }
    let status = &shown.status;
    if status.orders.is_empty() {
        return "No orders yet.\n".to_owned();
    }
    let counts = status.orders.iter();
    let counts: Vec<String> = counts
        .map(|count| format!("{} {}", count.orders, count.state))
        .collect();
    format!("{}  {}\n", print::bold("Orders"), counts.join(", "))
}

fn unresolved(status: &Status) -> String {
    if status.unresolved.is_empty() {
        return String::new();
    }
    let table = shown::table(
        ["Unresolved", "account", "since", "looked up", "why"],
        status.unresolved.iter().map(|order| {
            [
                order.order_id.clone(),
                order.account.clone(),
                shown::span(Duration::from_secs(order.age_seconds)),
                format!("{} times", order.looks),
                order.why.clone(),
            ]
        }),
    );
    let persons = status
        .unresolved
        .iter()
        .filter(|order| order.needs_person)
        .count();
    let advice = if persons == 0 {
        "The service is being asked; do not order them again.".to_owned()
    } else {
        let need = if persons == 1 { "needs" } else { "need" };
        format!(
            "{persons} of them {need} a person: ask the print service whether it has them; `dropsheet orders show ORDER` \
             tells all that is known."
        )
    };
    format!("{table}{advice}\n")
}

fn not_followed(accounts: &[NotFollowed]) -> String {
    let line = |of: &NotFollowed| shown::plain(&format!("{}. {}", of.what(), of.todo())) + "\n";
    accounts.iter().map(line).collect()
}

fn held(status: &Status) -> String {
    if status.held.is_empty() {
        return String::new();
    }
    let mut text = shown::table(
        ["Held", "inbox", "total", "why"],
        status.held.iter().map(|order| {
            [
                order.order_id.clone(),
                order.inbox.clone(),
                order.total.map(|total| total.to_string()).unwrap_or_default(),
                order.approved.map_or_else(
                    || order.why.clone(),
                    |most| {
                        let why = order
                            .waits
                            .as_ref()
                            .map(|why| format!(": {why}"))
                            .unwrap_or_default();
                        format!("approved, at most at {most}; not sent yet{why}")
                    },
                ),
            ]
        }),
    );
    for held in &status.held_totals {
        let total = held
            .total
            .map_or_else(|| "unknown".to_owned(), |total| total.to_string());
        let currency = held.currency.as_deref().unwrap_or_default();
        text.push_str(
            format!(
                "{} held in account {}, in all {total} {currency}",
                held.orders, held.account
            )
            .trim_end(),
        );
        text.push('\n');
    }
    text
}

fn problems(status: &Status, zone: &TimeZone) -> String {
    if status.problems.is_empty() {
        return String::new();
    }
    shown::table(
        ["Problems", "row", "order", "status", "taken", "why"],
        status.problems.iter().map(|problem| {
            let why = if problem.note.is_empty() {
                problem.codes.join(" ")
            } else {
                problem.note.clone()
            };
            [
                problem.sheet.clone(),
                problem.row.to_string(),
                problem.order_id.clone(),
                problem.status.to_owned(),
                shown::moment(problem.taken_at, zone),
                why,
            ]
        }),
    )
}
