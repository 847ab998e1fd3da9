//! A result whose pages are written by two threads.

use super::*;

#[test]
fn a_large_result_is_the_same_bytes_whoever_writes_its_pages_first() {
    const ORDERS: u32 = 10_001;
    let folder = tempfile::tempdir().unwrap();
    let ids = || (1..=ORDERS).map(|n| (n + 1, format!("A{n}")));
    let mut text =
        "order_id;shipping_name;shipping_address1;shipping_city;shipping_zip;country code;sku;qty\r\n"
            .to_owned();
    for (_, id) in ids() {
        text += &id;
        text += ";Ann Example;1 Main St;Springfield;02134;US;TEE-S;1\r\n";
    }
    let path = folder.path().join("large.csv");
    crate::files::write_new(&path, text.as_bytes()).unwrap();
    let dropped = drop_in(&path);
    let write = |name: &str| {
        let path = folder.path().join(name);
        // Each status has a colour, which one page or the other is the first to use.
        let mut statuses = Status::ALL.into_iter().cycle();
        let mut views = ids().map(|(row, id)| {
            let status = statuses.next().filter(|_| row > 64).unwrap_or(Status::Created);
            Ok(View {
                status,
                ..created(row, &id)
            })
        });
        write(&dropped.source(), &mut views, &title(), Kind::Workbook, &path).unwrap();
        path
    };
    let first = write("first.xlsx");
    for again in ["second.xlsx", "third.xlsx"] {
        assert_eq!(fs::read(&first).unwrap(), fs::read(write(again)).unwrap());
    }
    let orders = page(&first, "Orders");
    let shown: Vec<String> = orders[1..orders.len() - 1]
        .iter()
        .map(|row| row[1].to_string())
        .collect();
    assert!(
        shown.into_iter().eq(ids().map(|(_, id)| id)),
        "every order, in order"
    );
}
