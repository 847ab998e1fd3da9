//! The campaign from outside: the program as it is shipped, harmed by the operating system rather than by its own crash
//! points. Not part of `cargo test`, for it needs some minutes, and `strace` or root:
//!
//! ```sh
//! cargo test --test campaign -- outside short|whole
//! cargo test --test campaign -- kills 1000
//! cargo test --test campaign -- flood 10000
//! ```
//!
//! All end by comparing the service's orders with the sheets and the results: each order once, ids and totals agree.
#![cfg(test)]

#[path = "campaign/flood.rs"]
mod flood;
#[path = "campaign/kills.rs"]
mod kills;
#[path = "campaign/outside.rs"]
mod outside;
#[expect(dead_code, reason = "the tests use more of it than the campaign does")]
mod world;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["outside", "short"] => outside::run(false),
        ["outside", "whole"] => outside::run(true),
        ["kills", times] => kills::run(times.parse().expect("a number of kills")),
        ["flood", sheets] => flood::run(sheets.parse().expect("a number of sheets")),
        _ => panic!(
            "expected `outside short`, `outside whole`, `kills NUMBER` or `flood NUMBER`, not {arguments:?}"
        ),
    }
}
