//! One accepted connection: holds its place among all connections until it is
//! closed, and gives up on a peer that does not read.
//!
//! The place goes with the bytes and not with the request: a socket that was
//! opened by a request counts until it ends.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};

use super::crowd::Place;

/// A peer that takes nothing for this long is cut off.
pub(super) const WRITE_TIMEOUT: Duration = Duration::from_secs(10);

/// A connection with its place.
pub(super) struct Line<I> {
    io: I,
    _place: Arc<Place>,
    /// Runs while the peer takes nothing.
    stuck: Option<Pin<Box<Sleep>>>,
}

impl<I> Line<I> {
    /// A connection that holds a place until it is dropped.
    pub(super) fn new(io: I, place: Arc<Place>) -> Line<I> {
        Line {
            io,
            _place: place,
            stuck: None,
        }
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

impl<I: AsyncRead + Unpin> AsyncRead for Line<I> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_read(context, buffer)
    }
}

impl<I: AsyncWrite + Unpin> AsyncWrite for Line<I> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let polled = Pin::new(&mut self.io).poll_write(context, bytes);
        self.bounded(context, polled)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let polled = Pin::new(&mut self.io).poll_flush(context);
        self.bounded(context, polled)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let polled = Pin::new(&mut self.io).poll_shutdown(context);
        self.bounded(context, polled)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let polled = Pin::new(&mut self.io).poll_write_vectored(context, parts);
        self.bounded(context, polled)
    }

    fn is_write_vectored(&self) -> bool {
        self.io.is_write_vectored()
    }
}
