//! Tests of the dice on a record of results.
//!
//! A test says whether the dice are doubted; beside it stand the evidence that
//! holds however often one looks, and how large a bias such a record could
//! have shown at all.

mod power;
mod record;

use serde::Serialize;
use sicbo_rules::{Dice, Outcome};

use crate::histogram::Histogram;
use crate::sequential::Finding;
use crate::simulate::TOTAL_WAYS;
use crate::stats::{ChiSquare, two_sided};

pub use power::Power;
pub use record::{RecordError, read};

/// One test and what it found.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Test {
    /// Short name, e.g. `faces`.
    pub name: &'static str,
    /// What is tested, in words.
    pub tests: &'static str,
    /// The statistic: chi-square, or standard errors from what fair dice give.
    pub statistic: f64,
    /// Degrees of freedom of a chi-square.
    pub degrees: Option<u32>,
    /// Chance of a statistic as large or larger from fair dice.
    pub p: f64,
    /// The same, adjusted for the number of tests (Holm).
    pub p_adjusted: f64,
    /// Below the level: evidence of bias.
    pub doubtful: bool,
}

/// A test that was not made.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct LeftOut {
    /// Its name.
    pub name: &'static str,
    /// Why.
    pub reason: &'static str,
}

/// In what order the dice of a result were written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum DiceOrder {
    /// As they fell, as far as can be seen.
    AsRead,
    /// From lowest to highest or from highest to lowest, in every result.
    Sorted,
    /// Sorted in far more results than chance would have it.
    PartlySorted,
    /// The caller says that the order means nothing.
    Ignored,
}

/// The tests of one record.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Fairness {
    /// Results in the record.
    pub results: u64,
    /// Family-wise significance level.
    pub level: f64,
    /// The tests, in fixed order.
    pub tests: Vec<Test>,
    /// Tests that were not made, and why.
    pub left_out: Vec<LeftOut>,
    /// At least one test doubts the dice.
    pub doubtful: bool,
    /// Whether there was anything to test.
    pub tested: bool,
    /// In what order the dice were written.
    pub order: DiceOrder,
    /// How large a bias such a record could have shown.
    pub power: Power,
    /// Evidence that holds however often one looks.
    pub evidence: Finding,
    /// How often each face was shown.
    pub faces: [u64; 6],
    /// How often each total came, 3 to 18.
    pub totals: [u64; 16],
}

const TOO_FEW: &str = "too few results";
const SORTED: &str = "the dice of every result are written in order";
const PARTLY_SORTED: &str = "most results have their dice written in order";
const IGNORED: &str = "the order of the dice is ignored";
const ONE_SIDE: &str = "nearly all totals lie on one side";
const CONSTANT: &str = "all totals are the same";

/// From this many results on, dice that all stand in order were sorted: fair
/// dice stand so in 56 of 216 results.
const SORTED_FROM: usize = 8;

/// How the dice of the results were written.
#[must_use]
pub fn order(results: &[Dice]) -> DiceOrder {
    let count = |is: fn([u8; 3]) -> bool| results.iter().filter(|dice| is(dice.faces())).count();
    let rising = count(|[a, b, c]| a <= b && b <= c);
    let falling = count(|[a, b, c]| a >= b && b >= c);
    let most = rising.max(falling);
    let all = results.len();
    if all >= SORTED_FROM && most == all {
        return DiceOrder::Sorted;
    }
    // Eight standard deviations above the 56 of 216 that chance gives.
    let (n, share) = (all as f64, 56.0 / 216.0);
    let far = n * share + 8.0 * (n * share * (1.0 - share)).sqrt();
    if all >= 30 && most as f64 > far.max(n / 2.0) {
        DiceOrder::PartlySorted
    } else {
        DiceOrder::AsRead
    }
}

/// Tests a record of at least one result.
#[must_use]
pub fn test(results: &[Dice], level: f64) -> Fairness {
    test_with(results, level, order(results))
}

/// The same with the order of the dice known, or to be ignored.
#[must_use]
pub fn test_with(results: &[Dice], level: f64, order: DiceOrder) -> Fairness {
    let mut histogram = Histogram::default();
    results
        .iter()
        .for_each(|dice| histogram.add(dice.outcome()));
    let mut tests = Vec::new();
    let mut left_out = Vec::new();
    let mut push = |name, about, found: Result<(f64, Option<u32>, f64), &'static str>| match found {
        Ok((statistic, degrees, p)) => tests.push(Test {
            name,
            tests: about,
            statistic,
            degrees,
            p,
            p_adjusted: 1.0,
            doubtful: false,
        }),
        Err(reason) => left_out.push(LeftOut { name, reason }),
    };
    let chi = |counts: &[u64], weights: &[u64]| {
        ChiSquare::of(counts, weights, 5.0)
            .map(|c| (c.statistic, Some(c.degrees), c.p))
            .ok_or(TOO_FEW)
    };
    let z = |z: Result<f64, &'static str>| z.map(|z| (z, None, two_sided(z)));
    push(
        "faces",
        "each face equally often, all dice together",
        chi(&histogram.faces(), &[1; 6]),
    );
    let by_position = histogram.faces_by_position();
    for (index, name) in ["die 1", "die 2", "die 3"].into_iter().enumerate() {
        let found = match order {
            DiceOrder::AsRead => chi(&by_position[index], &[1; 6]),
            DiceOrder::Sorted => Err(SORTED),
            DiceOrder::PartlySorted => Err(PARTLY_SORTED),
            DiceOrder::Ignored => Err(IGNORED),
        };
        push(name, "each face equally often in this position", found);
    }
    push(
        "totals",
        "each total as often as its ways",
        chi(&histogram.totals(), &TOTAL_WAYS),
    );
    let (counts, ways) = combinations(&histogram);
    push(
        "combinations",
        "each of the 56 combinations as often as its ways",
        chi(&counts, &ways),
    );
    let totals: Vec<u8> = results.iter().map(|dice| dice.total()).collect();
    let high: Vec<bool> = totals.iter().map(|total| *total >= 11).collect();
    let odd: Vec<bool> = totals.iter().map(|total| total % 2 == 1).collect();
    push(
        "high-low runs",
        "totals 11 to 18 and 3 to 10 alternate as by chance",
        z(runs(&high)),
    );
    push(
        "odd-even runs",
        "odd and even totals alternate as by chance",
        z(runs(&odd)),
    );
    for (lag, name, about) in [
        (1, "serial 1", "totals are uncorrelated at lag 1"),
        (2, "serial 2", "totals are uncorrelated at lag 2"),
        (3, "serial 3", "totals are uncorrelated at lag 3"),
    ] {
        push(name, about, z(serial(&totals, lag)));
    }
    let doubtful = adjust(&mut tests, level);
    let made = tests.len();
    let results_count = results.len() as u64;
    Fairness {
        results: results_count,
        level,
        tested: made > 0,
        tests,
        left_out,
        doubtful,
        order,
        power: Power::of(results_count, made, level),
        evidence: evidence(results, level, order),
        faces: histogram.faces(),
        totals: histogram.totals(),
    }
}

/// The evidence of a record. Where the order of the dice means nothing, the
/// part of the stake that is bet on one position stays as it is.
fn evidence(results: &[Dice], level: f64, order: DiceOrder) -> Finding {
    // Some forty looks at equal steps: looking costs time and is valid at any moment.
    let step = (results.len() as u64).div_ceil(40);
    let follow = Finding::follow(level).every(step);
    let follow = match order {
        DiceOrder::AsRead => follow,
        _ => follow.without_positions(),
    };
    results
        .iter()
        .fold(follow, |mut follow, dice| {
            follow.add(*dice);
            follow
        })
        .finding()
}

/// Counts and ways of the 56 combinations, those of equal ways side by side,
/// so that pooling in small records joins like with like.
fn combinations(histogram: &Histogram) -> (Vec<u64>, Vec<u64>) {
    let mut all: Vec<(u64, Dice, u64)> = Vec::new();
    for outcome in Outcome::all() {
        let sorted = outcome.dice().sorted();
        let count = histogram.counts()[outcome.index()];
        match all.iter_mut().find(|(_, dice, _)| *dice == sorted) {
            Some((ways, _, sum)) => {
                *ways += 1;
                *sum += count;
            }
            None => all.push((1, sorted, count)),
        }
    }
    all.sort_unstable_by_key(|(ways, dice, _)| (*ways, *dice));
    (
        all.iter().map(|(_, _, count)| *count).collect(),
        all.iter().map(|(ways, _, _)| *ways).collect(),
    )
}

/// Standard errors by which the number of runs is off (Wald and Wolfowitz).
fn runs(sequence: &[bool]) -> Result<f64, &'static str> {
    let yes = sequence.iter().filter(|is| **is).count() as f64;
    let all = sequence.len() as f64;
    let no = all - yes;
    if all < 20.0 {
        return Err(TOO_FEW);
    }
    if yes < 10.0 || no < 10.0 {
        return Err(if all < 60.0 { TOO_FEW } else { ONE_SIDE });
    }
    let runs = 1.0
        + sequence
            .windows(2)
            .filter(|pair| pair[0] != pair[1])
            .count() as f64;
    let expected = 2.0 * yes * no / all + 1.0;
    let variance = (expected - 1.0) * (expected - 2.0) / (all - 1.0);
    Ok((runs - expected) / variance.sqrt())
}

/// Standard errors of the autocorrelation of totals at a lag.
///
/// Mean and spread are the sample's own: totals of biased dice have another
/// mean than 10.5, and independent ones must not be called dependent for it.
fn serial(totals: &[u8], lag: usize) -> Result<f64, &'static str> {
    let pairs = totals
        .len()
        .checked_sub(lag)
        .filter(|pairs| *pairs >= 30)
        .ok_or(TOO_FEW)?;
    let n = totals.len() as f64;
    let mean = totals.iter().map(|total| f64::from(*total)).sum::<f64>() / n;
    let off = |i: usize| f64::from(totals[i]) - mean;
    let squares: f64 = (0..totals.len()).map(|i| off(i) * off(i)).sum();
    if squares <= 0.0 {
        return Err(CONSTANT);
    }
    let correlation = (0..pairs).map(|i| off(i) * off(i + lag)).sum::<f64>() / squares;
    // Mean and variance over all orders of the same totals, the variance to
    // the first order (Ljung and Box).
    let pairs = pairs as f64;
    let expected = -pairs / (n * (n - 1.0));
    Ok((correlation - expected) / (pairs / (n * (n + 2.0))).sqrt())
}

/// Holm's step-down: the smallest of m chances counts m times, the next m - 1 times.
fn adjust(tests: &mut [Test], level: f64) -> bool {
    let mut order: Vec<usize> = (0..tests.len()).collect();
    order.sort_by(|a, b| tests[*a].p.total_cmp(&tests[*b].p));
    let mut floor: f64 = 0.0;
    for (rank, index) in order.iter().enumerate() {
        let times = (tests.len() - rank) as f64;
        floor = floor.max((tests[*index].p * times).min(1.0));
        tests[*index].p_adjusted = floor;
        tests[*index].doubtful = floor < level;
    }
    tests.iter().any(|test| test.doubtful)
}
