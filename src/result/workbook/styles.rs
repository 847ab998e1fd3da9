//! How cells look. Every status has a colour of its own, the same on every page.

use std::ops::Deref;

use rust_xlsxwriter::{Color, Format, FormatAlign, FormatBorder, Workbook, XlsxError};

use crate::finding::Level;
use crate::money::Money;
use crate::outcome::Status;

/// The most decimals that an amount is shown with; the cell keeps what a spreadsheet can keep.
const MAX_DECIMALS: usize = 8;

/// How a date is shown.
pub(super) const DATE: &str = "yyyy-mm-dd";

/// How a time of a day is shown.
pub(super) const TIME: &str = "hh:mm:ss";

/// How a date with its time is shown.
pub(super) const DATE_AND_TIME: &str = "yyyy-mm-dd hh:mm";

/// How cells look. The styles of a workbook are told apart by their numbers: to look a format up by all that it says
/// takes longer than to write its cell.
#[derive(Clone, Debug)]
pub(super) struct Style {
    /// None for one that is made for a single cell.
    number: Option<usize>,
    format: Format,
}

impl Style {
    /// A style for a single cell.
    pub(super) fn single(format: Format) -> Self {
        Self { number: None, format }
    }

    /// Whether it is this style of the same workbook.
    pub(super) fn is(&self, other: &Self) -> bool {
        self.number.is_some() && self.number == other.number
    }
}

impl Deref for Style {
    type Target = Format;

    fn deref(&self) -> &Format {
        &self.format
    }
}

/// The styles of a workbook.
#[derive(Debug)]
pub(super) struct Styles {
    /// Text that stays text when it is typed over: ids, zips, phones.
    pub(super) text: Style,
    /// The header of the sheet's own columns.
    pub(super) own_heading: Style,
    /// The header of a column of numbers.
    pub(super) number_heading: Style,
    /// The header of columns that dropsheet adds.
    pub(super) heading: Style,
    /// The header of a column of text that stands next to numbers.
    pub(super) indented_heading: Style,
    /// Sentences.
    pub(super) wrapped: Style,
    /// Sentences that stand next to a number.
    pub(super) indented_wrapped: Style,
    /// Whole numbers.
    pub(super) count: Style,
    /// The number of a row.
    pub(super) row_number: Style,
    /// Text that stands next to a number.
    pub(super) indented: Style,
    /// A date.
    pub(super) date: Style,
    /// A date and a time.
    pub(super) moment: Style,
    /// A link within the workbook.
    pub(super) link: Style,
    /// A page's title.
    pub(super) title: Style,
    /// A heading within a page.
    pub(super) section: Style,
    /// A label, and the first cell of a row of totals.
    pub(super) label: Style,
    /// The label of a row of totals.
    pub(super) total_label: Style,
    /// A whole number in a row of totals.
    pub(super) total_count: Style,
    /// The fill of a cell with an error.
    error: Style,
    /// The fill of a cell with a warning.
    warning: Style,
    statuses: Vec<(Status, Style)>,
    amounts: Vec<Style>,
    total_amounts: Vec<Style>,
    /// What they all say, in the order of their numbers.
    formats: Vec<Format>,
}

impl Styles {
    pub(super) fn new() -> Self {
        let top = Format::new().set_align(FormatAlign::Top);
        let text = top.clone().set_num_format("@");
        let bold = top.clone().set_bold();
        let heading = bold
            .clone()
            .set_text_wrap()
            .set_background_color(Color::RGB(0x1F_3864))
            .set_font_color(Color::White);
        let total = bold.clone().set_border_top(FormatBorder::Thin);
        let mut formats = Vec::new();
        let mut style = |format: Format| {
            formats.push(format.clone());
            Style {
                number: Some(formats.len()),
                format,
            }
        };
        Self {
            own_heading: style(heading.clone().set_background_color(Color::RGB(0x59_5959))),
            number_heading: style(heading.clone().set_align(FormatAlign::Right)),
            indented_heading: style(heading.clone().set_align(FormatAlign::Left).set_indent(1)),
            heading: style(heading),
            indented_wrapped: style(
                top.clone()
                    .set_text_wrap()
                    .set_align(FormatAlign::Left)
                    .set_indent(1),
            ),
            wrapped: style(top.clone().set_text_wrap()),
            count: style(top.clone().set_num_format("#,##0")),
            row_number: style(top.clone().set_align(FormatAlign::Left)),
            indented: style(text.clone().set_align(FormatAlign::Left).set_indent(1)),
            date: style(top.clone().set_num_format(DATE).set_align(FormatAlign::Left)),
            moment: style(
                top.clone()
                    .set_num_format(DATE_AND_TIME)
                    .set_align(FormatAlign::Left),
            ),
            link: style(
                top.clone()
                    .set_align(FormatAlign::Left)
                    .set_indent(1)
                    .set_font_color(Color::RGB(0x05_63C1))
                    .set_underline(rust_xlsxwriter::FormatUnderline::Single),
            ),
            title: style(Format::new().set_bold().set_font_size(16)),
            section: style(
                Format::new()
                    .set_bold()
                    .set_font_size(12)
                    .set_font_color(Color::RGB(0x1F_3864)),
            ),
            label: style(bold),
            total_count: style(total.clone().set_num_format("#,##0")),
            error: style(text.clone().set_background_color(Color::RGB(0xFF_9B9B))),
            warning: style(text.clone().set_background_color(Color::RGB(0xFF_E08A))),
            statuses: Status::ALL
                .into_iter()
                .map(|status| (status, style(text.clone().set_background_color(colour(status)))))
                .collect(),
            amounts: by_decimals(&top, &mut style),
            total_amounts: by_decimals(&total, &mut style),
            total_label: style(total),
            text: style(text),
            formats,
        }
    }

    /// Makes the styles known to a workbook in an order of their own: its pages may be written by several threads, and
    /// the same content is to give the same bytes.
    ///
    /// # Errors
    /// When there is no room for a scratch file.
    pub(super) fn register(&self, workbook: &mut Workbook) -> Result<(), XlsxError> {
        // A page that is not kept: a format is numbered where it is used first.
        let mut page = workbook.new_worksheet_with_constant_memory()?;
        for format in &self.formats {
            page.set_column_format(0, format)?;
        }
        Ok(())
    }

    /// The colour of a status.
    pub(super) fn status(&self, status: Status) -> &Style {
        let found = self.statuses.iter().find(|(own, _)| *own == status);
        found.map_or(&self.text, |(_, style)| style)
    }

    /// The colour of a cell with a finding.
    pub(super) fn finding(&self, level: Level) -> &Style {
        match level {
            Level::Error => &self.error,
            Level::Warning => &self.warning,
            Level::Note => &self.text,
        }
    }

    /// How an amount is shown: with two decimals, or with as many more as it has.
    pub(super) fn amount(&self, amount: Money) -> &Style {
        with_decimals(&self.amounts, amount).unwrap_or(&self.text)
    }

    /// How nearly all amounts are shown: with two decimals.
    pub(super) fn usual_amount(&self) -> &Style {
        self.amounts.first().unwrap_or(&self.text)
    }

    /// The same in a row of totals.
    pub(super) fn total_amount(&self, amount: Money) -> &Style {
        with_decimals(&self.total_amounts, amount).unwrap_or(&self.total_label)
    }
}

/// A style for each number of decimals that an amount is shown with.
fn by_decimals(base: &Format, style: &mut impl FnMut(Format) -> Style) -> Vec<Style> {
    let shown = |decimals| {
        base.clone()
            .set_num_format(format!("#,##0.{}", "0".repeat(decimals)))
    };
    (2..=MAX_DECIMALS)
        .map(|decimals| style(shown(decimals)))
        .collect()
}

fn with_decimals(styles: &[Style], amount: Money) -> Option<&Style> {
    let amount = amount.decimal();
    let scale = if amount.scale() > 2 {
        amount.normalize().scale()
    } else {
        amount.scale()
    };
    let decimals = usize::try_from(scale).unwrap_or(MAX_DECIMALS);
    styles.get(decimals.clamp(2, MAX_DECIMALS) - 2)
}

/// Green is at the printer, blue is priced, yellow and orange wait, red is to be fixed, grey is left alone.
pub(super) fn colour(status: Status) -> Color {
    Color::RGB(match status {
        Status::Created => 0xA9_D08E,
        Status::AlreadyCreated => 0xE2_EFDA,
        Status::Quoted => 0xBD_D7EE,
        Status::Held => 0xFF_F2CC,
        Status::Waiting => 0xFF_E699,
        Status::Unresolved => 0xF4_B084,
        Status::Invalid => 0xFF_C7CE,
        Status::Refused => 0xF8_A5B0,
        Status::Changed => 0xE4_C1F0,
        Status::Skipped => 0xED_EDED,
        Status::Declined => 0xD9_D9D9,
        Status::Abandoned => 0xBF_BFBF,
        Status::Canceling => 0xFC_E4D6,
        Status::Canceled => 0xD6_DCE4,
        Status::NotCanceled => 0xF8_CBAD,
    })
}
