//! What a person has written into an address that is not meant for it: `DO NOT SHIP` in its second line, or `(CANCELLED)`
//! behind a name. It would be printed on the parcel's label, and the parcel sent.

use super::alone::is_all_of_an_end;
use super::mark::{Mark, Place, ends_in_words};
use super::says_not_to;
use crate::order::columns::Field;
use crate::order::mend::quoted;

/// Where it is written.
const ON_A_LABEL: [Field; 3] = [
    Field::ShippingName,
    Field::ShippingAddress1,
    Field::ShippingAddress2,
];

/// Words that no name, street or place has beside others for an end: `Cancelada` is a village, and `Hold` a name.
const CANCELED: [&str; 3] = ["cancelled", "canceled", "storniert"];

/// How such words begin behind a name or a street without a sign between them.
const FIRST: [&str; 8] = [
    "cancelled",
    "canceled",
    "do",
    "don't",
    "dont",
    "on",
    "nicht",
    "please",
];

/// One of these is in each text that says so.
const HINTS: [&str; 7] = [
    "cancel",
    "storniert",
    "on hold",
    " not ",
    "don't",
    "dont",
    "nicht",
];

/// What stands between two parts of a line.
const APART: [char; 12] = ['(', ')', '[', ']', '*', ',', ';', ':', '/', '|', '!', '\n'];

/// The most words of what stands behind a name or a street.
const MOST: usize = 5;

/// Why an order is to wait by what its address says, whose fields have these texts.
pub(in crate::order) fn marks_on_a_label<'t>(text: impl Fn(Field) -> &'t str) -> Vec<Mark> {
    let told = ON_A_LABEL.into_iter().filter_map(|field| {
        let text = text(field);
        let said = called_off_in(text)?;
        Some(Mark {
            why: format!("{} says {}", quoted(field.name()), quoted(text)),
            ends: ends_in_words(&said),
            place: Place::Words,
        })
    });
    told.collect()
}

/// Whether one of the hints may be in a text, in letters of any case: looked for without a copy of it.
fn may_call_off(text: &str) -> bool {
    const BEGINNINGS: [&[u8]; 6] = [b"cancel", b"storniert", b"on hold", b"not ", b"nicht", b"don"];
    let bytes = text.as_bytes();
    bytes.iter().enumerate().any(|(at, byte)| {
        let first = byte.to_ascii_lowercase();
        let mut begin_so = BEGINNINGS.iter().filter(|word| word.first() == Some(&first));
        begin_so.any(|word| {
            let there = bytes.get(at..at.saturating_add(word.len()));
            there.is_some_and(|there| there.eq_ignore_ascii_case(word))
        })
    })
}

/// What a line of an address says by which its order is canceled, on hold, or not to be printed or sent: a part of it, or
/// its end.
fn called_off_in(text: &str) -> Option<String> {
    /// The shortest that says so.
    const LEAST: usize = 7;
    // Nearly no line does.
    if text.len() < LEAST || !may_call_off(text) {
        return None;
    }
    let small = text.to_lowercase().replace('\u{2019}', "'");
    if !HINTS.iter().any(|hint| small.contains(hint)) && !small.starts_with("not ") {
        return None;
    }
    let dashes = [" - ", " \u{2013} ", " \u{2014} "];
    let parts = dashes.iter().fold(small, |text, dash| text.replace(dash, "\n"));
    let mut parts = parts.split(APART).map(str::trim);
    parts.find_map(|part| {
        if calls_off(part) {
            return Some(part.to_owned());
        }
        let words: Vec<&str> = part.split_whitespace().collect();
        let from = words.len().saturating_sub(MOST).max(1);
        let mut ends = (from..words.len()).filter_map(|at| words.get(at..));
        let is_first = |end: &&[&str]| end.first().is_some_and(|first| FIRST.contains(first));
        ends.find(|end| is_first(end) && calls_off(&end.join(" ")))
            .map(|end| end.join(" "))
    })
}

/// Whether a text, in small letters, says so and no more.
fn calls_off(text: &str) -> bool {
    let words: Vec<&str> = text
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    let is_on_hold = words.windows(2).any(|pair| pair == ["on", "hold"]);
    let is_canceled = words.iter().any(|word| CANCELED.contains(word));
    (is_on_hold || is_canceled || says_not_to(text)) && is_all_of_an_end(text)
}

#[cfg(test)]
mod tests {
    use super::super::mark::Ends;
    use super::*;
    use crate::order::tests::{NATIVE, drafts, good};

    #[test]
    fn a_line_of_an_address_that_calls_its_order_off_is_told_from_a_place() {
        for text in [
            "DO NOT SHIP",
            "Do not send",
            "do not print!",
            "DON'T SHIP",
            "Don\u{2019}t print",
            "(DO NOT SHIP)",
            "CANCELLED",
            "canceled",
            "(Cancelled)",
            "** CANCELLED **",
            "cancelled by customer",
            "ON HOLD",
            "storniert",
            "nicht versenden",
            "12 Maple Street CANCELLED",
            "12 Maple Street (DO NOT SHIP)",
            "12 Maple Street DO NOT SHIP",
            "12 Maple Street - do not ship",
            "12 Maple Street, on hold",
            "Ada Example CANCELLED",
            "Ada Example (canceled)",
            "CANCELLED - Ada Example",
            "Ada Example ON HOLD",
            "Apt 5, DO NOT SHIP",
        ] {
            assert!(called_off_in(text).is_some(), "{text}");
        }
        for text in [
            "",
            "Apt 5",
            "12 Maple Street",
            "Hold",
            "Void Street 3",
            "1 Hold Road",
            "Stronghold on Holding Lane",
            "The Hold",
            "Urb. Cancelada",
            "Cancelada",
            "Cancello 3",
            "Stop 12",
            "Skip Jones",
            "Ada Donty",
            "Do Not Disturb Inn",
            "Do not leave at the door",
            "Do not bend",
            "DO NOT RING",
            "Do not send back",
            "Please do not ship with UPS",
            "Do not ship to the neighbour",
            "If cancelled call 555 0100",
            "Cancelled Stamp Shop",
            "Not Far Lane 3",
            "Nicht stürzen",
            "Bitte nicht knicken",
            "Nicht klingeln",
            "c/o Print & Ship Ltd",
            "Shipped by Ada Ltd",
            "Rue de l'Annulation 4",
            "Piso 2, no imprimir etiquetas",
            "Kontor Storn",
            "Ship to back door",
            "Parcel on hold for pickup",
        ] {
            assert_eq!(called_off_in(text), None, "{text}");
        }
    }

    #[test]
    fn no_hint_is_passed_over_whatever_its_case() {
        for hint in HINTS.iter().chain(&["not ", "don\u{2019}t"]) {
            for text in [(*hint).to_owned(), hint.to_uppercase(), format!("é {hint} é")] {
                assert!(may_call_off(&text), "{text}");
            }
        }
        for text in [
            "",
            "12 Maple Street",
            "Nota Bene 5",
            "Can",
            "storno",
            "ON",
            "d\u{f6}n",
        ] {
            assert!(!may_call_off(text), "{text}");
        }
    }

    #[test]
    fn an_order_whose_address_calls_it_off_waits_for_a_person() {
        for (name, text, ends) in [
            ("shipping_address2", "DO NOT SHIP", Ends::CalledOff),
            ("shipping_address1", "12 Maple Street CANCELLED", Ends::CalledOff),
            ("shipping_name", "Ada Example (on hold)", Ends::OnHold),
        ] {
            let at = NATIVE.iter().position(|native| *native == name).unwrap();
            let mut cells = good();
            cells[at] = text.to_owned();
            let draft = drafts(&NATIVE, &[cells]).remove(0);
            assert_eq!(draft.shop_holds(), [format!("`{name}` says `{text}`")]);
            assert_eq!(called_off_in(text).map(|said| ends_in_words(&said)), Some(ends));
        }
    }
}
