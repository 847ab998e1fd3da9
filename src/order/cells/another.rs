//! What is said of a recipient or an address that would be passed over for the one that is read.

use std::collections::HashSet;

use super::said::{is_tick, unreadable_beside};
use super::whereabouts::may_be_an_address;
use super::{Cells, words};
use crate::finding::{Code, Finding};
use crate::order::columns::Field;
use crate::order::layout::{InOneCell, Layout, column_ref};
use crate::order::mend::{mend, quoted};
use crate::order::nothing::says_nothing;
use crate::order::places;
use crate::sheet::{CellKind, Row};

impl Cells {
    /// What a row says of other addresses than the one that is read. A row without one leaves that to the order's first row.
    pub(super) fn other_addresses(&self, layout: &Layout, row: &Row) -> Vec<Finding> {
        let whole = whole_address(layout, row).into_iter();
        // Hardly any sheet has other columns of an address.
        let recipients = layout.recipients();
        let has_others = !recipients.others.is_empty()
            || !recipients.passed_over.is_empty()
            || !recipients.passed_over_names.is_empty()
            || !recipients.corrected.is_empty()
            || !recipients.in_one_cell.is_empty();
        if !has_others || self.text(Field::ShippingAddress1).is_empty() {
            return whole.collect();
        }
        let address = Field::ALL.into_iter().filter(|field| field.is_address());
        let said: HashSet<String> = address.flat_map(|field| words(self.text(field))).collect();
        let is_another = |column: &usize| {
            let text = row.text(*column).trim();
            !says_nothing(text) && !is_tick(text) && !words(text).all(|word| said.contains(&word))
        };
        let is_passed_over = |column: &usize| {
            is_another(column)
                && !is_lost(row, *column)
                && !self.says_the_same(row.text(*column).trim(), &said)
        };
        let others = recipients.others.iter();
        let others = others.filter_map(|columns| columns.iter().copied().find(is_another));
        let passed_over = recipients.passed_over.iter();
        let passed_over = passed_over.filter_map(|columns| columns.iter().copied().find(is_passed_over));
        let names = recipients.passed_over_names.iter().copied();
        let names = names.filter(|column| is_whole(row.text(*column).trim()) && is_passed_over(column));
        let is_corrected = |(field, column): &(Field, usize)| {
            is_passed_over(column) && self.is_corrected(*field, row.text(*column).trim(), &said)
        };
        let corrected = recipients
            .corrected
            .iter()
            .find(|corrected| is_corrected(corrected));
        let corrected = corrected.map(|(_, column)| *column);
        let in_one_cell = recipients.in_one_cell.iter();
        let in_one_cell = in_one_cell.filter(|(whose, column)| {
            is_another(column)
                && !is_lost(row, *column)
                && self.is_elsewhere(*whose, row.text(*column).trim(), &said)
        });
        let in_one_cell = in_one_cell.map(|(_, column)| *column);
        let others = others.chain(passed_over).chain(names);
        let others = others.chain(corrected).chain(in_one_cell);
        let others = others.map(|column| self.second_address(row.text(column).trim(), column));
        whole.chain(others).chain(without_result(layout, row)).collect()
    }

    /// Whether a text is the zip that is read, be it without its zeros or with four digits more, or the whole address, with
    /// its state or its country in other words.
    fn says_the_same(&self, text: &str, said: &HashSet<String>) -> bool {
        let told: HashSet<String> = words(text).collect();
        let tells = |field: Field| {
            let text = self.text(field);
            !text.is_empty() && words(text).all(|word| told.contains(&word))
        };
        let has_place = tells(Field::ShippingCity) || tells(Field::ShippingZip);
        let mut more = told.iter().filter(|word| !said.contains(*word));
        let is_whole = tells(Field::ShippingAddress1)
            && has_place
            && more.all(|word| !word.contains(|c: char| c.is_ascii_digit()));
        is_whole || is_same_zip(text, self.text(Field::ShippingZip))
    }

    /// Whether a text, in a column that corrects a field, may be an address or a zip, and another one.
    fn is_corrected(&self, field: Field, text: &str, said: &HashSet<String>) -> bool {
        let has = |is_it: fn(char) -> bool| text.contains(is_it);
        let is_number = |c: char| c.is_ascii_digit();
        if field == Field::ShippingZip {
            return has(is_number);
        }
        let is_address = (has(is_number) || text.contains(',')) && has(char::is_alphabetic);
        is_address && !text.contains('@') && !self.is_the_same_street(text, said)
    }

    /// Whether a text is the address that is read, with another word for what its street is and with four digits more behind
    /// its zip, as those write it who look addresses up.
    fn is_the_same_street(&self, text: &str, said: &HashSet<String>) -> bool {
        const OF_THE_ZIP: usize = 4;
        const SHORT: usize = 3;
        let has_digit = |word: &String| word.contains(|c: char| c.is_ascii_digit());
        let is_kind = |word: &String| word.len() <= SHORT || KINDS_OF_STREETS.contains(&word.as_str());
        let told: HashSet<String> = words(text).collect();
        let (numbers, names): (Vec<String>, Vec<String>) =
            words(self.text(Field::ShippingAddress1)).partition(has_digit);
        let tells = |word: &String| told.contains(word);
        let is_named = !numbers.is_empty()
            && numbers.iter().all(tells)
            && names.iter().any(|word| !is_kind(word) && tells(word));
        let has_zip = words(self.text(Field::ShippingZip)).all(|word| told.contains(&word));
        let is_said = |word: &String| {
            let is_more = word.len() == OF_THE_ZIP && has_zip;
            said.contains(word) || if has_digit(word) { is_more } else { is_kind(word) }
        };
        is_named && told.iter().all(is_said)
    }

    /// Whether what a column holds in one cell is another address than the one that is read.
    fn is_elsewhere(&self, whose: InOneCell, text: &str, said: &HashSet<String>) -> bool {
        // Behind `Mail to` and `Send to` may stand where the artwork's proof goes.
        if text.contains('@') || self.adds_but_the_place(text, said) {
            return false;
        }
        match whose {
            InOneCell::Recipients => true,
            InOneCell::Anybodys => !self.says_the_same(text, said) && !self.is_the_same_street(text, said),
            InOneCell::Perhaps => may_be_an_address(text),
        }
    }

    /// Whether a text adds to the address that is read but its country or its province in other words.
    fn adds_but_the_place(&self, text: &str, said: &HashSet<String>) -> bool {
        let [code, name] = [Field::ShippingCountryCode, Field::ShippingCountry].map(|field| self.text(field));
        let Some(country) = places::agreed_country(code, name) else {
            return false;
        };
        let added: Vec<String> = words(text).filter(|word| !said.contains(word)).collect();
        let is_country = |text: &str| places::country(text).is_some_and(|named| named.code == country.code);
        let [code, name] =
            [Field::ShippingProvinceCode, Field::ShippingProvince].map(|field| self.text(field));
        let province = country.province(code).or_else(|| country.province(name));
        let is_province = |text: &str| {
            let named = country.province(text);
            province.is_some_and(|province| named.is_some_and(|named| named.code == province.code))
        };
        (0..=added.len()).any(|at| {
            let (before, behind) = added.split_at_checked(at).unwrap_or_default();
            let (before, behind) = (before.join(" "), behind.join(" "));
            let is_before = before.is_empty() || is_province(&before);
            is_before && (behind.is_empty() || is_country(&behind))
        })
    }

    fn second_address(&self, text: &str, column: usize) -> Finding {
        let street = quoted(self.text(Field::ShippingAddress1));
        Finding {
            code: Code::RepeatedColumn,
            row: self.row,
            column: column_ref(column),
            message: format!(
                "{} looks like another address, in a column that is not read: the parcel would go to {street}.",
                quoted(text)
            ),
            hint: "If it is not where the parcel goes, rename or remove the column; else write it into the columns that are \
                   read."
                .to_owned(),
        }
    }
}

/// Words for what a street is, and for where on it, of which some write the shorter one.
const KINDS_OF_STREETS: [&str; 22] = [
    "street",
    "avenue",
    "road",
    "drive",
    "lane",
    "boulevard",
    "blvd",
    "court",
    "place",
    "square",
    "circle",
    "parkway",
    "highway",
    "terrace",
    "trail",
    "suite",
    "unit",
    "north",
    "south",
    "east",
    "west",
    "straße",
];

/// What is said of a column of another address whose formula has no stored result: it may be one. The error of a look-up that
/// finds none says that there is none.
fn without_result(layout: &Layout, row: &Row) -> Option<Finding> {
    let recipients = layout.recipients();
    let of_others = recipients.others.iter().chain(&recipients.passed_over).flatten();
    let corrected = recipients.corrected.iter().map(|(_, column)| column);
    let mut columns = of_others.chain(corrected);
    let column = columns.find(|column| row.kind(**column) == CellKind::NoValue)?;
    unreadable_beside(layout, *column, row)
}

/// Whether a cell holds a spreadsheet's error, of which no text is left.
fn is_lost(row: &Row, column: usize) -> bool {
    let mended = mend(Field::ShippingAddress1, row.text(column), row.kind(column));
    mended.text.is_empty()
}

/// Whether two texts are one zip, in the writings that spreadsheets and shops have for it.
fn is_same_zip(one: &str, other: &str) -> bool {
    const OF_THE_STREET: usize = 4;
    let bare = |zip: &str| -> String {
        let signs = zip.chars().filter(|c| c.is_alphanumeric());
        let zip: String = signs.flat_map(char::to_lowercase).collect();
        zip.trim_start_matches('0').to_owned()
    };
    let (one, other) = (bare(one), bare(other));
    let is_more = |long: &str, short: &str| {
        let more = long.strip_prefix(short);
        more.is_some_and(|more| more.is_empty() || more.len() == OF_THE_STREET)
    };
    !one.is_empty() && !other.is_empty() && (is_more(&one, &other) || is_more(&other, &one))
}

/// A whole address in the cell of a recipient, as below `Ship To`: it would be printed as a name above another address.
fn whole_address(layout: &Layout, row: &Row) -> Option<Finding> {
    let column = layout.recipients().somebody?;
    let text = row.text(column).trim();
    is_whole(text).then(|| Finding {
        code: Code::RepeatedColumn,
        row: row.number(),
        column: column_ref(column),
        message: format!(
            "{} is more than a name: an address in it would be printed as a part of the name, and the parcel would go to the \
             columns of the address.",
            quoted(text)
        ),
        hint: "Leave the recipient's name alone in this cell, and write where the parcel goes into the columns of the \
               address."
            .to_owned(),
    })
}

/// Whether a text has the lines of an address, or ends as one.
pub(super) fn is_whole(text: &str) -> bool {
    let mut lines = text.lines().filter(|line| !line.trim().is_empty()).skip(1);
    let has_digit = |text: &str| text.contains(|c: char| c.is_ascii_digit());
    let is_of_lines = lines.any(has_digit) || text.lines().filter(|line| !line.trim().is_empty()).count() > 2;
    is_of_lines || ends_in_a_zip(text)
}

/// Whether a text ends in a zip behind a street's number or a comma: a number alone may be a customer's.
fn ends_in_a_zip(text: &str) -> bool {
    let tokens: Vec<&str> = text.split([' ', ',']).filter(|token| !token.is_empty()).collect();
    let Some((last, before)) = tokens.split_last() else {
        return false;
    };
    let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let is_us = |zip: &str| {
        let (head, tail) = zip.split_once('-').unwrap_or((zip, "0000"));
        head.len() == 5 && tail.len() == 4 && is_digits(head) && is_digits(tail)
    };
    let is_half = |half: &str| {
        let has = |is_it: fn(&char) -> bool| half.chars().any(|c| is_it(&c));
        (3..=4).contains(&half.len()) && has(char::is_ascii_digit) && has(char::is_ascii_uppercase)
    };
    let has_street = |before: &[&str]| {
        let has_number = before
            .iter()
            .any(|token| token.starts_with(|c: char| c.is_ascii_digit()));
        has_number || text.contains(',')
    };
    let is_of_two = before
        .split_last()
        .is_some_and(|(half, before)| is_half(half) && is_half(last) && has_street(before));
    is_of_two || (is_us(last) && before.len() > 2 && has_street(before))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::order::tests::drafts;

    #[test]
    fn a_whole_address_below_the_word_for_a_recipient_is_no_name() {
        let told = |name: &str, text: &str| {
            let header = [
                "Order ID", name, "Address", "City", "State", "Zip", "Country", "SKU", "Qty",
            ];
            let row = [
                "1",
                text,
                "12 Maple Street",
                "Columbus",
                "OH",
                "43004",
                "US",
                "TEE",
                "1",
            ];
            let draft = drafts(&header, &[row.map(str::to_owned).to_vec()]).remove(0);
            let findings = draft.findings().iter();
            findings
                .filter(|finding| finding.code == Code::RepeatedColumn)
                .count()
        };
        for name in ["Ship To", "Recipient", "Deliver To", "Consignee", "Empfänger"] {
            for text in [
                "Gina Gift\n9 Oak Road\nPortland, OR 97205",
                "Gina Gift\nOak Cottage\nLittle Village",
                "Gina Gift, 9 Oak Road, Portland, OR 97205",
                "Gina Gift 9 Oak Road Portland OR 97205-1234",
                "Gina Gift, 9 High St, Leeds LS1 4AP",
            ] {
                assert_eq!(told(name, text), 1, "{name} {text}");
            }
            for text in [
                "Gina Gift",
                "Gina Gift\nc/o Ada Example",
                "Example, Ada",
                "Ada Example 43004",
                "Studio 54",
                "Ada Example III, Unit 4",
            ] {
                assert_eq!(told(name, text), 0, "{name} {text}");
            }
        }
        assert_eq!(told("Name", "Gina Gift, 9 Oak Road, Portland, OR 97205"), 0);
    }
}
