//! Mail over SMTP, and a greeting that tries the server without sending any.

use std::time::Duration;

use lettre::message::header::ContentType;
use lettre::message::{Mailbox, Message};
use lettre::transport::smtp::Error;
use lettre::transport::smtp::authentication::Credentials;
use lettre::{AsyncSmtpTransport, AsyncTransport, Tokio1Executor};
use secrecy::ExposeSecret;

use super::NotifyError;
use crate::config::{Mail, Security};

/// For a command of the conversation with the server.
const TIMEOUT: Duration = Duration::from_secs(20);

/// For the whole of it: the library waits for a server's greeting without end.
const LIMIT: Duration = Duration::from_mins(1);

/// Sends a mail, once.
pub(super) async fn send(mail: &Mail, subject: &str, body: String) -> Result<(), NotifyError> {
    let message = message(mail, subject, body)?;
    let transport = transport(mail)?;
    within(&mail.host, transport.send(message)).await.map(drop)
}

/// What a conversation with the server comes to, in its time.
async fn within<T>(host: &str, talk: impl Future<Output = Result<T, Error>>) -> Result<T, NotifyError> {
    match tokio::time::timeout(LIMIT, talk).await {
        Ok(ended) => ended.map_err(|source| NotifyError::Smtp {
            host: host.to_owned(),
            source,
        }),
        Err(_elapsed) => Err(NotifyError::Silent {
            host: host.to_owned(),
            limit: LIMIT,
        }),
    }
}

/// Connects, greets and logs in, and sends nothing: whether the server would take a mail.
///
/// # Errors
/// As for a mail.
pub async fn greet(mail: &Mail) -> Result<bool, NotifyError> {
    let transport = transport(mail)?;
    within(&mail.host, transport.test_connection()).await
}

fn message(mail: &Mail, subject: &str, body: String) -> Result<Message, NotifyError> {
    let mailbox = |address: &str| {
        address
            .parse::<Mailbox>()
            .map_err(|error| NotifyError::Mail(error.into()))
    };
    let mut message = Message::builder()
        .from(mailbox(&mail.from)?)
        .message_id(None)
        .subject(subject)
        .header(ContentType::TEXT_PLAIN);
    for to in &mail.to {
        message = message.to(mailbox(to)?);
    }
    message
        .body(body)
        .map_err(|error| NotifyError::Mail(error.into()))
}

fn transport(mail: &Mail) -> Result<AsyncSmtpTransport<Tokio1Executor>, NotifyError> {
    type Transport = AsyncSmtpTransport<Tokio1Executor>;
    let failed = |source| NotifyError::Smtp {
        host: mail.host.clone(),
        source,
    };
    let mut builder = match mail.security {
        Security::Tls => Transport::relay(&mail.host).map_err(failed)?,
        Security::StartTls => Transport::starttls_relay(&mail.host).map_err(failed)?,
        Security::Plain => Transport::builder_dangerous(&mail.host),
    };
    if let Some(port) = mail.port {
        builder = builder.port(port);
    }
    if let Some((user, password)) = mail.login()? {
        builder = builder.credentials(Credentials::new(user, password.expose_secret().to_owned()));
    }
    Ok(builder.timeout(Some(TIMEOUT)).build())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_server_that_takes_a_connection_and_says_nothing_is_given_up() {
        let said = within::<()>("mail.example.com", std::future::pending()).await;
        assert!(matches!(said, Err(NotifyError::Silent { .. })), "{said:?}");
    }
}
