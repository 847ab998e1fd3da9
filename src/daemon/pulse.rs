//! The pulse of the program: who starts the looks beats as it goes round, and while all beat the watchdog is fed. It
//! beats on while a share does not answer, for that is not the program's fault; a scheduler that is stuck does not.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use sd_notify::NotifyState;
use tokio::time::Instant;

/// The beats of the schedulers, by inbox.
#[derive(Debug, Default)]
pub struct Pulse {
    beats: Mutex<BTreeMap<String, Beat>>,
}

#[derive(Clone, Copy, Debug)]
struct Beat {
    at: Instant,
    under_way: usize,
}

impl Pulse {
    /// A scheduler goes round, with so many sheets under way.
    pub(super) fn beat(&self, who: &str, under_way: usize) {
        let beat = Beat {
            at: Instant::now(),
            under_way,
        };
        let mut beats = self.beats.lock().unwrap_or_else(PoisonError::into_inner);
        beats.insert(who.to_owned(), beat);
    }

    /// A scheduler has ended, as it should.
    pub(super) fn end(&self, who: &str) {
        self.beats
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .remove(who);
    }

    /// Who has not beaten for longer than this, if anybody.
    pub fn stuck(&self, longer_than: Duration) -> Option<String> {
        let beats = self.beats.lock().unwrap_or_else(PoisonError::into_inner);
        let stuck = beats.iter().find(|(_who, beat)| beat.at.elapsed() > longer_than);
        stuck.map(|(who, _beat)| who.clone())
    }

    /// What the program does, for `systemctl status`.
    pub(super) fn status(&self) -> String {
        let beats = self.beats.lock().unwrap_or_else(PoisonError::into_inner);
        let under_way: usize = beats.values().map(|beat| beat.under_way).sum();
        format!("inboxes: {}, sheets under way: {under_way}", beats.len())
    }
}

/// Tells the service manager how the program is; where there is none, nobody.
pub(super) fn tell(state: &[NotifyState<'_>]) {
    if let Err(error) = sd_notify::notify(state) {
        tracing::debug!(%error, "the service manager cannot be told");
    }
}

/// Feeds the service manager's watchdog while every scheduler beats; without a watchdog it only tells the status.
pub(super) async fn feed(pulse: &Pulse) {
    let watchdog = asked(sd_notify::watchdog_enabled());
    let every = watchdog.map_or(STATUS_EVERY, |period| period / 4);
    let mut said = String::new();
    loop {
        tokio::time::sleep(every).await;
        let status = pulse.status();
        if status != said {
            tell(&[NotifyState::Status(&status)]);
            said = status;
        }
        let Some(period) = watchdog else { continue };
        match pulse.stuck(period / 2) {
            None => tell(&[NotifyState::Watchdog]),
            Some(inbox) => tracing::error!(
                inbox,
                "its scheduler is stuck, a defect of dropsheet: the watchdog is not fed, so that the service manager \
                 starts dropsheet anew"
            ),
        }
    }
}

/// The watchdog's time; 0 says that there is none.
fn asked(period: Option<Duration>) -> Option<Duration> {
    period.filter(|period| !period.is_zero())
}

/// How often the status is told where no watchdog asks for more.
const STATUS_EVERY: Duration = Duration::from_secs(10);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_watchdog_of_no_time_is_none() {
        let period = Duration::from_micros(1);
        for (asked_for, expected) in [
            (None, None),
            (Some(Duration::ZERO), None),
            (Some(period), Some(period)),
        ] {
            assert_eq!(asked(asked_for), expected);
        }
    }

    #[tokio::test(start_paused = true)]
    async fn who_does_not_beat_is_stuck_and_who_has_ended_is_not() {
        let pulse = Pulse::default();
        let limit = Duration::from_secs(5);
        pulse.beat("a", 0);
        pulse.beat("b", 2);
        assert_eq!(pulse.status(), "inboxes: 2, sheets under way: 2");
        tokio::time::advance(Duration::from_secs(4)).await;
        pulse.beat("a", 0);
        assert_eq!(pulse.stuck(limit), None);
        tokio::time::advance(Duration::from_secs(2)).await;
        assert_eq!(pulse.stuck(limit).as_deref(), Some("b"));
        pulse.end("b");
        assert_eq!(pulse.stuck(limit), None);
    }
}
