//! How the program's memory is kept: in one arena for all threads.
//!
//! glibc gives each thread an arena of its own, and what is freed in one is not used again by another. A sheet passes
//! through half a dozen threads, and each keeps what it once needed: a third more in all than in one arena. The number
//! of arenas is read when a program starts, from its environment, so the program starts itself anew in its own place:
//! the process stays the same.

use std::ffi::OsString;
use std::io;
use std::os::unix::process::CommandExt;
use std::process::Command;

/// What glibc reads, see mallopt(3). Where a person has set it, that stands.
pub const ARENAS: &str = "MALLOC_ARENA_MAX";

/// Starts the program anew with one arena and the same arguments, the first of which is its name, unless the number
/// `is_set` already. To be called before there is another thread.
///
/// # Errors
/// Why it could not be started anew: its file is gone, say. It goes on as it is.
pub fn keep_in_one_arena(is_set: bool, mut arguments: impl Iterator<Item = OsString>) -> io::Result<()> {
    if is_set || !cfg!(target_env = "gnu") {
        return Ok(());
    }
    let own = std::env::current_exe()?;
    let name = arguments.next().unwrap_or_else(|| own.clone().into());
    Err(Command::new(own)
        .arg0(name)
        .args(arguments)
        .env(ARENAS, "1")
        .exec())
}
