//! The campaign from outside: the program as it is shipped, harmed by the operating system rather than by its own crash
//! points. Not part of `cargo test`, for it needs some minutes, and `strace` or root:
//!
//! ```sh
//! cargo test --test campaign -- outside short|whole [sendto]
//! cargo test --test campaign -- kills 1000 [--orders 300] [--faults 2]
//! cargo test --test campaign -- flood 10000
//! ```
//!
//! All end by comparing the service's orders with the sheets and the results: each order once, ids and totals agree.
#![cfg(test)]

#[path = "campaign/calm.rs"]
mod calm;
#[path = "campaign/flood.rs"]
mod flood;
#[path = "campaign/kills.rs"]
mod kills;
#[path = "campaign/outside.rs"]
mod outside;
#[expect(dead_code, reason = "the tests use more of it than the campaign does")]
mod world;

use kills::Plan;

/// What can be asked for.
const USAGE: &str = "expected `outside short`, `outside whole` with a part of a way's name, or `kills NUMBER` with `--orders NUMBER` of a sheet and \
                     `--faults PERCENT`, or `flood NUMBER`";

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match &arguments[..] {
        ["outside", "short"] => outside::run(false, ""),
        ["outside", "whole"] => outside::run(true, ""),
        ["outside", "whole", only] => outside::run(true, only),
        ["kills", kills, options @ ..] => plan(kills, options).run(),
        ["flood", sheets] => flood::run(sheets.parse().expect(USAGE)),
        _ => panic!("{USAGE}, not {arguments:?}"),
    }
}

fn plan(kills: &str, options: &[&str]) -> Plan {
    let mut plan = Plan::of(kills.parse().expect(USAGE));
    for option in options.chunks(2) {
        match option {
            ["--orders", orders] => plan.orders = orders.parse().expect(USAGE),
            ["--faults", percent] => plan.faults = percent.parse().expect(USAGE),
            _ => panic!("{USAGE}, not {option:?}"),
        }
    }
    plan
}
