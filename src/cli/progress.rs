//! Progress bars: on a terminal alone; off it, the log tells.

use std::fmt::Write;
use std::io::IsTerminal;
use std::sync::Arc;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use tokio::task::JoinHandle;

use crate::import::Progress;
use crate::logging;

/// A bar over `length` steps, named by what is done; invisible off a terminal.
pub(super) fn bar(length: usize, doing: &'static str) -> ProgressBar {
    let mut bar = ProgressBar::with_draw_target(
        Some(u64::try_from(length).unwrap_or(u64::MAX)),
        ProgressDrawTarget::hidden(),
    );
    if let Ok(style) = ProgressStyle::with_template("{prefix} {bar:30} {pos}/{len} {pace} {eta}") {
        bar.set_style(style.with_key("pace", write_pace));
    }
    bar.set_prefix(doing);
    // Last: each of these would draw it, before anything is known to be done.
    if std::io::stderr().is_terminal() {
        bar = logging::bars().add(bar);
    }
    bar
}

/// Writes how many steps are done a second. What cannot be written is a bar that is gone.
fn write_pace(state: &ProgressState, text: &mut dyn Write) {
    let _gone = write!(text, "{:.0}/s", state.per_sec());
}

/// How often a bar is drawn.
const DRAWN: Duration = Duration::from_millis(100);

/// A bar that follows the sheets under way for as long as it is kept; nothing off a terminal.
pub(super) fn draw(progress: &Arc<Progress>, doing: &'static str) -> Drawn {
    if !std::io::stderr().is_terminal() {
        return Drawn(None);
    }
    let (bar, progress) = (bar(0, doing), Arc::clone(progress));
    let shown = bar.clone();
    let drawing = tokio::spawn(async move {
        loop {
            let (done, orders) = progress.read();
            // A bar of no steps would be full.
            if orders > 0 {
                shown.set_length(orders);
                shown.set_position(done);
            }
            tokio::time::sleep(DRAWN).await;
        }
    });
    Drawn(Some((bar, drawing)))
}

/// A bar that is being drawn; it goes when this is dropped.
#[derive(Debug)]
pub(super) struct Drawn(Option<(ProgressBar, JoinHandle<()>)>);

impl Drop for Drawn {
    fn drop(&mut self) {
        if let Some((bar, drawing)) = self.0.take() {
            drawing.abort();
            bar.finish_and_clear();
        }
    }
}
