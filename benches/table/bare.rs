//! The baselines, each this program once more: a loop that sends quote and create pairs through the same HTTP library
//! and keeps nothing; and sheets that are only read, or read and written again.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;
use std::process::Command;
use std::sync::{Arc, Mutex, PoisonError};

use calamine::{DataRef, Reader, Xlsx};
use rust_xlsxwriter::Workbook;
use serde::{Deserialize, Serialize};

use crate::Result;
use crate::process::{self, Taken};

/// Runs a baseline in a process of its own.
pub(crate) fn measure(args: &[&str]) -> Result<Taken> {
    let log = tempfile::NamedTempFile::new()?;
    let mut command = Command::new(std::env::current_exe()?);
    process::run(command.arg("bare").args(args), log.path())
}

/// What that process does.
pub(crate) fn run(args: &[String]) -> Result<()> {
    match args {
        [what, url, at_once, sheet] if what == "pairs" => {
            tokio::runtime::Runtime::new()?.block_on(pairs(url, at_once.parse()?, Path::new(sheet)))
        }
        [what, sheet] if what == "read" => rows(Path::new(sheet), &mut |_cells| Ok(())),
        [what, sheet, to] if what == "rewrite" => rewrite(Path::new(sheet), Path::new(to)),
        _ => Err(format!("no such baseline: {args:?}").into()),
    }
}

/// A line of the sheet.
#[derive(Clone, Debug, Deserialize)]
struct Line {
    order_id: String,
    shipping_name: String,
    shipping_phone: String,
    shipping_address1: String,
    shipping_city: String,
    shipping_province: String,
    shipping_province_code: String,
    shipping_zip: String,
    shipping_country: String,
    shipping_country_code: String,
    item_sku: String,
    quantity: u32,
    artwork_front: String,
}

#[derive(Serialize)]
struct Quote<'a> {
    shipping_province_code: &'a str,
    shipping_country_code: &'a str,
    order_items: Vec<Piece<'a>>,
}

#[derive(Serialize)]
struct Create<'a> {
    order_id: &'a str,
    shipping_name: &'a str,
    shipping_phone: &'a str,
    shipping_address1: &'a str,
    shipping_address2: &'a str,
    shipping_city: &'a str,
    shipping_province: &'a str,
    shipping_province_code: &'a str,
    shipping_zip: &'a str,
    shipping_country: &'a str,
    shipping_country_code: &'a str,
    order_items: Vec<Piece<'a>>,
}

#[derive(Serialize)]
struct Piece<'a> {
    made_in_location: &'a str,
    product_name: &'a str,
    item_sku: &'a str,
    quantity: u32,
    variant_note: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    artwork_front: Option<&'a str>,
}

fn item(line: &Line, artwork: bool) -> Piece<'_> {
    Piece {
        made_in_location: "",
        product_name: "Tee",
        item_sku: &line.item_sku,
        quantity: line.quantity,
        variant_note: "",
        artwork_front: artwork.then_some(&line.artwork_front),
    }
}

/// The orders of a sheet, each with its lines.
struct Orders {
    lines: csv::DeserializeRecordsIntoIter<File, Line>,
    ahead: Option<Line>,
}

impl Iterator for Orders {
    type Item = Result<Vec<Line>>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut order = Vec::from_iter(self.ahead.take());
        for line in self.lines.by_ref() {
            match line {
                Err(error) => return Some(Err(error.into())),
                Ok(line)
                    if order
                        .first()
                        .is_some_and(|first: &Line| first.order_id != line.order_id) =>
                {
                    self.ahead = Some(line);
                    return Some(Ok(order));
                }
                Ok(line) => order.push(line),
            }
        }
        (!order.is_empty()).then_some(Ok(order))
    }
}

async fn pairs(url: &str, at_once: usize, sheet: &Path) -> Result<()> {
    // No TLS is spoken, but the client wants to know with what.
    drop(rustls::crypto::ring::default_provider().install_default());
    let client = reqwest::Client::builder()
        .no_proxy()
        .tls_certs_only([])
        .pool_max_idle_per_host(at_once)
        .build()?;
    let login = br#"{"email": "shop@example.com", "password": "sandbox"}"#;
    let answer = post(&client, &format!("{url}/api/v2/auth/token"), "", login.to_vec()).await?;
    let answer: serde_json::Value = serde_json::from_slice(&answer)?;
    let token: Arc<str> = answer
        .pointer("/result/access_token")
        .and_then(|token| token.as_str())
        .ok_or("no token")?
        .into();
    let orders = Arc::new(Mutex::new(Orders {
        lines: csv::Reader::from_path(sheet)?.into_deserialize(),
        ahead: None,
    }));
    let workers = (0..at_once).map(|_| {
        let worker = pairs_of(
            client.clone(),
            url.to_owned(),
            Arc::clone(&token),
            Arc::clone(&orders),
        );
        tokio::spawn(worker)
    });
    for worker in workers.collect::<Vec<_>>() {
        worker.await??;
    }
    Ok(())
}

async fn pairs_of(
    client: reqwest::Client,
    url: String,
    token: Arc<str>,
    orders: Arc<Mutex<Orders>>,
) -> Result<()> {
    let quote = format!("{url}/api/v2/orders/calculate-price-order");
    let create = format!("{url}/api/v2/orders/create-new-order");
    loop {
        let next = orders.lock().unwrap_or_else(PoisonError::into_inner).next();
        let Some(lines) = next.transpose()? else {
            return Ok(());
        };
        let Some(first) = lines.first() else { return Ok(()) };
        let body = serde_json::to_vec(&Quote {
            shipping_province_code: &first.shipping_province_code,
            shipping_country_code: &first.shipping_country_code,
            order_items: lines.iter().map(|line| item(line, false)).collect(),
        })?;
        post(&client, &quote, &token, body).await?;
        let body = serde_json::to_vec(&Create {
            order_id: &first.order_id,
            shipping_name: &first.shipping_name,
            shipping_phone: &first.shipping_phone,
            shipping_address1: &first.shipping_address1,
            shipping_address2: "",
            shipping_city: &first.shipping_city,
            shipping_province: &first.shipping_province,
            shipping_province_code: &first.shipping_province_code,
            shipping_zip: &first.shipping_zip,
            shipping_country: &first.shipping_country,
            shipping_country_code: &first.shipping_country_code,
            order_items: lines.iter().map(|line| item(line, true)).collect(),
        })?;
        post(&client, &create, &token, body).await?;
    }
}

async fn post(client: &reqwest::Client, url: &str, token: &str, body: Vec<u8>) -> Result<Vec<u8>> {
    let mut request = client.post(url).header("content-type", "application/json");
    if !token.is_empty() {
        request = request.header("pw-access-token", token);
    }
    let answer = request.body(body).send().await?;
    let status = answer.status();
    let bytes = answer.bytes().await?;
    if status.is_success() {
        Ok(bytes.to_vec())
    } else {
        Err(format!("{url}: {status}: {}", String::from_utf8_lossy(&bytes)).into())
    }
}

/// Gives each row of a sheet as texts.
fn rows(sheet: &Path, each: &mut dyn FnMut(&[&str]) -> Result<()>) -> Result<()> {
    if sheet.extension().is_some_and(|ending| ending == "xlsx") {
        return cells(sheet, each);
    }
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_path(sheet)?;
    let mut record = csv::StringRecord::new();
    while reader.read_record(&mut record)? {
        each(&record.iter().collect::<Vec<_>>())?;
    }
    Ok(())
}

fn cells(sheet: &Path, each: &mut dyn FnMut(&[&str]) -> Result<()>) -> Result<()> {
    let mut book: Xlsx<_> = calamine::open_workbook::<Xlsx<BufReader<File>>, _>(sheet)?;
    let name = book.sheet_names().first().cloned().ok_or("no sheet")?;
    let mut reader = book.worksheet_cells_reader(&name)?;
    let (mut row, mut texts) = (0, Vec::<String>::new());
    while let Some(cell) = reader.next_cell()? {
        if cell.get_position().0 != row {
            each(&texts.iter().map(String::as_str).collect::<Vec<_>>())?;
            texts.clear();
            row = cell.get_position().0;
        }
        texts.push(match cell.get_value() {
            DataRef::SharedString(text) => (*text).to_owned(),
            value => calamine::Data::from(value.clone()).to_string(),
        });
    }
    each(&texts.iter().map(String::as_str).collect::<Vec<_>>())
}

fn rewrite(sheet: &Path, to: &Path) -> Result<()> {
    if to.extension().is_none_or(|ending| ending != "xlsx") {
        let mut writer = csv::Writer::from_path(to)?;
        rows(sheet, &mut |texts| Ok(writer.write_record(texts)?))?;
        return Ok(writer.flush()?);
    }
    let mut book = Workbook::new();
    let page = book.add_worksheet_with_constant_memory()?;
    let mut row = 0;
    rows(sheet, &mut |texts| {
        for (column, text) in (0..).zip(texts) {
            page.write_string(row, column, *text)?;
        }
        row += 1;
        Ok(())
    })?;
    Ok(book.save(to)?)
}
