//! Parts of a name or an address that some sheets have in columns of their own. There is no field for them, and how they
//! are to be joined is not certain, but for the few pairs that are read as one.

mod apart;
mod carriers;
mod worded;

use super::{ADDRESSED_TO, Field, Fit, normalized};
pub(in crate::order) use apart::{is_of_a_room, is_of_a_unit, part_apart};
pub(in crate::order) use carriers::is_a_carrier;

/// The field that a part belongs into, and what its column is called, as [`normalized`].
const PARTS: &[(Field, &[&str])] = &[
    (
        Field::ShippingAddress1,
        &[
            "housenumber",
            "houseno",
            "housenr",
            "streetnumber",
            "streetno",
            "hausnummer",
            "hausnr",
            "huisnummer",
            "huisnr",
            "no",
            "nr",
            "num",
            "number",
            "numero",
            "número",
            "house",
            "númeroexterior",
            "numeroexterior",
            "noexterior",
            "numexterior",
            "númext",
            "numext",
            "noext",
        ],
    ),
    (
        Field::ShippingAddress2,
        &[
            "ste",
            "bldg",
            "númerointerior",
            "numerointerior",
            "nointerior",
            "numinterior",
            "númint",
            "numint",
            "noint",
            "shiptocompany",
            "shiptocompanyname",
            "recipientcompany",
            "recipientcompanyname",
            "shiptoattn",
            "shiptoattention",
            "shiptocareof",
            "recipientattn",
            "recipientattention",
            "recipientcareof",
            "shippingattn",
            "shippingattention",
            "shippingcareof",
            "building",
            "buildingname",
            "toevoeging",
            "huisnummertoevoeging",
            "huisnrtoevoeging",
            "hausnummerzusatz",
            "hausnrzusatz",
            "hinterhaus",
            "lieudit",
            "barangay",
            "colonia",
            "neighborhood",
            "neighbourhood",
            "housename",
            "housenamenumber",
            "housenameornumber",
            "housenumberorname",
            "additionaladdress",
            "addressextra",
            "bâtiment",
            "batiment",
            "escalier",
            "escalera",
            "stiege",
            "tür",
            "puerta",
            "wohnung",
            "appartement",
            "bairro",
        ],
    ),
    (Field::ShippingAddress2, &OF_THE_ADDRESS),
    (Field::ShippingAddress2, &WITH_A_DIGIT),
    (Field::ShippingAddress2, &BETWEEN),
    (
        Field::ShippingName,
        &[
            "surname",
            "lastname",
            "familyname",
            "nachname",
            "achternaam",
            "apellido",
            "apellidos",
            "apellido1",
            "apellido2",
            "apellidopaterno",
            "apellidomaterno",
            "primerapellido",
            "segundoapellido",
            "firstname",
            "givenname",
            "forename",
            "vorname",
            "voornaam",
            "prénom",
            "prenom",
        ],
    ),
];

/// Of a unit there is a number, or it is one of measure: `pcs`; and a box may be told of by a `no`.
const WITH_A_DIGIT: [&str; 24] = [
    "flat",
    "flatno",
    "flatnumber",
    "room",
    "roomno",
    "block",
    "piso",
    "unit",
    "unitno",
    "unitnumber",
    "floor",
    "door",
    "pobox",
    "stockwerk",
    "etage",
    "étage",
    "verdieping",
    "packstation",
    "postfach",
    // In the north it is the zip.
    "postnummer",
    "bte",
    "bus",
    "top",
    "locker",
];

/// Who may be the merchant's own as well: only beside the recipient's name or street is it theirs.
const OF_THE_ADDRESS: [&str; 18] = [
    "organization",
    "organisation",
    "organizationname",
    "business",
    "businessname",
    "careof",
    "attn",
    "attention",
    "company",
    "companyname",
    "co",
    "firma",
    "firmenname",
    "société",
    "societe",
    "empresa",
    "bedrijf",
    "bedrijfsnaam",
];

/// What a product may have as well, as `Unit` its measure: only beside the columns of the address are they its parts.
const OF_A_PRODUCT: [&str; 11] = [
    "room",
    "block",
    "unit",
    "floor",
    "door",
    "tür",
    "puerta",
    "stiege",
    "bte",
    "wohnung",
    "appartement",
];

/// What may be of a product or of the merchant's own as well, wherever it stands but in the midst of an address.
const BETWEEN: [&str; 19] = [
    "department",
    "district",
    "ward",
    "village",
    "landmark",
    "pickuppoint",
    "deliverypoint",
    "locationdetails",
    "ortsteil",
    "résidence",
    "bloque",
    "portal",
    "ligne2",
    "línea2",
    "segundalínea",
    "zusatzzeile",
    "bus",
    "top",
    "locker",
];

/// The columns that say where, beside which a part of the address stands.
const WHERE: [Field; 8] = [
    Field::ShippingAddress1,
    Field::ShippingAddress2,
    Field::ShippingCity,
    Field::ShippingProvince,
    Field::ShippingProvinceCode,
    Field::ShippingZip,
    Field::ShippingCountry,
    Field::ShippingCountryCode,
];

/// The columns that say who or which street, beside which stands who else is told of.
const WHO: [Field; 3] = [
    Field::ShippingName,
    Field::ShippingAddress1,
    Field::ShippingAddress2,
];

/// What may count the rows as well: a part of an address that has no number yet.
const WHERE_NONE_IS: [&str; 9] = [
    "no", "nr", "n°", "nº", "num", "number", "numero", "número", "house",
];

/// A part that a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::order) struct Part {
    /// The field that it belongs into.
    pub(in crate::order) field: Field,
    /// Which of its texts are one.
    pub(in crate::order) texts: Texts,
    /// It is one only beside the column of one of these.
    pub(in crate::order) beside: Option<&'static [Field]>,
    /// It is one only with such a column on either side.
    pub(in crate::order) is_between: bool,
}

/// Which texts below a header are a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::order) enum Texts {
    /// Any.
    All,
    /// One with a digit.
    WithDigit,
    /// The same where the address has none: it may count the rows.
    WithDigitWhereNoneIs,
    /// Any that does not name who carries the parcel: a `Shipping Company` may.
    NoCarrier,
    /// One that is written as the number of a unit: a product has units of measure.
    OfAUnit,
    /// One that is written as the number of a room.
    OfARoom,
}

impl Part {
    /// Whether only a text with a digit is one.
    pub(in crate::order) fn has_digit(self) -> bool {
        match self.texts {
            Texts::WithDigit | Texts::WithDigitWhereNoneIs | Texts::OfAUnit | Texts::OfARoom => true,
            Texts::All | Texts::NoCarrier => false,
        }
    }
}

/// What the text below a header is a part of. A surname or a first name is one only where the name itself stands under a
/// bare `Name`, for beside a recipient's name it may be the buyer's.
pub(in crate::order) fn part_of(header: &str, name: Option<Fit>) -> Option<Part> {
    let text = header;
    let header = normalized(text);
    let bare = ADDRESSED_TO
        .iter()
        .filter_map(|to| header.strip_prefix(to))
        .chain([header.as_str()]);
    let named = |words: &[&str]| bare.clone().any(|word| words.contains(&word));
    let Some((field, list)) = PARTS.iter().find(|(_, words)| named(words)) else {
        return worded::part_of(text);
    };
    let where_none_is = named(&WHERE_NONE_IS);
    if where_none_is && !WHERE_NONE_IS.contains(&header.as_str()) {
        // A shipment has a number too.
        return None;
    }
    let is_of_the_address = *list == OF_THE_ADDRESS;
    let is_between = named(&BETWEEN);
    let beside: Option<&[Field]> = if where_none_is {
        Some(&[Field::ShippingAddress1])
    } else if is_of_the_address {
        Some(&WHO)
    } else if is_between || OF_A_PRODUCT.contains(&&*header) {
        Some(&WHERE)
    } else {
        None
    };
    let texts = if where_none_is {
        Texts::WithDigitWhereNoneIs
    } else if named(&WITH_A_DIGIT) {
        Texts::WithDigit
    } else if is_of_the_address && !OF_THE_ADDRESS.contains(&header.as_str()) {
        Texts::NoCarrier
    } else {
        Texts::All
    };
    (*field != Field::ShippingName || name == Some(Fit::Weak)).then_some(Part {
        field: *field,
        texts,
        beside,
        is_between,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_known_by_its_name_and_a_surname_beside_a_bare_name_alone() {
        for (header, name, field) in [
            ("House Number", None, Some(Field::ShippingAddress1)),
            ("Ship To House No.", None, Some(Field::ShippingAddress1)),
            ("Huisnummer", None, Some(Field::ShippingAddress1)),
            ("Nr.", None, Some(Field::ShippingAddress1)),
            ("Delivery Number", None, None),
            ("Número", None, Some(Field::ShippingAddress1)),
            ("Address 3", None, Some(Field::ShippingAddress2)),
            ("Shipping Address Line 3", None, Some(Field::ShippingAddress2)),
            ("Surname", Some(Fit::Weak), Some(Field::ShippingName)),
            ("Surname", Some(Fit::Alias), None),
            ("Last Name", Some(Fit::Exact), None),
            ("Vorname", Some(Fit::Weak), Some(Field::ShippingName)),
            ("Prénom", Some(Fit::Weak), Some(Field::ShippingName)),
            ("First Name", Some(Fit::Alias), None),
            ("Ship To Company", None, Some(Field::ShippingAddress2)),
            ("Company", None, Some(Field::ShippingAddress2)),
            ("Flat No.", None, Some(Field::ShippingAddress2)),
            ("Attn:", None, Some(Field::ShippingAddress2)),
            ("Shipping Company", None, Some(Field::ShippingAddress2)),
            ("Shipping c/o", None, Some(Field::ShippingAddress2)),
            ("Unit #", None, Some(Field::ShippingAddress2)),
            ("Billing House Number", None, None),
            ("Address 2", None, None),
            ("Notes", None, None),
        ] {
            assert_eq!(part_of(header, name).map(|part| part.field), field, "{header}");
        }
    }
}
