//! Orders whose ids cross because the inbox's `order_prefix` was changed: the id that one would be sent under is
//! another's. Nothing is sent under it, and the program goes on.

use crate::world::{Setup, World, sheet, write};

/// A world in which everything is held, and `A-1` and `1` came before their inbox had a prefix.
fn two_held() -> World {
    let mut world = World::with(Setup {
        inbox: "approval = \"required\"",
        ..Setup::default()
    });
    world.drop_csv("monday.csv", &sheet(&["A-1", "1"]));
    world.run_once();
    world
}

/// From now on what its sheets call `1` is sent as `A-1`.
fn prefix(world: &World) {
    let path = world.path("dropsheet.toml");
    let config = std::fs::read_to_string(&path).unwrap();
    let (before, after) = config.split_once("[inbox.main]\n").unwrap();
    let config = format!("{before}[inbox.main]\norder_prefix = \"A-\"\n{after}");
    write(&path, config.as_bytes());
}

#[test]
fn an_id_that_would_be_sent_as_another_orders_is_not_taken_anew() {
    for declined in [&["1"][..], &["A-1", "1"]] {
        let mut world = two_held();
        for id in declined {
            assert_eq!(world.dropsheet(&["orders", "cancel", id]).status, 0);
        }
        prefix(&world);
        world.drop_csv("tuesday.csv", &sheet(&["1", "7"]));
        let ran = world.run_once();
        assert_eq!(ran.status, 3, "{ran:?}");
        let result = world.result("tuesday.csv");
        assert_eq!(result.column("result_status"), ["changed", "held"]);
        assert!(result.column("result_codes")[0].contains("content-changed"));
        let said = &result.column("result_message")[0];
        for words in ["`A-1`", "nothing was sent", "another id"] {
            assert!(said.contains(words), "{said}");
        }
        assert_eq!(world.creates(), 0);
        world.end();
    }
}

#[test]
fn an_order_keeps_to_what_its_own_inbox_sent_under_its_id_in_the_sheet() {
    let mut world = two_held();
    assert_eq!(world.dropsheet(&["orders", "cancel", "A-1"]).status, 0);
    prefix(&world);
    world.drop_csv("tuesday.csv", &sheet(&["1"]));
    world.run_once();
    let result = world.result("tuesday.csv");
    assert_eq!(result.column("result_status"), ["held"]);
    assert_eq!(
        result.column("result_order_id"),
        ["1"],
        "it is held under the id of then"
    );
    assert_eq!(world.creates(), 0);
    world.end();
}
