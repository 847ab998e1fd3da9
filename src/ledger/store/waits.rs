//! What the orders of an account wait for, and since when its service is away, as whoever works them last knew: for who
//! asks beside them, and for the next single pass.

use jiff::Timestamp;

use super::Store;
use crate::ledger::LedgerError;

impl Store<'_> {
    /// What the orders of an account wait for; none where they do not.
    pub fn waits_for(&self, account: &str) -> Result<Option<String>, LedgerError> {
        let noted = self.meta("read what orders wait for", &key(account))?;
        Ok(noted.filter(|why| !why.is_empty()))
    }

    /// Notes what they wait for; none where they do not.
    pub fn set_waits_for(&self, account: &str, why: Option<&str>) -> Result<(), LedgerError> {
        self.set_meta(
            "note what orders wait for",
            &key(account),
            why.unwrap_or_default(),
        )
    }

    /// Since when an account's service was found away, time after time, and when last; none where it was not.
    pub fn away(&self, account: &str) -> Result<Option<(Timestamp, Timestamp)>, LedgerError> {
        let read = |since| self.meta_moment("read since when a service is away", &away(account, since));
        Ok(read(true)?.zip(read(false)?))
    }

    /// Notes since when it was found away, and when last; none where it is not.
    pub fn set_away(&self, account: &str, found: Option<(Timestamp, Timestamp)>) -> Result<(), LedgerError> {
        let moments = found.map_or([None; 2], |(since, last)| [Some(since), Some(last)]);
        for (since, moment) in [true, false].into_iter().zip(moments) {
            self.set_meta_moment("note since when a service is away", &away(account, since), moment)?;
        }
        Ok(())
    }
}

fn away(account: &str, since: bool) -> String {
    let which = if since { "since" } else { "still at" };
    format!("service of {account} is away {which}")
}

fn key(account: &str) -> String {
    format!("orders of {account} wait for")
}
