//! Which texts of a notification may be ids of orders. Its shape is not shown, so every text in it is looked at,
//! whole and word by word.

use std::collections::HashSet;

use serde_json::Value;

use crate::nesting::is_hidden_in;

/// The most texts of one notification that are looked at; more than that is no notification of orders.
const MOST: usize = 20_000;

/// The longest text that may be an id: the interface's order ids are far shorter.
const LONGEST: usize = 200;

/// How deep a notification may nest.
const DEEPEST: usize = 64;

/// Every text in a notification that may be an id, each once.
pub(super) fn candidates(body: &[u8]) -> HashSet<String> {
    let mut found = HashSet::new();
    if is_hidden_in(body) {
        return found;
    }
    match serde_json::from_slice::<Value>(body) {
        Ok(value) => gather(&value, DEEPEST, &mut found),
        // A form, a plain text, something else: words are words.
        Err(_no_json) => words(&String::from_utf8_lossy(body), &mut found),
    }
    found
}

fn gather(value: &Value, depth: usize, found: &mut HashSet<String>) {
    let Some(deeper) = depth.checked_sub(1) else {
        return;
    };
    match value {
        Value::Null | Value::Bool(_) => {}
        Value::Number(number) => add(&number.to_string(), found),
        Value::String(text) => {
            // JSON within JSON is a habit of some senders.
            let inner = text.trim_start().starts_with(['{', '[']);
            if is_hidden_in(text.as_bytes()) {
                return;
            }
            match serde_json::from_str::<Value>(text) {
                Ok(value) if inner => gather(&value, deeper, found),
                Ok(_) | Err(_) => words(text, found),
            }
        }
        Value::Array(values) => values.iter().for_each(|value| gather(value, deeper, found)),
        Value::Object(fields) => {
            for (name, value) in fields {
                add(name, found);
                gather(value, deeper, found);
            }
        }
    }
}

/// The text whole, and each of its words without what stands around it.
fn words(text: &str, found: &mut HashSet<String>) {
    add(text.trim(), found);
    for word in text.split(|c: char| c.is_whitespace() || "&=,;:\"'()[]{}<>".contains(c)) {
        add(word, found);
        add(word.trim_matches(|c: char| ".!?/#".contains(c)), found);
    }
}

fn add(text: &str, found: &mut HashSet<String>) {
    if !text.is_empty() && text.len() <= LONGEST && found.len() < MOST && !found.contains(text) {
        found.insert(text.to_owned());
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn ids_are_found_wherever_they_stand() {
        for body in [
            r#"{"pw_order_id":"PW-7"}"#,
            r#"{"data":{"orders":[{"id":"x"},{"id":"PW-7"}]}}"#,
            r#"["PW-7"]"#,
            r#""PW-7""#,
            r#"{"PW-7":{"status":"problem"}}"#,
            r#"{"message":"Order PW-7, has a problem."}"#,
            r#"{"payload":"{\"order\":\"PW-7\"}"}"#,
            "order=PW-7&status=problem",
            "The order (PW-7) is late.",
            "<order>PW-7</order>",
        ] {
            assert!(candidates(body.as_bytes()).contains("PW-7"), "{body}");
        }
        assert!(candidates(br#"{"order":1001}"#).contains("1001"));
    }

    #[test]
    fn a_notification_without_end_costs_no_more_than_one_with_many_ids() {
        let deep = "[".repeat(100_000);
        assert!(candidates(deep.as_bytes()).len() <= MOST);
        let many: Vec<String> = (0..50_000).map(|n| n.to_string()).collect();
        assert_eq!(candidates(many.join(" ").as_bytes()).len(), MOST);
    }

    proptest! {
        #[test]
        fn any_bytes_are_looked_at_without_a_panic(body in proptest::collection::vec(any::<u8>(), 0..500)) {
            candidates(&body);
        }
    }
}
