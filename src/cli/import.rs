//! `dropsheet import`: the whole job on sheets that are in no inbox.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context;

use super::args::Import;
use super::exit::{BusyError, Exit, UsageError};
use super::work::{exit_of, inbox_of, print_report, until_told};
use crate::config;
use crate::daemon;

pub(super) async fn run(args: &Import, given: Option<&Path>) -> anyhow::Result<Exit> {
    let config = config::load(given)?;
    let inbox = inbox_of(&config, args.inbox.as_deref())?.clone();
    let out = args
        .out
        .as_deref()
        .map(|out| Out::of(out, &args.sheets))
        .transpose()?;
    let folder = out.as_ref().map(Out::folder);
    let sheets = daemon::Sheets {
        inbox: &inbox.name,
        sheets: &args.sheets,
        out: folder,
    };
    let progress = Arc::default();
    let drawn = super::progress::draw(&progress, "orders");
    let done = until_told(async |ending| daemon::import(&config, sheets, progress, &ending).await).await;
    drop(drawn);
    let mut report = done.map_err(|error| match error.downcast::<BusyError>() {
        Ok(busy) => {
            let hint = format!(
                "{busy}; drop the sheet into {} instead",
                inbox.path.join("inbox").display()
            );
            BusyError(hint).into()
        }
        Err(other) => other,
    })?;
    if let Some(Out::File(file)) = &out
        && let Some(sheet) = report.sheets.first_mut()
        && let Some(result) = sheet.result.as_mut()
    {
        crate::files::move_new(result, file)
            .with_context(|| format!("cannot put the result at {}", file.display()))?;
        result.clone_from(file);
    }
    print_report(&report)?;
    if let Some(sheet) = report.sheets.iter().find(|sheet| sheet.rejected.is_some()) {
        anyhow::bail!("{} could not be read as an order sheet", sheet.sheet);
    }
    Ok(exit_of(&report))
}

/// Where results go.
enum Out {
    /// Into this folder.
    Folder(PathBuf),
    /// The result of the only sheet is this file.
    File(PathBuf),
}

impl Out {
    /// A folder that is there, or a name that ends like a folder's, is a folder; anything else is the result itself.
    fn of(path: &Path, sheets: &[PathBuf]) -> anyhow::Result<Self> {
        let is_folder = path.is_dir() || path.extension().is_none();
        if is_folder {
            std::fs::create_dir_all(path).with_context(|| format!("cannot make {}", path.display()))?;
            return Ok(Self::Folder(path.to_owned()));
        }
        if sheets.len() > 1 {
            return Err(UsageError(
                "--out names one file, but there are several sheets: name a folder".to_owned(),
            )
            .into());
        }
        if path.exists() {
            return Err(UsageError(format!("{} is there already; name another file", path.display())).into());
        }
        Ok(Self::File(path.to_owned()))
    }

    fn folder(&self) -> &Path {
        match self {
            Self::Folder(folder) => folder,
            Self::File(file) => crate::files::folder_of(file),
        }
    }
}
