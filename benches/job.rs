//! The main job as a user would time it: whole processes against the sandbox on this machine, nothing else going on.
//!
//! `cargo bench --bench job` prints a table with what is asked of each row beside what was measured.

#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a measurement that fails may end as it likes"
)]

use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const DROPSHEET: &str = env!("CARGO_BIN_EXE_dropsheet");

/// The columns of the sheets that are made.
const HEADER: &str = "order_id,shipping_name,shipping_phone,shipping_address1,shipping_city,shipping_province,\
shipping_province_code,shipping_zip,shipping_country,shipping_country_code,item_sku,quantity,artwork_front\n";

/// SKUs of the sandbox's catalog.
const SKUS: [&str; 5] = [
    "TEE-CLASSIC-BLK-S",
    "TEE-CLASSIC-BLK-M",
    "MUG-CERAMIC-WHT-11OZ",
    "HOODIE-CLASSIC-NVY-L",
    "POSTER-MATTE-12X18",
];

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// What a process took.
struct Taken {
    time: Duration,
    peak_mb: u64,
}

fn main() -> Result<()> {
    // `cargo test --benches` only wants to know that it builds.
    if std::env::args().any(|arg| arg == "--test") {
        return Ok(());
    }
    let home = tempfile::tempdir()?;
    let (mut sandbox, url) = sandbox()?;
    let measured = measure(home.path(), &url);
    sandbox.kill()?;
    sandbox.wait()?;
    print(&measured?);
    Ok(())
}

fn measure(home: &Path, url: &str) -> Result<Vec<[String; 3]>> {
    let config = format!(
        "[account.main]\nbase_url = \"{url}\"\nemail = \"shop@example.com\"\npassword_file = \"password\"\n\
         max_in_flight = 32\n[inbox.main]\npath = \"orders\"\nstable_for = \"1ms\"\n"
    );
    fs::write(home.join("dropsheet.toml"), config)?;
    fs::write(home.join("password"), "sandbox")?;
    run(home, &["init"])?;
    let inbox = home.join("orders/inbox");
    let sheet = sheet(10_000);
    let mut rows = Vec::new();

    fs::write(inbox.join("first.csv"), &sheet)?;
    let first = run(home, &["run", "--once"])?;
    let a_second = 10_000_000 / first.time.as_millis().max(1);
    rows.push(row(
        "10 000 orders (16 000 lines), created: orders a second",
        "at least 3 000",
        &a_second.to_string(),
    ));
    rows.push(row(
        "the same: peak memory, MB",
        "under 64",
        &first.peak_mb.to_string(),
    ));

    fs::write(inbox.join("again.csv"), &sheet)?;
    let again = run(home, &["run", "--once"])?;
    rows.push(row(
        "the same sheet dropped again: seconds",
        "under 1",
        &seconds(again.time),
    ));

    fs::write(home.join("large.csv"), self::sheet(62_500))?;
    run(home, &["catalog", "refresh"])?;
    let check = run(home, &["check", "large.csv"])?;
    rows.push(row(
        "check of 100 000 rows: seconds",
        "under 1",
        &seconds(check.time),
    ));
    rows.push(row("the same: peak memory, MB", "", &check.peak_mb.to_string()));

    let binary = fs::metadata(DROPSHEET)?.len() / 1_000_000;
    rows.push(row("the program: MB", "under 30", &binary.to_string()));
    Ok(rows)
}

fn row(what: &str, asked: &str, measured: &str) -> [String; 3] {
    [what.to_owned(), asked.to_owned(), measured.to_owned()]
}

fn seconds(time: Duration) -> String {
    format!("{}.{:02}", time.as_secs(), time.subsec_millis() / 10)
}

fn print(rows: &[[String; 3]]) {
    println!("| what | asked | measured |\n|---|---|---|");
    for [what, asked, measured] in rows {
        println!("| {what} | {asked} | {measured} |");
    }
}

/// Orders of one and two lines, three of five with two: 1.6 lines an order.
fn sheet(orders: usize) -> String {
    let mut text = HEADER.to_owned();
    for order in 0..orders {
        for line in 0..=usize::from(order % 5 < 3) {
            let sku = SKUS[(order * 3 + line) % SKUS.len()];
            let quantity = 1 + order % 20;
            writeln!(
                text,
                "P{order:07},Ada Example,+1 555 010 0101,{order} Maple Street,Columbus,Ohio,OH,43004,United States,US,\
                 {sku},{quantity},https://example.com/art/{order}-{line}.png"
            )
            .expect("a String takes every write");
        }
    }
    text
}

fn sandbox() -> Result<(Child, String)> {
    let mut child = Command::new(DROPSHEET)
        .args(["sandbox", "--listen", "127.0.0.1:0"])
        .stdout(Stdio::piped())
        .spawn()?;
    let mut line = String::new();
    BufReader::new(child.stdout.take().ok_or("no output")?).read_line(&mut line)?;
    let url = line
        .split_whitespace()
        .last()
        .ok_or("the sandbox says no address")?
        .to_owned();
    Ok((child, url))
}

/// Runs a command to its end, and watches its memory meanwhile.
fn run(home: &Path, args: &[&str]) -> Result<Taken> {
    let start = Instant::now();
    let mut child = Command::new(DROPSHEET)
        .args(args)
        .current_dir(home)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    let status = format!("/proc/{}/status", child.id());
    let mut peak_mb = 0;
    loop {
        if let Some(ended) = child.try_wait()? {
            if !ended.success() {
                return Err(format!("dropsheet {args:?} ended with {ended}").into());
            }
            return Ok(Taken {
                time: start.elapsed(),
                peak_mb,
            });
        }
        let peak = fs::read_to_string(&status).unwrap_or_default();
        let line = peak.lines().find(|line| line.starts_with("VmHWM:"));
        let kb: Option<u64> = line.and_then(|line| line.split_whitespace().nth(1)?.parse().ok());
        peak_mb = peak_mb.max(kb.unwrap_or(0) / 1000);
        std::thread::park_timeout(Duration::from_millis(5));
    }
}
