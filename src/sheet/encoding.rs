//! The bytes of a text file as UTF-8 with plain line feeds, a chunk at a time.
//!
//! The encoding is found from the whole content once: a byte order mark, the NULs of UTF-16, well-formed UTF-8, else
//! Windows-1252. What decodes to no character becomes U+FFFD and stays, so that a check can report the cell.

use std::io::{self, Read};

use encoding_rs::{CoderResult, UTF_8, UTF_16BE, UTF_16LE};
use memchr::{memchr, memchr2};

use super::source::{Source, read_full};
use super::spaced;

/// How many bytes are read and decoded at once.
const CHUNK: usize = 64 * 1024;
/// How many bytes at the start are looked at for the NULs of UTF-16.
const SAMPLE: usize = 4096;

/// How a text file's bytes stand for characters, and where the text begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    /// UTF-8, every byte of it well-formed.
    Utf8 { bom: bool },
    /// UTF-8 with damaged places.
    DamagedUtf8,
    /// UTF-16, low byte first.
    Utf16Le,
    /// UTF-16, high byte first.
    Utf16Be,
    /// Windows-1252.
    Windows1252,
}

/// What was found of a whole file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Detected {
    pub(super) encoding: Encoding,
    /// Whether a quotation mark may stand in it: in every encoding that is read, it has its byte.
    pub(super) may_quote: bool,
    /// Whether one may do so behind a space.
    pub(super) may_be_spaced: bool,
}

/// Finds the encoding of a whole file; none where the content is not text.
pub(super) fn detect(mut source: Source) -> io::Result<Option<Detected>> {
    let mut buffer = vec![0_u8; CHUNK];
    let sample = read_full(&mut source, buffer.get_mut(..SAMPLE).unwrap_or_default())?;
    let mut filled = sample;
    let start = buffer.get(..sample).unwrap_or_default();
    if let Some(encoding) = utf16(start) {
        return Ok(Some(Detected {
            encoding,
            may_quote: true,
            may_be_spaced: true,
        }));
    }
    let (mut may_quote, mut may_be_spaced) = (false, false);
    let bom = start.starts_with(b"\xEF\xBB\xBF");
    let mut counts = Counts::default();
    loop {
        let chunk = buffer.get(..filled).unwrap_or_default();
        match memchr2(0, b'"', chunk).and_then(|at| chunk.get(at..)) {
            None => {}
            Some(found) if memchr(0, found).is_some() => return Ok(None),
            Some(_quoted) => {
                may_quote = true;
                may_be_spaced = may_be_spaced || spaced::may_be_in(chunk);
            }
        }
        let kept = counts.count(chunk);
        let from = filled.saturating_sub(kept);
        buffer.copy_within(from..filled, 0);
        let read = read_full(&mut source, buffer.get_mut(kept..).unwrap_or_default())?;
        if read == 0 {
            // A character that the file's end cuts is damaged too.
            counts.bad = counts.bad.saturating_add(u64::from(kept > 0));
            let encoding = counts.verdict(bom);
            return Ok(Some(Detected {
                encoding,
                may_quote,
                may_be_spaced,
            }));
        }
        filled = kept.saturating_add(read);
    }
}

/// UTF-16 by its byte order mark, or by NULs on one side of the pairs only, as every header in Latin letters has.
fn utf16(start: &[u8]) -> Option<Encoding> {
    if start.starts_with(b"\xFF\xFE") {
        return Some(Encoding::Utf16Le);
    }
    if start.starts_with(b"\xFE\xFF") {
        return Some(Encoding::Utf16Be);
    }
    let (pairs, _odd_one) = start.as_chunks::<2>();
    let high = pairs.iter().filter(|[first, _]| *first == 0).count();
    let low = pairs.iter().filter(|[_, second]| *second == 0).count();
    let enough = pairs.len().div_ceil(4);
    match (high, low) {
        (0, low) if low > 0 && low >= enough => Some(Encoding::Utf16Le),
        (high, 0) if high > 0 && high >= enough => Some(Encoding::Utf16Be),
        _ => None,
    }
}

/// How many characters beyond ASCII were well-formed, and how many places were not.
#[derive(Default)]
struct Counts {
    good: u64,
    bad: u64,
}

impl Counts {
    /// Counts a chunk and gives how many bytes at its end are the start of an unfinished character.
    fn count(&mut self, mut chunk: &[u8]) -> usize {
        if chunk.is_ascii() {
            return 0;
        }
        loop {
            let (text, rest) = match std::str::from_utf8(chunk) {
                Ok(text) => (text, None),
                Err(error) => {
                    let (text, rest) = chunk.split_at(error.valid_up_to());
                    let text = std::str::from_utf8(text).unwrap_or_default();
                    (text, Some((rest, error.error_len())))
                }
            };
            // Their number only matters where something is wrong, and is bounded by the bytes.
            if !text.is_ascii() {
                let beyond = text.chars().filter(|c| !c.is_ascii()).count();
                self.good = self
                    .good
                    .saturating_add(u64::try_from(beyond).unwrap_or(u64::MAX));
            }
            match rest {
                None => return 0,
                Some((rest, None)) => return rest.len(),
                Some((rest, Some(bad))) => {
                    self.bad = self.bad.saturating_add(1);
                    chunk = rest.get(bad..).unwrap_or_default();
                }
            }
        }
    }

    /// Text in another encoding is hardly ever well-formed UTF-8 by chance, so a file in which most places are is
    /// damaged UTF-8: read as Windows-1252, every name in it would be printed wrong without a word.
    fn verdict(&self, bom: bool) -> Encoding {
        match self {
            Self { bad: 0, .. } => Encoding::Utf8 { bom },
            _ if bom || self.good > self.bad => Encoding::DamagedUtf8,
            _ => Encoding::Windows1252,
        }
    }
}

/// A text file as UTF-8, without a byte order mark, every line end a line feed, and one line feed more at the end (so
/// that the last line always has one).
pub(super) struct Decoder {
    source: Source,
    decoding: Decoding,
    raw: Vec<u8>,
    text: String,
    out: Vec<u8>,
    taken: usize,
    after_return: bool,
    ended: bool,
}

enum Decoding {
    /// Bytes that are known to be UTF-8; true while the byte order mark is still ahead.
    None(bool),
    Windows1252,
    Library(encoding_rs::Decoder),
}

impl Decoder {
    pub(super) fn new(source: Source, encoding: Encoding) -> Self {
        let decoding = match encoding {
            Encoding::Utf8 { bom } => Decoding::None(bom),
            Encoding::Windows1252 => Decoding::Windows1252,
            Encoding::DamagedUtf8 => Decoding::Library(UTF_8.new_decoder_with_bom_removal()),
            Encoding::Utf16Le => Decoding::Library(UTF_16LE.new_decoder_with_bom_removal()),
            Encoding::Utf16Be => Decoding::Library(UTF_16BE.new_decoder_with_bom_removal()),
        };
        Self {
            source,
            decoding,
            raw: vec![0; CHUNK],
            text: String::new(),
            out: Vec::with_capacity(CHUNK),
            taken: 0,
            after_return: false,
            ended: false,
        }
    }

    fn fill(&mut self) -> io::Result<()> {
        let read = read_full(&mut self.source, &mut self.raw)?;
        let last = read < self.raw.len();
        let mut raw = self.raw.get(..read).unwrap_or_default();
        self.out.clear();
        self.taken = 0;
        match &mut self.decoding {
            Decoding::None(bom) => {
                if std::mem::take(bom) {
                    raw = raw.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(raw);
                }
                unify_lines(raw, &mut self.after_return, &mut self.out);
            }
            Decoding::Windows1252 => {
                self.text.clear();
                self.text.extend(raw.iter().copied().map(windows_1252));
                unify_lines(self.text.as_bytes(), &mut self.after_return, &mut self.out);
            }
            Decoding::Library(decoder) => {
                decode(decoder, raw, last, &mut self.text);
                unify_lines(self.text.as_bytes(), &mut self.after_return, &mut self.out);
            }
        }
        if last {
            self.ended = true;
            self.out.push(b'\n');
        }
        Ok(())
    }
}

impl Read for Decoder {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.taken == self.out.len() {
            if self.ended {
                return Ok(0);
            }
            self.fill()?;
        }
        let given = self.out.get(self.taken..).unwrap_or_default();
        let length = given.len().min(buffer.len());
        if let (Some(to), Some(from)) = (buffer.get_mut(..length), given.get(..length)) {
            to.copy_from_slice(from);
        }
        self.taken = self.taken.saturating_add(length);
        Ok(length)
    }
}

fn decode(decoder: &mut encoding_rs::Decoder, raw: &[u8], last: bool, text: &mut String) {
    text.clear();
    text.reserve(decoder.max_utf8_buffer_length(raw.len()).unwrap_or(0));
    let mut rest = raw;
    loop {
        let (result, read, _replaced) = decoder.decode_to_string(rest, text, last);
        rest = rest.get(read..).unwrap_or_default();
        match result {
            CoderResult::InputEmpty => return,
            CoderResult::OutputFull => text.reserve(CHUNK),
        }
    }
}

/// Appends text with every CRLF and lone CR as a line feed.
fn unify_lines(mut text: &[u8], after_return: &mut bool, out: &mut Vec<u8>) {
    if std::mem::take(after_return) {
        text = text.strip_prefix(b"\n").unwrap_or(text);
    }
    while let Some(at) = memchr(b'\r', text) {
        let (line, rest) = text.split_at(at);
        out.extend_from_slice(line);
        out.push(b'\n');
        text = rest.strip_prefix(b"\r\n").unwrap_or_else(|| {
            *after_return = rest.len() == 1;
            rest.strip_prefix(b"\r").unwrap_or(rest)
        });
    }
    out.extend_from_slice(text);
}

/// A byte of Windows-1252. Five bytes stand for nothing there.
fn windows_1252(byte: u8) -> char {
    const FROM_80: [char; 32] = [
        '€', '\u{FFFD}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{FFFD}', 'Ž', '\u{FFFD}',
        '\u{FFFD}', '\u{2018}', '\u{2019}', '\u{201C}', '\u{201D}', '•', '–', '—', '˜', '™', 'š', '›', 'œ',
        '\u{FFFD}', 'ž', 'Ÿ',
    ];
    match byte.checked_sub(0x80).map(usize::from) {
        Some(at) => FROM_80.get(at).copied().unwrap_or(char::from(byte)),
        None => char::from(byte),
    }
}
