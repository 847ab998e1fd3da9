//! The client against a server of the bare socket.

mod answers;
mod creates;
mod done;
mod logins;
pub(crate) mod stub;
