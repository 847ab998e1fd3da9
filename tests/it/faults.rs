//! Faults, each with its one outcome. A test's name states the fact.

mod answers;
mod folders;
mod ledgers;
mod lookups;
