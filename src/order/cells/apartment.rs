//! Whether an address says already which apartment a column of its own names. The number alone does not tell: `Building 4`
//! has an apartment 4 as well.

use super::has_digit;

/// Words that stand before the number of an apartment, and say nothing without it.
const UNITS: [&str; 16] = [
    "apt",
    "apartment",
    "appt",
    "appartement",
    "apto",
    "apartamento",
    "dpto",
    "depto",
    "wohnung",
    "whg",
    "suite",
    "ste",
    "unit",
    "flat",
    "room",
    "rm",
];

/// Words that say something by themselves, and whose number is an apartment's too.
const ROOMS: [&str; 9] = [
    "office",
    "ofc",
    "studio",
    "door",
    "lot",
    "space",
    "trailer",
    "penthouse",
    "ph",
];

/// What may stand before any number.
const MARKS: [&str; 5] = ["#", "no", "nr", "number", "num"];

/// What has a number that is no apartment's, with a mark before it too: `Bldg #4`.
const NUMBERED: [&str; 16] = [
    "building", "bldg", "block", "blk", "floor", "fl", "level", "lvl", "tower", "wing", "entrance", "box",
    "haus", "stock", "etage", "piso",
];

/// What a number counts.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Of {
    /// Apartments, as the word before it says, or another number before it.
    Units,
    /// Nobody says what: no word stands before it.
    Unsaid,
    /// What the word before it is called.
    Other(String),
}

/// A word of an address that is not for a unit, with what it counts where it is a number.
struct Word {
    text: String,
    of: Of,
}

/// Whether the second line of an address says a `text` that names an apartment, or the street ends with it.
pub(super) fn is_said(text: &str, line_two: &str, street: &str) -> bool {
    is_in_line(line_two, text) || is_behind(street, text)
}

fn is_in_line(line: &str, text: &str) -> bool {
    let parts = parts_of(line);
    let wanted: Vec<Word> = parts_of(text).into_iter().flatten().collect();
    let whole = texts(&wanted);
    if texts(parts.iter().flatten()) == whole || parts.iter().any(|part| texts(part) == whole) {
        return true;
    }
    let is_there = |wanted: &Word| {
        let mut same = parts.iter().flatten().filter(|word| word.text == wanted.text);
        same.any(|word| !is_number(&word.text) || counts_the_same(word, wanted))
    };
    wanted.iter().all(is_there)
}

fn texts<'w>(words: impl IntoIterator<Item = &'w Word>) -> Vec<&'w str> {
    words.into_iter().map(|word| word.text.as_str()).collect()
}

/// Whether a number of a line counts what one of the same digits counts that stands in a column for apartments.
fn counts_the_same(said: &Word, wanted: &Word) -> bool {
    match (&said.of, &wanted.of) {
        (Of::Other(said), Of::Other(wanted)) => said == wanted,
        // `Spc 12`, `Villa 12`: what has a number besides apartments is known, and what an apartment is called is not.
        (Of::Other(said), Of::Units | Of::Unsaid) => !NUMBERED.contains(&said.as_str()),
        (_, Of::Other(_)) => false,
        (Of::Units, Of::Units | Of::Unsaid) => true,
        // `4B The Maples`, and not `4 The Maples` nor `2 Floor`.
        (Of::Unsaid, Of::Units | Of::Unsaid) => {
            has_digit(&said.text) && said.text.contains(char::is_alphabetic)
        }
    }
}

/// The words of each part of a line between commas.
fn parts_of(line: &str) -> Vec<Vec<Word>> {
    let line = line.replace(" - ", ",");
    line.split([',', ';', '\n']).map(part).collect()
}

fn part(text: &str) -> Vec<Word> {
    let mut words = Vec::new();
    let mut of = Of::Unsaid;
    for text in tokens(text) {
        if MARKS.contains(&&*text) {
            let is_others = matches!(&of, Of::Other(word) if NUMBERED.contains(&&**word));
            of = if is_others { of } else { Of::Units };
            continue;
        }
        let is_unit = UNITS.contains(&&*text);
        let next = if is_unit || ROOMS.contains(&&*text) || is_number(&text) {
            Of::Units
        } else {
            Of::Other(text.clone())
        };
        let of = std::mem::replace(&mut of, next);
        if !is_unit {
            words.push(Word { text, of });
        }
    }
    words
}

/// Whether a street ends with the apartment, and a word for one before it. One that only equals the number of the house is
/// none.
fn is_behind(street: &str, text: &str) -> bool {
    let unit = parts_of(text).into_iter().flatten();
    let unit: Vec<String> = unit.map(|word| word.text).collect();
    let said = tokens(street);
    let Some([before @ .., last]) = said.strip_suffix(&*unit) else {
        return false;
    };
    let is_others = || before.last().is_some_and(|word| NUMBERED.contains(&&**word));
    UNITS.contains(&&**last) || (last == "#" && !is_others())
}

/// The words of a text; a `#` is one too.
fn tokens(text: &str) -> Vec<String> {
    let text = text.replace('#', " # ").to_lowercase();
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '#');
    words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// Whether a word is a number, or the letter that stands for one.
fn is_number(word: &str) -> bool {
    has_digit(word) || word.chars().nth(1).is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_apartment_is_said_where_a_word_for_one_stands_before_its_number() {
        for (line_two, text, said) in [
            ("Apt 4", "4", true),
            ("apt. 4b", "4B", true),
            ("4", "Apt 4", true),
            ("#4", "4", true),
            ("#4 Rear", "4", true),
            ("Apt No. 4", "4", true),
            ("Apt 4", "#4", true),
            ("Flat 4, The Maples", "4", true),
            ("Office 4", "4", true),
            ("Suite 200, Room 12", "200", true),
            ("Unit B", "B", true),
            ("Building 4, Apt 4", "4", true),
            ("Building 4 Apt 4", "Apt 4", true),
            ("Building 4, 4", "4", true),
            ("Building 4 - 4B", "4B", true),
            ("Tower 2 4B", "4B", true),
            ("Bldg B 4", "4", true),
            ("4B The Maples", "4B", true),
            ("4B, Rear", "Apt 4B", true),
            ("Suite 4, 2nd Floor", "2nd floor", true),
            ("Suite 4, 2 Floor", "2 Floor", true),
            ("Bldg 2, Apt 4", "Apt 4 Bldg 2", true),
            ("Basement", "Basement Apt", true),
            ("ACME", "Apt", true),
            ("Spc 12", "12", true),
            ("Villa 12", "12", true),
            ("Building 4", "4", false),
            ("Building 4", "Apt 4", false),
            ("Building #4", "4", false),
            ("Bldg No 4", "#4", false),
            ("Bldg B", "B", false),
            ("Floor 2", "2", false),
            ("2 Floor", "2", false),
            ("2. Stock", "2", false),
            ("PO Box 4", "4", false),
            ("Building 4 Apt 5", "Apt 4", false),
            ("Apt 4 Bldg 5", "Apt 5", false),
            ("Apt 4", "4B", false),
            ("Apt 4", "Floor 4", false),
            ("ACME", "4B", false),
            ("", "4B", false),
        ] {
            assert_eq!(is_said(text, line_two, "12 Maple"), said, "{line_two}: {text}");
        }
    }

    #[test]
    fn a_street_says_an_apartment_that_it_ends_with() {
        for (street, text, said) in [
            ("12 Maple St Apt 4B", "4B", true),
            ("12 Maple St #4B", "Apt 4B", true),
            ("12 Maple St Unit 4 B", "4 B", true),
            ("12 Maple St Bldg #4", "4", false),
            ("12 Maple St Bldg 4", "4", false),
            ("Highway 9", "9", false),
            ("9 Maple St", "9", false),
            ("Musterstraße Nr. 9", "9", false),
            ("No 9, High Street", "9", false),
            ("12 Maple St Apt 4B", "9", false),
        ] {
            assert_eq!(is_said(text, "ACME", street), said, "{street}: {text}");
        }
    }
}
