//! Columns of a shop's export that hold once more what is read from another one: a column that is there twice, and one by
//! dropsheet's own name beside the shop's.

use crate::sheet::Row;

use super::super::columns::{Field, is_result, normalized};
use super::super::profile::source_names;
use super::super::shop::Shop;
use super::beside::{Role, Twin, left_to_send};
use super::column_of;

/// The columns of an export that hold a field once more. `columns` are those of the fields.
pub(super) fn in_shop(header: &Row, shop: &Shop, columns: &[Option<usize>; Field::COUNT]) -> Vec<Twin> {
    let read = shop.read_columns();
    let is_other = |column: &usize| {
        !is_result(header.text(*column)) && !read.contains(column) && !columns.contains(&Some(*column))
    };
    let twin = |column: usize| {
        let field_of = |field: &Field| once_more(header, (shop, columns), (*field, column));
        let roles = Field::ALL.into_iter().filter(|field| field.must_be_named_once());
        let mut roles = roles.filter_map(|field| Some((field, field_of(&field)?)));
        let (field, role) = roles.next()?;
        // By its name it is the one field, and as it is written another one: `shipping_province` beside `Shipping Province`,
        // which is a code.
        roles.next().is_none().then_some(Twin { field, column, role })
    };
    let twins = (0..header.len()).filter(is_other).filter_map(twin);
    let judged = shop.judged_columns();
    let left = left_to_send(header, columns).into_iter();
    let left = left.filter(|twin| is_other(&twin.column) && !judged.contains(&twin.column));
    twins.chain(left).collect()
}

/// As what a column holds a field once more that is read from another one.
fn once_more(
    header: &Row,
    (shop, columns): (&Shop, &[Option<usize>; Field::COUNT]),
    (field, column): (Field, usize),
) -> Option<Role> {
    let read = column_of(columns, field)?;
    let text = header.text(column);
    let name = normalized(text);
    let sources = shop.source(field).map_or(&[][..], source_names);
    let mut sources = sources.iter().filter_map(|source| shop.place(source));
    let named = |column: usize| normalized(header.text(column)) == name;
    if let Some(of) = sources.find(|source| named(*source)) {
        return Some(Role::Again { of: Some(of) });
    }
    let is_native = text.trim() == field.name();
    // Who writes a profile of their own says which of the columns count, and a shop's own number of an order may have the name.
    let is_added = is_native && shop.is_built_in() && field != Field::OrderId;
    let is_ours = field.is_no_shops() && name == normalized(field.name()) && shop.source(field).is_none();
    if is_ours {
        return Some(Role::Again { of: Some(read) });
    }
    is_added.then_some(Role::Again { of: None })
}
