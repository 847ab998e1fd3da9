//! The second reading of a sheet: a thread makes drafts of its rows ahead of who judges them.

use std::sync::mpsc::{Receiver, SyncSender};

use crate::ahead::ahead;
use crate::finding::Rejection;
use crate::order::{Draft, Grouper, Index, Layout};
use crate::sheet::{Row, Rows, Sheet};

/// Drafts that are handed on together, and how many such batches wait at most.
const BATCH: usize = 32;
const BATCHES: usize = 2;

/// How many are handed on together at first; then twice as many each time: the first create waits for them.
const FIRST_BATCH: usize = 4;

/// The orders of a sheet, each when its last row has come, some at a time; or why the sheet cannot be read on.
pub(super) type Drafts = Receiver<Result<Vec<Draft>, Rejection>>;

/// Has a thread make drafts of a sheet's rows while `work` judges them. Gives the index back for a third reading.
///
/// # Errors
/// When the sheet cannot be read any more.
pub(super) fn drafts_ahead<T>(
    sheet: &Sheet,
    (layout, index): (&Layout, Index),
    work: impl FnOnce(Drafts) -> T,
) -> Result<(T, Index), Rejection> {
    let header = sheet.header().number();
    let rows = sheet.rows()?;
    let mut grouper = Grouper::new(layout.clone(), index);
    let group = move |give| {
        group(rows, header, &mut grouper, &give);
        grouper.into_index()
    };
    Ok(ahead(BATCHES, group, work))
}

/// Reads to the end, or until nobody takes drafts any more.
fn group(
    mut rows: Rows,
    header: u32,
    grouper: &mut Grouper,
    give: &SyncSender<Result<Vec<Draft>, Rejection>>,
) {
    let mut row = Row::default();
    let mut batch = Vec::new();
    let mut full = FIRST_BATCH;
    loop {
        match rows.next(&mut row) {
            Ok(true) if row.number() <= header => {}
            Ok(true) => batch.extend(grouper.push(&row)),
            // Whoever takes them is told, or has stopped and says why.
            Ok(false) => return drop(give.send(Ok(batch))),
            Err(rejection) => return drop(give.send(Err(rejection))),
        }
        if batch.len() < full {
            continue;
        }
        if give.send(Ok(std::mem::take(&mut batch))).is_err() {
            return;
        }
        full = BATCH.min(full * 2);
    }
}
