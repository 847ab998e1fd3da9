//! Whether the phone is one: a shop may no longer show it.

use super::Subject;
use crate::finding::{Code, Finding};
use crate::order::{Field, quoted};

/// The phone as it is sent: one that the shop no longer shows is none.
pub(super) fn as_sent(phone: &str) -> &str {
    if is_starred(phone) { "" } else { phone }
}

/// A phone that is not sent for it has stars in place of digits.
pub(super) fn is_whole(subject: &Subject<'_>) -> Vec<Finding> {
    let draft = subject.draft;
    let phone = draft.value(Field::ShippingPhone);
    let finding = || {
        let message = format!(
            "The phone {} is left out: the shop has put stars in place of digits.",
            quoted(phone.text)
        );
        let hint = "Nothing has to be done where the carrier needs none; else write the whole phone before the order is sent.";
        draft.finding(
            Code::PhoneLeftOut,
            (Field::ShippingPhone, phone.row),
            message,
            hint,
        )
    };
    is_starred(phone.text).then(finding).into_iter().collect()
}

/// Whether a phone has stars in place of digits. One alone may belong to an extension.
fn is_starred(phone: &str) -> bool {
    phone.contains("**")
}
