//! The program at work: every inbox looked at and worked, every unsettled order carried on, once or until it is told
//! to end. Owns the clock.
//!
//! The look is the truth; events of the file system only ring a bell. One task an inbox takes and works sheets, one
//! task an account settles what has no answer yet and writes the news into results.

mod account;
mod desk;
mod help;
mod once;
mod papers;
pub mod requests;
mod sync;
mod watch;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use tokio_util::sync::CancellationToken;

use crate::clock::Clock;
use crate::config::{Config, ConfigError};
use crate::import::finish::Written;
use crate::import::take::TakeError;
use crate::ledger::record::ClaimRef;
use crate::ledger::{Ledger, LedgerError};
use crate::outcome::Status;
use crate::service::ClientError;
use crate::submit::SubmitError;
use crate::webhook::{Receiver, WebhookError};

pub use account::{Desks, client, open};
pub use desk::Desk;
pub use once::{Sheets, import, run_once};

/// What stops the program.
#[derive(Debug, thiserror::Error)]
pub enum DaemonError {
    /// The ledger.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// A password cannot be read.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// No client can be made.
    #[error("account `{account}`")]
    Client {
        /// The account.
        account: String,
        /// Why.
        #[source]
        source: ClientError,
    },
    /// The catalog's cache.
    #[error("cannot open the catalog's cache")]
    Cache(#[source] crate::catalog::cache::CacheError),
    /// A sheet could not be taken.
    #[error("cannot take sheets")]
    Take(#[from] TakeError),
    /// An order could not be carried on.
    #[error("cannot carry orders on")]
    Submit(#[from] SubmitError),
    /// A sheet could not be worked.
    #[error("cannot work `{sheet}`")]
    Import {
        /// The sheet.
        sheet: String,
        /// Why.
        #[source]
        source: Box<crate::import::ImportError>,
    },
    /// A sheet could not be ended.
    #[error("cannot end `{sheet}`")]
    Finish {
        /// The sheet.
        sheet: String,
        /// Why.
        #[source]
        source: Box<crate::import::finish::FinishError>,
    },
    /// The copies of taken sheets cannot be seen to.
    #[error("cannot tidy the copies of taken sheets in {path}")]
    Spool {
        /// The folder.
        path: PathBuf,
        /// Why.
        #[source]
        source: std::io::Error,
    },
    /// There is no inbox.
    #[error("the config has no inbox; add one: [inbox.main] path = \"orders\"")]
    NoInbox,
    /// A file that was named cannot be read.
    #[error("cannot read {path}")]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        source: std::io::Error,
    },
    /// Notifications cannot be received.
    #[error(transparent)]
    Webhook(#[from] WebhookError),
    /// A thread of ours ended with a panic.
    #[error("a task ended with a defect of dropsheet")]
    Panicked,
}

/// What happened to one sheet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SheetReport {
    /// The sheet in the ledger, where it was taken.
    pub claim: Option<ClaimRef>,
    /// The inbox; empty for a sheet that is in none.
    pub inbox: String,
    /// The sheet's name.
    pub sheet: String,
    /// Orders by status.
    pub orders: BTreeMap<Status, u64>,
    /// The result, where there is one.
    pub result: Option<PathBuf>,
    /// The to-fix sheet, where there is something to fix.
    pub to_fix: Option<PathBuf>,
    /// Why it was rejected, if it was.
    pub rejected: Option<String>,
    /// Why it could not be ended, if it could not: it is tried again.
    pub trouble: Option<String>,
}

impl SheetReport {
    /// Takes over what a written result says.
    fn tell(&mut self, written: Written) {
        self.orders = written.counts.orders.into_iter().collect();
        self.result = Some(written.path);
        self.to_fix = written.to_fix;
    }
}

/// What a run has done.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// The sheets that were worked.
    pub sheets: Vec<SheetReport>,
    /// What kept an inbox from being worked, or an account's orders from being sent.
    pub troubles: Vec<String>,
    /// Inboxes that were worked.
    pub inboxes: usize,
    /// Files that are not whole or still changing.
    pub waiting_files: usize,
    /// Orders without an answer.
    pub unresolved: usize,
}

impl Report {
    /// Whether a person or another run is needed.
    pub fn needs_attention(&self) -> bool {
        let sheet = |s: &SheetReport| {
            s.rejected.is_some()
                || s.trouble.is_some()
                || s.orders
                    .iter()
                    .any(|(status, n)| *n > 0 && status.needs_attention())
        };
        self.waiting_files > 0
            || self.unresolved > 0
            || !self.troubles.is_empty()
            || self.sheets.iter().any(sheet)
    }
}

/// Works every inbox until `ending` is told.
pub async fn run(config: Config, ending: CancellationToken) -> Result<(), DaemonError> {
    let desks = open(&config, Clock::system(), None, Arc::default()).await?;
    tracing::info!(ledger = %config.ledger.display(), inboxes = desks.inboxes.len(), "dropsheet works");
    let mut tasks = tokio::task::JoinSet::new();
    if let Some(webhook) = &config.webhook {
        let receiver = Receiver::open(webhook).await?;
        tracing::info!(listen = %webhook.listen, "notifications are received");
        let (desks, ending) = (desks.clone(), ending.clone());
        tasks.spawn(async move { receive(receiver, &desks, &ending).await });
    }
    for account in desks.accounts.values() {
        let (account, desks, ending) = (Arc::clone(account), desks.clone(), ending.clone());
        tasks.spawn(async move { watch::carry_on(&desks, &account, &ending).await });
    }
    for desk in &desks.inboxes {
        let (desk, ending) = (Arc::clone(desk), ending.clone());
        tasks.spawn(async move { watch::keep(&desk, &ending).await });
    }
    {
        let (desks, ending) = (desks.clone(), ending.clone());
        tasks.spawn(async move { papers::keep(&desks, &ending).await });
    }
    {
        let (desks, ending) = (desks.clone(), ending.clone());
        tasks.spawn(async move { requests::serve(&desks, &ending).await });
    }
    let mut ended = Ok(());
    {
        // Who waits for an absent service is turned away as soon as the program is to end.
        let (desks, ending) = (desks.clone(), ending.clone());
        tokio::spawn(async move {
            ending.cancelled().await;
            desks.end();
        });
    }
    while let Some(done) = tasks.join_next().await {
        let done = done.map_err(|_panic| DaemonError::Panicked).flatten();
        if let Err(error) = done
            && ended.is_ok()
        {
            ended = Err(error);
        }
        // One that ends, ends all: a ledger that cannot be kept is everybody's.
        ending.cancel();
        desks.end();
    }
    ended
}

/// Receives the service's notifications until the program ends.
async fn receive(receiver: Receiver, desks: &Desks, ending: &CancellationToken) -> Result<(), DaemonError> {
    let submitters = desks.accounts.values();
    let submitters: Vec<_> = submitters.map(|one| Arc::clone(&one.submitter)).collect();
    let received = receiver.run(&desks.ledger, &submitters, (&desks.clock, ending));
    Ok(received.await?)
}

/// Opens the ledger for this process; `doing` is said to whoever finds it locked.
pub fn open_ledger(config: &Config, doing: &str) -> Result<Ledger, LedgerError> {
    Ledger::open(
        &config.ledger,
        &format!("process {}, {doing}", std::process::id()),
    )
}

/// An error with its causes, as one sentence.
pub fn chain(error: &dyn std::error::Error) -> String {
    let mut told = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        told.push_str(": ");
        told.push_str(&error.to_string());
        cause = error.source();
    }
    told
}
