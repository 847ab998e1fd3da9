//! The client against a server of the bare socket.

mod answers;
mod creates;
mod logins;
pub(crate) mod stub;
