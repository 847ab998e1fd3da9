//! What an operator asks when something does not work: every part tried for real, each with what to do. Changes
//! nothing but test files that it removes again.

mod account;
mod folder;
mod machine;
mod port;
mod repeats;
mod stranded;
mod webhook;

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Serialize;

use crate::clock::Clock;
use crate::config::Config;
use crate::daemon::unknown_inboxes;

/// How long a folder may take to answer: a dead share answers never.
const PATIENCE: Duration = Duration::from_secs(10);

/// How something is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// As it should be.
    Ok,
    /// It works, and may not for long, or not as meant.
    Warning,
    /// It does not work.
    Wrong,
}

/// One thing that was tried.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Line {
    /// What was tried: `inbox main: results/`.
    pub part: String,
    /// How it is.
    pub state: State,
    /// What was found, in a sentence.
    pub found: String,
    /// What to do about it; empty where there is nothing to do.
    pub advice: String,
}

impl Line {
    /// It is as it should be.
    pub fn ok(part: impl Into<String>, found: impl Into<String>) -> Self {
        Self {
            part: part.into(),
            state: State::Ok,
            found: found.into(),
            advice: String::new(),
        }
    }

    fn warning(part: impl Into<String>, found: impl Into<String>, advice: impl Into<String>) -> Self {
        Self {
            state: State::Warning,
            advice: advice.into(),
            ..Self::ok(part, found)
        }
    }

    /// It does not work.
    pub fn wrong(part: impl Into<String>, found: impl Into<String>, advice: impl Into<String>) -> Self {
        Self {
            state: State::Wrong,
            ..Self::warning(part, found, advice)
        }
    }
}

/// Tries everything, in the order in which one thing needs the other. `proxies` are the variables of the environment
/// that name one, `zone` is what it names as the zone.
pub async fn examine(
    config: &Config,
    clock: &Clock,
    (proxies, zone): (&[String], Option<&str>),
) -> Vec<Line> {
    let mut lines = vec![Line::ok("config", format!("{} is valid", config.path.display()))];
    lines.push(machine::zone(&config.zone, zone, clock.now().wall));
    lines.extend(machine::ledger(config));
    lines.extend(machine::beside(config, clock.now().wall));
    lines.extend(machine::proxies(proxies));
    for account in &config.accounts {
        lines.extend(account::lines(account, config.webhook.as_ref(), clock).await);
        lines.extend(repeats::lines(account));
        lines.extend(account::catalog(account, config, clock.now().wall));
    }
    if config.inboxes.is_empty() {
        lines.push(Line::wrong(
            "inboxes",
            "the config has none",
            "Add [inbox.main] with path = \"orders\", then run `dropsheet init`.",
        ));
    }
    let ledger = machine::named(config);
    let now = clock.now().wall;
    // Where the ledger cannot be read, its own line says why.
    let unknown = unknown_inboxes(config, now).unwrap_or_default();
    let mut former = BTreeMap::new();
    for inbox in &config.inboxes {
        let examined = folder::examined(inbox, &ledger).await;
        let is_wrong = examined.lines.iter().any(|line| line.state == State::Wrong);
        lines.extend(examined.lines);
        if unknown.contains(&inbox.name) && !is_wrong {
            lines.push(Line::wrong(
                format!("inbox {}: daemon", inbox.name),
                "the running dropsheet does not know it, so nothing is taken",
                "End that and start it again: it reads its config once, when it begins.",
            ));
        }
        former.extend(examined.former_name.map(|name| (name, inbox)));
    }
    lines.extend(stranded::lines(config, &former, now));
    if let Some(receiver) = &config.webhook {
        lines.extend(webhook::receiver(config, receiver).await);
    }
    // Any free port is asked for by 0, which cannot be another's.
    if let Some(listen) = config.metrics_listen.filter(|listen| listen.port() != 0) {
        lines.push(port::port(config, ("metrics", listen)).await);
    }
    if let Some(notify) = &config.notify {
        lines.extend(machine::notify(notify).await);
    }
    lines
}
