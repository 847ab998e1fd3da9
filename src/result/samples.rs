//! Views and sheets for tests.

use crate::finding::{Code, Finding};
use crate::money::Money;
use crate::outcome::Status;
use crate::quote::{Quote, QuoteLine};
use crate::sheet::{CellKind, Row};

use super::tally::Tally;
use super::walk::Line;
use super::{Title, View};

pub(super) fn money(digits: &str) -> Money {
    digits.parse().unwrap()
}

/// An order that the service has, with a quote for two lines.
pub(super) fn created(first_row: u32, order_id: &str) -> View {
    let line = QuoteLine {
        sku: "TEE-S".to_owned(),
        base_fee: money("10.00"),
        shipping_fee: money("3.00"),
        tax_fee: money("0.10"),
        discount: money("-1.00"),
        total: money("12.10"),
    };
    View {
        pw_order_id: Some(format!("PW{order_id}")),
        created_at: Some("2026-11-21T20:00:00Z".parse().unwrap()),
        quote: Some(Quote {
            base_fee: money("20.00"),
            shipping_fee: money("6.00"),
            tax_fee: money("0.20"),
            discount: money("-2.00"),
            shipping_discount: money("-1.00"),
            total: money("23.20"),
            lines: vec![Some(line.clone()), Some(line)],
        }),
        order_status: Some("in production".to_owned()),
        payment_status: Some("paid".to_owned()),
        tracking: Some("1Z999".to_owned()),
        country_code: Some("US".to_owned()),
        ..with_status(first_row, order_id, Status::Created)
    }
}

/// An order of which nothing is known but its status.
pub(super) fn with_status(first_row: u32, order_id: &str, status: Status) -> View {
    View {
        first_row,
        status,
        findings: Vec::new(),
        message: String::new(),
        order_id: order_id.to_owned(),
        pw_order_id: None,
        created_at: None,
        first_sheet: None,
        held_in: None,
        quote: None,
        service: None,
        read_at: None,
        order_status: None,
        payment_status: None,
        tracking: None,
        country_code: None,
        troubles: Vec::new(),
    }
}

/// Orders of a row each, in these statuses.
pub(super) fn tally(statuses: &[Status]) -> Tally {
    let mut tally = Tally::default();
    for (row, status) in (2..).zip(statuses) {
        let view = with_status(row, "1001", *status);
        tally.note(&Line::new(row, 0, (row, row), &view), None).unwrap();
    }
    tally
}

pub(super) fn finding(code: Code, row: u32, column: Option<u16>, message: &str) -> Finding {
    Finding {
        code,
        row,
        column,
        message: message.to_owned(),
        hint: "Fix it.".to_owned(),
    }
}

pub(super) fn row(number: u32, cells: &[&str]) -> Row {
    let mut row = Row::default();
    row.start(number);
    for cell in cells {
        row.push(cell, CellKind::Text);
    }
    row
}

pub(super) fn title() -> Title {
    Title {
        sheet_name: "monday.csv".to_owned(),
        stem: "2026-11-21_0914_monday".to_owned(),
        taken_at: "2026-11-21T09:14:00Z".parse().unwrap(),
        written_at: "2026-11-21T09:20:00Z".parse().unwrap(),
        zone: jiff::tz::TimeZone::UTC,
        inbox: Some("main".to_owned()),
        account: "main".to_owned(),
        currency: None,
        only_priced: false,
        held: "2026-11-21_0914_monday".to_owned(),
        read_as: None,
        to_fix: Some("2026-11-21_0914_monday.to-fix.xlsx".to_owned()),
        sku_map: None,
        replaces: Vec::new(),
    }
}
