//! What keeps inboxes from being worked: their folders, their files, the disks, and what is kept beside the ledger.

use super::{Concern, Kind, Situation, lasting};

/// What is wrong with folders and disks.
pub(super) fn told(seen: &Situation<'_>) -> Vec<Concern> {
    let mut all = Vec::new();
    for inbox in &seen.status.inboxes {
        if let Some(trouble) = &inbox.trouble {
            all.push(lasting(
                format!("folder:{}", inbox.name),
                (Kind::Folder, &inbox.name),
                format!("Inbox {} cannot be worked: {trouble}", inbox.name),
                advice_for(trouble),
            ));
        }
        all.extend(inbox.unreadable.iter().map(|file| {
            let name = file.path.rsplit('/').next().unwrap_or(&file.path);
            lasting(
                format!("unreadable:{}:{}", inbox.name, file.path),
                (Kind::Folder, &inbox.name),
                format!("{name} in inbox {} cannot be read: {}", inbox.name, file.why),
                "Nothing of it is sent. Let dropsheet read it, or take it away.",
            )
        }));
        if inbox.nearly_full {
            all.push(lasting(
                format!("disk:{}", inbox.name),
                (Kind::Disk, &inbox.name),
                format!("The disk of inbox {} is nearly full.", inbox.name),
                "Make room: without it no result can be written.",
            ));
        }
    }
    if seen.disk_is_full {
        all.push(lasting(
            "disk".to_owned(),
            (Kind::Disk, ""),
            "The disk of the ledger is nearly full.".to_owned(),
            "Make room: without it nothing can be ordered.",
        ));
    }
    all.extend(seen.status.not_backed_up.as_ref().map(|why| {
        lasting(
            "backup".to_owned(),
            (Kind::Backup, ""),
            format!("The ledger's daily backup failed: {why}."),
            "Orders go on meanwhile. Let dropsheet write there, or make room; it is tried again by itself.",
        )
    }));
    all.extend(seen.status.catalog_not_kept.as_ref().map(|why| {
        lasting(
            "catalog".to_owned(),
            (Kind::Backup, ""),
            format!("The catalog is not kept on the disk: {why}."),
            "Orders go on meanwhile. `dropsheet doctor` says what to do; it is tried again by itself.",
        )
    }));
    all
}

/// What follows from what is wrong with a folder. That says itself what to do, but for a disk, which has its words from the
/// machine.
fn advice_for(trouble: &str) -> &'static str {
    let says = |words: &[&str]| words.iter().any(|words| trouble.contains(words));
    if says(&["No space left on device", "Disk quota exceeded"]) {
        "Nothing is lost: make room on the disk of that folder, and it goes on by itself."
    } else if says(&["Read-only file system"]) {
        "Nothing is lost: let the disk of that folder be written again, and it goes on by itself."
    } else {
        "Nothing is lost: it goes on by itself when that is mended."
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_disk_is_not_taken_for_a_folder_that_is_away() {
        let of = |code| {
            format!(
                "cannot write the copy of a.csv: {}",
                std::io::Error::from_raw_os_error(code)
            )
        };
        let says = |errno: rustix::io::Errno| advice_for(&of(errno.raw_os_error()));
        assert!(says(rustix::io::Errno::NOSPC).contains("make room"));
        assert!(says(rustix::io::Errno::DQUOT).contains("make room"));
        assert!(says(rustix::io::Errno::ROFS).contains("be written again"));
        for errno in [rustix::io::Errno::ACCESS, rustix::io::Errno::NOTCONN] {
            assert!(says(errno).contains("when that is mended"), "{errno}");
        }
        assert!(advice_for("`.dropsheet` is missing").contains("when that is mended"));
    }
}
