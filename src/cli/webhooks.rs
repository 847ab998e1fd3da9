//! `dropsheet webhooks`: where the service sends its notifications. Needs no ledger; no access key is ever printed.

use std::path::Path;

use anyhow::anyhow;
use secrecy::{ExposeSecret, SecretString};
use serde::Serialize;

use super::args::Listing;
use super::exit::{Exit, UsageError};
use super::work::accounts_of;
use super::{print, shown, work};
use crate::clock::Clock;
use crate::config::{self, Account, Config, Webhook as Receiver};
use crate::daemon;
use crate::ledger::record::NoticeKind;
use crate::service::{Client, Failure, Heard, Verdict, Webhook, WebhookKind};
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
    /// Where they went by a registration that this command has replaced by another or removed; null where it has not.
    was: Option<String>,
}

pub(super) async fn run(args: &Args, given: Option<&Path>) -> anyhow::Result<Exit> {
    let config = config::load(given)?;
    let accounts = accounts_of(&config, args.account.as_deref())?;
    if matches!(args.command, Command::Register { .. }) {
        may_register(&config)?;
    }
    let (mut rows, mut failed) = (Vec::new(), Vec::new());
    for account in accounts {
        if let Err(error) = of_account(&args.command, (&config, account), &mut rows).await {
            failed.push(error.context(format!("account `{}`", account.name)));
        }
    }
    // What was done, and where another's went, is known to nobody else then: it is told, whatever came after it.
    if failed.is_empty() || !rows.is_empty() {
        show(&args.command, rows)?;
    }
    let last = failed.pop();
    for error in failed {
        tracing::error!("{error:#}");
    }
    last.map_or(Ok(Exit::Done), Err)
}

/// Does it for an account, up to the first thing that fails.
async fn of_account<'a>(
    command: &Command,
    (config, account): (&'a Config, &'a Account),
    rows: &mut Vec<Shown<'a>>,
) -> anyhow::Result<()> {
    let client = daemon::client(account, &Clock::system()).map_err(work::meaning)?;
    for (kind, notice) in KINDS {
        let (was, found) = match command {
            Command::Show { .. } => (None, read(&client, account, (kind, notice)).await?),
            Command::Register { .. } => register(&client, config, (account, kind, notice)).await?,
            Command::Remove { .. } => (remove(&client, account, (kind, notice)).await?, None),
        };
        rows.push(Shown {
            account: &account.name,
            kind: notice.word(),
            access_key: match &found {
                None => "none",
                Some(found) => key_word(found, config.webhook.as_ref())?,
            },
            endpoint: found.map(|found| found.endpoint),
            was,
        });
    }
    Ok(())
}

fn show(command: &Command, rows: Vec<Shown<'_>>) -> anyhow::Result<()> {
    let (listing, done) = match command {
        Command::Show { listing } | Command::Register { listing } => (listing, "replaced"),
        Command::Remove { listing } => (listing, "removed"),
    };
    if listing.json {
        return Ok(print::json(&rows)?);
    }
    let told: Vec<String> = rows.iter().filter_map(|row| former(row, done)).collect();
    Ok(print::text(&(table(rows) + &told.concat()))?)
}

/// Where notifications went whose registration is replaced or removed: whoever set it has to be told.
fn former(row: &Shown<'_>, done: &str) -> Option<String> {
    let was = shown::plain(row.was.as_deref()?);
    Some(format!(
        "account {}: `{}` notifications went to {was}; that registration is {done}\n",
        row.account, row.kind
    ))
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

/// Makes sure, before anything is set, that the config says what is to be registered.
fn may_register(config: &Config) -> anyhow::Result<()> {
    let receiver = config.webhook.as_ref().ok_or_else(no_receiver)?;
    receiver.public_url.as_ref().ok_or_else(no_public_url)?;
    receiver.key()?;
    Ok(())
}

async fn read(
    client: &Client,
    account: &Account,
    (kind, notice): (WebhookKind, NoticeKind),
) -> anyhow::Result<Option<Webhook>> {
    let found = client.webhook(kind).await;
    found.map_err(|failure| in_vain(failure.into(), account, (&cannot("read", notice), "")))
}

/// What could not be done, with what to do about it, and what else is to be said of it.
fn in_vain(error: anyhow::Error, account: &Account, (cannot, more): (&str, &str)) -> anyhow::Error {
    let failure = error.downcast_ref::<Failure>();
    let of_the_account = failure.filter(|failure| {
        failure.verdict == Verdict::Credentials || matches!(failure.heard, Heard::NoToken | Heard::Denied)
    });
    let advice = of_the_account.map_or_else(
        || "try again".to_owned(),
        |failure| work::advice(&account.name, failure),
    );
    error.context(format!("{cannot}; {advice}{more}"))
}

/// Sets a registration, in the place of one that is there, and holds the service to it. Gives the other endpoint that it
/// has replaced, and what is registered now.
async fn register(
    client: &Client,
    config: &Config,
    (account, kind, notice): (&Account, WebhookKind, NoticeKind),
) -> anyhow::Result<(Option<String>, Option<Webhook>)> {
    let receiver = config.webhook.as_ref().ok_or_else(no_receiver)?;
    let wanted = Webhook {
        endpoint: endpoint(receiver, &account.name, notice).ok_or_else(no_public_url)?,
        access_key: receiver.key()?,
        access_token: SecretString::default(),
    };
    let there = read(client, account, (kind, notice)).await?;
    let was = there.as_ref().map(|there| there.endpoint.clone());
    let was = was.filter(|was| *was != wanted.endpoint);
    // It may be done all the same.
    let in_vain = |error, what| {
        let went = was
            .as_deref()
            .map_or_else(String::new, |was| format!("; they went to {}", shown::plain(was)));
        in_vain(error, account, (&cannot(what, notice), &went))
    };
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
    let read = client.webhook(kind).await;
    let read = read.map_err(|failure| in_vain(failure.into(), "read back"))?;
    let is_set = read.as_ref().is_some_and(|read| {
        read.endpoint == wanted.endpoint && is_same_key(&read.access_key, &wanted.access_key)
    });
    if is_set {
        return Ok((was, read));
    }
    let shown = "the service answered, and shows another registration than it was sent";
    Err(in_vain(not_done(set, shown), "register"))
}

/// Removes a registration, whoever has set it; gives where its notifications went.
async fn remove(
    client: &Client,
    account: &Account,
    (kind, notice): (WebhookKind, NoticeKind),
) -> anyhow::Result<Option<String>> {
    let there = match client.webhook(kind).await {
        Ok(there) => there,
        // A service that has no registration to show may say so with an error; and what cannot be read is removed too.
        Err(failure) => {
            if failure.verdict != Verdict::Misconfigured {
                tracing::warn!(%failure, "where `{}` notifications went is not known: it cannot be read", notice.word());
            }
            None
        }
    };
    let removed = client.remove_webhook(kind).await;
    let done = match client.webhook(kind).await {
        Ok(None) => Ok(()),
        Ok(Some(_)) => Err(not_done(removed, "the service answered, and still shows it")),
        Err(failure) if failure.verdict == Verdict::Misconfigured && removed.is_ok() => Ok(()),
        Err(failure) => Err(failure.into()),
    };
    let was = there.map(|there| there.endpoint);
    done.map_err(|error| {
        let went = was.as_deref().map_or_else(String::new, |was| {
            format!("; its notifications went to {}", shown::plain(was))
        });
        in_vain(error, account, ("cannot remove a registration", &went))
    })?;
    Ok(was)
}

fn not_done(answer: Result<(), Failure>, contradicted: &str) -> anyhow::Error {
    match answer {
        Ok(()) => anyhow!("{contradicted}"),
        Err(failure) => failure.into(),
    }
}

fn cannot(what: &str, notice: NoticeKind) -> String {
    format!(
        "cannot {what} the registration for `{}` notifications",
        notice.word()
    )
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
