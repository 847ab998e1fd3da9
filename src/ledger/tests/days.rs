//! The money of a day, of orders that are sent more than once.

use super::{Book, at, quote};
use crate::ledger::record::{DayLimit, Intent, NewOrder, OrderRef, ResendIntent, Seen};
use crate::ledger::{AttemptEnd, LedgerError, Store};
use crate::money::Money;

fn day(name: &str) -> DayLimit {
    DayLimit {
        inbox: "main".to_owned(),
        name: name.to_owned(),
        begins: at(if name == "monday" { 0 } else { 3 }).wall,
        limit: Money::from_hundredths(1000),
    }
}

fn priced(book: &Book, id: &str, total: i64) -> NewOrder {
    NewOrder {
        quote: Some(quote(total)),
        ..book.new_order(id)
    }
}

fn intend(book: &Book, id: &str, total: i64, day: DayLimit) -> Intent {
    let new = priced(book, id, total);
    book.write(move |store| store.intend_within(&new, &day, &at(1)))
        .unwrap()
}

/// The service shows an order.
fn found(book: &Book, id: OrderRef) {
    let seen = Seen {
        pw_order_id: "PW1".to_owned(),
        ..Seen::default()
    };
    book.write(move |store| store.found(id, &seen, 0, &at(5)))
        .unwrap();
}

/// An order of monday at 4.00 without an answer.
fn lost(book: &Book) -> OrderRef {
    let Intent::Written(id) = intend(book, "1001", 400, day("monday")) else {
        panic!("there is enough")
    };
    book.write(move |store| store.lost(id, (AttemptEnd::Unknown, "timeout"), None, &at(2)))
        .unwrap();
    id
}

fn again(
    book: &Book,
    id: OrderRef,
    (total, is_let_pass): (i64, bool),
    day: DayLimit,
) -> Result<Intent, LedgerError> {
    let again = ResendIntent {
        sends: 1,
        fingerprint: book.order(id).fingerprint,
        quote: Some(quote(total)),
        day: Some(day),
        is_let_pass,
        why: "absent",
    };
    book.write(move |store| store.intend_resend(id, &again, &at(3)))
}

fn spent(book: &Book, name: &str) -> Money {
    book.ledger.read(|store| store.spent(&day(name))).unwrap()
}

fn money(hundredths: i64) -> Money {
    Money::from_hundredths(hundredths)
}

#[test]
fn what_is_sent_once_more_counts_in_the_day_of_that_at_what_it_costs_then() {
    let book = Book::new();
    let id = lost(&book);
    assert_eq!(
        again(&book, id, (600, false), day("tuesday")).unwrap(),
        Intent::Written(id)
    );
    assert_eq!(
        (spent(&book, "monday"), spent(&book, "tuesday")),
        (Money::ZERO, money(600))
    );
    assert_eq!(book.order(id).quote, Some(quote(600)));
    // What was sent before is still without an answer: the money stays.
    book.write(move |store| store.not_sent(id, "no connection", &at(4)))
        .unwrap();
    assert_eq!(spent(&book, "tuesday"), money(600));
}

#[test]
fn what_is_sent_once_more_passes_the_limit_of_a_day_by_a_persons_word_alone() {
    let book = Book::new();
    let id = lost(&book);
    intend(&book, "1002", 700, day("tuesday"));
    let over = again(&book, id, (400, false), day("tuesday")).unwrap();
    assert_eq!(over, Intent::OverDay { spent: money(700) });
    assert_eq!(
        (book.order(id).sends, spent(&book, "monday")),
        (1, money(400)),
        "nothing is written"
    );
    again(&book, id, (400, true), day("tuesday")).unwrap();
    assert_eq!(
        (spent(&book, "monday"), spent(&book, "tuesday")),
        (Money::ZERO, money(1100))
    );
}

#[test]
fn on_its_own_day_it_may_be_sent_at_no_more_whatever_the_others_have_taken() {
    let book = Book::new();
    let id = lost(&book);
    // Approved orders pass the limit.
    let full = DayLimit {
        limit: money(5000),
        ..day("monday")
    };
    intend(&book, "1002", 2000, full);
    let over = again(&book, id, (401, false), day("monday")).unwrap();
    assert_eq!(over, Intent::OverDay { spent: money(2000) });
    assert_eq!(
        again(&book, id, (400, false), day("monday")).unwrap(),
        Intent::Written(id)
    );
    assert_eq!(spent(&book, "monday"), money(2400));
}

#[test]
fn a_day_that_is_added_up_holds_what_is_sent_once_more_once() {
    let book = Book::new();
    let new = priced(&book, "1001", 400);
    let id = book.write(move |store| {
        let id = store.intend(&new, &at(1))?;
        store.lost(id, (AttemptEnd::Unknown, "timeout"), None, &at(2))?;
        Ok(id)
    });
    let id = id.unwrap();
    assert_eq!(
        again(&book, id, (900, false), day("monday")).unwrap(),
        Intent::Written(id)
    );
    assert_eq!(spent(&book, "monday"), money(900));
}

#[test]
fn what_is_given_up_keeps_its_money_until_it_is_sent_anew() {
    let book = Book::new();
    let id = lost(&book);
    book.write(move |store| store.abandon(id, &at(3))).unwrap();
    assert_eq!(spent(&book, "monday"), money(400), "the service may have it");
    assert_eq!(
        intend(&book, "1001", 800, day("monday")),
        Intent::Written(id),
        "it was looked up, and is not there"
    );
    assert_eq!(spent(&book, "monday"), money(800));
    book.write(move |store| store.not_sent(id, "no connection", &at(4)))
        .unwrap();
    assert_eq!(spent(&book, "monday"), Money::ZERO);
}

#[test]
fn what_was_refused_and_is_at_the_service_after_all_counts_in_the_day_of_its_create() {
    let book = Book::new();
    let Intent::Written(id) = intend(&book, "1001", 400, day("monday")) else {
        panic!("there is enough")
    };
    intend(&book, "1002", 100, day("monday"));
    book.write(move |store| store.refused(id, "it exists", None, &at(2)).map(drop))
        .unwrap();
    assert_eq!(spent(&book, "monday"), money(100));
    found(&book, id);
    assert_eq!(spent(&book, "monday"), money(500));
    let over = intend(&book, "1003", 600, day("monday"));
    assert_eq!(over, Intent::OverDay { spent: money(500) });
}

#[test]
fn what_is_found_counts_once_and_what_was_sent_without_a_limit_in_no_day() {
    let book = Book::new();
    let id = lost(&book);
    found(&book, id);
    assert_eq!(
        spent(&book, "monday"),
        money(400),
        "its money was never given back"
    );
    // Refused on monday and sent again on tuesday, it counts on tuesday.
    let book = Book::new();
    let Intent::Written(id) = intend(&book, "1002", 300, day("monday")) else {
        panic!("there is enough")
    };
    book.write(move |store| store.refused(id, "no", None, &at(2)).map(drop))
        .unwrap();
    intend(&book, "1002", 300, day("tuesday"));
    book.write(move |store| store.lost(id, (AttemptEnd::Unknown, "timeout"), None, &at(4)))
        .unwrap();
    found(&book, id);
    assert_eq!(
        (spent(&book, "monday"), spent(&book, "tuesday")),
        (Money::ZERO, money(300))
    );
    let unlimited = priced(&book, "1003", 200);
    let id = book.write(move |store| store.intend(&unlimited, &at(1))).unwrap();
    book.write(move |store| store.refused(id, "no", None, &at(2)).map(drop))
        .unwrap();
    found(&book, id);
    assert_eq!(spent(&book, "monday"), Money::ZERO);
}

/// What becomes of an order that was sent.
type Fate = fn(&Store<'_>, OrderRef) -> Result<(), LedgerError>;

fn answer(store: &Store<'_>, id: OrderRef) -> Result<(), LedgerError> {
    store.answered(id, "PW1", None, &at(2))
}

fn lose(store: &Store<'_>, id: OrderRef) -> Result<(), LedgerError> {
    store.lost(id, (AttemptEnd::Unknown, "timeout"), None, &at(2))
}

fn ask_cancel(store: &Store<'_>, id: OrderRef) -> Result<(), LedgerError> {
    store.ask_cancel(id, "a row", &at(4)).map(drop)
}

/// What an inbox has spent of a day on which an order came to that, which was sent on monday with a limit, and without one.
fn spent_on(name: &str, fate: Fate) -> [Money; 2] {
    [true, false].map(|is_limited| {
        let book = Book::new();
        let new = priced(&book, "1001", 400);
        let sent = book.write(move |store| {
            let intent = if is_limited {
                store.intend_within(&new, &day("monday"), &at(1))?
            } else {
                Intent::Written(store.intend(&new, &at(1))?)
            };
            let Intent::Written(id) = intent else {
                panic!("there is enough: {intent:?}")
            };
            fate(store, id)
        });
        sent.unwrap();
        spent(&book, name)
    })
}

#[test]
fn a_day_that_is_added_up_has_what_was_reserved_of_it_whatever_has_become_of_that() {
    let canceled: Fate = |store, id| {
        answer(store, id)?;
        ask_cancel(store, id)?;
        store.cancel_confirmed(id, "it is canceled", &at(5))
    };
    let not_canceled: Fate = |store, id| {
        answer(store, id)?;
        ask_cancel(store, id)?;
        store.cancel_refused(id, "it is printed", &at(5))
    };
    let ruled_out: Fate = |store, id| {
        lose(store, id)?;
        ask_cancel(store, id)?;
        store.ruled_out(id, "it is not there", &at(5))
    };
    let given_up: Fate = |store, id| {
        lose(store, id)?;
        store.abandon(id, &at(5))
    };
    let wished: Fate = |store, id| {
        lose(store, id)?;
        ask_cancel(store, id)
    };
    let refused: Fate = |store, id| store.refused(id, "no", None, &at(2)).map(drop);
    let not_sent: Fate = |store, id| store.not_sent(id, "no connection", &at(2));
    let found: Fate = |store, id| {
        lose(store, id)?;
        let seen = Seen {
            pw_order_id: "PW1".to_owned(),
            ..Seen::default()
        };
        store.found(id, &seen, 0, &at(5))
    };
    let created: Fate = answer;
    for (what, fate, of_monday) in [
        ("created", created, 400),
        ("canceled", canceled, 400),
        ("not canceled", not_canceled, 400),
        ("ruled out", ruled_out, 0),
        ("given up", given_up, 400),
        ("to be canceled", wished, 400),
        ("refused", refused, 0),
        ("not sent", not_sent, 0),
        ("found", found, 400),
    ] {
        assert_eq!(spent_on("monday", fate), [money(of_monday); 2], "{what}");
        // It was sent on monday, whenever its fate came to be known.
        assert_eq!(spent_on("tuesday", fate), [Money::ZERO; 2], "{what}");
    }
}
