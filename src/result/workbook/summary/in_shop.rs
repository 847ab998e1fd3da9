//! What to do about orders that their shop has canceled since they were sent. There is nothing to fix in them.

use crate::result::tally::InShop;

use super::words::count;

/// The steps for those that are at the printer, and for those that may come to be.
pub(super) fn steps(canceled: &InShop) -> Vec<String> {
    let mut steps = Vec::new();
    if canceled.at_printer > 0 {
        steps.push(at_printer(canceled));
    }
    if canceled.not_there > 0 {
        steps.push(format!(
            "{} canceled in the shop or in the sheet, and held or without an answer here: decline what is held; write `cancel` into a \
             column `action` of the rows of what has no answer and drop the sheet.",
            count(canceled.not_there, "order")
        ));
    }
    steps
}

fn at_printer(canceled: &InShop) -> String {
    let named: Vec<String> = canceled
        .named
        .iter()
        .map(|(order_id, pw_order_id)| format!("{order_id} as {pw_order_id}"))
        .collect();
    let others = canceled
        .at_printer
        .saturating_sub(u64::try_from(named.len()).unwrap_or(u64::MAX));
    let more = if others > 0 {
        format!(", and {others} more")
    } else {
        String::new()
    };
    let first = canceled.named.first().map_or("ORDER", |(order_id, _)| order_id);
    format!(
        "{} canceled in the shop or in the sheet, and still at the printer ({}{more}): write `cancel` into a column `action` of their rows \
         and drop the sheet, or have the operator run `dropsheet orders cancel {first}`; or let them be printed.",
        count(canceled.at_printer, "order"),
        named.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::super::steps::next_steps;
    use crate::finding::Code;
    use crate::outcome::Status;
    use crate::result::samples::{finding, title, with_status};
    use crate::result::tally::Tally;
    use crate::result::walk::Line;

    #[test]
    fn an_order_canceled_in_the_shop_has_a_step_of_its_own_and_no_file_to_fix() {
        let mut tally = Tally::default();
        let mut note = |row: u32, pw_order_id: Option<&str>, code| {
            let mut view = with_status(row, &format!("100{row}"), Status::Changed);
            view.findings = vec![finding(code, row, None, "It changed.")];
            view.pw_order_id = pw_order_id.map(str::to_owned);
            tally.note(&Line::new(row, 0, (row, row), &view), None).unwrap();
        };
        note(2, Some("PW2"), Code::CanceledInShop);
        note(3, Some("PW3"), Code::CanceledInShop);
        note(4, None, Code::CanceledInShop);
        assert_eq!(tally.counts().to_fix, [0; 0]);
        let [at_printer, not_there] = &next_steps(&tally, &title())[..] else {
            panic!("{:?}", next_steps(&tally, &title()))
        };
        assert_eq!(
            at_printer,
            "2 orders canceled in the shop or in the sheet, and still at the printer (1002 as PW2, 1003 as PW3): write `cancel` into a \
             column `action` of their rows and drop the sheet, or have the operator run `dropsheet orders cancel 1002`; \
             or let them be printed."
        );
        assert!(not_there.starts_with(
            "1 order canceled in the shop or in the sheet, and held or without an answer here: "
        ));
        let mut note = |row: u32| {
            let mut view = with_status(row, "1005", Status::Changed);
            view.findings = vec![finding(Code::ContentChanged, row, None, "It changed.")];
            tally.note(&Line::new(row, 0, (row, row), &view), None).unwrap();
        };
        note(5);
        assert_eq!(
            tally.counts().to_fix,
            [0; 0],
            "what is known already has no row to fix"
        );
        let steps = next_steps(&tally, &title());
        assert!(
            steps.iter().any(|step| step.starts_with("1 order changed: ")),
            "{steps:?}"
        );
    }

    #[test]
    fn an_order_of_which_two_rows_speak_is_counted_and_named_once() {
        let mut tally = Tally::default();
        let mut note = |row: u32, order_id: &str, pw_order_id: Option<&str>| {
            let mut view = with_status(row, order_id, Status::Changed);
            view.findings = vec![finding(Code::CanceledInShop, row, None, "It changed.")];
            view.pw_order_id = pw_order_id.map(str::to_owned);
            tally.note(&Line::new(row, 0, (row, row), &view), None).unwrap();
        };
        note(2, "1002", Some("PW2"));
        note(3, "1002", Some("PW2"));
        note(4, "1004", None);
        note(5, "1004", None);
        let [at_printer, not_there] = &next_steps(&tally, &title())[..] else {
            panic!("{:?}", next_steps(&tally, &title()))
        };
        let once = "1 order canceled in the shop or in the sheet, and still at the printer (1002 as PW2): ";
        assert!(at_printer.starts_with(once), "{at_printer}");
        assert!(not_there.starts_with("1 order canceled"), "{not_there}");
    }
}
