//! The page Orders of a result: what it says of an order, whatever became of it.

use calamine::{DataType, Reader};

use crate::shop::{HEADER, Shop};

/// The rows of the page, its heading and its totals left out: row, order, status and country.
fn orders(shop: &Shop, result: &str) -> Vec<[String; 4]> {
    let mut book: calamine::Xlsx<_> = calamine::open_workbook(shop.path(result)).unwrap();
    let page = book.worksheet_range("Orders").unwrap();
    let orders = page
        .rows()
        .skip(1)
        .filter(|row| row[0].as_string().as_deref() != Some("Total"));
    orders
        .map(|row| [0, 1, 2, 5].map(|column| row[column].to_string()))
        .collect()
}

fn row(id: &str, code: &str, country: &str, sku: &str) -> String {
    format!(
        "{id},Ada Example,,12 Maple Street,Columbus,Ohio,OH,43004,{country},{code},{sku},1,,https://example.com/a.png\n"
    )
}

#[test]
fn an_order_that_is_not_sent_has_the_country_that_the_sheet_says() {
    let shop = Shop::new();
    let rows = [
        row("1", "us", "", "NO-SUCH-SKU"),
        row("2", "US", "Germany", "TEE-CLASSIC-BLK-S"),
        row("3", "", "United States", "TEE-CLASSIC-BLK-S"),
    ];
    let sheet = format!("{HEADER}\n{}", rows.concat());
    shop.write("a.csv", sheet.as_bytes());
    shop.run(&["import", "a.csv"]);
    let said = orders(&shop, "a.result.xlsx");
    let expected = [
        ["2", "1", "invalid", "US"],
        ["3", "2", "invalid", ""],
        ["4", "3", "created", "US"],
    ];
    assert_eq!(said, expected);
}

#[test]
fn an_order_is_named_by_its_first_row_that_is_a_line_of_it() {
    let shop = Shop::new();
    let line =
        |status: &str| format!("#1,paid,1,Tee,TEE-CLASSIC-BLK-S,{status},Ada,1 Elm,Columbus,43004,OH,US\n");
    let export = "Name,Financial Status,Lineitem quantity,Lineitem name,Lineitem sku,Lineitem fulfillment status,Shipping Name,\
                  Shipping Address1,Shipping City,Shipping Zip,Shipping Province,Shipping Country\n";
    shop.write(
        "a.csv",
        format!("{export}{}{}", line("fulfilled"), line("")).as_bytes(),
    );
    shop.run(&["quote", "a.csv"]);
    // Its own first row is no line of it.
    assert_eq!(orders(&shop, "a.quote.xlsx"), [["3", "1", "invalid", "US"]]);
}
