//! What lies in the inboxes at the start. It may cancel orders that were approved or have no answer, of another inbox of the
//! account too: it is taken and heard before one of those leaves.

use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use super::super::once::STABLE_ROUNDS;
use crate::config::Inbox;

/// How far the files of the first look at an inbox have come. A file that keeps changing is waited for no longer than a
/// single pass waits for it.
#[derive(Clone, Copy)]
pub(super) enum FirstFiles {
    /// No look has come to them.
    Unseen,
    /// Some are still changing, and are waited for until then.
    Waited(Instant),
    /// What can be taken of them is.
    Taken,
    /// They were heard.
    Heard,
    /// Those of the account's other inboxes too, and orders may leave.
    Left,
}

impl FirstFiles {
    /// What they are after a look, which has shown when the first that still changes is ready.
    pub(super) fn seen(self, ready_in: Option<Duration>, stable_for: Duration) -> Self {
        let now = Instant::now();
        let give_up = match self {
            Self::Unseen => now + stable_for * STABLE_ROUNDS,
            Self::Waited(give_up) => give_up,
            Self::Taken | Self::Heard | Self::Left => return self,
        };
        let is_to_come = ready_in.is_some_and(|ready_in| now + ready_in <= give_up);
        if is_to_come {
            Self::Waited(give_up)
        } else {
            Self::Taken
        }
    }
}

/// The inboxes whose first files the others of their account wait for: by account and name.
#[derive(Debug)]
pub(in crate::daemon) struct Awaited(Mutex<BTreeSet<(String, String)>>);

impl Awaited {
    /// All of these.
    pub(in crate::daemon) fn all(inboxes: &[Inbox]) -> Self {
        Self(Mutex::new(inboxes.iter().map(key).collect()))
    }

    /// An inbox is not waited for any more: its first files were heard, or its folder cannot be worked now.
    pub(super) fn let_be(&self, inbox: &Inbox) {
        self.inboxes().remove(&key(inbox));
    }

    /// Whether none of an inbox's account is waited for.
    pub(super) fn is_none_of(&self, inbox: &Inbox) -> bool {
        self.inboxes()
            .iter()
            .all(|(account, _)| *account != inbox.account)
    }

    fn inboxes(&self) -> MutexGuard<'_, BTreeSet<(String, String)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn key(inbox: &Inbox) -> (String, String) {
    (inbox.account.clone(), inbox.name.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{config, files};

    fn named<'a>(inboxes: &'a [Inbox], name: &str) -> &'a Inbox {
        inboxes.iter().find(|inbox| inbox.name == name).unwrap()
    }

    #[test]
    fn an_inbox_waits_for_those_of_its_own_account() {
        let account = |name: &str| {
            format!(
                "[account.{name}]\nbase_url = \"https://{name}.example.com\"\nemail = \"{name}@example.com\"\n\
                 password_file = \"password\"\n"
            )
        };
        let inbox = |name: &str, account: &str| {
            format!("[inbox.{name}]\naccount = \"{account}\"\npath = \"{name}\"\n")
        };
        let text =
            account("a") + &account("b") + &inbox("one", "a") + &inbox("two", "a") + &inbox("three", "b");
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("dropsheet.toml");
        files::write_new(&path, text.as_bytes()).unwrap();
        let inboxes = config::load_alone(&path).unwrap().inboxes;
        let awaited = Awaited::all(&inboxes);
        let may_leave = || {
            let mut names = vec!["one", "two", "three"];
            names.retain(|name| awaited.is_none_of(named(&inboxes, name)));
            names
        };
        assert_eq!(may_leave(), [""; 0]);
        for (heard, leave) in [
            ("one", &[][..]),
            ("three", &["three"]),
            ("two", &["one", "two", "three"]),
            // One whose folder is away is let be once more.
            ("two", &["one", "two", "three"]),
        ] {
            awaited.let_be(named(&inboxes, heard));
            assert_eq!(may_leave(), leave, "{heard}");
        }
    }

    #[test]
    fn a_file_that_keeps_changing_is_not_waited_for_without_end() {
        let stable_for = Duration::from_secs(5);
        let soon = Some(Duration::from_secs(1));
        let waited = FirstFiles::Unseen.seen(soon, stable_for);
        assert!(matches!(waited, FirstFiles::Waited(_)));
        assert!(matches!(waited.seen(None, stable_for), FirstFiles::Taken));
        let late = Some(stable_for * (STABLE_ROUNDS + 1));
        assert!(matches!(waited.seen(late, stable_for), FirstFiles::Taken));
        let heard = FirstFiles::Heard.seen(soon, stable_for);
        assert!(matches!(heard, FirstFiles::Heard));
    }
}
