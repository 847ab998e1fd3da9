//! The parts of the work one by one: reading a sheet, grouping and checking its orders, the ledger's commits, and
//! writing results. `cargo bench --bench parts` prints a table; `cargo bench --bench parts -- reading` only some of it.

#![expect(
    clippy::expect_used,
    clippy::disallowed_methods,
    reason = "a measurement that fails may end as it likes"
)]

use std::fmt::Write as _;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use divan::Bencher;
use divan::counter::ItemsCount;
use dropsheet::catalog::{Entry, Snapshot};
use dropsheet::check::{Limits, check};
use dropsheet::import::read::{How, Read, read};
use dropsheet::ledger::record::{AccountRef, ClaimRef, NewClaim, Outcome, Purpose};
use dropsheet::ledger::{Ledger, LedgerError};
use dropsheet::order::{Draft, Grouper, Profiles, SkuMap};
use dropsheet::outcome::Status;
use dropsheet::result::{self, Kind, Source, Title, View};
use dropsheet::sheet::{self, Row, apart};
use tokio::task::JoinSet;

/// Orders of the sheets: one line each.
const ORDERS: u32 = 5_000;

const HEADER: [&str; 11] = [
    "order_id",
    "shipping_name",
    "shipping_phone",
    "shipping_address1",
    "shipping_city",
    "shipping_province",
    "shipping_zip",
    "shipping_country_code",
    "item_sku",
    "quantity",
    "artwork_front",
];

fn main() {
    // A workbook is read by this program once more, in a process of its own.
    if apart::begin(std::env::args_os()).is_none() {
        divan::main();
    }
}

fn cells(order: u32) -> [String; 11] {
    [
        format!("P{order:07}"),
        "Ada Example".to_owned(),
        "+1 555 010 0101".to_owned(),
        format!("{order} Maple Street"),
        "Columbus".to_owned(),
        "Ohio".to_owned(),
        "43004".to_owned(),
        "US".to_owned(),
        "TEE-S".to_owned(),
        (1 + order % 20).to_string(),
        format!("https://example.com/art/{order}.png"),
    ]
}

/// A sheet in a folder of its own.
fn make(ending: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(format!("orders.{ending}"));
    if ending == "xlsx" {
        let mut book = rust_xlsxwriter::Workbook::new();
        let page = book.add_worksheet();
        page.write_row(0, 0, HEADER).expect("a row");
        for order in 0..ORDERS {
            page.write_row(order + 1, 0, cells(order)).expect("a row");
        }
        book.save(&path).expect("a workbook");
    } else {
        let mut text = HEADER.join(",");
        for order in 0..ORDERS {
            write!(text, "\n{}", cells(order).join(",")).expect("a String takes every write");
        }
        std::fs::write(&path, text).expect("a sheet");
    }
    (folder, path)
}

fn first_pass(path: &Path, scratch: &Path) -> Read {
    let how = How {
        limits: sheet::Limits {
            max_bytes: 256 << 20,
            max_rows: 1_048_576,
        },
        profiles: &Profiles::default(),
        map: &SkuMap::default(),
        order_prefix: "",
        scratch,
        early: None,
    };
    let name = path.file_name().expect("a name").to_string_lossy();
    read(File::open(path).expect("the sheet"), &name, how).expect("an order sheet")
}

fn each_draft(read: Read, take: &mut dyn FnMut(Draft)) {
    let header = read.sheet.header().number();
    let mut rows = read.sheet.rows().expect("rows");
    let mut grouper = Grouper::new(read.layout, read.index);
    let mut row = Row::default();
    while rows.next(&mut row).expect("a row") {
        if row.number() <= header {
            continue;
        }
        if let Some(draft) = grouper.push(&row) {
            take(draft);
        }
    }
}

fn catalog() -> Snapshot {
    let entry = Entry {
        sku: "TEE-S".to_owned(),
        product_code: "TEE".to_owned(),
        product_name: "Classic Tee".to_owned(),
        title: "S".to_owned(),
        variant_id: "1".to_owned(),
    };
    Snapshot::new(jiff::Timestamp::UNIX_EPOCH, vec![entry], Vec::new())
}

/// The first pass: rows, their mended ids, and which belong together.
#[divan::bench(args = ["csv", "xlsx"])]
fn reading(bencher: Bencher<'_, '_>, ending: &str) {
    let (folder, path) = make(ending);
    bencher
        .counter(ItemsCount::new(ORDERS))
        .bench_local(|| first_pass(&path, folder.path()));
}

/// The second pass: every cell mended, rows grouped into drafts.
#[divan::bench]
fn grouping(bencher: Bencher<'_, '_>) {
    let (folder, path) = make("csv");
    bencher
        .counter(ItemsCount::new(ORDERS))
        .with_inputs(|| first_pass(&path, folder.path()))
        .bench_local_values(|read| each_draft(read, &mut |draft| drop(divan::black_box(draft))));
}

/// Every check of each draft.
#[divan::bench]
fn checks(bencher: Bencher<'_, '_>) {
    let (folder, path) = make("csv");
    let (catalog, limits) = (catalog(), Limits::default());
    let mut drafts = Vec::new();
    each_draft(first_pass(&path, folder.path()), &mut |draft| drafts.push(draft));
    bencher.counter(ItemsCount::new(ORDERS)).bench_local(|| {
        for draft in &drafts {
            divan::black_box(check(draft, &catalog, &limits));
        }
    });
}

/// What tells an order that comes again from one that has changed.
#[divan::bench]
fn fingerprints(bencher: Bencher<'_, '_>) {
    let (folder, path) = make("csv");
    let mut drafts = Vec::new();
    each_draft(first_pass(&path, folder.path()), &mut |draft| drafts.push(draft));
    bencher.counter(ItemsCount::new(ORDERS)).bench_local(|| {
        for draft in &drafts {
            divan::black_box(draft.fingerprint());
        }
    });
}

/// The ledger's commits, where so many wait for one at a time.
#[divan::bench(args = [1, 32, 128])]
fn commits(bencher: Bencher<'_, '_>, at_once: u32) {
    let folder = tempfile::tempdir().expect("a folder");
    let ledger = Ledger::open(&folder.path().join("ledger.db"), "a measurement").expect("a ledger");
    let ledger = Arc::new(ledger);
    let claim = ledger.write_blocking(|store| {
        let account = store.account("main", "http://127.0.0.1:9", "shop@example.com")?;
        store.take(&claim(account))
    });
    let claim = claim.expect("a claim");
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .expect("a runtime");
    bencher.counter(ItemsCount::new(at_once)).bench_local(|| {
        runtime.block_on(async {
            let mut writes = JoinSet::new();
            for row in 2..at_once + 2 {
                let ledger = Arc::clone(&ledger);
                writes.spawn(put(ledger, outcome(claim, row)));
            }
            for written in writes.join_all().await {
                written.expect("a commit");
            }
        });
    });
}

async fn put(ledger: Arc<Ledger>, outcome: Outcome) -> Result<(), LedgerError> {
    ledger.write(move |store| store.put_outcome(&outcome)).await
}

fn claim(account: AccountRef) -> NewClaim {
    NewClaim {
        account,
        inbox: "main".to_owned(),
        purpose: Purpose::Send,
        place: "/orders/inbox/orders.csv".to_owned(),
        sheet_name: "orders.csv".to_owned(),
        stem: "2026-11-21_0914_orders".to_owned(),
        hash: "0".repeat(64),
        stamp: "1 2 3".to_owned(),
        taken_at: jiff::Timestamp::UNIX_EPOCH,
        out_path: None,
    }
}

fn outcome(claim: ClaimRef, first_row: u32) -> Outcome {
    Outcome {
        status: Status::Invalid,
        ..Outcome::blank(claim, first_row, format!("P{first_row:07}"))
    }
}

/// A result of orders that the service has.
#[divan::bench(args = ["csv", "xlsx"])]
fn writing(bencher: Bencher<'_, '_>, ending: &str) {
    let (folder, path) = make("csv");
    let read = first_pass(&path, folder.path());
    let source = Source {
        sheet: &read.sheet,
        layout: &read.layout,
        index: &read.index,
        catalog: None,
    };
    let kind = if ending == "csv" {
        Kind::Csv(b',')
    } else {
        Kind::Workbook
    };
    let to = folder.path().join("result");
    bencher.counter(ItemsCount::new(ORDERS)).bench_local(|| {
        let mut views = (2..ORDERS + 2).map(|row| Ok(view(row)));
        result::write(&source, &mut views, &title(), kind, &to).expect("a result");
        std::fs::remove_file(&to).expect("the result");
    });
}

fn title() -> Title {
    Title {
        sheet_name: "orders.csv".to_owned(),
        stem: "2026-11-21_0914_orders".to_owned(),
        taken_at: jiff::Timestamp::UNIX_EPOCH,
        written_at: jiff::Timestamp::UNIX_EPOCH,
        zone: jiff::tz::TimeZone::UTC,
        inbox: Some("main".to_owned()),
        account: "main".to_owned(),
        currency: None,
        only_priced: false,
        held: "2026-11-21_0914_orders".to_owned(),
        read_as: None,
        to_fix: None,
        sku_map: None,
        replaces: Vec::new(),
    }
}

fn view(first_row: u32) -> View {
    View {
        first_row,
        status: Status::Created,
        findings: Vec::new(),
        message: String::new(),
        order_id: format!("P{first_row:07}"),
        pw_order_id: Some(format!("PW-{first_row}")),
        created_at: Some(jiff::Timestamp::UNIX_EPOCH),
        first_sheet: None,
        held_in: None,
        quote: None,
        service: None,
        read_at: None,
        order_status: None,
        payment_status: None,
        tracking: None,
        country_code: Some("US".to_owned()),
        troubles: Vec::new(),
    }
}
