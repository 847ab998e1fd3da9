//! Of what a text says that it is canceled or refunded: of the order as a whole, or only of a part of it, of a paper, of
//! the shipping costs or of another order; or that it was asked for, and denied. An order that is not sent yet waits for a
//! person either way; one that is at the printer is called back by the first alone.

use super::alone::{BESIDE_AN_END, is_all_of_an_end};
use super::ends::{
    ASKED_BY, BETWEEN_BOTH, CALLED_OFF, COSTS, DENIED, ENDED, EXTRAS, LABELS, OF_A_TRY, OUT_OF, PART_WORDS,
    PARTS, REFUNDS, RELEASED, REQUESTS, SHIPPING, THE_ORDER, THIS_ONE, TOLD_BY,
};
use super::noted::{says_not_to, sentences};
use super::notes::{JOINS, LEADS};
use super::words::{BESIDE, NOT_SO, PAPERS};
use super::{begins_with, clauses, first_clause, is_number, is_sent, is_stopped, tells_at};

/// Of what a text says that it is canceled, refunded or not to be printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stopped {
    /// Of the order as a whole.
    Order,
    /// Of something else, or of an order that is sent already.
    Else,
}

/// The same of a text in small letters; none where it says so of nothing.
pub(super) fn stopped_in(text: &str) -> Option<Stopped> {
    if begins_with(text, &CALLED_OFF) {
        return Some(Stopped::Order);
    }
    let clauses = told_in(text);
    let forbids = |words: &Vec<&str>| says_not_to(&words.join(" "));
    let forbidden = says_not_to(text).then(|| clauses.iter().position(forbids).unwrap_or(0));
    let is_own = |words: &Vec<&str>| stops(words).any(|at| !is_of_else(words, at));
    let Some(first) = clauses.iter().position(is_own).into_iter().chain(forbidden).min() else {
        let is_told = clauses.iter().any(|words| stops(words).next().is_some());
        return is_told.then_some(Stopped::Else);
    };
    let is_tried_anew =
        forbidden.is_none() && is_made(text) && clauses.iter().all(|words| is_of_a_try(words));
    let is_else = is_tried_anew || is_sent_besides(&clauses, first);
    Some(if is_else { Stopped::Else } else { Stopped::Order })
}

/// Whether what a text, in small letters, says to be canceled is another order than the one with this id: `Order 998
/// canceled, this one stays`.
pub(super) fn stops_another_order(text: &str, id: &str) -> bool {
    let id = id.to_lowercase();
    let ids = clauses(&id).concat();
    let clauses = told_in(text);
    let own = clauses.iter().flat_map(|words| {
        let own = stops(words).filter(|at| !is_of_else(words, *at));
        own.map(move |at| (words, at))
    });
    let number = |word: &str| {
        word.trim_matches(|c: char| !c.is_ascii_digit())
            .trim_start_matches('0')
            .to_owned()
    };
    let is_own = |other: &str| ids.iter().any(|id| number(id) == number(other));
    let is_another = |(words, at): (&Vec<&str>, usize)| {
        order_beside(words, at).is_some_and(|other| !ids.is_empty() && !is_own(other))
    };
    let is_forbidden = begins_with(text, &CALLED_OFF) || says_not_to(text);
    // The shop may have another number for the same order.
    let has_both = clauses.iter().flatten().any(|word| THIS_ONE.contains(word));
    let mut own = own.peekable();
    !is_forbidden && has_both && own.peek().is_some() && own.all(is_another)
}

/// Whether the answer to what was asked for, in small letters, is no: `declined by us`.
pub(super) fn is_denied_answer(text: &str) -> bool {
    let words = first_clause(text);
    let mut said = words.iter().filter(|word| !is_beside_a_request(word));
    said.next().is_some_and(|word| begins_with_stem(word, &DENIED)) && said.next().is_none()
}

/// Whether a text, in small letters, says first that it is of a part alone.
pub(super) fn is_of_a_part(text: &str) -> bool {
    first_clause(text).first().is_some_and(|word| is_part(word))
}

/// Whether a text, in small letters, begins with a word by which an order is on hold no more.
pub(super) fn is_released(text: &str) -> bool {
    let mut words = first_clause(text)
        .into_iter()
        .filter(|word| !BESIDE.contains(word));
    words.next().is_some_and(|word| RELEASED.contains(&word))
}

/// Whether a word of a clause that speaks of a hold says that the order is so no more: `was on hold`, `hold released`.
pub(super) fn was_on_hold(words: &[&str], at: usize) -> bool {
    let (before, from) = words.split_at(at);
    let is_past = matches!(before, [.., "was", "on"] | [.., "was"]);
    let behind = from.get(1..).unwrap_or_default().join(" ");
    is_past || is_released(&behind)
}

/// Whether a word, in small letters, says that an order is stopped for now.
pub(super) fn is_hold(word: &str) -> bool {
    word == "hold" || word == "onhold" || word.starts_with("wstrzyman")
}

/// Whether a word is a word for money that is paid back.
pub(super) fn is_refund(word: &str) -> bool {
    begins_with_stem(word, &REFUNDS)
}

/// The words of each thing that a text says.
fn told_in(text: &str) -> Vec<Vec<&str>> {
    let clauses = sentences(text).flat_map(clauses);
    clauses.filter(|words| !words.is_empty()).collect()
}

fn begins_with_stem(word: &str, stems: &[&str]) -> bool {
    stems.iter().any(|stem| word.starts_with(stem))
}

/// Where a clause says that something is canceled or refunded.
fn stops(words: &[&str]) -> impl Iterator<Item = usize> {
    let is_stop = |at: &usize| {
        let is_word = |word: &&str| is_stopped(word) && !is_hold(word);
        words.get(*at).is_some_and(is_word) && tells_at(words, *at)
    };
    (0..words.len()).filter(is_stop)
}

/// Whether a text says first that the order is made, or being made.
fn is_made(text: &str) -> bool {
    let words = first_clause(text);
    let said = words.join(" ");
    let is_there = || ["print", "produ", "druck"].iter().any(|of| said.contains(of));
    let is_printed = |(at, word): (usize, &&str)| is_printed(word) && tells_at(&words, at);
    (ENDED.contains(&said.as_str()) && is_there()) || words.iter().enumerate().any(is_printed)
}

fn is_printed(word: &str) -> bool {
    begins_with_stem(word, &["printed", "gedruckt"])
}

/// Whether a clause stops nothing but a try, which is made anew: `1 misprint rejected and redone`.
fn is_of_a_try(words: &[&str]) -> bool {
    let mut own = stops(words).filter(|at| !is_of_else(words, *at));
    own.all(|at| {
        words
            .get(at)
            .is_some_and(|word| begins_with_stem(word, &OF_A_TRY))
    })
}

/// Whether an order is said to be sent, besides what is said of it in this clause, in words of which each is known. `Canceled, sent the wrong file` says nothing of the kind.
fn is_sent_besides(clauses: &[Vec<&str>], first: usize) -> bool {
    let is_sent = |(of, words): (usize, &Vec<&str>)| {
        let next = clauses.get(of.saturating_add(1)).map(Vec::as_slice);
        let is_answered_no = matches!(next, Some([word]) if NOT_SO.contains(word));
        let is_told = of != first && is_all_of_an_end(&words.join(" "));
        is_told && !is_answered_no && is_of_what_is_sent(words)
    };
    let joined = || clauses.get(first).is_some_and(|words| is_sent_and_more(words));
    clauses.iter().enumerate().any(is_sent) || joined()
}

/// Whether a clause says that the order is sent, and not a paper or money.
fn is_of_what_is_sent(words: &[&str]) -> bool {
    let is_else = words.iter().any(|word| PAPERS.contains(word)) || stops(words).next().is_some();
    let is_sent_at = |(at, word): (usize, &&str)| is_sent(word) && !is_printed(word) && tells_at(words, at);
    !is_else && words.iter().enumerate().any(is_sent_at)
}

/// Whether a clause says so first, and something else behind that: `shipped and refunded`.
fn is_sent_and_more(words: &[&str]) -> bool {
    let is_join = |at: usize| words.get(at).is_some_and(|word| JOINS.contains(word));
    let stop = stops(words).next().unwrap_or(words.len());
    let joined = (1..stop)
        .filter(|at| is_join(*at))
        .filter_map(|at| words.get(..at));
    joined.into_iter().any(is_of_what_is_sent)
}

/// Whether it is something else than the order that a word of a clause says to be canceled or refunded, or was denied.
fn is_of_else(words: &[&str], at: usize) -> bool {
    let is_denial = || {
        let is_denied = |stop: usize| stop != at && is_denied(words, stop);
        begins_with_stem(words.get(at).unwrap_or(&""), &DENIED) && stops(words).any(is_denied)
    };
    let is_some_of_them = || words.windows(3).any(is_some_of);
    words.iter().any(|word| is_part(word))
        || is_some_of_them()
        || is_denied(words, at)
        || is_denial()
        || is_of_a_thing_beside(words, at)
}

fn is_part(word: &str) -> bool {
    begins_with_stem(word, &PARTS) || PART_WORDS.contains(&word)
}

/// Whether words count some of more: `1 of 2`.
fn is_some_of(words: &[&str]) -> bool {
    let [some, of, all] = words else { return false };
    let count = |word: &str| word.parse::<u32>().ok();
    let is_less = || matches!((count(some), count(all)), (Some(some), Some(all)) if some < all);
    OUT_OF.contains(of) && is_less()
}

/// Whether it was asked for and denied: `cancel request declined`, `refused to refund`.
fn is_denied(words: &[&str], at: usize) -> bool {
    let is_denial = |word: &&str| begins_with_stem(word, &DENIED);
    let (before, from) = words.split_at(at);
    let behind = from.get(1..).unwrap_or_default();
    let answer = behind.iter().find(|word| !is_beside_a_request(word));
    let mut asked = before.iter().skip_while(|word| is_beside_a_request(word));
    // `Declined, canceled` are two ends, and a `declined cancel request` is none.
    let is_of_a_request = || behind.first().is_some_and(|word| REQUESTS.contains(word));
    let is_apart = before.last().is_some_and(|word| !is_denial(word)) || is_of_a_request();
    let mut is_refused_before =
        || is_apart && asked.next().is_some_and(is_denial) && asked.all(|word| is_beside_a_request(word));
    answer.is_some_and(is_denial) || is_refused_before()
}

fn is_beside_a_request(word: &str) -> bool {
    LEADS.contains(&word) || BESIDE_AN_END.contains(&word) || ASKED_BY.contains(&word)
}

/// Whether it is a paper, the shipping costs or what is sold beside what is printed, by the nearest word on either side.
fn is_of_a_thing_beside(words: &[&str], at: usize) -> bool {
    let (before, from) = words.split_at(at);
    let Some((stop, behind)) = from.split_first() else {
        return false;
    };
    let counts = |word: &&&str| !(BESIDE.contains(word) || BETWEEN_BOTH.contains(word) || is_number(word));
    let is_thing = |word: &&str| is_beside_the_order(word, is_refund(stop));
    // `Cancellation fee` and `Cancellation invoice` are those of a cancel.
    // `Canceled item out of stock` says why.
    let is_of_behind = || {
        let mut things = behind.iter().filter(counts).peekable();
        !stop.ends_with("ation") && things.peek().is_some() && things.all(is_thing)
    };
    before.iter().rev().find(counts).is_some_and(is_thing) || is_of_behind()
}

fn is_beside_the_order(word: &str, is_refunded: bool) -> bool {
    let is_paper = || {
        PAPERS
            .iter()
            .any(|paper| !TOLD_BY.contains(paper) && (word.starts_with(paper) || word.ends_with(paper)))
    };
    let is_label = || LABELS.iter().any(|label| word.contains(label));
    let is_cost = COSTS.contains(&word)
        || ["kosten", "gebühr", "gebühren"]
            .iter()
            .any(|of| word.ends_with(of));
    let is_other = if is_refunded {
        SHIPPING.contains(&word) || is_label()
    } else {
        is_paper()
    };
    is_cost || EXTRAS.contains(&word) || is_other
}

/// The number of the order that a word of a clause says to be canceled, where it is named by one.
fn order_beside<'t>(words: &[&'t str], at: usize) -> Option<&'t str> {
    const LEAST: usize = 3;
    let (before, from) = words.split_at(at);
    let behind: Vec<&str> = from
        .get(1..)?
        .iter()
        .copied()
        .filter(|word| *word != "the")
        .collect();
    let before: Vec<&str> = before
        .iter()
        .copied()
        .filter(|word| !BESIDE.contains(word))
        .collect();
    let number = match (before.as_slice(), behind.as_slice()) {
        ([.., of, number], _) if THE_ORDER.contains(of) => number,
        (_, [of, number, ..]) if THE_ORDER.contains(of) => number,
        _ => return None,
    };
    (is_number(number) && number.len() >= LEAST).then_some(*number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_canceled_beside_an_order_is_told_from_the_order_itself() {
        for text in [
            "verschickt, rechnung storniert",
            "expédiée, facture annulée et refaite",
            "shipped - duplicate label voided",
            "void label, reshipped",
            "delivered, refund issued for late delivery",
            "in production - proof draft approved",
            "printed, 1 misprint rejected & redone",
            "shipped and refunded",
            "shipped, canceled",
            "canceled, already shipped",
            "delivered. refunded",
            "already shipped - do not print",
            "cancel request declined",
            "cancellation refused - already in production",
            "refund declined",
            "stornierung abgelehnt",
            "refused to cancel",
            "rejected the refund request",
            "partially refunded",
            "partially refunded - 5 eur goodwill",
            "teilweise erstattet",
            "remboursé partiellement",
            "1 of 2 refunded",
            "versandkosten erstattet",
            "shipping refunded",
            "refunded $5 shipping",
            "customer canceled gift wrap",
            "rechnung storniert",
            "rechnung wurde storniert",
            "the invoice was canceled",
        ] {
            assert_eq!(stopped_in(text), Some(Stopped::Else), "{text}");
        }
    }

    #[test]
    fn an_order_that_is_canceled_is_told_whatever_else_is_said() {
        for text in [
            "canceled",
            "canceled by customer, was on hold",
            "order canceled, refund declined",
            "canceled because the payment was declined",
            "canceled, invoice sent",
            "canceled - refund sent",
            "canceled, not shipped yet",
            "canceled, sent the wrong file",
            "canceled before shipping",
            "canceled by mail",
            "declined & canceled",
            "rejected & refunded",
            "mahnung verschickt, storniert",
            "artwork sent, then canceled",
            "hasn't shipped yet, cancelled",
            "item cancelled",
            "canceled item out of stock",
            "canceled gift not wanted",
            "storniert artikel vergriffen",
            "canceled for tax reasons",
            "cancellation confirmation sent",
            "payment refunded",
            "refused, canceled",
            "in production, customer wants to cancel",
            "printed - canceled by customer",
            "customer canceled",
            "shipped: no, canceled",
            "fully refunded",
            "stop - sent the wrong file",
            "do not print",
            "order 998 canceled",
            "returned",
        ] {
            assert_eq!(stopped_in(text), Some(Stopped::Order), "{text}");
        }
        for text in ["shipped", "on hold", "not canceled", "in production", ""] {
            assert_eq!(stopped_in(text), None, "{text}");
        }
    }

    #[test]
    fn another_order_is_known_by_its_number() {
        for (text, id, is_another) in [
            ("order 998 canceled, this one stays", "1001", true),
            ("cancelled order 998 merged into this", "1001", true),
            ("order 1001 canceled", "#1001", false),
            ("order 1001 canceled", "G3-1001", false),
            ("order 998 canceled", "", false),
            ("canceled", "1001", false),
            ("order 998 canceled, this one is canceled too", "1001", false),
            ("order 3141592 canceled", "1001", false),
            ("order 1010 canceled, call this customer", "PO1010", false),
            ("order 402 canceled, see this note", "00402", false),
            ("order canceled 26 nov", "1001", false),
            ("cancelled order 26 nov", "1001", false),
            ("stop", "1001", false),
            ("do not print, order 998 canceled", "1001", false),
        ] {
            assert_eq!(stops_another_order(text, id), is_another, "{text} {id}");
        }
    }
}
