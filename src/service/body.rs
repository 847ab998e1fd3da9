//! The body of an answer, read as far as it may be.

use reqwest::Response;

use super::verdict::Exchange;
use crate::nesting::is_hidden_in;

/// Why an answer was not read to its end.
#[derive(Clone, Copy, Debug)]
pub(super) enum Unread {
    /// It is larger than any answer, be it after it was unpacked.
    TooLarge,
    /// It nests deeper than anybody reads.
    Hidden,
    /// The rest of it did not come in time.
    Late,
    /// The connection broke within it.
    Cut,
}

impl Unread {
    /// What is told of it.
    pub(super) fn words(self) -> &'static str {
        match self {
            Self::TooLarge => "the answer is too large",
            Self::Hidden => "the answer is not the interface's",
            Self::Late => "the answer did not end in time",
            Self::Cut => "the answer was cut off",
        }
    }

    /// What came back, as far as it decides what it means.
    pub(super) fn exchange(self) -> Exchange {
        match self {
            Self::TooLarge | Self::Hidden => Exchange::Unread,
            Self::Late | Self::Cut => Exchange::Broken,
        }
    }
}

/// Reads a body in chunks, so that one without an end is left before it fills the memory.
pub(super) async fn read(mut response: Response, most: usize) -> Result<Vec<u8>, Unread> {
    let expected = response
        .content_length()
        .map_or(0, |n| usize::try_from(n).unwrap_or(usize::MAX));
    let mut body = Vec::with_capacity(expected.min(most));
    loop {
        match response.chunk().await {
            Ok(Some(chunk)) if body.len() + chunk.len() > most => return Err(Unread::TooLarge),
            Ok(Some(chunk)) => body.extend_from_slice(&chunk),
            Ok(None) if is_hidden_in(&body) => return Err(Unread::Hidden),
            Ok(None) => return Ok(without_mark(body)),
            Err(error) if error.is_timeout() => return Err(Unread::Late),
            Err(_cut) => return Err(Unread::Cut),
        }
    }
}

/// Without the mark of UTF-8 that some servers put before JSON, though it is none of it.
fn without_mark(mut body: Vec<u8>) -> Vec<u8> {
    const MARK: &[u8] = "\u{feff}".as_bytes();
    if body.starts_with(MARK) {
        body.drain(..MARK.len());
    }
    body
}

#[cfg(test)]
mod tests {
    use super::super::Heard;
    use super::super::verdict::heard;
    use super::*;

    #[test]
    fn the_mark_before_json_is_no_part_of_it() {
        assert_eq!(without_mark(b"\xef\xbb\xbf{}".to_vec()), b"{}");
        assert_eq!(without_mark(b"{}".to_vec()), b"{}");
    }

    #[test]
    fn a_service_whose_answer_is_left_unread_is_there_and_one_that_breaks_off_says_nothing() {
        for (unread, expected) in [
            (Unread::TooLarge, Heard::Unread),
            (Unread::Hidden, Heard::Unread),
            (Unread::Late, Heard::Nothing),
            (Unread::Cut, Heard::Nothing),
        ] {
            assert_eq!(heard(unread.exchange()), expected, "{}", unread.words());
        }
    }
}
