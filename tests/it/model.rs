//! A model of the promise: the shipped transition function and the shipped reconciliation, in a simulated world in which
//! everything goes wrong that can, by seed. A failing seed is printed with its trace; `MODEL_SEED=n` replays it, and
//! `MODEL_SEEDS=1000000` runs so many instead of the usual number.
//!
//! What must hold in every world: no create leaves while an earlier one of its order is at the service or on its way,
//! but for the stated bound; every create is preceded by its intent; every order ends as the service has it; and
//! looking once more changes nothing.

mod dice;
mod program;
mod service;

use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Duration;

use dropsheet::clock::{BootTime, Now};
use dropsheet::ledger::state::State;
use dropsheet::reconcile::{Known, Policy, Signature, Step};
use jiff::Timestamp;

use dice::Dice;
use program::{Killed, Order};
use service::{Answer, Service};

/// Worlds of a usual run.
const SEEDS: u64 = 200_000;

/// Threads that share them: one a core of the machine that the figures are from.
const THREADS: u8 = 2;

/// Most steps of a world: far more than any needs.
const STEPS: usize = 20_000;

/// Time in the model, in milliseconds since its world began.
type Millis = u64;
const SECOND: Millis = 1000;
const MINUTE: Millis = 60 * SECOND;
const HOUR: Millis = 60 * MINUTE;

/// What went against the promise.
#[derive(Debug)]
struct Wrong(String);

/// What has happened in all worlds of a thread: a model that visits nothing proves nothing.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    creates: u64,
    unanswered: u64,
    kills: u64,
    looks: u64,
    found: u64,
    resends: u64,
    persons: usize,
    cancels: usize,
    /// Second creates within the stated bound.
    excused: u64,
}

#[derive(Debug)]
struct World {
    dice: Dice,
    time: Millis,
    /// What the wall clock is ahead of true time.
    wall: i64,
    boots: [Arc<str>; 3],
    boot: usize,
    booted: Millis,
    policy: Policy,
    orders: Vec<Order>,
    service: Service,
    /// What another client's order of our name holds.
    other: Signature,
    ours: Signature,
    /// The wall clock was set back or forth.
    jumped: bool,
    rows: i64,
    kills: u32,
    calm: bool,
    trace: Option<String>,
    wrong: Option<Wrong>,
    counts: Counts,
}

#[test]
fn no_world_has_an_order_twice_or_loses_one() {
    if let Some(seed) = number("MODEL_SEED") {
        let mut world = World::new();
        world.trace = Some(String::new());
        let ended = world.play(seed);
        println!("{}", world.trace.unwrap_or_default());
        ended.unwrap_or_else(|Wrong(what)| panic!("seed {seed}: {what}"));
        return;
    }
    let seeds = number("MODEL_SEEDS").unwrap_or(SEEDS);
    let begun = std::time::Instant::now();
    let counts: Vec<Counts> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..THREADS)
            .map(|first| {
                scope.spawn(move || play_all((u64::from(first)..seeds).step_by(usize::from(THREADS))))
            })
            .collect();
        let ended = threads.into_iter().map(|thread| thread.join().unwrap());
        ended.collect::<Result<_, String>>()
    })
    .unwrap_or_else(|trace| panic!("{trace}"));
    println!("{seeds} worlds in {:?}: {counts:?}", begun.elapsed());
    for count in counts {
        let visits = [
            count.creates,
            count.unanswered,
            count.kills,
            count.found,
            count.resends,
        ];
        let is_varied = visits.iter().all(|visits| *visits > 100) && count.persons.min(count.cancels) > 100;
        assert!(seeds < 10_000 || is_varied, "{count:?}");
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "a person asks for a seed or for more of them"
)]
fn number(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok()?;
    Some(
        text.parse()
            .unwrap_or_else(|_| panic!("{name} is no number: {text}")),
    )
}

/// Plays worlds until one goes wrong; gives the trace of that one.
fn play_all(seeds: impl Iterator<Item = u64>) -> Result<Counts, String> {
    let mut world = World::new();
    for seed in seeds {
        if let Err(Wrong(what)) = world.play(seed) {
            let mut again = World::new();
            again.trace = Some(String::new());
            drop(again.play(seed));
            let trace = again.trace.unwrap_or_default();
            return Err(format!(
                "{trace}seed {seed}: {what}\nMODEL_SEED={seed} replays it"
            ));
        }
    }
    Ok(world.counts)
}

/// A moment of the wall clock.
fn moment(millis: i64) -> Timestamp {
    Timestamp::from_millisecond(1_795_000_000_000 + millis).unwrap()
}

impl World {
    fn new() -> Self {
        Self {
            dice: Dice::new(0),
            time: 0,
            wall: 0,
            boots: ["first".into(), "second".into(), "third".into()],
            boot: 0,
            booted: 0,
            policy: Policy {
                absent_after: Duration::ZERO,
                absent_after_unproven: Duration::ZERO,
                resend: true,
            },
            orders: Vec::new(),
            service: Service::default(),
            other: Signature::new([("OTHER", 1)].into_iter(), Some("US")),
            ours: Signature::new([("TEE", 1)].into_iter(), Some("US")),
            jumped: false,
            rows: 0,
            kills: 0,
            calm: false,
            trace: None,
            wrong: None,
            counts: Counts::default(),
        }
    }

    /// Begins another world.
    fn begin(&mut self, seed: u64) {
        self.dice = Dice::new(seed);
        (self.time, self.wall, self.boot, self.booted) = (MINUTE, 0, 0, 0);
        let absent_after = [MINUTE, 5 * MINUTE, 15 * MINUTE][self.dice.index(3)];
        let unproven = absent_after * [4, 8, 96][if self.dice.is(3) { 2 } else { self.dice.index(2) }];
        self.policy = Policy {
            absent_after: Duration::from_millis(absent_after),
            absent_after_unproven: Duration::from_millis(unproven),
            resend: !self.dice.is(15),
        };
        let longest_lag = absent_after * 2;
        self.service.renew(&mut self.dice, longest_lag, HOUR);
        let known = Known {
            signature: self.ours.clone(),
            zip: Some("43004".to_owned()),
            first_attempt: moment(0),
            looks: 0,
            waited: None,
            lag: None,
            sends: 0,
            cancel: false,
            person: false,
            contradicted: false,
        };
        let now = self.now();
        self.orders.clear();
        let service = self.trace.is_some().then(|| format!("{:?}", self.service));
        if let Some(service) = service {
            let policy = self.policy;
            self.say(format_args!("{policy:?} {service}"));
        }
        let orders = 1 + self.dice.index(4);
        self.orders
            .extend(std::iter::repeat_n(Order::new(known, &now), orders));
        if self.dice.is(3) {
            let name = self.dice.index(orders);
            self.service.put(name, self.time, true);
        }
        (self.kills, self.rows) = (0, 0);
        (self.calm, self.jumped) = (false, false);
        self.wrong = None;
    }

    /// Plays one world to its end.
    fn play(&mut self, seed: u64) -> Result<(), Wrong> {
        self.begin(seed);
        let incidents = 4 + self.dice.below(16);
        for _ in 0..incidents {
            let until = self.time + self.dice.spread(SECOND, 20 * MINUTE);
            self.run_until(until)?;
            self.incident();
        }
        self.calm_down()?;
        // Long enough for whatever is on its way, for every wait, and for a person's pause.
        let waits = self.policy.absent_after_unproven + self.policy.absent_after;
        let end = self.time + Millis::try_from(waits.as_millis()).unwrap() + 3 * HOUR;
        self.run_until(end)?;
        self.check_end()?;
        let before: Vec<_> = self.orders.iter().map(|order| (order.state, order.id)).collect();
        let creates = self.counts.creates;
        self.recover();
        let a_moment_later = self.time + SECOND;
        self.run_until(a_moment_later)?;
        let after: Vec<_> = self.orders.iter().map(|order| (order.state, order.id)).collect();
        if before != after || creates != self.counts.creates {
            return Err(Wrong(format!(
                "looking once more changed {before:?} to {after:?}"
            )));
        }
        self.counts.persons += self.orders.iter().filter(|o| o.waits_for_a_person()).count();
        let is_canceled = |o: &&Order| o.state == State::Canceled && o.known.sends > 0;
        self.counts.cancels += self.orders.iter().filter(is_canceled).count();
        Ok(())
    }

    /// Everything that is due happens, in the order of time.
    fn run_until(&mut self, end: Millis) -> Result<(), Wrong> {
        for _ in 0..STEPS {
            let due = self
                .orders
                .iter()
                .enumerate()
                .filter_map(|(at, order)| match order.in_flight {
                    Some((_, at_time)) => Some((at_time, at)),
                    None => order.is_unsettled().then_some((order.due, at)),
                });
            let Some((at_time, at)) = due.min() else { break };
            if at_time > end {
                break;
            }
            self.time = self.time.max(at_time);
            let done = match self.orders[at].in_flight {
                Some((answer, _)) => self.answered(at, answer),
                None => self.settle(at),
            };
            if let Err(Killed) = done {
                self.restart();
            }
            if let Some(wrong) = self.wrong.take() {
                return Err(wrong);
            }
        }
        self.time = self.time.max(end);
        Ok(())
    }

    /// Something happens from outside.
    fn incident(&mut self) {
        let at = self.dice.index(self.orders.len());
        let done = match self.dice.below(16) {
            0..9 => self.drop_order(at),
            9 => Err(Killed),
            10 => {
                self.wish_cancel(at);
                Ok(())
            }
            11 => {
                self.give_up(at);
                Ok(())
            }
            12 => {
                // Where the service tells no time either, a clock that is wrong by more than an hour calls a person.
                let most = if self.service.tells_time() {
                    2 * HOUR
                } else {
                    HOUR / 4
                };
                self.wall = i64::try_from(self.dice.below(2 * most)).unwrap() - i64::try_from(most).unwrap();
                self.jumped = true;
                let ahead = self.wall;
                self.say(format_args!("the wall clock is {ahead} ms ahead"));
                Ok(())
            }
            13 if self.boot + 1 < self.boots.len() => {
                self.boot += 1;
                self.pass(10 * MINUTE);
                self.booted = self.time;
                self.say(format_args!("the machine is booted"));
                Err(Killed)
            }
            _ => Ok(()),
        };
        if let Err(Killed) = done {
            self.restart();
        }
    }

    /// The program was killed, and is started again, perhaps much later.
    fn restart(&mut self) {
        self.counts.kills += 1;
        self.kills += 1;
        let away = self.dice.spread(SECOND, HOUR);
        self.time += if self.calm { SECOND } else { away };
        self.say(format_args!("killed, and started again"));
        self.recover();
    }

    /// Nothing goes wrong from here on; in most worlds one more order is dropped.
    fn calm_down(&mut self) -> Result<(), Wrong> {
        self.calm = true;
        self.service.calm_down(self.time);
        self.say(format_args!("all is calm"));
        // What is in flight gets its answer first: an order that is sent before proves nothing for it.
        let answered = self.time + MINUTE;
        self.run_until(answered)?;
        if self.dice.is(80) {
            let mut fresh = Order::new(self.orders[0].known.clone(), &self.now());
            fresh.known.signature = self.ours.clone();
            (fresh.known.looks, fresh.known.lag, fresh.known.sends) = (0, None, 0);
            (fresh.known.cancel, fresh.known.person) = (false, false);
            self.orders.push(fresh);
            if let Err(Killed) = self.drop_order(self.orders.len() - 1) {
                self.restart();
            }
        }
        Ok(())
    }

    /// Every order is at the service as the ledger says.
    fn check_end(&self) -> Result<(), Wrong> {
        for (at, order) in self.orders.iter().enumerate() {
            let ours = |made: &&service::Made| made.name == at && !made.foreign && !made.canceled;
            let there = self.service.made.iter().filter(ours).count();
            let adopted = self.service.made.iter().find(|made| Some(made.id) == order.id);
            // Another's order has its name, or no clock of ours can tell whether what is there is older than our attempt.
            let is_unclear = self.has_stranger(at) || (self.jumped && self.boot > 0);
            let is_so = match order.state {
                State::New | State::Refused => there == 0,
                State::Created => adopted.is_some_and(|made| !made.canceled && !made.foreign),
                // It was canceled before anything was sent.
                State::Canceled if order.known.sends == 0 => there == 0,
                State::Canceled => adopted.is_none_or(|made| made.canceled && !made.foreign),
                // A person decides of what is not there; what is there has been found.
                State::Unresolved => order.waits_for_a_person() && (there == 0 || is_unclear),
                State::Canceling => order.waits_for_a_person() && is_unclear,
                State::Abandoned => true,
                State::Sending | State::Held | State::Declined => false,
            };
            if !is_so {
                return Err(Wrong(format!(
                    "order {at} ends as {}, and is {there} times at the service: {order:?}",
                    order.state
                )));
            }
        }
        Ok(())
    }

    /// Whether another client's order has this one's name: then a person decides.
    fn has_stranger(&self, at: usize) -> bool {
        self.service
            .made
            .iter()
            .any(|made| made.name == at && made.foreign)
    }

    fn now(&self) -> Now {
        Now {
            wall: moment(i64::try_from(self.time).unwrap() + self.wall),
            boot: BootTime {
                id: Arc::clone(&self.boots[self.boot]),
                millis: i64::try_from(self.time - self.booted).unwrap(),
            },
        }
    }

    /// Time passes: up to so long.
    fn pass(&mut self, most: Millis) {
        self.time += 1 + self.dice.below(most);
    }

    fn may_be_killed(&mut self) -> Result<(), Killed> {
        // Now and then many times in a row: while it recovers from being killed.
        let percent = if self.kills % 5 == 1 { 10 } else { 2 };
        if !self.calm && self.dice.is(percent) {
            Err(Killed)
        } else {
            Ok(())
        }
    }

    fn say(&mut self, what: std::fmt::Arguments<'_>) {
        if let Some(trace) = &mut self.trace {
            writeln!(trace, "{:>10} ms  {what}", self.time).unwrap();
        }
    }

    fn tell(&mut self, at: usize, what: &str) {
        let state = self.orders[at].state;
        self.say(format_args!("order {at} {what}: {state}"));
    }

    fn tell_create(&mut self, at: usize, answer: Answer, takes: Millis) {
        if self.trace.is_some() {
            let made = self.service.made.last().copied();
            self.say(format_args!(
                "order {at} is sent: {answer:?} in {takes} ms; {made:?}"
            ));
        }
    }

    fn tell_step(&mut self, at: usize, step: &Step) {
        if self.trace.is_some() {
            let known = self.orders[at].known.clone();
            self.say(format_args!(
                "order {at}: {step:?} after {} looks, lag {:?}",
                known.looks, known.lag
            ));
        }
    }
}
