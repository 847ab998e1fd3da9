//! An error with what caused it, for people: each cause says only what is its own, so all of them are told.

use std::error::Error;

/// An error with its causes, as one sentence.
pub fn chain(error: &dyn Error) -> String {
    let mut told = error.to_string();
    for cause in of(error) {
        told.push_str(": ");
        told.push_str(&cause.to_string());
    }
    told
}

/// What caused an error, the nearest first.
pub fn of(error: &dyn Error) -> impl Iterator<Item = &(dyn Error + 'static)> {
    std::iter::successors(error.source(), |cause| (*cause).source())
}

/// What is at the bottom of an error: the machine's own word.
pub fn innermost<'e>(error: &'e (dyn Error + 'static)) -> &'e (dyn Error + 'static) {
    of(error).last().unwrap_or(error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, thiserror::Error)]
    #[error("cannot take orders.csv")]
    struct Untaken(#[source] std::io::Error);

    #[test]
    fn every_cause_is_told_once() {
        let error = Untaken(std::io::Error::other("the disk is gone"));
        assert_eq!(chain(&error), "cannot take orders.csv: the disk is gone");
        assert_eq!(of(&error).count(), 1);
        assert_eq!(innermost(&error).to_string(), "the disk is gone");
        assert_eq!(
            innermost(&std::fmt::Error).to_string(),
            std::fmt::Error.to_string()
        );
    }
}
