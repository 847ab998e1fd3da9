use jiff::Timestamp;

use super::*;
use crate::catalog::{Entry, Location};

fn artwork() -> Artwork {
    Artwork {
        row: 7,
        column: Some(3),
        name: "artwork_front",
        url: "https://www.dropbox.com/s/a/front.png?dl=0".to_owned(),
        sku: "TEE".to_owned(),
        location: String::new(),
    }
}

fn area(key: &str, width: &str) -> PrintArea {
    PrintArea {
        key: key.to_owned(),
        width: width.parse().ok(),
        height: width.parse().ok(),
        resolution: Some("100 ppi".to_owned()),
    }
}

fn catalog() -> Snapshot {
    let location = |name: &str, width| Location {
        name: name.to_owned(),
        print_areas: vec![area("front", width), area("back", "99")],
        ..Location::default()
    };
    let detail = Detail {
        sku: "TEE".to_owned(),
        locations: vec![location("US", "12"), location("EU", "6")],
        ..Detail::default()
    };
    let entry = Entry {
        sku: "TEE".to_owned(),
        product_code: "TEE".to_owned(),
        product_name: String::new(),
        title: String::new(),
        variant_id: String::new(),
    };
    Snapshot::new(Timestamp::UNIX_EPOCH, vec![entry], vec![detail])
}

fn file(kind: Kind) -> Found {
    let hash = "1f".to_owned();
    Found::File { kind, hash }
}

fn square(side: u64) -> Found {
    file(Kind::Image(Image {
        width: side,
        height: side,
    }))
}

fn codes(artwork: &Artwork, found: &Found, before: Option<&str>) -> Vec<Code> {
    judge(artwork, (found, before), &catalog(), Some(Unit::Inches))
        .into_iter()
        .map(|finding| finding.code)
        .collect()
}

#[test]
fn an_artwork_is_judged_by_what_came() {
    for (found, expected) in [
        (square(1200), None),
        // The smaller of two locations takes it, and nobody named one.
        (square(600), None),
        (square(500), Some(Code::ArtworkTooSmall)),
        (file(Kind::Document), None),
        (file(Kind::Empty), Some(Code::ArtworkNotImage)),
        (file(Kind::Page), Some(Code::ArtworkNotImage)),
        (file(Kind::Other), Some(Code::ArtworkNotImage)),
        (Found::TooLarge { limit: 5 }, Some(Code::ArtworkTooLarge)),
        (
            Found::Unreachable("it answers 404".to_owned()),
            Some(Code::ArtworkUnreachable),
        ),
    ] {
        let expected: Vec<Code> = expected.into_iter().collect();
        assert_eq!(codes(&artwork(), &found, None), expected, "{found:?}");
    }
}

#[test]
fn a_named_location_s_own_area_counts() {
    let named = Artwork {
        location: "us".to_owned(),
        ..artwork()
    };
    assert_eq!(codes(&named, &square(600), None), [Code::ArtworkTooSmall]);
}

#[test]
fn other_bytes_under_the_same_link_are_a_warning_and_the_same_bytes_are_none() {
    assert_eq!(codes(&artwork(), &square(1200), Some("1f")), []);
    assert_eq!(
        codes(&artwork(), &square(1200), Some("2e")),
        [Code::ArtworkChanged]
    );
}

#[test]
fn a_finding_stands_at_the_cell_and_names_the_sharing_page() {
    let findings = judge(&artwork(), (&file(Kind::Page), None), &catalog(), None);
    let finding = &findings[0];
    assert_eq!((finding.row, finding.column), (7, Some(3)));
    assert_eq!(
        finding.message,
        "The link of artwork_front leads to a page of Dropbox, not to the file."
    );
    assert!(finding.hint.contains("dl=1"));
}
