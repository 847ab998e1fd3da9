//! The cells of a sheet as they come from a reading library, put together into rows.

use std::collections::BTreeSet;

use super::super::reject::{broken, cell_too_long, too_many_columns};
use super::super::{CellKind, Look, MAX_CELL_UNITS, MAX_COLUMNS, Row};
use super::Trouble;
use super::merges::Merges;

/// Cells with an error or without a value whose places are kept; a sheet with more is broken in another way.
pub(super) const MAX_MARKED: usize = 100_000;
/// Bytes of text in a row: a sheet whose rows are longer holds no orders.
const MAX_ROW_BYTES: usize = 4 * 1024 * 1024;

/// A cell's row and column, both counted from 0.
pub(super) type CellPosition = (u32, u32);

/// Takes a finished row; says whether the next one is wanted.
pub(super) type Sink<'a> = dyn FnMut(&Row) -> Result<bool, Trouble> + 'a;

/// One reading of a sheet's cells into rows.
pub(super) struct Cells {
    /// How many columns the header has.
    width: u32,
    /// Only so many rows are looked at: what lies beyond the limits is left to the reading that counts.
    looking: Option<u32>,
    /// Whether such a look goes on until a row with text was given.
    to_text: bool,
    merges: Merges,
    last: Option<CellPosition>,
    /// Errors that the library does not know, seen since `last`: it does not say where they stand.
    unplaced: Vec<String>,
    marked: usize,
    row: Row,
    /// The text of the cell that is put next.
    pub(super) text: String,
    /// Whether any of it is struck through.
    pub(super) is_struck: bool,
    /// How its number looks.
    pub(super) look: Option<Look>,
}

impl Cells {
    /// A reading of the first rows, to look for the header.
    pub(super) fn looking(rows: u32) -> Self {
        Self {
            looking: Some(rows),
            ..Self::new(0, Merges::default())
        }
    }

    /// The same, which goes on to the first row with text: a sheet that begins below the rows that are looked at is not
    /// empty.
    pub(super) fn looking_for_text(rows: u32) -> Self {
        Self {
            to_text: true,
            ..Self::looking(rows)
        }
    }

    /// A reading of every row under a header of `width` columns.
    pub(super) fn new(width: u32, merges: Merges) -> Self {
        Self {
            width,
            looking: None,
            to_text: false,
            merges,
            last: None,
            unplaced: Vec::new(),
            marked: 0,
            row: Row::default(),
            text: String::new(),
            is_struck: false,
            look: None,
        }
    }

    /// Whether this is only a look at the first rows.
    pub(super) fn is_look(&self) -> bool {
        self.looking.is_some()
    }

    /// Notes an error cell whose place the library does not tell.
    pub(super) fn hold_error(&mut self, error: String) -> Result<(), Trouble> {
        if self.unplaced.len() >= MAX_MARKED {
            return Err(broken("it has more error cells than can be told").into());
        }
        self.unplaced.push(error);
        Ok(())
    }

    /// Puts the cell whose text is in `self.text`; says whether the next one is wanted.
    pub(super) fn put(
        &mut self,
        place: CellPosition,
        kind: CellKind,
        sink: &mut Sink<'_>,
    ) -> Result<bool, Trouble> {
        if !self.unplaced.is_empty() {
            let (text, is_struck, look) = (
                std::mem::take(&mut self.text),
                std::mem::take(&mut self.is_struck),
                self.look.take(),
            );
            let wanted = self.place_errors(place, sink)?;
            (self.text, self.is_struck, self.look) = (text, is_struck, look);
            if !wanted {
                return Ok(false);
            }
        }
        self.put_here(place, kind, sink)
    }

    fn put_here(
        &mut self,
        place: CellPosition,
        kind: CellKind,
        sink: &mut Sink<'_>,
    ) -> Result<bool, Trouble> {
        if self.last.is_some_and(|last| last >= place) {
            let row = place.0.saturating_add(1);
            return Err(broken(format_args!("the cells of row {row} are out of order")).into());
        }
        if !self.turn_to(place.0, sink)? {
            return Ok(false);
        }
        self.last = Some(place);
        if kind == CellKind::Blank {
            return Ok(true);
        }
        let column = usize::try_from(place.1).unwrap_or(usize::MAX);
        if column >= MAX_COLUMNS {
            if self.is_look() {
                return Ok(true);
            }
            return Err(too_many_columns(self.row.number()).into());
        }
        let too_long = self.text.len() > MAX_CELL_UNITS && self.text.encode_utf16().count() > MAX_CELL_UNITS;
        if too_long || self.row.text.len().saturating_add(self.text.len()) > MAX_ROW_BYTES {
            if self.is_look() {
                return Ok(true);
            }
            return Err(cell_too_long(self.row.number()).into());
        }
        while self.row.len() < column {
            self.row.push("", CellKind::Blank);
        }
        self.row.push(&self.text, kind);
        if self.is_struck {
            self.row.strike_last();
        }
        if let Some(look) = self.look.filter(|_| kind == CellKind::Number) {
            self.row.look_last(look);
        }
        Ok(true)
    }

    /// Gives the row before `index` away, if that is another.
    fn turn_to(&mut self, index: u32, sink: &mut Sink<'_>) -> Result<bool, Trouble> {
        let number = index.saturating_add(1);
        if self.row.number() == number {
            return Ok(true);
        }
        let wanted = self.give(sink)? && (self.to_text || self.looking.is_none_or(|rows| number <= rows));
        self.row.start(number);
        Ok(wanted)
    }

    /// Gives the row away, if anything is in it.
    fn give(&mut self, sink: &mut Sink<'_>) -> Result<bool, Trouble> {
        if self.row.is_empty() {
            return Ok(true);
        }
        self.merges.fill(&mut self.row);
        self.to_text &= self.row.is_blank();
        sink(&self.row)
    }

    /// Marks every place where an unplaced error can stand, from the last cell to `next`. In the rows of a whole table
    /// that is one place; where it is several, none of them may pass for blank.
    fn place_errors(&mut self, next: CellPosition, sink: &mut Sink<'_>) -> Result<bool, Trouble> {
        let errors = std::mem::take(&mut self.unplaced);
        if self.is_look() {
            return Ok(true);
        }
        let (mut row, mut column) = self
            .last
            .map_or((0, 0), |(row, column)| (row, column.saturating_add(1)));
        let mut places = Vec::new();
        while (row, column) < next {
            if row < next.0 && column >= self.width {
                (row, column) = (row.saturating_add(1), 0);
                continue;
            }
            places.push((row, column));
            column = column.saturating_add(1);
            self.marked = self.marked.saturating_add(1);
            if self.marked > MAX_MARKED {
                return Err(broken("it has error cells whose places cannot be told").into());
            }
        }
        if places.len() < errors.len() {
            let row = next.0.saturating_add(1);
            let what = format_args!("the place of an error cell near row {row} cannot be told").to_string();
            return Err(broken(what).into());
        }
        let exact = places.len() == errors.len();
        for (n, place) in places.into_iter().enumerate() {
            // Which of several errors stands where is only known where they fill the gap.
            let shown = errors
                .get(if exact { n } else { 0 })
                .map_or("#ERROR!", String::as_str);
            self.text.clear();
            self.text.push_str(shown);
            if !self.put_here(place, CellKind::Error, sink)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Ends the reading: what is left is given.
    pub(super) fn finish(&mut self, sink: &mut Sink<'_>) -> Result<(), Trouble> {
        if !self.unplaced.is_empty() {
            let end = self.last.map_or((0, 0), |last| last);
            // Errors after the last cell: to the end of its row, or, where that row is full, of the next one.
            let needed = u32::try_from(self.unplaced.len()).unwrap_or(u32::MAX);
            let left = self.width.saturating_sub(end.1.saturating_add(1));
            let rows = needed.saturating_sub(left).div_ceil(self.width.max(1));
            let next = (end.0.saturating_add(rows).saturating_add(1), 0);
            if !self.place_errors(next, sink)? {
                return Ok(());
            }
        }
        self.give(sink).map(|_wanted| ())
    }
}

/// Places of formulas, in order: those at which no value comes are marked when the reading has passed them.
pub(super) struct Formulas {
    places: std::iter::Peekable<std::collections::btree_set::IntoIter<CellPosition>>,
}

impl Formulas {
    pub(super) fn new(places: BTreeSet<CellPosition>) -> Self {
        Self {
            places: places.into_iter().peekable(),
        }
    }

    /// Marks the formulas before a place; one at it has its value.
    pub(super) fn pass(
        &mut self,
        next: CellPosition,
        cells: &mut Cells,
        sink: &mut Sink<'_>,
    ) -> Result<bool, Trouble> {
        while let Some(place) = self.places.next_if(|place| *place <= next) {
            if place == next {
                break;
            }
            cells.text.clear();
            if !cells.put(place, CellKind::NoValue, sink)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
