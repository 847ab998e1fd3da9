//! What accountants and merchants open besides results: costs, templates, the catalog, the to-fix sheet.

use std::path::Path;

use calamine::{Data, Reader, Xlsx, open_workbook};
use dropsheet::money::Money;
use dropsheet::sandbox::{self, Amount, Options};
use serde_json::Value;

use crate::faults::ledgers::{backup, restore};
use crate::world::{EVER, HEADER, Setup, World, row, sheet, wait_for, write};

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
    "Not in this ledger",
    "Days",
];

fn report(world: &World, out: &str) -> Value {
    let out = world.path(out);
    let out = out.to_str().unwrap();
    let ran = world.dropsheet(&[&EVER[..], &["--json", "--out", out]].concat());
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
    assert!(!why.contains("process"), "an accountant reads it: {why}");
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
fn the_text_of_a_report_says_what_canceled_orders_were_charged_as_far_as_the_service_has_told() {
    let mut world = World::new();
    world.drop_csv("monday.csv", &sheet(&["1001", "1002"]));
    world.run_until_settled();
    let canceled = world.dropsheet(&["orders", "cancel", "1001"]);
    assert_eq!(canceled.status, 0, "{canceled:?}");
    world.service.set_list_lag(std::time::Duration::ZERO);
    let charged = |cents| {
        let total = Amount::cents(cents);
        assert!(
            world
                .service
                .charge(&world.at_service("1001")[0].pw_order_id, total)
        );
        let out = format!("costs-{cents}.xlsx");
        let ran = world.dropsheet(&[&EVER[..], &["--out", &out]].concat());
        assert_eq!(ran.status, 0, "{ran:?}");
        ran.said
    };
    for (cents, says) in [
        (300, "  1 canceled, quoted 13.64, service 3.00\n"),
        (0, "  1 canceled, quoted 13.64, service 0.00\n"),
    ] {
        let said = charged(cents);
        assert!(said.contains(says), "{said}");
    }
    world.excused.push("1001".to_owned());
    world.end();
}

/// Has the config say something else from now on; gives what it said.
fn reconfigure(world: &World, from: &str, to: &str) -> String {
    let path = world.path("dropsheet.toml");
    let config = std::fs::read_to_string(&path).unwrap();
    assert!(config.contains(from), "{config}");
    write(&path, config.replace(from, to).as_bytes());
    config
}

#[test]
fn there_is_no_report_of_an_account_that_the_ledger_knows_otherwise() {
    let mut world = World::new();
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    world.run_until_settled();
    let asked = [&EVER[..], &["--out", "costs.xlsx"]].concat();
    let refused = |says: &str| {
        for command in [&["run", "--once"][..], &asked] {
            let ran = world.dropsheet(command);
            assert_eq!(ran.status, 2, "{ran:?}");
            assert!(ran.logged.contains(says), "{ran:?}");
        }
        assert!(!world.path("costs.xlsx").exists());
        let status = world.dropsheet(&["status"]);
        let told = format!("main: {says}");
        assert!(
            status.said.contains("NOT WORKED") && status.said.contains(&told),
            "{status:?}"
        );
    };
    for (from, to, says) in [
        (
            "[account.main]",
            "[account.neu]",
            "account `neu` is called `main` in this ledger; call it that",
        ),
        (
            "shop@example.com",
            "other@example.com",
            "account `main` is shop@example.com at ",
        ),
    ] {
        let config = reconfigure(&world, from, to);
        refused(says);
        write(&world.path("dropsheet.toml"), config.as_bytes());
    }
    assert_eq!(report(&world, "costs.xlsx")[0]["orders"]["orders"], 1);
    world.end();
}

#[test]
fn the_costs_of_an_account_that_has_left_the_config_are_told_from_the_ledger() {
    let mut world = World::new();
    world.drop_csv("monday.csv", &sheet(&["1001", "1002"]));
    world.run_until_settled();
    let status = || world.dropsheet(&["status"]).said;
    assert!(!status().contains("not followed"));
    let second = sandbox::start_on_thread(Options::default()).unwrap();
    let config = reconfigure(&world, "[account.main]", "[account.neu]");
    reconfigure(&world, &world.service.base_url(), &second.base_url());
    let asked = |more: &[&str], status: i32| {
        let ran = world.dropsheet(&[&EVER[..], &["--json"], more].concat());
        assert_eq!(ran.status, status, "{ran:?}");
        ran
    };
    let told = |more: &[&str]| -> Value { serde_json::from_str(&asked(more, 0).said).unwrap() };

    let folder = world.path("costs");
    std::fs::create_dir(&folder).unwrap();
    let both = told(&["--out", folder.to_str().unwrap()]);
    let of = |n: usize| (&both[n]["account"], &both[n]["orders"]["orders"]);
    assert_eq!(of(0), (&"neu".into(), &0.into()));
    assert_eq!(of(1), (&"main".into(), &2.into()));
    assert!(
        both[0]["not_read"].is_null() && !both[1]["as_of"].is_null(),
        "{both}"
    );
    let why = both[1]["not_read"].as_str().unwrap();
    assert!(
        why.contains("account `main` is not in the config any more"),
        "{why}"
    );
    let file = |n: usize| both[n]["file"].as_str().unwrap();
    assert!(file(1).ends_with("-main.xlsx"), "{both}");
    assert!(!file(0).ends_with("-neu.xlsx"), "the config's only one: {both}");
    let mut workbook: Xlsx<_> = open_workbook(file(1)).unwrap();
    let summary = workbook.worksheet_range("Summary").unwrap();
    let says = |text: &str| {
        summary
            .rows()
            .flatten()
            .any(|cell| cell.to_string().contains(text))
    };
    assert!(says(why) && says("As of "), "{summary:?}");

    let alone = told(&["--account", "main", "--out", "alone.xlsx"]);
    assert_eq!(alone[0]["orders"], both[1]["orders"]);
    let own = told(&["--account", "neu", "--out", "own.xlsx"]);
    assert_eq!(own.as_array().unwrap().len(), 1, "{own}");
    let refused = asked(&["--out", "one.xlsx"], 2);
    assert!(refused.logged.contains("neu, main"), "{refused:?}");
    asked(&["--account", "nobody"], 2);
    let before = world.dropsheet(&["report", "--month", "2020-01"]);
    assert_eq!(
        (before.status, before.said.matches("wrote").count()),
        (0, 1),
        "{before:?}"
    );

    let says = "2 orders of account `main`, which is not in the config any more, are not followed. Put [account.main] back";
    assert!(status().contains(says), "{}", status());
    write(&world.path("dropsheet.toml"), config.as_bytes());
    assert!(!status().contains("not followed"));
    world.end();
}

#[test]
fn an_account_that_is_called_otherwise_has_not_left() {
    let mut world = World::new();
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    world.run_until_settled();
    let config = reconfigure(&world, "[account.main]", "[account.neu]");
    for account in ["main", "neu"] {
        let ran = world.dropsheet(&[&EVER[..], &["--account", account, "--out", "costs.xlsx"]].concat());
        assert_eq!(ran.status, 2, "{ran:?}");
        assert!(ran.logged.contains("is called `main` in this ledger"), "{ran:?}");
    }
    write(&world.path("dropsheet.toml"), config.as_bytes());
    world.end();
}

/// The name of the month so many months before this one, in the world's zone.
fn month(before: i32) -> String {
    let today = jiff::Timestamp::now().to_zoned(jiff::tz::TimeZone::UTC);
    let then = today
        .first_of_month()
        .unwrap()
        .checked_sub(jiff::Span::new().months(before));
    then.unwrap().strftime("%Y-%m").to_string()
}

/// The workbook of last month in `results/`.
fn last_month(world: &World) -> std::path::PathBuf {
    world.orders_path(&format!("results/print-costs-{}.xlsx", month(1)))
}

/// The names of the cost workbooks in `results/`.
fn months(world: &World) -> Vec<String> {
    let mut names = world.files("results");
    names.retain(|name| name.starts_with("print-costs-"));
    names
}

/// Has the ledger know all that it has told, and all orders that it has not told of, as of a month earlier than they are.
fn let_a_month_pass(world: &World) {
    let db = rusqlite::Connection::open(world.path("ledger.db")).unwrap();
    db.execute_batch(&format!(
        "UPDATE closed_month SET month = '{two}', from_at = from_at - 31 * 86400000;
         UPDATE told_cost SET month = '{two}';
         UPDATE own_file SET name = 'print-costs-{two}' WHERE name = 'print-costs-{one}';
         UPDATE orders SET entered_at = unixepoch('{one}-15') * 1000
             WHERE id NOT IN (SELECT order_id FROM told_cost);",
        one = month(1),
        two = month(2),
    ))
    .unwrap();
    if last_month(world).exists() {
        let earlier = world.path("earlier.xlsx");
        dropsheet::files::move_new(&last_month(world), &earlier).unwrap();
        let kept = |before| world.path(&format!("costs/print-costs-{}-main.xlsx", month(before)));
        dropsheet::files::move_new(&kept(1), &kept(2)).unwrap();
    }
}

#[test]
fn last_month_is_written_once_and_what_changes_later_stands_in_the_next() {
    let mut world = World::with(Setup {
        inbox: "\n[report]\nmonthly = true\n",
        ..Setup::default()
    });
    world.drop_csv("monday.csv", &sheet(&["1001", "1002"]));
    world.run_until_settled();
    assert_eq!(months(&world), [""; 0], "this month is not over");

    let_a_month_pass(&world);
    world.run_once();
    let name = format!("print-costs-{}.xlsx", month(1));
    assert_eq!(months(&world), std::slice::from_ref(&name));
    let written = std::fs::read(last_month(&world)).unwrap();
    let quoted = total(&last_month(&world), "Orders", "Quoted total");
    assert!(!quoted.is_zero());

    world.drop_csv("cancel.csv", "order_id,action\n1002,cancel\n");
    world.drop_csv("tuesday.csv", &sheet(&["1003"]));
    world.run_until_settled();
    assert_eq!(months(&world), std::slice::from_ref(&name));
    assert_eq!(std::fs::read(last_month(&world)).unwrap(), written);
    let asked = world.dropsheet(&["report", "--month", &month(1), "--out", "asked.xlsx"]);
    assert_eq!(asked.status, 0, "{asked:?}");
    assert!(asked.said.contains("as written by itself"), "{asked:?}");

    let_a_month_pass(&world);
    world.run_once();
    assert_eq!(months(&world), [name]);
    let next = last_month(&world);
    let mut workbook: Xlsx<_> = open_workbook(&next).unwrap();
    let changes = "Changes to earlier months";
    let page = workbook.worksheet_range(changes).unwrap();
    assert!(page.rows().any(|row| row[0] == Data::String("1002".to_owned())));
    let all = [
        quoted,
        total(&next, "Orders", "Quoted total"),
        total(&next, changes, "Change of quoted"),
    ];
    let told = &report(&world, "costs.xlsx")[0];
    assert_eq!(Money::sum(all).unwrap(), amount(&told["orders"]["quoted"]));
    assert_eq!(
        total(&next, changes, "Canceled: change of quoted"),
        amount(&told["canceled"]["quoted"])
    );
    world.end();
}

#[test]
fn a_month_whose_writer_was_killed_before_it_was_closed_has_one_workbook() {
    let mut world = World::with(Setup {
        inbox: "\n[report]\nmonthly = true\n",
        ..Setup::default()
    });
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    world.run_until_settled();
    let_a_month_pass(&world);
    let ran = world.run_once_crashing("month-written:1");
    assert!(ran.crashed(), "{ran:?}");
    let costs = world.path("costs");
    let costs = || -> Vec<_> {
        let files = std::fs::read_dir(&costs).unwrap();
        files
            .map(|file| file.unwrap().file_name().into_string().unwrap())
            .collect()
    };
    // What a killed process was at is hidden. Another ledger's process may be at it now.
    let (left, written): (Vec<_>, Vec<_>) = costs().into_iter().partition(|name| name.starts_with('.'));
    assert_eq!((left.len(), written.len()), (1, 1), "{left:?} {written:?}");
    let others = ".dropsheet-month-another-x".to_owned();
    std::fs::create_dir(world.path("costs").join(&others)).unwrap();
    assert_eq!(months(&world), [""; 0], "it is not closed");
    world.run_once();
    let (left, now): (Vec<_>, Vec<_>) = costs().into_iter().partition(|name| name.starts_with('.'));
    assert_eq!((left, now), (vec![others], written));
    assert_eq!(months(&world), [format!("print-costs-{}.xlsx", month(1))]);
    world.end();
}

#[test]
fn a_month_is_not_written_before_the_service_s_clock_has_passed_it() {
    // By the service's clock last month has ten days left.
    let now = jiff::Timestamp::now().to_zoned(jiff::tz::TimeZone::UTC);
    let first = now.first_of_month().unwrap().start_of_day().unwrap();
    let past = std::time::Duration::try_from(now.timestamp().duration_since(first.timestamp())).unwrap();
    let behind = past + std::time::Duration::from_hours(10 * 24);
    let setup = Setup::default();
    let mut world = World::with(Setup {
        service: Options {
            behind,
            ..setup.service
        },
        inbox: "\n[report]\nmonthly = true\n",
        ..setup
    });
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    world.run_until_settled();
    // What this process asks first is the list: it knows no other time than the machine's until then.
    assert_eq!(world.dropsheet(&["orders", "sync"]).status, 0);
    world.run_once();
    assert_eq!(months(&world), [""; 0]);

    world.service.advance_clock(behind);
    assert_eq!(world.dropsheet(&["orders", "sync"]).status, 0);
    world.run_once();
    assert_eq!(months(&world), [format!("print-costs-{}.xlsx", month(1))]);
    world.end();
}

#[test]
fn a_ledger_put_back_from_before_last_month_was_written_leaves_that_workbook_and_writes_its_own_beside_it() {
    let mut world = World::with(Setup {
        inbox: "\n[report]\nmonthly = true\n",
        ..Setup::default()
    });
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    world.run_until_settled();
    let before = backup(&world);
    world.drop_csv("tuesday.csv", &sheet(&["1002"]));
    world.run_until_settled();
    let_a_month_pass(&world);
    world.run_once();
    let kept = |number: &str| world.path(&format!("costs/print-costs-{}-main{number}.xlsx", month(1)));
    let paths = [kept(""), last_month(&world)];
    let written = paths.each_ref().map(|path| std::fs::read(path).unwrap());

    restore(&world, &before);
    let db = rusqlite::Connection::open(world.path("ledger.db")).unwrap();
    let last = format!(
        "UPDATE orders SET entered_at = unixepoch('{}-15') * 1000",
        month(1)
    );
    db.execute_batch(&last).unwrap();
    drop(db);
    wait_for("its own is written", || {
        world.run_once();
        kept("-2").exists()
    });
    assert_eq!(paths.each_ref().map(|path| std::fs::read(path).unwrap()), written);
    let name = format!("print-costs-{}", month(1));
    assert_eq!(months(&world), [format!("{name}-2.xlsx"), format!("{name}.xlsx")]);
    let copy = std::fs::read(world.orders_path(&format!("results/{name}-2.xlsx"))).unwrap();
    assert_eq!(copy, std::fs::read(kept("-2")).unwrap());
    let mut workbook: Xlsx<_> = open_workbook(kept("-2")).unwrap();
    let summary = workbook.worksheet_range("Summary").unwrap();
    let says = |cell: &Data| {
        cell.to_string()
            .contains(&format!("It stands in for {name}.xlsx"))
    };
    assert!(summary.rows().flatten().any(says));
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
    let said = world.dropsheet(&["report"]);
    assert!(said.logged.contains("<--month <MONTH>|--from <DAY>>"), "{said:?}");
    for both in [
        &["report", "--month", "2026-10", "--from", "2026-10-01"][..],
        &["report", "--month", "2026-10", "--to", "2026-10-01"],
        &["report", "--from", "2026-10-01"],
        &["report", "--to", "2026-10-01"],
    ] {
        assert_eq!(world.dropsheet(both).status, 2, "{both:?}");
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
    world.service.go_away_now().unwrap();
    assert_eq!(world.run_once().status, 0, "nothing waits for the service");
    assert_eq!(help(&world), ["template.xlsx"], "before the catalog is known");
    world.service.come_back_now().unwrap();
    // Before the first sheet: it is written by what lies there.
    world.run_once();
    assert_eq!(help(&world), ["catalog.xlsx", "template.xlsx"]);
    let asked = |world: &World| world.service.calls().counts.values().sum::<u64>();
    let login_and_catalog = 2;
    assert_eq!(asked(&world), login_and_catalog);
    world.run_once();
    assert_eq!(
        asked(&world),
        login_and_catalog,
        "a catalog that is young is kept"
    );
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
