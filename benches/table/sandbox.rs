//! `dropsheet sandbox` as a process, and what it was asked.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

use serde::Deserialize;

use crate::Result;
use crate::home::dropsheet;

/// A running stand-in service; ends when it is dropped.
#[derive(Debug)]
pub(crate) struct Sandbox {
    child: Child,
    pub(crate) url: String,
}

/// What was asked of it.
#[derive(Debug, Deserialize)]
pub(crate) struct Calls {
    pub(crate) counts: BTreeMap<String, u64>,
    /// The newest 100 000.
    log: Vec<Call>,
}

#[derive(Debug, Deserialize)]
struct Call {
    operation: String,
    at: jiff::Timestamp,
    status: u16,
}

impl Calls {
    pub(crate) fn of(&self, operation: &str) -> u64 {
        let named = self.counts.iter().find(|(name, _)| name.ends_with(operation));
        named.map_or(0, |(_, count)| *count)
    }

    /// Requests that brought orders to the service: prices, creates and what was turned away for coming too fast.
    pub(crate) fn of_orders(&self) -> u64 {
        self.of("calculate-price-order") + self.of("create-new-order")
    }

    /// Answers with 429.
    pub(crate) fn too_many(&self) -> usize {
        self.log.iter().filter(|call| call.status == 429).count()
    }

    /// From the first to the last create, in seconds.
    pub(crate) fn creating(&self) -> f64 {
        let mut creates = self
            .log
            .iter()
            .filter(|call| call.operation.ends_with("create-new-order"));
        let first = creates.next();
        let last = creates.next_back().or(first);
        let span = first
            .zip(last)
            .map(|(first, last)| last.at.duration_since(first.at));
        span.map_or(0.0, |span| span.as_secs_f64())
    }
}

impl Sandbox {
    pub(crate) fn start(options: &[&str]) -> Result<Self> {
        let mut child = Command::new(dropsheet())
            .args(["sandbox", "--listen", "127.0.0.1:0"])
            .args(options)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let mut line = String::new();
        BufReader::new(child.stdout.take().ok_or("no output")?).read_line(&mut line)?;
        let url = line
            .split_whitespace()
            .last()
            .ok_or("the sandbox says no address")?;
        Ok(Self {
            child,
            url: url.to_owned(),
        })
    }

    pub(crate) fn calls(&self) -> Result<Calls> {
        let host = self.url.trim_start_matches("http://");
        let mut stream = TcpStream::connect(host)?;
        write!(stream, "GET /sandbox/calls HTTP/1.0\r\nHost: {host}\r\n\r\n")?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer)?;
        let (_head, body) = answer.split_once("\r\n\r\n").ok_or("no answer of the sandbox")?;
        Ok(serde_json::from_str(body)?)
    }
}

impl Drop for Sandbox {
    fn drop(&mut self) {
        let ended = self.child.kill().and_then(|()| self.child.wait());
        if let Err(error) = ended {
            eprintln!("the sandbox did not end: {error}");
        }
    }
}
