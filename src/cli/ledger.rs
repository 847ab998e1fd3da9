//! `dropsheet ledger`: whether it is whole, a copy of it, and a new one where it is lost.

use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::{Args, Subcommand};
use jiff::{Timestamp, Zoned};
use serde::Serialize;

use super::args::Listing;
use super::exit::Exit;
use super::work::{ledger_meaning, meaning};
use super::{print, shown};
use crate::clock::Clock;
use crate::config::{self, Config};
use crate::daemon::{self, RebuildError, Rebuilt};
use crate::files::folder_of;
use crate::ledger::{Damage, Flaw, LedgerError, Reader, backup};

/// `ledger`
#[derive(Debug, Args)]
pub struct Ledger {
    /// What to do with it
    #[command(subcommand)]
    pub command: LedgerCommand,
}

/// `ledger verify|backup|rebuild`
#[derive(Debug, Subcommand)]
pub enum LedgerCommand {
    /// Check its file, every order's state against its events, and that nothing is missing; changes nothing
    Verify {
        /// How the findings are printed.
        #[command(flatten)]
        listing: Listing,
    },
    /// Write a checked copy of it, also beside a running dropsheet
    Backup {
        /// The file, whose folder is made where it is not there, or a folder that is [default: the folder of the daily backups]
        #[arg(long, value_name = "PATH")]
        out: Option<PathBuf>,
    },
    /// Make a lost ledger anew from the service's order list, and mark the inboxes for it
    Rebuild {},
}

/// Does what was asked.
pub(super) async fn run(args: &Ledger, given: Option<&Path>) -> anyhow::Result<Exit> {
    let config = config::load(given)?;
    match &args.command {
        LedgerCommand::Verify { listing } => verify(&config, listing.json),
        LedgerCommand::Backup { out } => back_up(&config, out.as_deref()),
        LedgerCommand::Rebuild {} => rebuild(&config).await,
    }
}

/// What `verify` has found, as `--json` prints it.
#[derive(Debug, Serialize)]
struct Verified {
    ledger: PathBuf,
    /// Whether nothing is wrong.
    sound: bool,
    orders: u64,
    events: u64,
    backed_up_at: Option<Timestamp>,
    /// The newest backup beside it.
    newest_backup: Option<PathBuf>,
    problems: Vec<Wrong>,
}

#[derive(Debug, Serialize)]
struct Wrong {
    /// `file`, `points-nowhere`, `state`, `attempts`, `fate` or `copy-missing`.
    kind: &'static str,
    what: String,
    remedy: &'static str,
}

const RESTORE: &str = "Stop dropsheet, move the ledger aside, put the newest backup in its place, and start again: what \
                       was sent since is found at the service. Without a backup run `dropsheet ledger rebuild`.";
const LOOK: &str = "`dropsheet orders show ORDER` tells all that is known. Ask the print service what became of the order, \
                    keep this ledger for whoever looks into it, and put the newest backup that is sound in its place.";
const DROP_AGAIN: &str = "Its copy in the spool is gone. If its original lies in processing/, move that back to inbox/; \
                          orders that were created are not sent again.";

fn verify(config: &Config, json: bool) -> anyhow::Result<Exit> {
    let mut verified = Verified {
        ledger: config.ledger.clone(),
        sound: false,
        orders: 0,
        events: 0,
        backed_up_at: None,
        newest_backup: newest_backup(config),
        problems: Vec::new(),
    };
    let looked = Reader::open(&config.ledger).and_then(|reader| verified.look(&reader, config));
    match looked {
        Ok(()) => {}
        Err(error) if error.is_damage() => verified.problems.push(wrong(Flaw {
            damage: Damage::File,
            what: crate::causes::chain(&error),
        })),
        Err(error) => return Err(ledger_meaning(error)),
    }
    verified.sound = verified.problems.is_empty();
    if json {
        print::json(&verified)?;
    } else {
        print::text(&page(&verified, config))?;
    }
    Ok(if verified.sound { Exit::Done } else { Exit::Failed })
}

impl Verified {
    fn look(&mut self, reader: &Reader, config: &Config) -> Result<(), LedgerError> {
        let flaws = reader.read(|store| store.verify())?;
        let is_readable = flaws.iter().all(|flaw| flaw.damage != Damage::File);
        self.problems.extend(flaws.into_iter().map(wrong));
        // What a damaged file says of itself is not worth hearing.
        if !is_readable {
            return Ok(());
        }
        (self.orders, self.events) = reader.read(|store| store.size())?;
        self.backed_up_at = reader.read(|store| store.backed_up_at())?;
        let spool = folder_of(&config.ledger).join("spool");
        for (sheet, hash) in reader.read(|store| store.copies_needed())? {
            let copy = spool.join(&hash);
            if !copy.is_file() {
                self.problems.push(Wrong {
                    kind: "copy-missing",
                    what: format!(
                        "sheet `{sheet}` is under way, but {} is not there",
                        copy.display()
                    ),
                    remedy: DROP_AGAIN,
                });
            }
        }
        Ok(())
    }
}

fn wrong(flaw: Flaw) -> Wrong {
    let (kind, remedy) = match flaw.damage {
        Damage::File => ("file", RESTORE),
        Damage::PointsNowhere => ("points-nowhere", RESTORE),
        Damage::State => ("state", LOOK),
        Damage::Attempts => ("attempts", LOOK),
        Damage::Fate => ("fate", LOOK),
    };
    Wrong {
        kind,
        what: flaw.what,
        remedy,
    }
}

/// The newest backup in the ledger's own folder. One that cannot be listed is told of as if there were none: the advice
/// names the ways without.
fn newest_backup(config: &Config) -> Option<PathBuf> {
    backup::newest(&config.ledger, &now_in_zone(config)).unwrap_or_else(|error| {
        tracing::warn!(%error, "the folder of the backups cannot be listed");
        None
    })
}

fn now_in_zone(config: &Config) -> Zoned {
    Clock::system().now().wall.to_zoned(config.zone.clone())
}

fn page(verified: &Verified, config: &Config) -> String {
    let path = verified.ledger.display();
    let backed_up = match (verified.backed_up_at, &verified.newest_backup) {
        (Some(at), _) => format!("backed up by itself at {}", shown::moment(at, &config.zone)),
        // A damaged ledger does not tell when it was.
        (None, Some(newest)) => format!("its newest backup is {}", newest.display()),
        (None, None) => "not backed up by itself yet".to_owned(),
    };
    if verified.sound {
        return format!(
            "{path} is sound: {} orders, {} events; {backed_up}\n",
            verified.orders, verified.events
        );
    }
    let mut lines = vec![format!("{path} is damaged; {backed_up}")];
    let mut problems = verified.problems.iter().peekable();
    while let Some(problem) = problems.next() {
        lines.push(format!("{}: {}", problem.kind, shown::plain(&problem.what)));
        // What to do is said once for many of a kind.
        if problems.peek().is_none_or(|next| next.remedy != problem.remedy) {
            lines.push(format!("  {}", problem.remedy));
        }
    }
    format!("{}\n", lines.join("\n"))
}

fn back_up(config: &Config, out: Option<&Path>) -> anyhow::Result<Exit> {
    let at = now_in_zone(config);
    let made = match out {
        Some(out) => {
            let place = std::path::absolute(out).context("cannot tell the working folder")?;
            backup::make_at(&config.ledger, &place, &at)
        }
        None => backup::make(&config.ledger, &at),
    };
    let made = made.map_err(ledger_meaning)?;
    print::line(&format!("wrote {}, checked from end to end", made.display()))?;
    Ok(Exit::Done)
}

async fn rebuild(config: &Config) -> anyhow::Result<Exit> {
    let rebuilt = daemon::rebuild(config, Clock::system())
        .await
        .map_err(|error| match error {
            RebuildError::Daemon(error) => meaning(error),
            error @ (RebuildError::Unread { .. } | RebuildError::Mark { .. }) => error.into(),
        })?;
    print::text(&told(&rebuilt, config))?;
    Ok(Exit::Done)
}

fn told(rebuilt: &Rebuilt, config: &Config) -> String {
    let mut lines = Vec::new();
    for path in &rebuilt.aside {
        lines.push(format!("moved the damaged ledger aside: {}", path.display()));
    }
    for (account, orders, since) in &rebuilt.accounts {
        let since = shown::moment(*since, &config.zone);
        lines.push(format!(
            "account {account}: the service lists {orders} orders since {since}; none of them is sent again, and \
             `dropsheet orders list --not-ours` lists them"
        ));
    }
    for path in &rebuilt.marked {
        lines.push(format!("marked {} for this ledger", path.display()));
    }
    for path in &rebuilt.missing {
        lines.push(format!(
            "{} is not there and was not marked: is the share mounted? Run this again when it is",
            path.display()
        ));
    }
    lines.push(
        "What was under way when the ledger was lost may show late: creates wait for `absent_after`, and for a day each \
         order is looked up before its create. Orders from before `history` are not known."
            .to_owned(),
    );
    format!("{}\n", lines.join("\n"))
}
