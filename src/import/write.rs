//! From outcomes to a result: the views of a sheet's orders, in the order of their rows.

use std::collections::VecDeque;

use super::views::{view, waiting};
use crate::finding::Code;
use crate::ledger::record::ClaimRef;
use crate::ledger::{Ledger, LedgerError};
use crate::order::{Index, Layout};
use crate::result::{ResultError, View};
use crate::sheet::{Row, Rows, Sheet};

/// Outcomes that are read from the ledger at once.
const BATCH: u32 = 500;

/// The views of a taken sheet's orders, read from the ledger as they are needed.
#[derive(Debug)]
pub struct LedgerViews<'a> {
    ledger: &'a Ledger,
    claim: ClaimRef,
    after: u32,
    ready: VecDeque<View>,
    ended: bool,
}

impl<'a> LedgerViews<'a> {
    /// The views of a sheet of which every order has an outcome.
    pub fn new(ledger: &'a Ledger, claim: ClaimRef) -> Self {
        Self {
            ledger,
            claim,
            after: 0,
            ready: VecDeque::new(),
            ended: false,
        }
    }

    fn fill(&mut self) -> Result<(), LedgerError> {
        let (claim, after) = (self.claim, self.after);
        let views = self.ledger.read(|store| {
            let found = store.outcomes_after(claim, after, BATCH)?;
            found
                .into_iter()
                .map(|(outcome, order)| {
                    let elsewhere = order
                        .as_ref()
                        .filter(|order| order.claim != claim)
                        .map(|order| order.claim);
                    let first_sheet = elsewhere.map(|other| store.stem_of(other)).transpose()?.flatten();
                    Ok(view(outcome, order, first_sheet))
                })
                .collect::<Result<Vec<View>, LedgerError>>()
        })?;
        match views.last() {
            Some(last) => self.after = last.first_row,
            None => self.ended = true,
        }
        self.ready = views.into();
        Ok(())
    }
}

impl Iterator for LedgerViews<'_> {
    type Item = Result<View, ResultError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ready.is_empty()
            && !self.ended
            && let Err(error) = self.fill()
        {
            self.ended = true;
            return Some(Err(ResultError::View(Box::new(error))));
        }
        self.ready.pop_front().map(Ok)
    }
}

/// The views of a sheet whose orders are not all sent yet: who has no outcome waits.
#[derive(Debug)]
pub struct WaitingViews<'a> {
    known: std::iter::Peekable<LedgerViews<'a>>,
    rows: Rows,
    row: Row,
    header: u32,
    layout: &'a Layout,
    index: &'a Index,
    code: Code,
    why: &'a str,
}

impl<'a> WaitingViews<'a> {
    /// Reads the sheet along, to know of every order in it.
    pub fn new(
        known: LedgerViews<'a>,
        (sheet, layout, index): (&'a Sheet, &'a Layout, &'a Index),
        (code, why): (Code, &'a str),
    ) -> Result<Self, ResultError> {
        Ok(Self {
            known: known.peekable(),
            rows: sheet.rows().map_err(ResultError::Sheet)?,
            row: Row::default(),
            header: sheet.header().number(),
            layout,
            index,
            code,
            why,
        })
    }

    /// The next order's first row.
    fn next_first(&mut self) -> Result<Option<u32>, ResultError> {
        while self.rows.next(&mut self.row).map_err(ResultError::Sheet)? {
            let number = self.row.number();
            if number <= self.header {
                continue;
            }
            if self
                .index
                .span(self.layout, &self.row)
                .is_some_and(|(first, _last)| first == number)
            {
                return Ok(Some(number));
            }
        }
        Ok(None)
    }
}

impl Iterator for WaitingViews<'_> {
    type Item = Result<View, ResultError>;

    fn next(&mut self) -> Option<Self::Item> {
        let first = match self.next_first() {
            Ok(first) => first?,
            Err(error) => return Some(Err(error)),
        };
        match self.known.peek() {
            Some(Ok(view)) if view.first_row != first => {
                Some(Ok(waiting(first, String::new(), self.code, self.why)))
            }
            Some(_) => self.known.next(),
            None => Some(Ok(waiting(first, String::new(), self.code, self.why))),
        }
    }
}
