//! The heading that rows stand below, where it says that they have ended: `ALREADY SHIPPED`.

use std::sync::Arc;

use super::paid::is_of_what_is_unpaid;
use super::periods::is_of_a_period;
use super::words::{CONTRACTED, IN_A_HEADING, NO, NOT_YET, SENT, SENT_WORDS, STOPPED, TO_DO, UNDONE};
use super::{clauses, heads_what_has_ended, is_number};

/// What a heading says of orders that are open, whatever stands beside it.
const OPEN: [&str; 16] = [
    "open",
    "offen",
    "offene",
    "todo",
    "pending",
    "pendiente",
    "pendientes",
    "awaiting",
    "waiting",
    "outstanding",
    "remaining",
    "ready",
    "bereit",
    "prêt",
    "processing",
    "queue",
];

/// The same where no unknown word stands beside it: `New York` is a place.
const MAY_BE_OPEN: [&str; 30] = [
    "new",
    "neu",
    "neue",
    "nouveau",
    "nouvelle",
    "nouvelles",
    "nuevo",
    "nuevos",
    "nuevas",
    "nieuw",
    "nieuwe",
    "to",
    "te",
    "da",
    "not",
    "yet",
    "nicht",
    "noch",
    "niet",
    "nog",
    "pas",
    "rest",
    "next",
    "active",
    "current",
    "aktuell",
    "paid",
    "bezahlt",
    "now",
    "today",
];

/// What names orders that somebody has put aside, with nothing beside it but a year.
const PUT_ASIDE: [&str; 15] = [
    "declined",
    "archive",
    "archived",
    "archived orders",
    "order archive",
    "archiv",
    "archiviert",
    "archivé",
    "archivo",
    "archief",
    "do not use",
    "don t use",
    "not used",
    "nicht verwenden",
    "ne pas utiliser",
];

/// What else stands in a heading that forbids to print or send what is below it.
const BELOW: [&str; 40] = [
    "below",
    "beneath",
    "under",
    "underneath",
    "anything",
    "everything",
    "any",
    "those",
    "of",
    "this",
    "from",
    "here",
    "down",
    "downwards",
    "past",
    "beyond",
    "after",
    "following",
    "line",
    "row",
    "point",
    "please",
    "anymore",
    "ab",
    "hier",
    "unten",
    "unterhalb",
    "darunter",
    "alles",
    "folgende",
    "diese",
    "dieser",
    "zeile",
    "ci",
    "dessous",
    "suit",
    "ces",
    "cette",
    "ligne",
    "hieronder",
];

/// Whether a heading, in small letters, forbids to print or send what is below it, and says nothing else.
pub(super) fn forbids_what_is_below(text: &str) -> bool {
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
pub(super) fn names_what_is_put_aside(text: &str) -> bool {
    let first = clauses(text).into_iter().find(|words| !words.is_empty());
    let mut words = first.unwrap_or_default();
    words.retain(|word| !is_number(word));
    PUT_ASIDE.contains(&words.join(" ").as_str())
}

/// Whether a title above the columns says that all orders below it have ended, or are not paid, and nothing else but of
/// when: `Printed` is a word for when the page was, `Complete orders` are all of them, and `Shipped by ACME` says who ships.
pub(in crate::order) fn titles_what_has_ended(text: &str) -> bool {
    let lower = text.to_lowercase();
    let words = clauses(&lower).concat();
    let begins = |word: &&str, stems: &[&str]| stems.iter().any(|stem| word.starts_with(stem));
    let is_told = |word: &&str| begins(word, &STOPPED) || begins(word, &SENT) || SENT_WORDS.contains(word);
    let is_known = |at: usize, word: &&str| {
        let is_of_orders = IN_A_HEADING.contains(word) || TO_DO.contains(word) || is_of_what_is_unpaid(word);
        is_of_orders || is_told(word) || is_of_a_period(&words, at)
    };
    let is_all_known = || words.iter().enumerate().all(|(at, word)| is_known(at, word));
    let is_of_the_page = words
        .iter()
        .any(|word| begins(word, &["printed", "gedruckt", "complete"]));
    let is_put_aside = names_what_is_put_aside(&lower);
    heads_what_has_ended(text) && !is_of_the_page && (is_put_aside || is_all_known())
}

/// The heading that rows stand below. Others may stand below it as well, `October` and `November` say: where one does so
/// directly, only a heading that speaks of open orders ends what it says.
#[derive(Clone, Debug, Default)]
pub(in crate::order) struct Heading {
    /// What it says, where that is that its orders have ended.
    ended: Option<Arc<str>>,
    /// Whether it has orders.
    has_orders: bool,
    /// Whether another heading stands directly below it.
    has_headings: bool,
}

impl Heading {
    /// The name of a tab, where it says that its orders have ended.
    pub(in crate::order) fn of_tab(ended: Option<Arc<str>>) -> Self {
        Self {
            ended,
            ..Self::default()
        }
    }

    /// Takes the next heading among the rows.
    pub(in crate::order) fn go_on(&mut self, text: &str) {
        let is_above = self.ended.is_some() && (self.has_headings || !self.has_orders);
        if heads_what_has_ended(text) {
            *self = Self::of_tab(Some(text.into()));
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

    /// What it says, where that is that the rows below it have ended.
    pub(in crate::order) fn ended(&self) -> Option<&str> {
        self.ended.as_deref()
    }
}

/// Whether a heading says of the orders below it that they are open.
pub(in crate::order) fn heads_what_is_open(text: &str) -> bool {
    let text = text.to_lowercase();
    let Some(words) = clauses(&text).into_iter().find(|words| !words.is_empty()) else {
        return false;
    };
    let is_open = |word: &&str| OPEN.contains(word) || UNDONE.contains(word);
    // `Ship week 41` may speak of what was shipped then.
    let may_be_open = |word: &&str| MAY_BE_OPEN.contains(word) || TO_DO.contains(word);
    let is_sent = |word: &&str| SENT.iter().any(|stem| word.starts_with(stem)) || SENT_WORDS.contains(word);
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
    fn a_heading_below_another_is_a_part_of_it_unless_it_speaks_of_open_orders() {
        let below = |headings: &[&str]| {
            let mut heading = Heading::default();
            for text in headings {
                match *text {
                    "order" => heading.note_order(),
                    text => heading.go_on(text),
                }
            }
            heading.ended().map(str::to_owned)
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
            assert_eq!(below(headings).as_deref(), Some(ended), "{headings:?}");
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
