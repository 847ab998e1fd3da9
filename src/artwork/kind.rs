//! What a file is, by its first bytes and never by its name.

use std::io::{BufRead, Seek};

use imagesize::ImageType;

/// What a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// PNG, JPEG, TIFF or WebP.
    Image(Image),
    /// PDF: it has no pixels of its own.
    Document,
    /// No bytes at all, or an image without pixels.
    Empty,
    /// A web page.
    Page,
    /// Anything else, and an image that is cut before its size.
    Other,
}

/// An image's size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Image {
    /// In pixels.
    pub width: u64,
    /// In pixels.
    pub height: u64,
}

/// How many bytes may stand before what tells a document or a page: both allow for a preamble.
const PREAMBLE: usize = 1024;

/// Tells what a file is.
///
/// # Errors
/// It cannot be read.
pub fn of(mut file: impl BufRead + Seek) -> std::io::Result<Kind> {
    let head = file.fill_buf()?;
    if head.is_empty() {
        return Ok(Kind::Empty);
    }
    let start = head.get(..PREAMBLE.min(head.len())).unwrap_or(head);
    if start.windows(5).any(|bytes| bytes == b"%PDF-") {
        return Ok(Kind::Document);
    }
    if is_page(start) {
        return Ok(Kind::Page);
    }
    let Ok(found) = imagesize::image_type(start) else {
        return Ok(Kind::Other);
    };
    if !matches!(
        found,
        ImageType::Png | ImageType::Jpeg | ImageType::Tiff | ImageType::Webp
    ) {
        return Ok(Kind::Other);
    }
    Ok(match imagesize::reader_size(file) {
        Ok(size) if size.width == 0 || size.height == 0 => Kind::Empty,
        Ok(size) => match (u64::try_from(size.width), u64::try_from(size.height)) {
            (Ok(width), Ok(height)) => Kind::Image(Image { width, height }),
            (Err(_too_wide), _) | (_, Err(_too_wide)) => Kind::Other,
        },
        Err(imagesize::ImageError::IoError(error)) if error.kind() != std::io::ErrorKind::UnexpectedEof => {
            return Err(error);
        }
        Err(_cut) => Kind::Other,
    })
}

fn is_page(start: &[u8]) -> bool {
    let text = String::from_utf8_lossy(start).to_ascii_lowercase();
    let text = text.trim_start_matches('\u{feff}').trim_start();
    ["<!doctype html", "<html", "<head", "<script", "<!--"]
        .iter()
        .any(|begin| text.starts_with(begin))
        || (text.starts_with("<?xml") && text.contains("<html"))
}

/// Hosts that show a file on a page of their own, their name, and how to get at the file itself.
const SHARING: &[(&str, &str, &str)] = &[
    (
        "drive.google.com",
        "Google Drive",
        "Share it with everybody and write https://drive.google.com/uc?export=download&id=… with the file's id.",
    ),
    (
        "docs.google.com",
        "Google Docs",
        "Export it as PNG or PDF and share that.",
    ),
    (
        "photos.app.goo.gl",
        "Google Photos",
        "Upload the file to a place that gives a direct link.",
    ),
    (
        "photos.google.com",
        "Google Photos",
        "Upload the file to a place that gives a direct link.",
    ),
    (
        "dropbox.com",
        "Dropbox",
        "Write dl=1 instead of dl=0 at the link's end.",
    ),
    (
        "1drv.ms",
        "OneDrive",
        "Use OneDrive's download link, or embed link with `download` in it.",
    ),
    (
        "onedrive.live.com",
        "OneDrive",
        "Use OneDrive's download link, or embed link with `download` in it.",
    ),
    ("sharepoint.com", "SharePoint", "Add download=1 to the link."),
    (
        "wetransfer.com",
        "WeTransfer",
        "Its links expire: upload the file to a place that gives a direct link.",
    ),
    (
        "we.tl",
        "WeTransfer",
        "Its links expire: upload the file to a place that gives a direct link.",
    ),
    (
        "icloud.com",
        "iCloud",
        "Upload the file to a place that gives a direct link.",
    ),
    (
        "box.com",
        "Box",
        "Use Box's direct link, which ends in the file's name.",
    ),
    (
        "canva.com",
        "Canva",
        "Download the design as PNG or PDF and upload that.",
    ),
    (
        "imgur.com",
        "Imgur",
        "Use the image's own address, which begins with https://i.imgur.com/.",
    ),
];

/// The service whose pages a URL leads to, and how to get at the file itself; none where the host is not known.
pub fn sharing_page(url: &str) -> Option<(&'static str, &'static str)> {
    let host = reqwest::Url::parse(url).ok()?.host_str()?.to_ascii_lowercase();
    SHARING
        .iter()
        .find(|(known, _, _)| host == *known || host.ends_with(&format!(".{known}")))
        .map(|(_, service, hint)| (*service, *hint))
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    /// The first bytes of a PNG: its signature and its header with width and height.
    fn png(width: u32, height: u32) -> Vec<u8> {
        let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR".to_vec();
        bytes.extend(width.to_be_bytes());
        bytes.extend(height.to_be_bytes());
        bytes.extend([8, 6, 0, 0, 0, 0, 0, 0, 0]);
        bytes
    }

    #[test]
    fn content_tells_what_a_file_is() {
        let image = Kind::Image(Image {
            width: 3600,
            height: 4800,
        });
        for (bytes, expected) in [
            (png(3600, 4800), image),
            (png(0, 0), Kind::Empty),
            (png(3600, 4800)[..12].to_vec(), Kind::Other),
            (Vec::new(), Kind::Empty),
            (b"%PDF-1.7 ...".to_vec(), Kind::Document),
            (b"\n <!DOCTYPE html><html>".to_vec(), Kind::Page),
            ("\u{feff}<html>".as_bytes().to_vec(), Kind::Page),
            (b"GIF89a\x01\0\x01\0".to_vec(), Kind::Other),
            (b"hello".to_vec(), Kind::Other),
        ] {
            assert_eq!(of(Cursor::new(&bytes)).unwrap(), expected, "{bytes:?}");
        }
    }

    #[test]
    fn a_sharing_page_is_named_by_its_host_and_no_host_by_its_end_alone() {
        let named = |url| sharing_page(url).map(|(service, _)| service);
        assert_eq!(
            named("https://www.dropbox.com/s/abc/front.png?dl=0"),
            Some("Dropbox")
        );
        assert_eq!(named("https://shop.sharepoint.com/x"), Some("SharePoint"));
        assert_eq!(named("https://notdropbox.com/x"), None);
        assert_eq!(named("https://cdn.example.com/x.png"), None);
    }
}
