//! What the commands that work sheets print for machines.

use serde_json::{Value, json};

use crate::shop::Shop;

#[test]
fn a_pass_a_quote_and_an_import_print_what_came_of_each_sheet_as_json() {
    let shop = Shop::new();
    shop.write(
        "orders/inbox/monday.csv",
        &std::fs::read(shop.path("orders.csv")).unwrap(),
    );
    shop.write("orders/inbox/letter.txt", b"Dear printer,\nthe orders follow.\n");
    let pass = shop.run(&["run", "--once", "--json"]).json(3);
    let of = |name: &str| {
        let sheets = pass["sheets"].as_array().unwrap();
        sheets
            .iter()
            .find(|sheet| sheet["sheet"] == name)
            .unwrap()
            .clone()
    };
    let monday = of("monday.csv");
    assert_eq!(monday["inbox"], "main");
    assert_eq!(monday["orders"], json!({ "created": 9, "invalid": 3 }));
    assert_eq!(monday["rejected"], Value::Null);
    for file in ["result", "to_fix"] {
        let path = monday[file].as_str().unwrap();
        assert!(shop.path(path).is_file(), "{file}: {path}");
    }
    let why = of("letter.txt")["rejected"].as_str().unwrap().to_owned();
    assert!(!why.is_empty());
    assert_eq!(pass["unresolved"], 0);
    assert_eq!(pass["troubles"], json!([]));

    let quoted = shop
        .run(&["quote", "--json", "orders.csv", "missing.csv"])
        .json(1);
    assert_eq!(quoted[0]["orders"], json!({ "already_created": 9, "invalid": 3 }));
    assert!(shop.path(quoted[0]["quote"].as_str().unwrap()).is_file());
    assert_eq!(quoted[1]["quote"], Value::Null);
    assert!(quoted[1]["error"].as_str().unwrap().contains("missing.csv"));

    let imported = shop.run(&["import", "--json", "orders.csv"]).json(3);
    assert_eq!(
        imported["sheets"][0]["orders"],
        json!({ "already_created": 9, "invalid": 3 })
    );
    assert!(
        shop.path(imported["sheets"][0]["result"].as_str().unwrap())
            .is_file()
    );

    let said = shop.run(&["run", "--json"]);
    assert_eq!(said.status, 2, "a daemon prints no list: {said:?}");
    assert!(said.err.contains("--once"), "{said:?}");
}
