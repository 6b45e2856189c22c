//! A house program with one quick table, and clients that write their own bytes.

use std::collections::{BTreeMap, BTreeSet};
use std::net::{SocketAddr, TcpStream};
use std::process::ExitStatus;
use std::sync::Mutex;
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;

use super::http::{Answer, ask, ask_on, get, post};
use super::proof;
use super::ws::Socket;
pub use crate::common::SOON;
use crate::common::comes;
use crate::common::program::{Program, ahead_ms, put_ahead};

/// Everyone who works in the test house, by position.
pub const STAFF: [(&str, &str); 14] = [
    ("dealer", "Tan Wei Ming"),
    ("pit-supervisor", "Lim Siew Hoon"),
    ("pit-manager", "Nurul Aisyah"),
    ("shift-manager", "Goh Boon Keng"),
    ("director", "Margaret Oliveiro"),
    ("head-of-operations", "Quoc Bao"),
    ("surveillance", "Hafiz Rahman"),
    ("cashier", "Chua Mei Fong"),
    ("auditor", "Wong Kar Yan"),
    ("regulator", "Elena Fernandez"),
    ("trainer", "Pham Huu Duc"),
    ("technician", "Ravi Subramaniam"),
    ("cashier", "Daniel Seah"),
    ("director", "Sim Ah Lek"),
];

/// How long the quick table takes bets.
pub const WINDOW: Duration = Duration::from_secs(5);

/// How long a terminal has to show that bets are closed (Q-13).
const FENCE: Duration = Duration::from_secs(2);

/// A table of terminals that deals by itself.
pub const TABLE: &str = "mbs-etg";

/// The plan of a play-money house with one quick table; `more` goes first.
pub fn plan(more: &str) -> String {
    let mut text = format!("site = \"Doors\"\nlisten = \"127.0.0.1:0\"\n{more}\n");
    if !more.contains("stop_within_seconds") {
        text += "stop_within_seconds = 0\n";
    }
    for (position, name) in STAFF {
        text += &format!("[[staff]]\nname = \"{name}\"\nposition = \"{position}\"\n");
    }
    text += r#"
[[tables]]
name = "mbs-etg"
book = "mbs-etg"
currency = "SGD"
chip_unit = "1.00"
window_seconds = 5
shortest_tumble_ms = 0
dice_set = "D-0001"
tumbler = "simulated"
dealer = "automatic"
pace = "none"
lights = "none"
printer = { folder = "vouchers" }
note_acceptor = "simulated"
[tables.limits]
minimum = "1.00"
maximum = "500.00"
station_maximum = "5000.00"
exposure_maximum = "100000.00"
[[tables.stations]]
layout = "rapid"
count = 6
"#;
    text
}

/// A folder with this plan, in which nothing was started yet.
pub fn written(plan: &str) -> TempDir {
    let folder = TempDir::new().expect("a folder");
    std::fs::write(folder.path().join("house.toml"), plan).expect("the plan");
    folder
}

/// A running house.
pub struct House {
    pub program: Program,
    pub address: SocketAddr,
    pub folder: TempDir,
    pins: BTreeMap<String, String>,
    /// Those who have a PIN of their own.
    changed: Mutex<BTreeSet<String>>,
    tokens: BTreeMap<String, String>,
}

impl House {
    /// The quick play-money house.
    pub fn quick() -> House {
        House::of(&plan(""))
    }

    /// The same with rounds of a second, where nobody bets.
    pub fn brisk() -> House {
        House::of(&plan("").replace("window_seconds = 5", "window_seconds = 1"))
    }

    /// The house of a plan's text.
    pub fn of(plan: &str) -> House {
        House::start(written(plan))
    }

    /// The house whose plan is in the folder, also with what it had before.
    pub fn start(folder: TempDir) -> House {
        let program = Program::start(folder.path());
        let text = std::fs::read_to_string(folder.path().join("hand-over.txt"));
        let text = text.unwrap_or_default();
        let (mut pins, mut tokens) = (BTreeMap::new(), BTreeMap::new());
        for line in text.lines() {
            let parts: Vec<&str> = line.split('\t').collect();
            let map = if parts[0] == "pin" {
                &mut pins
            } else {
                &mut tokens
            };
            map.insert(parts[2].to_owned(), parts[1].to_owned());
        }
        House {
            address: program.address,
            program,
            folder,
            pins,
            changed: Mutex::default(),
            tokens,
        }
    }

    /// The first one-time PIN of a person.
    pub fn pin(&self, name: &str) -> &str {
        &self.pins[name]
    }

    /// Every PIN and token that was handed over.
    pub fn secrets(&self) -> impl Iterator<Item = &String> {
        self.pins.values().chain(self.tokens.values())
    }

    /// The token of something enrolled at the first start, by its name.
    pub fn token(&self, name: &str) -> &str {
        self.tokens
            .get(name)
            .unwrap_or_else(|| panic!("{name} of {:?}", self.tokens.keys()))
    }

    /// The token of a terminal of the table, from 1.
    pub fn terminal(&self, number: usize) -> &str {
        self.token(&format!("{TABLE} T{number}"))
    }

    /// Memory it holds, in KiB.
    pub fn memory_kib(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.program.id()));
        let status = status.expect("it runs");
        let line = status.lines().find(|line| line.starts_with("VmRSS:"));
        let number = line.and_then(|line| line.split_whitespace().nth(1));
        number.expect("VmRSS").parse().expect("a number")
    }

    /// Threads it has.
    pub fn threads(&self) -> usize {
        let folder = std::fs::read_dir(format!("/proc/{}/task", self.program.id()));
        folder.expect("it runs").count()
    }

    /// Files it has open.
    pub fn files(&self) -> usize {
        let folder = std::fs::read_dir(format!("/proc/{}/fd", self.program.id()));
        folder.expect("it runs").count()
    }

    /// Tells it to stop and gives how it ended.
    pub fn stop(self) -> (ExitStatus, TempDir) {
        self.program.signal("-TERM");
        self.stop_asked()
    }

    /// Tells it to stop; it ends well, and its data is verified and audited.
    pub fn ends_clean(self) {
        let (status, folder) = self.stop();
        assert!(status.success(), "it did not end well: {status}");
        proof::clean(&folder.path().join("data"));
    }

    /// How it ended, where it was told already.
    pub fn stop_asked(mut self) -> (ExitStatus, TempDir) {
        (self.program.ended(), self.folder)
    }

    /// The number of the round in hand, or of the last one.
    pub fn round(&self) -> u64 {
        let said = get(self, &format!("/api/tables/{TABLE}"), &[]);
        let state = &said.json()["state"];
        let number = state["round"]["number"].as_u64();
        number
            .or(state["last"]["number"].as_u64())
            .unwrap_or_default()
    }

    /// Time passes at once: every clock of the house is ahead by so much more.
    pub fn skip(&self, by: Duration) {
        let by = i64::try_from(by.as_millis()).expect("not for ever");
        let folder = self.folder.path();
        put_ahead(folder, ahead_ms(folder) + by);
    }

    /// The betting window of the quick table is over.
    pub fn closes_bets(&self) {
        self.skip(WINDOW);
    }

    /// The round ends at once, and the next takes bets; its number.
    pub fn next_round(&self, at: &mut Socket<TcpStream>) -> u64 {
        self.closes_bets();
        let mut ended = false;
        loop {
            let seen = at.until("table");
            let round = &seen["state"]["round"];
            match round["phase"].as_str() {
                Some("betting") if ended => return round["number"].as_u64().expect("a number"),
                Some("betting") => {}
                Some("closing") => {
                    // Whoever has not shown it is fenced by then.
                    self.skip(FENCE);
                    ended = true;
                }
                _ => ended = true,
            }
        }
    }

    /// Waits until two more rounds have been dealt.
    pub fn goes_on_dealing(&self) {
        let from = self.round();
        let dealt = || (self.round() >= from + 2).then_some(());
        comes(format!("no rounds are dealt after {from}"), dealt);
    }

    /// A connection.
    pub fn line(&self) -> TcpStream {
        let line = TcpStream::connect(self.address).expect("a connection");
        line.set_read_timeout(Some(SOON)).expect("a bound");
        line.set_write_timeout(Some(SOON)).expect("a bound");
        line
    }

    /// A connection from another address of this machine: 127.0.0.x stands for another client.
    pub fn line_from(&self, last: u8) -> TcpStream {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_io()
            .build()
            .expect("a runtime");
        let connect = async {
            let socket = tokio::net::TcpSocket::new_v4()?;
            // Ports of connections that have just ended are used again: searching for one that was
            // not used takes the kernel milliseconds after some ten thousand.
            socket.set_reuseaddr(true)?;
            socket.bind(([127, 0, 0, last], 0).into())?;
            socket.connect(self.address).await?.into_std()
        };
        let line = runtime.block_on(connect).expect("a connection");
        line.set_nonblocking(false).expect("blocking");
        line.set_read_timeout(Some(SOON)).expect("a bound");
        line.set_write_timeout(Some(SOON)).expect("a bound");
        line
    }

    /// Logs in with a PIN; the cookie.
    pub fn log_in(&self, name: &str, pin: &str) -> Answer {
        let body = json!({"name": name, "pin": pin});
        post(self, "/api/session", &[], &body)
    }

    /// A session of a person with a PIN of their own; the cookie's header.
    pub fn session(&self, name: &str) -> String {
        let held = STAFF.iter().find(|(_, known)| *known == name);
        let place = held.and_then(|(position, _)| self.tokens.get(place_of(position)));
        // Only a house for real money has such places.
        let real = self.tokens.contains_key("pit desk 1");
        self.session_at(name, place.filter(|_| real).map(String::as_str))
    }

    /// The same, opened at an enrolled place.
    pub fn session_at(&self, name: &str, token: Option<&str>) -> String {
        let bearer = token.map(|token| format!("Authorization: Bearer {token}"));
        let headers: Vec<&str> = bearer.as_deref().into_iter().collect();
        let enter = |pin: &str| {
            let body = json!({"name": name, "pin": pin});
            post(self, "/api/session", &headers, &body)
        };
        let own = own_pin(name);
        let changed = || self.changed.lock().expect("not poisoned");
        if changed().contains(name) {
            return enter(&own).is(200).cookie();
        }
        let first = enter(self.pin(name));
        changed().insert(name.to_owned());
        if first.status != 200 {
            let again = enter(&own).is(200);
            return again.cookie();
        }
        let cookie = first.cookie();
        if first.json()["must_change_pin"] == true {
            let body = json!({"old": self.pin(name), "new": own});
            post(self, "/api/session/pin", &[&cookie], &body).is(204);
        }
        cookie
    }

    /// A session of whoever first holds a position.
    pub fn staff(&self, position: &str) -> String {
        let found = STAFF.iter().find(|(held, _)| *held == position);
        self.session(found.expect("a position").1)
    }

    /// A terminal that has said hello and knows its own state.
    pub fn seated(&self, number: usize) -> Socket<TcpStream> {
        let mut socket = self.greeted(number);
        socket.until("mine");
        socket
    }

    /// A terminal that has said hello.
    pub fn greeted(&self, number: usize) -> Socket<TcpStream> {
        let mut socket = Socket::open(self.line(), "/ws/terminal", &[]).expect("a socket");
        let token = self.terminal(number);
        socket.text(&json!({"type": "hello", "protocol": 1, "token": token}).to_string());
        socket
    }

    /// Somebody does something at the table.
    pub fn act(&self, who: &str, act: &Value) -> Answer {
        post(self, &format!("/api/tables/{TABLE}/acts"), &[who], act)
    }

    /// Somebody proposes at the table what takes two persons.
    pub fn propose(&self, who: &str, act: &Value) -> Answer {
        let path = format!("/api/tables/{TABLE}/proposals");
        post(self, &path, &[who], act)
    }

    /// Somebody confirms what was proposed at the table.
    pub fn confirm(&self, who: &str, number: &Value, digest: &Value) -> Answer {
        let path = format!("/api/tables/{TABLE}/proposals/{number}/confirm");
        post(self, &path, &[who], &json!({"digest": digest}))
    }

    /// Two managers open a shift of a table, which is the frame of play with real money.
    pub fn open_shift(&self, who: &str, table: &str) {
        let act = json!({"act": "open_shift", "table": table, "opener": 0});
        let proposed = post(self, "/api/proposals", &[who], &act).is(201).json();
        let manager = self.staff("pit-manager");
        let path = format!("/api/proposals/{}/confirm", proposed["proposal"]);
        let digest = json!({"digest": proposed["digest"]});
        post(self, &path, &[&manager], &digest).is(200);
    }

    /// The table is open, by the plan or by a person, and so is a shift with real money.
    pub fn open_table(&self, who: &str) {
        let known = get(self, "/api/house", &[]).is(200).json();
        let shifts = format!("/api/shifts?table={TABLE}");
        if known["real_money"] == true {
            let shifts = get(self, &shifts, &[who]).is(200).json();
            let open = shifts[0].is_object() && shifts[0]["closed_ms"].is_null();
            if !open {
                self.open_shift(who, TABLE);
            }
        }
        let said = self.act(who, &json!({"act": "open_table"}));
        assert!(matches!(said.status, 200 | 409), "{}", said.body);
    }

    /// What staff see of the table.
    pub fn sees(&self, who: &str) -> Value {
        get(self, &format!("/api/tables/{TABLE}/staff"), &[who]).json()
    }

    /// Asks over a new connection.
    pub fn ask(&self, method: &str, path: &str, headers: &[&str], body: Option<&Value>) -> Answer {
        ask(self, method, path, headers, body)
    }

    /// Asks and gives what came, also when the line broke first.
    pub fn bytes(&self, bytes: &[u8]) -> Answer {
        ask_on(&mut self.line(), bytes)
    }
}

/// The place of the first start where somebody in a position logs in with real money.
pub fn place_of(position: &str) -> &'static str {
    match position {
        "dealer" => "mbs-etg console",
        "cashier" => "cage window 1",
        "technician" => "technician desk 1",
        "surveillance" | "auditor" | "regulator" => "audit desk 1",
        _ => "pit desk 1",
    }
}

/// The PIN a person chooses.
pub fn own_pin(name: &str) -> String {
    let at = STAFF.iter().position(|(_, known)| *known == name);
    format!("90731{:03}", 107 + 13 * at.unwrap_or(50))
}
