//! What is said of a row's cells beside those that are read.

use crate::finding::{Code, Finding};
use crate::order::columns::Field;
use crate::order::layout::{
    Elsewhere, Layout, Role, Twin, Unnamed, Unread, column_ref, is_elsewhere, is_link,
};
use crate::order::mend::{is_unreadable, mend, quoted, unreadable};
use crate::order::nothing::says_nothing;
use crate::sheet::{CellKind, Row};

/// What is said of a part that would not be sent.
pub(super) fn left_out(text: &str, field: Field, (column, row): (usize, u32)) -> Finding {
    Finding {
        code: Code::PartLeftOut,
        row,
        column: column_ref(column),
        message: format!(
            "{} would not be sent: it stands in a column of its own, and {} does not have it.",
            quoted(text),
            field.name()
        ),
        hint: format!(
            "Write the whole into {}, as it is to stand on the label.",
            field.name()
        ),
    }
}

/// What is said of a cell beside those of the fields whose formula has no result, or an error: it would have been heeded.
pub(super) fn unreadable_beside(layout: &Layout, column: usize, row: &Row) -> Option<Finding> {
    let (text, kind) = (row.text(column).trim(), row.kind(column));
    is_unreadable(text, kind).then(|| {
        let name = match layout.header.text(column).trim() {
            "" => "a column without a heading".to_owned(),
            heading => quoted(heading),
        };
        unreadable(&name, text, kind).at(row.number(), column_ref(column))
    })
}

/// What stands in the column of a field once more, and what in the first.
pub(super) fn second(twin: Twin, (text, first): (&str, &str), row: &Row) -> Finding {
    let name = twin.field.name();
    let is = if first.is_empty() {
        format!("stands in a second column of {name}, and nothing in the first")
    } else {
        format!("is a second {name} in one row, which has a place for one alone")
    };
    Finding {
        code: Code::RepeatedColumn,
        row: row.number(),
        column: column_ref(twin.column),
        message: format!("{} {is}: it would be left out.", quoted(text)),
        hint: if twin.role == Role::Corrects {
            format!(
                "Write what counts into the column of {name} that is read, and empty this cell; rename the column if it means \
                 something else."
            )
        } else if matches!(twin.role, Role::Again { .. }) {
            "Write what counts into the shop's own column; remove this one, or rename it if it means something else.".to_owned()
        } else {
            format!(
                "Write a second item into a row of its own; of two addresses keep the one that the parcel goes to. Name the \
                 column that counts `{name}`, and rename one that means something else."
            )
        },
    }
}

/// A street beside another one, where the zip and the city do not say of which they are: sent together they may be an address
/// that there is not.
pub(super) fn of_another_address(twin: Twin, (text, first): (&str, &str), row: &Row) -> Finding {
    Finding {
        code: Code::RepeatedColumn,
        row: row.number(),
        column: column_ref(twin.column),
        message: format!(
            "{} is a street beside another one, {}, in the column that says whose it is: the zip and the city may be of either.",
            quoted(text),
            quoted(first)
        ),
        hint: "Write the street, the zip and the city that the parcel goes to into columns that belong together, such as \
               shipping_address1, shipping_zip and shipping_city, and rename or remove those of the other address."
            .to_owned(),
    }
}

/// Pieces that are left to send, where they are fewer than those that were ordered: all of these would be sent. More than were
/// ordered are a stock.
pub(super) fn fewer_left(twin: Twin, ordered: &str, row: &Row) -> Option<Finding> {
    let (column, name) = (twin.column, twin.field.name());
    let left = mend(twin.field, row.text(column), row.kind(column)).text;
    let number = |text: &str| text.parse::<i64>().ok();
    let is_fewer = number(&left)? < number(ordered)?;
    is_fewer.then(|| Finding {
        code: Code::RepeatedColumn,
        row: row.number(),
        column: column_ref(column),
        message: format!("{} are left to send here, and {ordered} would be sent.", quoted(&left)),
        hint: format!(
            "Write into `{name}` how many are to be sent, and take out a row of which none is; rename the column if it counts \
             something else."
        ),
    })
}

/// Pieces that are counted once a size, where those are not the ones of a single size that the quantity has.
pub(super) fn of_sizes(layout: &Layout, quantity: &str, row: &Row) -> Option<Finding> {
    let number = |column: usize| {
        let text = mend(Field::Quantity, row.text(column), row.kind(column)).text;
        text.parse::<u32>().ok().filter(|pieces| *pieces > 0)
    };
    let mut unread = layout.sizes().iter();
    if let Some(finding) = unread.find_map(|column| unreadable_beside(layout, *column, row)) {
        return (!quantity.is_empty()).then_some(finding);
    }
    let counted = layout.sizes().iter();
    let counted: Vec<(usize, u32)> = counted
        .filter_map(|column| Some((*column, number(*column)?)))
        .collect();
    let (column, pieces) = counted.first().copied()?;
    let is_all = counted.len() == 1 && quantity == pieces.to_string();
    (!is_all).then(|| Finding {
        code: Code::RepeatedColumn,
        row: row.number(),
        column: column_ref(column),
        message: format!("{pieces} stands in the column of a size, and one row has a place for one size and quantity alone."),
        hint: "Write each size into a row of its own, with its SKU and its quantity; rename the columns if they count \
               something else."
            .to_owned(),
    })
}

/// A link in a column that says by its name what is to be printed, and is none that dropsheet reads; or where it is said to
/// be printed, by a column that says only that.
pub(super) fn unread_artwork(unread: Unread, (layout, row): (&Layout, &Row)) -> Option<Finding> {
    let column = unread.column;
    if let Some(finding) = unreadable_beside(layout, column, row) {
        return Some(finding);
    }
    if unread.is_in_words {
        return elsewhere_than_said(column, row);
    }
    let sides = "`artwork_back`, or `artwork_2` to `artwork_5`, as the product's print areas are called";
    let named = match unread.field {
        Some(field) => format!("`{}`", field.name()),
        None if unread.is_first => format!("`artwork_front`, {sides}"),
        None => sides.to_owned(),
    };
    let text = row.text(column).trim();
    is_link(text).then(|| Finding {
        code: Code::PartLeftOut,
        row: row.number(),
        column: column_ref(column),
        message: format!(
            "{} would not be printed: dropsheet does not read its column.",
            quoted(text)
        ),
        hint: format!("Name the column {named}; or rename it if it holds no artwork."),
    })
}

/// What to do about a print that is said to be on the back.
pub(in crate::order) const MOVE_TO_THE_BACK: &str =
    "Move the link into a column `artwork_back`; or rename this one if it means something else.";

/// What to do about a print that is said to be on both sides, where one artwork is given.
pub(in crate::order) const GIVE_BOTH_SIDES: &str = "Write the link of the back into a column `artwork_back`, the same one where both sides are alike; or rename this column if \
     it means something else.";

/// What a column says of the place that is printed on, where no artwork is there.
fn elsewhere_than_said(column: usize, row: &Row) -> Option<Finding> {
    let text = row.text(column).trim();
    let (place, hint) = match is_elsewhere(text)? {
        Elsewhere::Back => ("the back", MOVE_TO_THE_BACK),
        Elsewhere::BothSides => ("one of the two sides", GIVE_BOTH_SIDES),
        Elsewhere::Neither => (
            "that place",
            "Move the link into a column `artwork_2` to `artwork_5`, as the product's print areas are called; or rename this \
             one if it means something else.",
        ),
    };
    Some(Finding {
        code: Code::PartLeftOut,
        row: row.number(),
        column: column_ref(column),
        message: format!(
            "{} would not be heeded: artwork is printed where its own column says, and none is given for {place}.",
            quoted(text)
        ),
        hint: hint.to_owned(),
    })
}

/// What people tick a row with, and what a spreadsheet makes of that.
const TICKS: [&str; 10] = [
    "true", "false", "wahr", "falsch", "x", "ok", "y", "n", "yes", "no",
];

/// Whether a text is what people tick a row with.
pub(in crate::order) fn is_tick(text: &str) -> bool {
    TICKS.iter().any(|tick| text.eq_ignore_ascii_case(tick))
}

/// Text in a column without a heading, right of one that is read: it is a part of that to a person, and would be lost.
pub(super) fn under_no_heading(layout: &Layout, row: &Row) -> Option<Finding> {
    let is_lost = |unnamed: &&Unnamed| {
        let text = row.text(unnamed.column).trim();
        // Cells of a row that are merged say one thing.
        !says_nothing(text) && !is_tick(text) && text != row.text(unnamed.named).trim()
    };
    let mut unnamed = layout.unnamed().iter();
    let without_result = |unnamed: &&Unnamed| row.kind(unnamed.column) == CellKind::NoValue;
    if let Some(unnamed) = unnamed.find(without_result) {
        return unreadable_beside(layout, unnamed.column, row);
    }
    let unnamed = layout.unnamed().iter().find(is_lost)?;
    let text = quoted(row.text(unnamed.column).trim());
    Some(Finding {
        code: Code::RaggedRow,
        row: row.number(),
        column: column_ref(unnamed.column),
        message: format!("{text} stands in a column without a heading, and would be left out."),
        hint: "Write it into the cell on its left, or give the column a heading; remove it if it is not of the order. Where a \
               heading goes over several columns, give each its own."
            .to_owned(),
    })
}

/// Text to the right of the last column is what an unquoted comma in an address makes: every cell after it has moved.
pub(super) fn beyond_the_header(layout: &Layout, row: &Row) -> Option<Finding> {
    let column = (layout.width()..row.len()).find(|column| row.has_text(*column))?;
    let text = quoted(row.text(column).trim());
    Some(Finding {
        code: Code::RaggedRow,
        row: row.number(),
        column: column_ref(column),
        message: format!("The row has more cells than the header; {text} is in none of its columns."),
        hint: "Put quotes around a text that holds the separator, or remove what stands right of the last column."
            .to_owned(),
    })
}
