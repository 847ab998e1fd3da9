//! What a design is called, and other words in columns of artwork and mockups that are called by names which do not ask for
//! a link: they stand beside it, or where none is needed.

use crate::order::cells::is_tick;
use crate::order::nothing::says_nothing;
use crate::sheet::{CellKind, Row};

use super::super::columns::{Field, Fit, normalized};
use super::elsewhere::{Elsewhere, is_elsewhere};
use super::unread::{is_first, is_link};
use super::{Layout, column_of};

/// The fields whose columns may hold something else than a link, by their names.
pub(super) fn may_be_names(header: &Row, columns: &[Option<usize>; Field::COUNT]) -> Vec<Field> {
    let may_be = |field: &Field| {
        column_of(columns, *field).is_some_and(|column| may_be_a_name(*field, header.text(column)))
    };
    let fields = Field::ARTWORK.into_iter().chain([Field::MockupUrl]);
    fields.filter(may_be).collect()
}

fn may_be_a_name(field: Field, header: &str) -> bool {
    let is_numbered = |name: &str| {
        name.strip_prefix("design")
            .is_some_and(|number| number.parse::<u16>().is_ok())
    };
    match field {
        Field::ArtworkFront => is_first(header),
        Field::MockupUrl => Field::named(header).is_some_and(|(_, fit)| fit > Fit::Native),
        _ => is_numbered(&normalized(header)),
    }
}

impl Layout {
    /// Whether a row's cell of a field is none of it: what a design is called is no artwork, but for a second one only beside
    /// the link of another; and a word is no mockup, which nobody prints.
    pub(in crate::order) fn is_a_name(&self, field: Field, row: &Row) -> bool {
        let Some(column) = self.column(field).filter(|_| self.may_be_names.contains(&field)) else {
            return false;
        };
        let (text, is_text) = (row.text(column).trim(), row.kind(column) == CellKind::Text);
        match field {
            Field::ArtworkFront => !is_link(text),
            Field::MockupUrl => is_text && !is_meant_as_link(text),
            _ => is_text && is_what_it_is_called(text) && self.has_artwork_beside(field, row),
        }
    }

    fn has_artwork_beside(&self, field: Field, row: &Row) -> bool {
        let others = Field::ARTWORK.into_iter().filter(|other| *other != field);
        let mut columns = others.filter_map(|other| self.column(other));
        columns.any(|column| is_link(row.text(column).trim()))
    }
}

/// Whether a text may be what a design is called. The name of a file, a tick and a place ask for its artwork.
fn is_what_it_is_called(text: &str) -> bool {
    const OF_ANOTHER: [&str; 3] = ["same", "see", "as"];
    let is_file = !text.contains(char::is_whitespace) && text.contains('.');
    let first = text.split_whitespace().next().unwrap_or_default();
    let points_at = OF_ANOTHER.iter().any(|word| first.eq_ignore_ascii_case(word));
    !is_file
        && !points_at
        && !is_meant_as_link(text)
        && !is_tick(text)
        && !says_nothing(text)
        && is_elsewhere(text).is_none()
}

/// Whether a text is a link by how it is written, be it one that opens or not: it has a scheme, or a host before a path.
fn is_meant_as_link(text: &str) -> bool {
    let host = text.split_once('/').map(|(host, _)| host);
    let is_host = |host: &str| host.contains('.') && !host.contains(char::is_whitespace);
    text.contains("://") || text.starts_with("www.") || host.is_some_and(is_host)
}

/// Whether a text in a second column of a field that has its link says nothing that is printed: a design's name, or the word
/// of somebody who has looked at it. Not `Back`, nor `Front and back`.
pub(in crate::order) fn is_only_a_name(text: &str) -> bool {
    const MOST: usize = 2;
    let names_a_place = match is_elsewhere(text) {
        Some(Elsewhere::BothSides) => true,
        Some(Elsewhere::Back) => text.split_whitespace().count() <= MOST,
        Some(Elsewhere::Neither) | None => false,
    };
    !is_meant_as_link(text) && !names_a_place
}

#[cfg(test)]
mod tests {
    use crate::finding::Code;
    use crate::order::columns::Field;
    use crate::order::tests::drafts;

    const FOX: &str = "https://example.com/fox.png";

    /// What is printed on the front, and how often a row is told of a second column, with these columns and texts.
    fn front(names: &str, texts: &[&str]) -> (String, usize) {
        let mut header = vec!["action", "order_id"];
        header.extend(names.split(','));
        let row = ["", "1001"].iter().chain(texts).map(|text| (*text).to_owned());
        let draft = drafts(&header, &[row.collect()]).remove(0);
        let is_told = |finding: &&crate::finding::Finding| finding.code == Code::RepeatedColumn;
        let told = draft.findings().iter().filter(is_told).count();
        (draft.lines()[0].text(Field::ArtworkFront).to_owned(), told)
    }

    #[test]
    fn what_stands_beside_a_link_and_is_none_is_a_name() {
        for (names, text) in [
            ("Artwork,Design", "Fox"),
            ("Artwork URL,Artwork", "approved"),
            ("Artwork,Front", "yes"),
            ("Artwork URL,Print file", "fox.png"),
            ("Artwork,Design", "Back to School"),
            ("Artwork,Design", "animals/fox"),
        ] {
            assert_eq!(front(names, &[FOX, text]), (FOX.to_owned(), 0), "{names} {text}");
            assert_eq!(front(names, &[text, FOX]), (FOX.to_owned(), 0), "{text} {names}");
            // Alone it is what it was.
            assert_eq!(front(names, &[text, ""]), (text.to_owned(), 0), "{names} {text}");
            assert_eq!(front(names, &[text, "Owl"]).1, 1, "{names} {text}");
        }
        assert_eq!(
            front("Design,Artwork,Front", &["Fox", FOX, "yes"]),
            (FOX.to_owned(), 0)
        );
        for other in [
            "https://example.com/owl.png",
            "ftp://example.com/owl.png",
            "example.com/owl.png",
            "www.example.com",
            "Back",
            "front and back",
        ] {
            assert_eq!(front("Artwork,Design", &[FOX, other]).1, 1, "{other}");
            assert_eq!(front("Artwork,Design", &[other, FOX]).1, 1, "{other}");
        }
    }

    #[test]
    fn a_numbered_design_is_a_name_beside_artwork_and_a_mockup_where_it_is_no_link() {
        let read = |field: Field, name: &str, texts: [&str; 2]| {
            let header = ["action", "order_id", "Artwork", name];
            let row = ["", "1001", texts[0], texts[1]].map(str::to_owned);
            let draft = drafts(&header, &[row.to_vec()]).remove(0);
            draft.lines()[0].text(field).to_owned()
        };
        let second = |name: &str, texts: [&str; 2]| read(Field::Artwork2, name, texts);
        assert_eq!(second("Design 2", [FOX, "Fox"]), "");
        assert_eq!(second("Design 2", ["", "Fox"]), "Fox");
        for text in [
            "yes",
            "fox.png",
            "Back",
            "same",
            "same as front",
            "see e-mail",
            "ftp://a/b",
            "tbd",
        ] {
            assert_eq!(second("Design 2", [FOX, text]), text, "{text}");
        }
        assert_eq!(second("Artwork 2", [FOX, "Fox"]), "Fox");
        assert_eq!(second("Design URL 2", [FOX, "Fox"]), "Fox");
        let mockup = |name: &str, text: &str| read(Field::MockupUrl, name, [FOX, text]);
        for (name, text) in [("Mockup", "sent"), ("Preview", "fox.png"), ("Mockup Link", "-")] {
            assert_eq!(mockup(name, text), "", "{name} {text}");
        }
        for (name, text) in [
            ("Mockup", FOX),
            ("Mockup", "example.com/fox.png"),
            ("Mockup", "ftp://example.com/fox.png"),
            ("mockup_url", "sent"),
            ("Mockup URL", "sent"),
        ] {
            assert_eq!(mockup(name, text), text, "{name} {text}");
        }
    }
}
