//! Whether a cell says what a rule of a profile looks for.

use crate::order::mend::whole_number;
use crate::order::profile::written::{Filling, When};

/// Whether a cell's text, trimmed, is what a rule looks for.
pub(super) fn meets(when: &When, text: &str) -> bool {
    match when {
        When::Is(Filling::Filled) => !text.is_empty(),
        When::Is(Filling::Blank) => text.is_empty(),
        When::Is(Filling::WithoutDigits) => !text.is_empty() && !text.contains(|c: char| c.is_ascii_digit()),
        When::Words(words) => {
            // A report that was saved again has `0.0` pieces to ship.
            let text = whole_number(text).unwrap_or(text).to_lowercase();
            words.iter().any(|word| {
                let word = word.to_lowercase();
                match word.strip_suffix('*') {
                    Some(start) => text.starts_with(start),
                    None => text == word,
                }
            })
        }
    }
}
