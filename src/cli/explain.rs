//! `dropsheet explain`: what a code means and how to fix it.

use serde::Serialize;

use super::args::Explain;
use super::exit::{Exit, UsageError};
use super::print;
use crate::config::nearest::nearest;
use crate::finding::Code;

/// A code as `--json` prints it.
#[derive(Serialize)]
struct Entry {
    code: &'static str,
    level: &'static str,
    meaning: &'static str,
    remedy: &'static str,
}

/// Prints a code's page, or every code in a line.
pub(super) fn run(args: &Explain) -> anyhow::Result<Exit> {
    let json = args.listing.json;
    if let Some(name) = &args.code {
        let entry = entry(find(name)?);
        if json {
            print::json(&entry)?;
        } else {
            print::text(&page(&entry))?;
        }
    } else {
        let entries: Vec<Entry> = Code::ALL.iter().copied().map(entry).collect();
        if json {
            print::json(&entries)?;
        } else {
            print::text(&list(&entries))?;
        }
    }
    Ok(Exit::Done)
}

fn find(name: &str) -> Result<Code, UsageError> {
    let wanted = name.trim().to_lowercase().replace(['_', ' '], "-");
    wanted.parse().map_err(|unknown: crate::finding::UnknownCode| {
        let near = nearest(&wanted, Code::ALL.iter().map(|code| code.name()));
        let advice = if near.is_empty() {
            "`dropsheet explain` lists every code".to_owned()
        } else {
            format!("did you mean {}?", near.join(" or "))
        };
        UsageError(format!("{unknown}; {advice}"))
    })
}

fn entry(code: Code) -> Entry {
    let page = code.page();
    Entry {
        code: code.name(),
        level: code.level().word(),
        meaning: page.meaning,
        remedy: page.remedy,
    }
}

fn page(entry: &Entry) -> String {
    let heading = print::bold(entry.code);
    format!(
        "{heading} ({})\n\n{}\n\n{}\n",
        entry.level, entry.meaning, entry.remedy
    )
}

fn list(entries: &[Entry]) -> String {
    let widest = entries.iter().map(|entry| entry.code.len()).max().unwrap_or(0);
    let line = |entry: &Entry| format!("{:widest$}  {:7}  {}", entry.code, entry.level, entry.meaning);
    let mut lines: Vec<String> = entries.iter().map(line).collect();
    lines.push(String::new());
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_found_however_it_is_typed_and_a_misspelt_one_is_suggested() {
        assert_eq!(find("Unknown_SKU").unwrap(), Code::UnknownSku);
        let error = find("unknwon-sku").unwrap_err().to_string();
        assert!(
            error.contains("`unknwon-sku` is not a code; did you mean unknown-sku"),
            "{error}"
        );
        let error = find("zzzz").unwrap_err().to_string();
        assert!(error.contains("lists every code"), "{error}");
    }
}
