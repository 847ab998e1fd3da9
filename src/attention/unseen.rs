//! What waits for something that nobody does with the config as it is.

use super::{Configured, Kind, Need, Needs};

impl Needs {
    /// Orders that nobody sends, and those that nobody asks a service about.
    pub fn seen_to_by_nobody(&self, worked: &Configured) -> Vec<&Need> {
        let unseen = self.needs.iter().filter(|need| match need.kind {
            Kind::Stranded => true,
            Kind::Unresolved | Kind::Canceling => !worked.asks(&need.account),
            _others => false,
        });
        unseen.collect()
    }
}
