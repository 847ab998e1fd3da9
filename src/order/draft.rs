//! An order as its rows say it: what the rows agree on, where they differ, what is to be done with it.

mod action;
mod footer;
mod former;
mod notes;
mod pieces;
mod shop;

use std::collections::HashMap;
use std::sync::Arc;

use crate::finding::{CellRef, Code, Finding, Level as Grade};
use crate::money::Money;

use super::amount;
use super::cells::Cells;
use super::columns::{Field, Level};
use super::fingerprint::{self, Fingerprint};
use super::group::{Content, Gathered};
use super::instead;
use super::layout::Layout;
use super::mend::quoted;
use super::places::{self, Country};
use super::standing::{self, Standing, UnprintedRow, Why};
use super::zip;

pub(super) use former::former_id;
pub use shop::MapLine;

/// What is to be done with an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Create it: the default.
    Create,
    /// Cancel it.
    Cancel,
}

/// An order as its rows say it: cells mended where that is certain, nothing checked against the catalog.
#[derive(Clone, Debug)]
pub struct Draft {
    layout: Arc<Layout>,
    rows: Vec<u32>,
    lines: Vec<Cells>,
    /// Rows of a shop's export that are no lines to print.
    aside: Vec<UnprintedRow>,
    standing: Standing,
    action: Action,
    expected_total: Option<Money>,
    repeated_rows: bool,
    /// Whether another order of the sheet has its id in another writing.
    has_alike: bool,
    /// The first row of the order of its sheet that its id speaks of, with a word for an end beside it.
    of_another: Option<u32>,
    left_out: usize,
    /// Whether its rows have no more than an id and an action that is not clear.
    says_no_order: bool,
    findings: Vec<Finding>,
}

/// What is to be done besides about a wrong cell that other rows of its order have too.
const CORRECT_EACH: &str = "Other rows of the order say the same: correct it there too.";

/// A cell that speaks for the whole order.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Value<'a> {
    /// Its text; empty where no row has one.
    pub(crate) text: &'a str,
    /// The row it stands in: the order's first row with a text, else its first row.
    pub(crate) row: u32,
}

/// Where a finding points: at a field in a row, or, as several lines may stand in one row, at a line's own.
#[derive(Clone, Copy, Debug)]
pub(crate) enum At<'a> {
    Row(Field, u32),
    Line(Field, &'a Cells),
}

impl At<'_> {
    pub(crate) fn field(self) -> Field {
        match self {
            At::Row(field, _) | At::Line(field, _) => field,
        }
    }

    fn row(self) -> u32 {
        match self {
            At::Row(_, row) => row,
            At::Line(_, line) => line.row(),
        }
    }
}

impl From<(Field, u32)> for At<'_> {
    fn from((field, row): (Field, u32)) -> Self {
        Self::Row(field, row)
    }
}

impl<'a> From<(Field, &'a Cells)> for At<'a> {
    fn from((field, line): (Field, &'a Cells)) -> Self {
        Self::Line(field, line)
    }
}

impl Draft {
    pub(crate) fn new(layout: &Arc<Layout>, gathered: Gathered) -> Self {
        let mut rows: Vec<u32> = gathered.lines.iter().map(Cells::row).collect();
        rows.dedup();
        let mut draft = Self {
            layout: Arc::clone(layout),
            rows,
            lines: gathered.lines,
            aside: Vec::new(),
            standing: Standing::default(),
            action: Action::Create,
            expected_total: None,
            repeated_rows: false,
            has_alike: false,
            of_another: None,
            left_out: gathered.left_out,
            says_no_order: false,
            findings: gathered.findings,
        };
        if gathered.repeats_header {
            draft.aside = standing::repeats_header(&mut draft.lines);
            draft.findings.clear();
            return draft;
        }
        draft.read_action();
        if draft.action == Action::Cancel {
            // As the order itself was read, which it may have to be told from.
            instead::find(&mut draft.lines, &mut draft.findings);
            draft.fix_zips();
            draft.keep_findings_of_a_cancel();
            return draft;
        }
        draft.set_bare_rows_aside();
        instead::find(&mut draft.lines, &mut draft.findings);
        (draft.aside, draft.standing) = standing::sort_out(layout, &mut draft.lines, gathered.order_of_days);
        draft.keep_findings_of_lines();
        draft.fix_zips();
        draft.read_expected_total();
        // Rows whose id lost its digits may be of many orders: they need not agree.
        if !draft.lines.iter().any(|line| line.is_spoiled(Field::OrderId)) {
            draft.find_differing_values();
            draft.find_repeated_rows(&gathered.contents);
        }
        draft
    }

    /// The order's id as in the sheet, mended; empty where it is missing.
    pub fn order_id(&self) -> &str {
        self.value(Field::OrderId).text
    }

    /// Its rows that have no id in a sheet where each row ought to have it, or something else in its place.
    pub(crate) fn rows_without_id(&self) -> impl Iterator<Item = u32> {
        let is_open =
            |line: &&Cells| line.text(Field::OrderId).is_empty() && !line.is_spoiled(Field::OrderId);
        let names_each_row = self.layout.names_each_row();
        let ought = move |line: &&Cells| names_each_row || !line.written(Field::OrderId).is_empty();
        self.lines
            .iter()
            .filter(move |line| is_open(line) && ought(line))
            .map(Cells::row)
    }

    /// What stands in the place of the id in one of these; empty where nothing does.
    pub(crate) fn instead_of_id(&self, row: u32) -> &str {
        let line = self.lines.iter().find(|line| line.row() == row);
        line.map_or("", |line| line.written(Field::OrderId))
    }

    /// The rows of its lines, as the spreadsheet shows them, in order; never empty.
    pub fn rows(&self) -> &[u32] {
        &self.rows
    }

    /// How many more rows it has, which were not read for there are too many: nothing else that is said of the order is
    /// the whole of it.
    pub fn left_out(&self) -> usize {
        self.left_out
    }

    /// What is to be done with it.
    pub fn action(&self) -> Action {
        self.action
    }

    /// The total that the merchant expects.
    pub fn expected_total(&self) -> Option<Money> {
        self.expected_total
    }

    /// The SKUs of its lines, in order, mended; empty where one is missing.
    pub fn skus(&self) -> impl Iterator<Item = &str> {
        self.lines.iter().map(|line| line.text(Field::ItemSku))
    }

    /// Whether rows of it are equal in every cell: pasted twice? Such an order is held.
    pub fn repeated_rows(&self) -> bool {
        self.repeated_rows
    }

    /// Whether another order of the sheet has an id that differs from its own in writing alone: are they one? Such an order
    /// is held.
    pub fn has_alike(&self) -> bool {
        self.has_alike
    }

    /// The same order of a sheet that has such another one, or none.
    #[must_use]
    pub(super) fn beside_one_alike(self, has_alike: bool) -> Self {
        Self { has_alike, ..self }
    }

    /// Findings of mending and grouping.
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// The merchant's own content.
    pub fn fingerprint(&self) -> Fingerprint {
        Fingerprint::of(self)
    }

    /// The same as [`Draft::fingerprint`], in the version of one that was kept, to compare it with.
    pub fn fingerprint_like(&self, kept: &str) -> Fingerprint {
        Fingerprint::like(kept, self)
    }

    /// What it says otherwise than an order that was kept under this id, by the names of the fields: of what it leaves
    /// blank it says nothing.
    pub(crate) fn contradicts(&self, kept: &Fingerprint, order_id: &str) -> Vec<String> {
        kept.contradicted(order_id, self)
    }

    /// Whether it says anything of what is to be printed and where it goes, and not its id and an action alone.
    pub(crate) fn has_content(&self) -> bool {
        fingerprint::has_content(self)
    }

    /// The cells of the lines to print, in the order of their rows.
    pub(crate) fn lines(&self) -> &[Cells] {
        &self.lines
    }

    /// The cells of every row that is a line of the order, to be printed or not.
    pub(super) fn content_lines(&self) -> impl Iterator<Item = &Cells> {
        let aside = self.aside.iter().filter(|aside| aside.why != Why::NoLine);
        self.lines.iter().chain(aside.map(|aside| &aside.cells))
    }

    /// The cells of every row.
    fn cells(&self) -> impl Iterator<Item = &Cells> {
        self.lines
            .iter()
            .chain(self.aside.iter().map(|aside| &aside.cells))
    }

    /// What the order's rows say of a field that speaks of the whole order.
    pub(crate) fn value(&self, field: Field) -> Value<'_> {
        let is_filled = |line: &&Cells| !line.text(field).is_empty();
        let line = if self.aside.is_empty() {
            // They stand in the order of their rows.
            self.lines.iter().find(is_filled).or(self.lines.first())
        } else {
            let filled = self.cells().filter(is_filled).min_by_key(|line| line.row());
            filled.or_else(|| self.cells().min_by_key(|line| line.row()))
        };
        Value {
            text: line.map_or("", |line| line.text(field)),
            row: line.map_or(0, Cells::row),
        }
    }

    /// Whether the field's value was lost in some row; a finding says so already.
    pub(crate) fn is_spoiled(&self, field: Field) -> bool {
        self.cells().any(|line| line.is_spoiled(field))
    }

    /// Whether a row has a whole order, and cells in it several items.
    pub(crate) fn packs_lines(&self) -> bool {
        self.layout.packs_lines()
    }

    /// Whether the sheet has a column for the field.
    pub(crate) fn has_column(&self, field: Field) -> bool {
        self.layout.column(field).is_some()
    }

    /// The column of a field in the sheet, where it has one.
    pub(crate) fn column_ref(&self, field: Field) -> Option<u16> {
        self.layout.column_ref(field)
    }

    /// The country that the order goes to, where it is known: by its code, else by its name.
    pub(crate) fn destination(&self) -> Option<&'static Country> {
        [Field::ShippingCountryCode, Field::ShippingCountry]
            .into_iter()
            .map(|field| self.value(field).text)
            .find(|text| !text.is_empty())
            .and_then(places::country)
    }

    /// The country that the order goes to, where its code and its name do not contradict each other.
    pub(crate) fn agreed_country(&self) -> Option<&'static Country> {
        let text = |field| self.value(field).text;
        places::agreed_country(text(Field::ShippingCountryCode), text(Field::ShippingCountry))
    }

    /// A finding at a field's cell.
    pub(crate) fn finding<'a>(
        &'a self,
        code: Code,
        at: impl Into<At<'a>>,
        message: String,
        hint: &str,
    ) -> Finding {
        let at = at.into();
        let is_elsewhere = code.level() == Grade::Error && self.is_said_elsewhere(at);
        let hint = if is_elsewhere {
            format!("{hint} {CORRECT_EACH}").trim_start().to_owned()
        } else {
            hint.to_owned()
        };
        Finding {
            code,
            row: at.row(),
            column: self.column_at(at),
            message,
            hint,
        }
    }

    /// Whether other rows of the order say what stands in a cell that speaks for all of them: to correct it in one row alone
    /// would make them differ.
    fn is_said_elsewhere(&self, at: At<'_>) -> bool {
        let At::Row(field, row) = at else { return false };
        let text = self.value(field).text;
        let says_it = |line: &Cells| line.text(field) == text;
        field.column().level == Level::Order
            && !text.is_empty()
            // A cell that is wrong because it says nothing has nothing in common with them.
            && self.cells().any(|line| line.row() == row && says_it(line))
            && self.cells().any(|line| line.row() != row && says_it(line))
    }

    fn column_at(&self, at: At<'_>) -> Option<u16> {
        let line = match at {
            At::Row(_, row) => self.cells().find(|line| line.row() == row),
            At::Line(_, line) => Some(line),
        };
        let elsewhere = line.and_then(|line| line.elsewhere(at.field()));
        elsewhere.or_else(|| self.layout.column_ref(at.field()))
    }

    /// Restores them on every row, printed or not: what the rows say of the address has to stay the same when one of
    /// them is sent.
    fn fix_zips(&mut self) {
        let mut fixed: HashMap<String, String> = HashMap::new();
        let mut findings: Vec<Finding> = Vec::new();
        for line in self.cells() {
            let old = line.text(Field::ShippingZip);
            let Some(zip) = zip::restored(self, old) else {
                continue;
            };
            let message = format!(
                "The zip {} is read as `{zip}`: spreadsheets drop leading zeros.",
                quoted(old)
            );
            let hint = "Format the column as text before you save the sheet.";
            fixed.insert(old.to_owned(), zip);
            // A row that holds several lines has one zip.
            if findings.iter().all(|finding| finding.row != line.row()) {
                findings.push(self.finding(Code::FixedZip, (Field::ShippingZip, line), message, hint));
            }
        }
        let aside = self.aside.iter_mut().map(|aside| &mut aside.cells);
        for line in self.lines.iter_mut().chain(aside) {
            if let Some(zip) = fixed.get(line.text(Field::ShippingZip)) {
                line.replace(Field::ShippingZip, zip.clone());
            }
        }
        self.findings.append(&mut findings);
    }

    fn read_expected_total(&mut self) {
        let Value { text, row } = self.value(Field::ExpectedTotal);
        if text.is_empty() {
            return;
        }
        let is_number = self
            .cells()
            .any(|line| line.row() == row && line.is_number(Field::ExpectedTotal));
        let number = amount::of_number(text).filter(|_| is_number);
        let (total, shown) = (number.or_else(|| amount::read(text)), quoted(text));
        self.expected_total = total;
        if total.is_none() {
            let message = format!("The expected_total {shown} is not an amount that can be read surely.");
            let hint = "Write it with a point and two decimals, like 1234.50.";
            let finding = self.finding(Code::BadTotal, (Field::ExpectedTotal, row), message, hint);
            self.findings.push(finding);
        }
    }

    fn find_differing_values(&mut self) {
        let of_the_order = |field: &Field| field.column().level == Level::Order && *field != Field::Action;
        let mut findings = Vec::new();
        for field in Field::ALL.into_iter().filter(of_the_order) {
            let first = self.value(field);
            let differs = |line: &&Cells| {
                let text = line.text(field);
                !text.is_empty()
                    && text != first.text
                    && !(field == Field::ExpectedTotal && are_equal_amounts(text, first.text))
            };
            for line in self.cells().filter(differs) {
                let piece = self.differing_piece(field, first.row, line);
                let there = piece.or_else(|| self.column_at(At::Row(field, first.row)));
                let there = cell_name(first.row, there);
                let name = field.name();
                let (here, value) = (quoted(line.text(field)), quoted(first.text));
                let message = format!("{name} is {here} here, but {value} in {there}.");
                let hint = "Rows with the same order_id are one order: write the same value on each, or give them \
                            different ids.";
                let finding = self.finding(Code::DifferingValues, (field, line), message, hint);
                findings.push(finding.in_column(piece));
            }
        }
        self.findings.append(&mut findings);
    }

    fn find_repeated_rows(&mut self, contents: &[Content]) {
        let mut seen = HashMap::new();
        for (content, row) in contents.iter().zip(&self.rows) {
            let first = *seen.entry(content.text).or_insert(row);
            if first == row {
                continue;
            }
            self.repeated_rows = true;
            self.findings.push(Finding {
                code: Code::RepeatedRow,
                row: *row,
                column: None,
                message: if content.is_merged {
                    format!("The item of this row is merged with that of row {first}: is it one line, or two?")
                } else if self.layout.shop().is_some_and(|shop| shop.tells_lines_apart()) {
                    format!("This row is the line of row {first} once more: is the order in the sheet twice?")
                } else {
                    format!("This row is equal to row {first} in every cell: pasted twice?")
                },
                hint: "If it was pasted twice, remove the row and drop the sheet again, and decline the order first where \
                       it waits in held/; for more pieces raise the quantity, or approve the order where that is \
                       more than one line may have."
                    .to_owned(),
            });
        }
    }
}

fn cell_name(row: u32, column: Option<u16>) -> String {
    column.map_or_else(
        || format!("row {row}"),
        |column| CellRef { row, column }.to_string(),
    )
}

/// Whether two texts are surely the same amount, `17.80` and `17.8`.
fn are_equal_amounts(a: &str, b: &str) -> bool {
    amount::read(a).is_some_and(|a| amount::read(b) == Some(a))
}
