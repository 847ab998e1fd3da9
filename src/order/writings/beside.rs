//! What stands beside an id that was copied out of a mail or a list, and says no more than that it is one: `1001,`, `(1001)`
//! and `Order #1001`.

/// What ends a sentence or a part of it, or points to a note.
const BEHIND: [char; 7] = [',', '.', ';', ':', '*', '!', '/'];

/// What stands before an item of a list, or before a number.
const BEFORE: [char; 9] = [',', '.', ';', ':', '*', '\u{2022}', '\u{b7}', '#', '\u{2116}'];

const PAIRS: [(char, char); 2] = [('(', ')'), ('[', ']')];

/// The words for an order or its number, in capitals, and what stands between one of them and the number.
const WORDS: [&str; 20] = [
    "ORDER",
    "ORDERS",
    "ORDER NUMBER",
    "ORDER ID",
    "NO",
    "NR",
    "NUMBER",
    "NUMMER",
    "N\u{b0}",
    "N\u{ba}",
    "BESTELLUNG",
    "BESTELLNR",
    "BESTELL-NR",
    "BESTELLNUMMER",
    "AUFTRAG",
    "COMMANDE",
    "PEDIDO",
    "ORDINE",
    "BESTELLING",
    "ORDRE",
];
const BETWEEN: [char; 5] = [' ', '.', ':', '#', '\u{2116}'];

/// The writings with such words that are looked for: a word has too many to look for all.
const WITH_WORDS: [&str; 12] = [
    "Order ",
    "order ",
    "ORDER ",
    "Order #",
    "order #",
    "ORDER #",
    "No. ",
    "no. ",
    "Nr. ",
    "nr. ",
    "\u{2116}",
    "\u{2116} ",
];

/// An id, in capitals, without what says no more than that it is one. What has no digit may be all of that.
pub(super) fn bare(id: &str) -> &str {
    let mut bare = id;
    while let Some(rest) = without_one(bare) {
        bare = rest;
    }
    bare
}

/// An id with what may stand beside it, whichever that is.
pub(super) fn with_something_beside(id: &str) -> Vec<String> {
    if !has_digit(id) {
        return Vec::new();
    }
    let behind = BEHIND.map(|mark| format!("{id}{mark}"));
    let around = PAIRS.map(|(open, close)| format!("{open}{id}{close}"));
    let words = WITH_WORDS.map(|words| format!("{words}{id}"));
    behind.into_iter().chain(around).chain(words).collect()
}

/// Without one of the things that stand beside it; none where there is no such thing, or no id would be left.
fn without_one(id: &str) -> Option<&str> {
    let unmarked = id.trim_start_matches(BEFORE).trim_end_matches(BEHIND).trim();
    let rest = if unmarked == id {
        without_a_pair(id).or_else(|| without_words(id))?
    } else {
        unmarked
    };
    has_digit(rest).then_some(rest)
}

/// Without brackets around the whole, or the half of a pair.
fn without_a_pair(id: &str) -> Option<&str> {
    PAIRS.into_iter().find_map(|(open, close)| {
        let inner = id.strip_prefix(open).unwrap_or(id);
        let inner = inner.strip_suffix(close).unwrap_or(inner);
        let is_around = inner.len() < id.len() && !inner.contains([open, close]);
        is_around.then_some(inner.trim())
    })
}

fn without_words(id: &str) -> Option<&str> {
    WORDS.into_iter().find_map(|word| {
        let behind = id.strip_prefix(word)?;
        let rest = behind.trim_start_matches(BETWEEN);
        let is_apart = rest.len() < behind.len() || !word.ends_with(|c: char| c.is_ascii());
        is_apart.then_some(rest)
    })
}

fn has_digit(text: &str) -> bool {
    text.contains(|c: char| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_beside_an_id_is_told_from_what_is_part_of_it() {
        for id in [
            "1001,",
            "1001.",
            "1001;",
            "1001:",
            "1001*",
            "1001 *",
            "1001/",
            "1001!",
            "(1001)",
            "[1001]",
            "(#1001)",
            "1001)",
            "*1001",
            "\u{2022} 1001",
            "\u{2116}1001",
            "\u{2116} 1001",
            "ORDER 1001",
            "ORDER #1001",
            "ORDER#1001",
            "ORDER: 1001",
            "ORDER (1001)",
            "ORDER NO. 1001.",
            "ORDER NUMBER 1001",
            "NO. 1001",
            "NR. 1001",
            "NR.1001",
            "N\u{b0}1001",
            "N\u{ba} 1001",
            "BESTELL-NR. 1001",
            "PEDIDO 1001",
        ] {
            assert_eq!(bare(id), "1001", "{id}");
        }
        for id in [
            "1001",
            "1001-R1",
            "1001-2",
            "1001-",
            "1001 (ADA)",
            "(A) 1001",
            "1001 NEW",
            "1001B",
            "1001+",
            "ORDER1001",
            "ORDER-1001",
            "NO1001",
            "NORTH 1001",
            "NOV 12",
            "ORDER",
            "ORDER #",
            "()",
            "*",
            "",
            "-1001",
            "PO 1001",
            "WEB-1001",
        ] {
            assert_eq!(bare(id), id);
        }
    }
}
