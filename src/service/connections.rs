//! The connections to the service, and whether they are kept for the next request.
//!
//! HTTP lets a server close a kept connection at any time. Most do when it has been idle for long; one that does so after
//! each answer, or as the next request comes, breaks request after request, and whether such a one was carried out cannot
//! be told. So once one broke before an answer came, each has a connection of its own for a while, on which nothing can go
//! wrong that is not the service's own doing.

use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use super::operation::{ANSWER_BYTES, Operation};
use super::{ClientError, Settings};

/// Longer than any handshake that will come to an end.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// Shorter than servers keep idle connections, of which five seconds are the least that is common, so that they rarely
/// close one as it is used. Each has some 50 KB of buffers until then.
const IDLE_TIMEOUT: Duration = Duration::from_secs(2);

/// Most connections for long answers that are kept.
const LISTS_KEPT: usize = 2;

/// How long no connection is kept after one broke. A service that always breaks them costs a read or a create in as long.
const NONE_KEPT: Duration = Duration::from_mins(10);

/// The connections of an account.
#[derive(Debug)]
pub(super) struct Connections {
    kept: reqwest::Client,
    /// For answers that may be long: a connection that has brought one keeps the room that it took. Those are few, and
    /// none of the many over which orders go.
    lists: reqwest::Client,
    /// Keeps none. Made when it is first needed, for that takes a while; none where it cannot be made.
    single: OnceLock<Option<reqwest::Client>>,
    make: Make,
    broke_at: Mutex<Option<Instant>>,
}

/// What a request goes over.
#[derive(Debug)]
pub(super) struct Way<'a> {
    pub(super) client: &'a reqwest::Client,
    /// Whether it may be a connection that has served before.
    pub(super) is_kept: bool,
}

/// What is needed to make more of them.
#[derive(Clone, Copy, Debug)]
struct Make {
    timeout: Duration,
    loopback: bool,
}

impl Connections {
    pub(super) fn new(settings: &Settings, loopback: bool) -> Result<Self, ClientError> {
        let most = settings.max_in_flight.max(1);
        let make = Make {
            timeout: settings.timeout,
            loopback,
        };
        Ok(Self {
            kept: make.client(most)?,
            lists: make.client(most.min(LISTS_KEPT))?,
            single: OnceLock::new(),
            make,
            broke_at: Mutex::default(),
        })
    }

    /// Notes that a request went out and its connection broke before an answer came.
    pub(super) fn note_broken(&self, now: Instant) {
        let before = self
            .broke_at
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .replace(now);
        if before.is_none_or(|before| now.saturating_duration_since(before) >= NONE_KEPT) {
            tracing::debug!("a connection broke before an answer came: for a while none is kept");
        }
    }

    /// What an operation goes over now.
    pub(super) fn way(&self, operation: &Operation, now: Instant) -> Way<'_> {
        if self.keeps_none(now)
            && let Some(client) = self.single()
        {
            return Way {
                client,
                is_kept: false,
            };
        }
        let client = if operation.answer_bytes > ANSWER_BYTES {
            &self.lists
        } else {
            &self.kept
        };
        Way {
            client,
            is_kept: true,
        }
    }

    /// Those that orders go over.
    pub(super) fn kept(&self) -> &reqwest::Client {
        &self.kept
    }

    fn keeps_none(&self, now: Instant) -> bool {
        let broke_at = *self.broke_at.lock().unwrap_or_else(PoisonError::into_inner);
        broke_at.is_some_and(|at| now.saturating_duration_since(at) < NONE_KEPT)
    }

    fn single(&self) -> Option<&reqwest::Client> {
        let make = || match self.make.client(0) {
            Ok(client) => Some(client),
            Err(error) => {
                tracing::warn!(
                    error = crate::causes::chain(&error),
                    "connections are kept, though they break"
                );
                None
            }
        };
        self.single.get_or_init(make).as_ref()
    }
}

impl Make {
    /// Connections to the service, of which so many are kept for the next request.
    fn client(self, kept: usize) -> Result<reqwest::Client, ClientError> {
        let mut builder = reqwest::Client::builder()
            .user_agent(concat!("dropsheet/", env!("CARGO_PKG_VERSION")))
            .redirect(reqwest::redirect::Policy::none())
            .retry(reqwest::retry::never())
            .referer(false)
            .gzip(true)
            // At most half of the whole, so that a host which does not answer is told from one which is slow.
            .connect_timeout(CONNECT_TIMEOUT.min(self.timeout / 2))
            .timeout(self.timeout)
            .pool_idle_timeout(IDLE_TIMEOUT)
            .pool_max_idle_per_host(kept);
        builder = if self.loopback {
            // No TLS is spoken, so a machine without certificates will do; and no proxy can reach this machine.
            builder.tls_certs_only([]).no_proxy()
        } else {
            builder.https_only(true)
        };
        builder.build().map_err(ClientError::Http)
    }
}

#[cfg(test)]
mod tests {
    use super::super::operation::{CREATE, LIST_ORDERS};
    use super::super::tests::stub::settings_at;
    use super::*;

    #[test]
    fn after_one_broke_none_is_kept_for_a_while() {
        crate::service::install_crypto();
        let connections = Connections::new(&settings_at("http://127.0.0.1:1"), true).unwrap();
        let start = Instant::now();
        let keeps = |after: Duration| {
            [&CREATE, &LIST_ORDERS].map(|operation| connections.way(operation, start + after).is_kept)
        };
        assert_eq!(keeps(Duration::ZERO), [true; 2]);
        connections.note_broken(start);
        assert_eq!(
            keeps(NONE_KEPT.saturating_sub(Duration::from_secs(1))),
            [false; 2]
        );
        assert_eq!(keeps(NONE_KEPT), [true; 2]);
        connections.note_broken(start + NONE_KEPT);
        assert_eq!(keeps(NONE_KEPT), [false; 2]);
    }
}
