//! How fast a table takes bets and settles a round, on one core.
//!
//! Bets go one by one through `decide` and `apply`, visiting the stations in a
//! shuffled order so that no two neighbouring bets share memory. Commands are
//! built in small batches outside the clock, as a decoder would leave them.

use std::time::{Duration, Instant};

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use serde::Serialize;
use sicbo_rules::{Money, Outcome, RuleBook, Section};
use sicbo_table::actor::Actor;
use sicbo_table::ids::{BetId, StationId};
use sicbo_table::positions::{Line, Means};
use sicbo_table::{Act, Command};

use crate::table_run::Run;
use crate::{BenchError, median, thousandths};

const BETS: usize = 1_000_000;
const ROUNDS: usize = 7;
const BATCH: usize = 1_000;

/// The figures that are asked for first, and those beside which they stand.
const STATIONS: usize = 10_000;
const ALL_STATIONS: [usize; 3] = [100, STATIONS, 100_000];

/// One size of table.
#[derive(Serialize, Clone, Copy)]
#[expect(missing_docs, reason = "the names are those of the JSON form")]
pub struct Measured {
    pub stations: usize,
    pub place_bets_per_s: u64,
    pub settle_ms_per_million_bets: f64,
    /// Checking the books, as at every round's end.
    pub check_us: f64,
}

/// The main size, and all.
#[derive(Serialize)]
#[expect(missing_docs, reason = "the names are those of the JSON form")]
pub struct Report {
    pub place_bets_per_s: u64,
    pub settle_ms_per_million_bets: f64,
    pub stations: usize,
    pub by_stations: Vec<Measured>,
}

/// Plays rounds of a million bets at tables of three sizes.
pub fn measure() -> Result<Report, BenchError> {
    let all = ALL_STATIONS.into_iter().map(measure_one);
    let all: Vec<Measured> = all.collect::<Result<_, _>>()?;
    let main = all.iter().find(|measured| measured.stations == STATIONS);
    let main = *main.ok_or_else(|| BenchError::bug("nothing was measured"))?;
    Ok(Report {
        place_bets_per_s: main.place_bets_per_s,
        settle_ms_per_million_bets: main.settle_ms_per_million_bets,
        stations: main.stations,
        by_stations: all,
    })
}

fn shuffle(order: &mut Xoshiro256PlusPlus, items: &mut [u32]) {
    for i in (1..items.len()).rev() {
        items.swap(i, (order.next_u64() % (i as u64 + 1)) as usize);
    }
}

fn measure_one(stations: usize) -> Result<Measured, BenchError> {
    let book = RuleBook::named("mbs-etg").ok_or_else(|| BenchError::bug("no rule book"))?;
    let mut run = Run::open(book, "rapid", stations as u32)?;
    // The order of visits is the same in every run.
    let mut order = Xoshiro256PlusPlus::seed_from_u64(42);
    let mut placing = Vec::new();
    let mut settling = Vec::new();
    for round in 0..=ROUNDS {
        let (placed, settled) = play(&mut run, stations, &mut order, round as u64)?;
        // The first round warms the memory and is not counted.
        if round > 0 {
            placing.extend(placed);
            settling.push(settled);
        }
    }
    let check = || {
        let began = Instant::now();
        run.table.check().map_err(BenchError::bug)?;
        Ok(began.elapsed())
    };
    let checked: Vec<Duration> = (0..ROUNDS)
        .map(|_| check())
        .collect::<Result<_, BenchError>>()?;
    let checked = checked.into_iter().min().unwrap_or_default();
    // The median batch: what another program takes of the core is not the table's cost.
    let per_second = BATCH as f64 / median(&mut placing, Ord::cmp).as_secs_f64();
    let best = settling.into_iter().min().unwrap_or_default();
    let milliseconds = best.as_secs_f64() * 1e3;
    Ok(Measured {
        stations,
        place_bets_per_s: per_second as u64,
        settle_ms_per_million_bets: thousandths(milliseconds),
        check_us: thousandths(checked.as_secs_f64() * 1e6),
    })
}

/// One round with a million bets; the time to take each batch and the time to settle all.
fn play(
    run: &mut Run,
    stations: usize,
    order: &mut Xoshiro256PlusPlus,
    round: u64,
) -> Result<(Vec<Duration>, Duration), BenchError> {
    run.call_bets()?;
    let number = run.table.last_round;
    let mut visits: Vec<u32> = (0..stations as u32).collect();
    let mut at = stations;
    let mut lap = 0u64;
    let mut placing = Vec::with_capacity(BETS / BATCH);
    // Kept from batch to batch: a large list freed each time would stir the
    // allocator as no command that is freed by itself does.
    let mut commands: Vec<Command> = Vec::with_capacity(BATCH);
    for _ in 0..BETS / BATCH {
        commands.clear();
        for _ in 0..BATCH {
            if at == stations {
                shuffle(order, &mut visits);
                at = 0;
                lap += 1;
            }
            let station = visits[at];
            at += 1;
            // Each lap is another section, so that a station's bets are on different ones.
            let section = (u64::from(station) + lap * 5) % Section::COUNT as u64;
            commands.push(run.command(
                Actor::Station(StationId(station)),
                Act::PlaceBets {
                    station: StationId(station),
                    round: number,
                    bet: BetId(lap),
                    means: Means::Credit,
                    lines: vec![Line {
                        section: Section::ALL[section as usize],
                        stake: Money::from_minor(100 + 100 * (order.next_u64() % 40) as i64),
                    }],
                },
            ));
        }
        let started = Instant::now();
        for command in &commands {
            run.carry_out(command)?;
        }
        placing.push(started.elapsed());
    }
    let outcome = Outcome::from_index((round as usize * 37 + 11) % Outcome::COUNT);
    let dice = outcome.ok_or_else(|| BenchError::bug("no outcome"))?.dice();
    let confirm = run.until_confirmed(dice)?;
    let started = Instant::now();
    run.carry_out(&confirm)?;
    Ok((placing, started.elapsed()))
}
