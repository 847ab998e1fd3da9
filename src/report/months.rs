//! Months that are written by themselves and never again: which one is next, and what has changed since an earlier one
//! was written. The sum over all that was written is what the orders cost.

use std::collections::BTreeMap;

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize};

use super::Span;
use super::figures::{Figures, Sums, is_canceled};
use crate::ledger::record::OrderRef;
use crate::ledger::{ClosedMonth, Cost, ToldOrder};
use crate::money::{Money, TooLarge};

/// The sums of a closed month's workbook.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Said {
    /// All orders but the canceled ones.
    pub orders: Sums,
    /// The canceled ones.
    pub canceled: Sums,
}

/// What has changed in closed months and was in no workbook yet.
#[derive(Clone, Debug, Default)]
pub struct Changes {
    /// An order each, by the month in which it counts.
    pub orders: Vec<LateChange>,
    /// What they add to the sums of orders that are not canceled.
    pub kept: Delta,
    /// What they add to the sums of the canceled ones.
    pub canceled: Delta,
}

/// An order of an earlier month that has changed since, or that nobody knew then.
#[derive(Clone, Debug)]
pub struct LateChange {
    /// The month in which it counts.
    pub month: String,
    /// What was told of it last; none where nothing was.
    pub before: Option<ToldOrder>,
    /// The order as it stands.
    pub cost: Cost,
    /// What it adds to the sums of orders that are not canceled.
    pub kept: Delta,
    /// What it adds to the sums of the canceled ones.
    pub canceled: Delta,
}

/// What amounts grow by; negative where they shrink.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Delta {
    /// Quoted totals.
    pub quoted: Money,
    /// The service's totals.
    pub service: Money,
    /// Service − quoted.
    pub difference: Money,
}

impl Delta {
    fn plus(self, other: Self) -> Result<Self, TooLarge> {
        Ok(Self {
            quoted: self.quoted.plus(other.quoted)?,
            service: self.service.plus(other.service)?,
            difference: self.difference.plus(other.difference)?,
        })
    }

    fn minus(self, other: Self) -> Result<Self, TooLarge> {
        self.plus(Self {
            quoted: -other.quoted,
            service: -other.service,
            difference: -other.difference,
        })
    }
}

impl Said {
    /// What a workbook says.
    pub fn of(figures: &Figures) -> Self {
        Self {
            orders: figures.orders,
            canceled: figures.canceled,
        }
    }
}

/// The month to write: the one after the last that was written, where it is over; at first, last month.
pub fn next<S>(closed: &[ClosedMonth<S>], now: Timestamp, zone: &TimeZone) -> Option<Span> {
    let this_month = now.to_zoned(zone.clone()).date().first_of_month();
    let last_month = Span::month_of(this_month.yesterday().ok()?);
    let Some(newest) = closed.last().and_then(|closed| Span::month(&closed.month).ok()) else {
        return Some(last_month);
    };
    let after: Date = newest.last().tomorrow().ok()?;
    (after <= last_month.first()).then(|| Span::month_of(after))
}

impl Changes {
    /// What closed months told, against how their orders stand: those that were told of, and those that were not.
    ///
    /// # Errors
    /// [`TooLarge`] when a sum has more than 28 digits.
    pub fn of(retold: Vec<(ToldOrder, Cost)>, untold: Vec<Cost>, zone: &TimeZone) -> Result<Self, TooLarge> {
        let told = retold
            .into_iter()
            .map(|(told, cost)| (told.month.clone(), Some(told), cost));
        let untold = untold
            .into_iter()
            .map(|cost| (Span::month_of(day(&cost, zone)).name(), None, cost));
        let mut changes = Self::default();
        let mut by_month: BTreeMap<String, Vec<LateChange>> = BTreeMap::new();
        for (month, before, cost) in told.chain(untold) {
            let now = told_of(&cost, &month);
            if before.as_ref().is_some_and(|before| is_same(before, &now)) {
                continue;
            }
            let share = |canceled| -> Result<Delta, TooLarge> {
                let was = before
                    .as_ref()
                    .map_or_else(|| Ok(Delta::default()), |told| share(told, canceled))?;
                share(&now, canceled)?.minus(was)
            };
            let change = LateChange {
                kept: share(false)?,
                canceled: share(true)?,
                month: month.clone(),
                before,
                cost,
            };
            changes.kept = changes.kept.plus(change.kept)?;
            changes.canceled = changes.canceled.plus(change.canceled)?;
            by_month.entry(month).or_default().push(change);
        }
        changes.orders = by_month.into_values().flatten().collect();
        Ok(changes)
    }
}

/// What a month's workbook tells of each order in it: the month's own, and those of earlier months that have changed.
pub fn told<'a>(
    span: Span,
    orders: &'a [Cost],
    changed: impl Iterator<Item = &'a LateChange>,
) -> Vec<(OrderRef, ToldOrder)> {
    let own = orders.iter().map(|cost| (cost.id, told_of(cost, &span.name())));
    let earlier = changed.map(|change| (change.cost.id, told_of(&change.cost, &change.month)));
    own.chain(earlier).collect()
}

/// What is told of an order as it stands.
fn told_of(cost: &Cost, month: &str) -> ToldOrder {
    ToldOrder {
        month: month.to_owned(),
        canceled: is_canceled(cost),
        quoted: cost.quote.as_ref().map(|quote| quote.total),
        service: cost.service.as_ref().map(|(service, _read_at)| service.total),
    }
}

fn is_same(before: &ToldOrder, now: &ToldOrder) -> bool {
    (before.canceled, before.quoted, before.service) == (now.canceled, now.quoted, now.service)
}

/// What an order adds to the sums of the canceled ones, or to those of the others.
fn share(told: &ToldOrder, canceled: bool) -> Result<Delta, TooLarge> {
    if told.canceled != canceled {
        return Ok(Delta::default());
    }
    let difference = match (told.service, told.quoted) {
        (Some(service), Some(quoted)) => service.minus(quoted)?,
        (None, _) | (_, None) => Money::ZERO,
    };
    Ok(Delta {
        quoted: told.quoted.unwrap_or(Money::ZERO),
        service: told.service.unwrap_or(Money::ZERO),
        difference,
    })
}

/// The day on which an order was entered.
fn day(cost: &Cost, zone: &TimeZone) -> Date {
    cost.dated_at.to_zoned(zone.clone()).date()
}
