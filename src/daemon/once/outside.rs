//! Sheets that are in no inbox: they are worked where they lie, and their results go beside them or where it is said.

use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use tokio_util::sync::CancellationToken;

use super::{PATIENCE, end, unbegun, until_told};
use crate::clock::Clock;
use crate::config::Config;
use crate::daemon::{DaemonError, Desk, Desks, Report, SheetReport, open};
use crate::files::{folder_of, name_of};
use crate::filing::take::TakeError;
use crate::import::Progress;
use crate::inbox::look::{Found, Stamp};
use crate::inbox::names;
use crate::inbox::spool::CopyError;
use crate::ledger::record::{Claim, out_ending};

/// Sheets that are in no inbox.
#[derive(Clone, Copy, Debug)]
pub struct Sheets<'a> {
    /// The inbox whose settings count.
    pub inbox: &'a str,
    /// The sheets.
    pub sheets: &'a [PathBuf],
    /// The folder for the results; none is beside each sheet.
    pub out: Option<&'a Path>,
}

/// Does the whole job on sheets that are in no inbox, with the settings of one; results go to `out`, or beside each.
pub async fn import(
    config: &Config,
    Sheets { inbox, sheets, out }: Sheets<'_>,
    progress: Arc<Progress>,
    ending: &CancellationToken,
) -> Result<Report, DaemonError> {
    let desks = open(config, "dropsheet import", Clock::system(), PATIENCE, progress).await?;
    let Some(desk) = desks.desk(inbox) else {
        return Err(DaemonError::NoInbox {
            config: config.path.clone(),
        });
    };
    // A folder that does not answer tells nothing.
    if let Some(Some(why)) = desk.in_time("look", Desk::is_anothers).await? {
        return Err(DaemonError::Anothers(why));
    }
    let account = desk.importer.submitter.account;
    for desk in desks
        .inboxes
        .iter()
        .filter(|desk| desk.importer.submitter.account == account)
    {
        desk.see_to_leftovers_first().await?;
    }
    let worked = Box::pin(work_outside(&desks, desk, (sheets, out), ending));
    until_told(&desks, ending, worked).await
}

async fn work_outside(
    desks: &Desks,
    desk: &Arc<Desk>,
    (sheets, out): (&[PathBuf], Option<&Path>),
    ending: &CancellationToken,
) -> Result<Report, DaemonError> {
    let mut report = Report {
        inboxes: 1,
        ..Report::default()
    };
    let taken_from = taken_from(desks).await?;
    for sheet in sheets {
        let name = || sheet.display().to_string();
        if ending.is_cancelled() {
            report.sheets.push(unbegun(desk, name(), "Import it again."));
            continue;
        }
        let worked = match claim_of(desk, (sheet, out), &taken_from).await {
            Ok(claim) => {
                // Of older sheets none is worked here: one that cannot be heard is, with them, by the next run.
                desk.hear_cancels_once(std::slice::from_ref(&claim)).await?;
                desk.heed_stop().await?;
                desk.work(&claim, None).await?
            }
            // The others are worked all the same: none of them waits for it.
            Err(error) if is_its_own(&error) => SheetReport {
                inbox: desk.inbox.name.clone(),
                sheet: name(),
                untaken: Some(crate::causes::chain(&error)),
                ..SheetReport::default()
            },
            Err(error) => return Err(error),
        };
        report.sheets.push(worked);
    }
    end(desks, &mut report, ending).await?;
    Ok(report)
}

/// A folder from which an inbox takes sheets by itself.
struct TakenFrom {
    inbox: String,
    part: &'static str,
    path: PathBuf,
}

/// The folders from which inboxes take sheets by themselves. One that does not answer tells nothing.
async fn taken_from(desks: &Desks) -> Result<Vec<TakenFrom>, DaemonError> {
    let mut all = Vec::new();
    for desk in &desks.inboxes {
        let look = desk.in_time("look", |desk| {
            ["inbox", "try", "processing"].map(|part| (part, desk.folder.part(part).canonicalize()))
        });
        let parts = look.await?.into_iter().flatten();
        all.extend(parts.filter_map(|(part, path)| {
            Some(TakenFrom {
                inbox: desk.inbox.name.clone(),
                part,
                path: path.ok()?,
            })
        }));
    }
    Ok(all)
}

/// Why a sheet cannot be imported from, or its results be put into, one of these folders: what lies there is taken as a
/// sheet of its inbox.
fn taken_by_itself(taken_from: &[TakenFrom], folders: &[&Path]) -> Option<String> {
    let folders: Vec<PathBuf> = folders
        .iter()
        .filter_map(|folder| folder.canonicalize().ok())
        .collect();
    let holds = |from: &&TakenFrom| folders.iter().any(|folder| folder.starts_with(&from.path));
    taken_from.iter().find(holds).map(|from| {
        format!(
            "{}/ of the inbox `{}` is read by itself, at the next look: sheets that are imported, and their results, \
             have to lie elsewhere",
            from.part, from.inbox
        )
    })
}

/// Whether it is the one file that cannot be read, not the spool or the ledger that cannot be written.
fn is_its_own(error: &DaemonError) -> bool {
    matches!(
        error,
        DaemonError::Read { .. }
            | DaemonError::Take(TakeError::Spool(CopyError::Read { .. } | CopyError::Changed(_)))
    )
}

/// The folder of results, or the file of one, as the ledger keeps it; an error where it would be taken for another one.
fn kept_as(out: &Path) -> Result<String, String> {
    let Some(kept) = out.to_str() else {
        return Err(format!(
            "no result can be put into {}, whose name is not UTF-8: name another folder with --out",
            out.display()
        ));
    };
    if out_ending(out).is_some() && out.is_dir() {
        return Err(format!(
            "{kept} is a folder that is called like a result: name another with --out"
        ));
    }
    Ok(kept.to_owned())
}

/// The whole of a path, without a `..` in it: what is said to lie in a folder then lies there.
fn plainly(path: &Path) -> std::io::Result<PathBuf> {
    let path = std::path::absolute(path)?;
    if !path.components().any(|part| part == Component::ParentDir) {
        return Ok(path);
    }
    match path.file_name() {
        Some(name) => Ok(folder_of(&path).canonicalize()?.join(name)),
        None => path.canonicalize(),
    }
}

async fn claim_of(
    desk: &Arc<Desk>,
    (sheet, out): (&Path, Option<&Path>),
    taken_from: &[TakenFrom],
) -> Result<Claim, DaemonError> {
    let failed = |source| DaemonError::Read {
        path: sheet.to_owned(),
        source,
    };
    let named = plainly(sheet).map_err(failed)?;
    // Who names a link means what it leads to; the result lies beside what was named all the same.
    let path = if named.is_symlink() {
        named.canonicalize().map_err(failed)?
    } else {
        named.clone()
    };
    let metadata = std::fs::symlink_metadata(&path).map_err(failed)?;
    if !metadata.is_file() {
        return Err(failed(std::io::Error::other("it is no regular file")));
    }
    let name = name_of(&named);
    if let Some(why) = names::refuse(&name) {
        return Err(failed(std::io::Error::other(why)));
    }
    let folder = out
        .map_or_else(|| Ok(folder_of(&named).to_owned()), plainly)
        .map_err(failed)?;
    // `--out` may name the result itself.
    let folders = [folder_of(&path), folder_of(&named), folder_of(&folder), &folder];
    if let Some(why) = taken_by_itself(taken_from, &folders) {
        return Err(failed(std::io::Error::other(why)));
    }
    let found = Found {
        name,
        stamp: Stamp::of(&metadata),
        reject: false,
        path,
    };
    let out = kept_as(&folder).map_err(|why| failed(std::io::Error::other(why)))?;
    // To copy a large sheet takes its time, but the hand may be held up by the inbox's own folder.
    if desk.in_time("look", |_desk| ()).await?.is_none() {
        return Err(failed(std::io::Error::other(desk.no_answer())));
    }
    let id = desk
        .by_hand("look", move |desk| desk.take_outside(&found, out))
        .await??;
    desk.ledger()
        .read(|store| store.claim(id))?
        .ok_or(DaemonError::Panicked)
}
