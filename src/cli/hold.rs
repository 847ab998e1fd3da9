//! `dropsheet approve|decline NAME` and `pause|resume [INBOX]`: what a person does in the folders, from a terminal. They
//! only move and make files, as a person would, so that they work beside a daemon and without one.

mod sent;

use std::io;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;
use jiff::Zoned;

use super::exit::{Exit, UsageError};
use super::{print, shown};
use crate::config::{self, Config, Inbox};
use crate::files;
use crate::filing::approve::{Decision, receipt_of};
use crate::filing::held;
use crate::inbox::{Folder, marker};
use crate::ledger::{self, LedgerError, Obstacle, Reader, Store};

/// `approve` and `decline`
#[derive(Debug, Args)]
pub struct Decide {
    /// The held sheet: its file in held/, or the name without its endings
    #[arg(value_name = "NAME")]
    pub name: String,
    /// The inbox that it is in [default: any]
    #[arg(long, value_name = "NAME")]
    pub inbox: Option<String>,
}

/// `pause` and `resume`
#[derive(Debug, Args)]
pub struct Which {
    /// The inbox [default: all of them]
    #[arg(value_name = "INBOX")]
    pub inbox: Option<String>,
}

/// Moves a held sheet to the folder that decides.
pub(super) fn decide(args: &Decide, decision: Decision, given: Option<&Path>) -> anyhow::Result<Exit> {
    let config = config::load(given)?;
    let place = place_of(&args.name);
    let mut found = Vec::new();
    let mut names = Vec::new();
    let inboxes = inboxes(&config, args.inbox.as_deref())?;
    for inbox in &inboxes {
        let folder = Folder::new(inbox.path.clone());
        let held = folder.part("held");
        let is_here = place.as_ref().is_none_or(|place| is_same(place, &held));
        for (name, path) in held_in(&held)? {
            if is_here && is_meant(&args.name, &name) {
                found.push((inbox, folder.clone(), path));
            }
            names.push(format!("{name} (inbox {})", inbox.name));
        }
    }
    let [(inbox, folder, path)] = found.as_slice() else {
        if let Some(place) = place.filter(|_| found.is_empty()) {
            return Err(not_held(&args.name, &place, decision));
        }
        if found.is_empty()
            && let Some(path) = decided(&args.name, &inboxes)?
        {
            anyhow::bail!(
                "the held sheet `{}` is decided already: it lies in {}, and a running dropsheet follows it within \
                 seconds, else the next `dropsheet run`",
                args.name,
                files::folder_of(&path).display()
            );
        }
        let unlisted = if names.is_empty() {
            unlisted(&config, &inboxes)?
        } else {
            0
        };
        if found.is_empty() && names.is_empty() && unlisted == 0 {
            are_there(&args.name, &inboxes)?;
        }
        return Err(not_one(&args.name, found.len(), &names, unlisted));
    };
    refuse_in_vain(&config.ledger, folder)?;
    let stop = stops(folder)?.into_iter().next();
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let (stem, ending) = name.rsplit_once('.').unwrap_or((&name, "xlsx"));
    let target = files::free_name(&folder.part(decision.folder()), stem, ending);
    let foreseen = match decision {
        Decision::Approve => sent::foreseen(path, (&config, inbox)),
        Decision::Decline => None,
    };
    let receipt = receipt_of(
        folder,
        &target.file_name().unwrap_or_default().to_string_lossy(),
        decision,
    );
    files::move_new(path, &target)
        .with_context(|| format!("cannot move {} to {}", path.display(), target.display()))?;
    let done = sent::done(decision, foreseen, (stop.as_deref(), &inbox.name, &receipt));
    print::line(&format!(
        "{} of inbox `{}` is {done}",
        shown::plain(&name),
        inbox.name
    ))?;
    Ok(Exit::Done)
}

/// Refuses where a decision would be followed by nobody: there is no ledger that it could be written in, or the inbox
/// belongs to another one. A file that is moved all the same would be none of that ledger's.
fn refuse_in_vain(ledger: &Path, folder: &Folder) -> anyhow::Result<()> {
    let id = match ledger::id_of(ledger) {
        Ok(id) => id,
        Err(error) if is_not_for_this_user(ledger, &error) => return Ok(()),
        Err(error) => return Err(error).context("nothing was decided"),
    };
    let root = folder.root().display();
    let marker =
        marker::read(folder.root(), &id).with_context(|| format!("cannot read the marker of {root}"))?;
    match marker.wrong() {
        None => Ok(()),
        Some((what, remedy)) => anyhow::bail!("nothing was decided: {root}: {what}. {remedy}"),
    }
}

/// Whether a ledger cannot be looked at by whoever decides, who need not be who runs dropsheet: all may be well with it.
fn is_not_for_this_user(ledger: &Path, error: &LedgerError) -> bool {
    matches!(error.trouble(), Some(Obstacle::Forbidden | Obstacle::ReadOnly)) || ledger.try_exists().is_err()
}

/// The folder of a file that is named by its path, or that lies where the command is run: no other file is meant then,
/// for a person may have edited that copy. None where a held sheet is named by what it is called.
fn place_of(given: &str) -> Option<PathBuf> {
    let path = Path::new(given);
    let has_folder = path.parent().is_some_and(|folder| !folder.as_os_str().is_empty());
    (has_folder || path.is_file()).then(|| files::folder_of(path).to_owned())
}

/// Whether two paths lead to one folder.
fn is_same(one: &Path, other: &Path) -> bool {
    one.canonicalize()
        .is_ok_and(|one| other.canonicalize().is_ok_and(|other| one == other))
}

fn not_held(name: &str, place: &Path, decision: Decision) -> anyhow::Error {
    anyhow::anyhow!(
        "`{name}` is no held sheet: {} is not the held/ folder of an inbox, and nothing was decided. If it is a held \
         sheet that you have edited, move it into {}/ of its inbox; to decide a sheet in held/ as it is, name it \
         without a folder",
        place.display(),
        decision.folder()
    )
}

/// The held sheet of a name that a person has moved already, and that is not followed yet.
fn decided(name: &str, inboxes: &[&Inbox]) -> anyhow::Result<Option<PathBuf>> {
    for inbox in inboxes {
        for decision in [Decision::Approve, Decision::Decline] {
            let folder = Folder::new(inbox.path.clone()).part(decision.folder());
            let lying = held_in(&folder)?.into_iter();
            if let Some((_name, path)) = lying.into_iter().find(|(lying, _)| is_meant(name, lying)) {
                return Ok(Some(path));
            }
        }
    }
    Ok(None)
}

/// How many held orders of the inboxes no file lists yet, by the ledger: what lies in held/ is then not all that is held.
fn unlisted(config: &Config, inboxes: &[&Inbox]) -> anyhow::Result<u64> {
    let reader = match Reader::open(&config.ledger) {
        Ok(reader) => reader,
        Err(LedgerError::Missing { .. }) => return Ok(0),
        Err(error) => return Err(error.into()),
    };
    let held = |store: &Store<'_>| inboxes.iter().map(|inbox| store.unlisted_held(&inbox.name)).sum();
    Ok(reader.read(held)?)
}

/// Refuses to say that nothing is held while the folder of an inbox may be a share's empty place.
fn are_there(name: &str, inboxes: &[&Inbox]) -> anyhow::Result<()> {
    for inbox in inboxes {
        if !inbox.path.join(marker::NAME).exists() {
            anyhow::bail!(
                "there is no held sheet `{name}` that can be seen, but {} has no {}: is the share mounted? For a new inbox \
                 run `dropsheet init`",
                inbox.path.display(),
                marker::NAME
            );
        }
    }
    Ok(())
}

fn not_one(name: &str, found: usize, names: &[String], unlisted: u64) -> anyhow::Error {
    if found > 1 {
        let message = format!("several inboxes have a held sheet `{name}`: add --inbox");
        return UsageError(message).into();
    }
    if names.is_empty() && unlisted > 0 {
        return anyhow::anyhow!(
            "there is no held sheet `{name}` in held/, but the ledger has held orders ({unlisted}): `dropsheet run` writes \
             their sheets; where the inbox's folders are not there yet, run `dropsheet init` first"
        );
    }
    if names.is_empty() {
        return anyhow::anyhow!("there is no held sheet `{name}`; nothing is held");
    }
    anyhow::anyhow!("there is no held sheet `{name}`; held are: {}", names.join(", "))
}

/// The files in `held/`, by name.
fn held_in(folder: &Path) -> anyhow::Result<Vec<(String, PathBuf)>> {
    let failed = || format!("cannot list {}", folder.display());
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error).with_context(failed),
    };
    let mut files = Vec::new();
    for entry in entries {
        let entry = entry.with_context(failed)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if !name.starts_with('.')
            && !name.starts_with("~$")
            && entry.file_type().with_context(failed)?.is_file()
        {
            files.push((name, entry.path()));
        }
    }
    files.sort();
    Ok(files)
}

/// Whether a person means this file: by its path, its name, or its name without `.xlsx` or `.held.xlsx`.
fn is_meant(given: &str, name: &str) -> bool {
    let given = Path::new(given).file_name().unwrap_or_default().to_string_lossy();
    let without = name.rsplit_once('.').map_or(name, |(stem, _ending)| stem);
    let stem = name
        .strip_suffix(held::ENDING)
        .map(|stem| stem.trim_end_matches('.'));
    *given == *name || *given == *without || stem.is_some_and(|stem| *given == *stem)
}

/// Makes `STOP` in an inbox, or in all.
pub(super) fn pause(args: &Which, given: Option<&Path>) -> anyhow::Result<Exit> {
    let config = config::load(given)?;
    let text = stop_text(&Zoned::now().with_time_zone(config.zone.clone()));
    each(&inboxes(&config, args.inbox.as_deref())?, "stopped", |inbox| {
        stop(inbox, &text)
    })
}

/// Stops one inbox; gives what to say.
fn stop(inbox: &Inbox, text: &str) -> anyhow::Result<String> {
    let folder = Folder::new(inbox.path.clone());
    if let Some(stop) = stops(&folder)?.first() {
        return Ok(format!(
            "inbox `{}` is stopped already: {}",
            inbox.name,
            stop.display()
        ));
    }
    // An empty mount point is not the inbox: what lies in it would be hidden when the share is back.
    if !folder.root().join(marker::NAME).exists() {
        anyhow::bail!(
            "{} has no {}: is the share mounted? For a new inbox run `dropsheet init`. Nothing is taken from it while that is \
             missing, and what was taken before goes on when it is back; pause it then",
            folder.root().display(),
            marker::NAME
        );
    }
    let path = folder.root().join("STOP.txt");
    files::write_new(&path, text.as_bytes()).with_context(|| format!("cannot write {}", path.display()))?;
    Ok(format!(
        "inbox `{}` is stopped: nothing more is sent from it. Requests under way finish. `dropsheet resume` goes on.",
        inbox.name
    ))
}

fn stops(folder: &Folder) -> anyhow::Result<Vec<PathBuf>> {
    let found = folder.stops();
    found.with_context(|| format!("cannot list {}", folder.root().display()))
}

/// Does something in each inbox, whatever hinders it in another, then says what was done and what could not be.
fn each(
    inboxes: &[&Inbox],
    done: &str,
    act: impl Fn(&Inbox) -> anyhow::Result<String>,
) -> anyhow::Result<Exit> {
    // First all of it: who reads what is said may be gone.
    let acted: Vec<_> = inboxes.iter().map(|inbox| (inbox, act(inbox))).collect();
    let mut failed = Vec::new();
    for (inbox, said) in acted {
        match said {
            Ok(said) => print::line(&said)?,
            Err(error) => failed.push(format!("inbox `{}` could not be {done}: {error:#}", inbox.name)),
        }
    }
    if failed.is_empty() {
        return Ok(Exit::Done);
    }
    anyhow::bail!("{}", failed.join("\n"))
}

/// What stands in `STOP`: who and when.
fn stop_text(at: &Zoned) -> String {
    let who = super::user().map_or_else(String::new, |user| format!(" by {user}"));
    format!(
        "Stopped{who} on {} with `dropsheet pause`.\r\nNothing is sent from this folder until this file is deleted \
         (or `dropsheet resume`).\r\n",
        at.strftime("%Y-%m-%d %H:%M %Z")
    )
}

/// Removes `STOP` from an inbox, or from all.
pub(super) fn resume(args: &Which, given: Option<&Path>) -> anyhow::Result<Exit> {
    let config = config::load(given)?;
    each(&inboxes(&config, args.inbox.as_deref())?, "resumed", go_on)
}

/// Lets one inbox go on; gives what to say.
fn go_on(inbox: &Inbox) -> anyhow::Result<String> {
    let stops = stops(&Folder::new(inbox.path.clone()))?;
    for stop in &stops {
        std::fs::remove_file(stop).with_context(|| format!("cannot remove {}", stop.display()))?;
    }
    let how = if stops.is_empty() {
        "was not stopped"
    } else {
        "goes on"
    };
    Ok(format!("inbox `{}` {how}", inbox.name))
}

/// The inbox that is named, else all.
fn inboxes<'a>(config: &'a Config, named: Option<&str>) -> anyhow::Result<Vec<&'a Inbox>> {
    match named {
        Some(name) => Ok(vec![super::work::inbox_of(config, Some(name))?]),
        None if config.inboxes.is_empty() => Err(super::work::no_inbox(config).into()),
        None => Ok(config.inboxes.iter().collect()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_named_by_its_path_is_that_file_and_no_other() {
        let root = tempfile::tempdir().unwrap();
        let [held, elsewhere] = ["held", "elsewhere"].map(|name| root.path().join(name));
        for folder in [&held, &elsewhere] {
            std::fs::create_dir(folder).unwrap();
        }
        let named = |folder: &Path| place_of(folder.join("a.held.xlsx").to_str().unwrap()).unwrap();
        assert!(is_same(&named(&held), &held));
        assert!(is_same(&named(&held.join("../held")), &held));
        assert!(!is_same(&named(&elsewhere), &held));
        assert!(!is_same(&named(&root.path().join("gone")), &held));
        assert_eq!(place_of("2026-11-21_0914_monday.held.xlsx"), None);
    }

    #[test]
    fn a_ledger_that_who_decides_may_not_read_is_none_that_is_not_there() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("ledger.db");
        let missing = LedgerError::Missing { path: path.clone() };
        assert!(!is_not_for_this_user(&path, &missing));
        let forbidden = LedgerError::Folder {
            path: path.clone(),
            source: io::ErrorKind::PermissionDenied.into(),
        };
        assert!(is_not_for_this_user(&path, &forbidden));
        // As where its folder may not be looked into.
        files::write_new(&path, b"").unwrap();
        assert!(is_not_for_this_user(&path.join("ledger.db"), &missing));
    }

    #[test]
    fn a_held_sheet_is_meant_by_its_name_with_and_without_endings() {
        let name = "2026-11-21_0914_monday.held.xlsx";
        for (given, meant) in [
            (name, true),
            ("2026-11-21_0914_monday.held", true),
            ("2026-11-21_0914_monday", true),
            ("orders/held/2026-11-21_0914_monday.held.xlsx", true),
            ("monday", false),
            ("", false),
        ] {
            assert_eq!(is_meant(given, name), meant, "{given}");
        }
    }
}
