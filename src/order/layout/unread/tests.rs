//! Which columns of artwork that is not read are asked about.

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
fn a_link_under_a_name_that_speaks_of_artwork_is_asked_about() {
    for name in [
        "Rear Artwork",
        "Artwork B",
        "Print 2",
        "Left Chest",
        "Front and Back Artwork",
        "Rücken",
        "Final Artwork",
        "Updated Print File",
    ] {
        assert_eq!(asked(&["Artwork Link", name], &[FRONT, BACK]).len(), 1, "{name}");
        assert_eq!(
            asked(&["Artwork Link", name], &[FRONT, "fox, blue"]),
            [],
            "{name}"
        );
    }
    for name in [
        "Artwork Proof",
        "Product Image",
        "Order Link",
        "Design Preview",
        "Photo",
    ] {
        assert_eq!(asked(&["Artwork Link", name], &[FRONT, BACK]), [], "{name}");
    }
    let told = asked(&["Artwork Link", "Final Artwork"], &[FRONT, BACK]);
    assert!(told[0].1.contains("`artwork_front`"), "{}", told[0].1);
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
