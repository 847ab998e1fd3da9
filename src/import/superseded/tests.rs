//! What a sheet's orders are counted as, in the ledger's own words, against what its result says of them.

use jiff::Timestamp;
use rusqlite::{Connection, params};

use super::*;
use crate::finding::{Code, Finding};
use crate::import::write::LedgerViews;
use crate::ledger::record::{Apart, ClaimRef, NewClaim, OrderRef};
use crate::ledger::{Ledger, Reader};

/// When the younger sheet was taken, and a moment before and after that.
const TAKEN: i64 = 1_790_000_000_000;

/// A ledger with an older sheet, one that is counted, and two younger ones, of its inbox and of another.
struct Book {
    _folder: tempfile::TempDir,
    ledger: Ledger,
    db: Connection,
}

const OLDER: ClaimRef = ClaimRef(1);
const OWN: ClaimRef = ClaimRef(2);
const YOUNGER: ClaimRef = ClaimRef(3);
const ELSEWHERE: ClaimRef = ClaimRef(4);

impl Book {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("ledger.db");
        let ledger = Ledger::open(&path, "a test").unwrap();
        let sheets = [
            ("main", "older", -9),
            ("main", "own", -5),
            ("main", "younger", 0),
            ("other", "elsewhere", 0),
        ];
        let take = move |store: &Store<'_>| {
            let account = store.account("main", "https://api.example.com", "shop@example.com")?;
            for (inbox, stem, at) in sheets {
                let taken_at = Timestamp::from_millisecond(TAKEN + at).unwrap();
                let mut sheet = NewClaim::sample(account, stem, taken_at);
                sheet.inbox = inbox.to_owned();
                store.take(&sheet)?;
            }
            Ok(())
        };
        ledger.write_blocking(take).unwrap();
        let db = Connection::open(&path).unwrap();
        db.pragma_update(None, "synchronous", "OFF").unwrap();
        Self {
            _folder: folder,
            ledger,
            db,
        }
    }

    /// The only order of the ledger as it is now, its trail, and what the counted sheet has said of it.
    fn put(&self, order: &Case<'_>, trail: &[(State, i64)], outcome: Outcome) {
        let db = self.db.unchecked_transaction().unwrap();
        db.execute_batch("DELETE FROM outcome; DELETE FROM event; DELETE FROM orders")
            .unwrap();
        let sql = "INSERT INTO orders (id, account_id, order_id, inbox, sheet_order_id, state, came_from, claim_id,
                                       fingerprint, signature, country_code, sends, holds, note, changed_at)
                   VALUES (1, 1, '1001', 'main', '1001', ?1, 'new', ?2, '1:a', '{\"items\":{},\"country\":\"US\"}', 'US',
                           ?3, ?4, ?5, ?6)";
        let values = params![
            order.state.word(),
            order.claim.0,
            order.sends,
            order.holds,
            order.note,
            TAKEN
        ];
        db.execute(sql, values).unwrap();
        for (old, at) in trail {
            let sql = "INSERT INTO event (order_id, at, old, new, why) VALUES (1, ?1, ?2, 'held', '')";
            db.execute(sql, params![TAKEN + at, old.word()]).unwrap();
        }
        let sql =
            "INSERT INTO outcome (claim_id, first_row, order_ref, status, order_id, message, findings, apart)
                   VALUES (?1, 2, ?2, ?3, '1001', '', ?4, ?5)";
        let values = params![
            outcome.claim.0,
            outcome.order.map(|order| order.0),
            outcome.status.word(),
            serde_json::to_string(&outcome.findings).unwrap(),
            outcome.apart.map(|apart| serde_json::to_string(&apart).unwrap()),
        ];
        db.execute(sql, values).unwrap();
        db.commit().unwrap();
    }

    /// What is counted, and what the result says: with the end that the order had in the sheet where a younger one took it
    /// anew, as with other content.
    fn compare(&self, case: &str) {
        let counted = self.ledger.read(|store| store.statuses_of(OWN)).unwrap();
        // A reader sees what was there when it was opened.
        let reader = Reader::open(self.ledger.path()).unwrap();
        let mut views = LedgerViews::states(&reader, OWN);
        let said = views.next().unwrap().unwrap().status;
        assert!(views.next().is_none());
        let read = |store: &Store<'_>| {
            let (outcome, order) = store.outcomes_after(OWN, 0, 1)?.remove(0);
            order.map_or(Ok(None), |order| end_before(store, &outcome, &order))
        };
        let said = match self.ledger.read(read).unwrap() {
            Some(End::Declined) => Status::Declined,
            Some(End::Abandoned) => Status::Abandoned,
            Some(End::Refused(_words)) => Status::Refused,
            None => said,
        };
        assert_eq!(counted, [(said, 1)], "{case}");
    }
}

/// How an order stands.
#[derive(Debug)]
struct Case<'a> {
    state: State,
    claim: ClaimRef,
    sends: u32,
    holds: Option<&'a str>,
    note: &'a str,
}

/// Orders in every state, of each sheet, and all else that their status hangs on.
fn cases() -> Vec<Case<'static>> {
    let mut cases = Vec::new();
    let hold = r#"[{"code":"needs-approval","message":"m"}]"#;
    for state in State::ALL {
        for claim in [OLDER, OWN, YOUNGER, ELSEWHERE] {
            for (sends, holds, note) in [
                (0, None, ""),
                (1, Some("[]"), ""),
                (0, Some(hold), "no"),
                (1, Some(hold), "no"),
            ] {
                cases.push(Case {
                    state,
                    claim,
                    sends,
                    holds,
                    note,
                });
            }
        }
    }
    cases
}

/// From which state an order was taken, and when: before the younger sheets came or after.
const TRAILS: &[&[(State, i64)]] = &[
    &[],
    &[(State::Declined, -1)],
    &[(State::Declined, 1)],
    &[(State::Abandoned, 1)],
    &[(State::Refused, 1)],
    &[
        (State::Held, -2),
        (State::Sending, 1),
        (State::Refused, 2),
        (State::Declined, 3),
    ],
    &[(State::Held, 0), (State::Declined, 1), (State::Refused, 2)],
];

#[test]
fn a_sheet_s_orders_are_counted_as_its_result_has_them() {
    let book = Book::new();
    for case in cases() {
        for status in [Status::Waiting, Status::Canceling] {
            for trail in TRAILS {
                let outcome = Outcome {
                    status,
                    order: Some(OrderRef(1)),
                    ..Outcome::blank(OWN, 2, "1001".to_owned())
                };
                book.put(&case, trail, outcome);
                book.compare(&format!("{case:?} {status} {trail:?}"));
            }
        }
    }
}

#[test]
fn rows_that_follow_no_order_are_counted_as_the_result_has_them() {
    let book = Book::new();
    let taken_back = || Apart::TakenBack {
        reason: "canceled in the shop".to_owned(),
    };
    let content = || Apart::Content {
        what: "quantity".to_owned(),
        pieces: None,
        is_sent_by_note: false,
    };
    for case in cases() {
        for (status, code, apart) in [
            (Status::Changed, Some(Code::CanceledInShop), Some(taken_back())),
            (Status::Changed, Some(Code::CanceledInShop), None),
            (Status::Changed, Some(Code::ContentChanged), Some(content())),
            (Status::Invalid, None, None),
            (Status::Skipped, None, None),
        ] {
            let findings = code.map(|code| Finding {
                code,
                row: 2,
                column: None,
                message: String::new(),
                hint: String::new(),
            });
            let outcome = Outcome {
                status,
                findings: findings.into_iter().collect(),
                apart,
                ..Outcome::blank(OWN, 2, "1001".to_owned())
            };
            let story = format!("{case:?} {outcome:?}");
            book.put(&case, &[], outcome);
            book.compare(&story);
        }
    }
}
