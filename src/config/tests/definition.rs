//! What is told of the config from its definition: defaults, the schema, the example.

use super::*;

#[test]
fn every_default_written_as_text_reads_back_as_its_value() {
    let text = defaults().replace(".X]", ".main]");
    let text = text
        .replace("# base_url =", "base_url = \"https://api.example.com\"")
        .replace("# email =", "email = \"shop@example.com\"")
        .replace("# path =", "path = \"orders\"")
        .replace("# password_file =", "password_file = \"password\"");
    // What a profile has to name has no default.
    let (before, profile) = text.split_once("[profile.main]").unwrap();
    let after = profile.split_once("\n[").map_or("", |(_, after)| after);
    let text = format!("{before}[{after}");
    let (printed, implied) = (load_text(&text).unwrap(), load_text(SMALLEST).unwrap());
    assert_eq!(format!("{printed:?}"), format!("{implied:?}"));
}

#[test]
fn the_example_is_a_working_config() {
    let example = include_str!("../../../examples/dropsheet.toml");
    load_text(example).unwrap();
}

#[test]
fn the_schema_file_is_the_config() {
    let written: serde_json::Value =
        serde_json::from_str(include_str!("../../../schema/config.schema.json")).unwrap();
    let now = serde_json::to_string_pretty(&schema()).unwrap();
    let now: serde_json::Value = serde_json::from_str(&now).unwrap();
    assert!(
        written == now,
        "write this to schema/config.schema.json:\n{now:#}"
    );
}

#[test]
fn numbers_and_truths_can_be_set_by_the_environment() {
    let schema = schema().to_value();
    let mut found: Vec<&str> = Vec::new();
    let tables = schema["$defs"].as_object().unwrap().values();
    for (key, property) in tables
        .filter_map(|table| table["properties"].as_object())
        .flatten()
    {
        let kind = property["type"].to_string();
        if kind.contains("integer") || kind.contains("boolean") || kind.contains("array") {
            found.push(key);
        }
    }
    found.sort_unstable();
    found.dedup();
    let mut listed = source::NOT_TEXT;
    listed.sort_unstable();
    assert_eq!(found, listed);
}
