//! The pages with one row an order, or one a finding: of a large sheet they are written by a thread of their own, for half
//! of the work is in them.

use std::sync::mpsc::{Receiver, SyncSender};

use rust_xlsxwriter::{Workbook, Worksheet, XlsxError};

use crate::result::Title;
use crate::result::shape::Shape;
use crate::result::walk::Ordered;

use super::BookError;
use super::findings::Findings;
use super::orders::Orders;
use super::page::Texts;
use super::styles::Styles;

/// How many orders are handed on together to who writes their pages, and how many such batches wait at most.
const BATCH: usize = 64;
pub(super) const BATCHES: usize = 4;

/// The pages while they are written.
pub(super) struct ByOrder<'a> {
    orders: Orders,
    findings: Findings,
    shape: &'a Shape,
    styles: &'a Styles,
}

impl<'a> ByOrder<'a> {
    pub(super) fn new(
        workbook: &mut Workbook,
        texts: Texts,
        title: &Title,
        (shape, styles): (&'a Shape, &'a Styles),
    ) -> Result<Self, XlsxError> {
        Ok(Self {
            orders: Orders::new(workbook, texts, title, styles)?,
            findings: Findings::new(workbook, texts, styles)?,
            shape,
            styles,
        })
    }

    fn order(&mut self, order: &Ordered) -> Result<(), BookError> {
        let view = &order.view;
        if view.is_of_order() {
            self.orders.order(view, order.first_line, self.styles)?;
        }
        Ok(self.findings.order(view, order.span, self.shape, self.styles)?)
    }

    /// Writes orders as they come, to the last one.
    pub(super) fn write_all(&mut self, orders: Receiver<Vec<Ordered>>) -> Result<(), BookError> {
        let mut orders = orders.into_iter().flatten();
        orders.try_for_each(|order| self.order(&order))
    }

    /// Gives the sheets, Orders and Findings.
    pub(super) fn finish(self) -> Result<[Worksheet; 2], BookError> {
        Ok([
            self.orders.finish(self.styles)?,
            self.findings.finish(self.styles)?,
        ])
    }
}

/// Where the orders of a sheet go while its rows are written.
pub(super) enum OrderSink<'a, 'b> {
    /// Onto their pages.
    Here(&'a mut ByOrder<'b>),
    /// To the thread that writes them, some at a time.
    Beside(SyncSender<Vec<Ordered>>, Vec<Ordered>),
}

impl OrderSink<'_, '_> {
    pub(super) fn beside(give: SyncSender<Vec<Ordered>>) -> Self {
        Self::Beside(give, Vec::with_capacity(BATCH))
    }

    pub(super) fn order(&mut self, order: Ordered) -> Result<(), BookError> {
        match self {
            Self::Here(pages) => pages.order(&order)?,
            Self::Beside(give, batch) => {
                batch.push(order);
                if batch.len() >= BATCH {
                    hand_on(give, batch);
                }
            }
        }
        Ok(())
    }

    /// Hands on what is left.
    pub(super) fn end(&mut self) {
        if let Self::Beside(give, batch) = self {
            hand_on(give, batch);
        }
    }
}

fn hand_on(give: &SyncSender<Vec<Ordered>>, batch: &mut Vec<Ordered>) {
    // Who cannot write them any more says why at the end.
    drop(give.send(std::mem::replace(batch, Vec::with_capacity(BATCH))));
}
