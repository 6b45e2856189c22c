//! How fast a table settles a round, beside what the memory allows.
//!
//! The settlement is the one a house runs: `decide` of the confirmed result and
//! `apply` of what it answers. The bare loop credits the same bets, station by
//! station as the table does, and keeps nothing else.

use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use serde::Serialize;
use sicbo_rules::rulebook::words::Form;
use sicbo_rules::settlement::ROW;
use sicbo_rules::{Layout, Money, Outcome, RuleBook, Section};
use sicbo_table::Act;
use sicbo_table::actor::Actor;
use sicbo_table::ids::{BetId, StationId};
use sicbo_table::positions::{Line, Means};

use crate::table_run::Run;
use crate::{BenchError, median, thousandths};

const STATIONS: u32 = 10_000;
/// At most so many sections carry a bet at each station.
const SECTIONS: usize = 100;
const ROUNDS: usize = 7;
const SEED: u64 = 42;

/// Bets settled and credited per second, beside the bare loop.
#[derive(Serialize)]
#[expect(missing_docs, reason = "the names are those of the JSON form")]
pub struct Measured {
    pub bets_per_s: u64,
    pub memory_limit_bets_per_s: u64,
    pub ratio: f64,
    pub layout: String,
    pub bets: usize,
    pub accounts: usize,
    pub passes: usize,
}

/// A round's bets, column by column, station by station.
#[derive(Default)]
struct Bets {
    accounts: Vec<u32>,
    sections: Vec<Section>,
    stakes: Vec<Money>,
}

/// Plays rounds on a layout of a book that is played at terminals.
pub fn measure(book: &Arc<RuleBook>, layout: &Layout) -> Result<Measured, BenchError> {
    let name = book.layout_name(layout);
    if book.play.form.is != Form::Electronic {
        return Err(BenchError::Input(format!(
            "{name} is played with chips, which the dealer pays by hand: name a layout of mbs-etg, rws-etg or rws-open-cover"
        )));
    }
    let mut generator = Xoshiro256PlusPlus::seed_from_u64(SEED);
    let offered: Vec<Section> = layout.sections().take(SECTIONS).collect();
    let mut run = Run::open(book, &layout.id, STATIONS)?;
    let (mut real, mut bare) = (Vec::new(), Vec::new());
    let mut count = 0;
    for round in 0..=ROUNDS {
        let bets = place(&mut run, &offered, &mut generator)?;
        count = bets.stakes.len();
        let outcome = (generator.next_u64() % Outcome::COUNT as u64) as usize;
        let outcome = Outcome::from_index(outcome).ok_or_else(|| BenchError::bug("no outcome"))?;
        let before = credits(&run);
        let confirm = run.until_confirmed(outcome.dice())?;
        let started = Instant::now();
        run.carry_out(&confirm)?;
        let real_time = started.elapsed();

        let table = layout.settlement().row(outcome.dice()).map(i64::from);
        let mut halves = vec![0; STATIONS as usize];
        let started = Instant::now();
        bare_loop(black_box(&bets), &table, &mut halves);
        let bare_time = started.elapsed();
        agree(&before, &credits(&run), &halves)?;
        // The first round warms the memory and is not counted.
        if round > 0 {
            real.push(real_time);
            bare.push(bare_time);
        }
    }
    run.table.check().map_err(BenchError::bug)?;
    let per_second =
        |mut times: Vec<Duration>| count as f64 / median(&mut times, Ord::cmp).as_secs_f64();
    let (real, bare) = (per_second(real), per_second(bare));
    Ok(Measured {
        bets_per_s: real as u64,
        memory_limit_bets_per_s: bare as u64,
        ratio: thousandths(real / bare),
        layout: name,
        bets: count,
        accounts: STATIONS as usize,
        passes: ROUNDS,
    })
}

/// Begins a round and bets on every section at every station.
fn place(
    run: &mut Run,
    offered: &[Section],
    generator: &mut Xoshiro256PlusPlus,
) -> Result<Bets, BenchError> {
    run.call_bets()?;
    let round = run.table.last_round;
    let mut bets = Bets::default();
    for station in 0..STATIONS {
        let mut lines = Vec::with_capacity(offered.len());
        for &section in offered {
            // 1.00 to 40.00; the bias of the remainder is nothing a clock can see.
            let stake = Money::from_minor(100 + 100 * (generator.next_u64() % 40) as i64);
            lines.push(Line { section, stake });
            bets.accounts.push(station);
            bets.sections.push(section);
            bets.stakes.push(stake);
        }
        let act = Act::PlaceBets {
            station: StationId(station),
            round,
            bet: BetId(1),
            means: Means::Credit,
            lines,
        };
        let command = run.command(Actor::Station(StationId(station)), act);
        run.carry_out(&command)?;
    }
    Ok(bets)
}

fn credits(run: &Run) -> Vec<i64> {
    let credit = |station: u32| {
        run.table
            .station(StationId(station))
            .map(|s| s.credit.minor())
    };
    (0..STATIONS).filter_map(credit).collect()
}

/// Both did the same work; the bare loop counts in halves.
fn agree(before: &[i64], after: &[i64], halves: &[i64]) -> Result<(), BenchError> {
    let credited = before
        .iter()
        .zip(after)
        .map(|(before, after)| 2 * (after - before));
    if credited.eq(halves.iter().copied()) {
        Ok(())
    } else {
        Err(BenchError::bug(
            "the table and the bare loop disagree about the credits",
        ))
    }
}

/// The least that crediting bets can be: no checks of stakes or sums.
#[inline(never)]
fn bare_loop(bets: &Bets, table: &[i64; ROW], balances: &mut [i64]) {
    for ((account, section), stake) in bets.accounts.iter().zip(&bets.sections).zip(&bets.stakes) {
        let account = &mut balances[*account as usize];
        let paid = stake
            .minor()
            .wrapping_mul(table[section.index() & (ROW - 1)]);
        *account = account.wrapping_add(paid);
    }
}
