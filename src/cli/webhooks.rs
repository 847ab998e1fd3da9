//! `dropsheet webhooks`: where the service sends its notifications. Needs no ledger; no access key is ever printed.

use std::path::Path;

use anyhow::{Context, anyhow};
use secrecy::{ExposeSecret, SecretString};
use serde::Serialize;

use super::args::Listing;
use super::exit::{Exit, UsageError};
use super::work::accounts_of;
use super::{print, shown};
use crate::clock::Clock;
use crate::config::{self, Account, Config, Webhook as Receiver};
use crate::daemon;
use crate::ledger::record::NoticeKind;
use crate::service::{Client, Failure, Verdict, Webhook, WebhookKind};
use crate::webhook::registration::{KINDS, endpoint, is_same_key};

/// `webhooks`
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The account whose registrations they are [default: every one]
    #[arg(long, global = true, value_name = "NAME")]
    account: Option<String>,
    /// What to do with them
    #[command(subcommand)]
    command: Command,
}

/// `webhooks show|register|remove`
#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Show both registrations, without their keys
    Show {
        /// How they are printed.
        #[command(flatten)]
        listing: Listing,
    },
    /// Register `webhook.public_url` for both kinds, and read back what was set
    Register {
        /// How they are printed.
        #[command(flatten)]
        listing: Listing,
    },
    /// Remove both registrations
    Remove {
        /// How what is left is printed.
        #[command(flatten)]
        listing: Listing,
    },
}

/// A registration as `--json` prints it.
#[derive(Serialize)]
struct Shown<'a> {
    account: &'a str,
    kind: &'static str,
    /// Null where nothing is registered.
    endpoint: Option<String>,
    /// What is known of its key: `ours`, `another`, `none`.
    access_key: &'static str,
}

pub(super) async fn run(args: &Args, given: Option<&Path>) -> anyhow::Result<Exit> {
    let config = config::load(given)?;
    let mut rows = Vec::new();
    for account in accounts_of(&config, args.account.as_deref())? {
        let client = daemon::client(account, &Clock::system()).map_err(super::work::meaning)?;
        for (kind, notice) in KINDS {
            match &args.command {
                Command::Show { .. } => {}
                Command::Register { .. } => register(&client, &config, (account, kind, notice)).await?,
                Command::Remove { .. } => remove(&client, kind).await?,
            }
            rows.push(row(&client, &config, (account, kind, notice)).await?);
        }
    }
    let (Command::Show { listing } | Command::Register { listing } | Command::Remove { listing }) =
        &args.command;
    if listing.json {
        print::json(&rows)?;
    } else {
        print::text(&table(rows))?;
    }
    Ok(Exit::Done)
}

fn no_receiver() -> UsageError {
    UsageError(
        "the config has no [webhook], so that nothing would receive the notifications: add `webhook.listen`, where \
         `dropsheet run` receives them, such as \"127.0.0.1:8810\"; `webhook.access_key_file`, a file with a key of your \
         own; and `webhook.public_url`, under which the service reaches it, such as \
         \"https://shop.example.com/dropsheet\""
            .to_owned(),
    )
}

fn no_public_url() -> UsageError {
    UsageError(
        "the config has no `webhook.public_url`: the address under which the service reaches `dropsheet run`, such as \
         \"https://shop.example.com/dropsheet\""
            .to_owned(),
    )
}

/// Sets a registration, in the place of one that is there, and holds the service to it.
async fn register(
    client: &Client,
    config: &Config,
    (account, kind, notice): (&Account, WebhookKind, NoticeKind),
) -> anyhow::Result<()> {
    let receiver = config.webhook.as_ref().ok_or_else(no_receiver)?;
    let wanted = Webhook {
        endpoint: endpoint(receiver, &account.name, notice).ok_or_else(no_public_url)?,
        access_key: receiver.key()?,
        access_token: SecretString::default(),
    };
    let there = client
        .webhook(kind)
        .await
        .with_context(|| cannot("read", notice))?;
    let set = match there {
        Some(_) => client.replace_webhook(kind, &wanted).await,
        None => match client.register_webhook(kind, &wanted).await {
            // What POST does where something is registered already is not shown.
            Err(failure) if failure.verdict == Verdict::Refused => {
                client.replace_webhook(kind, &wanted).await
            }
            set => set,
        },
    };
    // Whatever was answered, what is registered tells whether it was done.
    let read = client
        .webhook(kind)
        .await
        .with_context(|| cannot("read back", notice))?;
    let is_set = read.is_some_and(|read| {
        read.endpoint == wanted.endpoint && is_same_key(&read.access_key, &wanted.access_key)
    });
    if is_set {
        return Ok(());
    }
    Err(not_done(
        set,
        "the service answered, and shows another registration than it was sent",
    ))
    .with_context(|| cannot("register", notice))
}

async fn remove(client: &Client, kind: WebhookKind) -> anyhow::Result<()> {
    let removed = client.remove_webhook(kind).await;
    match client.webhook(kind).await {
        Ok(None) => Ok(()),
        Ok(Some(_)) => Err(not_done(removed, "the service answered, and still shows it")),
        // A service that has no registration to show may say so with an error.
        Err(failure) if failure.verdict == Verdict::Misconfigured && removed.is_ok() => Ok(()),
        Err(failure) => Err(failure.into()),
    }
    .context("cannot remove a registration; try again")
}

fn not_done(answer: Result<(), Failure>, contradicted: &str) -> anyhow::Error {
    match answer {
        Ok(()) => anyhow!("{contradicted}"),
        Err(failure) => failure.into(),
    }
}

fn cannot(what: &str, notice: NoticeKind) -> String {
    format!(
        "cannot {what} the registration for `{}` notifications; try again",
        notice.word()
    )
}

async fn row<'a>(
    client: &Client,
    config: &Config,
    (account, kind, notice): (&'a Account, WebhookKind, NoticeKind),
) -> anyhow::Result<Shown<'a>> {
    let found = client
        .webhook(kind)
        .await
        .with_context(|| cannot("read", notice))?;
    let access_key = match &found {
        None => "none",
        Some(found) => key_word(found, config.webhook.as_ref())?,
    };
    Ok(Shown {
        account: &account.name,
        kind: notice.word(),
        endpoint: found.map(|found| found.endpoint),
        access_key,
    })
}

/// What is known of a registration's key, without telling it.
fn key_word(found: &Webhook, receiver: Option<&Receiver>) -> anyhow::Result<&'static str> {
    if found.access_key.expose_secret().is_empty() {
        return Ok("none");
    }
    let Some(receiver) = receiver else {
        return Ok("another");
    };
    Ok(if is_same_key(&found.access_key, &receiver.key()?) {
        "ours"
    } else {
        "another"
    })
}

fn table(rows: Vec<Shown<'_>>) -> String {
    shown::table(
        ["account", "notifications of", "go to", "access key"],
        rows.into_iter().map(|row| {
            let endpoint = row.endpoint.unwrap_or_else(|| "nowhere".to_owned());
            let key = match row.access_key {
                "ours" => "the one of webhook.access_key_file",
                "another" => "another one than webhook.access_key_file",
                none => none,
            };
            [
                row.account.to_owned(),
                row.kind.to_owned(),
                endpoint,
                key.to_owned(),
            ]
        }),
    )
}
