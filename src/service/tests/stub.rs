//! A server of the bare socket: it does to each request what a script says, down to when it closes.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpSocket, TcpStream};

use super::super::{Client, GetParams, Settings};
use super::machine;
use crate::order::{Line, Order, ShipTo};

/// What the server does when a request has come.
#[derive(Clone, Debug)]
pub(crate) enum Act {
    /// Answers, and keeps the connection.
    Answer(u16, String),
    /// Answers with one more header.
    AnswerWith(u16, &'static str, String),
    /// Answers, and closes without having said so.
    AnswerAndClose(u16, String),
    /// Answers once its head has come, before its body is read; then closes.
    AnswerEarly(u16, String),
    /// Answers twice at once.
    AnswerTwice(u16, String),
    /// Promises more bytes than it sends.
    Cut(u16, String),
    /// Closes when its first line has come.
    CloseAtFirstLine,
    /// Closes when it has come whole.
    Close,
    /// Never answers.
    Hang,
}

/// A request as it came.
#[derive(Clone, Debug, Default)]
pub(crate) struct Seen {
    /// `POST /api/v2/…`, with the query.
    pub(crate) line: String,
    pub(crate) headers: HashMap<String, String>,
    pub(crate) body: String,
    /// Which connection it came on.
    pub(crate) connection: usize,
    /// Which of that connection's requests it is; the first is 1.
    pub(crate) nth: usize,
}

impl Seen {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or(Value::Null)
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", String::as_str)
    }
}

type Script = Arc<dyn Fn(&Seen) -> Act + Send + Sync>;

#[derive(Clone)]
pub(crate) struct Stub {
    pub(crate) base_url: String,
    seen: Arc<Mutex<Vec<Seen>>>,
}

impl Stub {
    /// Starts a server; the script answers each request by its first line, headers and body (a script that closes
    /// or answers early is asked when only the head is there).
    pub(crate) async fn start(script: impl Fn(&Seen) -> Act + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base_url = format!("http://{}", listener.local_addr().unwrap());
        let seen = Arc::new(Mutex::new(Vec::new()));
        let script: Script = Arc::new(script);
        let all = Arc::clone(&seen);
        tokio::spawn(async move {
            let mut connection = 0;
            while let Ok((socket, _)) = listener.accept().await {
                connection += 1;
                tokio::spawn(serve((socket, connection), Arc::clone(&script), Arc::clone(&all)));
            }
        });
        Self { base_url, seen }
    }

    /// The requests whose first line holds `part`.
    pub(crate) fn seen(&self, part: &str) -> Vec<Seen> {
        let seen = self.seen.lock().unwrap();
        seen.iter()
            .filter(|seen| seen.line.contains(part))
            .cloned()
            .collect()
    }

    pub(crate) fn settings(&self) -> Settings {
        settings_at(&self.base_url)
    }

    pub(crate) fn client(&self) -> Client {
        Client::new(self.settings()).unwrap()
    }
}

/// Works one connection until somebody closes it. A request is noted as soon as its head has come, whatever
/// happens to it then.
async fn serve((mut socket, connection): (TcpStream, usize), script: Script, all: Arc<Mutex<Vec<Seen>>>) {
    let mut buffer = Vec::new();
    for nth in 1.. {
        let Some(at) = read_until(&mut socket, &mut buffer, |b| find(b, b"\r\n")).await else {
            return;
        };
        let line = String::from_utf8_lossy(&buffer[..at]).into_owned();
        let first = Seen {
            line,
            connection,
            nth,
            ..Seen::default()
        };
        if let Act::CloseAtFirstLine = script(&first) {
            all.lock().unwrap().push(first);
            return;
        }
        let Some(head) = read_until(&mut socket, &mut buffer, |b| find(b, b"\r\n\r\n")).await else {
            return;
        };
        let mut seen = Seen {
            connection,
            nth,
            ..parse(&buffer[..head])
        };
        let length: usize = seen.header("content-length").parse().unwrap_or(0);
        if let Act::AnswerEarly(status, body) = script(&seen) {
            all.lock().unwrap().push(seen);
            write(&mut socket, status, "x: y", &body, body.len()).await;
            return;
        }
        let end = head + 4 + length;
        let whole = read_until(&mut socket, &mut buffer, |b| (b.len() >= end).then_some(end)).await;
        if whole.is_some() {
            seen.body = String::from_utf8_lossy(&buffer[head + 4..end]).into_owned();
            buffer.drain(..end);
        }
        all.lock().unwrap().push(seen.clone());
        if whole.is_none() || !act(&mut socket, script(&seen)).await {
            return;
        }
    }
}

/// Does it; gives whether the connection goes on.
async fn act(socket: &mut TcpStream, act: Act) -> bool {
    match act {
        Act::Answer(status, body) => write(socket, status, "x: y", &body, body.len()).await,
        Act::AnswerWith(status, header, body) => write(socket, status, header, &body, body.len()).await,
        Act::AnswerTwice(status, body) => {
            let once = format!(
                "HTTP/1.1 {status} x\r\ncontent-length: {}\r\n\r\n{body}",
                body.len()
            );
            socket.write_all(format!("{once}{once}").as_bytes()).await.is_ok()
        }
        Act::AnswerAndClose(status, body) => {
            write(socket, status, "x: y", &body, body.len()).await;
            false
        }
        Act::Cut(status, body) => {
            write(socket, status, "x: y", &body, body.len() + 10).await;
            false
        }
        Act::Hang => std::future::pending().await,
        Act::Close | Act::CloseAtFirstLine | Act::AnswerEarly(..) => false,
    }
}

async fn write(socket: &mut TcpStream, status: u16, header: &str, body: &str, length: usize) -> bool {
    let answer = format!("HTTP/1.1 {status} x\r\ncontent-length: {length}\r\n{header}\r\n\r\n{body}");
    socket.write_all(answer.as_bytes()).await.is_ok()
}

async fn read_until(
    socket: &mut TcpStream,
    buffer: &mut Vec<u8>,
    found: impl Fn(&[u8]) -> Option<usize>,
) -> Option<usize> {
    loop {
        if let Some(at) = found(buffer) {
            return Some(at);
        }
        match socket.read_buf(buffer).await {
            Ok(0) | Err(_) => return None,
            Ok(_) => {}
        }
    }
}

fn find(bytes: &[u8], what: &[u8]) -> Option<usize> {
    bytes.windows(what.len()).position(|window| window == what)
}

fn parse(head: &[u8]) -> Seen {
    let text = String::from_utf8_lossy(head).into_owned();
    let (line, rest) = text.split_once("\r\n").unwrap_or((&text, ""));
    let headers = rest
        .lines()
        .filter_map(|line| line.split_once(": "))
        .map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned()))
        .collect();
    Seen {
        line: line.to_owned(),
        headers,
        ..Seen::default()
    }
}

/// An order of one line.
pub(crate) fn order(id: &str) -> Order {
    Order {
        order_id: id.to_owned(),
        ship_to: ShipTo {
            name: "A. Example".into(),
            country_code: "US".into(),
            ..ShipTo::default()
        },
        shipping_service: None,
        lines: vec![Line {
            item_sku: "TEE-M".into(),
            quantity: 1,
            ..Line::default()
        }],
        expected_total: None,
    }
}

/// An account at a service.
pub(in crate::service) fn settings_at(base_url: &str) -> Settings {
    Settings {
        base_url: base_url.to_owned(),
        email: "shop@example.com".into(),
        password: "pass-of-the-shop".into(),
        max_in_flight: 16,
        rate_limit: None,
        timeout: Duration::from_secs(5),
        get_params: GetParams::Both,
        token_file: None,
        clock: machine(),
    }
}

/// What a service without faults answers to a login, a create, and anything else.
pub(crate) fn fine(seen: &Seen) -> Act {
    if seen.line.contains("auth/token") {
        return Act::Answer(
            200,
            r#"{"status":200,"message":"ok","result":{"access_token":"T1"}}"#.into(),
        );
    }
    if seen.line.contains("create-new-order") {
        return Act::Answer(200, created(seen));
    }
    Act::Answer(200, r#"{"status":200,"products":[],"orders":[]}"#.into())
}

/// The answer to a create.
pub(crate) fn created(seen: &Seen) -> String {
    let id = seen.json()["order_id"].as_str().unwrap_or_default().to_owned();
    format!(r#"{{"status":200,"message":"ok","data":{{"pwOrderId":"PW-{id}","orderId":"{id}"}}}}"#)
}

/// A base URL at which connections are refused, as long as the socket is kept: it has the port and does not listen.
pub(crate) fn refusing() -> (TcpSocket, String) {
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let base_url = format!("http://{}", socket.local_addr().unwrap());
    (socket, base_url)
}
