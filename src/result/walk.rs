//! One reading of a sheet beside its orders' views: each row is given out with its order, in the rows' order. Only
//! the orders whose last row has not come yet are held.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::finding::{Code, Finding};
use crate::outcome::Status;
use crate::quote::QuoteLine;
use crate::sheet::Row;

use super::message::shown_row;
use super::tally::Tally;
use super::{ResultError, Source, View, Views};

/// A row with text below the header, and the order that it belongs to.
#[derive(Clone, Debug)]
pub(super) struct Line<'a> {
    /// The row's number.
    pub(super) row: u32,
    /// Its place among the order's rows that are lines, counted from 0.
    pub(super) ordinal: usize,
    /// The order's first and last row.
    pub(super) span: (u32, u32),
    /// The order.
    pub(super) view: &'a View,
    /// Where its findings are shown.
    places: Arc<Places>,
    /// Whether a row may hold several lines: then a row has a line's quote only where that is its only one.
    packs_lines: bool,
}

impl<'a> Line<'a> {
    /// A row of an order.
    #[cfg(test)]
    pub(super) fn new(row: u32, ordinal: usize, span: (u32, u32), view: &'a View) -> Self {
        Self {
            row,
            ordinal,
            span,
            view,
            places: Arc::new(Places::of(view, span)),
            packs_lines: false,
        }
    }

    /// Whether it is the order's first row.
    pub(super) fn is_first(&self) -> bool {
        self.ordinal == 0 && !self.is_aside()
    }

    /// Whether the row is no line of its order.
    pub(super) fn is_aside(&self) -> bool {
        self.places.asides.contains(&self.row)
    }

    /// What was found in this very row.
    pub(super) fn found_here(&self) -> Vec<&'a Finding> {
        let here = |finding: &&Finding| finding.row == self.row;
        let shown = self.shown_here().map(|(_, finding)| finding);
        shown.filter(here).collect()
    }

    /// What is shown on this row, each with its place among the order's findings.
    pub(super) fn shown_here(&self) -> impl Iterator<Item = (usize, &'a Finding)> {
        let here = self.places.by_row.get(&self.row);
        self.found_at(here.map_or(&[], Vec::as_slice))
    }

    /// What is told of the whole order, on whichever row it is shown, in the order of the findings.
    pub(super) fn of_the_order(&self) -> impl Iterator<Item = &'a Finding> {
        self.found_at(&self.places.of_the_order)
            .map(|(_, finding)| finding)
    }

    /// The first of each code that is told of the whole order, each with its place among the order's findings.
    pub(super) fn first_of_each_code(&self) -> impl Iterator<Item = (usize, &'a Finding)> {
        self.found_at(&self.places.first_of_each_code)
    }

    fn found_at(&self, places: &[usize]) -> impl Iterator<Item = (usize, &'a Finding)> {
        let findings = &self.view.findings;
        places
            .iter()
            .filter_map(|place| Some((*place, findings.get(*place)?)))
    }

    /// The row's own status: its order's, unless it is no line of it.
    pub(super) fn status(&self) -> Status {
        if self.is_aside() {
            Status::Skipped
        } else {
            self.view.status
        }
    }

    /// The quote of the row's own line; none where it holds several.
    pub(super) fn quote(&self) -> Option<&QuoteLine> {
        if self.is_aside() || self.holds_several() {
            return None;
        }
        self.lines().get(self.ordinal)?.as_ref()
    }

    /// The quotes of the lines that the row holds; where the rows of an order hold several, its first row has all.
    pub(super) fn quotes(&self) -> impl Iterator<Item = &QuoteLine> {
        let all = if self.holds_several() && self.is_first() {
            self.lines()
        } else {
            &[]
        };
        self.quote().into_iter().chain(all.iter().flatten())
    }

    fn holds_several(&self) -> bool {
        self.packs_lines && self.lines().len() > 1
    }

    fn lines(&self) -> &[Option<QuoteLine>] {
        self.view.quote.as_ref().map_or(&[], |quote| &quote.lines)
    }
}

/// An order as a whole.
#[derive(Clone, Debug)]
pub(super) struct Ordered {
    /// The order.
    pub(super) view: Arc<View>,
    /// Its first row that is a line of it: its amounts stand there.
    pub(super) first_line: u32,
    /// Its first and last row.
    pub(super) span: (u32, u32),
}

/// Takes the rows of a sheet one after the other and writes them somewhere.
pub(super) trait Sink {
    /// A row above the header.
    fn above(&mut self, row: &Row) -> Result<(), ResultError>;
    /// The header.
    fn header(&mut self, row: &Row) -> Result<(), ResultError>;
    /// A row of an order; one in whose own cells nothing stands is of none, and skipped.
    fn line(&mut self, row: &Row, line: &Line<'_>) -> Result<(), ResultError>;
    /// An order, after its first row that is a line of it.
    fn order(&mut self, _order: Ordered) -> Result<(), ResultError> {
        Ok(())
    }
}

/// Gives every row of the sheet to the sink, and counts.
///
/// # Errors
/// What the sink says; [`ResultError::NoOutcome`] where a row with text has no view, or a view no row.
pub(super) fn walk(
    source: &Source<'_>,
    views: &mut Views<'_>,
    sink: &mut impl Sink,
) -> Result<Tally, ResultError> {
    let header = source.sheet.header().number();
    let mut rows = source.sheet.rows().map_err(ResultError::Sheet)?;
    let mut row = Row::default();
    let mut open = Open {
        packs_lines: source.layout.packs_lines(),
        ..Open::default()
    };
    let mut tally = Tally::default();
    while rows.next(&mut row).map_err(ResultError::Sheet)? {
        if row.number() < header {
            sink.above(&row)?;
        } else if row.number() == header {
            sink.header(&row)?;
        } else if let Some(span) = source.index.span(source.layout, &row) {
            let line = open.line(row.number(), span, views)?;
            tally.note(&line, source.catalog)?;
            let begins = line.is_first();
            sink.line(&row, &line)?;
            if begins && let Some(view) = open.view(span) {
                let first_line = row.number();
                sink.order(Ordered {
                    view,
                    first_line,
                    span,
                })?;
            }
            open.close(row.number(), span);
        } else {
            let view = Arc::new(View::of_blank_row(row.number()));
            let (first_line, span) = (row.number(), (row.number(), row.number()));
            let line = Line {
                row: first_line,
                ordinal: 0,
                span,
                view: &view,
                places: Arc::new(Places::of(&view, span)),
                packs_lines: false,
            };
            tally.note(&line, source.catalog)?;
            sink.line(&row, &line)?;
            sink.order(Ordered {
                view: Arc::clone(&view),
                first_line,
                span,
            })?;
        }
    }
    match views.next().transpose()? {
        None => Ok(tally),
        Some(left_over) => Err(ResultError::NoOutcome(left_over.first_row)),
    }
}

/// The orders whose first row has come and whose last row has not, by first row.
#[derive(Debug, Default)]
struct Open {
    packs_lines: bool,
    orders: HashMap<u32, OpenOrder>,
}

/// An order of which rows are still to come.
#[derive(Debug)]
struct OpenOrder {
    view: Arc<View>,
    places: Arc<Places>,
    /// How many lines of it have come.
    seen: usize,
}

/// Where the findings of an order are shown, by their places among its view's: an order may have one for each of its rows,
/// and none of those is to go through them all.
#[derive(Debug, Default)]
struct Places {
    /// The rows that are no lines of it.
    asides: HashSet<u32>,
    by_row: HashMap<u32, Vec<usize>>,
    of_the_order: Vec<usize>,
    first_of_each_code: Vec<usize>,
}

impl Places {
    fn of(view: &View, span: (u32, u32)) -> Self {
        let mut places = Self {
            asides: view.asides().collect(),
            ..Self::default()
        };
        let mut codes = HashSet::new();
        for (place, finding) in view.findings.iter().enumerate() {
            let row = shown_row(finding, span);
            places.by_row.entry(row).or_default().push(place);
            if finding.code == Code::NotToPrint && view.status != Status::Skipped {
                continue;
            }
            places.of_the_order.push(place);
            if codes.insert(finding.code) {
                places.first_of_each_code.push(place);
            }
        }
        places
    }
}

impl Open {
    /// The line of a row, whose order is taken from the views where it begins.
    fn line(&mut self, row: u32, span: (u32, u32), views: &mut Views<'_>) -> Result<Line<'_>, ResultError> {
        if row == span.0 {
            let view = views.next().transpose()?.ok_or(ResultError::NoOutcome(row))?;
            if view.first_row != row {
                return Err(ResultError::NoOutcome(row.min(view.first_row)));
            }
            let order = OpenOrder {
                places: Arc::new(Places::of(&view, span)),
                view: Arc::new(view),
                seen: 0,
            };
            self.orders.insert(row, order);
        }
        let order = self.orders.get_mut(&span.0).ok_or(ResultError::NoOutcome(row))?;
        let ordinal = order.seen;
        if !order.places.asides.contains(&row) {
            if ordinal == 0 && tell_on_a_line(Arc::make_mut(&mut order.view), row, span) {
                order.places = Arc::new(Places::of(&order.view, span));
            }
            order.seen += 1;
        }
        Ok(Line {
            row,
            ordinal,
            span,
            view: &order.view,
            places: Arc::clone(&order.places),
            packs_lines: self.packs_lines,
        })
    }

    /// The order of a span.
    fn view(&self, span: (u32, u32)) -> Option<Arc<View>> {
        self.orders.get(&span.0).map(|order| Arc::clone(&order.view))
    }

    /// Lets an order go whose last row this was.
    fn close(&mut self, row: u32, span: (u32, u32)) {
        if row == span.1 {
            self.orders.remove(&span.0);
        }
    }
}

/// Moves what is said of a whole order, and stands on a row that is no line of it, to its first line; gives whether
/// anything was moved.
fn tell_on_a_line(view: &mut View, first_line: u32, span: (u32, u32)) -> bool {
    let asides: HashSet<u32> = view.asides().collect();
    let stray: Vec<usize> = (0..)
        .zip(&view.findings)
        .filter(|(_, finding)| finding.column.is_none() && finding.code != Code::NotToPrint)
        .filter(|(_, finding)| asides.contains(&shown_row(finding, span)))
        .map(|(place, _)| place)
        .collect();
    for place in &stray {
        if let Some(finding) = view.findings.get_mut(*place) {
            finding.row = first_line;
        }
    }
    !stray.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::result::samples;

    fn views(first_rows: &'static [u32]) -> impl Iterator<Item = Result<View, ResultError>> {
        first_rows
            .iter()
            .map(|row| Ok(samples::created(*row, &format!("order-{row}"))))
    }

    #[test]
    fn interleaved_rows_find_their_own_orders() {
        let mut open = Open::default();
        let mut views = views(&[2, 3]);
        let mut seen = Vec::new();
        for (row, span) in [(2, (2, 4)), (3, (3, 5)), (4, (2, 4)), (5, (3, 5))] {
            let line = open.line(row, span, &mut views).unwrap();
            seen.push((line.view.first_row, line.ordinal));
            open.close(row, span);
        }
        assert_eq!(seen, [(2, 0), (3, 0), (2, 1), (3, 1)]);
        assert!(open.orders.is_empty(), "no order is held beyond its last row");
    }

    #[test]
    fn a_row_of_several_lines_has_no_quote_of_its_own_and_its_products_are_counted() {
        let mut open = Open {
            packs_lines: true,
            ..Open::default()
        };
        let line = open.line(2, (2, 2), &mut views(&[2])).unwrap();
        assert_eq!(line.quote(), None);
        let mut tally = Tally::default();
        tally.note(&line, None).unwrap();
        let part = tally.products.get("TEE-S").unwrap();
        assert_eq!((part.count, part.quoted), (2, Some(samples::money("24.20"))));
        // The quote's discount on the order's shipping.
        assert_eq!(tally.in_no_line().unwrap(), Some(samples::money("-1.00")));
    }

    #[test]
    fn a_row_without_a_view_and_a_view_without_a_row_are_bugs_that_are_told() {
        let mut open = Open::default();
        let none = open.line(2, (2, 2), &mut views(&[])).unwrap_err();
        assert!(matches!(none, ResultError::NoOutcome(2)));
        let skipped = open.line(4, (4, 4), &mut views(&[3])).unwrap_err();
        assert!(matches!(skipped, ResultError::NoOutcome(3)));
    }
}
