//! Frames no terminal would send.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::house::{House, SOON, TABLE};
use super::ws::{Frame, Socket};

#[test]
fn frames_that_cannot_be_are_told_why_and_cut_off() {
    let house = House::brisk();
    let check =
        |what: &str, send: &dyn Fn(&mut Socket<std::net::TcpStream>), code: &str, status: u16| {
            let mut socket = house.seated(1);
            send(&mut socket);
            assert_eq!(socket.ended(), (code.to_owned(), status), "{what}");
        };
    check(
        "too large",
        &|s| drop(s.frame(0x81, &[b' '; 17_000])),
        "too_large",
        1009,
    );
    check(
        "announced too large",
        &|s| {
            use std::io::Write as _;
            let mut head = vec![0x81, 0xff];
            head.extend_from_slice(&(1_u64 << 40).to_be_bytes());
            head.extend_from_slice(&[0; 4]);
            drop(s.line.write_all(&head));
        },
        "too_large",
        1009,
    );
    check(
        "too large in pieces",
        &|s| {
            let _ = s.frame(0x01, &[b' '; 10_000]);
            let _ = s.frame(0x00, &[b' '; 10_000]);
            let _ = s.frame(0x80, b"");
        },
        "too_large",
        1009,
    );
    check(
        "no UTF-8",
        &|s| drop(s.frame(0x81, b"{\"type\":\"\xff\xfe\"}")),
        "not_understood",
        1003,
    );
    check(
        "binary",
        &|s| drop(s.frame(0x82, b"\x00\x01")),
        "not_understood",
        1003,
    );
    // What breaks the protocol itself ends the line.
    for (what, first, payload) in [
        ("reserved bits", 0xf1, &b"{}"[..]),
        ("no such opcode", 0x83, b"{}"),
        ("a large ping", 0x89, &[b'x'; 126]),
        ("a ping in pieces", 0x09, b"x"),
        ("a piece of nothing", 0x80, b"x"),
    ] {
        let mut socket = house.seated(1);
        let _ = socket.frame(first, payload);
        let (_, status) = socket.ended();
        assert!([0, 1002].contains(&status), "{what}: {status}");
    }
    house.goes_on_dealing();
}

#[test]
fn messages_that_mean_nothing_are_refused_and_the_terminal_plays_on() {
    let house = House::quick();
    let mut socket = house.seated(1);
    let deep = format!(
        "{{\"type\":\"bet\",\"id\":1,\"lines\":{}{}}}",
        "[".repeat(5_000),
        "]".repeat(5_000)
    );
    for text in [
        "",
        "{",
        "nonsense",
        "[]",
        "null",
        "{}",
        &deep,
        "{\"type\":\"steal\"}",
        "{\"type\":\"bet\"}",
        "{\"type\":\"bet\",\"id\":-1,\"lines\":[]}",
        "{\"type\":\"bet\",\"id\":1.5,\"lines\":[]}",
        "{\"type\":\"bet\",\"id\":18446744073709551616,\"lines\":[]}",
        "{\"type\":\"bet\",\"id\":NaN,\"lines\":[]}",
        "{\"type\":\"bet\",\"id\":1,\"lines\":[{\"section\":\"big\",\"stake\":1e3}]}",
        "{\"type\":\"bet\",\"id\":1,\"lines\":[{\"section\":\"big\",\"stake\":9223372036854775808}]}",
        "{\"type\":\"bet\",\"id\":1,\"lines\":[{\"section\":\"big\",\"stake\":1,\"odds\":9}]}",
        "{\"type\":\"bet\",\"id\":1,\"lines\":[],\"station\":2}",
        "{\"type\":\"hello\",\"protocol\":1,\"token\":\"x\"}",
    ] {
        socket.text(text);
        let said = socket.until("refused");
        assert!(
            ["not_understood", "already_greeted"].contains(&said["code"].as_str().unwrap_or("")),
            "{text}: {said}"
        );
    }
    // Whatever number it carries is in the answer.
    for (text, kind, number) in [
        (
            "{\"type\":\"bet\",\"id\":7,\"lines\":[],\"station\":2}",
            "refused",
            "id",
        ),
        ("{\"type\":\"steal\",\"id\":7}", "refused", "id"),
        (
            "{\"type\":\"cash_out\",\"request\":7}",
            "declined",
            "request",
        ),
    ] {
        socket.text(text);
        let said = socket.until(kind);
        assert_eq!(
            (&said[number], &said["code"]),
            (&json!(7), &json!("not_understood"))
        );
    }
    socket.say(&json!({"type": "insert_note", "request": 1, "amount": 10_000}));
    socket.until("done");
    let mut id = 100;
    for (section, stake) in [
        ("big", -100),
        ("big", 0),
        ("big", i64::MAX),
        ("big", i64::MIN),
        ("big", 9_007_199_254_740_993),
        ("big", 150),
        ("total:2", 100),
        ("total:99999999999", 100),
        ("nowhere", 100),
        ("", 100),
        ("total:11 ", 100),
    ] {
        id += 1;
        socket.say(
            &json!({"type": "bet", "id": id, "lines": [{"section": section, "stake": stake}]}),
        );
        let said = socket.find("refused", |said| said["id"] == id);
        assert!(
            said["words"].as_str().is_some_and(|w| !w.is_empty()),
            "{said}"
        );
    }
    let both =
        json!([{"section": "big", "stake": i64::MAX}, {"section": "small", "stake": i64::MAX}]);
    let many: Value = (0..200)
        .map(|_| json!({"section": "big", "stake": 100}))
        .collect();
    for lines in [both, many, json!([])] {
        id += 1;
        socket.say(&json!({"type": "bet", "id": id, "lines": lines}));
        socket.find("refused", |said| said["id"] == id);
    }
    for (kind, request) in [("insert_note", 50), ("cash_out", 51)] {
        for amount in [-1, 0, i64::MAX, i64::MIN, 1] {
            socket.say(&json!({"type": kind, "request": request, "amount": amount}));
            let said = loop {
                match socket.next() {
                    Frame::Text(said) if said["request"] == request => break said,
                    Frame::Gone => panic!("gone"),
                    _ => {}
                }
            };
            if amount != 1 || kind == "insert_note" {
                assert_eq!(said["type"], "declined", "{kind} {amount}: {said}");
            }
        }
    }
    for round in [0, u64::MAX] {
        socket.say(&json!({"type": "shown", "round": round}));
        socket.say(&json!({"type": "clear", "id": u64::MAX, "round": round}));
        socket.find("refused", |said| said["id"] == u64::MAX);
        socket.say(
            &json!({"type": "dispute", "request": 60, "round": round, "note": "x".repeat(9_000)}),
        );
    }
    // And it still bets.
    let round = socket.find("table", |said| said["state"]["round"]["phase"] == "betting");
    assert!(round["state"]["round"]["number"].as_u64().is_some());
    socket.say(&json!({"type": "bet", "id": 9_000, "lines": [{"section": "big", "stake": 100}]}));
    socket.find("registered", |said| said["id"] == 9_000);
    assert!(
        !house.program.log().contains("panicked"),
        "{}",
        house.program.log()
    );
}

#[test]
fn who_does_not_say_who_they_are_is_cut_off() {
    let house = House::quick();
    let open = || Socket::open(house.line(), "/ws/terminal", &[]).expect("a socket");
    let begun = Instant::now();
    assert_eq!(open().ended(), ("no_hello".to_owned(), 4401));
    assert!(begun.elapsed() < Duration::from_secs(8));
    for (first, code) in [
        (json!({"type": "heartbeat"}), "no_hello"),
        (json!({"type": "bet", "id": 1, "lines": []}), "no_hello"),
        (
            json!({"type": "hello", "protocol": 1, "token": "1-00"}),
            "not_enrolled",
        ),
        (
            json!({"type": "hello", "protocol": 1, "token": house.token(&format!("{TABLE} console"))}),
            "not_enrolled",
        ),
        (
            json!({"type": "hello", "protocol": 2, "token": house.terminal(1)}),
            "other_protocol",
        ),
    ] {
        let mut socket = open();
        socket.say(&first);
        assert_eq!(socket.ended().0, code, "{first}");
    }
    // Pings are no hello, however many.
    let mut socket = open();
    let begun = Instant::now();
    while socket.frame(0x89, b"x").is_ok() && begun.elapsed() < SOON {}
    assert!(
        begun.elapsed() < Duration::from_secs(10),
        "{:?}",
        begun.elapsed()
    );
}

#[test]
fn floods_are_cut_off_with_a_reason_and_others_bet_on() {
    let house = House::quick();
    let mut other = house.seated(2);
    other.say(&json!({"type": "insert_note", "request": 1, "amount": 10_000}));
    other.until("done");
    for flood in [
        (0x81, &b"{\"type\":\"heartbeat\"}"[..]),
        (0x89, b"x"),
        (0x8a, b"x"),
        (0x81, b"x"),
    ] {
        let mut socket = house.seated(1);
        let mut sender = Socket {
            line: socket.line.try_clone().expect("the same line"),
        };
        let sent = std::thread::spawn(move || {
            let mut sent = 0_u32;
            while sender.frame(flood.0, flood.1).is_ok() && sent < 2_000_000 {
                sent += 1;
            }
            sent
        });
        let code = socket.ended().0;
        assert!(
            ["too_many_messages", "too_slow", ""].contains(&code.as_str()),
            "{code}"
        );
        drop(socket);
        assert!(sent.join().expect("sent") < 2_000_000);
    }
    other.find("table", |said| said["state"]["round"]["phase"] == "betting");
    other.say(&json!({"type": "bet", "id": 1, "lines": [{"section": "big", "stake": 100}]}));
    other.until("registered");
    house.goes_on_dealing();
}

#[test]
fn who_never_reads_is_let_go_and_memory_stays() {
    let house = House::brisk();
    let files = house.files();
    let before = house.memory_kib();
    let mut held = Vec::new();
    for _ in 0..200 {
        let line = house.line();
        let wall = Socket::open(line, &format!("/ws/wall/{TABLE}"), &[]).expect("a wall");
        held.push(wall);
    }
    // A terminal that asks and does not read the answers.
    let mut deaf = house.seated(1);
    deaf.line.set_nonblocking(true).expect("set");
    let begun = Instant::now();
    let mut writable = true;
    while house.files() > files + 5 {
        assert!(
            begun.elapsed() < Duration::from_secs(60),
            "{} files",
            house.files()
        );
        if writable {
            for _ in 0..20 {
                writable &= deaf
                    .frame(0x81, b"{\"type\":\"clear\",\"id\":1,\"round\":1}")
                    .is_ok();
            }
        }
        std::thread::sleep(Duration::from_millis(200));
    }
    let grown = house.memory_kib().saturating_sub(before);
    assert!(grown < 60_000, "{grown} KiB more");
    drop(held);
    house.goes_on_dealing();
}
