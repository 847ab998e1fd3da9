//! What stands in columns that may hold a field once more.

use std::collections::HashSet;

use super::said::{fewer_left, is_tick, of_another_address, second, unreadable_beside};
use super::{Cells, apartment, words};
use crate::finding::Finding;
use crate::order::columns::{Field, Form};
use crate::order::layout::{Layout, Role, Twin, column_ref, is_link, is_only_a_name};
use crate::order::mend::{Mended, mend};
use crate::order::nothing::says_nothing;
use crate::order::places;
use crate::sheet::Row;

impl Cells {
    /// Reads what stands in columns that hold a field once more.
    pub(super) fn take_twins(&mut self, (layout, row): (&Layout, &Row), findings: &mut Vec<Finding>) {
        for twin in layout.twins() {
            self.take_twin(*twin, (layout, row), findings);
        }
    }

    /// What the column that a twin is compared with says; where that is blank, another one may have been read already.
    fn first<'a>(&'a self, twin: Twin, (layout, row): (&Layout, &'a Row)) -> &'a str {
        let read = self.text(twin.field);
        let is_joined = layout.shop().is_some_and(|shop| shop.joins(twin.field));
        let own = match twin.role {
            Role::Again { of: Some(of) } => Some(of),
            _ if is_joined => return read,
            _ => layout.column(twin.field),
        };
        let text = own.map_or("", |own| row.text(own).trim());
        // What stands for a SKU that is not given is none.
        let is_key = twin.field == Field::ItemSku && layout.shop().is_some();
        if text.is_empty() && !is_key { read } else { text }
    }

    /// Reads what a field's second column says, or says that it would be left out.
    fn take_twin(&mut self, twin: Twin, (layout, row): (&Layout, &Row), findings: &mut Vec<Finding>) {
        if let Some(finding) = unreadable_beside(layout, twin.column, row) {
            return self.take_unreadable_twin(twin, (layout, row), finding, findings);
        }
        if twin.role == Role::WhatIsLeft {
            findings.extend(fewer_left(twin, self.text(twin.field), row));
            return;
        }
        let (field, text) = (twin.field, row.text(twin.column).trim());
        let is_of_links = twin.role == Role::AsGood && field.column().form == Form::Url;
        let first = if is_of_links {
            self.text(field).to_owned()
        } else {
            self.first(twin, (layout, row)).to_owned()
        };
        if is_of_links && is_link(&first) && is_only_a_name(text) {
            return;
        }
        let is_named_first = is_of_links && is_link(text) && is_only_a_name(&first);
        let first = if is_named_first { "" } else { first.as_str() };
        let is_said = || field.is_address() && self.says_already(field, first, text);
        let mended = mend(field, row.text(twin.column), row.kind(twin.column));
        // Of a spreadsheet's error no text is left.
        let is_same_mended = !mended.text.is_empty() && mended.text == self.text(field);
        let is_same = text.eq_ignore_ascii_case(first) || is_same_mended;
        // `OK` is a state, and no street is called so.
        let is_ticked = field == Field::ShippingAddress1 && is_tick(text);
        if says_nothing(text) || is_said() || is_same || is_ticked {
            return;
        }
        if twin.role == Role::Counts && mended.text.parse::<u32>().is_err() {
            return;
        }
        if twin.role == Role::Codes && !is_code_beside(first, text) {
            return;
        }
        // A later row need not say the street again, and an order without one is told so.
        if twin.role == Role::OfAnother && first.is_empty() {
            return;
        }
        if twin.role == Role::Corrects && !corrects(field, &mended.text) {
            return;
        }
        let is_open = match twin.role {
            Role::AsGood | Role::Again { .. } => first.is_empty(),
            Role::Never
            | Role::OfAnother
            | Role::Counts
            | Role::Codes
            | Role::Corrects
            | Role::WhatIsLeft => false,
            Role::Vaguer | Role::Within => self.is_open(field, first),
            Role::Province { by_code } => {
                self.is_open(field, first) && self.names_a_province(&mended.text, by_code)
            }
        };
        if is_open {
            return self.fill(twin, mended, findings);
        }
        match twin.role {
            Role::OfAnother => findings.push(of_another_address(twin, (text, first), row)),
            Role::AsGood | Role::Again { .. } | Role::Never | Role::Counts | Role::Codes | Role::Corrects => {
                findings.push(second(twin, (text, first), row));
            }
            Role::Within => self.add_to_address(twin, (layout, row), findings),
            Role::Vaguer if field == Field::ShippingCity => {
                self.add_to_address(twin, (layout, row), findings);
            }
            Role::Vaguer | Role::Province { .. } | Role::WhatIsLeft => {}
        }
    }

    /// Says what is to be said of a second column whose formula has no result, or an error, where what it says would have been
    /// heeded.
    fn take_unreadable_twin(
        &mut self,
        twin: Twin,
        (layout, row): (&Layout, &Row),
        finding: Finding,
        findings: &mut Vec<Finding>,
    ) {
        let first = self.first(twin, (layout, row));
        let first_is_empty = first.is_empty();
        let is_read = match twin.role {
            Role::AsGood | Role::Again { .. } => first_is_empty,
            Role::Vaguer | Role::Within | Role::Province { .. } => self.is_open(twin.field, first),
            Role::Never
            | Role::OfAnother
            | Role::Counts
            | Role::Codes
            | Role::Corrects
            | Role::WhatIsLeft => false,
        };
        if is_read {
            let mended = mend(twin.field, row.text(twin.column), row.kind(twin.column));
            return self.fill(twin, mended, findings);
        }
        match twin.role {
            Role::Within => self.add_to_address(twin, (layout, row), findings),
            Role::Vaguer if twin.field == Field::ShippingCity => {
                self.add_to_address(twin, (layout, row), findings);
            }
            // What is vaguer than a province that is there is passed over.
            Role::Vaguer | Role::Province { .. } => {}
            Role::Counts | Role::WhatIsLeft if self.text(Field::Quantity).is_empty() => {}
            Role::OfAnother if first_is_empty => {}
            Role::AsGood
            | Role::Again { .. }
            | Role::Never
            | Role::OfAnother
            | Role::Counts
            | Role::Codes
            | Role::Corrects
            | Role::WhatIsLeft => findings.push(finding),
        }
    }

    fn fill(&mut self, twin: Twin, mended: Mended, findings: &mut Vec<Finding>) {
        let column = column_ref(twin.column);
        let text = self.noted(twin.field, column, mended, findings);
        self.elsewhere.extend(column.map(|column| (twin.field, column)));
        self.replace(twin.field, text);
    }

    /// Whether a part of the address is wanted for a field. Not on a row without an address, which leaves that to the
    /// order's first row; nor where the field's code or name says it.
    fn is_open(&self, field: Field, first: &str) -> bool {
        let is_blank = |text: &str| !text.contains(char::is_alphanumeric);
        let other = field.twin().map_or("", |twin| self.text(twin));
        is_blank(first) && is_blank(other) && !self.text(Field::ShippingAddress1).is_empty()
    }

    fn names_a_province(&self, text: &str, by_code: bool) -> bool {
        let [code, name] = [Field::ShippingCountryCode, Field::ShippingCountry].map(|field| self.text(field));
        places::agreed_country(code, name).is_some_and(|country| country.names_province(text, by_code))
    }

    /// Puts what is a part of the city, and not the city itself, behind the second line of the address: that is where it
    /// stands on a parcel, and without it two streets of one name are one.
    fn add_to_address(&mut self, twin: Twin, (layout, row): (&Layout, &Row), findings: &mut Vec<Finding>) {
        let (field, column) = (Field::ShippingAddress2, twin.column);
        let lines = [Field::ShippingAddress1, field].map(|field| self.text(field));
        let said: HashSet<String> = lines.into_iter().flat_map(words).collect();
        // A row without an address leaves that to the order's first row.
        let has_none = self.text(Field::ShippingAddress1).is_empty();
        let mended = mend(field, row.text(column), row.kind(column));
        let is_said = !mended.is_lost() && words(row.text(column)).all(|word| said.contains(&word));
        if has_none || is_said {
            return;
        }
        let at = column_ref(column);
        let added = self.noted(field, at, mended, findings);
        self.elsewhere.extend(at.map(|column| (field, column)));
        let before = self.text(field).to_owned();
        if twin.role == Role::Within {
            self.written.push((field, before.clone()));
        }
        let has_pieces = self.pieces(field).next().is_some();
        if !before.is_empty() && !has_pieces {
            self.keep_piece(field, layout.column_ref(field), before.clone());
        }
        self.keep_piece(field, at, added.clone());
        let lines = [before, added].into_iter().filter(|line| !line.is_empty());
        self.replace(field, lines.collect::<Vec<String>>().join(", "));
    }

    /// Whether what a second column of an address's field says stands in the first, or, of an apartment, behind the street.
    fn says_already(&self, field: Field, first: &str, text: &str) -> bool {
        if field == Field::ShippingAddress2 {
            return apartment::is_said(text, first, self.text(Field::ShippingAddress1));
        }
        let said: HashSet<String> = words(first).collect();
        words(text).all(|word| said.contains(&word))
    }
}

/// Whether a text says something else of a field, and is no answer whether the field was corrected.
fn corrects(field: Field, text: &str) -> bool {
    !is_tick(text) && (field != Field::Quantity || text.parse::<u32>().is_ok())
}

/// Whether a text is written as a code like the SKU beside it: letters with figures or with signs between them, in capitals
/// where that one is.
fn is_code_beside(sku: &str, text: &str) -> bool {
    let is_code = |text: &str| {
        let is_of_one = |c: char| c.is_ascii_alphanumeric() || ['-', '_', '.', '/'].contains(&c);
        let has_letter = text.contains(|c: char| c.is_ascii_alphabetic());
        has_letter && text.contains(|c: char| !c.is_alphabetic()) && text.chars().all(is_of_one)
    };
    let has_small = |text: &str| text.contains(char::is_lowercase);
    is_code(sku) && is_code(text) && (has_small(sku) || !has_small(text))
}

#[cfg(test)]
mod tests {
    use crate::finding::Code;
    use crate::order::columns::Field;
    use crate::order::tests::drafts;

    /// What an order says in the second line of its address, as its city and as its province, the codes of what is said of it,
    /// and how often it is held.
    fn told(names: &str, rows: &[&str]) -> ([String; 3], Vec<Code>, usize) {
        let cells = |text: &str| -> Vec<String> { text.split(',').map(str::to_owned).collect() };
        let names: Vec<&str> = names.split(',').collect();
        let rows: Vec<Vec<String>> = rows.iter().map(|row| cells(row)).collect();
        let draft = drafts(&names, &rows).remove(0);
        let place = [
            Field::ShippingAddress2,
            Field::ShippingCity,
            Field::ShippingProvince,
        ];
        let place = place.map(|field| draft.value(field).text.to_owned());
        let codes = draft.findings().iter().map(|finding| finding.code).collect();
        (place, codes, draft.shop_holds().len())
    }

    fn said(address2: &str, city: &str, province: &str) -> ([String; 3], Vec<Code>, usize) {
        let place = [address2, city, province].map(str::to_owned);
        (place, Vec::new(), 0)
    }

    #[test]
    fn a_county_or_a_region_is_the_province_where_no_state_is() {
        let province = |names: &str, places: &str| {
            let names = format!("order_id,name,address,city,{names},zip,country,sku,qty");
            let ([_, _, province], codes, holds) =
                told(&names, &[&format!("1,Ada,12 Maple,Town,{places},43004,US,TEE,1")]);
            assert_eq!((codes, holds), (vec![], 0), "{names} {places}");
            province
        };
        for (names, places, read) in [
            ("county,state", "Franklin,OH", "OH"),
            ("state,county", "OH,Franklin", "OH"),
            ("Region,Province", "Lombardia,MI", "MI"),
            ("Province,Region", "Metro Manila,NCR", "Metro Manila"),
            ("Ship To County,Ship To State", "Franklin,OH", "OH"),
            ("Region,County", "South East,Kent", "Kent"),
            ("Región,Provincia", "Andalucía,Sevilla", "Sevilla"),
            ("Region Code,State Code,State", "EMEA,OH,Ohio", "Ohio"),
            // Where the clearer says nothing.
            ("county,state", "Kent,", "Kent"),
            ("state,county", "-,Kent", "Kent"),
            ("Region,County,State", "South East,Kent,", "Kent"),
            ("Region,County,State", "South East,,", "South East"),
            // Where it is not there.
            ("county", "Kent", "Kent"),
            ("Region", "Sicilia", "Sicilia"),
            ("Región", "Maule", "Maule"),
            ("Région", "Bretagne", "Bretagne"),
            ("Província", "Girona", "Girona"),
            // The code says it.
            ("county,state,State Code", "Franklin,,OH", ""),
        ] {
            assert_eq!(province(names, places), read, "{names} {places}");
        }
    }

    #[test]
    fn an_error_of_a_spreadsheet_is_told_where_what_stood_there_would_be_read() {
        let codes = |names: &str, texts: &str| {
            let names = format!("order_id,name,address,{names},zip,country,sku,qty");
            told(&names, &[&format!("1,Ada,12 Maple,{texts},43004,US,TEE,1")]).1
        };
        for (names, texts, is_told) in [
            ("city,county,state", "Town,#N/A,", true),
            ("city,county,state", "Town,#N/A,OH", false),
            ("suburb,city,state", "#N/A,Town,OH", true),
            ("city,state,Notes,Comments", "Town,OH,#N/A,", true),
            ("city,state,Notes,Comments", "Town,OH,,#N/A", true),
            ("city,state,Notes,Comments", "Town,OH,blue,#N/A", true),
        ] {
            let expected = if is_told { vec![Code::CellError] } else { vec![] };
            assert_eq!(codes(names, texts), expected, "{names}: {texts}");
        }
    }

    #[test]
    fn two_columns_that_are_named_as_well_are_an_error_where_they_differ() {
        for (names, places) in [
            ("Town,City,State", "Dublin,Ohio,OH"),
            ("City,State,Province", "Dublin,OH,ON"),
            ("Suburb,Locality,State", "Sandton,Bryanston,GP"),
        ] {
            let names = format!("order_id,name,address,{names},zip,country,sku,qty");
            let row = format!("1,Ada,12 Maple,{places},43004,US,TEE,1");
            assert_eq!(told(&names, &[&row]).1, [Code::RepeatedColumn], "{names}");
        }
    }

    #[test]
    fn an_artwork_that_another_column_has_for_the_same_print_area_is_an_error() {
        let names = "order_id,name,address,city,state,zip,country,sku,qty,artwork_front,artwork_1,artwork_2";
        let codes = |artworks: &str| {
            told(
                names,
                &[&format!("1,Ada,12 Maple,Town,OH,43004,US,TEE,1,{artworks}")],
            )
            .1
        };
        let (one, other) = ("https://example.com/1.png", "https://example.com/2.png");
        assert_eq!(codes(&format!("{one},{other},")), [Code::RepeatedColumn]);
        assert_eq!(codes(&format!("{one},{one},{other}")), []);
        assert_eq!(codes(&format!("{one},,{other}")), []);
        assert_eq!(codes(&format!("{one},blue rose,{other}")), []);
    }

    #[test]
    fn what_a_later_row_says_without_an_address_is_no_other_address() {
        let names = "order_id,name,address,address2,suburb,city,state,zip,country,Region,sku,qty";
        let rows = [
            "1,Ada,12 Maple,Flat 2,Ponsonby,Auckland,AUK,1011,NZ,North,TEE,1",
            "1,,,,Ponsonby,,,,,North,MUG,1",
        ];
        assert_eq!(told(names, &rows), said("Flat 2, Ponsonby", "Auckland", "AUK"));
    }

    #[test]
    fn a_suburb_beside_a_city_is_a_line_of_the_address() {
        let names = "order_id,name,address,address2,suburb,city,state,zip,country,sku,qty";
        let order = |cells: &str| format!("1,Ada,{cells},AUK,1011,NZ,TEE,1");
        for (cells, address2, city) in [
            ("12 Queen St,,Ponsonby,Auckland", "Ponsonby", "Auckland"),
            (
                "12 Queen St,Flat 2,Ponsonby,Auckland",
                "Flat 2, Ponsonby",
                "Auckland",
            ),
            // Said already.
            (
                "12 Queen St,Flat 2 Ponsonby,Ponsonby,Auckland",
                "Flat 2 Ponsonby",
                "Auckland",
            ),
            ("12 Queen St Ponsonby,,Ponsonby,Auckland", "", "Auckland"),
            ("12 Queen St,,Auckland,AUCKLAND", "", "AUCKLAND"),
            ("12 Queen St,,-,Auckland", "", "Auckland"),
            ("12 Queen St,,,Auckland", "", "Auckland"),
            // In Australia it is the city.
            ("12 Queen St,,Bondi,", "", "Bondi"),
        ] {
            assert_eq!(
                told(names, &[&order(cells)]),
                said(address2, city, "AUK"),
                "{cells}"
            );
        }
        for names in [
            "order_id,name,address,City,Suburb,state,zip,country,sku,qty",
            "order_id,name,address,City,Locality,state,zip,country,sku,qty",
            "order_id,Ship To Name,Ship To Address,Ship To City,Ship To Suburb,Ship To State,Ship To Zip,Ship To Country,sku,qty",
        ] {
            let told = told(names, &["1,Ada,12 Queen St,Auckland,Ponsonby,AUK,1011,NZ,TEE,1"]);
            assert_eq!(told, said("Ponsonby", "Auckland", "AUK"), "{names}");
        }
        // A name that is less clear than the city's is of the same address, where there is no other.
        for names in [
            "order_id,shipping_name,shipping_address1,shipping_city,Shipping Suburb,shipping_province,shipping_zip,\
             shipping_country,item_sku,quantity",
            "Order ID,Shipping Name,Shipping Address 1,Shipping City,Suburb,Shipping Province,Shipping Zip,Shipping Country,\
             SKU,Quantity",
        ] {
            let told = told(names, &["1,Ada,12 Queen St,Auckland,Ponsonby,AUK,1011,NZ,TEE,1"]);
            assert_eq!(told, said("Ponsonby", "Auckland", "AUK"), "{names}");
        }
        let two = "order_id,shipping_name,shipping_address1,shipping_city,shipping_province,shipping_zip,shipping_country,sku,\
                   qty,Billing Address,Suburb";
        let order_of_two = "1,Ada,12 Queen St,Auckland,AUK,1011,NZ,TEE,1,9 Oak Rd,Ponsonby";
        assert_eq!(told(two, &[order_of_two]), said("", "Auckland", "AUK"));
        let (_, codes, _) = told(names, &[&order("12 Queen St,,#N/A,Auckland")]);
        assert_eq!(codes, [Code::CellError], "what it was is lost");
        let alone = "order_id,name,address,suburb,state,zip,country,sku,qty";
        let told = told(alone, &["1,Ada,12 Queen St,Bondi,NSW,2026,AU,TEE,1"]);
        assert_eq!(told, said("", "Bondi", "NSW"));
    }

    #[test]
    fn an_order_that_was_kept_when_its_suburb_was_not_sent_is_the_same_one_and_else_the_suburb_is_content() {
        let names = "order_id,shipping_name,shipping_address1,shipping_address2,shipping_city,shipping_zip,\
                     shipping_country_code,sku,qty,Shipping Suburb";
        let order = |suburb: &str| {
            let row = format!("1,Ada,12 Queen St,Flat 2,Auckland,1011,NZ,TEE,1,{suburb}");
            let cells: Vec<String> = row.split(',').map(str::to_owned).collect();
            drafts(&names.split(',').collect::<Vec<&str>>(), &[cells]).remove(0)
        };
        let [without, ponsonby, parnell] = ["", "Ponsonby", "Parnell"].map(order);
        let kept = without.fingerprint_like("4:");
        assert_eq!(ponsonby.fingerprint_like(&kept.whole), kept);
        for other in [without, parnell] {
            let differing = other.fingerprint().differing(&ponsonby.fingerprint());
            assert_eq!(differing, ["shipping_address2"]);
        }
    }

    #[test]
    fn estado_is_the_province_where_it_names_one_and_else_a_status() {
        let names = "Número de pedido,Nombre,Dirección,Ciudad,Estado,Código postal,País,SKU,Cantidad";
        let order = |state: &str, country: &str| format!("1,Ada,Calle 5,Villa,{state},44100,{country},TEE,1");
        for (state, country) in [
            ("Jalisco", "México"),
            ("Nuevo Leon", "MX"),
            ("CDMX", "MX"),
            ("Edo. de México", "MX"),
            ("SP", "BR"),
            ("Minas Gerais", "BR"),
            ("TX", "US"),
            ("Zulia", "VE"),
        ] {
            let told = told(names, &[&order(state, country)]);
            assert_eq!(told, said("", "Villa", state), "{state}");
        }
        for (state, country, holds) in [
            ("Pendiente", "MX", 0),
            ("Nuevo", "MX", 0),
            ("Pagado", "ES", 0),
            ("Enviado", "MX", 1),
            ("Cancelado", "ES", 1),
            ("Jalisco", "ES", 0),
            ("Jalisco", "", 0),
            ("A", "VE", 0),
            ("", "MX", 0),
        ] {
            let (place, codes, held) = told(names, &[&order(state, country)]);
            assert_eq!(
                (&*place[2], codes, held),
                ("", vec![], holds),
                "{state} {country}"
            );
        }
        // What another column says of the province counts.
        let names = names.replace("Ciudad", "Ciudad,Provincia");
        for (places, province, holds) in [
            ("Sevilla,Pendiente", "Sevilla", 0),
            ("Sevilla,Enviado", "Sevilla", 1),
            ("Sevilla,Huelva", "Sevilla", 0),
            (",Enviado", "", 1),
            (",Huelva", "Huelva", 0),
        ] {
            let (place, codes, held) = told(&names, &[&order(places, "ES")]);
            assert_eq!((&*place[2], codes, held), (province, vec![], holds), "{places}");
        }
    }

    #[test]
    fn departamento_is_the_province_where_it_names_one_in_full_and_else_an_apartment() {
        let names = "Pedido,Nombre,Dirección,Departamento,Ciudad,Código postal,País,SKU,Cantidad";
        for (text, country, province) in [
            ("Antioquia", "CO", "Antioquia"),
            ("Ica", "PE", "Ica"),
            ("Canelones", "UY", "Canelones"),
            ("4B", "CO", ""),
            ("B", "AR", ""),
            ("PB", "BR", ""),
            ("10", "PY", ""),
            ("Ventas", "CO", ""),
        ] {
            let row = format!("1,Ada,Calle 5,{text},Villa,44100,{country},TEE,1");
            let told = told(names, &[&row]);
            assert_eq!(told, said("", "Villa", province), "{text} {country}");
        }
    }
}
