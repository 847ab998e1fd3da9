//! What an answer says besides its code that turns a request away. Pure.

use super::CreatedOrder;
use super::operation::{CREATE, Operation, Shape};
use super::verdict::{self, Body, Exchange};
use super::wire::{self, CreatedAnswer};

/// The order that the answer to a create names though its code is one of refusal: it is there already, say. It may be ours.
pub(super) fn order_named(
    operation: &Operation,
    exchange: Exchange,
    bytes: &[u8],
) -> Option<Box<CreatedOrder>> {
    let Exchange::Answered { http, body, .. } = exchange else {
        return None;
    };
    let is_refusal = verdict::code(http, body).is_some_and(|code| (400..500).contains(&code));
    if operation.name != CREATE.name || !is_refusal {
        return None;
    }
    let ids = wire::read::<CreatedAnswer>(bytes).ok()?.data;
    let is_named = !ids.pw_order_id.trim().is_empty();
    is_named.then(|| {
        Box::new(CreatedOrder {
            pw_order_id: ids.pw_order_id,
            order_id: ids.order_id.text,
        })
    })
}

/// Whether a request was turned away with words that may speak of its token.
pub(super) fn may_be_of_token(operation: &Operation, exchange: Exchange, words: Option<&str>) -> bool {
    let is_envelope = matches!(
        exchange,
        Exchange::Answered {
            body: Body::Envelope(_),
            ..
        }
    );
    operation.shape != Shape::Token && is_envelope && words.is_some_and(may_speak_of_token)
}

/// Whether the service's words to a request that it has turned away may speak of the token that it had, whatever the code:
/// how a token ends is not shown.
fn may_speak_of_token(words: &str) -> bool {
    const TOKEN: [&str; 6] = ["token", "jwt", "session", "login", "logged in", "log in"];
    const ENDED: [&str; 9] = [
        "expired",
        "invalid",
        "not valid",
        "no longer valid",
        "missing",
        "revoked",
        "required",
        "unknown",
        "please",
    ];
    const BY_ITSELF: [&str; 3] = ["unauthorized", "unauthorised", "unauthenticated"];
    let words = words.to_lowercase();
    let has = |some: &[&str]| some.iter().any(|word| words.contains(word));
    has(&BY_ITSELF) || (has(&TOKEN) && has(&ENDED))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_speak_of_the_token_where_they_say_that_it_is_of_no_use() {
        for words in [
            "Access token is invalid or expired",
            "jwt expired",
            "Unauthenticated.",
            "Please log in again",
            "error: session expired",
            "Missing access-token",
        ] {
            assert!(may_speak_of_token(words), "{words}");
        }
        for words in [
            "Zip is invalid",
            "Order already exists",
            "The artwork is missing",
            "token",
            "This order can no longer be canceled",
        ] {
            assert!(!may_speak_of_token(words), "{words}");
        }
    }
}
