//! Columns that nobody has named: a cell of one that says as a whole that its order is canceled, or is not to be printed,
//! is meant for whoever prints it, whatever the column is called.

use super::alone::is_all_of_an_end;
use super::notes::ENDS_IN_A_NOTE;
use super::{clauses, is_sent, is_stopped, says_not_to};
use crate::order::columns::normalized;

/// What the name of a column has that speaks of something else than the order: of what is printed, which may be called
/// `Cancelled`, of a place on it, of a paper beside it, or of another matter of the buyer's.
const OF_SOMETHING_ELSE: [&str; 62] = [
    "product",
    "produkt",
    "produit",
    "item",
    "artikel",
    "article",
    "title",
    "titel",
    "titre",
    "name",
    "variant",
    "propert",
    "attribute",
    "option",
    "custom",
    "personali",
    "design",
    "motif",
    "motiv",
    "artwork",
    "text",
    "slogan",
    "message",
    "gift",
    "style",
    "model",
    "theme",
    "type",
    "color",
    "colour",
    "farbe",
    "size",
    "sku",
    "front",
    "back",
    "sleeve",
    "side",
    "neck",
    "place",
    "position",
    "description",
    "file",
    "image",
    "logo",
    "label",
    "slip",
    "receipt",
    "invoice",
    "mail",
    "sms",
    "newsletter",
    "catalog",
    "price",
    "subscription",
    "membership",
    "insurance",
    "upsell",
    "previous",
    "status",
    "statut",
    "estado",
    "stato",
];

/// What a cell is that says that its order is not paid, and can be nothing else.
const UNPAID: [&str; 6] = [
    "unpaid",
    "not paid",
    "not paid yet",
    "not yet paid",
    "unbezahlt",
    "nicht bezahlt",
];

/// How a cell begins that says that it is so already.
const ALREADY: [&str; 6] = ["already", "bereits", "schon", "déjà", "deja", "ya"];

/// Whether a column may hold such a word of the order, by its heading. One with a `/` asks for one of two answers.
pub(super) fn may_speak_of_the_order(heading: &str) -> bool {
    !heading.trim().is_empty() && !heading.contains('/') && !speaks_of_something_else(heading)
}

/// Whether a column speaks of something else than the order, by its heading.
pub(super) fn speaks_of_something_else(heading: &str) -> bool {
    let name = normalized(heading).replace("production", "");
    OF_SOMETHING_ELSE.iter().any(|other| name.contains(other))
}

/// Whether a cell, as a whole, says that its order is canceled, refunded, on hold, not paid, sent already or not to be
/// printed. A bare `Shipped` or `Delivered` may be how an order is to go, and `Printed`, `Done` or `Hold` what is printed.
pub(super) fn is_whole_cell_of_an_end(text: &str) -> bool {
    const LEAST: usize = 6;
    const MOST: usize = 48;
    // Most cells are numbers, days or long.
    let may_be = (LEAST..=MOST).contains(&text.len()) && text.starts_with(char::is_alphabetic);
    may_be && says_so(&text.to_lowercase())
}

fn says_so(text: &str) -> bool {
    let words = clauses(text).concat();
    let is_end = |word: &&str| ENDS_IN_A_NOTE.iter().any(|stem| word.starts_with(stem));
    let is_ended = words.iter().any(is_end);
    let is_told = is_ended || begins_with_already(&words) || words == ["on", "hold"] || says_not_to(text);
    (is_told && is_all_of_an_end(text)) || UNPAID.contains(&words.join(" ").as_str())
}

/// Whether a text, in small letters, says as a whole that its order is sent or canceled already: `already printed 20/11`.
pub(super) fn is_so_already(text: &str) -> bool {
    begins_with_already(&clauses(text).concat()) && is_all_of_an_end(text)
}

fn begins_with_already(words: &[&str]) -> bool {
    match words {
        [first, word, ..] => ALREADY.contains(first) && (is_sent(word) || is_stopped(word)),
        [_] | [] => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::order::tests::{NATIVE, drafts, good};

    #[test]
    fn a_whole_cell_says_that_its_order_has_ended_or_is_not_to_be_printed() {
        for told in [
            "CANCELLED",
            "Canceled by customer",
            "do not print",
            "Don't ship",
            "on hold",
            "Already printed",
            "Déjà expédié",
            "storniert",
            "nicht drucken",
            "not paid",
            "UNPAID",
            "Not paid yet!",
            "already shipped",
            "do not send",
        ] {
            assert!(is_whole_cell_of_an_end(told), "{told}");
        }
        for other in [
            "not cancelled",
            "Cancelled flight mug",
            "Do not print the price",
            "Shipped",
            "Printed",
            "Stop",
            "Done",
            "Hold",
            "Delivered",
            "Paid",
            "not paid by card",
            "Do not bend",
            "",
        ] {
            assert!(!is_whole_cell_of_an_end(other), "{other}");
        }
    }

    #[test]
    fn the_column_is_one_that_is_not_known_and_speaks_of_nothing_else() {
        let holds = |heading: &str, text: &str| {
            let header: Vec<&str> = NATIVE.iter().copied().chain([heading]).collect();
            let mut cells = good();
            cells.push(text.to_owned());
            drafts(&header, &[cells]).remove(0).shop_holds().to_vec()
        };
        for heading in [
            "Special Instructions",
            "Production Notes",
            "Internal",
            "Flag",
            "Memo",
            "Hinweis",
            "Stage",
        ] {
            for text in ["CANCELLED", "do not print"] {
                assert_eq!(
                    holds(heading, text),
                    [format!("`{heading}` says `{text}`")],
                    "{heading}"
                );
            }
        }
        for heading in [
            "Product Title",
            "Title",
            "Design name",
            "Variant",
            "Custom text",
            "Back print",
            "Newsletter status",
            "Gift message",
        ] {
            assert_eq!(holds(heading, "Cancelled"), [""; 0], "{heading}");
        }
    }
}
