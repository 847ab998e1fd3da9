//! What order sheets in German, French, Spanish and Dutch call the columns: only words that mean nothing else. Data,
//! not code.

use super::Field;

/// The other headers of a field, as [`super::normalized`].
pub(super) fn aliases(field: Field) -> &'static [&'static str] {
    WORDS
        .iter()
        .find(|(named, _)| *named == field)
        .map_or(&[], |(_, words)| words)
}

/// A street by itself is not among them: its house number may stand in a column of its own.
const WORDS: &[(Field, &[&str])] = &[
    (
        Field::OrderId,
        &[
            "bestellnummer",
            "bestellnr",
            "bestellid",
            "auftragsnummer",
            "auftragsnr",
            "numérodecommande",
            "numerodecommande",
            "númerodepedido",
            "numerodepedido",
            "bestelnummer",
            "ordernummer",
        ],
    ),
    (
        Field::ShippingName,
        &[
            "empfänger",
            "empfaenger",
            "destinataire",
            "destinatario",
            "ontvanger",
            "nom",
            "nombre",
            "naam",
        ],
    ),
    (
        Field::ShippingPhone,
        &[
            "telefon",
            "telefonnummer",
            "téléphone",
            "teléfono",
            "telefono",
            "telefoon",
            "telefoonnummer",
        ],
    ),
    (
        Field::ShippingAddress1,
        &[
            "straßeundhausnummer",
            "strasseundhausnummer",
            "straßehausnummer",
            "strassehausnummer",
            "straßeundhausnr",
            "straßehausnr",
            "anschrift",
            "adresse",
            "adresse1",
            "adresszeile1",
            "dirección",
            "direccion",
            "dirección1",
            "direccion1",
            "adres",
            "adres1",
            "straatenhuisnummer",
        ],
    ),
    (
        Field::ShippingAddress2,
        &[
            "adresszusatz",
            "adresse2",
            "adresszeile2",
            "complémentdadresse",
            "complementdadresse",
            "dirección2",
            "direccion2",
            "adres2",
        ],
    ),
    (
        Field::ShippingCity,
        &[
            "ort",
            "stadt",
            "wohnort",
            "ville",
            "ciudad",
            "plaats",
            "woonplaats",
            "stad",
        ],
    ),
    (
        Field::ShippingProvince,
        &["bundesland", "kanton", "provincia", "provincie"],
    ),
    (
        Field::ShippingZip,
        &["postleitzahl", "codepostal", "cp", "códigopostal", "codigopostal"],
    ),
    (Field::ShippingCountry, &["land", "pays", "país", "pais"]),
    (
        Field::ShippingCountryCode,
        &[
            "ländercode",
            "laendercode",
            "länderkürzel",
            "landcode",
            "codepays",
            "códigodepaís",
            "codigodepais",
        ],
    ),
    (Field::ItemSku, &["artikelnummer", "artikelnr"]),
    (
        Field::Quantity,
        &[
            "menge",
            "anzahl",
            "stückzahl",
            "stueckzahl",
            "quantité",
            "quantite",
            "cantidad",
            "aantal",
            "hoeveelheid",
        ],
    ),
    (
        Field::ProductName,
        &[
            "artikelname",
            "artikelbezeichnung",
            "produktname",
            "nomduproduit",
            "nombredelproducto",
            "productnaam",
        ],
    ),
];
