//! Why a person is asked, and what an event tells: kept under a name of its own, in ledgers from before as well, and decided
//! by alone.

use rusqlite::{Connection, params};

use super::*;
use crate::ledger::record::{AtLook, ResendIntent};
use crate::ledger::schema::MIGRATIONS;
use crate::ledger::state::State;
use crate::reconcile::{AlikeOrder, Reason};

/// How many migrations a ledger has had that keeps the reasons as words.
const IN_WORDS: usize = 29;

/// How many one has had that keeps what an event tells as words.
const TOLD_IN_WORDS: usize = 30;

/// A ledger of an earlier version, with an account and a sheet.
fn of_version(version: usize) -> (tempfile::TempDir, Connection) {
    let folder = tempfile::tempdir().unwrap();
    let db = Connection::open(folder.path().join("ledger.db")).unwrap();
    for migration in &MIGRATIONS[..version] {
        db.execute_batch(migration).unwrap();
    }
    db.pragma_update(None, "user_version", i64::try_from(version).unwrap())
        .unwrap();
    db.execute_batch(
        "INSERT INTO account (id, name, base_url, email) VALUES (1, 'main', 'https://a', 'a@example.com');
         INSERT INTO claim (id, account_id, inbox, purpose, place, sheet_name, stem, hash, stamp, taken_at, state)
             VALUES (1, 1, 'main', 'send', '', '', 's', '', '', 0, 'taken');",
    )
    .unwrap();
    (folder, db)
}

/// Puts an order into it as it was kept.
fn put(db: &Connection, id: i64, state: &str, (pw_order_id, note): (Option<&str>, &str)) {
    let sql = "INSERT INTO orders (id, account_id, order_id, inbox, sheet_order_id, state, came_from, claim_id, fingerprint,
                                   signature, country_code, changed_at, pw_order_id, note)
               VALUES (?1, 1, ?1, 'main', ?1, ?2, 'new', 1, '1:a', '{\"items\":{},\"country\":null}', 'US', 5, ?3, ?4)";
    db.execute(sql, params![id, state, pw_order_id, note]).unwrap();
    let sql = "INSERT INTO attempt (order_id, number, intended_at, intended_boot_id, intended_boot) VALUES (?1, 1, 0, 'b', 0)";
    db.execute(sql, [id]).unwrap();
}

/// Opened by this version, which brings it up to date.
fn opened(folder: &tempfile::TempDir, db: Connection) -> Ledger {
    drop(db);
    Ledger::open(&folder.path().join("ledger.db"), "a test").unwrap()
}

fn money(text: &str) -> Money {
    text.parse().unwrap()
}

/// What an earlier version asked, of the order 7; what it said that was about; and the reason.
type Asked = (&'static str, Option<&'static str>, Reason);

const PRESENCE: Option<&str> = Some("\"presence\"");

fn sentences() -> Vec<Asked> {
    let kept_no_kind = None;
    vec![
        (
            "the service has an order of this id with other content or from an earlier time",
            PRESENCE,
            Reason::OtherContent,
        ),
        (
            "it was sent twice without an answer and is not at the service",
            kept_no_kind,
            Reason::AbsentTwice,
        ),
        (
            "the service's list does not show orders that the service has confirmed, so that it tells nothing of this one: ask the print service whether it is there",
            PRESENCE,
            Reason::DeadList,
        ),
        (
            "the service's list has an order without an id, or without a name and with the same content, that may be this one, or is not whole, so that it tells nothing of it: ask the print service whether it is there",
            PRESENCE,
            Reason::UnreadableList,
        ),
        (
            "it is not at the service, and `resend` is \"never\"",
            PRESENCE,
            Reason::NeverResend,
        ),
        (
            "the service answered with an id, but named another order: see there whether it is this one",
            PRESENCE,
            Reason::Contradicted,
        ),
        (
            "it is not at the service, and the shop has canceled it, or a line of it, since, or a sheet marks it so; `dropsheet orders resolve 7 --abandon` gives it up, `--resend` sends it all the same",
            Some("\"shop\""),
            Reason::CanceledInShop,
        ),
    ]
}

fn with_words_of_the_service() -> Vec<Asked> {
    let unpriced = Some("\"unpriced\"");
    let words = |text: &str| text.to_owned();
    let alike = AlikeOrder {
        pw_order_id: words("PW-1"),
        order_name: words("#7 (`b`)"),
    };
    vec![
        (
            "no answer came when it was sent first, it is not at the service, and when it was sent again the service refused it: “no “TEE” here”",
            PRESENCE,
            Reason::RefusedAgain {
                words: words("no “TEE” here"),
            },
        ),
        (
            "it was sent twice and is not at the service, and the last answer proves nothing: HTTP 402, “Zürich”",
            PRESENCE,
            Reason::DoubtedTwice {
                answer: words("HTTP 402, “Zürich”"),
            },
        ),
        (
            "the service has an order with the same content whose id is written in another way",
            PRESENCE,
            Reason::Alike { one: None },
        ),
        (
            "the service has an order with the same content whose id is written in another way: PW-1 (`#7 (`b`)`)",
            PRESENCE,
            Reason::Alike { one: Some(alike) },
        ),
        (
            "it is not at the service, which answers, and gives no price for it: HTTP 500: \"oops\"",
            unpriced,
            Reason::Unpriced {
                words: words("HTTP 500: \"oops\""),
            },
        ),
        (
            "it is not at the service, which refuses to price it now: no such SKU",
            unpriced,
            Reason::PriceRefused {
                words: words("no such SKU"),
            },
        ),
    ]
}

fn prices_and_what_is_not_known() -> Vec<Asked> {
    let price = |total: &str, agreed: Option<&str>, limit: Option<&str>| Reason::Price {
        total: money(total),
        agreed: agreed.map(money),
        limit: limit.map(money),
    };
    let earlier = |words: &str, is_absent| Reason::Earlier {
        words: words.to_owned(),
        is_absent,
    };
    let about_price = Some("\"price\"");
    vec![
        (
            "it is not at the service, and its price has risen from 13.00 to 14.50 since it was sent; `dropsheet orders resolve 7 --resend` sends it at that, `--abandon` gives it up",
            about_price,
            price("14.50", Some("13.00"), None),
        ),
        (
            "it is not at the service, and its price has fallen from 13.00 to -1.00 since it was sent, with which the day comes over its limit of 50.00; `dropsheet orders resolve 7 --resend` sends it all the same, `--abandon` gives it up",
            about_price,
            price("-1.00", Some("13.00"), Some("50")),
        ),
        (
            "it is not at the service, and sent again at 14.00 the day comes over its limit of 50.00; `dropsheet orders resolve 7 --resend` sends it all the same, `--abandon` gives it up",
            about_price,
            price("14.00", None, Some("50")),
        ),
        (
            "it is not at the service, and its price has risen from much to more since it was sent; ask",
            about_price,
            earlier(
                "it is not at the service, and its price has risen from much to more since it was sent; ask",
                true,
            ),
        ),
        ("nobody knows", PRESENCE, earlier("nobody knows", false)),
    ]
}

#[test]
fn what_earlier_versions_asked_in_words_are_reasons_with_the_same_words() {
    let all = [
        sentences(),
        with_words_of_the_service(),
        prices_and_what_is_not_known(),
    ];
    for (words, about, reason) in all.into_iter().flatten() {
        let (folder, db) = of_version(IN_WORDS);
        put(&db, 7, "unresolved", (None, words));
        let sql = "INSERT INTO absence (order_id, since_boot_id, since_boot, person, about) VALUES (7, 'b', 0, ?1, ?2)";
        db.execute(sql, params![words, about]).unwrap();
        let ledger = opened(&folder, db);
        let id = OrderRef(7);
        let order = ledger.read(|store| store.order(id)).unwrap().unwrap();
        let absence = ledger.read(|store| store.absence(id)).unwrap().unwrap();
        assert_eq!(order.noted(), words);
        assert_eq!((order.note.as_str(), order.reason), ("", Some(reason.clone())));
        assert_eq!(absence.asked, Some(reason));
    }
}

#[test]
fn of_the_notes_of_an_earlier_version_only_those_that_ask_a_person_are_reasons() {
    let forgotten = "the service does not know it any more, so that a request it has not confirmed may have canceled it: “no such order”";
    let given_away = "the service does not know it any more, and has given its id to another order: `NEW`";
    let unknown = Reason::UnknownThere {
        words: "no such order".to_owned(),
    };
    let given = Reason::GivenAway { to: "NEW".to_owned() };
    let twice = "it was sent twice without an answer and is not at the service";
    let cases = [
        ("canceling", Some("PW1"), forgotten, Some(unknown)),
        ("canceling", Some("PW2"), given_away, Some(given)),
        ("canceling", Some("PW3"), "it is printed", None),
        ("canceling", None, twice, Some(Reason::AbsentTwice)),
        ("sending", None, twice, Some(Reason::AbsentTwice)),
        ("refused", None, twice, None),
        ("created", Some("PW4"), forgotten, None),
        ("unresolved", None, "", None),
    ];
    let (folder, db) = of_version(IN_WORDS);
    for (id, (state, pw_order_id, note, _reason)) in (1..).zip(&cases) {
        put(&db, id, state, (*pw_order_id, note));
    }
    let ledger = opened(&folder, db);
    for (id, (state, _pw_order_id, note, reason)) in (1..).zip(cases) {
        let order = ledger.read(|store| store.order(OrderRef(id))).unwrap().unwrap();
        assert_eq!(order.noted(), note, "{state}");
        assert_eq!(order.reason, reason, "{state} {note}");
        assert_eq!(order.note.is_empty(), order.reason.is_some() || note.is_empty());
    }
}

#[test]
fn a_question_ends_with_what_it_was_about() {
    let book = Book::new();
    let new = book.new_order("1001");
    let id = book
        .write(move |store| {
            let id = store.intend(&new, &at(1))?;
            store.lost(id, (crate::ledger::AttemptEnd::Unknown, "timeout"), None, &at(2))?;
            Ok(id)
        })
        .unwrap();
    let look = book.order(id).at_look();
    book.write(move |store| store.ask_person(look, &Reason::AbsentTwice))
        .unwrap();
    assert_eq!(book.order(id).reason, Some(Reason::AbsentTwice));
    book.write(move |store| store.ask_cancel(id, "a person", &at(3)).map(drop))
        .unwrap();
    let absence = book.ledger.read(|store| store.absence(id)).unwrap().unwrap();
    let order = book.order(id);
    assert_eq!(
        (order.state, order.reason, absence.asked),
        (State::Canceling, None, None)
    );
    let unknown = Reason::UnknownThere { words: String::new() };
    let asked = unknown.clone();
    book.write(move |store| store.cancel_is_undecided(id, &asked))
        .unwrap();
    assert_eq!(book.order(id).reason, Some(unknown));
    book.write(move |store| store.cancel_confirmed(id, "canceled", &at(4)))
        .unwrap();
    let order = book.order(id);
    assert_eq!((order.noted().as_ref(), &order.reason), ("canceled", &None));
}

/// Puts an event of an order into a ledger.
fn put_event(db: &Connection, (id, states): (i64, [&str; 2]), (tells, why): (Option<&str>, &str)) {
    let sql = "INSERT INTO event (order_id, at, claim_id, old, new, why) VALUES (?1, 5, 1, ?2, ?3, ?4)";
    let [old, new] = states;
    db.execute(sql, params![id, old, new, why]).unwrap();
    if tells.is_some() {
        let sql = "UPDATE event SET tells = ?1 WHERE id = last_insert_rowid()";
        db.execute(sql, [tells]).unwrap();
    }
}

#[test]
fn what_events_of_an_earlier_version_tell_in_words_is_told_on() {
    let (folder, db) = of_version(TOLD_IN_WORDS);
    let (refused, doubted) = (["sending", "refused"], ["sending", "unresolved"]);
    let after_all = ["refused", "created"];
    let trail = [
        (1, refused, "the service refused it: no “TEE”"),
        (2, doubted, "the answer to it proves nothing: HTTP 402"),
        (3, after_all, "the service has it after all, as PW3"),
        (4, after_all, "a person says so"),
        (5, doubted, "no answer came"),
    ];
    for (id, states, why) in trail {
        put(&db, id, states[1], (None, ""));
        put_event(&db, (id, states), (None, why));
    }
    let ledger = opened(&folder, db);
    let read = ledger.read(|store| {
        let (mut said, mut whys) = (Vec::new(), Vec::new());
        for id in (1..=5).map(OrderRef) {
            whys.extend(store.events(id)?.into_iter().map(|event| event.why()));
            said.push((store.last_refusal(id)?, store.last_doubted(id)?));
        }
        let there = store.there_after_all(Timestamp::UNIX_EPOCH, 10)?;
        let there: Vec<_> = there.into_iter().map(|(order, ..)| order.id.0).collect();
        Ok((whys, said, there))
    });
    let (whys, said, there) = read.unwrap();
    assert_eq!(whys, trail.map(|(_id, _states, why)| why));
    let none = (None, None);
    let refusal = (Some("no “TEE”".to_owned()), None);
    let answer = (None, Some("HTTP 402".to_owned()));
    assert_eq!(said, [refusal, answer, none.clone(), none.clone(), none]);
    assert_eq!(there, [3]);
}

#[test]
fn an_order_that_is_there_after_all_is_told_by_its_event_and_not_by_words() {
    let (folder, db) = of_version(MIGRATIONS.len());
    let states = ["refused", "created"];
    for (id, tells, why) in [
        (1, Some("after-all"), "in any words"),
        (2, None, "the service has it after all, as PW2"),
    ] {
        put(&db, id, "created", (Some("PW"), ""));
        put_event(&db, (id, states), (tells, why));
    }
    let ledger = opened(&folder, db);
    let there = ledger.read(|store| store.there_after_all(Timestamp::UNIX_EPOCH, 10));
    let there = there.unwrap().into_iter().map(|(order, ..)| order.id.0);
    assert_eq!(there.collect::<Vec<_>>(), [1]);
}

#[test]
fn what_the_latest_create_came_to_is_told_by_its_event_and_not_by_words() {
    let (folder, db) = of_version(MIGRATIONS.len());
    let states = ["sending", "unresolved"];
    for (id, tells, why) in [
        (1, Some("refused"), "in any words"),
        (2, Some("doubted"), "in any words"),
        (3, None, "the service refused it: no"),
        (4, None, "the answer to it proves nothing: none"),
    ] {
        put(&db, id, "unresolved", (None, ""));
        put_event(&db, (id, states), (tells, why));
    }
    let ledger = opened(&folder, db);
    let said = |id| {
        let read = ledger.read(|store| {
            Ok((
                store.last_refusal(OrderRef(id))?,
                store.last_doubted(OrderRef(id))?,
            ))
        });
        read.unwrap()
    };
    let words = Some("in any words".to_owned());
    assert_eq!(
        (1..=4).map(said).collect::<Vec<_>>(),
        [(words.clone(), None), (None, words), (None, None), (None, None)]
    );
}

#[test]
fn what_a_finding_is_is_its_code_however_the_findings_are_written() {
    let (folder, db) = of_version(MIGRATIONS.len());
    db.execute("UPDATE claim SET state = 'done', taken_at = 5", [])
        .unwrap();
    let sql = "INSERT INTO outcome (claim_id, first_row, status, order_id, message, findings)
               VALUES (1, ?1, 'changed', ?1, '', ?2)";
    for (row, findings) in [
        (
            2,
            r#"[{"code" : "unread-tab"}, {"message":"x", "code" : "canceled-in-shop"}]"#,
        ),
        (3, r#"[{"code":"known-order","message":"canceled-in-shop"}]"#),
        (
            4,
            r#"[{"code":"known-order","about":{"code":"canceled-in-shop"}}]"#,
        ),
        (5, "[]"),
    ] {
        db.execute(sql, params![row, findings]).unwrap();
    }
    let ledger = opened(&folder, db);
    let read = ledger.read(|store| {
        let since = Timestamp::UNIX_EPOCH;
        Ok((
            store.canceled_in_shop(since, 10)?,
            store.sheets_with_unread_tabs(since)?,
        ))
    });
    let (in_shop, unread) = read.unwrap();
    let in_shop: Vec<_> = in_shop.into_iter().map(|one| one.order_id).collect();
    assert_eq!(in_shop, ["2"]);
    assert_eq!(unread.len(), 1);
}

#[test]
fn what_a_look_has_shown_is_written_of_an_order_alone_that_is_as_it_was_then() {
    let book = Book::new();
    let new = book.new_order("1001");
    let lose =
        |store: &Store<'_>, id| store.lost(id, (crate::ledger::AttemptEnd::Unknown, "timeout"), None, &at(2));
    let id = book
        .write(move |store| {
            let id = store.intend(&new, &at(1))?;
            lose(store, id)?;
            Ok(id)
        })
        .unwrap();
    let early = book.order(id).at_look();
    let again = ResendIntent {
        sends: 1,
        fingerprint: book.order(id).fingerprint,
        quote: None,
        day: None,
        is_let_pass: false,
        why: "a test",
    };
    let write_all = |look: AtLook| {
        book.write(move |store| {
            store.seen_absent(look, &at(5))?;
            store.set_lag(look, std::time::Duration::from_secs(1))?;
            store.date_wait(look, at(5).wall)?;
            store.ask_person(look, &Reason::AbsentTwice)
        })
        .unwrap();
        let absence = book.ledger.read(|store| store.absence(id)).unwrap().unwrap();
        let order = book.order(id);
        assert_eq!(absence.asked, order.reason);
        (
            absence.looks,
            absence.lag.is_some(),
            absence.since_service.is_some(),
            order.reason.is_some(),
        )
    };
    // It was sent once more meanwhile.
    book.write(move |store| {
        store.intend_resend(id, &again, &at(3))?;
        lose(store, id)
    })
    .unwrap();
    assert_eq!(write_all(early), (0, false, false, false));
    let look = book.order(id).at_look();
    assert_eq!(write_all(look), (1, true, true, true));
    let now = at(6);
    let since = || {
        book.ledger
            .read(|store| store.absence(id))
            .unwrap()
            .unwrap()
            .since
    };
    book.write(move |store| store.restart_wait(early, None, &now))
        .unwrap();
    assert_eq!(since(), at(2).boot);
    // A person has given it up meanwhile.
    book.write(move |store| {
        store.ask_person(look, &Reason::NeverResend)?;
        store.abandon(id, &at(7))?;
        store.ask_person(look, &Reason::AbsentTwice)
    })
    .unwrap();
    assert_eq!(book.order(id).reason, Some(Reason::NeverResend));
}
