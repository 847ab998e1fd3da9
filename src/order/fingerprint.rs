//! What the merchant's own cells of an order come to, as hashes: to know the same order when it comes again, and to
//! name what differs after the content itself is erased.

mod instead;

use std::borrow::Cow;

use data_encoding::HEXLOWER;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use self::instead::{Instead, RegionCodes};
use super::cells::{Cells, Own};
use super::characters::folded_sku;
use super::columns::{Field, Level};
use super::draft::Draft;
use super::service;

/// The version of the method. A ledger holds fingerprints of every version that ever was, and an order is compared in
/// the version in which it was kept.
const VERSION: &str = "5";

/// The fourth version: cells as they were written, though words for nothing are not sent, nor a web page's marks.
const FOURTH: &str = "4";

/// The third version: phones as they were written, though a workbook's number has neither their `+` nor the zeros in front.
const THIRD: &str = "3";

/// The second version: the shipping service as it was written, though words for the standard one are not sent.
const SECOND: &str = "2";

/// The first version: places as they were written, and the lines as one field.
const FIRST: &str = "1";

/// The hexadecimal digits that are kept of a field's hash: enough to name what differs, and a ledger keeps some twenty
/// an order.
const KEPT_DIGITS: usize = 16;

/// The name under which the lines count as one field: all there was of them in the first version, and what is left to
/// name where every value is the same and only the lines that they stand in differ.
const LINES: &str = "order lines";

/// A versioned hash of the merchant's own cells after mending (address, every line's SKU, quantity, artwork),
/// independent of the order of the rows, of how a place (`USA`, `United States`) or a phone is written, of words for nothing
/// (`N/A`) and for the standard shipping service, with a hash a field so that a difference can be named after the content itself is erased.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fingerprint {
    /// The hash of everything, with the version of the method in front: `5:9f86d0…`.
    pub whole: String,
    /// A field's name and the beginning of the hash of its value, or of the values on all lines. Blank fields are left
    /// out, so that a column more or less makes no difference.
    pub fields: Vec<(String, String)>,
}

impl Fingerprint {
    pub(crate) fn of(draft: &Draft) -> Self {
        Self::in_this_version((draft, draft.order_id()))
    }

    /// The same in the version of a fingerprint that was kept, so that both can be compared.
    pub(crate) fn like(kept: &str, draft: &Draft) -> Self {
        Self::in_version_of(kept, (draft, draft.order_id()))
    }

    fn in_this_version(named: (&Draft, &str)) -> Self {
        Self::with(
            named,
            Reading::AsMeant,
            &Instead::in_fourth(named.0, Reading::AsMeant),
            VERSION,
        )
    }

    fn in_version_of(kept: &str, named: (&Draft, &str)) -> Self {
        let written = Reading::AsWritten;
        let with = match kept.split_once(':') {
            Some((FIRST, _)) => Self::as_written,
            Some((SECOND, _)) => Self::in_second,
            Some((THIRD, _)) => return Self::with(named, written, &Instead::in_third(named.0), THIRD),
            Some((FOURTH, _)) => {
                return Self::with(named, written, &Instead::in_fourth(named.0, written), FOURTH);
            }
            _ => return Self::in_this_version(named),
        };
        let written = with(named, None);
        if written.whole == kept || !is_standard(named.0) {
            return written;
        }
        // Of what is not sent the older versions kept the word.
        let words = std::iter::once("").chain(service::STANDARD);
        let mut others = words.map(|word| with(named, Some(word)));
        others.find(|other| other.whole == kept).unwrap_or(written)
    }

    fn as_written(named: (&Draft, &str), service: Option<&'static str>) -> Self {
        let mut fields = Fields::of(named, Reading::AsWritten);
        fields.of_the_order(&Instead {
            place: RegionCodes::AS_WRITTEN,
            service,
            phone: None,
        });
        fields.lines();
        fields.whole(FIRST)
    }

    fn in_second(named: (&Draft, &str), service: Option<&'static str>) -> Self {
        let instead = Instead {
            place: RegionCodes::of(named.0, Reading::AsWritten),
            service,
            phone: None,
        };
        Self::with(named, Reading::AsWritten, &instead, SECOND)
    }

    fn with(named: (&Draft, &str), reading: Reading, instead: &Instead, version: &str) -> Self {
        let mut fields = Fields::of(named, reading);
        fields.of_the_order(instead);
        fields.of_the_lines();
        fields.lines();
        fields.whole(version)
    }

    /// Whether it is of the version of one that was kept.
    pub(crate) fn is_like(&self, kept: &str) -> bool {
        let version = |whole: &str| whole.split_once(':').map(|(version, _)| version.to_owned());
        version(&self.whole) == version(kept)
    }

    /// What the draft says otherwise than an order that was kept, by the names of the fields as the sheet's columns are
    /// named: of what it leaves blank it says nothing. Its id is taken for the kept one's, however the sheet writes it.
    pub(crate) fn contradicted(&self, order_id: &str, draft: &Draft) -> Vec<String> {
        let own = Self::in_version_of(&self.whole, (draft, order_id));
        let mut names = own.beyond(self);
        // The lines as a whole can be held against each other only where the draft says as much of them.
        let says_as_much = self
            .fields
            .iter()
            .filter(|(name, _)| name != LINES && is_of_a_line(name))
            .all(|(name, _)| own.fields.iter().any(|(own, _)| own == name));
        if !says_as_much || !says_something_of_lines(draft) {
            names.retain(|name| name != LINES);
        }
        without_the_lines_beside_others(names)
    }

    /// Whether a field of this name says which pieces an order asks for.
    pub fn is_of_pieces(name: &str) -> bool {
        [LINES, Field::ItemSku.name(), Field::Quantity.name()].contains(&name)
    }

    /// The names of the fields that differ, as the sheet's columns are named.
    pub fn differing(&self, other: &Self) -> Vec<String> {
        let mut names = self.beyond(other);
        for name in other.beyond(self) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        without_the_lines_beside_others(names)
    }

    /// The names of the fields that say what the other's do not.
    fn beyond(&self, other: &Self) -> Vec<String> {
        // Of one that was kept long ago the hashes may be whole.
        let is_same = |a: &(String, String), b: &(String, String)| {
            a.0 == b.0 && (a.1.starts_with(&b.1) || b.1.starts_with(&a.1))
        };
        let has = |field| other.fields.iter().any(|known| is_same(known, field));
        let fields = self.fields.iter().filter(|field| !has(field));
        fields.map(|(name, _)| name.clone()).collect()
    }
}

/// What is taken of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reading {
    /// What is written in it.
    AsWritten,
    /// What is meant by that, and sent.
    AsMeant,
}

impl Reading {
    fn of(self, draft: &Draft, field: Field) -> &str {
        match self {
            Self::AsWritten => draft.written(field),
            Self::AsMeant => draft.value(field).text,
        }
    }
}

/// The hashes of an order's fields, one after the other.
struct Fields<'a> {
    draft: &'a Draft,
    reading: Reading,
    order_id: &'a str,
    hashed: Vec<(String, String)>,
    /// What the hash of everything is taken of: each field's name, and its hash in full.
    all: Parts,
    /// Kept for their memory.
    parts: Parts,
    digits: String,
}

impl<'a> Fields<'a> {
    fn of((draft, order_id): (&'a Draft, &'a str), reading: Reading) -> Self {
        let mut all = Parts::default();
        all.add(order_id);
        Self {
            draft,
            reading,
            order_id,
            hashed: Vec::new(),
            all,
            parts: Parts::default(),
            digits: String::new(),
        }
    }

    /// The fields that speak of the whole order and are not blank.
    fn of_the_order(&mut self, instead: &Instead) {
        let of_it = |field: &Field| is_content(*field) && field.column().level == Level::Order;
        for field in Field::ALL.into_iter().filter(of_it) {
            let own = self.reading.of(self.draft, field);
            let text = instead.of(field).unwrap_or(own);
            if !text.is_empty() {
                self.add(field.name(), &[text]);
            }
        }
    }

    /// The fields of lines of which one is not blank, each with its values on all lines, whatever their order.
    fn of_the_lines(&mut self) {
        let mut values = Vec::new();
        for field in Field::ALL.into_iter().filter(|field| of_the_line(*field)) {
            values.clear();
            let lines = self.draft.content_lines();
            values.extend(lines.map(|line| line_value(line, field, self.reading)));
            if values.iter().any(|value| !value.is_empty()) {
                values.sort_unstable();
                self.add(field.name(), &values);
            }
        }
    }

    /// The lines as one field, whatever their order.
    fn lines(&mut self) {
        let mut lines = Vec::new();
        for line in self.draft.content_lines() {
            lines.push(self.parts.line_hash(line, self.reading));
        }
        lines.sort_unstable();
        self.add(LINES, &lines);
    }

    fn add(&mut self, name: &str, values: &[impl AsRef<str>]) {
        self.parts.clear();
        self.parts.add(self.order_id);
        self.parts.add(name);
        for value in values {
            self.parts.add(value.as_ref());
        }
        self.digits.clear();
        self.parts.hash(&mut self.digits);
        self.all.add(name);
        self.all.add(&self.digits);
        let kept = self.digits.get(..KEPT_DIGITS).unwrap_or_default();
        self.hashed.push((name.to_owned(), kept.to_owned()));
    }

    fn whole(self, version: &str) -> Fingerprint {
        let mut whole = format!("{version}:");
        self.all.hash(&mut whole);
        Fingerprint {
            whole,
            fields: self.hashed,
        }
    }
}

/// Texts that are hashed as one, each told from the next.
#[derive(Default)]
struct Parts(Vec<u8>);

impl Parts {
    fn clear(&mut self) {
        self.0.clear();
    }

    fn add(&mut self, text: &str) {
        self.0.extend_from_slice(text.as_bytes());
        // No UTF-8 text holds this byte.
        self.0.push(0xff);
    }

    /// Adds their SHA-256 to a text, as 64 hexadecimal digits.
    fn hash(&self, to: &mut String) {
        HEXLOWER.encode_append(&Sha256::digest(&self.0), to);
    }

    /// A line of the merchant's own as one hash.
    fn line_hash(&mut self, line: &Cells, reading: Reading) -> String {
        self.clear();
        self.add(Field::ItemSku.name());
        self.add(&line_value(line, Field::ItemSku, reading));
        for field in Field::ALL.into_iter().filter(|field| of_the_line(*field)) {
            let text = own_text(line, field, reading);
            if field != Field::ItemSku && !text.is_empty() {
                self.add(field.name());
                self.add(text);
            }
        }
        let mut hash = String::new();
        self.hash(&mut hash);
        hash
    }
}

/// A line as a whole differs with every value of it: it is worth a word only where nothing else does. Where both SKU and
/// quantity differ, as they do with a line more or less, the lines alone are named.
fn without_the_lines_beside_others(mut names: Vec<String>) -> Vec<String> {
    let is_among = |field: &Field| names.iter().any(|name| name == field.name());
    let are_others = [Field::ItemSku, Field::Quantity].iter().all(is_among);
    if names.len() > 1 {
        names.retain(|name| name != LINES && !(are_others && is_of_a_line(name)));
    }
    names.extend(are_others.then(|| LINES.to_owned()));
    names
}

/// Whether a draft has anything in a column that is content.
pub(super) fn has_content(draft: &Draft) -> bool {
    let of_the_order = |field: &Field| is_content(*field) && field.column().level == Level::Order;
    let mut fields = Field::ALL.into_iter().filter(of_the_order);
    fields.any(|field| !draft.value(field).text.is_empty()) || says_something_of_lines(draft)
}

/// Whether an order has anything in a column of its lines.
fn says_something_of_lines(draft: &Draft) -> bool {
    let says = |line: &Cells| {
        let mut fields = Field::ALL.into_iter().filter(|field| of_the_line(*field));
        fields.any(|field| !own_text(line, field, Reading::AsMeant).is_empty())
    };
    draft.content_lines().any(says)
}

/// Whether nothing is sent for the shipping service.
fn is_standard(draft: &Draft) -> bool {
    service::is_standard(draft.value(Field::ShippingService).text)
}

fn is_of_a_line(name: &str) -> bool {
    let mut fields = Field::ALL.into_iter();
    fields.any(|field| of_the_line(field) && field.name() == name)
}

fn of_the_line(field: Field) -> bool {
    field.column().level == Level::Line
}

/// What a line says of a field. The catalog writes a SKU in its own case and with hyphens of its own: the merchant's are
/// not content.
fn line_value(line: &Cells, field: Field, reading: Reading) -> Cow<'_, str> {
    let text = own_text(line, field, reading);
    match reading {
        _ if field != Field::ItemSku => Cow::Borrowed(text),
        Reading::AsWritten => Cow::Owned(text.to_lowercase()),
        Reading::AsMeant => Cow::Owned(folded_sku(text)),
    }
}

/// What a line of the merchant's own says of a field: as it was before the SKU map, and as it was ordered, whatever of it is
/// left to send.
fn own_text(line: &Cells, field: Field, reading: Reading) -> &str {
    if let Some(own) = line.own() {
        let meant = own.meant.iter().filter(|_| reading == Reading::AsMeant);
        let mut said = meant.chain(&own.texts);
        return said
            .find(|(known, _)| *known == field)
            .map_or("", |(_, text)| text);
    }
    let ordered = line.says().map_or("", |says| says.ordered.as_str());
    match reading {
        _ if field == Field::Quantity && !ordered.is_empty() => ordered,
        Reading::AsWritten => line.written(field),
        Reading::AsMeant => line.text(field),
    }
}

/// What a line is, to be kept before a row of the SKU map replaces some of it.
pub(super) fn own(line: &Cells, map_row: u32) -> Own {
    let said = |reading| {
        let line_fields = Field::ALL.into_iter().filter(|field| of_the_line(*field));
        line_fields.map(move |field| (field, own_text(line, field, reading)))
    };
    let owned = |(field, text): (Field, &str)| (field, text.to_owned());
    let written = said(Reading::AsWritten);
    let other = said(Reading::AsMeant)
        .zip(written.clone())
        .filter(|(meant, written)| meant != written);
    Own {
        sku: line.text(Field::ItemSku).to_owned(),
        meant: other.map(|(meant, _)| owned(meant)).collect(),
        texts: written.filter(|(_, text)| !text.is_empty()).map(owned).collect(),
        map_row,
    }
}

/// What is asked of dropsheet itself, and the id, are not what is printed.
fn is_content(field: Field) -> bool {
    !matches!(field, Field::OrderId | Field::ExpectedTotal | Field::Action)
}

#[cfg(test)]
mod tests;
