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

/// Words for the front, and for both sides.
const FRONT: [&str; 19] = [
    "front",
    "both",
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
    "beidseitig",
    "beide",
];

/// Words for places that are neither.
const NEITHER: [&str; 29] = [
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
    /// On a sleeve, at the neck or in another place that is neither side.
    Neither,
}

/// Where a text says that artwork is printed, where it is not on the front, nor on it as well; none where it names no place.
pub(in crate::order) fn is_elsewhere(text: &str) -> Option<Elsewhere> {
    let words = words_of(text);
    let has = |wanted: &[&str]| words.iter().any(|word| wanted.contains(&&**word));
    if has(&NEITHER) {
        Some(Elsewhere::Neither)
    } else {
        (has(&BACK) && !has(&FRONT)).then_some(Elsewhere::Back)
    }
}
