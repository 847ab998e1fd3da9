//! What a cancel does to an order that is in no ledger yet: to the row that asks, and to the rows of the order.

mod alike;

use std::path::PathBuf;
use std::time::Duration;

use jiff::Timestamp;

use super::super::cancel_row::asks_for_cancel;
use super::*;
use crate::catalog::Entry;
use crate::config::ResultFormat;
use crate::order::Profiles;
use crate::order::tests::{NATIVE, drafts, good};
use crate::sheet;

/// A ledger that knows no order, and what it has of other sheets.
struct Others {
    /// An older one is not at its end.
    older_waits: bool,
    /// A younger one asks for this order's cancel.
    canceled: Option<&'static str>,
}

impl Memory for Others {
    fn find(&self, _sent_id: &str, _sheet_id: &str) -> Result<Option<OrderRecord>, LedgerError> {
        Ok(None)
    }

    fn written_with_more(&self, _sheet_id: &str) -> Result<Vec<OrderRecord>, LedgerError> {
        Ok(Vec::new())
    }

    fn written_otherwise(
        &self,
        _sheet_id: &str,
        _order_prefix: &str,
    ) -> Result<Vec<OrderRecord>, LedgerError> {
        Ok(Vec::new())
    }

    fn called_any(&self, _sheet_ids: &[String]) -> Result<Vec<OrderRecord>, LedgerError> {
        Ok(Vec::new())
    }

    fn sent_as(&self, _sent_id: &str) -> Result<Option<OrderRecord>, LedgerError> {
        Ok(None)
    }

    fn made_as(&self, _pw_order_id: &str) -> Result<Option<OrderRecord>, LedgerError> {
        Ok(None)
    }

    fn namesake(&self, _sent_id: &str, _sheet_id: &str) -> Result<Option<OrderRecord>, LedgerError> {
        Ok(None)
    }

    fn stem(&self, _claim: ClaimRef, _told_in: Option<ClaimRef>) -> Result<Option<String>, LedgerError> {
        Ok(None)
    }

    fn listed(&self, _order_id: &str) -> Result<Vec<ListedRecord>, LedgerError> {
        Ok(Vec::new())
    }

    fn at_service(&self, _order: &Order, _sheet_id: &str) -> Result<Vec<ListedRecord>, LedgerError> {
        Ok(Vec::new())
    }

    fn left_there(&self, _order: &OrderRecord) -> Result<Vec<ListedRecord>, LedgerError> {
        Ok(Vec::new())
    }

    fn is_elsewhere(&self, _order: &OrderRecord) -> Result<bool, LedgerError> {
        Ok(false)
    }

    fn said_of(&self, _sent_id: &str, _before: Option<ClaimRef>) -> Result<Option<Outcome>, LedgerError> {
        Ok(None)
    }

    fn is_behind(&self, _claim: ClaimRef) -> Result<bool, LedgerError> {
        Ok(self.older_waits)
    }

    fn is_canceled_ahead(
        &self,
        sent_id: &str,
        _sheet_id: &str,
        _claim: ClaimRef,
    ) -> Result<bool, LedgerError> {
        Ok(self.canceled == Some(sent_id))
    }
}

fn inbox() -> Inbox {
    Inbox {
        name: "main".to_owned(),
        path: PathBuf::new(),
        account: "main".to_owned(),
        order_prefix: "A-".to_owned(),
        profiles: Profiles::default(),
        sku_map: None,
        not_before: None,
        approval_required: false,
        max_order_total: None,
        max_orders_per_sheet: None,
        daily_limit: None,
        hold_zero: true,
        province_when_blank: None,
        stable_for: Duration::ZERO,
        look: Duration::ZERO,
        result_format: ResultFormat::Xlsx,
        limits: sheet::Limits {
            max_bytes: u64::MAX,
            max_rows: u32::MAX,
        },
    }
}

/// A row of the order 1001 that asks for this.
fn draft(action: &str) -> Draft {
    let header: Vec<&str> = NATIVE.iter().copied().chain(["action"]).collect();
    let mut cells = good();
    cells.push(action.to_owned());
    drafts(&header, &[cells]).remove(0)
}

fn decided(mut draft: Draft, claim: Option<ClaimRef>, memory: &dyn Memory) -> Decided {
    let entry = Entry {
        sku: "TEE-CLASSIC-BLK-S".to_owned(),
        product_code: "TEE".to_owned(),
        product_name: "Classic Tee".to_owned(),
        title: "Black / S".to_owned(),
        variant_id: "TEE-1".to_owned(),
    };
    let by = By {
        catalog: &Snapshot::new(Timestamp::UNIX_EPOCH, vec![entry], Vec::new()),
        limits: &super::super::check_limits(&inbox()),
        inbox: &inbox(),
        map: &Map::default(),
        claim,
        memory,
        artworks: false,
        zone: &TimeZone::UTC,
        today: jiff::civil::date(2026, 11, 26),
    };
    by.decide(&mut draft).unwrap()
}

#[test]
fn an_order_that_is_to_wait_for_a_day_is_checked_anew_until_it_comes() {
    let header: Vec<&str> = NATIVE.iter().copied().chain(["Do not ship before"]).collect();
    let order = |day: &str, sku: &str| {
        let mut cells = good();
        let at = NATIVE.iter().position(|name| *name == "item_sku").unwrap();
        sku.clone_into(&mut cells[at]);
        cells.push(day.to_owned());
        drafts(&header, &[cells]).remove(0)
    };
    let memory = Others {
        older_waits: false,
        canceled: None,
    };
    let codes = |draft| match decided(draft, SHEET, &memory) {
        Decided::Ended(outcome, None) => {
            assert_eq!(outcome.status, Status::Invalid);
            let codes = outcome.findings.iter().map(|finding| finding.code);
            Some(codes.collect::<Vec<_>>())
        }
        Decided::Ready(_) => None,
        other => panic!("{other:?}"),
    };
    let sku = "TEE-CLASSIC-BLK-S";
    assert_eq!(codes(order("2026-11-27", sku)), Some(vec![Code::NotBefore]));
    let both = codes(order("2026-11-27", "NONE")).unwrap();
    assert!(
        both.contains(&Code::NotBefore) && both.contains(&Code::UnknownSku),
        "{both:?}"
    );
    for day in ["2026-11-26", "2026-11-01", ""] {
        assert_eq!(codes(order(day, sku)), None, "{day}");
    }
    let canceled = Others {
        older_waits: false,
        canceled: Some("A-1001"),
    };
    let unsent = decided(order("2026-11-27", sku), SHEET, &canceled);
    assert!(matches!(unsent, Decided::CancelUnsent(_)), "{unsent:?}");
}

const SHEET: Option<ClaimRef> = Some(ClaimRef(7));

#[test]
fn an_order_whose_cancel_a_younger_sheet_asks_for_is_not_sent_and_no_other_is_kept() {
    let canceled = |canceled| Others {
        older_waits: false,
        canceled,
    };
    let create = || draft("");
    let unsent = decided(create(), SHEET, &canceled(Some("A-1001")));
    assert!(matches!(unsent, Decided::CancelUnsent(_)), "{unsent:?}");
    let ready = decided(create(), SHEET, &canceled(Some("1001")));
    assert!(
        matches!(ready, Decided::Ready(_)),
        "another order, without the prefix: {ready:?}"
    );
    let preview = decided(create(), None, &canceled(Some("A-1001")));
    assert!(
        matches!(preview, Decided::Ready(_)),
        "a preview is of no sheet: {preview:?}"
    );
}

#[test]
fn an_order_with_errors_says_them_whether_it_is_canceled_or_not() {
    let header: Vec<&str> = NATIVE.to_vec();
    let mut cells = good();
    let quantity = header.iter().position(|name| *name == "quantity").unwrap();
    cells[quantity] = "0".to_owned();
    let wrong = drafts(&header, &[cells]).remove(0);
    let memory = Others {
        older_waits: false,
        canceled: Some("A-1001"),
    };
    match decided(wrong, SHEET, &memory) {
        Decided::Ended(outcome, None) => assert_eq!(outcome.status, Status::Invalid),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_cancel_of_what_nobody_knows_waits_for_older_sheets_and_is_unknown_after_them() {
    let older = |older_waits| Others {
        older_waits,
        canceled: None,
    };
    let later = decided(draft("cancel"), SHEET, &older(true));
    assert!(matches!(later, Decided::CancelLater), "{later:?}");
    match decided(draft("cancel"), SHEET, &older(false)) {
        Decided::CancelUnknown(outcome) => {
            assert_eq!(outcome.findings[0].code, Code::CancelUnknown);
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn only_a_clear_cancel_of_a_named_order_is_heard() {
    assert!(asks_for_cancel(&draft("cancel")) && asks_for_cancel(&draft("Cancel")));
    for action in ["", "create", "cancle"] {
        assert!(!asks_for_cancel(&draft(action)), "{action}");
    }
    let header = ["order_id", "action"];
    let rows = |ids: [&str; 2], actions: [&str; 2]| {
        let rows = ids.iter().zip(actions);
        rows.map(|(id, action)| vec![(*id).to_owned(), action.to_owned()])
            .collect::<Vec<_>>()
    };
    let mixed = drafts(&header, &rows(["1001", "1001"], ["cancel", "create"])).remove(0);
    assert!(!asks_for_cancel(&mixed), "one row says cancel, another create");
    let lost = drafts(&header, &rows(["1.23457E+12", "1001"], ["cancel", "cancel"])).remove(0);
    assert!(!asks_for_cancel(&lost), "its digits are lost");
}

#[test]
fn an_order_that_is_not_read_whole_has_too_many_lines_whatever_its_rows_ask_for() {
    const ROWS: usize = 6_000;
    let header: Vec<&str> = NATIVE.iter().copied().chain(["action"]).collect();
    let zip = header.iter().position(|name| *name == "shipping_zip").unwrap();
    let nobody = Others {
        older_waits: false,
        canceled: None,
    };
    for action in ["", "cancel"] {
        let row = |number: usize| {
            let mut cells = good();
            cells[zip] = (10_000 + number).to_string();
            cells.push(action.to_owned());
            cells
        };
        let rows: Vec<Vec<String>> = (0..ROWS).map(row).collect();
        let long = drafts(&header, &rows).remove(0);
        assert!(!asks_for_cancel(&long));
        let Decided::Ended(outcome, None) = decided(long, SHEET, &nobody) else {
            panic!("{action}")
        };
        assert_eq!(outcome.status, Status::Invalid);
        let findings = &outcome.findings;
        let told = findings
            .iter()
            .filter(|finding| finding.code == Code::RowsPerOrder);
        assert_eq!(
            told.map(|finding| finding.message.as_str()).collect::<Vec<_>>(),
            ["The order has 6000 rows, of which the first 5000 were read; 500 lines are allowed."]
        );
        assert!(findings.len() <= 1_001, "{}", findings.len());
    }
}
