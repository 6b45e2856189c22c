//! A plain HTTP client with one session: one request, one connection.

use std::net::SocketAddr;

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};

use super::SOON;
use crate::doors::http::{Answer, request};

/// Someone who asks over HTTP.
#[derive(Clone)]
pub struct Http {
    pub address: SocketAddr,
    /// The header by which the house knows them.
    known_by: Option<String>,
}

impl Http {
    /// Nobody in particular.
    pub fn anyone(address: SocketAddr) -> Http {
        let known_by = None;
        Http { address, known_by }
    }

    /// A terminal by its token.
    pub fn terminal(address: SocketAddr, token: &str) -> Http {
        let known_by = Some(format!("Authorization: Bearer {token}"));
        Http { address, known_by }
    }

    /// The one who logged in with this answer.
    pub fn logged_in(address: SocketAddr, said: &Answer) -> Http {
        let known_by = Some(said.cookie());
        Http { address, known_by }
    }

    /// A socket of somebody who is logged in.
    pub async fn socket(&self, path: &str) -> WebSocketStream<MaybeTlsStream<TcpStream>> {
        let url = format!("ws://{}{path}", self.address);
        let mut request = url.into_client_request().expect("a request");
        let cookie = self.known_by.as_ref().expect("a session");
        let cookie = cookie["Cookie: ".len()..].parse().expect("a header");
        request.headers_mut().insert("cookie", cookie);
        let opened = timeout(SOON, tokio_tungstenite::connect_async(request)).await;
        let (socket, _) = opened.expect("in time").expect("a connection");
        socket
    }

    /// Asks; an error when the house is gone.
    pub async fn ask(
        &self,
        method: &str,
        path: &str,
        body: Option<&Value>,
    ) -> std::io::Result<Answer> {
        let answer = timeout(SOON, self.exchange(method, path, body)).await;
        answer.unwrap_or_else(|_| Err(std::io::Error::other("no answer in time")))
    }

    async fn exchange(
        &self,
        method: &str,
        path: &str,
        body: Option<&Value>,
    ) -> std::io::Result<Answer> {
        let headers: Vec<&str> = self.known_by.as_deref().into_iter().collect();
        let body = body.map(ToString::to_string);
        let asked = request(method, path, &headers, body.as_deref());
        let mut stream = TcpStream::connect(self.address).await?;
        stream.set_nodelay(true)?;
        stream.write_all(&asked).await?;
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).await?;
        let said = Answer::of(&asked, &answer);
        assert_eq!(
            said.header("transfer-encoding"),
            None,
            "a whole body is expected"
        );
        let length = said
            .header("content-length")
            .and_then(|n| n.parse::<usize>().ok());
        match said.status == 0 || length.is_some_and(|length| length != said.body.len()) {
            true => Err(std::io::Error::other("half an answer")),
            false => Ok(said),
        }
    }

    /// Looks, and is shown it.
    pub async fn get(&self, path: &str) -> Value {
        let said = self.ask("GET", path, None).await;
        said.expect("the house is up").is(200).json()
    }

    /// Asks for something to be done.
    pub async fn post(&self, path: &str, body: &Value) -> Answer {
        let said = self.ask("POST", path, Some(body)).await;
        said.expect("the house is up")
    }
}
