//! The account's token, one for everybody: asked for when there is none, asked for once when it expires among many
//! requests, and kept in a file between runs, for each login may end other clients' tokens.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{MutexGuard, PoisonError};
use std::time::Duration;

use reqwest::header::HeaderValue;
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use tokio::sync::Mutex;
use tokio::time::Instant;

use super::{Failure, Heard, Settings, Verdict};
use crate::files::{TEMPORARY, folder_of, hex_digest};

/// For so long nobody logs in for an account that was refused with a new token. Health waits at least as long before it is
/// tried again.
const REFUSED_FOR: Duration = Duration::from_secs(50);

/// A token as it is sent. Its header is marked sensitive, so that nothing prints it.
#[derive(Clone, Debug)]
pub(super) struct Token {
    pub(super) header: HeaderValue,
    /// Counts the tokens of this process, so that of many who find one expired only the first asks for another.
    generation: u64,
    /// Whether this process logged in for it; else it was kept by an earlier or another process.
    pub(super) from_login: bool,
    /// Whether that login took the place of a token that was turned away.
    pub(super) is_renewed: bool,
}

/// What a token has served for so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Served {
    /// This operation: where it is turned away, it has ended since.
    This,
    /// Others only: where it is turned away, it may have ended since.
    Others,
    /// Nothing: where it is turned away, it is the account that is.
    Nothing,
}

/// Where the token lives.
#[derive(Debug)]
pub(super) struct Tokens {
    file: Option<PathBuf>,
    /// Whose token it is: a hash of base URL and e-mail.
    account: String,
    /// How many logins have ended. Who queued while one was under way shares its failure too, so that a service
    /// that is away is not tried by each of them in turn.
    logins: AtomicU64,
    /// The newest token that the service has taken, by operation.
    good: std::sync::Mutex<HashMap<&'static str, u64>>,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    token: Option<Token>,
    generation: u64,
    /// Why the last login failed, if it did, or why the token that it gave is of no use. Credentials that were refused are
    /// not tried again until they are others, or a person says so.
    failed: Option<Failure>,
    /// When the account was refused with a token that was new.
    refused_at: Option<Instant>,
    /// The last token that the service has turned away without another being asked for.
    ended: Option<HeaderValue>,
}

/// The file's content.
#[derive(Serialize, Deserialize)]
struct Kept {
    account: String,
    token: String,
}

impl Tokens {
    pub(super) fn new(settings: &Settings) -> Self {
        Self {
            file: settings.token_file.clone(),
            account: account_key(&settings.base_url, &settings.email),
            logins: AtomicU64::new(0),
            good: std::sync::Mutex::default(),
            state: Mutex::new(State::default()),
        }
    }

    /// The token, where there is one and nobody is getting another; waits for nobody.
    pub(super) fn at_hand(&self) -> Option<Token> {
        self.state.try_lock().ok()?.token.clone()
    }

    /// The token, by `log_in` where there is none. Everybody else waits meanwhile, and shares what comes.
    pub(super) async fn current(
        &self,
        log_in: impl AsyncFnOnce() -> Result<SecretString, Failure>,
    ) -> Result<Token, Failure> {
        let seen = self.logins.load(Ordering::Acquire);
        let mut state = self.state.lock().await;
        if let Some(token) = &state.token {
            return Ok(token.clone());
        }
        match self.kept().filter(|kept| Some(kept) != state.ended.as_ref()) {
            Some(kept) => Ok(state.adopt(kept, false)),
            None => self.shared_login(&mut state, seen, log_in).await,
        }
    }

    /// A token other than `used`, which the service has turned away: one that somebody has got meanwhile, one that
    /// another process has kept, else a new one by `log_in`.
    pub(super) async fn other_than(
        &self,
        used: &Token,
        log_in: impl AsyncFnOnce() -> Result<SecretString, Failure>,
    ) -> Result<Token, Failure> {
        let seen = self.logins.load(Ordering::Acquire);
        let mut state = self.state.lock().await;
        if let Some(token) = state
            .token
            .as_ref()
            .filter(|token| token.generation > used.generation)
        {
            return Ok(token.clone());
        }
        let is_another = |kept: &HeaderValue| *kept != used.header && Some(kept) != state.ended.as_ref();
        if let Some(kept) = self.kept().filter(is_another) {
            return Ok(state.adopt(kept, false));
        }
        self.shared_login(&mut state, seen, log_in).await
    }

    /// Forgets a token that has ended, so that the next who needs one gets another.
    pub(super) async fn drop_ended(&self, used: &Token) {
        let mut state = self.state.lock().await;
        // Somebody may have got another one meanwhile.
        if state
            .token
            .take_if(|token| token.generation == used.generation)
            .is_some()
        {
            state.ended = Some(used.header.clone());
        }
    }

    /// Notes that the service has taken a token for an operation.
    pub(super) fn note_good(&self, token: &Token, operation: &'static str) {
        let mut good = self.good();
        let newest = good.entry(operation).or_default();
        *newest = token.generation.max(*newest);
    }

    /// What the service has taken a token for, or a newer one. A service that takes it for what only reads may still take
    /// none for a create.
    pub(super) fn served(&self, token: &Token, operation: &str) -> Served {
        let good = self.good();
        let is_newer = |newest: &u64| *newest >= token.generation;
        if good.get(operation).is_some_and(is_newer) {
            Served::This
        } else if good.values().any(is_newer) {
            Served::Others
        } else {
            Served::Nothing
        }
    }

    fn good(&self) -> MutexGuard<'_, HashMap<&'static str, u64>> {
        self.good.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether another process has kept a token since: its login may be what has ended this one.
    pub(super) fn another_is_kept(&self, used: &Token) -> bool {
        self.kept().is_some_and(|kept| kept != used.header)
    }

    /// Keeps everybody from sending what would be turned away too, and from logging in for it: the account is refused with
    /// a token that is new. It is so until the credentials are others, or for [`REFUSED_FOR`].
    pub(super) async fn refuse(&self, used: &Token, why: &Failure) {
        let mut state = self.state.lock().await;
        // It is refused already, and somebody may have corrected the password since.
        let newest = state.token.take_if(|token| token.generation == used.generation);
        if newest.is_some() {
            state.ended = Some(used.header.clone());
            state.failed = Some(why.clone());
            state.refused_at = Some(Instant::now());
        }
    }

    /// Lets the next who needs a token log in, though credentials were refused: they are others by now.
    pub(super) async fn forget_refusal(&self) {
        self.state.lock().await.failed = None;
    }

    /// Logs in whatever is known, as a person asked.
    pub(super) async fn anew(
        &self,
        log_in: impl AsyncFnOnce() -> Result<SecretString, Failure>,
    ) -> Result<(), Failure> {
        let mut state = self.state.lock().await;
        self.login(&mut state, log_in).await.map(drop)
    }

    /// A login, unless the credentials were refused before, or one failed since this caller saw `seen` of them.
    async fn shared_login(
        &self,
        state: &mut State,
        seen: u64,
        log_in: impl AsyncFnOnce() -> Result<SecretString, Failure>,
    ) -> Result<Token, Failure> {
        let another_since = self.logins.load(Ordering::Acquire) != seen;
        match &state.failed {
            Some(failed) if another_since || state.stays_refused(failed) => Err(failed.clone()),
            _ => self.login(state, log_in).await,
        }
    }

    async fn login(
        &self,
        state: &mut State,
        log_in: impl AsyncFnOnce() -> Result<SecretString, Failure>,
    ) -> Result<Token, Failure> {
        let answered = log_in().await;
        self.logins.fetch_add(1, Ordering::Release);
        let got = answered.and_then(|token| match header(token.expose_secret()) {
            Some(header) => Ok((token, header)),
            None => Err(unsendable()),
        });
        match got {
            Ok((token, header)) => {
                state.failed = None;
                if let Err(error) = self.keep(token.expose_secret()) {
                    tracing::warn!(%error, "the token cannot be kept; the next run logs in again");
                }
                Ok(state.adopt(header, true))
            }
            Err(failure) => {
                state.failed = Some(failure.clone());
                Err(failure)
            }
        }
    }

    /// The token in the file, where it is this account's.
    fn kept(&self) -> Option<HeaderValue> {
        let path = self.file.as_deref()?;
        let bytes = match std::fs::read(path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return None,
            Err(error) => {
                tracing::warn!(%error, "the kept token cannot be read");
                return None;
            }
        };
        match serde_json::from_slice::<Kept>(&bytes) {
            Ok(kept) if kept.account == self.account => header(&kept.token),
            Ok(_other_account) => None,
            Err(_damaged) => {
                tracing::warn!("the kept token cannot be understood");
                None
            }
        }
    }

    fn keep(&self, token: &str) -> io::Result<()> {
        let Some(path) = self.file.as_deref() else {
            return Ok(());
        };
        let kept = serde_json::to_vec(&Kept {
            account: self.account.clone(),
            token: token.to_owned(),
        })?;
        write_private(path, &kept)
    }
}

impl State {
    /// Whether a login that has failed, or was of no use, is not tried again by itself.
    fn stays_refused(&self, failed: &Failure) -> bool {
        let may_pass = matches!(failed.heard, Heard::NoToken | Heard::Denied);
        let was_long_ago = self.refused_at.is_some_and(|at| at.elapsed() >= REFUSED_FOR);
        failed.verdict == Verdict::Credentials && !(may_pass && was_long_ago)
    }

    fn adopt(&mut self, header: HeaderValue, from_login: bool) -> Token {
        self.generation += 1;
        let token = Token {
            header,
            generation: self.generation,
            from_login,
            is_renewed: from_login && (self.token.is_some() || self.ended.is_some()),
        };
        self.token = Some(token.clone());
        token
    }
}

/// Names an account without telling its e-mail: a hash of both parts of its identity.
pub(crate) fn account_key(base_url: &str, email: &str) -> String {
    let identity = format!("{}\n{}", base_url.trim_end_matches('/'), email.trim());
    hex_digest(Sha256::digest(identity.as_bytes()))
}

fn header(token: &str) -> Option<HeaderValue> {
    let mut header = HeaderValue::from_str(token)
        .ok()
        .filter(|header| !header.is_empty())?;
    header.set_sensitive(true);
    Some(header)
}

/// Writes a whole file that only its owner may read (a temporary file has mode 0600 from its first byte).
fn write_private(path: &Path, bytes: &[u8]) -> io::Result<()> {
    use std::io::Write;
    std::fs::create_dir_all(folder_of(path))?;
    let mut staged = tempfile::Builder::new()
        .prefix(TEMPORARY)
        .suffix(".tmp")
        .tempfile_in(folder_of(path))?;
    staged.write_all(bytes)?;
    crate::files::sync(staged.as_file())?;
    crate::crash::fails("token-replace")?;
    staged.persist(path).map_err(|failed| failed.error)?;
    Ok(())
}

fn unsendable() -> Failure {
    Failure {
        operation: "auth/token",
        verdict: Verdict::Unknown,
        heard: Heard::Odd(200),
        has_status: false,
        detail: "the service gave a token that cannot stand in a header".to_owned(),
        service_message: None,
        service_date: None,
        made: None,
    }
}
