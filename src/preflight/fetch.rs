//! One link fetched, from a public address, within limits of size and time, redirects followed by hand so that each
//! step is held to the same rules.

use std::fs::File;
use std::io::{BufReader, Seek, SeekFrom, Write};
use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::header::LOCATION;
use reqwest::{Response, StatusCode, Url};
use sha2::{Digest, Sha256};

use super::public::is_public;
use super::stalled::Stalled;
use crate::artwork::{Found, kind};
use crate::config::Preflight;
use crate::defect::contained;
use crate::files::hex_digest;

/// The most redirects that are followed; browsers give up after twenty, hosts of files need two or three.
const REDIRECTS: u32 = 5;

/// How often a link is tried that does not answer, or answers that it cannot now.
const TRIES: u32 = 3;

/// The pause before the next try.
const PAUSE: Duration = Duration::from_millis(500);

/// Longer than any handshake that will come to an end.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// Fetches links.
#[derive(Debug)]
pub struct Fetcher {
    client: reqwest::Client,
    max_bytes: u64,
    timeout: Duration,
    may_ask: MayAsk,
    stalled: Stalled,
}

/// Whether an address may be asked.
type MayAsk = fn(IpAddr) -> bool;

/// No link can be fetched.
#[derive(Debug, thiserror::Error)]
#[error("cannot set up HTTPS for artwork; install the system's CA certificates (ca-certificates)")]
pub struct FetcherError(#[source] reqwest::Error);

/// Why a link gave nothing, and whether it may later.
struct Failed {
    why: String,
    again: bool,
    timed_out: bool,
}

impl Fetcher {
    /// A fetcher that has fetched nothing yet.
    ///
    /// # Errors
    /// The machine has no certificates, say.
    pub fn new(settings: &Preflight) -> Result<Self, FetcherError> {
        let any: MayAsk = |_address| true;
        Self::asking(
            settings,
            if settings.private_addresses {
                any
            } else {
                is_public
            },
        )
    }

    /// A fetcher that asks the addresses of which `may_ask` says so.
    pub(super) fn asking(settings: &Preflight, may_ask: MayAsk) -> Result<Self, FetcherError> {
        crate::service::install_crypto();
        let client = reqwest::Client::builder()
            .user_agent(concat!("dropsheet/", env!("CARGO_PKG_VERSION")))
            .redirect(reqwest::redirect::Policy::none())
            .referer(false)
            // A proxy would resolve names where nobody sees what addresses they have.
            .no_proxy()
            .connect_timeout(CONNECT_TIMEOUT.min(settings.timeout))
            .dns_resolver(Names { may_ask })
            .build()
            .map_err(FetcherError)?;
        Ok(Self {
            client,
            max_bytes: settings.max_bytes,
            timeout: settings.timeout,
            may_ask,
            stalled: Stalled::default(),
        })
    }

    /// Fetches a link, several times where it may help.
    pub async fn fetch(&self, link: &str) -> Found {
        let host = Url::parse(link).ok();
        let host = host.as_ref().and_then(Url::host_str).unwrap_or_default();
        let mut tries = 0;
        loop {
            if self.stalled.is_given_up(host) {
                return Found::Unreachable(GIVEN_UP.to_owned());
            }
            tries += 1;
            let fetched = tokio::time::timeout(self.timeout, self.once(link)).await;
            let failed = match fetched {
                Ok(Ok(found)) => {
                    self.stalled.note(host, false);
                    return found;
                }
                Ok(Err(failed)) => failed,
                Err(_elapsed) => Failed {
                    why: format!("it did not come within {} seconds", self.timeout.as_secs()),
                    again: true,
                    timed_out: true,
                },
            };
            self.stalled.note(host, failed.timed_out);
            if !failed.again || tries >= TRIES {
                return Found::Unreachable(failed.why);
            }
            tokio::time::sleep(PAUSE * tries).await;
        }
    }

    async fn once(&self, link: &str) -> Result<Found, Failed> {
        let mut url = Url::parse(link).map_err(|_no_url| never("it is no web address"))?;
        for _step in 0..=REDIRECTS {
            self.check(&url)?;
            let response = self.client.get(url.clone()).send().await.map_err(unanswered)?;
            let status = response.status();
            if status.is_redirection() {
                url = target(&url, &response)?;
                continue;
            }
            if !status.is_success() {
                return Err(refused(status));
            }
            return self.read(response).await;
        }
        Err(never("it redirects without end"))
    }

    /// A resolver is never asked about an address that stands in the link itself.
    fn check(&self, url: &Url) -> Result<(), Failed> {
        if !matches!(url.scheme(), "http" | "https") {
            return Err(never("it is no web address"));
        }
        let host = url.host_str().unwrap_or_default();
        let literal = host
            .trim_start_matches('[')
            .trim_end_matches(']')
            .parse::<IpAddr>();
        match literal {
            Ok(address) if !(self.may_ask)(address) => Err(never(NOT_PUBLIC)),
            Ok(_) | Err(_) => Ok(()),
        }
    }

    /// Reads what comes into a file without a name, so that many at once need no memory.
    async fn read(&self, mut response: Response) -> Result<Found, Failed> {
        let limit = self.max_bytes;
        if response.content_length().is_some_and(|length| length > limit) {
            return Ok(Found::TooLarge { limit });
        }
        let mut file = tempfile::tempfile().map_err(|error| disk(&error))?;
        let mut hash = Sha256::new();
        let mut bytes = 0_u64;
        while let Some(chunk) = response.chunk().await.map_err(unanswered)? {
            bytes = bytes.saturating_add(u64::try_from(chunk.len()).unwrap_or(u64::MAX));
            if bytes > limit {
                return Ok(Found::TooLarge { limit });
            }
            hash.update(&chunk);
            file.write_all(&chunk).map_err(|error| disk(&error))?;
        }
        let hash = hex_digest(hash.finalize());
        let kind = tokio::task::spawn_blocking(move || contained(|| kind_of(file)))
            .await
            .map_err(|_stopped| never("it cannot be read"))?
            .map_err(|_panic| never("it cannot be read"))?
            .map_err(|error| disk(&error))?;
        Ok(Found::File { kind, hash })
    }
}

/// Why a host is not asked any more, for a person.
const GIVEN_UP: &str = "its host does not answer, as other links have shown";

/// Why an address is not asked, for a person.
const NOT_PUBLIC: &str = "its address is not public (preflight.private_addresses allows such)";

fn kind_of(mut file: File) -> std::io::Result<kind::Kind> {
    file.seek(SeekFrom::Start(0))?;
    kind::of(BufReader::new(file))
}

fn never(why: &str) -> Failed {
    Failed {
        why: why.to_owned(),
        again: false,
        timed_out: false,
    }
}

fn disk(error: &std::io::Error) -> Failed {
    Failed {
        why: format!("it cannot be stored on this machine ({error})"),
        again: true,
        timed_out: false,
    }
}

fn refused(status: StatusCode) -> Failed {
    let why = match status {
        StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => {
            format!("it asks for a login ({})", status.as_u16())
        }
        StatusCode::NOT_FOUND | StatusCode::GONE => format!("there is no such file ({})", status.as_u16()),
        _other => format!("it answers {}", status.as_u16()),
    };
    let again = status.is_server_error()
        || matches!(
            status,
            StatusCode::TOO_MANY_REQUESTS | StatusCode::REQUEST_TIMEOUT
        );
    Failed {
        why,
        again,
        timed_out: false,
    }
}

fn target(url: &Url, response: &Response) -> Result<Url, Failed> {
    let location = response
        .headers()
        .get(LOCATION)
        .and_then(|value| value.to_str().ok());
    let target = location.and_then(|location| url.join(location).ok());
    target.ok_or_else(|| never("it redirects to nowhere"))
}

fn unanswered(error: reqwest::Error) -> Failed {
    // The link may hold a key of its own: it stands in no message.
    let error = error.without_url();
    if crate::causes::of(&error).any(|cause| cause.is::<NotPublic>()) {
        return never(NOT_PUBLIC);
    }
    let why = if error.is_timeout() {
        "it does not answer"
    } else if error.is_connect() {
        "its host cannot be reached"
    } else {
        "the connection broke"
    };
    Failed {
        why: why.to_owned(),
        again: true,
        timed_out: error.is_timeout(),
    }
}

/// Every address of a host is private.
#[derive(Debug, thiserror::Error)]
#[error("the host has no public address")]
struct NotPublic;

/// The machine's own resolver, without the addresses that may not be asked: what is connected to is what was checked.
#[derive(Debug)]
struct Names {
    may_ask: MayAsk,
}

impl Resolve for Names {
    fn resolve(&self, name: Name) -> Resolving {
        let may_ask = self.may_ask;
        Box::pin(async move {
            let found = tokio::net::lookup_host((name.as_str(), 0)).await?;
            let allowed: Vec<SocketAddr> = found.filter(|address| may_ask(address.ip())).collect();
            if allowed.is_empty() {
                return Err(NotPublic.into());
            }
            let addresses: Addrs = Box::new(allowed.into_iter());
            Ok(addresses)
        })
    }
}
