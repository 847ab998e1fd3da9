//! An amount as a merchant writes it, read only where there is one way to read it.

use std::borrow::Cow;

use crate::money::Money;

use super::mend::is_digits;

/// The amount of a cell that is a number to the workbook, whatever its decimals: none below zero.
pub(crate) fn of_number(shown: &str) -> Option<Money> {
    let amount: Money = shown.parse().ok()?;
    (!amount.is_negative()).then_some(amount)
}

/// `12.10`, `12,10`, `1,234.50`, `1.234,50`, `1 234,50`, `$12.10`; none where it is no amount, is below zero, or could be two
/// (`1,234`).
pub(crate) fn read(text: &str) -> Option<Money> {
    let digits = text.trim_matches(|c: char| c.is_whitespace() || "$€£".contains(c));
    let digits = &*without_spaces(digits)?;
    let (whole, decimals) = match digits.rsplit_once(['.', ',']) {
        None => (digits, ""),
        Some((whole, decimals)) if (1..=2).contains(&decimals.len()) => (whole, decimals),
        // Behind the only mark no thousands have four digits, and none have a zero before them.
        Some((whole, decimals))
            if is_digits(whole) && (decimals.len() > 3 || (whole == "0" && !decimals.is_empty())) =>
        {
            (whole, decimals)
        }
        // Three digits behind the only mark are thousands to one reader and decimals to another; behind several marks
        // of one kind they are thousands.
        Some((whole, group)) if group.len() == 3 && one_kind_of_mark(whole, digits) => (digits, ""),
        Some(_) => return None,
    };
    let whole = without_groups(whole, digits)?;
    if !is_digits(&whole) || !(decimals.is_empty() || is_digits(decimals)) {
        return None;
    }
    let written = if decimals.is_empty() {
        whole
    } else {
        format!("{whole}.{decimals}")
    };
    // What fails here has more digits than an amount can have.
    written.parse().ok()
}

/// The text without the spaces between thousands; none where they stand otherwise, or beside other marks of thousands.
fn without_spaces(text: &str) -> Option<Cow<'_, str>> {
    let mut groups: Vec<&str> = text.split(char::is_whitespace).collect();
    let last = groups.pop().filter(|_| !groups.is_empty());
    let Some(last) = last else {
        return Some(Cow::Borrowed(text));
    };
    let (thousand, decimals) = last.split_once(['.', ',']).unwrap_or((last, ""));
    let is_group = |group: &str| group.len() == 3 && is_digits(group);
    let (first, others) = groups.split_first()?;
    let are_thousands = (1..=3).contains(&first.len())
        && is_digits(first)
        && others.iter().all(|group| is_group(group))
        && is_group(thousand)
        && !decimals.contains(['.', ',']);
    are_thousands.then(|| Cow::Owned(groups.concat() + last))
}

fn one_kind_of_mark(whole: &str, all: &str) -> bool {
    whole.contains(['.', ',']) && !(all.contains('.') && all.contains(','))
}

/// The digits left of the decimals without their marks, which must all be of one kind, another than the decimal mark,
/// and stand before three digits each.
fn without_groups(whole: &str, all: &str) -> Option<String> {
    let mut groups = whole.split(['.', ',']);
    let first = groups.next()?;
    let rest: Vec<&str> = groups.collect();
    if rest.is_empty() {
        return Some(whole.to_owned());
    }
    let marks = |text: &str| (text.contains('.'), text.contains(','));
    let decimal_mark = all.strip_prefix(whole).and_then(|end| end.chars().next());
    let mixed = marks(whole) == (true, true) || decimal_mark.is_some_and(|mark| whole.contains(mark));
    let thousands = first.len() <= 3 && is_digits(first) && rest.iter().all(|group| group.len() == 3);
    (thousands && !mixed).then(|| whole.replace(['.', ','], ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_amount_is_read_where_there_is_one_way_to_read_it() {
        for (text, amount) in [
            ("12.10", Some("12.10")),
            ("12,10", Some("12.10")),
            ("12", Some("12")),
            ("13.3612345", Some("13.3612345")),
            ("0,125", Some("0.125")),
            ("12,3456,7", None),
            ("12,1", Some("12.1")),
            ("1,234.50", Some("1234.50")),
            ("1.234,50", Some("1234.50")),
            ("1,234,567", Some("1234567")),
            ("1,234,567.89", Some("1234567.89")),
            ("$ 12.10", Some("12.10")),
            ("1 234,50", Some("1234.50")),
            ("1\u{a0}234,50", Some("1234.50")),
            ("1\u{202f}234\u{202f}567.8 €", Some("1234567.8")),
            ("12 345", Some("12345")),
            ("1 234,567", None),
            ("1 234.567,50", None),
            ("1.234 567,50", None),
            ("1234 567", None),
            ("1 23,50", None),
            ("12 .50", None),
            ("1  234", None),
            ("1,234", None),
            ("1.234", None),
            ("1,23,456.00", None),
            ("1,234,50", None),
            ("1.2.3", None),
            ("-12.10", None),
            ("12.", None),
            ("0.", None),
            (".5", None),
            ("twelve", None),
            ("", None),
        ] {
            let read = read(text).map(|money| money.decimal().to_string());
            assert_eq!(read.as_deref(), amount, "{text}");
        }
    }

    #[test]
    fn a_number_is_an_amount_whatever_its_decimals() {
        for (shown, amount) in [
            ("13.015", Some("13.015")),
            ("1.234", Some("1.234")),
            ("1234567.5", Some("1234567.5")),
            ("-1", None),
            ("", None),
        ] {
            let read = of_number(shown).map(|money| money.decimal().to_string());
            assert_eq!(read.as_deref(), amount, "{shown}");
        }
    }
}
