//! The client against a server of the bare socket.

mod answers;
mod asleep;
mod connections;
mod creates;
mod done;
mod lists;
mod logins;
mod odd;
pub(crate) mod stub;

use crate::clock::Clock;

/// This machine's clocks.
fn machine() -> Clock {
    Clock::system()
}
