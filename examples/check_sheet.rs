//! Checks an order sheet against the sandbox's catalog, with the library alone: no config, no ledger, nothing sent.
//!
//! ```text
//! cargo run --example check_sheet examples/sheets/orders.csv
//! ```

#![expect(clippy::print_stdout, reason = "an example tells what it found")]

use std::fs::File;
use std::path::PathBuf;
use std::process::ExitCode;

use dropsheet::catalog::Snapshot;
use dropsheet::check::{Limits, check};
use dropsheet::clock::Clock;
use dropsheet::import::read::{How, read};
use dropsheet::order::{Grouper, Profiles, SkuMap};
use dropsheet::sandbox;
use dropsheet::service::{Client, GetParams, Settings};
use dropsheet::sheet::{self, Row, apart};

fn main() -> anyhow::Result<ExitCode> {
    // Workbooks are read in a process of their own, which is this program once more: a hostile one costs its own sheet.
    if let Some(read) = apart::begin(std::env::args_os()) {
        return Ok(read);
    }
    tokio::runtime::Runtime::new()?.block_on(check_sheet())?;
    Ok(ExitCode::SUCCESS)
}

async fn check_sheet() -> anyhow::Result<()> {
    let path = std::env::args_os()
        .nth(1)
        .map_or_else(|| "examples/sheets/orders.csv".into(), PathBuf::from);
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let catalog = sandbox_catalog().await?;

    // The sheet is read twice and never held whole: first it is learned which rows belong together ...
    let limits = sheet::Limits {
        max_bytes: 256 << 20,
        max_rows: 1_048_576,
    };
    let how = How {
        limits,
        profiles: &Profiles::default(),
        map: &SkuMap::default(),
        order_prefix: "",
        scratch: &std::env::temp_dir(),
        early: None,
    };
    let sheet = read(File::open(&path)?, &name, how)?;
    let header = sheet.sheet.header().number();

    // ... then each order is checked as soon as its last row has come.
    let mut grouper = Grouper::new(sheet.layout, sheet.index);
    let mut rows = sheet.sheet.rows()?;
    let mut row = Row::default();
    while rows.next(&mut row)? {
        if row.number() <= header {
            continue;
        }
        let Some(draft) = grouper.push(&row) else { continue };
        let checked = check(&draft, &catalog, &Limits::default());
        let verdict = if checked.order.is_some() {
            "can be sent"
        } else {
            "cannot be sent"
        };
        println!("{}: {verdict}", draft.order_id());
        for finding in &checked.findings {
            println!("  row {}: {} {}", finding.row, finding.message, finding.hint);
        }
    }
    Ok(())
}

/// The catalog of a sandbox that runs for just as long as it is asked.
async fn sandbox_catalog() -> anyhow::Result<Snapshot> {
    let options = sandbox::Options::default();
    let (email, password) = (options.email.clone(), options.password.clone());
    let (service, clock) = (sandbox::start(options).await?, Clock::system());
    let client = Client::new(Settings {
        base_url: service.base_url(),
        email,
        password: password.into(),
        max_in_flight: 1,
        rate_limit: None,
        timeout: std::time::Duration::from_secs(10),
        get_params: GetParams::Both,
        token_file: None,
        clock: clock.clone(),
    })?;
    let entries = client.sku_catalog().await?;
    service.shutdown().await?;
    Ok(Snapshot::new(clock.now().wall, entries, Vec::new()))
}
