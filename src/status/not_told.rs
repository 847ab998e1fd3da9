//! Ways of telling a person that do not work, in words for a person.

use jiff::tz::TimeZone;

use crate::clock;
use crate::config::Notify;
use crate::ledger::{LedgerError, NotTold, Store};

/// What failed when it was last used, of the ways that are in the config.
pub fn read(store: &Store<'_>, notify: Option<&Notify>) -> Result<Vec<NotTold>, LedgerError> {
    let Some(notify) = notify else {
        return Ok(Vec::new());
    };
    let is_used = |failed: &NotTold| match (failed.by.as_str(), &failed.to) {
        ("mail", Some(to)) => notify.mail.as_ref().is_some_and(|mail| mail.to.contains(to)),
        ("mail", None) => notify.mail.is_some(),
        _ => notify.command.is_some(),
    };
    let mut failed = store.not_told()?;
    failed.retain(is_used);
    Ok(failed)
}

/// What does not work, since when, why, and what to do, without a stop.
pub fn told(failed: &NotTold, zone: &TimeZone) -> String {
    let (since, why) = (clock::moment(failed.since, zone), &failed.why);
    let (what, remedy) = words(failed);
    format!("[notify]: {what} since {since}: {why}; {remedy}")
}

fn words(failed: &NotTold) -> (String, &'static str) {
    match (failed.by.as_str(), &failed.to) {
        ("mail", Some(to)) => (
            format!("mails to {to} could not be sent"),
            "correct `notify.mail_to`, or have the mail server take mail for that address",
        ),
        ("mail", None) => (
            "mails could not be sent".to_owned(),
            "`dropsheet doctor` tries the mail server; orders go on",
        ),
        _ => (
            "the command could not tell anybody".to_owned(),
            "see that it ends with 0 when it is run as dropsheet's user; orders go on",
        ),
    }
}

/// The same for a merchant, as sentences.
pub fn for_merchant(failed: &NotTold) -> String {
    let what = match (failed.by.as_str(), &failed.to) {
        ("mail", Some(to)) => format!("dropsheet's mails to {to} are not taken"),
        ("mail", None) => "dropsheet cannot send its mails".to_owned(),
        _ => "dropsheet's command that tells the operator fails".to_owned(),
    };
    format!(
        "{what}: {} The operator has to mend that, `dropsheet status` says how; orders go on meanwhile.",
        super::text::sentence(&failed.why)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_way_is_told_with_why_it_fails_and_what_to_do() {
        let failed = |by: &str, to: Option<&str>| NotTold {
            by: by.to_owned(),
            to: to.map(str::to_owned),
            since: "2026-11-28T21:05:00Z".parse().unwrap(),
            why: "550 no such user".to_owned(),
        };
        for (failed, expected) in [
            (
                failed("mail", None),
                "[notify]: mails could not be sent since 2026-11-28 21:05: 550 no such user; `dropsheet doctor` tries the \
                 mail server; orders go on",
            ),
            (
                failed("mail", Some("ops@example.com")),
                "[notify]: mails to ops@example.com could not be sent since 2026-11-28 21:05: 550 no such user; correct \
                 `notify.mail_to`, or have the mail server take mail for that address",
            ),
            (
                failed("command", None),
                "[notify]: the command could not tell anybody since 2026-11-28 21:05: 550 no such user; see that it ends \
                 with 0 when it is run as dropsheet's user; orders go on",
            ),
        ] {
            assert_eq!(told(&failed, &TimeZone::UTC), expected);
        }
    }
}
