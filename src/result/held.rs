//! The held sheet: the orders of a sheet that wait for a person, with their totals. Moved to `approved/` it approves the
//! orders that are still listed in it, by its column `approval_key`.

use std::path::Path;

use jiff::Timestamp;

use super::workbook;
use super::{ResultError, Title};
use crate::money::Money;
use crate::quote::Hold;
use crate::reconcile::Signature;

/// The columns of a held sheet, in order.
pub const COLUMNS: [&str; 9] = [
    ORDER_ID, TOTAL, WHY, HELD_SINCE, COUNTRY, PIECES, ITEMS, SHEET_ROW, KEY,
];

/// The id as in the merchant's sheet.
pub const ORDER_ID: &str = "order_id";

/// What the service asks.
pub const TOTAL: &str = "total";

/// Why it is held.
pub const WHY: &str = "why";

/// Since when.
pub const HELD_SINCE: &str = "held_since";

/// Where it goes.
pub const COUNTRY: &str = "country";

/// How many pieces.
pub const PIECES: &str = "pieces";

/// Each SKU and how many of it.
pub const ITEMS: &str = "items";

/// Its first row in the merchant's sheet.
pub const SHEET_ROW: &str = "sheet_row";

/// What names the held order.
pub const KEY: &str = "approval_key";

/// One order of a held sheet.
#[derive(Clone, Debug)]
pub struct HeldRow {
    /// The id as in the merchant's sheet.
    pub order_id: String,
    /// What the service asks for it.
    pub total: Option<Money>,
    /// Why it is held, as sentences.
    pub why: String,
    /// Since when.
    pub held_since: Option<Timestamp>,
    /// ISO 3166-1 alpha-2.
    pub country: String,
    /// How many pieces.
    pub pieces: u64,
    /// Each SKU and how many of it.
    pub items: String,
    /// Its first row in the merchant's sheet.
    pub sheet_row: u32,
    /// What names it.
    pub key: String,
}

/// What stands in [`PIECES`] and [`ITEMS`] of an order.
pub fn items_of(signature: &Signature) -> (u64, String) {
    let pieces = signature
        .items()
        .fold(0_u64, |sum, (_sku, pieces)| sum.saturating_add(pieces));
    let named: Vec<String> = signature
        .items()
        .map(|(sku, pieces)| format!("{pieces} {sku}"))
        .collect();
    (pieces, named.join(", "))
}

/// How [`WHY`] of an order begins that the service has already, and how what is said of that ends.
const THERE: (&str, &str) = ("The service has an order of this id already", "its row says so.");

/// Whether a text tells why an order is held with that before it: which it has, may have changed since.
pub fn tells_why(text: &str, is_why: impl Fn(&str) -> bool) -> bool {
    let (begins, ends) = THERE;
    let behind = || text.strip_prefix(begins)?.split_once(ends);
    is_why(text) || behind().is_some_and(|(_ids, why)| is_why(why.trim()))
}

/// What stands in [`WHY`] of an order, `there` with the service's ids of it.
pub fn why_with(holds: &[Hold], there: &[String]) -> String {
    if there.is_empty() {
        return why_of(holds);
    }
    let (begins, ends) = THERE;
    format!(
        "{begins}, {}, of which this ledger does not know: where this is approved, nothing is sent, and {ends} {}",
        there.join(", "),
        why_of(holds)
    )
}

/// Why an order is held, as sentences.
pub fn why_of(holds: &[Hold]) -> String {
    let said: Vec<&str> = holds.iter().map(|hold| hold.message.as_str()).collect();
    said.join(" ")
}

/// Writes a held sheet to `path`, a new file, and syncs it. Gives how many orders it lists; with none, no file is made.
///
/// # Errors
/// See [`ResultError`]; the file at `path` is then of no use.
pub fn write(
    rows: &mut dyn Iterator<Item = Result<HeldRow, ResultError>>,
    title: &Title,
    path: &Path,
) -> Result<u32, ResultError> {
    workbook::guarded(path, || workbook::held::write(rows, title, path))
}
