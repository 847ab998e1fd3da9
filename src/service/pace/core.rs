//! The arithmetic of pacing. Pure: every step takes the time.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use super::ceiling::Ceiling;
use super::signal::Signal;
use super::{Queue, rest_of};
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

/// The part of a ceiling of a long time that is left when it is begun to be spread, one in so many: were it used up at once,
/// whatever came then, a cancel say, would wait for all of that time.
const SPREAD: usize = 2;

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
    /// When the last one left.
    left: Option<Instant>,
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
            left: None,
            has_begun: false,
        }
    }

    /// Asks for a place at `now`.
    pub(super) fn ask(&mut self, queue: Queue, now: Instant) -> Admission {
        if let Some(rest) = self.paused_until.and_then(|until| rest_of(until, now)) {
            return Admission::Paused(rest);
        }
        self.paused_until = None;
        if let Some(wait) = self.without_place(now) {
            return wait;
        }
        if let Some(leave) = self.rate_limited(queue, now) {
            return leave;
        }
        if let Some(rest) = self.ceiling.rest(now) {
            return Admission::After(rest);
        }
        self.ceiling.left(now);
        self.left = Some(now);
        self.under_way.push(now);
        Admission::Go(now)
    }

    /// Whether the requests of a time are counted, as far as is known.
    pub(super) fn is_counted(&self) -> bool {
        self.rate_limit.is_some() || self.ceiling.is_known()
    }

    /// Counts requests of processes before this one among those of the ceiling, which ended at these moments, the eldest
    /// first.
    pub(super) fn count(&mut self, ended: impl Iterator<Item = Instant>) {
        self.ended.extend(ended);
    }

    /// Notes that a request which began at `began` has ended.
    pub(super) fn end(&mut self, began: Instant, now: Instant, signal: Signal) {
        if let Some(ended) = self.under_way.iter().position(|one| *one == began) {
            self.under_way.swap_remove(ended);
        }
        if self.rate_limit.is_some() && signal != Signal::Unused {
            self.ended.push_back(now);
        }
        match signal {
            Signal::Unused | Signal::None => {}
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
            // A service may count by either.
            Signal::PushedBack(asked) | Signal::TooMany(asked) => {
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
    fn rate_limited(&mut self, queue: Queue, now: Instant) -> Option<Admission> {
        let limit = self.rate_limit?;
        let most = most_of(limit);
        if !self.has_begun {
            self.has_begun = true;
            let asked = (most / ASKED_BEFORE).min(RateLimit::MOST_BEFORE);
            let asked = asked.saturating_sub(self.ended.len());
            self.ended.extend(std::iter::repeat_n(now, asked));
        }
        while self
            .ended
            .front()
            .is_some_and(|ended| rest_of(*ended + limit.per, now).is_none())
        {
            self.ended.pop_front();
        }
        let free = self
            .ended
            .front()
            .and_then(|ended| rest_of(*ended + limit.per, now));
        let left = most.saturating_sub(self.under_way.len() + self.ended.len());
        if left == 0 {
            return Some(free.map_or(Admission::Full, Admission::After));
        }
        // What goes ahead is what the rest was left for.
        if limit.is_short() || left > most / SPREAD || queue == Queue::Ahead {
            return None;
        }
        // Spread over the time until there are more of them.
        let apart = free.unwrap_or(limit.per) / u32::try_from(left).unwrap_or(u32::MAX);
        let next = self.left.map(|last| last + apart);
        next.and_then(|next| rest_of(next, now)).map(Admission::After)
    }
}

/// How many requests a ceiling allows in its time.
fn most_of(limit: RateLimit) -> usize {
    usize::try_from(limit.requests.max(1)).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests;
