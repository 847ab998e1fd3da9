//! The checks: pure, named, all run on every order, all their findings collected.

mod address;
mod lines;
mod order_id;
mod phone;
mod service;
mod text;
mod unheeded;
pub(crate) mod value;
mod zip;

pub use service::services;

use crate::catalog::Snapshot;
use crate::finding::{Code, Finding, Level};
use crate::order::{Action, Draft, Field, Order};

/// What an order may have at most; each is told in the finding.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Put before every `order_id` sent. Config: `order_prefix`.
    pub order_prefix: String,
    /// Most pieces of one line: more is far more likely a slip of the keyboard.
    pub max_quantity: u32,
    /// Most lines of one order.
    pub max_lines: usize,
    /// What to send where an address has no province. Config: `province_when_blank`.
    pub province_when_blank: Option<ProvinceWhenBlank>,
    /// Whether own SKUs are looked up in a SKU map. Config: `sku_map`.
    pub has_sku_map: bool,
    /// Whether a SKU-map sheet asks for what that does not have.
    pub asks_for_skus: bool,
}

/// What to send, as name and code, where an address has no province.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProvinceWhenBlank {
    /// The city's name.
    City,
    /// This text.
    Text(String),
}

impl ProvinceWhenBlank {
    /// Why a text cannot be sent as a province, as a sentence: what keeps a cell of one from being sent.
    pub fn unfit(text: &str) -> Option<String> {
        text::unfit(Field::ShippingProvince, text)
    }
}

impl Limits {
    /// The id under which an order of the sheet is sent; blank where it has none.
    pub fn sent_id(&self, order_id: &str) -> String {
        if order_id.is_empty() {
            return String::new();
        }
        format!("{}{order_id}", self.order_prefix)
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            order_prefix: String::new(),
            max_quantity: 1_000,
            max_lines: 500,
            province_when_blank: None,
            has_sku_map: false,
            asks_for_skus: false,
        }
    }
}

/// What the checks say of a draft.
#[derive(Clone, Debug)]
pub struct Checked {
    /// Every finding: those of the draft and those of the checks, by row and column.
    pub findings: Vec<Finding>,
    /// The order, when no finding is an error. Never given for a cancel.
    pub order: Option<Order>,
}

/// What a check is asked about.
#[derive(Clone, Copy, Debug)]
struct Subject<'a> {
    draft: &'a Draft,
    catalog: &'a Snapshot,
    limits: &'a Limits,
}

/// A check: what it looks at, and the look.
type Check = (&'static str, fn(&Subject<'_>) -> Vec<Finding>);

/// The checks of an order that is to be canceled, or of which nothing but its id is written: nothing else matters.
const CANCEL_CHECKS: &[Check] = &[
    ("the id is there", order_id::is_there),
    ("the id fits", order_id::fits),
    ("every row was read", lines::were_all_read),
];

/// The checks of an order that is to be created.
const CREATE_CHECKS: &[Check] = &[
    ("the id is there", order_id::is_there),
    ("the id fits", order_id::fits),
    ("the address is complete", address::is_complete),
    ("the country exists", address::country_exists),
    (
        "the province is the country's",
        address::province_is_of_the_country,
    ),
    ("the zip has its country's form", address::zip_has_its_form),
    ("the zip is the province's", address::zip_is_of_the_province),
    ("the service goes there", service::goes_there),
    ("the lines are complete", lines::are_complete),
    ("every row was read", lines::were_all_read),
    ("the lines are not too many", lines::are_not_too_many),
    ("the SKUs are in the catalog", lines::skus_are_known),
    ("the locations make them", lines::locations_make_them),
    ("the quantities are whole", lines::quantities_are_whole),
    ("the artwork is given", lines::artwork_is_given),
    ("the URLs are web addresses", lines::urls_are_web_addresses),
    ("no character is broken", text::has_no_broken_character),
    ("no value is too long", text::is_not_too_long),
    ("the phone is whole", phone::is_whole),
    ("the buyer's texts are told", unheeded::texts_are_told),
    ("the speed paid for is told", unheeded::speed_is_told),
];

/// Runs every check.
pub fn check(draft: &Draft, catalog: &Snapshot, limits: &Limits) -> Checked {
    let subject = Subject {
        draft,
        catalog,
        limits,
    };
    let checks = match draft.action() {
        Action::Create if draft.says_no_order() => CANCEL_CHECKS,
        Action::Create => CREATE_CHECKS,
        Action::Cancel => CANCEL_CHECKS,
    };
    let mut findings = draft.findings().to_vec();
    findings.extend(checks.iter().flat_map(|(_, run)| run(&subject)));
    // Of an action that is not known, nothing is known of what the order needs.
    findings.sort_by_key(|finding| (finding.row, finding.code != Code::UnknownAction, finding.column));
    let sendable = findings.iter().all(|finding| finding.level() != Level::Error);
    let order = (sendable && draft.action() == Action::Create).then(|| subject.order());
    Checked { findings, order }
}

impl Subject<'_> {
    /// The order as it is sent; of use only where no check has found an error.
    fn order(&self) -> Order {
        Order {
            order_id: order_id::as_sent(self),
            ship_to: address::ship_to(self),
            shipping_service: service::as_sent(self),
            lines: lines::as_sent(self),
            expected_total: self.draft.expected_total(),
        }
    }
}

#[cfg(test)]
mod tests;
