//! Orders through every operation of the store.

use super::*;
use crate::finding::Code;
use crate::ledger::AttemptEnd;
use crate::ledger::record::Seen;
use crate::ledger::state::{Event, State, next};
use crate::quote::Hold;

/// What is done to an order, by the store's own names.
#[derive(Clone, Copy, Debug)]
enum Operation {
    Intend,
    IntendAbsent,
    Hold,
    CancelUnsent,
    Answered,
    Refused,
    NotSent,
    Lost,
    Found,
    AskCancel,
    CancelConfirmed,
    CancelRefused,
    RuledOut,
    Abandon,
}

use Operation as O;

const OPERATIONS: [Operation; 14] = [
    O::Intend,
    O::IntendAbsent,
    O::Hold,
    O::CancelUnsent,
    O::Answered,
    O::Refused,
    O::NotSent,
    O::Lost,
    O::Found,
    O::AskCancel,
    O::CancelConfirmed,
    O::CancelRefused,
    O::RuledOut,
    O::Abandon,
];

/// How an order comes into a state.
const WAYS: [(State, &[Operation]); 10] = [
    (State::New, &[O::Intend, O::NotSent]),
    (State::Held, &[O::Hold]),
    (State::Sending, &[O::Intend]),
    (State::Unresolved, &[O::Intend, O::Lost]),
    (State::Created, &[O::Intend, O::Answered]),
    (State::Canceling, &[O::Intend, O::Answered, O::AskCancel]),
    (State::Canceled, &[O::CancelUnsent]),
    (State::Refused, &[O::Intend, O::Refused]),
    (State::Abandoned, &[O::Intend, O::Lost, O::Abandon]),
    (State::Declined, &[O::Hold, O::AskCancel]),
];

fn found() -> Seen {
    Seen {
        pw_order_id: "PW1".to_owned(),
        ..Seen::default()
    }
}

impl Operation {
    fn run(self, store: &Store<'_>, new: &NewOrder) -> Result<(), LedgerError> {
        let now = &at(5);
        let known = store.find_order(new.account, &new.content.order_id)?;
        let (id, sends) = known.map_or((OrderRef(0), 0), |order| (order.id, order.sends));
        let holds = [Hold {
            code: Code::NeedsApproval,
            message: "Every order waits for approval.".to_owned(),
        }];
        match self {
            O::Intend => store.intend(new, now).map(drop),
            O::IntendAbsent => store.intend_absent(id, sends, "it is absent", now).map(drop),
            O::Hold => store.hold(new, &holds, now).map(drop),
            O::CancelUnsent => store.cancel_unsent(new, "a test", now).map(drop),
            O::Answered => store.answered(id, "PW1", None, now),
            O::Refused => store.refused(id, "no such SKU", None, now).map(drop),
            O::NotSent => store.not_sent(id, "no connection", now),
            O::Lost => store.lost(id, (AttemptEnd::Unknown, "no answer"), None, now),
            O::Found => store.found(id, &found(), 0, now),
            O::AskCancel => store.ask_cancel(id, "a test", now).map(drop),
            O::CancelConfirmed => store.cancel_confirmed(id, "canceled", now),
            O::CancelRefused => store.cancel_refused(id, "in production", now),
            O::RuledOut => store.ruled_out(id, "it is not at the service", now),
            O::Abandon => store.abandon(id, now),
        }
    }

    /// The event that the operation is.
    fn event(self, order: &OrderRecord) -> Event {
        match self {
            O::Intend | O::IntendAbsent => Event::Intend,
            O::Hold => Event::Hold,
            O::CancelUnsent | O::AskCancel => Event::AskCancel,
            O::Answered => Event::Answered,
            O::Refused => Event::Refuse {
                earlier_unanswered: order.unanswered > 0,
            },
            O::NotSent => Event::NotSent {
                came_from: order.came_from,
            },
            O::Lost => Event::Lose,
            O::Found => Event::Find,
            O::CancelConfirmed => Event::CancelConfirmed,
            O::CancelRefused => Event::CancelRefused,
            O::RuledOut => Event::RuleOut,
            O::Abandon => Event::Abandon,
        }
    }
}

/// Does all of it to one order, and gives the order.
fn put(book: &Book, order_id: &str, operations: &'static [Operation]) -> OrderRef {
    let new = book.new_order(order_id);
    book.write(move |store| {
        operations
            .iter()
            .try_for_each(|operation| operation.run(store, &new))?;
        store.find_order(new.account, &new.content.order_id)
    })
    .unwrap()
    .unwrap()
    .id
}

/// All that is known of an order, to be compared.
fn everything(book: &Book, id: OrderRef) -> String {
    let all = |store: &Store<'_>| {
        Ok((
            store.order(id)?,
            store.events(id)?,
            store.attempts(id)?,
            store.absence(id)?,
        ))
    };
    format!("{:?}", book.ledger.read(all).unwrap())
}

#[test]
fn every_operation_leaves_the_state_that_follows_and_one_event_or_nothing_at_all() {
    let book = Book::new();
    for (state, way) in WAYS {
        for operation in OPERATIONS {
            let case = format!("{operation:?} of an order that is {state}");
            let id = put(&book, &case, way);
            let (order, trail, before) = (book.order(id), book.trail(id), everything(&book, id));
            assert_eq!(order.state, state, "{way:?}");
            let new = book.new_order(&case);
            let done = book.write(move |store| operation.run(store, &new));
            // What is named is neither found nor proved to be absent.
            let is_named = order.pw_order_id.is_some() && matches!(operation, O::Found | O::RuledOut);
            // Absence is of no account where the service is known not to have the order, or nobody looks for it.
            let needs_no_proof = state != State::Unresolved && matches!(operation, O::IntendAbsent);
            match next(state, operation.event(&order)) {
                Ok(follows) if !is_named && !needs_no_proof => {
                    done.unwrap_or_else(|error| panic!("{case}: {error}"));
                    assert_eq!(book.order(id).state, follows, "{case}");
                    let mut longer = trail;
                    longer.push((state.word().to_owned(), follows.word().to_owned()));
                    assert_eq!(book.trail(id), longer, "{case}");
                }
                Ok(_) | Err(_) => {
                    assert!(
                        matches!(done, Err(LedgerError::Illegal { .. })),
                        "{case}: {done:?}"
                    );
                    assert_eq!(everything(&book, id), before, "{case}");
                }
            }
        }
    }
}

#[test]
fn content_is_erased_when_an_order_is_created_declined_or_canceled_and_not_before() {
    let book = Book::new();
    for (state, way) in WAYS {
        let order = book.order(put(&book, state.word(), way));
        let erased = matches!(
            state,
            // A canceling one was created before.
            State::Created | State::Declined | State::Canceled | State::Canceling
        );
        assert_eq!(order.content.is_none(), erased, "{state}");
    }
}

#[test]
fn nothing_of_an_address_is_left_in_the_file_when_it_is_erased() {
    const ORDERS: usize = 300;
    const UNDER_WAY: usize = 40;
    let book = Book::new();
    let step = |number: usize, operation: Operation| {
        let mut new = book.new_order(&format!("{number}"));
        new.content.ship_to.name = format!("Ann Example {number}");
        new.content.ship_to.address1 = "12 Hidden Street".repeat(number % 9);
        book.write(move |store| operation.run(store, &new)).unwrap();
    };
    for number in 0..ORDERS + UNDER_WAY {
        if number < ORDERS {
            step(number, O::Intend);
        }
        if let Some(answered) = number.checked_sub(UNDER_WAY) {
            step(answered, O::Answered);
        }
    }
    let Book { ledger, folder, .. } = book;
    drop(ledger);
    let file = std::fs::read(folder.path().join("ledger.db")).unwrap();
    let left = ["Ann Example", "12 Hidden Street"].map(|text| memchr::memmem::find(&file, text.as_bytes()));
    assert_eq!(left, [None, None]);
}

#[test]
fn an_unresolved_order_keeps_its_content_until_it_is_found() {
    let book = Book::new();
    let id = put(&book, "1001", &[O::Intend, O::Lost]);
    assert!(book.order(id).content.is_some());
    book.write(move |store| store.found(id, &found(), 2, &at(9)))
        .unwrap();
    let order = book.order(id);
    assert_eq!((order.content, order.others), (None, 2));
    assert_eq!(order.pw_order_id.as_deref(), Some("PW1"));
    assert!(
        book.ledger.read(|store| store.absence(id)).unwrap().is_none(),
        "its wait has ended"
    );
}

#[test]
fn the_first_of_two_sheets_with_one_order_has_it() {
    let book = Book::new();
    let id = put(&book, "1001", &[O::Intend]);
    let mut second = book.new_order("1001");
    second.quote = Some(quote(9900));
    let refused = book.write(move |store| store.intend(&second, &at(6)));
    assert!(matches!(refused, Err(LedgerError::Illegal { .. })), "{refused:?}");
    assert_eq!(book.order(id).quote, Some(quote(1210)));
}

#[test]
fn an_order_keeps_its_place_when_a_prefix_is_set_later() {
    let book = Book::new();
    let id = put(&book, "1001", &[O::Intend, O::Refused]);
    let mut prefixed = book.new_order("1001");
    prefixed.content.order_id = "A-1001".to_owned();
    let again = book.write(move |store| store.intend(&prefixed, &at(6))).unwrap();
    assert_eq!(again, id);
    assert_eq!(book.order(id).order_id, "A-1001");
}

#[test]
fn an_order_with_an_unanswered_create_is_not_taken_anew_under_another_id_or_with_another_account() {
    let book = Book::new();
    let id = put(&book, "1001", &[O::Intend, O::Lost]);
    book.write(move |store| store.abandon(id, &at(9))).unwrap();
    let other = book
        .write(|store| store.account("abroad", "https://abroad.example.com", "shop@example.com"))
        .unwrap();
    let before = everything(&book, id);
    let prefixed = {
        let mut new = book.new_order("1001");
        new.content.order_id = "A-1001".to_owned();
        new
    };
    let moved = NewOrder {
        account: other,
        ..book.new_order("1001")
    };
    for (new, what) in [(prefixed, "another id"), (moved, "another account")] {
        for operation in [O::Intend, O::Hold] {
            let new = new.clone();
            let taken = book.write(move |store| operation.run(store, &new));
            assert!(
                matches!(taken, Err(LedgerError::Illegal { .. })),
                "{what}: {taken:?}"
            );
            assert_eq!(everything(&book, id), before, "{what}");
        }
    }
    let same = book.new_order("1001");
    book.write(move |store| store.intend(&same, &at(10))).unwrap();
    assert_eq!(
        book.order(id).state,
        State::Sending,
        "where it was, it is looked for"
    );
}

#[test]
fn a_create_that_was_not_sent_does_not_count_as_sent() {
    let book = Book::new();
    let id = put(&book, "1001", &[O::Intend, O::NotSent]);
    assert_eq!(book.order(id).sends, 0);
    let id = put(&book, "1002", &[O::Intend, O::Lost, O::IntendAbsent, O::Lost]);
    let order = book.order(id);
    assert_eq!((order.sends, order.unanswered), (2, 2));
    let answers: Vec<Option<String>> = book
        .ledger
        .read(|store| store.attempts(id))
        .unwrap()
        .into_iter()
        .map(|attempt| attempt.answer)
        .collect();
    assert_eq!(answers, [Some("unknown".to_owned()), Some("unknown".to_owned())]);
}

#[test]
fn a_refusal_after_an_unanswered_create_settles_nothing() {
    let book = Book::new();
    let id = put(&book, "1001", &[O::Intend, O::Lost, O::IntendAbsent, O::Refused]);
    assert_eq!(book.order(id).state, State::Unresolved);
    assert!(book.ledger.read(|store| store.absence(id)).unwrap().is_some());
}

#[test]
fn after_a_crash_every_intent_without_an_outcome_is_unresolved_and_waits() {
    let book = Book::new();
    let sending = put(&book, "1001", &[O::Intend]);
    let held = put(&book, "1002", &[O::Hold]);
    assert_eq!(book.write(|store| store.recover(&at(50))).unwrap(), 1);
    let order = book.order(sending);
    assert_eq!((order.state, order.unanswered), (State::Unresolved, 1));
    let absence = book.ledger.read(|store| store.absence(sending)).unwrap().unwrap();
    assert_eq!((absence.looks, absence.since), (0, boot("boot-1", 50)));
    let attempts = book.ledger.read(|store| store.attempts(sending)).unwrap();
    assert_eq!(attempts[0].answer.as_deref(), Some("crashed"));
    assert_eq!(book.order(held).state, State::Held);
    assert_eq!(book.write(|store| store.recover(&at(60))).unwrap(), 0, "once");
}

#[test]
fn outcomes_are_read_in_pages_by_row_with_the_orders_that_they_follow() {
    let book = Book::new();
    let id = put(&book, "1001", &[O::Intend, O::Answered]);
    let mut outcomes: Vec<Outcome> = [9, 4, 7, 2]
        .into_iter()
        .map(|row| book.outcome(row, Status::Invalid, None))
        .collect();
    outcomes.push(book.outcome(5, Status::Waiting, Some(id)));
    book.write(move |store| outcomes.iter().try_for_each(|outcome| store.put_outcome(outcome)))
        .unwrap();
    let page = |after: u32| {
        let found = book
            .ledger
            .read(|store| store.outcomes_after(book.claim, after, 2))
            .unwrap();
        found
            .into_iter()
            .map(|(outcome, order)| (outcome.first_row, order.map(|order| order.state)))
            .collect::<Vec<_>>()
    };
    assert_eq!(page(0), [(2, None), (4, None)]);
    assert_eq!(page(4), [(5, Some(State::Created)), (7, None)]);
    assert_eq!(page(7), [(9, None)]);
    assert_eq!(page(9), []);
}

#[test]
fn a_proof_of_absence_does_not_speak_of_what_was_sent_since() {
    let book = Book::new();
    let id = put(&book, "1001", &[O::Intend, O::Lost]);
    let absent = |sends| book.write(move |store| store.intend_absent(id, sends, "absent", &at(9)));
    // A person has it sent once more while a look is under way, and that create has no answer either.
    absent(1).unwrap();
    book.write(move |store| store.lost(id, (AttemptEnd::Unknown, "no answer"), None, &at(10)))
        .unwrap();
    assert!(matches!(absent(1), Err(LedgerError::Illegal { .. })));
    book.write(move |store| store.abandon(id, &at(11))).unwrap();
    assert!(matches!(absent(2), Err(LedgerError::Illegal { .. })), "given up");
    assert_eq!(book.order(id).state, State::Abandoned);
}
