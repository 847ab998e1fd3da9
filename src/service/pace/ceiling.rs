//! A ceiling on requests that nobody has told: found out from when the service says that there were too many, and kept
//! to from then on, so that it has to say so no more than once in a while. Pure: every step takes the time.
//!
//! Properties: without an answer of 429 nothing is held back. One 429 alone says nothing: a service may say so at random,
//! and whoever slowed down for each of them would stand still. Where most of the requests that were under way together
//! are told so, the service counts them; what it let through since the last pause that it asked for, until the end of the
//! one that it asks for now, is what it allows.

use std::time::{Duration, Instant};

use super::rest_of;

/// So many answers are needed to tell a ceiling by, and so many refusals to take it for one.
const ENOUGH_ANSWERS: u32 = 20;
const ENOUGH_REFUSALS: u32 = 3;

/// A longer pause is no part of a ceiling's time. Many services count by the minute.
const LONGEST_PAUSE: Duration = Duration::from_secs(90);

/// From one request to the next: slower ceilings are left to the pauses that the service asks for, quicker ones hold
/// nothing back.
const SLOWEST: Duration = Duration::from_secs(3);
const FASTEST: Duration = Duration::from_millis(1);

/// How much slower than where there were too many: one in so many; less where it was found there before.
const BELOW: u32 = 25;
const LITTLE_BELOW: u32 = 50;

/// How much slower than a burst and the pause after it speak of, one in so many: some of it may have been let through
/// for what was not used before.
const BURST: u32 = 6;

/// How often it is tried whether more is allowed, where the service counts in no longer time, and how much more at first,
/// one in so many: little where it is known where there were too many, more where that is only guessed. Twice as much each
/// time that more was allowed, up to a third: one that has risen is soon found.
const STEP: Duration = Duration::from_secs(8);
const CAREFULLY: u32 = 100;
const GROPING: u32 = 10;
const BOLDLY: u32 = 3;

/// How long it is kept to at most before that is tried again, once it was found where it was before: twice as long each
/// time, for every refusal is a pause for all.
const LONGEST_REST: Duration = Duration::from_secs(55);

/// Found again within one in so many of where it was, it is where it was.
const THE_SAME: u32 = 20;

/// How far requests may catch up with what was not used: a timer wakes late.
const CATCH_UP: Duration = Duration::from_millis(20);

/// What is known, and what is being found out, of an account's ceiling.
#[derive(Debug, Default)]
pub(super) struct Ceiling {
    /// When the first request left, or the first one after the pause that the service last asked for, which belongs to what
    /// it had let through before; where it asked for none, when it last began to say that there were too many.
    since: Option<Instant>,
    /// Requests that it has answered since then.
    answered: u32,
    volley: Option<Volley>,
    known: Option<Known>,
}

/// Requests that were under way together when the first of them was one too many, and those of which the same was said
/// before another was answered.
#[derive(Debug)]
struct Volley {
    at: Instant,
    /// Those of the volley before are counted on, where it was one of the same kind.
    refused: u32,
    answered: u32,
    /// Whether another request was answered that left after it began.
    is_over: bool,
    /// The time for each request that the ones before it speak of; none where they were too few.
    every: Option<Duration>,
    /// The time that these took, with the pause asked for after them: about as long as the service counts.
    span: Duration,
}

/// A ceiling that is kept to.
#[derive(Debug)]
struct Known {
    /// The time from one request to the next.
    every: Duration,
    /// The same before it was last tried whether more is allowed.
    before: Duration,
    /// Where it was found first, of the times that it was found where it was.
    first_found: Duration,
    /// Whether it has come to it at a steady pace; else it is reckoned from a burst and the pause after it.
    is_sure: bool,
    /// Refusals before it was first tried whether more is allowed.
    early: u32,
    next: Instant,
    /// When it was last tried whether more is allowed, and how long it rests from then.
    stepped: Instant,
    rest: Duration,
    /// How long it rested before it was first tried.
    patience: Duration,
    /// How long it rests between two tries: what is too much is seen only when the service's own time is over.
    step: Duration,
    /// How much more is tried next, one in so many.
    part: u32,
}

impl Ceiling {
    /// Whether there is one, as far as is known.
    pub(super) fn is_known(&self) -> bool {
        self.known.is_some()
    }

    /// How long the next request waits; nothing where it may leave.
    pub(super) fn rest(&self, now: Instant) -> Option<Duration> {
        let known = self.known.as_ref()?;
        rest_of(known.next, now)
    }

    /// A request leaves.
    pub(super) fn left(&mut self, now: Instant) {
        self.since.get_or_insert(now);
        let Some(known) = &mut self.known else { return };
        if self.volley.as_ref().is_some_and(|volley| !volley.is_over) {
            // Nothing is let through, and nothing learnt of how much would be.
            known.stepped = now;
        } else if now.saturating_duration_since(known.stepped) >= known.rest {
            known.step(now);
        }
        let earliest = now.checked_sub(CATCH_UP).unwrap_or(now);
        known.next = known.next.max(earliest) + known.every;
        if known.every < FASTEST {
            self.known = None;
        }
    }

    /// A request that left at `began` is answered.
    pub(super) fn answered(&mut self, began: Instant) {
        self.answered = self.answered.saturating_add(1);
        let Some(volley) = &mut self.volley else { return };
        if began <= volley.at {
            volley.answered += 1;
        } else {
            volley.is_over = true;
        }
    }

    /// A request that left at `began` was one too many, and the service asks for a pause.
    pub(super) fn too_many(&mut self, began: Instant, now: Instant, pause: Option<Duration>) {
        let is_of_it = |volley: &&mut Volley| !volley.is_over || began <= volley.at;
        if let Some(volley) = self.volley.as_mut().filter(is_of_it) {
            volley.refused += 1;
        } else {
            self.begin_volley(now, pause);
        }
        let Some(volley) = &self.volley else { return };
        if let Some(every) = volley.speaks_of()
            && self.known.as_ref().is_none_or(|known| known.was_a_burst(every))
        {
            self.known = Some(Known::reckoned(every, volley.span, now));
        }
    }

    fn begin_volley(&mut self, now: Instant, pause: Option<Duration>) {
        let pause = pause.unwrap_or_default();
        let took = self.since.map(|since| now.saturating_duration_since(since));
        let span = took.unwrap_or_default().saturating_add(pause);
        let is_enough = self.answered >= ENOUGH_ANSWERS && pause <= LONGEST_PAUSE;
        let every = Some(span)
            .filter(|_| is_enough)
            .and_then(|span| span.checked_div(self.answered))
            .map(|every| every + every / BURST);
        let known = self.known.take();
        let before = self.volley.as_ref();
        let before = before.filter(|volley| known.is_none() && volley.is_counted());
        self.volley = Some(Volley {
            at: now,
            refused: 1 + before.map_or(0, |volley| volley.refused),
            answered: 0,
            is_over: false,
            every,
            span,
        });
        self.known = if self.answered == 0 {
            // The same is said once more, and nothing was let through in between.
            known
        } else {
            known.and_then(|known| known.met(now))
        };
        // Too few tell nothing yet: they are counted on.
        if self.answered >= ENOUGH_ANSWERS {
            self.since = pause.is_zero().then_some(now);
            self.answered = 0;
        }
    }
}

impl Volley {
    /// Whether more than half of it were too many.
    fn is_counted(&self) -> bool {
        self.refused > self.answered
    }

    /// The time for each request that the service allows, where it has refused enough.
    fn speaks_of(&self) -> Option<Duration> {
        let is_sure = self.refused >= ENOUGH_REFUSALS && self.is_counted();
        self.every
            .filter(|every| is_sure && (FASTEST..=SLOWEST).contains(every))
    }
}

impl Known {
    /// What it has come to at a steady pace: kept a little below that, so that it does not come to it at once again; the
    /// longer, the oftener it was found there.
    fn sure(found: Duration, before: &Self, now: Instant) -> Self {
        // Held against the first time, for many small steps lead away from it too.
        let is_the_same = before.is_sure && found.abs_diff(before.first_found) <= found / THE_SAME;
        let (below, patience, first_found) = if is_the_same {
            let patience = (before.patience * 2).min(LONGEST_REST);
            (LITTLE_BELOW, patience, before.first_found)
        } else {
            (BELOW, before.step, found)
        };
        let every = found + found / below;
        Self {
            first_found,
            every,
            before: every,
            is_sure: true,
            rest: patience,
            patience,
            part: CAREFULLY,
            ..Self::reckoned(found, before.step, now)
        }
    }

    /// What a burst and the pause after it come to, which is rather too little; `span` is about as long as the service
    /// counts.
    fn reckoned(found: Duration, span: Duration, now: Instant) -> Self {
        let step = span.clamp(STEP, LONGEST_REST);
        Self {
            every: found,
            before: found,
            first_found: found,
            is_sure: false,
            early: 0,
            next: now,
            stepped: now,
            rest: step,
            patience: step,
            step,
            part: GROPING,
        }
    }

    /// Whether it was reckoned from a burst alone, where no pause after it was asked for, as a much slower one now shows.
    fn was_a_burst(&self, every: Duration) -> bool {
        !self.is_sure && every >= self.every * 2
    }

    /// What is known after another refusal; nothing where it is not so any more, or never was.
    fn met(mut self, now: Instant) -> Option<Self> {
        if self.every < self.before {
            // The pace before was let through for a while: the ceiling lies between the two.
            return Some(Self::sure((self.before + self.every) / 2, &self, now));
        }
        self.early += 1;
        self.stepped = now;
        if !self.is_sure {
            // The service may still count what came in a burst before.
            return (self.early < ENOUGH_REFUSALS).then_some(self);
        }
        self.every += self.every / BELOW;
        self.before = self.every;
        (self.early < 2 * ENOUGH_REFUSALS).then_some(self)
    }

    fn step(&mut self, now: Instant) {
        self.before = self.every;
        self.every -= self.every / self.part;
        self.part = (self.part / 2).max(BOLDLY);
        self.stepped = now;
        self.rest = self.step;
    }
}

#[cfg(test)]
mod tests;
