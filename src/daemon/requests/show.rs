//! What a person asked for by hand shows in the results at once: once for all requests that end together.

use std::sync::atomic::{AtomicU64, Ordering};

use tokio::sync::Mutex;

use crate::daemon::papers::write_papers;
use crate::daemon::{DaemonError, Desk, Desks};
use crate::inbox::NO_ANSWER;

/// Writes results and papers for requests that have ended, one writing at a time.
#[derive(Debug, Default)]
pub(super) struct Show {
    /// How many requests have asked to be shown.
    asked: AtomicU64,
    /// How many of them a writing that began afterwards has shown.
    shown: Mutex<u64>,
}

impl Show {
    /// Returns when what the ledger knows now is in the results, of every folder that answers.
    pub(super) async fn now(&self, desks: &Desks) -> Result<(), DaemonError> {
        let mine = self.asked.fetch_add(1, Ordering::SeqCst) + 1;
        let mut shown = self.shown.lock().await;
        if *shown >= mine {
            return Ok(());
        }
        let asked = self.asked.load(Ordering::SeqCst);
        for desk in &desks.inboxes {
            // A share that does not answer is not waited for: its results are written when it is back.
            let writing = async {
                match desk.in_time("look", Desk::trouble).await? {
                    Some(trouble) => desk.write_news(trouble.is_some()).await.map(drop),
                    None => Ok(()),
                }
            };
            if let Ok(written) = tokio::time::timeout(NO_ANSWER, writing).await {
                written?;
            }
        }
        write_papers(desks).await?;
        *shown = asked;
        Ok(())
    }
}
