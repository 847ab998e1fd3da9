//! Mail over SMTP, and a conversation that tries the server without sending any.

use std::time::Duration;

use lettre::address::AddressError;
use lettre::message::header::ContentType;
use lettre::message::{Mailbox, Message};
use lettre::transport::smtp::authentication::{Credentials, DEFAULT_MECHANISMS};
use lettre::transport::smtp::client::{AsyncSmtpConnection, TlsParameters};
use lettre::transport::smtp::commands::{self, Rcpt};
use lettre::transport::smtp::extension::{ClientId, MailParameter};
use lettre::transport::smtp::{Error, SMTP_PORT, SUBMISSION_PORT, SUBMISSIONS_PORT};
use lettre::{Address, AsyncSmtpTransport, AsyncTransport, Tokio1Executor};
use secrecy::ExposeSecret;

use super::{Missed, NotifyError};
use crate::config::{Mail, Security};

/// For a command of the conversation with the server.
const TIMEOUT: Duration = Duration::from_secs(20);

/// For the whole of it: the library waits for a server's greeting without end.
const LIMIT: Duration = Duration::from_mins(1);

/// Sends a mail to all of its addresses, once. A server that refuses one of them takes it for none: then each gets its own,
/// and it is sent where any was taken. Gives the addresses that got none, and why.
pub(super) async fn send(mail: &Mail, subject: &str, body: &str) -> Result<Missed, NotifyError> {
    let refused = match send_to(mail, &mail.to, (subject, body)).await {
        Err(error @ NotifyError::Smtp { .. }) if mail.to.len() > 1 && is_refused(&error) => error,
        ended => return ended.map(|()| Missed::new()),
    };
    let mut missed = Missed::new();
    for (place, to) in (1..).zip(&mail.to) {
        match send_to(mail, std::slice::from_ref(to), (subject, body)).await {
            Ok(()) => {}
            Err(error) => {
                let error = crate::causes::chain(&error);
                tracing::warn!("address {place} of `notify.mail_to` gets no mail: {error}");
                missed.push((Some(to.clone()), error));
            }
        }
    }
    if missed.len() < mail.to.len() {
        Ok(missed)
    } else {
        Err(refused)
    }
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

/// What the server says to an address that it takes no mail for.
#[derive(Debug)]
pub struct NotTaken {
    /// The address.
    pub to: String,
    /// Why, in a line.
    pub why: String,
    /// It will not take mail for it, however often it is asked.
    pub is_refused: bool,
}

/// Connects, logs in and names who the mail would be from and to, and sends none: the addresses that the server would take
/// no mail for.
///
/// # Errors
/// As for a mail.
pub async fn try_out(mail: &Mail) -> Result<Vec<NotTaken>, NotifyError> {
    let address = |text: &str| text.parse::<Mailbox>().map(|mailbox| mailbox.email);
    let is_none = |error: AddressError| NotifyError::Mail(error.into());
    let from = address(&mail.from).map_err(is_none)?;
    let to: Result<Vec<Address>, AddressError> = mail.to.iter().map(|to| address(to)).collect();
    let (to, login) = (to.map_err(is_none)?, mail.login()?);
    let login = login.map(|(user, password)| Credentials::new(user, password.expose_secret().to_owned()));
    let refused = within(&mail.host, ask(mail, login, (from, to))).await?;
    let not_taken = refused.into_iter().map(|(to, error)| NotTaken {
        to,
        is_refused: error.is_permanent(),
        why: crate::causes::chain(&error),
    });
    Ok(not_taken.collect())
}

async fn ask(
    mail: &Mail,
    login: Option<Credentials>,
    (from, to): (Address, Vec<Address>),
) -> Result<Vec<(String, Error)>, Error> {
    let mut talk = talk_to(mail).await?;
    if let Some(login) = login {
        talk.auth(DEFAULT_MECHANISMS, &login).await?;
    }
    let is_ascii = |address: &Address| AsRef::<str>::as_ref(address).is_ascii();
    let mut parameters = Vec::new();
    if !(is_ascii(&from) && to.iter().all(is_ascii)) {
        parameters.push(MailParameter::SmtpUtfEight);
    }
    talk.command(commands::Mail::new(Some(from), parameters)).await?;
    let mut refused = Vec::new();
    for address in to {
        match talk.command(Rcpt::new(address.clone(), Vec::new())).await {
            Ok(_taken) => {}
            Err(error) if error.is_permanent() || error.is_transient() => {
                refused.push((address.to_string(), error));
            }
            Err(broken) => return Err(broken),
        }
    }
    // What was asked is answered, however it parts.
    drop(talk.quit().await);
    Ok(refused)
}

async fn talk_to(mail: &Mail) -> Result<AsyncSmtpConnection, Error> {
    let tls = || TlsParameters::new(mail.host.clone());
    let (port, tls_at_once) = match mail.security {
        Security::Tls => (SUBMISSIONS_PORT, Some(tls()?)),
        Security::StartTls => (SUBMISSION_PORT, None),
        Security::Plain => (SMTP_PORT, None),
    };
    let (server, hello) = (
        (mail.host.as_str(), mail.port.unwrap_or(port)),
        ClientId::default(),
    );
    let mut talk =
        AsyncSmtpConnection::connect_tokio1(server, Some(TIMEOUT), &hello, tls_at_once, None).await?;
    if mail.security == Security::StartTls {
        talk.starttls(tls()?, &hello).await?;
    }
    Ok(talk)
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
