//! A sheet's files on their way through an inbox: taken, its result and its held orders put where a person finds them, its
//! original archived, given back or rejected; and what a person says by moving a file. Nothing is sent here.

pub mod take; // from `inbox/` into the spool
pub mod rejected; // out of the way, with a reason
pub mod finish; // the result in its place, the original archived
pub mod held; // what waits for a person
pub mod approve; // what a person has moved
pub mod own; // papers that belong to no sheet
pub mod grown; // originals that change after their end
pub mod forgotten; // sheets of before a restore
pub mod aside; // files of ours out of the way, and a person's put back
pub mod leftovers; // what a killed process left
