//! What ended sheets have come to, and when that is counted anew.

use super::*;
use crate::ledger::AttemptEnd;
use crate::ledger::record::{ClaimState, Seen};

type Step = fn(&Store<'_>, OrderRef, &NewOrder) -> Result<(), LedgerError>;

/// What may become of an order of an ended sheet, and of what is said there.
const STEPS: &[(&str, Step)] = &[
    ("lost", |store, id, _new| {
        store.lost(id, (AttemptEnd::Unknown, "the connection broke"), None, &at(10))
    }),
    ("found", |store, id, _new| {
        let seen = Seen {
            pw_order_id: "PW1".to_owned(),
            ..Seen::default()
        };
        store.found(id, &seen, 0, &at(20))
    }),
    ("a cancel is asked for", |store, id, _new| {
        store.ask_cancel(id, "a person", &at(30)).map(drop)
    }),
    ("the cancel is refused", |store, id, _new| {
        store.cancel_refused(id, "it is printed", &at(40))
    }),
    ("more is said", |store, _id, new| {
        store.put_outcome(&Outcome::blank(new.claim, 5, "1005".to_owned()))
    }),
    ("something else is said", |store, _id, new| {
        let outcome = Outcome::blank(new.claim, 5, "1005".to_owned());
        let status = Status::Skipped;
        store.put_outcome(&Outcome { status, ..outcome })
    }),
    ("it is taken back", |store, _id, new| {
        store.forget_outcome(new.claim, 5)
    }),
    ("the sheet is worked again", |store, _id, new| {
        store.set_claim_state(new.claim, ClaimState::Taken)?;
        store.put_outcome(&Outcome::blank(new.claim, 6, "1006".to_owned()))?;
        store.set_claim_state(new.claim, ClaimState::Done)
    }),
];

#[test]
fn whatever_changes_the_statuses_of_an_ended_sheet_changes_its_number() {
    let book = Book::new();
    let new = book.new_order("1001");
    let claim = book.claim;
    let intended = new.clone();
    let id = book.write(move |store| store.intend(&intended, &at(1))).unwrap();
    let outcome = book.outcome(2, Status::Waiting, Some(id));
    book.write(move |store| {
        store.put_outcome(&outcome)?;
        store.set_claim_state(claim, ClaimState::Done)
    })
    .unwrap();
    let known = || {
        let read = |store: &Store<'_>| Ok((store.claim(claim)?.unwrap().changes, store.statuses_of(claim)?));
        book.ledger.read(read).unwrap()
    };
    let mut before = known();
    for (what, step) in STEPS {
        let new = new.clone();
        book.write(move |store| step(store, id, &new)).unwrap();
        let after = known();
        assert!(before.0 < after.0, "{what}");
        before = after;
    }
    // What the sheet tells of it is written: nothing has changed.
    book.write(move |store| store.forget_news(claim)).unwrap();
    assert_eq!(known(), before);
}

#[test]
fn an_order_that_a_later_sheet_takes_anew_changes_the_earlier_sheet() {
    let book = Book::new();
    let first = book.claim;
    let mut new = book.new_order("1001");
    let intended = new.clone();
    let id = book.write(move |store| store.intend(&intended, &at(1))).unwrap();
    let outcome = book.outcome(2, Status::Waiting, Some(id));
    let account = book.account;
    let second = book.write(move |store| {
        store.put_outcome(&outcome)?;
        store.refused(id, "no such place", None, &at(10))?;
        store.set_claim_state(first, ClaimState::Done)?;
        store.take(&sheet(account, "tuesday"))
    });
    let changes = || {
        book.ledger
            .read(|store| store.claim(first))
            .unwrap()
            .unwrap()
            .changes
    };
    let before = changes();
    new.claim = second.unwrap();
    book.write(move |store| store.intend(&new, &at(20))).unwrap();
    assert!(before < changes());
}
