//! A row that came with other content than a held order, which was declined then and which a later sheet has ordered anew:
//! what the row says goes by the later sheet's content.

use crate::world::{HEADER, Setup, World, row};

const SKU: &str = "`TEE-CLASSIC-BLK-S`";

/// Drops a sheet that asks for so many pieces with each of these orders.
fn drop_all(world: &mut World, name: &str, orders: &[(&str, u32)]) {
    let rows: Vec<String> = orders.iter().map(|(id, pieces)| row(id, *pieces)).collect();
    world.drop_csv(name, &format!("{HEADER}\n{}\n", rows.join("\n")));
    assert_eq!(world.run_once().status, 3, "something is held");
}

/// Decides on the only held sheet with a command.
fn decide(world: &World, command: &str) {
    let [held] = &world.files("held")[..] else {
        panic!("one held sheet, not {:?}", world.files("held"))
    };
    let decided = world.dropsheet(&[command, held]);
    assert_eq!(decided.status, 0, "{decided:?}");
    world.run_once();
}

/// A world in which `c.csv` asked for 5 pieces with 22, and for others, while that was held with 4, and `d.csv` has
/// ordered so many since that was declined.
fn ordered_anew(others: &[(&str, u32)], pieces: u32) -> World {
    let mut world = World::with(Setup {
        inbox: "max_order_total = 20",
        ..Setup::default()
    });
    let of = |pieces| [others, &[("22", pieces)]].concat();
    drop_all(&mut world, "b.csv", &[("21", 4), ("22", 4)]);
    drop_all(&mut world, "c.csv", &of(5));
    assert_eq!(world.result("c.csv").of("22", "result_status"), "changed");
    decide(&world, "decline");
    assert_eq!(world.result("c.csv").of("22", "result_status"), "changed");
    let said = said(&world);
    assert!(
        said.contains("has come to nothing since: quantity changed"),
        "{said}"
    );
    drop_all(&mut world, "d.csv", &of(pieces));
    world
}

/// What `c.csv` says of order 22.
fn said(world: &World) -> String {
    world.result("c.csv").of("22", "result_message").to_owned()
}

#[test]
fn a_row_follows_what_a_later_sheet_has_ordered_with_its_own_content() {
    let world = ordered_anew(&[("21", 4)], 5);
    let result = world.result("c.csv");
    assert_eq!(result.column("result_status"), ["held", "held"]);
    assert!(
        result.of("22", "result_first_sheet").ends_with("_d"),
        "{result:?}"
    );
    assert!(!said(&world).contains("22-2"), "{}", said(&world));
    decide(&world, "approve");
    world.dropsheet(&["orders", "sync"]);
    world.run_once();
    let result = world.result("c.csv");
    assert_eq!(result.column("result_status"), ["already_created"; 2]);
    assert_eq!(result.of("22", "result_pw_order_id"), world.pw("22"));
    assert_eq!(result.column("result_codes"), ["known-order"; 2]);
    let first_sheet = result.of("22", "result_first_sheet");
    assert_eq!(
        said(&world),
        format!("{first_sheet} has sent this order; nothing was sent again.")
    );
    assert!(first_sheet.ends_with("_d"), "{first_sheet}");
    let results = world.files("results");
    assert!(
        results.iter().all(|name| !name.ends_with("_c.to-fix.xlsx")),
        "nothing is to be fixed any more: {results:?}"
    );
    assert_eq!(world.creates(), 2);
    world.end();
}

#[test]
fn the_only_row_of_a_sheet_follows_the_later_one_too_whatever_becomes_of_that() {
    let world = ordered_anew(&[], 5);
    assert_eq!(world.result("c.csv").column("result_status"), ["held"]);
    decide(&world, "decline");
    let result = world.result("c.csv");
    assert_eq!(result.column("result_status"), ["declined"]);
    assert_eq!(result.of("22", "result_codes"), "declined-by-person");
    assert_eq!(world.creates(), 0);
    world.end();
}

#[test]
fn a_row_says_how_it_differs_from_what_a_later_sheet_has_ordered() {
    let world = ordered_anew(&[("21", 4)], 6);
    let asks = format!(
        "quantity changed. Nothing was sent. To replace it, decline it, then drop it again; to have both, \
                        drop this as 22-2. This sheet asks for 5 × {SKU} instead of 6. The result of "
    );
    assert!(said(&world).contains(&asks), "{}", said(&world));
    decide(&world, "approve");
    let result = world.result("c.csv");
    assert_eq!(result.column("result_status"), ["already_created", "changed"]);
    assert_eq!(result.of("22", "result_pw_order_id"), world.pw("22"));
    let first_sheet = result.of("22", "result_first_sheet");
    assert!(first_sheet.ends_with("_d"), "{first_sheet}");
    let said = said(&world);
    for words in [
        "The order 22 is created already with other content: quantity changed.",
        "cancel it, then drop it as 22-2",
        &format!("This sheet asks for 5 × {SKU} instead of 6."),
        &format!("The result of {first_sheet} shows the order as it is known."),
    ] {
        assert!(said.contains(words), "{said}");
    }
    world.end();
}
