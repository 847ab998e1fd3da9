//! Faults, each with its one outcome. A test's name states the fact.

mod again;
mod answers;
pub(crate) mod audits;
mod away;
mod behind;
mod clocks;
mod copies;
mod days;
mod disk;
mod folders;
mod forgotten;
mod found_by_nobody;
mod grown;
pub(crate) mod keeping;
pub(crate) mod ledgers;
pub(crate) mod lookups;
mod put_back;
mod renamed;
mod seams;
mod stranded;
mod strangers;
mod turns;
mod twice;
