//! What the commands that work sheets have in common: ending on a signal, the table at the end, the exit status.

use std::future::Future;
use std::path::Path;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use super::exit::{BusyError, Exit, UsageError};
use super::print;
use crate::config::Config;
use crate::daemon::{DaemonError, GRACE, Report, SheetReport};
use crate::ledger::LedgerError;

/// Runs work that ends early, and in order, on SIGINT or SIGTERM; none where it had to be left as it stood.
///
/// # Errors
/// The work's own, with the exit status it means.
pub(super) async fn until_told<T>(
    work: impl AsyncFnOnce(CancellationToken) -> Result<T, DaemonError>,
) -> anyhow::Result<Option<T>> {
    let ending = CancellationToken::new();
    let told = ending.clone();
    let listening = tokio::spawn(async move {
        match signal().await {
            Ok(()) => {
                tracing::info!("told to end; what is under way is finished");
                told.cancel();
            }
            Err(error) => tracing::warn!(%error, "signals cannot be listened to"),
        }
    });
    let too_long = async {
        ending.cancelled().await;
        tokio::time::sleep(LEAVE).await;
    };
    let done = tokio::select! {
        done = work(ending.clone()) => done.map(Some),
        () = too_long => {
            tracing::warn!("what is still under way is left as it is written; the next run goes on");
            Ok(None)
        }
    };
    listening.abort();
    done.map_err(meaning)
}

/// How long work may take to end; with what the operating system takes, the end comes within 10 seconds.
const LEAVE: Duration = GRACE.saturating_add(Duration::from_millis(500));

/// The first SIGINT, SIGTERM or SIGHUP: a closed terminal ends the work as gently. One that was started to outlive its
/// terminal (`nohup`) does not hear of it.
fn signal() -> impl Future<Output = std::io::Result<()>> {
    use tokio::signal::unix::{Signal, SignalKind, signal};
    let hangs_up = !hangup_is_ignored();
    let signals: std::io::Result<Vec<Signal>> = [SignalKind::interrupt(), SignalKind::terminate()]
        .into_iter()
        .chain(hangs_up.then(SignalKind::hangup))
        .map(signal)
        .collect();
    async move {
        let mut signals = signals?;
        let each = signals.iter_mut().map(|signal| Box::pin(signal.recv()));
        futures_util::future::select_all(each).await;
        Ok(())
    }
}

/// Whether SIGHUP was set to be ignored by who started this process: the lowest bit of the kernel's mask. False where
/// the kernel does not tell.
fn hangup_is_ignored() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let lowest = mask.and_then(|mask| mask.trim().chars().last()?.to_digit(16));
    lowest.is_some_and(|digit| digit & 1 == 1)
}

/// An error of the machinery, as the exit status that it means.
pub(super) fn meaning(error: DaemonError) -> anyhow::Error {
    match error {
        DaemonError::Ledger(error) => ledger_meaning(error),
        DaemonError::Config(error) => error.into(),
        DaemonError::NoInbox => UsageError(error.to_string()).into(),
        error => error.into(),
    }
}

/// An error of the ledger, as the exit status that it means.
pub(super) fn ledger_meaning(error: LedgerError) -> anyhow::Error {
    match error {
        LedgerError::Busy { .. } => BusyError(error.to_string()).into(),
        LedgerError::OtherAccount { .. } | LedgerError::RenamedAccount { .. } => {
            UsageError(error.to_string()).into()
        }
        error => error.into(),
    }
}

/// The inbox whose settings count: the one that is named, else the only one.
pub(super) fn inbox_of<'a>(
    config: &'a Config,
    named: Option<&str>,
) -> anyhow::Result<&'a crate::config::Inbox> {
    let names = || {
        config
            .inboxes
            .iter()
            .map(|inbox| inbox.name.as_str())
            .collect::<Vec<_>>()
            .join(", ")
    };
    match (named, config.inboxes.as_slice()) {
        (Some(name), all) => all.iter().find(|inbox| inbox.name == name).ok_or_else(|| {
            UsageError(format!("the config has no inbox `{name}`; it has {}", names())).into()
        }),
        (None, [only]) => Ok(only),
        (None, []) => Err(UsageError(DaemonError::NoInbox.to_string()).into()),
        (None, _several) => Err(UsageError(format!(
            "which inbox's settings count? Add --inbox, one of {}",
            names()
        ))
        .into()),
    }
}

/// Prints what a run has done, a line a sheet.
pub(super) fn print_report(report: &Report) -> std::io::Result<()> {
    for sheet in &report.sheets {
        print::line(&sheet_line(sheet))?;
    }
    for trouble in &report.troubles {
        print::line(trouble)?;
    }
    if report.unresolved > 0 {
        print::line(&format!(
            "{} without an answer of the service: looked up again at the next run; do not order them again",
            orders(report.unresolved)
        ))?;
    }
    if report.canceling > 0 {
        print::line(&format!(
            "{} not confirmed by the service yet: the next run goes on",
            cancels(report.canceling)
        ))?;
    }
    if report.waiting_files > 0 {
        print::line(&format!(
            "{} still changing or not whole: left for the next run",
            files(report.waiting_files)
        ))?;
    }
    Ok(())
}

fn sheet_line(sheet: &SheetReport) -> String {
    if let Some(why) = &sheet.untaken {
        return format!("{}: not worked. {why}", sheet.sheet);
    }
    if let Some(why) = &sheet.rejected {
        return format!("{}: rejected. {why}", sheet.sheet);
    }
    let counts: Vec<String> = sheet
        .orders
        .iter()
        .map(|(status, n)| format!("{n} {status}"))
        .collect();
    let mut line = format!(
        "{}: {}",
        sheet.sheet,
        if counts.is_empty() {
            "no orders".to_owned()
        } else {
            counts.join(", ")
        }
    );
    let mut tell = |what: &str, path: &Path| {
        line.push_str("\n  ");
        line.push_str(what);
        line.push_str(&path.display().to_string());
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
    for said in sheet.unread.iter().chain(&sheet.trouble) {
        line.push_str("\n  ");
        line.push_str(said);
    }
    line
}

fn orders(n: usize) -> String {
    if n == 1 {
        "1 order is".to_owned()
    } else {
        format!("{n} orders are")
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

/// The exit status of a run.
pub(super) fn exit_of(report: &Report) -> Exit {
    if report.needs_attention() {
        Exit::Attention
    } else {
        Exit::Done
    }
}
