//! The Summary's sentences.

use crate::clock::moment;
use crate::outcome::Status;
use crate::result::Title;
use crate::result::tally::{Part, Share, Tally};

/// What a quote asks beyond its lines.
pub(super) const IN_NO_LINE: &str = "in no single line";

/// What stands below the counts.
pub(super) const TIES_OUT: &str = "Every row below the header, down to the last one with text, has exactly one status, so the rows above add up to the rows of the sheet.";

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
    said.push_str(&canceled(tally));
    said
}

/// How much of what is quoted belongs to orders that the service does not have: nobody should take it for what will be
/// paid. Empty where there is none, or nothing else.
fn not_at_the_service(tally: &Tally) -> String {
    let is_away = |status: Status| match status {
        Status::Held
        | Status::Waiting
        | Status::Refused
        | Status::Declined
        | Status::Abandoned
        | Status::Invalid
        | Status::Skipped
        | Status::Changed => true,
        Status::Created
        | Status::AlreadyCreated
        | Status::Unresolved
        | Status::Canceling
        | Status::NotCanceled
        // They are told of apart: the service may have charged them.
        | Status::Canceled
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

/// How much of the sums belongs to canceled orders: they stay in the columns that the sums are of, and the service may
/// have charged them before. Those that the service goes on with are told of apart: they will be paid.
fn canceled(tally: &Tally) -> String {
    let over = amounts_of(&tally.canceled.over)
        .map(|amounts| format!(" Of canceled orders these sums have {amounts}."));
    let gone_on = &tally.canceled.gone_on;
    let (its, counts) = if gone_on.count == 1 {
        ("its", "it counts")
    } else {
        ("their", "they count")
    };
    let gone_on = amounts_of(gone_on).map(|amounts| {
        format!(
            " Of {} that the service goes on with after {its} cancel these sums have {amounts}: {counts} among the costs, \
             not among the canceled orders.",
            count(gone_on.count, "order")
        )
    });
    [over, gone_on].into_iter().flatten().collect()
}

/// What orders come to, as far as it is anything.
fn amounts_of(part: &Part) -> Option<String> {
    let amounts = [(part.quoted, "quoted"), (part.service, "charged")];
    let amounts: Vec<String> = amounts
        .into_iter()
        .filter_map(|(amount, what)| Some((amount.filter(|amount| !amount.is_zero())?, what)))
        .map(|(amount, what)| format!("{amount} {what}"))
        .collect();
    (!amounts.is_empty()).then(|| amounts.join(", "))
}

/// What the result belongs to, and when.
pub(super) fn about(title: &Title) -> String {
    let mut said = format!(
        "Taken {}, written {} ({}). Account {}",
        moment(title.taken_at, &title.zone),
        moment(title.written_at, &title.zone),
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

/// That earlier results of the sheet have the same orders, and which amounts of them count; none where this one is alone.
/// What a ledger has forgotten that was put back since has no amounts here: the earlier result has them.
pub(super) fn replaces(title: &Title, tally: &Tally) -> Option<String> {
    let (last, first) = title.replaces.split_last()?;
    let (names, have_it, were, of_them) = if first.is_empty() {
        (last.clone(), "both have", "was", "one of the two")
    } else {
        let names = format!("{} and {last}", first.join(", "));
        (names, "all have", "were", "one of them")
    };
    let amounts = |share: &Share| share.quoted.into_iter().chain(share.service);
    let has_amounts = |(_, share): (Status, &Share)| amounts(share).any(|amount| !amount.is_zero());
    if !tally.shares().any(has_amounts) {
        return Some(format!(
            "This stands beside {names}, which {were} open, edited by a person, or written before the ledger was put back: \
             {have_it} the same orders. This one has no amounts; those of {last} count."
        ));
    }
    let mut said = format!(
        "This replaces {names}, which {were} open or edited by a person: {have_it} the same orders. Count the amounts of \
         {of_them}, best of this one."
    );
    if tally.shares().any(|(status, _)| status == Status::AlreadyCreated) {
        said.push_str(" An order that has amounts in an earlier one alone counts there.");
    }
    Some(said)
}

/// The heading of a column of amounts.
pub(super) fn in_currency(what: &str, title: &Title) -> String {
    match &title.currency {
        Some(currency) => format!("{what} ({currency})"),
        None => what.to_owned(),
    }
}

/// What a status means, for the legend.
pub(super) fn meaning(status: Status, title: &Title) -> &'static str {
    match status {
        Status::Created => "The service has it; this sheet sent it.",
        Status::AlreadyCreated => {
            "The service has it; another drop sent it. Its amounts stand in that sheet."
        }
        Status::Quoted => "Priced, not sent.",
        Status::Held => "Waits for a person's approval; the message says why.",
        Status::Waiting if title.only_priced && title.inbox.is_none() => "Not priced; the message says why.",
        Status::Waiting if title.only_priced => {
            "Not priced yet; it will be priced without you, and not sent."
        }
        Status::Waiting => "Not sent yet; it will be sent without you.",
        Status::Unresolved => {
            "No answer came. Do not order it again; the message says what is done about it."
        }
        Status::Invalid => "Has errors; it was not sent.",
        Status::Refused => "The service said no; the message quotes it.",
        Status::Changed => "Known already, with other content or with another account; nothing was sent.",
        Status::Skipped => "Not to be printed, or no order line.",
        Status::Declined => "A person declined it.",
        Status::Abandoned => "A person gave it up.",
        Status::Canceling => "A cancel was asked for and is not confirmed.",
        Status::Canceled => "A cancel is confirmed.",
        Status::NotCanceled => "The service refused the cancel; it is still being printed.",
    }
}

pub(super) fn count(number: u64, what: &str) -> String {
    if number == 1 {
        format!("1 {what}")
    } else {
        format!("{number} {what}s")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quote::ServiceAmounts;
    use crate::result::OrderTrouble;
    use crate::result::samples::{created, money, tally, title, with_status};
    use crate::result::walk::Line;

    /// Orders with amounts, and others of which nothing is known but that the service has them.
    fn of(with_amounts: u32, forgotten: u32) -> Tally {
        let views = (2..2 + with_amounts).map(|row| created(row, "1001"));
        let others = (50..50 + forgotten).map(|row| with_status(row, "1002", Status::AlreadyCreated));
        let mut tally = Tally::default();
        for view in views.chain(others) {
            let row = view.first_row;
            tally.note(&Line::new(row, 0, (row, row), &view), None).unwrap();
        }
        tally
    }

    #[test]
    fn a_result_names_the_earlier_ones_whose_amounts_it_has() {
        let said = |names: &[&str], tally: &Tally| {
            let replaces = names.iter().map(|name| (*name).to_owned()).collect();
            super::replaces(&Title { replaces, ..title() }, tally)
        };
        assert_eq!(said(&[], &of(1, 0)), None);
        let one = said(&["a.xlsx"], &of(1, 0)).unwrap();
        assert!(one.starts_with("This replaces a.xlsx, which was open"), "{one}");
        assert!(one.ends_with("best of this one."), "{one}");
        let both = said(&["a.xlsx", "a-2.xlsx"], &of(1, 0)).unwrap();
        assert!(
            both.starts_with("This replaces a.xlsx and a-2.xlsx, which were open"),
            "{both}"
        );
        // What a ledger that was put back has forgotten has amounts in the earlier one alone.
        let some = said(&["a.xlsx"], &of(1, 1)).unwrap();
        assert!(
            some.ends_with("An order that has amounts in an earlier one alone counts there."),
            "{some}"
        );
        let none = said(&["a.xlsx"], &of(0, 1)).unwrap();
        assert!(
            none.ends_with("This one has no amounts; those of a.xlsx count."),
            "{none}"
        );
        assert!(!none.contains("best of this one"), "{none}");
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
        let said = quoted(&[Status::Held, Status::Created, Status::Declined]);
        let end = "Of what is quoted, this is of orders that the service does not have: 23.20 held, 23.20 declined.";
        assert!(said.ends_with(end), "{said}");
        assert!(!quoted(&[Status::Created, Status::Quoted]).contains("does not have"));
    }

    #[test]
    fn the_headline_says_how_much_of_what_is_quoted_and_charged_is_of_canceled_orders() {
        let said = |charged: Option<&str>| {
            let mut tally = Tally::default();
            for (row, status) in [(2, Status::Created), (3, Status::Canceled)] {
                let mut view = created(row, "1001");
                view.status = status;
                view.service = charged.map(|total| ServiceAmounts::of_total(money(total)));
                let line = Line::new(row, 0, (row, row), &view);
                tally.note(&line, None).unwrap();
            }
            headline(&tally, &tally.total().unwrap())
        };
        let both = said(Some("23.50"));
        let end = "Quoted 46.40, charged by the service so far 47.00. Of canceled orders these sums have 23.20 quoted, \
                   23.50 charged.";
        assert!(both.ends_with(end), "{both}");
        let unread = said(None);
        let end = "Quoted 46.40. Of canceled orders these sums have 23.20 quoted.";
        assert!(unread.ends_with(end), "{unread}");
        assert!(!both.contains("does not have"), "{both}");
    }

    #[test]
    fn the_headline_tells_of_canceled_orders_that_the_service_goes_on_with_apart() {
        let said = |gone_on: &[bool]| {
            let mut tally = Tally::default();
            for (row, gone_on) in (2..).zip(gone_on) {
                let mut view = created(row, "1001");
                view.status = Status::Canceled;
                view.service = Some(ServiceAmounts::of_total(money("23.50")));
                view.troubles.extend(gone_on.then_some(OrderTrouble::GoesOn));
                let line = Line::new(row, 0, (row, row), &view);
                tally.note(&line, None).unwrap();
            }
            headline(&tally, &tally.total().unwrap())
        };
        let one = said(&[true, false]);
        let end = "Of canceled orders these sums have 23.20 quoted, 23.50 charged. Of 1 order that the service goes on with \
                   after its cancel these sums have 23.20 quoted, 23.50 charged: it counts among the costs, not among the \
                   canceled orders.";
        assert!(one.ends_with(end), "{one}");
        let both = said(&[true, true]);
        let end = "Of 2 orders that the service goes on with after their cancel these sums have 46.40 quoted, 47.00 \
                   charged: they count among the costs, not among the canceled orders.";
        assert!(both.ends_with(end), "{both}");
        assert!(!both.contains("Of canceled orders"), "{both}");
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
