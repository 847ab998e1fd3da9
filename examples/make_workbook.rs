//! Writes `examples/sheets/orders.xlsx`, the example order sheet that was made in a spreadsheet program: eight good
//! orders, zips as text, and one zip that the program made a number of, shown with the format `00000`.
//!
//! ```text
//! cargo run --example make_workbook
//! ```

use std::path::Path;

use rust_xlsxwriter::{Format, Workbook, Worksheet, XlsxError};

const COLUMNS: [&str; 17] = [
    "order_id",
    "shipping_name",
    "shipping_phone",
    "shipping_address1",
    "shipping_address2",
    "shipping_city",
    "shipping_province",
    "shipping_province_code",
    "shipping_zip",
    "shipping_country",
    "shipping_country_code",
    "shipping_service",
    "item_sku",
    "quantity",
    "product_name",
    "made_in_location",
    "artwork_front",
];

/// The order whose zip is a number in its cell.
const ZIP_AS_NUMBER: &str = "3002";

/// Rows as in the sheet, cells parted by `|`; rows of one order need not stand together.
const ROWS: &[&str] = &[
    "3001|Mia Example|+1 555 010 0201|31 Orchard Road||Chicago|Illinois|IL|60601|United States|US||TEE-CLASSIC-WHT-M|1|Classic Tee||https://example.com/art/lake.png",
    "3002|Noah Sample|+1 555 010 0202|8 Harbor Street|Unit 3|Boston|Massachusetts|MA|02134|United States|US||HOODIE-CLASSIC-GRY-XL|1|Classic Hoodie|US-EAST|https://example.com/art/oak.png",
    "3003|Olga Muster|+49 555 010 0203|Beispielstraße 14||Hamburg|Hamburg|HH|20095|Germany|DE||MUG-CERAMIC-WHT-15OZ|2|Ceramic Mug|EU|https://example.com/art/anchor.png",
    "3004|Paul Placeholder|+1 555 010 0204|640 Sunset Road||San Diego|California|CA|92101|United States|US|USGR|CANVAS-WRAP-12X16|1|Canvas Wrap|US-WEST|https://example.com/art/pier.png",
    "3003||||||||||||POSTER-MATTE-18X24|1|Matte Poster|EU|https://example.com/art/tide.png",
    "3005|Quinn Specimen|+44 555 010 0205|2 Sample Terrace||Edinburgh|Scotland|SCT|EH1 1YZ|United Kingdom|GB||TEE-LONG-NVY-L|1|Long Sleeve Tee|EU|https://example.com/art/hill.png",
    "3006|Rosa Example|+1 555 010 0206|17 King Street||Toronto|Ontario|ON|M5H 2N2|Canada|CA||CAP-BEANIE-BLK-OS|2|Beanie||https://example.com/art/snow.png",
    "3007|Sam Test|+61 555 010 0207|5 Placeholder Lane||Melbourne|Victoria|VIC|3000|Australia|AU||TOTE-COTTON-SND-OS|1|Cotton Tote||https://example.com/art/tram.png",
    "3008|Tess Sample|+1 555 010 0208|90 Prairie Avenue||Omaha|Nebraska|NE|68102|United States|US|US2DAYS|BLANKET-SHERPA-50X60|1|Sherpa Blanket|US-EAST|https://example.com/art/field.png",
    "3006||||||||||||STICKER-HOLO-4IN|12|Holographic Sticker||https://example.com/art/flake.png",
];

fn main() -> Result<(), XlsxError> {
    let mut workbook = Workbook::new();
    // The same bytes at every run.
    let made = rust_xlsxwriter::ExcelDateTime::from_ymd(2026, 11, 2)?;
    workbook.set_properties(&rust_xlsxwriter::DocProperties::new().set_creation_datetime(&made));
    let sheet = workbook.add_worksheet();
    sheet.set_name("Orders")?;
    write_header(sheet)?;
    for (row, line) in (1..).zip(ROWS) {
        write_row(sheet, row, line)?;
    }
    sheet.set_freeze_panes(1, 0)?;
    workbook.save(Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/sheets/orders.xlsx"))
}

fn write_header(sheet: &mut Worksheet) -> Result<(), XlsxError> {
    let bold = Format::new().set_bold();
    for (column, name) in (0..).zip(COLUMNS) {
        sheet.write_string_with_format(0, column, name, &bold)?;
        sheet.set_column_width(column, 18)?;
    }
    Ok(())
}

fn write_row(sheet: &mut Worksheet, row: u32, line: &str) -> Result<(), XlsxError> {
    let text = Format::new().set_num_format("@");
    let zip = Format::new().set_num_format("00000");
    let order_id = line.split('|').next().unwrap_or_default();
    for ((column, name), cell) in (0..).zip(COLUMNS).zip(line.split('|')) {
        match (name, cell) {
            (_, "") => continue,
            ("quantity", count) => sheet.write_number(row, column, number(count)?)?,
            ("shipping_zip", code) if order_id == ZIP_AS_NUMBER => {
                sheet.write_number_with_format(row, column, number(code)?, &zip)?
            }
            ("shipping_zip", code) => sheet.write_string_with_format(row, column, code, &text)?,
            (_, cell) => sheet.write_string(row, column, cell)?,
        };
    }
    Ok(())
}

fn number(text: &str) -> Result<u32, XlsxError> {
    let wrong = |_not_a_number| XlsxError::ParameterError(format!("`{text}` is no number"));
    text.parse().map_err(wrong)
}
