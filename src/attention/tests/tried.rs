//! A sheet that is only tried: what it says of an order settles nothing, for nothing of it is ever sent.

use super::*;
use crate::ledger::record::Purpose;

/// A sheet that is sent, or only tried.
fn take(book: &Book, (stem, purpose): (&'static str, Purpose), minute: i64) -> ClaimRef {
    let mut new = claim(book.account, stem, minute);
    new.purpose = purpose;
    book.ledger.write_blocking(move |store| store.take(&new)).unwrap()
}

#[test]
fn what_is_known_with_other_content_is_told_until_a_sheet_that_is_sent_has_the_order() {
    let book = Book::new();
    let known = book.created("1001", 1);
    book.done(book.claim);
    let tuesday = take(&book, ("tuesday", Purpose::Send), 2);
    book.outcome(tuesday, 2, "1001", Status::Changed);
    book.done(tuesday);
    let line = (Kind::Changed, "tuesday".to_owned());
    for (stem, order) in [("as-known", Some(known)), ("otherwise", None)] {
        let tried = take(&book, (stem, Purpose::Try), 3);
        book.put(tried, 2, ("1001", order), Status::Changed);
        book.done(tried);
        assert_eq!(book.told(9), std::slice::from_ref(&line), "{stem}");
    }
    let again = take(&book, ("again", Purpose::Send), 4);
    book.put(again, 2, ("1001", Some(known)), Status::AlreadyCreated);
    book.done(again);
    assert_eq!(book.told(9), []);
}
