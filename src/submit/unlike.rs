//! An order that is not found where the others are: a 404 of the service's own, to a question to which it has answered
//! others, speaks of the order and not of the account's setup. Pure but for its counters.

use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::service::{Failure, Verdict};

/// How many orders in a row may be unlike the others. A service that finds none any more has changed, and refuses no
/// more orders than these.
const MOST_IN_A_ROW: u32 = 3;

/// What was answered to others of an account who asked the same.
#[derive(Debug, Default)]
pub struct Others(Mutex<Seen>);

#[derive(Debug, Default)]
struct Seen {
    /// One was answered, be it with a refusal.
    answered: bool,
    /// Orders since then that were not found.
    not_found: u32,
}

impl Others {
    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// An answer of which "not found" is the order's own refusal where the others were answered.
    pub fn held_against<T>(&self, answer: Result<T, Failure>) -> Result<T, Failure> {
        let mut seen = self.seen();
        match answer {
            Err(failure) if failure.is_not_found() => {
                if !seen.answered || seen.not_found >= MOST_IN_A_ROW {
                    return Err(failure);
                }
                seen.not_found += 1;
                Err(Failure {
                    verdict: Verdict::Refused,
                    ..failure
                })
            }
            answer => {
                let is_answered = answer
                    .as_ref()
                    .err()
                    .is_none_or(|failure| failure.verdict == Verdict::Refused);
                if is_answered {
                    *seen = Seen {
                        answered: true,
                        not_found: 0,
                    };
                }
                answer
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::service::Heard;

    fn failed(verdict: Verdict, heard: Heard, words: Option<&str>) -> Result<(), Failure> {
        Err(Failure {
            operation: "orders/create-new-order",
            verdict,
            heard,
            has_status: true,
            detail: "no".to_owned(),
            service_message: words.map(str::to_owned),
            service_date: None,
            made: None,
        })
    }

    fn not_found() -> Result<(), Failure> {
        failed(Verdict::Misconfigured, Heard::Said(404), Some("no such SKU"))
    }

    fn verdict(answer: &Result<(), Failure>) -> Option<Verdict> {
        answer.as_ref().err().map(|failure| failure.verdict)
    }

    #[test]
    fn an_order_that_is_not_found_is_refused_where_others_are_answered() {
        let others = Others::default();
        let first = others.held_against(not_found());
        assert_eq!(
            verdict(&first),
            Some(Verdict::Misconfigured),
            "nobody was answered"
        );
        assert!(others.held_against(Ok(())).is_ok());
        for _ in 0..MOST_IN_A_ROW {
            let unlike = others.held_against(not_found());
            assert_eq!(verdict(&unlike), Some(Verdict::Refused));
        }
        let many = others.held_against(not_found());
        assert_eq!(
            verdict(&many),
            Some(Verdict::Misconfigured),
            "the service has changed"
        );
        let refused = failed(Verdict::Refused, Heard::Said(400), None);
        assert_eq!(verdict(&others.held_against(refused)), Some(Verdict::Refused));
        let unlike = others.held_against(not_found());
        assert_eq!(
            verdict(&unlike),
            Some(Verdict::Refused),
            "a refusal is an answer too"
        );
    }

    #[test]
    fn what_a_gateway_does_not_find_is_no_order() {
        let others = Others::default();
        assert!(others.held_against(Ok(())).is_ok());
        for (heard, words) in [
            (Heard::Odd(404), None),
            (Heard::Said(404), None),
            (Heard::Said(404), Some("")),
            (Heard::Said(405), Some("no such method")),
        ] {
            let answer = others.held_against(failed(Verdict::Misconfigured, heard, words));
            assert_eq!(
                verdict(&answer),
                Some(Verdict::Misconfigured),
                "{heard:?} {words:?}"
            );
        }
        // Some gateways have words of their own: `{"message":"no Route matched with those values"}`.
        let bare = not_found().map_err(|failure| Failure {
            has_status: false,
            ..failure
        });
        assert_eq!(verdict(&others.held_against(bare)), Some(Verdict::Misconfigured));
    }
}
