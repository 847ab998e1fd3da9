//! Where the service says that it has moved to. No redirect is followed: what is sent could be done twice, and the account's
//! password is not for whoever is named there. A person is told of the place.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use reqwest::Url;
use reqwest::redirect::Policy;

use super::operation::Operation;
use super::{Client, Failure, Heard};
use crate::files::plain;

/// The most letters of a place that are told.
const MOST: usize = 200;

/// Where requests were told to go instead, by their own paths.
#[derive(Clone, Debug, Default)]
pub struct Moved(Arc<Mutex<BTreeMap<String, String>>>);

impl Moved {
    fn places(&self) -> MutexGuard<'_, BTreeMap<String, String>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What follows no redirect, and notes where it would have gone.
    pub(super) fn policy(&self) -> Policy {
        let moved = self.clone();
        Policy::custom(move |attempt| {
            if let Some(asked) = attempt.previous().last() {
                let place = place(attempt.url());
                moved.places().insert(asked.path().to_owned(), place);
            }
            attempt.stop()
        })
    }

    /// A failure with the place that the service has named for what was asked, where it is a redirect.
    fn told(&self, operation: &Operation, failure: Failure) -> Failure {
        let (Heard::Said(301 | 302 | 303 | 307 | 308) | Heard::Odd(301 | 302 | 303 | 307 | 308)) =
            failure.heard
        else {
            return failure;
        };
        let places = self.places();
        let place = places.iter().find(|(path, _)| path.ends_with(operation.path));
        match place {
            Some((_, place)) if !failure.detail.contains(MOVED) => Failure {
                detail: format!("{}, {}", failure.detail, words(place, operation.path)),
                ..failure
            },
            _ => failure,
        }
    }
}

impl Client {
    /// The same failure, with the place that the service has named for what was asked, where it is a redirect.
    pub(super) fn with_place(&self, operation: &Operation, failure: Failure) -> Failure {
        self.moved.told(operation, failure)
    }
}

const MOVED: &str = "moved to ";

/// What a person is told of a place, and what to do where it is the service's new one.
fn words(place: &str, path: &str) -> String {
    let advice = match place.strip_suffix(path) {
        Some(base) => format!("if that is its new place, set base_url = \"{base}\""),
        None => "if the service is there now, set `base_url`".to_owned(),
    };
    format!("{MOVED}{place}, which is not followed: {advice}")
}

/// A place without what may be a secret in it: a name, a password, a query.
fn place(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    let port = url.port().map_or_else(String::new, |port| format!(":{port}"));
    let place = format!("{}://{host}{port}{}", url.scheme(), url.path());
    plain(&place).chars().take(MOST).collect()
}

#[cfg(test)]
mod tests {
    use super::super::operation::LIST_ORDERS;
    use super::*;

    #[test]
    fn a_place_is_told_without_its_query_and_secrets() {
        let path = LIST_ORDERS.path;
        for (url, told) in [
            (
                format!("https://new.example.com:8443/v3{path}?token=s3cret#x"),
                format!(
                    "moved to https://new.example.com:8443/v3{path}, which is not followed: if that is its new place, set \
                     base_url = \"https://new.example.com:8443/v3\""
                ),
            ),
            (
                "https://me:s3cret@login.example.com/sign%1Bin\u{1b}?next=1".to_owned(),
                "moved to https://login.example.com/sign%1Bin%1B, which is not followed: if the service is there now, set \
                 `base_url`"
                    .to_owned(),
            ),
        ] {
            assert_eq!(words(&place(&Url::parse(&url).unwrap()), path), told);
        }
        let long = Url::parse(&format!("https://a.example/{}", "x".repeat(900))).unwrap();
        assert_eq!(place(&long).len(), MOST);
    }
}
