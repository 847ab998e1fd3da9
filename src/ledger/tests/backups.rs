//! Which backups are kept, and which is the newest.

use super::*;
use crate::ledger::backup;

pub(super) fn minute(n: i64) -> jiff::Zoned {
    at(n * 60_000).wall.to_zoned(jiff::tz::TimeZone::UTC)
}

#[test]
fn the_eldest_backups_go_and_what_a_person_has_put_there_stays() {
    let book = Book::new();
    let folder = backup::folder(book.ledger.path());
    std::fs::create_dir(&folder).unwrap();
    for name in [
        "ledger-before-version-2.db",
        "ledger-mine.db",
        ".dropsheet-x.db.tmp",
    ] {
        crate::files::write_new(&folder.join(name), b"").unwrap();
    }
    backup::sweep(book.ledger.path()).unwrap();
    let kept = i64::try_from(backup::KEPT).unwrap();
    for n in 0..kept + 3 {
        backup::make(book.ledger.path(), &minute(n)).unwrap();
    }
    let newest = backup::make(book.ledger.path(), &minute(kept + 2)).unwrap();
    assert!(
        newest.to_str().unwrap().ends_with("-2.db"),
        "the same minute again"
    );
    let now = minute(kept + 3);
    assert_eq!(backup::newest(book.ledger.path(), &now).unwrap(), Some(newest));
    let names = names(book.ledger.path());
    assert_eq!(names.len(), backup::KEPT + 2, "{names:?}");
    assert!(!names.contains(&format!("ledger-{}.db", minute(3).strftime("%Y-%m-%d_%H%M"))));
    assert!(names.contains(&"ledger-mine.db".to_owned()));
}

#[test]
fn backups_made_by_hand_never_cost_those_of_other_days() {
    let book = Book::new();
    let path = book.ledger.path();
    let day = 24 * 60;
    let days = i64::try_from(backup::KEPT).unwrap();
    for n in 0..days {
        backup::make(path, &minute(n * day)).unwrap();
    }
    for n in 1..=days + 2 {
        backup::make(path, &minute((days - 1) * day + n)).unwrap();
    }
    let name = |n| format!("ledger-{}.db", minute(n).strftime("%Y-%m-%d_%H%M"));
    let by_hand = (3..=days + 2).map(|n| name((days - 1) * day + n));
    let mut expected: Vec<String> = (0..days - 1).map(|n| name(n * day)).chain(by_hand).collect();
    expected.sort();
    assert_eq!(names(path), expected);
    // The next day ends the first one and its own by hand.
    backup::make(path, &minute(days * day)).unwrap();
    expected.retain(|kept| ![name(0), name((days - 1) * day + 3)].contains(kept));
    expected.push(name(days * day));
    assert_eq!(names(path), expected);
}

#[test]
fn a_clock_that_was_ahead_costs_no_backup_and_none_of_its_own_stays_the_newest() {
    let day = 24 * 60;
    let days = i64::try_from(backup::KEPT).unwrap();
    // Whether those of the clock that was ahead hold their numbers, and for how many days it was.
    for (is_numbered, ahead) in [(true, 1), (false, 1), (true, days + 2), (false, days + 2)] {
        let case = format!("{is_numbered}, {ahead}");
        let book = Book::new();
        let path = book.ledger.path();
        let name = |n| format!("ledger-{}.db", minute(n).strftime("%Y-%m-%d_%H%M"));
        backup::make(path, &minute(0)).unwrap();
        for n in 0..ahead {
            if is_numbered {
                backup::add(path, &minute((400 + n) * day)).unwrap();
            } else {
                let place = backup::folder(path).join(name((400 + n) * day));
                crate::files::write_new(&place, b"").unwrap();
            }
        }
        for n in 1..=days {
            let made = backup::make(path, &minute(n * day)).unwrap();
            assert!(made.is_file(), "{case}: {}", made.display());
            assert_eq!(
                backup::newest(path, &minute(n * day)).unwrap(),
                Some(made),
                "{case}"
            );
        }
        let mut expected: Vec<String> = (1..=days).map(|n| name(n * day)).collect();
        expected.extend((0..ahead).map(|n| name((400 + n) * day)));
        expected.sort();
        assert_eq!(names(path), expected, "{case}");
        // Set back, it removes nothing either.
        let made = backup::make(path, &minute(-1000 * day)).unwrap();
        assert_eq!(names(path).len(), expected.len() + 1, "{case}");
        assert_eq!(
            backup::newest(path, &minute(-1000 * day)).unwrap(),
            Some(made),
            "{case}"
        );
    }
}

/// The names of a ledger's backups, sorted.
fn names(ledger: &std::path::Path) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(backup::folder(ledger))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}
