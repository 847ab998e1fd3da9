//! A sheet's copy in the spool, which alone is read, that is not what was taken any more.

use std::fs;
use std::path::PathBuf;

use crate::world::{World, sheet, write};

/// A world in which a sheet of two orders was taken and waits, and its copy.
fn waiting() -> (World, PathBuf) {
    let mut world = World::new();
    write(&world.orders_path("STOP"), b"");
    world.drop_csv("monday.csv", &sheet(&["1001", "1002"]));
    assert_eq!(world.run_once().status, 3);
    fs::remove_file(world.orders_path("STOP")).unwrap();
    let copies: Vec<PathBuf> = fs::read_dir(world.path("spool"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.file_name().unwrap().len() == 64)
        .collect();
    let [copy] = &copies[..] else {
        panic!("one copy, not {copies:?}")
    };
    (world, copy.clone())
}

#[test]
fn a_copy_that_was_changed_or_is_gone_is_made_anew_from_the_original_and_nothing_of_it_is_sent() {
    let (other, cut) = (sheet(&["7001", "7002"]), sheet(&["1001"]));
    for changed in [Some(other), Some(cut), None] {
        let (world, copy) = waiting();
        fs::remove_file(&copy).unwrap();
        if let Some(changed) = changed {
            write(&copy, changed.as_bytes());
        }
        let ran = world.run_once();
        assert_eq!(ran.status, 3, "{ran:?}");
        assert!(ran.said.contains("made anew from the original"), "{ran:?}");
        assert_eq!(world.creates(), 0);
        assert_eq!(world.run_once().status, 0);
        assert_eq!(world.result("monday.csv").column("result_status"), ["created"; 2]);
        for id in ["1001", "1002"] {
            assert_eq!(world.at_service(id).len(), 1, "{id}");
        }
        world.end();
    }
}
