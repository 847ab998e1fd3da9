//! The pace against a service that counts requests, in a time of its own.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use super::super::Queue;
use super::super::core::{Admission, Pace};
use super::super::signal::Signal;

const TICK: Duration = Duration::from_millis(1);
const LATENCY: Duration = Duration::from_millis(40);
const MINUTE: Duration = Duration::from_mins(1);

/// A service that allows so many requests in any such time.
struct Service {
    allows: Box<dyn Fn(Duration) -> (usize, Duration)>,
    /// Whether it says when there is room again, in whole seconds as HTTP has it.
    tells: bool,
    /// Whether it counts anew when the time is over, and not in any such time.
    anew: bool,
    /// One in so many requests is said to be too many whatever there were.
    at_random: Option<u32>,
    /// How long an answer takes; a quick one finds hardly another request under way.
    latency: Duration,
    let_in: VecDeque<Instant>,
    asked: u32,
}

impl Service {
    fn counting(allows: impl Fn(Duration) -> (usize, Duration) + 'static) -> Self {
        Self {
            allows: Box::new(allows),
            tells: true,
            anew: false,
            at_random: None,
            latency: LATENCY,
            let_in: VecDeque::new(),
            asked: 0,
        }
    }

    fn answer(&mut self, start: Instant, now: Instant) -> Signal {
        let (requests, per) = (self.allows)(now - start);
        while self.let_in.front().is_some_and(|at| *at + per <= now) {
            if self.anew {
                self.let_in.clear();
            }
            self.let_in.pop_front();
        }
        self.asked += 1;
        if self
            .at_random
            .is_some_and(|one_in| self.asked.is_multiple_of(one_in))
        {
            return Signal::TooMany(Some(Duration::from_secs(1)));
        }
        if self.let_in.len() >= requests {
            let rest = self.let_in.front().map_or(per, |at| *at + per - now);
            let seconds = Duration::from_secs(rest.as_secs() + 1);
            return Signal::TooMany(self.tells.then_some(seconds));
        }
        self.let_in.push_back(now);
        Signal::Answered
    }
}

/// What one minute, or another span, came to.
#[derive(Clone, Copy, Debug, Default)]
struct Minute {
    answered: u32,
    refused: u32,
}

/// As many requests as the pace lets go, for so many minutes.
fn minutes(service: Service, count: usize) -> Vec<Minute> {
    spans(service, MINUTE, count)
}

/// The same for so many spans of time.
fn spans(mut service: Service, span: Duration, count: usize) -> Vec<Minute> {
    let mut pace = Pace::new(16, None);
    let start = Instant::now();
    let mut now = start;
    let mut under_way: VecDeque<(Instant, Signal)> = VecDeque::new();
    let mut all = vec![Minute::default(); count];
    let mut end = start;
    for minute in &mut all {
        end += span;
        while now < end {
            while let Some((began, signal)) =
                under_way.pop_front_if(|(began, _)| *began + service.latency <= now)
            {
                pace.end(began, now, signal);
                match signal {
                    Signal::Answered => minute.answered += 1,
                    _ => minute.refused += 1,
                }
            }
            let rest = loop {
                match pace.ask(Queue::InLine, now) {
                    Admission::Go(began) => under_way.push_back((began, service.answer(start, now))),
                    Admission::Paused(rest) | Admission::After(rest) => break Some(now + rest),
                    Admission::Full => break None,
                }
            };
            // Whichever comes first, as the gate waits: the time, or a request that ends; at a tick of the clock.
            let ends = under_way.front().map(|(began, _)| *began + service.latency);
            let next = rest.into_iter().chain(ends).min().unwrap();
            let ticks = (next - now).as_nanos().div_ceil(TICK.as_nanos());
            now += TICK * u32::try_from(ticks.max(1)).unwrap();
        }
    }
    all
}

/// A service that allows so many requests in so many seconds, and how many those are a minute.
fn steady(requests: usize, per: u64, latency: Duration) -> (Service, u32) {
    let time = Duration::from_secs(per);
    let mut service = Service::counting(move |_| (requests, time));
    service.latency = latency;
    let a_minute = 60 * u32::try_from(requests).unwrap() / u32::try_from(per).unwrap();
    (service, a_minute)
}

fn sum(minutes: &[Minute]) -> Minute {
    minutes.iter().fold(Minute::default(), |sum, minute| Minute {
        answered: sum.answered + minute.answered,
        refused: sum.refused + minute.refused,
    })
}

#[test]
fn a_ceiling_that_nobody_told_is_used_to_nine_tenths_and_passed_by_one_in_a_hundred() {
    for (requests, per, tells, anew) in [
        (50, 3, true, false),
        (50, 3, false, false),
        (50, 3, true, true),
        (50, 3, false, true),
        (100, 10, true, false),
        (20, 1, true, false),
        (20, 1, false, false),
        (20, 1, true, true),
        (600, 60, true, false),
    ] {
        for latency in [1, 3, 40].map(Duration::from_millis) {
            let (mut service, a_minute) = steady(requests, per, latency);
            (service.tells, service.anew) = (tells, anew);
            let (all, allowed) = (sum(&minutes(service, 20)), 20 * a_minute);
            let told = format!("{requests} in {per} s, {tells}, {anew}, {latency:?}: {all:?} of {allowed}");
            assert!(all.answered * 10 >= allowed * 9, "{told}");
            assert!(all.refused * 100 <= all.answered, "{told}");
        }
    }
}

#[test]
fn a_ceiling_that_stays_is_passed_ever_more_seldom() {
    for (requests, per) in [(50, 3), (20, 1)] {
        for latency in [1, 3, 40].map(Duration::from_millis) {
            let (service, a_minute) = steady(requests, per, latency);
            let (all, allowed) = (sum(&minutes(service, 30)[20..]), 10 * a_minute);
            let told = format!("{requests} in {per} s, {latency:?}: {all:?} of {allowed}");
            assert!(all.answered * 100 >= allowed * 95, "{told}");
            assert!(all.refused * 1000 <= all.answered, "{told}");
        }
    }
}

#[test]
fn one_refusal_each_minute_or_so_does_not_make_it_slower_without_end() {
    for apart in [40, 62, 65, 70, 75] {
        let mut service = Service::counting(move |at| {
            let is_early = at < 5 * MINUTE;
            let is_refused = at.as_secs().is_multiple_of(apart) && at.subsec_millis() < 70;
            match (is_early, is_refused) {
                (true, _) => (50, Duration::from_secs(3)),
                (false, true) => (0, TICK),
                (false, false) => (usize::MAX, TICK),
            }
        });
        service.latency = 4 * LATENCY;
        let all = minutes(service, 65);
        let (first, last) = (sum(&all[..5]), sum(&all[60..]));
        assert!(
            last.answered >= first.answered,
            "each {apart} s: {first:?}, then {last:?}"
        );
    }
}

#[test]
fn a_ceiling_that_changes_is_found_again() {
    let second = Duration::from_secs(1);
    let service = Service::counting(move |at| match at.as_secs() / 60 {
        0..5 => (40, 2 * second),
        5..10 => (16, 2 * second),
        _ => (80, 2 * second),
    });
    let all = minutes(service, 20);
    for (from, to, allowed) in [(1, 5, 20), (6, 10, 8), (14, 20, 40)] {
        let part = &all[from..to];
        let allowed = allowed * 60 * u32::try_from(part.len()).unwrap();
        let came_to = sum(part);
        assert!(
            came_to.answered * 10 >= allowed * 8,
            "{from}: {came_to:?} of {allowed}"
        );
        assert!(came_to.refused * 50 <= came_to.answered, "{from}: {came_to:?}");
    }
}

#[test]
fn one_that_rises_is_found_again_in_two_minutes() {
    let second = Duration::from_secs(1);
    for (tells, anew) in [(true, false), (true, true), (false, false), (false, true)] {
        for (first, then) in [(10, 50), (10, 100), (40, 50)] {
            // It is kept to for a minute, or for so long that it is tried as seldom as it ever is.
            for (lasts, within) in [(60, 120), (600, 150)] {
                let requests = move |at: u64| [first, then][usize::from(at >= lasts)];
                let mut service = Service::counting(move |at| (requests(at.as_secs()), 3 * second));
                (service.tells, service.anew) = (tells, anew);
                let from = usize::try_from((lasts + within) / 30).unwrap();
                let all = spans(service, 30 * second, from + 4);
                let (after, allowed) = (sum(&all[from..]), u32::try_from(then).unwrap() * 40);
                let told = format!("{first} to {then}, {tells}, {anew}, {lasts} s: {after:?} of {allowed}");
                assert!(after.answered * 100 >= allowed * 85, "{told}");
                assert!(after.refused * 50 <= after.answered, "{told}");
            }
        }
    }
}

#[test]
fn one_that_counts_by_the_minute_is_kept_to_like_any_other() {
    for (requests, per, tells) in [
        (120, 60, true),
        (100, 60, true),
        (100, 60, false),
        (30, 60, true),
        (30, 60, false),
        (10, 10, true),
        (10, 10, false),
    ] {
        for anew in [false, true] {
            let (mut service, a_minute) = steady(requests, per, LATENCY);
            (service.tells, service.anew) = (tells, anew);
            let all = minutes(service, 30);
            let (first, last) = (sum(&all[..5]), sum(&all[15..]));
            let told = format!("{requests} in {per} s, {tells}, {anew}: {first:?}, then {last:?}");
            assert!(first.answered * 10 >= 5 * a_minute * 7, "{told}");
            assert!(last.answered * 10 >= 15 * a_minute * 9, "{told}");
            assert!(last.refused <= 2 * 15, "{told}: more than twice a minute");
        }
    }
}

#[test]
fn a_service_that_says_so_at_random_is_not_asked_ever_more_slowly() {
    let mut service = Service::counting(|_| (usize::MAX, TICK));
    service.at_random = Some(20);
    let all = minutes(service, 20);
    let (first, last) = (sum(&all[..5]), sum(&all[15..]));
    assert!(
        last.answered * 10 >= first.answered * 9,
        "{first:?}, then {last:?}"
    );
}

#[test]
fn after_a_storm_it_is_soon_as_quick_as_before() {
    let storm = |at: Duration| {
        let calm = at < Duration::from_secs(30) || at > Duration::from_secs(40);
        (if calm { usize::MAX } else { 0 }, TICK)
    };
    let all = minutes(Service::counting(storm), 6);
    let quickest = all.iter().map(|minute| minute.answered).max().unwrap();
    assert!(all[5].answered * 10 >= quickest * 9, "{all:?}");
}

#[test]
fn a_pause_that_no_clock_can_count_is_reckoned_with_like_any_other() {
    let start = Instant::now();
    for asked in [Duration::from_secs(u64::MAX), Duration::MAX] {
        let mut pace = Pace::new(4, None);
        for _ in 0..4 {
            assert_eq!(pace.ask(Queue::InLine, start), Admission::Go(start));
        }
        for _ in 0..4 {
            pace.end(start, start + LATENCY, Signal::TooMany(Some(asked)));
        }
        assert!(
            matches!(pace.ask(Queue::InLine, start + LATENCY), Admission::Paused(_)),
            "{asked:?}"
        );
    }
}
