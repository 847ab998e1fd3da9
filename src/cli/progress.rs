//! Progress bars: on a terminal alone; off it, the log tells.

use std::io::IsTerminal;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A bar over `length` steps, named by what is done; invisible off a terminal.
pub(super) fn bar(length: usize, doing: &'static str) -> ProgressBar {
    let bar = ProgressBar::new(u64::try_from(length).unwrap_or(u64::MAX));
    if !std::io::stderr().is_terminal() {
        bar.set_draw_target(ProgressDrawTarget::hidden());
    }
    if let Ok(style) = ProgressStyle::with_template("{prefix} {bar:30} {pos}/{len} {per_sec} {eta}") {
        bar.set_style(style);
    }
    bar.set_prefix(doing);
    bar
}
