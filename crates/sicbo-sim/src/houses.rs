//! `sicbo-sim --seed` and its like: runs whole houses, says how fast and what
//! they met, and tells a failing one as small as it can be made.

use std::ops::Range;
use std::panic::AssertUnwindSafe;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use sicbo_sim::{Coverage, Failure, HouseReport, Outcome, Scenario, run_scenario, shrink};

use crate::beside_each_other;

/// Houses whose reports are printed one by one, if they are no more than this.
const FEW: u64 = 20;
/// Houses between two words about how far it has come.
const PROGRESS_INTERVAL: u64 = 1_000;
/// Lines of a failing house's story that are told at its end.
const LAST_LINES: usize = 40;
/// What is said of a house in which an assertion failed.
pub(crate) const BROKE_OFF: &str = "an assertion failed";
/// Steps of a house that says nothing else.
const STEPS: u64 = 2_500;

/// Houses to be run.
pub(crate) struct Houses {
    pub(crate) seeds: Range<u64>,
    /// As each of them is run, but for its seed.
    pub(crate) scenario: Scenario,
    pub(crate) until_failure: bool,
    pub(crate) covered: bool,
    /// Rounds that they play together at least.
    pub(crate) at_least_rounds: Option<u64>,
    /// Rounds in a second of a core's own time at least.
    pub(crate) at_least_rate: Option<f64>,
}

#[derive(Default)]
struct Sum {
    done: u64,
    failed: Vec<(u64, String)>,
    rounds: u64,
    records: u64,
    frames: u64,
    simulated_ms: i64,
    coverage: Coverage,
}

impl Sum {
    fn add(&mut self, report: &HouseReport) {
        self.rounds += report.rounds[0] + report.rounds[1];
        self.records += report.records;
        self.frames += report.frames;
        self.simulated_ms += report.simulated_ms;
        self.coverage.add(report);
    }
}

/// An assertion that fails is a failure of the house like any other.
fn run_or_break_off(scenario: &Scenario) -> (Outcome, Vec<String>) {
    let ran = std::panic::catch_unwind(AssertUnwindSafe(|| run_scenario(scenario)));
    ran.unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
        let what = format!("{BROKE_OFF}: {}", text.unwrap_or("no words"));
        let failure = Failure {
            seed: scenario.seed,
            plays: "SEED",
            what,
            last: Vec::new(),
        };
        (Err(Box::new(failure)), Vec::new())
    })
}

impl Houses {
    /// Runs all; true when none failed.
    pub(crate) fn run(&self) -> bool {
        let count = self.seeds.end - self.seeds.start;
        let began = Instant::now();
        let (sum, over) = (Mutex::new(Sum::default()), AtomicBool::new(false));
        let work = |seed: u64| {
            if over.load(Ordering::Relaxed) {
                return;
            }
            let scenario = Scenario {
                seed,
                ..self.scenario.clone()
            };
            let (outcome, story) = run_or_break_off(&scenario);
            story.iter().for_each(|line| println!("{line}"));
            let Ok(mut sum) = sum.lock() else { return };
            sum.done += 1;
            match outcome {
                Ok(report) => {
                    if count <= FEW && !self.until_failure {
                        println!("{report}");
                    }
                    sum.add(&report);
                }
                Err(failure) => {
                    println!("house {seed}: {}", failure.what);
                    sum.failed.push((seed, failure.what));
                    over.store(self.until_failure, Ordering::Relaxed);
                }
            }
            if sum.done.is_multiple_of(PROGRESS_INTERVAL) {
                let (done, failed) = (sum.done, sum.failed.len());
                let seconds = began.elapsed().as_secs();
                println!("{done} of {count} houses in {seconds} s, {failed} failed");
            }
        };
        match self.until_failure {
            // One after the other: how many it took is what is asked.
            true => self.seeds.clone().for_each(work),
            false => beside_each_other(&self.seeds, work),
        }
        let Ok(sum) = sum.into_inner() else {
            // A house broke off; its thread has said why.
            return false;
        };
        self.tell(&sum, began.elapsed().as_secs_f64())
    }

    fn tell(&self, sum: &Sum, seconds: f64) -> bool {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let cores = (cores as u64).min(self.seeds.end - self.seeds.start) as f64;
        let rounds_a_second = sum.rounds as f64 / seconds / cores;
        let hours = sum.simulated_ms as f64 / 3_600_000.0;
        println!(
            "{} houses, {} failed: {} rounds, {} records, {} frames, {hours:.1} simulated hours",
            sum.done,
            sum.failed.len(),
            sum.rounds,
            sum.records,
            sum.frames
        );
        println!(
            "{rounds_a_second:.0} rounds and {:.3} simulated hours a second and core",
            hours / seconds / cores
        );
        // What others do on the machine is not in a core's own time.
        let own = busy_seconds().map_or(rounds_a_second, |busy| {
            let rate = sum.rounds as f64 / busy;
            println!(
                "{rate:.0} rounds and {:.3} simulated hours a second of a core's own time \
                 ({busy:.1} s)",
                hours / busy
            );
            rate
        });
        let enough = self.is_enough(sum.rounds, own);
        let (met, all) = sum.coverage.counts();
        let missing = sum.coverage.missing();
        println!(
            "met {met} of {all}; {} neither met nor on the list",
            missing.len()
        );
        if self.covered {
            missing
                .iter()
                .for_each(|what| println!("never met: {what}"));
            let after_all = sum.coverage.met_after_all();
            after_all
                .iter()
                .for_each(|what| println!("on the list, and met: {what}"));
        }
        if let Some((seed, what)) = sum.failed.first()
            && !self.until_failure
            && !what.starts_with(BROKE_OFF)
        {
            self.tell_smaller(*seed, what);
        }
        sum.failed.is_empty() && enough && (!self.covered || missing.is_empty())
    }

    /// Whether as much was played, and as fast, as was asked for.
    fn is_enough(&self, rounds: u64, rate: f64) -> bool {
        let few = self.at_least_rounds.filter(|least| rounds < *least);
        if let Some(least) = few {
            println!("too few rounds: {rounds}, and {least} are wanted");
        }
        let slow = self.at_least_rate.filter(|least| rate < *least);
        if let Some(least) = slow {
            println!("too slow: {rate:.0} rounds a second of a core, and {least:.0} are wanted");
        }
        few.is_none() && slow.is_none()
    }

    /// Makes a failing house smaller and tells how it ends.
    fn tell_smaller(&self, seed: u64, what: &str) {
        let scenario = Scenario {
            seed,
            // The folder has the house as it failed.
            data: None,
            ..self.scenario.clone()
        };
        let small = shrink(&scenario, STEPS, what);
        let (_, story) = run_scenario(&Scenario {
            story: true,
            ..small.scenario.clone()
        });
        println!(
            "house {seed}, made smaller in {} tries, ends so:",
            small.tries
        );
        let last = story.len().saturating_sub(LAST_LINES);
        story[last..].iter().for_each(|line| println!("{line}"));
        println!("house {seed}: {}", small.what);
        let steps = small.scenario.steps.unwrap_or(STEPS);
        let only = small.scenario.drawn();
        println!("repeat it with: sicbo-sim --seed {seed} --steps {steps} --only {only} --story");
    }
}

/// Seconds that processors worked for this program, where the system says so: what
/// others do on the machine is not in it.
fn busy_seconds() -> Option<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    // Behind the name, which may hold spaces: the 12th and 13th word are its own
    // time in hundredths of a second.
    let (_, words) = stat.rsplit_once(") ")?;
    let mut words = words.split(' ').skip(11);
    let own: u64 = words.next()?.parse().ok()?;
    let system: u64 = words.next()?.parse().ok()?;
    Some((own + system) as f64 / 100.0)
}
