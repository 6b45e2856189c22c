//! Counts the frames that come in on a socket, whatever they are: parts of a message, empty
//! ones, pings. A message is put together from as many frames as its sender likes, so counting
//! messages alone would bound nothing.
//!
//! Reads of strangers are paced as well: a sender who writes every frame by itself would wake a
//! thread for each. Whoever has used up their reads is read again a little later, with all that
//! has come.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use sicbo_clock::steady_ms;
use sicbo_house::allowance::Allowance;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};

/// Between two reads of a connection that was read too often.
const READ_PAUSE: Duration = Duration::from_millis(50);

/// The bytes of a socket, read through a count of its frames.
pub struct Frames<I> {
    io: I,
    heads: Heads,
    allowance: Allowance,
    /// None for a terminal or a person of the house.
    reads: Option<Allowance>,
    /// Until it is read again; only those who write too often have one.
    pause: Option<Pin<Box<Sleep>>>,
    too_many: bool,
}

impl<I> Frames<I> {
    /// Counts from the first byte after the handshake.
    pub fn over(io: I) -> Frames<I> {
        let now_ms = steady_ms();
        Frames {
            io,
            heads: Heads::default(),
            allowance: Allowance::of_messages(now_ms),
            reads: Some(Allowance::of_reads(now_ms)),
            pause: None,
            too_many: false,
        }
    }

    /// It is no stranger's: it is read as soon as something comes.
    pub fn known(&mut self) {
        self.reads = None;
        self.pause = None;
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
        if let Some(pause) = &mut self.pause {
            ready!(pause.as_mut().poll(context));
            self.pause = None;
        }
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.io).poll_read(context, buffer))?;
        let frames = self.heads.count(&buffer.filled()[before..]);
        let now_ms = steady_ms();
        if self.reads.as_mut().is_some_and(|reads| !reads.take(now_ms)) {
            self.pause = Some(Box::pin(sleep(READ_PAUSE)));
        }
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
    use super::*;
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, DuplexStream, duplex};

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

    /// A stranger's tiny frames are read twenty times a second, and not each by itself.
    #[tokio::test]
    async fn a_stranger_who_writes_every_frame_by_itself_is_read_seldom() {
        assert!(reads(|_| {}).await < 60);
        // A terminal is read as soon as something comes.
        assert!(reads(Frames::known).await > 60);
    }

    /// Reads that it takes to hear three hundred frames, written one by one.
    async fn reads(make: fn(&mut Frames<DuplexStream>)) -> usize {
        let (near, mut far) = duplex(64 * 1024);
        let mut frames = Frames::over(near);
        make(&mut frames);
        let writer = tokio::spawn(async move {
            for _ in 0..300 {
                far.write_all(&frame(0)).await.expect("written");
                // Lets the reader have each by itself.
                tokio::task::yield_now().await;
            }
        });
        let (mut bytes, mut reads, mut read) = ([0; 1024], 0_usize, 0_usize);
        let whole = 300 * frame(0).len();
        while read < whole {
            read += frames.read(&mut bytes).await.expect("within the allowance");
            reads += 1;
        }
        writer.await.expect("written");
        reads
    }
}
