//! What the rows of a SKU-map sheet answer: each is checked by itself, and those of one SKU against each other.

use std::collections::HashMap;

use crate::catalog::Snapshot;
use crate::check::value::of_product;
use crate::finding::{Code, Finding};
use crate::import::decide::finding;
use crate::ledger::record::{ClaimRef, Outcome};
use crate::order::sku_map::{MapLayout, NOT_PRINTED_HERE, key};
use crate::order::{Field, SkuMap, quoted};
use crate::outcome::Status;
use crate::sheet::Row;

/// How many SKUs a hint suggests.
const SUGGESTED: usize = 3;

/// How many rows a message names.
const NAMED: usize = 5;

/// A row that says something of a SKU.
struct Answer {
    row: u32,
    /// What the row says, in the order of the map's columns: the own SKU first.
    texts: Vec<String>,
    /// Whether it is sound by itself.
    is_sound: bool,
}

/// The answers of a sheet, while it is read.
#[derive(Default)]
pub(super) struct Answers(Vec<Answer>);

impl Answers {
    /// Checks the next row with text; gives its outcome.
    pub(super) fn take(
        &mut self,
        (layout, row): (&MapLayout, &Row),
        claim: ClaimRef,
        (catalog, map): (&Snapshot, &SkuMap),
    ) -> Outcome {
        let number = row.number();
        let judged = judge((layout, row), catalog, map);
        if !matches!(judged, Ok(None)) {
            self.0.push(Answer {
                row: number,
                texts: layout.texts(row),
                is_sound: judged.is_ok(),
            });
        }
        let (status, said) = match judged {
            Ok(Some(message)) => (Status::Skipped, finding(Code::SkuMapped, number, message, "")),
            Ok(None) => {
                let message = "Left blank: nothing was taken into the SKU map.".to_owned();
                (Status::Skipped, finding(Code::NotToPrint, number, message, ""))
            }
            Err(wrong) => (Status::Invalid, wrong),
        };
        Outcome {
            status,
            findings: vec![said],
            ..Outcome::blank(claim, number, String::new())
        }
    }

    /// The rows for the map. Which of the rows of one SKU is meant where they disagree is not for a program to decide:
    /// none of them is taken, and each says so.
    pub(super) fn settle(self, layout: &MapLayout, outcomes: &mut [Outcome]) -> Vec<Vec<String>> {
        let mut by_sku: HashMap<String, Vec<Answer>> = HashMap::new();
        for answer in self.0 {
            // One without a SKU is wrong by itself, and says nothing of any.
            if !answer.own().is_empty() {
                by_sku.entry(key(answer.own())).or_default().push(answer);
            }
        }
        let mut said = HashMap::new();
        let mut taken = Vec::new();
        for answers in by_sku.into_values() {
            if disagree(&answers) {
                said.extend(
                    answers
                        .iter()
                        .map(|answer| (answer.row, contradiction(answer, &answers, layout))),
                );
            } else {
                let sound = answers.into_iter().filter(|answer| answer.is_sound);
                taken.extend(sound);
            }
        }
        for outcome in outcomes {
            let Some(contradiction) = said.remove(&outcome.first_row) else {
                continue;
            };
            outcome.status = Status::Invalid;
            outcome.findings.retain(|finding| finding.code != Code::SkuMapped);
            outcome.findings.push(contradiction);
        }
        taken.sort_unstable_by_key(|answer| answer.row);
        taken.into_iter().map(|answer| answer.texts).collect()
    }
}

impl Answer {
    fn own(&self) -> &str {
        self.texts.first().map_or("", String::as_str)
    }
}

/// Whether the rows of one SKU say different things of it; a blank cell says nothing. Of one that is wrong by itself
/// nobody knows what it was to say.
fn disagree(answers: &[Answer]) -> bool {
    let Some((first, others)) = answers.split_first() else {
        return false;
    };
    if others.iter().any(|other| other.is_sound != first.is_sound) {
        return true;
    }
    (1..first.texts.len()).any(|column| {
        let said = answers.iter().filter_map(|answer| answer.texts.get(column));
        let mut said = said.filter(|text| !text.is_empty());
        let first = said.next();
        // Of the catalog's SKUs the case makes no difference.
        said.any(|text| first.is_some_and(|first| first != text && !(column == 1 && key(first) == key(text))))
    })
}

fn contradiction(answer: &Answer, all: &[Answer], layout: &MapLayout) -> Finding {
    let mut rows: Vec<String> = all
        .iter()
        .filter(|other| other.row != answer.row)
        .map(|other| other.row.to_string())
        .take(NAMED)
        .collect();
    let last = rows.pop().unwrap_or_default();
    let (row, says) = if rows.is_empty() {
        (format!("Row {last}"), "says")
    } else {
        (format!("Rows {} and {last}", rows.join(", ")), "say")
    };
    let own = quoted(answer.own());
    Finding {
        code: Code::SkuAnsweredTwice,
        row: answer.row,
        column: u16::try_from(layout.own_column()).ok(),
        message: format!("{row} {says} something else of {own}: nothing of it was taken into the SKU map."),
        hint: "Leave one row for this SKU, whatever its case, and drop the map again. Where the shop means two products by \
               it, rename one of them there."
            .to_owned(),
    }
}

/// What a row says: what it puts into the map, as a sentence, or nothing.
fn judge(
    (layout, row): (&MapLayout, &Row),
    catalog: &Snapshot,
    map: &SkuMap,
) -> Result<Option<String>, Finding> {
    let (mut item_sku, column) = layout.item_sku(row);
    let lost = layout.lost(row);
    let own = layout.own_sku(row);
    let is_clear = map.entry(&own).is_some() && map.contradiction(&own).is_none();
    let of_map = if is_clear {
        map.item_sku(&own)
    } else {
        String::new()
    };
    if item_sku.is_empty() && lost.iter().all(|lost| usize::from(lost.cell.column) != column) {
        // What the row says besides would be lost without a word; a product's name may have been filled in for reading.
        let said =
            |(field, _, text): &(Field, usize, String)| *field != Field::ProductName && !text.is_empty();
        match layout.values(row).find(said) {
            None => return Ok(None),
            // What is blank leaves what the map has.
            Some(_) if !of_map.is_empty() => item_sku = &of_map,
            Some((field, ..)) => return Err(without_item(row, column, field)),
        }
    }
    let at = |column: usize, code: Code, message: String, hint: String| Finding {
        code,
        row: row.number(),
        column: u16::try_from(column).ok(),
        message,
        hint,
    };
    if own.is_empty() {
        let hint = "Write the shop's own SKU, just as the export has it.".to_owned();
        return Err(at(
            layout.own_column(),
            Code::MissingValue,
            "sku is blank.".to_owned(),
            hint,
        ));
    }
    if let Some(lost) = layout.own_lost(row).into_iter().chain(lost).next() {
        let hint = "Write the value itself, and drop it again.".to_owned();
        return Err(at(usize::from(lost.cell.column), lost.code, lost.message, hint));
    }
    if item_sku.eq_ignore_ascii_case(NOT_PRINTED_HERE) {
        return Ok(Some(format!("In the SKU map: `{own}` is not printed here.")));
    }
    if let Some(entry) = catalog.entry(item_sku) {
        // Taken into the map, it would be an error of every order that has the SKU.
        for (field, column, text) in layout.values(row) {
            if let Some(wrong) = of_product(catalog, Some(entry), field, &text) {
                return Err(at(column, wrong.code, wrong.message, wrong.hint));
            }
        }
        return Ok(Some(format!("In the SKU map: `{own}` is {}.", entry.sku)));
    }
    let near = catalog.nearest(item_sku, SUGGESTED);
    let near: Vec<&str> = near.iter().map(|entry| entry.sku.as_str()).collect();
    let hint = if near.is_empty() {
        format!("Choose a SKU of the catalog, or write {NOT_PRINTED_HERE}.")
    } else {
        format!("Did you mean {}?", near.join(" or "))
    };
    let message = format!("`{item_sku}` is not in the catalog.");
    Err(at(column, Code::UnknownSku, message, hint))
}

/// What is said of a row that says something of a SKU without what that is.
fn without_item(row: &Row, column: usize, field: Field) -> Finding {
    Finding {
        code: Code::MissingValue,
        row: row.number(),
        column: u16::try_from(column).ok(),
        message: format!(
            "item_sku is blank, and {} is not: nothing of the row was taken into the SKU map.",
            field.name()
        ),
        hint: format!("Write the print service's SKU beside it, or {NOT_PRINTED_HERE}."),
    }
}
