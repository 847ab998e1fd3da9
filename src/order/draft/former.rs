//! Ids in another writing, and values as they are written, that a ledger may hold: an order that was sent under one, or with
//! them, is still known by it.

use unicode_normalization::UnicodeNormalization;

use super::Draft;
use crate::finding::Code;
use crate::order::cells::Cells;
use crate::order::characters::{cleaned, id_as_before, repaired};
use crate::order::columns::{Field, Form};
use crate::order::mend::quoted;

/// The other writing of a cell's id that a ledger may hold; none where that is the same.
pub(in crate::order) fn former_id(raw: &str) -> Option<Box<str>> {
    if raw.is_ascii() {
        return None;
    }
    let repaired = repaired(raw);
    let raw = repaired.as_deref().unwrap_or(raw);
    let before = id_as_before(raw);
    if before == cleaned(raw, Form::Id) {
        return None;
    }
    // As every id, without the sign that shops write before their numbers.
    Some(before.strip_prefix('#').unwrap_or(&before).trim_start().into())
}

impl Draft {
    /// What [`Draft::value`] has of a field, as it is written.
    pub(in crate::order) fn written(&self, field: Field) -> &str {
        let is_filled = |cells: &&Cells| !cells.written(field).is_empty();
        let first = self.cells().filter(is_filled).min_by_key(|cells| cells.row());
        first.map_or("", |cells| cells.written(field))
    }

    /// The ids in another writing under which the order may have been sent: as its rows have it, and as the machines write
    /// it that take letters and their marks apart.
    pub fn former_ids(&self) -> Vec<String> {
        let id = self.order_id();
        let mut former: Vec<String> = self
            .cells()
            .filter_map(|cells| cells.former_id().map(str::to_owned))
            .collect();
        if !id.is_ascii() {
            former.push(id.nfd().collect());
        }
        former.retain(|former| former != id);
        former.sort_unstable();
        former.dedup();
        former
    }

    /// The same order under the id of one that is its own in another writing, and a finding that says so.
    #[must_use]
    pub fn under(&self, known_as: &str) -> Self {
        let mut named = self.clone();
        let row = self.value(Field::OrderId).row;
        let message = format!(
            "{} is read as {}, which is the same in another writing: an order of that id, which is the same in \
             everything else, is known.",
            quoted(self.order_id()),
            quoted(known_as)
        );
        let hint = "If it is another order, give it another id.";
        named.keep_former_id(known_as);
        let finding = self.finding(Code::FixedId, (Field::OrderId, row), message, hint);
        named.findings.push(finding);
        named
    }

    /// Takes one of these for the order's id.
    pub fn keep_former_id(&mut self, former: &str) {
        let aside = self.aside.iter_mut().map(|aside| &mut aside.cells);
        for cells in self.lines.iter_mut().chain(aside) {
            if !cells.text(Field::OrderId).is_empty() {
                cells.replace(Field::OrderId, former.to_owned());
            }
        }
    }
}
