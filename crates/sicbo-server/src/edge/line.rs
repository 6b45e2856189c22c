//! One accepted connection: holds its place among all connections until it is
//! closed, and gives up on a peer that does not read.
//!
//! The place goes with the bytes and not with the request: a socket that was
//! opened by a request counts until it ends.
//!
//! Bytes of strangers arrive at the threads of strangers. When somebody is recognised the line
//! moves: from then on bytes arrive at the threads of terminals and staff.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::runtime::Handle;
use tokio::time::{Sleep, sleep};

use super::crowd::Place;

/// A peer that takes nothing for this long is cut off.
pub(super) const WRITE_TIMEOUT: Duration = Duration::from_secs(10);

/// A connection with its place.
pub(super) struct Line {
    /// None only when the line was lost while it moved.
    io: Option<TcpStream>,
    place: Arc<Place>,
    /// Where it moves to; none once it has.
    moves_to: Option<Handle>,
    /// Runs while the peer takes nothing.
    stuck: Option<Pin<Box<Sleep>>>,
}

impl Line {
    /// A connection that holds a place until it is dropped, and moves to these threads when
    /// somebody is recognised on it.
    pub(super) fn new(io: TcpStream, place: Arc<Place>, moves_to: Handle) -> Line {
        Line {
            io: Some(io),
            place,
            moves_to: Some(moves_to),
            stuck: None,
        }
    }

    /// The connection, where it belongs by now.
    fn io(&mut self) -> io::Result<Pin<&mut TcpStream>> {
        // Asked of the place, which is another's memory, only until it has moved.
        if self.moves_to.is_some()
            && self.place.is_known()
            && let Some(to) = self.moves_to.take()
            && let Some(io) = self.io.take()
        {
            let _there = to.enter();
            self.io = Some(TcpStream::from_std(io.into_std()?)?);
        }
        let io = self.io.as_mut().map(Pin::new);
        io.ok_or_else(|| io::ErrorKind::NotConnected.into())
    }

    /// Passes on what came of a write, unless the peer has been stuck too long.
    fn bounded<T>(
        &mut self,
        context: &mut Context<'_>,
        polled: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if polled.is_ready() {
            self.stuck = None;
            return polled;
        }
        let stuck = self
            .stuck
            .get_or_insert_with(|| Box::pin(sleep(WRITE_TIMEOUT)));
        ready!(stuck.as_mut().poll(context));
        metrics::counter!("sicbo_slow_readers_total").increment(1);
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl AsyncRead for Line {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.io()?.poll_read(context, buffer)
    }
}

impl AsyncWrite for Line {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let polled = self.io()?.poll_write(context, bytes);
        self.bounded(context, polled)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let polled = self.io()?.poll_flush(context);
        self.bounded(context, polled)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let polled = self.io()?.poll_shutdown(context);
        self.bounded(context, polled)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let polled = self.io()?.poll_write_vectored(context, parts);
        self.bounded(context, polled)
    }

    fn is_write_vectored(&self) -> bool {
        self.io.as_ref().is_some_and(AsyncWrite::is_write_vectored)
    }
}
