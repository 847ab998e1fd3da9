//! Whether a text that may still be arriving ends amid a row.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::sync::Arc;

use super::Row;
use super::dialect::Dialect;
use super::encoding::{Decoder, Encoding};
use super::records::DelimitedRows;
use super::reject::unreadable;
use super::source::Source;
use crate::finding::Rejection;

/// Whether the last row of a text has no end and fewer cells than any other: of a copy that has stalled the rest of it may
/// come. A footer may look like that too.
///
/// # Errors
/// The text cannot be read as rows.
pub(super) fn is_cut(file: &Arc<File>, (encoding, dialect): (Encoding, Dialect)) -> Result<bool, Rejection> {
    // Nearly every program ends the last line: a file is not read for this.
    if ends_with_a_line(file).map_err(|error| unreadable(&error))? {
        return Ok(false);
    }
    let mut rows = DelimitedRows::new(Decoder::new(Source::new(file), encoding), dialect)?;
    let (mut row, mut last, mut before, mut fewest) = (Row::default(), None, None, usize::MAX);
    while rows.next(&mut row)? {
        if row.is_empty() {
            continue;
        }
        if let Some((cells, _)) = last {
            fewest = fewest.min(cells);
        }
        before = last;
        last = Some((row.len(), row.text(0).chars().next()));
    }
    let (Some((cells, first)), Some((_, above))) = (last, before) else {
        return Ok(false);
    };
    // A lone text may be a footer; what begins as the id above it does is an id. Where another row is as short, rows are.
    let may_be_a_row = cells > 1 || first == above;
    Ok(may_be_a_row && cells < fewest)
}

/// Whether the last character is the end of a line, of one byte or of two.
fn ends_with_a_line(file: &File) -> io::Result<bool> {
    let mut last = [0_u8; 2];
    let length = file.metadata()?.len();
    let start = length.saturating_sub(2);
    let read = file.read_at(&mut last, start)?;
    let last = last.get(..read).unwrap_or_default();
    Ok(match last {
        [b'\n' | b'\r', 0] | [.., b'\n' | b'\r'] => true,
        _ => length == 0,
    })
}
