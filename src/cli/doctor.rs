//! `dropsheet doctor`: tries everything that dropsheet needs, and says what to do.

use std::path::Path;

use serde_json::json;

use super::args::Listing;
use super::exit::Exit;
use super::{print, shown};
use crate::clock::Clock;
use crate::config;
use crate::doctor::{Line, State, examine};

/// `doctor`
#[derive(Debug, clap::Args)]
pub struct Doctor {
    /// How it is printed.
    #[command(flatten)]
    pub listing: Listing,
}

/// The variables that put a proxy between dropsheet and the service.
const PROXIES: [&str; 6] = [
    "HTTPS_PROXY",
    "https_proxy",
    "HTTP_PROXY",
    "http_proxy",
    "ALL_PROXY",
    "all_proxy",
];

pub(super) async fn run(args: &Doctor, given: Option<&Path>) -> anyhow::Result<Exit> {
    let (lines, exit) = match config::load(given) {
        Ok(config) => {
            let set = |name: &&str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
            let proxies: Vec<String> = PROXIES
                .iter()
                .filter(|name| set(name))
                .map(|name| (*name).to_owned())
                .collect();
            let zone = std::env::var_os("TZ").map(|zone| zone.to_string_lossy().into_owned());
            let zone = zone.as_deref().filter(|zone| !zone.is_empty());
            let lines = examine(&config, &Clock::system(), (&proxies, zone)).await;
            let is_wrong = lines.iter().any(|line| line.state == State::Wrong);
            (lines, if is_wrong { Exit::Failed } else { Exit::Done })
        }
        Err(error) => {
            let advice = "Correct it; `dropsheet config --defaults` shows every key.";
            (
                vec![Line::wrong(
                    "config",
                    format!("{:#}", anyhow::Error::new(error)),
                    advice,
                )],
                Exit::Usage,
            )
        }
    };
    if args.listing.json {
        print::json(&json!({ "ok": exit == Exit::Done, "checks": lines }))?;
    } else {
        print::text(&text(&lines))?;
    }
    Ok(exit)
}

fn text(lines: &[Line]) -> String {
    let mut parts: Vec<String> = lines.iter().map(line).collect();
    let count = |state| lines.iter().filter(|line| line.state == state).count();
    let (wrong, notes) = (count(State::Wrong), count(State::Warning));
    parts.push(format!("{wrong} wrong, {notes} to note, {} tried\n", lines.len()));
    parts.concat()
}

fn line(line: &Line) -> String {
    let word = match line.state {
        State::Ok => "ok     ".to_owned(),
        State::Warning => print::bold("note   "),
        State::Wrong => print::bold("WRONG  "),
    };
    let (part, found) = (shown::plain(&line.part), shown::plain(&line.found));
    if line.advice.is_empty() {
        format!("{word}{part}: {found}\n")
    } else {
        format!("{word}{part}: {found}\n       {}\n", line.advice)
    }
}
