//! What is left to do when the program stops by itself: who drops sheets reads so in STATUS.txt, and a person is told why,
//! for nobody looks at its log.

use std::error::Error;
use std::time::Duration;

use jiff::Timestamp;
use tokio::task::JoinSet;

use super::{DaemonError, tell};
use crate::causes::{self, chain};
use crate::clock::Clock;
use crate::config::Config;
use crate::ledger::{self, LedgerError, Obstacle};
use crate::notify::concern;
use crate::notify::{Notifier, StopMemory};
use crate::status::text;

/// The folders may take so long: a share that does not answer keeps the program from no end.
const FOLDERS: Duration = Duration::from_secs(3);

/// Tells the people of each inbox, and a person where the config says whom, what has stopped the program. Writes nothing
/// into the ledger.
pub(super) async fn tell(config: &Config, error: &DaemonError) {
    if is_beside_another(error) {
        return;
    }
    let now = Clock::system().now().wall;
    tokio::join!(say_in_inboxes(config, error, now), notify(config, error, now));
}

async fn notify(config: &Config, error: &DaemonError, now: Timestamp) {
    let Some(notify) = &config.notify else { return };
    let memory = StopMemory::new(&config.ledger, notify.runtime.as_deref());
    let stopped = concern::stopped(&chain(error));
    Notifier::new(notify, &crate::notify::Figures::default())
        .last_words(&stopped, &memory, now)
        .await;
}

/// Writes it into STATUS.txt, which says else that all is well for ever.
async fn say_in_inboxes(config: &Config, error: &DaemonError, now: Timestamp) {
    if may_be_beside_another(config, error) {
        return;
    }
    let said = text::stopped(why(error), now, &config.zone);
    let mut writing = JoinSet::new();
    for inbox in &config.inboxes {
        let (name, root) = (inbox.name.clone(), inbox.path.clone());
        let (ledger, said) = (config.ledger.clone(), said.clone());
        writing.spawn_blocking(move || {
            // One that cannot be read any more does not tell its name either.
            let id = ledger::id_of(&ledger).ok();
            if let Err(error) = tell::stopped(&root, id.as_deref(), &said) {
                tracing::warn!(inbox = name, %error, "its STATUS.txt cannot say that dropsheet has stopped");
            }
        });
    }
    let all = async { while writing.join_next().await.is_some() {} };
    if tokio::time::timeout(FOLDERS, all).await.is_err() {
        tracing::warn!(
            "not every folder of an inbox answers: STATUS.txt may not say that dropsheet has stopped"
        );
    }
}

/// Whether another dropsheet works on: that is no news for a pass that a timer started beside it.
fn is_beside_another(error: &DaemonError) -> bool {
    matches!(error, DaemonError::Ledger(LedgerError::Busy { .. }))
}

/// Whether another dropsheet may be at work: who starts one as a user that may not even look at the lock must not say in
/// the inboxes of that other one that it has stopped.
fn may_be_beside_another(config: &Config, error: &DaemonError) -> bool {
    let is_lock = matches!(error, DaemonError::Ledger(LedgerError::Lock { .. }));
    is_lock && !matches!(ledger::holder(&config.ledger), Ok(None))
}

/// What has stopped the program, for a person who knows nothing of how it works.
fn why(error: &DaemonError) -> &'static str {
    if let Some(ledger) = ledger_error(error) {
        return match ledger.trouble() {
            Some(Obstacle::Full) => "The disk on which dropsheet keeps its records is full.",
            Some(Obstacle::ReadOnly | Obstacle::Forbidden) => "dropsheet may not write into its own records.",
            Some(Obstacle::Disk) => "The disk on which dropsheet keeps its records has failed.",
            Some(Obstacle::Damaged) => "dropsheet's own records are damaged.",
            Some(Obstacle::Replaced) => "dropsheet's own records were replaced while it was at work.",
            Some(Obstacle::Unlocked) => "Two programs may be at work on dropsheet's own records.",
            None if matches!(ledger, LedgerError::Lost { .. }) => "dropsheet's own records are gone.",
            None => "dropsheet cannot use its own records.",
        };
    }
    if causes::of(error).any(causes::is_of_a_full_disk) {
        return "A disk that dropsheet needs is full.";
    }
    match error {
        DaemonError::Config(_)
        | DaemonError::Client { .. }
        | DaemonError::Listen { .. }
        | DaemonError::NoInbox { .. }
        | DaemonError::Anothers(_)
        | DaemonError::Webhook(_) => "dropsheet is not set up as it has to be.",
        DaemonError::Panicked => "dropsheet has a defect.",
        DaemonError::Ledger(_)
        | DaemonError::Cache(_)
        | DaemonError::Take(_)
        | DaemonError::Submit(_)
        | DaemonError::Import { .. }
        | DaemonError::Finish { .. }
        | DaemonError::Spool { .. }
        | DaemonError::Read { .. }
        | DaemonError::Thread(_) => "Something that dropsheet cannot work without has failed.",
    }
}

fn ledger_error(error: &DaemonError) -> Option<&LedgerError> {
    match error {
        DaemonError::Ledger(error) => Some(error),
        error => causes::of(error).find_map(<dyn Error>::downcast_ref),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io;

    use crate::submit::SubmitError;

    #[test]
    fn a_merchant_is_told_what_has_stopped_the_program_wherever_it_was_met() {
        let full = || LedgerError::Commit {
            detail: "disk I/O error; its disk is full: make room and start dropsheet again".to_owned(),
        };
        let of_disk = "The disk on which dropsheet keeps its records is full.";
        assert_eq!(why(&DaemonError::Ledger(full())), of_disk);
        assert_eq!(why(&DaemonError::Submit(SubmitError::Ledger(full()))), of_disk);
        let damaged = LedgerError::Corrupt {
            path: "ledger.db".into(),
            detail: "row missing".to_owned(),
        };
        assert_eq!(
            why(&DaemonError::Ledger(damaged)),
            "dropsheet's own records are damaged."
        );
        let spool = DaemonError::Spool {
            path: "spool".into(),
            source: io::ErrorKind::StorageFull.into(),
        };
        assert_eq!(why(&spool), "A disk that dropsheet needs is full.");
    }
}
