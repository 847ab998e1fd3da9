//! What a person is shown of an answer that is not the interface's: a gateway's page, say, or plain text. Pure.

/// The most bytes of it in which its text is looked for.
const MOST_BYTES: usize = 1 << 14;

/// The most characters of its text that are shown.
const MOST_CHARS: usize = 200;

/// What a page has that nobody sees.
const UNSEEN: [&str; 4] = ["style", "script", "!--", "!doctype"];

/// How its text begins, without what a page has around it. None where it has none.
pub(super) fn text(bytes: &[u8]) -> Option<String> {
    let page = String::from_utf8_lossy(bytes.get(..MOST_BYTES).unwrap_or(bytes));
    let mut parts = page.split('<');
    let mut text = parts.next().unwrap_or_default().to_owned();
    // Each begins with a tag.
    for (tag, shown) in parts.filter_map(|part| part.split_once('>')) {
        let tag = tag.to_ascii_lowercase();
        if !UNSEEN.iter().any(|unseen| tag.starts_with(unseen)) {
            text.push(' ');
            text.push_str(shown);
        }
    }
    let words = text.split(|c: char| c.is_whitespace() || c.is_control());
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    let text = words.join(" ");
    let shown: String = text.chars().take(MOST_CHARS).collect();
    match shown.len() {
        0 => None,
        all if all == text.len() => Some(shown),
        _ => Some(format!("{shown}…")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shown_of_a_page_is_its_text() {
        let page = "<!DOCTYPE html><html><head><style>p { color: red }</style><title>402</title></head>\n<body>\
                    <h1>Payment required</h1><script>b(a)</script><p class=\"x\">Top up, please</p></body></html>";
        for (bytes, shown) in [
            (&b"Insufficient balance.\r\n"[..], Some("Insufficient balance.")),
            (page.as_bytes(), Some("402 Payment required Top up, please")),
            (br#"["no", "balance"]"#, Some(r#"["no", "balance"]"#)),
            (b"a \x1b[31m\0 < b", Some("a [31m")),
            (b"caf\xe9", Some("caf\u{fffd}")),
            (b"<html></html>", None),
            (b" \n", None),
        ] {
            assert_eq!(text(bytes).as_deref(), shown);
        }
        let long = text("ä".repeat(500).as_bytes()).unwrap();
        assert_eq!(long, format!("{}…", "ä".repeat(200)));
    }
}
