//! A request with a token: which one it gets, and what follows where the service turns that away.

use jiff::civil::DateTime;
use serde::Serialize;

use super::http::{Reply, Undone};
use super::operation::{CANCEL, LIST_ORDERS, Operation};
use super::pace::Slot;
use super::token::{Served, Token};
use super::wire::OrderQuery;
use super::{Client, Failure, Heard, ListOrders, TokenRequest, Verdict};

impl Client {
    /// Sends a request with the token. One that is turned away for its token did nothing: it goes again with another
    /// token, until one was turned away that is new and that the service has never taken. Where that is not certain, the
    /// token has ended all the same: what only reads goes again, and anything else leaves the next one to log in. What only
    /// reads goes once more too where its connection broke that may have been a kept one.
    pub(super) async fn call<P: Serialize>(
        &self,
        operation: &Operation,
        params: Option<&P>,
    ) -> Result<Reply, Failure> {
        self.call_if(operation, params, None, &|| true).await
    }

    /// The same, at a place that was waited for where there is one, unless `may_leave` says no when its turn has come: then
    /// it is not sent.
    pub(super) async fn call_if<P: Serialize>(
        &self,
        operation: &Operation,
        params: Option<&P>,
        mut place: Option<Slot>,
        may_leave: &(dyn Fn() -> bool + Sync),
    ) -> Result<Reply, Failure> {
        let prepared = self.http.prepare(operation, params)?;
        let log_in = async || self.ask_token(TokenRequest::Generate).await;
        let mut token = if let Some(token) = self.tokens.at_hand() {
            token
        } else {
            // A login needs a place itself, and those who wait for it may hold them all.
            drop(place.take());
            let current = self.tokens.current(log_in).await;
            current.map_err(|failure| without_token(operation, failure))?
        };
        let mut tried = Tried::default();
        loop {
            tried.tokens += 1;
            let place = match place.take() {
                Some(place) if may_leave() => place,
                Some(_unused) => return Err(withheld(operation)),
                None => self.place_for(operation, may_leave).await?,
            };
            let header = Some(&token.header);
            let send = |attempt, place| self.http.send((operation, attempt), &prepared, header, place);
            let mut sent = send(tried.tokens, place).await;
            if let Err(Undone {
                may_be_stale: true, ..
            }) = sent
                && operation.only_reads()
            {
                let place = self.place_for(operation, may_leave).await?;
                sent = send(tried.tokens + 1, place).await;
            }
            let undone = match sent {
                Ok(reply) => {
                    self.tokens.note_good(&token, operation.name);
                    return Ok(reply);
                }
                Err(undone) => undone,
            };
            let standing = self.standing_of(operation, &token, &undone, tried.tokens).await;
            if standing == Standing::Unclear {
                return Err(undecided(undone));
            }
            let has_ended = standing == Standing::Ended;
            if !has_ended && !goes_again(operation, &undone) {
                self.note_token(operation, &token, &undone).await;
                return Err(undone.failure);
            }
            if !has_ended && self.is_refused(operation, &token, &undone, &mut tried) {
                return Err(self.refused(operation, &token, undone).await);
            }
            if tried.tokens == MOST_TOKENS {
                let token_ended = has_ended || undone.token_ended;
                return Err(not_taken(Undone {
                    token_ended,
                    ..undone
                }));
            }
            token = self
                .tokens
                .other_than(&token, log_in)
                .await
                .map_err(|failure| without_token(operation, failure))?;
        }
    }

    /// A place for a request that may still leave when its turn has come.
    async fn place_for(
        &self,
        operation: &Operation,
        may_leave: &(dyn Fn() -> bool + Sync),
    ) -> Result<Slot, Failure> {
        let place = self.http.enter(operation).await?;
        if may_leave() {
            Ok(place)
        } else {
            Err(withheld(operation))
        }
    }

    /// How the token of a request stands that was refused with words which may speak of it. What changes something does not go
    /// again by words alone: that its token has ended is proved by another request, which only reads and is turned away with it
    /// too. What only reads goes again with one that is new.
    async fn standing_of(
        &self,
        operation: &Operation,
        token: &Token,
        undone: &Undone,
        tried: u32,
    ) -> Standing {
        if !undone.may_be_of_token || undone.failure.verdict != Verdict::Refused {
            return Standing::Taken;
        }
        if !operation.only_reads() {
            return self.probe(token).await;
        }
        let is_unused = self.tokens.served(token, operation.name) == Served::Nothing;
        if token.from_login && (tried > 1 || is_unused) {
            Standing::Taken
        } else {
            Standing::Ended
        }
    }

    /// Whether the service takes a token for what only reads.
    async fn probe(&self, token: &Token) -> Standing {
        let operation = &LIST_ORDERS;
        let query = ListOrders {
            from: DateTime::constant(2000, 1, 1, 0, 0, 0, 0),
            to: DateTime::constant(2000, 1, 2, 0, 0, 0, 0),
            search: None,
            limit: 20,
            page: 1,
        };
        let Ok(prepared) = self.http.prepare(operation, Some(&OrderQuery::new(&query))) else {
            return Standing::Unclear;
        };
        let Ok(place) = self.http.enter(operation).await else {
            return Standing::Unclear;
        };
        let header = Some(&token.header);
        match self.http.send((operation, 1), &prepared, header, place).await {
            Ok(_taken) => Standing::Taken,
            Err(undone) if undone.failure.verdict == Verdict::Credentials => Standing::Ended,
            Err(undone) if undone.token_ended || undone.may_be_of_token => Standing::Ended,
            Err(_says_nothing_of_it) => Standing::Unclear,
        }
    }

    /// Whether a request was turned away by what the service thinks of the account, rather than for a token that has ended:
    /// a login has just been accepted because a token was turned away, and what it gave is turned away too.
    fn is_refused(&self, operation: &Operation, token: &Token, undone: &Undone, tried: &mut Tried) -> bool {
        if !token.from_login {
            return false;
        }
        let is_refused = match self.tokens.served(token, operation.name) {
            // Where the login was another request's, this one's own would be one login more.
            Served::Nothing => tried.tokens > 1 || token.is_renewed,
            Served::Others | Served::This if tried.tokens == 1 => false,
            // A 403 speaks of who has logged in: no token is at fault.
            Served::Others | Served::This if !undone.token_ended => true,
            // It may have ended once. That the next one does too before it serves for this is no chance.
            Served::Others => std::mem::replace(&mut tried.in_doubt, true),
            Served::This => false,
        };
        is_refused && !self.tokens.another_is_kept(token)
    }

    /// What it means that a request is turned away with a new token too: the account stops, and nobody tries it with yet
    /// another. Where the answer is not the interface's it says nothing of the account, and is tried again later.
    /// Of a cancel a 403 may speak of its order alone: it does where the token is taken for what reads.
    async fn refused(&self, operation: &Operation, token: &Token, undone: Undone) -> Failure {
        if is_of_one_order(operation, &undone) && self.probe(token).await == Standing::Taken {
            return of_its_order(undone);
        }
        if undone.failure.verdict != Verdict::Credentials {
            self.tokens.drop_ended(token).await;
            return not_taken(undone);
        }
        let (heard, failure) = (heard_with_token(&undone), undone.failure);
        let words = failure.service_message.as_ref().filter(|words| !words.is_empty());
        let words = words.map_or_else(String::new, |words| format!(", “{words}”"));
        let failure = Failure {
            heard,
            detail: format!("{}{words}", failure.detail),
            ..failure
        };
        self.tokens.refuse(token, &failure).await;
        failure
    }

    /// Heeds what the end of a request says of its token.
    async fn note_token(&self, operation: &Operation, token: &Token, undone: &Undone) {
        if undone.failure.verdict == Verdict::Refused {
            self.tokens.note_good(token, operation.name);
        }
        if undone.token_ended {
            self.tokens.drop_ended(token).await;
        }
    }
}

/// How a token stands that may have ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Standing {
    /// The service takes it: what it has refused, it has refused for itself.
    Taken,
    Ended,
    /// It has not answered.
    Unclear,
}

/// The tokens that a request was tried with.
#[derive(Debug, Default)]
struct Tried {
    tokens: u32,
    /// Whether one of them was new, and had served for other operations alone.
    in_doubt: bool,
}

/// A request that was not to leave any more when its turn came.
fn withheld(operation: &Operation) -> Failure {
    let detail = "not sent: before its turn came, it was told to stop, the service was found away, or too much time \
                  had passed";
    Failure::unsent(operation, Verdict::NotSent, detail.to_owned())
}

/// A request that was refused, be it for itself or for its token: nobody can tell, and what it may have done is looked up.
fn undecided(undone: Undone) -> Failure {
    Failure {
        verdict: Verdict::Unknown,
        ..undone.failure
    }
}

/// A request that was turned away with one token after the other, each of which may have ended: it is tried again later.
fn not_taken(undone: Undone) -> Failure {
    Failure {
        verdict: Verdict::NotSent,
        heard: heard_with_token(&undone),
        ..undone.failure
    }
}

fn heard_with_token(undone: &Undone) -> Heard {
    if undone.token_ended {
        Heard::NoToken
    } else {
        Heard::Denied
    }
}

/// Whether a request was turned away that speaks of an order which is there, by a code that may speak of that order: it is at
/// the printer, say. A create is of none yet.
fn is_of_one_order(operation: &Operation, undone: &Undone) -> bool {
    operation.name == CANCEL.name && undone.failure.verdict == Verdict::Credentials && !undone.token_ended
}

/// The same as the service's no to that.
fn of_its_order(undone: Undone) -> Failure {
    Failure {
        verdict: Verdict::Refused,
        ..undone.failure
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
    // No login has failed: what it has given is of no use.
    if let Heard::NoToken | Heard::Denied = login.heard {
        return login;
    }
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
