//! One page of a workbook: typed cells, and columns as wide as what stands in them.

use jiff::civil::{Date, DateTime, Time};
use rust_xlsxwriter::{Format, FormatAlign, IntoExcelData, Note, Url, Workbook, Worksheet, XlsxError};

use crate::money::Money;
use crate::result::columns::Cell;
use crate::result::shape::Kept;
use crate::sheet::{CellKind, Look};

use super::dates::{excel_date, excel_moment, excel_time, with_date};
use super::fit::{cut, digits_length, length, lines, width};
use super::styles::{Style, Styles, TIME};

/// The most links of a page: each is held in memory until the end, and a spreadsheet opens slowly with more.
const MAX_LINKS: u32 = 5_000;

/// The height of a line of text, in points, and the most lines that a row shows of a text.
const LINE_HEIGHT: u32 = 15;
const MAX_LINES: u32 = 12;

/// What an indent takes, in characters.
const INDENT: u16 = 2;

/// What a filter's button takes of a heading, in characters.
const BUTTON: u16 = 3;

/// The most notes of a page: each is a drawing, and a spreadsheet with more of them opens slowly.
const MAX_NOTES: u32 = 5_000;

/// The longest note, in characters: nobody reads more in one.
const MAX_NOTE: usize = 2_000;

/// A note's width and the height of a line, in pixels, and what a line holds, in characters.
const NOTE_WIDTH: u32 = 320;
const NOTE_LINE: u32 = 18;
const NOTE_CHARACTERS: u32 = 45;

/// Sheets with more rows keep their texts in the cells.
const MANY_ROWS: u64 = 10_000;

/// Where a workbook keeps its texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Texts {
    /// Once each, beside the cells: a small file, but every different text is held in memory until the end.
    Shared,
    /// In the cells: memory does not grow with the sheet.
    Inline,
}

impl Texts {
    /// What suits a sheet with so many rows.
    pub(super) fn suiting(rows: u64) -> Self {
        if rows > MANY_ROWS {
            Self::Inline
        } else {
            Self::Shared
        }
    }
}

/// A place on a page, counted from 0.
#[derive(Clone, Copy, Debug)]
pub(super) struct At(pub(super) u32, pub(super) u16);

/// A page that is being written, from the top down.
pub(super) struct Page {
    sheet: Worksheet,
    /// The longest line in each column so far, in characters.
    longest: Vec<u16>,
    /// Columns whose width is given, with it.
    fixed: Vec<(u16, u16)>,
    /// How the cells of a column look that are not said to look otherwise.
    looks: Vec<Option<Style>>,
    links: u32,
    notes: u32,
}

impl Page {
    /// A page whose rows go to a scratch file as they are written.
    ///
    /// # Errors
    /// When there is no room for a scratch file.
    pub(super) fn streamed(workbook: &mut Workbook, texts: Texts, name: &str) -> Result<Self, XlsxError> {
        let sheet = match texts {
            Texts::Shared => workbook.new_worksheet_with_low_memory()?,
            Texts::Inline => workbook.new_worksheet_with_constant_memory()?,
        };
        Self::named(sheet, name)
    }

    /// A short page, held in memory.
    ///
    /// # Errors
    /// When the name is none that a page may have.
    pub(super) fn short(name: &str) -> Result<Self, XlsxError> {
        Self::named(Worksheet::new(), name)
    }

    fn named(mut sheet: Worksheet, name: &str) -> Result<Self, XlsxError> {
        sheet.set_name(name)?;
        Ok(Self {
            sheet,
            longest: Vec::new(),
            fixed: Vec::new(),
            looks: Vec::new(),
            links: 0,
            notes: 0,
        })
    }

    /// Has the cells of a column look so: those that are written, and those that somebody fills in.
    ///
    /// # Errors
    /// When the column is off the page.
    pub(super) fn look(&mut self, column: u16, style: &Style) -> Result<(), XlsxError> {
        let place = usize::from(column);
        if self.looks.len() <= place {
            self.looks.resize(place + 1, None);
        }
        if let Some(look) = self.looks.get_mut(place) {
            *look = Some(style.clone());
        }
        self.sheet.set_column_format(column, style)?;
        Ok(())
    }

    /// Writes a cell; one that looks as its column does needs no style of its own.
    fn put(
        &mut self,
        At(row, column): At,
        value: impl IntoExcelData,
        style: &Style,
    ) -> Result<(), XlsxError> {
        let look = self.looks.get(usize::from(column)).and_then(Option::as_ref);
        if look.is_some_and(|look| look.is(style)) {
            self.sheet.write(row, column, value)?;
        } else {
            self.sheet.write_with_format(row, column, value, style)?;
        }
        Ok(())
    }

    /// Text; what a cell cannot hold is cut, with a mark.
    ///
    /// # Errors
    /// When the place is off the page. So for all that write.
    pub(super) fn text(&mut self, at: At, text: &str, style: &Style) -> Result<(), XlsxError> {
        self.measure(at, text);
        self.unmeasured(at, text, style)
    }

    /// A sentence, which makes its column no wider.
    pub(super) fn unmeasured(&mut self, at: At, text: &str, style: &Style) -> Result<(), XlsxError> {
        if text.is_empty() {
            let At(row, column) = at;
            self.sheet.write_blank(row, column, style)?;
            return Ok(());
        }
        self.put(at, cut(text), style)
    }

    /// Makes a row high enough for wrapped texts, each given with the width of its cell in characters: not every
    /// program does so by itself. To be called before the page goes on to the next row.
    pub(super) fn wrap(&mut self, row: u32, texts: &[(&str, u16)]) -> Result<(), XlsxError> {
        // Widths are counted in zeros; most letters of a sentence are narrower.
        let in_letters = |width: u16| width.saturating_add(width / 8);
        let lines = texts
            .iter()
            .map(|(text, width)| lines(text, in_letters(*width)))
            .max();
        let lines = lines.unwrap_or(1).min(MAX_LINES);
        if lines > 1 {
            self.sheet.set_row_height(row, lines * LINE_HEIGHT)?;
        }
        Ok(())
    }

    /// Text that stands next to a number, a little apart from it; nothing where there is none.
    pub(super) fn indented(&mut self, at: At, text: &str, styles: &Styles) -> Result<(), XlsxError> {
        if text.is_empty() {
            return Ok(());
        }
        self.widen(at, length(text).saturating_add(INDENT));
        self.unmeasured(at, text, &styles.indented)
    }

    /// A heading with room for its filter's button.
    pub(super) fn heading(&mut self, at: At, text: &str, style: &Style) -> Result<(), XlsxError> {
        self.widen(at, length(text).saturating_add(BUTTON));
        self.unmeasured(at, text, style)
    }

    /// A heading that is wrapped over the lines of a high row, so that a narrow column can have a long one.
    pub(super) fn wrapped_heading(&mut self, at: At, text: &str, style: &Style) -> Result<(), XlsxError> {
        let longest_word = text.split(' ').map(length).max().unwrap_or(0);
        self.widen(at, longest_word.saturating_add(1));
        self.unmeasured(at, text, style)
    }

    /// A whole number.
    pub(super) fn count(&mut self, at: At, count: u64, style: &Style) -> Result<(), XlsxError> {
        self.put(at, u32::try_from(count).unwrap_or(u32::MAX), style)
    }

    /// An amount, as a number.
    pub(super) fn amount(&mut self, at: At, amount: Money, style: &Style) -> Result<(), XlsxError> {
        let digits = amount.to_string();
        self.widen(at, digits_length(&digits));
        // A spreadsheet knows no decimals, only floats: the nearest one is taken here, at the very end, and nothing
        // is computed with it.
        match digits.parse::<f64>() {
            Ok(number) => self.put(at, number, style),
            Err(_not_a_number) => self.put(at, digits, style),
        }
    }

    /// A date.
    pub(super) fn date(&mut self, at: At, date: Date, style: &Style) -> Result<(), XlsxError> {
        self.widen(at, 10);
        match excel_date(date) {
            Some(date) => self.put(at, date?, style),
            None => self.put(at, date.to_string(), style),
        }
    }

    /// A date and a time, to the second.
    pub(super) fn moment(&mut self, at: At, moment: DateTime, style: &Style) -> Result<(), XlsxError> {
        self.widen(at, 16);
        match excel_moment(moment) {
            Some(moment) => self.put(at, moment?, style),
            None => self.put(at, moment.to_string(), style),
        }
    }

    /// A typed cell; a blank one is not written.
    pub(super) fn cell(&mut self, at: At, cell: &Cell, styles: &Styles) -> Result<(), XlsxError> {
        match cell {
            Cell::Blank => Ok(()),
            Cell::Text(text) => self.text(at, text, &styles.text),
            Cell::Amount(amount) => self.amount(at, *amount, styles.amount(*amount)),
            Cell::Date(date) => self.date(at, *date, &styles.date),
        }
    }

    /// A cell of the sheet's own, as it came: dates and truths as such, numbers where they count something, everything
    /// else as text, for an id or a zip that becomes a number is damaged. A blank one is only coloured.
    pub(super) fn own(&mut self, at: At, cell: &Kept<'_>, style: &Style) -> Result<(), XlsxError> {
        match cell.kind {
            CellKind::Date => match cell.text.parse::<DateTime>() {
                Ok(moment) => self.moment(at, moment, &Style::single(with_date(style, moment))),
                Err(_no_day) => self.time(at, cell, style),
            },
            CellKind::Bool => self.truth(at, cell.text == "TRUE", style),
            CellKind::Number if cell.keeps_numbers => match cell.text.parse::<Money>() {
                Ok(number) => self.amount(at, number, &as_it_looked(cell, style)),
                // One with more digits than an amount can have.
                Err(_no_amount) => self.float(at, cell, style),
            },
            CellKind::Blank
            | CellKind::Text
            | CellKind::Number
            | CellKind::LostDigits
            | CellKind::Error
            | CellKind::NoValue => self.text(at, &cell.text, style),
        }
    }

    fn float(&mut self, at: At, cell: &Kept<'_>, style: &Style) -> Result<(), XlsxError> {
        match cell.text.parse::<f64>() {
            Ok(number) => self.put(at, number, &as_it_looked(cell, style)),
            Err(_as_it_was_shown) => self.text(at, &cell.text, style),
        }
    }

    /// A time of a day in a column of the sheet's own; text where it is more than a day, or has another place.
    fn time(&mut self, at: At, cell: &Kept<'_>, style: &Style) -> Result<(), XlsxError> {
        let time = cell.text.parse::<Time>().ok().filter(|_| cell.keeps_numbers);
        match time {
            Some(time) => {
                self.widen(at, 8);
                let shown = Format::clone(style)
                    .set_num_format(TIME)
                    .set_align(FormatAlign::Left);
                self.put(at, excel_time(time)?, &Style::single(shown))
            }
            None => self.text(at, cell.as_text(), style),
        }
    }

    fn truth(&mut self, at: At, truth: bool, style: &Style) -> Result<(), XlsxError> {
        self.widen(at, 5);
        let left = Format::clone(style).set_align(FormatAlign::Left);
        self.put(at, truth, &Style::single(left))
    }

    /// A link to a cell of this workbook, `Results!F14`; plain text where the page has too many.
    pub(super) fn link(
        &mut self,
        at: At,
        target: &str,
        text: &str,
        styles: &Styles,
    ) -> Result<(), XlsxError> {
        if self.links >= MAX_LINKS {
            return self.indented(at, text, styles);
        }
        self.links += 1;
        self.widen(at, length(text).saturating_add(INDENT));
        let At(row, column) = at;
        let url = Url::new(format!("internal:{target}")).set_text(text);
        self.sheet
            .write_url_with_format(row, column, &url, &styles.link)?;
        Ok(())
    }

    /// The same with a whole number in the cell, so that the column is sorted by it.
    pub(super) fn numbered_link(
        &mut self,
        at: At,
        target: &str,
        number: u32,
        styles: &Styles,
    ) -> Result<(), XlsxError> {
        if self.links >= MAX_LINKS {
            return self.put(at, number, &styles.row_number);
        }
        self.link(at, target, &number.to_string(), styles)?;
        let At(row, column) = at;
        // The link stays where another value is written over its text.
        self.sheet
            .write_number_with_format(row, column, number, &styles.link)?;
        Ok(())
    }

    /// A note at a cell; none where the page has too many.
    pub(super) fn note(&mut self, At(row, column): At, text: &str) -> Result<(), XlsxError> {
        if text.is_empty() || self.notes >= MAX_NOTES {
            return Ok(());
        }
        self.notes += 1;
        let shown: String = text.chars().take(MAX_NOTE).collect();
        let characters = u32::try_from(shown.chars().count()).unwrap_or(u32::MAX);
        let lines = (characters / NOTE_CHARACTERS).saturating_add(2).min(20);
        let note = Note::new(shown)
            .set_author("dropsheet")
            .add_author_prefix(false)
            .set_width(NOTE_WIDTH)
            .set_height(lines * NOTE_LINE);
        self.sheet.insert_note(row, column, &note)?;
        Ok(())
    }

    /// Makes a column at least so wide, in characters.
    pub(super) fn widen(&mut self, At(_, column): At, characters: u16) {
        let column = usize::from(column);
        if self.longest.len() <= column {
            self.longest.resize(column + 1, 0);
        }
        if let Some(longest) = self.longest.get_mut(column) {
            *longest = characters.max(*longest);
        }
    }

    /// Makes a column exactly so wide, in characters, whatever stands in it.
    pub(super) fn fix(&mut self, column: u16, characters: u16) {
        self.fixed.push((column, characters));
    }

    fn measure(&mut self, at: At, text: &str) {
        self.widen(at, length(text));
    }

    /// How wide the columns from the left up to `end` will be together, in characters.
    pub(super) fn width_of(&self, end: u16) -> u32 {
        let columns = self.longest.iter().take(usize::from(end));
        columns.map(|longest| u32::from(width(*longest))).sum()
    }

    /// The sheet itself, for what concerns the whole of it.
    pub(super) fn sheet(&mut self) -> &mut Worksheet {
        &mut self.sheet
    }

    /// Sets the columns' widths and how the page prints, and gives the sheet.
    pub(super) fn finish(mut self) -> Result<Worksheet, XlsxError> {
        for (column, longest) in self.longest.iter().enumerate() {
            let column = column_number(column);
            self.sheet.set_column_width(column, width(*longest))?;
        }
        for (column, characters) in &self.fixed {
            self.sheet.set_column_width(*column, *characters)?;
        }
        self.sheet
            .set_landscape()
            .set_paper_size(9)
            .set_margins(0.4, 0.4, 0.5, 0.6, 0.3, 0.3)
            .set_footer("&L&F&C&A&RPage &P of &N");
        Ok(self.sheet)
    }
}

/// The style of a number of the sheet's own.
fn as_it_looked(cell: &Kept<'_>, style: &Style) -> Style {
    let code = cell.look.map_or_else(|| "General".to_owned(), Look::code);
    Style::single(Format::clone(style).set_num_format(code))
}

/// A column's number as the library counts; one off the page is refused when it is written.
pub(super) fn column_number(column: usize) -> u16 {
    u16::try_from(column).unwrap_or(u16::MAX)
}
