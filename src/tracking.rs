//! Trackings as people use them: number, carrier and link, wherever they stand in what the service gives. The fields
//! of its items are not stated, so the usual names are looked for, at any depth; what is not recognised is shown raw.

use std::collections::HashSet;

use serde_json::{Map, Value};

use crate::nesting::is_hidden_in;

/// How deep names are looked for in an item.
const DEPTH: u32 = 8;

/// Most parcels of one order that are told: more is hardly a list of parcels. How many more there are is said.
const MOST: usize = 2_000;

/// The longest line of parcels, in UTF-16 units: what a spreadsheet's cell holds, without the words at its end.
const LONGEST_LINE: usize = 32_600;

/// The longest text that is taken over, in characters.
const LONGEST: usize = 500;

/// What a tracking number alone is called, the best name first.
const OWN_NUMBERS: [&str; 12] = [
    "tracking",
    "trackings",
    "trackingnumber",
    "trackingnumbers",
    "trackingno",
    "trackingnum",
    "trackingcode",
    "trackingid",
    "awb",
    "waybill",
    "consignment",
    "consignmentnumber",
];
/// What other things have too: an event, say, or what a parcel holds.
const NUMBERS: [&str; 4] = ["number", "no", "code", "barcode"];
const CARRIERS: [&str; 12] = [
    "carrier",
    "carriername",
    "carriercode",
    "trackingcompany",
    "trackingcarrier",
    "company",
    "courier",
    "couriername",
    "shippingcarrier",
    "shippingcompany",
    "provider",
    "shipper",
];
const LINKS: [&str; 9] = [
    "url",
    "trackingurl",
    "trackingurls",
    "link",
    "trackinglink",
    "trackingpage",
    "href",
    "uri",
    "publicurl",
];
/// What a carrier that is an object is called by.
const NAMES: [&str; 4] = ["name", "title", "code", "id"];

/// A parcel on its way, as far as it was recognised.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parcel {
    /// Its number.
    pub number: Option<String>,
    /// Who carries it.
    pub carrier: Option<String>,
    /// Where it can be followed.
    pub link: Option<String>,
    /// The item as it came, where neither number nor link was recognised.
    pub raw: Option<String>,
}

impl Parcel {
    /// What tells it from the order's other parcels.
    pub fn name(&self) -> &str {
        let own = self.number.as_deref().or(self.link.as_deref());
        own.or(self.raw.as_deref()).unwrap_or_default()
    }

    /// Whether it can be followed; a label that is only announced cannot.
    pub fn is_told(&self) -> bool {
        self.number.is_some() || self.link.is_some()
    }

    /// Number, carrier and link, as far as they are known.
    pub fn shown(&self) -> String {
        let parts = [&self.number, &self.carrier, &self.link, &self.raw];
        let told: Vec<&str> = parts.into_iter().flatten().map(String::as_str).collect();
        told.join(" ")
    }
}

/// The parcels in raw `trackings`, each once. A text that is no JSON has none.
pub fn parcels(raw: &str) -> Vec<Parcel> {
    parcels_and_more(raw).0
}

/// The same, and how many there are beyond those.
fn parcels_and_more(raw: &str) -> (Vec<Parcel>, usize) {
    if is_hidden_in(raw.as_bytes()) {
        return (Vec::new(), 0);
    }
    let items = match serde_json::from_str(raw) {
        Ok(Value::Array(items)) => items,
        Ok(other) => vec![other],
        Err(_not_json) => Vec::new(),
    };
    let (mut found, mut names) = (Vec::new(), HashSet::new());
    for item in &items {
        let mut told = read(item, &Above::default(), true, DEPTH);
        if told.is_empty() && has_text(item) {
            told.push(Parcel {
                raw: Some(cut(&item.to_string())),
                ..Parcel::default()
            });
        }
        for parcel in told {
            if names.insert(parcel.name().to_owned()) && found.len() < MOST {
                found.push(parcel);
            }
        }
    }
    let more = names.len() - found.len();
    (found, more)
}

/// All parcels on one line, as far as a cell can hold them; none where there is none.
pub fn shown(raw: &str) -> Option<String> {
    let (parcels, more) = parcels_and_more(raw);
    let mut line = String::new();
    let (mut units, mut told) = (0, 0);
    for parcel in &parcels {
        let next = parcel.shown();
        units += next.encode_utf16().count() + SEPARATOR.len();
        if units > LONGEST_LINE {
            break;
        }
        if told > 0 {
            line.push_str(SEPARATOR);
        }
        line.push_str(&next);
        told += 1;
    }
    let left = parcels.len() - told + more;
    if left > 0 {
        let rest = format!(
            "{SEPARATOR}and {left} more, which do not fit in here: see the order at the print service"
        );
        line.push_str(&rest);
    }
    (!line.is_empty()).then_some(line)
}

/// What stands between two parcels on one line.
const SEPARATOR: &str = "; ";

/// The words of a text, each between spaces, without what has digits in it: times, counters and marks may be others with each
/// answer of a service that says the same.
pub fn words(text: &str) -> String {
    let is_apart = |c: char| !c.is_alphanumeric() && !matches!(c, '-' | '_' | '.' | '+' | '/');
    let words = text.split(is_apart);
    let words = words.filter(|word| !word.is_empty() && !word.contains(char::is_numeric));
    words.fold(" ".to_owned(), |told, word| told + word + " ")
}

/// What the objects around a value have told.
#[derive(Debug, Default)]
struct Above {
    carrier: Option<String>,
    /// One of them has a tracking number: a `code` in it is that of something else.
    is_numbered: bool,
}

/// What a value tells. A bare text counts only where `bare` is set.
fn read(value: &Value, above: &Above, bare: bool, depth: u32) -> Vec<Parcel> {
    if depth == 0 {
        return Vec::new();
    }
    match value {
        Value::Object(fields) => read_object(fields, above, depth),
        Value::Array(items) => items
            .iter()
            .flat_map(|item| read(item, above, bare, depth - 1))
            .collect(),
        Value::String(_) | Value::Number(_) if bare => match scalar(value) {
            Some(link) if is_link(&link) => vec![Parcel {
                link: Some(link),
                carrier: above.carrier.clone(),
                ..Parcel::default()
            }],
            Some(number) if is_number(&number) => vec![Parcel {
                number: Some(number),
                carrier: above.carrier.clone(),
                ..Parcel::default()
            }],
            Some(_) | None => Vec::new(),
        },
        Value::String(_) | Value::Number(_) | Value::Bool(_) | Value::Null => Vec::new(),
    }
}

fn read_object(fields: &Map<String, Value>, above: &Above, depth: u32) -> Vec<Parcel> {
    let mut own = Parcel {
        carrier: carrier(fields).or_else(|| above.carrier.clone()),
        ..Parcel::default()
    };
    let number = |names: &[&str]| first(fields, names).filter(|number| !is_link(number) && is_number(number));
    own.number = number(&OWN_NUMBERS);
    // A number that is still to come has its place already: what else has a number there is none of a parcel.
    let is_to_come = fields
        .iter()
        .any(|(name, value)| OWN_NUMBERS.contains(&plain(name).as_str()) && holds_a_place(value));
    if own.number.is_none() && !above.is_numbered && !is_to_come {
        own.number = number(&NUMBERS);
    }
    let around = Above {
        carrier: own.carrier.clone(),
        is_numbered: above.is_numbered || own.number.is_some() || is_to_come,
    };
    own.link = first(fields, &LINKS)
        .or_else(|| fields.values().filter_map(scalar).find(|text| is_link(text)))
        .filter(|link| is_link(link));
    let mut within: Vec<Parcel> = Vec::new();
    for (name, value) in fields {
        let name = plain(name);
        let name = name.as_str();
        let bare = OWN_NUMBERS.contains(&name)
            || LINKS.contains(&name)
            || !around.is_numbered && NUMBERS.contains(&name);
        let is_carrier = CARRIERS.contains(&name);
        if !is_carrier && matches!(value, Value::Object(_) | Value::Array(_)) {
            within.extend(read(value, &around, bare, depth - 1));
        }
    }
    // A link in an object of its own belongs to the number beside it.
    if own.number.is_some() && own.link.is_none() {
        let lone = within.iter().position(|parcel| parcel.number.is_none());
        own.link = lone.and_then(|at| within.remove(at).link);
    }
    if let [only] = within.as_mut_slice()
        && own.number.is_none()
        && only.link.is_none()
    {
        only.link = own.link.take();
    }
    if own.number.is_some() || (own.link.is_some() && within.is_empty()) {
        within.insert(0, own);
    }
    within
}

/// Whether a value stands where a number is to come: nothing, or what is none, such as `pending`.
fn holds_a_place(value: &Value) -> bool {
    value.is_null()
        || value
            .as_str()
            .is_some_and(|text| !is_link(text.trim()) && !is_number(text))
}

/// Whether a text may be a tracking number: `N/A`, `pending`, `-` and `0` hold the place of one, and every carrier's has
/// digits.
fn is_number(text: &str) -> bool {
    text.bytes().any(|byte| matches!(byte, b'1'..=b'9'))
}

/// The carrier's name, where it stands as a text or in an object of its own.
fn carrier(fields: &Map<String, Value>) -> Option<String> {
    first(fields, &CARRIERS).or_else(|| {
        let mut objects = fields
            .iter()
            .filter(|(name, _)| CARRIERS.contains(&plain(name).as_str()))
            .filter_map(|(_, value)| value.as_object());
        objects.find_map(|object| first(object, &NAMES))
    })
}

/// The first text under one of these names, the best name first.
fn first(fields: &Map<String, Value>, names: &[&str]) -> Option<String> {
    names.iter().find_map(|wanted| {
        let mut named = fields.iter().filter(|(name, _)| plain(name) == *wanted);
        named.find_map(|(_, value)| scalar(value))
    })
}

/// A field's name without case and punctuation.
fn plain(name: &str) -> String {
    name.chars()
        .filter(|c| c.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect()
}

fn scalar(value: &Value) -> Option<String> {
    let text = match value {
        // What no sheet can show, as a NUL, is a space.
        Value::String(text) => text.replace(char::is_control, " ").trim().to_owned(),
        Value::Number(number) => number.to_string(),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => return None,
    };
    (!text.is_empty()).then(|| cut(&text))
}

fn is_link(text: &str) -> bool {
    text.starts_with("https://") || text.starts_with("http://")
}

/// Whether anything stands in a value at all.
fn has_text(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(_) => false,
        Value::String(text) => !text.trim().is_empty(),
        Value::Number(_) => true,
        Value::Array(items) => items.iter().any(has_text),
        Value::Object(fields) => fields.values().any(has_text),
    }
}

fn cut(text: &str) -> String {
    text.chars().take(LONGEST).collect()
}

#[cfg(test)]
mod tests;
