//! Two inboxes of one account whose ids are the same: what needs a person in one is not settled by what the other brings.

use super::in_shop::says_canceled;
use super::*;

/// A sheet of an inbox.
fn take(book: &Book, (inbox, stem): (&str, &'static str), minute: i64) -> ClaimRef {
    let mut new = claim(book.account, stem, minute);
    new.inbox = inbox.to_owned();
    book.ledger.write_blocking(move |store| store.take(&new)).unwrap()
}

/// An order of an inbox's sheet that the service has.
fn create(book: &Book, (inbox, sheet): (&str, ClaimRef), order_id: &str) -> OrderRef {
    let mut new = NewOrder::sample((book.account, sheet), order_id, Money::from_hundredths(1210));
    new.inbox = inbox.to_owned();
    let pw = format!("PW-{order_id}");
    let created = book.ledger.write_blocking(move |store| {
        let id = store.intend(&new, &at(6))?;
        store.answered(id, &pw, None, &at(6))?;
        Ok(id)
    });
    let id = created.unwrap();
    book.put(sheet, 2, (order_id, Some(id)), Status::Waiting);
    id
}

/// What is told of the sheets of `main`, each with its kind.
fn told(book: &Book) -> Vec<(Kind, String)> {
    let needs = book.needs(9).needs.into_iter();
    let own = needs.filter(|need| need.inbox == "main");
    own.map(|need| (need.kind, need.sheet)).collect()
}

/// What becomes of an order of the same id, which is another inbox's own.
const ELSEWHERE: [Option<Status>; 4] = [
    None,
    Some(Status::Invalid),
    Some(Status::Changed),
    Some(Status::Skipped),
];

/// Brings the id in a sheet of an inbox: as an order that is created, or as a row that follows none.
fn bring(book: &Book, inbox: &str, becomes: Option<Status>) {
    let sheet = take(book, (inbox, "x"), 5);
    match becomes {
        Some(status) => book.outcome(sheet, 2, "1001", status),
        None => drop(create(book, (inbox, sheet), "1001")),
    }
    book.done(sheet);
}

#[test]
fn a_row_to_fix_is_mended_by_a_later_sheet_of_its_own_inbox_alone() {
    for becomes in ELSEWHERE {
        let book = Book::new();
        book.outcome(book.claim, 2, "1001", Status::Invalid);
        book.done(book.claim);
        let line = (Kind::ToFix, "monday".to_owned());
        assert_eq!(told(&book), std::slice::from_ref(&line));
        bring(&book, "other", becomes);
        assert_eq!(told(&book), std::slice::from_ref(&line), "{becomes:?}");
    }
    for becomes in ELSEWHERE {
        let book = Book::new();
        book.outcome(book.claim, 2, "1001", Status::Invalid);
        book.done(book.claim);
        bring(&book, "main", becomes);
        let mended = told(&book).iter().all(|(_kind, sheet)| sheet != "monday");
        assert!(mended, "{becomes:?}");
    }
}

#[test]
fn the_cancel_of_another_inboxs_order_leaves_a_row_to_fix() {
    let book = Book::new();
    book.outcome(book.claim, 2, "1001", Status::Invalid);
    book.done(book.claim);
    let sheet = take(&book, ("other", "x"), 5);
    let id = create(&book, ("other", sheet), "1001");
    book.done(sheet);
    book.ledger
        .write_blocking(move |store| store.ask_cancel(id, "a person asked", &at(7)))
        .unwrap();
    assert_eq!(told(&book), [(Kind::ToFix, "monday".to_owned())]);
}

#[test]
fn a_row_known_with_other_content_stays_told_whatever_another_inbox_brings() {
    for becomes in ELSEWHERE.into_iter().flatten() {
        let book = Book::new();
        book.created("1001", 1);
        book.done(book.claim);
        let tuesday = take(&book, ("main", "tuesday"), 2);
        book.outcome(tuesday, 2, "1001", Status::Changed);
        book.done(tuesday);
        let line = (Kind::Changed, "tuesday".to_owned());
        assert_eq!(told(&book), std::slice::from_ref(&line));
        bring(&book, "other", Some(becomes));
        assert_eq!(told(&book), [line], "{becomes:?}");
        bring(&book, "main", Some(becomes));
        let is_open = told(&book).iter().any(|(_kind, sheet)| sheet == "tuesday");
        assert!(!is_open, "{becomes:?}");
    }
}

#[test]
fn an_order_of_an_older_sheet_that_came_after_another_inboxs_is_told() {
    let book = Book::new();
    // A younger sheet of the other inbox was worked first.
    let sheet = take(&book, ("other", "x"), 5);
    create(&book, ("other", sheet), "1001");
    book.done(sheet);
    book.outcome(book.claim, 2, "1001", Status::Changed);
    book.done(book.claim);
    assert_eq!(told(&book), [(Kind::Changed, "monday".to_owned())]);
}

#[test]
fn an_order_canceled_in_the_shop_of_one_inbox_is_told_whatever_another_brings() {
    let book = Book::new();
    let known = book.created("1001", 1);
    book.done(book.claim);
    let tuesday = take(&book, ("main", "tuesday"), 2);
    says_canceled(&book, tuesday, 2, "1001");
    book.done(tuesday);
    let is_canceled = || {
        let read = book.ledger.read(|store| {
            let order = store.order(known)?.unwrap();
            store.is_canceled_in_shop(&order)
        });
        read.unwrap()
    };
    let line = (Kind::CanceledInShop, "tuesday".to_owned());
    assert_eq!(told(&book), std::slice::from_ref(&line));
    bring(&book, "other", Some(Status::Changed));
    assert_eq!(told(&book), [line]);
    assert!(is_canceled());
    bring(&book, "main", Some(Status::Changed));
    assert_eq!(told(&book), [(Kind::Changed, "x".to_owned())]);
    assert!(!is_canceled());
}
