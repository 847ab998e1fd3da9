//! The words that stand beside a sum: a row that has one in the place of an id or a SKU is no line of an order.

/// What stands beside a sum.
const SUMS: [&str; 23] = [
    "total",
    "totals",
    "grand total",
    "subtotal",
    "sub-total",
    "sum",
    "summe",
    "gesamt",
    "gesamtsumme",
    "zwischensumme",
    "ergebnis",
    "gesamtergebnis",
    "totaal",
    "totale",
    "totaux",
    "somme",
    "suma",
    "summa",
    "resultado",
    "razem",
    "合計",
    "小計",
    "計",
];

/// What is counted or summed up, beside such a word or a number.
const COUNTED: [&str; 27] = [
    "piece",
    "pieces",
    "pc",
    "pcs",
    "qty",
    "quantity",
    "unit",
    "units",
    "item",
    "items",
    "order",
    "orders",
    "row",
    "rows",
    "line",
    "lines",
    "product",
    "products",
    "article",
    "articles",
    "artikel",
    "stück",
    "stk",
    "menge",
    "pièces",
    "général",
    "generale",
];

/// What stands before a number that is no order's: `Page 1`, `Week 48`.
const NUMBERED: [&str; 16] = [
    "page",
    "seite",
    "página",
    "pagina",
    "week",
    "kw",
    "woche",
    "semaine",
    "semana",
    "export",
    "exported",
    "printed",
    "generated",
    "updated",
    "date",
    "datum",
];

/// Whether a text names a sum, and so a row that is none of an order.
pub(crate) fn is_sum(text: &str) -> bool {
    let text = text.trim().to_lowercase();
    SUMS.iter().any(|word| {
        let begins = text
            .strip_prefix(word)
            .is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric()));
        // `1001 Total` is how a spreadsheet calls the sum of a group.
        begins
            || text
                .strip_suffix(word)
                .is_some_and(|before| before.ends_with(' '))
    })
}

/// Whether a text is none of an order's ids where nothing else stands beside it: it has no digit, or is a sentence.
pub(crate) fn is_a_note(text: &str) -> bool {
    const WORDS: usize = 3;
    !text.contains(|c: char| c.is_ascii_digit())
        || text.split_whitespace().count() >= WORDS
        || is_numbered(text)
        || is_count(text)
}

/// Whether a text begins with a word for what is numbered or dated and is no order: `Page 1`, `Printed 26.11.`.
pub(crate) fn is_numbered(text: &str) -> bool {
    let first = text.split_whitespace().next();
    first.is_some_and(|first| NUMBERED.contains(&first.to_lowercase().as_str()))
}

/// Whether a text is a sum or a count and says nothing else: `Total pieces`, `2 items`, `Qty`, `Rows: 12`. What is numbered,
/// `Item 2` or `PCS-2`, is none.
pub(crate) fn is_count(text: &str) -> bool {
    let text = text.trim().to_lowercase();
    let words: Vec<&str> = text
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    let is_number = |word: &&str| word.bytes().all(|digit| digit.is_ascii_digit());
    let is_sum = |word: &&str| SUMS.contains(word);
    let is_known = |word: &&str| COUNTED.contains(word) || is_sum(word);
    let is_numbered = words.last().is_some_and(is_number) && !words.iter().any(is_sum) && !text.contains(':');
    let is_joined = !text.contains(char::is_whitespace) && text.contains(['-', '_', '/', '.']);
    words.iter().any(is_known)
        && words.iter().all(|word| is_known(word) || is_number(word))
        && !is_numbered
        && !is_joined
}

/// Whether a text is a word for a sum and nothing else: `Total:`.
pub(crate) fn is_sum_alone(text: &str) -> bool {
    let text = text.trim().trim_end_matches(':').trim_end();
    SUMS.iter().any(|word| text.eq_ignore_ascii_case(word))
}

/// Whether a text that stands in the place of a SKU names a sum. A SKU may begin so too: `SUM-TEE-01`.
pub(crate) fn is_sum_and_no_code(text: &str) -> bool {
    let is_code = || {
        let is_joined = !text.trim().contains(char::is_whitespace) && text.contains(['-', '_', '/', '.']);
        is_joined && !text.contains(':') && !is_sum_of_nothing_named(text)
    };
    is_sum_alone(text) || is_count(text) || (is_sum(text) && !is_code())
}

/// What names a number of all, by itself: `Anzahl`.
const OF_ALL: [&str; 11] = [
    "all",
    "alle",
    "anzahl",
    "count",
    "grand count",
    "cantidad",
    "nombre",
    "aantal",
    "number of items",
    "number of pieces",
    "number of orders",
];

/// Whether a text in any cell of a row may name a sum: it is called so, be it with a colon or in brackets, or is one word that
/// begins so, `Gesamtmenge`.
pub(crate) fn names_a_sum(text: &str) -> bool {
    let text = text.trim().to_lowercase();
    let text = text.trim_end_matches([':', '=', ')', ' ']);
    let is_one_word = !text.contains(|c: char| !c.is_alphabetic());
    let begins = || {
        let mut words = ["total", "subtotal", "gesamt", "zwischen", "summe"].into_iter();
        words.any(|word| text.starts_with(word))
    };
    text.split('(').any(is_sum)
        || is_count(text)
        || is_numbered(text)
        || OF_ALL.contains(&text)
        || (is_one_word && begins())
}

/// Whether behind a word for a sum stand but amounts and other such words: `Total-24.00`, `Summe/Total`.
fn is_sum_of_nothing_named(text: &str) -> bool {
    let text = text.trim().to_lowercase();
    let is_named = |word: &str| word.contains(char::is_alphabetic) && !is_sum_alone(word);
    SUMS.iter().any(|sum| {
        let behind = text.strip_prefix(sum);
        let behind = behind.filter(|behind| !behind.starts_with(char::is_alphanumeric));
        behind.is_some_and(|behind| !behind.split(|c: char| !c.is_alphanumeric()).any(is_named))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_for_a_sum_stands_alone_or_before_something_else() {
        for (text, begins, alone) in [
            ("Total", true, true),
            (" GRAND TOTAL: ", true, true),
            ("Total 12", true, false),
            ("total-tee", true, false),
            ("Totals", true, true),
            ("1001 Total", true, false),
            ("Gesamtsumme:", true, true),
            ("Totalitarian", false, false),
            ("1001Total", false, false),
            ("TEE", false, false),
            ("", false, false),
        ] {
            assert_eq!((is_sum(text), is_sum_alone(text)), (begins, alone), "{text}");
        }
    }

    #[test]
    fn a_count_says_nothing_but_how_many_of_what() {
        for text in [
            "Total pieces",
            "TOTAL (pcs)",
            "Total général",
            "Total qty",
            "2 items",
            "Qty",
            "Rows: 12",
            "合計",
            "Razem",
            "Total orders: 2",
            "12 pcs",
        ] {
            assert!(is_count(text), "{text}");
        }
        for text in [
            "Item 2",
            "PCS-2",
            "Total Recall Tee",
            "Order 1001",
            "12",
            "",
            "Unit A",
            "ORDER",
        ] {
            assert_eq!(is_count(text), text == "ORDER", "{text}");
        }
        for text in ["Page 1", "Week 48", "Export 26.11.2026", "2 orders", "Rows: 12"] {
            assert!(is_a_note(text), "{text}");
        }
        for text in ["Order 1001", "PO 1001", "Item 2"] {
            assert!(!is_a_note(text), "{text}");
        }
    }

    #[test]
    fn what_is_counted_or_summed_up_names_a_sum_and_a_product_does_not() {
        for text in [
            "Total",
            "TOTAL:",
            "Subtotal Mugs",
            "Mugs subtotal:",
            "Mugs (total)",
            "Gesamtmenge",
            "Anzahl:",
            "2 items",
            "Count",
            "Week 48",
        ] {
            assert!(names_a_sum(text), "{text}");
        }
        for text in [
            "Mug",
            "Tee, black",
            "Count Dracula Tee",
            "Totem Mug",
            "Sumo Tee",
            "",
        ] {
            assert!(!names_a_sum(text), "{text}");
        }
    }

    #[test]
    fn a_sku_that_begins_like_a_sum_is_none() {
        for sum in [
            "Total",
            "Sub-total:",
            "Total 12",
            "Total: 5",
            "1001 Total",
            "Total:24.00",
            "Sub-total:12",
            "Total-24.00",
            "Summe/Total",
            "Total.1",
        ] {
            assert!(is_sum_and_no_code(sum), "{sum}");
        }
        for sku in ["SUM-TEE-01", "TOTAL_MUG", "SUM-2XL", "TEE"] {
            assert!(!is_sum_and_no_code(sku), "{sku}");
        }
    }
}
