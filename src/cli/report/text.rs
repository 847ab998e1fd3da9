//! What is said of a written report, for a person.

use super::Written;
use crate::cli::shown;
use crate::config::Config;
use crate::report::{Said, Sums};

pub(super) fn text(report: &Written, config: &Config) -> String {
    let figures = &report.figures;
    let as_of = figures.as_of.map_or_else(
        || "the service's order list was never read".to_owned(),
        |at| format!("as of {}", shown::moment(at, &config.zone)),
    );
    let mut text = format!(
        "account {}, {} to {}, {as_of}\n  {} orders, quoted {}, service {}, difference {}\n",
        figures.account,
        figures.from,
        figures.to,
        figures.orders.orders,
        figures.orders.quoted,
        figures.orders.service,
        figures.orders.difference,
    );
    let more = [
        (
            figures.canceled.orders,
            format!(
                "canceled, quoted {}{}",
                figures.canceled.quoted,
                charged(&figures.canceled)
            ),
        ),
        (
            figures.not_yet_read,
            "without a total of the service yet".to_owned(),
        ),
        (
            figures.not_ours,
            "at the service that this ledger does not have".to_owned(),
        ),
    ];
    let more = more.iter().filter(|(count, _what)| *count > 0);
    text.extend(more.map(|(count, what)| format!("  {count} {what}\n")));
    let now = Said::of(figures);
    let changed = report.closed.iter().filter(|written| written.said != now);
    text.extend(changed.map(|written| {
        let said = &written.said;
        format!(
            "  as written by itself {}: {} orders, quoted {}, service {}; {} canceled, quoted {}{}; what has changed since \
             stands in the months after\n",
            shown::moment(written.at, &config.zone),
            said.orders.orders,
            said.orders.quoted,
            said.orders.service,
            said.canceled.orders,
            said.canceled.quoted,
            charged(&said.canceled),
        )
    }));
    text.extend(report.not_over.map(|said| format!("  {said}\n")));
    text.extend(report.not_read.iter().map(|why| format!("  {why}\n")));
    text.extend([format!("  wrote {}\n", report.file.display())]);
    text
}

/// What the service states of canceled orders; empty where it has stated nothing. A total of 0.00 that it has stated is
/// told by its difference.
fn charged(canceled: &Sums) -> String {
    if canceled.service.is_zero() && canceled.difference.is_zero() {
        return String::new();
    }
    format!(", service {}", canceled.service)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_service_has_not_told_of_canceled_orders_is_not_said_to_be_nothing() {
        let said = |service: &str, difference: &str| {
            charged(&Sums {
                orders: 1,
                quoted: "13.95".parse().unwrap(),
                service: service.parse().unwrap(),
                difference: difference.parse().unwrap(),
            })
        };
        assert_eq!(said("0.00", "0.00"), "");
        assert_eq!(said("0.00", "-13.95"), ", service 0.00");
        assert_eq!(said("13.95", "0.00"), ", service 13.95");
    }
}
