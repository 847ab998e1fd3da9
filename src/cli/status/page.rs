//! The status as a page for a person: what is wrong is said with what to do about it.

use std::time::Duration;

use jiff::tz::TimeZone;

use super::{InboxStatus, SheetStatus, Status};
use crate::attention::{Kind, Need};
use crate::cli::{print, shown};

pub(super) fn text(status: &Status, zone: &TimeZone) -> String {
    let parts = [
        ledger(status, zone),
        inboxes(&status.inboxes),
        sheets("Sheets under way", &status.under_way, zone),
        orders(status),
        unresolved(status),
        held(status),
        problems(status, zone),
        at_service(&status.attention, zone),
        sheets("Newest sheets", &status.done, zone),
    ];
    let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    parts.join("\n")
}

fn ledger(status: &Status, zone: &TimeZone) -> String {
    let path = status.ledger.path.display();
    let at = shown::moment(status.at, zone);
    let who = match (&status.ledger.held_by, &status.ledger.trouble) {
        (Some(holder), _) => format!("at work: {}", shown::plain(holder)),
        (None, Some(trouble)) => format!("whether dropsheet runs is not known: {trouble}"),
        (None, None) => "not at work: start it with `dropsheet run`".to_owned(),
    };
    if status.ledger.exists {
        format!("{at}  ledger {path}\ndropsheet is {who}\n")
    } else {
        format!(
            "{at}  there is no ledger at {path} yet\nMake the inboxes with `dropsheet init`, then start `dropsheet \
             run`; `dropsheet demo` shows the whole job without either.\n"
        )
    }
}

fn inboxes(inboxes: &[InboxStatus]) -> String {
    if inboxes.is_empty() {
        return "The config has no inbox: add [inbox.main] with path = \"orders\".\n".to_owned();
    }
    let state = |inbox: &InboxStatus| match (&inbox.advice, inbox.stopped) {
        (Some(_advice), _) => "NOT WORKED",
        (None, true) => "STOPPED",
        (None, false) => "ready",
    };
    let mut text = shown::table(
        ["inbox", "state", "folder"],
        inboxes.iter().map(|inbox| {
            [
                inbox.name.clone(),
                state(inbox).to_owned(),
                inbox.path.display().to_string(),
            ]
        }),
    );
    for inbox in inboxes {
        if let Some(advice) = &inbox.advice {
            let line = format!("  {}: {}\n", inbox.name, shown::plain(advice));
            text.push_str(&line);
        }
        if inbox.stopped {
            let line = format!(
                "  {}: a file named STOP lies in its folder, so nothing is sent; remove it to go on\n",
                inbox.name
            );
            text.push_str(&line);
        }
    }
    text
}

/// The most of them that are shown; all are in `attention.xlsx`.
const AT_SERVICE: usize = 10;

/// What needs a person of orders that the service has; the rest has tables of its own.
fn at_service(needs: &[Need], zone: &TimeZone) -> String {
    let is_there = |need: &&Need| match need.kind {
        Kind::Problem
        | Kind::Missing
        | Kind::Duplicate
        | Kind::Canceling
        | Kind::NotCanceled
        | Kind::TotalDiffers => true,
        Kind::Unresolved | Kind::Held | Kind::Refused | Kind::ToFix | Kind::Rejected => false,
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

fn sheets(heading: &str, sheets: &[SheetStatus], zone: &TimeZone) -> String {
    if sheets.is_empty() {
        return String::new();
    }
    shown::table(
        [heading, "inbox", "taken", "state", "orders", "result"],
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

fn orders(status: &Status) -> String {
    if !status.ledger.exists {
        return String::new();
    }
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
        format!(
            "{persons} of them need a person: look at the service whether it has them; `dropsheet orders show ORDER` \
             tells all that is known."
        )
    };
    format!("{table}{advice}\n")
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
                order.why.clone(),
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
