//! The print service of the model: creates that are carried out late, or not at all, or refused; a list that lags,
//! stands still, shows nothing, or does not answer.

use jiff::Timestamp;

use super::dice::Dice;
use super::{HOUR, MINUTE, Millis, SECOND};

/// An order at the service, or on its way into it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Made {
    /// Its name: which order of the world it is.
    pub(super) name: usize,
    /// The service's id.
    pub(super) id: u32,
    /// When it comes to be.
    pub(super) at: Millis,
    /// Another client's, with other content.
    pub(super) foreign: bool,
    pub(super) canceled: bool,
}

/// What the program hears of a create.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    Created(u32),
    Refused,
    NotSent,
    /// A time-out, a reset, a 5xx, a page.
    Unknown,
}

/// A stretch of time.
#[derive(Clone, Copy, Debug, Default)]
struct Span {
    from: Millis,
    to: Millis,
}

impl Span {
    fn of(dice: &mut Dice, share: u32, horizon: Millis) -> Self {
        if !dice.is(share) {
            return Self::default();
        }
        let from = dice.below(horizon);
        let length = dice.spread(SECOND, 12 * HOUR);
        Self {
            from,
            to: from + length,
        }
    }

    fn holds(self, at: Millis) -> bool {
        self.from <= at && at < self.to
    }
}

#[derive(Debug, Default)]
pub(super) struct Service {
    pub(super) made: Vec<Made>,
    /// How late the list is.
    pub(super) lag: Millis,
    /// Its index stands still.
    frozen: Span,
    /// It answers with nothing in it.
    blank: Span,
    /// It does not answer.
    down: Span,
    refuses_repeated: bool,
    dates: bool,
    /// What its clock is ahead of true time.
    skew: i64,
    ids: u32,
    calm: bool,
}

impl Service {
    /// Another service in the same place, for the next world.
    pub(super) fn renew(&mut self, dice: &mut Dice, longest_lag: Millis, horizon: Millis) {
        self.made.clear();
        self.lag = match dice.below(4) {
            0 => 0,
            1 => 2 * SECOND,
            _ => dice.spread(SECOND, longest_lag),
        };
        self.frozen = Span::of(dice, 15, horizon);
        self.blank = Span::of(dice, 10, horizon);
        self.down = Span::of(dice, 20, horizon);
        self.refuses_repeated = dice.is(30);
        self.dates = dice.is(80);
        self.skew = i64::try_from(dice.below(20 * MINUTE)).unwrap() - 600_000;
        self.ids = 0;
        self.calm = false;
    }

    /// From this moment on nothing goes wrong any more but what is on its way.
    pub(super) fn calm_down(&mut self, now: Millis) {
        self.calm = true;
        for span in [&mut self.frozen, &mut self.blank, &mut self.down] {
            span.to = span.to.min(now);
        }
    }

    /// A create arrives. Gives what is heard of it, and how long that takes.
    pub(super) fn create(&mut self, dice: &mut Dice, name: usize, now: Millis) -> (Answer, Millis) {
        let quick = dice.below(2 * SECOND);
        let exists = self
            .made
            .iter()
            .any(|made| made.name == name && made.at <= now && !made.canceled);
        let fate = if self.calm { 99 } else { dice.below(100) };
        match fate {
            0..8 => return (Answer::NotSent, quick),
            8..16 => return (Answer::Refused, quick),
            // Lost before it was carried out.
            16..28 => return (Answer::Unknown, dice.below(30 * SECOND)),
            _ => {}
        }
        if exists && self.refuses_repeated {
            return (Answer::Refused, quick);
        }
        // Carried out, and not said so: at once, or within an hour.
        let late = match fate {
            28..40 => Some(0),
            40..60 => Some(dice.spread(SECOND, HOUR)),
            _ => None,
        };
        let id = self.put(name, now + late.unwrap_or(0), false);
        if self.refuses_repeated {
            // What is still on its way will be refused when it comes to be.
            self.made
                .retain(|made| made.name != name || made.id == id || made.at <= now);
        }
        match late {
            Some(_) => (Answer::Unknown, dice.below(30 * SECOND)),
            None => (Answer::Created(id), quick),
        }
    }

    /// Puts an order there.
    pub(super) fn put(&mut self, name: usize, at: Millis, foreign: bool) -> u32 {
        self.ids += 1;
        self.made.push(Made {
            name,
            id: self.ids,
            at,
            foreign,
            canceled: false,
        });
        self.ids
    }

    /// Whether the list answers.
    pub(super) fn answers(&self, dice: &mut Dice, now: Millis) -> bool {
        !self.down.holds(now) && (self.calm || !dice.is(5))
    }

    /// Whether the list shows an order.
    pub(super) fn shows(&self, made: &Made, now: Millis) -> bool {
        let shown_from = made.at + self.lag;
        let stands_still = self.frozen.holds(now) && shown_from >= self.frozen.from;
        !self.blank.holds(now) && !stands_still && shown_from <= now
    }

    /// Whether the list would show it at this moment if it were neither blank nor standing still.
    pub(super) fn would_show(&self, made: &Made, now: Millis) -> bool {
        made.at + self.lag <= now
    }

    /// Asks for a cancel: confirmed, refused, or done or not without an answer.
    pub(super) fn cancel(&mut self, dice: &mut Dice, id: u32) -> Option<bool> {
        let made = self.made.iter_mut().find(|made| made.id == id)?;
        if made.canceled {
            // Asked again after a lost answer: refused, and its own words tell that it is canceled.
            return Some(true);
        }
        match if self.calm { 0 } else { dice.below(10) } {
            0..5 => {
                made.canceled = true;
                Some(true)
            }
            5 | 6 => Some(false),
            7 => {
                made.canceled = true;
                None
            }
            _ => None,
        }
    }

    /// The `Date` header.
    pub(super) fn date(&self, now: Millis) -> Option<Timestamp> {
        self.dates.then(|| self.clock(now))
    }

    pub(super) fn tells_time(&self) -> bool {
        self.dates
    }

    /// Its own clock.
    pub(super) fn clock(&self, at: Millis) -> Timestamp {
        super::moment(i64::try_from(at).unwrap() + self.skew)
    }
}
