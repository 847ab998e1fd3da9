//! The receiver of the service's notifications: its key, its port, and what is registered at the service.

use secrecy::SecretString;

use super::Line;
use super::port::port;
use crate::causes::chain;
use crate::config::{Account, Config, Webhook as Receiver};
use crate::service::{Client, Failure, Webhook};
use crate::webhook::registration::{KINDS, endpoint, is_same_key};

/// What to do about a registration that is not the config's.
const REGISTER: &str = "Run `dropsheet webhooks register`; meanwhile the hourly reading finds the same.";

/// Tries the receiver's own side: its key and its port.
pub(super) async fn receiver(config: &Config, receiver: &Receiver) -> Vec<Line> {
    let part = "webhook: key";
    let key = match receiver.key() {
        Ok(_key) => Line::ok(part, "it can be read"),
        Err(error) => {
            let advice =
                "Make one for dropsheet's user, such as by `openssl rand -hex 32`, then register it.";
            Line::wrong(part, chain(&error), advice)
        }
    };
    vec![key, port(config, ("webhook", receiver.listen)).await]
}

/// Compares what is registered for an account with the config.
pub(super) async fn registrations(client: &Client, account: &Account, receiver: &Receiver) -> Vec<Line> {
    let mut lines = Vec::new();
    for (kind, notice) in KINDS {
        let part = format!("account {}: webhook {}", account.name, notice.word());
        let wanted = endpoint(receiver, &account.name, notice);
        let line = match (client.webhook(kind).await, receiver.key()) {
            (Ok(found), Ok(key)) => compared(part, found.as_ref(), wanted.as_deref(), &key),
            (Err(failure), _) => unread(part, &failure),
            // The key's own line says why.
            (Ok(_), Err(_told)) => continue,
        };
        lines.push(line);
    }
    lines
}

fn unread(part: String, failure: &Failure) -> Line {
    let found = format!("its registration cannot be read: {failure}");
    Line::warning(part, found, "Try `dropsheet webhooks show` later.")
}

fn compared(part: String, found: Option<&Webhook>, wanted: Option<&str>, key: &SecretString) -> Line {
    let Some(found) = found else {
        return Line::warning(part, "the service has no registration", REGISTER);
    };
    let Some(wanted) = wanted else {
        let advice = "Set `webhook.public_url`, so that it can be compared and registered.";
        let goes = format!("the service sends to {}", found.endpoint);
        return Line::warning(part, goes, advice);
    };
    if found.endpoint != wanted {
        let goes = format!("the service sends to {}, not to {wanted}", found.endpoint);
        return Line::wrong(part, goes, REGISTER);
    }
    if is_same_key(&found.access_key, key) {
        Line::ok(part, format!("the service sends to {wanted}, with our key"))
    } else {
        let told =
            "the service has another access key than webhook.access_key_file: what it sends is turned away";
        Line::wrong(part, told, REGISTER)
    }
}

#[cfg(test)]
mod tests {
    use super::super::State;
    use super::*;

    fn found(endpoint: &str, key: &str) -> Webhook {
        Webhook {
            endpoint: endpoint.to_owned(),
            access_key: key.into(),
            access_token: SecretString::default(),
        }
    }

    #[test]
    fn a_registration_is_right_with_our_address_and_our_key_alone() {
        const OURS: &str = "https://shop.example.com/main/tracking";
        let key = SecretString::from("a-key-that-nobody-guesses");
        let ours = found(OURS, "a-key-that-nobody-guesses");
        for (registered, wanted, state) in [
            (Some(&ours), Some(OURS), State::Ok),
            (None, Some(OURS), State::Warning),
            (Some(&ours), None, State::Warning),
            (
                Some(&found("https://old.example.com", "x")),
                Some(OURS),
                State::Wrong,
            ),
            (
                Some(&found(OURS, "another-key-than-ours")),
                Some(OURS),
                State::Wrong,
            ),
        ] {
            let line = compared("webhook".to_owned(), registered, wanted, &key);
            assert_eq!(line.state, state, "{line:?}");
            assert!(!line.found.contains("key-than"), "no key is told: {line:?}");
        }
    }
}
