//! What is told of the config from its one definition: the JSON schema, and every key with its default.

use schemars::Schema;
use schemars::transform::{RecursiveTransform, Transform};
use serde_json::{Map, Value};

use super::raw::Raw;

/// The JSON schema of `dropsheet.toml`.
pub fn schema() -> Schema {
    let mut schema = schemars::schema_for!(Raw);
    // TOML has no null: a key without a default is one that is left out.
    let mut without_null = RecursiveTransform(|part: &mut Schema| {
        if part.get("default").is_some_and(Value::is_null) {
            part.remove("default");
        }
    });
    without_null.transform(&mut schema);
    schema
}

/// Every key with what it means and its default, as TOML that is a whole config; a key without a default stands in a
/// comment, or as an example where there is no account or inbox without it.
pub fn defaults() -> String {
    let schema = schema().to_value();
    let mut lines = vec![
        "# Every key of dropsheet.toml with its default; a key without one is commented out, or an example where it"
            .to_owned(),
        "# is needed.".to_owned(),
        "# X is a name of your own. The environment overrides the file: DROPSHEET_ACCOUNT__X__EMAIL sets"
            .to_owned(),
        "# account.X.email; `dropsheet config --variables` lists every one.".to_owned(),
    ];
    write_table(&mut lines, "", &schema, &schema);
    lines.push(String::new());
    lines.join("\n")
}

/// The environment variable that sets each key, and the key. `X` stands for a name of the operator's own.
pub fn variables() -> Vec<(String, String)> {
    let schema = schema().to_value();
    let mut keys = Vec::new();
    list_keys(&mut keys, "", &schema, &schema);
    let variable = |key: &String| format!("DROPSHEET_{}", key.to_uppercase().replace('.', "__"));
    keys.into_iter().map(|key| (variable(&key), key)).collect()
}

/// Lists a table's keys, then those of the tables in it, with dots.
fn list_keys(keys: &mut Vec<String>, name: &str, table: &Value, schema: &Value) {
    let properties = table.get("properties").and_then(Value::as_object);
    let full = |key: &str| {
        if name.is_empty() {
            key.to_owned()
        } else {
            format!("{name}.{key}")
        }
    };
    let properties: Vec<_> = properties.into_iter().flatten().collect();
    for (key, property) in &properties {
        if inner_table(key, property, schema).is_none() {
            keys.push(full(key));
        }
    }
    for (key, property) in properties {
        if let Some((part, inner)) = inner_table(key, property, schema) {
            list_keys(keys, &full(&part), inner, schema);
        }
    }
}

/// Writes a table's keys, then the tables in it.
fn write_table(lines: &mut Vec<String>, name: &str, table: &Value, schema: &Value) {
    let empty = Map::new();
    let properties = table
        .get("properties")
        .and_then(Value::as_object)
        .unwrap_or(&empty);
    for (key, property) in properties {
        if inner_table(key, property, schema).is_none() {
            write_key(lines, key, property);
        }
    }
    for (key, property) in properties {
        let Some((part, inner)) = inner_table(key, property, schema) else {
            continue;
        };
        let name = if name.is_empty() {
            part
        } else {
            format!("{name}.{part}")
        };
        let mut written = vec![format!("[{name}]")];
        write_table(&mut written, &name, inner, schema);
        lines.push(String::new());
        // A table that needs a key without a default would be wrong as it stands.
        let needs_more = inner.get("required").is_some();
        lines.extend(written.into_iter().map(|line| match line.as_str() {
            _ if !needs_more || line.starts_with('#') => line,
            "" => "#".to_owned(),
            _ => format!("# {line}"),
        }));
    }
}

fn write_key(lines: &mut Vec<String>, key: &str, property: &Value) {
    lines.push(String::new());
    let description = property.get("description").and_then(Value::as_str);
    let description = description.unwrap_or_default().lines();
    lines.extend(description.map(|line| format!("# {line}")));
    let default = property.get("default").filter(|default| !default.is_null());
    let value = default.or_else(|| property.pointer("/examples/0"));
    lines.push(match value {
        None => format!("# {key} ="),
        // A JSON text, number or truth is written as TOML writes it.
        Some(value) => format!("{key} = {value}"),
    });
}

/// The table that a property is, or that each of its entries is, with its name.
fn inner_table<'s>(key: &str, property: &'s Value, schema: &'s Value) -> Option<(String, &'s Value)> {
    let (name, target) = match property.get("additionalProperties") {
        Some(entries) => (format!("{key}.X"), entries),
        None => (key.to_owned(), property),
    };
    let pointer = target.get("$ref")?.as_str()?.strip_prefix('#')?;
    let table = schema.pointer(pointer)?;
    table.get("properties").is_some().then_some((name, table))
}
