//! Texts that are read from several cells as one.

use std::collections::HashSet;

use super::said::left_out;
use super::{Cells, has_digit, words};
use crate::finding::Finding;
use crate::order::characters::HYPHENS;
use crate::order::columns::Field;
use crate::order::layout::{Layout, column_ref};
use crate::order::lost::has_lost_any;
use crate::order::mend::mend;
use crate::order::nothing::points_elsewhere;
use crate::order::shop::Source;
use crate::sheet::Row;

/// What one cell has of a field that is read from several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) field: Field,
    /// Counted from 0.
    pub(super) column: u16,
    pub(super) text: String,
}

impl Cells {
    /// Reads a field from two columns of a sheet that is no shop's export.
    pub(super) fn join_two(&mut self, source: &Source, row: &Row, findings: &mut Vec<Finding>) {
        let read = what_is_joined(source, row);
        self.join(&read, row, findings);
        findings.extend(what_is_unread(source, &read, row));
    }

    /// Reads a field from several cells, or from another than its own: each is mended by itself, so that what is to be
    /// said points at it.
    pub(super) fn join(&mut self, source: &Source, row: &Row, findings: &mut Vec<Finding>) {
        let field = source.field;
        let mut texts = Vec::new();
        for at in &source.columns {
            let (column, mended) = (column_ref(*at), mend(field, row.text(*at), row.kind(*at)));
            let text = self.noted(field, column, mended, findings);
            self.elsewhere.extend(column.map(|column| (field, column)));
            texts.extend(Some((column, text)).filter(|(_, text)| !text.is_empty()));
        }
        let joined: Vec<&str> = texts.iter().map(|(_, text)| text.as_str()).collect();
        self.replace(field, joined.join(&source.between));
        if source.columns.len() > 1 {
            for (column, text) in texts {
                self.keep_piece(field, column, text);
            }
        }
    }

    /// Keeps what one of several cells has of a field, to know which of them is meant by what is said of the whole.
    pub(super) fn keep_piece(&mut self, field: Field, column: Option<u16>, text: String) {
        self.pieces
            .extend(column.map(|column| Piece { field, column, text }));
    }

    /// What each cell has of a field that is read from several, with its column.
    pub(crate) fn pieces(&self, field: Field) -> impl Iterator<Item = (u16, &str)> {
        let pieces = self.pieces.iter().filter(move |piece| piece.field == field);
        pieces.map(|piece| (piece.column, piece.text.as_str()))
    }

    /// The column in which the row has another piece of a field than another row has; none where neither has several. `own` is
    /// the field's own column.
    pub(crate) fn differing_piece(&self, other: &Self, field: Field, own: Option<u16>) -> Option<u16> {
        let all = |cells: &'_ Self| -> Vec<(u16, String)> {
            let pieces = cells.pieces(field);
            let mut pieces: Vec<(u16, String)> = pieces.map(|(at, text)| (at, text.to_owned())).collect();
            if pieces.is_empty() {
                let whole = cells.elsewhere(field).or(own);
                pieces.extend(whole.map(|at| (at, cells.text(field).to_owned())));
            }
            pieces
        };
        let (here, there) = (all(self), all(other));
        if here.len().max(there.len()) < 2 {
            return None;
        }
        let mut differing = here.iter().filter(|piece| !there.contains(piece));
        let mut missing = there.iter().filter(|piece| !here.contains(piece));
        let found = differing.next().or_else(|| missing.next());
        found.map(|(column, _)| *column)
    }
}

/// Whether a column is one of two that are read as one.
pub(super) fn is_joined(layout: &Layout, column: usize) -> bool {
    let mut joined = layout.joined().iter();
    joined.any(|source| source.columns.contains(&column))
}

/// Which of two columns are read as one: a surname may stand behind the first name as well, and a house number behind its
/// street. A street with another number is not given a second one: that is a part which is left out. Both are read where one is
/// in doubt, so that this is said.
fn what_is_joined(source: &Source, row: &Row) -> Source {
    let mut read = source.clone();
    let [first, second] = source.columns[..] else {
        return read;
    };
    let [head, tail] = [first, second].map(|column| words(row.text(column)).collect::<Vec<String>>());
    if [first, second]
        .into_iter()
        .any(|column| is_in_doubt(source.field, column, row))
    {
        return read;
    }
    let is_whole_twice = head == tail && head.len() > 1;
    if tail.is_empty() || is_whole_twice || (head.len() > tail.len() && head.ends_with(&tail)) {
        read.columns = vec![first];
    } else if tail.len() > head.len() && tail.starts_with(&head) {
        read.columns = vec![second];
    } else if source.field == Field::ShippingAddress1 && head.last().is_some_and(|last| has_digit(last)) {
        read.columns = vec![first];
    }
    read
}

/// Whether one of two columns says something that is neither a part of the text nor left blank: what stood there was lost, or
/// stands elsewhere.
fn is_in_doubt(field: Field, column: usize, row: &Row) -> bool {
    let mended = mend(field, row.text(column), row.kind(column));
    let text = mended.text.as_str();
    let is_left_blank = |c: char| "-–—_./ ".contains(c) || HYPHENS.contains(&c);
    let says_nothing = !text.contains(char::is_alphanumeric) && !text.chars().all(is_left_blank);
    mended.is_lost() || has_lost_any(field, text) || says_nothing || points_elsewhere(text)
}

/// What of two columns is not read, where the other one does not say it.
fn what_is_unread(source: &Source, read: &Source, row: &Row) -> Option<Finding> {
    let unread = source
        .columns
        .iter()
        .find(|column| !read.columns.contains(column))?;
    let said: HashSet<String> = read
        .columns
        .iter()
        .flat_map(|column| words(row.text(*column)))
        .collect();
    let text = row.text(*unread).trim();
    let is_said = words(text).all(|word| said.contains(&word));
    (!is_said).then(|| left_out(text, source.field, (*unread, row.number())))
}
