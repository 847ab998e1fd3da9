//! The heading that rows stand below, where it says that they have ended: `ALREADY SHIPPED`.

use std::sync::Arc;

use super::alone::BESIDE_AN_END;
use super::ends::{COMPLETE, ENDED, WAITS};
use super::headings::{BELOW, BESIDE_ENDED, MAY_BE_OPEN, OPEN, PUT_ASIDE};
use super::mark::{Ends, IN_TAB, Mark, Place, STANDS_BELOW, ends_in_words};
use super::noted::{is_called_off, says_not_to};
use super::paid::is_of_what_is_unpaid;
use super::periods::is_of_a_period;
use super::words::{CONTRACTED, IN_A_HEADING, MAY_BE_A_NAME, NO, NOT_YET, TO_DO, UNDONE};
use super::{begins_with, clauses, first_clause, has_ended, is_complete, is_number, is_sent, is_stopped};
use crate::order::mend::quoted;

/// A word for what is done, alone.
const DONE: [&str; 2] = ["done", "erledigt"];

/// Whether a heading among the rows, or the name of a tab, says that what stands below it is canceled, sent or on hold: as a
/// whole, or in one of the things that it says. `Void Records` and `Shipped by Ada Ltd` are names.
pub(in crate::order) fn heads_what_has_ended(text: &str) -> bool {
    let text = text.trim().trim_end_matches(':').to_lowercase();
    // The foot of a page: `Printed: 12.11.2026`.
    let after_colon = text.split_once(':').map_or("", |(_, after)| after.trim_start());
    if after_colon.starts_with(|c: char| c.is_ascii_digit()) {
        return false;
    }
    let words = clauses(&text).concat();
    // `Printed mugs` is the name of something, and `Complete list` says nothing of its orders.
    let may_be_a_name = |word: &&str| MAY_BE_A_NAME.iter().any(|stem| word.starts_with(stem));
    let is_plain = |word: &&str| {
        IN_A_HEADING.contains(word) || TO_DO.contains(word) || may_be_a_name(word) || is_number(word)
    };
    let is_a_name = words.iter().any(may_be_a_name) && !words.iter().all(is_plain);
    let tells_apart = || {
        clauses(&text)
            .iter()
            .any(|words| tells_of_an_end(&words.join(" ")))
    };
    (!is_a_name && (tells_of_an_end(&text) || tells_apart())) || forbids_what_is_below(&text)
}

/// Whether a note says of its order, and of nothing else, that it is sent or done: `shipped 11/29 UPS 1Z999`.
pub(in crate::order) fn says_that_it_is_sent(text: &str) -> bool {
    let text = text.to_lowercase();
    let is_done = || is_complete(&text) || begins_with(&text, &DONE);
    let is_sent = || clauses(&text).concat().into_iter().any(is_sent);
    let is_stopped = || clauses(&text).concat().into_iter().any(is_stopped);
    tells_of_an_end(&text) && (is_sent() || is_done()) && !is_stopped() && !says_not_to(&text)
}

/// Whether a text, in small letters, says by a known phrase that its orders have ended, or in words of which each is known.
fn tells_of_an_end(text: &str) -> bool {
    let is_phrase = || {
        let is_of_the_order = begins_with(text, &ENDED) || begins_with(text, &WAITS);
        is_of_the_order || says_not_to(text) || is_called_off(text) || names_what_is_put_aside(text)
    };
    let words = clauses(text).concat();
    // A copy of the tab with orders is none of orders that came twice.
    let is_a_copy = || matches!(words.as_slice(), ["duplicate", "of", ..]);
    let is_known = |(at, word): (usize, &&str)| {
        let is_id = word.contains(|c: char| c.is_ascii_digit());
        let is_beside = [&BESIDE_AN_END[..], &BELOW, &BESIDE_ENDED]
            .iter()
            .any(|words| words.contains(word));
        is_of_orders(&words, at) || is_beside || is_id || COMPLETE.contains(word)
    };
    let is_all_known = || words.iter().enumerate().all(is_known);
    is_phrase() || ((has_ended(text) || is_complete(text)) && is_all_known() && !is_a_copy())
}

/// Whether a word speaks of orders, of how they stand, or of a time.
fn is_of_orders(words: &[&str], at: usize) -> bool {
    let is_known = |word: &&str| {
        let is_plain = IN_A_HEADING.contains(word) || TO_DO.contains(word);
        is_plain || is_of_what_is_unpaid(word) || is_stopped(word) || is_sent(word)
    };
    words.get(at).is_some_and(is_known) || is_of_a_period(words, at)
}

/// Whether a heading, in small letters, forbids to print or send what is below it, and says nothing else.
fn forbids_what_is_below(text: &str) -> bool {
    let words = clauses(text).concat();
    let is_known = |word: &&str| IN_A_HEADING.contains(word) || BELOW.contains(word) || TO_DO.contains(word);
    let is_forbidden = |words: &[&str]| match words {
        [no, "t", ..] if CONTRACTED.contains(no) => true,
        [no, ..] => NO.contains(no) || *no == "dont",
        [] => false,
    };
    let forbids = (0..words.len()).any(|at| words.get(at..).is_some_and(is_forbidden));
    forbids && words.iter().any(|word| TO_DO.contains(word)) && words.iter().all(is_known)
}

/// Whether a text, in small letters, names them.
fn names_what_is_put_aside(text: &str) -> bool {
    let mut words = first_clause(text);
    words.retain(|word| !is_number(word));
    PUT_ASIDE.contains(&words.join(" ").as_str())
}

/// Whether a title above the columns says that all orders below it have ended, or are not paid, and nothing else but of
/// when: `Printed` is a word for when the page was, `Complete orders` are all of them, and `Shipped by ACME` says who ships.
pub(in crate::order) fn titles_what_has_ended(text: &str) -> bool {
    let lower = text.to_lowercase();
    let words = clauses(&lower).concat();
    let is_all_known = || (0..words.len()).all(|at| is_of_orders(&words, at));
    let begins = |word: &&str| {
        ["printed", "gedruckt", "complete"]
            .iter()
            .any(|stem| word.starts_with(stem))
    };
    let is_of_the_page = words.iter().any(begins);
    let is_put_aside = names_what_is_put_aside(&lower);
    heads_what_has_ended(text) && !is_of_the_page && (is_put_aside || is_all_known())
}

/// The heading that rows stand below. Others may stand below it as well, `October` and `November` say: where one does so
/// directly, only a heading that speaks of open orders ends what it says.
#[derive(Clone, Debug, Default)]
pub(in crate::order) struct Heading {
    /// Why its orders are to wait, where it says that they have ended.
    ended: Option<Arc<Mark>>,
    /// Whether it has orders.
    has_orders: bool,
    /// Whether another heading stands directly below it.
    has_headings: bool,
}

impl Heading {
    /// The name of a tab which says that its orders have ended.
    pub(in crate::order) fn of_tab(name: &str) -> Self {
        Self::saying(IN_TAB, name, ends_in_words(&name.to_lowercase()))
    }

    /// A title or a heading that says so.
    pub(in crate::order) fn of(text: &str) -> Self {
        // `1001 CANCELED` may speak of that order, and of none below it.
        let ends = if may_be_of_an_order(text) {
            Ends::Open
        } else {
            ends_in_words(&text.to_lowercase())
        };
        Self::saying(STANDS_BELOW, text, ends)
    }

    fn saying(stands: &str, text: &str, ends: Ends) -> Self {
        let mark = Mark {
            why: format!("{stands} {}", quoted(text.trim())),
            ends,
            place: Place::Words,
        };
        Self {
            ended: Some(Arc::new(mark)),
            ..Self::default()
        }
    }

    /// Takes the next heading among the rows.
    pub(in crate::order) fn go_on(&mut self, text: &str) {
        let is_above = self.ended.is_some() && (self.has_headings || !self.has_orders);
        if heads_what_has_ended(text) {
            *self = Self::of(text);
        } else if is_above && !heads_what_is_open(text) {
            self.has_headings = true;
        } else {
            *self = Self::default();
        }
    }

    /// Takes a row of an order below it.
    pub(in crate::order) fn note_order(&mut self) {
        self.has_orders = true;
    }

    /// Why the orders below it are to wait, where it says that they have ended.
    pub(in crate::order) fn mark(&self) -> Option<&Mark> {
        self.ended.as_deref()
    }
}

/// Whether a heading that says that orders have ended may be an order's id with that beside it: `Shipped orders 2026` and
/// `Canceled in week 47` begin otherwise.
fn may_be_of_an_order(text: &str) -> bool {
    let mut words = text.split_whitespace();
    let has_digit = |word: &str| word.contains(|c: char| c.is_ascii_digit());
    let (first, last) = (
        words.next().unwrap_or_default(),
        words.next_back().unwrap_or_default(),
    );
    has_digit(first) || (words.next().is_none() && has_digit(last)) || last.starts_with('#')
}

/// Whether a heading says of the orders below it that they are open.
pub(in crate::order) fn heads_what_is_open(text: &str) -> bool {
    let text = text.to_lowercase();
    let words = first_clause(&text);
    let is_open = |word: &&str| OPEN.contains(word) || UNDONE.contains(word);
    // `Ship week 41` may speak of what was shipped then.
    let may_be_open = |word: &&str| MAY_BE_OPEN.contains(word) || TO_DO.contains(word);
    let is_beside = |word: &&str| {
        is_sent(word) || IN_A_HEADING.contains(word) || NOT_YET.contains(word) || is_number(word)
    };
    let is_known = |word: &&str| may_be_open(word) || is_beside(word);
    words.iter().any(is_open) || (words.iter().any(may_be_open) && words.iter().all(is_known))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_says_that_its_orders_have_ended_where_it_says_nothing_else() {
        for text in [
            "CANCELED ORDERS",
            "Already shipped",
            "DO NOT PRINT",
            "Orders on hold:",
            "Shipped",
            "Bereits versendet",
            "Commandes annulées",
            "Archive",
            "Do not ship",
            "NICHT DRUCKEN",
            "Ne pas imprimer",
            "Niet printen",
            "Unpaid orders",
            "Not paid",
            "Payment pending",
            "Nicht bezahlt",
            "Cancelled orders November",
            "Cancelled orders - November 2026",
            "Shipped orders week 47",
            "Stornierte Bestellungen KW 47",
        ] {
            assert!(titles_what_has_ended(text), "{text}");
        }
        for text in [
            "Orders to be shipped",
            "Orders November",
            "Printed on 26.11.2026",
            "Printed: 26.11.2026",
            "Printed orders",
            "Complete orders",
            "Shipped by ACME",
            "Green = shipped",
            "Sent 26.11.2026 by Ada",
            "Not shipped yet",
            "Orders sent November 26",
            "Orders shipped 26.11.2026",
            "Paid orders",
            "Payment pending: call Ada",
            "Do not print the price",
            "Void & Co.",
            "ACME Delivered",
            "",
        ] {
            assert!(!titles_what_has_ended(text), "{text}");
        }
    }

    #[test]
    fn a_heading_forbids_to_print_what_is_below_it() {
        for text in [
            "DO NOT PRINT BELOW THIS LINE",
            "Do not ship anything below",
            "Do not send these orders",
            "Don't print any of these",
            "Ab hier nicht drucken",
            "Everything below is already printed",
            "Already ordered",
            "IN PRODUCTION",
            "Despatched",
        ] {
            assert!(heads_what_has_ended(text), "{text}");
        }
        for text in [
            "Do not print the price",
            "Print below this line",
            "Orders below this line",
            "Not below 5",
            "Everything below is to be printed",
            "Everything is printed on white",
            "Production",
        ] {
            assert!(!heads_what_has_ended(text), "{text}");
        }
    }

    #[test]
    fn what_somebody_has_put_aside_is_named_alone() {
        for text in [
            "Archive",
            "ARCHIVE 2025",
            "Archived orders",
            "Do not use!",
            "Don't use",
            "Archiv",
        ] {
            assert!(heads_what_has_ended(text), "{text}");
        }
        for text in [
            "Archive boxes",
            "Archer",
            "Use",
            "Orders",
            "2025",
            "Template",
            "Sheet1",
            "Old Town",
            "Returns desk",
        ] {
            assert!(!heads_what_has_ended(text), "{text}");
        }
    }

    #[test]
    fn a_heading_or_a_tab_that_may_name_something_says_nothing_of_its_orders() {
        for text in [
            "Canceled",
            "Canceled orders of May",
            "G3-9 refunded",
            "CANCELED - call Ada",
            "Team blue: shipped",
            "ON HOLD - waiting for artwork",
            "On hold until Friday",
            "Hold for address confirmation",
            "Orders shipped 26.11.2026",
            "Shipped (DHL)",
            "SHIPPED via DHL 12.11.2026",
            "Cancelled by Ada",
            "Sent yesterday",
            "Waiting for payment",
            "Completed orders",
            "Bestellungen wurden storniert",
            "Zamówienia anulowane",
            "Duplicates",
            "In transit",
            "Returned",
        ] {
            assert!(heads_what_has_ended(text), "{text}");
        }
        for text in [
            "Cancel Culture Merch",
            "Void Records",
            "Deleted Scenes",
            "Returned forms",
            "Refund Policy",
            "Invitations sent",
            "Reject club",
            "Duplicate of Orders",
            "Void Records - merch orders",
            "Returned Soldiers League",
            "Returned order forms",
            "All orders (shipped separately)",
            "Shipped by Ada Ltd",
            "T-shirts (printed)",
            "Green = shipped",
            "Sent with love",
        ] {
            assert!(!heads_what_has_ended(text), "{text}");
        }
    }

    #[test]
    fn a_note_says_that_its_order_is_sent_or_done_and_nothing_else() {
        for text in [
            "sent",
            "Shipped 11/29 UPS 1Z999",
            "shipped",
            "already printed",
            "delivered 12 nov",
            "done",
            "Done!",
            "completed",
            "verschickt 29.11.",
        ] {
            assert!(says_that_it_is_sent(text), "{text}");
        }
        for text in [
            "",
            "leave at door",
            "not shipped yet",
            "to be shipped",
            "canceled",
            "partially refunded",
            "shipped, then canceled",
            "do not print",
            "Sent with love",
            "Delivered from evil",
            "on hold",
            "done in red",
        ] {
            assert!(!says_that_it_is_sent(text), "{text}");
        }
    }

    #[test]
    fn a_heading_that_may_be_an_orders_id_calls_no_order_below_it_off() {
        let ends = |text: &str| Heading::of(text).mark().unwrap().ends;
        for text in [
            "1001 CANCELED",
            "G3-9 refunded",
            "CANCELED 1001",
            "please cancel order #1001",
        ] {
            assert_eq!(ends(text), Ends::Open, "{text}");
        }
        for text in [
            "CANCELED",
            "Canceled orders",
            "Cancelled orders 2026",
            "Canceled in week 47",
        ] {
            assert_eq!(ends(text), Ends::CalledOff, "{text}");
        }
        assert_eq!(
            Heading::of_tab("Canceled 2026").mark().unwrap().ends,
            Ends::CalledOff
        );
    }

    #[test]
    fn a_heading_below_another_is_a_part_of_it_unless_it_speaks_of_open_orders() {
        let below = |headings: &[&str]| {
            let mut heading = Heading::default();
            for text in headings {
                match *text {
                    "order" => heading.note_order(),
                    text => heading.go_on(text),
                }
            }
            heading.mark().map(|mark| mark.why.clone())
        };
        for (headings, ended) in [
            (&["SHIPPED", "October"][..], "SHIPPED"),
            (&["SHIPPED", "New York"], "SHIPPED"),
            (&["SHIPPED", "A"], "SHIPPED"),
            (&["SHIPPED", "October", "Week 41"], "SHIPPED"),
            (&["SHIPPED", "Ship week 41"], "SHIPPED"),
            (&["SHIPPED", "October", "order", "November"], "SHIPPED"),
            (&["SHIPPED", "order", "CANCELED"], "CANCELED"),
        ] {
            let why = format!("it stands below `{ended}`");
            assert_eq!(below(headings), Some(why), "{headings:?}");
        }
        for headings in [
            &["October"][..],
            &["SHIPPED", "order", "October"],
            &["SHIPPED", "TO PRINT"],
            &["SHIPPED", "Open"],
            &["SHIPPED", "New orders"],
            &["SHIPPED", "Not shipped yet"],
            &["SHIPPED", "Ready to ship"],
            &["SHIPPED", "To be printed"],
            &["SHIPPED", "Open - October"],
            &["SHIPPED", "Zu versenden:"],
            &["SHIPPED", "October", "order", "TO PRINT"],
            &["SHIPPED", "TO PRINT", "October"],
            &["Green = shipped", "White = open"],
            &["SHIPPED", "NEUE AUFTRÄGE"],
            &["SHIPPED", "October", "order", "Neue Bestellungen"],
            &["SHIPPED", "Nuevos pedidos"],
        ] {
            assert_eq!(below(headings), None, "{headings:?}");
        }
    }
}
