//! Where worlds stand: in memory where it has room for them. The program is killed here and no plug is pulled, so that nothing
//! is asked of a disk but its time, and each world syncs hundreds of times.

use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use rustix::fs::{StatVfsMountFlags, statvfs};
use tempfile::TempDir;

const MEMORY: &str = "/dev/shm";

/// What has to be free there: worlds with large sheets stand beside one another.
const ROOM: u64 = 4 << 30;

/// The folder that new worlds are made in.
pub(super) fn new_worlds() -> PathBuf {
    let has_room = statvfs(MEMORY).is_ok_and(|memory| {
        memory.f_bavail.saturating_mul(memory.f_frsize) >= ROOM
            && !memory.f_flag.contains(StatVfsMountFlags::NOEXEC)
    });
    if has_room {
        PathBuf::from(MEMORY)
    } else {
        std::env::temp_dir()
    }
}

/// A folder on another disk than this one's; none where the machine has one alone.
pub(super) fn elsewhere(than: &Path) -> Option<TempDir> {
    let disk = |path: &Path| path.metadata().map(|folder| folder.dev()).ok();
    let others = [PathBuf::from(MEMORY), std::env::temp_dir()];
    let mut others = others.iter().filter(|other| disk(other) != disk(than));
    others.find_map(|other| tempfile::tempdir_in(other).ok())
}
