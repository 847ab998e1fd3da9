//! `[preflight]`: checks of artwork before its order is sent.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::ConfigError;
use super::checked::Checking;
use super::values::{Bytes, NOT_ZERO, Written};
use crate::artwork::Unit;

/// `[preflight]`
#[derive(Clone, Debug)]
pub struct Preflight {
    /// Whether `run`, `import` and `quote` check artwork; `check --preflight` does in any case.
    pub enabled: bool,
    /// The unit of print areas; without one, only shapes are compared.
    pub unit: Option<Unit>,
    /// The most bytes of one file.
    pub max_bytes: u64,
    /// For one file, redirects included.
    pub timeout: Duration,
    /// The most files that are fetched at once.
    pub at_once: usize,
    /// Whether addresses that are not public may be asked: this machine, the local network.
    pub private_addresses: bool,
}

/// Checks of artwork before it is ordered.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Raw {
    /// Whether each link to artwork is fetched and looked at before its order is sent.
    enabled: bool,
    /// The unit of the catalog's print areas, which the interface does not state; only shapes are compared without.
    unit: Option<RawUnit>,
    /// A larger file is an error.
    max_bytes: Written<Bytes>,
    /// For one file, redirects included.
    #[schemars(extend("pattern" = NOT_ZERO))]
    timeout: Written<Duration>,
    /// Most files that are fetched at once.
    #[schemars(range(min = 1, max = 64))]
    max_in_flight: u64,
    /// Whether links may lead to this machine or the local network.
    private_addresses: bool,
}

/// `unit`
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum RawUnit {
    Pixels,
    Inches,
    Millimetres,
    Centimetres,
}

impl Default for Raw {
    fn default() -> Self {
        Self {
            enabled: false,
            unit: None,
            max_bytes: Written::default_of("100 MiB", Bytes(100 << 20)),
            timeout: Written::default_of("60s", Duration::from_mins(1)),
            max_in_flight: 4,
            private_addresses: false,
        }
    }
}

impl Checking<'_> {
    pub(super) fn preflight(&self, raw: &Raw) -> Result<Preflight, ConfigError> {
        self.not_zero("preflight.timeout", raw.timeout.value)?;
        self.in_range("preflight.max_in_flight", raw.max_in_flight)?;
        Ok(Preflight {
            enabled: raw.enabled,
            unit: raw.unit.map(|unit| match unit {
                RawUnit::Pixels => Unit::Pixels,
                RawUnit::Inches => Unit::Inches,
                RawUnit::Millimetres => Unit::Millimetres,
                RawUnit::Centimetres => Unit::Centimetres,
            }),
            max_bytes: raw.max_bytes.value.0,
            timeout: raw.timeout.value,
            at_once: usize::try_from(raw.max_in_flight).unwrap_or(1),
            private_addresses: raw.private_addresses,
        })
    }
}
