//! Rows of a held sheet in `approved/` that say no: in a column that a person has added, or in place of what stood there.
//! Their orders stay held.

use jiff::tz::TimeZone;

use super::edits::is_as_held;
use super::listed::{ListedRow, ReturnedSheet, Unmeant};
use crate::ledger::record::HoldKey;
use crate::ledger::{AsHeld, LedgerError};
use crate::order::says_not_to_send;
use crate::result::held::COUNTRY;

/// Sets the rows apart that say no. `held_by` gives what a key names, as it is held.
pub(super) fn set_apart(
    listed: ReturnedSheet,
    held_by: &dyn Fn(&HoldKey) -> Result<Option<AsHeld>, LedgerError>,
    zone: &TimeZone,
) -> Result<ReturnedSheet, LedgerError> {
    let ReturnedSheet { rows, unmeant } = listed;
    let mut apart = ReturnedSheet {
        rows: Vec::with_capacity(rows.len()),
        unmeant,
    };
    for row in rows {
        match no_of(&row, held_by, zone)? {
            Some(no) => apart.unmeant.push((row, no)),
            None => apart.rows.push(row),
        }
    }
    Ok(apart)
}

/// By which cell a row says no whose order waits. What was written into the file says it of many orders that are held for it.
fn no_of(
    row: &ListedRow,
    held_by: &dyn Fn(&HoldKey) -> Result<Option<AsHeld>, LedgerError>,
    zone: &TimeZone,
) -> Result<Option<Unmeant>, LedgerError> {
    let own = row
        .own
        .iter()
        .filter(|(column, text)| says_not_to_send(column, text));
    let own = own.map(|(column, text)| (column.as_str(), text, true));
    // `NO` is Norway, too.
    let written = row.written.iter().filter(|(column, _text)| *column != COUNTRY);
    let written = written.filter(|(_column, text)| says_not_to_send("", text));
    let written = written.map(|(column, text)| (*column, text, false));
    let mut said = own.chain(written).peekable();
    let Some(key) = row.key.as_ref().filter(|_key| said.peek().is_some()) else {
        return Ok(None);
    };
    let Some(held) = held_by(key)? else {
        return Ok(None);
    };
    let no = said.find(|(column, text, is_own)| *is_own || !is_as_held((column, text), &held, zone));
    Ok(no.map(|(column, text, _is_own)| Unmeant::SaysNo {
        column: column.to_owned(),
        text: text.clone(),
    }))
}
