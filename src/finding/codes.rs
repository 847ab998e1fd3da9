//! The table of codes: name, level, and the page that `explain` prints.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::Level;

/// What `dropsheet explain CODE` says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Page {
    /// What the code means, in one or two sentences.
    pub meaning: &'static str,
    /// How to fix it.
    pub remedy: &'static str,
}

macro_rules! codes {
    ($($variant:ident $name:literal $level:ident $meaning:literal $remedy:literal;)*) => {
        /// A stable code of a finding or a rejection.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Code {
            $(#[doc = $meaning] $variant,)*
        }

        impl Code {
            /// Every code, in the order of the table.
            pub const ALL: &[Self] = &[$(Self::$variant,)*];

            /// The name that people filter by: `unknown-sku`.
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// What a finding with this code does to its order.
            pub fn level(self) -> Level {
                match self { $(Self::$variant => Level::$level,)* }
            }

            /// What the code means and how to fix it.
            pub fn page(self) -> Page {
                match self { $(Self::$variant => Page { meaning: $meaning, remedy: $remedy },)* }
            }
        }
    };
}

codes! {
    UnreadableFile "unreadable-file" Error
        ""
        "";
    UnknownEnding "unknown-ending" Error
        ""
        "";
    EmptySheet "empty-sheet" Error
        ""
        "";
    NotASheet "not-a-sheet" Error
        ""
        "";
    BrokenSheet "broken-sheet" Error
        ""
        "";
    IncompleteSheet "incomplete-sheet" Error
        ""
        "";
    NoHeader "no-header" Error
        ""
        "";
    MissingColumn "missing-column" Error
        ""
        "";
    RepeatedColumn "repeated-column" Error
        ""
        "";
    SheetTooLarge "sheet-too-large" Error
        ""
        "";
    TooManyRows "too-many-rows" Error
        ""
        "";
    TooManyColumns "too-many-columns" Error
        ""
        "";
    CellTooLong "cell-too-long" Error
        ""
        "";
    RowsPerOrder "too-many-lines" Error
        ""
        "";
    RaggedRow "ragged-row" Error
        ""
        "";
    MissingValue "missing-value" Error
        ""
        "";
    UnknownSku "unknown-sku" Error
        ""
        "";
    NotInStock "not-in-stock" Warning
        ""
        "";
    UnknownLocation "unknown-location" Error
        ""
        "";
    RepeatedRow "repeated-row" Note
        ""
        "";
    BadQuantity "bad-quantity" Error
        ""
        "";
    QuantityTooLarge "quantity-too-large" Error
        ""
        "";
    UnknownCountry "unknown-country" Error
        ""
        "";
    CountryMismatch "country-mismatch" Error
        ""
        "";
    UnknownProvince "unknown-province" Warning
        ""
        "";
    ProvinceMismatch "province-mismatch" Error
        ""
        "";
    BadZip "bad-zip" Error
        ""
        "";
    UnknownService "unknown-service" Error
        ""
        "";
    ServiceCountry "service-country" Error
        ""
        "";
    MissingArtwork "missing-artwork" Error
        ""
        "";
    BadUrl "bad-url" Error
        ""
        "";
    BadCharacter "bad-character" Error
        ""
        "";
    TooLong "too-long" Error
        ""
        "";
    DifferingValues "differing-values" Error
        ""
        "";
    LostDigits "lost-digits" Error
        ""
        "";
    CellError "cell-error" Error
        ""
        "";
    NoCachedValue "no-cached-value" Error
        ""
        "";
    BadTotal "bad-total" Error
        ""
        "";
    UnknownAction "unknown-action" Error
        ""
        "";
    MixedActions "mixed-actions" Error
        ""
        "";
    FixedId "fixed-id" Warning
        ""
        "";
    FixedZip "fixed-zip" Warning
        ""
        "";
    FixedText "fixed-text" Warning
        ""
        "";
    CatalogOld "catalog-old" Warning
        ""
        "";
    CatalogMissing "catalog-missing" Note
        ""
        "";
    ZeroQuote "zero-quote" Note
        ""
        "";
    OverOrderTotal "over-order-total" Note
        ""
        "";
    UnexpectedTotal "unexpected-total" Note
        ""
        "";
    NeedsApproval "needs-approval" Note
        ""
        "";
    OverSheetOrders "over-sheet-orders" Note
        ""
        "";
    OverDailyLimit "over-daily-limit" Note
        ""
        "";
    PriceRisen "price-risen" Note
        ""
        "";
    Known "known-order" Note
        ""
        "";
    ContentChanged "content-changed" Error
        ""
        "";
    ListedAtService "listed-at-service" Warning
        ""
        "";
    RefusedByService "refused-by-service" Error
        ""
        "";
    QuoteRefused "quote-refused" Error
        ""
        "";
    NoAnswer "no-answer" Note
        ""
        "";
    SeveralAtService "several-at-service" Warning
        ""
        "";
    PersonNeeded "person-needed" Note
        ""
        "";
    ServiceAway "service-away" Note
        ""
        "";
    Stopped "stopped" Note
        ""
        "";
    BadCredentials "bad-credentials" Note
        ""
        "";
    WrongSetup "wrong-setup" Note
        ""
        "";
    TotalDiffers "total-differs" Warning
        ""
        "";
    DeclinedByPerson "declined-by-person" Note
        ""
        "";
    AbandonedByPerson "abandoned-by-person" Note
        ""
        "";
    CancelUnknown "cancel-unknown" Error
        ""
        "";
    CancelAsked "cancel-asked" Note
        ""
        "";
    CancelRefused "cancel-refused" Error
        ""
        "";
    NotToPrint "not-to-print" Note
        ""
        "";
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The text is none of the codes.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a code")]
pub struct UnknownCode(pub String);

impl FromStr for Code {
    type Err = UnknownCode;

    fn from_str(name: &str) -> Result<Self, UnknownCode> {
        Self::ALL
            .iter()
            .copied()
            .find(|c| c.name() == name)
            .ok_or_else(|| UnknownCode(name.to_owned()))
    }
}

impl Serialize for Code {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for Code {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?
            .parse()
            .map_err(serde::de::Error::custom)
    }
}
