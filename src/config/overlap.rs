//! Whether the folders of two inboxes overlap: then one would take the other's files, or its results for sheets. So it
//! is with a file of dropsheet's own in an inbox.

use std::path::{Component, Path, PathBuf};

/// How the folder of one inbox, or a file, lies to the folder of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Overlap {
    /// They are one.
    Same,
    /// It lies in the other.
    Inside,
    /// The other lies in it.
    Around,
}

/// What an inbox has in its folder.
const FOLDERS: [&str; 10] = [
    "inbox",
    "try",
    "processing",
    "results",
    "held",
    "approved",
    "declined",
    "done",
    "rejected",
    "help",
];

/// How a folder or a file lies to a folder; none where they have nothing to do with each other.
pub(super) fn overlap(one: &Path, other: &Path) -> Option<Overlap> {
    let (one, other) = (resolved(one), resolved(other));
    if one == other {
        Some(Overlap::Same)
    } else if is_within(&one, &other) {
        Some(Overlap::Inside)
    } else if is_within(&other, &one) {
        Some(Overlap::Around)
    } else {
        None
    }
}

/// Whether a folder lies in one of those that an inbox has in its own. Beside them it is in nobody's way.
fn is_within(folder: &Path, inbox: &Path) -> bool {
    let beneath = folder.strip_prefix(inbox).ok();
    let first = beneath.and_then(|beneath| beneath.components().next());
    first.is_some_and(|part| {
        let name = part.as_os_str();
        FOLDERS.iter().any(|own| name.eq_ignore_ascii_case(own))
    })
}

/// Where a path leads: through links and `..` as far as it is there, and by its words from there on.
fn resolved(path: &Path) -> PathBuf {
    let parts: Vec<Component<'_>> = path.components().collect();
    for there in (1..=parts.len()).rev() {
        let (known, rest) = parts.split_at(there);
        let Ok(mut place) = known.iter().collect::<PathBuf>().canonicalize() else {
            continue;
        };
        for part in rest {
            match part {
                Component::ParentDir => {
                    place.pop();
                }
                Component::CurDir => {}
                Component::Normal(_) | Component::RootDir | Component::Prefix(_) => place.push(part),
            }
        }
        return place;
    }
    path.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folders_are_those_that_an_inbox_has() {
        assert_eq!(FOLDERS, crate::inbox::FOLDERS);
    }

    #[test]
    fn folders_overlap_where_one_is_the_other_or_lies_in_it() {
        for (one, other, expected) in [
            ("/srv/orders", "/srv/orders", Some(Overlap::Same)),
            ("/srv/orders", "/srv/x/../orders/", Some(Overlap::Same)),
            ("/srv/orders/inbox/b", "/srv/orders", Some(Overlap::Inside)),
            ("/srv/orders", "/srv/orders/inbox", Some(Overlap::Around)),
            ("/srv/orders", "/srv/orders/results/b/c", Some(Overlap::Around)),
            ("/srv/orders", "/srv/orders/etsy", None),
            ("/srv/orders", "/srv/orders-b", None),
            ("/srv/a", "/srv/b", None),
            ("/srv/orders/../b", "/srv/orders", None),
        ] {
            assert_eq!(
                overlap(Path::new(one), Path::new(other)),
                expected,
                "{one} {other}"
            );
        }
    }

    #[test]
    fn a_link_leads_where_it_leads() {
        let root = tempfile::tempdir().unwrap();
        let orders = root.path().join("orders");
        std::fs::create_dir(&orders).unwrap();
        let link = root.path().join("link");
        std::os::unix::fs::symlink(&orders, &link).unwrap();
        assert_eq!(overlap(&link, &orders), Some(Overlap::Same));
        assert_eq!(overlap(&link.join("done/deep"), &orders), Some(Overlap::Inside));
    }
}
