//! A ledger that was lost, or is another machine's, learns from the service's order list what was sent: nothing of it
//! is sent again. The inboxes are marked for it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};

use super::account::distrust_accounts;
use super::forgotten::SLACK;
use super::{DaemonError, Desks, open};
use crate::clock::{Clock, Now};
use crate::config::{Account, Config};
use crate::filing::forgotten;
use crate::import::Importer;
use crate::inbox::marker;
use crate::ledger::{self, Ledger, LedgerError};

/// Why a ledger was not rebuilt. What was learned until then stays, and is learned again the next time.
#[derive(Debug, thiserror::Error)]
pub enum RebuildError {
    /// The machinery.
    #[error(transparent)]
    Daemon(#[from] DaemonError),
    /// A service cannot be asked.
    #[error("account `{account}`: {why} No inbox was marked; run this again when that is mended")]
    Unread {
        /// The account.
        account: String,
        /// What the service said.
        why: String,
    },
    /// An inbox's folder cannot be marked.
    #[error("cannot mark {path} for this ledger")]
    Mark {
        /// The folder.
        path: PathBuf,
        /// Why.
        #[source]
        source: std::io::Error,
    },
}

/// What a rebuilding has done.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rebuilt {
    /// Where the damaged ledger lies.
    pub aside: Vec<PathBuf>,
    /// How many orders each account's list has shown, and since when it was read.
    pub accounts: Vec<(String, u64, Timestamp)>,
    /// The inboxes' folders that were marked for another ledger, or for none.
    pub marked: Vec<PathBuf>,
    /// The inboxes' folders that are not there.
    pub missing: Vec<PathBuf>,
}

/// Rebuilds the ledger of a config. A damaged one is moved aside, never removed; one that can be read is kept, and what
/// it does not know is added.
pub async fn rebuild(config: &Config, clock: Clock) -> Result<Rebuilt, RebuildError> {
    let doing = "dropsheet ledger rebuild";
    let holder = format!("process {}, {doing}", std::process::id());
    let aside = ledger::move_damaged_aside(&config.ledger, &holder).map_err(DaemonError::from)?;
    let mut rebuilt = Rebuilt {
        aside,
        ..Rebuilt::default()
    };
    // What opens a ledger refuses to make one in the place of one that is lost.
    let ledger = Ledger::open_or_make(&config.ledger, &holder).map_err(DaemonError::from)?;
    // Of all accounts first: a rebuilding that ends early, for want of a password say, has learned nothing of some.
    distrust(&ledger, config, clock.now())
        .await
        .map_err(DaemonError::from)?;
    drop(ledger);
    let patience = |account: &Account| Some(account.settle_for);
    let desks = open(config, doing, clock, patience, Arc::default()).await?;
    for importer in desks.accounts.values() {
        rebuilt.accounts.push(learn(importer).await?);
    }
    let learned = desks.ledger.write(|store| store.end_rebuilding());
    learned.await.map_err(DaemonError::from)?;
    let now = desks.clock.now().wall;
    if desks
        .ledger
        .read(|store| store.newest_taken(None))
        .map_err(DaemonError::from)?
        .is_none()
    {
        recall(&desks, now).await?;
    }
    for inbox in &config.inboxes {
        if mark(&inbox.path, (desks.ledger.id(), &inbox.name), &mut rebuilt)? {
            // A wrong mark is what a look finds first: what the last one told is over.
            let name = inbox.name.clone();
            let over = desks.ledger.write(move |store| store.forget_trouble(&name));
            over.await.map_err(DaemonError::from)?;
        }
    }
    Ok(rebuilt)
}

/// What was under way when the ledger was lost may show later: no create leaves for `absent_after`, and for a day each
/// order is looked up first. Until all is learned, a list is not believed that only says that it has nothing.
async fn distrust(ledger: &Ledger, config: &Config, now: Now) -> Result<(), LedgerError> {
    let accounts = config.accounts.clone();
    ledger
        .write(move |store| {
            distrust_accounts(store, &accounts, &now)?;
            store.begin_rebuilding()
        })
        .await
}

/// What a new ledger does not know of is told: the sheets that may have had orders without an answer when it was lost, or
/// held ones.
async fn recall(desks: &Desks, now: Timestamp) -> Result<(), DaemonError> {
    for desk in &desks.inboxes {
        let open_for = SignedDuration::try_from(desk.importer.submitter.config.absent_after_unproven);
        let open_for = open_for.unwrap_or(SignedDuration::MAX).saturating_add(SLACK);
        let unanswered = now.checked_sub(open_for).unwrap_or(Timestamp::MIN);
        let held = forgotten::oldest_held(&desk.folder).unwrap_or_else(|error| {
            tracing::warn!(inbox = desk.inbox.name, %error, "what is held there cannot be listed");
            None
        });
        let held = held.and_then(|held| held.checked_sub(SLACK).ok());
        let (inbox, since) = (
            desk.inbox.name.clone(),
            held.into_iter().fold(unanswered, Timestamp::min),
        );
        let begun = desks
            .ledger
            .write(move |store| store.begin_recall(&inbox, Some(since)));
        begun.await?;
    }
    Ok(())
}

/// Reads an account's whole history.
async fn learn(importer: &Importer) -> Result<(String, u64, Timestamp), RebuildError> {
    let submitter = &importer.submitter;
    let name = submitter.config.name.clone();
    let from = crate::sync::begun(&submitter.config, &submitter.leaving_now());
    match submitter.read_history(from).await.map_err(DaemonError::from)? {
        Ok(orders) => Ok((name, orders, from)),
        Err(blocked) => Err(RebuildError::Unread {
            account: name,
            why: blocked.told(&submitter.zone).1,
        }),
    }
}

/// Marks an inbox's folder for a ledger; false where it was, or is not there.
fn mark(root: &Path, (ledger, inbox): (&str, &str), rebuilt: &mut Rebuilt) -> Result<bool, RebuildError> {
    let failed = |source| RebuildError::Mark {
        path: root.to_owned(),
        source,
    };
    if !root.is_dir() {
        rebuilt.missing.push(root.to_owned());
        return Ok(false);
    }
    let is_marked = marker::write_over(root, ledger, inbox).map_err(failed)?;
    if is_marked {
        rebuilt.marked.push(root.to_owned());
    }
    Ok(is_marked)
}
