//! (import)
