//! How often a person was told, and could not be, for Prometheus.

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::registry::Registry;

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Told {
    by: &'static str,
    outcome: &'static str,
}

/// What is counted of this process's telling; a copy counts the same.
#[derive(Clone, Debug, Default)]
pub struct Figures {
    told: Family<Told, Counter>,
}

impl Figures {
    /// Shows them in a registry.
    pub fn register(&self, registry: &mut Registry) {
        registry.register(
            "notifications",
            "Mails, and calls of the command, by which a person was told, or could not be",
            self.told.clone(),
        );
    }

    /// A way of telling is there: it shows as 0 until it is used.
    pub(super) fn know(&self, by: &'static str) {
        for outcome in ["sent", "failed"] {
            drop(self.told.get_or_create(&Told { by, outcome }));
        }
    }

    pub(super) fn count(&self, by: &'static str, sent: bool) {
        let outcome = if sent { "sent" } else { "failed" };
        self.told.get_or_create(&Told { by, outcome }).inc();
    }
}
