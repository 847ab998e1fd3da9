//! What stands alone at the foot of a list and has a number: how many orders it has, or of which day it is. Where anything
//! stands beside it, it may be an order's id.

use super::mend::is_digits;

/// What is counted, behind its number: `29 Bestellungen`.
const COUNTED: [&str; 49] = [
    "bestellung",
    "bestellungen",
    "auftrag",
    "aufträge",
    "auftraege",
    "position",
    "positionen",
    "posten",
    "produkt",
    "produkte",
    "teile",
    "zeile",
    "zeilen",
    "datensatz",
    "datensätze",
    "commande",
    "commandes",
    "produit",
    "produits",
    "ligne",
    "lignes",
    "pièce",
    "pedido",
    "pedidos",
    "artículo",
    "artículos",
    "articulo",
    "articulos",
    "producto",
    "productos",
    "línea",
    "líneas",
    "linea",
    "lineas",
    "pieza",
    "piezas",
    "unidad",
    "unidades",
    "bestelling",
    "bestellingen",
    "artikelen",
    "producten",
    "regel",
    "regels",
    "stuk",
    "stuks",
    "ordine",
    "ordini",
    "encomendas",
];

/// What stands before the number of what is counted. A single `Bestellung 1001` is one of that number.
const COUNTS: [&str; 17] = [
    "anzahl",
    "bestellungen",
    "aufträge",
    "auftraege",
    "positionen",
    "zeilen",
    "nombre",
    "commandes",
    "lignes",
    "cantidad",
    "pedidos",
    "líneas",
    "lineas",
    "aantal",
    "bestellingen",
    "regels",
    "ordini",
];

/// What stands before a day that is the list's.
const DATED: [&str; 20] = [
    "stand", "vom", "am", "datum", "date", "du", "au", "le", "fecha", "el", "del", "per", "op", "data",
    "done", "fertig", "erledigt", "gedruckt", "erstellt", "imprimé",
];

/// The years of two digits, and those of four in which lists are made.
const YEARS: std::ops::Range<u16> = 1990..2100;

/// Whether a text is a number of what is counted, or a day with a word or a time beside it, and nothing else.
pub(super) fn is_foot(text: &str) -> bool {
    let text = text.to_lowercase();
    let is_word = |word: &str| word.chars().all(char::is_alphabetic);
    let (title, rest) = match text.split_once(':') {
        Some((title, rest)) if is_word(title.trim()) => (title, rest),
        Some(_) | None => ("", text.as_str()),
    };
    let words: Vec<&str> = title.split_whitespace().chain(rest.split_whitespace()).collect();
    match *words {
        [day] => is_day(day),
        [first, second] => {
            let is_count = is_digits(first) && COUNTED.contains(&second.trim_end_matches('.'));
            let is_counted = COUNTS.contains(&first) && is_digits(second);
            let is_dated = DATED.contains(&first) && is_day(second);
            is_count || is_counted || is_dated || is_day(first) && (is_time(second) || is_word(second))
        }
        _ => false,
    }
}

/// Whether a word is a day in numbers: `27.11.2026`, `5.12.`, `2026-11-27`. `5.12` may be any number.
fn is_day(word: &str) -> bool {
    let Some(between) = word.chars().find(|c| ['.', '/', '-'].contains(c)) else {
        return false;
    };
    let parts: Vec<&str> = word.trim_end_matches([',', ';']).split(between).collect();
    let [first, second, third] = *parts else {
        return false;
    };
    let is_year = |part: &str| part.len() == 4 && part.parse().is_ok_and(|year| YEARS.contains(&year));
    let number = |part: &str| {
        let is_short = is_digits(part) && part.len() <= 2;
        part.parse::<u8>()
            .ok()
            .filter(|number| is_short && (1..=31).contains(number))
    };
    let are_day_and_month = |one: &str, other: &str| {
        let both = number(one).zip(number(other));
        both.is_some_and(|(one, other)| one.min(other) <= 12)
    };
    let is_short_year = match between {
        '.' => third.is_empty() || number_of_two(third),
        '/' => number_of_two(third),
        _ => false,
    };
    (is_year(first) && are_day_and_month(second, third))
        || (are_day_and_month(first, second) && (is_year(third) || is_short_year))
}

fn number_of_two(part: &str) -> bool {
    is_digits(part) && part.len() == 2
}

/// Whether a word is a time of the day: `09:14`.
fn is_time(word: &str) -> bool {
    let parts: Vec<&str> = word.split(':').collect();
    (2..=3).contains(&parts.len()) && parts.iter().all(|part| is_digits(part) && part.len() <= 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_foot_has_a_count_or_a_day_and_nothing_else() {
        for text in [
            "29 Bestellungen",
            "Anzahl: 2",
            "Anzahl 2",
            "Anzahl:2",
            "2 Positionen",
            "1 Bestellung",
            "17 Aufträge",
            "2 commandes",
            "Nombre : 2",
            "2 pedidos",
            "Pedidos: 2",
            "2 bestellingen",
            "Aantal: 2",
            "Bestellungen: 29",
            "Stand: 27.11.2026",
            "Stand 27.11.26",
            "Datum: 27/11/2026",
            "27.11.2026",
            "2026-11-27",
            "2026-11-27 09:14:00",
            "11/27/2026",
            "27-11-2026",
            "5.12.",
            "5.12. fertig",
            "fertig 5.12.",
        ] {
            assert!(is_foot(text), "{text}");
        }
        for text in [
            "",
            "1001",
            "5.12",
            "5/12",
            "1.2.345",
            "32.11.2026",
            "27.13.2026",
            "27-11-26",
            "13-13-2026",
            "112-1234567-1234567",
            "Bestellung 1001",
            "Bestellung: 1001",
            "Auftrag 17",
            "Position 2",
            "Stand 12",
            "Stand A",
            "Markt 27.11.2026",
            "27.11.2026-1",
            "27.11.2026 1001",
            "B-29 Bestellungen",
        ] {
            assert!(!is_foot(text), "{text}");
        }
    }
}
