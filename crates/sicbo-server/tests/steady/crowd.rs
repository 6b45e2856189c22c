//! Many who watch and bet nothing, and a program that is held for a while.

use std::time::{Duration, Instant};

use futures_util::{SinkExt, StreamExt};
use tokio_tungstenite::tungstenite::Message;

use crate::common::house::{Program, Site, TableSpec};
use crate::common::terminal::Terminal;

/// More than one look at the sockets of a busy program finds.
const WATCHERS: usize = 1_400;
/// Longer than the house bears with silence.
const HELD: Duration = Duration::from_secs(20);

type Socket =
    tokio_tungstenite::WebSocketStream<tokio_tungstenite::MaybeTlsStream<tokio::net::TcpStream>>;

fn site(window: u32) -> Site {
    Site::of(vec![TableSpec {
        name: "auto",
        book: "mbs-etg",
        stations: vec![("rapid", 2)],
        automatic: Some(window),
        window: 3_600,
        printer: None,
    }])
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

fn signal(program: &Program, name: &str) {
    let told = std::process::Command::new("kill")
        .args([name, &program.id().to_string()])
        .status();
    assert!(told.expect("kill").success());
}

#[tokio::test]
async fn a_pause_of_the_whole_program_cuts_nobody_who_has_spoken() {
    let site = site(3_600);
    let program = site.start();
    let mut walls = walls(&program, WATCHERS).await;
    signal(&program, "-STOP");
    let held = Instant::now();
    // What each says lies in its socket.
    for wall in &mut walls {
        wall.send(Message::text("{}")).await.expect("it is sent");
    }
    tokio::time::sleep(HELD.saturating_sub(held.elapsed())).await;
    signal(&program, "-CONT");
    // Each hears two heartbeats more: it was not cut off.
    for (at, wall) in walls.iter_mut().enumerate() {
        let mut beats = 0;
        while beats < 2 {
            let next = tokio::time::timeout(Duration::from_secs(30), wall.next()).await;
            match next.expect("the house goes on") {
                Some(Ok(Message::Text(text))) if text.contains("\"heartbeat\"") => beats += 1,
                Some(Ok(Message::Text(text))) if text.contains("\"bye\"") => {
                    panic!("wall {at} was cut off: {text}")
                }
                Some(Ok(_)) => {}
                other => panic!("wall {at}: {other:?}"),
            }
        }
    }
    program.stop();
}

/// What an honest player waits for, while so many watch.
async fn slowest_bets(watchers: usize, rounds: usize) -> Vec<Duration> {
    let site = site(2);
    let program = site.start();
    let mut player = Terminal::connect(program.address, &site.token("auto", 0), None).await;
    player.insert_note(1, 100_000).await;
    let readers: Vec<_> = walls(&program, watchers)
        .await
        .into_iter()
        .map(|mut wall| tokio::spawn(async move { while let Some(Ok(_)) = wall.next().await {} }))
        .collect();
    let (mut waited, mut last, mut id) = (Vec::new(), 0, 0);
    for _ in 0..rounds {
        let fresh = |t: &Terminal| {
            let round = &t.state()["round"];
            round["phase"] == "betting" && round["number"].as_u64() > Some(last)
        };
        player.until("a round", fresh).await;
        let round = player.state()["round"]["number"].as_u64().expect("a round");
        for _ in 0..10 {
            id += 1;
            let asked = Instant::now();
            let said = player.bet(id, round, &[("big", 100)]).await;
            if said["type"] == "registered" {
                waited.push(asked.elapsed());
            }
        }
        last = round;
        player.shown(round).await;
    }
    for reader in readers {
        reader.abort();
    }
    waited.sort();
    waited
}

#[tokio::test]
async fn a_crowd_that_watches_does_not_slow_a_bet() {
    // SICBO_WATCHERS asks for the whole figure by hand.
    let watchers = std::env::var("SICBO_WATCHERS").ok();
    let watchers = watchers.and_then(|n| n.parse().ok()).unwrap_or(800);
    let few = slowest_bets(1, 4).await;
    let many = slowest_bets(watchers, 4).await;
    let at = |waited: &[Duration], share: f64| waited[((waited.len() - 1) as f64 * share) as usize];
    println!(
        "one watches: median {:?}, p99 {:?}; {watchers} watch: median {:?}, p99 {:?}",
        at(&few, 0.5),
        at(&few, 0.99),
        at(&many, 0.5),
        at(&many, 0.99)
    );
    assert!(many.len() >= 20, "only {} bets were taken", many.len());
    // Readers and house share the machine, so this is no more than a bound.
    assert!(at(&many, 0.5) < Duration::from_millis(500), "{many:?}");
}
