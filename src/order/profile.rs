//! How the exports of shops are read: profiles are data, the built-in ones in `profiles/*.toml` and the user's own in
//! `[profile.NAME]` tables of the config, of one kind and checked by the same code.

mod choices;
pub mod written;

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashSet};
use std::fmt;
use std::sync::{Arc, LazyLock};

use crate::finding::{Code, Rejection};
use crate::sheet::Row;

use super::columns::{Field, normalized};
use super::day;
use super::layout::{self, Layout};
use written::{AS_WRITTEN, From, OneOrMore, Written};

/// The built-in profiles, by name.
const BUILT_IN: [(&str, &str); 6] = [
    ("shopify", include_str!("profiles/shopify.toml")),
    ("etsy", include_str!("profiles/etsy.toml")),
    ("woocommerce", include_str!("profiles/woocommerce.toml")),
    ("amazon", include_str!("profiles/amazon.toml")),
    ("ebay", include_str!("profiles/ebay.toml")),
    ("tiktok", include_str!("profiles/tiktok.toml")),
];

/// The name of the layout with dropsheet's own columns.
const NATIVE: &str = "native";

/// The choice that leaves it to the header.
const AUTO: &str = "auto";

/// A checked profile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Profile {
    name: String,
    written: Written,
}

/// What is wrong with a profile as it is written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{key}`: {message}")]
pub struct WrongProfile {
    /// The key within the profile's table.
    pub key: String,
    /// What is wrong with it, and what was expected.
    pub message: String,
}

impl WrongProfile {
    fn new(key: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            key: key.into(),
            message: message.into(),
        }
    }
}

impl Profile {
    /// Checks a profile.
    ///
    /// # Errors
    /// [`WrongProfile`] for the first key that cannot be.
    pub fn new(name: &str, written: Written) -> Result<Self, WrongProfile> {
        if !are_enough(&written.recognise) {
            let message = "expected the names of at least two columns that only such an export has";
            return Err(WrongProfile::new("recognise", message));
        }
        if !written.recognise_also.iter().all(|names| are_enough(names)) {
            let message =
                "expected in each list the names of at least two columns that only such an export has";
            return Err(WrongProfile::new("recognise_also", message));
        }
        check_columns(&written)?;
        for (at, refuse) in written.refuse.iter().enumerate() {
            if !are_enough(&refuse.recognise) {
                let message = format!(
                    "number {} needs the names of at least two columns in `recognise`",
                    at + 1
                );
                return Err(WrongProfile::new("refuse", message));
            }
        }
        for format in written.date.iter().flat_map(|date| &date.formats) {
            if !day::is_read_with(format) {
                let message = format!(
                    "`{format}` is no format of a date with its day, month and year; expected one such as \"%m/%d/%Y\""
                );
                return Err(WrongProfile::new("date.formats", message));
            }
        }
        Ok(Self {
            name: name.to_owned(),
            written,
        })
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether it has the name of a built-in one.
    pub(super) fn is_built_in(&self) -> bool {
        BUILT_IN.iter().any(|(name, _)| *name == self.name)
    }

    pub(super) fn written(&self) -> &Written {
        &self.written
    }

    /// The columns by which it is recognised, where a header has all of a set.
    pub(super) fn recognised_by(&self, has: impl Fn(&str) -> bool) -> Option<Vec<&str>> {
        self.sets().find_map(|set| {
            let found = set.iter().map(|column| column.found(&has).next());
            found.collect()
        })
    }

    /// Whether a header has the columns that only such an export has, and not such alone as other sheets may have too.
    pub(super) fn is_sure(&self, has: impl Fn(&str) -> bool) -> bool {
        has_all(&has, &self.written.recognise)
    }

    /// The sets of columns each of which is enough to recognise it by.
    fn sets(&self) -> impl Iterator<Item = &[OneOrMore]> {
        let sets = std::iter::once(&self.written.recognise).chain(&self.written.recognise_also);
        sets.map(Vec::as_slice)
    }

    fn is_recognised(&self, header: &HashSet<String>) -> bool {
        self.recognised_by(|name| header.contains(name)).is_some()
    }

    /// Whether a header has columns that only such an export has, though it may not be recognised.
    fn has_signs(&self, header: &HashSet<String>) -> bool {
        let is_there = |sign: &&OneOrMore| sign.found(|name| header.contains(name)).next().is_some();
        self.written.signs.iter().filter(is_there).nth(1).is_some()
    }

    fn signs_in(&self, header: &HashSet<String>) -> impl Iterator<Item = &str> {
        let signs = self.written.signs.iter();
        signs.flat_map(move |sign| sign.found(move |name| header.contains(name)))
    }

    /// Those columns that a header lacks of the set by which it is all but recognised; of a list the first, which is
    /// enough.
    fn missing_in(&self, header: &HashSet<String>) -> String {
        let missing = |set: &[OneOrMore]| -> Vec<String> {
            let is_missing =
                |column: &&OneOrMore| column.found(|name| header.contains(name)).next().is_none();
            let missing = set.iter().filter(is_missing);
            missing
                .filter_map(|column| column.names().first())
                .map(|name| name.trim_start_matches(AS_WRITTEN).to_owned())
                .collect()
        };
        // Of equals the one of which more is there.
        let nearest = self
            .sets()
            .min_by_key(|set| (missing(set).len(), Reverse(set.len())));
        nearest.map(missing).unwrap_or_default().join(", ")
    }

    /// How many of a header's columns the profile names: of two that recognise it, the one that knows it better reads
    /// it.
    fn score(&self, header: &HashSet<String>) -> usize {
        let written = &self.written;
        let recognise = written.recognise.iter().flat_map(OneOrMore::names);
        let mut names: BTreeSet<String> = recognise.map(|name| normalized(name)).collect();
        let sources = written.columns.values().chain(written.instead.values());
        for from in sources {
            names.extend(source_names(from).iter().map(|name| normalized(name)));
        }
        let rules = written.skip.iter().map(|rule| &rule.column);
        let rules = rules.chain(written.hold.iter().map(|rule| &rule.column));
        for column in rules.chain(written.printed.iter().map(|rule| &rule.column)) {
            names.extend(column.names().iter().map(|name| normalized(name)));
        }
        names.iter().filter(|name| header.contains(*name)).count()
    }
}

/// The columns that a native column may be read from.
pub(super) fn source_names(from: &From) -> &[String] {
    match from {
        From::Column(name) => std::slice::from_ref(name),
        From::First(names) => names,
        From::Joined(joined) => &joined.join,
    }
}

/// Whether these are two columns and more: fewer, or one that no header can have, recognise nothing.
fn are_enough(set: &[OneOrMore]) -> bool {
    let names = |column: &OneOrMore| column.names().iter().map(|name| normalized(name)).collect();
    let columns: Vec<HashSet<String>> = set.iter().map(names).collect();
    let can_be = |column: &HashSet<String>| !column.is_empty() && !column.contains("");
    let is_enough_alone = |name: &String| columns.iter().all(|column| column.contains(name));
    let is_one = columns
        .first()
        .is_none_or(|first| first.iter().any(is_enough_alone));
    !is_one && columns.iter().all(can_be)
}

fn check_columns(written: &Written) -> Result<(), WrongProfile> {
    for (table, columns) in [("columns", &written.columns), ("instead", &written.instead)] {
        for (name, from) in columns {
            let key = format!("{table}.{name}");
            let field = Field::ALL.into_iter().find(|field| field.name() == name);
            let Some(field) = field else {
                let names = Field::ALL.map(Field::name).join(", ");
                return Err(WrongProfile::new(
                    key,
                    format!("is no native column; expected one of {names}"),
                ));
            };
            if table == "instead" && !field.is_address() {
                return Err(WrongProfile::new(key, "is no part of the address"));
            }
            if field == Field::OrderId && matches!(from, From::Joined(_)) {
                let message = "cannot be joined: it is the one column that tells which rows are one order";
                return Err(WrongProfile::new(key, message));
            }
            if source_names(from).iter().all(|name| normalized(name).is_empty()) {
                return Err(WrongProfile::new(key, "names no column"));
            }
        }
    }
    let needed: &[Field] = if written.packed.is_some() {
        &[Field::OrderId]
    } else {
        &[Field::OrderId, Field::Quantity]
    };
    match needed
        .iter()
        .find(|field| !written.columns.contains_key(field.name()))
    {
        None => Ok(()),
        Some(field) => {
            let key = format!("columns.{}", field.name());
            Err(WrongProfile::new(key, "missing; expected the name of a column"))
        }
    }
}

fn has_all(has: impl Fn(&str) -> bool, set: &[OneOrMore]) -> bool {
    set.iter().all(|column| column.found(&has).next().is_some())
}

/// The names of a header's columns, normalized and as they are written.
pub(super) fn names_in(header: &Row) -> HashSet<String> {
    let cells = header.iter().map(str::trim).filter(|cell| !cell.is_empty());
    cells
        .flat_map(|cell| [normalized(cell), format!("{AS_WRITTEN}{}", cell.to_lowercase())])
        .filter(|name| !name.is_empty())
        .collect()
}

static BUILT_IN_PROFILES: LazyLock<Vec<Arc<Profile>>> = LazyLock::new(|| {
    BUILT_IN
        .iter()
        // A test holds that each of them is sound.
        .filter_map(|(name, text)| Some(Arc::new(Profile::new(name, toml::from_str(text).ok()?).ok()?)))
        .collect()
});

/// The built-in profiles as they are written, by name: to read, and to begin one's own with.
pub fn built_in() -> &'static [(&'static str, &'static str)] {
    &BUILT_IN
}

/// The profiles that an inbox's sheets may be read with, and which of them is wanted.
#[derive(Clone)]
pub struct Profiles {
    known: Vec<Arc<Profile>>,
    wanted: Wanted,
}

#[derive(Clone)]
enum Wanted {
    Auto,
    Native,
    Named(Arc<Profile>),
}

impl fmt::Debug for Wanted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Auto => AUTO,
            Self::Native => NATIVE,
            Self::Named(profile) => &profile.name,
        })
    }
}

impl fmt::Debug for Profiles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Profiles")
            .field("names", &self.names())
            .field("wanted", &self.wanted)
            .finish_non_exhaustive()
    }
}

impl Default for Profiles {
    /// The built-in ones, each known by its header.
    fn default() -> Self {
        Self {
            known: BUILT_IN_PROFILES.clone(),
            wanted: Wanted::Auto,
        }
    }
}

impl Profiles {
    /// The built-in profiles and the user's own, which count before a built-in one of the same name.
    pub fn with(own: Vec<Profile>) -> Self {
        let mut known: Vec<Arc<Profile>> = own.into_iter().map(Arc::new).collect();
        for built_in in BUILT_IN_PROFILES.iter() {
            if known.iter().all(|own| own.name != built_in.name) {
                known.push(Arc::clone(built_in));
            }
        }
        Self {
            known,
            wanted: Wanted::Auto,
        }
    }

    /// The same profiles with one of them chosen: `auto`, `native`, or the name of one; none where there is no such.
    pub fn choose(&self, name: &str) -> Option<Self> {
        let wanted = match name {
            AUTO => Wanted::Auto,
            NATIVE => Wanted::Native,
            _ => Wanted::Named(Arc::clone(
                self.known.iter().find(|profile| profile.name == name)?,
            )),
        };
        Some(Self {
            known: self.known.clone(),
            wanted,
        })
    }

    /// What can be chosen.
    pub fn names(&self) -> Vec<&str> {
        let known = self.known.iter().map(|profile| profile.name.as_str());
        [AUTO, NATIVE].into_iter().chain(known).collect()
    }

    /// Whether a row is a header of any kind that [`Profiles::layout`] has something to say of.
    pub fn is_header(&self, row: &Row) -> bool {
        if matches!(self.wanted, Wanted::Native) {
            return Layout::is_header(row);
        }
        let names = names_in(row);
        let known = |profile: &Arc<Profile>| {
            profile.is_recognised(&names)
                || profile.has_signs(&names)
                || profile
                    .written
                    .refuse
                    .iter()
                    .any(|refuse| has_all(|name| names.contains(name), &refuse.recognise))
        };
        Layout::is_header(row) || self.known.iter().any(known)
    }

    /// Reads a header.
    ///
    /// # Errors
    /// Why the sheet as a whole cannot be worked.
    pub fn layout(&self, header: &Row) -> Result<Layout, Rejection> {
        let names = names_in(header);
        let profile = match &self.wanted {
            Wanted::Native => None,
            Wanted::Auto => self.best(&names),
            Wanted::Named(profile) if profile.is_recognised(&names) => Some(profile),
            Wanted::Named(profile) => {
                return Err(refused(self, &names).unwrap_or_else(|| unlike(profile, header, &names)));
            }
        };
        if let Some(profile) = profile {
            return Ok(Layout::of_profile(profile, header));
        }
        if let Some(refused) = refused(self, &names) {
            return Err(refused);
        }
        if let (Wanted::Auto, Some(profile)) = (&self.wanted, self.half_known(&names)) {
            return Err(incomplete(profile, &names));
        }
        Layout::read(header).map_err(|findings| layout::rejection(&findings))
    }

    /// The profile of whose exports a header has so many columns that it can be no other sheet, of those that do not
    /// recognise it.
    fn half_known(&self, names: &HashSet<String>) -> Option<&Arc<Profile>> {
        let alike = self.known.iter().filter(|profile| profile.has_signs(names));
        alike.rev().max_by_key(|profile| profile.score(names))
    }

    /// Of the profiles that recognise a header the one that knows most of its columns; of equals the user's own. A built-in
    /// one that knows it only by what is found in other sheets too comes last: who has a profile for such a sheet has its
    /// orders by the ids that this one reads.
    fn best(&self, names: &HashSet<String>) -> Option<&Arc<Profile>> {
        let is_sure = |profile: &Arc<Profile>| {
            let is_built_in = BUILT_IN_PROFILES
                .iter()
                .any(|built_in| Arc::ptr_eq(built_in, profile));
            !is_built_in || profile.is_sure(|name| names.contains(name))
        };
        let recognised = self.known.iter().filter(|profile| profile.is_recognised(names));
        // The last of equals would win.
        recognised
            .rev()
            .max_by_key(|profile| (is_sure(profile), profile.score(names)))
    }
}

/// A sheet that a shop's export was, before columns were left out or renamed.
fn incomplete(profile: &Profile, names: &HashSet<String>) -> Rejection {
    let signs: Vec<&str> = profile.signs_in(names).collect();
    Rejection {
        code: Code::OtherExport,
        message: format!(
            "The sheet looks like an export that the profile `{}` reads (it has the columns {}), but it lacks {}. Read as \
             another kind of sheet, what is canceled, not paid or sent already could be ordered.",
            profile.name,
            signs.join(", "),
            profile.missing_in(names)
        ),
        hint: "Export it again with all columns. If it is a sheet of your own, rename or remove those columns, or let the \
               operator set profile = \"native\"."
            .to_owned(),
    }
}

/// An export that is known, and known not to work.
fn refused(profiles: &Profiles, names: &HashSet<String>) -> Option<Rejection> {
    let mut refusals = profiles.known.iter().flat_map(|profile| &profile.written.refuse);
    let refuse = refusals.find(|refuse| has_all(|name| names.contains(name), &refuse.recognise))?;
    Some(Rejection {
        code: Code::OtherExport,
        message: refuse.reason.clone(),
        hint: refuse.remedy.clone(),
    })
}

/// A sheet that the chosen profile does not match.
fn unlike(profile: &Profile, header: &Row, names: &HashSet<String>) -> Rejection {
    /// A header may have hundreds; a message is for reading.
    const SHOWN: usize = 100;
    let found: Vec<&str> = header
        .iter()
        .map(str::trim)
        .filter(|cell| !cell.is_empty())
        .take(SHOWN)
        .collect();
    Rejection {
        code: Code::OtherExport,
        message: format!(
            "The sheet is not laid out as the profile `{}` expects: it has no column {}. Its columns are: {}.",
            profile.name,
            profile.missing_in(names),
            found.join(", ")
        ),
        hint: "Export it as the profile expects, or let the operator choose \"auto\" or write a [profile.NAME] table."
            .to_owned(),
    }
}

#[cfg(test)]
mod tests;
