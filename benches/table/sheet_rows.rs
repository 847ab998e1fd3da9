//! What reading and writing sheets costs: the time to the first create, a known sheet, a check, and memory.

use std::path::{Path, PathBuf};

use crate::home::Home;
use crate::process::Taken;
use crate::sandbox::Sandbox;
use crate::sheets::{self, Prices};
use crate::turns::{Between, between};
use crate::{Result, Row, Size, bare};

/// Enough in flight to hide a latency.
const ACCOUNT: &str = "max_in_flight = 128";

/// The latency of the service, and twice that in seconds: a price and a create.
const LATENCY: (&str, f64) = ("20ms", 0.04);

/// A kind of sheet, and what is asked of it.
struct Kind {
    ending: &'static str,
    again: &'static str,
    memory: &'static str,
    large_memory: &'static str,
}

const KINDS: [Kind; 2] = [
    Kind {
        ending: "csv",
        again: "≤ 2.0",
        memory: "≤ 48 MB",
        large_memory: "≤ 128 MB",
    },
    Kind {
        ending: "xlsx",
        again: "≤ 1.3",
        memory: "≤ 110 MB",
        large_memory: "≤ 450 MB",
    },
];

pub(crate) fn measure(size: Size) -> Result<Vec<Row>> {
    let folder = tempfile::tempdir()?;
    let mut rows = Vec::new();
    for kind in &KINDS {
        first_and_again(kind, size, folder.path(), &mut rows)?;
    }
    rows.push(check(size, folder.path())?);
    for kind in &KINDS {
        rows.push(large(kind, size, folder.path())?);
    }
    Ok(rows)
}

/// Makes a sheet with an ending.
pub(crate) fn make(folder: &Path, ending: &str, orders: u32) -> Result<PathBuf> {
    let path = folder.join(format!("orders.{ending}"));
    if ending == "xlsx" {
        sheets::xlsx(&path, orders)?;
    } else {
        sheets::csv(&path, orders, Prices::Many)?;
    }
    Ok(path)
}

/// How often the first create is waited for: in the tenth of a second that it takes one slow sync is much.
const FIRSTS: usize = 5;

/// From taking a sheet to its first create, and what the bare parse takes at that time: the run in the middle of several.
fn first_create(sheet: &Path, name: &str) -> Result<(f64, f64)> {
    let (latency, two) = LATENCY;
    let mut runs = Vec::new();
    for _ in 0..FIRSTS {
        let sandbox = Sandbox::start(&["--latency", latency])?;
        let home = Home::new(&sandbox.url, ACCOUNT, "")?;
        let parse = bare::measure(&["read", &sheet.to_string_lossy()])?.seconds();
        runs.push((home.first_create(sheet, name)?, parse + two));
    }
    runs.sort_by(|(a, of_a), (b, of_b)| (a / of_a).total_cmp(&(b / of_b)));
    Ok(*runs.get(FIRSTS / 2).ok_or("no run")?)
}

/// A sheet that is dropped, and dropped again.
fn first_and_again(kind: &Kind, size: Size, folder: &Path, rows: &mut Vec<Row>) -> Result<()> {
    let (orders, ending) = (size.orders, kind.ending);
    let sheet = make(folder, ending, orders)?;
    let text = sheet.to_string_lossy();
    let name = ending.to_uppercase();
    let (waited, least) = first_create(&sheet, &format!("first.{ending}"))?;
    rows.push(Row::new(
        format!(
            "{orders} orders {name}: from taking the sheet to the first create ÷ (bare parse + two latencies)"
        ),
        "≤ 1.3",
        format!("{:.2} ({waited:.2} ÷ {least:.2} s)", waited / least),
    ));
    let sandbox = Sandbox::start(&["--latency", LATENCY.0])?;
    // The result has the format of its sheet, so that it is held against a rewrite of it.
    let home = Home::new(&sandbox.url, ACCOUNT, "result_format = \"same\"")?;
    let first = home.drop_sheet(&sheet, &format!("first.{ending}"))?;
    rows.push(Row::new(
        format!("{orders} orders {name}: peak memory"),
        kind.memory,
        first.megabytes(),
    ));
    let asked = sandbox.calls()?.of_orders();
    let to = folder.join(format!("rewritten.{ending}"));
    let to = to.to_string_lossy();
    let found = between(&mut || bare::measure(&["rewrite", &text, &to]), &mut || {
        home.drop_sheet(&sheet, &format!("again.{ending}"))
    })?;
    let sent = sandbox.calls()?.of_orders() - asked;
    rows.push(Row::new(
        format!("the same {orders} orders {name} dropped again ÷ bare parse and rewrite"),
        kind.again,
        format!(
            "{}, {sent} order calls, {}",
            ratio(&found),
            found.ours.megabytes()
        ),
    ));
    Ok(())
}

fn check(size: Size, folder: &Path) -> Result<Row> {
    let sheet = make(folder, "csv", sheets::orders(size.lines))?;
    let text = sheet.to_string_lossy();
    let sandbox = Sandbox::start(&[])?;
    let home = Home::new(&sandbox.url, ACCOUNT, "")?;
    let found = between(&mut || bare::measure(&["read", &text]), &mut || {
        home.run(&["check", &text])
    })?;
    Ok(Row::new(
        format!("`check` of {} lines CSV ÷ bare parse", size.lines),
        "≤ 1.5",
        format!("{}, {}", ratio(&found), found.ours.megabytes()),
    ))
}

fn large(kind: &Kind, size: Size, folder: &Path) -> Result<Row> {
    let sheet = make(folder, kind.ending, sheets::orders(size.lines))?;
    let sandbox = Sandbox::start(&[])?;
    let home = Home::new(&sandbox.url, ACCOUNT, "result_format = \"same\"")?;
    let taken = home.drop_sheet(&sheet, &format!("large.{}", kind.ending))?;
    Ok(Row::new(
        format!("{} lines {}: peak memory", size.lines, kind.ending.to_uppercase()),
        kind.large_memory,
        format!("{} ({:.0} s)", taken.megabytes(), taken.seconds()),
    ))
}

fn ratio(found: &Between<Taken>) -> String {
    let (ours, bare) = (found.ours.seconds(), found.bare());
    format!("{:.2} ({ours:.2} ÷ {bare:.2} s){}", ours / bare, found.doubt())
}
