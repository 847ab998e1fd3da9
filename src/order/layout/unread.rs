//! Columns that hold artwork by their names, and are none of those that are read: what is linked there would not be
//! printed.

use crate::sheet::Row;

use super::super::columns::{Field, Fit, normalized};
use super::elsewhere::says_where;

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
        is_one.then_some(Unread {
            column,
            field,
            is_first,
            is_in_words,
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
mod tests {
    use super::*;
    use crate::finding::Code;
    use crate::order::layout::Layout;
    use crate::order::sku_map::SkuMap;
    use crate::order::tests::{drafts, text_row};

    const FRONT: &str = "https://example.com/front.png";
    const BACK: &str = "https://example.com/back.png";

    /// The columns that are asked about in a sheet of one's own whose last columns these are.
    fn asked(names: &[&str], texts: &[&str]) -> Vec<(u16, String)> {
        let header = [&["order_id", "action", "SKU", "Qty"][..], names].concat();
        let row = [&["1", "", "TEE", "1"][..], texts].concat();
        let row = row.into_iter().map(str::to_owned).collect();
        let mut draft = drafts(&header, &[row]).remove(0);
        draft.map(&SkuMap::default());
        let asked = draft.findings().iter();
        let asked = asked.filter(|finding| finding.code == Code::PartLeftOut);
        asked
            .map(|finding| (finding.column.unwrap(), finding.hint.clone()))
            .collect()
    }

    #[test]
    fn a_sides_artwork_is_asked_about_where_it_is_linked_and_no_other_column_has_it() {
        for name in [
            "Back Artwork Link",
            "Back Artwork File",
            "Artwork Back File",
            "Print File Back URL",
        ] {
            let told = asked(&["Artwork Link", name], &[FRONT, BACK]);
            assert_eq!(told.len(), 1, "{name}");
            assert_eq!(told[0].0, 5, "{name}");
            assert!(told[0].1.contains("`artwork_back`"), "{}", told[0].1);
            for text in ["", "yes", "see the front"] {
                assert_eq!(
                    asked(&["Artwork Link", name], &[FRONT, text]),
                    [],
                    "{name} {text}"
                );
            }
            let source = asked(&["Artwork Link", "Back", name], &[FRONT, BACK, BACK]);
            assert_eq!(source, [], "{name}: what is printed there is given");
        }
        let told = asked(&["Front Artwork Link", "Back Artwork"], &[FRONT, BACK]);
        assert_eq!(told.len(), 1);
        assert!(told[0].1.contains("`artwork_front`"), "{}", told[0].1);
        for name in [
            "Back Artwork Preview",
            "Mockup Back Image",
            "Background Image",
            "Product Image Back",
            "Feedback Image",
            "Backpack Image",
            "Back-up File",
        ] {
            assert_eq!(asked(&["Artwork Link", name], &[FRONT, BACK]), [], "{name}");
        }
    }

    #[test]
    fn a_side_and_a_word_for_artwork_together_name_that_sides_artwork() {
        let (back, front) = (Some(Field::ArtworkBack), Some(Field::ArtworkFront));
        for (header, field) in [
            ("Back Artwork Link", back),
            ("back_artwork_file", back),
            ("BackArtworkLink", back),
            ("Artwork Back File", back),
            ("Print File Back URL", back),
            ("Logo (back)", back),
            ("Product Print File Back", back),
            ("Front Artwork Link", front),
            ("Front Prints", front),
            ("Artwork Front/Back", None),
            ("Back", None),
            ("Artwork", None),
            ("Background Image", None),
            ("Back Ground Image", None),
            ("Back-up file", None),
            ("Backpack Design", None),
            ("Paperback Print File", None),
            ("Cashback File", None),
            ("Front Desk Note", None),
            ("Product Image Front", None),
            ("Print Proof Back", None),
        ] {
            assert_eq!(side_of(header), field, "{header}");
        }
    }

    #[test]
    fn what_is_counted_as_the_first_is_the_front_where_no_other_column_is_called_so() {
        for (one, two) in [
            ("Design 1", "Design 2"),
            ("Artwork URL 1", "Artwork URL 2"),
            ("Design URL 1", "Design URL 2"),
            ("Artwork 1", "Artwork 2"),
        ] {
            let layout = Layout::read(&text_row(1, &["order_id", "action", one, two])).unwrap();
            let columns = [Field::ArtworkFront, Field::Artwork2].map(|field| layout.column(field));
            assert_eq!(columns, [Some(2), Some(3)], "{one}");
            assert_eq!(asked(&[one, two], &[FRONT, BACK]), [], "{one}");
        }
        let told = asked(&["Print File 1", "Print File 2"], &[FRONT, BACK]);
        assert_eq!(told.len(), 1);
        assert_eq!(told[0].0, 5);
        for front in ["artwork_front", "Artwork URL", "Artwork"] {
            let told = asked(&[front, "Design 1"], &[FRONT, BACK]);
            assert_eq!(told.len(), 1, "{front}");
            assert_eq!(told[0].0, 5, "{front}");
            assert!(told[0].1.contains("`artwork_front`"), "{}", told[0].1);
            assert_eq!(asked(&["Design 1", front], &["Fox", FRONT]), [], "{front}");
        }
        let told = asked(&["Back Artwork", "Design 01"], &[BACK, FRONT]);
        assert_eq!(told.len(), 1);
        assert!(
            told[0].1.starts_with("Name the column `artwork_front`;"),
            "{}",
            told[0].1
        );
        assert_eq!(asked(&["Print File 1", "Design 1"], &["", FRONT]), []);
    }

    #[test]
    fn a_print_that_is_said_to_be_on_the_back_is_not_printed_on_the_front() {
        for name in ["Print Location", "Print position", "Design Placement"] {
            let told = |text: &str| asked(&["Artwork Link", name], &[FRONT, text]);
            for text in ["Back", "full back", "Left chest, back"] {
                assert_eq!(told(text).len(), 1, "{name} {text}");
                assert!(told(text)[0].1.contains("`artwork_back`"), "{name} {text}");
            }
            for text in ["", "Front", "Left chest", "Backpack pocket", "Texas"] {
                assert_eq!(told(text), [], "{name} {text}");
            }
            let both = ["Artwork Link", name, "Artwork Back"];
            assert_eq!(asked(&both, &[FRONT, "back", BACK]), [], "{name}");
        }
        assert_eq!(asked(&["Artwork Link", "Shelf Location"], &[FRONT, "Back"]), []);
    }

    #[test]
    fn a_print_that_is_said_to_be_on_both_sides_wants_two_links() {
        for name in ["Print Location", "Placement", "Print Sides"] {
            for text in ["Front & Back", "both sides"] {
                let told = asked(&["Artwork Link", name], &[FRONT, text]);
                assert_eq!(told.len(), 1, "{name} {text}");
                assert!(
                    told[0].1.contains("`artwork_back`, the same one"),
                    "{}",
                    told[0].1
                );
                let both = ["Artwork Link", name, "Artwork Back"];
                assert_eq!(asked(&both, &[FRONT, text, BACK]), [], "{name} {text}");
                let second = ["Artwork Link", name, "artwork_2"];
                assert_eq!(asked(&second, &[FRONT, text, BACK]), [], "{name} {text}");
            }
            let one = asked(&["Artwork Link", name], &[FRONT, "Front"]);
            assert_eq!(one, [], "{name}");
        }
        assert_eq!(asked(&["Artwork Link", "Gift for"], &[FRONT, "both"]), []);
    }

    #[test]
    fn a_place_that_is_said_in_words_is_asked_about_in_whatever_column_and_language() {
        for name in [
            "Placement",
            "Side",
            "Position",
            "Print Area",
            "Artwork Side",
            "Artwork Location",
            "Design Side",
            "Logo Placement",
            "Logo Position",
            "Imprint Location",
            "Decoration Location",
            "Print on",
            "Where to print",
            "Print locations",
            "Print Sides",
        ] {
            let told = |text: &str| asked(&["Artwork Link", name], &[FRONT, text]);
            for text in ["Back", "Rear", "Rücken", "Dos", "BACK PRINT"] {
                assert_eq!(told(text).len(), 1, "{name} {text}");
                assert!(told(text)[0].1.contains("`artwork_back`"), "{name} {text}");
            }
            for text in [
                "Left Sleeve",
                "sleeve",
                "Inside neck",
                "Hood",
                "Back neck",
                "Front, sleeve",
            ] {
                assert_eq!(told(text).len(), 1, "{name} {text}");
                assert!(told(text)[0].1.contains("`artwork_2`"), "{name} {text}");
            }
            for text in [
                "",
                "Front",
                "Center chest",
                "N/A",
                "XL",
                "Left",
                "1",
                "Black",
                "Manager",
            ] {
                assert_eq!(told(text), [], "{name} {text}");
            }
        }
        let given = ["Artwork Link", "Placement", "Artwork Back", "artwork_2"];
        assert_eq!(asked(&given, &[FRONT, "Back", BACK, ""]), []);
        assert_eq!(asked(&given, &[FRONT, "Left sleeve", "", BACK]), []);
        assert_eq!(asked(&given, &[FRONT, "Left sleeve", BACK, ""]).len(), 1);
    }

    #[test]
    fn artwork_of_places_that_are_not_read_is_known_by_its_name() {
        let header = [
            "Back print",
            "Left sleeve",
            "artwork_6",
            "Artwork Back",
            "Design",
            "Rückseite",
            "Dos",
            "Feedback",
            "artwork_2",
            "Background",
            "Mockup back image",
            "Artwork Back File",
            "Artwork Back Preview",
            "Back of left sleeve image",
        ];
        let own: Vec<usize> = (0..header.len()).collect();
        let columns = |unread: Vec<Unread>| -> Vec<usize> {
            let columns = unread.iter().map(|unread| unread.column);
            columns.collect()
        };
        let unread = unread_artworks(&text_row(1, &header), &own, &[None; Field::COUNT]);
        let fields: Vec<Option<Field>> = unread.iter().map(|unread| unread.field).collect();
        let back = Some(Field::ArtworkBack);
        assert_eq!(fields, [back, None, None, back, None, back, None]);
        assert_eq!(columns(unread), [0, 1, 2, 5, 6, 11, 13]);
        let header = [
            "Back Design",
            "artwork_6",
            "Design",
            "Left sleeve",
            "Name",
            "Back",
            "Print URL",
        ];
        let header = text_row(1, &header);
        let unread = |read: &[usize], back, may_be_own| {
            let mut added = [None; Field::COUNT];
            added[Field::ArtworkBack.index()] = back;
            let own = [0, 1, 2, 3, 4, 5, 6];
            columns(unread_in_shop(&header, &own, (read, &added), may_be_own))
        };
        assert_eq!(unread(&[], None, false), [1, 3, 0]);
        assert_eq!(unread(&[3], Some(4), false), [1, 2, 6]);
        assert_eq!(unread(&[3], None, true), [1, 0, 2, 5, 6]);
        assert_eq!(unread(&[3], Some(4), true), [1, 2, 6]);
    }
}
