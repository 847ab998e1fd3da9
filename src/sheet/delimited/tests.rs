//! Separated text in every dialect and encoding, and its row numbers.

use crate::finding::Code;
use crate::sheet::tests::{LIMITS, open, open_within, rejected, rows_of, shown};
use crate::sheet::{Format, Limits};

#[test]
fn the_separator_is_the_one_that_makes_a_header() {
    for (text, delimiter) in [
        ("order_id,a;b\n1,2;3\n", b','),
        ("order_id;a,b\n1;2,3\n", b';'),
        ("order_id\ta,b,c\n1\t2\n", b'\t'),
        ("order_id|a\n1|2\n", b'|'),
        ("sep=;\norder_id;a\n1;2\n", b';'),
        ("\"SEP=|\"\norder_id|a\n1|2\n", b'|'),
        ("order_id\n1\n", b','),
        ("a,b,c\nOrders of May\norder_id;x\n", b';'),
    ] {
        let sheet = open(text.as_bytes()).unwrap();
        assert_eq!(sheet.format(), Format::Csv { delimiter }, "{text}");
    }
}

#[test]
fn row_numbers_are_those_that_a_spreadsheet_shows() {
    for (text, rows) in [
        ("order_id,a\n1,2", vec!["1:order_id/a", "2:1/2"]),
        (
            "\n\norder_id,a\n\n1,2\n\n\n",
            vec!["1:", "2:", "3:order_id/a", "4:", "5:1/2"],
        ),
        (
            "order_id,a\n1,\"x\ny\"\n2,z\n",
            vec!["1:order_id/a", "2:1/x\ny", "3:2/z"],
        ),
        (
            "order_id,a\n1,\"\n\n\"\n\n2,z\n",
            vec!["1:order_id/a", "2:1/\n\n", "3:", "4:2/z"],
        ),
        (
            "order_id,a\n,\n,\n \n3,z\n,\n,,\n",
            vec!["1:order_id/a", "2:/", "3:/", "4: ", "5:3/z"],
        ),
        ("sep=,\norder_id,a\n1,2\n", vec!["1:order_id/a", "2:1/2"]),
        ("order_id,a\n1\n2,3,4\n", vec!["1:order_id/a", "2:1", "3:2/3/4"]),
    ] {
        for end in ["\n", "\r\n", "\r"] {
            assert_eq!(
                shown(text.replace('\n', end).as_bytes()),
                rows,
                "{text:?} with {end:?}"
            );
        }
    }
}

#[test]
fn the_encoding_is_found_from_the_content() {
    let text = "order_id,name\n1,Zoë\n2,\u{2018}é\n";
    let expected = vec!["1:order_id/name", "2:1/Zoë", "3:2/\u{2018}é"];
    let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
    let windows = b"order_id,name\n1,Zo\xEB\n2,\x91\xE9\n".to_vec();
    for bytes in [
        text.as_bytes().to_vec(),
        [b"\xEF\xBB\xBF", text.as_bytes()].concat(),
        little.clone(),
        big.clone(),
        [b"\xFF\xFE", &*little].concat(),
        [b"\xFE\xFF", &*big].concat(),
        windows,
    ] {
        assert_eq!(shown(&bytes), expected);
    }
}

#[test]
fn what_decodes_to_nothing_is_kept_as_a_mark() {
    assert_eq!(shown(b"order_id,a\n1,\x81\xE9\n")[1], "2:1/\u{FFFD}é");
    let damaged = "order_id,a\n1,Zoë Äö\n"
        .bytes()
        .chain(*b"2,\xFF\n")
        .collect::<Vec<u8>>();
    assert_eq!(shown(&damaged)[1..], ["2:1/Zoë Äö", "3:2/\u{FFFD}"]);
}

#[test]
fn letters_that_are_not_latin_are_refused_and_not_printed_as_others() {
    use encoding_rs::{BIG5, EUC_JP, EUC_KR, GBK, SHIFT_JIS, WINDOWS_1251, WINDOWS_1253, WINDOWS_1256};
    for (encoding, name) in [
        (SHIFT_JIS, "山田太郎 東京都千代田区"),
        (EUC_JP, "山田太郎 東京都千代田区"),
        (GBK, "王小明 上海市浦东新区"),
        (BIG5, "陳大文 台北市信義區"),
        (EUC_KR, "김철수 서울특별시 강남구"),
        (WINDOWS_1251, "Иван Петров"),
        (WINDOWS_1253, "Γιώργος, Αθήνα"),
        (WINDOWS_1256, "محمد علي"),
    ] {
        // Beyond the piece that is read at once, and amid plain rows.
        for rows in [1, 9_000] {
            let text = format!("order_id,name\n{}9,{name}\n", "1,Zoe Example\n".repeat(rows));
            let (bytes, _, lossy) = encoding.encode(&text);
            assert!(!lossy, "{name}");
            assert_eq!(
                rejected(&bytes),
                Code::UnknownEncoding,
                "{name} after {rows} rows"
            );
        }
    }
}

#[test]
fn western_text_that_is_not_utf8_is_read_as_windows_1252() {
    for name in [
        "Zoë",
        "MÜLLER",
        "Jürgen Groß, Straße 5½",
        "Tromsø",
        "Ibáñez–López",
        "Sacré-Cœur",
        "“ŒUVRE” – Œdipe",
        "Šárka",
        "Þór Ægisson",
        "¿Qué? «oui»",
        "100 µm ±5 £5 ¥5 €5",
        "•••… ™®©",
    ] {
        let text = format!("order_id,name\n1,\"{name}\"\n");
        let (bytes, _, lossy) = encoding_rs::WINDOWS_1252.encode(&text);
        assert!(!lossy, "{name}");
        assert_eq!(shown(&bytes)[1], format!("2:1/{name}"));
    }
}

#[test]
fn characters_and_line_ends_may_lie_across_chunks() {
    for shift in 0..4 {
        let mut text = String::from("order_id,a\r\n");
        text.push_str(&"x".repeat(shift));
        text.push_str(&"7,é€𝄞\r\n".repeat(9_000));
        let sheet = open(text.as_bytes()).unwrap();
        let rows = rows_of(&sheet).unwrap();
        assert_eq!(rows.len(), 9_001);
        assert!(rows.iter().skip(1).all(|(_, cells)| cells[1] == "é€𝄞"));
        let utf16: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(rows_of(&open(&utf16).unwrap()).unwrap(), rows);
    }
}

#[test]
fn a_lone_quotation_mark_between_tabs_is_text() {
    for (text, rows) in [
        (
            "order_id\tname\n1\t\"Best\n2\t5\" x\n",
            vec!["1:order_id/name", "2:1/\"Best", "3:2/5\" x"],
        ),
        // Paired by chance: the lines are even as they are.
        (
            "order_id\tname\tx\n1\t\"Best\t\n2\tDad\"\t\n",
            vec!["1:order_id/name/x", "2:1/\"Best/", "3:2/Dad\"/"],
        ),
        (
            "order_id\tname\tx\n1\t\"a\t\n2\tb\t\n3\t\"\tc\n",
            vec!["1:order_id/name/x", "2:1/\"a/", "3:2/b/", "4:3/\"/c"],
        ),
        // Quoted by whoever wrote it.
        (
            "\"order_id\"\t\"na\"\"me\"\n\"1\"\t\"a\tb\"\n",
            vec!["1:order_id/na\"me", "2:1/a\tb"],
        ),
        (
            "order_id\tname\n1\t\"a\nb\"\n2\tc\n",
            vec!["1:order_id/name", "2:1/a\nb", "3:2/c"],
        ),
        ("order_id\tname\n1\t\"a", vec!["1:order_id/name", "2:1/\"a"]),
        (
            "\"order_id\"\tname\n1\t5\" x\n",
            vec!["1:order_id/name", "2:1/5\" x"],
        ),
    ] {
        assert_eq!(shown(text.as_bytes()), rows, "{text}");
    }
}

#[test]
fn a_file_that_ends_inside_a_quoted_cell_is_incomplete() {
    for text in [
        "order_id,a\n1,\"x",
        "order_id,a\n1,\"x\n",
        "order_id,a\n\n\n1,\"x\n2,y\n",
        "order_id,a\n1,\"x\"\"",
        "order_id,a\n1,\"",
    ] {
        assert_eq!(rejected(text.as_bytes()), Code::IncompleteSheet, "{text}");
    }
    let swallowed = format!("order_id,a\n1,\"{}", "x,y\n".repeat(2_000_000));
    assert_eq!(rejected(swallowed.as_bytes()), Code::IncompleteSheet);
}

#[test]
fn a_quoted_cell_may_end_in_a_line_feed() {
    assert_eq!(shown(b"order_id,a\n1,\"x\n\""), ["1:order_id/a", "2:1/x\n"]);
}

#[test]
fn limits_are_named() {
    let wide = format!("order_id{}\n1\n", ",x".repeat(1024));
    assert_eq!(rejected(wide.as_bytes()), Code::NoHeader);
    let wide = format!("order_id,a\n1{}\n", ",x".repeat(1024));
    assert_eq!(rejected(wide.as_bytes()), Code::TooManyColumns);
    let long = format!("order_id,a\n1,{}\n", "é".repeat(32_768));
    assert_eq!(rejected(long.as_bytes()), Code::CellTooLong);
    let fits = format!("order_id,a\n1,{}\n", "é".repeat(32_767));
    assert_eq!(shown(fits.as_bytes()).len(), 2);
    let limits = Limits {
        max_rows: 2,
        ..LIMITS
    };
    let at_limit = open_within(b"order_id,a\n1,2\n\n,\n", limits).unwrap();
    assert_eq!(rows_of(&at_limit).unwrap().len(), 2);
    let over = open_within(b"order_id,a\n1,2\n3,4\n", limits).unwrap();
    assert_eq!(rows_of(&over).unwrap_err().code, Code::TooManyRows);
}
