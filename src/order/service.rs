//! The shipping services (`ShippingService` in `schema/print-service.openapi.json`), however a cell writes them.

use std::borrow::Cow;

/// The services and the only country that each goes to; nothing is standard, and goes anywhere.
pub(crate) const SERVICES: [(&str, &str); 3] = [("AUEX", "AU"), ("US2DAYS", "US"), ("USGR", "US")];

/// Words for the standard service, in capitals.
pub(super) const STANDARD: [&str; 4] = ["STANDARD", "STANDARD SHIPPING", "NULL", "NONE"];

/// Whether a text, mended, means the standard service.
pub(crate) fn is_standard(text: &str) -> bool {
    text.is_empty() || STANDARD.contains(&text)
}

/// A service in the capitals in which it is sent; what is none stays as it is, for whoever looks for it in the sheet.
pub(super) fn in_capitals(text: &str) -> Cow<'_, str> {
    let capitals = text.to_uppercase();
    let is_known = is_standard(&capitals) || SERVICES.iter().any(|(service, _only)| *service == capitals);
    if is_known {
        Cow::Owned(capitals)
    } else {
        Cow::Borrowed(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_service_is_written_in_capitals() {
        for (written, read_as) in [
            ("usgr", "USGR"),
            ("Us2Days", "US2DAYS"),
            ("standard", "STANDARD"),
            ("fast", "fast"),
            ("", ""),
        ] {
            assert_eq!(in_capitals(written), read_as);
        }
    }
}
