//! What is asked again and again costs as much in a ledger of many years as in one of a few days. It is counted in the
//! steps of SQLite's machine, not in time.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use rusqlite::Connection;

use super::*;
use crate::clock::BootTime;
use crate::ledger::record::ClaimState;
use crate::ledger::state::State;
use crate::ledger::{Wanted, schema};

/// How many sheets of ten orders there are, and how many in the larger ledger.
const SHEETS: (u32, u32) = (40, 400);

/// Sheets long ago, each of ten orders that came to their end: created, tracked, once without an answer and counted since,
/// and charged unlike its quote.
/// Ten of the service's own words for each day, and a notification that was read, as many as sheets.
const YEARS: &str = "
    CREATE TEMP TABLE n AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10 * :sheets)
        SELECT i, 1700000000000 + i AS at FROM n;
    INSERT INTO claim (id, account_id, inbox, purpose, place, sheet_name, stem, hash, stamp, taken_at, state)
        SELECT 9 + i, 1, 'main', 'send', '/inbox/' || i, i || '.csv', 's' || i, i, '1', at, 'done'
        FROM n WHERE i <= :sheets;
    INSERT INTO orders (id, account_id, order_id, inbox, sheet_order_id, state, came_from, claim_id, fingerprint,
                        signature, country_code, pw_order_id, sends, watched, entered_at, changed_at,
                        differs_at)
        SELECT i, 1, 'A' || i, 'main', 'A' || i, 'created', 'new', 10 + (i - 1) / 10, '1:a',
               '{\"items\":{\"TEE-S\":1},\"country\":\"US\"}', 'US', 'PW' || i, 1, 0, at, at, at FROM n;
    INSERT INTO attempt SELECT i, 1, at, 'boot-0', 1, at, 'boot-0', 2, at, 'created' FROM n;
    INSERT INTO event (order_id, at, claim_id, old, new, why) SELECT i, at, 10, 'sending', 'created', 'it answered' FROM n;
    INSERT INTO outcome (claim_id, first_row, order_ref, status, order_id, message, findings)
        SELECT 10 + (i - 1) / 10, i, i, 'waiting', 'A' || i, '', '[]' FROM n;
    INSERT INTO outcome (claim_id, first_row, status, order_id, message, findings)
        SELECT 9 + i, 0, 'skipped', '', '', '[]' FROM n WHERE i <= :sheets;
    INSERT INTO parcel SELECT i, 'T' || i, 'T' || i, NULL, NULL, at FROM n;
    INSERT INTO audit (order_id, since_at, since_boot_id, since_boot, rounds, is_open)
        SELECT i, at, 'boot-0', 2, 3, 0 FROM n;
    INSERT INTO held_sheet (claim_id) SELECT 9 + i FROM n WHERE i <= :sheets;
    INSERT INTO notification (account_id, kind, hash, body, first_at, last_at, unread)
        SELECT 1, 'tracking', i, x'7B7D', at, at, 0 FROM n;
    INSERT INTO doorbell (order_id, account_id, rings, answered, is_problem, read_at) SELECT i, 1, 1, 1, 0, at FROM n;
    INSERT INTO listed (account_id, order_id, pw_order_id, signature, entered_at)
        SELECT 1, 'B' || i, 'PX' || i, '{\"items\":{},\"country\":\"US\"}', at FROM n;
    INSERT INTO request (asked, asked_at, answered_at) SELECT '{}', at, at FROM n WHERE i <= :sheets;
";

/// The same, and as many orders that the service refused; of each the service came to have it after all. And six sheets of
/// today, of which it is looked whether they came again; rows of those to fix, known with other content, and canceled in the
/// shop, of which it is looked whether a later sheet has brought them.
const TROUBLED_YEARS: &str = "
    INSERT INTO orders (account_id, order_id, inbox, sheet_order_id, state, came_from, claim_id, fingerprint, signature,
                        country_code, sends, changed_at)
        SELECT 1, 'R' || i, 'main', 'R' || i, 'refused', 'new', 10 + (i - 1) / 10, '1:a', '{}', 'US', 1, at FROM n;
    INSERT INTO event (order_id, at, claim_id, old, new, why)
        SELECT id, changed_at, claim_id, 'refused', 'created', 'it is there' FROM orders WHERE state = 'refused';
    UPDATE claim SET taken_at = 1790000000000, state = iif(id % 2, 'done', 'rejected') WHERE id BETWEEN 10 AND 15;
    INSERT INTO outcome (claim_id, first_row, status, order_id, message, findings) VALUES
        (11, 900, 'invalid', 'C1', '', '[]'), (13, 900, 'invalid', 'C1', '', '[]'),
        (11, 901, 'invalid', 'A350', '', '[]'), (11, 902, 'changed', 'A1', '', '[]'),
        (11, 903, 'changed', 'A2', '', '[{\"code\":\"canceled-in-shop\"}]'),
        (13, 903, 'changed', 'A2', '', '[{\"code\":\"canceled-in-shop\"}]');
";

/// A question that is asked again and again.
type Ask = fn(&Store<'_>) -> Result<(), LedgerError>;

const MAIN: AccountRef = AccountRef(1);
const OPEN: ClaimRef = ClaimRef(1);

/// What every look, every round, every few seconds' status and every order asks.
const ASKED: &[(&str, Ask)] = &[
    ("flagged orders", |store| {
        store.flagged_orders(at(-1000).wall, 500).map(drop)
    }),
    ("the first of many flagged orders", |store| {
        store.flagged_orders(Timestamp::MIN, 50).map(drop)
    }),
    ("orders that need a person", |store| {
        use State::{Canceling, Held, Unresolved};
        [Unresolved, Canceling, Held]
            .into_iter()
            .try_for_each(|state| store.orders_since(state, Timestamp::MIN, 500).map(drop))
    }),
    ("refused cancels", |store| {
        store.not_canceled(Timestamp::MIN, 500).map(drop)
    }),
    ("sheets with rows to fix", |store| {
        store.sheets_to_fix(at(-1000).wall).map(drop)
    }),
    ("orders canceled in the shop", |store| {
        store.canceled_in_shop(at(-1000).wall, 500).map(drop)
    }),
    ("rejected sheets", |store| {
        store.rejected_sheets(at(-1000).wall).map(drop)
    }),
    ("open sheets", |store| store.open_claims().map(drop)),
    ("the newest sheets", |store| store.newest_claims(30).map(drop)),
    ("problems of the newest sheets", |store| {
        store.newest_problems(10).map(drop)
    }),
    ("the newest orders", |store| {
        store.newest_orders(Wanted::default(), 10).map(drop)
    }),
    ("the newest orders' ids", |store| {
        store.newest_order_ids(10).map(drop)
    }),
    ("orders by state", |store| store.orders_by_state().map(drop)),
    ("unresolved orders", |store| {
        store.orders_in(MAIN, State::Unresolved, 20).map(drop)
    }),
    ("held orders", |store| store.held_of("main").map(drop)),
    ("sheets left in place", |store| {
        store.all_left_in_place("main").map(drop)
    }),
    ("rows of no order", |store| {
        store.outcomes_of_no_order(ClaimRef(1)).map(drop)
    }),
    ("a sheet's orders by status", |store| {
        store.statuses_of(ClaimRef(1)).map(drop)
    }),
    ("held quotes", |store| store.held_quotes(MAIN).map(drop)),
    ("the eldest unresolved", |store| {
        store.eldest_unresolved(MAIN).map(drop)
    }),
    ("results with news", |store| store.stale_claims().map(drop)),
    ("held sheets with news", |store| {
        store.stale_held_sheets("main").map(drop)
    }),
    ("approved orders", |store| store.approved(MAIN).map(drop)),
    ("orders held for long", |store| {
        store.say_held_since("main", at(0).wall, &at(0)).map(drop)
    }),
    ("counts that are due", |store| store.open_audits(MAIN).map(drop)),
    ("watched orders", |store| {
        store.watched(MAIN, Timestamp::MIN).map(drop)
    }),
    ("orders with an alarm", |store| {
        store.alarms(MAIN, at(0).wall).map(drop)
    }),
    ("rung orders", |store| {
        store.rung(MAIN, at(0).wall, (OrderRef(0), 50)).map(drop)
    }),
    ("notifications", |store| store.unread_notifications(50).map(drop)),
    ("days with parcels", |store| {
        store.parcel_moments("main", at(-1000).wall).map(drop)
    }),
    ("a day's parcels", |store| {
        store
            .parcels_known("main", (at(-1000).wall, at(0).wall))
            .map(drop)
    }),
    ("requests", |store| store.open_requests().map(drop)),
    ("sheets left in the inbox", |store| {
        store.left_in_place("/inbox/1").map(drop)
    }),
    ("an older sheet", |store| {
        store.is_behind(MAIN, "main", OPEN).map(drop)
    }),
    ("whether a sheet's cancels are to be heard", |store| {
        store.may_cancel_unsent(MAIN, "main", OPEN).map(drop)
    }),
    ("a cancel that is asked for", |store| {
        store.canceled_ahead(MAIN, "A7", ("main", "A7"), OPEN).map(drop)
    }),
    ("cancels that are asked for", |store| {
        store.cancels_after(OPEN).map(drop)
    }),
    ("a free stem", |store| store.stem_is_taken("main", "s1").map(drop)),
    ("whether a copy is needed", |store| {
        store.copy_is_needed("1", at(0).wall).map(drop)
    }),
    ("content to erase", |store| {
        store.erase_content(at(0).wall, 1000).map(drop)
    }),
    ("zips to erase", |store| {
        store.erase_zips(at(0).wall, 1000).map(drop)
    }),
    ("notifications to forget", |store| {
        store.forget_notifications(at(-1_000_000_000_000).wall)
    }),
    ("orders of a sheet that are not sent", |store| {
        store.not_sent_since(OPEN, at(0).wall).map(drop)
    }),
    ("work that begins", |store| {
        store.begin_work(OPEN, 10, at(0).wall).map(drop)
    }),
    ("orders a crash has left", |store| store.recover(&at(0)).map(drop)),
    ("an order of a sheet", |store| {
        store.find_either(MAIN, "A7", ("main", "A7")).map(drop)
    }),
    ("its namesakes", |store| {
        store.namesake(MAIN, "A7", ("main", "A7")).map(drop)
    }),
    ("an order of the list", |store| store.named(MAIN, "A7").map(drop)),
    ("an order of the list by the service's id", |store| {
        store.listed_called(MAIN, "px7").map(drop)
    }),
    ("the cancel of an order of the list", |store| {
        store.listed_is_canceled(MAIN, "PX7")
    }),
    ("an order of a notification", |store| {
        store.orders_with_id(MAIN, "PW7").map(drop)
    }),
    ("the newest creates", |store| {
        store.newest_creates(MAIN, 3).map(drop)
    }),
    ("whether anything is to be sent", |store| {
        store.has_to_send(MAIN).map(drop)
    }),
    ("a cancel that is to come", |store| {
        let order = store.order(OrderRef(7))?;
        order.map_or(Ok(()), |order| store.cancel_to_come(&order).map(drop))
    }),
    ("a proof before", |store| {
        store.proof_before(MAIN, at(0).wall).map(drop)
    }),
    ("a proof after", |store| {
        let since = BootTime {
            id: "boot-1".into(),
            millis: 0,
        };
        store.proof_after(MAIN, (at(0).wall, &since), &since).map(drop)
    }),
    ("forgotten originals", |store| store.forgotten(500).map(drop)),
    ("an inbox's forgotten originals", |store| {
        store.forgotten_in("main").map(drop)
    }),
    ("an inbox to be gone through", |store| {
        store.recall("main").map(drop)
    }),
    ("the sheets with these bytes", |store| {
        store.stems_of("main", "1").map(drop)
    }),
    ("a sheet that ends", |store| {
        store.set_claim_state(OPEN, ClaimState::Done)
    }),
];

/// What is asked every few seconds of what went wrong, once it is long ago.
const ASKED_OF_TROUBLE: &[(&str, Ask)] = &[
    ("refused orders", |store| {
        let since = at(-1000).wall;
        store.orders_since(State::Refused, since, 500).map(drop)
    }),
    ("orders that are there after all", |store| {
        store.there_after_all(at(-1000).wall, 500).map(drop)
    }),
    ("sheets with rows to fix", |store| {
        store.sheets_to_fix(at(-1000).wall).map(drop)
    }),
    ("orders canceled in the shop", |store| {
        store.canceled_in_shop(at(-1000).wall, 500).map(drop)
    }),
    ("whether an order is canceled in the shop", |store| {
        let order = store.order(OrderRef(2))?;
        order.map_or(Ok(()), |order| store.is_canceled_in_shop(&order).map(drop))
    }),
    ("rejected sheets", |store| {
        store.rejected_sheets(at(-1000).wall).map(drop)
    }),
    ("sheets with tabs that were not read", |store| {
        store.sheets_with_unread_tabs(at(-1000).wall).map(drop)
    }),
    ("problems of the newest sheets", |store| {
        store.newest_problems(10).map(drop)
    }),
];

/// The steps of each question in a ledger with so many sheets behind it.
fn steps(sheets: u32, years: &str, asked_for: &[(&str, Ask)]) -> Vec<u64> {
    let book = Book::new();
    let path = book.folder.path().join("ledger.db");
    drop(book.ledger);
    let mut db = schema::open_writer(&path, true).unwrap();
    db.execute_batch(&years.replace(":sheets", &sheets.to_string()))
        .unwrap();
    let steps = Arc::new(AtomicU64::new(0));
    let counted = Arc::clone(&steps);
    let count = move || {
        counted.fetch_add(1, Ordering::Relaxed);
        false
    };
    db.progress_handler(1, Some(count)).unwrap();
    let asked = asked_for.iter().map(|(_what, ask)| asked(&db, &steps, *ask));
    asked.collect()
}

fn asked(db: &Connection, steps: &AtomicU64, ask: Ask) -> u64 {
    let store = Store::new(db);
    // Preparing a statement reads the schema the first time.
    ask(&store).unwrap();
    steps.store(0, Ordering::Relaxed);
    ask(&store).unwrap();
    steps.load(Ordering::Relaxed)
}

/// The questions that take more steps in a ledger of more sheets.
fn grown(years: &str, asked_for: &[(&str, Ask)]) -> Vec<String> {
    let steps = |sheets| steps(sheets, years, asked_for);
    let (few, many) = (steps(SHEETS.0), steps(SHEETS.1));
    asked_for
        .iter()
        .zip(few.iter().zip(&many))
        .filter(|(_asked, (few, many))| **many > *few + *few / 2 + 20)
        .map(|((what, _ask), (few, many))| format!("{what}: {few} steps, then {many}"))
        .collect()
}

#[test]
fn what_is_asked_again_and_again_costs_the_same_in_a_ledger_of_many_orders() {
    let grown = grown(YEARS, ASKED);
    assert!(grown.is_empty(), "{grown:#?}");
}

#[test]
fn what_has_gone_wrong_long_ago_costs_nothing_any_more() {
    let grown = grown(&[YEARS, TROUBLED_YEARS].concat(), ASKED_OF_TROUBLE);
    assert!(grown.is_empty(), "{grown:#?}");
}
