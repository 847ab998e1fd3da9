//! The stand-in print service.
