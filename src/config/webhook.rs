//! `[webhook]`: the receiver of the service's notifications.

use std::net::SocketAddr;
use std::path::PathBuf;

use reqwest::Url;
use reqwest::header::HeaderName;
use schemars::JsonSchema;
use secrecy::SecretString;
use serde::{Deserialize, Serialize};

use super::ConfigError;
use super::checked::Checking;
use super::source::Place;

/// `[webhook]`
#[derive(Clone, Debug)]
pub struct Webhook {
    /// Where it listens.
    pub listen: SocketAddr,
    /// The URL under which the service reaches it, without a slash at its end; needed to register it.
    pub public_url: Option<String>,
    /// The header that holds the access key; every header is looked at where none is named.
    pub header: Option<String>,
    access_key_file: PathBuf,
    access_key_at: Place,
}

/// The receiver of the service's notifications; off where nothing is set.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Raw {
    /// The address and port to listen at, such as "127.0.0.1:8810".
    pub(super) listen: Option<String>,
    /// The URL under which the service reaches it.
    pub(super) public_url: Option<String>,
    /// A file that holds the access key: a long random text that only the service is told.
    pub(super) access_key_file: Option<String>,
    /// The header in which the service sends the key; where it is not set, every header is looked at.
    pub(super) header: Option<String>,
}

/// The shortest access key: where the header is not named, a short one could stand in any header by chance.
const SHORTEST_KEY: usize = 16;

impl Webhook {
    /// Reads the access key.
    ///
    /// # Errors
    /// [`ConfigError::Wrong`] where it cannot be read or is too short.
    pub fn key(&self) -> Result<SecretString, ConfigError> {
        let wrong = |reason: String| {
            let file = self.access_key_file.display();
            self.access_key_at.wrong(&format!("{file}: {reason}"))
        };
        let text = super::text_of(&self.access_key_file).map_err(|error| wrong(error.to_string()))?;
        let key = text.trim();
        if key.len() < SHORTEST_KEY || key.contains(char::is_whitespace) {
            return Err(wrong(format!(
                "it has to hold one text of at least {SHORTEST_KEY} characters without spaces, such as \
                 `openssl rand -hex 32` makes"
            )));
        }
        Ok(key.into())
    }
}

impl Checking<'_> {
    /// The receiver; none where nothing of it is set.
    pub(super) fn webhook(&self, raw: &Raw) -> Result<Option<Webhook>, ConfigError> {
        let Raw {
            listen,
            public_url,
            access_key_file,
            header,
        } = raw;
        if listen.is_none() && public_url.is_none() && access_key_file.is_none() && header.is_none() {
            return Ok(None);
        }
        let listen = self.required("webhook.listen", listen.as_deref())?;
        let listen = listen.parse().map_err(|_no_address| {
            let message =
                format!("`{listen}` is no address with a port; expected one such as \"127.0.0.1:8810\"");
            self.source.wrong("webhook.listen", &message)
        })?;
        let file = self.required("webhook.access_key_file", access_key_file.as_deref())?;
        Ok(Some(Webhook {
            listen,
            public_url: public_url
                .as_deref()
                .map(|url| self.public_url(url))
                .transpose()?,
            header: header.as_deref().map(|name| self.header(name)).transpose()?,
            access_key_file: self.file("webhook.access_key_file", file)?,
            access_key_at: self.source.place("webhook.access_key_file"),
        }))
    }

    /// The receiver and the figures do not listen at one place: the second one could not start.
    pub(super) fn ports_are_apart(
        &self,
        webhook: Option<&Webhook>,
        metrics: Option<SocketAddr>,
    ) -> Result<(), ConfigError> {
        let (Some(webhook), Some(metrics)) = (webhook, metrics) else {
            return Ok(());
        };
        let receiver = webhook.listen;
        let is_everywhere = receiver.ip().is_unspecified() || metrics.ip().is_unspecified();
        let is_same_place =
            receiver.ip() == metrics.ip() || (is_everywhere && receiver.is_ipv4() == metrics.is_ipv4());
        // Any free port is asked for by 0.
        if metrics.port() == 0 || receiver.port() != metrics.port() || !is_same_place {
            return Ok(());
        }
        let message = format!("`{metrics}` is where `webhook.listen` is; expected another port");
        Err(self.source.wrong("metrics.listen", &message))
    }

    fn public_url(&self, text: &str) -> Result<String, ConfigError> {
        let wrong = |why: &str| {
            let message = format!("`{text}` {why}; expected https://HOST/PATH, as the service sees it");
            self.source.wrong("webhook.public_url", &message)
        };
        let url = Url::parse(text.trim()).map_err(|error| wrong(&format!("is no URL ({error})")))?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(wrong("is neither https nor http"));
        }
        if url.query().is_some() || url.fragment().is_some() {
            return Err(wrong("has a query or a fragment"));
        }
        Ok(url.as_str().trim_end_matches('/').to_owned())
    }

    fn header(&self, text: &str) -> Result<String, ConfigError> {
        let name = text.trim().to_ascii_lowercase();
        HeaderName::try_from(name.as_str()).map_err(|_no_name| {
            let message = format!("`{text}` is no name of a header; expected one such as \"X-Access-Key\"");
            self.source.wrong("webhook.header", &message)
        })?;
        Ok(name)
    }
}
