//! What is left to do when the program stops by itself: a person is told why, for nobody looks at its log.

use super::{DaemonError, chain};
use crate::clock::Clock;
use crate::config::Config;
use crate::ledger::LedgerError;
use crate::notify::concern;
use crate::notify::{Memory, Notifier};

/// Tells a person what has stopped the program, where the config says whom. Writes nothing into the ledger.
pub(super) async fn tell(config: &Config, error: &DaemonError) {
    let Some(notify) = config.notify.as_ref().filter(|_| !is_beside_another(error)) else {
        return;
    };
    let memory = Memory::new(&config.ledger, notify.runtime.as_deref());
    let stopped = concern::stopped(&chain(error));
    let now = Clock::system().now().wall;
    Notifier::new(notify, &crate::notify::Figures::default())
        .last_words(&stopped, &memory, now)
        .await;
}

/// Whether another dropsheet works on: that is no news for a pass that a timer started beside it.
fn is_beside_another(error: &DaemonError) -> bool {
    matches!(error, DaemonError::Ledger(LedgerError::Busy { .. }))
}
