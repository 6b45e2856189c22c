//! What the machine itself allows: as many bytes to as many connections of the
//! same loads, written by threads that do nothing else. What the house takes
//! for a settlement is compared with this.

use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::time::Duration;

use mio::{Events, Interest, Poll, Token};

use super::orders::now_us;

/// Threads that write: as many as the house has workers on this machine.
fn writers() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// The writing end.
pub(crate) struct Bare {
    listener: TcpListener,
    streams: Vec<TcpStream>,
}

impl Bare {
    /// Listens on a free port of this machine.
    pub(crate) fn new() -> io::Result<Bare> {
        Ok(Bare {
            listener: TcpListener::bind(("127.0.0.1", 0))?,
            streams: Vec::new(),
        })
    }

    pub(crate) fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Takes so many connections.
    pub(crate) fn accept(&mut self, count: usize) -> io::Result<()> {
        while self.streams.len() < count {
            let (stream, _) = self.listener.accept()?;
            stream.set_nodelay(true)?;
            self.streams.push(stream);
        }
        Ok(())
    }

    /// Writes to all; when that began, microseconds since 1970.
    pub(crate) fn write(&mut self, bytes: usize) -> io::Result<u64> {
        let text = vec![b'x'; bytes];
        let share = self.streams.len().div_ceil(writers()).max(1);
        let began_us = now_us();
        std::thread::scope(|scope| {
            let writing: Vec<_> = self
                .streams
                .chunks_mut(share)
                .map(|own| scope.spawn(|| own.iter_mut().try_for_each(|to| to.write_all(&text))))
                .collect();
            writing.into_iter().try_for_each(|thread| {
                let ended = thread.join();
                ended.unwrap_or_else(|_| Err(io::Error::other("a writer has panicked")))
            })
        })?;
        Ok(began_us)
    }
}

/// The reading end, in a load.
pub(crate) struct BareReader {
    poll: Poll,
    /// Each with the bytes that it still awaits.
    streams: Vec<(mio::net::TcpStream, usize)>,
    /// How many of them await any.
    left: usize,
    last_us: u64,
}

impl BareReader {
    /// Without connections yet.
    pub(crate) fn new() -> io::Result<BareReader> {
        Ok(BareReader {
            poll: Poll::new()?,
            streams: Vec::new(),
            left: 0,
            last_us: 0,
        })
    }

    /// So many connections more.
    pub(crate) fn connect(&mut self, address: SocketAddr, more: usize) -> io::Result<()> {
        for _ in 0..more {
            let stream = TcpStream::connect(address)?;
            stream.set_nonblocking(true)?;
            let mut stream = mio::net::TcpStream::from_std(stream);
            let token = Token(self.streams.len());
            let registry = self.poll.registry();
            registry.register(&mut stream, token, Interest::READABLE)?;
            self.streams.push((stream, 0));
        }
        Ok(())
    }

    /// Each awaits so many bytes now.
    pub(crate) fn await_each(&mut self, bytes: usize) {
        self.streams.iter_mut().for_each(|(_, left)| *left = bytes);
        self.left = self.streams.len();
    }

    /// Not all have what they await.
    pub(crate) fn waiting(&self) -> bool {
        self.left > 0
    }

    /// When the last of them had it.
    pub(crate) fn last_us(&self) -> u64 {
        self.last_us
    }

    /// Reads what has come.
    pub(crate) fn look(&mut self, events: &mut Events, room: &mut [u8]) -> io::Result<()> {
        self.poll.poll(events, Some(Duration::ZERO))?;
        for event in &*events {
            let (stream, left) = &mut self.streams[event.token().0];
            let read = match stream.read(room) {
                Ok(read) => read,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => continue,
                Err(error) => return Err(error),
            };
            if *left > 0 && *left <= read {
                self.left -= 1;
                self.last_us = now_us();
            }
            *left = left.saturating_sub(read);
        }
        Ok(())
    }
}
