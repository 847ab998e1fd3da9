//! What the commands that work sheets have in common: ending on a signal, and what an error or a report means for the
//! exit status.

use std::future::Future;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use super::exit::{BusyError, Exit, UsageError};
use crate::config::{Account, Config, Inbox};
use crate::daemon::{DaemonError, GRACE, Report};
use crate::ledger::LedgerError;
use crate::service::{Failure, Heard, Verdict};

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
        DaemonError::NoInbox { .. } => UsageError(error.to_string()).into(),
        error => error.into(),
    }
}

/// An error of the ledger, as the exit status that it means.
pub(super) fn ledger_meaning(error: LedgerError) -> anyhow::Error {
    let said = error.to_string();
    match error {
        LedgerError::Busy { holder, .. } => BusyError { said, holder }.into(),
        LedgerError::OtherAccount { .. } | LedgerError::RenamedAccount { .. } => UsageError(said).into(),
        error => error.into(),
    }
}

/// A config that has no inbox.
pub(super) fn no_inbox(config: &Config) -> UsageError {
    let config = config.path.clone();
    UsageError(DaemonError::NoInbox { config }.to_string())
}

/// The inbox whose settings count: the one that is named, else the only one.
pub(super) fn inbox_of<'a>(config: &'a Config, named: Option<&str>) -> Result<&'a Inbox, UsageError> {
    let names = inboxes(config);
    match (named, config.inboxes.as_slice()) {
        (Some(name), _) => config.inbox(name).ok_or_else(|| unknown("inbox", name, &names)),
        (None, [only]) => Ok(only),
        (None, []) => Err(no_inbox(config)),
        (None, _several) => Err(UsageError(format!(
            "which inbox's settings count? Add --inbox, one of {}",
            names.join(", ")
        ))),
    }
}

/// The account with this name.
pub(super) fn account_of<'a>(config: &'a Config, name: &str) -> Result<&'a Account, UsageError> {
    config
        .account(name)
        .ok_or_else(|| unknown("account", name, &accounts(config)))
}

/// The account that is named, else all.
pub(super) fn accounts_of<'a>(
    config: &'a Config,
    named: Option<&str>,
) -> Result<Vec<&'a Account>, UsageError> {
    match named {
        Some(name) => account_of(config, name).map(|account| vec![account]),
        None => Ok(config.accounts.iter().collect()),
    }
}

/// The names of the config's inboxes.
fn inboxes(config: &Config) -> Vec<&str> {
    config.inboxes.iter().map(|inbox| inbox.name.as_str()).collect()
}

/// The names of the config's accounts.
pub(super) fn accounts(config: &Config) -> Vec<&str> {
    config
        .accounts
        .iter()
        .map(|account| account.name.as_str())
        .collect()
}

/// An inbox or an account that the config does not have, beside those that it has.
fn unknown(kind: &str, name: &str, known: &[&str]) -> UsageError {
    let known = match known {
        [] => "none".to_owned(),
        names => names.join(", "),
    };
    UsageError(format!("the config has no {kind} `{name}`; it has {known}"))
}

/// What to do about a service that does not answer as it should.
pub(super) fn advice(account: &str, failure: &Failure) -> String {
    if matches!(failure.heard, Heard::NoToken | Heard::Denied) {
        return format!(
            "the service accepts the login of account `{account}` and refuses the rest; ask it why"
        );
    }
    if failure.verdict == Verdict::Credentials {
        return format!("the service refuses the e-mail and password of account `{account}`; correct them");
    }
    if let Verdict::TryLater(_) = failure.verdict {
        return format!("the service of account `{account}` takes no more requests for now; try again later");
    }
    format!("check `base_url` of account `{account}` and the network, or try again later")
}

/// The exit status of a run.
pub(super) fn exit_of(report: &Report) -> Exit {
    if report.needs_attention() {
        Exit::Attention
    } else {
        Exit::Done
    }
}
