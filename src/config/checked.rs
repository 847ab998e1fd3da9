//! From the config as written to the checked one: paths made absolute, names resolved, impossible values refused.

use std::path::{Path, PathBuf};

use reqwest::Url;

use super::environment::Environment;
use super::overlap::{Overlap, overlap};
use super::profile;
use super::raw::{self, Raw};
use super::secret::Password;
use super::source::{Source, in_range};
use super::{Account, Config, ConfigError, Inbox, Resend, ResultFormat, SYSTEM_CONFIG, SYSTEM_LEDGER};
use crate::check::ProvinceWhenBlank;
use crate::order::Profiles;
use crate::service::GetParams;
use crate::sheet::Limits;

/// The endings of a SKU map: separated text, and the one workbook that is written.
const SKU_MAP_ENDINGS: [&str; 4] = ["csv", "tsv", "txt", "xlsx"];

/// A config on its way through the checks.
pub(super) struct Checking<'a> {
    pub(super) path: &'a Path,
    pub(super) source: &'a Source<'a>,
    pub(super) environment: &'a Environment,
}

impl Checking<'_> {
    /// Checks the whole file.
    pub(super) fn config(&self, raw: Raw) -> Result<Config, ConfigError> {
        let ledger = if same_place(self.path, Path::new(SYSTEM_CONFIG)) && !self.source.has("ledger.path") {
            PathBuf::from(SYSTEM_LEDGER)
        } else {
            self.file("ledger.path", &raw.ledger.path)?
        };
        if ledger.is_dir() {
            let message = format!(
                "`{}` is a folder; expected a file, such as \"{}\"",
                raw.ledger.path,
                Path::new(&raw.ledger.path).join("ledger.db").display()
            );
            return Err(self.source.wrong("ledger.path", &message));
        }
        self.ledger_is_no_other(&ledger, &raw)?;
        let accounts = self.accounts(&raw, &ledger)?;
        let names = self.in_order("profile", raw.profile.keys())?;
        let profiles = profile::profiles(&names, &raw.profile, self.source)?;
        let inboxes = self.inboxes(&raw, &accounts, &profiles)?;
        self.own_files_lie_apart(&ledger, &inboxes)?;
        let preflight = self.preflight(&raw.preflight)?;
        let webhook = self.webhook(&raw.webhook)?;
        let metrics_listen = self.listen("metrics.listen", raw.metrics.listen.as_deref())?;
        self.ports_are_apart(webhook.as_ref(), metrics_listen)?;
        if raw.keep.spool.value.0.is_some_and(|time| time.is_zero()) {
            // A sheet is worked from its copy.
            let message = "is no time at all; expected more than \"0s\", or \"for ever\"";
            return Err(self.source.wrong("keep.spool", message));
        }
        let zone = raw.zone.map(|zone| zone.value);
        Ok(Config {
            path: self.path.to_owned(),
            fingerprint: self.source.fingerprint(),
            accounts,
            inboxes,
            ledger,
            catalog_max_age: raw.catalog.max_age.value,
            zone: zone.unwrap_or_else(jiff::tz::TimeZone::system),
            keep_spool: raw.keep.spool.value.0,
            keep_done: raw.keep.done.value.0,
            notify: self.notify(&raw.notify)?,
            metrics_listen,
            preflight,
            webhook,
            monthly_report: raw.report.monthly,
        })
    }

    /// An address and port to listen at.
    fn listen(&self, key: &str, written: Option<&str>) -> Result<Option<std::net::SocketAddr>, ConfigError> {
        let Some(text) = written else { return Ok(None) };
        let address = text.trim().parse().map_err(|_not_an_address| {
            let message = format!("`{text}` is no address; expected IP:PORT such as \"127.0.0.1:9108\"");
            self.source.wrong(key, &message)
        })?;
        Ok(Some(address))
    }

    fn accounts(&self, raw: &Raw, ledger: &Path) -> Result<Vec<Account>, ConfigError> {
        let mut accounts: Vec<Account> = Vec::new();
        for name in self.in_order("account", raw.account.keys())? {
            let Some(written) = raw.account.get(name) else {
                continue;
            };
            let account = self.account(name, written, ledger)?;
            let twin = accounts.iter().find(|other| {
                other.base_url == account.base_url && other.email.eq_ignore_ascii_case(&account.email)
            });
            if let Some(twin) = twin {
                let message = format!(
                    "the same base_url and email as `account.{}`: one account at the service needs one name, or its \
                     orders could be sent twice",
                    twin.name
                );
                return Err(self.source.wrong(&format!("account.{name}"), &message));
            }
            accounts.push(account);
        }
        if accounts.is_empty() {
            let message = "missing; expected at least one account, as [account.main] with base_url and email";
            return Err(self.source.wrong("account", message));
        }
        Ok(accounts)
    }

    fn account(&self, name: &str, raw: &raw::Account, ledger: &Path) -> Result<Account, ConfigError> {
        let key = |last: &str| format!("account.{name}.{last}");
        let email = self.required(&key("email"), raw.email.as_deref())?;
        if !email.contains('@') || email.contains(char::is_whitespace) {
            let message =
                format!("`{email}` is no e-mail address; expected one such as \"shop@example.com\"");
            return Err(self.source.wrong(&key("email"), &message));
        }
        self.in_range(&key("max_in_flight"), raw.max_in_flight)?;
        self.not_zero(&key("timeout"), raw.timeout.value)?;
        self.not_zero(&key("sync"), raw.sync.value)?;
        let folder = ledger.parent().unwrap_or(Path::new("/"));
        Ok(Account {
            name: name.to_owned(),
            base_url: self.base_url(&key("base_url"), raw.base_url.as_deref())?,
            email: email.to_owned(),
            password: self.password(name, raw)?,
            password_at: self.source.place(&password_key(name, raw)),
            max_in_flight: usize::try_from(raw.max_in_flight).unwrap_or(usize::MAX),
            rate_limit: raw.rate_limit.as_ref().map(|rate| rate.value),
            timeout: raw.timeout.value,
            get_params: match raw.get_params {
                raw::GetParams::Body => GetParams::Body,
                raw::GetParams::Query => GetParams::Query,
                raw::GetParams::Both => GetParams::Both,
            },
            token_file: folder.join("tokens").join(format!("{name}.json")),
            quote_reuse: raw.quote_reuse.value,
            absent_after: raw.absent_after.value,
            absent_after_unproven: raw.absent_after_unproven.value,
            settle_for: raw.settle_for.value,
            audit: raw
                .audit
                .checked()
                .map_err(|wrong| self.source.wrong(&key("audit"), &wrong))?,
            resend: match raw.resend {
                raw::Resend::WhenAbsent => Resend::WhenAbsent,
                raw::Resend::Never => Resend::Never,
            },
            history: raw.history.value,
            sync: raw.sync.value,
            currency: raw.currency.clone(),
        })
    }

    fn base_url(&self, key: &str, written: Option<&str>) -> Result<String, ConfigError> {
        let text = self.required(key, written)?;
        let wrong = |why: &str| {
            let message = format!(
                "`{text}` {why}; expected https://HOST, or http:// on a loopback address such as 127.0.0.1"
            );
            self.source.wrong(key, &message)
        };
        let url = Url::parse(text).map_err(|error| wrong(&format!("is no URL ({error})")))?;
        let host = url.host_str().unwrap_or_default();
        let address = host.trim_start_matches('[').trim_end_matches(']');
        let loopback = host == "localhost"
            || address
                .parse::<std::net::IpAddr>()
                .is_ok_and(|address| address.is_loopback());
        match url.scheme() {
            "https" => {}
            "http" if loopback => {}
            "http" => return Err(wrong("would send the password in the clear")),
            _ => return Err(wrong("is neither https nor http")),
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(self.source.wrong(
                key,
                "has a user name or password in it; use email and password_file",
            ));
        }
        if url.query().is_some() || url.fragment().is_some() {
            return Err(wrong("has a query or a fragment"));
        }
        Ok(url.as_str().trim_end_matches('/').to_owned())
    }

    fn password(&self, name: &str, raw: &raw::Account) -> Result<Password, ConfigError> {
        match (&raw.password_file, &raw.password_env) {
            (Some(_), Some(_)) => {
                let message = "both password_file and password_env are set; expected one of them";
                Err(self
                    .source
                    .wrong(&format!("account.{name}.password_env"), message))
            }
            (Some(file), None) => self
                .file(&format!("account.{name}.password_file"), file)
                .map(Password::File),
            (None, Some(variable)) => {
                let value = self.environment.variable(variable).map(Into::into);
                Ok(Password::Variable(variable.clone(), value))
            }
            (None, None) => {
                let credentials = self.environment.variable("CREDENTIALS_DIRECTORY");
                let file = credentials.map(|folder| Path::new(folder).join(format!("{name}.password")));
                Ok(file
                    .filter(|file| file.exists())
                    .map_or(Password::Nowhere(""), Password::File))
            }
        }
    }

    fn inboxes(
        &self,
        raw: &Raw,
        accounts: &[Account],
        profiles: &Profiles,
    ) -> Result<Vec<Inbox>, ConfigError> {
        let mut inboxes: Vec<Inbox> = Vec::new();
        for name in self.in_order("inbox", raw.inbox.keys())? {
            let Some(written) = raw.inbox.get(name) else {
                continue;
            };
            let inbox = self.inbox(name, written, (accounts, profiles))?;
            self.lies_apart(&inbox, &inboxes)?;
            inboxes.push(inbox);
        }
        Ok(inboxes)
    }

    /// No inbox takes what lies in another's folder.
    fn lies_apart(&self, inbox: &Inbox, others: &[Inbox]) -> Result<(), ConfigError> {
        for other in others {
            let how = match overlap(&inbox.path, &other.path) {
                None => continue,
                Some(Overlap::Same) => "the same folder as",
                Some(Overlap::Inside) => "lies in the folder of",
                Some(Overlap::Around) => "holds the folder of",
            };
            let message = format!("{how} `inbox.{}`; expected a folder of its own", other.name);
            let key = format!("inbox.{}.path", inbox.name);
            return Err(self.source.wrong(&key, &message));
        }
        Ok(())
    }

    fn inbox(
        &self,
        name: &str,
        raw: &raw::Inbox,
        (accounts, profiles): (&[Account], &Profiles),
    ) -> Result<Inbox, ConfigError> {
        let key = |last: &str| format!("inbox.{name}.{last}");
        let path = self.file(&key("path"), self.required(&key("path"), raw.path.as_deref())?)?;
        if raw
            .order_prefix
            .contains(|c: char| c.is_whitespace() || c.is_control())
        {
            let message =
                "has a space or a control character; expected letters, digits and signs such as \"B-\"";
            return Err(self.source.wrong(&key("order_prefix"), message));
        }
        let chars = raw.order_prefix.chars().count();
        if chars > raw::PREFIX_CHARS {
            let message = format!(
                "has {chars} characters; expected {} at most, for an order_id with it has one more at least",
                raw::PREFIX_CHARS
            );
            return Err(self.source.wrong(&key("order_prefix"), &message));
        }
        self.not_zero(&key("look"), raw.look.value)?;
        if let Some(most) = raw.max_orders_per_sheet {
            self.in_range(&key("max_orders_per_sheet"), most)?;
        }
        self.in_range(&key("max_rows"), raw.max_rows)?;
        Ok(Inbox {
            name: name.to_owned(),
            path,
            account: self.account_of(&key("account"), raw.account.as_deref(), accounts)?,
            order_prefix: raw.order_prefix.clone(),
            profiles: profile::choose(profiles, (&key("profile"), &raw.profile), self.source)?,
            sku_map: self.sku_map(&key("sku_map"), raw.sku_map.as_deref())?,
            not_before: raw.not_before.as_ref().map(|date| date.value),
            approval_required: raw.approval == raw::Approval::Required,
            max_order_total: raw.max_order_total.as_ref().map(|amount| amount.value),
            max_orders_per_sheet: raw.max_orders_per_sheet,
            daily_limit: raw.daily_limit.as_ref().map(|amount| amount.value),
            hold_zero: raw.zero_quote == raw::ZeroQuote::Hold,
            province_when_blank: self
                .province(&key("province_when_blank"), raw.province_when_blank.as_deref())?,
            stable_for: raw.stable_for.value,
            look: raw.look.value,
            result_format: match raw.result_format {
                raw::ResultFormat::Xlsx => ResultFormat::Xlsx,
                raw::ResultFormat::Same => ResultFormat::Same,
                raw::ResultFormat::Csv => ResultFormat::Csv,
            },
            limits: Limits {
                max_bytes: raw.max_bytes.value.0,
                max_rows: u32::try_from(raw.max_rows).unwrap_or(u32::MAX),
            },
        })
    }

    /// The file of a SKU map: it is written too, so that it has to be one of those that can be.
    fn sku_map(&self, key: &str, written: Option<&str>) -> Result<Option<PathBuf>, ConfigError> {
        let Some(written) = written else { return Ok(None) };
        let path = self.file(key, written)?;
        let ending = path.extension().unwrap_or_default();
        if SKU_MAP_ENDINGS
            .iter()
            .any(|known| ending.eq_ignore_ascii_case(known))
        {
            return Ok(Some(path));
        }
        let expected = "expected a file that ends in .csv, .tsv, .txt or .xlsx, such as \"sku-map.csv\"";
        let message = format!("`{written}` cannot be written as a SKU map; {expected}");
        Err(self.source.wrong(key, &message))
    }

    fn account_of(
        &self,
        key: &str,
        named: Option<&str>,
        accounts: &[Account],
    ) -> Result<String, ConfigError> {
        let names = || {
            accounts
                .iter()
                .map(|account| account.name.as_str())
                .collect::<Vec<_>>()
                .join(", ")
        };
        match (named, accounts) {
            (None, [only]) => Ok(only.name.clone()),
            (None, _) => {
                let message = format!("missing; with several accounts expected one of {}", names());
                Err(self.source.wrong(key, &message))
            }
            (Some(name), _) if accounts.iter().any(|account| account.name == name) => Ok(name.to_owned()),
            (Some(name), _) => {
                let message = format!("there is no account `{name}`; expected one of {}", names());
                Err(self.source.wrong(key, &message))
            }
        }
    }

    fn province(&self, key: &str, written: Option<&str>) -> Result<Option<ProvinceWhenBlank>, ConfigError> {
        match written.map(str::trim) {
            None => Ok(None),
            Some("") => Err(self
                .source
                .wrong(key, "is empty; expected \"city\" or a text to send")),
            Some("city") => Ok(Some(ProvinceWhenBlank::City)),
            Some(text) => match ProvinceWhenBlank::unfit(text) {
                None => Ok(Some(ProvinceWhenBlank::Text(text.to_owned()))),
                Some(why) => Err(self.source.wrong(key, &format!("cannot be sent: {why}"))),
            },
        }
    }

    /// The names of a table in the order of the file. Names become file names and parts of variables.
    fn in_order<'n>(
        &self,
        table: &str,
        names: impl Iterator<Item = &'n String>,
    ) -> Result<Vec<&'n String>, ConfigError> {
        let mut names: Vec<&String> = names.collect();
        names.sort_by_key(|name| self.source.position(&format!("{table}.{name}")));
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
        match names
            .iter()
            .find(|name| name.is_empty() || !name.chars().all(plain))
        {
            None => Ok(names),
            Some(name) => Err(self.source.wrong(
                &format!("{table}.{name}"),
                "the name has other characters than letters, digits, `-` and `_`",
            )),
        }
    }

    /// A path that starts at the config's folder.
    pub(super) fn file(&self, key: &str, written: &str) -> Result<PathBuf, ConfigError> {
        if written.trim().is_empty() {
            return Err(self.source.wrong(key, "is empty; expected a path"));
        }
        // What a shell would put in their place is nobody's here: a service's home is not that of who writes the config.
        if ["~", "$HOME", "${HOME}"].contains(&written.trim_start().split('/').next().unwrap_or_default()) {
            let message =
                format!("`{written}` begins with a shell's word for a home; expected the whole path");
            return Err(self.source.wrong(key, &message));
        }
        let folder = self.path.parent().unwrap_or(Path::new("/"));
        // Without `.` and doubled slashes, so that two spellings of one folder are seen as one.
        Ok(folder.join(written).components().collect())
    }

    pub(super) fn required<'v>(&self, key: &str, value: Option<&'v str>) -> Result<&'v str, ConfigError> {
        match value.map(str::trim) {
            None => Err(self.source.wrong(key, &format!("missing; {}", a_text(key)))),
            Some("") => Err(self.source.wrong(key, &format!("is empty; {}", a_text(key)))),
            Some(value) => Ok(value),
        }
    }

    pub(super) fn not_zero(&self, key: &str, time: std::time::Duration) -> Result<(), ConfigError> {
        if time.is_zero() {
            return Err(self
                .source
                .wrong(key, "is no time at all; expected more than \"0s\""));
        }
        Ok(())
    }

    /// A whole number has to be one that its key takes.
    pub(super) fn in_range(&self, key: &str, number: u64) -> Result<(), ConfigError> {
        match raw::range(key) {
            Some((least, most)) if !(least..=most).contains(&number) => {
                let expected = in_range(least, most);
                let message = format!("`{number}` is out of range; expected {expected}");
                Err(self.source.wrong(key, &message))
            }
            _ => Ok(()),
        }
    }
}

/// What a key needs that has to be there.
fn a_text(key: &str) -> String {
    let example = match key.rsplit('.').next().unwrap_or(key) {
        "base_url" => "https://api.example.com",
        "email" => "shop@example.com",
        "listen" => "127.0.0.1:8810",
        "access_key_file" => "access-key",
        "path" => "orders",
        _ => return "expected a text".to_owned(),
    };
    format!("expected a text such as \"{example}\"")
}

/// Whether two paths lead to one place, through links and `..` too; one that does not exist is what it is called.
fn same_place(one: &Path, other: &Path) -> bool {
    one == other
        || match (one.canonicalize(), other.canonicalize()) {
            (Ok(one), Ok(other)) => one == other,
            (Err(_missing), _) | (_, Err(_missing)) => false,
        }
}

/// The key that says where an account's password is; its table where none does.
fn password_key(name: &str, raw: &raw::Account) -> String {
    let key = match (&raw.password_file, &raw.password_env) {
        (Some(_), _) => ".password_file",
        (None, Some(_)) => ".password_env",
        (None, None) => "",
    };
    format!("account.{name}{key}")
}
