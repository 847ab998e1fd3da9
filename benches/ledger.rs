//! What a ledger of millions of orders costs, beside an empty one: opening it, a commit, `status`, a backup.
//!
//! `cargo bench --bench ledger` prints a table; `cargo bench --bench ledger -- 200000` measures with fewer orders than
//! two million, which need 5 GB twice below `TMPDIR`.

#![expect(
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a measurement that fails may end as it likes"
)]

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use dropsheet::clock::Clock;
use dropsheet::ledger::record::{AtShop, ClaimRef, NewClaim, NewOrder, Outcome, Purpose};
use dropsheet::ledger::{Ledger, LedgerError, Reader, backup};
use dropsheet::money::Money;
use dropsheet::order::{Fingerprint, Line, Order, ShipTo};
use dropsheet::quote::Quote;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// How many orders there are if nothing else is asked for.
const ORDERS: u32 = 2_000_000;

/// How many orders of one sheet there are.
const SHEET: u32 = 10_000;

/// How many orders are written, one after the other, to measure a commit.
const COMMITS: u32 = 300;

/// Orders as a real import leaves them: their size is what matters. Every order id lands somewhere else in the index.
const FILL: &str = "
    WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < :orders / :sheet - 1)
    INSERT INTO claim (id, account_id, inbox, purpose, place, sheet_name, stem, hash, stamp, taken_at, state)
        SELECT i + 2, 1, 'main', 'send', '/orders/inbox/' || i, i || '.csv', '2026-11-21_0914_' || i,
               hex(randomblob(32)), '1 2 3', 1790000000000 + i, 'done' FROM n;
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < :orders)
    INSERT INTO orders (id, account_id, order_id, inbox, sheet_order_id, state, came_from, claim_id, fingerprint,
                        signature, country_code, quote, pw_order_id, sends, entered_at, service,
                        service_read_at, order_status, payment_status, changed_at)
        SELECT i, 1, printf('%08d', (i * 48271) % 16777213), 'main', printf('%08d', (i * 48271) % 16777213), 'created',
               'new', 2 + (i - 1) / :sheet, '1:' || hex(randomblob(32)),
               '{\"items\":{\"TEE-CLASSIC-BLK-S\":1},\"country\":\"US\"}', 'US',
               '{\"base_fee\":21.45,\"shipping_fee\":18.39,\"tax_fee\":0.00,\"discount\":0.00,\"shipping_discount\":0.00,\"total\":39.84,\"lines\":[null]}',
               'PW' || i, 1, 1790000000000 + i,
               '{\"total\":39.84,\"base_fee\":21.45,\"shipping_fee\":8.49,\"tax_fee\":0.00,\"surcharge\":9.90,\"discount\":0.00}',
               1790000000000 + i, 'waiting', 'paid', 1790000000000 + i FROM n;
    INSERT INTO field_hash SELECT id, '[[' || hex(randomblob(500)) || ']]' FROM orders;
    INSERT INTO attempt SELECT id, 1, changed_at, 'boot', 1, changed_at, 'boot', 2, changed_at, 'created' FROM orders;
    INSERT INTO event (order_id, at, claim_id, old, new, why)
        SELECT id, changed_at, claim_id, 'new', 'sending', 'its create is about to leave' FROM orders;
    INSERT INTO event (order_id, at, claim_id, old, new, why)
        SELECT id, changed_at, claim_id, 'sending', 'created', 'the service answered with its id' FROM orders;
    INSERT INTO outcome (claim_id, first_row, order_ref, status, order_id, message, findings)
        SELECT claim_id, id, id, 'waiting', order_id, '', '[]' FROM orders;
    INSERT INTO tally VALUES ('created', :orders);
    INSERT INTO meta VALUES ('backed_up_at', '1790000000000');
";

fn main() -> Result<()> {
    // `cargo test --benches` only wants to know that it builds.
    if std::env::args().any(|arg| arg == "--test") {
        return Ok(());
    }
    let orders = std::env::args()
        .find_map(|arg| arg.parse().ok())
        .unwrap_or(ORDERS);
    let home = tempfile::tempdir()?;
    let empty = measure(&home.path().join("empty"), 0)?;
    let full = measure(&home.path().join("full"), orders)?;
    println!("| what | empty | {orders} orders |\n|---|---|---|");
    for ((what, empty), (_what, full)) in empty.iter().zip(&full) {
        println!("| {what} | {empty} | {full} |");
    }
    Ok(())
}

/// What a ledger of so many orders costs, each with its name.
fn measure(folder: &Path, orders: u32) -> Result<Vec<(&'static str, String)>> {
    let path = make(folder, orders)?;
    let mut rows = vec![(
        "the file",
        format!("{} MB", std::fs::metadata(&path)?.len() / 1_000_000),
    )];
    let (_, took) = timed(|| Ledger::open(&path, "a measurement"))?;
    rows.push(("open, after an end in order", told(took)));
    // As a killed process leaves it.
    std::fs::write(path.with_file_name("ledger.db.lock"), b"process 1")?;
    let (_, took) = timed(|| Ledger::open(&path, "a measurement"))?;
    rows.push(("open, after a kill (up to 256 MB every page is read)", told(took)));
    rows.push((
        "an order's intent and its answer, two commits",
        told(commits(&path)?),
    ));
    let mut status = Command::new(env!("CARGO_BIN_EXE_dropsheet"));
    status
        .arg("--config")
        .arg(folder.join("dropsheet.toml"))
        .arg("status")
        .stdout(std::process::Stdio::null());
    let ((), took) = timed(|| run(&mut status))?;
    rows.push(("`status`", told(took)));
    let at = Clock::system().now().wall.to_zoned(jiff::tz::TimeZone::UTC);
    let (_, took) = timed(|| backup::make(&path, &at))?;
    rows.push(("`ledger backup`, with its check", told(took)));
    let (flaws, took) = timed(|| Reader::open(&path)?.read(|store| store.verify()))?;
    assert!(flaws.is_empty(), "{flaws:?}");
    rows.push(("`ledger verify`", told(took)));
    Ok(rows)
}

fn run(command: &mut Command) -> Result<()> {
    let status = command.status()?;
    assert!(status.success(), "{status}");
    Ok(())
}

fn timed<T, E>(work: impl FnOnce() -> std::result::Result<T, E>) -> std::result::Result<(T, Duration), E> {
    let begun = Instant::now();
    let done = work()?;
    Ok((done, begun.elapsed()))
}

fn told(took: Duration) -> String {
    let tenths = took.as_micros().div_ceil(100);
    format!("{}.{} ms", tenths / 10, tenths % 10)
}

/// A ledger with so many orders, beside a config that names it.
fn make(folder: &Path, orders: u32) -> Result<PathBuf> {
    std::fs::create_dir_all(folder)?;
    let path = folder.join("ledger.db");
    std::fs::write(
        folder.join("dropsheet.toml"),
        "[account.main]\nbase_url = \"http://127.0.0.1:9\"\nemail = \"shop@example.com\"\n[inbox.main]\npath = \"orders\"\n",
    )?;
    let ledger = Ledger::open(&path, "a measurement")?;
    ledger.write_blocking(|store| {
        let account = store.account("main", "http://127.0.0.1:9", "shop@example.com")?;
        store.take(&NewClaim {
            account,
            inbox: "main".to_owned(),
            purpose: Purpose::Send,
            place: "/orders/inbox/new.csv".to_owned(),
            sheet_name: "new.csv".to_owned(),
            stem: "2026-11-21_0914_new".to_owned(),
            hash: "0".repeat(64),
            stamp: "1 2 3".to_owned(),
            taken_at: Clock::system().now().wall,
            out_path: None,
        })
    })?;
    drop(ledger);
    if orders > 0 {
        let db = rusqlite::Connection::open(&path)?;
        db.execute_batch("PRAGMA synchronous = OFF; PRAGMA cache_size = -2000000; BEGIN")?;
        let fill = FILL
            .replace(":orders", &orders.to_string())
            .replace(":sheet", &SHEET.to_string());
        db.execute_batch(&fill)?;
        db.execute_batch("COMMIT; PRAGMA wal_checkpoint(TRUNCATE)")?;
        // What the making has left to write to the disk is not a commit's.
        std::fs::File::open(&path)?.sync_all()?;
    }
    Ok(path)
}

/// What an order's two commits take, one order after the other, each in the middle of a run of them.
fn commits(path: &Path) -> Result<Duration> {
    let ledger = Ledger::open(path, "a measurement")?;
    let clock = Clock::system();
    let begun = Instant::now();
    for n in 0..COMMITS {
        // Everywhere in the indexes, as a merchant's ids are.
        let (new, now) = (
            order(format!("{:08}x", (n * 7_919_003) % 16_777_213)),
            clock.now(),
        );
        let (then, row) = (now.clone(), n + 2);
        let id = ledger.write_blocking(move |store| {
            let id = store.intend(&new, &now)?;
            let mut outcome = outcome(row);
            outcome.order = Some(id);
            store.put_outcome(&outcome)?;
            Ok(id)
        })?;
        ledger.write_blocking(move |store| -> std::result::Result<(), LedgerError> {
            store.answered(id, "PW1", None, &then)
        })?;
    }
    Ok(begun.elapsed() / COMMITS)
}

fn outcome(first_row: u32) -> Outcome {
    Outcome::blank(ClaimRef(1), first_row, String::new())
}

fn order(order_id: String) -> NewOrder {
    let fields: Vec<String> = (0..12).map(|n| format!("{n:064}")).collect();
    NewOrder {
        account: dropsheet::ledger::record::AccountRef(1),
        inbox: "main".to_owned(),
        sheet_order_id: order_id.clone(),
        claim: ClaimRef(1),
        fingerprint: Fingerprint {
            whole: format!("1:{order_id:0>64}"),
            fields: fields
                .into_iter()
                .map(|hash| ("shipping_name".into(), hash))
                .collect(),
        },
        content: Order {
            order_id,
            ship_to: ShipTo {
                name: "Ada Example".to_owned(),
                country_code: "US".to_owned(),
                ..ShipTo::default()
            },
            shipping_service: None,
            lines: vec![Line {
                item_sku: "TEE-CLASSIC-BLK-S".to_owned(),
                quantity: 1,
                ..Line::default()
            }],
            expected_total: None,
        },
        at_shop: AtShop::default(),
        quote: Some(Quote {
            base_fee: Money::from_hundredths(1210),
            shipping_fee: Money::ZERO,
            tax_fee: Money::ZERO,
            discount: Money::ZERO,
            shipping_discount: Money::ZERO,
            total: Money::from_hundredths(1210),
            lines: vec![None],
        }),
    }
}
