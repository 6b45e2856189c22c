//! Tests of the dice on a record of results.
//!
//! A record has one result a line: `4,3,4`, `4-3-4` or `4 3 4`, a row of a CSV
//! table, or a JSON line `[4,3,4]` or `{"dice":[4,3,4]}`. Blank lines and
//! lines that start with `#` are passed over; a first line without any figure
//! is a heading.

use serde::Serialize;
use sicbo_rules::{Dice, Outcome};

use crate::histogram::Histogram;
use crate::simulate::TOTAL_WAYS;
use crate::stats::{ChiSquare, two_sided};

/// Why a text is no record of results: up to twenty faults, each with its line.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{}", .faults.join("; "))]
pub struct RecordError {
    /// The faults.
    pub faults: Vec<String>,
}

/// Reads a record.
///
/// # Errors
/// All faults, up to twenty.
pub fn read(text: &str) -> Result<Vec<Dice>, RecordError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut results = Vec::new();
    let mut faults = Vec::new();
    let mut columns: Option<[usize; 3]> = None;
    let mut first = true;
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let heading = first && is_heading(line);
        first = false;
        if heading {
            columns = heading_columns(line);
            continue;
        }
        match one(line, columns) {
            Ok(dice) => results.push(dice),
            Err(problem) => faults.push(format!("line {}: {problem}", number + 1)),
        }
        if faults.len() == 20 {
            faults.push("and perhaps more".to_owned());
            break;
        }
    }
    if faults.is_empty() && results.is_empty() {
        faults.push("there are no results: write one a line, e.g. 4,3,4".to_owned());
    }
    if faults.is_empty() {
        Ok(results)
    } else {
        Err(RecordError { faults })
    }
}

/// A line without any figure, or with the names of the dice: `round,die1,die2,die3`.
fn is_heading(line: &str) -> bool {
    let plain = !line.bytes().any(|b| b.is_ascii_digit());
    !line.starts_with(['{', '[']) && (plain || heading_columns(line).is_some())
}

/// The columns of the three dice in a table's heading.
fn heading_columns(line: &str) -> Option<[usize; 3]> {
    let names: Vec<String> = line
        .split([',', ';', '\t'])
        .map(|name| {
            name.trim()
                .trim_matches('"')
                .to_lowercase()
                .replace([' ', '_', '-'], "")
        })
        .collect();
    let find = |number: usize| {
        let wanted = [
            format!("die{number}"),
            format!("dice{number}"),
            format!("d{number}"),
        ];
        names.iter().position(|name| wanted.contains(name))
    };
    Some([find(1)?, find(2)?, find(3)?])
}

fn one(line: &str, columns: Option<[usize; 3]>) -> Result<Dice, String> {
    if line.starts_with(['{', '[']) {
        return from_json(line);
    }
    let text = match columns {
        None => line.replace([';', '\t'], ","),
        Some(columns) => {
            let cells: Vec<&str> = line
                .split([',', ';', '\t'])
                .map(|cell| cell.trim().trim_matches('"'))
                .collect();
            columns
                .map(|column| cells.get(column).copied().unwrap_or("nothing"))
                .join(",")
        }
    };
    text.parse::<Dice>().map_err(|error| error.to_string())
}

fn from_json(line: &str) -> Result<Dice, String> {
    let refuse = || {
        let short: String = line.chars().take(40).collect();
        format!("{short:?} is no result: write [4,3,4] or {{\"dice\":[4,3,4]}}, each face 1 to 6")
    };
    let value: serde_json::Value = serde_json::from_str(line).map_err(|_| refuse())?;
    let list = value.get("dice").unwrap_or(&value);
    let faces: Vec<u8> = list
        .as_array()
        .ok_or_else(refuse)?
        .iter()
        .map(|face| {
            face.as_u64()
                .and_then(|face| u8::try_from(face).ok())
                .ok_or_else(refuse)
        })
        .collect::<Result<_, _>>()?;
    let faces: [u8; 3] = faces.try_into().map_err(|_| refuse())?;
    Dice::from_faces(faces).ok_or_else(refuse)
}

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
    /// Chance of the like or worse from fair dice.
    pub p: f64,
    /// The same, held against the number of tests made (Holm).
    pub p_adjusted: f64,
    /// So unlikely that the dice are doubted.
    pub doubtful: bool,
}

/// The tests of one record.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Fairness {
    /// Results in the record.
    pub results: u64,
    /// The chance below which dice are doubted, all tests together.
    pub level: f64,
    /// The tests, in fixed order.
    pub tests: Vec<Test>,
    /// Tests that need more results.
    pub left_out: Vec<&'static str>,
    /// At least one test doubts the dice.
    pub doubtful: bool,
    /// How often each face was shown.
    pub faces: [u64; 6],
    /// How often each total came, 3 to 18.
    pub totals: [u64; 16],
}

/// Tests a record of at least one result.
#[must_use]
pub fn test(results: &[Dice], level: f64) -> Fairness {
    let mut histogram = Histogram::default();
    results
        .iter()
        .for_each(|dice| histogram.add(dice.outcome()));
    let mut tests = Vec::new();
    let mut left_out = Vec::new();
    let mut push = |name, about, found: Option<(f64, Option<u32>, f64)>| match found {
        Some((statistic, degrees, p)) => tests.push(Test {
            name,
            tests: about,
            statistic,
            degrees,
            p,
            p_adjusted: 1.0,
            doubtful: false,
        }),
        None => left_out.push(name),
    };
    let chi = |counts: &[u64], weights: &[u64]| {
        ChiSquare::of(counts, weights, 5.0).map(|c| (c.statistic, Some(c.degrees), c.p))
    };
    let z = |z: Option<f64>| z.map(|z| (z, None, two_sided(z)));
    push(
        "faces",
        "each face equally often, all dice together",
        chi(&histogram.faces(), &[1; 6]),
    );
    let by_position = histogram.faces_by_position();
    for (index, name) in ["die 1", "die 2", "die 3"].into_iter().enumerate() {
        push(
            name,
            "each face equally often in this position",
            chi(&by_position[index], &[1; 6]),
        );
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
    for (lag, name) in [(1, "serial 1"), (2, "serial 2"), (3, "serial 3")] {
        push(
            name,
            "a total does not depend on the one so many rounds before",
            z(serial(&totals, lag)),
        );
    }
    let doubtful = adjust(&mut tests, level);
    Fairness {
        results: results.len() as u64,
        level,
        tests,
        left_out,
        doubtful,
        faces: histogram.faces(),
        totals: histogram.totals(),
    }
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
fn runs(sequence: &[bool]) -> Option<f64> {
    let yes = sequence.iter().filter(|is| **is).count() as f64;
    let all = sequence.len() as f64;
    let no = all - yes;
    if yes < 10.0 || no < 10.0 {
        return None;
    }
    let runs = 1.0
        + sequence
            .windows(2)
            .filter(|pair| pair[0] != pair[1])
            .count() as f64;
    let expected = 2.0 * yes * no / all + 1.0;
    let variance = (expected - 1.0) * (expected - 2.0) / (all - 1.0);
    Some((runs - expected) / variance.sqrt())
}

/// Standard errors by which totals follow those `lag` rounds before. Mean and
/// variance of a total are known, 21/2 and 35/4, so they are not estimated.
fn serial(totals: &[u8], lag: usize) -> Option<f64> {
    let pairs = totals.len().checked_sub(lag).filter(|pairs| *pairs >= 30)?;
    let sum: f64 = (0..pairs)
        .map(|i| (f64::from(totals[i]) - 10.5) * (f64::from(totals[i + lag]) - 10.5))
        .sum();
    Some(sum / (8.75 * (pairs as f64).sqrt()))
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
