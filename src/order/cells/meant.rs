//! What counts of a cell instead of what it says: nothing of a word that says so, lines where a web page's marks for them
//! stand, in a link the sign that a web page has escaped, and hyphens for the dashes of a zip. What is written stays known: an
//! order that was sent as that is the same order.

use super::Cells;
use crate::order::characters::HYPHENS;
use crate::order::columns::{Field, Form};
use crate::order::layout::Layout;
use crate::order::mend::in_form;
use crate::order::nothing::is_blank_in;
use crate::order::places;

/// What ends a line on a web page.
const BREAKS: [&str; 4] = ["<br>", "<br/>", "<br />", "</br>"];

/// What a web page has for the sign between two parts of a link; no link has it of its own.
const ESCAPED: &str = "&amp;";

/// What programs and keyboards write for the hyphen of a zip, beside what looks like one.
const DASHES: [char; 4] = ['\u{2013}', '\u{2014}', '\u{2015}', '\u{30fc}'];

/// How people are addressed.
const TITLES: [&str; 15] = [
    "mr", "mrs", "ms", "miss", "mx", "dr", "prof", "sir", "madam", "herr", "frau", "mme", "mlle", "sr", "sra",
];

impl Cells {
    /// Puts what is meant into the place of what a row has.
    pub(super) fn read_as_meant(&mut self, layout: &Layout) {
        self.take_letter_of_cars(layout);
        self.take_title_for_none(layout);
        self.take_as_meant(&[]);
    }

    /// Takes what stands in the place of the id for none.
    pub(in crate::order) fn take_id_for_none(&mut self) {
        let id = self.text(Field::OrderId);
        if !id.is_empty() {
            self.written.push((Field::OrderId, id.to_owned()));
            self.replace(Field::OrderId, String::new());
        }
    }

    /// Takes the letter of a country's cars for the country, where a German column has it: `D`.
    fn take_letter_of_cars(&mut self, layout: &Layout) {
        let field = Field::ShippingCountry;
        let is_german = || {
            layout
                .column(field)
                .is_some_and(|column| layout.header.says(column, "Land"))
        };
        let letter = self.text(field);
        if letter.len() != 1 || !is_german() {
            return;
        }
        if let Some(country) = places::of_cars(letter) {
            self.written.push((field, letter.to_owned()));
            self.replace(field, country.code.clone());
        }
    }

    /// Takes how somebody is addressed for no product's name, where the column of that is called so: `Mrs` under `Title`.
    fn take_title_for_none(&mut self, layout: &Layout) {
        let field = Field::ProductName;
        let is_so_called = || {
            layout
                .column(field)
                .is_some_and(|column| layout.header.says(column, "Title"))
        };
        let text = self.text(field).trim_end_matches('.');
        let is_title = TITLES.iter().any(|title| text.eq_ignore_ascii_case(title));
        if is_title && is_so_called() {
            self.written.push((field, self.text(field).to_owned()));
            self.replace(field, String::new());
        }
    }

    /// Puts what is meant into the place of what is written, but for some fields. Of artwork that is a link, but for the
    /// only one that a line has.
    pub(in crate::order) fn take_as_meant(&mut self, but: &[Field]) {
        let is_artwork = |field: &Field| Field::ARTWORK.contains(field);
        let given = |field: &Field| !self.text(*field).is_empty() && !is_blank_in(*field, self.text(*field));
        let has_artwork = Field::ARTWORK.iter().any(given);
        for field in Field::ALL.into_iter().filter(|field| !but.contains(field)) {
            let may_be_blank = !is_artwork(&field) || has_artwork;
            let Some(meant) = as_meant(field, self.text(field), may_be_blank) else {
                continue;
            };
            let written = self.text(field).to_owned();
            self.written.push((field, written));
            self.replace(field, meant);
        }
    }

    /// Takes an artwork's cell as it is written: something else says what is printed there, and the cell that there is
    /// nothing.
    pub(in crate::order) fn take_as_written(&mut self, field: Field) {
        let is_nothing = Field::ARTWORK.contains(&field) && self.text(field).is_empty();
        let of_it = |(known, _): &(Field, String)| *known == field && is_nothing;
        if let Some(at) = self.written.iter().position(of_it) {
            let (_, text) = self.written.remove(at);
            self.replace(field, text);
        }
    }

    /// What is written for a field, where something else is meant by it; else its text.
    pub(in crate::order) fn written(&self, field: Field) -> &str {
        let written = self.written.iter().find(|(known, _)| *known == field);
        written.map_or(self.text(field), |(_, text)| text)
    }
}

/// What is meant by a text, where that is something else.
fn as_meant(field: Field, text: &str, may_be_blank: bool) -> Option<String> {
    if text.is_empty() {
        return None;
    }
    if may_be_blank && is_blank_in(field, text) {
        return Some(String::new());
    }
    if field.column().form == Form::Url && text.contains(ESCAPED) {
        return Some(text.replace(ESCAPED, "&"));
    }
    if field.column().form == Form::Zip {
        return with_hyphens(text);
    }
    let is_prose = matches!(field.column().form, Form::Line | Form::Text);
    let lines = in_lines(text).filter(|_| is_prose)?;
    Some(in_form(field, lines.trim()).text)
}

/// A zip with hyphens for the dashes between its letters and digits.
fn with_hyphens(zip: &str) -> Option<String> {
    let is_dash = |c: char| HYPHENS.contains(&c) || DASHES.contains(&c);
    let mut parts = zip.split(is_dash);
    let is_part = |part: &str| {
        let is_whole = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric());
        is_whole(part.chars().next()) && is_whole(part.chars().next_back())
    };
    (zip.contains(is_dash) && parts.all(is_part)).then(|| zip.replace(is_dash, "-"))
}

/// A text with its lines as lines, where a web page's marks stand between them.
fn in_lines(text: &str) -> Option<String> {
    let find = |text: &str| {
        // Of the same length.
        let lower = text.to_ascii_lowercase();
        let found = BREAKS
            .iter()
            .find_map(|mark| Some((lower.find(mark)?, mark.len())));
        found.map(|(at, length)| at..at.saturating_add(length))
    };
    let mut range = text.contains('<').then(|| find(text)).flatten()?;
    let mut lines = text.to_owned();
    loop {
        lines.replace_range(range, "\n");
        match find(&lines) {
            Some(next) => range = next,
            None => return Some(lines),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_letter_of_cars_is_a_country_in_a_german_column_alone() {
        let country = |name: &str, text: &str| {
            let header = ["action", "order_id", name];
            let row = ["", "1001", text].map(str::to_owned).to_vec();
            let draft = crate::order::tests::drafts(&header, &[row]).remove(0);
            draft.destination().map(|country| country.code.as_str())
        };
        assert_eq!(
            [country("Land", "D"), country("land", "A")],
            [Some("DE"), Some("AT")]
        );
        assert_eq!(country("Land", "Niederlande"), Some("NL"));
        let none = [
            ("Land", "X"),
            ("Country", "D"),
            ("shipping_country", "A"),
            ("Pays", "D"),
        ];
        assert_eq!(none.map(|(name, text)| country(name, text)), [None; 4]);
    }

    #[test]
    fn how_somebody_is_addressed_is_no_name_of_a_product_under_a_title_alone() {
        let name = |column: &str, text: &str| {
            let row = ["", "1001", "TEE", text].map(str::to_owned).to_vec();
            let draft = crate::order::tests::drafts(&["action", "order_id", "SKU", column], &[row]).remove(0);
            let line = &draft.lines()[0];
            let read = [line.text(Field::ProductName), line.written(Field::ProductName)];
            read.map(str::to_owned)
        };
        for text in ["Mrs", "mr.", "Dr", "Herr"] {
            assert_eq!(name("Title", text), ["", text]);
            assert_eq!(name("Product", text), [text, text]);
        }
        assert_eq!(name("Title", "Mrs Fox Tee"), ["Mrs Fox Tee"; 2]);
    }

    #[test]
    fn what_a_web_page_has_escaped_in_a_link_is_read_as_it_was() {
        let meant = |field, text| as_meant(field, text, false);
        let link = "https://example.com/a.png?sig=1&amp;exp=2";
        let plain = Some("https://example.com/a.png?sig=1&exp=2".to_owned());
        assert_eq!(meant(Field::ArtworkFront, link), plain);
        assert_eq!(meant(Field::MockupUrl, link), plain);
        assert_eq!(meant(Field::ItemSku, "A&amp;B"), None);
        assert_eq!(
            meant(Field::ArtworkFront, "https://example.com/a.png?a=1&ampere=2"),
            None
        );
    }

    #[test]
    fn the_dashes_of_a_zip_are_hyphens_between_its_parts_alone() {
        let meant = |text| as_meant(Field::ShippingZip, text, false);
        assert_eq!(meant("43004\u{2013}1234").as_deref(), Some("43004-1234"));
        assert_eq!(meant("LV\u{2010}1010").as_deref(), Some("LV-1010"));
        for zip in [
            "43004",
            "43004-1234",
            "\u{2013}",
            "43004\u{2013}",
            "43004 \u{2013} 1234",
            "SW1A 1AA",
        ] {
            assert_eq!(meant(zip), None, "{zip}");
        }
    }

    #[test]
    fn a_web_page_s_lines_are_lines() {
        let line2 = |text: &str| as_meant(Field::ShippingAddress2, text, true);
        for (text, meant) in [
            ("Apt 5<br>Ring twice", "Apt 5, Ring twice"),
            ("Apt 5<BR/>", "Apt 5"),
            ("<br />Apt 5<br><br>Rear,<br>left", "Apt 5, Rear, left"),
        ] {
            assert_eq!(line2(text).as_deref(), Some(meant), "{text}");
        }
        for text in ["Apt 5", "<Apt 5>", "<brown door>", "5 < 6"] {
            assert_eq!(line2(text), None, "{text}");
        }
        let city = as_meant(Field::ShippingCity, "New<br>York", false);
        assert_eq!(city.as_deref(), Some("New York"));
        let note = as_meant(Field::VariantNote, "two<br>lines", true);
        assert_eq!(note.as_deref(), Some("two\nlines"));
        assert_eq!(as_meant(Field::ItemSku, "A<br>B", false), None);
    }
}
