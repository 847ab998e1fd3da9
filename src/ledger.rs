//! (ledger)
