//! Killed at any point of its first start, a house can be started again and
//! logged in to (S-18).

use std::time::{Duration, Instant};

use serde_json::json;

use crate::common::comes_there;
use crate::common::house::{STAFF, Site, TableSpec};
use crate::common::http::Http;

/// Kills spread over one first start.
const KILLS: u32 = 24;

fn site() -> Site {
    Site::of(vec![TableSpec::by_hand("mbs-etg", &[("rapid", 2)])])
}

/// Whether somebody can log in with what was handed over, and a terminal has
/// its token.
async fn works(site: &Site, at: &str) {
    let house = site.start();
    let text = std::fs::read_to_string(site.hand_over());
    let text = text.unwrap_or_else(|error| panic!("killed {at}: no hand-over: {error}"));
    let (name, _) = STAFF[5];
    let line = text.lines().find(|line| line.contains(name));
    let pin = line
        .and_then(|line| line.split('\t').nth(1))
        .expect("a PIN");
    let body = json!({"name": name, "pin": pin});
    let said = Http::anyone(house.address)
        .post("/api/session", &body)
        .await;
    said.is(200);
    assert_ne!(site.token("mbs-etg", 1), "");
    let kept = site.data().join("keys/hand-over.txt");
    comes_there("the first PINs are kept for ever", async || {
        (!kept.exists()).then_some(())
    })
    .await;
    house.stop();
    // Nobody's PIN is handed out again.
    let before = std::fs::metadata(site.hand_over()).expect("it").modified();
    site.start().stop();
    let after = std::fs::metadata(site.hand_over()).expect("it").modified();
    assert_eq!(before.expect("a time"), after.expect("a time"));
}

/// Whether all of them do. Each is killed alone; then a few at a time are started again, which
/// mostly wait for the disk.
async fn all_work(killed: impl Iterator<Item = (Site, String)>) {
    let killed: Vec<(Site, String)> = killed.collect();
    let mut started = tokio::task::JoinSet::new();
    for (site, at) in killed {
        if started.len() == 3 {
            started.join_next().await.expect("one").expect("it works");
        }
        started.spawn_blocking(move || {
            let runtime = tokio::runtime::Builder::new_current_thread();
            let runtime = { runtime }.enable_all().build().expect("a runtime");
            runtime.block_on(works(&site, &at));
        });
    }
    while let Some(works) = started.join_next().await {
        works.expect("it works");
    }
}

#[tokio::test]
async fn s_18_killed_in_its_first_start_a_house_can_be_logged_in_to() {
    let began = Instant::now();
    let whole = site();
    drop(whole.start());
    let took = began.elapsed();
    works(&whole, "when it listened").await;
    let killed = |kill| {
        let site = site();
        // The second half is where everything is made.
        let after = took / 4 + took * 3 / 4 * kill / KILLS;
        let mut child = site.spawn();
        std::thread::sleep(after);
        child.kill().expect("SIGKILL");
        child.wait().expect("reaped");
        (site, format!("after {after:?} of {took:?}"))
    };
    all_work((0..KILLS).map(killed)).await;
}

#[tokio::test]
async fn s_18_killed_as_soon_as_a_file_is_there_it_can_be_logged_in_to() {
    let files = [
        "data-folder.txt",
        "money.txt",
        "journal/house.sqlite",
        "journal/house.sqlite-wal",
        "journal/mbs-etg.sqlite",
        "keys/hand-over.txt",
        "trial-terminals.txt",
    ];
    let killed = |file: &str| {
        let site = site();
        let mut child = site.spawn();
        let by = Instant::now() + Duration::from_secs(40);
        while !site.data().join(file).exists() {
            assert!(Instant::now() < by, "{file} is never made");
        }
        child.kill().expect("SIGKILL");
        child.wait().expect("reaped");
        (site, format!("when {file} was there"))
    };
    all_work(files.into_iter().map(killed)).await;
}
