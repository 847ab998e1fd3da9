//! The table schemas that are published for other programs say what the program does.

use std::collections::BTreeSet;

use dropsheet::outcome::Status;
use serde_json::Value;

fn fields(schema: &str) -> Vec<Value> {
    let schema: Value = serde_json::from_str(schema).unwrap();
    schema["fields"].as_array().unwrap().clone()
}

fn names(fields: &[Value]) -> Vec<&str> {
    fields
        .iter()
        .map(|field| field["name"].as_str().unwrap())
        .collect()
}

#[test]
fn no_column_is_described_twice_and_none_is_in_both_schemas() {
    let order = fields(include_str!("../../schema/order-sheet.schema.json"));
    let result = fields(include_str!("../../schema/result-columns.schema.json"));
    let all = [names(&order), names(&result)].concat();
    assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), all.len());
    assert!(names(&result).iter().all(|name| name.starts_with("result_")));
}

#[test]
fn result_status_has_every_word() {
    let result = fields(include_str!("../../schema/result-columns.schema.json"));
    let described: BTreeSet<&str> = result[0]["constraints"]["enum"]
        .as_array()
        .unwrap()
        .iter()
        .map(|word| word.as_str().unwrap())
        .collect();
    assert_eq!(described, Status::ALL.map(Status::word).into());
}
