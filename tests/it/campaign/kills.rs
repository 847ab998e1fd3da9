//! A daemon killed again and again amid a sheet, while its service does everything wrong that it can.
//!
//! A kill comes when the daemon has asked for so many creates, or after so long, by dice: most of them strike while
//! creates are under way, some while the daemon starts.

use std::fs::File;
use std::ops::Range;
use std::process::{Child, Stdio};
use std::thread::{Scope, ScopedJoinHandle};
use std::time::{Duration, Instant};

use dropsheet::sandbox::{Options, RetryAfter};

#[path = "../model/dice.rs"]
#[expect(dead_code, reason = "the model throws more dice")]
mod dice;

use super::calm;
use crate::world::{HEADER, Setup, World, row};
use dice::Dice;

/// The most kills of one world.
const KILLS: u64 = 100;

/// Worlds side by side.
const SIDE_BY_SIDE: u64 = 3;

/// The longest life of a daemon in milliseconds: of those that are killed at a time, and of those that are killed at a
/// create which may not come, as the service is away.
const LONGEST: u64 = 900;
const LONGEST_UNTIL_CREATE: u64 = 8000;

/// The longest time after the kills in which the service still does everything wrong.
const WRONG_STILL: Duration = Duration::from_mins(1);

/// Where a daemon's log goes.
const LOG: &str = "daemon.log";

/// Everything that the sandbox can do wrong, each with the same share of the calls.
const FAULTS: &[&str] = &[
    "drop-before",
    "drop-after",
    "late",
    "slow",
    "error-500",
    "error-502",
    "error-504",
    "error-500-after",
    "error-502-after",
    "error-504-after",
    "html-after",
    "cut-body",
    "envelope-refusal",
    "refuse",
    "wrong-order-id",
    "redirect",
    "empty-200",
    "bare-200",
    "expire-token",
    "rate-limit",
    "unavailable",
    "cut-body-list",
    "html-list",
    "empty-200-list",
    "unavailable-list",
    "drop-quote",
    "drop-token",
    "unavailable-catalog",
];

/// How much is done to how many.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    /// Kills altogether; each hundred of them has a world of its own.
    pub(crate) kills: u64,
    /// The orders of the one sheet of a world.
    pub(crate) orders: u32,
    /// The share of each fault in the calls that it can strike, in percent.
    pub(crate) faults: u32,
}

/// What became of one or more worlds.
#[derive(Debug, Default)]
struct Tally {
    orders: usize,
    /// Kills that struck before the sheet was worked to its end.
    amid: u64,
    creates: u64,
    faults: usize,
    /// Orders that waited for a person, and were sent again at a person's word.
    by_person: u64,
}

impl Plan {
    /// Kills `kills` daemons amid sheets of 300 orders, with each fault at two in a hundred.
    pub(crate) const fn of(kills: u64) -> Self {
        Self {
            kills,
            orders: 300,
            faults: 2,
        }
    }

    /// Kills, worlds side by side, and compares what is left with what was dropped.
    pub(crate) fn run(self) {
        let begun = Instant::now();
        let worlds = self.kills.div_ceil(KILLS);
        let mut all = Tally::default();
        for first in (0..worlds).step_by(usize::try_from(SIDE_BY_SIDE).unwrap()) {
            let end = worlds.min(first + SIDE_BY_SIDE);
            for tally in self.side_by_side(first..end) {
                all.add(&tally);
            }
            println!("{} of {} kills", self.kills.min(end * KILLS), self.kills);
        }
        println!(
            "{} kills, {} of them before the sheet was worked to its end, amid {} orders, {} creates and {} faults in {:?}; \
             {} orders were settled by a person: no order twice, none lost, totals agree",
            self.kills,
            all.amid,
            all.orders,
            all.creates,
            all.faults,
            begun.elapsed(),
            all.by_person,
        );
    }

    fn side_by_side(self, worlds: Range<u64>) -> Vec<Tally> {
        std::thread::scope(|scope| {
            let begun: Vec<_> = worlds.map(|world| self.begin(scope, world)).collect();
            begun.into_iter().map(|world| world.join().unwrap()).collect()
        })
    }

    /// Begins a world on a thread of its own.
    fn begin<'scope>(self, scope: &'scope Scope<'scope, '_>, world: u64) -> ScopedJoinHandle<'scope, Tally> {
        let kills = KILLS.min(self.kills - world * KILLS);
        // A world takes how its service pages and sorts from its thread's name.
        let named = std::thread::Builder::new().name(format!("world {world}"));
        named
            .spawn_scoped(scope, move || self.one_world(world, kills))
            .unwrap()
    }

    fn one_world(self, seed: u64, kills: u64) -> Tally {
        let mut dice = Dice::new(seed);
        let mut world = World::with(Setup {
            service: Options {
                seed,
                slow: Duration::from_millis(900),
                late: Duration::from_millis(800),
                // A pause at each refusal of a rate leaves little to kill.
                retry_after: RetryAfter::Text("0".to_owned()),
                ..Setup::default().service
            },
            timeout: "750ms",
            absent_after: "3s",
            // Beside a list that is seen late, for the daemon lives shortly, the wait ends all the same.
            absent_after_unproven: "15s",
            account: "max_in_flight = 4",
            ..Setup::default()
        });
        for fault in FAULTS {
            let rule = format!("{fault}={}.{:02}", self.faults / 100, self.faults % 100);
            world.service.set_fault(&rule).unwrap();
        }
        let ids: Vec<String> = (1..=self.orders).map(|n| format!("K{n}")).collect();
        world.drop_csv("monday.csv", &self.sheet());
        let mut amid = 0;
        for left in (1..=kills).rev() {
            let daemon = Killed::start(&world);
            wait_for_the_moment(&world, u64::from(self.orders), left, &mut dice);
            drop(daemon);
            amid += u64::from(!calm::is_worked(&world));
        }
        // Started again, it works on against the same service.
        work_on(&world);
        world.service.clear_faults();
        let (faults, creates) = (struck(&world), world.creates());
        let by_person = calm::settle(&mut world, &ids, &self.sheet());
        let orders = world.service.orders().len();
        world.end();
        Tally {
            orders,
            amid,
            creates,
            faults,
            by_person,
        }
    }

    /// Its orders, which do not all cost the same.
    fn sheet(self) -> String {
        let rows: Vec<String> = (1..=self.orders)
            .map(|n| row(&format!("K{n}"), 1 + n % 7))
            .collect();
        format!("{HEADER}\n{}\n", rows.join("\n"))
    }
}

impl Tally {
    fn add(&mut self, other: &Self) {
        self.orders += other.orders;
        self.amid += other.amid;
        self.creates += other.creates;
        self.faults += other.faults;
        self.by_person += other.by_person;
    }
}

/// Of the newest calls, those that met a fault.
fn struck(world: &World) -> usize {
    let calls = world.service.calls();
    calls.log.iter().filter(|call| call.fault.is_some()).count()
}

/// Waits until this daemon is to be killed, so that the orders last for the kills that are left.
fn wait_for_the_moment(world: &World, orders: u64, left: u64, dice: &mut Dice) {
    if dice.is(25) {
        std::thread::park_timeout(Duration::from_millis(dice.spread(8, LONGEST)));
        return;
    }
    let missing = orders.saturating_sub(u64::try_from(world.service.orders().len()).unwrap());
    let until = world.creates() + 1 + dice.below(2 * missing / left + 1);
    let give_up = Instant::now() + Duration::from_millis(LONGEST_UNTIL_CREATE);
    while world.creates() < until && Instant::now() < give_up {
        std::thread::park_timeout(Duration::from_millis(1));
    }
    // The moments after the service has heard of a create: before its answer, before that is written, after it.
    std::thread::park_timeout(Duration::from_millis(dice.below(16)));
}

/// Works on for a while, by a daemon that is started again where it asks for that.
fn work_on(world: &World) {
    let end = Instant::now() + WRONG_STILL;
    let mut daemon = Killed::start(world);
    while !calm::is_worked(world) && Instant::now() < end {
        // The service has turned away the account: with tokens that end at random, a new one sometimes before its use.
        if std::fs::read_to_string(world.path(LOG))
            .unwrap()
            .contains("start dropsheet again")
        {
            drop(daemon);
            daemon = Killed::start(world);
        }
        std::thread::park_timeout(Duration::from_millis(200));
    }
    drop(daemon);
}

/// A daemon that is killed when it is dropped, wherever it is.
struct Killed(Child);

impl Killed {
    fn start(world: &World) -> Self {
        let mut command = world.command(&["run"]);
        let log = File::create(world.path(LOG)).unwrap();
        command.stdout(Stdio::null()).stderr(log);
        Self(command.spawn().unwrap())
    }
}

impl Drop for Killed {
    fn drop(&mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }
}
