//! What an artwork has to be: an image or a document, not an empty file or a web page, of the pixels that the print
//! area asks for. Pure: `preflight` fetches, this judges.

mod fit;
pub mod kind;

use crate::catalog::{Detail, PrintArea, Snapshot};
use crate::finding::{Code, Finding};
use crate::order::Artwork;

pub use fit::Unit;
pub use kind::{Image, Kind, sharing_page};

/// What came of fetching an artwork.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// It came whole.
    File {
        /// What it is, by its content.
        kind: Kind,
        /// Its SHA-256.
        hash: String,
    },
    /// It is larger than may be fetched.
    TooLarge {
        /// The limit in bytes. Config: `preflight.max_bytes`.
        limit: u64,
    },
    /// It did not come; why, for a person.
    Unreachable(String),
}

/// What is wrong with an artwork, and what is worth knowing of it. `before` is the hash of what its URL gave the last
/// time, where that is known.
pub fn judge(
    artwork: &Artwork,
    (found, before): (&Found, Option<&str>),
    catalog: &Snapshot,
    unit: Option<Unit>,
) -> Vec<Finding> {
    let finding = |code, message: String, hint: &str| Finding {
        code,
        row: artwork.row,
        column: artwork.column,
        message,
        hint: hint.to_owned(),
    };
    let (kind, hash) = match found {
        Found::File { kind, hash } => (kind, hash),
        Found::TooLarge { limit } => {
            let message = format!("The artwork of {} is larger than {limit} bytes.", artwork.name);
            let hint = "Save it smaller, or let the operator raise preflight.max_bytes.";
            return vec![finding(Code::ArtworkTooLarge, message, hint)];
        }
        Found::Unreachable(why) => {
            let message = format!("The artwork of {} cannot be fetched: {why}.", artwork.name);
            let hint =
                "Open the link in a private browser window: it has to show the file itself, without a login.";
            return vec![finding(Code::ArtworkUnreachable, message, hint)];
        }
    };
    let mut findings = Vec::new();
    match kind {
        Kind::Image(Image { width, height, .. }) => {
            let areas = areas(artwork, catalog.detail(&artwork.sku));
            if let Some((code, message)) = fit::judge((*width, *height), &areas, unit) {
                let message = format!("{}: {message}", artwork.name);
                findings.push(finding(code, message, fit::hint(code)));
            }
        }
        Kind::Document => {}
        Kind::Empty => {
            let message = format!("The artwork of {} is an empty file.", artwork.name);
            findings.push(finding(Code::ArtworkNotImage, message, "Upload it again."));
        }
        Kind::Page => {
            let (message, hint) = page(artwork);
            findings.push(finding(Code::ArtworkNotImage, message, hint));
        }
        Kind::Other => {
            let message = format!(
                "The artwork of {} is no PNG, JPEG, TIFF, WebP or PDF file, whatever it is called.",
                artwork.name
            );
            findings.push(finding(
                Code::ArtworkNotImage,
                message,
                "Export it as PNG and upload that.",
            ));
        }
    }
    if before.is_some_and(|before| before != hash) {
        let message = format!(
            "The link of {} gives another file than it gave before.",
            artwork.name
        );
        let hint = "If that is meant, there is nothing to do; else use a link of its own for each file.";
        findings.push(finding(Code::ArtworkChanged, message, hint));
    }
    findings
}

/// The words for a web page: where its host is known to show files on pages, with its own way to the file itself.
fn page(artwork: &Artwork) -> (String, &'static str) {
    match sharing_page(&artwork.url) {
        Some((service, hint)) => (
            format!(
                "The link of {} leads to a page of {service}, not to the file.",
                artwork.name
            ),
            hint,
        ),
        None => (
            format!(
                "The link of {} leads to a web page, not to the file.",
                artwork.name
            ),
            "Use the address of the file itself: opened in a browser, it shows the picture and nothing else.",
        ),
    }
}

/// The print areas that an artwork may have to fill: of the named location, else of every one that makes the SKU.
fn areas<'a>(artwork: &Artwork, detail: Option<&'a Detail>) -> Vec<&'a PrintArea> {
    let locations = detail.map_or(&[][..], |detail| detail.locations.as_slice());
    let named = |name: &str| artwork.location.is_empty() || name.eq_ignore_ascii_case(&artwork.location);
    locations
        .iter()
        .filter(|location| named(&location.name))
        .flat_map(|location| &location.print_areas)
        .filter(|area| area.key.eq_ignore_ascii_case(artwork.area()))
        .collect()
}

#[cfg(test)]
mod tests;
