//! `account.X.audit`: when the orders that ever had a create without an answer are counted at the service again.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::values::Written;

/// More rounds than anybody needs: each costs a look-up for each such order.
const MOST: usize = 10;

/// The times as they are written.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub(super) struct Audit(#[schemars(length(max = 10))] Vec<Written<Duration>>);

impl Default for Audit {
    fn default() -> Self {
        Self(vec![
            Written::default_of("15m", Duration::from_mins(15)),
            Written::default_of("24h", Duration::from_hours(24)),
        ])
    }
}

impl Audit {
    /// The times after an order's latest create, the shortest first; or what is wrong with them.
    pub(super) fn checked(&self) -> Result<Vec<Duration>, String> {
        if self.0.len() > MOST {
            return Err(format!(
                "has {} times; expected {MOST} at most, such as [\"15m\", \"24h\"]",
                self.0.len()
            ));
        }
        let mut times: Vec<Duration> = self.0.iter().map(|written| written.value).collect();
        times.sort_unstable();
        times.dedup();
        Ok(times)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Audit, toml::de::Error> {
        #[derive(Deserialize)]
        struct Table {
            audit: Audit,
        }
        toml::from_str::<Table>(text).map(|table| table.audit)
    }

    #[test]
    fn times_are_sorted_and_an_empty_list_means_never() {
        let audit = read("audit = [\"1d\", \"15m\", \"24h\"]").unwrap();
        assert_eq!(
            audit.checked().unwrap(),
            [Duration::from_mins(15), Duration::from_hours(24)]
        );
        assert!(read("audit = []").unwrap().checked().unwrap().is_empty());
        assert!(read("audit = [\"soon\"]").is_err());
    }

    #[test]
    fn more_rounds_than_anybody_needs_are_refused() {
        let times = ["\"1h\""; 11].join(", ");
        let wrong = read(&format!("audit = [{times}]")).unwrap().checked();
        assert!(wrong.unwrap_err().contains("expected 10 at most"));
    }
}
