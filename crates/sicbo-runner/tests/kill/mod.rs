//! Kills the real loop on a real data folder at random moments, again and
//! again, and looks at what is left: every acknowledged bet there once, no
//! unacknowledged bet charged, books balanced, `verify` clean.
//!
//! The test runs itself as the program to be killed. `SICBO_KILLS` sets how
//! often (200 by default; thousands in `make soak`), shared by `SICBO_FOLDERS`
//! that are killed two at a time: a start takes the longer the more a folder holds.

mod victim;

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use sicbo_journal::{DataFolder, KeyFolder, SqliteStore, Store, StreamId};
use sicbo_proof::verify;
use sicbo_table::ids::StationId;
use sicbo_table::{Event, Fact, codec};

/// The folder the victim works in; set only for the victim.
const FOLDER: &str = "SICBO_KILL_FOLDER";

/// The program to be killed, where the test started this program as one; alone it does nothing.
#[test]
#[ignore = "started by the test as the program to be killed"]
fn victim_program() {
    if let Ok(folder) = std::env::var(FOLDER) {
        // Ends a line that the test harness may have begun.
        println!();
        victim::run(Path::new(&folder));
    }
}

#[test]
fn nothing_is_lost_or_doubled_when_the_process_is_killed() {
    let setting = |name: &str, or: u32| {
        let text = std::env::var(name).ok();
        text.and_then(|text| text.parse().ok()).unwrap_or(or)
    };
    let (kills, folders) = (setting("SICBO_KILLS", 200), setting("SICBO_FOLDERS", 8));
    let next = AtomicU32::new(0);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let folder = next.fetch_add(1, Ordering::Relaxed);
                    if folder >= folders {
                        return;
                    }
                    nothing_is_lost_or_doubled(folder, kills.div_ceil(folders));
                }
            });
        }
    });
}

fn nothing_is_lost_or_doubled(nth: u32, kills: u32) {
    let folder = format!("sicbo-kill-{}-{nth}", std::process::id());
    let folder = std::env::temp_dir().join(folder);
    let _ = std::fs::remove_dir_all(&folder);
    let mut random = Random(0x5eed ^ (u64::from(std::process::id()) << 8 | u64::from(nth)));
    let mut acknowledged: BTreeMap<(u32, u64, u64), u32> = BTreeMap::new();
    let mut refused_after_restart = 0;
    let started = Instant::now();
    for kill in 0..kills {
        // Some deaths come during recovery, most in the middle of play.
        let said = one_life(&folder, &mut random, kill % 4 != 0);
        for line in said {
            match line.split_whitespace().collect::<Vec<_>>()[..] {
                ["ack", station, round, bet] => {
                    let key = (number(station) as u32, number(round), number(bet));
                    *acknowledged.entry(key).or_insert(0) += 1;
                }
                ["recovered", ..] => {}
                ["refused", ..] => refused_after_restart += 1,
                // The test harness.
                [] | ["running", ..] | ["test", ..] => {}
                ref other => panic!("the victim said {other:?}"),
            }
        }
    }
    let (bets, rounds) = judge(&folder, &acknowledged);
    assert!(rounds > 0 && bets > 0, "the victim lived too short to play");
    println!(
        "{kills} kills in {:.1} s: {} bets acknowledged, {bets} in the journal, {rounds} rounds ended, {refused_after_restart} refused",
        started.elapsed().as_secs_f64(),
        acknowledged.len()
    );
    let _ = std::fs::remove_dir_all(&folder);
}

fn number(text: &str) -> u64 {
    text.parse()
        .unwrap_or_else(|_| panic!("{text:?} is no number"))
}

/// Starts the victim, lets it live a little, kills it, and returns what it had said.
fn one_life(folder: &Path, random: &mut Random, in_play: bool) -> Vec<String> {
    let mut child: Child = Command::new(std::env::current_exe().expect("own path"))
        .args(["--exact", "kill::victim_program"])
        .args(["--ignored", "--nocapture"])
        .env(FOLDER, folder)
        .stdout(Stdio::piped())
        .spawn()
        .expect("the victim starts");
    let out = child.stdout.take().expect("piped");
    let (recovered, is_up) = std::sync::mpsc::channel();
    let reader = std::thread::spawn(move || {
        // The last line may be torn by the kill: only whole lines count.
        let mut lines = Vec::new();
        let mut reader = BufReader::new(out);
        let mut line = String::new();
        while reader.read_line(&mut line).is_ok_and(|read| read > 0) {
            if line == "recovered\n" {
                let _ = recovered.send(());
            }
            if line.ends_with('\n') {
                lines.push(line.trim().to_owned());
            }
            line.clear();
        }
        lines
    });
    if in_play {
        is_up
            .recv_timeout(Duration::from_secs(60))
            .expect("the victim recovers");
    }
    std::thread::sleep(Duration::from_micros(500 + random.below(50_000)));
    child.kill().expect("SIGKILL");
    let status = child.wait().expect("reaped");
    assert!(
        std::os::unix::process::ExitStatusExt::signal(&status) == Some(9),
        "the victim ended by itself: {status}"
    );
    reader.join().expect("reader")
}

/// Reads the journal as an outsider and compares it with what was promised.
fn judge(folder: &Path, acknowledged: &BTreeMap<(u32, u64, u64), u32>) -> (usize, u64) {
    let stream = StreamId::new(victim::STREAM).expect("a stream name");
    let ring = KeyFolder::read_ring(&folder.join("keys")).expect("public keys");
    let path = DataFolder::stream_path(folder, &stream);
    let store =
        SqliteStore::open_read_only(&path, stream.clone(), &Default::default()).expect("opens");
    let verified = verify(&store, &stream, &ring, &mut |_| {}).expect("verify is clean");
    verified.table.check().expect("balanced");

    // Walk the records by hand: which bets are there, and how their rounds ended.
    let mut found: BTreeMap<(u32, u64, u64), u32> = BTreeMap::new();
    let mut settled: BTreeMap<u64, bool> = BTreeMap::new();
    let mut round = 0;
    for raw in store.read_from(1) {
        let block = raw.expect("readable").decode().expect("whole");
        for record in block.records() {
            let Event { fact, .. } =
                codec::decode(record.kind, record.version, record.payload).expect("an event");
            match fact {
                Fact::RoundBegan { round: number, .. } => round = number.0,
                Fact::BetsPlaced {
                    station: StationId(station),
                    bet,
                    ..
                } => {
                    *found.entry((station, round, bet.0)).or_insert(0) += 1;
                }
                Fact::RoundSettled { .. } => {
                    settled.insert(round, true);
                }
                Fact::RoundVoided { .. } => {
                    settled.insert(round, false);
                }
                _ => {}
            }
        }
    }
    for key in acknowledged.keys() {
        assert_eq!(
            found.get(key),
            Some(&1),
            "acknowledged bet {key:?} must be there once"
        );
    }
    for (key, times) in &found {
        assert_eq!(*times, 1, "bet {key:?} is there {times} times");
        if !acknowledged.contains_key(key) && settled.get(&key.1) == Some(&true) {
            panic!("bet {key:?} was never acknowledged and was settled");
        }
    }
    (found.len(), verified.rounds)
}

/// A small generator for the moments of death; the rest of the test does not depend on it.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }
}
