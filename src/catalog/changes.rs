//! What a refresh of the catalog has changed for those who order: SKUs that are new, gone or dearer.

use std::collections::{HashMap, HashSet};

use super::{Detail, Entry};
use crate::money::Money;

/// The most SKUs of a kind that a sentence names.
const NAMED: usize = 5;

/// One change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// The catalog has a SKU that it had not.
    New {
        /// The SKU.
        sku: String,
    },
    /// A SKU is in the catalog no longer.
    Gone {
        /// The SKU.
        sku: String,
    },
    /// A SKU costs more at a location than it did.
    Dearer {
        /// The SKU.
        sku: String,
        /// The location.
        location: String,
        /// What it cost.
        old: Money,
        /// What it costs.
        new: Money,
    },
}

/// What two SKU lists differ in, in the order of the lists.
pub fn of_entries(old: &[Entry], new: &[Entry]) -> Vec<Change> {
    let skus =
        |entries: &[Entry]| -> HashSet<String> { entries.iter().map(|entry| entry.sku.clone()).collect() };
    let (before, after) = (skus(old), skus(new));
    let added = new.iter().filter(|entry| !before.contains(&entry.sku));
    let removed = old.iter().filter(|entry| !after.contains(&entry.sku));
    let added = added.map(|entry| Change::New {
        sku: entry.sku.clone(),
    });
    let removed = removed.map(|entry| Change::Gone {
        sku: entry.sku.clone(),
    });
    added.chain(removed).collect()
}

/// Which SKUs of a product cost more than they did, by location.
pub fn of_costs(old: &[Detail], new: &[Detail]) -> Vec<Change> {
    let mut before: HashMap<(&str, &str), Money> = HashMap::new();
    for detail in old {
        for location in &detail.locations {
            if let Some(cost) = location.cost() {
                before.insert((&detail.sku, &location.name), cost);
            }
        }
    }
    let mut changes = Vec::new();
    for detail in new {
        for location in &detail.locations {
            let known = before.get(&(detail.sku.as_str(), location.name.as_str()));
            if let (Some(&old), Some(new)) = (known, location.cost())
                && new > old
            {
                changes.push(Change::Dearer {
                    sku: detail.sku.clone(),
                    location: location.name.clone(),
                    old,
                    new,
                });
            }
        }
    }
    changes
}

/// The changes as a sentence for a person: `2 new SKUs (A, B), 1 gone (C)`; none where there are none.
pub fn sentence(changes: &[Change]) -> Option<String> {
    let (mut new, mut gone, mut dearer) = (Vec::new(), Vec::new(), Vec::new());
    for change in changes {
        match change {
            Change::New { sku } => new.push(sku.clone()),
            Change::Gone { sku } => gone.push(sku.clone()),
            Change::Dearer {
                sku,
                location,
                old,
                new,
            } => dearer.push(format!("{sku} from {location}: {old} → {new}")),
        }
    }
    let parts: Vec<String> = [(new, "new"), (gone, "gone"), (dearer, "dearer")]
        .into_iter()
        .filter(|(found, _)| !found.is_empty())
        .map(|(found, word)| {
            let named: Vec<&str> = found.iter().take(NAMED).map(String::as_str).collect();
            let more = if found.len() > NAMED { ", …" } else { "" };
            format!("{} {word} ({}{more})", found.len(), named.join(", "))
        })
        .collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::Location;

    fn entries(skus: &[&str]) -> Vec<Entry> {
        let entry = |sku: &&str| Entry {
            sku: (*sku).to_owned(),
            product_code: "TEE".to_owned(),
            product_name: "Tee".to_owned(),
            title: String::new(),
            variant_id: String::new(),
        };
        skus.iter().map(entry).collect()
    }

    fn made(sku: &str, costs: &[(&str, i64)]) -> Detail {
        let location = |(name, cost): &(&str, i64)| Location {
            name: (*name).to_owned(),
            base_cost: Some(Money::from_hundredths(*cost)),
            ..Location::default()
        };
        Detail {
            sku: sku.to_owned(),
            locations: costs.iter().map(location).collect(),
            ..Detail::default()
        }
    }

    #[test]
    fn skus_that_come_and_go_are_told_and_those_that_stay_are_not() {
        let changes = of_entries(&entries(&["A", "B"]), &entries(&["B", "C"]));
        let (new, gone) = (Change::New { sku: "C".into() }, Change::Gone { sku: "A".into() });
        assert_eq!(changes, [new, gone]);
        assert_eq!(sentence(&changes).as_deref(), Some("1 new (C), 1 gone (A)"));
        assert_eq!(sentence(&[]), None);
    }

    #[test]
    fn a_higher_cost_is_told_by_location_and_a_lower_or_a_new_one_is_not() {
        let old = [made("A", &[("US", 900), ("EU", 900)])];
        let new = [
            made("A", &[("US", 950), ("EU", 800), ("AU", 1200)]),
            made("B", &[("US", 1)]),
        ];
        let changes = of_costs(&old, &new);
        assert_eq!(
            sentence(&changes).as_deref(),
            Some("1 dearer (A from US: 9.00 → 9.50)")
        );
    }

    #[test]
    fn a_sentence_names_a_few_and_counts_all() {
        let skus: Vec<String> = (0..9).map(|n| format!("S{n}")).collect();
        let skus: Vec<&str> = skus.iter().map(String::as_str).collect();
        let said = sentence(&of_entries(&[], &entries(&skus))).unwrap();
        assert_eq!(said, "9 new (S0, S1, S2, S3, S4, …)");
    }
}
