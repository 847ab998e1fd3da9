//! Other writings of an order's id: what a spreadsheet makes of a number or of a pair of them, and what people and programs
//! make of letters, dashes, quotation marks and spaces.

mod beside;

use super::mend::same_months;
use super::numbers::{bare_number, same_numbers};
use beside::{bare, with_something_beside};

/// What programs write in the place of a hyphen, as between words: an id may have been written with them.
const DASHES: [char; 2] = ['\u{2013}', '\u{2014}'];

/// Of a pair around an id a spreadsheet takes the first for its text guard, and a careless hand copies half: `1001'`. What
/// stands before an id, and what behind it.
const QUOTES_BEFORE: [char; 3] = ['\'', '"', '\u{201c}'];
const QUOTES_BEHIND: [char; 4] = ['\'', '"', '\u{2019}', '\u{201d}'];

/// The one of an id's writings by which two ids are compared; none where it is the id itself. Most shops write ids in
/// capitals, so that hardly any has another one.
pub(super) fn plain_writing(id: &str) -> Option<String> {
    let is_plain =
        |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || matches!(byte, b'-' | b'_');
    if !id.starts_with('0') && id.bytes().all(is_plain) {
        return None;
    }
    compared(id)
}

/// The same among the sheets of an inbox: what has the inbox's prefix before it is shown so of the order behind that.
pub(super) fn plain_writing_in_inbox(id: &str, prefix: &str) -> Option<String> {
    let plain = plain_writing(id);
    let behind = behind_prefix(plain.as_deref().unwrap_or(id), prefix).pop();
    match behind.filter(|behind| !runs_on(prefix, behind)) {
        Some(behind) => Some(compared(&behind).unwrap_or(behind)),
        None => plain,
    }
}

/// The ids that this one may be with an inbox's prefix before it, in whatever letters and dashes both are written, and whatever
/// stands beside them: none where it does not begin with the prefix, two where the letters leave that open.
pub(crate) fn behind_prefix(id: &str, prefix: &str) -> Vec<String> {
    if prefix.is_empty() {
        return Vec::new();
    }
    let plain = plain_text(id);
    let as_written = id.strip_prefix(prefix);
    let as_plain = bare(&plain).strip_prefix(prefix.to_uppercase().replace(DASHES, "-").as_str());
    let mut behind: Vec<String> = as_written
        .into_iter()
        .chain(as_plain)
        .map(str::to_owned)
        .collect();
    behind.retain(|id| !id.is_empty());
    behind.dedup();
    behind
}

/// Whether nobody can tell where an inbox's prefix ends and an id begins: `1` before `23`.
pub(crate) fn runs_on(prefix: &str, id: &str) -> bool {
    let is_digit = |c: char| c.is_ascii_digit();
    prefix.ends_with(is_digit) && id.starts_with(is_digit)
}

/// The ids of an inbox's sheets that may be this one: in another writing, behind the inbox's prefix, or with it.
pub(crate) fn writings_in_inbox(id: &str, prefix: &str) -> Vec<String> {
    let mut writings = other_writings(id);
    if prefix.is_empty() {
        return writings;
    }
    for behind in behind_prefix(id, prefix) {
        writings.extend(other_writings(&behind));
        writings.push(behind);
    }
    writings.push(format!("{prefix}{id}"));
    writings.retain(|other| other != id);
    writings.sort_unstable();
    writings.dedup();
    writings
}

/// The ids by which those of [`writings_in_inbox`] are found: each of them is one of these, or has one of these for its
/// [`plain_form`].
pub(crate) fn forms_in_inbox(id: &str, prefix: &str) -> Vec<String> {
    let mut forms = Vec::new();
    for id in std::iter::once(id.to_owned()).chain(behind_prefix(id, prefix)) {
        forms.extend(same_months(&id));
        forms.push(plain_form(&id));
        forms.push(id);
    }
    if !prefix.is_empty() {
        forms.push(format!("{prefix}{id}"));
    }
    forms.sort_unstable();
    forms.dedup();
    forms
}

/// What is left of an id when nothing of it can be another writing of less.
pub(crate) fn plain_form(id: &str) -> String {
    /// Marks may stand within brackets, and those within marks.
    const ROUNDS: usize = 8;
    let plainer = |form: &String| plain_writing(form);
    let forms = std::iter::successors(Some(id.to_owned()), plainer);
    forms.take(ROUNDS).last().unwrap_or_default()
}

/// The same of an id in any writing.
fn compared(id: &str) -> Option<String> {
    let plain = bare_number(id).unwrap_or_else(|| {
        let plain = plain_text(id);
        let bare = bare(&plain);
        bare_number(bare).unwrap_or_else(|| bare.to_owned())
    });
    (plain != id).then_some(plain)
}

/// The ids that may be this one in another writing: in capitals, in small letters or with a first capital alone, with any
/// dash and with one space or two, and with what stands beside one in a mail. Other mixtures of letters are not looked for.
pub(super) fn other_writings(id: &str) -> Vec<String> {
    let plain = plain_text(id);
    let bare = bare(&plain).to_owned();
    let mut others = same_numbers(&bare);
    others.extend(same_numbers(id));
    others.extend(same_months(id));
    others.extend(with_something_beside(&bare));
    if id != bare {
        others.extend(with_something_beside(id));
    }
    // Of most ids some of them are one.
    let mut writings = in_other_letters(&plain);
    if bare != plain {
        writings.extend(in_other_letters(&bare));
    }
    writings.extend([id.to_owned(), plain, bare]);
    writings.sort_unstable();
    writings.dedup();
    for writing in writings {
        others.extend(with_half_a_pair(&writing));
        others.extend(with_other_dashes(&writing));
        others.push(writing);
    }
    others.retain(|other| other != id);
    others.sort_unstable();
    others.dedup();
    others
}

/// A text in small letters, and with a first capital alone.
fn in_other_letters(text: &str) -> Vec<String> {
    let small = text.to_lowercase();
    let first = small.chars().next().map_or(0, char::len_utf8);
    let (head, tail) = small.split_at(first);
    let capital = head.to_uppercase() + tail;
    vec![small, capital]
}

fn plain_text(id: &str) -> String {
    let bare = id
        .trim_start_matches(QUOTES_BEFORE)
        .trim_end_matches(QUOTES_BEHIND);
    let id = if bare.trim().is_empty() { id } else { bare };
    let words: Vec<&str> = id.split_whitespace().collect();
    words.join(" ").to_uppercase().replace(DASHES, "-")
}

/// An id with the quotation mark that may be left of a pair, whichever that is.
fn with_half_a_pair(id: &str) -> Vec<String> {
    if !id.contains(char::is_alphanumeric) {
        return Vec::new();
    }
    let before = QUOTES_BEFORE.map(|mark| format!("{mark}{id}"));
    let behind = QUOTES_BEHIND.map(|mark| format!("{id}{mark}"));
    before.into_iter().chain(behind).collect()
}

fn with_other_dashes(writing: &str) -> Vec<String> {
    let mut others = Vec::new();
    if writing.contains('-') {
        others.extend(DASHES.map(|dash| writing.replace('-', &dash.to_string())));
    }
    if writing.contains(' ') {
        others.push(writing.replace(' ', "  "));
    }
    others
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pair_of_numbers_and_the_month_that_a_spreadsheet_makes_of_it_are_found_from_either_side() {
        for (pair, month) in [
            ("12-45", "Dec-45"),
            ("12/45", "Dec-45"),
            ("12-45", "Dez 45"),
            ("4-99", "Apr-99"),
            ("04-99", "abr-99"),
            ("5-13", "Mai 13"),
            ("1-45", "ene-45"),
        ] {
            for (id, found) in [(pair, month), (month, pair)] {
                let others = other_writings(id);
                assert!(others.contains(&found.to_owned()), "{id}: {others:?}");
            }
        }
        for id in ["13-45", "0-45", "12-5", "12-145", "Dec-145", "Dec-4"] {
            let others = other_writings(id);
            let has_letters = |id: &str| bare(&id.to_uppercase()).contains(char::is_alphabetic);
            assert!(
                others.iter().all(|other| has_letters(other) == has_letters(id)),
                "{id}: {others:?}"
            );
        }
        assert!(
            !other_writings("5-13").contains(&"May-13".to_owned()),
            "that is a day"
        );
    }

    proptest::proptest! {
        #[test]
        fn the_writing_of_a_plain_id_is_the_id(id in "[A-Z0-9a_., '\u{2019}\u{2013}-]{0,8}") {
            assert_eq!(plain_writing(&id), compared(&id));
        }
    }

    /// Asserts that each of the writings that are looked for of an id is found by its form.
    fn are_found_by_form(id: &str, prefix: &str) {
        let forms = forms_in_inbox(id, prefix);
        for other in writings_in_inbox(id, prefix) {
            let form = plain_form(&other);
            let is_found = forms.contains(&other) || forms.contains(&form);
            assert!(is_found, "{id:?}: {other:?} is {form:?}, not of {forms:?}");
        }
    }

    proptest::proptest! {
        #[test]
        fn every_writing_that_is_looked_for_is_found_by_its_form(
            id in "(S-|s-|Order |No[.] )?[A-Zb0-9.,'\u{2019}\u{2013}_ -]{1,7}[.,;'\u{2019}]?",
            prefix in "(S-|1|)",
        ) {
            are_found_by_form(&id, &prefix);
        }

        #[test]
        fn so_is_every_writing_of_a_number_or_a_month(
            id in "0{0,2}[0-9]{1,7}|[0-9]{1,2}[-/][0-9]{1,4}|(Dec|Apr|dez)[- ][0-9]{2}"
        ) {
            are_found_by_form(&id, "");
        }

        #[test]
        fn an_id_whose_form_is_another_one_is_not_plain(id in "[A-Za-z0-9_.#() -]{0,6}") {
            let is_plain = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '-' || c == '_';
            if id.chars().all(is_plain) && !id.starts_with('0') {
                assert_eq!(plain_form(&id), id);
            }
        }
    }

    #[test]
    fn an_id_with_the_prefix_of_its_inbox_is_found_in_whatever_writing() {
        for (id, known) in [
            ("S-1001", "1001"),
            ("S\u{2013}1001", "1001"),
            ("s-1001", "1001"),
            ("S-1001.", "1001"),
            ("(S-1001)", "1001"),
            ("Order S-1001", "1001"),
            ("\u{2116}S-1001", "1001"),
            ("S-777", "00777"),
            ("S-01005", "1005"),
            ("S-PO-1", "po-1"),
            ("S-Po-1a", "Po-1a"),
        ] {
            assert!(writings_in_inbox(id, "S-").contains(&known.to_owned()), "{id}");
            assert!(!writings_in_inbox(id, "").contains(&known.to_owned()), "{id}");
            let plain = |id| plain_writing_in_inbox(id, "S-").unwrap_or_else(|| id.to_owned());
            assert_eq!(plain(id), plain(known), "{id}");
        }
        assert!(writings_in_inbox("1003", "S-").contains(&"S-1003".to_owned()));
        assert!(!writings_in_inbox("S-", "S-").contains(&String::new()));
        // Where it begins nobody knows: each is an order of its own sheet.
        assert!(writings_in_inbox("123", "1").contains(&"23".to_owned()));
        assert_eq!(plain_writing_in_inbox("123", "1"), None);
    }

    #[test]
    fn of_what_stands_beside_an_id_more_is_read_than_is_looked_for() {
        for id in [
            "Order No. 1001",
            "BESTELL-NR. 1001",
            "Order 01001",
            "(#1001)",
            "\u{2022} 1001",
        ] {
            assert!(other_writings(id).contains(&"1001".to_owned()), "{id}");
            assert_eq!(plain_writing(id).as_deref(), Some("1001"), "{id}");
        }
        let many = other_writings("1001").len();
        assert!(
            many < 80,
            "{many} are looked for, of each order that is not known"
        );
    }

    #[test]
    fn ids_that_differ_in_writing_alone_are_found_from_either_side() {
        for (one, other) in [
            ("PO-1", "po-1"),
            ("PO-1", "Po-1"),
            ("A-9", "A\u{2013}9"),
            ("AB 12", "AB  12"),
            ("PO-1", "po\u{2013}1"),
            ("web  7", "Web 7"),
            ("éa1", "ÉA1"),
            ("40011", "40,011"),
            ("1001", "1001'"),
            ("1001", "\"1001"),
            ("A-7", "A-7\u{2019}"),
            ("1001", "1001\""),
            ("1001", "\u{201c}1001"),
            ("1001", "1001\u{201d}"),
            ("1001", "'1001"),
            ("PO-1A", "PO-1A'"),
            ("1001", "1001,"),
            ("1001", "1001."),
            ("1001", "1001;"),
            ("1001", "1001*"),
            ("1001", "(1001)"),
            ("1001", "Order #1001"),
            ("1001", "order 1001"),
            ("1001", "Nr. 1001"),
            ("1001", "no. 1001"),
            ("1001", "\u{2116}1001"),
            ("PO-1", "PO-1."),
            ("PO-1", "Order PO-1"),
            ("po-1", "(po-1)"),
            ("Order PO-1", "order po-1"),
        ] {
            for (id, found) in [(one, other), (other, one)] {
                assert!(
                    other_writings(id).contains(&found.to_owned()),
                    "{id}: {:?}",
                    other_writings(id)
                );
            }
            let plain = |id: &str| plain_writing(id).unwrap_or_else(|| id.to_owned());
            assert_eq!(plain(one), plain(other));
        }
        assert_eq!(plain_writing("PO-1"), None);
        for (one, other) in [
            ("PO-1", "PO-2"),
            ("PO1", "PO-1"),
            ("1001", "1001-R1"),
            ("1001", "1001-2"),
            ("1001", "PO 1001"),
            ("", " "),
        ] {
            assert!(!other_writings(one).contains(&other.to_owned()), "{one} {other}");
        }
        assert_eq!(other_writings("-"), ["\u{2013}", "\u{2014}"]);
    }
}
