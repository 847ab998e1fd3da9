//! `STATUS.txt` in each inbox: written when something changes, and every few minutes as a sign of life. Each inbox has a
//! task of its own, so that a share that does not answer keeps no other from being told. What is so is read once for all of
//! them.

mod reading;

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use futures_util::future::join_all;
use jiff::Timestamp;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use self::reading::{ROUND, Reading, next, read};
pub(super) use self::reading::{Rounds, read_rounds};
use super::{DaemonError, Desk, Desks};
use crate::clock::Clock;
use crate::config::Config;
use crate::files::{self, open_plain};
use crate::inbox::marker::{self, Marker, OTHERS};
use crate::ledger::LedgerError;
use crate::status::text::{self, Alive};
use crate::submit::{Blocked, Submitter};

/// The file's name.
const NAME: &str = "STATUS.txt";

/// The progress of a sheet changes all the time: it is told this often.
const PROGRESS: Duration = Duration::from_secs(15);

/// A sign of life is written this often at least.
const ALIVE: Duration = Duration::from_mins(2);

/// Of a folder that belongs to another ledger, a sign of life is believed for so long: several are missed by then.
const LEFT: Duration = Duration::from_mins(10);

/// The most bytes of the file that are read: far more than are ever written.
const LONGEST: u64 = 1 << 20;

/// A service that is away for longer is told of.
const AWAY: Duration = Duration::from_secs(10);

/// What was last told, and when it was read.
#[derive(Debug)]
struct Told {
    facts: Vec<String>,
    at: Instant,
}

/// Keeps the file of an inbox by the newest reading, until the program ends. One whose share takes its time misses some.
pub(super) async fn keep(
    desk: &Arc<Desk>,
    config: &Arc<Config>,
    (mut rounds, ending): (Rounds, &CancellationToken),
) -> Result<(), DaemonError> {
    let mut told = None;
    while let Some(reading) = next(&mut rounds, ending).await {
        told = once(desk, config, (Alive::Working, Some(reading)), told).await?;
    }
    once(desk, config, (Alive::Ended, None), None).await.map(drop)
}

/// Writes the files of all inboxes once more when all work has ended: what was under way when the program was told to end
/// may have ended a trouble that was told then.
pub(super) async fn ended(desks: &Desks, config: &Arc<Config>) -> Result<(), DaemonError> {
    let inboxes = desks.inboxes.iter();
    let told = inboxes.map(|desk| once(desk, config, (Alive::Ended, None), None));
    join_all(told)
        .await
        .into_iter()
        .try_for_each(|told| told.map(drop))
}

/// Writes the file of an inbox at the end of one pass.
pub(super) async fn passed(desk: &Arc<Desk>, config: &Arc<Config>) -> Result<(), DaemonError> {
    once(desk, config, (Alive::Passed, None), None).await.map(drop)
}

/// Writes the file of an inbox when a command that works nothing else has done what was asked for.
pub(super) async fn asked(desk: &Arc<Desk>, config: &Arc<Config>) -> Result<(), DaemonError> {
    once(desk, config, (Alive::Asked, None), None).await.map(drop)
}

/// Tells by a reading, or by one of its own.
async fn once(
    desk: &Arc<Desk>,
    config: &Arc<Config>,
    (alive, reading): (Alive, Option<Arc<Reading>>),
    told: Option<Told>,
) -> Result<Option<Told>, DaemonError> {
    let (name, config) = (desk.inbox.name.clone(), Arc::clone(config));
    let (waits, of_account) = waits(desk, alive)?;
    note_waits(&desk.importer.submitter, of_account).await?;
    let reading = match reading {
        Some(reading) => reading,
        None => read(&config).await?,
    };
    let at = reading.at;
    let putting = tokio::task::spawn_blocking(move || news(&name, &config, &waits, (&reading, alive)));
    let Some(news) = putting.await.map_err(|_panic| DaemonError::Panicked)? else {
        return Ok(None);
    };
    if told
        .as_ref()
        .is_some_and(|told| at.duration_since(told.at) < pause(told, &news))
    {
        return Ok(told);
    }
    let written = desk.in_time("status", move |desk| {
        write(desk.folder.root(), &news, Clock::system().now().wall).map(|()| news.facts)
    });
    let Some(written) = written.await? else {
        // Its own looks say that it does not answer.
        return Ok(None);
    };
    match written {
        Ok(facts) => Ok(Some(Told { facts, at })),
        Err(error) => {
            // Told once, not in every round.
            if told.is_some() || !matches!(alive, Alive::Working) {
                tracing::warn!(inbox = desk.inbox.name, %error, "{NAME} cannot be written");
            } else {
                tracing::debug!(inbox = desk.inbox.name, %error, "{NAME} is not written now");
            }
            Ok(None)
        }
    }
}

/// What the inbox's orders wait for, and of that what is so in the whole account.
fn waits(desk: &Desk, alive: Alive) -> Result<(Vec<String>, Option<String>), DaemonError> {
    let mut waits = Vec::new();
    if desk.stop.load(Ordering::Relaxed) {
        waits.push("Nothing is sent while a file named STOP lies here. Delete it to go on.".to_owned());
    }
    let of_account = account_waits(&desk.importer.submitter, alive)?;
    waits.extend(of_account.clone());
    Ok((waits, of_account))
}

/// What an account's orders wait for, and what follows.
fn account_waits(submitter: &Submitter, alive: Alive) -> Result<Option<String>, DaemonError> {
    let is_pause = || submitter.health.pause_left() > Some(AWAY);
    let blocked = match submitter.health.stopped() {
        Some(Blocked::Ending) => None,
        Some(blocked) => Some(blocked),
        // A hiccup of the service is no news. A single pass does not stay for its end.
        None => match submitter
            .away()?
            .filter(|(since, _what)| alive != Alive::Working || *since > AWAY || is_pause())
        {
            Some((_since, blocked)) => Some(blocked),
            None => submitter.quiet()?,
        },
    };
    // A command that need not ask the service knows nothing newer of it.
    if blocked.is_none() && alive == Alive::Asked {
        let account = &submitter.config.name;
        return Ok(submitter.ledger.read(|store| store.waits_for(account))?);
    }
    Ok(blocked.map(|blocked| {
        let follows = match &blocked {
            Blocked::Away(_) | Blocked::Unusable(_) => "It is asked again until it does; nothing is lost.",
            Blocked::Slowed(_) | Blocked::Quiet(_) | Blocked::Ending => "It goes on by itself; nothing is lost.",
            Blocked::Token(_) => {
                "The operator sees whether another program uses the account, and lets each have one of its own. It is tried \
                 again now and then; nothing is lost."
            }
            Blocked::Denied(_) => {
                "The operator settles that with the print service. It is tried again now and then; nothing is lost."
            }
            Blocked::Credentials(_) => "Nothing is sent until then; nothing is lost.",
            Blocked::Setup(_) => {
                "Nothing is sent until then and dropsheet is started again, or the service is itself again; nothing is \
                 lost."
            }
        };
        format!("{} {follows}", blocked.told(&submitter.zone).1)
    }))
}

/// Notes it in the ledger, for who asks how it goes from another process.
async fn note_waits(submitter: &Submitter, why: Option<String>) -> Result<(), LedgerError> {
    let account = submitter.config.name.clone();
    if submitter.ledger.read(|store| store.waits_for(&account))? == why {
        return Ok(());
    }
    submitter
        .ledger
        .write(move |store| store.set_waits_for(&account, why.as_deref()))
        .await
}

/// What there is to tell.
struct News {
    facts: Vec<String>,
    text: String,
    is_moving: bool,
    alive: Alive,
    ledger: String,
}

/// What there is to tell in an inbox; none where it is not in the config.
fn news(inbox: &str, config: &Config, waits: &[String], (reading, alive): (&Reading, Alive)) -> Option<News> {
    let status = &reading.status;
    let inbox = status.inbox(inbox)?;
    // A folder with trouble is stopped by that, and it is told what to do.
    let waits = if inbox.trouble.is_some() { &[] } else { waits };
    Some(News {
        facts: text::facts(status, inbox, waits, alive, &config.zone),
        text: text::inbox(status, inbox, waits, alive, &config.zone),
        is_moving: status.under_way.iter().any(|sheet| sheet.inbox == inbox.name),
        alive,
        ledger: reading.ledger.clone(),
    })
}

/// How long after what was told the news may be told.
fn pause(told: &Told, news: &News) -> Duration {
    let is_more = news.facts.len() != told.facts.len();
    match (news.facts != told.facts, news.is_moving) {
        (true, false) => ROUND,
        (true, true) if is_more => ROUND,
        (true, true) => PROGRESS,
        (false, _) => ALIVE,
    }
}

/// Writes it. What lies under a share that is not mounted is not written to, nor is the file of another ledger whose
/// dropsheet writes it: but where that ledger is lost, nobody else says that this one takes nothing here.
fn write(root: &Path, news: &News, now: Timestamp) -> io::Result<()> {
    let path = root.join(NAME);
    match marker::read(root, &news.ledger)? {
        Marker::Ours => {}
        Marker::Other(_) if news.text.contains(OTHERS) && is_left(&path, now)? => {}
        Marker::Other(_) | Marker::Missing => return Ok(()),
    }
    // Why it has stopped by itself is told until it works again.
    let is_error_s = |(there, _file): (String, File)| text::is_of_an_error(&there);
    if news.alive == Alive::Asked && there(&path)?.is_some_and(is_error_s) {
        return Ok(());
    }
    if is_ours(&path)? {
        files::write_over(&path, news.text.as_bytes())
    } else {
        Err(somebody_elses())
    }
}

/// Whether nobody who works the folder writes the file any more.
fn is_left(path: &Path, now: Timestamp) -> io::Result<bool> {
    let Some((there, file)) = there(path)? else {
        return Ok(true);
    };
    if there.contains(OTHERS) || text::is_of_the_end(&there) {
        return Ok(true);
    }
    // The share's clock may be another one: who works here writes it again in a moment.
    let written = file.metadata()?.modified()?;
    let age = Timestamp::try_from(written).map(|written| now.duration_since(written));
    Ok(age.is_ok_and(|age| age.unsigned_abs() > LEFT))
}

/// Says in an inbox's folder that the program has stopped; a text that says so already stays, with its time. The disk may
/// be what has stopped it: on a full one the text is written over the one that is there.
pub(super) fn stopped(root: &Path, ledger: Option<&str>, text: &str) -> io::Result<()> {
    let is_to_be_written = match (marker::read(root, ledger.unwrap_or_default())?, ledger) {
        // Whose the folder is cannot be told from a ledger that cannot be read: the config says that it is this one's.
        (Marker::Ours, _) | (Marker::Other(_), None) => true,
        (Marker::Missing, _) | (Marker::Other(_), Some(_)) => false,
    };
    if !is_to_be_written {
        return Ok(());
    }
    let path = root.join(NAME);
    if !is_ours(&path)? {
        return Err(somebody_elses());
    }
    if says_the_same(&path, text)? {
        return Ok(());
    }
    match files::write_over(&path, text.as_bytes()) {
        Err(error) if error.kind() == io::ErrorKind::StorageFull => {
            files::write_within(&path, text.as_bytes())
        }
        written => written,
    }
}

/// Whether a text stands there that begins with the same words and, but for the time in its first line, goes on so.
fn says_the_same(path: &Path, text: &str) -> io::Result<bool> {
    let Some((there, _file)) = there(path)? else {
        return Ok(false);
    };
    let parts = |text: &str| {
        let (first, rest) = text.split_once('\n')?;
        Some((first.split_once(':')?.0.to_owned(), rest.to_owned()))
    };
    Ok(parts(&there) == parts(text))
}

/// The text that stands there, and its file; none where there is none.
fn there(path: &Path) -> io::Result<Option<(String, File)>> {
    let mut file = match open_plain(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    let mut there = Vec::new();
    file.by_ref().take(LONGEST).read_to_end(&mut there)?;
    Ok(Some((String::from_utf8_lossy(&there).into_owned(), file)))
}

fn somebody_elses() -> io::Error {
    io::Error::new(
        io::ErrorKind::AlreadyExists,
        "a file of somebody else's has its name",
    )
}

/// Why the file of a folder cannot be written over what stands there; none where it can.
pub fn in_the_way(root: &Path) -> Option<io::Error> {
    match is_ours(&root.join(NAME)) {
        Ok(true) => None,
        Ok(false) => Some(somebody_elses()),
        Err(error) => Some(error),
    }
}

/// Whether nothing stands there but what dropsheet has written.
fn is_ours(path: &Path) -> io::Result<bool> {
    let mut beginning = Vec::new();
    match open_plain(path) {
        Ok(file) => file.take(text::BEGINNING).read_to_end(&mut beginning)?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(true),
        Err(error) => return Err(error),
    };
    Ok(text::is_ours(&beginning))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn that_it_has_stopped_is_said_with_the_time_when_it_first_did() {
        let folder = tempfile::tempdir().unwrap();
        let (root, path) = (folder.path(), folder.path().join(NAME));
        let text = |second, why| {
            let at = Timestamp::from_second(second).unwrap();
            text::stopped(why, at, &jiff::tz::TimeZone::UTC)
        };
        let said = || std::fs::read_to_string(&path).unwrap();
        stopped(root, Some("a1"), &text(0, "The disk is full.")).unwrap();
        assert!(!path.exists(), "without a marker nothing is written");
        marker::write(root, "a1", "main").unwrap();
        files::write_over(&path, b"dropsheet is alive: just now\r\n\r\nAll is well.\r\n").unwrap();
        stopped(root, Some("b2"), &text(0, "The disk is full.")).unwrap();
        assert!(said().contains("is alive"), "another ledger's folder");
        stopped(root, Some("a1"), &text(0, "The disk is full.")).unwrap();
        assert!(
            said().starts_with("dropsheet has stopped: 1970-01-01 00:00:00 UTC. "),
            "{}",
            said()
        );
        stopped(root, None, &text(60, "The disk is full.")).unwrap();
        assert!(said().contains("1970-01-01 00:00:00"), "since when: {}", said());
        stopped(root, None, &text(60, "The disk fails.")).unwrap();
        assert!(
            said().contains("1970-01-01 00:01:00"),
            "another reason: {}",
            said()
        );
        files::write_over(&path, b"My own notes").unwrap();
        assert!(stopped(root, Some("a1"), &text(0, "The disk is full.")).is_err());
        assert_eq!(said(), "My own notes");
    }

    #[test]
    fn of_another_ledger_s_folder_it_is_told_where_nobody_else_does() {
        let folder = tempfile::tempdir().unwrap();
        let (root, path) = (folder.path(), folder.path().join(NAME));
        marker::write(root, "a1", "main").unwrap();
        let news = |text: &str| News {
            facts: Vec::new(),
            text: format!("dropsheet is alive: now\r\n\r\n{text}\r\n"),
            is_moving: false,
            alive: Alive::Working,
            ledger: "b2".to_owned(),
        };
        let refused = news(&format!("/orders {OTHERS} (a1); set `ledger.path` to that one"));
        let said = || std::fs::read_to_string(&path).unwrap_or_default();
        let written_at =
            || Timestamp::try_from(std::fs::metadata(&path).unwrap().modified().unwrap()).unwrap();
        let now = Clock::system().now().wall;
        write(root, &news("All is well."), now).unwrap();
        assert_eq!(said(), "", "before it was looked at");
        write(root, &refused, now).unwrap();
        assert_eq!(said(), refused.text, "there was none");
        // Who works the folder writes it: it stays, unless that has ended.
        files::write_over(&path, b"dropsheet is alive: then\r\n\r\nAll is well.\r\n").unwrap();
        write(root, &refused, written_at() + LEFT).unwrap();
        assert!(said().contains("All is well."), "{}", said());
        write(root, &refused, written_at() + LEFT + Duration::from_secs(1)).unwrap();
        assert_eq!(said(), refused.text);
        for ended in ["was", "has"] {
            let end = format!("dropsheet {ended} stopped: then. Nothing is taken.\r\n");
            files::write_over(&path, end.as_bytes()).unwrap();
            write(root, &refused, written_at()).unwrap();
            assert_eq!(said(), refused.text, "{ended}");
        }
        // Its own text goes on with its sign of life.
        let later = News {
            text: refused.text.replace("now", "later"),
            ..news("")
        };
        write(root, &later, written_at()).unwrap();
        assert_eq!(said(), later.text);
        files::write_over(&path, b"My own notes").unwrap();
        write(root, &refused, written_at() + LEFT * 2).unwrap_err();
        assert_eq!(said(), "My own notes");
    }

    #[test]
    fn a_file_of_somebody_else_is_not_taken_for_ours() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(NAME);
        assert!(is_ours(&path).unwrap(), "there is none");
        let wide = |text: &str, bytes: fn(u16) -> [u8; 2]| -> Vec<u8> {
            text.encode_utf16().flat_map(bytes).collect()
        };
        let own = "\u{feff}dropsheet is alive: now\r\n";
        let notes = "\u{feff}my own notes of dropsheet";
        for (bytes, ours) in [
            (b"dropsheet is alive".to_vec(), true),
            (own.into(), true),
            (wide(own, u16::to_le_bytes), true),
            (wide(own, u16::to_be_bytes), true),
            // Emptied, or saved so.
            (Vec::new(), true),
            ("\u{feff}".into(), true),
            (wide("\u{feff}", u16::to_le_bytes), true),
            (b"My own notes".to_vec(), false),
            (b"drop".to_vec(), false),
            (b"\n".to_vec(), false),
            (notes.into(), false),
            (wide(notes, u16::to_le_bytes), false),
            (wide(notes, u16::to_be_bytes), false),
        ] {
            files::write_over(&path, &bytes).unwrap();
            assert_eq!(is_ours(&path).unwrap(), ours, "{bytes:?}");
            assert_eq!(in_the_way(folder.path()).is_none(), ours, "{bytes:?}");
            marker::write(folder.path(), "a1", "main").unwrap();
            let written = stopped(folder.path(), Some("a1"), "dropsheet has stopped: now.\r\n");
            assert_eq!(written.is_ok(), ours, "{bytes:?}");
            let kept = std::fs::read(&path).unwrap() == bytes;
            assert_eq!(kept, !ours, "{bytes:?}");
        }
    }
}
