//! `sicbo-sim`: runs worlds from seeds and says what came of them; or lets the
//! worlds' auditor look at the journals of a real house.

use std::process::ExitCode;

const USAGE: &str = "usage: sicbo-sim --seed N | --seeds A..B | --audit DATA";

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

/// Runs all, prints a line for each and the sum; stops at nothing.
fn many(from: u64, to: u64) -> ExitCode {
    let (mut steps, mut rounds, mut bets, mut faults, mut failed) = (0, 0, 0, 0, 0);
    for seed in from..to {
        match sicbo_sim::run(seed) {
            Ok(report) => {
                steps += report.steps;
                rounds += report.rounds[0] + report.rounds[1];
                bets += report.bets[0];
                faults += report.faults.values().sum::<u64>();
            }
            Err(failure) => {
                failed += 1;
                println!("{failure}");
            }
        }
    }
    println!(
        "{} seeds, {failed} failed: {steps} steps, {faults} faults, {rounds} rounds, {bets} bets acknowledged",
        to - from
    );
    if failed == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
