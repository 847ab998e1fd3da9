//! Columns that say in words where the artwork of another column is printed, and what they say.

use super::unread::words_of;

/// Columns that say in words where the artwork of another column is printed, but for the plural: `Print Sides`.
const IN_WORDS: [&str; 28] = [
    "printlocation",
    "printposition",
    "printplacement",
    "printside",
    "printarea",
    "printon",
    "wheretoprint",
    "artworklocation",
    "artworkposition",
    "artworkplacement",
    "artworkside",
    "designlocation",
    "designposition",
    "designplacement",
    "designside",
    "logolocation",
    "logoposition",
    "logoplacement",
    "imprintlocation",
    "imprintposition",
    "imprintplacement",
    "imprintarea",
    "decorationlocation",
    "decorationposition",
    "decorationplacement",
    "placement",
    "position",
    "side",
];

/// Words for the back of an item, in the values of such columns.
const BACK: [&str; 24] = [
    "back",
    "backside",
    "rear",
    "rücken",
    "ruecken",
    "rückseite",
    "rueckseite",
    "hinten",
    "dos",
    "verso",
    "arrière",
    "arriere",
    "espalda",
    "atrás",
    "atras",
    "trasera",
    "trasero",
    "retro",
    "schiena",
    "achterkant",
    "achterzijde",
    "costas",
    "hinterseite",
    "backprint",
];

/// Words for the front.
const FRONT: [&str; 16] = [
    "front",
    "vorne",
    "vorderseite",
    "brust",
    "devant",
    "avant",
    "recto",
    "poitrine",
    "frente",
    "delantera",
    "pecho",
    "fronte",
    "petto",
    "voorkant",
    "voorzijde",
    "borst",
];

/// Words for both sides, which mean those before a word for sides, too: `Double sided`.
const BOTH: [&str; 5] = ["both", "beidseitig", "beide", "beidseits", "ambos"];

/// Words that mean it before a word for sides alone.
const TWO: [&str; 3] = ["double", "two", "2"];

/// Words for sides.
const SIDES: [&str; 3] = ["sided", "sides", "side"];

/// Words for places that are neither, also where a heading has them.
pub(super) const NEITHER: [&str; 29] = [
    "sleeve", "sleeves", "ärmel", "aermel", "manche", "manches", "manga", "mangas", "manica", "mouw",
    "mouwen", "neck", "nape", "nacken", "nuque", "cuello", "nek", "collar", "kragen", "hood", "kapuze",
    "capuche", "capucha", "capuchon", "shoulder", "schulter", "hem", "cuff", "leg",
];

/// Whether a column, by its [`super::super::columns::normalized`] name, says in words where artwork is printed.
pub(super) fn says_where(name: &str) -> bool {
    IN_WORDS.contains(&name.strip_suffix('s').unwrap_or(name))
}

/// Where artwork is printed that is not on the front.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::order) enum Elsewhere {
    /// On the back.
    Back,
    /// On the front and on the back.
    BothSides,
    /// On a sleeve, at the neck or in another place that is neither side.
    Neither,
}

/// Where a text says that artwork is printed, where that is not on the front alone; none where it names no place.
pub(in crate::order) fn is_elsewhere(text: &str) -> Option<Elsewhere> {
    let words = words_of(text);
    let has = |wanted: &[&str]| words.iter().any(|word| wanted.contains(&&**word));
    let of_two_sides = words
        .windows(2)
        .any(|pair| matches!(pair, [two, sides] if TWO.contains(&&**two) && SIDES.contains(&&**sides)));
    if has(&NEITHER) {
        Some(Elsewhere::Neither)
    } else if has(&BOTH) || of_two_sides || (has(&BACK) && has(&FRONT)) {
        Some(Elsewhere::BothSides)
    } else {
        has(&BACK).then_some(Elsewhere::Back)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_sides_are_said_in_many_ways() {
        for text in [
            "Front and Back",
            "Front & Back",
            "front/back",
            "both sides",
            "Both",
            "Double-sided",
            "Two sided",
            "2 sides",
            "Vorne und hinten",
            "beidseitig",
            "recto verso",
        ] {
            assert_eq!(is_elsewhere(text), Some(Elsewhere::BothSides), "{text}");
        }
        for text in [
            "Front",
            "One side",
            "Single-sided",
            "Left side",
            "2",
            "Side 2",
            "Bottom",
            "Bothwell",
        ] {
            assert_eq!(is_elsewhere(text), None, "{text}");
        }
        assert_eq!(is_elsewhere("Left chest, back"), Some(Elsewhere::Back));
        assert_eq!(is_elsewhere("Front, back and sleeve"), Some(Elsewhere::Neither));
    }
}
