//! What follows from one look-up: each step with the neighbour that takes another.

use super::*;

pub(crate) const POLICY: Policy = Policy {
    absent_after: Duration::from_mins(15),
    absent_after_unproven: Duration::from_hours(24),
    resend: true,
};

/// A list that shows what was made at once.
const LIVE: Liveness = Liveness::Live { lag: Duration::ZERO };

fn signature(sku: &str) -> Signature {
    Signature::new([(sku, 2)].into_iter(), Some("US"))
}

fn at(second: i64) -> Timestamp {
    Timestamp::from_second(second).unwrap()
}

pub(crate) fn known() -> Known {
    Known {
        signature: signature("A"),
        zip: Some("43004".into()),
        first_attempt: at(10_000),
        looks: 5,
        waited: Some(Duration::from_secs(901)),
        lag: None,
        sends: 1,
        cancel: false,
        person: false,
        contradicted: false,
    }
}

fn named(pw: &str, sku: &str, entered: i64) -> Named {
    Named {
        pw_order_id: pw.into(),
        signature: signature(sku),
        zip: None,
        entered_at: Some(at(entered)),
    }
}

fn absent() -> Reading {
    Reading::Complete(Vec::new())
}

#[test]
fn the_eldest_candidate_is_adopted_and_the_others_are_counted() {
    let reading = Reading::Complete(vec![named("PW-2", "A", 10_100), named("PW-1", "A", 10_050)]);
    let step = decide(&known(), &reading, Liveness::Unproven, &POLICY);
    assert_eq!(
        step,
        Step::Adopt {
            pw_order_id: "PW-1".into(),
            others: 1
        }
    );
}

#[test]
fn our_name_with_other_content_or_from_long_ago_is_for_a_person() {
    for other in [named("PW-9", "B", 10_100), named("PW-9", "A", 10_000 - 3_601)] {
        let step = decide(&known(), &Reading::Complete(vec![other]), LIVE, &POLICY);
        assert_eq!(
            step,
            Step::AskPerson {
                why: Reason::OtherContent,
                again: PERSON_PAUSE
            }
        );
    }
}

#[test]
fn absence_counts_only_with_time_looks_and_a_live_list() {
    let send = |k: &Known, l| decide(k, &absent(), l, &POLICY) == Step::SendAgain;
    assert!(send(&known(), LIVE));
    assert!(
        !send(&known(), Liveness::Unproven),
        "a quarter of an hour is too short without proof"
    );
    assert!(!send(&known(), Liveness::Dead));
    assert!(!send(&known(), Liveness::Young));
    assert!(
        !send(&Known { looks: 1, ..known() }, LIVE),
        "two look-ups are too few"
    );
    assert!(send(&Known { looks: 2, ..known() }, LIVE));
    assert!(!send(
        &Known {
            waited: Some(Duration::from_secs(899)),
            ..known()
        },
        LIVE
    ));
    assert!(send(
        &Known {
            waited: Some(Duration::from_hours(24)),
            ..known()
        },
        Liveness::Unproven
    ));
    let long_dead = Known {
        waited: Some(Duration::from_secs(999_999)),
        ..known()
    };
    assert!(
        !send(&long_dead, Liveness::Dead),
        "a dead list proves nothing however long one waits"
    );
    assert_eq!(
        decide(&known(), &Reading::Incomplete, LIVE, &POLICY),
        Step::LookAgain(pause(5, &POLICY))
    );
}

#[test]
fn a_list_that_stays_dead_is_for_a_person_once_and_still_looked_into() {
    let waited = |waited| Known {
        waited: Some(waited),
        ..known()
    };
    let long = waited(POLICY.absent_after_unproven);
    let again = PERSON_PAUSE;
    let why = Reason::DeadList;
    let step = |known: &Known| decide(known, &absent(), Liveness::Dead, &POLICY);
    assert_eq!(
        step(&long),
        Step::AskPerson {
            why: why.clone(),
            again
        }
    );
    let short = waited(
        POLICY
            .absent_after_unproven
            .saturating_sub(Duration::from_secs(1)),
    );
    assert_eq!(step(&short), Step::LookAgain(pause(5, &POLICY)));
    let wished = Known {
        cancel: true,
        ..long.clone()
    };
    assert_eq!(
        step(&wished),
        Step::AskPerson { why, again },
        "a cancel waits too"
    );
    let asked = Known { person: true, ..long };
    assert_eq!(step(&asked), Step::LookAgain(again));
}

#[test]
fn a_list_that_tells_nothing_is_looked_into_ever_more_rarely_and_is_for_a_person_in_the_end() {
    let step = |waited: Option<u64>, person, cancel| {
        let waited = waited.map(Duration::from_secs);
        let known = Known {
            waited,
            person,
            cancel,
            looks: 0,
            ..known()
        };
        decide(&known, &Reading::Unclear, LIVE, &POLICY)
    };
    let again = |seconds| Step::LookAgain(Duration::from_secs(seconds));
    assert_eq!(step(Some(0), false, false), Step::LookAgain(FIRST_PAUSE));
    assert_eq!(step(Some(80), false, false), again(10));
    assert_eq!(step(Some(24 * 3600 - 1), false, false), again(225));
    let asks = Step::AskPerson {
        why: Reason::UnreadableList,
        again: PERSON_PAUSE,
    };
    assert_eq!(step(Some(24 * 3600), false, false), asks);
    assert_eq!(step(Some(24 * 3600), true, false), Step::LookAgain(PERSON_PAUSE));
    assert_eq!(step(Some(24 * 3600), true, true), again(225));
    assert!(matches!(step(None, false, false), Step::WaitAnew(_)));
}

#[test]
fn an_order_at_which_the_service_fails_is_for_a_person_as_soon_as_absence_would_count() {
    let reading = Reading::Fails("the index is damaged".to_owned());
    let step = |seconds, person| {
        let known = Known {
            waited: Some(Duration::from_secs(seconds)),
            person,
            ..known()
        };
        decide(&known, &reading, LIVE, &POLICY)
    };
    assert!(matches!(step(15 * 60 - 1, false), Step::LookAgain(_)));
    let asks = Step::AskPerson {
        why: Reason::LookUpFails {
            words: "the index is damaged".to_owned(),
        },
        again: PERSON_PAUSE,
    };
    assert_eq!(step(15 * 60, false), asks);
    assert_eq!(step(15 * 60, true), Step::LookAgain(PERSON_PAUSE));
}

#[test]
fn of_an_order_of_our_name_that_shows_nothing_of_itself_a_person_is_told_that() {
    let untold = |zip: Option<&str>| Named {
        signature: Signature::new([].into_iter(), Some("US")),
        zip: zip.map(str::to_owned),
        ..named("PW-1", "A", 10_100)
    };
    let known = Known {
        zip: Some("43004".to_owned()),
        ..known()
    };
    let step = |named| decide(&known, &Reading::Complete(vec![named]), LIVE, &POLICY);
    assert!(matches!(step(untold(Some("43004"))), Step::Adopt { .. }));
    for (named, reason) in [
        (untold(None), Reason::ContentNotShown),
        (untold(Some("99999")), Reason::ContentNotShown),
        (
            Named {
                entered_at: Some(Timestamp::from_second(1).unwrap()),
                ..untold(Some("43004"))
            },
            Reason::OtherContent,
        ),
    ] {
        let Step::AskPerson { why, .. } = step(named) else {
            panic!("{reason:?}")
        };
        assert_eq!(why, reason);
    }
}

#[test]
fn a_list_that_is_late_is_waited_for_as_much_longer() {
    let late = Liveness::Live {
        lag: Duration::from_mins(2),
    };
    let after = |seconds| {
        let known = Known {
            waited: Some(Duration::from_secs(seconds)),
            ..known()
        };
        decide(&known, &absent(), late, &POLICY)
    };
    assert_ne!(after(17 * 60 - 1), Step::SendAgain);
    assert_eq!(after(17 * 60), Step::SendAgain);
    let never_longer = Liveness::Live {
        lag: Duration::from_hours(90),
    };
    let waited = Known {
        waited: Some(POLICY.absent_after_unproven),
        ..known()
    };
    assert_eq!(decide(&waited, &absent(), never_longer, &POLICY), Step::SendAgain);
}

#[test]
fn a_wait_that_no_clock_can_tell_begins_anew() {
    let lost = Known {
        waited: None,
        ..known()
    };
    assert!(matches!(
        decide(&lost, &absent(), LIVE, &POLICY),
        Step::WaitAnew(_)
    ));
}

#[test]
fn a_second_absence_and_resend_never_are_for_a_person_and_a_cancel_is_ruled_out() {
    let twice = Known { sends: 2, ..known() };
    let step = decide(&twice, &absent(), LIVE, &POLICY);
    assert_eq!(
        step,
        Step::AskPerson {
            why: Reason::AbsentTwice,
            again: PERSON_PAUSE
        }
    );
    let never = Policy {
        resend: false,
        ..POLICY
    };
    let step = decide(&known(), &absent(), LIVE, &never);
    assert_eq!(
        step,
        Step::AskPerson {
            why: Reason::NeverResend,
            again: PERSON_PAUSE
        }
    );
    let cancel = Known {
        cancel: true,
        ..known()
    };
    assert_eq!(decide(&cancel, &absent(), LIVE, &POLICY), Step::RuledOut);
}

#[test]
fn what_was_answered_under_another_name_is_neither_sent_again_nor_ruled_out() {
    for (cancel, sends) in [(false, 1), (false, 2), (true, 1)] {
        let known = Known {
            contradicted: true,
            cancel,
            sends,
            ..known()
        };
        let step = decide(&known, &absent(), LIVE, &POLICY);
        assert!(
            matches!(
                step,
                Step::AskPerson {
                    why: Reason::Contradicted,
                    ..
                }
            ),
            "{step:?}"
        );
    }
}

#[test]
fn an_order_for_a_person_is_looked_up_seldom_until_its_cancel_is_wished() {
    for (cancel, pause) in [(false, PERSON_PAUSE), (true, Duration::from_secs(16))] {
        let asked = Known {
            person: true,
            cancel,
            ..known()
        };
        assert_eq!(
            decide(&asked, &absent(), Liveness::Young, &POLICY),
            Step::LookAgain(pause)
        );
    }
}

#[test]
fn pauses_grow_and_stay_below_a_quarter_of_the_wait() {
    let pauses: Vec<_> = (0..12).map(|looks| pause(looks, &POLICY)).collect();
    assert!(pauses.is_sorted() && pauses[0] == FIRST_PAUSE && pauses[11] == Duration::from_secs(225));
}
