//! What becomes of the program when one of its threads panics: it ends, and the next start takes up the work from the
//! ledger, as after a pulled plug. Whatever waits for what that thread did would wait for ever.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind};

thread_local! {
    /// Whether a panic of this thread is an answer that somebody waits for.
    static CONTAINED: Cell<bool> = const { Cell::new(false) };
}

/// A library panicked over what it was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Panicked;

/// Does work of a library that may panic over what strangers wrote; such a panic ends nothing else.
///
/// # Errors
/// The work panicked.
pub fn contained<T>(work: impl FnOnce() -> T) -> Result<T, Panicked> {
    let outer = CONTAINED.replace(true);
    let done = catch_unwind(AssertUnwindSafe(work));
    CONTAINED.set(outer);
    done.map_err(|_panic| Panicked)
}

/// From now on a panic is logged and ends the process with an exit status, unless it is [`contained`] or `is_an_error`
/// knows it for an error that its caller tells.
pub fn end_the_program(exit: i32, is_an_error: fn(&PanicHookInfo<'_>) -> bool) {
    std::panic::set_hook(Box::new(move |defect| {
        if CONTAINED.get() || is_an_error(defect) {
            return;
        }
        tracing::error!(%defect, "a defect of dropsheet; it ends, and the next start takes up its work");
        #[expect(
            clippy::exit,
            reason = "the thread that should end the program may wait for this one"
        )]
        std::process::exit(exit);
    }));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_contained_panic_is_an_answer_and_lasts_no_longer_than_its_work() {
        let nested = contained(|| {
            let inner: Result<(), Panicked> = contained(|| std::panic::panic_any("odd bytes"));
            (inner, CONTAINED.get())
        });
        assert_eq!(nested, Ok((Err(Panicked), true)));
        assert!(!CONTAINED.get());
    }
}
