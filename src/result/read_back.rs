//! Results as property tests: whatever stands in a sheet, its result reads back as the same sheet, every row has exactly
//! one status, and sums tie out.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::Path;

use proptest::collection::vec;
use proptest::prelude::*;

use super::samples::{created, title, with_status};
use super::*;
use crate::money::Money;
use crate::order::{Index, Layout};
use crate::sheet::write::Writer;
use crate::sheet::{Limits, Row, Sheet};

const HEADER: [&str; 11] = [
    "order_id",
    "shipping_name",
    "shipping_address1",
    "shipping_city",
    "shipping_zip",
    "shipping_country",
    "item_sku",
    "quantity",
    "expected_total",
    "Note",
    "Colour",
];

const LIMITS: Limits = Limits {
    max_bytes: 1 << 20,
    max_rows: 1_000,
};

/// Texts that spreadsheets, separators and formulas make trouble with, and honest ones.
fn cell() -> impl Strategy<Value = String> {
    prop_oneof![
        "[ -~é€]{0,10}",
        "['=+@-]{1,2}[A-Z0-9() -]{0,6}",
        "[+]1 555 [0-9]{3} [0-9]{4}",
        "-?[0-9]{1,4}[.,][0-9]{2}",
        "0[0-9]{4}",
        "[a-z]{1,3}\n[a-z;,|]{0,3}",
        Just("\"".to_owned()),
        Just(String::new()),
    ]
}

/// Rows under [`HEADER`]: an id of a few, so that orders have several rows, and nine other cells.
fn table() -> impl Strategy<Value = Vec<Vec<String>>> {
    let row = ("[1-4]", vec(cell(), HEADER.len() - 1)).prop_map(|(id, cells)| {
        let mut row = vec![id];
        row.extend(cells);
        row
    });
    vec(row, 1..8)
}

struct Read {
    sheet: Sheet,
    layout: Layout,
    index: Index,
}

fn read(path: &Path, folder: &Path) -> Read {
    let file = File::open(path).unwrap();
    let sheet = Sheet::open(file, "a", LIMITS, folder, &Layout::is_header).unwrap();
    let layout = Layout::read(sheet.header()).unwrap();
    let mut index = Index::default();
    for row in rows(&sheet).iter().skip(1) {
        index.note(&layout, row);
    }
    Read { sheet, layout, index }
}

fn rows(sheet: &Sheet) -> Vec<Row> {
    let mut reading = sheet.rows().unwrap();
    let mut row = Row::default();
    let mut rows = Vec::new();
    while reading.next(&mut row).unwrap() {
        rows.push(row.clone());
    }
    rows
}

/// The sheet's own cells. A spreadsheet writes its numbers its own way: `01,50` stays, as text.
fn own(read: &Read) -> Vec<Vec<String>> {
    let columns = read.layout.own_columns();
    let texts = |row: &Row| {
        columns
            .iter()
            .map(|column| row.text(*column).to_owned())
            .collect()
    };
    rows(&read.sheet).iter().map(texts).collect()
}

/// A view for each order, in the order of their first rows; every second one was created.
fn views(read: &Read) -> Vec<View> {
    let mut first_rows = BTreeMap::new();
    for row in rows(&read.sheet).iter().skip(1) {
        if let Some((first, _)) = read.index.span(&read.layout, row) {
            first_rows.insert(first, row.text(0).trim().to_owned());
        }
    }
    let view = |(row, id): (u32, String)| match row % 2 {
        0 => created(row, &id),
        _ => with_status(row, &id, Status::Invalid),
    };
    first_rows.into_iter().map(view).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn a_result_reads_back_as_its_sheet_and_ties_out(
        table in table(),
        delimiter in prop::sample::select(b",;|".to_vec()),
        workbook in any::<bool>(),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("sheet.csv");
        let mut writer = Writer::new(Vec::new(), delimiter).unwrap();
        writer.row(HEADER).unwrap();
        for row in &table {
            writer.row(row.iter().map(String::as_str)).unwrap();
        }
        crate::files::write_new(&path, &writer.finish().unwrap()).unwrap();
        let sheet = read(&path, folder.path());
        let all = views(&sheet);

        let kind = if workbook { Kind::Workbook } else { Kind::Csv(delimiter) };
        let result = folder.path().join("result");
        let source = Source { sheet: &sheet.sheet, layout: &sheet.layout, index: &sheet.index, catalog: None };
        let counts = write(&source, &mut all.clone().into_iter().map(Ok), &title(), kind, &result).unwrap();

        let again = read(&result, folder.path());
        prop_assert_eq!(own(&again), own(&sheet));

        // Every row has one status; the counts and the amounts are those of the rows.
        let header = again.sheet.header();
        let column = |name: &str| (0..header.len()).find(|column| header.text(*column) == name).unwrap();
        let (status, total) = (column("result_status"), column("result_quoted_total"));
        let mut by_status: BTreeMap<String, u64> = BTreeMap::new();
        let mut sum = Money::default();
        for row in rows(&again.sheet).iter().skip(1) {
            *by_status.entry(row.text(status).to_owned()).or_default() += 1;
            if !row.text(total).is_empty() {
                sum = sum.plus(row.text(total).parse().unwrap()).unwrap();
            }
        }
        let told: BTreeMap<String, u64> =
            counts.rows.iter().map(|(status, rows)| (status.word().to_owned(), *rows)).collect();
        prop_assert_eq!(by_status, told);
        let quoted = all.iter().filter_map(|view| view.quote.as_ref());
        prop_assert_eq!(sum, Money::sum(quoted.map(|quote| quote.total)).unwrap());
    }
}
