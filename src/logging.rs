//! (logging)
