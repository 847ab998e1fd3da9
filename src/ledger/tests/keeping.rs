//! Backups, the check of a ledger, and what is done about a damaged one.

use rusqlite::Connection;

use super::backups::minute;
use super::*;
use crate::ledger::record::{ClaimState, Seen};
use crate::ledger::{AttemptEnd, Damage, Reader, backup, holder, move_damaged_aside};

/// Orders in several states: created, found after it was lost, unresolved, refused, held.
fn filled() -> Book {
    let book = Book::new();
    for id in ["1001", "1002", "1003", "1004"] {
        let (new, seen) = (
            book.new_order(id),
            Seen {
                pw_order_id: "PW2".to_owned(),
                ..Seen::default()
            },
        );
        let name = id.to_owned();
        book.write(move |store| {
            let id = store.intend(&new, &at(1))?;
            match name.as_str() {
                "1001" => store.answered(id, "PW1", None, &at(2)),
                "1002" => {
                    store.lost(id, (AttemptEnd::Unknown, "no answer"), None, &at(2))?;
                    store.found(id, &seen, 0, &at(3))
                }
                "1003" => store.lost(id, (AttemptEnd::Crashed, "killed"), None, &at(2)),
                _ => store.refused(id, "no", None, &at(2)).map(drop),
            }
        })
        .unwrap();
    }
    book
}

/// Changes the ledger behind its back, as a disk, a bug or a person would.
fn meddle(book: &Book, sql: &str) {
    let db = Connection::open(book.ledger.path()).unwrap();
    db.execute_batch(&format!("PRAGMA foreign_keys = OFF; {sql}"))
        .unwrap();
}

fn flaws(book: &Book) -> Vec<(Damage, String)> {
    let found = Reader::open(book.ledger.path())
        .unwrap()
        .read(|store| store.verify())
        .unwrap();
    found.into_iter().map(|flaw| (flaw.damage, flaw.what)).collect()
}

#[test]
fn a_ledger_that_was_only_written_by_its_own_operations_is_sound() {
    assert_eq!(flaws(&Book::new()), []);
    assert_eq!(flaws(&filled()), []);
}

#[test]
fn what_was_changed_behind_its_back_is_found() {
    for (sql, damage, words) in [
        (
            "UPDATE orders SET state = 'held' WHERE order_id = '1001'",
            Damage::State,
            "order `1001` is `held`, but its events end with `created`",
        ),
        (
            "DELETE FROM event WHERE order_id = 1 AND new = 'sending'",
            Damage::State,
            "order `1001` has an event from `sending` to `created` while it was `new`",
        ),
        (
            "UPDATE event SET new = 'canceled' WHERE order_id = 3 AND old = 'sending';
             UPDATE orders SET state = 'canceled' WHERE id = 3",
            Damage::State,
            "order `1003` has an event from `sending` to `canceled`",
        ),
        (
            "UPDATE orders SET pw_order_id = NULL WHERE id = 1",
            Damage::Fate,
            "order `1001` is `created`, but the service's id is missing",
        ),
        (
            "DELETE FROM absence",
            Damage::Fate,
            "order `1003` is `unresolved`, but nothing is known of its wait",
        ),
        (
            "DELETE FROM content",
            Damage::Fate,
            "order `1003` may have to be sent, but its content is missing",
        ),
        (
            "UPDATE attempt SET answer = NULL WHERE order_id = 1",
            Damage::Attempts,
            "order `1001` has a create under way",
        ),
        (
            "UPDATE orders SET unanswered = 0",
            Damage::Attempts,
            "order `1002` has another number of creates without an answer",
        ),
        (
            "UPDATE tally SET orders = orders + 1 WHERE state = 'refused'",
            Damage::State,
            "order `1004` has a state that is counted otherwise",
        ),
        (
            "DELETE FROM claim",
            Damage::PointsNowhere,
            "4 rows of `orders` point to rows of `claim` that are not there",
        ),
        (
            "DROP INDEX orders_claim; CREATE INDEX orders_claim ON orders (id);
             PRAGMA writable_schema = ON;
             UPDATE sqlite_schema SET sql = 'CREATE INDEX orders_claim ON orders (claim_id)' WHERE name = 'orders_claim'",
            Damage::File,
            "orders_claim",
        ),
    ] {
        let book = filled();
        meddle(&book, sql);
        let found = flaws(&book);
        let told = found
            .iter()
            .any(|(kind, what)| *kind == damage && what.contains(words));
        assert!(told, "{sql}: {found:?}");
    }
}

#[test]
fn a_backup_is_the_ledger_at_its_moment_in_one_file() {
    let book = filled();
    let made = backup::make(book.ledger.path(), &minute(0)).unwrap();
    assert_eq!(
        made.parent().unwrap(),
        book.folder.path().join("ledger.db.backups"),
        "{made:?}"
    );
    let later = book.new_order("2001");
    book.write(move |store| store.intend(&later, &at(9)).map(drop))
        .unwrap();
    let names: Vec<_> = std::fs::read_dir(made.parent().unwrap()).unwrap().collect();
    assert_eq!(names.len(), 1, "no log, nothing unfinished: {names:?}");
    let copy = Ledger::open(&made, "a test").unwrap();
    assert_eq!(copy.id(), book.ledger.id());
    let of = |ledger: &Ledger, id: &str| ledger.read(|store| store.find_order(book.account, id)).unwrap();
    assert!(of(&copy, "1003").is_some() && of(&copy, "2001").is_none());
    assert!(of(&book.ledger, "2001").is_some());
}

#[test]
fn a_damaged_ledger_gives_no_backup_and_loses_none() {
    let book = filled();
    let (path, folder) = (book.ledger.path().to_owned(), backup::folder(book.ledger.path()));
    backup::make(&path, &minute(0)).unwrap();
    meddle(
        &book,
        "DROP INDEX orders_claim; CREATE INDEX orders_claim ON orders (id);
         PRAGMA writable_schema = ON;
         UPDATE sqlite_schema SET sql = 'CREATE INDEX orders_claim ON orders (claim_id)' WHERE name = 'orders_claim'",
    );
    let error = backup::make(&path, &minute(1)).unwrap_err();
    assert!(error.to_string().contains("was not kept"), "{error}");
    assert_eq!(std::fs::read_dir(folder).unwrap().count(), 1);
}

#[test]
fn a_ledger_of_an_older_version_is_kept_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ledger.db");
    let db = Connection::open(&path).unwrap();
    db.execute_batch(crate::ledger::schema::MIGRATIONS[0]).unwrap();
    db.execute_batch(
        "INSERT INTO meta VALUES ('ledger_id', 'a1'); PRAGMA user_version = 1;
         INSERT INTO account (id, name, base_url, email) VALUES (1, 'main', 'https://a', 'a@example.com');
         INSERT INTO claim VALUES (1, 1, 'main', 'send', '', '', 's', '', '', 0, 'done', 0, 0, NULL, NULL, NULL, NULL);
         INSERT INTO orders (id, account_id, order_id, inbox, sheet_order_id, state, came_from, claim_id, fingerprint,
                             field_hashes, signature, country_code, pw_order_id, sends, unanswered, changed_at)
             VALUES (1, 1, '1001', 'main', '1001', 'created', 'new', 1, '', '[]', '{\"items\":{},\"country\":null}', 'US',
                     'PW1', 2, 1, 5);
         INSERT INTO attempt VALUES (1, 1, 3, 'b', 3, 4, 'b', 4, NULL, 'unknown');
         INSERT INTO attempt VALUES (1, 2, 5, 'b', 5, 6, 'b', 6, NULL, 'created');",
    )
    .unwrap();
    drop(db);
    let ledger = Ledger::open(&path, "a test").unwrap();
    let open = ledger.read(|store| store.open_audits(AccountRef(1))).unwrap();
    assert_eq!(open.len(), 1, "what had no answer before is audited too");
    let newest = folder.path().join("ledger.db.backups").join(format!(
        "ledger-before-version-{}.db",
        crate::ledger::schema::MIGRATIONS.len()
    ));
    let version: i64 = Connection::open(newest)
        .unwrap()
        .pragma_query_value(None, "user_version", |row| row.get(0))
        .unwrap();
    assert_eq!(version, 1);
}

#[test]
fn a_ledger_that_cannot_be_brought_up_to_date_is_kept_once_however_often_it_is_tried() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ledger.db");
    let meddle = |sql: &str| Connection::open(&path).unwrap().execute_batch(sql).unwrap();
    for migration in &crate::ledger::schema::MIGRATIONS[..1] {
        meddle(migration);
    }
    // The next one makes a table of this name.
    meddle("CREATE TABLE audit (any TEXT) STRICT; PRAGMA user_version = 1;");
    let kept = || std::fs::read_dir(backup::folder(&path)).unwrap().count();
    for _start in 0..3 {
        assert!(Ledger::open(&path, "a test").is_err());
        assert_eq!(kept(), 1);
    }
    meddle("INSERT INTO audit VALUES ('what was written since')");
    assert!(Ledger::open(&path, "a test").is_err());
    assert_eq!(kept(), 2, "as it is now it was not kept yet");
}

#[test]
fn two_paths_to_one_ledger_are_one_lock() {
    let book = Book::new();
    let folder = tempfile::tempdir().unwrap();
    let (link, chained) = (folder.path().join("link.db"), folder.path().join("chained.db"));
    std::os::unix::fs::symlink(book.ledger.path(), &link).unwrap();
    std::os::unix::fs::symlink("link.db", &chained).unwrap();
    let into = folder.path().join("folder");
    std::os::unix::fs::symlink(book.folder.path(), &into).unwrap();
    for path in [&link, &chained, &into.join("ledger.db")] {
        let error = Ledger::open(path, "another").map(drop).unwrap_err();
        assert!(matches!(error, LedgerError::Busy { .. }), "{path:?}: {error}");
        let name = holder(path).unwrap().map(|holder| holder.name);
        assert_eq!(name.as_deref(), Some("a test"), "{path:?}");
    }
}

#[test]
fn a_link_to_a_ledger_that_is_not_there_yet_is_locked_where_it_will_be() {
    let (here, there) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (link, place) = (here.path().join("ledger.db"), there.path().join("ledger.db"));
    std::os::unix::fs::symlink(&place, &link).unwrap();
    let ledger = Ledger::open(&link, "the first").unwrap();
    assert!(matches!(
        Ledger::open(&place, "the second").map(drop).unwrap_err(),
        LedgerError::Busy { .. }
    ));
    drop(ledger);
}

/// Damages a table's rows, which opening alone does not read.
fn damage(path: &std::path::Path) {
    use std::io::{Seek, SeekFrom, Write};
    let root: u32 = Connection::open(path)
        .unwrap()
        .query_row(
            "SELECT rootpage FROM sqlite_schema WHERE name = 'event'",
            [],
            |row| row.get(0),
        )
        .unwrap();
    let mut file = std::fs::File::options().write(true).open(path).unwrap();
    file.seek(SeekFrom::Start(u64::from(root - 1) * 4096)).unwrap();
    file.write_all(&[0xFF; 4096]).unwrap();
}

#[test]
fn after_an_end_that_was_not_in_order_the_whole_file_is_looked_through() {
    let book = filled();
    let path = book.ledger.path().to_owned();
    drop(book.ledger);
    damage(&path);
    Ledger::open(&path, "in order").unwrap();
    crate::files::write_over(&path.with_file_name("ledger.db.lock"), b"a killed one").unwrap();
    // Who is started again and again finds it each time.
    for _start in 0..2 {
        let error = Ledger::open(&path, "after a kill").map(drop).unwrap_err();
        assert!(matches!(error, LedgerError::Corrupt { .. }), "{error}");
        assert!(error.is_damage());
        assert!(error.to_string().contains("restore the newest backup"), "{error}");
    }
}

#[test]
fn the_lock_file_has_the_holder_s_name_alone_and_none_after_an_end_in_order() {
    let book = Book::new();
    let path = book.ledger.path().to_owned();
    drop(book.ledger);
    let lock = path.with_file_name("ledger.db.lock");
    let name = || std::fs::read_to_string(&lock).unwrap();
    assert_eq!(name(), "");
    crate::files::write_over(&lock, b"one whose name is longer").unwrap();
    let ledger = Ledger::open(&path, "a test").unwrap();
    assert_eq!(name(), "a test");
    drop(ledger);
    assert_eq!(name(), "");
}

#[test]
fn a_damaged_ledger_is_moved_aside_whole_and_a_sound_one_is_left() {
    let book = filled();
    let path = book.ledger.path().to_owned();
    assert!(matches!(
        move_damaged_aside(&path, "a test").unwrap_err(),
        LedgerError::Busy { .. }
    ));
    drop(book.ledger);
    assert_eq!(
        move_damaged_aside(&path, "a test").unwrap(),
        Vec::<std::path::PathBuf>::new()
    );
    damage(&path);
    let before = std::fs::read(&path).unwrap();
    let moved = move_damaged_aside(&path, "a test").unwrap();
    assert_eq!(std::fs::read(&moved[0]).unwrap(), before);
    assert!(!path.exists());
    crate::files::write_new(&path, b"no ledger at all, and a second time").unwrap();
    let again = move_damaged_aside(&path, "a test").unwrap();
    assert!(moved[0].exists() && again[0].exists() && moved[0] != again[0]);
}

fn begin_anew(ledger: &Ledger) {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(ledger.begin_anew(|_store| Ok(()))).unwrap();
}

#[test]
fn a_ledger_that_was_put_back_is_known_when_that_is_done_once_more_or_the_newer_one_comes_again() {
    let book = filled();
    let [sent, forgotten] = ["2001", "3001"].map(|id| book.new_order(id));
    let Book { ledger, folder, .. } = book;
    let path = ledger.path().to_owned();
    drop(ledger);
    let [old, newer] = ["old.db", "newer.db"].map(|name| folder.path().join(name));
    std::fs::copy(&path, &old).unwrap();
    let open = || Ledger::open(&path, "a test").unwrap();
    let put = |kept: &std::path::Path| {
        std::fs::copy(kept, &path).unwrap();
        open()
    };
    let send = |ledger: &Ledger, new: &NewOrder| {
        let new = new.clone();
        ledger
            .write_blocking(move |store| store.intend(&new, &at(5)).map(drop))
            .unwrap();
    };
    let ledger = open();
    send(&ledger, &sent);
    drop(ledger);
    std::fs::copy(&path, &newer).unwrap();
    let ledger = put(&old);
    assert!(ledger.is_behind().unwrap());
    begin_anew(&ledger);
    assert!(!ledger.is_behind().unwrap());
    send(&ledger, &forgotten);
    assert!(!ledger.is_behind().unwrap());
    drop(ledger);
    for kept in [&newer, &old] {
        let ledger = put(kept);
        assert!(ledger.is_behind().unwrap(), "{}", kept.display());
    }
}

#[test]
fn a_ledger_without_its_mark_is_behind_until_that_is_seen_to_and_a_new_one_is_not() {
    let book = filled();
    let path = book.ledger.path().to_owned();
    assert!(!book.ledger.is_behind().unwrap());
    drop(book.ledger);
    std::fs::remove_file(path.with_file_name("ledger.db.mark")).unwrap();
    // Whoever opens it first need not be who sees to it.
    drop(Ledger::open(&path, "a command").unwrap());
    let ledger = Ledger::open(&path, "a daemon").unwrap();
    assert!(ledger.is_behind().unwrap());
    begin_anew(&ledger);
    assert!(!ledger.is_behind().unwrap());
    let new = tempfile::tempdir().unwrap();
    let new = Ledger::open(&new.path().join("ledger.db"), "a new one").unwrap();
    assert!(!new.is_behind().unwrap());
}

#[test]
fn the_copy_of_a_sheet_is_kept_from_the_end_of_its_last_order_on() {
    let book = Book::new();
    let (new, claim) = (book.new_order("1001"), book.claim);
    let hash = book
        .ledger
        .read(|store| store.claim(claim))
        .unwrap()
        .unwrap()
        .new
        .hash;
    let minutes = |n: i64| at(n * 60_000);
    let approved = minutes(90);
    book.write(move |store| {
        store.set_claim_state(claim, ClaimState::Done)?;
        let id = store.intend(&new, &approved)?;
        store.answered(id, "PW1", None, &approved)
    })
    .unwrap();
    let is_needed = |since: i64| {
        let needed = book
            .ledger
            .read(|store| store.copy_is_needed(&hash, minutes(since).wall));
        needed.unwrap()
    };
    assert!(is_needed(60), "its order was made since");
    assert!(is_needed(90));
    assert!(!is_needed(91));
}
