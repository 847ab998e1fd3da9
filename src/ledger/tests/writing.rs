//! Group commit: who is answered when, and what a failure undoes.

use std::sync::mpsc;

use super::*;
use crate::ledger::Reader;
use crate::ledger::record::ClaimState;

#[test]
fn nobody_of_a_group_is_answered_before_the_whole_group_is_committed() {
    let book = Book::new();
    // A reader sees the ledger as it stood when it was opened.
    let names = || {
        Reader::open(book.ledger.path())
            .unwrap()
            .read(accounts)
            .unwrap()
            .len()
    };
    let (go_first, first_waits) = mpsc::channel::<()>();
    let (second_runs, second_is_running) = mpsc::channel();
    let (go_second, second_waits) = mpsc::channel::<()>();
    let mut first = book.ledger.writer.call(move |store| {
        // The second is queued meanwhile, so that both are one group.
        first_waits.recv().unwrap();
        store.account("first", "https://first.example.com", "a@example.com")
    });
    let second = book.ledger.writer.call(move |store| {
        second_runs.send(()).unwrap();
        second_waits.recv().unwrap();
        store.account("second", "https://second.example.com", "b@example.com")
    });
    go_first.send(()).unwrap();
    second_is_running.recv().unwrap();
    assert!(first.try_recv().is_err(), "its work is done, but not committed");
    assert_eq!(names(), 1, "nobody sees what is not committed");
    go_second.send(()).unwrap();
    first.blocking_recv().unwrap().unwrap();
    second.blocking_recv().unwrap().unwrap();
    assert_eq!(names(), 3);
}

#[test]
fn a_statement_that_fails_undoes_its_whole_group_and_ends_all_writing() {
    let book = Book::new();
    let (go, waits) = mpsc::channel::<()>();
    let good = book.ledger.writer.call(move |store| {
        waits.recv().unwrap();
        store.account("good", "https://good.example.com", "a@example.com")
    });
    let mut unknown_sheet = book.outcome(2, Status::Invalid, None);
    unknown_sheet.claim = ClaimRef(77);
    let bad = book
        .ledger
        .writer
        .call(move |store| store.put_outcome(&unknown_sheet));
    go.send(()).unwrap();
    let good = good.blocking_recv().unwrap();
    assert!(matches!(good, Err(LedgerError::Commit { .. })), "{good:?}");
    let bad = bad.blocking_recv().unwrap();
    assert!(matches!(bad, Err(LedgerError::Commit { .. })), "{bad:?}");
    assert_eq!(book.ledger.read(accounts).unwrap().len(), 1);
    let later = book.write(|store| store.account("later", "https://later.example.com", "c@example.com"));
    assert!(matches!(later, Err(LedgerError::Failed { .. })), "{later:?}");
}

#[test]
fn work_of_which_a_reading_fails_is_not_committed_half_and_work_that_is_refused_ends_nothing() {
    let book = Book::new();
    let (new, claim) = (book.new_order("1001"), book.claim);
    let id = book.write(move |store| store.intend(&new, &at(1))).unwrap();
    let refused = book.write(move |store| store.abandon(id, &at(2)));
    assert!(matches!(refused, Err(LedgerError::Illegal { .. })), "{refused:?}");
    let other = book.write(|store| store.account("main", "https://other.example.com", "a@example.com"));
    assert!(
        matches!(other, Err(LedgerError::OtherAccount { .. })),
        "{other:?}"
    );
    let halfway = book.write(move |store| {
        store.set_claim_state(claim, ClaimState::Done)?;
        // Nobody has written such an order: as what cannot be read.
        store.hold_again((OrderRef(77), 1), &[], None, &at(3))
    });
    assert!(matches!(halfway, Err(LedgerError::Commit { .. })), "{halfway:?}");
    let stands = book.ledger.read(|store| store.claim(claim)).unwrap().unwrap();
    assert_eq!(stands.state, ClaimState::Taken);
}

#[test]
fn work_that_is_refused_after_it_has_written_something_is_not_committed_half() {
    let book = Book::new();
    let (new, claim) = (book.new_order("1001"), book.claim);
    let id = book.write(move |store| store.intend(&new, &at(1))).unwrap();
    let halfway = book.write(move |store| {
        store.set_claim_state(claim, ClaimState::Done)?;
        store.abandon(id, &at(2))
    });
    assert!(matches!(halfway, Err(LedgerError::Commit { .. })), "{halfway:?}");
    let stands = book.ledger.read(|store| store.claim(claim)).unwrap().unwrap();
    assert_eq!(stands.state, ClaimState::Taken);
}

/// Where a disk is full in the midst of a transaction, SQLite undoes all of it: what is written after that stands alone.
#[test]
fn after_a_statement_that_has_failed_nothing_of_its_group_is_written() {
    let book = Book::new();
    let mut unknown_sheet = book.outcome(2, Status::Invalid, None);
    unknown_sheet.claim = ClaimRef(77);
    let claim = book.claim;
    let (tell, told) = mpsc::channel();
    let tried = book.write(move |store| {
        let failed = store.put_outcome(&unknown_sheet);
        tell.send(store.mark_stale(claim)).unwrap();
        failed
    });
    assert!(tried.is_err());
    let later = told.recv().unwrap();
    assert!(matches!(later, Err(LedgerError::Failed { .. })), "{later:?}");
}

#[test]
fn what_was_answered_is_there_when_the_ledger_is_opened_again() {
    let book = Book::new();
    let new = book.new_order("1001");
    let id = book.write(move |store| store.intend(&new, &at(1))).unwrap();
    let path = book.ledger.path().to_owned();
    drop(book.ledger);
    let again = Ledger::open(&path, "again").unwrap();
    let order = again.read(|store| store.order(id)).unwrap().unwrap();
    assert_eq!(order.order_id, "1001");
}
