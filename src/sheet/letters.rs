//! Letters of an encoding that is not read: a sheet that was saved in it would be printed with wrong names on parcels.
//!
//! Text that is not UTF-8 is read as Windows-1252, in which every byte but five is some character, so that nothing else
//! would tell. For words in letters that are not Latin a guess is certain enough to stop for; between Windows-1252 and
//! the other encodings of Latin letters it is not (`Tromsø` might be Lithuanian), and none is made.

use std::io;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{
    BIG5, CoderResult, EUC_JP, EUC_KR, Encoding, GBK, SHIFT_JIS, WINDOWS_874, WINDOWS_1251, WINDOWS_1253,
    WINDOWS_1255, WINDOWS_1256,
};

use super::source::{Source, read_full};

/// What spreadsheets and shops save besides, in letters that are not Latin. Older ones, of DOS and of Unix, are found
/// in Western bullets and dashes more often than in a sheet.
const SAVED: [&Encoding; 10] = [
    SHIFT_JIS,
    EUC_JP,
    GBK,
    BIG5,
    EUC_KR,
    WINDOWS_874,
    WINDOWS_1251,
    WINDOWS_1253,
    WINDOWS_1255,
    WINDOWS_1256,
];
/// How many bytes are read at once.
const CHUNK: usize = 64 * 1024;
/// So many letters in a row make a word: one or two are found in Western text by chance.
const WORD: usize = 3;
/// The most letters of a word that are shown.
const SHOWN: usize = 12;

/// What a text seems to be written in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Foreign {
    /// The name of the encoding: `Shift_JIS`.
    pub(super) encoding: &'static str,
    /// The first word of the text in letters that are not Latin.
    pub(super) word: String,
}

/// Looks at a text that is not UTF-8: gives the encoding that it seems to be in, where the text has words there in
/// letters that are not Latin, and no byte stands for nothing.
pub(super) fn foreign(source: &Source) -> io::Result<Option<Foreign>> {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    each_chunk(source.clone(), |chunk, last| {
        detector.feed(chunk, last);
    })?;
    let encoding = detector.guess(None, Utf8Detection::Deny);
    if !SAVED.contains(&encoding) {
        return Ok(None);
    }
    let mut words = Words::of(encoding);
    each_chunk(source.clone(), |chunk, last| words.read(chunk, last))?;
    Ok(words.first().map(|word| Foreign {
        encoding: encoding.name(),
        word,
    }))
}

/// Calls with each piece of a text, and with whether it is the last, which may be empty.
pub(super) fn each_chunk(mut source: Source, mut each: impl FnMut(&[u8], bool)) -> io::Result<()> {
    let mut buffer = vec![0; CHUNK];
    loop {
        let read = read_full(&mut source, &mut buffer)?;
        let last = read < buffer.len();
        each(buffer.get(..read).unwrap_or_default(), last);
        if last {
            return Ok(());
        }
    }
}

/// The words of a text in letters that are not Latin, as an encoding has them.
struct Words {
    decoder: encoding_rs::Decoder,
    text: String,
    /// The letters that follow one another now, or the first word.
    letters: String,
    ended: bool,
    damaged: bool,
}

impl Words {
    fn of(encoding: &'static Encoding) -> Self {
        Self {
            decoder: encoding.new_decoder_without_bom_handling(),
            text: String::with_capacity(CHUNK),
            letters: String::new(),
            ended: false,
            damaged: false,
        }
    }

    fn read(&mut self, mut chunk: &[u8], last: bool) {
        loop {
            self.text.clear();
            let (result, read, replaced) = self.decoder.decode_to_string(chunk, &mut self.text, last);
            self.damaged = self.damaged || replaced;
            self.look();
            match result {
                CoderResult::InputEmpty => return,
                CoderResult::OutputFull => chunk = chunk.get(read..).unwrap_or_default(),
            }
        }
    }

    fn look(&mut self) {
        for letter in self.text.chars() {
            if self.ended {
                return;
            }
            if is_foreign(letter) {
                self.letters.push(letter);
                self.ended = self.letters.chars().count() == SHOWN;
            } else if is_word(&self.letters) {
                self.ended = true;
            } else {
                self.letters.clear();
            }
        }
    }

    fn first(self) -> Option<String> {
        (is_word(&self.letters) && !self.damaged).then_some(self.letters)
    }
}

fn is_word(letters: &str) -> bool {
    letters.chars().count() >= WORD
}

/// Whether a character is a letter of another script than the Latin one, whose letters end before the Greek ones but
/// for a block of their own.
fn is_foreign(letter: char) -> bool {
    letter >= '\u{370}' && letter.is_alphabetic() && !('\u{1e00}'..='\u{1eff}').contains(&letter)
}
