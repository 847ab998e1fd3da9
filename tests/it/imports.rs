//! `dropsheet import`: sheets of the same name day after day, beside files of a person's; one that cannot be read among
//! others; and what is told of them.

use std::time::Duration;

use calamine::{Data, Reader};
use dropsheet::sandbox::{Options, Running, start_on_thread};

use crate::shop::{HEADER, Shop};

/// A row whose SKU nobody has.
fn unknown(order_id: &str) -> String {
    row(order_id, "NO-SUCH-SKU")
}

fn row(order_id: &str, sku: &str) -> String {
    format!(
        "{order_id},Ada Example,+1 555 010 0101,12 Maple Street,Columbus,Ohio,OH,43004,United States,US,{sku},1,Classic \
         Tee,https://example.com/art/fox.png"
    )
}

fn sheet(rows: &[String]) -> Vec<u8> {
    format!("{HEADER}\n{}\n", rows.join("\n")).into_bytes()
}

/// All cells of a workbook's pages, one a line.
pub(crate) fn cells(shop: &Shop, name: &str) -> String {
    let mut book: calamine::Xlsx<_> = calamine::open_workbook(shop.path(name)).unwrap();
    let mut all = String::new();
    for (_page, range) in book.worksheets() {
        for (_row, _column, cell) in range.cells().filter(|(_, _, cell)| **cell != Data::Empty) {
            all.push_str(&cell.to_string());
            all.push('\n');
        }
    }
    all
}

#[test]
fn a_sheet_in_an_inbox_is_not_imported_besides() {
    let shop = Shop::new();
    let text = std::fs::read(shop.path("orders.csv")).unwrap();
    shop.write("orders/inbox/mine.csv", &text);
    let told = ["inbox/ of the inbox `main` is read by itself"];
    shop.run(&["import", "orders/inbox/mine.csv"]).says(1, &told);
    shop.write("mine.csv", &text);
    shop.run(&["import", "mine.csv", "--out", "orders/inbox"])
        .says(1, &told);
    std::fs::create_dir(shop.path("orders/inbox/anna")).unwrap();
    shop.run(&["import", "mine.csv", "--out", "orders/inbox/anna"])
        .says(1, &told);
    std::fs::remove_dir(shop.path("orders/inbox/anna")).unwrap();
    assert_eq!(shop.names("orders/inbox"), ["mine.csv"]);
    shop.run(&["import", "mine.csv"]).says(3, &["9 created"]);
}

#[test]
fn a_path_by_way_of_an_inbox_is_where_it_leads_to() {
    let shop = Shop::new();
    let orders = sheet(&[row("A1", "TEE-CLASSIC-BLK-S")]);
    shop.write("orders/mine.csv", &orders);
    shop.run(&["import", "orders/inbox/../mine.csv"])
        .says(0, &["1 created"]);
    assert!(shop.path("orders/mine.result.xlsx").exists());
    shop.run(&["import", "orders/mine.csv", "--out", "orders/inbox/../.."])
        .says(0, &["1 already_created"]);
    assert!(shop.path("mine.result.xlsx").exists());
    let told = ["inbox/ of the inbox `main` is read by itself"];
    shop.write("orders/inbox/theirs.csv", &orders);
    for way in [
        "orders/try/../inbox/theirs.csv",
        "orders/../orders/inbox/theirs.csv",
    ] {
        shop.run(&["import", way]).says(1, &told);
    }
    shop.run(&["import", "orders/mine.csv", "--out", "orders/try/../inbox"])
        .says(1, &told);
}

#[test]
fn a_link_that_is_named_means_what_it_leads_to_and_one_that_leads_nowhere_says_so() {
    let shop = Shop::new();
    std::fs::create_dir(shop.path("kept")).unwrap();
    shop.write("kept/m.csv", &sheet(&[row("A1", "TEE-CLASSIC-BLK-S")]));
    let link = |to: &str, name: &str| std::os::unix::fs::symlink(to, shop.path(name)).unwrap();
    link("kept/m.csv", "today.csv");
    link("kept/gone.csv", "gone.csv");
    link("kept", "folder.csv");
    shop.run(&["import", "today.csv"]).says(0, &["1 created"]);
    assert!(shop.path("today.csv").is_symlink(), "it stays");
    assert!(shop.path("today.result.xlsx").exists(), "beside what was named");
    assert_eq!(shop.names("kept"), ["m.csv"]);
    shop.run(&["import", "gone.csv"])
        .says(1, &["gone.csv", "No such file"]);
    shop.run(&["import", "folder.csv"])
        .says(1, &["folder.csv", "no regular file"]);
    // What is taken by itself is not imported by way of a link either.
    shop.write("orders/inbox/mine.csv", &sheet(&[row("A2", "TEE-CLASSIC-BLK-S")]));
    link("orders/inbox/mine.csv", "mine.csv");
    shop.run(&["import", "mine.csv"]).says(1, &["is read by itself"]);
    assert_eq!(shop.service.orders().len(), 1);
    // A result that is there cannot be written: the command is typed as it should be.
    shop.write("there.xlsx", b"a person's");
    shop.run(&["import", "today.csv", "--out", "there.xlsx"])
        .says(1, &["is there already"]);
    shop.run(&["import", "today.csv", "--out", "there.ods"])
        .says(2, &["written as .xlsx or .csv"]);
}

#[test]
fn an_export_of_the_same_name_gets_a_to_fix_sheet_of_its_own() {
    let shop = Shop::new();
    shop.write("m.to-fix.xlsx", b"a person's");
    for (order, to_fix, result) in [
        ("A1", "m-2.to-fix.xlsx", "m.result.xlsx"),
        ("A2", "m-3.to-fix.xlsx", "m-2.result.xlsx"),
    ] {
        shop.write("m.csv", &sheet(&[unknown(order)]));
        shop.run(&["import", "m.csv"])
            .says(3, &["to fix: ", to_fix, result]);
        assert!(cells(&shop, to_fix).contains(order));
        assert!(
            cells(&shop, result).contains(&format!("open {to_fix}, ")),
            "{}",
            cells(&shop, result)
        );
    }
    assert_eq!(std::fs::read(shop.path("m.to-fix.xlsx")).unwrap(), b"a person's");
    let attention = cells(&shop, "orders/results/attention.xlsx");
    assert!(
        attention.contains(shop.path("m-3.to-fix.xlsx").to_str().unwrap()),
        "{attention}"
    );
}

#[test]
fn an_export_of_the_same_name_asks_for_its_own_skus_in_a_sheet_of_its_own() {
    const HEAD: &str = "Name,Financial Status,Lineitem quantity,Lineitem name,Lineitem sku,Shipping Name,Shipping \
                        Address1,Shipping City,Shipping Zip,Shipping Province,Shipping Country\n";
    let shop = Shop::new();
    shop.write(
        "dropsheet.toml",
        format!("{}sku_map = \"map.csv\"\n", shop.config()).as_bytes(),
    );
    shop.write("map.csv", b"sku,item_sku\n");
    for (sku, asked, result) in [
        ("FOX", "m.sku-map.xlsx", "m.result.xlsx"),
        ("HARE", "m-2.sku-map.xlsx", "m-2.result.xlsx"),
    ] {
        let text =
            format!("{HEAD}#{sku},paid,1,A tee,{sku},Ada Example,12 Maple Street,Columbus,'43004,OH,US\n");
        shop.write("m.csv", text.as_bytes());
        shop.run(&["import", "m.csv"]).says(3, &["SKUs to map: ", asked]);
        assert!(cells(&shop, asked).contains(sku));
        assert!(
            cells(&shop, result).contains(&format!("open {asked}, ")),
            "{}",
            cells(&shop, result)
        );
    }
}

#[test]
fn an_order_that_an_imported_sheet_has_sent_is_told_with_the_name_of_that_sheets_result() {
    let shop = Shop::new();
    let order = sheet(&[row("A1", "TEE-CLASSIC-BLK-S")]);
    shop.write("mine.csv", &order);
    shop.run(&["import", "mine.csv"]).says(0, &["1 created"]);
    assert!(shop.path("mine.result.xlsx").exists());
    shop.write("orders/inbox/tuesday.csv", &order);
    shop.run(&["run", "--once"]).says(0, &["1 already_created"]);
    let result = shop.names("orders/results");
    let result = result.iter().find(|name| name.ends_with("_tuesday.result.xlsx"));
    let told = cells(&shop, &format!("orders/results/{}", result.unwrap()));
    let first_sheet = told.lines().filter(|cell| *cell == "mine");
    assert!(first_sheet.count() > 0, "{told}");
    assert!(
        told.contains("mine has sent this order") && !told.contains("_mine"),
        "{told}"
    );
}

#[test]
fn one_that_cannot_be_read_keeps_no_other_from_being_worked_and_all_are_told() {
    let shop = Shop::new();
    shop.write("a.csv", &sheet(&[row("A1", "TEE-CLASSIC-BLK-S")]));
    shop.write("c.csv", &sheet(&[row("C1", "TEE-CLASSIC-BLK-S")]));
    let said = shop.run(&["import", "a.csv", "gone.csv", "c.csv"]);
    said.says(
        1,
        &["a.csv: 1 created", "gone.csv: not worked. ", "c.csv: 1 created"],
    );
    assert!(said.err.contains("gone.csv could not be read"), "{said:?}");
    assert_eq!(shop.service.orders().len(), 2);
}

#[test]
fn where_no_result_can_be_written_nothing_is_sent() {
    let shop = Shop::new();
    shop.write("a.csv", &sheet(&[row("A1", "TEE-CLASSIC-BLK-S")]));
    let said = shop.run(&["import", "a.csv", "--out", "nope/mine.xlsx"]);
    said.says(1, &[]);
    assert!(
        said.err.contains("no result can be written into nope"),
        "{said:?}"
    );
    assert!(shop.service.orders().is_empty());
    // A folder that is called like a result would be taken for one.
    std::fs::create_dir(shop.path("old.xlsx")).unwrap();
    let said = shop.run(&["import", "a.csv", "--out", "old.xlsx"]);
    said.says(1, &[]);
    assert!(
        said.out
            .contains("old.xlsx is a folder that is called like a result: name another with --out"),
        "{said:?}"
    );
    let said = shop.shell("dropsheet import a.csv --out \"$(printf 'odd-\\377')\"");
    said.says(1, &[]);
    assert!(said.out.contains("whose name is not UTF-8"), "{said:?}");
    assert!(shop.service.orders().is_empty());
    shop.run(&["import", "a.csv", "--out", "mine.xlsx"])
        .says(0, &["a.csv: 1 created"]);
}

#[test]
fn an_import_that_takes_its_time_needs_no_folder_of_the_inbox_either() {
    let shop = Shop::new();
    // Longer than from one look for `STOP` to the next.
    let latency = Duration::from_millis(700);
    let slow = start_on_thread(Options {
        latency,
        ..Options::default()
    });
    let slow = slow.unwrap();
    let config = shop.config().replace(&shop.service.base_url(), &slow.base_url());
    shop.write("dropsheet.toml", config.as_bytes());
    std::fs::remove_dir_all(shop.path("orders")).unwrap();
    shop.write("s.csv", &sheet(&[row("A1", "TEE-CLASSIC-BLK-S")]));
    shop.run(&["import", "s.csv"]).says(0, &["s.csv: 1 created"]);
}

#[test]
fn where_the_inbox_is_stopped_an_import_sends_nothing() {
    let shop = Shop::new();
    shop.run(&["pause"]).says(0, &[]);
    shop.write("s.csv", &sheet(&[row("A1", "TEE-CLASSIC-BLK-S")]));
    shop.run(&["import", "s.csv"]).says(3, &["s.csv: 1 waiting"]);
    assert!(shop.service.orders().is_empty());
    shop.run(&["resume"]).says(0, &[]);
    shop.run(&["run", "--once"]).says(0, &["s.csv: 1 created"]);
}

/// Has the inbox belong to another account.
fn move_inbox(shop: &Shop, service: &Running) {
    let theirs = shop
        .config()
        .replace("[inbox.main]", "[inbox.main]\naccount = \"other\"");
    let other = format!(
        "\n[account.other]\nbase_url = \"{}\"\nemail = \"shop@example.com\"\npassword_file = \"password\"\n",
        service.base_url()
    );
    shop.write("dropsheet.toml", format!("{theirs}{other}").as_bytes());
}

#[test]
fn a_held_order_is_declined_by_a_cancel_row_whatever_account_its_inbox_has_now() {
    let shop = Shop::new();
    let config = shop.config();
    let held = config.replace("[inbox.main]", "[inbox.main]\napproval = \"required\"");
    shop.write("dropsheet.toml", held.as_bytes());
    shop.write("a.csv", &sheet(&[row("A1", "TEE-CLASSIC-BLK-S")]));
    shop.run(&["import", "a.csv"]).says(3, &["a.csv: 1 held"]);
    let service = start_on_thread(Options::default()).unwrap();
    move_inbox(&shop, &service);
    shop.write("c.csv", b"order_id,action\nA1,cancel\n");
    shop.run(&["import", "c.csv"]).says(0, &["c.csv: 1 declined"]);
    shop.run(&["orders", "list"]).says(0, &["declined"]);
    for asked in [&shop.service, &service] {
        assert_eq!(asked.count("cancel-order"), 0);
    }
}

#[test]
fn an_order_that_another_account_has_is_told_as_that_and_not_as_done() {
    let shop = Shop::new();
    let one = |id| sheet(&[row(id, "TEE-CLASSIC-BLK-S")]);
    shop.write("a.csv", &one("A1"));
    shop.run(&["import", "a.csv"]).says(0, &["a.csv: 1 created"]);
    let service = start_on_thread(Options::default()).unwrap();
    let before = shop.config();
    move_inbox(&shop, &service);
    shop.write("b.csv", &one("A1"));
    shop.run(&["check", "b.csv"])
        .says(3, &["another account than this inbox has now"]);
    shop.run(&["import", "b.csv"]).says(3, &["b.csv: 1 changed"]);
    let told = cells(&shop, "b.result.xlsx");
    for said in [
        "another account than this inbox has now, as PW",
        "drop it as A1-2",
        "a ledger of its own",
    ] {
        assert!(told.contains(said), "{said}: {told}");
    }
    assert_eq!(service.count("create-new-order"), 0);
    shop.write("c.csv", &one("A1-2"));
    shop.run(&["import", "c.csv"]).says(0, &["c.csv: 1 created"]);
    assert_eq!(service.count("create-new-order"), 1);
    shop.write("dropsheet.toml", before.as_bytes());
    shop.write("d.csv", &one("A1"));
    shop.run(&["import", "d.csv"])
        .says(0, &["d.csv: 1 already_created"]);
}

#[test]
fn a_cancel_row_asks_no_other_account_than_the_order_s() {
    let shop = Shop::new();
    shop.write("a.csv", &sheet(&[row("A1", "TEE-CLASSIC-BLK-S")]));
    shop.run(&["import", "a.csv"]).says(0, &["a.csv: 1 created"]);
    let service = start_on_thread(Options::default()).unwrap();
    move_inbox(&shop, &service);
    shop.write("c.csv", b"order_id,action\nA1,cancel\n");
    shop.run(&["import", "c.csv"]).says(3, &["c.csv: 1 invalid"]);
    assert!(cells(&shop, "c.result.xlsx").contains("was sent with another account"));
    for asked in [&shop.service, &service] {
        assert_eq!(asked.count("cancel-order"), 0);
    }
}

#[test]
fn a_rejected_import_is_told_with_the_way_to_read_why() {
    let shop = Shop::new();
    shop.write("bad.csv", b"nothing,here\n1,2\n");
    shop.run(&["import", "bad.csv"]).says(1, &["bad.csv: rejected"]);
    let attention = cells(&shop, "orders/results/attention.xlsx");
    let way = format!("dropsheet check {}", shop.path("bad.csv").display());
    assert!(
        attention.contains(&way) && !attention.contains("rejected/"),
        "{attention}"
    );
}

#[test]
fn an_import_whose_orders_are_held_needs_no_folder_of_the_inbox() {
    let shop = Shop::new();
    shop.write(
        "dropsheet.toml",
        format!("{}max_order_total = 1\n", shop.config()).as_bytes(),
    );
    std::fs::remove_dir_all(shop.path("orders")).unwrap();
    shop.write("s.csv", &sheet(&[row("A1", "TEE-CLASSIC-BLK-S")]));
    shop.run(&["import", "s.csv"]).says(
        3,
        &[
            "s.csv: 1 held",
            "result: ",
            "s.result.xlsx",
            "orders/held in which they are approved is not there: run `dropsheet init`",
        ],
    );
    let approved = shop.run(&["approve", "s"]);
    approved.says(1, &[]);
    assert!(
        approved.err.contains("the ledger has held orders (1)"),
        "{approved:?}"
    );
    shop.run(&["init"]).says(0, &[]);
    shop.run(&["run", "--once"]);
    let held: Vec<_> = std::fs::read_dir(shop.path("orders/held")).unwrap().collect();
    assert_eq!(held.len(), 1, "{held:?}");
    let held = held[0].as_ref().unwrap().file_name();
    let held = held.to_string_lossy();
    shop.run(&["approve", &held]).says(0, &[]);
    for (name, said) in [
        (&*held, "is decided already: it lies in "),
        ("other", "there is no held sheet `other`; nothing is held"),
    ] {
        let again = shop.run(&["approve", name]);
        again.says(1, &[]);
        assert!(again.err.contains(said), "{again:?}");
    }
    std::fs::remove_file(shop.path("orders/.dropsheet")).unwrap();
    let away = shop.run(&["approve", "other"]);
    away.says(1, &[]);
    assert!(away.err.contains("is the share mounted?"), "{away:?}");
    let status = shop.run(&["status"]);
    assert!(!status.out.contains("Sheets under way"), "{status:?}");
}

#[test]
fn a_second_import_of_what_is_held_names_the_file_that_approves_it() {
    let shop = Shop::new();
    let config = shop
        .config()
        .replace("path = \"orders\"", "path = \"orders\"\napproval = \"required\"");
    shop.write("dropsheet.toml", config.as_bytes());
    let held = sheet(&[row("1001", "TEE-CLASSIC-BLK-M")]);
    for name in ["a.csv", "b.csv"] {
        shop.write(name, &held);
        shop.run(&["import", name]).says(3, &["1 held"]);
    }
    let told = cells(&shop, "b.result.xlsx");
    let (_, named) = told.split_once("dropsheet approve ").unwrap();
    let name = named.split(';').next().unwrap();
    assert!(
        shop.names("orders/held").contains(&format!("{name}.held.xlsx")),
        "{told}"
    );
    shop.run(&["approve", name]).says(0, &[]);
    shop.run(&["run", "--once"]).says(0, &[]);
    assert_eq!(shop.service.orders().len(), 1);
}

#[test]
fn a_result_beside_one_that_a_person_edited_says_that_both_have_the_same_amounts() {
    let shop = Shop::new();
    shop.write("m.csv", &sheet(&[row("A1", "TEE-CLASSIC-BLK-S")]));
    shop.run(&["import", "m.csv"]).says(0, &["m.result.xlsx"]);
    let mut edited = std::fs::read(shop.path("m.result.xlsx")).unwrap();
    edited.extend(b"a person's");
    shop.write("m.result.xlsx", &edited);
    let pw = shop.service.orders()[0].pw_order_id.clone();
    assert!(shop.service.trouble(&pw));
    shop.run(&["orders", "sync"]);
    assert_eq!(std::fs::read(shop.path("m.result.xlsx")).unwrap(), edited);
    let replaced = "This replaces m.result.xlsx, which was open or edited by a person";
    assert!(cells(&shop, "m-2.result.xlsx").contains(replaced));
    // Written again in its own place it says so still, though the first is as it was.
    edited.truncate(edited.len() - b"a person's".len());
    shop.write("m.result.xlsx", &edited);
    assert!(shop.service.fulfil(&pw));
    shop.run(&["orders", "sync"]);
    let newest = cells(&shop, "m-2.result.xlsx");
    assert!(
        newest.contains(replaced) && newest.contains("fulfilled"),
        "{newest}"
    );
    assert!(!shop.path("m-3.result.xlsx").exists());
}

#[test]
fn a_footer_is_no_order_to_status_either() {
    let shop = Shop::new();
    let footer = format!("Total{}2,,", ",".repeat(11));
    let rows = [
        row("A1", "TEE-CLASSIC-BLK-S"),
        row("A2", "TEE-CLASSIC-BLK-S"),
        footer,
    ];
    shop.write("m.csv", &sheet(&rows));
    shop.run(&["import", "m.csv"]).says(0, &["m.csv: 2 created\n"]);
    let status = shop.run(&["status", "--json"]).json(0);
    assert_eq!(status["done"][0]["orders"], 2);
}

#[test]
fn a_file_that_no_ledger_knows_keeps_an_import_from_sending_as_it_does_a_pass() {
    let shop = Shop::new();
    shop.write("orders/processing/2026-11-01_0900_lost.csv", b"order_id\n1\n");
    let text = std::fs::read(shop.path("orders.csv")).unwrap();
    shop.write("mine.csv", &text);
    let ran = shop.run(&["import", "mine.csv"]);
    ran.says(3, &["waiting"]);
    assert!(!ran.all().contains("created"), "{}", ran.all());
    assert_eq!(shop.names("orders/processing"), [""; 0]);
    assert_eq!(shop.names("orders/inbox"), ["2026-11-01_0900_lost.csv"]);
}
