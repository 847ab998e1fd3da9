//! What is read in the place of a field whose own column is blank: the phone of a shop's order may stand in one of several
//! columns, and the name of who gets the parcel in that of the customer. Unlike the parts of an address, which belong
//! together, each of them is whole by itself.

use super::cells::Cells;
use super::columns::Field;
use crate::finding::Finding;

/// The fields that may be read from other columns.
const FIELDS: [Field; 2] = [Field::ShippingName, Field::ShippingPhone];

/// Takes each of them from the next of its columns in which a row of the order has something, where no row has anything in
/// those before. What is in the others is not read: nothing is said of it.
pub(super) fn find(lines: &mut [Cells], findings: &mut Vec<Finding>) {
    for field in FIELDS {
        find_one(field, lines, findings);
    }
}

fn find_one(field: Field, lines: &mut [Cells], findings: &mut Vec<Finding>) {
    let is_said = |line: &Cells| !line.text(field).is_empty() || line.is_spoiled(field);
    if lines.iter().any(is_said) {
        return;
    }
    let columns = lines.iter().flat_map(Cells::instead);
    let ranks = columns
        .filter(|other| other.field == field)
        .map(|other| other.rank);
    let Some(rank) = ranks.min() else {
        return;
    };
    let mut row = 0;
    for line in lines {
        // The lines that are packed into a row share its text: what is to be said of it is said once.
        let said_already = line.row() == row;
        row = line.row();
        let mut of_line = line.take_instead(field, rank);
        if !said_already {
            findings.append(&mut of_line);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::order::columns::Field;
    use crate::order::tests::drafts;

    /// Whose name an order has; `rows` give the name, that of the recipient and the street.
    fn name(header: &str, rows: &[[&str; 3]]) -> (String, usize) {
        let names: Vec<&str> = header.split(',').collect();
        let row = |[name, recipient, street]: &[&str; 3]| {
            let row = format!("1,{name},{street},Columbus,OH,43004,US,TEE,1,{recipient}");
            row.split(',').map(str::to_owned).collect::<Vec<String>>()
        };
        let rows: Vec<Vec<String>> = rows.iter().map(row).collect();
        let draft = drafts(&names, &rows).remove(0);
        let name = draft.value(Field::ShippingName).text.to_owned();
        (name, draft.findings().len())
    }

    const ELM: &str = "12 Elm Street";

    #[test]
    fn a_customer_gets_the_parcel_where_the_column_of_another_recipient_is_blank() {
        for recipient in [
            "Ship to",
            "Recipient",
            "Ship To Name",
            "Deliver to",
            "Delivery name",
            "Consignee",
            "Receiver",
            "Receiver name",
        ] {
            for customer in ["Name", "Customer name", "Buyer", "Kunde"] {
                is_the_customer_where_blank(&format!(
                    "Order,{customer},Street,City,State,Zip,Country,SKU,Qty,{recipient}"
                ));
            }
        }
    }

    fn is_the_customer_where_blank(header: &str) {
        for (rows, expected) in [
            (&[["Ada", "", ELM]][..], "Ada"),
            (&[["Ada", "Gina", ELM]][..], "Gina"),
            // What one row says, the whole order says.
            (&[["Ada", "", ELM], ["Ada", "Gina", ELM]][..], "Gina"),
            (&[["Ada", "", ELM], ["", "", ELM]][..], "Ada"),
            (&[["", "", ELM]][..], ""),
        ] {
            assert_eq!(name(header, rows), (expected.to_owned(), 0), "{header} {rows:?}");
        }
    }

    #[test]
    fn whose_address_it_may_not_be_gets_no_parcel_for_a_blank_recipient() {
        for header in [
            "Order,Name,Street,City,State,Zip,Country,SKU,Qty,shipping_name",
            "Order,Name,Ship To Street,Ship To City,State,Zip,Country,SKU,Qty,Ship to",
            "Order,Name,Street,City,State,Zip,Shipping Country,SKU,Qty,Ship to",
        ] {
            assert_eq!(name(header, &[["Ada", "", ELM]]).0, "", "{header}");
        }
        // Of two names nobody knows which one it is.
        let two = "Order,Name,Street,City,State,Zip,Country,SKU,Qty,Ship to,Customer";
        assert_eq!(name(two, &[["Ada", ",Bob", ELM]]).0, "");
        assert_eq!(name(two, &[["Ada", ",ADA", ELM]]).0, "Ada");
        assert_eq!(name(two, &[["", ",Bob", ELM]]).0, "Bob");
        let spoiled = "Order,Name,Street,City,State,Zip,Country,SKU,Qty,Ship to";
        assert_eq!(name(spoiled, &[["Ada", "#N/A", ELM]]), (String::new(), 1));
    }
}
