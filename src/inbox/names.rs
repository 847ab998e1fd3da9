//! What a file's name says of it: to be taken, to be left alone, or to be rejected. Pure.

use std::path::Path;

use crate::finding::{Code, Rejection};

/// What is to be done with a file of this name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Name {
    /// It may be a sheet.
    Take,
    /// It is left alone, and why.
    LeaveAlone(&'static str),
    /// Nobody could mean it as a sheet, and it is not temporary: rejected when it stays.
    Reject,
}

/// Endings of sheets.
const SHEETS: [&str; 8] = ["csv", "tsv", "txt", "xlsx", "xlsm", "xlsb", "xls", "ods"];

/// Endings of files that are being written, or of downloads under way: of browsers, of editors, of what synchronises and
/// transfers files (`ffs_tmp` is of `FreeFileSync`, `!sync` of Resilio Sync, `gdownload` of Google Drive).
const UNFINISHED: [&str; 17] = [
    "tmp",
    "temp",
    "part",
    "partial",
    "crdownload",
    "opdownload",
    "download",
    "filepart",
    "swp",
    "swo",
    "swx",
    "ffs_tmp",
    "!sync",
    "aria2",
    "lftp-pget-status",
    "rsynctmp",
    "gdownload",
];

/// Why a name without an ending is left alone: nothing says that it is a sheet.
pub(super) const NO_ENDING: &str = "a name without an ending: give it one, such as .csv";

/// Whether a file has the name of a sheet.
pub fn may_be_sheet(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str());
    name.is_some_and(|name| judge(name) == Name::Take)
}

/// Judges a name, without regard to case.
pub fn judge(name: &str) -> Name {
    let lower = name.to_lowercase();
    if lower.starts_with('.') || lower.starts_with("~$") {
        return Name::LeaveAlone("a hidden or lock file");
    }
    if lower == "thumbs.db" || lower == "desktop.ini" {
        return Name::LeaveAlone("a file of the operating system");
    }
    if lower.ends_with('~') || lower.starts_with("~syncthing~") || lower.starts_with("~wrl") {
        return Name::LeaveAlone("a temporary file");
    }
    if is_stop(name) {
        return Name::LeaveAlone("it stops nothing here: STOP has to lie beside inbox/, not in it");
    }
    let Some((before, ending)) = lower.rsplit_once('.') else {
        return Name::LeaveAlone(NO_ENDING);
    };
    if UNFINISHED.contains(&ending) {
        return Name::LeaveAlone("a file that is still being written");
    }
    if before.is_empty() || ending.is_empty() {
        return Name::LeaveAlone(NO_ENDING);
    }
    if SHEETS.contains(&ending) {
        Name::Take
    } else {
        Name::Reject
    }
}

/// Why a file of this name is rejected, wherever it lies; none of one that may be a sheet. One that would be left alone in an
/// inbox may be one where a person names it.
pub fn refuse(name: &str) -> Option<Rejection> {
    (judge(name) == Name::Reject).then(|| unknown_ending(name))
}

/// What is said of a file whose ending is no sheet's.
pub fn unknown_ending(name: &str) -> Rejection {
    Rejection {
        code: Code::UnknownEnding,
        message: format!("`{name}` has an ending that no order sheet has."),
        hint: "Save it as .xlsx or .csv and drop that.".to_owned(),
    }
}

/// Whether a name is `STOP`, with any ending or several: where endings are not shown, a person who writes one writes a
/// second one, `STOP.txt.txt`.
pub fn is_stop(name: &str) -> bool {
    let (first, _endings) = name.split_once('.').unwrap_or((name, ""));
    first.eq_ignore_ascii_case("STOP")
}

/// Whether a name is that of a lock, whatever it is the lock of.
pub fn is_lock(name: &str) -> bool {
    name.starts_with("~$") || name.to_lowercase().starts_with(".~lock.")
}

/// Whether `other` is the lock that a program keeps beside `name` while it has it open.
pub fn is_lock_of(other: &str, name: &str) -> bool {
    if !is_lock(other) {
        return false;
    }
    let (other, name) = (other.to_lowercase(), name.to_lowercase());
    if other == format!(".~lock.{name}#") || other == format!("~${name}") {
        return true;
    }
    // Excel drops the first two letters of a longer name for its lock.
    let cut: String = name.chars().skip(2).collect();
    name.chars().count() > 8 && other == format!("~${cut}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_judged_as_promised() {
        for name in [
            "a.csv", "A.XLSX", "b.tsv", "c.txt", "d.xlsm", "e.xlsb", "f.xls", "g.ods", "x.y.csv",
        ] {
            assert_eq!(judge(name), Name::Take, "{name}");
        }
        for name in [
            ".a.csv",
            "~$a.xlsx",
            "._a.csv",
            ".DS_Store",
            "a.tmp",
            "a.csv.part",
            "a.PARTIAL",
            "a.crdownload",
            "a.csv.filepart",
            "a.swp",
            "a.csv.swx",
            "a.csv.ffs_tmp",
            "a.csv.!sync",
            "a.csv.!Sync",
            "a.csv.opdownload",
            "a.csv.download",
            "a.csv.aria2",
            "a.csv.lftp-pget-status",
            "a.csv.rsyncTmp",
            "a.gdownload",
            "a.csv~",
            "README",
            "STOP",
            "Thumbs.db",
            "desktop.ini",
            ".~lock.a.csv#",
        ] {
            assert!(matches!(judge(name), Name::LeaveAlone(_)), "{name}");
        }
        for name in ["a.pdf", "a.docx", "a.csv.zip", "a.numbers"] {
            assert_eq!(judge(name), Name::Reject, "{name}");
        }
    }

    #[test]
    fn what_a_person_names_is_refused_for_its_ending_alone() {
        for name in [
            "a.csv",
            "A.XLSX",
            "export",
            "a.csv~",
            ".a.csv",
            "a.csv.part",
            "STOP.csv",
        ] {
            assert_eq!(refuse(name), None, "{name}");
        }
        for name in ["a.pdf", "a.csv.zip", "a.numbers"] {
            let why = refuse(name).unwrap();
            assert_eq!(why.code, Code::UnknownEnding, "{name}");
            assert!(why.message.contains(name), "{}", why.message);
        }
    }

    #[test]
    fn a_stop_that_lies_among_the_sheets_is_told_where_it_has_to_lie() {
        for name in ["STOP", "stop.txt", "STOP.txt.txt", "Stop.csv", "STOP."] {
            let Name::LeaveAlone(why) = judge(name) else {
                panic!("{name} is not left alone");
            };
            assert!(why.contains("STOP has to lie beside inbox/"), "{name}: {why}");
        }
        for name in ["stopped.csv", "non-stop.csv", "stop-signs.xlsx"] {
            assert_eq!(judge(name), Name::Take, "{name}");
        }
    }

    #[test]
    fn a_lock_is_known_by_the_name_it_holds() {
        assert!(is_lock_of("~$a.xlsx", "a.xlsx"));
        assert!(is_lock_of(".~lock.a.xlsx#", "A.xlsx"));
        assert!(is_lock_of("~$nday-orders.xlsx", "monday-orders.xlsx"));
        assert!(!is_lock_of("~$b.xlsx", "a.xlsx"));
        assert!(!is_lock_of("a.xlsx", "a.xlsx"));
    }
}
