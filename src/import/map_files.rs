//! The files of SKU maps, which may lie on shares: one that does not answer holds up no sheet for good, and one thread.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::task::{AbortHandle, JoinError, spawn_blocking};

/// The files that did not answer, each with the call that was given up on it.
#[derive(Debug, Default)]
pub struct MapFiles {
    given_up: Mutex<HashMap<PathBuf, AbortHandle>>,
}

impl MapFiles {
    /// Does some work on a file; none where that takes longer than `limit`, or what was given up before has not come back.
    /// What is given up stands all the same when it is done at last.
    ///
    /// # Errors
    /// It ended with a panic.
    pub(super) async fn work_within<T: Send + 'static>(
        &self,
        limit: Duration,
        path: &Path,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<Option<T>, JoinError> {
        if self.is_silent(path) {
            return Ok(None);
        }
        let mut working = spawn_blocking(work);
        match tokio::time::timeout(limit, &mut working).await {
            Ok(done) => done.map(Some),
            Err(_elapsed) => {
                let mut given_up = self.given_up.lock().unwrap_or_else(PoisonError::into_inner);
                given_up.insert(path.to_owned(), working.abort_handle());
                Ok(None)
            }
        }
    }

    /// Whether a call that was given up on a file has not come back.
    fn is_silent(&self, path: &Path) -> bool {
        let given_up = self.given_up.lock().unwrap_or_else(PoisonError::into_inner);
        given_up.get(path).is_some_and(|call| !call.is_finished())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    const SHORT: Duration = Duration::from_millis(1);
    const LONG: Duration = Duration::from_mins(1);

    #[tokio::test]
    async fn a_file_that_does_not_answer_is_given_up_and_asked_again_when_the_call_has_come_back() {
        let (files, path) = (MapFiles::default(), Path::new("map.csv"));
        let (answer, silence) = mpsc::channel::<()>();
        let (back, came_back) = mpsc::channel();
        let hangs = move || {
            let _still_there = silence.recv();
            back.send(()).unwrap();
        };
        assert_eq!(files.work_within(SHORT, path, hangs).await.unwrap(), None);
        // Nothing is begun behind it, however long there is time; other files are not its business.
        let never = || -> u32 { panic!("begun behind a call that does not come back") };
        assert_eq!(files.work_within(LONG, path, never).await.unwrap(), None);
        let other = files.work_within(LONG, Path::new("other.csv"), || 1).await;
        assert_eq!(other.unwrap(), Some(1));
        drop(answer);
        came_back.recv().unwrap();
        while files.is_silent(path) {
            tokio::task::yield_now().await;
        }
        assert_eq!(files.work_within(LONG, path, || 2).await.unwrap(), Some(2));
    }
}
