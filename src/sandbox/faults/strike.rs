//! The rules in force, and whether one strikes: counts and dice.

use super::{Fault, MILLION, Rule, When};
use crate::sandbox::operation::Operation;

/// The rules in force, their counts, and the dice.
#[derive(Debug)]
pub(crate) struct Faults {
    rules: Vec<(Rule, u64)>,
    dice: Dice,
}

impl Faults {
    /// These rules; the same seed and the same calls give the same faults.
    pub(crate) fn new(rules: &[Rule], seed: u64) -> Self {
        Self {
            rules: rules.iter().map(|rule| (rule.clone(), 0)).collect(),
            dice: Dice(seed),
        }
    }

    /// Adds a rule, in place of one for the same fault and scope.
    pub(crate) fn set(&mut self, rule: Rule) {
        self.rules
            .retain(|(old, _)| (old.fault, old.scope) != (rule.fault, rule.scope));
        self.rules.push((rule, 0));
    }

    /// Removes every rule.
    pub(crate) fn clear(&mut self) {
        self.rules.clear();
    }

    /// The fault that this call meets: every rule counts it, the first that strikes wins.
    pub(crate) fn strike(&mut self, operation: Operation) -> Option<Fault> {
        let Self { rules, dice } = self;
        let mut struck = None;
        for (rule, calls) in rules.iter_mut().filter(|(rule, _)| rule.scope.covers(operation)) {
            *calls += 1;
            let strikes = match &rule.when {
                When::PerMillion(share) => dice.below(MILLION) < *share,
                When::On(at) => at.contains(calls),
                When::First(count) => *calls <= *count,
                When::After(count) => *calls > *count,
            };
            if strikes && struck.is_none() {
                struck = Some(rule.fault);
            }
        }
        struck
    }
}

/// `SplitMix64`: small, and the same on every machine.
#[derive(Debug)]
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: u32) -> u32 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^= mixed >> 31;
        // The remainder's bias is below one in 10^13 for such bounds.
        u32::try_from(mixed % u64::from(bound.max(1))).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strikes(rule: &str, operation: Operation, calls: usize) -> Vec<usize> {
        let mut faults = Faults::new(&[rule.parse().unwrap()], 7);
        (1..=calls)
            .filter(|_| faults.strike(operation).is_some())
            .collect()
    }

    #[test]
    fn scripts_strike_at_the_calls_they_name() {
        let create = Operation::Create;
        assert_eq!(strikes("cut-body=on:2,5", create, 6), [2, 5]);
        assert_eq!(strikes("cut-body=first:2", create, 6), [1, 2]);
        assert_eq!(strikes("cut-body=after:4", create, 6), [5, 6]);
        assert_eq!(strikes("cut-body=1", create, 3), [1, 2, 3]);
        assert!(strikes("cut-body=0", create, 100).is_empty());
        assert!(strikes("cut-body=1", Operation::Price, 3).is_empty());
    }

    #[test]
    fn a_rate_is_kept_roughly_and_repeats_with_its_seed() {
        let first = strikes("cut-body=0.05", Operation::Create, 10_000);
        assert!((400..600).contains(&first.len()), "{}", first.len());
        assert_eq!(first, strikes("cut-body=0.05", Operation::Create, 10_000));
    }
}
