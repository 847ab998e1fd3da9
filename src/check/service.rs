//! Whether the shipping service exists and goes where the order goes (`ShippingService` in
//! `schema/print-service.openapi.json`).

use crate::finding::{Code, Finding};
use crate::order::{Field, SERVICES, is_standard, quoted};

use super::Subject;

/// The codes of the services that are not standard.
pub fn services() -> [&'static str; 3] {
    SERVICES.map(|(service, _only)| service)
}

/// The service as it is sent; none is standard.
pub(super) fn as_sent(subject: &Subject<'_>) -> Option<String> {
    let text = subject.draft.value(Field::ShippingService).text;
    (!is_standard(text)).then(|| text.to_owned())
}

pub(super) fn goes_there(subject: &Subject<'_>) -> Vec<Finding> {
    let draft = subject.draft;
    let value = draft.value(Field::ShippingService);
    let at = (Field::ShippingService, value.row);
    if is_standard(value.text) || draft.is_spoiled(Field::ShippingService) {
        return Vec::new();
    }
    let Some((service, only)) = SERVICES.iter().find(|(service, _)| *service == value.text) else {
        let message = format!("{} is no shipping service.", quoted(value.text));
        let hint = "Leave it blank for standard shipping, or write AUEX (to AU), US2DAYS or USGR (to US); or rename the column if \
                    it means something else.";
        return vec![draft.finding(Code::UnknownService, at, message, hint)];
    };
    match draft.destination() {
        Some(country) if country.code != *only => {
            let there = &country.code;
            let message = format!("{service} goes to {only} only; the order goes to {there}.");
            let hint = "Leave shipping_service blank for standard shipping.";
            vec![draft.finding(Code::ServiceCountry, at, message, hint)]
        }
        Some(_) | None => Vec::new(),
    }
}
