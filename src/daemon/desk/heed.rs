//! Whether orders of a sheet may leave, looked for beside its work.

use std::io;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::super::DaemonError;
use super::Desk;

impl Desk {
    /// Looks for `STOP`, and whether the share is there, for the sheets under way; not twice at once. A sheet that is
    /// worked `alone` lies in no inbox: only `STOP` matters to it.
    pub(super) fn heed(self: &Arc<Self>, alone: bool) {
        if self.heeding.swap(true, Ordering::Relaxed) {
            return;
        }
        let desk = Arc::clone(self);
        tokio::spawn(async move {
            let of_thread = Arc::clone(&desk);
            let look = move || of_thread.hindrance(alone);
            let trouble = desk.lookout.run("look", look).await;
            if let Some(Some(trouble)) = trouble {
                tracing::debug!(trouble, "nothing more is sent for now");
            }
            desk.heeding.store(false, Ordering::Relaxed);
        });
    }

    /// The same before the first of its orders, for a sheet that lies in no inbox.
    pub(in crate::daemon) async fn heed_stop(self: &Arc<Self>) -> Result<(), DaemonError> {
        // The share of an inbox that it does not lie in.
        if self.in_time("look", Self::look_for_stop).await?.is_none() {
            tracing::warn!(
                inbox = self.inbox.name,
                "its folder does not answer: whether STOP lies in it cannot be told"
            );
        }
        Ok(())
    }

    fn hindrance(&self, alone: bool) -> Option<String> {
        if alone {
            self.look_for_stop();
            return None;
        }
        self.trouble()
    }

    /// The inbox may have no folders yet: nobody has put `STOP` there then. Where it cannot be told, it stays as it was.
    fn look_for_stop(&self) {
        let stopped = match self.folder.is_stopped() {
            Ok(stopped) => stopped,
            Err(error) if error.kind() == io::ErrorKind::NotFound => false,
            Err(error) => {
                tracing::warn!(%error, inbox = self.inbox.name, "it cannot be told whether STOP lies in its folder");
                return;
            }
        };
        self.stop.store(stopped, Ordering::Relaxed);
    }
}
