//! Orders of a sheet that are known already with something else: an old sheet that is dropped again has them as well as one
//! that somebody has changed. Nothing is to be fixed in them.

use super::{again, orders};
use crate::ledger::record::NeedySheet;

/// What is told of so many such orders of a sheet, and what to do.
pub(super) fn told(sheet: &NeedySheet, n: u64) -> (String, String) {
    let (is, them, another) = if n == 1 {
        ("is", "it", "another order is")
    } else {
        ("are", "them", "other orders are")
    };
    (
        format!(
            "{} of {} {is} known already, with other content; nothing was sent for {them}.",
            orders(n),
            sheet.sheet_name
        ),
        format!(
            "Where what is known is right, there is nothing to do. Where {another} meant, or this content instead, the result {} says what \
             differs: cancel what it replaces, give {them} another order_id, such as 1001-2, and {} the sheet.",
            sheet.stem,
            again(sheet)
        ),
    )
}
