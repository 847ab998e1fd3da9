//! What a sheet asks for beside what is sent: a text that the buyer wrote, or a faster way of shipping. Nothing is done about
//! it, so that a person has to know.

mod for_print;
mod speed;

use crate::finding::{Code, Finding};
use crate::sheet::Row;

use super::cells::Cells;
use super::columns::Field;
use super::layout::{Layout, column_ref};
use super::mend::{mend, quoted};
use super::shop::Shop;

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Asked {
    /// A text, for the line of the row.
    TextOfLine,
    /// A text, for the order as a whole.
    TextOfOrder,
    /// A faster way of shipping, for the order.
    Speed,
}

/// Something that a row asks for, and what is said of it.
#[derive(Clone, Debug)]
pub(crate) struct Unheeded {
    pub(crate) asked: Asked,
    pub(crate) finding: Finding,
}

/// What stands in a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Holds {
    /// A text for the print, as the column's name says.
    Text,
    /// Whatever the buyer wrote.
    Message,
    /// Names and texts: `Size:M,Personalization:Ada`.
    Options,
    /// A way of shipping.
    Shipping,
}

/// The columns of a header in which something may be asked for.
#[derive(Clone, Debug, Default)]
pub(super) struct UnheededColumns {
    columns: Vec<(usize, Holds)>,
    /// Whether it is a shop's export. In a sheet of one's own, who gives a line its artwork has seen what stands beside it.
    is_of_a_shop: bool,
}

/// What to do about a text.
const PUT_IT_INTO_THE_ARTWORK: &str = "Where it is to be printed, put it into the artwork, or into a column `variant_note` for the \
                                       print service; an order that is created already is canceled first, and dropped under another id.";

impl UnheededColumns {
    /// Of a sheet of one's own; `fields` are the columns that are read.
    pub(super) fn of_own(header: &Row, own: &[usize], fields: &[Option<usize>]) -> Self {
        let is_read = |column: usize| fields.contains(&Some(column));
        Self {
            columns: texts(header, own, &is_read),
            is_of_a_shop: false,
        }
    }

    /// Of a shop's export.
    pub(super) fn of_shop(header: &Row, own: &[usize], (shop, fields): (&Shop, &[Option<usize>])) -> Self {
        let written = shop.written();
        let named = |names: &[String], holds: Holds| -> Vec<(usize, Holds)> {
            let places = names.iter().filter_map(|name| shop.place(name));
            places.map(|column| (column, holds)).collect()
        };
        let shipping = written.shipping_method.iter();
        let mut shipping = shipping.flat_map(|column| named(column.names(), Holds::Shipping));
        let mut columns: Vec<(usize, Holds)> = shipping.next().into_iter().collect();
        columns.extend(named(&written.buyer_texts, Holds::Message));
        columns.extend(named(&written.options, Holds::Options));
        columns.extend(
            shop.packed_columns()
                .iter()
                .map(|column| (*column, Holds::Options)),
        );
        let mut read = shop.named_columns();
        read.extend(columns.iter().map(|(column, _)| *column));
        let is_read = |column: usize| fields.contains(&Some(column)) || read.contains(&column);
        columns.extend(texts(header, own, &is_read));
        Self {
            columns,
            is_of_a_shop: true,
        }
    }

    /// What a row asks for. Its cells are those that were read of it.
    pub(super) fn of(&self, (layout, row): (&Layout, &Row), cells: &Cells) -> Vec<Unheeded> {
        let has_artwork = || Field::ARTWORK.iter().any(|field| !cells.text(*field).is_empty());
        if self.columns.is_empty() || (!self.is_of_a_shop && has_artwork()) {
            return Vec::new();
        }
        let filled = self.columns.iter().filter(|(column, _)| row.has_text(*column));
        filled
            .flat_map(|(column, holds)| asked_in((*column, *holds), (layout, row), cells))
            .collect()
    }
}

/// The columns of a header that have a text for the print by their names, where nothing else is read in them.
fn texts(header: &Row, own: &[usize], is_read: &dyn Fn(usize) -> bool) -> Vec<(usize, Holds)> {
    let own = own.iter().copied().filter(|column| !is_read(*column));
    own.filter(|column| for_print::is_called_so(header.text(*column)))
        .map(|column| (column, Holds::Text))
        .collect()
}

fn asked_in((column, holds): (usize, Holds), (layout, row): (&Layout, &Row), cells: &Cells) -> Vec<Unheeded> {
    let text = mend(Field::VariantNote, row.text(column), row.kind(column)).text;
    let text = text.trim();
    let name = layout.header.text(column);
    let asked = |asked, (code, message), hint: String| Unheeded {
        asked,
        finding: Finding {
            code,
            row: row.number(),
            column: column_ref(column),
            message,
            hint,
        },
    };
    let unsent = |name: &str, text: &str| {
        let (name, text) = (quoted(name), quoted(text));
        let message =
            format!("{name} says {text}, which is not sent to the printer: the artwork is printed as it is.");
        (Code::UnsentText, message)
    };
    // What the merchant has put there is sent.
    let is_new = |text: &str| !for_print::is_none(text) && !cells.text(Field::VariantNote).contains(text);
    match holds {
        Holds::Shipping if speed::is_faster(text) => {
            let (name, text) = (quoted(name), quoted(text));
            let message = format!("{name} says {text}, and the order goes out by the standard service.");
            vec![asked(
                Asked::Speed,
                (Code::SlowerService, message),
                WRITE_THE_SERVICE.to_owned(),
            )]
        }
        Holds::Text if is_new(text) => vec![asked(
            Asked::TextOfLine,
            unsent(name, text),
            PUT_IT_INTO_THE_ARTWORK.to_owned(),
        )],
        Holds::Message if is_new(text) => vec![asked(
            Asked::TextOfOrder,
            unsent(name, text),
            format!("Read it. {PUT_IT_INTO_THE_ARTWORK}"),
        )],
        // Who has mapped what stands for a SKU has seen the text in it.
        Holds::Options if !stands_for_the_sku(column, (layout, row)) => for_print::pairs(text)
            .into_iter()
            .filter(|(_, text)| is_new(text))
            .map(|(name, text)| {
                asked(
                    Asked::TextOfLine,
                    unsent(name, text),
                    PUT_IT_INTO_THE_ARTWORK.to_owned(),
                )
            })
            .collect(),
        Holds::Shipping | Holds::Text | Holds::Message | Holds::Options => Vec::new(),
    }
}

/// What to do about a slower way of shipping.
const WRITE_THE_SERVICE: &str = "Where the buyer has paid for a faster one, write AUEX (to AU), US2DAYS or USGR (to US) into a column \
                                 `shipping_service`; there is none to other countries. An order that is created already is canceled \
                                 first, and dropped under another id.";

/// Whether what stands in a column is a part of what stands for the SKU of a row that has none.
fn stands_for_the_sku(column: usize, (layout, row): (&Layout, &Row)) -> bool {
    let has_sku = layout.column(Field::ItemSku).is_some_and(|sku| row.has_text(sku));
    let mut keys = layout.shop().into_iter().flat_map(Shop::key_columns);
    !has_sku && keys.any(|key| key == column)
}
