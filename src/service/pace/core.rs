//! The arithmetic of pacing. Pure: every step takes the time.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use super::ceiling::Ceiling;
use super::rest_of;
use crate::service::RateLimit;
use crate::service::verdict::LONGEST_PAUSE;

/// How many requests an account begins with.
const FIRST_IN_FLIGHT: usize = 8;

/// An answer within this time says that the service has room for more: one that fetches pictures takes its time.
const HAS_ROOM: Duration = Duration::from_secs(4);

/// An answer within this time says that the service is quick.
const QUICK: Duration = Duration::from_secs(2);

/// So long after a quick answer the service is known to have room: what leaves then and is answered late is late alone.
const LATELY: Duration = Duration::from_secs(10);

/// The first pause after a push back without a length; doubled with each one that follows.
const FIRST_PAUSE: Duration = Duration::from_secs(1);

/// The longest pause that is chosen here; the service may ask for longer.
const LONGEST_OWN_PAUSE: Duration = Duration::from_mins(1);

/// The part of the ceiling on requests that may have been used by a command just before, one in so many: it has read
/// the catalog, say.
const ASKED_BEFORE: usize = 5;

/// What an answer says of the service's strength.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::service) enum Signal {
    /// Nothing: no answer was waited for, or no connection was made.
    None,
    /// It answered.
    Answered,
    /// It did not answer in time.
    TimedOut,
    /// It is too busy (503) and asked for a pause, of this length where it said one.
    PushedBack(Option<Duration>),
    /// There were too many requests (429); the same.
    TooMany(Option<Duration>),
}

/// Whether a request may go now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Admission {
    /// It may, and is counted from this moment.
    Go(Instant),
    /// The service has asked for a pause, and this much is left of it.
    Paused(Duration),
    /// The ceiling on requests allows the next one after this time.
    After(Duration),
    /// As many as may be are under way.
    Full,
}

/// What is known of an account's speed.
#[derive(Debug)]
pub(super) struct Pace {
    most: usize,
    /// How many may be under way now: from 1 to `most`.
    window: usize,
    /// When each request that is under way began.
    under_way: Vec<Instant>,
    /// Answers that said there is room, since the window last grew.
    with_room: usize,
    /// While the service has never pushed back each of them widens the window; afterwards a windowful does.
    pushed_back_once: bool,
    /// When the window was last halved: requests that began earlier tell of the same overload.
    halved: Option<Instant>,
    paused_until: Option<Instant>,
    /// When a quick answer came last.
    answered: Option<Instant>,
    /// Push backs since the last answer.
    in_a_row: u32,
    rate_limit: Option<RateLimit>,
    /// The same where nobody has told it.
    ceiling: Ceiling,
    /// When requests ended, those of the last `rate_limit.per`. The service counted each between its beginning and its end,
    /// whatever either way took: with those under way no span of `per` has more than it allows.
    ended: VecDeque<Instant>,
    /// Whether what a command before this one may have asked is counted.
    has_begun: bool,
}

impl Pace {
    pub(super) fn new(max_in_flight: usize, rate_limit: Option<RateLimit>) -> Self {
        let most = max_in_flight.max(1);
        Self {
            most,
            window: most.min(FIRST_IN_FLIGHT),
            under_way: Vec::new(),
            with_room: 0,
            pushed_back_once: false,
            halved: None,
            paused_until: None,
            answered: None,
            in_a_row: 0,
            rate_limit,
            ceiling: Ceiling::default(),
            ended: VecDeque::new(),
            has_begun: false,
        }
    }

    /// Asks for a place at `now`.
    pub(super) fn ask(&mut self, now: Instant) -> Admission {
        if let Some(rest) = self.paused_until.and_then(|until| rest_of(until, now)) {
            return Admission::Paused(rest);
        }
        self.paused_until = None;
        if let Some(wait) = self.without_place(now) {
            return wait;
        }
        if let Some(leave) = self.rate_limited(now) {
            return leave;
        }
        if let Some(rest) = self.ceiling.rest(now) {
            return Admission::After(rest);
        }
        self.ceiling.left(now);
        self.under_way.push(now);
        Admission::Go(now)
    }

    /// Notes that a request which began at `began` has ended.
    pub(super) fn end(&mut self, began: Instant, now: Instant, signal: Signal) {
        if let Some(ended) = self.under_way.iter().position(|one| *one == began) {
            self.under_way.swap_remove(ended);
        }
        if self.rate_limit.is_some() {
            self.ended.push_back(now);
        }
        match signal {
            Signal::None => {}
            Signal::Answered => {
                self.in_a_row = 0;
                self.ceiling.answered(began);
                let took = now.saturating_duration_since(began);
                if took <= QUICK {
                    self.answered = Some(now);
                }
                if took <= HAS_ROOM {
                    self.widen();
                }
            }
            // Where others were answered quickly while it was under way, it is that request which was lost, and no overload:
            // in a window of one, all would wait behind the next that is answered late.
            Signal::TimedOut if self.answered.is_some_and(|answered| answered > began) => {}
            Signal::TimedOut => {
                self.halve(began, now);
            }
            Signal::PushedBack(asked) => self.push_back(asked, began, now),
            Signal::TooMany(asked) => {
                self.ceiling.too_many(began, now, asked);
                self.push_back(asked, began, now);
            }
        }
    }

    /// What the next one waits for where as many are under way as may be. One that is answered late takes no other's place
    /// in the window where the service answered quickly shortly before it left, or since: of those that are never answered,
    /// a few would leave place for none. One that falls silent altogether gets no more than a few besides.
    fn without_place(&self, now: Instant) -> Option<Admission> {
        if self.under_way.len() >= self.most {
            return Some(Admission::Full);
        }
        let known_until = self.answered.map(|answered| answered + LATELY);
        let lone = |began: &&Instant| known_until.is_some_and(|until| until > **began);
        let rests = self
            .under_way
            .iter()
            .filter(lone)
            .map(|began| rest_of(*began + QUICK, now));
        let (late, soon): (Vec<_>, Vec<_>) = rests.partition(Option::is_none);
        if self.under_way.len() - late.len() < self.window {
            return None;
        }
        let next = soon.into_iter().flatten().min();
        Some(next.map_or(Admission::Full, Admission::After))
    }

    fn widen(&mut self) {
        self.with_room += 1;
        if !self.pushed_back_once || self.with_room >= self.window {
            self.window = (self.window + 1).min(self.most);
            self.with_room = 0;
        }
    }

    fn push_back(&mut self, asked: Option<Duration>, began: Instant, now: Instant) {
        let news = self.halve(began, now);
        // Of no length, it is no pause that somebody asked for.
        self.pause(asked.filter(|asked| !asked.is_zero()), news, now);
    }

    /// Halves the window unless a request of the same volley already did; gives whether it did.
    fn halve(&mut self, began: Instant, now: Instant) -> bool {
        if self.halved.is_some_and(|halved| began < halved) {
            return false;
        }
        self.window = (self.window / 2).max(1);
        self.with_room = 0;
        self.pushed_back_once = true;
        self.halved = Some(now);
        true
    }

    /// Pauses everybody: as long as asked, or, where nothing is asked, longer each time.
    fn pause(&mut self, asked: Option<Duration>, news: bool, now: Instant) {
        if asked.is_none() && !news {
            return;
        }
        let own = FIRST_PAUSE
            .saturating_mul(1_u32.checked_shl(self.in_a_row).unwrap_or(u32::MAX))
            .min(LONGEST_OWN_PAUSE);
        if news {
            self.in_a_row = self.in_a_row.saturating_add(1);
        }
        let until = now + asked.unwrap_or(own).min(LONGEST_PAUSE);
        self.paused_until = self.paused_until.max(Some(until));
    }

    /// What the ceiling on requests says to the next one; nothing where it may go.
    fn rate_limited(&mut self, now: Instant) -> Option<Admission> {
        let limit = self.rate_limit?;
        let most = usize::try_from(limit.requests.max(1)).unwrap_or(usize::MAX);
        if !self.has_begun {
            self.has_begun = true;
            self.ended.extend(std::iter::repeat_n(now, most / ASKED_BEFORE));
        }
        while self
            .ended
            .front()
            .is_some_and(|ended| rest_of(*ended + limit.per, now).is_none())
        {
            self.ended.pop_front();
        }
        if self.under_way.len() + self.ended.len() < most {
            return None;
        }
        let free = self
            .ended
            .front()
            .and_then(|ended| rest_of(*ended + limit.per, now));
        Some(free.map_or(Admission::Full, Admission::After))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn went(pace: &mut Pace, now: Instant) -> usize {
        let mut count = 0;
        while matches!(pace.ask(now), Admission::Go(_)) {
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
        assert_eq!(pace.ask(after), Admission::Paused(SECOND));
        assert_eq!(went(&mut pace, after + SECOND), 2);
    }

    #[test]
    fn pauses_double_until_an_answer_comes() {
        let mut pace = Pace::new(1, None);
        let mut now = Instant::now();
        let mut pauses = Vec::new();
        for _ in 0..9 {
            assert_eq!(pace.ask(now), Admission::Go(now));
            pace.end(now, now, Signal::PushedBack(None));
            let Admission::Paused(rest) = pace.ask(now) else {
                panic!("a push back pauses");
            };
            pauses.push(rest.as_secs());
            now += rest;
        }
        assert_eq!(pauses, [1, 2, 4, 8, 16, 32, 60, 60, 60]);
        assert_eq!(pace.ask(now), Admission::Go(now));
        pace.end(now, now, Signal::Answered);
        assert_eq!(pace.ask(now), Admission::Go(now));
        pace.end(now, now, Signal::PushedBack(None));
        assert_eq!(pace.ask(now), Admission::Paused(SECOND));
    }

    #[test]
    fn a_pause_that_is_asked_for_is_kept_up_to_a_quarter_of_an_hour() {
        for (asked, kept) in [(3, 3), (900, 900), (86_400, 900)] {
            let mut pace = Pace::new(2, None);
            let now = Instant::now();
            assert_eq!(pace.ask(now), Admission::Go(now));
            pace.end(now, now, Signal::PushedBack(Some(asked * SECOND)));
            assert_eq!(pace.ask(now), Admission::Paused(kept * SECOND));
        }
    }

    #[test]
    fn a_pause_of_no_length_is_one_of_our_own() {
        let mut pace = Pace::new(2, None);
        let now = Instant::now();
        assert_eq!(pace.ask(now), Admission::Go(now));
        pace.end(now, now, Signal::TooMany(Some(Duration::ZERO)));
        assert!(matches!(pace.ask(now), Admission::Paused(rest) if rest == FIRST_PAUSE));
    }

    #[test]
    fn a_shorter_pause_never_ends_a_longer_one() {
        let mut pace = Pace::new(2, None);
        let now = Instant::now();
        assert_eq!(went(&mut pace, now), 2);
        pace.end(now, now, Signal::PushedBack(Some(60 * SECOND)));
        pace.end(now, now, Signal::PushedBack(Some(SECOND)));
        assert_eq!(pace.ask(now), Admission::Paused(60 * SECOND));
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
            pace.ask(begun + 9 * SECOND),
            Admission::Full,
            "nothing was answered quickly"
        );
        pace.end(begun, begun + SECOND, Signal::Answered);
        pace.window = 1;
        let late = begun + 2 * SECOND;
        assert_eq!(went(&mut pace, late), 1);
        assert_eq!(
            pace.ask(late + SECOND),
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
            while let Admission::Go(began) = pace.ask(now) {
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
            pace.ask(start + 5 * SECOND),
            Admission::Full,
            "they may still be on their way"
        );
        pace.end(start, start + 5 * SECOND, Signal::Answered);
        assert_eq!(pace.ask(start + 6 * SECOND), Admission::After(2 * SECOND));
        assert_eq!(went(&mut pace, start + 8 * SECOND), 1);
    }
}
