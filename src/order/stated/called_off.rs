//! A row that has nothing but an order's id and a word that the order has ended: `G3-1 CANCELED`, below the order itself.

use super::alone::is_all_of_an_end;
use super::clauses;
use super::ends::CALLED_OFF;
use super::periods::is_of_a_period;
use super::words::MARKS_OF_IDS;

/// The most words of such a row.
const MOST: usize = 8;

/// The ids, as they are written, of which a text may say so: what is left of it where the rest says that and nothing else.
/// An id may have several words.
pub(in crate::order) fn ids_called_off(text: &str) -> Vec<&str> {
    let words = places(text);
    if words.len() < 2 || words.len() > MOST {
        return Vec::new();
    }
    let spans = (0..words.len()).flat_map(|first| (first..words.len()).map(move |last| (first, last)));
    let id = |(first, last): (usize, usize)| {
        let ((start, _), (_, end)) = (words.get(first)?, words.get(last)?);
        let rest = format!("{} {}", text.get(..*start)?, text.get(*end..)?);
        let is_between = |c: char| c.is_whitespace() || "()[],;:-".contains(c);
        let id = text.get(*start..*end)?.trim_matches(is_between);
        (!id.is_empty() && calls_off(&rest.to_lowercase())).then_some(id)
    };
    spans.filter_map(id).collect()
}

/// Whether a text says so of an order whose id is written as one of these is, and of nothing else: it is no heading of what
/// stands below it. `2026 CANCELED` and `12 shipped` may be.
pub(in crate::order) fn speaks_of_one_like(text: &str, ids: [&str; 2]) -> bool {
    const LEAST: usize = 4;
    let written = |id: &str| {
        id.trim_start_matches('#')
            .replace(|c: char| c.is_ascii_digit(), "0")
    };
    let digits = |text: &str| text.bytes().filter(u8::is_ascii_digit).count();
    let is_like_one = |id: &&str| {
        let is_all = digits(id) >= LEAST && digits(id) == digits(text);
        is_all && ids.iter().any(|other| written(other) == written(id))
    };
    let lower = text.to_lowercase();
    let words = clauses(&lower).concat();
    let tells_a_time = || (0..words.len()).any(|at| is_of_a_period(&words, at));
    ids_called_off(text).iter().any(is_like_one) && !tells_a_time()
}

/// Where each word of a text begins and ends.
fn places(text: &str) -> Vec<(usize, usize)> {
    let mut end = 0;
    let words = text.split_whitespace().take(MOST + 1);
    let place = |word: &str| {
        let start = end + text.get(end..)?.find(word)?;
        end = start + word.len();
        Some((start, end))
    };
    words.filter_map(place).collect()
}

fn calls_off(rest: &str) -> bool {
    let words = clauses(rest).concat();
    let is_mark = |word: &&str| MARKS_OF_IDS.contains(word) || CALLED_OFF.contains(word);
    let is_marked = !words.is_empty() && words.iter().all(is_mark);
    is_marked || is_all_of_an_end(rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::order::tests::{NATIVE, drafts, good};

    #[test]
    fn an_id_is_what_is_left_beside_words_for_an_end() {
        for (text, id) in [
            ("G3-1 CANCELLED", "G3-1"),
            ("CANCEL G3-2", "G3-2"),
            ("G3-4 refunded", "G3-4"),
            ("please cancel G3-5", "G3-5"),
            ("please cancel order #G3-5", "#G3-5"),
            ("Do not print G3-6", "G3-6"),
            ("G3-3 - void", "G3-3"),
            ("G3-3: already shipped", "G3-3"),
            ("G3-3 (canceled by customer)", "G3-3"),
            ("PO 1001 canceled", "PO 1001"),
            ("1001 done", "1001"),
        ] {
            assert!(ids_called_off(text).contains(&id), "{text}");
        }
        for text in [
            "1001",
            "CANCELED",
            "G3-1 not canceled",
            "G3-1 not shipped yet",
            "G3-1 to print",
            "cancel the order of Ada, 1001",
            "",
        ] {
            let ids = ids_called_off(text);
            assert!(!ids.contains(&"G3-1") && !ids.contains(&"1001"), "{text}");
        }
    }

    #[test]
    fn an_order_whose_id_another_row_calls_off_waits_for_a_person() {
        let whole = |id: &str| {
            let mut cells = good();
            id.clone_into(&mut cells[0]);
            cells
        };
        let alone = |text: &str| {
            let mut cells = vec![String::new(); NATIVE.len()];
            text.clone_into(&mut cells[0]);
            cells
        };
        let rows = [
            alone("please cancel #G3-5"),
            whole("G3-1"),
            alone("G3-1 CANCELLED"),
            whole("G3-2"),
            whole("G3-5"),
            alone("G3-9 refunded"),
            whole("G3-6"),
            alone("TO PRINT"),
            whole("G3-7"),
        ];
        let drafts = drafts(&NATIVE, &rows);
        let holds = |id: &str| {
            drafts
                .iter()
                .find(|draft| draft.order_id() == id)
                .unwrap()
                .shop_holds()
        };
        let said = |row: u32| format!("row {row} says that it is canceled or not to be printed");
        assert_eq!(holds("G3-1"), [said(4)]);
        assert_eq!(holds("G3-5"), [said(2)]);
        assert_eq!(holds("G3-2"), [""; 0]);
        // It names no order of the sheet, and may be a heading.
        assert_eq!(holds("G3-6"), ["it stands below `G3-9 refunded`"]);
        assert_eq!(holds("G3-7"), [""; 0]);
    }

    /// Why the order `70001` is to wait, below these rows: ids of whole orders, and texts that stand alone.
    fn held(rows: [&str; 4]) -> Vec<String> {
        let rows = [rows[0], rows[1], rows[2], rows[3], "70001"].map(|text| {
            let is_order = text.parse::<u32>().is_ok();
            let whole = Some(good()).filter(|_| is_order);
            let mut cells = whole.unwrap_or_else(|| vec![String::new(); NATIVE.len()]);
            text.clone_into(&mut cells[0]);
            cells
        });
        let drafts = drafts(&NATIVE, &rows);
        let last = drafts.iter().find(|draft| draft.order_id() == "70001");
        last.unwrap().shop_holds().to_vec()
    }

    #[test]
    fn a_row_that_speaks_of_one_order_of_another_sheet_is_no_heading_of_those_below_it() {
        for text in [
            "70000 CANCELED",
            "70000 HOLD",
            "70000 - already shipped",
            "please cancel #70000",
            "CANCELED 70000",
        ] {
            assert_eq!(held(["SHIPPED", "70002", "TO PRINT", text]), [""; 0], "{text}");
            // It leaves the heading that it stands below.
            let below = held(["TO PRINT", "SHIPPED", "70002", text]);
            assert_eq!(below, ["it stands below `SHIPPED`"], "{text}");
        }
        for text in [
            "CANCELED",
            "12 shipped",
            "2026 CANCELED",
            "Canceled orders 2026",
            "SHIPPED 26.11.2026",
            "700 CANCELED",
            "G70000 CANCELED",
            "70000 CANCELED, 70003 CANCELED",
        ] {
            let said = format!("it stands below `{text}`");
            assert_eq!(held(["SHIPPED", "70002", "TO PRINT", text]), [said], "{text}");
        }
    }
}
