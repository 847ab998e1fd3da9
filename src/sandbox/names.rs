//! How the service keeps the names of orders: the interface promises none of it.

use serde::Deserialize;

/// How the name of a new order is kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Names {
    /// As it was sent.
    #[default]
    AsSent,
    /// In capitals.
    Capitals,
    /// What could be a number as that number: without the zeros in front.
    Numbers,
    /// As it was sent, and the list shows it with the name of the shop before it.
    OfShop,
    /// As it was sent, and the list shows `?` for each character that is no ASCII.
    Ascii,
}

impl Names {
    /// A name as it is kept.
    pub(crate) fn kept(self, name: &str) -> String {
        match self {
            Self::AsSent | Self::OfShop | Self::Ascii => name.to_owned(),
            Self::Capitals => name.to_uppercase(),
            Self::Numbers => name
                .parse::<u64>()
                .map_or_else(|_no_number| name.to_owned(), |number| number.to_string()),
        }
    }

    /// A kept name as the list shows it.
    pub(crate) fn listed(self, kept: &str) -> String {
        match self {
            Self::OfShop => format!("SHOP-{kept}"),
            Self::Ascii => kept.chars().map(|c| if c.is_ascii() { c } else { '?' }).collect(),
            Self::AsSent | Self::Capitals | Self::Numbers => kept.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_kept_as_the_service_likes() {
        let kept = |name| {
            [Names::AsSent, Names::Capitals, Names::Numbers, Names::OfShop].map(|names| names.kept(name))
        };
        assert_eq!(kept("x-07"), ["x-07", "X-07", "x-07", "x-07"]);
        assert_eq!(
            (Names::OfShop.listed("7"), Names::Capitals.listed("7")),
            ("SHOP-7".into(), "7".into())
        );
        assert_eq!(Names::Ascii.listed("Ä-1é"), "?-1?");
        assert_eq!(kept("0999"), ["0999", "0999", "999", "0999"]);
    }
}
