//! Texts that only look as if they had been read in the wrong encoding: a word's last letter and what people write behind it
//! are two characters that may as well be the bytes of one.

/// What people write directly behind a word, in Windows-1252: … ’ ” – — ™ › © ® ´ · ».
const AFTER_A_WORD: &[u8] = b"\x85\x92\x94\x96\x97\x99\x9B\xA9\xAE\xB4\xB7\xBB";

/// Those of them that may stand between two letters.
const BETWEEN_LETTERS: &[u8] = b"\x85\x92\x96\x97\xB4\xB7";

/// The letters of names behind those of the West: of Vietnam, of Romania, of Azerbaijan, and of spelled tones. Others come out
/// of a letter and a no-break space, a quotation mark or a degree sign: `RENÉ‘S` would be `RENɑS`.
const WRITTEN: &str = "ƠơƯưƒȘșȚțƏəǍǎǏǐǑǒǓǔǕǖǗǘǙǚǛǜ";

/// The no-break space in Windows-1252.
const NO_BREAK_SPACE: u8 = 0xA0;

/// Whether a character beyond ASCII that came out may be two that somebody wrote.
pub(super) fn is_by_chance(better: &str) -> bool {
    let mut before = None;
    better.char_indices().any(|(at, c)| {
        let behind = better.get(at.saturating_add(c.len_utf8())..).unwrap_or_default();
        let mut beside = before.into_iter().chain(behind.chars().next());
        let is_of_a_word = is_of_another_script(c) && beside.any(is_of_another_script);
        let is_mark = || !is_of_a_word && is_a_mark_behind_a_word(better, at, c);
        let is = !c.is_ascii() && (is_mark() || is_out_of_place(before, c, behind));
        before = Some(c);
        is
    })
}

/// Whether it is as well a word's last letter and a mark behind it: `CHLOÉ’S`, `NESCAFÉ®`, `Spaß…`. Not where it begins with
/// `Â` or `Ã`, as nearly all of the West's do: `SCHÃ–N`; nor amid a word of another script.
fn is_a_mark_behind_a_word(better: &str, at: usize, c: char) -> bool {
    let bytes = better.as_bytes();
    let byte = |at: Option<usize>| at.and_then(|at| bytes.get(at)).copied().unwrap_or(b' ');
    let end = at.saturating_add(c.len_utf8());
    let (before, lead) = (byte(at.checked_sub(1)), byte(Some(at)));
    let marks = bytes.get(at.saturating_add(1)..end).unwrap_or_default();
    // ß, à and all behind it are small letters.
    let ends_a_word = if lead < 0xDF {
        !before.is_ascii_lowercase()
    } else {
        !before.is_ascii_uppercase()
    };
    let next = byte(Some(end));
    let usual = if next.is_ascii_alphabetic() {
        BETWEEN_LETTERS
    } else {
        AFTER_A_WORD
    };
    lead >= 0xC4 && ends_a_word && marks.iter().all(|mark| usual.contains(mark)) && !next.is_ascii_lowercase()
}

/// Whether nobody writes it where it stands. Of a capital, of `ß` or of two spaces behind `é` a no-break space makes a
/// letter of another script amid Latin ones, or one of no name at all.
fn is_out_of_place(before: Option<char>, c: char, behind: &str) -> bool {
    let mut behind = behind.chars();
    let next = behind.next();
    match c {
        // `IRMÃ MARIA` with such a space.
        'à' => {
            let is_within =
                before.is_some_and(|before| before.is_alphabetic() && !before.is_ascii_uppercase());
            !is_within && next.is_some_and(char::is_uppercase)
        }
        // `Å Vei`
        'Š' | 'Ġ' | 'Ơ' => match next.filter(|next| next.is_alphabetic()) {
            Some(next) => next.is_uppercase() && behind.next().is_some_and(char::is_lowercase),
            None => !before.is_some_and(char::is_alphabetic),
        },
        '\u{180}'..='\u{2ff}' => !WRITTEN.contains(c),
        // `Ì` and a mark may be an accent of its own; `Í` and one is none that is used.
        '\u{340}'..='\u{36f}' => true,
        c if is_of_another_script(c) => {
            let mut beside = before.into_iter().chain(next);
            let has_space = || c.encode_utf8(&mut [0; 4]).as_bytes().contains(&NO_BREAK_SPACE);
            beside.clone().any(is_latin) || (has_space() && !beside.any(is_of_another_script))
        }
        _ => false,
    }
}

fn is_of_another_script(c: char) -> bool {
    matches!(c, '\u{370}'..='\u{1dff}' | '\u{1f00}'..='\u{1fff}' | '\u{2c00}'..='\u{f8ff}')
}

fn is_latin(c: char) -> bool {
    c.is_ascii_alphabetic() || matches!(c, '\u{c0}'..='\u{24f}' | '\u{1e00}'..='\u{1eff}')
}

#[cfg(test)]
mod tests {
    use super::super::{cleaned, repaired};
    use crate::order::columns::Form;

    #[test]
    fn a_space_that_does_not_break_behind_a_letter_is_a_space() {
        for (raw, read) in [
            ("RENÉ\u{a0}GARCIA", "RENÉ GARCIA"),
            ("Zoé\u{a0}\u{a0}Dupont", "Zoé  Dupont"),
            ("André\u{a0}\u{a0}", "André"),
            ("Groß\u{a0}Gerau", "Groß Gerau"),
            ("Weiß\u{a0}", "Weiß"),
            ("VIVE LE CAFÉ\u{a0}!", "VIVE LE CAFÉ !"),
            ("12 CITÉ\u{a0}UNIVERSITAIRE", "12 CITÉ UNIVERSITAIRE"),
            ("Esc. É\u{a0}4", "Esc. É 4"),
            ("Å\u{a0}Vei", "Å Vei"),
            ("Lee Å\u{a0}", "Lee Å"),
            ("IRMÃ\u{a0}MARIA", "IRMÃ MARIA"),
            ("NOËL\u{a0}NOÊ\u{a0}A", "NOËL NOÊ A"),
            ("PEÑ\u{a0}A", "PEÑ A"),
            ("à\u{a0}\u{a0}la carte", "à  la carte"),
            ("April Ü\u{a0}", "April Ü"),
            ("April Ñ\u{a0}", "April Ñ"),
            ("Æ\u{a0}Nord", "Æ Nord"),
            ("Ã\u{a0}X", "Ã X"),
            ("é\u{a0}\u{a0}4", "é  4"),
        ] {
            assert_eq!(repaired(raw), None, "{raw}");
            assert_eq!(cleaned(raw, Form::Line), read, "{raw}");
        }
    }

    #[test]
    fn a_mark_that_makes_a_letter_of_no_name_is_a_mark() {
        for raw in ["RENÉ‘S", "weiß°", "RENÉ“", "PEÑ°A", "CAFÉ° 5", "Ê¿"] {
            assert_eq!(repaired(raw), None, "{raw}");
        }
    }

    #[test]
    fn names_of_all_countries_are_repaired_all_the_same() {
        for name in [
            "Šime Šarić",
            "MATEŠ",
            "TOMÁŠ NOVÁK",
            "Ġorġ",
            "François à Paris",
            "CITTà",
            "Ștefan Țepeș",
            "Əliyev",
            "Nguyễn Văn Sơn",
            "Łódź, ul. Żwirki",
            "İzmir Şişli",
            "Иван Petrov",
            "Ольга",
            "Αθήνα",
            "ΠΑΡΟΣ",
            "Роман",
            "京都 2",
            "서울",
            "“Rose” – it’s €5…",
            "Ærø, Bø",
            "GARCíA",
            "Jürgen Groß",
        ] {
            let (read, _, _) = encoding_rs::WINDOWS_1252.decode(name.as_bytes());
            assert_eq!(repaired(&read).as_deref(), Some(name), "{read}");
        }
    }
}
