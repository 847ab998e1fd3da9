//! What the rows of an order say is to be done with it, and which of them say no more than that.

use super::{Action, Draft};
use crate::finding::Code;
use crate::order::cells::Cells;
use crate::order::columns::Field;
use crate::order::mend::quoted;

/// What a row has that is no order's yet.
const NO_ORDER: [Field; 3] = [Field::OrderId, Field::Action, Field::ExpectedTotal];

impl Draft {
    /// Whether its rows have no more than an id and an action that is not clear: nothing that an order needs was left
    /// out, for none was written.
    pub(crate) fn says_no_order(&self) -> bool {
        self.says_no_order
    }

    /// Whether a row of an order that is to be created asks to cancel it: what it needs is another action, no cells.
    pub(crate) fn is_asked_to_cancel(&self, line: &Cells) -> bool {
        self.action == Action::Create && asks_to_cancel(line)
    }

    /// The rows below an order's first may leave `action` blank; a first row without one asks for a create, so that a
    /// `cancel` below it contradicts.
    pub(super) fn read_action(&mut self) {
        let mut first = None;
        let mut findings = Vec::new();
        for line in &self.lines {
            let text = line.text(Field::Action);
            let action = match text.to_ascii_lowercase().as_str() {
                "" if first.is_some() => continue,
                "" | "create" => Action::Create,
                "cancel" => Action::Cancel,
                _ => {
                    let message = format!("The action {} is not known.", quoted(text));
                    let hint = "Write `create`, `cancel`, or nothing.";
                    findings.push(self.finding(Code::UnknownAction, (Field::Action, line), message, hint));
                    continue;
                }
            };
            if *first.get_or_insert(action) != action {
                let message = "One row of the order asks to create it, another to cancel it.".to_owned();
                let hint = "Write the same action on every row of an order.";
                findings.push(self.finding(Code::MixedActions, (Field::Action, line), message, hint));
            }
        }
        self.action = first.unwrap_or(Action::Create);
        self.findings.append(&mut findings);
    }

    /// A cancel needs no more than an id: what its other cells hold does not matter.
    pub(super) fn keep_findings_of_a_cancel(&mut self) {
        let needed = [Field::OrderId, Field::Action].map(|field| self.layout.column_ref(field));
        self.findings.retain(|finding| needed.contains(&finding.column));
    }

    /// Rows with an action that is not known, or a cancel that contradicts, and nothing else are no lines of the order:
    /// most are cancels, and everything that an order needs would be missing in them. Such an order is never sent.
    pub(super) fn set_bare_rows_aside(&mut self) {
        let is_unclear = |code| matches!(code, Code::UnknownAction | Code::MixedActions);
        if !self.findings.iter().any(|finding| is_unclear(finding.code)) {
            return;
        }
        let is_bare = |line: &Cells| says_only_an_action(line) && !asks_to_create(line);
        self.says_no_order = self.lines.iter().all(is_bare);
        // An order has a line at least: its id stands there.
        if !self.says_no_order {
            self.lines.retain(|line| !is_bare(line));
        }
    }
}

fn asks_to_cancel(line: &Cells) -> bool {
    line.text(Field::Action).eq_ignore_ascii_case("cancel")
}

fn asks_to_create(line: &Cells) -> bool {
    let action = line.text(Field::Action);
    action.is_empty() || action.eq_ignore_ascii_case("create")
}

fn says_only_an_action(line: &Cells) -> bool {
    let is_blank = |field: &Field| line.text(*field).is_empty() && !line.is_spoiled(*field);
    Field::ALL
        .iter()
        .filter(|field| !NO_ORDER.contains(field))
        .all(is_blank)
}
