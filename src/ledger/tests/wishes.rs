//! Cancels that are asked for before their orders are known.

use super::*;
use crate::finding::Code;
use crate::ledger::AttemptEnd;
use crate::ledger::record::{CancelWish, ClaimState, HoldKey, Shown};
use crate::ledger::state::State;
use crate::quote::Hold;

/// A sheet that is taken after those before it.
fn later(book: &Book, stem: &'static str) -> ClaimRef {
    let account = book.account;
    book.write(move |store| store.take(&sheet(account, stem)))
        .unwrap()
}

/// A cancel that a sheet asks for, in its second row.
fn wish(book: &Book, claim: ClaimRef, order_id: &str) -> CancelWish {
    CancelWish {
        claim,
        first_row: 2,
        account: book.account,
        order_id: order_id.to_owned(),
        inbox: "main".to_owned(),
        sheet_order_id: order_id.to_owned(),
        is_of_its_inbox: false,
        by_shop: false,
    }
}

fn put(book: &Book, wish: CancelWish) {
    book.write(move |store| store.wish_cancel(&wish, &at(1))).unwrap();
}

fn may_promise(book: &Book, new: &NewOrder) -> bool {
    book.ledger.read(|store| store.may_promise(new, None)).unwrap()
}

fn end(book: &Book, claim: ClaimRef, state: ClaimState) {
    book.write(move |store| store.set_claim_state(claim, state))
        .unwrap();
}

#[test]
fn a_cancel_holds_against_the_orders_of_older_sheets_alone() {
    let book = Book::new();
    let (cancel, after) = (later(&book, "cancel"), later(&book, "tuesday"));
    let monday = book.new_order("1001");
    let tuesday = NewOrder {
        claim: after,
        ..book.new_order("1001")
    };
    assert!(may_promise(&book, &monday));
    put(&book, wish(&book, cancel, "1001"));
    put(&book, wish(&book, cancel, "1001"));
    assert!(!may_promise(&book, &monday));
    assert!(may_promise(&book, &tuesday), "it was dropped after the cancel");
    assert!(may_promise(&book, &book.new_order("1002")));
}

#[test]
fn a_cancel_finds_its_order_by_the_id_as_sent_and_by_the_one_in_the_sheets_of_its_inbox() {
    let book = Book::new();
    let cancel = later(&book, "cancel");
    let of_inbox = |inbox: &str, sheet_order_id: &str| NewOrder {
        inbox: inbox.to_owned(),
        sheet_order_id: sheet_order_id.to_owned(),
        ..book.new_order("A-1001")
    };
    let asked = |order_id: &str, inbox: &str, sheet_order_id: &str| CancelWish {
        inbox: inbox.to_owned(),
        sheet_order_id: sheet_order_id.to_owned(),
        ..wish(&book, cancel, order_id)
    };
    put(&book, asked("A-1001", "other", "A-1001"));
    assert!(!may_promise(&book, &of_inbox("main", "1001")), "as sent");
    let book = Book::new();
    let cancel = later(&book, "cancel");
    put(
        &book,
        CancelWish {
            sheet_order_id: "1001".to_owned(),
            ..wish(&book, cancel, "B-1001")
        },
    );
    assert!(
        !may_promise(&book, &of_inbox("main", "1001")),
        "its prefix was another when the cancel was asked for"
    );
    assert!(may_promise(&book, &of_inbox("other", "1001")));
}

#[test]
fn a_cancel_that_says_more_than_an_id_holds_against_no_other_inboxs_order() {
    let book = Book::new();
    let cancel = later(&book, "cancel");
    let of = |inbox: &str| NewOrder {
        inbox: inbox.to_owned(),
        ..book.new_order("1001")
    };
    let full = CancelWish {
        is_of_its_inbox: true,
        ..wish(&book, cancel, "1001")
    };
    put(&book, full.clone());
    assert!(!may_promise(&book, &of("main")));
    assert!(may_promise(&book, &of("other")), "it may be another order");
    let heard = book.ledger.read(|store| store.canceled_before(&of("main")));
    assert_eq!(heard.unwrap(), Some(full));
    put(&book, wish(&book, cancel, "1001"));
    assert!(!may_promise(&book, &of("other")), "another row has the id alone");
}

#[test]
fn the_word_of_a_shop_is_told_from_a_cancel_and_a_cancel_of_the_same_sheet_outranks_it() {
    let book = Book::new();
    let export = later(&book, "export");
    let word = CancelWish {
        is_of_its_inbox: true,
        by_shop: true,
        ..wish(&book, export, "1001")
    };
    let heard = || {
        let heard = book
            .ledger
            .read(|store| store.canceled_before(&book.new_order("1001")));
        heard.unwrap()
    };
    put(&book, word.clone());
    assert_eq!(heard(), Some(word.clone()));
    put(&book, wish(&book, export, "1001"));
    put(&book, word);
    assert_eq!(heard(), Some(wish(&book, export, "1001")));
}

#[test]
fn cancels_are_forgotten_when_no_older_sheet_has_anything_left_to_send() {
    let book = Book::new();
    let (cancel, after) = (later(&book, "cancel"), later(&book, "tuesday"));
    put(&book, wish(&book, cancel, "1001"));
    end(&book, cancel, ClaimState::Worked);
    end(&book, cancel, ClaimState::Done);
    let left = || {
        book.ledger
            .read(|store| store.cancels_after(book.claim))
            .unwrap()
            .0
    };
    assert_eq!(left(), 1, "the older sheet waits yet");
    end(&book, after, ClaimState::Done);
    assert_eq!(left(), 1);
    end(&book, book.claim, ClaimState::Worked);
    assert_eq!(left(), 0);
}

#[test]
fn what_a_rejected_sheet_asks_for_is_not_done() {
    let book = Book::new();
    let [rejected, cancel] = ["cancel", "again"].map(|stem| later(&book, stem));
    put(&book, wish(&book, rejected, "1001"));
    put(&book, wish(&book, cancel, "1002"));
    end(&book, rejected, ClaimState::Rejected);
    assert!(may_promise(&book, &book.new_order("1001")));
    assert!(!may_promise(&book, &book.new_order("1002")));
}

/// An order of the first sheet that a person has approved.
fn approved(book: &Book) -> OrderRef {
    let new = book.new_order("1001");
    let hold = Hold {
        code: Code::NeedsApproval,
        message: "Every order waits for approval.".to_owned(),
    };
    let id = book
        .write(move |store| store.hold(&new, &[hold], &at(1)))
        .unwrap();
    let order = book.order(id);
    let key = HoldKey::new(
        id,
        order.hold_number,
        &Shown {
            ledger: book.ledger.id(),
            order_id: "1001",
            fingerprint: &order.fingerprint,
            total: Some(quote(1210).total),
        },
    );
    book.write(move |store| store.approve("main", &key, &at(2)).map(drop))
        .unwrap();
    id
}

/// Whether the create of an order that is held for the first time, and approved, may leave.
fn may_leave(book: &Book, id: OrderRef) -> bool {
    book.write(move |store| store.intend_approved((id, 1), &quote(1210), None, &at(3)))
        .unwrap()
}

/// The word of its shop that an order is canceled.
fn word(book: &Book, claim: ClaimRef, order_id: &str) -> CancelWish {
    CancelWish {
        is_of_its_inbox: true,
        by_shop: true,
        ..wish(book, claim, order_id)
    }
}

#[test]
fn an_approved_order_is_not_sent_while_a_younger_sheet_asks_for_its_cancel() {
    let book = Book::new();
    let (id, cancel) = (approved(&book), later(&book, "cancel"));
    put(&book, wish(&book, cancel, "1001"));
    assert!(!may_leave(&book, id));
    end(&book, cancel, ClaimState::Rejected);
    assert!(may_leave(&book, id));
}

#[test]
fn what_a_sheet_says_of_an_approved_order_counts_until_it_has_had_its_turn_though_an_older_one_waits() {
    let said = |is_row_done: bool| {
        let book = Book::new();
        let (id, export) = (approved(&book), later(&book, "export"));
        put(&book, word(&book, export, "1001"));
        let to_come = || {
            let order = book.order(id);
            let to_come = book.ledger.read(|store| store.cancel_to_come(&order));
            to_come.unwrap().map(|wish| wish.claim)
        };
        assert_eq!(to_come(), Some(export));
        assert!(!may_leave(&book, id));
        if is_row_done {
            let row = Outcome::blank(export, 2, "1001".to_owned());
            book.write(move |store| store.put_outcome(&row)).unwrap();
        } else {
            end(&book, export, ClaimState::Worked);
        }
        let left = book
            .ledger
            .read(|store| store.cancels_after(book.claim))
            .unwrap()
            .0;
        assert_eq!(
            (to_come(), left),
            (None, 1),
            "it holds against the older sheet yet"
        );
        assert!(may_leave(&book, id));
    };
    said(true);
    said(false);
}

#[test]
fn a_sheet_is_heard_that_may_cancel_what_an_older_one_has_to_send_or_what_is_held() {
    let book = Book::new();
    let may_cancel = |claim: ClaimRef, inbox: &str| {
        let asked = book
            .ledger
            .read(|store| store.may_cancel_unsent(book.account, inbox, claim));
        asked.unwrap()
    };
    let second = later(&book, "cancel");
    assert!(!may_cancel(book.claim, "main"), "it is the eldest");
    assert!(may_cancel(second, "main"), "an older one has orders to send");
    end(&book, book.claim, ClaimState::Done);
    assert!(!may_cancel(second, "main"));
    let id = approved(&book);
    assert!(may_cancel(second, "main"), "its order has not left");
    assert!(!may_cancel(book.claim, "main"), "its own is not canceled by it");
    assert!(may_cancel(second, "other"), "of the same account");
    let strange = book.write(|store| store.account("other", "https://other.example", "other@example.com"));
    let strange = strange.unwrap();
    let of_strange = |inbox: &str| {
        let asked = book
            .ledger
            .read(|store| store.may_cancel_unsent(strange, inbox, second));
        asked.unwrap()
    };
    assert_eq!([of_strange("main"), of_strange("other")], [true, false]);
    assert!(may_leave(&book, id));
    assert!(may_cancel(second, "main"), "its answer may be lost");
    let lost = (AttemptEnd::Unknown, "no answer came");
    book.write(move |store| store.lost(id, lost, None, &at(4)))
        .unwrap();
    assert!(may_cancel(second, "main"), "it may be sent once more");
    book.write(move |store| store.ask_cancel(id, "by command", &at(5)))
        .unwrap();
    assert!(!may_cancel(second, "main"), "it is canceled");
}

#[test]
fn the_word_of_a_shop_hides_no_cancel_of_a_younger_sheet() {
    let book = Book::new();
    let (export, cancel) = (later(&book, "export"), later(&book, "cancel"));
    let new = book.new_order("1001");
    let id = book.write(move |store| store.intend(&new, &at(1))).unwrap();
    let asked = || {
        let order = book.order(id);
        let asked = book.ledger.read(|store| store.cancel_asked(&order));
        asked.unwrap()
    };
    put(&book, word(&book, export, "1001"));
    assert_eq!(asked(), None);
    put(&book, wish(&book, cancel, "1001"));
    assert_eq!(asked(), Some(wish(&book, cancel, "1001")));
    let order = book.order(id);
    assert!(book.ledger.read(|store| store.is_called_off(&order)).unwrap());
}

#[test]
fn a_sheet_of_another_account_and_another_inbox_keeps_no_cancel_from_being_forgotten() {
    let book = Book::new();
    let other = book.write(|store| {
        let account = store.account("other", "https://other.example", "other@example.com")?;
        let strange = NewClaim {
            inbox: "other".to_owned(),
            ..sheet(account, "strange")
        };
        store.take(&strange)
    });
    let cancel = later(&book, "cancel");
    put(&book, wish(&book, cancel, "1001"));
    end(&book, cancel, ClaimState::Done);
    let left = || {
        book.ledger
            .read(|store| store.cancels_after(book.claim))
            .unwrap()
            .0
    };
    assert_eq!(left(), 1, "one of its own waits");
    end(&book, book.claim, ClaimState::Done);
    assert_eq!(left(), 0);
    let open = book.ledger.read(|store| store.open_claims()).unwrap();
    assert_eq!(open[0].id, other.unwrap());
}

#[test]
fn an_order_canceled_before_it_was_sent_is_known_from_then_on_with_who_asked_for_it() {
    let book = Book::new();
    let new = NewOrder {
        quote: None,
        ..book.new_order("1001")
    };
    let again = new.clone();
    let id = book
        .write(move |store| store.cancel_unsent(&new, "the sheet tuesday", &at(1)))
        .unwrap();
    let order = book.order(id);
    assert_eq!(
        (order.state, order.sends, order.quote),
        (State::Canceled, 0, None)
    );
    assert_eq!(order.content, None, "nothing will be sent of it");
    assert_eq!(order.note, "the sheet tuesday");
    assert!(!may_promise(&book, &again));
    let flaws = book.ledger.read(|store| store.verify()).unwrap();
    assert_eq!(flaws, []);
}
