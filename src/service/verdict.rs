//! What an answer means for what was asked. One table for every operation: unknown is the rule, and only what is
//! proved is anything else. Pure.

use std::time::{Duration, SystemTime};

use super::operation::Shape;
use super::{Heard, Verdict};

/// The longest pause that the service is obeyed in: an account that sleeps longer looks broken, so it asks again.
pub(crate) const LONGEST_PAUSE: Duration = Duration::from_mins(15);

/// The longest pause that is told of, so that whoever reckons with it need not fear a number that no clock can count.
const LONGEST_TOLD: Duration = Duration::from_hours(24 * 365);

/// The pause where the service asks for one without saying how long.
pub(super) const PLAIN_PAUSE: Duration = Duration::from_secs(5);

/// What came of a request, as far as it decides what the answer means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Exchange {
    /// No connection was made: DNS, refused, connect timeout, TLS.
    NotConnected,
    /// The connection was made, and then no whole answer came: reset, cut, timed out.
    Broken,
    /// An answer came that nobody reads to its end or its depth: too large, packed to be, or nested without end.
    Unread,
    /// A whole answer.
    Answered {
        /// HTTP's status.
        http: u16,
        /// What the body is.
        body: Body,
        /// What the service asks in `Retry-After`.
        retry_after: Option<Duration>,
    },
}

/// What the body of an answer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Body {
    /// No bytes at all.
    Empty,
    /// A JSON object, with its `status` where it has one.
    Envelope(Option<u16>),
    /// Anything else: HTML, JSON of another shape, a `status` that is no number.
    Unreadable,
}

/// What an exchange means: `Ok` when the service says that it has done what was asked.
pub(super) fn judge(shape: Shape, exchange: Exchange) -> Result<(), Verdict> {
    let (http, body, retry_after) = match exchange {
        Exchange::NotConnected => return Err(Verdict::NotSent),
        Exchange::Broken | Exchange::Unread => return Err(Verdict::Unknown),
        Exchange::Answered {
            http,
            body,
            retry_after,
        } => (http, body, retry_after),
    };
    match (code(http, body), shape, body) {
        (Some(200), _, Body::Envelope(_))
        | (Some(200..=299), Shape::NotShown, Body::Envelope(_) | Body::Empty) => Ok(()),
        (Some(401 | 403), _, Body::Envelope(_)) | (Some(400 | 422), Shape::Token, Body::Envelope(_)) => {
            Err(Verdict::Credentials)
        }
        (Some(429), _, _) => Err(Verdict::TryLater(retry_after.unwrap_or(PLAIN_PAUSE))),
        (Some(400 | 413 | 422), _, Body::Envelope(_)) => Err(Verdict::Refused),
        (Some(404 | 405 | 415), _, _) => Err(Verdict::Misconfigured),
        // 3xx, 408, 409, every 5xx, a page, an unreadable body, a code that nobody has agreed on, two that disagree.
        (_, _, _) => Err(Verdict::Unknown),
    }
}

/// Whether an answer says that the token is none. Over HTTP a 401 says so whatever comes with it: a gateway that keeps
/// the tokens writes a body of its own. What became of the request is another question, which [`judge`] answers.
pub(super) fn ends_token(exchange: Exchange) -> bool {
    match exchange {
        Exchange::Answered { http: 401, .. } => true,
        Exchange::Answered { http, body, .. } => code(http, body) == Some(401),
        Exchange::NotConnected | Exchange::Broken | Exchange::Unread => false,
    }
}

/// What was heard of the service.
pub(super) fn heard(exchange: Exchange) -> Heard {
    match exchange {
        Exchange::NotConnected | Exchange::Broken => Heard::Nothing,
        Exchange::Unread => Heard::Unread,
        Exchange::Answered { http, body, .. } => match (code(http, body), body) {
            (Some(code), Body::Envelope(_)) => Heard::Said(code),
            (_, _) => Heard::Odd(http),
        },
    }
}

/// Whether a whole answer came whose body has a `status`.
pub(super) fn has_status(exchange: Exchange) -> bool {
    match exchange {
        Exchange::NotConnected | Exchange::Broken | Exchange::Unread => false,
        Exchange::Answered { body, .. } => matches!(body, Body::Envelope(Some(_))),
    }
}

/// The one code that an answer states: every code counts alike over HTTP or as the body's `status`. None where the
/// two contradict each other.
pub(super) fn code(http: u16, body: Body) -> Option<u16> {
    match body {
        Body::Envelope(Some(status)) if (200..=299).contains(&http) => Some(status),
        Body::Envelope(Some(status)) if status != http => None,
        Body::Envelope(_) | Body::Empty | Body::Unreadable => Some(http),
    }
}

/// Reads `Retry-After`: seconds, or a date, which is held against the answer's own `Date` so that this machine's
/// clock does not matter. None for anything else. It may be longer than it is obeyed: a person is told of all of it.
pub(super) fn retry_after(header: &str, date: Option<SystemTime>) -> Option<Duration> {
    let text = header.trim();
    let asked = if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
        text.parse().map_or(LONGEST_TOLD, Duration::from_secs)
    } else {
        let until = httpdate::parse_http_date(text).ok()?;
        // A date that has passed asks for no pause.
        until.duration_since(date?).unwrap_or(Duration::ZERO)
    };
    Some(asked.min(LONGEST_TOLD))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An envelope without a status, or with one.
    const BARE: Body = Body::Envelope(None);
    const fn with(status: u16) -> Body {
        Body::Envelope(Some(status))
    }

    fn answered(http: u16, body: Body) -> Exchange {
        Exchange::Answered {
            http,
            body,
            retry_after: None,
        }
    }

    const LATER: Result<(), Verdict> = Err(Verdict::TryLater(PLAIN_PAUSE));
    const SETUP: Result<(), Verdict> = Err(Verdict::Misconfigured);
    const LOGIN: Result<(), Verdict> = Err(Verdict::Credentials);
    const REFUSED: Result<(), Verdict> = Err(Verdict::Refused);
    const UNKNOWN: Result<(), Verdict> = Err(Verdict::Unknown);

    #[test]
    fn answers_mean_what_the_table_says() {
        // The code, and its meaning with a body that parses and with a page.
        let table = [
            (200, Ok(()), UNKNOWN),
            (201, UNKNOWN, UNKNOWN),
            (204, UNKNOWN, UNKNOWN),
            (301, UNKNOWN, UNKNOWN),
            (302, UNKNOWN, UNKNOWN),
            (307, UNKNOWN, UNKNOWN),
            (308, UNKNOWN, UNKNOWN),
            (400, REFUSED, UNKNOWN),
            (401, LOGIN, UNKNOWN),
            (402, UNKNOWN, UNKNOWN),
            (403, LOGIN, UNKNOWN),
            (404, SETUP, SETUP),
            (405, SETUP, SETUP),
            (408, UNKNOWN, UNKNOWN),
            (409, UNKNOWN, UNKNOWN),
            (410, UNKNOWN, UNKNOWN),
            (413, REFUSED, UNKNOWN),
            (415, SETUP, SETUP),
            (418, UNKNOWN, UNKNOWN),
            (422, REFUSED, UNKNOWN),
            (429, LATER, LATER),
            (500, UNKNOWN, UNKNOWN),
            (502, UNKNOWN, UNKNOWN),
            (503, UNKNOWN, UNKNOWN),
            (504, UNKNOWN, UNKNOWN),
            (599, UNKNOWN, UNKNOWN),
        ];
        for (code, parsed, page) in table {
            let judged = |body| judge(Shape::Envelope, answered(code, body));
            assert_eq!(judged(BARE), parsed, "{code} with a body that parses");
            assert_eq!(judged(with(code)), parsed, "{code} twice");
            assert_eq!(judged(Body::Unreadable), page, "{code} with a page");
            assert_eq!(judged(Body::Empty), page, "{code} with nothing");
            let over_200 = judge(Shape::Envelope, answered(200, with(code)));
            assert_eq!(over_200, parsed, "200 with a status of {code}");
        }
    }

    #[test]
    fn what_is_not_the_interface_s_is_heard_as_odd() {
        assert_eq!(heard(answered(404, BARE)), Heard::Said(404));
        assert_eq!(heard(answered(200, with(422))), Heard::Said(422));
        assert_eq!(heard(answered(404, Body::Unreadable)), Heard::Odd(404));
        assert_eq!(heard(answered(400, with(200))), Heard::Odd(400));
        assert_eq!(heard(Exchange::Broken), Heard::Nothing);
        for (body, has) in [(BARE, false), (with(404), true), (Body::Unreadable, false)] {
            assert_eq!(has_status(answered(404, body)), has, "{body:?}");
        }
    }

    #[test]
    fn a_401_ends_the_token_whatever_comes_with_it() {
        for body in [BARE, with(401), with(0), with(200), Body::Empty, Body::Unreadable] {
            assert!(ends_token(answered(401, body)), "401 with {body:?}");
        }
        assert!(ends_token(answered(200, with(401))));
        for (http, body) in [
            (200, BARE),
            (403, with(403)),
            (403, Body::Unreadable),
            (500, with(401)),
        ] {
            assert!(!ends_token(answered(http, body)), "{http} with {body:?}");
        }
        assert!(!ends_token(Exchange::Broken) && !ends_token(Exchange::NotConnected));
    }

    #[test]
    fn two_codes_that_disagree_prove_nothing() {
        for (http, status) in [
            (400, 200),
            (422, 500),
            (500, 400),
            (401, 400),
            (503, 429),
            (302, 200),
        ] {
            let judged = judge(Shape::Envelope, answered(http, with(status)));
            assert_eq!(judged, UNKNOWN, "{http} with a status of {status}");
        }
    }

    #[test]
    fn only_what_never_connected_was_certainly_not_sent() {
        let judged = |exchange| judge(Shape::Envelope, exchange);
        assert_eq!(judged(Exchange::NotConnected), Err(Verdict::NotSent));
        assert_eq!(judged(Exchange::Broken), UNKNOWN);
    }

    #[test]
    fn an_answer_that_is_not_shown_may_be_empty_but_no_page() {
        let judged = |http, body| judge(Shape::NotShown, answered(http, body));
        for http in [200, 201, 204] {
            assert_eq!(judged(http, Body::Empty), Ok(()), "{http}");
            assert_eq!(judged(http, BARE), Ok(()), "{http}");
            assert_eq!(judged(http, Body::Unreadable), UNKNOWN, "{http}");
        }
        assert_eq!(judged(200, with(422)), REFUSED);
        assert_eq!(judged(500, Body::Empty), UNKNOWN);
    }

    #[test]
    fn a_login_that_is_turned_away_speaks_of_the_credentials() {
        for code in [400, 401, 403, 422] {
            assert_eq!(judge(Shape::Token, answered(code, BARE)), LOGIN, "{code}");
            assert_eq!(judge(Shape::Token, answered(200, with(code))), LOGIN, "{code}");
        }
        assert_eq!(judge(Shape::Token, answered(500, BARE)), UNKNOWN);
    }

    #[test]
    fn a_pause_is_told_as_it_is_asked_for() {
        let judged = |pause| {
            let exchange = Exchange::Answered {
                http: 429,
                body: BARE,
                retry_after: Some(Duration::from_secs(pause)),
            };
            judge(Shape::Envelope, exchange)
        };
        assert_eq!(judged(7), Err(Verdict::TryLater(Duration::from_secs(7))));
        assert_eq!(judged(86_400), Err(Verdict::TryLater(Duration::from_hours(24))));
    }

    #[test]
    fn retry_after_is_seconds_or_a_date() {
        let date = httpdate::parse_http_date("Sat, 21 Nov 2026 09:00:00 GMT").unwrap();
        let seconds = |text| retry_after(text, Some(date)).map(|pause| pause.as_secs());
        assert_eq!(seconds("12"), Some(12));
        assert_eq!(seconds(" 0 "), Some(0));
        assert_eq!(seconds("Sat, 21 Nov 2026 09:02:00 GMT"), Some(120));
        assert_eq!(seconds("Sat, 21 Nov 2026 08:00:00 GMT"), Some(0));
        assert_eq!(seconds("86400"), Some(86_400));
        for long in [
            "18446744073709551615",
            "99999999999999999999",
            "99999999999999999999999",
            "Fri, 31 Dec 9999 23:59:59 GMT",
        ] {
            assert_eq!(seconds(long), Some(LONGEST_TOLD.as_secs()), "{long}");
        }
        for nonsense in ["", "soon", "-3", "1.5", "5 minutes"] {
            assert_eq!(seconds(nonsense), None, "{nonsense}");
        }
        assert_eq!(retry_after("Sat, 21 Nov 2026 09:02:00 GMT", None), None);
    }
}
