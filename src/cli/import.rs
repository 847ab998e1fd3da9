//! `dropsheet import`: the whole job on sheets that are in no inbox.

use std::path::Path;
use std::sync::Arc;

use anyhow::Context;

use super::args::Import;
use super::exit::{BusyError, Exit, UsageError};
use super::work::{exit_of, inbox_of, until_told};
use super::worked::print_report;
use crate::config;
use crate::daemon;
use crate::files;
use crate::ledger::record::out_ending;

pub(super) async fn run(args: &Import, given: Option<&Path>) -> anyhow::Result<Exit> {
    let config = config::load(given)?;
    let inbox = inbox_of(&config, args.inbox.as_deref())?.clone();
    if let Some(out) = &args.out {
        prepare(out, args.sheets.len())?;
    } else {
        let folders = args.sheets.iter().map(|sheet| files::folder_of(sheet));
        // A sheet whose folder is not there is told with the others.
        folders
            .filter(|folder| folder.is_dir())
            .try_for_each(takes_results)?;
    }
    let sheets = daemon::Sheets {
        inbox: &inbox.name,
        sheets: &args.sheets,
        out: args.out.as_deref(),
    };
    let progress = Arc::default();
    let drawn = super::progress::draw(&progress, "orders");
    let work = async |ending| Box::pin(daemon::import(&config, sheets, progress, &ending)).await;
    let done = until_told(work).await;
    drop(drawn);
    let report = done.map_err(|error| match error.downcast::<BusyError>() {
        Ok(busy) if takes_sheets(&busy.holder) => {
            let inbox = inbox.path.join("inbox");
            let said = format!("{busy}; drop the sheet into {} instead", inbox.display());
            BusyError { said, ..busy }.into()
        }
        Ok(busy) => busy.into(),
        Err(other) => other,
    })?;
    let Some(report) = report else {
        return Ok(Exit::Attention);
    };
    print_report(&report, args.listing.json)?;
    let untaken: Vec<&str> = report
        .sheets
        .iter()
        .filter(|sheet| sheet.untaken.is_some())
        .map(|sheet| sheet.sheet.as_str())
        .collect();
    if !untaken.is_empty() {
        anyhow::bail!(
            "{} could not be read and was not worked; the rest is told above",
            untaken.join(", ")
        );
    }
    if let Some(sheet) = report.sheets.iter().find(|sheet| sheet.rejected.is_some()) {
        anyhow::bail!("{} could not be read as an order sheet", sheet.sheet);
    }
    Ok(exit_of(&report))
}

/// Whether a process goes on taking sheets, by what it says it does: another command than `run` ends soon, and takes none.
fn takes_sheets(holder: &str) -> bool {
    let command = holder.split_once("dropsheet ").map(|(_process, command)| command);
    command.is_none_or(|command| command == "run")
}

/// Makes sure that results can go to `--out`: a name ending in .xlsx or .csv is the result of the only sheet, anything
/// else a folder.
fn prepare(out: &Path, sheets: usize) -> anyhow::Result<()> {
    if out.is_dir() || out.extension().is_none() {
        std::fs::create_dir_all(out).with_context(|| format!("cannot make {}", out.display()))?;
        return takes_results(out);
    }
    let wrong = if out_ending(out).is_none() {
        format!("a result is written as .xlsx or .csv, not as {}", out.display())
    } else if sheets > 1 {
        "--out names one file, but there are several sheets: name a folder".to_owned()
    } else if out.exists() {
        anyhow::bail!("{} is there already; name another file", out.display());
    } else {
        return takes_results(files::folder_of(out));
    };
    Err(UsageError(wrong).into())
}

/// Makes sure, before anything is sent, that a result can be written into a folder.
fn takes_results(folder: &Path) -> anyhow::Result<()> {
    files::stage(&folder.join("result.xlsx"))
        .map(drop)
        .with_context(|| {
            format!(
                "no result can be written into {}, and nothing was sent: make the folder, let dropsheet write there, or name \
                 another with --out",
                folder.display()
            )
        })
}
