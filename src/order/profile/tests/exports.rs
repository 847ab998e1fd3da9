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
fn listings_whose_numbers_a_spreadsheet_has_rounded_are_not_one_product() {
    let drafts = ebay(&[
        ["1", "1.10123E+11", "", ""],
        ["2", "110123456789", "", ""],
        ["3", "1.10123E+11", "A", ""],
    ]);
    let lost: Vec<bool> = drafts
        .iter()
        .map(|draft| draft.is_spoiled(Field::ItemSku))
        .collect();
    assert_eq!(lost, [true, false, false]);
    let told = &drafts[0].findings()[0];
    assert_eq!(told.code, Code::LostDigits);
    assert_eq!(told.cell().unwrap().to_string(), "I2");
}

#[test]
fn a_line_that_two_exports_have_is_one_line_whatever_else_has_changed() {
    let names = format!("{SHOPIFY},Total,Tags");
    let shopify = |total: &'static str| {
        let row = |tags: &'static str| {
            [
                ("Name", "#1"),
                ("Lineitem sku", "A"),
                ("Lineitem quantity", "1"),
                ("Total", total),
                ("Tags", tags),
            ]
        };
        drafts(&names, &[&row(""), &row("printed")])
            .remove(0)
            .repeated_rows()
    };
    assert!(shopify("20.00"), "an order's first row is there twice");
    assert!(!shopify(""), "two lines may be the same");
    let amazon = |second: &'static str| {
        let row = |item: &'static str, left: &'static str| {
            [
                ("order-id", "1"),
                ("order-item-id", item),
                ("quantity-to-ship", left),
                ("sku", "A"),
            ]
        };
        drafts(AMAZON, &[&row("77", "2"), &row(second, "1")])
            .remove(0)
            .repeated_rows()
    };
    assert_eq!((amazon("77"), amazon("78")), (true, false));
}

#[test]
fn a_row_without_an_id_below_an_order_may_be_its_line() {
    let first = [
        ("Name", "#1"),
        ("Lineitem name", "Fox tee"),
        ("Shipping City", "Albany"),
    ];
    let second = [("Lineitem name", "Mug"), ("Lineitem quantity", "1")];
    let drafts = drafts(SHOPIFY, &[&first, &second]);
    assert_eq!(drafts.len(), 1);
    assert_eq!(drafts[0].rows_without_id().collect::<Vec<_>>(), [3]);
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

/// An order of a row that says its status and when it was paid.
fn tiktok(status: &'static str, paid: &'static str) -> Draft {
    let cells = [
        ("Order ID", "577000000000000001"),
        ("Order Status", status),
        ("Paid Time", paid),
        ("Seller SKU", "A"),
        ("Quantity", "1"),
    ];
    drafts(&format!("{TIKTOK},Paid Time"), &[&cells]).remove(0)
}

#[test]
fn of_indonesia_and_vietnam_city_and_district_are_each_where_they_belong() {
    let line = [
        ("Order ID", "577000000000000001"),
        ("Seller SKU", "A"),
        ("Quantity", "1"),
    ];
    let read = |names: &str, address: &[(&'static str, &'static str)]| {
        let order = drafts(names, &[&[&line[..], address].concat()]).remove(0);
        [
            Field::ShippingAddress1,
            Field::ShippingAddress2,
            Field::ShippingCity,
            Field::ShippingProvince,
        ]
        .map(|field| value(&order, field).to_owned())
    };
    let indonesia = TIKTOK.replace("District,", "Regency and City,Districts,Villages,");
    let address = [
        ("Province", "Jawa Barat"),
        ("Regency and City", "Kota Bandung"),
        ("Districts", "Coblong"),
        ("Villages", "Dago"),
        ("Detail Address", "Jl. Contoh No. 12"),
    ];
    assert_eq!(
        read(&indonesia, &address),
        ["Jl. Contoh No. 12", "Dago, Coblong", "Kota Bandung", "Jawa Barat"]
    );
    let address = [
        ("Province", "Hà Nội"),
        ("District", "Ba Đình"),
        ("Commune", "Kim Mã"),
        ("Detail Address", "Số 12 Đường Mẫu"),
    ];
    assert_eq!(
        read(TIKTOK, &address),
        ["Số 12 Đường Mẫu", "Kim Mã", "Ba Đình", "Hà Nội"]
    );
}

fn woo(status: &'static str) -> Draft {
    let cells = [
        ("order_id", "7"),
        ("status", status),
        ("line_item_1", "name:Tee|sku:A|quantity:1"),
    ];
    drafts(WOO, &[&cells]).remove(0)
}

#[test]
fn a_status_that_no_rule_knows_holds_the_order_and_one_that_is_known_or_blank_does_not() {
    for status in [
        "processing",
        "wc-processing",
        "In Bearbeitung",
        "EN COURS",
        "処理中",
        "",
    ] {
        let order = woo(status);
        assert!(
            order.shop_holds().is_empty() && order.has_lines(),
            "{status}: {order:?}"
        );
    }
    for status in [
        "wc-quote-request",
        "shipped",
        "Zahlung steht aus",
        "refund-requested",
    ] {
        let order = woo(status);
        let expected = format!(
            "the shop calls this order `{status}`, and it is not known whether that is to be printed"
        );
        assert_eq!(order.shop_holds(), [expected], "{status}");
        assert!(order.canceled().is_none() && order.unpaid().is_none());
    }
    // What another rule knows is that rule's.
    assert_eq!(woo("partially-paid").shop_holds(), ["partly paid in the shop"]);
    for status in ["Storniert", "Zahlung ausstehend", "completed"] {
        let order = woo(status);
        assert!(order.shop_holds().is_empty(), "{status}: {order:?}");
        assert!(order.canceled().is_some() || order.unpaid().is_some() || !order.has_lines());
    }
}

#[test]
fn woocommerce_s_status_counts_under_its_other_name_too() {
    let names = WOO.replace("status", "order_status") + ",shipping_postcode";
    let read = |status: &'static str| {
        let cells = [
            ("order_id", "7"),
            ("order_status", status),
            ("line_item_1", "sku:A|quantity:1"),
        ];
        drafts(&names, &[&cells]).remove(0)
    };
    assert!(layout(&names).read_as().unwrap().contains("order_status"));
    assert!(read("processing").has_lines() && read("processing").shop_holds().is_empty());
    for unpaid in ["pending", "wc-pending", "Zahlung ausstehend"] {
        assert!(read(unpaid).unpaid().is_some(), "{unpaid}");
    }
    for canceled in ["wc-failed", "trash"] {
        assert!(read(canceled).canceled().is_some(), "{canceled}");
    }
    assert_eq!(read("partially-paid").shop_holds().len(), 1);
    // A sheet of one's own may well have such columns.
    let own = "Order ID,Order Status,Shipping First Name,Shipping Last Name,Shipping Address 1,Shipping City,Shipping Postcode,\
               Shipping County,Shipping Country,SKU,Qty";
    assert!(layout(own).is_native());
}

#[test]
fn no_header_and_no_sum_is_a_line_of_the_order_above_it() {
    let names = "order_id,status,shipping_first_name,shipping_address_1,item_name,item_sku,item_quantity,item_product_id";
    let order = |id: &'static str| {
        vec![
            ("order_id", id),
            ("status", "processing"),
            ("item_name", "Fox tee"),
        ]
    };
    let line = |name: &'static str| vec![("item_name", name), ("item_quantity", "1")];
    let named_so = [line("Total"), vec![("item_product_id", "12")]].concat();
    let again: Vec<(&str, &str)> = names.split(',').map(|name| (name, name)).collect();
    let (first, mug) = (order("901"), line("Owl mug"));
    let (last, sum) = (order("903"), line("Total"));
    let mut read = drafts(names, &[&first, &mug, &named_so, &again, &last, &sum]);
    read.sort_by_key(|draft| draft.rows()[0]);
    let told: Vec<(&str, &[u32], bool)> = read
        .iter()
        .map(|draft| {
            (
                draft.order_id(),
                draft.rows(),
                draft.is_no_order() || draft.is_footer(),
            )
        })
        .collect();
    assert_eq!(
        told,
        [
            ("901", &[2, 3, 4][..], false),
            ("order_id", &[5], true),
            ("903", &[6], false),
            ("", &[7], true),
        ]
    );
}

#[test]
fn what_shopify_has_sent_is_not_printed_whichever_column_says_so() {
    let fulfilled = format!("{SHOPIFY},Fulfillment Status");
    let lineless = fulfilled.replace(",Lineitem fulfillment status", "");
    let order = |names: &str, whole: &'static str, line: &'static str| {
        let first = [
            ("Name", "#1001"),
            ("Lineitem sku", "A"),
            ("Fulfillment Status", whole),
            ("Lineitem fulfillment status", line),
        ];
        let second = [
            ("Name", "#1001"),
            ("Lineitem sku", "B"),
            ("Lineitem fulfillment status", line),
        ];
        let has = |row: &[(&'static str, &'static str)]| -> Vec<(&'static str, &'static str)> {
            row.iter()
                .copied()
                .filter(|(name, _)| names.split(',').any(|known| known.trim() == *name))
                .collect()
        };
        drafts(names, &[&has(&first), &has(&second)]).remove(0)
    };
    for names in [&fulfilled, &lineless] {
        let sent = order(names, "fulfilled", "pending");
        assert!(!sent.has_lines(), "{sent:?}");
        let new = order(names, "unfulfilled", "pending");
        assert_eq!(skus(&new), ["A", "B"]);
        assert!(new.shop_holds().is_empty());
    }
    assert_eq!(order(&lineless, "partial", "").shop_holds().len(), 1);
    assert!(order(&fulfilled, "partial", "pending").shop_holds().is_empty());
}

#[test]
fn what_the_buyer_picks_up_is_held_and_what_was_sold_in_person_is_not_printed() {
    let shopify = format!("{SHOPIFY},Shipping Method");
    let woo = format!("{WOO},shipping_method");
    for (method, is_held) in [
        ("Local pickup", true),
        ("Pickup (Main Street)", true),
        ("Standard", false),
        ("", false),
    ] {
        let sold = drafts(
            &shopify,
            &[&[("Name", "1"), ("Lineitem sku", "A"), ("Shipping Method", method)]],
        );
        assert_eq!(!sold[0].shop_holds().is_empty(), is_held, "{method}");
        let sold = drafts(
            &woo,
            &[&[
                ("order_id", "1"),
                ("line_item_1", "sku:A|quantity:1"),
                ("shipping_method", method),
            ]],
        );
        assert_eq!(!sold[0].shop_holds().is_empty(), is_held, "{method}");
    }
    let ebay = format!("{EBAY},Shipping Service,Click And Collect");
    for (service, collects, is_held) in [
        ("Local Pickup", "", true),
        ("Collection in person", "", true),
        ("UPS Ground", "Yes", true),
        ("UPS Ground", "No", false),
        ("UPS Ground", "", false),
    ] {
        let sold = drafts(
            &ebay,
            &[&[
                ("Order Number", "1"),
                ("Item Number", "110"),
                ("Custom Label", "A"),
                ("Quantity", "1"),
                ("Paid On Date", "Nov-20-26"),
                ("Shipping Service", service),
                ("Click And Collect", collects),
            ]],
        );
        assert_eq!(!sold[0].shop_holds().is_empty(), is_held, "{service}, {collects}");
    }
    let etsy = format!("{ETSY},Order Type");
    for (kind, is_printed) in [("in_person", false), ("online", true)] {
        let row = [
            ("Order ID", "1"),
            ("Listing ID", "7"),
            ("Date Paid", "11/20/2026"),
            ("Order Type", kind),
        ];
        assert_eq!(drafts(&etsy, &[&row])[0].has_lines(), is_printed, "{kind}");
    }
}

#[test]
fn a_ship_to_with_nothing_but_a_country_is_blank() {
    let row = [
        ("order_id", "7"),
        ("billing_first_name", "Ada"),
        ("billing_address_1", "12 Maple Street"),
        ("billing_city", "Columbus"),
        ("billing_country", "US"),
        ("shipping_country", "US"),
        ("line_item_1", "sku:A|quantity:1"),
    ];
    let order = drafts(WOO, &[&row]).remove(0);
    assert_eq!(value(&order, Field::ShippingAddress1), "12 Maple Street");
    assert_eq!(value(&order, Field::ShippingCity), "Columbus");
}

#[test]
fn of_a_paid_order_an_unknown_status_is_printed_and_of_one_without_a_time_of_payment_it_is_held() {
    for status in ["To ship", "Chờ vận chuyển", "Zu versenden", "発送待ち", ""] {
        assert!(tiktok(status, "").shop_holds().is_empty(), "{status}");
    }
    let unknown = "Prêt à partir";
    assert!(tiktok(unknown, "11/20/2026 9:14:02 AM").shop_holds().is_empty());
    assert_eq!(tiktok(unknown, "").shop_holds().len(), 1);
    assert_eq!(tiktok("On hold", "11/20/2026 9:14:02 AM").shop_holds().len(), 1);
    assert!(tiktok("Impayé", "").canceled().is_none() && !tiktok("Impayé", "").has_lines());
}

#[test]
fn the_statuses_of_tiktok_are_known_in_chinese_and_korean() {
    let paid = "11/20/2026 9:14:02 AM";
    let why = |status| tiktok(status, paid).aside().next().map(|(_, why, _)| why);
    for (statuses, aside) in [
        (["已取消", "취소됨"], Some(Why::Canceled)),
        (["待付款", "결제 대기"], Some(Why::Unpaid)),
        (["已发货", "배송 완료"], Some(Why::Fulfilled)),
        (["待发货", "배송 대기"], None),
    ] {
        assert_eq!(statuses.map(why), [aside; 2], "{statuses:?}");
    }
    for status in ["待发货", "배송 대기"] {
        assert!(tiktok(status, "").shop_holds().is_empty(), "{status}");
    }
}
