//! Results written and read back: by the reader of workbooks, and by our own reader as if they were dropped again.

mod large;

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use calamine::{Data, Reader, Xlsx, open_workbook};

use super::samples::{created, finding, money, title, with_status};
use super::*;
use crate::catalog::{Entry, Snapshot};
use crate::finding::Code;
use crate::money::Money;
use crate::sheet::{Limits, Row};

const LIMITS: Limits = Limits {
    max_bytes: 1 << 20,
    max_rows: 20_000,
};

/// A title row, orders with rows apart, a blank row, a row without an id, an own column that nobody knows.
const MONDAY: &str = "\
Orders of Monday;;;;;;;;;\r
order_id;shipping_name;shipping_phone;shipping_address1;shipping_city;shipping_zip;country code;sku;qty;Colour\r
1001;Ann Example;+1 555 0100;1 Main St;Springfield;02134;US;TEE-S;1;=1+1\r
1002;Bob Example;;2 Main St;Springfield;02135;US;NONE;2;-3.50\r
;;;;;;;;;\r
1001;;;;;;;TEE-S;1;\r
;;;;Springfield;;;TEE-S;1;lost\r
1003;\"Cid\nExample\";;3 Main St;Springfield;02136;US;TEE-S;1;\r
";

struct Dropped {
    sheet: Sheet,
    layout: Layout,
    index: Index,
}

impl Dropped {
    fn source(&self) -> Source<'_> {
        Source {
            sheet: &self.sheet,
            layout: &self.layout,
            index: &self.index,
            catalog: None,
        }
    }
}

fn drop_in(path: &Path) -> Dropped {
    let folder = path.parent().unwrap();
    let name = path.file_name().unwrap().to_str().unwrap();
    let file = File::open(path).unwrap();
    let sheet = Sheet::open(file, name, LIMITS, folder, &Layout::is_header).unwrap();
    let layout = Layout::read(sheet.header()).unwrap();
    let mut index = Index::default();
    for row in rows(&sheet) {
        if row.number() > sheet.header().number() {
            index.note(&layout, &row);
        }
    }
    Dropped { sheet, layout, index }
}

fn rows(sheet: &Sheet) -> Vec<Row> {
    let mut reading = sheet.rows().unwrap();
    let mut rows = Vec::new();
    let mut row = Row::default();
    while reading.next(&mut row).unwrap() {
        rows.push(row.clone());
    }
    rows
}

fn views() -> Vec<View> {
    let mut sent = created(3, "1001");
    sent.service = Some(ServiceAmounts {
        total: money("23.50"),
        base_fee: Some(money("20.00")),
        shipping_fee: None,
        tax_fee: None,
        surcharge: None,
        discount: None,
    });
    let mut wrong = with_status(4, "1002", Status::Invalid);
    wrong.findings = vec![finding(
        Code::UnknownSku,
        4,
        Some(7),
        "`NONE` is not in the catalog.",
    )];
    let mut lost = with_status(7, "", Status::Invalid);
    lost.findings = vec![finding(Code::MissingValue, 7, Some(0), "order_id is empty.")];
    let mut quoted = created(8, "1003");
    quoted.status = Status::Held;
    quoted.pw_order_id = None;
    vec![sent, wrong, lost, quoted]
}

fn monday(folder: &Path) -> Dropped {
    let path = folder.join("monday.csv");
    crate::files::write_new(&path, MONDAY.as_bytes()).unwrap();
    drop_in(&path)
}

fn written(folder: &Path, kind: Kind, name: &str) -> (Counts, PathBuf) {
    let path = folder.join(name);
    let mut views = views().into_iter().map(Ok);
    let dropped = monday(folder);
    let counts = write(&dropped.source(), &mut views, &title(), kind, &path).unwrap();
    (counts, path)
}

/// A page as rows of cells, from A1.
fn page(path: &Path, name: &str) -> Vec<Vec<Data>> {
    let mut workbook: Xlsx<_> = open_workbook(path).unwrap();
    let range = workbook.worksheet_range(name).unwrap();
    let (height, width) = range.end().unwrap();
    let range = range.range((0, 0), (height, width));
    range.rows().map(<[Data]>::to_vec).collect()
}

fn column(results: &[Vec<Data>], header: usize, name: &str) -> Vec<Data> {
    let place = results[header]
        .iter()
        .position(|cell| *cell == Data::String(name.to_owned()))
        .unwrap();
    results[header + 1..]
        .iter()
        .map(|row| row[place].clone())
        .collect()
}

fn text(text: &str) -> Data {
    Data::String(text.to_owned())
}

fn sum(cells: &[Data]) -> Money {
    let amounts = cells.iter().filter_map(|cell| match cell {
        Data::Float(number) => Some(number.to_string().parse().unwrap()),
        Data::Int(number) => Some(number.to_string().parse().unwrap()),
        _ => None,
    });
    Money::sum(amounts).unwrap()
}

#[test]
fn the_workbook_has_the_sheet_row_for_row_and_its_result_columns_at_the_right() {
    let folder = tempfile::tempdir().unwrap();
    let (_, path) = written(folder.path(), Kind::Workbook, "a.result.xlsx");
    let results = page(&path, "Results");
    assert_eq!(results.len(), 8, "row numbers are the sheet's");
    assert_eq!(results[0][0], text("Orders of Monday"));
    let names: Vec<Data> = columns::Column::ALL
        .iter()
        .map(|column| text(column.name()))
        .collect();
    assert_eq!(results[1][10..], names);
    let own = |name| column(&results, 1, name);
    assert_eq!(
        own("shipping_zip")[0],
        text("02134"),
        "a zip keeps its zeros as text"
    );
    assert_eq!(own("shipping_phone")[0], text("+1 555 0100"));
    assert_eq!(own("Colour")[0], text("=1+1"), "text, no formula");
    assert_eq!(own("shipping_name")[5], text("Cid\nExample"));
    assert_eq!(own("qty")[0], Data::Float(1.0), "a column of pieces has a sum");
    let status = own("result_status");
    let words = ["created", "invalid", "skipped", "created", "invalid", "held"];
    for (cell, word) in status.iter().zip(words) {
        assert_eq!(cell.to_string(), word);
    }
    let message = own("result_message");
    assert_eq!(message[1], text("H4: `NONE` is not in the catalog. Fix it."));
    assert_eq!(own("result_codes")[4], text("missing-value"));
}

#[test]
fn amounts_are_numbers_that_add_up_and_dates_are_dates() {
    let folder = tempfile::tempdir().unwrap();
    let (_, path) = written(folder.path(), Kind::Workbook, "a.result.xlsx");
    let results = page(&path, "Results");
    for (name, total) in [
        ("result_quoted_total", "46.40"),
        ("result_quoted_other", "0.00"),
        ("result_quoted_shipping_discount", "-2.00"),
        ("result_line_total", "36.30"),
        ("result_service_total", "23.50"),
        ("result_difference", "0.30"),
    ] {
        assert_eq!(sum(&column(&results, 1, name)), money(total), "{name}");
    }
    let dates = column(&results, 1, "result_created_at");
    assert_eq!(
        dates[0].to_string(),
        "46347",
        "{:?}: 2026-11-21 as a date's number",
        dates[0]
    );
    assert!(matches!(dates[0], Data::DateTime(_)));
    let orders = page(&path, "Orders");
    assert_eq!(
        orders.len(),
        7,
        "a header, four orders, the totals, those that belong together"
    );
    assert_eq!(orders[5][12], Data::Float(46.4), "quoted total");
    assert_eq!(orders[5][20], Data::Float(0.3), "difference");
    assert_eq!(orders[6][0], text("of these, charged"), "one is held");
    assert_eq!(
        [12, 19, 20].map(|column: usize| orders[6][column].clone()),
        [23.2, 23.5, 0.3].map(Data::Float)
    );
    let rows: Vec<&Data> = orders[1..5].iter().map(|order| &order[0]).collect();
    assert_eq!(
        rows,
        [3.0, 4.0, 7.0, 8.0].map(Data::Float).each_ref(),
        "numbers, to be sorted by"
    );
}

#[test]
fn the_counts_tie_out_with_the_rows_of_the_sheet() {
    let folder = tempfile::tempdir().unwrap();
    let (counts, path) = written(folder.path(), Kind::Workbook, "a.result.xlsx");
    let rows = vec![
        (Status::Created, 2),
        (Status::Held, 1),
        (Status::Invalid, 2),
        // A row in which nothing stands.
        (Status::Skipped, 1),
    ];
    let orders = vec![(Status::Created, 1), (Status::Held, 1), (Status::Invalid, 2)];
    assert_eq!(
        counts,
        Counts {
            rows,
            orders,
            would_be_held: 0,
            to_fix: vec![4, 7],
            unread: None,
        }
    );
    let dropped = drop_in(&folder.path().join("monday.csv"));
    assert_eq!(
        counts.rows.iter().map(|(_, rows)| rows).sum::<u64>(),
        dropped.index.rows() + 1,
        "with the blank one"
    );
    let summary = page(&path, "Summary");
    let total = summary.iter().find(|row| row[0] == text("All rows")).unwrap();
    assert_eq!(
        total[1..4],
        [Data::Float(6.0), Data::Float(4.0), Data::Float(46.4)]
    );
    let charged = summary.iter().find(|row| row[0] == text("of these, charged"));
    assert_eq!(charged.unwrap()[3..6], [23.2, 23.5, 0.3].map(Data::Float));
    assert_eq!(
        summary[1][0],
        text(
            "4 orders in 6 rows: 1 created, 1 held, 2 invalid, 1 row skipped. Quoted 46.40, charged by the service so far 23.50. Of what is \
         quoted, this is of orders that the service does not have: 23.20 held."
        )
    );
}

#[test]
fn rows_codes_and_findings_are_the_same_number_on_every_page_and_in_separated_text() {
    let folder = tempfile::tempdir().unwrap();
    let (_, path) = written(folder.path(), Kind::Workbook, "a.result.xlsx");
    let beside = tempfile::tempdir().unwrap();
    let (_, csv) = written(beside.path(), Kind::Csv(b';'), "a.result.csv");
    let (results, findings) = (page(&path, "Results"), page(&path, "Findings"));
    let is = |cell: &Data, word: &str| *cell == text(word);
    let column = |name: &str| results[1].iter().position(|cell| is(cell, name)).unwrap();
    let (statuses, codes) = (column("result_status"), column("result_codes"));
    let of_csv = rows(&drop_in(&csv).sheet);
    let summary = page(&path, "Summary");
    let counted = |word: &str, at: usize| {
        let row = summary.iter().find(|row| is(&row[0], word));
        row.map_or(Data::Empty, |row| row[at].clone())
    };
    for status in ["created", "held", "invalid", "skipped"] {
        let rows = results[2..]
            .iter()
            .filter(|row| is(&row[statuses], status))
            .count();
        let csv = of_csv.iter().filter(|row| row.text(statuses) == status).count();
        let count = f64::from(u32::try_from(rows).unwrap());
        assert_eq!((csv, counted(status, 1)), (rows, Data::Float(count)), "{status}");
    }
    for code in ["not-to-print", "unknown-sku", "missing-value"] {
        let rows = results[2..].iter().filter(|row| is(&row[codes], code)).count();
        let csv = of_csv.iter().filter(|row| row.text(codes) == code).count();
        let found = findings[1..].iter().filter(|row| is(&row[5], code)).count();
        let count = f64::from(u32::try_from(rows).unwrap());
        assert_eq!(
            (csv, found, counted(code, 2)),
            (rows, rows, Data::Float(count)),
            "{code}"
        );
    }
    let blank = &results[4];
    assert_eq!(
        blank[column("result_message")],
        text("Not printed: the row is blank.")
    );
}

#[test]
fn the_same_result_is_the_same_bytes() {
    for kind in [Kind::Workbook, Kind::Csv(b';')] {
        let bytes = || {
            let folder = tempfile::tempdir().unwrap();
            fs::read(written(folder.path(), kind, "result").1).unwrap()
        };
        assert_eq!(bytes(), bytes(), "{kind:?}");
    }
}

#[test]
fn a_result_dropped_again_is_the_same_order_sheet() {
    for (kind, name) in [
        (Kind::Workbook, "a.result.xlsx"),
        (Kind::Csv(b';'), "a.result.csv"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let (_, path) = written(folder.path(), kind, name);
        let first = drop_in(&folder.path().join("monday.csv"));
        let again = drop_in(&path);
        assert_eq!(
            again.layout.own_columns(),
            first.layout.own_columns(),
            "result columns are ignored"
        );
        let own = |dropped: &Dropped| -> Vec<(u32, Vec<String>)> {
            let keep = |row: &Row| {
                let cells = dropped.layout.own_columns().iter();
                (
                    row.number(),
                    cells.map(|column| row.text(*column).to_owned()).collect(),
                )
            };
            rows(&dropped.sheet).iter().map(keep).collect()
        };
        assert_eq!(own(&again), own(&first), "{name}");
        for row in rows(&first.sheet).iter().skip(2) {
            let span = |dropped: &Dropped| dropped.index.span(&dropped.layout, row);
            assert_eq!(span(&again), span(&first), "row {}", row.number());
        }

        let second = folder.path().join("second");
        let mut views = views().into_iter().map(Ok);
        write(&again.source(), &mut views, &title(), kind, &second).unwrap();
        assert_eq!(
            fs::read(&second).unwrap(),
            fs::read(&path).unwrap(),
            "a result's result is itself"
        );
    }
}

#[test]
fn a_csv_result_is_marked_as_utf_8_and_its_formulas_do_not_run() {
    let folder = tempfile::tempdir().unwrap();
    let (_, path) = written(folder.path(), Kind::Csv(b';'), "a.result.csv");
    let result = fs::read_to_string(path).unwrap();
    assert!(result.starts_with("\u{feff}Orders of Monday;"));
    assert!(
        result.contains(";'=1+1;created;;;1001;PW1001;2026-11-21;;10.00;"),
        "{result}"
    );
    assert!(
        result.contains(";-3.50;invalid;"),
        "a negative number is no formula"
    );
    assert!(result.contains(";+1 555 0100;"), "a phone number neither");
}

#[test]
fn the_to_fix_sheet_has_just_the_rows_to_fix_and_can_be_dropped_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let dropped = monday(folder.path());
    let path = folder.path().join("a.to-fix.xlsx");
    let mut all = views().into_iter().map(Ok);
    assert_eq!(
        write_to_fix(&dropped.source(), &mut all, &title(), &[4, 7], &path).unwrap(),
        2
    );
    let again = drop_in(&path);
    assert_eq!(again.layout.own_columns().len(), 10);
    let ids: Vec<String> = rows(&again.sheet)
        .iter()
        .skip(1)
        .map(|row| row.text(0).to_owned())
        .collect();
    assert_eq!(ids, ["1002", ""]);
    let page = page(&path, "To fix");
    assert_eq!(page[1][5], text("02135"));
    assert_eq!(
        page[1][10..],
        [
            text("invalid"),
            text("unknown-sku"),
            text("H2: `NONE` is not in the catalog. Fix it.")
        ]
    );
}

#[test]
fn the_to_fix_sheet_offers_what_the_catalog_knows() {
    let folder = tempfile::tempdir().unwrap();
    let dropped = monday(folder.path());
    let path = folder.path().join("a.to-fix.xlsx");
    let entry = |sku: &str| Entry {
        sku: sku.to_owned(),
        product_code: "TEE".to_owned(),
        product_name: "Classic Tee".to_owned(),
        title: "Black / S".to_owned(),
        variant_id: "1".to_owned(),
    };
    let catalog = Snapshot::new(
        Timestamp::UNIX_EPOCH,
        vec![entry("NONE-S"), entry("TEE-S")],
        Vec::new(),
    );
    let source = Source {
        catalog: Some(&catalog),
        ..dropped.source()
    };
    let mut all = views().into_iter().map(Ok);
    write_to_fix(&source, &mut all, &title(), &[4, 7], &path).unwrap();
    let page = part(&path, "xl/worksheets/sheet1.xml");
    let at_sku = page
        .split("<dataValidation ")
        .find(|part| part.contains("sqref=\"H2\""))
        .unwrap();
    assert!(
        at_sku.contains("&quot;NONE-S&quot;") || at_sku.contains("\"NONE-S\""),
        "{at_sku}"
    );
    assert!(
        page.contains("Lists!$A$1:$A$"),
        "countries are offered in the whole column"
    );
    assert!(
        part(&path, "xl/comments1.xml").contains("is not in the catalog"),
        "a note says what is wrong"
    );
    let hidden = part(&path, "xl/workbook.xml");
    assert!(
        hidden.contains("name=\"Lists\" sheetId=\"2\" state=\"hidden\""),
        "{hidden}"
    );
}

/// A part of a workbook, as text.
fn part(path: &Path, name: &str) -> String {
    let mut archive = zip::ZipArchive::new(File::open(path).unwrap()).unwrap();
    std::io::read_to_string(archive.by_name(name).unwrap()).unwrap()
}

#[test]
fn money_by_country_and_by_product_adds_up_to_the_total() {
    let folder = tempfile::tempdir().unwrap();
    let (_, path) = written(folder.path(), Kind::Workbook, "a.result.xlsx");
    let summary = page(&path, "Summary");
    let row = |label: &str| {
        let found = summary.iter().find(|row| row[0] == text(label));
        found
            .unwrap_or_else(|| panic!("no {label} in {summary:?}"))
            .clone()
    };
    assert_eq!(
        row("US")[2..5],
        [Data::Float(2.0), Data::Float(46.4), Data::Float(23.5)]
    );
    // Three rows with a line's quote of 12.10 each; the held order's second line has no row.
    assert_eq!(row("TEE-S")[2..4], [Data::Float(3.0), Data::Float(36.3)]);
    assert_eq!(row("in no single line")[3], Data::Float(10.1));
    assert_eq!(row("All products")[3], Data::Float(46.4));
}

#[test]
fn without_rows_to_fix_no_to_fix_sheet_is_made() {
    let folder = tempfile::tempdir().unwrap();
    let dropped = monday(folder.path());
    let path = folder.path().join("a.to-fix.xlsx");
    let fine = |mut view: View| {
        view.status = Status::Created;
        Ok(view)
    };
    let mut views = views().into_iter().map(fine);
    assert_eq!(
        write_to_fix(&dropped.source(), &mut views, &title(), &[], &path).unwrap(),
        0
    );
    assert!(!path.exists());
}

#[test]
fn a_file_that_is_there_is_never_overwritten() {
    for kind in [Kind::Workbook, Kind::Csv(b',')] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.result");
        crate::files::write_new(&path, b"theirs").unwrap();
        let mut views = views().into_iter().map(Ok);
        let dropped = monday(folder.path());
        let refused = write(&dropped.source(), &mut views, &title(), kind, &path).unwrap_err();
        assert!(matches!(refused, ResultError::Write { .. }), "{refused:?}");
        assert_eq!(fs::read(&path).unwrap(), b"theirs");
    }
}

#[test]
fn views_that_do_not_fit_the_sheet_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let dropped = monday(folder.path());
    let attempt = |views: Vec<View>, name: &str| {
        let mut views = views.into_iter().map(Ok);
        let path = folder.path().join(name);
        write(&dropped.source(), &mut views, &title(), Kind::Workbook, &path).unwrap_err()
    };
    let mut short = views();
    short.pop();
    assert!(matches!(attempt(short, "short"), ResultError::NoOutcome(8)));
    let mut long = views();
    long.push(created(9, "1009"));
    assert!(matches!(attempt(long, "long"), ResultError::NoOutcome(9)));
}

#[test]
fn an_order_with_errors_that_a_later_sheet_has_brought_has_no_row_to_fix_and_no_step() {
    let folder = tempfile::tempdir().unwrap();
    let mut views = views();
    for wrong in [1, 2] {
        let row = views[wrong].first_row;
        views[wrong].findings.push(finding(
            Code::BroughtSince,
            row,
            None,
            "Since then tuesday has brought this order.",
        ));
    }
    let path = folder.path().join("a.result.xlsx");
    let mut views = views.into_iter().map(Ok);
    let dropped = monday(folder.path());
    let counts = write(&dropped.source(), &mut views, &title(), Kind::Workbook, &path).unwrap();
    assert_eq!(counts.to_fix, [0; 0]);
    assert!(counts.orders.contains(&(Status::Invalid, 2)), "{counts:?}");
    let said: Vec<String> = page(&path, "Summary")
        .iter()
        .map(|row| row[0].to_string())
        .collect();
    for unsaid in ["2 orders invalid", "To fix: "] {
        assert!(!said.iter().any(|said| said.starts_with(unsaid)), "{said:?}");
    }
}

#[test]
fn a_row_on_the_page_orders_is_a_number_and_a_link() {
    let folder = tempfile::tempdir().unwrap();
    let (_, path) = written(folder.path(), Kind::Workbook, "a.result.xlsx");
    assert_eq!(page(&path, "Orders")[1][0], Data::Float(3.0));
    let orders = part(&path, "xl/worksheets/sheet3.xml");
    assert!(
        orders.contains("<hyperlink ref=\"A2\" location=\"Results!A3\""),
        "{orders}"
    );
}
