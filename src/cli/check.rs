//! `dropsheet check`: every finding in a sheet. Creates nothing; needs no network when the catalog is cached.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;

use anyhow::Context;
use serde_json::{Value, json};

use super::args::Check;
use super::exit::Exit;
use super::preview::{Preview, Unread};
use super::{print, shown};
use crate::catalog::Snapshot;
use crate::config;
use crate::finding::{Code, Finding, Level, Rejection};
use crate::import::decide::By;
use crate::import::preview::{Priceable, preview};
use crate::import::read::Read;
use crate::import::sku_map::Extension;
use crate::ledger::record::ClaimRef;
use crate::order::SkuMap;
use crate::outcome::Status;
use crate::quote::Hold;
use crate::result::View;

/// What is said of one sheet.
#[derive(Default)]
struct Checked {
    read_as: Option<String>,
    /// Why it was checked against an old catalog.
    old_catalog: Option<String>,
    /// What could not be checked for want of products' details, and why.
    unchecked: Option<String>,
    findings: Vec<(String, Finding)>,
    orders: BTreeMap<Status, u64>,
    /// How many rows a SKU map has, and how many of them would be taken; none of a sheet of orders.
    map_rows: Option<(u64, u64)>,
    attention: bool,
}

impl Checked {
    /// How many orders have a status.
    fn of(&self, status: Status) -> u64 {
        self.orders.get(&status).copied().unwrap_or(0)
    }

    /// What a SKU map that is to be dropped would come to, beside the one that is there.
    fn note_map(&mut self, read: &Read, known: (&Snapshot, &SkuMap)) -> anyhow::Result<()> {
        let (mut rows, mut taken) = (0, 0);
        for outcome in Extension::read(read, ClaimRef(0), known)?.only_tried().outcomes {
            rows += 1;
            let mut codes = outcome.findings.iter().map(|finding| finding.code);
            taken += u64::from(codes.any(|code| code == Code::SkuMapped));
            self.attention |= outcome.status.needs_attention() || has_unread(&outcome.findings);
            let findings = outcome.findings.into_iter();
            self.findings
                .extend(findings.map(|finding| (String::new(), finding)));
        }
        self.map_rows = Some((rows, taken));
        Ok(())
    }
}

pub(super) async fn run(args: &Check, given: Option<&Path>) -> anyhow::Result<Exit> {
    let config = config::load(given)?;
    let mut preview = Preview::open(&config, args.inbox.as_deref())?;
    if let Some(name) = &args.profile {
        preview.choose(name)?;
    }
    let mut attention = false;
    let mut all = Vec::new();
    let mut unread = Unread::default();
    for path in &args.sheets {
        let read = match preview.open_sheet(path) {
            Ok(read) => read,
            Err(error) => {
                let rejection = error.downcast_ref::<Rejection>().cloned();
                all.push(unread_as_json(path, rejection.as_ref(), &unread.note(error)));
                continue;
            }
        };
        let checked = one(&preview, (path, read), args.preflight).await?;
        attention |= checked.attention;
        if args.listing.json {
            all.push(as_json(path, &checked));
        } else {
            print::text(&as_text(path, &checked))?;
        }
    }
    if args.listing.json {
        print::json(&all)?;
    }
    unread.end(if attention { Exit::Attention } else { Exit::Done })
}

async fn one(desk: &Preview, (path, read): (&Path, Read), preflight: bool) -> anyhow::Result<Checked> {
    let served = desk.catalog(&read.skus).await?;
    let mut checked = Checked {
        read_as: read.layout.read_as(),
        old_catalog: served.old.clone(),
        unchecked: served.unchecked(0),
        ..Checked::default()
    };
    let (mut sendable, mut unchecked_locations) = (Vec::new(), 0);
    if read.layout.is_sku_map() {
        let known = desk.by(&served.snapshot);
        checked.note_map(&read, (known.catalog, &known.map.map))?;
        return Ok(checked);
    }
    preview(
        read,
        &By {
            artworks: desk.looks_at_artwork(preflight),
            ..desk.by(&served.snapshot)
        },
        &mut |mut view, order| {
            let approval_required = desk.inbox.approval_required;
            hold(&mut view, order.as_ref(), approval_required);
            unchecked_locations += order
                .as_ref()
                .map_or(0, |priceable| served.unchecked_locations(&priceable.order));
            match order {
                // Only what is looked at once more has to be kept.
                Some(order) if !order.artworks.is_empty() => sendable.push((view, order)),
                _ => checked.take(view),
            }
        },
    )
    .with_context(|| path.display().to_string())?;
    checked.unchecked = served.unchecked(unchecked_locations);
    let (views, orders): (Vec<View>, Vec<Priceable>) = sendable.into_iter().unzip();
    let mut looked = desk.preflight(&orders, &served.snapshot).await?;
    for mut view in views {
        let found = looked.remove(&view.first_row).unwrap_or_default();
        add(&mut view, found);
        checked.take(view);
    }
    checked
        .findings
        .sort_by_key(|(_, finding)| (finding.row, finding.column));
    Ok(checked)
}

impl Checked {
    /// A check prices nothing: what would be quoted has simply no error, and nothing that holds it whatever its price.
    fn take(&mut self, view: View) {
        // A sum or a note below the table is none.
        let is_order = view.status != Status::Skipped || !view.order_id.is_empty();
        *self.orders.entry(view.status).or_insert(0) += u64::from(is_order);
        self.attention |= view.status.needs_attention() || has_unread(&view.findings);
        let id = view.order_id;
        self.findings
            .extend(view.findings.into_iter().map(|finding| (id.clone(), finding)));
    }
}

/// Whether a part of the workbook was not looked at, and a person has to know.
fn has_unread(findings: &[Finding]) -> bool {
    findings.iter().any(|finding| finding.code == Code::UnreadTab)
}

/// Says why an order would wait for a person, as far as that does not depend on its price.
fn hold(view: &mut View, order: Option<&Priceable>, approval_required: bool) {
    let Some(order) = order else { return };
    let approval = approval_required.then(|| Hold {
        code: Code::NeedsApproval,
        message: "This inbox sends nothing without approval.".to_owned(),
    });
    for hold in order.holds.iter().cloned().chain(approval) {
        view.status = Status::Held;
        view.findings.push(Finding {
            code: hold.code,
            row: view.first_row,
            column: None,
            message: hold.message,
            hint: String::new(),
        });
    }
}

/// Adds what was found at an order's artwork.
pub(super) fn add(view: &mut View, findings: Vec<Finding>) {
    if findings.iter().any(|finding| finding.level() == Level::Error) {
        view.status = Status::Invalid;
    }
    view.findings.extend(findings);
}

fn as_text(path: &Path, checked: &Checked) -> String {
    let sheet = shown::path(path);
    let mut lines = Vec::new();
    for lacking in checked.old_catalog.iter().chain(&checked.unchecked) {
        lines.push(format!("note: {}\n", shown::plain(lacking)));
    }
    if let Some(read_as) = &checked.read_as {
        lines.push(format!("{sheet}: read as {}\n", shown::plain(read_as)));
    }
    let notes = notes(checked);
    let is_told = |finding: &Finding| finding.level() != Level::Note;
    let wrong = checked.findings.iter().map(|(_, finding)| finding);
    let mut told: Vec<(&Finding, BTreeSet<u32>)> = wrong
        .filter(|finding| is_told(finding))
        .map(|finding| (finding, BTreeSet::new()))
        .chain(notes)
        .collect();
    told.sort_by_key(|(finding, _)| (finding.row, finding.column));
    for (finding, others) in told {
        let place = finding
            .cell()
            .map_or_else(|| format!("row {}", finding.row), |cell| cell.to_string());
        let (level, code) = (finding.level().word(), finding.code);
        let mut line = vec![format!("{sheet}:{place}: {level}[{code}]: {}", finding.message)];
        if !finding.hint.is_empty() {
            line.push(finding.hint.clone());
        }
        line.extend(same_in(&others));
        lines.push(shown::plain(&line.join(" ")) + "\n");
    }
    lines.push(format!("{sheet}: {}\n", sum(checked)));
    lines.concat()
}

/// How many orders and findings there are, in a line.
fn sum(checked: &Checked) -> String {
    let orders: u64 = checked.orders.values().sum();
    let (sendable, held) = (checked.of(Status::Quoted), checked.of(Status::Held));
    let known = orders.saturating_sub(sendable + held + checked.of(Status::Invalid));
    let mut parts = vec![match checked.map_rows {
        Some((rows, taken)) => format!("rows of a SKU map: {rows}, can be taken: {taken}"),
        None => format!("orders: {orders}, can be sent: {sendable}"),
    }];
    if held > 0 {
        parts.push(format!("held for a person: {held}"));
    }
    if known > 0 {
        parts.push(format!("{known} known already or not to be sent"));
    }
    let count = |level: Level| {
        let findings = checked.findings.iter();
        findings.filter(|(_, finding)| finding.level() == level).count()
    };
    let (errors, warnings) = (count(Level::Error), count(Level::Warning));
    format!("{}; errors: {errors}, warnings: {warnings}", parts.join(", "))
}

/// The notes, each once with the other rows that it is said of: an export of every day has hundreds of orders that are
/// known already, which would bury what is wrong.
fn notes(checked: &Checked) -> Vec<(&Finding, BTreeSet<u32>)> {
    let mut told: Vec<(&Finding, BTreeSet<u32>)> = Vec::new();
    let mut places: HashMap<(Code, &str), usize> = HashMap::new();
    let findings = checked.findings.iter().map(|(_, finding)| finding);
    for finding in findings.filter(|finding| finding.level() == Level::Note) {
        let place = *places
            .entry((finding.code, &finding.message))
            .or_insert(told.len());
        match told.get_mut(place) {
            Some((first, others)) if first.row != finding.row => {
                others.insert(finding.row);
            }
            Some(_same) => {}
            None => told.push((finding, BTreeSet::new())),
        }
    }
    told
}

/// The most rows, or rows in a row, that are named.
const NAMED: usize = 20;

/// In which other rows the same was found; none where there are none.
fn same_in(rows: &BTreeSet<u32>) -> Option<String> {
    let mut spans: Vec<(u32, u32)> = Vec::new();
    for row in rows {
        match spans.last_mut() {
            Some((_first, last)) if last.checked_add(1) == Some(*row) => *last = *row,
            _ => spans.push((*row, *row)),
        }
    }
    let named = spans.iter().take(NAMED);
    let texts: Vec<String> = named
        .map(|(first, last)| match last - first {
            0 => first.to_string(),
            1 => format!("{first}, {last}"),
            _ => format!("{first}-{last}"),
        })
        .collect();
    let beyond = spans.iter().skip(NAMED);
    let more = match beyond
        .map(|(first, last)| u64::from(last - first) + 1)
        .sum::<u64>()
    {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    match rows.len() {
        0 => None,
        1 => Some(format!("The same in row {}.", texts.concat())),
        _ => Some(format!("The same in rows {}{more}.", texts.join(", "))),
    }
}

fn as_json(path: &Path, checked: &Checked) -> Value {
    let findings: Vec<Value> = checked
        .findings
        .iter()
        .map(|(order_id, finding)| finding_as_json(order_id, finding))
        .collect();
    json!({
        "sheet": path.display().to_string(),
        "read_as": checked.read_as,
        "old_catalog": checked.old_catalog,
        "unchecked": checked.unchecked,
        "orders": checked.orders.values().sum::<u64>(),
        "sendable": checked.of(Status::Quoted),
        "held": checked.of(Status::Held),
        "map_rows": checked.map_rows.map(|(rows, _taken)| rows),
        "findings": findings,
    })
}

/// A finding of an order.
pub(super) fn finding_as_json(order_id: &str, finding: &Finding) -> Value {
    json!({
        "order_id": order_id,
        "row": finding.row,
        "cell": finding.cell().map(|cell| cell.to_string()),
        "level": finding.level().word(),
        "code": finding.code.name(),
        "message": finding.message,
        "hint": finding.hint,
    })
}

/// The same of what is wrong with a sheet as a whole: it is of no order and of no row.
pub(super) fn rejection_as_json(why: &Rejection) -> Value {
    json!({
        "order_id": "",
        "row": null,
        "cell": null,
        "level": why.code.level().word(),
        "code": why.code.name(),
        "message": why.message,
        "hint": why.hint,
    })
}

/// What is said of a sheet that could not be read, with why, and what was found where it is for what stands in it.
fn unread_as_json(path: &Path, rejection: Option<&Rejection>, why: &str) -> Value {
    let mut value = as_json(path, &Checked::default());
    if let Some(object) = value.as_object_mut() {
        let findings: Vec<Value> = rejection.into_iter().map(rejection_as_json).collect();
        object.insert("findings".to_owned(), Value::from(findings));
        object.insert("error".to_owned(), json!(why));
        object.insert("code".to_owned(), json!(rejection.map(|why| why.code.name())));
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_that_follow_each_other_are_named_by_the_first_and_the_last_and_not_too_many() {
        let said = |rows: &[u32]| same_in(&rows.iter().copied().collect());
        assert_eq!(said(&[]), None);
        assert_eq!(said(&[4]).unwrap(), "The same in row 4.");
        assert_eq!(
            said(&[9, 4, 5, 11, 12, 13]).unwrap(),
            "The same in rows 4, 5, 9, 11-13."
        );
        let many: Vec<u32> = (1..=30).map(|n| 2 * n).chain([60, 61, 62]).collect();
        let said = said(&many).unwrap();
        assert!(said.ends_with("38, 40 and 12 more."), "{said}");
    }
}
