//! What the Summary tells a person to do next.

use crate::finding::Code;
use crate::outcome::Status;
use crate::result::tally::Tally;
use crate::result::{OrderTrouble, Title};

use super::in_shop;
use super::words::count;

/// How many files are named that hold orders of a sheet.
const HELD_NAMED: usize = 5;

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
    let orders = |status: Status| match status {
        Status::Changed => tally.orders(status).saturating_sub(tally.in_shop.orders()),
        Status::Invalid => tally.orders(status).saturating_sub(tally.mended),
        other => tally.orders(other),
    };
    let present = |status: &Status| orders(*status) > 0;
    let mut steps: Vec<String> = BY_URGENCY
        .into_iter()
        .filter(present)
        .map(|status| step(status, orders(status), (tally, title)))
        .collect();
    let after_unanswered = usize::from(present(&Status::Unresolved));
    steps.splice(after_unanswered..after_unanswered, in_shop::steps(&tally.in_shop));
    steps.extend(at_service(tally));
    steps.extend(refunding(tally));
    if let Some((said, hint)) = &tally.unread {
        steps.push(format!("{said} {hint}"));
    }
    if present(&Status::Held) {
        steps.push(approval(tally, title));
    }
    if let Some(sku_map) = &title.sku_map {
        let then = if title.only_priced {
            "have the sheet priced again"
        } else {
            "drop the to-fix sheet"
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
    if tally.codes.contains_key(&Code::SkuMapped) && title.only_priced {
        steps.push(
            "Nothing was taken into the SKU map: drop this sheet into inbox/ to have its rows there."
                .to_owned(),
        );
    } else if tally.codes.contains_key(&Code::SkuMapped) {
        steps.push(
            "The SKU map has these rows. Drop the to-fix sheet of the sheet that asked for them, or that sheet again."
                .to_owned(),
        );
    }
    if steps.is_empty() {
        steps.push("Nothing: no order of this sheet needs you.".to_owned());
    }
    steps
}

/// What is remarkable of orders that the service has, whatever their status here says.
fn at_service(tally: &Tally) -> Vec<String> {
    let troubled = |trouble| tally.troubles.get(&trouble).copied().unwrap_or_default();
    let kinds = [
        (
            troubled(OrderTrouble::Named),
            "in trouble at the print service: look there, or ask its support; cancel what cannot be mended. The message \
             quotes the service.",
        ),
        (
            troubled(OrderTrouble::GoesOn),
            "canceled here and gone on with at the service: ask the print service, or drop the cancel again.",
        ),
        (
            troubled(OrderTrouble::Missing),
            "not known to the service any more: ask the print service what happened. A new order needs another \
             order_id.",
        ),
        (
            troubled(OrderTrouble::ThereAfterAll),
            "canceled here and at the service after all: drop the cancel again, or it is printed.",
        ),
        (
            troubled(OrderTrouble::Several),
            "several times at the service: have the others canceled there; dropsheet cancels none by itself.",
        ),
        (
            troubled(OrderTrouble::Charge),
            "charged other than quoted: compare both on the page Orders, and ask the print service.",
        ),
    ];
    kinds
        .into_iter()
        .filter(|(orders, _rest)| *orders > 0)
        .map(|(orders, rest)| format!("{} {rest}", count(orders, "order")))
        .collect()
}

/// That somebody has to see to a refund, where the service has charged canceled orders: it states none itself. What it
/// charges for those that it goes on with is owed.
fn refunding(tally: &Tally) -> Option<String> {
    let charged = tally.canceled.over.service?;
    (!charged.is_zero()).then(|| {
        format!(
            "Canceled orders: the service states {charged} for them, and no refund. See that what was paid is refunded."
        )
    })
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

/// How held orders are approved or declined. Each is listed with the sheet that it was held with first, and nowhere else.
fn approval(tally: &Tally, title: &Title) -> String {
    let own = |sheet: &Option<String>| sheet.clone().unwrap_or_else(|| title.held.clone());
    let sheets: Vec<(String, u64)> = tally
        .held
        .iter()
        .map(|(sheet, orders)| (own(sheet), *orders))
        .collect();
    let is_own = tally.held.keys().all(Option::is_none);
    match sheets.as_slice() {
        [(sheet, _orders)] => approval_of(sheet, is_own, title),
        several => approval_of_several(several, title),
    }
}

/// What is held is listed in one file.
fn approval_of(sheet: &str, is_own: bool, title: &Title) -> String {
    let whose = if is_own {
        ""
    } else {
        " It is the file of the sheet that held them first, and lists what else that one held."
    };
    if title.inbox.is_none() {
        let name = shell_word(sheet);
        return format!(
            "To approve what is held: dropsheet approve {name}; to decline it: dropsheet decline {name}.{whose}"
        );
    }
    format!(
        "To approve what is held: move {sheet}.held.xlsx from held/ into approved/; to decline it, into declined/. \
         Its second page says how to approve only some.{whose}"
    )
}

/// What is held is listed in files of several sheets.
fn approval_of_several(sheets: &[(String, u64)], title: &Title) -> String {
    let (named, others) = sheets.split_at(sheets.len().min(HELD_NAMED));
    let mut names: Vec<String> = named
        .iter()
        .map(|(sheet, orders)| {
            let name = if title.inbox.is_some() {
                format!("{sheet}.held.xlsx")
            } else {
                shell_word(sheet)
            };
            format!("{name} ({})", count(*orders, "order"))
        })
        .collect();
    if !others.is_empty() {
        names.push(format!(
            "and {} more, named in result_first_sheet",
            count(sum(others), "order")
        ));
    }
    let names = names.join(", ");
    let each = "Each lists all that its own sheet held, where an order was held first.";
    if title.inbox.is_some() {
        return format!(
            "To approve what is held: move its file from held/ into approved/; to decline it, into declined/: {names}. \
             {each} The second page says how to approve only some."
        );
    }
    format!(
        "To approve what is held: dropsheet approve NAME; to decline it: dropsheet decline NAME. The names: {names}. \
         {each}"
    )
}

fn sum(sheets: &[(String, u64)]) -> u64 {
    sheets.iter().map(|(_sheet, orders)| *orders).sum()
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

fn step(status: Status, orders: u64, (tally, title): (&Tally, &Title)) -> String {
    let rest = match status {
        Status::Unresolved if tally.codes.contains_key(&Code::PersonNeeded) => {
            "no answer came. Do not order again. The message says of which the service is being asked, and which need a \
             person."
        }
        Status::Unresolved => {
            "no answer came. Do not order again: the service is being asked, and this sheet will be updated."
        }
        Status::Invalid => "not sent, for there are errors. The message of each row says what to fix.",
        Status::Refused => "the service said no. The message quotes it.",
        Status::Changed => {
            "known already, with other content or with another account; nothing was sent. Where what is known is right, there \
             is nothing to do; where another order is meant, or this content instead, the message says what to do."
        }
        Status::NotCanceled => "the service refused the cancel; still being printed.",
        Status::Held => "waiting for a person's approval; the message says why.",
        Status::Waiting if title.only_priced && title.inbox.is_none() => {
            "not priced. The message says why; ask for the prices again."
        }
        Status::Waiting if title.only_priced => {
            "not priced yet; to be priced without you, and not sent. The message says why."
        }
        Status::Waiting => "not sent yet; to be sent without you. The message says why.",
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quote::ServiceAmounts;
    use crate::result::samples::{money, tally, title, with_status};
    use crate::result::walk::Line;

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
        let waits = next_steps(&tally(&[Status::Waiting]), &priced).join(" ");
        assert!(
            waits.contains("not priced yet") && !waits.contains("will be sent"),
            "{waits}"
        );
        let by_command = Title {
            inbox: None,
            ..priced.clone()
        };
        let waits = next_steps(&tally(&[Status::Waiting]), &by_command).join(" ");
        assert!(
            waits.contains("not priced. ") && !waits.contains("without you"),
            "{waits}"
        );
        let steps = next_steps(&tally(&[Status::Invalid]), &priced).join(" ");
        for absent in ["to-fix.xlsx", "the to-fix sheet"] {
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
        assert!(steps[0].starts_with("1 order unresolved: no answer came. Do not order again: "));
        let fine = next_steps(&tally(&[Status::Created, Status::Skipped]), &title());
        assert_eq!(fine, ["Nothing: no order of this sheet needs you."]);
    }

    #[test]
    fn an_order_without_an_answer_that_needs_a_person_is_not_said_to_be_asked_for() {
        let asked = tally(&[Status::Unresolved]);
        let mut needy = tally(&[Status::Unresolved]);
        needy.codes.insert(Code::PersonNeeded, (1, 2));
        for (tally, is_said) in [(asked, true), (needy, false)] {
            let steps = next_steps(&tally, &title()).join(" ");
            assert_eq!(
                steps.contains("order again: the service is being asked"),
                is_said,
                "{steps}"
            );
        }
    }

    #[test]
    fn an_order_that_the_service_has_may_need_a_person_all_the_same() {
        for (trouble, begins) in [
            (OrderTrouble::Named, "1 order in trouble at the print service: "),
            (
                OrderTrouble::GoesOn,
                "1 order canceled here and gone on with at the service: ",
            ),
            (
                OrderTrouble::Missing,
                "1 order not known to the service any more: ",
            ),
            (
                OrderTrouble::ThereAfterAll,
                "1 order canceled here and at the service after all: ",
            ),
            (OrderTrouble::Several, "1 order several times at the service: "),
            (OrderTrouble::Charge, "1 order charged other than quoted: "),
        ] {
            let mut view = with_status(2, "1001", Status::Created);
            view.troubles = vec![trouble];
            let mut tally = Tally::default();
            tally.note(&Line::new(2, 0, (2, 2), &view), None).unwrap();
            let said = next_steps(&tally, &title());
            assert_eq!(said.len(), 1, "{said:?}");
            assert!(said[0].starts_with(begins), "{said:?}");
        }
    }

    #[test]
    fn what_was_charged_of_canceled_orders_is_to_be_refunded() {
        let steps = |charged: Option<&str>| {
            let mut view = with_status(2, "1001", Status::Canceled);
            view.service = charged.map(|total| ServiceAmounts::of_total(money(total)));
            let mut tally = Tally::default();
            tally.note(&Line::new(2, 0, (2, 2), &view), None).unwrap();
            next_steps(&tally, &title())
        };
        let said = steps(Some("24.79")).join(" ");
        assert!(
            said.contains("24.79 for them") && said.contains("is refunded"),
            "{said}"
        );
        for charged in [None, Some("0.00")] {
            assert_eq!(steps(charged), ["Nothing: no order of this sheet needs you."]);
        }
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
    fn a_held_order_is_approved_with_the_file_that_lists_it() {
        let steps = |first_sheets: &[Option<&str>], title: &Title| {
            let mut tally = Tally::default();
            for (row, first_sheet) in (2..).zip(first_sheets) {
                let mut view = with_status(row, "1001", Status::Held);
                view.first_sheet = first_sheet.map(str::to_owned);
                tally.note(&Line::new(row, 0, (row, row), &view), None).unwrap();
            }
            next_steps(&tally, title).join(" ")
        };
        let mut tally = Tally::default();
        let mut view = with_status(2, "1001", Status::Held);
        (view.first_sheet, view.held_in) = (Some("mine".to_owned()), Some("2026-11-20_0800_mine".to_owned()));
        tally.note(&Line::new(2, 0, (2, 2), &view), None).unwrap();
        let of_an_import = next_steps(&tally, &title()).join(" ");
        assert!(
            of_an_import.contains("move 2026-11-20_0800_mine.held.xlsx from held/"),
            "{of_an_import}"
        );
        let again = steps(&[Some("monday"), Some("monday")], &title());
        assert!(again.contains("move monday.held.xlsx from held/"), "{again}");
        assert!(!again.contains("2026-11-21_0914_monday.held.xlsx"), "{again}");
        let both = [None, Some("a"), Some("a")];
        let mixed = steps(&both, &title());
        let names = ": 2026-11-21_0914_monday.held.xlsx (1 order), a.held.xlsx (2 orders). ";
        assert!(mixed.contains(names), "{mixed}");
        let imported = Title {
            inbox: None,
            ..title()
        };
        let by_command = steps(&both, &imported);
        assert!(
            by_command.contains("The names: 2026-11-21_0914_monday (1 order), a (2 orders)."),
            "{by_command}"
        );
        let many: Vec<String> = (0..9).map(|n| n.to_string()).collect();
        let many: Vec<Option<&str>> = many.iter().map(|name| Some(name.as_str())).collect();
        let cut = steps(&many, &title());
        assert!(
            cut.contains(", and 4 orders more, named in result_first_sheet. "),
            "{cut}"
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
}
