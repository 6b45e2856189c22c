//! A socket: the handshake that opens it, and messages over counted frames.

use std::future::Future;

use axum::extract::FromRequestParts;
use axum::extract::ws::WebSocketUpgrade;
use axum::http::request::Parts;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use futures_util::{SinkExt as _, StreamExt as _};
use hyper::upgrade::{OnUpgrade, Upgraded};
use hyper_util::rt::TokioIo;
use tokio::io::AsyncReadExt as _;
use tokio::runtime::Handle;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::handshake::derive_accept_key;
use tokio_tungstenite::tungstenite::protocol::{Role, WebSocketConfig};
use tokio_tungstenite::tungstenite::{Error, Message};

use super::frames::Frames;
use crate::problem::Problem;
use crate::runtimes::Threads;

/// The largest message.
pub const LARGEST_MESSAGE: usize = 16 * 1024;

/// The most that is taken from somebody who is cut off.
const MAX_DRAINED: usize = 64 * 1024;

/// One connection that has become a socket.
pub struct Socket {
    stream: WebSocketStream<Frames<TokioIo<Upgraded>>>,
}

impl Socket {
    async fn over(io: Upgraded) -> Socket {
        // Small buffers: thousands of connections are mostly idle.
        let config = WebSocketConfig::default()
            // Cleared before each read, so no larger than most messages are.
            .read_buffer_size(1024)
            .write_buffer_size(4 * 1024)
            .max_write_buffer_size(1024 * 1024)
            .max_message_size(Some(LARGEST_MESSAGE))
            .max_frame_size(Some(LARGEST_MESSAGE));
        let frames = Frames::over(TokioIo::new(io));
        let stream = WebSocketStream::from_raw_socket(frames, Role::Server, Some(config));
        Socket {
            stream: stream.await,
        }
    }

    /// The next message; none when it is over.
    pub async fn recv(&mut self) -> Option<Result<Message, Error>> {
        self.stream.next().await
    }

    /// It is a terminal's or a person's of the house, and no stranger's.
    pub fn known(&mut self) {
        self.stream.get_mut().known();
    }

    /// More frames came than may.
    #[must_use]
    pub fn too_many(&self) -> bool {
        self.stream.get_ref().too_many()
    }

    /// Takes what is still under way, within a bound: a line that is closed
    /// with bytes unread loses what it was told last.
    pub async fn drain(&mut self) {
        let mut bytes = [0; 4 * 1024];
        let raw = self.stream.get_mut().raw();
        for _ in 0..MAX_DRAINED / bytes.len() {
            if !matches!(raw.read(&mut bytes).await, Ok(1..)) {
                return;
            }
        }
    }

    /// Puts a message among those to be sent.
    ///
    /// # Errors
    /// When the line is broken.
    pub async fn feed(&mut self, message: Message) -> Result<(), Error> {
        self.stream.feed(message).await
    }

    /// Sends what waits.
    ///
    /// # Errors
    /// When the line is broken.
    pub async fn flush(&mut self) -> Result<(), Error> {
        self.stream.flush().await
    }

    /// Sends a message.
    ///
    /// # Errors
    /// When the line is broken.
    pub async fn send(&mut self, message: Message) -> Result<(), Error> {
        self.stream.send(message).await
    }
}

/// A request to become a socket.
pub struct Upgrade {
    on: OnUpgrade,
    accept: HeaderValue,
    /// Who could serve it.
    pub threads: Threads,
}

impl Upgrade {
    /// Agrees, and has these threads serve the socket once the line is one.
    pub fn on_upgrade<F>(
        self,
        by: fn(&Threads) -> &Handle,
        serve: impl FnOnce(Socket) -> F + Send + 'static,
    ) -> Response
    where
        F: Future<Output = ()> + Send + 'static,
    {
        by(&self.threads).clone().spawn(async move {
            // A client that has gone meanwhile has nobody to be told.
            if let Ok(io) = self.on.await {
                serve(Socket::over(io).await).await;
            }
        });
        let headers = [
            (header::CONNECTION, HeaderValue::from_static("upgrade")),
            (header::UPGRADE, HeaderValue::from_static("websocket")),
            (header::SEC_WEBSOCKET_ACCEPT, self.accept),
        ];
        (StatusCode::SWITCHING_PROTOCOLS, headers).into_response()
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Upgrade {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Upgrade, Problem> {
        let refused = |status: StatusCode, words: String| {
            let status = match status {
                StatusCode::UPGRADE_REQUIRED => StatusCode::UPGRADE_REQUIRED,
                _ => StatusCode::BAD_REQUEST,
            };
            Problem::new(status, "not_a_socket", words)
        };
        let on = parts.extensions.get::<OnUpgrade>().cloned();
        let threads = parts.extensions.get::<Threads>().cloned();
        let key = parts.headers.get(header::SEC_WEBSOCKET_KEY).cloned();
        // It knows what a request for a socket looks like.
        let checked = WebSocketUpgrade::from_request_parts(parts, state).await;
        drop(checked.map_err(|rejection| refused(rejection.status(), rejection.body_text()))?);
        let accept = key.and_then(|key| {
            let accept = derive_accept_key(key.as_bytes());
            HeaderValue::from_str(&accept).ok()
        });
        match (on, accept, threads) {
            (Some(on), Some(accept), Some(threads)) => Ok(Upgrade {
                on,
                accept,
                threads,
            }),
            _ => {
                let words = "the line cannot become a socket".to_owned();
                Err(refused(StatusCode::UPGRADE_REQUIRED, words))
            }
        }
    }
}
