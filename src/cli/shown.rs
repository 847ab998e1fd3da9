//! How commands show what others have written, moments, ages and tables to a person.

pub(super) use crate::status::text::plain;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use comfy_table::Table;

use super::print;

pub(super) use crate::status::age;
pub(super) use crate::status::text::{moment, more_waiting, span};

/// A path as it can be given to a shell again: one with what a terminal would obey is written as the shells read that,
/// `$'a\033b.csv'`.
pub(super) fn path(path: &Path) -> String {
    let text = path.display().to_string();
    if text == plain(&text) && path.to_str().is_some() {
        return text;
    }
    let bytes = path.as_os_str().as_bytes().iter();
    let quoted: String = bytes
        .map(|byte| match byte {
            b'\\' | b'\'' => format!("\\{}", char::from(*byte)),
            b' '..=b'~' => char::from(*byte).to_string(),
            // In octal, which takes three digits and no more, whatever follows.
            _ => format!("\\{byte:03o}"),
        })
        .collect();
    format!("$'{quoted}'")
}

/// A table without lines, under bold headings; the cells are made [`plain`].
pub(super) fn table<const COLUMNS: usize>(
    headings: [&str; COLUMNS],
    rows: impl IntoIterator<Item = [String; COLUMNS]>,
) -> String {
    let mut table = Table::new();
    *table.style_mut() = comfy_table::presets::NOTHING;
    table.set_header(headings);
    for row in rows {
        table.add_row(row.map(|cell| plain(&cell)));
    }
    for column in table.column_iter_mut() {
        column.set_padding((0, 2));
    }
    let shown = table.trim_fmt();
    let (head, body) = shown.split_once('\n').unwrap_or((&shown, ""));
    let head = print::bold(head);
    if body.is_empty() {
        format!("{head}\n")
    } else {
        format!("{head}\n{body}\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_stands_in_columns_and_ends_its_lines_without_spaces() {
        let rows = [
            ["1001".to_owned(), "created".to_owned()],
            ["7".to_owned(), String::new()],
        ];
        let shown = table(["order", "state"], rows);
        assert_eq!(
            anstream::adapter::strip_str(&shown).to_string(),
            "order  state\n1001   created\n7\n"
        );
    }

    #[test]
    fn a_path_is_one_that_a_shell_takes_again() {
        for ordinary in [
            "/srv/a b.csv",
            "/srv/Müller's 注文.csv",
            "C:\\x.csv",
            "a\u{200e}.csv",
        ] {
            assert_eq!(path(Path::new(ordinary)), ordinary);
        }
        for odd in [
            &b"/srv/\x1b]0;it's\x07 \\1\n2.csv"[..],
            b"\xff\xfe.csv",
            "\u{202e}vsc.é".as_bytes(),
        ] {
            let told = path(Path::new(std::ffi::OsStr::from_bytes(odd)));
            assert_eq!(told, plain(&told));
            let shell = std::process::Command::new("bash")
                .args(["-c", &format!("printf %s {told}")])
                .output();
            let Ok(shell) = shell else { return };
            assert_eq!(shell.stdout, odd, "{told}");
        }
    }

    #[test]
    fn a_terminal_has_nothing_to_obey() {
        assert_eq!(plain("a\u{1b}[2Jb\nc\u{7}"), "a [2Jb c ");
    }
}
