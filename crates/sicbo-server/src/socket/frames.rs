//! Counts the frames that come in on a socket, whatever they are: parts of a message, empty
//! ones, pings. A message is put together from as many frames as its sender likes, so counting
//! messages alone would bound nothing.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use sicbo_clock::steady_ms;
use sicbo_house::allowance::Allowance;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// The bytes of a socket, read through a count of its frames.
pub struct Frames<I> {
    io: I,
    heads: Heads,
    allowance: Allowance,
    too_many: bool,
}

impl<I> Frames<I> {
    /// Counts from the first byte after the handshake.
    pub fn over(io: I) -> Frames<I> {
        Frames {
            io,
            heads: Heads::default(),
            allowance: Allowance::of_messages(steady_ms()),
            too_many: false,
        }
    }

    /// The bytes without the count, for one that is cut off.
    pub fn raw(&mut self) -> &mut I {
        &mut self.io
    }

    /// More came than may.
    pub fn too_many(&self) -> bool {
        self.too_many
    }
}

/// Where frames begin in a stream of bytes (RFC 6455, 5.2).
#[derive(Default)]
struct Heads {
    head: [u8; 14],
    length: usize,
    /// Bytes of the frame that are still to come.
    left: u64,
}

impl Heads {
    /// Frames whose heads end within these bytes.
    fn count(&mut self, mut bytes: &[u8]) -> usize {
        let mut frames = 0;
        while let Some(first) = bytes.first() {
            if self.left > 0 {
                let skipped = usize::try_from(self.left).unwrap_or(usize::MAX);
                let skipped = skipped.min(bytes.len());
                self.left -= skipped as u64;
                bytes = &bytes[skipped..];
                continue;
            }
            self.head[self.length] = *first;
            self.length += 1;
            bytes = &bytes[1..];
            if self.length == self.whole() {
                self.left = self.payload();
                self.length = 0;
                frames += 1;
            }
        }
        frames
    }

    /// How long this head is, as far as is known.
    fn whole(&self) -> usize {
        if self.length < 2 {
            return 2;
        }
        let mask = if self.head[1] & 0x80 == 0 { 0 } else { 4 };
        mask + match self.head[1] & 0x7f {
            126 => 4,
            127 => 10,
            _ => 2,
        }
    }

    fn payload(&self) -> u64 {
        match self.head[1] & 0x7f {
            126 => u64::from(u16::from_be_bytes([self.head[2], self.head[3]])),
            127 => {
                let mut length = [0; 8];
                length.copy_from_slice(&self.head[2..10]);
                u64::from_be_bytes(length)
            }
            short => u64::from(short),
        }
    }
}

impl<I: AsyncRead + Unpin> AsyncRead for Frames<I> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.io).poll_read(context, buffer))?;
        let frames = self.heads.count(&buffer.filled()[before..]);
        let now_ms = steady_ms();
        self.too_many |= !(0..frames).all(|_| self.allowance.take(now_ms));
        if self.too_many {
            return Poll::Ready(Err(io::Error::other("too many frames")));
        }
        Poll::Ready(Ok(()))
    }
}

impl<I: AsyncWrite + Unpin> AsyncWrite for Frames<I> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.io).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use super::Heads;

    /// A masked frame of so many bytes.
    fn frame(length: usize) -> Vec<u8> {
        let mut frame = vec![0x81];
        match length {
            0..=125 => frame.push(0x80 | length as u8),
            126..=65_535 => {
                frame.push(0x80 | 126);
                frame.extend((length as u16).to_be_bytes());
            }
            _ => {
                frame.push(0x80 | 127);
                frame.extend((length as u64).to_be_bytes());
            }
        }
        frame.extend([1, 2, 3, 4]);
        frame.extend(vec![0xff; length]);
        frame
    }

    #[test]
    fn every_frame_is_counted_once_however_its_bytes_arrive() {
        let lengths = [0, 0, 1, 125, 126, 0, 65_535, 65_536, 0, 7];
        let bytes: Vec<u8> = lengths.into_iter().flat_map(frame).collect();
        for part in [1, 2, 3, 7, 1_024, bytes.len()] {
            let mut heads = Heads::default();
            let counted: usize = bytes.chunks(part).map(|part| heads.count(part)).sum();
            assert_eq!(counted, lengths.len(), "in parts of {part}");
        }
        // As the house's own frames are: without a mask.
        assert_eq!(Heads::default().count(&[0x89, 0, 0x80, 0, 0x0, 0]), 3);
    }
}
