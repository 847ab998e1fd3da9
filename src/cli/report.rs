//! `dropsheet report`: the cost workbook of a month or a span, one file an account. The service is read first, where
//! nobody else works the ledger and the service answers; else what the ledger has is told, with its moment.

mod reading;
mod subject;
mod text;

use std::path::{Path, PathBuf};

use anyhow::Context;
use jiff::Timestamp;
use serde::Serialize;

use self::reading::Asking;
use self::subject::Subject;
use self::text::text;
use super::exit::{Exit, UsageError};
use super::work::ledger_meaning;
use super::{print, target};
use crate::catalog::Snapshot;
use crate::catalog::cache::Cache;
use crate::clock::Clock;
use crate::config::{self, Config};
use crate::ledger::{LedgerError, Reader, Store};
use crate::report::{self, Costs, Figures, ReportError, Said, Span};
use crate::{files, service};

/// `report`
#[derive(Debug, clap::Args)]
#[command(group(clap::ArgGroup::new("days").required(true).args(["month", "from"])))]
pub struct Args {
    /// The month, such as 2026-10
    #[arg(long, value_name = "MONTH", conflicts_with = "to")]
    month: Option<String>,
    /// The first day, such as 2026-10-01
    #[arg(long, value_name = "DAY", requires = "to")]
    from: Option<String>,
    /// The last day
    #[arg(long, value_name = "DAY", requires = "from")]
    to: Option<String>,
    /// Only this account, of the config or of the ledger [default: each, a file an account]
    #[arg(long, value_name = "NAME")]
    account: Option<String>,
    /// The .xlsx file to write, or a folder for the files [default: this folder]
    #[arg(long, value_name = "PATH")]
    out: Option<PathBuf>,
    /// How it is printed.
    #[command(flatten)]
    listing: super::args::Listing,
}

/// A written report, as `--json` prints it.
#[derive(Serialize)]
struct Written {
    file: PathBuf,
    /// Why the service was not read first; null where it was.
    not_read: Option<String>,
    /// That more orders of these days may come; null where they are over.
    not_over: Option<&'static str>,
    /// What the month's workbook says that was written by itself; null where none was.
    closed: Option<AsWritten>,
    #[serde(flatten)]
    figures: Figures,
}

/// A month that was written by itself (`report.monthly`).
#[derive(Serialize)]
struct AsWritten {
    at: Timestamp,
    #[serde(flatten)]
    said: Said,
}

pub(super) async fn run(args: &Args, given: Option<&Path>) -> anyhow::Result<Exit> {
    let config = config::load(given)?;
    let span = span_of(args)?;
    let asking = Asking::open(&config)?;
    let subjects = subject::wanted(&config, reader(&config)?.as_ref(), args.account.as_deref(), span)?;
    let paths = paths(args.out.as_deref(), span, &subjects)?;
    let clock = Clock::system();
    let mut not_read = Vec::new();
    for subject in &subjects {
        not_read.push(asking.read(&config, subject, span, &clock).await);
    }
    // To write a large workbook takes its time, and keeps nobody else from the ledger.
    drop(asking);
    let mut written = Vec::new();
    for ((subject, path), not_read) in subjects.iter().zip(paths).zip(not_read) {
        written.push(one(&config, subject, (span, clock.now().wall), (path, not_read))?);
    }
    if args.listing.json {
        print::json(&written)?;
    } else {
        for report in &written {
            print::text(&text(report, &config))?;
        }
    }
    Ok(Exit::Done)
}

/// The ledger as it is; none where nothing was ever sent.
fn reader(config: &Config) -> anyhow::Result<Option<Reader>> {
    match Reader::open(&config.ledger) {
        Ok(reader) => Ok(Some(reader)),
        Err(LedgerError::Missing { .. }) => Ok(None),
        Err(error) => Err(ledger_meaning(error)),
    }
}

fn span_of(args: &Args) -> Result<Span, UsageError> {
    let span = match (&args.month, &args.from, &args.to) {
        (Some(month), _, _) => Span::month(month),
        (None, Some(from), Some(to)) => Span::days(from, to),
        (None, _, _) => {
            return Err(UsageError(
                "name a month, or the first and the last day".to_owned(),
            ));
        }
    };
    span.map_err(|wrong| UsageError(wrong.to_string()))
}

/// The files of the accounts' reports: never one that is there. The config's only account has the plain name, whoever
/// has left it.
fn paths(out: Option<&Path>, span: Span, subjects: &[Subject<'_>]) -> anyhow::Result<Vec<PathBuf>> {
    if let Some(file) = out.filter(|out| subjects.len() > 1 && !out.is_dir()) {
        let names: Vec<&str> = subjects.iter().map(Subject::name).collect();
        let wrong = format!(
            "{}: there is a report of each of {}; name a folder that is there, or one --account",
            file.display(),
            names.join(", ")
        );
        return Err(UsageError(wrong).into());
    }
    let is_configured = |subject: &Subject<'_>| matches!(subject, Subject::Configured(_));
    let is_only = subjects.iter().filter(|one| is_configured(one)).count() == 1;
    let path = |subject: &Subject<'_>| {
        let is_plain = subjects.len() == 1 || is_only && is_configured(subject);
        let name = if is_plain {
            format!("print-costs-{}", span.name())
        } else {
            format!("print-costs-{}-{}", span.name(), subject.name())
        };
        target::target(out, &name, &["xlsx"])
    };
    subjects.iter().map(path).collect()
}

fn one(
    config: &Config,
    subject: &Subject<'_>,
    (span, now): (Span, Timestamp),
    (path, not_read): (PathBuf, Option<String>),
) -> anyhow::Result<Written> {
    let (costs, as_written) = costs(config, subject, (span, now), not_read)?;
    let catalog = catalog(config, subject)?;
    let figures =
        report::write(&costs, catalog.as_ref(), &path).map_err(|error| not_written(error, &path))?;
    Ok(Written {
        file: path,
        not_over: span.not_over(&config.zone, costs.written_at),
        not_read: costs.not_read,
        closed: as_written,
        figures,
    })
}

/// What the disk says, once: on its way here it was told by each that had a hand in the file.
fn not_written(error: ReportError, path: &Path) -> anyhow::Error {
    let wanted = format!("cannot write {}", path.display());
    match error {
        ReportError::Sum(_) => anyhow::Error::new(error).context(wanted),
        ReportError::Workbook(error) => {
            let cause = crate::causes::innermost(&error);
            anyhow::anyhow!(
                "{wanted}: {cause}; make sure that the folder can be written to and the disk has room, or name another \
                 place with --out"
            )
        }
    }
}

/// What the ledger has of an account's orders of these days, and what was written of the month.
fn costs(
    config: &Config,
    subject: &Subject<'_>,
    (span, written_at): (Span, Timestamp),
    not_read: Option<String>,
) -> anyhow::Result<(Costs, Option<AsWritten>)> {
    let mut costs = Costs {
        account: subject.name().to_owned(),
        currency: subject.currency().map(str::to_owned),
        span,
        zone: config.zone.clone(),
        as_of: None,
        not_read,
        written_at,
        orders: Vec::new(),
        strangers: Vec::new(),
        stands_in: None,
        earlier: None,
    };
    // Where nothing was ever sent there are no costs, which is no failure.
    let Some(reader) = reader(config)? else {
        return Ok((costs, None));
    };
    let as_written = reader
        .read(|store| fill(&mut costs, subject, store))
        .context("cannot read what the orders cost")?;
    Ok((costs, as_written))
}

fn fill(
    costs: &mut Costs,
    subject: &Subject<'_>,
    store: &Store<'_>,
) -> Result<Option<AsWritten>, LedgerError> {
    let Some(id) = subject.in_ledger(store)? else {
        return Ok(None);
    };
    let (from, until) = costs.span.moments(&costs.zone);
    costs.as_of = store.walked(id)?.map(|walked| walked.to);
    costs.orders = store.costs(id, from, until)?;
    costs.strangers = store.strangers(id, from, until)?;
    let mut closed = store.closed_months::<Said>(id)?.into_iter();
    let closed = closed.find(|month| month.month == costs.span.name());
    Ok(closed.map(|month| AsWritten {
        at: month.closed_at,
        said: month.said,
    }))
}

/// The catalog as it was last read: it names products.
fn catalog(config: &Config, subject: &Subject<'_>) -> anyhow::Result<Option<Snapshot>> {
    let cache = Cache::open(&files::folder_of(&config.ledger).join("catalog.db"))?;
    let (base_url, email) = subject.identity();
    let stored = cache.load(&service::account_key(base_url, email))?;
    Ok(stored.map(|stored| Snapshot::new(stored.read_at, stored.entries, stored.details)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::result::ResultError;

    #[test]
    fn a_file_that_cannot_be_written_is_told_in_one_sentence() {
        let path = Path::new("costs/x.xlsx");
        let full = std::io::Error::new(std::io::ErrorKind::StorageFull, "no room");
        let error = ReportError::Workbook(ResultError::Workbook {
            path: path.to_owned(),
            source: rust_xlsxwriter::XlsxError::TempFileError(path.to_owned(), full),
        });
        let told = format!("{:#}", not_written(error, path));
        assert!(
            told.starts_with("cannot write costs/x.xlsx: no room; make sure"),
            "{told}"
        );
        assert_eq!(told.matches("x.xlsx").count(), 1, "{told}");
    }
}
