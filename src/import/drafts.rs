//! The second reading of a sheet: a thread makes drafts of its rows ahead of who judges them.

use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::vec;

use crate::finding::Rejection;
use crate::order::{Draft, Grouper, Index, Layout};
use crate::sheet::{Row, Rows, Sheet};

/// Drafts that are handed on together, and how many such batches wait at most.
const BATCH: usize = 32;
const BATCHES: usize = 4;

/// A batch, or why the sheet cannot be read on.
type Batch = Result<Vec<Draft>, Rejection>;

/// The orders of a sheet, each when its last row has come.
#[derive(Debug)]
pub(super) struct Drafts {
    batches: Receiver<Batch>,
    batch: vec::IntoIter<Draft>,
}

impl Iterator for Drafts {
    type Item = Result<Draft, Rejection>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(draft) = self.batch.next() {
            return Some(Ok(draft));
        }
        match self.batches.recv() {
            Ok(Ok(batch)) => self.batch = batch.into_iter(),
            Ok(Err(rejection)) => return Some(Err(rejection)),
            // The thread is at its end; whether by a panic is told when it is joined.
            Err(_ended) => return None,
        }
        self.batch.next().map(Ok)
    }
}

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
    let (give, batches) = sync_channel(BATCHES);
    std::thread::scope(|scope| {
        let grouping = scope.spawn(move || {
            group(rows, header, &mut grouper, &give);
            grouper.into_index()
        });
        let done = work(Drafts {
            batches,
            batch: Vec::new().into_iter(),
        });
        match grouping.join() {
            Ok(index) => Ok((done, index)),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}

/// Reads to the end, or until nobody takes drafts any more.
fn group(mut rows: Rows, header: u32, grouper: &mut Grouper, give: &SyncSender<Batch>) {
    let mut row = Row::default();
    let mut batch = Vec::new();
    loop {
        match rows.next(&mut row) {
            Ok(true) if row.number() <= header => {}
            Ok(true) => batch.extend(grouper.push(&row)),
            // Whoever takes them is told, or has stopped and says why.
            Ok(false) => return drop(give.send(Ok(batch))),
            Err(rejection) => return drop(give.send(Err(rejection))),
        }
        if batch.len() >= BATCH && give.send(Ok(std::mem::take(&mut batch))).is_err() {
            return;
        }
    }
}
