//! Columns that hold a whole address in one cell, or the one who gets the parcel with it, by their names. Nobody splits such
//! a text into the fields of an address: it is compared with what is read. Data, but for the last lines.

use crate::sheet::Row;

use super::super::columns::{Field, is_result, normalized};

/// Whose address such a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::order) enum InOneCell {
    /// The recipient's, by its name.
    Recipients,
    /// The same as the other columns have, unless it says something else.
    Anybodys,
    /// The recipient's, or how or when the parcel is sent.
    Perhaps,
}

/// Columns that say by their names that what they hold is another one.
const OF_ANOTHER: [&str; 20] = [
    "shippingaddressifdifferent",
    "shippingaddressifdifferentfrombilling",
    "shiptoaddressifdifferent",
    "shiptoifdifferent",
    "deliveryaddressifdifferent",
    "recipientifdifferent",
    "alternateshippingaddress",
    "alternatedeliveryaddress",
    "alternativeshippingaddress",
    "alternativedeliveryaddress",
    "differentshippingaddress",
    "differentdeliveryaddress",
    "abweichendelieferadresse",
    "abweichendelieferanschrift",
    "direccióndeenvío",
    "direcciondeenvio",
    "afleveradres",
    "bezorgadres",
    "giftrecipient",
    "giftrecipientname",
];

/// Columns of the one who gets the parcel.
const RECIPIENTS: [&str; 67] = [
    "anderelieferadresse",
    "anderelieferanschrift",
    "versandadresse",
    "versandanschrift",
    "versandan",
    "empfängeradresse",
    "empfaengeradresse",
    "empfängeranschrift",
    "empfaengeranschrift",
    "adresseempfänger",
    "adresseempfaenger",
    "anschriftempfänger",
    "anschriftempfaenger",
    "adressedesempfängers",
    "anschriftdesempfängers",
    "zustelladresse",
    "zustellanschrift",
    "zieladresse",
    "zielanschrift",
    "lieferungan",
    "liefernan",
    "lieferan",
    "sendenan",
    "verzendadres",
    "adresontvanger",
    "adresvanontvanger",
    "adresvandeontvanger",
    "ontvangeradres",
    "leveradres",
    "leveringsadres",
    "verzendennaar",
    "leverenaan",
    "adressedexpédition",
    "adressedexpedition",
    "adressedenvoi",
    "adressedudestinataire",
    "adressedestinataire",
    "livrerà",
    "livrera",
    "expédierà",
    "envoyerà",
    "direccióndeentrega",
    "direcciondeentrega",
    "direccióndeldestinatario",
    "direcciondeldestinatario",
    "direccióndestinatario",
    "direcciondestinatario",
    "enviara",
    "entregara",
    "receiveraddress",
    "receiversaddress",
    "addresseeaddress",
    "destinationaddress",
    "dispatchaddress",
    "despatchaddress",
    "dispatchto",
    "despatchto",
    "sendto",
    "sendtoaddress",
    "mailto",
    "shiptofull",
    "alternateaddress",
    "alternativeaddress",
    "altaddress",
    "altshippingaddress",
    "altdeliveryaddress",
    "dropshipaddress",
];

/// Columns of an address, whosever it is.
const ANYBODYS: [&str; 3] = ["fulladdress", "postaladdress", "completeaddress"];

/// Columns that may hold a way of shipping as well, or a day.
const PERHAPS: [&str; 6] = [
    "delivery",
    "destination",
    "lieferung",
    "livraison",
    "entrega",
    "levering",
];

/// Whether a column holds another recipient or address than is read, by its name.
pub(super) fn is_of_another(header: &str) -> bool {
    OF_ANOTHER.contains(&normalized(header).as_str())
}

/// The columns that hold a whole address in one cell. Not those of the `others`, which are told of already.
pub(super) fn columns(header: &Row, others: &[Vec<usize>]) -> Vec<(InOneCell, usize)> {
    let whose = |column: usize| {
        let text = header.text(column);
        if is_result(text) || Field::named(text).is_some() {
            return None;
        }
        let name = normalized(text);
        let lists = [
            (InOneCell::Recipients, RECIPIENTS.as_slice()),
            (InOneCell::Anybodys, ANYBODYS.as_slice()),
            (InOneCell::Perhaps, PERHAPS.as_slice()),
        ];
        let mut lists = lists.into_iter();
        lists.find_map(|(whose, names)| names.contains(&name.as_str()).then_some(whose))
    };
    (0..header.len())
        .filter(|column| !others.iter().any(|columns| columns.contains(column)))
        .filter_map(|column| Some((whose(column)?, column)))
        .collect()
}

#[cfg(test)]
mod tests {
    use crate::finding::Code;
    use crate::order::tests::drafts;

    /// Where a second address is told of in an order of a customer's with a column more, and this text in it.
    fn told(name: &str, text: &str) -> Vec<Option<u16>> {
        let header = [
            "Order", "Kunde", "Straße", "PLZ", "Ort", "Region", "Land", "SKU", "Qty", name,
        ];
        let row = [
            "1",
            "Bill Payer",
            "12 Maple Street",
            "43004",
            "Columbus",
            "OH",
            "US",
            "TEE",
            "1",
            text,
        ];
        let draft = drafts(&header, &[row.map(str::to_owned).to_vec()]).remove(0);
        let findings = draft.findings().iter();
        let told = findings.filter(|finding| finding.code == Code::RepeatedColumn);
        told.map(|finding| finding.column).collect()
    }

    #[test]
    fn an_address_in_one_cell_is_an_error_where_it_is_another() {
        for name in [
            "Versandadresse",
            "Versandanschrift",
            "Empfängeradresse",
            "Empfängeranschrift",
            "Empfänger Adresse",
            "Adresse Empfänger",
            "Zustelladresse",
            "Zieladresse",
            "Lieferung an",
            "Liefern an",
            "Andere Lieferanschrift",
            "Verzendadres",
            "Adres ontvanger",
            "Leveradres",
            "Adresse d’expédition",
            "Adresse d'expedition",
            "Adresse du destinataire",
            "Adresse destinataire",
            "Livrer à",
            "Dirección de entrega",
            "Dirección del destinatario",
            "Enviar a",
            "Receiver Address",
            "Destination address",
            "Destination",
            "Dispatch address",
            "Send to",
            "Mail to",
            "Ship to (full)",
            "Alternate address",
            "Drop ship address",
            "Delivery",
            "Postal address",
            "Full Address",
        ] {
            for another in [
                "Ada Recv, Hauptstr. 5, 50667 Köln",
                "Ada Recv, 9 Oak Road, Portland OR 97205",
                "Ada Recv\n9 Oak Road\nPortland",
                "Hauptstr. 5",
            ] {
                assert_eq!(told(name, another), [Some(9)], "{name}: {another}");
            }
            for same in [
                "",
                "-",
                "yes",
                "#N/A",
                "12 Maple Street",
                "Bill Payer, 12 Maple Street, COLUMBUS, OH 43004",
                "Bill Payer, 12 Maple Street, Columbus, Ohio 43004, United States",
                "Bill Payer, 12 Maple Street, Columbus 43004, USA",
                "ada@example.com",
            ] {
                assert_eq!(told(name, same), [], "{name}: {same}");
            }
        }
    }

    #[test]
    fn a_name_alone_is_another_recipient_and_a_way_of_shipping_is_none() {
        for name in ["Lieferung an", "Send to", "Empfängeradresse", "Livrer à"] {
            assert_eq!(told(name, "Ada Recv"), [Some(9)], "{name}");
        }
        for name in ["Delivery", "Destination"] {
            for how in [
                "Standard",
                "Express",
                "Standard, 3-5 business days",
                "DHL Express 12:00",
                "UPS Ground 2",
                "Royal Mail Tracked 48",
                "2nd Class Letter",
                "Option 2",
                "28.11.2026",
                "28 November 2026",
                "Monday 30 Nov",
                "4.95 EUR",
                "Home",
                "Germany",
                "Ada Recv",
                "https://example.com/track/1234",
            ] {
                assert_eq!(told(name, how), [], "{name}: {how}");
            }
            assert_eq!(told(name, "DHL Packstation 145, 50667 Köln"), [Some(9)], "{name}");
        }
        for name in ["Full Address", "Postal address"] {
            for longer in [
                "12 Maple St, Columbus, OH 43004-1234",
                "Ada Recv, 12 Maple Street, Columbus, Ohio, United States",
            ] {
                assert_eq!(told(name, longer), [], "{name}: {longer}");
            }
        }
    }
}
