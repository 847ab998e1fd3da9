//! The pieces of each SKU that a known order asks for in a sheet, beside those that it was taken with. Pure.

use std::collections::{BTreeMap, BTreeSet};

use crate::order::{Draft, quoted};
use crate::reconcile::Signature;

/// SKUs that a message names at most.
const MOST_NAMED: usize = 5;

/// The rows set aside now whose lines were sent before: what was sent has pieces that the lines to print do not
/// account for.
pub(super) fn printed_before(draft: &Draft, before: &Signature) -> Vec<u32> {
    let mut left: BTreeMap<String, u64> = before
        .items()
        .map(|(sku, pieces)| (sku.to_owned(), pieces))
        .collect();
    let mut take = |sku: &str, pieces: u64| match left.get_mut(&sku.to_ascii_uppercase()) {
        Some(there) if *there >= pieces && pieces > 0 => {
            *there -= pieces;
            true
        }
        Some(_) | None => false,
    };
    for (_, sku, pieces) in draft.pieces() {
        take(sku, pieces);
    }
    let before = draft.pieces_aside().filter(|(_, sku, pieces)| take(sku, *pieces));
    before.map(|(row, _, _)| row).collect()
}

/// Which SKUs have more or fewer pieces than before, as a sentence. None where all are the same, where a line does not
/// say what it asks for, and where rows are set aside: what was printed of those is not known.
pub(super) fn other_than_before(draft: &Draft, before: &Signature) -> Option<String> {
    if draft.aside().next().is_some() {
        return None;
    }
    let now = Signature::new(draft.pieces_to_send()?.into_iter(), None);
    told(&now.items().collect(), &before.items().collect())
}

/// What an order has beside the lines whose rows ask for its cancel, as a list; none where those name no line, all, or one
/// that it does not have.
pub(super) fn not_named(draft: &Draft, sent: &Signature) -> Option<String> {
    let named = draft.pieces_to_cancel().filter(|(_, sku, _)| !sku.is_empty());
    let named: Vec<(String, u64)> = named
        .map(|(_, sku, pieces)| (sku.to_ascii_uppercase(), pieces))
        .collect();
    left_of(&named, sent.items().collect())
}

fn left_of(named: &[(String, u64)], mut sent: BTreeMap<&str, u64>) -> Option<String> {
    for (sku, pieces) in named {
        let left = sent.get_mut(sku.as_str())?;
        // A row that does not say how many speaks of all.
        let pieces = if *pieces == 0 { *left } else { *pieces };
        *left = left.checked_sub(pieces)?;
    }
    sent.retain(|_, left| *left > 0);
    if named.is_empty() || sent.is_empty() {
        return None;
    }
    let more = sent.len().saturating_sub(MOST_NAMED);
    let mut list: Vec<String> = sent
        .iter()
        .take(MOST_NAMED)
        .map(|(sku, left)| format!("{left} × {}", quoted(sku)))
        .collect();
    if more > 0 {
        list.push(format!("{more} more SKUs"));
    }
    Some(list.join(", "))
}

fn told(now: &BTreeMap<&str, u64>, before: &BTreeMap<&str, u64>) -> Option<String> {
    let skus: BTreeSet<&str> = now.keys().chain(before.keys()).copied().collect();
    let mut apart: Vec<String> = skus
        .into_iter()
        .filter_map(|sku| {
            let now = now.get(sku).copied().unwrap_or(0);
            let before = before.get(sku).copied().unwrap_or(0);
            (now != before).then(|| format!("{now} × {} instead of {before}", quoted(sku)))
        })
        .collect();
    let more = apart.len().saturating_sub(MOST_NAMED);
    apart.truncate(MOST_NAMED);
    if more > 0 {
        apart.push(format!("{more} more SKUs"));
    }
    (!apart.is_empty()).then(|| format!("This sheet asks for {}.", apart.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(pieces: &[(&str, u64)]) -> Option<String> {
        let now = pieces.iter().copied();
        told(&now.collect(), &BTreeMap::from([("MUG", 2), ("TEE", 1)]))
    }

    #[test]
    fn what_the_rows_of_a_cancel_do_not_name_is_told_where_they_name_something() {
        let sent = || BTreeMap::from([("MUG", 2), ("TEE", 1)]);
        let left = |named: &[(&str, u64)]| {
            let named: Vec<(String, u64)> = named.iter().map(|(sku, n)| ((*sku).to_owned(), *n)).collect();
            left_of(&named, sent())
        };
        assert_eq!(left(&[("TEE", 1)]).as_deref(), Some("2 × `MUG`"));
        assert_eq!(left(&[("TEE", 0)]).as_deref(), Some("2 × `MUG`"));
        assert_eq!(left(&[("MUG", 1)]).as_deref(), Some("1 × `MUG`, 1 × `TEE`"));
        for all in [
            &[][..],
            &[("MUG", 2), ("TEE", 1)],
            &[("MUG", 1), ("MUG", 1), ("TEE", 1)],
            &[("CAP", 1)],
        ] {
            assert_eq!(left(all), None, "{all:?}");
        }
        assert_eq!(left(&[("TEE", 5)]), None, "another content");
    }

    #[test]
    fn a_line_more_or_less_is_named_with_its_pieces() {
        for (now, expected) in [
            (&[("MUG", 2), ("TEE", 1)][..], None),
            (
                &[("MUG", 3), ("TEE", 1)],
                Some("This sheet asks for 3 × `MUG` instead of 2."),
            ),
            (
                &[("MUG", 2), ("TEE", 1), ("POSTER", 4)],
                Some("This sheet asks for 4 × `POSTER` instead of 0."),
            ),
            (
                &[("HAT", 1), ("MUG", 2)],
                Some("This sheet asks for 1 × `HAT` instead of 0, 0 × `TEE` instead of 1."),
            ),
        ] {
            assert_eq!(of(now).as_deref(), expected, "{now:?}");
        }
    }

    #[test]
    fn of_many_only_some_are_named() {
        let many = ["A", "B", "C", "D", "E", "F"].map(|sku| (sku, 1));
        let told = of(&many).unwrap();
        assert!(told.ends_with("1 × `E` instead of 0, 3 more SKUs."), "{told}");
    }
}
