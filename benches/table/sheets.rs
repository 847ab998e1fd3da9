//! The sheets that are measured with: 1.6 lines an order, three orders of five with two.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use rust_xlsxwriter::Workbook;

use crate::Result;

const HEADER: [&str; 13] = [
    "order_id",
    "shipping_name",
    "shipping_phone",
    "shipping_address1",
    "shipping_city",
    "shipping_province",
    "shipping_province_code",
    "shipping_zip",
    "shipping_country",
    "shipping_country_code",
    "item_sku",
    "quantity",
    "artwork_front",
];

/// SKUs of the sandbox's catalog.
const SKUS: [&str; 5] = [
    "TEE-CLASSIC-BLK-S",
    "TEE-CLASSIC-BLK-M",
    "MUG-CERAMIC-WHT-11OZ",
    "HOODIE-CLASSIC-NVY-L",
    "POSTER-MATTE-12X18",
];

/// What the orders ask the price of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Prices {
    /// Some hundred different prices.
    Many,
    /// Half the orders ask the same price, each of the others one of its own.
    HalfSame,
}

/// Lines of this many orders.
pub(crate) fn lines(orders: u32) -> u32 {
    orders * 8 / 5
}

/// Orders that make this many lines.
pub(crate) fn orders(lines: u32) -> u32 {
    lines * 5 / 8
}

/// Writes a CSV sheet.
pub(crate) fn csv(path: &Path, orders: u32, prices: Prices) -> Result<()> {
    let mut file = BufWriter::new(File::create(path)?);
    writeln!(file, "{}", HEADER.join(","))?;
    each(orders, prices, &mut |cells| {
        Ok(writeln!(file, "{}", cells.join(","))?)
    })?;
    Ok(file.flush()?)
}

/// Writes a workbook whose texts are shared strings, as Excel writes them.
pub(crate) fn xlsx(path: &Path, orders: u32) -> Result<()> {
    let mut book = Workbook::new();
    let page = book.add_worksheet_with_low_memory()?;
    for (column, name) in (0..).zip(HEADER) {
        page.write_string(0, column, name)?;
    }
    let mut row = 0;
    each(orders, Prices::Many, &mut |cells| {
        row += 1;
        for (column, cell) in (0..).zip(cells) {
            match cell.parse::<u32>() {
                Ok(number) if column == 11 => page.write_number(row, column, number)?,
                Ok(_) | Err(_) => page.write_string(row, column, cell)?,
            };
        }
        Ok(())
    })?;
    book.save(path)?;
    Ok(())
}

fn each(orders: u32, prices: Prices, row: &mut dyn FnMut(&[String]) -> Result<()>) -> Result<()> {
    for order in 0..orders {
        let same = prices == Prices::HalfSame && order % 2 == 0;
        let lines = if prices == Prices::Many && order % 5 < 3 {
            2
        } else {
            1
        };
        for line in 0..lines {
            let n = if same {
                0
            } else {
                usize::try_from(order * 3 + line)?
            };
            let sku = SKUS.iter().cycle().nth(n % SKUS.len()).ok_or("no SKU")?;
            let quantity = match prices {
                _ if same => 1,
                Prices::Many => 1 + order % 20,
                Prices::HalfSame => 2 + order % 990,
            };
            row(&[
                format!("P{order:07}"),
                "Ada Example".to_owned(),
                "+1 555 010 0101".to_owned(),
                format!("{order} Maple Street"),
                "Columbus".to_owned(),
                "Ohio".to_owned(),
                "OH".to_owned(),
                "43004".to_owned(),
                "United States".to_owned(),
                "US".to_owned(),
                (*sku).to_owned(),
                quantity.to_string(),
                format!("https://example.com/art/{order}-{line}.png"),
            ])?;
        }
    }
    Ok(())
}
