//! How a sheet says of an order that it is not paid, or in part: in its status, or in a column that answers the question.

use super::alone::is_all_of_an_end;
use super::ends::NOT_PAID;
use super::in_part::says_in_part;
use super::{begins_with, begins_with_one_of, clauses, has_ended, starts_with};
use crate::order::nothing::says_nothing;

/// What begins one of the things that a status says of an order that is not paid as a whole, in the languages of the
/// header names. What stands behind it does not matter: `Not paid yet`.
pub(super) const UNPAID: [&str; 58] = [
    "unpaid",
    "not paid",
    "not yet paid",
    "not fully paid",
    "partially paid",
    "partly paid",
    "part paid",
    "partial payment",
    "pending payment",
    "payment pending",
    "payment failed",
    "payment declined",
    "payment error",
    "payment expired",
    "payment overdue",
    "wc pending",
    "wc failed",
    "unbezahlt",
    "nicht bezahlt",
    "noch nicht bezahlt",
    "teilweise bezahlt",
    "teilbezahlt",
    "zahlung ausstehend",
    "zahlung steht aus",
    "zahlung offen",
    "zahlung fehlgeschlagen",
    "warten auf zahlung",
    "wartet auf zahlung",
    "impayé",
    "impayée",
    "non payé",
    "non payée",
    "non paye",
    "pas payé",
    "pas encore payé",
    "partiellement payé",
    "partiellement payée",
    "en attente de paiement",
    "en attente du paiement",
    "paiement en attente",
    "no pagado",
    "sin pagar",
    "parcialmente pagado",
    "pendiente de pago",
    "pago pendiente",
    "onbetaald",
    "niet betaald",
    "nog niet betaald",
    "deels betaald",
    "wacht op betaling",
    "non pagato",
    "in attesa di pagamento",
    "não pago",
    "aguardando pagamento",
    "pagamento pendente",
    "nie opłacone",
    "vorkasse offen",
    "vorauskasse offen",
];

/// Words of a column in which a `no` tells that an order is not paid.
pub(super) const PAID: [&str; 15] = [
    "paid",
    "paymentreceived",
    "paymentcleared",
    "bezahlt",
    "zahlungerhalten",
    "payé",
    "payée",
    "pagado",
    "pagada",
    "betaald",
    "pagato",
    "opłacone",
    "oplacone",
    "zapłacone",
    "zaplacone",
];

/// What a column that asks whether an order is to go on says besides, of one that is not to.
const NOT_NOW: [&str; 27] = [
    "skip",
    "later",
    "wait",
    "hold",
    "on hold",
    "stop",
    "cancel",
    "canceled",
    "cancelled",
    "rejected",
    "declined",
    "do not",
    "don t",
    "never",
    "void",
    "waiting",
    "awaiting",
    "pending approval",
    "approval pending",
    "pending proof",
    "in review",
    "to be approved",
    "wartet",
    "offen",
    "ausstehend",
    "en attente",
    "pendiente",
];

/// Marks for no.
pub(super) const CROSSES: [char; 9] = [
    '\u{2610}', '\u{25a1}', '\u{2b1c}', '\u{2715}', '\u{2716}', '\u{2717}', '\u{2718}', '\u{274c}',
    '\u{274e}',
];

/// Answers that say no.
const NO: [&str; 17] = [
    "no",
    "n",
    "not",
    "not yet",
    "false",
    "nein",
    "noch nicht",
    "falsch",
    "non",
    "pas encore",
    "faux",
    "falso",
    "nee",
    "nog niet",
    "não",
    "pending",
    "open",
];

/// Whether the answer of a column that asks whether an order is paid, in small letters, is that it is not, or not any more.
pub(super) fn answers_no(text: &str) -> bool {
    // As a database writes it; an amount has decimals.
    let is_open = || begins_with(text, &NOT_PAID) || has_ended(text);
    // How it was paid: `Sent by bank transfer`.
    let is_how = || begins_with_one_of(text, &["sent", "bank draft"]);
    text == "0" || says_no(text) || says_unpaid(text) || says_in_part(text) || (is_open() && !is_how())
}

/// Whether a text, in small letters, is a no.
pub(super) fn says_no(text: &str) -> bool {
    is_crossed(text) || (!says_nothing(text) && begins_with(text, &NO))
}

/// Whether a text is a mark for no, or an empty box.
pub(super) fn is_crossed(text: &str) -> bool {
    text.starts_with(CROSSES) && !text.contains(char::is_alphanumeric)
}

/// Whether a column that asks whether an order is to go on says, in small letters, that it is not, or not now, or that it
/// has ended.
pub(super) fn says_not_now(text: &str) -> bool {
    says_no(text) || begins_with(text, &NOT_NOW) || is_all_of_an_end(text)
}

/// Whether a status, in small letters, says that an order is not paid, or in part.
pub(super) fn says_unpaid(text: &str) -> bool {
    clauses(text).iter().any(|words| {
        let said = words.join(" ");
        let begins = |phrase: &&str| starts_with(&said, phrase);
        // `Awaiting bank wire payment`.
        let waits =
            matches!(words.first(), Some(&("awaiting" | "waiting"))) && words.last() == Some(&"payment");
        // What a marketplace has not paid out is the seller's.
        !words.contains(&"out") && (waits || UNPAID.iter().any(begins))
    })
}

/// Whether a word, in small letters, is one of those by which a status says so.
pub(super) fn is_of_what_is_unpaid(word: &str) -> bool {
    UNPAID.iter().any(|phrase| phrase.split(' ').any(|of| of == word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_says_in_many_ways_that_an_order_is_not_paid_as_a_whole() {
        for unpaid in [
            "partially paid",
            "partially-paid",
            "not paid yet",
            "on backorder (not paid)",
            "awaiting bank wire payment",
            "awaiting check payment",
            "zahlung ausstehend",
            "nicht bezahlt",
            "non payé",
            "wc-pending",
            "new, unpaid",
        ] {
            assert!(says_unpaid(unpaid), "{unpaid}");
        }
        for other in [
            "paid",
            "on backorder (paid)",
            "payment accepted",
            "awaiting shipment, payment received",
            "awaiting fulfillment",
            "not paid out yet",
            "no payment required",
            "paid partially by gift card",
            "bezahlt",
            "pending",
            "unpaidish",
            "",
        ] {
            assert!(!says_unpaid(other), "{other}");
        }
    }

    #[test]
    fn a_column_that_asks_whether_an_order_is_paid_answers_no() {
        for no in [
            "no",
            "n",
            "false",
            "0",
            "nein",
            "not yet",
            "no - invoice sent",
            "unpaid",
            "refunded",
            "chargeback",
            "cancelled by buyer",
            "cancel",
            "void",
            "on hold",
            "failed",
            "overdue",
            "awaiting",
            "\u{2610}",
        ] {
            assert!(answers_no(no), "{no}");
        }
        for yes in [
            "yes",
            "2026-11-20",
            "24.00",
            "0.00",
            "n/a",
            "none",
            "-",
            "",
            "1",
            "card",
            "sent by bank transfer",
            "bank draft",
            "on delivery",
            "paypal",
            "\u{2611}",
            "\u{2713}",
        ] {
            assert!(!answers_no(yes), "{yes}");
        }
    }
}
