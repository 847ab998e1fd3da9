//! Orders that ever had a create without an answer, counted at the service again.

mod others;

use super::*;
use crate::ledger::record::{ListedRecord, Seen};
use crate::ledger::state::State;
use crate::ledger::{AttemptEnd, Audit, Counted};
use crate::reconcile::{Addressee, Signature};

/// An order at the service with the name and content of [`Book::new_order`].
fn there(order_id: &str, pw_order_id: &str, quantity: u32) -> ListedRecord {
    ListedRecord {
        order_id: order_id.to_owned(),
        pw_order_id: pw_order_id.to_owned(),
        signature: Signature::new([("TEE-S", quantity)].into_iter(), Some("US")),
        zip: None,
        addressee: Addressee::default(),
        entered_at: Some(at(2).wall),
        canceled: None,
    }
}

/// An order that was lost at 2 and is to be audited.
fn lost(book: &Book, id: &str) -> OrderRef {
    let new = book.new_order(id);
    book.write(move |store| {
        let id = store.intend(&new, &at(1))?;
        store.lost(id, (AttemptEnd::Unknown, "no answer"), None, &at(2))?;
        Ok(id)
    })
    .unwrap()
}

fn open(book: &Book) -> Vec<Audit> {
    book.ledger.read(|store| store.open_audits(book.account)).unwrap()
}

fn count(book: &Book, rounds: (u32, bool), orders: Vec<ListedRecord>) -> Counted {
    let audit = open(book).remove(0);
    book.write(move |store| store.count_at_service(&audit, rounds, &orders, &at(100)))
        .unwrap()
}

fn found(book: &Book, id: OrderRef, pw_order_id: &str) {
    let seen = Seen {
        pw_order_id: pw_order_id.to_owned(),
        ..Seen::default()
    };
    book.write(move |store| store.found(id, &seen, 0, &at(3)))
        .unwrap();
}

#[test]
fn what_was_answered_at_once_is_not_audited_and_what_was_lost_is_until_its_last_round() {
    let book = Book::new();
    let new = book.new_order("1000");
    book.write(move |store| {
        let id = store.intend(&new, &at(1))?;
        store.answered(id, "PW0", None, &at(2))
    })
    .unwrap();
    assert!(open(&book).is_empty());
    let id = lost(&book, "1001");
    found(&book, id, "PW1");
    let audit = open(&book).remove(0);
    assert_eq!((audit.rounds, audit.first_intended_at), (0, at(1).wall));
    let alone = count(&book, (1, false), vec![there("1001", "PW1", 2)]);
    assert_eq!(
        alone,
        Counted {
            there: 1,
            others: 0,
            is_news: false,
            after_all: false,
        }
    );
    assert_eq!(open(&book)[0].rounds, 1);
    count(&book, (2, true), vec![there("1001", "PW1", 2)]);
    assert!(open(&book).is_empty());
}

#[test]
fn a_further_create_begins_the_rounds_anew() {
    let book = Book::new();
    let id = lost(&book, "1001");
    count(&book, (2, true), Vec::new());
    assert!(open(&book).is_empty());
    book.write(move |store| {
        store.intend_absent(id, 1, "its absence is proved", &at(200))?;
        store.answered(id, "PW2", None, &at(201))
    })
    .unwrap();
    let audit = open(&book).remove(0);
    assert_eq!((audit.rounds, audit.since), (0, at(201).boot));
}

#[test]
fn a_second_order_is_news_once_and_its_sheet_is_written_again() {
    let book = Book::new();
    let id = lost(&book, "1001");
    found(&book, id, "PW1");
    let outcome = book.outcome(2, Status::Waiting, Some(id));
    let claim = book.claim;
    book.write(move |store| {
        store.put_outcome(&outcome)?;
        store.forget_news(claim)
    })
    .unwrap();
    let both = || vec![there("1001", "PW1", 2), there("1001", "PW9", 2)];
    let first = count(&book, (1, false), both());
    assert_eq!((first.there, first.others, first.is_news), (2, 1, true));
    assert!(book.ledger.read(|store| store.news(claim)).unwrap() > 0);
    let again = count(&book, (2, true), both());
    assert_eq!((again.others, again.is_news), (1, false));
    let several = book
        .ledger
        .read(|store| store.flagged_orders(Timestamp::MIN, 10))
        .unwrap();
    assert_eq!(several.len(), 1);
    // The hourly reading of the list finds the same one, and one more.
    let walked = |pw: &'static str| {
        book.write(move |store| {
            let listed = there("1001", pw, 2);
            store.put_listed(book_account(), &listed)?;
            store.note_another(id, &listed)
        })
        .unwrap()
    };
    assert!(!walked("PW9"), "known from the audit");
    assert!(walked("PW10"));
    assert_eq!(book.order(id).others, 2);
}

/// The account of every [`Book`].
fn book_account() -> AccountRef {
    AccountRef(1)
}

#[test]
fn orders_of_other_content_or_from_before_are_not_one_too_many() {
    let book = Book::new();
    let id = lost(&book, "1001");
    found(&book, id, "PW1");
    let older = ListedRecord {
        entered_at: Some(at(-3 * 60 * 60 * 1000).wall),
        ..there("1001", "PW8", 2)
    };
    let counted = count(
        &book,
        (1, false),
        vec![there("1001", "PW1", 2), there("1001", "PW7", 3), older.clone()],
    );
    assert_eq!((counted.there, counted.others), (1, 0));
    assert!(!book.write(move |store| store.note_another(id, &older)).unwrap());
}

#[test]
fn what_was_made_while_creates_were_put_off_for_hours_is_not_older_than_the_first_of_them() {
    const HOURS: i64 = 3 * 60 * 60 * 1000;
    let book = Book::new();
    let new = book.new_order("1001");
    let put_off = |from: i64| {
        let new = new.clone();
        book.write(move |store| {
            let id = store.intend(&new, &at(from))?;
            store.not_sent(id, "429", &at(from + 1))?;
            Ok(id)
        })
        .unwrap()
    };
    let early = there("1001", "PW9", 2);
    let id = put_off(1);
    let noted = {
        let early = early.clone();
        book.write(move |store| {
            store.put_listed(book_account(), &early)?;
            store.note_another(id, &early)
        })
    };
    assert!(!noted.unwrap(), "no create of ours has left");
    put_off(HOURS);
    let again = new.clone();
    book.write(move |store| {
        store.intend(&again, &at(2 * HOURS))?;
        store.answered(id, "PW1", None, &at(2 * HOURS + 1))
    })
    .unwrap();
    assert!(book.write(move |store| store.note_another(id, &early)).unwrap());
    assert_eq!(book.order(id).others, 1);
}

#[test]
fn an_order_that_was_ruled_out_and_canceled_is_one_too_many_when_it_comes_to_be() {
    let book = Book::new();
    let id = lost(&book, "1001");
    let counted = count(&book, (1, false), vec![there("1001", "PW1", 2)]);
    assert_eq!(counted.others, 0, "its look-up adopts it");
    book.write(move |store| {
        store.ask_cancel(id, "a cancel is asked for", &at(50))?;
        store.ruled_out(id, "it is not at the service", &at(60))
    })
    .unwrap();
    let counted = count(&book, (2, true), vec![there("1001", "PW1", 2)]);
    assert_eq!((counted.others, counted.is_news), (1, true));
}

#[test]
fn an_order_that_was_given_up_and_comes_to_be_is_ours_and_told_until_it_is_canceled() {
    let book = Book::new();
    let id = lost(&book, "1001");
    book.write(move |store| store.abandon(id, &at(50))).unwrap();
    let counted = count(&book, (1, false), vec![there("1001", "PW7", 3)]);
    assert_eq!(
        (counted.there, counted.others),
        (0, 0),
        "with other content it is not"
    );
    assert_eq!(book.order(id).state, State::Abandoned);
    let younger = ListedRecord {
        entered_at: Some(at(3).wall),
        ..there("1001", "PW1", 2)
    };
    // A ledger may have one of them as somebody else's.
    book.write(move |store| {
        let listed = there("1001", "PW2", 2);
        store.put_listed(book_account(), &listed)?;
        store.note_another(id, &listed)
    })
    .unwrap();
    let counted = count(&book, (2, true), vec![younger, there("1001", "PW2", 2)]);
    assert_eq!((counted.there, counted.others, counted.after_all), (2, 1, true));
    let listed = book.ledger.read(|store| store.listed(book_account(), "1001"));
    let listed: Vec<String> = listed.unwrap().into_iter().map(|one| one.pw_order_id).collect();
    assert_eq!(listed, ["PW1"]);
    let order = book.order(id);
    assert_eq!(
        (order.state, order.pw_order_id.as_deref(), order.others),
        (State::Created, Some("PW2"), 1)
    );
    let told = || {
        let told = book.ledger.read(|store| store.there_after_all(at(99).wall, 10));
        let told = told.unwrap().into_iter();
        told.map(|(order, was, since)| (order.id, was, since))
            .collect::<Vec<_>>()
    };
    assert_eq!(told(), [(id, State::Abandoned, at(100).wall)]);
    let since = book.ledger.read(|store| store.there_after_all(at(101).wall, 10));
    assert!(since.unwrap().is_empty(), "for so long");
    book.write(move |store| store.ask_cancel(id, "a cancel is asked for", &at(200)))
        .unwrap();
    assert!(told().is_empty());
}

#[test]
fn an_order_to_another_zip_is_not_the_one_that_was_given_up() {
    let book = Book::new();
    let mut new = book.new_order("1001");
    "43004".clone_into(&mut new.content.ship_to.zip);
    let id = book
        .write(move |store| {
            let id = store.intend(&new, &at(1))?;
            store.lost(id, (AttemptEnd::Unknown, "no answer"), None, &at(2))?;
            store.abandon(id, &at(50))?;
            Ok(id)
        })
        .unwrap();
    let to = |zip: &str| ListedRecord {
        zip: Some(zip.to_owned()),
        ..there("1001", "PW1", 2)
    };
    let seen = || Seen {
        pw_order_id: "PW1".to_owned(),
        ..Seen::default()
    };
    let theirs = to("99999");
    let found = book.write(move |store| store.find_after_all(id, &theirs, &seen(), &at(60)));
    assert!(!found.unwrap());
    let counted = count(&book, (1, false), vec![to("99999")]);
    assert_eq!((counted.there, counted.others, counted.after_all), (0, 0, false));
    let ours = to("43004-1234");
    let found = book.write(move |store| store.find_after_all(id, &ours, &seen(), &at(70)));
    assert!(found.unwrap(), "with the digits of its street it is");
}

#[test]
fn what_a_look_up_finds_before_it_is_sent_anew_is_no_news_for_a_person() {
    let book = Book::new();
    let id = lost(&book, "1001");
    book.write(move |store| store.abandon(id, &at(2))).unwrap();
    found(&book, id, "PW1");
    let told = book
        .ledger
        .read(|store| store.there_after_all(Timestamp::MIN, 10));
    assert!(told.unwrap().is_empty());
}

#[test]
fn what_was_never_sent_with_its_content_is_not_taken_as_created() {
    let book = Book::new();
    let new = book.new_order("1001");
    let id = book
        .write(move |store| {
            let id = store.intend(&new, &at(1))?;
            store.refused(id, "no", None, &at(2))?;
            store.intend(&new, &at(3))?;
            store.not_sent(id, "it is away", &at(4))?;
            Ok(id)
        })
        .unwrap();
    let seen = Seen {
        pw_order_id: "PW1".to_owned(),
        ..Seen::default()
    };
    let found = book.write(move |store| store.find_after_all(id, &there("1001", "PW1", 2), &seen, &at(5)));
    assert!(!found.unwrap());
    assert_eq!(book.order(id).state, State::Refused);
}

#[test]
fn what_was_given_up_and_comes_to_be_beside_what_replaced_it_is_one_too_many() {
    let book = Book::new();
    let id = lost(&book, "1001");
    let mut other = book.new_order("1001");
    other.content.lines[0].quantity = 7;
    book.write(move |store| {
        store.abandon(id, &at(3))?;
        store.intend(&other, &at(4))?;
        store.answered(id, "PW7", None, &at(5))
    })
    .unwrap();
    let there = |pw, quantity| there("1001", pw, quantity);
    let counted = count(&book, (1, false), vec![there("PW7", 7), there("PW2", 2)]);
    assert_eq!((counted.others, counted.is_news), (1, true));
    assert_eq!(book.order(id).pw_order_id.as_deref(), Some("PW7"));
}

#[test]
fn an_order_that_a_person_has_named_is_neither_ruled_out_nor_named_again() {
    let book = Book::new();
    let id = lost(&book, "1001");
    book.write(move |store| store.ask_cancel(id, "a cancel is asked for", &at(3)))
        .unwrap();
    found(&book, id, "PW1");
    let late = book.write(move |store| store.ruled_out(id, "it is not at the service", &at(4)));
    assert!(matches!(late, Err(LedgerError::Illegal { .. })), "{late:?}");
    let seen = Seen {
        pw_order_id: "PW2".to_owned(),
        ..Seen::default()
    };
    let late = book.write(move |store| store.found(id, &seen, 0, &at(5)));
    assert!(matches!(late, Err(LedgerError::Illegal { .. })), "{late:?}");
    assert_eq!(book.order(id).pw_order_id.as_deref(), Some("PW1"));
}

/// An order that was answered with an id.
fn answered(book: &Book, id: &str, pw_order_id: &'static str) -> OrderRef {
    let new = book.new_order(id);
    book.write(move |store| {
        let id = store.intend(&new, &at(1))?;
        store.answered(id, pw_order_id, None, &at(2))?;
        Ok(id)
    })
    .unwrap()
}

fn take_shown(book: &Book, id: OrderRef, listed: ListedRecord) -> bool {
    let seen = Seen {
        pw_order_id: listed.pw_order_id.clone(),
        order_name: listed.order_id.clone(),
        entered_at: listed.entered_at,
        ..Seen::default()
    };
    book.write(move |store| store.take_shown_id(id, &listed, &seen, &at(3)))
        .unwrap()
}

#[test]
fn an_id_that_the_list_shows_is_taken_once_for_one_that_it_never_showed() {
    let book = Book::new();
    let id = answered(&book, "1001", "internal-1");
    let other = answered(&book, "1002", "PW2");
    assert!(!take_shown(&book, id, there("1001", "PW1", 3)), "other content");
    // What the list has shown as another order is that one's, and what another was answered with alone is not.
    let third = answered(&book, "1003", "PW3");
    let own = Seen {
        pw_order_id: "PW3".to_owned(),
        entered_at: Some(at(2).wall),
        ..Seen::default()
    };
    book.write(move |store| store.see(third, &own, &at(3))).unwrap();
    assert!(!take_shown(&book, id, there("1001", "PW3", 2)), "another order's");
    let fourth = answered(&book, "1004", "internal-4");
    let mistaken = answered(&book, "1005", "PW5");
    assert!(take_shown(&book, fourth, there("1004", "PW5", 2)));
    assert_eq!(book.order(mistaken).state, State::Unresolved);
    assert!(take_shown(&book, id, there("1001", "PW1", 2)));
    assert_eq!(book.order(id).pw_order_id.as_deref(), Some("PW1"));
    // From now on a second one is one too many.
    assert!(!take_shown(&book, id, there("1001", "PW9", 2)));
    let second = there("1001", "PW9", 2);
    let is_told = book.write(move |store| {
        store.put_listed(book_account(), &second)?;
        store.note_another(id, &second)
    });
    assert!(is_told.unwrap());
    // Where the list has shown the id that was answered, another one is no other writing of it.
    let own = Seen {
        pw_order_id: "PW2".to_owned(),
        entered_at: Some(at(2).wall),
        ..Seen::default()
    };
    book.write(move |store| store.see(other, &own, &at(3))).unwrap();
    assert!(!take_shown(&book, other, there("1002", "PW8", 2)));
}

#[test]
fn beside_a_create_without_an_answer_an_id_that_the_list_shows_may_be_a_second_order_s() {
    let book = Book::new();
    let id = lost(&book, "1001");
    found(&book, id, "internal-1");
    assert!(!take_shown(&book, id, there("1001", "PW1", 2)));
    assert_eq!(book.order(id).pw_order_id.as_deref(), Some("internal-1"));
}
