//! The end of a sheet: its result written and put in its place, its original archived. A result can be written again
//! at any time; a file of a person's is never replaced.

mod archive;
mod ask;
mod beside;
mod lost;
mod replaced;
mod to_fix;
mod untouched;

use std::error::Error as _;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use jiff::Timestamp;

pub(super) use untouched::is_untouched;
use untouched::left_as_it_lies;

use super::aside::{self, Moved, Owner, RemoveError};
use crate::attention;
use crate::catalog::Snapshot;
use crate::causes;
use crate::config::{Inbox, ResultFormat};
use crate::files;
use crate::finding::Rejection;
use crate::import::views::Wait;
use crate::import::write::{LedgerViews, WaitingViews, read_ahead};
use crate::import::{ImportError, Importer, Worked, sends};
use crate::inbox::{Folder, spool};
use crate::ledger::record::{Beside, Claim, ClaimState, Purpose, out_ending};
use crate::ledger::{Ledger, LedgerError};
use crate::result::{self, Counts, Kind, ResultError, Source, Title, Views};
use crate::sheet::Format;

/// What a written result says, and where it is.
#[derive(Clone, Debug)]
pub struct WrittenResult {
    /// The result.
    pub path: PathBuf,
    /// The to-fix sheet, where there is something to fix.
    pub to_fix: Option<PathBuf>,
    /// The SKU-map sheet, where own SKUs are unknown.
    pub sku_map: Option<PathBuf>,
    /// Rows and orders by status.
    pub counts: Counts,
    /// Why its held orders are not listed for a person yet, and what to do.
    pub unlisted: Option<String>,
}

/// Why a sheet could not be ended. It is tried again; nothing is sent again.
#[derive(Debug, thiserror::Error)]
pub enum FinishError {
    /// The result could not be written.
    #[error(
        "cannot write the result of {sheet} into {folder}; check that dropsheet may write there and that the disk has room"
    )]
    Result {
        /// The sheet.
        sheet: String,
        /// The folder.
        folder: PathBuf,
        /// Why.
        #[source]
        source: Box<ResultError>,
    },
    /// A file could not be moved or put in its place.
    #[error("cannot put {path} in its place")]
    Place {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// A file that a newer one has replaced, or that lists nothing any more, cannot be removed.
    #[error(transparent)]
    Remove(#[from] RemoveError),
    /// The ledger cannot be kept: the program stops.
    #[error("cannot keep the ledger")]
    Ledger(#[from] LedgerError),
}

impl FinishError {
    pub(super) fn place(path: &Path, source: io::Error) -> Self {
        Self::Place {
            path: path.to_owned(),
            source,
        }
    }

    /// A file of a sheet, or of dropsheet's own, could not be written into a folder.
    pub(super) fn result(sheet: &str, folder: &Path, source: ResultError) -> Self {
        Self::Result {
            sheet: sheet.to_owned(),
            folder: folder.to_owned(),
            source: Box::new(source),
        }
    }
}

/// Ends the sheets of one inbox.
#[derive(Debug)]
pub struct Finisher<'a> {
    /// Whose sheets.
    pub importer: &'a Importer,
    /// The inbox.
    pub inbox: &'a Inbox,
    /// Its folders.
    pub folder: &'a Folder,
    /// What the config has worked.
    pub worked: &'a attention::Configured,
}

impl Finisher<'_> {
    pub(super) fn ledger(&self) -> &Ledger {
        &self.importer.submitter.ledger
    }

    /// Writes a worked sheet's result, then archives its original, unless orders of it still wait. Waits for the disk.
    pub fn finish(
        &self,
        claim: &Claim,
        worked: &Worked,
        now: Timestamp,
    ) -> Result<WrittenResult, FinishError> {
        let mut written = self.write(claim, worked, now)?;
        match self.write_held(claim, now) {
            Ok(_listed) => {}
            Err(FinishError::Ledger(error)) => return Err(error.into()),
            // The inbox's folders may never have been made, and the sheet needs none of them: the next run lists them.
            Err(error) if claim.new.out_path.is_some() => written.unlisted = Some(self.unlisted(&error)),
            Err(error) => return Err(error),
        }
        if worked.waiting.is_none() {
            let id = claim.id;
            self.ledger().write_blocking(move |store| {
                store.mark_mended_by(id)?;
                store.set_claim_state(id, ClaimState::Worked)
            })?;
            self.archive(claim)?;
            self.ledger()
                .write_blocking(move |store| store.set_claim_state(id, ClaimState::Done))?;
        }
        Ok(written)
    }

    /// Writes a sheet's result, new or again.
    pub fn write(
        &self,
        claim: &Claim,
        worked: &Worked,
        now: Timestamp,
    ) -> Result<WrittenResult, FinishError> {
        let claim = self.newest(claim)?;
        let (kind, suffix) = self.kind(&claim, worked.sheet.format());
        let news = self.ledger().read(|store| store.news(claim.id))?;
        let (folder, name) = self.place_of_results(&claim);
        let sheet = &claim.new.sheet_name;
        let failed = |source| FinishError::result(sheet, &folder, source);
        let catalog = self.catalog();
        let source = source_of(worked, catalog.as_deref());
        let whole = worked.waiting.is_none();
        let first = claim.state != ClaimState::Done && whole;
        let place = |suffix| Destination {
            folder: &folder,
            name: &name,
            suffix,
        };
        let (fix_at, ask_at) = (place("to-fix.xlsx"), place("sku-map.xlsx"));
        let fix = self.spot(&claim, Beside::ToFix, &fix_at)?;
        let ask = self.spot(&claim, Beside::SkuMap, &ask_at)?;
        // Not before: an interim one would lack what is still to come.
        let fixes = sends(claim.new.purpose) && first;
        let asks_for_skus = first && worked.unmapped.asked().is_some() || ask.is_there;
        let mut title = Title {
            read_as: worked.layout.read_as(),
            to_fix: (fixes || fix.is_there).then(|| fix.name()),
            sku_map: asks_for_skus.then(|| ask.name()),
            replaces: self.beside_its_place(&claim)?,
            ..self.title(&claim, now)
        };
        let scratch = scratch_in(&folder, sheet)?;
        let mut new = scratch.path().join("result");
        let write = |title: &Title, new: &Path| {
            self.with_views(&claim, worked, &mut |views| {
                result::write(&source, views, title, kind, new)
            })
            .map_err(failed)
        };
        let mut to_fix = None;
        let again = scratch.path().join("again");
        let left = left_as_it_lies(&claim, worked, (&title, &again), &write)?;
        let (path, counts) = if let Some(left) = left {
            left
        } else {
            let claim = self.replaced(claim.clone())?;
            title.replaces = self.beside_its_place(&claim)?;
            let counts = write(&title, &new)?;
            let listed = self.list_to_fix(&claim, (worked, &title, &counts.to_fix), &fix, &fix_at)?;
            if listed.name != title.to_fix {
                title.to_fix = listed.name;
                new = scratch.path().join("result that names it");
                write(&title, &new)?;
            }
            to_fix = listed.written;
            crate::crash::point("result-written");
            (self.put(&claim, &new, &place(suffix), now)?, counts)
        };
        if fixes && !counts.to_fix.is_empty() {
            to_fix = self.write_to_fix(&claim, (worked, &title, &counts.to_fix), &fix, &fix_at)?;
        }
        let sku_map = if first {
            self.write_sku_map(&claim, (worked, &title), &ask, &ask_at)?
        } else {
            None
        };
        // Not before it is in its place: news that were only about to be told are told again after a crash.
        self.told(&claim, news)?;
        Ok(WrittenResult {
            path,
            to_fix,
            sku_map,
            counts,
            unlisted: None,
        })
    }

    /// Why held orders are not listed for a person, and what to do.
    fn unlisted(&self, error: &FinishError) -> String {
        let held = self.folder.part("held");
        if held.is_dir() {
            let why = error
                .source()
                .map_or_else(String::new, |source| format!(": {source}"));
            return format!(
                "Its held orders are not listed in {} yet: {error}{why}. Let dropsheet write there; the next `dropsheet \
                 run` lists them.",
                held.display()
            );
        }
        format!(
            "Orders of it are held, and the folder {} in which they are approved is not there: run `dropsheet init`; \
             the next `dropsheet run` lists them in it.",
            held.display()
        )
    }

    /// The newest word of the ledger on a sheet, which says where its last result is.
    fn newest(&self, claim: &Claim) -> Result<Claim, LedgerError> {
        let found = self.ledger().read(|store| store.claim(claim.id))?;
        let mut claim = found.unwrap_or_else(|| claim.clone());
        let (folder, _name) = self.place_of_results(&claim);
        if let Some((path, _hash)) = &mut claim.result {
            *path = files::now_in(&folder, path).to_string_lossy().into_owned();
        }
        Ok(claim)
    }

    fn told(&self, claim: &Claim, news: u32) -> Result<(), LedgerError> {
        let id = claim.id;
        self.ledger()
            .write_blocking(move |store| store.news_told(id, news))
    }

    /// The catalog as it was last read. Without one a result names SKUs where it would name products.
    fn catalog(&self) -> Option<Arc<Snapshot>> {
        self.importer.catalog.kept().unwrap_or_else(|error| {
            tracing::warn!(%error, "the result is written without the catalog");
            None
        })
    }

    fn with_views<T>(
        &self,
        claim: &Claim,
        worked: &Worked,
        write: &mut dyn FnMut(&mut Views<'_>) -> Result<T, ResultError>,
    ) -> Result<T, ResultError> {
        let known = LedgerViews::of(self.ledger(), claim, worked, self.worked);
        match &worked.waiting {
            None => read_ahead(known, write),
            Some((code, why)) => {
                let sheet = (&worked.sheet, &worked.layout, &worked.index);
                let wait = Wait {
                    code: *code,
                    why,
                    only_priced: claim.new.purpose == Purpose::Try,
                    order_prefix: &self.inbox.order_prefix,
                };
                write(&mut WaitingViews::new(known, sheet, wait)?)
            }
        }
    }

    /// Where a sheet's results go, and the name that they carry.
    fn place_of_results(&self, claim: &Claim) -> (PathBuf, String) {
        let folder = match claim.new.out_path.as_deref().map(Path::new) {
            None => self.folder.part("results"),
            // A file is the result itself; a folder takes results that are named like their sheets.
            Some(out) if out_ending(out).is_some() => files::folder_of(out).to_owned(),
            Some(out) => out.to_owned(),
        };
        (folder, claim.new.name_of_results())
    }

    pub(super) fn title(&self, claim: &Claim, now: Timestamp) -> Title {
        Title {
            sheet_name: claim.new.sheet_name.clone(),
            stem: self.place_of_results(claim).1,
            taken_at: claim.new.taken_at,
            written_at: now,
            zone: self.importer.zone.clone(),
            inbox: claim.new.out_path.is_none().then(|| self.inbox.name.clone()),
            account: self.importer.submitter.config.name.clone(),
            currency: self.importer.submitter.config.currency.clone(),
            only_priced: claim.new.purpose == Purpose::Try,
            held: claim.new.stem.clone(),
            read_as: None,
            to_fix: None,
            sku_map: None,
            replaces: Vec::new(),
        }
    }

    fn kind(&self, claim: &Claim, came_as: Format) -> (Kind, &'static str) {
        if claim.new.purpose == Purpose::Try {
            return (Kind::Workbook, "quote.xlsx");
        }
        let delimiter = match came_as {
            Format::Csv { delimiter } => delimiter,
            Format::Workbook => b',',
        };
        if let Some(ending) = claim
            .new
            .out_path
            .as_deref()
            .and_then(|out| out_ending(Path::new(out)))
        {
            return if ending == "csv" {
                (Kind::Csv(delimiter), "csv")
            } else {
                (Kind::Workbook, "xlsx")
            };
        }
        // What is written again stays what it was, whatever the config has come to say.
        if let Some((path, _hash)) = &claim.result {
            return match suffix_of_text(path) {
                Some(suffix) => (Kind::Csv(delimiter), suffix),
                None => (Kind::Workbook, "result.xlsx"),
            };
        }
        match (self.inbox.result_format, came_as) {
            (ResultFormat::Xlsx, _) | (ResultFormat::Same, Format::Workbook) => {
                (Kind::Workbook, "result.xlsx")
            }
            (ResultFormat::Same, Format::Csv { delimiter }) => {
                // Text may come under a workbook's name.
                let suffix = suffix_of_text(&claim.new.sheet_name).unwrap_or(CSV);
                (Kind::Csv(delimiter), suffix)
            }
            (ResultFormat::Csv, _) => (Kind::Csv(delimiter), CSV),
        }
    }

    /// Puts a written result in its place: over dropsheet's own earlier one while that is untouched, else under a name
    /// that is free. What is about to be there is in the ledger before it is.
    fn put(
        &self,
        claim: &Claim,
        new: &Path,
        place: &Destination<'_>,
        now: Timestamp,
    ) -> Result<PathBuf, FinishError> {
        let Destination { folder, name, suffix } = *place;
        let hash = spool::hash_of(new).map_err(|error| FinishError::place(new, error))?;
        let id = claim.id;
        let record = |path: &Path, hash: &str, at| {
            let (path, hash) = (path.to_string_lossy().into_owned(), hash.to_owned());
            self.ledger()
                .write_blocking(move |store| store.set_result(id, &path, &hash, at))
        };
        if let Some((path, old_hash)) = &claim.result {
            let path = PathBuf::from(path);
            let failed = |error| FinishError::place(&path, error);
            let put = || {
                record(&path, &hash, now)?;
                crate::crash::point("result-recorded");
                let is_put = is_put(new, &path)?;
                crate::crash::point("result-replaced");
                Ok::<_, FinishError>(is_put)
            };
            let (is_put, beside) = match aside::take(&path, old_hash, Owner::Claim(id)).map_err(failed)? {
                Moved::Gone => (false, None),
                Moved::Theirs(lies) => (false, Some(lies)),
                Moved::Ours(aside) => {
                    let written_at = claim.result_at.unwrap_or(now);
                    let is_put = aside.replaced(put, || Ok(record(&path, old_hash, written_at)?))?;
                    (is_put, Some(path.clone()))
                }
            };
            if is_put {
                return Ok(path);
            }
            // What was written here does not name it any more; what is written next does, and that is due now.
            if let Some(beside) = beside {
                self.note_replaced(claim, &beside)?;
                self.ledger().write_blocking(move |store| store.mark_stale(id))?;
            }
        }
        // A name may be taken between the look and the move: then the next one is tried.
        loop {
            let path = files::free_name(folder, name, suffix);
            record(&path, &hash, now)?;
            crate::crash::point("result-recorded");
            if is_put(new, &path)? {
                crate::crash::point("result-placed");
                return Ok(path);
            }
        }
    }
}

/// The suffix of a result that is separated text.
const CSV: &str = "result.csv";

/// The suffix of a result that is separated text under the ending of this name; none where that is no text's.
fn suffix_of_text(name: &str) -> Option<&'static str> {
    let ending = Path::new(name)
        .extension()?
        .to_string_lossy()
        .to_ascii_lowercase();
    match &*ending {
        "csv" => Some(CSV),
        "tsv" => Some("result.tsv"),
        "txt" => Some("result.txt"),
        _ => None,
    }
}

/// Puts a file where nothing stands; false where somebody has just saved one of their own there.
pub(super) fn is_put(new: &Path, path: &Path) -> Result<bool, FinishError> {
    match files::move_new(new, path) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
        Err(error) => Err(FinishError::place(path, error)),
    }
}

/// What a sheet's files are written from.
fn source_of<'a>(worked: &'a Worked, catalog: Option<&'a Snapshot>) -> Source<'a> {
    Source {
        sheet: &worked.sheet,
        layout: &worked.layout,
        index: &worked.index,
        catalog,
    }
}

/// Where a file of a sheet goes: `FOLDER/NAME.SUFFIX`.
#[derive(Clone, Copy, Debug)]
struct Destination<'a> {
    folder: &'a Path,
    name: &'a str,
    suffix: &'a str,
}

/// A hidden folder for files of a sheet that are being written, removed with what is left in it.
pub(super) fn scratch_in(folder: &Path, sheet: &str) -> Result<tempfile::TempDir, FinishError> {
    let made = tempfile::Builder::new()
        .prefix(files::TEMPORARY)
        .tempdir_in(folder);
    made.map_err(|error| FinishError::result(sheet, folder, ResultError::Folder(without_name(&error))))
}

/// Why a file of a hidden name could not be made, without that name: it is another at each try, and what is told would be
/// news each time.
fn without_name(error: &io::Error) -> io::Error {
    let word = causes::innermost(error).downcast_ref::<io::Error>();
    word.and_then(io::Error::raw_os_error)
        .map_or_else(|| error.kind().into(), io::Error::from_raw_os_error)
}

/// A rejection, where that is what ended the work.
pub fn rejection(error: &ImportError) -> Option<&Rejection> {
    match error {
        ImportError::Rejected(why) => Some(why),
        ImportError::Spool { .. }
        | ImportError::SkuMap(_)
        | ImportError::Catalog(_)
        | ImportError::Ledger(_)
        | ImportError::Submit(_)
        | ImportError::Preflight(_)
        | ImportError::Panicked => None,
    }
}
