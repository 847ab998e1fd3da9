//! Last month's costs (`report.monthly`): one workbook an account, in the `results/` of each of its inboxes, once and
//! never again. It is written when the month is over in `zone`, by this machine's clock and by the service's, and the
//! service's list was read to its end.
//!
//! The workbook is first put beside the ledger, then the month is closed with what it told, and then it is copied into
//! the inboxes: a folder that is away has it later, and a process that is killed in between writes no other one. One that
//! is there already is never written over: a ledger that was put back from a backup does not know of it.

#[cfg(test)]
mod tests;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use tokio_util::sync::CancellationToken;

use super::{DaemonError, Desk, Desks};
use crate::catalog::Snapshot;
use crate::catalog::cache::CacheError;
use crate::config::Config;
use crate::files;
use crate::filing::aside::{self, Owner, RemoveError};
use crate::filing::finish::FinishError;
use crate::filing::own::Paper;
use crate::import::Importer;
use crate::inbox::spool;
use crate::ledger::record::{AccountRef, OwnFile};
use crate::ledger::{ClosedMonth, Ledger, LedgerError, Reader};
use crate::money::TooLarge;
use crate::report::{self, Changes, Costs, ReportError, Said, Span};
use crate::result::ResultError;
use crate::sync;

/// How often it is looked whether a month is over and read.
const LOOK: Duration = Duration::from_mins(5);

/// A month that was closed longer ago is not copied any more: an inbox that is added later does not get every month
/// there was.
const COPIED_FOR: SignedDuration = SignedDuration::from_hours(24 * 92);

/// A closed month that ends later than this was closed by a clock that was ahead: another zone, and clocks that are not far
/// apart, come to less.
const SURELY: SignedDuration = SignedDuration::from_hours(48);

/// Among the files of dropsheet's own, those that are of no inbox.
const NO_INBOX: &str = "";

/// The ending of the workbooks.
const ENDING: &str = "xlsx";

/// Why a month's workbook is not written yet. Orders do not wait for it.
#[derive(Debug, thiserror::Error)]
enum MonthError {
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    #[error("cannot read the catalog, which names products")]
    Catalog(#[from] CacheError),
    #[error(transparent)]
    Report(#[from] ReportError),
    #[error("cannot add up the amounts")]
    Sum(#[from] TooLarge),
    #[error("cannot write {path}")]
    Write {
        path: PathBuf,
        #[source]
        source: io::Error,
    },
    #[error("cannot take away what a killed process has left")]
    Left(#[from] RemoveError),
    #[error("cannot copy it into results/")]
    Copy(#[from] FinishError),
}

/// Writes each month when it is over, until the program ends.
pub(super) async fn keep(
    desks: &Desks,
    config: &Arc<Config>,
    ending: &CancellationToken,
) -> Result<(), DaemonError> {
    while !ending.is_cancelled() {
        if_due(desks, config).await?;
        super::pause(LOOK, ending).await;
    }
    Ok(())
}

/// Writes the months that are over and were not written, and copies them into inboxes that have not got them.
///
/// # Errors
/// Where the ledger cannot be kept; whatever else fails is tried again.
pub(super) async fn if_due(desks: &Desks, config: &Config) -> Result<(), DaemonError> {
    if !config.monthly_report {
        return Ok(());
    }
    let wall = desks.clock.now().wall;
    for importer in desks.accounts.values() {
        let name = importer.submitter.config.name.clone();
        if desks.inboxes.iter().all(|desk| desk.inbox.account != name) {
            continue;
        }
        let (closing, folder) = (Arc::clone(importer), folder(&config.ledger));
        let done = tokio::task::spawn_blocking(move || close_due(&closing, &folder, wall));
        or_later(&name, done.await.map_err(|_panic| DaemonError::Panicked)?)?;
    }
    let _one_at_a_time = desks.writing.lock().await;
    for desk in &desks.inboxes {
        let folder = folder(&config.ledger);
        // A share that does not answer keeps the others' files waiting for its time alone.
        let copied = desk.in_time("result", move |desk| copy(desk, &folder, wall));
        if let Some(copied) = copied.await? {
            or_later(&desk.inbox.account, copied)?;
        }
    }
    Ok(())
}

/// How the names of the folders begin that a ledger's workbooks are written in. Two ledgers may lie beside each other.
fn scratch_of(ledger: &Ledger) -> String {
    format!("{}month-{}-", files::TEMPORARY, ledger.id())
}

/// Removes what a killed process was writing. Only who holds the ledger may call it, before a month is written: nobody else
/// writes in a folder of that name.
pub(super) fn sweep(ledger: &Ledger, config: &Config) {
    let scratch = scratch_of(ledger);
    // A folder that is not there, or cannot be listed, keeps nobody from working.
    let entries = std::fs::read_dir(folder(&config.ledger))
        .into_iter()
        .flatten()
        .flatten();
    for entry in entries.filter(|entry| entry.file_name().to_string_lossy().starts_with(&scratch)) {
        let path = entry.path();
        if let Err(error) = std::fs::remove_dir_all(&path) {
            tracing::warn!(path = %path.display(), %error, "what a killed process left cannot be removed; it stays");
        }
    }
}

fn or_later(account: &str, done: Result<(), MonthError>) -> Result<(), DaemonError> {
    match done {
        Ok(()) => Ok(()),
        Err(MonthError::Ledger(error) | MonthError::Copy(FinishError::Ledger(error))) => Err(error.into()),
        Err(error) => {
            let why = crate::causes::chain(&error);
            tracing::warn!(account, "the month's costs are written later: {why}");
            Ok(())
        }
    }
}

/// Where the workbooks stay, beside the ledger.
fn folder(ledger: &Path) -> PathBuf {
    files::folder_of(ledger).join("costs")
}

/// How the workbook that stays is called, but for its number and its ending.
fn stem(account: &str, month: &str) -> String {
    format!("{}-{account}", name(month))
}

fn name(month: &str) -> String {
    format!("print-costs-{month}")
}

/// What names, among the files of dropsheet's own, that a month was opened again.
fn again(stem: &str) -> String {
    format!("again {stem}")
}

/// Whose months are closed, and with what.
#[derive(Debug)]
struct Closer<'a> {
    ledger: &'a Ledger,
    account: AccountRef,
    name: &'a str,
    currency: Option<&'a str>,
    zone: &'a TimeZone,
    catalog: Option<&'a Snapshot>,
    folder: &'a Path,
}

/// The moment that has passed by this machine's clock and by the service's. Where that has told no time yet, its list is
/// known no further than by its time when it was read.
fn passed(importer: &Importer, wall: Timestamp) -> Timestamp {
    let told = importer.submitter.client.service_now();
    told.map_or(wall, |told| wall.min(told))
}

/// Closes an account's months that are over, one after the other. Waits for the disk.
fn close_due(importer: &Importer, folder: &Path, wall: Timestamp) -> Result<(), MonthError> {
    let catalog = importer.catalog.kept()?;
    let submitter = &importer.submitter;
    let closer = Closer {
        ledger: &submitter.ledger,
        account: submitter.account,
        name: &submitter.config.name,
        currency: submitter.config.currency.as_deref(),
        zone: &importer.zone,
        catalog: catalog.as_deref(),
        folder,
    };
    let account = &submitter.config.name;
    if let Some(told) = submitter.client.service_now() {
        for month in closer.open_again(wall.max(told))? {
            tracing::warn!(
                account,
                month,
                "a month's costs were written before it was over: it is open again"
            );
        }
    }
    let now = passed(importer, wall);
    while let Some(path) = closer.close_next(now)? {
        tracing::info!(account, path = %path.display(), "a month's costs are written");
    }
    Ok(())
}

impl Closer<'_> {
    /// Opens the months again that were closed by a clock that was ahead and are not over by the later of the clocks, and
    /// gives their names: else nothing would be written until then. One whose workbook has orders stays closed: what has come
    /// since stands in the next month's.
    fn open_again(&self, latest: Timestamp) -> Result<Vec<String>, MonthError> {
        let closed = self
            .ledger
            .read(|store| store.closed_months::<Said>(self.account))?;
        let surely = latest.checked_add(SURELY).unwrap_or(Timestamp::MAX);
        let is_ahead = |month: &&ClosedMonth<Said>| {
            let is_empty = (month.said.orders.orders, month.said.canceled.orders) == (0, 0);
            let span = Span::month(&month.month);
            is_empty && span.is_ok_and(|span| span.moments(self.zone).1 > surely)
        };
        let ahead = closed.iter().rev().take_while(is_ahead);
        let months: Vec<String> = ahead.map(|month| month.month.clone()).collect();
        let keys = months.iter().map(|month| again(&stem(self.name, month)));
        let opened: Vec<(String, String)> = months.iter().cloned().zip(keys).collect();
        if opened.is_empty() {
            return Ok(months);
        }
        let account = self.account;
        self.ledger.write_blocking(move |store| {
            opened.iter().try_for_each(|(month, again)| {
                store.open_month(account, month)?;
                store.set_own_file(NO_INBOX, again, &OwnFile::default())
            })
        })?;
        Ok(months)
    }

    /// Writes the next month and closes it; none where it is not over, or not read to its end.
    fn close_next(&self, now: Timestamp) -> Result<Option<PathBuf>, MonthError> {
        let closed = self
            .ledger
            .read(|store| store.closed_months::<Said>(self.account))?;
        let Some(span) = report::next_month(&closed, now, self.zone) else {
            return Ok(None);
        };
        let (from, until) = span.moments(self.zone);
        let as_of = self.ledger.read(|store| store.walked(self.account))?;
        let Some(as_of) = as_of.map(|walked| walked.to).filter(|to| *to >= until) else {
            return Ok(None);
        };
        let mut costs = self.costs(span, (as_of, now), &closed)?;
        if closed.is_empty() && costs.orders.is_empty() {
            // The account has not begun: its first month is one with orders.
            return Ok(None);
        }
        let stem = stem(self.name, &span.name());
        let path = self.place(&stem)?;
        costs.stands_in = self.stands_in(&stem, &path, span)?;
        let (figures, file) = self.write(&costs, &stem, &path)?;
        let told = report::told(
            span,
            &costs.orders,
            costs.earlier.iter().flat_map(|changes| &changes.orders),
        );
        let closed = ClosedMonth {
            month: span.name(),
            from,
            closed_at: now,
            said: Said::of(&figures),
        };
        let account = self.account;
        let file = OwnFile {
            content: now.to_string(),
            ..file
        };
        self.ledger.write_blocking(move |store| {
            store.close_month(account, &closed, &told)?;
            store.set_own_file(NO_INBOX, &stem, &file)
        })?;
        Ok(Some(path))
    }

    fn costs(
        &self,
        span: Span,
        (as_of, now): (Timestamp, Timestamp),
        closed: &[ClosedMonth<Said>],
    ) -> Result<Costs, MonthError> {
        let (from, until) = span.moments(self.zone);
        let begun = closed.iter().map(|month| month.from).min();
        let begun = begun.map_or(from, |begun| begun.min(from));
        // A connection of its own: every order of the account is read, and who works orders does not wait for it.
        let reader = Reader::open(self.ledger.path())?;
        let (untold, retold, strangers, without_id) = reader.read(|store| {
            Ok((
                store.untold_costs(self.account, begun, until)?,
                store.retold_costs(self.account)?,
                store.strangers(self.account, from, until)?,
                store.guards(self.account)?.without_id_from,
            ))
        })?;
        drop(reader);
        let hides = without_id.is_some_and(|at| at < until && sync::may_hide(at, from));
        let (late, orders) = untold.into_iter().partition(|cost| cost.dated_at < from);
        Ok(Costs {
            account: self.name.to_owned(),
            currency: self.currency.map(str::to_owned),
            span,
            zone: self.zone.clone(),
            as_of: Some(as_of),
            not_read: hides.then(|| {
                "The service's list shows an order without an id, which may be of this month: it is not counted here. Ask \
                 the print service."
                    .to_owned()
            }),
            written_at: now,
            orders,
            strangers,
            stands_in: None,
            earlier: Some(Changes::of(retold, late, self.zone)?),
        })
    }

    /// Where a workbook is put: beside those that are there. One of a process that was killed before it closed the month is
    /// removed, for nobody has it.
    fn place(&self, stem: &str) -> Result<PathBuf, MonthError> {
        let noted = self.ledger.read(|store| store.own_file(NO_INBOX, stem))?;
        if let Some(left) = noted.filter(|noted| noted.content.is_empty()) {
            aside::remove(&files::now_in(self.folder, &left.path), &left.hash, Owner::Own)?;
        }
        // The copies of one that was opened again are told by their name from those of the first.
        let number = if self.is_again(stem)? { "-2" } else { "" };
        Ok(files::free_name(self.folder, &format!("{stem}{number}"), ENDING))
    }

    /// Whether a month was closed before it was over, and opened again.
    fn is_again(&self, stem: &str) -> Result<bool, LedgerError> {
        let noted = self.ledger.read(|store| store.own_file(NO_INBOX, &again(stem)))?;
        Ok(noted.is_some())
    }

    /// What a workbook has to say of one that was there before it, in sentences; none where it is the first.
    fn stands_in(&self, stem: &str, path: &Path, span: Span) -> Result<Option<String>, LedgerError> {
        let first = format!("{}.{ENDING}", name(&span.name()));
        if self.is_again(stem)? {
            return Ok(Some(format!(
                "{first} was written before the month was over, by a clock that was ahead: it has no order of the month. What \
                 it has on its page `Changes to earlier months` is not in this one: add that up too."
            )));
        }
        let is_first = path == self.folder.join(format!("{stem}.{ENDING}"));
        Ok((!is_first).then(|| {
            format!(
                "It stands in for {first}, which was there already and of which this ledger does not know: it may have been \
                 put back from a backup. Add up this one and not that one: what changes later is counted from this one. An \
                 order that only that one has is on the page `Not in this ledger`, without an amount."
            )
        }))
    }

    /// Writes the workbook whole to its place beside the ledger, which knows of it before it is there.
    fn write(
        &self,
        costs: &Costs,
        stem: &str,
        path: &Path,
    ) -> Result<(report::Figures, OwnFile), MonthError> {
        let failed = |source| MonthError::Write {
            path: path.to_owned(),
            source,
        };
        std::fs::create_dir_all(self.folder).map_err(failed)?;
        let scratch = tempfile::Builder::new()
            .prefix(&scratch_of(self.ledger))
            .tempdir_in(self.folder)
            .map_err(failed)?;
        let new = scratch.path().join("new");
        let figures = report::write(costs, self.catalog, &new)?;
        let file = OwnFile {
            path: path.to_string_lossy().into_owned(),
            hash: spool::hash_of(&new).map_err(failed)?,
            content: String::new(),
        };
        let (stem, noted) = (stem.to_owned(), file.clone());
        self.ledger
            .write_blocking(move |store| store.set_own_file(NO_INBOX, &stem, &noted))?;
        // Whole and synced already. Nothing half written lies anywhere but in the scratch folder.
        files::move_new(&new, path).map_err(failed)?;
        crate::crash::point("month-written");
        Ok((figures, file))
    }
}

/// Copies the newest months into an inbox that has not got them; one that cannot be copied keeps no other one back.
/// Waits for the disk.
fn copy(desk: &Desk, folder: &Path, wall: Timestamp) -> Result<(), MonthError> {
    let (ledger, account) = (desk.ledger(), desk.importer.submitter.account);
    let closed = ledger.read(|store| store.closed_months::<Said>(account))?;
    let now = passed(&desk.importer, wall);
    // A time in the future tells of a clock that was set back: then too the month is a recent one.
    let is_recent = |month: &&ClosedMonth<Said>| now.duration_since(month.closed_at) < COPIED_FOR;
    let mut done = Ok(());
    for month in closed.iter().filter(is_recent) {
        done = done.and(copy_one(desk, folder, month));
    }
    done
}

fn copy_one(desk: &Desk, folder: &Path, month: &ClosedMonth<Said>) -> Result<(), MonthError> {
    let (ledger, inbox, stem) = (
        desk.ledger(),
        &desk.inbox.name,
        stem(&desk.inbox.account, &month.month),
    );
    let kept = ledger.read(|store| store.own_file(NO_INBOX, &stem))?;
    let kept = kept.map_or_else(
        || format!("{stem}.{ENDING}").into(),
        |kept| PathBuf::from(kept.path),
    );
    let from = files::now_in(folder, &kept.to_string_lossy());
    // Under the number that it has there.
    let number = kept
        .file_stem()
        .and_then(|kept| kept.to_str()?.strip_prefix(&*stem));
    let name = name(&month.month) + number.unwrap_or_default();
    let noted = ledger.read(|store| store.own_file(inbox, &name))?;
    // Put there once, it stays as it is, also where the inbox has another account since. Nothing is made in a folder
    // that may be a share's empty place.
    if noted.is_some_and(|file| !file.content.is_empty()) || desk.look_for_trouble().is_some() {
        return Ok(());
    }
    let paper = Paper {
        inbox,
        folder: &desk.folder.part("results"),
        name: &name,
        ending: ENDING,
        content: &month.closed_at.to_string(),
        always: false,
        title: None,
    };
    let put = paper.put(ledger, |path| {
        let copied = std::fs::read(&from).and_then(|bytes| files::write_new(path, &bytes));
        copied.map_err(|source| ResultError::Write {
            path: from.clone(),
            source,
        })
    });
    put.map(drop).map_err(MonthError::Copy)
}
