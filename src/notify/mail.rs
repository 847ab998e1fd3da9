//! Mail over SMTP, and a greeting that tries the server without sending any.

use std::time::Duration;

use lettre::message::header::ContentType;
use lettre::message::{Mailbox, Message};
use lettre::transport::smtp::authentication::Credentials;
use lettre::{AsyncSmtpTransport, AsyncTransport, Tokio1Executor};
use secrecy::ExposeSecret;

use super::NotifyError;
use crate::config::{Mail, Security};

/// For a command of the conversation with the server.
const TIMEOUT: Duration = Duration::from_secs(30);

/// Sends a mail, once.
pub(super) async fn send(mail: &Mail, subject: &str, body: String) -> Result<(), NotifyError> {
    let message = message(mail, subject, body)?;
    let sent = transport(mail)?.send(message).await;
    sent.map(drop).map_err(|source| NotifyError::Smtp {
        host: mail.host.clone(),
        source,
    })
}

/// Connects, greets and logs in, and sends nothing: whether the server would take a mail.
///
/// # Errors
/// As for a mail.
pub async fn greet(mail: &Mail) -> Result<bool, NotifyError> {
    let greeted = transport(mail)?.test_connection().await;
    greeted.map_err(|source| NotifyError::Smtp {
        host: mail.host.clone(),
        source,
    })
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
