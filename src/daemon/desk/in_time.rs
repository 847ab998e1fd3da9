//! Calls on an inbox's folder that are given up where it does not answer, so that nothing else waits for it.

use std::sync::Arc;

use super::Desk;
use crate::daemon::DaemonError;
use crate::daemon::hand::NotDone;

impl Desk {
    /// Has the inbox's hand do something, for as long as a folder may take to answer; none where it does not answer.
    pub(in crate::daemon) async fn in_time<T: Send + 'static>(
        self: &Arc<Self>,
        what: &'static str,
        work: impl FnOnce(&Self) -> T + Send + 'static,
    ) -> Result<Option<T>, DaemonError> {
        let desk = Arc::clone(self);
        match self.hand.run_in_time(what, move || work(&desk)).await {
            Ok(done) => Ok(Some(done)),
            Err(NotDone::Silent) => Ok(None),
            Err(NotDone::Panicked) => Err(DaemonError::Panicked),
        }
    }

    /// The same for what takes its time, such as a look through large folders on a slow share: none where a single call takes
    /// longer than any may.
    pub(in crate::daemon) async fn in_good_time<T: Send + 'static>(
        self: &Arc<Self>,
        what: &'static str,
        work: impl FnOnce(&Self) -> T + Send + 'static,
    ) -> Result<Option<T>, DaemonError> {
        tokio::select! {
            done = self.by_hand(what, work) => done.map(Some),
            () = self.falls_silent() => Ok(None),
        }
    }

    /// Comes back when the folder has not answered one call for so long that nothing more is to be hoped for.
    pub(in crate::daemon) async fn falls_silent(&self) {
        self.hand.falls_silent().await;
    }

    /// What is said of a folder that does not answer.
    pub(in crate::daemon) fn no_answer(&self) -> String {
        format!(
            "{} does not answer: is the share away?",
            self.folder.root().display()
        )
    }
}
