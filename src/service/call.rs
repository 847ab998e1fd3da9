//! A request with a token: which one it gets, and what follows where the service turns that away.

use serde::Serialize;

use super::http::{Reply, Undone};
use super::operation::Operation;
use super::token::Token;
use super::{Client, Failure, Heard, TokenRequest, Verdict};

impl Client {
    /// Sends a request with the token. One that is turned away for its token did nothing: it goes again with another
    /// token, until one was turned away that is new and that the service has never taken. Where that is not certain, the
    /// token has ended all the same: what only reads goes again, and anything else leaves the next one to log in.
    pub(super) async fn call<P: Serialize>(
        &self,
        operation: &Operation,
        params: Option<&P>,
    ) -> Result<Reply, Failure> {
        let prepared = self.http.prepare(operation, params)?;
        let log_in = async || self.ask_token(TokenRequest::Generate).await;
        let mut token = self
            .tokens
            .current(log_in)
            .await
            .map_err(|failure| without_token(operation, failure))?;
        let mut attempt = 1;
        loop {
            let sent = self
                .http
                .send(operation, &prepared, Some(&token.header), attempt)
                .await;
            let undone = match sent {
                Ok(reply) => {
                    self.tokens.note_good(&token);
                    return Ok(reply);
                }
                Err(undone) => undone,
            };
            if !goes_again(operation, &undone) {
                self.heed(&token, &undone).await;
                return Err(undone.failure);
            }
            let refused = attempt > 1 && self.tokens.is_turned_away(&token);
            if refused || attempt == MOST_TOKENS {
                return Err(self.turned_away(&token, undone));
            }
            attempt += 1;
            token = self
                .tokens
                .other_than(&token, log_in)
                .await
                .map_err(|failure| without_token(operation, failure))?;
        }
    }

    /// What it means that a token is turned away which is new. A 403 speaks of the account. A 401 may only mean that
    /// another program has logged in meanwhile, which ends our token where the service keeps one for an account: the
    /// password was accepted a moment ago, so that this is tried again, until it is shown that it does not pass.
    fn turned_away(&self, token: &Token, undone: Undone) -> Failure {
        if !undone.token_ended {
            return undone.failure;
        }
        let verdict = if self.tokens.note_refused(token) {
            Verdict::Credentials
        } else {
            Verdict::NotSent
        };
        Failure {
            verdict,
            heard: Heard::NoToken,
            ..undone.failure
        }
    }

    /// Heeds what the end of a request says of its token.
    async fn heed(&self, token: &Token, undone: &Undone) {
        if undone.failure.verdict == Verdict::Refused {
            self.tokens.note_good(token);
        }
        if undone.token_ended {
            self.tokens.drop_ended(token).await;
        }
    }
}

/// Whether a request goes again with another token: one that certainly did nothing, or that only reads.
fn goes_again(operation: &Operation, undone: &Undone) -> bool {
    undone.failure.verdict == Verdict::Credentials || (undone.token_ended && operation.only_reads())
}

/// The most tokens that one request tries: the one in use, one that another process may have kept, a new one, and one
/// more where that was good and has ended since, as where another program logs in with this account.
const MOST_TOKENS: u32 = 4;

/// What it means for an operation that no token could be had: it was not sent, whatever became of the login.
fn without_token(operation: &Operation, login: Failure) -> Failure {
    let verdict = match login.verdict {
        Verdict::Credentials | Verdict::Refused => Verdict::Credentials,
        Verdict::TryLater(pause) => Verdict::TryLater(pause),
        Verdict::Misconfigured => Verdict::Misconfigured,
        Verdict::NotSent | Verdict::Unknown => Verdict::NotSent,
    };
    Failure {
        operation: operation.name,
        verdict,
        detail: format!("cannot log in: {}", login.detail),
        ..login
    }
}
