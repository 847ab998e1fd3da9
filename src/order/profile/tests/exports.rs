//! What single exports do in a way of their own.

use super::*;

/// Rows of eBay's report, each of an order's number, its item's number, its SKU and when it was shipped.
fn ebay(rows: &[[&'static str; 4]]) -> Vec<Draft> {
    let rows: Vec<Vec<(&str, &str)>> = rows
        .iter()
        .map(|[order, item, sku, shipped]| {
            vec![
                ("Order Number", *order),
                ("Item Number", *item),
                ("Custom Label", *sku),
                ("Shipped On Date", *shipped),
                ("Quantity", "1"),
                ("Paid On Date", "Nov-20-26"),
            ]
        })
        .collect();
    let rows: Vec<&[(&str, &str)]> = rows.iter().map(Vec::as_slice).collect();
    drafts(EBAY, &rows)
}

fn aside(draft: &Draft) -> Vec<(u32, Why)> {
    draft.aside().map(|(row, why, _reason)| (row, why)).collect()
}

#[test]
fn what_a_summary_row_says_of_shipping_counts_for_all_lines_of_its_order() {
    let drafts = ebay(&[
        ["1", "", "", "Nov-21-26"],
        ["1", "110", "A", ""],
        ["1", "111", "B", ""],
        ["2", "", "", ""],
        ["2", "110", "A", "Nov-21-26"],
        ["2", "111", "B", ""],
    ]);
    let [whole, part] = &drafts[..] else {
        panic!("{drafts:?}")
    };
    let sent = Why::Fulfilled;
    assert_eq!(aside(whole), [(2, Why::NoLine), (3, sent), (4, sent)]);
    assert_eq!(aside(part), [(5, Why::NoLine), (6, sent)]);
    assert_eq!(skus(part), ["B"]);
}

#[test]
fn a_row_without_an_item_number_sums_up_item_rows_below_it_or_is_a_line() {
    let drafts = ebay(&[
        ["alone", "", "A", ""],
        ["nothing", "", "", ""],
        ["last", "110", "A", ""],
        ["last", "", "B", ""],
        ["summed", "", "A", ""],
        ["summed", "110", "A", ""],
        ["numberless", "", "", ""],
        ["numberless", "", "A", ""],
        ["numberless", "", "B", ""],
        ["sent", "", "A", "Nov-21-26"],
    ]);
    let told: Vec<String> = drafts
        .iter()
        .map(|draft| format!("{} {:?} {:?}", draft.order_id(), skus(draft), aside(draft)))
        .collect();
    assert_eq!(
        told,
        [
            r#"alone ["A"] []"#,
            r#"nothing [""] []"#,
            r#"last ["A", "B"] []"#,
            r#"summed ["A"] [(6, NoLine)]"#,
            r#"numberless ["A", "B"] [(8, NoLine)]"#,
            r"sent [] [(11, Fulfilled)]",
        ]
    );
}

#[test]
fn a_company_of_shopify_s_is_on_the_label() {
    let names = SHOPIFY.replace(
        "Shipping Address1",
        "Shipping Address1,Shipping Address2,Shipping Company",
    );
    let row = |company: &'static str, address2: &'static str| {
        let drafts = drafts(
            &names,
            &[&[
                ("Name", "#1"),
                ("Shipping Company", company),
                ("Shipping Address2", address2),
            ]],
        );
        value(&drafts[0], Field::ShippingAddress2).to_owned()
    };
    assert_eq!(row("ACME GmbH", ""), "ACME GmbH");
    assert_eq!(row("ACME GmbH", "Floor 2"), "ACME GmbH, Floor 2");
    assert_eq!(row("", "Floor 2"), "Floor 2");
}

#[test]
fn native_columns_that_are_added_to_an_export_count() {
    for (front, action) in [("artwork_front", "action"), ("Artwork Front", "Action")] {
        let names = format!("{SHOPIFY},{front},{action},Shipping Service");
        let drafts = drafts(
            &names,
            &[&[
                ("Name", "#1"),
                ("Lineitem sku", "A"),
                ("Lineitem quantity", "1"),
                (front, "https://example.com/a.png"),
                (action, "cancel"),
                ("Cancelled at", "2026-11-20"),
                ("Shipping Service", "By the shop's own van"),
            ]],
        );
        assert_eq!(drafts[0].action(), crate::order::Action::Cancel);
        assert_eq!(
            drafts[0].lines()[0].text(Field::ArtworkFront),
            "https://example.com/a.png"
        );
        assert_eq!(drafts[0].value(Field::ShippingService).text, "");
    }
}
