//! Columns that hold artwork by their names, and are none of those that are read: what is linked there would not be
//! printed.

use crate::sheet::Row;

use super::super::columns::{Field, Fit, normalized};
use super::elsewhere::says_where;
use super::spoken::{Spoken, spoken};

/// What names a sleeve, of which there are two.
const SLEEVE: &str = "sleeve";

/// What names a place of an item that is printed, in the headers of columns that are none of the artwork's.
const PLACES: [&str; 15] = [
    SLEEVE,
    "backprint",
    "printback",
    "backfile",
    "backimage",
    "backside",
    "backlogo",
    "urlback",
    "linkback",
    "rückseite",
    "rueckseite",
    "espalda",
    "achterkant",
    "achterzijde",
    "verso",
];

/// What an artwork's column is called, before a number that it does not go up to.
const ARTWORKS: [&str; 6] = [
    "artwork",
    "design",
    "printfile",
    "artworkurl",
    "designurl",
    "printfileurl",
];

/// The sides of an item, as the headers of columns name them.
const SIDES: [(&str, Field); 2] = [("back", Field::ArtworkBack), ("front", Field::ArtworkFront)];

/// What a column of a side's artwork is called beside the side: neither word alone tells.
const OF_A_SIDE: [&str; 9] = [
    "artwork",
    "art",
    "design",
    "print",
    "printfile",
    "file",
    "logo",
    "image",
    "graphic",
];

/// What has a side in its name and is not printed: what shows the item, and what another `back` is meant by.
const OF_NO_SIDE: [&str; 9] = [
    "background",
    "backorder",
    "backup",
    "backto",
    "frontend",
    "productimage",
    "thumbnail",
    "proof",
    "sample",
];

/// A column that holds artwork by its name, and is none of those that are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::order) struct Unread {
    /// Counted from 0.
    pub(in crate::order) column: usize,
    /// The field that it would be, where it would be one.
    pub(in crate::order) field: Option<Field>,
    /// Whether its name counts it as the first: the front may be meant.
    pub(in crate::order) is_first: bool,
    /// Whether it says in words where the artwork is printed, and holds none.
    pub(in crate::order) is_in_words: bool,
}

/// Columns by whose names they hold artwork, and that are none of those that are read: what is linked there would not be
/// printed. `columns` are those of the fields.
pub(super) fn unread_artworks(
    header: &Row,
    own: &[usize],
    columns: &[Option<usize>; Field::COUNT],
) -> Vec<Unread> {
    let front = columns.get(Field::ArtworkFront.index()).copied().flatten();
    // Two that are counted as the first hold one field twice.
    let has_first = front.is_some_and(|front| is_first(header.text(front)));
    let unread = |column: usize| {
        let text = header.text(column);
        let name = normalized(text);
        let is_other = ["mockup", "preview", "feedback"]
            .iter()
            .any(|other| name.contains(other));
        let is_first = is_first(text);
        let is_read = Field::named(text).is_some() && (!is_first || has_first);
        if is_other || is_read {
            return None;
        }
        let is_in_words = says_where(&name);
        let is_place = PLACES.iter().any(|place| name.contains(place));
        let field = if name.contains(SLEEVE) {
            None
        } else if is_place || is_in_words {
            Some(Field::ArtworkBack)
        } else if is_first {
            Some(Field::ArtworkFront).filter(|_| front.is_none())
        } else {
            side_of(text)
        };
        let is_one = number_of(&name).is_some() || is_place || field.is_some() || name == "dos";
        let unread = Unread {
            column,
            field,
            is_first,
            is_in_words,
        };
        if is_one {
            return Some(unread);
        }
        let (field, is_first) = match spoken(text)? {
            Spoken::Back => (Some(Field::ArtworkBack), false),
            Spoken::Another => (None, false),
            Spoken::Again => (Some(Field::ArtworkFront).filter(|_| front.is_none()), true),
        };
        Some(Unread {
            field,
            is_first,
            ..unread
        })
    };
    own.iter().copied().filter_map(unread).collect()
}

/// Whether a cell's text is a link.
pub(in crate::order) fn is_link(text: &str) -> bool {
    ["https://", "http://"].iter().any(|scheme| {
        text.get(..scheme.len())
            .is_some_and(|begin| begin.eq_ignore_ascii_case(scheme))
    })
}

/// Whether a header counts its artwork as the first, which may be the front: `Design 1`. But for `Artwork 1`, which counts as
/// `artwork_2` does.
pub(super) fn is_first(header: &str) -> bool {
    let name = normalized(header);
    number_of(&name) == Some(1) && name != "artwork1"
}

/// The same in a shop's export, of whose columns `read` are those that its profile reads and `added` those that a person
/// has added. One by another name than dropsheet's own may as well be an app's of the shop: it is asked about, not read.
/// Of names that could mean something else only where the sheet `may_be_own`, and not a shop's, or has artwork in a column
/// that a person has added: `Back` beside `Artwork Front`.
pub(super) fn unread_in_shop(
    header: &Row,
    own: &[usize],
    (read, added): (&[usize], &[Option<usize>; Field::COUNT]),
    may_be_own: bool,
) -> Vec<Unread> {
    let is_there = |field: &Field| added.get(field.index()).is_some_and(Option::is_some);
    let counts_weak = may_be_own || Field::ARTWORK.iter().any(is_there);
    let field_of = |column: usize| {
        let text = header.text(column);
        let is_asked = |fit| match fit {
            Fit::Alias => true,
            Fit::Weak => counts_weak && !is_first(text),
            Fit::Exact | Fit::Native => false,
        };
        let (field, fit) = Field::named(text)?;
        (is_asked(fit) && Field::ARTWORK.contains(&field) && !is_there(&field)).then_some(field)
    };
    let aliases = own.iter().filter_map(|column| {
        let field = field_of(*column)?;
        Some(Unread {
            column: *column,
            field: Some(field),
            is_first: false,
            is_in_words: false,
        })
    });
    let mut unread = unread_artworks(header, own, added);
    unread.extend(aliases);
    unread.retain(|unread| !read.contains(&unread.column));
    unread
}

/// The number of an artwork's column.
fn number_of(name: &str) -> Option<u16> {
    let mut numbers = ARTWORKS.iter().filter_map(|word| name.strip_prefix(word));
    numbers.find_map(|number| number.parse().ok())
}

/// The side whose artwork a header names: `Back Artwork Link`. One that names both sides tells of neither.
fn side_of(header: &str) -> Option<Field> {
    let (name, words) = (normalized(header), words_of(header));
    let has = |wanted: &str| words.iter().any(|word| word.trim_end_matches('s') == wanted);
    if OF_NO_SIDE.iter().any(|other| name.contains(other)) || !OF_A_SIDE.into_iter().any(has) {
        return None;
    }
    let mut sides = SIDES.into_iter().filter(|(side, _)| has(side));
    let (_, field) = sides.next()?;
    sides.next().is_none().then_some(field)
}

/// The words of a header, also of one that is written without spaces: `BackArtworkLink`.
pub(super) fn words_of(header: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut was_lower = false;
    for c in header.chars() {
        if !c.is_alphanumeric() || (was_lower && c.is_uppercase()) {
            words.push(String::new());
        }
        was_lower = c.is_lowercase();
        if let Some(word) = words.last_mut().filter(|_| c.is_alphanumeric()) {
            word.extend(c.to_lowercase());
        }
    }
    words
}

#[cfg(test)]
mod tests;
