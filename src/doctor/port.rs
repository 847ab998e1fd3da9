//! A port that `dropsheet run` listens at: whether it can be had.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::Duration;

use tokio::net::{TcpListener, TcpStream};

use super::Line;
use crate::config::Config;
use crate::ledger;

/// How long a port of this machine may take to answer.
const PATIENCE: Duration = Duration::from_secs(2);

/// Whether somebody listens where a `table` of the config says, and whether that is as it should be.
pub(super) async fn port(config: &Config, (table, listen): (&str, SocketAddr)) -> Line {
    let is_worked = match ledger::holder(&config.ledger) {
        Ok(holder) => holder.is_some(),
        // The ledger's own lines say why.
        Err(_told) => false,
    };
    tried((table, listen), is_worked).await
}

async fn tried((table, listen): (&str, SocketAddr), is_worked: bool) -> Line {
    let part = format!("{table}: port");
    let answers = match tokio::time::timeout(PATIENCE, TcpStream::connect(reached(listen))).await {
        Ok(connected) => connected.is_ok(),
        Err(_silent) => false,
    };
    match (answers, is_worked) {
        (true, true) => Line::ok(part, format!("{listen} listens")),
        (true, false) => Line::wrong(
            part,
            format!("{listen} is another program's: no dropsheet is at work"),
            format!("Choose another port for `{table}.listen`, and wherever else it is named."),
        ),
        (false, true) => Line::warning(
            part,
            format!("nobody listens at {listen}"),
            "Start `dropsheet run` again, which listens; `run --once` and `import` do not.",
        ),
        (false, false) => match TcpListener::bind(listen).await {
            Ok(_free) => Line::ok(part, format!("{listen} is free; `dropsheet run` listens there")),
            Err(error) => Line::wrong(
                part,
                format!("{listen} cannot be listened at: {error}"),
                format!("Give `{table}.listen` an address of this machine and a port from 1024 on."),
            ),
        },
    }
}

/// An address that reaches a listener: one that listens everywhere is reached at the machine itself.
fn reached(listen: SocketAddr) -> SocketAddr {
    let ip = match listen.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    SocketAddr::new(ip, listen.port())
}

#[cfg(test)]
mod tests {
    use super::super::State;
    use super::*;

    #[tokio::test]
    async fn a_port_is_ours_free_or_another_programs() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let state = async |is_worked| tried(("metrics", address), is_worked).await.state;
        assert_eq!(state(true).await, State::Ok);
        assert_eq!(state(false).await, State::Wrong);
        drop(listener);
        assert_eq!(state(true).await, State::Warning);
        assert_eq!(state(false).await, State::Ok);
        let nowhere = "192.0.2.1:9".parse().unwrap();
        assert_eq!(
            reached("0.0.0.0:9".parse().unwrap()),
            "127.0.0.1:9".parse().unwrap()
        );
        assert_eq!(reached(nowhere), nowhere);
    }
}
