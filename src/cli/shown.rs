//! How commands show what others have written, moments, ages and tables to a person.

pub(super) use crate::status::text::plain;
use comfy_table::Table;

use super::print;

pub(super) use crate::status::age;
pub(super) use crate::status::text::{moment, more_waiting, span};

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
    fn a_terminal_has_nothing_to_obey() {
        assert_eq!(plain("a\u{1b}[2Jb\nc\u{7}"), "a [2Jb c ");
    }
}
