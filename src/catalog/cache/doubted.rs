//! Details that are asked for anew when they are next needed, however young they are. Until then they serve, and tell
//! what has become dearer.

use std::collections::HashSet;

use super::{Cache, CacheError};

impl Cache {
    /// Has the details of all products of an account asked for anew.
    pub fn doubt_details(&self, account: &str) -> Result<(), CacheError> {
        self.write(|tx| {
            tx.execute("UPDATE product SET doubted = 1 WHERE account = ?1", [account])?;
            Ok(())
        })
    }

    /// The codes of the products whose details are asked for anew.
    pub fn doubted(&self, account: &str) -> Result<HashSet<String>, CacheError> {
        self.with("read", |db| {
            db.prepare("SELECT code FROM product WHERE account = ?1 AND doubted = 1")?
                .query_map([account], |row| row.get(0))?
                .collect()
        })
    }
}
