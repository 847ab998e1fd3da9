//! The service's order list, read into the ledger before a report is written.

use jiff::Timestamp;

use super::subject::Subject;
use crate::cli::work::ledger_meaning;
use crate::clock::{Clock, Now};
use crate::config::{Account, Config};
use crate::daemon;
use crate::ledger::record::AccountRef;
use crate::ledger::{self, Ledger, LedgerError};
use crate::report::Span;
use crate::sync::{self, FirstPage, List, ReadError};

/// Whether the service is asked before a report is written.
#[derive(Debug)]
pub(super) enum Asking {
    /// It is read into the ledger, which nobody else works meanwhile.
    Into(Box<Ledger>),
    /// Why it is not, as a sentence.
    Not(&'static str),
}

impl Asking {
    /// Opens the ledger, as far as there is one that may be written to.
    pub(super) fn open(config: &Config) -> anyhow::Result<Self> {
        if let Err(LedgerError::Missing { .. }) = ledger::id_of(&config.ledger) {
            return Ok(Self::Not("There is no ledger yet: nothing was ever sent."));
        }
        let ledger = match daemon::open_ledger(config, "dropsheet report") {
            Ok(ledger) => ledger,
            // Which process that is matters to nobody who adds up costs.
            Err(LedgerError::Busy { .. }) => {
                return Ok(Self::Not(
                    "The service was not asked for this workbook: the dropsheet that is at work reads it every so often, last at \
                     the time above.",
                ));
            }
            Err(error) => return Err(ledger_meaning(error)),
        };
        // What is written here would bring it nearer to the one that was there before, and hide from `run` that it is behind.
        if ledger.is_behind()? {
            return Ok(Self::Not(
                "The service was not asked for this workbook: the ledger was put back from before, and `dropsheet run` has to \
                 learn first what it has forgotten.",
            ));
        }
        Ok(Self::Into(Box::new(ledger)))
    }

    /// Reads the order list of an account from the span's first day on; gives why it was not, as a sentence.
    pub(super) async fn read(
        &self,
        config: &Config,
        subject: &Subject<'_>,
        span: Span,
        clock: &Clock,
    ) -> Option<String> {
        let account = match subject {
            Subject::Configured(account) => account,
            Subject::Left(known) => {
                let name = &known.name;
                return Some(format!(
                    "The service could not be asked for this workbook: account `{name}` is not in the config any more. Put \
                     [account.{name}] back, as it was, to have it asked."
                ));
            }
        };
        let ledger = match self {
            Self::Into(ledger) => ledger,
            Self::Not(why) => return Some((*why).to_owned()),
        };
        match walk(ledger, account, span.moments(&config.zone).0, clock).await {
            Ok(()) => None,
            Err(error) => {
                let told = format!("The service could not be read: {error:#}.");
                tracing::warn!(account = account.name, "{told}");
                Some(told)
            }
        }
    }
}

async fn walk(ledger: &Ledger, account: &Account, from: Timestamp, clock: &Clock) -> anyhow::Result<()> {
    let client = daemon::client(account, clock)?;
    let (name, url, email) = (
        account.name.clone(),
        account.base_url.clone(),
        account.email.clone(),
    );
    let id = ledger
        .write(move |store| store.account(&name, &url, &email))
        .await?;
    let now = clock.now();
    let from = read_from(ledger, (id, account), from, &now)?;
    let first_page = FirstPage::default();
    let walk = sync::walk(
        List::new(&client, &first_page),
        (ledger, id),
        (from, sync::begun(account, &now)),
        &now,
        &mut sync::Progress::default(),
    )
    .await?;
    if walk.without_id_from.is_some() {
        return Err(ReadError::WithoutId.into());
    }
    Ok(())
}

/// From where the list is read for days that begin then. No gap is left behind: what was read to an earlier moment goes on
/// from there, and a new ledger, which counts as read afterwards, is read as far back as before its first create.
fn read_from(
    ledger: &Ledger,
    (id, account): (AccountRef, &Account),
    from: Timestamp,
    now: &Now,
) -> Result<Timestamp, LedgerError> {
    Ok(sync::walk_from(ledger, id, account, now)?.min(from))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::BootTime;
    use crate::{config, files};

    #[test]
    fn a_report_of_a_new_ledger_leaves_no_gap_before_its_first_create() {
        let folder = tempfile::tempdir().unwrap();
        let config = folder.path().join("dropsheet.toml");
        let text = "[account.main]\nbase_url = \"https://api.example.com\"\nemail = \"shop@example.com\"\n\
                    password_file = \"password\"\nhistory = \"90d\"\n[inbox.main]\npath = \"orders\"\n";
        files::write_new(&config, text.as_bytes()).unwrap();
        let config = config::load(Some(&config)).unwrap();
        let account = config.account("main").unwrap();
        let ledger = Ledger::open(&folder.path().join("ledger.db"), "a test").unwrap();
        let (url, email) = (account.base_url.clone(), account.email.clone());
        let id = ledger
            .write_blocking(move |store| store.account("main", &url, &email))
            .unwrap();
        let at = |moment: &str| -> Timestamp { moment.parse().unwrap() };
        let now = Now {
            wall: at("2026-11-21T09:00:00Z"),
            boot: BootTime {
                id: "boot-1".into(),
                millis: 0,
            },
        };
        let from = |first_day: &str| read_from(&ledger, (id, account), at(first_day), &now).unwrap();
        let [november, june] = ["2026-11-01T00:00:00Z", "2026-06-01T00:00:00Z"];
        assert_eq!(from(november), at("2026-08-23T09:00:00Z"), "`history` ago");
        assert_eq!(from(june), at(june));
        let (known_to, then) = (at("2026-10-20T00:00:00Z"), now.clone());
        ledger
            .write_blocking(move |store| store.set_walked(id, known_to, &then))
            .unwrap();
        assert_eq!(from(november), known_to);
        assert_eq!(from(june), at(june));
    }
}
