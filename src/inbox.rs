//! (inbox)
