//! How cells look. Every status has a colour of its own, the same on every page.

use rust_xlsxwriter::{Color, Format, FormatAlign, FormatBorder};

use crate::finding::Level;
use crate::money::Money;
use crate::outcome::Status;

/// The most decimals that an amount is shown with; the cell keeps what a spreadsheet can keep.
const MAX_DECIMALS: usize = 8;

/// How a date is shown.
pub(super) const DATE: &str = "yyyy-mm-dd";

/// How a date with its time is shown.
pub(super) const DATE_AND_TIME: &str = "yyyy-mm-dd hh:mm";

/// The formats of a workbook.
#[derive(Debug)]
pub(super) struct Styles {
    /// Text that stays text when it is typed over: ids, zips, phones.
    pub(super) text: Format,
    /// The header of the sheet's own columns.
    pub(super) own_heading: Format,
    /// The header of a column of numbers.
    pub(super) number_heading: Format,
    /// The header of columns that dropsheet adds.
    pub(super) heading: Format,
    /// The header of a column of text that stands next to numbers.
    pub(super) indented_heading: Format,
    /// Sentences.
    pub(super) wrapped: Format,
    /// Sentences that stand next to a number.
    pub(super) indented_wrapped: Format,
    /// Whole numbers.
    pub(super) count: Format,
    /// The number of a row.
    pub(super) row_number: Format,
    /// Text that stands next to a number.
    pub(super) indented: Format,
    /// A date.
    pub(super) date: Format,
    /// A date and a time.
    pub(super) moment: Format,
    /// A link within the workbook.
    pub(super) link: Format,
    /// A page's title.
    pub(super) title: Format,
    /// A heading within a page.
    pub(super) section: Format,
    /// A label, and the first cell of a row of totals.
    pub(super) label: Format,
    /// The label of a row of totals.
    pub(super) total_label: Format,
    /// A whole number in a row of totals.
    pub(super) total_count: Format,
    /// The fill of a cell with an error.
    error: Format,
    /// The fill of a cell with a warning.
    warning: Format,
    statuses: Vec<(Status, Format)>,
    amounts: Vec<Format>,
    total_amounts: Vec<Format>,
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
        let by_decimals = |base: &Format| {
            (2..=MAX_DECIMALS)
                .map(|decimals| {
                    base.clone()
                        .set_num_format(format!("#,##0.{}", "0".repeat(decimals)))
                })
                .collect()
        };
        Self {
            own_heading: heading.clone().set_background_color(Color::RGB(0x59_5959)),
            number_heading: heading.clone().set_align(FormatAlign::Right),
            indented_heading: heading.clone().set_align(FormatAlign::Left).set_indent(1),
            heading,
            indented_wrapped: top
                .clone()
                .set_text_wrap()
                .set_align(FormatAlign::Left)
                .set_indent(1),
            wrapped: top.clone().set_text_wrap(),
            count: top.clone().set_num_format("#,##0"),
            row_number: top.clone().set_align(FormatAlign::Left),
            indented: text.clone().set_align(FormatAlign::Left).set_indent(1),
            date: top.clone().set_num_format(DATE).set_align(FormatAlign::Left),
            moment: top
                .clone()
                .set_num_format(DATE_AND_TIME)
                .set_align(FormatAlign::Left),
            link: top
                .clone()
                .set_align(FormatAlign::Left)
                .set_indent(1)
                .set_font_color(Color::RGB(0x05_63C1))
                .set_underline(rust_xlsxwriter::FormatUnderline::Single),
            title: Format::new().set_bold().set_font_size(16),
            section: Format::new()
                .set_bold()
                .set_font_size(12)
                .set_font_color(Color::RGB(0x1F_3864)),
            label: bold,
            total_count: total.clone().set_num_format("#,##0"),
            error: text.clone().set_background_color(Color::RGB(0xFF_9B9B)),
            warning: text.clone().set_background_color(Color::RGB(0xFF_E08A)),
            statuses: Status::ALL
                .into_iter()
                .map(|status| (status, text.clone().set_background_color(colour(status))))
                .collect(),
            amounts: by_decimals(&top),
            total_amounts: by_decimals(&total),
            total_label: total,
            text,
        }
    }

    /// The colour of a status.
    pub(super) fn status(&self, status: Status) -> &Format {
        let found = self.statuses.iter().find(|(own, _)| *own == status);
        found.map_or(&self.text, |(_, format)| format)
    }

    /// The colour of a cell with a finding.
    pub(super) fn finding(&self, level: Level) -> &Format {
        match level {
            Level::Error => &self.error,
            Level::Warning => &self.warning,
            Level::Note => &self.text,
        }
    }

    /// How an amount is shown: with two decimals, or with as many more as it has.
    pub(super) fn amount(&self, amount: Money) -> &Format {
        with_decimals(&self.amounts, amount).unwrap_or(&self.text)
    }

    /// The same in a row of totals.
    pub(super) fn total_amount(&self, amount: Money) -> &Format {
        with_decimals(&self.total_amounts, amount).unwrap_or(&self.total_label)
    }
}

fn with_decimals(formats: &[Format], amount: Money) -> Option<&Format> {
    let decimals = usize::try_from(amount.decimal().normalize().scale()).unwrap_or(MAX_DECIMALS);
    formats.get(decimals.clamp(2, MAX_DECIMALS) - 2)
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
