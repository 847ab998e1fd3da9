//! The pace, step by step.

use super::*;

const SECOND: Duration = Duration::from_secs(1);

fn went(pace: &mut Pace, now: Instant) -> usize {
    let mut count = 0;
    while matches!(pace.ask(Queue::InLine, now), Admission::Go(_)) {
        count += 1;
    }
    count
}

/// A volley that fills the window, each answered with `signal` after `took`.
fn volley(pace: &mut Pace, now: Instant, took: Duration, signal: Signal) -> usize {
    let count = went(pace, now);
    for _ in 0..count {
        pace.end(now, now + took, signal);
    }
    count
}

#[test]
fn the_window_grows_while_answers_are_quick_and_never_over_the_most() {
    let mut pace = Pace::new(16, None);
    let mut now = Instant::now();
    let mut seen = Vec::new();
    for _ in 0..6 {
        seen.push(volley(&mut pace, now, SECOND, Signal::Answered));
        now += SECOND;
    }
    assert_eq!(seen.first(), Some(&FIRST_IN_FLIGHT));
    assert_eq!(seen.last(), Some(&16));
    assert!(seen.is_sorted());
}

#[test]
fn slow_answers_do_not_widen_it() {
    for (took, left) in [(4, 16), (5, FIRST_IN_FLIGHT)] {
        let mut pace = Pace::new(16, None);
        let now = Instant::now();
        assert_eq!(
            volley(&mut pace, now, took * SECOND, Signal::Answered),
            FIRST_IN_FLIGHT
        );
        assert_eq!(
            went(&mut pace, now + 6 * SECOND),
            left,
            "each answered after {took} s"
        );
    }
}

#[test]
fn a_volley_that_is_pushed_back_halves_once_and_pauses_all() {
    let mut pace = Pace::new(4, None);
    let now = Instant::now();
    assert_eq!(volley(&mut pace, now, SECOND, Signal::PushedBack(None)), 4);
    let after = now + SECOND;
    assert_eq!(pace.ask(Queue::InLine, after), Admission::Paused(SECOND));
    assert_eq!(went(&mut pace, after + SECOND), 2);
}

#[test]
fn pauses_double_until_an_answer_comes() {
    let mut pace = Pace::new(1, None);
    let mut now = Instant::now();
    let mut pauses = Vec::new();
    for _ in 0..9 {
        assert_eq!(pace.ask(Queue::InLine, now), Admission::Go(now));
        pace.end(now, now, Signal::PushedBack(None));
        let Admission::Paused(rest) = pace.ask(Queue::InLine, now) else {
            panic!("a push back pauses");
        };
        pauses.push(rest.as_secs());
        now += rest;
    }
    assert_eq!(pauses, [1, 2, 4, 8, 16, 32, 60, 60, 60]);
    assert_eq!(pace.ask(Queue::InLine, now), Admission::Go(now));
    pace.end(now, now, Signal::Answered);
    assert_eq!(pace.ask(Queue::InLine, now), Admission::Go(now));
    pace.end(now, now, Signal::PushedBack(None));
    assert_eq!(pace.ask(Queue::InLine, now), Admission::Paused(SECOND));
}

#[test]
fn a_pause_that_is_asked_for_is_kept_up_to_a_quarter_of_an_hour() {
    for (asked, kept) in [(3, 3), (900, 900), (86_400, 900)] {
        let mut pace = Pace::new(2, None);
        let now = Instant::now();
        assert_eq!(pace.ask(Queue::InLine, now), Admission::Go(now));
        pace.end(now, now, Signal::PushedBack(Some(asked * SECOND)));
        assert_eq!(pace.ask(Queue::InLine, now), Admission::Paused(kept * SECOND));
    }
}

#[test]
fn a_pause_of_no_length_is_one_of_our_own() {
    let mut pace = Pace::new(2, None);
    let now = Instant::now();
    assert_eq!(pace.ask(Queue::InLine, now), Admission::Go(now));
    pace.end(now, now, Signal::TooMany(Some(Duration::ZERO)));
    assert!(matches!(pace.ask(Queue::InLine, now), Admission::Paused(rest) if rest == FIRST_PAUSE));
}

#[test]
fn a_shorter_pause_never_ends_a_longer_one() {
    let mut pace = Pace::new(2, None);
    let now = Instant::now();
    assert_eq!(went(&mut pace, now), 2);
    pace.end(now, now, Signal::PushedBack(Some(60 * SECOND)));
    pace.end(now, now, Signal::PushedBack(Some(SECOND)));
    assert_eq!(pace.ask(Queue::InLine, now), Admission::Paused(60 * SECOND));
}

#[test]
fn timeouts_halve_down_to_one_and_do_not_pause() {
    let mut pace = Pace::new(4, None);
    let mut now = Instant::now();
    let mut seen = Vec::new();
    for _ in 0..4 {
        seen.push(volley(&mut pace, now, SECOND, Signal::TimedOut));
        now += 2 * SECOND;
    }
    assert_eq!(seen, [4, 2, 1, 1]);
}

#[test]
fn a_request_without_an_answer_narrows_no_window_where_others_were_answered_quickly_beside_it() {
    let begun = Instant::now();
    // How long what is answered beside it took.
    for (beside, left) in [(None, 4), (Some(SECOND), 9), (Some(5 * SECOND), 4)] {
        let mut pace = Pace::new(16, None);
        assert_eq!(went(&mut pace, begun), FIRST_IN_FLIGHT);
        if let Some(took) = beside {
            pace.end(begun, begun + took, Signal::Answered);
        }
        pace.end(begun, begun + 30 * SECOND, Signal::TimedOut);
        let ends = usize::from(beside.is_some()) + 1;
        for _ in ends..FIRST_IN_FLIGHT {
            pace.end(begun, begun + 30 * SECOND, Signal::None);
        }
        assert_eq!(went(&mut pace, begun + 31 * SECOND), left, "{beside:?}");
        // What began after the last answer tells of what came since.
        pace.end(begun + 31 * SECOND, begun + 61 * SECOND, Signal::TimedOut);
        assert_eq!(pace.window, left / 2);
    }
}

#[test]
fn who_is_answered_late_takes_no_place_in_the_window_of_a_service_that_answers_quickly() {
    let begun = Instant::now();
    let mut pace = Pace::new(4, None);
    pace.window = 1;
    assert_eq!(went(&mut pace, begun), 1);
    assert_eq!(
        pace.ask(Queue::InLine, begun + 9 * SECOND),
        Admission::Full,
        "nothing was answered quickly"
    );
    pace.end(begun, begun + SECOND, Signal::Answered);
    pace.window = 1;
    let late = begun + 2 * SECOND;
    assert_eq!(went(&mut pace, late), 1);
    assert_eq!(
        pace.ask(Queue::InLine, late + SECOND),
        Admission::After(SECOND),
        "it is not late yet"
    );
    // One more each time that one is late, up to the most, and none for what left long after a quick answer.
    let left: Vec<_> = (1..6).map(|n| went(&mut pace, late + 2 * n * SECOND)).collect();
    assert_eq!(left, [1, 1, 1, 0, 0]);
    let mut pace = Pace::new(16, None);
    pace.answered = Some(begun);
    pace.window = 1;
    let left: Vec<_> = (0..15).map(|n| went(&mut pace, begun + 2 * n * SECOND)).collect();
    assert_eq!(left.iter().sum::<usize>(), 6, "{left:?}");
}

#[test]
fn after_a_push_back_it_grows_by_one_a_windowful() {
    let mut pace = Pace::new(8, None);
    let mut now = Instant::now();
    volley(&mut pace, now, SECOND, Signal::TimedOut);
    now += SECOND;
    volley(&mut pace, now, SECOND, Signal::TimedOut);
    let mut seen = Vec::new();
    for _ in 0..4 {
        now += 2 * SECOND;
        seen.push(volley(&mut pace, now, Duration::ZERO, Signal::Answered));
    }
    assert_eq!(seen, [2, 3, 4, 5]);
}

#[test]
fn no_span_of_time_has_more_requests_than_the_ceiling() {
    let limit = RateLimit {
        requests: 5,
        per: 3 * SECOND,
    };
    let mut pace = Pace::new(16, Some(limit));
    let start = Instant::now();
    let mut left = Vec::new();
    for tenth in 0..100 {
        let now = start + Duration::from_millis(tenth * 100);
        while let Admission::Go(began) = pace.ask(Queue::InLine, now) {
            left.push(began);
            pace.end(began, now, Signal::Answered);
        }
    }
    assert!(left.len() >= 15, "it is used to the full");
    for span in left.windows(6) {
        assert!(span[5] - span[0] >= 3 * SECOND);
    }
    assert_eq!(
        left.iter().filter(|began| **began == start).count(),
        4,
        "one may be used already"
    );
}

#[test]
fn a_request_counts_from_its_end_for_the_service_may_have_had_it_only_then() {
    let limit = RateLimit {
        requests: 2,
        per: 3 * SECOND,
    };
    let mut pace = Pace::new(16, Some(limit));
    let start = Instant::now();
    assert_eq!(went(&mut pace, start), 2);
    assert_eq!(
        pace.ask(Queue::InLine, start + 5 * SECOND),
        Admission::Full,
        "they may still be on their way"
    );
    pace.end(start, start + 5 * SECOND, Signal::Answered);
    assert_eq!(
        pace.ask(Queue::InLine, start + 6 * SECOND),
        Admission::After(2 * SECOND)
    );
    assert_eq!(went(&mut pace, start + 8 * SECOND), 1);
}

#[test]
fn what_did_not_leave_is_not_counted() {
    let limit = RateLimit {
        requests: 1,
        per: 3 * SECOND,
    };
    let mut pace = Pace::new(16, Some(limit));
    let start = Instant::now();
    for signal in [Signal::Unused, Signal::None] {
        assert_eq!(pace.ask(Queue::InLine, start), Admission::Go(start), "{signal:?}");
        pace.end(start, start, signal);
    }
    assert_eq!(pace.ask(Queue::InLine, start), Admission::After(3 * SECOND));
}

#[test]
fn what_was_asked_before_the_start_counts_among_the_requests_of_the_ceiling() {
    let limit = RateLimit {
        requests: 5,
        per: 3 * SECOND,
    };
    let start = Instant::now();
    let now = start + 2 * SECOND;
    for (before, left) in [(0, 4), (1, 4), (3, 2), (5, 0)] {
        let mut pace = Pace::new(16, Some(limit));
        pace.count(std::iter::repeat_n(start, before));
        assert_eq!(went(&mut pace, now), left, "{before} before");
        if left == 0 {
            assert_eq!(pace.ask(Queue::InLine, now), Admission::After(SECOND));
        }
    }
}

#[test]
fn a_ceiling_of_a_long_time_is_used_to_the_full_and_leaves_nobody_waiting_for_that_time() {
    for (requests, per, longest) in [
        (500, 3600, 60),
        (100, 60, 5),
        (60, 120, 10),
        (30, 60, 10),
        (1000, 600, 3),
    ] {
        let limit = RateLimit {
            requests,
            per: per * SECOND,
        };
        let mut pace = Pace::new(16, Some(limit));
        let (start, tick) = (Instant::now(), Duration::from_millis(100));
        let mut left: Vec<Instant> = Vec::new();
        for n in 0..(3 * per * 10) {
            let now = start + tick * n;
            while let Admission::Go(began) = pace.ask(Queue::InLine, now) {
                left.push(began);
                pace.end(began, now, Signal::Answered);
            }
        }
        let told = format!("{requests} in {per} s");
        let most = usize::try_from(requests).unwrap();
        assert!(left.len() * 100 >= 3 * most * 93, "{told}: {} left", left.len());
        for span in left.windows(most + 1) {
            assert!(span[most] - span[0] >= per * SECOND, "{told}");
        }
        let silence = left.windows(2).map(|two| two[1] - two[0]).max().unwrap();
        assert!(silence <= longest * SECOND, "{told}: nothing for {silence:?}");
        let burst = left.iter().filter(|at| **at == start).count();
        assert!(
            burst * 4 >= most,
            "{told}: a small sheet is sent at once, {burst}"
        );
    }
}

#[test]
fn what_goes_ahead_does_not_wait_for_a_ceiling_to_be_spread_and_keeps_to_it() {
    let (requests, per) = (500, 3600 * SECOND);
    let mut pace = Pace::new(16, Some(RateLimit { requests, per }));
    let now = Instant::now();
    let mut all_that_go = |queue| {
        let mut left = 0;
        while let Admission::Go(began) = pace.ask(queue, now) {
            pace.end(began, now, Signal::Answered);
            left += 1;
        }
        left
    };
    let in_line = all_that_go(Queue::InLine);
    assert!(in_line > 0 && in_line < requests / 2, "{in_line} left at once");
    let ahead = all_that_go(Queue::Ahead);
    assert!(ahead > 0, "half is left for them");
    assert!(in_line + ahead <= requests, "{in_line} and {ahead}");
}
