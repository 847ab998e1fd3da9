//! Where the service says that it has moved to. No redirect is followed: what is sent could be done twice, and the account's
//! password is not for whoever is named there. A person is told of the place.

use reqwest::Url;

use crate::files::plain;

/// The most letters of a place that are told.
const MOST: usize = 200;

/// What a person is told of an answer with this code that names another place; none where it is no redirect. `asked` is what
/// was asked, of the operation at `path`.
pub(super) fn told(http: u16, asked: &Url, location: &str, path: &str) -> Option<String> {
    let url = matches!(http, 301 | 302 | 303 | 307 | 308).then(|| asked.join(location));
    match url {
        Some(Ok(url)) => Some(words(&place(&url), path)),
        // What is no place can be told to nobody.
        Some(Err(_)) | None => None,
    }
}

/// What a person is told of a place, and what to do where it is the service's new one.
fn words(place: &str, path: &str) -> String {
    let advice = match place.strip_suffix(path) {
        Some(base) => format!("if that is its new place, set base_url = \"{base}\""),
        None => "if the service is there now, set `base_url`".to_owned(),
    };
    format!("moved to {place}, which is not followed: {advice}")
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
    use super::*;
    use crate::service::operation::LIST_ORDERS;

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
