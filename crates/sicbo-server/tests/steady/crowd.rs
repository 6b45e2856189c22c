//! Many who watch and bet nothing, and a program that is held for a while.

use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use futures_util::{SinkExt, StreamExt};
use serde_json::json;
use tokio_tungstenite::tungstenite::Message;

use crate::common::house::{Program, Site, TableSpec};
use crate::common::people::Staff;
use crate::common::terminal::{Terminal, bet};

/// More than one look at the sockets of a busy program finds.
const WATCHERS: usize = 1_400;
/// The betting window while a player bets.
const WINDOW: Duration = Duration::from_secs(2);
/// Longer than the house bears with silence.
const HELD: Duration = Duration::from_secs(30);

type Socket =
    tokio_tungstenite::WebSocketStream<tokio_tungstenite::MaybeTlsStream<tokio::net::TcpStream>>;

fn site(window: u32) -> Site {
    let site = Site::of(vec![TableSpec {
        name: "auto",
        book: "mbs-etg",
        stations: vec![("rapid", 2)],
        automatic: Some(window),
        window: 3_600,
        printer: None,
    }]);
    // All of them come from one address here.
    let room = "connections_per_address = 18000\nrequests_per_address = 100000";
    site.change_plan(|text| format!("{room}\n{text}"));
    site
}

async fn walls(program: &Program, count: usize) -> Vec<Socket> {
    let mut walls = Vec::with_capacity(count);
    for _ in 0..count {
        let url = format!("ws://{}/ws/wall/auto", program.address);
        let (socket, _) = tokio_tungstenite::connect_async(url).await.expect("a wall");
        walls.push(socket);
    }
    walls
}

#[tokio::test]
async fn a_pause_of_the_whole_program_cuts_nobody_who_has_spoken() {
    let site = site(3_600);
    let program = site.start();
    // Walls, the dealer's console, the pit, and a player.
    let mut sockets = walls(&program, WATCHERS).await;
    let staff = Staff::of_house(site.path(), program.address);
    for (who, path) in [
        ("dealer", "/ws/console/auto"),
        ("pit-supervisor", "/ws/pit"),
    ] {
        sockets.push(staff.of(who).socket(path).await);
    }
    let mut player = Terminal::connect(program.address, &site.token("auto", 0), None).await;
    player.insert_note(1, 1_000).await;
    player
        .until("bets", |t| t.state()["round"]["phase"] == "betting")
        .await;
    let round = player.state()["round"]["number"].as_u64().expect("a round");
    program.signal("-STOP");
    let held = Instant::now();
    // What each says lies in its socket.
    for socket in &mut sockets {
        socket.send(Message::text("{}")).await.expect("it is sent");
    }
    player.send(bet(1, round, &[("big", 500)])).await;
    tokio::time::sleep(HELD.saturating_sub(held.elapsed())).await;
    program.signal("-CONT");
    // Each hears two heartbeats more: it was not cut off.
    for (at, socket) in sockets.iter_mut().enumerate() {
        let mut beats = 0;
        while beats < 2 {
            let next = tokio::time::timeout(Duration::from_secs(30), socket.next()).await;
            match next.expect("the house goes on") {
                Some(Ok(Message::Text(text))) if text.contains("\"heartbeat\"") => beats += 1,
                Some(Ok(Message::Text(text))) if text.contains("\"bye\"") => {
                    panic!("socket {at} was cut off: {text}")
                }
                Some(Ok(_)) => {}
                other => panic!("socket {at}: {other:?}"),
            }
        }
    }
    // The bet that lay in the socket is registered, and the player plays on.
    assert_eq!(player.answer(1).await["type"], "registered");
    has!(player.bet(2, round, &[("small", 500)]).await, {"type": "registered"});
    program.stop();
}

/// Walls on other machines, for what they cost this one: each is read and
/// answers in its turn, all of them within the silence a house bears with.
struct IdleWalls {
    over: Arc<AtomicBool>,
    /// The last words of those that were cut off.
    thread: JoinHandle<Vec<String>>,
}

/// `{}` as a client's text frame.
const SIGN_OF_LIFE: [u8; 8] = [0x81, 0x82, 0, 0, 0, 0, b'{', b'}'];

/// Shakes hands as a browser does and reads nothing more than the answer.
fn idle_wall(address: SocketAddr) -> TcpStream {
    let mut wall = TcpStream::connect(address).expect("a connection");
    let ask = format!(
        "GET /ws/wall/auto HTTP/1.1\r\nhost: {address}\r\nupgrade: websocket\r\n\
         connection: upgrade\r\nsec-websocket-version: 13\r\n\
         sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    );
    wall.write_all(ask.as_bytes()).expect("it is asked");
    let mut answer = Vec::new();
    while !answer.windows(4).any(|end| end == b"\r\n\r\n") {
        let mut part = [0; 256];
        let read = wall.read(&mut part).expect("an answer");
        assert!(read > 0, "{}", String::from_utf8_lossy(&answer));
        answer.extend_from_slice(&part[..read]);
    }
    assert!(answer.starts_with(b"HTTP/1.1 101"), "a wall is let in");
    wall.set_nonblocking(true).expect("it never waits");
    wall
}

impl IdleWalls {
    fn open(address: SocketAddr, count: usize) -> IdleWalls {
        let over = Arc::new(AtomicBool::new(false));
        let (opened, next) = mpsc::channel();
        let thread = std::thread::spawn({
            let over = Arc::clone(&over);
            move || IdleWalls::answer(&next, count, &over)
        });
        for _ in 0..count {
            opened.send(idle_wall(address)).expect("somebody answers");
        }
        IdleWalls { over, thread }
    }

    fn answer(opened: &Receiver<TcpStream>, count: usize, over: &AtomicBool) -> Vec<String> {
        let pause = Duration::from_secs(5) / (1 + count.div_ceil(50)) as u32;
        let mut walls = Vec::new();
        let mut scratch = vec![0; 1 << 16];
        let mut cut_off = Vec::new();
        while !over.load(Ordering::Relaxed) {
            walls.extend(opened.try_iter());
            std::thread::sleep(pause);
            let mut told = 0;
            walls.retain_mut(|wall: &mut TcpStream| {
                told += 1;
                if told % 50 == 0 && !over.load(Ordering::Relaxed) {
                    std::thread::sleep(pause);
                }
                let mut last = String::new();
                let gone = loop {
                    match wall.read(&mut scratch) {
                        Ok(0) => break true,
                        Ok(read) => last = String::from_utf8_lossy(&scratch[..read]).into_owned(),
                        Err(error) => break error.kind() != ErrorKind::WouldBlock,
                    }
                };
                let _ = wall.write(&SIGN_OF_LIFE);
                if gone {
                    cut_off.push(last);
                }
                !gone
            });
        }
        cut_off
    }

    fn close(self) {
        self.over.store(true, Ordering::Relaxed);
        let cut_off = self.thread.join().expect("they were there");
        let last = cut_off.first();
        assert!(
            last.is_none(),
            "{} walls were cut off: {last:?}",
            cut_off.len()
        );
    }
}

/// What an honest player waited for.
struct Waited {
    /// All bets, the quickest first.
    all: Vec<Duration>,
    /// The slowest bet of each round, the quickest first.
    slowest: Vec<Duration>,
}

impl Waited {
    fn at(waited: &[Duration], share: f64) -> Duration {
        waited[((waited.len() - 1) as f64 * share) as usize]
    }

    /// The slowest bet of a round like most.
    fn usual_slowest(&self) -> Duration {
        Waited::at(&self.slowest, 0.5)
    }
}

impl std::fmt::Display for Waited {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (median, p99) = (Waited::at(&self.all, 0.5), Waited::at(&self.all, 0.99));
        let slowest = self.usual_slowest();
        let count = self.all.len();
        write!(
            f,
            "{count} bets, median {median:?}, p99 {p99:?}, slowest of most rounds {slowest:?}"
        )
    }
}

/// Bets as soon as a round takes bets, which is when every wall is told of it.
async fn honest_bets(watchers: usize, rounds: usize) -> Waited {
    let site = site(WINDOW.as_secs() as u32);
    let program = site.start();
    let walls = IdleWalls::open(program.address, watchers);
    let mut player = Terminal::connect(program.address, &site.token("auto", 0), None).await;
    player.insert_note(1, 100_000).await;
    let mut waited = Waited {
        all: Vec::new(),
        slowest: Vec::new(),
    };
    let (mut last, mut id) = (0, 0);
    player.catch_up();
    for _ in 0..rounds {
        let fresh = |t: &Terminal| {
            let round = &t.state()["round"];
            round["phase"] == "betting" && round["number"].as_u64() > Some(last)
        };
        player.until("a round", fresh).await;
        let round = player.state()["round"]["number"].as_u64().expect("a round");
        let mut slowest = Duration::ZERO;
        for _ in 0..10 {
            id += 1;
            let asked = Instant::now();
            let said = player.bet(id, round, &[("big", 100)]).await;
            // Whoever is too late for the round has waited too.
            waited.all.push(asked.elapsed());
            slowest = slowest.max(asked.elapsed());
            if said["type"] != "registered" {
                break;
            }
        }
        waited.slowest.push(slowest);
        last = round;
        site.skip(WINDOW);
        let over = |t: &Terminal| {
            let now = &t.state()["round"];
            now["number"].as_u64() != Some(round) || now["phase"] != "betting"
        };
        player.until("the close", over).await;
        player.send(json!({"type": "shown", "round": round})).await;
    }
    walls.close();
    program.stop();
    waited.all.sort();
    waited.slowest.sort();
    waited
}

#[tokio::test]
async fn bets_are_taken_and_no_wall_is_cut_off_while_a_crowd_watches() {
    // SICBO_WATCHERS asks for the whole figure by hand.
    let watchers = std::env::var("SICBO_WATCHERS").ok();
    let watchers = watchers.and_then(|n| n.parse().ok()).unwrap_or(1_500);
    let few = honest_bets(1, 6).await;
    let many = honest_bets(watchers, 6).await;
    println!("one watches: {few}; {watchers} watch: {many}");
    // A crowd costs no bet more than the machine's own noise: a bet waited for all of them before.
    let most = few.usual_slowest() * 5 + Duration::from_millis(250);
    let slowest = many.usual_slowest();
    assert!(
        slowest <= most,
        "{slowest:?} with a crowd, {most:?} at most"
    );
    assert!(
        many.all.len() >= 50,
        "only {} bets were taken",
        many.all.len()
    );
}
