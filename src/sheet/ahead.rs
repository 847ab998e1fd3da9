//! Rows that a thread reads ahead of who uses them: to take a file apart takes as long as to make something of it.

use std::sync::mpsc::{Receiver, Sender, SyncSender, channel};

use super::{Row, Rows};
use crate::ahead::ahead;
use crate::finding::Rejection;

/// Rows that are handed on together, and how many such batches wait at most.
const BATCH: usize = 256;
const BATCHES: usize = 3;

/// A batch, or why the sheet cannot be read on.
type Batch = Result<Vec<Row>, Rejection>;

/// Rows that are being read.
#[derive(Debug)]
pub struct RowsAhead {
    batches: Receiver<Batch>,
    /// Used batches go back, so that rows are used again.
    used: Sender<Vec<Row>>,
    batch: Vec<Row>,
    given: usize,
}

impl RowsAhead {
    /// The next row, as [`Rows::next`] gives it; none at the end.
    ///
    /// # Errors
    /// A [`Rejection`] when the sheet cannot be read on, or a limit is passed.
    pub fn next_row(&mut self) -> Result<Option<&Row>, Rejection> {
        if self.given >= self.batch.len() {
            let Ok(next) = self.batches.recv() else {
                // The thread is at its end; its panic goes on when the scope ends.
                return Ok(None);
            };
            let used = std::mem::replace(&mut self.batch, next?);
            self.given = 0;
            // At the end nobody wants it back.
            drop(self.used.send(used));
        }
        self.given += 1;
        Ok(self.batch.get(self.given - 1))
    }
}

/// Has a thread read the rows while `work` uses them.
pub fn read_ahead<T>(rows: Rows, work: impl FnOnce(&mut RowsAhead) -> T) -> T {
    let (used, free) = channel();
    let read = move |give| read(rows, &give, &free);
    let (worked, ()) = ahead(BATCHES, read, |batches| {
        work(&mut RowsAhead {
            batches,
            used,
            batch: Vec::new(),
            given: 0,
        })
    });
    worked
}

/// Reads to the end, or until nobody takes rows any more.
fn read(mut rows: Rows, give: &SyncSender<Batch>, free: &Receiver<Vec<Row>>) {
    loop {
        let batch = fill(&mut rows, free.try_recv().unwrap_or_default());
        let is_last = !matches!(&batch, Ok(batch) if batch.len() == BATCH);
        if give.send(batch).is_err() || is_last {
            return;
        }
    }
}

/// Fills a batch; one that is not full is the last.
fn fill(rows: &mut Rows, mut batch: Vec<Row>) -> Batch {
    batch.resize_with(BATCH, Row::default);
    let mut filled = 0;
    for row in &mut batch {
        if !rows.next(row)? {
            break;
        }
        filled += 1;
    }
    batch.truncate(filled);
    Ok(batch)
}
