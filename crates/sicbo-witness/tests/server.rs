//! The witness as a program: its settings, its key, its answers over HTTP.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::sync::Arc;

use sicbo_witness::ask::{Outcome, ask};
use sicbo_witness::client::Client;
use sicbo_witness::note::VerifierKey;
use sicbo_witness::server::{self, Bounds, Settings, SettingsError};
use sicbo_witness::tree::consistency_proof;
use sicbo_witness::url::WitnessUrl;
use sicbo_witness::witness::Witness;

use crate::witnesses::{Log, ORIGIN, house_key, open};

/// A witness that serves on a free port until it is dropped.
struct Served {
    address: SocketAddr,
    stop: Option<tokio::sync::oneshot::Sender<()>>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl Served {
    fn start(witness: Witness) -> Served {
        Served::within(witness, Bounds::default())
    }

    fn within(witness: Witness, bounds: Bounds) -> Served {
        let (stop, stopped) = tokio::sync::oneshot::channel();
        let (tell, told) = std::sync::mpsc::channel();
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()
                .unwrap();
            runtime.block_on(async move {
                let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
                tell.send(listener.local_addr().unwrap()).unwrap();
                let stop = async move { drop(stopped.await) };
                let now = Arc::new(|| 1_794_772_800);
                server::serve(listener, Arc::new(witness), now, bounds, stop).await;
            });
        });
        Served {
            address: told.recv().unwrap(),
            stop: Some(stop),
            thread: Some(thread),
        }
    }

    fn url(&self) -> WitnessUrl {
        WitnessUrl::parse(&format!("http://{}", self.address)).unwrap()
    }

    /// Sends bytes as they are and reads what comes until the end. A sender that
    /// is `gone` sends nothing more and says so.
    fn raw(&self, bytes: &[u8], gone: bool) -> String {
        let mut line = TcpStream::connect(self.address).unwrap();
        line.write_all(bytes).unwrap();
        if gone {
            let _ = line.shutdown(std::net::Shutdown::Write);
        }
        let mut answer = Vec::new();
        let _ = line.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    }

    fn post(&self, path: &str, body: &str) -> String {
        let length = body.len();
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: w\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n"
        );
        self.raw(format!("{head}{body}").as_bytes(), false)
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn cosigned(url: WitnessUrl, key: &VerifierKey, log: &Log) -> Outcome {
    let client = Client::new(url, None).unwrap();
    let head = log.head(ORIGIN);
    let note = head.sign(&house_key()).unwrap();
    ask(
        (&note, &head),
        key,
        0,
        |old| consistency_proof(log, old, head.size),
        |body| client.post(body),
    )
    .unwrap()
}

/// The witness of a folder serves a house; its log.
fn is_cosigned(served: &Served, folder: &Path) -> Log {
    let mut log = Log::default();
    log.grow(3, "a");
    let key = open(folder).verifier_key().unwrap();
    assert!(matches!(
        cosigned(served.url(), &key, &log),
        Outcome::Cosigned { .. }
    ));
    log
}

#[test]
fn a_house_is_cosigned_over_http_and_a_restarted_witness_remembers() {
    let dir = tempfile::tempdir().unwrap();
    let key = open(dir.path()).verifier_key().unwrap();
    let mut log = Log::default();
    log.grow(3, "a");
    let early = log.clone();
    {
        let served = Served::start(open(dir.path()));
        assert!(matches!(
            cosigned(served.url(), &key, &log),
            Outcome::Cosigned { .. }
        ));
        log.grow(4, "a");
        assert!(matches!(
            cosigned(served.url(), &key, &log),
            Outcome::Cosigned { .. }
        ));
    }
    let served = Served::start(open(dir.path()));
    let url = served.url();
    let witness_size = 7;
    assert_eq!(
        cosigned(url.clone(), &key, &early),
        Outcome::Behind { witness_size }
    );
    drop(served);
    assert!(
        matches!(cosigned(url, &key, &log), Outcome::Silent(_)),
        "nobody is there"
    );
}

#[test]
fn statuses_and_types_are_those_of_the_specification() {
    let dir = tempfile::tempdir().unwrap();
    let served = Served::start(open(dir.path()));
    let mut log = Log::default();
    log.grow(3, "a");
    let note = log.head(ORIGIN).sign(&house_key()).unwrap();
    let good = sicbo_witness::witness::request(0, &[], &note);
    let ok = served.post("/add-checkpoint", &good);
    assert!(ok.starts_with("HTTP/1.1 200 "), "{ok}");
    assert!(ok.contains("\r\n\r\n— witness.example/w1 "), "{ok}");
    let conflict = served.post("/add-checkpoint", &good);
    assert!(conflict.starts_with("HTTP/1.1 409 "), "{conflict}");
    let lower = conflict.to_ascii_lowercase();
    assert!(
        lower.contains("content-type: text/x.tlog.size\r\n"),
        "{conflict}"
    );
    assert!(conflict.ends_with("\r\n\r\n3\n"), "{conflict}");
    let unknown = note.to_string().replace(ORIGIN, "nobody.example");
    for (body, status) in [
        ("old 0\n".to_owned(), "400"),
        (format!("old 0\n\n{unknown}"), "404"),
        (
            good.replacen("old 0", "old 3", 1).replace("\n3\n", "\n4\n"),
            "403",
        ),
        ("x".repeat(200_000), "413"),
    ] {
        let answer = served.post("/add-checkpoint", &body);
        assert!(
            answer.starts_with(&format!("HTTP/1.1 {status} ")),
            "{status}: {answer}"
        );
    }
    for (path, status) in [("/", "404"), ("/other", "404")] {
        let answer = served.post(path, &good);
        assert!(
            answer.starts_with(&format!("HTTP/1.1 {status} ")),
            "{answer}"
        );
    }
    let get = served.raw(
        b"GET /add-checkpoint HTTP/1.1\r\nHost: w\r\nConnection: close\r\n\r\n",
        false,
    );
    assert!(get.starts_with("HTTP/1.1 405 "), "{get}");
}

#[test]
fn random_bytes_do_not_stop_a_witness() {
    let dir = tempfile::tempdir().unwrap();
    let served = Served::start(open(dir.path()));
    let mut seed = [0_u8; 8];
    getrandom::fill(&mut seed).unwrap();
    let seed = u64::from_le_bytes(seed);
    println!("seed {seed}");
    let mut state = seed | 1;
    let mut byte = || {
        // Xorshift: repeatable by the printed seed.
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 32) as u8
    };
    for round in 0..300 {
        let length = usize::from(byte()) * 4;
        let noise: Vec<u8> = (0..length).map(|_| byte()).collect();
        match round % 3 {
            0 => drop(served.raw(&noise, true)),
            1 => {
                let head = format!(
                    "POST /add-checkpoint HTTP/1.1\r\nHost: w\r\nConnection: close\r\n\
                     Content-Length: {length}\r\n\r\n"
                );
                let answer = served.raw(&[head.as_bytes(), &noise].concat(), false);
                assert!(answer.starts_with("HTTP/1.1 400 "), "{answer}");
            }
            // A request that never ends, and whose sender goes.
            _ => drop(served.raw(
                b"POST /add-checkpoint HTTP/1.1\r\nHost: w\r\nContent-Length: 99\r\n\r\nold",
                true,
            )),
        }
    }
    is_cosigned(&served, dir.path());
}

#[test]
fn a_stranger_who_sends_half_a_head_is_dropped_and_holds_no_room_for_long() {
    let dir = tempfile::tempdir().unwrap();
    let bounds = Bounds {
        connections: 3,
        head_timeout: std::time::Duration::from_millis(300),
    };
    let served = Served::within(open(dir.path()), bounds);
    // All the room there is, and nothing more is sent.
    let mut held: Vec<TcpStream> = (0..3)
        .map(|_| {
            let mut line = TcpStream::connect(served.address).unwrap();
            line.write_all(b"POST /add-checkpoint HTTP/1.1\r\nHost")
                .unwrap();
            line
        })
        .collect();
    // A house comes in when their time is over.
    let log = is_cosigned(&served, dir.path());
    for line in &mut held {
        let mut rest = Vec::new();
        // The end of the line, or its reset: it is not held open.
        let _ = line.read_to_end(&mut rest);
        assert!(!rest.starts_with(b"HTTP/1.1 200"), "{rest:?}");
    }
    // A line carries one request.
    let note = log.head(ORIGIN).sign(&house_key()).unwrap();
    let body = sicbo_witness::witness::request(3, &[], &note);
    let length = body.len();
    let one = format!(
        "POST /add-checkpoint HTTP/1.1\r\nHost: w\r\nContent-Length: {length}\r\n\r\n{body}"
    );
    let answers = served.raw(one.repeat(2).as_bytes(), false);
    assert_eq!(answers.matches("HTTP/1.1 200 ").count(), 1, "{answers}");
}

#[test]
fn settings_are_read_with_every_fault_at_once() {
    let folder = Path::new("/etc/witness");
    let good = "listen = \"127.0.0.1:8431\"\nname = \"witness.example/w1\"\nkey = \"key.pem\"\n\
        [[log]]\norigin = \"sicbo.house/1/1\"\nkeys = \
        [\"PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW\"]\n";
    let read = Settings::parse(good, folder).unwrap();
    assert_eq!(read.key, folder.join("key.pem"));
    assert_eq!(read.memory, folder.join("witness.sqlite"));
    let bad = "listen = \"here\"\nname = \"a b\"\nkey = \"k\"\n\
        [[log]]\norigin = \"x\"\nkeys = []\n[[log]]\norigin = \"x\"\nkeys = [\"y\"]\n";
    let faults = Settings::parse(bad, folder).unwrap_err();
    assert_eq!(faults.len(), 5, "{faults:#?}");
    assert!(Settings::parse(&format!("{good}more = 1\n"), folder).is_err());
}

#[test]
fn a_key_is_made_once_for_its_owner_and_a_lost_one_is_not_replaced() {
    use std::os::unix::fs::PermissionsExt;
    let dir = tempfile::tempdir().unwrap();
    let text = "listen = \"127.0.0.1:0\"\nname = \"witness.example/w1\"\nkey = \"key.pem\"\n";
    let settings = Settings::parse(text, dir.path()).unwrap();
    let first = settings.verifier_key(|| [4; 32]).unwrap();
    assert_eq!(settings.verifier_key(|| [5; 32]).unwrap(), first);
    let rights = |mode| {
        let rights = std::fs::Permissions::from_mode(mode);
        std::fs::set_permissions(&settings.key, rights).unwrap();
    };
    let mode = std::fs::metadata(&settings.key)
        .unwrap()
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o600);
    rights(0o640);
    let refused = settings.verifier_key(|| [5; 32]);
    assert!(
        matches!(refused, Err(SettingsError::KeyFile { .. })),
        "{refused:?}"
    );
    rights(0o600);
    drop(settings.open(|| [5; 32]).unwrap());
    std::fs::remove_file(&settings.key).unwrap();
    let lost = settings.verifier_key(|| [5; 32]);
    assert!(
        matches!(lost, Err(SettingsError::KeyLost { .. })),
        "{lost:?}"
    );
}
