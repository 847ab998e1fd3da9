//! The Summary's chart, and its money by country and by product.

use std::cmp::Reverse;

use rust_xlsxwriter::{Chart, ChartFont, ChartFormat, ChartPoint, ChartSolidFill, ChartType, XlsxError};

use crate::money::Money;
use crate::result::Title;
use crate::result::tally::{Part, Tally};
use crate::result::workbook::BookError;
use crate::result::workbook::page::At;
use crate::result::workbook::styles::colour;

use super::{NAME, Sum, Writer, words};

/// The most countries, and products, that are listed: the others are one row together.
const LISTED: usize = 20;

/// What a row of the chart takes, and what its title and axis take, in pixels.
const BAR: u32 = 26;
const AROUND_BARS: u32 = 70;

/// Where the chart stands beside the findings, and how far from them, in pixels.
const CHART_COLUMN: u16 = 4;
const CHART_OFFSET: u32 = 12;

/// The width of the chart, in pixels, and the height of a row of cells.
const CHART_WIDTH: u32 = 350;
const ROW_PIXELS: u32 = 20;

impl Writer<'_> {
    /// The orders by status, in the statuses' colours, from the row `beside` on: at the right of what stands there.
    pub(super) fn chart(&mut self, tally: &Tally, beside: u32) -> Result<(), XlsxError> {
        let statuses: Vec<_> = tally.shares().map(|(status, _share)| status).collect();
        let (Some(first), Ok(bars)) = (self.by_status, u32::try_from(statuses.len())) else {
            return Ok(());
        };
        if bars == 0 {
            return Ok(());
        }
        let points: Vec<ChartPoint> = statuses
            .iter()
            .map(|status| {
                let fill = ChartSolidFill::new().set_color(colour(*status)).clone();
                ChartPoint::new().set_format(ChartFormat::new().set_solid_fill(&fill))
            })
            .collect();
        let mut chart = Chart::new(ChartType::Bar);
        chart
            .add_series()
            .set_categories((NAME, first, 0, first + bars - 1, 0))
            .set_values((NAME, first, 2, first + bars - 1, 2))
            .set_points(&points)
            .set_gap(40)
            .set_data_label(rust_xlsxwriter::ChartDataLabel::new().show_value());
        chart
            .title()
            .set_name("Orders by status")
            .set_font(ChartFont::new().set_size(11));
        chart.legend().set_hidden();
        // The first status of the table stands at the top.
        chart.y_axis().set_reverse();
        chart.x_axis().set_hidden(true).set_major_gridlines(false);
        let height = AROUND_BARS + bars * BAR;
        chart.set_width(CHART_WIDTH).set_height(height);
        let column = if self.row < beside { 0 } else { CHART_COLUMN };
        self.page
            .sheet()
            .insert_chart_with_offset(beside, column, &chart, CHART_OFFSET, 0)?;
        self.row = self.row.max(beside + height.div_ceil(ROW_PIXELS));
        Ok(())
    }

    /// The orders with amounts, by country.
    pub(super) fn countries(&mut self, tally: &Tally, title: &Title) -> Result<(), BookError> {
        if tally.countries.is_empty() {
            return Ok(());
        }
        self.section("Orders with amounts, by country")?;
        let money = |what: &str| words::in_currency(what, title);
        let headings = [
            "Country",
            "",
            "Orders",
            &money("Quoted total"),
            &money("Service total"),
        ];
        self.headings(&headings, 2..=4)?;
        let first = self.row;
        for (country, part) in listed(&tally.countries, "other countries")? {
            self.part(&country, &part, &[part.quoted, part.service])?;
        }
        let total = tally.total()?;
        let orders = tally.countries.values().map(|part| part.count).sum();
        let sums = [
            Sum::Blank,
            Sum::Count(orders),
            Sum::Amount(total.quoted),
            Sum::Amount(total.service),
        ];
        self.sums("All countries", &sums, first)?;
        Ok(())
    }

    /// Their lines, by product; what the quotes ask beyond their lines is a row of its own, so that the sum is the
    /// quoted total.
    pub(super) fn products(&mut self, tally: &Tally, title: &Title) -> Result<(), BookError> {
        let Some(in_no_line) = tally.in_no_line()? else {
            return Ok(());
        };
        self.section("Lines with amounts, by product")?;
        let amount = words::in_currency("Quoted total", title);
        self.headings(&["Product", "", "Lines", &amount], 2..=3)?;
        let first = self.row;
        for (product, part) in listed(&tally.products, "other products")? {
            self.part(&product, &part, &[part.quoted])?;
        }
        if !in_no_line.is_zero() {
            self.name(words::IN_NO_LINE)?;
            let format = self.styles.amount(in_no_line);
            self.page.amount(At(self.row, 3), in_no_line, format)?;
            self.row += 1;
        }
        let lines = tally.products.values().map(|part| part.count).sum();
        let sums = [Sum::Blank, Sum::Count(lines), Sum::Amount(tally.total()?.quoted)];
        self.sums("All products", &sums, first)?;
        Ok(())
    }

    /// A name over the first two columns.
    fn name(&mut self, name: &str) -> Result<(), XlsxError> {
        let (row, styles) = (self.row, self.styles);
        self.page
            .sheet()
            .merge_range(row, 0, row, 1, name, &styles.wrapped)?;
        self.page
            .wrap(row, &[(name, super::WIDTHS[0] + super::WIDTHS[1])])
    }

    fn part(&mut self, name: &str, part: &Part, amounts: &[Option<Money>]) -> Result<(), XlsxError> {
        self.name(name)?;
        self.page.count(At(self.row, 2), part.count, &self.styles.count)?;
        for (column, amount) in (3..).zip(amounts) {
            let Some(amount) = *amount else { continue };
            self.page
                .amount(At(self.row, column), amount, self.styles.amount(amount))?;
        }
        self.row += 1;
        Ok(())
    }
}

/// The parts with the most money first; those beyond what is listed are one part together.
fn listed(
    parts: &std::collections::BTreeMap<String, Part>,
    others: &str,
) -> Result<Vec<(String, Part)>, crate::money::TooLarge> {
    let mut sorted: Vec<(String, Part)> = parts.iter().map(|(name, part)| (name.clone(), *part)).collect();
    sorted.sort_by_key(|(_name, part)| Reverse(part.quoted));
    let beyond = sorted.split_off(sorted.len().min(LISTED));
    if beyond.is_empty() {
        return Ok(sorted);
    }
    let mut rest = Part::default();
    for (_name, part) in &beyond {
        rest.count += part.count;
        crate::result::tally::add(&mut rest.quoted, part.quoted)?;
        crate::result::tally::add(&mut rest.service, part.service)?;
    }
    sorted.push((format!("{} {others}", beyond.len()), rest));
    Ok(sorted)
}
