//! What the client counts of its requests, for Prometheus: how long they took, by operation and by what came of them,
//! how many were sent again, and how many are under way.

use std::time::Instant;

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};

use super::Verdict;
use super::count::AskedPause;

/// In seconds: from a service on this machine to the longest time-out.
const BUCKETS: [f64; 11] = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0, 30.0];

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct OutcomeLabels {
    operation: &'static str,
    outcome: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct OperationLabels {
    operation: &'static str,
}

/// One client's figures.
#[derive(Clone, Debug)]
pub struct Figures {
    durations: Family<OutcomeLabels, Histogram, fn() -> Histogram>,
    repeated: Family<OperationLabels, Counter>,
    in_flight: Gauge,
    asked: AskedPause,
}

impl Default for Figures {
    fn default() -> Self {
        let histogram: fn() -> Histogram = || Histogram::new(BUCKETS);
        Self {
            durations: Family::new_with_constructor(histogram),
            repeated: Family::default(),
            in_flight: Gauge::default(),
            asked: AskedPause::default(),
        }
    }
}

impl Figures {
    /// Shows them in a registry.
    pub fn register(&self, registry: &mut Registry) {
        registry.register_with_unit(
            "request",
            "How long requests to the service took",
            Unit::Seconds,
            self.durations.clone(),
        );
        registry.register(
            "requests_repeated",
            "Requests to the service that were sent again",
            self.repeated.clone(),
        );
        registry.register(
            "requests_in_flight",
            "Requests to the service under way",
            self.in_flight.clone(),
        );
    }

    /// The pause that the service asks for.
    pub(super) fn asked_pause(&self) -> AskedPause {
        self.asked.clone()
    }

    /// A request that only reads is sent again.
    pub fn repeated(&self, operation: &'static str) {
        self.repeated.get_or_create(&OperationLabels { operation }).inc();
    }

    /// A request leaves.
    pub(super) fn begin(&self, operation: &'static str) -> UnderWay<'_> {
        self.in_flight.inc();
        UnderWay {
            figures: self,
            operation,
            began: Instant::now(),
        }
    }
}

/// A request under way; one that is given up counts no longer.
#[derive(Debug)]
pub(super) struct UnderWay<'a> {
    figures: &'a Figures,
    operation: &'static str,
    began: Instant,
}

impl UnderWay<'_> {
    /// Notes what came of it.
    pub(super) fn end(self, verdict: Result<(), Verdict>) {
        match verdict {
            Err(Verdict::TryLater(asked)) => self.figures.asked.note(asked),
            Ok(()) => self.figures.asked.note_answered(self.began),
            Err(_) => {}
        }
        let outcome = match verdict {
            Ok(()) => "answered",
            Err(Verdict::Refused) => "refused",
            Err(Verdict::NotSent) => "not_sent",
            Err(Verdict::TryLater(_)) => "try_later",
            Err(Verdict::Credentials) => "credentials",
            Err(Verdict::Misconfigured) => "misconfigured",
            Err(Verdict::Unknown) => "unknown",
        };
        let asked = OutcomeLabels {
            operation: self.operation,
            outcome,
        };
        let took = self.began.elapsed().as_secs_f64();
        self.figures.durations.get_or_create(&asked).observe(took);
    }
}

impl Drop for UnderWay<'_> {
    fn drop(&mut self) {
        self.figures.in_flight.dec();
    }
}
