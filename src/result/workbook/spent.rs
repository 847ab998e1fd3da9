//! What a workbook is written to. The library's archive is finished in its `drop` too, after a write has failed, and what
//! fails there is printed on standard error, in a line that is none of the log's.

use std::io::{self, ErrorKind, Seek, SeekFrom, Write};

/// Writes until writing has failed, which is told; from then on everything is taken, and nothing is kept.
#[derive(Debug)]
pub(super) struct Spent<W> {
    to: W,
    has_failed: bool,
    /// Where it writes, or would.
    at: u64,
}

impl<W> Spent<W> {
    /// At the beginning of an empty file.
    pub(super) fn new(to: W) -> Self {
        Self {
            to,
            has_failed: false,
            at: 0,
        }
    }

    fn noted<T>(&mut self, done: io::Result<T>) -> io::Result<T> {
        self.has_failed = done
            .as_ref()
            .is_err_and(|error| error.kind() != ErrorKind::Interrupted);
        done
    }
}

impl<W: Write> Write for Spent<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let taken = if self.has_failed {
            bytes.len()
        } else {
            let written = self.to.write(bytes);
            self.noted(written)?
        };
        self.at = self.at.saturating_add(u64::try_from(taken).unwrap_or(u64::MAX));
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.has_failed {
            return Ok(());
        }
        let flushed = self.to.flush();
        self.noted(flushed)
    }
}

impl<W: Seek> Seek for Spent<W> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.at = if self.has_failed {
            match to {
                SeekFrom::Start(at) => at,
                SeekFrom::Current(by) | SeekFrom::End(by) => self.at.saturating_add_signed(by),
            }
        } else {
            let sought = self.to.seek(to);
            self.noted(sought)?
        };
        Ok(self.at)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use rust_xlsxwriter::Workbook;

    use super::*;

    /// A disk that is full after so many bytes, and counts how often it was asked for more.
    struct Disk {
        file: Cursor<Vec<u8>>,
        room: usize,
        refused: u32,
    }

    impl Write for &mut Disk {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            if self.file.get_ref().len() + bytes.len() > self.room {
                self.refused += 1;
                return Err(ErrorKind::StorageFull.into());
            }
            self.file.write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl Seek for &mut Disk {
        fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
            self.file.seek(to)
        }
    }

    fn save(room: usize) -> (bool, Disk) {
        let mut workbook = Workbook::new();
        workbook.add_worksheet().write(0, 0, "order_id").unwrap();
        let file = Cursor::new(Vec::new());
        let mut disk = Disk {
            file,
            room,
            refused: 0,
        };
        let saved = workbook.save_to_writer(Spent::new(&mut disk)).is_ok();
        (saved, disk)
    }

    #[test]
    fn a_disk_that_is_full_is_told_once_and_asked_no_more() {
        let (saved, whole) = save(usize::MAX);
        assert!(saved && whole.refused == 0);
        let length = whole.file.into_inner().len();
        for room in (0..length).step_by(97) {
            let (saved, disk) = save(room);
            assert_eq!((saved, disk.refused), (false, 1), "{room} of {length} bytes");
        }
    }
}
