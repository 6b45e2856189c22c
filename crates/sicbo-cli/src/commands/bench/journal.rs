//! `sicbo bench journal`: durable bets a second, restart and verification, all
//! in one run on one disk, beside what the disk does with the same bytes.

use std::path::PathBuf;

use clap::Args;
use sicbo_bench::journal;

use crate::failure::Failure;
use crate::output::{Grid, Output};

#[derive(Args)]
pub(crate) struct Journal {
    /// Bets in the history that is restarted from and verified
    #[arg(long, value_name = "BETS")]
    history: Option<u64>,
    /// A short run: a history of 500,000 bets
    #[arg(long, conflicts_with = "history")]
    quick: bool,
    /// Each size of block in format 1 too, whose headers nobody signed
    #[arg(long)]
    beside_format_1: bool,
    /// So often each size of block is measured in turn; the median stands
    #[arg(long, value_name = "RUNS", default_value_t = 1,
          value_parser = clap::value_parser!(u16).range(1..=99))]
    runs: u16,
    /// A folder on the disk to be measured; a folder made in it is removed again
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    dir: PathBuf,
}

impl Journal {
    pub(crate) fn run(self, out: &mut Output) -> Result<(), Failure> {
        let history = self
            .history
            .unwrap_or(if self.quick { 500_000 } else { 10_000_000 });
        let measured =
            journal::measure(&self.dir, history, self.beside_format_1, self.runs.into())?;
        if out.is_json() {
            return out.json(&measured);
        }
        let heads = [
            ">batch",
            ">format",
            ">bets/s",
            ">p50 ms",
            ">p99 ms",
            ">disk bets/s",
            ">ratio",
        ];
        let mut grid = Grid::new(&heads);
        for batch in &measured.batches {
            grid.row([
                batch.batch.to_string(),
                batch.block_format.to_string(),
                batch.bets_per_s.to_string(),
                format!("{:.2}", batch.p50_ms),
                format!("{:.2}", batch.p99_ms),
                batch.raw_bets_per_s.to_string(),
                format!("{:.3}", batch.ratio),
            ]);
        }
        out.table(&grid)?;
        if let Some(before) = measured.restart_format_1_ms {
            out.line(format!(
                "restart from {} bets in format 1: {before:.1} ms; in format 2: {:.2} of that",
                measured.history_bets,
                measured.restart_ms / before
            ))?;
        }
        out.line(format!(
            "restart from {} bets: {:.1} ms; verified at {} records per second",
            measured.history_bets, measured.restart_ms, measured.verify_records_per_s
        ))
    }
}
