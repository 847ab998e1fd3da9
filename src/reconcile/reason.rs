//! Why a person is asked about an order. What is done hangs on the reason alone; its words are made where they are shown.

use serde::{Deserialize, Serialize};

use crate::money::Money;

/// Why a person is asked about an order without an answer, or about its cancel. The ledger keeps it under these names: one
/// that has been released keeps its name and its parameters.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// Orders of our name are there that are not ours by their content.
    OtherContent,
    /// One of our name is there, and neither what it holds nor where it goes says whether it is ours.
    ContentNotShown,
    /// The order stayed absent after it was sent twice.
    AbsentTwice,
    /// The same, where the service refused it the second time.
    RefusedAgain {
        /// The service's.
        words: String,
    },
    /// The same, where the last create has an answer that proves nothing.
    DoubtedTwice {
        /// What came.
        answer: String,
    },
    /// The list has shown nothing of what it must show for so long that it may never.
    DeadList,
    /// The list has told nothing of it for so long that it may never.
    UnreadableList,
    /// The service answers, and fails each time it is asked for this order.
    LookUpFails {
        /// The service's.
        words: String,
    },
    /// It is absent, and `resend = "never"`.
    NeverResend,
    /// The service answered a create with the id of an order that it names otherwise.
    Contradicted,
    /// The same, where it is known what the answer gave.
    NamedOtherwise(AlikeOrder),
    /// There is an order with the same content under a name that differs in writing alone.
    Alike {
        /// Which, where one has the very content.
        one: Option<AlikeOrder>,
    },
    /// It is absent, and what it costs now was not agreed to, or does not fit into the day.
    Price {
        /// What it costs now.
        total: Money,
        /// What was agreed to, where that does not cover it.
        agreed: Option<Money>,
        /// The limit of the day, where it does not let it pass.
        limit: Option<Money>,
    },
    /// It is absent, and the service answers and gives no price for it.
    Unpriced {
        /// The service's.
        words: String,
    },
    /// It is absent, and the service refuses to price it.
    PriceRefused {
        /// The service's.
        words: String,
    },
    /// It is absent, and its shop has canceled it since.
    CanceledInShop,
    /// It is absent, its create was answered with the id of another order, and what it holds was erased with that answer.
    NotKept,
    /// The service shows an order that is to be canceled by none of its names.
    UnknownThere {
        /// Its words to the cancel.
        words: String,
    },
    /// The same, where the service has given its id to another order, which a cancel would end.
    GivenAway {
        /// That one's name.
        to: String,
    },
    /// What an earlier version asked in words that this one does not have.
    Earlier {
        /// As the end of a sentence.
        words: String,
        /// Whether who was asked knows that the order is not at the service.
        is_absent: bool,
    },
}

/// An order at the service that is written in another way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AlikeOrder {
    /// The service's id.
    pub pw_order_id: String,
    /// The service's name of it.
    pub order_name: String,
}

impl Reason {
    /// Whether who is asked knows that the order is not at the service.
    pub fn is_of_an_absent_one(&self) -> bool {
        match self {
            Self::Price { .. }
            | Self::Unpriced { .. }
            | Self::PriceRefused { .. }
            | Self::CanceledInShop
            | Self::NotKept => true,
            Self::Earlier { is_absent, .. } => *is_absent,
            Self::OtherContent
            | Self::ContentNotShown
            | Self::AbsentTwice
            | Self::RefusedAgain { .. }
            | Self::DoubtedTwice { .. }
            | Self::DeadList
            | Self::UnreadableList
            | Self::LookUpFails { .. }
            | Self::NeverResend
            | Self::Contradicted
            | Self::NamedOtherwise(_)
            | Self::Alike { .. }
            | Self::UnknownThere { .. }
            | Self::GivenAway { .. } => false,
        }
    }

    /// Whether the service shows the order by none of its names any more, so that a person may end its cancel.
    pub fn is_unknown_there(&self) -> bool {
        matches!(self, Self::UnknownThere { .. } | Self::GivenAway { .. })
    }

    /// Whether it is about an answer that named another order.
    pub fn is_of_an_answer(&self) -> bool {
        matches!(self, Self::Contradicted | Self::NamedOtherwise(_))
    }

    /// The service's id of the order that may be this one, where it is known which may be.
    pub fn may_be(&self) -> Option<&str> {
        let (Self::NamedOtherwise(one) | Self::Alike { one: Some(one) }) = self else {
            return None;
        };
        Some(&one.pw_order_id)
    }

    /// Whether it is the same question again. A refusal's own words may be others each time; a price has to be the same.
    pub fn is_again(&self, other: &Self) -> bool {
        let is_unpriced = |one: &Self| matches!(one, Self::Unpriced { .. } | Self::PriceRefused { .. });
        self == other || (is_unpriced(self) && is_unpriced(other))
    }

    /// The reason in words that stand behind a colon, of the order with this id.
    pub fn words(&self, order_id: &str) -> String {
        let fixed = match self {
            Self::OtherContent => {
                "the service has an order of this id with other content or from an earlier time"
            }
            Self::ContentNotShown => {
                "the service has an order of this id, and does not show what is in it, nor that it goes to the same address: \
                 look there whether it is this one"
            }
            Self::AbsentTwice => "it was sent twice without an answer and is not at the service",
            Self::RefusedAgain { words } => {
                return format!(
                    "no answer came when it was sent first, it is not at the service, and when it was sent again the service \
                     refused it: “{words}”"
                );
            }
            Self::DoubtedTwice { answer } => {
                return format!(
                    "it was sent twice and is not at the service, and the last answer proves nothing: {answer}"
                );
            }
            Self::DeadList => {
                "the service's list does not show orders that the service has confirmed, so that it tells nothing of this \
                 one: ask the print service whether it is there"
            }
            Self::UnreadableList => {
                "the service's list has an order without an id, or without a name and with the same content, that may be \
                 this one, or is not whole, so that it tells nothing of it: ask the print service whether it is there"
            }
            Self::LookUpFails { words } => {
                return format!(
                    "the service answers, but fails each time it is asked for this order ({words}), so that it is not known \
                     whether it is there: tell the print service its id, and ask whether it is there"
                );
            }
            Self::NeverResend => "it is not at the service, and `resend` is \"never\"",
            Self::Contradicted => {
                "the service answered with an id, but named another order: see there whether it is this one"
            }
            Self::NamedOtherwise(made) => return named_otherwise(made),
            Self::Alike { one } => return alike(one.as_ref()),
            Self::Price { total, agreed, limit } => return price(order_id, *total, (*agreed, *limit)),
            Self::Unpriced { words } => {
                return format!(
                    "it is not at the service, which answers, and gives no price for it: {words}"
                );
            }
            Self::PriceRefused { words } => {
                return format!("it is not at the service, which refuses to price it now: {words}");
            }
            Self::CanceledInShop => return canceled_in_shop(order_id),
            Self::NotKept => {
                return format!(
                    "it is not at the service, and what it holds is kept no longer, so that it cannot be sent again from \
                     here; `dropsheet orders resolve {order_id} --abandon` gives it up, and dropped again it is ordered"
                );
            }
            Self::UnknownThere { words } => {
                return format!(
                    "the service does not know it any more, so that a request it has not confirmed may have canceled it: “{words}”"
                );
            }
            Self::GivenAway { to } => {
                return format!(
                    "the service does not know it any more, and has given its id to another order: `{to}`"
                );
            }
            Self::Earlier { words, .. } => words,
        };
        fixed.to_owned()
    }
}

fn named_otherwise(made: &AlikeOrder) -> String {
    format!(
        "it gave the id {}, and named another order, `{}`: see there whether it is this one",
        made.pw_order_id, made.order_name
    )
}

fn alike(one: Option<&AlikeOrder>) -> String {
    let it_is = "the service has an order with the same content whose id is written in another way";
    match one {
        Some(one) => format!("{it_is}: {} (`{}`)", one.pw_order_id, one.order_name),
        None => it_is.to_owned(),
    }
}

/// Why a person decides what an order may cost, and what to do.
fn price(order_id: &str, total: Money, (agreed, limit): (Option<Money>, Option<Money>)) -> String {
    let moved = |agreed: Money| {
        let how = if total > agreed { "risen" } else { "fallen" };
        format!(
            "it is not at the service, and its price has {how} from {agreed} to {total} since it was sent"
        )
    };
    let why = match (agreed, limit) {
        (Some(agreed), Some(limit)) => {
            format!(
                "{}, with which the day comes over its limit of {limit}",
                moved(agreed)
            )
        }
        (Some(agreed), None) => moved(agreed),
        (None, Some(limit)) => {
            format!(
                "it is not at the service, and sent again at {total} the day comes over its limit of {limit}"
            )
        }
        (None, None) => format!("it is not at the service, and costs {total}"),
    };
    let at = if limit.is_some() {
        "all the same"
    } else {
        "at that"
    };
    format!("{why}; `dropsheet orders resolve {order_id} --resend` sends it {at}, `--abandon` gives it up")
}

/// Why an order that is not at the service is not sent again by itself, where its shop has canceled it; and what to do.
fn canceled_in_shop(order_id: &str) -> String {
    format!(
        "it is not at the service, and the shop has canceled it, or a line of it, since, or a sheet marks it so; `dropsheet orders resolve {order_id} --abandon` \
         gives it up, `--resend` sends it all the same"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn money(text: &str) -> Money {
        text.parse().unwrap()
    }

    fn price(total: &str) -> Reason {
        Reason::Price {
            total: money(total),
            agreed: Some(money("13.00")),
            limit: None,
        }
    }

    #[test]
    fn another_price_is_another_question_and_other_words_of_a_refusal_are_not() {
        let unpriced = |words: &str| Reason::Unpriced {
            words: words.to_owned(),
        };
        let refused = |words: &str| Reason::PriceRefused {
            words: words.to_owned(),
        };
        assert!(price("14.00").is_again(&price("14.0")));
        assert!(!price("14.00").is_again(&price("15.00")));
        assert!(unpriced("try later").is_again(&unpriced("no price")));
        assert!(unpriced("try later").is_again(&refused("no such SKU")));
        assert!(!unpriced("try later").is_again(&price("14.00")));
        let earlier = Reason::Earlier {
            words: price("14.00").words("1001"),
            is_absent: true,
        };
        assert!(!earlier.is_again(&price("14.00")), "its words are no price");
    }

    #[test]
    fn a_price_that_has_moved_a_day_that_is_full_and_both_are_told_with_what_to_do() {
        let asks = |total, agreed: Option<&str>, limit: Option<&str>| {
            let (agreed, limit) = (agreed.map(money), limit.map(money));
            Reason::Price {
                total: money(total),
                agreed,
                limit,
            }
            .words("1001")
        };
        let what_to_do = |at: &str| {
            format!("; `dropsheet orders resolve 1001 --resend` sends it {at}, `--abandon` gives it up")
        };
        let risen = "it is not at the service, and its price has risen from 13.00 to 14.00 since it was sent";
        for (total, agreed, limit, why, at) in [
            ("14.00", Some("13.00"), None, risen.to_owned(), "at that"),
            (
                "14.00",
                Some("13.00"),
                Some("50"),
                format!("{risen}, with which the day comes over its limit of 50.00"),
                "all the same",
            ),
            (
                "14.00",
                None,
                Some("50"),
                "it is not at the service, and sent again at 14.00 the day comes over its limit of 50.00"
                    .to_owned(),
                "all the same",
            ),
            (
                "0.00",
                Some("13.00"),
                None,
                "it is not at the service, and its price has fallen from 13.00 to 0.00 since it was sent"
                    .to_owned(),
                "at that",
            ),
        ] {
            assert_eq!(asks(total, agreed, limit), why + &what_to_do(at));
        }
    }

    #[test]
    fn what_the_ledger_keeps_of_a_reason_is_none_of_its_words() {
        for (reason, kept) in [
            (Reason::AbsentTwice, r#""absent-twice""#),
            (Reason::Alike { one: None }, r#"{"alike":{"one":null}}"#),
            (
                Reason::GivenAway { to: "NEW".to_owned() },
                r#"{"given-away":{"to":"NEW"}}"#,
            ),
            (Reason::NotKept, r#""not-kept""#),
            (
                price("14.00"),
                r#"{"price":{"total":14.00,"agreed":13.00,"limit":null}}"#,
            ),
        ] {
            assert_eq!(serde_json::to_string(&reason).unwrap(), kept);
            assert_eq!(serde_json::from_str::<Reason>(kept).unwrap(), reason);
        }
    }
}
