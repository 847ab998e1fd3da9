//! Pages: `limit` from 20 to 200, `page` counted from 0 or from 1.

use super::options::FirstPage;
use super::params::Params;
use super::request::Refusal;

/// The interface states no default.
const DEFAULT_LIMIT: usize = 20;

/// A page asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Page {
    /// As it was asked for.
    pub(crate) number: usize,
    /// How many pages are before it.
    before: usize,
    /// Most entries on it.
    pub(crate) limit: usize,
}

impl Page {
    /// Reads `limit` and `page`.
    pub(crate) fn read(params: &Params, first: FirstPage) -> Result<Self, Refusal> {
        let limit = params.number("limit")?.unwrap_or(DEFAULT_LIMIT);
        if !(20..=200).contains(&limit) {
            return Err(Refusal::bad(format!("limit {limit} is outside 20 to 200")));
        }
        let asked = params.number("page")?;
        let (number, before) = match (first, asked) {
            (FirstPage::Zero, asked) => (asked.unwrap_or(0), asked.unwrap_or(0)),
            (FirstPage::One, Some(0)) => return Err(Refusal::bad("the first page is 1")),
            (FirstPage::One | FirstPage::OneRepeated, asked) => {
                let number = asked.unwrap_or(1);
                (number, number.saturating_sub(1))
            }
        };
        Ok(Self {
            number,
            before,
            limit,
        })
    }

    /// How many entries are before it.
    pub(crate) fn skip(self) -> usize {
        self.before.saturating_mul(self.limit)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::super::options::GetParams;
    use super::*;

    fn page(first: FirstPage, body: &str) -> Option<(usize, usize)> {
        let params = Params::read(GetParams::Both, &BTreeMap::new(), body.as_bytes()).unwrap();
        Page::read(&params, first)
            .ok()
            .map(|page| (page.skip(), page.limit))
    }

    #[test]
    fn the_first_page_is_where_the_option_says() {
        use FirstPage::{One, OneRepeated, Zero};
        for (first, body, expected) in [
            (Zero, "{}", Some((0, 20))),
            (Zero, r#"{"page":0}"#, Some((0, 20))),
            (Zero, r#"{"page":1}"#, Some((20, 20))),
            (One, r#"{"page":0}"#, None),
            (One, r#"{"page":1,"limit":200}"#, Some((0, 200))),
            (One, r#"{"page":3,"limit":50}"#, Some((100, 50))),
            (OneRepeated, r#"{"page":0}"#, Some((0, 20))),
            (OneRepeated, r#"{"page":2}"#, Some((20, 20))),
        ] {
            assert_eq!(page(first, body), expected, "{first:?} {body}");
        }
    }

    #[test]
    fn a_limit_outside_20_to_200_is_refused() {
        for (limit, good) in [(19, false), (20, true), (200, true), (201, false)] {
            assert_eq!(
                page(FirstPage::One, &format!(r#"{{"limit":{limit}}}"#)).is_some(),
                good,
                "{limit}"
            );
        }
    }
}
