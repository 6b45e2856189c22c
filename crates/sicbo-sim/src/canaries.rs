//! `sicbo-sim --canaries`: small wrongs of `canaries.txt`, switched on one by one.
//! Each must be caught by a house, or a world of one table, within so many.

use std::collections::BTreeSet;
use std::ops::Range;
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use sicbo_sim::{Canary, HouseFlaw, run_canary, run_flawed_house};

use crate::houses::BROKE_OFF;

/// One wrong a line.
const CANARIES: &str = include_str!("../canaries.txt");
/// The list has at least so many: a shorter one shows too little.
const MIN_CANARIES: usize = 100;
/// The first house of every canary.
const FROM: u64 = 1;
/// A program whose wrong cannot be switched on ends with this.
const UNUSABLE: i32 = 97;
/// In the place of a book: something of the house is broken, at whatever tables it has.
const EVERY: &str = "every";
/// Of what was said, so much is printed.
const SAID: usize = 110;

/// Where and by which words a wrong was caught.
struct Caught {
    /// In which house or world, counted from the first.
    nth: u64,
    what: String,
}

/// Runs all, or those whose line contains `among`; true when each was caught.
pub(crate) fn run(most: u64, among: Option<&str>) -> bool {
    let lines = CANARIES.lines().map(str::trim);
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    let lines: Vec<&str> = lines
        .filter(|line| among.is_none_or(|among| line.contains(among)))
        .collect();
    if among.is_none() && !sound(&lines, most) {
        return false;
    }
    let (next, survived) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let (taken, asserted) = (AtomicU64::new(0), AtomicU64::new(0));
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(line) = lines.get(next.fetch_add(1, Ordering::Relaxed)) {
                    match caught(line, most) {
                        Ok(Caught { nth, what }) => {
                            taken.fetch_add(nth, Ordering::Relaxed);
                            let by_assertion = what.starts_with(BROKE_OFF);
                            asserted.fetch_add(u64::from(by_assertion), Ordering::Relaxed);
                            let what: String = what.chars().take(SAID).collect();
                            println!("{line}: caught by number {nth}: {what}");
                        }
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
        "{} of {} canaries caught, {} of them by an assertion of the program itself, \
         with {} houses and worlds",
        lines.len() - survived,
        lines.len(),
        asserted.into_inner(),
        taken.into_inner()
    );
    let enough = match among {
        Some(_) => !lines.is_empty(),
        None => lines.len() >= MIN_CANARIES,
    };
    if !enough {
        println!("the list has too few: {MIN_CANARIES} are wanted");
    }
    survived == 0 && enough
}

/// With nothing wrong, the same houses are clean: else they would catch anything.
fn sound(lines: &[&str], most: u64) -> bool {
    let books = lines
        .iter()
        .filter_map(|line| parted(line).1.split(' ').next());
    // `every` among them: houses of whatever books they draw.
    let books = books.filter(|book| !["world", "house"].contains(book));
    let books: BTreeSet<&str> = books.collect();
    let unsound = books.iter().filter_map(|book| {
        let caught = of_book(book, "", FROM..FROM + most).ok()?;
        Some(format!("{book}, house {}: {}", caught.nth, caught.what))
    });
    let unsound: Vec<String> = unsound.collect();
    unsound
        .iter()
        .for_each(|what| println!("with nothing wrong, {what}"));
    unsound.is_empty()
}

/// A line without its own bound, if it has one.
fn parted(line: &str) -> (Option<u64>, &str) {
    let own = line
        .split_once(' ')
        .and_then(|(own, rest)| Some((own.parse().ok()?, rest)));
    own.map_or((None, line), |(own, rest)| (Some(own), rest))
}

/// In which house, from the first on, it was caught, and by which words.
fn caught(line: &str, most: u64) -> Result<Caught, String> {
    let (own, line) = parted(line);
    let bound = own.unwrap_or(most);
    match line.split_once(' ') {
        Some(("world", name)) => {
            let canary = Canary::ALL
                .into_iter()
                .find(|one| format!("{one:?}") == name);
            let canary = canary.ok_or("there is no such world")?;
            first(most, |seed| {
                run_canary(canary, seed).err().map(|failure| failure.what)
            })
        }
        Some(("house", name)) => {
            let flaws = [HouseFlaw::LostBlocks, HouseFlaw::OldRegister];
            let flaw = flaws.into_iter().find(|one| format!("{one:?}") == name);
            let flaw = flaw.ok_or("there is no such house")?;
            first(most, |seed| {
                run_flawed_house(seed, flaw)
                    .err()
                    .map(|failure| failure.what)
            })
        }
        Some((book, _)) => {
            let caught = of_book(book, line, FROM..FROM + bound)?;
            let seed = FROM + caught.nth - 1;
            // The others were shown to be clean before the first.
            let unsound = caught.nth > most && of_book(book, "", seed..seed + 1).is_ok();
            match unsound {
                true => Err(format!("house {seed} fails with nothing wrong")),
                false => Ok(caught),
            }
        }
        None => Err("it cannot be read".to_owned()),
    }
}

fn first(most: u64, run: impl Fn(u64) -> Option<String>) -> Result<Caught, String> {
    let mut seeds = FROM..FROM + most;
    let found = seeds.find_map(|seed| {
        let what = run(seed)?;
        let nth = seed - FROM + 1;
        Some(Caught { nth, what })
    });
    found.ok_or_else(|| format!("{most} are clean"))
}

/// A rule that is taken away or changed, in a program of its own; nothing for no line.
fn of_book(book: &str, line: &str, seeds: Range<u64>) -> Result<Caught, String> {
    let own = std::env::current_exe().map_err(|error| error.to_string())?;
    let mut program = Command::new(own);
    program
        .args(["--seeds", &format!("{}..{}", seeds.start, seeds.end)])
        .arg("--until-failure");
    if book != EVERY {
        program.args(["--book", book]);
    }
    match line {
        "" => program.env_remove("SICBO_MUTANT"),
        line => program.env("SICBO_MUTANT", line),
    };
    let ran = program.output().map_err(|error| error.to_string())?;
    let said = String::from_utf8_lossy(&ran.stdout);
    if ran.status.code() == Some(UNUSABLE) {
        return Err("it cannot be switched on".to_owned());
    }
    let found = said.lines().find_map(|told| {
        let (seed, what) = told.strip_prefix("house ")?.split_once(": ")?;
        let nth = seed.parse::<u64>().ok()? - FROM + 1;
        let what = what.to_owned();
        Some(Caught { nth, what })
    });
    match found {
        Some(caught) if !ran.status.success() => Ok(caught),
        _ if ran.status.success() => {
            let count = seeds.end - seeds.start;
            Err(format!("{count} houses are clean"))
        }
        _ => {
            let error = String::from_utf8_lossy(&ran.stderr);
            let last = error.lines().next_back().unwrap_or_default();
            Err(format!("the program ended: {last}"))
        }
    }
}
