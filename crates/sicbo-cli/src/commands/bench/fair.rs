//! `sicbo bench fair`: how soon dice that are not fair are found, and how
//! often fair ones are doubted.

use clap::Args;
use serde::Serialize;
use sicbo_lab::sequential::{Loaded, Measured, measure};

use crate::failure::Failure;
use crate::lab::share;
use crate::output::{Grid, Output};

#[derive(Args)]
pub(crate) struct Fair {
    /// Records drawn of each kind of dice
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(10..=100_000))]
    records: u32,
    /// Rounds of each record
    #[arg(long, default_value_t = 20_000, value_parser = clap::value_parser!(u32).range(100..=10_000_000))]
    rounds: u32,
    /// Largest share of fair records that ever raise an alarm
    #[arg(long, default_value = "0.01", value_parser = share)]
    level: f64,
    /// How much heavier one face is
    #[arg(long, default_value = "0.1", value_parser = share)]
    heavier: f64,
    /// Seed
    #[arg(long, default_value_t = 42)]
    seed: u64,
}

#[derive(Serialize)]
struct All {
    measured: Vec<Measured>,
}

impl Fair {
    pub(crate) fn run(self, out: &mut Output) -> Result<(), Failure> {
        let kinds = [(0.0, 0), (self.heavier, 3), (self.heavier, 1)];
        let measured: Vec<Measured> = kinds
            .map(|(heavier, dice)| {
                let loaded = Loaded { heavier, dice };
                measure(
                    loaded,
                    self.level,
                    self.records,
                    (self.rounds, 100),
                    self.seed,
                )
            })
            .to_vec();
        if out.is_json() {
            return out.json(&All { measured });
        }
        let mut grid = Grid::headed(
            "dice | >records | >rounds each | >alarms | >median detection round | >90th percentile",
        );
        let by = |round: Option<u32>| round.map_or_else(|| "-".to_owned(), |r| r.to_string());
        for one in &measured {
            let dice = match one.loaded.dice {
                0 => "fair".to_owned(),
                dice => format!(
                    "{dice} with one face {:.0} % heavier",
                    100.0 * one.loaded.heavier
                ),
            };
            grid.row([
                dice,
                one.records.to_string(),
                one.rounds.to_string(),
                one.alarms.to_string(),
                by(one.half_by),
                by(one.nine_tenths_by),
            ]);
        }
        out.table(&grid)?;
        out.line(format!(
            "Looked at after every 100 rounds; fair dice ever raise an alarm in at most {} of records",
            self.level
        ))
    }
}
