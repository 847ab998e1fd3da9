//! What a pass over sheets has done, as it is printed: a line a sheet, or JSON.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::{print, shown};
use crate::daemon::{Report, SheetReport};

/// Prints what a run has done: a line a sheet, or as JSON.
pub(super) fn print_report(report: &Report, as_json: bool) -> std::io::Result<()> {
    if as_json {
        return print::json(&report_as_json(report));
    }
    for sheet in &report.sheets {
        print::line(&sheet_line(sheet))?;
    }
    if report.approved > 0 {
        print::line(&format!("approved orders: {} sent", report.approved))?;
    }
    for trouble in &report.troubles {
        print::line(&shown::plain(trouble))?;
    }
    let looked_up = report.unresolved.saturating_sub(report.undecided);
    if looked_up > 0 {
        print::line(&format!(
            "{} without an answer of the service: looked up again at the next run; do not order them again",
            orders(looked_up)
        ))?;
    }
    if report.undecided > 0 {
        print::line(&format!(
            "{} without an answer of the service, and a person has to decide: see `dropsheet status`; do not order them \
             again",
            orders(report.undecided)
        ))?;
    }
    if report.canceling > 0 {
        print::line(&format!(
            "{} not confirmed by the service yet: the next run goes on",
            cancels(report.canceling)
        ))?;
    }
    if report.held > 0 {
        print::line(&format!(
            "{} for approval: move the sheets from held/ to approved/ or declined/",
            wait(report.held)
        ))?;
    }
    if report.waiting_files > 0 {
        print::line(&format!(
            "{} still changing, open in another program, or not whole: left for the next run",
            files(report.waiting_files)
        ))?;
    }
    Ok(())
}

fn sheet_line(sheet: &SheetReport) -> String {
    let name = shown::plain(&sheet.sheet);
    if let Some(why) = &sheet.untaken {
        return format!("{name}: not worked. {}", shown::plain(why));
    }
    if let Some(then) = sheet.unbegun {
        return format!("{name}: not begun, for dropsheet was told to end. {then}");
    }
    if let Some(why) = &sheet.rejected {
        return format!("{name}: rejected. {}", shown::plain(why));
    }
    let counts: Vec<String> = sheet
        .orders
        .iter()
        .map(|(status, n)| format!("{n} {status}"))
        .collect();
    let mut line = format!(
        "{name}: {}",
        if counts.is_empty() {
            "no orders".to_owned()
        } else {
            counts.join(", ")
        }
    );
    let mut tell = |what: &str, path: &Path| {
        line.push_str("\n  ");
        line.push_str(what);
        line.push_str(&shown::path(path));
    };
    if let Some(path) = &sheet.result {
        tell("result: ", path);
    }
    if let Some(path) = &sheet.to_fix {
        tell("to fix: ", path);
    }
    if let Some(path) = &sheet.sku_map {
        tell("SKUs to map: ", path);
    }
    let would_be_held = would_be_held(sheet.would_be_held);
    for said in would_be_held.iter().chain(&sheet.unread).chain(&sheet.trouble) {
        line.push_str("\n  ");
        line.push_str(&shown::plain(said));
    }
    line
}

/// Says how many of the orders that are only priced would be held, where any would.
pub(super) fn would_be_held(orders: u64) -> Option<String> {
    let are = match orders {
        0 => return None,
        1 => "1 order".to_owned(),
        n => format!("{n} orders"),
    };
    Some(format!("{are} would be held for a person's approval"))
}

fn orders(n: usize) -> String {
    if n == 1 {
        "1 order is".to_owned()
    } else {
        format!("{n} orders are")
    }
}

fn wait(n: u64) -> String {
    if n == 1 {
        "1 order waits".to_owned()
    } else {
        format!("{n} orders wait")
    }
}

fn cancels(n: usize) -> String {
    if n == 1 {
        "1 cancel is".to_owned()
    } else {
        format!("{n} cancels are")
    }
}

fn files(n: usize) -> String {
    if n == 1 {
        "1 file is".to_owned()
    } else {
        format!("{n} files are")
    }
}

fn report_as_json(report: &Report) -> Value {
    let sheets: Vec<Value> = report.sheets.iter().map(sheet_as_json).collect();
    json!({
        "sheets": sheets,
        "approved": report.approved,
        "troubles": report.troubles,
        "unresolved": report.unresolved,
        "undecided": report.undecided,
        "canceling": report.canceling,
        "waiting_files": report.waiting_files,
        "held": report.held,
    })
}

fn sheet_as_json(sheet: &SheetReport) -> Value {
    let path = |path: &Option<PathBuf>| path.as_ref().map(|path| path.display().to_string());
    json!({
        "inbox": sheet.inbox,
        "sheet": sheet.sheet,
        "orders": sheet.orders,
        "would_be_held": sheet.would_be_held,
        "result": path(&sheet.result),
        "to_fix": path(&sheet.to_fix),
        "sku_map": path(&sheet.sku_map),
        "not_worked": sheet.untaken,
        "not_begun": sheet.unbegun,
        "rejected": sheet.rejected,
        "unread": sheet.unread,
        "trouble": sheet.trouble,
    })
}
