//! Telling a person that something needs one: by mail, or by a command.
//!
//! What is told is a function of what is so now ([`concern`]); the ledger keeps what was told, so that nothing is told
//! twice, across restarts too. What cannot be told never stops work: it is tried again after growing pauses.

mod command;
pub mod concern;
mod figures;
mod last;
mod letter;
mod mail;
mod missed;

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use tokio::time::Instant;

use crate::clock::Now;
use crate::config::{ConfigError, Notify, Program};
use crate::ledger::{Ledger, LedgerError, Store};
use concern::{After, Concern};

pub use figures::Figures;
pub use last::StopMemory;
pub use mail::{NotTaken, try_out};

/// The first pause after what could not be told; each further one is twice as long.
const FIRST_PAUSE: Duration = Duration::from_mins(1);

/// The longest pause.
const LONGEST_PAUSE: Duration = Duration::from_hours(1);

/// What was not so for this long while it was looked for is over: when it comes again, it is told again.
const OVER: SignedDuration = SignedDuration::from_hours(1);

/// How often it is written down that something is still so.
const SEEN: SignedDuration = SignedDuration::from_mins(10);

/// How long the ledger remembers what was told: longer than any sheet is told of.
const REMEMBERED: SignedDuration = SignedDuration::from_hours(60 * 24);

/// The key under which the ledger keeps when telling began: what was before is not news.
const BEGAN: &str = "began";

/// The key under which it keeps when a channel last looked for what is to be told.
const LOOKED: &str = "looked";

/// Why something could not be told.
#[derive(Debug, thiserror::Error)]
pub enum NotifyError {
    /// The mail server's password cannot be read.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The mail server cannot be reached, or does not take the mail.
    #[error("the mail server {host} does not take the mail")]
    Smtp {
        /// The server.
        host: String,
        /// Why.
        #[source]
        source: lettre::transport::smtp::Error,
    },
    /// The mail server accepts connections, and says nothing.
    #[error("the mail server {host} did not take the mail within {} s", .limit.as_secs())]
    Silent {
        /// The server.
        host: String,
        /// The time it had.
        limit: Duration,
    },
    /// An address, or the mail as a whole, is none.
    #[error("the mail cannot be made")]
    Mail(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The command cannot be started, or not be told.
    #[error("the command {program} cannot be run")]
    Command {
        /// Its program.
        program: String,
        /// Why.
        #[source]
        source: std::io::Error,
    },
    /// The command has failed.
    #[error("the command {program} has failed ({status})")]
    Failed {
        /// Its program.
        program: String,
        /// How it ended.
        status: std::process::ExitStatus,
    },
    /// The command has not ended in time.
    #[error("the command {program} did not end within {} s", .limit.as_secs())]
    Late {
        /// Its program.
        program: String,
        /// The time it had.
        limit: Duration,
    },
}

/// One way of telling, with its own memory: what one could not tell, the other need not tell again.
#[derive(Debug)]
struct Channel {
    /// The beginning of its keys in the ledger.
    name: &'static str,
    way: Way,
    failures: u32,
    not_before: Option<Instant>,
    /// When an address that got no mail was last asked for.
    tried_out: Option<Instant>,
}

/// Who is not told: an address, or nobody at all where there is none; and why.
type Missed = Vec<(Option<String>, String)>;

#[derive(Debug)]
enum Way {
    Mail(crate::config::Mail),
    Command(Program),
}

/// Who tells.
#[derive(Debug)]
pub struct Notifier {
    channels: Vec<Channel>,
    repeat: SignedDuration,
    host: String,
    figures: Figures,
}

impl Notifier {
    /// A notifier that has told nothing yet in this process; `figures` count what it does.
    pub fn new(config: &Notify, figures: &Figures) -> Self {
        let channel = |name, way| Channel {
            name,
            way,
            failures: 0,
            not_before: None,
            tried_out: None,
        };
        let mail = config.mail.clone().map(|mail| channel("mail", Way::Mail(mail)));
        let command = config.command.clone();
        let command = command.map(|program| channel("command", Way::Command(program)));
        let channels: Vec<Channel> = mail.into_iter().chain(command).collect();
        for channel in &channels {
            figures.know(channel.name);
        }
        Self {
            channels,
            figures: figures.clone(),
            repeat: SignedDuration::try_from(config.repeat).unwrap_or(SignedDuration::MAX),
            host: rustix::system::uname().nodename().to_string_lossy().into_owned(),
        }
    }

    /// When telling began on this ledger; sheets from before are not told of.
    pub async fn began(&self, ledger: &Ledger, now: &Now) -> Result<Timestamp, LedgerError> {
        let at = now.wall;
        ledger
            .write(move |store| {
                let known = store.notice(BEGAN)?;
                match known {
                    Some((told, _seen)) => {
                        store.notice_seen(BEGAN, at)?;
                        Ok(told)
                    }
                    None => store.put_notice(BEGAN, at).map(|()| at),
                }
            })
            .await
    }

    /// Tells what is so now and was not told yet, or was long ago. What cannot be told is tried again at a later call.
    ///
    /// # Errors
    /// The ledger alone: what a mail server says is logged.
    pub async fn tell(
        &mut self,
        ledger: &Ledger,
        concerns: &[Concern],
        now: &Now,
    ) -> Result<(), LedgerError> {
        for channel in &mut self.channels {
            let mut due = due(ledger, channel.name, concerns, (self.repeat, now.wall)).await?;
            if due.is_empty() {
                channel.nothing_waits(ledger, now.wall).await?;
                continue;
            }
            if channel.not_before.is_some_and(|until| Instant::now() < until) {
                continue;
            }
            let keys: Vec<String> = due
                .iter()
                .map(|concern| key(channel.name, &concern.key))
                .collect();
            let others = concern::shorten(&mut due);
            due.extend(&others);
            let sent = channel.way.send(&due, &self.host, now.wall).await;
            self.figures.count(channel.name, sent.is_ok());
            match sent {
                Ok(missed) => {
                    (channel.failures, channel.not_before) = (0, None);
                    tracing::info!(by = channel.name, things = keys.len(), "a person was told");
                    channel.told(ledger, keys, (missed, now.wall)).await?;
                }
                Err(error) => {
                    let missed = vec![(None, channel.failed(&error))];
                    channel.note(ledger, missed, now.wall).await?;
                }
            }
        }
        Ok(())
    }
}

impl Channel {
    /// Notes a failure in the log and plans the next try; gives why, in a line.
    fn failed(&mut self, error: &NotifyError) -> String {
        let pause = FIRST_PAUSE
            .saturating_mul(2_u32.saturating_pow(self.failures.min(10)))
            .min(LONGEST_PAUSE);
        self.failures = self.failures.saturating_add(1);
        self.not_before = Some(Instant::now() + pause);
        let why = crate::causes::chain(error);
        tracing::error!(
            by = self.name,
            again_in_s = pause.as_secs(),
            "a person could not be told: {why}"
        );
        why
    }
}

impl Way {
    /// Tells; gives who is not told though another is.
    async fn send(&self, due: &[&Concern], host: &str, now: Timestamp) -> Result<Missed, NotifyError> {
        match self {
            Self::Mail(mail) => mail::send(mail, &letter::subject(due, host), &letter::body(due, host)).await,
            Self::Command(program) => {
                let told = command::run(program, letter::json(due, host, now)).await;
                told.map(|()| Missed::new())
            }
        }
    }
}

fn key(channel: &str, concern: &str) -> String {
    format!("{channel}:{concern}")
}

/// Whether what came after another concern is not told with that one.
fn is_news(ledger: &Ledger, channel: &str, after: &After) -> Result<bool, LedgerError> {
    let key = key(channel, &after.key);
    let told = ledger.read(|store| store.notice(&key))?;
    Ok(told.is_some_and(|(told, _seen)| told < after.since))
}

/// When a channel looked last before this; notes that it looks now.
async fn look(ledger: &Ledger, channel: &str, now: Timestamp) -> Result<Timestamp, LedgerError> {
    let key = key(channel, LOOKED);
    let known = ledger.read(|store| store.notice(&key))?;
    let before = known.map_or(now, |(_first, looked)| looked);
    if known.is_none() || now.duration_since(before) >= SEEN {
        let put = move |store: &Store<'_>| match known {
            None => store.put_notice(&key, now),
            Some(_) => store.notice_seen(&key, now),
        };
        ledger.write(put).await?;
    }
    Ok(before)
}

/// What is to be told by a channel now: first what was never told.
async fn due<'c>(
    ledger: &Ledger,
    channel: &'static str,
    concerns: &'c [Concern],
    (repeat, now): (SignedDuration, Timestamp),
) -> Result<Vec<&'c Concern>, LedgerError> {
    let (mut due, mut again) = (Vec::new(), Vec::new());
    let mut still = Vec::new();
    let looked = look(ledger, channel, now).await?;
    for concern in concerns {
        if let Some(after) = &concern.after
            && !is_news(ledger, channel, after)?
        {
            continue;
        }
        let key = key(channel, &concern.key);
        let known = ledger.read(|store| store.notice(&key))?;
        if is_due(known, concern.lasts, looked, (repeat, now)) {
            let list = if known.is_none() { &mut due } else { &mut again };
            list.push(concern);
        } else if known.is_some_and(|(_told, seen)| concern.lasts && now.duration_since(seen) >= SEEN) {
            still.push(key);
        }
    }
    if !still.is_empty() {
        let oldest = now.checked_sub(REMEMBERED).unwrap_or(now);
        ledger
            .write(move |store| {
                store.forget_notices(oldest)?;
                still.iter().try_for_each(|key| store.notice_seen(key, now))
            })
            .await?;
    }
    due.append(&mut again);
    Ok(due)
}

/// Whether something is told that was told and seen then. What only happened is told once; what lasts is told again
/// after `repeat`, and when it had been over: not seen when it was last `looked` for. While nobody looks, as between single
/// passes, nothing is over.
fn is_due(
    known: Option<(Timestamp, Timestamp)>,
    lasts: bool,
    looked: Timestamp,
    (repeat, now): (SignedDuration, Timestamp),
) -> bool {
    match known {
        None => true,
        Some(_) if !lasts => false,
        Some((told, seen)) => now.duration_since(told) >= repeat || looked.duration_since(seen) >= OVER,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::BootTime;
    use crate::notify::concern::Kind;

    fn order(id: usize) -> Concern {
        Concern {
            key: format!("order:{id}"),
            kind: Kind::Order,
            place: "main".into(),
            what: format!("Order {id} needs a person."),
            advice: String::new(),
            orders: std::collections::BTreeMap::new(),
            lasts: true,
            after: None,
        }
    }

    /// What the command is given, each time that it is run.
    fn told(folder: &std::path::Path) -> Vec<Vec<String>> {
        let text = std::fs::read_to_string(folder.join("told")).unwrap_or_default();
        let read = |line: &str| -> Vec<String> {
            let told: serde_json::Value = serde_json::from_str(line).unwrap();
            let concerns = told["concerns"].as_array().unwrap();
            let what = concerns
                .iter()
                .map(|concern| concern["what"].as_str().unwrap().to_owned());
            what.collect()
        };
        text.lines().map(read).collect()
    }

    #[tokio::test]
    async fn what_comes_after_its_sheet_was_told_is_told_once_and_else_with_the_sheet() {
        let folder = tempfile::tempdir().unwrap();
        let ledger = Ledger::open(&folder.path().join("ledger.db"), "a test").unwrap();
        let day = |hours: i64| Timestamp::from_second(1_790_000_000 + hours * 3600).unwrap();
        let sheet = Concern {
            key: "sheet:main/monday".into(),
            lasts: false,
            ..order(0)
        };
        let refused = Concern {
            key: "refused".into(),
            after: Some(After {
                key: sheet.key.clone(),
                since: day(2),
            }),
            lasts: false,
            ..order(1)
        };
        let both = [sheet, refused];
        let repeat = SignedDuration::from_hours(24);
        let due = async || {
            let due = due(&ledger, "mail", &both, (repeat, day(3))).await.unwrap();
            due.iter().map(|concern| concern.key.clone()).collect::<Vec<_>>()
        };
        let told = async |key: &'static str, hours: i64| {
            let put = ledger.write(move |store| store.put_notice(key, day(hours)));
            put.await.unwrap();
        };
        assert_eq!(
            due().await,
            ["sheet:main/monday"],
            "it names the refused order too"
        );
        told("mail:sheet:main/monday", 2).await;
        assert_eq!(due().await, [""; 0]);
        told("mail:sheet:main/monday", 1).await;
        assert_eq!(due().await, ["refused"]);
        told("mail:refused", 3).await;
        assert_eq!(due().await, [""; 0]);
    }

    #[tokio::test]
    async fn a_new_trouble_is_told_by_its_name_however_many_are_known() {
        let folder = tempfile::tempdir().unwrap();
        let ledger = Ledger::open(&folder.path().join("ledger.db"), "a test").unwrap();
        let script = format!("cat >> {}", folder.path().join("told").display());
        let config = Notify {
            mail: None,
            command: Some(Program {
                name: "sh".to_owned(),
                arguments: vec!["-c".to_owned(), script],
                hidden: Vec::new(),
            }),
            repeat: Duration::from_hours(24),
            runtime: None,
        };
        let mut notifier = Notifier::new(&config, &Figures::default());
        let at = |hour: i64| Now {
            wall: Timestamp::from_second(1_790_000_000 + hour * 3600).unwrap(),
            boot: BootTime {
                id: "boot-1".into(),
                millis: hour * 3_600_000,
            },
        };
        let mut all: Vec<Concern> = (0..120).map(order).collect();
        notifier.tell(&ledger, &all, &at(0)).await.unwrap();
        let first = &told(folder.path())[0];
        assert_eq!(first.len(), 51);
        assert_eq!(first[50], "70 more orders need a person.");
        all.push(order(120));
        notifier.tell(&ledger, &all, &at(0)).await.unwrap();
        assert_eq!(
            told(folder.path())[1..],
            [["Order 120 needs a person.".to_owned()]]
        );
        // All the others are due again with it.
        all.push(order(121));
        notifier.tell(&ledger, &all, &at(25)).await.unwrap();
        let last = told(folder.path()).pop().unwrap();
        assert_eq!((last.len(), &*last[0]), (51, "Order 121 needs a person."));
    }

    #[tokio::test]
    async fn what_lasts_is_not_told_again_by_each_of_passes_that_are_hours_apart() {
        let folder = tempfile::tempdir().unwrap();
        let ledger = Ledger::open(&folder.path().join("ledger.db"), "a test").unwrap();
        let lasting = [order(1)];
        let pass = async |hour: i64, concerns: &[Concern]| {
            let now = Timestamp::from_second(1_790_000_000 + hour * 3600).unwrap();
            let repeat = SignedDuration::from_hours(24);
            let due = due(&ledger, "mail", concerns, (repeat, now)).await.unwrap().len();
            let tell =
                move |store: &Store<'_>| (0..due).try_for_each(|_| store.put_notice("mail:order:1", now));
            ledger.write(tell).await.unwrap();
            due
        };
        assert_eq!(pass(0, &lasting).await, 1);
        assert_eq!(pass(3, &lasting).await, 0);
        assert_eq!(pass(6, &lasting).await, 0);
        assert_eq!(pass(9, &[]).await, 0);
        assert_eq!(pass(12, &lasting).await, 1, "it was over, and has come again");
        assert_eq!(pass(15, &lasting).await, 0);
    }

    #[test]
    fn the_same_is_not_told_twice_but_when_it_lasts_long_or_comes_again() {
        let at = |minute: i64| Timestamp::from_second(minute * 60).unwrap();
        let day = SignedDuration::from_hours(24);
        let due = |told, seen, lasts, looked, now| {
            is_due(Some((at(told), at(seen))), lasts, at(looked), (day, at(now)))
        };
        assert!(is_due(None, true, at(0), (day, at(0))));
        assert!(!due(0, 30, true, 35, 40), "it was told and is still so");
        assert!(due(0, 1430, true, 1435, 1440), "it has lasted a day");
        assert!(due(0, 30, true, 90, 95), "it was over for an hour");
        assert!(!due(0, 30, true, 35, 600), "nobody looked whether it was over");
        assert!(
            !due(0, 0, false, 9_000, 10_000),
            "what only happened is told once"
        );
    }
}
