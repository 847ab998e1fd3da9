use super::wrong::REQUIRED;
use super::*;
use crate::finding::Code;
use crate::order::cells::Cells;
use crate::order::tests::{NATIVE, text_row};

fn codes(header: &[&str]) -> Vec<(Code, Option<u16>, String)> {
    match Layout::read(&text_row(1, header)) {
        Ok(_) => Vec::new(),
        Err(findings) => findings
            .into_iter()
            .map(|f| (f.code, f.column, f.message))
            .collect(),
    }
}

fn without(name: &str) -> Vec<&'static str> {
    NATIVE.iter().copied().filter(|native| *native != name).collect()
}

#[test]
fn every_required_column_is_missed_by_name_and_optional_ones_are_not() {
    for field in Field::ALL {
        let found = codes(&without(field.name()));
        if REQUIRED.contains(&field) {
            assert_eq!(found.len(), 1, "{found:?}");
            assert_eq!(found[0].0, Code::MissingColumn);
            assert!(found[0].2.contains(field.name()));
        } else {
            assert_eq!(found, [], "{}", field.name());
        }
    }
    let no_country: Vec<&str> = NATIVE
        .iter()
        .copied()
        .filter(|n| !n.contains("country"))
        .collect();
    assert_eq!(codes(&no_country).len(), 1);
    let nothing = codes(&["order_id", "colour"]);
    assert_eq!(nothing.len(), 7, "all are said at once: {nothing:?}");
}

#[test]
fn of_two_addresses_the_one_that_says_so_is_read_and_nothing_of_the_other() {
    let read = |names: &[&str]| Layout::read(&text_row(1, names));
    let payer = [
        "Name",
        "Address",
        "Address 2",
        "City",
        "State",
        "Zip",
        "Country",
        "Phone",
    ];
    let ship_to = [
        "Shipping Name",
        "Shipping Address",
        "Shipping City",
        "Shipping Zip",
        "Shipping Country",
    ];
    let rest = ["Order ID", "SKU", "Qty"];
    let both = read(&[&payer[..], &ship_to, &rest].concat()).unwrap();
    let column = |field| both.column(field);
    assert_eq!(column(Field::ShippingAddress1), Some(9));
    assert_eq!(
        (column(Field::ShippingAddress2), column(Field::ShippingProvince)),
        (None, None)
    );
    assert_eq!(column(Field::ShippingProvinceCode), None);
    assert_eq!(
        column(Field::ShippingPhone),
        Some(7),
        "whose it is matters less than that there is one"
    );
    let one = read(&[&payer[..], &rest].concat()).unwrap();
    assert_eq!(one.column(Field::ShippingAddress2), Some(2));
    assert!(read(&[&payer[..], &["Shipping Address"], &rest].concat()).is_err());
}

#[test]
fn a_payers_state_or_country_is_not_read_beside_a_recipients_city() {
    let read = |names: &[&str]| Layout::read(&text_row(1, names)).unwrap();
    let rest = [
        "Order ID",
        "Shipping Name",
        "Shipping Address",
        "SKU",
        "Qty",
        "Shipping Country",
    ];
    let both = [
        "Billing Address",
        "City",
        "State",
        "Zip",
        "Shipping City",
        "Shipping Zip",
    ];
    let sheet = read(&[&rest[..], &both].concat());
    assert_eq!(sheet.column(Field::ShippingProvince), None);
    assert_eq!(sheet.column(Field::ShippingCity), Some(10));
    let city = read(&[&rest[..], &["Shipping City", "Shipping Zip", "City", "State"]].concat());
    assert_eq!(
        city.column(Field::ShippingProvince),
        None,
        "a city alone has a state"
    );
    // A buyer's name is no address.
    let sheet = read(&[
        "Order ID",
        "Name",
        "Shipping Name",
        "Address",
        "City",
        "State",
        "Zip",
        "Country",
        "SKU",
        "Qty",
    ]);
    assert_eq!(sheet.column(Field::ShippingProvince), Some(5));
}

#[test]
fn what_a_column_says_that_a_table_has_numbered_as_its_second_one_is_told() {
    let header = [
        "Order ID", "SKU", "Qty", "City", "SKU2", "Qty 2", "City2", "Zip4", "Name 2", "action",
    ];
    let told = |cells: [&str; 9]| -> Vec<Option<u16>> {
        let row = cells.map(str::to_owned).to_vec();
        let draft = crate::order::tests::drafts(&header, &[row]).remove(0);
        let found = draft
            .findings()
            .iter()
            .filter(|finding| finding.code == Code::RepeatedColumn);
        found.map(|finding| finding.column).collect()
    };
    assert_eq!(
        told(["1", "A", "2", "Albany", "B", "3", "Boston", "1234", "Inc."]),
        [Some(4), Some(5), Some(6)]
    );
    assert_eq!(
        told(["1", "A", "2", "Albany", "", " ", "ALBANY", "1234", "Inc."]),
        []
    );
    assert_eq!(told(["1", "A", "2", "Albany", "-", "0", "", "", ""]), []);
}

#[test]
fn what_a_design_is_called_is_no_artwork() {
    let front = |text: &str| {
        let header = ["Order ID", "SKU", "Qty", "Design 1", "action"];
        let row = ["1001", "TEE", "1", text, ""].map(str::to_owned).to_vec();
        let draft = crate::order::tests::drafts(&header, &[row]).remove(0);
        assert!(draft.findings().is_empty(), "{text}: {:?}", draft.findings());
        draft.lines()[0].text(Field::ArtworkFront).to_owned()
    };
    assert_eq!(
        front("https://example.com/fox.png"),
        "https://example.com/fox.png"
    );
    assert_eq!(front("Fox"), "");
    assert_eq!(front("fox.png"), "");
}

#[test]
fn an_order_of_which_fewer_pieces_are_left_to_send_than_were_ordered_is_not_sent_as_a_whole() {
    let told = |(name, left): (&str, &str)| {
        let header = ["Order ID", "SKU", "Quantity Ordered", name, "action"];
        let row = ["1001", "TEE", "3", left, ""].map(str::to_owned).to_vec();
        let draft = crate::order::tests::drafts(&header, &[row]).remove(0);
        assert_eq!(draft.pieces().next(), Some((2, "TEE", 3)));
        let findings = draft.findings().iter();
        let told = findings.map(|finding| (finding.code, finding.column));
        told.collect::<Vec<_>>()
    };
    for fewer in [
        ("Quantity To Ship", "1"),
        ("Quantity To Ship", "0"),
        ("Qty Remaining", "2.00"),
        ("Qty Left", "1"),
        ("Quantity Unfulfilled", "2"),
    ] {
        assert_eq!(told(fewer), [(Code::RepeatedColumn, Some(3))], "{fewer:?}");
    }
    for all in [
        ("Quantity To Ship", "3"),
        ("Quantity To Ship", "3.0"),
        ("Quantity To Ship", ""),
        ("Quantity To Ship", "-"),
        ("Qty Left", "37"),
        ("Qty Left Chest", "1"),
        ("Colours", "1"),
    ] {
        assert_eq!(told(all), [], "{all:?}");
    }
}

#[test]
fn a_second_column_is_told_from_a_second_text() {
    let header = ["order_id", "SKU", "quantity", "Qty", "action"];
    let told = |quantity: &str| {
        let row = ["1", "A", quantity, "5"].map(str::to_owned).to_vec();
        let draft = crate::order::tests::drafts(&header, &[row]).remove(0);
        let mut found = draft.findings().iter();
        let found = found.find(|finding| finding.code == Code::RepeatedColumn);
        found.unwrap().message.clone()
    };
    assert!(told("2").contains("is a second quantity in one row"));
    assert!(told("").contains("and nothing in the first"));
}

#[test]
fn one_column_more_makes_no_second_address() {
    let plain = [
        "Order ID", "Name", "Address", "City", "County", "Zip", "Country", "SKU", "Qty",
    ];
    for more in ["shipping_province", "shipping_country"] {
        let layout = Layout::read(&text_row(1, &[&plain[..], &[more]].concat())).unwrap();
        assert_eq!(layout.column(Field::ShippingCity), Some(3), "{more}");
    }
    let own = [
        "Order ID",
        "Name",
        "shipping_address1",
        "shipping_city",
        "shipping_zip",
        "Country",
        "SKU",
        "Qty",
    ];
    let layout = Layout::read(&text_row(
        1,
        &[&own[..], &["shipping_province", "Region"]].concat(),
    ))
    .unwrap();
    assert_eq!(layout.column(Field::ShippingName), Some(1));
}

#[test]
fn a_sheet_that_misses_columns_is_told_which_it_has() {
    let findings = Layout::read(&text_row(1, &["Vorgang", "SKU", "Menge"])).unwrap_err();
    let hints: Vec<&str> = findings.iter().map(|finding| finding.hint.as_str()).collect();
    assert!(
        hints
            .join(" ")
            .ends_with("The columns found are `Vorgang`, `SKU`, `Menge`."),
        "{hints:?}"
    );
}

#[test]
fn the_columns_of_a_header_that_lacks_some_are_named_though_they_are_many() {
    let mut names: Vec<String> = (1..40).map(|number| format!("Own {number}")).collect();
    names.extend(["SKU", "Number of things", "City"].map(str::to_owned));
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let findings = Layout::read(&text_row(1, &names)).unwrap_err();
    assert!(
        findings
            .iter()
            .any(|finding| finding.hint.contains("`Number of things`")),
        "{findings:?}"
    );
}

#[test]
fn a_sheet_with_an_action_column_needs_only_order_id() {
    assert_eq!(codes(&["order_id", "action"]), []);
    assert_eq!(codes(&["action", "SKU"])[0].0, Code::MissingColumn);
}

#[test]
fn a_native_name_wins_over_an_alias_and_two_equal_ones_are_an_error() {
    let mut header = NATIVE.to_vec();
    header.push("SKU");
    header.push("Order Number");
    header.push("Name");
    let layout = Layout::read(&text_row(1, &header)).unwrap();
    assert_eq!(layout.sku_column(), NATIVE.iter().position(|n| *n == "item_sku"));
    assert_eq!(layout.column(Field::OrderId), Some(0));
    let mut header = without("product_name");
    header.extend(["Item", "Title"]);
    assert_eq!(codes(&header), [], "a product's name decides nothing");
    let mut header = without("shipping_name");
    header.extend(["Customer Name", "Recipient", "Name"]);
    let layout = Layout::read(&text_row(1, &header)).unwrap();
    assert_eq!(layout.column(Field::ShippingName), Some(header.len() - 2));
    let mut header = NATIVE.to_vec();
    header.push("Order ID");
    assert_eq!(
        codes(&header)[0].0,
        Code::RepeatedColumn,
        "which of the two is the id?"
    );
    let mut header = without("item_sku");
    header.extend(["SKU", "sku "]);
    let last = u16::try_from(header.len() - 1).unwrap();
    let found = codes(&header);
    assert_eq!(
        (found.len(), found[0].0, found[0].1),
        (1, Code::RepeatedColumn, Some(last))
    );
}

#[test]
fn result_columns_are_no_own_columns() {
    let mut header = NATIVE.to_vec();
    header.insert(1, "result_order_id");
    header.extend(["Colour", "result_status"]);
    let layout = Layout::read(&text_row(1, &header)).unwrap();
    assert!(!layout.own_columns().contains(&1));
    assert_eq!(layout.own_columns().len(), NATIVE.len() + 1);
}

#[test]
fn a_header_has_an_order_id_and_one_more_or_three_known_columns() {
    for (cells, header) in [
        (vec!["Order ID", "SKU"], true),
        (vec!["order_id", "Colour"], false),
        (vec!["SKU", "Qty", "City"], true),
        (vec!["SKU", "Qty", "sku"], false),
        (vec!["Orders of Monday", "", ""], false),
        (vec!["1001", "Ann Example", "10001"], false),
        (vec![], false),
    ] {
        assert_eq!(Layout::is_header(&text_row(1, &cells)), header, "{cells:?}");
    }
}

#[test]
fn a_name_and_a_street_in_two_columns_each_are_read_as_one() {
    let header = "Order,Vorname,Nachname,Straße,Hausnummer,PLZ,Ort,Land,SKU,Menge,Firma,Qty M";
    let read = |row: &str| {
        let header: Vec<&str> = header.split(',').collect();
        let row: Vec<&str> = row.split(',').collect();
        let layout = Layout::read(&text_row(1, &header)).unwrap();
        let mut findings = Vec::new();
        let cells = Cells::read(&layout, &text_row(2, &row), &mut findings);
        let codes: Vec<Code> = findings.iter().map(|finding| finding.code).collect();
        let text = |field| cells.text(field).to_owned();
        (text(Field::ShippingName), text(Field::ShippingAddress1), codes)
    };
    let rest = "10115,Berlin,DE,TEE-S,1";
    let (ada, street) = ("Ada Example".to_owned(), "Musterstraße 12".to_owned());
    for row in [
        "1,Ada,Example,Musterstraße,12",
        "1,Ada Example,Example,Musterstraße 12,12",
        "1,Ada,Ada Example,Musterstraße,Musterstraße 12",
        "1,Ada Example,Ada Example,Musterstraße 12,",
    ] {
        let expected = (ada.clone(), street.clone(), vec![]);
        assert_eq!(read(&format!("{row},{rest},,")), expected, "{row}");
    }
    let (name, street, codes) = read(&format!("1,Ali,Ali,Straße des 17. Juni,17,{rest},,"));
    assert_eq!((&*name, &*street), ("Ali Ali", "Straße des 17. Juni 17"));
    assert!(codes.is_empty());
    let (_, street, codes) = read(&format!("1,Ada,Example,Musterstraße 12,14,{rest},,"));
    assert_eq!(
        (&*street, &codes[..]),
        ("Musterstraße 12", &[Code::PartLeftOut][..])
    );
    let (_, _, codes) = read(&format!("1,Ada,Example,Musterstraße,12,{rest},ACME,2"));
    assert_eq!(
        codes,
        [Code::RepeatedColumn],
        "a company beside no address, and pieces of a size"
    );
}

#[test]
fn a_row_counter_is_no_house_number_and_a_bare_street_gives_way_to_an_address() {
    let read = |header: &str, row: &str| {
        let cells = |text: &'static str| text_row(1, &text.split(',').collect::<Vec<_>>());
        let (header, row) = (header.to_owned().leak(), row.to_owned().leak());
        let layout = Layout::read(&cells(header)).unwrap();
        let mut findings = Vec::new();
        let read = Cells::read(&layout, &cells(row), &mut findings);
        assert!(findings.is_empty(), "{findings:?}");
        read.text(Field::ShippingAddress1).to_owned()
    };
    let rest = "PLZ,Ort,Land,SKU,Menge";
    let values = "10115,Berlin,DE,TEE-S,1";
    for (header, row, street) in [
        (
            "Nr,Bestellnummer,Name,Straße",
            "1,B-77,Ada,Musterstraße 12",
            "Musterstraße 12",
        ),
        (
            "Bestellnummer,Name,Straße,Nr",
            "B-77,Ada,Musterstraße,12",
            "Musterstraße 12",
        ),
        (
            "Bestellnummer,Name,Adresse,Straße,Hausnummer",
            "B-77,Ada,\"Musterstraße 12 Hinterhaus\",Musterstraße,12",
            "\"Musterstraße 12 Hinterhaus\"",
        ),
    ] {
        let read = read(&format!("{header},{rest}"), &format!("{row},{values}"));
        assert_eq!(read.trim_matches('"'), street.trim_matches('"'), "{header}");
    }
}

#[test]
fn a_column_that_means_a_field_once_more_is_read_where_the_first_is_blank_and_else_an_error() {
    let header = "Order #,Reference,Name,Address,City,Zip,Country,SKU,Qty,Notes,Comments,Back print,Comment";
    let read = |tail: &str| {
        let header: Vec<&str> = header.split(',').collect();
        let layout = Layout::read(&text_row(1, &header)).unwrap();
        let row = format!("1,R-77,Ada,12 Maple,Columbus,43004,US,TEE-S,1,{tail}");
        let row: Vec<&str> = row.split(',').collect();
        let mut findings = Vec::new();
        let cells = Cells::read(&layout, &text_row(2, &row), &mut findings);
        assert_eq!(cells.text(Field::OrderId), "1");
        let codes: Vec<Code> = findings.iter().map(|finding| finding.code).collect();
        (cells.text(Field::VariantNote).to_owned(), codes)
    };
    assert_eq!(read("blue,,"), ("blue".to_owned(), vec![]));
    assert_eq!(read(",blue,"), ("blue".to_owned(), vec![]));
    assert_eq!(read("blue,Blue,none"), ("blue".to_owned(), vec![]));
    assert_eq!(read("blue,red,"), ("blue".to_owned(), vec![Code::RepeatedColumn]));
    assert_eq!(read(",red,,blue"), ("red".to_owned(), vec![Code::RepeatedColumn]));
    assert_eq!(read(",#N/A,"), (String::new(), vec![Code::CellError]));
    assert_eq!(
        read("blue,,https://example.com/back.png"),
        ("blue".to_owned(), vec![Code::PartLeftOut])
    );
}

/// The second line of the address and the quantity that a row is read to have, and the codes of what is said of it.
fn line_two_and_pieces(names: &str, cells: &str) -> (String, String, Vec<Code>) {
    let names: Vec<&str> = names.split(',').collect();
    let layout = Layout::read(&text_row(1, &names)).unwrap();
    let cells: Vec<&str> = cells.split(',').collect();
    let mut findings = Vec::new();
    let read = Cells::read(&layout, &text_row(2, &cells), &mut findings);
    let codes: Vec<Code> = findings.iter().map(|finding| finding.code).collect();
    let text = |field| read.text(field).to_owned();
    (text(Field::ShippingAddress2), text(Field::Quantity), codes)
}

#[test]
fn an_apartment_and_a_qty_count_beside_columns_that_are_named_better() {
    let read = line_two_and_pieces;
    let before = "order_id,Ship To Name,Ship To Address 1,Ship To Address 2";
    let behind = "Ship To City,Ship To Zip,Ship To Country,SKU,quantity";
    let told = vec![Code::RepeatedColumn];
    for name in ["Apt", "Apt #", "Suite", "Ship To Apartment"] {
        let read = |street: &str, address2: &str, more: &str| {
            let order = format!("1,Ada,{street},{address2},{more},Columbus,43004,US,TEE-S,1");
            let (text, _, codes) = read(&format!("{before},{name},{behind}"), &order);
            (text, codes)
        };
        let silent = |text: &str| (text.to_owned(), vec![]);
        assert_eq!(read("12 Maple", "", "4B"), silent("4B"), "{name}");
        assert_eq!(read("12 Maple", "Apt 4B", "4B"), silent("Apt 4B"), "{name}");
        assert_eq!(read("12 Maple", "4B", "Apt 4B"), silent("4B"), "{name}");
        let apart = ("Building 4".to_owned(), told.clone());
        assert_eq!(read("12 Maple", "Building 4", "Apt 4"), apart, "{name}");
        assert_eq!(read("12 Maple", "Building 4", "4"), apart, "{name}");
        assert_eq!(
            read("12 Maple", "Apt 4 Bldg 2", "4"),
            silent("Apt 4 Bldg 2"),
            "{name}"
        );
        let error = ("ACME".to_owned(), told.clone());
        assert_eq!(read("12 Maple", "ACME", "4B"), error, "{name}");
        for street in ["12 Maple St Apt 4B", "12 Maple St #4B", "12 Maple St Unit 4B"] {
            assert_eq!(read(street, "", "4B"), silent(""), "{name} {street}");
            assert_eq!(read(street, "ACME", "Apt 4B"), silent("ACME"), "{name} {street}");
        }
        // The number of the house is not the apartment's.
        assert_eq!(read("Highway 9", "", "9"), silent("9"), "{name}");
        assert_eq!(read("12 Maple St Apt 4B", "", "9"), silent("9"), "{name}");
    }
    let rest = format!("{before},{behind}");
    let order =
        |address2: &str, more: &str| format!("1,Ada,12 Maple,{address2},Columbus,43004,US,TEE-S,1,{more}");
    let (text, _, codes) = read(&format!("{rest},Ship To Apt"), &order("", "9"));
    assert_eq!((&*text, codes), ("9", vec![]));
    let (text, _, codes) = read(&format!("{rest},Apt"), &order("", "9"));
    assert_eq!(
        (&*text, codes),
        ("9", vec![]),
        "there is nobody else whose it could be"
    );
    let quantity = |name: &str, more| {
        let (_, pieces, codes) = read(&format!("{rest},{name}"), &order("", more));
        assert_eq!(pieces, "1");
        codes
    };
    assert_eq!(quantity("Qty", "5"), told);
    for (name, more) in [
        ("Qty", "1.0"),
        ("Qty", ""),
        ("Order Quantity", "5"),
        ("Pieces", "5"),
    ] {
        assert_eq!(quantity(name, more), [], "{name} {more}");
    }
}

#[test]
fn pieces_in_two_columns_are_an_error_where_the_counts_differ() {
    let header = "order_id,Name,Address,City,Zip,Country,SKU,Qty";
    let read = |name: &str, more: &str| {
        let order = format!("1,Ada,12 Maple,Columbus,43004,US,TEE-S,1,{more}");
        line_two_and_pieces(&format!("{header},{name}"), &order).2
    };
    for name in ["Copies", "Pieces", "Pcs", "Units"] {
        assert_eq!(read(name, "3"), [Code::RepeatedColumn], "{name}");
        for more in ["1", "1.0", "", "0", "-", "each", "pcs"] {
            assert_eq!(read(name, more), [], "{name} {more}");
        }
    }
    assert_eq!(read("Count", "3"), [], "it may count the rows");
}

#[test]
fn an_apartment_is_the_recipients_where_nobody_else_has_an_address() {
    let read = line_two_and_pieces;
    let rest = "order_id,Ship To Name,Ship To Address 1,Ship To Address 2,Ship To City,Ship To Zip,Ship To Country,SKU,quantity";
    let order = |more: &str| format!("1,Ada,12 Maple,,Columbus,43004,US,TEE-S,1,{more}");
    // Who has no address there has no apartment either.
    for other in [
        "Invoice No",
        "Billing Email",
        "Billing Email Address",
        "Bill Status",
        "Billing Name",
        "Billing Country",
        "Customer Name",
        "Customer Phone",
        "Return By",
    ] {
        let (text, _, codes) = read(&format!("{rest},{other},Apt"), &order("77,4B"));
        assert_eq!((&*text, codes), ("4B", vec![]), "{other}");
    }
    // A line of what is printed, a kind of parcel, and what may be the payer's.
    for other in [
        "Line 2",
        "Shipping Unit",
        "Billing City,Apt",
        "Customer Address,Apt,Customer City",
        "Sold To,Apt",
        "Bill To,Apt",
        "Rechnungsadresse,Apt",
        "Buyer Address 1,Apt",
        "Billing Zip,Apt",
        "Sender Street,Apt",
    ] {
        let (text, _, codes) = read(&format!("{rest},{other}"), &order("carton,9,Reno"));
        assert!(
            text.is_empty() && !codes.contains(&Code::RepeatedColumn),
            "{other}"
        );
    }
}

/// The two lines of the address that a row says, its name, and the columns of parts that it would lose.
fn address(names: &str, cells: &str) -> ([String; 3], Vec<Option<u16>>) {
    let names: Vec<&str> = names.split(',').collect();
    let layout = Layout::read(&text_row(1, &names)).unwrap();
    let cells: Vec<&str> = cells.split(',').collect();
    let mut findings = Vec::new();
    let read = Cells::read(&layout, &text_row(2, &cells), &mut findings);
    let fields = [
        Field::ShippingAddress1,
        Field::ShippingAddress2,
        Field::ShippingName,
    ];
    let lost = findings
        .iter()
        .filter(|finding| finding.code == Code::PartLeftOut);
    (
        fields.map(|field| read.text(field).to_owned()),
        lost.map(|finding| finding.column).collect(),
    )
}

#[test]
fn a_second_line_of_the_address_is_read_however_it_is_called() {
    for name in [
        "Apt/Suite/Unit",
        "Shipping Apt/Suite/Unit",
        "Unit/Apt",
        "Unit / Suite",
        "Apt or Suite",
        "Address Line Two",
        "Second address line",
        "Address (cont.)",
        "Address 2 / Apt",
        "Address 2 (Apt)",
        "Street line 2",
        "Street Address 2",
        "Additional address information",
        "Complément adresse",
        "Apartment number",
        "Apartment no.",
        "Suite number",
        "Addr. line 2",
        "Street (cont.)",
        "Straße 2",
        "Strasse2",
        "Anschrift 2",
        "Lieferadresse Zeile 2",
        "Adresszusatz 1",
        "Rue 2",
        "Adresse ligne 2",
        "Adresse (suite)",
        "Calle 2",
        "Dirección línea 2",
        "Dirección (cont.)",
        "Domicilio 2",
        "Straat 2",
        "Adresregel 2",
        "Adreslijn 2",
        "Tweede adresregel",
        "Adresaanvulling",
    ] {
        let names = format!("action,order_id,name,address,{name},city,sku");
        let (fields, lost) = address(&names, ",1,Ada,12 Maple,Apt 5,Columbus,MUG");
        assert_eq!(fields, ["12 Maple", "Apt 5", "Ada"], "{name}");
        assert_eq!(lost, [], "{name}");
    }
    let both = "action,order_id,Ship To Name,Ship To Address,Ship To Address 2,Unit/Apt,Ship To City,sku";
    let (fields, _) = address(both, ",1,Ada,12 Maple,,5,Columbus,MUG");
    assert_eq!(fields[1], "5");
}

#[test]
fn parts_of_a_name_and_an_address_are_not_lost_by_their_names() {
    for (name, text) in [
        ("Adresse 3", "Hof 2"),
        ("Ste", "200"),
        ("Bldg", "C"),
        ("Número interior", "4B"),
        ("No. interior", "4B"),
        ("Organization", "ACME"),
        ("Business", "ACME"),
    ] {
        let names = format!("action,order_id,name,{name},address,city,sku");
        let (_, lost) = address(&names, &format!(",1,Ada,{text},12 Maple,Columbus,MUG"));
        assert_eq!(lost, [Some(3)], "{name}");
    }
    for name in ["Número exterior", "No. exterior", "Num. Ext."] {
        let names = format!("action,order_id,name,calle,{name},city,sku");
        let (fields, lost) = address(&names, ",1,Ada,Reforma,222,Columbus,MUG");
        assert_eq!((&*fields[0], lost), ("Reforma 222", vec![]), "{name}");
        let names = format!("action,order_id,name,Dirección,{name},city,sku");
        let (_, lost) = address(&names, ",1,Ada,Reforma,222,Columbus,MUG");
        assert_eq!(lost, [Some(4)], "{name}");
    }
    for name in [
        "Apellido paterno",
        "Apellido materno",
        "Primer apellido",
        "Segundo apellido",
        "Apellido 1",
    ] {
        let names = format!("action,order_id,Nombre,{name},address,city,sku");
        let (_, lost) = address(&names, ",1,Ada,Example,12 Maple,Columbus,MUG");
        assert_eq!(lost, [Some(3)], "{name}");
    }
    let shop = "action,order_id,name,address,city,sku,Business";
    let (_, lost) = address(shop, ",1,Ada,12 Maple,Columbus,MUG,ACME");
    assert_eq!(lost, [], "the merchant's own");
}

/// What is said of an order with a text in a column of this name in the midst of its address.
fn in_the_midst(name: &str, text: &str) -> Vec<Code> {
    let names = format!("order_id,Name,Address,{name},City,Zip,Country,SKU,Qty");
    let cells = format!("1,Ada,12 Maple,{text},Columbus,43004,US,TEE-S,1");
    line_two_and_pieces(&names, &cells).2
}

/// The same behind it.
fn behind(name: &str) -> Vec<Code> {
    let names = format!("order_id,Name,Address,City,Zip,Country,{name},SKU,Qty");
    line_two_and_pieces(&names, "1,Ada,12 Maple,Columbus,43004,US,4 big,TEE-S,1").2
}

#[test]
fn more_of_an_address_is_known_in_any_language_and_what_is_told_about_one_is_none() {
    for (name, text) in [
        ("Flat/Unit", "B"),
        ("Floor/Unit", "ground"),
        ("Secondary address", "Suite 900"),
        ("Extra address line", "Rear house"),
        ("More address", "Rear house"),
        ("Address info", "3rd floor rear"),
        ("Address details", "3rd floor rear"),
        ("Location details", "3rd floor rear"),
        ("Delivery point", "Rear house"),
        ("Hinterhaus", "links"),
        ("Wohnung", "links"),
        ("Ortsteil", "Oberdorf"),
        ("Zusatzzeile", "3. OG"),
        ("Adresszusatz 2", "3. OG"),
        ("Hausnummerzusatz", "a"),
        ("Étage", "3"),
        ("Appartement", "B"),
        ("Lieu-dit", "Le Moulin"),
        ("Résidence", "Les Pins"),
        ("Ligne 2", "Bât. C"),
        ("Adresse complémentaire", "Bât. C"),
        ("Bloque", "2"),
        ("Portal", "4"),
        ("Línea 2", "Piso 3"),
        ("Segunda línea", "Piso 3"),
        ("Huisnummertoevoeging", "bis"),
        ("Verdieping", "2e verdieping"),
        ("Extra adresregel", "achter"),
        ("Nom 2", "Chez Bo"),
        ("Nombre 2", "Bo"),
        ("Naam 2", "t.a.v. Bo"),
        ("Rue 3", "Bât. C"),
    ] {
        assert_eq!(in_the_midst(name, text), [Code::PartLeftOut], "{name}");
        assert_eq!(in_the_midst(name, ""), [], "{name}");
    }
    for (name, text) in [
        ("Address details", "12 Maple Columbus 43004"),
        ("Address verified", "yes"),
        ("Address type", "residential"),
        ("Billing Address 2", "Suite 900"),
        ("Email address", "ada@example.com"),
    ] {
        assert_eq!(in_the_midst(name, text), [], "{name}");
    }
    for name in [
        "Portal",
        "Bloque",
        "Línea 2",
        "Ligne 2",
        "Zusatzzeile",
        "Residence",
        "Address info",
    ] {
        assert_eq!(behind(name), [], "{name}");
    }
}

#[test]
fn a_part_of_an_address_is_known_in_the_midst_of_it_and_left_alone_elsewhere() {
    let order = in_the_midst;
    for (name, text) in [
        ("House Name/Number", "77 Oak"),
        ("House Name", "Oak Cottage"),
        ("Name 2", "c/o Bob"),
        ("Packstation", "123"),
        ("Postnummer", "1234567"),
        ("Postfach", "12 34"),
        ("Locker", "9"),
        ("Pickup Point", "Corner Shop"),
        ("Additional Address", "Rear house"),
        ("Address Extra", "Rear house"),
        ("Department", "Sales"),
        ("Tür", "4"),
        ("Stiege", "2"),
        ("Top", "4"),
        ("Bus", "3"),
        ("Bte", "3"),
        ("Bâtiment", "C"),
        ("Escalier", "B"),
        ("Escalera", "A"),
        ("Puerta", "2"),
        ("District", "Thu Duc"),
        ("Ward", "9"),
        ("Village", "Little Oak"),
        ("Bairro", "Centro"),
        ("Landmark", "Behind the mill"),
    ] {
        assert_eq!(order(name, text), [Code::PartLeftOut], "{name}");
        assert_eq!(order(name, ""), [], "{name}");
    }
    for (name, text) in [
        ("District", "COLUMBUS"),
        ("Postnummer", "43004"),
        ("Top", "red"),
        ("Village", "Maple"),
    ] {
        assert_eq!(order(name, text), [], "{name}");
    }
    for name in [
        "Department",
        "Top",
        "Bus",
        "District",
        "Ward",
        "Locker",
        "Name 2",
        "Landmark",
    ] {
        assert_eq!(behind(name), [], "{name}");
    }
    let both = "order_id,Name,Address,Ward,District,City,Zip,Country,SKU,Qty";
    let codes = line_two_and_pieces(both, "1,Ada,12 Maple,9,Thu Duc,Columbus,43004,US,TEE-S,1").2;
    assert_eq!(codes, [Code::PartLeftOut, Code::PartLeftOut]);
}

/// What a row says of the fields that every order needs, under these names.
fn needed(names: &str, cells: &str) -> [String; 6] {
    let names: Vec<&str> = names.split(',').collect();
    assert!(Layout::is_header(&text_row(1, &names)), "{names:?}");
    let (layout, mut findings) = (Layout::read(&text_row(1, &names)).unwrap(), Vec::new());
    let cells: Vec<&str> = cells.split(',').collect();
    let cells = Cells::read(&layout, &text_row(2, &cells), &mut findings);
    assert!(findings.is_empty(), "{names:?} {findings:?}");
    let fields = [
        Field::OrderId,
        Field::ShippingName,
        Field::ShippingAddress1,
        Field::ShippingCity,
        Field::ItemSku,
        Field::Quantity,
    ];
    fields.map(|field| cells.text(field).to_owned())
}

#[test]
fn a_sheet_is_read_by_the_names_that_are_usual_abroad() {
    for names in [
        "N° commande,Nom et prénom,Adresse de livraison,Ville,Code postal,Pays,SKU,Quantité",
        "Numéro commande,Nom du destinataire,Adresse,Ville,Code postal,Pays,SKU,Qté",
        "Auftrag,Kunde,Straße Nr.,Ort,PLZ,Land,Art.-Nr.,Stk",
        "Bestellung,Kundenname,Straße,Ort,PLZ,Land,SKU,Bestellmenge",
        "Bestellnr.,Vor- und Nachname,Straße,Ort,PLZ,Land,SKU,Menge",
        "Bestellung,Empfängername,Straße,Ort,PLZ,Land,SKU,Menge",
        "Nº pedido,Nombre y apellidos,Dirección,Población,Código postal,País,SKU,Unidades",
        "Nº pedido,Nombre,Dirección,Localidad,CP,País,SKU,Cantidad",
        "Bestelnr,Volledige naam,Adres,Plaats,Postcode,Land,SKU,Stuks",
        "Bestelnummer,Klant,Adres,Plaats,Postcode,Land,SKU,Aantal",
    ] {
        let read = needed(names, "1001,Ada,Weg 1,Town,12345,DE,TEE,2");
        assert_eq!(read, ["1001", "Ada", "Weg 1", "Town", "TEE", "2"], "{names}");
    }
}

#[test]
fn what_is_usual_abroad_counts_where_nothing_else_is_there_alone() {
    for (names, cells) in [
        (
            "Order ID,Auftrag,Name,Kunde,Address,City,Zip,Country,SKU,Art.-Nr.,Qty,Stk",
            "1,A-7,Ada,Bob,X 1,Town,1,DE,TEE,7,2,9",
        ),
        (
            "Pedido,Nº pedido,Nombre,Dirección,Ciudad,CP,País,SKU,Cantidad,Unidades",
            "1,A-7,Ada,X 1,Town,1,ES,TEE,2,9",
        ),
        (
            "Order ID,Kunde,Vorname,Nachname,Address,City,Zip,Country,SKU,Qty",
            "1,Bob,Ada,,X 1,Town,1,DE,TEE,2",
        ),
        (
            "Order ID,Kunde,Empfänger,Address,City,Zip,Country,SKU,Qty",
            "1,Bob,Ada,X 1,Town,1,DE,TEE,2",
        ),
        (
            "Order ID,Kunde,Empfängername,Address,City,Zip,Country,SKU,Qty",
            "1,Bob,Ada,X 1,Town,1,DE,TEE,2",
        ),
    ] {
        let read = needed(names, cells);
        assert_eq!(read, ["1", "Ada", "X 1", "Town", "TEE", "2"], "{names}");
    }
    let form = text_row(1, &["Kunde", "Ada", "Auftrag", "4711"]);
    assert!(!Layout::is_header(&form), "it stands above the orders");
    let street = |cells: &[&str]| {
        let names = ["action", "order_id", "Straße", "Straße Nr."];
        let (layout, mut findings) = (Layout::read(&text_row(1, &names)).unwrap(), Vec::new());
        Cells::read(&layout, &text_row(2, cells), &mut findings);
        findings.len()
    };
    assert_eq!(street(&["", "1", "Weg 12", "12"]), 0);
    assert_eq!(
        street(&["", "1", "Weg", "12"]),
        1,
        "nothing of the street is lost"
    );
}
