//! A client that writes its own bytes.

use std::io::{Read, Write};

use serde_json::Value;

use super::house::House;

/// What came back.
#[derive(Debug)]
pub struct Answer {
    /// Zero when nothing came.
    pub status: u16,
    pub head: String,
    pub body: String,
    /// What was asked, for whoever reads of a failure.
    pub asked: String,
}

impl Answer {
    /// What these bytes say, in answer to others.
    pub fn of(asked: &[u8], bytes: &[u8]) -> Answer {
        let text = String::from_utf8_lossy(bytes);
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
        let status = head.split(' ').nth(1).and_then(|word| word.parse().ok());
        Answer {
            status: status.unwrap_or_default(),
            head: head.to_owned(),
            body: body.to_owned(),
            asked: String::from_utf8_lossy(&asked[..asked.len().min(2_000)]).into_owned(),
        }
    }

    /// It has this status.
    #[track_caller]
    pub fn is(self, status: u16) -> Answer {
        assert_eq!(self.status, status, "{}: {self:?}", self.asked);
        self
    }

    /// It is a problem with this code.
    #[track_caller]
    pub fn coded(self, code: &str) -> Answer {
        assert_eq!(self.code(), code, "{}: {self:?}", self.asked);
        self
    }

    /// A header.
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut lines = self.head.lines().filter_map(|line| line.split_once(": "));
        lines
            .find(|(known, _)| known.eq_ignore_ascii_case(name))
            .map(|(_, value)| value)
    }

    /// The body.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or(Value::Null)
    }

    /// The code of a problem; it is told as one.
    pub fn code(&self) -> String {
        let json = self.json();
        if self.status >= 400 {
            assert_eq!(
                self.header("content-type"),
                Some("application/problem+json"),
                "{self:?}"
            );
            assert_eq!(json["status"], self.status, "{self:?}");
            assert!(
                json["detail"]
                    .as_str()
                    .is_some_and(|words| !words.is_empty())
            );
        }
        json["code"].as_str().unwrap_or_default().to_owned()
    }

    /// The rule of a problem.
    pub fn rule(&self) -> String {
        self.json()["rule"].as_str().unwrap_or_default().to_owned()
    }

    /// It is a problem with this status and this code.
    #[track_caller]
    pub fn refuses(self, status: u16, code: &str) -> Answer {
        self.is(status).coded(code)
    }

    /// The header by which the session goes on.
    pub fn cookie(&self) -> String {
        assert_eq!(self.status, 200, "{self:?}");
        let set = self.header("set-cookie").expect("a cookie");
        format!("Cookie: {}", set.split(';').next().unwrap_or_default())
    }
}

/// The bytes of a request that ends its connection.
pub fn request(method: &str, path: &str, headers: &[&str], body: Option<&str>) -> Vec<u8> {
    let mut text = format!("{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n");
    for header in headers {
        text += &format!("{header}\r\n");
    }
    if let Some(body) = body {
        text += &format!(
            "Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        );
    } else {
        text += "\r\n";
    }
    text.into_bytes()
}

/// Sends bytes and reads until the house ends the connection.
pub fn ask_on(line: &mut (impl Read + Write), bytes: &[u8]) -> Answer {
    // A house that has heard enough answers before everything is sent.
    let _ = line.write_all(bytes);
    let mut all = Vec::new();
    let mut buffer = [0; 4096];
    while let Ok(read @ 1..) = line.read(&mut buffer) {
        all.extend_from_slice(&buffer[..read]);
    }
    Answer::of(bytes, &all)
}

/// Asks over a connection of its own.
pub fn ask(
    house: &House,
    method: &str,
    path: &str,
    headers: &[&str],
    body: Option<&Value>,
) -> Answer {
    let body = body.map(ToString::to_string);
    let bytes = request(method, path, headers, body.as_deref());
    ask_on(&mut house.line(), &bytes)
}

/// A GET.
pub fn get(house: &House, path: &str, headers: &[&str]) -> Answer {
    ask(house, "GET", path, headers, None)
}

/// A POST of JSON.
pub fn post(house: &House, path: &str, headers: &[&str], body: &Value) -> Answer {
    ask(house, "POST", path, headers, Some(body))
}
