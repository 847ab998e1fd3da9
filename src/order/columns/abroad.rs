//! What order sheets in German, French, Spanish and Dutch call the columns, and at more length in English. Data,
//! not code.

use super::Field;

/// The other headers of a field, as [`super::normalized`].
pub(super) fn aliases(field: Field) -> &'static [&'static str] {
    of(field, WORDS)
}

/// The headers that mean a field where no other column does: of what may be a buyer's as well, and of what is called so
/// seldom that a sheet may have it beside a better one.
pub(super) fn last(field: Field) -> &'static [&'static str] {
    of(field, LAST)
}

fn of(field: Field, words: &'static [(Field, &[&str])]) -> &'static [&'static str] {
    let words = words.iter().find(|(named, _)| *named == field);
    words.map_or(&[], |(_, words)| words)
}

/// Names of the one who gets the parcel, which are nobody else's.
pub(super) const ADDRESSEE: [&str; 5] = [
    "empfängername",
    "empfaengername",
    "nomdudestinataire",
    "nombredeldestinatario",
    "naamontvanger",
];

const LAST: &[(Field, &[&str])] = &[
    (
        Field::OrderId,
        &[
            "auftrag",
            "bestellung",
            "ncommande",
            "numérocommande",
            "numerocommande",
            "nopedido",
            "npedido",
            "númeropedido",
            "numeropedido",
            "bestelnr",
        ],
    ),
    (
        Field::ShippingName,
        &[
            "kunde",
            "kundenname",
            "klant",
            "klantnaam",
            "vorundnachname",
            "nometprénom",
            "nometprenom",
            "prénometnom",
            "prenometnom",
            "nombreyapellido",
            "nombreyapellidos",
            "volledigenaam",
        ],
    ),
    (
        Field::ShippingAddress1,
        &[
            "adressedelivraison",
            "straßenr",
            "strassenr",
            "straßeundnr",
            "strasseundnr",
        ],
    ),
    (Field::ShippingCity, &["población", "poblacion", "localidad"]),
    (Field::ItemSku, &["artnr"]),
    (Field::Quantity, &["stk", "bestellmenge", "unidades", "stuks"]),
];

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
            "adressezeile1",
            "adresseligne1",
            "adresregel1",
            "adreslijn1",
            "direcciónlínea1",
            "direccionlinea1",
            "dirección",
            "direccion",
            "dirección1",
            "direccion1",
            "adres",
            "adres1",
            "straatenhuisnummer",
            "straße",
            "strasse",
            "straat",
            "rue",
            "calle",
        ],
    ),
    (
        Field::ShippingAddress2,
        &[
            "adresszusatz",
            "adresszusatz1",
            "adresaanvulling",
            "tweedeadresregel",
            "adressesuite",
            "direccióncont",
            "direccioncont",
            "domicilio2",
            "aptsuiteunit",
            "aptunitsuite",
            "unitapt",
            "unitsuite",
            "suiteunit",
            "suiteapt",
            "aptorsuite",
            "unitorapt",
            "aptorunit",
            "addresslinetwo",
            "secondaddressline",
            "addresscont",
            "addresscontinued",
            "address2apt",
            "address2aptsuite",
            "address2unit",
            "streetline2",
            "streetcont",
            "streetcontinued",
            "streetaddressline2",
            "additionaladdressinformation",
            "additionaladdressinfo",
            "zusatz",
            "complément",
            "complement",
            "complemento",
            "complémentdadresse",
            "complementdadresse",
            "complémentadresse",
            "complementadresse",
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
        &[
            "bundesland",
            "kanton",
            "provincia",
            "província",
            "provincie",
            "région",
            "región",
        ],
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
            "stück",
            "stueck",
            "qté",
            "qte",
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
