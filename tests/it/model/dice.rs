//! Chance that is the same for the same seed on every machine.

/// A generator (SplitMix64): small, quick, and good enough to shuffle events.
#[derive(Debug)]
pub(super) struct Dice(u64);

impl Dice {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0xD1B5_4A32_D192_ED03)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below another; 0 below 0.
    pub(super) fn below(&mut self, end: u64) -> u64 {
        self.next().checked_rem(end).unwrap_or(0)
    }

    /// An index below a length.
    pub(super) fn index(&mut self, length: usize) -> usize {
        usize::try_from(self.below(length.try_into().unwrap())).unwrap()
    }

    /// True in so many of a hundred times.
    pub(super) fn is(&mut self, percent: u32) -> bool {
        self.below(100) < u64::from(percent)
    }

    /// A length between two others: each order of magnitude as likely as the next.
    pub(super) fn spread(&mut self, least: u64, most: u64) -> u64 {
        let doublings = (most / least.max(1)).max(1).ilog2();
        let low = least << self.below(u64::from(doublings) + 1);
        (low + self.below(low)).min(most)
    }
}
