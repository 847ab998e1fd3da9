//! Hosts that do not answer: after some time-outs in a row no other link of theirs is waited for. A sheet may name
//! thousands of them, and each takes minutes to give up.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// Time-outs in a row after which a host is given up.
const MOST: u32 = 6;

/// The hosts of a sheet's links, with the time-outs of each since it last answered.
#[derive(Debug, Default)]
pub(super) struct Stalled(Mutex<HashMap<String, u32>>);

impl Stalled {
    pub(super) fn is_given_up(&self, host: &str) -> bool {
        let hosts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        hosts.get(host).is_some_and(|timed_out| *timed_out >= MOST)
    }

    pub(super) fn note(&self, host: &str, timed_out: bool) {
        let mut hosts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if timed_out {
            let before = hosts.entry(host.to_owned()).or_default();
            *before = before.saturating_add(1);
        } else {
            hosts.remove(host);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_is_given_up_after_time_outs_in_a_row_and_no_other_one() {
        let hosts = Stalled::default();
        for timed_out in [true, true, true, true, true, false, true, true, true, true, true] {
            hosts.note("files.example.com", timed_out);
            assert!(!hosts.is_given_up("files.example.com"));
        }
        hosts.note("files.example.com", true);
        assert!(hosts.is_given_up("files.example.com"));
        assert!(!hosts.is_given_up("example.com"));
    }
}
