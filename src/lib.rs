//! dropsheet turns order sheets into print orders, each created exactly once.
//!
//! The life of one sheet:
//!
//! ```text
//! filing          sheet           order              catalog     check       submit                            result
//! look, claim   → bytes → rows  → rows → drafts    → snapshot  → findings  → quote, hold?, intent, create, → sheet + outcomes
//! into the spool  (streamed)      (grouped, known?)  (cached)    or an Order reconcile: one order at a time  → result sheet
//! ```
//!
//! [`import`] is the recipe: it reads top to bottom in that order, and nothing else knows the whole.
//! The durable state is the ledger, the spool and where a file stands; everything else is recomputed.
//!
//! What is absent, on purpose:
//!
//! 1. `sheet` does not know what an order is; `order` does not know what a file is.
//! 2. Only joints see both the ledger and the network.
//! 3. Below the programs nobody reads the wall clock, or randomness but for keys of hashes and a new ledger's name, and only `config` the environment: `now` is an argument.
//! 4. A wrong row is a [`finding::Finding`], never an `Err`; a wrong sheet is a [`finding::Rejection`].
//! 5. No create leaves before its intent is committed and synced; no transaction is open during a request.
//! 6. The sandbox imports nothing of ours, wire types least of all.
//! 7. No pure module is `async`; money is never a float.
//! 8. Nothing is without a limit: a named constant or a config key, with its unit and its reason.

// Words: of ours they import other words alone.
mod ahead; // two threads at one piece of work
pub mod causes; // an error with what caused it, for people
pub mod crash; // where a test pulls the plug
pub mod defect; // what becomes of the program when a thread panics
pub mod clock; // the wall clock and the boot clock
pub mod files; // files that appear whole, and moves that replace nothing
pub mod finding; // what is wrong with a cell, a row, an order or a sheet
pub mod money; // exact decimals
mod nesting; // JSON that nests deeper than it looks
pub mod outcome; // the words of `result_status`

// Pure steps.
pub mod sheet; // a file as rows of text
pub mod order; // rows to drafts: columns, profiles, grouping, mends, the fingerprint
pub mod catalog; // SKUs, locations, areas at a moment
pub mod check; // a draft's findings, or an order
pub mod artwork; // what a picture has to be
pub mod quote; // the price, and whether it is held
pub mod reconcile; // what follows for an order without an answer
pub mod standing; // what the service's words for an order say
pub mod tracking; // parcels as people use them
pub mod result; // rows and outcomes to result sheets
pub mod template; // a blank order sheet

// Edges: the disk and the network, never each other.
pub mod service; // the client: one method an operation
mod serving; // a port that anybody may reach
pub mod ledger; // what was promised, in SQLite
pub mod inbox; // folders and the files in them
pub mod config; // the file as written, then as checked

// Joints.
pub mod attention; // what needs a person
pub mod sync; // the service's order list
pub mod refresh; // the catalog, young enough
pub mod preflight; // artwork fetched and judged
pub mod submit; // one order, from any state to the next
pub mod import; // the recipe for one sheet
pub mod filing; // its files, and what a person says by moving one

// Programs.
pub mod logging;
pub mod status;
pub mod notify; // mails and a command
pub mod metrics;
pub mod doctor;
pub mod webhook;
pub mod daemon; // every inbox worked, once or until told to end
pub mod report; // costs of a month
pub mod sandbox; // the stand-in service
pub mod cli; // one file a command
