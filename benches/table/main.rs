//! What dropsheet adds to the service's own pace, beside a bare loop that sends the same requests: whole processes on
//! this machine, with goals beside results.
//!
//! ```text
//! cargo bench --bench table                 everything, some twenty minutes
//! cargo bench --bench table -- quick        small sheets, some three minutes
//! cargo bench --bench table -- growth       sheets of 1 000 to 1 000 000 lines
//! ```
//!
//! `DROPSHEET` names another build to measure in place of this one; `service` or `sheets` asks for half of the table.
//! Ratios are taken within one run: the bare loop goes before and after dropsheet, and a run whose two baselines differ
//! by more than 5 % is thrown away. Nothing else should be going on.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::disallowed_methods,
    clippy::as_conversions,
    clippy::cast_precision_loss,
    clippy::float_arithmetic,
    reason = "a measurement that fails may end as it likes, and its ratios are for people"
)]

mod bare;
mod growth;
mod home;
mod process;
mod sandbox;
mod service_rows;
mod sheet_rows;
mod sheets;
mod turns;

use std::error::Error;

type Result<T> = std::result::Result<T, Box<dyn Error + Send + Sync>>;

/// How large the sheets are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Size {
    /// Orders of the sheets that are sent without latency.
    pub(crate) orders: u32,
    /// Orders that are sent at 20 ms.
    pub(crate) slow_orders: u32,
    /// Orders that are sent at a limit of 50 requests in 3 seconds.
    pub(crate) limited_orders: u32,
    /// Lines of the largest sheets.
    pub(crate) lines: u32,
}

const FULL: Size = Size {
    orders: 100_000,
    slow_orders: 20_000,
    limited_orders: 2_000,
    lines: 1_000_000,
};

const QUICK: Size = Size {
    orders: 10_000,
    slow_orders: 4_000,
    limited_orders: 200,
    lines: 100_000,
};

/// A line of the table.
#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) what: String,
    pub(crate) goal: &'static str,
    pub(crate) measured: String,
}

impl Row {
    pub(crate) fn new(what: impl Into<String>, goal: &'static str, measured: impl Into<String>) -> Self {
        let row = Self {
            what: what.into(),
            goal,
            measured: measured.into(),
        };
        // A long run tells how far it is.
        eprintln!("{}: {} (goal: {})", row.what, row.measured, row.goal);
        row
    }
}

fn main() -> Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    // `cargo test --benches` only wants to know that it builds.
    if args.iter().any(|arg| arg == "--test") {
        return Ok(());
    }
    if let Some((first, rest)) = args.split_first()
        && first == "bare"
    {
        return bare::run(rest);
    }
    let asked = |word: &str| args.iter().any(|arg| arg == word);
    if asked("growth") {
        return growth::print();
    }
    let size = if asked("quick") { QUICK } else { FULL };
    let mut rows = Vec::new();
    if !asked("sheets") {
        rows.extend(service_rows::measure(size)?);
    }
    if !asked("service") {
        rows.extend(sheet_rows::measure(size)?);
    }
    println!("| what | goal | measured |\n|---|---|---|");
    for row in &rows {
        println!("| {} | {} | {} |", row.what, row.goal, row.measured);
    }
    Ok(())
}
