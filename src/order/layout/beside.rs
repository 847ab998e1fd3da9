//! Columns beside those that are read: what they say is read where the first says nothing, or is an error. And columns
//! that are read as one.

use crate::sheet::Row;

use super::super::columns::{ADDRESSED_TO, Field, Fit, Part, normalized, part_apart, part_of};
use super::super::shop::Source;
use super::Found;
use super::vague::LAST;

/// A column that holds a field once more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::order) struct Twin {
    /// The field.
    pub(in crate::order) field: Field,
    /// Counted from 0.
    pub(in crate::order) column: usize,
    /// What it counts for.
    pub(in crate::order) role: Role,
}

/// What a column counts for that may hold a field once more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::order) enum Role {
    /// It is read where the column that is named as well says nothing; where both say something it is an error.
    AsGood,
    /// What it says is an error: a table has numbered it.
    Never,
    /// What it says is an error: it is the street of the address whose zip and city may be the ones that are read.
    OfAnother,
    /// A number in it is an error: it may count pieces.
    Counts,
    /// A code in it, beside a code, is an error: it may be an item's.
    Codes,
    /// It is read where the column that is named more clearly says nothing, and is something else where both say something.
    Vaguer,
    /// It holds a part of the city, by a name that is less clear: the same as [`Role::Vaguer`], but that an order which was
    /// sent without it is the same one.
    Within,
    /// It corrects what is read: what it says otherwise is an error.
    Corrects,
    /// It is read where nothing else says the province, and it names one of the row's country.
    Province {
        /// Whether a code is a name.
        by_code: bool,
    },
    /// It holds once more what is read from a shop's own column.
    Again {
        /// The column that is called as it is, counted from 0; none where it has the field's own name.
        of: Option<usize>,
    },
    /// It counts the pieces that are left to send, where the column that is read has those that were ordered.
    WhatIsLeft,
}

/// What a column counts, by its name beside `Qty`, whose pieces are left to send: `Quantity To Ship`.
const LEFT: [&str; 17] = [
    "toship",
    "tosend",
    "tofulfill",
    "tofulfil",
    "toprint",
    "toproduce",
    "open",
    "left",
    "lefttoship",
    "lefttosend",
    "remaining",
    "remainingtoship",
    "unfulfilled",
    "unshipped",
    "notshipped",
    "outstanding",
    "fulfillable",
];

/// The same as a whole name.
const OF_WHAT_IS_LEFT: [&str; 4] = ["offenemenge", "mengeoffen", "offeneanzahl", "restmenge"];

/// Columns of the pieces that are left to send, beside the one that is read.
pub(super) fn left_to_send(header: &Row, columns: &[Option<usize>; Field::COUNT]) -> Vec<Twin> {
    let field = Field::Quantity;
    let read = columns.get(field.index()).copied().flatten();
    let is_left = |column: &usize| {
        let text = header.text(*column);
        read.is_some_and(|read| read != *column) && Field::named(text).is_none() && counts_what_is_left(text)
    };
    let twin = |column| Twin {
        field,
        column,
        role: Role::WhatIsLeft,
    };
    (0..header.len()).filter(is_left).map(twin).collect()
}

fn counts_what_is_left(header: &str) -> bool {
    let name = normalized(header);
    let is_of_left = |word: &str| {
        let behind = name.strip_prefix(word).is_some_and(|rest| LEFT.contains(&rest));
        let before = name.strip_suffix(word);
        // `Left Qty` may be of a left side.
        behind || before.is_some_and(|before| before != "left" && LEFT.contains(&before))
    };
    OF_WHAT_IS_LEFT.contains(&name.as_str()) || ["quantity", "qty"].into_iter().any(is_of_left)
}

/// The columns that hold parts of a field's text, where the `columns` that are read do not have it, and a name is called as
/// well as `name`. One that may be something else's is a part only beside those of its own, or with none but parts between:
/// `Street`, `Floor`, `Door`; but a few tell it wherever they stand, in a sheet that has no other address.
pub(super) fn parts(
    header: &Row,
    own: &[usize],
    (columns, name): (&[Option<usize>; Field::COUNT], Option<Fit>),
) -> Vec<(Part, usize)> {
    let part_at = |column: usize| part_of(header.text(column), name);
    let whose = [&PAYERS[..], &OTHERS].concat();
    let has_others = super::has_two_addresses(header)
        || (0..header.len()).any(|column| is_address_of(&whose, header.text(column)));
    let is_one_of = |column: usize, fields: &[Field]| {
        let mut read = fields
            .iter()
            .filter_map(|field| columns.get(field.index())?.as_ref());
        read.any(|read| *read == column)
    };
    let is_passed = |column: &usize| {
        let part = part_at(*column);
        part.is_some_and(|part| part.has_digit() || part.field == Field::ShippingAddress1)
    };
    let is_beside = |part: &Part, column: usize| {
        let Some(fields) = part.beside else { return true };
        let (mut left, mut right) = ((0..column).rev(), column + 1..header.len());
        let passes = |column: &usize| {
            // A village stands beside its district, and both in an address.
            part.has_digit() && is_passed(column) || part.is_between && part_at(*column).is_some()
        };
        let neighbours = [
            left.find(|column| !passes(column)),
            right.find(|column| !passes(column)),
        ];
        let are_of_it = neighbours.map(|column| column.is_some_and(|column| is_one_of(column, fields)));
        let wanted = if part.is_between { 2 } else { 1 };
        are_of_it.into_iter().filter(|is_of_it| *is_of_it).count() >= wanted
    };
    let part = |column: &usize| {
        let near = part_at(*column).filter(|part| is_beside(part, *column));
        let apart = || part_apart(header.text(*column)).filter(|_| !has_others);
        Some((near.or_else(apart)?, *column))
    };
    own.iter().filter_map(part).collect()
}

/// Whether a column of pieces is by its name of those that are left to send.
pub(super) fn is_left_to_send(header: &str) -> bool {
    let name = normalized(header);
    ["toship", "open", "left", "remaining"]
        .iter()
        .any(|word| name.contains(word))
}

/// A name that is read from two columns, by the order in which its parts are written.
const NAMES: [(&str, &str); 11] = [
    ("firstname", "lastname"),
    ("firstname", "surname"),
    ("givenname", "familyname"),
    ("forename", "surname"),
    ("vorname", "nachname"),
    ("voornaam", "achternaam"),
    ("prénom", "nom"),
    ("prenom", "nom"),
    ("nombre", "apellidos"),
    ("nombre", "apellido"),
    ("first", "last"),
];

/// A street with its house number, in the languages in which the number follows.
const STREETS: [(&str, &str); 14] = [
    ("calle", "númeroexterior"),
    ("calle", "numeroexterior"),
    ("calle", "noexterior"),
    ("calle", "numext"),
    ("straße", "hausnummer"),
    ("straße", "hausnr"),
    ("straße", "nr"),
    ("strasse", "hausnummer"),
    ("strasse", "hausnr"),
    ("strasse", "nr"),
    ("straat", "huisnummer"),
    ("straat", "huisnr"),
    ("straat", "nr"),
    ("straat", "nummer"),
];

/// What is read from two columns, and how well their names say whose it is; `best` is the one that would be read by itself.
pub(super) fn joined(header: &Row, field: Field, best: Option<Found>) -> Option<(Source, Fit)> {
    let pairs: &[(&str, &str)] = match field {
        Field::ShippingName => &NAMES,
        Field::ShippingAddress1 => &STREETS,
        _ => return None,
    };
    let named = |name: &str| (0..header.len()).find(|column| normalized(header.text(*column)) == name);
    let pair = |to: &str, (one, other): &(&str, &str)| {
        let (one, two) = (named(&format!("{to}{one}"))?, named(&format!("{to}{other}"))?);
        // A number that stands elsewhere may count the rows.
        let is_pair = !COUNTERS.contains(other) || two == one + 1;
        // A column that names the whole is better than its parts, but of two words for a name one may be a part's.
        let is_best = best.is_none_or(|best| best.clarity == LAST || [one, two].contains(&best.column));
        (is_pair && is_best).then(|| vec![one, two])
    };
    let mut to = ADDRESSED_TO.into_iter().chain([""]);
    let (columns, fit) = to.find_map(|to| {
        let columns = pairs.iter().find_map(|words| pair(to, words))?;
        Some((columns, if to.is_empty() { Fit::Weak } else { Fit::Alias }))
    })?;
    let source = Source {
        field,
        columns,
        between: " ".to_owned(),
    };
    Some((source, fit))
}

/// What is called a number and may count the rows.
const COUNTERS: [&str; 2] = ["nr", "nummer"];

/// What else was `found` in a header for a field, beside the best: named in the same way, it is read by nobody's word.
pub(super) fn others(
    header: &Row,
    (field, found): (Field, &[Found]),
    best: Found,
) -> (Vec<Found>, Vec<Twin>) {
    let is_like_best = |found: &Found| {
        let is_native = found.fit == Fit::Native && best.fit == Fit::Exact;
        // An address that is less clear is compared all the same.
        let is_as_clear = found.clarity == best.clarity || field == Field::ShippingAddress1;
        let is_as_good = found.fit == best.fit && is_as_clear;
        found.column != best.column && (is_as_good || is_native)
    };
    let name = |found: &Found| normalized(header.text(found.column));
    let (alike, others): (Vec<Found>, Vec<Found>) = found.iter().copied().partition(is_like_best);
    let (same, alike): (Vec<Found>, Vec<Found>) = alike
        .into_iter()
        .partition(|found| field == Field::OrderId || name(found) == name(&best));
    let twin = |found: Found, role| Twin {
        field,
        column: found.column,
        role,
    };
    let others = others.into_iter().filter(|found| found.column != best.column);
    let (mut vaguer, others): (Vec<Found>, Vec<Found>) =
        others.partition(|found| is_of_the_place(field) && found.fit == best.fit);
    vaguer.sort_by_key(|found| found.clarity);
    let others = others
        .into_iter()
        .filter(|found| is_once_more(header, (field, best), found));
    let role = |found: &Found| match field {
        Field::Quantity if name(found) == QTY => Role::Never,
        Field::Quantity => Role::Counts,
        _ => Role::AsGood,
    };
    let twins = alike.into_iter().map(|found| twin(found, Role::AsGood));
    let twins = twins.chain(vaguer.into_iter().map(|found| twin(found, Role::Vaguer)));
    let twins = twins.chain(others.map(|found| twin(found, role(&found))));
    (same, twins.collect())
}

/// What counts pieces, whatever stands beside it.
const QTY: &str = "qty";

/// What counts pieces or something else: a `Count` may count the rows.
const PIECES: [&str; 4] = ["pieces", "pcs", "units", "copies"];

/// Whether an address has several of what a field is called, one within the other: a county in a state.
fn is_of_the_place(field: Field) -> bool {
    let fields = [
        Field::ShippingCity,
        Field::ShippingProvince,
        Field::ShippingProvinceCode,
    ];
    fields.contains(&field)
}

/// What the columns of a payer's address begin with.
pub(super) const PAYERS: [&str; 6] = ["bill", "payer", "invoice", "rechnung", "factur", "buyeraddress"];

/// What the columns of somebody begin with who may be another than the recipient.
pub(super) const OTHERS: [&str; 9] = [
    "customer", "buyer", "client", "cliente", "kunde", "klant", "soldto", "sender", "return",
];

/// What names the place in an address. Not a country, nor a state: an invoice has one without an address, and a state that
/// it is in.
const OF_A_PLACE: [&str; 14] = [
    "address",
    "adres",
    "addr",
    "street",
    "straße",
    "strasse",
    "straat",
    "city",
    "zip",
    "postal",
    "postcode",
    "plz",
    "postleitzahl",
    "stadt",
];

/// What is called an address and is none of a place.
const OF_NO_PLACE: [&str; 3] = ["email", "mailad", "ipad"];

/// Columns that may hold a whole address.
const WHOLE: [&str; 4] = ["billto", "billingto", "invoiceto", "soldto"];

/// Whether a header is of the address of one of those that its name begins with: an `Invoice No` has none.
pub(super) fn is_address_of(whose: &[&str], header: &str) -> bool {
    let name = normalized(header);
    let names = |words: &[&str]| words.iter().any(|word| name.contains(word));
    let is_place = names(&OF_A_PLACE) && !names(&OF_NO_PLACE);
    whose.iter().any(|word| name.starts_with(word)) && (is_place || WHOLE.contains(&&*name))
}

/// Whether a column means a field once more, though the best one names it better: an apartment beside the second line of an
/// address, and a `Qty` beside `quantity`. Other names that are not as good may mean something else there.
fn is_once_more(header: &Row, (field, best): (Field, Found), found: &Found) -> bool {
    let name = normalized(header.text(found.column));
    match field {
        Field::ShippingAddress2 => {
            let bare = ADDRESSED_TO.into_iter().find_map(|to| name.strip_prefix(to));
            let bare = bare.unwrap_or(&name);
            let is_apartment = ["apt", "apartment", "suite", "unitapt", "unitorapt", "unitsuite"]
                .iter()
                .any(|word| bare.starts_with(word));
            let has =
                |whose: &[&str]| (0..header.len()).any(|column| is_address_of(whose, header.text(column)));
            let street = super::candidates(header, Field::ShippingAddress1);
            let street = street
                .into_iter()
                .min_by_key(|street| (street.fit, street.clarity));
            let follows = |read: Found| found.column == read.column + 1;
            // Elsewhere one that does not say whose it is may be a customer's, who is another than the recipient.
            let is_beside = || follows(best) || street.is_some_and(follows);
            let is_ours = || !has(&PAYERS) && (is_beside() || !has(&OTHERS));
            is_apartment && (found.fit != Fit::Weak || is_ours())
        }
        // `quantity` itself is the one that counts.
        Field::Quantity => name == QTY || (best.fit == Fit::Alias && PIECES.contains(&&*name)),
        // A `Design URL` beside it may show what is bought, and a `Front` be a colour.
        _ => Field::ARTWORK.contains(&field) && name.starts_with("artwork"),
    }
}

#[cfg(test)]
mod tests;
