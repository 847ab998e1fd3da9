//! Faults, each with its one outcome. A test's name states the fact.

mod answers;
mod audits;
mod away;
mod disk;
mod folders;
mod keeping;
mod ledgers;
mod lookups;
mod twice;
