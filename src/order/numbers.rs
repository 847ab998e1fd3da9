//! Ids that are numbers to a spreadsheet: it drops the zeros in front of them, and shows them in groups of three digits.

use super::mend::is_digits;

/// As many zeros are looked for in front of a number.
const MOST_ZEROS: usize = 9;

/// What stands between the groups, in the language of the spreadsheet.
const MARKS: [char; 5] = [',', '.', ' ', '\'', '\u{2019}'];

/// The decimals that a spreadsheet shows behind the groups where it is told to, as its comma style does.
const DECIMALS: [&str; 4] = [".0", ".00", ",0", ",00"];

/// The digits of a number in groups, `40,011` or `40 011`, with or without decimals; none of any other text.
fn ungrouped(id: &str) -> Option<String> {
    let decimals = DECIMALS.into_iter().find_map(|decimals| {
        let whole = id.strip_suffix(decimals)?;
        may_follow(decimals, |mark| whole.contains(mark)).then_some(whole)
    });
    let id = decimals.unwrap_or(id);
    let mark = MARKS.into_iter().find(|mark| id.contains(*mark))?;
    let (first, groups) = id.split_once(mark)?;
    let is_first = is_digits(first) && first.len() <= 3 && !first.starts_with('0');
    let is_group = |group: &str| group.len() == 3 && is_digits(group);
    (is_first && groups.split(mark).all(is_group)).then(|| id.replace(mark, ""))
}

/// Whether decimals can stand behind groups with these marks: the mark before them is another one.
fn may_follow(decimals: &str, has_mark: impl Fn(char) -> bool) -> bool {
    decimals.chars().next().is_some_and(|mark| !has_mark(mark))
}

/// A number as a spreadsheet keeps it, where an id is written otherwise.
pub(super) fn bare_number(id: &str) -> Option<String> {
    if let Some(digits) = ungrouped(id) {
        return Some(digits);
    }
    let bare = id.strip_prefix('0')?.trim_start_matches('0');
    (is_digits(id) && !bare.is_empty()).then(|| bare.to_owned())
}

/// The ids that a spreadsheet may have made of this one, or of which it may have made this one: other writings of a number.
pub(super) fn same_numbers(id: &str) -> Vec<String> {
    if let Some(bare) = bare_number(id) {
        return vec![bare];
    }
    if !is_digits(id) || id.starts_with('0') {
        return Vec::new();
    }
    let zeros = (1..=MOST_ZEROS).map(|zeros| format!("{id:0>width$}", width = id.len() + zeros));
    let groups = MARKS.into_iter().filter(|_| id.len() > 3);
    let groups = groups.flat_map(|mark| {
        let decimals = DECIMALS
            .into_iter()
            .filter(move |own| may_follow(own, |of| of == mark));
        let behind = decimals.chain([""]);
        behind.map(move |decimals| grouped(id, mark) + decimals)
    });
    zeros.chain(groups).collect()
}

fn grouped(digits: &str, mark: char) -> String {
    let mut text = String::with_capacity(digits.len() * 2);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(mark);
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_spreadsheet_makes_of_a_number_is_found_from_either_side() {
        for (number, written) in [
            ("123", "00123"),
            ("40011", "40,011"),
            ("40011", "40.011"),
            ("1234567", "1.234.567"),
            ("40011", "40 011"),
            ("40011", "40'011"),
            ("40011", "40,011.00"),
            ("40011", "40.011,00"),
            ("40011", "40 011,0"),
            ("1234567", "1,234,567.00"),
        ] {
            assert_eq!(same_numbers(written), [number], "{written}");
            assert!(
                same_numbers(number).contains(&written.to_owned()),
                "{number}: {written}"
            );
        }
        for other in [
            "0",
            "000",
            "AB-1",
            "1001-2",
            "1.0",
            "0.123",
            "1,23",
            "12,3456",
            "1.234,567",
            "40,011,00",
            "40,011.10",
            "40,011.000",
            "011.00",
            "",
        ] {
            assert_eq!(same_numbers(other), [""; 0], "{other}");
        }
        assert_eq!(same_numbers("7").len(), MOST_ZEROS);
    }
}
