//! Rows that a thread reads ahead of who uses them: to take a file apart takes as long as to make something of it.

use std::sync::mpsc::{Receiver, Sender, SyncSender, channel};

use super::{Row, Rows};
use crate::ahead::ahead;
use crate::finding::Rejection;

/// Rows that are handed on together, and how many such batches wait at most.
const BATCH: usize = 256;
const BATCHES: usize = 3;

/// Bytes beyond which a batch is full, however few rows it has: a row may have some megabytes.
const BATCH_BYTES: usize = 1 << 20;

/// A row that holds more bytes is not kept to be used again.
const KEPT_BYTES: usize = 8 << 10;

/// A batch, or why the sheet cannot be read on.
type Batch = Result<Vec<Row>, Rejection>;

/// What says of a row that the sheet cannot be read on.
type Check<'a> = &'a (dyn Fn(&Row) -> Result<(), Rejection> + Sync);

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
    read_ahead_checked(rows, &|_row| Ok(()), work)
}

/// The same where that thread, which has less to do than `work`, looks for rows with which the sheet cannot be read on.
pub fn read_ahead_checked<T>(rows: Rows, check: Check<'_>, work: impl FnOnce(&mut RowsAhead) -> T) -> T {
    let (used, free) = channel();
    let read = move |give| read((rows, check), &give, &free);
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
fn read((mut rows, check): (Rows, Check<'_>), give: &SyncSender<Batch>, free: &Receiver<Vec<Row>>) {
    loop {
        let (batch, is_last) = match fill((&mut rows, check), free.try_recv().unwrap_or_default()) {
            Ok((batch, is_last)) => (Ok(batch), is_last),
            Err(rejection) => (Err(rejection), true),
        };
        if give.send(batch).is_err() || is_last {
            return;
        }
    }
}

/// Fills a batch. Tells whether it is the last.
fn fill((rows, check): (&mut Rows, Check<'_>), mut batch: Vec<Row>) -> Result<(Vec<Row>, bool), Rejection> {
    batch.retain(|row| row.bytes() <= KEPT_BYTES);
    batch.resize_with(BATCH, Row::default);
    let (mut filled, mut bytes) = (0, 0);
    for row in &mut batch {
        if bytes > BATCH_BYTES {
            break;
        }
        if !rows.next(row)? {
            batch.truncate(filled);
            return Ok((batch, true));
        }
        check(row)?;
        filled += 1;
        bytes += row.bytes();
    }
    batch.truncate(filled);
    Ok((batch, false))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sheet::tests::open;

    #[test]
    fn large_rows_are_not_handed_on_in_hundreds() {
        let large = vec!["x".repeat(30_000); 10].join(",");
        let text = "order_id,note\n".to_owned() + &format!("1,{large}\n").repeat(40);
        let sheet = open(text.as_bytes()).unwrap();
        let mut rows = sheet.rows().unwrap();
        let (mut all, mut used) = (0, Vec::new());
        loop {
            let (batch, is_last) = fill((&mut rows, &|_row| Ok(())), used).unwrap();
            assert!(batch.len() <= 5, "{} rows of 300 kB at once", batch.len());
            all += batch.len();
            used = batch;
            if is_last {
                break;
            }
        }
        assert_eq!(all, 41);
    }
}
