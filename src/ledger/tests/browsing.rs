//! What people ask of the ledger.

use super::*;
use crate::finding::{Code, Finding};
use crate::ledger::Wanted;
use crate::ledger::state::State;

/// Orders 1 to 3: held, created, unresolved, changed in that order.
fn three(book: &Book) -> [OrderRef; 3] {
    let [one, two, three] = ["1001", "1002", "1003"].map(|id| book.new_order(id));
    book.write(move |store| {
        let held = store.hold(&one, &[], &at(10))?;
        let created = store.intend(&two, &at(20))?;
        store.answered(created, "PW2", None, &at(25))?;
        let lost = store.intend(&three, &at(30))?;
        store.lost(
            lost,
            (crate::ledger::AttemptEnd::Unknown, "no answer"),
            None,
            &at(35),
        )?;
        Ok([held, created, lost])
    })
    .unwrap()
}

#[test]
fn orders_are_listed_newest_change_first_and_chosen_by_state_and_account() {
    let book = Book::new();
    three(&book);
    let other = book
        .write(|store| store.account("other", "https://other.example.com", "b@example.com"))
        .unwrap();
    let listed = |account: Option<AccountRef>, state: Option<State>, most: u32| -> Vec<String> {
        let wanted = Wanted { account, state };
        let found = book
            .ledger
            .read(|store| store.newest_orders(wanted, most))
            .unwrap();
        found.into_iter().map(|order| order.order_id).collect()
    };
    assert_eq!(listed(None, None, 9), ["1003", "1002", "1001"]);
    assert_eq!(listed(None, None, 1), ["1003"]);
    assert_eq!(listed(None, Some(State::Held), 9), ["1001"]);
    assert_eq!(listed(Some(book.account), Some(State::Created), 9), ["1002"]);
    assert_eq!(listed(Some(other), None, 9), [""; 0]);
    assert_eq!(
        book.ledger.read(|store| store.newest_order_ids(2)).unwrap(),
        ["1003", "1002"]
    );
    let by_state = |store: &Store<'_>| store.orders_by_state();
    let counts = book.ledger.read(by_state).unwrap();
    assert_eq!(
        counts,
        [(State::Created, 1), (State::Held, 1), (State::Unresolved, 1)]
    );
    assert_eq!(
        book.ledger.read(|store| store.held_quotes(book.account)).unwrap(),
        [Some(quote(1210))]
    );
}

#[test]
fn an_order_is_found_by_each_of_its_ids() {
    let book = Book::new();
    let mut prefixed = book.new_order("77");
    prefixed.content.order_id = "A-77".to_owned();
    let id = book
        .write(move |store| {
            let id = store.intend(&prefixed, &at(1))?;
            store.answered(id, "PW9", None, &at(2))?;
            Ok(id)
        })
        .unwrap();
    for (name, found) in [
        ("77", 1),
        ("A-77", 1),
        ("PW9", 1),
        ("pw9", 1),
        ("A-7", 0),
        ("", 0),
    ] {
        let orders = book.ledger.read(|store| store.orders_called(name)).unwrap();
        assert_eq!(orders.len(), found, "{name}");
        assert!(orders.iter().all(|order| order.id == id), "{name}");
    }
}

#[test]
fn problems_are_the_newest_sheet_s_first_and_end_when_they_are_mended() {
    let book = Book::new();
    let refused = book.new_order("1001");
    let mut invalid = book.outcome(4, Status::Invalid, None);
    invalid.order_id = "1002".to_owned();
    invalid.findings.push(Finding {
        code: Code::UnknownSku,
        row: 4,
        column: None,
        message: "no such SKU".to_owned(),
        hint: String::new(),
    });
    let (fine, skipped) = (
        book.outcome(8, Status::Quoted, None),
        book.outcome(9, Status::Skipped, None),
    );
    let (mut cancel, mut again) = (invalid.clone(), fine.clone());
    let mut of_refused = book.outcome(2, Status::Waiting, None);
    let account = book.account;
    book.write(move |store| {
        let id = store.intend(&refused, &at(1))?;
        store.refused(id, "too many pieces", None, &at(2))?;
        of_refused.order = Some(id);
        for outcome in [&of_refused, &invalid, &fine, &skipped] {
            store.put_outcome(outcome)?;
        }
        let tuesday = store.take(&sheet(account, "tuesday"))?;
        let mut changed = fine.clone();
        (changed.claim, changed.status) = (tuesday, Status::Changed);
        store.put_outcome(&changed)
    })
    .unwrap();
    let problems = || -> Vec<(String, u32, Status, String)> {
        let found = book.ledger.read(|store| store.newest_problems(9)).unwrap();
        found
            .into_iter()
            .map(|p| (p.sheet_name, p.first_row, p.status, p.note))
            .collect()
    };
    let changed = ("tuesday.csv".to_owned(), 8, Status::Changed, String::new());
    let refused = (
        "monday.csv".to_owned(),
        2,
        Status::Refused,
        "too many pieces".to_owned(),
    );
    let invalid = ("monday.csv".to_owned(), 4, Status::Invalid, String::new());
    assert_eq!(problems(), [changed.clone(), refused, invalid]);
    let (refused, mended) = (book.new_order("1001"), book.new_order("1002"));
    book.write(move |store| {
        store.intend(&refused, &at(3))?;
        store.intend(&mended, &at(3)).map(drop)
    })
    .unwrap();
    assert_eq!(problems(), std::slice::from_ref(&changed));
    // A wrong row of an order that an earlier sheet sent is not mended by that.
    book.write(move |store| {
        cancel.claim = store.take(&sheet(account, "wednesday"))?;
        store.put_outcome(&cancel)
    })
    .unwrap();
    let wrong = ("wednesday.csv".to_owned(), 4, Status::Invalid, String::new());
    assert_eq!(problems(), [wrong.clone(), changed]);
    // A row that came again is told once, where it stands now.
    book.write(move |store| {
        (again.claim, again.status) = (store.take(&sheet(account, "thursday"))?, Status::Changed);
        store.put_outcome(&again)
    })
    .unwrap();
    let changed = ("thursday.csv".to_owned(), 8, Status::Changed, String::new());
    assert_eq!(problems(), [changed, wrong]);
}

#[test]
fn a_refused_order_that_is_dropped_again_and_has_not_left_yet_is_no_problem() {
    let book = Book::new();
    let (new, account) = (book.new_order("1001"), book.account);
    let (mut again, mut outcome) = (new.clone(), book.outcome(2, Status::Waiting, None));
    let tuesday = book
        .write(move |store| {
            let id = store.intend(&new, &at(1))?;
            store.refused(id, "no such city", None, &at(2))?;
            outcome.order = Some(id);
            store.put_outcome(&outcome)?;
            again.claim = store.take(&sheet(account, "tuesday"))?;
            outcome.claim = again.claim;
            store.put_outcome(&outcome)?;
            store.intend(&again, &at(3))?;
            store.not_sent(id, "no connection", &at(4))?;
            Ok(again.claim)
        })
        .unwrap();
    let told = || {
        let read = |store: &Store<'_>| Ok((store.newest_problems(9)?, store.statuses_of(tuesday)?));
        let (problems, statuses) = book.ledger.read(read).unwrap();
        (problems.len(), statuses)
    };
    assert_eq!(told(), (0, vec![(Status::Waiting, 1)]));
    let mut again = book.new_order("1001");
    again.claim = tuesday;
    book.write(move |store| {
        let id = store.intend(&again, &at(5))?;
        store.refused(id, "no such street", None, &at(6)).map(drop)
    })
    .unwrap();
    assert_eq!(told(), (1, vec![(Status::Refused, 1)]));
}

#[test]
fn a_sheet_s_outcomes_are_counted() {
    let book = Book::new();
    let mut outcomes = [2, 3, 4, 5].map(|row| book.outcome(row, Status::Skipped, None));
    for (outcome, order_id) in outcomes.iter_mut().zip(["1001", "", "", "1002"]) {
        outcome.order_id = order_id.to_owned();
    }
    // An order whose id is missing is one.
    outcomes[2].status = Status::Invalid;
    book.write(move |store| outcomes.iter().try_for_each(|outcome| store.put_outcome(outcome)))
        .unwrap();
    assert_eq!(
        book.ledger.read(|store| store.outcomes_of(book.claim)).unwrap(),
        4
    );
    assert_eq!(
        book.ledger
            .read(|store| store.outcomes_of_no_order(book.claim))
            .unwrap(),
        1
    );
    assert_eq!(
        book.ledger.read(|store| store.outcomes_of(ClaimRef(9))).unwrap(),
        0
    );
}

#[test]
fn a_sheet_has_said_what_it_makes_of_an_order_when_its_own_outcome_is_there() {
    let book = Book::new();
    let new = book.new_order("1001");
    let claim = book.claim;
    book.write(move |store| store.intend(&new, &at(1)).map(drop))
        .unwrap();
    let said = || {
        book.ledger.read(|store| {
            let order = store.find_order(book.account, "1001")?.unwrap();
            store.has_outcome_of(claim, &order)
        })
    };
    let other = book.outcome(2, Status::Skipped, None);
    book.write(move |store| store.put_outcome(&other)).unwrap();
    assert!(!said().unwrap(), "that is another order's");
    let mut own = book.outcome(3, Status::Changed, None);
    own.order_id = "1001".to_owned();
    book.write(move |store| store.put_outcome(&own)).unwrap();
    assert!(said().unwrap());
}

#[test]
fn an_order_whose_create_has_not_left_is_not_counted_as_done() {
    let book = Book::new();
    let (first, second) = (book.new_order("1001"), book.new_order("1002"));
    let again = first.clone();
    let not_sent = |since: i64| {
        let (claim, since) = (book.claim, at(since).wall);
        book.ledger
            .read(|store| store.not_sent_since(claim, since))
            .unwrap()
    };
    let id = book
        .write(move |store| {
            store.intend(&second, &at(10))?;
            store.intend(&first, &at(10))
        })
        .unwrap();
    assert_eq!(not_sent(0), 2, "both are under way");
    book.write(move |store| store.not_sent(id, "no connection", &at(20)))
        .unwrap();
    assert_eq!(not_sent(0), 2, "one is tried again");
    assert_eq!(not_sent(21), 0, "by who begins later it is known already");
    book.write(move |store| {
        store.intend(&again, &at(30))?;
        store.answered(id, "PW1", None, &at(30))
    })
    .unwrap();
    assert_eq!(not_sent(0), 1);
}

#[test]
fn what_the_latest_create_came_to_is_told_apart() {
    let book = Book::new();
    let order = book.new_order("1001");
    let said = book
        .write(move |store| {
            let id = store.intend(&order, &at(10))?;
            store.doubted(id, "HTTP 402, “Insufficient balance”", None, &at(15))?;
            Ok((store.last_doubted(id)?, store.last_refusal(id)?))
        })
        .unwrap();
    assert_eq!(said, (Some("HTTP 402, “Insufficient balance”".to_owned()), None));
    let order = book.new_order("1002");
    let said = book
        .write(move |store| {
            let id = store.intend(&order, &at(10))?;
            store.lost(
                id,
                (crate::ledger::AttemptEnd::Unknown, "no answer"),
                None,
                &at(15),
            )?;
            store.last_doubted(id)
        })
        .unwrap();
    assert_eq!(said, None);
}
