//! The machine: the ledger and its disk, a proxy in the way, the mail server and the command.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::{Line, folder};
use crate::causes::chain;
use crate::config::{Config, Mail, Notify};
use crate::daemon::spool_of;
use crate::files;
use crate::ledger::{self, LedgerError, Obstacle, Reader, backup};
use crate::notify::{NotTaken, try_out};
use crate::status::age;
use crate::status::text::span;

/// What is known of the ledger's own name, which the markers of its inboxes have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Named {
    /// This is it.
    As(String),
    /// There is no ledger.
    Missing,
    /// There is one, and it cannot be read: whether a marker names it cannot be told.
    Unreadable,
}

/// The ledger's own name.
pub(super) fn named(config: &Config) -> Named {
    match Reader::open(&config.ledger) {
        Ok(reader) => Named::As(reader.id().to_owned()),
        Err(LedgerError::Missing { .. } | LedgerError::Lost { .. }) => Named::Missing,
        // The ledger's own line says why.
        Err(_told) => Named::Unreadable,
    }
}

/// The ledger: whether it is whole, who works it, and its disk.
pub(super) fn ledger(config: &Config) -> Vec<Line> {
    let home = files::folder_of(&config.ledger);
    let part = "ledger";
    let checked = Reader::open(&config.ledger).and_then(|reader| reader.read(|store| store.quick_check()));
    let mut lines = vec![match checked {
        Ok(None) => whole(part, &config.ledger),
        Ok(Some(damage)) => Line::wrong(
            part,
            format!("{} is damaged: {damage}", config.ledger.display()),
            RESTORE,
        ),
        Err(LedgerError::Missing { path } | LedgerError::Lost { path, .. }) => {
            match ledger::trace_of_lost(&path) {
                None => Line::wrong(
                    part,
                    format!("there is none at {} yet", path.display()),
                    "Run `dropsheet init`.",
                ),
                Some(trace) => Line::wrong(
                    part,
                    format!(
                        "{} is gone, and one was worked here: {} is there",
                        path.display(),
                        trace.display()
                    ),
                    RESTORE,
                ),
            }
        }
        Err(LedgerError::Older { path }) => Line::wrong(
            part,
            format!("{} is of an older dropsheet", path.display()),
            "Restart `dropsheet run`: it brings the ledger up to date.",
        ),
        Err(error @ LedgerError::Newer { .. }) => Line::wrong(
            part,
            chain(&error),
            "Install the newer dropsheet again: an older one does not work its ledger.",
        ),
        Err(error) => Line::wrong(part, chain(&error), advice(&error)),
    }];
    lines.push(match ledger::holder(&config.ledger) {
        Ok(Some(holder)) if holder.began_with_another(&config.fingerprint) => Line::warning(
            "daemon",
            format!(
                "at work: {}; its config was changed since it began, which does not count yet",
                holder.name
            ),
            "End it and start it again.",
        ),
        Ok(Some(holder)) => Line::ok("daemon", format!("at work: {}", holder.name)),
        Ok(None) => Line::warning(
            "daemon",
            "nobody works the ledger now",
            "Start `dropsheet run`, or wait for the timer.",
        ),
        Err(error) => Line::wrong(
            "daemon",
            format!("the ledger's lock cannot be looked at: {error}"),
            "Run doctor as dropsheet's user.",
        ),
    });
    if home.exists() {
        lines.push(folder::tried("ledger: folder", home));
        lines.extend(folder::disk("ledger", home));
    }
    lines
}

/// A ledger that nothing in it is wrong with: whether it can be written, and is the newest that was worked here.
fn whole(part: &str, ledger: &Path) -> Line {
    let path = ledger.display();
    if let Some((_ledger, error)) = files::closed([ledger.to_owned()]).pop() {
        return Line::wrong(part, format!("{path} cannot be written: {error}"), OWN);
    }
    match ledger::is_behind(ledger) {
        Ok(true) => Line::warning(
            part,
            format!("{path} is whole, and older than the one that was worked here"),
            "Start `dropsheet run` again: it looks up at the service what this file does not know.",
        ),
        Ok(false) => Line::ok(part, format!("{path} is whole")),
        Err(error) => Line::wrong(part, chain(&error), advice(&error)),
    }
}

/// What a run opens and writes beside the ledger. A folder that is not there yet is made in the ledger's own.
pub(super) fn beside(config: &Config, now: Timestamp) -> Vec<Line> {
    let closed = ledger::closed(&config.ledger).into_iter();
    let closed = closed.map(|(path, error)| {
        let found = format!("{} cannot be opened: {error}", path.display());
        Line::wrong("ledger: its files", found, OWN)
    });
    let mut lines: Vec<Line> = closed.collect();
    let tokens = config.accounts.first().map(|account| &*account.token_file);
    let folders = [
        ("ledger: spool/", Some(spool_of(config))),
        (
            "ledger: tokens/",
            tokens.map(|file| files::folder_of(file).to_owned()),
        ),
        ("ledger: backups", Some(backup::folder(&config.ledger))),
    ];
    for (part, folder) in folders {
        let folder = folder.filter(|folder| folder.exists());
        lines.extend(folder.map(|folder| folder::tried(part, &folder)));
    }
    lines.extend(backed_up(config, now));
    lines
}

/// What is wrong with the newest backup: the newest try has failed, it is gone, or it is of long before what was sent since.
fn backed_up(config: &Config, now: Timestamp) -> Option<Line> {
    let read = Reader::open(&config.ledger).and_then(|reader| {
        reader.read(|store| {
            let newest_sheet = store.newest_claims(1)?.pop();
            Ok((store.not_backed_up()?, store.backed_up_at()?, newest_sheet))
        })
    });
    // The ledger's own line says why it cannot be read.
    let (failed, backed_up_at, newest_sheet) = read.ok()?;
    let warning = |found| Some(Line::warning("ledger: backups", found, BACK_UP));
    if let Some(why) = failed {
        return warning(format!("the newest try failed: {why}"));
    }
    let Some(newest) = backup::newest(&config.ledger, &now.to_zoned(config.zone.clone())).ok()? else {
        let made = crate::clock::moment(backed_up_at?, &config.zone);
        let folder = backup::folder(&config.ledger);
        return warning(format!(
            "there is none in {}, though one was made at {made}",
            folder.display()
        ));
    };
    let made_at = Timestamp::try_from(std::fs::metadata(&newest).ok()?.modified().ok()?).ok()?;
    let is_behind = newest_sheet?.new.taken_at > made_at && age(made_at, now) > BACKUP_OLD;
    if !is_behind {
        return None;
    }
    warning(format!(
        "the newest is {} old, and sheets were worked since: {}",
        span(age(made_at, now)),
        newest.display()
    ))
}

/// What to do where there is no backup as there should be.
const BACK_UP: &str = "Let dropsheet's user write into the backups' folder, or make room; `dropsheet ledger backup` makes one now.";

/// A backup that is older is not what a daily one should be.
const BACKUP_OLD: Duration = Duration::from_hours(48);

/// What to do about a file of the ledger that cannot be written.
const OWN: &str = "Give the file to the user that runs dropsheet, or run doctor as that user.";

/// What to do about a ledger that is damaged or lost.
const RESTORE: &str = "Stop dropsheet, then put the newest backup in its place, or run `dropsheet ledger rebuild` where there \
                       is none; \"What is kept where\" in the README has each step. Orders that it does not know are found \
                       at the service.";

/// What to do about a ledger that cannot be read.
pub(super) fn advice(error: &LedgerError) -> &'static str {
    match error.trouble() {
        Some(Obstacle::Damaged) => RESTORE,
        Some(Obstacle::Full) => {
            "Make room on its disk, then start dropsheet again: nothing is lost and nothing is sent twice."
        }
        Some(Obstacle::Disk) => {
            "Look into the system's log. Where the disk is broken, put the newest backup onto another one; \"What is kept \
             where\" in the README has each step."
        }
        Some(Obstacle::Replaced | Obstacle::Unlocked) => {
            "See that one dropsheet runs at most, and start it again: nothing is lost and nothing is sent twice."
        }
        Some(Obstacle::ReadOnly | Obstacle::Forbidden) | None => {
            "See `ledger.path` in the config, and its rights."
        }
    }
}

/// The zone of shown times; `named` is what the environment names as the machine's (`TZ`).
pub(super) fn zone(zone: &TimeZone, named: Option<&str>, now: Timestamp) -> Line {
    let part = "zone";
    match named.map(files::plain) {
        Some(named) if zone.is_unknown() => Line::warning(
            part,
            format!(
                "TZ is set to `{named}`, which is no time zone: times are shown in UTC, and days begin by it"
            ),
            "Correct TZ where dropsheet is started, or set `zone` in the config, then start it again.",
        ),
        None if zone.is_unknown() => Line::ok(part, "times are shown in UTC: the machine names no time zone"),
        Some(_) | None => {
            let offset = now.to_zoned(zone.clone()).strftime("UTC%:z").to_string();
            let shown = zone
                .iana_name()
                .map_or_else(|| offset.clone(), |name| format!("{name} (now {offset})"));
            Line::ok(part, format!("times are shown in {shown}"))
        }
    }
}

/// The proxies that the environment names.
pub(super) fn proxies(variables: &[String]) -> Option<Line> {
    (!variables.is_empty()).then(|| {
        Line::warning(
            "network",
            format!("requests go through a proxy: {} is set", variables.join(", ")),
            "Unset it if the service is to be reached directly, or name the service in NO_PROXY.",
        )
    })
}

/// The ways of telling a person, without telling one.
pub(super) async fn notify(notify: &Notify) -> Vec<Line> {
    let mut lines = Vec::new();
    if let Some(mail) = &notify.mail {
        let part = "notify: mail";
        match try_out(mail).await {
            Ok(refused) if refused.is_empty() => {
                let to = mail.to.join(", ");
                lines.push(Line::ok(
                    part,
                    format!("{} takes mail for {to}; none was sent", mail.host),
                ));
            }
            Ok(refused) => lines.extend(refused.iter().map(|one| not_taken(mail, one))),
            Err(error) => lines.push(Line::wrong(
                part,
                chain(&error),
                "Check `notify.smtp`, `mail_from`, `smtp_user` and its password.",
            )),
        }
    }
    if let Some(command) = &notify.command {
        let program = &command.name;
        let part = "notify: command";
        lines.push(if is_program(program) {
            Line::ok(part, format!("{program} is there"))
        } else {
            Line::wrong(
                part,
                format!("{program} is not there, or cannot be run"),
                "Give its whole path, and chmod +x it.",
            )
        });
    }
    lines
}

/// An address that the mail server takes no mail for.
fn not_taken(mail: &Mail, one: &NotTaken) -> Line {
    let found = format!("{} takes no mail for {}: {}", mail.host, one.to, one.why);
    if one.is_refused {
        let advice = "Correct `notify.mail_to`, or have the mail server take mail for that address.";
        Line::wrong("notify: mail", found, advice)
    } else {
        Line::warning(
            "notify: mail",
            found,
            "It may take it later: try again in some minutes.",
        )
    }
}

/// Whether a program can be run. One that is named without a folder is looked for when it is run.
fn is_program(program: &str) -> bool {
    if !program.contains('/') {
        return [
            "/usr/local/bin",
            "/usr/bin",
            "/bin",
            "/usr/local/sbin",
            "/usr/sbin",
            "/sbin",
        ]
        .iter()
        .any(|folder| is_executable(&PathBuf::from(folder).join(program)));
    }
    is_executable(Path::new(program))
}

fn is_executable(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|file| file.is_file() && file.permissions().mode() & 0o111 != 0)
}

#[cfg(test)]
mod tests {
    use super::super::State;
    use super::*;

    #[test]
    fn the_zone_of_shown_times_is_named_and_one_that_is_none_is_told() {
        let now = "2026-11-21T09:00:00Z".parse().unwrap();
        let [berlin, fixed] = [
            TimeZone::get("Europe/Berlin").unwrap(),
            TimeZone::fixed(jiff::tz::offset(-3)),
        ];
        for (shown, named, state, words) in [
            (&berlin, None, State::Ok, "Europe/Berlin (now UTC+01:00)"),
            (&berlin, Some("Nonsense/Zone"), State::Ok, "Europe/Berlin"),
            (&TimeZone::UTC, Some("UTC"), State::Ok, "shown in UTC"),
            (&fixed, None, State::Ok, "shown in UTC-03:00"),
            (&TimeZone::unknown(), None, State::Ok, "names no time zone"),
            (
                &TimeZone::unknown(),
                Some("Nonsense/\u{1b}Zone"),
                State::Warning,
                "TZ is set to `Nonsense/",
            ),
        ] {
            let line = zone(shown, named, now);
            assert_eq!(line.state, state, "{line:?}");
            assert!(line.found.contains(words), "{line:?}");
            assert!(!line.found.contains('\u{1b}'), "{line:?}");
        }
    }
}
