//! What a person is asked to decide of an order without an answer.

use serde::{Deserialize, Serialize};

/// A question to a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// What it is about.
    pub about: About,
    /// Why a person has to decide, as the end of a sentence.
    pub why: String,
}

/// What a question is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum About {
    /// Whether the service has the order.
    Presence,
    /// What it would cost now: it is not at the service.
    Price,
    /// That the service has no price for it: it is not at the service.
    Unpriced,
    /// That its shop has canceled it since: it is not at the service.
    Shop,
}

impl About {
    /// Whether who is asked knows that the order is not at the service.
    pub fn is_of_an_absent_one(self) -> bool {
        match self {
            Self::Price | Self::Unpriced | Self::Shop => true,
            Self::Presence => false,
        }
    }
}

impl Question {
    /// Whether it is the same question again. A refusal's own words may be others each time; a price has to be the same.
    pub fn is_again(&self, other: &Self) -> bool {
        self.about == other.about && (self.about == About::Unpriced || self.why == other.why)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_price_is_another_question_and_other_words_of_a_refusal_are_not() {
        let asked = |about, why: &str| Question {
            about,
            why: why.to_owned(),
        };
        for (about, other, again) in [
            (About::Price, "it costs 14.00", true),
            (About::Price, "it costs 15.00", false),
            (About::Unpriced, "it costs 14.00", true),
            (About::Unpriced, "try later", true),
        ] {
            let told = asked(about, "it costs 14.00");
            assert_eq!(asked(about, other).is_again(&told), again, "{about:?} {other}");
        }
        let told = asked(About::Presence, "it costs 14.00");
        assert!(!asked(About::Price, "it costs 14.00").is_again(&told));
    }
}
