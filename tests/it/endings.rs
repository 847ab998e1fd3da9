//! Under which ending a result comes back that is separated text.

use crate::shop::{HEADER, Shop};

fn sheet(id: &str) -> Vec<u8> {
    let row = format!(
        "{id},Ada Example,+1 555 010 0101,12 Maple Street,Columbus,Ohio,OH,43004,United States,US,TEE-CLASSIC-BLK-S,1,\
         Classic Tee,https://example.com/a.png\n"
    );
    format!("{HEADER}\n{row}").replace(',', "\t").into_bytes()
}

/// The endings of the results that there are, behind their times.
fn results(shop: &Shop) -> Vec<String> {
    let names = shop.names("orders/results");
    let results = names.iter().filter(|name| name.contains(".result."));
    results
        .map(|name| name.splitn(3, '_').last().unwrap().to_owned())
        .collect()
}

#[test]
fn the_same_format_keeps_the_ending_that_came() {
    let shop = Shop::new();
    let config = |format: &str| shop.config() + &format!("result_format = \"{format}\"\n");
    shop.write("dropsheet.toml", config("same").as_bytes());
    // Text under a workbook's name is no workbook either.
    for (id, name) in [("1", "a.csv"), ("2", "b.tsv"), ("3", "c.TXT"), ("4", "d.xlsx")] {
        shop.write(&format!("orders/inbox/{name}"), &sheet(id));
    }
    shop.run(&["run", "--once"])
        .says(0, &["b.tsv: 1 created", ".result.tsv"]);
    let all = ["a.result.csv", "b.result.tsv", "c.result.txt", "d.result.csv"];
    assert_eq!(results(&shop), all);

    // Written again it stays what it was, whatever the config has come to say.
    shop.write("dropsheet.toml", config("xlsx").as_bytes());
    let order = shop
        .service
        .orders()
        .into_iter()
        .find(|order| order.order_name == "3");
    assert!(shop.service.fulfil(&order.unwrap().pw_order_id));
    shop.run(&["orders", "sync"]).says(0, &[]);
    let names = shop.names("orders/results");
    let name = names.iter().find(|name| name.ends_with("c.result.txt")).unwrap();
    let text = std::fs::read_to_string(shop.path("orders/results").join(name)).unwrap();
    assert!(
        text.contains("\tcreated\t") && text.contains("fulfilled"),
        "{text}"
    );
    assert_eq!(results(&shop), all);

    // Dropped again it is a sheet of the same name, of which nothing is sent.
    shop.write("dropsheet.toml", config("same").as_bytes());
    shop.write("orders/inbox/again.txt", text.as_bytes());
    shop.run(&["run", "--once"])
        .says(0, &["again.txt: 1 already_created"]);
    assert!(results(&shop).contains(&"again.result.txt".to_owned()));

    shop.write("dropsheet.toml", config("csv").as_bytes());
    shop.write("orders/inbox/e.tsv", &sheet("5"));
    shop.run(&["run", "--once"]).says(0, &["e.tsv: 1 created"]);
    assert!(results(&shop).contains(&"e.result.csv".to_owned()));
}
