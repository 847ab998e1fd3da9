//! An order that its shop has canceled since it was sent, as a later export says.

use super::*;
use crate::finding::Finding;

/// A later export that says that orders are canceled, at its end.
fn export(book: &Book, stem: &'static str, minute: i64, order_ids: &[&str]) {
    let account = book.account;
    let sheet = book
        .ledger
        .write_blocking(move |store| store.take(&claim(account, stem, minute)))
        .unwrap();
    for (first_row, order_id) in (2..).zip(order_ids) {
        says_canceled(book, sheet, first_row, order_id);
    }
    book.done(sheet);
}

/// A row of a sheet says that its order is canceled.
pub(super) fn says_canceled(book: &Book, sheet: ClaimRef, first_row: u32, order_id: &str) {
    let mut outcome = Outcome::blank(sheet, first_row, order_id.to_owned());
    outcome.status = Status::Changed;
    outcome.findings.push(Finding {
        code: Code::CanceledInShop,
        row: first_row,
        column: None,
        message: "The order is canceled in the shop.".to_owned(),
        hint: String::new(),
    });
    book.ledger
        .write_blocking(move |store| store.put_outcome(&outcome))
        .unwrap();
}

#[test]
fn an_order_canceled_in_the_shop_is_told_by_its_ids_until_its_cancel_is_asked_for_and_not_as_rows_to_fix() {
    let book = Book::new();
    let told = || {
        let read = book.ledger.read(|store| needs(store, &here(), at(9).wall));
        read.unwrap().needs
    };
    let id = book.created("1001", 1);
    book.created("1002", 1);
    export(&book, "tuesday", 2, &["1001", "1002"]);
    let ids: Vec<_> = told()
        .into_iter()
        .map(|need| (need.kind, need.order_id))
        .collect();
    let of = |id: &str| (Kind::CanceledInShop, Some(id.to_owned()));
    assert_eq!(ids, [of("1001"), of("1002")]);
    let first = told().remove(0);
    assert_eq!(first.pw_order_id.as_deref(), Some("PW-1001"));
    assert_eq!(first.sheet, "tuesday");
    assert_eq!(
        first.what,
        "It is canceled, refunded, on hold or not to be printed, as tuesday.csv says, and it is still at the printer as PW-1001."
    );
    assert!(
        first
            .todo
            .contains("have the operator run `dropsheet orders cancel 1001`"),
        "{first:?}"
    );
    // The next export says the same.
    export(&book, "wednesday", 3, &["1001", "1002"]);
    let sheets: Vec<String> = told().into_iter().map(|need| need.sheet).collect();
    assert_eq!(sheets, ["wednesday", "wednesday"]);
    book.ledger
        .write_blocking(move |store| store.ask_cancel(id, "a test", &at(4)))
        .unwrap();
    let ids: Vec<_> = told().into_iter().map(|need| need.order_id).collect();
    assert_eq!(ids, [Some("1002".to_owned())]);
}
