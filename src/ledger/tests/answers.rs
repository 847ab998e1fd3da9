//! Answers to a create that are taken for what they say, and that are not.

use super::*;
use crate::ledger::record::Seen;
use crate::ledger::state::State;
use crate::ledger::{AttemptEnd, Made};
use crate::reconcile::{AlikeOrder, Reason};

fn sending(book: &Book, order_id: &str) -> OrderRef {
    let new = book.new_order(order_id);
    book.write(move |store| store.intend(&new, &at(1))).unwrap()
}

fn state(book: &Book, id: OrderRef) -> State {
    let order = book.ledger.read(|store| store.order(id)).unwrap();
    order.unwrap().state
}

#[test]
fn an_id_that_another_order_has_is_no_answer() {
    let book = Book::new();
    let account = book.account;
    let [first, second] = ["1001", "1002"].map(|id| sending(&book, id));
    let made = |id: OrderRef| book.write(move |store| store.made((id, account), "PW-1", None, &at(2)));
    assert!(made(first).unwrap());
    assert!(!made(second).unwrap());
    assert_eq!(
        [first, second].map(|id| state(&book, id)),
        [State::Created, State::Unresolved]
    );
    let absence = book.ledger.read(|store| store.absence(second)).unwrap();
    assert!(!absence.unwrap().contradicted, "it is looked up as any other");
    let order = book.order(second);
    let told = order.came_told();
    assert!(
        told.contains("(it was PW-1, and that is the order `1001`)"),
        "{told}"
    );
}

#[test]
fn an_answer_that_names_an_order_of_nobody_may_be_of_this_one() {
    let book = Book::new();
    let account = book.account;
    sending(&book, "1000");
    for (order_id, named, contradicted) in [("1001", "W-77", true), ("1002", "1000", false)] {
        let id = sending(&book, order_id);
        let made = Made {
            pw_order_id: format!("PW-{named}"),
            order_id: named.to_owned(),
        };
        book.write(move |store| store.contradicted((id, account), &made, None, &at(2)))
            .unwrap();
        assert_eq!(state(&book, id), State::Unresolved);
        let absence = book.ledger.read(|store| store.absence(id)).unwrap();
        assert_eq!(absence.unwrap().contradicted, contradicted, "{named}");
    }
}

#[test]
fn a_create_without_an_answer_whose_order_was_found_is_no_sign_that_the_service_is_away() {
    let book = Book::new();
    let [first, second] = ["1001", "1002"].map(|id| sending(&book, id));
    book.write(move |store| {
        for (id, minute) in [(first, 2), (second, 3)] {
            let unusable = (AttemptEnd::Unknown, "an answer without an id");
            store.lost(id, unusable, None, &at(minute))?;
        }
        let seen = Seen {
            pw_order_id: "PW-1".to_owned(),
            order_name: "1001".to_owned(),
            ..Seen::default()
        };
        store.found(first, &seen, 0, &at(4))
    })
    .unwrap();
    let newest = book.ledger.read(|store| store.newest_creates(book.account, 5));
    let newest: Vec<bool> = newest.unwrap().iter().map(|one| one.is_answered).collect();
    assert_eq!(newest, [false, true]);
}

#[test]
fn what_an_answer_gave_that_named_another_order_is_told_with_how_that_is_settled() {
    let book = Book::new();
    let account = book.account;
    let id = sending(&book, "1001");
    let made = Made {
        pw_order_id: "PW-100003".to_owned(),
        order_id: "#1001, `b`".to_owned(),
    };
    let answered = made.clone();
    book.write(move |store| store.contradicted((id, account), &answered, None, &at(2)))
        .unwrap();
    let told = "The service's answer does not say whether it has the order";
    let gave = "it gave the id PW-100003, and named another order, `#1001, `b``";
    assert_eq!(book.order(id).came_told(), format!("{told} ({gave})"));
    let kept = book.ledger.read(|store| store.named_otherwise(id)).unwrap();
    assert_eq!(kept, Some(made));
    let reason = Reason::NamedOtherwise(AlikeOrder {
        pw_order_id: "PW-100003".to_owned(),
        order_name: "#1001, `b`".to_owned(),
    });
    let (look, asked) = (book.order(id).at_look(), reason.clone());
    book.write(move |store| store.ask_person(look, &asked)).unwrap();
    let order = book.order(id);
    assert_eq!(order.reason, Some(reason));
    assert_eq!(
        (order.came_told().as_ref(), order.noted().as_ref()),
        (told, &*format!("{gave}: see there whether it is this one"))
    );
    // Of a ledger from before it is not known what the answer gave.
    let (look, asked) = (order.at_look(), Reason::Contradicted);
    book.write(move |store| store.ask_person(look, &asked)).unwrap();
    assert_eq!(book.order(id).came_told(), told);
    let other = sending(&book, "1002");
    let lost = (AttemptEnd::Unknown, "timeout");
    book.write(move |store| store.lost(other, lost, None, &at(3)))
        .unwrap();
    assert_eq!(book.order(other).came_told(), "No answer came");
    let kept = book.ledger.read(|store| store.named_otherwise(other));
    assert_eq!(kept.unwrap(), None);
}
