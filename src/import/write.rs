//! From outcomes to a result: the views of a sheet's orders, in the order of their rows.

use std::collections::{HashMap, VecDeque};

use super::views::{view, waiting};
use crate::finding::Code;
use crate::ledger::record::ClaimRef;
use crate::ledger::{Ledger, LedgerError};
use crate::order::{Index, Layout};
use crate::result::{ResultError, View, Views};
use crate::sheet::{Row, Rows, Sheet};

/// Outcomes that are read from the ledger at once.
const BATCH: u32 = 250;

/// The views of a taken sheet's orders, read from the ledger as they are needed.
#[derive(Debug)]
pub struct LedgerViews<'a> {
    ledger: &'a Ledger,
    claim: ClaimRef,
    after: u32,
    ready: VecDeque<View>,
    /// The stems of the sheets that sent what this one has too.
    stems: HashMap<ClaimRef, Option<String>>,
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
            stems: HashMap::new(),
            ended: false,
        }
    }

    fn fill(&mut self) -> Result<(), LedgerError> {
        let (claim, after) = (self.claim, self.after);
        let stems = &mut self.stems;
        let views = self.ledger.read(|store| {
            let found = store.outcomes_after(claim, after, BATCH)?;
            let mut views = Vec::with_capacity(found.len());
            for (outcome, order) in found {
                let elsewhere = order
                    .as_ref()
                    .map(|order| order.claim)
                    .filter(|other| *other != claim);
                let first_sheet = match elsewhere {
                    None => None,
                    Some(other) => match stems.get(&other) {
                        Some(stem) => stem.clone(),
                        None => stems.entry(other).or_insert(store.stem_of(other)?).clone(),
                    },
                };
                views.push(view(outcome, order, first_sheet));
            }
            Ok(views)
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

/// Outcomes that are read ahead of the writing.
const AHEAD: usize = 250;

/// Writes with views that another thread reads meanwhile: the ledger's work and the workbook's share two cores.
pub(super) fn read_ahead<T>(
    views: LedgerViews<'_>,
    write: &mut dyn FnMut(&mut Views<'_>) -> Result<T, ResultError>,
) -> Result<T, ResultError> {
    let (give, take) = std::sync::mpsc::sync_channel(AHEAD);
    std::thread::scope(|scope| {
        // Where the writing ends early, the rest is not wanted; it says itself why.
        scope.spawn(move || views.into_iter().any(|view| give.send(view).is_err()));
        write(&mut take.into_iter())
    })
}
