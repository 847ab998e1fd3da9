//! Rows, orders and money by status, counted while the rows go by.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;

use crate::finding::Code;
use crate::money::{Money, TooLarge};
use crate::outcome::Status;

use super::amounts::{self, Charged};
use super::walk::Line;
use super::{Counts, OrderTrouble, View};
use crate::catalog::Snapshot;

/// What stands for the country of an order that names none.
pub(super) const NO_COUNTRY: &str = "not stated";

/// What a sheet came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Tally {
    shares: BTreeMap<Status, Share>,
    /// How often each code was found, and the first row that it was found on.
    pub(super) codes: BTreeMap<Code, (u64, u32)>,
    /// The orders that have amounts in this sheet, by country code.
    pub(super) countries: BTreeMap<String, Part>,
    /// Their lines, by product.
    pub(super) products: BTreeMap<String, Part>,
    /// Orders that are only priced and would be held.
    would_be_held: u64,
    /// The rows to fix, ascending.
    to_fix: Vec<u32>,
    /// How many orders the service has trouble with.
    pub(super) troubles: BTreeMap<OrderTrouble, u64>,
    /// The held orders by the sheet that held them first, whose held sheet lists them; no name for this one.
    pub(super) held: BTreeMap<Option<String>, u64>,
    /// The canceled orders that have amounts in this sheet.
    pub(super) canceled: Canceled,
    /// Orders that their shop has canceled since they were sent.
    pub(super) in_shop: InShop,
    /// Orders with errors that a later sheet has brought since.
    pub(super) mended: u64,
    /// What is said of other sheets of the workbook, and what to do about them.
    pub(super) unread: Option<(String, String)>,
}

/// What is counted of a country or a product, or of canceled orders.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Part {
    /// Orders, or lines of the product.
    pub(super) count: u64,
    /// The sum of their quoted totals.
    pub(super) quoted: Option<Money>,
    /// The sum of the service's totals; the service states none for a line.
    pub(super) service: Option<Money>,
}

impl Part {
    /// Counts an order that has amounts.
    fn note(&mut self, view: &View) -> Result<(), TooLarge> {
        self.count += 1;
        add(&mut self.quoted, view.quote.as_ref().map(|quote| quote.total))?;
        add(
            &mut self.service,
            view.service.as_ref().map(|service| service.total),
        )
    }
}

/// Canceled orders that have amounts. All have the one status, and not all are over: what the cost report counts among the
/// costs must not be claimed back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Canceled {
    /// Those that stay canceled.
    pub(super) over: Part,
    /// Those that the service goes on with.
    pub(super) gone_on: Part,
}

impl Canceled {
    fn note(&mut self, view: &View) -> Result<(), TooLarge> {
        if view.status != Status::Canceled {
            return Ok(());
        }
        if view.troubles.contains(&OrderTrouble::GoesOn) {
            self.gone_on.note(view)
        } else {
            self.over.note(view)
        }
    }
}

/// How many orders are named that are canceled in the shop.
const NAMED: usize = 5;

/// Orders that their shop has canceled since they were sent. They are counted as `changed`, and need another step.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct InShop {
    /// Those that are at the printer.
    pub(super) at_printer: u64,
    /// The first of these: the id that was sent, and the service's.
    pub(super) named: Vec<(String, String)>,
    /// Those that are held, or without an answer.
    pub(super) not_there: u64,
    /// Those of both that are counted already, hashed: a row `1001 CANCELED` speaks of an order that may have rows of its own.
    counted: BTreeSet<u64>,
    /// How often one of them was counted as `changed` all the same.
    again: u64,
}

impl InShop {
    fn note(&mut self, view: &View) {
        if !view.is_canceled_in_shop() {
            return;
        }
        let mut hasher = FxHasher::default();
        view.pw_order_id
            .as_ref()
            .unwrap_or(&view.order_id)
            .hash(&mut hasher);
        if !self.counted.insert(hasher.finish()) {
            self.again += 1;
            return;
        }
        let Some(pw_order_id) = &view.pw_order_id else {
            self.not_there += 1;
            return;
        };
        self.at_printer += 1;
        if self.named.len() < NAMED {
            self.named.push((view.order_id.clone(), pw_order_id.clone()));
        }
    }

    /// All of them, as often as they are counted as `changed`.
    pub(super) fn orders(&self) -> u64 {
        self.at_printer + self.not_there + self.again
    }
}

/// What is counted of one status.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Share {
    /// Rows.
    pub(super) rows: u64,
    /// Orders.
    pub(super) orders: u64,
    /// The first row with the status.
    pub(super) first_row: u32,
    /// The sum of the quoted totals; none where no order has a quote.
    pub(super) quoted: Option<Money>,
    /// The sum of the service's totals; none where none was read.
    pub(super) service: Option<Money>,
    /// The sum of the differences of the orders that have both.
    pub(super) difference: Option<Money>,
    /// The sum of their quoted totals.
    pub(super) quoted_of_both: Option<Money>,
}

impl Share {
    /// The totals that belong together, where these do not.
    ///
    /// # Errors
    /// [`TooLarge`] when a sum has more than 28 digits.
    pub(super) fn charged(&self) -> Result<Option<Charged>, TooLarge> {
        amounts::charged(self.quoted, self.service, (self.quoted_of_both, self.difference))
    }
}

impl Tally {
    /// Counts a row, and its order with its first row. Products are called as the catalog calls them.
    ///
    /// # Errors
    /// [`TooLarge`] when a sum has more than 28 digits.
    pub(super) fn note(&mut self, line: &Line<'_>, catalog: Option<&Snapshot>) -> Result<(), TooLarge> {
        let view = line.view;
        self.note_products(line, catalog)?;
        let share = self.shares.entry(line.status()).or_insert(Share {
            first_row: line.row,
            ..Share::default()
        });
        share.rows += 1;
        if view.is_to_fix() {
            self.to_fix.push(line.row);
        }
        if !line.is_first() {
            return Ok(());
        }
        share.orders += u64::from(view.is_of_order());
        self.would_be_held += u64::from(view.would_be_held());
        self.in_shop.note(view);
        self.mended += u64::from(view.is_mended());
        add(&mut share.quoted, view.quote.as_ref().map(|quote| quote.total))?;
        add(
            &mut share.service,
            view.service.as_ref().map(|service| service.total),
        )?;
        add(&mut share.difference, difference(view)?)?;
        add(&mut share.quoted_of_both, quoted_of_both(view))?;
        if view.quote.is_some() || view.service.is_some() {
            self.note_country(view)?;
            self.canceled.note(view)?;
        }
        if view.status == Status::Held {
            let listed_in = view.held_in.as_ref().or(view.first_sheet.as_ref());
            *self.held.entry(listed_in.cloned()).or_default() += 1;
        }
        for trouble in &view.troubles {
            *self.troubles.entry(*trouble).or_default() += 1;
        }
        for finding in &view.findings {
            let row = super::message::shown_row(finding, line.span);
            self.codes.entry(finding.code).or_insert((0, row)).0 += 1;
            if finding.code == Code::UnreadTab {
                self.unread = Some((finding.message.clone(), finding.hint.clone()));
            }
        }
        Ok(())
    }

    fn note_products(&mut self, line: &Line<'_>, catalog: Option<&Snapshot>) -> Result<(), TooLarge> {
        for quote in line.quotes() {
            let entry = catalog.and_then(|catalog| catalog.entry(&quote.sku));
            let product = entry.map_or(&quote.sku, |entry| &entry.product_name);
            let part = self.products.entry(product.clone()).or_default();
            part.count += 1;
            add(&mut part.quoted, Some(quote.total))?;
        }
        Ok(())
    }

    fn note_country(&mut self, view: &View) -> Result<(), TooLarge> {
        let country = view.country_code.as_deref().filter(|code| !code.is_empty());
        self.countries
            .entry(country.unwrap_or(NO_COUNTRY).to_owned())
            .or_default()
            .note(view)
    }

    /// What the quotes ask beyond their lines, such as a discount on an order's shipping; none without a quote.
    ///
    /// # Errors
    /// [`TooLarge`] when a sum has more than 28 digits.
    pub(super) fn in_no_line(&self) -> Result<Option<Money>, TooLarge> {
        let Some(total) = self.total()?.quoted else {
            return Ok(None);
        };
        let lines = Money::sum(self.products.values().filter_map(|part| part.quoted))?;
        total.minus(lines).map(Some)
    }

    /// The statuses that occur, in the order of a summary.
    pub(super) fn shares(&self) -> impl Iterator<Item = (Status, &Share)> {
        Status::ALL
            .into_iter()
            .filter_map(|status| Some((status, self.shares.get(&status)?)))
    }

    /// How many orders have a status.
    pub(super) fn orders(&self, status: Status) -> u64 {
        self.shares
            .get(&status)
            .map(|share| share.orders)
            .unwrap_or_default()
    }

    /// Everything together; its first row says nothing.
    ///
    /// # Errors
    /// [`TooLarge`] when a sum has more than 28 digits.
    pub(super) fn total(&self) -> Result<Share, TooLarge> {
        let mut total = Share::default();
        for share in self.shares.values() {
            total.rows += share.rows;
            total.orders += share.orders;
            add(&mut total.quoted, share.quoted)?;
            add(&mut total.service, share.service)?;
            add(&mut total.difference, share.difference)?;
            add(&mut total.quoted_of_both, share.quoted_of_both)?;
        }
        Ok(total)
    }

    /// The counts that are handed back.
    pub(super) fn counts(&self) -> Counts {
        Counts {
            rows: self
                .shares()
                .map(|(status, share)| (status, share.rows))
                .collect(),
            orders: self
                .shares()
                .map(|(status, share)| (status, share.orders))
                // Rows may be skipped in orders that are not.
                .filter(|(_, orders)| *orders > 0)
                .collect(),
            would_be_held: self.would_be_held,
            to_fix: self.to_fix.clone(),
            unread: self.unread.as_ref().map(|(said, _hint)| said.clone()),
        }
    }
}

/// The service's total less the quoted one; none unless both are there.
///
/// # Errors
/// [`TooLarge`] when it has more than 28 digits.
pub(super) fn difference(view: &View) -> Result<Option<Money>, TooLarge> {
    amounts::difference(view.quote.as_ref(), view.service.as_ref())
}

/// The quoted total of an order that has the service's too.
pub(super) fn quoted_of_both(view: &View) -> Option<Money> {
    let quote = view.quote.as_ref().filter(|_| view.service.is_some());
    quote.map(|quote| quote.total)
}

/// Adds an amount to a sum, where there is one to add.
///
/// # Errors
/// [`TooLarge`] when the sum has more than 28 digits.
pub(super) fn add(sum: &mut Option<Money>, amount: Option<Money>) -> Result<(), TooLarge> {
    if let Some(amount) = amount {
        *sum = Some(sum.unwrap_or(Money::ZERO).plus(amount)?);
    }
    Ok(())
}
