//! What a sheet says of its orders' standing in columns that are no known shop's: `Status`, `Payment Status` or
//! `Cancelled at`. Nobody has said how they are written, so that nothing is left out by them; an order that may be
//! canceled, refunded or sent already waits for a person.

mod names;
mod paid;
mod words;

use super::columns::normalized;
use super::mend::quoted;
use crate::sheet::Row;
use names::{COUNTED, COUNTED_AS_SENT, FILLED, NOTES, OF_A_STEP, OF_OTHERS, OF_PAYMENT, WORDED};
use paid::{answers_no, is_asked, says_no, says_unpaid};
use words::{
    AFTER_NO, ASKS_FOR_AN_END, BESIDE, BETWEEN, ENDED, ENDS_IN_A_NOTE, FALLEN_THROUGH, FIRST, IN_A_HEADING,
    MARKS, MAY_BE_A_NAME, NO, NOT_PAID, NOT_SO, NOT_YET, OF_THIS, PAPERS, SENT, SENT_WORDS, SHORT, STOPPED,
    TO_DO, UNDONE, WAITS,
};

/// What a column tells of an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum By {
    Word,
    WordOfOrder,
    WordOfPayment,
    WordOfRefund,
    Filling,
    Count,
    /// Pieces that are sent, not taken back.
    CountOfSent,
    Paid,
    Note,
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
            let by = by_name(&name)?;
            Some((*column, by, text.trim().to_owned()))
        });
        Self(told.collect())
    }

    /// Without the columns that the rules of a shop's profile look at.
    pub(super) fn without(mut self, known: &[usize]) -> Self {
        self.0.retain(|(column, ..)| !known.contains(column));
        self
    }

    /// Without the columns that count the pieces which are sent: where what is left to send is read, those are not in it.
    pub(super) fn without_pieces_sent(mut self) -> Self {
        self.0.retain(|(_, by, _)| *by != By::CountOfSent);
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

/// What a column tells by its name, which is [`normalized`].
fn by_name(name: &str) -> Option<By> {
    let is_of_the_order = || !OF_OTHERS.iter().any(|other| name.starts_with(other));
    let is_worded = WORDED.contains(&name) || name.ends_with("status") && is_of_the_order();
    if is_worded && OF_PAYMENT.contains(&name) {
        Some(By::WordOfPayment)
    } else if is_worded && name == "refundstatus" {
        Some(By::WordOfRefund)
    } else if is_worded && OF_A_STEP.iter().any(|step| name.contains(step)) {
        Some(By::Word)
    } else if is_worded {
        Some(By::WordOfOrder)
    } else if FILLED.contains(&name) {
        Some(By::Filling)
    } else if COUNTED.contains(&name) {
        Some(By::Count)
    } else if COUNTED_AS_SENT.contains(&name) {
        Some(By::CountOfSent)
    } else if is_asked(name) {
        Some(By::Paid)
    } else {
        NOTES.contains(&name).then_some(By::Note)
    }
}

/// Whether a heading among the rows, or the name of a tab, says that what stands below it is canceled, sent or on hold.
pub(super) fn heads_what_has_ended(text: &str) -> bool {
    let text = text.trim().trim_end_matches(':').to_lowercase();
    // The foot of a page: `Printed: 12.11.2026`.
    let after_colon = text.split_once(':').map_or("", |(_, after)| after.trim_start());
    if after_colon.starts_with(|c: char| c.is_ascii_digit()) {
        return false;
    }
    let words = clauses(&text).concat();
    // `Printed mugs` is the name of something, and `Complete list` says nothing of its orders.
    let may_be_a_name = |word: &&str| MAY_BE_A_NAME.iter().any(|stem| word.starts_with(stem));
    let is_known = |word: &&str| {
        IN_A_HEADING.contains(word) || TO_DO.contains(word) || may_be_a_name(word) || is_number(word)
    };
    let is_told = tells(By::Word, &text) || tells(By::Note, &text) || begins_with(&text, &["declined"]);
    is_told && (!words.iter().any(may_be_a_name) || words.iter().all(is_known))
}

fn is_number(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_digit())
}

fn tells(by: By, text: &str) -> bool {
    let has_number = || text.bytes().any(|byte| matches!(byte, b'1'..=b'9'));
    let text = text.to_lowercase();
    let fell_through = || begins_with(&text, &FALLEN_THROUGH);
    match by {
        // `-`, `0` and `0000-00-00` hold the place of a number of pieces, or of a day.
        By::Count | By::CountOfSent => has_number(),
        By::Filling => has_number() || says_yes(&text),
        By::Paid => answers_no(&text),
        By::WordOfPayment => says_no(&text) || tells(By::WordOfRefund, &text),
        By::WordOfRefund => begins_with(&text, &NOT_PAID) || fell_through() || has_ended(&text),
        By::WordOfOrder => fell_through() || tells(By::Word, &text),
        By::Word => is_complete(&text) || has_ended(&text) || says_not_to(&text),
        By::Note => is_ended_in_a_note(&text) || says_not_to(&text),
    }
}

/// Whether a text without a number says that it is so. `0.00 EUR` does not, and `No: canceled by the buyer` does.
fn says_yes(text: &str) -> bool {
    let first = text
        .split(|c: char| !c.is_alphanumeric())
        .find(|word| !word.is_empty());
    if first.is_none() && text.contains(MARKS) {
        return true;
    }
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
        let words = words.strip_prefix(&["order"]).unwrap_or(words);
        matches!(words.first(), Some(&("complete" | "completed"))) && words.get(1) != Some(&"payment")
    })
}

/// Whether what a text says first is one of these, and no more than that.
fn begins_with(text: &str, phrases: &[&str]) -> bool {
    let first = clauses(text).into_iter().find(|words| !words.is_empty());
    first.is_some_and(|words| phrases.contains(&words.join(" ").as_str()))
}

fn has_ended(text: &str) -> bool {
    is_told(text) || begins_with(text, &ENDED) || begins_with(text, &WAITS) || says_unpaid(text)
}

/// Whether a text forbids that the order is printed or sent: `Do not ship`, `nicht drucken`.
fn says_not_to(text: &str) -> bool {
    let clauses = clauses(text);
    let is_all = clauses.iter().filter(|words| !words.is_empty()).count() == 1;
    let forbids = |words: &Vec<&str>| {
        words.iter().enumerate().any(|(at, word)| {
            let before = at.checked_sub(1).and_then(|before| words.get(before));
            let is_no = before.is_some_and(|no| match *no {
                // `Back: no print` speaks of a place.
                "no" => AFTER_NO.contains(word) || (words.len() == 2 && is_all),
                no => NO.contains(&no) || matches!(no, "dont" | "t"),
            });
            let is_of_this = words.get(at + 1).is_none_or(|next| OF_THIS.contains(next));
            TO_DO.contains(word) && is_no && is_of_this
        })
    };
    clauses.iter().any(forbids)
}

/// Whether a note says in few words that the order has ended, or asks for it.
fn is_ended_in_a_note(text: &str) -> bool {
    let ends = |words: &Vec<&str>| {
        let is_end = |at: usize, word: &str| {
            let before = words.get(..at).unwrap_or_default().iter().rev();
            let is_not = before.take(2).any(|before| NO.contains(before));
            !is_not && ENDS_IN_A_NOTE.iter().any(|end| word.starts_with(end))
        };
        words.len() <= SHORT
            && words
                .iter()
                .take(FIRST)
                .enumerate()
                .any(|(at, word)| is_end(at, word))
    };
    begins_with(text, &ASKS_FOR_AN_END) || clauses(text).iter().any(ends)
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
    use crate::order::Layout;
    use crate::order::tests::{NATIVE, drafts, drafts_of, good, text_row};

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
            "Order completed",
            "Picked up",
            "Trash",
            "Partially paid",
            "On backorder (not paid)",
            "Awaiting bank wire payment",
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
            "On backorder (paid)",
            "Overdue",
            "Payment accepted",
            "To be picked up",
            "Order complete payment",
        ] {
            assert!(!tells(By::Word, open), "{open}");
        }
        assert!(!tells(By::WordOfPayment, "Completed"));
        assert!(tells(By::WordOfOrder, "Canceled") && !tells(By::WordOfOrder, "new"));
    }

    #[test]
    fn what_is_incomplete_or_declined_has_fallen_through_where_it_is_the_order_itself() {
        // A print is incomplete before it is made, and a customer may decline what is none of the order's.
        for word in ["Declined", "Incomplete"] {
            assert!(
                tells(By::WordOfOrder, word) && tells(By::WordOfPayment, word),
                "{word}"
            );
            assert!(!tells(By::Word, word), "{word}");
        }
        assert!(heads_what_has_ended("Declined") && !heads_what_has_ended("Incomplete"));
    }

    #[test]
    fn a_column_is_known_by_its_name() {
        for (name, by) in [
            ("productionstatus", Some(By::Word)),
            ("transactionstatus", Some(By::WordOfOrder)),
            ("orderstatus", Some(By::WordOfOrder)),
            ("paymentstatus", Some(By::WordOfPayment)),
            ("refundstatus", Some(By::WordOfRefund)),
            ("proofstatus", None),
            ("état", Some(By::WordOfOrder)),
            ("donotprint", Some(By::Filling)),
            ("qtyrefunded", Some(By::Count)),
            ("returnedquantity", Some(By::Count)),
            ("qtyshipped", Some(By::CountOfSent)),
            ("refundedtotal", Some(By::Filling)),
            ("iscancelled", Some(By::Filling)),
            ("paid", Some(By::Paid)),
            ("paidat", None),
            ("payoutstatus", None),
            ("fulfillmentdate", None),
            ("internalnotes", Some(By::Note)),
            ("state", None),
            ("giftmessage", None),
            ("shipby", None),
        ] {
            assert_eq!(by_name(name), by, "{name}");
        }
        for (by, text, told) in [
            (By::Filling, "\u{2713}", true),
            (By::Filling, "-", false),
            (By::Filling, "oui", true),
            (By::Filling, "non", false),
            (By::WordOfPayment, "Pending", true),
            (By::WordOfPayment, "Unpaid", true),
            (By::WordOfPayment, "Paid", false),
            (By::WordOfPayment, "No", true),
            (By::WordOfPayment, "Overdue", true),
            (By::WordOfPayment, "Not paid yet", true),
            (By::WordOfPayment, "nicht bezahlt", true),
            (By::WordOfPayment, "No payment required", false),
            (By::WordOfPayment, "N/A", false),
            (By::WordOfRefund, "No", false),
            (By::WordOfRefund, "Pending", true),
            (By::Paid, "No", true),
            (By::Paid, "12.00", false),
            (By::Filling, "0.00", false),
            (By::Filling, "24.00", true),
            (By::Filling, "False", false),
            (By::Word, "Pending", false),
            (By::Word, "do not print", true),
            (By::Word, "Stop", true),
            (By::Word, "Done", true),
            (By::Word, "Waiting for customer", true),
            (By::Word, "Awaiting fulfillment", false),
            (By::Word, "Draft", true),
            (By::Word, "NO PRINT", true),
        ] {
            assert_eq!(tells(by, text), told, "{text}");
        }
    }

    #[test]
    fn a_note_holds_where_it_says_that_the_order_has_ended() {
        for told in [
            "CANCELED by customer - do not print",
            "CUSTOMER CANCELLED - do not ship",
            "CANCELLED, do-not-ship",
            "On hold",
            "Please cancel",
            "Don't ship yet",
            "nicht drucken",
            "storniert",
        ] {
            assert!(tells(By::Note, told), "{told}");
        }
        for open in [
            "Do not print the price on the slip",
            "Please do not send catalogs",
            "My last order got canceled, so please make this one quickly",
            "gift wrap",
            "not canceled",
            "Hold the ribbon",
            "Back: no print",
            "Delivered to the back door please",
            "size M",
        ] {
            assert!(!tells(By::Note, open), "{open}");
        }
    }

    #[test]
    fn what_stands_below_a_heading_that_says_that_it_has_ended_waits_for_a_person() {
        let row = |first: &str| {
            let mut cells = good();
            first.clone_into(&mut cells[0]);
            cells
        };
        let heading = |text: &str| {
            let mut cells = vec![String::new(); NATIVE.len()];
            text.clone_into(&mut cells[0]);
            cells
        };
        let rows = [
            heading("TO PRINT"),
            row("1001"),
            heading("CANCELED - DO NOT PRINT"),
            row("1002"),
            heading("Open"),
            row("1003"),
            heading("Already shipped"),
            row("1004"),
        ];
        let held: Vec<String> = drafts(&NATIVE, &rows)
            .iter()
            .filter(|draft| !draft.is_footer() && !draft.shop_holds().is_empty())
            .map(|draft| draft.order_id().to_owned())
            .collect();
        assert_eq!(held, ["1002", "1004"]);
        let layout = Layout::read(&text_row(1, &NATIVE)).unwrap();
        let cells: Vec<String> = good();
        let cells: Vec<&str> = cells.iter().map(String::as_str).collect();
        for (tab, holds) in [
            ("Shipped", 1),
            ("Orders", 0),
            ("Canceled 2026", 1),
            ("Printed mugs", 0),
            ("Printed: 12.11.2026", 0),
        ] {
            let drafts = drafts_of(layout.clone().in_tab(tab), &[text_row(2, &cells)]);
            assert_eq!(drafts[0].shop_holds().len(), holds, "{tab}");
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
