//! One terminal of the load: the least a WebSocket client can be, so that the
//! load takes little of the machine it shares with the house.
//!
//! Frames to the house are masked with zeros, which the protocol allows and
//! which costs the house the same as any other mask.

use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::net::SocketAddr;

use mio::net::TcpStream;

/// What a terminal was told.
pub(crate) enum Told {
    /// It is connected and knows its station's state.
    Mine,
    /// The current round is taking bets, or closing.
    Round { number: u64, closing: bool },
    /// A betting act was registered, sent at this time.
    Registered { sent_us: u64 },
    /// A betting act was refused.
    Refused(String),
    /// A note was taken.
    Done,
    /// The settlement of a round.
    Settlement { round: u64 },
    /// The house has ended the connection.
    Bye(String),
}

/// A connection, its bytes that wait, and its acts that are not answered.
pub(crate) struct Terminal {
    pub(crate) stream: TcpStream,
    token: String,
    open: bool,
    greeted: bool,
    inward: Vec<u8>,
    outward: Vec<u8>,
    next_id: u64,
    waiting: VecDeque<(u64, u64)>,
}

impl Terminal {
    pub(crate) fn connect(address: SocketAddr, token: String) -> io::Result<Terminal> {
        let stream = TcpStream::connect(address)?;
        Ok(Terminal {
            stream,
            token,
            open: false,
            greeted: false,
            inward: Vec::new(),
            outward: format!(
                "GET /ws/terminal HTTP/1.1\r\nHost: {address}\r\nUpgrade: websocket\r\n\
                 Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\
                 Sec-WebSocket-Version: 13\r\n\r\n"
            )
            .into_bytes(),
            next_id: 1,
            waiting: VecDeque::new(),
        })
    }

    /// Acts that are not answered.
    pub(crate) fn unanswered(&self) -> usize {
        self.waiting.len()
    }

    /// Forgets what was not answered.
    pub(crate) fn forget(&mut self) {
        self.waiting.clear();
    }

    /// A betting act on these lines, due at `due_us`.
    pub(crate) fn bet(&mut self, round: u64, lines: &str, due_us: u64) {
        let id = self.next_id;
        self.next_id += 1;
        self.waiting.push_back((id, due_us));
        self.text(&format!(
            r#"{{"type":"bet","id":{id},"round":{round},"lines":[{lines}]}}"#
        ));
    }

    /// A text message, to go with the next flush.
    pub(crate) fn text(&mut self, text: &str) {
        self.frame(0x81, text.as_bytes());
    }

    fn frame(&mut self, first: u8, payload: &[u8]) {
        self.outward.push(first);
        match payload.len() {
            short @ 0..=125 => self.outward.push(0x80 | short as u8),
            long => {
                self.outward.push(0x80 | 126);
                self.outward.extend((long as u16).to_be_bytes());
            }
        }
        self.outward.extend([0; 4]);
        self.outward.extend(payload);
    }

    /// Sends what waits, as far as there is room.
    pub(crate) fn flush(&mut self) -> io::Result<()> {
        while !self.outward.is_empty() {
            match self.stream.write(&self.outward) {
                Ok(sent) => drop(self.outward.drain(..sent)),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(()),
                // Not connected yet: there will be word when it is.
                Err(error) if error.kind() == io::ErrorKind::NotConnected => return Ok(()),
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Reads everything there is, and says what it means; how many bytes it was.
    pub(crate) fn hear(&mut self, room: &mut [u8], told: &mut Vec<Told>) -> io::Result<u64> {
        let mut heard = 0;
        loop {
            match self.stream.read(room) {
                Ok(0) => {
                    told.push(Told::Bye("the connection was closed".to_owned()));
                    return Ok(heard);
                }
                Ok(read) => {
                    heard += read as u64;
                    self.take(&room[..read], told);
                    // Less than there was room for: that was all.
                    if read < room.len() {
                        return Ok(heard);
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(heard),
                Err(error) if error.kind() == io::ErrorKind::NotConnected => return Ok(heard),
                Err(error) => return Err(error),
            }
        }
    }

    fn take(&mut self, read: &[u8], told: &mut Vec<Told>) {
        if self.inward.is_empty() && self.open {
            let used = self.frames(read, told);
            self.inward.extend_from_slice(&read[used..]);
            return;
        }
        let mut all = std::mem::take(&mut self.inward);
        all.extend_from_slice(read);
        let mut used = 0;
        if !self.open {
            let Some(end) = find(&all, b"\r\n\r\n") else {
                self.inward = all;
                return;
            };
            if !all.starts_with(b"HTTP/1.1 101") {
                let head = String::from_utf8_lossy(&all[..end]);
                let first = head.lines().next().unwrap_or_default();
                told.push(Told::Bye(format!("no socket: {first}")));
                return;
            }
            self.open = true;
            used = end + 4;
            let hello = format!(
                r#"{{"type":"hello","protocol":1,"token":"{}"}}"#,
                self.token
            );
            self.text(&hello);
        }
        used += self.frames(&all[used..], told);
        all.drain(..used);
        self.inward = all;
    }

    /// Deals with whole frames; how many bytes they were.
    fn frames(&mut self, bytes: &[u8], told: &mut Vec<Told>) -> usize {
        let mut at = 0;
        while let Some((first, payload)) = frame_at(&bytes[at..]) {
            let (start, end) = (at + payload.start, at + payload.end);
            at = end;
            match first & 0x0f {
                1 => self.message(&bytes[start..end], told),
                9 => self.frame(0x8a, &bytes[start..end]),
                8 => told.push(Told::Bye("the house closed".to_owned())),
                _ => {}
            }
        }
        at
    }

    fn message(&mut self, text: &[u8], told: &mut Vec<Told>) {
        let Some(kind) = text.strip_prefix(br#"{"type":""#) else {
            return;
        };
        let is = |word: &[u8]| kind.starts_with(word);
        if is(b"registered\"") {
            let id = number_after(text, b"\"id\":");
            // Answers come in the order of the acts.
            if let Some(at) = self.waiting.iter().position(|(known, _)| *known == id)
                && let Some((_, sent_us)) = self.waiting.remove(at)
            {
                told.push(Told::Registered { sent_us });
            }
        } else if is(b"refused\"") {
            let id = number_after(text, b"\"id\":");
            self.waiting.retain(|(known, _)| *known != id);
            told.push(Told::Refused(String::from_utf8_lossy(text).into_owned()));
        } else if is(b"table\"") {
            if find(text, b"\"round\":{").is_some() {
                let number = number_after(text, b"\"round\":{\"number\":");
                let closing = find(text, b"\"phase\":\"closing\"").is_some();
                told.push(Told::Round { number, closing });
            }
        } else if is(b"settlement\"") {
            let round = number_after(text, b"\"number\":");
            told.push(Told::Settlement { round });
        } else if is(b"mine\"") {
            if !self.greeted {
                self.greeted = true;
                told.push(Told::Mine);
            }
        } else if is(b"done\"") {
            told.push(Told::Done);
        } else if is(b"declined\"") {
            told.push(Told::Refused(String::from_utf8_lossy(text).into_owned()));
        } else if is(b"bye\"") {
            told.push(Told::Bye(String::from_utf8_lossy(text).into_owned()));
        }
    }
}

/// The first byte of a frame and where its payload is, if all of it is there.
fn frame_at(bytes: &[u8]) -> Option<(u8, std::ops::Range<usize>)> {
    let (first, second) = (*bytes.first()?, *bytes.get(1)?);
    let (start, length): (usize, usize) = match second & 0x7f {
        126 => {
            let long: [u8; 2] = bytes.get(2..4)?.try_into().ok()?;
            (4, usize::from(u16::from_be_bytes(long)))
        }
        127 => {
            let long: [u8; 8] = bytes.get(2..10)?.try_into().ok()?;
            (10, usize::try_from(u64::from_be_bytes(long)).ok()?)
        }
        short => (2, usize::from(short)),
    };
    let end = start.checked_add(length)?;
    (bytes.len() >= end).then_some((first, start..end))
}

fn find(text: &[u8], what: &[u8]) -> Option<usize> {
    memchr::memmem::find(text, what)
}

/// The whole number after some text; 0 when it is not there.
fn number_after(text: &[u8], what: &[u8]) -> u64 {
    let Some(at) = find(text, what) else {
        return 0;
    };
    let digits = text[at + what.len()..].iter();
    digits
        .take_while(|byte| byte.is_ascii_digit())
        .fold(0, |sum: u64, digit| {
            sum.wrapping_mul(10).wrapping_add(u64::from(digit - b'0'))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_is_found_when_all_of_it_is_there() {
        let mut bytes = vec![0x81, 126, 0, 200];
        bytes.extend([b'x'; 199]);
        assert_eq!(frame_at(&bytes), None);
        bytes.push(b'x');
        assert_eq!(frame_at(&bytes), Some((0x81, 4..204)));
        assert_eq!(frame_at(&[0x89, 0, 0x81]), Some((0x89, 2..2)));
    }

    #[test]
    fn numbers_are_found_in_a_text() {
        let text = br#"{"type":"registered","id":712,"version":9}"#;
        assert_eq!(number_after(text, b"\"id\":"), 712);
        assert_eq!(number_after(text, b"\"no\":"), 0);
    }
}
