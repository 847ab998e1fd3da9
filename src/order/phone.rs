//! The phone of a shop's order, which may stand in one of several columns. Unlike the parts of an address, which belong
//! together, it is whole in each.

use super::cells::Cells;
use super::columns::Field;
use crate::finding::Finding;

/// Takes the phone from the next of its columns in which a row of the order has something, where no row has anything in
/// those before. What is in the others is not read: nothing is said of it.
pub(super) fn find(lines: &mut [Cells], findings: &mut Vec<Finding>) {
    let is_said =
        |line: &Cells| !line.text(Field::ShippingPhone).is_empty() || line.is_spoiled(Field::ShippingPhone);
    if lines.iter().any(is_said) {
        return;
    }
    let columns = lines.iter().flat_map(Cells::other_phones);
    let Some(rank) = columns.map(|phone| phone.rank).min() else {
        return;
    };
    let mut row = 0;
    for line in lines {
        // The lines that are packed into a row share its phone: what is to be said of it is said once.
        let said_already = line.row() == row;
        row = line.row();
        let mut of_line = line.take_phone(rank);
        if !said_already {
            findings.append(&mut of_line);
        }
    }
}
