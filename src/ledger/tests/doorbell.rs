//! Notifications, and the orders that they ring for.

use super::*;
use crate::ledger::AttemptEnd;
use crate::ledger::record::{NoticeKind, Notification, Seen};
use crate::ledger::state::State;

/// A notification of this kind comes and is looked at, as the receiver does it.
fn notified(book: &Book, kind: NoticeKind, text: &'static str, now: i64) {
    let brought = Notification {
        account: book.account,
        kind,
        body: text.as_bytes().to_vec(),
    };
    let kept = book.write(move |store| store.keep_notification(&brought, at(now).wall, 100));
    assert!(kept.unwrap());
    look(book, now);
}

/// The notifications that were not looked at are, and the orders that they ring for read.
fn look(book: &Book, now: i64) {
    let account = book.account;
    book.write(move |store| {
        for (id, brought) in store.unread_notifications(100)? {
            let text = String::from_utf8(brought.body).unwrap();
            let words = text.split(' ').map(str::to_owned).collect();
            store.ring(id, (account, brought.kind), &words)?;
        }
        for bell in store.rung(account, at(now).wall, (OrderRef(0), 100))? {
            store.answered_bell(&bell, at(now).wall)?;
        }
        Ok(())
    })
    .unwrap();
}

fn sending(book: &Book, order_id: &str) -> OrderRef {
    let new = book.new_order(order_id);
    book.write(move |store| store.intend(&new, &at(10))).unwrap()
}

fn lose(book: &Book, id: OrderRef) {
    let lost = (AttemptEnd::Unknown, "the connection broke");
    book.write(move |store| store.lost(id, lost, None, &at(20)))
        .unwrap();
}

fn find(book: &Book, id: OrderRef, pw_order_id: &str) {
    let seen = Seen {
        pw_order_id: pw_order_id.to_owned(),
        order_status: Some("waiting".to_owned()),
        ..Seen::default()
    };
    book.write(move |store| store.found(id, &seen, 0, &at(50)))
        .unwrap();
}

fn answer(book: &Book, id: OrderRef, pw_order_id: &'static str) {
    book.write(move |store| store.answered(id, pw_order_id, None, &at(50)))
        .unwrap();
}

fn flagged(book: &Book) -> Vec<String> {
    let flagged = book.ledger.read(|store| store.flagged_orders(at(0).wall, 10));
    flagged.unwrap().into_iter().map(|order| order.order_id).collect()
}

#[test]
fn a_notice_of_a_problem_that_comes_before_its_order_has_an_id_counts_when_it_has() {
    let book = Book::new();
    let (sent, lost, wished) = (
        sending(&book, "1001"),
        sending(&book, "1002"),
        sending(&book, "1003"),
    );
    lose(&book, lost);
    lose(&book, wished);
    book.write(move |store| store.ask_cancel(wished, "a person", &at(25)))
        .unwrap();
    notified(&book, NoticeKind::OrderProblem, "1001 and 1002 and 1003", 30);
    assert_eq!(book.order(sent).state, State::Sending);
    answer(&book, sent, "PW1");
    find(&book, lost, "PW2");
    find(&book, wished, "PW3");
    for id in [sent, lost, wished] {
        assert_eq!(book.order(id).noticed_at, Some(at(30).wall), "{id:?}");
    }
    assert_eq!(flagged(&book), ["1003", "1002", "1001"]);
}

#[test]
fn a_notice_that_names_its_order_by_an_id_that_is_not_known_yet_is_looked_at_again_when_it_is() {
    let book = Book::new();
    let (sent, lost, other) = (
        sending(&book, "1001"),
        sending(&book, "1002"),
        sending(&book, "1003"),
    );
    lose(&book, lost);
    for (text, now) in [("about PW1", 30), ("about PW2", 31), ("about PW33", 32)] {
        notified(&book, NoticeKind::OrderProblem, text, now);
    }
    notified(&book, NoticeKind::Tracking, "about PW3", 33);
    answer(&book, sent, "PW1");
    find(&book, lost, "PW2");
    answer(&book, other, "PW3");
    look(&book, 60);
    assert_eq!(book.order(sent).noticed_at, Some(at(60).wall));
    assert_eq!(book.order(lost).noticed_at, Some(at(60).wall));
    assert_eq!(book.order(other).noticed_at, None, "PW33 is another one");
}

#[test]
fn a_notice_of_what_was_refused_says_nothing_of_the_content_that_is_sent_instead() {
    let book = Book::new();
    let id = sending(&book, "1001");
    notified(&book, NoticeKind::OrderProblem, "1001", 30);
    book.write(move |store| store.refused(id, "no such place", None, &at(40)))
        .unwrap();
    let new = book.new_order("1001");
    book.write(move |store| store.intend(&new, &at(45))).unwrap();
    answer(&book, id, "PW1");
    assert_eq!(book.order(id).noticed_at, None);
}

#[test]
fn a_number_in_a_notice_that_has_the_service_s_id_of_its_order_is_no_other_order_s_problem() {
    let book = Book::new();
    for (order_id, pw_order_id) in [("1001", "PW7"), ("2", "PW8")] {
        let id = sending(&book, order_id);
        answer(&book, id, pw_order_id);
    }
    notified(&book, NoticeKind::OrderProblem, "PW7 quantity 2", 60);
    assert_eq!(flagged(&book), ["1001"]);
    notified(&book, NoticeKind::OrderProblem, "order 2", 70);
    assert_eq!(
        flagged(&book).len(),
        2,
        "with no id of the service's, the name counts"
    );
}
