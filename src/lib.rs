//! dropsheet turns order sheets into print orders, each created exactly once.
//!
//! The life of one sheet:
//!
//! ```text
//! inbox           sheet           order              catalog     check       submit                            result
//! settle, claim → bytes → rows  → rows → drafts    → snapshot  → findings  → quote, hold?, intent, create, → sheet + outcomes
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
//! 3. Below the programs nobody reads the wall clock, the environment or randomness: `now` is an argument.
//! 4. A wrong row is a [`finding::Finding`], never an `Err`; a wrong sheet is a [`finding::Rejection`].
//! 5. No create leaves before its intent is committed and synced; no transaction is open during a request.
//! 6. The sandbox imports nothing of ours, wire types least of all.
//! 7. No pure module is `async`; money is never a float.
//! 8. Nothing is without a limit: a named constant or a config key, with its unit and its reason.

// Words: they import nothing of ours.
mod ahead;
pub mod causes;
pub mod clock;
pub mod crash;
pub mod defect;
pub mod files;
pub mod finding;
pub mod money;
pub mod outcome;

// Pure steps.
pub mod sheet;
pub mod order;
pub mod catalog;
pub mod check;
pub mod artwork;
pub mod quote;
pub mod reconcile;
pub mod standing;
pub mod tracking;
pub mod result;
pub mod template;

// Edges: the disk and the network, never each other.
pub mod config;
pub mod inbox;
pub mod ledger;
pub mod service;
mod serving;

// Joints.
pub mod attention;
pub mod import;
pub mod preflight;
pub mod refresh;
pub mod submit;
pub mod sync;

// Programs.
pub mod status;
pub mod notify;
pub mod metrics;
pub mod doctor;
pub mod cli;
pub mod daemon;
pub mod report;
pub mod webhook;
pub mod logging;
pub mod sandbox;
