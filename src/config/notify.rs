//! `[notify]`: who is told when something needs a person, by mail or by a command.

use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use reqwest::Url;
use schemars::JsonSchema;
use secrecy::SecretString;
use serde::{Deserialize, Serialize};

use super::ConfigError;
use super::checked::Checking;
use super::secret::Password;
use super::source::Place;
use super::values::Written;

/// The name under which systemd's credential is found: `notify.password`.
const CREDENTIAL: &str = "notify";

/// Mail or a command when a sheet needs a person; off where neither is set.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Raw {
    /// Who gets the mail.
    pub(super) mail_to: Vec<String>,
    /// Who the mail is from; the first of `mail_to` where it is not set.
    pub(super) mail_from: Option<String>,
    /// The mail server: `smtps://HOST` (TLS), or `smtp://HOST` (STARTTLS; without on a loopback address).
    pub(super) smtp: Option<String>,
    /// The user at the mail server; none logs in as nobody.
    pub(super) smtp_user: Option<String>,
    /// A file that holds the user's password and nothing else.
    pub(super) smtp_password_file: Option<String>,
    /// The name of an environment variable that holds it.
    pub(super) smtp_password_env: Option<String>,
    /// A program and its arguments: it gets what is to be told as JSON on its standard input.
    pub(super) command: Vec<String>,
    /// What goes on for so long is told again.
    pub(super) repeat: Written<Duration>,
}

impl Default for Raw {
    fn default() -> Self {
        Self {
            mail_to: Vec::new(),
            mail_from: None,
            smtp: None,
            smtp_user: None,
            smtp_password_file: None,
            smtp_password_env: None,
            command: Vec::new(),
            repeat: Written::default_of("7d", Duration::from_hours(7 * 24)),
        }
    }
}

/// `[notify]`, where it tells anybody.
#[derive(Clone, Debug)]
pub struct Notify {
    /// By mail.
    pub mail: Option<Mail>,
    /// By a program.
    pub command: Option<Program>,
    /// `repeat`
    pub repeat: Duration,
    /// The service manager's folder for what a running program keeps, where there is one.
    pub runtime: Option<PathBuf>,
}

/// A program that is told.
#[derive(Clone, Debug)]
pub struct Program {
    /// Its path, or its name in PATH.
    pub name: String,
    /// What it is given.
    pub arguments: Vec<String>,
    /// The environment variables that hold passwords of this config: it runs without them, for it needs none.
    pub hidden: Vec<String>,
}

/// Mail over SMTP.
#[derive(Clone, Debug)]
pub struct Mail {
    /// `mail_to`
    pub to: Vec<String>,
    /// `mail_from`
    pub from: String,
    /// The server's host.
    pub host: String,
    /// Its port, where it is not the usual one.
    pub port: Option<u16>,
    /// How the connection is kept from being read.
    pub security: Security,
    user: Option<(String, Password, Place)>,
}

/// How a connection to a mail server is kept from being read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Security {
    /// TLS from the first byte (port 465).
    Tls,
    /// TLS is asked for and required (port 587).
    StartTls,
    /// None: a server on this machine (port 25).
    Plain,
}

impl Mail {
    /// The user and the password, where the server wants one; reads the password.
    ///
    /// # Errors
    /// [`ConfigError::Wrong`] where there is none.
    pub fn login(&self) -> Result<Option<(String, SecretString)>, ConfigError> {
        let Some((user, password, at)) = &self.user else {
            return Ok(None);
        };
        let password = password
            .read(CREDENTIAL)
            .map_err(|reason| at.wrong(&reason.to_string()))?;
        Ok(Some((user.clone(), password)))
    }
}

impl Notify {
    /// Refuses what certainly tells nobody: a user at the mail server without a password. Not asked for by commands that
    /// tell nothing: only what runs under systemd sees its credentials.
    ///
    /// # Errors
    /// [`ConfigError::Wrong`] where that is so.
    pub fn refuse_without_password(&self) -> Result<(), ConfigError> {
        let user = self
            .mail
            .as_ref()
            .and_then(|mail| Some((mail, mail.user.as_ref()?)));
        match user {
            Some((mail, (_user, password, _at))) if password.is_missing() => mail.login().map(drop),
            Some(_) | None => Ok(()),
        }
    }
}

impl Checking<'_> {
    pub(super) fn notify(&self, raw: &Raw) -> Result<Option<Notify>, ConfigError> {
        let command = self.command(raw)?;
        let mail = self.mail(raw)?;
        if mail.is_none() && command.is_none() {
            return Ok(None);
        }
        self.not_zero("notify.repeat", raw.repeat.value)?;
        Ok(Some(Notify {
            mail,
            command,
            repeat: raw.repeat.value,
            // systemd separates several by colons.
            runtime: self
                .environment
                .variable("RUNTIME_DIRECTORY")
                .and_then(|folders| folders.split(':').next())
                .map(PathBuf::from),
        }))
    }

    /// The program and what it is given. One that is named with a folder is a path as every other in the config; any
    /// other name is looked up in PATH when it is run.
    fn command(&self, raw: &Raw) -> Result<Option<Program>, ConfigError> {
        let Some((program, arguments)) = raw.command.split_first() else {
            return Ok(None);
        };
        if program.trim().is_empty() {
            return Err(self.source.wrong(
                "notify.command",
                "its program is empty; expected [\"/path/to/program\"]",
            ));
        }
        let name = if program.contains('/') {
            let path = self.file("notify.command", program)?;
            path.to_string_lossy().into_owned()
        } else {
            program.clone()
        };
        Ok(Some(Program {
            name,
            arguments: arguments.to_vec(),
            hidden: self.source.password_variables(),
        }))
    }

    fn mail(&self, raw: &Raw) -> Result<Option<Mail>, ConfigError> {
        let (first, smtp) = match (raw.mail_to.first(), &raw.smtp) {
            (None, None) => return Ok(None),
            (Some(first), Some(smtp)) => (first, smtp),
            (Some(_), None) => {
                let message = "missing; expected the mail server, such as \"smtps://mail.example.com\"";
                return Err(self.source.wrong("notify.smtp", message));
            }
            (None, Some(_)) => {
                let message = "missing; expected who gets the mail, such as [\"ops@example.com\"]";
                return Err(self.source.wrong("notify.mail_to", message));
            }
        };
        let from = raw.mail_from.as_ref().unwrap_or(first);
        for (key, address) in raw
            .mail_to
            .iter()
            .map(|to| ("notify.mail_to", to))
            .chain([("notify.mail_from", from)])
        {
            if address.parse::<lettre::message::Mailbox>().is_err() {
                let message =
                    format!("`{address}` is no e-mail address; expected one such as \"ops@example.com\"");
                return Err(self.source.wrong(key, &message));
            }
        }
        let (host, port, security) = self.server(smtp)?;
        Ok(Some(Mail {
            to: raw.mail_to.clone(),
            from: from.clone(),
            host,
            port,
            security,
            user: self.user(raw)?,
        }))
    }

    fn server(&self, smtp: &str) -> Result<(String, Option<u16>, Security), ConfigError> {
        let wrong = |why: &str| {
            let message = format!(
                "`{smtp}` {why}; expected smtps://HOST or smtp://HOST, with a port where it is another"
            );
            self.source.wrong("notify.smtp", &message)
        };
        let url = Url::parse(smtp).map_err(|error| wrong(&format!("is no URL ({error})")))?;
        let host = url
            .host_str()
            .filter(|host| !host.is_empty())
            .ok_or_else(|| wrong("names no host"))?;
        let host = host.trim_start_matches('[').trim_end_matches(']');
        let loopback =
            host == "localhost" || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback());
        let security = match url.scheme() {
            "smtps" => Security::Tls,
            "smtp" if loopback => Security::Plain,
            "smtp" => Security::StartTls,
            _ => return Err(wrong("is neither smtps nor smtp")),
        };
        if !url.username().is_empty() || url.password().is_some() {
            let message = "has a user name or password in it; use smtp_user and smtp_password_file";
            return Err(self.source.wrong("notify.smtp", message));
        }
        Ok((host.to_owned(), url.port(), security))
    }

    fn user(&self, raw: &Raw) -> Result<Option<(String, Password, Place)>, ConfigError> {
        let ways = (&raw.smtp_password_file, &raw.smtp_password_env);
        let Some(user) = &raw.smtp_user else {
            return match ways {
                (None, None) => Ok(None),
                _ => Err(self
                    .source
                    .wrong("notify.smtp_user", "missing; expected the user of the password")),
            };
        };
        let password = match ways {
            (Some(_), Some(_)) => {
                let message = "both smtp_password_file and smtp_password_env are set; expected one of them";
                return Err(self.source.wrong("notify.smtp_password_env", message));
            }
            (Some(file), None) => Password::File(self.file("notify.smtp_password_file", file)?),
            (None, Some(variable)) => {
                let value = self.environment.variable(variable).map(Into::into);
                Password::Variable(variable.clone(), value)
            }
            (None, None) => self
                .environment
                .variable("CREDENTIALS_DIRECTORY")
                .map(|folder| Path::new(folder).join(format!("{CREDENTIAL}.password")))
                .filter(|file| file.exists())
                .map_or(Password::Nowhere("smtp_"), Password::File),
        };
        let key = match ways {
            (Some(_), _) => "notify.smtp_password_file",
            (None, Some(_)) => "notify.smtp_password_env",
            (None, None) => "notify.smtp_user",
        };
        Ok(Some((user.clone(), password, self.source.place(key))))
    }
}

#[cfg(test)]
mod tests {
    use super::super::environment::Environment;
    use super::super::{Config, ConfigError, read};
    use super::*;

    fn config(notify: &str) -> Result<Config, ConfigError> {
        let text = format!(
            "[account.main]\nbase_url = \"https://api.example.com\"\nemail = \"shop@example.com\"\n\n{notify}"
        );
        let folder = Path::new("/srv/shop");
        read(
            &folder.join("dropsheet.toml"),
            &text,
            &Environment::of_test(folder, &[("MAIL_PASSWORD", "hush")]),
        )
    }

    #[test]
    fn a_server_on_this_machine_needs_no_tls_and_another_does() {
        for (smtp, security, port) in [
            ("smtps://mail.example.com", Security::Tls, None),
            ("smtp://mail.example.com:2525", Security::StartTls, Some(2525)),
            ("smtp://127.0.0.1:1025", Security::Plain, Some(1025)),
            ("smtp://[::1]", Security::Plain, None),
        ] {
            let text = format!("[notify]\nmail_to = [\"ops@example.com\"]\nsmtp = \"{smtp}\"\n");
            let mail = config(&text).unwrap().notify.unwrap().mail.unwrap();
            assert_eq!((mail.security, mail.port), (security, port), "{smtp}");
            assert_eq!(mail.from, "ops@example.com");
            assert!(mail.login().unwrap().is_none());
        }
    }

    #[test]
    fn what_tells_nobody_is_off_and_what_is_half_told_is_an_error() {
        assert!(config("").unwrap().notify.is_none());
        assert!(config("[notify]\nrepeat = \"1d\"\n").unwrap().notify.is_none());
        for (text, expected) in [
            ("mail_to = [\"ops@example.com\"]", "`notify.smtp`: missing"),
            ("smtp = \"smtps://mail.example.com\"", "`notify.mail_to`: missing"),
            (
                "mail_to = [\"ops\"]\nsmtp = \"smtps://m\"",
                "`ops` is no e-mail address",
            ),
            (
                "mail_to = [\"a@example.com\"]\nsmtp = \"mail.example.com\"",
                "expected smtps://HOST",
            ),
            ("mail_to = \"ops@example.com\"", "expected a list such as [\"…\"]"),
            ("command = \"tell\"", "expected a list such as [\"/bin/tell\"]"),
            ("mailto = []", "did you mean `mail_to`?"),
            (
                "mail_to = [\"a@example.com\"]\nsmtp = \"smtps://m\"\nsmtp_password_env = \"X\"",
                "`notify.smtp_user`: missing",
            ),
            ("command = [\"\"]", "its program is empty"),
        ] {
            let error = config(&format!("[notify]\n{text}\n")).unwrap_err().to_string();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }

    #[test]
    fn a_program_that_is_named_with_a_folder_starts_at_the_configs_own() {
        for (written, meant) in [
            ("./tell.sh", "/srv/shop/tell.sh"),
            ("bin/tell", "/srv/shop/bin/tell"),
            ("/usr/bin/tell", "/usr/bin/tell"),
            ("tell", "tell"),
        ] {
            let notify = config(&format!("[notify]\ncommand = [\"{written}\", \"./as it is\"]\n"));
            let program = notify.unwrap().notify.unwrap().command.unwrap();
            assert_eq!(
                (program.name.as_str(), &program.arguments[..]),
                (meant, &["./as it is".to_owned()][..])
            );
        }
    }

    #[test]
    fn a_program_is_not_shown_the_passwords_of_accounts_and_mail() {
        let text = "command = [\"tell\"]\nsmtp_password_env = \"MAIL_PASSWORD\"\nsmtp_user = \"ops\"\n\
                    mail_to = [\"a@example.com\"]\nsmtp = \"smtps://m\"\n\
                    [account.other]\nbase_url = \"https://api.example.com\"\nemail = \"b@example.com\"\n\
                    password_env = \"OTHER_PASSWORD\"\n";
        let notify = config(&format!("[notify]\n{text}")).unwrap().notify;
        let hidden = notify.unwrap().command.unwrap().hidden;
        assert_eq!(hidden, ["OTHER_PASSWORD", "MAIL_PASSWORD"]);
    }

    #[test]
    fn the_password_is_read_when_it_is_needed() {
        let text = |variable: &str| {
            format!(
                "[notify]\nmail_to = [\"a@example.com\"]\nsmtp = \"smtps://m\"\nsmtp_user = \"ops\"\n\
                 smtp_password_env = \"{variable}\"\n"
            )
        };
        let login = |variable| {
            config(&text(variable))
                .unwrap()
                .notify
                .unwrap()
                .mail
                .unwrap()
                .login()
        };
        assert_eq!(login("MAIL_PASSWORD").unwrap().unwrap().0, "ops");
        assert!(login("OTHER").unwrap_err().to_string().contains("OTHER"));
    }

    #[test]
    fn a_mail_user_without_a_password_is_refused_before_work_with_the_keys_to_set() {
        let mail = "mail_to = [\"a@example.com\"]\nsmtp = \"smtps://m\"\n";
        let refused = |keys: &str| {
            let config = config(&format!("[notify]\n{mail}{keys}\n")).unwrap();
            let refused = config.notify.unwrap().refuse_without_password();
            refused.err().map(|error| error.to_string())
        };
        let said = refused("smtp_user = \"ops\"").unwrap();
        assert!(
            said.contains(
                "`notify.smtp_user`: no password: set smtp_password_file = \"FILE\" or smtp_password_env = \"NAME\", or \
                 let systemd load the credential `notify.password`"
            ),
            "{said}"
        );
        assert!(refused("smtp_user = \"ops\"\nsmtp_password_env = \"OTHER\"").is_some());
        for keys in [
            "",
            "smtp_user = \"ops\"\nsmtp_password_env = \"MAIL_PASSWORD\"",
            // It may come to be there.
            "smtp_user = \"ops\"\nsmtp_password_file = \"later\"",
        ] {
            assert_eq!(refused(keys), None, "{keys}");
        }
    }
}
