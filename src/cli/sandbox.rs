//! `dropsheet sandbox`: the stand-in service on its own, with faults to order.

use std::io::Write;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context;
use jiff::SignedDuration;
use jiff::tz::Offset;

use crate::sandbox::{
    self, EmptyList, FirstPage, GetParams, Length, Life, Limit, ListOrder, Options, Refusals, Repeated,
    RetryAfter, Rule, Sign,
};

/// Runs the stand-in print service, for trying things out and for tests
///
/// What is behind the interface can be seen and moved at /sandbox/orders, /sandbox/calls, /sandbox/faults.
#[derive(Clone, Debug, clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
pub struct Args {
    /// Where to listen: a loopback address; port 0 takes any free one
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8808", value_parser = loopback)]
    listen: SocketAddr,
    /// Keep orders, tokens and registrations in this file
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
    /// The account's e-mail
    #[arg(long, default_value = "shop@example.com")]
    email: String,
    /// The account's password
    #[arg(long, default_value = "sandbox")]
    password: String,
    /// How long a token lives, such as 15m [default: for ever]
    #[arg(long, value_name = "TIME", value_parser = time)]
    token_lifetime: Option<Duration>,
    /// A new login ends older tokens
    #[arg(long)]
    single_token: bool,
    /// Refuse with HTTP 200; only the body's status tells
    #[arg(long)]
    refuse_in_envelope: bool,
    /// Where GET parameters are read from
    #[arg(long, value_name = "WHERE", value_enum, default_value_t = Where::Both)]
    get_params: Where,
    /// The number of the first page
    #[arg(long, value_name = "NUMBER", default_value_t = 1, value_parser = clap::value_parser!(u8).range(0..=1))]
    first_page: u8,
    /// Where the first page is 1, page 0 shows it too instead of being refused
    #[arg(long)]
    page_zero_repeats: bool,
    /// `length` counts all that matches, not what is on the page
    #[arg(long)]
    length_of_all: bool,
    /// List the oldest orders first
    #[arg(long)]
    oldest_first: bool,
    /// Write discounts as negative numbers
    #[arg(long)]
    negative_discounts: bool,
    /// Refuse a second create with the same `order_id`, instead of making a second order
    #[arg(long)]
    refuse_repeated: bool,
    /// The offset of all dates, such as +07:00
    #[arg(long, value_name = "OFFSET", default_value = "+00:00", value_parser = offset, allow_hyphen_values = true)]
    utc_offset: Offset,
    /// How far its clock is behind this machine's
    #[arg(long, value_name = "TIME", default_value = "0s", value_parser = time)]
    behind: Duration,
    /// How long a new order stays out of the order list
    #[arg(long, value_name = "TIME", default_value = "0s", value_parser = time)]
    list_lag: Duration,
    /// How long after a `late` fault the order comes to be
    #[arg(long, value_name = "TIME", default_value = "5s", value_parser = time)]
    late: Duration,
    /// How long a `slow` fault keeps its answer
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = time)]
    slow: Duration,
    /// How long each answer takes
    #[arg(long, value_name = "TIME", default_value = "0s", value_parser = time)]
    latency: Duration,
    /// Answer 429 beyond so many requests in a time, such as 50/3s
    #[arg(long, value_name = "N/TIME", value_parser = limit)]
    limit: Option<Limit>,
    /// What Retry-After says at a `rate-limit` fault: a text, `date:SECONDS` or `none`
    #[arg(long, value_name = "TEXT", default_value = "1", value_parser = retry_after)]
    retry_after: RetryAfter,
    /// A fault, such as drop-after-create=0.05, late-create=on:2,5, unavailable=first:10, error-500-quote=after:100;
    /// may be given more than once
    #[arg(long = "fault", value_name = "NAME=WHEN")]
    faults: Vec<Rule>,
    /// Seeds what is random
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    seed: u64,
    /// Orders go into production after this time [default: on command]
    #[arg(long, value_name = "TIME", value_parser = time, requires = "fulfilled_after")]
    production_after: Option<Duration>,
    /// Orders are fulfilled after this time, counted from their creation
    #[arg(long, value_name = "TIME", value_parser = time, requires = "production_after")]
    fulfilled_after: Option<Duration>,
    /// Every so manyth order has a problem instead; 0 is none
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    problem_every: u64,
    /// The header of notifications that carries the access key
    #[arg(long, value_name = "NAME", default_value = "PW-ACCESS-KEY")]
    access_key_header: String,
}

/// Where GET parameters are read from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Where {
    /// The JSON body
    Body,
    /// The query
    Query,
    /// Either; refused where they contradict each other
    Both,
}

/// Serves until Ctrl-C or SIGTERM, after telling its address on standard output.
pub(super) async fn run(args: Args) -> anyhow::Result<()> {
    let listen = args.listen;
    let sandbox = sandbox::start(options(args))
        .await
        .with_context(|| format!("cannot start the sandbox on {listen}"))?;
    announce(&sandbox.base_url()).context("cannot tell the sandbox's address")?;
    stopped().await.context("cannot wait for signals")?;
    sandbox.shutdown().await.context("the sandbox did not end well")
}

fn announce(url: &str) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    let told = writeln!(out, "sandbox listening on {url}").and_then(|()| out.flush());
    match told {
        // Nobody reads: the sandbox serves all the same.
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        told => told,
    }
}

async fn stopped() -> std::io::Result<()> {
    let mut terminate = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate())?;
    tokio::select! {
        interrupted = tokio::signal::ctrl_c() => interrupted,
        _ = terminate.recv() => Ok(()),
    }
}

fn options(args: Args) -> Options {
    let life = args.production_after.zip(args.fulfilled_after);
    Options {
        listen: args.listen,
        state: args.state,
        email: args.email,
        password: args.password,
        token_lifetime: args.token_lifetime,
        single_token: args.single_token,
        refusals: if args.refuse_in_envelope {
            Refusals::Envelope
        } else {
            Refusals::Http
        },
        get_params: match args.get_params {
            Where::Body => GetParams::Body,
            Where::Query => GetParams::Query,
            Where::Both => GetParams::Both,
        },
        first_page: match (args.first_page, args.page_zero_repeats) {
            (0, _) => FirstPage::Zero,
            (_, false) => FirstPage::One,
            (_, true) => FirstPage::OneRepeated,
        },
        length: if args.length_of_all {
            Length::All
        } else {
            Length::Page
        },
        list_order: if args.oldest_first {
            ListOrder::Oldest
        } else {
            ListOrder::Newest
        },
        empty_list: EmptyList::Shown,
        discounts: if args.negative_discounts {
            Sign::Negative
        } else {
            Sign::Positive
        },
        repeated_create: if args.refuse_repeated {
            Repeated::Refused
        } else {
            Repeated::SecondOrder
        },
        utc_offset: args.utc_offset,
        behind: args.behind,
        list_lag: args.list_lag,
        late: args.late,
        slow: args.slow,
        latency: args.latency,
        limit: args.limit,
        retry_after: args.retry_after,
        faults: args.faults,
        seed: args.seed,
        life: life.map(|(production_after, fulfilled_after)| Life {
            production_after,
            fulfilled_after,
            problem_every: args.problem_every,
        }),
        access_key_header: args.access_key_header,
    }
}

/// An address that no other machine reaches: whoever does could order faults.
fn loopback(text: &str) -> Result<SocketAddr, String> {
    let address: SocketAddr = text
        .parse()
        .map_err(|_not_an_address| format!("`{text}` is no address; expected such as 127.0.0.1:8808"))?;
    if address.ip().is_loopback() {
        Ok(address)
    } else {
        Err(format!(
            "the sandbox listens on loopback only, not on {}",
            address.ip()
        ))
    }
}

fn time(text: &str) -> Result<Duration, String> {
    let signed: SignedDuration = text
        .parse()
        .map_err(|_not_a_time| format!("`{text}` is no time; expected such as 250ms, 5s, 2m"))?;
    Duration::try_from(signed).map_err(|_negative| format!("`{text}` is before now"))
}

fn offset(text: &str) -> Result<Offset, String> {
    let parsed = jiff::fmt::strtime::parse("%:z", text).map(|parsed| parsed.offset());
    match parsed {
        Ok(Some(offset)) => Ok(offset),
        Ok(None) | Err(_) => Err(format!("`{text}` is no offset; expected such as +07:00")),
    }
}

fn limit(text: &str) -> Result<Limit, String> {
    let wrong = || format!("`{text}` is no limit; expected such as 20/s or 50/3s");
    let (requests, per) = text.split_once('/').ok_or_else(wrong)?;
    let requests: u32 = requests.parse().map_err(|_not_a_number| wrong())?;
    let per = if per.starts_with(|first: char| first.is_ascii_digit()) {
        time(per)?
    } else {
        time(&format!("1{per}"))?
    };
    if requests == 0 || per.is_zero() {
        return Err(wrong());
    }
    Ok(Limit { requests, per })
}

fn retry_after(text: &str) -> Result<RetryAfter, String> {
    if text == "none" {
        return Ok(RetryAfter::Absent);
    }
    let Some(seconds) = text.strip_prefix("date:") else {
        return Ok(RetryAfter::Text(text.to_owned()));
    };
    let wrong = |_not_a_number| format!("`{seconds}` is no number of seconds");
    seconds.parse().map(RetryAfter::DateIn).map_err(wrong)
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(clap::Parser)]
    struct Command {
        #[command(flatten)]
        args: Args,
    }

    fn parsed(args: &[&str]) -> Result<Options, clap::Error> {
        let line = std::iter::once("sandbox").chain(args.iter().copied());
        Command::try_parse_from(line).map(|command| options(command.args))
    }

    #[test]
    fn without_arguments_it_is_the_calm_default() {
        let options = parsed(&["--listen", "127.0.0.1:0"]).unwrap();
        assert_eq!(format!("{options:?}"), format!("{:?}", Options::default()));
    }

    #[test]
    fn arguments_reach_the_options() {
        let line = "--fault drop-after-create=0.05 --fault late-create=on:2,5 --limit 50/3s --utc-offset -05:30 \
                    --first-page 0 --length-of-all --retry-after date:60 --list-lag 2m --get-params query \
                    --production-after 1s --fulfilled-after 3s";
        let options = parsed(&line.split_whitespace().collect::<Vec<_>>()).unwrap();
        assert_eq!(options.faults.len(), 2);
        assert_eq!(
            options.limit,
            Some(Limit {
                requests: 50,
                per: Duration::from_secs(3)
            })
        );
        assert_eq!(options.utc_offset.seconds(), -(5 * 3600 + 1800));
        assert_eq!(options.first_page, FirstPage::Zero);
        assert_eq!(options.length, Length::All);
        assert_eq!(options.retry_after, RetryAfter::DateIn(60));
        assert_eq!(options.list_lag, Duration::from_mins(2));
        assert_eq!(options.get_params, GetParams::Query);
        assert!(options.life.is_some());
    }

    #[test]
    fn wrong_arguments_are_refused() {
        for line in [
            "--fault explode=1",
            "--listen 0.0.0.0:0",
            "--listen localhost",
            "--limit fast",
            "--limit 0/s",
            "--utc-offset noon",
            "--first-page 2",
            "--list-lag -5s",
            "--retry-after date:soon",
            "--production-after 1s",
        ] {
            assert!(
                parsed(&line.split_whitespace().collect::<Vec<_>>()).is_err(),
                "{line}"
            );
        }
    }
}
