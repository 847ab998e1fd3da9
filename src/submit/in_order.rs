//! The order of a sheet's rows, where it decides who is sent: what is left of a day's money goes to the first of them.

use tokio_util::sync::CancellationToken;

/// An order's place in the row of its sheet. Who is dropped has passed.
#[derive(Debug)]
pub struct Ticket {
    before: CancellationToken,
    passed: CancellationToken,
}

impl Ticket {
    /// Waits until the one before it has passed, or has come to its end otherwise.
    pub(super) async fn come(&self) {
        self.before.cancelled().await;
    }

    /// Lets the next one come.
    pub(super) fn pass(&self) {
        self.passed.cancel();
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        self.pass();
    }
}

/// Gives tickets, one behind the other.
#[derive(Debug)]
pub struct Tickets {
    last: CancellationToken,
}

impl Default for Tickets {
    fn default() -> Self {
        let last = CancellationToken::new();
        last.cancel();
        Self { last }
    }
}

impl Tickets {
    /// The next ticket.
    pub fn next_ticket(&mut self) -> Ticket {
        let passed = CancellationToken::new();
        let before = std::mem::replace(&mut self.last, passed.clone());
        Ticket { before, passed }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    #[test]
    fn who_is_behind_comes_when_the_one_before_has_passed_or_is_gone() {
        let mut tickets = Tickets::default();
        let [first, second, third] = [0, 1, 2].map(|_| tickets.next_ticket());
        let comes = |ticket: &Ticket| ticket.come().now_or_never().is_some();
        assert_eq!([&first, &second, &third].map(comes), [true, false, false]);
        drop(second);
        assert!(comes(&third), "who was given up is waited for no longer");
        let fourth = tickets.next_ticket();
        assert!(!comes(&fourth));
        third.pass();
        assert!(comes(&fourth));
    }
}
