//! `/healthz`: would starting the program anew help? `/readyz`: does it take sheets and send their orders?

use std::fmt::Write;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::State as Shared;
use axum::http::StatusCode;

use super::Metrics;
use crate::submit::Blocked;

/// How long the ledger may take to answer: it syncs to a disk that may be busy.
const LEDGER: Duration = Duration::from_secs(10);

/// A folder that takes longer does not answer; writing the result of a large sheet may take as long.
const SILENT: Duration = Duration::from_mins(2);

/// An inbox is seen to every half second: later than this, its scheduler is stuck.
const LATE: Duration = Duration::from_mins(1);

type Told = (StatusCode, String);

/// Whether the program lives: its ledger takes writes, and every inbox is seen to.
pub(super) async fn alive(Shared(metrics): Shared<Arc<Metrics>>) -> Told {
    told(&metrics.stuck().await)
}

/// Whether it does its work: besides, no account is stopped and every folder can be worked.
pub(super) async fn ready(Shared(metrics): Shared<Arc<Metrics>>) -> Told {
    let mut wrong = metrics.stuck().await;
    for (name, importer) in &metrics.shown.desks.accounts {
        wrong.extend(importer.submitter.health.stopped().map(|why| match why {
            Blocked::Credentials(_) => format!("account {name}: the service refuses its password"),
            Blocked::Token(_) => format!("account {name}: the service refuses its tokens"),
            Blocked::Denied(_) => {
                format!("account {name}: the service accepts its login and refuses the rest")
            }
            Blocked::Setup(_) => format!("account {name} is set up wrongly"),
            Blocked::Away(_)
            | Blocked::Slowed(_)
            | Blocked::Unusable(_)
            | Blocked::Quiet(_)
            | Blocked::Ending => {
                format!("account {name}: the program is ending")
            }
        }));
    }
    for desk in &metrics.shown.desks.inboxes {
        let name = &desk.inbox.name;
        if let Some((what, since)) = desk.hand.doing().filter(|(_what, since)| *since > SILENT) {
            wrong.push(format!(
                "inbox {name}: its folder has not answered a {what} for {} s",
                since.as_secs()
            ));
        }
        wrong.extend(desk.looks.trouble_now().map(|why| format!("inbox {name}: {why}")));
    }
    told(&wrong)
}

fn told(wrong: &[String]) -> Told {
    if wrong.is_empty() {
        return (StatusCode::OK, "ok\n".to_owned());
    }
    let text = wrong.iter().fold(String::new(), |mut text, line| {
        // Writing to a String cannot fail.
        let written = writeln!(text, "{line}");
        debug_assert!(written.is_ok(), "a String takes every write");
        text
    });
    (StatusCode::SERVICE_UNAVAILABLE, text)
}

impl Metrics {
    /// What only a new start can mend.
    async fn stuck(&self) -> Vec<String> {
        let mut wrong = Vec::new();
        match tokio::time::timeout(LEDGER, self.shown.desks.ledger.write(|_store| Ok(()))).await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => wrong.push(format!("the ledger has failed: {error}")),
            Err(_elapsed) => wrong.push(format!("the ledger has not answered for {} s", LEDGER.as_secs())),
        }
        // A folder that does not answer is a dead share: a new start would wait for it too.
        if let Some(inbox) = self.shown.pulse.stuck(LATE) {
            wrong.push(format!(
                "inbox {inbox}: nobody has seen to it for {} s",
                LATE.as_secs()
            ));
        }
        wrong
    }
}
