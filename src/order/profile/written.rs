//! A profile as it is written: a `[profile.NAME]` table of the config, or one of the built-in files. The doc comments
//! are the descriptions in `schema/config.schema.json`.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::order::columns::normalized;

/// How a shop's export is read. Columns are named as its header has them, without regard to case, spaces and
/// punctuation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Profile")]
pub struct Written {
    /// The columns by which the export is recognised: all of them have to be there, and of a list within one. One
    /// behind `=` has to be written just so, but for capitals.
    pub recognise: Vec<OneOrMore>,
    /// Other sets of columns by which it is recognised too, as where one of them has another name: all of a set have to be
    /// there, and of a list within one.
    #[serde(default)]
    pub recognise_also: Vec<Vec<OneOrMore>>,
    /// Other columns that only this shop has; those in a list within, which sheets of one's own may have as well, are
    /// one sign together. A sheet with two signs that lacks one of `recognise` is rejected: read as another kind of sheet, what is
    /// canceled, unpaid or sent would be printed.
    #[serde(default)]
    pub signs: Vec<OneOrMore>,
    /// What each native column (`order_id`, `shipping_name`, `item_sku`, …) is read from.
    pub columns: BTreeMap<String, From>,
    /// What the address is read from on rows whose own address is blank.
    #[serde(default)]
    pub instead: BTreeMap<String, From>,
    /// The column with the number that the shop itself gives the order.
    #[serde(default)]
    pub shop_order: Option<String>,
    /// The column with the number that the shop gives the line, where it wants to be told of parcels line by line.
    #[serde(default)]
    pub shop_line: Option<String>,
    /// The columns that together tell a line from the others of its order, the first of which is filled: two rows that say
    /// the same in them are one line, whatever else has changed between two exports.
    #[serde(default)]
    pub line_id: Vec<String>,
    /// The columns that together stand for a SKU where a line has none.
    #[serde(default)]
    pub sku_key: Vec<String>,
    /// The quantity as it was ordered, where `quantity` is read from a column that shrinks as pieces are sent.
    #[serde(default)]
    pub ordered_quantity: Option<String>,
    /// Whether a row with an item but without an id belongs to the order above it.
    #[serde(default)]
    pub fill_down: bool,
    /// The day on which an order was placed, for `not_before`.
    #[serde(default)]
    pub date: Option<DateColumn>,
    /// Columns with what the buyer wrote for the order, such as a note. It is not printed: a warning tells it.
    #[serde(default)]
    pub buyer_texts: Vec<String>,
    /// Columns with the options of a line, `Size:M,Personalization:Ada`. A text for the print among them is not printed: a
    /// warning tells it. So it is with a column whose own name says that it holds one.
    #[serde(default)]
    pub options: Vec<String>,
    /// The column with the shop's way of shipping, or several of which the first that is there counts. A warning tells one
    /// that is faster than the standard service, where `shipping_service` is blank.
    #[serde(default)]
    pub shipping_method: Option<OneOrMore>,
    /// Cells that hold a whole line each.
    #[serde(default)]
    pub packed: Option<Packed>,
    /// Rows and orders that are not printed.
    #[serde(default)]
    pub skip: Vec<Skip>,
    /// Orders that wait for a person.
    #[serde(default)]
    pub hold: Vec<HoldRule>,
    /// What means that an order is to be printed, in columns whose words no rule may know.
    #[serde(default)]
    pub printed: Vec<Printed>,
    /// Exports of the same shop that cannot be worked.
    #[serde(default)]
    pub refuse: Vec<Refuse>,
}

/// What a native column is read from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum From {
    /// A column.
    Column(String),
    /// The first of these columns that the header has; of the phone's, the first in which the order has something.
    First(Vec<String>),
    /// The cells of all these columns, one behind the other.
    Joined(Joined),
}

/// Cells that are joined.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Joined {
    /// The columns; those that are blank or not there are left out.
    pub join: Vec<String>,
    /// What stands between two of them.
    #[serde(default = "comma")]
    pub between: String,
}

fn comma() -> String {
    ", ".to_owned()
}

/// Where the day of an order stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DateColumn {
    /// The column, or several of which the first that is there counts.
    pub column: OneOrMore,
    /// How it may be written, as strptime has it; `2026-11-21` is always understood.
    #[serde(default)]
    pub formats: Vec<String>,
}

/// How a cell that holds a whole line is taken apart: `name:Tee|sku:AB-1|quantity:2`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Packed {
    /// How the names of the columns begin; a number follows.
    pub columns: String,
    /// What stands between two parts.
    pub between: String,
    /// What stands between a part's name and its value.
    pub after_name: String,
    /// The part that is the SKU.
    pub item_sku: String,
    /// The part that is the number of pieces.
    pub quantity: String,
    /// The part that is the product's name.
    #[serde(default)]
    pub product_name: Option<String>,
    /// The parts that together stand for a SKU where a line has none.
    #[serde(default)]
    pub sku_key: Vec<String>,
}

/// Rows or orders that are not printed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Skip {
    /// The column that is looked at, or several of which the first that is there counts; without one of them the
    /// rule does not apply.
    pub column: OneOrMore,
    /// What has to stand in it.
    pub when: When,
    /// Whether the cell speaks of its row or, on whichever row it stands, of the whole order.
    #[serde(default)]
    pub of: Of,
    /// What it means.
    pub means: Means,
    /// What a person is told, as the end of a sentence: "canceled in the shop".
    pub reason: String,
}

/// Orders that wait for a person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Hold")]
pub struct HoldRule {
    /// The column that is looked at, on every row of the order.
    pub column: OneOrMore,
    /// What has to stand in it.
    pub when: When,
    /// What a person is told, as the end of a sentence: "partly paid in the shop".
    pub reason: String,
    /// Set where an order may have no address by it, as one that the buyer picks up: its `reason` is told then. It goes on
    /// behind "for it is".
    #[serde(default)]
    pub without_address: Option<WithoutAddress>,
}

/// Which orders a rule is of that may have no address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum WithoutAddress {
    /// All of them: one that has an address is held.
    Too,
    /// Those alone that have none.
    Only,
}

/// What means that an order is to be printed. A word in the column that neither this nor another rule about it knows holds
/// the order: it may mean "canceled" in another language, or a state of the shop's own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Printed {
    /// The column that is looked at, on every row that is a line to print; a blank cell says nothing.
    pub column: OneOrMore,
    /// What stands in it where the order is to be printed.
    pub when: When,
    /// A column in which something stands where an order is to be printed whatever an unknown word says, such as the time
    /// at which it was paid.
    #[serde(default)]
    pub or_filled: Option<String>,
}

/// A column, or several of which the first that is there counts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum OneOrMore {
    /// One.
    One(String),
    /// The first of these that the header has.
    First(Vec<String>),
}

/// What stands before the name of a column that has to be written just so, but for capitals.
pub(in crate::order) const AS_WRITTEN: char = '=';

impl OneOrMore {
    /// The columns, the best first.
    pub(in crate::order) fn names(&self) -> &[String] {
        match self {
            Self::One(name) => std::slice::from_ref(name),
            Self::First(names) => names,
        }
    }

    /// Those that a header has, by their [`normalized`] names, the best first. One behind `=` has to be written just so too.
    pub(in crate::order) fn found(&self, has: impl Fn(&str) -> bool) -> impl Iterator<Item = &str> {
        let names = self.names().iter().map(String::as_str);
        let has = move |name: &&str| {
            has(&normalized(name)) && (!name.starts_with(AS_WRITTEN) || has(&name.to_lowercase()))
        };
        names.filter(has).map(|name| name.trim_start_matches(AS_WRITTEN))
    }
}

/// What has to stand in a cell.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum When {
    /// Something, nothing, or something without a digit.
    Is(Filling),
    /// One of these words, without regard to case; `Seller ID*` is anything that begins so.
    Words(Vec<String>),
}

/// How a cell is filled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Filling {
    /// Something stands in it.
    Filled,
    /// Nothing stands in it.
    Blank,
    /// Something stands in it that has no digit.
    WithoutDigits,
}

/// Of what a cell speaks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Of {
    /// Of its own row.
    #[default]
    Line,
    /// Of the whole order: the first row counts that has something in the column.
    Order,
}

/// What it means that a row or an order is not printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Means {
    /// Canceled or refunded in the shop. An order that was created before is still at the printer: an error says so.
    Canceled,
    /// Sent already. An order that was created before stays as it is.
    Fulfilled,
    /// Not paid yet; it is printed once a later export says that it is.
    Unpaid,
    /// A line that is nothing to print.
    NotPhysical,
    /// A footer, a summary or an explanation. What a summary row says of the order counts.
    NoLine,
    /// A row that may sum up the item rows below it, which is none of the lines then; what it says of the order counts,
    /// and where it is canceled, sent or not paid, so are they all. Where no item row follows, it is a line itself.
    Summary,
}

/// An export of the same shop that cannot be worked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Refuse {
    /// The columns by which it is recognised: all of them have to be there, and of a list within one.
    pub recognise: Vec<OneOrMore>,
    /// A sentence that says what the file is.
    pub reason: String,
    /// A sentence that says which file is wanted.
    pub remedy: String,
}
