//! JSON of others that nests deeper than it looks.

/// The key under which `serde_json` reads a text as a document of its own.
const KEY: &str = "$serde_json::private::";

/// Whether a text has a key under which `serde_json` reads a text as a document of its own, with a depth of its own: what is
/// nested in that without end uses up the stack, which ends the program. No order or notification has one; a value of that
/// name is a text like any other.
pub(crate) fn is_hidden_in(json: &[u8]) -> bool {
    memchr::memchr_iter(b'"', json).any(|quote| {
        json.get(quote + 1..)
            .is_some_and(|text| begins_with(text, KEY) && is_key(text))
    })
}

/// Whether a JSON text, which begins behind its quotation mark, is a key.
fn is_key(text: &[u8]) -> bool {
    let mut is_escaped = false;
    let end = text.iter().position(|byte| {
        let is_end = *byte == b'"' && !is_escaped;
        is_escaped = *byte == b'\\' && !is_escaped;
        is_end
    });
    let after = end.and_then(|end| text.get(end + 1..)).unwrap_or_default();
    after.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b':')
}

/// Whether a JSON text begins so, however its characters are written.
fn begins_with(mut text: &[u8], wanted: &str) -> bool {
    wanted.bytes().all(|byte| {
        let Some((written, length)) = first(text) else {
            return false;
        };
        text = text.get(length..).unwrap_or_default();
        written == u32::from(byte)
    })
}

/// A text's first character, where it is written as itself or by its number, and how many bytes it takes.
fn first(text: &[u8]) -> Option<(u32, usize)> {
    match text {
        [b'\\', b'u', hex @ ..] => {
            let digits = std::str::from_utf8(hex.get(..4)?).ok()?;
            Some((u32::from_str_radix(digits, 16).ok()?, 6))
        }
        [b'\\', ..] | [] => None,
        [byte, ..] => Some((u32::from(*byte), 1)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_key_is_found_however_it_is_written_and_nothing_else_is() {
        for hidden in [
            r#"{"a": {"$serde_json::private::RawValue": "[1]"}}"#,
            r#"{"\u0024serde_json::private::RawValue": "[1]"}"#,
            r#"{"$serde\u005Fjson::private::Number" : "1"}"#,
        ] {
            assert!(is_hidden_in(hidden.as_bytes()), "{hidden}");
        }
        for plain in [
            "",
            "\"",
            r#"{"total": "$5.00"}"#,
            r#"{"a": "\\u0024serde_json::private::"}"#,
            r#"{"name": "$serde_json::private::x", "b": 1}"#,
            r#"["$serde_json::private::\":"]"#,
            "$serde_json::private::",
        ] {
            assert!(!is_hidden_in(plain.as_bytes()), "{plain}");
        }
    }
}
