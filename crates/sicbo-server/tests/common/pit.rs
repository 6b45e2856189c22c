//! A pit desk that watches every table over a real WebSocket.

use futures_util::StreamExt;
use serde_json::Value;
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};

use super::SOON;
use super::http::Http;

/// A desk that is connected.
pub struct PitDesk {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
}

impl PitDesk {
    /// Opens the desk on a person's session.
    pub async fn open(who: &Http) -> PitDesk {
        let socket = who.socket("/ws/pit").await;
        PitDesk { socket }
    }

    /// Reads until a table's state is so, and returns it.
    pub async fn until(
        &mut self,
        what: &str,
        table: &str,
        is_so: impl Fn(&Value) -> bool,
    ) -> Value {
        let wait = async {
            while let Some(Ok(message)) = self.socket.next().await {
                if let Message::Text(text) = message {
                    let frame: Value = serde_json::from_str(&text).expect("frames are JSON");
                    let state = &frame["state"];
                    if frame["type"] == "staff" && frame["table"] == table && is_so(state) {
                        return state.clone();
                    }
                }
            }
            panic!("the line ended before {what}")
        };
        let came = timeout(SOON, wait).await;
        came.unwrap_or_else(|_| panic!("{what} did not come to the pit desk"))
    }
}
