//! A WebSocket client that can also misbehave: it writes its frames itself.

use std::io::{self, Read, Write};

use serde_json::Value;

use super::http::Answer;

/// A socket.
pub struct Socket<L> {
    pub line: L,
}

/// What came in.
#[derive(Debug, PartialEq)]
pub enum Frame {
    Text(Value),
    Ping,
    Pong,
    /// The closing frame's status.
    Close(u16),
    /// The line has ended.
    Gone,
}

impl<L: Read + Write> Socket<L> {
    /// Opens a socket, or gives the refusal.
    pub fn open(mut line: L, path: &str, headers: &[&str]) -> Result<Socket<L>, Answer> {
        let mut text = format!(
            "GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
             Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
        );
        for header in headers {
            text += &format!("{header}\r\n");
        }
        text += "\r\n";
        line.write_all(text.as_bytes()).expect("it is asked");
        let mut head = Vec::new();
        let mut byte = [0];
        while !head.ends_with(b"\r\n\r\n") {
            match line.read(&mut byte) {
                Ok(1) => head.push(byte[0]),
                _ => break,
            }
        }
        let said = Answer::of(text.as_bytes(), &head);
        if said.status == 101 {
            return Ok(Socket { line });
        }
        let length = said.header("content-length").and_then(|n| n.parse().ok());
        let mut body = vec![0; length.unwrap_or(0)];
        let _ = line.read_exact(&mut body);
        let body = String::from_utf8_lossy(&body).into_owned();
        Err(Answer { body, ..said })
    }

    /// Writes a frame: first byte as given, the length as it is.
    pub fn frame(&mut self, first: u8, payload: &[u8]) -> io::Result<()> {
        let mut bytes = vec![first];
        match payload.len() {
            short @ 0..126 => bytes.push(0x80 | short as u8),
            middle @ 126..65_536 => {
                bytes.push(0x80 | 126);
                bytes.extend_from_slice(&(middle as u16).to_be_bytes());
            }
            long => {
                bytes.push(0x80 | 127);
                bytes.extend_from_slice(&(long as u64).to_be_bytes());
            }
        }
        // A mask of zeroes leaves the payload as it is.
        bytes.extend_from_slice(&[0; 4]);
        bytes.extend_from_slice(payload);
        self.line.write_all(&bytes)
    }

    /// Sends a text; a line that is gone loses it.
    pub fn text(&mut self, text: &str) {
        let _ = self.frame(0x81, text.as_bytes());
    }

    /// Sends a message.
    pub fn say(&mut self, message: &Value) {
        self.text(&message.to_string());
    }

    fn exactly(&mut self, length: usize) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; length];
        self.line.read_exact(&mut bytes)?;
        Ok(bytes)
    }

    fn read(&mut self) -> io::Result<Frame> {
        let head = self.exactly(2)?;
        let length = match head[1] & 0x7f {
            126 => {
                let bytes = self.exactly(2)?;
                usize::from(u16::from_be_bytes([bytes[0], bytes[1]]))
            }
            127 => {
                let bytes = self.exactly(8)?;
                bytes
                    .iter()
                    .fold(0, |sum, byte| sum * 256 + usize::from(*byte))
            }
            short => usize::from(short),
        };
        let payload = self.exactly(length)?;
        Ok(match head[0] & 0x0f {
            1 => Frame::Text(serde_json::from_slice(&payload).expect("frames are JSON")),
            8 if payload.len() >= 2 => Frame::Close(u16::from_be_bytes([payload[0], payload[1]])),
            8 => Frame::Close(1005),
            9 => Frame::Ping,
            10 => Frame::Pong,
            other => panic!("opcode {other}"),
        })
    }

    /// The next frame.
    pub fn next(&mut self) -> Frame {
        self.read().unwrap_or(Frame::Gone)
    }

    /// The next message of a type; pings are answered on the way.
    pub fn until(&mut self, wanted: &str) -> Value {
        self.find(wanted, |_| true)
    }

    /// The next message of a type that is so.
    pub fn find(&mut self, wanted: &str, is_so: impl Fn(&Value) -> bool) -> Value {
        self.find_any(wanted, |message| {
            message["type"] == wanted && is_so(message)
        })
    }

    /// The next answer to a request, whatever it says.
    pub fn answer(&mut self, request: u64) -> Value {
        let answers = ["done", "declined", "voucher"].map(Value::from);
        self.find_any("an answer", |message| {
            answers.contains(&message["type"]) && message["request"] == request
        })
    }

    /// The next message that is so, for which there are words.
    pub fn find_any(&mut self, wanted: &str, is_so: impl Fn(&Value) -> bool) -> Value {
        loop {
            match self.next() {
                Frame::Text(message) if is_so(&message) => return message,
                Frame::Text(_) | Frame::Pong => {}
                Frame::Ping => {
                    let _ = self.frame(0x8a, b"");
                }
                end => panic!("{end:?} before {wanted}"),
            }
        }
    }

    /// Reads until the house ends it: the code it said, and the status.
    pub fn ended(&mut self) -> (String, u16) {
        let mut code = String::new();
        loop {
            match self.next() {
                Frame::Text(message) if message["type"] == "bye" => {
                    code = message["code"].as_str().unwrap_or_default().to_owned();
                }
                Frame::Close(status) => return (code, status),
                Frame::Gone => return (code, 0),
                _ => {}
            }
        }
    }
}
