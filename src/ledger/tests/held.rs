//! Held orders: approvals, held sheets, and the money of a day.

use super::{Book, at, quote};
use crate::finding::Code;
use crate::ledger::record::{
    DayLimit, HoldKey, Intent, ListedRecord, NewOrder, OrderRef, ResendIntent, Shown,
};
use crate::ledger::state::State;
use crate::ledger::{AsHeld, AttemptEnd, DecisionResult, LedgerError};
use crate::money::Money;
use crate::quote::Hold;
use crate::reconcile::{Addressee, Signature};

fn hold() -> Vec<Hold> {
    vec![Hold {
        code: Code::NeedsApproval,
        message: "It waits.".to_owned(),
    }]
}

fn day(limit: i64) -> DayLimit {
    DayLimit {
        inbox: "main".to_owned(),
        name: "2026-09-21".to_owned(),
        begins: at(0).wall,
        limit: Money::from_hundredths(limit),
    }
}

/// A held order with a quote of 14.00, and its key.
fn held(book: &Book, new: &NewOrder) -> (OrderRef, HoldKey) {
    let new = NewOrder {
        quote: Some(quote(1400)),
        ..new.clone()
    };
    let id = book
        .write(move |store| store.hold(&new, &hold(), &at(1)))
        .unwrap();
    (id, key_of(book, id, 1, 1400))
}

/// The key under which an order with the id 1001 was shown.
fn key_of(book: &Book, id: OrderRef, hold_number: u32, total: i64) -> HoldKey {
    let shown = Shown {
        ledger: book.ledger.id(),
        order_id: "1001",
        fingerprint: "1:a",
        total: Some(Money::from_hundredths(total)),
    };
    HoldKey::new(id, hold_number, &shown)
}

#[test]
fn an_approval_covers_one_holding_at_most_at_its_total() {
    let book = Book::new();
    let (id, key) = held(&book, &book.new_order("1001"));
    let approved = {
        let key = key.clone();
        move |book: &Book, inbox: &'static str| {
            let key = key.clone();
            book.write(move |store| store.approve(inbox, &key, &at(2)))
                .unwrap()
        }
    };
    assert_eq!(approved(&book, "other"), DecisionResult::Elsewhere("main".into()));
    let as_held = AsHeld {
        order_id: "1001".into(),
        total: Some(Money::from_hundredths(1400)),
        signature: Signature::of(&book.new_order("1001").content),
        country_code: "US".into(),
        holds: hold(),
        held_at: Some(at(1).wall),
        first_row: None,
        there: Vec::new(),
    };
    assert_eq!(approved(&book, "main"), DecisionResult::Taken(Box::new(as_held)));
    assert_eq!(approved(&book, "main"), DecisionResult::Before("1001".into()));
    let intends = |number: u32, total: i64| {
        book.write(move |store| store.intend_approved((id, number), &quote(total), None, &at(3)))
            .unwrap()
    };
    assert!(!intends(1, 1401), "more than was approved");
    book.write(move |store| store.hold_again((id, 1), &hold(), Some(&quote(1401)), &at(4)))
        .unwrap();
    assert_eq!(approved(&book, "main"), DecisionResult::HeldAgain("1001".into()));
    assert!(!intends(2, 1300), "held again: nobody has approved that");
    let restored = key_of(&book, id, 2, 1300);
    let decided = book.write(move |store| {
        let approved = store.approve("main", &restored, &at(5))?;
        let elsewhere = store.approve("other", &restored, &at(5))?;
        Ok([approved, store.decline("main", &restored, &at(5))?, elsewhere])
    });
    assert_eq!(
        decided.unwrap(),
        [const { DecisionResult::Unknown }; 3],
        "another total was shown"
    );
    let again = key_of(&book, id, 2, 1401);
    let repeated = again.clone();
    book.write(move |store| store.approve("main", &again, &at(5)))
        .unwrap();
    assert!(!intends(1, 1350), "by what was known before it was held again");
    assert!(intends(2, 1350));
    let decided = book.write(move |store| store.approve("main", &repeated, &at(6)));
    assert_eq!(
        decided.unwrap(),
        DecisionResult::Before("1001".into()),
        "sent for less than was shown"
    );
    assert!(matches!(approved(&book, "main"), DecisionResult::HeldAgain(_)));
    let order = book.ledger.read(|store| store.order(id)).unwrap().unwrap();
    assert_eq!((order.state, order.quote), (State::Sending, Some(quote(1350))));
}

#[test]
fn an_approved_order_can_be_declined_until_it_is_sent() {
    let book = Book::new();
    let (id, key) = held(&book, &book.new_order("1001"));
    let also = key.clone();
    book.write(move |store| store.approve("main", &key, &at(2)))
        .unwrap();
    let declined = book
        .write(move |store| store.decline("main", &also, &at(3)))
        .unwrap();
    assert!(matches!(declined, DecisionResult::Taken(..)));
    let sent = book.write(move |store| store.intend_approved((id, 1), &quote(1400), None, &at(4)));
    assert!(!sent.unwrap());
    let order = book.ledger.read(|store| store.order(id)).unwrap().unwrap();
    assert_eq!((order.state, order.content), (State::Declined, None));
}

/// The list has come to show another order, of the content that a [`Book`] gives its orders.
fn list(book: &Book, order_id: &str) {
    let listed = ListedRecord {
        order_id: order_id.to_owned(),
        pw_order_id: "PW9".to_owned(),
        signature: Signature::of(&book.new_order("1001").content),
        zip: None,
        addressee: Addressee::default(),
        entered_at: Some(at(2).wall),
        canceled: None,
    };
    let account = book.account;
    book.write(move |store| store.put_listed(account, &listed).map(drop))
        .unwrap();
}

#[test]
fn what_the_list_has_come_to_show_is_not_made_a_second_time_by_an_approval() {
    for shown in ["1001", "#1001"] {
        let book = Book::new();
        let (id, key) = held(&book, &book.new_order("1001"));
        book.write(move |store| store.approve("main", &key, &at(2)))
            .unwrap();
        list(&book, shown);
        let intended = book.write(move |store| store.intend_approved((id, 1), &quote(1400), None, &at(3)));
        assert!(!intended.unwrap(), "{shown}");
        assert_eq!(book.order(id).state, State::Held);
    }
}

#[test]
fn what_the_list_has_come_to_show_is_not_made_a_second_time_by_sending_once_more() {
    let book = Book::new();
    let new = book.new_order("1001");
    let id = book
        .write(move |store| {
            let id = store.intend(&new, &at(1))?;
            store.lost(id, (AttemptEnd::Unknown, "no answer"), None, &at(2))?;
            Ok(id)
        })
        .unwrap();
    let send = |let_pass: bool| {
        let again = ResendIntent {
            sends: 1,
            fingerprint: book.order(id).fingerprint,
            quote: None,
            day: None,
            is_let_pass: let_pass,
            why: "its absence is proved",
        };
        book.write(move |store| store.intend_resend(id, &again, &at(3)))
            .unwrap()
    };
    list(&book, "#1001");
    assert_eq!([send(false), send(true)], [Intent::Beside; 2]);
    assert_eq!(book.order(id).state, State::Unresolved);
}

#[test]
fn a_create_that_was_not_sent_leaves_its_order_approved() {
    let book = Book::new();
    let (id, key) = held(&book, &book.new_order("1001"));
    book.write(move |store| {
        store.approve("main", &key, &at(2))?;
        store.intend_approved((id, 1), &quote(1400), Some(&day(100)), &at(3))?;
        store.not_sent(id, "refused the connection", &at(4))
    })
    .unwrap();
    let approved = book.ledger.read(|store| store.approved(book.account)).unwrap();
    let [approved] = &approved[..] else {
        panic!("it is approved still")
    };
    assert_eq!((approved.order, approved.inbox.as_str()), (id, "main"));
    let spent = book.ledger.read(|store| store.spent(&day(100))).unwrap();
    assert_eq!(spent, Money::ZERO, "its money is given back");
}

#[test]
fn the_money_of_a_day_is_reserved_with_the_intent_and_given_back_when_nothing_was_ordered() {
    let book = Book::new();
    let intend = |id: &str| {
        let new = NewOrder {
            quote: Some(quote(400)),
            ..book.new_order(id)
        };
        book.write(move |store| store.intend_within(&new, &day(1000), &at(1)))
            .unwrap()
    };
    let [one, two] = ["1", "2"].map(|id| match intend(id) {
        Intent::Written(order) => order,
        other => panic!("{other:?}"),
    });
    let spent = Money::from_hundredths(800);
    assert_eq!(intend("3"), Intent::OverDay { spent });
    book.write(move |store| store.not_sent(one, "no connection", &at(2)))
        .unwrap();
    let Intent::Written(three) = intend("3") else {
        panic!("the money of the first is free again")
    };
    // A lost answer keeps its money: the service may have the order.
    book.write(move |store| store.lost(two, (AttemptEnd::Unknown, "timeout"), None, &at(3)))
        .unwrap();
    book.write(move |store| store.refused(three, "no", None, &at(3)).map(drop))
        .unwrap();
    let spent = book.ledger.read(|store| store.spent(&day(1000))).unwrap();
    assert_eq!(spent, Money::from_hundredths(400));
}

#[test]
fn a_limit_that_is_set_during_the_day_counts_what_was_sent_before() {
    let book = Book::new();
    let [before, after] = ["1", "2"].map(|id| NewOrder {
        quote: Some(quote(600)),
        ..book.new_order(id)
    });
    book.write(move |store| store.intend(&before, &at(1)).map(drop))
        .unwrap();
    let over = book.write(move |store| store.intend_within(&after, &day(1000), &at(2)));
    assert!(matches!(over.unwrap(), Intent::OverDay { .. }));
}

#[test]
fn what_waits_for_a_week_is_said_once_a_week() {
    let book = Book::new();
    held(&book, &book.new_order("1001"));
    let said = |before: i64, now: i64| {
        book.write(move |store| store.say_held_since("main", at(before).wall, &at(now)))
            .unwrap()
    };
    assert_eq!(said(1, 10), []);
    assert_eq!(said(2, 11), [("monday".to_owned(), 1)]);
    assert_eq!(said(3, 12), [], "it was said at 11");
    assert_eq!(said(12, 20).len(), 1);
}

#[test]
fn what_was_canceled_meanwhile_is_not_held_again() {
    let book = Book::new();
    let (id, key) = held(&book, &book.new_order("1001"));
    book.write(move |store| {
        store.approve("main", &key, &at(2))?;
        store.ask_cancel(id, "a person", &at(3)).map(drop)
    })
    .unwrap();
    let again = book.write(move |store| store.hold_again((id, 1), &hold(), None, &at(4)));
    assert!(matches!(again, Err(LedgerError::Illegal { .. })), "{again:?}");
    let order = book.ledger.read(|store| store.order(id)).unwrap().unwrap();
    assert_eq!(order.state, State::Declined);
}

#[test]
fn what_was_declined_and_approved_with_other_content_is_not_touched_by_the_first_approval() {
    let book = Book::new();
    let (id, key) = held(&book, &book.new_order("1001"));
    let anew = NewOrder {
        fingerprint: crate::order::Fingerprint {
            whole: "1:b".to_owned(),
            ..book.new_order("1001").fingerprint
        },
        quote: Some(quote(1400)),
        ..book.new_order("1001")
    };
    book.write(move |store| {
        store.approve("main", &key, &at(2))?;
        store.decline("main", &key, &at(3))?;
        store.hold(&anew, &hold(), &at(4)).map(drop)
    })
    .unwrap();
    let shown = Shown {
        ledger: book.ledger.id(),
        order_id: "1001",
        fingerprint: "1:b",
        total: Some(Money::from_hundredths(1400)),
    };
    let key = HoldKey::new(id, 2, &shown);
    let approved = book.write(move |store| store.approve("main", &key, &at(5)));
    assert!(matches!(approved, Ok(DecisionResult::Taken(..))), "{approved:?}");
    let before = (id, 1);
    let intended = book.write(move |store| store.intend_approved(before, &quote(1400), None, &at(6)));
    assert!(!intended.unwrap());
    let again = book.write(move |store| store.hold_again(before, &hold(), None, &at(6)));
    assert!(matches!(again, Err(LedgerError::Illegal { .. })), "{again:?}");
    let gave_way = book.write(move |store| store.give_way(before, "it is there", |_| true, &at(6)));
    assert!(
        matches!(gave_way, Err(LedgerError::Illegal { .. })),
        "{gave_way:?}"
    );
    let order = book.order(id);
    assert_eq!(
        (order.state, order.approved_total),
        (State::Held, Some(Money::from_hundredths(1400)))
    );
}

#[test]
fn what_another_sheet_holds_meanwhile_is_not_as_it_was_judged() {
    let book = Book::new();
    let new = book.new_order("1001");
    let is_still = |known| {
        let new = new.clone();
        book.ledger.read(|store| store.is_still(&new, known)).unwrap()
    };
    assert!(is_still(None));
    let (id, key) = held(&book, &new);
    assert!(!is_still(None), "another sheet was quicker");
    book.write(move |store| store.decline("main", &key, &at(2)).map(drop))
        .unwrap();
    assert!(is_still(Some((id, State::Declined))));
    assert!(!is_still(Some((id, State::Refused))));
}

#[test]
fn the_money_of_an_order_that_is_ruled_out_is_given_back() {
    let book = Book::new();
    let new = NewOrder {
        quote: Some(quote(400)),
        ..book.new_order("1")
    };
    let intent = book.write(move |store| store.intend_within(&new, &day(1000), &at(1)));
    let Intent::Written(id) = intent.unwrap() else {
        panic!("there is enough")
    };
    book.write(move |store| {
        store.lost(id, (AttemptEnd::Unknown, "timeout"), None, &at(2))?;
        store.ask_cancel(id, "a person", &at(3))?;
        store.ruled_out(id, "it is not at the service", &at(4))
    })
    .unwrap();
    let spent = book.ledger.read(|store| store.spent(&day(1000))).unwrap();
    assert_eq!(spent, Money::ZERO);
}

#[test]
fn a_create_without_an_answer_is_not_forgotten_when_its_order_is_held_and_declined() {
    let book = Book::new();
    let new = book.new_order("1001");
    let intended = new.clone();
    let id = book.write(move |store| {
        let id = store.intend(&intended, &at(1))?;
        store.lost(id, (AttemptEnd::Unknown, "timeout"), None, &at(2))?;
        Ok(id)
    });
    let id = id.unwrap();
    book.write(move |store| store.abandon(id, &at(3))).unwrap();
    let order = book.order(id);
    assert!(order.may_be_made() && order.sent().is_some() && !order.is_answered());
    let (_, key) = held(&book, &new);
    let is_open = |state: State| {
        let order = book.order(id);
        assert_eq!(order.state, state);
        assert!(order.may_be_made() && !order.is_answered(), "{state}");
        assert!(order.sent().is_none(), "{state}: its content was taken anew");
    };
    is_open(State::Held);
    book.write(move |store| store.decline("main", &key, &at(5)).map(drop))
        .unwrap();
    is_open(State::Declined);
    let absence = book.ledger.read(|store| store.absence(id)).unwrap();
    assert_eq!(
        absence.map(|absence| absence.since),
        Some(at(2).boot),
        "it waits on"
    );
}
