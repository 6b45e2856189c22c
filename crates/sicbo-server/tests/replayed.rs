//! `sicbo replay --serve`: a house's past in its real screens. A simulated house is written to disk,
//! stepped through over HTTP and WebSocket, and nothing of it can be changed.

use std::collections::BTreeMap;
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

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
fn simulated() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("house");
    let scenario = Scenario {
        swarm: Some(Swarm::parse("vouchers,watchers").expect("parts")),
        steps: Some(250),
        data: Some(data.clone()),
        book: Some("mbs-etg".to_owned()),
        ..Scenario::of(3)
    };
    let (outcome, _) = run_scenario(&scenario);
    outcome.unwrap_or_else(|failure| panic!("{}", failure.what));
    (folder, data)
}

/// Where a replay is served, and the cookie of the browser that opened it.
struct At {
    address: SocketAddr,
    /// What opened it.
    path: String,
    cookie: String,
}

impl At {
    /// Opens the address that was printed.
    fn open(printed: &str) -> At {
        let rest = printed.strip_prefix("http://").expect("an address");
        let (address, path) = rest.split_once('/').expect("its page");
        let mut at = At {
            address: address.parse().expect("an address"),
            path: format!("/{path}"),
            cookie: "none=0".to_owned(),
        };
        let (status, head, body) = ask(&at, "GET", &at.path, "");
        assert_eq!(status, 303, "{head}\n{body}");
        assert!(
            head.to_lowercase().contains("location: /replay\r\n"),
            "{head}"
        );
        let cookie = head
            .lines()
            .find_map(|line| line.strip_prefix("set-cookie: "));
        let cookie = cookie.expect("a cookie");
        assert!(cookie.contains("; HttpOnly"), "{cookie}");
        at.cookie = cookie.split(';').next().expect("its value").to_owned();
        at
    }
}

/// A replay that is served while `look` looks at it.
fn served(options: Options, look: impl FnOnce(&At, usize)) {
    let (stop, stopped) = oneshot::channel::<()>();
    let (up, is_up) = std::sync::mpsc::channel();
    let serving = std::thread::spawn(move || {
        let stopped = async move {
            let _ = stopped.await;
        };
        run(&options, stopped, |address, last| {
            up.send((address.to_owned(), last)).is_ok()
        })
    });
    let (address, last) = is_up.recv().expect("it is up");
    look(&At::open(&address), last);
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
fn ask(at: &At, method: &str, path: &str, body: &str) -> (u16, String, String) {
    ask_as(at, &format!("cookie: {}", at.cookie), (method, path), body)
}

/// The same with another line in its head.
fn ask_as(at: &At, own: &str, (method, path): (&str, &str), body: &str) -> (u16, String, String) {
    let address = at.address;
    let mut line = TcpStream::connect(address).expect("connected");
    let length = body.len();
    let request = format!(
        "{method} {path} HTTP/1.1\r\nhost: {address}\r\n{own}\r\nconnection: close\r\ncontent-type: \
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

fn get(at: &At, path: &str) -> String {
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

fn step(at: &At, to: &str) {
    let (status, head, body) = ask(at, "POST", "/replay", &format!("to={to}&back=%2Fwall%2Fx"));
    assert_eq!(status, 303, "{head}\n{body}");
    assert!(head.to_lowercase().contains("location: /wall/x"), "{head}");
}

/// A socket's first frames, until one is of this type.
fn frame(at: &At, path: &str, says: &[String], wanted: &str) -> Value {
    let (address, cookie) = (at.address, &at.cookie);
    let mut line = TcpStream::connect(address).expect("connected");
    let request = format!(
        "GET {path} HTTP/1.1\r\nhost: {address}\r\ncookie: {cookie}\r\nconnection: upgrade\r\nupgrade: websocket\r\n\
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

/// The vouchers that a terminal recalls.
fn vouchers(at: &At, token: &str) -> Vec<Value> {
    let bearer = format!("cookie: {}\r\nauthorization: Bearer {token}", at.cookie);
    let (status, head, body) = ask_as(at, &bearer, ("GET", "/api/station/vouchers"), "");
    assert_eq!(status, 200, "{head}\n{body}");
    let (from, to) = (body.find('['), body.rfind(']'));
    serde_json::from_str(&body[from.expect("a list")..=to.expect("a list")]).expect("JSON")
}

/// What opens the terminals of the replay's page.
fn tokens(page: &str) -> Vec<String> {
    let after = page.split("/play/mbs-etg#").skip(1);
    let tokens = after.filter_map(|rest| rest.split('"').next());
    tokens.map(str::to_owned).collect()
}

/// What the first terminal of the replay's page says first.
fn hello_of(page: &str) -> String {
    let token = tokens(page).into_iter().next().expect("a terminal");
    let protocol = sicbo_server::wire::PROTOCOL;
    serde_json::json!({"type": "hello", "protocol": protocol, "token": token}).to_string()
}

/// "Any seed can be opened in the real screens (`sicbo replay --serve` steps the browser through it)."
#[test]
fn a_simulated_house_is_stepped_through_in_its_real_screens() {
    let (_folder, data) = simulated();
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
        // The secret of the vouchers' numbers is not read: there is no number, rather than a wrong one.
        let vouchers: Vec<Value> = tokens(&page)
            .iter()
            .flat_map(|token| vouchers(at, token))
            .collect();
        assert!(!vouchers.is_empty());
        for voucher in vouchers {
            assert_eq!(voucher["number"], "", "{voucher}");
        }
        let events = get(at, "/api/tables/mbs-etg/rounds?n=5");
        assert!(events.contains("\"dice\""), "{events}");
    });
}

/// No way to enter anything: what is sent is refused, and no byte of the folder changes.
#[test]
fn nothing_can_be_entered_in_a_replay() {
    let (_folder, data) = simulated();
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
        let foreign = format!("cookie: {}\r\norigin: http://evil.example", at.cookie);
        let (status, _, answer) = ask_as(at, &foreign, ("POST", "/replay"), "to=next");
        assert_eq!(status, 403, "{answer}");
    });
    let after = all(&data);
    let differ = |path: &&String| before.get(*path) != after.get(*path);
    let changed: Vec<&String> = before.keys().chain(after.keys()).filter(differ).collect();
    assert!(changed.is_empty(), "the folder has changed: {changed:?}");
}

#[test]
fn a_replay_is_for_this_machine_alone_and_names_what_there_is() {
    let (_folder, data) = simulated();
    let refused = |options: Options| {
        let refused = run(&options, async {}, |_, _| false);
        refused.expect_err("refused")
    };
    let listening = |listen: &str| {
        let mut options = options(&data);
        options.listen = listen.to_owned();
        refused(options)
    };
    for open in ["0.0.0.0:0", "[::]:0"] {
        assert!(matches!(listening(open), ReplayError::Open(_)), "{open}");
    }
    for named in ["localhost:8421", "example.com:80", "127.0.0.1", ""] {
        let said = listening(named).to_string();
        assert!(
            said.contains("name an address such as 127.0.0.1:8421"),
            "{said}"
        );
    }
    let mut other = options(&data);
    other.stream = Some("nobody".to_owned());
    let said = refused(other).to_string();
    assert!(said.contains("mbs-etg") && said.contains("house"), "{said}");
    let mut beyond = options(&data);
    beyond.step = Some(1_000_000);
    assert!(matches!(refused(beyond), ReplayError::NoStep(1_000_000, _)));
}

/// The bar's form is a page's own: the browser says so, and another tab follows.
#[test]
fn a_page_steps_with_its_own_origin_and_knows_when_its_step_is_over() {
    let (_folder, data) = simulated();
    served(options(&data), |at, _| {
        for path in ["/", "/wall/mbs-etg", "/replay"] {
            let (_, head, page) = ask(at, "GET", path, "");
            let head = head.to_lowercase();
            assert!(
                head.contains("referrer-policy: same-origin"),
                "{path}: {head}"
            );
            assert!(!head.contains("no-referrer"), "{path}: {head}");
            assert!(page.contains("data-step=\"0\""), "{path}: {page}");
            assert!(page.contains("src=\"/replay.js\""), "{path}: {page}");
        }
        let own = format!("cookie: {}\r\norigin: http://{}", at.cookie, at.address);
        let (status, _, body) = ask_as(at, &own, ("POST", "/replay"), "to=next");
        assert_eq!(status, 303, "{body}");
        // Nobody is told that a page of nowhere is one of this replay.
        let nowhere = format!("cookie: {}\r\norigin: null", at.cookie);
        let (status, _, _) = ask_as(at, &nowhere, ("POST", "/replay"), "to=next");
        assert_eq!(status, 403);
        assert_eq!(get(at, "/replay/step"), "1");
        assert!(get(at, "/").contains("data-step=\"1\""));
        assert!(get(at, "/replay.js").contains("/replay/step"));
    });
}

/// Other accounts of the machine reach the port: they see nothing.
#[test]
fn only_the_browser_that_opened_the_printed_address_sees_a_replay() {
    let (_folder, data) = simulated();
    served(options(&data), |at, _| {
        let strangers = [
            "accept: */*",
            "cookie: sicbo_replay=1",
            &format!("cookie: {}0", at.cookie),
        ];
        for stranger in strangers {
            for asked in [
                ("GET", "/"),
                ("GET", "/replay"),
                ("GET", "/replay/step"),
                ("GET", "/replay.js"),
                ("GET", "/assets/app.js"),
                ("GET", "/api/house"),
                ("GET", "/ws/wall/mbs-etg"),
                ("POST", "/replay"),
                ("GET", "/replay/open/"),
                ("HEAD", &at.path),
                // It opens once.
                ("GET", &at.path),
            ] {
                let (status, _, body) = ask_as(at, stranger, asked, "");
                assert_eq!(status, 401, "{stranger} {asked:?}: {body}");
            }
        }
        // Whoever opened it comes to the steps by it.
        let (status, head, _) = ask(at, "GET", &at.path, "");
        assert_eq!(status, 303, "{head}");
        assert!(get(at, "/").contains("REPLAY"));
    });
}

/// The threads of houses that are shown.
fn threads() -> usize {
    let tasks = std::fs::read_dir("/proc/self/task").expect("threads");
    let named = |task: std::io::Result<std::fs::DirEntry>| {
        let name = std::fs::read_to_string(task.ok()?.path().join("comm")).ok()?;
        let of_house = ["hub ", "desk", "compress"];
        of_house.iter().any(|of| name.starts_with(of)).then_some(())
    };
    tasks.filter_map(named).count()
}

#[test]
fn fifty_steps_leave_no_thread_of_a_house_that_is_no_longer_shown() {
    let (_folder, data) = simulated();
    served(options(&data), |at, _| {
        step(at, "next");
        // One hub, one desk, and what compresses.
        let one = threads();
        assert!(one >= 3, "{one}");
        for _ in 0..50 {
            step(at, "next");
        }
        // The last that went is gone half a second later.
        let begun = Instant::now();
        while threads() > 3 {
            let waited = begun.elapsed();
            assert!(waited < Duration::from_secs(20), "{} threads", threads());
            std::thread::yield_now();
        }
    });
}
