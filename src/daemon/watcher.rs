//! The bell of an inbox: it rings when something happens in its folders, and decides nothing. A network mount sends no
//! events and has none; one that dies, or whose folder was made anew, is made anew at the next look.

use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use notify::{RecursiveMode, Watcher};
use tokio::sync::Notify;

use super::Desk;
use crate::files;

/// The folders in which a person puts files.
const WATCHED: [&str; 4] = ["inbox", "try", "approved", "declined"];

/// A watcher of an inbox's folders; without one the periodic look finds everything too.
#[derive(Debug)]
pub(super) struct Bell {
    watcher: Option<notify::RecommendedWatcher>,
    /// The folders that it watches, by device and inode.
    watched: Vec<Option<(u64, u64)>>,
    broken: Arc<AtomicBool>,
    /// It was said why there is no watcher.
    said: bool,
}

impl Bell {
    /// A bell that does not ring yet.
    pub(super) fn silent() -> Self {
        Self {
            watcher: None,
            watched: Vec::new(),
            broken: Arc::new(AtomicBool::new(true)),
            said: false,
        }
    }

    /// Makes the watcher anew where it is needed: there is none, it has died, or a folder is another one by now.
    pub(super) fn keep(&mut self, desk: &Desk, ring: &Arc<Notify>) {
        let folders = WATCHED.map(|part| desk.folder.part(part));
        let now: Vec<Option<(u64, u64)>> = folders.iter().map(identity).collect();
        if self.watched == now && !self.broken.load(Ordering::Relaxed) {
            return;
        }
        self.watcher = None;
        if let Some(kind) = files::network_mount(desk.folder.root()) {
            self.say(
                desk,
                &format!("it lies on a network mount ({kind}), which sends no events"),
            );
            self.watched = now;
            self.broken.store(false, Ordering::Relaxed);
            return;
        }
        let broken = Arc::new(AtomicBool::new(false));
        match watch(&folders, ring, &broken) {
            Ok(watcher) => {
                self.watcher = Some(watcher);
                self.said = false;
                tracing::debug!(inbox = desk.inbox.name, "the folder is watched");
            }
            Err(error) => {
                broken.store(true, Ordering::Relaxed);
                self.say(desk, &error.to_string());
            }
        }
        self.watched = now;
        self.broken = broken;
    }

    fn say(&mut self, desk: &Desk, why: &str) {
        if !self.said {
            self.said = true;
            tracing::warn!(
                inbox = desk.inbox.name,
                look = ?desk.inbox.look,
                "the folder is not watched, only looked at: {why}"
            );
        }
    }
}

fn identity(folder: &PathBuf) -> Option<(u64, u64)> {
    match std::fs::symlink_metadata(folder) {
        Ok(folder) => Some((folder.dev(), folder.ino())),
        Err(_not_there) => None,
    }
}

fn watch(
    folders: &[PathBuf],
    ring: &Arc<Notify>,
    broken: &Arc<AtomicBool>,
) -> notify::Result<notify::RecommendedWatcher> {
    let (ring, broken) = (Arc::clone(ring), Arc::clone(broken));
    let mut watcher = notify::recommended_watcher(move |event| heard(&event, &ring, &broken))?;
    for folder in folders {
        watcher.watch(folder, RecursiveMode::Recursive)?;
    }
    Ok(watcher)
}

/// What an event comes to. Of what was lost in an overflow the look finds out.
fn heard(event: &notify::Result<notify::Event>, ring: &Notify, broken: &AtomicBool) {
    match event {
        Ok(event) if event.need_rescan() => {
            tracing::debug!("more happened than its queue of events holds: the folder is looked at");
        }
        Ok(_event) => {}
        Err(_died) => broken.store(true, Ordering::Relaxed),
    }
    if rings(event) {
        ring.notify_one();
    }
}

/// Whether an event may mean a sheet. Our own look opens the folder: an event that only says so would ring for ever.
fn rings(event: &notify::Result<notify::Event>) -> bool {
    use notify::EventKind;
    use notify::event::{AccessKind, AccessMode};
    match event {
        Ok(event) => match event.kind {
            EventKind::Access(access) => access == AccessKind::Close(AccessMode::Write),
            // An overflow comes as an event of another kind, without paths: a look finds out.
            EventKind::Any
            | EventKind::Create(_)
            | EventKind::Modify(_)
            | EventKind::Remove(_)
            | EventKind::Other => true,
        },
        Err(_died) => true,
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use notify::event::{AccessKind, AccessMode, CreateKind, Flag};
    use notify::{Event, EventKind};

    use super::*;

    #[test]
    fn looking_at_a_folder_does_not_ring_and_writing_into_it_does() {
        for (kind, expected) in [
            (EventKind::Access(AccessKind::Open(AccessMode::Any)), false),
            (EventKind::Access(AccessKind::Read), false),
            (EventKind::Access(AccessKind::Close(AccessMode::Read)), false),
            (EventKind::Access(AccessKind::Close(AccessMode::Write)), true),
            (EventKind::Create(CreateKind::File), true),
        ] {
            assert_eq!(rings(&Ok(Event::new(kind))), expected, "{kind:?}");
        }
    }

    /// Whether the bell rings, and whether the watcher is made anew.
    async fn hears(event: notify::Result<Event>) -> (bool, bool) {
        let (ring, broken) = (Notify::new(), AtomicBool::new(false));
        heard(&event, &ring, &broken);
        let rung = tokio::time::timeout(Duration::ZERO, ring.notified())
            .await
            .is_ok();
        (rung, broken.load(Ordering::Relaxed))
    }

    #[tokio::test]
    async fn an_overflow_without_paths_rings_and_an_error_rings_and_needs_another_watcher() {
        let overflow = Event::new(EventKind::Other).set_flag(Flag::Rescan);
        assert!(overflow.paths.is_empty());
        assert_eq!(hears(Ok(overflow)).await, (true, false));
        let died = notify::Error::generic("the queue is gone");
        assert_eq!(hears(Err(died)).await, (true, true));
        let opened = Event::new(EventKind::Access(AccessKind::Open(AccessMode::Any)));
        assert_eq!(hears(Ok(opened)).await, (false, false));
    }
}
