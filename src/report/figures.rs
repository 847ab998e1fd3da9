//! The sums of a report: exact, and the same wherever they are looked at.

use std::collections::{BTreeMap, HashSet};

use jiff::Timestamp;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use crate::catalog::Snapshot;
use crate::ledger::Cost;
use crate::ledger::state::State;
use crate::money::{Money, TooLarge};
use crate::result::amounts;

use super::Costs;

/// What a report says.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Figures {
    /// The account.
    pub account: String,
    /// The first day.
    pub from: Date,
    /// The last day.
    pub to: Date,
    /// The service's order list is known up to here.
    pub as_of: Option<Timestamp>,
    /// All orders but the canceled ones.
    pub orders: Sums,
    /// The canceled ones.
    pub canceled: Sums,
    /// How many orders have no total of the service yet, canceled ones left out.
    pub not_yet_read: u64,
    /// How many orders the service listed that the ledger did not make.
    pub not_ours: u64,
    /// By product.
    pub by_product: BTreeMap<String, Part>,
    /// What the quotes ask beyond their lines.
    pub in_no_line: Money,
    /// By country code.
    pub by_country: BTreeMap<String, Sums>,
    /// By inbox and the sheet's stem.
    #[serde(skip)]
    pub by_sheet: BTreeMap<(String, String), Sums>,
    /// By day.
    pub by_day: BTreeMap<Date, Sums>,
}

/// What several orders come to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sums {
    /// How many there are.
    pub orders: u64,
    /// The sum of their quoted totals.
    pub quoted: Money,
    /// The sum of the service's totals, of those that have one.
    pub service: Money,
    /// The sum of service − quoted, of those that have both.
    pub difference: Money,
}

/// What the lines of a product come to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Part {
    /// In how many orders it is.
    pub orders: u64,
    /// Pieces.
    pub pieces: u64,
    /// The sum of its lines' quotes.
    pub quoted: Money,
}

impl Sums {
    fn add(&mut self, cost: &Cost) -> Result<(), TooLarge> {
        self.orders += 1;
        if let Some(quote) = &cost.quote {
            self.quoted = self.quoted.plus(quote.total)?;
        }
        if let Some((service, _read_at)) = &cost.service {
            self.service = self.service.plus(service.total)?;
        }
        if let Some(difference) = difference(cost)? {
            self.difference = self.difference.plus(difference)?;
        }
        Ok(())
    }
}

impl Figures {
    /// Adds up.
    ///
    /// # Errors
    /// [`TooLarge`] when a sum has more than 28 digits.
    pub fn of(costs: &Costs, catalog: Option<&Snapshot>) -> Result<Self, TooLarge> {
        let mut figures = Self {
            account: costs.account.clone(),
            from: costs.span.first(),
            to: costs.span.last(),
            as_of: costs.as_of,
            not_ours: u64::try_from(costs.strangers.len()).unwrap_or(u64::MAX),
            ..Self::default()
        };
        for cost in &costs.orders {
            if is_canceled(cost) {
                figures.canceled.add(cost)?;
                continue;
            }
            figures.orders.add(cost)?;
            figures.not_yet_read += u64::from(cost.service.is_none());
            let day = cost.dated_at.to_zoned(costs.zone.clone()).date();
            let sheet = (cost.inbox.clone(), cost.sheet.clone());
            figures
                .by_country
                .entry(cost.country_code.clone())
                .or_default()
                .add(cost)?;
            figures.by_sheet.entry(sheet).or_default().add(cost)?;
            figures.by_day.entry(day).or_default().add(cost)?;
            figures.add_products(cost, catalog)?;
            figures.in_no_line = figures.in_no_line.plus(in_no_line(cost)?)?;
        }
        Ok(figures)
    }

    fn add_products(&mut self, cost: &Cost, catalog: Option<&Snapshot>) -> Result<(), TooLarge> {
        let mut counted = HashSet::new();
        for (sku, pieces) in cost.signature.items() {
            let name = product(catalog, sku);
            let part = self.by_product.entry(name.clone()).or_default();
            part.pieces += pieces;
            part.orders += u64::from(counted.insert(name));
        }
        for line in cost.quote.iter().flat_map(|quote| quote.lines.iter().flatten()) {
            let part = self.by_product.entry(product(catalog, &line.sku)).or_default();
            part.quoted = part.quoted.plus(line.total)?;
        }
        Ok(())
    }
}

/// Whether an order is in the sums of the canceled ones. One that the service goes on with will be charged: it counts.
pub(super) fn is_canceled(cost: &Cost) -> bool {
    cost.is_canceled
}

/// The state of an order, in a word that agrees with the sums that it is in.
pub(super) fn state(cost: &Cost) -> &'static str {
    if cost.state == State::Canceled && !is_canceled(cost) {
        "created: canceled, and the service goes on with it"
    } else {
        cost.state.word()
    }
}

/// The service's total less the quoted one; none unless both are there.
pub(super) fn difference(cost: &Cost) -> Result<Option<Money>, TooLarge> {
    let service = cost.service.as_ref().map(|(amounts, _read_at)| amounts);
    amounts::difference(cost.quote.as_ref(), service)
}

/// What an order's quote asks beyond its lines; nothing without a quote.
pub(super) fn in_no_line(cost: &Cost) -> Result<Money, TooLarge> {
    let Some(quote) = &cost.quote else {
        return Ok(Money::ZERO);
    };
    let lines = Money::sum(quote.lines.iter().flatten().map(|line| line.total))?;
    quote.total.minus(lines)
}

/// The product of a SKU as the catalog calls it, else the SKU itself.
pub(super) fn product(catalog: Option<&Snapshot>, sku: &str) -> String {
    let entry = catalog.and_then(|catalog| catalog.entry(sku));
    entry.map_or(sku, |entry| &entry.product_name).to_owned()
}
