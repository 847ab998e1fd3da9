//! What has to be registered at the service, so that its notifications come to the door: an address for each account
//! and kind, and the access key.

use secrecy::{ExposeSecret, SecretString};
use subtle::ConstantTimeEq;

use crate::config::Webhook as Receiver;
use crate::ledger::record::NoticeKind;
use crate::service::WebhookKind;

/// Both kinds, as the interface and as our paths name them.
pub const KINDS: [(WebhookKind, NoticeKind); 2] = [
    (WebhookKind::OrderProblem, NoticeKind::OrderProblem),
    (WebhookKind::Tracking, NoticeKind::Tracking),
];

/// Where the service is to send an account's notifications of a kind; none without `public_url`.
pub fn endpoint(receiver: &Receiver, account: &str, kind: NoticeKind) -> Option<String> {
    let public_url = receiver.public_url.as_ref()?;
    Some(format!("{public_url}/{account}/{}", kind.word()))
}

/// Whether two access keys are the same one.
pub fn is_same_key(one: &SecretString, other: &SecretString) -> bool {
    let (one, other) = (one.expose_secret(), other.expose_secret());
    one.as_bytes().ct_eq(other.as_bytes()).into()
}
