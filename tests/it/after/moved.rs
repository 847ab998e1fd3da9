//! An inbox that is worked in another folder from now on: its files are the ones there.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use super::rows;
use crate::world::{Setup, World, names, sheet, write};

/// What lies in an inbox's folder, by part and name, without what `init` has made.
fn kept(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let in_part = |part: &str| -> Vec<(String, Vec<u8>)> {
        let files = names(&folder.join(part)).into_iter();
        let read = |name: String| {
            let bytes = fs::read(folder.join(part).join(&name)).unwrap();
            (format!("{part}/{name}"), bytes)
        };
        files.map(read).collect()
    };
    ["results", "held", "approved", "done"]
        .into_iter()
        .flat_map(in_part)
        .collect()
}

#[test]
fn the_news_of_an_inbox_that_was_copied_to_another_folder_comes_there() {
    let mut world = World::with(Setup {
        inbox: "approval = \"required\"",
        ..Setup::default()
    });
    world.excused = vec!["1001".to_owned(), "1002".to_owned()];
    write(
        &world.path("orders/inbox/monday.csv"),
        sheet(&["1001", "1002"]).as_bytes(),
    );
    let wrong = sheet(&["1003"]).replace("TEE-CLASSIC", "TEE-NOBODY-HAS");
    write(&world.path("orders/inbox/tuesday.csv"), wrong.as_bytes());
    assert_eq!(world.run_once().status, 3);
    let (old, new) = (world.path("orders"), world.path("orders2"));
    assert!(
        Command::new("cp")
            .arg("-a")
            .args([&old, &new])
            .status()
            .unwrap()
            .success()
    );
    let config = fs::read_to_string(world.path("dropsheet.toml")).unwrap();
    let config = config.replace("path = \"orders\"", "path = \"orders2\"");
    write(&world.path("dropsheet.toml"), config.as_bytes());
    let before = kept(&old);

    // Approved in part: the other order is listed anew.
    let name = names(&new.join("held")).remove(0);
    let listed = rows(&new.join("held").join(&name));
    let heading = listed[0].join(",");
    let approved: Vec<String> = listed
        .iter()
        .filter(|row| row[0] == "1001")
        .map(|row| row.join(","))
        .collect();
    write(
        &new.join("approved/monday.csv"),
        format!("{heading}\n{}\n", approved.concat()).as_bytes(),
    );
    let ran = world.run_once();
    assert_eq!(world.creates(), 1, "{ran:?}");
    assert_eq!(kept(&old), before, "nothing comes to the old folder");
    let named = |part: &str| -> Vec<String> {
        let of = |name: &String| name.starts_with(part);
        before.keys().filter(|name| of(name)).cloned().collect()
    };
    let now = kept(&new);
    for part in ["results", "held"] {
        let here: Vec<&String> = now
            .keys()
            .filter(|name| name.starts_with(part) && !name.contains(".approved."))
            .collect();
        assert_eq!(
            here,
            named(part).iter().collect::<Vec<_>>(),
            "each in its own place"
        );
    }
    let told = |name: &str| {
        let found = now.keys().find(|key| key.ends_with(name)).unwrap();
        now[found] != before[found]
    };
    assert!(told("monday.result.csv") && told("monday.held.xlsx") && told("attention.xlsx"));
    assert_eq!(
        rows(&new.join("held").join(&name)).len(),
        2,
        "the heading and 1002"
    );
    world.end();
}
