//! A house program in a process of its own, in a folder of its own: this test
//! program, started again as the house.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader};
use std::net::{SocketAddr, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};
use sicbo_clock::{Clocks, run_by};
use sicbo_plan::{HousePlan, files_beside};
use sicbo_register::pin::PinCost;
use sicbo_server::serve::{Options, log_to_stderr, run, signalled};
use tempfile::TempDir;

use super::http::{Answer, ask, ask_on, get, post};
use super::ws::Socket;

const FOLDER: &str = "SICBO_DOORS_FOLDER";
/// The file that says by how many milliseconds the house's clocks are ahead.
const AHEAD: &str = "ahead-by-ms";
/// With this file beside its plan the house hashes PINs as one that is served does.
pub const FULL_PIN_COST: &str = "full-pin-cost";
/// Whatever is waited for has come by then, or never comes.
pub const SOON: Duration = Duration::from_secs(40);

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

/// A running house.
pub struct House {
    child: Child,
    pub address: SocketAddr,
    pub folder: TempDir,
    ahead_ms: AtomicI64,
    pins: BTreeMap<String, String>,
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
        let folder = TempDir::new().expect("a folder");
        std::fs::write(folder.path().join("house.toml"), plan).expect("the plan");
        House::start(folder)
    }

    /// The house whose plan is in the folder, also with what it had before.
    pub fn start(folder: TempDir) -> House {
        let own = std::env::current_exe().expect("own path");
        let log = std::fs::File::options()
            .create(true)
            .append(true)
            .open(folder.path().join("log.txt"))
            .expect("a log");
        let mut child = Command::new(own)
            .args(["--exact", "house_program", "--ignored", "--nocapture"])
            .env(FOLDER, folder.path())
            .stdout(Stdio::piped())
            .stderr(log)
            .spawn()
            .expect("the house program");
        let mut lines = BufReader::new(child.stdout.take().expect("piped")).lines();
        let address = loop {
            let Some(Ok(line)) = lines.next() else {
                let log = std::fs::read_to_string(folder.path().join("log.txt"));
                panic!("the house does not listen: {}", log.unwrap_or_default());
            };
            if let Some((_, at)) = line.split_once("listening on ") {
                let at = at.split_once("://").expect("a scheme").1;
                break at.trim().parse().expect("an address");
            }
        };
        // Whatever else it says is read, so that it never waits for us.
        std::thread::spawn(move || lines.for_each(drop));
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
        let ahead = std::fs::read_to_string(folder.path().join(AHEAD));
        let ahead = ahead.ok().and_then(|text| text.parse().ok());
        House {
            child,
            address,
            folder,
            ahead_ms: AtomicI64::new(ahead.unwrap_or(0)),
            pins,
            tokens,
        }
    }

    /// Everything it wrote to its log.
    pub fn log(&self) -> String {
        std::fs::read_to_string(self.folder.path().join("log.txt")).expect("its log")
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
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id()));
        let status = status.expect("it runs");
        let line = status.lines().find(|line| line.starts_with("VmRSS:"));
        let number = line.and_then(|line| line.split_whitespace().nth(1));
        number.expect("VmRSS").parse().expect("a number")
    }

    /// Files it has open.
    pub fn files(&self) -> usize {
        let folder = std::fs::read_dir(format!("/proc/{}/fd", self.child.id()));
        folder.expect("it runs").count()
    }

    /// Tells it to stop and gives how it ended.
    pub fn stop(mut self) -> (std::process::ExitStatus, TempDir) {
        self.signal("-TERM");
        let by = Instant::now() + SOON;
        loop {
            if let Some(status) = self.child.try_wait().expect("ours") {
                let empty = TempDir::new().expect("a folder");
                return (status, std::mem::replace(&mut self.folder, empty));
            }
            assert!(Instant::now() < by, "it does not stop");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// The same when it was told already.
    pub fn stop_asked(mut self) -> (std::process::ExitStatus, TempDir) {
        let status = self.child.wait().expect("ours");
        let empty = TempDir::new().expect("a folder");
        (status, std::mem::replace(&mut self.folder, empty))
    }

    /// Sends it a signal.
    pub fn signal(&self, name: &str) {
        let told = Command::new("kill")
            .args([name, &self.child.id().to_string()])
            .status();
        assert!(told.expect("kill").success());
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
        let ahead = self.ahead_ms.fetch_add(by, Ordering::Relaxed) + by;
        // Another file in its place, so that none is read half written.
        let file = self.folder.path().join(AHEAD);
        let next = file.with_extension(ahead.to_string());
        std::fs::write(&next, ahead.to_string()).expect("a clock");
        std::fs::rename(&next, file).expect("the clock is set");
    }

    /// Waits until two more rounds have been dealt.
    pub fn goes_on_dealing(&self) {
        let from = self.round();
        let by = Instant::now() + SOON;
        while self.round() < from + 2 {
            assert!(Instant::now() < by, "no rounds are dealt after {from}");
            std::thread::sleep(Duration::from_millis(100));
        }
    }

    /// A connection.
    pub fn line(&self) -> TcpStream {
        let line = TcpStream::connect(self.address).expect("a connection");
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
        self.session_at(name, None)
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
        let first = enter(self.pin(name));
        if first.status != 200 {
            let again = enter(&own);
            assert_eq!(again.status, 200, "{name}: {}", again.body);
            return again.cookie();
        }
        let cookie = first.cookie();
        if first.json()["must_change_pin"] == true {
            let body = json!({"old": self.pin(name), "new": own});
            let said = post(self, "/api/session/pin", &[&cookie], &body);
            assert_eq!(said.status, 204, "{}", said.body);
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

    /// Asks over a new connection.
    pub fn ask(&self, method: &str, path: &str, headers: &[&str], body: Option<&Value>) -> Answer {
        ask(self, method, path, headers, body)
    }

    /// Asks and gives what came, also when the line broke first.
    pub fn bytes(&self, bytes: &[u8]) -> Answer {
        ask_on(&mut self.line(), bytes)
    }
}

/// The PIN a person chooses.
pub fn own_pin(name: &str) -> String {
    let at = STAFF.iter().position(|(_, known)| *known == name);
    format!("90731{:03}", 107 + 13 * at.unwrap_or(50))
}

/// The machine's clocks, ahead by as much as a file says.
struct Ahead {
    file: PathBuf,
    began: Instant,
    furthest_ms: AtomicI64,
}

impl Ahead {
    fn ms(&self) -> i64 {
        let said = std::fs::read_to_string(&self.file).ok();
        let said = said.and_then(|text| text.parse().ok()).unwrap_or(0);
        // A clock does not run back, not even when its file goes.
        self.furthest_ms
            .fetch_max(said, Ordering::Relaxed)
            .max(said)
    }
}

impl Clocks for Ahead {
    fn machine_ms(&self) -> i64 {
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        since.expect("after 1970").as_millis() as i64 + self.ms()
    }

    fn steady_ms(&self) -> i64 {
        self.began.elapsed().as_millis() as i64 + self.ms()
    }
}

impl Drop for House {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        if std::thread::panicking() {
            eprintln!("the house's log:\n{}", self.log());
        }
    }
}

/// The house program itself, where this test program was started as one.
pub fn run_if_asked() {
    let Some(folder) = std::env::var_os(FOLDER).map(PathBuf::from) else {
        return;
    };
    log_to_stderr();
    let text = std::fs::read_to_string(folder.join("house.toml")).expect("the plan");
    let plan = HousePlan::parse(&text, &files_beside(&folder));
    let plan = plan.unwrap_or_else(|error| panic!("the plan: {error:?}"));
    let mut plan = plan.beside(&folder);
    if !folder.join(FULL_PIN_COST).exists() {
        plan.pin_cost = PinCost::LOW;
    }
    let clocks = Ahead {
        file: folder.join(AHEAD),
        began: Instant::now(),
        furthest_ms: AtomicI64::new(0),
    };
    assert!(run_by(Box::new(clocks)), "nobody has asked for the time");
    let data = folder.join("data");
    let options = Options {
        new_house: plan.real_money && !data.exists(),
        plan,
        data,
    };
    let served = run(options, signalled(), |up| {
        if let Some(hand_over) = &up.hand_over {
            let mut text = String::new();
            for (name, pin) in &hand_over.pins {
                text += &format!("pin\t{}\t{name}\n", pin.digits());
            }
            for (name, token) in &hand_over.tokens {
                text += &format!("token\t{token}\t{name}\n");
            }
            std::fs::write(folder.join("hand-over.txt"), text).expect("hand over");
        }
        println!("listening on {}", up.address);
        true
    });
    served.expect("the house runs");
    std::process::exit(0);
}
