//! Orders of which the service has more than it should, and what a look for them takes off.

use super::*;
use crate::ledger::LookAtOthers;

/// An order of which the service has these too, besides PW1.
fn with_others(book: &Book, others: &[&'static str]) -> OrderRef {
    let id = lost(book, "1001");
    found(book, id, "PW1");
    for pw in others {
        let listed = there("1001", pw, 2);
        book.write(move |store| {
            store.put_listed(book_account(), &listed)?;
            store.note_another(id, &listed)
        })
        .unwrap();
    }
    id
}

fn lower(book: &Book, id: OrderRef, look: LookAtOthers) -> Option<String> {
    book.write(move |store| store.lower_others(id, &look, &at(300)))
        .unwrap()
}

fn surplus(book: &Book, id: OrderRef) -> Vec<String> {
    let order = book.order(id);
    let listed = book.ledger.read(|store| store.surplus(&order)).unwrap();
    listed.into_iter().map(|one| one.pw_order_id).collect()
}

#[test]
fn a_whole_look_for_an_order_lowers_how_many_there_are_too_many_and_no_other_does() {
    let canceled = |pw| ListedRecord {
        canceled: Some(true),
        ..there("1001", pw, 2)
    };
    let ids = |ids: &[&str]| -> Vec<String> { ids.iter().map(|id| (*id).to_owned()).collect() };
    let look = |shown: Vec<ListedRecord>, over: &[&str], gone: &[&str], is_whole| LookAtOthers {
        shown,
        over: ids(over),
        gone: ids(gone),
        is_whole,
    };
    let live = |pw| there("1001", pw, 2);
    for (what, look, left) in [
        (
            "both are there",
            look(vec![live("PW8"), live("PW9")], &[], &[], true),
            2,
        ),
        (
            "one is canceled",
            look(vec![live("PW8"), canceled("PW9")], &["PW9"], &[], true),
            1,
        ),
        (
            "one is paid back",
            look(vec![live("PW8"), live("PW9")], &["PW8"], &[], true),
            1,
        ),
        ("one is gone", look(vec![live("PW8")], &[], &["PW9"], true), 1),
        (
            "none is left",
            look(vec![canceled("PW8")], &["PW8"], &["PW9"], true),
            0,
        ),
        (
            "one is not shown, and not known to be gone",
            look(vec![live("PW8")], &[], &[], true),
            2,
        ),
        (
            "it is no whole look",
            look(
                vec![canceled("PW8"), canceled("PW9")],
                &["PW8", "PW9"],
                &[],
                false,
            ),
            2,
        ),
        (
            "there is a third",
            look(vec![live("PW7"), live("PW8"), live("PW9")], &[], &[], true),
            2,
        ),
    ] {
        let book = Book::new();
        let id = with_others(&book, &["PW8", "PW9"]);
        assert_eq!(book.order(id).others, 2);
        let told = lower(&book, id, look);
        assert_eq!(
            (book.order(id).others, told.is_some()),
            (left, left < 2),
            "{what}"
        );
        let alarms = book
            .ledger
            .read(|store| store.alarms(book.account, at(0).wall))
            .unwrap();
        assert_eq!(alarms.len(), usize::from(left > 0), "{what}");
    }
}

#[test]
fn what_was_taken_off_is_counted_again_when_it_is_listed_again_and_a_count_leaves_out_what_is_canceled() {
    let book = Book::new();
    let id = with_others(&book, &["PW8", "PW9"]);
    assert_eq!(surplus(&book, id), ["PW8", "PW9"]);
    let canceled = ListedRecord {
        canceled: Some(true),
        ..there("1001", "PW8", 2)
    };
    let look = LookAtOthers {
        shown: vec![canceled.clone()],
        gone: vec!["PW9".to_owned()],
        is_whole: true,
        ..LookAtOthers::default()
    };
    assert!(lower(&book, id, look).is_some());
    assert_eq!(
        (book.order(id).others, surplus(&book, id)),
        (0, vec!["PW8".to_owned()])
    );
    let both = vec![there("1001", "PW1", 2), canceled];
    assert_eq!(count(&book, (1, false), both).others, 0);
    let again = there("1001", "PW9", 2);
    let is_news = book.write(move |store| {
        let is_new = store.put_listed(book_account(), &again)?;
        Ok(is_new && store.note_another(id, &again)?)
    });
    assert!(is_news.unwrap());
    assert_eq!(book.order(id).others, 1);
}

#[test]
fn one_too_many_in_another_writing_is_named_where_no_other_is_left_and_what_holds_something_else_is_none() {
    let book = Book::new();
    let id = with_others(&book, &["PW8"]);
    book.write(|store| {
        for listed in [there("#1001", "PW6", 2), there("1001", "PW5", 3)] {
            store.put_listed(book_account(), &listed)?;
        }
        Ok(())
    })
    .unwrap();
    assert_eq!(surplus(&book, id), ["PW8"]);
    book.write(|store| store.listed_is_canceled(book_account(), "PW8"))
        .unwrap();
    assert_eq!(surplus(&book, id), ["PW8", "PW6"]);
}
