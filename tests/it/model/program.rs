//! The program of the model: what its ledger keeps of each order, and the steps between which it can be killed. What
//! follows from what is the shipped code's: [`next`], [`Round`], [`anew`].

use std::time::Duration;

use dropsheet::clock::{BootTime, Now};
use dropsheet::ledger::state::{Event, State, next};
use dropsheet::reconcile::{
    Anew, Known, Named, Next, Reading, Round, Step, Witness, anew, on_service_clock, waited,
};
use jiff::Timestamp;

use super::service::{Answer, Made};
use super::{Millis, SECOND, World, Wrong};

/// The program was killed.
#[derive(Debug)]
pub(super) struct Killed;

/// What the ledger keeps of an order.
#[derive(Clone, Debug)]
pub(super) struct Order {
    pub(super) state: State,
    came_from: State,
    /// What `reconcile` is told of it: its counts, and what a candidate must hold.
    pub(super) known: Known,
    unanswered: u32,
    absence: Option<Absence>,
    first_intended: Timestamp,
    last_intended: Timestamp,
    first: Option<BootTime>,
    intended: BootTime,
    changed: Timestamp,
    pub(super) id: Option<u32>,
    /// Its create was answered with an id: it can show that the list is live.
    answered: bool,
    /// A person gave it up: what is sent after that is that person's decision.
    pub(super) given_up: bool,
    /// True times, which only the model knows: when the newest attempt left, and when it ended.
    pub(super) ended: Millis,
    /// Where it stands among the orders as they were first written down.
    row: i64,
    /// When the list was last looked into for it.
    looked: Millis,
    /// Volatile: the answer that is on its way, and when it comes.
    pub(super) in_flight: Option<(Answer, Millis)>,
    /// Volatile: when it is looked at next.
    pub(super) due: Millis,
}

#[derive(Clone, Debug)]
struct Absence {
    since: BootTime,
    since_service: Option<Timestamp>,
}

impl Order {
    pub(super) fn new(known: Known, now: &Now) -> Self {
        Self {
            state: State::New,
            came_from: State::New,
            known,
            unanswered: 0,
            absence: None,
            first_intended: now.wall,
            last_intended: now.wall,
            first: None,
            intended: now.boot.clone(),
            changed: now.wall,
            id: None,
            answered: false,
            given_up: false,
            ended: 0,
            row: 0,
            looked: 0,
            in_flight: None,
            due: 0,
        }
    }

    fn step(&mut self, event: Event, now: &Now) {
        self.state = next(self.state, event).expect("the program takes no step that is illegal");
        self.changed = now.wall;
    }

    fn begin_absence(&mut self, service: Option<Timestamp>, now: &Now) {
        self.known.looks = 0;
        self.known.lag = None;
        self.known.person = false;
        self.absence = Some(Absence {
            since: now.boot.clone(),
            since_service: service,
        });
    }

    fn lose(&mut self, service: Option<Timestamp>, now: &Now) {
        self.step(Event::Lose, now);
        self.unanswered += 1;
        self.begin_absence(service, now);
    }

    pub(super) fn is_unsettled(&self) -> bool {
        matches!(self.state, State::Unresolved | State::Canceling)
    }

    pub(super) fn waits_for_a_person(&self) -> bool {
        self.known.person
    }
}

impl World {
    /// After a start: every intent without an outcome may have left.
    pub(super) fn recover(&mut self) {
        let now = self.now();
        for at in 0..self.orders.len() {
            self.orders[at].due = self.time;
            self.orders[at].in_flight = None;
            if self.orders[at].state == State::Sending {
                self.orders[at].ended = self.time;
                self.orders[at].lose(None, &now);
                self.tell(at, "has an intent without an outcome");
            }
        }
    }

    /// An order is in a sheet.
    pub(super) fn drop_order(&mut self, at: usize) -> Result<(), Killed> {
        match self.orders[at].state {
            State::New => {}
            State::Refused | State::Abandoned => {
                if !self.is_clear(at)? {
                    return Ok(());
                }
                // Its content is taken anew.
                self.orders[at].known.sends = 0;
            }
            _ => return Ok(()),
        }
        self.pass(2 * SECOND);
        self.attempt(at)
    }

    /// Whether an order may be sent anew.
    fn is_clear(&mut self, at: usize) -> Result<bool, Killed> {
        let Reading::Complete(named) = self.look(at)? else {
            return Ok(false);
        };
        let (now, first_attempt) = (self.now(), self.first_attempt(at));
        let order = &mut self.orders[at];
        let waited = order.absence.as_ref().and_then(|a| now.boot.since(&a.since));
        let known = (order.state == State::Refused, waited);
        // Every sheet has the same content: what its creates were of is known.
        let sent = (Some(order.known.ours()), first_attempt);
        match anew(sent, &named, known, &self.policy) {
            Anew::Clear => return Ok(true),
            Anew::Found { pw_order_id, .. } => {
                order.step(Event::Find, &now);
                order.id = Some(pw_order_id.parse().unwrap());
                order.absence = None;
                self.tell(at, "is found before it is sent anew");
            }
            Anew::TooEarly if waited.is_none() => {
                if let Some(absence) = &mut order.absence {
                    absence.since = now.boot;
                    absence.since_service = None;
                }
            }
            Anew::TooEarly | Anew::Strangers => {}
        }
        Ok(false)
    }

    /// The intent, then the create.
    fn attempt(&mut self, at: usize) -> Result<(), Killed> {
        let now = self.now();
        let order = &mut self.orders[at];
        let came_from = order.state;
        order.step(Event::Intend, &now);
        order.came_from = came_from;
        order.known.sends += 1;
        if order.first.is_none() {
            self.rows += 1;
            order.row = self.rows;
            (order.first_intended, order.last_intended) = (now.wall, now.wall);
        }
        order.first_intended = order.first_intended.min(now.wall);
        order.last_intended = order.last_intended.max(now.wall);
        order.first.get_or_insert_with(|| now.boot.clone());
        order.intended = now.boot;
        self.may_be_killed()?;
        self.check_create(at);
        let (answer, takes) = self.service.create(&mut self.dice, at, self.time);
        self.counts.creates += 1;
        self.tell_create(at, answer, takes);
        self.orders[at].in_flight = Some((answer, self.time + takes));
        self.may_be_killed()
    }

    /// The answer of a create has come.
    pub(super) fn answered(&mut self, at: usize, answer: Answer) -> Result<(), Killed> {
        self.orders[at].in_flight = None;
        if answer != Answer::NotSent {
            self.orders[at].ended = self.time;
        }
        self.may_be_killed()?;
        let (now, date) = (self.now(), self.service.date(self.time));
        let order = &mut self.orders[at];
        match answer {
            Answer::Created(id) => {
                order.step(Event::Answered, &now);
                order.id = Some(id);
                order.answered = true;
                order.absence = None;
            }
            Answer::Refused => {
                let earlier_unanswered = order.unanswered > 0;
                order.step(Event::Refuse { earlier_unanswered }, &now);
                if order.state == State::Unresolved {
                    order.begin_absence(date, &now);
                }
            }
            Answer::NotSent => {
                let came_from = order.came_from;
                order.step(Event::NotSent { came_from }, &now);
                order.known.sends -= 1;
            }
            Answer::Unknown => {
                order.lose(date, &now);
                self.counts.unanswered += 1;
            }
        }
        self.orders[at].due = self.time;
        self.tell(at, "has its answer written");
        self.may_be_killed()
    }

    /// When an order's first create was intended, by the service's clock as well as it is known.
    fn first_attempt(&self, at: usize) -> Timestamp {
        let order = &self.orders[at];
        let Some(first) = &order.first else {
            return order.known.first_attempt;
        };
        let answered = order.absence.as_ref().and_then(|a| a.since_service);
        let date = self.service.date(self.time);
        on_service_clock((order.first_intended, first), answered, date, &self.now())
    }

    /// One look at an order without an answer, or at one whose cancel is wished.
    pub(super) fn settle(&mut self, at: usize) -> Result<(), Killed> {
        if let (State::Canceling, Some(id)) = (self.orders[at].state, self.orders[at].id) {
            return self.ask_cancel(at, id);
        }
        let reading = self.look(at)?;
        let (now, date) = (self.now(), self.service.date(self.time));
        let answered_empty = reading == Reading::Complete(Vec::new());
        let mut known = self.orders[at].known.clone();
        if let Some(absence) = &self.orders[at].absence {
            known.waited = waited(&absence.since, absence.since_service, date, &now);
        }
        known.cancel = self.orders[at].state == State::Canceling;
        known.first_attempt = self.first_attempt(at);
        let policy = self.policy;
        let mut round = Round::new(&known, &policy);
        let mut next = round.looked(&reading);
        let step = loop {
            next = match next {
                Next::Witness => round.witnessed(self.witness(at)?),
                Next::Newest => round.newest(self.newest()?),
                Next::Whole => round.whole(&self.look(at)?, &[]),
                Next::Follow(step) => break step,
            };
        };
        self.orders[at].known.lag = known.lag.or(round.lag());
        self.follow(at, step, answered_empty, date)
    }

    fn follow(
        &mut self,
        at: usize,
        step: Step,
        answered_empty: bool,
        date: Option<Timestamp>,
    ) -> Result<(), Killed> {
        self.may_be_killed()?;
        self.tell_step(at, &step);
        let now = self.now();
        let order = &mut self.orders[at];
        let again = match step {
            Step::Adopt { pw_order_id, .. } => {
                order.step(Event::Find, &now);
                order.id = Some(pw_order_id.parse().unwrap());
                order.absence = None;
                self.counts.found += 1;
                Duration::ZERO
            }
            Step::SendAgain => {
                self.counts.resends += 1;
                self.pass(30 * SECOND);
                return self.attempt(at);
            }
            Step::RuledOut => {
                order.step(Event::RuleOut, &now);
                order.absence = None;
                self.check_absent(at, "a cancel is ruled out");
                Duration::ZERO
            }
            Step::LookAgain(after) => {
                order.known.looks += u32::from(answered_empty);
                if let Some(absence) = &mut order.absence {
                    absence.since_service = absence.since_service.or(date);
                }
                after
            }
            Step::WaitAnew(after) => {
                order.absence = Some(Absence {
                    since: now.boot,
                    since_service: date,
                });
                after
            }
            Step::AskPerson { again, .. } => {
                order.known.person = true;
                again
            }
        };
        self.orders[at].due = self.time + Millis::try_from(again.as_millis()).unwrap().max(1);
        Ok(())
    }

    /// A row asks for a cancel. An order that still waits to be sent is canceled by that.
    pub(super) fn wish_cancel(&mut self, at: usize) {
        let now = self.now();
        let order = &mut self.orders[at];
        if matches!(order.state, State::New | State::Unresolved | State::Created) {
            order.step(Event::AskCancel, &now);
            order.due = self.time;
            self.tell(at, "is to be canceled");
        }
    }

    fn ask_cancel(&mut self, at: usize, id: u32) -> Result<(), Killed> {
        self.pass(SECOND);
        self.may_be_killed()?;
        let answer = self.service.cancel(&mut self.dice, id);
        self.may_be_killed()?;
        let now = self.now();
        let order = &mut self.orders[at];
        match answer {
            Some(true) => order.step(Event::CancelConfirmed, &now),
            Some(false) => order.step(Event::CancelRefused, &now),
            None => order.due = self.time + 30 * SECOND,
        }
        Ok(())
    }

    /// A person gives up an order that waits for one.
    pub(super) fn give_up(&mut self, at: usize) {
        let now = self.now();
        let order = &mut self.orders[at];
        if order.state == State::Unresolved && order.known.person {
            order.step(Event::Abandon, &now);
            order.given_up = true;
            self.tell(at, "is given up");
        }
    }

    /// Looks an order up by its name.
    fn look(&mut self, at: usize) -> Result<Reading, Killed> {
        self.pass(2 * SECOND);
        self.may_be_killed()?;
        self.counts.looks += 1;
        self.orders[at].looked = self.time;
        if !self.service.answers(&mut self.dice, self.time) {
            return Ok(Reading::Incomplete);
        }
        let mut named = Vec::new();
        for made in self.service.made.iter().filter(|made| made.name == at) {
            if self.service.shows(made, self.time) {
                named.push(self.named(made));
            }
        }
        Ok(Reading::Complete(named))
    }

    fn named(&self, made: &Made) -> Named {
        // Another shop's order of our name may hold the same, and goes elsewhere.
        let (signature, zip) = match (made.foreign, made.id % 2) {
            (true, 0) => (&self.other, "43004"),
            (true, _) => (&self.orders[made.name].known.signature, "99999"),
            (false, _) => (&self.orders[made.name].known.signature, "43004-1234"),
        };
        Named {
            pw_order_id: made.id.to_string(),
            signature: signature.clone(),
            zip: Some(zip.to_owned()),
            entered_at: Some(self.service.clock(made.at)),
        }
    }

    /// The answered order that serves as a witness, chosen as the ledger's queries choose it.
    fn witness(&mut self, at: usize) -> Result<Option<Witness>, Killed> {
        let unanswered = &self.orders[at];
        let Some(absence) = &unanswered.absence else {
            return Ok(None);
        };
        let this_boot = self.now().boot.id;
        let proofs = || {
            self.orders
                .iter()
                .filter(|order| order.answered && order.state == State::Created)
        };
        let after = proofs()
            .filter(|order| {
                let (intended, since) = (&order.intended, &absence.since);
                if intended.id == since.id {
                    intended.millis >= since.millis
                } else {
                    intended.id == this_boot
                }
            })
            .min_by_key(|order| order.changed);
        let before = proofs()
            .filter(|order| order.changed < unanswered.last_intended)
            .max_by_key(|order| order.changed)
            .or_else(|| proofs().max_by_key(|order| order.changed));
        let found = after.or(before).map(|order| (order.clone(), after.is_some()));
        self.ask_for(found)
    }

    /// The newest answered order that is older than `absent_after`.
    fn newest(&mut self) -> Result<Option<Witness>, Killed> {
        let now = self.now();
        let up = Duration::from_millis(self.time - self.booted);
        let old = |order: &&Order| match now.boot.since(&order.intended) {
            Some(age) => age >= self.policy.absent_after,
            None => up >= self.policy.absent_after || age_by_wall(order, &now) >= self.policy.absent_after,
        };
        let found = self
            .orders
            .iter()
            .filter(|order| order.answered && order.state == State::Created)
            .filter(old)
            .max_by_key(|order| {
                let is_of_this_boot = order.intended.id == now.boot.id;
                (
                    is_of_this_boot,
                    if is_of_this_boot {
                        order.intended.millis
                    } else {
                        order.row
                    },
                )
            });
        let found = found.map(|order| (order.clone(), true));
        self.ask_for(found)
    }

    fn ask_for(&mut self, found: Option<(Order, bool)>) -> Result<Option<Witness>, Killed> {
        let Some((order, sent_after)) = found else {
            return Ok(None);
        };
        self.pass(2 * SECOND);
        self.may_be_killed()?;
        let now = self.now();
        let shown = self.service.answers(&mut self.dice, self.time).then(|| {
            let made = self.service.made.iter().find(|made| Some(made.id) == order.id);
            made.is_some_and(|made| self.service.shows(made, self.time))
        });
        Ok(Some(Witness {
            sent_after,
            age: now.boot.since(&order.intended).unwrap_or_else(|| {
                if sent_after {
                    Duration::MAX
                } else {
                    age_by_wall(&order, &now)
                }
            }),
            shown,
        }))
    }

    /// Asserts that a create may leave: its intent is in the ledger, and nothing that it would double is there.
    fn check_create(&mut self, at: usize) {
        if self.orders[at].state != State::Sending {
            self.wrong = Some(Wrong(format!("a create of {at} leaves without an intent")));
        }
        self.check_absent(at, "a second create leaves");
    }

    /// Asserts that no order of ours is at the service, or on its way into it, but within the stated bound.
    fn check_absent(&mut self, at: usize, what: &str) {
        let order = &self.orders[at];
        let there = |made: &&Made| made.name == at && !made.foreign && !made.canceled;
        let Some(made) = self.service.made.iter().find(there) else {
            return;
        };
        let bound = Millis::try_from(self.policy.absent_after.as_millis()).unwrap();
        let committed_too_late = made.at > order.ended + bound;
        if committed_too_late || order.given_up || self.nothing_could_show(made) {
            self.counts.excused += 1;
            return;
        }
        self.wrong = Some(Wrong(format!(
            "{what} of {at}, which is at the service as {} since {} ms",
            made.id, made.at
        )));
    }

    /// Whether the list hid an order beyond its lag, and not one order of ours that was answered long enough ago.
    fn nothing_could_show(&self, hidden: &Made) -> bool {
        let looked = self.orders[hidden.name].looked;
        let is_hidden =
            |made: &Made| self.service.would_show(made, looked) && !self.service.shows(made, looked);
        let bound = Millis::try_from(self.policy.absent_after.as_millis()).unwrap();
        is_hidden(hidden)
            && !self.orders.iter().any(|order| {
                order.answered
                    && order.state == State::Created
                    && self
                        .service
                        .made
                        .iter()
                        .any(|made| Some(made.id) == order.id && made.at + bound < looked && is_hidden(made))
            })
    }
}

fn age_by_wall(order: &Order, now: &Now) -> Duration {
    Duration::try_from(now.wall.duration_since(order.last_intended)).unwrap_or(Duration::ZERO)
}
