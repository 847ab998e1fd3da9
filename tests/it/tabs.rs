//! Workbooks as people lay them out: of several tabs one is read, and nobody takes the others for ordered; and what is
//! one merged cell is one thing.

use std::io::{Cursor, Read, Write};

use calamine::Reader;
use rust_xlsxwriter::{Format, Workbook};
use zip::write::SimpleFileOptions;
use zip::{ZipArchive, ZipWriter};

use crate::shop::{HEADER, Shop};

const ORDER: &str = "Ada Example,+1 555 010 0101,12 Maple Street,Columbus,Ohio,OH,43004,United States,US,\
                     TEE-CLASSIC-BLK-S,1,Classic Tee,https://example.com/a.png";

/// A workbook of tabs, each with orders of these ids.
fn workbook(tabs: &[(&str, &[&str])]) -> Vec<u8> {
    workbook_with(tabs, |_name| true)
}

/// The same, with a header in some of the tabs.
fn workbook_with(tabs: &[(&str, &[&str])], has_header: impl Fn(&str) -> bool) -> Vec<u8> {
    let mut book = Workbook::new();
    for (name, ids) in tabs {
        let sheet = book.add_worksheet().set_name(*name).unwrap();
        if has_header(name) {
            sheet.write_row(0, 0, HEADER.split(',')).unwrap();
        }
        for (row, id) in (1..).zip(*ids) {
            sheet.write(row, 0, *id).unwrap();
            sheet.write_row(row, 1, ORDER.split(',')).unwrap();
        }
    }
    book.save_to_buffer().unwrap()
}

#[test]
fn a_second_tab_with_orders_is_told_wherever_a_person_looks() {
    let shop = Shop::new();
    let two = workbook(&[("Mon", &["1001", "1001b"]), ("Tue", &["1002", "1003"])]);
    shop.write("two.xlsx", &two);
    let told = "Only the tab `Mon` of this workbook was read; `Tue` holds orders too and was not read.";
    shop.run(&["check", "two.xlsx"]).says(
        3,
        &[
            "row 2: warning[unread-tab]",
            told,
            "can be sent: 2",
            "warnings: 1",
        ],
    );
    shop.run(&["quote", "two.xlsx"]).says(3, &["2 quoted", told]);
    shop.write("orders/inbox/two.xlsx", &two);
    shop.run(&["run", "--once"])
        .says(3, &["two.xlsx: 2 created", told]);
    assert_eq!(shop.service.orders().len(), 2);
    let status = std::fs::read_to_string(shop.path("orders/STATUS.txt")).unwrap();
    assert!(
        status.contains("two.xlsx has more than one tab with orders"),
        "{status}"
    );
    // Dropped alone, the other tab is ordered, and the file that came under the same name was the person's answer.
    shop.write("orders/inbox/two.xlsx", &workbook(&[("Tue", &["1002", "1003"])]));
    shop.run(&["run", "--once"]).says(0, &["two.xlsx: 2 created"]);
    let status = std::fs::read_to_string(shop.path("orders/STATUS.txt")).unwrap();
    assert!(!status.contains("more than one tab"), "{status}");
}

#[test]
fn a_tab_without_a_header_is_told_whether_it_stands_before_the_one_that_is_read_or_behind_it() {
    let shop = Shop::new();
    let tabs: &[(&str, &[&str])] = &[("Mon", &["1001"]), ("Tue", &["1002"])];
    let told = |read: &str, other: &str| {
        format!(
            "Only the tab `{read}` of this workbook was read; `{other}` holds orders too and was not read."
        )
    };
    for (without, told) in [("Mon", told("Tue", "Mon")), ("Tue", told("Mon", "Tue"))] {
        shop.write("two.xlsx", &workbook_with(tabs, |name| name != without));
        shop.run(&["check", "two.xlsx"])
            .says(3, &["warning[unread-tab]", &told, "below a header", "orders: 1"]);
    }
}

/// A workbook of tabs, each with a header and rows whose cells are separated by commas.
fn tabs_of(header: &str, tabs: &[(&str, &[String])]) -> Vec<u8> {
    let mut book = Workbook::new();
    for (name, rows) in tabs {
        let sheet = book.add_worksheet().set_name(*name).unwrap();
        sheet.write_row(0, 0, header.split(',')).unwrap();
        for (row, cells) in (1..).zip(*rows) {
            sheet.write_row(row, 0, cells.split(',')).unwrap();
        }
    }
    book.save_to_buffer().unwrap()
}

#[test]
fn an_order_that_goes_on_in_another_tab_is_not_sent_in_part() {
    let shop = Shop::new();
    let tee = |id: &str| format!("{id},{ORDER}");
    let mug = |id: &str| tee(id).replace("TEE-CLASSIC-BLK-S", "TEE-CLASSIC-WHT-M");
    // Far below the rows that are looked at in every tab.
    let mut tuesday: Vec<String> = (2000..2040).map(|id| tee(&id.to_string())).collect();
    tuesday.push(mug("1001"));
    // Below its first row, an order's cells may be blank.
    let bare = format!(
        "1002,{}TEE-CLASSIC-WHT-M,1,,https://example.com/a.png",
        ",".repeat(9)
    );
    tuesday.push(bare);
    let book = tabs_of(
        HEADER,
        &[
            ("Mon", &[tee("1001"), tee("1002"), tee("1003")]),
            ("Tue", &tuesday),
        ],
    );
    shop.write("two.xlsx", &book);
    let told = [
        "on-two-tabs",
        "Row 42 of the tab `Tue` has a line of the order 1001 that the tab `Mon` does not have",
        "Row 43 of the tab `Tue` has a line of the order 1002",
        "can be sent: 1",
    ];
    shop.run(&["check", "two.xlsx"]).says(3, &told);
    shop.write("orders/inbox/two.xlsx", &book);
    shop.run(&["run", "--once"]).says(3, &["1 created", "2 invalid"]);
    assert_eq!(shop.service.orders().len(), 1);
}

#[test]
fn a_tab_without_a_header_may_have_an_orders_other_line_too() {
    let shop = Shop::new();
    let mut book = Workbook::new();
    for (name, sku) in [("Page 1", "TEE-CLASSIC-BLK-S"), ("Page 2", "TEE-CLASSIC-WHT-M")] {
        let sheet = book.add_worksheet().set_name(name).unwrap();
        let first = u32::from(name == "Page 1");
        if first == 1 {
            sheet.write_row(0, 0, HEADER.split(',')).unwrap();
        }
        let order = format!("1001,{ORDER}").replace("TEE-CLASSIC-BLK-S", sku);
        sheet.write_row(first, 0, order.split(',')).unwrap();
    }
    shop.write("two.xlsx", &book.save_to_buffer().unwrap());
    shop.run(&["check", "two.xlsx"])
        .says(3, &["on-two-tabs", "Row 1 of the tab `Page 2`", "can be sent: 0"]);
}

/// An order of one tee.
fn tee(id: &str) -> String {
    format!("{id},{ORDER}")
}

/// Another line of it.
fn mug(id: &str) -> String {
    tee(id).replace("TEE-CLASSIC-BLK-S", "TEE-CLASSIC-WHT-M")
}

/// Rows, and behind them orders with these numbers.
fn with(rows: &[String], ids: std::ops::Range<u32>) -> Vec<String> {
    let others = ids.map(|id| tee(&id.to_string()));
    rows.iter().cloned().chain(others).collect()
}

/// A workbook of the tab `Mon`, with the orders 1001 to 1005, and another one.
fn behind_monday(tab: &str, rows: &[String]) -> Vec<u8> {
    tabs_of(HEADER, &[("Mon", &with(&[], 1001..1006)), (tab, rows)])
}

const HELD_FOR_THE_TAB: &str =
    "has a line of the order 1001 that the tab `Mon` does not have, and only `Mon` is read.";

#[test]
fn an_order_that_has_a_line_on_two_tabs_and_another_on_the_unread_one_alone_waits_for_a_person() {
    let shop = Shop::new();
    let once_more = [tee("1001"), mug("1001")];
    for (what, rows) in [
        ("one of its lines once more", with(&once_more, 2000..2002)),
        ("the same, on a page of many more", with(&once_more, 2000..2040)),
        (
            "another order once more",
            with(&[tee("1003"), mug("1001")], 2000..2040),
        ),
    ] {
        shop.write("two.xlsx", &behind_monday("Tue", &rows));
        let said = shop.run(&["check", "two.xlsx"]);
        for words in [HELD_FOR_THE_TAB, "can be sent: 4, held for a person: 1"] {
            assert!(said.out.contains(words), "{what}: {said:?}");
        }
    }
    let book = behind_monday("Tue", &with(&once_more, 2000..2002));
    shop.write("orders/inbox/two.xlsx", &book);
    shop.run(&["run", "--once"]).says(3, &["4 created", "1 held"]);
    assert_eq!(shop.service.orders().len(), 4);
}

#[test]
fn no_order_waits_for_a_tab_that_is_a_copy_or_lists_what_is_done_elsewhere() {
    let shop = Shop::new();
    let once_more = [tee("1001"), mug("1001")];
    for (what, tab, rows) in [
        ("all of it once more", "Tue", with(&[tee("1001")], 2000..2040)),
        ("a backup", "Backup", with(&[], 1001..1006)),
        (
            "an older list from which a line was taken",
            "Old",
            with(&[mug("1001"), tee("1002"), tee("1003")], 900..1002),
        ),
        (
            "a newer list with a line more",
            "New",
            with(&[mug("1001")], 1001..1050),
        ),
        (
            "all lines, beside those to print",
            "All",
            with(&[mug("1001"), mug("1003"), mug("2003")], 1001..1100),
        ),
        ("what is packed today", "Packing", once_more.to_vec()),
        (
            "what is packed today, with one of another printer's",
            "Packing",
            with(&[tee("1001"), mug("1001"), tee("1002")], 2000..2001),
        ),
        ("lines that are sent", "Shipped", with(&once_more, 2000..2040)),
        (
            "another person's order of that number",
            "Shop B",
            with(
                &[
                    tee("1003"),
                    mug("1001")
                        .replace("Ada Example", "Bob Example")
                        .replace("12 Maple Street", "5 Elm Road"),
                ],
                2000..2040,
            ),
        ),
    ] {
        shop.write("two.xlsx", &behind_monday(tab, &rows));
        let said = shop.run(&["check", "two.xlsx"]);
        assert!(said.out.contains("can be sent: 5"), "{what}: {said:?}");
        assert!(!said.out.contains(HELD_FOR_THE_TAB), "{what}: {said:?}");
    }
}

#[test]
fn a_copy_of_a_tab_and_one_whose_lines_are_not_to_be_printed_keep_no_order_back() {
    let shop = Shop::new();
    let header = format!("{HEADER},Status");
    let tee = |id: &str| format!("{id},{ORDER},");
    let mug = |id: &str| tee(id).replace("TEE-CLASSIC-BLK-S", "TEE-CLASSIC-WHT-M");
    let poster = |id: &str| tee(id).replace("TEE-CLASSIC-BLK-S", "HOODIE-CLASSIC-BLK-M");
    let both = [tee("1001"), mug("1001"), tee("1002")];
    let of_another = mug("1001")
        .replace("Ada Example", "Bob Example")
        .replace("12 Maple Street", "5 Elm Road");
    for (what, tab, rows) in [
        ("a backup", "Backup", both.to_vec()),
        ("a part of the orders", "Today", vec![mug("1001")]),
        ("a copy in another order", "Copy", vec![tee("1002"), mug("1001")]),
        (
            "a copy with a note and another writing of the name",
            "Old",
            vec![mug("1001").replace("Ada Example", "ADA EXAMPLE") + "to do"],
        ),
        (
            "an older list in which a line was wrong",
            "Old",
            vec![
                tee("1001"),
                mug("1001"),
                tee("1002").replace("BLK-S,1,", "BLK-S,3,"),
            ],
        ),
        (
            "all lines, of which some are printed elsewhere",
            "All",
            vec![
                tee("1001"),
                poster("1001"),
                poster("1001").replace("BLK-M,1,", "BLK-M,2,"),
            ],
        ),
        ("lines that are sent", "Shipped", vec![mug("1002")]),
        ("a line that is canceled", "Notes", vec![mug("1002") + "canceled"]),
        (
            "another person's order of that number",
            "Shop B",
            vec![of_another.replace("1001", "1002")],
        ),
        ("other orders", "Tue", vec![tee("1003")]),
    ] {
        let book = tabs_of(&header, &[("Mon", &both), (tab, &rows)]);
        shop.write("two.xlsx", &book);
        let said = shop.run(&["check", "two.xlsx"]);
        assert!(said.out.contains("can be sent: 2"), "{what}: {said:?}");
        assert!(!said.all().contains("on-two-tabs"), "{what}: {said:?}");
    }
}

#[test]
fn a_sheet_that_was_made_of_the_shops_own_export_beside_it_is_not_compared_with_it() {
    let shop = Shop::new();
    let mut book = Workbook::new();
    let mine = book.add_worksheet().set_name("To print").unwrap();
    mine.write_row(0, 0, HEADER.split(',')).unwrap();
    mine.write(1, 0, "1001").unwrap();
    mine.write_row(1, 1, ORDER.split(',')).unwrap();
    let raw = book.add_worksheet().set_name("Raw").unwrap();
    let header = HEADER.replace(",artwork_front", ",action");
    raw.write_row(0, 0, header.split(',')).unwrap();
    let own = ORDER
        .replace("TEE-CLASSIC-BLK-S", "my-own-tee")
        .replace("https://example.com/a.png", "create");
    raw.write(1, 0, "1001").unwrap();
    raw.write_row(1, 1, own.split(',')).unwrap();
    shop.write("both.xlsx", &book.save_to_buffer().unwrap());
    let said = shop.run(&["check", "both.xlsx"]);
    assert!(said.out.contains("can be sent: 1"), "{said:?}");
    assert!(!said.all().contains("on-two-tabs"), "{said:?}");
}

#[test]
fn our_own_workbooks_have_one_tab_with_orders() {
    let shop = Shop::new();
    shop.run(&["quote", "orders.csv"]);
    shop.run(&["import", "orders.csv"]);
    shop.run(&["template", "--out", "template.xlsx"]);
    let blank = std::fs::read(shop.path("template.xlsx")).unwrap();
    shop.write("filled.xlsx", &with_an_order(&blank));
    for own in [
        "orders.quote.xlsx",
        "orders.result.xlsx",
        "orders.to-fix.xlsx",
        "filled.xlsx",
    ] {
        let said = shop.run(&["check", own]);
        assert!(said.out.contains("orders: "), "{own}: {said:?}");
        assert!(!said.all().contains("unread-tab"), "{own}: {said:?}");
    }
}

/// The rows of a page of the blank order sheet.
fn page_of_template(shop: &Shop, page: &str) -> Vec<Vec<String>> {
    shop.run(&["template", "--out", "template.xlsx"]);
    let mut book: calamine::Xlsx<_> = calamine::open_workbook(shop.path("template.xlsx")).unwrap();
    let rows = book.worksheet_range(page).unwrap();
    let rows = rows
        .rows()
        .map(|row| row.iter().map(ToString::to_string).collect());
    rows.collect()
}

#[test]
fn the_templates_example_is_never_ordered_wherever_it_stands() {
    let shop = Shop::new();
    let example = page_of_template(&shop, "Example");
    let text: Vec<String> = example.iter().map(|row| row.join(";")).collect();
    assert!(text.iter().any(|line| line.starts_with("EXAMPLE-1;")), "{text:?}");
    let own = format!("1001,{ORDER}");
    let own: Vec<Vec<String>> = [HEADER, &own]
        .iter()
        .map(|line| line.split(',').map(str::to_owned).collect())
        .collect();
    let header_alone = &own[..1];
    let book = |tabs: &[(&str, &[Vec<String>], bool)]| {
        let mut book = Workbook::new();
        for (name, rows, is_hidden) in tabs {
            let sheet = book.add_worksheet().set_name(*name).unwrap();
            sheet.set_hidden(*is_hidden);
            for (number, row) in (0..).zip(*rows) {
                sheet.write_row(number, 0, row).unwrap();
            }
        }
        book.save_to_buffer().unwrap()
    };
    let never = [
        "empty-sheet",
        "This is the template's page Example, which is never ordered",
        "Your orders belong on the page Orders",
    ];
    for (name, bytes) in [
        ("alone.csv", text.join("\n").into_bytes()),
        ("alone.xlsx", book(&[("Example", &example, false)])),
        (
            "hidden.xlsx",
            book(&[("Example", &example, false), ("Orders", &own, true)]),
        ),
    ] {
        shop.write(&format!("orders/inbox/{name}"), &bytes);
        shop.run(&["run", "--once"]).says(3, &[name, "rejected"]);
        let reasons = shop.names("orders/rejected");
        let reason = reasons
            .iter()
            .find(|reason| reason.ends_with(".error.txt"))
            .unwrap();
        let said = std::fs::read_to_string(shop.path("orders/rejected").join(reason)).unwrap();
        for words in never {
            assert!(said.contains(words), "{name}: {said}");
        }
        for name in reasons {
            std::fs::remove_file(shop.path("orders/rejected").join(name)).unwrap();
        }
    }
    assert_eq!(shop.service.orders().len(), 0);
    let moved = book(&[("Example", &example, false), ("Orders", &own, false)]);
    shop.write("orders/inbox/moved.xlsx", &moved);
    shop.run(&["run", "--once"]).says(0, &["moved.xlsx: 1 created"]);
    let empty = book(&[("Orders", header_alone, false), ("Example", &example, false)]);
    shop.write("empty.xlsx", &empty);
    let said = shop.run(&["check", "empty.xlsx"]);
    assert!(
        said.all()
            .contains("What stands on `Example` is never ordered: write your orders on `Orders`"),
        "{said:?}"
    );
}

/// A blank order sheet with an id far down on its first page.
fn with_an_order(blank: &[u8]) -> Vec<u8> {
    const ROW: &str = r#"<row r="3000"><c r="A3000" t="inlineStr"><is><t>T-1</t></is></c></row></sheetData>"#;
    let mut from = ZipArchive::new(Cursor::new(blank)).unwrap();
    let mut to = ZipWriter::new(Cursor::new(Vec::new()));
    for place in 0..from.len() {
        let mut part = from.by_index(place).unwrap();
        let mut bytes = Vec::new();
        part.read_to_end(&mut bytes).unwrap();
        let name = part.name().unwrap().into_owned();
        if name == "xl/worksheets/sheet1.xml" {
            let text = String::from_utf8(bytes).unwrap();
            bytes = text.replace("</sheetData>", ROW).into_bytes();
        }
        to.start_file(name, SimpleFileOptions::default()).unwrap();
        to.write_all(&bytes).unwrap();
    }
    to.finish().unwrap().into_inner()
}

#[test]
fn a_line_above_the_header_may_look_like_one_and_a_tab_whose_header_lacks_a_column_is_not_passed_over() {
    let shop = Shop::new();
    let above = format!("Customer:,ACME,Order:,PO-55\n{HEADER}\n1001,{ORDER}\n");
    shop.write("above.csv", above.as_bytes());
    shop.run(&["check", "above.csv"]).says(0, &["can be sent: 1"]);
    let mut book = Workbook::new();
    let first = book.add_worksheet().set_name("Mon").unwrap();
    first.write_row(0, 0, ["Order", "Recipient", "City"]).unwrap();
    first.write_row(1, 0, HEADER.split(',')).unwrap();
    first.write(2, 0, "1001").unwrap();
    first.write_row(2, 1, ORDER.split(',')).unwrap();
    let behind = book.add_worksheet().set_name("Tue").unwrap();
    behind.write_row(0, 0, ["Order", "Recipient", "City"]).unwrap();
    behind.write_row(1, 0, HEADER.split(',')).unwrap();
    behind.write(2, 0, "1002").unwrap();
    behind.write_row(2, 1, ORDER.split(',')).unwrap();
    shop.write("two.xlsx", &book.save_to_buffer().unwrap());
    shop.run(&["check", "two.xlsx"])
        .says(3, &["can be sent: 1", "`Tue` holds orders too"]);
    let mut book = Workbook::new();
    let broken = book.add_worksheet().set_name("Mon").unwrap();
    broken
        .write_row(0, 0, ["order_id", "shipping_name", "item_sku"])
        .unwrap();
    broken.write_row(1, 0, ["1001", "Ada Example", "A"]).unwrap();
    let whole = book.add_worksheet().set_name("Archive").unwrap();
    whole.write_row(0, 0, HEADER.split(',')).unwrap();
    whole.write(1, 0, "0900").unwrap();
    whole.write_row(1, 1, ORDER.split(',')).unwrap();
    shop.write("broken.xlsx", &book.save_to_buffer().unwrap());
    shop.run(&["check", "broken.xlsx"])
        .says(1, &["no column for shipping_zip"]);
}

#[test]
fn a_tab_that_only_looks_like_orders_is_told_with_the_one_that_holds_them() {
    let shop = Shop::new();
    let mut book = Workbook::new();
    let overview = book.add_worksheet().set_name("Overview").unwrap();
    overview
        .write_row(0, 0, ["Order", "Customer", "Country"])
        .unwrap();
    overview.write_row(1, 0, ["1001", "Ada", "US"]).unwrap();
    let orders = book.add_worksheet().set_name("Orders of May").unwrap();
    orders.write_row(0, 0, HEADER.split(',')).unwrap();
    orders.write(1, 0, "1001").unwrap();
    orders.write_row(1, 1, ORDER.split(',')).unwrap();
    shop.write("both.xlsx", &book.save_to_buffer().unwrap());
    let told = "It was read from the tab `Overview`; orders stand in `Orders of May`. Delete or hide the tab `Overview`";
    shop.run(&["check", "both.xlsx"]).says(1, &[told]);
}

#[test]
fn an_order_over_two_rows_of_which_the_second_has_a_note_of_its_own_alone_is_not_printed_twice() {
    let shop = Shop::new();
    let mut book = Workbook::new();
    let sheet = book.add_worksheet();
    let header = format!("{HEADER},Remarks");
    sheet.write_row(0, 0, header.split(',')).unwrap();
    let merged = Format::new();
    let cells = std::iter::once("1001").chain(ORDER.split(','));
    for (column, cell) in (0..).zip(cells) {
        sheet.merge_range(1, column, 2, column, cell, &merged).unwrap();
    }
    let remarks = u16::try_from(header.split(',').count() - 1).unwrap();
    sheet.write(1, remarks, "a gift").unwrap();
    sheet.write(2, remarks, "blue ribbon").unwrap();
    let merged = book.save_to_buffer().unwrap();
    shop.write("merged.xlsx", &merged);
    let told = "The item of this row is merged with that of row 2";
    shop.run(&["check", "merged.xlsx"]).says(3, &["row 3", told]);
    shop.write("orders/inbox/merged.xlsx", &merged);
    shop.run(&["run", "--once"]).says(3, &["1 held"]);
    assert_eq!(shop.service.orders().len(), 0);
}

#[test]
fn orders_that_a_person_has_struck_through_wait_for_one() {
    let shop = Shop::new();
    let struck = Format::new().set_font_strikethrough();
    let plain = Format::new();
    let quantity = u16::try_from(HEADER.split(',').position(|name| name == "quantity").unwrap()).unwrap();
    let mut book = Workbook::new();
    let sheet = book.add_worksheet();
    sheet.write_row(0, 0, HEADER.split(',')).unwrap();
    for (row, id) in [(1, "1001"), (2, "1002"), (3, "1003")] {
        sheet.write(row, 0, id).unwrap();
        sheet.write_row(row, 1, ORDER.split(',')).unwrap();
    }
    sheet.write_with_format(1, 0, "1001", &struck).unwrap();
    sheet
        .write_row_with_format(1, 1, ORDER.split(','), &struck)
        .unwrap();
    // Twelve to the eye of a program, two to that of a person.
    sheet
        .write_rich_string(2, quantity, &[(&struck, "1"), (&plain, "2")])
        .unwrap();
    let struck = book.save_to_buffer().unwrap();
    shop.write("struck.xlsx", &struck);
    let cell = format!(
        "{}3 has text that is struck through",
        char::from(b'A' + u8::try_from(quantity).unwrap())
    );
    shop.run(&["check", "struck.xlsx"])
        .says(3, &["row 2 is struck through", &cell, "can be sent: 1"]);
    shop.write("orders/inbox/struck.xlsx", &struck);
    shop.run(&["run", "--once"]).says(3, &["1 created", "2 held"]);
    let orders = shop.service.orders();
    assert_eq!(orders.len(), 1, "{orders:?}");
}

/// A page of a workbook, saved as text as a spreadsheet does.
fn page_as_csv(path: &std::path::Path, page: &str) -> Vec<u8> {
    let mut book: calamine::Xlsx<_> = calamine::open_workbook(path).unwrap();
    let range = book.worksheet_range(page).unwrap();
    let (height, width) = range.end().unwrap();
    let cell = |cell: &calamine::Data| format!("\"{}\"", cell.to_string().replace('"', "\"\""));
    let line = |row: &[calamine::Data]| row.iter().map(cell).collect::<Vec<_>>().join(";") + "\r\n";
    let lines: String = range.range((0, 0), (height, width)).rows().map(line).collect();
    lines.into_bytes()
}

#[test]
fn a_page_of_our_own_workbooks_that_holds_no_orders_is_told_as_such_and_the_results_are_read() {
    let shop = Shop::new();
    let order = |id: &str| format!("{id},{ORDER}\n");
    let wrong = order("1002").replace("TEE-CLASSIC", "NO-SUCH");
    shop.write("a.csv", format!("{HEADER}\n{}{wrong}", order("1001")).as_bytes());
    shop.run(&["import", "a.csv"]);
    let result = shop.path("a.result.xlsx");
    for page in ["Summary", "Orders", "Findings"] {
        shop.write("page.csv", &page_as_csv(&result, page));
        let told =
            format!("This is the page {page} of a result, as dropsheet writes it, and no order sheet.");
        shop.run(&["check", "page.csv"])
            .says(1, &[&told, "Drop the page Results"]);
    }
    shop.write("page.csv", &page_as_csv(&result, "Results"));
    shop.run(&["check", "page.csv"]).says(3, &["unknown-sku"]);
    shop.run(&["check", "a.result.xlsx"]).says(3, &["unknown-sku"]);

    let costs = [
        "report",
        "--from",
        "2020-01-01",
        "--to",
        "2099-12-31",
        "--out",
        "costs.xlsx",
    ];
    shop.run(&costs);
    let told = "This is a cost report, as dropsheet writes it";
    shop.run(&["check", "costs.xlsx"]).says(1, &[told]);
    for page in [
        "Summary",
        "Orders",
        "By product",
        "Reconciliation",
        "Not in this ledger",
    ] {
        shop.write("page.csv", &page_as_csv(&shop.path("costs.xlsx"), page));
        shop.run(&["check", "page.csv"]).says(1, &[told]);
    }
}

/// The numbers of a page below its header, each with its format, by the name of its column.
fn formats(path: &std::path::Path, page: &str) -> Vec<(String, String, Option<String>)> {
    let mut book: calamine::Xlsx<_> = calamine::open_workbook(path).unwrap();
    let range = book.worksheet_range(page).unwrap();
    let header: Vec<String> = range
        .rows()
        .next()
        .unwrap()
        .iter()
        .map(ToString::to_string)
        .collect();
    let mut reader = book.worksheet_cells_reader(page).unwrap();
    let mut found = Vec::new();
    while let Some((cell, style)) = reader.next_cell_with_style_id().unwrap() {
        let (row, column) = cell.get_position();
        let name = &header[usize::try_from(column).unwrap()];
        if row == 0 || name.starts_with("result_") {
            continue;
        }
        let format = reader
            .styles()
            .get(style)
            .and_then(|style| style.number_format.as_ref());
        let code = format.map(|format| format.format_code.clone());
        found.push((
            name.clone(),
            calamine::Data::from(cell.get_value().clone()).to_string(),
            code,
        ));
    }
    found
}

#[test]
fn numbers_and_times_of_columns_that_nobody_knows_look_in_a_result_as_they_came() {
    let shop = Shop::new();
    let mut book = Workbook::new();
    let sheet = book.add_worksheet();
    sheet
        .write_row(
            0,
            0,
            format!("{HEADER},Discount,Price,At,Weight,Odd,Our no").split(','),
        )
        .unwrap();
    sheet.write(1, 0, "1001").unwrap();
    sheet.write_row(1, 1, ORDER.split(',')).unwrap();
    let from = u16::try_from(HEADER.split(',').count()).unwrap();
    let cells = [
        (0.5, "0%"),
        (12.5, "#,##0.00\\ [$€-407]"),
        (0.354_166_666_666_666_7, "hh:mm"),
        (1.25, "General"),
        (7.0, "0 \"pieces\""),
        (7.0, "00000"),
    ];
    for (column, (number, format)) in (from..).zip(cells) {
        let format = Format::new().set_num_format(format);
        sheet
            .write_number_with_format(1, column, number, &format)
            .unwrap();
    }
    shop.write("looks.xlsx", &book.save_to_buffer().unwrap());
    shop.run(&["quote", "looks.xlsx"]).says(0, &["1 quoted"]);
    let shown = formats(&shop.path("looks.quote.xlsx"), "Results");
    let looks = |name: &str| {
        let (_, value, code) = shown.iter().find(|(own, ..)| own == name).unwrap();
        (value.as_str(), code.as_deref().unwrap_or("General"))
    };
    assert_eq!(looks("Discount"), ("0.5", "0%"));
    assert_eq!(looks("Price"), ("12.5", "#,##0.00 \"€\""));
    assert_eq!(looks("Weight"), ("1.25", "General"));
    assert_eq!(looks("Odd"), ("7", "General"));
    assert_eq!(looks("Our no"), ("7", "00000"));
    let (time, code) = looks("At");
    assert!(time.starts_with("0.3541666"), "{time}");
    assert_eq!(code, "hh:mm:ss");
    // The result comes back as it went.
    shop.run(&["quote", "looks.quote.xlsx"]).says(0, &["1 quoted"]);
    assert_eq!(formats(&shop.path("looks.quote.quote.xlsx"), "Results"), shown);
}
