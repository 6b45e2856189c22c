//! Crowds from one address: they take neither places nor time from those who are known.

use std::collections::VecDeque;
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde_json::json;

use super::house::{House, TABLE, plan};
use super::http::{ask_on, get, request};
use super::ws::{Frame, Socket};
use crate::common::comes;

/// As `plan`, with one round that takes bets for as long as the test lasts.
fn one_long_round(more: &str) -> String {
    let quota = "terminal_acts_per_round = 10000\nterminal_kilobytes_per_round = 16384";
    let text = plan(&format!("{quota}\n{more}"));
    text.replace("window_seconds = 5", "window_seconds = 3600")
}

fn figure(house: &House, name: &str) -> u64 {
    let text = get(house, "/metrics", &[]).is(200).body;
    let line = text.lines().find_map(|line| line.strip_prefix(name));
    line.and_then(|rest| rest.trim().parse().ok()).unwrap_or(0)
}

/// A terminal that bets and waits for each to be registered.
struct Player {
    socket: Socket<TcpStream>,
    round: u64,
    bets: u64,
}

impl Player {
    fn sit(house: &House) -> Player {
        let mut socket = house.seated(1);
        socket.say(&json!({"type": "insert_note", "request": 1, "amount": 100_000}));
        socket.find("done", |said| said["request"] == 1);
        // The one round takes bets for as long as the test lasts.
        let round = comes("bets", || {
            let shown = get(house, &format!("/api/tables/{TABLE}"), &[]).json();
            let round = &shown["state"]["round"];
            round["number"]
                .as_u64()
                .filter(|_| round["phase"] == "betting")
        });
        Player {
            socket,
            round,
            bets: 0,
        }
    }

    fn bet(&mut self) -> Duration {
        self.bets += 1;
        // Placed, and taken back the next time, so that neither credit nor limits run out.
        let begun = Instant::now();
        let (id, round) = (self.bets, self.round);
        let lines = json!([{"section": "big", "stake": 100}]);
        let act = match id % 2 {
            0 => json!({"type": "clear", "id": id, "round": round}),
            _ => json!({"type": "bet", "id": id, "round": round, "lines": lines}),
        };
        self.socket.say(&act);
        self.socket.find("registered", |said| said["id"] == id);
        begun.elapsed()
    }

    /// How long each of so many bets took.
    fn bets(&mut self, count: usize) -> Vec<Duration> {
        let bets = (0..count).map(|_| {
            let took = self.bet();
            std::thread::sleep(Duration::from_millis(8).saturating_sub(took));
            took
        });
        bets.collect()
    }
}

#[test]
fn one_addresss_wall_sockets_leave_places_for_everyone_else() {
    let house = House::of(&one_long_round(""));
    let mut inside = Vec::new();
    let mut refused = 0;
    for _ in 0..987 {
        match Socket::open(house.line_from(2), &format!("/ws/wall/{TABLE}"), &[]) {
            Ok(socket) => inside.push(socket),
            Err(said) => {
                assert!(matches!(said.status, 0 | 503 | 429), "{said:?}");
                refused += 1;
            }
        }
    }
    // Whoever answers nothing is let go after a while, and the next one comes in its place.
    let walls = figure(&house, "sicbo_connections{kind=\"wall\"}");
    assert!(
        (1..=256).contains(&walls) && refused >= 100,
        "{walls} {refused}"
    );
    // Others come and go as they like.
    let mut player = Player::sit(&house);
    player.bet();
    let wall = Socket::open(house.line_from(3), &format!("/ws/wall/{TABLE}"), &[]);
    assert!(wall.is_ok());
    let dealer = house.staff("dealer");
    assert!(Socket::open(house.line(), "/ws/pit", &[&dealer]).is_ok());
    let counted = figure(
        &house,
        "sicbo_refused_total{what=\"connection\",why=\"address\"}",
    );
    assert_eq!(counted, refused);
    drop(inside);
    house.ends_clean();
}

#[test]
fn frames_are_counted_and_not_messages() {
    let house = House::quick();
    // Parts of a message that never ends, pings, and pongs nobody asked for.
    for (first, next) in [(Some(0x01), 0x00), (None, 0x89), (None, 0x8a)] {
        let mut socket =
            Socket::open(house.line_from(2), &format!("/ws/wall/{TABLE}"), &[]).expect("a wall");
        if let Some(first) = first {
            socket.frame(first, b"").expect("sent");
        }
        let begun = Instant::now();
        let mut sent = 0_u32;
        while socket.frame(next, b"").is_ok() && sent < 200_000 {
            sent += 1;
        }
        assert!(sent < 200_000, "{next:x} was heard {sent} times");
        assert!(begun.elapsed() < Duration::from_secs(20));
    }
    // What may be sent still is: a message in three parts.
    let mut socket = house.seated(1);
    socket.frame(0x01, br#"{"type":"call_att"#).expect("sent");
    socket.frame(0x00, b"").expect("sent");
    socket
        .frame(0x80, br#"endant","request":3}"#)
        .expect("sent");
    assert_eq!(socket.until("done")["request"], 3);
}

#[test]
fn who_is_cut_off_for_frames_is_told_why() {
    let house = House::quick();
    let path = format!("/ws/wall/{TABLE}");
    let mut socket = Socket::open(house.line_from(2), &path, &[]).expect("a wall");
    socket.frame(0x01, b"").expect("sent");
    for _ in 0..450 {
        if socket.frame(0x00, b"").is_err() {
            break;
        }
    }
    let code = loop {
        match socket.next() {
            Frame::Text(said) if said["type"] == "bye" => break said["code"].clone(),
            Frame::Gone => panic!("no reason"),
            _ => {}
        }
    };
    assert_eq!(code, "too_many_messages");
}

#[test]
fn requests_of_one_address_are_bounded_and_those_of_others_are_not() {
    let house = House::of(&plan("requests_per_address = 20"));
    let bytes = request("GET", "/api/house", &[], None);
    let asks = |last: u8| ask_on(&mut house.line_from(last), &bytes).status;
    // A thousand at once, on one line: what one address may ask at once is answered, then the
    // line is closed.
    let begun = Instant::now();
    let many = "GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(1_000);
    let mut line = house.line_from(2);
    let mut writes = line.try_clone().expect("a second end");
    let writer = std::thread::spawn(move || drop(writes.write_all(many.as_bytes())));
    let mut said = Vec::new();
    let _ = line.read_to_end(&mut said);
    writer.join().expect("written");
    let said = String::from_utf8_lossy(&said);
    let served = said.matches("HTTP/1.1 204").count();
    let most = 200 + 20 * usize::try_from(begun.elapsed().as_secs() + 1).expect("not long");
    assert!((200..=most).contains(&served), "{served} of {most}");
    assert!(
        said.ends_with("}") && said.contains("too_many_requests"),
        "{said}"
    );
    assert_eq!(asks(3), 200);
    // Staff ask as often as they like, also at that address.
    let manager = house.staff("shift-manager");
    for _ in 0..300 {
        get(&house, "/api/people", &[&manager]).is(200);
    }
}

#[test]
fn a_request_for_another_host_is_refused_and_a_page_of_another_scheme_too() {
    let house = House::of(&plan("names = [\"sicbo.example\"]"));
    let asks = |host: &str, more: &str| {
        let text =
            format!("GET /api/house HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{more}\r\n");
        house.bytes(text.as_bytes())
    };
    asks("evil.example", "").refuses(421, "wrong_host");
    asks("evil.example", "Origin: http://evil.example\r\n").refuses(421, "wrong_host");
    asks(
        "sicbo.example:8420",
        "Origin: http://sicbo.example:8420\r\n",
    )
    .is(200);
    asks("sicbo.example", "Origin: https://sicbo.example\r\n").refuses(403, "other_origin");
    asks("127.0.0.1", "Origin: http://127.0.0.1\r\n").is(200);
}

#[test]
fn answers_are_compressed_for_those_who_take_it_and_public_ones_are_kept() {
    let house = House::quick();
    let ask = || {
        let bytes = request("GET", "/openapi.json", &["Accept-Encoding: gzip, br"], None);
        let mut line = house.line();
        line.write_all(&bytes).expect("sent");
        let mut all = Vec::new();
        line.read_to_end(&mut all).expect("an answer");
        all
    };
    let first = ask();
    let head = String::from_utf8_lossy(&first[..first.len().min(2_000)]).into_owned();
    assert!(head.contains("content-encoding: gzip"), "{head}");
    assert!(head.contains("vary: accept-encoding"), "{head}");
    let plain = get(&house, "/openapi.json", &[]).is(200);
    assert!(
        plain.body.len() > 4 * first.len(),
        "{} {}",
        plain.body.len(),
        first.len()
    );
}

/// Processor time of this thread.
fn own_time() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").expect("the system says");
    let ns = text.split(' ').next().and_then(|ns| ns.parse().ok());
    Duration::from_nanos(ns.expect("a number"))
}

/// The kernel gives this thread only what nobody else wants (SCHED_IDLE), and takes it back at once:
/// what it computes itself makes nobody wait (decision 0121).
fn computes_elsewhere() {
    let own = std::fs::read_link("/proc/thread-self").expect("the system says");
    let number = own.file_name().expect("its number");
    let set = std::process::Command::new("chrt")
        .args(["-i", "-p", "0"])
        .arg(number)
        .output()
        .expect("chrt, of util-linux");
    let words = String::from_utf8_lossy(&set.stderr);
    assert!(set.status.success(), "{words}");
}

/// Does it again and again with at most half of a core, until it is over.
fn half_a_core(over: &AtomicBool, mut act: impl FnMut()) -> u64 {
    let (began, before) = (Instant::now(), own_time());
    let mut done = 0;
    while !over.load(Ordering::Relaxed) {
        act();
        done += 1;
        let ahead = (own_time() - before) * 2;
        let ahead = ahead.saturating_sub(began.elapsed());
        if ahead > Duration::from_millis(1) {
            std::thread::sleep(ahead);
        }
    }
    done
}

/// A house whose bets are timed, with a second table that has a tumbler on the line; and the line.
fn attacked_house() -> (House, SocketAddr) {
    let free = TcpListener::bind("127.0.0.1:0").expect("a port");
    let line = free.local_addr().expect("its address");
    drop(free);
    let text = one_long_round("");
    let at = text.find("[[tables]]").expect("a table");
    let name = format!("name = \"other\"\ndevice_listen = \"{line}\"");
    let other = text[at..]
        .replace("name = \"mbs-etg\"", &name)
        .replace("D-0001", "D-0002")
        .replace("tumbler = \"simulated\"", "tumbler = \"line\"")
        .replace(
            "dealer = \"automatic\"\npace = \"none\"",
            "dealer = \"person\"",
        );
    (House::of(&(text + &other)), line)
}

/// One step of an attack, made again and again.
type Attack<'h> = Box<dyn FnMut() + Send + 'h>;

/// What one address can do to a house, each by itself.
fn attacks(house: &House, line: SocketAddr) -> Vec<(&'static str, Attack<'_>)> {
    let bytes = |path: &str, headers: &[&str]| request("GET", path, headers, None);
    let asks = |path: &str, headers: &[&str]| {
        let bytes = bytes(path, headers);
        move || drop(ask_on(&mut house.line_from(2), &bytes))
    };
    let mut open = Vec::new();
    let walls = move || {
        open.extend(Socket::open(house.line_from(2), &format!("/ws/wall/{TABLE}"), &[]).ok());
    };
    let (mut parts, mut began): (Option<Socket<TcpStream>>, bool) = (None, false);
    let frames = move || {
        let socket = parts.get_or_insert_with(|| {
            let path = format!("/ws/wall/{TABLE}");
            let opened = Socket::open(house.line_from(2), &path, &[]);
            opened.unwrap_or_else(|_| Socket {
                line: house.line_from(2),
            })
        });
        if !began {
            began = socket.frame(0x01, b"").is_ok();
        }
        if !(0..50).all(|_| socket.frame(0x00, b"").is_ok()) {
            (parts, began) = (None, false);
        }
    };
    let wrong_pin = {
        let body = json!({"name": "Tan Wei Ming", "pin": "864209"}).to_string();
        let bytes = request("POST", "/api/session", &[], Some(&body));
        move || drop(ask_on(&mut house.line_from(2), &bytes))
    };
    vec![
        (
            "compressed answers",
            Box::new(asks("/openapi.json", &["Accept-Encoding: gzip"])),
        ),
        (
            "public history",
            Box::new(asks(&format!("/api/tables/{TABLE}/rounds?n=200"), &[])),
        ),
        ("walls", Box::new(walls)),
        ("empty frames", Box::new(frames)),
        ("wrong PINs", Box::new(wrong_pin)),
        ("connections", Box::new(move || drop(house.line_from(2)))),
        ("device lines", Box::new(device_lines(line))),
        ("card look-ups", Box::new(card_look_ups(house))),
    ]
}

/// Connections to the line of a tumbler that never say who they are; as many are held as it has
/// places, and more are opened.
fn device_lines(line: SocketAddr) -> impl FnMut() + Send {
    let mut held = VecDeque::new();
    move || {
        let connected = TcpStream::connect_timeout(&line, Duration::from_secs(1));
        held.extend(connected.ok());
        if held.len() > 64 {
            drop(held.pop_front());
        }
    }
}

/// Numbers of cards that another terminal of the house asks about, one after the other.
fn card_look_ups(house: &House) -> impl FnMut() + Send {
    let token = format!("Authorization: Bearer {}", house.terminal(2));
    let mut number = 70_000_000;
    move || {
        number += 1;
        let body = json!({"card": number.to_string(), "pin": "1111"}).to_string();
        let bytes = request("POST", "/api/station/card", &[&token], Some(&body));
        drop(ask_on(&mut house.line_from(2), &bytes));
    }
}

/// How many times the figure of a house that nobody attacks an attacked one may be.
const BOUND: f64 = 2.0;

/// Bets of one window, and windows of each sort. Their number is fixed: whoever stops when the
/// figures please measures what pleases.
const WINDOW: usize = 60;
/// Attacks that every run of the tests makes; the long runs make all.
const IN_TESTS: usize = 6;
const WINDOWS: usize = 7;

fn p99(all: &mut [Duration]) -> Duration {
    all.sort();
    all[all.len() * 99 / 100]
}

/// How long bets take while somebody does something with half a core; and how often they did it,
/// and with how much of a core.
fn beside(
    player: &mut Player,
    elsewhere: bool,
    act: impl FnMut() + Send,
) -> (Vec<Duration>, u64, f64) {
    let over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let over = &over;
        let other = scope.spawn(move || {
            if elsewhere {
                computes_elsewhere();
            }
            let (began, before) = (Instant::now(), own_time());
            let done = half_a_core(over, act);
            let used = own_time() - before;
            (done, used.as_secs_f64() / began.elapsed().as_secs_f64())
        });
        let bets = player.bets(WINDOW);
        over.store(true, Ordering::Relaxed);
        let (done, used) = other.join().expect("somebody");
        (bets, done, used)
    })
}

/// A fifth of a millisecond of somebody's own business.
fn own_business() {
    let began = own_time();
    while own_time() - began < Duration::from_micros(200) {}
}

/// What bets are compared with, and whether the attacker's own computing makes them wait.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Quiet {
    /// Bets beside a program that uses as much of a core and sends nothing.
    Neighbour,
    /// Bets on an idle machine, in the same run and in turns with the attack: the words of the
    /// issue. The attacker computes only what nobody else wants.
    Idle,
}

/// The p99 of honest bets under each attack, in one house. Windows of all sorts take turns, so that
/// whatever else the machine does falls on all, and all bets of the one sort are compared with all
/// of the other. An attacker's own computing is done elsewhere, and on one machine it alone makes
/// bets wait for the kernel's next tick (decision 0121).
fn measure(held_to: Quiet) {
    let (house, line) = attacked_house();
    let mut player = Player::sit(&house);
    player.bets(WINDOW);
    let before = house.memory_kib();
    let mut failed = Vec::new();
    let elsewhere = held_to == Quiet::Idle;
    let alone = player.bets(WINDOW * WINDOWS);
    let count = match held_to {
        Quiet::Neighbour => IN_TESTS,
        Quiet::Idle => attacks(&house, line).len(),
    };
    for at in 0..count {
        let mut idle = match held_to {
            Quiet::Neighbour => alone.clone(),
            Quiet::Idle => Vec::new(),
        };
        let (mut beside_one, mut attacked) = (Vec::new(), Vec::new());
        let (mut acts, mut used, mut name) = (0, 0.0, "");
        for _ in 0..WINDOWS {
            if held_to == Quiet::Idle {
                idle.extend(player.bets(WINDOW));
            }
            beside_one.extend(beside(&mut player, false, own_business).0);
            let (called, act) = attacks(&house, line).remove(at);
            name = called;
            let (bets, done, of_a_core) = beside(&mut player, elsewhere, act);
            attacked.extend(bets);
            acts += done;
            used += of_a_core / WINDOWS as f64;
        }
        let [idle, beside_one, attacked] =
            [&mut idle, &mut beside_one, &mut attacked].map(|all| p99(all).as_secs_f64() * 1_000.0);
        let times = match held_to {
            Quiet::Neighbour => attacked / beside_one,
            Quiet::Idle => attacked / idle,
        };
        println!(
            "{name}: {times:.2} times; p99 {attacked:.2} ms attacked by {acts} acts with {used:.2} \
             of a core, {idle:.2} ms idle, {beside_one:.2} ms beside a neighbour"
        );
        if times > BOUND {
            failed.push((name, times));
        }
    }
    let grown = house.memory_kib().saturating_sub(before);
    println!("{grown} KiB more");
    assert!(failed.is_empty(), "more than {BOUND} times: {failed:?}");
    assert!(grown < 200_000, "{grown} KiB");
    assert!(!house.program.log().contains("panicked"));
}

#[test]
fn an_honest_terminals_p99_stays_within_bounds_of_the_quiet_figure() {
    measure(Quiet::Neighbour);
}

#[test]
#[ignore = "long, and of a machine that does nothing else: for make soak"]
fn an_honest_terminals_p99_stays_within_twice_that_of_an_idle_machine() {
    measure(Quiet::Idle);
}

#[test]
#[ignore = "long: for make soak"]
fn an_honest_terminals_p99_stays_within_bounds_of_the_quiet_figure_for_long() {
    for _ in 0..5 {
        measure(Quiet::Neighbour);
    }
}
