mod canceled;

use super::*;
use crate::clock::{BootTime, Now};
use crate::finding::Code;
use crate::ledger::record::{
    Beside, ClaimState, HoldKey, ListedRecord, NewClaim, NewOrder, OrderRef, Outcome, OwnFile, Seen, Shown,
};
use crate::ledger::{AttemptEnd, Ledger};
use crate::money::Money;
use crate::outcome::Status;
use crate::quote::{Hold, ServiceAmounts};
use crate::reconcile::{Addressee, Reason, Signature};

mod in_shop;
mod inboxes;
mod tried;

/// A ledger with one sheet, on which orders are put into states.
struct Book {
    ledger: Ledger,
    account: AccountRef,
    claim: ClaimRef,
    _folder: tempfile::TempDir,
}

fn at(minute: i64) -> Now {
    Now {
        wall: Timestamp::from_second(1_790_000_000 + minute * 60).unwrap(),
        boot: BootTime {
            id: "boot".into(),
            millis: minute * 60_000,
        },
    }
}

fn claim(account: AccountRef, stem: &str, minute: i64) -> NewClaim {
    NewClaim::sample(account, stem, at(minute).wall)
}

/// Why an order waits for a person.
fn wait() -> Hold {
    Hold {
        code: Code::NeedsApproval,
        message: "Wait.".to_owned(),
    }
}

/// The config has the one inbox, for the one account.
fn here() -> Configured {
    Configured::new(["main"], [("main", "main")])
}

impl Book {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let ledger = Ledger::open(&folder.path().join("ledger.db"), "a test").unwrap();
        let (account, claim) = ledger
            .write_blocking(|store| {
                let account = store.account("main", "https://api.example.com", "shop@example.com")?;
                Ok((account, store.take(&claim(account, "monday", 0))?))
            })
            .unwrap();
        Self {
            ledger,
            account,
            claim,
            _folder: folder,
        }
    }

    fn order(&self, order_id: &str) -> NewOrder {
        NewOrder::sample((self.account, self.claim), order_id, Money::from_hundredths(1210))
    }

    fn created(&self, order_id: &str, minute: i64) -> OrderRef {
        let (new, pw) = (self.order(order_id), format!("PW-{order_id}"));
        self.ledger
            .write_blocking(move |store| {
                let id = store.intend(&new, &at(minute))?;
                store.answered(id, &pw, None, &at(minute))?;
                Ok(id)
            })
            .unwrap()
    }

    fn see(&self, id: OrderRef, word: &str, total: i64, minute: i64) {
        let seen = Seen {
            order_status: Some(word.to_owned()),
            amounts: Some(ServiceAmounts::of_total(Money::from_hundredths(total))),
            ..Seen::default()
        };
        self.ledger
            .write_blocking(move |store| store.see(id, &seen, &at(minute)))
            .unwrap();
    }

    fn outcome(&self, claim: ClaimRef, first_row: u32, order_id: &str, status: Status) {
        self.put(claim, first_row, (order_id, None), status);
    }

    /// A row that asked for a cancel, whose status follows the order.
    fn follow(&self, claim: ClaimRef, first_row: u32, (order_id, order): (&str, OrderRef)) {
        self.put(claim, first_row, (order_id, Some(order)), Status::Canceling);
    }

    fn put(
        &self,
        claim: ClaimRef,
        first_row: u32,
        (order_id, order): (&str, Option<OrderRef>),
        status: Status,
    ) {
        let outcome = Outcome {
            order,
            status,
            ..Outcome::blank(claim, first_row, order_id.to_owned())
        };
        self.ledger
            .write_blocking(move |store| store.put_outcome(&outcome))
            .unwrap();
    }

    fn done(&self, claim: ClaimRef) {
        let state = ClaimState::Done;
        self.ledger
            .write_blocking(move |store| store.set_claim_state(claim, state))
            .unwrap();
    }

    fn needs(&self, minute: i64) -> Needs {
        let read = |store: &Store<'_>| needs(store, &here(), at(minute).wall);
        self.ledger.read(read).unwrap()
    }

    /// Kind and order, oldest first.
    fn told(&self, minute: i64) -> Vec<(Kind, String)> {
        self.needs(minute)
            .needs
            .into_iter()
            .map(|need| (need.kind, need.order_id.unwrap_or(need.sheet)))
            .collect()
    }
}

#[test]
fn a_ledger_in_which_all_is_well_needs_nobody() {
    let book = Book::new();
    let id = book.created("1001", 1);
    book.see(id, "waiting", 1210, 2);
    assert_eq!(book.told(3), []);
}

#[test]
fn a_refused_cancel_is_told_whoever_asked_for_it() {
    let book = Book::new();
    let id = book.created("1001", 1);
    book.ledger
        .write_blocking(move |store| {
            store.ask_cancel(id, "a person asked", &at(2))?;
            store.cancel_refused(id, "it is being printed", &at(3))
        })
        .unwrap();
    assert_eq!(book.told(4), [(Kind::NotCanceled, "1001".to_owned())]);
}

#[test]
fn a_held_order_that_the_service_has_by_another_s_hand_says_so() {
    let book = Book::new();
    let held = book.order("held");
    let account = held.account;
    let listed = ListedRecord {
        order_id: "held".to_owned(),
        pw_order_id: "PW-7".to_owned(),
        signature: Signature::of(&held.content),
        zip: None,
        addressee: Addressee::default(),
        entered_at: None,
        canceled: None,
    };
    book.ledger
        .write_blocking(move |store| {
            store.hold(&held, &[wait()], &at(2))?;
            store.put_listed(account, &listed).map(drop)
        })
        .unwrap();
    let told = book
        .ledger
        .read(|store| needs(store, &here(), at(3).wall))
        .unwrap();
    let [need] = &told.needs[..] else {
        panic!("it is told once")
    };
    assert_eq!(need.kind, Kind::Held);
    assert!(
        need.what.contains("PW-7") && need.todo.contains("nothing is sent"),
        "{need:?}"
    );
}

#[test]
fn a_held_order_is_told_of_with_the_file_that_has_it() {
    let book = Book::new();
    let (held, claim) = (book.order("held"), book.claim);
    let todo = || {
        let told = book.ledger.read(|store| needs(store, &here(), at(3).wall));
        told.unwrap().needs.remove(0).todo
    };
    book.ledger
        .write_blocking(move |store| store.hold(&held, &[wait()], &at(2)))
        .unwrap();
    assert_eq!(
        todo(),
        "Move monday.held.xlsx from held/ to approved/ or declined/."
    );
    book.ledger
        .write_blocking(move |store| {
            store.set_held_sheet(claim, Some(("/orders/held/monday-2.held.xlsx", "5ca1e")))
        })
        .unwrap();
    assert_eq!(
        todo(),
        "Move monday-2.held.xlsx from held/ to approved/ or declined/."
    );
}

#[test]
fn what_waits_for_approval_in_an_inbox_that_left_the_config_waits_in_vain() {
    let book = Book::new();
    let held = book.order("held");
    book.ledger
        .write_blocking(move |store| store.hold(&held, &[wait()], &at(2)))
        .unwrap();
    for (inboxes, kind) in [
        (&[("main", "main")][..], Kind::Held),
        (&[("main", "second")], Kind::Held),
        (&[], Kind::Stranded),
    ] {
        let worked = Configured::new(["main", "second"], inboxes.iter().copied());
        let told = book.ledger.read(|store| needs(store, &worked, at(3).wall));
        let [need] = &told.unwrap().needs[..] else {
            panic!("one order needs somebody")
        };
        assert_eq!(need.kind, kind, "{need:?}");
        let is_told = need.what.contains("`main` is not in the config any more")
            && need.todo.contains("Put [inbox.main] back");
        assert_eq!(is_told, kind == Kind::Stranded, "{need:?}");
    }
}

#[test]
fn what_is_approved_and_not_sent_yet_needs_nobody() {
    let book = Book::new();
    let held = book.order("held");
    let inbox = held.inbox.clone();
    let id = book
        .ledger
        .write_blocking(move |store| store.hold(&held, &[wait()], &at(2)))
        .unwrap();
    assert_eq!(book.told(3), [(Kind::Held, "held".to_owned())]);
    let order = book.ledger.read(|store| store.order(id)).unwrap().unwrap();
    let shown = Shown {
        ledger: book.ledger.id(),
        order_id: &order.sheet_order_id,
        fingerprint: &order.fingerprint,
        total: order.quote.as_ref().map(|quote| quote.total),
    };
    let key = HoldKey::new(id, order.hold_number, &shown);
    book.ledger
        .write_blocking(move |store| store.approve(&inbox, &key, &at(4)).map(drop))
        .unwrap();
    assert_eq!(book.told(5), []);
    let read = |worked: &Configured| {
        book.ledger.read(|store| {
            let (order, accounts) = (store.order(id)?.unwrap(), store.accounts()?);
            Ok((
                left_to_nobody(store, worked)?,
                by_nobody(&order, &accounts, worked),
            ))
        })
    };
    assert_eq!(read(&here()).unwrap(), (BTreeMap::new(), None));
    for (worked, why) in [
        (
            Configured::new(["main", "second"], [("main", "second")]),
            "its inbox `main` belongs to account `second` in the config by now",
        ),
        (
            Configured::new(["main"], []),
            "its inbox `main` is not in the config any more",
        ),
    ] {
        let told = book
            .ledger
            .read(|store| needs(store, &worked, at(6).wall))
            .unwrap()
            .needs;
        assert_eq!(
            (told[0].kind, told[0].order_id.as_deref()),
            (Kind::Stranded, Some("held"))
        );
        assert!(told[0].what.contains(why), "{told:?}");
        assert!(told[0].todo.contains("account = \"main\""), "{told:?}");
        let (left, of_nobody) = read(&worked).unwrap();
        let same = LeftToNobody {
            what: told[0].what.clone(),
            is_asked: true,
        };
        let why = BTreeMap::from([(id, same.what.clone())]);
        assert_eq!((left, of_nobody), (why, Some(same)), "as its sheet says");
    }
}

#[test]
fn what_is_open_at_an_account_that_is_not_in_the_config_is_asked_for_by_nobody() {
    let book = Book::new();
    let (lost, canceled) = (book.order("lost"), book.created("canceled", 1));
    book.ledger
        .write_blocking(move |store| {
            let id = store.intend(&lost, &at(3))?;
            store.lost(id, (AttemptEnd::Unknown, "timeout"), None, &at(3))?;
            store.ask_cancel(canceled, "sheet", &at(4)).map(drop)
        })
        .unwrap();
    let told = |worked: &Configured| {
        let read = book.ledger.read(|store| needs(store, worked, at(5).wall));
        let told = read.unwrap().needs.into_iter();
        told.map(|need| (need.kind, need.what.contains("nobody asks the service")))
            .collect::<Vec<_>>()
    };
    let worked = Configured::new(["main"], [("main", "main")]);
    assert_eq!(
        told(&worked),
        [(Kind::Unresolved, false)],
        "a cancel has its time"
    );
    let gone = Configured::new(["second"], [("main", "second")]);
    assert_eq!(told(&gone), [(Kind::Unresolved, true), (Kind::Canceling, true)]);
}

#[test]
fn a_cancel_is_for_a_person_by_its_reason_and_not_by_what_the_service_says() {
    let book = Book::new();
    let id = book.created("canceled", 1);
    let unknown = Reason::UnknownThere {
        words: "no such order".to_owned(),
    };
    let words = unknown.words("canceled");
    book.ledger
        .write_blocking(move |store| {
            store.ask_cancel(id, "sheet", &at(4))?;
            store.note(id, &words)
        })
        .unwrap();
    let told = || {
        let read = book.ledger.read(|store| needs(store, &here(), at(5).wall));
        read.unwrap().needs
    };
    assert_eq!(told(), [], "the service's words to an earlier cancel");
    book.ledger
        .write_blocking(move |store| store.cancel_is_undecided(id, &unknown))
        .unwrap();
    let told = told();
    assert_eq!(told.len(), 1);
    assert!(
        told[0]
            .what
            .contains("a person has to decide: the service does not know it"),
        "{told:?}"
    );
}

#[test]
fn each_kind_is_told_once_and_the_oldest_stands_first() {
    let book = Book::new();
    let trouble = book.created("trouble", 1);
    let dearer = book.created("dearer", 2);
    let (lost, refused, held) = (book.order("lost"), book.order("refused"), book.order("held"));
    book.ledger
        .write_blocking(move |store| {
            let id = store.intend(&lost, &at(3))?;
            store.lost(id, (AttemptEnd::Unknown, "timeout"), None, &at(3))?;
            let id = store.intend(&refused, &at(4))?;
            store.refused(id, "no such place", None, &at(4))?;
            store.hold(&held, &[wait()], &at(5)).map(drop)
        })
        .unwrap();
    book.see(dearer, "waiting", 1300, 6);
    book.see(trouble, "on_hold", 1210, 7);
    let told = [
        (Kind::Unresolved, "lost"),
        (Kind::Refused, "refused"),
        (Kind::Held, "held"),
        (Kind::TotalDiffers, "dearer"),
        (Kind::Problem, "trouble"),
    ];
    assert_eq!(book.told(8), told.map(|(kind, id)| (kind, id.to_owned())));
    // A trouble keeps its moment while it lasts, and goes when the service says so.
    book.see(trouble, "problem", 1210, 9);
    assert_eq!(book.told(10)[4].1, "trouble");
    book.see(trouble, "in_production", 1210, 11);
    assert_eq!(book.told(12).len(), 4);
    // A month later nobody asks about an amount, and everybody about an order without an answer.
    let later: Vec<Kind> = book
        .told(60 * 24 * 40)
        .into_iter()
        .map(|(kind, _)| kind)
        .collect();
    assert_eq!(later, [Kind::Unresolved, Kind::Held]);
}

#[test]
fn an_order_that_the_service_lost_is_told_until_it_is_back() {
    let book = Book::new();
    let id = book.created("1001", 1);
    book.see(id, "waiting", 1210, 2);
    let miss = |minute| {
        book.ledger
            .write_blocking(move |store| store.miss(id, &at(minute)))
    };
    assert!(miss(3).unwrap());
    assert!(!miss(4).unwrap(), "it is said once");
    assert_eq!(book.told(5), [(Kind::Missing, "1001".to_owned())]);
    book.see(id, "waiting", 1210, 6);
    assert_eq!(book.told(7), []);
}

#[test]
fn rows_to_fix_are_told_a_line_a_sheet_until_they_were_dropped_again() {
    let book = Book::new();
    book.outcome(book.claim, 2, "1001", Status::Invalid);
    book.outcome(book.claim, 3, "1002", Status::Invalid);
    book.outcome(book.claim, 4, "1003", Status::Skipped);
    book.done(book.claim);
    let needs = || {
        book.ledger
            .read(|store| needs(store, &here(), at(9).wall))
            .unwrap()
            .needs
    };
    assert_eq!(needs().len(), 1);
    assert_eq!(
        needs()[0].what,
        "2 orders of monday.csv cannot be sent as they are."
    );
    book.created("1001", 5);
    assert_eq!(needs()[0].what, "1 order of monday.csv cannot be sent as it is.");
    let account = book.account;
    let tuesday = book
        .ledger
        .write_blocking(move |store| store.take(&claim(account, "tuesday", 6)))
        .unwrap();
    book.outcome(tuesday, 2, "1002", Status::Invalid);
    book.done(tuesday);
    assert_eq!(
        needs().len(),
        1,
        "the same row is to be fixed in the newest sheet alone"
    );
    assert_eq!(needs()[0].sheet, "tuesday");
}

#[test]
fn a_wrong_row_of_an_order_that_an_earlier_sheet_sent_is_told_until_it_is_mended() {
    let book = Book::new();
    let (first, second) = (book.created("1001", 1), book.created("1002", 1));
    book.done(book.claim);
    let account = book.account;
    let take = |stem: &'static str, minute| {
        let take = move |store: &Store<'_>| store.take(&claim(account, stem, minute));
        book.ledger.write_blocking(take).unwrap()
    };
    let cancels = take("cancels", 2);
    book.outcome(cancels, 2, "1001", Status::Invalid);
    book.outcome(cancels, 3, "1002", Status::Invalid);
    book.done(cancels);
    let told = |minute: i64| {
        let needs = book
            .ledger
            .read(|store| needs(store, &here(), at(minute).wall))
            .unwrap();
        needs.needs.into_iter().map(|need| need.what).collect::<Vec<_>>()
    };
    assert_eq!(told(3), ["2 orders of cancels.csv cannot be sent as they are."]);
    // By a command: no later sheet has it.
    book.ledger
        .write_blocking(move |store| {
            store.ask_cancel(first, "a person asked", &at(4))?;
            store.cancel_confirmed(first, "", &at(4))
        })
        .unwrap();
    assert_eq!(told(5), ["1 order of cancels.csv cannot be sent as it is."]);
    let mended = take("mended", 6);
    book.follow(mended, 2, ("1002", second));
    book.done(mended);
    assert!(told(7).is_empty(), "{:?}", told(7));
}

#[test]
fn a_sheet_that_was_imported_is_mended_where_its_files_are() {
    let book = Book::new();
    let account = book.account;
    let import = move |store: &Store<'_>, stem: &str| {
        store.take(&NewClaim {
            place: format!("/far/{stem}.csv"),
            out_path: Some("/far".to_owned()),
            ..claim(account, stem, 1)
        })
    };
    let (fixed, rejected) = book
        .ledger
        .write_blocking(move |store| {
            let (fixed, rejected) = (import(store, "a")?, import(store, "b")?);
            let file = OwnFile {
                path: "/far/a-2.to-fix.xlsx".to_owned(),
                hash: String::new(),
                content: String::new(),
            };
            store.set_own_file("main", &Beside::ToFix.key(fixed), &file)?;
            store.set_claim_state(rejected, ClaimState::Rejected)?;
            Ok((fixed, rejected))
        })
        .unwrap();
    assert_ne!(fixed, rejected);
    book.outcome(fixed, 2, "1001", Status::Invalid);
    book.done(fixed);
    let needs = book
        .ledger
        .read(|store| needs(store, &here(), at(9).wall))
        .unwrap()
        .needs;
    let todo: Vec<&str> = needs.iter().map(|need| need.todo.as_str()).collect();
    assert_eq!(
        todo,
        [
            "Fix the rows in /far/a-2.to-fix.xlsx and import that file.",
            "`dropsheet check /far/b.csv` says why. Mend the sheet and import it again."
        ]
    );
}

#[test]
fn the_key_of_a_need_is_the_same_until_it_happens_again() {
    let book = Book::new();
    let id = book.created("1001", 1);
    book.see(id, "problem", 1210, 2);
    let key = |minute: i64| {
        let found = book
            .ledger
            .read(|store| needs(store, &here(), at(minute).wall))
            .unwrap();
        found.needs[0].key()
    };
    let first = key(3);
    assert_eq!(key(4), first);
    book.see(id, "waiting", 1210, 5);
    book.see(id, "problem", 1210, 6);
    assert_ne!(key(7), first);
}

#[test]
fn many_orders_of_one_inbox_leave_those_of_another_no_less_told() {
    let book = Book::new();
    let held = |order_id: String, inbox: &str, minute: i64| {
        let new = NewOrder {
            inbox: inbox.to_owned(),
            ..book.order(&order_id)
        };
        book.ledger
            .write_blocking(move |store| store.hold(&new, &[wait()], &at(minute)))
            .unwrap();
    };
    for n in 0..=i64::from(MOST) {
        held(format!("A{n}"), "main", n);
    }
    held("B1".to_owned(), "other", 100_000);
    let found = book.needs(200_000);
    assert!(found.more);
    let main = found.of("main");
    assert_eq!((main.needs.len(), main.more), (500, true));
    assert_eq!(
        main.needs[0].order_id.as_deref(),
        Some("A0"),
        "the eldest are told"
    );
    let other = found.of("other");
    assert_eq!((other.needs.len(), other.more), (1, false));
}

#[test]
fn of_many_refused_orders_the_newest_are_told() {
    let book = Book::new();
    for n in 0..=i64::from(MOST) {
        let new = book.order(&format!("A{n}"));
        book.ledger
            .write_blocking(move |store| {
                let id = store.intend(&new, &at(n))?;
                store.refused(id, "no stock", None, &at(n))
            })
            .unwrap();
    }
    let found = book.needs(1000);
    let told = |id: &str| {
        found
            .needs
            .iter()
            .any(|need| need.order_id.as_deref() == Some(id))
    };
    assert!(found.more && told("A500") && told("A1") && !told("A0"));
}

#[test]
fn an_order_without_an_answer_whose_inbox_left_the_config_is_told_to_be_sent_by_nobody() {
    let book = Book::new();
    let lost = book.order("lost");
    book.ledger
        .write_blocking(move |store| {
            let id = store.intend(&lost, &at(3))?;
            store.lost(id, (AttemptEnd::Unknown, "timeout"), None, &at(3))
        })
        .unwrap();
    let told = |worked: Configured| {
        let read = book.ledger.read(|store| needs(store, &worked, at(5).wall));
        read.unwrap().needs.remove(0)
    };
    assert_eq!(told(here()).kind, Kind::Unresolved);
    let told = told(Configured::new(["main"], []));
    assert_eq!(told.kind, Kind::Stranded);
    assert!(told.what.contains("the service is asked"), "{told:?}");
    assert!(
        told.what
            .contains("its inbox `main` is not in the config any more"),
        "{told:?}"
    );
    assert!(told.todo.contains("orders resolve lost --created"), "{told:?}");
}

#[test]
fn what_is_known_already_is_told_apart_from_what_is_to_be_fixed_in_the_same_sheet() {
    let book = Book::new();
    book.outcome(book.claim, 2, "1001", Status::Invalid);
    book.outcome(book.claim, 3, "1002", Status::Changed);
    book.outcome(book.claim, 4, "1003", Status::Changed);
    book.done(book.claim);
    let told: Vec<(Kind, String, String)> = book
        .needs(9)
        .needs
        .into_iter()
        .map(|need| (need.kind, need.what, need.todo))
        .collect();
    let [(fix, _, mend), (known, what, todo)] = &told[..] else {
        panic!("{told:?}")
    };
    assert_eq!((*fix, *known), (Kind::ToFix, Kind::Changed));
    assert_eq!(mend, "Fix the rows in monday.to-fix.xlsx and drop that file.");
    assert_eq!(
        what,
        "2 orders of monday.csv are known already, with other content; nothing was sent for them."
    );
    assert!(
        todo.starts_with("Where what is known is right, there is nothing to do.")
            && todo.contains("the result monday says"),
        "{todo}"
    );
}
