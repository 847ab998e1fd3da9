//! Named points at which a test stops the program, as a pulled plug would.
//!
//! In builds with debug assertions a process started with `DROPSHEET_CRASH_AT=NAME[:N]` aborts when it comes to
//! the point NAME for the N-th time (the first, without N). Release builds have no such points.

#[cfg(debug_assertions)]
use std::sync::{LazyLock, atomic::AtomicU64, atomic::Ordering};

#[cfg(debug_assertions)]
static ARMED: LazyLock<Option<(String, u64)>> = LazyLock::new(|| {
    #[expect(
        clippy::disallowed_methods,
        reason = "only a test sets it, and only in builds made for tests"
    )]
    let wanted = std::env::var("DROPSHEET_CRASH_AT").ok()?;
    let (name, nth) = wanted.split_once(':').unwrap_or((&wanted, "1"));
    Some((name.to_owned(), nth.parse().ok()?))
});

#[cfg(debug_assertions)]
static PASSED: AtomicU64 = AtomicU64::new(0);

/// Aborts here when a test asked for it; does nothing in a release build.
#[inline]
pub fn point(name: &str) {
    #[cfg(debug_assertions)]
    if let Some((wanted, nth)) = ARMED.as_ref()
        && wanted == name
        && PASSED.fetch_add(1, Ordering::SeqCst) + 1 == *nth
    {
        std::process::abort();
    }
    #[cfg(not(debug_assertions))]
    let _: &str = name;
}
