//! What is so in all inboxes, read once for each round of those who tell it.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::clock::Clock;
use crate::config::Config;
use crate::daemon::{DaemonError, pause};
use crate::ledger::Reader;
use crate::status::{Status, catalogs};

/// How often it is looked whether there is something to tell.
pub(super) const ROUND: Duration = Duration::from_secs(2);

/// What was so at a moment.
#[derive(Debug)]
pub(in crate::daemon) struct Reading {
    pub(super) status: Status,
    /// Names the ledger in the inboxes' marker files.
    pub(super) ledger: String,
    pub(super) at: Instant,
}

/// The way to the newest reading; none before the first.
pub(in crate::daemon) type Rounds = watch::Receiver<Option<Arc<Reading>>>;

/// Reads what is so, once a round for all inboxes, until the program ends.
pub(in crate::daemon) async fn read_rounds(
    config: &Arc<Config>,
    rounds: watch::Sender<Option<Arc<Reading>>>,
    ending: &CancellationToken,
) -> Result<(), DaemonError> {
    while !ending.is_cancelled() {
        rounds.send_replace(Some(read(config).await?));
        pause(ROUND, ending).await;
    }
    Ok(())
}

/// The next reading that an inbox has not told of, the newest where there are several; none when the program ends.
pub(super) async fn next(rounds: &mut Rounds, ending: &CancellationToken) -> Option<Arc<Reading>> {
    ending.run_until_cancelled(rounds.changed()).await?.ok()?;
    rounds.borrow_and_update().clone()
}

/// Reads what is so.
pub(super) async fn read(config: &Arc<Config>) -> Result<Arc<Reading>, DaemonError> {
    let (at, config) = (Instant::now(), Arc::clone(config));
    let reading = tokio::task::spawn_blocking(move || {
        // A connection of its own: who works orders does not wait for it.
        let reader = Reader::open(&config.ledger)?;
        let now = Clock::system().now().wall;
        let mut status = reader.read(|store| Status::read(store, &config, now))?;
        match catalogs::news(&config, now) {
            Ok(news) => status.catalogs = news,
            // The rest of the files is worth more than this.
            Err(error) => tracing::debug!(%error, "what has changed in the catalogs is not known"),
        }
        Ok(Arc::new(Reading {
            status,
            ledger: reader.id().to_owned(),
            at,
        }))
    });
    reading.await.map_err(|_panic| DaemonError::Panicked)?
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ledger::Ledger;

    #[tokio::test(start_paused = true)]
    async fn what_is_so_is_read_once_a_round_for_all_inboxes() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("dropsheet.toml");
        let text = "[account.main]\nbase_url = \"https://api.example.com\"\nemail = \"shop@example.com\"\n\
                    password_file = \"password\"\n[inbox.anna]\npath = \"anna\"\n[inbox.ben]\npath = \"ben\"\n";
        crate::files::write_new(&path, text.as_bytes()).unwrap();
        let config = Arc::new(crate::config::load_alone(&path).unwrap());
        let _ledger = Ledger::open(&config.ledger, "a test").unwrap();
        let ending = CancellationToken::new();
        let (read, mut anna) = watch::channel(None);
        let mut ben = anna.clone();
        let until = ending.clone();
        let reading = tokio::spawn(async move { read_rounds(&config, read, &until).await });
        let mut rounds = Vec::new();
        for _round in 0..2 {
            let of_anna = next(&mut anna, &ending).await.unwrap();
            let of_ben = next(&mut ben, &ending).await.unwrap();
            assert!(Arc::ptr_eq(&of_anna, &of_ben), "each inbox has its own reading");
            rounds.push(of_anna.at);
        }
        let lasted = rounds[1].duration_since(rounds[0]);
        assert!(lasted >= ROUND, "{lasted:?}");
        ending.cancel();
        assert!(next(&mut anna, &ending).await.is_none());
        reading.await.unwrap().unwrap();
    }
}
