//! Workbooks as people have them, and as nobody should send them.

use std::io::{Cursor, Write};

use rust_xlsxwriter::{Format as Style, Formula, Workbook as Writer};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::super::tests::{LIMITS, open, open_within, rejected, rows_of, shown};
use super::super::{CellKind, Format, Limits, Row};
use crate::finding::Code;

const CONTENT_TYPES: &str = r#"<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>"#;
const ROOT_RELS: &str = r#"<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>"#;
const BOOK: &str = r#"<?xml version="1.0"?><workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="Orders" sheetId="1" r:id="rId1"/></sheets></workbook>"#;
const BOOK_RELS: &str = r#"<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>"#;
const HEADER: &str = r#"<row r="1"><c r="A1" t="str"><v>order_id</v></c><c r="B1" t="str"><v>b</v></c><c r="C1" t="str"><v>c</v></c></row>"#;

/// An archive of these parts.
fn archive(parts: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in parts {
        zip.start_file(*name, SimpleFileOptions::default()).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

/// A workbook of one sheet, given as its XML, and further parts.
fn book_with(sheet: &str, more: &[(&str, &[u8])]) -> Vec<u8> {
    let mut parts: Vec<(&str, &[u8])> = vec![
        ("[Content_Types].xml", CONTENT_TYPES.as_bytes()),
        ("_rels/.rels", ROOT_RELS.as_bytes()),
        ("xl/workbook.xml", BOOK.as_bytes()),
        ("xl/_rels/workbook.xml.rels", BOOK_RELS.as_bytes()),
        ("xl/worksheets/sheet1.xml", sheet.as_bytes()),
    ];
    parts.extend(more);
    archive(&parts)
}

fn sheet_xml(rows: &str) -> String {
    format!(r#"<?xml version="1.0"?><worksheet><sheetData>{HEADER}{rows}</sheetData></worksheet>"#)
}

fn book(rows: &str) -> Vec<u8> {
    book_with(&sheet_xml(rows), &[])
}

/// The kinds of a row's cells, the rows counted from 1.
fn kinds(bytes: &[u8], number: u32) -> Vec<(String, CellKind)> {
    let sheet = open(bytes).unwrap();
    let mut rows = sheet.rows().unwrap();
    let mut row = Row::default();
    while rows.next(&mut row).unwrap() {
        if row.number() == number {
            return (0..row.len())
                .map(|n| (row.text(n).to_owned(), row.kind(n)))
                .collect();
        }
    }
    panic!("there is no row {number}");
}

#[test]
fn cells_have_the_text_that_a_spreadsheet_shows() {
    let mut writer = Writer::new();
    let sheet = writer.add_worksheet();
    sheet.write(0, 0, "Orders of May").unwrap();
    sheet.write(2, 0, "order_id").unwrap();
    sheet.write(2, 3, "zip").unwrap();
    sheet.write(4, 0, 1001).unwrap();
    sheet.write(4, 1, 12.5).unwrap();
    sheet.write(4, 2, true).unwrap();
    sheet
        .write_with_format(4, 3, 2134, &Style::new().set_num_format("00000"))
        .unwrap();
    sheet
        .write_with_format(4, 4, 46347, &Style::new().set_num_format("yyyy-mm-dd"))
        .unwrap();
    sheet.write(4, 5, 12_345_678_901_234_567_f64).unwrap();
    sheet.write(4, 6, "a\r\nb").unwrap();
    sheet
        .write_with_format(5, 0, "", &Style::new().set_bold())
        .unwrap();
    let bytes = writer.save_to_buffer().unwrap();
    assert_eq!(open(&bytes).unwrap().format(), Format::Workbook);
    assert_eq!(open(&bytes).unwrap().header().number(), 3);
    assert_eq!(
        shown(&bytes)[..4],
        ["1:Orders of May", "2:", "3:order_id///zip", "4:"].map(str::to_owned)
    );
    let expected = [
        ("1001", CellKind::Number),
        ("12.5", CellKind::Number),
        ("TRUE", CellKind::Bool),
        ("02134", CellKind::Number),
        ("2026-11-21", CellKind::Date),
        ("12345678901234568", CellKind::LostDigits),
        ("a\nb", CellKind::Text),
    ];
    assert_eq!(
        kinds(&bytes, 5),
        expected.map(|(text, kind)| (text.to_owned(), kind))
    );
    assert_eq!(
        shown(&bytes).len(),
        5,
        "a row of blank cells at the end is not given"
    );
}

#[test]
fn the_first_visible_sheet_with_the_header_is_read() {
    let mut writer = Writer::new();
    writer.add_worksheet().write(0, 0, "Notes").unwrap();
    let hidden = writer.add_worksheet();
    hidden.write(0, 0, "order_id").unwrap();
    hidden.write(1, 0, "hidden").unwrap();
    hidden.set_hidden(true);
    for name in ["first", "second"] {
        let sheet = writer.add_worksheet();
        sheet.write(0, 0, "order_id").unwrap();
        sheet.write(1, 0, name).unwrap();
    }
    assert_eq!(
        shown(&writer.save_to_buffer().unwrap()),
        ["1:order_id", "2:first"]
    );
}

#[test]
fn sheets_beside_the_one_that_is_read_are_named_where_they_have_text() {
    let mut writer = Writer::new();
    writer.add_worksheet().write(0, 0, "Notes").unwrap();
    for (name, header) in [("Mon", 0), ("Costs", 40), ("Tue", 2)] {
        let sheet = writer.add_worksheet().set_name(name).unwrap();
        sheet.write(header, 0, "order_id").unwrap();
        for row in header + 1..header + 40 {
            sheet.write(row, 0, format!("{name} {row}")).unwrap();
        }
    }
    let hidden = writer.add_worksheet();
    hidden.write(0, 0, "order_id").unwrap();
    hidden.set_hidden(true);
    let sheet = open(&writer.save_to_buffer().unwrap()).unwrap();
    let tabs = sheet.tabs();
    assert_eq!(tabs.read, "Mon");
    let others: Vec<(&str, u32, usize)> = tabs
        .others
        .iter()
        .map(|tab| (tab.name.as_str(), tab.rows[0].number(), tab.rows.len()))
        .collect();
    assert_eq!(
        others,
        [("Sheet1", 1, 1), ("Tue", 3, 19)],
        "of its rows the first 21 are looked at"
    );
    assert_eq!(
        rows_of(&sheet).unwrap().len(),
        40,
        "the one that is read is read whole"
    );
}

#[test]
fn a_broken_sheet_behind_the_one_that_is_read_is_no_fault_of_it() {
    let two = BOOK.replace(
        "</sheets>",
        r#"<sheet name="Old" sheetId="2" r:id="rId2"/></sheets>"#,
    );
    let rels = BOOK_RELS.replace(
        "</Relationships>",
        r#"<Relationship Id="rId2" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet2.xml"/></Relationships>"#,
    );
    let good = sheet_xml(r#"<row r="2"><c r="A2" t="str"><v>1001</v></c></row>"#);
    let bytes = archive(&[
        ("[Content_Types].xml", CONTENT_TYPES.as_bytes()),
        ("_rels/.rels", ROOT_RELS.as_bytes()),
        ("xl/workbook.xml", two.as_bytes()),
        ("xl/_rels/workbook.xml.rels", rels.as_bytes()),
        ("xl/worksheets/sheet1.xml", good.as_bytes()),
        (
            "xl/worksheets/sheet2.xml",
            b"<worksheet><sheetData><row r='1'><c r='A1'",
        ),
    ]);
    assert_eq!(shown(&bytes), ["1:order_id/b/c", "2:1001"]);
}

#[test]
fn a_workbook_without_the_header_says_what_it_holds() {
    let mut writer = Writer::new();
    writer.add_worksheet();
    assert_eq!(rejected(&writer.save_to_buffer().unwrap()), Code::EmptySheet);
    let mut writer = Writer::new();
    let sheet = writer.add_worksheet();
    sheet.write(3, 0, "name").unwrap();
    sheet.write(20, 0, "order_id").unwrap();
    let rejection = open(&writer.save_to_buffer().unwrap()).unwrap_err();
    assert_eq!(rejection.code, Code::NoHeader);
    assert!(
        rejection.message.contains("holds: name."),
        "{}",
        rejection.message
    );
}

#[test]
fn a_workbook_whose_header_is_too_far_down_is_not_empty() {
    // The first sheet has nothing but a colour.
    let mut writer = Writer::new();
    writer
        .add_worksheet()
        .write_blank(30, 0, &Style::new().set_bold())
        .unwrap();
    let sheet = writer.add_worksheet();
    sheet.write(20, 0, "order_id").unwrap();
    sheet.write(21, 0, 1001).unwrap();
    let rejection = open(&writer.save_to_buffer().unwrap()).unwrap_err();
    assert_eq!(rejection.code, Code::NoHeader);
    assert!(
        rejection.message.ends_with("first 20 rows. It stands in row 21."),
        "{rejection}"
    );
}

#[test]
fn a_formula_has_its_stored_value_or_none() {
    let mut writer = Writer::new();
    let sheet = writer.add_worksheet();
    sheet.write(0, 0, "order_id").unwrap();
    sheet
        .write_formula(1, 0, Formula::new("=1+1").set_result("2"))
        .unwrap();
    assert_eq!(shown(&writer.save_to_buffer().unwrap())[1], "2:2");
    let stored =
        book(r#"<row r="2"><c r="A2"><f>B9</f><v></v></c><c r="B2" s="1"/><c r="C2"><f>1+1</f></c></row>"#);
    let none = (String::new(), CellKind::NoValue);
    let blank = (String::new(), CellKind::Blank);
    assert_eq!(kinds(&stored, 2), [none.clone(), blank, none]);
    let empty_text =
        book(r#"<row r="2"><c r="A2" t="str"><v>x</v></c><c r="B2" t="str"><f>""</f><v></v></c></row>"#);
    assert!(
        kinds(&empty_text, 2)
            .iter()
            .all(|(_, kind)| *kind != CellKind::NoValue)
    );
}

#[test]
fn an_error_cell_is_told_where_it_stands() {
    let bytes = book(concat!(
        r##"<row r="2"><c r="A2" t="e"><v>#N/A</v></c><c r="B2" t="e"><v>#SPILL!</v></c><c r="C2"><v>1</v></c></row>"##,
        r##"<row r="3"><c r="A3"><v>3</v></c><c r="B3"><v>1</v></c><c r="C3" t="e"><v>#CALC!</v></c></row>"##,
        r##"<row r="4"><c r="A4" t="e"><v>#FIELD!</v></c><c r="B4" t="e"><v>#SPILL!</v></c><c r="C4"><v>1</v></c></row>"##,
        r##"<row r="5"><c r="A5"><v>5</v></c><c r="C5" t="e"><v>#BLOCKED!</v></c></row>"##,
    ));
    assert_eq!(
        shown(&bytes)[1..],
        [
            "2:#N/A/#SPILL!/1",
            "3:3/1/#CALC!",
            "4:#FIELD!/#SPILL!/1",
            // The reader does not say which of the two it is, so that neither passes for blank.
            "5:5/#BLOCKED!/#BLOCKED!",
        ]
    );
    assert_eq!(kinds(&bytes, 4)[0].1, CellKind::Error);
}

#[test]
fn an_error_without_a_place_is_refused() {
    let bytes = book(r#"<row><c t="str"><v>1</v></c><c t="e"><v>#SPILL!</v></c><c><v>1</v></c></row>"#);
    assert_eq!(rejected(&bytes), Code::BrokenSheet);
}

#[test]
fn other_archives_and_workbooks_are_no_sheets() {
    assert_eq!(
        rejected(b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1 and so on"),
        Code::BrokenSheet
    );
    for name in ["readme.txt", "xl/workbook.bin", "Index/Document.iwa"] {
        assert_eq!(rejected(&archive(&[(name, b"x")])), Code::NotASheet, "{name}");
    }
    assert_eq!(rejected(b"PK\x03\x04 and no more"), Code::IncompleteSheet);
    assert_eq!(
        rejected(&archive(&[("[Content_Types].xml", b"x")])),
        Code::BrokenSheet
    );
}

#[test]
fn far_cells_are_refused_without_room_for_all_between() {
    let far = book(r#"<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>"#);
    assert_eq!(rejected(&far), Code::TooManyColumns);
    let low = book(r#"<row r="1048576"><c r="A1048576"><v>1</v></c></row>"#);
    let sheet = open(&low).unwrap();
    let mut rows = sheet.rows().unwrap();
    let mut row = Row::default();
    let mut count = 0;
    while rows.next(&mut row).unwrap() {
        count += 1;
    }
    assert_eq!((count, row.number(), row.text(0)), (1_048_576, 1_048_576, "1"));
    let lower = book(r#"<row r="1048577"><c r="A1048577"><v>1</v></c></row>"#);
    assert_eq!(rejected(&lower), Code::TooManyRows);
}

#[test]
fn places_that_cannot_be_are_refused() {
    for cell in [
        r#"r="A99999999999""#,
        r#"r="ZZZZZZZZZZZ2""#,
        r#"r="A0""#,
        r#"r="22""#,
        r#"r="é""#,
    ] {
        let bytes = book(&format!(r#"<row r="2"><c {cell}><v>1</v></c></row>"#));
        assert_eq!(rejected(&bytes), Code::BrokenSheet, "{cell}");
    }
    let row = book(r#"<row r="99999999999"><c><v>1</v></c></row>"#);
    assert_eq!(rejected(&row), Code::BrokenSheet);
    let backwards = book(r#"<row r="3"><c r="A3"><v>1</v></c></row><row r="2"><c r="A2"><v>1</v></c></row>"#);
    assert_eq!(rejected(&backwards), Code::BrokenSheet);
    let twice = book(r#"<row r="3"><c r="A3"><v>1</v></c><c r="A3"><v>2</v></c></row>"#);
    assert_eq!(rejected(&twice), Code::BrokenSheet);
    let dimension =
        format!(r#"<worksheet><dimension ref="B9:A1"/><sheetData>{HEADER}</sheetData></worksheet>"#);
    assert_eq!(rejected(&book_with(&dimension, &[])), Code::BrokenSheet);
}

#[test]
fn a_huge_count_of_shared_texts_is_refused_before_room_is_made() {
    for (name, text) in [
        (
            "xl/sharedStrings.xml",
            r#"<sst uniqueCount="1000000000000"><si/></sst>"#,
        ),
        (
            "XL\\SHAREDSTRINGS.XML",
            r#"<sst uniqueCount="1000000000000"><si/></sst>"#,
        ),
        (
            "xl/sharedStrings.xml",
            r#"<?xml version="1.0"?><!-- <sst> --><x:sst count="1" uniqueCount = '1000000000000000000'/>"#,
        ),
        (
            "xl/sharedStrings.xml",
            r#"<sst uniqueCount="99999999999999999999999999"/>"#,
        ),
        (
            "xl/sharedStrings.xml",
            r#"<a><sst uniqueCount="1000000000000"/></a>"#,
        ),
    ] {
        let bytes = book_with(&sheet_xml(""), &[(name, text.as_bytes())]);
        assert_eq!(rejected(&bytes), Code::BrokenSheet, "{text}");
    }
    let late = format!(
        "<!--{}--><sst uniqueCount=\"1000000000000\"/>",
        "x".repeat(100_000)
    );
    let bytes = book_with(&sheet_xml(""), &[("xl/sharedStrings.xml", late.as_bytes())]);
    assert_eq!(rejected(&bytes), Code::BrokenSheet);
}

#[test]
fn a_bomb_is_refused_by_what_its_directory_says() {
    let rows = vec![b' '; 100 << 20];
    let bytes = book_with(&sheet_xml(""), &[("xl/worksheets/sheet2.xml", &rows)]);
    assert!(bytes.len() < 1 << 20);
    assert_eq!(rejected(&bytes), Code::SheetTooLarge);
}

#[test]
fn a_size_that_lies_is_found_out() {
    let text = sheet_xml(&"<row><c><v>1</v></c></row>".repeat(5_000));
    let mut bytes = book_with(&text, &[]);
    let real = u32::try_from(text.len()).unwrap().to_le_bytes();
    let places: Vec<usize> = (0..bytes.len() - 4)
        .filter(|at| bytes[*at..*at + 4] == real)
        .collect();
    assert!(!places.is_empty());
    for at in places {
        bytes[at..at + 4].copy_from_slice(&100_u32.to_le_bytes());
    }
    assert_eq!(rejected(&bytes), Code::BrokenSheet);
}

#[test]
fn a_workbook_cut_anywhere_is_never_read_as_a_shorter_one() {
    let bytes = book(r#"<row r="2"><c r="A2"><v>1</v></c></row>"#);
    for length in (4..bytes.len()).step_by(7) {
        let code = rejected(&bytes[..length]);
        assert!(matches!(code, Code::IncompleteSheet), "{length}: {code}");
    }
}

#[test]
fn a_damaged_byte_is_a_rejection_or_harmless() {
    let bytes = book(r#"<row r="2"><c r="A2"><v>1</v></c></row>"#);
    for at in 4..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x15;
        if let Err(rejection) = open(&damaged).and_then(|sheet| rows_of(&sheet)) {
            let known = [
                Code::BrokenSheet,
                Code::IncompleteSheet,
                Code::NotASheet,
                Code::SheetTooLarge,
                Code::EmptySheet,
            ];
            assert!(known.contains(&rejection.code), "{at}: {rejection}");
        }
    }
}

#[test]
fn texts_that_are_kept_are_bounded_wherever_they_lie() {
    for (name, refused) in [
        ("sharedstrings.xml", true),
        ("xl/worksheets/sharedstrings.xml", true),
        ("xl/worksheets/sheet1.xml", false),
    ] {
        assert_eq!(super::super::archive::is_worksheet(name), !refused, "{name}");
    }
}

#[test]
fn another_kind_of_archive_is_refused_without_naming_its_inner_files() {
    let document = archive(&[
        ("[Content_Types].xml", CONTENT_TYPES.as_bytes()),
        ("word/document.xml", b"<document/>"),
    ]);
    let rejection = open(&document).unwrap_err();
    assert!(
        rejection.message.contains("another kind of file"),
        "{rejection:?}"
    );
    assert!(rejection.message.contains("a document of Word"), "{rejection:?}");
    assert!(!rejection.message.contains("rels"), "{rejection:?}");
    let packed = open(&archive(&[("orders.csv", b"order_id,a\n")])).unwrap_err();
    assert!(packed.message.contains("a packed folder (ZIP)"), "{packed:?}");
}

#[test]
fn damaged_xml_is_refused() {
    for xml in [
        "",
        "<worksheet>",
        "<worksheet><sheetData><row><c><v>1",
        "<chartsheet/>",
        "\u{1}\u{2}",
    ] {
        let code = rejected(&book_with(xml, &[]));
        assert!(
            matches!(code, Code::BrokenSheet | Code::EmptySheet),
            "{xml}: {code}"
        );
    }
}

#[test]
fn limits_are_named() {
    let long = format!(
        r#"<row r="2"><c r="A2" t="str"><v>{}</v></c></row>"#,
        "x".repeat(32_768)
    );
    assert_eq!(rejected(&book(&long)), Code::CellTooLong);
    let limits = Limits {
        max_rows: 1,
        ..LIMITS
    };
    let three = book(r#"<row r="2"><c r="A2"><v>1</v></c></row><row r="3"><c r="A3"><v>1</v></c></row>"#);
    assert_eq!(
        open_within(&three, limits)
            .and_then(|sheet| rows_of(&sheet))
            .unwrap_err()
            .code,
        Code::TooManyRows
    );
    let blank_below = book(r#"<row r="2"><c r="A2"><v>1</v></c></row><row r="3"><c r="A3" s="1"/></row>"#);
    assert_eq!(
        rows_of(&open_within(&blank_below, limits).unwrap())
            .unwrap()
            .len(),
        2
    );
}

#[test]
fn what_is_struck_through_is_told_of_whole_cells_and_of_parts() {
    let struck = Style::new().set_font_strikethrough();
    let plain = Style::new();
    let mut writer = Writer::new();
    let sheet = writer.add_worksheet();
    sheet.write_row(0, 0, ["order_id", "b", "c", "d", "e"]).unwrap();
    sheet.write_with_format(1, 0, "1001", &struck).unwrap();
    sheet.write_with_format(1, 1, 7, &struck).unwrap();
    sheet
        .write_rich_string(1, 2, &[(&struck, "1"), (&plain, "2")])
        .unwrap();
    sheet.write(1, 3, 12).unwrap();
    sheet.write_blank(1, 4, &struck).unwrap();
    // Merged down: what is crossed out is so in both rows.
    sheet.merge_range(2, 0, 3, 0, "1002", &struck).unwrap();
    sheet.write(2, 1, "x").unwrap();
    sheet.write(3, 1, "x").unwrap();
    let sheet = open(&writer.save_to_buffer().unwrap()).unwrap();
    let mut rows = sheet.rows().unwrap();
    let mut row = Row::default();
    let mut told = Vec::new();
    while rows.next(&mut row).unwrap() {
        told.push(row.struck().to_vec());
    }
    assert_eq!(told, [vec![], vec![0, 1, 2], vec![0], vec![0]]);
}

#[test]
fn a_part_that_is_struck_through_in_a_text_that_stands_in_its_cell_is_told() {
    let rows = r#"<row r="2"><c r="A2" t="inlineStr"><is><t>1001</t></is></c>
        <c r="B2" t="inlineStr"><is><r><rPr><strike/></rPr><t>1</t></r><r><t>2</t></r></is></c></row>
        <row r="3"><c r="A3" t="inlineStr"><is><t>1002</t></is></c></row>"#;
    let sheet = open(&book(rows)).unwrap();
    let mut rows = sheet.rows().unwrap();
    let mut row = Row::default();
    let mut told = Vec::new();
    while rows.next(&mut row).unwrap() {
        told.push((row.text(0).to_owned(), row.struck().to_vec()));
    }
    assert_eq!(
        told[1..],
        [("1001".to_owned(), vec![1]), ("1002".to_owned(), vec![])]
    );
}
