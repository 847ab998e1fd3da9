//! (refresh)
