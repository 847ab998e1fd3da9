//! Whether a single value can be sent, wherever it stands: in an order's row, in the SKU map, or in a sheet that is to be
//! taken into it.

use crate::catalog::{Entry, Snapshot};
use crate::finding::Code;
use crate::order::{Field, quoted};

/// What is wrong with a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Wrong {
    /// Its code.
    pub(crate) code: Code,
    /// The same as a sentence.
    pub(crate) message: String,
    /// How it is fixed.
    pub(crate) hint: String,
}

/// What is wrong with what the SKU map, or a sheet for it, says of a field of a product; blank is right.
pub(crate) fn of_product(
    catalog: &Snapshot,
    entry: Option<&Entry>,
    field: Field,
    text: &str,
) -> Option<Wrong> {
    if text.is_empty() {
        return None;
    }
    let is_url = field == Field::MockupUrl || Field::ARTWORK.contains(&field);
    let wrong = if is_url {
        url(field, text)
    } else if field == Field::MadeInLocation {
        entry.and_then(|entry| location(catalog, entry, text))
    } else {
        None
    };
    wrong.or_else(|| length(field, text))
}

/// What is wrong with a web address.
pub(super) fn url(field: Field, text: &str) -> Option<Wrong> {
    if is_web_address(text) {
        return None;
    }
    let hint = if text.matches("://").count() > 1 {
        "Write one address into each cell: artwork_front, artwork_back, artwork_2 and so on."
    } else if text.contains(' ') && text.contains("://") {
        "A web address has no spaces: write %20 for each."
    } else if field == Field::ArtworkFront {
        "Upload the file, and write the address that begins with https:// and opens it without a password."
    } else {
        "Upload the file, and write the address that begins with https:// and opens it without a password; or leave the \
         cell blank."
    };
    Some(Wrong {
        code: Code::BadUrl,
        message: format!("{} {} is no web address.", field.name(), quoted(text)),
        hint: hint.to_owned(),
    })
}

/// What is wrong with the location that is to make a SKU; nothing where the catalog names none.
pub(super) fn location(catalog: &Snapshot, entry: &Entry, text: &str) -> Option<Wrong> {
    let detail = catalog.detail(&entry.sku)?;
    let locations: Vec<&str> = detail.location_names().collect();
    if locations.is_empty() || locations.iter().any(|name| same(name, text)) {
        return None;
    }
    Some(Wrong {
        code: Code::UnknownLocation,
        message: format!("{} is not made in {}.", quoted(&detail.sku), quoted(text)),
        hint: format!(
            "It is made in {}; leave the cell blank to let the service choose, or rename the column if it means something else.",
            locations.join(", ")
        ),
    })
}

/// What is wrong with the length of a value.
pub(super) fn length(field: Field, text: &str) -> Option<Wrong> {
    let most = field.column().max_chars;
    // A character has a byte at least.
    if text.len() <= most {
        return None;
    }
    let chars = text.chars().count();
    let at_least = at_least(field, text);
    (chars > most).then(|| Wrong {
        code: Code::TooLong,
        message: format!(
            "{} has {at_least}{chars} characters; {most} are allowed: {}.",
            field.name(),
            quoted(text)
        ),
        hint: "Shorten it.".to_owned(),
    })
}

/// What is said before the length of a text of which no more was held than a text may have.
pub(super) fn at_least(field: Field, text: &str) -> &'static str {
    let is_whole = text.len() + 3 < field.column().most_bytes();
    if is_whole { "" } else { "at least " }
}

pub(super) fn same(name: &str, text: &str) -> bool {
    name.to_lowercase() == text.to_lowercase()
}

/// Whether another address follows behind a mark, or directly: `a.png;https://b.png`; or a mark ends it, behind which another
/// one was to follow. One within an address is a part of it.
fn is_list(rest: &str) -> bool {
    const MARKS: [char; 3] = [';', ',', '|'];
    let rest = rest.to_ascii_lowercase();
    let follows = |(at, _): (usize, &str)| {
        let before = rest.get(..at).unwrap_or_default();
        // `%3D` is an equals sign.
        let is_encoded = before
            .as_bytes()
            .rchunks(3)
            .next()
            .is_some_and(|last| last.starts_with(b"%"));
        before.ends_with(MARKS) || (before.ends_with(|c: char| c.is_ascii_alphanumeric()) && !is_encoded)
    };
    let schemes = ["http://", "https://"];
    rest.ends_with(MARKS)
        || schemes
            .iter()
            .any(|scheme| rest.match_indices(scheme).any(follows))
}

/// `http://` or `https://`, a host, and no white space anywhere.
fn is_web_address(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once("://") else {
        return false;
    };
    let authority = rest.split(['/', '?', '#']).next().unwrap_or(rest);
    let host = authority.rsplit('@').next().unwrap_or(authority);
    let fits = |c: char| c.is_alphanumeric() || "-._:[]%".contains(c);
    ["http", "https"]
        .iter()
        .any(|known| scheme.eq_ignore_ascii_case(known))
        && host.starts_with(|c: char| c.is_alphanumeric() || c == '[')
        && host.chars().all(fits)
        && !text.contains(|c: char| c.is_whitespace() || c.is_control() || "\"<>\\".contains(c))
        && !is_list(rest)
}
