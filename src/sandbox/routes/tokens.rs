//! The token operations: e-mail and password in a body, a new token out.

use serde::Deserialize;

use super::super::operation::Operation;
use super::super::request::{self, Refusal, Required};
use super::super::state::later;
use super::super::wire::{Reply, TokenWire};
use super::{Asked, Outcome, good};

#[derive(Deserialize)]
struct Credentials {
    email: Option<String>,
    password: Option<String>,
}

/// GET, POST and PUT auth/token. A PUT ends older tokens, the others do so by option.
pub(super) fn generate(asked: &Asked<'_>) -> Outcome {
    if !asked.query.is_empty() {
        return Err(Refusal::bad("credentials belong in the body, never in the query"));
    }
    let body: Credentials = request::body(&asked.body)?;
    let mut required = Required::default();
    let email = required.take("email", body.email);
    let password = required.take("password", body.password);
    required.all_there()?;
    let options = &asked.service.options;
    if (&email, &password) != (&options.email, &options.password) {
        return Err(Refusal::unauthorized("the e-mail or the password is wrong"));
    }
    let update = asked.operation == Operation::UpdateToken;
    let token = asked.service.state(|state, now| {
        if update || options.single_token {
            state.end_tokens();
        }
        state.log_in(options.token_lifetime.map(|lifetime| later(now, lifetime)), now)
    });
    let message = if update {
        "the token has been updated"
    } else {
        "a token has been generated"
    };
    good(
        message,
        Reply::Token {
            result: TokenWire { access_token: &token },
        },
    )
}
