//! One of the service's ids is one order's, whatever its creates were answered with.

use super::*;
use crate::ledger::record::{ListedRecord, Seen};
use crate::ledger::state::State;
use crate::ledger::{AttemptEnd, Flaw};
use crate::reconcile::{Addressee, Signature};

/// An order at the service as [`Book::new_order`] has it.
fn there(order_id: &str, pw_order_id: &str) -> ListedRecord {
    ListedRecord {
        order_id: order_id.to_owned(),
        pw_order_id: pw_order_id.to_owned(),
        signature: Signature::new([("TEE-S", 2)].into_iter(), Some("US")),
        zip: None,
        addressee: Addressee::default(),
        entered_at: Some(at(2).wall),
        canceled: None,
    }
}

fn seen(listed: &ListedRecord) -> Seen {
    Seen {
        pw_order_id: listed.pw_order_id.clone(),
        order_name: listed.order_id.clone(),
        entered_at: listed.entered_at,
        order_status: Some("waiting".to_owned()),
        ..Seen::default()
    }
}

fn lost(book: &Book, order_id: &str) -> OrderRef {
    let new = book.new_order(order_id);
    let lose = move |store: &Store<'_>| {
        let id = store.intend(&new, &at(1))?;
        store.lost(id, (AttemptEnd::Unknown, "no answer came"), None, &at(2))?;
        Ok(id)
    };
    book.write(lose).unwrap()
}

fn answered(book: &Book, order_id: &str, pw_order_id: &'static str) -> OrderRef {
    let (new, account) = (book.new_order(order_id), book.account);
    let answer = move |store: &Store<'_>| {
        let id = store.intend(&new, &at(1))?;
        assert!(store.made((id, account), pw_order_id, None, &at(2))?);
        Ok(id)
    };
    book.write(answer).unwrap()
}

fn found(book: &Book, id: OrderRef, listed: &ListedRecord) {
    let seen = seen(listed);
    book.write(move |store| store.found(id, &seen, 0, &at(4)))
        .unwrap();
}

fn shown(book: &Book, id: OrderRef, listed: &ListedRecord) {
    let seen = seen(listed);
    book.write(move |store| store.see(id, &seen, &at(3)).map(drop))
        .unwrap();
}

fn flaws(book: &Book) -> Vec<Flaw> {
    book.ledger.read(|store| store.verify()).unwrap()
}

/// An order's state, and the service's id of it.
fn stands(book: &Book, id: OrderRef) -> (State, Option<String>) {
    let order = book.order(id);
    (order.state, order.pw_order_id)
}

fn has(state: State, pw_order_id: &str) -> (State, Option<String>) {
    (state, Some(pw_order_id.to_owned()))
}

#[test]
fn an_id_of_an_answer_that_a_look_up_finds_to_be_another_order_s_is_that_one_s_alone() {
    for wished in [None, Some(State::Canceling), Some(State::Canceled)] {
        let book = Book::new();
        let first = lost(&book, "1001");
        let second = answered(&book, "1002", "PW-1");
        book.write(move |store| {
            if wished.is_some() {
                store.ask_cancel(second, "a person", &at(3))?;
            }
            if wished == Some(State::Canceled) {
                store.cancel_confirmed(second, "canceled", &at(3))?;
            }
            Ok(())
        })
        .unwrap();
        found(&book, first, &there("1001", "PW-1"));
        assert_eq!(stands(&book, first), has(State::Created, "PW-1"));
        // It is looked up by its own name, and a cancel that was asked for by the id of the other one is still wished.
        let state = if wished.is_some() {
            State::Canceling
        } else {
            State::Unresolved
        };
        assert_eq!(stands(&book, second), (state, None), "{wished:?}");
        let absence = book.ledger.read(|store| store.absence(second)).unwrap().unwrap();
        assert_eq!((absence.looks, &absence.since), (0, &at(4).boot));
        assert_eq!(flaws(&book), [], "{wished:?}");
        let audits = book.ledger.read(|store| store.open_audits(book.account)).unwrap();
        assert_eq!(audits.len(), 2);
        // What a person is told of it.
        if wished.is_none() {
            let told = book.order(second);
            let told = told.came_told();
            assert!(
                told.contains("it was PW-1, and that is the order `1001`"),
                "{told}"
            );
        }
        found(&book, second, &there("1002", "PW-2"));
        assert_eq!(book.order(second).pw_order_id.as_deref(), Some("PW-2"));
        assert_eq!(flaws(&book), []);
    }
}

#[test]
fn an_id_that_the_service_has_shown_an_order_under_stays_its_own() {
    let book = Book::new();
    let first = lost(&book, "1001");
    let old = answered(&book, "1000", "PW-1");
    shown(&book, old, &there("1000", "PW-1"));
    // A service that forgets orders has given its id out again.
    found(&book, first, &there("1001", "PW-1"));
    assert_eq!(stands(&book, old), has(State::Created, "PW-1"));
    assert_eq!(stands(&book, first), has(State::Created, "PW-1"));
}

#[test]
fn what_is_read_under_the_name_of_another_order_takes_the_id_from_who_has_it_by_an_answer_alone() {
    let take = |book: &Book, id: OrderRef, listed: ListedRecord| {
        let account = book.order(id).account;
        book.write(move |store| store.take_from_others((id, account), &listed, &at(4)))
            .unwrap()
    };
    // Whatever the order itself has come to.
    for how in ["lost", "shown as another", "shown"] {
        let book = Book::new();
        let first = match how {
            "lost" => lost(&book, "1001"),
            _ => answered(&book, "1001", "PW-9"),
        };
        match how {
            "shown as another" => shown(&book, first, &there("W-77", "PW-9")),
            "shown" => shown(&book, first, &there("1001", "PW-9")),
            _ => {}
        }
        let second = answered(&book, "1002", "PW-1");
        let third = answered(&book, "1003", "PW-3");
        let others = ListedRecord {
            signature: Signature::new([("MUG", 1)].into_iter(), Some("US")),
            ..there("1001", "PW-1")
        };
        assert!(!take(&book, first, others), "of other content: {how}");
        assert!(!take(&book, second, there("1002", "PW-1")), "its own: {how}");
        assert!(!take(&book, first, there("1001", "PW-4")), "nobody's: {how}");
        // A service that gives names of its own may give one that another order has here.
        let is_taken = how != "shown as another";
        assert_eq!(take(&book, first, there("1001", "PW-1")), is_taken, "{how}");
        let state = if is_taken {
            State::Unresolved
        } else {
            State::Created
        };
        assert_eq!(book.order(second).state, state, "{how}");
        assert_eq!(stands(&book, third), has(State::Created, "PW-3"));
        assert_eq!(flaws(&book), []);
    }
}

#[test]
fn what_two_orders_have_by_their_answers_is_whose_the_service_shows_it_in_whatever_writing() {
    let book = Book::new();
    let [first, second] = ["1001", "1002"].map(|order_id| {
        let new = book.new_order(order_id);
        // As an earlier version wrote it down.
        let answer = move |store: &Store<'_>| {
            let id = store.intend(&new, &at(1))?;
            store.answered(id, "100001", None, &at(2))?;
            Ok(id)
        };
        book.write(answer).unwrap()
    });
    let listed = ListedRecord {
        signature: Signature::new([].into_iter(), None),
        ..there("1002", "PW-100001")
    };
    let account = book.order(second).account;
    let take = move |store: &Store<'_>| store.take_from_others((second, account), &listed, &at(4));
    assert!(book.write(take).unwrap());
    assert_eq!(stands(&book, first), (State::Unresolved, None));
    assert_eq!(stands(&book, second), has(State::Created, "100001"));
}
