//! Named points at which a test stops the program, as a pulled plug would, or makes what is done there fail.
//!
//! Every durable write, every move and every request has one. In builds with debug assertions a process started with
//! `DROPSHEET_CRASH_AT=NAME[:N[:HOW]]` comes to harm when it is at the point NAME for the N-th time (the first, without
//! N). HOW is `abort`, the default; `panic`, as a defect would; `error`, which fails that once; or `errors`, which fails
//! from then on. Release builds have no such points.

use std::io;

#[cfg(debug_assertions)]
use std::sync::{LazyLock, atomic::AtomicU64, atomic::Ordering};

/// What happens at a point.
#[cfg(debug_assertions)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum How {
    Abort,
    Panic,
    Error,
    Errors,
}

#[cfg(debug_assertions)]
static ARMED: LazyLock<Option<(String, u64, How)>> = LazyLock::new(|| {
    #[expect(
        clippy::disallowed_methods,
        reason = "only a test sets it, and only in builds made for tests"
    )]
    let wanted = std::env::var("DROPSHEET_CRASH_AT").ok()?;
    let mut parts = wanted.split(':');
    let name = parts.next()?.to_owned();
    let nth = parts.next().unwrap_or("1").parse().ok()?;
    let how = match parts.next() {
        None | Some("abort") => How::Abort,
        Some("panic") => How::Panic,
        Some("error") => How::Error,
        Some("errors") => How::Errors,
        Some(_) => return None,
    };
    Some((name, nth, how))
});

#[cfg(debug_assertions)]
static PASSED: AtomicU64 = AtomicU64::new(0);

/// Aborts or panics here when a test asked for it. Where nothing can fail, an `error` does nothing.
#[inline]
pub fn point(name: &str) {
    #[cfg(debug_assertions)]
    if let Some((wanted, nth, how @ (How::Abort | How::Panic))) = ARMED.as_ref()
        && wanted == name
        && PASSED.fetch_add(1, Ordering::SeqCst) + 1 == *nth
    {
        stop(*how, name);
    }
    #[cfg(not(debug_assertions))]
    let _: &str = name;
}

/// Aborts, panics or fails here when a test asked for it: to stand before what may fail by itself.
///
/// # Errors
/// Only for a test: an I/O error, as a broken disk or wire gives it.
#[inline]
pub fn fails(name: &str) -> io::Result<()> {
    #[cfg(debug_assertions)]
    if let Some((wanted, nth, how)) = ARMED.as_ref()
        && wanted == name
    {
        let passed = PASSED.fetch_add(1, Ordering::SeqCst) + 1;
        let strikes = passed == *nth || (*how == How::Errors && passed > *nth);
        if strikes {
            stop(*how, name);
            tracing::error!(point = name, "fails, for a test asked for it");
            return Err(io::Error::other(format!("a test asked for a failure at {name}")));
        }
    }
    #[cfg(not(debug_assertions))]
    let _: &str = name;
    Ok(())
}

/// Ends the process where it is to be ended.
#[cfg(debug_assertions)]
#[expect(clippy::panic, reason = "a test asked for it")]
fn stop(how: How, name: &str) {
    match how {
        How::Abort => std::process::abort(),
        How::Panic => panic!("a test asked for a defect at {name}"),
        How::Error | How::Errors => {}
    }
}
