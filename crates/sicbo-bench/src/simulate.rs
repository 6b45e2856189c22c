//! Rounds a second on one core, beside the bare
//! generator and beside numpy, all in one run.

use std::hint::black_box;
use std::process::{Command, Stdio};
use std::time::Instant;

use serde::Serialize;
use sicbo_lab::game::{Game, Loading};
use sicbo_lab::simulate::CHUNK_ROUNDS;
use sicbo_lab::strategy::{self, Plan, System};
use sicbo_lab::{Generator, Histogram, Run, Seed};
use sicbo_rules::{Layout, Money, RuleBook};

use crate::BenchError;

/// Rounds a second, each on one core.
#[derive(Serialize)]
#[expect(missing_docs, reason = "the names are those of the JSON form")]
pub struct Measured {
    pub rounds_per_s_per_core: u64,
    pub crypto_rounds_per_s_per_core: u64,
    pub limit_rounds_per_s_per_core: u64,
    pub numpy_rounds_per_s: Option<u64>,
    pub strategy_rounds_per_s_per_core: u64,
}

/// Many short turns: on a busy machine some of them are left alone.
const PASSES: u64 = 150;
const FAST_CHUNKS: u64 = 8;
const CRYPTO_CHUNKS: u64 = 2;
const SESSIONS: u64 = 256;

/// The same work in numpy: draw, count by outcome, settle all sections. Three
/// dice drawn one by one and one draw among 216 are both tried; the faster counts.
const NUMPY: &str = "
import sys, time
import numpy as np
table = np.array(eval(sys.stdin.read()), dtype=np.int64)
rng = np.random.Generator(np.random.SFC64(42))
n = 1 << 18
def dice():
    d = rng.integers(0, 6, size=(3, n), dtype=np.uint8)
    return d[0] * np.uint8(36) + d[1] * np.uint8(6) + d[2]
def outcome():
    return rng.integers(0, 216, size=n, dtype=np.uint8)
best = 0.0
for draw in (dice, outcome):
    times = []
    for _ in range(400):
        started = time.perf_counter()
        np.bincount(draw(), minlength=216) @ table
        times.append(time.perf_counter() - started)
    best = max(best, n / min(times))
print(best)
";

/// Measures all of it on one layout; `python` is where numpy is looked for.
pub fn measure(book: &RuleBook, layout: &Layout, python: &str) -> Result<Measured, BenchError> {
    let game = &Game::of(book, layout);
    let (mut fast, mut crypto, mut limit, mut system) = (vec![], vec![], vec![], vec![]);
    // Turn by turn, so that a busy machine slows all alike.
    for pass in 0..PASSES {
        fast.push(rounds(game, Generator::Fast, FAST_CHUNKS, pass));
        crypto.push(rounds(game, Generator::Crypto, CRYPTO_CHUNKS, pass));
        limit.push(bare(FAST_CHUNKS, pass));
        system.push(sessions(game, pass)?);
    }
    Ok(Measured {
        rounds_per_s_per_core: best(fast),
        crypto_rounds_per_s_per_core: best(crypto),
        limit_rounds_per_s_per_core: best(limit),
        numpy_rounds_per_s: numpy(layout, python),
        strategy_rounds_per_s_per_core: best(system),
    })
}

/// Numpy's rate, or `None` where there is no Python or no numpy.
fn numpy(layout: &Layout, python: &str) -> Option<u64> {
    let rows: Vec<Vec<u16>> = sicbo_rules::Outcome::all()
        .map(|outcome| {
            let row = layout.settlement().row(outcome.dice());
            layout
                .sections()
                .map(|section| row[section.index()])
                .collect()
        })
        .collect();
    let mut child = Command::new(python)
        .args(["-c", NUMPY])
        .env("OMP_NUM_THREADS", "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let table = serde_json::to_string(&rows).ok()?;
    let mut pipe = child.stdin.take()?;
    // A Python without numpy has gone away by now; its answer says so.
    let _ = std::io::Write::write_all(&mut pipe, table.as_bytes());
    drop(pipe);
    let answer = child.wait_with_output().ok()?;
    let rate: f64 = String::from_utf8(answer.stdout).ok()?.trim().parse().ok()?;
    Some(rate as u64)
}

/// Draws chunks and settles every section of the layout on them.
fn rounds(game: &Game, generator: Generator, chunks: u64, pass: u64) -> f64 {
    let started = Instant::now();
    let mut all = Histogram::default();
    for chunk in 0..chunks {
        let counted = generator.stream(Seed(pass), chunk).play(CHUNK_ROUNDS);
        all = all.merged(&counted);
    }
    for bet in &game.bets {
        black_box(all.returned(bet));
    }
    all.rounds() as f64 / started.elapsed().as_secs_f64()
}

/// As many draws with nothing done with them.
fn bare(chunks: u64, pass: u64) -> f64 {
    let draws = chunks * u64::from(CHUNK_ROUNDS);
    let started = Instant::now();
    let mut stream = Generator::Fast.stream(Seed(pass), 0);
    black_box(stream.spin((draws / 32) as usize));
    draws as f64 / started.elapsed().as_secs_f64()
}

fn sessions(game: &Game, pass: u64) -> Result<f64, BenchError> {
    if game.bets.is_empty() {
        return Err(BenchError::Input("the layout has no sections".to_owned()));
    }
    let plan = Plan {
        bets: vec![(game.position("big").unwrap_or(0), 1)],
        system: System::Martingale.into(),
        base: Money::from_minor(500),
        bankroll: Money::from_minor(100_000),
        least: Money::from_minor(500),
        most: Money::from_minor(50_000),
        unit: Money::from_minor(100),
        target: None,
        rounds: 1000,
    };
    let run = Run {
        threads: Some(1),
        ..Run::new(Seed(pass))
    };
    let started = Instant::now();
    let played = strategy::run(game, &plan, &Loading::fair(), &run, SESSIONS, &|_| ())?;
    let rounds: u64 = played.iter().map(|session| u64::from(session.rounds)).sum();
    Ok(rounds as f64 / started.elapsed().as_secs_f64())
}

/// The best turn: what the machine can do when nothing else disturbs it. Numpy
/// is given the same.
fn best(rates: Vec<f64>) -> u64 {
    rates.into_iter().fold(0.0, f64::max) as u64
}
