//! Whether each line names something that is printed: a SKU of the catalog, a number of pieces, artwork.

use crate::catalog::{Entry, Snapshot};
use crate::finding::{CellRef, Code, Finding};
use crate::order::{Cells, Draft, Field, Line, is_digits, quoted};

use super::Subject;
use super::value::{self, Wrong, same};

/// How many SKUs a hint suggests.
const SUGGESTED: usize = 3;

/// The way out where the merchant's own SKUs are mapped.
const BY_THE_MAP: &str =
    "Fill in its row of the SKU-map sheet that lies beside the result, drop that, then drop the order again.";

/// The same where no such sheet is written.
const LATER_BY_THE_MAP: &str = "Once the order is dropped, a SKU-map sheet beside the result asks for it.";

/// What is to be done about what the SKU map lacks.
fn by_the_map(subject: &Subject<'_>) -> &'static str {
    if subject.limits.asks_for_skus {
        BY_THE_MAP
    } else {
        LATER_BY_THE_MAP
    }
}

/// The lines as they are sent, in the order of the rows.
pub(super) fn as_sent(subject: &Subject<'_>) -> Vec<Line> {
    subject
        .draft
        .lines()
        .iter()
        .map(|line| line_as_sent(subject.catalog, line))
        .collect()
}

fn line_as_sent(catalog: &Snapshot, cells: &Cells) -> Line {
    let text = |field| cells.text(field).to_owned();
    let url = |field| Some(text(field)).filter(|url| !url.is_empty());
    let entry = catalog.entry(cells.text(Field::ItemSku));
    let name = Some(text(Field::ProductName)).filter(|name| !name.is_empty());
    let [front, back, more @ ..] = Field::ARTWORK.map(url);
    Line {
        item_sku: entry.map_or_else(|| text(Field::ItemSku), |entry| entry.sku.clone()),
        quantity: pieces(cells.text(Field::Quantity)).unwrap_or(0),
        product_name: name
            .or_else(|| entry.map(|entry| entry.product_name.clone()))
            .unwrap_or_default(),
        made_in_location: location(catalog, entry, cells.text(Field::MadeInLocation)),
        variant_note: text(Field::VariantNote),
        mockup_url: url(Field::MockupUrl),
        artwork_front: front,
        artwork_back: back,
        artwork_more: more,
    }
}

/// The location in the catalog's own case.
fn location(catalog: &Snapshot, entry: Option<&Entry>, text: &str) -> String {
    let detail = entry.and_then(|entry| catalog.detail(&entry.sku));
    let own = detail.and_then(|detail| detail.location_names().find(|name| same(name, text)));
    own.unwrap_or(text).to_owned()
}

pub(super) fn are_complete(subject: &Subject<'_>) -> Vec<Finding> {
    let draft = subject.draft;
    let mut findings = Vec::new();
    for line in draft
        .lines()
        .iter()
        .filter(|line| !draft.is_asked_to_cancel(line))
    {
        if draft.packs_lines()
            && line.text(Field::ItemSku).is_empty()
            && line.text(Field::Quantity).is_empty()
        {
            findings.push(without_items(draft, line));
            continue;
        }
        for field in [Field::ItemSku, Field::Quantity] {
            if line.text(field).is_empty() && !line.is_spoiled(field) {
                let message = format!("{} is blank.", field.name());
                let hint = "Each row of an order is a line of its own: write it, or remove the row.";
                findings.push(draft.finding(Code::MissingValue, (field, line), message, hint));
            }
        }
    }
    findings
}

/// A row that has a whole order, and nothing in the cells of its items.
fn without_items(draft: &Draft, line: &Cells) -> Finding {
    let message = "The order has no items.".to_owned();
    let hint =
        "Write them into the cells that the shop has for them, as in its other orders, or remove the row.";
    draft.finding(Code::MissingValue, (Field::ItemSku, line), message, hint)
}

pub(super) fn were_all_read(subject: &Subject<'_>) -> Vec<Finding> {
    let (read, left_out) = (subject.draft.rows().len(), subject.draft.left_out());
    if left_out == 0 {
        return Vec::new();
    }
    let (rows, most) = (read + left_out, subject.limits.max_lines);
    let message =
        format!("The order has {rows} rows, of which the first {read} were read; {most} lines are allowed.");
    vec![too_many(subject, message)]
}

pub(super) fn are_not_too_many(subject: &Subject<'_>) -> Vec<Finding> {
    let (draft, most) = (subject.draft, subject.limits.max_lines);
    let lines = draft.lines().len();
    if lines <= most || draft.left_out() > 0 {
        return Vec::new();
    }
    let message = format!("The order has {lines} lines; {most} are allowed.");
    vec![too_many(subject, message)]
}

fn too_many(subject: &Subject<'_>, message: String) -> Finding {
    let at = (Field::OrderId, subject.draft.value(Field::OrderId).row);
    let hint = "Split it into orders with ids of their own.";
    subject.draft.finding(Code::RowsPerOrder, at, message, hint)
}

pub(super) fn skus_are_known(subject: &Subject<'_>) -> Vec<Finding> {
    let (draft, catalog) = (subject.draft, subject.catalog);
    draft
        .lines()
        .iter()
        .filter_map(|line| {
            let sku = line.text(Field::ItemSku);
            let at = (Field::ItemSku, line);
            if sku.is_empty() || line.is_spoiled(Field::ItemSku) {
                return None;
            }
            let Some(entry) = catalog.entry(sku) else {
                let message = match (line.own(), line.alike()) {
                    (None, None) => format!("{}{} is not in the catalog.", instead_of_sku(line), quoted(sku)),
                    (None, Some(alike)) => format!(
                        "{}{} is not in the catalog, and the SKU map has it neither; row {} of that has {}.",
                        instead_of_sku(line),
                        quoted(sku),
                        alike.row,
                        quoted(&alike.sku)
                    ),
                    (Some(own), _) => format!(
                        "{} is not in the catalog; row {} of the SKU map has it for {}.",
                        quoted(sku),
                        own.map_row,
                        quoted(&own.sku)
                    ),
                };
                let hint = match line.alike() {
                    None => suggestion(subject, sku),
                    Some(alike) => format!(
                        "If {} is this one, as a spreadsheet has changed it, write {} there, in a cell that is text. Else: {}",
                        quoted(&alike.sku),
                        quoted(sku),
                        suggestion(subject, sku)
                    ),
                };
                return Some(draft.finding(Code::UnknownSku, at, message, &hint));
            };
            let availability = catalog.detail(&entry.sku)?.availability.as_deref()?;
            if availability.eq_ignore_ascii_case("in_stock") {
                return None;
            }
            let message = format!(
                "{} is not in stock: the service says {}.",
                quoted(&entry.sku),
                quoted(availability)
            );
            let hint = "Once it is sent it may wait there; choose another SKU if that is too long.";
            Some(draft.finding(Code::NotInStock, at, message, hint))
        })
        .collect()
}

/// What to say before a text that stands for the SKU of a line without one: a finding points at the SKU's own cell, which is
/// blank.
fn instead_of_sku(line: &Cells) -> String {
    let row = line.row();
    let cells = line.key_columns().iter();
    let cells: Vec<String> = cells
        .map(|column| CellRef { row, column: *column }.to_string())
        .collect();
    if cells.is_empty() {
        return String::new();
    }
    format!(
        "The SKU is blank, and what stands for it in {}, ",
        cells.join(" and ")
    )
}

fn suggestion(subject: &Subject<'_>, sku: &str) -> String {
    if subject.limits.asks_for_skus {
        return BY_THE_MAP.to_owned();
    }
    let nearest = subject.catalog.nearest(sku, SUGGESTED);
    let later = if subject.limits.has_sku_map {
        format!(" {LATER_BY_THE_MAP}")
    } else {
        String::new()
    };
    if nearest.is_empty() {
        return format!("Look the SKU up in help/catalog.xlsx.{later}");
    }
    let nearest: Vec<String> = nearest
        .iter()
        .map(|entry| format!("{} ({}, {})", entry.sku, entry.product_name, entry.title))
        .collect();
    format!("Did you mean {}?{later}", nearest.join(" or "))
}

pub(super) fn locations_make_them(subject: &Subject<'_>) -> Vec<Finding> {
    let (draft, catalog) = (subject.draft, subject.catalog);
    draft
        .lines()
        .iter()
        .filter_map(|line| {
            let text = line.text(Field::MadeInLocation);
            let entry = catalog.entry(line.text(Field::ItemSku))?;
            if text.is_empty() {
                return None;
            }
            let wrong = value::location(catalog, entry, text)?;
            Some(wrong_value(subject, (Field::MadeInLocation, line), wrong))
        })
        .collect()
}

pub(super) fn quantities_are_whole(subject: &Subject<'_>) -> Vec<Finding> {
    let (draft, most) = (subject.draft, subject.limits.max_quantity);
    draft
        .lines()
        .iter()
        .filter_map(|line| {
            let text = line.text(Field::Quantity);
            let at = (Field::Quantity, line);
            if text.is_empty() || line.is_spoiled(Field::Quantity) {
                return None;
            }
            if !is_digits(text) || text.bytes().all(|digit| digit == b'0') {
                let message = format!("The quantity {} is not a whole number above zero.", quoted(text));
                let hint = "Write how many pieces are wanted, in digits only.";
                return Some(draft.finding(Code::BadQuantity, at, message, hint));
            }
            if pieces(text).is_some_and(|pieces| pieces <= most) {
                return None;
            }
            let message = format!(
                "The quantity {} is more than {most}, the most of one line.",
                quoted(text)
            );
            let hint = "If so many are wanted, write them as several lines. Number those in a column of your own, such as \
                        `line`: rows that are equal in every cell are held until somebody approves them.";
            Some(draft.finding(Code::QuantityTooLarge, at, message, hint))
        })
        .collect()
}

/// The number that a quantity of digits means; none beyond four thousand million.
fn pieces(text: &str) -> Option<u32> {
    // Digits that do not parse are too many of them.
    is_digits(text).then(|| text.parse().ok()).flatten()
}

pub(super) fn artwork_is_given(subject: &Subject<'_>) -> Vec<Finding> {
    let draft = subject.draft;
    let given = |line: &Cells, field: Field| !line.text(field).is_empty() || line.is_spoiled(field);
    // What is asked for in the SKU map is asked for together.
    let asked = |line: &Cells| {
        subject.limits.has_sku_map && subject.catalog.entry(line.text(Field::ItemSku)).is_none()
    };
    draft
        .lines()
        .iter()
        .filter(|line| !Field::ARTWORK.iter().any(|field| given(line, *field)) && !asked(line))
        .filter(|line| !draft.is_asked_to_cancel(line))
        .map(|line| {
            let message = "The line has no artwork.".to_owned();
            let hint = if subject.limits.has_sku_map {
                by_the_map(subject)
            } else {
                "Write the artwork's web address into artwork_front, or into the column of another side."
            };
            draft.finding(Code::MissingArtwork, (Field::ArtworkFront, line), message, hint)
        })
        .collect()
}

pub(super) fn urls_are_web_addresses(subject: &Subject<'_>) -> Vec<Finding> {
    let draft = subject.draft;
    let mut findings = Vec::new();
    for line in draft.lines() {
        for field in Field::ARTWORK.into_iter().chain([Field::MockupUrl]) {
            let text = line.text(field);
            if text.is_empty() || line.is_spoiled(field) {
                continue;
            }
            let wrong = value::url(field, text);
            findings.extend(wrong.map(|wrong| wrong_value(subject, (field, line), wrong)));
        }
    }
    findings
}

/// What is said of a line's value: where the SKU map has it, the order's own cells are right, and the map is to be mended.
pub(super) fn wrong_value(subject: &Subject<'_>, (field, line): (Field, &Cells), wrong: Wrong) -> Finding {
    let draft = subject.draft;
    let by_map = line.own().filter(|own| own.has_from_map(field));
    match by_map {
        None => draft.finding(wrong.code, (field, line), wrong.message, &wrong.hint),
        Some(own) => {
            let said = wrong.message.trim_end_matches('.');
            let message = format!(
                "{said}; row {} of the SKU map has it for {}.",
                own.map_row,
                quoted(&own.sku)
            );
            let hint = format!("{} {}", wrong.hint, by_the_map(subject));
            draft.finding(wrong.code, (field, line), message, &hint)
        }
    }
}
