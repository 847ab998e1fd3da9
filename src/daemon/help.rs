//! `help/` in an inbox: a blank order sheet and the catalog, written when the catalog that was last read is another one.
//! The service is never asked for them.
//!
//! Merchants fill the template in where it lies. So a file in `help/` is replaced only while it is byte for byte as it
//! was written; what was written stands in a hidden list beside it.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::Desk;
use crate::catalog::Snapshot;
use crate::catalog::cache::CacheError;
use crate::files;
use crate::inbox::spool;
use crate::template::{self, TemplateError};

const TEMPLATE: &str = "template.xlsx";
const CATALOG: &str = "catalog.xlsx";

/// The hidden list of what was written.
const WRITTEN: &str = ".written.json";

/// Why `help/` could not be brought up to date. Orders do not wait for it.
#[derive(Debug, thiserror::Error)]
pub(super) enum HelpError {
    #[error("cannot read the catalog for help/")]
    Catalog(#[from] CacheError),
    #[error("cannot write the files of help/")]
    Template(#[from] TemplateError),
    #[error("cannot put {path} in its place")]
    Place {
        path: PathBuf,
        #[source]
        source: io::Error,
    },
}

/// What was written into a `help/`.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Written {
    /// When the catalog was read that the files are made from.
    catalog_read_at: Option<Timestamp>,
    /// By name, the SHA-256.
    hashes: BTreeMap<String, String>,
}

/// Brings an inbox's `help/` up to date. Waits for the disk.
pub(super) fn keep(desk: &Desk) -> Result<(), HelpError> {
    let catalog = desk.importer.catalog.kept()?;
    keep_in(&desk.folder.part("help"), catalog.as_deref())
}

fn keep_in(folder: &Path, catalog: Option<&Snapshot>) -> Result<(), HelpError> {
    let mut written = read_written(folder)?;
    let read_at = catalog.map(Snapshot::read_at);
    let is_newer = read_at.is_some() && written.catalog_read_at != read_at;
    let mut changed = false;
    let mut put = |name: &str, write: &dyn Fn(&Path) -> Result<(), TemplateError>| {
        let path = folder.join(name);
        if path.exists() && (!is_newer || !is_ours(&path, written.hashes.get(name))) {
            return Ok(());
        }
        changed = true;
        written.hashes.insert(name.to_owned(), replace(&path, write)?);
        Ok::<(), HelpError>(())
    };
    put(TEMPLATE, &|path| template::write(catalog, path))?;
    if let Some(catalog) = catalog {
        put(CATALOG, &|path| template::write_workbook(catalog, path))?;
    }
    if changed || is_newer {
        written.catalog_read_at = read_at.or(written.catalog_read_at);
        write_written(folder, &written)?;
    }
    Ok(())
}

/// Whether a file is as it was written.
fn is_ours(path: &Path, hash: Option<&String>) -> bool {
    hash.is_some_and(|hash| spool::hash_of(path).is_ok_and(|now| now == *hash))
}

/// Writes a file beside its place and puts it there; gives its hash.
fn replace(path: &Path, write: &dyn Fn(&Path) -> Result<(), TemplateError>) -> Result<String, HelpError> {
    let failed = |source| HelpError::Place {
        path: path.to_owned(),
        source,
    };
    let scratch = tempfile::Builder::new()
        .prefix(".dropsheet-")
        .tempdir_in(files::folder_of(path))
        .map_err(failed)?;
    let new = scratch.path().join("new");
    write(&new)?;
    let hash = spool::hash_of(&new).map_err(failed)?;
    let bytes = std::fs::read(&new).map_err(failed)?;
    files::write_over(path, &bytes).map_err(failed)?;
    Ok(hash)
}

fn read_written(folder: &Path) -> Result<Written, HelpError> {
    let path = folder.join(WRITTEN);
    let bytes = match std::fs::read(&path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Written::default()),
        Err(source) => return Err(HelpError::Place { path, source }),
    };
    // A list that cannot be read knows of no file: none is then replaced.
    Ok(serde_json::from_slice(&bytes).unwrap_or_else(|error| {
        tracing::warn!(path = %path.display(), %error, "it is written anew");
        Written::default()
    }))
}

fn write_written(folder: &Path, written: &Written) -> Result<(), HelpError> {
    let path = folder.join(WRITTEN);
    let bytes = serde_json::to_vec_pretty(written).map_err(io::Error::from);
    let put = bytes.and_then(|bytes| files::write_over(&path, &bytes));
    put.map_err(|source| HelpError::Place { path, source })
}

/// The same on a thread that may wait; what goes wrong is said, and tried again with the next look.
pub(super) async fn keep_later(desk: &Arc<Desk>) {
    let of = Arc::clone(desk);
    match tokio::task::spawn_blocking(move || keep(&of)).await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => {
            tracing::warn!(inbox = desk.inbox.name, "{}", super::chain(&error));
        }
        Err(error) => tracing::error!(inbox = desk.inbox.name, %error, "help/ ended with a defect"),
    }
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
    fn another_catalog_brings_new_files_and_what_a_person_has_filled_in_stays() {
        let folder = tempfile::tempdir().unwrap();
        let (template, skus) = (folder.path().join(TEMPLATE), folder.path().join(CATALOG));
        let bytes = |path: &Path| std::fs::read(path).unwrap();
        keep_in(folder.path(), None).unwrap();
        assert!(
            template.exists() && !skus.exists(),
            "orders can be written before the catalog is known"
        );
        let blank = bytes(&template);

        keep_in(folder.path(), Some(&catalog(1, "TEE-S"))).unwrap();
        assert_ne!(bytes(&template), blank, "its drop-downs came with the catalog");
        let (first, first_skus) = (bytes(&template), bytes(&skus));
        keep_in(folder.path(), Some(&catalog(1, "TEE-S"))).unwrap();
        assert_eq!(bytes(&template), first, "the same catalog changes nothing");

        files::write_over(&template, b"filled in").unwrap();
        keep_in(folder.path(), Some(&catalog(2, "TEE-M"))).unwrap();
        assert_eq!(bytes(&template), b"filled in");
        assert_ne!(bytes(&skus), first_skus);

        std::fs::remove_file(&template).unwrap();
        keep_in(folder.path(), Some(&catalog(2, "TEE-M"))).unwrap();
        assert_ne!(
            bytes(&template),
            first,
            "moved to the inbox, it comes back with the newest catalog"
        );
    }
}
