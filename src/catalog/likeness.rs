//! Which of many SKUs are most like one that is not among them: slips of the keyboard and parts in another order.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Only so many of the SKUs that share most letter pairs are compared letter by letter, so that one unknown SKU costs
/// a catalog of a hundred thousand about a millisecond.
const COMPARED: usize = 200;

/// Longer texts are no SKUs; comparing them would cost the square of their length.
const MAX_CHARS: usize = 100;

/// How many thousandths of its letters a SKU must share to be worth suggesting.
const LEAST_LIKE: usize = 600;

/// Most answers that are remembered: a sheet repeats its few unknown SKUs on thousands of rows.
const REMEMBERED: usize = 1_000;

/// What is kept of each SKU for comparing.
#[derive(Clone, Debug)]
pub(super) struct Likeness {
    skus: Vec<Folded>,
    /// All that is near a SKU that was asked for; clones of a snapshot share it, for they have the same SKUs.
    remembered: Arc<Mutex<HashMap<String, Arc<[usize]>>>>,
}

/// A SKU without case and punctuation.
#[derive(Clone, Debug)]
struct Folded {
    letters: String,
    /// Its parts, sorted: `HOOD-RED-XL` and `XL-RED-HOOD` are the same.
    sorted: String,
    /// A bit for each pair of neighbouring letters in a part, of 128 by a cheap hash.
    pairs: u128,
}

impl Likeness {
    pub(super) fn new<'a>(skus: impl Iterator<Item = &'a str>) -> Self {
        Self {
            skus: skus.map(Folded::new).collect(),
            remembered: Arc::default(),
        }
    }

    /// The positions of those most like `sku`, nearest first, at most `most`.
    pub(super) fn nearest(&self, sku: &str, most: usize) -> Vec<usize> {
        // Nothing is half done while it is locked: a poisoned map is whole.
        let mut remembered = self.remembered.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(near) = remembered.get(sku) {
            return near.iter().copied().take(most).collect();
        }
        let near = self.compare(sku);
        if remembered.len() < REMEMBERED {
            remembered.insert(sku.to_owned(), near.iter().copied().collect());
        }
        near.into_iter().take(most).collect()
    }

    fn compare(&self, sku: &str) -> Vec<usize> {
        let wanted = Folded::new(sku);
        if wanted.letters.is_empty() || wanted.letters.chars().count() > MAX_CHARS {
            return Vec::new();
        }
        let mut sharing: Vec<(u32, usize)> = self
            .skus
            .iter()
            .enumerate()
            .map(|(at, other)| (wanted.pairs_apart(other), at))
            .collect();
        sharing.sort_unstable();
        let mut near: Vec<(usize, usize)> = sharing
            .into_iter()
            .take(COMPARED)
            .filter_map(|(_, at)| Some((self.skus.get(at)?.thousandths_apart(&wanted), at)))
            .filter(|(apart, _)| *apart <= 1000 - LEAST_LIKE)
            .collect();
        near.sort_unstable();
        near.into_iter().map(|(_, at)| at).collect()
    }
}

impl Folded {
    fn new(sku: &str) -> Self {
        let lower = sku.to_lowercase();
        let mut parts: Vec<&str> = lower
            .split(|c: char| !c.is_alphanumeric())
            .filter(|part| !part.is_empty())
            .collect();
        let letters = parts.concat();
        let pairs = parts.iter().fold(0, |pairs, part| pairs | pairs_of(part));
        parts.sort_unstable();
        Self {
            letters,
            sorted: parts.concat(),
            pairs,
        }
    }

    /// How many letter pairs only one of the two has.
    fn pairs_apart(&self, other: &Self) -> u32 {
        (self.pairs ^ other.pairs).count_ones()
    }

    /// How many thousandths of the longer one must be changed to make the other of it.
    fn thousandths_apart(&self, other: &Self) -> usize {
        let longer = self
            .letters
            .chars()
            .count()
            .max(other.letters.chars().count())
            .max(1);
        let as_written = strsim::osa_distance(&self.letters, &other.letters);
        // Parts in another order are a little less alike than the same order with the same letters.
        let as_sorted = strsim::osa_distance(&self.sorted, &other.sorted) + 1;
        as_written.min(as_sorted) * 1000 / longer
    }
}

fn pairs_of(part: &str) -> u128 {
    // A part of one letter is a pair with the gap after it.
    let after = part.chars().skip(1).chain([' ']);
    part.chars().zip(after).fold(0, |pairs, (first, second)| {
        let hash = u32::from(first).wrapping_mul(31).wrapping_add(u32::from(second));
        pairs | 1 << (hash % 128)
    })
}
