//! Who may open a ledger, and which are refused.

use rusqlite::Connection;

use super::*;
use crate::files::network_kind;
use crate::ledger::schema::MIGRATIONS;
use crate::ledger::state::State;
use crate::ledger::{Obstacle, Reader, closed, holder, id_of, is_behind, move_damaged_aside};

#[test]
fn a_second_writer_is_told_who_the_first_is() {
    let book = Book::new();
    let path = book.ledger.path().to_owned();
    match Ledger::open(&path, "another").unwrap_err() {
        LedgerError::Busy { holder, .. } => assert_eq!(holder, "a test"),
        other => panic!("{other}"),
    }
    drop(book.ledger);
    Ledger::open(&path, "another").unwrap();
}

/// Writes something into a ledger; gives why that cannot be.
fn not_written(ledger: &Ledger) -> LedgerError {
    let write =
        ledger.write_blocking(|store| store.account("other", "https://api.example.com", "other@example.com"));
    write.unwrap_err()
}

#[test]
fn nothing_is_written_into_a_file_that_another_one_has_taken_the_place_of() {
    let book = Book::new();
    let (path, folder) = (book.ledger.path().to_owned(), book.folder.path());
    let copy = folder.join("yesterday.db");
    std::fs::copy(&path, &copy).unwrap();
    crate::files::move_new(&path, &folder.join("moved.db")).unwrap();
    crate::files::move_new(&copy, &path).unwrap();
    let error = not_written(&book.ledger);
    assert_eq!(error.trouble(), Some(Obstacle::Replaced), "{error}");
    let told = error.to_string();
    assert!(told.contains("another file is in the place of"), "{told}");
    assert!(matches!(not_written(&book.ledger), LedgerError::Failed { .. }));
}

#[test]
fn nothing_is_written_once_the_lock_file_is_gone_or_another_s() {
    for is_another in [false, true] {
        let book = Book::new();
        let path = book.ledger.path().to_owned();
        std::fs::remove_file(path.with_file_name("ledger.db.lock")).unwrap();
        let second = is_another.then(|| Ledger::open(&path, "another").unwrap());
        let error = not_written(&book.ledger);
        assert_eq!(error.trouble(), Some(Obstacle::Unlocked), "{error}");
        let told = error.to_string();
        assert!(told.contains("two programs may be at work"), "{told}");
        drop(second);
    }
}

#[test]
fn all_files_of_a_ledger_that_cannot_be_written_are_named_before_sqlite_makes_others() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ledger.db");
    drop(Ledger::open(&path, "a test").unwrap());
    // In the way of whoever asks, root too.
    for file in ["ledger.db-wal", "ledger.db-shm"] {
        let file = folder.path().join(file);
        drop(std::fs::remove_file(&file));
        std::os::unix::fs::symlink(&file, &file).unwrap();
    }
    let error = Ledger::open(&path, "a test").unwrap_err();
    assert!(matches!(&error, LedgerError::Closed { .. }), "{error:?}");
    let told = error.to_string();
    let closed = closed(&path);
    assert_eq!(closed.len(), 2, "{closed:?}");
    for (file, _why) in closed {
        assert!(told.contains(&file.display().to_string()), "{told}");
    }
}

#[test]
fn a_ledger_that_was_put_back_is_known_before_it_is_worked() {
    let book = Book::new();
    let path = book.ledger.path().to_owned();
    assert!(!is_behind(&path).unwrap(), "while it is worked");
    let mark = format!("{} {:>20}\n", book.ledger.id(), 1_000_000);
    drop(book.ledger);
    assert!(!is_behind(&path).unwrap());
    crate::files::write_over(&path.with_file_name("ledger.db.mark"), mark.as_bytes()).unwrap();
    assert!(is_behind(&path).unwrap());
}

#[test]
fn the_holder_is_known_while_it_works_and_no_longer() {
    let book = Book::new();
    let path = book.ledger.path().to_owned();
    assert_eq!(
        holder(&path).unwrap().map(|holder| holder.name).as_deref(),
        Some("a test")
    );
    drop(book.ledger);
    assert_eq!(
        holder(&path).unwrap(),
        None,
        "its lock file stays, its lock does not"
    );
    assert_eq!(holder(&book.folder.path().join("none.db")).unwrap(), None);
}

#[test]
fn a_reader_needs_no_lock_and_cannot_write() {
    let book = Book::new();
    let reader = Reader::open(book.ledger.path()).unwrap();
    assert_eq!(reader.id(), book.ledger.id());
    let written = reader.read(|store| store.account("other", "https://other.example.com", "b@example.com"));
    assert!(
        matches!(
            written,
            Err(LedgerError::Statement {
                operation: "write an account",
                ..
            })
        ),
        "{written:?}"
    );
}

#[test]
fn a_ledger_keeps_its_name() {
    let book = Book::new();
    let (path, id) = (book.ledger.path().to_owned(), book.ledger.id().to_owned());
    drop(book.ledger);
    assert_eq!(Ledger::open(&path, "again").unwrap().id(), id);
}

#[test]
fn where_there_is_none_a_reader_says_who_makes_it() {
    let folder = tempfile::tempdir().unwrap();
    let error = Reader::open(&folder.path().join("ledger.db")).unwrap_err();
    assert!(matches!(error, LedgerError::Missing { .. }));
    assert!(error.to_string().contains("`dropsheet run` makes it"));
}

#[test]
fn a_ledger_from_the_future_is_refused_with_what_to_do() {
    let book = Book::new();
    let path = book.ledger.path().to_owned();
    drop(book.ledger);
    Connection::open(&path)
        .unwrap()
        .pragma_update(None, "user_version", 99)
        .unwrap();
    for error in [
        Ledger::open(&path, "a test").map(drop).unwrap_err(),
        Reader::open(&path).map(drop).unwrap_err(),
    ] {
        assert!(matches!(error, LedgerError::Newer { version: 99, .. }), "{error}");
        assert!(error.to_string().contains("install the newer dropsheet"));
    }
}

#[test]
fn an_sqlite_file_that_is_no_ledger_is_damage_and_nothing_is_changed_in_it() {
    for (sql, is_ledger) in [
        (
            "CREATE TABLE product (sku TEXT); PRAGMA user_version = 27;",
            false,
        ),
        ("CREATE TABLE product (sku TEXT);", false),
        ("CREATE TABLE meta (key TEXT); PRAGMA user_version = 99;", false),
        ("PRAGMA user_version = 27;", false),
        // As a start leaves it that is killed before it has made its tables.
        ("CREATE TABLE gone (any TEXT); DROP TABLE gone;", true),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("ledger.db");
        Connection::open(&path).unwrap().execute_batch(sql).unwrap();
        let before = std::fs::read(&path).unwrap();
        let opened = Ledger::open(&path, "a test").map(drop);
        if is_ledger {
            opened.unwrap();
            continue;
        }
        let error = opened.unwrap_err();
        let read = Reader::open(&path).map(drop).unwrap_err();
        let named = id_of(&path).unwrap_err();
        for error in [error, read, named] {
            assert!(error.is_damage(), "{sql}: {error}");
            let told = error.to_string();
            assert!(
                told.contains("restore the newest backup, or run `dropsheet ledger rebuild`"),
                "{told}"
            );
        }
        assert_eq!(std::fs::read(&path).unwrap(), before, "{sql}");
        let moved = move_damaged_aside(&path, "a test").unwrap();
        assert_eq!(std::fs::read(&moved[0]).unwrap(), before, "{sql}");
    }
}

#[test]
fn a_ledger_of_an_older_version_is_read_once_it_is_brought_up_to_date() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ledger.db");
    let (_newest, older) = MIGRATIONS.split_last().unwrap();
    let db = Connection::open(&path).unwrap();
    for migration in older {
        db.execute_batch(migration).unwrap();
    }
    db.pragma_update(None, "user_version", i64::try_from(older.len()).unwrap())
        .unwrap();
    let name = "INSERT INTO meta (key, value) VALUES ('ledger_id', 'its-own-name')";
    db.execute_batch(name).unwrap();
    drop(db);
    let error = Reader::open(&path).map(drop).unwrap_err();
    assert!(matches!(error, LedgerError::Older { .. }), "{error}");
    assert!(error.to_string().contains("restart `dropsheet run`"));
    assert_eq!(id_of(&path).unwrap(), "its-own-name");
    drop(Ledger::open(&path, "a test").unwrap());
    assert_eq!(Reader::open(&path).unwrap().id(), "its-own-name");
}

#[test]
fn what_is_to_be_sent_and_what_differs_survive_the_move_into_tables_of_their_own() {
    let book = Book::new();
    let order = book.new_order("1001");
    let text = |value: &serde_json::Value| value.to_string();
    let content = text(&serde_json::to_value(&order.content).unwrap());
    let hashes = text(&serde_json::to_value(&order.fingerprint.fields).unwrap());
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ledger.db");
    let db = Connection::open(&path).unwrap();
    for migration in &MIGRATIONS[..16] {
        db.execute_batch(migration).unwrap();
    }
    db.execute_batch(
        "PRAGMA user_version = 16;
         INSERT INTO account (id, name, base_url, email) VALUES (1, 'main', 'https://a', 'a@example.com');
         INSERT INTO claim (id, account_id, inbox, purpose, place, sheet_name, stem, hash, stamp, taken_at, state)
             VALUES (1, 1, 'main', 'send', '', '', 's', '', '', 0, 'taken');",
    )
    .unwrap();
    let insert = "INSERT INTO orders (account_id, order_id, inbox, sheet_order_id, state, came_from, claim_id, fingerprint,
                                      field_hashes, content, signature, country_code, changed_at)
                  VALUES (1, ?1, 'main', ?1, ?2, 'new', 1, '1:a', ?3, ?4, '{\"items\":{},\"country\":null}', 'US', 5)";
    for (id, state, kept) in [("1001", "held", Some(&content)), ("1002", "created", None)] {
        db.execute(insert, rusqlite::params![id, state, hashes, kept])
            .unwrap();
    }
    drop(db);
    let ledger = Ledger::open(&path, "a test").unwrap();
    let of = |id: &str| {
        let found = ledger.read(|store| store.find_order(AccountRef(1), id));
        found.unwrap().unwrap()
    };
    let (held, created) = (of("1001"), of("1002"));
    assert_eq!(held.content, Some(order.content));
    assert_eq!(created.content, None);
    assert_eq!((&held.field_hashes, &created.field_hashes), (&hashes, &hashes));
    // What the triggers have counted is counted on.
    let now = at(9);
    ledger
        .write_blocking(move |store| store.ask_cancel(held.id, "a person", &now).map(drop))
        .unwrap();
    let counts = ledger.read(|store| store.orders_by_state()).unwrap();
    assert_eq!(counts.len(), 2, "{counts:?}");
    assert!(counts.contains(&(of("1001").state, 1)), "{counts:?}");
    assert!(counts.contains(&(State::Created, 1)), "{counts:?}");
}

#[test]
fn a_file_that_is_no_database_is_refused_and_left_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ledger.db");
    let garbage = b"order_id,item_sku\n1001,TEE-S\n".repeat(100);
    crate::files::write_new(&path, &garbage).unwrap();
    for error in [
        Ledger::open(&path, "a test").map(drop).unwrap_err(),
        Reader::open(&path).map(drop).unwrap_err(),
    ] {
        assert!(matches!(error, LedgerError::Open { .. }), "{error}");
        assert!(error.to_string().contains("restore the newest backup"));
    }
    assert_eq!(std::fs::read(&path).unwrap(), garbage);
}

#[test]
fn network_file_systems_are_told_from_local_ones() {
    for (magic, kind) in [
        (0x6969, Some("NFS")),
        (0xFF53_4D42, Some("SMB")),
        (0xFE53_4D42, Some("SMB")),
        (0x517B, Some("SMB")),
        (0x6573_5546, Some("FUSE")),
        (0x0102_1997, Some("9p")),
        (0x00C3_6400, Some("Ceph")),
        (0x5346_414F, Some("AFS")),
        (0xEF53, None),
        (0x9123_683E, None),
        (0x5846_5342, None),
        (0x0102_1994, None),
        (0x794C_7630, None),
    ] {
        assert_eq!(network_kind(magic), kind, "{magic:#x}");
    }
}

#[test]
fn one_account_has_one_name_and_one_identity() {
    let book = Book::new();
    let account = |name: &'static str, url: &'static str, email: &'static str| {
        book.write(move |store| store.account(name, url, email))
    };
    assert_eq!(
        account("main", "https://api.example.com", "shop@example.com").unwrap(),
        book.account
    );
    let new = book.new_order("1001");
    book.write(move |store| store.intend(&new, &at(1))).unwrap();
    let error = account("main", "https://api.example.com", "new@example.com").unwrap_err();
    assert!(matches!(error, LedgerError::OtherAccount { .. }), "{error}");
    assert!(
        error
            .to_string()
            .contains("shop@example.com at https://api.example.com in this ledger")
    );
    let error = account("renamed", "https://api.example.com", "shop@example.com").unwrap_err();
    assert!(
        matches!(&error, LedgerError::RenamedAccount { known, .. } if known == "main"),
        "{error}"
    );
    // As the config has it: an e-mail in other letters is no other one.
    let written = account("main", "https://api.example.com", "Shop@Example.com").unwrap();
    assert_eq!(written, book.account);
    let error = account("renamed", "https://api.example.com", "Shop@Example.com").unwrap_err();
    assert!(matches!(error, LedgerError::RenamedAccount { .. }), "{error}");
    let known = book.ledger.read(accounts).unwrap();
    assert_eq!(known, [(book.account, "main".to_owned())], "nothing was written");
}

#[test]
fn an_account_that_was_never_reached_takes_the_identity_that_is_corrected_in_the_config() {
    let book = Book::new();
    let account = |name: &'static str, url: &'static str, email: &'static str| {
        book.write(move |store| store.account(name, url, email))
    };
    let real = "https://api.example.com";
    let typo = account("second", real, "shpo@example.com").unwrap();
    assert_eq!(
        account("second", "http://127.0.0.1:9", "two@example.com").unwrap(),
        typo
    );
    assert_eq!(account("second", real, "two@example.com").unwrap(), typo);
    // Another name for an account that is known stays refused.
    let error = account("second", real, "shop@example.com").unwrap_err();
    assert!(matches!(error, LedgerError::RenamedAccount { .. }), "{error}");
    let known = book
        .ledger
        .read(|store| store.find_account(real, "two@example.com"));
    assert_eq!(known.unwrap(), Some(typo));
    // As soon as its list was read, it is that account.
    book.write(move |store| store.set_walked(typo, at(1).wall, &at(1)))
        .unwrap();
    let error = account("second", real, "shpo@example.com").unwrap_err();
    assert!(matches!(error, LedgerError::OtherAccount { .. }), "{error}");
}

#[test]
fn a_file_seen_is_timed_anew_when_it_changes_or_the_machine_was_booted() {
    let book = Book::new();
    let sight = |stamp: &'static str, now: BootTime| {
        book.write(move |store| store.sight("/orders/inbox/a.csv", stamp, &now))
            .unwrap()
    };
    assert_eq!(sight("one", boot("b1", 10)), boot("b1", 10));
    assert_eq!(
        sight("one", boot("b1", 20)),
        boot("b1", 10),
        "unchanged: the first sight counts"
    );
    assert_eq!(sight("two", boot("b1", 30)), boot("b1", 30), "changed");
    assert_eq!(sight("two", boot("b2", 5)), boot("b2", 5), "another boot");
    assert_eq!(sight("two", boot("b2", 9)), boot("b2", 5));
}
