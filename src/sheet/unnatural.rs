//! Words that nobody writes: what text that was saved by an old Mac, by DOS or in Central Europe looks like in
//! Windows-1252, in which every byte but five is some character: `Gartenstra§e`, `JosŽ`, `MŸnchen`, `WoŸniak`.

use std::io;

use encoding_rs::WINDOWS_1252;

use super::letters::each_chunk;
use super::source::Source;

/// The most bytes of a word that are looked at and shown.
const LONGEST: usize = 40;

/// In Windows-1252 `† ‡ ˆ ‰ ‹ ˜ › §`, which stand between words, and not in them as `’`, `–` and `·` do.
const NEVER_INSIDE: &[u8] = b"\x86\x87\x88\x89\x8B\x98\x9B\xA7";

/// `‚`, `„` and `”`, the é, ä and ö of DOS: `K”ln`. A quotation mark stands at the end of a word, or before a capital.
const NEVER_BEFORE_SMALL: &[u8] = b"\x82\x84\x94";

/// `Š` and `Ž`: capitals, which follow no small letter.
const CAPITALS: &[u8] = b"\x8A\x8E";

/// `Ÿ`, which no word has before a small letter but as its first one.
const Y_DIAERESIS: u8 = 0x9F;

/// The first word of a text in Windows-1252 that nobody writes in it, as it would be read.
pub(super) fn word(source: &Source) -> io::Result<Option<String>> {
    let (mut word, mut found) = (Vec::new(), None);
    each_chunk(source.clone(), |chunk, last| {
        for byte in chunk.iter().copied().chain(last.then_some(b'\n')) {
            let is_letter = byte.is_ascii_alphabetic() || byte >= 0x80;
            if is_letter && word.len() < LONGEST {
                word.push(byte);
            }
            if is_letter {
                continue;
            }
            if found.is_none() && is_unnatural(&word) {
                found = Some(WINDOWS_1252.decode_without_bom_handling(&word).0.into_owned());
            }
            word.clear();
        }
    })?;
    Ok(found)
}

fn is_unnatural(word: &[u8]) -> bool {
    let mut neighbours = word.windows(3);
    let inside = neighbours.any(|of| {
        let &[before, byte, after] = of else { return false };
        let between = before.is_ascii_alphabetic() && after.is_ascii_alphabetic();
        let before_small = byte == Y_DIAERESIS || NEVER_BEFORE_SMALL.contains(&byte);
        between && (NEVER_INSIDE.contains(&byte) || (before_small && after.is_ascii_lowercase()))
    });
    let mut pairs = word.windows(2);
    inside
        || pairs.any(|of| {
            let &[before, byte] = of else { return false };
            before.is_ascii_lowercase() && CAPITALS.contains(&byte)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_any_unnatural(bytes: &[u8]) -> bool {
        let is_no_letter = |byte: &u8| !(byte.is_ascii_alphabetic() || *byte >= 0x80);
        bytes.split(is_no_letter).any(is_unnatural)
    }

    #[test]
    fn western_words_of_a_mac_are_known_by_what_nobody_writes() {
        // As Mac OS Roman has them: Gartenstraße, München, José, Hálász, Françoise.
        for bytes in [
            &b"Gartenstra\xA7e 5"[..],
            b"80331 M\x9Fnchen",
            b"Jos\x8E,1",
            b"H\x87l\x87sz",
            b"Am\x8Elie",
            // Of Central Europe: Woźniak.
            b"Wo\x9Fniak",
            // As DOS has them: Köln, Schröder, Gärten, Défense.
            b"K\x94ln",
            b"Schr\x94der",
            b"G\x84rten",
            b"D\x82fense",
        ] {
            assert!(is_any_unnatural(bytes), "{}", WINDOWS_1252.decode(bytes).0);
        }
    }

    #[test]
    fn what_people_write_in_windows_1252_is_natural() {
        for text in [
            "Gartenstraße 5, München, José",
            "§ 5, Absatz §5, 5§",
            "Saint–Denis – O’Neil’s col·lecció “Škoda” Žižkov Košice",
            "LOUŸS, Ÿves, L’HAŸ-LES-ROSES, AŸ",
            "„Ann“ ‚Bob‘ ‹a› «b» 5‰ †1999 x†",
        ] {
            let (bytes, _, unmappable) = WINDOWS_1252.encode(text);
            assert!(!unmappable, "{text}");
            assert!(!is_any_unnatural(&bytes), "{text}");
        }
    }
}
