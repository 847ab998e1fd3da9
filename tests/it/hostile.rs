//! Files that nobody should send: each costs its own sheet, in bounded memory and time, and never the program.

use std::fs::File;
use std::io::{Cursor, Write};

use dropsheet::finding::Code;
use dropsheet::sheet::{Limits, Row, Sheet, apart};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::fuzz::fairly;
use crate::shop::Shop;
use crate::world::{World, sheet, write};

const TYPES: &str =
    r#"<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>"#;
const OFFICE: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

fn zipped(parts: &[(&str, &str)]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in parts {
        zip.start_file(*name, SimpleFileOptions::default()).unwrap();
        zip.write_all(text.as_bytes()).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

/// A workbook of one sheet, as XML, and its shared texts.
fn xlsx(sheet: &str, texts: &str) -> Vec<u8> {
    let relation = |of: &str, to: &str| {
        format!(
            r#"<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="{OFFICE}/{of}" Target="{to}"/></Relationships>"#
        )
    };
    let book = format!(
        r#"<?xml version="1.0"?><workbook xmlns:r="{OFFICE}"><sheets><sheet name="a" sheetId="1" r:id="rId1"/></sheets></workbook>"#
    );
    zipped(&[
        ("[Content_Types].xml", TYPES),
        ("_rels/.rels", &relation("officeDocument", "xl/workbook.xml")),
        ("xl/workbook.xml", &book),
        (
            "xl/_rels/workbook.xml.rels",
            &relation("worksheet", "worksheets/sheet1.xml"),
        ),
        ("xl/worksheets/sheet1.xml", sheet),
        ("xl/sharedStrings.xml", texts),
    ])
}

fn cells(rows: &str) -> String {
    format!(
        r#"<worksheet><sheetData><row r="1"><c r="A1" t="str"><v>order_id</v></c><c r="B1" t="str"><v>b</v></c></row>{rows}</sheetData></worksheet>"#
    )
}

/// A sheet of OpenDocument with these rows.
fn ods(rows: &str) -> Vec<u8> {
    let content = format!(
        r#"<office:document-content xmlns:office="o" xmlns:table="t" xmlns:text="x"><office:body><office:spreadsheet><table:table table:name="a">{rows}</table:table></office:spreadsheet></office:body></office:document-content>"#
    );
    zipped(&[
        ("mimetype", "application/vnd.oasis.opendocument.spreadsheet"),
        ("META-INF/manifest.xml", "<manifest/>"),
        ("content.xml", &content),
    ])
}

/// A few hundred bytes that a reading library takes twelve gibibytes for.
fn ods_bomb() -> Vec<u8> {
    ods(
        r#"<table:table-row table:number-rows-repeated="1048576"><table:table-cell office:value-type="string" table:number-columns-repeated="95"><text:p>order_id</text:p></table:table-cell></table:table-row>"#,
    )
}

/// Reads a file as the program does; gives the code it is rejected with.
fn rejected(name: &str, bytes: &[u8]) -> Option<Code> {
    apart::read_with(env!("CARGO_BIN_EXE_dropsheet").into());
    let mut file: File = tempfile::tempfile().unwrap();
    file.write_all(bytes).unwrap();
    let scratch = tempfile::tempdir().unwrap();
    let limits = Limits {
        max_bytes: 256 << 20,
        max_rows: 1_048_576,
    };
    let is_header = |row: &Row| row.iter().any(|text| text == "order_id");
    let opened = Sheet::open(file, name, limits, scratch.path(), &is_header);
    opened.err().map(|why| why.code)
}

#[test]
fn what_asks_for_more_memory_than_there_is_is_rejected() {
    let empty = "<sst/>";
    let far = |kind: &str| {
        cells(&format!(
            r#"<row r="1048576"><c r="XFD1048576" {kind}><v>1</v></c></row>"#
        ))
    };
    let cell = r#"<table:table-cell office:value-type="float" office:value="1"/>"#;
    for (name, bytes, code) in [
        (
            "count.xlsx",
            xlsx(&cells(""), r#"<sst uniqueCount="1000000000000"><si/></sst>"#),
            Code::BrokenSheet,
        ),
        ("far.xlsx", xlsx(&far(""), empty), Code::TooManyColumns),
        ("bomb.ods", ods_bomb(), Code::SheetTooLarge),
        (
            "wide.ods",
            ods(&format!(
                r#"<table:table-row><table:table-cell table:number-columns-repeated="16383"/>{cell}</table:table-row><table:table-row table:number-rows-repeated="1048574"><table:table-cell/></table:table-row><table:table-row>{cell}</table:table-row>"#
            )),
            Code::BrokenSheet,
        ),
        (
            "spaces.ods",
            ods(
                r#"<table:table-row><table:table-cell office:value-type="string"><text:p><text:s text:c="2000000000"/></text:p></table:table-cell></table:table-row>"#,
            ),
            Code::SheetTooLarge,
        ),
        (
            "blown-up.xlsx",
            xlsx(&cells(&" ".repeat(100 << 20)), empty),
            Code::SheetTooLarge,
        ),
    ] {
        assert_eq!(fairly(name, &bytes), None, "{name}");
        assert_eq!(rejected(name, &bytes), Some(code), "{name}");
    }
}

#[test]
fn what_nests_without_end_is_no_overflow() {
    let deep = format!(
        "<worksheet>{}<sheetData/>{}</worksheet>",
        "<a>".repeat(150_000),
        "</a>".repeat(150_000)
    );
    fairly("deep.xlsx", &xlsx(&deep, "<sst/>"));
    let rows = format!(
        "{}{}",
        "<table:table-row>".repeat(50_000),
        "</table:table-row>".repeat(50_000)
    );
    fairly("deep.ods", &ods(&rows));
}

#[test]
fn noise_under_every_ending_is_fairly_rejected() {
    let mut state = 7_u32;
    let noise: Vec<u8> = std::iter::repeat_with(|| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state.to_be_bytes()[0]
    })
    .take(1 << 20)
    .collect();
    for ending in ["csv", "tsv", "txt", "xlsx", "xlsm", "xlsb", "xls", "ods"] {
        for magic in [
            &b""[..],
            b"PK\x03\x04",
            b"PK\x05\x06",
            b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1",
            b"\xFF\xFE",
        ] {
            let bytes = [magic, &noise[magic.len()..]].concat();
            assert_eq!(
                fairly(&format!("noise.{ending}"), &bytes),
                None,
                "{ending} {magic:?}"
            );
        }
    }
}

#[test]
fn a_workbook_cut_anywhere_is_rejected() {
    for name in ["typed.xlsx", "typed.xlsb", "typed.ods"] {
        let whole = std::fs::read(crate::fuzz::corpus().join(name)).unwrap();
        for part in 1..8 {
            let cut = whole.get(..whole.len() * part / 8).unwrap();
            assert_eq!(fairly(name, cut), None, "{name}, {part} eighths of it");
        }
    }
}

#[test]
fn a_hostile_workbook_does_not_keep_others_from_being_worked() {
    let shop = Shop::new();
    shop.write("orders/inbox/a.ods", &ods_bomb());
    shop.write(
        "orders/inbox/b.csv",
        &std::fs::read(shop.path("orders.csv")).unwrap(),
    );
    shop.run(&["run", "--once"])
        .says(3, &["a.ods: rejected", "MiB of memory", "b.csv: 9 created"]);
    assert_eq!(shop.service.orders().len(), 9);
}

#[test]
fn a_name_forges_no_line_and_commands_no_terminal() {
    let mut world = World::new();
    let name = "a\nAll is well: nothing needs a person\u{1b}]0;it's mine\u{7}.csv";
    world.drop_csv(name, &sheet(&["1001"]));
    world.drop_bytes("b\nc\u{1b}[31m.csv", b"\"a\",b\n1,2\n");
    let ran = world.run_once();
    assert_eq!(ran.status, 3, "{ran:?}");
    let lies = |line: &str| line.starts_with("All is well") || line.starts_with("c: ");
    assert!(!ran.said.lines().any(lies), "{ran:?}");
    assert!(!ran.said.contains(['\u{1b}', '\u{7}']), "{ran:?}");
    // A path is one that a shell takes.
    let path = ran
        .said
        .lines()
        .find_map(|line| line.trim().strip_prefix("result: "));
    let shell = std::process::Command::new("bash")
        .args(["-c", &format!("cat {}", path.unwrap())])
        .output();
    if let Ok(shell) = shell {
        assert!(shell.status.success(), "{shell:?}");
    }
    let rejected = world.files("rejected");
    let reason = rejected.iter().find(|name| name.ends_with(".error.txt")).unwrap();
    let reason = std::fs::read_to_string(world.orders_path("rejected").join(reason)).unwrap();
    assert!(reason.starts_with("b c [31m.csv was not worked"), "{reason}");
    world.end();

    let world = World::new();
    write(&world.path(name), sheet(&["1002"]).as_bytes());
    for command in ["check", "quote"] {
        let ran = world.dropsheet(&[command, name]);
        assert_eq!(ran.status, 0, "{ran:?}");
        assert!(ran.said.starts_with("$'a\\012All is well"), "{ran:?}");
        assert!(!ran.said.lines().any(lies), "{ran:?}");
    }
    world.end();
}
