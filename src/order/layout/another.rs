//! Columns of a second address, beside those that are read: their names say that it is somebody's, and not that it is a
//! payer's or a sender's.

use std::collections::BTreeMap;

use crate::sheet::Row;

use super::super::columns::{ADDRESSEE, Field, Fit, is_result, normalized};
use super::beside::{OTHERS, PAYERS};
use super::in_one_cell::{self, InOneCell};
use super::unread::words_of;
use super::{candidates, column_of};
use super::{corrected, passed_over};

/// Who else may get the parcel than the one whose address is read, by the names of a sheet's columns.
#[derive(Clone, Debug, Default)]
pub(in crate::order) struct Recipients {
    /// The columns of each other address, counted from 0.
    pub(in crate::order) others: Vec<Vec<usize>>,
    /// The columns of the customer's name, who gets the parcel where the recipient's own column is blank.
    pub(in crate::order) customers: Vec<usize>,
    /// The column of the name, where that is called by a word for somebody, `Ship To`, below which an address may stand.
    pub(in crate::order) somebody: Option<usize>,
    /// The columns of each address that is a recipient's by its name, and is passed over for one by dropsheet's own names.
    pub(in crate::order) passed_over: Vec<Vec<usize>>,
    /// The same of columns that are called by a word for somebody.
    pub(in crate::order) passed_over_names: Vec<usize>,
    /// The columns that correct the street, or the whole address, and the zip.
    pub(in crate::order) corrected: Vec<(Field, usize)>,
    /// The columns that hold a whole address in one cell, and are none of the others.
    pub(in crate::order) in_one_cell: Vec<(InOneCell, usize)>,
}

impl Recipients {
    /// Reads the names of columns; `columns` are those of the fields.
    pub(super) fn read(header: &Row, columns: &[Option<usize>; Field::COUNT]) -> Self {
        let street = column_of(columns, Field::ShippingAddress1);
        let name = column_of(columns, Field::ShippingName);
        let others = street.map_or_else(Vec::new, |street| others(header, street));
        Self {
            in_one_cell: street.map_or_else(Vec::new, |_| in_one_cell::columns(header, &others)),
            corrected: street.map_or_else(Vec::new, |_| corrected::of_the_address(header, &others)),
            others,
            customers: customers(header, columns),
            somebody: name.filter(|name| names_somebody(header.text(*name))),
            passed_over: passed_over::addresses(header, columns),
            passed_over_names: passed_over::names(header, columns),
        }
    }
}

/// The columns of the customer's name beside that of a recipient, which is filled only where the parcel goes to another one: of
/// the only address, which does not say whose it is.
fn customers(header: &Row, columns: &[Option<usize>; Field::COUNT]) -> Vec<usize> {
    let fit = |field: Field| {
        let text = header.text(column_of(columns, field)?);
        Field::named(text).map(|(_, fit)| fit)
    };
    let mut places = Field::ALL.into_iter().filter(|field| field.is_place());
    let is_anybodys = places.all(|field| fit(field).is_none_or(|fit| fit == Fit::Weak));
    let is_of_a_recipient = fit(Field::ShippingName) == Some(Fit::Alias);
    let mut names = candidates(header, Field::ShippingName);
    names.retain(|name| name.fit == Fit::Weak && is_of_a_recipient && is_anybodys);
    names.into_iter().map(|name| name.column).collect()
}

/// What is in the name of somebody's columns to whom no parcel goes, besides [`PAYERS`] and [`OTHERS`], of an address that
/// has been looked up, or of one that is printed: of a feast, on a map. Not a hotel's, a school's or a bride's, who may get
/// the parcel.
const NO_RECIPIENTS: [&str; 92] = [
    "payment",
    "paid",
    "card",
    "purchaser",
    "sold",
    "ordered",
    "account",
    "company",
    "business",
    "firma",
    "organization",
    "organisation",
    "retour",
    "from",
    "warehouse",
    "store",
    "shop",
    "seller",
    "vendor",
    "supplier",
    "merchant",
    "origin",
    "manufacturer",
    "factory",
    "branch",
    "office",
    "head",
    "hq",
    "headquarters",
    "registered",
    "legal",
    "pickup",
    "collection",
    "dispatch",
    "tax",
    "vat",
    "email",
    "mail",
    "web",
    "ip",
    "site",
    "previous",
    "old",
    "former",
    "original",
    "verified",
    "validated",
    "standardized",
    "standardised",
    "normalized",
    "formatted",
    "parsed",
    "suggested",
    "usps",
    "google",
    "facturation",
    "facturación",
    "factuur",
    "absender",
    "user",
    "sales",
    "ceremony",
    "venue",
    "reception",
    "wedding",
    "event",
    "party",
    "church",
    "birth",
    "birthplace",
    "tour",
    "concert",
    "map",
    "star",
    "stars",
    "print",
    "prints",
    "printed",
    "printer",
    "text",
    "custom",
    "customized",
    "customised",
    "personalization",
    "personalisation",
    "personalized",
    "personalised",
    "engraving",
    "design",
    "artwork",
    "item",
    "product",
];

/// What stands before a recipient's columns, without spaces.
const RECIPIENTS: [&str; 20] = [
    "receiver",
    "receivers",
    "gift",
    "giftrecipient",
    "destination",
    "dropship",
    "sendto",
    "endcustomer",
    "finalcustomer",
    "addressee",
    "deliver",
    "shiptoparty",
    "lieferadresse",
    "lieferung",
    "livraison",
    "entrega",
    "envío",
    "destinataire",
    "destinatario",
    "empfänger",
];

/// What stands behind a recipient's columns, without spaces: `City (Shipping)`.
const BEHIND: [&str; 19] = [
    "shipping",
    "ship",
    "shipto",
    "shipment",
    "delivery",
    "deliverto",
    "recipient",
    "receiver",
    "destination",
    "gift",
    "dropship",
    "lieferung",
    "livraison",
    "delivraison",
    "entrega",
    "deentrega",
    "envío",
    "deenvío",
    "deenvio",
];

/// The addresses of which a sheet has columns beside those that are read. `street` is the column of that one's street.
/// Where that says whose it is, as `Ship To Address`, another address is one only by a recipient's name.
fn others(header: &Row, street: usize) -> Vec<Vec<usize>> {
    let says_whose = Field::named(header.text(street)).is_some_and(|(_, fit)| fit != Fit::Weak);
    let mut others = Vec::new();
    let mut of_somebody: BTreeMap<(bool, String), Vec<(Field, usize)>> = BTreeMap::new();
    for column in 0..header.len() {
        let text = header.text(column);
        if is_result(text) || Field::named(text).is_some() {
            continue;
        }
        if in_one_cell::is_of_another(text) {
            others.push(vec![column]);
        } else if let Some((whose, field)) =
            place_of(text).filter(|(whose, _)| !says_whose || whose.is_recipient)
        {
            let columns = of_somebody.entry((whose.is_behind, whose.name)).or_default();
            columns.push((field, column));
        }
    }
    let of_somebody = of_somebody.into_values().filter(|columns| {
        let first = columns.first().map(|(field, _)| *field);
        columns.iter().any(|(field, _)| Some(*field) != first)
    });
    others.extend(of_somebody.map(|columns| columns.into_iter().map(|(_, column)| column).collect()));
    others
}

/// What names the one who gets the parcel by itself in other languages.
const ABROAD: [&str; 6] = [
    "empfänger",
    "empfaenger",
    "destinataire",
    "destinatario",
    "ontvanger",
    "lieferempfänger",
];

/// Whether the column of a name is called by a word for the one who gets the parcel.
pub(super) fn names_somebody(header: &str) -> bool {
    let name = normalized(header);
    ADDRESSEE.contains(&name.as_str()) || ABROAD.contains(&name.as_str())
}

/// Of whom a column tells where they are.
struct Whose {
    name: String,
    is_behind: bool,
    is_recipient: bool,
}

/// The part of an address that a column holds, and whose it is.
fn place_of(header: &str) -> Option<(Whose, Field)> {
    let words: Vec<String> = words_of(header)
        .into_iter()
        .filter(|word| !word.is_empty())
        .collect();
    let place = |words: &[String]| {
        let (field, fit) = Field::named(&words.concat())?;
        let is_one = matches!(
            field,
            Field::ShippingAddress1 | Field::ShippingCity | Field::ShippingZip
        );
        (is_one && fit == Fit::Weak).then_some(field)
    };
    (1..words.len()).find_map(|at| {
        let (before, behind) = words.split_at_checked(at)?;
        let (name_before, name_behind) = (before.concat(), behind.concat());
        if let Some(field) = place(before).filter(|_| BEHIND.contains(&name_behind.as_str())) {
            let whose = Whose {
                name: name_behind,
                is_behind: true,
                is_recipient: true,
            };
            return Some((whose, field));
        }
        let field = place(behind)?;
        let is_recipient = RECIPIENTS.contains(&name_before.as_str());
        let is_nobody = before.iter().any(|word| {
            let mut begins = PAYERS.iter().chain(&OTHERS);
            NO_RECIPIENTS.contains(&word.as_str()) || begins.any(|whose| word.starts_with(whose))
        });
        let whose = Whose {
            name: name_before,
            is_behind: false,
            is_recipient,
        };
        (is_recipient || !is_nobody).then_some((whose, field))
    })
}

#[cfg(test)]
mod tests {
    use crate::finding::Code;
    use crate::order::tests::drafts;

    const HEADER: &str = "Order ID,Name,Phone,Address,City,State,Zip,Country,SKU,Qty,Artwork";
    const ORDER: &str = "1,Ada,,12 Maple Street,Columbus,OH,43004,US,TEE,1,";

    /// How many second addresses are told of in an order with these columns more, and these texts in them.
    fn told(more: &str, texts: &str) -> usize {
        let cells = |text: String| -> Vec<String> { text.split(',').map(str::to_owned).collect() };
        let header = cells(format!("{HEADER},{more}"));
        let header: Vec<&str> = header.iter().map(String::as_str).collect();
        let draft = drafts(&header, &[cells(format!("{ORDER},{texts}"))]).remove(0);
        let findings = draft.findings().iter();
        findings
            .filter(|finding| finding.code == Code::RepeatedColumn)
            .count()
    }

    #[test]
    fn a_second_address_under_whatever_name_is_an_error_where_it_is_another() {
        for whose in [
            "Receiver",
            "Receiver's",
            "Gift",
            "Destination",
            "Mailing",
            "Drop Ship",
            "Send To",
            "End Customer",
            "Addressee",
            "Deliver",
            "Ship-To Party",
            "Lieferadresse",
            "Livraison",
            "New",
            "Home",
            "Hotel",
            "School",
        ] {
            let more = format!(
                "{whose} Name,{whose} Address,{whose} City,{whose} State,{whose} Zip,{whose} Country"
            );
            assert_eq!(told(&more, "Gina,9 Oak Road,Portland,OR,97205,US"), 1, "{whose}");
            assert_eq!(told(&more, ",,,,,"), 0, "{whose}");
            assert_eq!(
                told(&more, "Ada,12 Maple Street,COLUMBUS,OH,43004,US"),
                0,
                "{whose}"
            );
        }
        for more in [
            "Address (Shipping),City (Shipping)",
            "Address - Shipping,City - Shipping",
            "Address_ship,City_ship",
            "Lieferadresse Straße,Lieferadresse Ort",
            "receiver_street,receiver_city",
        ] {
            assert_eq!(told(more, "9 Oak Road,Portland"), 1, "{more}");
        }
        for name in [
            "Shipping Address (if different)",
            "Abweichende Lieferadresse",
            "Adresse de livraison",
            "Gift Recipient",
        ] {
            assert_eq!(told(name, "Gina Gift 9 Oak Road"), 1, "{name}");
            assert_eq!(
                [told(name, ""), told(name, "no"), told(name, "-")],
                [0, 0, 0],
                "{name}"
            );
        }
    }

    #[test]
    fn what_is_no_address_or_nobodys_that_a_parcel_goes_to_is_none() {
        for more in [
            "Billing Address,Billing City",
            "Bill To Street,Bill To Zip",
            "Buyer Address 1,Buyer Zip",
            "Customer Address,Customer City",
            "Return Address,Return City",
            "Ship From Address,Ship From City",
            "Store Address,Store City",
            "Email address,Email city",
            "IP address,Latitude",
            "Address type,City type",
            "Address ID,City ID",
            "Address verified,Zip verified",
            "Verified Address,Verified City",
            "Tax City,Tax Zip",
            "Capacity,Velocity",
            "Country of origin,Origin zip",
            "Receiver Street,Destination City",
            "Ceremony Address,Ceremony City",
            "Venue Street,Venue City",
            "Wedding Address,Wedding Zip",
            "Star Map Address,Star Map City",
            "Birth City,Birth Zip",
            "Print Address,Print City",
            "Custom Text Address,Custom Text City",
            "Item Address,Item City",
            "Sales Address,Sales City",
        ] {
            assert_eq!(told(more, "9 Oak Road,Portland"), 0, "{more}");
        }
    }
}
