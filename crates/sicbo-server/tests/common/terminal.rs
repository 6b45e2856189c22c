//! A player's terminal over a real WebSocket. It remembers every answer, and
//! checks of every frame that versions only go forward.

use std::collections::BTreeMap;
use std::net::SocketAddr;

use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};

use super::SOON;

type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// A terminal that is connected.
pub struct Terminal {
    pub address: SocketAddr,
    pub token: String,
    sink: SplitSink<Socket, Message>,
    frames: mpsc::UnboundedReceiver<Value>,
    reader: JoinHandle<()>,
    /// The newest version it has seen.
    pub version: u64,
    public_version: u64,
    /// What it was told at the start.
    pub welcome: Value,
    /// It goes on without a gap.
    pub gapless: bool,
    /// The public states since it connected.
    pub states: Vec<(u64, Value)>,
    /// Its own money and bets.
    pub mine: Value,
    /// Answers to betting acts, by id.
    pub answers: BTreeMap<u64, Value>,
    /// Answers to other requests.
    pub replies: BTreeMap<u64, Value>,
    /// Settlement cards by round.
    pub cards: BTreeMap<u64, Value>,
    /// Amendments in order.
    pub amended: Vec<Value>,
    /// Why the house ended the connection.
    pub bye: Option<Value>,
}

async fn read(mut stream: SplitStream<Socket>, frames: mpsc::UnboundedSender<Value>) {
    while let Some(Ok(message)) = stream.next().await {
        if let Message::Text(text) = message {
            let frame = serde_json::from_str(&text).expect("frames are JSON");
            if frames.send(frame).is_err() {
                return;
            }
        }
    }
}

impl Terminal {
    /// Connects, says hello and waits until it knows its own state.
    pub async fn connect(address: SocketAddr, token: &str, from: Option<u64>) -> Terminal {
        let mut terminal = Terminal::open(address, token).await;
        let mut hello = json!({"type": "hello", "protocol": 1, "token": token});
        if let Some(from) = from {
            hello["from"] = from.into();
        }
        terminal.send(hello).await;
        terminal.until("mine", |t| !t.mine.is_null()).await;
        terminal
    }

    /// Connects and says nothing.
    pub async fn open(address: SocketAddr, token: &str) -> Terminal {
        let url = format!("ws://{address}/ws/terminal");
        let opened = timeout(SOON, tokio_tungstenite::connect_async(url)).await;
        let (socket, _) = opened.expect("in time").expect("a connection");
        let (sink, stream) = socket.split();
        let (sender, frames) = mpsc::unbounded_channel();
        Terminal {
            address,
            token: token.to_owned(),
            sink,
            frames,
            reader: tokio::spawn(read(stream, sender)),
            version: 0,
            public_version: 0,
            welcome: Value::Null,
            gapless: false,
            states: Vec::new(),
            mine: Value::Null,
            answers: BTreeMap::new(),
            replies: BTreeMap::new(),
            cards: BTreeMap::new(),
            amended: Vec::new(),
            bye: None,
        }
    }

    /// The line is cut without a word; comes back from the last version seen.
    pub async fn reconnect(&mut self) {
        let (address, from) = (self.address, self.version);
        let token = std::mem::take(&mut self.token);
        self.cut();
        *self = Terminal::connect(address, &token, Some(from)).await;
    }

    /// Cuts the line: neither a close nor what is still under way is waited for.
    pub fn cut(&mut self) {
        self.reader.abort();
    }

    /// Sends a message; what the line does with it is not waited for.
    pub async fn send(&mut self, message: Value) {
        // A line that is gone loses it, as lines do.
        let _ = self.sink.send(Message::text(message.to_string())).await;
    }

    fn note(&mut self, frame: Value) {
        let number = |key: &str| frame[key].as_u64();
        if let Some(version) = number("version") {
            self.version = self.version.max(version);
        }
        match frame["type"].as_str().expect("a type") {
            "welcome" => self.welcome = frame,
            "resume" => self.gapless = frame["gapless"] == true,
            "table" => {
                let version = number("version").expect("a version");
                assert!(version > self.public_version, "versions go forward only");
                self.public_version = version;
                self.states.push((version, frame["state"].clone()));
            }
            "mine" => self.mine = frame["mine"].clone(),
            "registered" => {
                let id = number("id").expect("an id");
                self.mine["credit"] = frame["credit"].clone();
                self.mine["at_risk"] = frame["at_risk"].clone();
                self.answers.insert(id, frame);
            }
            "refused" => {
                self.answers.insert(number("id").expect("an id"), frame);
            }
            "settlement" => {
                let round = frame["card"]["end"]["number"].as_u64().expect("a round");
                self.mine["credit"] = frame["credit"].clone();
                self.cards.insert(round, frame["card"].clone());
            }
            "amended" => {
                self.mine["credit"] = frame["credit"].clone();
                self.amended.push(frame);
            }
            "done" | "declined" | "voucher" => {
                let request = number("request").expect("a request");
                self.replies.insert(request, frame);
            }
            "heartbeat" => {}
            "bye" => self.bye = Some(frame),
            other => panic!("an unknown frame {other}: {frame}"),
        }
    }

    /// Takes in everything that has come already.
    pub fn catch_up(&mut self) {
        while let Ok(frame) = self.frames.try_recv() {
            self.note(frame);
        }
    }

    /// Reads until something is so.
    pub async fn until(&mut self, what: &str, is_so: impl Fn(&Terminal) -> bool) {
        let wait = async {
            while !is_so(self) {
                match self.frames.recv().await {
                    Some(frame) => self.note(frame),
                    None => panic!("the line ended before {what}; bye {:?}", self.bye),
                }
            }
        };
        if timeout(SOON, wait).await.is_err() {
            let last = self.states.last();
            panic!("{what} did not come; mine {}, last {last:?}", self.mine);
        }
    }

    /// Reads until something is so; false when the line ends before.
    pub async fn comes(&mut self, is_so: impl Fn(&Terminal) -> bool) -> bool {
        while !is_so(self) {
            match self.frames.recv().await {
                Some(frame) => self.note(frame),
                None => return false,
            }
        }
        true
    }

    /// Reads until the house ends the connection, and says why.
    pub async fn ended(&mut self) -> String {
        let wait = async {
            while let Some(frame) = self.frames.recv().await {
                self.note(frame);
            }
        };
        timeout(SOON, wait).await.expect("the house ends it");
        let bye = self.bye.as_ref().expect("a reason");
        bye["code"].as_str().expect("a code").to_owned()
    }

    /// Reads until this act was answered.
    pub async fn answer(&mut self, id: u64) -> Value {
        self.until("an answer", |t| t.answers.contains_key(&id))
            .await;
        self.answers[&id].clone()
    }

    /// Reads until this request was answered.
    pub async fn reply(&mut self, request: u64) -> Value {
        self.until("a reply", |t| t.replies.contains_key(&request))
            .await;
        self.replies[&request].clone()
    }

    /// The newest public state.
    pub fn state(&self) -> &Value {
        self.states.last().map_or(&Value::Null, |(_, state)| state)
    }

    /// The round in hand, in this phase.
    pub fn is_in(&self, round: u64, phase: &str) -> bool {
        let now = &self.state()["round"];
        now["number"] == round && now["phase"] == phase
    }

    /// Reads until the round is in this phase.
    pub async fn phase(&mut self, round: u64, phase: &str) {
        self.until(phase, |t| t.is_in(round, phase)).await;
    }

    /// *No more bets* is on its screen.
    pub async fn shown(&mut self, round: u64) {
        self.phase(round, "closing").await;
        self.send(json!({"type": "shown", "round": round})).await;
    }

    /// Free credit as it was last told.
    pub fn credit(&self) -> i64 {
        self.mine["credit"].as_i64().expect("credit")
    }

    /// At risk as it was last told.
    pub fn at_risk(&self) -> i64 {
        self.mine["at_risk"].as_i64().expect("at risk")
    }

    /// A note into the acceptor.
    pub async fn insert_note(&mut self, request: u64, amount: i64) {
        self.send(json!({"type": "insert_note", "request": request, "amount": amount}))
            .await;
        let said = self.reply(request).await;
        assert_eq!(said["type"], "done", "{said}");
    }

    /// Places bets and waits for the answer.
    pub async fn bet(&mut self, id: u64, round: u64, lines: &[(&str, i64)]) -> Value {
        self.send(bet(id, round, lines)).await;
        self.answer(id).await
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        self.reader.abort();
    }
}

/// A message that places bets.
pub fn bet(id: u64, round: u64, lines: &[(&str, i64)]) -> Value {
    json!({"type": "bet", "id": id, "round": round, "lines": stakes(lines)})
}

/// Lines of a bet.
pub fn stakes(lines: &[(&str, i64)]) -> Value {
    let stake = |(section, stake): &(&str, i64)| json!({"section": section, "stake": stake});
    lines.iter().map(stake).collect()
}

/// The validation number on a ticket: eighteen digits in groups.
pub fn number_on(ticket: &str) -> String {
    let grouped = |c: char| c.is_ascii_digit() || c == '-';
    let parts = ticket.split(|c: char| !grouped(c));
    let digits = |part: &str| part.chars().filter(char::is_ascii_digit).count();
    let found = parts.into_iter().find(|part| digits(part) == 18);
    found.expect("a validation number").to_owned()
}
