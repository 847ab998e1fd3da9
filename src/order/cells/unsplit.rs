//! Rows that stand in one cell whole: a spreadsheet that separates by semicolons has saved a comma CSV again, or rows were
//! pasted into one column. Nothing of such a row can be read, and it is no note.

use crate::finding::{Code, Finding};
use crate::order::columns::Field;
use crate::order::layout::{Layout, column_ref, is_link};
use crate::order::mend::quoted;
use crate::sheet::Row;

/// What cells are separated by in a text.
const SEPARATORS: [char; 4] = ['\t', ';', ',', '|'];

/// So many columns an order has at least.
const OF_AN_ORDER: usize = 8;

/// What is said of a row that was not split into its columns; none where it was, or where its text is a note.
pub(in crate::order) fn unsplit(layout: &Layout, row: &Row) -> Option<Finding> {
    let column = alone(layout, row)?;
    let text = row.text(column).trim();
    holds_a_row(text, layout.own_columns().len()).then(|| Finding {
        code: Code::RaggedRow,
        row: row.number(),
        column: column_ref(column),
        message: format!(
            "The whole row stands in one cell, {}: it was not split into its columns, and nothing of it can be read.",
            quoted(text)
        ),
        hint: "Split the cell into columns (Data, Text to Columns), or save the sheet once more from where it came, with one \
               separator in all of its rows, and drop that."
            .to_owned(),
    })
}

/// The first column of a row that has text, where no field of an order has any beside it, but for a count.
fn alone(layout: &Layout, row: &Row) -> Option<usize> {
    let has_text = |column: usize| row.has_text(column);
    let first = layout
        .own_columns()
        .iter()
        .copied()
        .find(|column| has_text(*column))?;
    let mut others = Field::ALL
        .into_iter()
        .filter(|field| !matches!(field, Field::Quantity | Field::Action))
        .filter_map(|field| layout.column(field));
    let is_alone = others.all(|column| column == first || !has_text(column));
    is_alone.then_some(first)
}

/// Whether a text holds the cells of a row that has about so many columns: an ordinary sentence has commas too, with a space
/// behind each.
fn holds_a_row(text: &str, columns: usize) -> bool {
    SEPARATORS.into_iter().any(|separator| {
        let parts: Vec<&str> = text.split(separator).collect();
        let spaced = parts
            .iter()
            .skip(1)
            .filter(|part| part.starts_with(char::is_whitespace));
        let is_tight = separator == '\t' || spaced.count().saturating_mul(2) < parts.len();
        let has = |is_it: fn(&str) -> bool| parts.iter().any(|part| is_it(bare(part)));
        let (has_link, has_number) = (has(is_link), has(is_number));
        let most = columns.saturating_mul(3).div_ceil(4).min(OF_AN_ORDER);
        if is_tight {
            parts.len() > 3 && (has_link || has_number && has(is_worded) && parts.len() >= most)
        } else {
            parts.len() >= OF_AN_ORDER
                && (has_link || parts.iter().filter(|part| is_number(bare(part))).count() > 1)
        }
    })
}

/// A part without the quotes around it.
fn bare(part: &str) -> &str {
    part.trim().trim_matches('"')
}

/// Whether a part is a number, such as a count or a zip.
fn is_number(part: &str) -> bool {
    !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a part has a word, such as a city.
fn is_worded(part: &str) -> bool {
    part.chars().filter(|c| c.is_alphabetic()).count() > 2
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::order::tests::{drafts, drafts_of, text_row};
    use crate::order::{Draft, Profiles};

    const HEADER: [&str; 10] = [
        "order_id", "Name", "Address", "City", "State", "Zip", "Country", "SKU", "Qty", "Artwork",
    ];

    /// The order of a row that has these cells in front.
    fn draft(cells: &[&str]) -> Draft {
        let row = (0..HEADER.len()).map(|column| cells.get(column).copied().unwrap_or_default());
        drafts(&HEADER, &[row.map(str::to_owned).collect()]).remove(0)
    }

    #[test]
    fn a_whole_row_in_one_cell_is_an_error_and_no_note() {
        for cell in [
            "1002,\"Bob, Jr.\",5 Elm,Austin,TX,78701,US,TEE-CLASSIC-BLK-S,1,https://example.com/a.png",
            "1002;Bob Example;5 Elm;Austin;TX;78701;US;TEE-CLASSIC-BLK-S;1;https://example.com/a.png",
            "1002\tBob Example\t5 Elm\tAustin\tTX\t78701\tUS\tTEE-CLASSIC-BLK-S\t1\thttps://example.com/a.png",
            "1002|Bob Example|5 Elm|Austin|TX|78701|US|TEE-CLASSIC-BLK-S|1|",
            "1002,Bob Example,5 Elm,Austin,TX,78701,US,TEE-CLASSIC-BLK-S,1,",
            "1002, Bob Example, 5 Elm, Austin, TX, 78701, US, TEE-CLASSIC-BLK-S, 1",
            "1002,,,,,,,TEE-CLASSIC-BLK-S,1,https://example.com/a.png",
            "A-1002,Bob Example,5 Elm,Austin,TX,78701,US,TEE-CLASSIC-BLK-S,1,",
        ] {
            let draft = draft(&[cell]);
            let codes: Vec<Code> = draft.findings().iter().map(|finding| finding.code).collect();
            assert!(!draft.is_footer(), "{cell}");
            assert_eq!(codes, [Code::RaggedRow], "{cell}");
            assert_eq!(draft.findings()[0].column, Some(0), "{cell}");
            assert_eq!(draft.order_id(), "", "{cell}");
        }
        // A formula beside it may count.
        let summed = [
            "1002,Bob,5 Elm,Austin,TX,78701,US,TEE,1,",
            "",
            "",
            "",
            "",
            "",
            "",
            "",
            "0",
        ];
        assert!(!draft(&summed).is_footer());
    }

    #[test]
    fn a_whole_row_in_one_cell_of_a_shops_export_is_an_error_too() {
        let header = "Sale Date,Item Name,Buyer,Quantity,Price,Date Paid,Date Shipped,Ship Name,Ship Address1,Ship Address2,\
                      Ship City,Ship State,Ship Zipcode,Ship Country,Order ID,Variations,Listing ID,Transaction ID,SKU";
        let header: Vec<&str> = header.split(',').collect();
        let layout = Profiles::default().layout(&text_row(1, &header)).unwrap();
        let cell = "11/20/26,\"Tee, black\",ada,1,20.00,11/20/26,,Ada,12 Maple,,Columbus,OH,43004,United States,1001,,5,6,TEE";
        let drafts = drafts_of(layout, &[text_row(2, &[cell])]);
        let codes: Vec<Code> = drafts[0].findings().iter().map(|finding| finding.code).collect();
        assert_eq!(codes, [Code::RaggedRow]);
        assert!(drafts[0].has_lines() && !drafts[0].is_footer() && drafts[0].unpaid().is_none());
    }

    #[test]
    fn a_sentence_with_commas_is_a_note_still() {
        for cell in [
            "Please pack well, add a card, no invoice, thanks, Ann",
            "Sizes are S, M, L, XL, 2XL, 3XL, 4XL, 5XL",
            "Orders 1001, 1002, 1003 are for Tom; all others, as ever, are for the shop",
            "Total 1,234,567.00",
            "Printed: 12.11.2026; page 1 of 2; by Ann",
            "Sent with https://example.com/a, see there",
            "Sizes we have: S,M,L,XL,2XL,3XL,4XL,5XL",
            "A, B and C",
        ] {
            let draft = draft(&[cell]);
            assert!(draft.is_footer() && draft.findings().is_empty(), "{cell}");
        }
    }
}
