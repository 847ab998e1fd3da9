//! What orders cost on their way to the service.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::home::Home;
use crate::process::{self, Taken};
use crate::sandbox::{Calls, Sandbox};
use crate::sheets::{self, Prices};
use crate::turns::between;
use crate::{Result, Row, Size, bare};

/// Requests that a limit of 50 in 3 seconds lets through in one second.
const CEILING: f64 = 50.0 / 3.0;

/// So that dropsheet sends what the bare loop sends: the price of each order is asked.
const EACH_PRICE: &str = "quote_reuse = \"0s\"";

/// What dropsheet took and asked.
struct Ours {
    taken: Taken,
    calls: Calls,
    commits: u64,
}

/// What stands in a config, and how the service behaves.
struct Case<'a> {
    sandbox: &'a [&'a str],
    account: &'a str,
    inbox: &'a str,
    sheet: &'a Path,
    orders: u32,
}

impl Case<'_> {
    fn ours(&self) -> Result<Ours> {
        let sandbox = Sandbox::start(self.sandbox)?;
        let home = Home::new(&sandbox.url, self.account, self.inbox)?;
        let taken = home.drop_sheet(self.sheet, "orders.csv")?;
        let calls = sandbox.calls()?;
        let created = calls.of("create-new-order");
        if created < u64::from(self.orders) {
            return Err(format!("{created} of {} orders were created", self.orders).into());
        }
        Ok(Ours {
            taken,
            calls,
            commits: home.commits()?,
        })
    }

    fn bare(&self, at_once: &str) -> Result<Taken> {
        let sandbox = Sandbox::start(self.sandbox)?;
        let sheet = self.sheet.to_string_lossy();
        bare::measure(&["pairs", &sandbox.url, at_once, &sheet])
    }

    /// Beside the bare loop with as many requests under way: the rows of pace and of processor time.
    fn beside_bare(
        &self,
        at_once: &str,
        (how, goal): (&str, &'static str),
        rows: &mut Vec<Row>,
    ) -> Result<Ours> {
        let found = between(&mut || self.bare(at_once), &mut || self.ours())?;
        let orders = f64::from(self.orders);
        let (a_second, bare) = (orders / found.ours.taken.seconds(), orders / found.bare());
        rows.push(Row::new(
            format!(
                "{} orders, {how}, {at_once} in flight: orders a second ÷ bare loop",
                self.orders
            ),
            goal,
            format!(
                "{:.2} ({a_second:.0} ÷ {bare:.0}){}",
                a_second / bare,
                found.doubt()
            ),
        ));
        rows.push(cpu(
            "the same: processor time an order ÷ a bare pair",
            &found.ours,
            found.bare_cpu(),
            orders,
        ));
        Ok(found.ours)
    }
}

pub(crate) fn measure(size: Size) -> Result<Vec<Row>> {
    let folder = tempfile::tempdir()?;
    let sheet = |name: &str, orders, prices| -> Result<PathBuf> {
        let path = folder.path().join(name);
        sheets::csv(&path, orders, prices)?;
        Ok(path)
    };
    let mut rows = Vec::new();
    slow(
        size,
        &sheet("slow.csv", size.slow_orders, Prices::Many)?,
        &mut rows,
    )?;
    quick(size, &sheet("quick.csv", size.orders, Prices::Many)?, &mut rows)?;
    let limited = sheet("limited.csv", size.limited_orders, Prices::Many)?;
    limits(size, &limited, &mut rows)?;
    reuse(
        &sheet("reuse.csv", size.slow_orders, Prices::HalfSame)?,
        size.slow_orders,
        &mut rows,
    )?;
    Ok(rows)
}

/// With the latency of a service that is some way off.
fn slow(size: Size, sheet: &Path, rows: &mut Vec<Row>) -> Result<()> {
    let case = Case {
        sandbox: &["--latency", "20ms"],
        account: &format!("max_in_flight = 32\n{EACH_PRICE}"),
        inbox: "",
        sheet,
        orders: size.slow_orders,
    };
    let ours = case.beside_bare("32", ("service at 20 ms", "≥ 0.97"), rows)?;
    rows.push(Row::new(
        "the same: durable commits an order",
        "≤ 0.25",
        format!("{:.2}", ours.commits as f64 / f64::from(case.orders)),
    ));
    // The result is nearly all of what follows the last create: in the format of its sheet it is quickly written.
    let case = Case {
        inbox: "result_format = \"same\"",
        ..case
    };
    case.beside_bare("32", ("service at 20 ms, a CSV result", "≥ 0.97"), rows)?;
    rows.push(python(&case)?);
    Ok(())
}

/// Without latency: what the machine can do.
fn quick(size: Size, sheet: &Path, rows: &mut Vec<Row>) -> Result<()> {
    let case = Case {
        sandbox: &[],
        account: &format!("max_in_flight = 128\n{EACH_PRICE}"),
        inbox: "",
        sheet,
        orders: size.orders,
    };
    let ours = case.beside_bare("128", ("no latency", "≥ 0.60"), rows)?;
    rows.push(Row::new(
        format!("the same: peak memory, {} lines CSV", sheets::lines(size.orders)),
        "≤ 48 MB",
        ours.taken.megabytes(),
    ));
    Ok(())
}

fn cpu(what: &str, ours: &Ours, bare: f64, orders: f64) -> Row {
    let micros = |seconds: f64| seconds * 1e6 / orders;
    let ours = ours.taken.cpu.as_secs_f64();
    Row::new(
        what,
        "≤ 1.8",
        format!(
            "{:.2} ({:.0} ÷ {:.0} µs)",
            ours / bare,
            micros(ours),
            micros(bare)
        ),
    )
}

/// At a limit, told and not told.
fn limits(size: Size, sheet: &Path, rows: &mut Vec<Row>) -> Result<()> {
    let told = [
        (
            format!("rate_limit = \"50/3s\"\n{EACH_PRICE}"),
            "told by config",
            "≥ 0.97, no 429",
        ),
        (EACH_PRICE.to_owned(), "not told", "≥ 0.90, ≤ 1 % 429"),
    ];
    for (account, how, goal) in told {
        let ours = Case {
            sandbox: &["--limit", "50/3s"],
            account: &account,
            inbox: "",
            sheet,
            orders: size.limited_orders,
        }
        .ours()?;
        // What is in the limit's first moment is not its pace.
        let requests = ours.calls.of_orders() as f64;
        let a_second = (requests - 50.0).max(1.0) / ours.taken.seconds();
        let too_many = ours.calls.too_many();
        rows.push(Row::new(
            format!(
                "{} orders at a limit of 50 requests in 3 s, {how}: pace ÷ ceiling",
                size.limited_orders
            ),
            goal,
            format!(
                "{:.2}, {too_many} of {requests:.0} answered 429 ({:.1} s)",
                a_second / CEILING,
                ours.calls.creating()
            ),
        ));
    }
    Ok(())
}

/// Half the orders ask the same price.
fn reuse(sheet: &Path, orders: u32, rows: &mut Vec<Row>) -> Result<()> {
    let ours = Case {
        sandbox: &[],
        account: "max_in_flight = 32",
        inbox: "",
        sheet,
        orders,
    }
    .ours()?;
    rows.push(Row::new(
        "half the orders ask the same price: requests an order",
        "≤ 1.6",
        format!("{:.2}", ours.calls.of_orders() as f64 / f64::from(orders)),
    ));
    Ok(())
}

/// A script as an honest user would write it; its Python is `PYTHON`, else `python3`.
fn python(case: &Case<'_>) -> Result<Row> {
    let python = std::env::var("PYTHON").unwrap_or_else(|_unset| "python3".to_owned());
    let what = format!(
        "{} orders at 20 ms: an asyncio script with its own SQLite ledger",
        case.orders
    );
    let has_it = Command::new(&python).args(["-c", "import aiohttp"]).output();
    if !has_it.is_ok_and(|asked| asked.status.success()) {
        return Ok(Row::new(
            what,
            "for scale",
            format!("not measured: `{python}` has no aiohttp"),
        ));
    }
    let sandbox = Sandbox::start(case.sandbox)?;
    let folder = tempfile::tempdir()?;
    let mut command = Command::new(python);
    command
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/baseline.py"))
        .args([&sandbox.url, "32"])
        .arg(case.sheet)
        .arg(folder.path().join("ledger.db"));
    let taken = process::run(&mut command, &folder.path().join("log"))?;
    let orders = f64::from(case.orders);
    Ok(Row::new(
        what,
        "for scale",
        format!(
            "{:.0} orders a second, {:.0} µs of processor an order, {}",
            orders / taken.seconds(),
            taken.cpu.as_secs_f64() * 1e6 / orders,
            taken.megabytes()
        ),
    ))
}
