//! A plain HTTP client with one session: one request, one connection.

use std::net::SocketAddr;

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::SOON;

/// Someone who asks over HTTP.
#[derive(Clone)]
pub struct Http {
    pub address: SocketAddr,
    pub cookie: Option<String>,
    bearer: Option<String>,
}

/// What came back.
#[derive(Debug)]
pub struct Said {
    pub status: u16,
    pub cookie: Option<String>,
    pub text: String,
}

impl Said {
    /// The body as JSON; null when it is none.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or(Value::Null)
    }

    /// The stable code of a problem.
    pub fn code(&self) -> String {
        self.json()["code"].as_str().unwrap_or_default().to_owned()
    }

    /// The rule of a problem.
    pub fn rule(&self) -> String {
        self.json()["rule"].as_str().unwrap_or_default().to_owned()
    }
}

impl Http {
    /// Nobody in particular.
    pub fn anyone(address: SocketAddr) -> Http {
        Http {
            address,
            cookie: None,
            bearer: None,
        }
    }

    /// A terminal by its token.
    pub fn terminal(address: SocketAddr, token: &str) -> Http {
        Http {
            bearer: Some(token.to_owned()),
            ..Http::anyone(address)
        }
    }

    /// The one whose session this cookie is.
    pub fn with_cookie(address: SocketAddr, cookie: &str) -> Http {
        Http {
            cookie: Some(cookie.to_owned()),
            ..Http::anyone(address)
        }
    }

    /// Asks; an error when the house is gone.
    pub async fn ask(
        &self,
        method: &str,
        path: &str,
        body: Option<&Value>,
    ) -> std::io::Result<Said> {
        let answer = timeout(SOON, self.exchange(method, path, body)).await;
        answer.unwrap_or_else(|_| Err(std::io::Error::other("no answer in time")))
    }

    async fn exchange(
        &self,
        method: &str,
        path: &str,
        body: Option<&Value>,
    ) -> std::io::Result<Said> {
        let body = body.map(ToString::to_string).unwrap_or_default();
        let mut head = format!(
            "{method} {path} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n",
            self.address
        );
        if let Some(cookie) = &self.cookie {
            head += &format!("cookie: sicbo_session={cookie}\r\n");
        }
        if let Some(token) = &self.bearer {
            head += &format!("authorization: Bearer {token}\r\n");
        }
        if !body.is_empty() {
            let length = body.len();
            head += &format!("content-type: application/json\r\ncontent-length: {length}\r\n");
        }
        let mut stream = TcpStream::connect(self.address).await?;
        stream.set_nodelay(true)?;
        stream
            .write_all(format!("{head}\r\n{body}").as_bytes())
            .await?;
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).await?;
        parse(&answer).ok_or_else(|| std::io::Error::other("half an answer"))
    }

    /// Looks, and is shown it.
    pub async fn get(&self, path: &str) -> Value {
        let said = self.ask("GET", path, None).await.expect("the house is up");
        assert_eq!(said.status, 200, "GET {path}: {}", said.text);
        said.json()
    }

    /// Asks for something to be done.
    pub async fn post(&self, path: &str, body: &Value) -> Said {
        let said = self.ask("POST", path, Some(body)).await;
        said.expect("the house is up")
    }
}

fn parse(answer: &[u8]) -> Option<Said> {
    let text = String::from_utf8_lossy(answer);
    let (head, body) = text.split_once("\r\n\r\n")?;
    let status = head.split(' ').nth(1)?.parse().ok()?;
    let field = |wanted: &str| {
        head.lines().find_map(|line| {
            let (name, value) = line.split_once(": ")?;
            name.eq_ignore_ascii_case(wanted).then_some(value)
        })
    };
    assert!(
        field("transfer-encoding").is_none(),
        "a whole body is expected"
    );
    let length = field("content-length").and_then(|n| n.parse::<usize>().ok());
    if length.is_some_and(|length| length != body.len()) {
        return None;
    }
    let cookie = field("set-cookie").and_then(|cookie| {
        let (_, value) = cookie.split(';').next()?.split_once('=')?;
        Some(value.to_owned())
    });
    Some(Said {
        status,
        cookie,
        text: body.to_owned(),
    })
}
