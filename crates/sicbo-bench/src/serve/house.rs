//! The house that is measured: a process of its own, and its dealer, who works
//! over HTTP like any other.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::orders::now_us;
use crate::{BenchError, failed};

pub(crate) const TABLE: &str = "floor";
pub(crate) const BOOK: &str = "mbs-etg";
pub(crate) const LAYOUT: &str = "rapid";
/// The largest note the acceptor takes, in minor units.
pub(crate) const NOTE: i64 = 100_000;
const DEALER: &str = "Tan Wei Ming";
const SUPERVISOR: &str = "Lim Siew Hoon";
/// The PIN each of them changes to.
const PIN: &str = "739154";
/// A step of the dealer is allowed within this time.
const STEP_TIMEOUT: Duration = Duration::from_secs(60);
/// A connection is used again within this time.
const KEPT_FOR: Duration = Duration::from_secs(3);

/// The plan of a house with so many terminals.
fn plan(terminals: usize) -> String {
    format!(
        r#"site = "Measured House"
real_money = false
listen = "127.0.0.1:0"
connections_per_address = 18000
requests_per_address = 100000
utc_offset_minutes = 480
idle_log_out_minutes = 60
terminal_acts_per_round = 10000
terminal_kilobytes_per_round = 16384
voucher_days = 30

[tls]
use = "none"

[[staff]]
name = "{DEALER}"
position = "dealer"

[[staff]]
name = "{SUPERVISOR}"
position = "pit-supervisor"

[[staff]]
name = "Margaret Oliveiro"
position = "director"

[[tables]]
name = "{TABLE}"
book = "{BOOK}"
currency = "SGD"
chip_unit = "1.00"
window_seconds = 3600
dice_set = "D-0001"
tumble = "before-open"
second_reading = "never"
tumbler = "manual"
shortest_tumble_ms = 0
dealer = "person"
lights = "none"
printer = {{ folder = "vouchers" }}
note_acceptor = "simulated"

[tables.limits]
minimum = "1.00"
maximum = "1000000.00"
station_maximum = "100000000.00"
exposure_maximum = "10000000000000.00"

[[tables.stations]]
layout = "{LAYOUT}"
count = {terminals}
"#
    )
}

/// A running house.
pub(crate) struct House {
    child: Child,
    pub(crate) address: SocketAddr,
    /// Tokens of its terminals.
    pub(crate) tokens: Vec<String>,
    dealer: Session,
    round: u64,
}

impl House {
    /// Starts one with its data in `folder`, and opens its table.
    pub(crate) fn start(
        program: &Path,
        folder: &Path,
        terminals: usize,
    ) -> Result<House, BenchError> {
        let (config, secrets) = (folder.join("house.toml"), folder.join("hand-over.txt"));
        std::fs::write(&config, plan(terminals)).map_err(BenchError::file("write", &config))?;
        let mut child = Command::new(program)
            .args(["serve", "--log-level", "warn"])
            .args(["--listen", "127.0.0.1:0", "--config"])
            .arg(&config)
            .arg("--data")
            .arg(folder.join("data"))
            .arg("--hand-over")
            .arg(&secrets)
            .arg("--mark")
            .arg(folder.join("house.mark"))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()?;
        let address = match child.stdout.take().and_then(listening) {
            Some(address) => address,
            None => {
                let _ = child.kill();
                let _ = child.wait();
                return Err(failed("the house did not start"));
            }
        };
        let mut house = House {
            child,
            address,
            tokens: Vec::new(),
            dealer: Session::none(address),
            round: 0,
        };
        let secrets =
            std::fs::read_to_string(&secrets).map_err(BenchError::file("read", &secrets))?;
        let mut pins = Vec::new();
        for line in secrets.lines() {
            let mut parts = line.split('\t');
            match (parts.next(), parts.next(), parts.next()) {
                (Some("pin"), Some(pin), Some(name)) => pins.push((pin, name)),
                (Some("token"), Some(token), Some(name)) if !name.ends_with(" console") => {
                    house.tokens.push(token.to_owned());
                }
                _ => {}
            }
        }
        let log_in = |name: &str| {
            let pin = pins.iter().find(|(_, known)| *known == name);
            let pin = pin.ok_or_else(|| failed("a person has no PIN"))?.0;
            Session::log_in(address, name, pin)
        };
        log_in(SUPERVISOR)?.act("open_table", "")?;
        house.dealer = log_in(DEALER)?;
        Ok(house)
    }

    /// Memory the process holds, in bytes.
    pub(crate) fn memory(&self) -> Result<u64, BenchError> {
        let path = format!("/proc/{}/status", self.child.id());
        let status =
            std::fs::read_to_string(&path).map_err(BenchError::file("read", Path::new(&path)))?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let kib = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse().ok());
        kib.map(|kib: u64| kib * 1024)
            .ok_or_else(|| failed("the system does not say how much memory a process holds"))
    }

    /// Begins a round and calls for bets; its number.
    pub(crate) fn open_bets(&mut self) -> Result<u64, BenchError> {
        self.dealer.act("activate_tumbler", "")?;
        let tumbles = r#","count":3,"all_dice_moved":true"#;
        self.dealer.act("report_tumbles", tumbles)?;
        self.dealer.act("call_bets", "")?;
        self.round += 1;
        Ok(self.round)
    }

    /// Closes the bets and reads the dice; all that is left is to confirm them.
    pub(crate) fn close_bets(&mut self) -> Result<(), BenchError> {
        self.dealer.act("close_bets", "")?;
        // Every terminal shows the close before the cover may be lifted.
        self.dealer.act("uncover", "")?;
        self.dealer.act("confirm_flat", "")?;
        self.dealer.act("key_dice", r#","dice":[2,3,6]"#)
    }

    /// Confirms the result; when that was asked.
    pub(crate) fn confirm(&mut self) -> Result<u64, BenchError> {
        let asked_us = now_us();
        self.dealer.act("confirm_result", "")?;
        Ok(asked_us)
    }
}

impl Drop for House {
    fn drop(&mut self) {
        // Nothing of it is kept.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Waits for the line that says where the house listens; the rest of what it
/// says is read and left, so that it never waits for a reader.
fn listening(out: std::process::ChildStdout) -> Option<SocketAddr> {
    let mut lines = BufReader::new(out).lines().map_while(Result::ok);
    let address = lines.find_map(|line| {
        let address = line.strip_prefix("listening on http://")?;
        address.parse().ok()
    });
    std::thread::spawn(move || lines.for_each(drop));
    address
}

/// Somebody who is logged in.
struct Session {
    address: SocketAddr,
    /// An open connection, and when it was last used.
    stream: Option<(BufReader<TcpStream>, Instant)>,
    cookie: String,
}

impl Session {
    fn none(address: SocketAddr) -> Session {
        Session {
            address,
            stream: None,
            cookie: String::new(),
        }
    }

    fn log_in(address: SocketAddr, name: &str, pin: &str) -> Result<Session, BenchError> {
        let mut session = Session::none(address);
        let body = format!(r#"{{"name":"{name}","pin":"{pin}"}}"#);
        session.wanted("/api/session", &body)?;
        let body = format!(r#"{{"old":"{pin}","new":"{PIN}"}}"#);
        session.wanted("/api/session/pin", &body)?;
        Ok(session)
    }

    /// An act at the table, tried again while it is too early for it.
    fn act(&mut self, act: &str, rest: &str) -> Result<(), BenchError> {
        let path = format!("/api/tables/{TABLE}/acts");
        let body = format!(r#"{{"act":"{act}"{rest}}}"#);
        let within = Instant::now() + STEP_TIMEOUT;
        loop {
            let (status, answer) = self.post(&path, &body)?;
            let early = answer.contains("wrong_phase") || answer.contains("busy");
            match status {
                200 => return Ok(()),
                409 | 503 if early && Instant::now() < within => {
                    std::thread::sleep(Duration::from_millis(5));
                }
                _ => return Err(failed(format!("{act}: {status} {answer}"))),
            }
        }
    }

    fn wanted(&mut self, path: &str, body: &str) -> Result<(), BenchError> {
        match self.post(path, body)? {
            (200..=299, _) => Ok(()),
            (status, answer) => Err(failed(format!("{path}: {status} {answer}"))),
        }
    }

    fn post(&mut self, path: &str, body: &str) -> Result<(u16, String), BenchError> {
        // The house closes connections that are idle.
        let fresh = |(_, used): &(_, Instant)| used.elapsed() < KEPT_FOR;
        let mut stream = match self.stream.take().filter(fresh) {
            Some((stream, _)) => stream,
            None => {
                let stream = TcpStream::connect(self.address)?;
                stream.set_nodelay(true)?;
                BufReader::new(stream)
            }
        };
        let cookie = match self.cookie.as_str() {
            "" => String::new(),
            cookie => format!("Cookie: {cookie}\r\n"),
        };
        let request = format!(
            "POST {path} HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\n{cookie}\
             Content-Length: {}\r\n\r\n{body}",
            self.address,
            body.len()
        );
        stream.get_mut().write_all(request.as_bytes())?;
        let mut line = String::new();
        stream.read_line(&mut line)?;
        let status = line.split(' ').nth(1).and_then(|word| word.parse().ok());
        let status = status.ok_or_else(|| failed("the house does not speak HTTP"))?;
        let (mut length, mut keep) = (0, true);
        loop {
            line.clear();
            stream.read_line(&mut line)?;
            let Some((name, value)) = line.trim_end().split_once(": ") else {
                break;
            };
            match name.to_ascii_lowercase().as_str() {
                "content-length" => length = value.parse().unwrap_or(0),
                "connection" => keep = value != "close",
                // The session comes first, then what the browser is known by.
                "set-cookie" if self.cookie.is_empty() => {
                    let cookie = value.split(';').next();
                    self.cookie = cookie.unwrap_or_default().to_owned();
                }
                _ => {}
            }
        }
        let mut answer = vec![0; length];
        stream.read_exact(&mut answer)?;
        if keep {
            self.stream = Some((stream, Instant::now()));
        }
        Ok((status, String::from_utf8_lossy(&answer).into_owned()))
    }
}
