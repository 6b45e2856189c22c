//! `sicbo-sim`: runs worlds from seeds and says what came of them; or lets the
//! worlds' auditor look at the journals of a real house.

mod canaries;
mod houses;

use std::hash::{BuildHasher, Hasher, RandomState};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use clap::Parser;
use houses::Houses;
use sicbo_sim::{ACTS_OF_A_HOUSE, Insider, Scenario, Swarm, run_insider};

/// Worlds and houses under faults, each from a seed.
#[derive(Parser)]
#[command(group = clap::ArgGroup::new("what").required(true).multiple(false)
    .args(["seed", "seeds", "fresh_houses", "world", "worlds", "fresh_worlds", "dishonest",
        "canaries", "audit"]),
    group = clap::ArgGroup::new("one_table").multiple(false)
        .args(["world", "worlds", "fresh_worlds", "dishonest", "canaries", "audit"]))]
struct Args {
    /// One whole house
    #[arg(long, value_name = "N", alias = "house")]
    seed: Option<u64>,
    /// Whole houses
    #[arg(long, value_name = "A..B", value_parser = span, alias = "houses")]
    seeds: Option<Range<u64>>,
    /// Whole houses from a start that nobody chose
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u64).range(1..))]
    fresh_houses: Option<u64>,
    /// One table and its journal alone
    #[arg(long, value_name = "N")]
    world: Option<u64>,
    /// Single tables
    #[arg(long, value_name = "A..B", value_parser = span)]
    worlds: Option<Range<u64>>,
    /// Single tables from a start that nobody chose
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u64).range(1..))]
    fresh_worlds: Option<u64>,
    /// What is on in houses, as words with commas, where it is not what each seed draws
    #[arg(long, value_name = "PARTS", value_parser = Swarm::parse, conflicts_with = "one_table")]
    only: Option<Swarm>,
    /// Steps of a house before it comes to its end
    #[arg(long, value_name = "N", conflicts_with = "one_table")]
    steps: Option<u64>,
    /// Every table of a house is under this book
    #[arg(long, value_name = "ID", conflicts_with = "one_table")]
    book: Option<String>,
    /// Tells a house in words
    #[arg(long, conflicts_with = "one_table")]
    story: bool,
    /// Writes the journals of one house into a new data folder, for `sicbo replay` and the other
    /// tools; also where it fails
    #[arg(long, value_name = "FOLDER", requires = "seed")]
    data: Option<PathBuf>,
    /// Stops at the first house that fails, and shrinks nothing
    #[arg(long, conflicts_with = "one_table")]
    until_failure: bool,
    /// Fails where houses did not meet what there is to be met
    #[arg(long, conflicts_with = "one_table")]
    covered: bool,
    /// Fails where houses together played fewer rounds
    #[arg(long, value_name = "COUNT", conflicts_with = "one_table")]
    at_least_rounds: Option<u64>,
    /// Fails where they played fewer rounds in a second of a core's own time
    #[arg(long, value_name = "ROUNDS", conflicts_with = "one_table")]
    at_least_rate: Option<f64>,
    /// Small wrongs, switched on one by one, each of which must be caught within so many houses
    #[arg(long, value_name = "HOUSES", value_parser = clap::value_parser!(u64).range(1..))]
    canaries: Option<u64>,
    /// Those canaries alone whose line contains this
    #[arg(long, value_name = "WORDS", requires = "canaries")]
    among: Option<String>,
    /// Houses with one dishonest person, who tries so many acts in each of five positions
    #[arg(long, value_name = "ACTS", value_parser = clap::value_parser!(u64).range(1..))]
    dishonest: Option<u64>,
    /// The houses of `--dishonest` again, from this seed on
    #[arg(long, value_name = "N", requires = "dishonest")]
    from: Option<u64>,
    /// The data folder of a real house, for the auditor
    #[arg(long, value_name = "DATA")]
    audit: Option<PathBuf>,
}

fn main() -> ExitCode {
    let args = Args::parse();
    let fresh = |what: &str, count: u64| {
        let from = unchosen();
        println!("{what} {from}..{}", from + count);
        from..from + count
    };
    if let Some(seed) = args.world {
        one(seed)
    } else if let Some(seeds) = args.worlds {
        many(seeds)
    } else if let Some(count) = args.fresh_worlds {
        many(fresh("worlds", count))
    } else if let Some(houses) = houses_of(&args, fresh) {
        exit(houses.run())
    } else if let Some(most) = args.canaries {
        exit(canaries::run(most, args.among.as_deref()))
    } else if let Some(acts) = args.dishonest {
        dishonest(acts, args.from.unwrap_or_else(unchosen))
    } else {
        audit(&args.audit.unwrap_or_default())
    }
}

/// One dishonest person in each of five positions, in as many houses as it takes.
fn dishonest(acts: u64, from: u64) -> ExitCode {
    let houses = acts.div_ceil(ACTS_OF_A_HOUSE);
    let all = Insider::ALL.len() as u64 * houses;
    println!("dishonest persons, houses {from}..{}", from + all);
    let failed = AtomicU64::new(0);
    beside_each_other(&(from..from + all), |seed| {
        let who = Insider::ALL[((seed - from) / houses) as usize];
        match run_insider(who, seed, acts.min(ACTS_OF_A_HOUSE)) {
            Ok(report) => println!("{report}"),
            Err(failure) => {
                failed.fetch_add(1, Ordering::Relaxed);
                let what = &failure.what;
                println!("dishonest {who:?}, house {seed}: {what}");
                println!("repeat it with: sicbo-sim --dishonest {acts} --from {from}");
            }
        }
    });
    let failed = failed.into_inner();
    println!("{all} houses with a dishonest person, {failed} failed");
    exit(failed == 0)
}

fn audit(data: &Path) -> ExitCode {
    match sicbo_sim::audit(data) {
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

fn span(range: &str) -> Result<Range<u64>, String> {
    let ends = range.split_once("..");
    let ends = ends.and_then(|(from, to)| Some(from.parse().ok()?..to.parse().ok()?));
    ends.filter(|range: &Range<u64>| !range.is_empty())
        .ok_or_else(|| "write two numbers, e.g. 0..1000".to_owned())
}

fn one(seed: u64) -> ExitCode {
    let outcome = sicbo_sim::run(seed);
    match &outcome {
        Ok(report) => println!("{report}"),
        Err(failure) => println!("{failure}"),
    }
    exit(outcome.is_ok())
}

/// Which whole houses are asked for, if any.
fn houses_of(args: &Args, fresh: impl Fn(&str, u64) -> Range<u64>) -> Option<Houses> {
    let one = args.seed.map(|seed| seed..seed + 1);
    let seeds = one.or_else(|| args.seeds.clone());
    let seeds = seeds.or_else(|| args.fresh_houses.map(|count| fresh("houses", count)))?;
    Some(Houses {
        scenario: Scenario {
            swarm: args.only.clone(),
            steps: args.steps,
            book: args.book.clone(),
            story: args.story,
            data: args.data.clone(),
            ..Scenario::of(seeds.start)
        },
        seeds,
        until_failure: args.until_failure,
        covered: args.covered,
        at_least_rounds: args.at_least_rounds,
        at_least_rate: args.at_least_rate,
    })
}

/// Works through seeds on as many threads as there are processors.
fn beside_each_other(seeds: &Range<u64>, work: impl Fn(u64) + Sync) {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let next = AtomicU64::new(seeds.start);
    let take = || Some(next.fetch_add(1, Ordering::Relaxed)).filter(|seed| *seed < seeds.end);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| std::iter::from_fn(take).for_each(&work));
        }
    });
}

fn exit(clean: bool) -> ExitCode {
    match clean {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    }
}

/// A start that nobody chose, small enough to be typed again.
fn unchosen() -> u64 {
    RandomState::new().build_hasher().finish() % 1_000_000_000_000
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
fn many(seeds: Range<u64>) -> ExitCode {
    let began = Instant::now();
    let sum = Mutex::new(Sum::default());
    beside_each_other(&seeds, |seed| {
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
            println!("{done} of worlds {seeds:?} in {seconds} s, {failed} failed");
        }
    });
    let Ok(sum) = sum.into_inner() else {
        // A world broke off; its thread has said why.
        return ExitCode::FAILURE;
    };
    println!(
        "{} worlds, {} on SQLite, {} failed: {} steps, {} faults, {} rounds, {} bets acknowledged",
        seeds.end - seeds.start,
        sum.sqlite,
        sum.failed,
        sum.steps,
        sum.faults,
        sum.rounds,
        sum.bets
    );
    exit(sum.failed == 0)
}
