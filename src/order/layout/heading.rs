//! What stands over the rows of a sheet: the name of its tab, titles above the columns, headings among the rows.

use super::super::columns::Field;
use super::super::stated::{
    Heading, heads_what_has_ended, heads_what_is_open, is_marked, titles_what_has_ended,
};
use super::Layout;
use crate::sheet::Row;

impl Layout {
    /// The same layout in a tab of a workbook, below titles: one named `Shipped` or `Canceled` says that of its orders.
    #[must_use]
    pub fn in_tab(mut self, name: &str, titles: &[String]) -> Self {
        // Where open ones are titled too, it is a legend of what the rows may be. `Do not print` has words of both.
        let title = || {
            let is_open = |title: &String| heads_what_is_open(title) && !titles_what_has_ended(title);
            let is_legend = titles.iter().any(is_open);
            let mut titles = titles.iter().map(String::as_str).filter(|_| !is_legend);
            titles.find(|title| titles_what_has_ended(title))
        };
        self.heading = if heads_what_has_ended(name) {
            Heading::of_tab(name)
        } else {
            title().map(Heading::of).unwrap_or_default()
        };
        self
    }

    /// The heading that the first rows stand below.
    pub(in crate::order) fn heading(&self) -> Heading {
        self.heading.clone()
    }

    /// Whether a row's id has a word for an end beside it.
    pub(crate) fn has_marked_id(&self, row: &Row) -> bool {
        self.column(Field::OrderId)
            .is_some_and(|column| is_marked(row.text(column)))
    }

    /// What a row says whose own cells hold one text: a heading of the rows below it.
    pub(in crate::order) fn heading_in<'r>(&self, row: &'r Row) -> Option<&'r str> {
        let mut filled = self.own.iter().filter(|column| row.has_text(**column));
        let first = filled.next().filter(|_| filled.next().is_none())?;
        let begins = self.own.first() == Some(first) || self.column(Field::OrderId) == Some(*first);
        begins.then(|| row.text(*first).trim())
    }
}
