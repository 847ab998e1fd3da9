//! The characters of a cell as somebody meant them: without what copying, quoting and wrong encodings have added.

mod chance;

use std::borrow::Cow;

use encoding_rs::WINDOWS_1252;
use unicode_normalization::UnicodeNormalization;

use super::columns::Form;
use chance::is_by_chance;

/// The characters that look like a hyphen.
pub(crate) const HYPHENS: [char; 3] = ['\u{2010}', '\u{2011}', '\u{2212}'];

/// A dash that programs write for a hyphen; an id may well have one of its own.
const EN_DASH: char = '\u{2013}';

/// A SKU as it is looked up where nobody has just this one: in lower case, with one kind of hyphen.
pub(crate) fn folded_sku(sku: &str) -> String {
    let is_hyphen = |c: char| c == EN_DASH || HYPHENS.contains(&c);
    sku.to_lowercase().replace(is_hyphen, "-")
}

/// How often a text may have been read in the wrong encoding and saved again.
const ROUNDS: usize = 2;

/// Whether a text of this form is read by people, so that its quotation marks and wide letters are its own.
fn is_prose(form: Form) -> bool {
    matches!(form, Form::Line | Form::Text)
}

/// Without what nobody typed: no-break and zero-width characters, white space at the ends, text guards; in prose with
/// what a shop has escaped for its web pages (`O&#39;Brien`) as it was; and where every character counts, without
/// quotation marks around the whole, and with wide digits and letters as plain ones. An id besides is what it looks like:
/// of two that nobody can tell apart, one machine wrote `ü` as two characters, or a program made the hyphen a longer one.
pub(crate) fn cleaned(raw: &str, form: Form) -> Cow<'_, str> {
    let prose = is_prose(form);
    if prose && let Cow::Owned(plain) = html_escape::decode_html_entities(raw) {
        return Cow::Owned(legible(&plain, form).into_owned());
    }
    match legible(raw, form) {
        id if form == Form::Id && !id.is_ascii() => Cow::Owned(alike(&id)),
        text => text,
    }
}

/// An id as it was read before those that look the same were taken for one.
pub(crate) fn id_as_before(raw: &str) -> Cow<'_, str> {
    legible(raw, Form::Id)
}

/// The ids that a person may mean who has typed one, or copied it from a shop or a sheet, the likeliest first.
pub(crate) fn ids_meant(typed: &str) -> Vec<String> {
    let as_read = cleaned(typed, Form::Id).into_owned();
    let of_a_shop = as_read.strip_prefix('#').map(|id| id.trim_start().to_owned());
    let mut ids = vec![typed.trim().to_owned(), as_read];
    ids.extend(of_a_shop);
    ids.dedup();
    ids
}

/// Letters with their marks composed, and the characters that look like a hyphen as one.
fn alike(id: &str) -> String {
    let hyphen = |c: char| if HYPHENS.contains(&c) { '-' } else { c };
    id.nfc().map(hyphen).collect()
}

fn legible(raw: &str, form: Form) -> Cow<'_, str> {
    let prose = is_prose(form);
    if raw.is_ascii() || raw.chars().all(|c| visible(c, form) == Some(c)) {
        return Cow::Borrowed(without_marks(raw, prose));
    }
    let mut plain = String::with_capacity(raw.len());
    let mut has_gap = false;
    for c in raw.chars() {
        has_gap |= matches!(c, '\u{200b}' | '\u{feff}');
        let Some(c) = visible(c, form) else { continue };
        if has_gap && prose && begins_a_word(&plain, c) {
            plain.push(' ');
        }
        has_gap = false;
        plain.push(c);
    }
    Cow::Owned(without_marks(&plain, prose).to_owned())
}

/// Whether a space of no width before a capital is the one between two words: `12\u{200b}Main`. Within a word it is nothing.
fn begins_a_word(before: &str, c: char) -> bool {
    let ends_a_word = |c: char| c.is_lowercase() || c.is_ascii_digit();
    c.is_uppercase() && before.chars().next_back().is_some_and(ends_a_word)
}

fn without_marks(plain: &str, prose: bool) -> &str {
    let text = plain.trim();
    // Most cells begin with a letter or a digit, and have no mark around them.
    if text.as_bytes().first().is_none_or(u8::is_ascii_alphanumeric) {
        return text;
    }
    let text = if prose { text } else { unquoted(text) };
    unguarded(text, prose).trim()
}

/// A character that may stay, no-break spaces as spaces. Joiners belong to the letters of some scripts: in prose they
/// stay. A URL with other characters is another address.
fn visible(c: char, form: Form) -> Option<char> {
    let prose = is_prose(form);
    match c {
        '\u{a0}' | '\u{2007}' | '\u{202f}' | '\u{3000}' => Some(' '),
        '\u{200c}' | '\u{200d}' if prose => Some(c),
        '\u{200b}'..='\u{200f}'
        | '\u{202a}'..='\u{202e}'
        | '\u{2060}'
        | '\u{2066}'..='\u{2069}'
        | '\u{feff}'
        | '\u{ad}' => None,
        wide @ '！'..='～' if !prose && form != Form::Url => {
            u32::from(wide).checked_sub(0xfee0).and_then(char::from_u32)
        }
        other => Some(other),
    }
}

/// Without the marks that keep a spreadsheet from changing a text: `'02134` and `="02134"`. Names may begin with an
/// apostrophe (`'s-Hertogenbosch`), so that in prose it goes only before what a spreadsheet would change.
fn unguarded(text: &str, prose: bool) -> &str {
    if let Some(inner) = text.strip_prefix("=\"").and_then(|rest| rest.strip_suffix('"')) {
        return inner;
    }
    match text.strip_prefix('\'') {
        Some(rest) if !prose || rest.starts_with(|c: char| c.is_ascii_digit() || "=+-@".contains(c)) => rest,
        _ => text,
    }
}

/// Without quotation marks of any kind around the whole: `“1001”`. A lone typographic apostrophe before it is a text
/// guard that a word processor has bent.
fn unquoted(text: &str) -> &str {
    const MARKS: &str = "\"'“”„‟«»‹›‘’‚`";
    let inner = text
        .strip_prefix(|c| MARKS.contains(c))
        .and_then(|rest| rest.strip_suffix(|c| MARKS.contains(c)));
    match inner {
        Some(inner) if !inner.trim().is_empty() => inner.trim(),
        _ => text.strip_prefix(['‘', '’']).unwrap_or(text),
    }
}

/// The text that was saved as UTF-8 and read as Windows-1252 (`MÃ¼ller`), where the way back proves it: every character
/// is one of Windows-1252, and their bytes are well-formed UTF-8, which is next to never so by chance.
pub(crate) fn repaired(raw: &str) -> Option<String> {
    let mut text = decoded_again(raw)?;
    for _round in 1..ROUNDS {
        let Some(better) = decoded_again(&text) else { break };
        text = better;
    }
    Some(text)
}

fn decoded_again(text: &str) -> Option<String> {
    if text.is_ascii() {
        return None;
    }
    let (bytes, _, unmappable) = WINDOWS_1252.encode(text);
    if unmappable {
        return None;
    }
    let better = std::str::from_utf8(&bytes).ok()?;
    // What comes out must be something that a person writes.
    let sound = !better.contains(|c: char| c.is_control() && !matches!(c, '\n' | '\r' | '\t'));
    (sound && !is_by_chance(better)).then(|| better.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_in_the_wrong_encoding_is_repaired_where_the_way_back_proves_it() {
        for (raw, text) in [
            ("MÃ¼ller", Some("Müller")),
            ("StraÃŸe 5", Some("Straße 5")),
            ("MÃƒÂ¼ller", Some("Müller")),
            ("FranÃ§ois Ã\u{a0} Paris", Some("François à Paris")),
            ("â€œfrontâ€\u{9d}", Some("“front”")),
            ("Åukasz", None),
            ("SCHÃ–N", Some("SCHÖN")),
            ("TimiÈ™", Some("Timiș")),
            ("Łódź", None),
            ("CHLOÉ’S PLACE", None),
            ("NESCAFÉ®", None),
            ("Ä°STANBUL", Some("İSTANBUL")),
            ("WAÅ»NY", Some("WAŻNY")),
            ("Viel Spaß…", None),
            ("“Viel Spaß”", None),
            ("CHLOÉ’S â€œfrontâ€\u{9d}", None),
            ("Müller", None),
            ("Ãngel", None),
            ("MÃ¼ller 日本", None),
            ("Ann", None),
            ("", None),
        ] {
            assert_eq!(repaired(raw).as_deref(), text, "{raw}");
        }
    }

    #[test]
    fn what_was_escaped_for_a_web_page_is_read_as_it_was_in_prose_alone() {
        for (raw, text) in [
            ("Ann O&#39;Example", "Ann O'Example"),
            ("Example &amp; Daughters", "Example & Daughters"),
            ("Fran&ccedil;ois&nbsp;Example", "François Example"),
            ("&#x27;s-Hertogenbosch", "'s-Hertogenbosch"),
            ("&quot;Rose&quot; Cottage", "\"Rose\" Cottage"),
            ("Salt & Pepper; AT&T, B&B", "Salt & Pepper; AT&T, B&B"),
            ("&amp;amp;", "&amp;"),
        ] {
            assert_eq!(cleaned(raw, Form::Line), text, "{raw}");
            assert_eq!(cleaned(raw, Form::Word), raw, "{raw}");
        }
    }

    #[test]
    fn marks_around_an_id_go_and_those_of_a_name_stay() {
        for (raw, id, name) in [
            ("“1001”", "1001", "“1001”"),
            ("„A-1“", "A-1", "„A-1“"),
            ("'1001'", "1001", "1001'"),
            ("\"1001\"", "1001", "\"1001\""),
            ("’1001", "1001", "’1001"),
            ("１００１", "1001", "１００１"),
            ("ＡＢ－１", "AB-1", "ＡＢ－１"),
            ("10\"", "10\"", "10\""),
            ("\"\"", "\"\"", "\"\""),
            ("O’Neil", "O’Neil", "O’Neil"),
            ("\u{a0}1001\u{200b}\t", "1001", "1001"),
        ] {
            assert_eq!(cleaned(raw, Form::Id), id, "{raw}");
            assert_eq!(cleaned(raw, Form::Line), name, "{raw}");
        }
    }

    #[test]
    fn a_space_of_no_width_is_one_between_two_words_of_prose_alone() {
        for (raw, line) in [
            ("12\u{200b}Main Street", "12 Main Street"),
            ("Ada\u{200b}Example", "Ada Example"),
            ("Ada\u{feff}Example", "Ada Example"),
            ("Ada \u{200b}Example", "Ada Example"),
            ("Ada\u{200b} Example", "Ada Example"),
            ("Ada\u{a0}\u{200b}Example", "Ada Example"),
            ("Colum\u{200b}bus", "Columbus"),
            ("5\u{200b}th Avenue", "5th Avenue"),
            ("COLUM\u{200b}BUS", "COLUMBUS"),
            ("Mc\u{ad}Donald", "McDonald"),
            ("Mc\u{2060}Donald", "McDonald"),
            ("\u{feff}Ada", "Ada"),
            ("Ada\u{200b}", "Ada"),
        ] {
            assert_eq!(cleaned(raw, Form::Line), line, "{raw:?}");
        }
        for form in [Form::Id, Form::Word, Form::Zip, Form::Url] {
            assert_eq!(cleaned("ab1\u{200b}C", form), "ab1C");
        }
    }

    #[test]
    fn ids_that_look_the_same_are_one_and_other_texts_keep_their_characters() {
        for (raw, id) in [
            ("Mu\u{308}ller-12", "M\u{fc}ller-12"),
            ("M\u{fc}ller-12", "M\u{fc}ller-12"),
            ("A\u{2010}12", "A-12"),
            ("A\u{2011}12", "A-12"),
            ("A\u{2212}12", "A-12"),
            ("A\u{2013}12", "A\u{2013}12"),
            ("1001", "1001"),
        ] {
            assert_eq!(cleaned(raw, Form::Id), id, "{raw}");
            assert_eq!(id_as_before(raw), raw);
            for form in [Form::Line, Form::Word, Form::Url] {
                assert_eq!(cleaned(raw, form), raw, "{raw}");
            }
        }
    }

    #[test]
    fn wide_characters_of_an_id_are_plain_ones_and_those_of_a_url_its_own() {
        assert_eq!(cleaned("１００１", Form::Id), "1001");
        let url = "https://example.com/写真（１）.png";
        assert_eq!(cleaned(url, Form::Url), url);
    }
}
