//! `sicbo replay --serve`: a house's past in its real screens. A simulated house is written to disk,
//! stepped through over HTTP and WebSocket, and nothing of it can be changed.

use std::collections::BTreeMap;
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;

use serde_json::Value;
use sicbo_server::replay::{Options, ReplayError, run};
use sicbo_sim::{Scenario, Swarm, run_scenario};
use tokio::sync::oneshot;

/// Every file of a folder with its bytes.
fn files(at: &Path, found: &mut BTreeMap<String, Vec<u8>>) {
    for entry in std::fs::read_dir(at).expect("listed") {
        let path = entry.expect("listed").path();
        match path.is_dir() {
            true => files(&path, found),
            false => {
                let bytes = std::fs::read(&path).expect("read");
                let name = path.to_string_lossy().into_owned();
                // What SQLite leaves beside a file that somebody reads: an index, and a log without a record.
                let empty_log = name.ends_with("-wal") && bytes.is_empty();
                if !empty_log && !name.ends_with("-shm") {
                    found.insert(name, bytes);
                }
            }
        }
    }
}

fn all(data: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    files(data, &mut found);
    found
}

/// A house of a few rounds, in a data folder.
fn simulated(data: &Path) {
    let scenario = Scenario {
        swarm: Some(Swarm::parse("vouchers,watchers").expect("parts")),
        steps: Some(250),
        data: Some(data.to_owned()),
        book: Some("mbs-etg".to_owned()),
        ..Scenario::of(3)
    };
    let (outcome, _) = run_scenario(&scenario);
    outcome.unwrap_or_else(|failure| panic!("{}", failure.what));
}

/// A replay that is served while `look` looks at it.
fn served(options: Options, look: impl FnOnce(SocketAddr, usize)) {
    let (stop, stopped) = oneshot::channel::<()>();
    let (up, is_up) = std::sync::mpsc::channel();
    let serving = std::thread::spawn(move || {
        let stopped = async move {
            let _ = stopped.await;
        };
        run(&options, stopped, |address, last| {
            let address = address.strip_prefix("http://").expect("an address");
            let address = address.strip_suffix("/replay").expect("its page");
            up.send((address.parse().expect("an address"), last))
                .is_ok()
        })
    });
    let (address, last) = is_up.recv().expect("it is up");
    look(address, last);
    let _ = stop.send(());
    serving.join().expect("it ended").expect("served");
}

fn options(data: &Path) -> Options {
    Options {
        data: data.to_owned(),
        listen: "127.0.0.1:0".to_owned(),
        stream: None,
        step: Some(0),
    }
}

/// One request on a line of its own: status, head and body.
fn ask(at: SocketAddr, method: &str, path: &str, body: &str) -> (u16, String, String) {
    let mut line = TcpStream::connect(at).expect("connected");
    let length = body.len();
    let request = format!(
        "{method} {path} HTTP/1.1\r\nhost: {at}\r\nconnection: close\r\ncontent-type: \
         application/x-www-form-urlencoded\r\ncontent-length: {length}\r\n\r\n{body}"
    );
    line.write_all(request.as_bytes()).expect("sent");
    let mut answer = String::new();
    line.read_to_string(&mut answer).expect("text");
    let (head, body) = answer.split_once("\r\n\r\n").expect("a head");
    let status = head
        .split(' ')
        .nth(1)
        .and_then(|status| status.parse().ok());
    (status.expect("a status"), head.to_owned(), body.to_owned())
}

fn get(at: SocketAddr, path: &str) -> String {
    let (status, head, body) = ask(at, "GET", path, "");
    assert_eq!(status, 200, "{path}: {head}\n{body}");
    body
}

/// The body of an answer, also where it came in chunks.
fn json(text: &str) -> Value {
    let (from, to) = (text.find('{'), text.rfind('}'));
    let text = &text[from.expect("an object")..=to.expect("an object")];
    serde_json::from_str(text).expect("JSON")
}

fn step(at: SocketAddr, to: &str) {
    let (status, head, body) = ask(at, "POST", "/replay", &format!("to={to}&back=%2Fwall%2Fx"));
    assert_eq!(status, 303, "{head}\n{body}");
    assert!(head.to_lowercase().contains("location: /wall/x"), "{head}");
}

/// A socket's first frames, until one is of this type.
fn frame(at: SocketAddr, path: &str, says: &[String], wanted: &str) -> Value {
    let mut line = TcpStream::connect(at).expect("connected");
    let request = format!(
        "GET {path} HTTP/1.1\r\nhost: {at}\r\nconnection: upgrade\r\nupgrade: websocket\r\n\
         sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    );
    line.write_all(request.as_bytes()).expect("sent");
    let mut byte = [0];
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        line.read_exact(&mut byte).expect("a head");
        head.push(byte[0]);
    }
    assert!(head.starts_with(b"HTTP/1.1 101"), "{head:?}");
    for text in says {
        // Masked with zeros.
        let mut sent = vec![0x81];
        match u8::try_from(text.len()) {
            Ok(short @ 0..126) => sent.push(0x80 | short),
            _ => {
                sent.push(0x80 | 126);
                sent.extend((text.len() as u16).to_be_bytes());
            }
        }
        sent.extend([0; 4]);
        sent.extend(text.as_bytes());
        line.write_all(&sent).expect("sent");
    }
    loop {
        let mut start = [0; 2];
        line.read_exact(&mut start).expect("a frame");
        let length = match start[1] & 0x7f {
            126 => {
                let mut long = [0; 2];
                line.read_exact(&mut long).expect("a length");
                u64::from(u16::from_be_bytes(long))
            }
            127 => {
                let mut long = [0; 8];
                line.read_exact(&mut long).expect("a length");
                u64::from_be_bytes(long)
            }
            short => u64::from(short),
        };
        let mut text = vec![0; usize::try_from(length).expect("a length")];
        line.read_exact(&mut text).expect("a text");
        if start[0] & 0x0f != 1 {
            continue;
        }
        let told: Value = serde_json::from_slice(&text).expect("JSON");
        if told["type"] == wanted {
            return told;
        }
        assert_ne!(told["type"], "bye", "{path}: {told}");
    }
}

/// What the first terminal of the replay's page says first.
fn hello_of(page: &str) -> String {
    let token = page.split("/play/mbs-etg#").nth(1).expect("a terminal");
    let token = token.split('"').next().expect("a token");
    let protocol = sicbo_server::wire::PROTOCOL;
    serde_json::json!({"type": "hello", "protocol": protocol, "token": token}).to_string()
}

/// "Any seed can be opened in the real screens (`sicbo replay --serve` steps the browser through it)."
#[test]
fn a_simulated_house_is_stepped_through_in_its_real_screens() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("house");
    simulated(&data);
    served(options(&data), |at, last| {
        assert!(last > 50, "{last}");
        // Before the first record there is no table to be seen.
        let house = json(&get(at, "/api/house"));
        assert_eq!(house["tables"][0]["version"], 0);
        assert!(get(at, "/").contains("REPLAY, not a running house"));
        // Step by step: what a wall shows is what was written up to then.
        step(at, &(last / 2).to_string());
        let table = frame(at, "/ws/wall/mbs-etg", &[], "table");
        step(at, "next");
        assert!(get(at, "/replay").contains(&format!("Step {} of {last}", last / 2 + 1)));
        step(at, "previous");
        let again = frame(at, "/ws/wall/mbs-etg", &[], "table");
        assert_eq!(
            (&again["version"], &again["state"]),
            (&table["version"], &table["state"])
        );
        step(at, &last.to_string());
        let newest = frame(at, "/ws/wall/mbs-etg", &[], "table");
        assert!(newest["version"].as_u64() > table["version"].as_u64());
        // Somebody in surveillance sees what staff see, and every terminal has its own screen.
        let staff = frame(at, "/ws/console/mbs-etg", &[], "staff");
        assert_eq!(staff["version"], newest["version"]);
        let page = get(at, "/replay");
        assert!(page.contains("href=\"/surveillance\""), "{page}");
        let hello = hello_of(&page);
        let mine = frame(at, "/ws/terminal", &[hello], "mine");
        assert!(mine["mine"]["credit"].is_number(), "{mine}");
        let events = get(at, "/api/tables/mbs-etg/rounds?n=5");
        assert!(events.contains("\"dice\""), "{events}");
    });
}

/// No way to enter anything: what is sent is refused, and no byte of the folder changes.
#[test]
fn nothing_can_be_entered_in_a_replay() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("house");
    simulated(&data);
    let before = all(&data);
    let mut last_step = options(&data);
    last_step.step = None;
    served(last_step, |at, _| {
        for (method, path) in [
            ("POST", "/api/session"),
            ("POST", "/api/tables/mbs-etg/acts"),
            ("POST", "/api/trial/seats"),
            ("POST", "/api/trial/staff"),
            ("POST", "/api/proposals"),
            ("POST", "/api/cage/redeem"),
            ("DELETE", "/api/session"),
            ("PUT", "/replay"),
        ] {
            let (status, _, body) = ask(at, method, path, "{}");
            assert_eq!(status, 405, "{method} {path}: {body}");
            assert_eq!(json(&body)["code"], "replay", "{method} {path}");
        }
        let page = get(at, "/replay");
        let hello = hello_of(&page);
        let note = serde_json::json!({"type": "insert_note", "request": 77, "amount": 1_000});
        let says = [hello, note.to_string()];
        let said = frame(at, "/ws/terminal", &says, "declined");
        assert_eq!(said["request"], 77, "{said}");
        // Pages of other places, under other names, cannot step it either.
        let mut line = TcpStream::connect(at).expect("connected");
        let foreign = format!(
            "POST /replay HTTP/1.1\r\nhost: {at}\r\norigin: http://evil.example\r\nconnection: \
             close\r\ncontent-length: 7\r\n\r\nto=next"
        );
        line.write_all(foreign.as_bytes()).expect("sent");
        let mut answer = String::new();
        line.read_to_string(&mut answer).expect("text");
        assert!(answer.starts_with("HTTP/1.1 403"), "{answer}");
    });
    let after = all(&data);
    let differ = |path: &&String| before.get(*path) != after.get(*path);
    let changed: Vec<&String> = before.keys().chain(after.keys()).filter(differ).collect();
    assert!(changed.is_empty(), "the folder has changed: {changed:?}");
}

#[test]
fn a_replay_is_for_this_machine_alone_and_names_what_there_is() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("house");
    simulated(&data);
    let refused = |options: Options| {
        let refused = run(&options, async {}, |_, _| false);
        refused.expect_err("refused")
    };
    for open in ["0.0.0.0:0", "[::]:0", "example.com:80", ""] {
        let mut options = options(&data);
        options.listen = open.to_owned();
        assert!(matches!(refused(options), ReplayError::Open(_)), "{open}");
    }
    let mut other = options(&data);
    other.stream = Some("nobody".to_owned());
    let said = refused(other).to_string();
    assert!(said.contains("mbs-etg") && said.contains("house"), "{said}");
    let mut beyond = options(&data);
    beyond.step = Some(1_000_000);
    assert!(matches!(refused(beyond), ReplayError::NoStep(1_000_000, _)));
}
