//! What must be so when a world ends, whatever happened in it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use dropsheet::sandbox::Placed;

use super::{Dropped, Table, World, names};

/// Asserts that nothing unexplained is left.
pub(super) fn check(world: &World, sheets: &[Dropped]) {
    let placed = world.service.orders();
    each_order_once(world, &placed);
    let mut told = BTreeSet::new();
    let mut sent = BTreeMap::new();
    let mut priced = BTreeMap::new();
    for sheet in sheets {
        let Some(result) = world.find_result(&sheet.name) else {
            lies_somewhere(world, &sheet.name);
            continue;
        };
        result.assert_statuses();
        if let Some(rows) = sheet.rows {
            assert_eq!(result.len(), rows, "{}: rows in are rows out", sheet.name);
        }
        agrees(world, &result, &mut told, &mut sent);
        count_amounts(&result, &mut priced);
    }
    for (pw_order_id, results) in sent {
        assert_eq!(results, 1, "{pw_order_id} is `created` in one result");
    }
    for (pw_order_id, rows) in priced {
        assert_eq!(
            rows, 1,
            "the amounts of {pw_order_id} stand in one row of one result"
        );
    }
    for order in placed {
        assert!(
            told.contains(&order.pw_order_id) || world.excused.contains(&order.order_name),
            "no result tells of {} ({}) at the service",
            order.pw_order_id,
            order.order_name
        );
    }
    no_leftovers(world);
}

/// Asserts that a sheet without a result is where somebody sees it: it was rejected, or only priced, or is not taken yet.
fn lies_somewhere(world: &World, name: &str) {
    let stem = name.rsplit_once('.').map_or(name, |(stem, _ending)| stem);
    let parts = ["inbox", "try", "rejected", "results"];
    let there = parts.iter().flat_map(|part| world.files(part));
    let names: Vec<String> = there.collect();
    assert!(
        names.iter().any(|there| there.contains(stem)),
        "{name} has come to nothing: {names:?}"
    );
}

fn each_order_once(world: &World, placed: &[Placed]) {
    let mut count = BTreeMap::new();
    for order in placed {
        *count.entry(order.order_name.clone()).or_insert(0) += 1;
    }
    for (name, times) in count {
        assert!(
            times == 1 || world.excused.contains(&name),
            "{name} is {times} times at the service"
        );
    }
}

/// Asserts that what a result says of the service's orders is so.
fn agrees(world: &World, result: &Table, told: &mut BTreeSet<String>, sent: &mut BTreeMap<String, usize>) {
    let columns = [
        "result_status",
        "result_order_id",
        "result_pw_order_id",
        "result_quoted_total",
        "result_service_total",
    ];
    let placed = world.service.orders();
    let mut counted = BTreeSet::new();
    for row in result.columns(&columns) {
        let [status, order_id, pw_order_id, quoted, charged] = row[..] else {
            panic!("as many cells as columns")
        };
        if pw_order_id.is_empty() {
            assert!(status != "created", "a created order {order_id} has an id");
            continue;
        }
        let order = placed
            .iter()
            .find(|order| order.pw_order_id == pw_order_id)
            .unwrap_or_else(|| panic!("{pw_order_id} of {order_id} is not at the service"));
        let excused = world.excused.contains(&order.order_name);
        let is_rewritten = order.order_name.eq_ignore_ascii_case(order_id)
            || order.order_name == order_id.trim_start_matches('0')
            || order_id.ends_with(&format!("-{}", order.order_name))
            || order.order_name.ends_with(&format!("-{order_id}"))
            // Sent with another prefix than the inbox has now.
            || matches!(
                (order.order_name.split_once('-'), order_id.split_once('-')),
                (Some((_then, sent)), Some((_now, id))) if sent == id
            );
        let is_renamed = excused && is_rewritten;
        assert!(is_renamed || order.order_name == order_id, "{pw_order_id}");
        told.insert(pw_order_id.to_owned());
        let total = order.total.decimal().to_string();
        for amount in [quoted, charged] {
            assert!(
                excused || amount.is_empty() || amount == total,
                "{order_id}: {amount} is not the service's {total}"
            );
        }
        if status == "created" && counted.insert(pw_order_id.to_owned()) {
            *sent.entry(pw_order_id.to_owned()).or_insert(0) += 1;
        }
    }
}

/// Counts the rows in which an order's amounts stand: summing every result must count each order once.
fn count_amounts(result: &Table, priced: &mut BTreeMap<String, usize>) {
    for row in result.columns(&["result_pw_order_id", "result_quoted_total"]) {
        let [pw_order_id, quoted] = row[..] else {
            panic!("as many cells as columns")
        };
        if !pw_order_id.is_empty() && !quoted.is_empty() {
            *priced.entry(pw_order_id.to_owned()).or_insert(0) += 1;
        }
    }
}

/// Asserts that no temporary file is left in any folder, and nothing under way.
fn no_leftovers(world: &World) {
    assert_eq!(world.files("processing"), [""; 0], "nothing is under way");
    let root = world.orders_path("");
    hidden_in(&root, &[".dropsheet"]);
    for part in names(&root) {
        let folder = root.join(part);
        if folder.is_dir() {
            hidden_in(&folder, &[]);
        }
    }
    hidden_in(&world.path(""), &[]);
    if world.path("spool").is_dir() {
        hidden_in(&world.path("spool"), &[]);
    }
}

fn hidden_in(folder: &Path, known: &[&str]) {
    let hidden: Vec<String> = names(folder)
        .into_iter()
        .filter(|name| name.starts_with('.') && !known.contains(&name.as_str()))
        .collect();
    assert_eq!(hidden, [""; 0], "left in {}", folder.display());
}
