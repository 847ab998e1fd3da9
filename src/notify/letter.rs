//! What is told, as the text of a mail and as JSON for a command. Pure.

use jiff::Timestamp;
use serde_json::json;

use super::concern::Concern;
use crate::status::text::plain;

/// The version of the JSON: a key may come, none goes.
const VERSION: u32 = 1;

/// The subject of a mail.
pub(super) fn subject(due: &[&Concern], host: &str) -> String {
    let what = match due {
        [one] => one.what.clone(),
        many => format!("{} things need a person", many.len()),
    };
    // A file's name may hold what a header must not.
    format!("dropsheet on {host}: {}", plain(&what))
}

/// The text of a mail.
pub(super) fn body(due: &[&Concern], host: &str) -> String {
    let mut parts: Vec<String> = due
        .iter()
        .map(|concern| format!("- {}\n  {}\n", plain(&concern.what), plain(&concern.advice)))
        .collect();
    parts.push(format!(
        "-- \ndropsheet on {host}. What goes on is told again after `notify.repeat`; `dropsheet status` tells all.\n"
    ));
    parts.join("\n")
}

/// The same for a command.
pub(super) fn json(due: &[&Concern], host: &str, now: Timestamp) -> String {
    format!(
        "{}\n",
        json!({ "version": VERSION, "at": now, "host": host, "concerns": due })
    )
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::super::concern::Kind;
    use super::*;

    fn concern(what: &str) -> Concern {
        Concern {
            key: "sheet:main/x".into(),
            kind: Kind::Sheet,
            place: "main".into(),
            what: what.into(),
            advice: "Do it.".into(),
            orders: BTreeMap::from([("invalid", 2)]),
            lasts: false,
            after: None,
        }
    }

    #[test]
    fn one_thing_is_the_subject_and_many_are_counted() {
        let (one, two) = (concern("a\r\nBcc: x"), concern("b"));
        assert_eq!(subject(&[&one], "shop"), "dropsheet on shop: a  Bcc: x");
        assert_eq!(
            subject(&[&one, &two], "shop"),
            "dropsheet on shop: 2 things need a person"
        );
        assert!(body(&[&one, &two], "shop").contains("- b\n  Do it.\n"));
    }

    #[test]
    fn a_command_gets_one_json_object() {
        let told = json(&[&concern("a")], "shop", Timestamp::UNIX_EPOCH);
        let told: serde_json::Value = serde_json::from_str(&told).unwrap();
        assert_eq!(told["version"], 1);
        assert_eq!(told["concerns"][0]["kind"], "sheet");
        assert_eq!(told["concerns"][0]["orders"]["invalid"], 2);
    }
}
