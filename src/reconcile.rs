//! (reconcile)
