//! What the name of a column says of artwork that is none of those that are read: `Second Artwork`, `Left Chest`.

use super::elsewhere::NEITHER;
use super::unread::words_of;

/// What a name says that speaks of artwork.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Spoken {
    /// It is the back's.
    Back,
    /// It is a second one, or of a place that is neither side.
    Another,
    /// It may be instead of the one that is read: `Final Artwork`.
    Again,
}

/// What artwork is called.
const ARTWORK: [&str; 16] = [
    "artwork",
    "artworks",
    "design",
    "designs",
    "printfile",
    "printfiles",
    "druckdatei",
    "druckdateien",
    "druckdaten",
    "druckvorlage",
    "motiv",
    "visuel",
    "visuels",
    "diseño",
    "ontwerp",
    "drukbestand",
];

/// What is artwork beside `print`.
const OF_A_PRINT: [&str; 6] = ["file", "files", "art", "pdf", "png", "ready"];

/// What shows artwork or an item, speaks of it, or was there before it; and what leads to a page.
const NO_ARTWORK: [&str; 47] = [
    "drive",
    "canva",
    "figma",
    "mockup",
    "mockups",
    "mock",
    "preview",
    "previews",
    "proof",
    "proofs",
    "thumbnail",
    "thumbnails",
    "thumb",
    "template",
    "templates",
    "folder",
    "brief",
    "note",
    "notes",
    "listing",
    "tracking",
    "invoice",
    "receipt",
    "editor",
    "source",
    "original",
    "raw",
    "sample",
    "samples",
    "approval",
    "approved",
    "reference",
    "inspiration",
    "product",
    "item",
    "page",
    "shop",
    "store",
    "name",
    "id",
    "video",
    "background",
    "backup",
    "designer",
    "vorschau",
    "aperçu",
    "maquette",
];

/// Words for the back that mean nothing else in a column of links.
const BEHIND: [&str; 15] = [
    "rear",
    "reverse",
    "rücken",
    "ruecken",
    "hinten",
    "hinterseite",
    "arrière",
    "arriere",
    "trasera",
    "trasero",
    "schiena",
    "costas",
    "achterkant",
    "achterzijde",
    "rückseite",
];

/// Words for the back that mean it beside a word for artwork alone.
const BEHIND_IF_ARTWORK: [&str; 5] = ["back", "dos", "verso", "retro", "espalda"];

/// Words for the front.
const FRONT: [&str; 5] = ["front", "vorne", "vorderseite", "devant", "recto"];

/// A part of the front.
const CHEST: [&str; 6] = ["chest", "brust", "poitrine", "pecho", "petto", "borst"];

/// What counts a second one and those behind it.
const COUNTS: [&str; 20] = [
    "2",
    "3",
    "4",
    "5",
    "6",
    "7",
    "8",
    "9",
    "b",
    "c",
    "d",
    "e",
    "two",
    "three",
    "second",
    "third",
    "2nd",
    "3rd",
    "additional",
    "extra",
];

/// What counts the first one.
const FIRST: [&str; 3] = ["1", "a", "one"];

/// What a header says of artwork; none where it speaks of none.
pub(super) fn spoken(header: &str) -> Option<Spoken> {
    let words: Vec<String> = words_of(header)
        .into_iter()
        .filter(|word| !word.is_empty())
        .collect();
    let has = |wanted: &[&str]| words.iter().any(|word| wanted.contains(&word.as_str()));
    if has(&NO_ARTWORK) {
        return None;
    }
    let is_artwork = has(&ARTWORK) || has(&["print"]) && has(&OF_A_PRINT);
    let is_behind = has(&BEHIND) || is_artwork && has(&BEHIND_IF_ARTWORK);
    if is_behind && !has(&FRONT) {
        return Some(Spoken::Back);
    }
    if is_behind || has(&CHEST) || has(&NEITHER) || is_artwork && has(&COUNTS) {
        return Some(Spoken::Another);
    }
    // `Side 2`, and not the 2 sides of something.
    if let [what, number] = words.as_slice()
        && ["print", "side"].contains(&what.as_str())
    {
        let is_one_of = |numbers: &[&str]| numbers.contains(&number.as_str());
        let first = is_one_of(&FIRST).then_some(Spoken::Again);
        return is_one_of(&COUNTS).then_some(Spoken::Another).or(first);
    }
    is_artwork.then_some(Spoken::Again)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_speaks_of_artwork_by_what_it_is_or_where_it_goes() {
        for (names, said) in [
            (
                "Rear Artwork,Reverse Artwork,Rücken,Motiv hinten,Visuel dos,Rear",
                Some(Spoken::Back),
            ),
            (
                "Second Artwork,Artwork B,Artwork File 2,Artwork Link 2,Design File 2,Print 2,Side 2,Neck Artwork,Left Chest,\
                 Front and Back Artwork,Druckdatei 2,Extra Design,Hood,Manga,Mangas,Manica,Sleeves,Hem",
                Some(Spoken::Another),
            ),
            (
                "Final Artwork,Revised Artwork,Updated Print File,Print 1,Side A,Print-ready PDF",
                Some(Spoken::Again),
            ),
            (
                "Mockup,Design Preview,Artwork Proof,Artwork Thumbnail,Product Image,Product Design,Product Link,Photo,\
                 Tracking Link,Order URL,Invoice Link,Artwork Folder,Design Brief,Original Artwork,Designer,Sides,2 Sides,\
                 Print Date,Print Label,Reversed,Neighborhood,Print Count,Dos,Retro,Background,Link,Image,Files",
                None,
            ),
        ] {
            for name in names.split(',') {
                assert_eq!(spoken(name), said, "{name}");
            }
        }
    }
}
