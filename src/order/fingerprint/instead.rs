//! What counts of a field instead of what is written in it: the same thing is written in more than one way.

use super::{Reading, is_standard};
use crate::order::columns::Field;
use crate::order::draft::Draft;

/// What counts instead of what is written, where something does.
pub(super) struct Instead {
    pub(super) place: RegionCodes,
    pub(super) service: Option<&'static str>,
    pub(super) phone: Option<String>,
}

impl Instead {
    pub(super) fn in_third(draft: &Draft) -> Self {
        Self {
            place: RegionCodes::of(draft, Reading::AsWritten),
            service: is_standard(draft).then_some(""),
            phone: None,
        }
    }

    pub(super) fn in_fourth(draft: &Draft, reading: Reading) -> Self {
        Self {
            place: RegionCodes::of(draft, reading),
            phone: Some(plain_phone(reading.of(draft, Field::ShippingPhone))),
            ..Self::in_third(draft)
        }
    }

    pub(super) fn of(&self, field: Field) -> Option<&str> {
        match field {
            Field::ShippingService => self.service,
            Field::ShippingPhone => self.phone.as_deref(),
            _ => self.place.instead_of(field),
        }
    }
}

/// The digits of a phone without the zeros in front: what is left of it where a spreadsheet has made a number of it.
fn plain_phone(written: &str) -> String {
    let digits: String = written.chars().filter(char::is_ascii_digit).collect();
    match digits.trim_start_matches('0') {
        "" => written.to_owned(),
        digits => digits.to_owned(),
    }
}

/// A country or province by its code alone, whether code, name or both say it: the name's field is then blank. Nothing
/// where it is what is written.
pub(super) struct RegionCodes {
    country: Option<&'static str>,
    province: Option<&'static str>,
}

impl RegionCodes {
    pub(super) const AS_WRITTEN: Self = Self {
        country: None,
        province: None,
    };

    pub(super) fn of(draft: &Draft, reading: Reading) -> Self {
        let country = draft.destination();
        let named = |text: &&str| match reading {
            Reading::AsWritten => country?.province(text),
            Reading::AsMeant => country?.province_meant(text),
        };
        let texts =
            [Field::ShippingProvinceCode, Field::ShippingProvince].map(|field| draft.value(field).text);
        let found: Vec<_> = texts.iter().filter_map(named).collect();
        // Two that disagree, or words of which one is not known, are what is written.
        let said = texts.iter().filter(|text| !text.is_empty()).count();
        let agree = found.len() == said && found.windows(2).all(|pair| matches!(pair, [a, b] if a == b));
        Self {
            country: country.map(|country| country.code.as_str()),
            province: found.first().filter(|_| agree).map(|province| province.code),
        }
    }

    fn instead_of(&self, field: Field) -> Option<&'static str> {
        match field {
            Field::ShippingCountryCode => self.country,
            Field::ShippingCountry => self.country.map(|_| ""),
            Field::ShippingProvinceCode => self.province,
            Field::ShippingProvince => self.province.map(|_| ""),
            _ => None,
        }
    }
}
