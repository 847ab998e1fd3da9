//! What a sheet says of its orders' standing in columns that are no known shop's: `Status`, `Payment Status` or
//! `Cancelled at`. Nobody has said how they are written, so that nothing is left out by them; an order that may be
//! canceled, refunded or sent already waits for a person.

use super::columns::normalized;
use super::mend::quoted;
use crate::sheet::Row;

/// Columns with a word for how an order stands, without case, spaces and punctuation.
const WORDED: [&str; 22] = [
    "status",
    "orderstatus",
    "paymentstatus",
    "financialstatus",
    "fulfillmentstatus",
    "fulfilmentstatus",
    "shippingstatus",
    "shipmentstatus",
    "deliverystatus",
    "refundstatus",
    "cancellationstatus",
    "bestellstatus",
    "auftragsstatus",
    "zahlungsstatus",
    "versandstatus",
    "statut",
    "orderstate",
    "ordersubstatus",
    "linestatus",
    "itemstatus",
    "printstatus",
    "fulfillment",
];

/// Columns in which a day, or a `yes`, tells that it is so.
const FILLED: [&str; 29] = [
    "cancelled",
    "canceled",
    "cancelledat",
    "canceledat",
    "cancelledon",
    "canceledon",
    "cancelleddate",
    "canceleddate",
    "cancellationdate",
    "canceldate",
    "datecancelled",
    "datecanceled",
    "refunded",
    "refundedat",
    "refundedon",
    "refunddate",
    "daterefunded",
    "shipped",
    "shippedat",
    "shippedon",
    "shippeddate",
    "dateshipped",
    "fulfilledon",
    "storniert",
    "storniertam",
    "versendet",
    "versendetam",
    "versandt",
    "versandtam",
];

/// What says in them that it is not so.
const NOT_SO: [&str; 14] = [
    "no", "n", "false", "not yet", "never", "none", "null", "n/a", "pending", "open", "nein", "falsch",
    "non", "faux",
];

/// Columns with pieces or an amount that was taken back.
const COUNTED: [&str; 9] = [
    "quantityrefunded",
    "refundedquantity",
    "qtyrefunded",
    "refundedqty",
    "itemrefundedqty",
    "quantitycanceled",
    "quantitycancelled",
    "quantityreturned",
    "skuquantityofreturn",
];

/// How the words begin that mean that an order is canceled, refunded or sent, or is to wait, in the languages of the
/// header names.
const TELLING: [&str; 41] = [
    "cancel",
    "refund",
    "void",
    "returned",
    "chargeback",
    "fulfilled",
    "shipped",
    "dispatched",
    "delivered",
    "sent",
    "transit",
    "deleted",
    "hold",
    "storn",
    "erstattet",
    "zurückerstattet",
    "abgebrochen",
    "versendet",
    "versandt",
    "verschickt",
    "gesendet",
    "zugestellt",
    "geliefert",
    "gelöscht",
    "annul",
    "anulad",
    "anulat",
    "rembours",
    "expédi",
    "expedi",
    "envoy",
    "livré",
    "reembols",
    "cancelad",
    "enviado",
    "entregado",
    "geannuleerd",
    "terugbetaald",
    "verzonden",
    "geleverd",
    "rimbors",
];

/// What says beside such a word that it is not so, or not yet.
const NOT_YET: [&str; 17] = [
    "not", "no", "never", "to", "be", "ready", "awaiting", "await", "waiting", "pending", "nicht", "noch",
    "zu", "bereit", "wartet", "non", "pas",
];

/// Columns that speak of money alone: there `Completed` means paid.
const OF_PAYMENT: [&str; 4] = [
    "paymentstatus",
    "financialstatus",
    "zahlungsstatus",
    "refundstatus",
];

/// What a column tells of an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum By {
    Word,
    WordOfPayment,
    Filling,
    Count,
}

/// The columns of a header that tell how an order stands.
#[derive(Clone, Debug, Default)]
pub(super) struct Stated(Vec<(usize, By, String)>);

impl Stated {
    /// Of the columns that are the sheet's own.
    pub(super) fn of(header: &Row, own: &[usize]) -> Self {
        let told = own.iter().filter_map(|column| {
            let text = header.text(*column);
            let name = normalized(text);
            let by = [
                (&WORDED[..], By::Word),
                (&FILLED, By::Filling),
                (&COUNTED, By::Count),
            ]
            .into_iter()
            .find(|(names, _)| names.contains(&name.as_str()));
            let by = match by?.1 {
                By::Word if OF_PAYMENT.contains(&name.as_str()) => By::WordOfPayment,
                by => by,
            };
            Some((*column, by, text.trim().to_owned()))
        });
        Self(told.collect())
    }

    /// Without the columns that the rules of a shop's profile look at.
    pub(super) fn without(mut self, known: &[usize]) -> Self {
        self.0.retain(|(column, ..)| !known.contains(column));
        self
    }

    /// Why an order is to wait by what a row of it says, each as the end of a sentence.
    pub(super) fn holds(&self, row: &Row) -> Vec<String> {
        let told = self
            .0
            .iter()
            .filter(|(column, by, _)| tells(*by, row.text(*column).trim()));
        told.map(|(column, _, name)| format!("{} says {}", quoted(name), quoted(row.text(*column).trim())))
            .collect()
    }
}

fn tells(by: By, text: &str) -> bool {
    let has_number = || text.bytes().any(|byte| matches!(byte, b'1'..=b'9'));
    match by {
        // `-`, `0` and `0000-00-00` hold the place of a number of pieces, or of a day.
        By::Count => has_number(),
        By::Filling => {
            let is_not_so = NOT_SO.contains(&text.to_lowercase().as_str());
            (has_number() || text.contains(char::is_alphabetic)) && !is_not_so
        }
        By::Word | By::WordOfPayment => {
            let text = text.to_lowercase();
            let words = || {
                text.split(|c: char| !c.is_alphanumeric())
                    .filter(|word| !word.is_empty())
            };
            let is_told = |word: &str| TELLING.iter().any(|stem| word.starts_with(stem));
            let is_done = by == By::Word && text.starts_with("completed");
            let is_told_of_it = words().any(is_told) && !words().any(|word| NOT_YET.contains(&word));
            is_done || is_told_of_it || words().next().is_some_and(is_told)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::order::tests::{NATIVE, drafts, good, text_row};

    #[test]
    fn only_what_speaks_of_an_end_is_told() {
        let header = text_row(
            1,
            &[
                "Order Status",
                "Cancelled at",
                "Quantity refunded",
                "Status of my dog",
            ],
        );
        let stated = Stated::of(&header, &[0, 1, 2, 3]);
        for (cells, told) in [
            (["Canceled", "", "0", ""], 1),
            (["CANCELLED", "2026-11-20", "2", ""], 3),
            (["Teilweise erstattet", "", "", ""], 1),
            (["new", "", "", "Canceled"], 0),
            (["unfulfilled", " ", "0.00", ""], 0),
            (["Paid", "", "", ""], 0),
            (["Paid", "0000-00-00", "-", ""], 0),
            (["Customer canceled", "yes", "-1", ""], 3),
            (["wc-cancelled", "no", "", ""], 1),
            (["Partly shipped", "n/a", "", ""], 1),
            (["Do not print: on hold", "", "", ""], 0),
            (["On hold", "", "", ""], 1),
            (["not shipped yet", "", "", ""], 0),
            (["Ready to be shipped", "", "", ""], 0),
            (["Completed", "", "", ""], 1),
        ] {
            assert_eq!(stated.holds(&text_row(2, &cells)).len(), told, "{cells:?}");
        }
    }

    #[test]
    fn an_order_that_its_own_sheet_calls_canceled_waits_for_a_person() {
        let header: Vec<&str> = NATIVE.iter().copied().chain(["Payment Status"]).collect();
        let of = |word: &str| {
            let mut cells = good();
            cells.push(word.to_owned());
            drafts(&header, &[cells]).remove(0)
        };
        assert_eq!(of("Refunded").shop_holds(), ["`Payment Status` says `Refunded`"]);
        assert!(of("paid").shop_holds().is_empty());
    }
}
