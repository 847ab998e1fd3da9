//! A ceiling on requests that the config tells.

use std::time::Duration;

/// A ceiling on requests. Config: `rate_limit = "50/3s"`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RateLimit {
    /// Requests.
    pub requests: u32,
    /// In this time.
    pub per: Duration,
}

impl RateLimit {
    /// The longest time that anybody may be kept waiting for in silence.
    const SHORT: Duration = Duration::from_secs(10);

    /// The most requests that earlier processes are taken to have sent: no machine sends more in a short time.
    pub(super) const MOST_BEFORE: usize = 100_000;

    /// Whether its time is short enough to be waited for.
    pub(super) fn is_short(self) -> bool {
        self.per <= Self::SHORT
    }

    /// How long ago requests of earlier processes are reckoned to have ended, from how long ago their creates did: a quote and
    /// a create each. Where the time is short that tells too little, for what was asked last may have been quotes alone.
    pub fn asked_before(self, created: &[Duration]) -> Vec<Duration> {
        let lately = created.iter().copied().filter(|age| *age < self.per);
        if !self.is_short() {
            return lately.flat_map(|age| [age, age]).collect();
        }
        let all = usize::try_from(self.requests).map_or(Self::MOST_BEFORE, |all| all.min(Self::MOST_BEFORE));
        lately
            .take(1)
            .flat_map(|_age| std::iter::repeat_n(Duration::ZERO, all))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_earlier_processes_created_lately_counts_with_its_quote_and_fills_a_short_time() {
        let seconds = |ages: &[u64]| ages.iter().copied().map(Duration::from_secs).collect::<Vec<_>>();
        for (requests, per, created, counted) in [
            (4, 3, vec![], vec![]),
            (4, 3, vec![3, 60], vec![]),
            (4, 3, vec![2, 2, 60], vec![0, 0, 0, 0]),
            (500, 3600, vec![2, 60, 3600], vec![2, 2, 60, 60]),
        ] {
            let limit = RateLimit {
                requests,
                per: Duration::from_secs(per),
            };
            let told = format!("{requests} in {per} s after {created:?}");
            assert_eq!(
                limit.asked_before(&seconds(&created)),
                seconds(&counted),
                "{told}"
            );
        }
    }
}
