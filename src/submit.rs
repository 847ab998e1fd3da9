//! (submit)
