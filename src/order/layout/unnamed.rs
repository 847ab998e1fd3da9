//! Columns without a heading: what stands right of a column that is read is a part of it to a person, as where the cells
//! of a heading were merged, and is read by nobody.

use crate::sheet::Row;

use super::super::columns::is_result;

/// A column without a heading, right of one that is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::order) struct Unnamed {
    /// Counted from 0.
    pub(in crate::order) column: usize,
    /// The column with a heading, left of it.
    pub(in crate::order) named: usize,
}

/// The columns without a heading that stand between others, behind one that `is_read`.
pub(super) fn unnamed(header: &Row, is_read: impl Fn(usize) -> bool) -> Vec<Unnamed> {
    let has_name = |column: &usize| header.has_text(*column);
    let is_own = |column: &usize| !is_result(header.text(*column));
    // The columns of a result stand right of a sheet's own.
    let mut named = (0..header.len()).filter(|column| has_name(column) && is_own(column));
    let last = named.next_back().unwrap_or_default();
    let behind = |column: usize| {
        let named = (0..column).rev().find(has_name)?;
        is_read(named).then_some(Unnamed { column, named })
    };
    (0..last)
        .filter(|column| !has_name(column))
        .filter_map(behind)
        .collect()
}

#[cfg(test)]
mod tests {
    use crate::finding::Code;
    use crate::order::Draft;
    use crate::order::tests::drafts;

    /// The order of a row under a header that has these columns in the place of `*`, and the row these cells.
    fn draft(header: &str, row: &str) -> Draft {
        let header: Vec<&str> = header.split(',').collect();
        let row = row.split(',').map(str::to_owned).collect();
        drafts(&header, &[row]).remove(0)
    }

    fn told(header: &str, row: &str) -> Vec<(Code, Option<u16>)> {
        let draft = draft(header, row);
        let findings = draft.findings().iter();
        findings.map(|finding| (finding.code, finding.column)).collect()
    }

    #[test]
    fn text_under_a_blank_heading_right_of_a_column_that_is_read_is_an_error() {
        for (header, row, column) in [
            (
                "order_id,Name,Address,,City,Zip,Country,SKU,Qty",
                "1,Ada,12 Maple,Apt 5,Columbus,43004,US,TEE,1",
                3,
            ),
            (
                "order_id,Name,,Address,City,Zip,Country,SKU,Qty",
                "1,Ada,Example,12 Maple,Columbus,43004,US,TEE,1",
                2,
            ),
            (
                "order_id,Name,Address,City,Zip,Country,SKU,Qty,,Note",
                "1,Ada,12 Maple,Columbus,43004,US,TEE,1,3,",
                8,
            ),
            (
                "order_id,Name,Address,,,City,Zip,Country,SKU,Qty",
                "1,Ada,12 Maple,,Apt 5,Columbus,43004,US,TEE,1",
                4,
            ),
            (
                "order_id,First Name,Last Name,,Address,City,Zip,Country,SKU,Qty",
                "1,Ada,Example,Jr.,12 Maple,Columbus,43004,US,TEE,1",
                3,
            ),
        ] {
            assert_eq!(told(header, row), [(Code::RaggedRow, Some(column))], "{header}");
        }
    }

    #[test]
    fn blank_columns_and_those_that_say_nothing_of_the_order_are_left_alone() {
        for (header, row) in [
            (
                "order_id,Name,Address,,City,Zip,Country,SKU,Qty",
                "1,Ada,12 Maple,,Columbus,43004,US,TEE,1",
            ),
            (
                "order_id,Name,Address,,City,Zip,Country,SKU,Qty",
                "1,Ada,12 Maple,-,Columbus,43004,US,TEE,1",
            ),
            // Merged cells of the row itself say one thing.
            (
                "order_id,Name,Address,,City,Zip,Country,SKU,Qty",
                "1,Ada,12 Maple,12 Maple,Columbus,43004,US,TEE,1",
            ),
            (
                "order_id,Name,Address,City,Zip,Country,SKU,Qty,,Note",
                "1,Ada,12 Maple,Columbus,43004,US,TEE,1,TRUE,",
            ),
            (
                "order_id,Name,Address,City,Zip,Country,SKU,Qty,Colour,,Note",
                "1,Ada,12 Maple,Columbus,43004,US,TEE,1,Black,dark,",
            ),
            (
                ",order_id,Name,Address,City,Zip,Country,SKU,Qty",
                "17,1,Ada,12 Maple,Columbus,43004,US,TEE,1",
            ),
            (
                ",order_id,Name,Address,City,Zip,Country,SKU,Qty",
                "TRUE,1,Ada,12 Maple,Columbus,43004,US,TEE,1",
            ),
        ] {
            assert_eq!(told(header, row), [], "{header}");
            assert_eq!(draft(header, row).shop_holds(), [""; 0], "{header}");
        }
    }

    #[test]
    fn a_word_in_the_margin_says_how_the_order_stands() {
        let header = ",,order_id,Name,Address,City,Zip,Country,SKU,Qty";
        for (margin, holds) in [
            ("canceled,", 1),
            (",Cancelled", 1),
            ("do not print,", 1),
            ("sent,", 1),
            ("on hold,3", 1),
            ("hold,", 1),
            ("1,", 0),
            ("x,", 0),
            ("☑,new", 0),
            ("Ann,", 0),
        ] {
            let row = format!("{margin},1,Ada,12 Maple,Columbus,43004,US,TEE,1");
            assert_eq!(draft(header, &row).shop_holds().len(), holds, "{margin}");
            assert_eq!(told(header, &row), [], "{margin}");
        }
    }
}
