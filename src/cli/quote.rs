//! `dropsheet quote`: checks and prices a sheet, and writes `NAME.quote.xlsx` beside it, or into `results/` where it lies
//! in an inbox. Creates nothing.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::Context;
use serde::Serialize;
use serde_json::Value;

use super::args::Quote;
use super::check::{add, finding_as_json, rejection_as_json};
use super::exit::Exit;
use super::preview::{Preview, Unread};
use super::worked::would_be_held;
use super::{print, shown};
use crate::catalog::Snapshot;
use crate::config::{self, Config, Inbox};
use crate::files;
use crate::finding::{Finding, Rejection};
use crate::import::preview::asking::Asking;
use crate::import::preview::{ByRow, Priceable, preview};
use crate::import::read::Read;
use crate::outcome::Status;
use crate::quote::{self, Quote as Price, holds};
use crate::result::{self, Kind, Source, Title, View};
use crate::service::{Failure, Verdict};
use crate::submit::{not_priced, quote_refused, with_words};

pub(super) async fn run(args: &Quote, given: Option<&Path>) -> anyhow::Result<Exit> {
    let config = config::load(given)?;
    let desk = Preview::open(&config, args.inbox.as_deref())?;
    let mut attention = false;
    let mut all = Vec::new();
    let mut unread = Unread::default();
    for path in &args.sheets {
        let read = match open(&desk, path) {
            Ok(read) => read,
            Err(error) => {
                let rejection = error.downcast_ref::<Rejection>().cloned();
                all.push(Quoted::of(path).not_read(rejection.as_ref(), unread.note(error)));
                continue;
            }
        };
        let quoted = one(&desk, (path, &folder_for(&config, path)), read).await?;
        let mut orders = quoted.orders.keys();
        attention |= quoted.unread.is_some()
            || quoted.would_be_held > 0
            || orders.any(|status| status.needs_attention());
        if args.listing.json {
            all.push(quoted);
        } else {
            print::text(&quoted.as_text())?;
        }
    }
    if args.listing.json {
        print::json(&all)?;
    }
    unread.end(if attention { Exit::Attention } else { Exit::Done })
}

/// What came of a sheet, as `--json` prints it.
#[derive(Debug, Default, Serialize)]
struct Quoted {
    sheet: String,
    /// Orders by status.
    orders: BTreeMap<Status, u64>,
    /// How many of the priced ones would be held for a person, were they sent.
    would_be_held: u64,
    /// The written quote.
    quote: Option<String>,
    /// Why some orders have no price, and what to do.
    unpriced: Option<String>,
    /// What could not be checked for want of products' details, and why.
    unchecked: Option<String>,
    /// What is said of other sheets of the workbook, which were not read.
    unread: Option<String>,
    /// What was found in it.
    findings: Vec<Value>,
    /// Why it could not be read.
    error: Option<String>,
    /// The code of that, where it is for what stands in it.
    code: Option<&'static str>,
}

impl Quoted {
    fn of(path: &Path) -> Self {
        Self {
            sheet: path.display().to_string(),
            ..Self::default()
        }
    }

    fn not_read(self, rejection: Option<&Rejection>, why: String) -> Self {
        Self {
            findings: rejection.into_iter().map(rejection_as_json).collect(),
            error: Some(why),
            code: rejection.map(|why| why.code.name()),
            ..self
        }
    }

    fn as_text(&self) -> String {
        let counts: Vec<String> = self
            .orders
            .iter()
            .map(|(status, n)| format!("{n} {status}"))
            .collect();
        let mut text = format!("{}: {}\n", shown::path(Path::new(&self.sheet)), counts.join(", "));
        let quote = self.quote.as_ref();
        let quote = quote.map(|path| format!("quote: {}", shown::path(Path::new(path))));
        let would_be_held = would_be_held(self.would_be_held);
        for said in quote
            .iter()
            .chain(&would_be_held)
            .chain(&self.unpriced)
            .chain(&self.unchecked)
            .chain(&self.unread)
        {
            text.push_str("  ");
            text.push_str(&shown::plain(said));
            text.push('\n');
        }
        text
    }
}

/// Reads a sheet whose orders can be priced.
fn open(desk: &Preview, path: &Path) -> anyhow::Result<Read> {
    let read = desk.open_sheet(path)?;
    if read.layout.is_sku_map() {
        anyhow::bail!(
            "{} is a SKU map: there is nothing to price; drop it into inbox/",
            path.display()
        );
    }
    Ok(read)
}

async fn one(desk: &Preview, (path, folder): (&Path, &Path), read: Read) -> anyhow::Result<Quoted> {
    let served = desk.catalog(&read.skus).await?;
    let mut views = ByRow::new();
    let mut priceable: Vec<Priceable> = Vec::new();
    let read = preview(read, &desk.by(&served.snapshot), &mut |view, order| {
        views.insert(view.first_row, view);
        priceable.extend(order);
    })
    .with_context(|| path.display().to_string())?;
    let looked = desk.preflight(&priceable, &served.snapshot).await?;
    for (row, findings) in looked {
        if let Some(view) = views.get_mut(&row) {
            add(view, findings);
        }
    }
    priceable.retain(|order| {
        let view = views.get(&order.first_row);
        view.is_some_and(|view| view.status != Status::Invalid)
    });
    let locations = priceable
        .iter()
        .map(|priceable| served.unchecked_locations(&priceable.order));
    let unchecked = served.unchecked(locations.sum());
    let unpriced = price(desk, priceable, &mut views).await?;
    let findings = findings_of(&views);
    let (target, counts) = write(desk, (path, folder), &read, (views, &served.snapshot))?;
    let unpriced = unpriced.map(|failure| {
        let (what, hint) = (with_words(&failure), desk.hint(&failure));
        format!("not every order could be priced ({what}): {hint}")
    });
    Ok(Quoted {
        orders: counts.orders.into_iter().collect(),
        would_be_held: counts.would_be_held,
        quote: Some(target.display().to_string()),
        unpriced,
        unchecked,
        findings,
        unread: counts.unread,
        ..Quoted::of(path)
    })
}

/// What was found in the orders of a sheet, row by row.
fn findings_of(views: &ByRow) -> Vec<Value> {
    let mut found: Vec<(&str, &Finding)> = views
        .values()
        .flat_map(|view| view.findings.iter().map(|finding| (&*view.order_id, finding)))
        .collect();
    found.sort_by_key(|(_, finding)| (finding.row, finding.column));
    let found = found.into_iter();
    found
        .map(|(order_id, finding)| finding_as_json(order_id, finding))
        .collect()
}

/// Prices the orders; each price, or why there is none, goes into its view. Gives what is told where some have none.
///
/// # Errors
/// Where no order was answered.
async fn price(desk: &Preview, orders: Vec<Priceable>, views: &mut ByRow) -> anyhow::Result<Option<Failure>> {
    let asking = Asking::new(desk.client()?, desk.account.max_in_flight);
    let bar = super::progress::bar(orders.len(), "pricing");
    let answers = asking
        .ask_all(orders, &|| bar.inc(1))
        .await
        .context("a task ended with a defect of dropsheet")?;
    bar.finish_and_clear();
    let unanswered = answers
        .iter()
        .filter_map(|(_order, answer)| answer.as_ref().err());
    let unanswered: Vec<&Failure> = unanswered
        .filter(|failure| failure.verdict != Verdict::Refused)
        .collect();
    let first = unanswered.first().map(|failure| (*failure).clone());
    if let Some(failure) = &first
        && unanswered.len() == answers.len()
    {
        anyhow::bail!(
            "the service prices none of the orders ({}): {}",
            with_words(failure),
            desk.hint(failure)
        );
    }
    for (order, answer) in answers {
        if let Some(view) = views.get_mut(&order.first_row) {
            tell(view, desk, &order, answer);
        }
    }
    Ok(first)
}

/// Writes what was answered for an order into its view.
fn tell(view: &mut View, desk: &Preview, order: &Priceable, answer: Result<Price, Failure>) {
    match answer {
        Ok(price) => {
            let mut terms = order.terms.clone();
            terms.approval_required = desk.inbox.approval_required;
            terms.max_order_total = desk.inbox.max_order_total;
            terms.hold_zero = desk.inbox.hold_zero;
            let mut reasons = holds(&price, &terms);
            reasons.extend(order.holds.iter().cloned());
            view.message = quote::would_be_held(reasons, order.first_row, &mut view.findings);
            view.quote = Some(price);
        }
        Err(failure) if failure.verdict == Verdict::Refused => {
            view.status = Status::Refused;
            view.findings.push(quote_refused(order.first_row, &failure));
        }
        Err(failure) => {
            view.status = Status::Waiting;
            view.findings
                .push(not_priced(order.first_row, &failure, &desk.zone));
        }
    }
}

/// Where a sheet's quote is written: beside it, but for one that lies in an inbox, of whose folders `results/` alone is
/// no place from which a quote would be taken as a sheet itself.
fn folder_for(config: &Config, path: &Path) -> PathBuf {
    let beside = files::folder_of(path);
    let inside = |inbox: &&Inbox| {
        let (root, folder) = (inbox.path.canonicalize(), beside.canonicalize());
        matches!((root, folder), (Ok(root), Ok(folder)) if folder.starts_with(&root))
    };
    let inbox = config.inboxes.iter().find(inside);
    inbox.map_or_else(|| beside.to_owned(), |inbox| inbox.path.join("results"))
}

fn write(
    desk: &Preview,
    (path, folder): (&Path, &Path),
    read: &Read,
    (views, catalog): (ByRow, &Snapshot),
) -> anyhow::Result<(PathBuf, result::Counts)> {
    let name = path
        .file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let scratch = tempfile::Builder::new()
        .prefix(files::TEMPORARY)
        .tempdir_in(folder)
        .with_context(|| format!("cannot write into {}", folder.display()))?;
    let now = desk.clock.now().wall;
    let title = Title {
        sheet_name: files::name_of(path),
        stem: name.clone(),
        only_priced: true,
        held: name.clone(),
        taken_at: now,
        written_at: now,
        zone: desk.zone.clone(),
        inbox: None,
        account: desk.account.name.clone(),
        currency: desk.account.currency.clone(),
        read_as: read.layout.read_as(),
        to_fix: None,
        sku_map: None,
        replaces: Vec::new(),
    };
    let source = Source {
        sheet: &read.sheet,
        layout: &read.layout,
        index: &read.index,
        catalog: Some(catalog),
    };
    let new = scratch.path().join("quote");
    let mut views = views.into_values().map(Ok);
    let counts = result::write(&source, &mut views, &title, Kind::Workbook, &new)
        .with_context(|| format!("cannot write the quote of {}", path.display()))?;
    let target = files::free_name(folder, &name, "quote.xlsx");
    files::move_new(&new, &target).with_context(|| format!("cannot write {}", target.display()))?;
    Ok((target, counts))
}
