//! The client against a server of the bare socket.

mod answers;
mod asleep;
mod creates;
mod done;
mod lists;
mod logins;
mod odd;
pub(crate) mod stub;
