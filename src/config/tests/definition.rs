//! What is told of the config from its definition: defaults, the schema, the example.

use super::*;

#[test]
fn every_default_written_as_text_reads_back_as_its_value() {
    load_text(&defaults()).unwrap();
    let text = defaults().replace(".X]", ".main]");
    let text = text.replace("# password_file =", "password_file = \"password\"");
    let (mut printed, implied) = (load_text(&text).unwrap(), load_text(SMALLEST).unwrap());
    assert_ne!(printed.fingerprint, implied.fingerprint, "they are two texts");
    printed.fingerprint.clone_from(&implied.fingerprint);
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

/// A table, a key in it, and values as they are written: those that are right, and those that are not.
const VALUES: &[(&str, &str, &[&str], &[&str])] = &[
    (
        "account.main",
        "rate_limit",
        &[
            r#""20/s""#,
            r#""50/3s""#,
            r#""50/3 s""#,
            r#""600 / m""#,
            r#""1/1d""#,
            r#"" 2/w ""#,
        ],
        &[r#""20/0s""#, r#""0/s""#, r#""20""#, r#""20/""#, r#""/s""#, "20"],
    ),
    (
        "account.main",
        "timeout",
        &[r#""30s""#, r#""500 ms""#, r#""10m""#],
        &[r#""0s""#, r#""00 m""#, r#""30""#, r#""-1s""#, r#""1.5h""#, "30"],
    ),
    ("account.main", "quote_reuse", &[r#""0s""#], &[r#""""#]),
    ("account.main", "sync", &[r#""1h""#], &[r#""0s""#]),
    (
        "account.main",
        "audit",
        &[r#"["15m"]"#, "[]"],
        &[r#""15m""#, r#"["15"]"#],
    ),
    (
        "account.main",
        "max_in_flight",
        &["1", "1024"],
        &["0", "1025", r#""16""#],
    ),
    (
        "inbox.main",
        "max_order_total",
        &[
            "250",
            "100.00",
            "0.01",
            r#""250""#,
            r#""100.00""#,
            r#""0.50""#,
            r#"".5""#,
        ],
        &[
            "0",
            "0.00",
            "-1",
            r#""0.00""#,
            r#""-1""#,
            r#""1e3""#,
            r#""10 EUR""#,
            r#"".""#,
            "true",
        ],
    ),
    ("inbox.main", "daily_limit", &["5000", "0.1"], &["0", r#""0""#]),
    (
        "inbox.main",
        "not_before",
        &["2026-11-21", r#""2026-11-21""#],
        &[r#""21.11.2026""#, "2026", r#""""#],
    ),
    ("inbox.main", "look", &[r#""30s""#], &[r#""0s""#]),
    ("inbox.main", "stable_for", &[r#""0s""#], &[r#""5""#]),
    (
        "inbox.main",
        "max_bytes",
        &["1", r#""1""#, r#""256 MiB""#, r#""2MB""#],
        &["0", "-1", "1.5", r#""0""#, r#""0 KB""#, r#""12 parsecs""#],
    ),
    ("inbox.main", "max_rows", &["1", "1048576"], &["0", "1048577"]),
    (
        "inbox.main",
        "approval",
        &[r#""required""#],
        &[r#""Required""#, "true"],
    ),
    (
        "keep",
        "spool",
        &[r#""for ever""#, r#""90d""#],
        &[r#""never""#, r#""0d""#],
    ),
    (
        "keep",
        "done",
        &[r#""for ever""#, r#""90d""#, r#""0s""#],
        &[r#""never""#, "90"],
    ),
    ("preflight", "timeout", &[r#""60s""#], &[r#""0s""#]),
    ("preflight", "max_bytes", &[r#""1B""#], &[r#""0""#]),
];

#[test]
fn the_schema_takes_the_values_that_the_program_takes() {
    let schema = jsonschema::validator_for(&schema().to_value()).unwrap();
    for (table, key, right, wrong) in VALUES {
        let right = right.iter().map(|value| (value, true));
        for (value, expected) in right.chain(wrong.iter().map(|value| (value, false))) {
            let here = format!("{table}.{key} = {value}");
            let heading = format!("[{table}]\n");
            let line = format!("{heading}{key} = {value}\n");
            let text = if SMALLEST.contains(&heading) {
                SMALLEST.replace(&heading, &line)
            } else {
                format!("{SMALLEST}{line}")
            };
            let written: toml::Table = toml::from_str(&text).unwrap();
            assert_eq!(load_text(&text).is_ok(), expected, "the program: {here}");
            assert_eq!(
                schema.is_valid(&as_json(&written)),
                expected,
                "the schema: {here}"
            );
        }
    }
}

#[test]
fn the_schema_takes_every_config_that_is_shown() {
    let schema = jsonschema::validator_for(&schema().to_value()).unwrap();
    let readme = include_str!("../../../README.md");
    let blocks = readme.split("\n```toml\n").skip(1);
    let blocks = blocks.map(|block| block.split_once("\n```").unwrap().0);
    for text in blocks.chain([include_str!("../../../examples/dropsheet.toml")]) {
        let written = as_json(&toml::from_str(text).unwrap());
        let wrong: Vec<String> = schema.iter_errors(&written).map(|e| e.to_string()).collect();
        assert!(wrong.is_empty(), "{wrong:?} in\n{text}");
    }
}

/// What an editor that checks TOML by a JSON schema shows it.
fn as_json(table: &toml::Table) -> serde_json::Value {
    fn of(value: &toml::Value) -> serde_json::Value {
        match value {
            toml::Value::Datetime(date) => date.to_string().into(),
            toml::Value::Array(values) => values.iter().map(of).collect(),
            toml::Value::Table(table) => as_json(table),
            other => serde_json::to_value(other).unwrap(),
        }
    }
    table
        .iter()
        .map(|(key, value)| (key.clone(), of(value)))
        .collect()
}

#[test]
fn what_is_no_text_can_be_set_by_the_environment() {
    let schema = schema().to_value();
    let mut found: Vec<&str> = Vec::new();
    let tables = schema["$defs"].as_object().unwrap().values();
    for (key, property) in tables
        .filter_map(|table| table["properties"].as_object())
        .flatten()
    {
        let kind = property["type"].to_string();
        let kinds = kinds(property, &schema);
        let is_none = |kind: &str| kinds.contains(kind) && !kinds.contains("string");
        if kind.contains("integer") || kind.contains("boolean") || is_none("array") || is_none("object") {
            found.push(key);
        }
    }
    found.sort_unstable();
    found.dedup();
    let mut listed = source::NOT_TEXT;
    listed.sort_unstable();
    assert_eq!(found, listed);
}

/// The kinds of value that a key may have, in one text.
fn kinds(property: &serde_json::Value, schema: &serde_json::Value) -> String {
    if let Some(place) = property["$ref"].as_str() {
        return kinds(schema.pointer(place.trim_start_matches('#')).unwrap(), schema);
    }
    let choices = ["anyOf", "oneOf"].map(|of| property[of].as_array().into_iter().flatten());
    choices
        .into_iter()
        .flatten()
        .map(|choice| kinds(choice, schema))
        .fold(property["type"].to_string(), |all, kind| all + &kind)
}

#[test]
fn every_key_is_listed_and_a_list_or_a_table_is_set_by_its_variable() {
    let keys: Vec<String> = variables().into_iter().map(|(_variable, key)| key).collect();
    for key in [
        "account.X.audit",
        "profile.X.columns",
        "profile.X.instead",
        "profile.X.date",
    ] {
        assert!(keys.iter().any(|listed| listed == key), "{key}");
        let last = key.rsplit('.').next().unwrap();
        let line = |line: &str| line.trim_start_matches("# ").starts_with(&format!("{last} ="));
        assert!(defaults().lines().any(line), "{key}");
    }
    for (audit, times) in [(r#"["15m"]"#, 1), ("[]", 0)] {
        let config = load_with(SMALLEST, &[("DROPSHEET_ACCOUNT__MAIN__AUDIT", audit)]).unwrap();
        assert_eq!(config.accounts[0].audit.len(), times);
    }
    let profile = [
        ("DROPSHEET_PROFILE__CORNER__RECOGNISE", r#"["No", "Pieces"]"#),
        ("DROPSHEET_PROFILE__CORNER__COLUMNS", r#"{ order_id = "No" }"#),
        ("DROPSHEET_PROFILE__CORNER__COLUMNS__QUANTITY", "Pieces"),
        (
            "DROPSHEET_PROFILE__CORNER__INSTEAD",
            r#"{ shipping_zip = "Zip" }"#,
        ),
        ("DROPSHEET_PROFILE__CORNER__DATE", r#"{ column = "Day" }"#),
        (
            "DROPSHEET_PROFILE__CORNER__PACKED",
            r#"{ columns = "line", between = "|", after_name = ":", item_sku = "sku", quantity = "n" }"#,
        ),
        ("DROPSHEET_INBOX__MAIN__PROFILE", "corner"),
    ];
    load_with(SMALLEST, &profile).unwrap();
}
