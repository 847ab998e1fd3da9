//! The keys of a profile that may be written in several ways: what is none of them is told as what was expected, at the
//! key within a table, too.

use std::fmt;
use std::marker::PhantomData;

use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{Error, MapAccess, SeqAccess, Unexpected, Visitor};
use serde::{Deserialize, Deserializer};

use super::written::{Filling, From, Joined, OneOrMore, When};

/// What may be written as a text, as a list of texts, or as a table.
trait Choice: Sized {
    /// Completes "expected …".
    const EXPECTED: &'static str;

    /// None where the text is none of those that it may be.
    fn of_text(text: &str) -> Option<Self>;

    fn of_list(texts: Vec<String>) -> Self;

    fn of_table<'de, A: MapAccess<'de>>(_table: A) -> Result<Self, A::Error> {
        Err(Error::invalid_type(Unexpected::Map, &Self::EXPECTED))
    }
}

impl Choice for From {
    const EXPECTED: &'static str = "the name of a column, a list of names of which the first that is there counts, or \
                                    { join = [names], between = text }";

    fn of_text(text: &str) -> Option<Self> {
        Some(Self::Column(text.to_owned()))
    }

    fn of_list(texts: Vec<String>) -> Self {
        Self::First(texts)
    }

    fn of_table<'de, A: MapAccess<'de>>(table: A) -> Result<Self, A::Error> {
        Joined::deserialize(MapAccessDeserializer::new(table)).map(Self::Joined)
    }
}

impl Choice for OneOrMore {
    const EXPECTED: &'static str =
        "the name of a column, or a list of names of which the first that is there counts";

    fn of_text(text: &str) -> Option<Self> {
        Some(Self::One(text.to_owned()))
    }

    fn of_list(texts: Vec<String>) -> Self {
        Self::First(texts)
    }
}

impl Choice for When {
    const EXPECTED: &'static str =
        "\"filled\", \"blank\", \"without-digits\", or a list of words such as [\"canceled\", \"returned*\"]";

    fn of_text(text: &str) -> Option<Self> {
        let filling = match text {
            "filled" => Filling::Filled,
            "blank" => Filling::Blank,
            "without-digits" => Filling::WithoutDigits,
            _ => return None,
        };
        Some(Self::Is(filling))
    }

    fn of_list(texts: Vec<String>) -> Self {
        Self::Words(texts)
    }
}

struct ChoiceVisitor<T>(PhantomData<T>);

impl<'de, T: Choice> Visitor<'de> for ChoiceVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(T::EXPECTED)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        T::of_text(text).ok_or_else(|| E::invalid_value(Unexpected::Str(text), &T::EXPECTED))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<T, A::Error> {
        Vec::deserialize(SeqAccessDeserializer::new(list)).map(T::of_list)
    }

    fn visit_map<A: MapAccess<'de>>(self, table: A) -> Result<T, A::Error> {
        T::of_table(table)
    }
}

macro_rules! deserialize {
    ($($choice:ty)*) => {
        $(impl<'de> Deserialize<'de> for $choice {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_any(ChoiceVisitor(PhantomData))
            }
        })*
    };
}

deserialize! { From OneOrMore When }
