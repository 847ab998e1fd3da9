//! `dropsheet demo`: the whole job against the built-in sandbox, in a temporary folder that stays to be looked at.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use comfy_table::{Cell, Table};

use super::exit::Exit;
use super::print;
use super::work::until_told;
use crate::config::{self, Config};
use crate::daemon::{self, Report};
use crate::files;
use crate::inbox::{Folder, marker};
use crate::sandbox;

const CSV: &[u8] = include_bytes!("../../examples/sheets/orders.csv");
const WORKBOOK: &[u8] = include_bytes!("../../examples/sheets/orders.xlsx");

/// How much longer the demo's sheets are looked at than they need to be: they are whole when they are dropped.
const STABLE: Duration = Duration::from_millis(200);

pub(super) async fn run() -> anyhow::Result<Exit> {
    let folder = tempfile::Builder::new()
        .prefix("dropsheet-demo-")
        .tempdir()
        .context("cannot make a folder")?
        .keep();
    let service = sandbox::start(sandbox::Options::default())
        .await
        .context("cannot start the sandbox")?;
    print::line(&format!(
        "The sandbox answers at {}; no order leaves this machine.",
        service.base_url()
    ))?;
    let (config, inbox) = prepare(&folder, &service.base_url())?;
    print::line("Dropped orders.csv and orders.xlsx into the inbox. Checking, pricing and creating ...\n")?;
    let report = until_told(async |ending| daemon::run_once(&config, Arc::default(), &ending).await)
        .await?
        .context("the demo was stopped")?;
    let created = service.orders().len();
    service.shutdown().await.context("the sandbox did not end well")?;
    print::text(&table(&report))?;
    print::line(&format!(
        "\nThe sandbox has {created} orders now. Everything is in {}",
        inbox.root().display()
    ))?;
    print::line("Open the result sheets; fix the rows in the to-fix sheet.")?;
    Ok(Exit::Done)
}

/// A config, an inbox and the example sheets in it. The machine's variables may be set for the real work, with its service
/// and its ledger: none of them counts here.
fn prepare(folder: &Path, base_url: &str) -> anyhow::Result<(Config, Folder)> {
    let wrote = |name: &str| format!("cannot write {}", folder.join(name).display());
    let text = format!(
        "[account.main]\nbase_url = \"{base_url}\"\nemail = \"shop@example.com\"\npassword_file = \"password\"\n\n\
         [inbox.main]\npath = \"orders\"\nstable_for = \"{}ms\"\n",
        STABLE.as_millis()
    );
    files::write_new(&folder.join("dropsheet.toml"), text.as_bytes())
        .with_context(|| wrote("dropsheet.toml"))?;
    files::write_new(&folder.join("password"), b"sandbox\n").with_context(|| wrote("password"))?;
    let config = config::load_alone(&folder.join("dropsheet.toml"))?;
    let inbox = Folder::new(folder.join("orders"));
    inbox.make().with_context(|| wrote("orders"))?;
    let ledger = daemon::open_ledger(&config, "dropsheet demo")?;
    marker::write(inbox.root(), ledger.id(), "main").with_context(|| wrote("orders/.dropsheet"))?;
    files::write_new(&inbox.part("inbox").join("orders.csv"), CSV).with_context(|| wrote("orders.csv"))?;
    files::write_new(&inbox.part("inbox").join("orders.xlsx"), WORKBOOK)
        .with_context(|| wrote("orders.xlsx"))?;
    Ok((config, inbox))
}

fn table(report: &Report) -> String {
    let mut table = Table::new();
    *table.style_mut() = comfy_table::presets::UTF8_HORIZONTAL_ONLY;
    table.set_header(["sheet", "orders", "files"]);
    for sheet in &report.sheets {
        let orders: Vec<String> = sheet
            .orders
            .iter()
            .map(|(status, n)| format!("{n} {status}"))
            .collect();
        let name = |path: &Option<PathBuf>| {
            path.as_ref()
                .and_then(|p| p.file_name())
                .map(|name| format!("results/{}", name.to_string_lossy()))
        };
        let files: Vec<String> = [name(&sheet.result), name(&sheet.to_fix)]
            .into_iter()
            .flatten()
            .collect();
        table.add_row([
            Cell::new(&sheet.sheet),
            Cell::new(orders.join("\n")),
            Cell::new(files.join("\n")),
        ]);
    }
    format!("{table}\n")
}
