//! `help/` in an inbox: a blank order sheet and the catalog, written when the catalog that was last read is another one.
//! That is read when there is none yet and when it is old, also where no sheet needs it.
//!
//! Merchants fill the template in where it lies. So a file in `help/` is replaced only while it is as it was written and
//! nobody has it open: by the hash that is noted in the ledger, or, where another ledger or another name of the inbox has
//! lost that, by the workbook itself. One that a person has saved is set aside under a name that says so, for the name
//! itself stands for what is fresh.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use std::{fs, io};

use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize};
use tokio_util::sync::CancellationToken;

use super::{DaemonError, Desk, Desks};
use crate::catalog::Snapshot;
use crate::catalog::cache::CacheError;
use crate::files;
use crate::filing::aside::{self, Moved, Owner, RemoveError};
use crate::import::Importer;
use crate::inbox::{is_open, spool};
use crate::ledger::LedgerError;
use crate::result::is_unsaved;
use crate::template::{self, TemplateError};

/// How often it is looked whether a catalog is missing or old, and how long one that was not had is not asked for again.
const LOOK: Duration = Duration::from_mins(5);

const TEMPLATE: &str = "template.xlsx";
const CATALOG: &str = "catalog.xlsx";

/// The files of `help/` with the titles that their workbooks have.
const TITLES: [(&str, &str); 2] = [(TEMPLATE, "Order sheet"), (CATALOG, "Catalog")];

/// Why `help/` could not be brought up to date. Orders do not wait for it.
#[derive(Debug, thiserror::Error)]
pub(super) enum HelpError {
    #[error("cannot read the catalog for help/")]
    Catalog(#[from] CacheError),
    #[error("cannot write the files of help/")]
    Template(#[from] TemplateError),
    #[error("cannot note what help/ holds")]
    Ledger(#[from] LedgerError),
    #[error("cannot note what help/ holds")]
    Note(#[from] serde_json::Error),
    #[error("cannot put {path} in its place")]
    Place {
        path: PathBuf,
        #[source]
        source: io::Error,
    },
    #[error(transparent)]
    Remove(#[from] RemoveError),
}

/// What was written into a `help/`.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
struct Written {
    /// By name, when the catalog was read that was last looked at for it.
    read_at: BTreeMap<String, Timestamp>,
    /// By name, the SHA-256.
    hashes: BTreeMap<String, String>,
}

/// Has the catalogs read until the program ends: before the first sheet, people look into `help/` for what there is.
pub(super) async fn keep_catalogs(desks: &Desks, ending: &CancellationToken) -> Result<(), DaemonError> {
    while !ending.is_cancelled() {
        for importer in desks.accounts.values() {
            ending.run_until_cancelled(read_catalog(importer)).await;
        }
        super::pause(LOOK, ending).await;
    }
    Ok(())
}

/// Has an account's catalog read where there is none or an old one. What hinders it is told with the sheets that need it.
pub(super) async fn read_catalog(importer: &Importer) {
    let health = &importer.submitter.health;
    if health.away().is_some() || health.stopped().is_some() {
        return;
    }
    let now = importer.submitter.now().wall;
    if let Err(error) = importer.catalog.snapshot(now, importer.catalog_max_age).await {
        tracing::debug!("help/ waits for the catalog: {}", crate::causes::chain(&error));
    }
}

/// Brings an inbox's `help/` up to date. Waits for the disk.
pub(super) fn keep(desk: &Desk) -> Result<(), HelpError> {
    let catalog = desk.importer.catalog.kept()?;
    let ledger = desk.ledger();
    let noted = ledger.read(|store| store.help(&desk.inbox.name))?;
    let mut written: Written =
        noted.map_or_else(|| Ok(Written::default()), |noted| serde_json::from_str(&noted))?;
    let scratch = spool::scratch(&desk.importer.spool, &format!("help-{}.xlsx", desk.inbox.name));
    let kept = keep_in(
        (&desk.folder.part("help"), &scratch),
        (catalog.as_deref(), &desk.importer.zone),
        &mut written,
    );
    // Of two files one may be there: unnoted it would be taken for a person's when the catalog is another.
    if !matches!(kept, Ok(false)) {
        let (inbox, noted) = (desk.inbox.name.clone(), serde_json::to_string(&written)?);
        ledger.write_blocking(move |store| store.set_help(&inbox, &noted))?;
    }
    kept.map(drop)
}

/// Writes what is missing or of another catalog; true where `written` has changed.
fn keep_in(
    (folder, scratch): (&Path, &Path),
    (catalog, zone): (Option<&Snapshot>, &TimeZone),
    written: &mut Written,
) -> Result<bool, HelpError> {
    let read_at = catalog.map(Snapshot::read_at);
    let mut changed = false;
    let mut put = |name: &str, write: &dyn Fn(&Path) -> Result<(), TemplateError>| {
        let path = folder.join(name);
        let is_newer = read_at.is_some_and(|read_at| written.read_at.get(name) != Some(&read_at));
        // One that is open is written when it is closed.
        if path.exists() && (!is_newer || is_open(&path)) {
            return Ok(());
        }
        let (bytes, hash) = made(scratch, write)?;
        let before = written.hashes.get(name).map_or("", String::as_str);
        let is_ours = put_over(&path, &bytes, (before, &hash))?;
        // Opened while its successor was made.
        if !is_ours && is_open(&path) {
            return Ok(());
        }
        changed = true;
        if is_ours {
            written.hashes.insert(name.to_owned(), hash);
        }
        if let Some(read_at) = read_at {
            written.read_at.insert(name.to_owned(), read_at);
        }
        Ok::<(), HelpError>(())
    };
    put(TEMPLATE, &|path| template::write(catalog, zone, path))?;
    if let Some(catalog) = catalog {
        put(CATALOG, &|path| template::write_workbook(catalog, zone, path))?;
    }
    Ok(changed)
}

/// Puts a file in its place, over its earlier self where that is as it was written; what a person has saved is set aside.
/// False, and what lies there stays, where it is open.
fn put_over(path: &Path, bytes: &[u8], (before, hash): (&str, &str)) -> Result<bool, HelpError> {
    // The same catalog gives the same bytes: what a killed process has put there is known too.
    if spool::hash_of(path).is_ok_and(|found| found == hash) {
        return Ok(true);
    }
    let failed = |source| HelpError::Place {
        path: path.to_owned(),
        source,
    };
    let put = || match files::write_new(path, bytes) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
        Err(error) => Err(failed(error)),
    };
    let mut moved = aside::take(path, before, Owner::Own).map_err(failed)?;
    if matches!(moved, Moved::Theirs(_))
        && let Some(found) = aside::hash_if(path, is_ours).map_err(failed)?
    {
        moved = aside::take(path, &found, Owner::Own).map_err(failed)?;
    }
    match moved {
        Moved::Theirs(_) if is_open(path) => Ok(false),
        Moved::Theirs(_) => {
            set_aside(path).map_err(failed)?;
            put()
        }
        Moved::Gone => put(),
        // What was written is noted when it is there.
        Moved::Ours(aside) => aside.replaced(put, || Ok(())),
    }
}

/// Whether a file is dropsheet's own and no other program has saved it, whoever's ledger has noted it.
fn is_ours(path: &Path) -> io::Result<bool> {
    let name = files::name_of(path);
    let title = TITLES.iter().find(|(of, _title)| *of == name);
    title.map_or(Ok(false), |(_name, title)| is_unsaved(path, title))
}

/// Gives a person's file a free name beside it that says whose it is: `template-yours.xlsx`.
fn set_aside(path: &Path) -> io::Result<()> {
    let name = files::name_of(path);
    let (stem, ending) = name.rsplit_once('.').unwrap_or((&name, ""));
    loop {
        let yours = files::free_name(files::folder_of(path), &format!("{stem}-yours"), ending);
        match files::move_new(path, &yours) {
            Ok(()) => {
                let (file, lies) = (path.display(), yours.display());
                tracing::info!(%file, %lies, "somebody has saved this file of help/: it is set aside for a fresh one");
                return Ok(());
            }
            // A name may be taken between the look and the move: then the next one is tried.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
}

/// The bytes of a file, made at `scratch`, and their hash. That is among the copies of sheets, where the next start removes
/// what a killed process has left: nothing unfinished is to lie where people look.
fn made(
    scratch: &Path,
    write: &dyn Fn(&Path) -> Result<(), TemplateError>,
) -> Result<(Vec<u8>, String), HelpError> {
    let failed = |source| HelpError::Place {
        path: scratch.to_owned(),
        source,
    };
    fs::create_dir_all(files::folder_of(scratch)).map_err(failed)?;
    if scratch.exists() {
        fs::remove_file(scratch).map_err(failed)?;
    }
    write(scratch)?;
    let (hash, bytes) = (
        spool::hash_of(scratch).map_err(failed)?,
        fs::read(scratch).map_err(failed)?,
    );
    fs::remove_file(scratch).map_err(failed)?;
    Ok((bytes, hash))
}

/// The same on the inbox's own thread; what goes wrong is said, and tried again with the next look.
pub(super) async fn keep_later(desk: &Arc<Desk>) -> Result<(), DaemonError> {
    if let Err(error) = desk.by_hand("help", keep).await? {
        tracing::warn!(inbox = desk.inbox.name, "{}", crate::causes::chain(&error));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::Entry;

    fn catalog(read_at: i64, sku: &str) -> Snapshot {
        let entry = Entry {
            sku: sku.to_owned(),
            product_code: "TEE".to_owned(),
            product_name: "Classic Tee".to_owned(),
            title: "Black / S".to_owned(),
            variant_id: "1".to_owned(),
        };
        let read_at = Timestamp::from_second(read_at).unwrap();
        Snapshot::new(read_at, vec![entry], Vec::new())
    }

    #[test]
    fn one_that_is_open_is_left_alone_and_written_when_it_is_closed() {
        let (folder, scratch) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let (template, skus) = (folder.path().join(TEMPLATE), folder.path().join(CATALOG));
        let scratch = scratch.path().join("made.xlsx");
        let mut written = Written::default();
        let mut keep = |catalog: &Snapshot| {
            keep_in(
                (folder.path(), &scratch),
                (Some(catalog), &TimeZone::UTC),
                &mut written,
            )
            .unwrap()
        };
        let bytes = |path: &Path| fs::read(path).unwrap();
        keep(&catalog(1, "TEE-S"));
        let (first, first_skus) = (bytes(&template), bytes(&skus));
        let lock = folder.path().join("~$mplate.xlsx");
        files::write_new(&lock, b"").unwrap();
        assert!(keep(&catalog(2, "TEE-M")));
        assert_eq!(bytes(&template), first);
        assert_ne!(bytes(&skus), first_skus);
        assert!(!keep(&catalog(2, "TEE-M")), "it waits, and nothing else is new");
        fs::remove_file(lock).unwrap();
        assert!(keep(&catalog(2, "TEE-M")));
        assert_ne!(bytes(&template), first);
        assert_eq!(
            fs::read_dir(folder.path()).unwrap().count(),
            2,
            "nothing lies aside"
        );
    }

    #[test]
    fn another_catalog_brings_new_files_and_what_a_person_has_filled_in_stays() {
        let folder = tempfile::tempdir().unwrap();
        let (template, skus) = (folder.path().join(TEMPLATE), folder.path().join(CATALOG));
        let mut written = Written::default();
        let scratch = tempfile::tempdir().unwrap();
        let scratch = scratch.path().join("made.xlsx");
        let mut keep = |catalog: Option<&Snapshot>| {
            keep_in((folder.path(), &scratch), (catalog, &TimeZone::UTC), &mut written).unwrap()
        };
        let bytes = |path: &Path| fs::read(path).unwrap();
        assert!(keep(None));
        assert!(
            template.exists() && !skus.exists(),
            "orders can be written before the catalog is known"
        );
        let blank = bytes(&template);

        keep(Some(&catalog(1, "TEE-S")));
        assert_ne!(bytes(&template), blank, "its drop-downs came with the catalog");
        let (first, first_skus) = (bytes(&template), bytes(&skus));
        keep(Some(&catalog(1, "TEE-S")));
        assert_eq!(bytes(&template), first, "the same catalog changes nothing");

        files::write_over(&template, b"filled in").unwrap();
        keep(Some(&catalog(2, "TEE-M")));
        let yours = |name: &str| folder.path().join(name);
        assert_eq!(bytes(&yours("template-yours.xlsx")), b"filled in");
        assert!(is_ours(&template).unwrap(), "the fresh one has the name");
        assert_ne!(bytes(&skus), first_skus);
        files::write_over(&template, b"again").unwrap();
        keep(Some(&catalog(3, "TEE-L")));
        assert_eq!(bytes(&yours("template-yours.xlsx")), b"filled in");
        assert_eq!(bytes(&yours("template-yours-2.xlsx")), b"again");

        fs::remove_file(&template).unwrap();
        keep(Some(&catalog(3, "TEE-L")));
        assert_ne!(
            bytes(&template),
            first,
            "moved to the inbox, it comes back with the newest catalog"
        );
    }

    #[test]
    fn files_that_no_note_tells_of_are_replaced_while_no_other_program_has_saved_them() {
        let (folder, scratch) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let scratch = scratch.path().join("made.xlsx");
        let keep = |catalog: &Snapshot| {
            let mut unnoted = Written::default();
            let of = (Some(catalog), &TimeZone::UTC);
            assert!(keep_in((folder.path(), &scratch), of, &mut unnoted).unwrap());
        };
        let bytes = |name: &str| fs::read(folder.path().join(name)).unwrap();
        keep(&catalog(1, "TEE-S"));
        let before = [TEMPLATE, CATALOG].map(bytes);
        keep(&catalog(2, "TEE-M"));
        let after = [TEMPLATE, CATALOG].map(bytes);
        assert!(before[0] != after[0] && before[1] != after[1]);
        let names = || fs::read_dir(folder.path()).unwrap().count();
        assert_eq!(names(), 2, "nothing lies aside");
        let mut noted = bytes(CATALOG);
        noted.extend(b"a note of a person's");
        files::write_over(&folder.path().join(CATALOG), &noted).unwrap();
        keep(&catalog(3, "TEE-L"));
        assert_eq!(bytes("catalog-yours.xlsx"), noted);
        assert_eq!(names(), 3);
    }
}
