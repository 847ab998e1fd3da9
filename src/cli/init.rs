//! `dropsheet init`: a first config, the folders of every inbox, and a first order sheet. It never overwrites, so
//! that it can be run again after every change of the config.

use std::io;
use std::path::{Path, PathBuf};

use anyhow::Context;
use jiff::civil::Date;

use super::args::Init;
use super::exit::{Exit, UsageError};
use super::print;
use super::work::ledger_meaning;
use crate::clock::Clock;
use crate::config;
use crate::daemon::{UNKNOWN, open_ledger, unknown_inboxes};
use crate::files;
use crate::inbox::Folder;
use crate::inbox::marker::{self, Marker};
use crate::ledger::{self, LedgerError};

/// The config that is written where there is none; `{today}` is filled in.
const FIRST_CONFIG: &str = include_str!("init/dropsheet.toml");
/// The first order sheet.
const FIRST_SHEET: &str = include_str!("init/first-orders.csv");
/// Where the first order sheet lies in an inbox's folder: beside `inbox/`, so that nothing takes it by itself.
const FIRST_SHEET_NAME: &str = "first-orders.csv";

/// Writes what is not there yet, and says what to do next.
pub(super) fn run(args: &Init, given: Option<&Path>) -> anyhow::Result<Exit> {
    let path = config_path(args, given)?;
    let zone = jiff::tz::TimeZone::system();
    let today = Clock::system().now().wall.to_zoned(zone).date();
    let mut done = Vec::new();
    if write_config(&path, today)? {
        done.push(format!("wrote {}", path.display()));
    }
    let config = config::load(Some(&path))?;
    if config.inboxes.is_empty() {
        return Err(super::work::no_inbox(&config).into());
    }
    let ledger = ledger_id(&config)?;
    for inbox in &config.inboxes {
        done.extend(make_inbox(&inbox.path, (&ledger, &inbox.name))?);
        let sheet = inbox.path.join(FIRST_SHEET_NAME);
        if write_new(&sheet, FIRST_SHEET)? {
            done.push(format!("wrote {}", sheet.display()));
        }
    }
    if done.is_empty() {
        done.push("everything is there already; nothing was changed".to_owned());
    }
    done.extend(not_known(&config));
    print::text(&format!("{}\n\n{}", done.join("\n"), next_steps(&config)))?;
    Ok(Exit::Done)
}

/// `--config` or DIR/dropsheet.toml, else where `$DROPSHEET_CONFIG` says, else the config in use, else one in this folder.
fn config_path(args: &Init, given: Option<&Path>) -> anyhow::Result<PathBuf> {
    let here = std::env::current_dir().context("cannot tell the working folder")?;
    if let Some(asked) = asked_for(&here, given, args.folder.as_deref())? {
        return Ok(asked);
    }
    if let Some(path) = config::named()? {
        return Ok(path);
    }
    match config::load(None) {
        Ok(config) => Ok(config.path),
        Err(config::ConfigError::NotFound { .. }) => Ok(here.join("dropsheet.toml")),
        Err(wrong) => Err(wrong.into()),
    }
}

/// The config that the command line names, in one way or in both.
fn asked_for(
    here: &Path,
    given: Option<&Path>,
    folder: Option<&Path>,
) -> Result<Option<PathBuf>, UsageError> {
    let given = given.map(|path| here.join(path));
    let in_folder = folder.map(|folder| here.join(folder).join("dropsheet.toml"));
    match (given, in_folder) {
        (Some(given), Some(in_folder)) if !given.components().eq(in_folder.components()) => {
            Err(UsageError(format!(
                "--config names {}, and the folder means {}; name one of them",
                given.display(),
                in_folder.display()
            )))
        }
        (given, in_folder) => Ok(given.or(in_folder)),
    }
}

/// Writes the first config; false where there is one.
fn write_config(path: &Path, today: Date) -> anyhow::Result<bool> {
    let folder = files::folder_of(path);
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    write_new(path, &FIRST_CONFIG.replace("{today}", &today.to_string()))
}

/// The ledger's own name; it is made where there is none. A running dropsheet is not disturbed, of whatever version.
fn ledger_id(config: &config::Config) -> anyhow::Result<String> {
    match ledger::id_of(&config.ledger) {
        Ok(id) => return Ok(id),
        Err(LedgerError::Missing { .. }) => {}
        Err(error) => return Err(ledger_meaning(error)),
    }
    Ok(open_ledger(config, "dropsheet init")
        .map_err(ledger_meaning)?
        .id()
        .to_owned())
}

/// Says of which inboxes a running dropsheet does not know, a line each. Where that cannot be told, all was made all the same.
fn not_known(config: &config::Config) -> Vec<String> {
    let unknown = unknown_inboxes(config, Clock::system().now().wall);
    let unknown = unknown.unwrap_or_else(|error| {
        tracing::debug!(%error, "which inboxes are known is not");
        Vec::new()
    });
    unknown
        .into_iter()
        .map(|inbox| format!("inbox `{inbox}`: {UNKNOWN}"))
        .collect()
}

/// Makes and marks an inbox's folders; says what was done.
fn make_inbox(root: &Path, (ledger, inbox): (&str, &str)) -> anyhow::Result<Vec<String>> {
    let cannot = || format!("cannot make the inbox {}", root.display());
    let folder = Folder::new(root.to_owned());
    let mut done: Vec<String> = folder
        .make()
        .with_context(cannot)?
        .iter()
        .map(|made| format!("made {}", made.display()))
        .collect();
    let marks = || format!("cannot mark the inbox by {}", root.join(marker::NAME).display());
    if marker::write(root, ledger, inbox).with_context(marks)? {
        done.push(format!("marked {}", root.display()));
    } else {
        refuse(root, &marker::read(root, ledger).with_context(marks)?)?;
    }
    Ok(done)
}

/// Refuses a folder that is not marked for this ledger.
fn refuse(root: &Path, marker: &Marker) -> anyhow::Result<()> {
    let Some((what, remedy)) = marker.wrong() else {
        return Ok(());
    };
    let root = root.display();
    match marker {
        Marker::Other(named) if !named.is_empty() => anyhow::bail!(
            "{root} is marked for another ledger; set `ledger.path` to that one, or give the inbox another path; if that \
             ledger is lost, run `dropsheet ledger rebuild`"
        ),
        Marker::Ours | Marker::Missing | Marker::Other(_) => anyhow::bail!("{root}: {what}. {remedy}"),
    }
}

/// Writes a file; false where something has the name already.
fn write_new(path: &Path, text: &str) -> anyhow::Result<bool> {
    // A config that an operator has put into /etc is there for a user who may not write beside it.
    if std::fs::symlink_metadata(path).is_ok() {
        return Ok(false);
    }
    match files::write_new(path, text.as_bytes()) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
        Err(error) => Err(error).with_context(|| format!("cannot write {}", path.display())),
    }
}

fn next_steps(config: &config::Config) -> String {
    let mut steps = vec![format!(
        "Set base_url and email in {}, and write the password into the file that password_file names there.",
        config.path.display()
    )];
    if let Some(inbox) = config.inboxes.first() {
        let (sheet, folder) = (inbox.path.join(FIRST_SHEET_NAME), &inbox.path);
        steps.push(format!(
            "Put your own SKUs and addresses into {} and copy it to {}: it is checked and priced, never sent.",
            sheet.display(),
            folder.join("try").display()
        ));
        steps.push("Start dropsheet: dropsheet run".to_owned());
        steps.push(format!(
            "Drop order sheets into {}; the answers come to {}.",
            folder.join("inbox").display(),
            folder.join("results").display()
        ));
    }
    let numbered = steps
        .iter()
        .zip(1..)
        .map(|(step, number)| format!("  {number}. {step}\n"));
    format!("{}\n{}", print::bold("Next:"), numbered.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_config_works_and_is_never_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new/dropsheet.toml");
        let today = jiff::civil::date(2026, 11, 21);
        assert!(write_config(&path, today).unwrap());
        let config = config::load(Some(&path)).unwrap();
        assert_eq!(config.inboxes[0].not_before, Some(today));
        assert!(!write_config(&path, jiff::civil::date(2027, 1, 1)).unwrap());
        assert!(std::fs::read_to_string(&path).unwrap().contains("2026-11-21"));
    }

    #[test]
    fn a_config_and_a_folder_that_mean_two_files_are_refused() {
        let asked = |given: &'static str, folder: &'static str| {
            let named = |text: &'static str| (!text.is_empty()).then(|| Path::new(text));
            asked_for(Path::new("/here"), named(given), named(folder))
        };
        let is = |path: &str| Some(PathBuf::from(path));
        assert_eq!(asked("", "").unwrap(), None);
        assert_eq!(asked("a/b.toml", "").unwrap(), is("/here/a/b.toml"));
        assert_eq!(asked("", "a").unwrap(), is("/here/a/dropsheet.toml"));
        assert_eq!(
            asked("a/./dropsheet.toml", "a").unwrap(),
            is("/here/a/./dropsheet.toml")
        );
        assert!(asked("a/b.toml", "a").is_err());
    }

    #[test]
    fn folders_that_are_there_are_left_as_they_are() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(
            make_inbox(folder.path(), ("a1", "main")).unwrap().len(),
            crate::inbox::FOLDERS.len() + 1
        );
        std::fs::remove_dir(folder.path().join("try")).unwrap();
        assert_eq!(
            make_inbox(folder.path(), ("a1", "main")).unwrap(),
            [format!("made {}", folder.path().join("try").display())]
        );
        assert!(
            make_inbox(folder.path(), ("b2", "main")).is_err(),
            "another ledger's folder is refused"
        );
    }
}
