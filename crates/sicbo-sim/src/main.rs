//! `sicbo-sim`: runs worlds from seeds and says what came of them; or lets the
//! worlds' auditor look at the journals of a real house.

use std::process::ExitCode;

use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

const USAGE: &str = "usage: sicbo-sim --seed N | --seeds A..B | --fresh COUNT | --house N | --houses A..B \
                     | --fresh-houses COUNT | --audit DATA";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let parts: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match parts.as_slice() {
        ["--seed", seed] => match seed.parse() {
            Ok(seed) => one(seed),
            Err(_) => usage(),
        },
        ["--seeds", range] => match span(range) {
            Some((from, to)) => many(from, to),
            None => usage(),
        },
        ["--fresh", count] => match count.parse() {
            Ok(count) if count > 0 => fresh(count),
            _ => usage(),
        },
        ["--house", seed] => match seed.parse::<u64>() {
            Ok(seed) => houses(seed, seed + 1),
            Err(_) => usage(),
        },
        ["--houses", range] => match span(range) {
            Some((from, to)) => houses(from, to),
            None => usage(),
        },
        ["--fresh-houses", count] => match count.parse() {
            Ok(count) if count > 0 => fresh_houses(count),
            _ => usage(),
        },
        ["--audit", data] => audit(data),
        _ => usage(),
    }
}

fn audit(data: &str) -> ExitCode {
    match sicbo_sim::audit(data.as_ref()) {
        Ok(tables) => {
            for table in tables {
                let (stream, records, held) = (table.stream, table.records, table.held);
                println!("{stream}: {records} records agree; players hold {held}");
            }
            ExitCode::SUCCESS
        }
        Err(fault) => {
            println!("{fault}");
            ExitCode::FAILURE
        }
    }
}

fn usage() -> ExitCode {
    eprintln!("{USAGE}");
    ExitCode::from(2)
}

fn span(range: &str) -> Option<(u64, u64)> {
    let (from, to) = range.split_once("..")?;
    let (from, to) = (from.parse().ok()?, to.parse().ok()?);
    (from < to).then_some((from, to))
}

fn one(seed: u64) -> ExitCode {
    match sicbo_sim::run(seed) {
        Ok(report) => {
            println!("{report}");
            ExitCode::SUCCESS
        }
        Err(failure) => {
            println!("{failure}");
            ExitCode::FAILURE
        }
    }
}

/// Whole houses, as many beside each other as there are processors.
fn houses(from: u64, to: u64) -> ExitCode {
    let (next, failed) = (AtomicU64::new(from), AtomicU64::new(0));
    let work = || {
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= to {
                return;
            }
            match sicbo_sim::run_house(seed) {
                Ok(report) => println!("{report}"),
                Err(failure) => {
                    failed.fetch_add(1, Ordering::Relaxed);
                    println!("house {seed}: {failure}");
                }
            }
        }
    };
    beside_each_other(work);
    let failed = failed.into_inner();
    println!("{} houses, {failed} failed", to - from);
    match failed {
        0 => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}

/// Houses from a start that nobody chose.
fn fresh_houses(count: u64) -> ExitCode {
    let from = unchosen();
    println!("houses {from}..{}", from + count);
    houses(from, from + count)
}

/// Does work on as many threads as there are processors.
fn beside_each_other(work: impl Fn() + Sync) {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(&work);
        }
    });
}

/// A start that nobody chose, small enough to be typed again.
fn unchosen() -> u64 {
    RandomState::new().build_hasher().finish() % 1_000_000_000_000
}

/// Seeds from a start that nobody chose.
fn fresh(count: u64) -> ExitCode {
    let from = unchosen();
    println!("seeds {from}..{}", from + count);
    many(from, from + count)
}

/// Worlds between two words about how far it has come.
const PROGRESS_INTERVAL: u64 = 1_000;

#[derive(Default)]
struct Sum {
    done: u64,
    sqlite: u64,
    steps: u64,
    rounds: u64,
    bets: u64,
    faults: u64,
    failed: u64,
}

/// Runs all, as many beside each other as there are processors; prints each
/// failure, how far it has come and the sum, and stops at nothing.
fn many(from: u64, to: u64) -> ExitCode {
    let began = Instant::now();
    let (next, sum) = (AtomicU64::new(from), Mutex::new(Sum::default()));
    let work = || {
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= to {
                return;
            }
            let outcome = sicbo_sim::run(seed);
            let Ok(mut sum) = sum.lock() else { return };
            sum.done += 1;
            match outcome {
                Ok(report) => {
                    sum.sqlite += u64::from(report.medium == "sqlite");
                    sum.steps += report.steps;
                    sum.rounds += report.rounds[0] + report.rounds[1];
                    sum.bets += report.bets[0];
                    sum.faults += report.faults.values().sum::<u64>();
                }
                Err(failure) => {
                    sum.failed += 1;
                    println!("{failure}");
                }
            }
            if sum.done.is_multiple_of(PROGRESS_INTERVAL) {
                let (done, failed) = (sum.done, sum.failed);
                let seconds = began.elapsed().as_secs();
                println!("{done} of seeds {from}..{to} in {seconds} s, {failed} failed");
            }
        }
    };
    beside_each_other(work);
    let Ok(sum) = sum.into_inner() else {
        // A world broke off; its thread has said why.
        return ExitCode::FAILURE;
    };
    println!(
        "{} seeds, {} on SQLite, {} failed: {} steps, {} faults, {} rounds, {} bets acknowledged",
        to - from,
        sum.sqlite,
        sum.failed,
        sum.steps,
        sum.faults,
        sum.rounds,
        sum.bets
    );
    if sum.failed == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
