//! `sicbo bench`: how fast this machine is, beside what it allows.
//!
//! `journal` is in a file of its own; here is `settle`: how fast bets are settled, beside what the memory allows.
//!
//! Both loops run over the same arrays in the same run, turn by turn, so that
//! a busy machine slows both alike and the ratio stays honest.

mod journal;
mod load;
mod serve;

use std::hint::black_box;
use std::time::{Duration, Instant};

use clap::{Args, Subcommand};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use serde::Serialize;
use sicbo_rules::settlement::{BetColumns, ROW};
use sicbo_rules::{Money, Outcome, Section};

use crate::books;
use crate::failure::Failure;
use crate::output::Output;

const ACCOUNTS: usize = 1_000_000;
const BETS: usize = 4_000_000;
const PASSES: usize = 15;
const SEED: u64 = 42;

#[derive(Subcommand)]
pub(crate) enum Bench {
    /// Bets settled and credited per second on one core
    ///
    /// Settles 4,000,000 bets, each on a random section for a random stake, and credits them to
    /// 1,000,000 accounts; beside it the bare loop `account[a] += stake * table[section]` over the
    /// same arrays. Medians of 15 turns each, taken in alternation.
    Settle(Settle),
    /// Rounds simulated per second on one core
    ///
    /// Rounds drawn and settled on all sections; the same with the cryptographic generator; the
    /// bare generator as the limit; a playing system; and numpy doing the same work, where there
    /// is one. The best of 150 short turns each, taken in alternation; of 800 for numpy.
    Simulate(super::bench_simulate::Simulate),
    /// Bets placed per second at one table on one core, and the time to settle a million
    ///
    /// Bets go one by one through the table's decisions, visiting the stations in a shuffled
    /// order; then the round with its 1,000,000 bets is settled. The median batch of 1,000 bets
    /// and the best settlement of 7 rounds, with 100, 10,000 and 100,000 stations, to show how
    /// little the cost of a bet grows.
    Table(super::bench_table::Table),
    /// How soon a die that is not fair is found, and how often fair dice are doubted
    ///
    /// Draws records of fair dice, of three dice with one face heavier and of one such die among
    /// three, and looks at each as a table's report does, over and over, until it raises an alarm.
    Fair(super::bench_fair::Fair),
    /// Durable bets a second through the whole path, restart and verification
    ///
    /// At batches of 1, 64, 1,024 and 8,192: commands are decided, encoded, appended to a real
    /// journal, synced and acknowledged. Bets arrive at a steady rate that does not wait for
    /// answers, and latency counts from when a bet was due. Beside it, what the same disk does
    /// with the same bytes and nothing else. Then a long history is written, the table is brought
    /// back from it, and all of it is verified.
    Journal(journal::Journal),
    /// A whole house with its terminals on loopback: bets a second, latency, settlement, memory
    ///
    /// Starts a house and terminals in further processes: bets a second one to a frame and sixteen
    /// to a frame, how long registration takes, the time from the confirmed result until the last
    /// of 1,000, 5,000 and 10,000 terminals has its own settlement, and memory for each terminal.
    Serve(serve::Serve),
    /// Terminals of `bench serve`, told what to do line by line
    #[command(hide = true)]
    ServeLoad(serve::Load),
}

#[derive(Args)]
pub(crate) struct Settle {
    /// The layout the bets are on
    #[arg(long, default_value = "rws-etg/b")]
    layout: String,
}

#[derive(Serialize)]
struct Measured {
    bets_per_s: u64,
    memory_limit_bets_per_s: u64,
    ratio: f64,
    layout: String,
    bets: usize,
    accounts: usize,
    passes: usize,
}

impl Bench {
    pub(crate) fn run(self, out: &mut Output) -> Result<(), Failure> {
        let settle = match self {
            Bench::Settle(settle) => settle,
            Bench::Simulate(simulate) => return simulate.run(out),
            Bench::Table(table) => return table.run(out),
            Bench::Fair(table) => return table.run(out),
            Bench::Journal(journal) => return journal.run(out),
            Bench::Serve(serve) => return serve.run(out),
            Bench::ServeLoad(load) => return load.run(),
        };
        let measured = measure(&books::layout(&settle.layout)?)?;
        if out.is_json() {
            return out.json(&measured);
        }
        out.line(format!(
            "{:>6.1} million bets settled and credited per second on one core ({})",
            measured.bets_per_s as f64 / 1e6,
            measured.layout
        ))?;
        out.line(format!(
            "{:>6.1} million per second for the bare loop account[a] += stake * table[section]",
            measured.memory_limit_bets_per_s as f64 / 1e6
        ))?;
        out.line(format!("{:>6.2} of what the memory allows", measured.ratio))
    }
}

/// A round's bets, column by column.
struct Bets {
    accounts: Vec<u32>,
    sections: Vec<Section>,
    stakes: Vec<Money>,
}

impl Bets {
    fn random(offered: &[Section], generator: &mut Xoshiro256PlusPlus) -> Bets {
        // Bias of the remainder is far below what a timing could see.
        let mut below = |n: usize| (generator.next_u64() % n as u64) as usize;
        let mut bets = Bets {
            accounts: Vec::with_capacity(BETS),
            sections: Vec::with_capacity(BETS),
            stakes: Vec::with_capacity(BETS),
        };
        for _ in 0..BETS {
            bets.accounts.push(below(ACCOUNTS) as u32);
            bets.sections.push(offered[below(offered.len())]);
            // 1.00 to 500.00, in steps of 0.50.
            bets.stakes
                .push(Money::from_minor(100 + 50 * below(999) as i64));
        }
        bets
    }
}

fn measure(found: &books::Found) -> Result<Measured, Failure> {
    let mut generator = Xoshiro256PlusPlus::seed_from_u64(SEED);
    let offered: Vec<Section> = found.layout().sections().collect();
    let bets = Bets::random(&offered, &mut generator);
    let settlement = found.layout().settlement();
    let mut balances = vec![Money::ZERO; ACCOUNTS];
    let mut bare_balances = vec![0_i64; ACCOUNTS];
    let (mut real, mut bare) = (Vec::new(), Vec::new());
    for pass in 0..=PASSES {
        let outcome = (generator.next_u64() % Outcome::COUNT as u64) as usize;
        let Some(dice) = Outcome::from_index(outcome).map(Outcome::dice) else {
            continue;
        };
        let columns = BetColumns {
            accounts: &bets.accounts,
            sections: &bets.sections,
            stakes: &bets.stakes,
        };
        let started = Instant::now();
        let returned = settlement
            .credit(dice, black_box(&columns), &mut balances)
            .map_err(Failure::input)?;
        let real_time = started.elapsed();
        black_box(returned);

        let table = settlement.row(dice).map(i64::from);
        let started = Instant::now();
        bare_loop(black_box(&bets), &table, &mut bare_balances);
        let bare_time = started.elapsed();
        black_box(&bare_balances);
        // The first turn warms the memory and is not counted.
        if pass > 0 {
            real.push(real_time);
            bare.push(bare_time);
        }
    }
    // Both loops did the same work: the bare one counts in halves.
    let agree = balances
        .iter()
        .zip(&bare_balances)
        .all(|(balance, halves)| balance.minor() * 2 == *halves);
    if !agree {
        return Err(Failure::World(
            "the two loops disagree about the balances: this is a bug".to_owned(),
        ));
    }
    let per_second = |times: Vec<Duration>| BETS as f64 / median(times).as_secs_f64();
    let (real, bare) = (per_second(real), per_second(bare));
    Ok(Measured {
        bets_per_s: real as u64,
        memory_limit_bets_per_s: bare as u64,
        ratio: (real / bare * 1e3).round() / 1e3,
        layout: found.name(),
        bets: BETS,
        accounts: ACCOUNTS,
        passes: PASSES,
    })
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

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}
