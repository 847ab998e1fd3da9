//! Orders that the service has twice, until a person has had the surplus canceled there.

use super::rows;
use crate::faults::audits::carry_out_the_first;
use crate::world::{Setup, World, sheet, wait_for};

#[test]
fn a_second_order_that_is_canceled_at_the_service_is_none_too_many_any_more() {
    let mut world = World::with(Setup {
        account: "sync = \"1h\"",
        ..Setup::default()
    });
    world.drop_csv("monday.csv", &sheet(&["1001"]));
    assert_eq!(world.run_once().status, 0);
    world.pw("1001");
    carry_out_the_first(&mut world);
    carry_out_the_first(&mut world);
    let own = world.result("monday.csv").column("result_pw_order_id").concat();
    let there = world.at_service("1001").into_iter();
    let ids = there.map(|order| order.pw_order_id);
    let others: Vec<String> = ids.filter(|id| *id != own).collect();
    let sync = || world.dropsheet(&["orders", "sync"]);
    let told = || rows(&world.own("attention"))[1..].concat().join(" ");
    wait_for("both are listed", || {
        sync();
        world
            .files("results")
            .iter()
            .any(|name| name.starts_with("attention"))
            && told().contains("has 2 more")
    });
    assert!(others.iter().all(|other| told().contains(other)), "{}", told());

    assert!(world.service.cancel(&others[0]));
    let synced = sync();
    assert!(
        synced
            .said
            .contains("the service has 1 more of this id that are to be printed"),
        "{synced:?}"
    );
    assert!(
        told().contains("has 1 more") && told().contains(&others[1]) && !told().contains(&others[0]),
        "{}",
        told()
    );
    assert!(world.service.cancel(&others[1]));
    assert_eq!(sync().status, 0);
    assert!(told().contains("nothing needs a person"), "{}", told());
    assert_eq!(world.result("monday.csv").of("1001", "result_codes"), "");
    let status = world.dropsheet(&["status"]);
    assert!(!status.said.contains("duplicate"), "{status:?}");

    // A third one is told as any, and so is a canceled one that is gone on with.
    carry_out_the_first(&mut world);
    wait_for("the third is listed", || {
        world.dropsheet(&["orders", "sync"]);
        rows(&world.own("attention"))[1..]
            .concat()
            .join(" ")
            .contains("has 1 more")
    });
    assert!(world.service.go_on(&others[0]));
    let synced = world.dropsheet(&["orders", "sync"]);
    assert!(
        synced.said.contains("The service has 2 more of this id."),
        "{synced:?}"
    );
    assert_eq!(world.service.count("cancel-order"), 0);
    world.end();
}
