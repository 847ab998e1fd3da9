//! A daemon killed at random moments, again and again, amid a sheet, while its service does everything wrong that it
//! can.

use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use dropsheet::sandbox::Options;

#[path = "../model/dice.rs"]
#[expect(dead_code, reason = "the model throws more dice")]
mod dice;

use crate::world::{Setup, World, sheet, wait_for};
use dice::Dice;

/// The kills of one world.
const KILLS: u64 = 100;

/// The orders of one world: more than are done before the last kill.
const ORDERS: u64 = 300;

/// Worlds side by side.
const SIDE_BY_SIDE: u64 = 3;

/// The longest time between two kills.
const LONGEST: u64 = 900;

/// Everything that the sandbox can do wrong, each at two in a hundred.
const FAULTS: [&str; 26] = [
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
];

/// Kills a daemon so many times, in worlds of a hundred kills each.
pub(crate) fn run(times: u64) {
    let begun = Instant::now();
    let worlds = times.div_ceil(KILLS);
    let mut orders = 0;
    for first in (0..worlds).step_by(usize::try_from(SIDE_BY_SIDE).unwrap()) {
        std::thread::scope(|scope| {
            let side_by_side: Vec<_> = (first..worlds.min(first + SIDE_BY_SIDE))
                .map(|world| {
                    let kills = KILLS.min(times - world * KILLS);
                    let named = std::thread::Builder::new().name(format!("world {world}"));
                    named
                        .spawn_scoped(scope, move || one_world(world, kills))
                        .unwrap()
                })
                .collect();
            for world in side_by_side {
                orders += world.join().unwrap();
            }
        });
        println!("{} of {times} kills", times.min((first + SIDE_BY_SIDE) * KILLS));
    }
    println!(
        "{times} kills amid {orders} orders in {:?}: no order twice, none lost",
        begun.elapsed()
    );
}

/// Gives the number of orders.
fn one_world(seed: u64, kills: u64) -> usize {
    let mut dice = Dice::new(seed);
    let mut world = World::with(Setup {
        service: Options {
            seed,
            slow: Duration::from_millis(1200),
            late: Duration::from_millis(800),
            ..Setup::default().service
        },
        timeout: "1s",
        absent_after: "3s",
        account: "max_in_flight = 4",
        ..Setup::default()
    });
    for fault in FAULTS {
        world.service.set_fault(&format!("{fault}=0.02")).unwrap();
    }
    let ids: Vec<String> = (1..=ORDERS).map(|id| format!("K{id}")).collect();
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    world.drop_csv("monday.csv", &sheet(&ids));
    for _kill in 0..kills {
        let daemon = Killed::start(&world);
        std::thread::park_timeout(Duration::from_millis(dice.spread(8, LONGEST)));
        drop(daemon);
    }
    world.service.clear_faults();
    settle(&mut world, &ids);
    let placed = world.service.orders().len();
    world.end();
    placed
}

/// Works on in calm until every order is at the service: once.
fn settle(world: &mut World, ids: &[&str]) {
    let calm = world.daemon();
    wait_for("the sheet is worked", || {
        world.find_result("monday.csv").is_some()
    });
    // Those that the service has refused are asked for again, and the answered ones show that the list is live.
    world.drop_csv("tuesday.csv", &sheet(ids));
    world.drop_csv("wednesday.csv", &sheet(&["last"]));
    wait_for("every order has its fate", || {
        ["monday.csv", "tuesday.csv", "wednesday.csv"]
            .iter()
            .all(|sheet| {
                world.find_result(sheet).is_some_and(|result| {
                    let open = ["unresolved", "waiting"];
                    !result
                        .column("result_status")
                        .iter()
                        .any(|status| open.contains(status))
                })
            })
    });
    assert_eq!(calm.terminate().0, 0);
    let (monday, tuesday) = (world.result("monday.csv"), world.result("tuesday.csv"));
    for id in ids {
        assert_eq!(world.at_service(id).len(), 1, "{id} is at the service once");
        let both = [monday.of(id, "result_status"), tuesday.of(id, "result_status")];
        let is_told = matches!(
            both,
            ["created", "already_created"] | ["refused" | "already_created", "created"]
        ) || both == ["already_created"; 2];
        assert!(is_told, "{id} ends as {both:?}");
    }
}

/// A daemon that is killed when it is dropped, wherever it is.
struct Killed(Child);

impl Killed {
    fn start(world: &World) -> Self {
        let mut command = world.command(&["run"]);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        Self(command.spawn().unwrap())
    }
}

impl Drop for Killed {
    fn drop(&mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }
}
