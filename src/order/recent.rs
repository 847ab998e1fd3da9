//! What was found of the texts that came last. Most columns say a few things over and over: the same country, province or
//! standing in thousands of rows.

use std::cell::RefCell;
use std::hash::Hash;

use rustc_hash::FxHashMap;

/// So many texts are kept; then all are forgotten, and it begins anew.
const MOST: usize = 256;

/// A longer text hardly comes again.
const LONGEST: usize = 48;

/// What has been found, by what was looked for and the text that it depends on alone. Each thread has its own.
#[derive(Debug)]
pub(super) struct Recent<K, T>(RefCell<FxHashMap<K, FxHashMap<Box<str>, T>>>);

impl<K, T> Default for Recent<K, T> {
    fn default() -> Self {
        Self(RefCell::default())
    }
}

impl<K: Copy + Eq + Hash, T: Copy> Recent<K, T> {
    /// What `find` finds in a text, which is asked only where that is not known.
    pub(super) fn find(&self, key: K, text: &str, find: impl FnOnce(&str) -> T) -> T {
        if text.len() > LONGEST {
            return find(text);
        }
        let known = self.0.borrow().get(&key).and_then(|of| of.get(text).copied());
        known.unwrap_or_else(|| {
            let found = find(text);
            let mut known = self.0.borrow_mut();
            let known = known.entry(key).or_default();
            if known.len() >= MOST {
                known.clear();
            }
            known.insert(text.into(), found);
            found
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_looked_at_once_while_few_others_come_and_comes_to_the_same_afterwards() {
        let recent = Recent::default();
        let looks = RefCell::new(Vec::new());
        let times = |key: usize, text: &str| {
            recent.find(key, text, |text| {
                looks.borrow_mut().push(text.to_owned());
                text.len() * key
            })
        };
        for _ in 0..3 {
            assert_eq!([times(1, "Ohio"), times(2, "Ohio"), times(1, "")], [4, 8, 0]);
        }
        assert_eq!(looks.take(), ["Ohio", "Ohio", ""]);
        let long = "x".repeat(LONGEST + 1);
        assert_eq!([times(1, &long), times(1, &long)], [LONGEST + 1; 2]);
        assert_eq!(looks.take().len(), 2, "a long one is not kept");
        for number in 0..=MOST {
            times(1, &number.to_string());
        }
        assert_eq!([times(1, "Ohio"), times(2, "Ohio")], [4, 8]);
        assert!(recent.0.borrow().values().all(|known| known.len() <= MOST));
    }
}
