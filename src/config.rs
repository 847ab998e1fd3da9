//! The config: the file as written, then the checked config that the program works with. Below the commands the only
//! reader of the environment, and the one place of every default.

mod audit;
mod checked;
mod defaults;
mod environment;
pub(crate) mod nearest;
mod notify;
mod overlap;
mod own_files;
mod preflight;
mod profile;
mod raw;
mod secret;
mod source;
#[cfg(test)]
mod tests;
mod values;
mod webhook;

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::check::ProvinceWhenBlank;
use crate::clock::Clock;
use crate::files;
use crate::money::Money;
use crate::order::Profiles;
use crate::quote::Daily;
use crate::service::{GetParams, RateLimit, Settings};
use jiff::civil::Date;
use jiff::tz::TimeZone;

pub use defaults::{defaults, schema, variables};
pub use notify::{Mail, Notify, Program, Security};
pub use preflight::Preflight;
pub use webhook::Webhook;

/// The config of the machine.
const SYSTEM_CONFIG: &str = "/etc/dropsheet/dropsheet.toml";
/// Its ledger, whoever runs it: two users of one config must never work with two ledgers.
const SYSTEM_LEDGER: &str = "/var/lib/dropsheet/ledger.db";

/// A checked config: every path is absolute. Passwords are read when a client is made, see [`Account::service`].
#[derive(Clone, Debug)]
pub struct Config {
    /// The file it was read from.
    pub path: PathBuf,
    /// The same for the same text, by which another one is known: SHA-256, as hexadecimal digits.
    pub fingerprint: String,
    /// By name, in the order of the file; never empty.
    pub accounts: Vec<Account>,
    /// By name, in the order of the file; may be empty (`import`, `check`).
    pub inboxes: Vec<Inbox>,
    /// `ledger.path`. The spool, `catalog.db` and the tokens lie in its folder.
    pub ledger: PathBuf,
    /// `catalog.max_age`
    pub catalog_max_age: Duration,
    /// `zone`
    pub zone: TimeZone,
    /// `keep.spool`; none keeps for ever.
    pub keep_spool: Option<Duration>,
    /// `keep.done`; none keeps for ever.
    pub keep_done: Option<Duration>,
    /// `[notify]`; none tells nobody.
    pub notify: Option<Notify>,
    /// `metrics.listen`
    pub metrics_listen: Option<std::net::SocketAddr>,
    /// `[preflight]`
    pub preflight: Preflight,
    /// `[webhook]`; none receives nothing.
    pub webhook: Option<Webhook>,
    /// `report.monthly`
    pub monthly_report: bool,
}

/// `[account.NAME]`
#[derive(Clone, Debug)]
pub struct Account {
    /// NAME
    pub name: String,
    /// `base_url`, without a slash at its end.
    pub base_url: String,
    /// `email`
    pub email: String,
    password: secret::Password,
    /// The key that names it, or the account.
    password_at: source::Place,
    /// `max_in_flight`
    pub max_in_flight: usize,
    /// `rate_limit`
    pub rate_limit: Option<RateLimit>,
    /// `timeout`
    pub timeout: Duration,
    /// `get_params`
    pub get_params: GetParams,
    /// Where its token is kept between runs: `tokens/NAME.json` beside the ledger.
    pub token_file: PathBuf,
    /// `quote_reuse`
    pub quote_reuse: Duration,
    /// `absent_after`
    pub absent_after: Duration,
    /// `absent_after_unproven`
    pub absent_after_unproven: Duration,
    /// `settle_for`
    pub settle_for: Duration,
    /// `audit`: the times after an order's latest create, the shortest first.
    pub audit: Vec<Duration>,
    /// `resend`
    pub resend: Resend,
    /// `history`
    pub history: Duration,
    /// `sync`
    pub sync: Duration,
    /// `currency`
    pub currency: Option<String>,
}

/// What happens to an order that is ruled out after an unanswered create.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resend {
    /// It is sent once more.
    WhenAbsent,
    /// It waits for a person.
    Never,
}

/// `[inbox.NAME]`
#[derive(Clone, Debug)]
pub struct Inbox {
    /// NAME
    pub name: String,
    /// The folder that holds `inbox/`, `results/` and the others.
    pub path: PathBuf,
    /// The account's name.
    pub account: String,
    /// `order_prefix`
    pub order_prefix: String,
    /// The profiles that its sheets may be read with, and the one that `profile` chooses.
    pub profiles: Profiles,
    /// `sku_map`
    pub sku_map: Option<PathBuf>,
    /// `not_before`
    pub not_before: Option<Date>,
    /// `approval = "required"`
    pub approval_required: bool,
    /// `max_order_total`
    pub max_order_total: Option<Money>,
    /// `max_orders_per_sheet`
    pub max_orders_per_sheet: Option<u64>,
    /// `daily_limit`
    pub daily_limit: Option<Money>,
    /// `zero_quote = "hold"`
    pub hold_zero: bool,
    /// `province_when_blank`
    pub province_when_blank: Option<ProvinceWhenBlank>,
    /// `stable_for`
    pub stable_for: Duration,
    /// `look`
    pub look: Duration,
    /// `result_format`
    pub result_format: ResultFormat,
    /// `max_bytes` and `max_rows`
    pub limits: crate::sheet::Limits,
}

impl Inbox {
    /// What may be sent in one day of a zone, where that is limited.
    pub fn daily(&self, zone: &TimeZone) -> Option<Daily> {
        self.daily_limit.map(|limit| Daily {
            limit,
            zone: zone.clone(),
        })
    }
}

/// `result_format`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResultFormat {
    /// A workbook.
    Xlsx,
    /// As the sheet came: a workbook for a workbook, separated text for separated text.
    Same,
    /// Separated text.
    Csv,
}

/// Why there is no config. Exit status 2.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// Nothing was found in any of the places.
    #[error("no config found; looked at {}; `dropsheet init` writes one here", .looked.iter().map(|p| p.display().to_string()).collect::<Vec<_>>().join(", "))]
    NotFound {
        /// The places, in order.
        looked: Vec<PathBuf>,
    },
    /// The file cannot be read.
    #[error("cannot read the config {path}")]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        source: std::io::Error,
    },
    /// A key is unknown, or a value or what it names is wrong: file, line, key, what was expected.
    #[error("{}{}: {message}", .path.display(), .line.map(|l| format!(":{l}")).unwrap_or_default())]
    Wrong {
        /// The file.
        path: PathBuf,
        /// The line, counted from 1; none where the key is missing or the environment set it.
        line: Option<usize>,
        /// Key, what is wrong, and what was expected.
        message: String,
    },
    /// The working folder is gone.
    #[error("cannot tell the working folder")]
    WorkingFolder(#[source] std::io::Error),
}

/// Reads and checks the config: `given` (`--config`), else `$DROPSHEET_CONFIG`, `./dropsheet.toml`, the XDG config
/// folder, `/etc/dropsheet/dropsheet.toml`. Asks for no password.
pub fn load(given: Option<&Path>) -> Result<Config, ConfigError> {
    let environment = environment::Environment::of_process().map_err(ConfigError::WorkingFolder)?;
    let (path, text) = find(
        environment.places(given),
        given.is_some() || environment.is_named(),
    )?;
    read(&path, &text, &environment)
}

/// The same from this file alone: nothing of the environment is put over it.
pub fn load_alone(path: &Path) -> Result<Config, ConfigError> {
    let environment = environment::Environment::of_nobody().map_err(ConfigError::WorkingFolder)?;
    let (path, text) = find(environment.places(Some(path)), true)?;
    read(&path, &text, &environment)
}

/// Where `$DROPSHEET_CONFIG` says that the config is, whether there is one or not; none where it says nothing.
///
/// # Errors
/// The working folder is gone.
pub fn named() -> Result<Option<PathBuf>, ConfigError> {
    let environment = environment::Environment::of_process().map_err(ConfigError::WorkingFolder)?;
    let mut places = environment.places(None);
    Ok(places.pop().filter(|_| environment.is_named()))
}

/// The first config in the places and its text. A place that was `named` has to have one.
fn find(places: Vec<PathBuf>, named: bool) -> Result<(PathBuf, String), ConfigError> {
    for path in &places {
        match text_of(path) {
            Ok(text) => return Ok((path.clone(), text)),
            Err(error) if !named && error.kind() == std::io::ErrorKind::NotFound && !is_link(path) => {}
            Err(source) => {
                return Err(ConfigError::Read {
                    path: path.clone(),
                    source,
                });
            }
        }
    }
    Err(ConfigError::NotFound { looked: places })
}

/// Whether a link stands at a place. One that leads nowhere is a config that is away, and no other is meant.
fn is_link(path: &Path) -> bool {
    std::fs::symlink_metadata(path).is_ok_and(|there| there.is_symlink())
}

/// The text of a regular file.
fn text_of(path: &Path) -> std::io::Result<String> {
    let bytes = files::read_regular(path)?;
    String::from_utf8(bytes).map_err(|error| std::io::Error::other(not_utf8(&error)))
}

/// Says where a text stops being UTF-8, and what to do.
fn not_utf8(error: &std::string::FromUtf8Error) -> String {
    let readable = error.utf8_error().valid_up_to();
    let before = error.as_bytes().iter().take(readable);
    let line = before.filter(|byte| **byte == b'\n').count() + 1;
    format!("line {line} is not UTF-8: save the file as UTF-8 text")
}

fn read(path: &Path, text: &str, environment: &environment::Environment) -> Result<Config, ConfigError> {
    // First without the environment, only to learn which of its variables are passwords.
    let passwords = source::Source::parse(path, text, &[])?.password_variables();
    let overrides = environment.overrides(&passwords);
    let source = source::Source::parse(path, text, &overrides)?;
    let raw = source.read()?;
    if let Some(message) = environment::misspelt(environment.names(), &source.password_variables()) {
        return Err(ConfigError::Wrong {
            path: path.to_owned(),
            line: None,
            message,
        });
    }
    checked::Checking {
        path,
        source: &source,
        environment,
    }
    .config(raw)
}

impl Config {
    /// The account with this name.
    pub fn account(&self, name: &str) -> Option<&Account> {
        self.accounts.iter().find(|account| account.name == name)
    }

    /// The inbox with this name.
    pub fn inbox(&self, name: &str) -> Option<&Inbox> {
        self.inboxes.iter().find(|inbox| inbox.name == name)
    }
}

impl Account {
    /// What the account's client needs, on a machine with these clocks; reads the password.
    ///
    /// # Errors
    /// [`ConfigError::Wrong`] where there is none.
    pub fn service(&self, clock: &Clock) -> Result<Settings, ConfigError> {
        Ok(Settings {
            base_url: self.base_url.clone(),
            email: self.email.clone(),
            password: self.password()?,
            max_in_flight: self.max_in_flight,
            rate_limit: self.rate_limit,
            timeout: self.timeout,
            get_params: self.get_params,
            token_file: Some(self.token_file.clone()),
            clock: clock.clone(),
        })
    }

    /// What to do where there is no password.
    pub fn password_remedy(&self) -> String {
        self.password.remedy()
    }

    /// The password as its place has it now.
    ///
    /// # Errors
    /// [`ConfigError::Wrong`] where there is none.
    pub fn password(&self) -> Result<secrecy::SecretString, ConfigError> {
        self.password
            .read(&self.name)
            .map_err(|reason| self.password_at.wrong(&reason.to_string()))
    }
}
