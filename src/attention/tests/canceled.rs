//! Orders that are canceled here and that the service goes on with.

use super::*;

/// What is told now, of orders alone.
fn told(book: &Book, minute: i64) -> Vec<(Kind, String)> {
    let read = book.ledger.read(|store| needs(store, &here(), at(minute).wall));
    let told = read.unwrap().needs.into_iter();
    told.map(|need| (need.kind, need.what)).collect()
}

fn goes_on(with: &str) -> Vec<(Kind, String)> {
    let what = format!("It is canceled here, but the service goes on with it: {with}.");
    vec![(Kind::Problem, what)]
}

fn cancel(book: &Book, id: OrderRef, minute: i64) {
    book.ledger
        .write_blocking(move |store| {
            store.ask_cancel(id, "a person asked", &at(minute))?;
            store.cancel_confirmed(id, "done", &at(minute))
        })
        .unwrap();
}

#[test]
fn a_canceled_order_that_the_service_goes_on_with_is_told_until_it_says_that_it_is_canceled() {
    let book = Book::new();
    let id = book.created("1001", 1);
    book.see(id, "waiting", 1210, 2);
    cancel(&book, id, 3);
    // The list is late, and says something else that is new.
    book.see(id, "waiting", 1210, 4);
    book.see(id, "waiting", 1210, 5);
    assert_eq!(told(&book, 6), []);
    book.see(id, "in_production", 1210, 7);
    assert_eq!(told(&book, 8), goes_on("in_production"));
    book.see(id, "shipped", 1210, 9);
    assert_eq!(told(&book, 10), goes_on("shipped"));
    assert_eq!(told(&book, 60 * 24 * 40), [], "it is told for a while");
    book.see(id, "canceled", 1210, 11);
    assert_eq!(told(&book, 12), []);
}

#[test]
fn what_a_canceled_order_was_before_is_no_news_of_it() {
    let book = Book::new();
    let (held, made) = (book.created("1001", 1), book.created("1002", 1));
    book.see(held, "on_hold", 1210, 2);
    book.see(made, "in_production", 1210, 2);
    for id in [held, made] {
        cancel(&book, id, 3);
    }
    for (word, minute) in [("on_hold", 4), ("cancel_requested", 5), ("waiting", 6)] {
        book.see(held, word, 1210, minute);
        book.see(made, "in_production", 1210 + minute, minute);
        let told = told(&book, minute);
        assert!(
            told.iter().all(|(kind, _what)| *kind != Kind::Problem),
            "{word}: {told:?}"
        );
    }
    // An order that was never sent has nothing to go on with.
    let unsent = book.order("1003");
    let id = book
        .ledger
        .write_blocking(move |store| store.cancel_unsent(&unsent, "a test", &at(7)));
    let id = id.unwrap();
    let again = book
        .ledger
        .write_blocking(move |store| store.ask_cancel_again(id, "a test", &at(8)));
    assert!(matches!(again, Err(LedgerError::Illegal { .. })), "{again:?}");
}

#[test]
fn a_tracking_of_a_canceled_order_is_told_and_after_another_confirmation_its_word_is_news_again() {
    let book = Book::new();
    let id = book.created("1001", 1);
    book.see(id, "waiting", 1210, 2);
    cancel(&book, id, 3);
    let seen = Seen {
        order_status: Some("waiting".to_owned()),
        trackings: Some(r#"["TRK1"]"#.to_owned()),
        ..Seen::default()
    };
    book.ledger
        .write_blocking(move |store| store.see(id, &seen, &at(4)))
        .unwrap();
    assert_eq!(told(&book, 5), goes_on("it has a tracking"));
    book.ledger
        .write_blocking(move |store| {
            store.ask_cancel_again(id, "a person asked", &at(6))?;
            store.cancel_confirmed(id, "done", &at(6))
        })
        .unwrap();
    assert_eq!(told(&book, 7), []);
    book.see(id, "shipped", 1210, 8);
    assert_eq!(told(&book, 9), goes_on("shipped"));
}
