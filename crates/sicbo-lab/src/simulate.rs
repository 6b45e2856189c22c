//! Simulation: real rounds drawn from a seeded stream, settled exactly and
//! set beside the exact values.
//!
//! Every round's dice are really drawn. The work is cut into chunks of a fixed
//! size, each with its own stream, and the counts are added up, so that the
//! number of threads cannot change the result.

use rayon::prelude::*;
use serde::Serialize;
use sicbo_rules::maths::approx;
use sicbo_rules::{Outcome, Ratio};

use crate::LabError;
use crate::game::{Game, Loading, Mix, Profile};
use crate::generator::{Generator, Seed, Vector};
use crate::histogram::Histogram;
use crate::interval::{self, IntervalMethod, Seen};
use crate::rounds::Rounds;
use crate::stats::ChiSquare;

/// Rounds of a chunk. Part of what a seed means: never changed.
pub const CHUNK_ROUNDS: u32 = 1 << 20;

/// How a run is done. Only the seed and the generator decide what comes out.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    /// Where it starts.
    pub seed: Seed,
    /// Which generator.
    pub generator: Generator,
    /// How many threads; `None` for as many as there are cores.
    pub threads: Option<usize>,
    /// Which instructions.
    pub vector: Vector,
}

impl Run {
    /// A run of the fast generator on all cores.
    #[must_use]
    pub fn new(seed: Seed) -> Run {
        Run {
            seed,
            generator: Generator::Fast,
            threads: None,
            vector: Vector::best(),
        }
    }

    /// Does work on the run's threads.
    pub(crate) fn on_threads<T: Send>(
        &self,
        work: impl FnOnce() -> T + Send,
    ) -> Result<T, LabError> {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(self.threads.unwrap_or(0))
            .build()
            .map_err(|error| LabError::Threads(error.to_string()))?;
        Ok(pool.install(work))
    }

    /// Plays so many rounds. `done` is told of every so many more rounds played.
    ///
    /// # Errors
    /// When threads cannot be started.
    pub fn play(&self, rounds: Rounds, done: &(dyn Fn(u64) + Sync)) -> Result<Histogram, LabError> {
        self.play_with(&Loading::fair(), rounds, done)
    }

    /// One stream's rounds with dice of this loading.
    pub(crate) fn stream_of(&self, index: u64, loading: &Loading, rounds: u32) -> Histogram {
        let mut stream = self.generator.stream(self.seed, index).with(self.vector);
        if loading.is_fair() {
            stream.play(rounds)
        } else {
            stream.play_weighted(loading, rounds)
        }
    }

    /// The same with dice of this loading.
    ///
    /// # Errors
    /// As [`Run::play`].
    pub fn play_with(
        &self,
        loading: &Loading,
        rounds: Rounds,
        done: &(dyn Fn(u64) + Sync),
    ) -> Result<Histogram, LabError> {
        let rounds = rounds.get();
        let chunks = rounds.div_ceil(u64::from(CHUNK_ROUNDS));
        let chunk = |index: u64| {
            let start = index * u64::from(CHUNK_ROUNDS);
            // The last chunk may be shorter.
            let length = (rounds - start).min(u64::from(CHUNK_ROUNDS)) as u32;
            let counted = self.stream_of(index, loading, length);
            done(u64::from(length));
            counted
        };
        self.on_threads(|| {
            (0..chunks)
                .into_par_iter()
                .fold(Histogram::default, |sum, index| sum.merged(&chunk(index)))
                .reduce(Histogram::default, |a, b| a.merged(&b))
        })
    }
}

/// A figure from the simulation beside its exact value.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Estimate {
    /// What the simulation gives.
    pub simulated: f64,
    /// Lower end of the confidence interval.
    pub low: f64,
    /// Upper end of the confidence interval.
    pub high: f64,
    /// How the interval was found.
    pub interval: IntervalMethod,
    /// The exact value, as a fraction.
    pub exact: String,
    /// The exact value, as the nearest number.
    pub exact_value: f64,
    /// The exact standard error of the simulated figure.
    pub standard_error: f64,
    /// How many standard errors the simulated figure lies above the exact one.
    pub standard_errors_from_exact: f64,
}

impl Estimate {
    fn new(
        simulated: Ratio,
        exact: Ratio,
        variance: Ratio,
        rounds: u64,
        (low, high, interval): (f64, f64, IntervalMethod),
    ) -> Estimate {
        let standard_error = (approx(variance) / rounds as f64).sqrt();
        let off = approx(simulated - exact);
        Estimate {
            simulated: approx(simulated),
            low,
            high,
            interval,
            exact: exact.to_string(),
            exact_value: approx(exact),
            standard_error,
            standard_errors_from_exact: if standard_error > 0.0 {
                off / standard_error
            } else {
                0.0
            },
        }
    }
}

/// The result of one section.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SectionResult {
    /// The section.
    pub section: String,
    /// The stake in every round, in minor units.
    pub stake_minor: i64,
    /// Rounds won.
    pub wins: u64,
    /// All that was staked, in minor units.
    pub staked_minor: u128,
    /// All that came back, stakes of won bets included, in minor units; exact.
    pub returned_minor: u128,
    /// The house's exact gain per unit staked, as a fraction.
    pub edge: String,
    /// The same in percent, rounded.
    pub edge_percent: f64,
    /// The simulated edge beside it.
    pub estimate: Estimate,
}

/// The chi-square tests of the dice of a run; `null` where there are too few rounds.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct DiceTests {
    /// Six faces, five degrees of freedom.
    pub faces: Option<ChiSquare>,
    /// Sixteen totals, fifteen degrees of freedom.
    pub totals: Option<ChiSquare>,
    /// 216 outcomes, 215 degrees of freedom.
    pub outcomes: Option<ChiSquare>,
}

/// Ways to make each total, 3 to 18.
pub const TOTAL_WAYS: [u64; 16] = [1, 3, 6, 10, 15, 21, 25, 27, 27, 25, 21, 15, 10, 6, 3, 1];

impl DiceTests {
    /// Tests the counts of a run.
    #[must_use]
    pub fn of(histogram: &Histogram, loading: &Loading) -> DiceTests {
        if !loading.is_fair() {
            return DiceTests {
                faces: None,
                totals: None,
                outcomes: ChiSquare::of(histogram.counts(), loading.weights(), 5.0),
            };
        }
        DiceTests {
            faces: ChiSquare::of(&histogram.faces(), &[1; 6], 5.0),
            totals: ChiSquare::of(&histogram.totals(), &TOTAL_WAYS, 5.0),
            outcomes: ChiSquare::of(histogram.counts(), &[1; Outcome::COUNT], 5.0),
        }
    }
}

/// What a simulation found.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Simulation {
    /// Rounds really drawn.
    pub rounds: u64,
    /// The seed.
    pub seed: Seed,
    /// The generator by name.
    pub generator: Generator,
    /// What the generator is.
    pub algorithm: &'static str,
    /// Confidence of all intervals, e.g. 0.95.
    pub confidence: f64,
    /// The house's result of a round for all stakes together, in minor units.
    pub house_minor: Estimate,
    /// All sections with a stake, in stable order.
    pub sections: Vec<SectionResult>,
    /// The furthest that any section lies from its exact value, in standard errors.
    pub furthest_standard_errors: f64,
    /// Tests of the dice; of weighted ones, only that of the outcomes.
    pub dice: DiceTests,
    /// Rounds by outcome, 1-1-1 to 6-6-6.
    pub outcomes: Vec<u64>,
}

/// Sets a run's counts beside the exact values.
///
/// # Errors
/// When a stake cannot be paid exactly.
pub fn report(
    game: &Game,
    mix: &Mix,
    loading: &Loading,
    run: &Run,
    confidence: f64,
    histogram: &Histogram,
) -> Result<Simulation, LabError> {
    let rounds = histogram.rounds();
    let profile = game.profile(mix, loading)?;
    let sections: Vec<SectionResult> = mix
        .iter()
        .map(|(at, stake)| section(game, at, stake.minor(), loading, confidence, histogram))
        .collect();
    let furthest = sections
        .iter()
        .map(|section| section.estimate.standard_errors_from_exact.abs())
        .fold(0.0, f64::max);
    Ok(Simulation {
        rounds,
        seed: run.seed,
        generator: run.generator,
        algorithm: run.generator.algorithm(),
        confidence,
        house_minor: house(&profile, histogram, confidence),
        sections,
        furthest_standard_errors: furthest,
        dice: DiceTests::of(histogram, loading),
        outcomes: histogram.counts().to_vec(),
    })
}

fn section(
    game: &Game,
    at: usize,
    stake_minor: i64,
    loading: &Loading,
    confidence: f64,
    histogram: &Histogram,
) -> SectionResult {
    let bet = &game.bets[at];
    let par = bet.par(loading);
    let rounds = histogram.rounds();
    let returned = histogram.returned(bet);
    let denominator = bet.denominator().unsigned_abs() as u128;
    let total = (denominator * u128::from(rounds)).cast_signed();
    let mean = Ratio::new(returned.back.cast_signed(), total);
    // The interval rests on the sample alone, as if the exact value were not known.
    let hits = histogram.hits(bet);
    let seen: Vec<Seen> = bet
        .lines
        .iter()
        .zip(&hits)
        .map(|(line, times)| Seen {
            value: approx(line.odds) + 1.0,
            times: *times,
        })
        .collect();
    let (low, high, method) = interval::mean(&seen, rounds, confidence);
    let stake = stake_minor.unsigned_abs() as u128;
    let edge = par.edge();
    SectionResult {
        section: bet.name.clone(),
        stake_minor,
        wins: returned.wins,
        staked_minor: u128::from(rounds) * stake,
        returned_minor: returned.back * stake / denominator,
        edge: edge.to_string(),
        edge_percent: rounded_percent(edge),
        estimate: Estimate::new(
            Ratio::from_integer(1) - mean,
            edge,
            par.variance,
            rounds,
            (1.0 - high, 1.0 - low, method),
        ),
    }
}

/// A ratio in percent, rounded to four decimals: the exact value is always beside it.
#[must_use]
pub fn rounded_percent(ratio: Ratio) -> f64 {
    // Adding zero makes minus zero zero.
    (approx(ratio) * 1e6).round() / 1e4 + 0.0
}

fn house(profile: &Profile, histogram: &Histogram, confidence: f64) -> Estimate {
    let rounds = histogram.rounds();
    let results = profile.by_outcome.iter().map(|result| i128::from(*result));
    let counted = || results.clone().zip(histogram.counts());
    let sum: i128 = counted()
        .map(|(result, count)| result * i128::from(*count))
        .sum();
    let mean = Ratio::new(sum, i128::from(rounds));
    // Measured from the result that no bet wins, which is the most frequent.
    let base = profile.by_outcome.iter().copied().max().unwrap_or(0);
    let mut seen: Vec<Seen> = Vec::new();
    for result in profile.ways().keys() {
        let times = profile
            .by_outcome
            .iter()
            .zip(histogram.counts())
            .filter(|(other, _)| *other == result)
            .map(|(_, count)| count)
            .sum();
        seen.push(Seen {
            value: (result - base) as f64,
            times,
        });
    }
    let (low, high, method) = interval::mean(&seen, rounds, confidence);
    Estimate::new(
        mean,
        profile.mean(),
        profile.variance(),
        rounds,
        (low + base as f64, high + base as f64, method),
    )
}

impl Simulation {
    /// The sections as CSV, with a header.
    #[must_use]
    pub fn csv(&self) -> String {
        let mut text = String::from(
            "section,stake_minor,rounds,wins,staked_minor,returned_minor,edge_simulated,edge_low,edge_high,interval,edge_exact,edge_exact_value,standard_error,standard_errors_from_exact\n",
        );
        for one in &self.sections {
            let edge = &one.estimate;
            text.push_str(&format!(
                "{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n",
                one.section,
                one.stake_minor,
                self.rounds,
                one.wins,
                one.staked_minor,
                one.returned_minor,
                edge.simulated,
                edge.low,
                edge.high,
                edge.interval.words().split(' ').next().unwrap_or_default(),
                edge.exact,
                edge.exact_value,
                edge.standard_error,
                edge.standard_errors_from_exact,
            ));
        }
        text
    }
}
