//! `make mutants`: removes one rule after the other and names the tests that
//! notice. The list of what is removed is `mutants.txt` beside this file.
//!
//! The rule tests are built once, with the feature `mutants`; a variable in the
//! environment then chooses the mutant, so nothing is built anew in between.
//! Only tests of how the game is played are run: one that compares a rule book
//! with its own text proves nothing about play.

mod list;
mod run;
mod suites;

use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use list::List;
use run::{Outcome, Verdict};

/// Longest time for the whole list.
const TIME_LIMIT: Duration = Duration::from_secs(60 * 60);

const USAGE: &str =
    "usage: sicbo-mutants [--short] [--list] [--unexplained] [--only TEXT] [--jobs N]
  --short      the few that `make test` tries
  --list       prints the mutants and runs nothing
  --unexplained  leaves out those that have a reason not to be caught
  --only TEXT  those whose line contains TEXT
  --jobs N     how many at a time; two unless told";

struct Options {
    short: bool,
    list: bool,
    unexplained: bool,
    only: Option<String>,
    jobs: usize,
}

fn options() -> Option<Options> {
    let mut options = Options {
        short: false,
        list: false,
        unexplained: false,
        only: None,
        jobs: 2,
    };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--short" => options.short = true,
            "--list" => options.list = true,
            "--unexplained" => options.unexplained = true,
            "--only" => options.only = Some(words.next()?),
            "--jobs" => {
                options.jobs = words.next()?.parse().ok().filter(|n| *n >= 1 && *n <= 64)?;
            }
            _ => return None,
        }
    }
    Some(options)
}

fn main() -> ExitCode {
    let Some(options) = options() else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    let list = match List::read() {
        Ok(list) => list,
        Err(faults) => {
            for fault in faults {
                eprintln!("mutants.txt: {fault}");
            }
            return ExitCode::from(2);
        }
    };
    let mut mutants = list.mutants();
    if options.short {
        mutants.retain(|mutant| mutant.short);
    }
    if options.unexplained {
        mutants.retain(|mutant| mutant.reason.is_none());
    }
    if let Some(only) = &options.only {
        mutants.retain(|mutant| mutant.spec.contains(only.as_str()));
    }
    if options.list {
        for mutant in &mutants {
            println!("{}", mutant.spec);
        }
        return ExitCode::SUCCESS;
    }
    let started = Instant::now();
    let suites = match suites::build(&list.not_proof) {
        Ok(suites) => suites,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::from(2);
        }
    };
    if let Err(error) = run::sound(&suites) {
        eprintln!("{error}");
        return ExitCode::from(2);
    }
    println!(
        "{} mutants, {} suites, all sound without a mutant after {} s",
        mutants.len(),
        suites.len(),
        started.elapsed().as_secs()
    );
    // Each line stands by itself: a run that is cut off has shown what it tried.
    let done = AtomicUsize::new(0);
    let outcomes = run::all(
        &suites,
        &mutants,
        options.jobs,
        started + TIME_LIMIT,
        |outcome| {
            let nth = done.fetch_add(1, Ordering::Relaxed) + 1;
            let (all, seconds) = (mutants.len(), started.elapsed().as_secs());
            println!("{nth:>4}/{all} {seconds:>4} s  {outcome}");
        },
    );
    summary(&outcomes, started.elapsed())
}

fn summary(outcomes: &[Outcome], took: Duration) -> ExitCode {
    let count = |wanted: fn(&Outcome) -> bool| outcomes.iter().filter(|o| wanted(o)).count();
    let caught = count(|outcome| matches!(outcome.verdict, Verdict::Caught { .. }));
    let missed = count(|outcome| matches!(outcome.verdict, Verdict::NotCaught));
    let reasons = count(|outcome| {
        matches!(outcome.verdict, Verdict::NotCaught) && outcome.mutant.reason.is_some()
    });
    let needless = count(|outcome| {
        matches!(outcome.verdict, Verdict::Caught { .. }) && outcome.mutant.reason.is_some()
    });
    let broken = count(|outcome| matches!(outcome.verdict, Verdict::Broken(_)));
    let timed_out = count(|outcome| matches!(outcome.verdict, Verdict::TimedOut { .. }));
    let untried = count(|outcome| matches!(outcome.verdict, Verdict::NoTime));
    println!();
    for outcome in outcomes {
        if matches!(outcome.verdict, Verdict::NotCaught) && outcome.mutant.reason.is_none() {
            println!("not caught: {}", outcome.mutant.spec);
        }
    }
    if needless > 0 {
        println!("{needless} with a reason are caught after all: take the reason away");
    }
    if broken > 0 {
        println!("{broken} could not be tried: the list is wrong there");
    }
    if timed_out > 0 {
        println!("{timed_out} had a suite that did not end in time: nothing is known of them");
    }
    if untried > 0 {
        println!(
            "{untried} were not tried within {} min",
            TIME_LIMIT.as_secs() / 60
        );
    }
    println!(
        "{} mutants: {caught} caught, {missed} not caught ({reasons} with a reason), in {} s",
        outcomes.len(),
        took.as_secs()
    );
    let unknown = broken + timed_out + untried;
    if missed > reasons || needless > 0 || unknown > 0 || outcomes.is_empty() {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    }
}
