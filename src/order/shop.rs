//! A profile bound to a sheet's header: which of its columns say what, and what a row says with them.

mod meets;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::sheet::{CellKind, Row};

use super::columns::{Field, Level, normalized};
use super::day::{self, DayOrder};
use super::mend::quoted;
use super::packed::{self, BETWEEN_KEYS, PackedLine, line_of};
use super::profile::written::{From, Means, Of, OneOrMore, Skip, WithoutAddress, Written};
use super::profile::{Profile, names_in, source_names};
use super::stated::{Mark, NotBefore};
use super::unheeded::Unheeded;
use meets::meets;

/// What is no address yet: a phone may well be the billing's, and a shop fills the country and the province by itself.
const NO_ADDRESS: [Field; 5] = [
    Field::ShippingPhone,
    Field::ShippingProvince,
    Field::ShippingProvinceCode,
    Field::ShippingCountry,
    Field::ShippingCountryCode,
];

/// Where a field is read from, when that is not one cell of its own.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    pub(crate) field: Field,
    /// At least one.
    pub(crate) columns: Vec<usize>,
    /// What comes between their texts.
    pub(crate) between: String,
}

/// A profile bound to a header.
#[derive(Clone, Debug)]
pub(crate) struct Shop {
    profile: Arc<Profile>,
    /// What the header's columns are called, as a profile is recognised by it.
    names: HashSet<String>,
    /// By normalized name: the column, counted from 0; the leftmost of several.
    places: HashMap<String, usize>,
    /// Where a field is more than one cell.
    joined: Vec<Source>,
    /// What the address is read from on rows whose own is blank.
    instead: Vec<Source>,
    /// Where the phone is read from besides its own column, the best first.
    other_phones: Vec<usize>,
    /// The columns of packed lines, in order.
    packed: Vec<usize>,
    /// By the profile's rules: the column that each looks at, where it is there.
    skip: Vec<Option<usize>>,
    hold: Vec<Option<usize>>,
    printed: Vec<Option<usize>>,
}

/// What a row of a shop's export says beside its native cells.
#[derive(Clone, Debug, Default)]
pub(crate) struct RowSays {
    /// Why its line is not printed, by the rules that look at the row alone.
    pub(crate) aside: Option<(Means, String)>,
    /// Why it is none where it sums up the item rows below it.
    pub(crate) summary: Option<String>,
    /// The texts that rules about the whole order look at, by rule.
    pub(crate) of_order: Vec<String>,
    /// Why the order is to wait.
    pub(crate) holds: Vec<String>,
    /// What of that is said in columns of the sheet's own, beside its id or over its rows.
    pub(crate) marks: Vec<Mark>,
    /// The days before which it is not to be sent.
    pub(crate) not_before: Vec<NotBefore>,
    /// What it asks for that is not sent.
    pub(crate) unheeded: Vec<Unheeded>,
    /// Why it has no address.
    pub(crate) no_address: Option<String>,
    /// The day of the order, as it is written.
    pub(crate) date: String,
    /// Whether a spreadsheet keeps it as a date: it may have read it in another order than it was written in.
    pub(crate) is_date_cell: bool,
    /// The quantity as it was ordered, where that is not what is left to send.
    pub(crate) ordered: String,
    /// The shop's own number of the order.
    pub(crate) shop_order: String,
    /// The shop's own number of the line.
    pub(crate) shop_line: String,
    /// The service's id of the order, in a row of a result.
    pub(crate) made_as: String,
}

impl RowSays {
    /// Takes what a rule says that the row meets; the first one counts.
    fn set_aside(&mut self, rule: &Skip) {
        let reason = rule.reason.clone();
        if rule.means == Means::Summary {
            self.summary.get_or_insert(reason);
        } else {
            self.aside.get_or_insert((rule.means, reason));
        }
    }
}

impl Shop {
    pub(super) fn new(profile: &Arc<Profile>, header: &Row) -> Self {
        let mut places = HashMap::new();
        for column in 0..header.len() {
            let name = normalized(header.text(column));
            if !name.is_empty() && !super::columns::is_result(header.text(column)) {
                places.entry(name).or_insert(column);
            }
        }
        let written = profile.written();
        let first = |columns: &OneOrMore| {
            let mut names = columns.names().iter();
            names.find_map(|name| places.get(&normalized(name)).copied())
        };
        let skip = written.skip.iter().map(|rule| first(&rule.column)).collect();
        let hold = written.hold.iter().map(|rule| first(&rule.column)).collect();
        let printed = written.printed.iter().map(|rule| first(&rule.column)).collect();
        let packed = written.packed.as_ref().map_or_else(Vec::new, |packed| {
            let start = normalized(&packed.columns);
            let mut found: Vec<(u32, usize)> = places
                .iter()
                .filter_map(|(name, column)| Some((name.strip_prefix(&start)?.parse().ok()?, *column)))
                .collect();
            found.sort_unstable();
            found.into_iter().map(|(_, column)| column).collect()
        });
        let mut shop = Self {
            profile: Arc::clone(profile),
            names: names_in(header),
            places,
            joined: Vec::new(),
            instead: Vec::new(),
            other_phones: Vec::new(),
            packed,
            skip,
            hold,
            printed,
        };
        shop.joined = shop.sources(|_, from| matches!(from, From::Joined(_)), &written.columns);
        shop.instead = shop.sources(|_, _| true, &written.instead);
        if let Some(From::First(names)) = written.columns.get(Field::ShippingPhone.name()) {
            let found = names.iter().filter_map(|name| shop.place(name));
            shop.other_phones = found.skip(1).collect();
        }
        shop
    }

    /// The name of the profile.
    pub(crate) fn name(&self) -> &str {
        self.profile.name()
    }

    /// The profile as it is written.
    pub(super) fn written(&self) -> &Written {
        self.profile.written()
    }

    /// The columns by which the header was recognised.
    pub(crate) fn recognised_by(&self) -> Vec<&str> {
        let found = self.profile.recognised_by(|name| self.names.contains(name));
        found.unwrap_or_default()
    }

    /// Whether the header was recognised by columns that sheets of one's own may have too.
    pub(super) fn may_be_own(&self) -> bool {
        !self.profile.is_sure(|name| self.names.contains(name))
    }

    /// The column of a field, to point at; none where the header has none of those that the profile names.
    pub(super) fn column(&self, field: Field) -> Option<usize> {
        let from = self.profile.written().columns.get(field.name())?;
        if matches!(from, From::Joined(_)) {
            return self.columns_of(from).first().copied();
        }
        source_names(from).iter().find_map(|name| self.place(name))
    }

    /// Whether a row without an id belongs to the order above it.
    pub(crate) fn fills_down(&self) -> bool {
        self.profile.written().fill_down
    }

    /// The columns that hold a whole line each; empty where a row is a line.
    pub(crate) fn packed_columns(&self) -> &[usize] {
        &self.packed
    }

    /// The lines in a row's packed cells: SKU (or the key that stands for it), quantity and name of each.
    pub(crate) fn unpacked(&self, row: &Row) -> Vec<PackedLine> {
        let Some(packed) = &self.profile.written().packed else {
            return Vec::new();
        };
        self.packed
            .iter()
            .filter(|column| row.has_text(**column))
            .map(|column| line_of(packed, row, *column))
            .collect()
    }

    /// The packed columns of a row whose cell holds more than one line, each with the part that stands in it twice.
    pub(crate) fn packed_together(&self, row: &Row) -> Vec<(usize, &str)> {
        let Some(packed) = &self.profile.written().packed else {
            return Vec::new();
        };
        let columns = self.packed.iter();
        columns
            .filter_map(|column| Some((*column, packed::stands_twice(packed, row.text(*column))?)))
            .collect()
    }

    /// A column that is not read whose cell holds a packed line, where no cell that is read does.
    pub(crate) fn packed_elsewhere(&self, row: &Row) -> Option<usize> {
        let packed = self.profile.written().packed.as_ref()?;
        let is_read = self.packed.iter().any(|column| row.has_text(*column));
        let mut columns = (0..row.len()).filter(|_column| !is_read);
        columns.find(|column| packed::holds_a_line(packed, row.text(*column)))
    }

    /// How the columns of packed lines are called, without their numbers.
    pub(crate) fn packed_name(&self) -> &str {
        let packed = &self.profile.written().packed;
        packed.as_ref().map_or("", |packed| packed.columns.as_str())
    }

    /// Whether a field is read from several cells of each row.
    pub(crate) fn joins(&self, field: Field) -> bool {
        self.joined.iter().any(|source| source.field == field)
    }

    /// Where a row's fields are read from that are not read from one cell of their own.
    pub(crate) fn sources_of(&self, row: &Row) -> impl Iterator<Item = &Source> {
        let elsewhere = !self.instead.is_empty() && !self.has_address(row);
        let instead = if elsewhere { self.instead.as_slice() } else { &[] };
        let replaced = move |source: &&Source| !instead.iter().any(|other| other.field == source.field);
        self.joined.iter().filter(replaced).chain(instead)
    }

    /// The columns that the phone may be read from besides its own, each with its place among them.
    pub(crate) fn other_phones(&self) -> impl Iterator<Item = (usize, usize)> {
        self.other_phones.iter().copied().enumerate()
    }

    /// The columns that its profile names for a field.
    pub(crate) fn read_columns(&self) -> Vec<usize> {
        let sources = self.profile.written().columns.values();
        let names = sources.flat_map(source_names);
        names.filter_map(|name| self.place(name)).collect()
    }

    /// All the columns that its profile names: those that are read, judged, or told apart by.
    pub(super) fn named_columns(&self) -> Vec<usize> {
        let judged = self.judged_columns().into_iter();
        judged
            .chain(self.read_columns())
            .chain(self.key_columns())
            .collect()
    }

    /// What its profile says that a field is read from.
    pub(super) fn source(&self, field: Field) -> Option<&From> {
        self.profile.written().columns.get(field.name())
    }

    /// Whether its profile is one of those that everybody has, and not one of a merchant's own.
    pub(super) fn is_built_in(&self) -> bool {
        self.profile.is_built_in()
    }

    /// Whether the pieces are read that are left to send, and not those that were ordered.
    pub(crate) fn reads_what_is_left(&self) -> bool {
        let ordered = self.profile.written().ordered_quantity.as_ref();
        let ordered = ordered.and_then(|name| self.place(name));
        ordered.is_some() && ordered != self.column(Field::Quantity)
    }

    /// The columns that its rules look at.
    pub(crate) fn judged_columns(&self) -> Vec<usize> {
        let rules = self.skip.iter().chain(&self.hold).chain(&self.printed);
        rules.copied().flatten().collect()
    }

    /// The columns that together stand for the SKU of a line that has none.
    pub(crate) fn key_columns(&self) -> impl Iterator<Item = usize> {
        let names = &self.profile.written().sku_key;
        names.iter().filter_map(|name| self.place(name))
    }

    /// What stands for the SKU of a line that has none; empty where nothing does.
    pub(crate) fn key(&self, row: &Row) -> String {
        let parts: Vec<&str> = self
            .key_columns()
            .map(|column| row.text(column).trim())
            .filter(|text| !text.is_empty())
            .collect();
        parts.join(BETWEEN_KEYS)
    }

    /// Whether the export tells the lines of an order apart.
    pub(crate) fn tells_lines_apart(&self) -> bool {
        !self.profile.written().line_id.is_empty()
    }

    /// What tells a row's line from the others of its order; none where the export does not, or its first column is blank.
    pub(crate) fn line_id(&self, row: &Row) -> Option<String> {
        let names = &self.profile.written().line_id;
        let texts = names.iter().map(|name| self.text(row, Some(name)));
        let id: Vec<String> = texts.collect();
        let first = id.first()?;
        // What a spreadsheet has rounded is the same of many lines.
        (!first.is_empty() && !first.contains("E+")).then(|| id.join(BETWEEN_KEYS))
    }

    /// What a row says beside its native cells.
    pub(crate) fn says(&self, row: &Row) -> RowSays {
        let written = self.profile.written();
        let mut says = RowSays {
            date: self
                .date_column()
                .map_or_else(String::new, |column| row.text(column).trim().to_owned()),
            is_date_cell: self.has_date_cell(row),
            ordered: self.text(row, written.ordered_quantity.as_ref()),
            shop_order: self.text(row, written.shop_order.as_ref()),
            shop_line: self.text(row, written.shop_line.as_ref()),
            ..RowSays::default()
        };
        for (rule, column) in written.skip.iter().zip(&self.skip) {
            let text = column.map_or("", |column| row.text(column).trim());
            if rule.of == Of::Order {
                says.of_order.push(text.to_owned());
            } else if column.is_some() && meets(&rule.when, text) {
                says.set_aside(rule);
            }
        }
        for (rule, column) in written.hold.iter().zip(&self.hold) {
            if !column.is_some_and(|column| meets(&rule.when, row.text(column).trim())) {
                continue;
            }
            if rule.without_address.is_some() {
                says.no_address.get_or_insert_with(|| rule.reason.clone());
            }
            if rule.without_address != Some(WithoutAddress::Only) {
                says.holds.push(rule.reason.clone());
            }
        }
        says.holds.extend(self.taken_back(row).map(str::to_owned));
        if says.aside.is_none() {
            says.holds.extend(self.unknown_words(row));
        }
        says
    }

    /// What a row says in columns whose words are to be known, where no rule knows it.
    fn unknown_words(&self, row: &Row) -> impl Iterator<Item = String> {
        let written = self.profile.written();
        let rules = written.printed.iter().zip(&self.printed);
        rules.filter_map(move |(rule, column)| {
            let column = (*column)?;
            let text = row.text(column).trim();
            let is_filled = !self.text(row, rule.or_filled.as_ref()).is_empty();
            let is_known =
                text.is_empty() || is_filled || meets(&rule.when, text) || self.is_known(column, text);
            (!is_known).then(|| {
                format!(
                    "the shop calls this order {}, and it is not known whether that is to be printed",
                    quoted(text)
                )
            })
        })
    }

    /// What the packed lines of a row tell of what was taken back, as the end of a sentence.
    fn taken_back(&self, row: &Row) -> Option<&'static str> {
        let packed = self.profile.written().packed.as_ref()?;
        let mut cells = self.packed.iter().map(|column| row.text(*column));
        cells.find_map(|cell| packed::taken_back(packed, cell))
    }

    /// Whether a rule about a column knows what stands in it.
    fn is_known(&self, column: usize, text: &str) -> bool {
        let written = self.profile.written();
        let skip = written.skip.iter().map(|rule| &rule.when).zip(&self.skip);
        let hold = written.hold.iter().map(|rule| &rule.when).zip(&self.hold);
        skip.chain(hold)
            .any(|(when, of)| *of == Some(column) && meets(when, text))
    }

    /// Why no line of an order is printed, by the rules about the whole order. `texts` are those of [`RowSays`] of
    /// each of its rows.
    pub(crate) fn says_of_order(&self, rows: &[RowSays]) -> Vec<(Means, String)> {
        let written = self.profile.written();
        let rules = written.skip.iter().zip(&self.skip);
        let rules = rules.filter(|(rule, _)| rule.of == Of::Order).enumerate();
        let met = rules.filter(|(number, (rule, column))| {
            let text = rows
                .iter()
                .filter_map(|says| says.of_order.get(*number))
                .find(|text| !text.is_empty());
            column.is_some() && meets(&rule.when, text.map_or("", String::as_str))
        });
        met.map(|(_, (rule, _))| (rule.means, rule.reason.clone()))
            .collect()
    }

    /// Whether the export has a column that says of orders that they are canceled.
    pub(crate) fn tells_of_canceled(&self) -> bool {
        let rules = self.profile.written().skip.iter().zip(&self.skip);
        rules
            .filter(|(rule, _)| rule.means == Means::Canceled)
            .any(|(_, column)| column.is_some())
    }

    /// How the day of an order is written; none where the profile names no column for it.
    pub(crate) fn date_formats(&self) -> Option<&[String]> {
        self.profile
            .written()
            .date
            .as_ref()
            .map(|date| date.formats.as_slice())
    }

    /// What a row's day tells of how a spreadsheet read the days of its sheet.
    pub(crate) fn order_of_days(&self, row: &Row) -> DayOrder {
        match (self.date_column(), self.date_formats()) {
            (Some(column), Some(formats)) => {
                day::order_told(row.text(column), self.has_date_cell(row), formats)
            }
            (_, _) => DayOrder::Unknown,
        }
    }

    fn date_column(&self) -> Option<usize> {
        let date = self.profile.written().date.as_ref()?;
        date.column.names().iter().find_map(|name| self.place(name))
    }

    fn has_date_cell(&self, row: &Row) -> bool {
        self.date_column()
            .is_some_and(|column| row.kind(column) == CellKind::Date)
    }

    fn has_address(&self, row: &Row) -> bool {
        let fields = Field::ALL
            .into_iter()
            .filter(|field| field.is_address() && field.column().level == Level::Order);
        let columns = fields.flat_map(|field| {
            let from = self.profile.written().columns.get(field.name());
            let from = from.filter(|_| !NO_ADDRESS.contains(&field));
            from.map_or_else(Vec::new, |from| self.columns_of(from))
        });
        columns.into_iter().any(|column| row.has_text(column))
    }

    fn sources(
        &self,
        wanted: impl Fn(Field, &From) -> bool,
        columns: &std::collections::BTreeMap<String, From>,
    ) -> Vec<Source> {
        let fields = Field::ALL.into_iter();
        let named = fields.filter_map(|field| Some((field, columns.get(field.name())?)));
        named
            .filter(|(field, from)| wanted(*field, from))
            .map(|(field, from)| {
                let between = match from {
                    From::Joined(joined) => joined.between.clone(),
                    From::Column(_) | From::First(_) => String::new(),
                };
                Source {
                    field,
                    columns: self.columns_of(from),
                    between,
                }
            })
            .filter(|source| !source.columns.is_empty())
            .collect()
    }

    /// The columns that a field is read from: one, unless it is joined.
    fn columns_of(&self, from: &From) -> Vec<usize> {
        let mut found = source_names(from).iter().filter_map(|name| self.place(name));
        match from {
            From::Joined(_) => found.collect(),
            From::Column(_) | From::First(_) => found.next().into_iter().collect(),
        }
    }

    /// The column of a name; the leftmost of several.
    pub(super) fn place(&self, name: &str) -> Option<usize> {
        self.places.get(&normalized(name)).copied()
    }

    fn text(&self, row: &Row, name: Option<&String>) -> String {
        let column = name.and_then(|name| self.place(name));
        column.map_or_else(String::new, |column| row.text(column).trim().to_owned())
    }
}
