//! The program at work: every inbox looked at and worked, every unsettled order carried on, once or until it is told
//! to end. Owns the clock.
//!
//! The look is the truth; events of the file system only ring a bell. One scheduler an inbox takes and works sheets and
//! writes the news into results; one task an account settles what has no answer yet and sends what was approved. Each
//! inbox has a thread of its own for its file calls, so that a share that does not answer holds up nobody else.

mod account;
mod backup;
mod carry;
mod concerns;
mod desk;
mod forgotten;
mod hand;
mod held;
mod help;
mod keep;
mod last;
mod looks;
mod months;
mod news;
mod once;
mod papers;
mod pulse;
mod rebuild;
pub mod requests;
mod sync;
mod tell;
mod tidy;
mod unknown;
mod watcher;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use sd_notify::NotifyState;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::clock::Clock;
use crate::config::{Config, ConfigError, Notify};
use crate::filing::finish::WrittenResult;
use crate::filing::take::TakeError;
use crate::ledger::record::ClaimRef;
use crate::ledger::{Holder, Ledger, LedgerError};
use crate::outcome::Status;
use crate::service::ClientError;
use crate::submit::SubmitError;
use crate::webhook::{Receiver, WebhookError};

pub use account::{Desks, Patience, client, open};
pub use desk::Desk;
pub use once::{Sheets, import, run_once};
pub use pulse::Pulse;
pub use rebuild::{RebuildError, Rebuilt, rebuild};
pub use tell::in_the_way;
pub use unknown::{UNKNOWN, has_looked_at_all, unknown_inboxes};

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
    #[error(transparent)]
    Cache(crate::catalog::cache::CacheError),
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
        source: Box<crate::filing::finish::FinishError>,
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
    /// The figures cannot be shown at their address.
    #[error("cannot listen at {address} (`metrics.listen`); is another program there already?")]
    Listen {
        /// The address.
        address: std::net::SocketAddr,
        /// Why.
        #[source]
        source: std::io::Error,
    },
    /// There is no inbox.
    #[error("{}: the config has no inbox; add one: [inbox.main] path = \"orders\"", config.display())]
    NoInbox {
        /// The config's file.
        config: PathBuf,
    },
    /// An inbox's folder is another ledger's.
    #[error("{0}")]
    Anothers(String),
    /// A file that was named cannot be read.
    #[error("cannot read {path}")]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        source: std::io::Error,
    },
    /// The machine gives no thread.
    #[error("cannot start a thread for an inbox")]
    Thread(#[source] std::io::Error),
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
    /// How many of the orders that are only priced would be held for a person, were they sent.
    pub would_be_held: u64,
    /// The result, where there is one.
    pub result: Option<PathBuf>,
    /// The to-fix sheet, where there is something to fix.
    pub to_fix: Option<PathBuf>,
    /// The SKU-map sheet, where own SKUs are unknown.
    pub sku_map: Option<PathBuf>,
    /// Why it could not even be read, if it could not: it was not taken.
    pub untaken: Option<String>,
    /// What is to be done with it, where the run was told to end before it was begun.
    pub unbegun: Option<&'static str>,
    /// What is said of other sheets of the workbook, which were not read.
    pub unread: Option<String>,
    /// Why it was rejected, if it was.
    pub rejected: Option<String>,
    /// Why it could not be ended, if it could not: it is tried again.
    pub trouble: Option<String>,
}

impl SheetReport {
    /// Takes over what a written result says.
    fn tell(&mut self, written: WrittenResult) {
        self.orders = written.counts.orders.into_iter().collect();
        self.would_be_held = written.counts.would_be_held;
        self.result = Some(written.path);
        self.to_fix = written.to_fix;
        self.sku_map = written.sku_map;
        self.unread = written.counts.unread;
        if written.unlisted.is_some() {
            self.trouble = written.unlisted;
        }
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
    /// Orders that a person has approved and that were sent.
    pub approved: usize,
    /// Orders without an answer.
    pub unresolved: usize,
    /// Those of them that a person has to decide.
    pub undecided: usize,
    /// Cancels that are wished and not confirmed.
    pub canceling: usize,
    /// Orders that wait for approval, of this pass and of earlier ones.
    pub held: u64,
}

impl Report {
    /// Takes over the sheets and the troubles of another.
    fn take_over(&mut self, other: Self) {
        self.sheets.extend(other.sheets);
        self.tell(other.troubles);
    }

    /// Notes troubles, each once, however many looks find it.
    fn tell(&mut self, troubles: Vec<String>) {
        for trouble in troubles {
            if !self.troubles.contains(&trouble) {
                self.troubles.push(trouble);
            }
        }
    }

    /// Whether a person or another run is needed.
    pub fn needs_attention(&self) -> bool {
        let sheet = |s: &SheetReport| {
            s.untaken.is_some()
                || s.unbegun.is_some()
                || s.rejected.is_some()
                || s.trouble.is_some()
                || s.unread.is_some()
                || s.would_be_held > 0
                || s.orders
                    .iter()
                    .any(|(status, n)| *n > 0 && status.needs_attention())
        };
        self.waiting_files > 0
            || self.unresolved > 0
            || self.canceling > 0
            || self.held > 0
            || !self.troubles.is_empty()
            || self.sheets.iter().any(sheet)
    }
}

/// How long what is under way may take when the program is to end; the rest stays written as intents, and the next start
/// looks it up. With what the operating system takes, the end comes within 10 seconds.
pub const GRACE: Duration = Duration::from_secs(8);

/// Works every inbox until `ending` is told. Where it stops by itself, a person is told.
pub async fn run(config: Config, ending: CancellationToken) -> Result<(), DaemonError> {
    let config = Arc::new(config);
    // A token of its own: that an error ends the work does not limit how long telling of it may take.
    let ended = work(&config, ending.child_token()).await;
    if let Err(error) = &ended {
        last::tell(&config, error).await;
    }
    ended
}

async fn work(config: &Arc<Config>, ending: CancellationToken) -> Result<(), DaemonError> {
    config
        .notify
        .as_ref()
        .map_or(Ok(()), Notify::refuse_without_password)?;
    let desks = open(
        config,
        "dropsheet run",
        Clock::system(),
        |_account| None,
        Arc::default(),
    )
    .await?;
    tracing::info!(ledger = %config.ledger.display(), inboxes = desks.inboxes.len(), "dropsheet works");
    let pulse = Arc::new(Pulse::default());
    let mut tasks = JoinSet::new();
    if let Some(webhook) = &config.webhook {
        let receiver = Receiver::open(webhook).await?;
        tracing::info!(listen = %webhook.listen, "notifications are received");
        let (desks, ending) = (desks.clone(), ending.clone());
        tasks.spawn(async move { receive(receiver, &desks, &ending).await });
    }
    for account in desks.accounts.values() {
        let (account, ending) = (Arc::clone(account), ending.clone());
        tasks.spawn(async move { carry::carry_on(&account, &ending).await });
    }
    for desk in &desks.inboxes {
        let (desk, pulse, ending) = (Arc::clone(desk), Arc::clone(&pulse), ending.clone());
        pulse.beat(&desk.inbox.name, 0);
        tasks.spawn(async move { keep::keep(&desk, &pulse, &ending).await });
    }
    {
        let (desks, zone, ending) = (desks.clone(), config.zone.clone(), ending.clone());
        tasks.spawn(async move { backup::keep(&desks, &zone, &ending).await });
    }
    {
        let (desks, ending) = (desks.clone(), ending.clone());
        tasks.spawn(async move { papers::keep(&desks, &ending).await });
    }
    {
        let (desks, ending) = (desks.clone(), ending.clone());
        tasks.spawn(async move { requests::serve(&desks, &ending).await });
    }
    {
        let (desks, ending) = (desks.clone(), ending.clone());
        tasks.spawn(async move { help::keep_catalogs(&desks, &ending).await });
    }
    beside(&mut tasks, (&desks, config), &pulse, &ending).await?;
    pulse::tell(&[NotifyState::Ready]);
    let mut ended = Ok(());
    let to_the_end = async {
        all(tasks, &desks, &ending, &mut ended).await;
        if ended.is_ok() {
            ended = tell::ended(&desks, config).await;
        }
    };
    tokio::select! {
        () = to_the_end => {}
        () = end_by(&desks, &ending) => {
            tracing::warn!("what is still under way is left as it is written; the next start goes on");
        }
        () = pulse::feed(&pulse) => {}
    }
    ended
}

/// Starts what goes on beside the work: `STATUS.txt`, tidying, months' costs, figures, and telling a person.
async fn beside(
    tasks: &mut JoinSet<Result<(), DaemonError>>,
    (desks, config): (&Desks, &Arc<Config>),
    pulse: &Arc<Pulse>,
    ending: &CancellationToken,
) -> Result<(), DaemonError> {
    let (read, rounds) = watch::channel(None);
    for desk in &desks.inboxes {
        let (desk, config, ending) = (Arc::clone(desk), Arc::clone(config), ending.clone());
        let rounds = rounds.clone();
        tasks.spawn(async move { tell::keep(&desk, &config, (rounds, &ending)).await });
    }
    {
        let (config, ending) = (Arc::clone(config), ending.clone());
        tasks.spawn(async move { tell::read_rounds(&config, read, &ending).await });
    }
    for desk in &desks.inboxes {
        let (desk, ending) = (Arc::clone(desk), ending.clone());
        tasks.spawn(async move { forgotten::keep(&desk, &ending).await });
    }
    {
        let (desks, config, ending) = (desks.clone(), Arc::clone(config), ending.clone());
        tasks.spawn(async move { tidy::keep(&desks, &config, &ending).await });
    }
    if config.monthly_report {
        let (desks, config, ending) = (desks.clone(), Arc::clone(config), ending.clone());
        tasks.spawn(async move { months::keep(&desks, &config, &ending).await });
    }
    if let Some(notify) = config.notify.clone() {
        let (desks, config, ending) = (desks.clone(), Arc::clone(config), ending.clone());
        tasks.spawn(async move { concerns::keep(&desks, &config, &notify, &ending).await });
    }
    let Some(address) = config.metrics_listen else {
        return Ok(());
    };
    let failed = move |source| DaemonError::Listen { address, source };
    let listener = TcpListener::bind(address).await.map_err(failed)?;
    let bound = listener.local_addr().unwrap_or(address);
    tracing::info!(address = %bound, "figures are shown at /metrics, /healthz and /readyz");
    let shown = crate::metrics::Observed {
        desks: desks.clone(),
        config: Arc::clone(config),
        pulse: Arc::clone(pulse),
    };
    let ending = ending.clone();
    tasks.spawn(async move {
        crate::metrics::serve(listener, shown, &ending).await;
        Ok(())
    });
    Ok(())
}

/// Waits for every task. One that ends with an error ends all: a ledger that cannot be kept is everybody's. The first
/// error stands in `ended` at once: the others may take longer than there is time.
async fn all(
    mut tasks: JoinSet<Result<(), DaemonError>>,
    desks: &Desks,
    ending: &CancellationToken,
    ended: &mut Result<(), DaemonError>,
) {
    while let Some(done) = tasks.join_next().await {
        let done = done.map_err(|_panic| DaemonError::Panicked).flatten();
        if let Err(error) = done {
            ending.cancel();
            desks.end();
            if ended.is_ok() {
                *ended = Err(error);
            }
        }
    }
}

/// Turns away who waits for an absent service as soon as the program is to end, and comes back when its time is over.
async fn end_by(desks: &Desks, ending: &CancellationToken) {
    ending.cancelled().await;
    pulse::tell(&[NotifyState::Stopping]);
    desks.end();
    tokio::time::sleep(GRACE).await;
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
    let holder = Holder {
        name: format!("process {}, {doing}", std::process::id()),
        config: Some(config.fingerprint.clone()),
    };
    Ledger::open(&config.ledger, &holder.words())
}

/// What lies between two rounds of a task: so long, or until the program ends.
async fn pause(length: Duration, ending: &CancellationToken) {
    pause_until(Instant::now() + length, ending).await;
}

/// The same until a moment.
async fn pause_until(until: Instant, ending: &CancellationToken) {
    tokio::select! {
        () = tokio::time::sleep_until(until) => {}
        () = ending.cancelled() => {}
    }
}

/// Where the copies of taken sheets lie: beside the ledger.
pub fn spool_of(config: &Config) -> PathBuf {
    crate::files::folder_of(&config.ledger).join("spool")
}
