//! The artwork that an order's lines name, with the cells that name it.

use super::columns::Field;
use super::draft::Draft;
use super::{Line, Order};

/// One artwork of one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Artwork {
    /// The row that names it.
    pub row: u32,
    /// The column that names it, counted from 0; none where it comes from elsewhere than the sheet.
    pub column: Option<u16>,
    /// `artwork_front`, `artwork_back`, `artwork_2`, …
    pub name: &'static str,
    /// Where it lies.
    pub url: String,
    /// The SKU that it is printed on.
    pub sku: String,
    /// Where that is made; empty where the service chooses.
    pub location: String,
}

impl Artwork {
    /// The key of the print area that it fills: `front` of `artwork_front`.
    pub fn area(&self) -> &'static str {
        self.name.strip_prefix("artwork_").unwrap_or(self.name)
    }
}

impl Line {
    /// Its artwork: the field, and where the artwork lies.
    pub(crate) fn artworks(&self) -> impl Iterator<Item = (Field, &str)> {
        let [second, third, fourth, fifth] = &self.artwork_more;
        [
            (Field::ArtworkFront, &self.artwork_front),
            (Field::ArtworkBack, &self.artwork_back),
            (Field::Artwork2, second),
            (Field::Artwork3, third),
            (Field::Artwork4, fourth),
            (Field::Artwork5, fifth),
        ]
        .into_iter()
        .filter_map(|(field, url)| Some((field, url.as_deref()?)))
    }
}

impl Draft {
    /// The artwork of the order that this draft has become, line by line.
    pub fn artworks(&self, order: &Order) -> Vec<Artwork> {
        let of_line = |(line, row): (&Line, u32)| -> Vec<Artwork> {
            line.artworks()
                .map(|(field, url)| Artwork {
                    row,
                    column: self.column_ref(field),
                    name: field.name(),
                    url: url.to_owned(),
                    sku: line.item_sku.clone(),
                    location: line.made_in_location.clone(),
                })
                .collect()
        };
        order
            .lines
            .iter()
            .zip(self.printed_rows())
            .flat_map(of_line)
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_the_artwork_that_it_names_in_the_order_of_the_columns() {
        let line = Line {
            artwork_back: Some("https://cdn.example.com/b.png".to_owned()),
            artwork_more: [None, None, Some("https://cdn.example.com/4.png".to_owned()), None],
            ..Line::default()
        };
        let named: Vec<&str> = line.artworks().map(|(field, _)| field.name()).collect();
        assert_eq!(named, ["artwork_back", "artwork_4"]);
        let artwork = Artwork {
            row: 2,
            column: None,
            name: "artwork_back",
            url: String::new(),
            sku: String::new(),
            location: String::new(),
        };
        assert_eq!(artwork.area(), "back");
    }
}
