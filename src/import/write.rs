//! From outcomes to a result: the views of a sheet's orders, in the order of their rows.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::sync::mpsc::SyncSender;

use jiff::Timestamp;

use super::Worked;
use super::apart::as_it_is_now;
use super::brought::{is_brought, say_brought};
use super::kept::first_row;
use super::retaken::{is_retaken, judged_again};
use super::superseded::{Contents, End, end_before};
use super::views::{Wait, because, ended, view, waiting};
use crate::ahead::ahead;
use crate::attention::{self, LeftToNobody};
use crate::finding::Code;
use crate::ledger::record::{Claim, ClaimRef, FileNames, OrderRecord, Outcome};
use crate::ledger::{Ledger, LedgerError, Reader, Store};
use crate::order::{Draft, Index, Layout};
use crate::outcome::Status;
use crate::result::{ResultError, View, Views};
use crate::sheet::{Row, Rows, Sheet};

/// Outcomes that are read from the ledger at once.
const BATCH: u32 = 250;

/// The views of a taken sheet's orders, read from the ledger as they are needed.
#[derive(Debug)]
pub struct LedgerViews<'a> {
    source: Source<'a>,
    claim: ClaimRef,
    after: u32,
    ready: VecDeque<Result<View, ResultError>>,
    /// What the files of the sheets are called that sent what this one has too.
    names: HashMap<ClaimRef, Option<Arc<FileNames>>>,
    /// What the sheet's own orders are; none where only their states are asked for.
    contents: Option<Contents<'a>>,
    /// What the config has worked; none where only their states are asked for.
    worked: Option<&'a attention::Configured>,
    ended: bool,
}

/// Who reads for the views.
#[derive(Clone, Copy, Debug)]
enum Source<'a> {
    /// The connection of those who work orders: each batch by itself, so that they go on in between.
    Ledger(&'a Ledger),
    /// One that nobody else waits for, which holds to one state of the ledger.
    Reader(&'a Reader),
}

impl Source<'_> {
    fn read_at_once<T>(
        self,
        work: impl FnOnce(&Store<'_>) -> Result<T, LedgerError>,
    ) -> Result<T, LedgerError> {
        match self {
            Self::Ledger(ledger) => ledger.read_at_once(work),
            Self::Reader(reader) => reader.read(work),
        }
    }
}

/// What the ledger says of an order of the sheet.
struct Known {
    outcome: Outcome,
    order: Option<OrderRecord>,
    /// What the files of another sheet are called that the order is of.
    elsewhere: Option<Arc<FileNames>>,
    /// When an order that the ledger did not make was entered at the service.
    entered_at: Option<Timestamp>,
    /// The order that a row which follows none speaks of, as it is now: of an older sheet, or taken anew by a later one. Of
    /// one with errors, that which a later sheet of its inbox has brought.
    spoken_of: Option<OrderRecord>,
    /// What is told of an order that nobody carries on.
    nobody: Option<LeftToNobody>,
    /// How the order had ended when a later sheet took it anew.
    end: Option<End>,
}

impl Known {
    /// The order that its row speaks of, where a later sheet has taken that anew with what may be the row's own content.
    fn retaken(&self) -> Option<&OrderRecord> {
        let order = self.spoken_of.as_ref();
        order.filter(|order| is_retaken(&self.outcome, order))
    }

    /// Judges its row by the order as the later sheet has taken it.
    fn judge_again(&mut self, draft: Draft, inbox: &str) {
        let Some(order) = self.spoken_of.take() else {
            return;
        };
        let sheet = self.elsewhere.as_ref().map(|names| names.results.clone());
        self.outcome = judged_again(draft, &self.outcome, (&order, sheet), inbox);
        let of_it = if self.outcome.order.is_some() {
            &mut self.order
        } else {
            &mut self.spoken_of
        };
        *of_it = Some(order);
    }
}

/// What a sheet's files are called as told in another one, read once.
fn names_of(
    store: &Store<'_>,
    known: &mut HashMap<ClaimRef, Option<Arc<FileNames>>>,
    (claim, told_in): (ClaimRef, ClaimRef),
) -> Result<Option<Arc<FileNames>>, LedgerError> {
    if let Some(names) = known.get(&claim) {
        return Ok(names.clone());
    }
    let names = store.names_of(claim, Some(told_in))?.map(Arc::new);
    known.insert(claim, names.clone());
    Ok(names)
}

/// The order that a row which follows none speaks of (see [`Known::spoken_of`]). `inbox` is none where only states are asked
/// for.
fn spoken_of(
    store: &Store<'_>,
    outcome: &Outcome,
    inbox: Option<&str>,
) -> Result<Option<OrderRecord>, LedgerError> {
    let is_changed = outcome.status == Status::Changed;
    if !is_changed && (outcome.status != Status::Invalid || inbox.is_none()) {
        return Ok(None);
    }
    let order = store.spoken_of(outcome)?;
    Ok(order.filter(|order| {
        if is_changed {
            order.claim < outcome.claim || is_retaken(outcome, order)
        } else {
            is_brought(outcome, order, inbox)
        }
    }))
}

impl<'a> LedgerViews<'a> {
    /// The views of a sheet of which every order has an outcome, for their states alone.
    pub(crate) fn states(reader: &'a Reader, claim: ClaimRef) -> Self {
        Self::new(Source::Reader(reader), claim)
    }

    fn new(source: Source<'a>, claim: ClaimRef) -> Self {
        Self {
            source,
            claim,
            after: 0,
            ready: VecDeque::new(),
            names: HashMap::new(),
            contents: None,
            worked: None,
            ended: false,
        }
    }

    /// The same, with the sheet at hand: an order that a later sheet has taken anew with other content keeps the end
    /// that it had here, and a row that came with other content than that is judged by it again. And with the config: an
    /// order that nobody carries on is told so.
    pub(crate) fn of(
        ledger: &'a Ledger,
        claim: &'a Claim,
        sheet: &'a Worked,
        worked: &'a attention::Configured,
    ) -> Self {
        Self {
            contents: Some(Contents::of(sheet, &claim.new.inbox)),
            worked: Some(worked),
            ..Self::new(Source::Ledger(ledger), claim.id)
        }
    }

    fn read(&mut self) -> Result<Vec<Known>, LedgerError> {
        let (claim, after, worked) = (self.claim, self.after, self.worked);
        let inbox = self.contents.as_ref().map(|contents| contents.inbox);
        let names = &mut self.names;
        self.source.read_at_once(|store| {
            let accounts = worked.map_or(Ok(Vec::new()), |_config| store.accounts())?;
            let found = store.outcomes_after(claim, after, BATCH)?;
            let mut all = Vec::with_capacity(found.len());
            for (outcome, order) in found {
                let spoken_of = match &order {
                    None => spoken_of(store, &outcome, inbox)?,
                    Some(_) => None,
                };
                // Whose state the row may come to follow.
                let of_it = order.as_ref().or(spoken_of.as_ref());
                let elsewhere = match of_it.map(|order| order.claim) {
                    Some(other) if other != claim => names_of(store, names, (other, claim))?,
                    _ => None,
                };
                let end = match &order {
                    Some(order) => end_before(store, &outcome, order)?,
                    None => None,
                };
                let nobody = of_it
                    .zip(worked)
                    .and_then(|(order, worked)| attention::by_nobody(order, &accounts, worked));
                let entered_at = match &order {
                    None => store.listed_entered_at(&outcome)?,
                    Some(_) => None,
                };
                all.push(Known {
                    outcome,
                    order,
                    elsewhere,
                    entered_at,
                    spoken_of,
                    nobody,
                    end,
                });
            }
            Ok(all)
        })
    }

    /// Judges again those rows whose orders later sheets have taken anew. One that the sheet does not have any more stays as
    /// it was said.
    fn judge_again(&self, known: &mut [Known]) -> Result<(), ResultError> {
        // Only states are asked for.
        let Some(contents) = &self.contents else {
            return Ok(());
        };
        let retaken = known.iter_mut().filter(|known| known.retaken().is_some());
        let mut retaken: HashMap<u32, &mut Known> =
            retaken.map(|known| (known.outcome.first_row, known)).collect();
        if retaken.is_empty() {
            return Ok(());
        }
        let mut judge = |draft: Draft| {
            if let Some(known) = retaken.remove(&first_row(&draft)) {
                known.judge_again(draft, contents.inbox);
            }
        };
        contents.each_draft(&mut judge).map_err(ResultError::Sheet)?;
        for known in retaken.into_values() {
            known.spoken_of = None;
        }
        Ok(())
    }

    fn view(&mut self, known: Known) -> Result<View, ResultError> {
        let Known {
            outcome,
            order,
            elsewhere,
            entered_at,
            spoken_of,
            nobody,
            end,
        } = known;
        let first_sheet = elsewhere.as_ref().map(|names| names.results.clone());
        if let (Some(end), Some(contents), Some(order)) = (end, &mut self.contents, &order)
            && contents.is_other(outcome.first_row, order)?
        {
            return Ok(ended(outcome, end, first_sheet.as_deref()));
        }
        let (apart, named) = (outcome.apart.clone(), first_sheet.clone());
        let mut view = view(outcome, order, first_sheet, nobody.as_ref());
        view.held_in = elsewhere
            .filter(|_| view.status == Status::Held)
            .map(|names| names.held.clone());
        view.created_at = view.created_at.or(entered_at);
        match spoken_of {
            Some(_) if view.status == Status::Invalid => say_brought(&mut view, named),
            Some(order) => as_it_is_now(&mut view, apart.as_ref(), &order),
            None => {}
        }
        Ok(view)
    }

    /// The next views; none at the end.
    fn batch(&mut self) -> Option<Vec<Result<View, ResultError>>> {
        if self.ended {
            return None;
        }
        let read = self.read().map_err(|error| ResultError::View(Box::new(error)));
        let judged = read.and_then(|mut known| {
            self.judge_again(&mut known)?;
            Ok(known)
        });
        match judged {
            Ok(known) => {
                self.after = known.last()?.outcome.first_row;
                Some(known.into_iter().map(|known| self.view(known)).collect())
            }
            Err(error) => {
                self.ended = true;
                Some(vec![Err(error)])
            }
        }
    }
}

impl Iterator for LedgerViews<'_> {
    type Item = Result<View, ResultError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ready.is_empty() {
            self.ready = self.batch()?.into();
        }
        self.ready.pop_front()
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
    wait: Wait<'a>,
}

impl<'a> WaitingViews<'a> {
    /// Reads the sheet along, to know of every order in it.
    pub fn new(
        known: LedgerViews<'a>,
        (sheet, layout, index): (&'a Sheet, &'a Layout, &'a Index),
        wait: Wait<'a>,
    ) -> Result<Self, ResultError> {
        Ok(Self {
            known: known.peekable(),
            rows: sheet.rows().map_err(ResultError::Sheet)?,
            row: Row::default(),
            header: sheet.header().number(),
            layout,
            index,
            wait,
        })
    }

    /// An order that has no outcome yet. A row that asks for a cancel must not sound like the promise to send.
    fn waits(&self, first: u32) -> View {
        let code = if self.layout.asks_to_cancel(&self.row) {
            Code::CancelAsked
        } else {
            self.wait.code
        };
        let order_id = self.layout.order_id(&self.row);
        let country = self.layout.country_code(&self.row);
        View {
            country_code: country.map(str::to_owned),
            ..waiting((first, &order_id), code, self.wait)
        }
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
            Some(Ok(view)) if view.first_row != first => Some(Ok(self.waits(first))),
            Some(_) => Some(self.known.next()?.map(|view| because(view, self.wait))),
            None => Some(Ok(self.waits(first))),
        }
    }
}

/// Batches of views that are read ahead of the writing.
const BATCHES: usize = 2;

/// Writes with views that another thread reads meanwhile: the ledger's work and the workbook's share two cores.
pub(crate) fn read_ahead<T>(
    mut views: LedgerViews<'_>,
    write: &mut dyn FnMut(&mut Views<'_>) -> Result<T, ResultError>,
) -> Result<T, ResultError> {
    // Where the writing ends early, the rest is not wanted; it says itself why.
    let read = move |give: SyncSender<_>| {
        while let Some(batch) = views.batch() {
            if give.send(batch).is_err() {
                return;
            }
        }
    };
    let (written, ()) = ahead(BATCHES, read, |take| write(&mut take.into_iter().flatten()));
    written
}
