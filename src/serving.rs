//! A router behind an address that anybody may reach. A connection brings one request, has a time for it, and is one of
//! a few at once: whoever opens many and says nothing keeps others waiting for that time, and the program's files free.

use std::io;
use std::pin::pin;
use std::time::Duration;

use axum::Router;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::{JoinError, JoinSet};
use tokio_util::sync::CancellationToken;

/// How long a request's head may take to come, and again how long what is asked for may take.
pub(crate) const TIMEOUT: Duration = Duration::from_secs(15);

/// Connections that are served at once; more wait to be taken in. A service's notifications and a few readers of
/// figures need less, and two listeners of so many leave most of the 1024 files that a process may have open.
const AT_ONCE: usize = 64;

/// The pause after a connection could not be taken in: files that are open elsewhere have to be closed first.
const PAUSE: Duration = Duration::from_secs(1);

/// How much is served.
#[derive(Clone, Copy, Debug)]
struct Limits {
    /// Connections at once.
    at_once: usize,
    /// For a request's head. A whole connection has twice as long.
    head: Duration,
}

/// Answers with a router until the program ends; what is under way then is answered still.
pub(crate) async fn serve(listener: TcpListener, router: Router, ending: &CancellationToken) {
    let limits = Limits {
        at_once: AT_ONCE,
        head: TIMEOUT,
    };
    serve_within(limits, listener, router, ending).await;
}

async fn serve_within(limits: Limits, listener: TcpListener, router: Router, ending: &CancellationToken) {
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            Some(ended) = connections.join_next() => tell(ended),
            stream = next(&listener), if connections.len() < limits.at_once => {
                connections.spawn(converse(limits, stream, router.clone(), ending.clone()));
            }
            () = ending.cancelled() => break,
        }
    }
    drop(listener);
    while let Some(ended) = connections.join_next().await {
        tell(ended);
    }
}

/// The next connection, however often none can be taken in.
async fn next(listener: &TcpListener) -> TcpStream {
    loop {
        match listener.accept().await {
            Ok((stream, _from)) => return stream,
            Err(error) if is_of_one_connection(&error) => {}
            Err(error) => {
                tracing::warn!(%error, "a connection cannot be taken in; it is tried again");
                tokio::time::sleep(PAUSE).await;
            }
        }
    }
}

/// Whether an error says that whoever has connected is gone already: the next may be there.
fn is_of_one_connection(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::ConnectionRefused | io::ErrorKind::ConnectionAborted | io::ErrorKind::ConnectionReset
    )
}

/// Takes one request from a connection and answers it.
async fn converse(limits: Limits, stream: TcpStream, router: Router, ending: CancellationToken) {
    let mut builder = Builder::new(TokioExecutor::new()).http1_only();
    builder
        .http1()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.head)
        // A connection that is kept for a later request is a place that others wait for.
        .keep_alive(false);
    let service = TowerToHyperService::new(router);
    let mut connection = pin!(builder.serve_connection(TokioIo::new(stream), service));
    let conversation = async {
        tokio::select! {
            ended = connection.as_mut() => return ended,
            () = ending.cancelled() => connection.as_mut().graceful_shutdown(),
        }
        connection.await
    };
    // Whoever never reads the answer has sent the whole head in time.
    match tokio::time::timeout(limits.head.saturating_mul(2), conversation).await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => tracing::debug!(error, "a connection has ended before its answer"),
        Err(_elapsed) => tracing::debug!("a connection has taken too long and is closed"),
    }
}

/// A connection ends in an answer or is closed; only a defect lets its task fail.
fn tell(ended: Result<(), JoinError>) {
    if let Err(error) = ended {
        tracing::error!(%error, "a request was not answered");
    }
}

#[cfg(test)]
mod tests {
    use std::net::SocketAddr;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use axum::routing::get;
    use futures_util::stream::{self, StreamExt};
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::sync::Notify;
    use tokio::task::JoinHandle;

    use super::*;

    /// A time that no test lasts for.
    const EVER: Duration = Duration::from_hours(1);

    /// A time that a test waits for.
    const SHORT: Duration = Duration::from_millis(100);

    const WHOLE: &[u8] = b"GET / HTTP/1.1\r\nhost: shop\r\n\r\n";
    const HALF: &[u8] = b"GET / HTTP/1.1\r\nhost: sh";

    struct Served {
        address: SocketAddr,
        ending: CancellationToken,
        serving: JoinHandle<()>,
    }

    async fn served((at_once, head): (usize, Duration), router: Router) -> Served {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let ending = CancellationToken::new();
        let (limits, ended) = (Limits { at_once, head }, ending.clone());
        let serving = tokio::spawn(async move { serve_within(limits, listener, router, &ended).await });
        Served {
            address,
            ending,
            serving,
        }
    }

    fn greeting() -> Router {
        Router::new().route("/", get(async || "hello"))
    }

    /// Connects and says something.
    async fn say(address: SocketAddr, words: &[u8]) -> TcpStream {
        let mut stream = TcpStream::connect(address).await.unwrap();
        stream.write_all(words).await.unwrap();
        stream
    }

    /// What is heard until the connection is closed.
    async fn heard(mut stream: TcpStream) -> String {
        let mut bytes = Vec::new();
        match stream.read_to_end(&mut bytes).await {
            Ok(_) => {}
            Err(error) => assert_eq!(error.kind(), io::ErrorKind::ConnectionReset),
        }
        String::from_utf8(bytes).unwrap()
    }

    /// The answer to a whole request.
    async fn asked(address: SocketAddr) -> String {
        heard(say(address, WHOLE).await).await
    }

    #[tokio::test]
    async fn whoever_sends_half_a_head_keeps_nobody_waiting_who_has_a_place() {
        let served = served((2, EVER), greeting()).await;
        let _silent = say(served.address, HALF).await;
        for _ in 0..3 {
            let answer = asked(served.address).await;
            assert!(answer.ends_with("hello"), "{answer}");
        }
    }

    #[tokio::test]
    async fn whoever_sends_half_a_head_is_closed_after_the_time_and_those_without_a_place_come_then() {
        let served = served((2, SHORT), greeting()).await;
        let mut silent = Vec::new();
        for words in [HALF, b"", HALF, b"", HALF] {
            silent.push(say(served.address, words).await);
        }
        let answer = asked(served.address).await;
        assert!(answer.ends_with("hello"), "{answer}");
        for stream in silent {
            let answer = heard(stream).await;
            assert!(!answer.contains("200 OK"), "{answer}");
        }
    }

    #[tokio::test]
    async fn no_more_are_served_at_once_than_may_be_and_all_are() {
        let (now, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let (counted, highest) = (Arc::clone(&now), Arc::clone(&most));
        let count = async move || {
            highest.fetch_max(counted.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            let others = (0..20).map(async |_| tokio::task::yield_now().await);
            stream::iter(others).for_each(|other| other).await;
            counted.fetch_sub(1, Ordering::SeqCst);
            "hello"
        };
        let served = served((3, EVER), Router::new().route("/", get(count))).await;
        let mut asking = JoinSet::new();
        for _ in 0..20 {
            asking.spawn(asked(served.address));
        }
        let answers = asking.join_all().await;
        assert_eq!(answers.len(), 20);
        assert!(
            answers.iter().all(|answer| answer.ends_with("hello")),
            "{answers:?}"
        );
        assert!(most.load(Ordering::SeqCst) <= 3, "{most:?}");
    }

    #[tokio::test]
    async fn whoever_waits_for_the_answer_without_an_end_is_closed() {
        let served = served(
            (1, SHORT),
            Router::new().route("/", get(std::future::pending::<String>)),
        )
        .await;
        assert_eq!(asked(served.address).await, "");
    }

    #[tokio::test]
    async fn what_is_under_way_at_the_end_is_answered_and_whoever_has_said_nothing_is_let_go() {
        let (asked, answer) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
        let (arrived, go) = (Arc::clone(&asked), Arc::clone(&answer));
        let slow = async move || {
            arrived.notify_one();
            go.notified().await;
            "hello"
        };
        let served = served((2, Duration::from_secs(2)), Router::new().route("/", get(slow))).await;
        let silent = say(served.address, b"").await;
        let under_way = say(served.address, WHOLE).await;
        asked.notified().await;
        served.ending.cancel();
        answer.notify_one();
        let answer = heard(under_way).await;
        assert!(answer.ends_with("hello"), "{answer}");
        served.serving.await.unwrap();
        assert_eq!(heard(silent).await, "");
        assert!(TcpStream::connect(served.address).await.is_err());
    }
}
