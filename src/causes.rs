//! An error with what caused it, for people: each cause says only what is its own, so all of them are told. Where another
//! library's error has told its cause already, that is not told again.

use std::error::Error;

/// An error with its causes, as one sentence.
pub fn chain(error: &dyn Error) -> String {
    let mut told = error.to_string();
    for cause in of(error).map(ToString::to_string) {
        if !told.ends_with(&format!(": {cause}")) {
            told.push_str(": ");
            told.push_str(&cause);
        }
    }
    told
}

/// What caused an error, the nearest first.
pub fn of(error: &dyn Error) -> impl Iterator<Item = &(dyn Error + 'static)> {
    std::iter::successors(error.source(), |cause| (*cause).source())
}

/// What is at the bottom of an error: the machine's own word.
pub fn innermost<'e>(error: &'e (dyn Error + 'static)) -> &'e (dyn Error + 'static) {
    of(error).last().unwrap_or(error)
}

/// Whether an error, by itself, says that a disk has no room. SQLite tells so too where it cannot lengthen the file that its
/// readers share, and calls that a failure of reading or writing.
pub fn is_of_a_full_disk(error: &(dyn Error + 'static)) -> bool {
    if let Some(error) = error.downcast_ref::<std::io::Error>() {
        return error.kind() == std::io::ErrorKind::StorageFull;
    }
    let Some(error) = error.downcast_ref::<rusqlite::Error>() else {
        return false;
    };
    let code = error
        .sqlite_error()
        .map(|error| (error.code, error.extended_code));
    code.is_some_and(|(code, extended)| {
        code == rusqlite::ErrorCode::DiskFull || extended == rusqlite::ffi::SQLITE_IOERR_SHMSIZE
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_is_known_in_each_of_its_words() {
        let sqlite = |code| rusqlite::Error::SqliteFailure(rusqlite::ffi::Error::new(code), None);
        let io = |kind| std::io::Error::from(kind);
        let cases: [(Box<dyn Error>, bool); 6] = [
            (Box::new(sqlite(rusqlite::ffi::SQLITE_FULL)), true),
            (Box::new(sqlite(rusqlite::ffi::SQLITE_IOERR_SHMSIZE)), true),
            (Box::new(sqlite(rusqlite::ffi::SQLITE_IOERR_READ)), false),
            (Box::new(io(std::io::ErrorKind::StorageFull)), true),
            (Box::new(io(std::io::ErrorKind::NotFound)), false),
            (Box::new(std::fmt::Error), false),
        ];
        for (error, is) in cases {
            assert_eq!(is_of_a_full_disk(&*error), is, "{error}");
        }
    }

    #[derive(Debug, thiserror::Error)]
    #[error("cannot take orders.csv")]
    struct Untaken(#[source] std::io::Error);

    #[derive(Debug, thiserror::Error)]
    #[error("connection error: {0}")]
    struct TellsItsCause(#[source] std::io::Error);

    #[test]
    fn a_cause_that_is_told_already_is_not_told_again() {
        let error = TellsItsCause(std::io::Error::other("refused"));
        assert_eq!(chain(&error), "connection error: refused");
        let other = Untaken(std::io::Error::other("orders.csv"));
        assert_eq!(chain(&other), "cannot take orders.csv: orders.csv");
    }

    #[test]
    fn every_cause_is_told_once() {
        let error = Untaken(std::io::Error::other("the disk is gone"));
        assert_eq!(chain(&error), "cannot take orders.csv: the disk is gone");
        assert_eq!(of(&error).count(), 1);
        assert_eq!(innermost(&error).to_string(), "the disk is gone");
        assert_eq!(
            innermost(&std::fmt::Error).to_string(),
            std::fmt::Error.to_string()
        );
    }
}
