//! Why the catalog's cache cannot be used, and what to do about it.

use std::path::PathBuf;

use crate::causes::is_of_a_full_disk;

/// Why the cache cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum CacheError {
    /// Its folder cannot be made.
    #[error("cannot make the folder of the catalog's cache {path}")]
    Folder {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        source: std::io::Error,
    },
    /// SQLite refused.
    #[error("cannot {operation} the catalog's cache {path}{}", advice(source))]
    Database {
        /// `open`, `read` or `write`.
        operation: &'static str,
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        source: rusqlite::Error,
    },
    /// A newer dropsheet has made it.
    #[error("the catalog's cache {path} is of a newer dropsheet; delete it, the service fills it again")]
    Newer {
        /// The file.
        path: PathBuf,
    },
}

impl CacheError {
    /// Whether this user may not, or nobody: the cache itself may be whole.
    pub fn is_of_rights(&self) -> bool {
        match self {
            Self::Folder { .. } => true,
            Self::Database { source, .. } => is_of_rights(source),
            Self::Newer { .. } => false,
        }
    }
}

fn is_of_rights(error: &rusqlite::Error) -> bool {
    use rusqlite::ErrorCode;
    matches!(
        error.sqlite_error_code(),
        Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen | ErrorCode::PermissionDenied)
    )
}

/// What to do about an error of SQLite, to be put behind what happened.
fn advice(error: &rusqlite::Error) -> &'static str {
    if is_of_a_full_disk(error) {
        "; its disk is full: make room and start dropsheet again"
    } else if is_of_rights(error) {
        "; may this user read and write the file and its folder?"
    } else {
        "; it may be deleted, the service fills it again"
    }
}

#[cfg(test)]
mod tests {
    use super::super::Cache;
    use super::advice;

    #[test]
    fn a_full_disk_is_no_reason_to_delete_a_cache() {
        for code in [rusqlite::ffi::SQLITE_FULL, rusqlite::ffi::SQLITE_IOERR_SHMSIZE] {
            let full = rusqlite::Error::SqliteFailure(rusqlite::ffi::Error::new(code), None);
            assert!(advice(&full).contains("its disk is full"), "{}", advice(&full));
        }
    }

    #[test]
    fn a_cache_that_cannot_be_opened_is_not_said_to_be_worth_deleting_and_one_that_is_damaged_is() {
        let folder = tempfile::tempdir().unwrap();
        let error = Cache::open(folder.path()).unwrap_err();
        assert!(error.is_of_rights(), "{error:?}");
        assert!(
            error.to_string().contains("may this user read and write"),
            "{error}"
        );
        let damaged = folder.path().join("catalog.db");
        crate::files::write_new(&damaged, &b"sku,title\n".repeat(100)).unwrap();
        let error = Cache::open(&damaged).unwrap_err();
        assert!(!error.is_of_rights(), "{error:?}");
        assert!(error.to_string().contains("it may be deleted"), "{error}");
    }
}
