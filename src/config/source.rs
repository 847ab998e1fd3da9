//! The config's text with the place of every key, so that what is wrong is told with its file, line and key.

use std::borrow::Cow;
use std::fmt;
use std::path::{Path, PathBuf};

use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};
use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

use super::ConfigError;
use super::environment::Override;
use super::nearest::nearest;
use super::raw::{self, Raw};

/// Keys whose digits matter: written without quotes they are read from their digits, never as a float or a TOML date.
const KEPT_TO_THE_DIGIT: [&str; 3] = ["max_order_total", "daily_limit", "not_before"];

/// Keys that hold a whole number, true and false, a list or a table: an environment variable for one is read as TOML,
/// not as text.
pub(super) const NOT_TEXT: [&str; 27] = [
    "audit",
    "buyer_texts",
    "columns",
    "date",
    "instead",
    "options",
    "packed",
    "max_in_flight",
    "max_rows",
    "max_orders_per_sheet",
    "monthly",
    "enabled",
    "private_addresses",
    "mail_to",
    "command",
    "recognise",
    "recognise_also",
    "refuse",
    "signs",
    "formats",
    "join",
    "line_id",
    "sku_key",
    "fill_down",
    "skip",
    "hold",
    "printed",
];

/// A parsed config file with what the environment puts over it.
#[derive(Debug)]
pub(super) struct Source<'t> {
    path: PathBuf,
    text: &'t str,
    table: Spanned<DeTable<'t>>,
    /// Dotted key and the variable that set it.
    overridden: Vec<(String, String)>,
}

/// Where a key stands, to tell later what is wrong with what it names.
#[derive(Clone)]
pub(super) struct Place {
    path: PathBuf,
    /// None where the key is missing or the environment set it.
    line: Option<usize>,
    /// The key, and the variable that set it.
    key: String,
}

/// A config that says the same in other lines is the same.
impl fmt::Debug for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.key)
    }
}

impl Place {
    /// The error that something is wrong there.
    pub(super) fn wrong(&self, message: &str) -> ConfigError {
        ConfigError::Wrong {
            path: self.path.clone(),
            line: self.line,
            message: format!("{}: {message}", self.key),
        }
    }
}

impl<'t> Source<'t> {
    /// Parses the text and puts the overrides over it.
    pub(super) fn parse(path: &Path, text: &'t str, overrides: &'t [Override]) -> Result<Self, ConfigError> {
        let mut table = DeTable::parse(text).map_err(|error| ConfigError::Wrong {
            path: path.to_owned(),
            line: error.span().map(|span| line_of(text, span.start)),
            message: {
                let key = error.span().and_then(|span| key_before(text, span.start));
                let named = key.map_or_else(String::new, |key| format!("`{key}`: "));
                format!("{named}not valid TOML: {}", not_toml(&error, text))
            },
        })?;
        keep_digits(table.get_mut());
        let mut source = Self {
            path: path.to_owned(),
            text,
            table,
            overridden: Vec::new(),
        };
        for over in overrides {
            source.put(over)?;
        }
        Ok(source)
    }

    /// The same for the same text: SHA-256, as hexadecimal digits.
    pub(super) fn fingerprint(&self) -> String {
        HEXLOWER.encode(&Sha256::digest(self.text))
    }

    /// The file as written.
    pub(super) fn read(&self) -> Result<Raw, ConfigError> {
        let deserializer = toml::Deserializer::from(self.table.clone());
        serde_path_to_error::deserialize(deserializer).map_err(|error| self.unreadable(&error))
    }

    /// The error of a key that is unknown or has another type.
    fn unreadable(&self, error: &serde_path_to_error::Error<toml::de::Error>) -> ConfigError {
        let mut key: Vec<String> = error.path().iter().map(ToString::to_string).collect();
        let inner = error.inner();
        let message = if let Some((unknown, valid)) = unknown_key(inner.message()) {
            let message = format!("unknown key; {}", suggest(&unknown, &valid));
            if key.last() != Some(&unknown) {
                key.push(unknown);
            }
            message
        } else if let Some(missing) = missing_key(inner.message()) {
            let message = format!("missing; expected a `{missing}` in this table");
            key.push(missing.to_owned());
            message
        } else {
            in_words(&one_line(inner.message()), &key.join("."))
        };
        let span = inner.span().filter(|span| !span.is_empty());
        let line = span.map(|span| line_of(self.text, span.start));
        self.at(&key.join("."), line).wrong(&message)
    }

    /// The variables that accounts, and the mail server's user, name for their passwords.
    pub(super) fn password_variables(&self) -> Vec<String> {
        let table = |name: &str| entry(self.table.get_ref(), name).map(|(_, value)| value.get_ref());
        let accounts = table("account").and_then(DeValue::as_table).into_iter();
        let accounts = accounts
            .flat_map(DeTable::values)
            .map(|account| (account.get_ref(), "password_env"));
        let mail = table("notify").map(|notify| (notify, "smtp_password_env"));
        let named = accounts.chain(mail);
        named
            .filter_map(|(table, key)| table.get(key)?.get_ref().as_str())
            .map(str::to_owned)
            .collect()
    }

    /// The error that something is wrong with a key, given with dots: `inbox.main.path`.
    pub(super) fn wrong(&self, key: &str, message: &str) -> ConfigError {
        self.place(key).wrong(message)
    }

    /// Where a key stands.
    pub(super) fn place(&self, key: &str) -> Place {
        self.at(key, self.line(key))
    }

    /// Whether the key is set, in the file or by the environment.
    pub(super) fn has(&self, key: &str) -> bool {
        self.find(key).is_some_and(|(missing, _)| missing == 0)
    }

    /// Where a key stands in the file, for sorting; what the environment added comes last.
    pub(super) fn position(&self, key: &str) -> usize {
        match self.find(key) {
            Some((0, start)) => start,
            _ => usize::MAX,
        }
    }

    fn at(&self, key: &str, line: Option<usize>) -> Place {
        // A table that stands nowhere in the file was made by the variables in it.
        let made = |overridden: &str| {
            self.position(key) == usize::MAX
                && overridden
                    .strip_prefix(key)
                    .is_some_and(|rest| rest.starts_with('.'))
        };
        let variable = self
            .overridden
            .iter()
            .find(|(overridden, _)| overridden == key || made(overridden));
        let by = variable.map_or_else(String::new, |(_, variable)| {
            format!(" (set by the environment variable {variable})")
        });
        Place {
            path: self.path.clone(),
            line: if variable.is_some() { None } else { line },
            key: format!("`{key}`{by}"),
        }
    }

    /// The line of the key, or of the nearest table around it.
    fn line(&self, key: &str) -> Option<usize> {
        let (_, start) = self.find(key)?;
        (start != usize::MAX).then(|| line_of(self.text, start))
    }

    /// How many of the key's last parts are not there, and where the last that is there starts.
    fn find(&self, key: &str) -> Option<(usize, usize)> {
        let starts = |name: &Spanned<Cow<'_, str>>| {
            if name.span().is_empty() {
                usize::MAX
            } else {
                name.span().start
            }
        };
        let (mut table, mut found, mut rest) = (Some(self.table.get_ref()), None, key);
        loop {
            // A name in quotes may have dots of its own.
            if let Some((name, _)) = table.and_then(|table| entry(table, rest)) {
                return Some((0, starts(name)));
            }
            let inner = rest.split_once('.').and_then(|(part, behind)| {
                let (name, value) = entry(table?, part)?;
                Some((name, value, behind))
            });
            let Some((name, value, behind)) = inner else {
                return found.map(|start| (rest.split('.').count(), start));
            };
            (table, found, rest) = (value.get_ref().as_table(), Some(starts(name)), behind);
        }
    }

    /// Puts the value of a variable at its key.
    fn put(&mut self, over: &'t Override) -> Result<(), ConfigError> {
        let Some((last, tables)) = over.key.split_last() else {
            return Ok(());
        };
        let mut names: Vec<String> = Vec::new();
        let mut table = self.table.get_mut();
        for part in tables {
            let name = existing_name(table, part);
            names.push(name.clone());
            let value = table
                .entry(spanless(Cow::Owned(name)))
                .or_insert_with(|| spanless(DeValue::Table(DeTable::new())));
            let DeValue::Table(inner) = value.get_mut() else {
                self.overridden.push((names.join("."), over.variable.clone()));
                return Err(self.at(&names.join("."), None).wrong("a table is needed here"));
            };
            table = inner;
        }
        let name = existing_name(table, last);
        names.push(name.clone());
        let value = value_of(&name, &over.value);
        // The key keeps no place in the file: its value is not there.
        table.remove(name.as_str());
        table.insert(spanless(Cow::Owned(name)), spanless(value));
        self.overridden.push((names.join("."), over.variable.clone()));
        Ok(())
    }
}

/// Something that stands nowhere in the file.
fn spanless<T>(value: T) -> Spanned<T> {
    Spanned::new(0..0, value)
}

/// An override's value; what is no TOML value is left to the message of the key's type.
fn value_of<'t>(key: &str, text: &'t str) -> DeValue<'t> {
    let plain = || DeValue::String(Cow::Borrowed(text));
    if NOT_TEXT.contains(&key) {
        DeValue::parse(text).map_or_else(|_not_toml| plain(), Spanned::into_inner)
    } else {
        plain()
    }
}

/// The name in the table that a part of a variable's name means: letters' case does not matter there, and a hyphen
/// is written as an underscore.
fn existing_name(table: &DeTable<'_>, part: &str) -> String {
    let folded = |name: &str| name.to_lowercase().replace('-', "_");
    table
        .keys()
        .map(Spanned::get_ref)
        .find(|name| folded(name) == folded(part))
        .map_or_else(|| part.to_lowercase(), ToString::to_string)
}

fn entry<'a, 't>(
    table: &'a DeTable<'t>,
    name: &str,
) -> Option<(&'a Spanned<DeString<'t>>, &'a Spanned<DeValue<'t>>)> {
    table.get_key_value(name)
}

/// Turns the values whose digits matter into text.
fn keep_digits(table: &mut DeTable<'_>) {
    for (name, value) in table.iter_mut() {
        let kept = KEPT_TO_THE_DIGIT.contains(&name.get_ref().as_ref());
        let text = match value.get_ref() {
            DeValue::Float(number) if kept => Some(number.as_str().replace('_', "")),
            DeValue::Integer(number) if kept && number.radix() == 10 => {
                Some(number.as_str().replace('_', ""))
            }
            DeValue::Datetime(date) if kept => Some(date.to_string()),
            _ => None,
        };
        if let Some(text) = text {
            *value.get_mut() = DeValue::String(Cow::Owned(text));
        } else if let DeValue::Table(inner) = value.get_mut() {
            keep_digits(inner);
        }
    }
}

/// The line that a byte of the text stands on, counted from 1.
fn line_of(text: &str, byte: usize) -> usize {
    1 + text.bytes().take(byte).filter(|b| *b == b'\n').count()
}

fn one_line(message: &str) -> String {
    message.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Serde's message, with what is allowed in place of the type that it names.
fn in_words(message: &str, key: &str) -> String {
    match (message.strip_suffix("u64"), raw::range(key)) {
        (Some(wrong), Some((least, most))) => {
            format!("{wrong}a whole number, {}", in_range(least, most))
        }
        _ => in_toml(message, key),
    }
}

/// The same, with the names that TOML has for what is needed.
fn in_toml(message: &str, key: &str) -> String {
    let Some((wrong, expected)) = message.split_once(", expected ") else {
        return message.to_owned();
    };
    let needed = match expected {
        "struct Inbox" => "a table such as [inbox.main]",
        "struct Account" => "a table such as [account.main]",
        "a sequence" if key == "notify.command" => "a list such as [\"/bin/tell\"]",
        "a sequence" => "a list such as [\"…\"]",
        "a map" => "a table",
        struct_name if struct_name.starts_with("struct ") => "a table",
        _ => return message.to_owned(),
    };
    format!("{wrong}, expected {needed}")
}

/// The numbers that a key takes.
pub(super) fn in_range(least: u64, most: u64) -> String {
    if most == u64::MAX {
        format!("{least} or more")
    } else {
        format!("{least} to {most}")
    }
}

/// What is wrong with a text that is no TOML; a key that stands there twice is named.
fn not_toml(error: &toml::de::Error, text: &str) -> String {
    let message = one_line(error.message());
    let at = error.span().and_then(|span| text.get(span));
    match at.filter(|_key| message.starts_with("duplicate key")) {
        Some(key) => format!("duplicate key `{}`: remove one of the two", key.trim()),
        None => message,
    }
}

/// The key, with its table's name, whose value a place of a text is in that is no TOML as a whole; none where no value
/// stands on that line.
fn key_before(text: &str, place: usize) -> Option<String> {
    let before = text.get(..place)?;
    let (above, line) = before.rsplit_once('\n').unwrap_or(("", before));
    let (key, _value) = line.split_once('=')?;
    let key = key.trim();
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    if key.is_empty() || !key.chars().all(is_plain) {
        return None;
    }
    let table = above.lines().rev().find_map(|line| {
        let named = line.trim().strip_prefix('[')?;
        Some(named.trim_start_matches('[').split(']').next()?.trim())
    });
    Some(table.map_or_else(|| key.to_owned(), |table| format!("{table}.{key}")))
}

/// The unknown key and the valid ones of serde's message, which has them in backticks.
fn unknown_key(message: &str) -> Option<(String, Vec<String>)> {
    let rest = message.strip_prefix("unknown field ")?;
    let mut names = rest.split('`').skip(1).step_by(2).map(str::to_owned);
    Some((names.next()?, names.collect()))
}

/// The key that serde's message says is missing, which has it in backticks.
fn missing_key(message: &str) -> Option<&str> {
    message.strip_prefix("missing field `")?.strip_suffix('`')
}

/// What to write instead of an unknown key.
fn suggest(unknown: &str, valid: &[String]) -> String {
    let expected = format!("expected one of {}", valid.join(", "));
    match nearest(unknown, valid.iter().map(String::as_str)).first() {
        Some(near) => format!("did you mean `{near}`? {expected}"),
        None => expected,
    }
}
