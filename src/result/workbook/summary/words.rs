//! The Summary's sentences.

use crate::finding::Code;
use crate::outcome::Status;
use crate::result::Title;
use crate::result::tally::{Share, Tally};

/// What a quote asks beyond its lines.
pub(super) const IN_NO_LINE: &str = "in no single line";

/// What stands below the counts.
pub(super) const TIES_OUT: &str = "Every row with text below the header has exactly one status, so the rows above add up to the rows of the sheet.";

/// The whole result in two sentences: `3 orders in 4 rows: 2 created, 1 invalid. Quoted 46.40.`
pub(super) fn headline(tally: &Tally, total: &Share) -> String {
    if total.rows == 0 {
        return "The sheet has no orders: nothing stands below its header.".to_owned();
    }
    let shares: Vec<String> = tally
        .shares()
        .map(|(status, share)| match share.orders {
            0 => format!("{} {status}", count(share.rows, "row")),
            orders => format!("{orders} {status}"),
        })
        .collect();
    let mut said = format!(
        "{} in {}: {}.",
        count(total.orders, "order"),
        count(total.rows, "row"),
        shares.join(", ")
    );
    let amounts = [
        ("Quoted", total.quoted),
        ("charged by the service so far", total.service),
    ];
    let amounts: Vec<String> = amounts
        .into_iter()
        .filter_map(|(what, amount)| Some(format!("{what} {}", amount?)))
        .collect();
    if !amounts.is_empty() {
        said.push(' ');
        said.push_str(&amounts.join(", "));
        said.push('.');
    }
    said.push_str(&not_at_the_service(tally));
    said
}

/// How much of what is quoted belongs to orders that the service does not have, or not any more: nobody should take it
/// for what will be paid. Empty where there is none, or nothing else.
fn not_at_the_service(tally: &Tally) -> String {
    let is_away = |status: Status| match status {
        Status::Held
        | Status::Waiting
        | Status::Refused
        | Status::Declined
        | Status::Abandoned
        | Status::Invalid
        | Status::Skipped
        | Status::Changed
        | Status::Canceled => true,
        Status::Created
        | Status::AlreadyCreated
        | Status::Unresolved
        | Status::Canceling
        | Status::NotCanceled
        // A sheet that is only priced is not sent: its sum is what was asked for.
        | Status::Quoted => false,
    };
    let of_those = tally.shares().filter(|(status, _)| is_away(*status));
    let amounts: Vec<String> = of_those
        .filter_map(|(status, share)| Some((status, share.quoted?)))
        .filter(|(_, quoted)| !quoted.is_zero())
        .map(|(status, quoted)| format!("{quoted} {status}"))
        .collect();
    if amounts.is_empty() {
        return String::new();
    }
    format!(
        " Of what is quoted, this is of orders that the service does not have: {}.",
        amounts.join(", ")
    )
}

/// What the result belongs to, and when.
pub(super) fn about(title: &Title) -> String {
    let moment = |at: jiff::Timestamp| {
        at.to_zoned(title.zone.clone())
            .strftime("%Y-%m-%d %H:%M")
            .to_string()
    };
    let mut said = format!(
        "Taken {}, written {} ({}). Account {}",
        moment(title.taken_at),
        moment(title.written_at),
        title.zone.iana_name().unwrap_or("the machine's zone"),
        title.account
    );
    if let Some(inbox) = &title.inbox {
        said.push_str(", inbox ");
        said.push_str(inbox);
    }
    if let Some(currency) = &title.currency {
        said.push_str(". Amounts are in ");
        said.push_str(currency);
    }
    if let Some(read_as) = &title.read_as {
        said.push_str(". Read as ");
        said.push_str(read_as);
    }
    said.push('.');
    said
}

/// The heading of a column of amounts.
pub(super) fn in_currency(what: &str, title: &Title) -> String {
    match &title.currency {
        Some(currency) => format!("{what} ({currency})"),
        None => what.to_owned(),
    }
}

/// What a person should do, the most urgent first; never empty.
pub(super) fn next_steps(tally: &Tally, title: &Title) -> Vec<String> {
    const BY_URGENCY: [Status; 9] = [
        Status::Unresolved,
        Status::Invalid,
        Status::Refused,
        Status::Changed,
        Status::NotCanceled,
        Status::Held,
        Status::Waiting,
        Status::Canceling,
        Status::Quoted,
    ];
    let present = |status: &Status| tally.orders(*status) > 0;
    let mut steps: Vec<String> = BY_URGENCY
        .into_iter()
        .filter(present)
        .map(|status| step(status, tally.orders(status)))
        .collect();
    if let Some((said, hint)) = &tally.unread {
        steps.push(format!("{said} {hint}"));
    }
    if present(&Status::Held) {
        steps.push(approval(title));
    }
    if let Some(sku_map) = &title.sku_map {
        let then = if title.only_priced {
            "have the sheet priced again"
        } else {
            "drop the file to fix"
        };
        steps.push(format!(
            "SKUs first: open {sku_map}, choose the print service's SKU in each row, save it and drop it into the \
             inbox. Then {then}."
        ));
    }
    if Status::ALL
        .iter()
        .any(|status| status.is_to_fix() && present(status))
    {
        steps.push(fixing(title));
    }
    if tally.codes.contains_key(&Code::SkuMapped) {
        steps.push(
            "The SKU map has these rows. Drop the file to fix of the sheet that asked for them, or that sheet again."
                .to_owned(),
        );
    }
    if steps.is_empty() {
        steps.push("Nothing: no order of this sheet needs you.".to_owned());
    }
    steps
}

/// How rows are mended.
fn fixing(title: &Title) -> String {
    if title.only_priced {
        return "To fix: the pages Results and Findings say at which cells. Fix the rows in the sheet that was priced, or in \
                this file, and have it priced again, or drop it into inbox/ to order."
            .to_owned();
    }
    let file = match &title.to_fix {
        Some(name) => {
            format!(
                "open {name}, which has just those rows with a note at each cell, or this file. Fix the rows"
            )
        }
        None => "fix the rows in this file or in your own".to_owned(),
    };
    format!(
        "To fix: {file} and drop the file again as it is; orders that were created already are never sent again."
    )
}

/// How held orders are approved or declined.
fn approval(title: &Title) -> String {
    let held = &title.held;
    if title.inbox.is_some() {
        return format!(
            "To approve what is held: move {held}.held.xlsx from held/ into approved/; to decline it, into declined/. \
             Its second page says how to approve only some."
        );
    }
    let name = shell_word(held);
    format!("To approve what is held: dropsheet approve {name}; to decline it: dropsheet decline {name}.")
}

/// A name as a shell takes it for one word.
fn shell_word(name: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '-');
    if name.chars().all(is_plain) {
        name.to_owned()
    } else {
        format!("'{}'", name.replace('\'', r"'\''"))
    }
}

fn step(status: Status, orders: u64) -> String {
    let rest = match status {
        Status::Unresolved => {
            "no answer came. Do not order it again: the service is being asked, and this sheet will \
                               be updated."
        }
        Status::Invalid => "not sent, for there are errors. The message of each row says what to fix.",
        Status::Refused => "the service said no. The message quotes it.",
        Status::Changed => {
            "known already with other content; nothing was sent. The message says what differs and \
                            what to do."
        }
        Status::NotCanceled => "the service refused to cancel it; it is still being printed.",
        Status::Held => "waits for a person's approval; the message says why.",
        Status::Waiting => "not sent yet; it will be sent without you. The message says what it waits for.",
        Status::Canceling => "the cancel is not confirmed yet; this sheet will be updated.",
        Status::Quoted => "priced and not sent. Drop the sheet into inbox/ to order.",
        Status::Created
        | Status::AlreadyCreated
        | Status::Skipped
        | Status::Declined
        | Status::Abandoned
        | Status::Canceled => "nothing to do.",
    };
    format!("{} {status}: {rest}", count(orders, "order"))
}

/// What a status means, for the legend.
pub(super) fn meaning(status: Status) -> &'static str {
    match status {
        Status::Created => "The service has it; this sheet sent it.",
        Status::AlreadyCreated => {
            "The service has it; another drop sent it. Its amounts stand in that sheet."
        }
        Status::Quoted => "Priced, not sent.",
        Status::Held => "Waits for approval; the message says which limit.",
        Status::Waiting => "Not sent yet; it will be sent without you.",
        Status::Unresolved => "No answer came. Do not order it again: the service is being asked.",
        Status::Invalid => "Has errors; it was not sent.",
        Status::Refused => "The service said no; the message quotes it.",
        Status::Changed => "Known already with other content; nothing was sent.",
        Status::Skipped => "Not to be printed, or no order line.",
        Status::Declined => "A person declined it.",
        Status::Abandoned => "A person gave it up.",
        Status::Canceling => "A cancel was asked for and is not confirmed.",
        Status::Canceled => "A cancel is confirmed.",
        Status::NotCanceled => "The service refused the cancel; it is still being printed.",
    }
}

fn count(number: u64, what: &str) -> String {
    if number == 1 {
        format!("1 {what}")
    } else {
        format!("{number} {what}s")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::result::samples::{created, title, with_status};
    use crate::result::walk::Line;

    fn tally(statuses: &[Status]) -> Tally {
        let mut tally = Tally::default();
        for (row, status) in (2..).zip(statuses) {
            let view = with_status(row, "1001", *status);
            let line = Line::new(row, 0, (row, row), &view);
            tally.note(&line, None).unwrap();
        }
        tally
    }

    #[test]
    fn the_file_to_fix_is_named_where_there_is_one_and_only_there() {
        for status in Status::ALL {
            let steps = next_steps(&tally(&[status]), &title());
            let named = steps
                .iter()
                .any(|step| step.contains("2026-11-21_0914_monday.to-fix.xlsx"));
            assert_eq!(named, status.is_to_fix(), "{status}: {steps:?}");
        }
    }

    #[test]
    fn a_quote_names_no_file_that_is_not_there() {
        let priced = Title {
            only_priced: true,
            sku_map: Some("monday.sku-map.xlsx".to_owned()),
            ..title()
        };
        let steps = next_steps(&tally(&[Status::Invalid]), &priced).join(" ");
        for absent in ["to-fix.xlsx", "the file to fix"] {
            assert!(!steps.contains(absent), "{steps}");
        }
        for said in [
            "To fix: ",
            "Then have the sheet priced again.",
            "drop it into inbox/ to order",
        ] {
            assert!(steps.contains(said), "{steps}");
        }
    }

    #[test]
    fn where_there_is_no_file_to_fix_none_is_named() {
        let priced = Title {
            to_fix: None,
            ..title()
        };
        let steps = next_steps(&tally(&[Status::Invalid]), &priced).join(" ");
        assert!(steps.contains("To fix: fix the rows in this file"), "{steps}");
        assert!(!steps.contains("to-fix.xlsx"), "{steps}");
    }

    #[test]
    fn every_status_that_needs_a_person_has_a_step_and_an_order_without_answer_comes_first() {
        for status in Status::ALL.into_iter().filter(|status| status.needs_attention()) {
            let steps = next_steps(&tally(&[status]), &title());
            assert!(steps[0].contains(status.word()), "{status}: {steps:?}");
        }
        let steps = next_steps(
            &tally(&[Status::Invalid, Status::Unresolved, Status::Held]),
            &title(),
        );
        assert!(steps[0].starts_with("1 order unresolved: no answer came. Do not order it again"));
        let fine = next_steps(&tally(&[Status::Created, Status::Skipped]), &title());
        assert_eq!(fine, ["Nothing: no order of this sheet needs you."]);
    }

    #[test]
    fn held_orders_are_approved_by_moving_their_file_and_without_an_inbox_by_a_command() {
        let held = tally(&[Status::Held]);
        let steps = next_steps(&held, &title()).join(" ");
        assert!(
            steps.contains("move 2026-11-21_0914_monday.held.xlsx from held/ into approved/"),
            "{steps}"
        );
        let approve = |held_sheet: &str| {
            let imported = Title {
                inbox: None,
                stem: "monday".to_owned(),
                held: held_sheet.to_owned(),
                ..title()
            };
            next_steps(&held, &imported).join(" ")
        };
        let plain = approve("2026-11-21_0914_monday");
        assert!(
            plain.contains("dropsheet approve 2026-11-21_0914_monday;"),
            "{plain}"
        );
        let quoted = approve("2026-11-21_0914_Ada's orders");
        assert!(
            quoted.contains(r"dropsheet decline '2026-11-21_0914_Ada'\''s orders'."),
            "{quoted}"
        );
    }

    #[test]
    fn the_sku_map_sheet_is_to_be_filled_in_before_the_file_to_fix() {
        let asking = Title {
            sku_map: Some("2026-11-21_0914_monday.sku-map.xlsx".to_owned()),
            ..title()
        };
        let steps = next_steps(&tally(&[Status::Invalid]), &asking);
        assert!(
            steps[1].contains("2026-11-21_0914_monday.sku-map.xlsx"),
            "{steps:?}"
        );
        assert!(steps[2].contains("to-fix.xlsx"), "{steps:?}");
    }

    #[test]
    fn a_row_that_is_no_order_line_counts_as_a_row_only() {
        let mut tally = tally(&[Status::Created]);
        let mut footer = with_status(3, "1001", Status::Skipped);
        footer.order_id = String::new();
        let line = Line::new(3, 0, (3, 3), &footer);
        tally.note(&line, None).unwrap();
        assert_eq!(
            headline(&tally, &tally.total().unwrap()),
            "1 order in 2 rows: 1 created, 1 row skipped."
        );
    }

    #[test]
    fn the_headline_says_which_amounts_are_of_orders_that_the_service_does_not_have() {
        let quoted = |statuses: &[Status]| {
            let mut tally = Tally::default();
            for (row, status) in (2..).zip(statuses) {
                let mut view = created(row, "1001");
                view.status = *status;
                let line = Line::new(row, 0, (row, row), &view);
                tally.note(&line, None).unwrap();
            }
            headline(&tally, &tally.total().unwrap())
        };
        let said = quoted(&[Status::Held, Status::Created, Status::Canceled]);
        let end = "Of what is quoted, this is of orders that the service does not have: 23.20 held, 23.20 canceled.";
        assert!(said.ends_with(end), "{said}");
        assert!(!quoted(&[Status::Created, Status::Quoted]).contains("does not have"));
    }

    #[test]
    fn the_headline_counts_orders_by_status() {
        let three = tally(&[Status::Invalid, Status::Created, Status::Created]);
        assert_eq!(
            headline(&three, &three.total().unwrap()),
            "3 orders in 3 rows: 2 created, 1 invalid."
        );
    }
}
