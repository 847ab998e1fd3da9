//! `dropsheet status`: what is going on, in one look beside whoever works the ledger. It takes no lock and asks nobody.

mod page;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::time::Duration;

use serde::Serialize;

use super::args;
use super::exit::Exit;
use super::print;
use crate::clock::Clock;
use crate::config::{self, Config, Inbox};
use crate::daemon::{UNKNOWN, has_looked_at_all, in_the_way};
use crate::files::{self, Room};
use crate::inbox::Folder;
use crate::inbox::marker::{self, Marker};
use crate::ledger::{self, Holder, LedgerError, Reader};
use crate::status::{FolderStatus, Status, catalogs, refused};

/// How long a folder may take to answer before it is said that it does not: a dead share answers never.
const PATIENCE: Duration = Duration::from_millis(500);

/// Prints the state of everything.
pub(super) fn run(args: &args::Status, given: Option<&Path>) -> anyhow::Result<Exit> {
    let config = config::load(given)?;
    let shown = Shown::read(&config)?;
    if args.listing.json {
        print::json(&shown)?;
    } else {
        print::text(&page::text(&shown, &config.zone))?;
        if let Some(why) = &shown.status.catalog_not_kept {
            let why = super::shown::plain(why);
            print::line(&format!(
                "The catalog is not kept on the disk: {why}. Orders go on meanwhile; `dropsheet doctor` says what to do."
            ))?;
        }
    }
    Ok(Exit::Done)
}

/// All of it, as `--json` prints it.
#[derive(Debug, Serialize)]
struct Shown {
    ledger: LedgerStatus,
    /// Whether the config was changed since who works the ledger began: what was changed does not count yet.
    config_changed: bool,
    #[serde(flatten)]
    status: Status,
}

#[derive(Debug, Serialize)]
struct LedgerStatus {
    path: PathBuf,
    exists: bool,
    /// Who works it: the words of its lock file; null where nobody does.
    held_by: Option<String>,
    /// Why that cannot be told.
    trouble: Option<String>,
    /// There is none, though one was worked here.
    lost: bool,
    /// Whether its disk has little room left.
    nearly_full: bool,
}

impl Shown {
    fn read(config: &Config) -> anyhow::Result<Self> {
        let now = Clock::system().now().wall;
        let reader = match Reader::open(&config.ledger) {
            Ok(reader) => Some(reader),
            // It is told with what is shown.
            Err(LedgerError::Missing { .. } | LedgerError::Lost { .. }) => None,
            Err(error) => return Err(error.into()),
        };
        let mut status = match &reader {
            Some(reader) => reader.read(|store| Status::read(store, config, now))?,
            None => Status::blank(config, now),
        };
        match catalogs::news(config, now) {
            Ok(news) => status.catalogs = news,
            Err(error) => tracing::warn!("what has changed in the catalog is not known: {error}"),
        }
        let id = reader.as_ref().map(Reader::id).unwrap_or_default();
        for (inbox, folder) in status.inboxes.iter_mut().zip(look_at_all(&config.inboxes, id)) {
            inbox.folder = Some(folder);
        }
        let holder = ledger::holder(&config.ledger);
        let config_changed =
            matches!(&holder, Ok(Some(holder)) if holder.began_with_another(&config.fingerprint));
        let ledger = LedgerStatus::of(&config.ledger, reader.is_some(), holder);
        if ledger.is_idle() {
            let refused = match &reader {
                Some(reader) => reader.read(|store| refused(store, config))?,
                None => Vec::new(),
            };
            if let Some((_account, why)) = refused.first() {
                let why = format!("{why}; until then `dropsheet run` does not start, and nothing is sent");
                status.advise(|_inbox| true, &why);
            }
            // The rate until then says nothing of when they go on.
            for pace in status
                .under_way
                .iter_mut()
                .filter_map(|sheet| sheet.pace.as_mut())
            {
                (pace.per_minute, pace.ends_at) = (None, None);
            }
        }
        if has_looked_at_all(&config.ledger, now) {
            status.advise(|inbox| inbox.looked_at.is_none(), UNKNOWN);
        }
        Ok(Self {
            ledger,
            config_changed,
            status,
        })
    }
}

impl LedgerStatus {
    fn of(path: &Path, exists: bool, holder: io::Result<Option<Holder>>) -> Self {
        let (held_by, trouble) = match holder {
            Ok(holder) => (holder.map(|holder| holder.name), None),
            Err(error) => (None, Some(format!("its lock file cannot be looked at: {error}"))),
        };
        Self {
            path: path.to_owned(),
            exists,
            held_by,
            trouble,
            lost: ledger::trace_of_lost(path).is_some(),
            nearly_full: files::room(files::folder_of(path)).is_some_and(Room::is_nearly_full),
        }
    }

    /// Whether nobody works it, as far as can be told.
    fn is_idle(&self) -> bool {
        self.held_by.is_none() && self.trouble.is_none()
    }
}

/// Looks at every folder at once, each in a thread of its own, and waits for none of them long.
fn look_at_all(inboxes: &[Inbox], ledger: &str) -> Vec<FolderStatus> {
    let looks: Vec<_> = inboxes
        .iter()
        .map(|inbox| {
            let (tell, told) = mpsc::channel();
            let (root, ledger) = (inbox.path.clone(), ledger.to_owned());
            std::thread::spawn(move || {
                // Nobody listens any more where it took too long.
                drop(tell.send(look_at(&Folder::new(root), &ledger)));
            });
            told
        })
        .collect();
    looks
        .into_iter()
        .map(|told| {
            told.recv_timeout(PATIENCE)
                .unwrap_or_else(|_silent| FolderStatus {
                    marker: "silent",
                    stopped: false,
                    untold: None,
                    advice: Some("its folder does not answer: is the share reachable?".to_owned()),
                })
        })
        .collect()
}

fn look_at(folder: &Folder, ledger: &str) -> FolderStatus {
    let told = |marker: &Marker| {
        let wrong = marker.wrong();
        wrong.map(|(what, remedy)| format!("{what}, so nothing is taken. {remedy}"))
    };
    let (marker, mut advice) = match marker::read(folder.root(), ledger) {
        Ok(marker) => (
            match marker {
                Marker::Ours => "ours",
                Marker::Missing => "missing",
                Marker::Other(_) => "other",
            },
            told(&marker),
        ),
        Err(error) => (
            "unreadable",
            Some(format!("its marker file cannot be read: {error}")),
        ),
    };
    let stopped = match folder.is_stopped() {
        Ok(stopped) => stopped,
        Err(error) => {
            advice.get_or_insert_with(|| format!("the folder cannot be listed: {error}"));
            false
        }
    };
    FolderStatus {
        marker,
        stopped,
        advice,
        untold: in_the_way(folder.root()).map(|error| error.to_string()),
    }
}
