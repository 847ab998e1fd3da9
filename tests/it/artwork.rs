//! Artwork looked at before it is ordered: by a command, and by a run that is told to.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;

use crate::shop::{HEADER, Shop};

/// The first bytes of a PNG of 3600 by 4800 pixels.
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\x0e\x10\0\0\x12\xc0\x08\x06\0\0\0\0\0\0\0";

/// A host of files on this machine, for as long as the test program runs; gives its address.
fn host() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut lines = BufReader::new(stream.try_clone().unwrap()).lines();
            let asked = lines.next().unwrap().unwrap();
            while lines.next().is_some_and(|line| !line.unwrap().is_empty()) {}
            let (status, body): (&str, &[u8]) = match asked.split(' ').nth(1) {
                Some("/front.png") => ("200 OK", PNG),
                Some("/page.png") => ("200 OK", b"<!doctype html><title>front.png</title>"),
                _ => ("404 Not Found", b""),
            };
            let head = format!(
                "HTTP/1.1 {status}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
                body.len()
            );
            stream.write_all(head.as_bytes()).unwrap();
            stream.write_all(body).unwrap();
        }
    });
    base
}

/// A sheet of three orders: one with a picture, one with a page, one with nothing at its link.
fn sheet(base: &str) -> String {
    let row = |id: &str, file: &str| {
        format!(
            "{id},Ann Lee,,1 Elm Street,Springfield,Illinois,IL,62701,United States,US,TEE-CLASSIC-BLK-M,1,,{base}/{file}\n"
        )
    };
    [
        HEADER.to_owned() + "\n",
        row("1", "front.png"),
        row("2", "page.png"),
        row("3", "none.png"),
    ]
    .concat()
}

#[test]
fn a_check_looks_at_artwork_when_it_is_asked_to() {
    let (shop, base) = (Shop::new(), host());
    shop.write("art.csv", sheet(&base).as_bytes());
    shop.run(&["check", "art.csv"]).says(0, &["can be sent: 3"]);

    // By itself it asks no address of this machine.
    let strict = shop.run(&["check", "--preflight", "art.csv"]);
    strict.says(3, &["artwork-unreachable", "not public", "can be sent: 0"]);

    let allowed = format!("{}[preflight]\nprivate_addresses = true\n", shop.config());
    shop.write("dropsheet.toml", allowed.as_bytes());
    let looked = shop.run(&["check", "--preflight", "art.csv"]);
    looked.says(
        3,
        &[
            "N3: error[artwork-not-image]: The link of artwork_front leads to a web page",
            "N4: error[artwork-unreachable]: The artwork of artwork_front cannot be fetched: there is no such file (404)",
            "can be sent: 1",
        ],
    );
}

#[test]
fn a_run_that_is_told_to_sends_only_orders_whose_artwork_is_there() {
    let (shop, base) = (Shop::new(), host());
    let config = format!(
        "{}[preflight]\nenabled = true\nprivate_addresses = true\n",
        shop.config()
    );
    shop.write("dropsheet.toml", config.as_bytes());
    shop.write("orders/inbox/art.csv", sheet(&base).as_bytes());
    shop.run(&["run", "--once"]).says(3, &[]);
    shop.run(&["orders", "list"]).says(0, &["1 "]);
    let orders = shop.run(&["orders", "list", "--json"]);
    let orders: serde_json::Value = serde_json::from_str(&orders.out).unwrap();
    let ids: Vec<&str> = orders
        .as_array()
        .unwrap()
        .iter()
        .map(|order| order["order_id"].as_str().unwrap())
        .collect();
    assert_eq!(ids, ["1"], "{orders}");
    let to_fix = shop
        .names("orders/results")
        .into_iter()
        .filter(|name| name.ends_with(".to-fix.xlsx"));
    assert_eq!(to_fix.count(), 1);
}

#[test]
fn while_nothing_may_be_sent_no_artwork_is_fetched() {
    let (shop, base) = (Shop::new(), host());
    let config = format!(
        "{}[preflight]\nenabled = true\nprivate_addresses = true\n",
        shop.config()
    );
    shop.write("dropsheet.toml", config.as_bytes());
    shop.write("orders/STOP", b"");
    shop.write("orders/inbox/art.csv", sheet(&base).as_bytes());
    shop.run(&["run", "--once"]).says(3, &["3 waiting"]);
}
