//! Names and ids that differ in writing alone: a service may keep an order's name in capitals, without its punctuation,
//! or cut, and write its own ids in one way in an answer and in another in its list.

use percent_encoding::percent_decode_str;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Of a name that was cut, at least this part of ours has to be left.
const LEAST_LEFT: usize = 2;

/// Of a name that was cut before it was sent anew, at least so many letters have to be left: fewer begin many.
const SHORTEST_CUT: usize = 8;

/// Whether an order of the service's may be ours under a name that is not exactly ours: its letters and digits are the
/// same, or are those that ours begins with. A name that goes on after ours is another order's: `1001-R1`.
pub fn is_alike(ours: &str, theirs: &str) -> bool {
    if ours == theirs {
        return false;
    }
    let (left, whole) = (plain(theirs), plain(ours));
    let is_left = left.len().saturating_mul(LEAST_LEFT) >= whole.len();
    (!left.is_empty() && whole.starts_with(&left) && is_left) || has_letters_lost(ours, theirs)
}

/// Whether a name is ours with something in front, as a service that has orders of several shops may write it. A number is
/// not the end of a longer one.
pub fn is_ours_behind_something(ours: &str, theirs: &str) -> bool {
    is_longer_in_front(&plain(ours), &plain(theirs))
}

/// The same of a name as it is written: what was sent with another prefix has that in front.
pub fn has_something_in_front(ours: &str, theirs: &str) -> bool {
    is_longer_in_front(&ours.to_lowercase(), &theirs.to_lowercase())
}

fn is_longer_in_front(ours: &str, theirs: &str) -> bool {
    let Some(front) = theirs.strip_suffix(ours).filter(|_front| !ours.is_empty()) else {
        return false;
    };
    let is_digit = |c: char| c.is_ascii_digit();
    let is_longer_number = ours.starts_with(is_digit) && front.ends_with(is_digit);
    !front.is_empty() && !is_longer_number
}

/// What is left of a name where it may have been cut at its end: amid a word, or behind what sets the next one off. A name
/// that is whole has others that go on after it in a number or in a part of their own: `SHOP-10001-2` is sent again, and
/// `SHOP-100012` is another order.
pub fn beginnings(name: &str) -> Vec<&str> {
    let letters = name.chars().count();
    let least = SHORTEST_CUT.max(letters.div_ceil(LEAST_LEFT));
    let cuts = name.char_indices().enumerate().skip(least);
    let may_be_cut = |left: &str, cut_off: &str| {
        let (last, next) = (left.chars().next_back(), cut_off.chars().next());
        let is_amid_a_word = last.is_some_and(char::is_alphabetic) && next.is_some_and(char::is_alphabetic);
        is_amid_a_word || last.is_some_and(|last| !last.is_alphanumeric())
    };
    cuts.filter_map(|(_count, (at, _next))| name.split_at_checked(at))
        .filter(|(left, cut_off)| may_be_cut(left, cut_off))
        .map(|(left, _cut_off)| left)
        .collect()
}

/// Whether two names have the same letters and digits in whatever writing, or have them but for those that no ASCII has: a
/// service may show others in their place.
pub fn is_in_another_writing(ours: &str, theirs: &str) -> bool {
    let plain_ours = plain(ours);
    (!plain_ours.is_empty() && plain_ours == plain(theirs)) || has_letters_lost(ours, theirs)
}

fn has_letters_lost(ours: &str, theirs: &str) -> bool {
    if ours.is_ascii() {
        return false;
    }
    let left = plain_ascii(ours);
    !left.is_empty() && left == plain_ascii(theirs)
}

/// What is left of a name in any writing where the letters and digits are lost that no ASCII has.
pub fn plain_ascii(name: &str) -> String {
    plain(&name.replace(|c: char| !c.is_ascii(), ""))
}

/// A name's letters and digits, in small letters and without their accents: what is left of it in any writing, that of a web
/// page or an address as well. Of a number the zeros in front do not count: a service that writes names and zips as numbers
/// drops them.
pub fn plain(name: &str) -> String {
    let plain = if name.contains('%') {
        folded(&percent_decode_str(name).decode_utf8_lossy())
    } else {
        folded(name)
    };
    if plain.is_empty() || !plain.bytes().all(|byte| byte.is_ascii_digit()) {
        return plain;
    }
    match plain.trim_start_matches('0') {
        "" => "0".to_owned(),
        number => number.to_owned(),
    }
}

/// A text's letters and digits, in small letters and without their accents; those that a web page writes in its own way too.
pub(super) fn folded(text: &str) -> String {
    if text.is_ascii() && !text.contains('&') {
        let letters = text.chars().filter(char::is_ascii_alphanumeric);
        return letters.map(|c| c.to_ascii_lowercase()).collect();
    }
    html_escape::decode_html_entities(text)
        .nfkd()
        .filter(|c| !is_combining_mark(*c))
        .flat_map(char::to_lowercase)
        .filter(|c| c.is_alphanumeric())
        .collect()
}

/// A zip is cut to no fewer letters and digits: `00501` loses its zeros, and `1` is the beginning of half a country.
const SHORTEST_ZIP: usize = 3;

/// Whether two writings of a zip may be of one place: in capitals or not, with or without spaces, without the zeros in
/// front, or with the digits of the street that the other leaves out (ZIP+4). One that is blank tells nothing.
pub fn zips_agree(one: &str, other: &str) -> bool {
    let (one, other) = (plain(one), plain(other));
    let (short, long) = if one.len() <= other.len() {
        (one, other)
    } else {
        (other, one)
    };
    let is_begun = short.len() >= SHORTEST_ZIP && long.starts_with(&short);
    short.is_empty() || short == long || is_begun
}

/// Whether two of the service's ids are one: the list may write it in capitals, or with letters before the digits, and the
/// answer to a create without, or the other way round.
pub fn is_same_id(one: &str, other: &str) -> bool {
    fn digits(id: &str) -> &str {
        id.trim_start_matches(|c: char| !c.is_ascii_digit())
    }
    let plain = |id: &str| !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_digit());
    one.eq_ignore_ascii_case(other)
        || ((plain(one) || plain(other)) && plain(digits(one)) && digits(one) == digits(other))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_cut_amid_a_word_or_behind_what_sets_one_off_and_not_where_another_would_go_on() {
        let left = |name: &str| beginnings(name).join(" ");
        for (name, expected) in [
            (
                "1004-2026-11-29-SHOPNAME",
                "1004-2026-11- 1004-2026-11-29- 1004-2026-11-29-S 1004-2026-11-29-SH 1004-2026-11-29-SHO \
                 1004-2026-11-29-SHOP 1004-2026-11-29-SHOPN 1004-2026-11-29-SHOPNA 1004-2026-11-29-SHOPNAM",
            ),
            ("SHOP-10001-2", "SHOP-10001-"),
            ("SHOP-100012", ""),
            ("SHOP-10001B", ""),
            ("ABCDEFGHI", "ABCDEFGH"),
            ("ABCDEFGH", ""),
            ("ÄÖÜÄÖÜÄÖÜ", "ÄÖÜÄÖÜÄÖ"),
            ("1001", ""),
            ("", ""),
        ] {
            assert_eq!(left(name), expected, "{name}");
        }
    }

    #[test]
    fn a_name_in_other_writing_is_alike_and_another_name_is_not() {
        for (ours, theirs, alike) in [
            ("x-2b", "X-2B", true),
            ("2026/117", "2026-117", true),
            ("shop  12", "shop 12", true),
            ("2026-11-21-0001", "2026-11-", true),
            ("1001", "#1001", true),
            ("0999", "999", true),
            ("00-12", "12", true),
            ("A&B-1", "A&amp;B-1", true),
            ("O'N-1", "O&#x27;N-1", true),
            ("PO 77/8", "PO+77%2F8", true),
            ("Ä-1é", "A\u{308}-1e\u{301}", true),
            ("É77", "E77", true),
            ("Ä-1é", "?-1?", true),
            ("Ä-1é", "\u{c3}\u{84}-1\u{c3}\u{a9}", true),
            ("É77", "?78", false),
            ("Éa", "?", false),
            ("77", "É77", false),
            ("50%-12", "50-12", true),
            ("A&B-1", "A&C-1", false),
            ("PO 77/8", "PO+77%2F9", false),
            ("000", "0", true),
            ("A-007", "A-7", false),
            ("0999", "1999", false),
            ("1001", "1001-R1", false),
            ("x-2b", "x-2b", false),
            ("1001", "1002", false),
            ("1001", "1", false),
            ("1001", "", false),
            ("#", "-", false),
        ] {
            assert_eq!(is_alike(ours, theirs), alike, "{ours} {theirs}");
        }
    }

    #[test]
    fn a_zip_in_other_writing_is_the_same_place_and_another_zip_is_not() {
        for (one, other, agree) in [
            ("43004", "43004", true),
            ("sw1a1aa", "SW1A 1AA", true),
            ("02134", "2134", true),
            ("43004-1234", "43004", true),
            ("02134-1234", "2134", true),
            ("501", "00501-1234", true),
            ("", "43004", true),
            ("-", "43004", true),
            ("43004", "99999", false),
            ("43004", "4", false),
            ("43004", "43", false),
            ("43004-1234", "43004-1235", false),
            ("K1A 0B1", "K1A 0B2", false),
        ] {
            assert_eq!(zips_agree(one, other), agree, "{one} {other}");
            assert_eq!(zips_agree(other, one), agree, "{other} {one}");
        }
    }

    #[test]
    fn an_id_is_the_same_with_and_without_its_letters() {
        for (one, other, same) in [
            ("PW1001", "PW1001", true),
            ("PW1001", "1001", true),
            ("1001", "PW-1001", true),
            ("PW1001", "XW1001", false),
            ("PW1001", "PW1002", false),
            ("PW1001", "11001", false),
            ("1001", "01001", false),
            ("pw100010", "PW100010", true),
            ("PW", "", false),
        ] {
            assert_eq!(is_same_id(one, other), same, "{one} {other}");
        }
    }

    #[test]
    fn a_name_with_another_prefix_has_something_in_front() {
        for theirs in ["S-1001", "shop2-1001", "P1001"] {
            assert!(has_something_in_front("1001", theirs), "{theirs}");
        }
        assert!(has_something_in_front("b1", "P-B1"));
        for theirs in ["1001", "21001", "S-1001-R1", "S-1002", ""] {
            assert!(!has_something_in_front("1001", theirs), "{theirs}");
        }
        assert!(!has_something_in_front("", "S-"));
    }

    #[test]
    fn a_name_may_stand_behind_a_shop_s() {
        for (ours, theirs, is_ours) in [
            ("A-70001", "SHOP-A-70001", true),
            ("1001", "shop/1001", true),
            ("1001", "2-1001", false),
            ("1001", "1001", false),
            ("1001", "SHOP-1001-R1", false),
            ("-", "SHOP-", false),
        ] {
            assert_eq!(is_ours_behind_something(ours, theirs), is_ours, "{ours} {theirs}");
        }
    }
}
