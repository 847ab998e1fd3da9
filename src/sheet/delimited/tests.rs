//! Separated text in every dialect and encoding, and its row numbers.

use proptest::prelude::*;

use crate::finding::Code;
use crate::sheet::tests::{LIMITS, open, open_within, rejected, rows_of, shown};
use crate::sheet::write::without_guard;
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
fn one_uneven_line_does_not_let_a_pair_between_tabs_join_rows() {
    let pair = "order_id\tname\tsku\tproduct\tnote\n1\tAda\tA\t\"Best Dad\tx\n2\tBob\tB\tMug 11oz \"\ty\n";
    for (last, rows) in [
        ("", vec![]),
        ("3\tEve\tC\tTee\n", vec!["4:3/Eve/C/Tee"]),
        ("Report of May\n", vec!["4:Report of May"]),
        (
            "\t\t\t\t\t\t\n3\tE\tC\tT\tz\tz\n",
            vec!["4://////", "5:3/E/C/T/z/z"],
        ),
    ] {
        let expected = [
            vec![
                "1:order_id/name/sku/product/note",
                "2:1/Ada/A/\"Best Dad/x",
                "3:2/Bob/B/Mug 11oz \"/y",
            ],
            rows,
        ];
        // A well closed one, and one whose rows lack the last cells.
        let closed = pair.replace("Mug 11oz \"", "Mug\"");
        let short = pair.replace("\tx\n", "\n").replace("\ty\n", "\n");
        let [closed, short] = [closed, short].map(|text| shown((text + last).as_bytes()));
        assert_eq!(closed[0], expected[0][0]);
        assert_eq!(
            &closed[1..3],
            ["2:1/Ada/A/\"Best Dad/x", "3:2/Bob/B/Mug\"/y"],
            "{last}"
        );
        assert_eq!(
            &short[1..3],
            ["2:1/Ada/A/\"Best Dad", "3:2/Bob/B/Mug 11oz \""],
            "{last}"
        );
        assert_eq!(
            shown((pair.to_owned() + last).as_bytes()),
            expected.concat(),
            "{last}"
        );
    }
    let quoted = "order_id\tname\tsku\tnote\n1\tAda\tA\t\"a\nb\"\n2\t\"B\nc\"\tB\t\nend\n";
    assert_eq!(
        shown(quoted.as_bytes())[1..],
        ["2:1/Ada/A/a\nb", "3:2/B\nc/B/", "4:end"]
    );
}

#[test]
fn a_stray_quotation_mark_that_would_join_rows_rejects_the_sheet() {
    let header = "order_id,name,street,city,zip,sku,gift\n";
    for (rows, lines) in [
        // Rows between the marks.
        (
            "1,Ada,12 Maple,Columbus,43004,T,\"For Mum\n2,Bob,1 Elm,Ulm,1,T,\n3,Eve,2 Elm,Ulm,1,T,love\"\n",
            (2, 4, 3),
        ),
        // The next row has the other mark.
        (
            "0,,,,,,\n1,Ada,12 Maple,Columbus,43004,T,\"For\n2,Bob,1 Elm,Ulm,1,T,Mum\"\n",
            (3, 4, 4),
        ),
        // Early in the row.
        (
            "1,Ada,\"The Barn,Columbus,43004,T,\n2,Bob,The Yard\",Ulm,1,T,\n",
            (2, 3, 3),
        ),
        // Nothing but the marks.
        ("1,Ada,x,y,43004,T,\"\n2,Bob,\",Ulm,1,T,\n", (2, 3, 3)),
        // A comma too many, and one too few.
        (
            "1,Ada,x,y,43004,T,\"a\n2,Bob,1 Elm, Apt 3,Ulm,1,T,b\"\n",
            (2, 3, 3),
        ),
        ("1,Ada,x,y,43004,\"a\n2,Bob,1 Elm,Ulm,1,b\"\n", (2, 3, 3)),
        // The row that is swallowed has a quoted cell itself, which closes the first.
        (
            "1,Ada,x,y,43004,T,\"a\n2,Bob,\"1 Elm, Apt 3\",Ulm,1,T,b\"\n3,,,,,,\n",
            (2, 3, 3),
        ),
        ("1,Ada,x,y,43004,T,\"a\n\n2,\"Bob\",x,Ulm,1,T,b\n", (2, 4, 4)),
        // Empty lines and cells of several lines come before it.
        (
            "\n0,\"A\nB\",,,,,\n\n1,Ada,x,y,43004,T,\"a\n2,Bob,x,Ulm,1,T,b\"\n",
            (6, 7, 7),
        ),
        // The second quoted cell of a row.
        ("1,\"A\nda\",x,y,43004,T,\"a\n2,Bob,x,Ulm,1,T,b\"\n", (3, 4, 4)),
    ] {
        for delimiter in [",", ";", "|"] {
            for end in ["\n", "\r\n", "\r"] {
                let text = format!("{header}{rows}")
                    .replace(',', delimiter)
                    .replace('\n', end);
                let rejection = open(text.as_bytes())
                    .and_then(|sheet| rows_of(&sheet))
                    .unwrap_err();
                assert_eq!(rejection.code, Code::StrayQuote, "{text}");
                let (from, to, row) = lines;
                let said = rejection.message + &rejection.hint;
                let has = |words: String| assert!(said.contains(&words), "{words}: {said}");
                has(format!("one cell of lines {from} to {to}:"));
                has(format!("line {row} "));
                has(format!("take it out, in line {from}"));
            }
        }
    }
}

#[test]
fn a_stray_quotation_mark_is_found_wherever_it_stands_in_a_large_file() {
    let plain = "1,Ada,\"12 Maple, Apt 3\",\"a\nb\",T\n";
    for before in [0, 1, 3_000, 3_001, 7_777] {
        let stray = "2,Ada,x,\"For Mum,T\n3,Bob,y,love\",T\n";
        let text = format!(
            "\u{FEFF}sep=,\norder_id,name,street,note,sku\n{}{stray}{plain}",
            plain.repeat(before)
        );
        let rejection = open(text.as_bytes())
            .and_then(|sheet| rows_of(&sheet))
            .unwrap_err();
        let from = 3 + 2 * before;
        assert!(
            rejection
                .message
                .contains(&format!("lines {from} to {}", from + 1)),
            "{rejection:?}"
        );
    }
}

/// Records as a program writes them.
fn written<R: AsRef<[C]>, C: AsRef<[u8]>>(rows: &[R], delimiter: u8, all_quoted: bool) -> String {
    let style = if all_quoted {
        csv::QuoteStyle::Always
    } else {
        csv::QuoteStyle::Necessary
    };
    let mut writer = csv::WriterBuilder::new()
        .delimiter(delimiter)
        .quote_style(style)
        .from_writer(Vec::new());
    for row in rows {
        writer.write_record(row.as_ref()).unwrap();
    }
    String::from_utf8(writer.into_inner().unwrap()).unwrap()
}

fn cells_of(text: &str) -> Vec<Vec<String>> {
    let rows = rows_of(&open(text.as_bytes()).unwrap()).unwrap();
    rows.into_iter().map(|(_, cells)| cells).collect()
}

#[test]
fn cells_of_several_lines_stay_whole() {
    for cell in [
        "Gift: yes\nColour: red, blue, green, black, white, grey, pink\nThanks",
        "red; blue; green; black; white; grey; pink\nred | blue | green | black | white | grey | pink",
        "12 Maple Street, Apt 3,\nColumbus, OH, 43004,\nUSA",
        "Größe 10,5 statt 11,5;\n2,0 kg",
        "She said \"yes, he, is, the, one, for, me\"\n\"Best, Dad, in, the, whole, wide, world\"\n\"",
        "\n\nDear Ada,\n\nall the best,\nBob\n",
        "{\"a\": 1, \"b\": [1, 2], \"c\": 3, \"d\": 4, \"e\": 5, \"f\": 6}\n{}",
        ",\n,\n,",
    ] {
        for (at, delimiter) in (0..7).zip(b",;|\t".iter().cycle()) {
            for all_quoted in [false, true] {
                let mut rows = vec![["order_id", "name", "street", "city", "zip", "sku", "gift"]];
                rows.extend([["1", "Ada", "1 Elm, Apt 3", "Ulm", "7", "T", ""]; 3]);
                rows[2][at] = cell;
                let text = written(&rows, *delimiter, all_quoted);
                assert_eq!(cells_of(&text), rows, "{text}");
            }
        }
    }
    // Spaces behind the mark are not text.
    let spaced = b"order_id,name,note,x\n1,Ada,\"a\nb\" ,\n2,Bob,\"a\nb\",\"c\nd\" \n";
    assert_eq!(shown(spaced)[1..], ["2:1/Ada/a\nb /", "3:2/Bob/a\nb/c\nd "]);
}

#[test]
fn a_comma_of_prose_in_a_quoted_cell_before_makes_no_row_of_the_lines_of_the_next() {
    let rows = [
        ["order_id", "a", "b", "c", "d", "e"],
        ["1000", "Ada, ", "1,5 kg,\nand, 1,5 ", "", "", ""],
    ];
    assert_eq!(cells_of(&written(&rows, b',', false)), rows);
}

#[test]
fn a_comma_at_the_end_of_a_quoted_line_may_be_one_of_prose() {
    for cell in [
        "a, 1,5,\n1,5, ",
        "Ring, 1,5,\nKette, 1,5",
        "Für Anna, 1,5 m,\nund Leo, 1,2 m",
        "Frohes Fest, 24,12,\nliebe Grüße, 1,5",
    ] {
        let rows = [
            ["order_id", "a", "b", "c", "d", "e"],
            ["1000", "", cell, "", "", ""],
        ];
        for end in ["\n", "\r\n"] {
            let text = written(&rows, b',', false).replace('\n', end);
            assert_eq!(cells_of(&text), rows, "{text}");
        }
    }
    // A line with fewer than a row has, and one at its end.
    for (before, cell) in [("1,5 ", "1,5,\n1,5 "), ("2,5 kg", "10,5 cm,\n2,5 cm")] {
        let rows = [
            ["order_id", "a", "b", "c", "d", "e", "f"],
            ["1000", before, cell, "", "", "", ""],
        ];
        assert_eq!(cells_of(&written(&rows, b',', false)), rows);
    }
}

/// What people write into a cell: a separator in it stands before a space or at a line's end.
fn ordinary() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        "[A-Za-zé0-9\"'.:&-]{1,8}",
        Just("\"".to_owned()),
        Just("1,5".to_owned())
    ];
    let between = prop_oneof![
        4 => Just(" "), 2 => Just(", "), 1 => Just("; "), 1 => Just(" | "), 2 => Just("\n"), 1 => Just(",\n"), 1 => Just("\n\n"),
    ];
    prop::collection::vec((word, between), 0..14).prop_map(|words| {
        let mut text = String::new();
        for (word, between) in words {
            // A decimal comma or two are ordinary, a line of them is not.
            let line = text.rsplit('\n').next().unwrap_or("");
            text.push_str(if word == "1,5" && line.contains("1,5") {
                "x"
            } else {
                &word
            });
            text.push_str(between);
        }
        text
    })
}

fn header_of(columns: usize) -> Vec<String> {
    let column = |at| {
        if at == 0 {
            "order_id".to_owned()
        } else {
            format!("column {at}")
        }
    };
    (0..columns).map(column).collect()
}

proptest! {
    #[test]
    fn what_a_writer_of_records_quotes_is_read_as_it_was(
        cells in prop::collection::vec(prop::collection::vec(ordinary(), 14), 1..8),
        columns in 2_usize..14,
        delimiter in prop::sample::select(&b",;\t|"[..]),
        all_quoted: bool,
        end in prop::sample::select(&["\n", "\r\n"][..]),
    ) {
        let mut rows: Vec<Vec<String>> = vec![header_of(columns)];
        for (number, row) in cells.into_iter().enumerate() {
            let id = (1000 + number).to_string();
            rows.push(std::iter::once(id).chain(row).take(columns).collect());
        }
        let text = written(&rows, delimiter, all_quoted).replace('\n', end);
        let read = cells_of(&text);
        // The apostrophe that guards text is taken off as in every cell.
        let meant = rows.into_iter().map(|row| row.iter().map(|cell| without_guard(cell).into_owned()).collect());
        prop_assert_eq!(read, meant.collect::<Vec<Vec<String>>>(), "{}", text);
    }

    #[test]
    fn stray_quotation_marks_lose_no_row(
        rows in 2_usize..9,
        columns in 5_usize..14,
        delimiter in prop::sample::select(&b",;\t|"[..]),
        marks in prop::collection::vec(prop::option::of((0_usize..14, any::<bool>())), 9),
        blank in prop::collection::vec(any::<bool>(), 14),
    ) {
        let mut cells: Vec<Vec<String>> = (0..rows)
            .map(|row| {
                let is_blank = |at: usize| at > 0 && blank[at];
                let cell = |at| if is_blank(at) { String::new() } else { format!("text {row}.{at}") };
                (0..columns).map(cell).collect()
            })
            .collect();
        for (row, (column, begins)) in cells.iter_mut().zip(marks).filter_map(|(row, mark)| Some((row, mark?))) {
            let cell = &mut row[column % columns];
            cell.insert(if begins { 0 } else { cell.len() }, '"');
        }
        cells.insert(0, header_of(columns));
        let separator = char::from(delimiter).to_string();
        let text: String = cells.iter().map(|row| row.join(&separator) + "\n").collect();
        match open(text.as_bytes()).and_then(|sheet| rows_of(&sheet)) {
            Ok(read) => prop_assert_eq!(read.len(), rows + 1, "{}", text),
            Err(why) => {
                prop_assert!(delimiter != b'\t', "{}", text);
                prop_assert!([Code::StrayQuote, Code::IncompleteSheet].contains(&why.code), "{}", text);
            }
        }
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
    assert_eq!(rejected(wide.as_bytes()), Code::TooManyColumns);
    let wide = format!("order_id,a\n1{}\n", ",x".repeat(1024));
    assert_eq!(rejected(wide.as_bytes()), Code::TooManyColumns);
    let long = format!("order_id,a\n1,{}\n", "é".repeat(32_768));
    assert_eq!(rejected(long.as_bytes()), Code::CellTooLong);
    let fits = format!("order_id,a\n1,{}\n", "é".repeat(32_767));
    assert_eq!(shown(fits.as_bytes()).len(), 2);
    let limits = Limits {
        max_rows: 1,
        ..LIMITS
    };
    let at_limit = open_within(b"order_id,a\n1,2\n\n,\n", limits).unwrap();
    assert_eq!(rows_of(&at_limit).unwrap().len(), 2);
    let titled = open_within(b"Orders,\n\norder_id,a\n1,2\n", limits).unwrap();
    assert_eq!(rows_of(&titled).unwrap().len(), 4);
    let over = open_within(b"order_id,a\n1,2\n3,4\n", limits).unwrap();
    assert_eq!(rows_of(&over).unwrap_err().code, Code::TooManyRows);
}

#[test]
fn a_space_before_a_quotation_mark_is_no_part_of_the_cell() {
    let text =
        "\"order_id\", \"name\", \"note\"\n\"1\", \"Lee, Ann\", \"so \"\"they\"\" say\"\n2, Ben , \"\"\n";
    let rows = [
        "1:order_id/name/note",
        "2:1/Lee, Ann/so \"they\" say",
        "3:2/ Ben /",
    ];
    assert_eq!(shown(text.as_bytes()), rows);
    let utf16: Vec<u8> = std::iter::once(0xFEFF)
        .chain(text.encode_utf16())
        .flat_map(u16::to_le_bytes)
        .collect();
    assert_eq!(shown(&utf16), rows);
    // One that is text: it has no end of its own.
    let text = "order_id,name\n1, \"Ann\" Lee\n2, \"Ben\"\n";
    assert_eq!(
        shown(text.as_bytes()),
        ["1:order_id/name", "2:1/ \"Ann\" Lee", "3:2/ \"Ben\""]
    );
}
