//! Asking the process that works the ledger for something, or doing it where there is none; the answer, printed.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context, bail};
use serde_json::Value;
use tokio::time::Instant;

use crate::cli::exit::Exit;
use crate::cli::{print, shown, work};
use crate::clock::Clock;
use crate::config::Config;
use crate::daemon::requests::{Came, RequestKind, Told, serve_alone};
use crate::daemon::{DaemonError, open_ledger};
use crate::ledger::{self, Holder, LedgerError, Mailbox, RequestRef};

/// How long an answer is waited for.
pub(super) const PATIENCE: Duration = Duration::from_mins(2);

/// How often it is looked for.
const LOOK: Duration = Duration::from_millis(100);

/// Asks, waits for the answer, and prints it.
pub(super) async fn ask(config: &Config, asked: &RequestKind, json: bool) -> anyhow::Result<Exit> {
    let mailbox = open_mailbox(config)?;
    let request = mailbox.ask(&serde_json::to_string(asked)?, Clock::system().now().wall)?;
    let waited = wait(config, &mailbox, (request, asked)).await;
    let Some(answer) = waited.inspect_err(|_error| withdraw(&mailbox, request))? else {
        return late(&mailbox, request);
    };
    let told: Told = match serde_json::from_str(&answer) {
        Ok(told) => told,
        Err(error) => {
            bail!("the running dropsheet's answer cannot be read ({error}); is it of another version?")
        }
    };
    tell(asked, &told, json)?;
    Ok(match told.came() {
        Came::Done => Exit::Done,
        Came::Open => Exit::Attention,
        Came::Failed => Exit::Failed,
    })
}

fn open_mailbox(config: &Config) -> anyhow::Result<Mailbox> {
    match Mailbox::open(&config.ledger) {
        Ok(mailbox) => Ok(mailbox),
        // Nobody works it: opening it brings it up to date.
        Err(LedgerError::Older { .. }) if holder(&config.ledger)?.is_none() => {
            drop(open_ledger(config, "dropsheet orders").map_err(work::ledger_meaning)?);
            Ok(Mailbox::open(&config.ledger)?)
        }
        Err(error) => Err(error.into()),
    }
}

fn holder(path: &Path) -> anyhow::Result<Option<Holder>> {
    ledger::holder(path).with_context(|| format!("cannot see who works {}", path.display()))
}

/// Waits for the answer: of whoever works the ledger, else of this process. None where it did not come in time.
async fn wait(
    config: &Config,
    mailbox: &Mailbox,
    (request, asked): (RequestRef, &RequestKind),
) -> anyhow::Result<Option<String>> {
    let give_up = Instant::now() + PATIENCE;
    let mut said = false;
    loop {
        if let Some(answer) = mailbox.answer(request)? {
            return Ok(Some(answer));
        }
        if Instant::now() >= give_up {
            return Ok(None);
        }
        match holder(&config.ledger)? {
            None => match serve_alone(config, asked.command()).await {
                // Somebody else was quicker, and does it.
                Ok(()) | Err(DaemonError::Ledger(LedgerError::Busy { .. })) => {}
                Err(error) => return Err(work::meaning(error)),
            },
            Some(holder) if !said => {
                said = true;
                tracing::info!(
                    "asked {}; waiting for its answer up to {} s",
                    holder.name,
                    PATIENCE.as_secs()
                );
            }
            Some(_same) => {}
        }
        tokio::time::sleep(LOOK).await;
    }
}

/// Takes back what could not be done here, so that nobody does it later unasked.
fn withdraw(mailbox: &Mailbox, request: RequestRef) {
    if let Err(error) = mailbox.withdraw(request) {
        tracing::warn!(%error, "the request stays, and is done by the next dropsheet that works the ledger");
    }
}

/// No answer came in time.
fn late(mailbox: &Mailbox, request: RequestRef) -> anyhow::Result<Exit> {
    let waited = PATIENCE.as_secs();
    if mailbox.withdraw(request)? {
        bail!(
            "the dropsheet that works the ledger did not answer within {waited} s; the request is taken back and \
             nothing was done"
        );
    }
    print::line(&format!(
        "it is being done, but was not finished within {waited} s; see `dropsheet orders show` and `dropsheet status`"
    ))?;
    Ok(Exit::Attention)
}

fn tell(asked: &RequestKind, told: &Told, json: bool) -> anyhow::Result<()> {
    if json {
        let mut value = serde_json::to_value(told)?;
        // How many orders were read says nothing of a cancel.
        if !matches!(asked, RequestKind::Sync)
            && let Value::Object(fields) = &mut value
        {
            fields.remove("read");
        }
        return Ok(print::json(&value)?);
    }
    if !told.lines.is_empty() {
        let rows = told.lines.iter().map(|line| {
            [
                line.order_id.clone(),
                line.state.clone(),
                line.pw_order_id.clone().unwrap_or_default(),
                line.said.clone(),
            ]
        });
        print::text(&shown::table(
            ["order", "state", "service id", "what happened"],
            rows,
        ))?;
    }
    for trouble in &told.troubles {
        print::line(trouble)?;
    }
    // Where nothing could be read, the troubles say why.
    let has_read = told.read > 0 || told.troubles.is_empty();
    if matches!(asked, RequestKind::Sync) && has_read {
        let changed = if told.lines.is_empty() {
            "nothing is new".to_owned()
        } else {
            format!("{} with news", told.lines.len())
        };
        print::line(&format!("{} orders read, {changed}", told.read))?;
    }
    Ok(())
}
