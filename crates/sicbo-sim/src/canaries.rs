//! `sicbo-sim --canaries`: small wrongs of `canaries.txt`, switched on one by one
//! in a program of their own. Each must be caught by a house of its book, within
//! so many.

use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// One wrong a line, as `SICBO_MUTANT` takes it.
const CANARIES: &str = include_str!("../canaries.txt");
/// The first house of every canary.
const FROM: u64 = 1;
/// A program whose wrong cannot be switched on ends with this.
const UNUSABLE: i32 = 97;

/// Runs all, or those whose line contains `among`; true when each was caught.
pub(crate) fn run(most: u64, among: Option<&str>) -> bool {
    let lines = CANARIES.lines().map(str::trim);
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    let lines: Vec<&str> = lines
        .filter(|line| among.is_none_or(|among| line.contains(among)))
        .collect();
    let (next, survived) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(line) = lines.get(next.fetch_add(1, Ordering::Relaxed)) {
                    match caught(line, most) {
                        Ok((houses, what)) => println!("{line}: caught in {houses}: {what}"),
                        Err(why) => {
                            println!("{line}: NOT CAUGHT: {why}");
                            if let Ok(mut survived) = survived.lock() {
                                survived.push(*line);
                            }
                        }
                    }
                }
            });
        }
    });
    let survived = survived.into_inner().unwrap_or_default().len();
    println!(
        "{} of {} canaries caught",
        lines.len() - survived,
        lines.len()
    );
    // A list without a line shows nothing.
    survived == 0 && !lines.is_empty()
}

/// In which house, from the first on, it was caught, and by which words.
fn caught(line: &str, most: u64) -> Result<(u64, String), String> {
    let book = line.split(' ').next().unwrap_or_default();
    let own = std::env::current_exe().map_err(|error| error.to_string())?;
    let ran = Command::new(own)
        .args(["--houses", &format!("{FROM}..{}", FROM + most)])
        .args(["--until-failure", "--book", book])
        .env("SICBO_MUTANT", line)
        .output()
        .map_err(|error| error.to_string())?;
    let said = String::from_utf8_lossy(&ran.stdout);
    if ran.status.code() == Some(UNUSABLE) {
        return Err("it cannot be switched on".to_owned());
    }
    let found = said.lines().find_map(|told| {
        let (seed, what) = told.strip_prefix("house ")?.split_once(": ")?;
        Some((seed.parse::<u64>().ok()?, what.to_owned()))
    });
    match found {
        Some((seed, what)) if !ran.status.success() => {
            Ok((seed - FROM + 1, what.chars().take(100).collect()))
        }
        _ if !ran.status.success() => {
            let error = String::from_utf8_lossy(&ran.stderr);
            Ok((
                0,
                format!("it broke off: {}", error.lines().next().unwrap_or_default()),
            ))
        }
        _ => Err(format!("{most} houses are clean")),
    }
}
