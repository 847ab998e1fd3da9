//! Whether a workbook of dropsheet's own is as dropsheet wrote it, by the workbook alone: another program that saves it
//! writes another archive, and its own name or moment into the properties.

use std::io::{self, Cursor, Read};
use std::path::Path;

use zip::{DateTime, ZipArchive};

use crate::files;

/// The most bytes of a workbook's properties; ours have some hundreds.
const PROPERTIES: u64 = 16 << 10;

/// Bytes of what ends an archive that nothing follows.
const END: usize = 22;

/// Whether the file is a workbook with this title that dropsheet has written and no other program has saved since.
///
/// # Errors
/// It cannot be read.
pub fn is_unsaved(path: &Path, title: &str) -> io::Result<bool> {
    let bytes = files::read_regular(path)?;
    let end = bytes.len().checked_sub(END).and_then(|at| bytes.get(at..));
    if !end.is_some_and(|end| end.starts_with(b"PK\x05\x06")) {
        return Ok(false);
    }
    let Ok(mut archive) = ZipArchive::new(Cursor::new(bytes)) else {
        return Ok(false);
    };
    // Ours have no time, where others have that of the saving, or none at all.
    for index in 0..archive.len() {
        let has_ours = archive
            .by_index_raw(index)
            .is_ok_and(|entry| entry.last_modified() == Some(DateTime::default()));
        if !has_ours {
            return Ok(false);
        }
    }
    let mut text = String::new();
    let Ok(entry) = archive.by_name("docProps/core.xml") else {
        return Ok(false);
    };
    let is_read = entry.take(PROPERTIES).read_to_string(&mut text).is_ok();
    Ok(is_read && are_ours(&text, title))
}

fn are_ours(properties: &str, title: &str) -> bool {
    let one = |tag: &str| {
        let (_before, after) = properties.split_once(&format!("<{tag}"))?;
        let (_attributes, after) = after.split_once('>')?;
        Some(after.split_once(&format!("</{tag}>"))?.0)
    };
    one("dc:title") == Some(title)
        && one("dc:creator") == Some("dropsheet")
        && one("cp:lastModifiedBy") == Some("dropsheet")
        && one("dcterms:created").is_some_and(|created| one("dcterms:modified") == Some(created))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn properties_that_another_program_has_written_are_not_ours() {
        let with = |by: &str, modified: &str| {
            format!(
                "<dc:title>Catalog</dc:title><dc:creator>dropsheet</dc:creator>\
                 <cp:lastModifiedBy>{by}</cp:lastModifiedBy><dcterms:created xsi:type=\"t\">1</dcterms:created>\
                 <dcterms:modified xsi:type=\"t\">{modified}</dcterms:modified>"
            )
        };
        assert!(are_ours(&with("dropsheet", "1"), "Catalog"));
        assert!(!are_ours(&with("dropsheet", "1"), "Order sheet"));
        assert!(!are_ours(&with("Anna", "1"), "Catalog"));
        assert!(!are_ours(&with("dropsheet", "2"), "Catalog"));
        assert!(!are_ours("", "Catalog"));
    }
}
