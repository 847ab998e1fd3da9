//! The config file as it is written: every key, its type and its default. The schema, `config --defaults` and the
//! check for misspelt keys all come from here.
//!
//! The doc comments are the descriptions in `schema/config.schema.json`.

use std::collections::BTreeMap;
use std::time::Duration;

use jiff::civil::Date;
use jiff::tz::TimeZone;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::audit::Audit;
use super::values::{Bytes, Keep, NOT_ZERO, Written, word};
use crate::money::Money;
use crate::order::profile::written::Written as Profile;
use crate::service::RateLimit;
use crate::sheet::MOST_ROWS;

/// The least and the most that a key takes which holds a whole number; with dots: `account.main.max_in_flight`.
pub(super) fn range(key: &str) -> Option<(u64, u64)> {
    let last = key.rsplit('.').next().unwrap_or(key);
    match last {
        "max_in_flight" if key == "preflight.max_in_flight" => Some((1, 64)),
        "max_in_flight" => Some((1, 1024)),
        "max_orders_per_sheet" => Some((1, u64::MAX)),
        "max_rows" => Some((1, MOST_ROWS.into())),
        _ => None,
    }
}

/// The most characters of an `order_prefix`: of an `order_id` with it, one at least has to be the order's own.
pub(super) const PREFIX_CHARS: usize = 63;

/// The config of dropsheet. Relative paths start at its own folder.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
#[schemars(title = "dropsheet.toml")]
pub(super) struct Raw {
    /// The accounts at the print service, by a name of your own.
    pub(super) account: BTreeMap<String, Account>,
    /// The inboxes, by a name of your own.
    pub(super) inbox: BTreeMap<String, Inbox>,
    /// Where dropsheet remembers what it has sent.
    pub(super) ledger: Ledger,
    /// The cached catalog.
    pub(super) catalog: Catalog,
    /// The zone of file names, days, months and shown times; the machine's where it is not set.
    pub(super) zone: Option<Written<TimeZone>>,
    /// How long copies of sheets are kept.
    pub(super) keep: Keeping,
    /// The receiver of the service's notifications.
    pub(super) webhook: super::webhook::Raw,
    /// Mail or a command when a sheet needs a person.
    pub(super) notify: super::notify::Raw,
    /// Figures for Prometheus.
    pub(super) metrics: Metrics,
    /// Checks of artwork before it is ordered.
    pub(super) preflight: super::preflight::Raw,
    /// Cost workbooks that are written by themselves.
    pub(super) report: Report,
    /// How the exports of shops are read that no built-in profile knows.
    pub(super) profile: BTreeMap<String, Profile>,
}

/// An account at the print service.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Account {
    /// Where the service is: https, or http on a loopback address only.
    #[schemars(required, example = &"https://api.example.com")]
    pub(super) base_url: Option<String>,
    /// The account's e-mail.
    #[schemars(required, example = &"shop@example.com")]
    pub(super) email: Option<String>,
    /// A file that holds the password and nothing else.
    pub(super) password_file: Option<String>,
    /// The name of an environment variable that holds the password.
    pub(super) password_env: Option<String>,
    /// Most requests under way at once; fewer when the service pushes back.
    #[schemars(range(min = 1, max = 1024))]
    pub(super) max_in_flight: u64,
    /// A ceiling on requests, in the service's own words.
    pub(super) rate_limit: Option<Written<RateLimit>>,
    /// How long one request may take.
    #[schemars(extend("pattern" = NOT_ZERO))]
    pub(super) timeout: Written<Duration>,
    /// Equal price requests within this time are asked once; "0s" asks every time.
    pub(super) quote_reuse: Written<Duration>,
    /// How long an unanswered create must stay absent from the service's order list before absence counts.
    pub(super) absent_after: Written<Duration>,
    /// The same, where nothing shows that the list is live.
    pub(super) absent_after_unproven: Written<Duration>,
    /// How long one pass (`run --once`, `import`) asks after orders without an answer, and waits for a service that is
    /// away, before it leaves them to the next. A daemon goes on until it knows.
    pub(super) settle_for: Written<Duration>,
    /// When an order whose create had no answer is counted at the service again, to find one that was made twice.
    pub(super) audit: Audit,
    /// Whether an order that is ruled out after an unanswered create is sent once more or waits for a person.
    #[serde(deserialize_with = "word")]
    pub(super) resend: Resend,
    /// How GET parameters travel: in a body, in the query, or both.
    #[serde(deserialize_with = "word")]
    pub(super) get_params: GetParams,
    /// How far back a new ledger reads the service's order list before its first create.
    pub(super) history: Written<Duration>,
    /// How often states, totals and trackings are read.
    #[schemars(extend("pattern" = NOT_ZERO))]
    pub(super) sync: Written<Duration>,
    /// A label for amounts; the interface states none.
    pub(super) currency: Option<String>,
}

impl Default for Account {
    fn default() -> Self {
        Self {
            base_url: None,
            email: None,
            password_file: None,
            password_env: None,
            max_in_flight: 16,
            rate_limit: None,
            timeout: Written::default_of("30s", Duration::from_secs(30)),
            quote_reuse: Written::default_of("10m", Duration::from_mins(10)),
            absent_after: Written::default_of("15m", Duration::from_mins(15)),
            absent_after_unproven: Written::default_of("24h", Duration::from_hours(24)),
            settle_for: Written::default_of("20s", Duration::from_secs(20)),
            audit: Audit::default(),
            resend: Resend::WhenAbsent,
            get_params: GetParams::Both,
            history: Written::default_of("90d", Duration::from_hours(90 * 24)),
            sync: Written::default_of("1h", Duration::from_hours(1)),
            currency: None,
        }
    }
}

/// `resend`
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Resend {
    WhenAbsent,
    Never,
}

/// `get_params`
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum GetParams {
    Body,
    Query,
    Both,
}

/// A folder that sheets are dropped into.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Inbox {
    /// The folder that holds `inbox/`, `results/` and the others.
    #[schemars(required, example = &"orders")]
    pub(super) path: Option<String>,
    /// The account that orders go to; the only one where it is not set.
    pub(super) account: Option<String>,
    /// Put before every `order_id` sent: two shops that share an account and a number range need one.
    #[schemars(length(max = 63))]
    pub(super) order_prefix: String,
    /// How its sheets are read: "auto" knows each by its header; or "native", a built-in profile (shopify, etsy,
    /// woocommerce, amazon, ebay, tiktok) or one of your own.
    pub(super) profile: String,
    /// A sheet of the shop's own SKUs: sku, `item_sku` (`not-printed-here` skips a line), artwork, location. It is
    /// extended when a SKU-map sheet is dropped.
    pub(super) sku_map: Option<String>,
    /// Shop orders older than this date are skipped.
    pub(super) not_before: Option<Written<Date>>,
    /// "required" holds every order until a person approves.
    #[serde(deserialize_with = "word")]
    pub(super) approval: Approval,
    /// An order whose quote passes it is held.
    pub(super) max_order_total: Option<Written<Money>>,
    /// A sheet with more orders is held.
    #[schemars(range(min = 1))]
    pub(super) max_orders_per_sheet: Option<u64>,
    /// What passes this amount in one day of `zone` is held.
    pub(super) daily_limit: Option<Written<Money>>,
    /// Whether an order quoted at zero is held or sent.
    #[serde(deserialize_with = "word")]
    pub(super) zero_quote: ZeroQuote,
    /// What to send, as name and code, where an address has no province: "city" or a text; an error where not set.
    pub(super) province_when_blank: Option<String>,
    /// How long a file must be unchanged before it is taken; at least 30 s on a network mount.
    pub(super) stable_for: Written<Duration>,
    /// How often the whole folder is looked at, whatever the watcher said.
    #[schemars(extend("pattern" = NOT_ZERO))]
    pub(super) look: Written<Duration>,
    /// The kind of result: a workbook, the kind that came under the ending that came, or separated text as .csv, with points
    /// in its amounts, which a spreadsheet of a country with decimal commas reads wrongly.
    #[serde(deserialize_with = "word")]
    pub(super) result_format: ResultFormat,
    /// A larger sheet is rejected.
    pub(super) max_bytes: Written<Bytes>,
    /// A sheet with more rows below its header is rejected.
    #[schemars(range(min = 1, max = MOST_ROWS))]
    pub(super) max_rows: u64,
}

impl Default for Inbox {
    fn default() -> Self {
        Self {
            path: None,
            account: None,
            order_prefix: String::new(),
            profile: "auto".to_owned(),
            sku_map: None,
            not_before: None,
            approval: Approval::Automatic,
            max_order_total: None,
            max_orders_per_sheet: None,
            daily_limit: None,
            zero_quote: ZeroQuote::Hold,
            province_when_blank: None,
            stable_for: Written::default_of("5s", Duration::from_secs(5)),
            look: Written::default_of("30s", Duration::from_secs(30)),
            result_format: ResultFormat::Xlsx,
            max_bytes: Written::default_of("256 MiB", Bytes(256 << 20)),
            max_rows: MOST_ROWS.into(),
        }
    }
}

/// `approval`
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum Approval {
    Automatic,
    Required,
}

/// `zero_quote`
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum ZeroQuote {
    Hold,
    Send,
}

/// `result_format`
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum ResultFormat {
    Xlsx,
    Same,
    Csv,
}

/// Where dropsheet remembers what it has sent.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Ledger {
    /// An SQLite file, on a local disk; of /etc/dropsheet/dropsheet.toml it is /var/lib/dropsheet/ledger.db.
    pub(super) path: String,
}

impl Default for Ledger {
    fn default() -> Self {
        Self {
            path: "ledger.db".to_owned(),
        }
    }
}

/// The cached catalog.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Catalog {
    /// An older one is refreshed first; when the service is away, it serves and says so.
    pub(super) max_age: Written<Duration>,
}

impl Default for Catalog {
    fn default() -> Self {
        Self {
            max_age: Written::default_of("24h", Duration::from_hours(24)),
        }
    }
}

/// How long copies of sheets are kept.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Keeping {
    /// dropsheet's own copies of the sheets that it took.
    #[schemars(extend("pattern" = "[1-9]|ever"))]
    pub(super) spool: Written<Keep>,
    /// The originals in `done/`.
    pub(super) done: Written<Keep>,
}

impl Default for Keeping {
    fn default() -> Self {
        Self {
            spool: Written::default_of("90d", Keep(Some(Duration::from_hours(90 * 24)))),
            done: Written::default_of("for ever", Keep(None)),
        }
    }
}

/// Figures for Prometheus; off where nothing is set.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Metrics {
    /// The address and port to listen at, such as "127.0.0.1:9108"; there is no login: keep it from strangers.
    pub(super) listen: Option<String>,
}

/// Cost workbooks that are written by themselves.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Report {
    /// Whether `run` writes last month's costs into results/, once, on or after the 1st in `zone`.
    pub(super) monthly: bool,
}
