//! An account: its password, a login, the clock, the catalog.

use std::sync::Arc;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};

use super::{Line, webhook};
use crate::catalog::cache::{Cache, files_of};
use crate::causes::chain;
use crate::clock::Clock;
use crate::config::{Account, Config, Webhook};
use crate::daemon;
use crate::files;
use crate::service::{Client, Heard, ListOrders, Verdict, account_key};
use crate::status::age;
use crate::status::text::span;
use crate::sync::{self, FirstPage, List};

/// Clocks that are further apart make dates of orders hard to find.
const APART: SignedDuration = SignedDuration::from_mins(2);

/// A pause of the service's of which the length is told.
const WORTH_TELLING: Duration = Duration::from_mins(1);

/// Tries an account at its service, and what is registered there for the receiver of notifications.
pub(super) async fn lines(account: &Account, receiver: Option<&Webhook>, clock: &Clock) -> Vec<Line> {
    let part = format!("account {}", account.name);
    let client = match daemon::client(account, clock) {
        Ok(client) => client,
        Err(error) => {
            return vec![Line::wrong(part, chain(&error), account.password_remedy())];
        }
    };
    let mut lines = vec![login(&client, account, &part).await];
    if lines.iter().all(|line| line.state == super::State::Ok) {
        lines.extend(clocks(&client, clock, &part).await);
        if let Some(receiver) = receiver {
            lines.extend(webhook::registrations(&client, account, receiver).await);
        }
    }
    lines
}

async fn login(client: &Arc<Client>, account: &Account, part: &str) -> Line {
    match client.log_in().await {
        Ok(()) => Line::ok(
            part,
            format!("the service at {} takes the password", account.base_url),
        ),
        Err(failure) => {
            let advice = match failure.verdict {
                Verdict::Credentials | Verdict::Refused => {
                    "Correct the password; after a correction of `email` the daemon has to be started again."
                }
                Verdict::Misconfigured => "Check `base_url`: nothing of the service's is there.",
                Verdict::TryLater(_) => {
                    "Wait: nothing is set up wrongly here. Orders wait too, and the service is asked again without you; ask \
                     it where that goes on."
                }
                Verdict::Unknown
                    if matches!(failure.heard, Heard::Said(300..=399) | Heard::Odd(300..=399)) =>
                {
                    "Set `base_url` to the service's new place if that is one; ask the service where it is not. Orders \
                     wait meanwhile."
                }
                Verdict::NotSent | Verdict::Unknown => {
                    "Check the network and `base_url`, or ask the service; orders wait meanwhile."
                }
            };
            let pause = match failure.verdict {
                Verdict::TryLater(asked) if asked >= WORTH_TELLING => {
                    format!("; the service asks for a pause of {}", span(asked))
                }
                Verdict::TryLater(_) => "; the service takes no more requests for now".to_owned(),
                _others => String::new(),
            };
            Line::wrong(
                part,
                format!("no login at {}: {failure}{pause}", account.base_url),
                advice,
            )
        }
    }
}

/// Compares the clocks by the date of an answer.
async fn clocks(client: &Arc<Client>, clock: &Clock, account: &str) -> Vec<Line> {
    let part = format!("{account}: clock");
    let now = clock.now().wall;
    let today = now.to_zoned(jiff::tz::TimeZone::UTC).datetime();
    let query = ListOrders {
        from: today,
        to: today,
        search: None,
        limit: 20,
        page: 1,
    };
    match client.list_orders(&query).await {
        Ok(answer) => {
            let compared = compared(&part, clock.now().wall, answer.service_date);
            let mut lines = vec![compared];
            lines.extend(first_page(client, clock, account).await);
            lines
        }
        // It has none of today, and says so in this way.
        Err(_none)
            if List::new(client, &FirstPage::default())
                .answers(&clock.now())
                .await
                .is_ok() =>
        {
            vec![compared(&part, clock.now().wall, client.service_now())]
        }
        Err(failure) => vec![Line::wrong(
            format!("{account}: order list"),
            format!("the order list cannot be read: {failure}"),
            "Ask the print service, or try another `get_params`: a new ledger sends nothing before it has come, and orders \
             without an answer are never settled.",
        )],
    }
}

/// Tries the first page of the order list, where the second one has come.
async fn first_page(client: &Client, clock: &Clock, account: &str) -> Option<Line> {
    let first_page = FirstPage::default();
    let failure = sync::zero_fails(List::new(client, &first_page), &clock.now()).await?;
    Some(Line::warning(
        format!("{account}: order list"),
        failure.to_string(),
        "Ask the print service: until page 0 answers, or page 1 shows an order, orders may have to wait.",
    ))
}

fn compared(part: &str, now: Timestamp, service: Option<Timestamp>) -> Line {
    let Some(service) = service else {
        return Line::warning(
            part,
            "the service tells no time",
            "Nothing: waits start anew after a reboot.",
        );
    };
    let apart = now.duration_since(service).abs();
    if apart <= APART {
        return Line::ok(part, "the machine's and the service's agree");
    }
    let by = span(apart.unsigned_abs());
    Line::wrong(
        part,
        format!("the machine's and the service's are {by} apart"),
        "Set the machine's clock: timedatectl set-ntp true.",
    )
}

/// How old the cached catalog is.
pub(super) fn catalog(account: &Account, config: &Config, now: Timestamp) -> Vec<Line> {
    let part = format!("account {}: catalog", account.name);
    let path = files::folder_of(&config.ledger).join("catalog.db");
    if !path.exists() {
        let advice = "Nothing: it is read with the first sheet, or by `dropsheet catalog refresh`.";
        return vec![Line::ok(part, format!("none is cached yet. {advice}"))];
    }
    let closed = files::closed(files_of(&path)).into_iter();
    let closed = closed.map(|(file, error)| {
        let found = format!("{} cannot be written: {error}", file.display());
        Line::wrong(&part, found, OWN)
    });
    let closed: Vec<Line> = closed.collect();
    if !closed.is_empty() {
        return closed;
    }
    let key = account_key(&account.base_url, &account.email);
    let stored = Cache::open(&path).and_then(|cache| {
        cache.try_out()?;
        cache.load(&key)
    });
    vec![match stored {
        Err(error) if error.is_of_rights() => Line::wrong(
            part,
            chain(&error),
            "Let dropsheet's user read and write catalog.db and its folder.",
        ),
        Err(error) => Line::wrong(part, chain(&error), "Move catalog.db aside; it is filled anew."),
        Ok(None) => Line::ok(part, "none is cached yet; it is read with the first sheet"),
        Ok(Some(stored)) => {
            let old = age(stored.read_at, now);
            let found = format!("{} SKUs, read {} ago", stored.entries.len(), span(old));
            if old <= config.catalog_max_age {
                Line::ok(part, found)
            } else {
                Line::warning(
                    part,
                    found,
                    "It is refreshed with the next sheet, or by `dropsheet catalog refresh`.",
                )
            }
        }
    }]
}

/// What to do about a file of the cache that cannot be written.
const OWN: &str = "Give it to the user that runs dropsheet, or delete catalog.db with its -wal and -shm: it is filled anew. \
                   Orders go on meanwhile, with the catalog in memory.";

#[cfg(test)]
mod tests {
    use super::super::State;
    use super::*;

    #[test]
    fn clocks_that_are_minutes_apart_are_wrong_in_both_directions() {
        let at = |second| Timestamp::from_second(second).unwrap();
        for (service, state) in [(1000, State::Ok), (1121, State::Wrong), (879, State::Wrong)] {
            assert_eq!(
                compared("clock", at(1000), Some(at(service))).state,
                state,
                "{service}"
            );
        }
        assert_eq!(compared("clock", at(1000), None).state, State::Warning);
    }
}
