//! What accountants and merchants open besides results: costs, templates, the catalog, the to-fix sheet.

use std::path::Path;

use calamine::{Data, Reader, Xlsx, open_workbook};
use dropsheet::money::Money;
use serde_json::Value;

use crate::world::{HEADER, World, row, sheet};

/// The pages of a cost workbook, from left to right.
const PAGES: [&str; 11] = [
    "Summary",
    "Orders",
    "Lines",
    "By product",
    "By country",
    "By inbox and sheet",
    "Reconciliation",
    "Canceled",
    "Not yet read",
    "At the service but not ours",
    "Days",
];

fn report(world: &World, out: &str) -> Value {
    let out = world.path(out);
    let out = out.to_str().unwrap();
    let ran = world.dropsheet(&[
        "report",
        "--from",
        "2020-01-01",
        "--to",
        "2099-12-31",
        "--json",
        "--out",
        out,
    ]);
    assert_eq!(ran.status, 0, "{ran:?}");
    serde_json::from_str(&ran.said).unwrap()
}

fn amount(value: &Value) -> Money {
    value.to_string().parse().unwrap()
}

/// The amount in the row of totals of a page, below a heading.
fn total(path: &Path, page: &str, heading: &str) -> Money {
    let mut workbook: Xlsx<_> = open_workbook(path).unwrap();
    let range = workbook.worksheet_range(page).unwrap();
    let column = range
        .rows()
        .find_map(|row| {
            row.iter()
                .position(|cell| *cell == Data::String(heading.to_owned()))
        })
        .unwrap();
    let totals = range.rows().next_back().unwrap();
    assert_eq!(totals[0], Data::String("Total".to_owned()), "{page}");
    totals[column].to_string().parse().unwrap()
}

#[test]
fn a_report_is_the_sum_of_the_result_sheets_to_the_cent() {
    let mut world = World::new();
    world.drop_csv("monday.csv", &sheet(&["1001", "1002", "1003"]));
    let two_lines = format!("{HEADER}\n{}\n{}\n", row("1004", 12), row("1004", 3));
    world.drop_csv("tuesday.csv", &two_lines);
    world.run_until_settled();
    world.drop_csv("cancel.csv", "order_id,action\n1002,cancel\n");
    world.run_until_settled();

    let sum = |status: &str| {
        let of = |name: &str| -> Vec<Money> {
            let result = world.result(name);
            let rows = result.columns(&["result_status", "result_quoted_total"]);
            let mine = rows.iter().filter(|row| row[0] == status && !row[1].is_empty());
            mine.map(|row| row[1].parse().unwrap()).collect()
        };
        Money::sum(["monday.csv", "tuesday.csv"].into_iter().flat_map(of)).unwrap()
    };
    let told = &report(&world, "costs.xlsx")[0];
    assert!(!sum("created").is_zero());
    assert_eq!(amount(&told["orders"]["quoted"]), sum("created"));
    assert_eq!(amount(&told["canceled"]["quoted"]), sum("canceled"));
    assert_eq!(
        (&told["orders"]["orders"], &told["canceled"]["orders"]),
        (&3.into(), &1.into())
    );
    assert!(told["not_read"].is_null() && !told["as_of"].is_null(), "{told}");

    let path = world.path("costs.xlsx");
    let workbook: Xlsx<_> = open_workbook(&path).unwrap();
    assert_eq!(workbook.sheet_names(), PAGES);
    for page in [
        "Orders",
        "Lines",
        "By product",
        "By country",
        "By inbox and sheet",
        "Days",
    ] {
        assert_eq!(total(&path, page, "Quoted total"), sum("created"), "{page}");
    }
    assert_eq!(total(&path, "Canceled", "Quoted total"), sum("canceled"));
    world.end();
}

#[test]
fn a_report_beside_a_running_dropsheet_tells_what_the_ledger_has() {
    let mut world = World::new();
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    world.run_until_settled();
    let daemon = world.daemon();
    let told = &report(&world, "costs.xlsx")[0];
    assert_eq!(told["orders"]["orders"], 1);
    let why = told["not_read"].as_str().unwrap();
    assert!(why.contains("is at work"), "{why}");
    daemon.terminate();
    world.end();
}

#[test]
fn a_report_without_a_service_says_so_and_an_earlier_one_is_never_overwritten() {
    let mut world = World::new();
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    world.run_until_settled();
    report(&world, "costs.xlsx");
    let again = world.dropsheet(&["report", "--month", "2026-10", "--out", "costs.xlsx"]);
    assert_eq!(again.status, 1);
    assert!(again.logged.contains("is there already"), "{}", again.logged);

    world.service.go_away_now().unwrap();
    let told = &report(&world, "later.xlsx")[0];
    let why = told["not_read"].as_str().unwrap();
    assert!(why.contains("could not be read"), "{why}");
    assert_eq!(told["orders"]["orders"], 1);
    world.end();
}

#[test]
fn what_is_no_span_is_wrong_usage() {
    let world = World::new();
    for arguments in [
        &["report"][..],
        &["report", "--month", "october"],
        &["report", "--from", "2026-10-02", "--to", "2026-10-01"],
        &["report", "--month", "2026-10", "--account", "nobody"],
    ] {
        assert_eq!(world.dropsheet(arguments).status, 2, "{arguments:?}");
    }
    world.end();
}

/// The files of `help/` that people see.
fn help(world: &World) -> Vec<String> {
    let mut names = world.files("help");
    names.retain(|name| !name.starts_with('.'));
    names
}

#[test]
fn the_template_in_help_is_filled_with_the_catalog_and_is_an_order_sheet() {
    let mut world = World::new();
    world.run_once();
    assert_eq!(help(&world), ["template.xlsx"], "before the catalog is known");
    assert_eq!(
        world.service.calls().counts.values().sum::<u64>(),
        0,
        "nothing is asked for it"
    );
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    world.run_until_settled();
    assert_eq!(help(&world), ["catalog.xlsx", "template.xlsx"]);
    let blank = std::fs::read(world.orders_path("help/template.xlsx")).unwrap();
    world.drop_bytes("blank.xlsx", &blank);
    world.run_once();
    let reason = world
        .files("rejected")
        .into_iter()
        .find(|name| name.ends_with(".error.txt"))
        .unwrap();
    let reason = std::fs::read_to_string(world.orders_path("rejected").join(reason)).unwrap();
    // The header was read and the example was not.
    assert!(reason.contains("empty-sheet"), "{reason}");
    world.end();
}

#[test]
fn the_catalog_is_exported_by_the_ending_of_its_file() {
    let world = World::new();
    for (name, status) in [("catalog.csv", 0), ("catalog.xlsx", 0), ("catalog.pdf", 2)] {
        let ran = world.dropsheet(&["catalog", "export", "--out", name]);
        assert_eq!(ran.status, status, "{ran:?}");
    }
    let csv = std::fs::read_to_string(world.path("catalog.csv")).unwrap();
    let mut workbook: Xlsx<_> = open_workbook(world.path("catalog.xlsx")).unwrap();
    let range = workbook.worksheet_range("Catalog").unwrap();
    // A title, a line, a blank line and the header stand above.
    assert_eq!(csv.lines().count() - 1, range.height() - 4);
    assert!(csv.starts_with("\u{feff}SKU,Product,Variant"));
    world.end();
}
