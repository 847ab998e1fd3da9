//! What the reader of a workbook and the one who asked it say to each other, over a socket: whole frames, each with its
//! length, and short answers.
//!
//! The reader offers the first rows of one visible sheet after the other, and after each waits for an [`Answer`]; of
//! the sheet that is wanted it then gives every row, and after it the first rows of those that come behind it.

use std::io::{self, Read, Write};

use super::super::Row;
use super::super::unpacked::{decode, encode};
use crate::finding::Rejection;

/// Bytes of a frame: a row's text (see `cells.rs`) and what stands between its cells.
const MAX_FRAME: usize = 8 * 1024 * 1024;

/// What the reader says.
#[derive(Debug)]
pub(super) enum Said {
    /// The rows that follow are of the sheet with this name.
    Sheet(String),
    /// A row; it is in the row that was handed in.
    Row,
    /// The rows of this offer are over.
    End,
    /// There is no further sheet.
    NoMore,
    /// The workbook cannot be read.
    Rejected(Rejection),
}

/// What is answered to the first rows of a sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// Offer the next sheet.
    Next,
    /// Give this sheet's rows: where its header is, and how many columns it has.
    Take { header: u32, width: u32 },
}

const SHEET: u8 = b'S';
const ROW: u8 = b'R';
const END: u8 = b'E';
const NO_MORE: u8 = b'N';
const REJECTED: u8 = b'X';

/// Writes frames.
pub(super) struct Speaker<W> {
    to: W,
    bytes: Vec<u8>,
}

impl<W: Write> Speaker<W> {
    pub(super) fn new(to: W) -> Self {
        Self {
            to,
            bytes: Vec::new(),
        }
    }

    pub(super) fn sheet(&mut self, name: &str) -> io::Result<()> {
        self.bytes.clear();
        self.bytes.extend_from_slice(name.as_bytes());
        self.frame(SHEET)
    }

    pub(super) fn row(&mut self, row: &Row) -> io::Result<()> {
        self.bytes.clear();
        encode(row, &mut self.bytes)?;
        self.frame(ROW)
    }

    pub(super) fn end(&mut self) -> io::Result<()> {
        self.bytes.clear();
        self.frame(END)?;
        self.to.flush()
    }

    pub(super) fn no_more(&mut self) -> io::Result<()> {
        self.bytes.clear();
        self.frame(NO_MORE)?;
        self.to.flush()
    }

    pub(super) fn rejected(&mut self, why: &Rejection) -> io::Result<()> {
        self.bytes = serde_json::to_vec(why)?;
        self.frame(REJECTED)?;
        self.to.flush()
    }

    fn frame(&mut self, tag: u8) -> io::Result<()> {
        let length = u32::try_from(self.bytes.len()).map_err(io::Error::other)?;
        self.to.write_all(&[tag])?;
        self.to.write_all(&length.to_le_bytes())?;
        self.to.write_all(&self.bytes)
    }
}

/// Reads frames. Whatever is not one is an error: the reader may be in the hands of the workbook.
pub(super) struct Listener<R> {
    from: R,
    bytes: Vec<u8>,
}

impl<R: Read> Listener<R> {
    pub(super) fn new(from: R) -> Self {
        Self {
            from,
            bytes: Vec::new(),
        }
    }

    /// The next frame; a row is put into `row`.
    pub(super) fn next(&mut self, row: &mut Row) -> io::Result<Said> {
        let (mut tag, mut length) = ([0_u8; 1], [0_u8; 4]);
        self.from.read_exact(&mut tag)?;
        self.from.read_exact(&mut length)?;
        let length = usize::try_from(u32::from_le_bytes(length)).map_err(io::Error::other)?;
        if length > MAX_FRAME {
            return Err(io::ErrorKind::InvalidData.into());
        }
        self.bytes.resize(length, 0);
        self.from.read_exact(&mut self.bytes)?;
        match tag {
            [SHEET] => String::from_utf8(std::mem::take(&mut self.bytes))
                .map(Said::Sheet)
                .map_err(|_other| io::ErrorKind::InvalidData.into()),
            [ROW] => decode(&self.bytes, row)
                .map(|()| Said::Row)
                .ok_or_else(|| io::ErrorKind::InvalidData.into()),
            [END] => Ok(Said::End),
            [NO_MORE] => Ok(Said::NoMore),
            [REJECTED] => Ok(Said::Rejected(serde_json::from_slice(&self.bytes)?)),
            _ => Err(io::ErrorKind::InvalidData.into()),
        }
    }
}

impl Answer {
    pub(super) fn write(self, mut to: impl Write) -> io::Result<()> {
        let (header, width) = match self {
            Self::Next => (0, 0),
            Self::Take { header, width } => (header, width),
        };
        to.write_all(&header.to_le_bytes())?;
        to.write_all(&width.to_le_bytes())
    }

    pub(super) fn read(mut from: impl Read) -> io::Result<Self> {
        let (mut header, mut width) = ([0_u8; 4], [0_u8; 4]);
        from.read_exact(&mut header)?;
        from.read_exact(&mut width)?;
        Ok(match u32::from_le_bytes(header) {
            0 => Self::Next,
            header => Self::Take {
                header,
                width: u32::from_le_bytes(width),
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Code;
    use crate::sheet::CellKind;

    #[test]
    fn what_is_said_is_heard() {
        let mut row = Row::default();
        row.start(7);
        row.push("é", CellKind::Text);
        row.push("", CellKind::NoValue);
        let why = Rejection {
            code: Code::BrokenSheet,
            message: "a".to_owned(),
            hint: "b".to_owned(),
        };
        let mut bytes = Vec::new();
        let mut speaker = Speaker::new(&mut bytes);
        speaker.sheet("Juni – Mon").unwrap();
        speaker.row(&row).unwrap();
        speaker.end().unwrap();
        speaker.no_more().unwrap();
        speaker.rejected(&why).unwrap();
        let mut listener = Listener::new(bytes.as_slice());
        let mut heard = Row::default();
        let Said::Sheet(name) = listener.next(&mut heard).unwrap() else {
            panic!("a sheet was said");
        };
        assert_eq!(name, "Juni – Mon");
        assert!(matches!(listener.next(&mut heard).unwrap(), Said::Row));
        assert_eq!(
            (heard.number(), heard.text(0), heard.kind(1)),
            (7, "é", CellKind::NoValue)
        );
        assert!(matches!(listener.next(&mut heard).unwrap(), Said::End));
        assert!(matches!(listener.next(&mut heard).unwrap(), Said::NoMore));
        let Said::Rejected(told) = listener.next(&mut heard).unwrap() else {
            panic!("a rejection was said");
        };
        assert_eq!(told, why);
        assert!(listener.next(&mut heard).is_err(), "nothing more was said");
    }

    #[test]
    fn an_answer_is_understood() {
        for answer in [Answer::Next, Answer::Take { header: 3, width: 25 }] {
            let mut bytes = Vec::new();
            answer.write(&mut bytes).unwrap();
            assert_eq!(Answer::read(bytes.as_slice()).unwrap(), answer);
        }
    }

    #[test]
    fn what_is_no_frame_is_an_error() {
        for bytes in [
            &b""[..],
            b"R",
            b"R\x01\0\0\0",
            b"R\x01\0\0\0\0",
            b"R\xff\xff\xff\xff",
            b"X\x01\0\0\0{",
            b"S\x01\0\0\0\xff",
            b"Q\0\0\0\0",
        ] {
            let mut row = Row::default();
            assert!(Listener::new(bytes).next(&mut row).is_err(), "{bytes:?}");
        }
    }
}
