//! Faults to order: what goes wrong, at which operations, and when. A rule is written `NAME=WHEN`:
//!
//! - NAME is a kind and, where it is not the kind's usual one, a scope: `drop-after-create`, `error-500-quote`,
//!   `unavailable-list`, `rate-limit`, `cut-body-all`. On an operation that changes something, `error-500-create` and
//!   `error-500-after-create` differ: the first does nothing, the second does it and then fails to say so.
//! - WHEN is a share of the calls (`0.05`), `on:2,5` (the second and the fifth), `first:3`, or `after:10` (each from
//!   the eleventh on), counted per rule, from one.
//!
//! Faults strike after the token was found good, so that a count is of calls that could have succeeded.

mod strike;

use std::fmt;
use std::str::FromStr;

use rust_decimal::Decimal;

use super::operation::Operation;

pub(crate) use strike::Faults;

/// What goes wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fault {
    /// The connection closes; nothing was done.
    DropBefore,
    /// It is done, then the connection closes.
    DropAfter,
    /// The connection closes at once; it is done some seconds later.
    Late,
    /// It is done at once, the answer comes after most clients have given up.
    Slow,
    /// An error with a JSON body; nothing was done.
    ErrorBefore(u16),
    /// A server error; it is done.
    ErrorAfter(u16),
    /// A gateway's HTML page with status 200; it is done.
    HtmlAfter,
    /// It is done, the connection closes amid the answer's body.
    CutBody,
    /// 200 over HTTP, 400 in the envelope; nothing was done.
    EnvelopeRefusal,
    /// 400; nothing was done.
    Refuse,
    /// It is done, but the answer names another order.
    WrongOrderId,
    /// It is done, and the answer gives it an id that nothing else of the service knows.
    OtherId,
    /// It is done, and the answer gives it the id of the order that was made before it.
    FormerId,
    /// Every token ends; 401.
    ExpireToken,
    /// 429 with Retry-After; nothing was done.
    RateLimit,
    /// 503; nothing was done.
    Unavailable,
    /// 307 to the same path; it is done, and done again for a client that follows.
    Redirect,
    /// It is done; 200 with an empty body.
    Empty200,
    /// It is done; 200 with an envelope and nothing in it.
    Bare200,
}

/// Which operations a rule is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scope {
    /// create-new-order
    Create,
    /// calculate-price-order
    Quote,
    /// orders/list
    List,
    /// orders/detail
    Detail,
    /// cancel-order
    Cancel,
    /// The three product operations.
    Catalog,
    /// Both webhook registrations.
    Webhook,
    /// The token operations.
    Token,
    /// Every operation behind the token.
    All,
}

/// When a rule strikes; calls are counted from one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum When {
    /// So many calls in a million, at random.
    PerMillion(u32),
    /// At these calls.
    On(Vec<u64>),
    /// At the first so many.
    First(u64),
    /// At each call after so many.
    After(u64),
}

/// A fault to order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// What goes wrong.
    pub fault: Fault,
    /// Where.
    pub scope: Scope,
    /// When.
    pub when: When,
}

/// Why a text is no rule.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RuleError {
    /// It has no `=`.
    #[error("`{0}` is no fault; expected NAME=WHEN, such as drop-after-create=0.05")]
    Shape(String),
    /// The name is none.
    #[error("`{0}` is no fault's name; kinds are {kinds}, scopes are {scopes}", kinds = names(KINDS), scopes = names(SCOPES))]
    Name(String),
    /// The time is none.
    #[error("`{0}` does not say when; expected a share such as 0.05, or on:2,5, first:3, after:10")]
    When(String),
    /// The kind makes no sense there.
    #[error("`{0}` is only for create-new-order")]
    OnlyCreate(String),
}

/// Kinds by name; longer names before those they begin with.
const KINDS: &[(&str, Fault, Scope)] = &[
    ("drop-before", Fault::DropBefore, Scope::Create),
    ("drop-after", Fault::DropAfter, Scope::Create),
    ("drop", Fault::DropAfter, Scope::Create),
    ("late", Fault::Late, Scope::Create),
    ("slow", Fault::Slow, Scope::Create),
    ("error-500-after", Fault::ErrorAfter(500), Scope::Create),
    ("error-502-after", Fault::ErrorAfter(502), Scope::Create),
    ("error-504-after", Fault::ErrorAfter(504), Scope::Create),
    ("error-403", Fault::ErrorBefore(403), Scope::Create),
    ("error-404", Fault::ErrorBefore(404), Scope::Create),
    ("error-500", Fault::ErrorBefore(500), Scope::Create),
    ("error-502", Fault::ErrorBefore(502), Scope::Create),
    ("error-504", Fault::ErrorBefore(504), Scope::Create),
    ("html-after", Fault::HtmlAfter, Scope::Create),
    ("html", Fault::HtmlAfter, Scope::Create),
    ("cut-body", Fault::CutBody, Scope::Create),
    ("envelope-refusal", Fault::EnvelopeRefusal, Scope::Create),
    ("refuse", Fault::Refuse, Scope::Create),
    ("wrong-order-id", Fault::WrongOrderId, Scope::Create),
    ("other-id", Fault::OtherId, Scope::Create),
    ("former-id", Fault::FormerId, Scope::Create),
    ("redirect", Fault::Redirect, Scope::Create),
    ("empty-200", Fault::Empty200, Scope::Create),
    ("bare-200", Fault::Bare200, Scope::Create),
    ("expire-token", Fault::ExpireToken, Scope::All),
    ("rate-limit", Fault::RateLimit, Scope::All),
    ("unavailable", Fault::Unavailable, Scope::All),
];

const SCOPES: &[(&str, Scope, ())] = &[
    ("create", Scope::Create, ()),
    ("quote", Scope::Quote, ()),
    ("list", Scope::List, ()),
    ("detail", Scope::Detail, ()),
    ("cancel", Scope::Cancel, ()),
    ("catalog", Scope::Catalog, ()),
    ("webhook", Scope::Webhook, ()),
    ("token", Scope::Token, ()),
    ("all", Scope::All, ()),
];

fn names<A, B>(table: &[(&str, A, B)]) -> String {
    let names: Vec<&str> = table.iter().map(|(name, ..)| *name).collect();
    names.join(", ")
}

impl Scope {
    /// Whether the rule is about this operation.
    pub const fn covers(self, operation: Operation) -> bool {
        match operation {
            Operation::GenerateToken | Operation::UpdateToken => matches!(self, Self::Token),
            Operation::ListProducts | Operation::ProductDetail | Operation::SkuCatalogs => {
                matches!(self, Self::Catalog | Self::All)
            }
            Operation::ListOrders => matches!(self, Self::List | Self::All),
            Operation::OrderDetail => matches!(self, Self::Detail | Self::All),
            Operation::Price => matches!(self, Self::Quote | Self::All),
            Operation::Create => matches!(self, Self::Create | Self::All),
            Operation::Cancel => matches!(self, Self::Cancel | Self::All),
            Operation::ReadHook(_) | Operation::SetHook(_) | Operation::RemoveHook(_) => {
                matches!(self, Self::Webhook | Self::All)
            }
        }
    }
}

impl FromStr for Rule {
    type Err = RuleError;

    fn from_str(text: &str) -> Result<Self, RuleError> {
        let (name, when) = text
            .split_once('=')
            .ok_or_else(|| RuleError::Shape(text.to_owned()))?;
        let (fault, scope) = named(name).ok_or_else(|| RuleError::Name(name.to_owned()))?;
        let is_of_a_create = matches!(
            fault,
            Fault::Late | Fault::WrongOrderId | Fault::OtherId | Fault::FormerId
        );
        if is_of_a_create && scope != Scope::Create {
            return Err(RuleError::OnlyCreate(name.to_owned()));
        }
        let when = when.parse()?;
        Ok(Self { fault, scope, when })
    }
}

fn named(name: &str) -> Option<(Fault, Scope)> {
    KINDS.iter().find_map(|&(kind, fault, usual)| {
        let rest = name.strip_prefix(kind)?;
        if rest.is_empty() {
            return Some((fault, usual));
        }
        let scope = rest.strip_prefix('-')?;
        let (_, scope, ()) = SCOPES.iter().find(|(name, ..)| *name == scope)?;
        Some((fault, *scope))
    })
}

impl FromStr for When {
    type Err = RuleError;

    fn from_str(text: &str) -> Result<Self, RuleError> {
        let wrong = || RuleError::When(text.to_owned());
        let count = |text: &str| text.parse::<u64>().map_err(|_not_a_number| wrong());
        if let Some(calls) = text.strip_prefix("on:") {
            return calls
                .split(',')
                .map(count)
                .collect::<Result<_, _>>()
                .map(Self::On);
        }
        if let Some(calls) = text.strip_prefix("first:") {
            return count(calls).map(Self::First);
        }
        if let Some(calls) = text.strip_prefix("after:") {
            return count(calls).map(Self::After);
        }
        let share = Decimal::from_str_exact(text).map_err(|_not_a_number| wrong())?;
        if share.is_sign_negative() || share > Decimal::ONE {
            return Err(wrong());
        }
        let millionths = (share * Decimal::from(MILLION)).trunc();
        millionths
            .try_into()
            .map(Self::PerMillion)
            .map_err(|_out_of_range: rust_decimal::Error| wrong())
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = KINDS.iter().find(|(_, fault, _)| fault == self);
        f.write_str(name.map_or("fault", |(name, ..)| name))
    }
}

/// A share is kept in millionths.
const MILLION: u32 = 1_000_000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_with_and_without_scope() {
        let cases = [
            ("drop-before-create", Fault::DropBefore, Scope::Create),
            ("drop-after-create", Fault::DropAfter, Scope::Create),
            ("drop-cancel", Fault::DropAfter, Scope::Cancel),
            ("late-create", Fault::Late, Scope::Create),
            ("slow-create", Fault::Slow, Scope::Create),
            ("error-500-after-create", Fault::ErrorAfter(500), Scope::Create),
            ("error-502-after-create", Fault::ErrorAfter(502), Scope::Create),
            ("error-500-quote", Fault::ErrorBefore(500), Scope::Quote),
            ("html-after-create", Fault::HtmlAfter, Scope::Create),
            ("cut-body", Fault::CutBody, Scope::Create),
            ("cut-body-list", Fault::CutBody, Scope::List),
            ("envelope-refusal", Fault::EnvelopeRefusal, Scope::Create),
            ("wrong-order-id", Fault::WrongOrderId, Scope::Create),
            ("other-id", Fault::OtherId, Scope::Create),
            ("former-id", Fault::FormerId, Scope::Create),
            ("expire-token", Fault::ExpireToken, Scope::All),
            ("rate-limit", Fault::RateLimit, Scope::All),
            ("unavailable", Fault::Unavailable, Scope::All),
            ("unavailable-list", Fault::Unavailable, Scope::List),
            ("empty-200", Fault::Empty200, Scope::Create),
        ];
        for (name, fault, scope) in cases {
            let rule: Rule = format!("{name}=1").parse().unwrap();
            assert_eq!((rule.fault, rule.scope), (fault, scope), "{name}");
        }
    }

    #[test]
    fn a_wrong_rule_is_refused() {
        for text in [
            "drop-after-create",
            "explode=1",
            "cut-body-lists=1",
            "cut-body=2",
            "cut-body=-0.1",
            "cut-body=on:x",
            "cut-body=often",
            "late-list=1",
        ] {
            assert!(text.parse::<Rule>().is_err(), "{text}");
        }
    }

    #[test]
    fn all_spares_the_token_operations() {
        assert!(!Scope::All.covers(Operation::GenerateToken));
        assert!(Scope::Token.covers(Operation::UpdateToken));
        assert!(Scope::All.covers(Operation::Create));
    }
}
