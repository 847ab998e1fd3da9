//! What a sheet that is no known shop's export says of its orders' standing: a column `Status`, `Payment Status` or
//! `Cancelled at`. Nobody has said how its shop writes, so that nothing is left out by it; an order that may be canceled,
//! refunded or sent already waits for a person.

use super::columns::normalized;
use super::mend::quoted;
use crate::sheet::Row;

/// Columns with a word for how an order stands, without case, spaces and punctuation.
const WORDED: [&str; 16] = [
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
];

/// Columns in which a day tells that it is so.
const FILLED: [&str; 9] = [
    "cancelledat",
    "canceledat",
    "cancellationdate",
    "canceldate",
    "datecancelled",
    "datecanceled",
    "refundedat",
    "dateshipped",
    "shippedat",
];

/// Columns with pieces or an amount that was taken back.
const COUNTED: [&str; 6] = [
    "quantityrefunded",
    "refundedquantity",
    "qtyrefunded",
    "refundedqty",
    "quantitycanceled",
    "quantitycancelled",
];

/// How the words begin that mean that an order is canceled, refunded or sent, in the languages of the header names.
const TELLING: [&str; 34] = [
    "cancel",
    "refund",
    "partially refund",
    "partly refund",
    "void",
    "returned",
    "chargeback",
    "fulfilled",
    "partially fulfilled",
    "shipped",
    "partially shipped",
    "dispatched",
    "delivered",
    "storn",
    "erstattet",
    "teilweise erstattet",
    "versendet",
    "versandt",
    "verschickt",
    "zugestellt",
    "geliefert",
    "annul",
    "rembours",
    "expédi",
    "expedi",
    "livré",
    "reembols",
    "enviado",
    "entregado",
    "geannuleerd",
    "terugbetaald",
    "verzonden",
    "geleverd",
    "rimbors",
];

/// What a column tells of an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum By {
    Word,
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
            by.map(|(_, by)| (*column, by, text.trim().to_owned()))
        });
        Self(told.collect())
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
    if text.is_empty() {
        return false;
    }
    match by {
        // A day, or a number of pieces; `-`, `0` and `0000-00-00` hold its place.
        By::Filling | By::Count => text.bytes().any(|byte| matches!(byte, b'1'..=b'9')),
        By::Word => {
            let text = text.to_lowercase();
            TELLING.iter().any(|word| text.starts_with(word))
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
