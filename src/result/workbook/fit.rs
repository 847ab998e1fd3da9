//! What a cell can hold, and how much room a text takes.

use std::borrow::Cow;

use crate::money::Money;

/// The most UTF-16 units that a cell of a workbook holds.
const MAX_TEXT: usize = 32_767;

/// The widest column, in characters.
const MAX_WIDTH: u16 = 40;

/// The narrowest column, in characters.
const MIN_WIDTH: u16 = 6;

/// How wide an amount is, its group separators included, in characters.
pub(super) fn amount_length(amount: Money) -> u16 {
    digits_length(&amount.to_string())
}

/// The same of one that is written already.
pub(super) fn digits_length(amount: &str) -> u16 {
    length(amount).saturating_add(2)
}

/// A column's width for its longest line, in characters.
pub(super) fn width(longest: u16) -> u16 {
    longest.saturating_add(1).clamp(MIN_WIDTH, MAX_WIDTH)
}

/// The length of the longest line, in characters; no more is counted than a column can be wide.
pub(super) fn length(text: &str) -> u16 {
    let limit = usize::from(MAX_WIDTH);
    // Nearly every text is one line of plain letters.
    if text.is_ascii() && !text.as_bytes().contains(&b'\n') {
        return u16::try_from(text.len().min(limit)).unwrap_or(MAX_WIDTH);
    }
    let longest = text.lines().map(|line| line.chars().take(limit).count()).max();
    u16::try_from(longest.unwrap_or(0)).unwrap_or(MAX_WIDTH)
}

/// How many lines a text takes in a cell that is so many characters wide, told by words as a spreadsheet breaks it.
pub(super) fn lines(text: &str, width: u16) -> u32 {
    let width = usize::from(width.max(1));
    let mut lines = 0_u32;
    for paragraph in text.lines() {
        lines = lines.saturating_add(1);
        let mut filled = 0_usize;
        for word in paragraph.split(' ') {
            let long = word.chars().count();
            if filled > 0 && filled + 1 + long > width {
                lines = lines.saturating_add(1);
                filled = 0;
            }
            filled += long + usize::from(filled > 0);
            while filled > width {
                lines = lines.saturating_add(1);
                filled -= width;
            }
        }
    }
    lines.max(1)
}

/// Text that a cell can hold.
pub(super) fn cut(text: &str) -> Cow<'_, str> {
    // A character takes at most as many UTF-16 units as bytes.
    if text.len() <= MAX_TEXT || text.encode_utf16().count() <= MAX_TEXT {
        return Cow::Borrowed(text);
    }
    let mut units = 0;
    let kept = text.chars().take_while(|character| {
        units += character.len_utf16();
        units < MAX_TEXT
    });
    Cow::Owned(kept.chain(['…']).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_that_a_cell_cannot_hold_is_cut_with_a_mark() {
        let fits = "a".repeat(MAX_TEXT);
        assert_eq!(cut(&fits), fits);
        let long = "😀".repeat(20_000);
        let held = cut(&long);
        assert!(held.ends_with("😀…"));
        assert!(held.encode_utf16().count() <= MAX_TEXT);
        assert!(held.encode_utf16().count() >= MAX_TEXT - 2);
    }

    #[test]
    fn a_row_is_as_high_as_its_words_need() {
        for (text, width, needed) in [
            ("", 10, 1),
            ("one two", 10, 1),
            ("one two three", 10, 2),
            ("one\ntwo", 10, 2),
            ("abcdefghijklmnopqrstuvwxyz", 10, 3),
            ("aaaaaa bbbbbb cccccc", 10, 3),
        ] {
            assert_eq!(lines(text, width), needed, "{text:?}");
        }
    }
}
