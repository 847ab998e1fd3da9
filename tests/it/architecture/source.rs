//! The source files as the architecture tests see them: code without comments and strings, and the strings.
#![expect(
    clippy::string_slice,
    reason = "every place comes from a search in the same text; in a test a panic is a failure"
)]

use std::path::Path;

/// A file of `src/`, above its tests.
pub(super) struct File {
    /// Its path in `src/`.
    pub(super) path: String,
    /// All its lines, tests and comments included.
    pub(super) lines: usize,
    /// The code, with comments and strings blanked out.
    code: String,
    /// The strings, with all else blanked out.
    strings: String,
}

/// Every file of `src/`, but those that hold tests alone.
pub(super) fn files() -> Vec<File> {
    let mut files = Vec::new();
    collect(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), "", &mut files);
    assert!(files.len() > 20, "the source files were not found");
    files
}

fn collect(folder: &Path, prefix: &str, files: &mut Vec<File>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if path.is_dir() {
            collect(&path, &format!("{prefix}{name}/"), files);
        } else if Path::new(name).extension().is_some_and(|ending| ending == "rs") && name != "tests.rs" {
            let text = std::fs::read_to_string(&path).unwrap();
            files.push(File::of(&format!("{prefix}{name}"), &text));
        }
    }
}

impl File {
    /// A file with this path in `src/` and this text.
    pub(super) fn of(path: &str, text: &str) -> Self {
        let own = text.split("#[cfg(test)]\nmod ").next().unwrap();
        // A file of tests (`mod tests;`) is declared above the code.
        let own = if text.contains("#[cfg(test)]\nmod tests;") {
            text
        } else {
            own
        };
        let (code, strings) = split(own);
        Self {
            path: path.to_owned(),
            lines: text.lines().count(),
            code,
            strings,
        }
    }

    /// The modules of ours that are named in the code, with their lines.
    pub(super) fn imports(&self) -> Vec<(usize, String)> {
        let mut found = Vec::new();
        for (place, _) in self.code.match_indices("crate::") {
            self.push_targets(place, place + "crate::".len(), &mut found);
        }
        // `super` from a file `a/b.rs` is `a`, and `super::super` is the crate.
        let up = "super::".repeat(self.path.split('/').count());
        for (place, _) in self.code.match_indices(&up) {
            self.push_targets(place, place + up.len(), &mut found);
        }
        found
    }

    /// The modules named at `start`, a path or a group of paths that start at the crate.
    fn push_targets(&self, place: usize, start: usize, found: &mut Vec<(usize, String)>) {
        let rest = &self.code[start..];
        let line = line_of(&self.code, place);
        let paths = match rest.strip_prefix('{') {
            None => vec![rest.to_owned()],
            Some(group) => top_level(group),
        };
        for path in paths {
            let path: String = path
                .trim_start()
                .chars()
                .take_while(|c| c.is_alphanumeric() || matches!(c, '_' | ':'))
                .collect();
            let mut parts = path.split("::");
            match (parts.next().unwrap_or(""), parts.next()) {
                ("catalog", Some("cache")) => found.push((line, "catalog::cache".to_owned())),
                ("" | "super" | "self", _) => {}
                (module, _) => found.push((line, module.to_owned())),
            }
        }
    }

    /// The places of any of these words in the code.
    pub(super) fn words_in_code(&self, words: &[&str]) -> Vec<(usize, String)> {
        let part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
        find(&self.code, words, |before, after| !part(before) && !part(after))
    }

    /// The places of any of these texts in the strings.
    pub(super) fn texts_in_strings(&self, texts: &[&str]) -> Vec<(usize, String)> {
        find(&self.strings, texts, |_, _| true)
    }
}

fn find(
    text: &str,
    wanted: &[&str],
    fits: impl Fn(Option<char>, Option<char>) -> bool,
) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for word in wanted {
        for (place, _) in text.match_indices(word) {
            let before = text[..place].chars().next_back();
            let after = text[place + word.len()..].chars().next();
            if fits(before, after) {
                found.push((line_of(text, place), (*word).to_owned()));
            }
        }
    }
    found
}

fn line_of(text: &str, place: usize) -> usize {
    1 + text[..place].matches('\n').count()
}

/// The paths of an import group, given without its opening brace.
fn top_level(group: &str) -> Vec<String> {
    let mut paths = vec![String::new()];
    let mut depth = 0_u32;
    for c in group.chars() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => paths.push(String::new()),
            c if depth == 0 => paths.last_mut().unwrap().push(c),
            _ => {}
        }
    }
    paths
}

/// The code and the strings of a text, each with the other and the comments blanked out, so that lines stay.
fn split(text: &str) -> (String, String) {
    let (mut code, mut strings) = (String::new(), String::new());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let (length, is_string) = token(rest);
        let (taken, after) = rest.split_at(length);
        let blank = |text: &str| {
            text.chars()
                .map(|c| if c == '\n' { '\n' } else { ' ' })
                .collect::<String>()
        };
        if is_string {
            strings.push_str(taken);
            code.push_str(&blank(taken));
        } else if taken.len() == c.len_utf8() {
            code.push(c);
            strings.push_str(&blank(taken));
        } else {
            code.push_str(&blank(taken));
            strings.push_str(&blank(taken));
        }
        rest = after;
    }
    (code, strings)
}

/// How long the comment, string or character that the text starts with is, and whether it is a string.
fn token(text: &str) -> (usize, bool) {
    let to = |end: Option<usize>| end.unwrap_or(text.len());
    if text.starts_with("//") {
        return (to(text.find('\n')), false);
    }
    if text.starts_with("/*") {
        return (to(text.find("*/").map(|end| end + 2)), false);
    }
    for hashes in ["##", "#", ""] {
        let (open, close) = (format!("r{hashes}\""), format!("\"{hashes}"));
        if let Some(inner) = text.strip_prefix(&open) {
            return (
                to(inner.find(&close).map(|end| open.len() + end + close.len())),
                true,
            );
        }
    }
    if let Some(inner) = text.strip_prefix('"') {
        return (to(end_of_string(inner).map(|end| end + 1)), true);
    }
    for character in ["'\"'", "'\\\"'", "'\\''", "'\\\\'"] {
        if text.starts_with(character) {
            return (character.len(), false);
        }
    }
    (text.chars().next().map_or(0, char::len_utf8), false)
}

/// Where a string ends, given without its opening quote.
fn end_of_string(text: &str) -> Option<usize> {
    let mut escaped = false;
    for (place, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return Some(place + 1),
            _ => {}
        }
    }
    None
}

#[test]
fn comments_strings_and_quote_characters_are_no_code() {
    let text = "let a = '\"'; // \"x\nlet b = \"c // d\"; /* e */ let f = r#\"g\"h\"#; 'k: loop {}";
    let (code, strings) = split(text);
    assert!(
        code.contains("let b") && code.contains("let f") && code.contains("'k: loop"),
        "{code}"
    );
    assert!(!code.contains("d\"") && !code.contains("e *"), "{code}");
    assert!(
        strings.contains("c // d") && strings.contains("g\"h") && !strings.contains("let"),
        "{strings}"
    );
    assert_eq!(code.len(), text.len());
}
