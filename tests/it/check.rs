//! `dropsheet check`: what it says of a sheet is what would become of it.

use serde_json::{Value, json};

use crate::shop::{HEADER, Shop};

fn order(id: &str, sku: &str) -> String {
    format!(
        "{id},Ada Example,+1 555 010 0101,12 Maple Street,Columbus,Ohio,OH,43004,United States,US,{sku},1,Classic Tee,\
         https://example.com/a.png\n"
    )
}

fn sheet(orders: &[String]) -> Vec<u8> {
    format!("{HEADER}\n{}", orders.concat()).into_bytes()
}

#[test]
fn an_order_that_would_be_held_is_not_said_to_be_sent() {
    const SKU: &str = "TEE-CLASSIC-BLK-S";
    let shop = Shop::new();
    let twice = order("1001", SKU);
    shop.write("twice.csv", &sheet(&[twice.clone(), twice, order("1002", SKU)]));
    shop.run(&["check", "twice.csv"]).says(
        3,
        &[
            "twice.csv:row 2: note[repeated-row]: Rows of this order say the same: are they in the sheet twice?",
            "orders: 2, can be sent: 1, held for a person: 1; errors: 0, warnings: 0",
        ],
    );
    let json = shop.run(&["check", "--json", "twice.csv"]).out;
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&json[0]["sendable"], &json[0]["held"]), (&1.into(), &1.into()));

    let many: Vec<String> = (1..=4).map(|n| order(&n.to_string(), SKU)).collect();
    shop.write("many.csv", &sheet(&many));
    let config = shop.config() + "max_orders_per_sheet = 3\n";
    shop.write("dropsheet.toml", config.as_bytes());
    let said = shop.run(&["check", "many.csv"]);
    said.says(
        3,
        &[
            "row 2: note[over-sheet-orders]",
            "The same in rows 3-5.",
            "held for a person: 4",
        ],
    );
    assert_eq!(said.out.matches("over-sheet-orders").count(), 1, "{said:?}");
    // What is said of it is what becomes of it.
    shop.run(&["import", "many.csv"]).says(3, &["many.csv: 4 held"]);
}

#[test]
fn a_file_that_an_inbox_rejects_is_called_the_same_by_who_only_looks_at_it() {
    let shop = Shop::new();
    let good = sheet(&[order("1001", "TEE-CLASSIC-BLK-S")]);
    let page = b"<html><body><table><tr><td>order_id</td></tr></table></body></html>".to_vec();
    for (name, bytes, code) in [
        ("z.pdf", b"%PDF-1.4 no sheet at all".to_vec(), "unknown-ending"),
        ("orders.csv.bak", good.clone(), "unknown-ending"),
        (
            "book.numbers",
            b"PK\x03\x04 of another program".to_vec(),
            "unknown-ending",
        ),
        ("nothing.pdf", Vec::new(), "unknown-ending"),
        ("nothing.csv", Vec::new(), "empty-sheet"),
        ("nothing.xlsx", Vec::new(), "empty-sheet"),
        ("page.xls", page, "not-a-sheet"),
    ] {
        shop.write(name, &bytes);
        let found = &shop.run(&["check", "--json", name]).json(1)[0]["findings"][0];
        assert_eq!(found["code"], code, "{name}");
        let said =
            [&found["code"], &found["message"], &found["hint"]].map(|said| said.as_str().unwrap().to_owned());
        shop.run(&["quote", name]).says(1, &[name, &said[1], &said[2]]);
        shop.run(&["import", name]).says(1, &[name, &said[1], &said[2]]);
        shop.write(&format!("orders/inbox/{name}"), &bytes);
        shop.run(&["run", "--once"])
            .says(3, &[name, "rejected", &said[1], &said[2]]);
        let rejected = shop.names("orders/rejected");
        let reason = rejected.iter().find(|name| name.ends_with(".error.txt")).unwrap();
        let reason = std::fs::read_to_string(shop.path("orders/rejected").join(reason)).unwrap();
        for words in said {
            assert!(reason.contains(&words), "{name}: `{words}` is missing: {reason}");
        }
        for name in rejected {
            std::fs::remove_file(shop.path("orders/rejected").join(name)).unwrap();
        }
    }
    assert!(shop.service.orders().is_empty());
    // In an inbox a name without an ending tells nothing; whoever names it means a sheet.
    shop.write("export", &good);
    shop.run(&["check", "export"]).says(0, &["can be sent: 1"]);
}

#[test]
fn what_is_too_many_for_one_line_is_sent_as_the_hints_say() {
    let shop = Shop::new();
    let line = |quantity: u32, number: u32| {
        let line = order("1001", "TEE-CLASSIC-BLK-S").replace(",1,Classic", &format!(",{quantity},Classic"));
        format!("{},{number}\n", line.trim_end())
    };
    let check = |name: &str, lines: &[String], status: i32, said: &[&str]| {
        let text = format!("{HEADER},line\n{}", lines.concat());
        shop.write(name, text.as_bytes());
        shop.run(&["check", name]).says(status, said);
    };
    let hint = "write them as several lines. Number those in a column of your own, such as `line`";
    check("one.csv", &[line(2000, 1)], 3, &["quantity-too-large", hint]);
    let equal = [line(1000, 1), line(1000, 1)];
    let hint = "or approve the order where that is more than one line may have";
    check(
        "equal.csv",
        &equal,
        3,
        &["repeated-row", hint, "held for a person: 1"],
    );
    let numbered = [line(1000, 1), line(1000, 2)];
    let all_well = "orders: 1, can be sent: 1; errors: 0, warnings: 0";
    check("numbered.csv", &numbered, 0, &[all_well]);
}

#[test]
fn rows_that_are_not_printed_are_told_once_with_their_numbers() {
    let shop = Shop::new();
    let line = |id: &str, status: &str| {
        format!("{id},paid,1,Tee,TEE-CLASSIC-BLK-S,{status},Ada,1 Elm,Columbus,43004,OH,US\n")
    };
    let rows = ["#1", "#2", "#3"].map(|id| line(id, "fulfilled"));
    let export = "Name,Financial Status,Lineitem quantity,Lineitem name,Lineitem sku,Lineitem fulfillment status,Shipping Name,\
                  Shipping Address1,Shipping City,Shipping Zip,Shipping Province,Shipping Country\n";
    shop.write("shop.csv", format!("{export}{}", rows.concat()).as_bytes());
    shop.run(&["check", "shop.csv"]).says(
        0,
        &[
            "shop.csv:row 2: note[not-to-print]: Not printed: fulfilled in the shop. The same in rows 3, 4.",
            "orders: 3, can be sent: 0, 3 known already or not to be sent",
        ],
    );
}

#[test]
fn a_row_that_a_line_break_has_cut_is_not_sent_in_half() {
    let shop = Shop::new();
    let order = |id: &str, note: &str| order(id, "TEE-CLASSIC-BLK-S").replace('\n', &format!(",{note}\n"));
    let orders = [
        order("1001", "Happy birthday\nfrom all of us"),
        order("1002", "Hello"),
    ]
    .concat();
    shop.write(
        "cut.csv",
        format!("{HEADER},variant_note\n{orders}")
            .replace('\n', "\r\n")
            .as_bytes(),
    );
    shop.run(&["check", "cut.csv"]).says(
        3,
        &[
            "O2: error[ragged-row]: The row is cut here and goes on in row 3",
            "A3: error[ragged-row]: This is the rest of row 2",
            "orders: 3, can be sent: 1; errors: 2, warnings: 0",
        ],
    );
    shop.run(&["import", "cut.csv"])
        .says(3, &["cut.csv: 1 created, 2 invalid"]);
    let quoted = format!(
        "{HEADER},variant_note\n{}",
        order("1001", "\"Happy birthday\nfrom all of us\"")
    );
    shop.write("whole.csv", quoted.as_bytes());
    shop.run(&["import", "whole.csv"])
        .says(0, &["whole.csv: 1 created"]);
}

#[test]
fn a_header_between_the_orders_is_not_taken_for_one() {
    let shop = Shop::new();
    let both = [
        sheet(&[order("A1", "TEE-CLASSIC-BLK-S")]),
        sheet(&[order("A2", "TEE-CLASSIC-BLK-S")]),
    ];
    shop.write("both.csv", &both.concat());
    shop.run(&["check", "both.csv"]).says(
        0,
        &[
            "both.csv:row 3: note[not-to-print]: Not printed: the row repeats the header.",
            "orders: 2, can be sent: 2; errors: 0",
        ],
    );
}

#[test]
fn a_sheet_that_cannot_be_read_keeps_no_other_from_being_looked_at() {
    let shop = Shop::new();
    shop.write("a.csv", &sheet(&[order("A1", "TEE-CLASSIC-BLK-S")]));
    shop.write("bad.csv", b"hello,world\n1,2\n");
    shop.write("d.csv", &sheet(&[order("D1", "NO-SUCH-SKU")]));
    let sheets = ["a.csv", "bad.csv", "gone.csv", "d.csv"];
    let said = shop.run(&[&["check"], &sheets[..]].concat());
    said.says(
        1,
        &[
            "a.csv: orders: 1, can be sent: 1",
            "d.csv: orders: 1, can be sent: 0",
        ],
    );
    for sheet in ["bad.csv cannot be worked", "cannot read gone.csv"] {
        assert!(said.err.contains(sheet), "{said:?}");
    }
    let said = shop.run(&[&["check", "--json"], &sheets[..]].concat());
    said.says(1, &[]);
    let told: Value = serde_json::from_str(&said.out).unwrap();
    let told: Vec<(&str, bool, Option<&str>)> = told
        .as_array()
        .unwrap()
        .iter()
        .map(|one| {
            (
                one["sheet"].as_str().unwrap(),
                one["error"].is_string(),
                one["code"].as_str(),
            )
        })
        .collect();
    assert_eq!(
        told,
        [
            ("a.csv", false, None),
            ("bad.csv", true, Some("no-header")),
            ("gone.csv", true, None),
            ("d.csv", false, None)
        ]
    );
    let said = shop.run(&[&["quote"], &sheets[..]].concat());
    said.says(1, &["a.quote.xlsx", "d.quote.xlsx"]);
    assert!(said.err.contains("bad.csv cannot be worked"), "{said:?}");
}

#[test]
fn what_is_wrong_with_a_whole_sheet_is_a_finding_of_no_row() {
    let shop = Shop::new();
    shop.write("bad.csv", b"hello,world\n1,2\n");
    shop.write("d.csv", &sheet(&[order("D1", "NO-SUCH-SKU")]));
    let checked = shop.run(&["check", "--json", "bad.csv", "gone.csv"]).json(1);
    let quoted = shop
        .run(&["quote", "--json", "bad.csv", "gone.csv", "d.csv"])
        .json(1);
    for told in [&checked, &quoted] {
        let [found] = &told[0]["findings"].as_array().unwrap()[..] else {
            panic!("{told}");
        };
        assert_eq!(
            (&found["level"], &found["code"]),
            (&"error".into(), &"no-header".into())
        );
        assert_eq!((&found["row"], &found["cell"]), (&Value::Null, &Value::Null));
        let (message, hint) = (
            found["message"].as_str().unwrap(),
            found["hint"].as_str().unwrap(),
        );
        let error = told[0]["error"].as_str().unwrap();
        assert!(error.ends_with(&format!("{message} {hint}")), "{error}");
        assert_eq!(told[0]["code"], "no-header");
        assert_eq!(
            (&told[1]["findings"], &told[1]["code"]),
            (&json!([]), &Value::Null)
        );
    }
    assert_eq!(quoted[2]["findings"][0]["code"], "unknown-sku");
    assert_eq!(
        (&quoted[2]["error"], &quoted[2]["code"]),
        (&Value::Null, &Value::Null)
    );
}

#[test]
fn what_is_said_of_an_old_catalog_leaves_the_json_whole() {
    let shop = Shop::new();
    shop.write(
        "sheet.csv",
        &sheet(&[order("1001", "TEE-CLASSIC-BLK-S"), order("1002", "NO-SUCH-SKU")]),
    );
    let config = shop.config() + "[catalog]\nmax_age = \"1ms\"\n";
    shop.write("dropsheet.toml", config.as_bytes());
    shop.run(&["catalog", "refresh"]).says(0, &[]);
    shop.service.go_away_now().unwrap();
    let said = shop.run(&["check", "sheet.csv"]);
    said.says(3, &["note: The catalog is of 20", "error[unknown-sku]"]);
    let json = shop.run(&["check", "--json", "sheet.csv"]).out;
    let json: Value = serde_json::from_str(&json).unwrap();
    let old = json[0]["old_catalog"].as_str().unwrap();
    assert!(old.starts_with("The catalog is of 20"), "{old}");
}

#[test]
fn what_could_not_be_checked_while_the_service_is_away_is_said() {
    let shop = Shop::new();
    let row = |id: &str, location: &str| {
        order(id, "TEE-CLASSIC-BLK-S").replace(".png\n", &format!(".png,{location}\n"))
    };
    let rows = [row("1001", "NOWHERE"), row("1002", "")];
    let sheet = format!("{HEADER},made_in_location\n{}", rows.concat());
    shop.write("sheet.csv", sheet.as_bytes());
    shop.run(&["catalog", "refresh"]).says(0, &[]);
    shop.service.go_away_now().unwrap();
    shop.run(&["check", "sheet.csv"]).says(
        0,
        &[
            "note: The details of TEE-CLASSIC could not be read (products/detail: ",
            "Not checked: what is in stock, and whether 1 line can be made where the sheet says. To have it checked, check \
             `base_url` of account `main` and the network, or try again later.",
            "orders: 2, can be sent: 2; errors: 0, warnings: 0",
        ],
    );
    let told = shop.run(&["check", "--json", "sheet.csv"]).json(0);
    let unchecked = told[0]["unchecked"].as_str().unwrap();
    assert!(unchecked.contains("1 line can be made"), "{unchecked}");
    shop.service.come_back_now().unwrap();
    let told = shop.run(&["check", "--json", "sheet.csv"]).json(3);
    assert_eq!(told[0]["unchecked"], Value::Null);
    assert_eq!(told[0]["findings"][0]["code"], "unknown-location");
}

#[test]
fn an_order_whose_price_does_not_come_keeps_no_other_from_its_quote() {
    let two = sheet(&[
        order("1001", "TEE-CLASSIC-BLK-S"),
        order("1002", "TEE-CLASSIC-BLK-S"),
    ]);
    for (fault, status, told) in [
        ("error-404-quote=on:1", 0, &["2 quoted", "two.quote.xlsx"][..]),
        (
            "error-500-quote=after:1",
            3,
            &[
                "1 quoted, 1 waiting",
                "not every order could be priced",
                "two.quote.xlsx",
            ],
        ),
        ("error-500-quote=after:0", 1, &["prices none of the orders"]),
    ] {
        let shop = Shop::new();
        // One after the other: which of two that are asked at once is answered first, is chance.
        let config = shop
            .config()
            .replace("[inbox.main]", "max_in_flight = 1\n\n[inbox.main]");
        shop.write("dropsheet.toml", config.as_bytes());
        shop.write("two.csv", &two);
        shop.service.set_fault(fault).unwrap();
        shop.run(&["quote", "two.csv"]).says(status, told);
    }
}

#[test]
fn the_quote_of_a_sheet_in_an_inbox_is_no_sheet_of_it() {
    let shop = Shop::new();
    shop.write(
        "orders/inbox/new.csv",
        &sheet(&[order("1001", "TEE-CLASSIC-BLK-S")]),
    );
    shop.run(&["quote", "orders/inbox/new.csv"])
        .says(0, &["1 quoted", "orders/results/new.quote.xlsx"]);
    std::fs::remove_file(shop.path("orders/inbox/new.csv")).unwrap();
    let passed = shop.run(&["run", "--once"]);
    assert_eq!(
        (passed.status, shop.service.count("create-new-order")),
        (0, 0),
        "{passed:?}"
    );
    shop.write("new.csv", &sheet(&[order("1001", "TEE-CLASSIC-BLK-S")]));
    let refused = shop.run(&["import", "new.csv", "--out", "orders/inbox/result.xlsx"]);
    assert_eq!(
        (refused.status, shop.service.count("create-new-order")),
        (1, 0),
        "{refused:?}"
    );
}

#[test]
fn what_is_said_of_an_order_is_in_the_words_of_its_sheet() {
    let shop = Shop::new();
    let with_service = |service: &str| {
        let order = order("1001", "TEE-CLASSIC-BLK-S").replace(".png\n", &format!(".png,{service}\n"));
        format!("{HEADER},shipping_service\n{order}")
    };
    shop.write("fast.csv", with_service("fast").as_bytes());
    shop.run(&["check", "fast.csv"])
        .says(3, &["`fast` is no shipping service."]);
    shop.write("usgr.csv", with_service("usgr").as_bytes());
    shop.run(&["check", "usgr.csv"]).says(0, &["can be sent: 1"]);

    // An order of WooCommerce has its items in cells of its one row.
    let export = "order_id,order_number,order_date,paid_date,status,shipping_first_name,shipping_last_name,\
                  shipping_address_1,shipping_postcode,shipping_city,shipping_state,shipping_country,line_item_1\n";
    let order = "701,701,2026-11-20 10:00:00,2026-11-20 10:00:00,processing,Ada,Example,1 Elm,43004,Columbus,OH,US,\n";
    shop.write("woo.csv", format!("{export}{order}").as_bytes());
    let said = shop.run(&["check", "woo.csv"]);
    said.says(3, &["The order has no items. Write them into the cells"]);
    assert!(!said.all().contains("Each row of an order"), "{said:?}");
}

#[test]
fn what_is_known_already_is_told_once_with_its_rows() {
    let shop = Shop::new();
    let orders = ["1001", "1002", "1003"].map(|id| order(id, "TEE-CLASSIC-BLK-S"));
    shop.write("first.csv", &sheet(&orders));
    shop.run(&["import", "first.csv"]).says(0, &[]);
    let said = shop.run(&["check", "first.csv"]);
    let told = "first.csv:row 2: note[known-order]: first has sent this order; nothing was sent again. The same in rows 3, 4.";
    said.says(
        0,
        &[
            told,
            "orders: 3, can be sent: 0, 3 known already or not to be sent",
        ],
    );
    assert_eq!(said.out.matches("known-order").count(), 1, "{said:?}");
}

#[test]
fn of_an_order_that_is_known_the_sheet_is_named_that_shows_it() {
    let shop = Shop::new();
    let order = order("1001", "TEE-CLASSIC-BLK-S");
    shop.write("first.csv", &sheet(std::slice::from_ref(&order)));
    shop.run(&["import", "first.csv"]);
    shop.write("again.csv", &sheet(&[order.replace(",1,Classic", ",2,Classic")]));
    let said = shop.run(&["check", "again.csv"]);
    assert!(
        said.all().contains(" first shows the order as it is known."),
        "{said:?}"
    );
}
