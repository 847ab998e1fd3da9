//! The config: the file as written, then the checked config that the program works with. The only reader of the
//! environment, and the one place of every default.

use std::path::PathBuf;
use std::time::Duration;

use jiff::civil::Date;
use jiff::tz::TimeZone;

use crate::check::ProvinceWhenBlank;
use crate::money::Money;
use crate::service::Settings;

/// A checked config: every path is absolute, every secret is read.
#[derive(Clone, Debug)]
pub struct Config {
    /// The file it was read from.
    pub path: PathBuf,
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
}

/// `[account.NAME]`
#[derive(Clone, Debug)]
pub struct Account {
    /// NAME
    pub name: String,
    /// What its client needs.
    pub service: Settings,
    /// `quote_reuse`
    pub quote_reuse: Duration,
    /// `absent_after`
    pub absent_after: Duration,
    /// `absent_after_unproven`
    pub absent_after_unproven: Duration,
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
    /// `not_before`
    pub not_before: Option<Date>,
    /// `approval = "required"`
    pub approval_required: bool,
    /// `max_order_total`
    pub max_order_total: Option<Money>,
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
    /// A key is unknown, or a value is wrong: file, line, key, what was expected.
    #[error("{path}{}: {message}", .line.map(|l| format!(":{l}")).unwrap_or_default())]
    Wrong {
        /// The file.
        path: PathBuf,
        /// The line, counted from 1.
        line: Option<usize>,
        /// Key, what is wrong, and what was expected.
        message: String,
    },
}

/// Reads and checks the config: `given` (`--config`), else `$DROPSHEET_CONFIG`, `./dropsheet.toml`, the XDG config
/// folder, `/etc/dropsheet/dropsheet.toml`.
pub fn load(_given: Option<&std::path::Path>) -> Result<Config, ConfigError> {
    todo!()
}
