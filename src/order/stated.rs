//! What a sheet says of its orders' standing in columns that are no known shop's: `Status`, `Payment Status` or
//! `Cancelled at`. Nobody has said how they are written, so that nothing is left out by them; an order that may be
//! canceled, refunded or sent already waits for a person.

use super::columns::normalized;
use super::mend::quoted;
use crate::sheet::Row;

/// Columns with a word for how an order stands, without case, spaces and punctuation.
const WORDED: [&str; 21] = [
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

/// What begins what says in them that it is not so: no, not yet.
const NOT_SO: [&str; 29] = [
    "no", "n", "na", "not", "non", "never", "none", "null", "false", "pending", "open", "tbd", "tba", "nein",
    "nicht", "noch", "kein", "falsch", "faux", "pas", "falso", "não", "nao", "onwaar", "nee", "niet", "nie",
    "fałsz", "unknown",
];

/// The same in a word.
const UNDONE: [&str; 6] = [
    "unshipped",
    "unfulfilled",
    "unsent",
    "undelivered",
    "unversandt",
    "unversendet",
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

/// How the words begin that mean that an order is canceled, refunded or stopped, in the languages of the header names.
/// Whether that is done or asked for does not matter.
const STOPPED: [&str; 22] = [
    "cancel",
    "refund",
    "void",
    "returned",
    "chargeback",
    "deleted",
    "storn",
    "erstattet",
    "zurückerstattet",
    "rückerstattet",
    "abgebrochen",
    "gelöscht",
    "annul",
    "anulad",
    "anulat",
    "rembours",
    "reembols",
    "geannuleerd",
    "terugbetaald",
    "rimbors",
    "wstrzyman",
    "zwrócon",
];

/// How the words begin that mean that it is sent.
const SENT: [&str; 22] = [
    "fulfilled",
    "shipped",
    "dispatched",
    "delivered",
    "transit",
    "printed",
    "versendet",
    "versandt",
    "verschickt",
    "gesendet",
    "gedruckt",
    "zugestellt",
    "geliefert",
    "expédié",
    "expedid",
    "envoyé",
    "livré",
    "enviad",
    "entregad",
    "verzonden",
    "geleverd",
    "wysłan",
];

/// The same where the beginning of a word may go on otherwise.
const SENT_WORDS: [&str; 7] = [
    "sent", "expedie", "expediee", "expedies", "envoye", "envoyee", "livre",
];

/// What is sent and printed of an order beside it.
const PAPERS: [&str; 14] = [
    "invoice",
    "email",
    "mail",
    "quote",
    "reminder",
    "proof",
    "payment",
    "label",
    "slip",
    "confirmation",
    "message",
    "rechnung",
    "lieferschein",
    "etikett",
];

/// What says before a word that it is not so.
const NO: [&str; 8] = ["no", "not", "never", "nicht", "non", "pas", "niet", "nie"];

/// What may stand between that and the word.
const BESIDE: [&str; 9] = [
    "longer", "yet", "been", "was", "is", "has", "be", "mehr", "encore",
];

/// What says before a word for sent that it is still to come.
const NOT_YET: [&str; 24] = [
    "no", "not", "never", "to", "be", "ready", "awaiting", "await", "waiting", "pending", "nicht", "noch",
    "zu", "bereit", "wartet", "non", "pas", "à", "a", "attente", "prêt", "cours", "por", "para",
];

/// What stands between two things that are said of an order.
const BETWEEN: [char; 9] = [',', ';', ':', '(', ')', '/', '|', '\u{2013}', '\u{2014}'];

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
    let text = text.to_lowercase();
    match by {
        // `-`, `0` and `0000-00-00` hold the place of a number of pieces, or of a day.
        By::Count => has_number(),
        By::Filling => has_number() || says_yes(&text),
        By::WordOfPayment => is_told(&text),
        By::Word => is_complete(&text) || is_told(&text),
    }
}

/// Whether a text without a number says that it is so. `0.00 EUR` does not, and `No: canceled by the buyer` does.
fn says_yes(text: &str) -> bool {
    let first = text
        .split(|c: char| !c.is_alphanumeric())
        .find(|word| !word.is_empty());
    let is_no = |first: &str| NOT_SO.contains(&first) || UNDONE.contains(&first);
    !text.contains(|c: char| c.is_ascii_digit()) && first.is_some_and(|first| !is_no(first) || is_told(text))
}

/// Whether a text, in small letters, says that an order is canceled, refunded, stopped or sent.
fn is_told(text: &str) -> bool {
    let is_told = |words: &Vec<&str>| (0..words.len()).any(|at| tells_at(words, at));
    clauses(text).iter().any(is_told)
}

/// Whether a word says so, by what stands before it.
fn tells_at(words: &[&str], at: usize) -> bool {
    let Some((word, before)) = words.get(..=at).and_then(<[&str]>::split_last) else {
        return false;
    };
    let begins = |with: &[&str]| with.iter().any(|stem| word.starts_with(stem));
    let follows = |before: &[&str], words: &[&str]| {
        let counts = before.iter().rev().find(|word| !BESIDE.contains(word));
        counts.is_some_and(|word| words.contains(word))
    };
    match before.split_last() {
        Some((&"on", before)) if *word == "hold" => return !follows(before, &NO),
        None if *word == "hold" => return words.len() == 1,
        _ if begins(&STOPPED) => return !follows(before, &NO),
        _ => {}
    }
    let is_sent = begins(&SENT) || SENT_WORDS.contains(word);
    is_sent && !follows(before, &PAPERS) && !before.iter().any(|word| NOT_YET.contains(word))
}

/// Whether a text, in small letters, says that an order is done.
fn is_complete(text: &str) -> bool {
    clauses(text).iter().any(|words| {
        matches!(words.first(), Some(&("complete" | "completed"))) && words.get(1) != Some(&"payment")
    })
}

/// The words of each thing that a text says.
fn clauses(text: &str) -> Vec<Vec<&str>> {
    let words = |clause| {
        let words = str::split(clause, |c: char| !c.is_alphanumeric());
        words.filter(|word| !word.is_empty()).collect()
    };
    let parts = text.split(" - ").flat_map(|part| part.split(BETWEEN));
    parts.map(words).collect()
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
            (["Not canceled", "not yet", "", ""], 0),
            (["", "FALSO", "", ""], 0),
            (["", "unterwegs", "", ""], 1),
            (["", "No - canceled by customer", "", ""], 1),
            (["", "unshipped", "", ""], 0),
            (["", "TBD", "", ""], 0),
            (["", "0.00 EUR", "", ""], 0),
        ] {
            assert_eq!(stated.holds(&text_row(2, &cells)).len(), told, "{cells:?}");
        }
    }

    #[test]
    fn a_word_for_an_end_counts_and_one_for_what_is_still_to_come_does_not() {
        for told in [
            "Partially refunded, not shipped",
            "Partially fulfilled, rest pending",
            "Teilweise erstattet, noch nicht versendet",
            "Order canceled - do not ship",
            "Customer canceled, to be refunded",
            "Pending cancellation",
            "Do not print: on hold",
            "On hold",
            "Completed",
            "Printed",
            "Sent",
            "Expédiée",
            "In transit",
            "on-hold",
            "wc-on-hold",
            "Shipped to customer",
            "Enviado por correo",
            "Geleverd",
            "EXPEDIEE",
            "Already sent",
            "Has been sent",
            "Completed, picked up",
            "Completed (12 Nov)",
        ] {
            assert!(tells(By::Word, told), "{told}");
        }
        for open in [
            "new",
            "Paid",
            "unfulfilled",
            "not shipped yet",
            "Ready to be shipped",
            "À expédier",
            "En attente d'expédition",
            "Prêt à expédier",
            "À envoyer",
            "Invoice sent",
            "not printed",
            "Awaiting collection",
            "Label printed",
            "Rechnung gedruckt",
            "no longer on hold",
            "Not yet canceled",
            "To be printed",
            "Payment completed",
            "Household goods",
        ] {
            assert!(!tells(By::Word, open), "{open}");
        }
        assert!(!tells(By::WordOfPayment, "Completed"));
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
