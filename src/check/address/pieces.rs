//! Names and streets that are read from several cells, where one of those has what stands for a value that nobody had: beside
/// a first name, `ditto` is printed.
use super::is_nothing_there;
use crate::finding::{Code, Finding};
use crate::order::{
    At, Draft, Field, is_example, is_unfilled, is_word_for_nothing, lost_in, points_elsewhere, quoted,
};

/// What such fields are made of.
const MADE_OF: [(Field, &str); 3] = [
    (Field::ShippingName, "part of a name"),
    (Field::ShippingAddress1, "part of a street"),
    (Field::ShippingAddress2, "part of a line of an address"),
];

/// What is said of each field that has such a piece beside others.
pub(super) fn placeholders(draft: &Draft) -> Vec<Finding> {
    MADE_OF
        .into_iter()
        .filter_map(|(field, part)| placeholder(draft, field, part))
        .collect()
}

fn placeholder(draft: &Draft, field: Field, part: &str) -> Option<Finding> {
    let value = draft.value(field);
    let at = At::Row(field, value.row);
    let is_alone = |text: &str| text == value.text;
    let (column, text) = draft
        .pieces_of(at)
        .find(|(_, text)| !is_alone(text) && stands_for_nothing(draft, field, text))?;
    if draft.is_spoiled(field) {
        return None;
    }
    let message = format!("{} has {} in it, which is no {part}.", field.name(), quoted(text));
    let hint = "Write it, or leave it blank, on the order's first row.";
    let finding = draft.finding(Code::MissingValue, at, message, hint);
    Some(finding.in_column(Some(column)))
}

fn stands_for_nothing(draft: &Draft, field: Field, text: &str) -> bool {
    if points_elsewhere(text) {
        return true;
    }
    // What stands for letters that were lost is told as that; and a second line may say anything.
    let is_lost = text.contains(char::REPLACEMENT_CHARACTER) || lost_in(field, text).is_some();
    if is_lost || field == Field::ShippingAddress2 {
        return false;
    }
    // `Na` is a surname, and sheets write it in capitals.
    let is_nothing_there = || text != "NA" && is_nothing_there(draft, field, text);
    // A dash is as good as a blank where something stands beside it.
    let is_blank = text.chars().all(|c| "-–—_./ ".contains(c));
    let says_something = is_blank || text.contains(|c: char| c.is_alphanumeric() && c != '0');
    !says_something
        || is_word_for_nothing(text)
        || is_example(text)
        || is_unfilled(text)
        || is_nothing_there()
}
