//! What a command asks of the process that works the ledger: a sync, cancels, an order settled by hand. A request is a
//! row in the ledger, so that it survives a killed process; whoever holds the ledger does it and answers there. Each can be
//! done again after a crash without doing anything twice.

mod cancel;
mod carry;
mod show;
mod unworked;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use futures_util::stream::{self, FuturesUnordered, StreamExt};
use jiff::SignedDuration;
use serde::{Deserialize, Serialize};
use tokio_util::sync::CancellationToken;

use super::{DaemonError, Desks};
use crate::clock::Clock;
use crate::config::Config;
use crate::ledger::{Request, RequestRef};
use crate::submit::Resolution;
pub use cancel::STILL_IN_A_SHEET;
use carry::Carried;
use show::Show;

/// How often requests are looked for.
const LOOK: Duration = Duration::from_millis(250);

/// The most requests that are done at once; those of a service that is away wait for it here.
const MOST_AT_ONCE: usize = 64;

/// A request that nobody did for so long is no longer wished: whoever asked has given up.
const TOO_OLD: SignedDuration = SignedDuration::from_hours(24);

/// Answers are kept for so long.
const KEPT: SignedDuration = SignedDuration::from_hours(24 * 7);

/// How long a process without a daemon waits for an absent service.
const PATIENCE: Duration = Duration::from_secs(20);

/// What is asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RequestKind {
    /// What is new of every account's orders.
    Sync,
    /// These orders are to be canceled.
    Cancel(Vec<Target>),
    /// An order without an answer is settled as a person has decided.
    Resolve {
        /// The order in the ledger.
        order: i64,
        /// The sheet that had it when the person decided: what another has brought since is another matter.
        claim: i64,
        /// What was decided.
        decision: Resolution,
    },
}

impl RequestKind {
    /// The command that asks for it.
    pub fn command(&self) -> &'static str {
        match self {
            Self::Sync => "dropsheet orders sync",
            Self::Cancel(_) => "dropsheet orders cancel",
            Self::Resolve { .. } => "dropsheet orders resolve",
        }
    }
}

/// An order to be canceled.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Target {
    /// One of the ledger's.
    Order {
        /// The order in the ledger.
        id: i64,
        /// The sheet that had it when its cancel was asked for: what another has brought since is another matter.
        claim: i64,
    },
    /// One that the service listed and the ledger did not make.
    Listed {
        /// The account in the ledger.
        account: i64,
        /// Its name at the service.
        order_id: String,
        /// The service's id.
        pw_order_id: String,
    },
}

/// What was done, line by line.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Told {
    /// A line an order.
    pub lines: Vec<Line>,
    /// What could not be done at all, as sentences.
    pub troubles: Vec<String>,
    /// Orders that the service has shown.
    pub read: u64,
}

/// What was done about one order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Line {
    /// Its id, as it was sent.
    pub order_id: String,
    /// The service's id.
    pub pw_order_id: Option<String>,
    /// Its state in the ledger; empty where the ledger did not make it.
    pub state: String,
    /// What happened, as a sentence.
    pub said: String,
    /// How it came out.
    pub came: Came,
}

/// How something came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Came {
    /// As it was asked for.
    Done,
    /// It goes on by itself, or a person is needed.
    Open,
    /// It could not be done.
    Failed,
}

impl Told {
    fn of(line: Line) -> Self {
        Self {
            lines: vec![line],
            ..Self::default()
        }
    }

    fn trouble(what: impl Into<String>) -> Self {
        Self {
            troubles: vec![what.into()],
            ..Self::default()
        }
    }

    /// The worst of it.
    pub fn came(&self) -> Came {
        let lines = self.lines.iter().map(|line| line.came);
        let troubles = self.troubles.iter().map(|_trouble| Came::Failed);
        lines.chain(troubles).max().unwrap_or(Came::Done)
    }
}

/// Does what is asked for, until the program ends. None waits for another: a service that is away keeps its own for as
/// long as it is away. What the end comes upon stays without an answer, and is done by whoever works the ledger next.
pub(super) async fn serve(desks: &Desks, ending: &CancellationToken) -> Result<(), DaemonError> {
    let show = Show::default();
    let mut under_way = FuturesUnordered::new();
    let mut begun = BTreeSet::new();
    while !ending.is_cancelled() {
        let mut open = desks.ledger.read(|store| store.open_requests())?;
        open.retain(|request| !begun.contains(&request.id));
        open.truncate(MOST_AT_ONCE.saturating_sub(under_way.len()));
        begun.extend(open.iter().map(|request| request.id));
        under_way.extend(open.into_iter().map(|request| serve_one(desks, &show, request)));
        tokio::select! {
            Some(served) = under_way.next() => {
                begun.remove(&served?);
            }
            () = super::pause(LOOK, ending) => {}
        }
    }
    while let Some(served) = under_way.next().await {
        served?;
    }
    Ok(())
}

/// Does everything that is asked for now.
pub(super) async fn serve_open(desks: &Desks) -> Result<(), DaemonError> {
    let show = Show::default();
    let open = desks.ledger.read(|store| store.open_requests())?;
    let each = open.into_iter().map(|request| serve_one(desks, &show, request));
    let mut under_way = stream::iter(each).buffer_unordered(MOST_AT_ONCE);
    while let Some(served) = under_way.next().await {
        served?;
    }
    Ok(())
}

/// Does what one asks for, and answers there. Gives its name back.
async fn serve_one(desks: &Desks, show: &Show, request: Request) -> Result<RequestRef, DaemonError> {
    let (id, now) = (request.id, desks.clock.now().wall);
    if !desks
        .ledger
        .write(move |store| store.take_request(id, now))
        .await?
    {
        return Ok(id);
    }
    let told = if now.duration_since(request.asked_at) > TOO_OLD {
        Told::trouble("it was asked for more than a day ago and not done: ask again if it is still wished")
    } else {
        match serde_json::from_str::<RequestKind>(&request.asked) {
            Ok(asked) => {
                tracing::info!(request = id.0, ?asked, "asked for by a command");
                match carry::out(desks, &asked).await? {
                    Carried::Told(told) => told,
                    Carried::Ending => {
                        tracing::info!(request = id.0, "left to whoever works the ledger next");
                        return Ok(id);
                    }
                }
            }
            Err(error) => Told::trouble(format!(
                "this dropsheet does not know what is asked for ({error}); is it of another version?"
            )),
        }
    };
    crate::crash::point("request-done");
    show.now(desks).await?;
    let answer = serde_json::to_string(&told).unwrap_or_else(|error| format!("\"{error}\""));
    let before = now.checked_sub(KEPT).unwrap_or(jiff::Timestamp::MIN);
    desks
        .ledger
        .write(move |store| {
            store.answer_request(id, &answer, now)?;
            store.sweep_requests(before)
        })
        .await?;
    Ok(id)
}

/// Does everything that is asked for, in a process of its own: `doing`, the command.
///
/// # Errors
/// [`crate::ledger::LedgerError::Busy`] where another process works the ledger: it does it.
pub async fn serve_alone(config: &Config, doing: &str) -> Result<(), DaemonError> {
    let desks = super::open(
        config,
        doing,
        Clock::system(),
        |_account| Some(PATIENCE),
        Arc::default(),
    )
    .await?;
    for desk in &desks.inboxes {
        desk.ask_to_leave().await?;
    }
    serve_open(&desks).await?;
    // Nobody else says there what has come of it.
    let config = Arc::new(config.clone());
    for desk in &desks.inboxes {
        super::tell::asked(desk, &config).await?;
    }
    Ok(())
}
