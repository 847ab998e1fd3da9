//! What the service says of an order that it has.

use super::*;
use crate::ledger::record::{ParcelRecord, Seen};
use crate::ledger::state::State;
use crate::quote::ServiceAmounts;
use crate::reconcile::Reason;

fn created(book: &Book, order_id: &str) -> OrderRef {
    let new = book.new_order(order_id);
    let pw = format!("PW-{order_id}");
    let create = move |store: &Store<'_>| {
        let id = store.intend(&new, &at(1))?;
        store.answered(id, &pw, None, &at(2))?;
        Ok(id)
    };
    book.write(create).unwrap()
}

/// What is new where the service shows these trackings of an order.
fn told(book: &Book, id: OrderRef, trackings: &str, now: i64) -> Option<String> {
    let seen = Seen {
        order_status: Some("fulfilled".to_owned()),
        trackings: Some(trackings.to_owned()),
        ..Seen::default()
    };
    book.write(move |store| store.see(id, &seen, &at(now))).unwrap()
}

#[test]
fn an_account_is_new_until_an_order_of_it_is_known_unless_the_ledger_has_forgotten() {
    let is_new = |book: &Book| {
        let read = book.ledger.read(|store| store.knows_no_order(book.account));
        read.unwrap()
    };
    let book = Book::new();
    let new = book.new_order("1000");
    book.write(move |store| store.intend(&new, &at(1)).map(drop))
        .unwrap();
    assert!(is_new(&book), "one without an answer may not be there");
    created(&book, "1001");
    assert!(!is_new(&book));
    let lost = Book::new();
    lost.write(|store| store.begin_rebuilding()).unwrap();
    assert!(!is_new(&lost), "another was in its place");
    lost.write(|store| store.end_rebuilding()).unwrap();
    assert!(is_new(&lost));
    let forgetful = Book::new();
    assert!(is_new(&forgetful));
    forgetful
        .write(|store| store.begin_recall("orders", None))
        .unwrap();
    assert!(!is_new(&forgetful));
}

#[test]
fn an_order_is_to_have_news_until_a_parcel_of_it_can_be_followed() {
    let book = Book::new();
    let id = created(&book, "1001");
    let is_watched = || {
        let watched = book.ledger.read(|store| store.watched(book.account, at(0).wall));
        !watched.unwrap().is_empty()
    };
    let placeholders = [
        "[{}]",
        "[null]",
        r#"[{"tracking_number":null}]"#,
        r#"[{"status":"label pending"}]"#,
    ];
    for (now, trackings) in (10..).zip(placeholders) {
        told(&book, id, trackings, now);
        assert!(is_watched(), "{trackings}");
    }
    told(&book, id, r#"[{"tracking_number":"TRK1"}]"#, 20);
    assert!(!is_watched());
    let id = created(&book, "1002");
    assert!(is_watched());
    told(&book, id, r#"["https://t.example.com/2"]"#, 30);
    assert!(!is_watched());
}

#[test]
fn what_stands_beside_a_tracking_and_is_another_each_time_is_no_news() {
    let book = Book::new();
    let id = created(&book, "1001");
    let news = |trackings: &str, now: i64| told(&book, id, trackings, now);
    assert!(news(r#"[{"number":"TRK1","seen":1}]"#, 10).is_some());
    assert_eq!(news(r#"[{"number":"TRK1","seen":2}]"#, 20), None);
    assert_eq!(
        news(r#"[{"number":"TRK2","seen":3}]"#, 30).as_deref(),
        Some("tracking TRK1 → TRK2")
    );
}

#[test]
fn trackings_without_a_number_are_kept_as_they_came_last_and_told_once_for_each_of_their_words() {
    let book = Book::new();
    let id = created(&book, "1001");
    let news = |trackings: &str, now: i64| {
        let told = told(&book, id, trackings, now);
        let order = book.ledger.read(|store| store.order(id)).unwrap().unwrap();
        assert_eq!(order.trackings.as_deref(), Some(trackings));
        told
    };
    let label = r#"[{"status":"label created","at":"09:14"}]"#;
    assert!(news(label, 10).is_some());
    assert_eq!(
        news(r#"[{"status":"in transit","at":"09:15"}]"#, 20).as_deref(),
        Some(r#"tracking {"at":"09:14","status":"label created"} → {"at":"09:15","status":"in transit"}"#)
    );
    // It comes and goes between two answers, and its figures are others each time.
    for now in 30..40 {
        let label = format!(r#"[{{"status":"label created","at":"10:{now}"}}]"#);
        assert_eq!(news(&label, now), None);
        assert_eq!(news(r#"[{"status":"in transit","at":"10:15"}]"#, now), None);
    }
    assert!(news(r#"[{"status":"delivered","at":"11:00"}]"#, 50).is_some());
    // Words that are others with each answer are told for a while only.
    let told = ('a'..='z').filter(|mark| news(&format!(r#"["to {mark}{mark}"]"#), 60).is_some());
    assert_eq!(told.count(), 17);
    assert_eq!(
        news(r#"[{"number":"TRK1"}]"#, 90).as_deref(),
        Some(r#"tracking "to zz" → TRK1"#)
    );
}

#[test]
fn the_days_of_a_canceled_order_are_read_and_it_is_told_whether_the_service_has_said_that_it_is_canceled() {
    let book = Book::new();
    let id = created(&book, "1001");
    let read = |since: i64| {
        let read = book
            .ledger
            .read(|store| store.lately_canceled(book.account, at(since).wall));
        read.unwrap()
    };
    // Of which the service has not said it yet.
    let lately = |since: i64| read(since).iter().filter(|order| !order.is_said).count();
    assert_eq!(lately(0), 0);
    book.write(move |store| {
        store.ask_cancel(id, "a test", &at(3))?;
        store.cancel_confirmed(id, "done", &at(4))
    })
    .unwrap();
    assert_eq!((lately(4), lately(5)), (1, 0));
    for (word, minute, unsaid) in [("waiting", 5, 1), ("in_production", 6, 1), ("canceled", 7, 0)] {
        let seen = Seen {
            order_status: Some(word.to_owned()),
            ..Seen::default()
        };
        book.write(move |store| store.see(id, &seen, &at(minute)).map(drop))
            .unwrap();
        assert_eq!(lately(0), unsaid, "{word}");
        assert_eq!(read(0).len(), 1, "{word}");
    }
    let new = book.new_order("1002");
    book.write(move |store| store.cancel_unsent(&new, "a test", &at(8)).map(drop))
        .unwrap();
    assert_eq!(lately(0), 0, "it was never sent");
    assert_eq!(read(0).len(), 1, "it was never sent");
}

/// What the service shows of the order of this name, under its own id.
fn shown(order_id: &str, word: &str) -> Seen {
    Seen {
        pw_order_id: format!("PW-{order_id}"),
        order_name: order_id.to_owned(),
        order_status: Some(word.to_owned()),
        ..Seen::default()
    }
}

#[test]
fn a_wished_cancel_ends_when_the_service_shows_all_of_the_order_as_canceled() {
    // What was shown before the cancel was asked for, what is shown then, and whether that ends it.
    for (before, word, ends) in [
        ("waiting", "canceled", true),
        ("waiting", "Cancelled, canceled", true),
        ("canceled", "canceled", true),
        ("waiting", "canceled, waiting", false),
        ("waiting", "cancel_requested", false),
        ("waiting", "in_production", false),
    ] {
        let book = Book::new();
        let id = created(&book, "1001");
        let see = |word: &str, minute: i64| {
            let seen = shown("1001", word);
            book.write(move |store| store.see(id, &seen, &at(minute)))
                .unwrap()
        };
        see(before, 3);
        book.write(move |store| {
            store.ask_cancel(id, "a test", &at(4))?;
            // An answer that was not believed.
            let words = "no such order".to_owned();
            store.cancel_is_undecided(id, &Reason::UnknownThere { words })
        })
        .unwrap();
        let told = see(word, 5);
        let order = book.order(id);
        let expected = if ends { State::Canceled } else { State::Canceling };
        assert_eq!(order.state, expected, "{before}, {word}");
        assert_eq!(order.reason.is_none(), ends, "nobody is asked any more: {word}");
        assert!(told.is_some(), "{before}, {word}");
        assert_eq!(see(word, 6), None, "it is told once: {word}");
        let flaws = book.ledger.read(|store| store.verify()).unwrap();
        assert_eq!(flaws, []);
    }
}

#[test]
fn what_is_shown_of_another_order_under_the_same_id_ends_no_cancel() {
    let book = Book::new();
    let (old, new) = (created(&book, "1001"), book.new_order("1002"));
    book.write(move |store| {
        let new = store.intend(&new, &at(3))?;
        store.answered(new, "PW-1001", None, &at(3))?;
        store.ask_cancel(old, "a test", &at(4)).map(drop)
    })
    .unwrap();
    let see = |name: &str, minute: i64| {
        let seen = Seen {
            order_name: name.to_owned(),
            ..shown("1001", "canceled")
        };
        book.write(move |store| store.see(old, &seen, &at(minute)).map(drop))
            .unwrap();
        book.order(old).state
    };
    assert_eq!(see("ANOTHER", 5), State::Canceling);
    assert_eq!(see("1001", 6), State::Canceled);
}

#[test]
fn what_is_remarkable_comes_before_mere_totals_and_the_newest_before_older() {
    let book = Book::new();
    let charged = |id: OrderRef, now: i64| {
        let seen = Seen {
            amounts: Some(ServiceAmounts::of_total(Money::from_hundredths(1310))),
            ..Seen::default()
        };
        book.write(move |store| store.see(id, &seen, &at(now)).map(drop))
            .unwrap();
    };
    let missing = created(&book, "1001");
    book.write(move |store| store.miss(missing, &at(5))).unwrap();
    for (id, now) in [("1002", 10), ("1003", 20), ("1004", 30)] {
        charged(created(&book, id), now);
    }
    let flagged = |since: i64, most: u32| -> Vec<String> {
        let orders = book
            .ledger
            .read(|store| store.flagged_orders(at(since).wall, most));
        orders.unwrap().into_iter().map(|order| order.order_id).collect()
    };
    assert_eq!(flagged(0, 10), ["1001", "1004", "1003", "1002"]);
    assert_eq!(flagged(0, 2), ["1001", "1004"]);
    assert_eq!(
        flagged(20, 10),
        ["1001", "1004", "1003"],
        "a total is told for a while"
    );
}

#[test]
fn a_day_lists_the_parcels_that_can_be_followed_as_of_when_they_could() {
    let book = Book::new();
    let id = created(&book, "1001");
    told(&book, id, r#"[{"status":"label pending"}]"#, 10);
    let moments = || book.ledger.read(|store| store.parcel_moments("main", at(0).wall));
    let known = || -> Vec<ParcelRecord> {
        let times = (at(0).wall, at(100).wall);
        book.ledger
            .read(|store| store.parcels_known("main", times))
            .unwrap()
    };
    assert_eq!((moments().unwrap(), known()), (vec![], vec![]));
    told(&book, id, r#"[{"tracking_number":"TRK1"}]"#, 20);
    assert_eq!(moments().unwrap(), [at(20).wall]);
    let numbers: Vec<_> = known().into_iter().map(|record| record.parcel.number).collect();
    assert_eq!(numbers, [Some("TRK1".to_owned())]);
    // A second one, on another day.
    told(
        &book,
        id,
        r#"[{"tracking_number":"TRK1"},{"tracking_number":"TRK2"}]"#,
        200,
    );
    let later = book
        .ledger
        .read(|store| store.parcels_known("main", (at(100).wall, at(300).wall)))
        .unwrap();
    assert_eq!(later.len(), 1);
    assert!(later[0].is_followed && !known()[0].is_followed);
    assert!(!known()[0].is_replaced && !later[0].is_replaced);
    // A third in the place of both.
    told(&book, id, r#"[{"tracking_number":"TRK3"}]"#, 400);
    let replaced = book
        .ledger
        .read(|store| store.parcels_known("main", (at(300).wall, at(500).wall)))
        .unwrap();
    assert!(!replaced[0].is_followed && !replaced[0].is_replaced);
    assert!(known()[0].is_replaced);
}
