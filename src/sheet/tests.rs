//! The sheet as its callers see it, and what they do with it in tests.

use std::io::Write;

use super::*;
use crate::finding::Code;

/// The limits of a default config.
pub(super) const LIMITS: Limits = Limits {
    max_bytes: 256 << 20,
    max_rows: 1_048_576,
};

/// A file with these bytes.
pub(super) fn file(bytes: &[u8]) -> File {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(bytes).unwrap();
    file
}

pub(super) fn has_order_id(row: &Row) -> bool {
    row.iter().any(|text| text == "order_id")
}

pub(super) fn open_within(bytes: &[u8], limits: Limits) -> Result<Sheet, Rejection> {
    let scratch = tempfile::tempdir().unwrap();
    Sheet::open(file(bytes), "orders.csv", limits, scratch.path(), &has_order_id)
}

pub(super) fn open(bytes: &[u8]) -> Result<Sheet, Rejection> {
    open_within(bytes, LIMITS)
}

/// Every row as its number and its cells, which are the same when a thread reads them ahead.
pub(super) fn rows_of(sheet: &Sheet) -> Result<Vec<(u32, Vec<String>)>, Rejection> {
    let shown = |row: &Row| (row.number(), row.iter().map(str::to_owned).collect());
    let mut rows = sheet.rows()?;
    let mut row = Row::default();
    let mut all = Vec::new();
    let ended = loop {
        match rows.next(&mut row) {
            Ok(true) => all.push(shown(&row)),
            Ok(false) => break Ok(()),
            Err(rejection) => break Err(rejection),
        }
    };
    let again = ahead::read_ahead(sheet.rows()?, |rows| {
        let mut all = Vec::new();
        while let Some(row) = rows.next_row()? {
            all.push(shown(row));
        }
        Ok(all)
    });
    let all = ended.map(|()| all);
    assert_eq!(again, all);
    all
}

/// The rows of a file that is read, as their cells joined by `/`, each behind its number.
pub(super) fn shown(bytes: &[u8]) -> Vec<String> {
    let sheet = open(bytes).unwrap();
    let rows = rows_of(&sheet).unwrap();
    rows.into_iter()
        .map(|(number, cells)| format!("{number}:{}", cells.join("/")))
        .collect()
}

/// The code with which a file is rejected, at its opening or while its rows are read.
pub(super) fn rejected(bytes: &[u8]) -> Code {
    open(bytes)
        .and_then(|sheet| rows_of(&sheet))
        .expect_err("the file should be rejected")
        .code
}

#[test]
fn an_empty_file_is_an_empty_sheet() {
    for bytes in [&b""[..], b"\xEF\xBB\xBF", b"\n\n \n"] {
        assert_eq!(rejected(bytes), Code::EmptySheet);
    }
}

#[test]
fn binary_content_is_no_sheet() {
    assert_eq!(rejected(b"order_id,a\n1,\0\x01\n"), Code::NotASheet);
    assert_eq!(rejected(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"), Code::NotASheet);
    assert_eq!(rejected(b"%PDF-1.7\n\0\xff"), Code::NotASheet);
}

#[test]
fn what_is_called_a_sheet_by_its_name_alone_is_told_what_it_is() {
    for (bytes, what) in [
        (&b"%PDF-1.7\n\0\xff"[..], "a PDF"),
        (b"%PDF-1.4 and text alone", "a PDF"),
        (b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR", "a picture (PNG)"),
        (b"\xFF\xD8\xFF\xE0\0\x10JFIF", "a picture (JPEG)"),
        (b"GIF89a\x01\0", "a picture (GIF)"),
        (b"\x1F\x8B\x08\0\0", "a packed file (gzip)"),
    ] {
        let rejection = open(bytes).unwrap_err();
        assert_eq!(rejection.code, Code::NotASheet, "{what}");
        let said = format!("The file is {what}, another kind of file than a sheet, whatever its name says.");
        assert_eq!(rejection.message, said);
        assert_eq!(
            ending(file(bytes), "orders.csv").unwrap(),
            Ending::Whole,
            "{what}"
        );
    }
}

#[test]
fn lines_that_are_quoted_as_a_whole_are_told_as_the_reason_that_there_is_no_header() {
    for text in [
        "\"order_id,name,city\"\n\"1,Ada,Albany\"\n",
        "\"order_id;name;city\";;\r\n\"1;Ada;Albany\";;\r\n",
        "\n\"order_id,\"\"name\"\",city\"\n\"1,Ada,Albany\"\n",
    ] {
        let rejection = open(text.as_bytes()).unwrap_err();
        assert_eq!(rejection.code, Code::NoHeader, "{text}");
        let line = if text.starts_with('\n') { 2 } else { 1 };
        let said = format!("line {line} stands in quotation marks as a whole");
        assert!(rejection.message.contains(&said), "{rejection}");
        assert!(rejection.hint.contains("Text to Columns"), "{rejection}");
    }
    for text in ["\"a,b,c\"\n\"1,2,3\"\n", "\"order\",\"name\"\n\"1\",\"x\"\n"] {
        let rejection = open(text.as_bytes()).unwrap_err();
        assert!(rejection.message.contains("The first row holds"), "{rejection}");
    }
}

#[test]
fn a_quotation_mark_that_is_never_closed_is_told_with_its_line() {
    for (text, line) in [
        ("order_id,a\n1,x\n2,\"Two\n3,z\n", 3),
        ("order_id,a\n1,\"x\n2,\"y\n3,\"z\n", 2),
    ] {
        let rejection = open(text.as_bytes())
            .and_then(|sheet| rows_of(&sheet))
            .unwrap_err();
        let named = format!("line {line}");
        assert!(rejection.message.contains(&named), "{rejection}");
        assert!(rejection.hint.contains("take it out"), "{rejection}");
    }
}

#[test]
fn a_file_over_the_limit_is_not_read() {
    let limits = Limits {
        max_bytes: 10,
        ..LIMITS
    };
    assert_eq!(
        open_within(b"order_id,a\n1,2\n", limits).unwrap_err().code,
        Code::SheetTooLarge
    );
}

#[test]
fn a_sheet_without_its_header_says_what_its_first_row_holds() {
    let rejection = open(b"\nname;street\nx;y\n").unwrap_err();
    assert_eq!(rejection.code, Code::NoHeader);
    assert!(
        rejection.message.contains("name, street"),
        "{}",
        rejection.message
    );
    let late = format!("{}order_id,a\n1,2\n", "x,y\n".repeat(20));
    assert_eq!(rejected(late.as_bytes()), Code::NoHeader);
    for (above, said) in [
        ("x,y\n", "first 20 rows. It stands in row 21."),
        ("\n", "first 20 rows. It stands in row 21."),
    ] {
        let late = format!("{}order_id,a\n1,2\n", above.repeat(20));
        let rejection = open(late.as_bytes()).unwrap_err();
        assert!(rejection.message.ends_with(said), "{rejection}");
    }
    let blank = format!("{}name,street\n", "\n".repeat(24));
    let rejection = open(blank.as_bytes()).unwrap_err();
    let said = "They are blank; row 25 is the first that is not, and holds: name, street.";
    assert!(rejection.message.ends_with(said), "{rejection}");
}

#[test]
fn a_sheet_is_read_any_number_of_times_at_once() {
    let sheet = open(b"order_id,a\n1,2\n3,4\n").unwrap();
    let (mut one, mut other) = (sheet.rows().unwrap(), sheet.rows().unwrap());
    let mut row = Row::default();
    assert!(one.next(&mut row).unwrap() && one.next(&mut row).unwrap());
    assert!(other.next(&mut row).unwrap());
    assert_eq!(row.text(0), "order_id");
    assert!(one.next(&mut row).unwrap());
    assert_eq!(row.text(0), "3");
    assert!(!one.next(&mut row).unwrap());
}

#[test]
fn a_file_is_whole_when_its_end_is_there() {
    let (whole, doubtful, missing) = (Ending::Whole, Ending::Doubtful, Ending::Missing);
    let in_quotes = |line| Ending::InQuotes { line };
    for (name, bytes, expected) in [
        ("a.csv", &b"order_id,a\n1,\"x"[..], in_quotes(2)),
        ("a.csv", b"order_id,a\r\n1,x\r\n2,\"y\r\n3,z\r\n", in_quotes(3)),
        ("a.csv", b"order_id,a\r1,x\r2,\"y\r3,z\r", in_quotes(3)),
        ("a.csv", b"order_id,a\n1,\"x\"\n", whole),
        ("a.csv", b"order_id;a\n1;\"x", in_quotes(2)),
        ("a.csv", b"order_id,a\n1,5\" x", whole),
        ("a.txt", b"order-id\tname\n1\t\"x", whole),
        ("a.tsv", b"order_id\n\"1", whole),
        ("a.xlsx", b"PK\x03\x04 and no more", missing),
        ("a.csv", b"", whole),
        // A copy that has stalled amid a row.
        ("a.csv", b"order_id,a,b\n1001,x,y\n1002,x", doubtful),
        ("a.csv", b"order_id,a,b\n1001,x,y\n10", doubtful),
        ("a.csv", b"order_id;a;b\r\n1001;\"x;x\";y\r\n1002;\"x\"", doubtful),
        ("a.csv", b"order_id,a,b\n1001,x,y\n1002,x,y", whole),
        ("a.csv", b"order_id,a,b\n1001,x,y\n1002,x\n", whole),
        ("a.csv", b"order_id,a,b\n1001,x,y\nTotal", whole),
        ("a.csv", b"order_id,a,b", whole),
        (
            "a.csv",
            b"order_id,a,b\n1001,\"12\"\" tall, blue\",1\n1002,Mug,1",
            whole,
        ),
        (
            "a.csv",
            b"order_id,a,b\n1001,12 Main St, Apt 4,1\n1002,5 Oak,1",
            whole,
        ),
        ("a.csv", b"order_id,a,b\n1001,x\n1002,x", whole),
        (
            "a.csv",
            b"\"order_id\",\"a\"\n\"1001\",\"x\"\n\"Thank you\"",
            whole,
        ),
    ] {
        let found = ending(file(bytes), name).unwrap();
        assert_eq!(found, expected, "{}", String::from_utf8_lossy(bytes));
    }
}
