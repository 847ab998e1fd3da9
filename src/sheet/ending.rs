//! Whether a text that may still be arriving ends amid a row.

use std::fs::File;
use std::io::{self, Read};
use std::os::unix::fs::FileExt;
use std::sync::Arc;

use super::encoding::{Decoder, Encoding};
use super::source::Source;

/// Whether the last row of a text has no end and fewer cells than the one before it: of a copy that has stalled the rest of
/// it may come. A footer may look like that too.
pub(super) fn is_cut(file: &Arc<File>, (encoding, delimiter): (Encoding, u8)) -> io::Result<bool> {
    // Nearly every program ends the last line: a file is not read for this.
    if ends_with_a_line(file)? {
        return Ok(false);
    }
    let mut text = Decoder::new(Source::new(file), encoding);
    let mut scan = RowScan::default();
    let mut buffer = vec![0_u8; 64 * 1024];
    loop {
        let read = text.read(&mut buffer)?;
        if read == 0 {
            return Ok(scan.ends_cut());
        }
        for byte in buffer.get(..read).unwrap_or_default() {
            scan.feed(*byte, delimiter);
        }
    }
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

/// The row that is being passed, and what is known of those before it.
#[derive(Debug, Default)]
struct RowScan {
    row: Row,
    /// The two before it, the nearer one first.
    before: [Option<Row>; 2],
    /// The fewest separators of any row but the nearest one.
    fewest: Option<u64>,
    place: Place,
}

#[derive(Clone, Copy, Debug, Default)]
struct Row {
    separators: u64,
    /// The first character but for quotation marks.
    first: Option<u8>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Place {
    #[default]
    CellStart,
    Plain,
    Quoted,
    /// After a quotation mark inside a quoted cell.
    Closing,
}

impl Row {
    fn is_blank(self) -> bool {
        self.separators == 0 && self.first.is_none()
    }
}

impl RowScan {
    fn feed(&mut self, byte: u8, delimiter: u8) {
        self.place = match (self.place, byte) {
            (Place::CellStart | Place::Closing, b'"') => Place::Quoted,
            (Place::Quoted, b'"') => Place::Closing,
            (Place::Quoted, _) => {
                self.row.first = self.row.first.or(Some(byte));
                Place::Quoted
            }
            (_, b'\n' | b'\r') => {
                self.end_row();
                Place::CellStart
            }
            _ if byte == delimiter => {
                self.row.separators = self.row.separators.saturating_add(1);
                Place::CellStart
            }
            _ => {
                self.row.first = self.row.first.or(Some(byte));
                Place::Plain
            }
        };
    }

    fn end_row(&mut self) {
        if self.row.is_blank() {
            return;
        }
        if let Some(before) = self.before[0] {
            let fewest = self
                .fewest
                .map_or(before.separators, |fewest| fewest.min(before.separators));
            self.fewest = Some(fewest);
        }
        self.before = [Some(std::mem::take(&mut self.row)), self.before[0]];
    }

    fn ends_cut(mut self) -> bool {
        // The decoder ends the last line where the file does not.
        self.end_row();
        let ([Some(last), Some(before)], Some(fewest)) = (self.before, self.fewest) else {
            return false;
        };
        // A lone text may be a footer; what begins as the id above it does is an id.
        let may_be_a_row = last.separators > 0 || last.first == before.first;
        // Where another row is as short, rows are.
        may_be_a_row && last.separators < fewest
    }
}
