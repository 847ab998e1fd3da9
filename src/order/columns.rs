//! The table of an order sheet's columns: native names, which cells speak of the whole order, how long a value may
//! be, what kind of text it is, and the other headers that people write for it. Data, not code.

mod abroad;
mod parts;

use std::collections::HashMap;
use std::sync::LazyLock;

use unicode_normalization::UnicodeNormalization;

pub(super) use parts::{Part, Texts, is_a_carrier, is_of_a_room, is_of_a_unit, part_apart, part_of};

/// How a page begins that is laid out as an order sheet and is none: the example in the blank order sheet.
pub const NEVER_ORDERED: &str = "This page is never ordered.";

/// Whether a cell speaks of the whole order or of its own line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Level {
    /// The same on every row of an order; may be blank on the later ones.
    Order,
    /// One row's own.
    Line,
}

/// What kind of text a cell holds: it decides what may be mended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// An order id.
    Id,
    /// A SKU or another word that is looked up.
    Word,
    /// A phone number.
    Phone,
    /// A postal code.
    Zip,
    /// A country's or province's code; short ones are written in capitals.
    Place,
    /// A code of the service, written in capitals.
    Service,
    /// A whole number.
    Count,
    /// An amount.
    Amount,
    /// One line of an address or a name; line breaks become commas.
    Line,
    /// Free text; line breaks stay.
    Text,
    /// A URL.
    Url,
}

/// What is known of a column.
#[derive(Debug)]
pub(crate) struct Column {
    /// The native name, as the create request names the field.
    pub(crate) name: &'static str,
    /// Whose cell it is.
    pub(crate) level: Level,
    /// What kind of text it holds.
    pub(crate) form: Form,
    /// Most characters of a value. The interface states no limits; these are far above any honest value.
    pub(crate) max_chars: usize,
    /// Other headers for the column, as [`normalized`].
    aliases: &'static [&'static str],
    /// Headers that mean it only where no better one is there, as [`normalized`].
    weak: &'static [&'static str],
}

impl Column {
    /// Most bytes of a text that are held: more than it may have, whatever its characters.
    pub(crate) fn most_bytes(&self) -> usize {
        const LONGEST: usize = 4;
        self.max_chars.saturating_add(1).saturating_mul(LONGEST)
    }
}

macro_rules! columns {
    ($($field:ident $name:literal $level:ident $form:ident $max:literal [$($alias:literal)*] [$($weak:literal)*];)*) => {
        /// A column that dropsheet knows.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub(crate) enum Field {
            $(#[doc = concat!("`", $name, "`")] $field,)*
        }

        impl Field {
            /// Every field, in the order of the table.
            pub(crate) const ALL: [Self; Self::COUNT] = [$(Self::$field,)*];

            /// How many there are.
            pub(crate) const COUNT: usize = [$($name,)*].len();

            /// What is known of the column.
            pub(crate) fn column(self) -> &'static Column {
                match self {
                    $(Self::$field => &Column {
                        name: $name,
                        level: Level::$level,
                        form: Form::$form,
                        max_chars: $max,
                        aliases: &[$($alias,)*],
                        weak: &[$($weak,)*],
                    },)*
                }
            }
        }
    };
}

// Of an address's columns the aliases are stems: each stands for itself (weakly) and with every word of
// `ADDRESSED_TO` before it.
columns! {
    OrderId "order_id" Order Id 64
        ["ordernumber" "orderno" "ordernum" "ordernr" "orderref" "orderreference" "ordername" "ordercode"]
        ["order" "id" "reference" "ref" "ponumber" "salesorder" "ndecommande" "nocommande" "commande" "nodepedido" "ndepedido"
         "pedido"];
    ShippingName "shipping_name" Order Line 100
        ["name" "fullname" "contactname"]
        ["customername" "customer" "buyername" "buyer"];
    ShippingPhone "shipping_phone" Order Phone 40
        ["phone" "phonenumber" "phoneno" "telephone" "tel" "mobile" "contactnumber"] [];
    ShippingAddress1 "shipping_address1" Order Line 200
        ["address1" "addressline1" "addr1" "addrline1" "address" "street" "street1" "streetaddress" "line1"] [];
    ShippingAddress2 "shipping_address2" Order Line 200
        ["address2optional" "addressline2optional" "apartment" "apt" "suite" "aptno" "aptnumber" "apartmentno"
         "apartmentnumber" "suiteno" "suitenumber" "aptunit" "aptsuite" "apartmentsuite" "apartmentsuiteetc"
         "apartmentsuiteetcoptional"]
        ["shippingunit" "shiptounit" "shipunit" "recipientunit" "deliveryunit" "addressunit" "apartmentunit"];
    ShippingCity "shipping_city" Order Line 100
        ["city" "town" "cityname" "towncity" "citytown" "suburb" "locality"] [];
    ShippingProvince "shipping_province" Order Line 100
        ["province" "state" "provincename" "statename" "region" "county" "stateprovince" "provincestate"
         "stateorprovince" "stateregion"] [];
    ShippingProvinceCode "shipping_province_code" Order Place 100
        ["provincecode" "statecode" "regioncode" "stateabbreviation" "stateprovincecode"] [];
    ShippingZip "shipping_zip" Order Zip 20
        ["zip" "zipcode" "postcode" "postalcode" "postal" "zippostalcode" "postalzip" "zippostcode" "pincode" "plz"] [];
    ShippingCountry "shipping_country" Order Line 100
        ["country" "countryname"] [];
    ShippingCountryCode "shipping_country_code" Order Place 100
        ["countrycode" "countryiso" "countryiso2" "countryisocode"] [];
    ShippingService "shipping_service" Order Service 40
        ["shippingservicecode" "shippingmethod" "shipmethod" "shippingspeed" "servicelevel" "shipservicelevel"
         "deliveryservice" "deliverymethod"]
        ["service"];
    ItemSku "item_sku" Line Word 100
        ["sku" "skucode" "productsku" "variantsku" "lineitemsku" "skunumber"]
        ["itemcode" "productcode" "articlenumber"];
    Quantity "quantity" Line Count 40
        ["qty" "quantityordered" "qtyordered" "orderquantity" "itemquantity" "itemqty" "quantitypurchased"
         "lineitemquantity"]
        ["pieces" "pcs" "units" "count" "copies"];
    ProductName "product_name" Line Line 300
        ["itemname" "itemtitle" "producttitle" "lineitemname"]
        ["product" "item" "title" "description"];
    MadeInLocation "made_in_location" Line Line 100
        ["madein" "productionlocation" "fulfillmentlocation" "fulfilmentlocation"]
        ["location"];
    VariantNote "variant_note" Line Text 500
        ["itemnote" "itemnotes" "linenote" "variantnotes" "printnote"]
        ["note" "notes" "comment" "comments"];
    MockupUrl "mockup_url" Line Url 2000
        ["mockup" "mockuplink" "mockupimage" "mockupfile"]
        ["preview" "previewurl"];
    ArtworkFront "artwork_front" Line Url 2000
        ["artworkfronturl" "artworkurlfront" "frontartwork" "frontartworkurl" "designfront" "designfronturl"
         "frontdesign" "frontdesignurl" "printfilefront"]
        ["artwork" "artworkurl" "artworklink" "artworkfile" "artwork1" "artwork1url" "artworkurl1" "design" "designurl"
         "designlink" "design1" "designurl1" "printfile" "printfileurl" "printfile1" "printfileurl1" "printurl" "front"
         "fronturl"];
    ArtworkBack "artwork_back" Line Url 2000
        ["artworkbackurl" "artworkurlback" "backartwork" "backartworkurl" "designback" "designbackurl" "backdesign"
         "backdesignurl" "printfileback"]
        ["back" "backurl"];
    Artwork2 "artwork_2" Line Url 2000 ["artwork2url" "artworkurl2" "design2" "designurl2"] [];
    Artwork3 "artwork_3" Line Url 2000 ["artwork3url" "artworkurl3" "design3" "designurl3"] [];
    Artwork4 "artwork_4" Line Url 2000 ["artwork4url" "artworkurl4" "design4" "designurl4"] [];
    Artwork5 "artwork_5" Line Url 2000 ["artwork5url" "artworkurl5" "design5" "designurl5"] [];
    ExpectedTotal "expected_total" Order Amount 40
        ["expectedprice" "expectedtotalprice" "expectedcost" "expectedordertotal"] [];
    Action "action" Order Word 40 ["orderaction"] [];
}

/// The words that stand before an address's columns: `Ship To City`, `Recipient Phone`.
pub(super) const ADDRESSED_TO: [&str; 9] = [
    "shipping",
    "shipto",
    "ship",
    "shipment",
    "recipient",
    "delivery",
    "deliverto",
    "consignee",
    "liefer",
];

/// Words that name the one who gets the parcel by themselves, better than `Name` or `Customer` does.
pub(super) const ADDRESSEE: [&str; 6] = [
    "recipient",
    "shipto",
    "deliverto",
    "consignee",
    "receiver",
    "receivername",
];

/// How well a header names a field; the best one wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Fit {
    /// The native name itself.
    Exact,
    /// The native name but for case, spaces and punctuation.
    Native,
    /// A usual other name.
    Alias,
    /// A name that could mean something else.
    Weak,
}

impl Field {
    /// The artwork columns, front first.
    pub(crate) const ARTWORK: [Self; 6] = [
        Self::ArtworkFront,
        Self::ArtworkBack,
        Self::Artwork2,
        Self::Artwork3,
        Self::Artwork4,
        Self::Artwork5,
    ];

    /// The position in [`Field::ALL`].
    #[expect(clippy::as_conversions, reason = "the number of a variant of a small enum")]
    pub(crate) const fn index(self) -> usize {
        self as usize
    }

    /// The native name.
    pub(crate) fn name(self) -> &'static str {
        self.column().name
    }

    /// Whether it matters which of two columns that fit equally well is read: not for what neither decides what is
    /// printed nor where it goes. There the leftmost counts.
    pub(crate) fn must_be_named_once(self) -> bool {
        !matches!(self, Self::ProductName | Self::ShippingPhone)
    }

    /// Whether only dropsheet has such a column, and no shop.
    pub(super) fn is_no_shops(self) -> bool {
        let others = [Self::MadeInLocation, Self::VariantNote, Self::MockupUrl];
        let others = others.into_iter().chain([Self::ExpectedTotal, Self::Action]);
        others.chain(Self::ARTWORK).any(|own| own == self)
    }

    /// Whether the field is a part of the address.
    pub(super) fn is_address(self) -> bool {
        Self::ShippingName <= self && self <= Self::ShippingCountryCode
    }

    /// Whether the field is a part of the address that tells where.
    pub(super) fn is_place(self) -> bool {
        let place = [
            Self::ShippingAddress1,
            Self::ShippingCity,
            Self::ShippingProvince,
            Self::ShippingProvinceCode,
            Self::ShippingZip,
            Self::ShippingCountry,
            Self::ShippingCountryCode,
        ];
        place.contains(&self)
    }

    /// The other field that says the same, by a code or by a name.
    pub(super) fn twin(self) -> Option<Self> {
        match self {
            Self::ShippingProvince => Some(Self::ShippingProvinceCode),
            Self::ShippingProvinceCode => Some(Self::ShippingProvince),
            Self::ShippingCountry => Some(Self::ShippingCountryCode),
            Self::ShippingCountryCode => Some(Self::ShippingCountry),
            _ => None,
        }
    }

    /// The field that a header names, and how well.
    pub(crate) fn named(header: &str) -> Option<(Self, Fit)> {
        let named = |header: &str| HEADERS.get(normalized(header).as_str()).copied();
        let (field, fit) = named(header).or_else(|| {
            let (name, remark) = without_remark(header)?;
            let found = named(name)?;
            // An order's id is read from where it was read before.
            let is_counted = found.0 == Field::Quantity || !COUNTED.contains(&remark.as_str());
            (found.0 != Field::OrderId && is_counted).then_some(found)
        })?;
        if header.trim() == field.name() {
            return Some((field, Fit::Exact));
        }
        Some((field, fit))
    }
}

/// What forms write behind a column's name, which says nothing of what stands in it.
const REMARKS: [&str; 9] = [
    "required",
    "optional",
    "mandatory",
    "pcs",
    "pieces",
    "pflichtfeld",
    "obligatoire",
    "obligatorio",
    "verplicht",
];

/// Those of them that say how a count is counted.
const COUNTED: [&str; 2] = ["pcs", "pieces"];

/// A header without the remark behind it, and that.
fn without_remark(header: &str) -> Option<(&str, String)> {
    let (name, remark) = header.trim().strip_suffix(')')?.rsplit_once('(')?;
    let remark = normalized(remark);
    REMARKS.contains(&remark.as_str()).then_some((name, remark))
}

/// A header without case, spaces and punctuation: `Ship-To: City*` is `shiptocity`.
pub(crate) fn normalized(header: &str) -> String {
    if header.is_ascii() {
        // Most headers are, and a sheet's are compared with many hundreds: to compose each took most of the time to open it.
        let letters = header.bytes().filter(u8::is_ascii_alphanumeric);
        return letters
            .map(|letter| char::from(letter.to_ascii_lowercase()))
            .collect();
    }
    composed(header)
}

/// The same of a header in any letters.
fn composed(header: &str) -> String {
    header
        .nfkc()
        .flat_map(char::to_lowercase)
        .filter(|c| c.is_alphanumeric())
        .collect()
}

/// Every column that a result sheet may have, however old: none is ever taken out, for old results are dropped again too.
const OF_RESULTS: [&str; 24] = [
    "result_status",
    "result_codes",
    "result_message",
    "result_order_id",
    "result_pw_order_id",
    "result_created_at",
    "result_first_sheet",
    "result_line_base_fee",
    "result_line_shipping_fee",
    "result_line_tax_fee",
    "result_line_discount",
    "result_line_total",
    "result_quoted_base_fee",
    "result_quoted_shipping_fee",
    "result_quoted_tax_fee",
    "result_quoted_discount",
    "result_quoted_shipping_discount",
    "result_quoted_other",
    "result_quoted_total",
    "result_service_total",
    "result_difference",
    "result_order_status",
    "result_payment_status",
    "result_tracking",
];

/// Whether a header belongs to one of the columns that result sheets add; they are ignored on the way in. A column of the
/// merchant's own whose name only begins like theirs is none of them.
pub(crate) fn is_result(header: &str) -> bool {
    let name = name_of(header);
    OF_RESULTS
        .iter()
        .any(|of_results| name.eq_ignore_ascii_case(of_results))
}

/// Whether a header is that of the service's id in a result.
pub(super) fn is_made_as(header: &str) -> bool {
    name_of(header).eq_ignore_ascii_case("result_pw_order_id")
}

fn name_of(header: &str) -> &str {
    header.trim_start_matches('\u{feff}').trim()
}

static HEADERS: LazyLock<HashMap<String, (Field, Fit)>> = LazyLock::new(|| {
    let mut headers = HashMap::new();
    for (header, field, fit) in Field::ALL.into_iter().flat_map(headers_of) {
        let best = headers.entry(header).or_insert((field, fit));
        if fit < best.1 {
            *best = (field, fit);
        }
    }
    headers
});

/// The other headers for a field's column; of an address the stems. What is called as the first line of an address is, and
/// numbered 2, is the second: `Rue 2`, `Addr. line 2`.
fn aliases(field: Field) -> Vec<String> {
    let named = |field: Field| field.column().aliases.iter().chain(abroad::aliases(field));
    let mut aliases: Vec<String> = named(field).map(|alias| (*alias).to_owned()).collect();
    if field == Field::ShippingAddress2 {
        let first = named(Field::ShippingAddress1);
        aliases.extend(first.map(|alias| format!("{}2", alias.strip_suffix('1').unwrap_or(alias))));
    }
    aliases
}

fn headers_of(field: Field) -> Vec<(String, Field, Fit)> {
    let column = field.column();
    let mut headers = vec![(normalized(column.name), field, Fit::Native)];
    for alias in aliases(field) {
        if field.is_address() {
            headers.extend(
                ADDRESSED_TO
                    .iter()
                    .map(|to| (format!("{to}{alias}"), field, Fit::Alias)),
            );
            headers.push((alias, field, Fit::Weak));
        } else {
            headers.push((alias, field, Fit::Alias));
        }
    }
    if field == Field::ShippingName {
        let words = ADDRESSEE.iter().chain(&abroad::ADDRESSEE);
        headers.extend(words.map(|word| ((*word).to_owned(), field, Fit::Alias)));
    }
    headers.extend(
        column
            .weak
            .iter()
            .chain(abroad::last(field))
            .map(|alias| ((*alias).to_owned(), field, Fit::Weak)),
    );
    headers
}

/// Whether a column of this name, as [`normalized`], is read only where no other one has its field.
pub(super) fn counts_last(name: &str) -> bool {
    HEADERS
        .get(name)
        .is_some_and(|(field, _)| abroad::last(*field).contains(&name))
}

#[cfg(test)]
mod tests;
