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

/// Sends a mail to all of its addresses, once. A server that refuses one of them takes it for none: then each gets its own,
/// and it is sent where any was taken.
pub(super) async fn send(mail: &Mail, subject: &str, body: &str) -> Result<(), NotifyError> {
    let refused = match send_to(mail, &mail.to, (subject, body)).await {
        Err(error @ NotifyError::Smtp { .. }) if mail.to.len() > 1 && is_refused(&error) => error,
        ended => return ended,
    };
    let mut taken = false;
    for (place, to) in (1..).zip(&mail.to) {
        match send_to(mail, std::slice::from_ref(to), (subject, body)).await {
            Ok(()) => taken = true,
            Err(error) => {
                let error = crate::causes::chain(&error);
                tracing::warn!("address {place} of `notify.mail_to` gets no mail: {error}");
            }
        }
    }
    if taken { Ok(()) } else { Err(refused) }
}

/// Whether the server has said that it will not take the mail, however often it is asked.
fn is_refused(error: &NotifyError) -> bool {
    matches!(error, NotifyError::Smtp { source, .. } if source.is_permanent())
}

async fn send_to(mail: &Mail, to: &[String], (subject, body): (&str, &str)) -> Result<(), NotifyError> {
    let message = message(mail, to, (subject, body))?;
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

fn message(mail: &Mail, to: &[String], (subject, body): (&str, &str)) -> Result<Message, NotifyError> {
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
    for to in to {
        message = message.to(mailbox(to)?);
    }
    message
        .body(body.to_owned())
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
