//! What a person writes into a list of orders that wait for a yes, by which one of them is not to be sent: a cell of a
//! column that nobody asked for. What an order sheet says of an order in the same words is known there.

use super::alone::is_all_of_an_end;
use super::asked::by_heading;
use super::elsewhere::is_denied_answer;
use super::ends::CALLED_OFF;
use super::mark::{Ends, ends_in_words, ends_of};
use super::noted::{is_called_off, says_not_to, sentences};
use super::paid::is_crossed;
use super::unknown::speaks_of_something_else;
use super::words::PLAIN_NO;
use super::{By, begins_with, spread, tells};
use crate::order::columns::normalized;

/// What the name of a column has that asks for a yes, beside those that are known of order sheets.
const ASKS: [&str; 15] = [
    "approv",
    "approb",
    "aprob",
    "aprov",
    "freig",
    "genehm",
    "bestätig",
    "accept",
    "akzept",
    "autoris",
    "authori",
    "valid",
    "goedk",
    "entscheid",
    "decision",
];

/// The whole name of one.
const ASK: [&str; 7] = ["ok", "okay", "yes", "ja", "oui", "si", "sí"];

/// What the name of a column has under which a no is good news.
const OF_TROUBLE: [&str; 8] = [
    "problem",
    "issue",
    "error",
    "fehler",
    "question",
    "frage",
    "change",
    "änderung",
];

/// What says no as well as [`PLAIN_NO`].
const NO: [&str; 10] = [
    "nope",
    "nö",
    "ne",
    "nicht",
    "niemals",
    "never",
    "pas",
    "nein danke",
    "no thanks",
    "no go",
];

/// What a text says first by which an order is not to be sent, or not now.
const NOT_SENT: [&str; 52] = [
    "hold",
    "on hold",
    "put on hold",
    "wait",
    "please wait",
    "later",
    "do later",
    "paused",
    "postponed",
    "deferred",
    "suspended",
    "reject",
    "refuse",
    "decline",
    "deny",
    "denied",
    "disapprove",
    "disapproved",
    "leave out",
    "check first",
    "do not",
    "don t",
    "not approved",
    "not ok",
    "not released",
    "warten",
    "bitte warten",
    "später",
    "pausiert",
    "zurückstellen",
    "zurückgestellt",
    "ablehnen",
    "streichen",
    "gestrichen",
    "löschen",
    "raus",
    "nicht freigegeben",
    "nicht genehmigt",
    "nicht ok",
    "keine freigabe",
    "attendre",
    "plus tard",
    "refuser",
    "supprimer",
    "non approuvé",
    "esperar",
    "rechazar",
    "no aprobado",
    "wachten",
    "afwijzen",
    "niet akkoord",
    "niet goedgekeurd",
];

/// The most characters of a cell that says so and no more.
const LONGEST: usize = 120;

/// Whether a cell says, as a whole, that the order of its row is not to be sent, or not now. `Ok`, a name, a day and most
/// notes do not.
pub(crate) fn says_not_to_send(heading: &str, text: &str) -> bool {
    let text = text.trim();
    if text.chars().nth(LONGEST).is_some() {
        return false;
    }
    let small = spread(text).to_lowercase();
    let first = sentences(&small)
        .find(|said| !said.trim().is_empty())
        .unwrap_or("");
    let is_no = match by_heading(heading) {
        // `No` is good news there, and a tick is none.
        Some(by @ (By::Filling | By::Count)) => {
            tells(by, text) && matches!(ends_of("", (by, heading), text), Ends::CalledOff | Ends::OnHold)
        }
        Some(By::FillingOfSent | By::CountOfSent | By::Parcel | By::NotBefore | By::WordOfRefund) => false,
        Some(By::Go | By::GoOrCost) => tells(By::Go, text) || is_plain_no(first),
        Some(
            By::Word
            | By::WordOfOrder
            | By::WordOfPayment
            | By::Paid
            | By::Note
            | By::Tags
            | By::Province
            | By::Unknown,
        ) => is_no_and_no_name(first),
        None if asks(heading) => tells(By::Go, text) || is_plain_no(first),
        None => is_no_and_no_name(first) && !is_of_something_else(heading),
    };
    is_no || calls_off(&small, first)
}

/// Whether a column asks whether an order is to be sent.
fn asks(heading: &str) -> bool {
    let name = normalized(heading);
    ASK.contains(&name.as_str()) || ASKS.iter().any(|word| name.contains(word))
}

fn is_of_something_else(heading: &str) -> bool {
    let name = normalized(heading);
    speaks_of_something_else(heading) || OF_TROUBLE.iter().any(|word| name.contains(word))
}

fn is_plain_no(first: &str) -> bool {
    is_crossed(first) || begins_with(first, &PLAIN_NO) || begins_with(first, &NO)
}

/// The same where somebody may have signed with a letter.
fn is_no_and_no_name(first: &str) -> bool {
    is_plain_no(first) && first.trim() != "n"
}

/// Whether a text, in small letters, calls an order off whatever its column is called.
fn calls_off(text: &str, first: &str) -> bool {
    let is_called_so = || {
        let is_stopped = matches!(ends_in_words(text), Ends::CalledOff | Ends::OnHold);
        is_stopped && is_all_of_an_end(text)
    };
    begins_with(first, &CALLED_OFF)
        || begins_with(first, &NOT_SENT)
        || is_denied_answer(first)
        || is_called_off(text)
        || says_not_to(text)
        || is_called_so()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clear_no_is_one_under_any_heading() {
        for heading in [
            "",
            "Freigabe",
            "approve",
            "Note",
            "Bemerkung",
            "Status",
            "Ada",
            "Column 10",
        ] {
            for text in [
                "NEIN",
                "nein",
                "no",
                "No!",
                "Non",
                "false",
                "\u{2717}",
                "cancel",
                "CANCELED",
                "cancelled by customer",
                "STORNIERT",
                "Storno",
                "bitte stornieren",
                "please cancel",
                "do not print",
                "NO! do not print",
                "Nein. Kunde hat storniert.",
                "nicht drucken",
                "bitte nicht senden",
                "ne pas imprimer",
                "annulé",
                "on hold",
                "hold",
                "stop",
                "abgelehnt",
                "declined",
                "rejected",
                "not approved",
                "nicht freigegeben",
                "warten",
                "hold until Friday",
                "disapproved",
                "Denied",
                "deny",
                "leave out",
                "check first!",
            ] {
                assert!(says_not_to_send(heading, text), "{heading}: {text}");
            }
        }
        for (heading, text) in [
            ("Approved", "n"),
            ("approve", "n"),
            ("approve", "0"),
            ("OK?", "not yet"),
            ("Freigabe", "offen"),
            ("Cancel", "x"),
            ("On hold", "x"),
            ("Don't print", "yes"),
            ("Gift", "storniert"),
        ] {
            assert!(says_not_to_send(heading, text), "{heading}: {text}");
        }
    }

    #[test]
    fn what_people_write_beside_a_yes_is_no_no() {
        for heading in [
            "",
            "Freigabe",
            "approve",
            "OK?",
            "Note",
            "Bemerkung",
            "Status",
            "by",
        ] {
            for text in [
                "",
                " ",
                "ok",
                "OK!",
                "yes",
                "ja",
                "Ja, Anna",
                "x",
                "\u{2713}",
                "TRUE",
                "1",
                "AB",
                "NM",
                "27.11.2026",
                "2026-11-27 09:14:00",
                "approved",
                "freigegeben",
                "done",
                "erledigt",
                "checked with Ada, no problem",
                "kein Problem",
                "nothing to add",
                "not canceled",
                "price is right",
                "checked first, fine",
                "Denyse",
                "13.64",
                "gift for Nona",
                "Notiz von Anna",
            ] {
                assert!(!says_not_to_send(heading, text), "{heading}: {text}");
            }
        }
        for (heading, text) in [
            ("by", "N"),
            ("On hold", "no"),
            ("Cancel", "nein"),
            ("Printed", "no"),
            ("Gift wrap", "no"),
            ("Problems?", "none, no"),
            ("Problem", "nein"),
            ("Customer name", "No"),
        ] {
            assert!(!says_not_to_send(heading, text), "{heading}: {text}");
        }
    }
}
