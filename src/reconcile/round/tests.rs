use super::*;
use crate::reconcile::Signature;
use crate::reconcile::tests::{POLICY, known};

fn absent() -> Reading {
    Reading::Complete(Vec::new())
}

fn witness(sent_after: bool, minutes: u64, shown: Option<bool>) -> Witness {
    Witness {
        sent_after,
        age: Duration::from_mins(minutes),
        shown,
    }
}

#[test]
fn what_a_witness_shows() {
    let lag = Duration::from_mins(3);
    for (found, liveness_of) in [
        (None, Liveness::Unproven),
        (Some(witness(true, 3, Some(true))), Liveness::Live { lag }),
        (Some(witness(true, 3, Some(false))), Liveness::Young),
        (Some(witness(true, 15, Some(false))), Liveness::Dead),
        (Some(witness(true, 15, None)), Liveness::Young),
        (Some(witness(false, 15, Some(true))), Liveness::Unproven),
        (Some(witness(false, 15, Some(false))), Liveness::Dead),
        (Some(witness(false, 3, Some(false))), Liveness::Unproven),
    ] {
        assert_eq!(liveness(found, None, &POLICY), liveness_of, "{found:?}");
    }
    let seen_before = liveness(Some(witness(true, 40, Some(true))), Some(lag), &POLICY);
    assert_eq!(
        seen_before,
        Liveness::Live { lag },
        "the lag is that of the first sight"
    );
}

#[test]
fn absence_counts_after_a_witness_the_newest_order_and_a_second_look() {
    let known = known();
    let mut round = Round::new(&known, &POLICY);
    assert_eq!(round.looked(&absent()), Next::Witness);
    assert_eq!(round.witnessed(Some(witness(true, 0, Some(true)))), Next::Newest);
    assert_eq!(round.newest(Some(witness(true, 20, Some(true)))), Next::Whole);
    assert_eq!(round.whole(&absent(), &[]), Next::Follow(Step::SendAgain));
}

#[test]
fn a_list_that_does_not_show_the_newest_order_proves_nothing() {
    let known = known();
    for shown in [Some(false), None] {
        let mut round = Round::new(&known, &POLICY);
        round.witnessed(Some(witness(true, 0, Some(true))));
        let next = round.newest(Some(witness(true, 20, shown)));
        assert!(matches!(next, Next::Follow(Step::LookAgain(_))), "{next:?}");
    }
}

#[test]
fn what_the_list_says_by_word_alone_waits_as_if_nothing_showed_it_to_be_live() {
    for (waited, next) in [(20, false), (24 * 60, true)] {
        let known = Known {
            waited: Some(Duration::from_mins(waited)),
            ..known()
        };
        for shown in [Some(true), None] {
            let mut round = Round::new(&known, &POLICY);
            assert_eq!(round.looked(&Reading::NoneByWord), Next::Witness);
            let witness = shown.map(|_| witness(true, 0, shown));
            assert_eq!(
                round.witnessed(witness) == Next::Newest,
                next,
                "{waited} {shown:?}"
            );
        }
        let mut round = Round::new(&known, &POLICY);
        round.looked(&absent());
        round.witnessed(Some(witness(true, 0, Some(true))));
        let whole = round.whole(&Reading::NoneByWord, &[]);
        assert_eq!(whole == Next::Follow(Step::SendAgain), next, "{waited}");
    }
}

#[test]
fn what_appears_between_the_looks_is_adopted() {
    let known = known();
    let mut round = Round::new(&known, &POLICY);
    round.looked(&absent());
    round.witnessed(Some(witness(true, 0, Some(true))));
    round.newest(None);
    let there = Named {
        pw_order_id: "PW-1".into(),
        signature: known.signature.clone(),
        zip: None,
        entered_at: None,
    };
    let next = round.whole(&Reading::Complete(vec![there]), &[]);
    assert!(matches!(next, Next::Follow(Step::Adopt { .. })), "{next:?}");
}

#[test]
fn what_may_be_ours_under_another_name_is_for_a_person() {
    let at = |second| Some(Timestamp::from_second(second).unwrap());
    let alike = |entered_at| Named {
        pw_order_id: "PW-1".into(),
        signature: known().signature,
        zip: None,
        entered_at,
    };
    let never = Policy {
        resend: false,
        ..POLICY
    };
    let cancel = Known {
        cancel: true,
        ..known()
    };
    for (known, policy) in [(known(), POLICY), (cancel, POLICY), (known(), never)] {
        let mut round = Round::new(&known, &policy);
        round.looked(&absent());
        round.witnessed(Some(witness(true, 0, Some(true))));
        let whole = |entered| round.whole(&absent(), &[alike(at(entered))]);
        let person = whole(10_100);
        assert!(
            matches!(
                person,
                Next::Follow(Step::AskPerson {
                    why: Reason::Alike { .. },
                    ..
                })
            ),
            "{person:?}"
        );
        let from_before = whole(10_000 - 3_601);
        assert!(
            !matches!(
                from_before,
                Next::Follow(Step::AskPerson {
                    why: Reason::Alike { .. },
                    ..
                })
            ),
            "{from_before:?}"
        );
    }
}

#[test]
fn before_a_person_is_asked_the_whole_list_is_read_once() {
    let twice = Known { sends: 2, ..known() };
    let asked = Known {
        person: true,
        ..twice.clone()
    };
    for (known, reads) in [(twice, true), (asked, false)] {
        let mut round = Round::new(&known, &POLICY);
        let next = round.witnessed(Some(witness(true, 0, Some(true))));
        assert_eq!(next == Next::Whole, reads, "{next:?}");
    }
    // A search that is blind to all names is no dead list to who reads the whole of it.
    let blind = Known {
        waited: Some(POLICY.absent_after_unproven),
        ..known()
    };
    let mut round = Round::new(&blind, &POLICY);
    assert_eq!(
        round.witnessed(Some(witness(false, 20, Some(false)))),
        Next::Whole
    );
    let there = Named {
        pw_order_id: "PW-1".into(),
        signature: blind.signature.clone(),
        zip: None,
        entered_at: None,
    };
    let next = round.whole(&Reading::Complete(vec![there]), &[]);
    assert!(matches!(next, Next::Follow(Step::Adopt { .. })), "{next:?}");
}

#[test]
fn an_attempt_is_dated_by_the_service_whatever_our_clock_has_done_since() {
    let at = |second: i64| Timestamp::from_second(1_790_000_000 + second).unwrap();
    let boot = |id: &str, seconds: i64| BootTime {
        id: id.into(),
        millis: seconds * 1000,
    };
    let now = |wall, id| Now {
        wall: at(wall),
        boot: boot(id, 600),
    };
    // Intended ten minutes ago; the service's clock says 100 000.
    let attempt = |second| (at(second), boot("a", 0));
    let dated = |second, now| {
        let (intended_at, intended) = attempt(second);
        on_service_clock((intended_at, &intended), None, Some(at(100_000)), &now)
    };
    assert_eq!(dated(99_400, now(100_000, "a")), at(99_400), "the clocks agree");
    assert_eq!(
        dated(106_600, now(100_000, "a")),
        at(99_400),
        "ours was set back two hours"
    );
    assert_eq!(
        dated(106_600, now(107_200, "b")),
        at(99_400),
        "ours is ahead; booted since"
    );
    let (intended_at, intended) = attempt(106_600);
    let undated =
        |answered, id| on_service_clock((intended_at, &intended), answered, None, &now(100_000, id));
    assert_eq!(undated(None, "a"), at(99_400), "the service tells no time");
    assert_eq!(
        undated(Some(at(99_450)), "b"),
        at(99_450),
        "set back, and booted since"
    );
    for none in ["1970-01-01T00:00:00Z", "9999-12-31T00:00:00Z"].map(|told| told.parse().ok()) {
        let (intended_at, intended) = attempt(99_400);
        let dated = on_service_clock((intended_at, &intended), none, none, &now(100_000, "a"));
        assert_eq!(dated, at(99_400), "{none:?} is no time of a service's");
    }
}

#[test]
fn a_wait_across_a_boot_is_not_measured_by_what_is_no_time() {
    let boot = |id: &str| BootTime {
        id: id.into(),
        millis: 0,
    };
    let told = |text: &str| text.parse().ok();
    let after_boot = |since, date| {
        let now = Now {
            wall: "2026-11-21T09:00:00Z".parse().unwrap(),
            boot: boot("b"),
        };
        waited(&boot("a"), told(since), told(date), &now)
    };
    let [morning, noon] = ["2026-11-21T09:00:00Z", "2026-11-21T12:00:00Z"];
    assert_eq!(after_boot(morning, noon), Some(Duration::from_hours(3)));
    assert_eq!(after_boot("1970-01-01T00:00:00Z", noon), None);
    assert_eq!(after_boot(morning, "9999-12-31T23:59:59Z"), None);
}

#[test]
fn what_was_answered_needs_no_wait_and_what_was_not_does() {
    let known = known();
    let sent = (Some(known.ours()), known.first_attempt);
    let wait = |answered, minutes: Option<u64>| {
        anew(sent, &[], (answered, minutes.map(Duration::from_mins)), &POLICY)
    };
    assert_eq!(wait(true, None), Anew::Clear);
    assert_eq!(wait(false, None), Anew::TooEarly);
    assert_eq!(wait(false, Some(14)), Anew::TooEarly);
    assert_eq!(wait(false, Some(15)), Anew::Clear);
    let mut there = Named {
        pw_order_id: "PW-1".into(),
        signature: known.signature.clone(),
        zip: None,
        entered_at: None,
    };
    let found = Anew::Found {
        pw_order_id: "PW-1".into(),
        others: 0,
    };
    let named = std::slice::from_ref(&there);
    assert_eq!(anew(sent, named, (true, None), &POLICY), found);
    let waited = (false, Some(Duration::from_hours(24)));
    assert_eq!(
        anew((None, known.first_attempt), named, waited, &POLICY),
        Anew::Strangers,
        "nobody knows whether it is what was sent"
    );
    let elsewhere = Named {
        zip: Some("99999".into()),
        ..there.clone()
    };
    let from_before = Named {
        entered_at: Some(Timestamp::from_second(10_000 - 3_601).unwrap()),
        ..there.clone()
    };
    for stranger in [elsewhere, from_before] {
        assert_eq!(anew(sent, &[stranger], (true, None), &POLICY), Anew::Strangers);
    }
    there.signature = Signature::new([("OTHER", 1)].into_iter(), None);
    for answered in [(true, None), waited] {
        let named = std::slice::from_ref(&there);
        assert_eq!(anew(sent, named, answered, &POLICY), Anew::Strangers);
    }
}
