//! `dropsheet check`: every finding in a sheet. Creates nothing; needs no network when the catalog is cached.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use anyhow::Context;
use serde_json::json;

use super::args::Check;
use super::exit::Exit;
use super::preview::{Preview, Unread};
use super::print;
use crate::catalog::Snapshot;
use crate::config;
use crate::finding::{Code, Finding, Level, Rejection};
use crate::import::decide::By;
use crate::import::preview::{Priceable, preview};
use crate::import::read::Read;
use crate::import::sku_map::Extension;
use crate::ledger::record::ClaimRef;
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
    /// Orders that nothing is wrong with: sent, or held for a person first.
    passing: u64,
    attention: bool,
}

impl Checked {
    /// What a SKU map that is to be dropped would come to.
    fn note_map(&mut self, read: &Read, catalog: &Snapshot) -> anyhow::Result<()> {
        for outcome in Extension::read(read, ClaimRef(0), catalog)?.outcomes {
            *self.orders.entry(outcome.status).or_insert(0) += 1;
            self.attention |= outcome.status.needs_attention() || has_unread(&outcome.findings);
            let findings = outcome.findings.into_iter();
            self.findings
                .extend(findings.map(|finding| (String::new(), finding)));
        }
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
                let code = error.downcast_ref::<Rejection>().map(|why| why.code);
                all.push(unread_as_json(path, code, &unread.note(error)));
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
        checked.note_map(&read, &served.snapshot)?;
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
                order => checked.take(view, order.is_some()),
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
        checked.take(view, true);
    }
    checked
        .findings
        .sort_by_key(|(_, finding)| (finding.row, finding.column));
    Ok(checked)
}

impl Checked {
    /// A check prices nothing: what would be quoted has simply no error, and nothing that holds it whatever its price.
    fn take(&mut self, view: View, passes: bool) {
        self.passing += u64::from(passes && view.status != Status::Invalid);
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
    let sheet = path.display();
    let mut lines = Vec::new();
    for lacking in checked.old_catalog.iter().chain(&checked.unchecked) {
        lines.push(format!("note: {lacking}\n"));
    }
    if let Some(read_as) = &checked.read_as {
        lines.push(format!("{sheet}: read as {read_as}\n"));
    }
    let notes = notes(checked);
    let told = |finding: &Finding| finding.level() != Level::Note;
    let wrong = checked.findings.iter().map(|(_, finding)| finding);
    let mut shown: Vec<(&Finding, usize)> = wrong
        .filter(|finding| told(finding))
        .map(|finding| (finding, 0))
        .chain(notes)
        .collect();
    shown.sort_by_key(|(finding, _)| (finding.row, finding.column));
    for (finding, more) in shown {
        let place = finding
            .cell()
            .map_or_else(|| format!("row {}", finding.row), |cell| cell.to_string());
        let (level, code) = (finding.level().word(), finding.code);
        let mut line = vec![format!("{sheet}:{place}: {level}[{code}]: {}", finding.message)];
        if !finding.hint.is_empty() {
            line.push(finding.hint.clone());
        }
        if more > 0 {
            line.push(format!("The same of {more} more."));
        }
        lines.push(line.join(" ") + "\n");
    }
    lines.push(format!("{sheet}: {}\n", sum(checked)));
    lines.concat()
}

/// How many orders and findings there are, in a line.
fn sum(checked: &Checked) -> String {
    let orders: u64 = checked.orders.values().sum();
    let of = |status: Status| checked.orders.get(&status).copied().unwrap_or(0);
    let (sendable, held) = (of(Status::Quoted), of(Status::Held));
    let known = orders.saturating_sub(sendable + held + of(Status::Invalid));
    let mut parts = vec![format!("orders: {orders}, can be sent: {sendable}")];
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

/// The notes that are told, each once with how often it is said besides: why orders are held, and which rows are not
/// printed. What is merely said of an order that is known already would bury what is wrong.
fn notes(checked: &Checked) -> Vec<(&Finding, usize)> {
    let is_told = |finding: &&Finding| {
        matches!(
            finding.code,
            Code::NotToPrint
                | Code::ShopHold
                | Code::RepeatedRow
                | Code::OverSheetOrders
                | Code::NeedsApproval
        )
    };
    let mut told: Vec<(&Finding, usize)> = Vec::new();
    let mut places: HashMap<(Code, &str), usize> = HashMap::new();
    for finding in checked
        .findings
        .iter()
        .map(|(_, finding)| finding)
        .filter(is_told)
    {
        let place = *places
            .entry((finding.code, &finding.message))
            .or_insert(told.len());
        match told.get_mut(place) {
            Some((_first, more)) => *more += 1,
            None => told.push((finding, 0)),
        }
    }
    told
}

fn as_json(path: &Path, checked: &Checked) -> serde_json::Value {
    let findings: Vec<_> = checked
        .findings
        .iter()
        .map(|(order_id, finding)| {
            json!({
                "order_id": order_id,
                "row": finding.row,
                "cell": finding.cell().map(|cell| cell.to_string()),
                "level": finding.level().word(),
                "code": finding.code.name(),
                "message": finding.message,
                "hint": finding.hint,
            })
        })
        .collect();
    let held = checked.orders.get(&Status::Held).copied().unwrap_or(0);
    json!({
        "sheet": path.display().to_string(),
        "read_as": checked.read_as,
        "old_catalog": checked.old_catalog,
        "unchecked": checked.unchecked,
        "orders": checked.orders.values().sum::<u64>(),
        "sendable": checked.passing,
        "held": held,
        "findings": findings,
    })
}

/// The same of a sheet that could not be read, with why, and the code where it is for what stands in it.
fn unread_as_json(path: &Path, code: Option<Code>, why: &str) -> serde_json::Value {
    let mut value = as_json(path, &Checked::default());
    if let Some(object) = value.as_object_mut() {
        object.insert("error".to_owned(), json!(why));
        object.insert("code".to_owned(), json!(code.map(Code::name)));
    }
    value
}
