//! Connections that an answer can end: a listener whose connections are cut on a handler's word, before the answer's
//! first byte or amid its body, as a crashed server or a broken network would.

use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::extract::connect_info::Connected;
use axum::serve::{IncomingStream, Listener};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio_util::sync::{CancellationToken, WaitForCancellationFutureOwned};

/// How long to wait after an accept that failed for want of file handles.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// What a connection may still send: everything.
const OPEN: usize = usize::MAX;

/// A handler's hold on the connection that its request came by.
#[derive(Clone, Debug)]
pub(crate) struct Connection(Arc<AtomicUsize>);

impl Connection {
    /// Closes the connection before another byte is sent.
    pub(crate) fn close(&self) {
        // An answer's head is never empty: nothing of it may leave.
        self.0.store(CLOSED, Ordering::Release);
    }

    /// Lets the next answer's head and so many bytes of its body leave, then closes the connection.
    pub(crate) fn cut_body_after(&self, bytes: usize) {
        self.0.store(bytes.min(CLOSED - 1), Ordering::Release);
    }
}

/// Nothing may be sent, not even a head.
const CLOSED: usize = usize::MAX - 1;

impl Connected<IncomingStream<'_, Door>> for Connection {
    fn connect_info(stream: IncomingStream<'_, Door>) -> Self {
        stream.remote_addr().clone()
    }
}

/// A listener whose connections can be cut, and that can be shut: then connections are refused, as by a machine
/// where nothing listens, and those that were open end.
#[derive(Debug)]
pub(crate) struct Door {
    listener: Option<TcpListener>,
    address: SocketAddr,
    wished: watch::Receiver<bool>,
    open: watch::Sender<bool>,
    /// Ends the connections that came in since the door was last opened.
    closing: CancellationToken,
}

/// Shuts and opens a door.
#[derive(Debug)]
pub(crate) struct Doorkeeper {
    wished: watch::Sender<bool>,
    open: watch::Receiver<bool>,
}

impl Door {
    /// An open door, and its keeper.
    pub(crate) fn new(listener: TcpListener) -> io::Result<(Self, Doorkeeper)> {
        let address = listener.local_addr()?;
        let (wish, wished) = watch::channel(true);
        let (open, opened) = watch::channel(true);
        let closing = CancellationToken::new();
        let door = Self {
            listener: Some(listener),
            address,
            wished,
            open,
            closing,
        };
        Ok((
            door,
            Doorkeeper {
                wished: wish,
                open: opened,
            },
        ))
    }

    /// Opens or shuts the door as wished, then waits for a connection or for another wish.
    async fn step(&mut self) -> io::Result<Option<TcpStream>> {
        let wished = *self.wished.borrow_and_update();
        match &self.listener {
            Some(listener) if wished => tokio::select! {
                accepted = listener.accept() => accepted.and_then(no_delay).map(Some),
                () = changed(&mut self.wished) => Ok(None),
            },
            None if wished => {
                self.listener = Some(TcpListener::bind(self.address).await?);
                self.closing = CancellationToken::new();
                self.open.send_replace(true);
                Ok(None)
            }
            Some(_listener) => {
                self.listener = None;
                self.closing.cancel();
                self.open.send_replace(false);
                Ok(None)
            }
            None => {
                changed(&mut self.wished).await;
                Ok(None)
            }
        }
    }
}

/// Another wish; never, where the keeper has gone.
async fn changed(wished: &mut watch::Receiver<bool>) {
    if wished.changed().await.is_err() {
        std::future::pending::<()>().await;
    }
}

impl Doorkeeper {
    /// Shuts or opens the door; it is so when this returns.
    ///
    /// # Errors
    /// `NotConnected` where the server has ended.
    pub(crate) async fn set_open(&self, open: bool) -> io::Result<()> {
        let gone = || io::Error::from(io::ErrorKind::NotConnected);
        self.wished.send(open).map_err(|_ended| gone())?;
        let mut state = self.open.clone();
        state
            .wait_for(|is_open| *is_open == open)
            .await
            .map_err(|_ended| gone())?;
        Ok(())
    }
}

impl Listener for Door {
    type Io = Cuttable;
    type Addr = Connection;

    async fn accept(&mut self) -> (Cuttable, Connection) {
        loop {
            match self.step().await {
                Ok(Some(stream)) => {
                    let allowed = Arc::new(AtomicUsize::new(OPEN));
                    let connection = Connection(Arc::clone(&allowed));
                    let closing = Box::pin(self.closing.clone().cancelled_owned());
                    return (
                        Cuttable {
                            stream,
                            allowed,
                            head_sent: false,
                            closing,
                        },
                        connection,
                    );
                }
                Ok(None) => {}
                Err(error) => {
                    tracing::debug!(%error, "a connection was not accepted");
                    tokio::time::sleep(ACCEPT_PAUSE).await;
                }
            }
        }
    }

    fn local_addr(&self) -> io::Result<Connection> {
        Ok(Connection(Arc::new(AtomicUsize::new(OPEN))))
    }
}

fn no_delay((stream, _peer): (TcpStream, SocketAddr)) -> io::Result<TcpStream> {
    stream.set_nodelay(true)?;
    Ok(stream)
}

/// A stream that sends no more than it is allowed to.
#[derive(Debug)]
pub(crate) struct Cuttable {
    stream: TcpStream,
    /// [`OPEN`], [`CLOSED`], or how many bytes of a body may still leave.
    allowed: Arc<AtomicUsize>,
    /// Whether the head of the answer to be cut has left.
    head_sent: bool,
    /// Ready once the door was shut.
    closing: Pin<Box<WaitForCancellationFutureOwned>>,
}

impl Cuttable {
    /// How many of these bytes may leave; none where the connection is to be cut here.
    fn allowance(&self, bytes: &[u8]) -> Option<usize> {
        let left = match self.allowed.load(Ordering::Acquire) {
            OPEN => return Some(bytes.len()),
            CLOSED => return None,
            left => left,
        };
        // Hyper writes a head in one piece, with what fits of the body behind it.
        let head = if self.head_sent { 0 } else { end_of_head(bytes) };
        let most = head.saturating_add(left).min(bytes.len());
        (most > 0).then_some(most)
    }

    /// Takes note of what left.
    fn sent(&mut self, bytes: &[u8], count: usize) {
        let left = self.allowed.load(Ordering::Acquire);
        if matches!(left, OPEN | CLOSED) {
            return;
        }
        let head = if self.head_sent { 0 } else { end_of_head(bytes) };
        self.head_sent = true;
        self.allowed
            .store(left.saturating_sub(count.saturating_sub(head)), Ordering::Release);
    }
}

fn end_of_head(bytes: &[u8]) -> usize {
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n");
    end.map_or(bytes.len(), |at| at + 4)
}

impl AsyncRead for Cuttable {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        // Polled first, so that an idle connection ends too.
        if self.closing.as_mut().poll(context).is_ready() {
            return Poll::Ready(Err(io::ErrorKind::ConnectionAborted.into()));
        }
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for Cuttable {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let Some(part) = self.allowance(bytes).and_then(|count| bytes.get(..count)) else {
            return Poll::Ready(Err(io::ErrorKind::ConnectionAborted.into()));
        };
        let written = std::task::ready!(Pin::new(&mut self.stream).poll_write(context, part))?;
        self.sent(bytes, written);
        Poll::Ready(Ok(written))
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
