//! Totals are read from the service's list while a sheet's other orders are still being created.

use std::time::Duration;

use dropsheet::sandbox::{ListOrder, Options};

use crate::world::{HEADER, Setup, World, row};

/// Two pages of the list and some. With sixteen requests under way at 60 ms, the orders after the first page take two
/// seconds at the least, however fast the machine is: twice as long as it is until the list is looked at again.
const ORDERS: u32 = 450;

fn sheet() -> String {
    let rows: Vec<String> = (0..ORDERS)
        .map(|n| row(&(1001 + n).to_string(), 1 + n % 9))
        .collect();
    format!("{HEADER}\n{}\n", rows.join("\n"))
}

#[test]
fn totals_are_read_while_others_of_the_sheet_are_created_and_none_is_left_out() {
    for list_order in [ListOrder::Newest, ListOrder::Oldest] {
        let mut world = World::with(Setup {
            service: Options {
                list_order,
                list_lag: Duration::ZERO,
                latency: Duration::from_millis(60),
                ..Setup::default().service
            },
            account: "quote_reuse = \"0s\"",
            ..Setup::default()
        });
        world.drop_csv("monday.csv", &sheet());
        assert_eq!(world.run_once().status, 0);
        let calls = world.service.calls();
        let is_create = |name: &str| name.ends_with("create-new-order");
        let names: Vec<&str> = calls.log.iter().map(|call| call.operation).collect();
        let first = names.iter().position(|name| is_create(name)).unwrap();
        let last = names.iter().rposition(|name| is_create(name)).unwrap();
        let lists = |names: &[&str]| names.iter().filter(|name| name.ends_with("list")).count();
        assert!(
            lists(&names[first..last]) > 0,
            "{list_order:?}: nothing was read meanwhile"
        );
        let after_the_first = u32::try_from(lists(&names[first..])).unwrap();
        assert!(
            after_the_first <= ORDERS / 5,
            "{list_order:?}: {after_the_first} readings"
        );
        let result = world.result("monday.csv");
        let totals = result.column("result_service_total");
        assert_eq!(
            totals.iter().filter(|total| !total.is_empty()).count(),
            totals.len()
        );
        assert_eq!(totals.len(), usize::try_from(ORDERS).unwrap());
        world.end();
    }
}
