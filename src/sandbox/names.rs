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
    /// With the name of the shop before it, which the answer to its create leaves out.
    OfShop,
}

impl Names {
    /// A name as it is kept.
    pub(crate) fn kept(self, name: &str) -> String {
        match self {
            Self::AsSent => name.to_owned(),
            Self::Capitals => name.to_uppercase(),
            Self::Numbers => name
                .parse::<u64>()
                .map_or_else(|_no_number| name.to_owned(), |number| number.to_string()),
            Self::OfShop => format!("SHOP-{name}"),
        }
    }

    /// The name in the answer to its create.
    pub(crate) fn answered(self, name: &str) -> String {
        match self {
            Self::OfShop => name.to_owned(),
            Self::AsSent | Self::Capitals | Self::Numbers => self.kept(name),
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
        assert_eq!(kept("x-07"), ["x-07", "X-07", "x-07", "SHOP-x-07"]);
        assert_eq!(kept("0999"), ["0999", "0999", "999", "SHOP-0999"]);
    }
}
