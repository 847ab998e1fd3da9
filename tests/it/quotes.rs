//! What `quote` and a sheet in `try/` say of orders that would not be sent without a person.

use std::path::{Path, PathBuf};

use calamine::Reader;

use crate::shop::{HEADER, Shop};

fn order(id: &str, expected_total: &str) -> String {
    format!(
        "{id},Ada Example,+1 555 010 0101,12 Maple Street,Columbus,Ohio,OH,43004,United States,US,TEE-CLASSIC-BLK-S,1,\
         Classic Tee,https://example.com/a.png,{expected_total}\n"
    )
}

fn sheet(orders: &[String]) -> Vec<u8> {
    format!("{HEADER},expected_total\n{}", orders.concat()).into_bytes()
}

/// A page of a workbook, as text.
fn page(path: &Path, name: &str) -> Vec<Vec<String>> {
    let mut book: calamine::Xlsx<_> = calamine::open_workbook(path).unwrap();
    let page = book.worksheet_range(name).unwrap();
    let texts = page
        .rows()
        .map(|row| row.iter().map(ToString::to_string).collect());
    texts.collect()
}

/// These columns of a page, without its heading.
fn columns<const N: usize>(path: &Path, (name, headings): (&str, [&str; N])) -> Vec<[String; N]> {
    let rows = page(path, name);
    let places = headings.map(|heading| rows[0].iter().position(|cell| cell == heading).unwrap());
    let cells = rows[1..].iter();
    cells.map(|row| places.map(|place| row[place].clone())).collect()
}

/// The quote of a sheet that was tried.
fn tried(shop: &Shop) -> PathBuf {
    let names = shop.names("orders/results");
    let quote = names.iter().find(|name| name.ends_with(".quote.xlsx")).unwrap();
    shop.path("orders/results").join(quote)
}

#[test]
fn what_would_be_held_has_its_code_and_the_exit_status_of_what_is_held() {
    let shop = Shop::new();
    let orders = [
        order("1001", "1.00"),
        order("1002", ""),
        order("1002", ""),
        order("1003", ""),
    ];
    shop.write("four.csv", &sheet(&orders));
    shop.write("orders/try/four.csv", &sheet(&orders));
    shop.run(&["quote", "four.csv"]).says(
        3,
        &[
            "four.csv: 3 quoted\n",
            "2 orders would be held for a person's approval",
        ],
    );
    shop.run(&["run", "--once"]).says(
        3,
        &[
            "four.csv: 3 quoted\n",
            "2 orders would be held for a person's approval",
        ],
    );
    let differs = "The quote is 13.64, but the sheet expects 1.00.";
    let held = "It would be held for a person's approval.";
    for quote in [shop.path("four.quote.xlsx"), tried(&shop)] {
        let rows = columns(
            &quote,
            ("Results", ["result_status", "result_codes", "result_message"]),
        );
        assert_eq!(
            rows[0],
            ["quoted", "unexpected-total", &format!("{held} {differs}")]
        );
        for row in &rows[1..3] {
            assert_eq!(row[..2], ["quoted", "repeated-row"]);
            assert!(row[2].starts_with(held), "{row:?}");
        }
        assert_eq!(rows[3], ["quoted", "", ""]);
        let found = columns(&quote, ("Findings", ["Row", "Status", "Code"]));
        assert_eq!(
            found,
            [
                ["2", "quoted", "unexpected-total"],
                ["4", "quoted", "repeated-row"]
            ]
        );
    }
    let quoted = shop.run(&["quote", "--json", "four.csv"]).json(3);
    assert_eq!(
        (&quoted[0]["orders"]["quoted"], &quoted[0]["would_be_held"]),
        (&3.into(), &2.into())
    );

    shop.write("fine.csv", &sheet(&[order("1003", "13.64")]));
    shop.run(&["quote", "fine.csv"]).says(0, &["fine.csv: 1 quoted"]);
    shop.write("orders/try/fine.csv", &sheet(&[order("1003", "13.64")]));
    let pass = shop.run(&["run", "--once", "--json"]).json(0);
    assert_eq!(pass["sheets"][0]["would_be_held"], 0);
}
