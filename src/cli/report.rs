//! `dropsheet report`: the cost workbook of a month or a span, one file an account. The service is read first, where
//! nobody else works the ledger and the service answers; else what the ledger has is told, with its moment.

use std::path::{Path, PathBuf};

use anyhow::Context;
use jiff::Timestamp;
use serde::Serialize;

use super::exit::{Exit, UsageError};
use super::work::{accounts_of, ledger_meaning};
use super::{print, shown, target};
use crate::catalog::Snapshot;
use crate::catalog::cache::Cache;
use crate::clock::{Clock, Now};
use crate::config::{self, Account, Config};
use crate::ledger::record::AccountRef;
use crate::ledger::{self, Ledger, LedgerError, Reader, Store};
use crate::report::{self, Costs, Figures, ReportError, Said, Span};
use crate::sync::{self, FirstPage, List, ReadError};
use crate::{daemon, files, service};

/// `report`
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The month, such as 2026-10
    #[arg(long, value_name = "MONTH", required_unless_present = "from", conflicts_with_all = ["from", "to"])]
    month: Option<String>,
    /// The first day, such as 2026-10-01
    #[arg(long, value_name = "DAY", requires = "to")]
    from: Option<String>,
    /// The last day
    #[arg(long, value_name = "DAY", requires = "from")]
    to: Option<String>,
    /// Only this account [default: each, a file an account]
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
    let accounts = accounts_of(&config, args.account.as_deref())?;
    let mut written = Vec::new();
    for account in &accounts {
        let path = target(args.out.as_deref(), span, account, accounts.len() > 1)?;
        written.push(one(&config, account, span, path).await?);
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

/// The file of an account's report: never one that is there.
fn target(out: Option<&Path>, span: Span, account: &Account, several: bool) -> anyhow::Result<PathBuf> {
    let name = if several {
        format!("print-costs-{}-{}", span.name(), account.name)
    } else {
        format!("print-costs-{}", span.name())
    };
    if let Some(file) = out.filter(|out| several && !out.is_dir()) {
        let wrong = format!(
            "{}: name a folder that is there, or one --account",
            file.display()
        );
        return Err(UsageError(wrong).into());
    }
    target::target(out, &name, &["xlsx"])
}

async fn one(config: &Config, account: &Account, span: Span, path: PathBuf) -> anyhow::Result<Written> {
    let clock = Clock::system();
    let not_read = read_service(config, account, span, &clock).await?;
    let (costs, as_written) = costs(config, account, (span, clock.now().wall), not_read)?;
    let catalog = catalog(config, account)?;
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

/// Reads the service's order list of the span into the ledger; gives why it was not, as a sentence.
async fn read_service(
    config: &Config,
    account: &Account,
    span: Span,
    clock: &Clock,
) -> anyhow::Result<Option<String>> {
    if let Err(LedgerError::Missing { .. }) = ledger::id_of(&config.ledger) {
        return Ok(Some("There is no ledger yet: nothing was ever sent.".to_owned()));
    }
    let ledger = match daemon::open_ledger(config, "dropsheet report") {
        Ok(ledger) => ledger,
        // Which process that is matters to nobody who adds up costs.
        Err(LedgerError::Busy { .. }) => {
            return Ok(Some(
                "The service was not asked for this workbook: the dropsheet that is at work reads it every so often, last at \
                 the time above."
                    .to_owned(),
            ));
        }
        Err(error) => return Err(ledger_meaning(error)),
    };
    // What is written here would bring it nearer to the one that was there before, and hide from `run` that it is behind.
    if ledger.is_behind()? {
        return Ok(Some(
            "The service was not asked for this workbook: the ledger was put back from before, and `dropsheet run` has to \
             learn first what it has forgotten."
                .to_owned(),
        ));
    }
    match walk(&ledger, account, span.moments(&config.zone).0, clock).await {
        Ok(()) => Ok(None),
        Err(error) => {
            let told = format!("The service could not be read: {error:#}.");
            tracing::warn!(account = account.name, "{told}");
            Ok(Some(told))
        }
    }
}

async fn walk(ledger: &Ledger, account: &Account, from: Timestamp, clock: &Clock) -> anyhow::Result<()> {
    let client = daemon::client(account, clock)?;
    let (name, url, email) = (
        account.name.clone(),
        account.base_url.clone(),
        account.email.clone(),
    );
    let id = ledger
        .write(move |store| store.account(&name, &url, &email))
        .await?;
    let now = clock.now();
    let from = read_from(ledger, (id, account), from, &now)?;
    let first_page = FirstPage::default();
    let walk = sync::walk(
        List::new(&client, &first_page),
        (ledger, id),
        (from, sync::begun(account, &now)),
        &now,
    )
    .await?;
    if walk.without_id_from.is_some() {
        return Err(ReadError::WithoutId.into());
    }
    Ok(())
}

/// From where the list is read for days that begin then. No gap is left behind: what was read to an earlier moment goes on
/// from there, and a new ledger, which counts as read afterwards, is read as far back as before its first create.
fn read_from(
    ledger: &Ledger,
    (id, account): (AccountRef, &Account),
    from: Timestamp,
    now: &Now,
) -> Result<Timestamp, LedgerError> {
    Ok(sync::walk_from(ledger, id, account, now)?.min(from))
}

/// What the ledger has of an account's orders of these days, and what was written of the month.
fn costs(
    config: &Config,
    account: &Account,
    (span, written_at): (Span, Timestamp),
    not_read: Option<String>,
) -> anyhow::Result<(Costs, Option<AsWritten>)> {
    let mut costs = Costs {
        account: account.name.clone(),
        currency: account.currency.clone(),
        span,
        zone: config.zone.clone(),
        as_of: None,
        not_read,
        written_at,
        orders: Vec::new(),
        strangers: Vec::new(),
        earlier: None,
    };
    let reader = match Reader::open(&config.ledger) {
        Ok(reader) => reader,
        // Nothing was ever sent: there are no costs, which is no failure.
        Err(LedgerError::Missing { .. }) => return Ok((costs, None)),
        Err(error) => return Err(ledger_meaning(error)),
    };
    let as_written = reader
        .read(|store| fill(&mut costs, store))
        .context("cannot read what the orders cost")?;
    Ok((costs, as_written))
}

fn fill(costs: &mut Costs, store: &Store<'_>) -> Result<Option<AsWritten>, LedgerError> {
    let known = store
        .accounts()?
        .into_iter()
        .find(|(_id, name)| *name == costs.account);
    let Some((id, _name)) = known else {
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
fn catalog(config: &Config, account: &Account) -> anyhow::Result<Option<Snapshot>> {
    let cache = Cache::open(&files::folder_of(&config.ledger).join("catalog.db"))?;
    let stored = cache.load(&service::account_key(&account.base_url, &account.email))?;
    Ok(stored.map(|stored| Snapshot::new(stored.read_at, stored.entries, stored.details)))
}

fn text(report: &Written, config: &Config) -> String {
    let figures = &report.figures;
    let as_of = figures.as_of.map_or_else(
        || "the service's order list was never read".to_owned(),
        |at| format!("as of {}", shown::moment(at, &config.zone)),
    );
    let mut text = format!(
        "account {}, {} to {}, {as_of}\n  {} orders, quoted {}, service {}, difference {}\n",
        figures.account,
        figures.from,
        figures.to,
        figures.orders.orders,
        figures.orders.quoted,
        figures.orders.service,
        figures.orders.difference,
    );
    let more = [
        (
            figures.canceled.orders,
            format!("canceled, quoted {}", figures.canceled.quoted),
        ),
        (
            figures.not_yet_read,
            "without a total of the service yet".to_owned(),
        ),
        (
            figures.not_ours,
            "at the service that this ledger did not send".to_owned(),
        ),
    ];
    let more = more.iter().filter(|(count, _what)| *count > 0);
    text.extend(more.map(|(count, what)| format!("  {count} {what}\n")));
    let now = Said::of(figures);
    let changed = report.closed.iter().filter(|written| written.said != now);
    text.extend(changed.map(|written| {
        let said = &written.said;
        format!(
            "  as written by itself {}: {} orders, quoted {}, service {}; {} canceled, quoted {}; what has changed since \
             stands in the months after\n",
            shown::moment(written.at, &config.zone),
            said.orders.orders,
            said.orders.quoted,
            said.orders.service,
            said.canceled.orders,
            said.canceled.quoted,
        )
    }));
    text.extend(report.not_over.map(|said| format!("  {said}\n")));
    text.extend(report.not_read.iter().map(|why| format!("  {why}\n")));
    text.extend([format!("  wrote {}\n", report.file.display())]);
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::BootTime;
    use crate::result::ResultError;

    #[test]
    fn a_report_of_a_new_ledger_leaves_no_gap_before_its_first_create() {
        let folder = tempfile::tempdir().unwrap();
        let config = folder.path().join("dropsheet.toml");
        let text = "[account.main]\nbase_url = \"https://api.example.com\"\nemail = \"shop@example.com\"\n\
                    password_file = \"password\"\nhistory = \"90d\"\n[inbox.main]\npath = \"orders\"\n";
        files::write_new(&config, text.as_bytes()).unwrap();
        let config = config::load(Some(&config)).unwrap();
        let account = config.account("main").unwrap();
        let ledger = Ledger::open(&folder.path().join("ledger.db"), "a test").unwrap();
        let (url, email) = (account.base_url.clone(), account.email.clone());
        let id = ledger
            .write_blocking(move |store| store.account("main", &url, &email))
            .unwrap();
        let at = |moment: &str| -> Timestamp { moment.parse().unwrap() };
        let now = Now {
            wall: at("2026-11-21T09:00:00Z"),
            boot: BootTime {
                id: "boot-1".into(),
                millis: 0,
            },
        };
        let from = |first_day: &str| read_from(&ledger, (id, account), at(first_day), &now).unwrap();
        let [november, june] = ["2026-11-01T00:00:00Z", "2026-06-01T00:00:00Z"];
        assert_eq!(from(november), at("2026-08-23T09:00:00Z"), "`history` ago");
        assert_eq!(from(june), at(june));
        let (known_to, then) = (at("2026-10-20T00:00:00Z"), now.clone());
        ledger
            .write_blocking(move |store| store.set_walked(id, known_to, &then))
            .unwrap();
        assert_eq!(from(november), known_to);
        assert_eq!(from(june), at(june));
    }

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
