//! What a ledger that was put back from before has forgotten.

use super::*;
use crate::ledger::record::{Forgotten, Recall};

fn forgotten(account: AccountRef, hash: &str, newest: ClaimRef) -> Forgotten {
    Forgotten {
        inbox: "main".to_owned(),
        name: "2026-11-21_0914_monday.csv".to_owned(),
        account,
        hash: hash.to_owned(),
        newest,
        found_at: at(7).wall,
    }
}

#[test]
fn a_forgotten_original_is_told_until_its_bytes_are_taken_again_to_be_sent() {
    let book = Book::new();
    let (account, first) = (book.account, book.claim);
    let told = |store: &Store<'_>| store.forgotten(9).map(|all| all.len());
    let same = "0".repeat(64);
    let found = forgotten(account, &same, first);
    let took = |stem: &'static str, inbox: &'static str, purpose: Purpose| {
        let new = NewClaim {
            inbox: inbox.to_owned(),
            purpose,
            ..sheet(account, stem)
        };
        book.ledger.write_blocking(move |store| store.take(&new)).unwrap()
    };
    let put = found.clone();
    book.ledger
        .write_blocking(move |store| store.put_forgotten(&put))
        .unwrap();
    let all = book.ledger.read(|store| store.forgotten(9)).unwrap();
    assert_eq!(all, std::slice::from_ref(&found));
    took("tried", "main", Purpose::Try);
    took("elsewhere", "other", Purpose::Send);
    assert_eq!(book.ledger.read(told).unwrap(), 1);
    let last = took("again", "main", Purpose::Send);
    assert_eq!(book.ledger.read(told).unwrap(), 0);
    // Found once more where it was left lying: it is settled all the same. Other bytes are another sheet.
    let put = forgotten(account, &same, last);
    book.ledger
        .write_blocking(move |store| store.put_forgotten(&put))
        .unwrap();
    assert_eq!(book.ledger.read(told).unwrap(), 0);
    let put = forgotten(account, &"1".repeat(64), last);
    book.ledger
        .write_blocking(move |store| store.put_forgotten(&put))
        .unwrap();
    assert_eq!(book.ledger.read(told).unwrap(), 1);
    book.ledger
        .write_blocking(move |store| store.end_forgotten("main", &found.name))
        .unwrap();
    assert_eq!(book.ledger.read(told).unwrap(), 0);
}

#[test]
fn an_inbox_is_gone_through_from_the_earliest_moment_until_that_is_done() {
    let book = Book::new();
    let recall = || book.ledger.read(|store| store.recall("main")).unwrap();
    let begin = |since: Option<i64>| {
        let since = since.map(|since| at(since).wall);
        book.ledger
            .write_blocking(move |store| store.begin_recall("main", since))
            .unwrap();
    };
    assert_eq!(recall(), None);
    begin(Some(5));
    let first = Recall {
        inbox: "main".to_owned(),
        since: Some(at(5).wall),
        newest: book.claim,
        trouble: None,
    };
    assert_eq!(recall(), Some(first.clone()));
    begin(Some(7));
    assert_eq!(recall(), Some(first.clone()));
    let trouble = |why: &'static str, millis: i64| {
        let now = at(millis).wall;
        book.ledger
            .write_blocking(move |store| store.set_recall_trouble("main", why, now))
            .unwrap()
    };
    assert!(trouble("away", 8) && !trouble("away", 9) && trouble("locked", 10));
    let told = Some(("locked".to_owned(), at(8).wall));
    assert_eq!(recall().unwrap().trouble, told);
    begin(None);
    assert_eq!(
        recall().map(|recall| (recall.since, recall.trouble)),
        Some((None, None))
    );
    // It was begun once more, with another sheet known, while it was gone through.
    let new = sheet(book.account, "tuesday");
    book.ledger.write_blocking(move |store| store.take(&new)).unwrap();
    begin(Some(3));
    book.ledger
        .write_blocking(move |store| store.end_recall(&first))
        .unwrap();
    let last = recall().unwrap();
    assert_eq!(last.since, None);
    book.ledger
        .write_blocking(move |store| store.end_recall(&last))
        .unwrap();
    assert_eq!(recall(), None);
}
