//! Ten thousand connections that say nothing, while somebody plays.

use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde_json::json;

use super::house::{House, plan};
use super::http::get;

const CROWD: usize = 10_000;

#[test]
fn ten_thousand_who_say_nothing_are_let_go_and_a_terminal_bets_all_along() {
    let most = rustix::process::getrlimit(rustix::process::Resource::Nofile).maximum;
    if most.is_some_and(|most| most < 12_000) {
        eprintln!("this machine lets a program open {most:?} files: a smaller crowd");
    }
    let crowd = most.map_or(CROWD, |most| CROWD.min(most as usize - 1_000));
    let mut limit = rustix::process::getrlimit(rustix::process::Resource::Nofile);
    limit.current = limit.maximum;
    rustix::process::setrlimit(rustix::process::Resource::Nofile, limit).expect("raised");

    // All of them come from one address here.
    let room = "connections_per_address = 18000\nrequests_per_address = 100000";
    let house = House::of(&plan(room));
    let before = house.memory_kib();
    let files = house.files();
    let over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let player = scope.spawn(|| {
            let mut socket = house.seated(1);
            let (mut bets, mut slowest) = (0_u64, Duration::ZERO);
            while !over.load(Ordering::Relaxed) || bets < 2 {
                if bets.is_multiple_of(20) {
                    let request = 1_000 + bets;
                    socket
                        .say(&json!({"type": "insert_note", "request": request, "amount": 10_000}));
                    socket.find("done", |said| said["request"] == request);
                }
                let seen =
                    socket.find("table", |said| said["state"]["round"]["phase"] == "betting");
                let round = seen["state"]["round"]["number"].as_u64().expect("a round");
                bets += 1;
                let begun = Instant::now();
                let lines = json!([{"section": "big", "stake": 100}]);
                socket.say(&json!({"type": "bet", "id": bets, "round": round, "lines": lines}));
                socket.find("registered", |said| said["id"] == bets);
                slowest = slowest.max(begun.elapsed());
                socket.find("table", |said| said["state"]["round"]["phase"] == "closing");
                socket.say(&json!({"type": "shown", "round": round}));
            }
            (bets, slowest)
        });
        let from = house.round();
        let begun = Instant::now();
        let parts: Vec<_> = (0..8)
            .map(|_| {
                scope.spawn(|| {
                    let connect = |_| TcpStream::connect(house.address).expect("a connection");
                    (0..crowd / 8).map(connect).collect::<Vec<_>>()
                })
            })
            .collect();
        let lines: Vec<TcpStream> = parts
            .into_iter()
            .flat_map(|part| part.join().expect("they came"))
            .collect();
        let came = begun.elapsed();
        // The crowd is inside, and the house answers.
        assert_eq!(get(&house, "/health/live", &[]).status, 204);
        let most_files = house.files();
        let most_memory = house.memory_kib();
        // All are let go within a bounded time, without anybody leaving.
        while house.files() > files + 20 {
            let waited = begun.elapsed();
            if waited > came + Duration::from_secs(30) {
                // Whoever plays must not play on for ever.
                over.store(true, Ordering::Relaxed);
                panic!("{} are still in", house.files());
            }
            std::thread::sleep(Duration::from_millis(200));
        }
        let gone = begun.elapsed();
        while house.round() < from + 2 {
            assert!(begun.elapsed() < Duration::from_secs(120), "no rounds");
            std::thread::sleep(Duration::from_millis(200));
        }
        drop(lines);
        over.store(true, Ordering::Relaxed);
        let (bets, slowest) = player.join().expect("it played");
        let grown = most_memory.saturating_sub(before);
        // What the crowd took is given back, or kept for the next one: bounded either way.
        let kept = house.memory_kib().saturating_sub(before);
        println!(
            "{crowd} came in {came:?} ({most_files} files), all were gone after {gone:?}; \
             {grown} KiB more at most, {kept} KiB kept; {bets} bets, the slowest registered in {slowest:?}"
        );
        assert!(slowest < Duration::from_secs(2), "{slowest:?}");
        assert!(grown < 400_000, "{grown} KiB");
        assert!(kept < 200_000, "{kept} KiB are kept");
    });
    assert!(
        !house.program.log().contains("panicked"),
        "{}",
        house.program.log()
    );
    house.ends_clean();
}
