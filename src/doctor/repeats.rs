//! What an account's settings mean for an order whose create had no answer: it may be sent a second time, and found made
//! twice. Pure.

use std::time::Duration;

use super::Line;
use crate::config::{Account, Resend};
use crate::status::text::span;

/// A shorter wait is over before many a list shows what was made.
const SHORT: Duration = Duration::from_mins(1);

/// Settings of an account under which an order may be made twice, or nobody is told that one was.
pub(super) fn lines(account: &Account) -> Vec<Line> {
    let part = |key: &str| format!("account {}: {key}", account.name);
    let mut lines = Vec::new();
    if account.resend == Resend::WhenAbsent && account.absent_after < SHORT {
        lines.push(Line::warning(
            part("absent_after"),
            format!(
                "an order without an answer is sent again where the service's list does not show it within {}; a list \
                 that shows it later makes that a second order",
                written(account.absent_after)
            ),
            "Leave absent_after out: it is 15 minutes then.",
        ));
    }
    if account.audit.is_empty() {
        lines.push(Line::warning(
            part("audit"),
            "no order whose create had no answer is counted at the service again: one that was made twice is not found",
            "Leave audit out: they are counted a quarter of an hour and a day later then.",
        ));
    }
    lines
}

fn written(wait: Duration) -> String {
    if wait.is_zero() {
        "no time".to_owned()
    } else {
        span(wait)
    }
}

#[cfg(test)]
mod tests {
    use super::super::State;
    use super::*;
    use crate::{config, files};

    fn told(keys: &str) -> Vec<String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("dropsheet.toml");
        let text = format!(
            "[account.main]\nbase_url = \"https://print.example.com\"\nemail = \"a@example.com\"\n{keys}"
        );
        files::write_over(&path, text.as_bytes()).unwrap();
        let config = config::load_alone(&path).unwrap();
        let lines = lines(&config.accounts[0]);
        assert!(lines.iter().all(|line| line.state == State::Warning), "{lines:?}");
        lines
            .into_iter()
            .map(|line| line.part + ": " + &line.found)
            .collect()
    }

    #[test]
    fn settings_that_can_make_an_order_twice_are_told_and_careful_ones_are_not() {
        assert_eq!(told(""), [""; 0]);
        assert_eq!(told("absent_after = \"1m\""), [""; 0]);
        assert_eq!(told("absent_after = \"0s\"\nresend = \"never\""), [""; 0]);
        let short = told("absent_after = \"20s\"");
        assert!(short[0].starts_with("account main: absent_after: "), "{short:?}");
        assert!(short[0].contains("within 20 s"), "{short:?}");
        assert!(told("absent_after = \"0s\"")[0].contains("within no time"));
        let unaudited = told("audit = []");
        assert!(unaudited[0].starts_with("account main: audit: "), "{unaudited:?}");
    }
}
